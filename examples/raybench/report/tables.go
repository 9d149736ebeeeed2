package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// middle is the median of what several rounds gave, with the least and the most.
type middle struct{ median, least, most float64 }

// middleOf returns the median of one or more values; of an even number, the mean of the two in the middle.
func middleOf(values []float64) middle {
	s := slices.Sorted(slices.Values(values))
	n := len(s)
	return middle{(s[(n-1)/2] + s[n/2]) / 2, s[0], s[n-1]}
}

// spread returns how far the least and the most are apart, in percent of the median.
func (m middle) spread() float64 { return 100 * (m.most - m.least) / m.median }

// ratios divides round by round.
func ratios(a, b []float64) middle {
	q := make([]float64, len(a))
	for i := range q {
		q[i] = a[i] / b[i]
	}
	return middleOf(q)
}

const (
	speed  = "mrays_per_s"
	build  = "build_ms"
	memory = "bytes_per_triangle"
)

// others returns the programs that the first, our own, is compared with.
func (r *result) others() []program { return r.programs[1:] }

// ratio is that of our speed to the speed of others()[k].
func (r *result) ratio(k int) middle {
	return ratios(r.programs[0].values[speed], r.others()[k].values[speed])
}

func rayTable(results []result) string {
	var b strings.Builder
	b.WriteString("| mesh | rays | mode |")
	for _, p := range results[0].programs {
		fmt.Fprintf(&b, " %s, Mrays/s |", p.name)
	}
	for _, p := range results[0].others() {
		fmt.Fprintf(&b, " ratio to %s |", p.name)
	}
	b.WriteString("\n|---|---|---|" + strings.Repeat("---:|", 2*len(results[0].programs)-1) + "\n")
	for _, r := range results {
		fmt.Fprintf(&b, "| %s | %s | %s |", r.mesh, r.set, r.mode)
		for _, p := range r.programs {
			m := middleOf(p.values[speed])
			fmt.Fprintf(&b, " %.2f, spread %.0f %% |", m.median, m.spread())
		}
		for k := range r.others() {
			m := r.ratio(k)
			fmt.Fprintf(&b, " **%.2f** (%.2f–%.2f) |", m.median, m.least, m.most)
		}
		b.WriteString("\n")
	}
	if len(results[0].others()) > 0 {
		b.WriteString("\n")
		for k, p := range results[0].others() {
			by := func(a, b result) int { return cmp.Compare(a.ratio(k).median, b.ratio(k).median) }
			low, high := slices.MinFunc(results, by), slices.MaxFunc(results, by)
			fmt.Fprintf(&b, "To %s: from %.2f (%s) to %.2f (%s).\n",
				p.name, low.ratio(k).median, low.label(), high.ratio(k).median, high.label())
		}
	}
	return b.String()
}

func (c rayCase) label() string { return c.mesh + " " + c.set + ", " + c.mode }

// buildTable takes all cases of a mesh together, since a program builds its tree for each of them.
func buildTable(results []result) string {
	var b strings.Builder
	b.WriteString("| mesh | triangles |")
	for _, p := range results[0].programs {
		fmt.Fprintf(&b, " %s, ms | B/triangle |", p.name)
	}
	for _, p := range results[0].others() {
		fmt.Fprintf(&b, " ratio of times to %s |", p.name)
	}
	b.WriteString("\n|---|---:|" + strings.Repeat("---:|", 3*len(results[0].programs)-1) + "\n")
	for _, name := range meshes(results) {
		all := make([]program, len(results[0].programs))
		for _, r := range results {
			for k, p := range r.programs {
				if r.mesh != name {
					continue
				}
				if all[k].values == nil {
					all[k].values = map[string][]float64{}
				}
				for _, value := range []string{build, memory, "triangles"} {
					all[k].values[value] = append(all[k].values[value], p.values[value]...)
				}
			}
		}
		fmt.Fprintf(&b, "| %s | %.0f |", name, all[0].values["triangles"][0])
		for _, p := range all {
			m := middleOf(p.values[build])
			fmt.Fprintf(&b, " %.1f, spread %.0f %% | %.1f |", m.median, m.spread(), middleOf(p.values[memory]).median)
		}
		for _, p := range all[1:] {
			m := ratios(all[0].values[build], p.values[build])
			fmt.Fprintf(&b, " **%.2f** (%.2f–%.2f) |", m.median, m.least, m.most)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func meshes(results []result) []string {
	var names []string
	for _, r := range results {
		if !slices.Contains(names, r.mesh) {
			names = append(names, r.mesh)
		}
	}
	return names
}

// agreementTable adds up, for each program, how its answers differ from the true ones; empty if none was checked.
func agreementTable(results []result) string {
	if results[0].programs[0].agrees == nil {
		return ""
	}
	var b strings.Builder
	b.WriteString("| | rays | lost | invented | T off by at most, relative | another triangle |\n|---|---:|---:|---:|---:|---:|\n")
	for k, p := range results[0].programs {
		var rays, lost, invented, others int
		worst := 0.0
		for _, r := range results {
			q := r.programs[k]
			rays += int(q.values["rays"][0])
			lost += q.agrees.Lost
			invented += q.agrees.Invented
			others += q.agrees.Others
			worst = max(worst, q.agrees.WorstT)
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %.1e | %d |\n", p.name, rays, lost, invented, worst, others)
	}
	return b.String()
}

package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// middle is the median of what several rounds gave, with the least and the most.
type middle struct{ median, least, most float64 }

// middleOf returns the median of one or more values; of an even number, the mean of the two in the
// middle.
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
	load   = "load_ms"
	memory = "bytes_per_triangle"
)

func (c rayCase) label() string { return c.mesh + " " + c.set + ", " + c.mode }

// speedTable sets the speeds of programs side by side, with what each pair of them makes as a
// ratio, on the cases that all of them measured. Programs that measured nothing
// are left out; without the first, the table is empty.
func speedTable(results []result, programs []string, pairs [][2]string) string {
	asked := func(name string) bool {
		return slices.ContainsFunc(results, func(r result) bool { return r.programs.find(name) != nil })
	}
	if !asked(programs[0]) {
		return ""
	}
	programs = slices.DeleteFunc(slices.Clone(programs), func(name string) bool { return !asked(name) })
	pairs = slices.DeleteFunc(slices.Clone(pairs), func(p [2]string) bool { return !asked(p[0]) || !asked(p[1]) })
	results = slices.DeleteFunc(slices.Clone(results), func(r result) bool {
		return slices.ContainsFunc(programs, func(name string) bool { return r.programs.find(name) == nil })
	})
	ratio := func(r *result, p [2]string) middle {
		return ratios(r.programs.find(p[0]).values[speed], r.programs.find(p[1]).values[speed])
	}

	var b strings.Builder
	b.WriteString("| mesh | rays | mode |")
	for _, name := range programs {
		fmt.Fprintf(&b, " %s, Mrays/s |", name)
	}
	for _, p := range pairs {
		fmt.Fprintf(&b, " %s |", pairName(p, programs[0]))
	}
	b.WriteString("\n|---|---|---|" + strings.Repeat("---:|", len(programs)+len(pairs)) + "\n")
	for _, r := range results {
		fmt.Fprintf(&b, "| %s | %s | %s |", r.mesh, r.set, r.mode)
		for _, name := range programs {
			m := middleOf(r.programs.find(name).values[speed])
			fmt.Fprintf(&b, " %.2f, spread %.0f %% |", m.median, m.spread())
		}
		for _, p := range pairs {
			m := ratio(&r, p)
			fmt.Fprintf(&b, " **%.2f** (%.2f–%.2f) |", m.median, m.least, m.most)
		}
		b.WriteString("\n")
	}
	if len(pairs) > 0 {
		b.WriteString("\n")
	}
	for _, p := range pairs {
		by := func(a, b result) int { return cmp.Compare(ratio(&a, p).median, ratio(&b, p).median) }
		low, high := slices.MinFunc(results, by), slices.MaxFunc(results, by)
		name := pairName(p, programs[0])
		fmt.Fprintf(&b, "%s: from %.2f (%s) to %.2f (%s).\n", strings.ToUpper(name[:1])+name[1:],
			ratio(&low, p).median, low.label(), ratio(&high, p).median, high.label())
	}
	return b.String()
}

// pairName says what a ratio is of, unless it is of the table's first program.
func pairName(p [2]string, first string) string {
	if p[0] == first {
		return "ratio to " + p[1]
	}
	return "ratio of " + p[0] + " to " + p[1]
}

func rayTable(results []result) string {
	small := slices.DeleteFunc(slices.Clone(results), func(r result) bool { return r.large })
	return speedTable(small, []string{ours, embree, robust}, [][2]string{{ours, embree}, {ours, robust}})
}

func portableTable(results []result) string {
	return speedTable(results, []string{portable}, [][2]string{{portable, embree}, {portable, robust}})
}

func batchTable(results []result) string {
	return speedTable(results, []string{batch, ours, embree}, [][2]string{{batch, embree}, {ours, embree}})
}

// buildTable has a row for each mesh and each program that built it on its own. All cases of a mesh
// are taken together, since a program builds its tree for each of them.
func buildTable(results []result) string {
	titles := map[string]string{ours: "hitscan medium", fast: fast, high: high, embree: embree, robust: robust}
	var b strings.Builder
	b.WriteString("| mesh | triangles | | build, ms | ratio to Embree | B/triangle | load, ms | build/load |\n")
	b.WriteString("|---|---:|---|---:|---:|---:|---:|---:|\n")
	for _, mesh := range meshes(results) {
		for _, name := range []string{fast, ours, high, embree, robust} {
			var own, theirs program
			own.values, theirs.values = map[string][]float64{}, map[string][]float64{}
			for _, r := range results {
				p := r.programs.find(name)
				if r.mesh != mesh || p == nil {
					continue
				}
				for _, value := range []string{build, memory, load, "triangles"} {
					own.values[value] = append(own.values[value], p.values[value]...)
				}
				if e := r.programs.find(embree); e != nil {
					theirs.values[build] = append(theirs.values[build], e.values[build]...)
				}
			}
			if len(own.values[build]) == 0 {
				continue
			}
			m := middleOf(own.values[build])
			fmt.Fprintf(&b, "| %s | %.0f | %s | %.1f, spread %.0f %% |", mesh, own.values["triangles"][0], titles[name], m.median, m.spread())
			if len(theirs.values[build]) > 0 && name != embree {
				m := ratios(own.values[build], theirs.values[build])
				fmt.Fprintf(&b, " **%.2f** (%.2f–%.2f)", m.median, m.least, m.most)
			}
			fmt.Fprintf(&b, " | %.1f |", middleOf(own.values[memory]).median)
			if len(own.values[load]) > 0 {
				m := ratios(own.values[build], own.values[load])
				fmt.Fprintf(&b, " %.2f | **%.1f** (%.1f–%.1f) |\n", middleOf(own.values[load]).median, m.median, m.least, m.most)
			} else {
				b.WriteString(" | |\n")
			}
		}
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

// agreementTable adds up, for each program, how its answers differ from the true ones; empty if
// none was checked.
func agreementTable(results []result) string {
	var b strings.Builder
	for _, name := range []string{ours, portable, batch, fast, high, embree, robust} {
		var rays, lost, invented, others int
		worst := 0.0
		for _, r := range results {
			p := r.programs.find(name)
			if p == nil || p.agrees == nil {
				continue
			}
			rays += int(p.values["rays"][0])
			lost += p.agrees.Lost
			invented += p.agrees.Invented
			others += p.agrees.Others
			worst = max(worst, p.agrees.WorstT)
		}
		if rays == 0 {
			continue
		}
		if b.Len() == 0 {
			b.WriteString("| | rays | lost | invented | T off by at most, relative | another triangle |\n|---|---:|---:|---:|---:|---:|\n")
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %.1e | %d |\n", name, rays, lost, invented, worst, others)
	}
	return b.String()
}

package main

import (
	"fmt"
	"math"
	"strings"
)

// quantity is a line of the programs, as a row of tables.
type quantity struct {
	line, label string
	rate        bool // more is better, as a ratio and as a number
	digits      int
}

var (
	besidePeers = []quantity{
		{"closest_mrays_per_s", "closest hit, Mrays/s", true, 2},
		{"any_mrays_per_s", "any hit, Mrays/s", true, 2},
		{"update_ms", "all moved and updated, ms", false, 2},
		{"pairs_ms", "pairs, ms", false, 2},
	}
	oneAndTwo = append(besidePeers[:len(besidePeers):len(besidePeers)], []quantity{
		{"worst_tick_ms", "longest of the updates, ms", false, 2},
		{"castrays_mrays_per_s", "`CastRays`, Mrays/s", true, 2},
		{"castraysany_mrays_per_s", "`CastRaysAny`, Mrays/s", true, 2},
		{"snapshot_ms", "snapshot, taken and released, ms", false, 3},
		{"snapshot_update_ms", "update while one is held, ms", false, 2},
		{"sync_idle_ms", "`physecs.Sync`, nothing moved, ms", false, 3},
		{"sync_moved_ms", "`physecs.Sync`, all moved, ms", false, 2},
		{"sync_update_ms", "`Space.Update` after it, ms", false, 2},
		{"sync_ecs_ms", "of these two, beyond the space's own, ms", false, 2},
		{"bytes_per_collider", "memory, B/collider", false, 0},
	}...)
)

// cell writes the median of a quantity with its spread.
func (q quantity) cell(p *program) string {
	if p == nil || len(p.values[q.line]) == 0 {
		return ""
	}
	m := middleOf(p.values[q.line])
	if len(p.values[q.line]) == 1 || m.median == 0 {
		return fmt.Sprintf("%.*f", q.digits, m.median)
	}
	return fmt.Sprintf("%.*f, spread %.0f %%", q.digits, m.median, math.Abs(m.spread()))
}

// ahead writes how many times as fast a program is as another.
func (q quantity) ahead(a, b *program) string {
	if a == nil || b == nil || len(a.values[q.line]) == 0 || len(b.values[q.line]) == 0 {
		return ""
	}
	over, under := a.values[q.line], b.values[q.line]
	if !q.rate {
		over, under = under, over
	}
	m := ratios(over, under)
	return fmt.Sprintf("**%.2f** (%.2f–%.2f)", m.median, m.least, m.most)
}

// worldTable sets our speed at each world beside Embree's. Without Embree it is empty.
func worldTable(results []worldResult) string {
	var b strings.Builder
	for _, r := range results {
		var peers []*program
		for i := range r.programs {
			if name := r.programs[i].name; name != ours && name != twoCores {
				peers = append(peers, &r.programs[i])
			}
		}
		if len(peers) == 0 {
			continue
		}
		if b.Len() > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "| %s | hitscan |", r.name)
		for _, p := range peers {
			fmt.Fprintf(&b, " %s |", p.name)
		}
		for _, p := range peers {
			fmt.Fprintf(&b, " ahead of %s |", p.name)
		}
		b.WriteString("\n|---|" + strings.Repeat("---:|", 1+2*len(peers)) + "\n")
		own := r.programs.find(ours)
		for _, q := range besidePeers {
			if len(own.values[q.line]) == 0 {
				continue
			}
			fmt.Fprintf(&b, "| %s | %s |", q.label, q.cell(own))
			for _, p := range peers {
				fmt.Fprintf(&b, " %s |", q.cell(p))
			}
			for _, p := range peers {
				fmt.Fprintf(&b, " %s |", q.ahead(own, p))
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

// coreTable has all figures of raybench for each world, on one core and on two.
func coreTable(results []worldResult) string {
	var b strings.Builder
	for _, r := range results {
		one, two := r.programs.find(ours), r.programs.find(twoCores)
		if b.Len() > 0 {
			b.WriteString("\n")
		}
		if two == nil {
			fmt.Fprintf(&b, "| %s | one core |\n|---|---:|\n", r.name)
		} else {
			fmt.Fprintf(&b, "| %s | one core | two cores | times |\n|---|---:|---:|---:|\n", r.name)
		}
		for _, q := range oneAndTwo {
			if len(one.values[q.line]) == 0 {
				continue
			}
			fmt.Fprintf(&b, "| %s | %s |", q.label, q.cell(one))
			if two != nil {
				times := ""
				// No speed, and a difference of two.
				if q.line != "bytes_per_collider" && q.line != "sync_ecs_ms" {
					times = q.ahead(two, one)
				}
				fmt.Fprintf(&b, " %s | %s |", q.cell(two), times)
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

// agreedTable says how the answers that raybench gave in all rounds compare with the true ones;
// empty if there are none.
func agreedTable(results []worldResult) string {
	var b strings.Builder
	for _, r := range results {
		for _, p := range r.programs {
			if len(p.values["lost"]) == 0 {
				continue
			}
			if b.Len() == 0 {
				b.WriteString("| world | | lost | invented | T off by at most, relative | another collider |\n|---|---|---:|---:|---:|---:|\n")
			}
			most := func(line string) float64 { return middleOf(p.values[line]).most }
			fmt.Fprintf(&b, "| %s | %s | %.0f | %.0f | %.1e | %.0f |\n", r.name, p.name,
				most("lost"), most("invented"), most("worst_t_relative"), most("other_collider"))
		}
	}
	return b.String()
}

func lifeTable(results []worldResult) string {
	if len(results) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("| world | ticks | update, ms | longest, ms | lived-in, Mrays/s | fresh, Mrays/s | a ray takes, times |\n|---|---:|---:|---:|---:|---:|---:|\n")
	for _, r := range results {
		v := func(line string) float64 { return middleOf(r.programs[0].values[line]).median }
		fmt.Fprintf(&b, "| %s | %s | %.2f | %.2f | %.2f | %.2f | **%.2f** |\n", strings.TrimSuffix(r.name, ", for long"),
			thousands(int(v("lived_ticks"))), v("lived_update_ms"), v("lived_worst_tick_ms"),
			v("lived_mrays_per_s"), v("fresh_mrays_per_s"), v("lived_cost"))
	}
	return b.String()
}

// scaleTable sets how costs grow beside n·log n and log n.
func scaleTable(results []worldResult) string {
	if len(results) == 0 {
		return ""
	}
	var work, rays strings.Builder
	work.WriteString("| bodies | update, ms | /(n·log₂ n), ns | longest, ms | pairs, ms | /(n·log₂ n), ns | pairs | B/collider |\n|---:|---:|---:|---:|---:|---:|---:|---:|\n")
	rays.WriteString("| bodies | closest, Mrays/s | a ray /log₂ n, ns | any, Mrays/s | a ray /log₂ n, ns | `CastRays`, Mrays/s | `CastRaysAny`, Mrays/s |\n|---:|---:|---:|---:|---:|---:|---:|\n")
	for _, r := range results {
		v := func(line string) float64 { return middleOf(r.programs[0].values[line]).median }
		n := v("colliders")
		log := math.Log2(n)
		fmt.Fprintf(&work, "| %s | %.3f | %.1f | %.3f | %.3f | %.1f | %.0f | %.0f |\n", r.name,
			v("update_ms"), v("update_ms")*1e6/(n*log), v("worst_tick_ms"),
			v("pairs_ms"), v("pairs_ms")*1e6/(n*log), v("pairs_at_tick_60"), v("bytes_per_collider"))
		ray := func(line string) float64 { return 1e3 / v(line) / log }
		fmt.Fprintf(&rays, "| %s | %.2f | %.0f | %.2f | %.0f | %.2f | %.2f |\n", r.name,
			v("closest_mrays_per_s"), ray("closest_mrays_per_s"), v("any_mrays_per_s"), ray("any_mrays_per_s"),
			v("castrays_mrays_per_s"), v("castraysany_mrays_per_s"))
	}
	return work.String() + "\n" + rays.String()
}

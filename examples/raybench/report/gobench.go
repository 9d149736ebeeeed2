package main

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// benchmark is what go test -bench says about one benchmark, in as many runs as -count asked for.
type benchmark struct {
	pkg, name string
	units     []string // in the order in which they are told
	values    map[string][]float64
}

// processors is how many there were, which go test appends to a name unless it is one.
var processors = regexp.MustCompile(`-\d+$`)

// parseBenchmarks returns the benchmarks in the order in which they stand. A test that failed is an
// error.
func parseBenchmarks(text string) ([]benchmark, error) {
	var list []benchmark
	at := map[string]int{}
	pkg := ""
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		switch {
		case len(f) == 0:
		case f[0] == "pkg:" && len(f) == 2:
			pkg = strings.TrimPrefix(f[1], "github.com/hitscan-go/hitscan/")
		case f[0] == "FAIL" || f[0] == "---":
			return nil, fmt.Errorf("a benchmark failed: %s", strings.TrimSpace(line))
		case strings.HasPrefix(f[0], "Benchmark") && len(f) >= 4:
			name := processors.ReplaceAllString(strings.TrimPrefix(f[0], "Benchmark"), "")
			i, ok := at[pkg+" "+name]
			if !ok {
				i = len(list)
				at[pkg+" "+name] = i
				list = append(list, benchmark{pkg: pkg, name: name, values: map[string][]float64{}})
			}
			for k := 2; k+1 < len(f); k += 2 {
				value, err := strconv.ParseFloat(f[k], 64)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", f[0], err)
				}
				if list[i].values[f[k+1]] == nil {
					list[i].units = append(list[i].units, f[k+1])
				}
				list[i].values[f[k+1]] = append(list[i].values[f[k+1]], value)
			}
		}
	}
	if len(list) == 0 {
		return nil, errors.New("there are no benchmarks")
	}
	return list, nil
}

func benchmarkTable(list []benchmark) string {
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("| package | benchmark | time an operation | spread | allocations | also |\n|---|---|---:|---:|---:|---|\n")
	for _, x := range list {
		m := middleOf(x.values["ns/op"])
		allocations, also := "", []string{}
		for _, unit := range x.units {
			switch unit {
			case "ns/op", "B/op":
			case "allocs/op":
				allocations = fmt.Sprintf("%.0f", middleOf(x.values[unit]).median)
			default:
				also = append(also, fmt.Sprintf("%.4g %s", middleOf(x.values[unit]).median, unit))
			}
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %.0f %% | %s | %s |\n",
			x.pkg, strings.ReplaceAll(x.name, "_", " "), short(m.median), m.spread(), allocations, strings.Join(also, ", "))
	}
	return b.String()
}

// short returns a number of nanoseconds in three digits.
func short(ns float64) string {
	for _, u := range []struct {
		unit time.Duration
		name string
	}{{time.Second, "s"}, {time.Millisecond, "ms"}, {time.Microsecond, "µs"}} {
		if ns >= float64(u.unit) {
			return fmt.Sprintf("%.3g %s", ns/float64(u.unit), u.name)
		}
	}
	return fmt.Sprintf("%.3g ns", ns)
}

// bruteTable sets rays through a tree against the same rays at every triangle, where a benchmark
// has such a twin: of the same name with "brute force" behind.
func bruteTable(list []benchmark) string {
	const unit = "Mrays/s"
	var b strings.Builder
	for _, x := range list {
		for _, twin := range list {
			if twin.pkg != x.pkg || twin.name != x.name+"_brute_force" || x.values[unit] == nil || twin.values[unit] == nil {
				continue
			}
			if b.Len() == 0 {
				b.WriteString("| mesh and rays | through the tree, rays/s | every triangle, rays/s | times |\n|---|---:|---:|---:|\n")
			}
			fast, slow := middleOf(x.values[unit]), middleOf(twin.values[unit])
			_, name, _ := strings.Cut(x.name, "/")
			fmt.Fprintf(&b, "| %s | %.0f | %.0f, spread %.0f %% | %.0f |\n",
				strings.ReplaceAll(name, "_", " "), 1e6*fast.median, 1e6*slow.median, slow.spread(), fast.median/slow.median)
		}
	}
	return b.String()
}

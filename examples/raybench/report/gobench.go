package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"
)

// benchmark is one benchmark, in as many runs as -count asked for.
type benchmark struct {
	pkg, name string
	units     []string // in the order of the output
	values    map[string][]float64
}

// parseBenchmarks returns the benchmarks of go test's output in their order. A test that failed, or
// a line of a benchmark that has no values, is an error.
func parseBenchmarks(text string) ([]benchmark, error) {
	var list []benchmark
	at := map[string]int{}
	for line := range strings.Lines(text) { // benchfmt passes over what is no benchmark
		if strings.HasPrefix(line, "FAIL") || strings.HasPrefix(line, "---") {
			return nil, fmt.Errorf("a benchmark failed: %s", strings.TrimSpace(line))
		}
	}
	reader := benchfmt.NewReader(strings.NewReader(text), "go test -bench")
	for reader.Scan() {
		var result *benchfmt.Result
		switch record := reader.Result().(type) {
		case *benchfmt.SyntaxError:
			return nil, record
		case *benchfmt.Result:
			result = record
		default:
			continue
		}
		pkg := strings.TrimPrefix(result.GetConfig("pkg"), "github.com/hitscan-go/hitscan/")
		base, parts := result.Name.Parts()
		name := string(base)
		for _, part := range parts {
			if part[0] != '-' { // the number of processors
				name += string(part)
			}
		}
		i, ok := at[pkg+" "+name]
		if !ok {
			i = len(list)
			at[pkg+" "+name] = i
			list = append(list, benchmark{pkg: pkg, name: name, values: map[string][]float64{}})
		}
		for _, v := range result.Values {
			value, unit := v.Value, v.Unit
			if v.OrigUnit != "" { // benchfmt turns ns into seconds
				value, unit = v.OrigValue, v.OrigUnit
			}
			if list[i].values[unit] == nil {
				list[i].units = append(list[i].units, unit)
			}
			list[i].values[unit] = append(list[i].values[unit], value)
		}
	}
	if err := reader.Err(); err != nil {
		return nil, err
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

// bruteTable compares rays through a tree with the same rays at every triangle, where a benchmark
// has such a reference: its name followed by "brute force".
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

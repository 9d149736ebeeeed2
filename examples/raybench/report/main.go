// Report measures raybench beside Embree and writes what it finds as tables and a plot. scripts/bench.sh, which builds
// and finds all that it takes, is the way to run it.
//
// The programs take turns: in each round, each one casts each set of rays once before the next round begins, and who
// goes first changes from round to round. What is written is the median of the rounds with their spread; a ratio is
// that of the two programs in the same round, so that a machine that grows slow for a while slows both.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

type options struct {
	raybench, embree, embreeVersion, data, large, pin, benchmarks, docs, commit string
	rounds, runs                                                                int
}

func main() {
	var o options
	flag.StringVar(&o.raybench, "raybench", "out/raybench", "`program` to measure")
	flag.StringVar(&o.embree, "embree", "", "`program` to compare with, embree_bench (default none)")
	flag.StringVar(&o.embreeVersion, "embree-version", "", "what to call Embree's `version`")
	flag.StringVar(&o.data, "data", "", "`folder` with meshes/ and rays/ (default the shipped bunny with rays made for it)")
	flag.StringVar(&o.large, "large", "", "`file` of a mesh past the cache, NAME.obj, with NAME_primary.rays and so on beside it (default none)")
	flag.StringVar(&o.pin, "pin", "", "`command` that keeps a program on one core, such as taskset -c 0")
	flag.StringVar(&o.benchmarks, "benchmarks", "", "`file` with what go test -bench printed")
	flag.StringVar(&o.docs, "docs", "", "`folder` whose benchmarks.md and benchmarks.svg are written anew (default print only)")
	flag.StringVar(&o.commit, "commit", "", "what is measured, for the `record`")
	flag.IntVar(&o.rounds, "rounds", 7, "how `often` each program runs on each set of rays")
	flag.IntVar(&o.runs, "runs", 3, "how `often` a program casts the rays in one round")
	flag.Parse()
	if err := run(o, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "report:", err)
		os.Exit(1)
	}
}

func run(o options, stdout, progress io.Writer) error {
	if o.rounds < 1 || o.runs < 1 {
		return fmt.Errorf("-rounds %d -runs %d: want at least 1 each", o.rounds, o.runs)
	}
	if o.docs != "" && (o.embree == "" || o.data == "") {
		return fmt.Errorf("%s is not written without Embree and the measuring data, whose place in it would be lost", o.docs)
	}
	var benchmarks []benchmark
	if o.benchmarks != "" {
		text, err := os.ReadFile(o.benchmarks)
		if err != nil {
			return err
		}
		if benchmarks, err = parseBenchmarks(string(text)); err != nil {
			return fmt.Errorf("%s: %w", o.benchmarks, err)
		}
	}
	cases, err := findCases(o.data, o.large)
	if err != nil {
		return err
	}
	results, err := measureAll(o, cases, progress)
	if err != nil {
		return err
	}
	blocks := map[string]string{
		"machine":    machineTable(o),
		"rays":       rayTable(results),
		"portable":   portableTable(results),
		"batch":      batchTable(results),
		"builds":     buildTable(results),
		"agreement":  agreementTable(results),
		"brute":      bruteTable(benchmarks),
		"benchmarks": benchmarkTable(benchmarks),
	}
	for _, name := range []string{"benchmarks", "brute", "machine", "rays", "portable", "batch", "builds", "agreement"} {
		if blocks[name] != "" {
			fmt.Fprintf(stdout, "\n%s", blocks[name])
		}
	}
	if o.docs == "" {
		return nil
	}
	page := filepath.Join(o.docs, "benchmarks.md")
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	filled, err := fill(string(text), blocks)
	if err != nil {
		return fmt.Errorf("%s: %w", page, err)
	}
	if err := os.WriteFile(page, []byte(filled), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(o.docs, "benchmarks.svg"), []byte(plot(results)), 0o644)
}

// fill replaces what stands between the marks <!-- measured: name --> and <!-- end --> of a page. The error names a
// block for which there is no place, a place without end, and one for which nothing was measured.
func fill(page string, blocks map[string]string) (string, error) {
	const opening, middle, closing = "<!-- measured: ", " -->\n", "<!-- end -->"
	var b strings.Builder
	seen := map[string]bool{}
	for {
		before, after, found := strings.Cut(page, opening)
		b.WriteString(before)
		if !found {
			break
		}
		name, rest, ok := strings.Cut(after, middle)
		old, rest, ended := strings.Cut(rest, closing)
		if !ok || !ended || strings.Contains(old, opening) {
			return "", fmt.Errorf("the place for %.20q has no end", name)
		}
		if blocks[name] == "" {
			return "", fmt.Errorf("nothing was measured for the place %q", name)
		}
		seen[name] = true
		b.WriteString(opening + name + middle + blocks[name] + closing)
		page = rest
	}
	for name := range blocks {
		if !seen[name] {
			return "", fmt.Errorf("there is no place for %q", name)
		}
	}
	return b.String(), nil
}

// machineTable tells on what, of what and how it was measured.
func machineTable(o options) string {
	var b strings.Builder
	row := func(what, value string) {
		if value != "" {
			fmt.Fprintf(&b, "| %s | %s |\n", what, value)
		}
	}
	b.WriteString("| | |\n|---|---|\n")
	row("processor", processor())
	row("system", runtime.GOOS+"/"+runtime.GOARCH)
	row("Go", runtime.Version())
	row("Embree", o.embreeVersion)
	row("hitscan", o.commit)
	row("measured on", time.Now().UTC().Format("2006-01-02"))
	how := fmt.Sprintf("%d rounds, in each of which a program casts every set once to warm up and %d times to be timed; "+
		"CPU time; one thread", o.rounds, o.runs)
	if o.pin != "" {
		how += ", kept on one core by `" + o.pin + "`"
	}
	row("how", how)
	return b.String()
}

// processor returns what the system says of the first core, where it says it.
func processor() string {
	data, _ := os.ReadFile("/proc/cpuinfo")
	about := map[string]string{}
	for line := range strings.Lines(string(data)) {
		if key, value, ok := strings.Cut(line, ":"); ok {
			if key = strings.TrimSpace(key); about[key] == "" {
				about[key] = strings.TrimSpace(value)
			}
		}
	}
	if about["model name"] == "" {
		return ""
	}
	return fmt.Sprintf("%s (family %s, model %s), %d cores",
		about["model name"], about["cpu family"], about["model"], runtime.NumCPU())
}

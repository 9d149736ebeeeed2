// Report measures raybench beside Embree and writes tables and a plot. Run it by scripts/bench.sh,
// which builds the programs.
//
// The programs take turns: in each round, each one casts each set of rays once before the next
// round begins, and who goes first changes from round to round. The tables have the median of the
// rounds and their spread; a ratio is of two programs in the same round, so that a slow phase of
// the machine affects both.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

type options struct {
	raybench, embree, embreeWorld, embreeVersion, data, large, pin, benchmarks, page, commit string
	collidebench, bullet, bulletVersion                                                      string
	parts, sizes                                                                             string
	rounds, runs, ticks                                                                      int
	twoCores                                                                                 bool
}

func main() {
	var o options
	flag.StringVar(&o.raybench, "raybench", "out/raybench", "`program` to measure")
	flag.StringVar(&o.embree, "embree", "", "`program` to compare with, embree_bench (default none)")
	flag.StringVar(&o.embreeWorld, "embree-world", "", "`program` to compare worlds with, embree_world (default none)")
	flag.StringVar(&o.embreeVersion, "embree-version", "", "what to call Embree's `version`")
	flag.StringVar(&o.collidebench, "collidebench", "", "`program` to measure pairs, casts and movers with (default none)")
	flag.StringVar(&o.bullet, "bullet", "", "`program` to compare it with, scripts/peers/bullet.cpp (default none)")
	flag.StringVar(&o.bulletVersion, "bullet-version", "", "what to call Bullet's `version`")
	flag.StringVar(&o.data, "data", "", "`folder` with meshes/, rays/ and worlds/ (default the torus, and rays and a world that are made)")
	flag.StringVar(&o.large, "large", "", "`file` of a mesh past the cache, NAME.obj, with NAME_primary.rays and so on beside it (default none)")
	flag.StringVar(&o.pin, "pin", "", "`command` that keeps a program on one core, such as taskset -c 0")
	flag.StringVar(&o.benchmarks, "benchmarks", "", "`file` with what go test -bench printed")
	flag.StringVar(&o.page, "page", "", "Markdown `file` whose tables are replaced, and the plot beside it (default print only)")
	flag.StringVar(&o.commit, "commit", "", "the `commit` that is measured, for the record")
	flag.StringVar(&o.parts, "parts", strings.Join(allParts, ","), "what to measure, with `commas` between")
	flag.StringVar(&o.sizes, "sizes", "1000,10000,100000,1000000", "`numbers` of bodies of the worlds that measure growth")
	flag.IntVar(&o.rounds, "rounds", 7, "`rounds`: runs of each program on each set of rays")
	flag.IntVar(&o.runs, "runs", 3, "`runs`: how often a program casts the rays at a mesh in one round")
	flag.IntVar(&o.ticks, "ticks", 10_000, "`ticks` after which a world's tree is compared with a fresh one; 0 for none")
	flag.Parse()
	o.twoCores = runtime.NumCPU() > 1
	if err := run(o, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "report:", err)
		os.Exit(1)
	}
}

// The parts of the page, each of which can be measured and written alone.
const (
	partBenchmarks = "benchmarks" // the output of go test -bench
	partMeshes     = "meshes"
	partWorlds     = "worlds"
	partCollisions = "collisions"
)

var allParts = []string{partBenchmarks, partMeshes, partWorlds, partCollisions}

// block is the content of one place of the page. It may be empty unless the page is written.
type block struct{ name, text string }

func run(o options, stdout, progress io.Writer) error {
	if o.rounds < 1 || o.runs < 1 || o.ticks < 0 {
		return fmt.Errorf("-rounds %d -runs %d -ticks %d: want at least 1, 1 and 0", o.rounds, o.runs, o.ticks)
	}
	parts := strings.Split(o.parts, ",")
	for _, part := range parts {
		if !slices.Contains(allParts, part) {
			return fmt.Errorf("-parts %s: want some of %s", o.parts, strings.Join(allParts, ", "))
		}
	}
	if o.page != "" && (o.embree == "" || o.embreeWorld == "" || o.data == "") {
		return fmt.Errorf("%s is not written without Embree and the measuring data, since their tables would be lost", o.page)
	}
	var blocks []block
	picture := ""
	for _, part := range allParts {
		if !slices.Contains(parts, part) {
			continue
		}
		var of []block
		var err error
		switch part {
		case partBenchmarks:
			of, err = benchmarkBlocks(o)
		case partMeshes:
			of, picture, err = meshBlocks(o, progress)
		case partWorlds:
			of, err = worldBlocks(o, progress)
		case partCollisions:
			of, err = collisionBlocks(o, progress)
		}
		if err != nil {
			return err
		}
		for _, b := range of {
			if b.text != "" {
				fmt.Fprintf(stdout, "\n%s", b.text)
			}
		}
		blocks = append(blocks, of...)
	}
	if o.page == "" {
		return nil
	}
	text, err := os.ReadFile(o.page)
	if err != nil {
		return err
	}
	filled, err := fill(string(text), blocks, len(parts) < len(allParts))
	if err != nil {
		return fmt.Errorf("%s: %w", o.page, err)
	}
	if err := os.WriteFile(o.page, []byte(filled), 0o644); err != nil || picture == "" {
		return err
	}
	return os.WriteFile(strings.TrimSuffix(o.page, filepath.Ext(o.page))+".svg", []byte(picture), 0o644)
}

// benchmarkBlocks returns nothing if there is no file of benchmarks.
func benchmarkBlocks(o options) ([]block, error) {
	if o.benchmarks == "" {
		return nil, nil
	}
	text, err := os.ReadFile(o.benchmarks)
	if err != nil {
		return nil, err
	}
	list, err := parseBenchmarks(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.benchmarks, err)
	}
	return []block{
		{"benchmarks machine", machineTable(o, "")},
		{"benchmarks", benchmarkTable(list)},
		{"brute", bruteTable(list)},
	}, nil
}

func meshBlocks(o options, progress io.Writer) (blocks []block, picture string, err error) {
	cases, err := findCases(o.data, o.large)
	if err != nil {
		return nil, "", err
	}
	results, err := measureAll(o, cases, progress)
	if err != nil {
		return nil, "", err
	}
	how := fmt.Sprintf("%d rounds, in each of which a program casts every set once to warm up and %d times to be timed; "+
		"CPU time; one thread%s", o.rounds, o.runs, o.pinned())
	return []block{
		{"machine", machineTable(o, how)},
		{"rays", rayTable(results)},
		{"portable", portableTable(results)},
		{"batch", batchTable(results)},
		{"builds", buildTable(results)},
		{"agreement", agreementTable(results)},
	}, plot(results), nil
}

func worldBlocks(o options, progress io.Writer) ([]block, error) {
	cases, err := findWorlds(o.data)
	if err != nil {
		return nil, err
	}
	all, err := measureWorlds(o, cases, progress)
	if err != nil {
		return nil, err
	}
	how := fmt.Sprintf("%s, in each of which each program measures each world; CPU time; one thread%s; "+
		"of two cores, the time of the clock", times(o.rounds, "round"), o.pinned())
	if len(all.scale) > 0 {
		how += "; worlds of more and more bodies, " + times(min(o.rounds, scaleRounds), "round")
	}
	if len(all.lives) > 0 {
		how += "; those that live for long, 1 round"
	}
	return []block{
		{"worlds machine", machineTable(o, how)},
		{"worlds", worldTable(all.worlds)},
		{"worlds agreement", agreedTable(all.worlds)},
		{"cores", coreTable(all.worlds)},
		{"life", lifeTable(all.lives)},
		{"scale", scaleTable(all.scale)},
	}, nil
}

// collisionBlocks returns nothing if there is no program or no data to measure with.
func collisionBlocks(o options, progress io.Writer) ([]block, error) {
	if o.collidebench == "" || o.data == "" {
		return nil, nil
	}
	c, err := measureCollisions(o, progress)
	if err != nil {
		return nil, err
	}
	how := fmt.Sprintf("%s; CPU time; one thread%s", times(o.rounds, "round"), o.pinned())
	return []block{
		{"collisions machine", machineTable(o, how)},
		{"pairs", pairTable(c)},
		{"casts", castTable(c)},
		{"movers", moverTable(c)},
	}, nil
}

func times(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// pinned says where the programs ran.
func (o *options) pinned() string {
	if o.pin == "" {
		return ""
	}
	return ", kept on one core by `" + o.pin + "`"
}

// fill replaces what stands between the marks <!-- measured: name --> and <!-- end --> of a page.
// The error names a block for which there is no place, a place without end, one for which nothing
// was measured, and, unless only some are to be replaced, one that is not among the blocks.
func fill(page string, blocks []block, some bool) (string, error) {
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
		text := old
		i := slices.IndexFunc(blocks, func(b block) bool { return b.name == name })
		if i >= 0 {
			text = blocks[i].text
		}
		if i < 0 && !some || i >= 0 && text == "" {
			return "", fmt.Errorf("nothing was measured for the place %q", name)
		}
		seen[name] = true
		b.WriteString(opening + name + middle + text + closing)
		page = rest
	}
	for _, x := range blocks {
		if !seen[x.name] {
			return "", fmt.Errorf("there is no place for %q", x.name)
		}
	}
	return b.String(), nil
}

// machineTable lists the machine, the versions and the method of a measurement.
func machineTable(o options, how string) string {
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
	if how != "" {
		row("Embree", o.embreeVersion)
		row("Bullet", o.bulletVersion)
	}
	row("hitscan", o.commit)
	row("measured on", time.Now().UTC().Format("2006-01-02"))
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

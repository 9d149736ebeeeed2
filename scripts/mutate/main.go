// Mutate changes one place of the code at a time, in a copy that only the compiler sees, and runs
// the tests that should notice:
//
//	go run -C scripts ./mutate [-n 20] [-seed 1] [-at FILE:LINE] [-limit 10m] [-own] [package...]
//
// A mutant has another comparison or operator, another constant, a statement less, two arguments
// swapped, or a condition negated. Its package is tested first, then the packages that import it
// (not with -own), in short mode. A mutant that fails a test is killed, as is one whose tests take
// ten times the processor time that they should and 20 s; one that does not compile is not counted.
// Tests that reach -limit by the clock decide nothing, and are counted apart. What survives is
// printed with its line: it either changes nothing that can be observed, or a test is missing.
//
// -at takes all mutants of one line of the package's file in place of -n drawn ones.
package main

import (
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const module = "github.com/hitscan-go/hitscan"

func main() {
	log.SetFlags(0)
	log.SetPrefix("mutate: ")
	n := flag.Int("n", 20, "how many mutants")
	seed := flag.Uint64("seed", 1, "the seed that draws them")
	at := flag.String("at", "", "all mutants of `FILE:LINE`")
	limit := flag.Duration("limit", 10*time.Minute, "how long the tests of one package may take")
	own := flag.Bool("own", false, "run the tests of the mutant's package only")
	flag.Parse()
	packages := flag.Args()
	if len(packages) == 0 {
		packages = []string{"./physics/...", "./picking/...", "./ecs/..."}
	}
	clean, err := run(packages, *n, *seed, *at, *limit, *own)
	if err != nil {
		log.Fatal(err)
	}
	if !clean {
		os.Exit(1)
	}
}

// pkg is a package that can be mutated, with what notices it.
type pkg struct {
	path, dir  string
	files      []string
	dependents []*pkg // packages with tests that import it, those with fewer imports first
	tests      []test // fastest first; see timed
}

// run returns whether all mutants were killed.
func run(patterns []string, n int, seed uint64, at string, limit time.Duration, own bool) (bool, error) {
	packages, err := list(patterns)
	if err != nil {
		return false, err
	}
	var all []*mutant
	for _, p := range packages {
		for _, file := range p.files {
			name := filepath.Join(p.dir, file)
			text, err := os.ReadFile(name)
			if err != nil {
				return false, err
			}
			found, err := mutantsOf(name, text)
			if err != nil {
				return false, err
			}
			for _, m := range found {
				m.pkg = p
				if at == "" || strings.HasSuffix(m.place(), "/"+at) {
					all = append(all, m)
				}
			}
		}
		if own {
			p.dependents = nil
		}
	}
	if at == "" {
		rand.New(rand.NewPCG(seed, 0)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	} else {
		n = len(all)
	}
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	counts := map[verdict]int{}
	for valid := 0; valid < n && len(all) > 0; {
		batch := all[:min(n-valid, len(all))]
		all = all[len(batch):]
		slices.SortStableFunc(batch, func(a, b *mutant) int { return strings.Compare(a.pkg.path, b.pkg.path) })
		builds, invalid, err := buildsOf(dir, batch)
		if err != nil {
			return false, err
		}
		counts["invalid"] += invalid
		for _, b := range builds {
			for i, m := range b.mutants {
				v, by, err := b.test(i+1, limit)
				if err != nil {
					return false, err
				}
				counts[v]++
				valid++
				fmt.Printf("%-8s %s: %s (%s)\n", v, m.place(), m.what, by)
			}
		}
	}
	fmt.Printf("%d mutants of seed %d: %d killed, %d survived, %d out of time; %d did not compile\n",
		counts[killed]+counts[lives]+counts[late], seed, counts[killed], counts[lives], counts[late], counts["invalid"])
	return counts[lives]+counts[late] == 0, nil
}

// list returns the packages that match, each with those of the core that import it.
func list(patterns []string) ([]*pkg, error) {
	const format = `{{.ImportPath}}|{{.Dir}}|{{join .GoFiles ","}}|{{len .TestGoFiles}}{{len .XTestGoFiles}}|{{join .Deps ","}},{{join .TestImports ","}},{{join .XTestImports ","}}`
	rows := func(patterns ...string) (rows [][]string, err error) {
		command := exec.Command("go", append([]string{"list", "-f", format}, patterns...)...)
		command.Dir, command.Stderr = "..", os.Stderr
		out, err := command.Output()
		for line := range strings.Lines(string(out)) {
			rows = append(rows, strings.Split(strings.TrimSpace(line), "|"))
		}
		return rows, err
	}
	core, err := rows("./physics/...", "./picking/...", "./ecs/...")
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(core, func(a, b []string) int { return strings.Count(a[4], module) - strings.Count(b[4], module) })
	wanted, err := rows(patterns...)
	if err != nil {
		return nil, err
	}
	known := map[string]*pkg{}
	of := func(row []string) *pkg {
		if known[row[0]] == nil {
			known[row[0]] = &pkg{path: row[0], dir: row[1], files: strings.Split(row[2], ",")}
		}
		return known[row[0]]
	}
	var packages []*pkg
	for _, row := range wanted {
		p := of(row)
		for _, other := range core {
			if other[0] != p.path && other[3] != "00" && slices.Contains(strings.Split(other[4], ","), p.path) {
				p.dependents = append(p.dependents, of(other))
			}
		}
		packages = append(packages, p)
	}
	return packages, nil
}

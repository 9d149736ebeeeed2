// Mutate changes one place of the code at a time, in a copy that only the compiler sees, and runs
// the tests that should notice:
//
//	go run -C scripts ./mutate [-n 20] [-seed 1] [-at FILE:LINE] [-limit 2m] [package...]
//
// A mutant has another comparison or operator, another constant, a statement less, two arguments
// swapped, or a condition negated. Its package is tested first, then the packages that import it,
// in short mode, each for at most -limit. A mutant that fails a test, or that no longer ends, is
// killed; one that does not compile is not counted. What survives is printed with its line: it
// either changes nothing that can be observed, or a test is missing.
//
// -at takes all mutants of one line of the package's file in place of -n drawn ones.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

const module = "github.com/hitscan-go/hitscan"

func main() {
	log.SetFlags(0)
	log.SetPrefix("mutate: ")
	n := flag.Int("n", 20, "how many mutants")
	seed := flag.Uint64("seed", 1, "the seed that draws them")
	at := flag.String("at", "", "all mutants of `FILE:LINE`")
	limit := flag.Duration("limit", 2*time.Minute, "how long the tests of one package may take")
	flag.Parse()
	packages := flag.Args()
	if len(packages) == 0 {
		packages = []string{"./physics/...", "./picking/...", "./ecs/..."}
	}
	survived, err := run(packages, *n, *seed, *at, *limit)
	if err != nil {
		log.Fatal(err)
	}
	if survived > 0 {
		os.Exit(1)
	}
}

// pkg is a package that can be mutated, with what notices it.
type pkg struct {
	path, dir  string
	files      []string
	dependents []string // packages with tests that import it, those with fewer imports first
}

func run(patterns []string, n int, seed uint64, at string, limit time.Duration) (survived int, err error) {
	packages, err := list(patterns)
	if err != nil {
		return 0, err
	}
	var all []mutant
	for i := range packages {
		for _, file := range packages[i].files {
			name := filepath.Join(packages[i].dir, file)
			text, err := os.ReadFile(name)
			if err != nil {
				return 0, err
			}
			found, err := mutantsOf(name, text)
			if err != nil {
				return 0, err
			}
			for _, m := range found {
				m.pkg = &packages[i]
				if at == "" || strings.HasSuffix(m.place(), "/"+at) {
					all = append(all, m)
				}
			}
		}
	}
	if len(all) == 0 {
		return 0, errors.New("nothing to change there")
	}
	if at == "" {
		rand.New(rand.NewPCG(seed, 0)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	} else {
		n = len(all)
	}
	counts := map[verdict]int{}
	for _, m := range all {
		if counts[killed]+counts[lives] == n {
			break
		}
		v, by, err := m.test(limit)
		if err != nil {
			return 0, err
		}
		counts[v]++
		if v != invalid {
			fmt.Printf("%-8s %s: %s (%s)\n", v, m.place(), m.what, by)
		}
	}
	fmt.Printf("%d mutants of seed %d: %d killed, %d survived; %d did not compile\n",
		counts[killed]+counts[lives], seed, counts[killed], counts[lives], counts[invalid])
	return counts[lives], nil
}

// list returns the packages that match, each with those of the core that import it.
func list(patterns []string) ([]pkg, error) {
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
	var packages []pkg
	for _, row := range wanted {
		p := pkg{path: row[0], dir: row[1], files: strings.Split(row[2], ",")}
		for _, other := range core {
			if other[0] != p.path && other[3] != "00" && slices.Contains(strings.Split(other[4], ","), p.path) {
				p.dependents = append(p.dependents, other[0])
			}
		}
		packages = append(packages, p)
	}
	return packages, nil
}

type verdict string

const (
	invalid verdict = "invalid"
	killed  verdict = "killed"
	lives   verdict = "SURVIVES"
)

// test runs the tests that should notice a mutant, and returns the package that did.
func (m *mutant) test(limit time.Duration) (v verdict, by string, err error) {
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return "", "", err
	}
	defer os.RemoveAll(dir)
	changed, overlay := filepath.Join(dir, "changed.go"), filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(changed, m.apply(), 0o644); err != nil {
		return "", "", err
	}
	if err := os.WriteFile(overlay, fmt.Appendf(nil, `{"Replace":{%q:%q}}`, m.file, changed), 0o644); err != nil {
		return "", "", err
	}
	start := time.Now()
	if out, ok := execute(m.pkg.dir, 5*time.Minute, "go", "build", "-overlay", overlay, "."); !ok {
		if strings.Contains(out, "changed.go") || strings.Contains(out, "# ") {
			return invalid, "", nil
		}
		return "", "", fmt.Errorf("go build: %s", out)
	}
	for _, path := range append([]string{m.pkg.path}, m.pkg.dependents...) {
		short := strings.TrimPrefix(path, module+"/")
		// What a package's tests take when they pass is not known: -limit bounds them, and a mutant
		// without an end is noticed by that.
		out, ok := execute(m.pkg.dir, limit+5*time.Minute, "go", "test", "-overlay", overlay, "-vet=off", "-short", "-failfast", "-timeout", limit.String(), path)
		if !ok {
			if strings.Contains(out, "panic: test timed out") {
				short += ", out of time"
			}
			return killed, fmt.Sprintf("%s, %.0f s", short, time.Since(start).Seconds()), nil
		}
	}
	return lives, fmt.Sprintf("%d packages, %.0f s", 1+len(m.pkg.dependents), time.Since(start).Seconds()), nil
}

// execute runs a command with all that it starts, and returns its output and whether it succeeded.
func execute(dir string, limit time.Duration, name string, args ...string) (string, bool) {
	ctx, stop := context.WithTimeout(context.Background(), limit)
	defer stop()
	command := exec.CommandContext(ctx, name, args...)
	command.Dir = dir
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
	out, err := command.CombinedOutput()
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, exec.ErrNotFound) {
		log.Fatal(err)
	}
	return string(out), err == nil
}

// Campaign runs the module's random tests with new seeds for some minutes, on all processors: the
// property tests of rapid, tests that draw from testenv.Rand, and fuzz targets.
//
//	out/campaign -minutes 10 [-run REGEXP] [-seed N] [package...]
//
// Each failure is one line, a command that reproduces it, and is kept as a case that `make test`
// runs from then on: rapid writes it to testdata/rapid and the fuzzer to testdata/fuzz of the
// package, where go test reads them; of a test that draws from testenv.Rand the command goes to
// scripts/campaign/kept.txt. A test that failed once is not run again. An input of a fuzz target
// that passes when it runs again is no failure: the fuzzer stops inputs that take longer than ten
// seconds, which any does on a machine that is busy with other work. The last line says how many
// cases ran.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	// slice is how long one run of one test should take. Shorter runs change seeds more often;
	// longer ones spend less on starting programs and warming up the fuzzer.
	slice = 10 * time.Second
	// maxTest is when a test counts as hanging. It is far beyond slice, because the number of
	// checks of a run is an estimate.
	maxTest = 10 * time.Minute
	// keptFile holds the kept cases of tests that draw from testenv.Rand: a command in each line.
	keptFile = "scripts/campaign/kept.txt"
)

func main() {
	log.SetFlags(0)
	minutes := flag.Float64("minutes", 10, "how long to run")
	seed := flag.Uint64("seed", rand.Uint64(), "the seed of the seeds")
	only := flag.String("run", "", "run only the tests whose names match this regular expression")
	flag.Parse()
	patterns := flag.Args()
	if len(patterns) == 0 {
		patterns = everything
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	failed, err := run(ctx, time.Duration(*minutes*float64(time.Minute)), *seed, *only, patterns)
	if err != nil {
		log.Fatal("campaign: ", err)
	}
	if failed > 0 {
		os.Exit(1)
	}
}

// everything is the pattern of all packages of a module.
var everything = []string{"./..."}

// campaign is the state that its workers share.
type campaign struct {
	root     string
	deadline time.Time
	window   sync.Mutex // held by tests of a window, since a display has one pointer
	sync.Mutex
	rng     *rand.Rand
	jobs    []*job
	next    int
	checks  int // that rapid ran
	seeded  int // runs of tests that draw from testenv.Rand
	inputs  int // that fuzz targets got
	failed  int
	skipped map[string]bool
}

// job is one test or fuzz target, run again and again.
type job struct {
	pkg    *pkg
	name   string
	fuzz   bool
	rapid  bool
	amount int // rapid's checks, or the fuzzer's inputs, of the next run
	busy   bool
	over   bool // it failed
}

func run(ctx context.Context, d time.Duration, seed uint64, only string, patterns []string) (failed int, err error) {
	match, err := regexp.Compile(only)
	if err != nil {
		return 0, err
	}
	root, err := output("go", "list", "-m", "-f", "{{.Dir}}")
	if err != nil {
		return 0, err
	}
	packages, err := list(".", patterns)
	if err != nil {
		return 0, err
	}
	if slices.Equal(patterns, everything) {
		more, err := list(systemtest, patterns)
		if err != nil {
			return 0, err
		}
		packages = append(packages, more...)
	}
	bin, err := os.MkdirTemp("", "campaign")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(bin)
	c := &campaign{root: strings.TrimSpace(root), rng: rand.New(rand.NewPCG(seed, 0)), skipped: map[string]bool{}}
	tests, targets := 0, 0
	for _, p := range packages {
		if err := p.scan(match); err != nil {
			return 0, err
		}
		if err := p.build(bin); err != nil {
			return 0, err
		}
		for _, t := range p.tests {
			c.jobs = append(c.jobs, &job{pkg: p, name: t.name, rapid: t.rapid, amount: 100})
		}
		for _, name := range p.targets {
			c.jobs = append(c.jobs, &job{pkg: p, name: name, fuzz: true, amount: 2000})
		}
		tests, targets = tests+len(p.tests), targets+len(p.targets)
	}
	if len(c.jobs) == 0 {
		return 0, errors.New("no random tests")
	}
	fmt.Printf("%d random tests and %d fuzz targets in %d packages, seed %d, %v on %d processors\n",
		tests, targets, len(packages), seed, d, runtime.NumCPU())

	start := time.Now()
	c.deadline = start.Add(d)
	// In an order of no meaning, so that a short campaign gets to tests of all packages.
	c.rng.Shuffle(len(c.jobs), func(i, j int) { c.jobs[i], c.jobs[j] = c.jobs[j], c.jobs[i] })
	var workers sync.WaitGroup
	for range runtime.NumCPU() {
		workers.Go(func() { c.work(ctx) })
	}
	workers.Wait()
	for name := range c.skipped {
		fmt.Println("skipped:", name)
	}
	fmt.Printf("%v: %d checks of properties, %d runs of tests with their own random numbers, %d inputs of fuzz targets; %d of %d tests failed\n",
		time.Since(start).Round(time.Second), c.checks, c.seeded, c.inputs, c.failed, len(c.jobs))
	return c.failed, nil
}

// work runs jobs in turn until the time is up.
func (c *campaign) work(ctx context.Context) {
	for ctx.Err() == nil && time.Now().Before(c.deadline) {
		j, seed := c.claim()
		if j == nil {
			return
		}
		c.run(ctx, j, seed)
		c.Lock()
		j.busy = false
		c.Unlock()
	}
}

// claim returns the next job that is not running, and a seed for it, or nil if none is left.
func (c *campaign) claim() (*job, uint64) {
	c.Lock()
	defer c.Unlock()
	for range c.jobs {
		j := c.jobs[c.next]
		c.next = (c.next + 1) % len(c.jobs)
		if !j.busy && !j.over {
			j.busy = true
			return j, c.rng.Uint64()>>1 | 1 // rapid and testenv take 0 for no seed
		}
	}
	return nil, 0
}

var (
	passedChecks = regexp.MustCompile(`\[rapid\] OK, passed (\d+) tests`)
	failedChecks = regexp.MustCompile(`\[rapid\] (?:failed|panic) after (\d+) tests`)
	failFile     = regexp.MustCompile(`-rapid\.failfile="([^"]+)"`)
	execs        = regexp.MustCompile(`execs: (\d+)`)
	failInput    = regexp.MustCompile(`Failing input written to (\S+)`)
)

func (c *campaign) run(ctx context.Context, j *job, seed uint64) {
	if j.pkg.window {
		c.window.Lock()
		defer c.window.Unlock()
	}
	pattern := "^" + j.name + "$"
	args := []string{"-test.run=" + pattern, "-test.v", "-test.parallel=1", "-test.timeout=" + maxTest.String()}
	program := j.pkg.test
	if j.fuzz {
		program = j.pkg.fuzz
		// A number of inputs and not a time: at the end of a time the fuzzer may fail for being
		// interrupted (go.dev/issue/75804).
		args = []string{"-test.run=^$", "-test.fuzz=" + pattern, "-test.parallel=1", "-test.fuzztime=" + strconv.Itoa(j.amount) + "x",
			"-test.fuzzcachedir=" + j.pkg.corpus, "-test.timeout=0"}
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = j.pkg.Dir
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	if !j.fuzz { // whose input alone must reproduce a failure
		cmd.Env = append(cmd.Env, fmt.Sprintf("RAPID_SEED=%d", seed), fmt.Sprintf("RAPID_CHECKS=%d", j.amount), fmt.Sprintf("HITSCAN_SEED=%d", seed))
	}
	start := time.Now()
	out, err := cmd.CombinedOutput()
	took := time.Since(start)
	if err != nil && j.fuzz && j.passesAgain(ctx, out) {
		err = nil
	}
	if ctx.Err() != nil {
		return
	}

	c.Lock()
	defer c.Unlock()
	checks := sum(passedChecks, out) + sum(failedChecks, out)
	c.checks += checks
	if j.fuzz {
		if all := execs.FindAllSubmatch(out, -1); all != nil {
			n, _ := strconv.Atoi(string(all[len(all)-1][1]))
			c.inputs += n
		}
	} else if !j.rapid {
		c.seeded++
	}
	if err != nil {
		c.fail(j, seed, out, err)
		return
	}
	if strings.Contains(string(out), "--- SKIP: "+j.name+" ") {
		c.skipped[j.pkg.Path+" "+j.name] = true
		j.over = true
		return
	}
	// The next run takes a slice.
	j.amount = max(100, min(int(float64(j.amount)*slice.Seconds()/max(took.Seconds(), 0.1)), 10*j.amount, 10_000_000))
}

// passesAgain reports whether the input that failed passes when it runs again, and removes it then.
func (j *job) passesAgain(ctx context.Context, out []byte) bool {
	input := failInput.FindSubmatch(out)
	if input == nil {
		return false
	}
	name := string(input[1])
	cmd := exec.CommandContext(ctx, j.pkg.fuzz, fmt.Sprintf("-test.run=^%s$/^%s$", j.name, filepath.Base(name)), "-test.timeout="+maxTest.String())
	cmd.Dir = j.pkg.Dir
	if cmd.Run() != nil {
		return false
	}
	fmt.Printf("again %s %s passes: %s\n", j.pkg.Path, j.name, message(out))
	return os.Remove(filepath.Join(j.pkg.Dir, name)) == nil
}

// sum adds up the numbers that a pattern finds.
func sum(pattern *regexp.Regexp, out []byte) (total int) {
	for _, m := range pattern.FindAllSubmatch(out, -1) {
		n, _ := strconv.Atoi(string(m[1]))
		total += n
	}
	return total
}

// fail prints a failure and keeps its case.
func (c *campaign) fail(j *job, seed uint64, out []byte, err error) {
	c.failed++
	j.over = true
	var line string
	switch file, input := failFile.FindSubmatch(out), failInput.FindSubmatch(out); {
	case input != nil:
		line = fmt.Sprintf("%s -run '^%s$/^%s$'", j.pkg.Test, j.name, filepath.Base(string(input[1])))
	case j.fuzz: // it failed without an input, as where the corpus itself fails
		line = fmt.Sprintf("%s -run '^%s$'", j.pkg.Test, j.name)
	case file != nil:
		line = fmt.Sprintf("%s -run '^%s$' -rapid.failfile=%s", j.pkg.Test, j.name, file[1])
		err = errors.Join(err, withoutComments(filepath.Join(c.root, j.pkg.Path, string(file[1]))))
	default:
		line = fmt.Sprintf("%s -run '^%s$'", j.pkg.Test, j.name)
		if j.rapid {
			line = fmt.Sprintf("RAPID_SEED=%d RAPID_CHECKS=%d ", seed, j.amount) + line
		}
		line = fmt.Sprintf("HITSCAN_SEED=%d ", seed) + line
		if kept := c.keep(line); kept != nil {
			err = errors.Join(err, kept)
		}
	}
	fmt.Printf("FAIL %s # %v: %s\n", line, err, message(out))
}

// withoutComments removes the comments of a file of rapid: the output of the failed test, which has
// paths of this machine.
func withoutComments(name string) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	lines := slices.DeleteFunc(strings.SplitAfter(string(data), "\n"), func(l string) bool { return strings.HasPrefix(l, "#") })
	return os.WriteFile(name, []byte(strings.Join(lines, "")), 0o644)
}

// keep adds a command to those that `make test` runs.
func (c *campaign) keep(line string) error {
	f, err := os.OpenFile(filepath.Join(c.root, keptFile), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(f, line)
	return errors.Join(err, f.Close())
}

// message returns the line of a test's output that says most about its failure.
func message(out []byte) string {
	lines := strings.Split(string(out), "\n")
	for _, marker := range []string{"[rapid] failed", "[rapid] panic", "panic: ", "fatal error: ", "Error:", "--- FAIL", "FAIL"} {
		for i, l := range lines {
			if !strings.Contains(l, marker) {
				continue
			}
			text := strings.Join(strings.Fields(l), " ")
			if marker == "Error:" { // of testify, which goes on below
				text = strings.Join(strings.Fields(strings.Join(lines[i:min(i+4, len(lines))], " ")), " ")
			}
			return text[:min(len(text), 240)]
		}
	}
	return "no output"
}

func output(name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err)
	}
	return string(out), err
}

// Soak runs games at full load for a long time: the server and the rollback example, figures that
// rain into yards and are removed, mixed shapes in a box that turns, and a swarm of things that
// come and go. Each game runs in two processes, one on one processor, the other on two.
//
//	make soak MINUTES=60
//
// Of a game it prints how many ticks its two processes agree about, and by how much its memory and
// the time of a tick have changed: the medians of the last quarter of its checks beside those of
// the second quarter. It fails for hashes that differ, for memory that grows by more than -growth,
// for a process that ends, and for ticks that take longer by more than -drift, whose default has
// room for other programs on the machine. It reads /proc, so it needs Linux.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("soak: ")
	var o options
	flag.Float64Var(&o.minutes, "minutes", 60, "how long to run")
	flag.Float64Var(&o.load, "load", 1, "`share` of the full load: of the bots, bodies and things")
	flag.Float64Var(&o.growth, "growth", 0.01, "`share` by which memory may grow")
	flag.Float64Var(&o.drift, "drift", 0.25, "`share` by which the time of a tick may grow")
	flag.StringVar(&o.only, "only", "", "the `games` to run, separated by commas; all if empty")
	flying := flag.Int("swarm", 0, "be a process of the swarm, of so many things")
	every := flag.Int("every", 0, "ticks between two checks of the swarm")
	flag.Parse()
	if *flying > 0 {
		swarm(os.Stdout, *flying, math.MaxInt, max(1, *every))
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := soak(ctx, o, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

type options struct {
	minutes, load, growth, drift float64
	only                         string
}

// game is a program that prints a check now and then, and does not end.
type game struct {
	name, dir string // in which it is built
	rate      float64
	args      []string // of which one is %d: the size
	size      int
}

const forever = "1000000000"

// Of rigidbench, which keeps the time of each step: hours.
const hours = "10000000"

var games = []game{
	{"server", "examples/server", 30, []string{"-ticks", forever, "-every", "300", "-movers", "%d"}, 2500},
	{"rollback", "examples/rollback", 60, []string{"-ticks", forever, "-every", "600", "-round", "3600", "-bodies", "%d"}, 200},
	{"rain", "examples/rigidbench", 60, []string{"-scene", "rain", "-sleep", "-steps", hours, "-every", "2160", "-count", "%d"}, 10},
	{"tumbler", "examples/rigidbench", 60, []string{"-scene", "tumbler", "-steps", hours, "-every", "720", "-count", "%d"}, 1000},
	{"swarm", "scripts/soak", 60, []string{"-every", "300", "-swarm", "%d"}, 10_000},
}

// check is a line of a game.
type check struct {
	tick     int
	hash     string
	live     float64 // bytes in use after a collection of garbage
	resident float64 // bytes of the process
	cpu      float64 // seconds of all threads since it began
}

// pair is the two processes of a game.
type pair struct {
	game
	sync.Mutex
	checks [2][]check
	err    error
}

func soak(ctx context.Context, o options, stdout io.Writer) error {
	if _, _, err := usage(os.Getpid()); err != nil {
		return err
	}
	root, err := exec.Command("git", "rev-parse", "--show-toplevel").Output()
	if err != nil {
		return fmt.Errorf("no checkout: %w", err)
	}
	bin, err := os.MkdirTemp("", "soak")
	if err != nil {
		return err
	}
	defer os.RemoveAll(bin)
	var pairs []*pair
	var start []func(context.Context)
	var running sync.WaitGroup
	for _, g := range games {
		if o.only != "" && !slices.Contains(strings.Split(o.only, ","), g.name) {
			continue
		}
		program, err := g.build(strings.TrimSpace(string(root)), bin)
		if err != nil {
			return err
		}
		p := &pair{game: g}
		pairs = append(pairs, p)
		args := slices.Clone(g.args)
		args[len(args)-1] = strconv.Itoa(max(2, int(math.Round(float64(g.size)*o.share(g)))))
		for i := range p.checks {
			start = append(start, func(ctx context.Context) { p.run(ctx, i, program, args) })
		}
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(o.minutes*float64(time.Minute)))
	defer cancel()
	for _, run := range start {
		running.Go(func() { run(ctx) })
	}
	running.Wait()
	for _, p := range pairs {
		line, err2 := p.judge(o)
		fmt.Fprintln(stdout, line)
		err = errors.Join(err, err2)
	}
	return err
}

// share returns by how much the size of a game is less. That of the rain is the side of a square.
func (o options) share(g game) float64 {
	if g.name == "rain" {
		return math.Sqrt(o.load)
	}
	return o.load
}

func (g game) build(root, bin string) (string, error) {
	program := filepath.Join(bin, filepath.Base(g.dir))
	build := exec.Command("go", "build", "-o", program, ".")
	build.Dir = filepath.Join(root, g.dir)
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", g.dir, err, out)
	}
	return program, nil
}

// run runs a process until the time is over, and reads its checks.
func (p *pair) run(ctx context.Context, i int, program string, args []string) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = append(os.Environ(), fmt.Sprintf("GOMAXPROCS=%d", i+1))
	if strings.HasSuffix(program, "rigidbench") {
		cmd.Args = append(cmd.Args, "-threads", strconv.Itoa(i+1))
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err == nil {
		for lines := bufio.NewScanner(out); lines.Scan(); {
			var c check
			if n, _ := fmt.Sscanf(lines.Text(), "tick %d hash %s live %g", &c.tick, &c.hash, &c.live); n < 3 {
				continue
			}
			if c.resident, c.cpu, err = usage(cmd.Process.Pid); err != nil {
				break // it has ended
			}
			p.Lock()
			p.checks[i] = append(p.checks[i], c)
			p.Unlock()
		}
		err = cmd.Wait()
	}
	if ctx.Err() == nil {
		p.Lock()
		p.err = errors.Join(p.err, fmt.Errorf("%s, process %d: ended: %w\n%s", p.name, i+1, err, stderr.Bytes()))
		p.Unlock()
	}
}

// usage returns the resident bytes of a process, and its CPU time in seconds (proc_pid_stat(5)).
func usage(pid int) (resident, cpu float64, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, 0, err
	}
	_, rest, _ := strings.Cut(string(text), ") ") // after the name
	f := strings.Fields(rest)
	if len(f) < 22 {
		return 0, 0, fmt.Errorf("process %d has ended", pid)
	}
	number := func(field int) float64 { // as the page counts them
		x, _ := strconv.ParseFloat(f[field-3], 64)
		return x
	}
	const clockTicks = 100 // a second, on all of Linux's architectures
	return number(24) * float64(os.Getpagesize()), (number(14) + number(15)) / clockTicks, nil
}

// judge returns the line of a game, and an error for what should not be.
func (p *pair) judge(o options) (line string, err error) {
	err = p.err
	equal := 0
	n := min(len(p.checks[0]), len(p.checks[1]))
	for i := range n {
		a, b := p.checks[0][i], p.checks[1][i]
		if a.tick != b.tick || a.hash != b.hash {
			err = errors.Join(err, fmt.Errorf("%s: tick %d has the hash %s in one process, and tick %d %s in the other", p.name, a.tick, a.hash, b.tick, b.hash))
			break
		}
		equal++
	}
	if n == 0 {
		return p.name + ": no check", err
	}
	ticks := p.checks[0][len(p.checks[0])-1].tick
	line = fmt.Sprintf("%s: %d ticks, %.2f h of the game; %d of %d hashes equal", p.name, ticks, float64(ticks)/p.rate/3600, equal, n)
	for i, c := range p.checks {
		if len(c) < 8 {
			return line + "; too short to judge more", err
		}
		live, liveBy := change(c, func(i int) float64 { return c[i].live })
		rss, rssBy := change(c, func(i int) float64 { return c[i].resident })
		ms, msBy := change(c, func(i int) float64 {
			a := c[max(i-1, 0)]
			return (c[i].cpu - a.cpu) / float64(c[i].tick-a.tick) * 1000
		})
		line += fmt.Sprintf("\n  GOMAXPROCS %d: %.2f MB live %+.2f %%, %.0f MB resident %+.1f %%, %.2f ms CPU a tick %+.1f %%",
			i+1, live/1e6, 100*liveBy, rss/1e6, 100*rssBy, ms, 100*msBy)
		if liveBy > o.growth {
			err = errors.Join(err, fmt.Errorf("%s: memory grows by %.2f %%", p.name, 100*liveBy))
		}
		if i == 0 && msBy > o.drift { // workers of the other one wait by spinning
			err = errors.Join(err, fmt.Errorf("%s: ticks take %.1f %% longer", p.name, 100*msBy))
		}
	}
	return line, err
}

// change returns the median of a value in the last quarter of checks, and by what share it is more
// than in the second quarter: in the first one memory grows to what the game needs.
func change(c []check, value func(i int) float64) (last, by float64) {
	median := func(from, to int) float64 {
		var all []float64
		for i := from; i < to; i++ {
			all = append(all, value(i))
		}
		slices.SortFunc(all, cmp.Compare)
		return all[len(all)/2]
	}
	n := len(c)
	last = median(n*3/4, n)
	return last, last/median(n/4, n/2) - 1
}

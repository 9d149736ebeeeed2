package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"
)

type verdict string

const (
	killed verdict = "killed"
	lives  verdict = "SURVIVES"
	late   verdict = "LATE" // the limit came first
)

// test is a test, a fuzz target's seeds or an example.
type test struct {
	name    string
	seconds float64
}

// timed returns the tests of a package with the time that each takes without a mutant. The go
// command keeps its output, so that a package which has not changed is not tested again.
func (p *pkg) timed() ([]test, error) {
	if p.tests != nil {
		return p.tests, nil
	}
	command := exec.Command("go", "test", "-short", "-vet=off", "-json", ".")
	command.Dir = p.dir
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("%s fails without a mutant: %w\n%s", p.path, err, out)
	}
	for line := range bytes.Lines(out) {
		var event struct {
			Action, Test string
			Elapsed      float64
		}
		if json.Unmarshal(line, &event) == nil && event.Action == "pass" && event.Test != "" && !strings.Contains(event.Test, "/") {
			p.tests = append(p.tests, test{event.Test, event.Elapsed})
		}
	}
	slices.SortStableFunc(p.tests, func(a, b test) int { return int(1000 * (a.seconds - b.seconds)) })
	return p.tests, nil
}

// groups returns tests in the order in which they run: first quick ones of the files that are named
// after the mutant's, then others, the fastest first.
func (m *mutant) groups(p *pkg) ([][]test, error) {
	tests, err := p.timed()
	if err != nil {
		return nil, err
	}
	groups := make([][]test, 4)
	near := map[string]bool{}
	if p == m.pkg {
		near = testsNear(m.file)
	}
	for _, t := range tests {
		i := 3
		switch {
		case near[t.name] && t.seconds < 3:
			i = 0
		case t.seconds < 0.1:
			i = 1
		case t.seconds < 1:
			i = 2
		}
		groups[i] = append(groups[i], t)
	}
	return groups, nil
}

// test runs the tests that should notice a mutant, by its number in the build, and returns what
// did.
func (b *build) test(number int, limit time.Duration) (v verdict, by string, err error) {
	m := b.mutants[number-1]
	start := time.Now()
	took := func() string { return fmt.Sprintf("%.0f s", time.Since(start).Seconds()) }
	for _, p := range append([]*pkg{m.pkg}, m.pkg.dependents...) {
		groups, err := m.groups(p)
		if err != nil {
			return "", "", err
		}
		binary, err := b.binary(p)
		if err != nil {
			return "", "", err
		}
		for _, tests := range groups {
			for {
				var left []test
				for _, t := range tests {
					if key := p.path + "." + t.name; !b.broken[key] && (b.only == nil || b.only[key]) {
						left = append(left, t)
					}
				}
				if len(left) == 0 {
					break
				}
				end, failed := execute(p.dir, binary, number, left, limit)
				if end == passed {
					break
				}
				if end == outOfTime {
					return late, filepath.Base(p.path) + ", " + took(), nil
				}
				// A test that counts allocations may fail because of the copies alone.
				if end == fails && failed != "" && m.body != nil {
					if again, _ := execute(p.dir, binary, 0, []test{{failed, 0}}, limit); again == fails {
						b.broken[p.path+"."+failed] = true
						continue
					}
				}
				return killed, fmt.Sprintf("%s %s%s, %s", filepath.Base(p.path), end, failed, took()), nil
			}
		}
	}
	if len(b.broken) > 0 {
		alone := *m
		alone.body = nil
		builds, _, err := buildsOf(b.dir, []*mutant{&alone})
		if err != nil {
			return "", "", err
		}
		builds[0].only = b.broken
		return builds[0].test(1, limit)
	}
	return lives, fmt.Sprintf("%d packages, %s", 1+len(m.pkg.dependents), took()), nil
}

type ending string

const (
	passed    ending = "passed"
	fails     ending = ""
	loops     ending = "runs without end "
	outOfTime ending = "out of time"
)

var failLine = regexp.MustCompile(`(?m)^\s*--- FAIL: (\w+)`)

// execute runs tests with a mutant, 0 for none, and returns how they ended and which failed.
func execute(dir, binary string, number int, tests []test, limit time.Duration) (ending, string) {
	names, seconds := make([]string, len(tests)), 20.0
	for i, t := range tests {
		names[i] = t.name
		seconds += 10 * t.seconds
	}
	ctx, stop := context.WithTimeout(context.Background(), limit)
	defer stop()
	command := exec.CommandContext(ctx, "sh", "-c", fmt.Sprintf(`ulimit -t %.0f; ulimit -v 12000000; exec "$@"`, seconds), "sh", binary,
		"-test.short", "-test.failfast", "-test.timeout=0", "-test.run=^("+strings.Join(names, "|")+")$")
	command.Dir = dir
	command.Env = append(command.Environ(), fmt.Sprintf("%s=%d", variable, number), "RAPID_NOFAILFILE=1")
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
	command.WaitDelay = 10 * time.Second
	out, err := command.CombinedOutput()
	if err == nil {
		return passed, ""
	}
	if ctx.Err() != nil {
		return outOfTime, ""
	}
	status, _ := command.ProcessState.Sys().(syscall.WaitStatus)
	if status.Signaled() && (status.Signal() == syscall.SIGXCPU || status.Signal() == syscall.SIGKILL) || bytes.Contains(out, []byte("SIGXCPU")) {
		return loops, ""
	}
	if found := failLine.FindSubmatch(out); found != nil {
		return fails, string(found[1])
	}
	return fails, ""
}

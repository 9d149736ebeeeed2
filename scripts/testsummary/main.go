// Testsummary runs commands at the same time that print events of go test -json, as its arguments
// with -- between them. It prints a line for each package that ends and the whole output of each
// test that fails, and at the end what was skipped, why, and how many tests passed, failed and were
// skipped. A test with subtests is not counted, its subtests are. The exit status is 1 if a test or
// a command failed.
//
//	testsummary go test -json ./physics/... -- go test -json -p 1 ./render
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"sync"
)

func main() {
	var commands [][]string
	rest := os.Args[1:]
	for {
		i := slices.Index(rest, "--")
		if i < 0 {
			break
		}
		commands, rest = append(commands, rest[:i]), rest[i+1:]
	}
	if !run(append(commands, rest), os.Stdout) {
		os.Exit(1)
	}
}

// run runs commands at once and summarises what they print. It reports whether nothing failed.
func run(commands [][]string, out io.Writer) bool {
	s := newSummary(out)
	var all sync.WaitGroup
	for _, args := range commands {
		all.Go(func() {
			cmd := exec.Command(args[0], args[1:]...)
			cmd.Stderr = os.Stderr
			events, err := cmd.StdoutPipe()
			if err == nil {
				err = cmd.Start()
			}
			failed := false
			if err == nil {
				failed = s.read(events)
				err = cmd.Wait()
			}
			if err != nil && !failed { // it failed otherwise than by a test
				s.fail(strings.Join(args[:min(len(args), 3)], " "), err)
			}
		})
	}
	all.Wait()
	return s.end()
}

// event is a line of go test -json: see go doc test2json, and go help buildjson for builds.
type event struct {
	Action, Package, Test, Output, ImportPath string
	Elapsed                                   float64 // seconds
}

// test gathers what is known about a test, and, under the name "", about a package.
type test struct {
	output strings.Builder
	parent bool // has subtests
	failed bool // has a subtest that failed
}

// stream is what is known of the tests of one command. Another one may run the same tests at the
// same time.
type stream struct {
	*summary
	tests  map[[2]string]*test // by package and name, until the package ends
	builds map[string]*strings.Builder
}

type summary struct {
	sync.Mutex
	out      io.Writer
	reasons  map[string][]string // the names of skipped tests by reason
	packages int
	bare     int // packages without tests
	broken   []string
	passed   int
	failed   []string
	skipped  int
}

func newSummary(out io.Writer) *summary {
	return &summary{out: out, reasons: map[string][]string{}}
}

// read adds the events of one command, and reports whether one is a failure.
func (s *summary) read(in io.Reader) (failed bool) {
	events := stream{s, map[[2]string]*test{}, map[string]*strings.Builder{}}
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			s.Lock()
			var e event
			if json.Unmarshal(line, &e) == nil && e.Action != "" {
				events.add(&e)
				failed = failed || e.Action == "fail"
			} else {
				s.out.Write(line) // a message of a script
			}
			s.Unlock()
		}
		if err != nil {
			return failed
		}
	}
}

// fail adds a command that failed.
func (s *summary) fail(command string, err error) {
	s.Lock()
	defer s.Unlock()
	fmt.Fprintf(s.out, "FAIL %s: %v\n", command, err)
	s.broken = append(s.broken, command)
}

func (s *stream) test(pkg, name string) *test {
	key := [2]string{pkg, name}
	t := s.tests[key]
	if t == nil {
		t = &test{}
		s.tests[key] = t
	}
	return t
}

func (s *stream) add(e *event) {
	switch e.Action {
	case "run":
		if i := strings.LastIndexByte(e.Test, '/'); i >= 0 {
			s.test(e.Package, e.Test[:i]).parent = true
		}
	case "output":
		s.test(e.Package, e.Test).output.WriteString(e.Output)
	case "build-output":
		b := s.builds[e.ImportPath]
		if b == nil {
			b = &strings.Builder{}
			s.builds[e.ImportPath] = b
		}
		b.WriteString(e.Output)
	case "build-fail":
		if b := s.builds[e.ImportPath]; b != nil {
			fmt.Fprint(s.out, b)
		}
	case "pass", "fail", "skip":
		if e.Test == "" {
			s.endPackage(e)
		} else {
			s.endTest(e)
		}
	}
}

func (s *stream) endTest(e *event) {
	t, name := s.test(e.Package, e.Test), short(e.Package)+" "+e.Test
	delete(s.tests, [2]string{e.Package, e.Test})
	switch {
	case e.Action == "fail":
		fmt.Fprintf(s.out, "FAIL %s\n%s", name, &t.output)
		if !t.failed {
			s.failed = append(s.failed, name)
		}
		if i := strings.LastIndexByte(e.Test, '/'); i >= 0 {
			s.test(e.Package, e.Test[:i]).failed = true
		}
	case t.parent:
		// Its subtests are counted.
	case e.Action == "pass":
		s.passed++
	case e.Action == "skip":
		s.skipped++
		r := reason(t.output.String())
		s.reasons[r] = append(s.reasons[r], name)
	}
}

func (s *stream) endPackage(e *event) {
	p := s.test(e.Package, "")
	output := p.output.String()
	switch {
	case e.Action == "fail":
		// What is outside of any test that ended: a panic, a timeout, or a failed build.
		for key, t := range s.tests {
			if key[0] == e.Package && key[1] != "" && !t.parent {
				fmt.Fprintf(s.out, "FAIL %s %s\n%s", short(e.Package), key[1], &t.output)
				s.failed = append(s.failed, short(e.Package)+" "+key[1])
			}
		}
		fmt.Fprint(s.out, output)
		s.broken = append(s.broken, short(e.Package))
	case strings.Contains(output, "[no test files]"):
		s.bare++
	default:
		s.packages++
		cached := ""
		if strings.Contains(output, "(cached)") {
			cached = ", cached"
		}
		fmt.Fprintf(s.out, "ok   %-40s %6.1f s%s\n", short(e.Package), e.Elapsed, cached)
	}
	for key := range s.tests {
		if key[0] == e.Package {
			delete(s.tests, key)
		}
	}
}

// end prints the summary, and reports whether nothing failed.
func (s *summary) end() bool {
	fmt.Fprintf(s.out, "\n%d packages passed, %d failed, %d have no tests\n", s.packages, len(s.broken), s.bare)
	if s.skipped > 0 {
		fmt.Fprintln(s.out, "Skipped:")
		for _, r := range sorted(s.reasons) {
			fmt.Fprintf(s.out, "  %d: %s\n", len(s.reasons[r]), r)
			slices.Sort(s.reasons[r])
			for _, name := range s.reasons[r] {
				fmt.Fprintf(s.out, "    %s\n", name)
			}
		}
	}
	if len(s.broken) > 0 {
		fmt.Fprintln(s.out, "Failed:", strings.Join(s.broken, ", "))
	}
	slices.Sort(s.failed)
	for _, name := range s.failed {
		fmt.Fprintln(s.out, "FAIL", name)
	}
	fmt.Fprintf(s.out, "%d passed, %d failed, %d skipped\n", s.passed, len(s.failed), s.skipped)
	return len(s.failed)+len(s.broken) == 0
}

func sorted(m map[string][]string) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// reason returns the message of t.Skip: the last line that names a file and a line.
func reason(output string) string {
	found := "no reason given"
	for line := range strings.Lines(output) {
		file, rest, ok := strings.Cut(strings.TrimSpace(line), ".go:")
		if _, message, ok2 := strings.Cut(rest, ": "); ok && ok2 && !strings.Contains(file, " ") {
			if found = message; strings.HasPrefix(message, "[rapid]") {
				found = "an input of a fuzz target that ends before its case is complete"
			}
		}
	}
	return found
}

// short returns the path of a package within the module.
func short(pkg string) string {
	const module = "github.com/hitscan-go/hitscan"
	if pkg == module {
		return "."
	}
	return path.Clean(strings.TrimPrefix(pkg, module+"/"))
}

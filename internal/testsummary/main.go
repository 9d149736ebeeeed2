// Testsummary reads the events of go test -json from standard input, prints a line per package as
// it ends and the whole output of each test that fails, and at the end what was skipped, why, and
// how many tests passed, failed and were skipped. A test with subtests is not counted, its subtests
// are. Its exit status is 1 if anything failed.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"
)

func main() {
	if !summarize(os.Stdin, os.Stdout) {
		os.Exit(1)
	}
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

type summary struct {
	out      io.Writer
	tests    map[[2]string]*test // by package and name, until the package ends
	builds   map[string]*strings.Builder
	reasons  map[string][]string // the names of skipped tests by reason
	packages int
	bare     int // packages without tests
	broken   []string
	passed   int
	failed   []string
	skipped  int
}

// summarize reports whether nothing failed.
func summarize(in io.Reader, out io.Writer) bool {
	s := summary{out: out, tests: map[[2]string]*test{}, builds: map[string]*strings.Builder{}, reasons: map[string][]string{}}
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var e event
			if json.Unmarshal(line, &e) == nil && e.Action != "" {
				s.add(&e)
			} else {
				out.Write(line) // not an event: a message of the go command or of a script
			}
		}
		if err != nil {
			break
		}
	}
	return s.end()
}

func (s *summary) test(pkg, name string) *test {
	key := [2]string{pkg, name}
	t := s.tests[key]
	if t == nil {
		t = &test{}
		s.tests[key] = t
	}
	return t
}

func (s *summary) add(e *event) {
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

func (s *summary) endTest(e *event) {
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

func (s *summary) endPackage(e *event) {
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

// end prints the summary.
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
		fmt.Fprintln(s.out, "Failed packages:", strings.Join(s.broken, ", "))
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
			found = message
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

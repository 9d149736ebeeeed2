package main

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hitscan-go/hitscan/internal/testenv"
)

const passing = `{"Action":"start","Package":"github.com/hitscan-go/hitscan/physics"}
{"Action":"run","Package":"github.com/hitscan-go/hitscan/physics","Test":"TestA"}
{"Action":"run","Package":"github.com/hitscan-go/hitscan/physics","Test":"TestA/x"}
{"Action":"output","Package":"github.com/hitscan-go/hitscan/physics","Test":"TestA/x","Output":"    a_test.go:3: needs a display\n"}
{"Action":"output","Package":"github.com/hitscan-go/hitscan/physics","Test":"TestA/x","Output":"    --- SKIP: TestA/x (0.00s)\n"}
{"Action":"skip","Package":"github.com/hitscan-go/hitscan/physics","Test":"TestA/x","Elapsed":0}
{"Action":"run","Package":"github.com/hitscan-go/hitscan/physics","Test":"TestA/y"}
{"Action":"pass","Package":"github.com/hitscan-go/hitscan/physics","Test":"TestA/y","Elapsed":0}
{"Action":"pass","Package":"github.com/hitscan-go/hitscan/physics","Test":"TestA","Elapsed":0}
{"Action":"run","Package":"github.com/hitscan-go/hitscan/physics","Test":"TestB"}
{"Action":"pass","Package":"github.com/hitscan-go/hitscan/physics","Test":"TestB","Elapsed":0}
{"Action":"pass","Package":"github.com/hitscan-go/hitscan/physics","Elapsed":1.25}
{"Action":"output","Package":"github.com/hitscan-go/hitscan","Output":"?   \tgithub.com/hitscan-go/hitscan\t[no test files]\n"}
{"Action":"skip","Package":"github.com/hitscan-go/hitscan","Elapsed":0}
`

func TestSummaryOfPasses(t *testing.T) {
	var out strings.Builder
	s := newSummary(&out)
	assert.False(t, s.read(strings.NewReader(passing)))
	assert.True(t, s.end())
	assert.Equal(t, `ok   physics                                     1.2 s

1 packages passed, 0 failed, 1 have no tests
Skipped:
  1: needs a display
    physics TestA/x
2 passed, 0 failed, 1 skipped
`, out.String())
}

// Two commands that run the same test at the same time do not know of each other's.
func TestSummaryOfTheSameTestTwice(t *testing.T) {
	var out strings.Builder
	s := newSummary(&out)
	r, w := io.Pipe()
	done := make(chan bool)
	go func() { done <- s.read(r) }()
	lines := strings.SplitAfter(passing, "\n")
	io.WriteString(w, strings.Join(lines[:8], ""))
	io.WriteString(w, lines[9]) // it is read when all before it has been added
	assert.False(t, s.read(strings.NewReader(passing)))
	io.WriteString(w, lines[8]+strings.Join(lines[10:], ""))
	w.Close()
	assert.False(t, <-done)
	assert.True(t, s.end())
	assert.Contains(t, out.String(), "\n4 passed, 0 failed, 2 skipped\n", "TestA is not counted beside its subtests")
}

// A failed subtest counts once, and what is printed before a panic or beside a failed build is
// shown.
func TestSummaryOfFailures(t *testing.T) {
	const failing = `{"Action":"run","Package":"a","Test":"TestA"}
{"Action":"run","Package":"a","Test":"TestA/x"}
{"Action":"output","Package":"a","Test":"TestA/x","Output":"    a_test.go:3: 1 is not 2\n"}
{"Action":"fail","Package":"a","Test":"TestA/x","Elapsed":0}
{"Action":"fail","Package":"a","Test":"TestA","Elapsed":0}
{"Action":"fail","Package":"a","Elapsed":1}
{"Action":"run","Package":"b","Test":"TestB"}
{"Action":"output","Package":"b","Test":"TestB","Output":"panic: index out of range\n"}
{"Action":"fail","Package":"b","Elapsed":1}
{"ImportPath":"c","Action":"build-output","Output":"c.go:7: undefined: x\n"}
{"ImportPath":"c","Action":"build-fail"}
{"Action":"output","Package":"c","Output":"FAIL\tc [build failed]\n"}
{"Action":"fail","Package":"c","Elapsed":0,"FailedBuild":"c"}
xvfb.sh: Xvfb did not start
`
	var out strings.Builder
	s := newSummary(&out)
	assert.True(t, s.read(strings.NewReader(passing+failing)))
	assert.False(t, s.end())
	for _, text := range []string{
		"1 is not 2", "panic: index out of range", "c.go:7: undefined: x", "[build failed]", "xvfb.sh: Xvfb did not start",
		"1 packages passed, 3 failed", "Failed: a, b, c\nFAIL a TestA/x\nFAIL b TestB\n",
	} {
		assert.Contains(t, out.String(), text)
	}
	assert.True(t, strings.HasSuffix(out.String(), "\n2 passed, 2 failed, 1 skipped\n"), out.String())
}

// A command that fails without the failure of a test, as where a display does not start, counts
// too.
func TestCommands(t *testing.T) {
	testenv.Program(t, "bash")
	echo := []string{"echo", `{"Action":"pass","Package":"a","Test":"TestA"}`}
	var out strings.Builder
	assert.True(t, run([][]string{echo, echo}, &out))
	assert.True(t, strings.HasSuffix(out.String(), "\n2 passed, 0 failed, 0 skipped\n"), out.String())
	out.Reset()
	assert.False(t, run([][]string{echo, {"bash", "-c", "echo no display; exit 3"}}, &out))
	assert.Contains(t, out.String(), "no display\n")
	assert.Contains(t, out.String(), "Failed: bash -c ")
	assert.False(t, run([][]string{{"/no/such/program"}}, &out))
}

package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
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
	assert.True(t, summarize(strings.NewReader(passing), &out))
	assert.Equal(t, `ok   physics                                     1.2 s

1 packages passed, 0 failed, 1 have no tests
Skipped:
  1: needs a display
    physics TestA/x
2 passed, 0 failed, 1 skipped
`, out.String())
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
	assert.False(t, summarize(strings.NewReader(passing+failing), &out))
	for _, text := range []string{
		"1 is not 2", "panic: index out of range", "c.go:7: undefined: x", "[build failed]", "xvfb.sh: Xvfb did not start",
		"1 packages passed, 3 failed", "Failed packages: a, b, c\nFAIL a TestA/x\nFAIL b TestB\n",
	} {
		assert.Contains(t, out.String(), text)
	}
	assert.True(t, strings.HasSuffix(out.String(), "\n2 passed, 2 failed, 1 skipped\n"), out.String())
}

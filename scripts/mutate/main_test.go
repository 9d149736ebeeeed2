package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each kind of mutant changes what it says and nothing else.
func TestMutantsOf(t *testing.T) {
	const text = `package p

import "fmt"

type T [2]int

func (T) String() string { return fmt.Sprint(1 + 1) }

func f(a, b int) int {
	if a < b {
		a += 3
	}
	if a == 7 {
		panic("p: f: " + fmt.Sprint(a+1))
	}
	g(a, b)
	return 2.5 * a
}

func named(a int) (b int) {
	b, c := a+1, 0
	return b + c
}

func labelled() {
loop:
	for range max(1, 2) {
		continue loop
	}
}

var inf = math.Inf(1) + 0.0
`
	all, err := mutantsOf("p.go", []byte(text))
	require.NoError(t, err)
	var got []string
	for _, m := range all {
		got = append(got, m.what)
		is := string(m.apply())
		assert.NotEqual(t, text, is)
		assert.Equal(t, text[:m.from], is[:m.from])
		assert.True(t, strings.HasSuffix(is, text[m.to:]))
	}
	assert.Equal(t, []string{
		"negated: a < b", "< becomes <=", "< becomes >",
		"without a += 3", "+= becomes -=", "3 + 1",
		"negated: a == 7", "== becomes !=", "7 + 1",
		"without g(a, b)", "swapped: a and b",
		"2 * 2.5", "* becomes /",
		"+ becomes -", "1 + 1", "0 + 1", "+ becomes -",
		"1 + 1", "2 + 1", "+ becomes -", "0.0 + 1",
	}, got)
	for _, m := range all {
		assert.Equal(t, m.line >= 9 && m.line <= 18, m.body != nil, "line %d can be copied", m.line)
	}
}

package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/hitscan-go/hitscan/internal/testenv"
)

// BenchmarkFileCost is what pointer scripts cost that are made to cost much: see docs/files.md.
func BenchmarkFileCost(b *testing.B) {
	for name, line := range map[string]string{
		"clicks": "click left\n", "names": "expect selected" + strings.Repeat(" a", 30_000) + "\n", "comments": "#\n", "keys": "key a\n",
	} {
		b.Run(name, func(b *testing.B) {
			file := func(n int) ([]byte, int) { return []byte(strings.Repeat(line, n)), 0 }
			testenv.FileCost(b, file, func(data []byte) { _, _ = parseScript(bytes.NewReader(data), maxCommands) })
		})
	}
}

package picking

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/hitscan-go/hitscan/internal/testenv"
)

// BenchmarkFileCost is what recorded frames cost that are made to cost much: see docs/files.md.
func BenchmarkFileCost(b *testing.B) {
	lines := func(line string) func(n int) string {
		return func(n int) string { return strings.Repeat(line+"\n", n) }
	}
	pointers := "0"
	for i := range 6500 {
		pointers += fmt.Sprintf("|%d 0 0", i+1)
	}
	for name, text := range map[string]func(n int) string{
		"empty":        lines("0"),
		"sizes":        lines("0|size 1x1 1x1"),
		"keys":         lines("0|keys down=a" + strings.Repeat("+a", 32000)),
		"escaped keys": lines("0|keys down=%41" + strings.Repeat("+%41", 16000)),
		"a key":        lines("0|keys down=a"),
		"pointers":     lines(pointers),
		"one pointer":  lines("0|1 0 0"),
		"views":        lines("0|views" + strings.Repeat(" 1x1+0+0", 7000)),
		"views × frames": func(n int) string {
			return "0|views" + strings.Repeat(" 1x1+0+0", 7000) + "\n" + strings.Repeat("0\n", n)
		},
	} {
		b.Run(name, func(b *testing.B) {
			file := func(n int) ([]byte, int) { return []byte(streamHeader + "\n" + text(n)), 0 }
			testenv.FileCost(b, file, func(data []byte) { _, _ = ReadFrames("", bytes.NewReader(data)) })
		})
	}
}

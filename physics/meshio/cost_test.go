package meshio_test

import (
	"testing"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/meshio"
)

// BenchmarkFileCost is what files cost that are made to cost much: the table of docs/files.md.
func BenchmarkFileCost(b *testing.B) {
	for _, m := range multiplying {
		for shape, of := range map[string]func(n int) (int, int){
			"a=b": func(n int) (int, int) { return n, n },
			"a":   func(n int) (int, int) { return n, 8 },
			"b":   func(n int) (int, int) { return 8, n },
		} {
			b.Run(m.name+"/"+shape, func(b *testing.B) {
				name, buffer := "", 0
				file := func(n int) ([]byte, int) {
					x, y := of(n)
					var t string
					name, t, buffer = m.file(x, y)
					return []byte(t), buffer
				}
				testenv.FileCost(b, file, func(data []byte) {
					for _, read := range readers(meshio.Limits{}, name, string(data), buffer)[:1] {
						_ = read()
					}
				})
			})
		}
	}
}

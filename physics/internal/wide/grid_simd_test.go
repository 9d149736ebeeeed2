//go:build (amd64 || arm64) && !noasm

package wide

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// The assembly casts rays at height fields as the portable traversal does, also far from the
// origin, through vertices and along lines.
func TestGridsAreTheAssemblys(t *testing.T) {
	testenv.SIMD(t, useSIMD)
	rng := testenv.Rand(1, 6)
	struck := 0
	for range 60 {
		l := GridLayout{Columns: 1 + rng.IntN(300), Rows: 1 + rng.IntN(90), CellX: 0.1 + rng.Float32(), CellZ: 1, StartX: 50*rng.Float32() - 30, Low: -3, High: 5*rng.Float32() - 2}
		switch rng.IntN(4) {
		case 0:
			l.Low, l.High = 1e4, 1e4+rng.Float32()
		case 1:
			l.Low, l.High = 0, 0
		}
		g, err := NewGrid(l)
		require.NoError(t, err)
		codes, heights := make([]uint16, l.Columns+1), make([]float32, l.Columns+1)
		for row := range l.Rows + 1 {
			for i := range codes {
				codes[i], heights[i] = uint16(rng.Uint32()), 3*rng.Float32()
			}
			g.PagesOf(0, row, l.Columns+1, row+1, func(page, column, row, end, _ int) {
				g.SetRow(page, column, row, codes[column:end], heights[column:end])
			})
		}
		for range rng.IntN(3) * l.Columns {
			g.SetMaterial(rng.IntN(l.Columns), rng.IntN(l.Rows), Hole)
		}
		g.Refresh(0, 0, l.Columns, l.Rows)
		b := g.Bounds()
		for range 300 {
			at := func() geom.Vec3 {
				if rng.IntN(2) == 0 {
					return g.Vertex(rng.IntN(l.Columns+1), rng.IntN(l.Rows+1))
				}
				return b.Min.Add(geom.V(rng.Float32()*1.4-0.2, rng.Float32()*1.4-0.2, rng.Float32()*1.4-0.2).MulVec(b.Max.Sub(b.Min)))
			}
			r := geom.Segment(at(), at())
			switch rng.IntN(5) {
			case 0:
				r.Dir.X = 0
			case 1:
				r.Dir.Y, r.Dir.Z = 0, float32(math.Copysign(0, -1))
			case 2:
				r.Dir.X, r.Dir.Z = 0, 0
			}
			r.MaxT, r.MinT = rng.Float32()*3, rng.Float32()*float32(rng.IntN(2))
			cull := geom.Cull(rng.IntN(3))
			hit := geom.Hit{T: -1, Triangle: -1}
			for more := true; more; {
				var want, got geom.Hit
				more = g.portable(&want, &r, cull, hit.T, int32(hit.Triangle))
				code := closestGridSIMD(g, &r, &got, hit.T, int32(hit.Triangle), cull)
				if code == unsupported {
					break
				}
				require.Equal(t, more, code != 0, "%+v", r)
				require.Equal(t, want, got, "%+v", r)
				if hit = got; more {
					struck++
				}
			}
			if code := anyGridSIMD(g, &r, cull); code != unsupported {
				require.Equal(t, g.portableAny(&r, cull), code != 0, "%+v", r)
			}
		}
	}
	testenv.Drawn(t, struck, 10_000)
}

package wide

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// An outline is what a loop over all corners gives, of trees of all qualities and whose boxes are
// cut, and a span holds the corners and is not wider than that of the bounds.
func TestOutlineAgainstTwin(t *testing.T) {
	r := testenv.Rand(3, 1)
	for _, s := range append(surfaces(), detached(grid(9))) {
		var want Outline
		for i := range want {
			d := geom.DVec3{X: float64(i/9 - 1), Y: float64(i/3%3 - 1), Z: float64(i%3 - 1)}
			want[i] = math.Inf(-1)
			for _, k := range s.indices {
				want[i] = max(want[i], d.Dot(s.vertices[k].Wide()))
			}
		}
		for _, q := range qualities {
			tree := build(t, &s, Options{Quality: q})
			o := tree.Outline()
			require.Equal(t, want, o, "%s, %v", s.name, q)
			for range 200 {
				number := func() float32 { return float32(r.IntN(5)-2) * (1 + r.Float32()*float32(r.IntN(2))) }
				u := geom.V(number(), number(), number())
				least, most := o.Span(u)
				lo, hi, w := math.Inf(1), math.Inf(-1), u.Wide()
				for _, k := range s.indices {
					at := w.Dot(s.vertices[k].Wide())
					lo, hi = min(lo, at), max(hi, at)
				}
				const rounding = 1e-12
				require.LessOrEqual(t, least, lo+rounding, "along %v", u)
				require.GreaterOrEqual(t, most, hi-rounding, "along %v", u)
				b := tree.Bounds()
				require.LessOrEqual(t, most, farthest(w.X, b.Min.X, b.Max.X)+farthest(w.Y, b.Min.Y, b.Max.Y)+farthest(w.Z, b.Min.Z, b.Max.Z)+rounding)
			}
		}
	}
}

package narrow

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// TestCollideHullPlane compares the contacts of hulls and planes, on either side, with those of the
// half-space that the centre of mass is in front of: the bits are the same.
func TestCollideHullPlane(t *testing.T) {
	r := testenv.Rand(61, 62)
	touching, mirrored := 0, 0
	for range 3000 {
		h, s := hulls[r.IntN(len(hulls))], 0.2+r.Float32()
		scale := geom.V(s, s, s)
		if r.IntN(2) == 0 {
			scale.Y = -s
		}
		m := geom.Transform{Position: randomVec(r), Rotation: randomTurn(r), Scale: scale}.Affine()
		a := Hull(h, m)
		n := randomVec(r).Wide().Normalize()
		b := Plane{Normal: n, Point: a.Center().AddMul(r.Float64()*2-1, n)}
		var f Finder
		f.CollideHullPlane(h, &m, b, 0.1)
		if n.Dot(a.Center().Sub(b.Point)) < 0 {
			n = n.Neg()
		}
		var want Finder
		want.CollidePlane(&a, Plane{Normal: n, Point: b.Point}, 0.1)
		require.Equal(t, want.Contacts(), f.Contacts())
		if f.N > 0 {
			touching++
			if a.flip {
				mirrored++
			}
		}
	}
	testenv.Drawn(t, touching, 1000)
	testenv.Drawn(t, mirrored, 300)
}

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

// TestCollideConePlane compares the contacts of cones and planes, on either side and as far away as
// the margin, with those of the half-space that the middle is in front of: the bits are the same.
func TestCollideConePlane(t *testing.T) {
	r := testenv.Rand(63, 64)
	two, one, none, left := 0, 0, 0, 0
	for i := range 6000 {
		c := geom.Cone{A: randomVec(r), B: randomVec(r), RadiusA: r.Float32(), RadiusB: r.Float32()}
		switch r.IntN(4) {
		case 0:
			c.RadiusB = 0
		case 1:
			c.RadiusA, c.RadiusB = 0, c.RadiusA
		case 2:
			c.RadiusB = c.RadiusA
		}
		if r.IntN(2) == 0 {
			c.B.X, c.B.Z = c.A.X, c.A.Z
		}
		m := geom.Transform{Position: randomVec(r), Rotation: randomTurn(r), Scale: geom.V(0.2+r.Float32(), 0.2-r.Float32(), 0.2+r.Float32())}.Affine()
		a := Cone(c, m)
		n := randomVec(r).Wide().Normalize()
		if r.IntN(2) == 0 { // all but along the ground
			n = n.AddMul(-n.Dot(a.e)/a.e.Dot(a.e), a.e).AddMul((r.Float64()-0.5)*0.1, a.e).Normalize()
		}
		margin := 0.1
		b := Plane{Normal: n, Point: a.Center().AddMul(r.Float64()*2-1, n)}
		if n.Dot(a.Center().Sub(b.Point)) < 0 {
			n = n.Neg()
		}
		front := Plane{Normal: n, Point: b.Point}
		if i%8 == 0 {
			var s Shape
			s.SetHalfSpace(n, b.Point)
			if margin = Distance(&a, &s, 10).Distance; margin == 0 {
				continue
			}
		}
		var f, want Finder
		if !f.CollideConePlane(c, &m, b, margin) {
			left++
			continue
		}
		want.CollidePlane(&a, front, margin)
		require.Equal(t, want.Contacts(), f.Contacts())
		switch f.N {
		case 0:
			none++
		case 1:
			one++
		default:
			two++
			require.Equal(t, want.Normal, f.Normal)
		}
	}
	for _, n := range []int{two, one, none, left} {
		testenv.Drawn(t, n, 300)
	}
}

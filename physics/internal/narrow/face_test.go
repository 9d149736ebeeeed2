package narrow

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// The gap of a face is proved by certificates, whatever the triangle: its point is a point of the
// triangle and as far from the segment as the gap says, so the distance is no more; and a plane
// parts the two by as much, so it is no less.
func TestFaceGap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.Float32Range(-2, 2)
		if rapid.Bool().Draw(t, "on a grid") { // edges, corners and segments in line
			g := rapid.IntRange(-2, 2)
			f = rapid.Custom(func(t *rapid.T) float32 { return float32(g.Draw(t, "i")) })
		}
		v := func(name string) geom.Vec3 { return geom.V(f.Draw(t, name), f.Draw(t, name), f.Draw(t, name)) }
		triangle := geom.Triangle{A: v("A"), B: v("B"), C: v("C")}
		p, q := v("P"), v("Q")
		if rapid.Bool().Draw(t, "sphere") {
			q = p
		}
		proveGap(t, triangle, p, q, rapid.Float64Range(0.01, 3).Draw(t, "limit"))
	})
}

// What TestFaceGap found, or rarely draws.
func TestFaceGapCases(t *testing.T) {
	for name, c := range map[string]struct {
		triangle geom.Triangle
		p, q     geom.Vec3
	}{
		"a needle, whose normal is off by 1.2e-6": {
			geom.Triangle{A: geom.V(-2, 9.313226e-10, 2), B: geom.V(2, 2.3283064e-10, -2), C: geom.V(4.656613e-10, 4.656613e-10, 4.5474735e-13)},
			geom.V(1.0019531, 1, 0.5), geom.V(1, 1, 1),
		},
		"a point at the end of the segment": {
			geom.Triangle{A: geom.V(-2, -1, 2), B: geom.V(-2, -1, 2), C: geom.V(-2, -1, 2)},
			geom.V(0, -2, 0), geom.V(-2, -1, 2),
		},
		"two edges as near as each other, except for rounding": {
			geom.Triangle{A: geom.V(2.9802322e-08, 2.9802322e-08, 0.00012207031), B: geom.V(1, 1, 1), C: geom.V(1.4901161e-08, 1, -1)},
			geom.V(-1, 2.9802322e-08, 0.00012207031), geom.V(-1, 2.9802322e-08, 0.00012207031),
		},
		"a long segment through the plane beside an edge, its ends further from it than the limit": {
			geom.Triangle{A: geom.V(0, 0, 0), B: geom.V(2, 0, 0), C: geom.V(0, 0, 2)},
			geom.V(1, -5, -0.5), geom.V(1, 5, -0.5),
		},
	} {
		t.Run(name, func(t *testing.T) { proveGap(t, c.triangle, c.p, c.q, 1) })
	}
}

// proveGap asserts what holds of the gap between a triangle and a capsule.
//
// The points are off by rounding errors of double precision, ε = 2⁻⁵³, of numbers up to R, the
// largest coordinate, times a condition number.
//   - A needle. The cross product of the sides e and d at the corner A is rounded by some
//     ε·|e|·|d|, so
//     its direction is off by ε·κ with κ = |e|·|d|/|e×d|, the reciprocal of the sine of the angle
//     at
//     A. Heights over the plane and distances inward of an edge are off by ε·κ·R then.
//   - A segment almost parallel to an edge, at an angle θ. nearestOfSegments takes the two for
//     parallel below θ = √parallelEdges, and the distance of their points varies by θ·R; above, it
//     finds where they are nearest to ε·R/θ², where the distance varies by θ times that.
//   - A triangle that counts as a line is up to flatTriangle·R wide, and what is within facePierced
//     of a triangle touches it.
//
// The direction from one point to the other, which are L apart, is off by that over L; and so is
// the choice among edges, which compares distances: points as near as that, to a fraction x of L,
// are up to √(2x)·L from each other. Planes across such a direction are off by R times its error.
// The planes of partedBy are not chosen by distance; their directions are off by ε·R/L. Where the
// triangle is a line and touches the segment, the normal is their cross product, off by ε/θ.
func proveGap(t require.TestingT, triangle geom.Triangle, p, q geom.Vec3, limit float64) {
	const (
		radius    = 0.3
		ε         = 0x1p-53
		roundings = 32 // operations in a row
	)
	a, b, c, from, to := triangle.A.Wide(), triangle.B.Wide(), triangle.C.Wide(), p.Wide(), q.Wide()
	r := 2 * max(a.Len(), b.Len(), c.Len(), from.Len(), to.Len())
	face := NewFace(triangle)
	off := roundings * ε * r
	flat := face.Normal == geom.DVec3{}
	if e, d := b.Sub(a), c.Sub(a); flat {
		off += flatTriangle * r
	} else {
		off *= 1 + e.Len()*d.Len()/e.Cross(d).Len()
	}
	crossed := 0.0 // the error of a cross product with the segment
	s := to.Sub(from)
	for _, e := range [3]geom.DVec3{b.Sub(a), c.Sub(a), c.Sub(b)} {
		switch θ := s.Cross(e).Len() / (s.Len() * e.Len()); {
		case float64(θ*θ) > 1.1*parallelEdges:
			off += roundings * ε * r / θ
		case θ > 0:
			off += θ * r
			crossed += min(1, roundings*ε/θ)
		}
	}

	var g Gap
	require.True(t, face.Gap(&g, from, to, radius, math.Inf(1)))
	l := g.Distance + radius
	if l <= 0 {
		off += facePierced * (1 + 4*r)
	}
	var near Gap
	if face.Gap(&near, from, to, radius, limit) {
		require.Equal(t, g, near)
	} else {
		require.Greater(t, g.Distance, limit-off)
	}
	require.InDelta(t, 1, g.Normal.Len(), 4*ε)
	require.LessOrEqual(t, offTriangle(g.Point, a, b, c), off, "the point is on the triangle")
	require.InDelta(t, max(0, l), g.Point.Sub(nearestOn(g.Point, from, to)).Len(), off, "and as far from the segment")
	tilt := 0.0 // the error of the normal
	if l > 0 {
		require.LessOrEqual(t, l, partedBy(a, b, c, from, to)+off+roundings*ε*r*r/l, "a plane parts them by no less")
		tilt = off/l + math.Sqrt(2*off/l)
	} else if flat {
		tilt = crossed
	}
	parts := min(g.Normal.Dot(from), g.Normal.Dot(to)) - max(g.Normal.Dot(a), g.Normal.Dot(b), g.Normal.Dot(c))
	require.InDelta(t, l, parts, off+r*tilt, "the plane across the normal parts them by that much")
}

// partedBy returns the largest distance by which a plane parts a triangle from a segment, of those
// that are across the triangle's normal, across an edge and the segment, or across the shortest way
// between a corner of the one and an edge of the other: one of these parts two bodies of these
// kinds by their distance. Every one of them is a lower bound of that.
func partedBy(a, b, c, p, q geom.DVec3) float64 {
	best := math.Inf(-1)
	try := func(n geom.DVec3) {
		if n = n.Normalize(); n != (geom.DVec3{}) {
			best = max(best, min(n.Dot(p), n.Dot(q))-max(n.Dot(a), n.Dot(b), n.Dot(c)))
		}
	}
	corners := [3]geom.DVec3{a, b, c}
	n := b.Sub(a).Cross(c.Sub(a))
	try(n)
	try(n.Neg())
	for i, x := range corners {
		y := corners[(i+1)%3]
		n := y.Sub(x).Cross(q.Sub(p))
		try(n)
		try(n.Neg())
		try(p.Sub(nearestOn(p, x, y)))
		try(q.Sub(nearestOn(q, x, y)))
		try(nearestOn(x, p, q).Sub(x))
	}
	return best
}

// nearestOn returns the point of a segment nearest to x, to the rounding of its coordinates.
func nearestOn(x, a, b geom.DVec3) geom.DVec3 {
	d := b.Sub(a)
	if l := d.Dot(d); l > 0 {
		return a.AddMul(max(0, min(d.Dot(x.Sub(a))/l, 1)), d)
	}
	return a
}

// offTriangle returns the distance of x from a point of a triangle next to it: one with weights
// that are not negative and add up to 1, so certainly of the triangle, and to the same ε·κ·R
// nearest.
func offTriangle(x, a, b, c geom.DVec3) float64 {
	off := min(x.Sub(nearestOn(x, a, b)).Len(), x.Sub(nearestOn(x, b, c)).Len(), x.Sub(nearestOn(x, c, a)).Len())
	n := b.Sub(a).Cross(c.Sub(a))
	if l := n.Dot(n); l > 0 {
		v, w := n.Dot(x.Sub(a).Cross(c.Sub(a)))/l, n.Dot(b.Sub(a).Cross(x.Sub(a)))/l
		v = max(0, min(v, 1))
		w = max(0, min(w, 1-v))
		off = min(off, x.Sub(a.AddMul(v, b.Sub(a)).AddMul(w, c.Sub(a))).Len())
	}
	return off
}

func TestFaceGapSides(t *testing.T) {
	face := NewFace(geom.Triangle{A: geom.V(-1, 0, 1), B: geom.V(1, 0, 1), C: geom.V(0, 0, -2)})
	require.InDelta(t, 1, face.Normal.Y, 1e-12)
	for _, c := range []struct {
		name     string
		p, q     geom.DVec3
		distance float64
		normal   geom.DVec3
	}{
		{"above", geom.DVec3{Y: 1}, geom.DVec3{Y: 2}, 0.5, geom.DVec3{Y: 1}},
		{"below", geom.DVec3{Y: -3}, geom.DVec3{Y: -1}, 0.5, geom.DVec3{Y: -1}},
		{"through, mostly above", geom.DVec3{Y: -0.25}, geom.DVec3{Y: 2}, -0.75, geom.DVec3{Y: 1}},
		{"through, mostly below", geom.DVec3{Y: -2}, geom.DVec3{Y: 0.25}, -0.75, geom.DVec3{Y: -1}},
		{"in the plane", geom.DVec3{X: -0.1}, geom.DVec3{X: 0.1}, -0.5, geom.DVec3{Y: 1}},
		{"beside", geom.DVec3{X: -1, Y: 1, Z: 2}, geom.DVec3{X: 1, Y: -1, Z: 2}, 0.5, geom.DVec3{Z: 1}},
		{"through an edge to within 1e-12", geom.DVec3{Y: 1000, Z: 1 + 1e-9}, geom.DVec3{Y: -999, Z: 1 + 1e-9}, -999.5, geom.DVec3{Y: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var g Gap
			face.Gap(&g, c.p, c.q, 0.5, 1)
			assert.InDelta(t, c.distance, g.Distance, 1e-12)
			assert.InDelta(t, 0, g.Normal.Sub(c.normal).Len(), 1e-12)
		})
	}
}

func BenchmarkFaceGap(b *testing.B) {
	face := NewFace(geom.Triangle{A: geom.V(-1, 0, 1), B: geom.V(1, 0, 1), C: geom.V(0, 0, -2)})
	for name, p := range map[string]geom.DVec3{"face": {Y: 1}, "edge": {X: 0.9, Y: 1}} {
		b.Run(name, func(b *testing.B) {
			var g Gap
			for b.Loop() {
				face.Gap(&g, p, p.Add(geom.DVec3{Y: 1.2}), 0.3, 1)
			}
		})
	}
}

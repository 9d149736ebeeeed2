package physics

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// TestHullOfABoxIsTheBox compares hulls of the corners of boxes with the boxes, for which package
// geom has other formulas, alone and sheared in a compound.
func TestHullOfABoxIsTheBox(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		half := drawPoint(t, 2).Abs().Add(geom.V(0.1, 0.2, 0.3))
		place := drawTransform(t)
		solid, faces := Collider{Shape: geom.Box{HalfExtents: half}, Transform: place}, Collider{Shape: mustHull(boxCorners(half)), Transform: place}
		if rapid.Bool().Draw(t, "in a compound") {
			child := drawTransform(t)
			solid.Shape, faces.Shape = NewCompound(Child{solid.Shape, child}), NewCompound(Child{faces.Shape, child})
		}
		a, b := NewSpace(), NewSpace()
		id := a.Add(solid)
		b.Add(faces)
		if b.IsNowhere(id) {
			return // flat: only a hull minds
		}
		require.False(t, a.IsNowhere(id))
		bounds, _ := a.Bounds(id)
		tight, _ := b.Bounds(id)
		size := bounds.HalfExtents().Len()
		// Corners are rounded to single precision in each of two transforms, and so are the bounds:
		// some 8 roundings of their coordinates.
		e := 8 * 0x1p-24 * (size + bounds.Center().Len())
		require.True(t, around(bounds.Grow(e), tight) && around(tight.Grow(e), bounds), "%v %v", bounds, tight)

		// along returns how far a hit may move along a ray if the surface, and the ray in the
		// shape's own space, are off by e and by the rounding of the ray.
		along := func(r geom.Ray, h Hit) float64 {
			sine := math.Abs(float64(h.Normal.Dot(r.Dir))) / float64(r.Dir.Len())
			return float64(e+8*0x1p-24*(r.Origin.Len()+h.Point.Len())) / sine
		}
		r := geom.NewRay(drawPoint(t, 12), drawPoint(t, 2))
		f := Filter{Start: geom.StartMode(rapid.IntRange(0, 2).Draw(t, "inside"))}
		h, ok := a.CastRay(r, f)
		g, found := b.CastRay(r, f)
		if ok && found && h.Inside == g.Inside {
			require.InDelta(t, 0, h.Point.Distance(g.Point), along(r, h))
			require.Equal(t, h.BackFace, g.BackFace)
		}
		// At a rim, or on a face, single precision may decide otherwise, but not at a distance from
		// the surface.
		p := bounds.Center().Add(drawPoint(t, 3).MulVec(bounds.HalfExtents()))
		n, _ := a.Nearest(p, infinity, Filter{})
		m, _ := b.Nearest(p, infinity, Filter{})
		require.InDelta(t, n.Distance, m.Distance, float64(e))
		if r.Dir = bounds.Center().Sub(p); n.Distance > e && r.Dir != (geom.Vec3{}) {
			r.Origin = p
			h, ok = a.CastRay(r, Filter{})
			g, found = b.CastRay(r, Filter{})
			require.True(t, ok && found)
			require.InDelta(t, h.T, g.T, along(r, h)/float64(r.Dir.Len()))
		}
		for _, ball := range []geom.Sphere{{Center: p, Radius: n.Distance + 2*e}, {Center: p, Radius: n.Distance - 2*e}} {
			require.Equal(t, a.OverlapSphere(nil, ball, Filter{}), b.OverlapSphere(nil, ball, Filter{}), "%v", ball)
		}
	})
}

// A collider that was a hull keeps no pointer to it, and moving a hull allocates nothing.
func TestHullsAreLetGo(t *testing.T) {
	s := NewSpace()
	id := s.Add(Collider{Shape: testHulls[3]})
	next := geom.Transform{Position: geom.V(1, 2, 3), Rotation: geom.QuatEuler(1, 2, 3), Scale: geom.V(1, -2, 3)}
	testenv.AllocatesNothing(t, 100, func() {
		next.Position.X++
		s.SetTransform(id, next)
		s.Update()
	})
	for _, shape := range []Shape{testMeshes[0], unitBox, ground} {
		require.True(t, s.Set(id, Collider{Shape: boxHull}))
		require.True(t, s.Set(id, Collider{Shape: shape}))
		if l := s.records[id.index()].single[0].Local; l != nil {
			assert.Nil(t, l.Hull, "%T", shape)
		}
	}
}

func TestHullQueriesAllocateNothing(t *testing.T) {
	s := NewSpace()
	for i := range 50 {
		s.Add(Collider{Shape: testHulls[i%len(testHulls)], Transform: geom.Transform{Position: geom.V(float32(i%7)*2, 0, float32(i/7)*2), Scale: geom.V(1, 2, 0.5)}})
	}
	hits, ids, near := []Hit{}, []ColliderID{}, []Nearest{}
	frustum := viewFrustum(geom.Transform{Position: geom.V(7, 2, 30)}, [4]float64{1, 1, 1, 1}, 0.1, 100)
	ask := func() {
		r := geom.NewRay(geom.V(-5, 0.2, 4.1), geom.V(1, 0, 0))
		s.CastRay(r, Filter{})
		hits = s.CastRayAll(hits[:0], r, Filter{})
		ids = s.OverlapSphere(ids[:0], geom.Sphere{Center: geom.V(5, 1, 5), Radius: 3}, Filter{})
		ids = s.OverlapBox(ids, geom.Box{Center: geom.V(5, 1, 5), HalfExtents: geom.V(2, 1, 3), Rotation: geom.QuatEuler(1, 2, 3)}, Filter{})
		ids = s.OverlapFrustum(ids, &frustum, Filter{})
		near = s.NearestK(near[:0], geom.V(5, 3, 5), 9, infinity, Filter{})
	}
	ask()
	require.NotEmpty(t, hits)
	require.NotEmpty(t, ids)
	require.Len(t, near, 9)
	testenv.AllocatesNothing(t, 50, ask)
}

// A strongly flattened hull is not hit by a ray that misses it: in its own space the slanting faces
// are so far away that rounding hides the distance by which the ray misses. The cast goes without
// the tree, which may exclude such a ray.
func TestHullsFlattenedALongWay(t *testing.T) {
	for i, h := range testHulls {
		s := NewSpace()
		id := s.Add(Collider{Shape: h, Transform: geom.Transform{Position: geom.V(7, 7, -3), Scale: geom.V(-3, -3, 1e-19)}})
		require.False(t, s.IsNowhere(id))
		r := geom.Ray{Origin: geom.V(-2, -3, -3.25), Dir: geom.V(-3, 0, 1), MaxT: 3}
		assert.False(t, s.lookup(id).castAny(&r, &Filter{}), "hull %d", i)
		s.SetTransform(id, geom.Transform{Position: geom.V(7, 7, -3), Scale: geom.V(-3, -3, 1e-6)})
		assert.False(t, s.CastRayAny(r, Filter{}), "hull %d", i)
		hit, ok := s.CastRay(geom.NewRay(geom.V(7, 6.9, 2), geom.V(0, 0, -1)), Filter{})
		require.True(t, ok, "hull %d", i)
		assert.InDelta(t, 5, hit.T, 1e-5)
	}
}

// TestHullOfABoxRelatesAsTheBox compares the relations of a box and of the hull of its corners to
// other shapes.
func TestHullOfABoxRelatesAsTheBox(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := scene{Rand: drawRand(t), unit: 1}
		half := s.vec(1).Abs().Add(geom.V(0.1, 0.1, 0.1))
		place := s.transform(2)
		solid, faces := Placed{geom.Box{HalfExtents: half}, place}, Placed{mustHull(boxCorners(half)), place}
		other := Placed{s.shape(), s.transform(3)}
		// Corners of shapes that are up to 12 m from the origin are rounded twice by 2⁻²¹ m on each
		// axis, and the answers once more.
		const e = 3 * 1.7320508 * 0x1p-21
		near, ok := ClosestPoints(solid, other, infinity)
		far, found := ClosestPoints(faces, other, infinity)
		require.Equal(t, ok, found)
		require.InDelta(t, near.Distance, far.Distance, e)
		in, ok := Penetrate(solid, other)
		through, found := Penetrate(faces, other)
		if ok && in.Depth > e || found && through.Depth > e {
			require.True(t, ok && found)
			require.InDelta(t, in.Depth, through.Depth, e)
		}
		if near.Distance > e || in.Depth > e {
			require.Equal(t, Overlaps(solid, other), Overlaps(faces, other))
		}
	})
}

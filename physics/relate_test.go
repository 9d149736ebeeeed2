package physics

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// eachPart calls visit with every two convex parts of two shapes. It uses no tree and no bounds.
func eachPart(a, b Placed, visit func(x, y *narrow.Shape, p, q *placed.Subshape, k placed.Parts)) {
	var g, h instance
	if !g.place(&a, "a", false) || !h.place(&b, "b", false) {
		return
	}
	count := func(p *placed.Subshape) []int32 {
		if p.Kind != placed.KindMesh {
			return []int32{placed.Whole}
		}
		var all []int32
		for i := range p.Local.Mesh.NumTriangles() {
			all = append(all, int32(i))
		}
		return all
	}
	for i := range g.subshapes {
		for j := range h.subshapes {
			p, q := &g.subshapes[i], &h.subshapes[j]
			if p.Kind == placed.KindPlane && q.Kind == placed.KindPlane {
				continue
			}
			for _, m := range count(p) {
				for _, n := range count(q) {
					var x, y narrow.Shape
					k := placed.PartsOf(m, n)
					k.Shapes(&x, &y, p, q)
					visit(&x, &y, p, q, k)
				}
			}
		}
	}
}

func closestByAll(a, b Placed, limit float32) (best Closest, found bool) {
	eachPart(a, b, func(x, y *narrow.Shape, p, q *placed.Subshape, k placed.Parts) {
		c := narrow.Distance(x, y, math.Inf(1))
		d := float32(c.Distance)
		n := Closest{d, c.PointA.Narrow(), c.PointB.Narrow(), c.Normal.Narrow(), p.Child, q.Child, k.A(), k.B(), c.Inexact}
		if d == 0 {
			n.Normal = geom.Vec3{}
		}
		if d <= limit && (!found || n.before(&best)) {
			best, found = n, true
		}
	})
	return best, found
}

// drawPlaced returns shapes that are likely to be near each other, and sometimes a plane.
func drawPlaced(t *rapid.T) Placed {
	s := scene{Rand: drawRand(t), unit: rapid.SampledFrom([]float32{0.01, 1, 100}).Draw(t, "unit")}
	c := s.collider()
	c.Transform.Position = s.vec(1)
	if s.IntN(10) == 0 {
		c.Shape = geom.Plane{Normal: s.vec(1), D: s.Float32()}
	}
	return Placed{c.Shape, c.Transform}
}

// largest returns the largest coordinate of shapes, planes left out.
func largest(shapes ...Placed) (most float32) {
	for _, p := range shapes {
		s := NewSpace()
		b, ok := s.Bounds(s.Add(Collider{Shape: p.Shape, Transform: p.Transform}))
		if ok && b.Max.IsFinite() && b.Min.IsFinite() {
			most = max(most, placed.Largest(b.Min), placed.Largest(b.Max))
		}
	}
	return most
}

func isPlane(p Placed) bool {
	_, ok := p.Shape.(geom.Plane)
	return ok
}

// requireCommon requires that a point is on the plane, which is one of two shapes, and in the other
// shape.
func requireCommon(t require.TestingT, a, b Placed, c Closest) {
	require.Equal(t, c.PointA, c.PointB)
	if isPlane(a) {
		a, b = b, a
	}
	rounding := 0x1p-20 * float64(max(largest(a), placed.Largest(c.PointA)))
	eachPart(a, b, func(_, _ *narrow.Shape, _, q *placed.Subshape, _ placed.Parts) {
		require.InDelta(t, 0, q.Local.Normal.Dot(c.PointA.Wide().Sub(q.Local.Point)), rounding)
	})
	least := math.Inf(1)
	point := Placed{Shape: geom.Sphere{Center: c.PointA}}
	eachPart(a, point, func(x, y *narrow.Shape, _, _ *placed.Subshape, _ placed.Parts) {
		least = min(least, narrow.Distance(x, y, math.Inf(1)).Distance)
	})
	require.LessOrEqual(t, least, rounding)
}

func TestShapesAgainstAllParts(t *testing.T) {
	touching, apart := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawPlaced(t), drawPlaced(t)
		overlap, depth, deep := false, math.Inf(-1), Penetration{}
		eachPart(a, b, func(x, y *narrow.Shape, p, q *placed.Subshape, k placed.Parts) {
			overlap = overlap || narrow.Overlaps(x, y)
			if n, ok := narrow.Penetrate(x, y); ok && n.Depth > depth {
				depth = n.Depth
				deep = Penetration{float32(n.Depth), n.Normal.Narrow(), n.PointA.Narrow(), n.PointB.Narrow(), p.Child, q.Child, k.A(), k.B(), n.Inexact}
			}
		})
		require.Equal(t, overlap, Overlaps(a, b))
		require.Equal(t, overlap, Overlaps(b, a))
		p, ok := Penetrate(a, b)
		require.Equal(t, !math.IsInf(depth, -1), ok)
		require.Equal(t, deep, p)

		limit := rapid.SampledFrom([]float32{0, 1, 5, float32(math.Inf(1))}).Draw(t, "limit")
		want, found := closestByAll(a, b, limit)
		got, ok := ClosestPoints(a, b, limit)
		require.Equal(t, found, ok)
		if ok && got.Distance == 0 && isPlane(a) != isPlane(b) {
			// The narrow phase has a half-space instead of the plane.
			requireCommon(t, a, b, got)
			want.PointA, want.PointB = got.PointA, got.PointB
		}
		require.Equal(t, want, got)
		if overlap {
			touching++
		} else {
			apart++
		}
		for _, m := range Collide(nil, a, b, 0) {
			require.LessOrEqual(t, m.N, int32(MaxContactPoints))
			require.Positive(t, m.N)
			// Contacts are as deep as Penetrate says within 10⁻⁹ of the size; single precision is
			// coarser.
			require.GreaterOrEqual(t, m.Depth(), -0x1p-22*largest(a, b))
			require.True(t, overlap)
			// Each coordinate is rounded by 2⁻²⁵ or less.
			require.InDelta(t, 1, m.Normal.Len(), 3*0x1p-24)
		}
		if !overlap {
			for _, m := range Collide(nil, a, b, 0.1) {
				require.LessOrEqual(t, m.Depth(), 0x1p-22*largest(a, b), "what is apart is not deep")
			}
		}
	})
	if testing.Short() {
		return // too few to be sure of all
	}
	assert.Positive(t, touching)
	assert.Positive(t, apart)
}

func TestCollideIsSymmetric(t *testing.T) {
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawPlaced(t), drawPlaced(t)
		margin := rapid.SampledFrom([]float32{0, 0.5}).Draw(t, "margin")
		if a.Transform == b.Transform {
			return // of two shapes in one place either may come first
		}
		there, back := Collide(nil, a, b, margin), Collide(nil, b, a, margin)
		require.Len(t, back, len(there))
		found += len(there)
		for _, m := range there {
			require.True(t, slices.Contains(back, m.Flipped()), "%v", m)
		}
	})
	if testing.Short() {
		return // too few to be sure of all
	}
	assert.Positive(t, found)
}

func TestShapeQueriesAgainstEachAlone(t *testing.T) {
	testenv.NoRace(t)
	found := 0
	for _, center := range []geom.Vec3{{}, geom.V(1000, -2000, 500)} {
		s := newScene(60, center, 1)
		s.add(Collider{Shape: geom.Plane{Normal: geom.V(0, 1, 0.1)}, Transform: geom.Transform{Position: center}})
		for range 200 {
			c := s.collider()
			p := Placed{c.Shape, c.Transform}
			f := Filter{}
			if s.IntN(3) == 0 {
				f.Exclude = s.ids[:10]
			}
			var overlaps []ColliderID
			var manifolds []ShapeManifold
			var nearest Nearest
			limit, ok := float32(math.Inf(1)), false
			for _, id := range s.ids {
				c := s.twin[id]
				if !s.twin.sees(id, f) {
					continue
				}
				q := Placed{c.Shape, c.Transform}
				if Overlaps(q, p) {
					overlaps = append(overlaps, id)
				}
				for _, m := range Collide(nil, q, p, 0.25) {
					manifolds = append(manifolds, ShapeManifold{m, id, c.User})
				}
				if n, near := ClosestPoints(q, p, limit); near && (!ok || n.Distance < limit) {
					nearest, limit, ok = Nearest{n, id, c.User}, n.Distance, true
				}
			}
			require.Equal(t, overlaps, s.space.OverlapShape(nil, p, f))
			require.Equal(t, manifolds, s.space.CollideShape(nil, p, 0.25, f))
			got, near := s.space.NearestToShape(p, float32(math.Inf(1)), f)
			require.Equal(t, ok, near)
			require.Equal(t, nearest, got)
			if ok && nearest.Distance > 0 {
				n, near := s.space.NearestToShape(p, nearest.Distance/2, f)
				require.False(t, near, "%v, and within half of that %v", nearest, n)
			}
			found += len(overlaps) + len(manifolds)
		}
	}
	testenv.Drawn(t, found, 100)
}

func TestSpaceCollide(t *testing.T) {
	s := NewSpace()
	floor := s.Add(Collider{Shape: geom.Box{HalfExtents: geom.V(5, 1, 5)}})
	crate := s.Add(Collider{Shape: geom.Box{HalfExtents: geom.V(1, 1, 1)}, Transform: geom.At(0, 1.9, 0), Sensor: true})
	m := s.Collide(nil, floor, crate, 0)
	require.Len(t, m, 1)
	assert.Equal(t, int32(4), m[0].N)
	assert.Equal(t, geom.V(0, 1, 0), m[0].Normal)
	assert.InDelta(t, 0.1, m[0].Depth(), 1e-6)
	assert.Empty(t, s.Collide(nil, floor, floor, 0), "with itself")
	assert.Empty(t, s.Collide(nil, floor, crate, float32(math.NaN())))
	assert.Empty(t, s.Collide(nil, floor, crate, -1))
	s.Remove(crate)
	assert.Empty(t, s.Collide(nil, floor, crate, 0), "removed")
}

func TestPlaneHasTwoSides(t *testing.T) {
	ground := Placed{Shape: geom.Plane{Normal: geom.V(0, 1, 0)}}
	for _, c := range []struct {
		name string
		y    float32
		up   float32
		deep float32
	}{
		{"above", 0.75, 1, 0.25},
		{"below", -0.75, -1, 0.25},
		{"touching", 1, 1, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := Collide(nil, ground, Placed{geom.Sphere{Radius: 1}, geom.At(0, c.y, 0)}, 0)
			require.Len(t, m, 1)
			assert.Equal(t, geom.V(0, c.up, 0), m[0].Normal)
			assert.Equal(t, c.deep, m[0].Depth())
		})
	}
	assert.False(t, Overlaps(ground, Placed{geom.Sphere{Radius: 1}, geom.At(0, -2, 0)}), "nothing is inside a plane")
	assert.False(t, Overlaps(ground, ground))
}

func TestShapeQueriesAllocateNothing(t *testing.T) {
	testenv.NoRace(t)
	s := newScene(100, geom.Vec3{}, 1)
	var placed []Placed
	for range 30 {
		c := s.collider()
		placed = append(placed, Placed{c.Shape, c.Transform})
	}
	ids, manifolds, shapes := make([]ColliderID, 0, 1000), make([]Manifold, 0, 10000), make([]ShapeManifold, 0, 10000)
	round := func() {
		for i, p := range placed {
			q := placed[len(placed)-1-i]
			Overlaps(p, q)
			Penetrate(p, q)
			ClosestPoints(p, q, 10)
			manifolds = Collide(manifolds[:0], p, q, 0.1)
			manifolds = s.space.Collide(manifolds[:0], s.ids[i], s.ids[i+1], 0.1)
			ids = s.space.OverlapShape(ids[:0], p, Filter{})
			shapes = s.space.CollideShape(shapes[:0], p, 0.1, Filter{})
			s.space.NearestToShape(p, 10, Filter{})
		}
	}
	round()
	testenv.AllocatesNothing(t, 20, round)
}

func TestNoShapePanics(t *testing.T) {
	ball := Placed{Shape: geom.Sphere{Radius: 1}}
	s := NewSpace()
	assert.PanicsWithValue(t, "physics: Overlaps: no shape", func() { Overlaps(ball, Placed{}) })
	assert.PanicsWithValue(t, "physics: ClosestPoints: no shape", func() { ClosestPoints(Placed{}, ball, 1) })
	assert.PanicsWithValue(t, "physics: Penetrate: no shape", func() { Penetrate(Placed{}, ball) })
	assert.PanicsWithValue(t, "physics: Collide: no shape", func() { Collide(nil, Placed{}, ball, 1) })
	assert.PanicsWithValue(t, "physics: Space.OverlapShape: no shape", func() { s.OverlapShape(nil, Placed{}, Filter{}) })
	assert.PanicsWithValue(t, "physics: Space.NearestToShape: no shape", func() { s.NearestToShape(Placed{}, 1, Filter{}) })
	assert.PanicsWithValue(t, "physics: Space.CollideShape: no shape", func() { s.CollideShape(nil, Placed{}, 1, Filter{}) })
}

// What crosses a plane has a point in common with the plane itself, which is on it and in the
// shape: a surface has no points behind it.
func TestCommonPointWithPlane(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 77))
	f := func() float32 { return 2*r.Float32() - 1 }
	crossed := 0
	for range 3000 {
		n := geom.V(f(), f(), f()).Normalize()
		center := geom.V(f(), f(), f())
		plane := Placed{Shape: geom.Plane{Normal: n, D: n.Dot(center) + 0.5*f()}}
		turn := geom.Quat{X: f(), Y: f(), Z: f(), W: f()}.Normalize()
		box := geom.Box{HalfExtents: geom.V(0.2+r.Float32(), r.Float32(), 0.1)}
		corners := geom.Triangle{A: geom.V(f(), f(), f()), B: geom.V(f(), f(), f()), C: geom.V(f(), f(), f())}
		sheet, err := mesh.New([]geom.Vec3{corners.A, corners.B, corners.C}, []uint32{0, 1, 2})
		require.NoError(t, err)
		for _, shape := range []Shape{box, sheet} {
			at := Placed{shape, geom.Transform{Position: center, Rotation: turn}}
			c, ok := ClosestPoints(at, plane, 10)
			require.True(t, ok)
			if c.Distance > 0 {
				continue
			}
			crossed++
			require.Equal(t, c.PointA, c.PointB)
			require.InDelta(t, 0, n.Dot(c.PointA)-plane.Shape.(geom.Plane).D, 1e-5)
			local := turn.Inverse().Rotate(c.PointA.Sub(center))
			if shape == sheet {
				require.InDelta(t, 0, corners.Distance(local), 1e-5)
			} else {
				require.InDelta(t, 0, box.Distance(local), 1e-5)
			}
			d, ok := ClosestPoints(plane, at, 10)
			require.True(t, ok)
			require.Equal(t, c.PointA, d.PointA)
		}
	}
	require.Greater(t, crossed, 1000)
}

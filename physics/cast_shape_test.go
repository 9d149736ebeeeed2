package physics

import (
	"fmt"
	"maps"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

func TestCastShape(t *testing.T) {
	ball := geom.Sphere{Radius: 0.5}
	down := geom.V(0, -1, 0)
	squeezed := geom.Transform{Scale: geom.V(1, 0.5, 2)}
	capsule := geom.Capsule{A: geom.V(0, -1, 0), B: geom.V(0, 1, 0), Radius: 0.5}
	for _, tt := range []struct {
		name   string
		target Collider
		cast   ShapeCast
		want   ShapeHit // Collider and PointOnShape left out
	}{
		{"ball at AABB", Collider{Shape: unitAABB}, ShapeCast{Shape: ball, Transform: geom.At(0, 5, 0), Motion: down},
			ShapeHit{T: 3.5, Point: geom.V(0, 1, 0), Normal: geom.V(0, 1, 0), Child: -1, Triangle: -1}},
		{"ball at box", Collider{Shape: unitBox}, ShapeCast{Shape: ball, Transform: geom.At(0, 5, 0), Motion: down.Mul(2)},
			ShapeHit{T: 1.75, Point: geom.V(0, 1, 0), Normal: geom.V(0, 1, 0), Child: -1, Triangle: -1}},
		{"ball at sphere", Collider{Shape: unitSphere}, ShapeCast{Shape: ball, Transform: geom.At(0, 5, 0), Motion: down},
			ShapeHit{T: 3.5, Point: geom.V(0, 1, 0), Normal: geom.V(0, 1, 0), Child: -1, Triangle: -1}},
		{"capsule at capsule", Collider{Shape: unitCapsule}, ShapeCast{Shape: capsule, Transform: geom.At(0, 5, 0), Motion: down},
			ShapeHit{T: 2.5, Point: geom.V(0, 1, 0), Normal: geom.V(0, 1, 0), Child: -1, Triangle: -1}},
		{"ball at ellipsoid", Collider{Shape: unitSphere, Transform: squeezed}, ShapeCast{Shape: ball, Transform: geom.At(0, 5, 0), Motion: down},
			ShapeHit{T: 4, Point: geom.V(0, 0.5, 0), Normal: geom.V(0, 1, 0), Child: -1, Triangle: -1}},
		{"ellipsoid at AABB", Collider{Shape: unitAABB}, ShapeCast{Shape: unitSphere, Transform: geom.Transform{Position: geom.V(0, 5, 0), Scale: geom.V(1, 0.5, 2)}, Motion: down},
			ShapeHit{T: 3.5, Point: geom.V(0, 1, 0), Normal: geom.V(0, 1, 0), Child: -1, Triangle: -1}},
		{"ball at plane", Collider{Shape: ground}, ShapeCast{Shape: ball, Transform: geom.At(0, 5, 0), Motion: down},
			ShapeHit{T: 4.5, Normal: geom.V(0, 1, 0), Child: -1, Triangle: -1}},
		{"ball at plane from behind", Collider{Shape: ground}, ShapeCast{Shape: ball, Transform: geom.At(0, -5, 0), Motion: down.Neg()},
			ShapeHit{T: 4.5, Normal: geom.V(0, -1, 0), BackFace: true, Child: -1, Triangle: -1}},
		{"ball at mesh", Collider{Shape: groundMesh}, ShapeCast{Shape: ball, Transform: geom.At(0.25, 5, 0.125), Motion: down},
			ShapeHit{T: 4.5, Point: geom.V(0.25, 0, 0.125), Normal: geom.V(0, 1, 0), Child: -1, Triangle: 1}},
		{"ball at mesh from behind", Collider{Shape: groundMesh}, ShapeCast{Shape: ball, Transform: geom.At(0.25, -5, 0.125), Motion: down.Neg()},
			ShapeHit{T: 4.5, Point: geom.V(0.25, 0, 0.125), Normal: geom.V(0, -1, 0), BackFace: true, Child: -1, Triangle: 1}},
		{"ball at hull", Collider{Shape: boxHull}, ShapeCast{Shape: ball, Transform: geom.At(0, 5, 0), Motion: down},
			ShapeHit{T: 3.5, Point: geom.V(0, 1, 0), Normal: geom.V(0, 1, 0), Child: -1, Triangle: -1}},
		{"ball at a hull's corner", Collider{Shape: testHulls[0], Transform: geom.Transform{Scale: geom.V(2, -3, 1)}},
			ShapeCast{Shape: ball, Transform: geom.At(0, 5, 0), Motion: down},
			ShapeHit{T: 1.5, Point: geom.V(0, 3, 0), Normal: geom.V(0, 1, 0), Child: -1, Triangle: -1}},
		{"hull at AABB, corner first", Collider{Shape: unitAABB}, ShapeCast{Shape: testHulls[0], Transform: geom.Transform{Position: geom.V(0.25, 5, 0), Scale: geom.V(1, 0.5, 2)}, Motion: down},
			ShapeHit{T: 3.5, Point: geom.V(0.25, 1, 0), Normal: geom.V(0, 1, 0), Child: -1, Triangle: -1}},
		{"hull at plane", Collider{Shape: ground}, ShapeCast{Shape: testHulls[0], Transform: geom.At(3, 5, 0), Motion: down},
			ShapeHit{T: 4, Point: geom.V(3, 0, 0), Normal: geom.V(0, 1, 0), Child: -1, Triangle: -1}},
		{"hull at mesh", Collider{Shape: groundMesh}, ShapeCast{Shape: testHulls[0], Transform: geom.At(0.25, 5, 0.125), Motion: down},
			ShapeHit{T: 4, Point: geom.V(0.25, 0, 0.125), Normal: geom.V(0, 1, 0), Child: -1, Triangle: 1}},
		{"hull at hull", Collider{Shape: boxHull}, ShapeCast{Shape: testHulls[0], Transform: geom.At(0.25, 5, 0), Motion: down},
			ShapeHit{T: 3, Point: geom.V(0.25, 1, 0), Normal: geom.V(0, 1, 0), Child: -1, Triangle: -1}},
		{"hull deep in a hull", Collider{Shape: boxHull}, ShapeCast{Shape: testHulls[0], Transform: geom.At(0, 1.75, 0), Motion: down},
			ShapeHit{T: 0, Point: geom.V(0, 1, 0), Normal: geom.V(0, 1, 0), Depth: 0.25, Overlaps: true, Child: -1, Triangle: -1}},
		{"ball at compound", Collider{Shape: NewCompound(Child{unitBox, geom.At(0, -9, 0)}, Child{unitSphere, geom.At(0, 0, 0)})},
			ShapeCast{Shape: ball, Transform: geom.At(0, 5, 0), Motion: down},
			ShapeHit{T: 3.5, Point: geom.V(0, 1, 0), Normal: geom.V(0, 1, 0), Child: 1, Triangle: -1}},
		{"overlap at the start", Collider{Shape: unitAABB}, ShapeCast{Shape: ball, Transform: geom.At(0, 1.25, 0), Motion: down},
			ShapeHit{T: 0, Point: geom.V(0, 1, 0), Normal: geom.V(0, 1, 0), Depth: 0.25, Overlaps: true, Child: -1, Triangle: -1}},
		{"overlap at MinT", Collider{Shape: unitAABB}, ShapeCast{Shape: ball, Transform: geom.At(0, 3.25, 0), Motion: down, MinT: 2},
			ShapeHit{T: 2, Point: geom.V(0, 1, 0), Normal: geom.V(0, 1, 0), Depth: 0.25, Overlaps: true, Child: -1, Triangle: -1}},
		{"deeper, separating ignored", Collider{Shape: unitAABB}, ShapeCast{Shape: ball, Transform: geom.At(0, 1.25, 0), Motion: down, Start: StartIgnoreSeparating},
			ShapeHit{T: 0, Point: geom.V(0, 1, 0), Normal: geom.V(0, 1, 0), Depth: 0.25, Overlaps: true, Child: -1, Triangle: -1}},
		{"touching and moving in, starts ignored", Collider{Shape: unitAABB}, ShapeCast{Shape: ball, Transform: geom.At(0, 1.5, 0), Motion: down, Start: StartIgnore},
			ShapeHit{T: 0, Point: geom.V(0, 1, 0), Normal: geom.V(0, 1, 0), Child: -1, Triangle: -1}},
		{"standing still in a box", Collider{Shape: unitAABB}, ShapeCast{Shape: ball, Transform: geom.At(1.25, 0, 0), MinT: 3},
			ShapeHit{T: 3, Point: geom.V(1, 0, 0), Normal: geom.V(1, 0, 0), Depth: 0.25, Overlaps: true, Child: -1, Triangle: -1}},
		{"overlapping a plane from behind, moving against its normal", Collider{Shape: ground}, ShapeCast{Shape: ball, Transform: geom.At(0, -0.25, 0), Motion: down},
			ShapeHit{T: 0, Normal: geom.V(0, -1, 0), Depth: 0.25, Overlaps: true, Child: -1, Triangle: -1}},
		{"sliding along a plane from behind", Collider{Shape: ground}, ShapeCast{Shape: ball, Transform: geom.At(0, -0.25, 0), Motion: geom.V(1, 0, 0)},
			ShapeHit{T: 0, Normal: geom.V(0, -1, 0), Depth: 0.25, Overlaps: true, BackFace: true, Child: -1, Triangle: -1}},
		{"grazing a point", Collider{Shape: geom.Sphere{}}, ShapeCast{Shape: ball, Transform: geom.At(5, -0.5, 0), Motion: geom.V(-1, 0, 0)},
			ShapeHit{T: 5, Normal: geom.V(0, -1, 0), Child: -1, Triangle: -1}},
		{"reached at MaxT", Collider{Shape: unitAABB}, ShapeCast{Shape: ball, Transform: geom.At(0, 5, 0), Motion: down, MaxT: 3.5},
			ShapeHit{T: 3.5, Point: geom.V(0, 1, 0), Normal: geom.V(0, 1, 0), Child: -1, Triangle: -1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := NewSpace()
			tt.target.User = 7
			tt.want.User, tt.want.Collider = 7, s.Add(tt.target)
			got, ok := s.CastShape(tt.cast, Filter{})
			require.True(t, ok)
			assert.InDelta(t, 0, got.Point.Distance(got.PointOnShape.Add(got.Normal.Mul(got.Depth))), 1e-5)
			assert.InDelta(t, 0, got.Point.Distance(tt.want.Point), 1e-4, "%v", got.Point)
			assert.InDelta(t, 0, got.Normal.Distance(tt.want.Normal), 1e-4, "%v", got.Normal)
			assert.InDelta(t, tt.want.T, got.T, 1e-6)
			assert.InDelta(t, tt.want.Depth, got.Depth, 1e-6)
			tt.want.T, tt.want.Depth, tt.want.Point, tt.want.PointOnShape, tt.want.Normal = got.T, got.Depth, got.Point, got.PointOnShape, got.Normal
			assert.Equal(t, tt.want, got)
			assert.True(t, s.CastShapeAny(tt.cast, Filter{}))
			assert.Contains(t, s.CastShapeAll(nil, tt.cast, Filter{}), got)
		})
	}
}

func TestCastShapeMisses(t *testing.T) {
	ball, down := geom.Sphere{Radius: 0.5}, geom.V(0, -1, 0)
	above, within := geom.At(0, 5, 0), geom.At(0, 1.25, 0)
	for _, tt := range []struct {
		name string
		cast ShapeCast
		f    Filter
	}{
		{"past it", ShapeCast{Shape: ball, Transform: geom.At(3, 5, 0), Motion: down}, Filter{}},
		{"away from it", ShapeCast{Shape: ball, Transform: above, Motion: down.Neg()}, Filter{}},
		{"ends before it", ShapeCast{Shape: ball, Transform: above, Motion: down, MaxT: 3.49}, Filter{}},
		{"begins behind it", ShapeCast{Shape: ball, Transform: above, Motion: down, MinT: 7.1}, Filter{}},
		{"empty range", ShapeCast{Shape: ball, Transform: above, Motion: down, MinT: 3, MaxT: 2}, Filter{}},
		{"start ignored", ShapeCast{Shape: ball, Transform: within, Motion: down, Start: StartIgnore}, Filter{}},
		{"separating ignored", ShapeCast{Shape: ball, Transform: within, Motion: down.Neg(), Start: StartIgnoreSeparating}, Filter{}},
		{"still and apart", ShapeCast{Shape: ball, Transform: above}, Filter{}},
		{"still, start ignored", ShapeCast{Shape: ball, Transform: within, Start: StartIgnore}, Filter{}},
		{"still, separating ignored", ShapeCast{Shape: ball, Transform: within, Start: StartIgnoreSeparating}, Filter{}},
		{"still, NaN MinT", ShapeCast{Shape: ball, Transform: within, MinT: nan}, Filter{}},
		{"still, infinite MinT", ShapeCast{Shape: ball, Transform: within, MinT: infinity}, Filter{}},
		{"empty shape", ShapeCast{Shape: geom.Sphere{Radius: -1}, Transform: above, Motion: down}, Filter{}},
		{"zero hull", ShapeCast{Shape: &hull.Hull{}, Transform: above, Motion: down}, Filter{}},
		{"hull at NaN", ShapeCast{Shape: boxHull, Transform: geom.At(0, nan, 0), Motion: down}, Filter{}},
		{"NaN turn of a hull", ShapeCast{Shape: boxHull, Transform: geom.Transform{Rotation: geom.Quat{W: nan}}, Motion: down}, Filter{}},
		{"hull past it", ShapeCast{Shape: boxHull, Transform: geom.At(2.001, 5, 0), Motion: down}, Filter{}},
		{"empty AABB", ShapeCast{Shape: geom.EmptyAABB(), Transform: above, Motion: down}, Filter{}},
		{"NaN radius", ShapeCast{Shape: geom.Sphere{Radius: nan}, Transform: above, Motion: down}, Filter{}},
		{"NaN place", ShapeCast{Shape: ball, Transform: geom.At(0, nan, 0), Motion: down}, Filter{}},
		{"infinite place", ShapeCast{Shape: ball, Transform: geom.At(0, infinity, 0), Motion: down}, Filter{}},
		{"NaN scale", ShapeCast{Shape: geom.Box{HalfExtents: geom.V(1, 1, 1)}, Transform: geom.Transform{Scale: geom.V(1, nan, 1)}, Motion: down}, Filter{}},
		{"NaN turn", ShapeCast{Shape: geom.Capsule{B: geom.V(0, 1, 0)}, Transform: geom.Transform{Rotation: geom.Quat{W: nan}}, Motion: down}, Filter{}},
		{"NaN turn of an AABB", ShapeCast{Shape: unitAABB, Transform: geom.Transform{Rotation: geom.Quat{W: nan}}, Motion: down}, Filter{}},
		{"NaN motion", ShapeCast{Shape: ball, Transform: above, Motion: geom.V(0, nan, 0)}, Filter{}},
		{"infinite motion", ShapeCast{Shape: ball, Transform: above, Motion: geom.V(0, -infinity, 0)}, Filter{}},
		{"NaN MaxT", ShapeCast{Shape: ball, Transform: above, Motion: down, MaxT: nan}, Filter{}},
		{"not seen", ShapeCast{Shape: ball, Transform: above, Motion: down}, Filter{Mask: 2}},
		{"not accepted", ShapeCast{Shape: ball, Transform: above, Motion: down}, Filter{Predicate: func(ColliderID) bool { return false }}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := spaceOf(unitBox)
			_, ok := s.CastShape(tt.cast, tt.f)
			assert.False(t, ok)
			assert.False(t, s.CastShapeAny(tt.cast, tt.f))
			assert.Empty(t, s.CastShapeAll(nil, tt.cast, tt.f))
		})
	}
}

func TestCastShapePanics(t *testing.T) {
	s := NewSpace()
	for _, shape := range []Shape{nil, ground, boxMesh, NewCompound(), &geom.Sphere{}} {
		c := ShapeCast{Shape: shape, Motion: geom.V(1, 0, 0)}
		const why = "physics: Space.CastShape: the shape is not a geom.Sphere, Capsule, TaperedCapsule, Cone, Box or AABB given by value, or a *hull.Hull"
		assert.PanicsWithValue(t, why, func() { s.CastShape(c, Filter{}) }, "%T", shape)
		assert.PanicsWithValue(t, why, func() { s.CastShapeAny(c, Filter{}) }, "%T", shape)
		assert.PanicsWithValue(t, why, func() { s.CastShapeAll(nil, c, Filter{}) }, "%T", shape)
	}
	assert.PanicsWithValue(t, "physics: Space.CastShape: a nil *hull.Hull", func() {
		s.CastShape(ShapeCast{Shape: (*hull.Hull)(nil), Motion: geom.V(1, 0, 0)}, Filter{})
	})
}

func TestCastShapeCulls(t *testing.T) {
	for name, shape := range map[string]Shape{"plane": ground, "mesh": groundMesh} {
		s := spaceOf(shape)
		for _, up := range []bool{false, true} {
			c := ShapeCast{Shape: unitBox, Transform: geom.At(0, 3, 0), Motion: geom.V(0, -1, 0)}
			if up {
				c.Transform, c.Motion = geom.At(0, -3, 0), geom.V(0, 1, 0)
			}
			assert.Equal(t, !up, s.CastShapeAny(c, Filter{Cull: geom.CullBack}), name)
			assert.Equal(t, up, s.CastShapeAny(c, Filter{Cull: geom.CullFront}), name)
			h, ok := s.CastShape(c, Filter{})
			assert.True(t, ok, name)
			assert.Equal(t, up, h.BackFace, name)
		}
	}
}

func TestClosestOfEqualShapeHits(t *testing.T) {
	s := NewSpace()
	var ids []ColliderID
	for i := range 20 {
		ids = append(ids, s.Add(Collider{Shape: unitShapes["AABB"], Transform: geom.At(float32(i%5)*2, 0, float32(i/5)*2)}))
	}
	c := ShapeCast{Shape: geom.Box{HalfExtents: geom.V(50, 1, 50)}, Transform: geom.At(0, 9, 0), Motion: geom.V(0, -1, 0)}
	h, ok := s.CastShape(c, Filter{})
	require.True(t, ok)
	assert.Equal(t, ids[0], h.Collider)
	for i, h := range s.CastShapeAll(nil, c, Filter{}) {
		assert.Equal(t, ids[i], h.Collider)
	}
	h, _ = s.CastShape(c, Filter{Exclude: ids[:3]})
	assert.Equal(t, ids[3], h.Collider)
}

// TestNoBulletPassesAWall shoots bullets of several shapes at 1,000 m/s, cast for one tick of 1/60
// s, at walls of 1 cm among other colliders, anywhere within a kilometre and rotated at random.
func TestNoBulletPassesAWall(t *testing.T) {
	testenv.NoRace(t)
	const thick, length = 0.01, 1000.0 / 60
	total := testenv.Count(t, "HITSCAN_CASTS", 60_000)
	r := testenv.Rand(5, 7)
	signed := func() float32 { return r.Float32()*2 - 1 }
	layer := mustMesh([]geom.Vec3{{X: -1, Y: -1}, {X: 1, Y: -1}, {X: 1, Y: 1}, {X: -1, Y: 1}}, []uint32{0, 1, 2, 0, 2, 3})
	walls := []struct {
		name  string
		shape Shape
	}{{"box", unitBox}, {"closed mesh", boxMesh}, {"single layer", layer}, {"plane", geom.Plane{Normal: geom.V(0, 0, 1)}},
		{"hull", boxHull}, {"compound", NewCompound(Child{unitBox, geom.Transform{}})}}
	bullets := []Shape{geom.Sphere{Radius: 0.005}, geom.Sphere{}, geom.Capsule{A: geom.V(0, 0, -0.01), B: geom.V(0, 0, 0.01), Radius: 0.003},
		geom.Box{HalfExtents: geom.V(0.004, 0.004, 0.01)}, geom.AABBAround(geom.Vec3{}, geom.V(0.003, 0.003, 0.003)),
		mustHull([]geom.Vec3{{X: 0.003}, {X: -0.003}, {Y: 0.003}, {Y: -0.003}, {Z: 0.01}, {Z: -0.01}})}
	for _, wall := range walls {
		t.Run(wall.name, func(t *testing.T) {
			for range total / 30 / len(walls) {
				s := NewSpace()
				at := geom.V(signed()*1000, signed()*1000, signed()*1000)
				turn := geom.QuatEuler(r.Float64()*6, r.Float64()*6, r.Float64()*6)
				for range 20 { // colliders for the tree to sort, all behind the wall
					s.Add(Collider{Shape: unitSphere, Transform: geom.Transform{Position: at.Add(turn.Rotate(geom.V(signed()*50, signed()*50, -30-20*r.Float32())))}})
				}
				id := s.Add(Collider{Shape: wall.shape, Transform: geom.Transform{Position: at, Rotation: turn, Scale: geom.V(5, 5, thick/2)}})
				for range 30 {
					// From in front of the wall to behind it, with the middle of the wall anywhere
					// on the path.
					way := geom.V(signed()*0.3, signed()*0.3, -1).Normalize().Mul(length)
					part := 0.02 + 0.96*r.Float32()
					start := at.Add(turn.Rotate(geom.V(signed()*4, signed()*4, 0).Sub(way.Mul(part))))
					c := ShapeCast{Shape: bullets[r.IntN(len(bullets))], Motion: turn.Rotate(way), MaxT: 1,
						Transform: geom.Transform{Position: start, Rotation: turn}}
					h, ok := s.CastShape(c, Filter{})
					require.True(t, ok && h.Collider == id, "lost: %+v", c)
					// Within a kilometre positions and the wall's frame are rounded about four
					// times, by up to √3·2⁻¹⁵ m, and the path leads into the wall at an angle of at
					// least 67°.
					const off = 4 * 1.7320508 * 0x1p-15 / (0.92 * length)
					require.LessOrEqual(t, h.T, part+off)
					require.True(t, s.CastShapeAny(c, Filter{}))
				}
			}
		})
	}
}

func TestCastShapeAllocatesNothing(t *testing.T) {
	s := newScene(200, geom.Vec3{}, 1)
	s.add(Collider{Shape: ground})
	for name, shape := range map[string]Shape{
		"sphere": unitSphere, "capsule": unitCapsule, "box": geom.Box{HalfExtents: geom.V(1, 1, 1), Rotation: geom.QuatEuler(1, 2, 3)}, "AABB": unitAABB, "hull": testHulls[3],
	} {
		c := ShapeCast{Shape: shape, Transform: geom.Transform{Position: geom.V(-9, 1, 2), Scale: geom.V(0.1, 0.2, 0.3)}, Motion: geom.V(1, 0.1, 0.2)}
		f := Filter{Predicate: func(id ColliderID) bool { return id != 0 }}
		dst := s.space.CastShapeAll(nil, c, f)
		testenv.Drawn(t, len(dst), 0, name)
		testenv.AllocatesNothing(t, 50, func() {
			s.space.CastShape(c, f)
			s.space.CastShapeAny(c, f)
			dst = s.space.CastShapeAll(dst[:0], c, f)
			s.space.CastShape(ShapeCast{Shape: geom.Sphere{Radius: c.Motion.X}, Motion: c.Motion}, f)
		}, name)
	}
}

func BenchmarkCastShape(b *testing.B) {
	s, rays := benchWorld(10_000)
	for _, way := range []float32{1, 100} {
		for _, shape := range []Shape{geom.Sphere{Radius: 0.5}, geom.Capsule{B: geom.V(0, 1, 0), Radius: 0.5}, geom.Box{HalfExtents: geom.V(0.5, 0.5, 0.5), Rotation: geom.QuatEuler(1, 2, 3)}, testHulls[0]} {
			cast := func(i int) ShapeCast {
				r := rays[i%len(rays)]
				return ShapeCast{Shape: shape, Transform: geom.Transform{Position: r.Origin}, Motion: r.Dir, MaxT: way}
			}
			name := fmt.Sprintf("%T/%gm", shape, way)
			b.Run("tree/"+name, func(b *testing.B) {
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					s.space.CastShape(cast(i), Filter{})
				}
			})
			b.Run("any/"+name, func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					s.space.CastShapeAny(cast(i), Filter{})
				}
			})
			b.Run("brute/"+name, func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					c := cast(i)
					var w sweep
					var best ShapeHit
					w.start(s.space, &c)
					found := false
					s.space.placed(func(r *record) { found = w.castBefore(r, &Filter{}, &best, found) || found })
				}
			})
		}
	}
}

func TestCompareShapeHits(t *testing.T) {
	low := ShapeHit{T: 1, Collider: 1, Child: -1, Triangle: -1}
	for _, high := range []ShapeHit{
		{T: 2, Child: -1, Triangle: -1}, {T: 1, Collider: 2, Child: -1, Triangle: -1},
		{T: 1, Collider: 1, Triangle: -1}, {T: 1, Collider: 1, Child: -1},
	} {
		assert.Equal(t, -1, low.Compare(high))
		assert.Equal(t, 1, high.Compare(low))
		assert.Zero(t, high.Compare(high))
	}
}

// FuzzCastShape casts shapes of any size and scale from anywhere: the three questions agree, and
// hits are finite and in range.
func FuzzCastShape(f *testing.F) {
	f.Add(uint8(0), float32(0), float32(5), float32(0), float32(0), float32(-1), float32(0), float32(0.5), float32(1), float32(1), float32(0), float32(0), uint8(0))
	f.Add(uint8(1), float32(-9), float32(0.25), float32(1), float32(3), float32(0), float32(0.01), float32(2), float32(1e-3), float32(-4), float32(0.5), float32(9), uint8(1))
	f.Add(uint8(2), float32(1), float32(1), float32(1), float32(0), float32(0), float32(0), float32(1), float32(1e4), float32(0), float32(1), float32(0), uint8(2))
	f.Add(uint8(3), float32(1e30), float32(1), float32(-1e30), float32(-1e30), float32(0), float32(1e30), float32(1e-30), float32(1e10), float32(3), float32(0), infinity, uint8(0))
	f.Add(uint8(4), float32(0), float32(5), float32(0), float32(0), float32(-1), float32(0), float32(1), float32(0), float32(2), float32(0), float32(0), uint8(0))
	f.Add(uint8(0), nan, float32(1), float32(1), float32(0), nan, float32(0), float32(1), float32(1), float32(0), nan, float32(0), uint8(0))
	s := newScene(40, geom.Vec3{}, 1)
	s.add(Collider{Shape: ground})
	f.Fuzz(func(t *testing.T, kind uint8, x, y, z, mx, my, mz, size, stretch, turn, minT, maxT float32, start uint8) {
		c := ShapeCast{
			Transform: geom.Transform{Position: geom.V(x, y, z), Rotation: geom.Quat{X: turn, W: 1}, Scale: geom.V(1, stretch, 1)},
			Motion:    geom.V(mx, my, mz), MinT: minT, MaxT: maxT, Start: ShapeStartMode(start % 3),
		}
		c.Shape = [...]Shape{
			geom.Sphere{Radius: size}, geom.Capsule{B: geom.V(turn, size, 1), Radius: size},
			geom.Box{HalfExtents: geom.V(size, 1, stretch), Rotation: geom.Quat{Y: stretch, W: 1}}, geom.AABBAround(geom.V(stretch, 0, 0), geom.V(size, 1, size)),
			testHulls[kind/5%4],
		}[kind%5]
		h, ok := s.space.CastShape(c, Filter{})
		require.Equal(t, ok, s.space.CastShapeAny(c, Filter{}))
		all := s.space.CastShapeAll(nil, c, Filter{})
		require.Equal(t, ok, len(all) > 0)
		require.Equal(t, s.space.castEach(c, Filter{}), all)
		if !ok {
			return
		}
		require.Equal(t, all[0], h)
		lo, hi := geom.Ray{MinT: minT, MaxT: maxT}.Range()
		require.True(t, lo <= h.T && h.T <= hi, "%v", h.T)
		for _, h := range all {
			require.True(t, h.Depth >= 0 && h.Normal.IsFinite() && h.Point.IsFinite() && h.PointOnShape.IsFinite(), "%+v", h)
		}
	})
}

// A shape far longer than thick stops where any other does, and does not overlap what it is beside.
func TestCastShapeOfNeedles(t *testing.T) {
	s := NewSpace()
	s.Add(Collider{Shape: geom.AABB{Min: geom.V(4.75, 2.668, 6.74), Max: geom.V(6.678, 3.52, 8.2)}})
	for _, length := range []float32{1e2, 1e3, 1e4, 1e5, 1e6, 3e6, 1e7, 1.08e7, 3e7, 1e8} {
		h, ok := s.CastShape(ShapeCast{
			Shape:     testHulls[2], // 2 m wide
			Transform: geom.Transform{Position: geom.V(9, -20, 0.6666667), Rotation: geom.Quat{X: -6, W: 1}, Scale: geom.V(1, length, 1)},
			Motion:    geom.V(-1555, 219.66666, 0),
		}, Filter{})
		require.True(t, ok, length)
		assert.False(t, h.Overlaps, length)
		assert.InDelta(t, (9-1-6.678)/1555, h.T, 1e-9, length)
		assert.InDelta(t, 1, h.Normal.X, 1e-6, length)
	}
}

// requireEndsAt requires that a cast with MaxT equal to the T of its hit has the same hit, and with
// the next smaller MaxT none. It reports whether the cast without a limit hits.
func requireEndsAt[H any](t *testing.T, cast func(maxT float32) (hit H, at float32, ok bool)) bool {
	h, at, ok := cast(0)
	if ok {
		again, _, ok := cast(at)
		require.True(t, ok)
		require.Equal(t, h, again)
		_, _, ok = cast(math.Nextafter32(at, 0))
		require.False(t, ok)
	}
	return ok
}

// A ray or a shape that is cast again with MaxT equal to the T of its hit has the same hit, and
// with the next smaller MaxT it has not.
func TestCastAgainWithMaxT(t *testing.T) {
	testenv.NoRace(t)
	all := map[string]Shape{
		"turned box": geom.Box{HalfExtents: geom.V(1, 1, 1), Rotation: geom.QuatEuler(1, 2, 3)}, "long capsule": geom.Capsule{A: geom.V(0, -1, 0), B: geom.V(0, 1, 0), Radius: 1},
		"plane": geom.XPlane(1), "cube": mustMesh(mesh.Box(geom.V(1, 1, 1))), "ball of triangles": mustMesh(mesh.Icosphere(1, 2)), "uneven hull": testHulls[2],
	}
	maps.Copy(all, unitShapes)
	for name, s := range all {
		for _, scale := range []geom.Vec3{geom.V(1, 1, 1), geom.V(1.3, 0.8, -1.1)} {
			r := testenv.Rand(71, uint64(len(name)))
			space := NewSpace()
			space.Add(Collider{Shape: s, Transform: geom.Transform{Rotation: geom.QuatEuler(0.3, 0.1, 0.2), Scale: scale}})
			met := 0
			for range 200 {
				o := geom.V(r.Float32()*2+4, r.Float32()-0.5, r.Float32()-0.5)
				ray := geom.NewRay(o, geom.V(-1, r.Float32()*0.2-0.1, r.Float32()*0.2-0.1))
				for _, f := range []Filter{{}, {Start: geom.Exit}} {
					if f.Start == geom.Exit {
						// Within most shapes.
						ray.Origin = geom.V(0.1, r.Float32()*0.2-0.1, r.Float32()*0.2-0.1)
					}
					hit := requireEndsAt(t, func(maxT float32) (Hit, float32, bool) {
						ray.MaxT = maxT
						h, ok := space.CastRay(ray, f)
						batch := space.CastRays(nil, []geom.Ray{ray}, f)[0]
						require.Equal(t, ok, batch.Collider != 0)
						if ok {
							require.Equal(t, h, batch)
						}
						return h, h.T, ok
					})
					if hit {
						met++
					}
				}
				c := ShapeCast{Shape: geom.Capsule{B: geom.V(0, 0.3, 0), Radius: 0.2}, Transform: geom.Transform{Position: o}, Motion: ray.Dir}
				hit := requireEndsAt(t, func(maxT float32) (ShapeHit, float32, bool) {
					c.MaxT = maxT
					h, ok := space.CastShape(c, Filter{})
					return h, h.T, ok
				})
				if hit {
					met++
				}
			}
			testenv.Drawn(t, met, 200, name)
		}
	}
}

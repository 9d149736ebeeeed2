package physics

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// One test for each convention in the package's documentation, on every shape that it concerns.

var (
	unitCapsule = geom.Capsule{A: geom.V(0, -0.5, 0), B: geom.V(0, 0.5, 0), Radius: 0.5}
	boxMesh     = mustMesh(mesh.Box(geom.V(1, 1, 1)))
	boxHull     = mustHull(boxCorners(geom.V(1, 1, 1)))
	groundMesh  = mustMesh(mesh.Plane(1, 1, 1, 1))
)

// unitShapes all reach from −1 to 1 on the Y axis.
var unitShapes = map[string]Shape{
	"AABB":      unitAABB,
	"box":       unitBox,
	"sphere":    unitSphere,
	"capsule":   unitCapsule,
	"cylinder":  geom.Cylinder(geom.V(0, -1, 0), geom.V(0, 1, 0), 1),
	"cone":      geom.Cone{A: geom.V(0, -1, 0), B: geom.V(0, 1, 0), RadiusA: 1},
	"tapered":   geom.TaperedCapsule{A: geom.V(0, -0.25, 0), B: geom.V(0, 0.5, 0), RadiusA: 0.75, RadiusB: 0.5},
	"mesh":      boxMesh,
	"hull":      boxHull,
	"compound":  NewCompound(Child{unitSphere, geom.At(0, 0, 0)}),
	"ellipsoid": NewCompound(Child{geom.Sphere{Radius: 2}, geom.Transform{Scale: geom.V(1, 0.5, 2)}}),
}

// solids are those of them that have an inside.
var solids = map[string]Shape{
	"AABB": unitAABB, "box": unitBox, "sphere": unitSphere, "capsule": unitCapsule, "hull": boxHull,
	"cylinder": unitShapes["cylinder"], "cone": unitShapes["cone"], "tapered": unitShapes["tapered"], "compound": unitShapes["compound"], "ellipsoid": unitShapes["ellipsoid"],
}

func spaceOf(shapes ...Shape) *Space {
	s := NewSpace()
	for _, shape := range shapes {
		s.Add(Collider{Shape: shape})
	}
	return s
}

func TestConventionAxesAndWinding(t *testing.T) {
	// Right-handed with Y up: X × Y = Z, and a triangle that goes counter-clockwise seen from above
	// has its front above.
	assert.Equal(t, geom.Z.Unit(), geom.X.Unit().Cross(geom.Y.Unit()))
	triangle := mustMesh([]geom.Vec3{{X: -1, Z: 1}, {X: 1, Z: 1}, {Z: -1}}, []uint32{0, 1, 2})
	hit, ok := spaceOf(triangle).CastRay(down(0, 0), Filter{Cull: geom.CullBack})
	require.True(t, ok)
	assert.False(t, hit.BackFace)
	assert.Equal(t, geom.V(0, 1, 0), hit.Normal)
	// Radians, counter-clockwise: a quarter turn about Y takes X to −Z.
	s := NewSpace()
	s.Add(Collider{Shape: geom.Sphere{Center: geom.V(2, 0, 0), Radius: 0.1},
		Transform: geom.Transform{Rotation: geom.QuatAxisAngle(geom.V(0, 1, 0), math.Pi/2)}})
	assert.True(t, s.CastRayAny(down(0, -2), Filter{}))
}

func TestConventionRayParameter(t *testing.T) {
	for name, shape := range unitShapes {
		t.Run(name, func(t *testing.T) {
			s := spaceOf(shape)
			for _, tt := range []struct {
				name string
				ray  geom.Ray
				t    float32 // −1: a miss
			}{
				{"unit", down(0, 0), 9},
				{"Dir twice as long", geom.NewRay(geom.V(0, 10, 0), geom.V(0, -2, 0)), 4.5},
				{"segment", geom.Segment(geom.V(0, 9, 0), geom.V(0, -7, 0)), 0.5},
				{"segment ends before", geom.Segment(geom.V(0, 9, 0), geom.V(0, 2, 0)), -1},
				{"ends at the surface", geom.Ray{Origin: geom.V(0, 10, 0), Dir: geom.V(0, -1, 0), MaxT: 9}, 9},
				{"ends before", geom.Ray{Origin: geom.V(0, 10, 0), Dir: geom.V(0, -1, 0), MaxT: 8.99}, -1},
				{"begins at the surface", geom.Ray{Origin: geom.V(0, 10, 0), Dir: geom.V(0, -1, 0), MinT: 9}, 9},
				{"begins behind", geom.Ray{Origin: geom.V(0, 10, 0), Dir: geom.V(0, -1, 0), MinT: 11.01}, -1},
				{"points away", geom.NewRay(geom.V(0, 10, 0), geom.V(0, 1, 0)), -1},
			} {
				hit, ok := s.CastRay(tt.ray, Filter{})
				assert.Equal(t, tt.t >= 0, ok, tt.name)
				assert.Equal(t, ok, s.CastRayAny(tt.ray, Filter{}), tt.name)
				if ok {
					assert.InDelta(t, tt.t, hit.T, 1e-6, tt.name)
					assert.Less(t, hit.Point.Distance(geom.V(0, 1, 0)), float32(1e-6), tt.name)
				}
			}
		})
	}
}

func TestConventionInvalidRaysMiss(t *testing.T) {
	inf := infinity
	rays := map[string]geom.Ray{
		"zero Ray":        {},
		"zero Dir":        {Origin: geom.V(0, 0, 0)},
		"NaN origin":      {Origin: geom.V(0, nan, 0), Dir: geom.V(0, -1, 0)},
		"NaN Dir":         {Origin: geom.V(0, 5, 0), Dir: geom.V(0, nan, 0)},
		"infinite origin": {Origin: geom.V(0, inf, 0), Dir: geom.V(0, -1, 0)},
		"infinite Dir":    {Origin: geom.V(0, 5, 0), Dir: geom.V(0, -inf, 0)},
		"NaN MinT":        {Origin: geom.V(0, 5, 0), Dir: geom.V(0, -1, 0), MinT: nan},
		"NaN MaxT":        {Origin: geom.V(0, 5, 0), Dir: geom.V(0, -1, 0), MaxT: nan},
		"empty range":     {Origin: geom.V(0, 5, 0), Dir: geom.V(0, -1, 0), MinT: 7, MaxT: 3},
		"negative MaxT":   {Origin: geom.V(0, 5, 0), Dir: geom.V(0, -1, 0), MaxT: -1},
		"infinite MinT":   {Origin: geom.V(0, 5, 0), Dir: geom.V(0, -1, 0), MinT: inf},
	}
	s := spaceOf(unitAABB, unitBox, unitSphere, unitCapsule, boxMesh, boxHull, ground, unitShapes["ellipsoid"])
	for name, r := range rays {
		t.Run(name, func(t *testing.T) {
			_, ok := s.CastRay(r, Filter{})
			assert.False(t, ok)
			assert.False(t, s.CastRayAny(r, Filter{}))
			assert.Empty(t, s.CastRayAll(nil, r, Filter{}))
			for range s.Hits(r, Filter{}) {
				assert.Fail(t, "a hit")
			}
		})
	}
}

func TestConventionOriginInside(t *testing.T) {
	r := geom.NewRay(geom.V(0, 0, 0), geom.V(0, 2, 0))
	r.MinT = 0.125
	for name, shape := range solids {
		t.Run(name, func(t *testing.T) {
			s := spaceOf(shape)
			hit, ok := s.CastRay(r, Filter{Start: geom.Solid})
			require.True(t, ok)
			assert.Equal(t, float32(0.125), hit.T)
			assert.Equal(t, geom.V(0, 0.25, 0), hit.Point)
			assert.Equal(t, geom.V(0, -1, 0), hit.Normal)
			assert.True(t, hit.Inside)

			hit, ok = s.CastRay(r, Filter{Start: geom.Exit})
			require.True(t, ok)
			assert.InDelta(t, 0.5, hit.T, 1e-6)
			assert.InDelta(t, -1, hit.Normal.Y, 1e-6)
			assert.True(t, hit.BackFace)
			assert.False(t, hit.Inside)

			_, ok = s.CastRay(r, Filter{Start: geom.Ignore})
			assert.False(t, ok)
		})
	}
}

func TestConventionNormal(t *testing.T) {
	s := NewSpace()
	for i, shape := range []Shape{unitAABB, unitBox, unitSphere, unitCapsule, boxHull, boxMesh, ground, unitShapes["ellipsoid"]} {
		s.Add(Collider{Shape: shape, Layer: 1 << i,
			Transform: geom.Transform{Rotation: geom.QuatEuler(1, 2, 3), Scale: geom.V(1, 2, -1)}})
	}
	directions := []geom.Vec3{{X: 1}, {Y: -1}, {X: 1, Y: 2, Z: 3}, {X: -1, Y: 0.1, Z: 0.2}, {X: 0.3, Y: -1, Z: 5}}
	for i := range 8 {
		for _, d := range directions {
			r := geom.NewRay(d.Mul(-9), d)
			for _, inside := range []geom.StartMode{geom.Solid, geom.Exit} {
				for _, r := range []geom.Ray{r, {Origin: r.Origin, Dir: r.Dir, MinT: 9}} {
					hit, ok := s.CastRay(r, Filter{Mask: 1 << i, Start: inside})
					if !ok {
						assert.Contains(t, []int{5, 6}, i, "only surfaces are missed from within")
						continue
					}
					assert.InDelta(t, 1, hit.Normal.Len(), 1e-6)
					assert.LessOrEqual(t, hit.Normal.Dot(d), float32(1e-6))
				}
			}
		}
	}
}

func TestConventionBackFaces(t *testing.T) {
	for name, shape := range map[string]Shape{"mesh": groundMesh, "plane": ground,
		"compound": NewCompound(Child{Shape: groundMesh})} {
		t.Run(name, func(t *testing.T) {
			s := spaceOf(shape)
			for _, tt := range []struct {
				up   float32
				cull geom.Cull
				hit  bool
			}{
				{-1, geom.CullNone, true}, {1, geom.CullNone, true},
				{-1, geom.CullBack, true}, {1, geom.CullBack, false},
				{-1, geom.CullFront, false}, {1, geom.CullFront, true},
			} {
				r := geom.NewRay(geom.V(0.3, -tt.up, 0.2), geom.V(0, tt.up, 0))
				hit, ok := s.CastRay(r, Filter{Cull: tt.cull})
				assert.Equal(t, tt.hit, ok)
				assert.Equal(t, ok, s.CastRayAny(r, Filter{Cull: tt.cull}))
				if ok {
					assert.Equal(t, tt.up > 0, hit.BackFace)
					assert.Equal(t, geom.V(0, -tt.up, 0), hit.Normal)
				}
			}
		})
	}
}

func TestConventionClosedSurfaces(t *testing.T) {
	t.Run("rays in faces, along edges and through corners", func(t *testing.T) {
		for _, shape := range []Shape{unitAABB, unitBox, boxHull} {
			s := spaceOf(shape)
			for _, y := range []float32{-1, 0, 1} {
				for _, z := range []float32{-1, 0, 1} {
					hit, ok := s.CastRay(geom.NewRay(geom.V(-5, y, z), geom.V(1, 0, 0)), Filter{})
					assert.True(t, ok, "%v %v", y, z)
					assert.Equal(t, float32(4), hit.T)
					_, ok = s.CastRay(geom.NewRay(geom.V(-3, y-2, z), geom.V(1, 1, 0)), Filter{})
					assert.True(t, ok, "slanting, %v %v", y, z)
				}
			}
			assert.True(t, s.CastRayAny(geom.NewRay(geom.V(-2, 0, 1), geom.V(1, 1, 0)), Filter{}), "at an edge alone")
			assert.True(t, s.CastRayAny(geom.NewRay(geom.V(-2, 0, -1), geom.V(1, 1, 2)), Filter{}), "at a corner alone")
		}
	})
	t.Run("rays that graze", func(t *testing.T) {
		for _, name := range []string{"sphere", "capsule", "ellipsoid"} {
			assert.True(t, spaceOf(unitShapes[name]).CastRayAny(geom.NewRay(geom.V(-5, 1, 0), geom.V(1, 0, 0)), Filter{}), name)
		}
		assert.True(t, spaceOf(ground).CastRayAny(geom.NewRay(geom.V(-5, 0, 0), geom.V(1, 0, 0)), Filter{}), "in a plane")
	})
	t.Run("volumes that touch", func(t *testing.T) {
		shapes := map[string]Shape{"plane": geom.Plane{Normal: geom.V(0, 1, 0), D: 1}}
		for name, shape := range unitShapes {
			shapes[name] = shape
		}
		for name, shape := range shapes {
			s := spaceOf(shape)
			assert.Len(t, s.OverlapAABB(nil, geom.AABBAround(geom.V(0, 2, 0), geom.V(1, 1, 1)), Filter{}), 1, name)
			assert.Len(t, s.OverlapBox(nil, geom.Box{Center: geom.V(0, 2, 0), HalfExtents: geom.V(1, 1, 1)}, Filter{}), 1, name)
			assert.Len(t, s.OverlapSphere(nil, geom.Sphere{Center: geom.V(0, 2, 0), Radius: 1}, Filter{}), 1, name)
			assert.Len(t, s.OverlapPoint(nil, geom.V(0, 1, 0), Filter{}), 1, name)
			_, ok := s.Nearest(geom.V(0, 1, 0), 0, Filter{})
			assert.True(t, ok, name)
			assert.Empty(t, s.OverlapAABB(nil, geom.AABBAround(geom.V(0, 2.001, 0), geom.V(1, 1, 1)), Filter{}), name)
		}
	})
}

// TestConventionClosestOfEquals puts everything at the same T and builds the space in many orders.
func TestConventionClosestOfEquals(t *testing.T) {
	compound := NewCompound(Child{Shape: geom.Sphere{Radius: 0.5}}, Child{Shape: boxMesh}, Child{Shape: unitSphere})
	shapes := []Shape{boxMesh, unitSphere, compound, unitBox, boxHull, unitAABB, geom.Plane{Normal: geom.V(0, 1, 0), D: 1}}
	for first := range shapes {
		s := NewSpace()
		// So that the tree has something to sort.
		far := s.Add(Collider{Shape: unitBox, Transform: geom.At(100, 0, 0)})
		var ids []ColliderID
		for i := range shapes {
			ids = append(ids, s.Add(Collider{Shape: shapes[(first+i)%len(shapes)]}))
		}
		for i := len(ids) - 1; i >= 0; i-- { // and leaves come into the tree in another order
			s.SetTransform(ids[i], geom.At(50, 0, 0))
			s.SetTransform(ids[i], geom.Transform{})
		}
		hit, ok := s.CastRay(down(0, 0), Filter{})
		require.True(t, ok)
		assert.Equal(t, ids[0], hit.Collider)
		assert.Equal(t, float32(9), hit.T)
		all := s.CastRayAll(nil, down(0, 0), Filter{})
		assert.Equal(t, hit, all[0])
		for i := 1; i < len(all); i++ {
			assert.Equal(t, -1, all[i-1].Compare(all[i]))
			assert.Equal(t, 1, all[i].Compare(all[i-1]))
			assert.Equal(t, 0, all[i].Compare(all[i]))
		}
		n, ok := s.Nearest(geom.V(0, 5, 0), infinity, Filter{})
		require.True(t, ok)
		assert.Equal(t, ids[0], n.Collider)
		assert.NotEqual(t, far, n.Collider)
	}
	// Of children the lowest, of triangles the lowest: the ray goes through the diagonal of a face.
	s := spaceOf(compound)
	hit, _ := s.CastRay(down(0, 0), Filter{})
	assert.Equal(t, int32(1), hit.Child)
	n, _ := s.Nearest(geom.V(0, 5, 0), infinity, Filter{})
	assert.Equal(t, int32(1), n.ChildA)
	assert.Equal(t, hit.Triangle, n.TriangleA)
	all := s.CastRayAll(nil, down(0, 0), Filter{})
	assert.Less(t, hit.Triangle, all[1].Triangle)
	assert.Equal(t, hit.T, all[1].T)
}

func TestConventionAllHits(t *testing.T) {
	s := NewSpace()
	plane := s.Add(Collider{Shape: ground, User: 1})
	ball := s.Add(Collider{Shape: unitSphere, Transform: geom.At(0, 5, 0), User: 2})
	box := s.Add(Collider{Shape: boxMesh, Transform: geom.At(0.1, -5, 0.2), User: 3})
	pair := s.Add(Collider{Shape: NewCompound(Child{unitBox, geom.At(0, 4, 0)}, Child{unitBox, geom.At(0, -4, 0)}), User: 4,
		Transform: geom.At(0, -10, 0)})
	type hit struct {
		t    float32
		id   ColliderID
		part int32
		user uint64
	}
	got := []hit{}
	for _, h := range s.CastRayAll(nil, down(0, 0), Filter{}) {
		got = append(got, hit{h.T, h.Collider, h.Child, h.User})
	}
	assert.Equal(t, []hit{
		{4, ball, -1, 2},   // a solid once
		{10, plane, -1, 1}, // a surface once
		{14, box, -1, 3},   // a mesh with both its sides
		{15, pair, 0, 4},   // and a compound with each child
		{16, box, -1, 3},
		{23, pair, 1, 4},
	}, got)
}

func TestConventionScale(t *testing.T) {
	t.Run("T is the world's", func(t *testing.T) {
		for name, shape := range unitShapes {
			for _, scale := range []geom.Vec3{{X: 3, Y: 3, Z: 3}, {X: -3, Y: 3, Z: 3}, {X: 1, Y: 3, Z: 2}, {X: 1, Y: -3, Z: 0.1}} {
				s := NewSpace()
				s.Add(Collider{Shape: shape, Transform: geom.Transform{Scale: scale}})
				hit, ok := s.CastRay(down(0, 0), Filter{})
				require.True(t, ok, name)
				assert.InDelta(t, 7, hit.T, 1e-5, "%s scaled by %v", name, scale)
				assert.InDelta(t, 1, hit.Normal.Y, 1e-5)
			}
		}
	})
	t.Run("normals go by the inverse transpose", func(t *testing.T) {
		// A roof of 45° that is made three times as wide is one of atan(1/3).
		roof := mustMesh([]geom.Vec3{{X: -1, Z: 1}, {Y: 1, Z: 1}, {Y: 1, Z: -1}, {X: -1, Z: -1}}, []uint32{0, 1, 2, 0, 2, 3})
		s := NewSpace()
		s.Add(Collider{Shape: roof, Transform: geom.Transform{Scale: geom.V(3, 1, 1)}})
		hit, ok := s.CastRay(down(-1, 0.3), Filter{})
		require.True(t, ok)
		want := geom.V(-1, 3, 0).Normalize()
		assert.Less(t, hit.Normal.Distance(want), float32(1e-6))
	})
	t.Run("a non-uniformly scaled sphere is an ellipsoid", func(t *testing.T) {
		s := NewSpace()
		s.Add(Collider{Shape: unitSphere, Transform: geom.Transform{Scale: geom.V(4, 1, 1)}})
		assert.True(t, s.CastRayAny(down(3.9, 0), Filter{}))
		assert.False(t, s.CastRayAny(down(0, 1.1), Filter{}))
		assert.Len(t, s.OverlapPoint(nil, geom.V(3.9, 0, 0), Filter{}), 1)
		assert.Empty(t, s.OverlapPoint(nil, geom.V(3.9, 0.5, 0), Filter{}))
		n, ok := s.Nearest(geom.V(10, 0, 0), infinity, Filter{})
		require.True(t, ok)
		assert.Less(t, n.PointA.Distance(geom.V(4, 0, 0)), float32(1e-5))
	})
}

func TestConventionAABBNeverTurns(t *testing.T) {
	eighth := geom.At(10, 0, 0)
	eighth.Rotation, eighth.Scale = geom.QuatAxisAngle(geom.V(0, 1, 0), math.Pi/4), geom.V(2, 1, -1)
	for name, place := range map[string]func(Shape) Collider{
		"alone":         func(s Shape) Collider { return Collider{Shape: s, Transform: eighth} },
		"as a child":    func(s Shape) Collider { return Collider{Shape: NewCompound(Child{Shape: s}), Transform: eighth} },
		"turned within": func(s Shape) Collider { return Collider{Shape: NewCompound(Child{s, eighth})} },
	} {
		t.Run(name, func(t *testing.T) {
			turning, stiff := NewSpace(), NewSpace()
			turning.Add(place(unitBox))
			id := stiff.Add(place(geom.AABB{Min: geom.V(-1, -1, -1), Max: geom.V(1, 1, 3)}))
			b, _ := stiff.Bounds(id)
			assert.Equal(t, geom.AABB{Min: geom.V(8, -1, -3), Max: geom.V(12, 1, 1)}, b, "position and scale, mirror too")
			corner := down(11.95, 0.95)
			assert.True(t, stiff.CastRayAny(corner, Filter{}))
			assert.False(t, turning.CastRayAny(corner, Filter{}))
			along := down(10+1.3, -1.3) // along the turned box's long axis
			assert.True(t, turning.CastRayAny(along, Filter{}))
		})
	}
	// A child follows the rotation of its compound.
	s := NewSpace()
	s.Add(Collider{Shape: NewCompound(Child{unitAABB, geom.At(5, 0, 0)}),
		Transform: geom.Transform{Rotation: geom.QuatAxisAngle(geom.V(0, 1, 0), math.Pi/2)}})
	assert.True(t, s.CastRayAny(down(0.9, -5.9), Filter{}))
}

func TestConventionSolidsAndSurfaces(t *testing.T) {
	small := geom.Sphere{Radius: 0.1}
	for name, shape := range solids {
		assert.Len(t, spaceOf(shape).OverlapSphere(nil, small, Filter{}), 1, name)
		n, ok := spaceOf(shape).Nearest(geom.Vec3{}, infinity, Filter{})
		assert.True(t, ok)
		assert.Zero(t, n.Distance, name)
	}
	assert.Empty(t, spaceOf(boxMesh).OverlapSphere(nil, small, Filter{}), "nothing is in a mesh")
	n, ok := spaceOf(boxMesh).Nearest(geom.Vec3{}, infinity, Filter{})
	assert.True(t, ok)
	assert.Equal(t, float32(1), n.Distance)
	below := geom.Sphere{Center: geom.V(0, -1, 0), Radius: 0.5}
	assert.Empty(t, spaceOf(ground).OverlapSphere(nil, below, Filter{}), "nor under a plane")
	_, ok = spaceOf(boxMesh).CastRay(geom.Ray{Dir: geom.V(0, 1, 0), MaxT: 0.5}, Filter{})
	assert.False(t, ok, "a ray does not start in a mesh")
}

func TestConventionFreshness(t *testing.T) {
	s := NewSpace()
	sees := func(want bool, r geom.Ray) {
		t.Helper()
		assert.Equal(t, want, s.CastRayAny(r, Filter{}))
		p := r.At(10)
		assert.Equal(t, want, len(s.OverlapPoint(nil, p, Filter{})) > 0)
	}
	sees(false, down(0, 0))
	id := s.Add(Collider{Shape: unitBox})
	sees(true, down(0, 0))
	require.True(t, s.SetTransform(id, geom.At(5, 0, 0)))
	sees(false, down(0, 0))
	sees(true, down(5, 0))
	require.True(t, s.Set(id, Collider{Shape: geom.Sphere{Center: geom.V(9, 0, 0), Radius: 1}}))
	sees(false, down(5, 0))
	sees(true, down(9, 0))
	require.True(t, s.Set(id, Collider{Shape: unitBox, Sensor: true}))
	sees(false, down(0, 0))
	require.True(t, s.Set(id, Collider{Shape: unitBox}))
	sees(true, down(0, 0))
	require.True(t, s.Remove(id))
	sees(false, down(0, 0))
}

func TestConventionErrors(t *testing.T) {
	s := NewSpace()
	assert.PanicsWithValue(t, "physics: Space.Add: no shape", func() { s.Add(Collider{}) })
	id := s.Add(Collider{Shape: unitBox})
	require.True(t, s.Remove(id))
	assert.False(t, s.SetTransform(id, geom.Transform{}))
	lost := s.Add(Collider{Shape: unitBox, Transform: geom.At(nan, 0, 0)})
	assert.True(t, s.IsNowhere(lost))
	assert.Equal(t, 1, s.Len())
}

package physics

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

var tenCube = boxFrustum(geom.Transform{}, geom.DVec3{}, geom.DVec3{X: 10, Y: 10, Z: 10})

func TestFrustumQueries(t *testing.T) {
	at := geom.At
	scaled := func(x, y, z, sx, sy, sz float32) geom.Transform {
		return geom.Transform{Position: geom.V(x, y, z), Scale: geom.V(sx, sy, sz)}
	}
	shell, err := mesh.New(mesh.Icosphere(1, 2))
	require.NoError(t, err)
	vertices, indices := mesh.Icosphere(1, 2)
	for i := range len(vertices) { // another 20 m to the right
		vertices = append(vertices, vertices[i].Add(geom.V(20, 0, 0)))
	}
	for i := range len(indices) {
		indices = append(indices, indices[i]+uint32(len(vertices)/2))
	}
	islands := mustMesh(vertices, indices)
	for _, tt := range []struct {
		name             string
		c                Collider
		overlaps, inside bool
	}{
		{"box within", Collider{Shape: unitBox, Transform: at(5, 5, 5)}, true, true},
		{"box in a corner", Collider{Shape: unitBox, Transform: at(1, 1, 1)}, true, true},
		{"box through a face", Collider{Shape: unitBox, Transform: at(0, 5, 5)}, true, false},
		{"box touching a face", Collider{Shape: unitBox, Transform: at(-1, 5, 5)}, true, false},
		{"box touching an edge", Collider{Shape: unitAABB, Transform: at(-1, -1, 5)}, true, false},
		{"box touching a corner", Collider{Shape: unitAABB, Transform: at(-1, -1, -1)}, true, false},
		{"box beside", Collider{Shape: unitBox, Transform: at(-1.001, 5, 5)}, false, false},
		{"box around it all", Collider{Shape: unitBox, Transform: scaled(5, 5, 5, 50, 50, 50)}, true, false},
		{"sphere within", Collider{Shape: unitSphere, Transform: at(9, 9, 9)}, true, true},
		{"sphere through a face", Collider{Shape: unitSphere, Transform: at(9.5, 5, 5)}, true, false},
		{"sphere touching", Collider{Shape: unitSphere, Transform: at(5, 11, 5)}, true, false},
		{"sphere beside", Collider{Shape: unitSphere, Transform: at(5, 11.001, 5)}, false, false},
		{"sphere beside a corner, its bounds within", Collider{Shape: unitSphere, Transform: at(10.6, 10.6, 10.6)}, false, false},
		{"sphere reaching a corner", Collider{Shape: unitSphere, Transform: at(10.57, 10.57, 10.57)}, true, false},
		{"sphere around it all", Collider{Shape: geom.Sphere{Radius: 100}}, true, false},
		{"point in a corner", Collider{Shape: geom.Sphere{}}, true, true},
		{"capsule reaching in", Collider{Shape: geom.Capsule{B: geom.V(0, 9, 0), Radius: 0.5}, Transform: at(5, -9.4, 5)}, true, false},
		{"capsule past an edge", Collider{Shape: geom.Capsule{A: geom.V(-3, 3, 0), B: geom.V(3, -3, 0), Radius: 0.5}, Transform: at(-.4, -.4, 5)}, false, false},
		{"ellipsoid within", Collider{Shape: unitSphere, Transform: scaled(5, 5, 5, 5, 1, 2)}, true, true},
		{"ellipsoid reaching in", Collider{Shape: unitSphere, Transform: scaled(-4.9, 5, 5, 5, 1, 2)}, true, false},
		{"ellipsoid past an edge", Collider{Shape: unitSphere, Transform: scaled(-4.2, -4.2, 5, 5, 5, 1)}, false, false},
		{"cylinder within", Collider{Shape: unitShapes["cylinder"], Transform: scaled(5, 5, 5, 5, 1, 2)}, true, true},
		{"cone within", Collider{Shape: unitShapes["cone"], Transform: at(9, 9, 9)}, true, true},
		{"cone, its apex alone reaching in", Collider{Shape: unitShapes["cone"], Transform: at(5, -0.9, 5)}, true, false},
		{"cone past an edge, its bounds within", Collider{Shape: unitShapes["cone"], Transform: at(-0.6, -0.6, 5)}, false, false},
		{"tapered capsule reaching in", Collider{Shape: unitShapes["tapered"], Transform: scaled(-1.4, 5, 5, 2, 1, 1)}, true, false},
		{"tapered capsule past", Collider{Shape: unitShapes["tapered"], Transform: scaled(-1.6, 5, 5, 2, 1, 1)}, false, false},
		{"plane through", Collider{Shape: geom.Plane{Normal: geom.V(0, 1, 0), D: 10}}, true, false},
		{"plane past a corner", Collider{Shape: geom.Plane{Normal: geom.V(1, 1, 1), D: 30.001}}, false, false},
		{"plane through a corner", Collider{Shape: geom.Plane{Normal: geom.V(1, 1, 1), D: 30}}, true, false},
		{"hull within", Collider{Shape: boxHull, Transform: at(5, 5, 5)}, true, true},
		{"hull in a corner", Collider{Shape: boxHull, Transform: at(1, 1, 1)}, true, true},
		{"hull touching a corner", Collider{Shape: boxHull, Transform: at(-1, -1, -1)}, true, false},
		{"hull beside a corner, its bounds within", Collider{Shape: testHulls[0], Transform: at(10.4, 10.4, 10.4)}, false, false},
		{"hull reaching a corner", Collider{Shape: testHulls[0], Transform: at(10.33, 10.33, 10.33)}, true, false},
		{"hull around it all", Collider{Shape: boxHull, Transform: scaled(5, 5, 5, 50, 50, 50)}, true, false},
		{"mesh within", Collider{Shape: shell, Transform: at(5, 5, 5)}, true, true},
		{"mesh through a face", Collider{Shape: shell, Transform: at(5, 5, 10)}, true, false},
		{"mesh around it all, which is a surface", Collider{Shape: shell, Transform: scaled(5, 5, 5, 50, 50, 50)}, false, false},
		{"mesh that is solid at the corner only by its bounds", Collider{Shape: shell, Transform: at(10.6, 10.6, 10.6)}, false, false},
		{"mesh, half of it within", Collider{Shape: islands, Transform: at(5, 5, 5)}, true, false},
		{"mesh to both sides", Collider{Shape: islands, Transform: at(-5, 5, 5)}, false, false},
		{"compound, both within", Collider{Shape: NewCompound(Child{unitBox, at(3, 3, 3)}, Child{unitSphere, at(7, 7, 7)})}, true, true},
		{"compound, one within", Collider{Shape: NewCompound(Child{unitBox, at(3, 3, 3)}, Child{unitSphere, at(17, 7, 7)})}, true, false},
		{"compound around the frustum", Collider{Shape: NewCompound(Child{unitBox, at(-3, 3, 3)}, Child{unitSphere, at(17, 7, 7)})}, false, false},
		{"compound with a plane", Collider{Shape: NewCompound(Child{unitBox, at(3, 3, 3)}, Child{Shape: ground})}, true, false},
		{"compound, the other nowhere", Collider{Shape: NewCompound(Child{unitBox, at(3, 3, 3)}, Child{unitSphere, at(nan, 7, 7)})}, true, true},
		{"nowhere", Collider{Shape: unitBox, Transform: at(nan, 5, 5)}, false, false},
		{"empty", Collider{Shape: geom.EmptyAABB(), Transform: at(5, 5, 5)}, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := NewSpace()
			want := []ColliderID{s.Add(tt.c)}
			got := s.OverlapFrustum(nil, &tenCube, Filter{})
			assert.Equal(t, tt.overlaps, slices.Equal(got, want), "overlaps: %v", got)
			got = s.ContainedInFrustum(nil, &tenCube, Filter{})
			assert.Equal(t, tt.inside, slices.Equal(got, want), "inside: %v", got)
		})
	}
}

// TestPlanesAtCorners lets planes touch the frustum in each of its corners, and pass it by.
func TestPlanesAtCorners(t *testing.T) {
	place := geom.Transform{Position: geom.V(3, 4, 5), Rotation: geom.QuatEuler(0.5, 1, 2)}
	f := viewFrustum(place, [4]float64{0.5, 1, 0.7, 0.3}, 1, 9)
	corners, ok := f.Corners()
	require.True(t, ok)
	for i, c := range corners {
		// The direction in which the corner is the support point: out of all three of its faces.
		var out geom.DVec3
		for _, h := range f {
			if math.Abs(h.Normal.Dot(c)-h.D) < 1e-9 {
				out = out.Sub(h.Normal)
			}
		}
		n := out.Narrow()
		for _, tt := range []struct {
			gap  float64
			want int
		}{{-0.01, 1}, {0.01, 0}} {
			at := c.AddMul(tt.gap, out.Normalize())
			for _, plane := range []geom.Plane{{Normal: n, D: float32(n.Wide().Dot(at))}, {Normal: n.Neg(), D: float32(-n.Wide().Dot(at))}} {
				s := spaceOf(plane)
				assert.Len(t, s.OverlapFrustum(nil, &f, Filter{}), tt.want, "corner %d, gap %g", i, tt.gap)
			}
		}
	}
}

func TestFrustumQueriesHeedTheFilter(t *testing.T) {
	s := NewSpace()
	a := s.Add(Collider{Shape: unitBox, Transform: geom.At(5, 5, 5), Layer: 2})
	b := s.Add(Collider{Shape: unitSphere, Transform: geom.At(4, 5, 5), Sensor: true})
	c := s.Add(Collider{Shape: unitBox, Transform: geom.At(6, 5, 5)})
	s.Add(Collider{Shape: unitBox, Transform: geom.At(60, 5, 5)})
	for name, query := range map[string]func([]ColliderID, *geom.Frustum, Filter) []ColliderID{
		"overlap": s.OverlapFrustum, "inside": s.ContainedInFrustum,
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, []ColliderID{a, c}, query(nil, &tenCube, Filter{}))
			assert.Equal(t, []ColliderID{99, a, b, c}, query([]ColliderID{99}, &tenCube, Filter{Sensors: true}))
			assert.Equal(t, []ColliderID{a}, query(nil, &tenCube, Filter{Mask: 2}))
			assert.Equal(t, []ColliderID{c}, query(nil, &tenCube, Filter{Exclude: []ColliderID{a}}))
			var asked []ColliderID
			query(nil, &tenCube, Filter{Predicate: func(id ColliderID) bool { asked = append(asked, id); return true }})
			assert.ElementsMatch(t, []ColliderID{a, c}, asked, "only what is in it and seen")
		})
	}
}

func TestFrustaThatAreNone(t *testing.T) {
	s := NewSpace()
	id := s.Add(Collider{Shape: geom.Sphere{Radius: 1e9}})
	s.Add(Collider{Shape: ground})
	nothing, damaged, everything, crossed := tenCube, tenCube, geom.Frustum{}, tenCube
	nothing[3] = geom.HalfSpace{D: math.Inf(1)}
	damaged[2].D = math.NaN()
	crossed[0].D = 11
	for i := range everything {
		everything[i].D = math.Inf(-1)
	}
	for name, f := range map[string]*geom.Frustum{"a half-space without points": &nothing, "NaN": &damaged, "inside out": &crossed} {
		assert.Empty(t, s.OverlapFrustum(nil, f, Filter{}), name)
		assert.Empty(t, s.ContainedInFrustum(nil, f, Filter{}), name)
	}
	assert.Len(t, s.OverlapFrustum(nil, &everything, Filter{}), 2)
	assert.Equal(t, []ColliderID{id}, s.ContainedInFrustum(nil, &everything, Filter{}), "a plane is inside of nothing")
}

// A frustum may be flat, as a marquee is that was drawn without a width.
func TestFlatFrustum(t *testing.T) {
	s := NewSpace()
	through := s.Add(Collider{Shape: geom.Box{HalfExtents: geom.V(1, 1, 1), Rotation: geom.QuatEuler(1, 2, 3)}, Transform: geom.At(0.3, 0, -5)})
	s.Add(Collider{Shape: unitBox, Transform: geom.At(3, 0, -5)})
	ball := s.Add(Collider{Shape: unitSphere, Transform: geom.At(0.9, 0.5, -50)})
	eye := geom.Transform{Rotation: geom.QuatAxisAngle(geom.V(0, 1, 0), 0.01)}
	for _, tangents := range [][4]float64{{-0.01, 0.01, 1, 1}, {-0.01, 0.01, -0.01, 0.01}} {
		f := viewFrustum(eye, tangents, 0.1, 100)
		assert.Equal(t, []ColliderID{through, ball}, s.OverlapFrustum(nil, &f, Filter{}))
		assert.Empty(t, s.ContainedInFrustum(nil, &f, Filter{}))
	}
}

// Without a far plane no collider is too far away, and what is behind the camera is still outside.
func TestOpenFrustum(t *testing.T) {
	s := NewSpace()
	var want []ColliderID
	for _, z := range []float32{-2, -1e3, -1e9, -1e20, -1e30} {
		for _, shape := range []Shape{unitBox, unitSphere, boxMesh, boxHull, geom.Capsule{A: geom.V(0, 1, 0), Radius: 0.5}} {
			scale := max(1, -z/100)
			c := Collider{Shape: shape, Transform: geom.Transform{Position: geom.V(-z, 0, z), Scale: geom.V(scale, scale, scale)}}
			want = append(want, s.Add(c)) // across the right edge
			c.Transform.Position.Z = -z
			s.Add(c)
		}
	}
	f := viewFrustum(geom.Transform{}, [4]float64{1, 1, 1, 1}, 0.1, math.Inf(1))
	assert.Equal(t, want, s.OverlapFrustum(nil, &f, Filter{}))
	assert.Empty(t, s.ContainedInFrustum(nil, &f, Filter{}))
	plane := s.Add(Collider{Shape: geom.Plane{Normal: geom.V(0, 0, 1), D: -1e30}})
	s.Add(Collider{Shape: geom.Plane{Normal: geom.V(0, 0, 1), D: 1}})
	// Far ahead, to the left of the camera.
	slanting := s.Add(Collider{Shape: geom.Plane{Normal: geom.V(-1, 0, 0.9), D: 1}})
	assert.Equal(t, append(want, plane, slanting), s.OverlapFrustum(nil, &f, Filter{}))
}

func drawFrustum(t *rapid.T) geom.Frustum {
	place := geom.Transform{Position: drawPoint(t, 8), Rotation: drawRotation(t)}
	tangent := rapid.Float64Range(0.05, 2)
	tangents := [4]float64{tangent.Draw(t, "left"), tangent.Draw(t, "right"), tangent.Draw(t, "bottom"), tangent.Draw(t, "top")}
	near := rapid.Float64Range(0.1, 3).Draw(t, "near")
	far := near + rapid.Float64Range(0.5, 20).Draw(t, "depth")
	switch rapid.IntRange(0, 4).Draw(t, "frustum") {
	case 0: // to one side of the axis, as a marquee
		tangents[0] = 0.04 - tangents[1]
	case 1:
		far = math.Inf(1)
	case 2:
		half := geom.DVec3{X: tangents[0] * 4, Y: tangents[1] * 4, Z: far}
		return boxFrustum(place, half.Neg(), half)
	case 3: // any six
		var f geom.Frustum
		for i := range f {
			n := drawPoint(t, 2).Wide().Add(geom.DVec3{X: 0.1, Y: 0.2, Z: 0.3}).Normalize()
			f[i] = geom.HalfSpace{Normal: n, D: n.Dot(place.Position.Wide()) - float64(drawCoordinate(t, 4))}
		}
		return f
	}
	return viewFrustum(place, tangents, near, far)
}

// requireInFrustum compares the answers with the twin, except for colliders within e metres of the
// limit between two answers.
func requireInFrustum(t require.TestingT, s *Space, w twin, f *geom.Frustum, e float64) (overlapping, inside int) {
	seen := s.OverlapFrustum(nil, f, Filter{Sensors: true})
	whole := s.ContainedInFrustum(nil, f, Filter{Sensors: true})
	require.True(t, slices.IsSorted(seen))
	require.True(t, slices.IsSorted(whole))
	smaller, larger := movedOut(*f, -e), movedOut(*f, e)
	for id, c := range w {
		must, mustWhole := frustumTwin(c, &smaller, false)
		may, mayWhole := frustumTwin(c, &larger, true)
		got, gotWhole := slices.Contains(seen, id), slices.Contains(whole, id)
		require.False(t, must && !got || !may && got, "%v overlaps %v: %v, %v, %v", c, f, must, got, may)
		require.False(t, mustWhole && !gotWhole || !mayWhole && gotWhole, "%v is inside %v: %v, %v, %v", c, f, mustWhole, gotWhole, mayWhole)
	}
	return len(seen), len(whole)
}

func TestFrustumAgainstTwin(t *testing.T) {
	testenv.NoRace(t)
	overlapping, inside := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		s, w := NewSpace(), twin{}
		for range 8 {
			c := drawCollider(t)
			w[s.Add(c)] = c
		}
		f := drawFrustum(t)
		n, m := requireInFrustum(t, s, w, &f, 1e-4)
		overlapping, inside = overlapping+n, inside+m
	})
	if !testing.Short() {
		assert.Greater(t, overlapping, 20) // TestFrustumFarAway has those that are inside
		assert.Positive(t, inside)
	}
}

// TestFrustumFarAway does the same far from the origin, where single precision resolves a
// millimetre, and for tiny and huge colliders.
func TestFrustumFarAway(t *testing.T) {
	testenv.Long(t)
	for _, tt := range []struct {
		name   string
		center geom.Vec3
		unit   float32
		e      float64
	}{
		{"near", geom.Vec3{}, 1, 1e-4}, {"far away", geom.V(1e5, -2e4, 3e5), 1, 0.5},
		{"tiny", geom.Vec3{}, 1e-3, 1e-7}, {"huge", geom.Vec3{}, 1e6, 100},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newScene(60, tt.center, tt.unit)
			overlapping, inside := 0, 0
			for i := range 6 {
				eye := geom.Transform{Position: tt.center.Add(s.vec(8)), Rotation: s.transform(0).Rotation}
				f := viewFrustum(eye, [4]float64{1, 0.5, 0.7, 0.2 + float64(i)/4}, 0.1*float64(tt.unit), 12*float64(tt.unit))
				n, m := requireInFrustum(t, s.space, s.twin, &f, tt.e)
				overlapping, inside = overlapping+n, inside+m
			}
			assert.Positive(t, overlapping)
			assert.Positive(t, inside)
		})
	}
}

// TestFrustumOfMeshes tests meshes of some hundred triangles, so that whole boxes of their trees
// are skipped.
func TestFrustumOfMeshes(t *testing.T) {
	testenv.Long(t)
	shell := mustMesh(mesh.Icosphere(1, 2))
	r := &scene{Rand: testenv.Rand(7, 8), unit: 1}
	overlapping, inside := 0, 0
	// At least 15, and as many more as it takes to find three that overlap, whatever the seed.
	tries := 0
	for ; tries < 15 || overlapping < 3 && tries < 300; tries++ {
		c := Collider{Shape: shell, Transform: r.transform(1)}
		s, w := NewSpace(), twin{}
		w[s.Add(c)] = c
		eye := geom.Transform{Position: r.vec(2), Rotation: r.transform(0).Rotation}
		tangent := 0.2 + r.Float64()
		f := viewFrustum(eye, [4]float64{tangent, tangent, tangent, -tangent / 2}, 0.1, 1+4*r.Float64())
		n, m := requireInFrustum(t, s, w, &f, 1e-4)
		overlapping, inside = overlapping+n, inside+m
	}
	testenv.Drawn(t, overlapping, 2)
	assert.Less(t, overlapping, tries-2)
	assert.Less(t, inside, overlapping)
}

func TestFrustumQueriesAllocateNothing(t *testing.T) {
	testenv.NoRace(t)
	s := newScene(200, geom.Vec3{}, 1).space
	s.Add(Collider{Shape: ground})
	ids, overlapping := make([]ColliderID, 0, s.Len()), 0
	testenv.AllocatesNothing(t, 20, func() {
		f := viewFrustum(geom.At(0, 0, 9), [4]float64{1, 1, 1, 1}, 0.1, 12)
		ids = s.OverlapFrustum(ids[:0], &f, Filter{})
		overlapping = len(ids)
		ids = s.ContainedInFrustum(ids[:0], &f, Filter{})
	})
	assert.NotEmpty(t, ids)
	assert.Greater(t, overlapping, len(ids), "the ground is seen and not contained")
}

func BenchmarkOverlapFrustum(b *testing.B) {
	s, ids := newScene(20000, geom.Vec3{}, 1), []ColliderID(nil)
	f := viewFrustum(geom.At(0, 0, 9), [4]float64{0.6, 0.6, 0.4, 0.4}, 0.1, 12)
	for b.Loop() {
		ids = s.space.OverlapFrustum(ids[:0], &f, Filter{})
	}
	b.ReportMetric(float64(len(ids)), "found")
}

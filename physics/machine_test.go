package physics

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

var nan = float32(math.NaN())

func mustMesh(vertices []geom.Vec3, indices []uint32) *mesh.Mesh {
	m, err := mesh.New(vertices, indices)
	if err != nil {
		panic(err)
	}
	return m
}

var testMeshes = []*mesh.Mesh{
	mustMesh(
		[]geom.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}},
		[]uint32{0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5}), // octahedron
	// The same triangle twice.
	mustMesh([]geom.Vec3{{X: -1}, {X: 1}, {Y: 2}}, []uint32{0, 1, 2, 0, 1, 2}),
}

func mustHull(points []geom.Vec3) *hull.Hull {
	h, err := hull.New(points)
	if err != nil {
		panic(err)
	}
	return h
}

// boxCorners returns the corners of a box around the origin.
func boxCorners(half geom.Vec3) (corners []geom.Vec3) {
	for i := range 8 {
		corners = append(corners, geom.V(float32(i&1*2-1), float32(i&2-1), float32(i>>2*2-1)).MulVec(half))
	}
	return corners
}

func ballPoints(subdivisions int) []geom.Vec3 {
	points, _ := mesh.Icosphere(1, subdivisions)
	return points
}

var testHulls = []*hull.Hull{
	mustHull([]geom.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}}),
	mustHull([]geom.Vec3{{X: -1}, {X: 1}, {Y: 2}, {Y: 1, Z: 1}}),
	mustHull(boxCorners(geom.V(1, 0.5, 2))),
	mustHull(ballPoints(1)), // has more vertices than a linear search is used for
}

// drawCoordinate returns a coordinate in metres that is often an integer, so that colliders touch.
func drawCoordinate(t *rapid.T, span int) float32 {
	if rapid.Bool().Draw(t, "whole") {
		return float32(rapid.IntRange(-span, span).Draw(t, "n"))
	}
	return rapid.Float32Range(float32(-span), float32(span)).Draw(t, "x")
}

func drawPoint(t *rapid.T, span int) geom.Vec3 {
	return geom.V(drawCoordinate(t, span), drawCoordinate(t, span), drawCoordinate(t, span))
}

func drawRotation(t *rapid.T) geom.Quat {
	switch rapid.IntRange(0, 3).Draw(t, "rotation") {
	case 0:
		axis := rapid.SampledFrom([]geom.Axis{geom.X, geom.Y, geom.Z}).Draw(t, "axis")
		return geom.QuatAxisAngle(axis.Unit(), math.Pi/2)
	case 1:
		return geom.Quat{X: drawCoordinate(t, 1), Y: drawCoordinate(t, 1), Z: drawCoordinate(t, 1), W: 1}.Normalize()
	}
	return geom.Quat{}
}

func drawTransform(t *rapid.T) geom.Transform {
	x := geom.Transform{Position: drawPoint(t, 8), Rotation: drawRotation(t)}
	factor := rapid.SampledFrom([]float32{0.5, 1, 2, -1, -2})
	switch rapid.IntRange(0, 5).Draw(t, "scale") {
	case 0: // uniform, possibly mirrored
		s := factor.Draw(t, "s")
		x.Scale = geom.V(s, s, -s)
	case 1:
		x.Scale = geom.V(factor.Draw(t, "x"), factor.Draw(t, "y"), factor.Draw(t, "z"))
	case 2:
		x.Scale = geom.V(1, rapid.SampledFrom([]float32{0, 0.1, 3, nan}).Draw(t, "y"), 1)
	}
	return x
}

func drawSimpleShape(t *rapid.T) Shape {
	switch rapid.IntRange(0, 8).Draw(t, "shape") {
	case 0:
		return geom.AABB{Min: drawPoint(t, 1), Max: drawPoint(t, 2)} // may be empty
	case 1:
		return geom.Box{Center: drawPoint(t, 1), HalfExtents: drawPoint(t, 2).Abs(), Rotation: drawRotation(t)}
	case 2:
		return geom.Sphere{Center: drawPoint(t, 1), Radius: drawCoordinate(t, 1) + 1}
	case 3:
		return geom.Capsule{A: drawPoint(t, 1), B: drawPoint(t, 1), Radius: drawCoordinate(t, 1) + 1}
	case 4:
		if rapid.IntRange(0, 2).Draw(t, "plane") == 0 {
			return geom.Plane{Normal: drawPoint(t, 1), D: drawCoordinate(t, 2)}
		}
	case 7:
		return geom.Cone{A: drawPoint(t, 1), B: drawPoint(t, 1), RadiusA: drawCoordinate(t, 1) + 1, RadiusB: drawCoordinate(t, 1) + 1}
	case 8:
		return geom.TaperedCapsule{A: drawPoint(t, 1), B: drawPoint(t, 1), RadiusA: drawCoordinate(t, 1) + 1, RadiusB: drawCoordinate(t, 1) + 1}
	case 5:
		return rapid.SampledFrom(testHulls).Draw(t, "hull")
	}
	return rapid.SampledFrom(testMeshes).Draw(t, "mesh")
}

func drawCollider(t *rapid.T) Collider {
	c := Collider{
		Transform: drawTransform(t),
		Layer:     Layers(rapid.IntRange(0, 3).Draw(t, "layer")),
		Mask:      Layers(rapid.IntRange(0, 3).Draw(t, "mask")),
		Sensor:    rapid.IntRange(0, 4).Draw(t, "sensor") == 0,
		Static:    rapid.Bool().Draw(t, "static"),
		User:      rapid.Uint64().Draw(t, "user"),
	}
	if rapid.IntRange(0, 4).Draw(t, "compound") > 0 {
		c.Shape = drawSimpleShape(t)
		return c
	}
	children := make([]Child, rapid.IntRange(0, 3).Draw(t, "children"))
	for i := range children {
		children[i] = Child{drawSimpleShape(t), drawTransform(t)}
	}
	c.Shape = NewCompound(children...)
	return c
}

func drawRay(t *rapid.T) geom.Ray {
	r := geom.NewRay(drawPoint(t, 12), drawPoint(t, 2))
	if rapid.Bool().Draw(t, "limited") {
		r.MinT, r.MaxT = rapid.Float32Range(0, 2).Draw(t, "minT"), rapid.Float32Range(0, 12).Draw(t, "maxT")
	}
	return r
}

func drawFilter(t *rapid.T, ids []ColliderID) Filter {
	f := Filter{
		Start: geom.StartMode(rapid.IntRange(0, 2).Draw(t, "inside")),
		Cull:  geom.Cull(rapid.IntRange(0, 2).Draw(t, "cull")),
	}
	if rapid.Bool().Draw(t, "plain") {
		return f
	}
	f.OwnLayer = Layers(rapid.IntRange(0, 3).Draw(t, "layer"))
	f.Mask = Layers(rapid.IntRange(0, 3).Draw(t, "mask"))
	f.Sensors = rapid.Bool().Draw(t, "sensors")
	if len(ids) > 0 && rapid.Bool().Draw(t, "exclude") {
		f.Exclude = rapid.SliceOfN(rapid.SampledFrom(ids), 1, 3).Draw(t, "excluded")
	}
	if rapid.Bool().Draw(t, "predicate") {
		f.Predicate = func(id ColliderID) bool { return id%3 != 0 }
	}
	return f
}

// TestAgainstTwin adds, changes, moves and removes colliders at random. After each step it compares
// the queries of the space with those of the twin.
func TestAgainstTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		space, w := NewSpace(), twin{}
		stale := []ColliderID{}
		pick := func(t *rapid.T) (id ColliderID, ok bool) {
			if len(w) == 0 {
				return 0, false
			}
			return rapid.SampledFrom(w.ids()).Draw(t, "id"), true
		}
		add := func(t *rapid.T) {
			c := drawCollider(t)
			id := space.Add(c)
			require.NotContains(t, w, id)
			require.NotContains(t, stale, id)
			w[id] = c
		}
		t.Repeat(map[string]func(*rapid.T){
			"add":   add,
			"add 2": add, // twice as likely, so that the space fills
			"move": func(t *rapid.T) {
				id, ok := pick(t)
				if !ok {
					return
				}
				c := w[id]
				c.Transform = drawTransform(t)
				if rapid.Bool().Draw(t, "a little") {
					c.Transform = w[id].Transform
					c.Transform.Position = c.Transform.Position.Add(drawPoint(t, 1).Mul(0.1))
				}
				require.True(t, space.SetTransform(id, c.Transform))
				w[id] = c
			},
			"set": func(t *rapid.T) {
				id, ok := pick(t)
				if !ok {
					return
				}
				w[id] = drawCollider(t)
				require.True(t, space.Set(id, w[id]))
			},
			"remove": func(t *rapid.T) {
				id, ok := pick(t)
				if !ok {
					return
				}
				require.True(t, space.Remove(id))
				delete(w, id)
				stale = append(stale, id)
			},
			"clear": func(t *rapid.T) {
				if rapid.IntRange(0, 9).Draw(t, "clear") > 0 {
					return // so that the space is seldom empty
				}
				space.Clear()
				stale = append(stale, w.ids()...)
				clear(w)
			},
			"": func(t *rapid.T) {
				require.NoError(t, space.Validate())
				require.Equal(t, len(w), space.Len())
				for _, id := range stale {
					_, ok := space.Collider(id)
					require.False(t, ok)
					require.False(t, space.Remove(id))
				}
				f := drawFilter(t, append(w.ids(), stale...))
				requireSameCasts(t, space, w, drawRay(t), f)
				requireSameVolumes(t, space, w, f)
			},
		})
	})
}

func (w twin) ids() []ColliderID {
	ids := []ColliderID{}
	for id := range w {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// requireSameCasts compares all four casts and returns the number of hits.
func requireSameCasts(t require.TestingT, space *Space, w twin, r geom.Ray, f Filter) int {
	want := w.castAll(space, r, f)
	require.Equal(t, want, space.CastRayAll([]Hit{}, r, f), "all %v", r)

	hit, ok := space.CastRay(r, f)
	require.Equal(t, len(want) > 0, ok, "closest %v", r)
	require.Equal(t, len(want) > 0, space.CastRayAny(r, f), "any %v", r)
	if ok {
		require.Equal(t, want[0], hit, "closest %v", r)
	}

	got := []Hit{}
	for h := range space.Hits(r, f) {
		got = append(got, h)
	}
	require.Equal(t, want, got, "iterated %v", r)
	for h := range space.Hits(r, f) {
		require.Equal(t, want[0], h)
		break
	}
	return len(want)
}

func requireSameVolumes(t *rapid.T, space *Space, w twin, f Filter) {
	box := geom.AABB{Min: drawPoint(t, 8), Max: drawPoint(t, 8)}
	if !box.IsEmpty() {
		require.Equal(t, w.overlap(box, f), space.OverlapAABB([]ColliderID{}, box, f), "%v", box)
	}
	turned := geom.Box{Center: drawPoint(t, 8), HalfExtents: drawPoint(t, 3).Abs(), Rotation: drawRotation(t)}
	require.Equal(t, w.overlap(turned, f), space.OverlapBox([]ColliderID{}, turned, f), "%v", turned)
	ball := geom.Sphere{Center: drawPoint(t, 8), Radius: drawCoordinate(t, 3) + 3}
	require.Equal(t, w.overlap(ball, f), space.OverlapSphere([]ColliderID{}, ball, f), "%v", ball)
	point := geom.Sphere{Center: drawPoint(t, 8)}
	require.Equal(t, w.overlap(point, f), space.OverlapPoint([]ColliderID{}, point.Center, f), "%v", point)

	at := drawPoint(t, 12)
	maxDistance := rapid.SampledFrom([]float32{0, 1, 5, float32(math.Inf(1))}).Draw(t, "maxDistance")
	want, wantOK := w.closest(at, maxDistance, f)
	got, ok := space.Nearest(at, maxDistance, f)
	require.Equal(t, wantOK, ok, "closest to %v", at)
	require.Equal(t, want, got, "closest to %v", at)
}

package lines

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

var white = RGB(0xffffff)

// solid is a shape that can say how far a point is from its surface.
type solid interface {
	physics.Shape
	SignedDistance(p geom.Vec3) float32
}

func solids(t testing.TB) map[string]solid {
	gem, err := hull.New([]geom.Vec3{{X: 1}, {X: -0.5}, {Y: 2}, {Y: -1}, {Z: 0.7}, {Z: -0.7}, {X: 0.8, Y: 0.5, Z: 0.5}})
	require.NoError(t, err)
	a, b := geom.V(0.1, -1, 0.2), geom.V(0.3, 1.5, -0.4)
	return map[string]solid{
		"box":             geom.Box{Center: geom.V(0.2, 0, -1), HalfExtents: geom.V(1, 2, 3), Rotation: geom.QuatEuler(0.4, 0.3, 0.1)},
		"sphere":          geom.Sphere{Center: geom.V(1, 0, 2), Radius: 1.5},
		"capsule":         geom.Capsule{A: a, B: b, Radius: 0.7},
		"ball of capsule": geom.Capsule{A: a, B: a, Radius: 0.7},
		"tapered":         geom.TaperedCapsule{A: a, B: b, RadiusA: 0.4, RadiusB: 1.1},
		"tapered back":    geom.TaperedCapsule{A: a, B: b, RadiusA: 1.1, RadiusB: 0.4},
		"one in another":  geom.TaperedCapsule{A: a, B: b, RadiusA: 0.2, RadiusB: 4},
		"cylinder":        geom.Cylinder(a, b, 0.5),
		"cone":            geom.Cone{A: a, B: b, RadiusA: 0.9},
		"hull":            gem,
	}
}

// Every end of a line is on the surface of the shape, whatever the scale, and the lines reach as
// far as the shape does, up to the height of an arc over its chord.
func TestShapeIsDrawnOnItsSurface(t *testing.T) {
	for name, s := range solids(t) {
		for _, at := range []geom.Transform{
			{},
			{Position: geom.V(3, 4, 5), Rotation: geom.QuatEuler(1, 0.5, 0.2)},
			{Position: geom.V(-3, 4, 5), Rotation: geom.QuatEuler(1, 0.5, 0.2), Scale: geom.V(2, -0.5, 3)},
		} {
			var l List
			l.Shape(s, at, white)
			require.NotZero(t, l.Len(), name)
			back, ok := at.Affine().Inverse()
			require.True(t, ok)
			drawn := geom.EmptyAABB()
			for _, seg := range l.Segments() {
				for _, p := range [...]geom.Vec3{seg.A, seg.B} {
					own := back.Point(p)
					require.InDelta(t, 0, s.SignedDistance(own), 2e-5, "%s %v", name, at)
					drawn = drawn.Union(geom.AABB{Min: own, Max: own})
				}
			}
			// Three great circles of a turned capsule do not pass through its extreme points.
			bounds, slack := s.Bounds(), 0.3*s.Bounds().HalfExtents().Len()
			require.True(t, bounds.Grow(1e-4).Contains(drawn.Min) && bounds.Grow(1e-4).Contains(drawn.Max), name)
			require.Less(t, drawn.Min.Distance(bounds.Min)+drawn.Max.Distance(bounds.Max), slack, name)
		}
	}
}

// An AABB follows position and scale, and never turns, in a compound too.
func TestAABBIsDrawnAsPlaced(t *testing.T) {
	at := geom.Transform{Position: geom.V(3, 4, 5), Rotation: geom.QuatEuler(1, 0.5, 0.2), Scale: geom.V(2, -1, 3)}
	box := geom.AABBAround(geom.V(1, 0, 0), geom.V(1, 2, 3))
	for _, shape := range []physics.Shape{box, physics.NewCompound(physics.Child{Shape: box, Transform: geom.At(1, 1, 1)})} {
		space := physics.NewSpace()
		id := space.Add(physics.Collider{Shape: shape, Transform: at})
		want, ok := space.Bounds(id)
		require.True(t, ok)
		var l List
		l.Space(space, white)
		require.Equal(t, 12, l.Len())
		drawn := geom.EmptyAABB()
		for _, s := range l.Segments() {
			drawn = drawn.Union(geom.AABB{Min: s.A.Min(s.B), Max: s.A.Max(s.B)})
		}
		assert.InDelta(t, 0, want.Min.Distance(drawn.Min)+want.Max.Distance(drawn.Max), 1e-5)
	}
}

func TestPlaneAndMeshAreDrawn(t *testing.T) {
	at := geom.Transform{Position: geom.V(1, 2, 3), Rotation: geom.QuatEuler(0.5, 0.3, 0), Scale: geom.V(1, 2, 1)}
	back, _ := at.Affine().Inverse()
	plane := geom.Plane{Normal: geom.V(0, 3, 4), D: 10}
	var l List
	l.Shape(plane, at, white)
	require.Equal(t, 5+4, l.Len())
	for _, s := range l.Segments()[5:] {
		assert.InDelta(t, 0, plane.SignedDistance(back.Point(s.A)), 1e-5)
		assert.InDelta(t, 2*planeReach, s.A.Distance(s.B), 1e-4)
	}
	m, err := mesh.New(mesh.Torus(2, 0.5, 8, 6))
	require.NoError(t, err)
	l.Clear()
	l.Shape(m, at, white)
	require.Equal(t, 3*m.NumTriangles(), l.Len())
	assert.Equal(t, at.Point(m.Triangle(1).A), l.Segments()[3].A)
	large, err := mesh.New(mesh.UVSphere(1, 150, 100))
	require.NoError(t, err)
	require.Greater(t, large.NumTriangles(), maxTriangles)
	l.Clear()
	l.Shape(large, at, white)
	assert.Equal(t, 12, l.Len())
}

// In a planar space all lines lie in the plane, on the outlines.
func TestPlanarSpaceIsDrawnFlat(t *testing.T) {
	polygon, err := hull.NewPolygon([]geom.Vec3{{X: 1}, {Y: 1}, {X: -1}})
	require.NoError(t, err)
	for name, k := range map[string]struct {
		shape physics.Shape
		lines int
	}{
		"circle":  {geom.Sphere{Radius: 2}, wholeCircle},
		"capsule": {geom.Capsule{A: geom.V(-1, 0, 0), B: geom.V(1, 0, 0), Radius: 0.5}, wholeCircle + 2},
		"box":     {geom.Box{HalfExtents: geom.V(1, 2, 3)}, 4},
		"aabb":    {geom.AABBAround(geom.Vec3{}, geom.V(1, 2, 3)), 4},
		"polygon": {polygon, 3},
		"line":    {geom.Plane{Normal: geom.V(0, 1, 0)}, 6},
		"chain":   {physics.NewCompound(physics.Child{Shape: geom.Capsule{A: geom.V(1, 0, 0), B: geom.V(2, 1, 0)}}), 1},
		"tiles":   {physics.NewTiles(2, 1, 1, func(int, int) bool { return true }), 4},
	} {
		space := physics.NewPlanarSpace()
		id := space.Add(physics.Collider{Shape: k.shape, Transform: geom.At2D(3, 4, 0.5)})
		var l List
		l.Space(space, white)
		assert.Equal(t, k.lines, l.Len(), name)
		bounds, _ := space.Bounds(id)
		for _, s := range l.Segments() {
			assert.LessOrEqual(t, math.Abs(float64(s.A.Z))+math.Abs(float64(s.B.Z)), 0.25, name, "heads of arrows")
			if name != "line" {
				assert.Zero(t, s.A.Z, name)
				assert.True(t, bounds.Grow(1e-4).Contains(s.A), name)
			}
		}
	}
}

func TestShapeThatIsNotDrawn(t *testing.T) {
	nan := float32(math.NaN())
	var l List
	for _, s := range []physics.Shape{
		nil, geom.EmptyAABB(), geom.Sphere{Radius: -1}, geom.Sphere{Radius: nan}, geom.Capsule{Radius: nan}, geom.Cone{}, geom.Plane{},
		geom.Box{HalfExtents: geom.V(-1, 0, 0)}, (*mesh.Mesh)(nil), &mesh.Mesh{}, (*hull.Hull)(nil), &hull.Hull{}, physics.NewCompound(),
	} {
		l.Shape(s, geom.Transform{}, white)
		assert.Zero(t, l.Len(), "%T", s)
	}
	l.Shape(geom.Sphere{Radius: 1}, geom.At(nan, 0, 0), white)
	assert.Zero(t, l.Len())
	assert.PanicsWithValue(t, "lines: Shape: not a shape of a collider", func() { l.Shape(stranger{}, geom.Transform{}, white) })
}

type stranger struct{}

func (stranger) Bounds() geom.AABB { return geom.AABB{} }

// The list is filled again in the memory it has.
func TestSpaceAllocatesNothing(t *testing.T) {
	space := physics.NewSpace()
	for _, s := range solids(t) {
		space.Add(physics.Collider{Shape: s})
	}
	var l List
	testenv.AllocatesNothing(t, 20, func() {
		l.Clear()
		l.Space(space, white)
	})
}

package physics

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// metre lists a shape of each kind that extends from −1 to 1 along Y and has no edge above its
// centre.
var metre = []struct {
	name    string
	shape   Shape
	surface bool // has no inside
}{
	{"AABB", geom.AABBAround(geom.Vec3{}, geom.V(1, 1, 1)), false},
	{"box", geom.Box{HalfExtents: geom.V(1, 1, 1)}, false},
	{"sphere", geom.Sphere{Radius: 1}, false},
	{"capsule", geom.Capsule{A: geom.V(0, -0.5, 0), B: geom.V(0, 0.5, 0), Radius: 0.5}, false},
	{"cylinder", geom.Cylinder(geom.V(0, -1, 0), geom.V(0, 1, 0), 1), false},
	{"frustum", geom.Cone{A: geom.V(0, -1, 0), B: geom.V(0, 1, 0), RadiusA: 1.25, RadiusB: 0.75}, false},
	{"tapered capsule", geom.TaperedCapsule{A: geom.V(0, -0.25, 0), B: geom.V(0, 0.5, 0), RadiusA: 0.75, RadiusB: 0.5}, false},
	{"hull", boxHull, false},
	{"mesh", wideMesh(), true},
	{"compound", NewCompound(
		Child{geom.Box{HalfExtents: geom.V(0.9, 1, 1)}, geom.At(-0.1, 0, 0)},
		Child{geom.Box{HalfExtents: geom.V(0.1, 1, 1)}, geom.At(0.9, 0, 0)}), false},
	{"top plane", geom.Plane{Normal: geom.V(0, 1, 0), D: 1}, true},
	{"bottom plane", geom.Plane{Normal: geom.V(0, 1, 0), D: -1}, true},
}

// wideMesh returns a box of triangles, of which no edge is above or below the origin.
func wideMesh() *mesh.Mesh {
	vertices, indices := mesh.Box(geom.V(2, 1, 2))
	for i := range vertices {
		vertices[i].X += 0.8
	}
	return mustMesh(vertices, indices)
}

// eachMetre calls test with every shape below, and every one above it that is half as wide and
// leaves a gap.
func eachMetre(t *testing.T, gap float32, test func(t *testing.T, below, above Placed)) {
	for _, a := range metre {
		for _, b := range metre {
			_, plane := a.shape.(geom.Plane)
			_, other := b.shape.(geom.Plane)
			if plane && other || a.name == "bottom plane" || b.name == "top plane" {
				continue
			}
			t.Run(a.name+" and "+b.name, func(t *testing.T) {
				test(t, Placed{Shape: a.shape}, Placed{b.shape, geom.Transform{Position: geom.V(0, 2+gap, 0), Scale: geom.V(0.5, 1, 0.5)}})
			})
		}
	}
}

func TestShapesApart(t *testing.T) {
	eachMetre(t, 0.5, func(t *testing.T, a, b Placed) {
		assert.False(t, Overlaps(a, b))
		_, deep := Penetrate(a, b)
		assert.False(t, deep)
		_, near := ClosestPoints(a, b, 0.49)
		assert.False(t, near)
		assert.Empty(t, Collide(nil, a, b, 0.4))
		c, ok := ClosestPoints(a, b, 0.51)
		require.True(t, ok)
		assert.InDelta(t, 0.5, c.Distance, 1e-5)
		assert.InDelta(t, 1, c.PointA.Y, 1e-5)
		assert.InDelta(t, 1.5, c.PointB.Y, 1e-5)
		assert.InDelta(t, 1, c.Normal.Y, 1e-5)
		m := Collide(nil, a, b, 0.6)
		require.NotEmpty(t, m)
		for i := range m {
			assert.LessOrEqual(t, m[i].Depth(), float32(-0.4999))
			if m[i].Depth() > -0.501 {
				assert.InDelta(t, 1, m[i].Normal.Y, 1e-3)
			}
		}
	})
}

func TestShapesTouching(t *testing.T) {
	eachMetre(t, 0, func(t *testing.T, a, b Placed) {
		c, ok := ClosestPoints(a, b, 1e-5)
		require.True(t, ok)
		assert.InDelta(t, 0, c.Distance, 1e-5)
		assert.InDelta(t, 1, c.PointA.Y, 1e-5)
		m := Collide(nil, a, b, 1e-3)
		require.NotEmpty(t, m)
		for i := range m {
			assert.InDelta(t, 0, m[i].Depth(), 1e-3)
		}
	})
}

func TestShapesDeep(t *testing.T) {
	eachMetre(t, -0.25, func(t *testing.T, a, b Placed) {
		assert.True(t, Overlaps(a, b))
		c, ok := ClosestPoints(a, b, 0)
		require.True(t, ok)
		assert.Zero(t, c.Distance)
		p, ok := Penetrate(a, b)
		require.True(t, ok)
		assert.InDelta(t, 0.25, p.Depth, 1e-4)
		assert.InDelta(t, 1, p.Normal.Y, 1e-3)
		deepest := float32(0)
		for _, m := range Collide(nil, a, b, 0) {
			deepest = max(deepest, m.Depth())
			for _, c := range m.ContactPoints() {
				assert.InDelta(t, c.Depth, c.PointA.Sub(c.PointB).Dot(m.Normal), 1e-5)
			}
		}
		assert.InDelta(t, 0.25, deepest, 1e-3)
	})
}

func TestShapeWithinShape(t *testing.T) {
	for _, a := range metre {
		for _, b := range metre {
			if _, plane := b.shape.(geom.Plane); plane {
				continue
			}
			t.Run(b.name+" in "+a.name, func(t *testing.T) {
				outer := Placed{Shape: a.shape}
				inner := Placed{b.shape, geom.Transform{Position: geom.V(0.1, 0.05, 0), Scale: geom.V(0.1, 0.1, 0.1)}}
				if a.name == "compound" {
					inner.Transform.Position.X = 0.3 // in one child alone
				}
				assert.Equal(t, !a.surface, Overlaps(outer, inner))
				p, ok := Penetrate(outer, inner)
				assert.Equal(t, !a.surface, ok)
				if ok {
					// Out through any side takes all of the inner one with it.
					moved := inner
					moved.Transform.Position = inner.Transform.Position.Add(p.Normal.Mul(p.Depth * 1.001))
					if b.name != "mesh" && a.name != "compound" {
						assert.False(t, Overlaps(outer, moved))
					}
				}
			})
		}
	}
}

// TestShapesMoveTogether compares the answers before and after a rigid motion of both shapes.
func TestShapesMoveTogether(t *testing.T) {
	r := testenv.Rand(5, 6)
	apart, deep := 0, 0
	for range 3000 {
		a, b := metre[r.IntN(len(metre))], metre[r.IntN(len(metre))]
		_, plane := a.shape.(geom.Plane)
		_, other := b.shape.(geom.Plane)
		if plane && other || a.name == "AABB" || b.name == "AABB" { // that does not turn
			continue
		}
		turn := func() geom.Quat { return geom.QuatEuler(r.Float64()*6, r.Float64()*6, r.Float64()*6) }
		place := func() geom.Transform {
			s := 0.3 + r.Float32()
			return geom.Transform{
				Position: geom.V(r.Float32()*3, r.Float32()*3, r.Float32()*3), Rotation: turn(), Scale: geom.V(s, s, s)}
		}
		motion := geom.Transform{Position: geom.V(r.Float32()*20, r.Float32()*20, r.Float32()*20), Rotation: turn()}
		carry := func(p Placed) Placed {
			p.Transform.Position = motion.Affine().Point(p.Transform.Position)
			p.Transform.Rotation = motion.Rotation.Mul(p.Transform.Rotation)
			return p
		}
		x, y := Placed{a.shape, place()}, Placed{b.shape, place()}
		p, q := carry(x), carry(y)
		// Coordinates stay below 32 m, where a unit in the last place of single precision is 1.9e-6
		// m. Position, rotation and the placed shape are rounded once each, for both shapes before
		// and after the motion: twelve roundings, each of at most √3 units. 5e-5 m is 26 units.
		const tolerance = 5e-5
		if d, ok := Penetrate(x, y); ok && d.Depth > tolerance && a.name != "mesh" && b.name != "mesh" {
			// The deepest triangle of a mesh may be another one if two are equally deep up to
			// rounding.
			e, ok := Penetrate(p, q)
			require.True(t, ok)
			require.InDelta(t, d.Depth, e.Depth, tolerance)
			deep++
		}
		c, ok := ClosestPoints(x, y, float32(math.Inf(1)))
		require.True(t, ok)
		e, ok := ClosestPoints(p, q, float32(math.Inf(1)))
		require.True(t, ok)
		require.InDelta(t, c.Distance, e.Distance, tolerance)
		if c.Distance > tolerance {
			// The shortest way v between two convex shapes that are changed by δ changes by less
			// than √(4δ·v), so the cosine of its turn is at least 1 − 2δ/v. A mesh may have another
			// triangle as near on another side.
			if a.name != "mesh" && b.name != "mesh" {
				require.InDelta(t, 1, e.Normal.Dot(motion.Rotation.Rotate(c.Normal)), 2*tolerance/float64(c.Distance)+8*0x1p-24)
			}
			apart++
		}
	}
	testenv.Drawn(t, apart, 300)
	testenv.Drawn(t, deep, 300)
}

// FuzzShapes relates two shapes made of any bits: nothing may panic, and the answers must agree.
func FuzzShapes(f *testing.F) {
	f.Add([]byte{0, 84, 84, 84, 116, 116, 116, 100, 116, 100, 0, 2, 100, 116, 100, 116, 100, 100, 100, 0})
	f.Add([]byte{5, 1, 100, 100, 100, 1, 116, 90, 116, 3, 100, 90, 100, 100, 110, 100, 108, 100, 100, 100, 0})
	f.Add([]byte{4, 100, 116, 100, 100, 100, 100, 100, 0, 5, 1, 100, 104, 100, 2, 1, 2, 3, 100})
	f.Fuzz(func(t *testing.T, data []byte) {
		in := source(data)
		answersAgree(t, Placed{in.shape(), in.transform()}, Placed{in.shape(), in.transform()})
	})
}

// TestShapesOfAnyBits does the same with many more shapes, most of them of common sizes.
func TestShapesOfAnyBits(t *testing.T) {
	testenv.NoRace(t)
	r := testenv.Rand(7, 8)
	n := 50_000
	if testing.Short() {
		n = 20_000
	}
	data := make([]byte, 48)
	var a, b Placed
	defer func() {
		if t.Failed() {
			t.Logf("%v\n%v", a, b)
		}
	}()
	for range n {
		wild := r.IntN(10) // how many bytes in 80 make numbers of any bits
		for i := range data {
			if data[i] = byte(r.IntN(200)); r.IntN(80) < wild {
				data[i] = byte(r.IntN(256))
			}
		}
		in := source(data)
		a, b = Placed{in.shape(), in.transform()}, Placed{in.shape(), in.transform()}
		answersAgree(t, a, b)
	}
}

// TestShapesOfExtremeSizes does the same with shapes that are much longer than thick, or near the
// largest number.
func TestShapesOfExtremeSizes(t *testing.T) {
	const most = math.MaxFloat32
	at := func(x, y, z, sx, sy, sz float32) geom.Transform {
		return geom.Transform{Position: geom.V(x, y, z), Scale: geom.V(sx, sy, sz)}
	}
	octahedron, ball := testMeshes[0], testHulls[0]
	turned := geom.Quat{X: 5.125, Y: -0.9375, Z: -5.625, W: 4.3125}
	for _, c := range []struct {
		name string
		a, b Placed
	}{
		{"a point, and a capsule longer by 17 orders",
			Placed{geom.Capsule{A: geom.V(7.7e14, -3.25, -3.25), B: geom.V(-3.25, -3.25, -3.25), Radius: 4.75}, geom.At(-6.25, -6.25, -6.25)},
			Placed{Shape: geom.AABB{Min: geom.V(-12.5, -12.5, -12.5), Max: geom.V(-12.5, -12.5, -12.5)}}},
		{"a mesh so flat that the way back overflows",
			Placed{octahedron, geom.Transform{Rotation: geom.Quat{X: -3.25, Y: -3.25, Z: -3.25, W: -3.25}}},
			Placed{octahedron, at(0, 0, 0, 6.7e-44, -6.25, -6.25)}},
		{"a hull so flat that its faces are opposite except for rounding",
			Placed{ball, at(-3.25, -3.25, -3.25, 1.25, 1.5e-19, 1.25)},
			Placed{geom.Capsule{A: geom.V(-2, -0.125, -6.5), B: geom.V(-6.5, -6.5, 0.1875), Radius: 1.25}, geom.Transform{}}},
		{"a plane, and a mesh as high as numbers are",
			Placed{octahedron, at(-3.25, -3.25, -3.25, -3.25, -most, -3.25)},
			Placed{geom.Plane{Normal: geom.V(-6.25, -6.25, -6.25), D: -6.25}, geom.At(-6.25, -6.25, -6.25)}},
		{"triangles at a needle",
			Placed{octahedron, geom.At(-3.25, -3.25, -3.1875)},
			Placed{ball, at(-3.25, -3.25, -3.25, -4.3e8, -6.25, -6.25)}},
		{"triangles that are needles",
			Placed{ball, at(-3.5, 2.125, 3.1875, 5.875, -0.5625, 3.25)},
			Placed{octahedron, geom.Transform{Position: geom.V(-3.1875, -0.125, 1.1875), Rotation: turned, Scale: geom.V(-1.5306583e13, -6.125, -3.5625)}}},
		{"a sphere as large as numbers are",
			Placed{ball, at(-3.25, -3.25, -3.25, -3.25, -3.25, -3.25)},
			Placed{Shape: geom.Sphere{Center: geom.V(-9.5, -9.5, -9.5), Radius: most}}},
		{"an ellipsoid of 70,000 km that a capsule is 5 m beside",
			Placed{geom.Sphere{Center: geom.V(-4.6875, -2, 1), Radius: 3.9375}, geom.Transform{
				Position: geom.V(-3.1875, 0.5, 5.0625), Rotation: geom.Quat{X: -1.6875, Y: 4.4375, Z: 3.75, W: -3.3125}, Scale: geom.V(-1.6875, -1.8800812e+07, -5.75)}},
			Placed{geom.Capsule{A: geom.V(4.9375, -5.5, 4.3125), B: geom.V(-4.5625, 1.6875, 4.75), Radius: 1.1875}, geom.At(3.625, 3.25, -0.8125)}},
		{"a segment through a rectangle",
			Placed{geom.Capsule{A: geom.V(2.125, -1.8125, -4.375), B: geom.V(-0.1875, 5.375, 3.875)}, geom.At(0.5, -0.75, -2.125)},
			Placed{geom.Box{Center: geom.V(0.375, -3.125, 0.5), HalfExtents: geom.V(0, 3.75, 1.125)},
				geom.Transform{Position: geom.V(0.125, -0.625, -2.6875), Rotation: geom.Quat{X: -5.1875, Y: 6.1875, Z: 2.5625, W: -1.6875}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			answersAgree(t, c.a, c.b)
			answersAgree(t, c.b, c.a)
		})
	}
}

// answersAgree asserts that all answers about two shapes agree.
func answersAgree(t *testing.T, a, b Placed) {
	overlap := Overlaps(a, b)
	require.Equal(t, overlap, Overlaps(b, a))
	p, deep := Penetrate(a, b)
	require.Equal(t, overlap, deep)
	if deep {
		require.GreaterOrEqual(t, p.Depth, float32(0))
	}
	c, near := ClosestPoints(a, b, infinity)
	if overlap {
		require.True(t, near)
		require.Zero(t, c.Distance)
	}
	for _, m := range Collide(nil, a, b, 0.5) {
		require.Positive(t, m.N)
		require.True(t, near)
	}
	s := NewSpace()
	id := s.Add(Collider{Shape: a.Shape, Transform: a.Transform})
	require.Equal(t, overlap, len(s.OverlapShape(nil, b, Filter{})) == 1)
	n, found := s.NearestToShape(b, infinity, Filter{})
	require.Equal(t, near, found)
	require.Equal(t, c, n.Closest)
	require.Len(t, s.CollideShape(nil, b, 0.5, Filter{}), len(Collide(nil, a, b, 0.5)))
	require.False(t, s.IsNowhere(id) && overlap)
}

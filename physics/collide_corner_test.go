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

// cubeOfTriangles returns the unit cube. The diagonals of its faces meet at two opposite corners,
// or at none of these.
func cubeOfTriangles(meet bool) *mesh.Mesh {
	var vertices []geom.Vec3
	for i := range 8 {
		vertices = append(vertices, geom.V(float32(i&1), float32(i>>1&1), float32(i>>2&1)))
	}
	var indices []uint32
	for _, q := range [][4]uint32{{7, 3, 1, 5}, {7, 6, 2, 3}, {7, 5, 4, 6}, {0, 4, 5, 1}, {0, 1, 3, 2}, {0, 2, 6, 4}} {
		if !meet {
			q = [4]uint32{q[1], q[2], q[3], q[0]}
		}
		indices = append(indices, q[0], q[1], q[2], q[0], q[2], q[3])
	}
	return mustMesh(vertices, indices)
}

// coneOfTriangles returns a cone with its tip in the origin.
func coneOfTriangles(sides int, height float32) *mesh.Mesh {
	vertices := []geom.Vec3{{}, geom.V(0, -height, 0)}
	var indices []uint32
	for i := range sides {
		a := 2 * math.Pi * float64(i) / float64(sides)
		vertices = append(vertices, geom.V(float32(math.Cos(a)), -height, float32(math.Sin(a))))
		u, v := uint32(2+i), uint32(2+(i+1)%sides)
		indices = append(indices, 0, v, u, 1, u, v)
	}
	return mustMesh(vertices, indices)
}

// What overlaps a mesh is in contact with it, wherever that is: at its corners, its edges and its
// rim too, on which no triangle alone allows the way out.
func TestOverlapIsContact(t *testing.T) {
	testenv.NoRace(t)
	quad := mustMesh([]geom.Vec3{{}, {Z: 1}, {X: 1, Z: 1}, {X: 1}}, []uint32{0, 1, 2, 0, 2, 3})
	grid, indices := mesh.Plane(2, 2, 4, 4)
	for name, m := range map[string]*mesh.Mesh{
		"quad": quad, "cube": cubeOfTriangles(false), "cube with diagonals that meet": cubeOfTriangles(true),
		"blunt cone": coneOfTriangles(12, 0.2), "cone": coneOfTriangles(6, 1), "spike": coneOfTriangles(12, 3), "grid": mustMesh(grid, indices),
	} {
		t.Run(name, func(t *testing.T) {
			r := testenv.Rand(1, 2)
			around := m.Bounds().Grow(0.4)
			size := around.Max.Sub(around.Min)
			deep := 0
			for range 1500 {
				at := around.Min.Add(geom.V(r.Float32()*size.X, r.Float32()*size.Y, r.Float32()*size.Z))
				if r.IntN(2) == 0 { // at a corner
					v := m.Vertices()[r.IntN(len(m.Vertices()))]
					at = v.Add(geom.V(r.Float32()-0.5, r.Float32()-0.5, r.Float32()-0.5).Mul(0.6))
				}
				turn := geom.QuatEuler(r.Float64()*6, r.Float64()*6, r.Float64()*6)
				for _, s := range []Shape{
					geom.Sphere{Radius: 0.3}, geom.Capsule{A: geom.V(0, -0.4, 0), B: geom.V(0, 0.4, 0), Radius: 0.2},
					geom.Box{HalfExtents: geom.V(0.3, 0.2, 0.4)}, testHulls[0],
				} {
					a, b := Placed{Shape: m}, Placed{s, geom.Transform{Position: at, Rotation: turn, Scale: geom.V(0.8, 0.8, 0.8)}}
					p, ok := Penetrate(a, b)
					if !ok || p.Depth < 1e-4 {
						continue
					}
					deep++
					require.NotEmpty(t, Collide(nil, a, b, 0), "%T at %v, %v", s, at, turn)
				}
			}
			testenv.Drawn(t, deep, 500)
		})
	}
}

// A ball beside a mesh's cube touches it as it does the box, whatever the triangles.
func TestBallAtMeshCorners(t *testing.T) {
	testenv.NoRace(t)
	box := Placed{Shape: geom.AABB{Max: geom.V(1, 1, 1)}}
	for _, meet := range []bool{false, true} {
		cube := Placed{Shape: cubeOfTriangles(meet)}
		r := testenv.Rand(3, 4)
		touched := 0
		for range 20_000 {
			ball := Placed{Shape: geom.Sphere{Center: geom.V(r.Float32()*2-0.5, r.Float32()*2-0.5, r.Float32()*2-0.5), Radius: 0.3}}
			if c, _ := ClosestPoints(box, Placed{Shape: geom.Sphere{Center: ball.Shape.(geom.Sphere).Center}}, infinity); c.Distance < 1e-3 {
				continue // within
			}
			want, got := Collide(nil, box, ball, 0), Collide(nil, cube, ball, 0)
			require.Len(t, got, len(want))
			if len(want) > 0 {
				touched++
				assert.InDelta(t, want[0].Depth(), got[0].Depth(), 1e-5)
				assert.InDelta(t, 1, want[0].Normal.Dot(got[0].Normal), 1e-5)
			}
		}
		testenv.Drawn(t, touched, 2000)
	}
}

// A slanted bar passes by a small mesh: its tip is behind the far side, and over the near one.
func TestTipBehindSmallMesh(t *testing.T) {
	bar := Placed{geom.Box{HalfExtents: geom.V(0.677, 0.794, 0.152), Rotation: geom.Quat{X: -0.2666, Y: 0.81044, Z: 0.35622, W: -0.38109}},
		geom.Transform{Position: geom.V(0.153, 0.755, -0.287), Scale: geom.V(0.2567, -1.1945, -0.448)}}
	oct := testHulls[0]
	m := mustMesh(oct.Vertices(), hullTriangles(oct.NumFaces(), oct.Face))
	for _, turn := range []float32{1, -1} {
		small := Placed{m, geom.Transform{Scale: geom.V(0.456, turn*0.419, 0.239)}}
		require.False(t, Overlaps(bar, small))
		assert.Empty(t, Collide(nil, bar, small, 0))
		assert.Empty(t, Collide(nil, small, bar, 0))
	}
}

// A mesh above a slab is behind some planes of its sides, and touches nothing.
func TestMeshAboveASlab(t *testing.T) {
	slab := Placed{Shape: geom.AABB{Min: geom.V(-9, -1, -9), Max: geom.V(9, 0, 9)}}
	turn := geom.Quat{X: 0.3062349, Y: -0.04000847, Z: 0.421713, W: 0.85251254}
	for _, y := range []float32{5, 1.707, 1, 0.7} {
		above := Placed{testMeshes[0], geom.Transform{Position: geom.V(0.5, y, 0.5), Rotation: turn}}
		require.False(t, Overlaps(slab, above))
		assert.Empty(t, Collide(nil, slab, above, 0))
		assert.Empty(t, Collide(nil, above, slab, 0.001))
	}
}

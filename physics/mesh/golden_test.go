package mesh_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/golden"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// goldenRays returns rays most of which hit: at corners and edges, along axes and in faces, from
// inside, past everything, with limits, and with directions of lengths from 2⁻⁸ to 2⁷.
func goldenRays(m *mesh.Mesh, count int) []geom.Ray {
	n := golden.Numbers(m.NumTriangles())
	center, half := m.Bounds().Center(), m.Bounds().HalfExtents()
	reach := max(half.X, half.Y, half.Z)
	rays := make([]geom.Ray, count)
	for i := range rays {
		tri := m.Triangle(n.Int(m.NumTriangles()))
		target := [4]geom.Vec3{
			tri.A,
			tri.A.Lerp(tri.B, 0.5),
			tri.A.Lerp(tri.B, 0.25).Lerp(tri.C, 0.25),
			center.Add(n.Vec(1).MulVec(half)),
		}[n.Int(4)]
		var r geom.Ray
		switch n.Int(5) {
		case 0: // along an axis
			r.Dir = geom.Axis(n.Int(3)).Unit()
			if n.Int(2) == 0 {
				r.Dir = r.Dir.Neg()
			}
			r.Origin = target.Sub(r.Dir.Mul(2 * reach))
		case 1: // in a plane of two axes
			r.Dir = n.Vec(1).WithAxis(geom.Axis(n.Int(3)), 0)
			r.Origin = target.Sub(r.Dir.Mul(3 * reach))
		case 2: // from within, or from the surface
			r.Origin, r.Dir = target, n.Vec(1)
		default:
			r.Origin = center.Add(n.Vec(3 * reach))
			r.Dir = target.Sub(r.Origin)
		}
		switch n.Int(4) {
		case 0:
			r.Dir = r.Dir.Mul(float32(int(1)<<n.Int(16)) / 256)
		case 1:
			r.MinT = n.Float(0.5) + 0.5
		case 2:
			r.MaxT = n.Float(1) + 1.0000001
		}
		rays[i] = r
	}
	return rays
}

var culls = []geom.Cull{geom.CullNone, geom.CullBack, geom.CullFront}

// goldenField returns hills of four pages.
func goldenField(t testing.TB) *mesh.Field {
	n := golden.Numbers(77)
	const columns, rows = 90, 80
	heights := make([]float32, columns*rows)
	for i := range heights {
		x, z := float32(i%columns-30)/20, float32(i/columns-40)/20
		heights[i] = float32(x*x) - float32(z*x) + n.Float(0.3)
	}
	f, err := mesh.NewField(mesh.FieldOptions{Columns: columns, Rows: rows, CellX: 0.5, CellZ: 0.75, StartX: -20, StartZ: 10, Low: -20, High: 45.535}, heights)
	require.NoError(t, err)
	return f
}

// All bits of all answers are the same on every architecture, with every instruction set, and for
// every implementation. The first hash is of the mesh itself: if that differs, the others must.
func TestSameBits(t *testing.T) {
	testenv.NoRace(t)
	sphere := surface{name: "sphere"}
	sphere.add(mesh.Icosphere(2, 3))
	field := goldenField(t).Mesh()
	hills := surface{name: "hills", vertices: field.Vertices(), indices: field.Indices()}
	asField := hills
	asField.name = "hills as a field" // with the same hashes
	for _, c := range []struct {
		surface
		input, closest, any, all, volumes uint64
	}{
		{sphere, 0x53881696c5057f5, 0xbc25055b84b7cec4, 0xb8f3667c59508be5, 0x59371323d48cdd0f, 0xff43793da7263906},
		{bunny(t), 0x77f7cc6b9baac20f, 0x19446dfee23edda1, 0x46ea31adf999fe24, 0x4199595a68078a88, 0xf114626f3aaea7b4},
		{ring(48, 24), 0xa072c0b0fa4fc0f7, 0x3ed7527cdb63e922, 0x8e1d6209561952e5, 0x77e88bcb1effd6a5, 0x67f0ffd9df95a310},
		{city(), 0x63e7b86ca8a217bd, 0xe9a46c96972e9e24, 0xf830bc7d95c11264, 0xa0693f51ccdb14b4, 0x675e0dee8a9d9617},
		{slivers(), 0xb4a1d704f6e77f5f, 0xe31726138c1c7fa0, 0xc46445d01cc09e84, 0xb1a2860db42402f4, 0xfe51fe4384bf8c69},
		{crossing(), 0xe0482928d8dfe3c, 0xbf6b82bae4b2c624, 0x5c50d8b12865c505, 0xe5cb721bc22b04aa, 0x5a2ee3f3bab811d0},
		{hills, 0xbe113917ca4fea9, 0xb249d44b4f31541d, 0x9bf0317162e373c5, 0x189f56ad94bae673, 0x52a6a4c077768281},
		{asField, 0xbe113917ca4fea9, 0xb249d44b4f31541d, 0x9bf0317162e373c5, 0x189f56ad94bae673, 0x52a6a4c077768281},
	} {
		t.Run(c.name, func(t *testing.T) {
			input, closest, anyHit, all, volumes := golden.New(), golden.New(), golden.New(), golden.New(), golden.New()
			input.Vec(c.vertices...)
			for _, i := range c.indices {
				input.Uint(uint64(i))
			}
			m := c.mesh(t)
			if c.name == asField.name {
				m = field
			}
			var hits []geom.Hit
			var triangles []int32
			for i, r := range goldenRays(m, 5000) {
				input.Vec(r.Origin, r.Dir)
				input.Float(r.MinT, r.MaxT)
				cull := culls[i%3]
				closest.Hit(m.CastRay(r, cull))
				anyHit.Bool(m.CastRayAny(r, cull))
				hits = m.CastRayAll(hits[:0], r, cull)
				for _, h := range hits {
					all.Hit(h, true)
				}
				all.Bool(false)
				if i%10 != 0 {
					continue
				}
				near, ok := m.ClosestPoint(r.Origin, r.Dir.Len())
				volumes.Bool(ok)
				volumes.Vec(near.Point)
				volumes.Float(near.Distance)
				volumes.Uint(uint64(near.Triangle))
				triangles = m.OverlapSphere(triangles[:0], geom.Sphere{Center: r.Origin, Radius: r.Dir.Len() / 4})
				half := r.Dir.Abs().Mul(0.25)
				triangles = m.OverlapAABB(triangles, geom.AABBAround(r.Origin, half))
				triangles = m.OverlapBox(triangles, geom.Box{
					Center: r.Origin, HalfExtents: half, Rotation: geom.Quat{X: r.Dir.X, Y: r.Dir.Y, Z: r.Dir.Z, W: r.Dir.Len()},
				})
				for _, i := range triangles {
					volumes.Uint(uint64(i))
				}
				volumes.Bool(len(triangles) > 0)
			}
			input.Check(t, "input", c.input)
			closest.Check(t, "closest", c.closest)
			anyHit.Check(t, "any", c.any)
			all.Check(t, "all", c.all)
			volumes.Check(t, "volumes", c.volumes)
			assert.Equal(t, closest.Found, anyHit.Found)
			assert.Greater(t, closest.Found, 1000, "most rays should hit")
			assert.Greater(t, all.Found, closest.Found)
			assert.Greater(t, volumes.Found, 100)
		})
	}
}

package mesh_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// The mesh of a field is compared with one that mesh.New makes of the same triangles.

// twinOf returns the mesh of a field, that of the same triangles, and the field's index of each of
// these.
func twinOf(t testing.TB, f *mesh.Field) (field, twin *mesh.Mesh, index []int32) {
	field = f.Mesh()
	var list []uint32
	all := field.Indices()
	for i := range field.NumTriangles() {
		if field.Material(i) != mesh.Hole {
			list, index = append(list, all[3*i:3*i+3]...), append(index, int32(i))
		}
	}
	twin, err := mesh.New(field.Vertices(), list)
	require.NoError(t, err)
	return field, twin, index
}

// randomField returns a field of any kind: heights of two or four bytes, flat in places, with holes
// and cells that are long and that float32 hardly resolves.
func randomField(t testing.TB, rng *rand.Rand) *mesh.Field {
	o := mesh.FieldOptions{
		Columns: 2 + rng.IntN(90), Rows: 2 + rng.IntN(90), CellX: 1, CellZ: 1,
		StartX: float32(rng.IntN(3)-1) * 30, StartZ: float32(rng.IntN(3)-1) * 30,
	}
	if rng.IntN(2) == 0 {
		o.CellX, o.CellZ = 0.1+rng.Float32(), 0.1+5*rng.Float32()
	}
	if rng.IntN(4) == 0 {
		o.StartX = 1e6 * rng.Float32()
	}
	high := []float32{0, 0.01, 3, 100}[rng.IntN(4)]
	if rng.IntN(2) == 0 {
		o.Low, o.High = -high-1, high+1
	}
	heights := make([]float32, o.Columns*o.Rows)
	for i := range heights {
		c, r := float64(i%o.Columns), float64(i/o.Columns)
		heights[i] = high * float32(math.Sin(c/7)*math.Cos(r/5)) * 0.8
		if rng.IntN(3) == 0 {
			heights[i] += high * 0.2 * rng.Float32()
		}
	}
	f, err := mesh.NewField(o, heights)
	require.NoError(t, err)
	for range rng.IntN(4) * 5 {
		c, r := rng.IntN(o.Columns-1), rng.IntN(o.Rows-1)
		w, d := 1+rng.IntN(min(20, o.Columns-1-c)), 1+rng.IntN(min(20, o.Rows-1-r))
		require.NoError(t, f.SetMaterials(c, r, w, slices.Repeat([]uint8{uint8(rng.IntN(2)) * mesh.Hole}, w*d)))
	}
	require.NoError(t, f.SetMaterials(0, 0, 1, []uint8{0})) // a mesh needs a triangle
	return f
}

// fieldRay returns a ray at a field: at random, from above, along it, or through vertices and along
// lines.
func fieldRay(rng *rand.Rand, m *mesh.Mesh) geom.Ray {
	b := m.Bounds()
	size := b.Max.Sub(b.Min)
	within := func() geom.Vec3 {
		return b.Min.Add(geom.V(rng.Float32(), rng.Float32(), rng.Float32()).MulVec(size))
	}
	vertices := m.NumTriangles() / 2
	vertex := func() geom.Vec3 { return m.Vertex(rng.IntN(vertices)) }
	var r geom.Ray
	switch rng.IntN(8) {
	case 0:
		r = geom.NewRay(within(), within().Sub(within()))
	case 1:
		from := within().Add(geom.V(0, size.Y*rng.Float32()*3, 0))
		r = geom.NewRay(from, within().Sub(from))
	case 2:
		r = geom.NewRay(vertex(), vertex().Sub(vertex()))
	case 3:
		from := vertex()
		from.Y += 10 * rng.Float32()
		r = geom.NewRay(from, vertex().Sub(from))
	case 4: // along a line of the grid, or the diagonals
		r = geom.NewRay(vertex(), geom.V(float32(rng.IntN(3)-1), float32(rng.IntN(3)-1)*0.01, float32(rng.IntN(3)-1)))
	case 5:
		from := vertex()
		from.Y = b.Max.Y + 1
		r = geom.NewRay(from, geom.V(0, -1, 0))
	case 6:
		from := within().Add(geom.V(rng.Float32()-0.5, rng.Float32(), rng.Float32()-0.5).Mul(3000))
		r = geom.NewRay(from, vertex().Sub(from))
	case 7:
		from := within().Sub(geom.V(0, 50, 0))
		r = geom.NewRay(from, geom.V(rng.Float32()*0.01, 1, rng.Float32()*0.01))
	}
	if rng.IntN(3) == 0 {
		r.MinT = rng.Float32() * 2
		r.MaxT = r.MinT + rng.Float32()*100
	}
	return r
}

func TestFieldCastsRaysAsItsMesh(t *testing.T) {
	testenv.NoRace(t)
	rng := testenv.Rand(1, 2)
	hits := 0
	for range testenv.Count(t, "HITSCAN_FIELDS", 60) {
		f := randomField(t, rng)
		field, twin, index := twinOf(t, f)
		require.Equal(t, twin.Bounds(), field.Bounds())
		require.NoError(t, field.Validate())
		own := func(h geom.Hit) geom.Hit {
			if h.Triangle >= 0 {
				h.Triangle = index[h.Triangle]
			}
			return h
		}
		for range 300 {
			r, cull := fieldRay(rng, field), geom.Cull(rng.IntN(3))
			want, ok := twin.CastRay(r, cull)
			got, found := field.CastRay(r, cull)
			require.Equal(t, ok, found, "%+v %+v %+v %+v", r, want, f.Options(), twin.Bounds())
			require.Equal(t, ok, field.CastRayAny(r, cull), "%+v", r)
			if !ok {
				continue
			}
			hits++
			require.Equal(t, own(want), got, "%+v", r)
			worked, _, _ := field.CastRayWork(r, cull)
			require.Equal(t, got, worked)
			all := twin.CastRayAll(nil, r, cull)
			for i := range all {
				all[i] = own(all[i])
			}
			require.Equal(t, all, field.CastRayAll(nil, r, cull), "%+v", r)
			next, more := field.CastRayAfter(r, cull, got.T, got.Triangle)
			require.Equal(t, len(all) > 1, more)
			if more {
				require.Equal(t, all[1], next)
			}
		}
		rays := make([]geom.Ray, 100)
		for i := range rays {
			rays[i] = fieldRay(rng, field)
		}
		together, blocked := field.CastRays(nil, rays, geom.CullNone), field.CastRaysAny(nil, rays, geom.CullNone)
		for i := range rays {
			one, ok := field.CastRay(rays[i], geom.CullNone)
			require.Equal(t, ok, blocked[i])
			require.Equal(t, ok, together[i].Triangle >= 0)
			if ok {
				require.Equal(t, one, together[i])
			}
		}
	}
	testenv.Drawn(t, hits, 2000)
}

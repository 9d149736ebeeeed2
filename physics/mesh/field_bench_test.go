package mesh_test

import (
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// terrain returns the heights of hills up to 60 m high, with waves of all lengths down to some
// cells.
func terrain(side int) []float32 {
	heights := make([]float32, side*side)
	for i := range heights {
		c, r := float64(i%side), float64(i/side)
		h := 0.0
		for wave, high := 300.0, 25.0; wave > 6; wave, high = wave/2.3, high/2.1 {
			h += high * math.Sin(c/wave+r/(3*wave)+wave) * math.Cos(r/wave-c/(2*wave))
		}
		heights[i] = float32(h)
	}
	return heights
}

func terrainField(t testing.TB, side int) *mesh.Field {
	f, err := mesh.NewField(mesh.FieldOptions{Columns: side, Rows: side, CellX: 1, CellZ: 1, Low: -100, High: 100}, terrain(side))
	require.NoError(t, err)
	return f
}

// BenchmarkField casts rays at a field of 1025 × 1025 heights and at the mesh of the same
// triangles: of a camera above it, by rows; at random; and grazing, from eye to eye of people on
// it.
func BenchmarkField(b *testing.B) {
	const side = 1025
	field := terrainField(b, side).Mesh()
	rng := rand.New(rand.NewPCG(1, 2))
	on := func() geom.Vec3 {
		p := geom.V(1024*rng.Float32(), 100, 1024*rng.Float32())
		hit, _ := field.CastRay(geom.NewRay(p, geom.V(0, -1, 0)), geom.CullNone)
		return hit.Point.Add(geom.V(0, 1.7, 0))
	}
	sets := map[string][]geom.Ray{}
	for range 1 << 14 {
		from := geom.V(1024*rng.Float32(), 60+200*rng.Float32(), 1024*rng.Float32())
		sets["random"] = append(sets["random"], geom.NewRay(from, on().Sub(from).Normalize()))
		from = on()
		sets["grazing"] = append(sets["grazing"], geom.Segment(from, on()))
		from = on()
		sets["level"] = append(sets["level"], geom.NewRay(from, geom.V(rng.Float32()-0.5, 0.1*(rng.Float32()-0.5), rng.Float32()-0.5).Normalize()))
		i := len(sets["camera"])
		sets["camera"] = append(sets["camera"], geom.NewRay(geom.V(200, 120, 200), geom.V(float32(i%128)/64-0.3, -0.9+float32(i/128)/200, 1).Normalize()))
	}
	twin := sync.OnceValue(func() *mesh.Mesh { // is not built where the field alone is measured
		m, err := mesh.New(field.Vertices(), field.Indices())
		require.NoError(b, err)
		return m
	})
	meshes := map[string]func() *mesh.Mesh{"field": func() *mesh.Mesh { return field }, "mesh": twin}
	for _, name := range []string{"camera", "random", "grazing", "level"} {
		for what, of := range meshes {
			b.Run(name+"/"+what, func(b *testing.B) {
				m := of()
				benchRays(b, sets[name], func(r geom.Ray) { m.CastRay(r, geom.CullNone) })
			})
			b.Run(name+" any/"+what, func(b *testing.B) {
				m := of()
				benchRays(b, sets[name], func(r geom.Ray) { m.CastRayAny(r, geom.CullNone) })
			})
			b.Run(name+" all/"+what, func(b *testing.B) {
				m := of()
				var hits []geom.Hit
				benchRays(b, sets[name], func(r geom.Ray) { hits = m.CastRayAll(hits[:0], r, geom.CullNone) })
			})
		}
	}
}

// BenchmarkFieldEdit edits 16 × 16 heights of a field of 4,097 × 4,097, and takes a mesh after
// each.
func BenchmarkFieldEdit(b *testing.B) {
	const side = 4097
	f, err := mesh.NewField(mesh.FieldOptions{Columns: side, Rows: side, CellX: 1, CellZ: 1, Low: -100, High: 100}, make([]float32, side*side))
	require.NoError(b, err)
	region := make([]float32, 16*16)
	b.Run("heights", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			region[i%256]++
			require.NoError(b, f.SetHeights(16*(i%200), 999, 16, region))
			region[i%256] = 0
		}
	})
	b.Run("heights and mesh", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			require.NoError(b, f.SetHeights(16*(i%200), 999, 16, region))
			f.Mesh()
		}
	})
}

// A field takes at most a fifth of the memory of the mesh of the same triangles, counted by what
// the heap holds.
func TestFieldMemory(t *testing.T) {
	testenv.NoRace(t)
	const side = 513
	heap := func() uint64 {
		var s runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&s)
		return s.HeapAlloc
	}
	for _, short := range []bool{true, false} {
		o := mesh.FieldOptions{Columns: side, Rows: side, CellX: 1, CellZ: 1}
		if short {
			o.Low, o.High = -100, 100
		}
		heights := terrain(side)
		start := heap()
		f, err := mesh.NewField(o, heights)
		require.NoError(t, err)
		m := f.Mesh()
		ofField := heap() - start
		vertices, indices := m.Vertices(), m.Indices()
		start = heap()
		twin, err := mesh.New(vertices, indices)
		require.NoError(t, err)
		ofMesh := heap() - start
		n := float64(m.NumTriangles())
		t.Logf("bytes a triangle: %.2f of the field, %.2f of the mesh", float64(ofField)/n, float64(ofMesh)/n)
		require.Less(t, 5*ofField, ofMesh)
		runtime.KeepAlive(f)
		runtime.KeepAlive(twin)
		runtime.KeepAlive(heights)
		runtime.KeepAlive(vertices)
		runtime.KeepAlive(indices)
	}
}

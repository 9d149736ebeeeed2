package mesh_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

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
	f := terrainField(b, side)
	field, twin, _ := twinOf(b, f)
	rng := rand.New(rand.NewPCG(1, 2))
	on := func() geom.Vec3 { return field.Vertex(rng.IntN(side * side)).Add(geom.V(0, 1.7, 0)) }
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
	for _, name := range []string{"camera", "random", "grazing", "level"} {
		for what, m := range map[string]*mesh.Mesh{"field": field, "mesh": twin} {
			b.Run(name+"/"+what, func(b *testing.B) {
				benchRays(b, sets[name], func(r geom.Ray) { m.CastRay(r, geom.CullNone) })
			})
			b.Run(name+" any/"+what, func(b *testing.B) {
				benchRays(b, sets[name], func(r geom.Ray) { m.CastRayAny(r, geom.CullNone) })
			})
		}
	}
}

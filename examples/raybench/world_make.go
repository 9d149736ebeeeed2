package main

import (
	"math"
	"math/rand/v2"

	"github.com/hitscan-go/hitscan/examples/raybench/internal/worldfile"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// makeWorld returns n bodies and columns·rows rays among them. The density is that of 100,000
// bodies in a cube of 200 m: half boxes and half spheres, with half extents of 0.25 to 1 m and
// speeds of up to 0.1 m a tick in random directions. The rays have random directions and a range of
// 100 m. The same n always gives the same world.
func makeWorld(n int) ([]worldfile.Body, []geom.Ray) {
	rng := rand.New(rand.NewPCG(5, 6))
	// In whole metres, the same on all machines.
	side := float32(max(1, math.Round(200*math.Cbrt(float64(n)/100_000))))
	anywhere := func() geom.Vec3 { return geom.V(rng.Float32(), rng.Float32(), rng.Float32()).Mul(side) }
	half := func() float32 { return float32(0.75*rng.Float32()) + 0.25 }
	bodies := make([]worldfile.Body, n)
	for i := range bodies {
		b := worldfile.Body{Sphere: rng.IntN(2) == 1, Center: anywhere(), HalfExtents: geom.V(half(), half(), half())}
		if r := b.HalfExtents.X; b.Sphere {
			b.HalfExtents = geom.V(r, r, r)
		}
		b.Velocity = unit(rng).Mul(0.1 * rng.Float32())
		bodies[i] = b
	}
	rays := make([]geom.Ray, columns*rows)
	for i := range rays {
		rays[i] = geom.Ray{Origin: anywhere(), Dir: unit(rng), MaxT: 100}
	}
	return bodies, rays
}

package physics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// movingWorld is a world as examples/raybench makes it: boxes and spheres that all move every tick,
// as many a volume as 100,000 in a cube of 200 m, and rays of 100 m among them.
type movingWorld struct {
	space    *Space
	ids      []ColliderID
	at       []geom.Transform
	velocity []geom.Vec3 // a tick
	side     float32     // of the cube
	rays     []geom.Ray
	ticks    int
}

func newMovingWorld(n int) *movingWorld {
	rng := rand.New(rand.NewPCG(5, 6))
	w := &movingWorld{space: NewSpace(), side: float32(math.Round(200 * math.Cbrt(float64(n)/100_000)))}
	anywhere := func() geom.Vec3 { return geom.V(rng.Float32(), rng.Float32(), rng.Float32()).Mul(w.side) }
	half := func() float32 { return float32(0.75*rng.Float32()) + 0.25 }
	anyWay := func() geom.Vec3 {
		for {
			if v := geom.V(rng.Float32(), rng.Float32(), rng.Float32()).Mul(2).Sub(geom.V(1, 1, 1)); v.LenSq() <= 1 && v.LenSq() > 0.01 {
				return v.Normalize()
			}
		}
	}
	for range n {
		var shape Shape = geom.AABBAround(geom.Vec3{}, geom.V(half(), half(), half()))
		if rng.IntN(2) == 1 {
			shape = geom.Sphere{Radius: half()}
		}
		t := geom.Transform{Position: anywhere()}
		w.at = append(w.at, t)
		w.velocity = append(w.velocity, anyWay().Mul(0.1*rng.Float32()))
		w.ids = append(w.ids, w.space.Add(Collider{Shape: shape, Transform: t}))
	}
	w.rays = make([]geom.Ray, 1<<14)
	for i := range w.rays {
		w.rays[i] = geom.Ray{Origin: anywhere(), Dir: anyWay(), MaxT: 100}
	}
	w.space.Update()
	return w
}

// tick moves everything; after a hundred ticks everything returns along its path, so that the
// density of the world stays the same for any length of measurement.
func (w *movingWorld) tick() {
	away := w.ticks%200 < 100
	w.ticks++
	for i, id := range w.ids {
		v := w.velocity[i]
		if !away {
			v = v.Neg()
		}
		w.at[i].Position = w.at[i].Position.Add(v)
		w.space.SetTransform(id, w.at[i])
	}
	w.space.Update()
}

// benchWorlds runs a benchmark at worlds of several sizes.
func benchWorlds(b *testing.B, run func(b *testing.B, w *movingWorld)) {
	for _, n := range []int{1000, 10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			w := newMovingWorld(n)
			b.ReportAllocs()
			run(b, w)
		})
	}
}

func (w *movingWorld) reportColliders(b *testing.B) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(w.ids)), "ns/collider")
}

func reportRays(b *testing.B, raysPerOp int) {
	b.ReportMetric(float64(b.N)*float64(raysPerOp)/b.Elapsed().Seconds()*1e-6, "Mrays/s")
}

func BenchmarkWorldUpdate(b *testing.B) {
	benchWorlds(b, func(b *testing.B, w *movingWorld) {
		for b.Loop() {
			w.tick()
		}
		w.reportColliders(b)
	})
}

// Pairs from one tick to the next; the tick is not measured.
func BenchmarkWorldPairs(b *testing.B) {
	benchWorlds(b, func(b *testing.B, w *movingWorld) {
		var pairs []Pair
		for b.Loop() {
			b.StopTimer()
			w.tick()
			b.StartTimer()
			pairs = w.space.Pairs(pairs[:0])
		}
		w.reportColliders(b)
		b.ReportMetric(float64(len(pairs)), "pairs")
	})
}

func BenchmarkWorldCastRay(b *testing.B) {
	benchWorlds(b, func(b *testing.B, w *movingWorld) {
		for i := 0; b.Loop(); i++ {
			w.space.CastRay(w.rays[i%len(w.rays)], Filter{})
		}
		reportRays(b, 1)
	})
}

func BenchmarkWorldCastRayAny(b *testing.B) {
	benchWorlds(b, func(b *testing.B, w *movingWorld) {
		for i := 0; b.Loop(); i++ {
			w.space.CastRayAny(w.rays[i%len(w.rays)], Filter{})
		}
		reportRays(b, 1)
	})
}

func BenchmarkWorldCastRays(b *testing.B) {
	benchWorlds(b, func(b *testing.B, w *movingWorld) {
		hits := make([]Hit, 0, len(w.rays))
		for b.Loop() {
			hits = w.space.CastRays(hits[:0], w.rays, Filter{})
		}
		reportRays(b, len(w.rays))
	})
}

// A snapshot with the tick through which it is kept, since it may leave work to that; WorldUpdate
// is the same without.
func BenchmarkWorldSnapshot(b *testing.B) {
	benchWorlds(b, func(b *testing.B, w *movingWorld) {
		for b.Loop() {
			s := w.space.Snapshot()
			w.tick()
			s.Release()
		}
		w.reportColliders(b)
	})
}

// BenchmarkSetTransforms moves 10,000 crates, one by one and all at once.
func BenchmarkSetTransforms(b *testing.B) {
	s, ids, at := crates(geom.AABB{Min: geom.V(-1, -1, -1), Max: geom.V(160, 0, 160)})
	b.Run("one by one", func(b *testing.B) {
		for b.Loop() {
			for i, id := range ids {
				s.SetTransform(id, at[i])
			}
		}
	})
	b.Run("at once", func(b *testing.B) {
		for b.Loop() {
			s.SetTransforms(ids, at)
		}
	})
}

// BenchmarkWorldRestore measures a restore after one tick in which all colliders moved.
func BenchmarkWorldRestore(b *testing.B) {
	benchWorlds(b, func(b *testing.B, w *movingWorld) {
		for b.Loop() {
			b.StopTimer()
			c := w.space.Snapshot()
			w.tick()
			b.StartTimer()
			w.space.Restore(c)
			b.StopTimer()
			c.Release()
			b.StartTimer()
		}
		w.reportColliders(b)
	})
}

func BenchmarkWorldNearest(b *testing.B) {
	benchWorlds(b, func(b *testing.B, w *movingWorld) {
		const k = 8
		found := make([]Nearest, 0, k)
		for i := 0; b.Loop(); i++ {
			found = w.space.NearestK(found[:0], w.rays[i%len(w.rays)].Origin, k, 100, Filter{})
		}
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()*1e-6, "Mqueries/s")
	})
}

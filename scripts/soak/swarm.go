package main

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"math/rand/v2"
	"runtime"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// way is the component of what flies: a circle about a center that moves, like the swarm of the
// sandbox.
type way struct {
	center        geom.Vec3
	radius, phase float64
	rate          float64 // radians a second
}

const swarmStep = 1.0 / 60

// swarm moves n things, of which one in four looks around, and finds those that touch; in each tick
// one dies and another one comes. It ends after a number of ticks, and prints a check now and then.
func swarm(stdout io.Writer, n, ticks, every int) {
	w := ecs.NewWorld()
	sim := physecs.Simulation{Headless: true, Step: swarmStep, Pair: new(physecs.PairSystem)}
	sim.Initialize(&w)
	things := generic.NewMap3[physecs.Transform, physecs.Collider, way](&w)
	lookers := generic.NewMap1[physecs.RayCaster](&w)
	chance := rand.New(rand.NewPCG(1, 2))
	side := math.Cbrt(float64(n)) * 0.6 // metres: some touch
	living := make([]ecs.Entity, n)
	add := func(i int) {
		at := geom.DVec3{X: chance.Float64(), Y: chance.Float64(), Z: chance.Float64()}.Mul(side)
		c := physecs.Sphere(0.1)
		switch chance.IntN(3) {
		case 0:
			c = physecs.Box(geom.V(0.07, 0.05, 0.13))
		case 1:
			c = physecs.Capsule(0.1, 0.055)
		}
		living[i] = things.NewWith(&physecs.Transform{}, &c, &way{
			center: at.Narrow(), radius: 1 + chance.Float64(), phase: 2 * math.Pi * chance.Float64(), rate: 0.2 + chance.Float64(),
		})
		if i%4 == 0 {
			lookers.Assign(living[i], &physecs.RayCaster{Ray: geom.Ray{Dir: geom.V(1, 0, 0), MaxT: 5}})
		}
	}
	for i := range living {
		add(i)
	}
	flying := generic.NewFilter2[physecs.Transform, way]()
	sim.BeforeStep("fly", func(w *ecs.World) {
		for query := flying.Query(w); query.Next(); {
			t, f := query.Get()
			f.phase = math.Mod(f.phase+float64(f.rate*swarmStep), 2*math.Pi)
			sin, cos := math.Sincos(f.phase)
			t.Position = f.center.Add(geom.DVec3{X: f.radius * cos, Y: f.radius * sin * cos, Z: f.radius * sin}.Narrow())
			t.Rotation = geom.QuatAxisAngle(geom.V(0, 1, 0), f.phase)
		}
	})
	pairs := ecs.GetResource[physecs.Pairs](&w)
	seen := ecs.GetResource[physecs.CasterHits](&w)
	touched := uint64(0)
	for tick := 1; tick <= ticks; tick++ {
		i := chance.IntN(n)
		w.RemoveEntity(living[i])
		add(i)
		sim.Update(&w)
		touched += uint64(len(pairs.Began) + len(pairs.Ended))
		if tick%every != 0 {
			continue
		}
		sum := fnv.New64a()
		for query := flying.Query(&w); query.Next(); {
			t, _ := query.Get()
			_ = binary.Write(sum, binary.LittleEndian, *t)
		}
		_ = binary.Write(sum, binary.LittleEndian, []uint64{touched, uint64(len(pairs.All))})
		for _, e := range living[:min(n, 1000)] {
			if h, ok := seen.Ray(e); ok {
				_ = binary.Write(sum, binary.LittleEndian, h.T)
			}
		}
		runtime.GC()
		var memory runtime.MemStats
		runtime.ReadMemStats(&memory)
		fmt.Fprintf(stdout, "tick %d hash %016x live %d\n", tick, sum.Sum64(), memory.HeapAlloc)
	}
}

package main

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/hitscan-go/hitscan/internal/cputime"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

const (
	moverTick  = 1. / 60
	moverTicks = 120 // that are measured, after as many in which the crowd spreads
	metre      = 1. / 32
)

// measureMovers prints the time of a tick in which characters walk on a mesh, of which 32 units are
// a metre, at 5 m/s: they turn where they are blocked, and at random.
func measureMovers(w io.Writer, m *mesh.Mesh, n int) error {
	space := physics.NewSpace()
	space.Add(physics.Collider{Shape: m, Transform: geom.Transform{Scale: geom.V(metre, metre, metre)}, Static: true})
	space.Update()
	r := rand.New(rand.NewPCG(1, 2))
	starts := floors(space, r, n)
	if starts == nil {
		return fmt.Errorf("-movers %d: the mesh has no floor under a roof where one could stand", n)
	}
	heading := func() geom.Vec3 {
		a := r.Float64() * 2 * math.Pi
		return geom.V(float32(5*math.Cos(a)), 0, float32(5*math.Sin(a)))
	}
	states, headings, caches := make([]physics.MoverState, n), make([]geom.Vec3, n), make([]physics.MoverCache, n)
	for i := range states {
		states[i].Transform, headings[i] = starts[i], heading()
	}
	var mover physics.Mover
	var hits []physics.MoverHit
	tick := func() {
		for i := range states {
			st, v := &states[i], headings[i]
			if st.Ground != physics.OnGround {
				v = st.Velocity.Add(geom.V(0, -9.81*moverTick, 0))
			}
			hits = caches[i].Move(&mover, space, st, v, moverTick, physics.Filter{}, hits[:0])
			if len(hits) > 0 || r.IntN(120) == 0 {
				headings[i] = heading()
			}
			if st.Transform.Position.Y < starts[i].Position.Y-50 { // out through a gap
				*st = physics.MoverState{Transform: starts[i]}
			}
		}
	}
	for range moverTicks {
		tick()
	}
	took := make([]time.Duration, moverTicks)
	for i := range took {
		start := cputime.Now()
		tick()
		took[i] = cputime.Now() - start
	}
	slices.Sort(took)
	median := took[moverTicks/2]
	fmt.Fprintf(w, "movers_ms %.3f ms %.3f us/mover\n", median.Seconds()*1e3, median.Seconds()*1e6/float64(n))
	return nil
}

// floors returns places to stand on that have a roof above; nil if there are too few.
func floors(s *physics.Space, r *rand.Rand, n int) (all []geom.Transform) {
	bounds := geom.EmptyAABB()
	for id := range s.All() {
		b, _ := s.Bounds(id)
		bounds = bounds.Union(b)
	}
	size := bounds.Max.Sub(bounds.Min)
	for range 1000 * n {
		p := bounds.Min.Add(size.MulVec(geom.V(r.Float32(), r.Float32(), r.Float32())))
		floor, ok := s.CastRay(geom.NewRay(p, geom.V(0, -1, 0)), physics.Filter{})
		roof, under := s.CastRay(geom.NewRay(p, geom.V(0, 1, 0)), physics.Filter{})
		if !ok || !under || floor.BackFace || roof.BackFace || floor.Normal.Y < 0.8 {
			continue
		}
		at := geom.Transform{Position: floor.Point.Add(geom.V(0, 0.05, 0))}
		man := geom.Capsule{A: geom.V(0, 0.33, 0), B: geom.V(0, 1.5, 0), Radius: 0.32}
		if len(s.OverlapShape(nil, physics.Placed{Shape: man, Transform: at}, physics.Filter{})) == 0 {
			all = append(all, at)
		}
		if len(all) == n {
			return all
		}
	}
	return nil
}

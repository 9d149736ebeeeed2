package physics_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/golden"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Movers that mostly rest have the same state with caches as without, whatever changes around them:
// colliders, filters, settings, states and spaces.
func TestMoversAtRest(t *testing.T) {
	testenv.NoRace(t)
	const n, ticks = 10, 400
	shapes := []physics.Shape{nil, geom.Capsule{A: geom.V(0, 0.4, 0), B: geom.V(0, 1.4, 0), Radius: 0.4}, slab(-0.3, 0, -0.3, 0.3, 1.6, 0.3)}
	rested, moved := 0, 0
	for seed := range uint64(testenv.Count(t, "HITSCAN_RESTS", 6)) {
		r := golden.Numbers(seed + 77)
		s := physics.NewSpace()
		s.Add(physics.Collider{Shape: sheet(t, 24, func(x, z float32) float32 { return 0.3*x/20 + 0.1*r.Float(1) }), Static: true})
		var ids []physics.ColliderID
		for range 16 {
			p := r.Vec(8)
			ids = append(ids, s.Add(physics.Collider{
				Shape: geom.Box{HalfExtents: geom.V(0.5, 0.3, 0.5)}, Transform: geom.At(p.X, p.Y/8, p.Z), Static: r.Int(2) == 0,
				Layer: physics.Layers(1 + r.Int(2)), Sensor: r.Int(8) == 0,
			}))
		}
		var movers [n]physics.Mover
		var bare, states [n]physics.MoverState
		var own [n]physics.ColliderID
		var wishes [n]geom.Vec3
		var caches [n]physics.MoverCache
		for i := range movers {
			p := r.Vec(8)
			movers[i].Shape = shapes[r.Int(len(shapes))]
			states[i].Transform = geom.At(p.X, 1.5, p.Z)
			own[i] = s.Add(physics.Collider{Shape: geom.Sphere{Radius: 0.3}, Transform: states[i].Transform})
		}
		bare = states
		hidden := physics.ColliderID(0)
		saved := s.Snapshot()
		for tick := range ticks {
			i, id := r.Int(n), ids[r.Int(len(ids))]
			still := r.Int(2) == 0
			switch what := r.Int(40); {
			case what == 0:
				s.SetTransform(id, geom.At(r.Float(8), r.Float(1), r.Float(8)))
			case what < 4: // one that moves or not, to a mover
				p := states[i].Transform.Position.Add(r.Vec(1))
				s.SetTransform(id, geom.At(p.X, p.Y, p.Z))
			case what == 4:
				c, _ := s.Collider(id)
				c.Static, c.Sensor, c.Layer = r.Int(2) == 0, r.Int(4) == 0, physics.Layers(1+r.Int(2))
				s.Set(id, c)
			case what == 5:
				hidden = id
			case what == 6:
				wishes[i] = r.Vec(2).WithAxis(geom.Y, 0)
			case what == 7:
				movers[i].Offset = 0.02 + 0.005*float32(r.Int(3))
			case what == 8:
				bare[i].Transform.Position.Y += 0.01
				states[i].Transform.Position.Y += 0.01
			case what == 9:
				saved.Release()
				saved = s.Snapshot()
			case what == 10:
				s.Restore(saved)
			case what == 11:
				s.Rebase(s.Origin())
			case what < 15:
				wishes = [n]geom.Vec3{}
			}
			space := s
			if r.Int(16) == 0 {
				space = saved
			}
			for i := range movers {
				f := physics.Filter{Predicate: func(id physics.ColliderID) bool { return id != hidden && id != own[i] }}
				if tick/50%3 == 2 {
					f.Mask = 1
				}
				v := wishes[i]
				if bare[i].Ground != physics.OnGround {
					v = bare[i].Velocity.Add(geom.V(0, -9.81*moverTick, 0))
				}
				if caches[i].Keeps(&movers[i], space, states[i], v, moverTick, f) {
					rested++
				} else {
					moved++
				}
				want := movers[i].Move(space, &bare[i], v, moverTick, f, nil)
				got := caches[i].Move(&movers[i], space, &states[i], v, moverTick, f, nil)
				require.Equal(t, bare[i], states[i], "seed %d, tick %d, mover %d", seed, tick, i)
				require.Equal(t, want, got)
				if !still {
					s.SetTransform(own[i], states[i].Transform)
				}
			}
		}
	}
	t.Logf("%d moves at rest, %d others", rested, moved)
	assert.Greater(t, rested, (rested+moved)/4)
	assert.Greater(t, moved, (rested+moved)/20)
}

// A crusher that leaves a mover with no space, and then goes, is not kept.
func TestMoverAtRestAfterACrusher(t *testing.T) {
	s := newStage(ground)
	crusher := s.Add(physics.Collider{Shape: slab(-1, 1.5, -1, 1, 4, 1)})
	s.at(0, 0.02, 0).walk(geom.Vec3{}, 20)
	require.Positive(t, s.state.Depth)
	s.SetTransform(crusher, geom.At(10, 0, 0))
	s.walk(geom.Vec3{}, 1)
	require.Zero(t, s.state.Depth)
}

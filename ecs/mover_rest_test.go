package physecs

import (
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/golden"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Movers that mostly rest have the same components in a world that keeps their moves as in one that
// computes each, whatever the game changes.
func TestMoverSystemAtRest(t *testing.T) {
	const n, ticks = 12, 500
	r := golden.Numbers(41)
	worlds := [2]*walkedWorld{newWalkedWorld(), newWalkedWorld()}
	var walkers, crates [2][]ecs.Entity
	for i, y := range worlds {
		for k := range n {
			walkers[i] = append(walkers[i], y.walker(float32(k%4)*2, float32(k/4)*2, Mover{Every: uint8(k % 3)}))
			e := y.add(geom.At(float32(k%4)*2+1, 0.2, float32(k/4)*2+1), Box(geom.V(0.3, 0.2, 0.3)))
			if k%2 == 0 {
				y.Add(e, y.static)
			}
			crates[i] = append(crates[i], e)
		}
	}
	rested, moved := 0, 0
	for tick := range ticks {
		what, k, v := r.Int(30), r.Int(n), r.Vec(2)
		for i, y := range worlds {
			e, crate := walkers[i][k], crates[i][k]
			m := y.movers.Get(e)
			switch what {
			case 0:
				m.Velocity = v.WithAxis(geom.Y, 0)
			case 1, 2, 20, 21, 22:
				for _, e := range walkers[i] {
					y.movers.Get(e).Velocity = geom.Vec3{}
				}
			case 3:
				m.Jump = 4
			case 4:
				y.transforms.Get(crate).Position = y.transforms.Get(e).Position.Add(v)
			case 5:
				y.transforms.Get(e).Position.Y += 0.2
			case 6:
				c := y.colliders.Get(e)
				c.Radius = 0.3 + 0.02*v.X
			case 7:
				m.Flies = !m.Flies
			case 8:
				y.system.Gravity.Y = -9 + v.Y
			case 9:
				m.Mask = physics.Layers(1 + tick%2)
			case 10:
				y.states.Get(e).Velocity = v
			case 11:
				if has := y.Has(crate, y.static); has {
					y.Remove(crate, y.static)
				} else {
					y.Add(crate, y.static)
				}
			case 12:
				Rebase(y.World, y.space().Origin().Add(v.Wide()))
			case 13:
				m.MeetsMovers = !m.MeetsMovers
			case 14:
				y.system.Filter.Sensors = !y.system.Filter.Sensors
			case 15:
				y.system.DT = 1. / float32(50+tick%2)
			case 16:
				if y.Has(crate, y.team) {
					y.Remove(crate, y.team)
				} else {
					y.Add(crate, y.team)
				}
				y.system.Filter.Without = ecs.All(y.team)
			}
			if i == 0 {
				for _, c := range y.system.caches {
					switch {
					case c == nil:
					case c.rests:
						rested++
					default:
						moved++
					}
				}
			} else {
				y.system.caches = nil
			}
			y.run(1)
		}
		for k := range n {
			a, b := walkers[0][k], walkers[1][k]
			require.Equal(t, *worlds[1].transforms.Get(b), *worlds[0].transforms.Get(a), "tick %d, mover %d", tick, k)
			require.Equal(t, *worlds[1].states.Get(b), *worlds[0].states.Get(a), "tick %d, mover %d", tick, k)
		}
		require.Equal(t, worlds[1].hits(), worlds[0].hits())
		a, b := ecs.GetResource[MoverHits](worlds[0].World), ecs.GetResource[MoverHits](worlds[1].World)
		require.Equal(t, b.Movers, a.Movers)
	}
	t.Logf("%d moves at rest, %d others", rested, moved)
	assert.Greater(t, rested, moved/4)
}

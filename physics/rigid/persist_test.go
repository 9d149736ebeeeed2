package rigid

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Whether constraints are persistent does not change a bit of what a step does: not of the bodies,
// the events or the states, whatever happens between two steps.
func TestPersistentIsTheSame(t *testing.T) {
	testenv.SIMD(t, useSIMD)
	r := testenv.Rand(16, 21)
	var persists, hits, ended, heavy, restored int
	for range testenv.Count(t, "HITSCAN_PERSISTENT", 12) {
		var worlds [2]*Dynamics
		var states [2]State
		for i := range worlds {
			worlds[i] = New(physics.NewPlanarSpace())
			worlds[i].forgets = i > 0
		}
		both := func(do func(d *Dynamics)) {
			for _, d := range worlds {
				do(d)
			}
		}
		add := func(at geom.Transform, half geom.Vec3, b Body, m Material) {
			both(func(d *Dynamics) {
				id := d.space.Add(physics.Collider{Shape: geom.Box{HalfExtents: half}, Transform: at})
				_, err := d.Add(b, id)
				require.NoError(t, err)
				require.NoError(t, d.SetMaterial(id, m))
			})
		}
		material := func() Material {
			return Material{Friction: r.Float32(), Restitution: 0.5 * float32(r.IntN(2)), RollingResistance: 0.1 * float32(r.IntN(8)/7)}
		}
		both(func(d *Dynamics) {
			d.space.Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(20, 1, 0)}, Transform: geom.At(0, -1, 0), Static: true})
		})
		rows := 3 + r.IntN(8)
		for i := range rows {
			for k := i; k < rows; k++ {
				at := geom.At2D(0.5*float32(i)+float32(k-i)-0.5*float32(rows), float32(i)+0.5, 0.02*r.NormFloat64()*float64(r.IntN(2)))
				add(at, geom.V(0.5, 0.5, 0), Body{NoSleep: r.IntN(4) == 0}, material())
			}
		}
		if r.IntN(3) == 0 { // what the pile carries is heavy
			add(geom.At(0, float32(rows)+1, 0), geom.V(2, 1, 0), Body{Mass: Mass{Mass: 1e4}}, material())
		}
		bodies := func() (ids []BodyID) {
			for id := range worlds[0].All() {
				ids = append(ids, id)
			}
			return ids
		}
		saved := -1
		for step := range 120 {
			both((*Dynamics).Step)
			a, b := worlds[0], worlds[1]
			require.NoError(t, a.Validate())
			persists += a.persistent.n
			hits += len(a.Hits)
			ended += len(a.tracker.Ended)
			for i := range b.jobs {
				if b.jobs[i].heavy {
					heavy++
				}
			}
			require.Zero(t, b.persistent.n)
			require.Equal(t, b.motions, a.motions)
			require.Equal(t, b.Hits, a.Hits)
			require.Equal(t, b.Slept, a.Slept)
			if r.IntN(8) == 0 {
				require.Equal(t, b.AppendState(nil), a.AppendState(nil))
			}
			ids := bodies()
			id := ids[r.IntN(len(ids))]
			switch r.IntN(24) {
			case 0:
				both(func(d *Dynamics) { d.Remove(id) })
			case 1:
				add(geom.At2D(4*r.Float32()-2, 12, r.Float64()), geom.V(0.3, 0.3+0.3*r.Float32(), 0), Body{Velocity: geom.V(0, -8, 0)}, material())
			case 2:
				v := geom.V(r.Float32(), 2, 0)
				both(func(d *Dynamics) { d.SetVelocity(id, v, geom.Vec3{}) })
			case 3:
				m := material()
				both(func(d *Dynamics) { require.NoError(t, d.SetMaterial(d.Colliders(id)[0], m)) })
			case 4:
				kind := []Kind{Dynamic, Kinematic}[r.IntN(2)]
				both(func(d *Dynamics) {
					set, _ := d.Body(id)
					set.Kind = kind
					require.NoError(t, d.Set(id, set))
				})
			case 5:
				for i, d := range worlds {
					d.Save(&states[i])
				}
				saved = step
			case 6:
				if saved >= 0 {
					restored++
					for i, d := range worlds {
						d.Restore(&states[i])
					}
				}
			case 7:
				both(func(d *Dynamics) { d.Settings.Substeps = 3 + d.Settings.Substeps%2 })
			case 8:
				both(func(d *Dynamics) { d.Settings.Step = 1 / (float32(50) + float32(step%2)*10) })
			case 9:
				if worlds[0].Adjust == nil {
					both(func(d *Dynamics) { d.Adjust = func(a *Adjustment) { a.Friction *= 0.9 } })
				} else {
					both(func(d *Dynamics) { d.Adjust = nil })
				}
			}
		}
	}
	require.Greater(t, persists, 20_000)
	require.Greater(t, min(hits, ended, restored), 10)
	require.Greater(t, heavy, 100)
}

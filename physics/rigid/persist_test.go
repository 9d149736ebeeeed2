package rigid

import (
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

func plate(x, y float32) physics.Shape { return geom.Box{HalfExtents: geom.V(x, y, 0)} }

// Whether constraints are persistent does not change a bit of what a step does: not of the bodies,
// the events or the states, whatever happens between two steps.
func TestPersistentIsTheSame(t *testing.T) {
	testenv.SIMD(t, useSIMD)
	testenv.NoRace(t)
	r := testenv.Rand(16, 21)
	var persists, hits, ended, heavy, restored int
	for range testenv.Count(t, "HITSCAN_PERSISTENT", 30) {
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
		add := func(at geom.Transform, shape physics.Shape, b Body, m Material) {
			both(func(d *Dynamics) {
				id := d.space.Add(physics.Collider{Shape: shape, Transform: at})
				_, err := d.Add(b, id)
				require.NoError(t, err)
				require.NoError(t, d.SetMaterial(id, m))
			})
		}
		material := func() Material {
			return Material{Friction: r.Float32() * float32(min(r.IntN(4), 1)), Restitution: 0.5 * float32(r.IntN(2)), RollingResistance: 0.1 * float32(r.IntN(8)/7)}
		}
		both(func(d *Dynamics) {
			d.space.Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(20, 1, 0)}, Transform: geom.At(0, -1, 0), Static: true})
		})
		rows := 3 + r.IntN(8)
		for i := range rows {
			for k := i; k < rows; k++ {
				at := geom.At2D(0.5*float32(i)+float32(k-i)-0.5*float32(rows), float32(i)+0.5, 0.02*r.NormFloat64()*float64(r.IntN(2)))
				add(at, plate(0.5, 0.5), Body{NoSleep: r.IntN(4) == 0}, material())
			}
		}
		if r.IntN(3) == 0 { // what the pile carries is heavy
			add(geom.At(0, float32(rows)+1, 0), plate(2, 1), Body{Mass: Mass{Mass: 1e4}}, material())
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
			require.True(t, slices.Equal(b.motions, a.motions))
			require.Equal(t, b.Hits, a.Hits)
			require.Equal(t, b.Slept, a.Slept)
			if r.IntN(8) == 0 {
				require.True(t, bytes.Equal(b.AppendState(nil), a.AppendState(nil)))
			}
			ids := bodies()
			id, other := ids[r.IntN(len(ids))], ids[r.IntN(len(ids))]
			switch r.IntN(24) {
			case 0:
				if len(ids) > 3 {
					both(func(d *Dynamics) { d.Remove(id) })
				}
			case 1:
				shape := []physics.Shape{plate(0.3, 0.3+0.3*r.Float32()), geom.Sphere{Radius: 0.3}}[r.IntN(2)]
				add(geom.At2D(4*r.Float32()-2, 12, r.Float64()), shape, Body{Velocity: geom.V(0, -8, 0)}, material())
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
			case 10:
				at := geom.At2D(4*r.Float32()-2, 12, r.Float64())
				both(func(d *Dynamics) { d.SetTransform(id, at) })
			case 11:
				both(func(d *Dynamics) {
					set, _ := d.Body(id)
					set.Mass = Mass{Mass: 10}
					require.NoError(t, d.Set(id, set))
				})
			case 12:
				if at, ok := a.Transform(id); ok && id != other {
					both(func(d *Dynamics) {
						_, err := d.AddJoint(d.JointAt(HingeJoint, id, other, at.Position, geom.V(0, 0, 1)))
						require.NoError(t, err)
					})
				}
			case 13:
				both(func(d *Dynamics) { d.space.Rebase(geom.DVec3{X: float64(step % 3)}) })
			}
		}
	}
	testenv.Drawn(t, persists, 20_000)
	testenv.Drawn(t, min(hits, ended, restored), 10)
	testenv.Drawn(t, heavy, 100)
}

// What goes on has the bits of what a state gives, of which no constraint is persistent, on any
// number of processors.
func TestPersistentAfterStates(t *testing.T) {
	testenv.SIMD(t, useSIMD)
	rows := testenv.Fewer(64, 24)
	var want []motion
	for _, processors := range []int{1, 8} {
		t.Run(fmt.Sprint(processors), func(t *testing.T) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
			d := New(physics.NewPlanarSpace())
			d.space.Add(physics.Collider{Shape: plate(100, 1), Transform: geom.At(0, -1, 0), Static: true})
			for i := range rows {
				for k := i; k < rows; k++ {
					_, err := d.Add(Body{}, d.space.Add(physics.Collider{Shape: plate(0.5, 0.5),
						Transform: geom.At2D(1.01*float32(k)-0.505*float32(i+rows), float32(i)+0.5, 0)}))
					require.NoError(t, err)
				}
			}
			run := func(steps int) {
				for range steps {
					d.Step()
				}
			}
			run(20)
			require.Greater(t, d.persistent.n, rows*rows/2)
			var s State
			d.Save(&s)
			state := d.AppendState(nil)
			run(10)
			require.Greater(t, d.persistent.n, rows*rows/2)
			motions, end := slices.Clone(d.motions), d.AppendState(nil)
			d.Restore(&s)
			require.True(t, bytes.Equal(state, d.AppendState(nil)))
			run(10)
			require.True(t, slices.Equal(motions, d.motions))
			require.True(t, bytes.Equal(end, d.AppendState(nil)))
			d = New(physics.NewPlanarSpace())
			require.NoError(t, d.LoadState(state))
			run(10)
			require.True(t, slices.Equal(motions, d.motions))
			if want == nil {
				want = motions
			}
			require.True(t, slices.Equal(want, motions))
		})
	}
}

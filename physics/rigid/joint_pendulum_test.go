package rigid

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// doublePendulum is the exact motion of two thin rods of 1 m and 1 kg, the first of which hangs
// from a point of the world and the second from its end: the angles from straight down, and the
// momenta that belong to them.
type doublePendulum struct{ a1, a2, p1, p2 float64 }

// rates are Hamilton's equations.
func (s doublePendulum) rates() doublePendulum {
	const g = 9.81
	sin, cos := math.Sincos(s.a1 - s.a2)
	w1 := 6 * (2*s.p1 - 3*cos*s.p2) / (16 - 9*cos*cos)
	w2 := 6 * (8*s.p2 - 3*cos*s.p1) / (16 - 9*cos*cos)
	return doublePendulum{w1, w2, -(w1*w2*sin + 3*g*math.Sin(s.a1)) / 2, (w1*w2*sin - g*math.Sin(s.a2)) / 2}
}

func (s doublePendulum) after(time float64, r doublePendulum) doublePendulum {
	return doublePendulum{s.a1 + time*r.a1, s.a2 + time*r.a2, s.p1 + time*r.p1, s.p2 + time*r.p2}
}

// step is that of Runge and Kutta of fourth order.
func (s doublePendulum) step(h float64) doublePendulum {
	r1 := s.rates()
	r2 := s.after(h/2, r1).rates()
	r3 := s.after(h/2, r2).rates()
	r4 := s.after(h, r3).rates()
	return s.after(h/6, r1).after(h/3, r2).after(h/3, r3).after(h/6, r4)
}

// Over five seconds the angles of a double pendulum are within 1.6 % of the first one of where the
// equations of motion say, and twice the substeps halve that, in space and in a planar space.
// Beyond some 2 rad it is chaotic.
func TestDoublePendulum(t *testing.T) {
	testenv.NoRace(t)
	for _, first := range []float64{0.1, 0.5, 1.2} {
		for _, planar := range []bool{false, true} {
			for _, kind := range []JointKind{BallJoint, HingeJoint} {
				t.Run(fmt.Sprintf("%g/planar=%t/%v", first, planar, kind), func(t *testing.T) {
					off := [2]float64{}
					for i := range off {
						off[i] = swing(t, doublePendulum{a1: first, a2: first / 2}, planar, kind, 4<<i)
					}
					assert.Less(t, off[0], 0.016*first)
					assert.Less(t, off[1], 0.6*off[0])
				})
			}
		}
	}
}

// swing returns the greatest error of an angle in radians.
func swing(t *testing.T, truth doublePendulum, planar bool, kind JointKind, substeps int) (most float64) {
	space, rod := physics.NewSpace(), geom.Box{HalfExtents: geom.V(0.01, 0.5, 0.01)}
	if planar {
		space, rod.HalfExtents.Z = physics.NewPlanarSpace(), 0
	}
	d := New(space)
	d.Settings.Substeps = substeps
	along := func(angle float64) geom.Vec3 {
		return geom.V(float32(math.Sin(angle)), -float32(math.Cos(angle)), 0)
	}
	var ids [2]BodyID
	var upper BodyID // the world, then the first rod
	var end geom.Vec3
	for i, angle := range [2]float64{truth.a1, truth.a2} {
		middle := end.Add(along(angle).Mul(0.5))
		ids[i] = d.drop(t, rod, geom.At2D(middle.X, middle.Y, angle), Body{NoSleep: true})
		_, err := d.AddJoint(d.JointAt(kind, upper, ids[i], end, geom.V(0, 0, 1)))
		require.NoError(t, err)
		upper, end = ids[i], end.Add(along(angle))
	}
	for range 300 {
		d.Step()
		for range 20 {
			truth = truth.step(1.0 / 1200)
		}
		for i, angle := range [2]float64{truth.a1, truth.a2} {
			tr, _ := d.Transform(ids[i])
			is, want := tr.Rotation.Rotate(geom.V(0, -1, 0)), along(angle)
			most = max(most, math.Abs(float64(is.X*want.Y-is.Y*want.X)))
		}
	}
	return most
}

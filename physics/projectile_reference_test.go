package physics

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Without gravity and with restitution 1, the path in a box is a straight line in a lattice of
// mirror images of the box.
func TestProjectileInABoxIsUnfolded(t *testing.T) {
	r := testenv.Rand(7, 8)
	fold := func(x, reach float64) float64 {
		x = math.Mod(math.Abs(x+reach), 4*reach)
		return min(x, 4*reach-x) - reach
	}
	for range 100 {
		half := 2 + 10*r.Float32()
		s := rooms(geom.Vec3{}, geom.Quat{}, half)[r.IntN(3)].space
		p := Projectile{Position: vecWithin(r, half/2), Velocity: vecWithin(r, 60), Radius: 0.1 * r.Float32(), Bounces: -1, Restitution: 1, RestSpeed: -1}
		began, bounces, rounded := p, 0, 0
		const ticks = 120
		for range ticks {
			hits := len(p.Move(nil, s, flightTick, Filter{}))
			bounces += hits
			rounded += min(hits, 1)
		}
		reach := float64(half) - float64(p.Radius) - 0x1p-13
		way := began.Velocity.Wide().Len() * ticks * float64(flightTick)
		at := began.Position.Wide().AddMul(ticks*float64(flightTick), began.Velocity.Wide())
		want := geom.DVec3{X: fold(at.X, reach), Y: fold(at.Y, reach), Z: fold(at.Z, reach)}
		// Each tick rounds the motion and the position to single precision. Each bounce doubles the
		// error of the point of the bounce: the rounding of T and of the walls, and up to a
		// sixteenth of the skin, since shorter corrections are not made. Each bounce also shortens
		// the velocity by up to 2⁻²³ of it for the rest of the path.
		// The rounding of a vector with coordinates up to 1, twice.
		const coordinate = 2 * 1.7320508 * 0x1p-24
		tolerance := coordinate*(way+ticks*float64(half)) + float64(bounces)*(2*(0x1p-13/16+4*0x1p-24*float64(half))+0x1p-23*way)
		require.InDelta(t, 0, p.Position.Wide().Sub(want).Len(), tolerance, "%+v", began)
		// A bounce is computed in double precision. Each Move with a bounce then rounds the
		// velocity to float32, toward zero: each component loses less than 1 ulp, which is at most
		// 2⁻²³ of it.
		before, after := began.Velocity.Wide().Len(), p.Velocity.Wide().Len()
		require.LessOrEqual(t, after, before*(1+0x1p-40), "no bounce adds speed")
		require.GreaterOrEqual(t, after, before*(1-0x1p-23*float64(rounded)-0x1p-40))
	}
}

// reference moves in steps that are so short that the first point inside an obstacle stands for
// the point of impact.
type reference struct {
	p, v, a               geom.DVec3
	restitution, friction float64
	bounces               int
}

// barrier returns the distance of a point from it, and the direction away from it.
type barrier func(p geom.DVec3) (distance float64, normal geom.DVec3)

func (f *reference) step(h, radius float64, barriers []barrier) {
	f.p = f.p.AddMul(h, f.v).AddMul(h*h/2, f.a)
	f.v = f.v.AddMul(h, f.a)
	for _, o := range barriers {
		d, n := o(f.p)
		across := f.v.Dot(n)
		if d > radius || across >= 0 {
			continue
		}
		along := f.v.AddMul(-across, n)
		if l := along.Len(); l > 0 {
			along = along.Mul(max(0, 1+f.friction*(1+f.restitution)*across/l))
		}
		f.v = along.AddMul(-f.restitution*across, n)
		f.bounces++
	}
}

// Every tick of a flight is compared with a reference that moves in 2,000 steps per tick from the
// same start.
//
// Without a bounce the two differ by rounding. With a bounce, the chord of a tick is up to sag from
// the parabola, and the reference passes the surface by up to one step, so their points of impact
// differ along the normal by up to e = sag + step. Let κ be the acceleration along the normal: on a
// ball of radius ρ it exceeds gravity by v²/ρ. The normal component of the speed v then differs by
// at most √(2κe), the speed gained over the distance e. The normals differ by the distance along
// the surface, which is 2e·v divided by that component, divided by ρ. The bounce at most doubles
// both differences, friction included, and both move the projectile until the tick ends.
func TestProjectileAgainstTinySteps(t *testing.T) {
	testenv.NoRace(t)
	r := testenv.Rand(9, 10)
	total := 0
	for range 60 {
		s := NewSpace()
		var barriers []barrier
		for _, angle := range []float64{0, 2, 4} {
			pl := slopeFacing(0.2+0.4*r.Float64(), angle)
			s.Add(Collider{Shape: pl})
			n := pl.Normal.Wide().Normalize()
			barriers = append(barriers, func(p geom.DVec3) (float64, geom.DVec3) { return n.Dot(p), n })
		}
		ball := geom.Sphere{Center: vecWithin(r, 1).Add(geom.V(0, 1.5, 0)), Radius: 0.5}
		s.Add(Collider{Shape: ball})
		barriers = append(barriers, func(p geom.DVec3) (float64, geom.DVec3) {
			d := p.Sub(ball.Center.Wide())
			return d.Len() - float64(ball.Radius), d.Normalize()
		})
		p := Projectile{Position: ball.Center.Add(geom.V(0, 2, 0).Add(vecWithin(r, 0.5))), Velocity: vecWithin(r, 3), Acceleration: geom.V(0, -9.81, 0),
			Radius: 0.05 + 0.1*r.Float32(), Bounces: -1, Restitution: 0.5 + 0.4*r.Float32(), Friction: 0.3 * r.Float32()}
		const steps = 2000
		const h = float64(flightTick) / steps
		radius, fall := float64(p.Radius)+0x1p-13, p.Acceleration.Wide().Len()
		clearance := func(at geom.DVec3) float64 {
			least := math.Inf(1)
			for _, b := range barriers {
				d, _ := b(at)
				least = min(least, d-radius)
			}
			return least
		}
		for bounces := 0; bounces <= 3; { // after a few more bounces it comes to rest
			from := p.Position.Wide()
			f := reference{p: from, v: p.Velocity.Wide(), a: p.Acceleration.Wide(), restitution: float64(p.Restitution), friction: float64(p.Friction)}
			missed := math.Inf(1) // by the reference
			for range steps {
				f.step(h, radius, barriers)
				missed = min(missed, clearance(f.p))
			}
			hits := len(p.Move(nil, s, flightTick, Filter{}))
			to := p.Position.Wide()
			speed := f.v.Len() + fall*float64(flightTick)
			e := fall*float64(flightTick)*float64(flightTick)/8 + speed*h
			if hits != f.bounces {
				// Only one of the two touches, at the end of the tick or at a grazing angle.
				if hits < f.bounces {
					for i := range 100 {
						missed = min(missed, clearance(from.AddMul(float64(i+1)/100, to.Sub(from))))
					}
					e += to.Sub(from).Len() / 200 // half the distance between two points
				}
				require.Less(t, missed, e)
				bounces += max(hits, f.bounces)
				continue
			}
			place := 0x1p-22 * (from.Len() + speed)
			turned := place
			for range hits {
				rho := float64(ball.Radius) + radius
				kappa := fall + speed*speed/rho
				turned += (1 + f.friction) * (1 + f.restitution) * (math.Sqrt(2*kappa*e) + 2*e*speed/rho)
				e = (1+f.friction)*(1+f.restitution)*e + turned*float64(flightTick)
				place = e
			}
			require.InDelta(t, 0, to.Sub(f.p).Len(), place)
			require.InDelta(t, 0, p.Velocity.Wide().Sub(f.v).Len(), turned)
			bounces += hits
			total += hits
		}
	}
	testenv.Drawn(t, total, 100)
}

// The same flight gives the same bits, and so does a flight that is interrupted and continued.
func TestProjectileIsReproducible(t *testing.T) {
	r := testenv.Rand(11, 12)
	s := rooms(geom.V(100, 0, 0), geom.QuatEuler(1, 2, 3), 5)[3].space
	for range 50 {
		p := Projectile{Position: geom.V(100, 0, 0), Velocity: vecWithin(r, 100), Acceleration: geom.V(0, -9.81, 0), Bounces: -1, Restitution: 0.9}
		q := p
		var a, b []ProjectileHit
		for range 60 {
			a = p.Move(a, s, flightTick, Filter{})
			kept := q
			b = kept.Move(b, s, flightTick, Filter{})
			q = kept
			require.Equal(t, p, q)
		}
		require.Equal(t, a, b)
	}
}

// FuzzProjectile moves any projectile through any space. For all numbers, each move returns, and
// its events are in order.
func FuzzProjectile(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{1, 4, 100, 116, 100, 100, 100, 100, 100, 0, 100, 120, 100, 100, 40, 100, 100, 90, 100, 104, 110, 100, 100, 101, 5})
	f.Add([]byte{2, 5, 0, 100, 100, 100, 1, 250, 0, 0, 128, 127, 100, 100, 100, 150, 100, 100, 84, 2, 100, 100, 100, 120, 9, 9, 9})
	f.Fuzz(func(t *testing.T, data []byte) {
		in := source(data)
		s := NewSpace()
		for range in.byte() % 8 {
			s.Add(Collider{Shape: in.shape(), Transform: in.transform(), Sensor: in.byte()%4 == 0})
		}
		began := Projectile{Position: in.vec(), Velocity: in.vec(), Acceleration: in.vec(), Radius: in.float(), Bounces: int32(in.byte()) - 2,
			Restitution: in.float(), Friction: in.float(), RestSpeed: in.float(), Life: in.float()}
		dt := in.float()
		sensors := in.byte()%2 == 0
		run := func() (p Projectile, events []ProjectileHit) {
			p = began
			for range 5 {
				n := len(events)
				events = p.Move(events, s, dt, Filter{Sensors: sensors})
				last := float32(0)
				for _, e := range events[n:] {
					require.True(t, e.T >= last && e.T <= 1, "%v after %v", e.T, last)
					require.True(t, e.Position.IsFinite() && e.VelocityIn.IsFinite() && e.VelocityOut.IsFinite(), "%+v", e)
					last = e.T
				}
			}
			return p, events
		}
		p, events := run()
		if began.Position.IsFinite() && began.Velocity.IsFinite() {
			require.True(t, p.Position.IsFinite() && p.Velocity.IsFinite(), "%+v", p)
			again, same := run()
			// As text, NaN equals NaN.
			require.Equal(t, fmt.Sprint(p, events), fmt.Sprint(again, same))
		}
		if began.Bounces >= 0 {
			require.True(t, p.Bounces >= 0 && p.Bounces <= began.Bounces)
		}
	})
}

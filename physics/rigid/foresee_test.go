package rigid_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// targets are shapes at the origin, with the point of each that is closest to another point outside
// of it.
var targets = []struct {
	name    string
	shape   physics.Shape
	closest func(p geom.DVec3) geom.DVec3
}{
	{"ball", geom.Sphere{Radius: 0.5}, func(p geom.DVec3) geom.DVec3 { return p.Mul(0.5 / p.Len()) }},
	{"box", geom.Box{HalfExtents: geom.V(0.5, 0.25, 0.75)}, func(p geom.DVec3) geom.DVec3 {
		return geom.DVec3{X: clamp(p.X, 0.5), Y: clamp(p.Y, 0.25), Z: clamp(p.Z, 0.75)}
	}},
	{"capsule", geom.Capsule{A: geom.V(0, -0.5, 0), B: geom.V(0, 0.5, 0), Radius: 0.25}, func(p geom.DVec3) geom.DVec3 {
		on := geom.DVec3{Y: clamp(p.Y, 0.5)}
		return on.Add(p.Sub(on).Mul(0.25 / p.Sub(on).Len()))
	}},
	{"cylinder", geom.Cylinder(geom.V(0, -0.5, 0), geom.V(0, 0.5, 0), 0.25), func(p geom.DVec3) geom.DVec3 {
		k := min(1, 0.25/math.Hypot(p.X, p.Z))
		return geom.DVec3{X: p.X * k, Y: clamp(p.Y, 0.5), Z: p.Z * k}
	}},
}

func clamp(x, most float64) float64 { return min(max(x, -most), most) }

// A ball that flies at a shape is thrown back as by a mirror, which is the plane that both touch at
// the impact, wherever in a step that is. One that misses flies on, however close.
func TestBallsAreMirrored(t *testing.T) {
	testenv.NoRace(t)
	r := rand.New(rand.NewPCG(1, 2))
	for _, target := range targets {
		for _, planar := range []bool{false, true} {
			if planar && target.name == "cylinder" {
				continue
			}
			hits, misses := 0, 0
			for range 300 {
				radius, speed := 0.03*math.Pow(10, r.Float64()), 0.5*math.Pow(40, r.Float64())
				direction := geom.DVec3{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}
				aim := geom.DVec3{X: r.Float64() - 0.5, Y: r.Float64() - 0.5, Z: r.Float64() - 0.5}.Mul(1.6)
				if planar {
					direction.Z, aim.Z = 0, 0
				}
				direction = direction.Mul(1 / direction.Len())
				flight := 0.1 + 0.1*r.Float64()
				from := aim.Sub(direction.Mul(1.5 + speed*flight))

				// The truth, by steps of the distance.
				at, hit := from, false
				var normal geom.DVec3
				nearest := math.Inf(1)
				for at.Sub(from).Len() < 2*(1.5+speed*flight) {
					apart := at.Sub(target.closest(at))
					if nearest = min(nearest, apart.Len()-radius); apart.Len() < radius+1e-9 {
						normal, hit = apart.Mul(1/apart.Len()), true
						break
					}
					at = at.Add(direction.Mul(max(apart.Len()-radius, 1e-9)))
				}
				if hit && direction.Dot(normal) > -0.1 || !hit && nearest < 0.01*radius {
					continue // so flat that rounding matters
				}

				s := physics.NewSpace()
				shape := target.shape
				if planar {
					s = physics.NewPlanarSpace()
					if b, ok := shape.(geom.Box); ok {
						b.HalfExtents.Z, shape = 0, b
					}
				}
				d := rigid.New(s)
				d.Settings.Gravity, d.Settings.BounceSpeed = geom.Vec3{}, 0
				mirror := rigid.Material{Restitution: 1}
				require.NoError(t, d.SetMaterial(s.Add(physics.Collider{Shape: shape}), mirror))
				place := geom.Transform{Position: from.Narrow()}
				ball := s.Add(physics.Collider{Shape: geom.Sphere{Radius: float32(radius)}, Transform: place})
				require.NoError(t, d.SetMaterial(ball, mirror))
				id, err := d.Add(rigid.Body{NoSleep: true, Velocity: direction.Mul(speed).Narrow()}, ball)
				require.NoError(t, err)
				for range int(60*2*(1.5+speed*flight)/speed) + 2 {
					d.Step()
				}
				b, _ := d.Body(id)
				want := direction
				if hit {
					want = want.Sub(normal.Mul(2 * direction.Dot(normal)))
					hits++
				} else {
					misses++
				}
				off := b.Velocity.Wide().Mul(1 / speed).Sub(want).Len()
				require.Less(t, off, 0.02, "%s, planar %t: radius %g, %g m/s, from %v along %v, hit %t", target.name, planar, radius, speed, from, direction, hit)
			}
			require.Greater(t, hits, 90)
			require.Greater(t, misses, 40)
		}
	}
}

// Two balls exchange momentum along the line through their centres at the impact.
func TestBallsMeet(t *testing.T) {
	testenv.NoRace(t)
	r := rand.New(rand.NewPCG(3, 4))
	hits := 0
	for range 400 {
		var radius, mass [2]float64
		var at, v [2]geom.DVec3
		for i := range 2 {
			radius[i], mass[i] = 0.03+0.1*r.Float64(), 0.2+r.Float64()
			v[i] = geom.DVec3{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}.Mul(0.5 + 5*r.Float64())
		}
		// Where they are half a second before the impact, or their way past each other.
		gap := geom.DVec3{X: r.Float64() - 0.5, Y: r.Float64() - 0.5, Z: r.Float64() - 0.5}.Mul(2 * (radius[0] + radius[1]))
		for i := range 2 {
			at[i] = gap.Mul(float64(i)).Sub(v[i].Mul(0.5 + 0.02*r.Float64()))
		}
		want := v
		p, u := at[1].Sub(at[0]), v[1].Sub(v[0])
		sum := radius[0] + radius[1]
		b, a, c := p.Dot(u), u.Dot(u), p.Dot(p)-sum*sum
		switch square := b*b - a*c; {
		case c < 0.1 || math.Abs(square) < 0.02*a*sum*sum:
			continue // they begin together, or graze
		case square > 0:
			hits++
			n := p.Add(u.Mul((-b - math.Sqrt(square)) / a)).Mul(1 / sum)
			impulse := n.Mul(2 * u.Dot(n) / (1/mass[0] + 1/mass[1]))
			want[0], want[1] = v[0].Add(impulse.Mul(1/mass[0])), v[1].Sub(impulse.Mul(1/mass[1]))
		}
		s := physics.NewSpace()
		d := rigid.New(s)
		d.Settings.Gravity, d.Settings.BounceSpeed = geom.Vec3{}, 0
		var ids [2]rigid.BodyID
		for i := range 2 {
			ball := s.Add(physics.Collider{Shape: geom.Sphere{Radius: float32(radius[i])}, Transform: geom.Transform{Position: at[i].Narrow()}})
			require.NoError(t, d.SetMaterial(ball, rigid.Material{Restitution: 1}))
			m := float32(mass[i])
			var err error
			ids[i], err = d.Add(rigid.Body{NoSleep: true, Velocity: v[i].Narrow(), Mass: rigid.Mass{Mass: m, Inertia: geom.V(m, m, m)}}, ball)
			require.NoError(t, err)
		}
		for range 60 {
			d.Step()
		}
		for i := range 2 {
			b, _ := d.Body(ids[i])
			require.Less(t, b.Velocity.Wide().Sub(want[i]).Len(), 0.02*u.Len(), "at %v and %v with %v and %v", at[0], at[1], v[0], v[1])
		}
	}
	require.Greater(t, hits, 100)
}

// A capsule that flies at a ball parts from it along the normal where they touch, and turns, by
// the laws of a frictionless elastic impact, wherever in a step that is.
func TestCapsulesBounce(t *testing.T) {
	testenv.NoRace(t)
	const half, radius, ball = 0.5, 0.2, 0.25
	r := rand.New(rand.NewPCG(3, 4))
	shape := geom.Capsule{A: geom.V(0, -half, 0), B: geom.V(0, half, 0), Radius: radius}
	mass, err := rigid.MassOf(shape, geom.Vec3{}, rigid.DefaultDensity)
	require.NoError(t, err)
	m := float64(mass.Mass)
	across := float64(max(mass.Inertia.X, mass.Inertia.Y, mass.Inertia.Z))
	hits := 0
	for range 500 {
		speed, flight := 0.5*math.Pow(40, r.Float64()), 0.1+0.1*r.Float64()
		place := geom.At(float32(r.Float64()-0.5), float32(r.Float64()-0.5), float32(1.2+speed*flight))
		place.Rotation = geom.QuatEuler(6*r.Float64(), 3*r.Float64(), 6*r.Float64())
		axis, from := place.Rotation.Rotate(geom.V(0, 1, 0)).Wide(), place.Position.Wide()

		// The truth, by steps of the distance of the ball's centre from the axis.
		way, along := 0.0, 0.0
		var on geom.DVec3
		for way < 3+speed*flight {
			at := from.Sub(geom.DVec3{Z: way})
			along = clamp(-at.Dot(axis), half)
			on = at.AddMul(along, axis)
			if on.Len() < radius+ball+1e-9 {
				break
			}
			way += max(on.Len()-radius-ball, 1e-9)
		}
		normal := on.Mul(1 / on.Len())
		if on.Len() > radius+ball+1e-8 || normal.Z < 0.1 {
			continue // it misses, or grazes
		}
		hits++
		lever := axis.Cross(normal).Mul(along * -1)
		impulse := 2 * speed * normal.Z / (1/m + lever.Dot(lever)/across)
		want := geom.DVec3{Z: -speed}.AddMul(impulse/m, normal)

		s := physics.NewSpace()
		d := rigid.New(s)
		d.Settings.Gravity, d.Settings.BounceSpeed = geom.Vec3{}, 0
		c := s.Add(physics.Collider{Shape: shape, Transform: place})
		require.NoError(t, d.SetMaterial(c, rigid.Material{Restitution: 1, CombineRestitution: rigid.Maximum}))
		require.NoError(t, d.SetMaterial(s.Add(physics.Collider{Shape: geom.Sphere{Radius: ball}}), rigid.Material{}))
		id, err := d.Add(rigid.Body{Velocity: geom.V(0, 0, float32(-speed))}, c)
		require.NoError(t, err)
		turned := geom.Vec3{}
		v := turned
		for k := 0; float64(k) < 60*(way/speed)+2; k++ {
			d.Step()
			if v, turned, _ = d.Velocity(id); v.Z > float32(-speed)*(1-1e-5) {
				break
			}
		}
		require.Less(t, v.Wide().Sub(want).Len(), 0.003*speed, "%v at %g m/s, with %v: %v, not %v", place, speed, turned, v, want)
	}
	require.Greater(t, hits, 100)
}

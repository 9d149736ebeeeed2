package rigid_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// What falls flat, whatever its shape, bounces to the height of restitution² times that of its
// fall, as a ball does, and does not turn.
func TestFlatBounce(t *testing.T) {
	for name, x := range map[string]struct {
		shape physics.Shape
		half  float32
	}{
		"box": {box(0.5), 0.5}, "plank": {geom.Box{HalfExtents: geom.V(1, 0.1, 0.3)}, 0.1}, "tower": {geom.Box{HalfExtents: geom.V(0.2, 1, 0.2)}, 1},
		"cylinder": {geom.Cylinder(geom.V(0, -0.5, 0), geom.V(0, 0.5, 0), 0.25), 0.5},
		"log":      {geom.Cylinder(geom.V(-0.5, 0, 0), geom.V(0.5, 0, 0), 0.25), 0.25},
		"capsule":  {geom.Capsule{A: geom.V(-0.5, 0, 0), B: geom.V(0.5, 0, 0), Radius: 0.25}, 0.25},
	} {
		for _, mu := range []float32{0, 0.6} {
			for _, e := range []float32{0.5, 0.8, 1} {
				s := newScene(t)
				s.material(func(m *rigid.Material) { m.Friction, m.Restitution = mu, e })
				id := s.add(rigid.Body{}, x.shape, geom.At(0, x.half+2, 0))
				top, spin := float32(0), float32(0)
				for k, up := 0, false; k < 200; k++ {
					s.Step()
					v, w, _ := s.Velocity(id)
					if up = up || v.Y > 0; up {
						top, spin = max(top, float32(s.position(id).Y)-x.half), max(spin, w.Len())
						if v.Y < 0 {
							break
						}
					}
				}
				require.InEpsilon(t, 2*e*e, top, 0.002, "%s, friction %g, restitution %g", name, mu, e)
				require.Less(t, spin, float32(0.01), "%s, friction %g, restitution %g", name, mu, e)
			}
		}
	}
}

// A rod that meets the ground with one end parts from it by Newton's law along the normal, and by
// Coulomb's along the surface, at once: friction at the end turns the rod, which changes the speed
// of the end along the normal.
func TestRodBounces(t *testing.T) {
	const half, radius, fall = 0.5, 0.1, 5.0
	for _, degrees := range []float64{10, 30, 45, 60, 80} {
		for _, mu := range []float64{0, 0.1, 0.3, 0.6} {
			for _, e := range []float64{0.5, 1} {
				for _, along := range []float64{0, 2, -2, 10} {
					t.Run(fmt.Sprintf("%g°, friction %g, restitution %g, %g m/s", degrees, mu, e, along), func(t *testing.T) {
						s := newScene(t)
						s.Settings.Gravity = geom.Vec3{}
						s.material(func(m *rigid.Material) {
							m.Friction, m.Restitution, m.CombineFriction = float32(mu), float32(e), rigid.Minimum
						})
						sin, cos := math.Sincos(degrees * math.Pi / 180)
						x, y := -half*cos, -half*sin-radius // the lowest point
						rod := geom.Capsule{A: geom.V(-half, 0, 0), B: geom.V(half, 0, 0), Radius: radius}
						at := geom.Transform{Position: geom.V(0, float32(0.3-y), 0), Rotation: geom.QuatAxisAngle(geom.V(0, 0, 1), degrees*math.Pi/180)}
						id := s.add(rigid.Body{Velocity: geom.V(float32(along), -fall, 0)}, rod, at)
						mass, err := rigid.MassOf(rod, geom.Vec3{}, rigid.DefaultDensity)
						require.NoError(t, err)
						// Of a mass of 1: the moment, and the velocity of the end by a unit
						// impulse on it, along the surface and the normal.
						turn := float64(max(mass.Inertia.X, mass.Inertia.Y, mass.Inertia.Z)) / float64(mass.Mass)
						kt, kn, both := 1+y*y/turn, 1+x*x/turn, -x*y/turn
						gain := (1 + e) * fall
						// It sticks, or else slides on against friction.
						det := kt*kn - both*both
						jt, jn := (-along*kn-both*gain)/det, (kt*gain+both*along)/det
						if math.Abs(jt) > mu*jn {
							for _, side := range []float64{-mu, mu} {
								n := gain / (kn + side*both)
								if slip := along + kt*side*n + both*n; n > 0 && slip*side <= 0 {
									jt, jn = side*n, n
								}
							}
						}
						for range 30 {
							s.Step()
							if _, w, _ := s.Velocity(id); w.Z != 0 {
								break
							}
						}
						v, w, _ := s.Velocity(id)
						off := math.Hypot(math.Hypot(float64(v.X)-along-jt, float64(v.Y)+fall-jn), half*(float64(w.Z)-(x*jn-y*jt)/turn))
						require.Less(t, off, 0.06*math.Hypot(along, fall))
					})
				}
			}
		}
	}
}

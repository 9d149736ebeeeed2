package physics

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// scene fills a space and its twin with n colliders of every kind around a centre.
type scene struct {
	*rand.Rand
	space  *Space
	twin   twin
	center geom.Vec3
	unit   float32 // metres; shapes are about as large
	ids    []ColliderID
}

func newScene(n int, center geom.Vec3, unit float32) *scene {
	s := &scene{testenv.Rand(1, 2), NewSpace(), twin{}, center, unit, nil}
	for range n {
		s.add(s.collider())
	}
	return s
}

func (s *scene) add(c Collider) {
	id := s.space.Add(c)
	s.ids = append(s.ids, id)
	s.twin[id] = c
}

// vec returns a vector with components up to r units to both sides.
func (s *scene) vec(r float32) geom.Vec3 {
	f := func() float32 { return (s.Float32()*2 - 1) * r * s.unit }
	return geom.V(f(), f(), f())
}

func (s *scene) transform(r float32) geom.Transform {
	t := geom.Transform{Position: s.vec(r)}
	if s.IntN(2) == 0 {
		t.Rotation = geom.QuatEuler(s.Float64()*6, s.Float64()*6, s.Float64()*6)
	}
	if s.IntN(2) == 0 {
		f := func() float32 { return (s.Float32() + 0.2) * float32(1-2*s.IntN(2)) }
		t.Scale = geom.V(f(), f(), f())
	}
	return t
}

func (s *scene) shape() Shape {
	h := s.vec(1).Abs()
	switch s.IntN(9) {
	case 0:
		return geom.AABBAround(s.vec(1), h)
	case 1:
		return geom.Box{HalfExtents: h, Rotation: s.transform(0).Rotation}
	case 2:
		return geom.Sphere{Radius: h.X}
	case 3:
		return geom.Capsule{A: s.vec(1), B: s.vec(1), Radius: h.X}
	case 5:
		return geom.Cone{A: s.vec(1), B: s.vec(1), RadiusA: h.X, RadiusB: h.Y}
	case 6:
		return geom.TaperedCapsule{A: s.vec(1), B: s.vec(1), RadiusA: h.X, RadiusB: h.Y}
	case 4:
		return testHulls[s.IntN(len(testHulls))]
	}
	return testMeshes[s.IntN(len(testMeshes))]
}

func (s *scene) collider() Collider {
	// So no margin hides a fault.
	c := Collider{Transform: s.transform(8), User: s.Uint64(), Static: true}
	c.Transform.Position = c.Transform.Position.Add(s.center)
	if s.IntN(5) > 0 {
		c.Shape = s.shape()
	} else {
		c.Shape = NewCompound(Child{s.shape(), s.transform(1)}, Child{s.shape(), s.transform(1)})
	}
	return c
}

// target returns a point at the rim of a collider, where rounding decides between hit and miss.
func (s *scene) target() geom.Vec3 {
	b, _ := s.space.Bounds(s.ids[s.IntN(len(s.ids))])
	p := b.Center()
	for _, axis := range []geom.Axis{geom.X, geom.Y, geom.Z} {
		switch s.IntN(4) {
		case 0:
			p = p.WithAxis(axis, b.Min.Axis(axis))
		case 1:
			p = p.WithAxis(axis, b.Max.Axis(axis))
		case 2:
			p = p.WithAxis(axis, p.Axis(axis)+b.HalfExtents().Axis(axis)*(s.Float32()*2-1))
		}
	}
	return p
}

// ray returns a ray through target and one along an axis by turns, from near and from far.
func (s *scene) ray(distance float32) geom.Ray {
	p := s.target()
	if s.IntN(3) == 0 {
		axis := geom.Axis(s.IntN(3))
		d := float32(1 - 2*s.IntN(2))
		return geom.NewRay(p.WithAxis(axis, p.Axis(axis)-d*distance), axis.Unit().Mul(d))
	}
	o := p.Add(s.vec(1).Normalize().Mul(distance))
	if s.IntN(2) == 0 {
		return geom.Segment(o, p)
	}
	return geom.NewRay(o, p.Sub(o).Mul(0.01+s.Float32()))
}

// TestManyAgainstTwin queries some hundreds of colliders, near the origin and far away, tiny and
// huge. Rays aim at rims, and come from so far that the tree's margin for rounding is needed.
func TestManyAgainstTwin(t *testing.T) {
	testenv.Long(t)
	testenv.NoRace(t)
	for _, tt := range []struct {
		name     string
		center   geom.Vec3
		unit     float32
		distance float32
	}{
		{"near", geom.Vec3{}, 1, 30},
		{"from far", geom.Vec3{}, 1, 1e5},
		{"far away", geom.V(1e5, -2e4, 3e5), 1, 30},
		{"tiny", geom.Vec3{}, 1e-4, 1e-3},
		{"huge", geom.Vec3{}, 1e6, 1e7},
		{"flat", geom.V(1e6, 0, 0), 1, 1e6},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newScene(150, tt.center, tt.unit)
			hits := 0
			// At least 300 rounds, and as many more as it takes to find the hits, whatever the
			// seed.
			for i := 0; i < 300 || hits <= 200 && i < 3000; i++ {
				r := s.ray(tt.distance)
				f := Filter{Start: geom.StartMode(i % 3), Cull: geom.Cull(i / 3 % 3)}
				hits += requireSameCasts(t, s.space, s.twin, r, f)

				p := s.target()
				ball := geom.Sphere{Center: p, Radius: s.vec(3).Abs().X}
				require.Equal(t, s.twin.overlap(ball, f), s.space.OverlapSphere([]ColliderID{}, ball, f))
				box := geom.Box{Center: p, HalfExtents: s.vec(3).Abs(), Rotation: s.transform(1).Rotation}
				require.Equal(t, s.twin.overlap(box, f), s.space.OverlapBox([]ColliderID{}, box, f))
				require.Equal(t, s.twin.overlap(box.Bounds(), f), s.space.OverlapAABB([]ColliderID{}, box.Bounds(), f))
				require.Equal(t, s.twin.overlap(geom.Sphere{Center: p}, f), s.space.OverlapPoint([]ColliderID{}, p, f))

				at := p.Add(s.vec(20))
				want, _ := s.twin.closest(at, float32(math.Inf(1)), f)
				got, ok := s.space.Nearest(at, float32(math.Inf(1)), f)
				require.True(t, ok)
				require.Equal(t, want, got)

				id := s.ids[s.IntN(len(s.ids))]
				c := s.collider()
				require.True(t, s.space.Set(id, c))
				s.twin[id] = c
			}
			require.NoError(t, s.space.Validate())
			testenv.Drawn(t, hits, 200)
		})
	}
}

package physics

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// motley returns a space of colliders of every kind on layers with masks, some of them compounds,
// sensors or static, and a function that has them leap, slide and creep.
func motley(n int) (*scene, func()) {
	s := &scene{testenv.Rand(41, 42), NewSpace(), twin{}, geom.Vec3{}, 1, nil}
	for range n {
		c := s.collider()
		c.Static = s.IntN(4) == 0
		c.Sensor = s.IntN(8) == 0
		c.Layer, c.Mask = Layers(s.IntN(8)), Layers(s.IntN(16))
		s.add(c)
	}
	s.add(Collider{Shape: geom.Plane{Normal: geom.V(0, 1, 0), D: -4}})
	s.add(Collider{Shape: terrain(12), Transform: geom.At(-6, -5, -6), Static: true})
	return s, func() {
		for _, id := range s.ids {
			c, ok := s.space.Collider(id)
			if !ok || s.IntN(3) > 0 {
				continue
			}
			step := []float32{1e-4, 1e-3, 0.05, 2}[s.IntN(4)]
			c.Transform.Position = c.Transform.Position.Add(s.vec(step))
			if s.IntN(2) == 0 {
				c.Transform.Rotation = geom.QuatAxisAngle(s.vec(1), float64(min(step, 0.1))).Mul(c.Transform.Rotation)
			}
			s.space.SetTransform(id, c.Transform)
		}
		for range 3 {
			i := s.IntN(len(s.ids))
			switch s.IntN(3) {
			case 0:
				s.space.Remove(s.ids[i])
				c := s.collider()
				c.Static = false
				s.ids[i] = s.space.Add(c)
			case 1:
				c := s.collider()
				c.Sensor, c.Layer, c.Mask = s.IntN(2) == 0, Layers(s.IntN(8)), Layers(s.IntN(16))
				s.space.Set(s.ids[i], c)
			}
		}
	}
}

// The contacts of a crowd, and what a shape touches in it, are those of every two alone, to the
// bit.
func TestContactsInACrowd(t *testing.T) {
	testenv.NoRace(t)
	s, tick := motley(tries(160))
	tracker := ContactTracker{RecycleDistance: -1}
	touched := 0
	for i := range 8 {
		tracker.Margin = []float32{0, 0.02, 0.02, 0.5}[i/2]
		tracker.Mask = []Layers{0, 0, 3}[i%3]
		s.space.Update()
		tracker.Update(s.space)
		want := contactTwin(s.space, tracker.Margin, nil)
		want = slices.DeleteFunc(want, func(x Contact) bool {
			a, _ := s.space.Collider(x.A)
			b, _ := s.space.Collider(x.B)
			on := func(c Collider) bool {
				return tracker.Mask == 0 || cmp.Or(c.Layer, DefaultLayer)&tracker.Mask != 0
			}
			return !on(a) || !on(b)
		})
		got := tracker.kept(tracker.All)
		for k := range got {
			got[k].since = 0
		}
		require.Equal(t, want, got)
		touched += len(got)

		ids := slices.Sorted(slices.Values(s.ids))
		everywhere := geom.AABB{Min: geom.V(-1e6, -1e6, -1e6), Max: geom.V(1e6, 1e6, 1e6)}
		for range 8 {
			c := s.collider()
			p, f := Placed{c.Shape, c.Transform}, Filter{Mask: Layers(s.IntN(8)), OwnLayer: Layers(s.IntN(8))}
			var all []ShapeManifold
			for _, id := range ids {
				o, _ := s.space.Collider(id)
				alone := NewSpace()
				if alone.Add(o); len(alone.OverlapAABB(nil, everywhere, f)) == 0 {
					continue // filtered
				}
				for _, m := range Collide(nil, Placed{o.Shape, o.Transform}, p, tracker.Margin) {
					all = append(all, ShapeManifold{m, id, o.User})
				}
			}
			require.Equal(t, all, s.space.CollideShape(nil, p, tracker.Margin, f))
		}
		tick()
	}
	require.Greater(t, touched, 100)
}

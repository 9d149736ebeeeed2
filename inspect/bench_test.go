package inspect

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// A tick while nothing looks.
func BenchmarkFrame(b *testing.B) {
	for name, i := range map[string]*Inspector{"alone": {}, "past": {Past: 100}, "control": {Past: 100, Control: &Control{}}} {
		b.Run(name, func(b *testing.B) {
			s := newSpace()
			for b.Loop() {
				if i.Runs() {
					i.Frame(s)
				}
			}
		})
	}
}

// A look at 10,000 colliders: what it costs the game, without the reader. In "moved" all of them
// have moved since the last look. In "asleep" and "awake" they are boxes on a floor, with four
// contact points each, more than a look lists.
func BenchmarkFrameLookedAt(b *testing.B) {
	const n = 10_000
	at := func(k int, y float32) geom.Transform { return geom.At(3*float32(k%100), y, 3*float32(k/100)) }
	run := func(b *testing.B, i *Inspector, s *physics.Space, tick func(n int)) {
		for n := 0; b.Loop(); n++ {
			b.StopTimer()
			tick(n)
			l := i.blank()
			i.next = l
			i.wanted.Store(true)
			b.StartTimer()
			i.Frame(s)
			b.StopTimer()
			i.leave(l)
			b.StartTimer()
		}
	}
	b.Run("moved", func(b *testing.B) {
		s := physics.NewSpace()
		ids := make([]physics.ColliderID, n)
		for k := range ids {
			ids[k] = s.Add(physics.Collider{Shape: geom.Sphere{Radius: 1}, Transform: at(k, 0)})
		}
		run(b, &Inspector{}, s, func(n int) {
			for k, id := range ids {
				s.SetTransform(id, at(k, float32(n%7)))
			}
			s.Update()
		})
	})
	for _, asleep := range []bool{false, true} {
		name := map[bool]string{false: "awake", true: "asleep"}[asleep]
		b.Run(name, func(b *testing.B) {
			s := physics.NewSpace()
			d := rigid.New(s)
			s.Add(physics.Collider{Shape: geom.YPlane(0), Static: true})
			for k := range n {
				id := s.Add(physics.Collider{Shape: geom.AABB{Min: geom.V(-0.5, -0.5, -0.5), Max: geom.V(0.5, 0.5, 0.5)}, Transform: at(k, 0.5)})
				_, err := d.Add(rigid.Body{}, id)
				require.NoError(b, err)
			}
			for range 20 {
				d.Step()
			}
			for n := 0; asleep && d.Awake() > 0; n++ {
				require.Less(b, n, 300)
				d.Step()
			}
			i := &Inspector{More: func(l *Look) { l.Dynamics(d) }}
			run(b, i, s, func(int) { d.Step() })
		})
	}
}

// A look that is kept, of 10,000 colliders that have all moved.
func BenchmarkFrameKept(b *testing.B) {
	s := physics.NewSpace()
	ids := make([]physics.ColliderID, 10_000)
	for k := range ids {
		ids[k] = s.Add(physics.Collider{Shape: geom.Sphere{Radius: 1}, Transform: geom.At(3*float32(k%100), 0, 3*float32(k/100))})
	}
	i := &Inspector{Past: 100, Every: 1}
	for n := 0; b.Loop(); n++ {
		b.StopTimer()
		for k, id := range ids {
			s.SetTransform(id, geom.At(3*float32(k%100), float32(n%7), 3*float32(k/100)))
		}
		s.Update()
		i.asked.Store(true)
		b.StartTimer()
		i.Frame(s)
	}
}

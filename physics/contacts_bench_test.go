package physics

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// terrain returns a field of n × n squares of 1 m, of two triangles each, with low hills.
func terrain(n int) *mesh.Mesh {
	var vertices []geom.Vec3
	var indices []uint32
	for z := range n + 1 {
		for x := range n + 1 {
			vertices = append(vertices, geom.V(float32(x), float32(0.1*math.Sin(float64(x))*math.Cos(0.7*float64(z))), float32(z)))
		}
	}
	at := func(x, z int) uint32 { return uint32(z*(n+1) + x) }
	for z := range n {
		for x := range n {
			indices = append(indices, at(x, z), at(x, z+1), at(x+1, z), at(x+1, z), at(x, z+1), at(x+1, z+1))
		}
	}
	return mustMesh(vertices, indices)
}

// crates returns 10,000 crates that rest on a floor, in stacks of two.
func crates(floor Shape) (s *Space, ids []ColliderID, at []geom.Transform) {
	s = NewSpace()
	s.Add(Collider{Shape: floor, Static: true})
	for i := range 10_000 {
		column, level := i/2, i%2
		t := geom.Transform{
			Position: geom.V(float32(column%70)*2+5, float32(level)*0.99+0.5, float32(column/70)*2+5),
			Rotation: geom.QuatAxisAngle(geom.V(0, 1, 0), float64(i)),
		}
		at = append(at, t)
		ids = append(ids, s.Add(Collider{Shape: unitCrate, Transform: t}))
	}
	s.Update()
	return s, ids, at
}

var unitCrate = geom.Box{HalfExtents: geom.V(0.5, 0.5, 0.5)}

// pyramid returns a wall of crates on a floor. Each row has one crate fewer than the row below.
func pyramid(base int) (s *Space, ids []ColliderID, at []geom.Transform) {
	s = NewSpace()
	s.Add(Collider{Shape: geom.AABB{Min: geom.V(-100, -1, -100), Max: geom.V(100, 0, 100)}, Static: true})
	for row := range base {
		for i := range base - row {
			t := geom.At(float32(i)+0.5*float32(row-base), float32(row)+0.5, 0)
			at = append(at, t)
			ids = append(ids, s.Add(Collider{Shape: unitCrate, Transform: t}))
		}
	}
	s.Update()
	return s, ids, at
}

// BenchmarkTrackerState measures a save to the oldest of eight states, and a restore of the state
// before the last update, of a pyramid of 990 crates, with the space.
func BenchmarkTrackerState(b *testing.B) {
	for _, motion := range []struct {
		name string
		far  float32
	}{{"at rest", 0}, {"settling", 0.0002}, {"moving", 0.02}} {
		for _, what := range []string{"save", "restore"} {
			b.Run(motion.name+"/"+what, func(b *testing.B) {
				s, ids, at := pyramid(44)
				rng := rand.New(rand.NewPCG(1, 2))
				random := func() float32 { return (rng.Float32() - 0.5) * motion.far }
				t := ContactTracker{Margin: 0.02}
				var states [8]TrackerState
				var snapshots [8]*Space
				var spent time.Duration
				save := func(i int) {
					from := time.Now()
					if snapshots[i%8] != nil {
						snapshots[i%8].Release()
					}
					snapshots[i%8] = s.Snapshot()
					t.Save(&states[i%8])
					if what == "save" {
						spent += time.Since(from)
					}
				}
				n := 0
				for b.Loop() {
					save(n)
					for i := 0; i < len(ids) && motion.far > 0; i++ {
						t := at[i]
						t.Position = t.Position.Add(geom.V(random(), random(), random()))
						s.SetTransform(ids[i], t)
					}
					s.Update()
					t.Update(s)
					if what == "restore" {
						from := time.Now()
						s.Restore(snapshots[n%8])
						t.Restore(&states[n%8])
						spent += time.Since(from)
						t.Update(s)
					}
					n++
				}
				b.ReportMetric(float64(spent.Microseconds())/float64(n), "µs/"+what)
				b.ReportMetric(float64(len(t.All)), "contacts")
			})
		}
	}
}

// BenchmarkContacts measures a tick of a ContactTracker. Colliders at rest do not move. Colliders
// that settle move by up to 0.5 mm against each other in each tick, and their contacts are
// recycled. Moving colliders move by up to 2 cm in each tick.
func BenchmarkContacts(b *testing.B) {
	measure := func(b *testing.B, s *Space, before func()) {
		t := ContactTracker{Margin: 0.02}
		t.Update(s)
		b.ReportAllocs()
		for b.Loop() {
			b.StopTimer()
			before()
			b.StartTimer()
			t.Update(s)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(t.All)), "ns/contact")
		b.ReportMetric(float64(len(t.All)), "contacts")
	}
	for _, scene := range []struct {
		name string
		make func() (*Space, []ColliderID, []geom.Transform)
	}{
		{"crates on floor", func() (*Space, []ColliderID, []geom.Transform) {
			return crates(geom.AABB{Min: geom.V(-1, -1, -1), Max: geom.V(160, 0, 160)})
		}},
		{"crates on terrain", func() (*Space, []ColliderID, []geom.Transform) { return crates(terrain(160)) }},
		{"pyramid", func() (*Space, []ColliderID, []geom.Transform) { return pyramid(100) }},
	} {
		s, ids, at := scene.make()
		b.Run(scene.name+"/at rest", func(b *testing.B) { measure(b, s, func() {}) })
		for _, motion := range []struct {
			name  string
			far   float32
			every int
		}{{"settling", 0.0002, 1}, {"a hundredth moving", 0.02, 100}, {"moving", 0.02, 1}} {
			b.Run(scene.name+"/"+motion.name, func(b *testing.B) {
				rng := rand.New(rand.NewPCG(1, 2))
				random := func() float32 { return (rng.Float32() - 0.5) * motion.far }
				measure(b, s, func() {
					for i, id := range ids {
						if i%motion.every > 0 {
							continue
						}
						t := at[i]
						t.Position = t.Position.Add(geom.V(random(), random(), random()))
						t.Rotation = geom.QuatAxisAngle(geom.V(random(), random(), random()), float64(random())).Mul(t.Rotation)
						s.SetTransform(id, t)
					}
					s.Update()
				})
			})
		}
	}
	w := newMovingWorld(100_000)
	b.Run("boxes100k", func(b *testing.B) { measure(b, w.space, w.tick) })
}

package physics

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// requireValid requires the invariants of a table after an update: the table holds exactly the
// pairs of proxies that are near each other, and each collider is within its fat AABB.
func (t *pairTable) requireValid(r require.TestingT, s *Space) {
	live, linked := map[Pair]bool{}, 0
	for slot := range t.slots {
		if k := t.slots[slot].Pair; k.A != 0 {
			require.Equal(r, int32(slot), t.set.slot(t.slots, k))
			live[k] = true
		}
	}
	for i := range t.proxies {
		for before, at := int32(0), t.proxies[i].head; at != 0; before, at = at, t.link(at).next {
			k := t.slots[(at-1)/2]
			require.Equal(r, i, [2]ColliderID{k.A, k.B}[(at-1)%2].index())
			require.Equal(r, before, t.link(at).previous)
			linked++
		}
	}
	free := 0
	for at := t.free; at != 0; at = int32(t.slots[at-1].B) {
		require.Zero(r, t.slots[at-1].A)
		free++
	}
	require.Len(r, live, t.set.count)
	require.Len(r, t.slots, len(live)+free, "each slot is in use or free")
	require.Equal(r, 2*len(live), linked, "each pair is in the lists of its colliders")
	near := 0
	for i := range s.records {
		p, c := &t.proxies[i], &s.records[i]
		on := c.layer&t.layers != 0
		require.Equal(r, c.id, p.id)
		require.Equal(r, p.where == inBoxes, on && c.where == inBoxes)
		if p.where == inBoxes {
			require.True(r, t.fats[i].Union(*c.bounds()) == t.fats[i].AABB, "%v is outside its fat AABB", p.id)
		}
		for j := range i {
			if t.near(s, i, j) {
				near++
				require.True(r, live[pairOf(p.id, t.proxies[j].id)], "%v and %v", p.id, t.proxies[j].id)
			}
		}
	}
	require.Equal(r, near, len(live))
}

// The pairs equal those of a loop over all pairs of colliders, for colliders of all kinds, whether
// few or many of them leave their fat AABBs.
func TestPairTableIsThatOfALoopOverAll(t *testing.T) {
	r := testenv.Rand(3, 1)
	for range 6 {
		s := NewSpace()
		var ids []ColliderID
		shapes := []Shape{unitBox, unitSphere, unitAABB, geom.Sphere{}, ground, geom.Plane{Normal: geom.V(1, 2, 3), D: 3},
			NewCompound(Child{Shape: geom.Plane{Normal: geom.V(1, 0, 0), D: 9}}, Child{unitSphere, geom.At(5, 0, 0)})}
		any := func(far float32) geom.Vec3 {
			return geom.V(r.Float32()-0.5, r.Float32()-0.5, r.Float32()-0.5).Mul(2 * far)
		}
		collider := func() Collider {
			n := r.IntN(4 * len(shapes))
			if n >= len(shapes) {
				n %= 4
			}
			return Collider{Shape: shapes[n], Transform: geom.Transform{Position: any(8)}, Static: r.IntN(3) == 0,
				Layer: Layers(r.IntN(4)), Mask: Layers(max(0, r.IntN(8)-4))}
		}
		for range 60 {
			ids = append(ids, s.Add(collider()))
		}
		var table pairTable
		incremental := 0
		for range 60 {
			many := r.IntN(4) == 0
			for i, id := range ids {
				if !many && r.IntN(12) > 0 {
					continue
				}
				c, _ := s.Collider(id)
				switch r.IntN(6) {
				case 0:
					s.Remove(id)
					ids[i] = s.Add(collider())
				case 1:
					s.Set(id, collider())
				case 2: // its bounds grow or shrink
					c.Transform.Rotation = geom.QuatAxisAngle(geom.V(0, 0, 1), float64(r.IntN(3))*0.4)
					c.Transform.Scale = geom.V(1, 1, 1).Mul(0.2 + r.Float32())
					s.SetTransform(id, c.Transform)
				default:
					s.SetTransform(id, geom.Transform{Position: c.Transform.Position.Add(any([]float32{0.02, 0.1, 3}[r.IntN(3)]))})
				}
			}
			margin := []float32{0.1, 0.1, 0.1, 0.1, 0.1, 0}[r.IntN(6)]
			table.patient = r.IntN(3) > 0
			table.update(s, margin, AllLayers)
			if table.joins == 0 {
				incremental++
			}
			moved := map[int32]bool{}
			for _, slot := range table.queue {
				require.False(t, moved[slot])
				moved[slot] = true
			}
			for slot := range table.slots {
				if table.slots[slot].A != 0 {
					require.True(t, moved[int32(slot)] || table.isStill(int32(slot)))
				}
			}
			for _, slot := range table.queue {
				if table.isOver(s, slot) {
					table.end(slot)
				}
			}
			table.requireValid(t, s)
		}
		testenv.Drawn(t, incremental, 5)
	}
}

// A pair keeps its slot while it lasts, whichever other pairs begin and end.
func TestPairTableKeepsSlots(t *testing.T) {
	w := newMovingWorld(1000)
	var tracker ContactTracker
	slots := map[Pair]int32{}
	for range 40 {
		w.tick()
		tracker.Update(w.space)
		now := map[Pair]int32{}
		for slot := range tracker.table.slots {
			k := tracker.table.slots[slot].Pair
			now[k] = int32(slot)
			if was, ok := slots[k]; ok && k.A != 0 {
				require.Equal(t, was, int32(slot))
			}
		}
		slots = now
	}
	require.NotEmpty(t, tracker.table.free)
}

// The contact of two colliders at rest is computed again if anything except the pose changes.
func TestContactsOfWhatChangesInItsPlace(t *testing.T) {
	tall := geom.Box{HalfExtents: geom.V(1, 1.05, 1)}
	grid, indices := mesh.Plane(20, 20, 4, 4)
	for name, floor := range map[string]Shape{
		"box": geom.Box{Center: geom.V(0, -1, 0), HalfExtents: geom.V(9, 1, 9)}, "mesh": mustMesh(grid, indices), "plane": ground,
	} {
		t.Run(name, func(t *testing.T) {
			for _, distance := range []float32{0, -1} {
				s := NewSpace()
				under := s.Add(Collider{Shape: floor, Static: true})
				id := s.Add(Collider{Shape: unitBox, Transform: geom.At(0, 1.01, 0)})
				tracker := ContactTracker{Margin: 0.02, RecycleDistance: distance}
				update := func(s *Space) float32 {
					tracker.Update(s)
					tracker.table.requireValid(t, s)
					fresh := ContactTracker{Margin: tracker.Margin}
					fresh.Update(s)
					require.Len(t, tracker.All, len(fresh.All))
					if len(fresh.All) == 0 {
						return float32(math.Inf(-1))
					}
					require.Equal(t, fresh.All[0].Manifolds, tracker.All[0].Manifolds)
					return tracker.All[0].Depth()
				}
				require.InDelta(t, -0.01, update(s), 1e-6)
				first := s.Snapshot()
				s.Set(id, Collider{Shape: tall, Transform: geom.At(0, 1.01, 0)})
				require.InDelta(t, 0.04, update(s), 1e-6, "another shape")
				require.InDelta(t, -0.01, update(first), 1e-6, "an older snapshot")
				require.InDelta(t, 0.04, update(s), 1e-6)
				s.Set(id, Collider{Shape: unitBox, Transform: geom.At(0, 1.01, 0)})
				require.InDelta(t, -0.01, update(s), 1e-6)
				s.SetTransform(id, geom.Transform{Position: geom.V(0, 1.01, 0), Scale: geom.V(1, 1.05, 1)})
				require.InDelta(t, 0.04, update(s), 1e-6, "another scale")
				s.SetTransform(id, geom.At(0, 1.01, 0))
				require.InDelta(t, -0.01, update(s), 1e-6)
				tracker.Margin = 0
				update(s)
				require.Empty(t, tracker.All, "another margin")
				tracker.Margin = 0.02
				require.InDelta(t, -0.01, update(s), 1e-6)
				s.Rebase(geom.DVec3{X: 0.5, Y: 100})
				require.InDelta(t, -0.01, update(s), 1e-4, "another origin")
				s.Set(under, Collider{Shape: floor, Transform: geom.At(0, -99.99, 0), Static: true})
				require.InDelta(t, 0, update(s), 1e-4)
			}
		})
	}
}

// Pairs of the same indices are apart by their generations, whether these fit in an entry or not.
func TestPairSetKnowsGenerations(t *testing.T) {
	var set pairSet
	var slots []pairSlot
	for _, a := range []uint32{1, 2, 1<<16 - 1, 1 << 16, 1<<16 + 1, 1<<32 - 1} {
		for _, b := range []uint32{1, 2, 1 << 16, 3 << 16} {
			p := Pair{newID(3, a), newID(7, b)}
			require.Equal(t, int32(-1), set.slot(slots, p))
			slots = append(slots, pairSlot{Pair: p})
			set.add(slots, int32(len(slots)-1))
		}
	}
	for slot := range slots {
		require.Equal(t, int32(slot), set.slot(slots, slots[slot].Pair))
	}
	for slot := range slots {
		set.remove(slots, int32(slot))
		require.Equal(t, int32(-1), set.slot(slots, slots[slot].Pair))
	}
	require.Zero(t, set.count)
}

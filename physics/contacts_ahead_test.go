package physics_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// With Motion, whatever meets until the next update is a contact before: at many moments on the way
// no two shapes overlap that are not contacts. A contact is within its pair's margin, and what
// flies side by side at any speed is none.
func TestContactsAhead(t *testing.T) {
	const margin, ahead = 0.02, 1
	r := testenv.Rand(8, 21)
	in := func(most float32) geom.Vec3 {
		return geom.V(most*(2*r.Float32()-1), most*(2*r.Float32()-1), most*(2*r.Float32()-1))
	}
	early := 0
	for round := range testenv.Count(t, "HITSCAN_AHEAD", 12) {
		space := physics.NewSpace()
		motions := map[physics.ColliderID]geom.Vec3{}
		places := map[physics.ColliderID]geom.Transform{}
		var ids []physics.ColliderID
		for k := range 40 {
			shape := []physics.Shape{
				geom.Box{HalfExtents: geom.V(0.3, 0.2, 0.25)}, geom.Sphere{Radius: 0.3}, geom.Capsule{A: geom.V(0, -0.2, 0), B: geom.V(0, 0.2, 0), Radius: 0.1},
			}[k%3]
			at := geom.Transform{Position: in(2.2), Rotation: geom.QuatAxisAngle(in(1).Normalize(), 3*r.Float64())}
			id := space.Add(physics.Collider{Shape: shape, Transform: at})
			ids, places[id] = append(ids, id), at
			if k%4 != 0 {
				motions[id] = in([]float32{0.008, 0.015, 0.1, 0.24}[r.IntN(4)])
			}
		}
		space.Add(physics.Collider{Shape: geom.YPlane(-2.4), Static: true})
		space.Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(3, 0.01, 3)}, Transform: geom.At(0, 2.4, 0), Static: true})
		tracker := physics.ContactTracker{Margin: margin, Ahead: ahead, Motion: func(id physics.ColliderID) (shift, turn geom.Vec3) {
			return motions[id], geom.Vec3{}
		}}
		if round%2 == 1 { // the same by AheadOf
			tracker.Ahead = margin
			tracker.AheadOf = func(id physics.ColliderID) float32 { return ahead }
		}
		for range 6 {
			tracker.Update(space)
			touching := map[physics.Pair]bool{}
			for _, x := range tracker.All {
				touching[x.Pair()] = true
				far := motions[x.B].Sub(motions[x.A]).Len()
				if x.Depth() < -margin {
					early++
					// What moves by no more than half of the margin counts as still.
					require.GreaterOrEqual(t, x.Depth(), -(margin + far + margin/2), "%v by %v and %v", x.Pair(), motions[x.A], motions[x.B])
				}
			}
			for part := range 9 {
				for _, id := range ids {
					at := places[id]
					at.Position = at.Position.Add(motions[id].Mul(float32(part) / 8))
					space.SetTransform(id, at)
				}
				for _, p := range space.Pairs(nil) {
					a, _ := space.Collider(p.A)
					b, _ := space.Collider(p.B)
					if physics.Overlaps(physics.Placed{Shape: a.Shape, Transform: a.Transform}, physics.Placed{Shape: b.Shape, Transform: b.Transform}) {
						require.True(t, touching[p], "%v meet, by %v and %v", p, motions[p.A], motions[p.B])
					}
				}
			}
			for _, id := range ids {
				at := places[id]
				at.Position = at.Position.Add(motions[id])
				places[id] = at
				if p := at.Position.Abs(); motions[id] != (geom.Vec3{}) && max(p.X, p.Y, p.Z) > 2.2 {
					motions[id] = at.Position.Mul(-0.05)
				}
			}
		}
	}
	testenv.Drawn(t, early, 100, "contacts ahead of the margin")
}

// Two boxes that fly side by side, 3 cm from each other, are no contact at any speed; towards each
// other they are.
func TestSideBySideIsNotAhead(t *testing.T) {
	box := geom.Box{HalfExtents: geom.V(0.2, 0.2, 0.2)}
	for _, c := range []struct {
		a, b geom.Vec3
		want int
	}{
		{geom.V(0.3, 0, 0), geom.V(0.3, 0, 0), 0},
		{geom.V(0, 0, 0.3), geom.V(0, 0, -0.3), 0},
		{geom.V(-0.3, 0, 0), geom.V(0.3, 0, 0), 0},
		{geom.V(0.3, 0, 0), geom.V(-0.3, 0, 0), 1},
		{geom.V(0.6, 0, 0), geom.V(0.3, 0, 0), 1},
	} {
		space := physics.NewSpace()
		a := space.Add(physics.Collider{Shape: box})
		space.Add(physics.Collider{Shape: box, Transform: geom.At(0.43, 0, 0)})
		tracker := physics.ContactTracker{Margin: 0.02, Ahead: 0.5, Motion: func(id physics.ColliderID) (shift, turn geom.Vec3) {
			if id == a {
				return c.a, turn
			}
			return c.b, turn
		}}
		tracker.Update(space)
		require.Len(t, tracker.All, c.want, "by %v and %v", c.a, c.b)
	}
}

// The leaf of a gate, whose position is at the hinge, moves with its turn: it meets what is beside
// it, unless the hinge moves the other way.
func TestAheadOfAHinge(t *testing.T) {
	const long, angle = 5, 0.1
	leaf := geom.Box{Center: geom.V(long, 0, 0), HalfExtents: geom.V(0.2, 0.2, 0.2)}
	for _, c := range []struct {
		shift geom.Vec3
		want  int
	}{{geom.Vec3{}, 1}, {geom.V(0, -long*angle, 0), 0}} {
		space := physics.NewSpace()
		gate := space.Add(physics.Collider{Shape: leaf})
		space.Add(physics.Collider{Shape: leaf, Transform: geom.At(0, 0.7, 0)}) // 30 cm above
		tracker := physics.ContactTracker{Margin: 0.02, Ahead: 1, Motion: func(id physics.ColliderID) (shift, turn geom.Vec3) {
			if id == gate {
				return c.shift, geom.V(0, 0, angle)
			}
			return shift, turn
		}}
		tracker.Update(space)
		require.Len(t, tracker.All, c.want, "shift %v", c.shift)
	}
}

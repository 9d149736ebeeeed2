package physics

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// Along the line between the witness points, two shapes are as far apart as their distance, and
// along no other axis further. So an axis that is wrong never hides a contact.
func TestAxesSeparateByTheDistance(t *testing.T) {
	r := testenv.Rand(25, 2)
	vec := func(most float32) geom.Vec3 {
		return geom.V(most*(2*r.Float32()-1), most*(2*r.Float32()-1), most*(2*r.Float32()-1))
	}
	spike, err := hull.New([]geom.Vec3{{X: 0.6}, {Y: 0.4}, {Z: 0.2}, {X: -0.2, Y: -0.2, Z: -0.2}})
	require.NoError(t, err)
	apart := 0
	for range 2000 {
		s := NewSpace()
		var all [2]*record
		for i := range all {
			shape := []Shape{spike, geom.Sphere{Center: vec(0.2), Radius: 0.3}, geom.Capsule{A: vec(0.5), B: vec(0.5), Radius: 0.2},
				geom.Box{Center: vec(0.2), HalfExtents: geom.V(0.5, 0.3, 0.2), Rotation: geom.QuatAxisAngle(vec(1), 3)}}[r.IntN(4)]
			at := geom.Transform{Position: vec(1), Rotation: geom.QuatAxisAngle(vec(1), 6*r.Float64())}
			if shape == Shape(spike) && r.IntN(2) == 0 {
				at.Scale = geom.V(1.5, 0.5, -0.8)
			}
			all[i] = s.lookup(s.Add(Collider{Shape: shape, Transform: at}))
		}
		a, b := s.lookup(all[0].id), all[1]
		var c Closest
		if !closest(&c, a.subshapes(), b.subshapes(), 10) || c.Distance < 0.01 {
			continue
		}
		apart++
		gap := func(n geom.Vec3) float64 {
			d := n.Wide().Normalize()
			return -a.single[0].Reach(d) - b.single[0].Reach(d.Neg())
		}
		// The axis is wrong by the rounding of two points over the distance, at most 1e-4 rad, and
		// the gap by the square of that.
		slack := float64(4 * (a.slack + b.slack))
		require.InDelta(t, c.Distance, gap(c.PointB.Sub(c.PointA)), slack)
		for range 10 {
			require.LessOrEqual(t, gap(vec(1)), float64(c.Distance)+slack)
		}
	}
	testenv.Drawn(t, apart, 500)
}

// The clearance of a box over hills by the triangles that are kept is no more than that by its
// distance from all, and in the sum of those that are apart not much less. Nor is what the bounds
// of the triangles show more than the distance.
func TestClearanceByKeptTriangles(t *testing.T) {
	r := testenv.Rand(25, 3)
	const margin = 0.02
	s := NewSpace()
	for _, floor := range []geom.Transform{{}, {Rotation: geom.QuatAxisAngle(geom.V(1, 2, 3), 1), Scale: geom.V(1.5, 0.5, -0.8)}, {Rotation: geom.QuatAxisAngle(geom.V(1, 2, 3), 1), Scale: geom.V(-0.8, -0.8, -0.8)}} {
		a := s.Add(Collider{Shape: terrain(16), Transform: floor})
		s.lookup(a).single[0].Local.Mesh.EdgeConvexity(0)
		near, closer, total, known, clear := 0, 0.0, 0.0, 0, 0
		for range 4000 {
			at := geom.Transform{Position: floor.Point(geom.V(8+2*r.Float32(), 0.2+1.4*r.Float32(), 8+2*r.Float32())), Rotation: geom.QuatAxisAngle(geom.V(r.Float32(), r.Float32(), r.Float32()), r.Float64()*6)}
			b := s.Add(Collider{Shape: geom.Box{HalfExtents: geom.V(0.5, 0.4, 0.3)}, Transform: at})
			p, q := s.lookup(a), s.lookup(b)
			var c Closest
			if closest(&c, p.subshapes(), q.subshapes(), margin+2*fatReach) && c.Distance > margin {
				near++
			}
			w := takeScratch()
			w.kept = new(mesh.Near)
			touched, ok := 0, false
			for range 2 {
				w.places, touched, ok = placed.PlacesNear(w.places[:0], w.kept, &p.single[0], &q.single[0], &w.y, margin, nil)
			}
			if ok && touched == 0 && floor.Scale.X == floor.Scale.Y {
				if gap := placed.ClearNear(w.kept, &p.single[0], &q.single[0]); gap > 0 {
					require.True(t, closest(&c, p.subshapes(), q.subshapes(), 10))
					require.LessOrEqual(t, gap, float64(c.Distance)+1e-5, "%v", at)
					clear++
				}
			}
			if gap, ok := w.clearanceNear(p, q, margin); ok {
				known++
				want := clearance(p, q, margin)
				require.LessOrEqual(t, gap, want+1e-6, "%v", at)
				if want > 0 {
					closer, total = closer+max(0, gap), total+want
				}
			}
			w.kept = nil
			w.give()
			s.Remove(b)
		}
		require.Greater(t, near, 50)
		require.Greater(t, known, 100)
		require.Greater(t, closer, 0.7*total)
		require.True(t, clear > 20 || floor.Rotation != (geom.Quat{}), "%d", clear)
		s.Remove(a)
	}
}

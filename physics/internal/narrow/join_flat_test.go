package narrow

import (
	"iter"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Over a flat surface, JoinFlat finds what Join finds from all pairs of triangles and shape, with
// the same features of the same triangles. Places differ by the rounding of the triangles' corners,
// as each triangle has a plane of its own.
func TestJoinFlatIsJoin(t *testing.T) {
	r := testenv.Rand(3, 4)
	var whole, flat Joiner
	taken, onRoofs, left, touching := 0, 0, 0, 0
	for range 60 {
		// Irregular floors, some turned, or roofs of triangles 5 m wide that bend up and down.
		away := []float32{0, 0, 30}[r.IntN(3)]
		floor := plain(r, 2+r.IntN(7), []float32{0, 0.5}[r.IntN(2)], away)
		roof := r.IntN(3) == 0
		if roof {
			floor = terrain(4, func(x, z int) float32 { return r.Float32() - 0.5 }, geom.Transform{Scale: geom.V(5, 3, 5)}.Affine())
		}
		m := floor.shapes[r.IntN(len(floor.shapes))]
		up := m.u
		lean := geom.V(0, 1, 0).Wide().Cross(up)
		level := geom.QuatAxisAngle(lean.Narrow(), math.Asin(lean.Len()))
		for range 10 {
			at := m.Center().AddMul(0.3*r.Float64(), m.e).AddMul(0.3*r.Float64(), m.f)
			turn := level.Mul(geom.QuatAxisAngle(geom.V(0, 1, 0), r.Float64()*6))
			if r.IntN(2) == 0 {
				turn = geom.QuatAxisAngle(geom.V(r.Float32()-0.5, r.Float32()-0.5, r.Float32()-0.5), 0.2*r.Float64()).Mul(turn)
			}
			if r.IntN(2) == 0 { // capsules lie
				turn = turn.Mul(geom.QuatAxisAngle(geom.V(0, 0, 1), math.Pi/2))
			}
			side := float64(1 - 2*r.IntN(2))
			depth := []float64{0.1, 0.02, 0.003, 0, -0.005, -0.03}[r.IntN(6)]
			for kind, s := range rollers(at.Narrow(), turn) {
				n, hint := up.Mul(side), 0
				low, _ := s.support(n.Neg(), &hint)
				s = s.Moved(n.Mul(-depth - (low.Sub(m.p).Dot(n) - s.radius)))
				const margin = 0.01
				if !flat.BeginFlat(&s, margin) {
					continue
				}
				near := s.Bounds().Grow(2 * margin)
				whole.Reset(s.Center(), 0)
				same := true
				for i, tr := range floor.triangles {
					if tr.Bounds().OverlapsAABB(near) {
						whole.Collide(int32(i), &floor.edges[i], &floor.shapes[i], &s, margin)
						same = same && flat.AddFlat(int32(i), &floor.edges[i], &tr)
					}
				}
				var got []MeshManifold
				if same && len(flat.of[0].faces) > 0 {
					got, same = flat.JoinFlat(nil)
				}
				if !same || len(flat.of[0].faces) == 0 {
					left++
					continue
				}
				if taken++; roof {
					onRoofs++
				}
				want := whole.Join(nil)
				require.Len(t, got, len(want), kind)
				if len(got) == 0 {
					continue
				}
				touching++
				// A triangle's normal turns by its height's share of the rounding of corners.
				tilt := 2 * floor.tilt()
				require.LessOrEqual(t, want[0].Normal.Sub(got[0].Normal).Len(), tilt+1e-12, kind)
				off := float64(sameCoordinate*m.size) + 4*s.extent*tilt + 1e-12
				slack := 2 * (off + float64(samePlace*2*s.extent))
				if !roof && depth > 0 {
					require.InDelta(t, depth, got[0].Points[0].Depth, slack, kind)
				}
				if s.kind == KindRound && got[0].Points[0].Depth > want[0].Points[0].Depth+slack {
					// What is deepest is over a triangle that the shape itself is apart from.
					continue
				}
				require.InDelta(t, want[0].Points[0].Depth, got[0].Points[0].Depth, slack, kind)
				if flat.face.n > maxContacts {
					continue // rounding chooses which corners stay
				}
				// Rounding decides what is at the margin: that of one need not be in the other.
				clear := func(m *MeshManifold) (n int) {
					for i := range m.N {
						if m.Points[i].Depth > off-margin {
							n++
						}
					}
					return n
				}
				all, some := want[0].Points[:want[0].N], got[0].Points[:got[0].N]
				require.LessOrEqual(t, clear(&got[0]), len(all), kind)
				if s.kind != KindRound {
					// Beside an edge Join finds the point at which a round side touches twice.
					require.LessOrEqual(t, clear(&want[0]), len(some), kind)
				}
				for _, p := range some {
					if p.Depth <= off-margin {
						continue
					}
					found := slices.ContainsFunc(all, func(q MeshContact) bool {
						return p.FeatureA == q.FeatureA && p.FeatureB == q.FeatureB && p.Triangle == q.Triangle &&
							p.PointA.Sub(q.PointA).Len() <= off && p.PointB.Sub(q.PointB).Len() <= off && math.Abs(p.Depth-q.Depth) <= off
					})
					if !found && !roof {
						// In its place, that of the next triangle; of a round shape, the
						// deepest point over it.
						n := want[0].Normal
						found = slices.ContainsFunc(all, func(q MeshContact) bool {
							return p.PointA.Sub(q.PointA).Len() <= slack && math.Abs(p.Depth-q.Depth) <= slack
						}) || s.kind == KindRound && math.Abs(p.PointA.Sub(all[0].PointA).Dot(n)) <= slack
						found = found && math.Abs(p.PointA.Sub(p.PointB).Len()-p.Depth) <= slack
					}
					require.True(t, found, "%s: %v of %v", kind, p, all)
				}
			}
		}
	}
	testenv.Drawn(t, taken, 300, "poses on flat triangles")
	testenv.Drawn(t, onRoofs, 30, "of them beside bent edges")
	testenv.Drawn(t, left, 100, "others")
	testenv.Drawn(t, touching, 100, "contacts")
}

// rollers are the walkers, and shapes with round sides.
func rollers(at geom.Vec3, turn geom.Quat) iter.Seq2[string, Shape] {
	m := geom.Transform{Position: at, Rotation: turn, Scale: geom.V(1, 1, 1)}.Affine()
	return func(yield func(string, Shape) bool) {
		for kind, s := range walkers(at, turn) {
			if !yield(kind, s) {
				return
			}
		}
		_ = yield("drum", Cone(geom.Cylinder(geom.V(0, -0.5, 0), geom.V(0, 0.5, 0), 0.4), m)) &&
			yield("cone", Cone(geom.Cone{A: geom.V(0, -0.4, 0), B: geom.V(0, 0.4, 0), RadiusA: 0.5}, m)) &&
			yield("tapered", TaperedCapsule(geom.TaperedCapsule{A: geom.V(0, -0.4, 0), B: geom.V(0, 0.4, 0), RadiusA: 0.4, RadiusB: 0.25}, m))
	}
}

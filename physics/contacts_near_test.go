package physics

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/golden"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// What a tracker keeps of a mesh changes no contact, while a crate wanders, turns and leaps, and
// the mesh is moved, scaled, refitted in place and exchanged.
func TestTrianglesKeptForAPairChangeNothing(t *testing.T) {
	n := golden.Numbers(8)
	first := terrain(12)
	bent := func(to *mesh.Mesh) *mesh.Mesh {
		v := slices.Clone(first.Vertices())
		for i := range v {
			v[i].Y += n.Float(0.3)
		}
		require.NoError(t, first.Refit(to, v))
		return to
	}
	meshes := [2]*mesh.Mesh{bent(new(mesh.Mesh)), bent(new(mesh.Mesh))}
	s := NewSpace()
	ground := Collider{Shape: meshes[0]}
	floor := s.Add(ground)
	at := geom.Transform{Position: geom.V(6, 0.5, 6)}
	crate := s.Add(Collider{Shape: unitCrate, Transform: at})
	tracker := ContactTracker{Margin: 0.02, RecycleDistance: -1}
	contacts := 0
	for i := range 1500 {
		switch {
		case i%200 == 199: // the other one, which the crate has touched before it was bent again
			ground.Shape = bent(meshes[i/200%2])
			s.Set(floor, ground)
		case i%150 == 149:
			ground.Transform = geom.Transform{Position: n.Vec(0.1), Rotation: geom.QuatAxisAngle(geom.V(0, 1, 0), float64(n.Float(1)))}
			ground.Transform.Scale = geom.V(1, 1, 1).Mul(1 + n.Float(0.2))
			s.Set(floor, ground)
		case i%50 == 49:
			at.Position = geom.V(6+n.Float(3), 0.5, 6+n.Float(3))
		}
		at.Position = at.Position.Add(n.Vec(0.02))
		at.Position.Y = 0.45
		at.Rotation = geom.QuatAxisAngle(n.Vec(1), float64(n.Float(0.1))).Mul(at.Rotation)
		s.SetTransform(crate, at)
		s.Update()
		tracker.Update(s)
		want := s.Collide(nil, floor, crate, tracker.Margin)
		if len(tracker.All) == 0 {
			require.Empty(t, want)
			continue
		}
		contacts++
		require.Equal(t, want, tracker.All[0].Manifolds)
	}
	require.Greater(t, contacts, 500)
}

// Nor does it change which triangles are left out on the way of boxes and hulls that are fast, over
// a mesh that turns: a bound is used where the triangles around are as many. What is left out is
// further than the least margin from where the shape is, where the pivot leads it, and where it
// ends.
func TestTrianglesKeptForWhatIsFast(t *testing.T) {
	n := golden.Numbers(9)
	s := NewSpace()
	place := geom.Transform{Position: geom.V(1, -2, 3), Rotation: geom.QuatAxisAngle(geom.V(1, 1, 0), 0.6)}
	floor := s.Add(Collider{Shape: terrain(16), Transform: place, Static: true})
	a := s.lookup(floor)
	a.single[0].Local.Mesh.EdgeConvexity(0)
	prism, err := hull.New([]geom.Vec3{geom.V(-0.3, -0.2, -0.2), geom.V(0.3, -0.2, -0.2), geom.V(0, 0.3, -0.2), geom.V(-0.3, -0.2, 0.2), geom.V(0.3, -0.2, 0.2), geom.V(0, 0.3, 0.2)})
	require.NoError(t, err)
	for _, shape := range []Shape{geom.Box{HalfExtents: geom.V(0.5, 0.3, 0.4)}, prism} {
		bound, all, beside := 0, 0, 0
		for i := range 10000 {
			at := place.Mul(geom.Transform{Position: geom.V(8+n.Float(4), 0.5+n.Float(0.5), 8+n.Float(4)), Rotation: geom.QuatAxisAngle(n.Vec(1), float64(n.Float(3)))})
			id := s.Add(Collider{Shape: shape, Transform: at})
			b, shift, turn := s.lookup(id), n.Vec(0.05), n.Vec(0.05)
			const least, margin = 0.02, 0.15
			w := takeScratch()
			w.way = wayAhead{narrow.Way{About: at.Position.Wide(), Shift: shift.Wide(), Turn: turn.Wide(), Pivot: shift.Wide()}, true, margin, least}
			find := func(kept *mesh.Near) (parts []placed.Parts, isKept bool) {
				var f surface
				w.kept = kept
				w.takeNear(&f, &a.single[0], &b.single[0], margin, 0)
				return slices.Clone(w.parts), f.kept != nil
			}
			kept := new(mesh.Near)
			want, _ := find(kept)
			if got, isKept := find(kept); isKept {
				require.Equal(t, want, got, "%v", at)
				all++
			}
			if w.way = (wayAhead{}); i%10 == 0 {
				var y, tri narrow.Shape
				b.single[0].SetPart(&y, placed.Whole)
				places := []narrow.Shape{y, y.Moved(shift.Wide())}
				end := at
				end.Position, end.Rotation = at.Position.Add(shift), geom.QuatAxisAngle(turn, float64(turn.Len())).Mul(at.Rotation)
				ended := s.Add(Collider{Shape: shape, Transform: end})
				s.lookup(ended).single[0].SetPart(&y, placed.Whole)
				s.Remove(ended)
				places = append(places, y)
				for _, k := range placed.PartsNear(nil, &a.single[0], &s.lookup(id).single[0], margin) {
					if slices.Contains(want, k) {
						continue
					}
					beside++
					a.single[0].SetPart(&tri, k.A())
					for i := range places { // the turn is linear: at most half its square is off
						require.Greater(t, narrow.Distance(&tri, &places[i], math.Inf(1)).Distance, least-0.004, "%v", at)
					}
				}
			}
			if parts, _ := find(nil); len(parts) > len(want) {
				bound++
			}
			w.give()
			s.Remove(id)
		}
		require.Greater(t, bound, 100)
		require.Greater(t, all, 5000)
		require.Greater(t, beside, 1000)
	}
}

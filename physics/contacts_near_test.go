package physics

import (
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
// a mesh that turns: a bound is used where the triangles around are as many.
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
		bound, all := 0, 0
		for range 10000 {
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
			w.way = wayAhead{}
			if parts, _ := find(nil); len(parts) > len(want) {
				bound++
			}
			w.give()
			s.Remove(id)
		}
		require.Greater(t, bound, 100)
		require.Greater(t, all, 5000)
	}
}

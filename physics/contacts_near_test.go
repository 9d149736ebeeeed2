package physics

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/golden"
	"github.com/hitscan-go/hitscan/physics/geom"
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

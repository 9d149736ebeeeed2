package rigid_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// What is tall stands when it lands flat, however fast: all its corners meet the ground at once,
// and push it evenly.
func TestTallLandsFlat(t *testing.T) {
	testenv.NoRace(t)
	shapes := map[string]physics.Shape{
		"box": geom.Box{HalfExtents: geom.V(0.15, 0.5, 0.15)}, "slim box": geom.Box{HalfExtents: geom.V(0.1, 0.5, 0.2)},
		"cylinder": geom.Cylinder(geom.V(0, -0.5, 0), geom.V(0, 0.5, 0), 0.15),
	}
	for name, shape := range shapes {
		for _, planar := range []bool{false, true} {
			for _, friction := range []float32{0.001, 0.6} {
				for h := float32(0.05); h < 8; h *= 1.07 {
					s := physics.NewSpace()
					ground := geom.Box{HalfExtents: geom.V(100, 1, 100)}
					if planar {
						s, ground.HalfExtents.Z = physics.NewPlanarSpace(), 0
						box, ok := shape.(geom.Box)
						if !ok {
							continue
						}
						box.HalfExtents.Z, shape = 0, box
					}
					d := rigid.New(s)
					material := rigid.Material{Friction: friction}
					require.NoError(t, d.SetMaterial(s.Add(physics.Collider{Shape: ground, Transform: geom.At(0, -1, 0)}), material))
					c := s.Add(physics.Collider{Shape: shape, Transform: geom.At(0, 0.5+h, 0)})
					require.NoError(t, d.SetMaterial(c, material))
					id, err := d.Add(rigid.Body{}, c)
					require.NoError(t, err)
					for range 250 {
						d.Step()
					}
					at, _ := d.Transform(id)
					require.InDelta(t, 0.5, at.Position.Y, 0.01, "%s, planar %t, friction %g, from %g m", name, planar, friction, h)
				}
			}
		}
	}
}

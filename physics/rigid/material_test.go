package rigid_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// A one-way platform lets through what comes from below, also while it falls back, and carries what
// comes from above.
func TestOneWay(t *testing.T) {
	s := newScene(t)
	platform := s.Space().Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(3, 0.1, 3)}, Transform: geom.At(0, 3, 0), Static: true})
	m := rigid.DefaultMaterial()
	m.OneWay = geom.V(0, 1, 0)
	require.NoError(t, s.SetMaterial(platform, m))
	up := s.add(rigid.Body{Velocity: geom.V(0, 12, 0)}, box(0.25), geom.At(-1.5, 1, 0))
	// This one turns back within the platform.
	low := s.add(rigid.Body{Velocity: geom.V(0, 6.5, 0)}, box(0.25), geom.At(1.5, 1, 0))
	above := s.add(rigid.Body{}, box(0.25), geom.At(0, 5, 0))
	s.steps(240)
	require.InDelta(t, 3.35, s.position(up).Y, 0.01)
	require.InDelta(t, 0.25, s.position(low).Y, 0.01)
	require.InDelta(t, 3.35, s.position(above).Y, 0.01)
}

// Adjust sees every manifold in the order of pairs, and can switch it off or make it ice.
func TestAdjust(t *testing.T) {
	s := newScene(t)
	ghost := s.add(rigid.Body{}, box(0.5), geom.At(-5, 0.5, 0))
	slider := s.add(rigid.Body{Velocity: geom.V(4, 0, 0)}, box(0.5), geom.At(0, 0.5, 0))
	s.add(rigid.Body{}, box(0.5), geom.At(5, 0.5, 5))
	calls := 0
	s.Adjust = func(a *rigid.Adjustment) {
		calls++
		switch s.BodyOf(a.Contact.B) {
		case ghost:
			a.Off = true
		case slider:
			a.Friction = 0
		}
	}
	s.steps(30)
	require.GreaterOrEqual(t, calls, 60)
	require.Less(t, s.position(ghost).Y, float32(-0.5))
	v, _ := s.Body(slider)
	require.InDelta(t, 4, v.Velocity.X, 1e-5)
	s.Adjust = func(a *rigid.Adjustment) { a.Friction = float32(math.NaN()) } // counts as 0
	s.steps(5)
	v, _ = s.Body(slider)
	require.InDelta(t, 4, v.Velocity.X, 1e-5)
}

// A box slides over the ice of one half of a mesh, and stops on the other half.
func TestTriangleMaterials(t *testing.T) {
	space := physics.NewSpace()
	d := rigid.New(space)
	floor, err := mesh.New([]geom.Vec3{
		geom.V(-20, 0, -5), geom.V(-20, 0, 5), geom.V(0, 0, 5), geom.V(0, 0, -5), geom.V(20, 0, 5), geom.V(20, 0, -5),
	}, []uint32{0, 1, 2, 0, 2, 3, 3, 2, 4, 3, 4, 5})
	require.NoError(t, err)
	ground := space.Add(physics.Collider{Shape: floor, Static: true})
	require.NoError(t, d.SetTriangleMaterials(ground, []rigid.Material{{Friction: 0}, {Friction: 0.6, CombineFriction: rigid.Average}}, []uint8{0, 0, 1, 1}))
	id, err := d.Add(rigid.Body{Velocity: geom.V(5, 0, 0)}, space.Add(physics.Collider{Shape: box(0.5), Transform: geom.At(-6, 0.5, 0)}))
	require.NoError(t, err)
	for range 60 {
		d.Step()
	}
	b, _ := d.Body(id)
	require.InDelta(t, 5, b.Velocity.X, 1e-3)
	for range 180 {
		d.Step()
	}
	at, _ := d.Transform(id)
	// It is braked when its deepest point is on the rough half: v²/(2µg) beyond that.
	require.InDelta(t, 25/(2*0.6*9.81), at.Position.X, 0.6)
	require.False(t, d.IsAwake(id))

	require.ErrorContains(t, d.SetTriangleMaterials(ground, nil, []uint8{0}), "triangle 0 has material 0 of 0")
	require.ErrorContains(t, d.SetTriangleMaterials(ground, []rigid.Material{{Friction: -1}}, nil), "material 0: Friction is -1")
	require.ErrorContains(t, d.SetMaterial(99, rigid.Material{}), "is not in the space")
}

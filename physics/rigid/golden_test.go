package rigid_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/golden"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// goldenPile drops bodies of all shapes and materials into a bowl of triangles, beside a turning
// platform and a conveyor belt; some are bullets, locked, weightless, or removed and added again.
func goldenPile(t testing.TB, n *golden.Numbers, bodies int) *rigid.Dynamics {
	return fillPile(t, physics.NewSpace(), n, bodies)
}

func fillPile(t testing.TB, space *physics.Space, n *golden.Numbers, bodies int) *rigid.Dynamics {
	d := rigid.New(space)
	var vertices []geom.Vec3
	var indices []uint32
	const cells = 16
	for i := range cells + 1 {
		for j := range cells + 1 {
			x, z := float32(i-cells/2), float32(j-cells/2)
			vertices = append(vertices, geom.V(x, float32(0.05*(float32(x*x)+float32(z*z)))+n.Float(0.1), z))
			if i < cells && j < cells {
				a := uint32(i*(cells+1) + j)
				indices = append(indices, a, a+1, a+cells+1, a+1, a+cells+2, a+cells+1)
			}
		}
	}
	bowl, err := mesh.New(vertices, indices)
	require.NoError(t, err)
	space.Add(physics.Collider{Shape: bowl, Static: true})
	belt := space.Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(1, 0.1, 2)}, Transform: geom.At(2, 0.5, 0), Static: true})
	require.NoError(t, d.SetMaterial(belt, rigid.Material{Friction: 1, SurfaceVelocity: geom.V(0, 0, 1)}))
	fan := space.Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(1.5, 0.1, 0.3)}, Transform: geom.At(-2, 0.8, 0)})
	_, err = d.Add(rigid.Body{Kind: rigid.Kinematic, AngularVelocity: geom.V(0, 2, 0)}, fan)
	require.NoError(t, err)
	prism, err := hull.New([]geom.Vec3{geom.V(-0.3, -0.2, -0.2), geom.V(0.3, -0.2, -0.2), geom.V(0, 0.3, -0.2), geom.V(-0.3, -0.2, 0.2), geom.V(0.3, -0.2, 0.2), geom.V(0, 0.3, 0.2)})
	require.NoError(t, err)
	shapes := []physics.Shape{
		geom.Box{HalfExtents: geom.V(0.25, 0.2, 0.3)},
		geom.Sphere{Radius: 0.25},
		geom.Capsule{A: geom.V(0, -0.2, 0), B: geom.V(0, 0.2, 0), Radius: 0.15},
		prism,
		geom.Cone{A: geom.V(0, -0.2, 0), B: geom.V(0, 0.3, 0), RadiusA: 0.25, RadiusB: 0.1},
		geom.Cylinder(geom.V(0, -0.2, 0), geom.V(0, 0.2, 0), 0.25),
		geom.TaperedCapsule{A: geom.V(0, -0.15, 0), B: geom.V(0, 0.2, 0), RadiusA: 0.2, RadiusB: 0.1},
		geom.AABBAround(geom.Vec3{}, geom.V(0.2, 0.2, 0.2)),
		physics.NewCompound(
			physics.Child{Shape: geom.Box{HalfExtents: geom.V(0.3, 0.1, 0.1)}},
			physics.Child{Shape: geom.Sphere{Radius: 0.15}, Transform: geom.At(0.3, 0, 0)}),
	}
	var ids []rigid.BodyID
	for i := range bodies {
		at := geom.Transform{Position: n.Vec(2.5).Add(geom.V(0, 5, 0)), Rotation: n.Quat()}
		id := space.Add(physics.Collider{Shape: shapes[i%len(shapes)], Transform: at})
		b := rigid.Body{Velocity: n.Vec(3), AngularVelocity: n.Vec(5), Bullet: i%7 == 0}
		switch n.Int(12) {
		case 0:
			b.Locked = rigid.TurnX
		case 1:
			b.LinearDamping, b.AngularDamping = 0.5, 0.5
		case 2:
			b.GravityScale, b.MaxSpin = 0.5, 3
		}
		body, err := d.Add(b, id)
		require.NoError(t, err)
		require.NoError(t, d.SetMaterial(id, rigid.Material{
			Friction: 0.5 + n.Float(0.5), Restitution: 0.3 + n.Float(0.3), RollingResistance: 0.005 + n.Float(0.005),
		}))
		if ids = append(ids, body); i%9 == 8 {
			d.Remove(ids[n.Int(len(ids))])
		}
	}
	return d
}

func addState(h *golden.Hash, d *rigid.Dynamics) {
	for id, b := range d.All() {
		at, _ := d.Transform(id)
		h.Vec(at.Position)
		h.Vec(geom.V(at.Rotation.X, at.Rotation.Y, at.Rotation.Z))
		h.Float(at.Rotation.W)
		h.Vec(b.Velocity)
		h.Vec(b.AngularVelocity)
	}
	for _, hit := range d.Hits {
		h.Float(hit.Impulse)
	}
	h.Uint(uint64(d.Awake()))
}

// The bodies are at the same bits after 600 steps on every architecture, and so are the bytes of
// their state.
func TestSameBits(t *testing.T) {
	n := golden.Numbers(3)
	hashOfSteps(goldenPile(t, &n, 60), 600).Check(t, "pile", goldenPileHash)
}

// hashOfSteps returns the hash of the bodies after each of some steps, and of the bytes of the
// state.
func hashOfSteps(d *rigid.Dynamics, steps int) *golden.Hash {
	h := golden.New()
	for range steps {
		d.Step()
		addState(h, d)
	}
	for _, x := range d.AppendState(nil) {
		h.Uint(uint64(x))
	}
	return h
}

// The number of processors changes no bit.
func TestSameBitsOnOneProcessor(t *testing.T) {
	bodies, steps := testenv.Fewer(1500, 500), testenv.Fewer(60, 5)
	hash := func(processors int) uint64 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		n := golden.Numbers(4)
		d := goldenPile(t, &n, bodies)
		h := golden.New()
		for range steps {
			d.Step()
			addState(h, d)
		}
		return h.Sum()
	}
	require.Equal(t, hash(1), hash(8))
}

const goldenPileHash = 0xc6bbf7ac56816ad8

// The bits depend on the order in which bodies were added alone: not on colliders that come, and
// leave their indices to those of bodies, where no body is.
func TestSameBitsAmongOtherColliders(t *testing.T) {
	hash := func(others bool) uint64 {
		s, n, m := newScene(t), golden.Numbers(8), golden.Numbers(9)
		var far []physics.ColliderID
		var bodies []rigid.BodyID
		h := golden.New()
		for tick := range 240 {
			if others {
				for range m.Int(8) {
					far = append(far, s.Space().Add(physics.Collider{Shape: box(0.5), Transform: geom.At(float32(300+10*m.Int(50)), 0, 0), Static: m.Int(2) == 0}))
				}
				for len(far) > 5 || len(far) > 0 && m.Int(2) == 0 {
					i := m.Int(len(far))
					s.Space().Remove(far[i])
					far = append(far[:i], far[i+1:]...)
				}
			}
			if tick < 120 && tick%2 == 0 {
				at := geom.Transform{Position: n.Vec(1).Add(geom.V(0, 4, 0)), Rotation: n.Quat()}
				bodies = append(bodies, s.add(rigid.Body{}, box(0.25), at))
			}
			if tick%11 == 10 && tick < 150 {
				i := n.Int(len(bodies))
				parts := s.Colliders(bodies[i])
				s.Remove(bodies[i])
				for _, c := range parts {
					s.Space().Remove(c)
				}
				bodies = append(bodies[:i], bodies[i+1:]...)
			}
			s.Step()
			addState(h, s.Dynamics)
		}
		return h.Sum()
	}
	require.Equal(t, hash(false), hash(true))
}

package physecs

import (
	"math"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// In a world without a Body, a Material carries a mover that stands on its collider in the
// collider's axes, also one that rests there when it starts, or that moves at some updates only.
func TestMoverOnABelt(t *testing.T) {
	y := newWalkedWorld()
	sim := Simulation{Headless: true}
	sim.Initialize(y.World)
	run := func(n int) {
		for range n {
			sim.Update(y.World)
		}
	}
	belt := y.add(Transform{Position: geom.V(0, 0.5, 0), Rotation: geom.QuatAxisAngle(geom.V(0, 1, 0), math.Pi)}, Box(geom.V(30, 0.5, 6)))
	y.Add(belt, y.static)
	e := y.walker(0, 0, Mover{})
	rare := y.walker(0, 3, Mover{Every: 4})
	y.transforms.Get(e).Position.Y, y.transforms.Get(rare).Position.Y = 1.02, 1.02
	run(60)
	at := y.transforms.Get(e).Position
	require.InDelta(t, 0, at.X, 1e-6)

	materials := generic.NewMap1[Material](y.World)
	m := rigid.DefaultMaterial()
	m.SurfaceVelocity = geom.V(-2, 0, 0)
	materials.Assign(belt, &m)
	run(60)
	st := y.states.Get(e)
	assert.InDelta(t, 2, y.transforms.Get(e).Position.X, 1e-3)
	assert.InDelta(t, 2, y.transforms.Get(rare).Position.X, 5*2./60)
	assert.InDelta(t, 0, st.GroundVelocity.Distance(geom.V(2, 0, 0)), 1e-3)
	assert.InDelta(t, 0, y.states.Get(rare).GroundVelocity.Distance(geom.V(2, 0, 0)), 1e-3)
	assert.InDelta(t, 0, st.Velocity.Len(), 1e-3)

	y.movers.Get(e).Velocity = geom.V(-2, 0, 0)
	run(60)
	assert.InDelta(t, 2, y.transforms.Get(e).Position.X, 1e-3, "against the belt")
	y.movers.Get(e).Velocity = geom.Vec3{}
	materials.Get(belt).SurfaceVelocity = geom.Vec3{}
	run(60)
	assert.InDelta(t, 2, y.transforms.Get(e).Position.X, 1e-3, "the belt has stopped")
	assert.Zero(t, y.states.Get(e).GroundVelocity)
}

// Each triangle of a mesh may be a belt of its own.
func TestMoverOnBeltsOfTriangles(t *testing.T) {
	y := newWalkedWorld()
	sim := Simulation{Headless: true}
	sim.Initialize(y.World)
	v, tri := mesh.Plane(20, 4, 2, 1)
	shape, err := mesh.New(v, tri)
	require.NoError(t, err)
	of := make([]uint8, shape.NumTriangles())
	for i := range of {
		if c := shape.Triangle(i); c.A.X+c.B.X+c.C.X > 0 {
			of[i] = 1
		}
	}
	road := y.add(geom.At(0, 1, 0), Mesh(ecs.GetResource[Meshes](y.World).Add(shape)))
	m := rigid.DefaultMaterial()
	materials := generic.NewMap1[Material](y.World)
	materials.Assign(road, &m)
	e := y.walker(-3, 0, Mover{Velocity: geom.V(3, 0, 0)})
	y.transforms.Get(e).Position.Y = 1.02
	sim.Update(y.World)
	id, _ := ecs.GetResource[Space](y.World).Collider(road)
	fast := m
	fast.SurfaceVelocity = geom.V(0, 0, 1)
	require.NoError(t, ecs.GetResource[Dynamics](y.World).Rigid().SetTriangleMaterials(id, []Material{m, fast}, of))
	for range 120 {
		sim.Update(y.World)
	}
	p := y.transforms.Get(e).Position
	assert.InDelta(t, 3, p.X, 0.1)
	assert.InDelta(t, 1, p.Z, 0.1, "a second on the second half")
	assert.Equal(t, physics.OnGround, y.states.Get(e).Ground)
}

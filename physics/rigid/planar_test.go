package rigid

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
)

// flatWorld is a planar space with ground at y = 0.
func flatWorld() *Dynamics {
	s := physics.NewPlanarSpace()
	s.Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(100, 1, 0)}, Transform: geom.At(0, -1, 0), Static: true})
	return New(s)
}

var flatBox = geom.Box{HalfExtents: geom.V(0.3, 0.2, 0)}

func (d *Dynamics) drop(t require.TestingT, shape physics.Shape, at geom.Transform, b Body) BodyID {
	id, err := d.Add(b, d.space.Add(physics.Collider{Shape: shape, Transform: at}))
	require.NoError(t, err)
	return id
}

// Whatever pushes them, bodies of a planar space keep z and the rotation about X and Y to the bit.
func TestPlanarBodiesStayInThePlane(t *testing.T) {
	testenv.NoRace(t)
	d := flatWorld()
	d.Settings.Gravity = geom.V(0, -9.81, 3)
	r := rand.New(rand.NewPCG(16, 6))
	triangle, err := hull.NewPolygon([]geom.Vec3{{X: -0.5}, {X: 0.5}, {Y: 0.8}})
	require.NoError(t, err)
	shapes := []physics.Shape{
		geom.Box{HalfExtents: geom.V(0.4, 0.3, 0)}, geom.Sphere{Radius: 0.3}, triangle,
		geom.Capsule{A: geom.V(-0.4, 0, 0), B: geom.V(0.4, 0, 0), Radius: 0.2},
		physics.NewCompound(
			physics.Child{Shape: geom.Box{HalfExtents: geom.V(0.5, 0.1, 0)}},
			physics.Child{Shape: geom.Sphere{Radius: 0.2}, Transform: geom.At(0.5, 0.2, 3)}),
	}
	var ids []BodyID
	for i := range 60 {
		ids = append(ids, d.drop(t, shapes[i%len(shapes)], geom.At2D(6*r.Float32(), 1+20*r.Float32(), 7*r.Float64()),
			Body{Velocity: geom.V(1, 2, 3), AngularVelocity: geom.V(1, 2, 3)}))
	}
	for i := 1; i < 20; i += 2 {
		_, err := d.AddJoint(Joint{Kind: BallJoint, A: ids[i], B: ids[i+1]})
		require.NoError(t, err)
	}
	for step := range 300 {
		d.ApplyForceAt(ids[step%60], geom.V(100, 200, 3000), geom.V(0, 0, 1))
		d.ApplyTorque(ids[(7*step)%60], geom.V(1000, 2000, 30))
		d.Step()
		for _, id := range ids {
			tr, _ := d.Transform(id)
			require.Zero(t, tr.Position.Z)
			require.Zero(t, tr.Rotation.X)
			require.Zero(t, tr.Rotation.Y)
		}
	}
	for _, id := range ids {
		// What rests on soft contacts is some 0.1 mm deep.
		b, _ := d.space.Bounds(d.Colliders(id)[0])
		assert.Greater(t, b.Min.Y, float32(-0.002), "in the ground")
		assert.Less(t, b.Max.Y, float32(20))
	}
}

// What is put or moved out of the plane of a planar space is laid into it, as a collider is.
func TestPlanarBodiesArePutIntoThePlane(t *testing.T) {
	d := flatWorld()
	off := geom.Transform{Position: geom.V(3, 2, 7), Rotation: geom.QuatEuler(0.5, 0.3, 0.2)}
	ids := []BodyID{
		d.drop(t, geom.Box{HalfExtents: geom.V(0.4, 0.3, 0)}, geom.At2D(0, 5, 0), Body{}),
		d.drop(t, geom.Box{HalfExtents: geom.V(0.4, 0.3, 0)}, geom.At2D(9, 5, 0), Body{Kind: Kinematic}),
	}
	require.True(t, d.SetTransform(ids[0], off))
	require.True(t, d.MoveTo(ids[1], off))
	for range 60 {
		d.Step()
		for _, id := range ids {
			tr, _ := d.Transform(id)
			require.Zero(t, tr.Position.Z)
			require.Zero(t, tr.Rotation.X)
			require.Zero(t, tr.Rotation.Y)
			c, _ := d.space.Collider(d.Colliders(id)[0])
			require.Equal(t, c.Transform.Position, tr.Position)
		}
	}
}

// Z of the frames of a joint does not matter in a planar space, as of sprites in layers.
func TestPlanarJointsOfLayers(t *testing.T) {
	for _, kind := range []JointKind{FixedJoint, BallJoint, HingeJoint, DistanceJoint, MotorJoint, WheelJoint} {
		var hangs [2]geom.Vec3
		for k, z := range [2]float32{0, 1} {
			d := flatWorld()
			id := d.drop(t, geom.Box{HalfExtents: geom.V(0.5, 0.1, 0)}, geom.At2D(1, 3, 0), Body{})
			j := d.JointAt(kind, 0, id, geom.V(0, 3, 0), geom.V(0, 0, 1))
			j.FrameA.Position.Z, j.Target, j.MaxForce, j.MaxTorque, j.BreakForce = z, 1, 1e5, 1e5, 1e5
			if kind == DistanceJoint {
				j.FrameB.Position = geom.Vec3{} // a metre away
			}
			joint, err := d.AddJoint(j)
			require.NoError(t, err)
			for range 120 {
				d.Step()
				require.Empty(t, d.Broken)
			}
			j.FrameA.Position.Z = 5
			require.NoError(t, d.SetJoint(joint, j))
			d.Step()
			state, _ := d.JointState(joint)
			require.Zero(t, state.Force.Z, "%v", kind)
			at, _ := d.Transform(id)
			hangs[k] = at.Position
		}
		require.Equal(t, hangs[0], hangs[1], "%v", kind)
	}
}

// A tower of flat boxes stands as high as one of cubes does in three dimensions, and sleeps.
func TestPlanarTower(t *testing.T) {
	solid := physics.NewSpace()
	solid.Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(100, 1, 100)}, Transform: geom.At(0, -1, 0), Static: true})
	var heights [2][]float32
	for k, d := range [2]*Dynamics{New(solid), flatWorld()} {
		var ids []BodyID
		for i := range 12 {
			ids = append(ids, d.drop(t, geom.Box{HalfExtents: geom.V(0.5, 0.5, 0.5*float32(1-k))}, geom.At(0, 0.5+float32(i), 0), Body{}))
		}
		for range 240 {
			d.Step()
		}
		assert.Zero(t, d.Awake())
		for _, id := range ids {
			tr, _ := d.Transform(id)
			assert.InDelta(t, 0, tr.Position.X, 0.02) // both lean
			heights[k] = append(heights[k], tr.Position.Y)
		}
	}
	assert.InDeltaSlice(t, heights[0], heights[1], 0.01)
}

// What slides and rolls over tiles or a chain goes as over one box; what jumps through a platform
// that is solid from above alone lands on it.
func TestPlanarTiles(t *testing.T) {
	level := func(x, y int) bool { return y == 1 || x%3 == 0 || x%7 == 1 }
	var ground []geom.Vec3
	for x := range 41 {
		ground = append(ground, geom.V(float32(40-x), 2, 0))
	}
	floors := []physics.Shape{geom.Box{Center: geom.V(20, 1, 0), HalfExtents: geom.V(20, 1, 0)},
		physics.NewTiles(40, 2, 1, level), physics.NewChain(ground, false)}
	var ends [3][]geom.Transform
	for k, floor := range floors {
		s := physics.NewPlanarSpace()
		d := New(s)
		id := s.Add(physics.Collider{Shape: floor, Static: true})
		require.NoError(t, d.SetMaterial(id, Material{Friction: 0.1}))
		for i, shape := range []physics.Shape{geom.Box{HalfExtents: geom.V(0.4, 0.4, 0)}, geom.Sphere{Radius: 0.4},
			geom.Capsule{A: geom.V(-0.4, 0, 0), B: geom.V(0.4, 0, 0), Radius: 0.4}} {
			body := d.drop(t, shape, geom.At(2+2*float32(i), 2.4, 0), Body{Velocity: geom.V(4+2*float32(i), 0, 0)})
			for range 100 {
				d.Step()
				tr, _ := d.Transform(body)
				require.InDelta(t, 2.4, tr.Position.Y, 0.01, "caught on an edge")
			}
			tr, _ := d.Transform(body)
			ends[k] = append(ends[k], tr)
			s.Remove(d.Colliders(body)[0])
			d.Remove(body)
		}
	}
	for i, want := range ends[0] {
		from := 2 + 2*float32(i)
		for _, end := range ends[1:] {
			assert.InEpsilon(t, want.Position.X-from, end[i].Position.X-from, 0.01)
		}
		assert.Greater(t, want.Position.X, from+3)
	}

	d := flatWorld()
	platform := d.space.Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(3, 0.2, 0)}, Transform: geom.At(0, 2, 0), Static: true})
	require.NoError(t, d.SetMaterial(platform, Material{OneWay: geom.V(0, 1, 0)}))
	id := d.drop(t, geom.Box{HalfExtents: geom.V(0.3, 0.3, 0)}, geom.At(0, 0.3, 0), Body{Velocity: geom.V(0, 9, 0)})
	highest := float32(0)
	for range 180 {
		d.Step()
		tr, _ := d.Transform(id)
		highest = max(highest, tr.Position.Y)
	}
	tr, _ := d.Transform(id)
	assert.Greater(t, highest, float32(3))
	assert.InDelta(t, 2.5, tr.Position.Y, 0.01)
}

// Masses are those of plates a metre thick: a disc rolls down a slope with two thirds of the
// acceleration of what slides, where a ball would have five sevenths, and the moments of a stadium
// are those of a fine grid of points in it.
func TestPlanarMass(t *testing.T) {
	d := flatWorld()
	c := geom.Capsule{A: geom.V(-0.3, 0.1, 0), B: geom.V(0.5, 0.4, 0), Radius: 0.35}
	id := d.drop(t, c, geom.At(0, 3, 0), Body{Density: 2})
	var area, x, y, square float64
	const step = 1.0 / 512
	for px := -2.0; px < 2; px += step {
		for py := -2.0; py < 2; py += step {
			if c.Distance(geom.V(float32(px), float32(py), 0)) == 0 {
				area += step * step
				x += px * step * step
				y += py * step * step
				square += (px*px + py*py) * step * step
			}
		}
	}
	b := &d.bodies[id.index()]
	assert.InEpsilon(t, 2*area, d.Mass(id), 1e-3)
	assert.InDelta(t, x/area, b.local.X, 1e-3)
	assert.InDelta(t, y/area, b.local.Y, 1e-3)
	d.weigh(int32(id.index()))
	n := d.inertias[id.index()]
	assert.InEpsilon(t, 1/(2*(square-(x*x+y*y)/area)), n.zz, 2e-3)
	assert.Equal(t, inertia{mass: n.mass, zz: n.zz}, n)

	_, err := d.Add(Body{}, d.space.Add(physics.Collider{Shape: physics.NewChain([]geom.Vec3{{}, {X: 1}, {Y: 1}}, true)}))
	require.ErrorContains(t, err, "without volume")

	const slope = 0.2
	d = New(physics.NewPlanarSpace())
	d.space.Add(physics.Collider{Shape: geom.Plane{Normal: geom.V(slope, 1, 0)}, Static: true})
	ball := d.drop(t, geom.Sphere{Radius: 0.5}, geom.At(0, 0.5*float32(math.Sqrt(1+slope*slope)), 0), Body{NoSleep: true})
	for range 120 {
		d.Step()
	}
	v, _, _ := d.Velocity(ball)
	assert.InEpsilon(t, 9.81*slope/math.Sqrt(1+slope*slope)*2/3*2, v.Len(), 0.02)
}

// A joint between two bodies that float and turn adds no energy, whatever its kind. Bodies turn
// about Z alone, so that a row of the joint about another axis has nothing to act on.
func TestPlanarJointsAddNoEnergy(t *testing.T) {
	testenv.NoRace(t)
	r := rand.New(rand.NewPCG(16, 9))
	signed := func() float32 { return 2*r.Float32() - 1 }
	for i := range 300 {
		d := New(physics.NewPlanarSpace())
		d.Settings.Gravity = geom.Vec3{}
		energy := func() (e float32) {
			for _, b := range d.All() {
				e += b.Velocity.LenSq() + b.AngularVelocity.LenSq()*(0.6*0.6+0.4*0.4)/12
			}
			return e
		}
		var ids [2]BodyID
		for k := range ids {
			ids[k] = d.drop(t, flatBox, geom.At2D(2*signed(), 2*signed(), 7*r.Float64()),
				Body{Velocity: geom.V(signed(), signed(), 0), AngularVelocity: geom.V(0, 0, signed()), NoSleep: true})
		}
		kind, axis := JointKind(i%7), geom.V(0, 0, 1)
		if kind == SliderJoint {
			axis = geom.V(1, 0.5, 0)
		} else if i%2 == 0 && kind != HingeJoint && kind != WheelJoint {
			axis = geom.V(signed(), signed(), signed())
		}
		j := d.JointAt(kind, ids[0], ids[1], geom.V(signed(), signed(), 0), axis)
		if j.Lower, j.Upper = -0.2, 0.3; axis.X == 0 {
			j.Limited = kind == BallJoint || kind == HingeJoint
		}
		_, err := d.AddJoint(j)
		require.NoError(t, err)
		start := energy()
		for range 60 {
			d.Step()
			require.LessOrEqual(t, energy(), start*1.02, "%v about %v", kind, axis)
		}
	}
}

// A joint that works against the plane is refused.
func TestPlanarJointsAreRefused(t *testing.T) {
	d := flatWorld()
	id := d.drop(t, flatBox, geom.At(0, 3, 0), Body{})
	for _, test := range []struct {
		kind    JointKind
		axis    geom.Vec3
		limited bool
		cone    float32
		why     string
	}{
		{HingeJoint, geom.V(0.01, 0, 1), false, 0, "hinge joint is along Z"},
		{WheelJoint, geom.V(1, 0, 0), false, 0, "wheel joint is along Z"},
		{BallJoint, geom.V(1, 0, 0), true, 0, "ball joint is along Z"},
		{SliderJoint, geom.V(1, 0, 0.01), false, 0, "slider joint is in the plane"},
		{BallJoint, geom.V(0, 0, 1), false, 1, "ball joint is in the plane"},
	} {
		j := d.JointAt(test.kind, 0, id, geom.V(0, 4, 0), test.axis)
		j.Limited, j.Cone = test.limited, test.cone
		_, err := d.AddJoint(j)
		require.ErrorContains(t, err, "rigid: Dynamics.AddJoint: the X axis of FrameA is (")
		require.ErrorContains(t, err, ": in a planar space that of such a "+test.why)
	}
	j := d.JointAt(WheelJoint, 0, id, geom.V(0, 4, 0), geom.V(0, 0, -1))
	j.Steering = 0.1
	_, err := d.AddJoint(j)
	require.EqualError(t, err, "rigid: Dynamics.AddJoint: Steering is 0.1, in a planar space")
	j.Steering = 0
	wheel, err := d.AddJoint(j)
	require.NoError(t, err)
	j.FrameB.Rotation = geom.Quat{}
	require.ErrorContains(t, d.SetJoint(wheel, j), "the X axis of FrameB is (1, 0, 0)")
}

package rigid_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// car is a hull of 1000 kg on four wheels of 20 kg, which drives along Z.
type car struct {
	*scene
	hull   rigid.BodyID
	wheels []rigid.JointID // the front ones first
}

func (s *scene) car(at geom.Vec3) *car {
	c := &car{scene: s}
	c.hull = s.add(rigid.Body{Mass: rigid.Mass{Mass: 1000}}, geom.Box{HalfExtents: geom.V(0.8, 0.25, 1.8)}, geom.Transform{Position: at})
	for i := range 4 {
		side, end := float32(1-2*(i%2)), float32(1-2*(i/2))
		hub := at.Add(geom.V(0.9*side, -0.35, 1.2*end))
		wheel := s.add(rigid.Body{Mass: rigid.Mass{Mass: 20}}, geom.Sphere{Radius: 0.35}, geom.Transform{Position: hub})
		require.NoError(s.t, s.SetMaterial(s.Colliders(wheel)[0], rigid.Material{Friction: 1}))
		j := s.JointAt(rigid.WheelJoint, c.hull, wheel, hub, geom.V(1, 0, 0))
		// Of the wheel: the car sways at 1.7 Hz, with a damping ratio of 0.6.
		j.SpringHertz, j.SpringDamping = 6, 2
		j.Limited, j.Lower, j.Upper = true, -0.2, 0.2
		c.wheels = append(c.wheels, s.joint(j))
	}
	return c
}

// drive sets the speed of the wheels in rad/s, the steering in radians and the brake in N·m.
func (c *car) drive(speed, steering, brake float32) {
	for i, id := range c.wheels {
		j, _ := c.Joint(id)
		j.MotorSpeed, j.MotorForce, j.Brake = speed, 600, brake
		if brake > 0 {
			j.MotorForce = 0
		}
		if i < 2 {
			j.Steering = steering
		}
		require.NoError(c.t, c.SetJoint(id, j))
	}
}

func (c *car) pose() geom.Transform {
	t, _ := c.Transform(c.hull)
	return t
}

func (c *car) upright() float32 { return c.pose().Rotation.Rotate(geom.V(0, 1, 0)).Y }

func (c *car) whole() {
	for _, id := range c.wheels {
		require.Less(c.t, c.state(id).Error, float32(0.02))
	}
}

// A car stands still and sleeps; its springs carry its weight.
func TestCarAtRest(t *testing.T) {
	c := newScene(t).car(geom.V(0, 0.8, 0))
	c.steps(120)
	before := c.pose()
	c.asleep()
	lift := float32(0)
	for _, id := range c.wheels {
		lift -= c.state(id).Force.Y
	}
	// Slower than sleep allows: the springs of 114 kN/m and the dampers of 6 kN·s/m are within what
	// 0.05 m/s changes.
	require.InDelta(t, 1000*9.81, lift, 0.05*6000)
	require.InDelta(t, 0, before.Position.Distance(c.pose().Position), 0.02)
	require.Greater(t, c.upright(), float32(0.9999))
	c.whole()
}

// A car drives off, turns to the side to which it is steered, and brakes.
func TestCarDrives(t *testing.T) {
	c := newScene(t).car(geom.V(0, 0.8, 0))
	c.drive(30, 0, 0)
	c.steps(180)
	v, _, _ := c.Velocity(c.hull)
	require.Greater(t, v.Z, float32(8))
	require.InDelta(t, 0, c.position(c.hull).X, 0.5)
	c.drive(30, 0.15, 0) // about +Y: from +Z towards +X
	c.steps(60)
	require.Greater(t, c.pose().Rotation.Rotate(geom.V(0, 0, 1)).X, float32(0.3))
	require.Greater(t, c.upright(), float32(0.95))
	c.drive(0, 0, 1500)
	c.steps(180)
	v, _, _ = c.Velocity(c.hull)
	require.Less(t, v.Len(), float32(0.1))
	c.whole()
}

// A car climbs a slope of 30 degrees, and its brakes hold it there.
func TestCarClimbs(t *testing.T) {
	s := newScene(t)
	c := s.car(geom.V(0, 0.8, 0))
	sin, cos := math.Sincos(math.Pi / 6)
	s.Settings.Gravity = geom.V(0, float32(-9.81*cos), float32(-9.81*sin))
	c.drive(20, 0, 0)
	s.steps(420)
	require.Greater(t, s.position(c.hull).Z, float32(5))
	c.drive(0, 0, 2000)
	s.steps(120)
	at := s.position(c.hull)
	s.steps(120)
	require.InDelta(t, 0, at.Distance(s.position(c.hull)), 0.05)
	c.whole()
}

// A car lands after a jump from a ramp, on its wheels.
func TestCarLands(t *testing.T) {
	s := newScene(t)
	ramp := geom.Transform{Position: geom.V(0, 0, 25), Rotation: geom.QuatAxisAngle(geom.V(1, 0, 0), -0.25)}
	s.Space().Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(3, 0.5, 6)}, Transform: ramp, Static: true})
	c := s.car(geom.V(0, 0.8, 0))
	c.drive(45, 0, 0)
	highest := float32(0)
	for range 420 {
		s.Step()
		highest = max(highest, s.position(c.hull).Y)
	}
	require.Greater(t, highest, float32(2.5))
	require.Less(t, s.position(c.hull).Y, float32(1))
	require.Greater(t, c.upright(), float32(0.98))
	require.Greater(t, s.position(c.hull).Z, float32(35))
	c.whole()
}

// A bridge of 50 planks carries a car from one end to the other.
func TestBridgeCarriesACar(t *testing.T) {
	testenv.NoRace(t)
	s := newScene(t)
	const planks, long, height = 50, 0.5, 4.0
	arc := func(i int) geom.Vec3 { // a parabola that hangs through by 1 m
		x := 2*float64(i)/planks - 1
		return geom.V(0, float32(height-1+x*x), float32(float64(i-planks/2)*long*0.99))
	}
	var last rigid.BodyID
	var joints []rigid.JointID
	for i := range planks {
		a, b := arc(i), arc(i+1)
		turn := geom.QuatLook(b.Sub(a), geom.V(0, 1, 0))
		id := s.add(rigid.Body{Mass: rigid.Mass{Mass: 60}}, geom.Box{HalfExtents: geom.V(1.5, 0.06, b.Sub(a).Len()/2-0.01)},
			geom.Transform{Position: a.Lerp(b, 0.5), Rotation: turn})
		joints = append(joints, s.joint(s.JointAt(rigid.HingeJoint, last, id, a, geom.V(1, 0, 0))))
		last = id
	}
	joints = append(joints, s.joint(s.JointAt(rigid.HingeJoint, last, 0, arc(planks), geom.V(1, 0, 0))))
	for _, end := range []float32{-1, 1} {
		half := geom.V(3, height/2, 5)
		at := geom.V(0, height/2, end*(planks/2*long*0.99+half.Z+0.02))
		s.Space().Add(physics.Collider{Shape: geom.Box{HalfExtents: half}, Transform: geom.Transform{Position: at}, Static: true})
	}
	c := s.car(geom.V(0, height+0.8, -16))
	s.steps(60)
	c.drive(15, 0, 0)
	worst := float32(0)
	for range 600 {
		s.Step()
		for _, id := range joints {
			worst = max(worst, s.state(id).Error)
		}
		if s.position(c.hull).Z > 15 {
			c.drive(0, 0, 1500)
		}
	}
	require.Greater(t, s.position(c.hull).Z, float32(14))
	require.Greater(t, s.position(c.hull).Y, float32(height))
	// Joints between two walls are soft by loopSoftness. The limit is a tenth of what a chain may
	// stretch by, 1 % of its length: how much it is depends on how hard the wheels meet the planks.
	require.Less(t, worst, float32(planks*long*0.001))
}

// energy returns the mechanical energy of the car, in J, and what of it is in the springs.
func (c *car) energy() (all, springs float64) {
	for id, b := range c.All() {
		at, _ := c.Transform(id)
		w, m := at.Rotation.Inverse().Rotate(b.AngularVelocity), c.Mass(id)
		inertia := geom.V(1, 1, 1).Mul(0.4 * 0.35 * 0.35)
		if id == c.hull {
			const x, y, z = 0.8 * 0.8, 0.25 * 0.25, 1.8 * 1.8
			inertia = geom.V(y+z, x+z, x+y).Mul(1.0 / 3)
		}
		all += float64(m * (b.Velocity.LenSq()/2 + w.MulVec(w).Dot(inertia)/2 + 9.81*at.Position.Y))
	}
	for _, id := range c.wheels {
		x := float64(c.state(id).Value)
		springs += 20 * math.Pow(2*math.Pi*6, 2) * x * x / 2
	}
	return all + springs, springs
}

// A car that falls, level or not, gets back no more than what its springs hold, though the
// suspension comes to its limit at up to 20 m/s and the hull has 50 times the mass of a wheel.
func TestCarDoesNotBounce(t *testing.T) {
	for _, tilt := range []float64{0, 0.1, 0.3} {
		for _, height := range []float32{1, 3, 10, 20} {
			s := newScene(t)
			c := s.car(geom.Vec3{})
			turn := geom.Transform{Position: geom.V(0, 0.8+2*float32(tilt)+height, 0), Rotation: geom.QuatAxisAngle(geom.V(1, 0, 0.4), tilt)}
			for id := range c.All() {
				s.SetTransform(id, geom.Transform{Position: turn.Point(c.position(id)), Rotation: turn.Rotation})
			}
			start, _ := c.energy()
			rises, held := float32(0), 0.0
			last := start
			for range 300 {
				s.Step()
				v, _, _ := c.Velocity(c.hull)
				now, springs := c.energy()
				rises, held = max(rises, v.Y), max(held, springs)
				require.LessOrEqual(t, now, last+0.01*start, "tilt %v, %v m", tilt, height)
				last = now
			}
			if tilt == 0 {
				require.LessOrEqual(t, float64(rises), math.Sqrt(2*held/1000), "%v m", height)
			}
			c.whole()
		}
	}
}

// A load of 1000 kg lands on a foot of 1 to 500 kg that slides into it up to a stop, and stays
// there, in either order of the bodies.
func TestLandingGearDoesNotBounce(t *testing.T) {
	for _, kg := range []float32{1, 10, 100, 500} {
		for _, reversed := range []bool{false, true} {
			s := newScene(t)
			load := s.add(rigid.Body{Mass: rigid.Mass{Mass: 1000}}, box(0.5), geom.At(0, 6.5, 0))
			foot := s.add(rigid.Body{Mass: rigid.Mass{Mass: kg}}, box(0.25), geom.At(0, 5.25, 0))
			j := s.JointAt(rigid.SliderJoint, load, foot, geom.V(0, 5.25, 0), geom.V(0, 1, 0))
			if reversed {
				j = s.JointAt(rigid.SliderJoint, foot, load, geom.V(0, 5.25, 0), geom.V(0, 1, 0))
			}
			j.Limited, j.Lower, j.Upper = true, -0.2, 0.2
			id := s.joint(j)
			rises := float32(0)
			for range 180 {
				s.Step()
				v, _, _ := s.Velocity(load)
				rises = max(rises, v.Y)
			}
			require.Less(t, rises, float32(0.5), "%v kg, %v", kg, reversed)
			value := s.state(id).Value
			require.InDelta(t, 0.2, max(value, -value), 0.01)
		}
	}
}

// A suspension sinks by the weight that it bears over its stiffness, which is that of the frequency
// and the effective mass of hull and wheel.
func TestSuspensionSinks(t *testing.T) {
	const hull, wheel, share = 1000.0, 20.0, 0.25 // of the hull on each wheel
	for _, sink := range []float64{0.03, 0.06, 0.12} {
		s := newScene(t)
		car := s.add(rigid.Body{Mass: rigid.Mass{Mass: hull}}, geom.Box{HalfExtents: geom.V(0.9, 0.3, 2)}, geom.At(0, 0.9, 0))
		var joints []rigid.JointID
		for i := range 4 {
			at := geom.V(0.9*float32(2*(i%2)-1), 0.35, 1.4*float32(2*(i/2)-1))
			w := s.add(rigid.Body{Mass: rigid.Mass{Mass: wheel}}, geom.Cylinder(geom.V(-0.1, 0, 0), geom.V(0.1, 0, 0), 0.35), geom.At(at.X, at.Y, at.Z))
			j := s.JointAt(rigid.WheelJoint, car, w, at, geom.V(1, 0, 0))
			// The hull also rolls and pitches about its centre.
			effective := 1 / (1/hull + 1/wheel + 12*(0.9*0.9/(0.6*0.6+1.8*1.8)+1.4*1.4/(0.6*0.6+4*4))/hull)
			j.SpringHertz = float32(math.Sqrt(share*hull*9.81/(sink*effective)) / (2 * math.Pi))
			j.SpringDamping = 1
			id, err := s.AddJoint(j)
			require.NoError(t, err)
			joints = append(joints, id)
		}
		s.steps(300)
		for _, id := range joints {
			state, _ := s.JointState(id)
			require.InEpsilon(t, sink, state.Value, 0.03, "%g", sink)
		}
	}
}

package main

import (
	"fmt"
	"math"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/rigid"
	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render"
)

// The scene of a car, which W, A, S and D drive: over a hanging bridge, a slope of 30 degrees and a
// ramp to jump from, into a wall of crates.

const (
	carScene    = "car"
	bridgeScene = "bridge" // the same, with the car on the bridge
)

const (
	planks      = 50
	plankLength = 0.5 // metres along the bridge, which hangs through by bridgeSag
	bridgeSag   = 1
	deckHeight  = 4
	hullDensity = 350 // kg/m³: 1000 kg with the cabin
	wheelRadius = 0.35
	topSpeed    = 40  // of a wheel, rad/s
	torque      = 900 // N·m, of a wheel
	braking     = 1500
	coasting    = 40
	wheelBase   = 2.4 // metres
	wheelspin   = 6   // rad/s
	airDamping  = 3   // 1/s, of the turns of the hull: it lands as level as it jumps
	// countersteer is the angle of the front wheels per rad/s of a turn that is not wanted, in
	// seconds.
	countersteer = 0.3
)

// car is what the keys drive.
type car struct {
	keys   func(string) bool // nil: none is down
	hull   ecs.Entity
	joints []ecs.Entity // of the wheels, the front ones first
	links  generic.Map[physecs.Joint]
	steer  float32 // radians
}

// newCar fills a world with a car and what to drive over.
func newCar(w *ecs.World, start geom.Vec3) (*scene, error) {
	s := newScene(w)
	s.size, s.mark = 12, 0.45
	s.home = picking.Orbit{
		Target: start, Yaw: math.Pi - 0.5, Pitch: 0.3, Distance: 17, MinDistance: 2, MaxDistance: 150,
		Projection: picking.Perspective(fieldOfView, 0.1, 500),
	}
	s.addGround(0, render.Material{Color: render.RGB(0xC3C6C9), Gloss: 0.15})
	m := newSimulation(w, s)
	m.addBridge()
	m.addBalls(geom.V(-7, 0, -34))
	block := func(name string, at geom.Vec3, pitch float64, half geom.Vec3) {
		s.add(name, geom.Transform{Position: at, Rotation: geom.QuatAxisAngle(geom.V(1, 0, 0), pitch)}, physecs.Box(half), glossy(0xB7AE98, 0.1))
	}
	// The slope up to the bridge has 30 degrees; that behind it is flatter.
	reach := float32(planks/2*plankLength*0.99) + 0.02
	for i, end := range [...]float32{-1, 1} {
		block(fmt.Sprintf("pier-%d", i), geom.V(0, deckHeight/2, end*(reach+3)), 0, geom.V(3, deckHeight/2, 3))
		angle := [...]float64{math.Pi / 6, math.Pi / 12}[i]
		sin, cos := math.Sincos(angle)
		long := float32(deckHeight/sin) / 2
		at := geom.V(0, deckHeight/2-0.5*float32(cos), end*(reach+6+long*float32(cos))-end*0.5*float32(sin))
		block(fmt.Sprintf("slope-%d", i), at, float64(end)*angle, geom.V(3, 0.5, long))
	}
	block("ramp", geom.V(0, 0, 46), -0.25, geom.V(3, 0.5, 5))
	for row := range 5 {
		for i := range 7 - row {
			at := geom.V((float32(i)-float32(6-row)/2)*0.82, 0.4+0.8*float32(row), 72)
			m.add(fmt.Sprintf("crate-%d-%d", row, i), geom.Transform{Position: at}, physecs.Box(geom.V(0.4, 0.4, 0.4)), calm[(row+i)%len(calm)], 100)
		}
	}
	if err := m.addCar(start); err != nil {
		return nil, err
	}
	m.begin(2, 600)
	return s, nil
}

// addBridge adds planks along a parabola, with a hinge between each two and to both piers.
func (m *simulation) addBridge() {
	arc := func(i int) geom.Vec3 {
		x := 2*float64(i)/planks - 1
		return geom.V(0, float32(deckHeight-bridgeSag+bridgeSag*x*x), float32(float64(i-planks/2)*plankLength*0.99))
	}
	d := ecs.GetResource[physecs.Dynamics](m.world)
	joints := generic.NewMap1[physecs.Joint](m.world)
	var last ecs.Entity
	link := func(next ecs.Entity, at geom.Vec3) {
		j := d.JointAt(m.world, rigid.HingeJoint, last, next, at, geom.V(1, 0, 0))
		joints.NewWith(&j)
		last = next
	}
	for i := range planks {
		a, b := arc(i), arc(i+1)
		t := geom.Transform{Position: a.Lerp(b, 0.5), Rotation: geom.QuatLook(b.Sub(a), geom.V(0, 1, 0))}
		half := geom.V(1.8, 0.06, b.Sub(a).Len()/2-0.01)
		link(m.add(fmt.Sprintf("plank-%d", i), t, physecs.Box(half), [...]uint32{0xD3B277, 0xC9A566, 0xDBBF8A}[i%3], woodDensity), a)
	}
	link(ecs.Entity{}, arc(planks))
}

// addCar adds the car, which drives along Z.
func (m *simulation) addCar(at geom.Vec3) error {
	c := &car{links: generic.NewMap[physecs.Joint](m.world)}
	m.scene.car = c
	c.hull = m.add("car", geom.Transform{Position: at}, physecs.Box(geom.V(0.8, 0.2, 1.6)), 0xC8463C, hullDensity)
	body := (*physecs.Body)(m.world.Get(c.hull, ecs.ComponentID[physecs.Body](m.world)))
	body.AngularDamping = airDamping
	cabin := m.scene.add("cabin", geom.Transform{}, physecs.Box(geom.V(0.66, 0.19, 0.8)), glossy(0xE9E4DA, 0.5))
	follows := generic.NewMap2[physecs.Parent, physecs.LocalTransform](m.world)
	follows.Assign(cabin, &physecs.Parent{Entity: c.hull}, &physecs.LocalTransform{Position: geom.V(0, 0.38, -0.3)})
	points := prism(48, wheelRadius, 0.13)
	for i, p := range points {
		points[i] = geom.V(p.Y, p.X, p.Z)
	}
	h, err := hull.New(points)
	if err != nil {
		return err
	}
	round := physecs.Hull(m.scene.meshes().AddHull(h))
	d := ecs.GetResource[physecs.Dynamics](m.world)
	joints := generic.NewMap1[physecs.Joint](m.world)
	for i := range 4 {
		side, end := float32(1-2*(i%2)), float32(1-2*(i/2))
		hub := at.Add(geom.V(0.95*side, -0.12, wheelBase/2*end))
		wheel := m.add(fmt.Sprintf("wheel-%d", i), geom.Transform{Position: hub}, round, 0x2B3038, 200)
		grip := rigid.DefaultMaterial()
		grip.Friction = 2
		m.surfaces.Assign(wheel, &grip)
		j := d.JointAt(m.world, rigid.WheelJoint, c.hull, wheel, hub, geom.V(1, 0, 0))
		j.SpringHertz, j.SpringDamping = 6, 2 // of the wheel: the car sways at 1.7 Hz
		j.Limited, j.Lower, j.Upper = true, -0.2, 0.2
		c.joints = append(c.joints, joints.NewWith(&j))
	}
	m.before = func(int) { c.drive(m) }
	return nil
}

// typed reports whether a key drives the car.
func (c *car) typed(k string) bool {
	return k == "W" || k == "A" || k == "S" || k == "D" || k == "Space"
}

// drive sets the wheels from the keys, for a step.
func (c *car) drive(m *simulation) {
	side := func(minus, plus string) (x float32) {
		if c.keys != nil && c.keys(plus) {
			x++
		}
		if c.keys != nil && c.keys(minus) {
			x--
		}
		return x
	}
	ahead, left := side("S", "W"), side("D", "A")
	stop := c.keys != nil && c.keys("Space")
	d := ecs.GetResource[physecs.Dynamics](m.world)
	var speed, turning float32 // m/s ahead, rad/s to the left
	if id, ok := d.Body(c.hull); ok {
		v, w, _ := d.Rigid().Velocity(id)
		t, _ := d.Transform(c.hull)
		back := t.Rotation.Inverse()
		speed, turning = back.Rotate(v).Z, back.Rotate(w).Y
	}
	// A fast car is steered less, and no wheel is turned at once.
	wish := left * 0.55 / (1 + speed*speed/150)
	c.steer += min(max(wish-c.steer, -0.03), 0.03)
	// Stability and traction control: the wheels counter a turn that they do not steer, and turn
	// little faster than they roll.
	steering := c.steer
	if speed > 2 {
		steering += min(max(speed*c.steer/wheelBase-turning, -0.5), 0.5) * countersteer
	}
	for i, e := range c.joints {
		j := c.links.Get(e)
		j.MotorSpeed, j.MotorForce, j.Brake = min(ahead*topSpeed, max(speed, 0)/wheelRadius+wheelspin), torque, 0
		switch {
		case stop:
			j.MotorForce, j.Brake = 0, braking
		case ahead == 0:
			j.MotorForce, j.Brake = 0, coasting
		case ahead < 0:
			j.MotorSpeed /= 3
		}
		if i < 2 {
			j.Steering = steering
		}
	}
}

// follow moves the camera with the car.
func (c *car) follow(m *simulation, orbit *picking.Orbit, dt float64) {
	at := (*physecs.Transform)(m.world.Get(c.hull, ecs.ComponentID[physecs.Transform](m.world))).Position
	orbit.Target = orbit.Target.Lerp(at, fading(8, float32(dt)))
}

const jointMark = 0.3 // metres

var (
	jointColor = render.RGB(0x2F6FDE)
	limitColor = render.RGB(0xF29D1F)
)

package main

import (
	"fmt"
	"image/color"
	"math"
	"time"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
	"github.com/hitscan-go/hitscan/render"
)

// What the scenes of rigid bodies have in common: a simulation at its own rate, and balls that a
// click throws. The population does not change, so that every earlier state fits it.

const (
	ballRadius  = 0.42
	ballDensity = 2200 // kg/m³
	ballSpeed   = 30   // m/s, of a throw
	farTarget   = 60   // metres from the camera, where a throw at the sky goes
	maxSteps    = 30   // a frame; see advance
)

// paint is the component with the colour of a body that is awake.
type paint struct{ color color.NRGBA }

// simulation moves the bodies of a scene.
type simulation struct {
	world  *ecs.World
	scene  *scene
	system physecs.DynamicsSystem
	bodies generic.Map6[physecs.Transform, physecs.Collider, render.Material, paint, physecs.Body, physecs.Draggable]
	looks  generic.Filter2[render.Material, paint]

	surfaces generic.Map1[physecs.Material]

	// before, unless nil, is called before each step with its number.
	before func(step int)

	step  int     // number of steps made
	ahead float64 // seconds that the steps lag behind the frames
	balls []ecs.Entity
	costs simulationCosts

	puppet *puppet // nil: none

	history  history
	throws   []thrown // in the order of steps
	pulls    []pulled // likewise
	switches []int    // steps before which the puppet was released, or called back
	seeking  bool     // steps of the past are made again
}

// newSimulation adds a simulation to a scene.
func newSimulation(w *ecs.World, s *scene) *simulation {
	m := &simulation{
		world: w, scene: s,
		bodies:   generic.NewMap6[physecs.Transform, physecs.Collider, render.Material, paint, physecs.Body, physecs.Draggable](w),
		looks:    *generic.NewFilter2[render.Material, paint](),
		surfaces: generic.NewMap1[physecs.Material](w),
	}
	m.system.Settings, m.system.Interpolate = rigid.DefaultSettings(), true
	m.system.Initialize(w)
	new(physecs.DragSystem).Initialize(w)
	s.simulation = m
	return m
}

// add adds a body.
func (m *simulation) add(name string, t geom.Transform, c physecs.Collider, rgb uint32, density float32) ecs.Entity {
	look, base := glossy(rgb, 0.3), paint{render.RGB(rgb)}
	e := m.bodies.NewWith(&t, &c, &look, &base, &physecs.Body{Density: density}, &physecs.Draggable{})
	m.scene.names[e] = name
	m.scene.all = append(m.scene.all, e)
	return e
}

// roll gives bodies a rolling resistance, in metres, without which a ball never stops.
func (m *simulation) roll(resistance float32, entities ...ecs.Entity) {
	surface := rigid.DefaultMaterial()
	surface.RollingResistance = resistance
	for _, e := range entities {
		m.surfaces.Assign(e, &surface)
	}
}

// addBalls adds a tray with a pyramid of balls to throw.
func (m *simulation) addBalls(at geom.Vec3) {
	const n, gap = 3, 0.004
	pitch := float32(2*ballRadius + gap)
	inside := n * pitch / 2
	for i, d := range [...]geom.Vec3{{X: 1}, {X: -1}, {Z: 1}, {Z: -1}} {
		half := geom.V(0.08, 0.12, inside+0.16)
		if d.X == 0 {
			half = geom.V(inside, 0.12, 0.08)
		}
		place := at.Add(d.Mul(inside + 0.08)).Add(geom.V(0, half.Y, 0))
		m.scene.add(fmt.Sprintf("kerb-%d", i), geom.Transform{Position: place}, physecs.Box(half), glossy(0x6E7884, 0.2))
	}
	height := float32(ballRadius)
	for layer := range n {
		side := n - layer
		for i := range side * side {
			x, z := float32(i%side)-float32(side-1)/2, float32(i/side)-float32(side-1)/2
			e := m.add(fmt.Sprintf("ball-%d", len(m.balls)), geom.Transform{Position: at.Add(geom.V(x*pitch, height, z*pitch))},
				physecs.Sphere(ballRadius), 0x3E4A59, ballDensity)
			m.balls = append(m.balls, e)
		}
		height += pitch * 0.7071
	}
	m.roll(0.01, m.balls...)
}

// throw throws the next ball in the next step, along a ray from the camera, so that it hits what
// the ray hits. What was known of later steps is forgotten.
func (m *simulation) throw(ray geom.Ray, hit physecs.Hit, ok bool) {
	length := ray.Dir.Len()
	if length == 0 {
		return
	}
	m.forget()
	ball := len(m.balls) - 1 - len(m.throws)%len(m.balls) // from the top of the pile
	from, to := ray.At(2*ballRadius/length), ray.At(farTarget/length)
	if ok {
		to = hit.Point
	}
	seconds := max(to.Distance(from)/ballSpeed, 1e-3)
	v := to.Sub(from).Mul(1 / seconds).Sub(m.system.Settings.Gravity.Mul(seconds / 2))
	m.throws = append(m.throws, thrown{m.step, ball, from, v})
}

// launch throws the balls of this step.
func (m *simulation) launch(d *physecs.Dynamics) {
	for _, t := range m.throws {
		if id, ok := d.Body(m.balls[t.ball]); ok && t.step == m.step {
			d.Rigid().SetTransform(id, geom.Transform{Position: t.from})
			d.Rigid().SetVelocity(id, t.velocity, geom.Vec3{})
		}
	}
}

// stepBudget is the time after which a frame makes no more steps.
const stepBudget = 60 * time.Millisecond

// advance simulates a time in seconds, in steps of its own length, however slow the frames are.
// Only if the steps of a frame take longer than a budget is the rest of the time dropped, and what
// is seen is in slow motion.
func (m *simulation) advance(dt float64, budget time.Duration) {
	start, step := time.Now(), float64(m.system.Settings.Step)
	m.ahead = min(m.ahead+dt, maxSteps*step)
	for ; m.ahead > step*(1-1e-6); m.ahead -= step {
		if m.stepOnce(); time.Since(start) > budget {
			m.ahead = min(m.ahead, step)
		}
	}
}

// interpolate draws the bodies where they are at the time of the frame.
func (m *simulation) interpolate() {
	share := m.ahead / float64(m.system.Settings.Step)
	ecs.GetResource[physecs.Dynamics](m.world).Interpolate(m.world, float32(share))
}

// begin makes the bodies of the scene and saves the first state.
func (m *simulation) begin(every, states int) {
	m.fallAsleep()
	m.history = newHistory(every, states)
	m.history.save(m.world, 0)
}

// fallAsleep puts all bodies to sleep where they are, even in the air.
func (m *simulation) fallAsleep() {
	as := m.system.Settings
	m.system.Settings.SleepSpeed, m.system.Settings.SleepTime = math.MaxFloat32, 0
	m.system.Update(m.world)
	m.system.Settings = as
}

// stepOnce makes a step.
func (m *simulation) stepOnce() {
	dynamics := ecs.GetResource[physecs.Dynamics](m.world)
	d := dynamics.Rigid()
	start := time.Now()
	if m.before != nil {
		m.before(m.step)
	}
	m.launch(dynamics)
	drags := ecs.GetResource[physecs.Drags](m.world)
	live := drags.List
	drags.List = m.drags(live)
	m.system.Update(m.world)
	drags.List = live
	m.step++
	m.costs.step.add(time.Since(start))
	m.history.save(m.world, m.step)
	m.costs.contacts.add(d.Times.Contacts)
	m.costs.solve.add(d.Times.Solve)
	m.costs.rest.add(d.Times.Rest)
	m.count()
}

// count counts what the panel shows.
func (m *simulation) count() {
	d := ecs.GetResource[physecs.Dynamics](m.world).Rigid()
	m.costs.bodies, m.costs.awake, m.costs.touching = d.Len(), d.Awake(), len(d.Contacts())
}

// drawForces draws the points of all contacts, and the forces at them as arrows along the normals.
func (m *simulation) drawForces(l *render.Lines) {
	d := ecs.GetResource[physecs.Dynamics](m.world).Rigid()
	rate := float32(m.system.Settings.Substeps) / m.system.Settings.Step
	for _, c := range d.Contacts() {
		for i := range c.Manifolds {
			f := &c.Manifolds[i]
			for k := range f.ContactPoints() {
				p := &f.Points[k]
				l.Point(p.PointB, 3, pointEdge)
				if force := d.Impulse(c, f, p) * rate; force > 0 {
					// The square root, so that the weight of one thing is seen beside that of
					// many.
					long := min(float32(math.Sqrt(float64(force)/unitForce)), 4)
					hue := blend(weakColor, strongColor, min(long/2, 1))
					l.Width = 1.5 + min(long, 1.5)
					l.Arrow(p.PointB, p.PointB.Add(f.Normal.Mul(0.5*long)), hue)
				}
			}
		}
	}
	l.Width = 0
}

const unitForce = 1500 // newtons, whose arrow is half a metre long

var (
	weakColor   = render.RGB(0x19A7B5)
	strongColor = render.RGB(0xE8364F)
)

// asleepColor is what the colours of sleeping bodies are blended with.
var asleepColor = render.RGB(0x93A1B2)

// shade gives bodies that sleep another colour.
func (m *simulation) shade() {
	d := ecs.GetResource[physecs.Dynamics](m.world)
	query := m.looks.Query(m.world)
	for query.Next() {
		look, base := query.Get()
		if look.Color = base.color; !d.IsAwake(query.Entity()) {
			look.Color = blend(base.color, asleepColor, 0.65)
		}
	}
}

// simulationCosts is the content of the simulation's panel.
type simulationCosts struct {
	contacts, solve, rest, step, frame meter
	bodies, awake, touching            int
}

// lines returns the lines of the panel.
func (c *simulationCosts) lines() (title string, lines []line) {
	ms := func(key string, m *meter) line { return costLine(key, m.shown, time.Millisecond, "ms") }
	count := func(key string, n int) line { return line{key: key, numbers: []string{thousands(n)}} }
	lines = []line{
		ms("contacts", &c.contacts).asMinor(), ms("solve", &c.solve).asMinor(), ms("rest", &c.rest).asMinor(),
		ms("step", &c.step).belowGap(), ms("frame", &c.frame),
		count("awake", c.awake).belowGap(), count("touching", c.touching),
	}
	return thousands(c.bodies) + " bodies", lines
}

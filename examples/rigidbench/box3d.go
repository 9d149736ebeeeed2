package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// The scenes of Box3D's benchmark program (erincatto/box3d, shared/benchmarks.c), by the numbers
// that it has for them: gravity is 10 m/s², and bodies may sleep. Here joint_grid and pyramid are
// in make.go, since other engines run them too.
//
// A stage is built body by body, and may do something before each step. Its count is a length that
// -count changes: of the grid of the washer, rain and large_world, the layers of junkyard and
// convex_pile, and the trees.
var stages = map[string]struct {
	steps, count int
	build        func(w *world, count int)
}{
	"convex_pile": {500, 80, buildConvexPile},
	"junkyard":    {500, 24, buildJunkyard},
	"large_world": {500, 1000, buildLargeWorld},
	"rain":        {400, 10, buildRain},
	"trees25":     {500, 50, func(w *world, n int) { buildTrees(w, n, 4) }},
	"trees50":     {500, 50, func(w *world, n int) { buildTrees(w, n, 2) }},
	"trees100":    {500, 50, func(w *world, n int) { buildTrees(w, n, 1) }},
	"washer":      {1000, 20, buildWasher},
}

// newStage returns a scene that a function builds, as Box3D has it.
func newStage(name string, count int) *scene {
	s := stages[name]
	return &scene{steps: s.steps, build: func(w *world) (err error) {
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("%v", r)
			}
		}()
		w.dynamics.Settings.Gravity = geom.V(0, -10, 0)
		w.dynamics.Settings.SleepSpeed = rigid.DefaultSettings().SleepSpeed
		s.build(w, or(count, s.count))
		return nil
	}}
}

// must returns a value that the scene's own numbers cannot fail to make.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func (w *world) static(s physics.Shape, at geom.Vec3) physics.ColliderID {
	return w.dynamics.Space().Add(physics.Collider{Shape: s, Transform: geom.At(at.X, at.Y, at.Z), Static: true})
}

// body adds a body of shapes in one frame. A dynamic one is counted. Its rolling resistance is in
// radii of each shape, as Box3D has it.
func (w *world) body(b rigid.Body, at geom.Vec3, m rigid.Material, shapes ...physics.Shape) rigid.BodyID {
	var parts []physics.ColliderID
	radii := m.RollingResistance
	for _, s := range shapes {
		m.RollingResistance = radii * rollingRadius(s)
		c := w.dynamics.Space().Add(physics.Collider{Shape: s, Transform: geom.At(at.X, at.Y, at.Z), Layer: w.layer, Mask: w.mask})
		if m != rigid.DefaultMaterial() {
			if err := w.dynamics.SetMaterial(c, m); err != nil {
				panic(err)
			}
		}
		parts = append(parts, c)
	}
	id := must(w.dynamics.Add(b, parts...))
	if b.Kind == rigid.Dynamic {
		w.bodies = append(w.bodies, id)
	}
	return id
}

// rollingRadius returns the radius that rolling resistance goes by in Box3D, of shapes that have
// any in its scenes. That of a hull is the one at a mesh, on which the trees lie; where two trees
// touch, Box3D takes a quarter of it.
func rollingRadius(s physics.Shape) float32 {
	switch s := s.(type) {
	case geom.Capsule:
		return s.Radius
	case *hull.Hull:
		_, inner := s.InnerSphere()
		return float32(inner)
	}
	return 0
}

func cuboid(x, y, z float32) geom.Box { return geom.Box{HalfExtents: geom.V(x, y, z)} }

// cylinder returns a prism that stands at a height above its origin.
func cylinder(height, radius, above float32, sides int) *hull.Hull {
	var p []geom.Vec3
	for i := range sides {
		x, z := radius*cos(2*pi*float32(i)/float32(sides)), radius*sin(2*pi*float32(i)/float32(sides))
		p = append(p, geom.V(x, above, z), geom.V(x, above+height, z))
	}
	return must(hull.New(p))
}

const pi = float32(math.Pi)

// buildConvexPile stacks layers of 8 × 8 hulls of 32 points, which collapse.
func buildConvexPile(w *world, layers int) {
	w.static(cuboid(250, 1, 250), geom.V(0, -1, 0))
	state := uint32(42)
	coordinate := func() float32 {
		state = state*2147001325 + 715136305
		return float32(state&0xffff)/65535 - 0.5
	}
	var points []geom.Vec3
	for len(points) < 32 {
		var p geom.Vec3
		p.X, p.Y, p.Z = coordinate(), coordinate(), coordinate()
		if p.LenSq() <= 0.25 {
			points = append(points, p.Normalize().Mul(2))
		}
	}
	stone := must(hull.New(points))
	for i := range layers * 64 {
		at := geom.V(float32(i%8-4), float32(i/64)+0.5, float32(i/8%8-4)).Mul(4)
		w.body(rigid.Body{}, at, rigid.DefaultMaterial(), stone)
	}
}

// buildJunkyard rains layers of 21 × 21 rocks into a yard, in which a drum 24 m high drives about.
func buildJunkyard(w *world, layers int) {
	w.static(cuboid(120, 1, 120), geom.V(0, -1, 0))
	for _, side := range []float32{-50, 50} {
		w.static(cuboid(1, 8, 50), geom.V(side, 7, 0))
		w.static(cuboid(50, 8, 1), geom.V(0, 7, side))
	}
	var points []geom.Vec3 // of a lattice by the golden ratio
	for i := range 10 {
		z := 0.9 - 0.2*float32(i)
		x := 0.381966 * float32(i) // turns
		points = append(points, geom.V(cos(2*pi*x), sin(2*pi*x), 0).Mul(float32(math.Sqrt(1-float64(z*z)))).Add(geom.V(0, 0, z)).Mul(1.5))
	}
	rock := must(hull.New(points))
	for i := range layers * 441 {
		at := geom.V(float32(i/21%21)*4-40, float32(i/441)*4+25, float32(i%21)*4-40)
		w.body(rigid.Body{}, at, rigid.DefaultMaterial(), rock)
	}
	drum := w.body(rigid.Body{Kind: rigid.Kinematic}, geom.V(35, 0, 0), rigid.DefaultMaterial(), cylinder(24, 4, 0, 16))
	w.before = func(step int) {
		turn := -pi / 30 / 60 * float32(step+1) // 6 degrees a second
		w.dynamics.MoveTo(drum, geom.At(35*cos(turn), 0, 35*sin(turn)))
	}
}

// buildLargeWorld makes a floor of n × n static boxes, 10 m wide, onto which 100 balls fall.
func buildLargeWorld(w *world, n int) {
	const cell, balls = 10, 10
	slab := cuboid(cell/2, 0.25, cell/2)
	for i := range n * n {
		w.static(slab, geom.V(float32(i/n)+0.5-float32(n)/2, 0, float32(i%n)+0.5-float32(n)/2).Mul(cell))
	}
	w.before = func(step int) {
		k := step/5 - 1
		if step%5 != 0 || k < 0 || k >= balls*balls {
			return
		}
		width := 0.8 * cell * float32(n)
		at := geom.V((float32(k%balls)+0.5)/balls-0.5, 0, (float32(k/balls)+0.5)/balls-0.5).Mul(width)
		w.body(rigid.Body{}, at.Add(geom.V(0, 1.5, 0)), rigid.DefaultMaterial(), geom.Sphere{Radius: 0.5})
	}
}

// buildTrees lays a terrain of waves, on which trees of 22 hulls fall to either side.
func buildTrees(w *world, count, scale int) {
	w.dynamics.Settings.SleepSpeed = 0.2
	cell := 1 / float32(scale)
	verts, idx := grid(150*scale, 200*scale, cell, func(x, z float32) float32 {
		return float32(0.4*sin(2*pi*0.1*(x+75))) * sin(2*pi*0.05*(z+100))
	})
	ground := must(mesh.New(verts, idx))
	ground.EdgeConvexity(0) // which Box3D's mesh finds as well before the first step
	w.static(ground, geom.Vec3{})
	var trunk []physics.Shape
	y, r := float32(1), float32(0.75)
	for range 22 {
		length := 1.5 + 2*r
		trunk = append(trunk, cylinder(length, r, y-r, 6))
		y += length
		r *= 0.95
	}
	for i := range count {
		bark := rigid.DefaultMaterial()
		bark.Friction, bark.RollingResistance = 0.9, 0.05
		id := w.body(rigid.Body{Density: 1}, geom.V(0, 1, float32(3*i)-70), bark, trunk...)
		spin := geom.V(0, 0, -0.25-0.25*float32(i)/float32(count))
		if i%2 == 1 {
			spin = spin.Neg()
		}
		m := must(w.mass(trunk))
		w.dynamics.SetVelocity(id, spin.Cross(m.Center), spin)
	}
}

// mass returns the mass of shapes in one frame, at the density of trees.
func (w *world) mass(shapes []physics.Shape) (rigid.Mass, error) {
	var parts []rigid.Mass
	for _, s := range shapes {
		m, err := rigid.MassOf(s, geom.Vec3{}, 1)
		if err != nil {
			return m, err
		}
		parts = append(parts, m)
	}
	return rigid.Combine(parts...), nil
}

// buildWasher fills a drum that turns with n × n × n cubes.
func buildWasher(w *world, n int) {
	w.static(cuboid(60, 1, 60), geom.V(0, -1, 0))
	var drum []physics.Shape
	piece := func(from, to, near, far float32) { // from and to in degrees
		var p []geom.Vec3
		for _, a := range []float32{from, to} {
			for _, r := range []float32{near, far} {
				at := geom.V(cos(a*pi/180), sin(a*pi/180), 0).Mul(r)
				p = append(p, at.Add(geom.V(0, 0, -10)), at.Add(geom.V(0, 0, 10)))
			}
		}
		drum = append(drum, must(hull.New(p)))
	}
	for i := range 36 {
		a := float32(10 * i)
		piece(a-1, a+11, 16, 18)
		if i%9 == 0 {
			piece(a, a+10, 14, 16)
		}
	}
	turning := rigid.Body{Kind: rigid.Kinematic, AngularVelocity: geom.V(0, 0, 25*pi/180), Velocity: geom.V(0.001, -0.002, 0)}
	w.body(turning, geom.V(0, 21, 0), rigid.DefaultMaterial(), drum...)
	for i := range n * n * n {
		at := geom.V(float32(i/n/n), float32(i/n%n), float32(i%n)).Sub(geom.V(1, 1, 1).Mul(float32(n) / 2)).Mul(0.8)
		w.body(rigid.Body{}, at.Add(geom.V(0, 21, 0)), rigid.DefaultMaterial(), cuboid(0.2, 0.2, 0.2))
	}
}

// buildRain makes n × n yards, a floor and a ring each, onto which figures fall in threes.
func buildRain(w *world, n int) {
	const yard = 15
	floor := must(mesh.New(grid(8, 8, yard/8.0, func(x, z float32) float32 { return 0 })))
	var verts []geom.Vec3
	var idx []uint32
	for i := range uint32(256) {
		u, v := 2*pi*float32(i%16)/16, 2*pi*float32(i/16)/16
		verts = append(verts, geom.V(cos(u), sin(u), 0).Mul(yard/4.0+cos(v)).Add(geom.V(0, 0, sin(v))))
		a, b := i, i&^15|(i+1)&15
		c, d := (b+16)&255, (a+16)&255
		idx = append(idx, a, b, c, c, d, a)
	}
	ring := must(mesh.New(verts, idx))
	center := func(row, column int) geom.Vec3 {
		return geom.V(float32(column)+0.5-float32(n)/2, 0, float32(row)+0.5-float32(n)/2).Mul(yard)
	}
	for i := range n * n {
		w.static(floor, center(i/n, i%n))
		w.static(ring, center(i/n, i%n))
	}
	figures := make(map[int][]rigid.BodyID) // by row and column of the yard
	column := 0
	w.before = func(step int) {
		if step&0x2F != 0 {
			return
		}
		for row := range n {
			key := row*n + column%n
			for _, id := range figures[key] {
				w.drop(id)
			}
			figures[key] = nil
			for k := range 3 {
				at := center(row, column%n).Add(geom.V(0.75*float32(k), 20, 0))
				figures[key] = append(figures[key], w.figure(at)...)
			}
		}
		column++
	}
}

// drop removes a body with its colliders.
func (w *world) drop(id rigid.BodyID) {
	for _, c := range w.dynamics.Colliders(id) {
		w.dynamics.Space().Remove(c)
	}
	w.dynamics.Remove(id)
	w.bodies = slices.DeleteFunc(w.bodies, func(b rigid.BodyID) bool { return b == id })
}

// bones is the figure of Box3D's human.c, to the centimetre: capsules that stand, the joint of each
// with its parent, and how far it turns, in degrees. Arms and legs have a twin on the other side.
var bones = []struct {
	name            string
	parent          int
	from, to        geom.Vec3 // the capsule's axis
	radius          float32
	joint, axis     geom.Vec3
	cone, low, high float32 // a joint without a cone is a hinge
	friction        float32 // in units of 5 N·m
	mirrored        bool
}{
	{"pelvis", -1, geom.V(0.07, 1.01, -0.04), geom.V(-0.07, 1.01, -0.04), 0.13, geom.Vec3{}, geom.Vec3{}, 0, 0, 0, 0, false},
	{"spine", 0, geom.V(0.06, 1.17, -0.03), geom.V(-0.06, 1.17, -0.03), 0.12, geom.V(0, 1.12, -0.03), geom.V(0, 1, 0.1), 25, -15, 15, 1, false},
	{"spine", 1, geom.V(0.08, 1.29, -0.04), geom.V(-0.08, 1.29, -0.04), 0.1, geom.V(0, 1.2, -0.03), geom.V(0, 1, 0), 25, -15, 15, 1, false},
	{"chest", 2, geom.V(0.11, 1.44, -0.08), geom.V(-0.11, 1.44, -0.08), 0.145, geom.V(0, 1.32, -0.03), geom.V(0, 1, -0.1), 15, -10, 10, 1, false},
	{"neck", 3, geom.V(0, 1.59, -0.05), geom.V(0, 1.65, -0.02), 0.07, geom.V(0, 1.58, -0.06), geom.V(0, 0.84, 0.55), 45, -15, 15, 0.8, false},
	{"head", 4, geom.V(0, 1.71, 0.02), geom.V(0, 1.77, 0.01), 0.098, geom.V(0, 1.65, 0), geom.V(0, 1, 0.13), 15, -15, 15, 0.4, false},
	{"thigh", 0, geom.V(0.12, 0.95, -0.04), geom.V(0.1, 0.56, -0.03), 0.09, geom.V(0.07, 0.99, -0.04), geom.V(1, 0.02, -0.01), 10, -60, 40, 1, true},
	{"calf", 6, geom.V(0.1, 0.54, -0.04), geom.V(0.1, 0.11, -0.11), 0.075, geom.V(0.1, 0.53, -0.04), geom.V(0.99, 0.02, -0.14), 0, -5, 45, 1, true},
	{"upper arm", 3, geom.V(0.2, 1.48, -0.12), geom.V(0.3, 1.25, -0.12), 0.075, geom.V(0.2, 1.48, -0.12), geom.V(0.6, -0.7, 0.2), 60, -5, 5, 1, true},
	{"forearm", 8, geom.V(0.31, 1.24, -0.12), geom.V(0.41, 0.98, -0.02), 0.05, geom.V(0.31, 1.24, -0.12), geom.V(-0.91, -0.4, -0.06), 0, -5, 60, 1, true},
}

// figure adds a figure with a spring of 1 Hz and a friction in each joint: a motor joint beside it,
// whose torque is at most that of the friction.
func (w *world) figure(at geom.Vec3) []rigid.BodyID {
	var ids []rigid.BodyID
	skin := rigid.DefaultMaterial()
	skin.RollingResistance = 0.2
	const degree = pi / 180
	own := make([][2]rigid.BodyID, len(bones)) // the twin of what has none is itself
	for i, b := range bones {
		for side := range 2 {
			if side == 1 && !b.mirrored {
				own[i][1] = own[i][0]
				continue
			}
			place := func(v geom.Vec3) geom.Vec3 {
				if side == 1 {
					v.X = -v.X
				}
				return v
			}
			from, to := place(b.from), place(b.to)
			middle := from.Add(to).Mul(0.5)
			if b.name == "thigh" { // they may overlap
				w.layer, w.mask = alone, ^alone
			}
			id := w.body(rigid.Body{}, at.Add(middle), skin, geom.Capsule{A: from.Sub(middle), B: to.Sub(middle), Radius: b.radius})
			w.layer, w.mask = 0, 0
			own[i][side] = id
			ids = append(ids, id)
			if b.parent < 0 {
				continue
			}
			axis := place(b.axis)
			if side == 1 {
				axis = axis.Neg() // a rotation in a mirror turns the other way
			}
			parent := own[b.parent][side]
			j := w.dynamics.JointAt(rigid.BallJoint, parent, id, at.Add(place(b.joint)), axis)
			j.Limited, j.Lower, j.Upper, j.Cone = true, b.low*degree, b.high*degree, b.cone*degree
			if b.cone == 0 {
				j.Kind = rigid.HingeJoint
			}
			spring := j
			spring.Kind, spring.Hertz, spring.Damping, spring.MaxTorque = rigid.MotorJoint, 1, 0.7, 5*b.friction
			must(w.dynamics.AddJoint(spring))
			must(w.dynamics.AddJoint(j))
		}
	}
	return ids
}

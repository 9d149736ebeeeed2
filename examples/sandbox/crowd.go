package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"math"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/meshio"
	"github.com/hitscan-go/hitscan/physics/rigid"
	"github.com/hitscan-go/hitscan/physics/skin"
	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render"
)

// The scenes of ragdolls that fall down stairs, of a washing machine, and of a pyramid of 5,050
// boxes.

const (
	ragdollsScene = "ragdolls"
	washerScene   = "washer"
	pyramidScene  = "pyramid"
)

//go:embed assets/figure.glb
var figureData []byte

// newBodies returns a scene of rigid bodies on a ground.
func newBodies(w *ecs.World, size float32, home picking.Orbit) (*scene, *simulation) {
	s := newScene(w)
	s.size, s.mark, s.home = size, 0.45, home
	s.home.MinDistance, s.home.MaxDistance = 1, 200
	s.home.Projection = picking.Perspective(fieldOfView, 0.1, 600)
	s.addGround(0, render.Material{Color: render.RGB(0xC3C6C9), Gloss: 0.15})
	return s, newSimulation(w, s)
}

// newRagdolls fills a world with stairs, and ragdolls above them.
func newRagdolls(w *ecs.World) (*scene, error) {
	s, m := newBodies(w, 8, picking.Orbit{Target: geom.V(0, 2.4, 0.8), Yaw: -0.62, Pitch: 0.24, Distance: 19})
	skins, err := meshio.DecodeSkins(bytes.NewReader(figureData), nil)
	if err != nil {
		return nil, err
	}
	fit, err := skin.Fit(&skins[0], skin.Options{})
	if err != nil {
		return nil, err
	}
	for i := range 8 {
		half := geom.V(3, 0.2*float32(8-i), 0.35)
		s.add(fmt.Sprintf("step-%d", i), geom.At(0, half.Y, -2.6+0.7*float32(i)), physecs.Box(half), glossy(0xB7AE98, 0.1))
	}
	for i := range 10 {
		at := geom.Transform{
			Position: geom.V(-2+float32(i%5), 3.6+1.6*float32(i/5), -2.4+0.5*float32(i%3)),
			Rotation: geom.QuatEuler(0.7*float64(i), 0.5, 0.2*float64(i%4)),
		}
		s.dress(physecs.NewRagdoll(w, fit, skins[0].Rest(nil, at)), fmt.Sprint(i), calm[1+i%(len(calm)-1)])
	}
	m.puppet = newPuppet(m, &skins[0], fit)
	s.dress(&m.puppet.doll, "walker", 0xC8463C)
	m.addBalls(geom.V(-5.4, 0, 3))
	m.begin(4, 150)
	m.wakeFirst()
	wake := m.before
	m.before = func(step int) {
		wake(step)
		m.puppet.before(step)
	}
	return s, nil
}

// dress names the parts of a ragdoll and gives them colours.
func (s *scene) dress(doll *physecs.Ragdoll, who string, shirt uint32) {
	paints := generic.NewMap3[render.Material, paint, physecs.Draggable](s.simulation.world)
	for k, e := range doll.Bodies {
		name := doll.Fit.Bones[doll.Fit.Parts[k].Bone].Name
		rgb := uint32(0xE0AC8B)
		switch name {
		case "spine", "chest", "left_upperarm", "right_upperarm":
			rgb = shirt
		case "pelvis", "left_thigh", "right_thigh", "left_shin", "right_shin":
			rgb = 0x3F4C6B
		case "left_foot", "right_foot":
			rgb = 0x2B3038
		}
		look := glossy(rgb, 0.2)
		paints.Assign(e, &look, &paint{render.RGB(rgb)}, &physecs.Draggable{})
		s.names[e] = name + "-" + who
		s.all = append(s.all, e)
	}
}

// wakeFirst wakes all bodies in the first step.
func (m *simulation) wakeFirst() {
	dynamics := ecs.GetResource[physecs.Dynamics](m.world)
	m.before = func(step int) {
		if step == 0 {
			for _, e := range m.scene.all {
				dynamics.Wake(e)
			}
		}
	}
}

// newWasher fills a world with a drum that turns about a horizontal axis, with boxes and balls in
// it.
func newWasher(w *ecs.World) (*scene, error) {
	const sides, radius, depth = 16, 4, 1.6
	s, m := newBodies(w, 9, picking.Orbit{Target: geom.V(0, 4.6, 0), Yaw: -0.3, Pitch: 0.12, Distance: 20})
	var children []board
	for i := range sides {
		angle := 2 * math.Pi * float64(i) / sides
		turn := geom.QuatAxisAngle(geom.V(0, 0, 1), angle)
		children = append(children, board{turn.Rotate(geom.V(0, -radius, 0)), turn, geom.V(radius*0.2, 0.1, depth)})
		if i%4 == 0 {
			children = append(children, board{turn.Rotate(geom.V(0, -radius+0.45, 0)), turn, geom.V(0.08, 0.4, depth)})
		}
	}
	center := geom.V(0, radius+0.7, 0)
	place := func(angle float64, c board) geom.Transform {
		turn := geom.QuatAxisAngle(geom.V(0, 0, 1), angle)
		return geom.Transform{Position: center.Add(turn.Rotate(c.at)), Rotation: turn.Mul(c.turn)}
	}
	drum := make([]ecs.Entity, len(children))
	transforms, bodies := generic.NewMap[physecs.Transform](w), generic.NewMap[physecs.Body](w)
	for i, c := range children {
		drum[i] = m.add(fmt.Sprintf("drum-%d", i), place(0, c), physecs.Box(c.half), 0x8C9FB4, woodDensity)
		b := bodies.Get(drum[i])
		b.Kind, b.Driven = rigid.Kinematic, true
	}
	// The back, and a front of glass that is not drawn.
	s.add("back", geom.At(0, center.Y, -depth-0.15), physecs.Box(geom.V(radius+0.4, radius+0.4, 0.1)), glossy(0xB7AE98, 0.1))
	front, pane := geom.At(0, center.Y, depth+0.15), physecs.Box(geom.V(radius+0.4, radius+0.4, 0.1))
	glass := generic.NewMap3[physecs.Transform, physecs.Collider, physecs.Unpickable](w)
	glass.NewWith(&front, &pane, &physecs.Unpickable{})
	for i := range 240 {
		at := center.Add(geom.V(-1.7+0.6*float32(i%7), -2+0.55*float32(i/28), -1.1+0.7*float32(i/7%4)))
		c := physecs.Box(geom.V(0.22, 0.18, 0.2))
		if i%3 == 0 {
			c = physecs.Sphere(0.24)
		}
		m.add(fmt.Sprintf("item-%d", i), geom.Transform{Position: at}, c, calm[i%len(calm)], woodDensity)
	}
	m.addBalls(geom.V(-7, 0, 3))
	m.begin(6, 100)
	m.wakeFirst()
	wake := m.before
	m.before = func(step int) {
		wake(step)
		for i, e := range drum {
			t, at := transforms.Get(e), place(0.012*float64(step+1), children[i])
			t.Position, t.Rotation = at.Position, at.Rotation
		}
	}
	return s, nil
}

// board is a board of the drum.
type board struct {
	at   geom.Vec3
	turn geom.Quat
	half geom.Vec3
}

// newPyramid fills a world with a pyramid of 100 courses of boxes of 1 m.
func newPyramid(w *ecs.World) (*scene, error) {
	const base = 100
	s, m := newBodies(w, 40, picking.Orbit{Target: geom.V(0, 38, 0), Yaw: -0.45, Pitch: 0.16, Distance: 165})
	for row := range base {
		for i := range base - row {
			at := geom.V((float32(i)-float32(base-row-1)/2)*1.05, 0.5+float32(row), 0)
			m.add(fmt.Sprintf("box-%d-%d", row, i), geom.Transform{Position: at}, physecs.Box(geom.V(0.5, 0.5, 0.5)), calm[(row+i)%len(calm)], woodDensity)
		}
	}
	m.addBalls(geom.V(-8, 0, 12))
	m.begin(10, 30)
	m.wakeFirst()
	return s, nil
}

package main

import (
	"fmt"
	"math"

	"github.com/mlange-42/arche/ecs"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render"
)

// The scene of what stands: a pyramid, towers and a row of dominoes, and balls to throw at them.

// stackScene is the name of the scene of newStack.
const stackScene = "stack"

// pyramidBase is the number of bricks in the lowest course of the pyramid.
const pyramidBase = 30

const woodDensity = 600 // kg/m³

// newStack fills a world with stacks.
func newStack(w *ecs.World) (*scene, error) {
	s := newScene(w)
	s.size, s.mark = 9, 0.45
	s.home = picking.Orbit{
		Target: geom.V(0, 2.3, 0), Yaw: -0.42, Pitch: 0.26, Distance: 25, MinDistance: 1, MaxDistance: 120,
		Projection: picking.Perspective(fieldOfView, 0.1, 500),
	}
	s.addGround(0, render.Material{Color: render.RGB(0xC3C6C9), Gloss: 0.15})
	m := newSimulation(w, s)
	m.addPyramid(geom.V(0.5, 0, -4.5))
	m.addPlankTower(geom.V(-4.6, 0, 0.6), 13)
	m.addRoundTower(geom.V(5.2, 0, 0.2), 11)
	m.addColumn(geom.V(0.2, 0, 0.4), 9)
	m.addDominoes()
	m.addBalls(geom.V(-7.4, 0, 4.2))
	m.begin(3, 200)
	dynamics := ecs.GetResource[physecs.Dynamics](w)
	m.before = func(step int) {
		if step == 0 {
			for _, e := range s.all {
				dynamics.Wake(e)
			}
		}
	}
	return s, nil
}

// addPyramid adds a wall of bricks, each course one shorter than the one below.
func (m *simulation) addPyramid(at geom.Vec3) {
	half := geom.V(0.25, 0.15, 0.3)
	shades := [...]uint32{0xC4886A, 0xCB9374, 0xBD7F62}
	for row := range pyramidBase {
		n := pyramidBase - row
		for i := range n {
			x := (float32(i) - float32(n-1)/2) * (2*half.X + 0.01)
			place := at.Add(geom.V(x, half.Y*float32(2*row+1), 0))
			m.add(fmt.Sprintf("brick-%d-%d", row, i), geom.Transform{Position: place}, physecs.Box(half), shades[(i+2*row)%3], woodDensity)
		}
	}
}

// addPlankTower adds layers of three planks, each across the one below.
func (m *simulation) addPlankTower(at geom.Vec3, layers int) {
	half := geom.V(0.75, 0.15, 0.245)
	for layer := range layers {
		turn := geom.QuatEuler(0.3+float64(layer%2)*math.Pi/2, 0, 0)
		for i := range 3 {
			place := at.Add(turn.Rotate(geom.V(0, 0, float32(i-1)*0.5))).Add(geom.V(0, half.Y*float32(2*layer+1), 0))
			m.add(fmt.Sprintf("plank-%d-%d", layer, i), geom.Transform{Position: place, Rotation: turn}, physecs.Box(half),
				[...]uint32{0xD3B277, 0xC9A566, 0xDBBF8A}[(layer+i)%3], woodDensity)
		}
	}
}

// addRoundTower adds rings of bricks, each turned by half a brick against the one below.
func (m *simulation) addRoundTower(at geom.Vec3, courses int) {
	const n, radius = 12, 1.36
	half := geom.V(0.3, 0.17, 0.17)
	for course := range courses {
		for i := range n {
			angle := (float64(i) + float64(course%2)/2) * 2 * math.Pi / n
			turn := geom.QuatEuler(angle, 0, 0)
			place := at.Add(turn.Rotate(geom.V(0, 0, radius))).Add(geom.V(0, half.Y*float32(2*course+1), 0))
			m.add(fmt.Sprintf("stone-%d-%d", course, i), geom.Transform{Position: place, Rotation: turn}, physecs.Box(half),
				[...]uint32{0x8C9FB4, 0x7590B3, 0x9DADBD}[(2*course+i)%3], 2*woodDensity)
		}
	}
}

// addColumn adds cubes on top of each other, each a little smaller than the one below.
func (m *simulation) addColumn(at geom.Vec3, n int) {
	for i := range n {
		half := 0.42 - 0.02*float32(i)
		at.Y += half
		m.add(fmt.Sprintf("cube-%d", i), geom.Transform{Position: at, Rotation: geom.QuatEuler(0.35*float64(i), 0, 0)},
			physecs.Box(geom.V(half, half, half)), calm[i%len(calm)], woodDensity)
		at.Y += half
	}
}

// addDominoes adds a row of dominoes along a wave in front of the towers.
func (m *simulation) addDominoes() {
	const spacing, from, to = 0.36, -5.2, 6.6 // metres, along X
	half := geom.V(0.06, 0.45, 0.24)
	wave := func(x float64) float64 { return 4 + 0.9*math.Sin(x*0.9) }
	for i, x := 0, float64(from); x < to; i++ {
		slope := 0.9 * 0.9 * math.Cos(x*0.9)
		m.add(fmt.Sprintf("domino-%d", i), geom.Transform{
			Position: geom.V(float32(x), half.Y, float32(wave(x))), Rotation: geom.QuatEuler(-math.Atan(slope), 0, 0),
		}, physecs.Box(half), calm[1+i%3*2], woodDensity)
		x += spacing / math.Sqrt(1+slope*slope)
	}
}

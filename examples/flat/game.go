package main

import (
	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
	"github.com/hitscan-go/hitscan/render"
)

// level is the tiles, of a metre each.
var level = [...]string{
	"########################",
	"#......................#",
	"#......................#",
	"#......................#",
	"#......................#",
	"#...............####...#",
	"#......................#",
	"#..........##..........#",
	"#.........###..........#",
	"########################",
}

// game is the world and what the player needs of it.
type game struct {
	world  ecs.World
	sim    physecs.Simulation
	things generic.Map3[physecs.Transform, physecs.Collider, render.Material]
	bodies generic.Map1[physecs.Body]
	movers generic.Map1[physecs.Mover]
	player ecs.Entity
	crates []ecs.Entity
	rope   []ecs.Entity // the last is the weight at its end
}

func newGame() *game {
	g := &game{world: ecs.NewWorld()}
	w := &g.world
	ecs.AddResource(w, physecs.NewPlanarSpace())
	g.sim.Initialize(w)
	g.things = generic.NewMap3[physecs.Transform, physecs.Collider, render.Material](w)
	g.bodies, g.movers = generic.NewMap1[physecs.Body](w), generic.NewMap1[physecs.Mover](w)

	tiles := physics.NewTiles(len(level[0]), len(level), 1, func(x, y int) bool { return level[len(level)-1-y][x] == '#' })
	meshes := ecs.GetResource[physecs.Meshes](w)
	g.add(geom.Transform{}, physecs.Compound(meshes.AddCompound(tiles)), 0x5B6B7A)

	// A ledge that is solid from above alone.
	ledge := g.add(geom.At2D(5, 3, 0), physecs.Box(geom.V(1.5, 0.1, 0.3)), 0x3E9C6B)
	materials := generic.NewMap1[physecs.Material](w)
	materials.Assign(ledge, &physecs.Material{Friction: 0.6, OneWay: geom.V(0, 1, 0)})

	for row := range 4 {
		for i := range 4 - row {
			at := geom.At2D(16+float32(i)*0.82+float32(row)*0.41, 1.4+0.8*float32(row), 0)
			g.crates = append(g.crates, g.body(at, physecs.Box(geom.V(0.4, 0.4, 0.4)), 0xC98A4B, physecs.Body{Density: 50}))
		}
	}
	for i := range 4 { // they fall on the ledge
		g.crates = append(g.crates, g.body(geom.At2D(4.6+0.2*float32(i), 4+float32(i), 0), physecs.Sphere(0.3), 0xD0B040, physecs.Body{Density: 50}))
	}

	const links, length = 7, 0.5
	joints := generic.NewMap1[physecs.Joint](w)
	var last ecs.Entity
	for i := range links + 1 {
		top := 9 - length*float32(i)
		shape, at := physecs.Sphere(0.12), geom.At2D(9, top-length, 0)
		if i == links {
			shape = physecs.Sphere(0.4)
		}
		link := g.body(at, shape, 0xB05060, physecs.Body{Density: 100})
		joint := physecs.Joint{A: last, B: link}
		joint.Kind, joint.Target = rigid.DistanceJoint, length
		if i == 0 {
			joint.FrameA.Position = geom.V(9, top, 0)
		}
		joints.NewWith(&joint)
		g.rope, last = append(g.rope, link), link
	}

	g.player = g.add(geom.At2D(2, 1.8, 0), physecs.Capsule(0.4, 0.35), 0x4C8DD6)
	movers := generic.NewMap2[physecs.Mover, physecs.MoverState](w)
	movers.Assign(g.player, &physecs.Mover{AirControl: 20, Mass: 60}, &physecs.MoverState{})
	return g
}

// add makes an entity that does not move by itself.
func (g *game) add(at geom.Transform, shape physecs.Collider, color uint32) ecs.Entity {
	paint := render.Paint(color)
	return g.things.NewWith(&at, &shape, &paint)
}

func (g *game) body(at geom.Transform, shape physecs.Collider, color uint32, b physecs.Body) ecs.Entity {
	e := g.add(at, shape, color)
	g.bodies.Assign(e, &b)
	return e
}

// steer sets the input of the player: to walk along X, from −1 to 1, and to jump.
func (g *game) steer(walk float32, jump bool) {
	m := g.movers.Get(g.player)
	m.Velocity = geom.V(5*walk, 0, 0)
	if jump {
		m.Jump = 7
	}
}

// at returns where an entity is.
func (g *game) at(e ecs.Entity) geom.Vec3 {
	at, _, _ := g.things.Get(e)
	return at.Position
}

package main

import (
	"fmt"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
)

// The collision layers. Each team has one, so that a bullet passes through friends and a bot looks
// for foes alone.
const (
	layerLevel physics.Layers = 1 << iota
	layerRed
	layerBlue
	layerZone
)

// Values of Collider.User: a bot's is its Team, which a hit then has even if the bot has died
// since.
const (
	userLevel uint64 = 0
	userZone  uint64 = 3
)

const (
	tileSize   = 16 // metres
	tileBots   = 50 // bots for each tile
	hallHeight = 8
)

// hall is the level: its size, its capture points and its spawn points.
type hall struct {
	reach  float32 // from the middle to the walls, in metres
	spawns []geom.Vec3
	zones  []geom.Vec3
}

// build creates the level: a hall of square tiles, each with a structure of its own.
func (g *game) build(movers int) error {
	n := 2 // tiles a side
	for n*n*tileBots < movers {
		n++
	}
	g.hall.reach = float32(n) * tileSize / 2
	meshes := ecs.GetResource[physecs.Meshes](&g.world)
	things := generic.NewMap3[physecs.Transform, physecs.Collider, physecs.Static](&g.world)
	put := func(t physecs.Transform, c physecs.Collider) {
		c.Layer, c.User = layerLevel, userLevel
		things.NewWith(&t, &c, &physecs.Static{})
	}
	boulder, err := boulders(g, meshes)
	if err != nil {
		return err
	}
	var b builder
	for i := range n * n {
		x, z := i%n, i/n
		middle := geom.V(float32(x*tileSize)-g.hall.reach+tileSize/2, 0, float32(z*tileSize)-g.hall.reach+tileSize/2)
		b.floor(middle)
		switch (x + 2*z) % 5 {
		case 0:
			g.makeZone(middle)
		case 1:
			for _, side := range corners {
				b.extrude(middle.Add(side.Mul(4)), profile{{-0.5, 0}, {-0.5, 5}, {0.5, 5}, {0.5, 0}}, 0.5)
			}
		case 2:
			b.extrude(middle, stage(), 2)
		case 3:
			for _, side := range corners {
				half := g.between(0.4, 1)
				put(physecs.Transform{Position: middle.Add(side.Mul(3.5)).Add(geom.V(0, half, 0)), Rotation: g.turn()}, physecs.Box(geom.V(half, half, half)))
			}
		case 4:
			for _, side := range corners {
				put(physecs.Transform{Position: middle.Add(side.Mul(4)), Rotation: g.turn()}, physecs.Hull(boulder[g.chance.IntN(len(boulder))]))
			}
		}
	}
	b.room(geom.AABB{Min: geom.V(-g.hall.reach, 0, -g.hall.reach), Max: geom.V(g.hall.reach, hallHeight, g.hall.reach)})
	m, err := b.mesh()
	if err != nil {
		return fmt.Errorf("the hall: %w", err)
	}
	put(physecs.Transform{}, physecs.Mesh(meshes.Add(m)))
	g.findSpawns()
	return nil
}

// corners are the directions from the middle of a tile to its quarters.
var corners = [...]geom.Vec3{{X: -1, Z: -1}, {X: 1, Z: -1}, {X: -1, Z: 1}, {X: 1, Z: 1}}

// floor adds the floor of a tile.
func (b *builder) floor(middle geom.Vec3) {
	const h = tileSize / 2
	b.quad(middle.Add(geom.V(-h, 0, h)), middle.Add(geom.V(h, 0, h)), middle.Add(geom.V(h, 0, -h)), middle.Add(geom.V(-h, 0, -h)))
}

// stage returns a platform with stairs on one side and a ramp on the other.
func stage() profile {
	const steps, rise, tread = 8, 0.25, 0.4 // metres
	p := profile{{-5.5, 0}}
	for i := range steps {
		x, y := -5.5+float32(float32(i)*tread), float32(i+1)*rise
		p = append(p, profile{{x, y}, {x + tread, y}}...)
	}
	return append(p, profile{{1.5, steps * rise}, {5.5, 0}}...)
}

// turn returns a rotation about the vertical.
func (g *game) turn() geom.Quat { return geom.Quat{Y: g.between(-1, 1), W: 1}.Normalize() }

// boulders creates convex hulls: points on a sphere, flattened and sunk into the ground.
func boulders(g *game, meshes *physecs.Meshes) ([]physecs.HullID, error) {
	var ids []physecs.HullID
	for range 4 {
		points := make([]geom.Vec3, 24)
		for i := range points {
			v := geom.V(g.between(-1, 1), g.between(-0.6, 1.4), g.between(-1, 1))
			points[i] = v.Normalize().MulVec(geom.V(1.8, 1.1, 1.4))
		}
		h, err := hull.New(points)
		if err != nil {
			return nil, fmt.Errorf("a boulder: %w", err)
		}
		ids = append(ids, meshes.AddHull(h))
	}
	return ids, nil
}

// findSpawns lists the places where a bot may spawn.
func (g *game) findSpawns() {
	physecs.Sync(&g.world) // so that the space holds the level
	const apart = 2
	n := int(g.hall.reach) * 2 / apart
	for i := range n * n {
		at := geom.V(float32(i%n*apart+1)-g.hall.reach, 0.05, float32(i/n*apart+1)-g.hall.reach)
		if g.isFree(at) {
			g.hall.spawns = append(g.hall.spawns, at)
		}
	}
}

// isFree reports whether a bot that stands at a place is outside of the level's solid parts. An
// overlap test alone is not enough, since a mesh is a hollow surface: from the inside of a pillar,
// a ray upward hits the back face of its top.
func (g *game) isFree(at geom.Vec3) bool {
	s, level := g.space.Physics(), physics.Filter{Mask: layerLevel}
	body := physics.Placed{Shape: geom.Capsule{A: geom.V(0, botRadius, 0), B: geom.V(0, botHeight-botRadius, 0), Radius: botRadius - 0.02}, Transform: geom.Transform{Position: at}}
	if len(s.OverlapShape(nil, body, level)) > 0 {
		return false
	}
	above, ok := s.CastRay(geom.NewRay(at.Add(geom.V(0, botHeight/2, 0)), geom.V(0, 1, 0)), level)
	return ok && !above.BackFace
}

// spawn returns a random spawn point.
func (g *game) spawn() geom.Vec3 { return g.hall.spawns[g.chance.IntN(len(g.hall.spawns))] }

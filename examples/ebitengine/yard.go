package main

import (
	"image/color"
	"math"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

// The yard is seen from above: crates and balls to drag, in the plane, and a goal. World units are
// metres, with Y downward as on Ebitengine's screen.

// camera is the map with which Ebitengine draws the yard: 40 pixels a metre.
func camera() *ebiten.GeoM {
	var m ebiten.GeoM
	m.Scale(40, 40)
	return &m
}

// goal is where the balls belong.
var goal = geom.Rect(15, 10, 4, 4)

func newYard() *game {
	g := newGame(picking.View2D(camera().Element, screen), func(w *ecs.World) {
		ecs.AddResource(w, physecs.NewPlanarSpace())
	})
	bodies := generic.NewMap2[physecs.Body, physecs.Draggable](&g.world)
	body := func(x, y float32, turn float64, c physecs.Collider, p paint) ecs.Entity {
		e := g.add(geom.At2D(x, y, turn), c, p)
		bodies.Assign(e, &physecs.Body{Weightless: true, LinearDamping: 3, AngularDamping: 3}, &physecs.Draggable{})
		return e
	}
	wall := paint{84, 92, 104}
	for i := range 2 { // a frame of half a metre, and a wall in the middle
		g.add(geom.At2D(10, 0.25+14.5*float32(i), 0), physecs.Box(geom.V(10, 0.25, 0)), wall)
		g.add(geom.At2D(0.25+19.5*float32(i), 7.5, 0), physecs.Box(geom.V(0.25, 7, 0)), wall)
	}
	g.add(geom.At2D(10, 10, 0.3), physecs.Box(geom.V(0.3, 3, 0)), wall)
	for i := range 6 {
		body(4+2.4*float32(i), 5, 0.4*float64(i), physecs.Box(geom.V(0.6, 0.6, 0)), paint{196, uint8(130 + 8*i), 74})
	}
	var balls []ecs.Entity
	for i := range 3 {
		balls = append(balls, body(4+2*float32(i), 11, 0, physecs.Sphere(0.6), paint{76, uint8(120 + 20*i), 214}))
	}
	g.tick = func() {
		g.score = 0
		for _, e := range balls {
			if at, _, _ := g.things.Get(e); goal.Contains(at.Position) {
				g.score++
			}
		}
	}
	square, disc := sprites()
	g.draw = func(target *ebiten.Image) {
		target.Fill(color.RGBA{226, 222, 210, 255})
		draw := func(sprite *ebiten.Image, t physecs.Transform, half geom.Vec3, p paint) {
			var op ebiten.DrawImageOptions
			width := float64(sprite.Bounds().Dx())
			op.GeoM.Translate(-width/2, -width/2)
			op.GeoM.Scale(2*float64(half.X)/width, 2*float64(half.Y)/width)
			op.GeoM.Rotate(t.Angle2D())
			op.GeoM.Translate(float64(t.Position.X), float64(t.Position.Y))
			op.GeoM.Concat(*camera())
			op.ColorScale.ScaleWithColor(color.RGBA{p.R, p.G, p.B, 255})
			target.DrawImage(sprite, &op)
		}
		draw(square, geom.At2D(goal.Center().X, goal.Center().Y, 0), goal.HalfExtents(), paint{176, 208, 160})
		for q := g.all.Query(&g.world); q.Next(); {
			t, c, p := q.Get()
			if c.Kind == physecs.KindSphere {
				draw(disc, *t, geom.V(c.Radius, c.Radius, 0), *p)
			} else {
				draw(square, *t, c.HalfExtents, *p)
			}
		}
	}
	return g
}

// sprites returns a white square and a white disc.
func sprites() (square, disc *ebiten.Image) {
	square = ebiten.NewImage(4, 4)
	square.Fill(color.White)
	const size = 128
	pixels := make([]byte, 4*size*size)
	for i := range size * size {
		x, y := float64(i%size)+0.5-size/2, float64(i/size)+0.5-size/2
		cover := uint8(255 * min(max(size/2-math.Hypot(x, y), 0), 1))
		copy(pixels[4*i:], []byte{cover, cover, cover, cover})
	}
	disc = ebiten.NewImage(size, size)
	disc.WritePixels(pixels)
	return square, disc
}

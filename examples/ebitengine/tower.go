package main

import (
	"image/color"
	"slices"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/vector"
	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/lines"
	"github.com/hitscan-go/hitscan/picking"
)

// The tower is seen isometrically, in three dimensions: a click takes a block away.

func newTower() *game {
	view := picking.View{
		Camera:   picking.Camera{Projection: picking.Orthographic(11, 0, 60)},
		Viewport: picking.FullViewport(screen, screen),
	}
	view.LookAt(geom.V(20, 22, 20), geom.V(0, 2, 0), geom.V(0, 1, 0)) // along (−1, −1, −1)
	g := newGame(view, func(*ecs.World) {})
	bodies := generic.NewMap1[physecs.Body](&g.world)
	g.add(geom.At(0, -0.25, 0), physecs.Box(geom.V(4, 0.25, 4)), paint{150, 164, 136})
	for y := range 4 {
		for x := range 2 {
			for z := range 2 {
				at := geom.At(float32(x)-0.5, float32(y)+0.5, float32(z)-0.5)
				e := g.add(at, physecs.Box(geom.V(0.5, 0.5, 0.5)), paint{uint8(120 + 30*y), uint8(90 + 40*x), uint8(80 + 60*z)})
				bodies.Assign(e, &physecs.Body{})
			}
		}
	}
	g.tick = func() {
		for _, e := range ecs.GetResource[physecs.Events](&g.world).List {
			if e.Kind == picking.Click && !e.Background && bodies.Get(e.Target) != nil {
				g.world.RemoveEntity(e.Target)
				g.score++
			}
		}
	}
	white := ebiten.NewImage(1, 1)
	white.Fill(color.White)
	var solids []solid
	var vertices []ebiten.Vertex
	g.draw = func(target *ebiten.Image) {
		target.Fill(color.RGBA{214, 222, 230, 255})
		solids, vertices = solids[:0], vertices[:0]
		toEye := g.view.Rotation.Rotate(geom.V(0, 0, 1))
		for q := g.all.Query(&g.world); q.Next(); {
			t, c, p := q.Get()
			// The ground is behind all that is on it.
			near := t.Position.Dot(toEye) - 100*max(0, c.HalfExtents.X-1)
			solids = append(solids, solid{t.Affine(), c.HalfExtents, *p, near})
		}
		slices.SortStableFunc(solids, func(a, b solid) int {
			if a.near < b.near {
				return -1
			}
			return 1
		})
		for _, s := range solids {
			vertices = s.faces(vertices, &g.view, toEye)
		}
		indices := make([]uint16, 0, len(vertices)/4*6)
		for i := uint16(0); int(i) < len(vertices); i += 4 {
			indices = append(indices, i, i+1, i+2, i, i+2, i+3)
		}
		target.DrawTriangles(vertices, indices, white, nil)
	}
	return g
}

// solid is a box to draw, and how near it is to the eye.
type solid struct {
	at   geom.Affine
	half geom.Vec3
	paint
	near float32
}

// faces appends the corners of the faces that the eye sees, four each.
func (s *solid) faces(vertices []ebiten.Vertex, view *picking.View, toEye geom.Vec3) []ebiten.Vertex {
	axes := [3]geom.Vec3{s.at.X.Mul(s.half.X), s.at.Y.Mul(s.half.Y), s.at.Z.Mul(s.half.Z)}
	for i, n := range axes {
		u, v := axes[(i+1)%3], axes[(i+2)%3]
		if n.Dot(toEye) < 0 {
			n = n.Neg()
		}
		n1 := n.Normalize()
		light := 0.62 + 0.3*max(n1.Y, 0) + 0.12*max(n1.X, 0)
		for _, k := range [4][2]float32{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
			x, y, _, _ := view.Project(s.at.Origin.Add(n).Add(u.Mul(k[0])).Add(v.Mul(k[1])))
			vertices = append(vertices, ebiten.Vertex{
				DstX: float32(x), DstY: float32(y), SrcX: 0.5, SrcY: 0.5,
				ColorR: light * float32(s.R) / 255, ColorG: light * float32(s.G) / 255, ColorB: light * float32(s.B) / 255, ColorA: 1,
			})
		}
	}
	return vertices
}

// drawHover draws the lines of the collider under the cursor.
func (g *game) drawHover(target *ebiten.Image) {
	space := ecs.GetResource[physecs.Space](&g.world)
	id, ok := space.Collider(g.hover.Entity)
	if !g.hover.OK || !ok {
		return
	}
	c, _ := space.Physics().Collider(id)
	var list lines.List
	draw := list.Shape
	if space.Physics().IsPlanar() {
		draw = list.Outline
	}
	draw(c.Shape, c.Transform, lines.RGB(0xFFFFFF))
	for _, s := range list.Segments() {
		x0, y0, _, _ := g.view.Project(s.A)
		x1, y1, _, _ := g.view.Project(s.B)
		vector.StrokeLine(target, float32(x0), float32(y0), float32(x1), float32(y1), s.Width, s.Color, true)
	}
}

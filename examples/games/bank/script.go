package main

import (
	"math"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/examples/games/play"
	"github.com/hitscan-go/hitscan/internal/xpointer"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// aimAt moves the pointer to a place of the hall.
func (g *game) aimAt(p *play.Player, x, z float32) {
	px, py, _, _ := physecs.Resource[physecs.View](&g.world).Project(geom.V(x, cannon.Y, z))
	p.Move(px, py)
	p.Frames(1)
}

// isLate reports whether a drone is seen in the sight, and none is there.
func (g *game) isLate() bool {
	g.see()
	for _, at := range g.seen {
		if math.Abs(float64(at.Z)) < droneRadius/2 {
			return !g.space.CastRayAny(g.sight(), physecs.Filter{Mask: flying})
		}
	}
	return false
}

// script looks through the fence, sends a ball through the gate, and shoots at what it sees.
func (g *game) script(p *play.Player) {
	p.Frames(late + 5)
	g.aimAt(p, 3, slat/2)
	p.Expect(g.laser()[1].X < 3, "a slat in the way of the light, and not %v", g.laser())
	g.aimAt(p, 3, slat*3/2)
	p.Expect(g.laser()[1].X > 9, "a gap in the fence, and not %v", g.laser())
	g.aimAt(p, -1, 3)
	p.Expect(len(g.laser()) > 4, "light in mirrors, and not %v", g.laser())
	p.Shot("bank-laser")

	g.aimAt(p, -5, 3.4)
	p.Click(xpointer.Left)
	p.Until("a ball to pass the gate", func() bool { return g.fast > 0 })
	p.Skip(60)
	p.Expect(g.fast == 1, "one ball that was made faster once, and not %d times", g.fast)

	// A slug hits a drone where it is seen, though it is elsewhere by now.
	g.aimAt(p, 5, 0)
	for i := 0; i < 5 && g.pierced == 0; i++ {
		p.Until("a drone to be seen where none is", g.isLate)
		p.Click(xpointer.Right)
	}
	p.Frames(1)
	p.Shot("bank-slug")
	p.Expect(g.pierced == 1, "a drone to be pierced")
	for _, wound := range g.wounds {
		p.Expect(wound.Thickness() > 0.05, "wounds on both sides, and not %v", wound)
	}

	// A ball that comes off a wall hits a drone at last.
	g.aimAt(p, 0, -5.85)
	for i := 0; i < 20 && g.banked == 0; i++ {
		p.Click(xpointer.Left)
		p.Skip(40)
		p.Frames(1)
	}
	p.Expect(g.banked > 0, "a drone that a ball has hit")
	p.Shot("bank")
}

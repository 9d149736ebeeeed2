package main

import (
	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/examples/games/play"
	"github.com/hitscan-go/hitscan/internal/xpointer"
)

// place returns the window pixel of a unit.
func (g *game) place(i int) (x, y float64) {
	b, _ := physecs.Resource[physecs.Space](&g.world).Bounds(g.all[i])
	x, y, _, _ = physecs.Resource[physecs.View](&g.world).Project(b.Center())
	return x, y
}

// script selects a unit by a click and many by a marquee, and sends them away.
func (g *game) script(p *play.Player) {
	p.Frames(3)
	x, y := g.place(units / 2)
	p.Move(x, y)
	p.Click(xpointer.Left)
	p.Frames(2)
	p.Expect(g.selection.Len() == 1, "one unit to be selected, and not %d", g.selection.Len())

	p.Move(250, 200)
	p.Press(xpointer.Left)
	p.Move(500, 300)
	p.Move(680, 400)
	p.Shot("rts-marquee")
	p.Release(xpointer.Left)
	p.Frames(2)
	many := g.selection.Len()
	p.Expect(many > 500, "more than 500 units to be selected, and not %d", many)

	p.Move(830, 160)
	p.Click(xpointer.Right)
	p.Skip(88)
	p.Frames(2)
	goes := 0
	for _, e := range g.all {
		if g.orders.Get(e).Goes {
			goes++
		}
	}
	p.Expect(goes > many/2, "more than half of %d units to be on their way, and not %d", many, goes)
	p.Shot("rts-walk")
	p.Skip(118)
	p.Frames(2)
	p.Shot("rts")
	p.Move(940, 20) // a click on the ground clears the selection
	p.Click(xpointer.Left)
	p.Frames(2)
	p.Expect(g.selection.Len() == 0, "nothing to be selected, and not %d units", g.selection.Len())
}

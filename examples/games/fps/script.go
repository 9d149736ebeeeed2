package main

import (
	"math"

	"github.com/hitscan-go/hitscan/examples/games/play"
	"github.com/hitscan-go/hitscan/internal/xpointer"
)

// script looks around, jumps, walks through the doors and throws grenades at the crates.
func (g *game) script(p *play.Player) {
	p.Frames(5)
	p.Move(480, 300)
	p.Click(xpointer.Left) // locks the cursor
	p.Look(200, -40, 10)
	p.Expect(math.Abs(g.yaw+200*perPixel) < 0.02 && math.Abs(g.pitch-40*perPixel) < 0.02,
		"a look by 200 and -40 pixels, and not yaw %.3f and pitch %.3f", g.yaw, g.pitch)
	p.Look(-200, 40, 10)

	highest := float32(0)
	p.Hold(' ', "a jump that ends", func() bool {
		y := g.places.Get(g.player).Position.Y
		highest = max(highest, y)
		return highest > 0.5 && y < 0.1
	})
	p.Expect(highest > 0.9 && highest < 1.15, "a jump of about 1 m, and not %.2f m", highest)

	p.Hold('w', "both doors to open", func() bool { return g.angle(0) > 30 && g.angle(1) > 30 })
	p.Shot("fps-doors")
	p.Hold('w', "the yard to be reached", func() bool { return g.reached })
	p.Click(xpointer.Left)
	p.Frames(3)
	p.Click(xpointer.Left)
	p.Until("a grenade to explode", func() bool { query := g.burning.Query(&g.world); defer query.Close(); return query.Count() > 0 })
	p.Skip(6)
	p.Frames(2)
	p.Shot("fps-blast")
	p.Skip(100)
	p.Frames(1)
	p.Expect(g.thrown == 2, "two grenades, and not %d", g.thrown)
	moved := 0
	for _, e := range g.crates {
		if g.places.Get(e).Position.Z < -6.5 {
			moved++
		}
	}
	p.Expect(moved > 2, "crates to be blown away, and not %d", moved)
	p.Shot("fps")
}

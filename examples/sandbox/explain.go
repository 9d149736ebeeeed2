package main

import (
	"fmt"
	"image/color"

	"github.com/mlange-42/arche/ecs"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/lines"
	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render"
)

// explanation shows how a pick came to its answer: of the ray under the cursor or, after a click
// while it is shown, of that click, to be viewed from the side.
type explanation struct {
	pinned bool // the ray of the last click is shown
	is     physecs.PickExplanation
	ok     bool
}

// update explains the ray of this frame.
func (x *explanation) update(a *app) {
	if !a.overlays.explain {
		*x = explanation{}
		return
	}
	for _, e := range ecs.GetResource[physecs.Events](&a.world).List {
		x.pinned = x.pinned || e.Kind == picking.Click && e.Button == picking.Left
	}
	hover := ecs.GetResource[physecs.Hover](&a.world)
	ray, ok := hover.Ray, hover.HasRay
	if x.pinned {
		ray, ok = a.ray.ray, a.ray.shown
	}
	if !ok {
		return // the last one stays
	}
	x.is, x.ok = physecs.ExplainPick(&a.world, ray, a.systems.Raycast.Filter), true
}

// draw draws boxes of nodes in two colours, of tested colliders by their verdicts, and a ring where
// a plane was hit.
func (x *explanation) draw(l *render.Lines, a *app) {
	if !x.ok {
		return
	}
	l.Explanation(&x.is.Explanation.Explanation, a.scene.mark*0.5)
	if x.pinned {
		return // the ray is drawn with the click
	}
	if end := x.is.Hit.Point; x.is.OK {
		l.Width = 2
		l.Segment(x.is.Ray.Origin, end, rayColor)
	}
	l.Width = 0
}

// The colours of the boxes, which the card has too.
var enteredColor, leftOutColor = lines.EnteredColor, lines.LeftOutColor

func verdictColor(v physics.Verdict) color.NRGBA {
	c, _ := lines.VerdictColor(v)
	return c
}

// lines returns the lines of the card, in the colours of the boxes.
func (x *explanation) lines() (lines []line) {
	if !x.ok {
		return nil
	}
	entered, left := 0, 0
	for i := range x.is.Nodes {
		if x.is.Nodes[i].Verdict == physics.VerdictVisited {
			entered++
		} else {
			left++
		}
	}
	asked := 0
	count, planes := map[physics.Verdict]int{}, map[physics.Verdict]int{}
	for i := range x.is.Colliders {
		if c := &x.is.Colliders[i]; c.Asked() {
			asked++
			count[c.Verdict]++
			if !c.Bounds.Min.IsFinite() || !c.Bounds.Max.IsFinite() {
				planes[c.Verdict]++
			}
		}
	}
	lines = append(lines,
		line{key: "nodes", text: thousands(entered) + " entered", color: brighter(enteredColor), apart: true},
		line{text: thousands(left) + " left out", color: brighter(leftOutColor)},
		line{key: "tested", text: fmt.Sprintf("%s of %s colliders", thousands(asked), thousands(len(x.is.Colliders)))})
	for _, v := range [...]physics.Verdict{
		physics.VerdictClosest, physics.VerdictFarther, physics.VerdictMissed, physics.VerdictRejected,
	} {
		if count[v] == 0 {
			continue
		}
		text := fmt.Sprintf("%s %v", thousands(count[v]), v)
		switch n := planes[v]; {
		case n > 0 && isHit(v):
			text += ": a ring" // where there is no box
		case n > 0:
			text += ": no box"
		}
		lines = append(lines, line{text: text, color: brighter(verdictColor(v))})
	}
	return lines
}

// isHit reports whether a collider with a verdict has a hit.
func isHit(v physics.Verdict) bool { return v == physics.VerdictClosest || v == physics.VerdictFarther }

// brighter returns a colour for text on the dark panels.
func brighter(c color.NRGBA) color.NRGBA {
	up := func(x uint8) uint8 { return x + (255-x)/2 }
	return color.NRGBA{R: up(c.R), G: up(c.G), B: up(c.B), A: c.A}
}

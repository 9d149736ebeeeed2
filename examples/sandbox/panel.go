package main

import (
	"fmt"

	"github.com/mlange-42/arche/ecs"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/render"
)

// The panels over the picture: the card, the switches of the overlays, the help.

// help is the table of keys and gestures.
var help = [...]render.Row{
	{Key: "move", Value: "hover: what is under the cursor"},
	{Key: "click", Value: "select; leaves its ray in the world"},
	{Key: "shift + click", Value: "add to the selection, or take out"},
	{Key: "drag", Value: "from the ground: select many"},
	{Key: "alt + drag", Value: "from anywhere; shift adds, ctrl toggles"},
	{Key: "drag a handle", Value: "move, turn, scale; with ctrl in steps"},
	{Key: "right drag", Value: "orbit"},
	{Key: "middle drag", Value: "pan; also shift + right drag"},
	{Key: "wheel", Value: "zoom towards the cursor"},
	{},
	{Key: "S", Value: "ten thousand things that fly, and back"},
	{Key: "P", Value: "hold them still"},
	{Key: "E", Value: "an arena to walk in, and back"},
	{Key: "F", Value: "frame the selection"},
	{Key: "R", Value: "reset the camera"},
	{Key: "1 2 3 O L I", Value: "tools, as named on the right"},
	{Key: "T N C A B X G", Value: "overlays, as named on the right"},
	{Key: "+ −", Value: "deepest level of the BVH boxes"},
	{Key: "H", Value: "this help"},
	{Key: "Esc", Value: "cancel a drag; else quit, as Q does"},
}

// walkHelp is that of the arena.
var walkHelp = [...]render.Row{
	{Key: "W A S D, arrows", Value: "walk; with shift: run"},
	{Key: "space", Value: "jump"},
	{Key: "click, F", Value: "fire at what is under the cursor"},
	{Key: "drag", Value: "look around"},
	{Key: "wheel", Value: "camera nearer or farther"},
	{},
	{Key: "E", Value: "leave the arena"},
	{Key: "P", Value: "hold everything still"},
	{Key: "R", Value: "back to the start"},
	{Key: "T N C B G", Value: "overlays, as named on the right"},
	{Key: "+ −", Value: "deepest level of the BVH boxes"},
	{Key: "H", Value: "this help"},
	{Key: "Esc, Q", Value: "quit"},
}

const (
	margin     = 16 // window pixels, as all here
	cardWidth  = 300
	cardRow    = 21
	keyColumn  = 66 // width of the keys on the card
	costColumn = 60 // and of those on the panel of the costs
	numColumn  = 68 // and of each of the three numbers
	switchRow  = 27
	panelWidth = 178
	helpHeight = 465 // about
)

// drawPanels puts the panels of this frame into the HUD and does what is clicked on them.
func (a *app) drawPanels() {
	hud := &a.renderer.HUD
	if a.scene.arena != nil {
		a.drawArenaPanels(hud)
		return
	}
	hover := ecs.GetResource[physecs.Hover](&a.world)
	r := reading{hit: hover.Hit, ok: hover.OK, busy: a.dragging, pick: a.costs.pick.shown}
	if hover.OK {
		r.name = a.scene.names[hover.Entity]
		r.collider = a.scene.collider(hover.Entity)
		if m := a.scene.meshOf(hover.Entity); m != nil {
			r.detail = thousands(m.NumTriangles()) + " triangles"
		}
	}
	r.selected, r.handle, r.why = a.selected(), a.gizmo.Handle(), a.explanation.lines()
	a.marquee.draw(hud)
	if card := a.spots["panel:card"]; !a.overlays.help || card.Y+card.Height+2*margin+helpHeight <= float32(a.view().Window.Height) {
		a.drawCard(hud, &r) // the help goes below it, or instead of it
	}
	a.drawSwitches(hud)
	if a.scene.swarm != nil {
		a.drawCosts(hud)
	} else {
		a.drawTools(hud, a.spots["panel:switches"])
	}
	if s := a.gizmo.report(a); s != "" {
		p := ecs.GetResource[physecs.Pointer](&a.world)
		hud.Label(float32(p.X), float32(p.Y)-26, s)
	}
	a.drawHint(hud, "click: select     drag: select many     right drag: orbit     middle drag: pan     wheel: zoom     H: help")
	if a.overlays.help {
		a.spots["panel:keys"] = hud.CardOf(margin, -margin, cardWidth, "Keys and mouse", help[:]...)
	}
}

// drawArenaPanels draws what is told of the character and its contacts, and what a tick takes.
func (a *app) drawArenaPanels(hud *render.HUD) {
	title, lines := a.scene.arena.report()
	a.spots["panel:card"] = drawLines(hud, margin, margin, cardWidth, keyColumn, title, false, lines)
	a.drawSwitches(hud)
	a.drawCostLines(hud, "Costs", a.scene.arena.costs.lines())
	a.drawHint(hud, "WASD: walk     space: jump     click: fire     drag: look around     E: leave     H: help")
	if a.overlays.help {
		a.spots["panel:keys"] = hud.CardOf(margin, -margin, cardWidth, "Keys and mouse", walkHelp[:]...)
	}
}

func (a *app) drawCard(hud *render.HUD, r *reading) {
	title, lines := r.lines()
	a.spots["panel:card"] = drawLines(hud, margin, margin, cardWidth, keyColumn, title, !r.ok, lines)
}

// drawCosts draws what a tick of the swarm takes.
func (a *app) drawCosts(hud *render.HUD) {
	title, lines := a.costs.lines(len(a.scene.all))
	a.drawCostLines(hud, title, lines)
}

func (a *app) drawCostLines(hud *render.HUD, title string, lines []line) {
	x := float32(-margin)
	if a.view().Window.Height < 600 { // no room below the switches
		x -= panelWidth + margin
	}
	a.spots["panel:costs"] = drawLines(hud, x, -margin, panelWidth, costColumn, title, false, lines)
}

// drawLines draws a panel of lines, with a column for their keys, and returns its place. x and y count as in render.HUD.Place.
func drawLines(hud *render.HUD, x, y, width, keys float32, title string, faint bool, lines []line) render.Rect {
	theme := render.DefaultTheme()
	const head, gap = 34, 8
	height := head + float32(len(lines))*cardRow + theme.Padding
	for _, line := range lines {
		if line.apart {
			height += gap
		}
	}
	card := hud.Place(x, y, width, height)
	hud.Panel(card)
	x, y = card.X+theme.Padding, card.Y+11
	heading := render.TextStyle{Face: render.Bold, Size: theme.TitleSize + 1, Color: theme.Text}
	if faint {
		heading.Color = theme.Faint
	}
	hud.Text(x, y, heading, title)
	y = card.Y + head + 3
	key := render.TextStyle{Face: render.Regular, Size: theme.TextSize, Color: theme.Faint}
	for _, line := range lines {
		if line.apart {
			y += gap
		}
		hud.Text(x, y, key, line.key)
		value := render.TextStyle{Face: render.Medium, Size: theme.TextSize, Color: theme.Text}
		if line.color.A != 0 {
			value.Color = line.color
		}
		if line.text == none {
			value.Color = theme.Faint
		}
		left := x + keys
		hud.Text(left, y, value, line.text)
		for j, n := range line.numbers {
			width, _ := render.MeasureText(value, n)
			hud.Text(left+float32(j+1)*numColumn-width, y, value, n)
		}
		hud.Text(left+numColumn+6, y, key, line.unit)
		y += cardRow
	}
	return card
}

// drawHint tells newcomers what there is to do, until they have found out how to look around.
func (a *app) drawHint(hud *render.HUD, text string) {
	if a.looked || a.overlays.help {
		return
	}
	at := hud.Place(0, -margin, 0, 0)
	hud.Label(float32(a.view().Window.Width)/2, at.Y-8, text)
}

func (a *app) drawSwitches(hud *render.HUD) {
	theme := render.DefaultTheme()
	list := a.overlays.list()
	const head = 30
	panel := hud.Place(-margin, margin, panelWidth, head+float32(len(list)+1)*switchRow+theme.Padding)
	hud.Panel(panel)
	a.spots["panel:switches"] = panel
	hud.Text(panel.X+theme.Padding, panel.Y+11,
		render.TextStyle{Face: render.Bold, Size: theme.TitleSize, Color: theme.Text}, "Overlays")
	row := render.Rect{X: panel.X + 8, Y: panel.Y + head + 6, Width: panel.Width - 16, Height: switchRow}
	for _, item := range list {
		a.spots["panel:"+item.name] = row
		hud.Toggle(row, item.label, string(item.key), item.on)
		row.Y += switchRow
		if item.name != "bvh" {
			continue
		}
		faint := render.TextStyle{Face: render.Regular, Size: theme.TextSize, Color: theme.Faint}
		hud.Text(row.X+44, row.Y+4, faint, fmt.Sprintf("to level %d", a.overlays.level))
		for i, label := range []string{"−", "+"} {
			button := render.Rect{X: row.X + row.Width - 52 + float32(i)*26, Y: row.Y + 3, Width: 22, Height: switchRow - 6}
			a.spots["panel:"+[]string{"less", "more"}[i]] = button
			if hud.Button(button, label) {
				a.overlays.deeper(2*i - 1)
			}
		}
		row.Y += switchRow
	}
}

package main

import (
	"fmt"
	"slices"
	"strings"

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
	{Key: "S", Value: "ten thousand flying objects, and back"},
	{Key: "P", Value: "hold them still"},
	{Key: "E", Value: "an arena to walk in, and back"},
	{Key: "D; U", Value: "rigid bodies: stacks; a pile; and back"},
	{Key: "F", Value: "frame the selection"},
	{Key: "R", Value: "reset the camera"},
	{Key: "1 2 3 O L I", Value: "tools, as named on the right"},
	{Key: "T N C A B X G", Value: "overlays, as named on the right"},
	{Key: "+ −", Value: "deepest level of the BVH boxes"},
	{Key: "H", Value: "this help"},
	{Key: "Esc", Value: "cancel a drag; else quit, as Q does"},
}

// walkHelp is the table of the arena.
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

// simulationHelp is the table of the scenes of rigid bodies.
var simulationHelp = [...]render.Row{
	{Key: "click", Value: "throw a ball at what is under the cursor"},
	{Key: "shift + click", Value: "add to the selection, or take out"},
	{Key: "drag", Value: "pull a body; from the ground: select many"},
	{Key: "right drag", Value: "orbit"},
	{Key: "middle drag", Value: "pan; also shift + right drag"},
	{Key: "wheel", Value: "zoom towards the cursor"},
	{},
	{Key: "P", Value: "hold everything still"},
	{Key: "left, right arrow", Value: "a step back, a step on"},
	{Key: "slider", Value: "drag it to go back in time"},
	{Key: "K", Value: "ragdolls: the walker falls, gets up"},
	{Key: "D; U", Value: "stacks; a pile; again: leave"},
	{Key: "F", Value: "frame the selection"},
	{Key: "R", Value: "reset the camera"},
	{Key: "L I", Value: "tools, as named on the right"},
	{Key: "J N C A B X G", Value: "overlays, as named on the right"},
	{Key: "+ −", Value: "deepest level of the BVH boxes"},
	{Key: "H", Value: "this help"},
	{Key: "Esc, Q", Value: "quit"},
}

// sizes are the sizes of the panels, in window pixels.
type sizes struct {
	theme    render.Theme
	margin   float32 // around panels
	card     float32 // width
	panel    float32 // width of those at the right
	title    float32 // height, with the room above and below
	top      float32 // the room above it
	row      float32
	toggle   float32 // a row of switches
	keys     float32 // width of the keys on the card
	costKeys float32 // and of those on the panel of the costs
	number   float32 // and of each of the three numbers
	help     float32 // height of the help, about
	brief    bool    // what matters less is left out
}

// sizes returns the sizes for the current window: denser in a small one, with fewer lines.
func (a *app) sizes() sizes {
	width, height := 720, 560 // what the roomy panels need beside and under one another
	if a.scene.simulation != nil {
		height += historyHeight + 16
	}
	if w := a.view().Window; w.Width >= width && w.Height >= height {
		return sizes{
			theme: render.DefaultTheme(), margin: 16, card: 300, panel: 178, title: 34, top: 11, row: 21, toggle: 27, keys: 66, costKeys: 60,
			number: 68, help: 465,
		}
	}
	dense := render.DefaultTheme()
	dense.TextSize, dense.TitleSize, dense.Padding, dense.Radius = 12, 13, 10, 7
	return sizes{
		theme: dense, margin: 8, card: 250, panel: 164, title: 28, top: 8, row: 18, toggle: 19, keys: 55, costKeys: 54,
		number: 58, help: 380, brief: true,
	}
}

// drawPanels adds the panels of this frame to the HUD and handles clicks on them.
func (a *app) drawPanels() {
	hud, s := &a.renderer.HUD, a.sizes()
	hud.Theme = s.theme
	if a.scene.arena != nil {
		a.drawArenaPanels(hud, s)
		return
	}
	hover := ecs.GetResource[physecs.Hover](&a.world)
	r := reading{hit: hover.Hit, ok: hover.OK, busy: a.dragging, pick: a.costs.pick.shown, again: a.costs.again.shown,
		colliders: a.scene.count.colliders, triangles: a.scene.count.triangles}
	if hover.OK {
		r.name = a.scene.names[hover.Entity]
		r.collider = a.scene.collider(hover.Entity)
		if m := a.scene.meshOf(hover.Entity); m != nil {
			r.detail = thousands(m.NumTriangles()) + " triangles"
		}
	}
	r.selected, r.handle, r.why = a.selected(), a.gizmo.Gizmo.Handle(), a.explanation.lines()
	hud.Marquee(&a.marquee.Marquee)
	title, lines := r.lines()
	if a.fits(s, lines) {
		a.spots["panel:card"] = s.drawLines(hud, s.margin, s.margin, s.card, s.keys, title, !r.ok, lines)
	}
	a.drawSwitches(hud, s)
	a.drawTools(hud, s)
	if a.scene.swarm != nil {
		title, lines := a.costs.lines(len(a.scene.all))
		a.drawCosts(hud, s, title, lines)
	}
	if m := a.scene.simulation; m != nil {
		m.costs.frame = a.costs.frame
		title, lines := m.costs.lines()
		a.drawCosts(hud, s, title, lines)
		a.drawHistory(hud, s)
	}
	a.gizmo.label(a, hud)
	if a.scene.simulation != nil {
		hint := []string{"H: help", "click: throw a ball", "drag: pull", "P: hold still", "right drag: orbit", "wheel: zoom"}
		if a.scene.car != nil {
			hint = []string{"H: help", "WASD: drive", "space: brake", "click: throw a ball", "drag: pull", "right drag: orbit"}
		}
		if m := a.scene.simulation; m.puppet != nil {
			hint = []string{"H: help", "K: " + m.puppet.next(), "click: throw a ball", "drag: pull", "P: hold still", "right drag: orbit"}
		}
		a.drawHint(hud, s, hint...)
		a.drawHelp(hud, s, simulationHelp[:])
		return
	}
	a.drawHint(hud, s, "H: help", "click: select", "drag: select many", "right drag: orbit", "wheel: zoom", "middle drag: pan")
	a.drawHelp(hud, s, help[:])
}

// fits reports whether the card fits: the help is below it, or replaces it.
func (a *app) fits(s sizes, lines []line) bool {
	return !a.overlays.help || s.height(lines)+2*s.margin+s.help-a.bottom(s) <= float32(a.view().Window.Height)
}

// slides reports whether the slider is shown: the help is above it, or replaces it.
func (a *app) slides(s sizes) bool {
	return a.scene.simulation != nil && (!a.overlays.help || s.help+historyHeight+3*s.margin <= float32(a.view().Window.Height))
}

// bottom returns the Y of what is at the bottom or above the slider, as it counts in
// render.HUD.Place.
func (a *app) bottom(s sizes) float32 {
	if a.slides(s) {
		return -(historyHeight + 2*s.margin)
	}
	return -s.margin
}

// drawArenaPanels draws the panels of the character, its contacts, and the cost of a tick.
func (a *app) drawArenaPanels(hud *render.HUD, s sizes) {
	if title, lines := a.scene.arena.report(); a.fits(s, lines) {
		a.spots["panel:card"] = s.drawLines(hud, s.margin, s.margin, s.card, s.keys, title, false, lines)
	}
	a.drawSwitches(hud, s)
	a.drawCosts(hud, s, "Costs", a.scene.arena.costs.lines())
	a.drawHint(hud, s, "H: help", "WASD: walk", "space: jump", "click: fire", "drag: look around", "E: leave")
	a.drawHelp(hud, s, walkHelp[:])
}

// drawHelp draws the table of keys and gestures, if it is switched on.
func (a *app) drawHelp(hud *render.HUD, s sizes, rows []render.Row) {
	if !a.overlays.help {
		return
	}
	if s.brief {
		hud.Theme.TextSize, hud.Theme.Padding = 11, 8
	}
	a.spots["panel:keys"] = hud.Card(s.margin, a.bottom(s), s.card, "Keys and mouse", rows...)
	hud.Theme = s.theme
}

// drawCosts draws the cost of a tick: at the lower right or, if the panels there leave no space,
// beside them or, above a slider, at the left, where the help and the card have precedence.
func (a *app) drawCosts(hud *render.HUD, s sizes, title string, lines []line) {
	above, x, y := a.spots["panel:switches"], -s.margin, -s.margin
	if a.scene.arena == nil {
		above = a.spots["panel:tools"]
	}
	if above.Y+above.Height+2*s.margin+s.height(lines) > float32(a.view().Window.Height) {
		if x -= s.panel + s.margin; a.overlays.help {
			return
		}
		if a.scene.simulation != nil {
			x, y = s.margin, a.bottom(s)
			if card := a.spots["panel:card"]; hud.Place(x, y, s.panel, s.height(lines)).Y < card.Y+card.Height+s.margin {
				return
			}
		}
	}
	a.spots["panel:costs"] = s.drawLines(hud, x, y, s.panel, s.costKeys, title, false, lines)
}

const lineGap = 8 // above a line that stands apart

// shown returns the lines that fit.
func (s sizes) shown(lines []line) []line {
	if !s.brief {
		return lines
	}
	return slices.DeleteFunc(slices.Clone(lines), func(l line) bool { return l.minor })
}

// height returns the height of a panel of lines.
func (s sizes) height(lines []line) float32 {
	lines = s.shown(lines)
	height := s.title + float32(len(lines))*s.row + s.theme.Padding
	for _, line := range lines {
		if line.apart {
			height += lineGap
		}
	}
	return height
}

// drawLines draws a panel of lines, with a column for their keys, and returns its place. x and y
// count as in render.HUD.Place.
func (s sizes) drawLines(hud *render.HUD, x, y, width, keys float32, title string, faint bool, lines []line) render.Rect {
	theme := s.theme
	card := hud.Place(x, y, width, s.height(lines))
	hud.Panel(card)
	x, y = card.X+theme.Padding, card.Y+s.top
	heading := render.TextStyle{Font: render.Bold, Size: theme.TitleSize + 1, Color: theme.Text}
	if faint {
		heading.Color = theme.Faint
	}
	hud.Text(x, y, heading, title)
	y = card.Y + s.title + 3
	key := render.TextStyle{Font: render.Regular, Size: theme.TextSize, Color: theme.Faint}
	for _, line := range s.shown(lines) {
		if line.apart {
			y += lineGap
		}
		hud.Text(x, y, key, line.key)
		value := render.TextStyle{Font: render.Medium, Size: theme.TextSize, Color: theme.Text}
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
			hud.Text(left+float32(j+1)*s.number-width, y, value, n)
		}
		hud.Text(left+s.number+6, y, key, line.unit)
		y += s.row
	}
	return card
}

// drawHint shows newcomers the controls until they have orbited once: as many words as fit, the
// most important one, which always fits, last.
func (a *app) drawHint(hud *render.HUD, s sizes, words ...string) {
	if a.looked || a.overlays.help {
		return
	}
	window := float32(a.view().Window.Width)
	room, middle := window-2*s.margin, window/2
	if s.brief { // beside the costs
		room -= s.panel + s.margin
		middle = s.margin + room/2
		if a.scene.simulation != nil {
			room -= s.panel + s.margin
			middle = window / 2
		}
	}
	text := words[0]
	for n := len(words); n > 1; n-- {
		longer := strings.Join(append(slices.Clone(words[1:n]), words[0]), "     ")
		if w, _ := render.MeasureText(render.TextStyle{Font: render.Medium, Size: s.theme.TextSize}, longer); w+14 <= room {
			text = longer
			break
		}
	}
	hud.Label(middle, hud.Place(0, a.bottom(s), 0, 0).Y-8, text)
}

func (a *app) drawSwitches(hud *render.HUD, s sizes) {
	list := a.overlays.list()
	panel := hud.Place(-s.margin, s.margin, s.panel, s.switchesHeight(len(list)+1))
	a.spots["panel:switches"] = panel
	theme, row := s.theme, s.heading(hud, panel, "Overlays")
	for _, item := range list {
		a.spots["panel:"+item.name] = row
		hud.Toggle(row, item.label, string(item.key), item.on)
		row.Y += s.toggle
		if item.name != "bvh" {
			continue
		}
		faint := render.TextStyle{Font: render.Regular, Size: theme.TextSize, Color: theme.Faint}
		level := "to level %d"
		if s.brief {
			level = "level %d"
		}
		hud.Text(row.X+44, row.Y+(s.toggle-s.theme.TextSize)/2-2.5, faint, fmt.Sprintf(level, a.overlays.level))
		for i, label := range []string{"−", "+"} {
			button := render.Rect{X: row.X + row.Width - 52 + float32(i)*26, Y: row.Y + 3, Width: 22, Height: s.toggle - 6}
			a.spots["panel:"+[]string{"less", "more"}[i]] = button
			if hud.Button(button, label) {
				a.overlays.deeper(2*i - 1)
			}
		}
		row.Y += s.toggle
	}
}

// switchesHeight returns the height of a panel of n rows.
func (s sizes) switchesHeight(n int) float32 {
	return s.title - 4 + float32(n)*s.toggle + s.theme.Padding
}

// heading draws a panel of switches with its title and returns the place of the first of them.
func (s sizes) heading(hud *render.HUD, panel render.Rect, title string) render.Rect {
	hud.Panel(panel)
	hud.Text(panel.X+s.theme.Padding, panel.Y+s.top,
		render.TextStyle{Font: render.Bold, Size: s.theme.TitleSize, Color: s.theme.Text}, title)
	return render.Rect{X: panel.X + 8, Y: panel.Y + s.title + 2, Width: panel.Width - 16, Height: s.toggle}
}

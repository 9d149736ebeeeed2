package main

import (
	"fmt"
	"runtime"
	"slices"
	"sort"

	"github.com/mlange-42/arche/ecs"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/render"
)

// The way back in time: states that were saved every few steps, and the throws in between. A step
// between two states is reached from the one before, since the same steps give the same bits.

// history is a ring of states, the oldest first.
type history struct {
	every  int // steps between two states
	states []physecs.DynamicsState
	steps  []int // of the states
	first  int   // index of the oldest
	count  int
	newest int // the last step that is known
	heap   uint64
}

// thrown is a ball that was thrown before a step.
type thrown struct {
	step     int
	ball     int
	from     geom.Vec3
	velocity geom.Vec3
}

// pulled is what the pointer pulled in a step.
type pulled struct {
	step  int
	drags []physecs.Drag
}

// forget drops all that is known of later steps than the present one.
func (m *simulation) forget() {
	m.history.forget(m.step)
	m.throws = slices.DeleteFunc(m.throws, func(t thrown) bool { return t.step > m.step })
	m.pulls = m.pulls[:m.pullsBefore(m.step)]
	m.switches = slices.DeleteFunc(m.switches, func(step int) bool { return step > m.step })
}

// pullsBefore returns the number of pulls before a step.
func (m *simulation) pullsBefore(step int) int {
	return sort.Search(len(m.pulls), func(i int) bool { return m.pulls[i].step >= step })
}

// drags returns what is pulled in the present step: what the pointer drags, or what it dragged when
// the step was made first.
func (m *simulation) drags(live []physecs.Drag) []physecs.Drag {
	if m.seeking || len(live) == 0 {
		if i := m.pullsBefore(m.step); i < len(m.pulls) && m.pulls[i].step == m.step {
			return m.pulls[i].drags
		}
		return nil
	}
	if m.step < m.history.newest {
		m.forget()
	}
	m.pulls = append(m.pulls[m.pullsBefore(m.history.oldest()):], pulled{m.step, slices.Clone(live)})
	return live
}

// drawDrags draws the springs by which bodies are pulled.
func (m *simulation) drawDrags(l *render.Lines) {
	d := ecs.GetResource[physecs.Dynamics](m.world)
	for i := range ecs.GetResource[physecs.Drags](m.world).List {
		p := &ecs.GetResource[physecs.Drags](m.world).List[i]
		at, _ := d.Transform(p.Entity)
		from := at.Position.Add(at.Rotation.Rotate(p.Point))
		l.Width = 3
		l.Segment(from, p.Target, dragColor)
		l.Point(from, 9, dragColor)
		l.Point(p.Target, 9, pointColor)
	}
	l.Width = 0
}

var dragColor = render.RGB(0xE0385C)

func newHistory(every, n int) history {
	return history{every: every, states: make([]physecs.DynamicsState, n), steps: make([]int, n)}
}

func (h *history) at(i int) int { return (h.first + i) % len(h.states) }

// oldest returns the first step to which one can go back.
func (h *history) oldest() int { return h.steps[h.first] }

// save saves the state before a step, unless it is known or another step's turn.
func (h *history) save(w *ecs.World, step int) {
	h.newest = max(h.newest, step)
	if step%h.every != 0 || h.count > 0 && step <= h.steps[h.at(h.count-1)] {
		return
	}
	if h.count == len(h.states) {
		h.first, h.count = h.at(1), h.count-1
	}
	i := h.at(h.count)
	ecs.GetResource[physecs.Dynamics](w).Save(w, &h.states[i])
	h.steps[i] = step
	h.count++
	if h.count%10 == 1 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		h.heap = m.HeapInuse
	}
}

// forget drops all that is later than a step.
func (h *history) forget(step int) {
	for h.count > 1 && h.steps[h.at(h.count-1)] > step {
		h.count--
	}
	h.newest = step
}

// restore goes back to the last state that is not later than a step, and returns the state's step.
func (h *history) restore(w *ecs.World, step int) int {
	i := sort.Search(h.count, func(i int) bool { return h.steps[h.at(i)] > step }) - 1
	ecs.GetResource[physecs.Dynamics](w).Restore(w, &h.states[h.at(i)])
	return h.steps[h.at(i)]
}

// seek goes to a step of the past, or back from there.
func (m *simulation) seek(step int) {
	h := &m.history
	if step = min(max(step, h.oldest()), h.newest); step == m.step {
		return
	}
	m.step, m.ahead, m.seeking = h.restore(m.world, step), 0, true
	for m.step < step {
		m.stepOnce()
	}
	m.seeking = false
	physecs.Sync(m.world)
	m.count()
}

const historyHeight = 46 // of its panel, in window pixels

// drawHistory draws the slider of the time.
func (a *app) drawHistory(hud *render.HUD, s sizes) {
	m := a.scene.simulation
	h := &m.history
	if !a.slides(s) {
		return
	}
	const width, height = 430, historyHeight
	window := float32(a.view().Window.Width)
	r := hud.Place(0, -s.margin, width, height)
	r.X = min((window-width)/2, window-s.panel-2*s.margin-width) // left of the panels at the right
	hud.Panel(r)
	a.spots["panel:history"] = r
	text := render.TextStyle{Font: render.Medium, Size: s.theme.TextSize, Color: s.theme.Text}
	faint := render.TextStyle{Font: render.Regular, Size: s.theme.TextSize - 2, Color: s.theme.Faint}
	seconds := float64(m.step) * float64(m.system.Settings.Step)
	hud.Text(r.X+14, r.Y+8, text, fmt.Sprintf("%.2f s", seconds))
	hud.Text(r.X+14, r.Y+26, faint, fmt.Sprintf("step %d", m.step))
	hud.Text(r.X+width-92, r.Y+8, faint, fmt.Sprintf("states: %d", h.count))
	hud.Text(r.X+width-92, r.Y+25, faint, fmt.Sprintf("heap: %d MB", h.heap>>20))
	bar := render.Rect{X: r.X + 90, Y: r.Y + 11, Width: width - 196, Height: height - 22}
	a.spots["panel:time"] = bar
	span := float32(max(h.newest-h.oldest(), 1))
	share := float32(m.step-h.oldest()) / span
	if hud.Slider(bar, &share) {
		a.still = true
		m.seek(h.oldest() + int(share*span+0.5))
	}
}

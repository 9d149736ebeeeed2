package picking

import (
	"math"

	"github.com/hitscan-go/hitscan/internal/enum"
)

// MarqueePhase is the result of an update of a [Marquee].
type MarqueePhase uint8

const (
	// MarqueeIdle: there is no marquee. A button may be down that has not moved far enough yet.
	MarqueeIdle MarqueePhase = iota
	// MarqueeBegan: the marquee began in this update.
	MarqueeBegan
	// MarqueeDragged: the marquee goes on, moved or not.
	MarqueeDragged
	// MarqueeEnded: the button went up. Select what the marquee contains now. A marquee that began
	// and ended in one update has no MarqueeBegan.
	MarqueeEnded
	// MarqueeCanceled: the marquee ended, and nothing is to be selected.
	MarqueeCanceled
)

// String returns the name of the constant without its prefix.
func (p MarqueePhase) String() string {
	return enum.Name(p, "Idle", "Began", "Dragged", "Ended", "Canceled")
}

// Marquee is the outline that a pressed button draws: a rectangle from the place of the press to
// the cursor, or a lasso along the cursor's path. A [Region] finds what is in it.
//
// A press becomes a marquee when the cursor moves farther than a click allows. With the same
// distance for both, each press is either a click or a marquee. Call [Marquee.Update] once a frame
// or, for other kinds of input, Begin, Move, End and Cancel. The zero Marquee is ready for use: a
// rectangle, drawn by the left button. All places are in window pixels, Y downward.
type Marquee struct {
	Button Button
	Lasso  bool // draw a lasso; read when the button goes down
	// Threshold is how far, in window pixels, the cursor has to move away from the place of the
	// press for a marquee. 0 means [DefaultClickDistance]; with a negative number each press is a
	// marquee.
	Threshold float64

	stage   stage
	held    bool // the button was down at the last update
	lasso   bool
	from    Point
	to      Point
	outline []Point // of a lasso, without the cursor's present place
	spacing float64 // of its points, window pixels
}

type stage uint8

const (
	idle    stage = iota
	pressed       // not moved far enough yet
	active
	ended
)

// A lasso has a point every lassoSpacing window pixels of the cursor's path. With more than
// maxLasso points every second one is dropped and the spacing doubles.
const (
	lassoSpacing = 2
	maxLasso     = 512
)

// Update takes the input of a frame. A press counts if in.Inside is set when it is made; after that
// the cursor may be anywhere. If the window is unfocused or the pointer cancelled, the marquee is
// cancelled.
func (m *Marquee) Update(in Input) MarqueePhase {
	down := in.Down.Has(m.Button)
	fresh := in.Pressed.Has(m.Button) || down && !m.held // went down since the last update
	m.held = down
	if m.stage == ended {
		m.stage = idle
	}
	if in.Unfocused || in.Canceled {
		return m.Cancel()
	}
	if fresh && m.stage != idle && m.End() == MarqueeEnded {
		// The button was up for less than a frame. The new press is dropped, and the marquee is
		// kept.
		return MarqueeEnded
	}
	if m.stage == idle {
		if !fresh || !down || !in.Inside {
			return MarqueeIdle
		}
		m.Begin(in.X, in.Y)
	}
	phase := m.Move(in.X, in.Y)
	if !down {
		return m.End()
	}
	return phase
}

// Begin handles a press at a place in window pixels.
func (m *Marquee) Begin(x, y float64) {
	m.stage, m.lasso = pressed, m.Lasso
	m.from, m.to = Point{x, y}, Point{x, y}
	m.outline, m.spacing = append(m.outline[:0], m.from), lassoSpacing
}

// Move handles a movement of the cursor to a place in window pixels. Without a press it does
// nothing; a NaN or infinite place is ignored.
func (m *Marquee) Move(x, y float64) MarqueePhase {
	if m.stage != pressed && m.stage != active {
		return MarqueeIdle
	}
	if !isFinite(x) || !isFinite(y) {
		x, y = m.to.X, m.to.Y
	}
	m.to = Point{x, y}
	if m.lasso && m.to.distance(m.outline[len(m.outline)-1]) >= m.spacing {
		m.outline = append(m.outline, m.to)
		m.thin()
	}
	if m.stage == active {
		return MarqueeDragged
	}
	limit := m.Threshold
	if limit == 0 {
		limit = DefaultClickDistance
	}
	if !(m.to.distance(m.from) > limit) {
		return MarqueeIdle
	}
	m.stage = active
	return MarqueeBegan
}

// thin drops every second point of an outline with too many.
func (m *Marquee) thin() {
	if len(m.outline) <= maxLasso {
		return
	}
	n := 0
	for i := 0; i < len(m.outline); i += 2 {
		m.outline[n] = m.outline[i]
		n++
	}
	m.outline, m.spacing = m.outline[:n], 2*m.spacing
}

// End handles the release. [Marquee.Region] and [Marquee.Outline] are valid until the next press or
// update.
func (m *Marquee) End() MarqueePhase {
	if m.stage == active {
		m.stage = ended
		return MarqueeEnded
	}
	m.stage = idle
	return MarqueeIdle
}

// Cancel ends the marquee without a selection, for example by the escape key. The button has to go
// up before the next marquee can begin.
func (m *Marquee) Cancel() MarqueePhase {
	was := m.stage
	m.stage = idle
	if was == active {
		return MarqueeCanceled
	}
	return MarqueeIdle
}

// Active reports whether there is a marquee to draw. It is false after the end of a marquee.
func (m *Marquee) Active() bool { return m.stage == active }

// Rectangle returns the upper left and the lower right corner of the marquee's rectangle in window
// pixels; all are 0 if there is no marquee.
func (m *Marquee) Rectangle() (x0, y0, x1, y1 float64) {
	if m.stage < active {
		return 0, 0, 0, 0
	}
	return min(m.from.X, m.to.X), min(m.from.Y, m.to.Y), max(m.from.X, m.to.X), max(m.from.Y, m.to.Y)
}

// Outline appends the corners of the rectangle or the lasso, to be drawn as a closed line, to dst
// and returns the extended slice. Without a marquee it appends nothing.
func (m *Marquee) Outline(dst []Point) []Point {
	switch {
	case m.stage < active:
		return dst
	case m.lasso:
		return append(append(dst, m.outline...), m.to)
	}
	return append(dst, m.from, Point{m.to.X, m.from.Y}, m.to, Point{m.from.X, m.to.Y})
}

// Region sets r to the marquee in a view; without a marquee r becomes empty.
func (m *Marquee) Region(r *Region, v View) {
	switch {
	case m.stage < active:
		r.Clear()
	case m.lasso:
		m.outline = append(m.outline, m.to)
		r.SetLasso(v, m.outline)
		m.outline = m.outline[:len(m.outline)-1]
	default:
		r.SetRectangle(v, m.from.X, m.from.Y, m.to.X, m.to.Y)
	}
}

func (p Point) distance(q Point) float64 {
	x, y := p.X-q.X, p.Y-q.Y
	return math.Sqrt(float64(x*x) + float64(y*y))
}

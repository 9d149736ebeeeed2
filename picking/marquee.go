package picking

import "math"

// MarqueePhase says what an update has made of a [Marquee].
type MarqueePhase uint8

const (
	// MarqueeIdle: there is none, also while a button is down that has not been moved far enough
	// yet.
	MarqueeIdle MarqueePhase = iota
	// MarqueeBegan: there is one from now on.
	MarqueeBegan
	// MarqueeDragged: it is being dragged, or held.
	MarqueeDragged
	// MarqueeEnded: the button went up. What it encloses is to be selected now. It may come without
	// a Begun, of a quick hand.
	MarqueeEnded
	// MarqueeCanceled: it is gone, and nothing is to be selected.
	MarqueeCanceled
)

// String returns the name of the constant without its prefix.
func (p MarqueePhase) String() string {
	switch p {
	case MarqueeIdle:
		return "Idle"
	case MarqueeBegan:
		return "Begun"
	case MarqueeDragged:
		return "Dragged"
	case MarqueeEnded:
		return "Ended"
	case MarqueeCanceled:
		return "Cancelled"
	}
	return "unknown"
}

// Marquee is what a button that is held down draws: a rectangle between where it went down and
// where the cursor is, or a lasso along the cursor's way. It says no more than where it is; a
// [Region] says what is in it.
//
// A press becomes a marquee when the cursor strays further than a click may, so that with the same
// distance each press is a click or a marquee and never both. Call [Marquee.Update] once a frame;
// or, for input of another kind, Begin, Move, End and Cancel. The zero Marquee is ready: a
// rectangle by the left button. All places are in the units of the window.
type Marquee struct {
	Button Button
	Lasso  bool // draw a lasso; asked when the button goes down
	// Threshold is how far the cursor has to be from where the button went down, once, for that to
	// be a marquee. 0 means [DefaultClickDistance], a negative number that each press is one.
	Threshold float64

	stage   stage
	held    bool // the button was down at the last update
	lasso   bool
	from    Point
	to      Point
	outline []Point // of a lasso, without where the cursor is now
	spacing float64 // of its points
}

type stage uint8

const (
	idle    stage = iota
	pressed       // and not moved far enough yet
	active
	ended
)

// A lasso has a point each so many units of the window; when there are too many, each second one
// goes, and from then on they are twice as far apart.
const (
	lassoSpacing = 2
	maxLasso     = 512
)

// Update tells the marquee the state of a frame. A press counts if it is made while in.Inside is
// set; after that the cursor may be anywhere. While the window is not focused, and if the pointer
// is cancelled, so is a marquee.
func (m *Marquee) Update(in Input) MarqueePhase {
	down := in.Down.Has(m.Button)
	fresh := in.Pressed.Has(m.Button) || down && !m.held // it went down since the last update
	m.held = down
	if m.stage == ended {
		m.stage = idle
	}
	if in.Unfocused || in.Canceled {
		return m.Cancel()
	}
	if fresh && m.stage != idle && m.End() == MarqueeEnded {
		return MarqueeEnded // it was up for less than a frame; the press after that is lost rather than the marquee
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

// Begin takes a press.
func (m *Marquee) Begin(x, y float64) {
	m.stage, m.lasso = pressed, m.Lasso
	m.from, m.to = Point{x, y}, Point{x, y}
	m.outline, m.spacing = append(m.outline[:0], m.from), lassoSpacing
}

// Move takes a place of the cursor. Without a press it does nothing.
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

// thin drops each second point of an outline with too many.
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

// End takes the release. What the marquee encloses can be asked for until the next press or update.
func (m *Marquee) End() MarqueePhase {
	if m.stage == active {
		m.stage = ended
		return MarqueeEnded
	}
	m.stage = idle
	return MarqueeIdle
}

// Cancel gives the marquee up, as by the escape key. The button has to go up before the next one
// can begin.
func (m *Marquee) Cancel() MarqueePhase {
	was := m.stage
	m.stage = idle
	if was == active {
		return MarqueeCanceled
	}
	return MarqueeIdle
}

// Active reports whether there is a marquee to be seen. It is not active any more once it has
// ended.
func (m *Marquee) Active() bool { return m.stage == active }

// Rectangle returns the upper left and the lower right corner of the rectangle, all 0 if there is
// none.
func (m *Marquee) Rectangle() (x0, y0, x1, y1 float64) {
	if m.stage < active {
		return 0, 0, 0, 0
	}
	return min(m.from.X, m.to.X), min(m.from.Y, m.to.Y), max(m.from.X, m.to.X), max(m.from.Y, m.to.Y)
}

// Outline appends the corners of the rectangle or the lasso to dst, to be drawn as a closed line,
// and returns the longer slice.
func (m *Marquee) Outline(dst []Point) []Point {
	switch {
	case m.stage < active:
		return dst
	case m.lasso:
		return append(append(dst, m.outline...), m.to)
	}
	return append(dst, m.from, Point{m.to.X, m.from.Y}, m.to, Point{m.from.X, m.to.Y})
}

// Region makes r what the marquee encloses in a view; empty if there is none.
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

package main

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

// lesson is everything except the window: the pages, and the effects of pointer and keys. It uses
// pixels and no OpenGL, so that tests drag and click without a display.
type lesson struct {
	layout layout
	pages  [numPages]page
	at     int // the page that is shown

	hot   string // name of the handle, tab or button under the pointer or held by it; empty: none
	held  *grip
	press struct{ x, y float64 } // where the button went down in the diagram of a spatial page
	grab  grabKind
	x, y  float64 // of the pointer in the last frame
	plot  span    // that the plot of the page shows
	down  bool
	turn  bool
}

const numPages = 6

// page is one lesson of the window.
type page interface {
	name() string // on its tab
	reset()
	explain() report
	draw(c *canvas)
	hint() string      // what one can do
	buttons() []button // in a corner of the diagram
}

// flatPage is a page in the plane z = 0, with draggable handles.
type flatPage interface {
	page
	handles() []handle
}

// spatialPage is a page with a shape to orbit, and a ray cast by a click.
type spatialPage interface {
	page
	orbit() *picking.Orbit
	cast(r geom.Ray)
	markers() []marker
}

// handle is a point of a flat page that can be dragged.
type handle struct {
	name string
	at   geom.Vec3
	move func(to geom.Vec3)
}

// grip is a handle being dragged, with the pointer's offset from its centre.
type grip struct {
	name   string
	dx, dy float64 // from the pointer to the handle, in pixels
}

// button is a word in the corner of the diagram with an action, which a key triggers too.
type button struct {
	label string
	key   rune
	on    bool
	do    func()
}

// marker is a marker, a small sphere, in the world of a spatial page.
type marker struct {
	at    geom.Vec3
	color uint32
}

type grabKind uint8

const (
	grabNone   grabKind = iota
	grabHandle          // a handle of a flat page
	grabWorld           // a spatial page: it turns, or is clicked
	grabButton          // a tab or a button, which acts when it is let go
)

// input is the pointer's state in one frame.
type input struct {
	x, y    float64 // window pixels, Y downward
	down    bool    // the left button
	pressed bool    // it went down in this frame, even if it has come up since
	turn    bool    // another button is down, which turns and never casts
	scroll  float64 // notches, positive away from the user
	free    bool    // no snapping to the grid
	// Another window has the keyboard: what was held has been let go without meaning to.
	lost bool
}

const (
	handleReach  = 16    // pixels from a handle in which it is caught
	clickReach   = 4     // pixels that the pointer may move in a click
	snap         = 0.25  // metres
	turnPerPixel = 0.006 // radians
	zoomPerNotch = 0.88
)

func newLesson(size picking.Size) *lesson {
	l := &lesson{pages: [numPages]page{&rectPage{}, &boxPage{}, &planePage{}, &spherePage{}, &trianglePage{}, &fieldPage{}}}
	for _, p := range l.pages {
		p.reset()
	}
	l.resize(size)
	return l
}

func (l *lesson) resize(size picking.Size) { l.layout = layoutOf(size) }

func (l *lesson) page() page { return l.pages[l.at] }

// show switches to a page.
func (l *lesson) show(i int) { l.at, l.held, l.grab, l.hot, l.plot = i, nil, grabNone, "", span{} }

// key runs the action of a key, given as its upper-case character.
func (l *lesson) key(k rune) {
	switch {
	case k >= '1' && k < '1'+numPages:
		l.show(int(k - '1'))
	case k == 'R':
		l.page().reset()
	default:
		for _, b := range l.page().buttons() {
			if b.key == k {
				b.do()
			}
		}
	}
}

// view returns the camera and viewport of a spatial page, and false on others.
func (l *lesson) view(framebuffer picking.Size) (v picking.View, ok bool) {
	v.Viewport = l.layout.viewport(framebuffer)
	p, ok := l.page().(spatialPage)
	if ok {
		v.Camera = p.orbit().Camera()
	}
	return v, ok
}

// point handles the pointer's state of a frame; framebuffer is the size of the visible picture.
func (l *lesson) point(in input, framebuffer picking.Size) {
	if in.pressed && l.grab == grabNone {
		l.take(in)
	}
	dx, dy := in.x-l.x, in.y-l.y
	l.x, l.y = in.x, in.y
	spatial, _ := l.page().(spatialPage)
	switch l.grab {
	case grabHandle:
		l.drag(in)
	case grabWorld:
		if l.down && l.moved(in) {
			spatial.orbit().Turn(-dx*turnPerPixel, dy*turnPerPixel)
		}
	}
	if in.turn && l.turn && spatial != nil {
		spatial.orbit().Turn(-dx*turnPerPixel, dy*turnPerPixel)
	}
	l.down, l.turn = in.down, in.turn && (l.turn || l.layout.diagram.Contains(in.x, in.y))
	if in.scroll != 0 && spatial != nil && l.layout.diagram.Contains(in.x, in.y) {
		spatial.orbit().Zoom(math.Pow(zoomPerNotch, in.scroll))
	}
	if in.lost {
		l.grab, l.held = grabNone, nil
	}
	if !in.down && l.grab != grabNone {
		l.let(in, framebuffer)
	}
	if l.grab == grabNone {
		l.hot = l.under(in.x, in.y)
	}
}

// take handles the start of a press.
func (l *lesson) take(in input) {
	l.hot = l.under(in.x, in.y)
	l.press.x, l.press.y, l.down = in.x, in.y, false
	if h, ok := l.handle(l.hot); ok {
		x, y := l.layout.flat().at(h.at)
		l.grab, l.held = grabHandle, &grip{h.name, float64(x) - in.x, float64(y) - in.y}
		return
	}
	_, spatial := l.page().(spatialPage)
	switch {
	case l.hot != "":
		l.grab = grabButton
	case spatial && l.layout.diagram.Contains(in.x, in.y):
		l.grab = grabWorld
		l.hot = ""
	}
}

// moved reports whether the pointer has moved too far since the press for a click, and remembers
// it.
func (l *lesson) moved(in input) bool {
	if math.Hypot(in.x-l.press.x, in.y-l.press.y) > clickReach {
		l.press.x, l.press.y = math.Inf(1), 0
	}
	return math.IsInf(l.press.x, 1)
}

// drag moves the held handle to the pointer, within the rectangle that is visible at any window
// size.
func (l *lesson) drag(in input) {
	h, ok := l.handle(l.held.name)
	if !ok {
		return
	}
	to := l.layout.flat().point(in.x+l.held.dx, in.y+l.held.dy)
	if !in.free {
		to.X, to.Y = snapped(to.X), snapped(to.Y)
	}
	h.move(to.Max(always.Min).Min(always.Max))
}

func snapped(x float32) float32 { return float32(math.Round(float64(x)/snap) * snap) }

// let handles the end of a press.
func (l *lesson) let(in input, framebuffer picking.Size) {
	grab := l.grab
	l.grab, l.held = grabNone, nil
	switch grab {
	case grabWorld:
		if v, _ := l.view(framebuffer); !l.moved(in) {
			if ray, ok := v.Ray(in.x, in.y); ok {
				l.page().(spatialPage).cast(ray)
			}
		}
	case grabButton:
		if name := l.under(in.x, in.y); name == l.hot {
			l.do(name)
		}
	}
}

// do runs the action of a tab or a button.
func (l *lesson) do(name string) {
	for i, p := range l.pages {
		if tabName(p) == name {
			l.show(i)
			return
		}
	}
	if name == resetName {
		l.page().reset()
	}
	for _, b := range l.page().buttons() {
		if buttonName(b) == name {
			b.do()
		}
	}
}

const resetName = "button:Reset"

func tabName(p page) string      { return "tab:" + p.name() }
func buttonName(b button) string { return "button:" + b.label }

// under returns the name of the control at a window pixel; empty if there is none.
func (l *lesson) under(x, y float64) string {
	for i, p := range l.pages {
		if l.layout.tabs[i].Contains(x, y) {
			return tabName(p)
		}
	}
	if l.layout.reset.Contains(x, y) {
		return resetName
	}
	if name := l.near(x, y); name != "" {
		return name
	}
	buttons := l.page().buttons()
	for i, r := range l.layout.buttons(buttons) {
		if r.Contains(x, y) {
			return buttonName(buttons[i])
		}
	}
	return ""
}

// near returns the name of the handle nearest to a window pixel, if one is within reach.
func (l *lesson) near(x, y float64) (name string) {
	flat, ok := l.page().(flatPage)
	if !ok || !l.layout.diagram.Inset(-handleReach).Contains(x, y) {
		return ""
	}
	best := float64(handleReach)
	for _, h := range flat.handles() {
		hx, hy := l.layout.flat().at(h.at)
		if d := math.Hypot(float64(hx)-x, float64(hy)-y); d < best {
			best, name = d, h.name
		}
	}
	return name
}

// handle returns a handle of the page by its name.
func (l *lesson) handle(name string) (handle, bool) {
	if flat, ok := l.page().(flatPage); ok && name != "" {
		for _, h := range flat.handles() {
			if h.name == name {
				return h, true
			}
		}
	}
	return handle{}, false
}

package picking

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Part returns the viewport of a part of v, with the same window and framebuffer. x0, y0, x1 and y1
// are fractions of v, 0 to 1, from its lower left corner. Each edge is rounded to a whole
// framebuffer pixel independently, so parts that share an edge neither overlap nor leave a gap.
func (v Viewport) Part(x0, y0, x1, y1 float64) Viewport {
	at := func(from, size int, fraction float64) int {
		return from + int(math.Floor(float64(fraction*float64(size))+0.5))
	}
	p := v
	p.X, p.Y = at(v.X, v.Width, x0), at(v.Y, v.Height, y0)
	p.Width, p.Height = at(v.X, v.Width, x1)-p.X, at(v.Y, v.Height, y1)-p.Y
	return p
}

// Scaled returns the viewport in a framebuffer of scale times the width and height, rounded, for
// images rendered at a lower (below 1) or higher (above 1) resolution than shown. The window is the
// same, so the cursor maps to the pixels of the scaled framebuffer. A side that is not empty keeps
// at least one pixel. Panics if scale is not positive and finite.
func (v Viewport) Scaled(scale float64) Viewport {
	if !(scale > 0) || math.IsInf(scale, 1) {
		panic("picking: Viewport.Scaled: scale is not positive and finite")
	}
	to := func(n int) int { return int(math.Floor(float64(float64(n)*scale) + 0.5)) }
	side := func(from, size int) int {
		if size <= 0 {
			return 0
		}
		return max(to(from+size)-to(from), 1)
	}
	s := v
	s.Framebuffer = Size{side(0, v.Framebuffer.Width), side(0, v.Framebuffer.Height)}
	s.X, s.Y, s.Width, s.Height = to(v.X), to(v.Y), side(v.X, v.Width), side(v.Y, v.Height)
	return s
}

// RayBeyond returns the ray of [View.Ray] for any cursor, also beside the viewport or outside the
// window, for drags that began in the view. cx and cy are window pixels. ok is false and the ray
// zero if there is none, as in [View.Ray].
func (v View) RayBeyond(cx, cy float64) (r geom.Ray, ok bool) {
	if px, py, ok := v.Pixel(cx, cy); ok {
		r = v.PixelRay(px, py)
		return r, r != geom.Ray{}
	}
	if v.IsEmpty() {
		return r, false
	}
	x, y := v.toFramebuffer(cx, cy)
	// Rounds as Pixel does, which counts rows from above.
	r = v.RayAt(math.Floor(x)+0.5, math.Ceil(y)-0.5)
	// Rounds as Pixel does, which counts rows from above.
	return r, r != geom.Ray{}
}

// Views is a list of views of one window, such as the halves of a split screen, a map, or a picture
// in picture, in the order in which they are drawn: each lies over those before it. Their
// framebuffers may differ.
//
// A view holds the pointer from the press of a button until all buttons are up, wherever the cursor
// goes: a drag ends in the view in which it began. The zero Views is empty. A Views is for one
// goroutine at a time.
type Views struct {
	// List may be changed at any time. The view that holds the pointer is identified by its index.
	List []View

	current int  // index in List, +1; 0: none
	held    bool // a button is down
}

// At returns the index in List of the topmost view under the cursor, in window pixels. ok is false
// if there is none.
func (v *Views) At(cx, cy float64) (i int, ok bool) {
	for i := len(v.List) - 1; i >= 0; i-- {
		if _, _, ok := v.List[i].Pixel(cx, cy); ok {
			return i, true
		}
	}
	return 0, false
}

// Ray returns the ray through the view under the cursor, in window pixels, and the index of that
// view. ok is false if no view is under the cursor, or the view has no ray there: see [View.Ray].
func (v *Views) Ray(cx, cy float64) (r geom.Ray, i int, ok bool) {
	if i, ok = v.At(cx, cy); !ok {
		return geom.Ray{}, 0, false
	}
	r, ok = v.List[i].Ray(cx, cy)
	return r, i, ok
}

// Update takes the input of a frame and returns the index of the view that the pointer belongs to:
// the view that holds it, or else the one under the cursor. In the frame in which the last button
// goes up it is still the view that held it. ok is false if there is none: the cursor is outside
// all views, or was outside when a button that is still down was pressed.
func (v *Views) Update(in Input) (i int, ok bool) {
	if !v.held {
		v.current = 0
		if i, ok := v.At(in.X, in.Y); ok && in.Inside {
			v.current = i + 1
		}
	}
	v.held = in.Down != 0 && !in.Unfocused
	return v.Current()
}

// Current returns the result of the last Update. ok is false if List has become shorter than that
// index.
func (v *Views) Current() (i int, ok bool) {
	if v.current == 0 || v.current > len(v.List) {
		return 0, false
	}
	return v.current - 1, true
}

// Captured reports whether a button is down that was pressed in the current view. The cursor may be
// anywhere then; use [View.RayBeyond] for the ray of the drag.
func (v *Views) Captured() bool { return v.held && v.current != 0 }

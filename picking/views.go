package picking

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Part returns the viewport that fills a part of this one, with the same window and framebuffer:
// the fractions count from the lower left corner, 0 to 1. Its edges are rounded to whole pixels
// each by itself, so that parts which share an edge leave no gap and do not overlap, whatever the
// size.
func (v Viewport) Part(x0, y0, x1, y1 float64) Viewport {
	at := func(from, size int, fraction float64) int {
		return from + int(math.Floor(float64(fraction*float64(size))+0.5))
	}
	p := v
	p.X, p.Y = at(v.X, v.Width, x0), at(v.Y, v.Height, y0)
	p.Width, p.Height = at(v.X, v.Width, x1)-p.X, at(v.Y, v.Height, y1)-p.Y
	return p
}

// Scaled returns the viewport in a framebuffer that has scale times the width and height, rounded,
// for pictures that are rendered coarser (below 1) or finer (above 1) than they are shown. The
// cursor finds the pixels of that framebuffer then. No side gets less than a pixel, unless it had
// none. Panics if scale is not positive and finite.
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

// RayBeyond returns the ray of [View.Ray] wherever the cursor is, also beside the viewport or
// outside of the window, as a drag needs it that has begun in the view. ok is false, and the ray
// zero, if there is none.
func (v View) RayBeyond(cx, cy float64) (r geom.Ray, ok bool) {
	if px, py, ok := v.Pixel(cx, cy); ok {
		r = v.PixelRay(px, py)
		return r, r != geom.Ray{}
	}
	if v.IsEmpty() {
		return r, false
	}
	x, y := v.toFramebuffer(cx, cy)
	r = v.RayAt(math.Floor(x)+0.5, math.Ceil(y)-0.5) // as Pixel, which counts rows from above
	return r, r != geom.Ray{}
}

// Views are several views of one window, such as the halves of a split screen, a map, a picture in
// the picture: in the order in which they are drawn, so that each lies over those before it. They
// may be of several framebuffers.
//
// A view keeps the pointer from the press of a button until all are up, wherever the cursor goes
// meanwhile: a drag ends in the view in which it began. The zero Views has none. A Views is for one
// goroutine at a time.
type Views struct {
	// List is the views. It may be changed at any time; a view that holds the pointer is known by
	// its place in the list.
	List []View

	current int  // in the list, +1; 0: none
	held    bool // a button is down
}

// At returns which view is under the cursor, the topmost of several, by its place in the list. ok
// is false if there is none.
func (v *Views) At(cx, cy float64) (i int, ok bool) {
	for i := len(v.List) - 1; i >= 0; i-- {
		if _, _, ok := v.List[i].Pixel(cx, cy); ok {
			return i, true
		}
	}
	return 0, false
}

// Ray returns the ray through the view that is under the cursor, and which that is. ok is false if
// there is none, or it shows nothing.
func (v *Views) Ray(cx, cy float64) (r geom.Ray, i int, ok bool) {
	if i, ok = v.At(cx, cy); !ok {
		return geom.Ray{}, 0, false
	}
	r, ok = v.List[i].Ray(cx, cy)
	return r, i, ok
}

// Update tells the state of a frame and returns which view the pointer is about: the one that holds
// it, or else the one under the cursor. The frame in which the last button goes up still belongs to
// the one that held it. ok is false if there is none: the cursor is outside of all of them, or was
// when a button went down that is down still.
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

// Current returns what the last update did. ok is false also if the list no longer has that view.
func (v *Views) Current() (i int, ok bool) {
	if v.current == 0 || v.current > len(v.List) {
		return 0, false
	}
	return v.current - 1, true
}

// Captured reports whether a button is down that was pressed in the current view. The cursor may be
// anywhere then, and [View.RayBeyond] is the ray of the drag.
func (v *Views) Captured() bool { return v.held && v.current != 0 }

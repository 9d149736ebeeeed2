package main

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render"
)

var window = picking.Size{Width: 1280, Height: 720}

// simulatedPointer is a simulated pointer on a lesson without a window.
type simulatedPointer struct {
	*lesson
	free bool
}

func newSimulatedPointer(page int) *simulatedPointer {
	h := &simulatedPointer{lesson: newLesson(window)}
	h.show(page)
	return h
}

func (h *simulatedPointer) move(x, y float64, down bool) {
	h.point(input{x: x, y: y, down: down, pressed: down && !h.down && h.grab == grabNone, free: h.free}, window)
}

// dragTo drags a handle to a point of the plane, in a few steps.
func (h *simulatedPointer) dragTo(t require.TestingT, name string, to geom.Vec3) {
	grip, ok := h.handle(name)
	require.True(t, ok, name)
	x0, y0 := h.layout.flat().at(grip.at)
	x1, y1 := h.layout.flat().at(to)
	h.move(float64(x0), float64(y0), false)
	h.move(float64(x0), float64(y0), true)
	for i := 1; i <= 4; i++ {
		k := float32(i) / 4
		h.move(float64(x0+k*(x1-x0)), float64(y0+k*(y1-y0)), true)
	}
	h.move(float64(x1), float64(y1), false)
}

func (h *simulatedPointer) click(r render.Rect) {
	x, y := float64(r.X+r.Width/2), float64(r.Y+r.Height/2)
	h.move(x, y, false)
	h.move(x, y, true)
	h.move(x, y, false)
}

func (h *simulatedPointer) rect() *rectPage { return h.page().(*rectPage) }

// Each state of the flat pages, its verdict and the reason for it.
func TestVerdicts(t *testing.T) {
	type drag struct {
		name string
		x, y float32
	}
	for name, c := range map[string]struct {
		page  int
		drags []drag
		keys  string
		hit   bool
		why   string
		cells []string // of the table, in order
	}{
		"as it begins": {0, nil, "", true, "tNear 0.412 ≤ tFar 0.737", []string{"0.412", "0.882", "0.211", "0.737", "0.412", "0.737"}},
		"above it": {0, []drag{{"B", 3.5, 2}}, "", false, "y enters at 4.000, after x has left at 0.882", []string{"0.412", "0.882",
			"4.000", "14.000", "4.000", "0.882"}},
		"past the corner":         {0, []drag{{"A", -5, -0.75}}, "", false, "x enters at 0.412, after y has left at 0.286", nil},
		"too short":               {0, []drag{{"B", -2.5, 0.75}}, "", false, "The box is beyond MaxT: tNear 1.400 > 1", nil},
		"too short, but no MaxT":  {0, []drag{{"B", -2.5, 0.75}}, "M", true, "tNear 1.400 ≤ tFar", nil},
		"behind":                  {0, []drag{{"B", -5.75, 2.75}}, "", false, "The box is behind the ray: tFar −", nil},
		"starts inside":           {0, []drag{{"A", 0, 0}}, "", true, "The ray starts inside: tNear −0.429 < 0 ≤ tFar 0.500", nil},
		"parallel, in the slab":   {0, []drag{{"A", -5, 1}, {"B", 3.5, 1}}, "", true, "tNear 0.412 ≤ tFar 0.882", []string{"0.412", "0.882", "−∞", "+∞", "0.412", "0.882"}},
		"parallel, in the face":   {0, []drag{{"A", -5, 1.25}, {"B", 3.5, 1.25}}, "", true, "tNear 0.412 ≤ tFar 0.882", []string{"0.412", "0.882", "−∞", "+∞", "0.412", "0.882"}},
		"parallel, beside it":     {0, []drag{{"A", -5, 1.5}, {"B", 3.5, 1.5}}, "", false, "parallel to the y slab and not in it", []string{"0.412", "0.882", "+∞", "−∞", "+∞", "−∞"}},
		"through a corner":        {0, []drag{{"A", -2.5, 0.25}, {"B", -0.5, 2.25}}, "", true, "tNear = tFar = 0.500: the ray touches", nil},
		"one point":               {0, []drag{{"A", 0, 2}, {"B", 0, 2}}, "", false, "one point", nil},
		"a corner past another":   {0, []drag{{"corner 1", 4, 2}}, "", false, "x enters at 0.882, after y has left at 0.211", nil},
		"plane":                   {2, nil, "", true, "The height is zero at T 0.760", nil},
		"plane from behind":       {2, []drag{{"N", -2.25, -2.75}}, "", true, "The height is zero at T 0.760", []string{"−3.781", "4.973", "0.760"}},
		"plane out of reach":      {2, []drag{{"B", -1, 1}}, "", false, "The plane is beyond MaxT: T", nil},
		"plane behind":            {2, []drag{{"B", -5, 2.75}}, "", false, "The plane is behind the ray: T −", nil},
		"parallel to the plane":   {2, []drag{{"N", -2.5, 0.25}, {"A", -5, 1}, {"B", 1, 1}}, "", false, "its height is 2.250 all along", []string{"2.250", "0.000", "+∞"}},
		"in the plane":            {2, []drag{{"N", -2.5, 0.25}, {"A", -5, -1.25}, {"B", 1, -1.25}}, "", true, "The ray lies in the plane", []string{"0.000", "0.000", "0.000"}},
		"no normal":               {2, []drag{{"N", -2.5, -1.25}}, "", false, "N is on P", nil},
		"a moved plane":           {2, []drag{{"P", -2.5, -2.75}}, "", false, "The plane is beyond MaxT", nil},
		"sphere":                  {3, nil, "", true, "The discriminant 249.180 is positive", []string{"0.431", "0.818"}},
		"past the sphere":         {3, []drag{{"B", 4, 2.75}}, "", false, "is negative: the line passes the centre at", []string{"none", "none"}},
		"tangent to the sphere":   {3, []drag{{"C", 0, 0}, {"R", 0, 1.75}, {"B", 4, 1.75}}, "", true, "The discriminant is zero", nil},
		"from within the sphere":  {3, []drag{{"A", 0, 0}}, "", true, "The ray starts inside", nil},
		"sphere behind":           {3, []drag{{"B", -5.75, 2}}, "", false, "The sphere is behind the ray: far −", nil},
		"sphere out of reach":     {3, []drag{{"B", -3, 1.25}}, "", false, "The sphere is beyond MaxT: near", nil},
		"no direction at sphere":  {3, []drag{{"B", -4.75, 1.75}}, "", false, "one point", nil},
		"the sphere goes along":   {3, []drag{{"C", 0.5, 2}}, "", true, "positive", nil},
		"sphere without a radius": {3, []drag{{"R", 0.5, -0.5}}, "", false, "is negative", nil},
		"heights": {5, nil, "", true, "Triangle 21 is met at T 0.519, in the 7th cell", []string{"0.175", "0.225", "0.225", "0.275",
			"0.275", "0.325", "0.325", "0.375", "0.375", "0.425", "0.425", "0.475", "0.475", "0.525"}},
		"through the hole":          {5, []drag{{"H", -0.75, -3}}, "", false, "Cell 10 is a hole, through which it goes at T 0.519. The ray crosses 8 of 24", nil},
		"a hole beyond the hit":     {5, []drag{{"H", -0.25, -3}}, "", true, "Triangle 21 is met at T 0.519", nil},
		"from the other side":       {5, []drag{{"A", 6, 0.25}, {"B", -6, -1.25}}, "", true, "Triangle 41 is met at T 0.136, in the 4th cell", []string{"0.000", "0.042", "0.042", "0.083", "0.083", "0.125", "0.125", "0.167"}},
		"down on a border of cells": {5, []drag{{"A", -1, 2}, {"B", -1, -2}}, "", true, "Triangle 19 is met at T 0.875, in the 1st cell", []string{"−∞", "+∞", "−∞", "+∞"}},
		"a raised height":           {5, []drag{{"height 5", 0, 1.5}}, "", true, "in the 1st cell", nil},
		"above the heights":         {5, []drag{{"B", 4, 2}}, "", false, "meets no box of 4 cells", nil},
		"heights out of reach":      {5, []drag{{"B", -5, 0.25}}, "", false, "meets no box of 4 cells", nil},
		"heights without MaxT":      {5, []drag{{"B", -3, -0.25}}, "M", true, "Triangle", nil},
		"one point of heights":      {5, []drag{{"A", 4.25, -2.5}}, "", false, "one point", nil},
	} {
		t.Run(name, func(t *testing.T) {
			h := newSimulatedPointer(c.page)
			for _, d := range c.drags {
				h.dragTo(t, d.name, geom.V(d.x, d.y, 0))
			}
			for _, k := range c.keys {
				h.key(k)
			}
			r := h.page().explain()
			assert.Equal(t, c.hit, r.hit, r.why)
			assert.Contains(t, r.why, c.why)
			if c.cells != nil {
				var cells []string
				for _, row := range r.rows {
					cells = append(cells, row.cells...)
				}
				assert.Equal(t, c.cells, cells)
			}
		})
	}
}

// The sentence agrees with the cast for any positions of the handles.
func TestReasonsAgreeWithCasts(t *testing.T) {
	misses := []string{"behind", "beyond", "after", "not in it", "one point", "makes no plane", "never", "is negative", "are negative", "meets no"}
	rapid.Check(t, func(t *rapid.T) {
		page := rapid.SampledFrom([]int{0, 2, 3, 5}).Draw(t, "page")
		h := newSimulatedPointer(page)
		scramble(t, h)
		r := h.page().explain()
		says := true
		for _, m := range misses {
			says = says && !strings.Contains(r.why, m)
		}
		require.Equal(t, r.hit, says, r.why)
	})
}

// scramble drags handles at random and presses keys.
func scramble(t *rapid.T, h *simulatedPointer) {
	h.free = rapid.Bool().Draw(t, "free")
	if flat, ok := h.page().(flatPage); ok {
		for range rapid.IntRange(0, 4).Draw(t, "drags") {
			names := []string{}
			for _, g := range flat.handles() {
				names = append(names, g.name)
			}
			grip, _ := h.handle(rapid.SampledFrom(names).Draw(t, "handle"))
			grip.move(geom.V(rapid.Float32Range(-6, 6).Draw(t, "x"), rapid.Float32Range(-3, 3).Draw(t, "y"), 0))
			if !h.free {
				grip, _ = h.handle(grip.name)
				grip.move(geom.V(snapped(grip.at.X), snapped(grip.at.Y), 0))
			}
		}
		if rapid.Bool().Draw(t, "endless") {
			h.key('M')
		}
		return
	}
	f := h.layout.diagram
	for range rapid.IntRange(0, 3).Draw(t, "clicks") {
		x := float64(f.X) + float64(f.Width)*rapid.Float64Range(0, 0.999).Draw(t, "x")
		y := float64(f.Y+60) + float64(f.Height-61)*rapid.Float64Range(0, 1).Draw(t, "y")
		h.click(render.Rect{X: float32(x), Y: float32(y)})
		h.page().(spatialPage).orbit().Turn(rapid.Float64Range(-3, 3).Draw(t, "yaw"), rapid.Float64Range(-1, 1).Draw(t, "pitch"))
	}
	h.key(rapid.SampledFrom([]rune("XYZFR")).Draw(t, "key"))
}

// No parts of a page overlap, in a window of any size above the minimum.
func TestNothingOverlaps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := newSimulatedPointer(rapid.IntRange(0, numPages-1).Draw(t, "page"))
		h.resize(picking.Size{Width: rapid.IntRange(1000, 2000).Draw(t, "width"), Height: rapid.IntRange(700, 1200).Draw(t, "height")})
		scramble(t, h)
		view, _ := h.view(h.layout.window)
		c := canvas{hud: &render.HUD{}, lines: &render.Lines{}, layout: h.layout, flat: h.layout.flat(), view: view}
		c.reserve(h.lesson)
		h.page().draw(&c)
		fixed := len(c.taken)
		places, texts := c.place()
		require.Len(t, texts, len(places))
		inner := c.layout.diagram
		for i, r := range places {
			require.True(t, isFree(r, places[:i]) && isFree(r, c.taken[:fixed]), texts[i].text)
			require.True(t, r.X >= inner.X && r.Y >= inner.Y && r.X+r.Width <= inner.X+inner.Width && r.Y+r.Height <= inner.Y+inner.Height)
		}
		r := h.page().explain()
		end, start := c.table(r, h.page().hint())
		require.LessOrEqual(t, end, start, "the hint begins below the table")
		room := h.layout.table.Width - 2*padding
		column := float32(0)
		for _, f := range r.more {
			w, _ := render.MeasureText(keyInk, f.name)
			column = max(column, w+14)
		}
		for _, f := range r.more {
			w, _ := render.MeasureText(valueInk, f.value)
			require.LessOrEqual(t, column+w, room, f.value)
		}
	})
}

func TestTabsKeysAndReset(t *testing.T) {
	h := newSimulatedPointer(0)
	for i, p := range h.pages {
		h.click(h.layout.tabs[i])
		assert.Equal(t, p, h.page())
		h.key('1')
		assert.Equal(t, h.pages[0], h.page())
		h.key(rune('1' + i))
		assert.Equal(t, p, h.page())
	}
	h.show(0)
	before := *h.rect()
	h.dragTo(t, "A", geom.V(1, 1, 0))
	h.click(h.layout.buttons(h.page().buttons())[0])
	assert.True(t, h.rect().endless)
	h.click(h.layout.reset)
	assert.Equal(t, before, *h.rect())
	h.key('M')
	h.key('R')
	assert.Equal(t, before, *h.rect())
	// A press that is released elsewhere does nothing.
	tab := h.layout.tabs[3]
	h.move(float64(tab.X+5), float64(tab.Y+5), false)
	h.move(float64(tab.X+5), float64(tab.Y+5), true)
	h.move(500, 300, true)
	h.move(500, 300, false)
	assert.Equal(t, 0, h.at)
	h.key('9')
	assert.Equal(t, 0, h.at)
}

func TestHandles(t *testing.T) {
	h := newSimulatedPointer(0)
	x, y := h.layout.flat().at(h.rect().a)
	at := func(dx, dy float64) string {
		h.move(float64(x)+dx, float64(y)+dy, false)
		return h.hot
	}
	assert.Equal(t, "A", at(0, 0))
	assert.Equal(t, "A", at(10, -10))
	assert.Empty(t, at(12, 12), "16 pixels are reach enough")

	// Grabbed beside its centre, it does not jump.
	h.free = true
	h.move(float64(x)+6, float64(y), false)
	h.move(float64(x)+6, float64(y), true)
	assert.Equal(t, "A", h.hot)
	assert.InDelta(t, 0, float64(h.rect().a.Distance(geom.V(-5, 2.25, 0))), 1e-5)
	h.move(float64(x)+46, float64(y), true)
	scale := h.layout.flat().scale
	assert.InDelta(t, -5+40/float64(scale), float64(h.rect().a.X), 1e-4)
	h.free = false
	h.move(float64(x)+46, float64(y)+1, true)
	assert.Equal(t, float32(-4.5), h.rect().a.X, "to the grid")

	// No further than the visible rectangle, and over other handles too.
	h.move(5000, -5000, true)
	assert.Equal(t, always.Max, h.rect().a)
	for _, size := range []picking.Size{window, {Width: 860, Height: 620}, {Width: 2000, Height: 640}, {Width: 900, Height: 2000}} {
		seen := layoutOf(size).flat().seen().Grow(1e-5)
		assert.Equal(t, seen.Union(always), seen, "it can be reached again in a window of %v", size)
	}
	h.move(5000, -5000, false)
	assert.Empty(t, h.hot)
	assert.Equal(t, geom.V(3.5, -2.5, 0), h.rect().b, "the other end stays")
	h.move(5000, -5000, true)
	h.move(400, 200, true)
	assert.Equal(t, always.Max, h.rect().a, "a press on nothing holds nothing")

	for _, size := range []picking.Size{window, {Width: 860, Height: 620}, {Width: 1920, Height: 1080}} {
		h.resize(size)
		for _, at := range []geom.Vec3{always.Max, always.Min, geom.V(6, 2.75, 0), geom.V(6, -3, 0), geom.V(-6, 3, 0)} {
			h.rect().a = at
			x, y := h.layout.flat().at(at)
			h.move(float64(x), float64(y), false)
			assert.Equal(t, "A", h.hot, "at %v in a window of %v, on a button too", at, size)
		}
	}

	h = newSimulatedPointer(2)
	p := h.page().(*planePage)
	normal := p.plane().Normal
	h.dragTo(t, "P", geom.V(1, 1, 0))
	assert.Equal(t, normal, p.plane().Normal, "the normal goes along")
	h = newSimulatedPointer(3)
	s := h.page().(*spherePage)
	radius := s.sphere().Radius
	h.dragTo(t, "C", geom.V(-1, 1, 0))
	assert.Equal(t, geom.Sphere{Center: geom.V(-1, 1, 0), Radius: radius}, s.sphere())
}

func TestClickCastsAndDragOrbits(t *testing.T) {
	for _, page := range []int{1, 4} {
		h := newSimulatedPointer(page)
		p := h.page().(spatialPage)
		ray := func() geom.Ray {
			if b, ok := p.(*boxPage); ok {
				return b.ray
			}
			return p.(*trianglePage).ray
		}
		first, camera := ray(), *p.orbit()
		h.move(400, 300, false)
		h.move(400, 300, true)
		h.move(402, 301, true)
		assert.Equal(t, camera, *p.orbit(), "a hand is never quite still")
		h.move(402, 301, false)
		view, ok := h.view(window)
		require.True(t, ok)
		want, ok := view.Ray(402, 301)
		require.True(t, ok)
		assert.Equal(t, want, ray())
		assert.NotEqual(t, first, ray())

		h.move(400, 300, true)
		h.move(500, 320, true)
		h.move(400, 300, true)
		h.move(400, 300, false)
		assert.Equal(t, want, ray(), "a drag is no click, though it ends where it began")
		h.move(400, 300, true)
		h.move(500, 320, true)
		h.move(500, 320, false)
		assert.Equal(t, want, ray())
		assert.InDelta(t, math.Remainder(camera.Yaw-100*turnPerPixel, 2*math.Pi), p.orbit().Yaw, 1e-9)

		before := p.orbit().Distance
		h.point(input{x: 500, y: 320, scroll: 1}, window)
		assert.Less(t, p.orbit().Distance, before)
		yaw := p.orbit().Yaw
		h.point(input{x: 500, y: 320, turn: true}, window)
		h.point(input{x: 520, y: 320, turn: true}, window)
		h.point(input{x: 520, y: 320}, window)
		assert.NotEqual(t, yaw, p.orbit().Yaw)
		assert.Equal(t, want, ray(), "the other buttons cast nothing")

		h.move(400, 300, true)
		h.point(input{x: 400, y: 300, lost: true}, window)
		assert.Equal(t, want, ray(), "the window lost the keyboard, and the button with it")

		// Outside of the diagram nothing is cast or orbited.
		h.move(1100, 400, false)
		h.move(1100, 400, true)
		h.move(1100, 400, false)
		assert.Equal(t, want, ray())
	}
}

func TestRayAlongAxes(t *testing.T) {
	h := newSimulatedPointer(1)
	b := h.page().(*boxPage)
	for i, k := range "XYZ" {
		through := lessonBox.Slabs(b.ray).EnterPoint
		h.key(k)
		assert.InDelta(t, 0, float64(geom.Sphere{Center: through}.Roots(b.ray).Distance), 1e-5, "through where it went in")
		r := h.page().explain()
		require.True(t, r.hit, r.why)
		for j := range 3 {
			if j == i {
				assert.NotContains(t, r.rows[j].cells[0], "∞")
			} else {
				assert.Equal(t, []string{"−∞", "+∞"}, r.rows[j].cells)
				assert.Contains(t, r.rows[j].label, "parallel")
			}
		}
		dir := b.ray.Dir
		h.key(k)
		assert.Equal(t, dir.Neg(), b.ray.Dir, "the other way")
	}
	b.cast(geom.NewRay(geom.V(-5, 3, 0), geom.V(1, 0, 0)))
	r := h.page().explain()
	assert.False(t, r.hit)
	assert.Contains(t, r.why, "parallel to the y slab")
	b.cast(geom.NewRay(geom.V(-5, 3, 0), geom.V(1, -0.2, 0.3)))
	assert.Contains(t, h.page().explain().why, "y enters at 10.500, after z has left at 3.667")
}

func TestTriangleReasons(t *testing.T) {
	h := newSimulatedPointer(4)
	p := h.page().(*trianglePage)
	at := func(u, v float32) geom.Ray {
		q := p.triangle.A.Add(p.triangle.B.Sub(p.triangle.A).Mul(u)).Add(p.triangle.C.Sub(p.triangle.A).Mul(v))
		return geom.NewRay(q.Add(p.triangle.Normal().Mul(3)), p.triangle.Normal().Neg())
	}
	for _, c := range []struct {
		u, v float32
		hit  bool
		why  string
	}{
		{0.25, 0.5, true, "No weight is negative"},
		{-0.25, 0.5, false, "u −0.250 is negative: the point is beyond the edge CA"},
		{0.25, -0.5, false, "v −0.500 is negative: the point is beyond the edge AB"},
		{0.75, 0.5, false, "1 − u − v −0.250 is negative: the point is beyond the edge BC"},
		{1.5, -0.25, false, "1 − u − v −0.250 and v −0.250 are negative: the point is beyond the edges BC and AB"},
	} {
		p.cast(at(c.u, c.v))
		r := p.explain()
		assert.Equal(t, c.hit, r.hit)
		assert.Contains(t, r.why, c.why)
	}
	p.cast(at(0.25, 0.5))
	side := func() string {
		for _, f := range p.explain().more {
			if f.name == "Met from" {
				return f.value
			}
		}
		return ""
	}
	assert.Equal(t, "the front", side())
	h.key('F')
	assert.Equal(t, "the back", side())
	r := at(0.25, 0.5)
	r.Dir = r.Dir.Neg()
	p.cast(r)
	assert.Contains(t, p.explain().why, "behind the ray")
	p.cast(geom.NewRay(geom.V(0, 5, 0), p.triangle.B.Sub(p.triangle.A).Cross(p.triangle.Normal())))
	p.ray.Dir = geom.Vec3{}
	assert.Contains(t, p.explain().why, "parallel")
}

func TestNumber(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0.000", math.Copysign(0, -1): "0.000", -0.0001: "0.000", 1.23456: "1.235", 1e20: "1e+20", -1.5e7: "−1.5e+07", -2.5: "−2.500", math.Inf(1): "+∞", math.Inf(-1): "−∞",
	} {
		assert.Equal(t, want, number(x))
	}
	assert.Equal(t, "none", number(math.NaN()))
	assert.Equal(t, "(1.5, −2)", place(geom.V(1.5, -2, 7), true))
	assert.Equal(t, "(0, 100, 0.001)", place(geom.V(0, 100, 0.001), false))
}

func TestFlatMapsBothWays(t *testing.T) {
	f := layoutOf(window).flat()
	rapid.Check(t, func(t *rapid.T) {
		p := geom.V(rapid.Float32Range(-6, 6).Draw(t, "x"), rapid.Float32Range(-3, 3).Draw(t, "y"), 0)
		x, y := f.at(p)
		require.True(t, f.diagram.Contains(float64(x), float64(y)))
		require.InDelta(t, 0, float64(f.point(float64(x), float64(y)).Distance(p)), 1e-5)
	})
}

// Clipping a polygon by a rectangle: the corners of the result lie in both, and its area equals a
// count of sample points.
func TestCut(t *testing.T) {
	r := render.Rect{X: 10, Y: 20, Width: 100, Height: 50}
	square := func(x, y, size float32) [][2]float32 {
		return [][2]float32{{x, y}, {x + size, y}, {x + size, y + size}, {x, y + size}}
	}
	for _, c := range []struct {
		polygon [][2]float32
		area    float32
	}{
		{square(20, 30, 10), 100},
		{square(0, 0, 1000), 5000},
		{square(0, 10, 20), 100},
		{square(200, 30, 10), 0},
		{[][2]float32{{60, 20}, {110, 45}, {60, 70}, {10, 45}}, 2500},
		{[][2]float32{{10, -5}, {60, 20}, {10, 45}}, 625},
	} {
		var area float32
		left := cut(c.polygon, r)
		for i, p := range left {
			q := left[(i+1)%len(left)]
			area += (p[0]*q[1] - p[1]*q[0]) / 2
			assert.True(t, p[0] >= r.X && p[1] >= r.Y && p[0] <= r.X+r.Width && p[1] <= r.Y+r.Height)
		}
		assert.InDelta(t, c.area, area, 0.01)
	}
}

func TestViewportIsTheFigure(t *testing.T) {
	l := layoutOf(window)
	v := l.viewport(picking.Size{Width: 2560, Height: 1440})
	for _, c := range []struct {
		x, y float64
		ok   bool
	}{
		{float64(l.diagram.X) + 1, float64(l.diagram.Y) + 1, true},
		{float64(l.diagram.X+l.diagram.Width) - 1, float64(l.diagram.Y+l.diagram.Height) - 1, true},
		{float64(l.diagram.X) - 1, 300, false},
		{300, float64(l.diagram.Y) - 1, false},
		{300, float64(l.plot.Y) + 1, false},
	} {
		_, _, ok := v.Pixel(c.x, c.y)
		assert.Equal(t, c.ok, ok, c)
	}
}

func TestTitlesFit(t *testing.T) {
	l := layoutOf(picking.Size{Width: 1000, Height: 700})
	w, _ := render.MeasureText(titleStyle, weightsTitle)
	assert.Less(t, 14+(plotHeight-44)*1.5+24+w, l.plot.Width)
}

func TestStepsAreRound(t *testing.T) {
	for _, c := range []struct{ from, to, want float64 }{{-0.5, 1.5, 0.25}, {0, 8, 1}, {0, 17, 2.5}, {1.4, 8.3, 1}, {0, 0.01, 0.002}} {
		assert.InDelta(t, c.want, tAxis{span: span{c.from, c.to}}.step(), 1e-12)
	}
}

func TestSpans(t *testing.T) {
	inf := math.Inf(1)
	for name, c := range map[string]struct {
		ts   []float64
		want span
	}{
		"nothing":           {nil, span{-0.5, 1.5}},
		"within 0 to 1":     {[]float64{0.412, 0.737}, span{-0.5, 1.5}},
		"no numbers":        {[]float64{inf, -inf, math.NaN()}, span{-0.5, 1.5}},
		"within the box":    {[]float64{-1, 3, -0.5, 2}, span{-1.5, 4}},
		"one side endless":  {[]float64{-inf, 5}, span{-0.5, 6}},
		"behind":            {[]float64{-9, -5}, span{-12, 2}},
		"the last":          {[]float64{24}, span{-2, 24}},
		"beyond the last":   {[]float64{24.5, 3}, span{-0.5, 4}},
		"far before it too": {[]float64{-1e9, 3}, span{-0.5, 4}},
	} {
		assert.Equal(t, c.want, spanOf(c.ts...), name)
	}
	rapid.Check(t, func(t *rapid.T) {
		ts := rapid.SliceOf(rapid.Float64()).Draw(t, "T")
		is := spanOf(ts...)
		assert.True(t, is.from < 0 && is.to > 1, "the ray's range is in it, with a margin")
		for _, at := range ts {
			a := tAxis{span: is}
			assert.Equal(t, math.Abs(at) <= ends[len(ends)-1], a.contains(at), "%g in %v", at, is)
		}
	})
}

// A plot does not shrink during a drag, and fits again after it.
func TestPlotStaysWhileDragged(t *testing.T) {
	c := &canvas{}
	fit := func(ts ...float64) span {
		c.before = c.fit(ts...)
		return c.before
	}
	assert.Equal(t, span{-0.5, 1.5}, fit(0.5))
	c.dragged = true
	assert.Equal(t, span{-0.5, 1.5}, fit(0.5))
	assert.Equal(t, span{-1, 8}, fit(7), "space for the larger range")
	assert.Equal(t, span{-1, 8}, fit(0.5, 2))
	c.dragged = false
	assert.Equal(t, span{-0.5, 3}, fit(0.5, 2))
}

package render

import (
	"testing"

	"github.com/stretchr/testify/assert"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/picking"
)

// at returns a pointer over the window, with buttons down.
func at(x, y float64, down ...picking.Button) physecs.Pointer {
	return physecs.Pointer{Input: picking.Input{X: x, Y: y, Inside: true, Down: picking.ButtonSet(down...)}}
}

// frameOf shows on the HUD what put adds, as a renderer does.
func (h *HUD) frameOf(put func()) []shape {
	put()
	shapes := append([]shape(nil), h.begin()...)
	h.end()
	return shapes
}

func TestCardHoldsItsText(t *testing.T) {
	h := &HUD{}
	h.Resize(picking.Size{Width: 800, Height: 600})
	for name, rows := range map[string][]Row{
		"rows":       {{Key: "Entity", Value: "12"}, {}, {Key: "Point", Value: "(1.000, −2.000, 3.000)"}},
		"long value": {{Key: "T", Value: "a value that is much longer than the title of the card"}},
		"long key":   {{Key: "a key that is much longer than its value", Value: "1"}},
		"none":       nil,
	} {
		for _, title := range []string{"Stanford bunny", ""} {
			var card Rect
			shapes := h.frameOf(func() { card = h.Card(-16, 20, 0, title, rows...) })
			assert.InDelta(t, 800-16, float64(card.X+card.Width), 1e-3, "from the right edge")
			inner := card.Inset(h.theme().Padding - 0.01)
			var last Rect
			for _, s := range shapes {
				if s.text == "" {
					continue
				}
				r := s.rect
				assert.True(t, inner.X <= r.X && r.X+r.Width <= inner.X+inner.Width &&
					inner.Y <= r.Y && r.Y+r.Height <= inner.Y+inner.Height, "%s: %q at %v outside of %v", name, s.text, r, inner)
				overlap := r.Y < last.Y+last.Height && last.Y < r.Y+r.Height && r.X < last.X+last.Width && last.X < r.X+r.Width
				assert.False(t, overlap, "%q overlaps the text before it", s.text)
				last = r
			}
		}
	}
}

func TestCardKeepsItsLeastWidth(t *testing.T) {
	h := &HUD{}
	assert.Equal(t, float32(300), h.Card(0, 0, 300, "short").Width)
	assert.Greater(t, h.Card(0, 0, 10, "short").Width, float32(10))
}

func TestPlace(t *testing.T) {
	h := &HUD{}
	h.Resize(picking.Size{Width: 200, Height: 100})
	for _, c := range []struct{ x, y, wantX, wantY float32 }{
		{5, 6, 5, 6}, {-5, 6, 155, 6}, {5, -6, 5, 74}, {0, 0, 0, 0},
	} {
		r := h.Place(c.x, c.y, 40, 20)
		assert.Equal(t, Rect{c.wantX, c.wantY, 40, 20}, r)
	}
}

func TestContainsWhatIsShown(t *testing.T) {
	h := &HUD{}
	h.Panel(Rect{10, 10, 20, 20})
	h.Fill(Rect{100, 100, 20, 20}, 0, RGB(0))
	assert.False(t, h.Contains(15, 15), "not shown yet")
	h.begin()
	h.end()
	for _, c := range []struct {
		x, y float64
		want bool
	}{{10, 10, true}, {29.9, 29.9, true}, {30, 15, false}, {15, 30, false}, {9.9, 15, false}, {110, 110, false}} {
		assert.Equal(t, c.want, h.Contains(c.x, c.y), "%v %v", c.x, c.y)
	}
	h.begin()
	h.end()
	assert.False(t, h.Contains(15, 15), "no longer shown")
}

func TestButton(t *testing.T) {
	h := &HUD{}
	r := Rect{10, 10, 80, 24}
	click := func(p physecs.Pointer) (clicked bool) {
		h.Input(p)
		h.frameOf(func() { clicked = h.Button(r, "Reset") })
		return clicked
	}
	in, out := at(20, 20), at(200, 20)
	down, downOut := at(20, 20, picking.Left), at(200, 20, picking.Left)
	t.Run("a click is down and up", func(t *testing.T) {
		assert.False(t, click(in))
		assert.False(t, click(down))
		assert.False(t, click(down))
		assert.True(t, click(in))
		assert.False(t, click(in))
	})
	t.Run("dragged out and back", func(t *testing.T) {
		click(down)
		assert.False(t, click(downOut))
		click(down)
		assert.True(t, click(in))
	})
	t.Run("released outside", func(t *testing.T) {
		click(down)
		assert.False(t, click(out))
	})
	t.Run("pressed outside", func(t *testing.T) {
		click(downOut)
		assert.False(t, click(down))
		assert.False(t, click(in))
	})
	t.Run("within one frame", func(t *testing.T) {
		p := in
		p.Pressed = picking.ButtonSet(picking.Left)
		assert.True(t, click(p))
	})
	t.Run("the other button", func(t *testing.T) {
		click(at(20, 20, picking.Right))
		assert.False(t, click(in))
	})
	t.Run("focus lost", func(t *testing.T) {
		click(down)
		p := in
		p.Unfocused = true
		assert.False(t, click(p))
	})
}

func TestToggle(t *testing.T) {
	h := &HUD{}
	a, b := false, true
	var clickedA, clickedB bool
	frame := func(p physecs.Pointer) []shape {
		h.Input(p)
		return h.frameOf(func() {
			clickedA = h.Toggle(Rect{10, 10, 150, 24}, "Normals", "N", &a)
			clickedB = h.Toggle(Rect{10, 34, 150, 24}, "Boxes", "B", &b)
		})
	}
	shapes := frame(at(0, 0))
	assert.False(t, clickedA || clickedB)
	var boxes Rect
	for _, s := range shapes {
		if s.text == "Boxes" {
			boxes = s.rect
		}
	}
	x, y := float64(boxes.X+3), float64(boxes.Y+3)
	frame(at(x, y, picking.Left))
	frame(at(x, y))
	assert.False(t, clickedA)
	assert.True(t, clickedB)
	assert.False(t, a)
	assert.False(t, b, "the second toggle was switched off")
}

// A drag belongs to where it began, and the pointer stays there until all buttons are up.
func TestSlider(t *testing.T) {
	var h HUD
	bar := Rect{100, 50, 114, 20} // the knob goes from 107 to 207
	share := float32(0.25)
	frame := func(p physecs.Pointer) (held bool) {
		h.Input(p)
		h.frameOf(func() { held = h.Slider(bar, &share) })
		return held
	}
	assert.False(t, frame(at(150, 60)))
	assert.InDelta(t, 0.25, share, 1e-6)
	for _, x := range []float64{157, 187} {
		assert.True(t, frame(at(x, 60, picking.Left)))
		assert.InDelta(t, (x-107)/100, share, 1e-6)
	}
	assert.True(t, frame(at(500, 300, picking.Left)), "a drag goes on outside")
	assert.Equal(t, float32(1), share)
	assert.False(t, frame(at(120, 60)), "the button is up")
	assert.Equal(t, float32(1), share)
	assert.False(t, frame(at(20, 20, picking.Left)))
	assert.False(t, frame(at(150, 60, picking.Left)), "this drag began elsewhere")
	assert.Equal(t, float32(1), share)
}

func TestDragsStayWhereTheyBegan(t *testing.T) {
	var s inputState
	s.entered = true
	size := picking.Size{Width: 100, Height: 100}
	step := func(overHUD bool, down ...picking.Button) bool {
		s.beginFrame()
		for _, b := range []picking.Button{picking.Left, picking.Right} {
			is := false
			for _, d := range down {
				is = is || d == b
			}
			if is != s.down.Has(b) {
				s.button(b, is)
			}
		}
		return s.pointer(size, overHUD).Captured
	}
	assert.False(t, step(false))
	assert.True(t, step(true))
	assert.False(t, step(false, picking.Left), "pressed in the world")
	assert.False(t, step(true, picking.Left), "dragged over the card")
	assert.False(t, step(true, picking.Left, picking.Right))
	assert.False(t, step(true, picking.Right))
	assert.False(t, step(true), "the release is still the world's")
	assert.True(t, step(true), "all up")
	assert.True(t, step(true, picking.Left), "pressed on the card")
	assert.True(t, step(false, picking.Left), "dragged off the card")
	assert.True(t, step(false), "the release is still the card's")
	assert.False(t, step(false))
}

func TestInputState(t *testing.T) {
	var s inputState
	size := picking.Size{Width: 100, Height: 50}
	s.move(10, 10)
	assert.False(t, s.pointer(size, false).Inside, "the cursor has not entered")
	s.entered = true
	assert.True(t, s.pointer(size, false).Inside)
	assert.Zero(t, s.dx, "the first place is no movement")
	s.move(15, 8)
	s.move(16, 8)
	assert.Equal(t, [2]float64{6, -2}, [2]float64{s.dx, s.dy})
	for _, p := range [][2]float64{{100, 10}, {10, 50}, {-0.1, 10}} {
		s.move(p[0], p[1])
		assert.False(t, s.pointer(size, false).Inside, "%v is outside", p)
	}
	assert.False(t, s.pointer(picking.Size{}, false).Inside, "minimised")

	s.button(picking.Left, true)
	s.button(picking.Left, false)
	p := s.pointer(size, false)
	assert.True(t, p.Pressed.Has(picking.Left), "shorter than a frame, and not lost")
	assert.False(t, p.Down.Has(picking.Left))
	s.beginFrame()
	assert.Zero(t, s.pointer(size, false).Pressed)

	s.beginFrame()
	s.move(20, 10)
	s.button(picking.Left, true)
	s.move(60, 30)
	p = s.pointer(size, false)
	assert.Equal(t, [2]float64{20, 10}, [2]float64{p.X, p.Y}, "where it was pressed, and not its present place")
	s.beginFrame()
	p = s.pointer(size, false)
	assert.Equal(t, [2]float64{60, 30}, [2]float64{p.X, p.Y})
	s.button(picking.Left, false)
	s.move(200, 30)
	s.button(picking.Left, true)
	s.button(picking.Left, false)
	p = s.pointer(size, false)
	assert.Equal(t, [2]float64{60, 30}, [2]float64{p.X, p.Y}, "the first of several")
	assert.True(t, p.Inside)
	s.beginFrame()

	s.button(picking.Right, true)
	s.focus(false)
	p = s.pointer(size, false)
	assert.True(t, p.Unfocused)
	assert.Zero(t, p.Down, "a release after the focus was lost is not reported")
	s.focus(true)
	assert.False(t, s.pointer(size, false).Unfocused)
}

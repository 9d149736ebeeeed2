package picking

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestMarquee(t *testing.T) {
	type frame struct {
		in   Input
		want MarqueePhase
	}
	at := func(x, y float64, down ...Button) Input {
		return Input{X: x, Y: y, Inside: true, Down: ButtonSet(down...)}
	}
	with := func(in Input, change func(*Input)) Input {
		change(&in)
		return in
	}
	for _, tt := range []struct {
		name    string
		marquee Marquee
		frames  []frame
		outline []Point // at the end
	}{
		//	10,10 ●───┐
		//	      └───○ 50,40
		{"press, drag, release", Marquee{}, []frame{
			{at(10, 10), MarqueeIdle}, {at(10, 10, Left), MarqueeIdle}, {at(12, 11, Left), MarqueeIdle},
			{at(20, 20, Left), MarqueeBegan}, {at(50, 40, Left), MarqueeDragged}, {at(50, 40), MarqueeEnded},
		}, []Point{{10, 10}, {50, 10}, {50, 40}, {10, 40}}},
		{"it is over after that", Marquee{}, []frame{
			{at(10, 10, Left), MarqueeIdle}, {at(50, 40, Left), MarqueeBegan}, {at(50, 40), MarqueeEnded}, {at(50, 40), MarqueeIdle},
		}, nil},
		{"a click is none", Marquee{}, []frame{
			{at(10, 10, Left), MarqueeIdle}, {at(14, 10, Left), MarqueeIdle}, {at(10, 10), MarqueeIdle},
		}, nil},
		{"back at the start it is one still", Marquee{}, []frame{
			{at(10, 10, Left), MarqueeIdle}, {at(14.1, 10, Left), MarqueeBegan}, {at(10, 10, Left), MarqueeDragged}, {at(10, 10), MarqueeEnded},
		}, []Point{{10, 10}, {10, 10}, {10, 10}, {10, 10}}},
		{"a wider threshold", Marquee{Threshold: 30}, []frame{
			{at(10, 10, Left), MarqueeIdle}, {at(39, 10, Left), MarqueeIdle}, {at(41, 10, Left), MarqueeBegan},
		}, []Point{{10, 10}, {41, 10}, {41, 10}, {10, 10}}},
		{"no threshold", Marquee{Threshold: -1}, []frame{{at(10, 10, Left), MarqueeBegan}, {at(10, 10), MarqueeEnded}},
			[]Point{{10, 10}, {10, 10}, {10, 10}, {10, 10}}},
		{"another button", Marquee{Button: Right}, []frame{
			{at(10, 10, Left), MarqueeIdle}, {at(30, 30, Left), MarqueeIdle}, {at(30, 30, Left, Right), MarqueeIdle}, {at(50, 50, Right), MarqueeBegan},
		}, []Point{{30, 30}, {50, 30}, {50, 50}, {30, 50}}},
		{"pressed outside", Marquee{}, []frame{
			{with(at(10, 10, Left), func(in *Input) { in.Inside = false }), MarqueeIdle}, {at(50, 50, Left), MarqueeIdle}, {at(50, 50), MarqueeIdle},
		}, nil},
		{"released outside", Marquee{}, []frame{
			{at(10, 10, Left), MarqueeIdle}, {at(50, 50, Left), MarqueeBegan}, {with(at(-70, 50), func(in *Input) { in.Inside = false }), MarqueeEnded},
		}, []Point{{10, 10}, {-70, 10}, {-70, 50}, {10, 50}}},
		{"the focus is lost", Marquee{}, []frame{
			{at(10, 10, Left), MarqueeIdle}, {at(50, 50, Left), MarqueeBegan},
			{with(at(50, 50, Left), func(in *Input) { in.Unfocused = true }), MarqueeCanceled}, {at(60, 60, Left), MarqueeIdle}, {at(60, 60), MarqueeIdle},
		}, nil},
		{"the pointer is cancelled", Marquee{}, []frame{
			{at(10, 10, Left), MarqueeIdle}, {at(50, 50, Left), MarqueeBegan},
			{with(at(50, 50, Left), func(in *Input) { in.Canceled = true }), MarqueeCanceled}, {at(60, 60, Left), MarqueeIdle}, {at(60, 60), MarqueeIdle},
		}, nil},
		{"quick: down, moved and up within two frames", Marquee{}, []frame{
			{at(10, 10, Left), MarqueeIdle}, {at(50, 50), MarqueeEnded},
		}, []Point{{10, 10}, {50, 10}, {50, 50}, {10, 50}}},
		{"down and up within a frame", Marquee{}, []frame{
			{with(at(10, 10), func(in *Input) { in.Pressed = ButtonSet(Left) }), MarqueeIdle}, {at(50, 50), MarqueeIdle},
		}, nil},
		{"up and down within a frame", Marquee{}, []frame{
			{at(10, 10, Left), MarqueeIdle}, {at(50, 50, Left), MarqueeBegan},
			{with(at(70, 70, Left), func(in *Input) { in.Pressed = ButtonSet(Left) }), MarqueeEnded}, {at(90, 90, Left), MarqueeIdle},
		}, nil},
		{"a NaN stays where it was", Marquee{}, []frame{
			{at(10, 10, Left), MarqueeIdle}, {at(50, 50, Left), MarqueeBegan}, {at(math.NaN(), 3, Left), MarqueeDragged},
		}, []Point{{10, 10}, {50, 10}, {50, 50}, {10, 50}}},
		//	10,10 ●──● 50,10
		//	       ╲ ╱
		//	        ○ 30,40
		{"lasso", Marquee{Lasso: true}, []frame{
			{at(10, 10, Left), MarqueeIdle}, {at(50, 10, Left), MarqueeBegan}, {at(50, 11, Left), MarqueeDragged}, {at(30, 40), MarqueeEnded},
		}, []Point{{10, 10}, {50, 10}, {30, 40}, {30, 40}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := tt.marquee
			for i, f := range tt.frames {
				require.Equal(t, f.want, m.Update(f.in), "frame %d", i)
				assert.Equal(t, f.want == MarqueeBegan || f.want == MarqueeDragged, m.Active(), "frame %d", i)
			}
			assert.Equal(t, tt.outline, m.Outline(nil))
			var r Region
			view := regionViews()["perspective"]
			m.Region(&r, view)
			x0, y0, x1, y1 := m.Rectangle()
			assert.Equal(t, tt.outline == nil || x0 > 64 || y0 > 36, r.IsEmpty())
			if tt.outline != nil && !m.Lasso {
				var want Region
				want.SetRectangle(view, x0, y0, x1, y1)
				assert.Equal(t, want.parts, r.parts)
			}
			for _, p := range tt.outline {
				assert.True(t, p.X >= x0 && p.X <= x1 && p.Y >= y0 && p.Y <= y1 || tt.marquee.Lasso)
			}
		})
	}
}

func TestMarqueeCancel(t *testing.T) {
	var m Marquee
	assert.Equal(t, MarqueeIdle, m.Cancel())
	assert.Equal(t, MarqueeIdle, m.Move(3, 3), "without a press")
	assert.Equal(t, MarqueeIdle, m.End())
	m.Begin(0, 0)
	assert.Equal(t, MarqueeBegan, m.Move(9, 9))
	assert.Equal(t, MarqueeCanceled, m.Cancel())
	assert.False(t, m.Active())
	assert.Empty(t, m.Outline(nil))
}

// However long a lasso gets, its outline stays near the cursor's path and has a bounded number of
// points.
func TestMarqueeLassoIsThinned(t *testing.T) {
	m := Marquee{Lasso: true}
	m.Begin(0, 0)
	for i := range 20000 {
		m.Move(float64(i), float64(i%7))
	}
	outline := m.Outline(nil)
	assert.LessOrEqual(t, len(outline), maxLasso+1)
	assert.Equal(t, Point{0, 0}, outline[0])
	assert.Equal(t, Point{19999, 0}, outline[len(outline)-1])
	for i, p := range outline[1:] {
		assert.Less(t, p.distance(outline[i]), 140.0)
	}
}

// With one distance for both, each press is either a click or a marquee.
func TestMarqueeOrClick(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var m Marquee
		var p Pointer[int]
		marquees, clicks, ups := 0, 0, 0
		x, y := 50.0, 50.0
		frame := func(down bool) {
			in := Input{X: x, Y: y, Inside: true}
			if down {
				in.Down = ButtonSet(Left)
			}
			for _, e := range p.Update(in, 1, true) {
				switch e.Kind {
				case Up:
					ups++
				case Click:
					clicks++
				}
			}
			if m.Update(in) == MarqueeEnded {
				marquees++
			}
		}
		step := rapid.Float64Range(-3, 3)
		for range rapid.IntRange(1, 4).Draw(t, "presses") {
			for range rapid.IntRange(1, 4).Draw(t, "frames") {
				frame(true)
				x, y = x+step.Draw(t, "dx"), y+step.Draw(t, "dy")
			}
			frame(false)
		}
		require.Equal(t, ups, clicks+marquees)
	})
}

func TestMarqueePhaseString(t *testing.T) {
	for p, want := range map[MarqueePhase]string{MarqueeIdle: "Idle", MarqueeBegan: "Began", MarqueeDragged: "Dragged",
		MarqueeEnded: "Ended", MarqueeCanceled: "Canceled", 99: "unknown"} {
		assert.Equal(t, want, p.String())
	}
}

package picking

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics"
)

// family returns a pointer over a, the child of p, the child of q.
func family() *picture {
	p := newPicture("aaa..bbb")
	p.parents = map[string]string{"a": "p", "p": "q"}
	return p
}

func TestEventsBubble(t *testing.T) {
	for _, tt := range []struct {
		name string
		stop string // the target that stops each event
		want map[string][]EventKind
	}{
		{"none stops", "", map[string][]EventKind{
			"a": {Over, Enter, Down, Up, Click}, "p": {Over, Enter, Down, Up, Click}, "q": {Over, Enter, Down, Up, Click}, "b": nil,
		}},
		{"the target stops", "a", map[string][]EventKind{
			"a": {Over, Enter, Down, Up, Click}, "p": {Enter}, "q": {Enter}, "b": nil,
		}},
		{"its parent stops", "p", map[string][]EventKind{
			"a": {Over, Enter, Down, Up, Click}, "p": {Over, Enter, Down, Up, Click}, "q": {Enter}, "b": nil,
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := family()
			events := p.pointer.UpdatePicks(Input{X: 1, Inside: true, Pressed: ButtonSet(Left)}, p.under(0))
			for _, target := range []string{"a", "p", "q", "b"} {
				var kinds []EventKind
				for e := range EventsOf(events, target) {
					assert.Equal(t, target, e.Current)
					kinds = append(kinds, e.Kind)
					if target == tt.stop {
						e.Stop()
						assert.True(t, e.Stopped())
					}
				}
				if target != "a" { // Enter does not bubble
					slices.Sort(kinds)
				}
				want := slices.Clone(tt.want[target])
				if target != "a" {
					slices.Sort(want)
				}
				assert.Equal(t, want, kinds, target)
				assert.Len(t, slices.Collect(EventsOf(events, target)), len(want), "the same events again, stopped or not")
			}
			for range EventsOf(events, "a") {
				break
			}
		})
	}
}

func TestEventFields(t *testing.T) {
	p := family()
	p.pointer.ID = 7
	at := func(x, y float64, down Buttons) []Event[string] {
		in := Input{X: x, Y: y, Inside: true, Down: down, Mods: ModShift, ScrollX: 1, ScrollY: 2, Time: 9}
		return slices.Clone(p.pointer.UpdatePicks(in, p.under(int(x)/10)))
	}
	kind := func(events []Event[string], k EventKind) Event[string] {
		i := slices.IndexFunc(events, func(e Event[string]) bool { return e.Kind == k })
		require.GreaterOrEqual(t, i, 0, "%v", k)
		return events[i]
	}
	at(20, 5, 0)
	events := at(22, 4, ButtonSet(Right))
	move := kind(events, Move)
	assert.Equal(t, PointerID(7), move.Pointer)
	assert.Equal(t, []any{22., 4., 2., -1., ModShift, ButtonSet(Right)}, []any{move.X, move.Y, move.DX, move.DY, move.Mods, move.Buttons})
	assert.EqualValues(t, 9, move.Time)
	assert.True(t, move.HasHit)
	assert.EqualValues(t, 200, move.Hit.User)
	assert.Equal(t, []string{"a", "p", "q"}, move.Path)
	scroll := kind(events, Scroll)
	assert.Equal(t, []float64{1, 2}, []float64{scroll.ScrollX, scroll.ScrollY})
	assert.Zero(t, move.ScrollX)
	down := kind(events, Down)
	assert.Equal(t, []float64{22, 4}, []float64{down.StartX, down.StartY})

	events = at(12, 8, ButtonSet(Right))
	start, drag := kind(events, DragStart), kind(events, Drag)
	assert.EqualValues(t, 200, start.Hit.User, "where it was grabbed")
	assert.EqualValues(t, 100, drag.Hit.User, "where it is now")
	assert.Equal(t, []float64{22, 4, -10, 4}, []float64{drag.StartX, drag.StartY, drag.DX, drag.DY})
	events = at(55, 8, ButtonSet(Right))
	drag = kind(events, Drag)
	assert.False(t, drag.HasHit, "it is elsewhere")
	assert.Equal(t, []float64{22, 4, 43, 0}, []float64{drag.StartX, drag.StartY, drag.DX, drag.DY})
	enter := kind(events, DragEnter)
	assert.Equal(t, []any{"b", "a", Right}, []any{enter.Target, enter.Related, enter.Button})
	assert.EqualValues(t, 500, enter.Hit.User)
	events = at(55, 8, 0)
	assert.Equal(t, "b", kind(events, DragEnd).Related)
	out, leave := kind(events, Out), kind(events, Leave)
	assert.Equal(t, []string{"a"}, leave.Path)
	assert.Equal(t, "b", out.Related)
	over := kind(events, Over)
	assert.EqualValues(t, 500, over.Hit.User)

	events = at(40, 8, 0)
	assert.EqualValues(t, 500, kind(events, Out).Hit.User, "where it was last")
}

// The movements of a drag add up, and its events go on while the pointer does not move.
func TestDragsAddUp(t *testing.T) {
	p := newPicture("aaaaaaaaaa")
	sum, n := 0.0, 0
	for _, x := range []float64{10, 11, 13, 16, 16, 40, 7} {
		for _, e := range p.pointer.UpdatePicks(Input{X: x, Inside: true, Down: ButtonSet(Left)}, p.under(0)) {
			if e.Kind == Drag {
				sum += e.DX
				n++
				assert.Equal(t, e.X-e.StartX, sum)
			}
		}
	}
	assert.Equal(t, 4, n)
}

func TestMergePicks(t *testing.T) {
	pick := func(t string, order int, depth float64) Pick[string] {
		return Pick[string]{Target: t, Order: order, Depth: depth}
	}
	through := func(p Pick[string]) Pick[string] { p.Through = true; return p }
	backdrop := func(p Pick[string]) Pick[string] { p.Cover = true; return p }
	for _, tt := range []struct {
		name  string
		picks []Pick[string]
		want  string
	}{
		{"none", nil, ""},
		{"by depth", []Pick[string]{pick("b", 0, 2), pick("a", 0, 1)}, "a"},
		{"by order, then depth", []Pick[string]{through(pick("a", 0, 1)), through(pick("c", 1, 9)), through(pick("b", 1, 8))}, "bca"},
		{"equals as they came", []Pick[string]{through(pick("b", 0, 1)), pick("a", 0, 1)}, "ba"},
		{"through", []Pick[string]{pick("c", 0, 3), through(pick("a", 0, 1)), pick("b", 0, 2)}, "ab"},
		{"a cover", []Pick[string]{pick("c", 0, 3), backdrop(pick("a", 0, 1)), pick("b", 0, 2)}, ""},
		{"a cover behind glass", []Pick[string]{pick("c", 0, 3), through(pick("a", 0, 1)), backdrop(pick("b", 0, 2))}, "a"},
		{"a cover of a higher order, behind everything of it", []Pick[string]{
			pick("c", 0, 3), backdrop(pick("", 1, math.Inf(1))), through(pick("b", 1, 2))}, "b"},
		{"a backdrop that is Through", []Pick[string]{through(backdrop(pick("a", 0, 1))), pick("b", 0, 2)}, "b"},
		{"twice", []Pick[string]{through(pick("a", 0, 2)), through(pick("a", 1, 5)), pick("b", 0, 3)}, "ab"},
		{"NaN", []Pick[string]{pick("a", 0, math.NaN()), pick("b", 0, 3)}, "b"},
		{"below zero", []Pick[string]{pick("a", -1, 0), pick("b", 0, 3)}, "b"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			for _, p := range MergePicks(tt.picks) {
				got += p.Target
			}
			assert.Equal(t, tt.want, got)
		})
	}
}

// A target that died before the update gets no events, whether it is picked or not.
func TestDeadPicks(t *testing.T) {
	p := Pointer[string]{Alive: func(s string) bool { return s != "dead" }}
	events := p.UpdatePicks(Input{Inside: true}, []Pick[string]{
		{Target: "dead", Through: true}, {Target: "b", Hit: physics.Hit{User: 3}, HasHit: true}, {Target: "b"},
	})
	require.Len(t, events, 2)
	assert.Equal(t, []Pick[string]{{Target: "b", Hit: physics.Hit{User: 3}, HasHit: true}}, p.Hovered())
}

// A finger that taps twice at one place makes a double tap.
func TestTouches(t *testing.T) {
	var p Pointers[string]
	under := []Pick[string]{{Target: "a"}}
	said := []string{}
	frame := func(touches ...PointerInput) {
		s := ""
		for _, e := range p.Play(&Frame{Pointers: touches}, func(PointerID, Input) []Pick[string] { return under }) {
			s += say(e) + " by " + e.Pointer.String() + ", "
		}
		said = append(said, s)
	}
	tap := func(id PointerID, frame time.Duration, down ...Button) PointerInput {
		return PointerInput{ID: id, Input: Input{X: 5, Y: 5, Inside: true, Down: ButtonSet(down...), Time: frame * 50 * time.Millisecond}}
	}
	frame(tap(4, 1, Left))
	frame(tap(4, 2))
	frame(tap(5, 3, Left))
	frame(tap(5, 4), tap(6, 4, Left))
	frame()
	far := tap(7, 9)
	far.X += 80
	frame(far)
	assert.Equal(t, []string{
		"Over a by 4, Enter a by 4, Down a by 4, ",
		"Up a by 4, Click a by 4, ",
		"Over a by 5, Enter a by 5, Down×2 a by 5, Out a by 4, Leave a by 4, ",
		"Up×2 a by 5, Click×2 a by 5, Over a by 6, Enter a by 6, Down×3 a by 6, ",
		"Out a by 5, Leave a by 5, Cancel a! by 6, Up×3 a! by 6, Out a by 6, Leave a by 6, ",
		"Over a by 7, Enter a by 7, ", // not moved: it is another finger
	}, said)
	_, ok := p.Pointer(4)
	assert.False(t, ok)
	frame()
	assert.Empty(t, slices.Collect(p.All()))
}

// Without times there are no double clicks, and a press on the background is not the second one of
// a click on the zero target.
func TestCount(t *testing.T) {
	for name, tt := range map[string]struct {
		times [2]time.Duration
		over  [2]bool
		want  int
	}{
		"in time":                         {[2]time.Duration{1, 5}, [2]bool{true, true}, 2},
		"as late as may be":               {[2]time.Duration{1, 1 + DefaultMultiClickTime}, [2]bool{true, true}, 2},
		"too late":                        {[2]time.Duration{1, 2 + DefaultMultiClickTime}, [2]bool{true, true}, 1},
		"at once":                         {[2]time.Duration{5, 5}, [2]bool{true, true}, 2},
		"no times":                        {[2]time.Duration{0, 0}, [2]bool{true, true}, 1},
		"no first time":                   {[2]time.Duration{0, 5}, [2]bool{true, true}, 1},
		"time goes back":                  {[2]time.Duration{5, 4}, [2]bool{true, true}, 1},
		"on the background":               {[2]time.Duration{1, 5}, [2]bool{false, false}, 2},
		"first on it, then on the target": {[2]time.Duration{1, 5}, [2]bool{false, true}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			var p Pointer[int]
			count := 0
			for i := range 2 {
				for _, e := range p.Update(Input{Inside: true, Pressed: ButtonSet(Left), Time: tt.times[i]}, 0, tt.over[i]) {
					if e.Kind == Click {
						count = e.Count
					}
				}
			}
			assert.Equal(t, tt.want, count)
		})
	}
}

// A click, a press that is cancelled, and a click: the last is no double click.
func TestCountAfterCancel(t *testing.T) {
	var p Pointer[int]
	in := Input{Inside: true, Pressed: ButtonSet(Left), Time: 1}
	p.Update(in, 0, true)
	down := Input{Inside: true, Down: ButtonSet(Left), Time: 2}
	p.Update(down, 0, true)
	down.Unfocused = true
	p.Update(down, 0, true)
	in.Time = 3
	count := 0
	for _, e := range p.Update(in, 0, true) {
		if e.Kind == Click {
			count = e.Count
		}
	}
	assert.Equal(t, 1, count)
}

func TestNames(t *testing.T) {
	assert.Equal(t, "DragEnter", DragEnter.String())
	assert.Equal(t, "LostCapture", LostCapture.String())
	assert.Equal(t, "unknown", numKinds.String())
	assert.Equal(t, "Forward", Forward.String())
	assert.Equal(t, "unknown", numButtons.String())
	assert.Equal(t, "mouse", Mouse.String())
	assert.Equal(t, "12", PointerID(12).String())
	assert.True(t, (ModShift | ModAlt).Has(ModAlt))
	assert.False(t, ModShift.Has(ModShift|ModAlt))
	assert.True(t, ModShift.HasAny(ToggleMods))
	assert.False(t, ModAlt.HasAny(ToggleMods))
}

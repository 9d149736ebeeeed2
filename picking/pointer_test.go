package picking

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// event names what a test looks at of an Event: "Down Left a", and "-" for the background.
func names(events []Event[string]) []string {
	list := []string{}
	for _, e := range events {
		s := e.Kind.String()
		if e.Kind >= Down {
			s += " " + e.Button.String()
		}
		if e.Background {
			s += " -"
		} else {
			s += " " + e.Target
		}
		list = append(list, s)
	}
	return list
}

func TestPointer(t *testing.T) {
	type frame struct {
		in    Input
		hover string   // "": nothing
		dead  []string // from this frame on
		want  []string
	}
	at := func(x float64, down ...Button) Input {
		return Input{X: x, Y: 7, Inside: true, Down: ButtonSet(down...)}
	}
	outside := func(x float64, down ...Button) Input { return Input{X: x, Y: 7, Down: ButtonSet(down...)} }
	tests := []struct {
		name   string
		click  float64
		frames []frame
	}{
		{"hover", 0, []frame{
			{at(0), "", nil, nil},
			{at(1), "a", nil, []string{"Over a"}},
			{at(2), "a", nil, nil},
			{at(3), "b", nil, []string{"Out a", "Over b"}},
			{at(3), "", nil, []string{"Out b"}},
		}},
		{"click", 0, []frame{
			{at(0), "a", nil, []string{"Over a"}},
			{at(0, Left), "a", nil, []string{"Down Left a"}},
			{at(1, Left), "a", nil, nil},
			{at(1), "a", nil, []string{"Up Left a", "Click Left a"}},
			{at(1), "a", nil, nil},
		}},
		{"everything at once", 0, []frame{
			{at(0, Middle, Right, Left), "a", nil, []string{"Over a", "Down Left a", "Down Right a", "Down Middle a"}},
			{at(0, Right), "b", nil, []string{"Out a", "Over b", "Up Left a", "Up Middle a"}},
			{at(0), "a", nil, []string{"Out b", "Over a", "Up Right a", "Click Right a"}},
		}},
		{"click on the background", 0, []frame{
			{at(0, Left), "", nil, []string{"Down Left -"}},
			{at(0), "", nil, []string{"Up Left -", "Click Left -"}},
		}},
		{"from the background on a target is no click", 0, []frame{
			{at(0, Left), "", nil, []string{"Down Left -"}},
			{at(0), "a", nil, []string{"Over a", "Up Left -"}},
		}},
		{"from a target on the background is no click", 0, []frame{
			{at(0, Left), "a", nil, []string{"Over a", "Down Left a"}},
			{at(0), "", nil, []string{"Out a", "Up Left a"}},
		}},
		{"wandering just as far as allowed", 0, []frame{
			{at(0, Left), "a", nil, []string{"Over a", "Down Left a"}},
			{at(4), "a", nil, []string{"Up Left a", "Click Left a"}},
		}},
		{"wandering too far", 0, []frame{
			{at(0, Left), "a", nil, []string{"Over a", "Down Left a"}},
			{at(4.001), "a", nil, []string{"Up Left a"}},
		}},
		{"wandering too far and back", 0, []frame{
			{at(0, Left), "a", nil, []string{"Over a", "Down Left a"}},
			{at(9, Left), "a", nil, nil},
			{at(0), "a", nil, []string{"Up Left a"}},
		}},
		{"another distance", 10, []frame{
			{at(0, Left), "a", nil, []string{"Over a", "Down Left a"}},
			{at(9), "a", nil, []string{"Up Left a", "Click Left a"}},
			{at(9, Right), "a", nil, []string{"Down Right a"}},
			{at(20), "a", nil, []string{"Up Right a"}},
		}},
		{"no clicks", -1, []frame{
			{at(0, Left), "a", nil, []string{"Over a", "Down Left a"}},
			{at(0), "a", nil, []string{"Up Left a"}},
		}},
		{"a NaN is too far", 0, []frame{
			{at(0, Left), "a", nil, []string{"Over a", "Down Left a"}},
			{at(math.NaN()), "a", nil, []string{"Up Left a"}},
		}},
		{"one button's wandering is not the other's", 0, []frame{
			{at(0, Left), "a", nil, []string{"Over a", "Down Left a"}},
			{at(9, Left, Right), "a", nil, []string{"Down Right a"}},
			{at(9), "a", nil, []string{"Up Left a", "Up Right a", "Click Right a"}},
		}},
		{"leaving while pressed", 0, []frame{
			{at(0, Left), "a", nil, []string{"Over a", "Down Left a"}},
			{outside(1, Left), "a", nil, []string{"Out a"}},
			{outside(1), "a", nil, []string{"Up Left a"}},
		}},
		{"leaving while pressed and coming back", 0, []frame{
			{at(0, Left), "a", nil, []string{"Over a", "Down Left a"}},
			{outside(1, Left), "a", nil, []string{"Out a"}},
			{at(1), "a", nil, []string{"Over a", "Up Left a", "Click Left a"}},
		}},
		{"pressed outside and dragged in", 0, []frame{
			{outside(0, Left), "", nil, nil},
			{at(0, Left), "a", nil, []string{"Over a"}},
			{at(0), "a", nil, nil},
			{at(0, Left), "a", nil, []string{"Down Left a"}},
		}},
		{"losing focus while pressed", 0, []frame{
			{at(0, Left), "a", nil, []string{"Over a", "Down Left a"}},
			{Input{X: 0, Y: 7, Inside: true, Down: ButtonSet(Left), Unfocused: true}, "a", nil, []string{"Up Left a"}},
			{Input{X: 0, Y: 7, Inside: true, Down: ButtonSet(Left), Unfocused: true}, "a", nil, nil},
			{at(0), "a", nil, nil},
		}},
		{"pressed without focus", 0, []frame{
			{Input{X: 0, Y: 7, Inside: true, Pressed: ButtonSet(Left), Unfocused: true}, "a", nil, []string{"Over a"}},
			{at(0), "a", nil, nil},
		}},
		{"the hovered target dies", 0, []frame{
			{at(0), "a", nil, []string{"Over a"}},
			{at(0), "b", []string{"a"}, []string{"Over b"}},
		}},
		{"a dead target is under the cursor", 0, []frame{
			{at(0, Left), "a", []string{"a"}, []string{"Down Left -"}},
			{at(0), "", nil, []string{"Up Left -", "Click Left -"}},
		}},
		{"the pressed target dies", 0, []frame{
			{at(0, Left), "a", nil, []string{"Over a", "Down Left a"}},
			{at(0, Left), "b", []string{"a"}, []string{"Over b"}},
			{at(0), "b", nil, nil},
			{at(0, Left), "b", nil, []string{"Down Left b"}},
		}},
		{"the pressed target dies as the button goes up", 0, []frame{
			{at(0, Left), "a", nil, []string{"Over a", "Down Left a"}},
			{at(0), "", []string{"a"}, nil},
		}},
		{"the hovered one dies, the pressed one does not", 0, []frame{
			{at(0, Left), "a", nil, []string{"Over a", "Down Left a"}},
			{at(0, Left), "b", nil, []string{"Out a", "Over b"}},
			{at(0), "a", []string{"b"}, []string{"Over a", "Up Left a", "Click Left a"}},
		}},
		{"a press shorter than a frame", 0, []frame{
			{Input{Inside: true, Pressed: ButtonSet(Left)}, "a", nil, []string{"Over a", "Down Left a", "Up Left a", "Click Left a"}},
			{Input{Inside: true}, "a", nil, nil},
		}},
		{"up and down again within a frame", 0, []frame{
			{Input{Inside: true, Pressed: ButtonSet(Left), Down: ButtonSet(Left)}, "a", nil, []string{"Over a", "Down Left a"}},
			{Input{Inside: true, Pressed: ButtonSet(Left), Down: ButtonSet(Left)}, "a", nil, []string{"Up Left a", "Click Left a", "Down Left a"}},
			{Input{Inside: true, Pressed: ButtonSet(Left)}, "a", nil, []string{"Up Left a", "Click Left a", "Down Left a", "Up Left a", "Click Left a"}},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dead := map[string]bool{}
			p := Pointer[string]{ClickDistance: tt.click, Alive: func(s string) bool { return !dead[s] }}
			for i, f := range tt.frames {
				for _, d := range f.dead {
					dead[d] = true
				}
				want := f.want
				if want == nil {
					want = []string{}
				}
				assert.Equal(t, want, names(p.Update(f.in, f.hover, f.hover != "")), "frame %d", i)
			}
		})
	}
}

func TestPointerState(t *testing.T) {
	var p Pointer[int]
	_, ok := p.Hover()
	assert.False(t, ok)
	events := p.Update(Input{X: 3, Y: 4, Inside: true, Down: ButtonSet(Right)}, 5, true)
	assert.Equal(t, []Event[int]{
		{Kind: Over, Target: 5, X: 3, Y: 4},
		{Kind: Down, Target: 5, Button: Right, X: 3, Y: 4},
	}, events)
	id, ok := p.Hover()
	assert.True(t, ok)
	assert.Equal(t, 5, id)
	id, ok = p.Pressed(Right)
	assert.True(t, ok)
	assert.Equal(t, 5, id)
	_, ok = p.Pressed(Left)
	assert.False(t, ok)
	assert.PanicsWithValue(t, "picking: Pointer.Pressed: unknown button", func() { p.Pressed(3) })
	p.Update(Input{}, 5, true)
	_, ok = p.Hover()
	assert.False(t, ok, "not inside")
	_, ok = p.Pressed(Right)
	assert.False(t, ok, "released")
}

func TestButtons(t *testing.T) {
	s := ButtonSet(Left, Middle)
	assert.True(t, s.Has(Left) && s.Has(Middle) && !s.Has(Right))
	assert.Equal(t, ButtonSet(Middle), s.Without(Left).Without(Right))
	assert.Equal(t, Buttons(0), ButtonSet())
}

// Whatever happens, a living target hears Over and Out, Down and Up in turns, a Click straight after its Up, and a dead
// one nothing.
func TestPointerEventsComeInPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		alive := map[int]bool{1: true, 2: true, 3: true}
		p := Pointer[int]{Alive: func(id int) bool { return alive[id] }}
		over := 0
		held := map[Button]int{} // target + 1
		buttons := rapid.Custom(func(t *rapid.T) Buttons { return Buttons(rapid.IntRange(0, 7).Draw(t, "set")) })
		for range rapid.IntRange(1, 40).Draw(t, "frames") {
			if rapid.IntRange(0, 9).Draw(t, "kill") == 0 {
				id := rapid.IntRange(1, 3).Draw(t, "victim")
				alive[id] = false
				if over == id {
					over = 0
				}
				for b, target := range held {
					if target == id+1 {
						delete(held, b)
					}
				}
			}
			in := Input{
				X: rapid.Float64Range(0, 8).Draw(t, "x"), Y: 1,
				Inside: rapid.IntRange(0, 4).Draw(t, "inside") > 0,
				Down:   buttons.Draw(t, "down"), Pressed: buttons.Draw(t, "pressed"),
				Unfocused: rapid.IntRange(0, 9).Draw(t, "unfocused") == 0,
			}
			hover := rapid.IntRange(0, 3).Draw(t, "hover")
			events := p.Update(in, hover, hover != 0)
			rank := -1
			for i, e := range events {
				if !e.Background {
					require.True(t, alive[e.Target])
				}
				require.Equal(t, e.Background, e.Target == 0)
				order := int(e.Kind) // Out and Over are told apart by what is hovered
				if e.Kind >= Down {
					order = int(Down) + int(e.Button)
				}
				switch e.Kind {
				case Out:
					require.Equal(t, over, e.Target)
					over, order = 0, -1
				case Over:
					require.Zero(t, over)
					over = e.Target
				case Down:
					require.NotContains(t, held, e.Button)
					require.True(t, in.Inside)
					require.Equal(t, over, e.Target)
					held[e.Button] = e.Target + 1
				case Up:
					require.Equal(t, e.Target+1, held[e.Button])
					delete(held, e.Button)
				case Click:
					require.Positive(t, i)
					up := events[i-1]
					require.Equal(t, Up, up.Kind)
					require.Equal(t, e.Button, up.Button)
					require.Equal(t, e.Target, up.Target)
					require.Equal(t, over, e.Target)
				}
				require.GreaterOrEqual(t, order, rank, "order of %v", events)
				rank = order
			}
			got, _ := p.Hover()
			require.Equal(t, over, got)
			for b := Left; b < numButtons; b++ {
				id, ok := p.Pressed(b)
				require.Equal(t, held[b] > 1, ok)
				if ok {
					require.Equal(t, held[b], id+1)
				}
			}
		}
	})
}

func TestPointerUpdateAllocatesNothing(t *testing.T) {
	p := Pointer[int]{Alive: func(int) bool { return true }}
	frame := 0
	run := func() {
		frame++
		in := Input{Inside: true}
		if frame%2 == 0 {
			in.Down = ButtonSet(Left, Right, Middle)
		}
		p.Update(in, frame%3, frame%3 != 0)
	}
	for range 12 {
		run()
	}
	assert.Zero(t, testing.AllocsPerRun(100, run))
}

func FuzzPointer(f *testing.F) {
	f.Add([]byte{1, 2, 3, 0x11, 0x91})
	f.Fuzz(func(t *testing.T, script []byte) {
		var p Pointer[byte]
		downs := 0
		for _, b := range script {
			in := Input{X: float64(b >> 4), Inside: b&8 != 0, Down: Buttons(b), Unfocused: b&0xC0 == 0xC0}
			for _, e := range p.Update(in, b>>5, b&16 != 0) {
				switch e.Kind {
				case Down:
					downs++
				case Up:
					downs--
				}
			}
			if downs < 0 || downs > int(numButtons) {
				t.Fatalf("%d buttons down", downs)
			}
		}
		for _, e := range p.Update(Input{}, 0, false) {
			if e.Kind == Up {
				downs--
			}
		}
		if downs != 0 {
			t.Fatalf("%d buttons still down", downs)
		}
	})
}

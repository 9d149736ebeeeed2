package picking

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// names formats events, "Down Left a", with "-" for the background. Enter and Leave are left out,
// since without parents they follow Over and Out, and so is Move.
func names(events []Event[string]) []string {
	list := []string{}
	for _, e := range events {
		if e.Kind == Enter || e.Kind == Leave || e.Kind == Move {
			continue
		}
		s := e.Kind.String()
		if e.Kind >= Down && e.Kind < GotCapture {
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
		{"moving just as far as allowed", 0, []frame{
			{at(0, Left), "a", nil, []string{"Over a", "Down Left a"}},
			{at(4), "a", nil, []string{"Up Left a", "Click Left a"}},
		}},
		{"moving too far", 0, []frame{
			{at(0, Left), "a", nil, []string{"Over a", "Down Left a"}},
			{at(4.001), "a", nil, []string{"DragStart Left a", "GotCapture a", "Drag Left a", "Up Left a", "DragEnd Left a", "LostCapture a"}},
		}},
		{"moving too far and back", 0, []frame{
			{at(0, Left), "a", nil, []string{"Over a", "Down Left a"}},
			{at(9, Left), "a", nil, []string{"DragStart Left a", "GotCapture a", "Drag Left a"}},
			{at(0), "a", nil, []string{"Drag Left a", "Up Left a", "DragEnd Left a", "LostCapture a"}},
		}},
		{"another distance", 10, []frame{
			{at(0, Left), "a", nil, []string{"Over a", "Down Left a"}},
			{at(9), "a", nil, []string{"Up Left a", "Click Left a"}},
			{at(9, Right), "a", nil, []string{"Down Right a"}},
			{at(20), "a", nil, []string{"DragStart Right a", "GotCapture a", "Drag Right a", "Up Right a", "DragEnd Right a", "LostCapture a"}},
		}},
		{"no clicks", -1, []frame{
			{at(0, Left), "a", nil, []string{"Over a", "Down Left a"}},
			{at(0), "a", nil, []string{"Up Left a"}},
		}},
		{"a NaN is too far", 0, []frame{
			{at(0, Left), "a", nil, []string{"Over a", "Down Left a"}},
			{at(math.NaN()), "a", nil, []string{"Out a", "Up Left a"}},
		}},
		{"one button's movement is not the other's", 0, []frame{
			{at(0, Left), "a", nil, []string{"Over a", "Down Left a"}},
			{at(9, Left, Right), "a", nil, []string{"DragStart Left a", "GotCapture a", "Drag Left a", "Down Right a"}},
			{at(9), "a", nil, []string{"Drag Left a", "Up Left a", "DragEnd Left a", "Up Right a", "Click Right a", "LostCapture a"}},
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
			{Input{X: 0, Y: 7, Inside: true, Down: ButtonSet(Left), Unfocused: true}, "a", nil, []string{"Cancel Left a", "Up Left a"}},
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
	at := Event[int]{Target: 5, Current: 5, Path: []int{5}, Buttons: ButtonSet(Right), X: 3, Y: 4}
	over, enter, down := at, at, at
	over.Kind, enter.Kind, down.Kind = Over, Enter, Down
	down.Button, down.Count, down.StartX, down.StartY = Right, 1, 3, 4
	assert.Equal(t, []Event[int]{over, enter, down}, events)
	id, ok := p.Hover()
	assert.True(t, ok)
	assert.Equal(t, 5, id)
	id, ok = p.Pressed(Right)
	assert.True(t, ok)
	assert.Equal(t, 5, id)
	_, ok = p.Pressed(Left)
	assert.False(t, ok)
	assert.PanicsWithValue(t, "picking: Pointer.Pressed: unknown button", func() { p.Pressed(numButtons) })
	assert.PanicsWithValue(t, "picking: Pointer.Dragged: unknown button", func() { p.Dragged(numButtons) })
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

package picking

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// A picture is a strip of targets and the pointer's path over it. Every letter of the path is a
// frame with the pointer in its column; rows follow one another. The first row of the strip is in
// front. So
//
//	..aaaa..bbbb..   a strip of two targets
//	..D--m--U.....   pressed over the left end of a, moved, released over the left end of b
//
// is three frames. A column is three window pixels wide: its neighbour is near enough for a click,
// the next but one is a drag.
//
//	m  moves         D U  left button down, up          R r  right button down, up
//	c  clicks        s    turns the wheel               o    is outside the window
//	F f  the window loses, regains the focus            X    the pointer is cancelled
//	~  nothing for 0.4 s: no frame                      0-9  runs a function of the test, then moves
type picture struct {
	pointer Pointer[string]
	strip   []string
	through string // targets that are Through
	dead    map[string]bool
	parents map[string]string

	in     Input
	frames []string
	only   []EventKind
}

const column = 3

func newPicture(strip ...string) *picture {
	p := &picture{strip: strip, dead: map[string]bool{}, parents: map[string]string{}}
	p.pointer.Alive = func(s string) bool { return !p.dead[s] }
	p.pointer.Parent = func(s string) (string, bool) { up, ok := p.parents[s]; return up, ok }
	return p
}

// under returns the picks in a column.
func (p *picture) under(column int) (picks []Pick[string]) {
	for depth, row := range p.strip {
		t := row[column : column+1]
		if t != "." && !p.dead[t] {
			pick := Pick[string]{Target: t, Depth: float64(depth), Through: strings.Contains(p.through, t), HasHit: true}
			pick.Hit.User = uint64(100*column + depth) // identifies the hit in the results
			picks = append(picks, pick)
		}
	}
	return MergePicks(picks)
}

// draw plays a path.
func (p *picture) draw(path []string, do map[rune]func()) {
	for _, row := range path {
		for column, letter := range row {
			if strings.ContainsRune(".- ", letter) {
				continue
			}
			if letter == '~' {
				p.in.Time += 400 * time.Millisecond
				continue
			}
			p.frame(column, letter, do)
		}
	}
}

func (p *picture) frame(at int, letter rune, do map[rune]func()) {
	in := &p.in
	in.Time += 50 * time.Millisecond
	in.X, in.Y, in.Inside = float64(at*column), 7, true
	in.Pressed, in.ScrollX, in.ScrollY, in.Canceled = 0, 0, 0, false
	switch letter {
	case 'm':
	case 'D':
		in.Down = in.Down.With(Left)
	case 'U':
		in.Down = in.Down.Without(Left)
	case 'R':
		in.Down = in.Down.With(Right)
	case 'r':
		in.Down = in.Down.Without(Right)
	case 'c':
		in.Pressed = ButtonSet(Left)
	case 's':
		in.ScrollX, in.ScrollY = 1, -2
	case 'o':
		in.Inside = false
	case 'F':
		in.Unfocused = true
	case 'f':
		in.Unfocused = false
	case 'X':
		in.Canceled = true
	default:
		do[letter]()
	}
	events := p.pointer.UpdatePicks(*in, p.under(at))
	p.frames = append(p.frames, p.say(events))
}

// say formats events: kind, button if not the left, count if not 1, target, and Related.
func (p *picture) say(events []Event[string]) string {
	var all []string
	for _, e := range events {
		if p.only == nil || slices.Contains(p.only, e.Kind) {
			all = append(all, say(e))
		}
	}
	return strings.Join(all, ", ")
}

func say(e Event[string]) string {
	s := e.Kind.String()
	if e.Button != Left {
		s += "/" + e.Button.String()
	}
	if e.Count > 1 {
		s += fmt.Sprint("×", e.Count)
	}
	if e.Background {
		s += " -"
	} else {
		s += " " + e.Target
	}
	if e.HasRelated {
		s += "(" + e.Related + ")"
	}
	if e.Canceled {
		s += "!"
	}
	return s
}

var (
	hovers   = []EventKind{Over, Out, Enter, Leave}
	presses  = []EventKind{Down, Up, Click, Cancel}
	drags    = []EventKind{DragStart, Drag, DragEnter, DragOver, DragLeave, Drop, DragEnd, Click, Cancel}
	captures = []EventKind{GotCapture, LostCapture}
)

func TestPictures(t *testing.T) {
	tests := []struct {
		name    string
		strip   []string
		path    []string
		only    []EventKind
		setup   func(p *picture)
		do      func(p *picture) map[rune]func()
		want    []string // frame by frame
		through string
	}{
		// Hovering.
		{name: "over and out, and everything else that comes with it",
			strip: []string{"..aaa..bbb.."},
			path:  []string{"m..mm....m.m"},
			want: []string{
				"", "Over a, Enter a, Move a", "Move a", "Out a(b), Leave a(b), Over b(a), Enter b(a), Move b",
				"Out b, Leave b, Move -",
			}},
		{name: "out of the window", only: hovers,
			strip: []string{"aaaa"},
			path:  []string{"m.o.", "m..."},
			want:  []string{"Over a, Enter a", "Out a, Leave a", "Over a, Enter a"}},
		{name: "the world moves, the pointer does not",
			strip: []string{"aa..", "bbbb"},
			path:  []string{".m..", ".1..", ".2.."},
			do: func(p *picture) map[rune]func() {
				return map[rune]func(){
					'1': func() { p.strip[0] = "...." },
					'2': func() { p.strip[0] = "cccc" },
				}
			},
			want: []string{"Over a, Enter a", "Out a(b), Leave a(b), Over b(a), Enter b(a)", "Out b(c), Leave b(c), Over c(b), Enter c(b)"}},
		{name: "the hovered one dies: no Out to the dead", only: hovers,
			strip: []string{"aaaa", "bbbb"},
			path:  []string{".m1."},
			do:    func(p *picture) map[rune]func() { return map[rune]func(){'1': func() { p.dead["a"] = true }} },
			want:  []string{"Over a, Enter a", "Over b, Enter b"}},
		{name: "glass: both are hovered, the one in front first", through: "g",
			strip: []string{"..ggg...", "aaaabbbb"},
			path:  []string{".mm.m.m."},
			want: []string{
				"Over a, Enter a", "Over g(a), Enter g(a), Move g, Move a",
				"Out a(g), Leave a(g), Over b(g), Enter b(g), Move g, Move b",
				"Out g(b), Leave g(b), Move b",
			}},

		// Parents: a and b are children of p, p is one of q.
		{name: "enter and leave go along the chain, the outermost entered first and left last", only: hovers,
			strip: []string{"aaabbb..q."},
			path:  []string{".m..m..mm."},
			setup: func(p *picture) { p.parents = map[string]string{"a": "p", "b": "p", "p": "q"} },
			want: []string{
				"Over a, Enter q, Enter p, Enter a",
				"Out a(b), Leave a(b), Over b(a), Enter b(a)",
				"Out b, Leave b, Leave p, Leave q",
				"Over q, Enter q",
			}},
		{name: "from the child to the parent: the parent is not left", only: hovers,
			strip: []string{".aaa.", "ppppp"},
			path:  []string{"mm..m"},
			setup: func(p *picture) { p.parents = map[string]string{"a": "p"} },
			want:  []string{"Over p, Enter p", "Out p(a), Over a(p), Enter a(p)", "Out a(p), Leave a(p), Over p(a)"}},
		{name: "glass over its own parent: each is entered once", only: hovers, through: "g",
			strip: []string{".ggg.", "ppppp"},
			path:  []string{"mm..m"},
			setup: func(p *picture) { p.parents = map[string]string{"g": "p", "p": "q"} },
			want:  []string{"Over p, Enter q, Enter p", "Over g(p), Enter g(p)", "Out g(p), Leave g(p)"}},
		{name: "another parent under a pointer at rest", only: hovers,
			strip: []string{"aaaa"},
			path:  []string{".m..", ".1..", ".2.."},
			setup: func(p *picture) { p.parents = map[string]string{"a": "p"} },
			do: func(p *picture) map[rune]func() {
				return map[rune]func(){
					'1': func() { p.parents["a"] = "q" },
					'2': func() { delete(p.parents, "a") },
				}
			},
			want: []string{"Over a, Enter p, Enter a", "Leave p(a), Enter q(a)", "Leave q(a)"}},
		{name: "the child dies: its parent is left, without an Out", only: hovers,
			strip: []string{"aaaa", "...."},
			path:  []string{".m..", ".1.."},
			setup: func(p *picture) { p.parents = map[string]string{"a": "p"} },
			do:    func(p *picture) map[rune]func() { return map[rune]func(){'1': func() { p.dead["a"] = true }} },
			want:  []string{"Over a, Enter p, Enter a", "Leave p"}},
		{name: "ancestors in a circle", only: hovers,
			strip: []string{"aa.b"},
			path:  []string{".m.m"},
			setup: func(p *picture) { p.parents = map[string]string{"a": "p", "p": "q", "q": "r", "r": "p", "b": "b"} },
			want:  []string{"Over a, Enter r, Enter q, Enter p, Enter a", "Out a(b), Leave a(b), Leave p(b), Leave q(b), Leave r(b), Over b(a), Enter b(a)"}},
		{name: "a dead ancestor ends the chain", only: hovers,
			strip: []string{"aa"},
			path:  []string{".m"},
			setup: func(p *picture) {
				p.parents = map[string]string{"a": "p", "p": "q", "q": "r"}
				p.dead["q"] = true
			},
			want: []string{"Over a, Enter p, Enter a"}},

		// Clicks.
		{name: "click", only: presses,
			strip: []string{"..aaaa.."},
			path:  []string{"..mDm...", "...U...."},
			want:  []string{"", "Down a", "", "Up a, Click a"}},
		{name: "click on the background", only: presses,
			strip: []string{"..aaaa.."},
			path:  []string{"DU......"},
			want:  []string{"Down -", "Up -, Click -"}},
		{name: "double, triple", only: presses,
			strip: []string{"..aaaa.."},
			path:  []string{"..DU....", "..DU....", "..DU...."},
			want:  []string{"Down a", "Up a, Click a", "Down×2 a", "Up×2 a, Click×2 a", "Down×3 a", "Up×3 a, Click×3 a"}},
		{name: "double, within frames", only: presses,
			strip: []string{"..aaaa.."},
			path:  []string{"..cc...."},
			want:  []string{"Down a, Up a, Click a", "Down×2 a, Up×2 a, Click×2 a"}},
		{name: "too late for a double click", only: presses,
			strip: []string{"..aaaa.."},
			path:  []string{"..DU~~..", "..DU...."},
			want:  []string{"Down a", "Up a, Click a", "Down a", "Up a, Click a"}},
		{name: "just in time for a double click, of a longer time", only: presses,
			strip: []string{"..aaaa.."},
			path:  []string{"..DU~~..", "..DU...."},
			setup: func(p *picture) { p.pointer.MultiClickTime = 900 * time.Millisecond },
			want:  []string{"Down a", "Up a, Click a", "Down×2 a", "Up×2 a, Click×2 a"}},
		{name: "no double clicks", only: presses,
			strip: []string{"..aaaa.."},
			path:  []string{"..DUDU.."},
			setup: func(p *picture) { p.pointer.MultiClickTime = -1 },
			want:  []string{"Down a", "Up a, Click a", "Down a", "Up a, Click a"}},
		{name: "too far for a double click", only: presses,
			strip: []string{"..aaaaa."},
			path:  []string{"..c..c.."},
			want:  []string{"Down a, Up a, Click a", "Down a, Up a, Click a"}},
		{name: "double click on two targets is none", only: presses,
			strip: []string{"..aabb.."},
			path:  []string{"...cc..."},
			want:  []string{"Down a, Up a, Click a", "Down b, Up b, Click b"}},
		{name: "another button in between", only: presses,
			strip: []string{"..aaaa.."},
			path:  []string{"..c.....", "..Rr....", "..c....."},
			want:  []string{"Down a, Up a, Click a", "Down/Right a", "Up/Right a, Click/Right a", "Down a, Up a, Click a"}},
		{name: "a drag in between", only: presses,
			strip: []string{"..aaaa.."},
			path:  []string{"..c.....", "..D.U...", "..c....."},
			want:  []string{"Down a, Up a, Click a", "Down×2 a", "Up×2 a", "Down a, Up a, Click a"}},
		{name: "held for too long", only: presses,
			strip: []string{"..aaaa.."},
			path:  []string{"..D~U..."},
			setup: func(p *picture) { p.pointer.ClickTime = 300 * time.Millisecond },
			want:  []string{"Down a", "Up a"}},
		{name: "let go over another", only: presses,
			strip: []string{"aaabbb"},
			path:  []string{"..DU.."},
			want:  []string{"Down a", "Up a"}},
		{name: "let go over a sibling: the parent is clicked", only: presses,
			strip: []string{"aaabbb"},
			path:  []string{"..DU.."},
			setup: func(p *picture) { p.parents = map[string]string{"a": "p", "b": "q", "p": "r", "q": "r"} },
			want:  []string{"Down a", "Up a, Click r"}},
		{name: "glass and what is behind let go over a sibling of both: the parent is clicked once", only: presses, through: "g",
			strip: []string{"ggg...", "aaabbb"},
			path:  []string{"..DU.."},
			setup: func(p *picture) { p.parents = map[string]string{"a": "p", "b": "p", "g": "p"} },
			want:  []string{"Down g, Down a", "Up g, Up a, Click p"}},
		{name: "let go over the parent: the parent is clicked", only: presses,
			strip: []string{"aaappp"},
			path:  []string{"..DU.."},
			setup: func(p *picture) { p.parents = map[string]string{"a": "p"} },
			want:  []string{"Down a", "Up a, Click p"}},
		{name: "it dies under the button: no click", only: presses,
			strip: []string{"aaaa", "bbbb"},
			path:  []string{"D1U.", "c..."},
			do:    func(p *picture) map[rune]func() { return map[rune]func(){'1': func() { p.dead["a"] = true }} },
			want:  []string{"Down a", "", "", "Down b, Up b, Click b"}},
		{name: "glass: both are clicked", only: presses, through: "g",
			strip: []string{".gg.", "aaaa"},
			path:  []string{".DU."},
			want:  []string{"Down g, Down a", "Up g, Up a, Click g, Click a"}},
		{name: "glass dies under the button: the other is clicked", only: presses, through: "g",
			strip: []string{".gg.", "aaaa"},
			path:  []string{".D1.", ".U.."},
			do:    func(p *picture) map[rune]func() { return map[rune]func(){'1': func() { p.dead["g"] = true }} },
			want:  []string{"Down g, Down a", "", "Up a, Click a"}},
		{name: "two buttons at once", only: presses,
			strip: []string{"aaaa"},
			path:  []string{"DRUr"},
			want:  []string{"Down a", "Down/Right a", "Up a", "Up/Right a"}},
		{name: "pressed outside, brought in", only: presses,
			strip: []string{"aaaa"},
			path:  []string{"1m..", "U..."},
			do: func(p *picture) map[rune]func() {
				return map[rune]func(){'1': func() { p.in.Down, p.in.Inside = ButtonSet(Left), false }}
			},
			want: []string{"", "", ""}},
		{name: "the focus is lost", only: presses,
			strip: []string{"aaaa"},
			path:  []string{"DF..", "mf..", "U..."},
			want:  []string{"Down a", "Cancel a!, Up a!", "", "", ""}},
		{name: "a press without focus", only: presses,
			strip: []string{"aaaa"},
			path:  []string{"FDUf", "c..."},
			want:  []string{"", "", "", "", "Down a, Up a, Click a"}},

		// The wheel.
		{name: "scroll", only: []EventKind{Scroll},
			strip: []string{"aa.."},
			path:  []string{".s.s"},
			want:  []string{"Scroll a", "Scroll -"}},

		// Drags.
		{name: "within reach of a click", only: drags,
			strip: []string{"..aaaa.."},
			path:  []string{"..Dm....", "..U....."},
			want:  []string{"", "", "Click a"}},
		{name: "a drag is no click, also when it comes back", only: drags,
			strip: []string{"..aaaa.."},
			path:  []string{"..D-m...", "..U....."},
			want:  []string{"", "DragStart a, Drag a", "Drag a, DragEnd a"}},
		{name: "from one to another, drawn in all that happens",
			strip: []string{"aaaa....bbbb"},
			path:  []string{".mD-m---m-U."},
			want: []string{
				"Over a, Enter a", "Move a, Down a",
				"DragStart a, GotCapture a, Move a, Drag a",
				"Move a, Drag a(b), DragEnter b(a), DragOver b(a)",
				"Move a, Drag a(b), DragOver b(a), Up a, Drop b(a), DragLeave b(a), DragEnd a(b), LostCapture a, " +
					"Out a(b), Leave a(b), Over b(a), Enter b(a)",
			}},
		{name: "over one and on, into nothing", only: drags,
			strip: []string{"aa..bb....."},
			path:  []string{".D--m--m.U."},
			want: []string{
				"", "DragStart a, Drag a(b), DragEnter b(a), DragOver b(a)", "Drag a, DragLeave b(a)", "Drag a, DragEnd a",
			}},
		{name: "all of a drag in one frame", only: append(drags, captures...),
			strip: []string{"aa....bb"},
			path:  []string{"D-----U."},
			want: []string{"", "DragStart a, GotCapture a, Drag a(b), DragEnter b(a), DragOver b(a), " +
				"Drop b(a), DragLeave b(a), DragEnd a(b), LostCapture a"}},
		{name: "out of the window and let go there", only: drags,
			strip: []string{"aa..bb.."},
			path:  []string{"D---m...", "....o...", "....1..."},
			do: func(p *picture) map[rune]func() {
				return map[rune]func(){'1': func() { p.in.Down, p.in.Inside = 0, false }}
			},
			want: []string{"", "DragStart a, Drag a(b), DragEnter b(a), DragOver b(a)", "Drag a, DragLeave b(a)", "Drag a, DragEnd a"}},
		{name: "from the background, as for a marquee", only: append(drags, Over, Out),
			strip: []string{"..aa...."},
			path:  []string{"D-m--m.U"},
			want:  []string{"", "DragStart -, Drag -(a)", "Drag -", "Drag -, DragEnd -"}},
		{name: "two buttons drag two targets", only: append(drags, captures...),
			strip: []string{"aa....bb"},
			path:  []string{"D-.m....", "..1.....", "......R.", "...m....", "...U....", "...r...."},
			do: func(p *picture) map[rune]func() {
				return map[rune]func(){'1': func() { p.pointer.ReleaseCapture() }}
			},
			want: []string{
				"", "DragStart a, GotCapture a, Drag a", "LostCapture a, Drag a",
				"Drag a(b), DragEnter b(a), DragOver b(a)",
				"DragStart/Right b, GotCapture b, Drag a, DragLeave b(a), Drag/Right b",
				"Drag a, DragEnd a, Drag/Right b", "Drag/Right b, DragEnd/Right b, LostCapture b",
			}},
		{name: "the dragged one dies: what it is over gets a DragLeave without Related", only: append(drags, captures...),
			strip: []string{"aa....bb"},
			path:  []string{"D-----m.", "......1.", "......U."},
			do:    func(p *picture) map[rune]func() { return map[rune]func(){'1': func() { p.dead["a"] = true }} },
			want: []string{
				"", "DragStart a, GotCapture a, Drag a(b), DragEnter b(a), DragOver b(a)", "LostCapture -, DragLeave b", "",
			}},
		{name: "what it is over dies", only: drags,
			strip: []string{"aa....bb"},
			path:  []string{"D-----m.", "......1.", "......U."},
			do:    func(p *picture) map[rune]func() { return map[rune]func(){'1': func() { p.dead["b"] = true }} },
			want:  []string{"", "DragStart a, Drag a(b), DragEnter b(a), DragOver b(a)", "Drag a", "Drag a, DragEnd a"}},
		{name: "what follows the pointer lets through: what is behind is dragged over", only: drags,
			strip: []string{"aa....", "..bbbb"},
			path:  []string{"D.1.U."},
			do: func(p *picture) map[rune]func() {
				return map[rune]func(){'1': func() { p.strip[0], p.through = "aaaaaa", "a" }}
			},
			want: []string{"", "DragStart a, Drag a(b), DragEnter b(a), DragOver b(a)",
				"Drag a(b), DragOver b(a), Drop b(a), DragLeave b(a), DragEnd a(b)"}},
		{name: "the focus is lost in a drag", only: append(append(drags, captures...), hovers...),
			strip: []string{"aa....bb"},
			path:  []string{"D-----mF", "......fU"},
			want: []string{
				"Over a, Enter a", "DragStart a, GotCapture a, Drag a(b), DragEnter b(a), DragOver b(a)",
				"Cancel a!, DragLeave b(a)!, DragEnd a!, LostCapture a, Out a(b), Leave a(b), Over b(a), Enter b(a)",
				"", "",
			}},
		{name: "cancelled", only: append(append(drags, presses...), Out, Leave),
			strip: []string{"aa...."},
			path:  []string{"D--m..", ".X....", "U....."},
			want:  []string{"Down a", "DragStart a, Drag a", "Cancel a!, Up a!, DragEnd a!, Out a, Leave a", ""}},
		{name: "cancelled where it is", only: append(presses, hovers...),
			strip: []string{"aaaa"},
			path:  []string{"DX..", "m..."},
			want:  []string{"Over a, Enter a, Down a", "Cancel a!, Up a!, Out a, Leave a", "Over a, Enter a"}},
		{name: "any movement is a drag", only: drags,
			strip: []string{"aaaa"},
			path:  []string{"Dm..", "U...", "DU..", "c..."},
			setup: func(p *picture) { p.pointer.ClickDistance = -1 },
			want:  []string{"", "DragStart a, Drag a", "Drag a, DragEnd a", "", "DragStart a, Drag a, DragEnd a", ""}},

		// Capture.
		{name: "the captor alone gets events, wherever the pointer is, until the button is up",
			strip: []string{"aa..bb.c"},
			path:  []string{"D1--m..o", "....m.U."},
			do: func(p *picture) map[rune]func() {
				return map[rune]func(){'1': func() { p.pointer.SetCapture("c") }}
			},
			setup: func(p *picture) { p.pointer.ClickDistance = 100 },
			want: []string{
				"Over a, Enter a, Down a",
				"GotCapture c, Out a(c), Leave a(c), Over c(a), Enter c(a), Move c",
				"Move c", "Move c", "Move c", "Move c, Up a, LostCapture c, Out c, Leave c",
			}},
		{name: "one captor after another", only: captures,
			strip: []string{"aabbcc"},
			path:  []string{"D12...", "..3U.."},
			do: func(p *picture) map[rune]func() {
				return map[rune]func(){
					'1': func() { p.pointer.SetCapture("b") },
					'2': func() { p.pointer.SetCapture("c") },
					'3': func() { p.pointer.ReleaseCapture() },
				}
			},
			want: []string{"", "GotCapture b", "LostCapture b(c), GotCapture c(b)", "LostCapture c", ""}},
		{name: "no capture without a button", only: captures,
			strip: []string{"aabb"},
			path:  []string{"m1.."},
			do: func(p *picture) map[rune]func() {
				return map[rune]func(){'1': func() {
					if p.pointer.SetCapture("b") {
						panic("captured")
					}
				}}
			},
			want: []string{"", ""}},
		{name: "the captor dies", only: append(captures, hovers...),
			strip: []string{"aabb"},
			path:  []string{"D1..", "2U.."},
			do: func(p *picture) map[rune]func() {
				return map[rune]func(){
					'1': func() { p.pointer.SetCapture("b") },
					'2': func() { p.dead["b"] = true },
				}
			},
			want: []string{"Over a, Enter a", "GotCapture b, Out a(b), Leave a(b), Over b(a), Enter b(a)",
				"LostCapture -, Over a, Enter a", ""}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newPicture(tt.strip...)
			p.only, p.through = tt.only, tt.through
			if tt.setup != nil {
				tt.setup(p)
			}
			var do map[rune]func()
			if tt.do != nil {
				do = tt.do(p)
			}
			p.draw(tt.path, do)
			assert.Equal(t, tt.want, p.frames)
		})
	}
}

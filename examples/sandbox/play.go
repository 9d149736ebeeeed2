package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mlange-42/arche/ecs"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/internal/xpointer"
	"github.com/hitscan-go/hitscan/picking"
)

// player plays a pointer script: it moves the real pointer and waits for the events, one step a
// frame.
type player struct {
	app     *app
	pointer *xpointer.Pointer
	script  []command
	sparing bool // only the last frame of each command is drawn, for tests that look at no other
	step    int  // frames that the first command has taken
	held    int  // keys that the script holds down
	fromX   float64
	fromY   float64
	toX     float64
	toY     float64
}

// patience is how long the events of one step may take. They take longer than a moment on a busy
// machine, where another program moves the pointer too, or where another window has the keyboard.
const patience = 2 * time.Minute

// retry is after how long the keyboard is requested again.
const retry = time.Second / 2

// next plays up to the next step that takes a frame, and waits for its events. done is true at the
// end of the script.
func (p *player) next() (done bool, err error) {
	for len(p.script) > 0 {
		c := &p.script[0]
		if err := p.focus(); err != nil {
			return false, fmt.Errorf("line %d: %w", c.line, err)
		}
		took, more, err := p.play(c)
		if err != nil {
			return false, fmt.Errorf("line %d: %w", c.line, err)
		}
		p.step++
		if !more {
			p.script, p.step = p.script[1:], 0
		}
		if took {
			p.app.unseen = p.sparing && more
			return false, nil
		}
	}
	return true, nil
}

// focus takes the keyboard back if another window has it: without it neither hover nor clicks work.
func (p *player) focus() error {
	w := p.app.window
	if w.Focused() {
		return nil
	}
	// A request is lost if the window system has not yet shown the window.
	for range int(patience / retry) {
		w.Focus()
		if w.WaitUntil(retry, w.Focused) {
			return nil
		}
	}
	return fmt.Errorf("another window has kept the keyboard for %v", patience)
}

// play runs one step of a command. took reports that it took a frame, more that the command has
// further steps.
func (p *player) play(c *command) (took, more bool, err error) {
	w := p.app.window
	switch c.verb {
	case verbMove:
		err = p.move(c)
		return true, p.step+1 < c.n, err
	case verbPress:
		return true, false, p.send("press", p.pointer.Press(c.button), func() bool {
			down, _ := w.Buttons()
			return down.Has(heard[c.button])
		})
	case verbRelease:
		return true, false, p.send("release", p.pointer.Release(c.button), func() bool {
			down, _ := w.Buttons()
			return !down.Has(heard[c.button])
		})
	case verbScroll:
		return true, false, p.send("scroll", p.pointer.Scroll(c.n), func() bool {
			_, y := w.Scroll()
			return math.Abs(y) >= math.Abs(float64(c.n))
		})
	case verbKey:
		err := p.pointer.KeyDown(c.key)
		if err == nil {
			// At once, or else the server repeats it while a slow machine draws.
			err = p.pointer.KeyUp(c.key)
		}
		return true, false, p.send("key", err, func() bool { return len(w.Typed()) > 0 && p.isUp() })
	case verbHold:
		p.held++
		return true, false, p.send("key down", p.pointer.KeyDown(c.key), func() bool { return len(w.Typed()) > 0 })
	case verbLet:
		p.held--
		return true, false, p.send("key up", p.pointer.KeyUp(c.key), p.isUp)
	case verbFrames:
		w.Poll()
		return true, p.step+1 < c.n, nil
	case verbScene:
		p.app.goTo(c.file)
		w.Poll()
		return true, false, nil
	case verbShot:
		return false, false, p.app.screenshot(c.file)
	case verbExpectHover, verbExpectSelected:
		return false, false, p.expect(c)
	}
	return false, false, fmt.Errorf("unknown command %d", c.verb)
}

// heard returns the buttons as the window reports them.
var heard = map[xpointer.Button]picking.Button{
	xpointer.Left: picking.Left, xpointer.Middle: picking.Middle, xpointer.Right: picking.Right,
}

// isUp reports whether only the keys that the script holds are down.
func (p *player) isUp() bool {
	return len(p.app.window.Keys().Down) <= p.held
}

// send polls events until those sent have arrived.
func (p *player) send(what string, err error, arrived func() bool) error {
	if err != nil {
		return err
	}
	if !p.app.window.WaitUntil(patience, arrived) {
		return fmt.Errorf("the window did not hear of a %s within %v; is the pointer being moved by hand, or has another "+
			"window the keyboard?", what, patience)
	}
	return nil
}

// move runs a step of a movement.
func (p *player) move(c *command) error {
	w := p.app.window
	if p.step == 0 {
		x, y, _ := w.Cursor()
		p.fromX, p.fromY = x, y
		to, err := p.find(&c.target)
		if err != nil {
			return err
		}
		p.toX, p.toY = to[0], to[1]
	}
	share := smoothstep(float64(p.step+1) / float64(c.n))
	// Whole pixels, since the pointer of a display has no fractions.
	x := math.Round(p.fromX + (p.toX-p.fromX)*share)
	y := math.Round(p.fromY + (p.toY-p.fromY)*share)
	if size := w.Size(); x < 0 || y < 0 || x >= float64(size.Width) || y >= float64(size.Height) {
		return fmt.Errorf("the place %g %g is outside the window, which is %d by %d", x, y, size.Width, size.Height)
	}
	left, top := w.Position()
	return p.send("movement", p.pointer.Move(left+int(x), top+int(y)), func() bool {
		hereX, hereY, inside := w.Cursor()
		return inside && math.Abs(hereX-x) < 1 && math.Abs(hereY-y) < 1
	})
}

// find returns the window pixel of a target.
func (p *player) find(t *target) (to [2]float64, err error) {
	x, y, _ := p.app.window.Cursor()
	switch {
	case t.name == "" && t.relative:
		return [2]float64{x + t.x, y + t.y}, nil
	case t.name == "":
		return [2]float64{t.x, t.y}, nil
	}
	if r, ok := p.app.spots[t.name]; ok {
		return [2]float64{float64(r.X + r.Width/2), float64(r.Y + r.Height/2)}, nil
	}
	e, ok := p.app.scene.named(t.name)
	if !ok {
		return to, fmt.Errorf("there is no entity or button named %q", t.name)
	}
	if to, ok = p.app.seen(e); !ok {
		return to, fmt.Errorf("%q cannot be seen", t.name)
	}
	return to, nil
}

// seen returns the window pixel nearest to the projected centre of an entity at which a ray hits it
// and no panel or handle covers it, and false if there is none.
func (a *app) seen(e ecs.Entity) (at [2]float64, ok bool) {
	view := a.view()
	x, y := float64(view.Window.Width)/2, float64(view.Window.Height)/2
	if b := a.bounds([]ecs.Entity{e}); b.HalfExtents().IsFinite() { // the ground has no middle
		if x, y, _, ok = view.Project(b.Center()); !ok {
			return at, false
		}
	}
	f := pickFilter()
	// A spiral around the centre, with about evenly spread points.
	const step, turns = 3.0, 20_000
	for i := range turns {
		sin, cos := math.Sincos(float64(i) * 2.399963) // the golden angle
		r := step * math.Sqrt(float64(i))
		px, py := math.Round(x+r*cos), math.Round(y+r*sin)
		ray, ok := view.Ray(px, py)
		if !ok || a.renderer.HUD.Contains(px, py) || a.gizmo.covers(a, ray) {
			continue
		}
		if hit, ok := ecs.GetResource[physecs.Space](&a.world).CastRay(ray, f); ok && hit.Entity == e {
			return [2]float64{px, py}, true
		}
	}
	return at, false
}

func (p *player) expect(c *command) error {
	what, got := "hovered", []string(nil)
	if c.verb == verbExpectHover {
		if hover := ecs.GetResource[physecs.Hover](&p.app.world); hover.OK {
			got = []string{p.app.scene.names[hover.Entity]}
		}
	} else {
		what = "selected"
		got = p.app.selected()
	}
	want := slices.Sorted(slices.Values(c.names))
	slices.Sort(got)
	if !slices.Equal(got, want) {
		in := &ecs.GetResource[physecs.Pointer](&p.app.world).Input
		return fmt.Errorf("%s: %s, and not %s; the pointer is at %g %g, inside %v, buttons %v, unfocused %v",
			what, orNothing(got), orNothing(want), in.X, in.Y, in.Inside, in.Down, in.Unfocused)
	}
	return nil
}

func orNothing(names []string) string {
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, ", ")
}

// screenshot writes the last frame to a PNG file, and creates its folder.
func (a *app) screenshot(file string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return a.renderer.Screenshot(file)
}

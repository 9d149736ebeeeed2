package render

import (
	"fmt"
	"math"
	"syscall/js"
	"time"
	"unicode/utf8"

	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render/internal/gl"
)

// surface is a canvas of a page. Its events wait in a queue until they are polled.
type surface struct {
	canvas  js.Value
	input   *inputState
	events  []func()
	woken   chan struct{} // has room for one
	shown   chan struct{} // answers requestAnimationFrame
	onFrame js.Func
	undo    []func() // removes the listeners
	closing bool
	hidden  bool
	pixels  picking.Size
}

func (s *surface) open(o Options, input *inputState) error {
	page := js.Global().Get("document")
	if page.IsUndefined() {
		return &displayError{"there is no page: this program runs outside a browser"}
	}
	*s = surface{input: input, woken: make(chan struct{}, 1), shown: make(chan struct{}, 1), hidden: o.Hidden || o.NoVSync}
	page.Set("title", o.Title)
	canvas := page.Call("getElementById", "hitscan")
	if canvas.IsNull() {
		canvas = page.Call("createElement", "canvas")
		canvas.Set("id", "hitscan")
		canvas.Get("style").Set("cssText", "position:fixed;inset:0;width:100%;height:100%;display:block")
		page.Get("body").Call("append", canvas)
	}
	style := canvas.Get("style")
	style.Set("touchAction", "none")
	style.Set("outline", "none")
	canvas.Set("tabIndex", 0)
	if err := gl.Use(canvas); err != nil {
		return fmt.Errorf("render: Open: %w", err)
	}
	s.canvas = canvas
	if o.Width > 0 && o.Height > 0 {
		s.resize(o.Width, o.Height)
	}
	s.fit()
	s.onFrame = js.FuncOf(func(js.Value, []js.Value) any {
		s.shown <- struct{}{}
		return nil
	})
	s.listen()
	canvas.Call("focus")
	return nil
}

func (s *surface) isOpen() bool { return s.canvas.Truthy() }

func (s *surface) close() {
	for _, f := range s.undo {
		f()
	}
	s.onFrame.Release()
	gl.Release()
	*s = surface{}
}

func (s *surface) makeCurrent()            {}
func (s *surface) position() (x, y int)    { return 0, 0 }
func (s *surface) focus()                  { s.canvas.Call("focus") }
func (s *surface) shouldClose() bool       { return s.closing }
func (s *surface) setShouldClose(yes bool) { s.closing = yes }

func (s *surface) size() picking.Size {
	return picking.Size{Width: s.canvas.Get("clientWidth").Int(), Height: s.canvas.Get("clientHeight").Int()}
}

func (s *surface) framebufferSize() picking.Size { return s.pixels }

func (s *surface) resize(width, height int) {
	style := s.canvas.Get("style")
	style.Set("width", fmt.Sprintf("%dpx", width))
	style.Set("height", fmt.Sprintf("%dpx", height))
}

// fit gives the canvas as many pixels as the screen has where it lies.
func (s *surface) fit() {
	size, density := s.size(), js.Global().Get("devicePixelRatio").Float()
	pixels := picking.Size{
		Width: int(math.Round(float64(size.Width) * density)), Height: int(math.Round(float64(size.Height) * density)),
	}
	if pixels != s.pixels {
		s.pixels = pixels
		s.canvas.Set("width", pixels.Width)
		s.canvas.Set("height", pixels.Height)
	}
}

func (s *surface) poll() {
	for len(s.events) > 0 {
		events := s.events
		s.events = nil
		for _, f := range events {
			f()
		}
	}
	s.fit()
}

func (s *surface) wait(timeout time.Duration) {
	if len(s.events) == 0 {
		timer := time.NewTimer(timeout)
		select {
		case <-s.woken:
		case <-timer.C:
		}
		timer.Stop()
	}
	s.poll()
}

func (s *surface) wake() {
	select {
	case s.woken <- struct{}{}:
	default:
	}
}

// swap waits until the browser shows the image and asks for the next. Meanwhile events arrive.
func (s *surface) swap() {
	if s.hidden {
		time.Sleep(time.Microsecond)
		return
	}
	js.Global().Call("requestAnimationFrame", s.onFrame)
	<-s.shown
}

// lock locks the cursor or unlocks it. The browser may refuse, and does it later.
func (s *surface) lock(on bool) (x, y float64) {
	if on {
		s.canvas.Call("requestPointerLock")
	} else {
		js.Global().Get("document").Call("exitPointerLock")
	}
	return s.input.x, s.input.y
}

// on calls a function for each event of a kind, when it is polled. take, if not nil, is called at
// once, while the event can still be prevented.
func (s *surface) on(target js.Value, kind string, take func(e js.Value), later func(e js.Value)) {
	f := js.FuncOf(func(_ js.Value, args []js.Value) any {
		e := args[0]
		if take != nil {
			take(e)
		}
		s.events = append(s.events, func() { later(e) })
		s.wake()
		return nil
	})
	target.Call("addEventListener", kind, f, map[string]any{"passive": false})
	s.undo = append(s.undo, func() {
		target.Call("removeEventListener", kind, f)
		f.Release()
	})
}

func prevent(e js.Value) { e.Call("preventDefault") }

// buttonsOf are the buttons by the numbers that browsers give them.
var buttonsOf = [...]picking.Button{picking.Left, picking.Middle, picking.Right, picking.Back, picking.Forward}

func (s *surface) listen() {
	in, window, page := s.input, js.Global(), js.Global().Get("document")
	in.unfocused = false
	at := func(e js.Value) {
		if in.locked {
			in.dx, in.dy = in.dx+e.Get("movementX").Float(), in.dy+e.Get("movementY").Float()
			return
		}
		in.move(e.Get("offsetX").Float(), e.Get("offsetY").Float())
	}
	s.on(s.canvas, "pointermove", nil, func(e js.Value) {
		in.mods = modsOf(e)
		at(e)
	})
	s.on(s.canvas, "pointerenter", nil, func(e js.Value) { in.entered = true; at(e) })
	s.on(s.canvas, "pointerleave", nil, func(js.Value) { in.entered = false })
	press := func(down bool) func(e js.Value) {
		return func(e js.Value) {
			in.entered = in.entered || down
			in.mods = modsOf(e)
			at(e)
			if b := e.Get("button").Int(); b >= 0 && b < len(buttonsOf) {
				in.button(buttonsOf[b], down)
			}
		}
	}
	// A captured pointer is followed beyond the canvas while a button is down. Pointer events know
	// only the first button of several, so buttons are events of the mouse.
	s.on(s.canvas, "pointerdown", func(e js.Value) {
		s.canvas.Call("focus")
		s.canvas.Call("setPointerCapture", e.Get("pointerId"))
	}, func(js.Value) {})
	s.on(s.canvas, "mousedown", prevent, press(true))
	s.on(s.canvas, "mouseup", prevent, press(false))
	s.on(s.canvas, "contextmenu", prevent, func(js.Value) {})
	s.on(s.canvas, "wheel", prevent, func(e js.Value) {
		notch := 100.0 // pixels
		if e.Get("deltaMode").Int() != 0 {
			notch = 3 // lines
		}
		in.scrollX, in.scrollY = in.scrollX-e.Get("deltaX").Float()/notch, in.scrollY-e.Get("deltaY").Float()/notch
	})
	s.on(s.canvas, "keydown", func(e js.Value) {
		// What belongs to the browser stays there, such as reloading.
		if name, ok := keyNames[key(e.Get("code").String())]; ok && !e.Get("ctrlKey").Bool() && !e.Get("metaKey").Bool() &&
			(len(name) < 2 || name[0] != 'F') {
			prevent(e)
		}
	}, func(e js.Value) {
		code := key(e.Get("code").String())
		if name, ok := keyNames[code]; ok {
			in.typed = append(in.typed, name)
		}
		in.key(code, true, modsOf(e))
		text := e.Get("key").String()
		if r, n := utf8.DecodeRuneInString(text); n == len(text) && !e.Get("ctrlKey").Bool() && !e.Get("metaKey").Bool() {
			in.text = append(in.text, r)
		}
	})
	s.on(s.canvas, "keyup", nil, func(e js.Value) { in.key(key(e.Get("code").String()), false, modsOf(e)) })
	s.on(s.canvas, "focus", nil, func(js.Value) { in.focus(true) })
	s.on(s.canvas, "blur", nil, func(js.Value) { in.focus(false) })
	s.on(window, "resize", nil, func(js.Value) {})
	s.on(page, "pointerlockchange", nil, func(js.Value) {
		if !page.Get("pointerLockElement").Equal(s.canvas) {
			in.locked = false // the user has pressed Escape
		}
	})
}

// modsOf returns the modifiers of an event.
func modsOf(e js.Value) (mods picking.Mods) {
	for name, mod := range map[string]picking.Mods{
		"shiftKey": picking.ModShift, "ctrlKey": picking.ModControl, "altKey": picking.ModAlt, "metaKey": picking.ModSuper,
	} {
		if e.Get(name).Bool() {
			mods |= mod
		}
	}
	return mods
}

// gamepadButtons are the buttons of browsers' standard gamepad; 6 and 7 are the triggers.
var gamepadButtons = map[int]GamepadButton{
	0: GamepadA, 1: GamepadB, 2: GamepadX, 3: GamepadY, 4: GamepadLeftBumper, 5: GamepadRightBumper,
	8: GamepadBack, 9: GamepadStart, 10: GamepadLeftThumb, 11: GamepadRightThumb,
	12: GamepadUp, 13: GamepadDown, 14: GamepadLeft, 15: GamepadRight, 16: GamepadGuide,
}

// browserGamepads returns the browser's list of gamepads. Some browsers have none over plain HTTP,
// and in a frame that is not allowed them the call throws: the list is empty then.
func browserGamepads() (list js.Value) {
	list = js.ValueOf([]any{})
	navigator := js.Global().Get("navigator")
	if navigator.Get("getGamepads").Type() != js.TypeFunction {
		return list
	}
	defer func() {
		if e := recover(); e != nil {
			if _, thrown := e.(js.Error); !thrown {
				panic(e)
			}
		}
	}()
	return navigator.Call("getGamepads")
}

// pollGamepads reads the gamepads.
func (s *inputState) pollGamepads() {
	before := s.pads
	s.pads = nil
	list := browserGamepads()
	for slot := range list.Length() {
		pad := list.Index(slot)
		if !pad.Truthy() || pad.Get("mapping").String() != "standard" || pad.Get("buttons").Length() < 8 || pad.Get("axes").Length() < 4 {
			continue
		}
		var down uint16
		buttons := pad.Get("buttons")
		for i, b := range gamepadButtons {
			if i < buttons.Length() && buttons.Index(i).Get("pressed").Bool() {
				down |= 1 << b
			}
		}
		var sticks [4]float32
		for i := range sticks {
			sticks[i] = float32(pad.Get("axes").Index(i).Float())
		}
		g := newGamepad(slot, pad.Get("id").String(), sticks, down, before)
		g.LeftTrigger = float32(buttons.Index(6).Get("value").Float())
		g.RightTrigger = float32(buttons.Index(7).Get("value").Float())
		s.pads = append(s.pads, g)
	}
}

package main

import (
	"bytes"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/require"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

// simulatedPointer is a pointer that a test moves in a sandbox without a window.
type simulatedPointer struct {
	t      *testing.T
	a      *app
	in     picking.Input
	down   map[string]bool
	keys   []string // that go down in the next frame
	events bytes.Buffer
}

var simulatedWindow = picking.Size{Width: 960, Height: 600}

func newSimulatedPointer(t *testing.T) *simulatedPointer {
	a := headless(t, simulatedWindow)
	a.config.steady = true
	a.controls.orbit = a.scene.home
	makeRoom(&a.controls.orbit, simulatedWindow, a.scene.size)
	h := &simulatedPointer{t: t, a: a, in: picking.Input{Inside: true}}
	h.step()
	return h
}

// step runs a frame.
func (h *simulatedPointer) step() {
	h.in.Time += 16 * time.Millisecond
	*ecs.GetResource[physecs.Pointer](&h.a.world) = physecs.Pointer{Input: h.in, Toggle: h.in.Mods.HasAny(picking.ToggleMods)}
	h.a.keys.take(slices.Collect(maps.Keys(h.down)), h.keys, nil)
	h.keys = nil
	if h.a.tape.out != nil {
		require.NoError(h.t, h.a.tape.record(h.a))
	}
	h.a.respond()
	require.NoError(h.t, h.a.writeEvents(&h.events))
	h.in.Pressed = 0
}

// key presses keys, down in one frame and up in the next.
func (h *simulatedPointer) key(keys ...string) {
	h.hold(keys...)
	h.hold()
}

// hold runs a frame in which these keys are down and no others.
func (h *simulatedPointer) hold(keys ...string) {
	was := h.down
	h.down = map[string]bool{}
	for _, k := range keys {
		if h.down[k] = true; !was[k] {
			h.keys = append(h.keys, k)
		}
	}
	h.step()
}

func (h *simulatedPointer) move(x, y float64) {
	h.in.X, h.in.Y = x, y
	h.step()
}

func (h *simulatedPointer) press(b picking.Button) {
	h.in.Down, h.in.Pressed = h.in.Down.With(b), picking.ButtonSet(b)
	h.step()
}

func (h *simulatedPointer) release(b picking.Button) {
	h.in.Down = h.in.Down.Without(b)
	h.step()
}

// drag drags with the left button from one pixel to another in some steps.
func (h *simulatedPointer) drag(from, to [2]float64) {
	const steps = 5
	h.move(from[0], from[1])
	h.press(picking.Left)
	for i := 1.; i <= steps; i++ {
		h.move(from[0]+(to[0]-from[0])*i/steps, from[1]+(to[1]-from[1])*i/steps)
	}
	h.release(picking.Left)
}

func (h *simulatedPointer) entity(name string) ecs.Entity {
	e, ok := h.a.scene.named(name)
	require.True(h.t, ok, name)
	return e
}

// click clicks an entity at a visible pixel.
func (h *simulatedPointer) click(name string) {
	at, ok := h.a.seen(h.entity(name))
	require.True(h.t, ok, name)
	h.move(at[0], at[1])
	h.press(picking.Left)
	h.release(picking.Left)
}

func (h *simulatedPointer) place(name string) geom.Transform {
	return *h.a.transforms.Get(h.entity(name))
}

// around returns the lower left and the upper right corner of a rectangle in the window around some
// things, with a few pixels more.
func (h *simulatedPointer) around(names ...string) (from, to [2]float64) {
	for i, name := range names {
		b := h.a.bounds([]ecs.Entity{h.entity(name)})
		for k := range 8 {
			p := b.Min
			if k&1 != 0 {
				p.X = b.Max.X
			}
			if k&2 != 0 {
				p.Y = b.Max.Y
			}
			if k&4 != 0 {
				p.Z = b.Max.Z
			}
			x, y, _, ok := h.a.view().Project(p)
			require.True(h.t, ok)
			if i == 0 && k == 0 {
				from, to = [2]float64{x, y}, [2]float64{x, y}
			}
			from, to = [2]float64{min(from[0], x), min(from[1], y)}, [2]float64{max(to[0], x), max(to[1], y)}
		}
	}
	const more = 6
	return [2]float64{from[0] - more, to[1] + more}, [2]float64{to[0] + more, from[1] - more}
}

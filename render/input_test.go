package render

import (
	"math"
	"testing"

	"github.com/go-gl/glfw/v3.3/glfw"
	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

// X11 reports the modifiers as they were before the key event, one key late.
func TestModifiers(t *testing.T) {
	s := inputState{keys: map[glfw.Key]bool{}}
	mods := func() picking.Mods { return s.pointer(picking.Size{}, false).Mods }
	for _, step := range []struct {
		key  glfw.Key
		down bool
		mods glfw.ModifierKey
		want picking.Mods
	}{
		{glfw.KeyLeftShift, true, 0, picking.ModShift},
		{glfw.KeyRightShift, true, glfw.ModShift, picking.ModShift},
		{glfw.KeyA, true, glfw.ModShift, picking.ModShift},
		{glfw.KeyLeftShift, false, glfw.ModShift, picking.ModShift}, // the right one is still down
		{glfw.KeyLeftAlt, true, glfw.ModShift, picking.ModShift | picking.ModAlt},
		{glfw.KeyRightShift, false, glfw.ModShift | glfw.ModAlt, picking.ModAlt},
		{glfw.KeyLeftAlt, false, glfw.ModAlt, 0},
		{glfw.KeyRightControl, true, 0, picking.ModControl},
		{glfw.KeyLeftSuper, true, glfw.ModControl, picking.ModControl | picking.ModSuper},
	} {
		s.key(step.key, step.down, modsOf(step.mods))
		assert.Equal(t, step.want, mods(), "%v %v", step.key, step.down)
	}
	assert.True(t, s.pointer(picking.Size{}, false).Toggle)
	s.focus(false)
	assert.Zero(t, mods(), "a release after the focus was lost is not reported")
	assert.Equal(t, picking.ModShift|picking.ModControl|picking.ModAlt|picking.ModSuper,
		modsOf(glfw.ModShift|glfw.ModControl|glfw.ModAlt|glfw.ModSuper|glfw.ModCapsLock))
}

// A key that goes down and up within a frame is in both lists; repeats are in none, and without the
// focus all keys go up.
func TestKeysOfAFrame(t *testing.T) {
	w := Window{input: inputState{keys: map[glfw.Key]bool{}}}
	s := &w.input
	s.key(glfw.KeySpace, true, 0)
	s.key(glfw.KeySpace, true, 0) // a repeat
	s.key(glfw.KeySpace, false, 0)
	s.key(glfw.KeyF12, true, 0)
	assert.Equal(t, []any{false, true, true, true}, []any{w.IsDown("Space"), w.WentDown("Space"), w.WentUp("Space"), w.WentDown("F12")})
	assert.Equal(t, picking.Keys{Down: []string{"F12"}, Pressed: []string{"Space", "F12"}}, w.Keys())
	s.beginFrame()
	s.key(glfw.KeyF12, true, 0)
	assert.Equal(t, []any{true, false, false}, []any{w.IsDown("F12"), w.WentDown("F12"), w.WentUp("F12")})
	s.focus(false)
	assert.Equal(t, []any{false, true}, []any{w.IsDown("F12"), w.WentUp("F12")})
	assert.Zero(t, w.Keys().Down)

	// Each name has a key of its own.
	names := KeyNames()
	assert.Len(t, keyNames, len(names))
	for _, name := range names {
		assert.Equal(t, name, keyNames[keysByName[name]])
	}
}

// Places of the sticks: nothing within the dead zone, nothing beyond 1, the direction kept.
func TestGamepads(t *testing.T) {
	state := &glfw.GamepadState{}
	state.Axes = [6]float32{0.1, -0.1, 1, -1, -1, 1}
	state.Buttons[glfw.ButtonA], state.Buttons[glfw.ButtonDpadLeft] = glfw.Press, glfw.Press
	pads := []Gamepad{gamepadOf(glfw.Joystick3, "pad", state, nil)}
	g := &pads[0]
	assert.Equal(t, []float32{0, 0, 0, 1}, []float32{g.LeftX, g.LeftY, g.LeftTrigger, g.RightTrigger})
	assert.InDelta(t, math.Sqrt(0.5), g.RightX, 1e-6)
	assert.InDelta(t, math.Sqrt(0.5), g.RightY, 1e-6, "upward")
	assert.True(t, g.IsDown(GamepadA) && g.WentDown(GamepadA) && g.WentDown(GamepadLeft) && !g.IsDown(GamepadB))
	state.Buttons[glfw.ButtonA] = glfw.Release
	state.Axes[glfw.AxisLeftX] = StickDeadZone + (1-StickDeadZone)/2
	state.Axes[glfw.AxisLeftY] = 0
	next := gamepadOf(glfw.Joystick3, "pad", state, pads)
	assert.True(t, next.WentUp(GamepadA) && !next.IsDown(GamepadA) && next.IsDown(GamepadLeft) && !next.WentDown(GamepadLeft))
	assert.InDelta(t, 0.5, next.LeftX, 1e-6)
	other := gamepadOf(glfw.Joystick4, "pad", state, pads)
	assert.True(t, other.WentDown(GamepadLeft), "of another gamepad")
}

func TestPointerCarriesWheelAndTime(t *testing.T) {
	var s inputState
	s.scrollX, s.scrollY = 1, -2
	p := s.pointer(picking.Size{}, false)
	assert.Equal(t, []float64{1, -2}, []float64{p.ScrollX, p.ScrollY})
	assert.Positive(t, p.Time)
	s.beginFrame()
	assert.Zero(t, s.pointer(picking.Size{}, false).ScrollY)
	assert.GreaterOrEqual(t, s.pointer(picking.Size{}, false).Time, p.Time)
	s.button(buttonOf[glfw.MouseButton4], true)
	assert.Equal(t, picking.ButtonSet(picking.Back), s.pointer(picking.Size{}, false).Down)
}

// The ID buffer shows exactly the entities that the pointer can hit.
func TestCollectPickable(t *testing.T) {
	for name, tt := range map[string]struct {
		sensor   bool
		pickable physecs.Pickable
		want     bool
	}{
		"opaque":              {false, physecs.Pickable{}, true},
		"glass":               {false, physecs.Pickable{Mode: physecs.PickThrough}, true},
		"ignored":             {false, physecs.Pickable{Mode: physecs.PickIgnore}, false},
		"sensor":              {true, physecs.Pickable{}, false},
		"sensor, wanted":      {true, physecs.Pickable{Sensor: true}, true},
		"sensor, but ignored": {true, physecs.Pickable{Sensor: true, Mode: physecs.PickIgnore}, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			c := physecs.Sphere(1)
			c.Sensor = tt.sensor
			e := w.put(geom.Transform{}, c, Paint(0))
			id := ecs.ComponentID[physecs.Pickable](&w.World)
			w.Add(e, id)
			*(*physecs.Pickable)(w.Get(e, id)) = tt.pickable
			var s scene
			s.collect(&w.World, false)
			require.Len(t, s.items, 1)
			assert.Equal(t, tt.want, s.items[0].pickable)
			w.Remove(e, id)
			s.collect(&w.World, false)
			assert.Equal(t, !tt.sensor, s.items[0].pickable)
		})
	}
}

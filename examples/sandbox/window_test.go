package main

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/internal/xpointer"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/render"
)

// needDisplay skips a test where there is no display with a pointer to move.
func needDisplay(t *testing.T) {
	t.Helper()
	testenv.Pointer(t)
	runtime.LockOSThread() // OpenGL and GLFW belong to one thread
	t.Cleanup(runtime.UnlockOSThread)
}

// played opens a sandbox and returns a function that plays scripts in it.
func played(t *testing.T, c config) (a *app, play func(t *testing.T, script string)) {
	needDisplay(t)
	c.noVSync, c.steady = true, true
	a, err := newApp(c)
	require.NoError(t, err)
	a.renderer.Style.Shadows, a.renderer.Style.Samples = false, 1 // a processor draws this
	t.Cleanup(a.close)
	t.Cleanup(func() { assert.Empty(t, physecs.Check(&a.world)) })
	pointer, err := xpointer.Open()
	require.NoError(t, err)
	t.Cleanup(pointer.Close)
	return a, func(t *testing.T, script string) {
		t.Helper()
		commands, err := parseScript(strings.NewReader(script), maxCommands)
		require.NoError(t, err)
		require.NoError(t, a.play(&player{pointer: pointer, script: commands, sparing: true}, ""))
	}
}

// TestPlay drives the sandbox by real pointer events in a real window.
func TestPlay(t *testing.T) {
	a, play := played(t, config{width: 480, height: 300, things: 1000})
	// Not t.Run, which would leave the thread of the window.
	step := func(name string, f func(t *testing.T)) {
		t.Log(name)
		f(t)
	}
	selection := ecs.GetResource[physecs.Selection](&a.world)

	step("hover and select", func(t *testing.T) {
		play(t, "move bunny\nexpect hover bunny\nexpect selected nothing\nclick left\nexpect selected bunny")
		bunny, _ := a.scene.named("bunny")
		assert.Equal(t, []ecs.Entity{bunny}, selection.List())
		require.True(t, a.ray.shown && a.ray.ok, "the click leaves its ray")
		assert.Equal(t, bunny, a.ray.hit.Entity)
		play(t, "move ball\nexpect hover ball\nexpect selected bunny\nclick left\nexpect selected ball")
	})

	step("shift adds and takes away", func(t *testing.T) {
		play(t, "move crate\nhold shift\nclick left\nlet shift\nexpect selected ball crate\n"+
			"move ball\nhold shift\nclick left\nlet shift\nexpect selected crate")
	})

	step("clicks on the panels stay there", func(t *testing.T) {
		before := a.ray
		play(t, "move panel:card\nexpect hover nothing\nclick left\nexpect selected crate")
		assert.Equal(t, before, a.ray)
		assert.False(t, a.overlays.aabbs)
		play(t, "move panel:aabbs\nexpect hover nothing\nclick left\nexpect selected crate")
		assert.True(t, a.overlays.aabbs)
		level := a.overlays.level
		play(t, "move panel:more\nclick left\nclick left\nmove panel:less\nclick left\nframes 1")
		assert.Equal(t, level+1, a.overlays.level)
		orbit := a.controls.orbit
		play(t, "move panel:card\nscroll 2\npress right\nmove by 30 40\nrelease right")
		assert.Equal(t, orbit, a.controls.orbit)
		// A press in the world that ends on a panel is not a click on it.
		play(t, "move crate\npress left\nmove panel:bvh\nrelease left\nframes 1\nexpect selected crate")
		assert.False(t, a.overlays.bvh)
	})

	step("keys", func(t *testing.T) {
		for _, item := range a.overlays.list() {
			was := *item.on
			play(t, "key "+string(item.key))
			assert.Equal(t, !was, *item.on, item.name)
			play(t, "key "+string(item.key))
			assert.Equal(t, was, *item.on, item.name)
		}
		level := a.overlays.level
		play(t, "key =\nkey =\nkey -")
		assert.Equal(t, level+1, a.overlays.level)
	})

	step("camera", func(t *testing.T) {
		play(t, "move ground\npress right\nglide by 60 20 2\nexpect hover nothing\nrelease right\nexpect selected crate")
		orbit := a.controls.orbit
		assert.NotEqual(t, a.scene.home, orbit)
		play(t, "move crate\nscroll 2\nframes 3")
		assert.Less(t, a.controls.orbit.Distance, orbit.Distance)
		play(t, "key f\nframes 24")
		crate, _ := a.scene.named("crate")
		assert.Equal(t, a.bounds([]ecs.Entity{crate}).Center(), a.controls.orbit.Target)
		play(t, "key r")
		assert.True(t, a.controls.moving())
		assert.Equal(t, a.scene.home, a.controls.to)
		play(t, "frames 24")
		assert.Equal(t, a.scene.home, a.controls.orbit)
	})

	step("the ground selects nothing", func(t *testing.T) {
		play(t, "move ground\nexpect hover ground\nclick left\nexpect selected nothing")
		assert.True(t, a.ray.ok)
	})

	step("a script that is wrong", func(t *testing.T) {
		for script, want := range map[string]string{
			"\nexpect hover nobody":         "line 2: hovered: ground, and not nobody",
			"expect selected a b":           "line 1: selected: nothing, and not a, b",
			"move nobody":                   `no entity or button named "nobody"`,
			"move 5000 3":                   "outside the window",
			"shot " + os.DevNull + "/a.png": "line 1:",
		} {
			commands, err := parseScript(strings.NewReader(script), maxCommands)
			require.NoError(t, err)
			p := &player{script: commands} // needs no pointer: it fails before
			require.ErrorContains(t, a.play(p, ""), want)
		}
	})

	step("S goes to the swarm and back", func(t *testing.T) {
		play(t, "move bunny\nclick left\nexpect selected bunny\nkey s\nframes 2\nexpect selected nothing")
		assert.Equal(t, swarmScene, a.shown)
		assert.Len(t, a.scene.all, 1000)
		play(t, "key s\nframes 2\nmove bunny\nexpect hover bunny\nclick left\nexpect selected bunny")
		assert.Empty(t, a.shown)
		assert.Len(t, a.library, 2, "what was read once is there")
		play(t, "move ground\nexpect hover ground\nclick left\nexpect selected nothing")
	})

	step("escape ends it", func(t *testing.T) {
		play(t, "key escape\nexpect hover nobody")
		assert.True(t, a.window.ShouldClose())
	})

	step("asleep it wakes up for an event", func(t *testing.T) {
		pointer, err := xpointer.Open()
		require.NoError(t, err)
		defer pointer.Close()
		a.window.SetShouldClose(false)
		a.awake = 0
		require.NoError(t, pointer.KeyDown('q'))
		require.NoError(t, pointer.KeyUp('q'))
		require.NoError(t, a.interact()) // until the key quits
		assert.Positive(t, a.awake)
	})
}

// TestPlaySwarm hovers and clicks flying entities, by real pointer events in a real window.
func TestPlaySwarm(t *testing.T) {
	a, play := played(t, config{scene: swarmScene, width: 800, height: 512, things: 2000})
	ids, err := render.NewIDBuffer()
	require.NoError(t, err)
	defer ids.Close()
	selection := ecs.GetResource[physecs.Selection](&a.world)
	hover := ecs.GetResource[physecs.Hover](&a.world)
	place := func(e ecs.Entity) (x, y float64) {
		x, y, _, ok := a.view().Project(a.scene.swarm.places.Get(e).Position)
		require.True(t, ok)
		return x, y
	}

	t.Log("hover and click as it flies")
	leader, _ := a.scene.named("leader-1")
	play(t, "frames 2\nmove leader-1\nexpect hover leader-1\nexpect selected nothing\nclick left\nexpect selected leader-1")
	assert.True(t, a.ray.shown && a.ray.hit.Entity == leader)

	t.Log("the outline flies with it")
	blue := render.DefaultStyle().SelectedOutline
	a.ray.shown = false
	startX, startY := place(leader)
	for range 3 {
		play(t, "frames 4")
		clear(a.scene.swarm.trails) // they have the colour of the outline
		require.NoError(t, a.renderer.Draw(&a.world, *a.view()))
		require.NoError(t, ids.Draw(&a.world, *a.view()))
		m := a.renderer.Image()
		near := func(x, y int) bool {
			for i := range 11 * 11 {
				if e, _ := ids.Entity(x+i%11-5, m.Rect.Dy()-1-y+i/11-5); e == leader {
					return true
				}
			}
			return false
		}
		outlined, stray := 0, 0
		for y := range m.Rect.Dy() {
			for x := range m.Rect.Dx() {
				if m.NRGBAAt(x, y) == blue {
					outlined++
					if !near(x, y) {
						stray++
					}
				}
			}
		}
		assert.Greater(t, outlined, 50)
		assert.Zero(t, stray, "the outline is around the thing")
	}
	x, y := place(leader)
	assert.Greater(t, math.Hypot(x-startX, y-startY), 8.0, "meanwhile it has flown on")
	play(t, "expect selected leader-1")

	visible := func(not string) (e ecs.Entity, name string) {
		for _, e := range a.scene.all {
			if name := a.scene.names[e]; name != not {
				if _, ok := a.seen(e); ok {
					return e, name
				}
			}
		}
		require.Fail(t, "nothing can be seen")
		return e, ""
	}
	t.Log("under a pointer at rest, hover is what is seen there, tick by tick")
	_, one := visible("leader-1")
	play(t, "move "+one+"\nexpect hover "+one)
	met := map[ecs.Entity]bool{}
	cx, cy, _ := a.window.Cursor()
	for range 10 {
		play(t, "frames 1")
		require.NoError(t, ids.Draw(&a.world, *a.view()))
		px, py, ok := a.view().Pixel(cx, cy)
		require.True(t, ok)
		seen, _ := ids.Entity(px, py)
		require.Equal(t, seen, hover.Entity)
		met[seen] = true
	}
	assert.Greater(t, len(met), 1, "things fly by")

	t.Log("a thing that flies away from under the button is clicked all the same")
	away, one := visible("leader-1")
	play(t, "move "+one+"\nexpect hover "+one+"\npress left")
	for i := 0; hover.Entity == away; i++ {
		require.Less(t, i, 100)
		play(t, "frames 1")
	}
	play(t, "release left\nexpect selected "+one)
	assert.Equal(t, away, a.ray.hit.Entity)
	_, two := visible(one)
	play(t, "move "+two+"\nhold shift\nclick left\nlet shift\nexpect selected "+one+" "+two)
	// A drag is no click.
	play(t, "move "+two+"\npress left\nmove by 30 20\nrelease left\nexpect selected "+one+" "+two)
	// The sky.
	play(t, "move 400 16\nexpect hover nothing\nclick left\nexpect selected nothing")
	assert.Zero(t, selection.Len())

	t.Log("P holds it still")
	play(t, "key p\nframes 1")
	before := *a.scene.swarm.places.Get(leader)
	_, one = visible("")
	play(t, "frames 3\nmove "+one+"\nexpect hover "+one)
	assert.Equal(t, before, *a.scene.swarm.places.Get(leader))
	play(t, "key p\nframes 2\nkey a\nframes 1")
	assert.NotEqual(t, before, *a.scene.swarm.places.Get(leader))
	assert.Positive(t, a.costs.frame.count)

	t.Log("S ends the swarm, for the scene that the sandbox brings along")
	play(t, "key s\nframes 2\nmove bunny\nexpect hover bunny")
}

// TestRun plays a script from the command line, with pictures.
func TestRun(t *testing.T) {
	needDisplay(t)
	dir := t.TempDir()
	script := write(t, "script.txt", "move bunny\npress left\nrelease left\nexpect selected bunny\nshot "+dir+"/made/shot.png")
	require.NoError(t, run([]string{"-size", "640x480", "-play", script, "-frames", filepath.Join(dir, "frames"),
		"-screenshot", filepath.Join(dir, "end.png")}, os.Stderr))
	frames, err := filepath.Glob(filepath.Join(dir, "frames", "*.png"))
	require.NoError(t, err)
	require.Len(t, frames, 4, "the first one and three of the script")
	end := decode(t, filepath.Join(dir, "end.png"))
	assert.Equal(t, image.Rect(0, 0, 640, 480), end.Bounds())
	assert.Equal(t, end, decode(t, filepath.Join(dir, "made", "shot.png")), "no frame in between")
	assert.NotEqual(t, end, decode(t, frames[3]), "frames have a cursor in them")

	outlined := 0
	want := render.DefaultStyle().SelectedOutline
	for y := range 480 {
		for x := range 640 {
			if c := color.NRGBAModel.Convert(end.At(x, y)).(color.NRGBA); c == want {
				outlined++
			}
		}
	}
	assert.Greater(t, outlined, 100, "the bunny has its outline")

	cube := write(t, "cube.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
	require.NoError(t, run([]string{"-scene", cube, "-size", "320x240", "-screenshot", filepath.Join(dir, "cube.png")}, os.Stderr))
	assert.Equal(t, image.Rect(0, 0, 320, 240), decode(t, filepath.Join(dir, "cube.png")).Bounds())
}

func decode(t *testing.T, file string) image.Image {
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	m, err := png.Decode(f)
	require.NoError(t, err)
	return m
}

func TestBadCommandLine(t *testing.T) {
	script := write(t, "good.txt", "frames 1")
	bad := write(t, "bad.txt", "frames 1\nfly 3")
	tests := map[string]struct {
		args []string
		want string
	}{
		"argument":    {[]string{"bunny.obj"}, "-scene"},
		"flag":        {[]string{"-bunny"}, "-bunny"},
		"size":        {[]string{"-size", "800"}, `"800"`},
		"no size":     {[]string{"-size", "0x10"}, `"0x10"`},
		"more size":   {[]string{"-size", "800x600x2"}, `"800x600x2"`},
		"up":          {[]string{"-up", "x"}, `"x"`},
		"frames":      {[]string{"-frames", "out"}, "-play"},
		"no script":   {[]string{"-play", script + "x"}, script + "x"},
		"no replay":   {[]string{"-replay", script + "x"}, script + "x"},
		"bad replay":  {[]string{"-replay", script}, script + ":1:"},
		"two streams": {[]string{"-replay", script, "-play", script}, "-play"},
		"bad script":  {[]string{"-play", bad}, bad + ": line 2: fly"},
		"no display":  {nil, "no display"},
		"play blind":  {[]string{"-play", script}, "X11"},
		"shoot blind": {[]string{"-screenshot", "a.png"}, "no display"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			testenv.Needs(t, runtime.GOOS == "linux" || !strings.Contains(tt.want, "display"), "a system that can be without a display")
			t.Setenv("DISPLAY", "")
			t.Setenv("WAYLAND_DISPLAY", "")
			var stderr bytes.Buffer
			require.ErrorContains(t, run(tt.args, &stderr), tt.want)
		})
	}
}

// TestPlayArena walks, jumps and shoots by real keys and a real pointer in a real window.
func TestPlayArena(t *testing.T) {
	a, play := played(t, config{scene: arenaScene, width: 600, height: 380, things: 1000})
	s := a.scene.arena
	place := func() geom.Vec3 { return s.walker.place.Position }

	t.Log("keys walk, as the camera looks")
	play(t, "frames 3")
	start := place()
	play(t, "hold w\nframes 10\nlet w\nhold d\nframes 10\nlet d\nhold up\nhold shift\nframes 3\nlet shift\nlet up")
	assert.Less(t, place().Z, start.Z-0.5)
	assert.Greater(t, place().X, start.X+0.2)
	assert.Equal(t, a.overlays, func() overlays { o := defaultOverlays(); o.walking = true; return o }(), "W and D are no overlays")
	play(t, "key space\nframes 8")
	assert.Greater(t, place().Y, float32(0.3))
	play(t, "hold s\nkey space\nframes 2\nlet s\nkey r\nframes 1")
	assert.InDelta(t, 0, start.Distance(place()), 1e-4)

	t.Log("a drag looks around and fires nothing; a click and a key fire")
	yaw := s.chase.orbit.Yaw
	play(t, "move 400 250\npress left\nglide by 60 10 3\nrelease left\nframes 1")
	assert.InDelta(t, yaw-60*turnPerPixel, s.chase.orbit.Yaw, 1e-6)
	assert.Zero(t, s.guns.shot)
	play(t, "click left\nframes 2")
	assert.Equal(t, 1, s.guns.shot)
	play(t, "key f\nframes 2")
	assert.Equal(t, 2, s.guns.shot)
	assert.Zero(t, ecs.GetResource[physecs.Selection](&a.world).Len())
	play(t, "scroll 2\nframes 1")
	assert.Less(t, s.chase.wanted, 5.0)

	t.Log("overlays, and the world held still")
	play(t, "move panel:contact\nclick left\nframes 1\nkey n\nkey h")
	assert.False(t, a.overlays.contact)
	assert.False(t, a.overlays.normals)
	assert.True(t, a.overlays.help)
	assert.Equal(t, 2, s.guns.shot, "a click on a panel is no shot")
	play(t, "key p\nframes 1")
	time := s.time
	play(t, "frames 2\nkey p\nframes 1")
	assert.InDelta(t, time+2*steadyTick, s.time, steadyTick+1e-9)

	t.Log("E leaves, and comes back; S walks here and goes to the swarm from there")
	play(t, "key e\nframes 2\nmove bunny\nexpect hover bunny")
	assert.Empty(t, a.shown)
	assert.False(t, a.overlays.walking)
	play(t, "key s\nframes 2")
	assert.Equal(t, swarmScene, a.shown)
	play(t, "key e\nframes 2")
	assert.Equal(t, arenaScene, a.shown)
	assert.NotSame(t, s, a.scene.arena)
	play(t, "key e\nframes 2\nmove bunny\nexpect hover bunny")
}

// TestReplayInAWindow records a session of real keys, which leads into the arena, and replays it in
// another window.
func TestReplayInAWindow(t *testing.T) {
	var file bytes.Buffer
	a, play := played(t, config{width: 480, height: 300, record: &file})
	play(t, "move 200 150\nclick left\nkey 3\nkey =\nkey l\nkey e\nframes 2\nhold w\nframes 12\nkey space\nlet w\nhold d\nframes 6")
	name := write(t, "session.txt", file.String())
	frames, err := readReplay(name)
	require.NoError(t, err)
	again, err := newApp(config{width: 480, height: 300, replay: frames, noVSync: true, steady: true})
	require.NoError(t, err)
	defer again.close()
	again.renderer.Style.Shadows, again.renderer.Style.Samples = false, 1
	require.NoError(t, again.replay(io.Discard))
	require.NotNil(t, again.scene.arena)
	require.Equal(t, len(a.scene.all), len(again.scene.all))
	moved := false
	for i, e := range a.scene.all {
		at := *a.transforms.Get(e)
		assert.Equal(t, at, *again.transforms.Get(again.scene.all[i]), a.scene.names[e])
		moved = moved || a.scene.names[e] == "character" && at.Position.Distance(startPlace.Position) > 0.3
	}
	assert.True(t, moved, "the character walked")
	assert.Equal(t, a.overlays, again.overlays)
	assert.Equal(t, a.marquee.Marquee.Lasso, again.marquee.Marquee.Lasso)
	assert.Equal(t, *a.view(), *again.view())
}

package main

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render"
)

// headless returns an app without a window, which can be queried and not drawn.
func headless(t *testing.T, size picking.Size) *app {
	a := &app{world: ecs.NewWorld(), renderer: &render.Renderer{}, spots: map[string]render.Rect{}}
	a.transforms = generic.NewMap[physecs.Transform](&a.world)
	a.systems.Initialize(&a.world)
	var err error
	a.scene, err = newDemo(&a.world, library{})
	require.NoError(t, err)
	orbit := a.scene.home
	makeRoom(&orbit, size, a.scene.size)
	*a.view() = physecs.View{Camera: orbit.Camera(), Viewport: picking.FullViewport(size, size)}
	return a
}

func TestDemo(t *testing.T) {
	for _, size := range []picking.Size{{Width: 1280, Height: 800}, {Width: 960, Height: 600}, {Width: 1920, Height: 1080}} {
		a := headless(t, size)
		space := physecs.Sync(&a.world)
		assert.Zero(t, space.Stats().Nowhere)
		names := map[string]bool{}
		for _, e := range a.scene.all {
			name := a.scene.names[e]
			assert.False(t, names[name], "there are two of %q", name)
			names[name] = true
			found, ok := a.scene.named(name)
			assert.True(t, ok)
			assert.Equal(t, e, found)

			// Every entity is visible in the first view, and is picked where it is seen.
			at, ok := a.seen(e)
			require.True(t, ok, name)
			*ecs.GetResource[physecs.Pointer](&a.world) = physecs.Pointer{Input: picking.Input{X: at[0], Y: at[1], Inside: true}}
			a.systems.Update(&a.world)
			assert.Equal(t, e, ecs.GetResource[physecs.Hover](&a.world).Entity, name)

			// Nothing floats far above the ground or sinks into it, except for what stands on
			// something else.
			b, ok := space.Bounds(e)
			require.True(t, ok)
			assert.Greater(t, b.Min.Y, float32(-0.02), name)
		}
		for _, name := range []string{"bunny", "dragon", "crate", "ball", "capsule", "table"} {
			assert.True(t, names[name], name)
		}
		ground, ok := a.scene.named("ground")
		assert.True(t, ok)
		assert.Equal(t, a.scene.ground, ground)
		_, ok = a.scene.named("nobody")
		assert.False(t, ok)
	}
}

func TestSeenOnlyWhereItIs(t *testing.T) {
	a := headless(t, picking.Size{Width: 960, Height: 600})
	bunny, _ := a.scene.named("bunny")
	a.view().LookAt(geom.V(0, 1, 5), geom.V(0, 1, 10), geom.V(0, 1, 0))
	_, ok := a.seen(bunny)
	assert.False(t, ok, "it is behind the camera")
}

func write(t *testing.T, name, text string) string {
	file := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
	return file
}

const threeParts = `o left
v 0 0 0
v 1 0 0
v 0 0 1
f 1 3 2
o right
v 10 0 0
v 11 0 0
v 10 4 0
f 4 5 6
o far
v 20 0 0
v 21 0 0
v 20 4 0
f 7 8 9
`

func TestOpenFile(t *testing.T) {
	file := write(t, "parts.obj", threeParts)
	for _, upZ := range []bool{false, true} {
		w := ecs.NewWorld()
		physecs.Sync(&w)
		s, err := newFromFile(&w, library{}, file, upZ)
		require.NoError(t, err)
		require.Len(t, s.all, 3)
		for i, name := range []string{"left", "right", "far"} {
			assert.Equal(t, name, s.names[s.all[i]])
		}
		b, ok := physecs.Sync(&w).Bounds(s.all[1])
		require.True(t, ok)
		high := geom.V(11, 4, 0)
		if upZ {
			high = geom.V(11, 0, 0) // the file's y goes away from the camera
			assert.InDelta(t, -4, b.Min.Z, 1e-4)
		}
		assert.InDelta(t, high.Y, b.Max.Y, 1e-4)
		assert.InDelta(t, high.X, b.Max.X, 1e-4)

		// The camera sees all of it.
		view := picking.View{Camera: s.home.Camera(), Viewport: window}
		for _, e := range s.all {
			b, _ := physecs.Sync(&w).Bounds(e)
			for _, p := range []geom.Vec3{b.Min, b.Max} {
				x, y, depth, ok := view.Project(p)
				assert.True(t, ok && x > 0 && x < 800 && y > 0 && y < 600 && depth > 0 && depth < 1, "%v at %v %v", p, x, y)
			}
		}
	}
}

func TestUnique(t *testing.T) {
	used := map[string]int{}
	for _, want := range [][2]string{{"a", "a"}, {"b", "b"}, {"a", "a 2"}, {"a", "a 3"}, {"b", "b 2"}} {
		assert.Equal(t, want[1], unique(want[0], used))
	}
}

func TestOpenFilesOfAnySize(t *testing.T) {
	for _, scale := range []float32{1e-3, 1, 1e4} {
		file := write(t, "a.obj", "v 0 0 0\nv "+number(scale*1000)+" 0 0\nv 0 "+number(scale*1000)+" 0\nf 1 2 3\n")
		w := ecs.NewWorld()
		physecs.Sync(&w)
		s, err := newFromFile(&w, library{}, file, false)
		require.NoError(t, err)
		a := app{scene: s, overlays: defaultOverlays()}
		lines := s.size / a.gridSpacing()
		assert.True(t, lines >= 1.4 && lines < 16, "%v lines at scale %v", lines, scale)
		assert.False(t, math.IsNaN(s.home.Distance))
	}
}

func TestOpenBadFile(t *testing.T) {
	tests := map[string]struct{ file, text, want string }{
		"not there":      {file: filepath.Join(t.TempDir(), "none.glb"), want: "none.glb"},
		"unknown format": {file: "scene.blend", text: "x", want: ".obj, .stl, .gltf and .glb"},
		"damaged":        {file: "bad.obj", text: "v 0 0 0\nv 1 zero 0\n", want: "bad.obj:2:"},
		"no triangles":   {file: "empty.obj", text: "v 0 0 0\n", want: "empty.obj"},
		"cut off":        {file: "cut.glb", text: "glTF\x02\x00\x00\x00", want: "cut.glb"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			file := tt.file
			if tt.text != "" {
				file = write(t, tt.file, tt.text)
			}
			t.Setenv("DISPLAY", "") // the file is looked at before a window is opened
			t.Setenv("WAYLAND_DISPLAY", "")
			err := run([]string{"-scene", file}, os.Stderr)
			require.ErrorContains(t, err, tt.want)
		})
	}
}

// A model of coordinates that no camera can hold is an error that says so.
func TestOpenTooLargeAFile(t *testing.T) {
	w := ecs.NewWorld()
	physecs.Sync(&w)
	file := write(t, "wide.obj", "v -3.4e38 0 0\nv 3.4e38 0 0\nv 0 3.4e38 0\nf 1 2 3\n")
	_, err := newFromFile(&w, library{}, file, false)
	require.ErrorContains(t, err, "wide.obj: reaches from")
	require.ErrorContains(t, err, "cannot be shown")
}

// A scene that is left again leads to that of the start, though a key shows it, too.
func TestGoToAgain(t *testing.T) {
	for _, c := range []struct{ start, shown, goTo, want string }{
		{stackScene, stackScene, swarmScene, swarmScene},
		{stackScene, swarmScene, swarmScene, stackScene},
		{stackScene, stackScene, stackScene, ""},
		{"statue.glb", arenaScene, arenaScene, "statue.glb"},
		{"", arenaScene, arenaScene, ""},
	} {
		a := app{config: config{scene: c.start}, shown: c.shown}
		a.goTo(c.goTo)
		assert.True(t, a.leaving)
		assert.Equal(t, c.want, a.next, "%+v", c)
	}
}

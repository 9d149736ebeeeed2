package render

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/go-gl/glfw/v3.3/glfw"
	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"github.com/stretchr/testify/require"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/picking"
)

// hidden is the window shared by all tests that need only a context.
var hidden *Window

// context makes the hidden window's context current for a test. Without a display it skips the
// test.
func context(t testing.TB) *Window {
	t.Helper()
	testenv.Display(t)
	runtime.LockOSThread()
	if hidden == nil {
		w, err := Open(Options{Hidden: true, Width: 64, Height: 64})
		require.NoError(t, err)
		hidden = w
	}
	hidden.MakeCurrent()
	before := live
	t.Cleanup(func() {
		require.Equal(t, before, live, "objects left behind on the graphics card")
		glfw.DetachCurrentContext()
		runtime.UnlockOSThread()
	})
	return hidden
}

func newTestRenderer(t testing.TB) *Renderer {
	t.Helper()
	context(t)
	r, err := NewRenderer()
	require.NoError(t, err)
	t.Cleanup(r.Close)
	return r
}

// world is an Arche world with helpers that add entities.
type world struct {
	ecs.World
	add generic.Map3[physecs.Transform, physecs.Collider, Material]
}

func newWorld() *world {
	w := &world{World: ecs.NewWorld()}
	var systems physecs.Simulation
	systems.Initialize(&w.World)
	w.add = generic.NewMap3[physecs.Transform, physecs.Collider, Material](&w.World)
	return w
}

func (w *world) put(t geom.Transform, c physecs.Collider, m Material) ecs.Entity {
	return w.add.NewWith(&t, &c, &m)
}

func (w *world) mesh(t testing.TB, vertices []geom.Vec3, indices []uint32) physecs.Collider {
	t.Helper()
	m, err := mesh.New(vertices, indices)
	require.NoError(t, err)
	return physecs.Mesh(resource[physecs.Meshes](&w.World).Add(m))
}

func (w *world) hull(t require.TestingT, points []geom.Vec3) physecs.Collider {
	h, err := hull.New(points)
	require.NoError(t, err)
	return physecs.Hull(resource[physecs.Meshes](&w.World).AddHull(h))
}

func square(pixels int) picking.Viewport {
	size := picking.Size{Width: pixels, Height: pixels}
	return picking.FullViewport(size, size)
}

func wide(width, height int) picking.Viewport {
	size := picking.Size{Width: width, Height: height}
	return picking.FullViewport(size, size)
}

// viewFrom returns a view from eye to target.
func viewFrom(eye, target geom.Vec3, p picking.Projection, v picking.Viewport) picking.View {
	view := picking.View{Viewport: v}
	view.Projection = p
	view.LookAt(eye, target, geom.V(0, 1, 0))
	return view
}

// save writes the frame to the folder named by HITSCAN_PICTURES, if it is set.
func save(t testing.TB, r *Renderer, name string) {
	t.Helper()
	if dir := os.Getenv("HITSCAN_PICTURES"); dir != "" {
		require.NoError(t, r.Screenshot(filepath.Join(dir, name+".png")))
	}
}

// section is t.Run for a test with a context: a subtest runs on another goroutine and so on another
// thread, and a context is current on one thread at a time.
func section(t *testing.T, name string, f func(t *testing.T)) {
	t.Helper()
	glfw.DetachCurrentContext()
	t.Run(name, func(t *testing.T) {
		runtime.LockOSThread()
		hidden.MakeCurrent()
		defer runtime.UnlockOSThread()
		defer glfw.DetachCurrentContext()
		f(t)
	})
	hidden.MakeCurrent()
}

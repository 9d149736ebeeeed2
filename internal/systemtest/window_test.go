//go:build cgo

package systemtest

import (
	"image"
	"image/color"
	"math"
	"testing"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/internal/xpointer"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render"
)

// From the display's pointer to pixels in a real window: the pointer is moved and pressed, the
// window system delivers the events, and the tests assert the pixels that are drawn.

// openPointer returns the pointer of the display. It skips the test if there is none, or if a user
// works on the display.
func openPointer(t *testing.T) *xpointer.Pointer {
	testenv.Pointer(t)
	p, err := xpointer.Open()
	require.NoError(t, err)
	t.Cleanup(p.Close)
	testenv.Needs(t, !isManaged(t), "a display without a window manager, whose pointer nobody uses: scripts/xvfb.sh --virtual COMMAND")
	return p
}

// isManaged reports whether a window manager runs on the display.
func isManaged(t *testing.T) bool {
	conn, err := xgb.NewConn()
	require.NoError(t, err)
	defer conn.Close()
	const name = "_NET_SUPPORTING_WM_CHECK" // Extended Window Manager Hints
	atom, err := xproto.InternAtom(conn, true, uint16(len(name)), name).Reply()
	require.NoError(t, err)
	if atom.Atom == xproto.AtomNone {
		return false
	}
	root := xproto.Setup(conn).DefaultScreen(conn).Root
	property, err := xproto.GetProperty(conn, false, root, atom.Atom, xproto.GetPropertyTypeAny, 0, 1).Reply()
	require.NoError(t, err)
	return property.ValueLen > 0
}

// testWindow is a world in a window, and the display's pointer.
type testWindow struct {
	t        *testing.T
	win      *render.Window
	pointer  *xpointer.Pointer
	renderer *render.Renderer
	ids      *render.IDBuffer
	world    *ecs.World
	systems  physecs.Simulation
	things   generic.Map3[physecs.Transform, physecs.Collider, render.Material]
	names    map[ecs.Entity]string
}

// newTestWindowOf returns a test window with a world that is not yet initialised.
func newTestWindowOf(t *testing.T, world *ecs.World) *testWindow {
	win := openWindow(t, render.Options{Title: t.Name(), Width: 900, Height: 600, NoVSync: true})
	d := &testWindow{t: t, win: win, pointer: openPointer(t), names: map[ecs.Entity]string{}, world: world}
	var err error
	d.renderer, err = render.NewRenderer()
	require.NoError(t, err)
	t.Cleanup(d.renderer.Close)
	d.renderer.Style.Shadows = false // a processor draws this
	d.ids, err = render.NewIDBuffer()
	require.NoError(t, err)
	t.Cleanup(d.ids.Close)
	d.systems.Initialize(d.world)
	return d
}

func newTestWindow(t *testing.T) *testWindow {
	world := ecs.NewWorld()
	d := newTestWindowOf(t, &world)
	d.things = generic.NewMap3[physecs.Transform, physecs.Collider, render.Material](d.world)
	meshes := ecs.GetResource[physecs.Meshes](d.world)

	floor := d.put("floor", geom.At(0, -2, 0), physecs.Plane(geom.V(0, 1, 0), 0))
	d.world.Add(floor, ecs.ComponentID[physecs.Unpickable](d.world))
	for i, thing := range []struct {
		name     string
		collider physecs.Collider
	}{
		{"AABB", physecs.AABB(geom.V(0.5, 0.4, 0.3))},
		{"box", physecs.Box(geom.V(0.5, 0.4, 0.3))},
		{"sphere", physecs.Sphere(0.5)},
		{"capsule", physecs.Capsule(0.3, 0.3)},
		{"smooth mesh", physecs.Mesh(meshes.Add(must(mesh.New(mesh.Icosphere(0.5, 4)))))},
		{"bunny", physecs.Mesh(meshes.Add(bunnyMesh()))},
		{"compound", physecs.Compound(meshes.AddCompound(physics.NewCompound(
			physics.Child{Shape: geom.Sphere{Center: geom.V(0, 0.5, 0), Radius: 0.3}},
			physics.Child{Shape: geom.Box{HalfExtents: geom.V(0.4, 0.4, 0.4)}},
		)))},
	} {
		at := geom.Transform{Position: geom.V(float32(i%4)*1.7-2.5, 1-float32(i/4)*1.8, 0), Rotation: geom.QuatEuler(0.5, 0.3, 0.2)}
		if thing.name == "bunny" {
			at.Rotation = geom.Quat{}
		}
		d.put(thing.name, at, thing.collider)
	}
	view := ecs.GetResource[physecs.View](d.world)
	view.Projection = picking.Perspective(0.6, 0.1, 100)
	view.LookAt(geom.V(0.6, 1.4, 8), geom.V(0, 0.2, 0), geom.V(0, 1, 0))
	d.leave()
	return d
}

func (d *testWindow) put(name string, t geom.Transform, c physecs.Collider) ecs.Entity {
	m := render.Paint(0x808A90)
	e := d.things.NewWith(&t, &c, &m)
	d.names[e] = name
	return e
}

// entity returns the entity of a name.
func (d *testWindow) entity(name string) ecs.Entity {
	for e, n := range d.names {
		if n == name {
			return e
		}
	}
	require.Fail(d.t, "no such entity", name)
	return ecs.Entity{}
}

// frame handles events until done returns true, and steps the world.
func (d *testWindow) frame(what string, done func() bool) {
	require.True(d.t, d.win.WaitUntil(testenv.Patience, done), "%s: no event of it arrived", what)
	d.win.Feed(d.world, &d.renderer.HUD)
	d.systems.Update(d.world)
}

// move moves the pointer to a place in the window.
func (d *testWindow) move(x, y float64) {
	left, top := d.win.GLFW().GetPos()
	x, y = math.Floor(x), math.Floor(y)
	require.NoError(d.t, d.pointer.Move(left+int(x), top+int(y)))
	d.frame("moving", func() bool {
		cx, cy, inside := d.win.Cursor()
		return inside && cx == x && cy == y
	})
}

// leave moves the pointer out of the window.
func (d *testWindow) leave() {
	left, top := d.win.GLFW().GetPos()
	size := d.win.Size()
	require.NoError(d.t, d.pointer.Move(left+size.Width+50, top+size.Height+50))
	d.frame("leaving", func() bool {
		_, _, inside := d.win.Cursor()
		return !inside
	})
}

func (d *testWindow) press(b xpointer.Button) {
	require.NoError(d.t, d.pointer.Press(b))
	d.frame("pressing", func() bool { down, _ := d.win.Buttons(); return down != 0 })
}

func (d *testWindow) release(b xpointer.Button) {
	require.NoError(d.t, d.pointer.Release(b))
	d.frame("releasing", func() bool { down, _ := d.win.Buttons(); return down == 0 })
}

func (d *testWindow) view() picking.View { return *ecs.GetResource[physecs.View](d.world) }

// center returns where an entity's centre is seen in the window.
func (d *testWindow) center(e ecs.Entity) (x, y float64) {
	tr, _, _ := d.things.Get(e)
	p := tr.Position
	if d.names[e] == "bunny" { // it stands on its origin
		p.Y += 0.4
	}
	x, y, _, ok := d.view().Project(p)
	require.True(d.t, ok)
	return x, y
}

func (d *testWindow) hovered() ecs.Entity {
	h := ecs.GetResource[physecs.Hover](d.world)
	assert.Equal(d.t, h.OK, !h.Entity.IsZero())
	return h.Entity
}

func (d *testWindow) selected() []ecs.Entity {
	return ecs.GetResource[physecs.Selection](d.world).List()
}

// picture draws the world, with the outlines or without, and shows it.
func (d *testWindow) picture(width float32) *image.NRGBA {
	d.renderer.Style.OutlineWidth = width
	require.NoError(d.t, d.renderer.Draw(d.world, d.view()))
	d.win.Present(d.renderer)
	return d.renderer.Image()
}

// distances returns the distance in pixels of each pixel to the nearest one that shows an entity,
// between centres: 0 on the entity, +Inf beyond reach.
func (d *testWindow) distances(e ecs.Entity, reach int) func(x, y int) float64 {
	require.NoError(d.t, d.ids.Draw(d.world, d.view()))
	size := d.ids.Size()
	dist := make([]float64, size.Width*size.Height)
	for i := range dist {
		dist[i] = math.Inf(1)
	}
	shows := func(px, py int) bool { got, _ := d.ids.Entity(px, py); return got == e }
	seen := 0
	for py := range size.Height {
		for px := range size.Width {
			if !shows(px, py) {
				continue
			}
			seen++
			row := size.Height - 1 - py // a picture's rows run downward
			dist[row*size.Width+px] = 0
			if px > 0 && shows(px-1, py) && px+1 < size.Width && shows(px+1, py) &&
				py > 0 && shows(px, py-1) && py+1 < size.Height && shows(px, py+1) {
				continue // a neighbour is nearer to any pixel outside
			}
			for y := max(row-reach, 0); y <= min(row+reach, size.Height-1); y++ {
				for x := max(px-reach, 0); x <= min(px+reach, size.Width-1); x++ {
					at := &dist[y*size.Width+x]
					*at = math.Min(*at, math.Hypot(float64(x-px), float64(y-row)))
				}
			}
		}
	}
	require.Greater(d.t, seen, 2000, "the entity is in the picture")
	return func(x, y int) float64 { return dist[y*size.Width+x] }
}

// assertOutlined asserts that an entity is outlined by a line of a colour and a width in pixels,
// and that no other entity is: otherwise it is the picture without outlines. Pixels at the rim of
// the line, which may be partly covered, are left out.
func (d *testWindow) assertOutlined(e ecs.Entity, want color.NRGBA, width float32, without *image.NRGBA) {
	with := d.picture(width)
	name, w := d.names[e], float64(width)
	distance := d.distances(e, int(w)+4)
	const diagonal = math.Sqrt2 / 2 // from a pixel's centre to its corner
	var line, bare, missing, stray int
	var atMissing, atStray image.Point
	b := with.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			// The silhouette is crossed within the last of the s pixels to the nearest that shows
			// the entity.
			s := distance(x, y)
			switch got := with.NRGBAAt(x, y); {
			case s >= 1+diagonal && s <= w-diagonal:
				line++
				if got != want {
					missing, atMissing = missing+1, image.Pt(x, y)
				}
			case s == 0 && inner(distance, b, x, y) || s > w+1+diagonal:
				bare++
				if got != without.NRGBAAt(x, y) {
					stray, atStray = stray+1, image.Pt(x, y)
				}
			}
		}
	}
	assert.Greater(d.t, line, 300, name)
	assert.Greater(d.t, bare, 100_000, name)
	assert.Zero(d.t, missing, "%s, width %g: pixels of the outline that are not in its colour, of %d, such as %v", name, width, line, atMissing)
	assert.Zero(d.t, stray, "%s, width %g: pixels inside or far away that the outline changed, such as %v", name, width, atStray)
}

// inner reports whether all pixels around one show the entity too.
func inner(distance func(x, y int) float64, b image.Rectangle, x, y int) bool {
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			if !image.Pt(x+dx, y+dy).In(b) || distance(x+dx, y+dy) != 0 {
				return false
			}
		}
	}
	return true
}

// assertBare asserts that nothing is outlined, and returns the picture.
func (d *testWindow) assertBare(what string) (without *image.NRGBA) {
	with, without := d.picture(5), d.picture(0)
	assert.Equal(d.t, without.Pix, with.Pix, "%s: nothing is outlined", what)
	return without
}

func TestWindow(t *testing.T) {
	for i, name := range []string{"AABB", "box", "sphere", "capsule", "smooth mesh", "bunny", "compound"} {
		t.Run(name, func(t *testing.T) {
			d := newTestWindow(t)
			d.renderer.Style.Samples = []int{1, 4}[i%2]
			e, style := d.entity(name), d.renderer.Style
			require.True(t, d.hovered().IsZero())
			without := d.assertBare("the pointer is outside")

			x, y := d.center(e)
			d.move(x, y)
			require.Equal(t, name, d.names[d.hovered()])
			require.Empty(t, d.selected())
			for _, width := range []float32{4, 7} {
				d.assertOutlined(e, style.HoverOutline, width, without)
			}

			d.press(xpointer.Left)
			require.Empty(t, d.selected())
			d.release(xpointer.Left)
			require.Equal(t, []ecs.Entity{e}, d.selected())
			require.Equal(t, e, d.hovered())
			d.assertOutlined(e, style.SelectedOutline, 5, without)

			// The entity moves out of the view, and the pointer does not move.
			tr, _, _ := d.things.Get(e)
			tr.Position = geom.V(0, 0, 50)
			d.frame("moving the entity", func() bool { return true })
			require.True(t, d.hovered().IsZero())
			d.assertBare("the entity has gone")
			require.Equal(t, []ecs.Entity{e}, d.selected(), "it stays selected")

			d.press(xpointer.Left)
			d.release(xpointer.Left)
			require.Empty(t, d.selected(), "a click on nothing clears the selection")
		})
	}
}

func TestWindowPointer(t *testing.T) {
	d := newTestWindow(t)
	e := d.entity("sphere")
	x, y := d.center(e)

	d.move(x, y)
	require.Equal(t, e, d.hovered())
	d.press(xpointer.Left)
	d.move(x+picking.DefaultClickDistance+2, y)
	require.Equal(t, e, d.hovered(), "still on the sphere")
	d.move(x, y)
	d.release(xpointer.Left)
	require.Empty(t, d.selected(), "a drag is no click, even if it ends where it began")

	d.press(xpointer.Left)
	d.move(x+2, y-2)
	d.release(xpointer.Left)
	require.Equal(t, []ecs.Entity{e}, d.selected(), "a click may move by two pixels")

	box := d.entity("box")
	bx, by := d.center(box)
	d.move(bx, by)
	d.press(xpointer.Right)
	d.release(xpointer.Right)
	require.Equal(t, []ecs.Entity{e}, d.selected(), "the right button selects nothing")

	require.NoError(t, d.pointer.Press(xpointer.Left))
	require.NoError(t, d.pointer.Release(xpointer.Left))
	d.frame("a click within a frame", func() bool {
		down, pressed := d.win.Buttons()
		return pressed.Has(picking.Left) && down == 0
	})
	require.Equal(t, []ecs.Entity{box}, d.selected(), "a press and a release within one frame are a click")

	d.press(xpointer.Left)
	d.move(x, y)
	d.release(xpointer.Left)
	require.Equal(t, []ecs.Entity{box}, d.selected(), "pressed on one and released on another clicks neither")

	require.Equal(t, e, d.hovered())
	d.leave()
	require.True(t, d.hovered().IsZero(), "out of the window nothing is hovered")
	d.assertOutlined(box, d.renderer.Style.SelectedOutline, 4, d.picture(0))
	d.move(x, y)
	require.Equal(t, e, d.hovered(), "and back again")
}

// TestWindowResized asserts that picking uses the window's new size.
func TestWindowResized(t *testing.T) {
	d := newTestWindow(t)
	want := picking.Size{Width: 1100, Height: 560}
	d.win.Resize(want.Width, want.Height)
	d.frame("resizing", func() bool { return d.win.FramebufferSize() == want })
	require.Equal(t, picking.FullViewport(want, want), d.view().Viewport)
	for e, name := range d.names {
		if name == "floor" {
			continue
		}
		d.move(d.center(e))
		require.Equal(t, name, d.names[d.hovered()])
	}
	e := d.hovered()
	d.assertOutlined(e, d.renderer.Style.HoverOutline, 4, d.picture(0))
}

package render

import (
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/physics/meshio"
	"github.com/hitscan-go/hitscan/picking"
)

var projection = picking.Perspective(0.7, 0.05, 1000)

// darkness is a style that shows only outlines, lines and the HUD, so that their widths can be
// measured by adding up pixels.
func darkness() Style {
	s := DefaultStyle()
	s.SkyTop, s.SkyHorizon, s.SkyBottom = RGB(0), RGB(0), RGB(0)
	s.KeyStrength, s.AmbientLight, s.Shadows = 0, 0, false
	s.HoverOutline, s.SelectedOutline = RGB(0xffffff), RGB(0xff0000)
	return s
}

func (r *Renderer) mustDraw(t testing.TB, w *world, v picking.View) *image.NRGBA {
	t.Helper()
	require.NoError(t, r.Draw(&w.World, v))
	m := r.Image()
	require.Equal(t, image.Rect(0, 0, v.Framebuffer.Width, v.Framebuffer.Height), m.Rect)
	return m
}

func light(c color.NRGBA) int { return int(c.R) + int(c.G) + int(c.B) }

func hover(w *world, e ecs.Entity) {
	h := resource[physecs.Hover](&w.World)
	h.OK, h.Entity = true, e
}

func TestLitCube(t *testing.T) {
	r := newTestRenderer(t)
	w := newWorld()
	w.put(geom.Transform{}, physecs.Box(geom.V(1, 1, 1)), Paint(0xC06040))
	v := viewFrom(geom.V(4, 4, 4), geom.Vec3{}, projection, wide(320, 200))
	m := r.mustDraw(t, w, v)
	save(t, r, "cube")
	at := func(p geom.Vec3) color.NRGBA {
		x, y, _, ok := v.Project(p)
		require.True(t, ok)
		return m.NRGBAAt(int(x), int(y))
	}
	top, right, left := at(geom.V(0, 1, 0)), at(geom.V(1, 0, 0)), at(geom.V(0, 0, 1))
	assert.Greater(t, light(top), light(left)+20, "the light comes from above")
	assert.Greater(t, light(left), light(right)+20, "and from the left")
	for _, c := range []color.NRGBA{top, right, left} {
		assert.True(t, c.R > c.G && c.G > c.B, "the colour of the paint: %v", c)
		assert.Greater(t, light(c), 60, "no side is black")
		assert.Equal(t, uint8(255), c.A)
	}
	sky := m.NRGBAAt(3, 3)
	assert.Greater(t, light(sky), 450, "a light sky")
	assert.Greater(t, sky.B, sky.R)

	// The left edge is antialiased: there is a colour between those of cube and sky.
	between := 0
	for x := range 160 {
		if b := m.NRGBAAt(x, 100).B; b > left.B+30 && b < sky.B-50 {
			between++
		}
	}
	assert.GreaterOrEqual(t, between, 1)
	assert.Equal(t, Stats{Items: 1, Batches: 1, Triangles: 12, Samples: r.Stats().Samples}, r.Stats())
	assert.Greater(t, r.Stats().Samples, 1)
}

func TestShadowFallsOnThePlane(t *testing.T) {
	r := newTestRenderer(t)
	w := newWorld()
	w.put(geom.Transform{}, physecs.Plane(geom.V(0, 1, 0), 0), Paint(0xC9CED3))
	w.put(geom.At(0, 2, 0), physecs.Sphere(0.5), Paint(0xC06040))
	r.Style.GridSpacing = 0
	r.Style.KeyLight = geom.V(-1, 1, 0)
	v := viewFrom(geom.V(0, 6, 8), geom.Vec3{}, projection, wide(320, 200))
	floor := func(m *image.NRGBA, x, z float32) int {
		px, py, _, _ := v.Project(geom.V(x, 0, z))
		return light(m.NRGBAAt(int(px), int(py)))
	}
	m := r.mustDraw(t, w, v)
	save(t, r, "shadow")
	assert.Less(t, floor(m, 2, 0), floor(m, -2, 0)-90, "the key light's shadow lies to the right")
	assert.Less(t, floor(m, 0, 0), floor(m, -2, 0)-15, "a soft one lies right below")
	r.Style.Shadows = false
	m = r.mustDraw(t, w, v)
	assert.InDelta(t, floor(m, 2, 0), floor(m, -2, 0), 6)
}

// average returns the mean difference of two images per channel.
func average(a, b *image.NRGBA) float64 {
	sum := 0
	for i := range a.Pix {
		d := int(a.Pix[i]) - int(b.Pix[i])
		sum += max(d, -d)
	}
	return float64(sum) / float64(len(a.Pix))
}

func TestMirroredItemsAreNotInsideOut(t *testing.T) {
	r := newTestRenderer(t)
	v := viewFrom(geom.V(2, 2, 4), geom.Vec3{}, projection, square(200))
	picture := func(scale geom.Vec3, kind func(w *world) physecs.Collider) *image.NRGBA {
		w := newWorld()
		w.put(geom.Transform{Scale: scale}, kind(w), Paint(0xC06040))
		return r.mustDraw(t, w, v)
	}
	for name, kind := range map[string]func(w *world) physecs.Collider{
		"mesh": func(w *world) physecs.Collider {
			return w.mesh(t, first(mesh.Torus(1, 0.3, 48, 24)), second(mesh.Torus(1, 0.3, 48, 24)))
		},
		"box":     func(*world) physecs.Collider { return physecs.Box(geom.V(1, 0.5, 0.7)) },
		"hull":    func(w *world) physecs.Collider { return w.hull(t, first(mesh.Icosphere(1, 1))) },
		"capsule": func(*world) physecs.Collider { return physecs.Capsule(0.5, 0.5) },
	} {
		plain := picture(geom.V(1, 1, 1), kind)
		for _, scale := range []geom.Vec3{{X: -1, Y: 1, Z: 1}, {X: 1, Y: -1, Z: 1}, {X: -1, Y: -1, Z: -1}} {
			assert.Less(t, average(plain, picture(scale, kind)), 0.15, "%s, %v", name, scale)
		}
	}
}

// Far away from the origin the image is the same.
func TestFarFromOrigin(t *testing.T) {
	r := newTestRenderer(t)
	picture := func(o geom.Vec3) *image.NRGBA {
		w := newWorld()
		w.put(geom.Transform{Position: o.Add(geom.V(-1, 0.5, 0))}, physecs.Box(geom.V(0.5, 0.5, 0.5)), Paint(0xC06040))
		w.put(geom.Transform{Position: o.Add(geom.V(1, 0.5, 0))}, physecs.Sphere(0.5), Paint(0x4060C0))
		w.put(geom.Transform{Position: o}, physecs.Plane(geom.V(0, 1, 0), 0), Paint(0xC9CED3))
		return r.mustDraw(t, w, viewFrom(o.Add(geom.V(2, 2, 4)), o, projection, square(200)))
	}
	assert.Less(t, average(picture(geom.Vec3{}), picture(geom.V(20480, 512, -10240))), 0.3)
}

// Rebasing the space and the camera does not change the image: grid and shadows stay at their
// absolute places, though the new origin is not a whole number of cells or texels away.
func TestRebasedPicture(t *testing.T) {
	r := newTestRenderer(t)
	w := newWorld()
	w.put(geom.At(-1, 0.5, 0), physecs.Box(geom.V(0.5, 0.5, 0.5)), Paint(0xC06040))
	w.put(geom.At(1, 0.5, 0), physecs.Sphere(0.5), Paint(0x4060C0))
	w.put(geom.Transform{}, physecs.Plane(geom.V(0, 1, 0), 0), Paint(0xC9CED3))
	v := viewFrom(geom.V(2, 2, 4), geom.Vec3{}, projection, square(200))
	r.Lines.AABB(geom.AABBAround(geom.V(-1, 0.5, 0), geom.V(0.5, 0.5, 0.5)), RGB(0xE03050))
	before := r.mustDraw(t, w, v)
	rebase := func(to geom.DVec3) {
		space := physecs.Sync(&w.World).Physics()
		from := space.Origin()
		space.Rebase(to)
		v.Rebase(from, to)
		query := w.Query(ecs.All(ecs.ComponentID[physecs.Transform](&w.World)))
		for query.Next() {
			at := (*physecs.Transform)(query.Get(ecs.ComponentID[physecs.Transform](&w.World)))
			at.Position = at.Position.Wide().Add(from.Sub(to)).Narrow()
		}
		physecs.Sync(&w.World)
	}
	for _, to := range []geom.DVec3{{X: 123.25, Y: -7.5, Z: 345.625}, {X: -0.375}, {}} {
		rebase(to)
		r.Lines.AABB(geom.AABBAround(geom.DVec3{X: -1, Y: 0.5}.Sub(to).Narrow(), geom.V(0.5, 0.5, 0.5)), RGB(0xE03050))
		assert.Equal(t, before.Pix, r.mustDraw(t, w, v).Pix, "%v", to)
	}
}

func TestPlaneIsSeenFromItsFront(t *testing.T) {
	r := newTestRenderer(t)
	w := newWorld()
	v := viewFrom(geom.V(0, 3, 6), geom.Vec3{}, projection, square(200))
	below := viewFrom(geom.V(0, -3, 6), geom.Vec3{}, projection, square(200))
	sky, skyBelow := r.mustDraw(t, w, v), r.mustDraw(t, w, below)
	w.put(geom.Transform{}, physecs.Plane(geom.V(0, 2, 0), 0), Paint(0x406030))
	assert.Greater(t, average(sky, r.mustDraw(t, w, v)), 20.0)
	assert.Zero(t, average(skyBelow, r.mustDraw(t, w, below)))
	ortho := viewFrom(geom.V(0, 3, 6), geom.Vec3{}, picking.Orthographic(4, 0.1, 50), square(200))
	m := r.mustDraw(t, w, ortho)
	assert.Less(t, m.NRGBAAt(100, 100).R, m.NRGBAAt(100, 100).G)
}

// The collider is drawn: a pixel has a colour other than the sky's exactly where the ID buffer has
// an entity.
func TestPictureAgainstIDBuffer(t *testing.T) {
	r := newTestRenderer(t)
	b, err := NewIDBuffer()
	require.NoError(t, err)
	defer b.Close()
	w := shapesOfAllKinds(t, geom.Vec3{})
	s := darkness()
	s.AmbientLight, s.SkyLight, s.GroundLight, s.Samples = 1, RGB(0xffffff), RGB(0xffffff), 1
	r.Style = s
	v := viewFrom(geom.V(2.5, 3, 5.5), geom.V(0, 0.5, 0), projection, wide(320, 200))
	drawn := ecs.All(ecs.ComponentID[Material](&w.World))
	query := w.Query(&drawn)
	id := ecs.ComponentID[physecs.Collider](&w.World)
	unpickable := ecs.ComponentID[physecs.Unpickable](&w.World)
	for query.Next() {
		// The plane fades, and unpickable entities are drawn too: neither is compared.
		c := (*physecs.Collider)(query.Get(id))
		if c.Kind == physecs.KindPlane || c.Sensor || query.Has(unpickable) {
			c.Kind = physecs.KindNone
		}
	}
	m := r.mustDraw(t, w, v)
	save(t, r, "crowd")
	require.NoError(t, b.Draw(&w.World, v))
	differ, covered := 0, 0
	for y := range 200 {
		for x := range 320 {
			_, ok := b.Entity(x, 199-y)
			if ok {
				covered++
			}
			if ok != (light(m.NRGBAAt(x, y)) > 0) {
				differ++
			}
		}
	}
	assert.Greater(t, covered, 10000)
	assert.Less(t, differ, 60, "round items are drawn as polygons")
}

func TestPartOfTheFramebuffer(t *testing.T) {
	r := newTestRenderer(t)
	w := newWorld()
	w.put(geom.Transform{}, physecs.Box(geom.V(100, 100, 1)), Paint(0xC06040))
	v := viewFrom(geom.V(0, 0, 5), geom.Vec3{}, projection, square(100))
	v.X, v.Y, v.Width, v.Height = 10, 20, 50, 30
	m := r.mustDraw(t, w, v)
	for y := range 100 {
		for x := range 100 {
			inside := x >= 10 && x < 60 && 99-y >= 20 && 99-y < 50
			c := m.NRGBAAt(x, y)
			require.Equal(t, inside, c != r.Style.SkyBottom, "(%d, %d) is %v", x, y, c)
		}
	}
}

func TestResizeAndMinimise(t *testing.T) {
	r := newTestRenderer(t)
	w := newWorld()
	w.put(geom.Transform{}, physecs.Sphere(1), Paint(0xC06040))
	assert.Nil(t, r.Image())
	assert.Error(t, r.Screenshot(filepath.Join(t.TempDir(), "none.png")))
	for _, size := range [][2]int{{64, 48}, {301, 97}, {1, 1}, {64, 48}} {
		r.mustDraw(t, w, viewFrom(geom.V(0, 0, 5), geom.Vec3{}, projection, wide(size[0], size[1])))
	}
	before := live
	r.Lines.Cross(geom.Vec3{}, 1, RGB(0))
	r.HUD.Card(0, 0, 0, "gone")
	require.NoError(t, r.Draw(&w.World, viewFrom(geom.V(0, 0, 5), geom.Vec3{}, projection, picking.Viewport{})))
	assert.Equal(t, image.Rect(0, 0, 64, 48), r.Image().Rect, "the last frame stays")
	assert.Zero(t, r.Lines.Len())
	assert.Equal(t, before, live)
	for _, samples := range []int{1, 2, 99, -3} {
		r.Style.Samples = samples
		r.mustDraw(t, w, viewFrom(geom.V(0, 0, 5), geom.Vec3{}, projection, wide(64, 48)))
	}
}

func TestScreenshotIsTheImage(t *testing.T) {
	r := newTestRenderer(t)
	w := newWorld()
	w.put(geom.Transform{}, physecs.Sphere(1), Paint(0xC06040))
	m := r.mustDraw(t, w, viewFrom(geom.V(0, 2, 5), geom.Vec3{}, projection, wide(61, 47)))
	file := filepath.Join(t.TempDir(), "a.png")
	require.NoError(t, r.Screenshot(file))
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	got, err := png.Decode(f)
	require.NoError(t, err)
	for y := range 47 {
		for x := range 61 {
			require.Equal(t, m.NRGBAAt(x, y), color.NRGBAModel.Convert(got.At(x, y)))
		}
	}
	assert.ErrorIs(t, r.Screenshot(filepath.Join(t.TempDir(), "no", "such", "folder.png")), os.ErrNotExist)
}

// On dense screens the HUD is at the same window pixels, and as sharp.
func TestHUDOnDenseScreens(t *testing.T) {
	r := newTestRenderer(t)
	r.Style = darkness()
	w := newWorld()
	ink := func(scale int) (box image.Rectangle, light float64) {
		v := viewFrom(geom.V(0, 0, 5), geom.Vec3{}, projection, wide(200*scale, 80*scale))
		v.Window = picking.Size{Width: 200, Height: 80}
		r.HUD.Text(20, 30, TextStyle{Size: 20, Color: RGB(0xffffff)}, "Hitscan")
		m := r.mustDraw(t, w, v)
		for y := range 80 * scale {
			for x := range 200 * scale {
				if c := m.NRGBAAt(x, y).R; c > 20 {
					box = box.Union(image.Rect(x, y, x+1, y+1))
					light += float64(c) / 255
				}
			}
		}
		return box, light
	}
	one, light1 := ink(1)
	two, light2 := ink(2)
	width, height := MeasureText(TextStyle{Size: 20}, "Hitscan")
	assert.InDelta(t, float64(width), float64(one.Dx()), 4)
	assert.True(t, one.In(image.Rect(20, 30, 20+int(width)+1, 30+int(height))), "%v", one)
	for _, d := range []int{two.Min.X - 2*one.Min.X, two.Min.Y - 2*one.Min.Y, two.Max.X - 2*one.Max.X, two.Max.Y - 2*one.Max.Y} {
		assert.InDelta(t, 0, d, 2)
	}
	assert.InEpsilon(t, 4*light1, light2, 0.06, "four times the ink")
}

func TestPanelHasRoundCorners(t *testing.T) {
	r := newTestRenderer(t)
	r.Style = darkness()
	r.HUD.Theme = DefaultTheme()
	r.HUD.Theme.Panel, r.HUD.Theme.Border, r.HUD.Theme.Radius = RGB(0xffffff), color.NRGBA{}, 10
	r.HUD.Theme.Shadow = color.NRGBA{}
	r.HUD.Panel(Rect{20, 10, 60, 40})
	m := r.mustDraw(t, newWorld(), viewFrom(geom.V(0, 0, 5), geom.Vec3{}, projection, square(100)))
	assert.Zero(t, m.NRGBAAt(20, 10).R, "the corner is cut off")
	assert.Equal(t, uint8(255), m.NRGBAAt(24, 14).R)
	assert.Equal(t, uint8(255), m.NRGBAAt(20, 30).R, "edges are sharp")
	assert.Zero(t, m.NRGBAAt(19, 30).R)
	assert.True(t, r.HUD.Contains(50, 30))
	sum := 0.0
	for y := range 100 {
		sum += rowLight(m, y, 0, 100)
	}
	assert.InDelta(t, 60*40-(4-math.Pi)*100, sum, 3)
}

func TestUpload(t *testing.T) {
	r := newTestRenderer(t)
	w := newWorld()
	vertices, indices := mesh.Icosphere(1, 0)
	m, err := mesh.New(vertices, indices)
	require.NoError(t, err)
	w.put(geom.Transform{}, physecs.Mesh(resource[physecs.Meshes](&w.World).Add(m)), Paint(0xC06040))
	v := viewFrom(geom.V(0, 2, 5), geom.Vec3{}, projection, square(100))
	faceted := r.mustDraw(t, w, v)
	objects := live

	var normals []geom.Vec3
	for _, p := range vertices {
		normals = append(normals, p.Normalize())
	}
	part := meshio.Part{Vertices: vertices, Normals: normals, Indices: indices}
	r.Upload(m, part)
	assert.Equal(t, objects, live, "in place of the old one")
	smooth := r.mustDraw(t, w, v)
	assert.Greater(t, average(faceted, smooth), 1.0)
	r.meshes.frame += 10 * keepFrames
	assert.Equal(t, smooth.Pix, r.mustDraw(t, w, v).Pix, "what was uploaded stays")
}

func TestMeshesThatAreNoLongerDrawnAreFreed(t *testing.T) {
	r := newTestRenderer(t)
	b, err := NewIDBuffer()
	require.NoError(t, err)
	defer b.Close()
	w := newWorld()
	v := viewFrom(geom.V(0, 2, 5), geom.Vec3{}, projection, square(50))
	r.mustDraw(t, w, v)
	require.NoError(t, b.Draw(&w.World, v))
	before := live
	e := w.put(geom.Transform{}, w.mesh(t, first(mesh.Icosphere(1, 1)), second(mesh.Icosphere(1, 1))), Paint(0xC06040))
	r.mustDraw(t, w, v)
	require.NoError(t, b.Draw(&w.World, v))
	assert.Equal(t, before+5, live)
	w.RemoveEntity(e)
	r.meshes.frame += keepFrames
	b.frame += keepFrames
	for range 2 {
		r.mustDraw(t, w, v)
		require.NoError(t, b.Draw(&w.World, v))
	}
	assert.Equal(t, before, live)
}

func TestItemsOutOfViewAreLeftOut(t *testing.T) {
	r := newTestRenderer(t)
	w := newWorld()
	w.put(geom.At(0, 0, 500), physecs.Sphere(1), Paint(0xC06040))  // behind, far away
	w.put(geom.At(0, 0, -500), physecs.Sphere(1), Paint(0xC06040)) // in front, far away
	w.put(geom.At(0, 0, 20), physecs.Sphere(1), Paint(0xC06040))   // its shadow may be visible
	r.mustDraw(t, w, viewFrom(geom.Vec3{}, geom.V(0, 0, -1), projection, square(50)))
	assert.Equal(t, 2, r.Stats().Items)
}

func BenchmarkDraw(b *testing.B) {
	r := newTestRenderer(b)
	w := newWorld()
	w.put(geom.Transform{}, physecs.Plane(geom.V(0, 1, 0), 0), Paint(0xC9CED3))
	for i := range 200 {
		p := geom.At(float32(i%20)-10, 0.4, -float32(i/20))
		c := physecs.Box(geom.V(0.4, 0.4, 0.4))
		if i%2 == 1 {
			c = physecs.Sphere(0.4)
		}
		w.put(p, c, Paint(0xC06040))
	}
	v := viewFrom(geom.V(4, 4, 8), geom.Vec3{}, projection, wide(1280, 800))
	for b.Loop() {
		if err := r.Draw(&w.World, v); err != nil {
			b.Fatal(err)
		}
		r.Image() // waits for the graphics card
	}
}

// The cost of an outline: the same frame without and with one.
func BenchmarkDrawBare(b *testing.B)     { benchmarkOutline(b, false) }
func BenchmarkDrawOutlined(b *testing.B) { benchmarkOutline(b, true) }

func benchmarkOutline(b *testing.B, outlined bool) {
	r := newTestRenderer(b)
	w := newWorld()
	w.put(geom.Transform{}, physecs.Plane(geom.V(0, 1, 0), 0), Paint(0xC9CED3))
	dragon := model(b, "dragon")
	e := w.put(geom.Transform{}, w.mesh(b, dragon.vertices, dragon.indices), Paint(0xC06040))
	if outlined {
		hover(w, e)
	}
	v := viewFrom(geom.V(-1, 1.1, 1.6), geom.V(0, 0.5, 0), projection, wide(1280, 800))
	for b.Loop() {
		if err := r.Draw(&w.World, v); err != nil {
			b.Fatal(err)
		}
		r.Image() // waits for the graphics card
	}
}

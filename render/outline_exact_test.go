package render

import (
	"fmt"
	"image"
	"math"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/physics/meshio"
	"github.com/hitscan-go/hitscan/picking"
)

// Outlines are compared with a brute-force reference without edges: the distance of every pixel's
// centre to the nearest of all projected triangles. The outline is where that is above zero and at
// most the width.

// point2 is a place in the image, framebuffer pixels, Y downward.
type point2 struct{ x, y float64 }

func (p point2) distanceToSegment(a, b point2) float64 {
	dx, dy := b.x-a.x, b.y-a.y
	t := 0.0
	if l := dx*dx + dy*dy; l > 0 {
		t = min(max(((p.x-a.x)*dx+(p.y-a.y)*dy)/l, 0), 1)
	}
	x, y := p.x-a.x-t*dx, p.y-a.y-t*dy
	return math.Sqrt(x*x + y*y) // Hypot takes five times as long
}

// distanceToPolygon returns the distance of p to a convex polygon, 0 inside.
func (p point2) distanceToPolygon(corners []point2) float64 {
	least := math.Inf(1)
	left, right := false, false
	for i, a := range corners {
		b := corners[(i+1)%len(corners)]
		least = min(least, p.distanceToSegment(a, b))
		side := (b.x-a.x)*(p.y-a.y) - (b.y-a.y)*(p.x-a.x)
		left, right = left || side > 0, right || side < 0
	}
	if left != right {
		return 0
	}
	return least
}

// cut clips a polygon to the positive side of a linear function on clip space.
func cut(polygon []clipPoint, f func(clipPoint) float64) (left []clipPoint) {
	for i, a := range polygon {
		b := polygon[(i+1)%len(polygon)]
		fa, fb := f(a), f(b)
		if fa >= 0 {
			left = append(left, a)
		}
		if (fa < 0) != (fb < 0) {
			t := fa / (fa - fb)
			left = append(left, a.towards(b, t))
		}
	}
	return left
}

// distanceField holds the distance of each pixel's centre to the image of some triangles, up to
// reach; farther away it is +Inf.
type distanceField struct {
	size  picking.Size
	reach float64
	d     []float64 // from the upper left pixel
	clip  float64   // by how much of w the near and the far plane are moved apart
}

// clipDoubt is how far from the near or the far plane, as a part of w, a graphics card may clip:
// positions in clip space are in single precision, and each sums four products.
const clipDoubt = 16 * 0x1p-24

func newDistanceField(v picking.View, reach float64) *distanceField {
	s := &distanceField{size: v.Framebuffer, reach: reach, d: make([]float64, v.Framebuffer.Width*v.Framebuffer.Height)}
	for i := range s.d {
		s.d[i] = math.Inf(1)
	}
	return s
}

// add adds triangles, clipped at the near and the far plane.
func (s *distanceField) add(v picking.View, place geom.Mat4, vertices []geom.Vec3, indices []uint32) {
	clip := openGL(v.Camera.Matrix(v.Aspect()), v.Projection.Clip()).Mul(place)
	left, top := float64(v.X), float64(s.size.Height-v.Y-v.Height)
	for i := 0; i < len(indices); i += 3 {
		if a, b, c := vertices[indices[i]], vertices[indices[i+1]], vertices[indices[i+2]]; a == b || b == c || c == a {
			continue
		}
		var polygon []clipPoint
		for _, index := range indices[i : i+3] {
			p, w := clip.Apply(vertices[index].Wide(), 1)
			polygon = append(polygon, clipPoint{p, w})
		}
		polygon = cut(polygon, func(p clipPoint) float64 { return p.w*(1+s.clip) + p.Z })
		polygon = cut(polygon, func(p clipPoint) float64 { return p.w*(1+s.clip) - p.Z })
		if len(polygon) == 0 {
			continue
		}
		var corners []point2
		lo, hi := point2{math.Inf(1), math.Inf(1)}, point2{math.Inf(-1), math.Inf(-1)}
		for _, p := range polygon {
			c := point2{left + (p.X/p.w+1)/2*float64(v.Width), top + (1-p.Y/p.w)/2*float64(v.Height)}
			corners = append(corners, c)
			lo, hi = point2{min(lo.x, c.x), min(lo.y, c.y)}, point2{max(hi.x, c.x), max(hi.y, c.y)}
		}
		for y := int(max(lo.y-s.reach, 0)); y < int(min(hi.y+s.reach+1, float64(s.size.Height))); y++ {
			for x := int(max(lo.x-s.reach, 0)); x < int(min(hi.x+s.reach+1, float64(s.size.Width))); x++ {
				at := &s.d[y*s.size.Width+x]
				if *at == 0 {
					continue
				}
				if d := (point2{float64(x) + 0.5, float64(y) + 0.5}).distanceToPolygon(corners); d < *at && d <= s.reach {
					*at = d
				}
			}
		}
	}
}

// doubt is how far from an edge, in pixels, a graphics card may assign a place to the wrong side.
// Present ones have a grid of 1/256 pixel.
const doubt = 1.0 / 64

// slackWidth is how far the width of an outline may be off, in pixels: joints are polygons up to
// maxSagitta inside their circle, and both the edge of the outline and the silhouette are doubtful.
const slackWidth = maxSagitta + 2*doubt

// widths returns the width of the outline in an image: least, the smallest distance to the
// silhouette of a pixel that the outline does not fill; most, the largest distance of a pixel that
// it touches; the number of pixels it fills, and the number of pixels inside the silhouette that it
// touches. slack is how far a pixel's samples may be from its centre: 0 with one sample.
func (s *distanceField) widths(m *image.NRGBA, slack float64) (least, most float64, full, within int) {
	least = math.Inf(1)
	for y := range s.size.Height {
		for x := range s.size.Width {
			d, got := s.d[y*s.size.Width+x], m.NRGBAAt(x, y).R
			if d > doubt+slack && got < 255 {
				least = min(least, d+slack)
			}
			if got == 255 {
				full++
			}
			if got > 0 {
				most = max(most, d-slack)
				if slack == 0 && s.deep(x, y) {
					within++
				}
			}
		}
	}
	return least, most, full, within
}

// deep reports whether the pixels around one are all inside the silhouette.
func (s *distanceField) deep(x, y int) bool {
	for v := max(y-1, 0); v <= min(y+1, s.size.Height-1); v++ {
		for u := max(x-1, 0); u <= min(x+1, s.size.Width-1); u++ {
			if s.d[v*s.size.Width+u] != 0 {
				return false
			}
		}
	}
	return true
}

// body is a mesh to outline.
type body struct {
	vertices []geom.Vec3
	indices  []uint32
}

func of(vertices []geom.Vec3, indices []uint32) body { return body{vertices, indices} }

// join returns shapes as one mesh.
func join(shapes ...body) (s body) {
	for _, x := range shapes {
		for _, i := range x.indices {
			s.indices = append(s.indices, i+uint32(len(s.vertices)))
		}
		s.vertices = append(s.vertices, x.vertices...)
	}
	return s
}

// extruded returns a flat polygon, star-shaped around its first corner, with a thickness along Z.
func extruded(half float32, corners ...geom.Vec3) body {
	var s body
	n := uint32(len(corners))
	for _, z := range []float32{-half, half} {
		for _, c := range corners {
			s.vertices = append(s.vertices, geom.V(c.X, c.Y, z))
		}
	}
	for i := uint32(1); i+1 < n; i++ {
		s.indices = append(s.indices, 0, i+1, i, n, n+i, n+i+1)
	}
	for i := range n {
		j := (i + 1) % n
		s.indices = append(s.indices, i, j, n+j, i, n+j, n+i)
	}
	return s
}

// model reads a model of the sandbox.
func model(t testing.TB, name string) body {
	m, err := meshio.ReadFile(testenv.Path(t, "examples/sandbox/assets/"+name+".glb"))
	require.NoError(t, err)
	welded, err := m.Mesh()
	require.NoError(t, err)
	return of(welded.Vertices(), welded.Indices())
}

// creased returns meshes with outlines that are hard to draw.
func creased(t testing.TB) map[string]body {
	bunny := model(t, "bunny")
	for i := range bunny.vertices {
		bunny.vertices[i] = bunny.vertices[i].Sub(geom.V(0, 0.5, 0)).Mul(2)
	}
	return map[string]body{
		"cube": of(mesh.Box(geom.V(1, 1, 1))),
		"spike": of([]geom.Vec3{{Y: 1.2}, {X: -0.12, Y: -1, Z: 0.07}, {X: 0.12, Y: -1, Z: 0.07}, {Y: -1, Z: -0.14}},
			[]uint32{0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2}),
		"blade": extruded(0.004, geom.V(0, 1.3, 0), geom.V(-0.15, 1, 0), geom.V(-0.1, -1, 0), geom.V(0.1, -1, 0), geom.V(0.15, 1, 0)),
		"sheet": of([]geom.Vec3{{X: -1, Y: -0.5}, {X: 1, Y: -0.7}, {Y: 1}}, []uint32{0, 1, 2}),
		"notch": extruded(0.4, geom.V(0, -0.4, 0), geom.V(1, -1, 0), geom.V(1, 1, 0), geom.V(0.05, -0.3, 0), geom.V(-0.05, -0.3, 0),
			geom.V(-1, 1, 0), geom.V(-1, -1, 0)),
		"torus":           of(mesh.Torus(0.8, 0.25, 24, 8)),
		"two at once":     join(of(mesh.Icosphere(0.5, 2)), extruded(0.3, geom.V(1, 1, 0), geom.V(0.2, 0.2, 0), geom.V(1.2, 0.1, 0))),
		"bunny":           bunny,
		"triangles apart": apart(of(mesh.Icosphere(1, 1))),
	}
}

// apart returns a body in which no triangles share vertices.
func apart(s body) (soup body) {
	for i, index := range s.indices {
		soup.vertices, soup.indices = append(soup.vertices, s.vertices[index]), append(soup.indices, uint32(i))
	}
	return soup
}

// assertExact draws the hovered entity with outlines of several widths, with one sample per pixel
// and with four, and compares them with a distance field. It returns the smallest and the largest
// width as factors of the wanted width.
func (r *Renderer) assertExact(t testing.TB, what string, w *world, v picking.View, s *distanceField) (low, high float64) {
	t.Helper()
	low, high = 1, 1
	for _, width := range []float64{2, 5} {
		for samples, slack := range map[int]float64{1: 0, 4: math.Sqrt2 / 2} {
			r.Style.OutlineWidth, r.Style.Samples = float32(width), samples
			least, most, full, within := s.widths(r.mustDraw(t, w, v), slack)
			if least < width-slackWidth || most > width+slackWidth {
				t.Errorf("%s: between %.2f and %.2f pixels wide instead of %g, %d samples", what, least, most, width, samples)
			}
			if within > 0 {
				t.Errorf("%s: %d pixels inside the silhouette are drawn, width %g, %d samples", what, within, width, samples)
			}
			if width == 5 && full < 20 {
				t.Errorf("%s: only %d pixels are outlined", what, full)
			}
			if samples == 1 {
				low, high = min(low, least/width), max(high, most/width)
			}
		}
	}
	return low, high
}

func TestOutlineIsExact(t *testing.T) {
	r := newTestRenderer(t)
	r.Style = darkness()
	turned := geom.QuatEuler(0.7, 0.5, 0.2)
	for name, s := range creased(t) {
		low, high := 1.0, 1.0
		for i, place := range []geom.Transform{
			{},
			{Rotation: turned},
			{Rotation: turned, Scale: geom.V(-1, 0.4, 1.2)}, // mirrored and flattened
		} {
			for _, distance := range []float32{4.2, 11, 47} {
				w := newWorld()
				hover(w, w.put(place, w.mesh(t, s.vertices, s.indices), Paint(0x808080)))
				v := viewFrom(geom.V(0, 0, distance), geom.Vec3{}, projection, square(140))
				sil := newDistanceField(v, 9)
				sil.add(v, place.Affine().Mat4(), s.vertices, s.indices)
				what := fmt.Sprintf("%s, turned %d, from %g m", name, i, distance)
				l, h := r.assertExact(t, what, w, v, sil)
				save(t, r, what)
				low, high = min(low, l), max(high, h)
			}
		}
		t.Logf("%-14s %.2f to %.2f times the wanted width", name, low, high)
	}
}

// addItems adds the triangles that the renderer has drawn of an entity, with the same level of
// detail.
func (s *distanceField) addItems(r *Renderer, v picking.View, e ecs.Entity) {
	for _, it := range r.scene.items {
		switch {
		case it.entity != e:
		case it.kind == itemTriangles:
			vertices, indices := it.source.triangles()
			s.add(v, it.model, vertices, indices)
		default:
			g := it.form()
			var vertices []geom.Vec3
			for _, c := range g.vertices {
				vertices = append(vertices, c.placed(it.half, it.radius))
			}
			s.add(v, it.model, vertices, g.indices)
		}
	}
}

// Random shapes from random directions: also with the camera inside, and clipped by the near and
// the far plane and by the sides of a viewport.
func TestOutlineIsExactEverywhere(t *testing.T) {
	r := newTestRenderer(t)
	r.Style = darkness()
	r.Style.SkyBottom = RGB(0)
	projections := []picking.Projection{
		picking.Perspective(1.2, 0.3, 8), picking.Perspective(1, 0.3, math.Inf(1)), picking.Perspective(1, 0.4, 20).WithReversedDepth(),
		picking.Orthographic(7, 0.1, 9), picking.Ortho(-3, 4, -3, 3, -2, 30), picking.PerspectiveOffCenter(-0.3, 0.1, -0.1, 0.2, 0.4, 30),
	}
	solid := func(w *world, b body) physecs.Collider { return w.mesh(t, b.vertices, b.indices) }
	rapid.Check(t, func(t *rapid.T) {
		number := func(what string, least, most float32) float32 { return rapid.Float32Range(least, most).Draw(t, what) }
		vec := func(what string, reach float32) geom.Vec3 {
			return geom.V(number(what, -reach, reach), number(what, -reach, reach), number(what, -reach, reach))
		}
		w := newWorld()
		var c physecs.Collider
		switch rapid.SampledFrom([]string{"triangles", "mesh", "hull", "box", "sphere", "capsule"}).Draw(t, "shape") {
		case "triangles": // some share vertices, in any order
			var soup body
			for range rapid.IntRange(3, 12).Draw(t, "vertices") {
				soup.vertices = append(soup.vertices, vec("vertex", 2))
			}
			for range 3 * rapid.IntRange(1, 8).Draw(t, "triangles") {
				soup.indices = append(soup.indices, uint32(rapid.IntRange(0, len(soup.vertices)-1).Draw(t, "index")))
			}
			c = solid(w, soup)
		case "mesh":
			c = solid(w, of(mesh.Torus(1, 0.5, 9, 5)))
		case "hull":
			c = w.hull(t, first(mesh.Torus(1, 0.5, 9, 5)))
		case "box":
			c = physecs.Box(geom.V(number("x", 0, 2), number("y", 0, 2), number("z", 0, 2)))
		case "sphere":
			c = physecs.Sphere(number("radius", 0.1, 2))
		case "capsule":
			c = physecs.Capsule(number("half height", 0, 2), number("radius", 0.1, 1))
		}
		scale := vec("scale", 1.5)
		for _, s := range []*float32{&scale.X, &scale.Y, &scale.Z} {
			*s += float32(math.Copysign(0.3, float64(*s)))
		}
		e := w.put(geom.Transform{Position: vec("place", 3), Scale: scale,
			Rotation: geom.QuatEuler(float64(number("yaw", -3, 3)), float64(number("pitch", -3, 3)), float64(number("roll", -3, 3)))},
			c, Paint(0x808080))
		hover(w, e)
		v := wide(120, 90)
		if rapid.Bool().Draw(t, "part of the window") {
			v.X, v.Y, v.Width, v.Height = 30, 10, 70, 60
		}
		view := viewFrom(geom.V(0, 0, number("distance", 0, 8)), geom.V(0, 0, -100), rapid.SampledFrom(projections).Draw(t, "projection"), v)
		r.Style.Samples = 1
		// A triangle that lies in a clipping plane may be drawn or not.
		inner, outer := newDistanceField(view, 9), newDistanceField(view, 9)
		inner.clip, outer.clip = -clipDoubt, clipDoubt
		for i, width := range []float64{2, 5} {
			r.Style.OutlineWidth = float32(width)
			require.NoError(t, r.Draw(&w.World, view))
			m := r.Image()
			for _, s := range []*distanceField{inner, outer} {
				if i == 0 { // an outline of another width is that of the same triangles
					s.addItems(r, view, e)
				}
				// Nothing is drawn outside the viewport.
				for y := range s.size.Height {
					for x := range s.size.Width {
						if up := s.size.Height - 1 - y; x < v.X || x >= v.X+v.Width || up < v.Y || up >= v.Y+v.Height {
							if got := m.NRGBAAt(x, y).R; got != 0 {
								t.Fatalf("%d at %d, %d, which is outside of the viewport", got, x, y)
							}
							s.d[y*s.size.Width+x] = 0
						}
					}
				}
			}
			least, _, _, within := inner.widths(m, 0)
			_, most, _, _ := outer.widths(m, 0)
			require.Greater(t, least, width-slackWidth)
			require.Less(t, most, width+slackWidth)
			require.Zero(t, within)
		}
	})
}

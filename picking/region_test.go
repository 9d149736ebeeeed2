package picking

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// winding returns the winding number of an outline around a place, and the distance of the place to
// it.
func winding(outline []Point, x, y float64) (n int, distance float64) {
	distance = math.Inf(1)
	for i, p := range outline {
		q := outline[(i+1)%len(outline)]
		cross := (q.X-p.X)*(y-p.Y) - (x-p.X)*(q.Y-p.Y)
		if p.Y <= y && y < q.Y && cross > 0 {
			n++
		}
		if q.Y <= y && y < p.Y && cross < 0 {
			n--
		}
		dx, dy := q.X-p.X, q.Y-p.Y
		s := 0.0
		if l := dx*dx + dy*dy; l > 0 {
			s = min(max(((x-p.X)*dx+(y-p.Y)*dy)/l, 0), 1)
		}
		distance = min(distance, math.Hypot(x-p.X-s*dx, y-p.Y-s*dy))
	}
	return n, distance
}

// shapesAround is a space with shapes of all kinds around a point.
type shapesAround struct {
	*rand.Rand
	space *physics.Space
}

func newShapesAround(seed uint64) *shapesAround {
	return &shapesAround{testenv.Rand(seed, 1), physics.NewSpace()}
}

func (z *shapesAround) vec(reach float32) geom.Vec3 {
	c := func() float32 { return (z.Float32()*2 - 1) * reach }
	return geom.V(c(), c(), c())
}

func (z *shapesAround) turn() geom.Quat {
	v, w := z.vec(1), z.vec(1)
	return geom.Quat{X: v.X, Y: v.Y, Z: v.Z, W: w.X}.Normalize()
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

var (
	ball = must(mesh.New(mesh.Icosphere(1, 1)))
	gem  = must(hull.New([]geom.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}, geom.V(0.8, 0.8, 0)}))
)

func (z *shapesAround) fill(n int, center geom.Vec3, reach, size float32) {
	for range n {
		s := size * (0.3 + z.Float32())
		var shape physics.Shape
		switch z.IntN(7) {
		case 0:
			shape = geom.Sphere{Radius: 1}
		case 1:
			shape = geom.Box{HalfExtents: geom.V(1, 0.7, 0.5)}
		case 2:
			shape = geom.Capsule{A: geom.V(0, -1, 0), B: geom.V(0, 1, 0), Radius: 0.5}
		case 3:
			shape = ball
		case 4:
			shape = gem
		case 5:
			shape = geom.AABBAround(geom.Vec3{}, geom.V(0.8, 0.8, 0.8))
		case 6:
			shape = physics.NewCompound(physics.Child{Shape: geom.Sphere{Radius: 0.7}, Transform: geom.At(-1, 0, 0)},
				physics.Child{Shape: geom.Sphere{Radius: 0.5}, Transform: geom.At(1, 0, 0)})
		}
		scale := geom.V(s, s, s)
		if z.IntN(3) == 0 {
			scale = geom.V(s, -1.5*s, 0.8*s)
		}
		z.space.Add(physics.Collider{Shape: shape, Transform: geom.Transform{Position: center.Add(z.vec(reach)), Rotation: z.turn(), Scale: scale}})
	}
}

// regionTwin is the brute-force reference of a region: the colliders at each pixel of a view, and
// at finer places.
type regionTwin struct {
	view  View
	space *physics.Space
	hits  []physics.Hit
}

// at returns the colliders at a place in the framebuffer, hidden or not.
func (m *regionTwin) at(x, y float64) []physics.Hit {
	m.hits = m.space.CastRayAll(m.hits[:0], m.view.RayAt(x, y), physics.Filter{})
	return m.hits
}

func regionViews() map[string]View {
	size, window := Size{96, 72}, Size{64, 36}
	at := func(p Projection) View {
		c := Camera{Projection: p}
		c.LookAt(geom.V(1, 2, 3), geom.V(0, 0, -7), geom.V(0, 1, 0))
		return View{c, FullViewport(window, size)}
	}
	part := at(Perspective(1, 1, 60))
	part.Viewport = Viewport{X: 20, Y: 30, Width: 70, Height: 40, Window: window, Framebuffer: size}
	explicit := at(Projection{})
	explicit.Projection = ProjectionOf(PerspectiveOffCenter(-0.7, 0.2, -0.3, 0.5, 1, 60).Matrix(1), ClipMinusOneToOne)
	return map[string]View{
		"perspective":                  at(Perspective(1, 1, 60)),
		"near plane among objects":     at(Perspective(1.2, 9, 12)),
		"orthographic":                 at(Orthographic(10, 0.1, 60)),
		"orthographic, among objects":  at(Orthographic(12, 9, 12)),
		"mirrored":                     at(Ortho(7, -7, -5, 5, 0, 60)),
		"off-centre matrix":            explicit,
		"reversed depth, no far":       at(Perspective(0.8, 0.5, math.Inf(1)).WithReversedDepth()),
		"a part of the window":         part,
		"a wide angle, depths 0 and 1": at(Perspective(2.2, 0.3, 30).WithDepthZeroToOne()),
	}
}

func (z *shapesAround) lasso(v View) []Point {
	grid := 1e-9
	if z.IntN(3) == 0 {
		grid = 8 // with horizontal sides, and corners and sides that coincide
	}
	at := func(from, size int) float64 {
		return math.Round((float64(from)+(z.Float64()*1.3-0.15)*float64(size))/grid) * grid
	}
	var outline []Point
	for range 3 + z.IntN(9) {
		outline = append(outline, Point{at(v.X, v.Width), at(v.Y, v.Height)})
	}
	return outline
}

func windowed(v View, outline []Point) (w []Point) {
	for _, p := range outline {
		x, y := v.toWindow(p.X, p.Y)
		w = append(w, Point{x, y})
	}
	return w
}

// pixelsOf returns a rectangle of whole pixels around the image of a box.
func pixelsOf(v View, b geom.AABB) (x0, y0, x1, y1 float64) {
	r := rectangle{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	whole := rectangle{float64(v.X), float64(v.Y), float64(v.X + v.Width), float64(v.Y + v.Height)}
	for i := range 8 {
		p := geom.V([]float32{b.Min.X, b.Max.X}[i&1], []float32{b.Min.Y, b.Max.Y}[i>>1&1], []float32{b.Min.Z, b.Max.Z}[i>>2])
		cx, cy, _, ok := v.Project(p)
		if !ok {
			return whole.x0, whole.y0, whole.x1, whole.y1
		}
		x, y := v.toFramebuffer(cx, cy)
		r = rectangle{min(r.x0, x), min(r.y0, y), max(r.x1, x), max(r.y1, y)}
	}
	r = rectangle{math.Floor(r.x0), math.Floor(r.y0), math.Ceil(r.x1), math.Ceil(r.y1)}.and(whole)
	return r.x0, r.y0, r.x1, r.y1
}

// The results for what touches a region, is contained in it, and is visible in it are compared with
// samples at every pixel, and, where a region found what no pixel shows, at up to 256 places in
// each pixel of its bounds and every 1/4096 pixel along the outline.
func TestRegionAgainstPixels(t *testing.T) {
	seed := uint64(0)
	var touching, contained, crossing, hidden, thin int
	views := regionViews()
	for _, name := range slices.Sorted(maps.Keys(views)) {
		view := views[name]
		t.Run(name, func(t *testing.T) {
			scenes := 20
			if testing.Short() {
				scenes = 2
			}
			for range scenes {
				seed++
				z := newShapesAround(seed)
				z.fill(14, geom.V(0, 0, -7), 6, 0.7)
				var region Region
				outline := z.lasso(view)
				// No flat one, which no place is in.
				if a, b := outline[0], outline[1]; z.IntN(3) == 0 && a.X != b.X && a.Y != b.Y {
					w := windowed(view, outline)
					region.SetRectangle(view, w[0].X, w[0].Y, w[1].X, w[1].Y)
					outline = []Point{a, {b.X, a.Y}, b, {a.X, b.Y}}
				} else {
					region.SetLasso(view, windowed(view, outline))
				}
				m := regionTwin{view: view, space: z.space}
				in, out, seen := map[physics.ColliderID]bool{}, map[physics.ColliderID]bool{}, map[physics.ColliderID]bool{}
				sample := func(x, y float64) {
					n, distance := winding(outline, x, y)
					if distance < 1e-6 {
						return
					}
					require.Equal(t, n != 0, region.contains(x, y), "%v, %v in %v", x, y, outline)
					for _, h := range m.at(x, y) {
						if n != 0 {
							in[h.Collider] = true
						} else {
							out[h.Collider] = true
						}
					}
				}
				for py := view.Y; py < view.Y+view.Height; py++ {
					for px := view.X; px < view.X+view.Width; px++ {
						sample(float64(px)+0.5, float64(py)+0.5)
						if region.contains(float64(px)+0.5, float64(py)+0.5) {
							if h, ok := z.space.CastRay(view.PixelRay(px, py), PickFilter()); ok {
								seen[h.Collider] = true
							}
						}
					}
				}
				overlap := region.Overlap(z.space, nil, physics.Filter{})
				inside := region.Contained(z.space, nil, physics.Filter{})
				visible := region.Visible(z.space, slices.Clone(overlap), 1, PickFilter())
				require.True(t, slices.IsSorted(overlap))
				require.True(t, slices.IsSorted(inside))
				require.Subset(t, overlap, inside)
				for id := range z.space.All() {
					require.False(t, in[id] && !slices.Contains(overlap, id), "%v is in the lasso", id)
					require.False(t, out[id] && slices.Contains(inside, id), "%v is outside of the lasso", id)
					require.Equal(t, seen[id], slices.Contains(visible, id), "%v is seen", id)
				}
				// Finer samples where the pixels do not decide.
				doubtful := func(id physics.ColliderID) bool {
					return !in[id] || !out[id] && !slices.Contains(inside, id)
				}
				doubt := func() (list []physics.ColliderID) {
					for _, id := range overlap {
						if doubtful(id) {
							list = append(list, id)
						}
					}
					return list
				}
				// refine samples a square cell where the outline or the edge of the view crosses
				// it, down to 1/4096 pixel, until there is no doubt about the collider. Half the
				// diagonal of a cell is less than its side. A lasso along the edge of the view has
				// only the edge in common with it: such a touch is sought just beyond the edge. One
				// at the near or far plane may be a tip smaller than the samples: the rays start
				// and end 3 cm beyond the planes.
				var refine func(id physics.ColliderID, x, y, side float64)
				refine = func(id physics.ColliderID, x, y, side float64) {
					n, distance := winding(outline, x, y)
					edge := min(x-float64(view.X), float64(view.X+view.Width)-x, y-float64(view.Y), float64(view.Y+view.Height)-y)
					if min(distance, math.Abs(edge)) > side || !doubtful(id) {
						return
					}
					if edge > 0 {
						sample(x, y)
					}
					if edge > -1.0/4096 && n != 0 && !in[id] {
						r := view.RayAt(x, y)
						r.Origin = r.Origin.Sub(r.Dir.Mul(0.03))
						if r.MaxT > 0 {
							r.MaxT += 0.06
						}
						for _, h := range z.space.CastRayAll(nil, r, physics.Filter{}) {
							in[id] = in[id] || h.Collider == id
						}
					}
					if side > 1.0/4096 {
						for i := range 4 {
							refine(id, x+side*(float64(i&1)-0.5)/2, y+side*(float64(i>>1)-0.5)/2, side/2)
						}
					}
				}
				for fine := 4.0; fine <= 16; fine *= 4 {
					for _, id := range doubt() {
						b, _ := z.space.Bounds(id)
						x0, y0, x1, y1 := pixelsOf(view, b)
						for y := y0 + 0.5/fine; y < y1; y += 1 / fine {
							for x := x0 + 0.5/fine; x < x1; x += 1 / fine {
								sample(x, y)
							}
						}
					}
				}
				for _, id := range doubt() {
					b, _ := z.space.Bounds(id)
					x0, y0, x1, y1 := pixelsOf(view, b)
					for y := y0 - 0.5; y < y1+1; y++ {
						for x := x0 - 0.5; x < x1+1; x++ {
							refine(id, x, y, 1)
						}
					}
				}
				thin += len(doubt())
				touching += len(overlap)
				contained += len(inside)
				hidden += len(overlap) - len(visible)
				for _, id := range inside {
					b, _ := z.space.Bounds(id)
					f := view.Frustum()
					if f.ClassifyAABB(b) != geom.Contained {
						crossing++
					}
				}
			}
		})
	}
	if testing.Short() {
		return
	}
	t.Logf("%d touch, %d are contained, %d of them reach beyond the view, %d are hidden; %d touch by less than the samples show",
		touching, contained, crossing, hidden, thin)
	testenv.Drawn(t, touching, 300)
	testenv.Drawn(t, contained, 20)
	assert.Positive(t, crossing, "contained, and beyond the planes or the edge of the view")
	testenv.Drawn(t, hidden, 10)
	// The chance that a random collider touches by less than d is proportional to d: up to seven in
	// a thousand were found for 1/16 pixel, so three in 100,000 are expected for 1/4096.
	assert.LessOrEqual(t, thin, touching/200, "touching by less than 1/4096 pixel")
}

// The trapezoids of inside and outside do not overlap and fill the image.
func TestSweepFillsThePicture(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		coordinate := rapid.OneOf(rapid.Map(rapid.IntRange(-2, 12), func(i int) float64 { return float64(i) }), rapid.Float64Range(-2, 12))
		var outline []Point
		for range rapid.IntRange(3, 20).Draw(t, "corners") {
			outline = append(outline, Point{coordinate.Draw(t, "x"), coordinate.Draw(t, "y")})
		}
		picture := rectangle{0, 0, 10, 8}
		var w sweep
		in, out := w.cut(nil, nil, outline, picture)
		area := 0.0
		for _, t := range slices.Concat(in, out) {
			a0, a1 := t.span(t.bottom)
			b0, b1 := t.span(t.top)
			area += (a1 - a0 + b1 - b0) / 2 * (t.top - t.bottom)
		}
		// A slab that is lower than leastSlab is counted with the one below, whose sides may be off
		// by the width of the picture there: at most 10·leastSlab for each of the levels.
		require.InDelta(t, 80, area, 10*leastSlab*float64(len(w.levels)+1))
		for range 20 {
			x, y := rapid.Float64Range(0, 9.99).Draw(t, "px"), rapid.Float64Range(0, 7.99).Draw(t, "py")
			n, distance := winding(outline, x, y)
			// A point is left out if it is near an edge, or in a slab so low that it is counted
			// with the one below.
			low := slices.ContainsFunc(w.levels, func(level float64) bool { return math.Abs(y-level) <= leastSlab })
			if distance < 10*leastSlab || low {
				continue
			}
			has := func(list []trapezoid) (n int) {
				for _, t := range list {
					if x0, x1 := t.span(y); y >= t.bottom && y < t.top && x >= x0 && x < x1 {
						n++
					}
				}
				return n
			}
			if n != 0 {
				require.Equal(t, [2]int{1, 0}, [2]int{has(in), has(out)}, "%v, %v", x, y)
			} else {
				require.Equal(t, [2]int{0, 1}, [2]int{has(in), has(out)}, "%v, %v", x, y)
			}
		}
	})
}

func TestRegionShapes(t *testing.T) {
	window := Size{100, 100}
	// X and y are those of the window.
	v := View{Camera{Projection: Ortho(0, 100, 100, 0, 0, 20)}, FullViewport(window, Size{200, 200})}
	s := physics.NewSpace()
	names := map[physics.ColliderID]string{}
	put := func(name string, x, y, z, r float32) {
		names[s.Add(physics.Collider{Shape: geom.Sphere{Radius: r}, Transform: geom.At(x, y, z)})] = name
	}
	put("a", 20, 20, -10, 5)
	put("b", 50, 50, -10, 5)
	put("c", 80, 20, -10, 5)
	put("edge", 0, 80, -10, 5)
	put("near", 50, 80, 0, 5)
	put("dot", 20, 60, -10, 0)
	put("behind b", 50, 50, -17, 2)
	list := func(ids []physics.ColliderID) (l []string) {
		for _, id := range ids {
			l = append(l, names[id])
		}
		return l
	}
	square := func(x, y, r float64) []Point {
		return []Point{{x - r, y - r}, {x + r, y - r}, {x + r, y + r}, {x - r, y + r}}
	}
	nan := math.NaN()
	for _, tt := range []struct {
		name                      string
		rectangle                 []float64
		lasso                     []Point
		touching, inside, visible []string
	}{
		{name: "rectangle around a", rectangle: []float64{10, 10, 30, 30}, touching: []string{"a"}, inside: []string{"a"}, visible: []string{"a"}},
		{name: "from the other corner", rectangle: []float64{30, 30, 10, 10}, touching: []string{"a"}, inside: []string{"a"}, visible: []string{"a"}},
		{name: "through a", rectangle: []float64{10, 10, 20, 30}, touching: []string{"a"}, visible: []string{"a"}},
		{name: "a corner past a", rectangle: []float64{0, 0, 16, 16}},
		{name: "in a", rectangle: []float64{19, 19, 21, 21}, touching: []string{"a"}, visible: []string{"a"}},
		{name: "flat", rectangle: []float64{20, 10, 20, 30}, touching: []string{"a"}},
		{name: "around all", rectangle: []float64{-10, -10, 200, 200},
			touching: []string{"a", "b", "c", "edge", "near", "dot", "behind b"}, inside: []string{"a", "b", "c", "edge", "near", "dot", "behind b"},
			visible: []string{"a", "b", "c", "edge"}},
		{name: "beside the window", rectangle: []float64{-20, 70, -1, 90}},
		{name: "what is beyond the edge is no matter", rectangle: []float64{-20, 70, 10, 90}, touching: []string{"edge"}, inside: []string{"edge"}, visible: []string{"edge"}},
		{name: "nor what is nearer than the near plane", rectangle: []float64{40, 70, 60, 90}, touching: []string{"near"}, inside: []string{"near"}},
		{name: "hidden", rectangle: []float64{44, 44, 56, 56}, touching: []string{"b", "behind b"}, inside: []string{"b", "behind b"}, visible: []string{"b"}},
		{name: "NaN", rectangle: []float64{nan, 0, 100, 100}},
		{name: "infinite", rectangle: []float64{math.Inf(-1), 0, 100, 100}},
		{name: "lasso", lasso: square(20, 20, 6), touching: []string{"a"}, inside: []string{"a"}, visible: []string{"a"}},
		{name: "two loops, which cross", lasso: []Point{{10, 10}, {90, 30}, {90, 10}, {10, 30}}, touching: []string{"a", "c"}, inside: []string{"a", "c"}, visible: []string{"a", "c"}},
		{name: "around the notch", lasso: []Point{{40, 40}, {60, 40}, {60, 60}, {50, 42}, {40, 60}}, touching: []string{"b"}, visible: []string{"b"}},
		{name: "out to one object and back the same way", lasso: append(square(20, 20, 6), []Point{{14, 14}, {74, 14}, {86, 14}, {86, 26}, {74, 26}, {74, 14}}...),
			touching: []string{"a", "c"}, inside: []string{"a", "c"}, visible: []string{"a", "c"}},
		{name: "twice around is inside still", lasso: append(square(20, 20, 6), square(20, 20, 8)...), touching: []string{"a"}, inside: []string{"a"}, visible: []string{"a"}},
		{name: "a ring with its hole left out", lasso: []Point{{30, 30}, {70, 30}, {70, 70}, {30, 70}, {30, 30}, {42, 42}, {42, 58}, {58, 58}, {58, 42}, {42, 42}}},
		{name: "a triangle that is one part, and a in the corner of its bounds", lasso: []Point{{4, 40}, {44, 40}, {44, 8}}},
		{name: "two points", lasso: square(20, 20, 6)[:2]},
		{name: "on one line", lasso: []Point{{0, 0}, {50, 50}, {100, 100}}},
		{name: "lasso with a NaN", lasso: append(square(20, 20, 6), Point{nan, 3})},
		{name: "lasso too large", lasso: append(square(20, 20, 6), Point{1e300, 3})},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var r Region
			if tt.lasso != nil {
				r.SetLasso(v, tt.lasso)
			} else {
				r.SetRectangle(v, tt.rectangle[0], tt.rectangle[1], tt.rectangle[2], tt.rectangle[3])
			}
			touching := r.Overlap(s, nil, physics.Filter{})
			assert.Equal(t, tt.touching, list(touching))
			assert.Equal(t, tt.inside, list(r.Contained(s, nil, physics.Filter{})))
			assert.Equal(t, tt.visible, list(r.Visible(s, touching, 0, PickFilter())))
		})
	}
}

func TestRegionWithoutAPicture(t *testing.T) {
	s := physics.NewSpace()
	s.Add(physics.Collider{Shape: geom.Sphere{Radius: 1e6}})
	var r Region
	assert.True(t, r.IsEmpty())
	assert.Empty(t, r.Overlap(s, nil, physics.Filter{}))
	assert.Empty(t, r.Visible(s, []physics.ColliderID{1}, 1, physics.Filter{}))
	size := Size{10, 10}
	for name, v := range map[string]View{
		"zero":          {},
		"no projection": {Viewport: FullViewport(size, size)},
		"minimised":     {Camera{Projection: Perspective(1, 1, 2)}, FullViewport(size, Size{})},
		"beyond the framebuffer": {Camera{Projection: Perspective(1, 1, 2)},
			Viewport{X: 20, Y: 20, Width: 10, Height: 10, Window: size, Framebuffer: size}},
	} {
		r.SetRectangle(v, 1, 1, 9, 9)
		assert.Empty(t, r.Overlap(s, nil, physics.Filter{}), name)
		r.SetLasso(v, []Point{{1, 1}, {9, 1}, {5, 9}})
		assert.Empty(t, r.Contained(s, nil, physics.Filter{}), name)
	}
}

// What a larger step finds is visible at step 1 too, and all regions sample the same pixels.
func TestRegionVisibleInSteps(t *testing.T) {
	z := newShapesAround(5)
	z.fill(60, geom.V(0, 0, -7), 5, 0.5)
	view := regionViews()["perspective"]
	var r Region
	r.SetLasso(view, []Point{{3, 5}, {60, 2}, {55, 33}, {30, 12}, {8, 30}})
	all := r.Visible(z.space, r.Overlap(z.space, nil, physics.Filter{}), 1, PickFilter())
	last := len(all) + 1
	for _, step := range []int{2, 5, 11} {
		some := r.Visible(z.space, r.Overlap(z.space, nil, physics.Filter{}), step, PickFilter())
		assert.Subset(t, all, some)
		want := map[physics.ColliderID]bool{}
		for py := 0; py < 72; py += step {
			for px := 0; px < 96; px += step {
				if h, ok := z.space.CastRay(view.PixelRay(px, py), PickFilter()); ok && r.contains(float64(px)+0.5, float64(py)+0.5) {
					want[h.Collider] = true
				}
			}
		}
		assert.Len(t, some, len(want))
		assert.LessOrEqual(t, len(some), last)
		last = len(some)
	}
	assert.Less(t, last, len(all))
}

func BenchmarkRegionSetLasso(b *testing.B) {
	z := newShapesAround(3)
	view := View{Camera{Projection: Perspective(1, 0.1, 1000)}, FullViewport(Size{1280, 720}, Size{1280, 720})}
	for _, n := range []int{50, 200, maxLasso} {
		loop := make([]Point, n) // once around, with a trembling hand
		for i := range loop {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
			loop[i] = Point{640 + 250*cos + 4*z.Float64(), 360 + 250*sin + 4*z.Float64()}
		}
		b.Run(fmt.Sprint(n, " points"), func(b *testing.B) {
			b.ReportAllocs()
			var r Region
			for b.Loop() {
				r.SetLasso(view, loop)
			}
			b.ReportMetric(float64(len(r.in)+len(r.out)), "trapezoids")
		})
	}
}

func FuzzRegion(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 1.0)
	f.Add([]byte{0, 0, 255, 255, 255, 0, 0, 255, 0, 0, 255, 255}, 0.5)
	f.Add([]byte{0, 0, 255, 255, 255, 0}, 1e300)
	view := regionViews()["perspective"]
	z := newShapesAround(9)
	z.fill(10, geom.V(0, 0, -7), 5, 0.5)
	f.Fuzz(func(t *testing.T, data []byte, scale float64) {
		if len(data) > 200 {
			data = data[:200]
		}
		var outline []Point
		for i := 0; i+1 < len(data); i += 2 {
			outline = append(outline, Point{float64(data[i]) / 4 * scale, float64(data[i+1]) / 6 * scale})
		}
		var r Region
		r.SetLasso(view, outline)
		touching := r.Overlap(z.space, nil, physics.Filter{})
		assert.Subset(t, touching, r.Contained(z.space, nil, physics.Filter{}))
		assert.Subset(t, slices.Clone(touching), r.Visible(z.space, touching, 8, PickFilter()))
		if !r.IsEmpty() {
			assert.NotEmpty(t, r.Frusta())
		}
	})
}

package render

import (
	"image/color"
	"math"
	"slices"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/picking"
)

// Thousands of items; those with the same geometry are one draw call.

// plainColors can be distinguished in any light by which of red, green and blue they have.
var plainColors = [...]uint32{0xFF0000, 0x00FF00, 0x0000FF, 0xFFFF00, 0x00FFFF, 0xFF00FF}

// manyShapes returns a world with n items of every kind, most of them small, some mirrored, and
// their colours.
func manyShapes(t testing.TB, n int) (*world, map[ecs.Entity]uint32) {
	w, colors := newWorld(), map[ecs.Entity]uint32{}
	rng := testenv.Rand(3, 4)
	within := func(lo, hi float32) float32 { return lo + (hi-lo)*rng.Float32() }
	boxMesh, boxIndices := mesh.Box(geom.V(0.1, 0.06, 0.14))
	ring, ringIndices := mesh.Torus(0.11, 0.04, 8, 4)
	kinds := [...]physecs.Collider{
		physecs.Box(geom.V(0.07, 0.05, 0.13)), physecs.AABB(geom.V(0.07, 0.05, 0.13)), physecs.Sphere(0.09),
		physecs.Capsule(0.1, 0.055), w.mesh(t, boxMesh, boxIndices), w.mesh(t, ring, ringIndices),
		w.hull(t, first(mesh.Icosphere(0.1, 1))),
	}
	for i := range n {
		at := geom.Transform{
			Position: geom.V(within(-13, 13), within(1, 12), within(-9, 9)),
			Rotation: geom.QuatEuler(float64(within(-3, 3)), float64(within(-3, 3)), float64(within(-3, 3))),
			Scale:    geom.V(within(0.6, 1.2), within(0.6, 1.2), within(0.6, 1.2)),
		}
		if i%40 == 0 {
			at.Scale = at.Scale.Mul(4)
		}
		if rng.IntN(2) == 0 {
			at.Scale.X = -at.Scale.X
		}
		rgb := plainColors[rng.IntN(len(plainColors))]
		e := w.put(at, kinds[i%len(kinds)], Material{Color: RGB(rgb)})
		colors[e] = rgb
	}
	return w, colors
}

var manyShapesEye, manyShapesTarget = geom.V(-12, 10, 30), geom.V(0, 5.5, 0)

// Ten thousand items are drawn at their places in their colours: a pixel has the colour of the
// entity in the ID buffer, unless an edge is near.
func TestManyShapesAgainstIDBuffer(t *testing.T) {
	r := newTestRenderer(t)
	b, err := NewIDBuffer()
	require.NoError(t, err)
	defer b.Close()
	r.Style = darkness()
	r.Style.AmbientLight, r.Style.SkyLight, r.Style.GroundLight, r.Style.Samples = 1, RGB(0xffffff), RGB(0xffffff), 1
	w, colors := manyShapes(t, 10_000)
	size := wide(960, 600)
	v := viewFrom(manyShapesEye, manyShapesTarget, projection, size)
	m := r.mustDraw(t, w, v)
	save(t, r, "flock")
	require.NoError(t, b.Draw(&w.World, v))
	assert.Equal(t, 10_000, r.Stats().Items+r.culled(w))
	assert.Less(t, r.Stats().Batches, 60)

	// A sphere or capsule is drawn as a polyhedron up to half a pixel inside of it, so that what is
	// no deeper in it may be seen instead. The depth under the tangent plane at the hit is no less.
	// Of surfaces within two steps of the depth buffer either one may be seen.
	physecs.Sync(&w.World)
	space, round := ecs.GetResource[physecs.Space](&w.World), map[ecs.Entity]bool{}
	for _, it := range r.scene.items {
		round[it.entity] = it.radius > 0
	}
	// At a distance of 1 m.
	const depthStep = 1 / (0.05 * (1 << 24))
	pixel := 2 / (projection.Matrix(1)[5] * float64(size.Height))
	showsThrough := func(x, y int, e ecs.Entity, rgb uint32) bool {
		ray := v.PixelRay(x, y)
		hits := space.CastRayAll(nil, ray, physecs.Filter{})
		for i, h := range hits {
			first := hits[0]
			behind, at := float64(h.T-first.T), float64(first.T)
			within := round[e] && behind*math.Abs(float64(first.Normal.Dot(ray.Dir))) <= pixel/2*at
			if i > 0 && first.Entity == e && colors[h.Entity] == rgb && (within || behind <= 2*depthStep*at*at) {
				return true
			}
		}
		return false
	}

	seen := map[ecs.Entity]bool{}
	sure, wrong, through, shown := 0, 0, 0, map[bool]int{}
	for y := 1; y < size.Height-1; y++ {
		for x := 1; x < size.Width-1; x++ {
			e, _ := b.Entity(x, size.Height-1-y)
			near := false
			for i := range 9 {
				o, _ := b.Entity(x+i%3-1, size.Height-1-y+i/3-1)
				near = near || o != e
			}
			if near {
				continue
			}
			sure++
			switch got := plainColor(m.NRGBAAt(x, y)); {
			case got == colors[e]:
			case showsThrough(x, size.Height-1-y, e, got):
				through++
			default:
				wrong++
			}
			if !e.IsZero() {
				seen[e] = true
			}
		}
	}
	for _, it := range r.scene.items {
		if seen[it.entity] {
			shown[it.small]++
		}
	}
	t.Logf("%d pixels away from edges, %d of them within half a pixel of another colour; %d items that fill a pixel, %d of them lit per vertex",
		sure, through, len(seen), shown[true])
	assert.Zero(t, wrong)
	testenv.Drawn(t, len(seen), 3000)
	testenv.Drawn(t, shown[true], 500)
	testenv.Drawn(t, shown[false], 50)
}

// While ten thousand items move, what is seen is what is picked, tick by tick.
func TestManyShapesSeenIsPicked(t *testing.T) {
	context(t)
	b, err := NewIDBuffer()
	require.NoError(t, err)
	defer b.Close()
	w, colors := manyShapes(t, 10_000)
	for tick := range 3 {
		for e := range colors {
			at, _, _ := w.add.Get(e)
			at.Position = at.Position.Add(geom.V(0.05, 0.02, -0.03).Mul(float32(e.ID()%7) - 3))
			at.Rotation = geom.QuatAxisAngle(geom.V(0, 1, 0), 0.2).Mul(at.Rotation)
		}
		physecs.Sync(&w.World)
		d := compare(t, b, w, viewFrom(manyShapesEye, manyShapesTarget, projection, wide(480, 300)))
		t.Logf("tick %d: %d pixels, %d hit, %d entities; %d differ: %d at edges, %d at ties, %d else",
			tick, d.pixels, d.hits, len(d.entities), d.differ, d.edges, d.ties, len(d.unexcused))
		assert.Empty(t, d.unexcused)
		testenv.Drawn(t, len(d.entities), 3000)
	}
}

// culled returns how many items of a world the renderer did not draw.
func (r *Renderer) culled(w *world) int {
	var s scene
	s.collect(&w.World, true)
	return len(s.items) - len(r.scene.items)
}

// plainColor returns the plain colour of a pixel, 0 for the sky.
func plainColor(c color.NRGBA) (rgb uint32) {
	for i, x := range [...]uint8{c.R, c.G, c.B} {
		if x >= 128 {
			rgb |= 0xFF0000 >> (8 * i)
		}
	}
	return rgb
}

// An item lit per vertex looks as it does slightly nearer, where it is lit per pixel.
func TestSmallItemsLookLikeLarge(t *testing.T) {
	r := newTestRenderer(t)
	w := newWorld()
	w.put(geom.Transform{}, physecs.Plane(geom.V(0, 1, 0), 0), Paint(0xC3C6C9))
	kite, kiteIndices := mesh.Icosphere(0.4, 1)
	kinds := map[string]physecs.Collider{
		"box": physecs.Box(geom.V(0.3, 0.2, 0.25)), "sphere": physecs.Sphere(0.4), "capsule": physecs.Capsule(0.2, 0.22),
		"mesh": w.mesh(t, kite, kiteIndices), "hull": w.hull(t, kite),
	}
	// Casts a shadow on some of them.
	w.put(geom.At(-1.5, 3, 1.5), physecs.Box(geom.V(0.8, 0.1, 3)), Paint(0x808080))
	for name, c := range kinds {
		for _, x := range []float32{0, 1} {
			e := w.put(geom.Transform{Position: geom.V(x, 0.6, 0), Rotation: geom.QuatEuler(0.5, 0.3, 0)}, c, Paint(0xC06040))
			view := func(distance float32) picking.View {
				return viewFrom(geom.V(x, 0.6+0.3*distance, distance), geom.V(x, 0.6, 0), projection, square(120))
			}
			small := func() bool {
				return slices.ContainsFunc(r.scene.items, func(it item) bool { return it.entity == e && it.small })
			}
			mean := func(distance float32) (sum [3]float64, isSmall bool) {
				m := r.mustDraw(t, w, view(distance))
				const half = 3
				for y := 60 - half; y < 60+half; y++ {
					for x := 60 - half; x < 60+half; x++ {
						c := m.NRGBAAt(x, y)
						sum[0], sum[1], sum[2] = sum[0]+float64(c.R), sum[1]+float64(c.G), sum[2]+float64(c.B)
					}
				}
				for i := range sum {
					sum[i] /= 4 * half * half
				}
				return sum, small()
			}
			// The distance at which the lighting changes, by bisection.
			near, far := float32(1), float32(60)
			for range 20 {
				middle := (near + far) / 2
				f, ok := newFrame(view(middle))
				require.True(t, ok)
				if r.gather(&w.World, &f); small() {
					far = middle
				} else {
					near = middle
				}
			}
			large, isSmall := mean(near)
			require.False(t, isSmall, name)
			little, isSmall := mean(far)
			require.True(t, isSmall, name)
			assert.Less(t, far-near, float32(1e-3))
			save(t, r, "small "+name)
			for i := range large {
				assert.InDelta(t, large[i], little[i], 14, "%s at %g: %v against %v", name, x, large, little)
			}
			require.Greater(t, math.Abs(large[0]-large[2]), 20.0, "the pixel shows the item")
			w.RemoveEntity(e)
		}
	}
}

// BenchmarkDrawManyShapes draws a frame of ten thousand items with shadows, at 1280 × 720.
func BenchmarkDrawManyShapes(b *testing.B) {
	r := newTestRenderer(b)
	w, _ := manyShapes(b, 10_000)
	w.put(geom.Transform{}, physecs.Plane(geom.V(0, 1, 0), 0), Paint(0xC3C6C9))
	v := viewFrom(manyShapesEye, manyShapesTarget, projection, wide(1280, 720))
	for b.Loop() {
		if err := r.Draw(&w.World, v); err != nil {
			b.Fatal(err)
		}
		r.Image() // waits for the graphics card
	}
	b.ReportMetric(float64(r.Stats().Triangles), "triangles")
	b.ReportMetric(float64(r.Stats().Batches), "batches")
}

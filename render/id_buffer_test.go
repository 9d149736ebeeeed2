package render

import (
	"fmt"
	"math"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/picking"
)

// shapesOfAllKinds returns a world with every shape, in every kind of placement, touching and
// intersecting each other, around a centre.
func shapesOfAllKinds(t testing.TB, center geom.Vec3) *world {
	w := newWorld()
	torus := w.mesh(t, first(mesh.Torus(0.5, 0.2, 24, 12)), second(mesh.Torus(0.5, 0.2, 24, 12)))
	ball := w.mesh(t, first(mesh.Icosphere(0.6, 2)), second(mesh.Icosphere(0.6, 2)))
	crate := w.mesh(t, first(mesh.Box(geom.V(6, 0.05, 6))), second(mesh.Box(geom.V(6, 0.05, 6))))
	splinter, err := hull.New([]geom.Vec3{{X: -0.1}, {X: 0.1}, {Z: 0.1}, {Y: 0.6, Z: 0.05}})
	require.NoError(t, err)
	compound := physecs.Compound(resource[physecs.Meshes](&w.World).AddCompound(physics.NewCompound(
		physics.Child{Shape: geom.Box{HalfExtents: geom.V(0.4, 0.1, 0.1)},
			Transform: geom.Transform{Rotation: geom.QuatAxisAngle(geom.V(0, 0, 1), 0.6)}},
		physics.Child{Shape: geom.Sphere{Radius: 0.25}, Transform: geom.At(0.4, 0.4, 0)},
		physics.Child{Shape: geom.AABBAround(geom.V(0, 0, 0), geom.V(0.1, 0.3, 0.2)), Transform: geom.At(-0.4, 0, 0.2)},
		physics.Child{Shape: geom.Capsule{A: geom.V(-0.3, -0.3, 0), B: geom.V(0.2, -0.2, 0.4), Radius: 0.12}},
		physics.Child{Shape: splinter, Transform: geom.Transform{Position: geom.V(0.1, 0.5, 0.1), Rotation: geom.QuatEuler(1, 2, 3)}},
	)))
	rock := w.hull(t, first(mesh.Icosphere(0.5, 1)))
	turned := geom.QuatEuler(0.7, 0.4, -0.3)
	uneven := geom.V(1.3, 0.6, 0.9)
	mirror := geom.V(-1, 1, 1)
	i := 0
	for _, c := range []physecs.Collider{
		physecs.Box(geom.V(0.5, 0.3, 0.4)), physecs.AABB(geom.V(0.4, 0.5, 0.3)), physecs.Sphere(0.5),
		physecs.Capsule(0.4, 0.25), torus, ball, compound, rock,
	} {
		c.Rotation = geom.QuatAxisAngle(geom.V(1, 0, 0), 0.3)
		for _, tr := range []geom.Transform{
			{}, {Rotation: turned}, {Rotation: turned, Scale: uneven}, {Rotation: turned, Scale: mirror},
			{Scale: geom.V(-1.2, -0.7, -0.4)},
		} {
			tr.Position = center.Add(geom.V(float32(i%6)*0.95-2.4, 0.45+0.25*float32(i%3), float32(i/6)*1.05-3))
			w.put(tr, c, Paint(0x808080))
			i++
		}
	}
	w.put(geom.Transform{Position: center}, physecs.Plane(geom.V(0.05, 1, 0), 0.1), Paint(0x808080))
	w.put(geom.Transform{Position: center.Add(geom.V(0, 0.02, 0)), Rotation: geom.QuatAxisAngle(geom.V(0, 1, 0), 0.2)}, crate, Paint(0x808080))
	w.put(geom.Transform{Position: center.Add(geom.V(0, 1.9, 0)), Rotation: turned}, physecs.Box(geom.V(0.6, 0, 0.4)), Paint(0x808080))
	w.put(geom.Transform{Position: center.Add(geom.V(0, 2.4, 0)), Rotation: turned, Scale: geom.V(1, 0, 1)}, physecs.Box(geom.V(0.6, 1, 0.4)), Paint(0x808080))

	// None of these is visible.
	sensor := physecs.Box(geom.V(9, 9, 0.1))
	sensor.Sensor = true
	w.put(geom.Transform{Position: center.Add(geom.V(0, 0, 3.5))}, sensor, Paint(0x808080))
	glass := w.put(geom.Transform{Position: center.Add(geom.V(0, 0, 3.6))}, physecs.Box(geom.V(9, 9, 0.1)), Paint(0x808080))
	w.Add(glass, ecs.ComponentID[physecs.Unpickable](&w.World))
	w.put(geom.Transform{Position: center}, physecs.Sphere(-1), Paint(0x808080))
	w.put(geom.Transform{Position: center, Scale: geom.V(float32(math.NaN()), 1, 1)}, physecs.Sphere(1), Paint(0x808080))
	physecs.Sync(&w.World)
	return w
}

func first[A, B any](a A, _ B) A  { return a }
func second[A, B any](_ A, b B) B { return b }

// difference counts the pixels on which an ID buffer and a ray through the pixel's centre differ.
type difference struct {
	pixels, hits, differ int
	entities             map[ecs.Entity]bool // that are seen
	// Of those that differ, excused for a near edge or surface.
	edges, ties int
	unexcused   []string
}

// compare casts a ray through every pixel. Two kinds of difference are excused: a pixel centre
// within 1/256 pixel of an edge, found by rays around it that hit what the buffer shows, and two
// surfaces at the same distance.
func compare(t testing.TB, b *IDBuffer, w *world, v picking.View) (d difference) {
	require.NoError(t, b.Draw(&w.World, v))
	require.Equal(t, v.Framebuffer, b.Size())
	f := physecs.Filter{Start: geom.Ignore, Cull: geom.CullBack, Without: ecs.All(ecs.ComponentID[physecs.Unpickable](&w.World))}
	d.entities = map[ecs.Entity]bool{}
	var all []physecs.Hit
	space := ecs.GetResource[physecs.Space](&w.World)
	for py := range v.Framebuffer.Height {
		for px := range v.Framebuffer.Width {
			got, ok := b.Entity(px, py)
			if !v.Contains(px, py) {
				require.False(t, ok, "a pixel outside the viewport")
				continue
			}
			d.pixels++
			ray := v.PixelRay(px, py)
			hit, hitOK := space.CastRay(ray, f)
			if hitOK {
				d.hits++
				d.entities[hit.Entity] = true
			}
			if ok == hitOK && got == hit.Entity {
				continue
			}
			d.differ++
			if nearEdge(w, v, f, px, py, got, ok) {
				d.edges++
				continue
			}
			all = space.CastRayAll(all[:0], ray, f)
			tie := false
			for _, h := range all {
				tie = tie || h.Entity == got && h.T-hit.T <= 1e-5*hit.T
			}
			if tie {
				d.ties++
				continue
			}
			d.unexcused = append(d.unexcused, fmt.Sprintf("(%d, %d): buffer %v %v, ray %v %v", px, py, got, ok, hit.Entity, hitOK))
		}
	}
	return d
}

func nearEdge(w *world, v picking.View, f physecs.Filter, px, py int, got ecs.Entity, ok bool) bool {
	space := ecs.GetResource[physecs.Space](&w.World)
	const n = 128 // where two edges cross, what is behind both is visible in a narrow angle only
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / n)
		hit, hitOK := space.CastRay(v.RayAt(float64(px)+0.5+cos/256, float64(py)+0.5+sin/256), f)
		if hitOK == ok && hit.Entity == got {
			return true
		}
	}
	return false
}

// What is seen is what is picked.
func TestIDBufferAgainstRays(t *testing.T) {
	context(t)
	b, err := NewIDBuffer()
	require.NoError(t, err)
	defer b.Close()
	here := shapesOfAllKinds(t, geom.Vec3{})
	eye, target := geom.V(2.5, 3, 5.5), geom.V(0, 0.5, 0)
	projection := picking.Perspective(0.9, 0.1, 100)
	part := picking.Viewport{X: 37, Y: 21, Width: 200, Height: 150,
		Window: picking.Size{Width: 140, Height: 100}, Framebuffer: picking.Size{Width: 280, Height: 200}}
	full := wide(320, 200)
	for _, c := range []struct {
		name string
		view picking.View
	}{
		{"perspective", viewFrom(eye, target, projection, full)},
		{"from below", viewFrom(geom.V(2.5, -1, 5.5), target, projection, full)},
		{"from within a sphere", viewFrom(geom.V(-0.5, 0.95, -2), geom.V(3, 0.5, 1), projection, full)},
		{"long projection", viewFrom(geom.V(250, 300, 550), target, picking.Perspective(0.01, 1, 2000), full)},
		{"far plane cuts", viewFrom(eye, target, picking.Perspective(0.9, 3, 7), full)},
		{"infinite far plane", viewFrom(eye, target, picking.Perspective(0.9, 0.1, math.Inf(1)), full)},
		{"reversed depth", viewFrom(eye, target, projection.WithReversedDepth(), full)},
		{"reversed infinite", viewFrom(eye, target, picking.Perspective(0.9, 0.1, math.Inf(1)).WithReversedDepth(), full)},
		{"depth zero to one", viewFrom(eye, target, projection.WithDepthZeroToOne(), full)},
		{"off-centre", viewFrom(eye, target, picking.PerspectiveOffCenter(-0.02, 0.09, -0.01, 0.05, 0.1, 100), full)},
		{"mirrored", viewFrom(eye, target, picking.PerspectiveOffCenter(0.07, -0.07, -0.05, 0.05, 0.1, 100), full)},
		{"orthographic", viewFrom(eye, target, picking.Orthographic(6, 0.1, 100), full)},
		{"orthographic, near plane behind the camera", viewFrom(target, geom.V(-1, 0, -2), picking.Orthographic(6, -50, 50), full)},
		{"orthographic, reversed", viewFrom(eye, target, picking.Orthographic(6, 0.1, 100).WithReversedDepth(), full)},
		{"part of the framebuffer", viewFrom(eye, target, projection, part)},
		{"part, orthographic", viewFrom(eye, target, picking.Orthographic(6, 0.1, 100), part)},
	} {
		section(t, c.name, func(t *testing.T) {
			d := compare(t, b, here, c.view)
			t.Logf("%d pixels, %d hit; %d differ: %d at edges, %d at ties, %d else",
				d.pixels, d.hits, d.differ, d.edges, d.ties, len(d.unexcused))
			assert.Empty(t, d.unexcused)
			assert.Greater(t, d.hits, d.pixels/4, "the objects cover enough of the image")
			assert.Greater(t, len(d.entities), 5, "and many of them are visible")
			assert.Less(t, d.differ, d.pixels/500, "few pixels are excused")
		})
	}
}

// Ten kilometres from the origin the coordinates of the scene are a millimetre apart, and so are
// the origins of rays.
func TestIDBufferFarFromOrigin(t *testing.T) {
	context(t)
	b, err := NewIDBuffer()
	require.NoError(t, err)
	defer b.Close()
	far := geom.V(10000, 200, -7000)
	d := compare(t, b, shapesOfAllKinds(t, far), viewFrom(far.Add(geom.V(2.5, 3, 5.5)), far.Add(geom.V(0, 0.5, 0)),
		picking.Perspective(0.9, 0.1, 100), wide(640, 400)))
	t.Logf("%d pixels, %d differ: %d at edges, %d at ties, %d else", d.pixels, d.differ, d.edges, d.ties, len(d.unexcused))
	assert.Less(t, len(d.unexcused), d.pixels/5000, "half a millimetre is a twentieth of a pixel here")
}

// A mesh and a plane seen from their back, and a hull and a box, which have no back.
func TestIDBufferCull(t *testing.T) {
	context(t)
	b, err := NewIDBuffer()
	require.NoError(t, err)
	defer b.Close()
	assert.Equal(t, picking.PickFilter().Cull, b.Cull)
	w := newWorld()
	facing, away := geom.QuatAxisAngle(geom.V(1, 0, 0), math.Pi/2), geom.QuatAxisAngle(geom.V(1, 0, 0), -math.Pi/2)
	sheet := w.mesh(t, first(mesh.Plane(0.4, 0.4, 1, 1)), second(mesh.Plane(0.4, 0.4, 1, 1)))
	front := w.put(geom.Transform{Position: geom.V(-1.5, 0, 0), Rotation: facing}, sheet, Paint(0))
	back := w.put(geom.Transform{Position: geom.V(-0.5, 0, 0), Rotation: away}, sheet, Paint(0))
	stone := w.put(geom.At(0.5, 0, 0), w.hull(t, first(mesh.Icosphere(0.4, 1))), Paint(0))
	box := w.put(geom.At(1.5, 0, 0), physecs.Box(geom.V(0.4, 0.4, 0.4)), Paint(0))
	plane := w.put(geom.At(0, 0, -2), physecs.Plane(geom.V(0, 0, -1), 0), Paint(0))
	physecs.Sync(&w.World)
	v := viewFrom(geom.V(0, 0, 5), geom.V(0, 0, 0), picking.Orthographic(2, 0.1, 100), wide(400, 200))
	for cull, want := range map[geom.Cull][]ecs.Entity{
		geom.CullBack:  {front, {}, stone, box},
		geom.CullNone:  {front, back, stone, box},
		geom.CullFront: {plane, back, stone, box},
	} {
		b.Cull = cull
		require.NoError(t, b.Draw(&w.World, v))
		for i, e := range want {
			got, _ := b.Entity(50+100*i, 100)
			assert.Equal(t, e, got, "%v, object %d", cull, i)
		}
		got, ok := b.Entity(0, 0)
		assert.Equal(t, cull != geom.CullBack, ok && got == plane, "%v", cull)
	}
}

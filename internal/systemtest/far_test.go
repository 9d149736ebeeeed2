package systemtest

import (
	"math"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/picking"
)

// A world of 100 km, in which the origin of the space follows the camera: answers there are as
// exact as near the world's zero. Each test also reports the errors that occur without a moved
// origin.

var inf = math.Inf(1)

// away is a point 100 km from the zero of the world.
var away = geom.DVec3{X: 70711.25, Y: 812.5, Z: -70711.75}

// farWorld is a world whose entities have places in double precision. Their transforms are these
// places relative to the origin of the space.
type farWorld struct {
	world   ecs.World
	systems physecs.Simulation
	things  generic.Map2[physecs.Transform, physecs.Collider]
	list    []ecs.Entity
	places  map[ecs.Entity]geom.DVec3
}

func newFarWorld(origin geom.DVec3) *farWorld {
	f := &farWorld{world: ecs.NewWorld(), places: map[ecs.Entity]geom.DVec3{}}
	f.systems.Initialize(&f.world)
	f.things = generic.NewMap2[physecs.Transform, physecs.Collider](&f.world)
	f.space().Rebase(origin)
	return f
}

func (f *farWorld) space() *physics.Space   { return ecs.GetResource[physecs.Space](&f.world).Physics() }
func (f *farWorld) meshes() *physecs.Meshes { return ecs.GetResource[physecs.Meshes](&f.world) }
func (f *farWorld) view() *physecs.View     { return ecs.GetResource[physecs.View](&f.world) }
func (f *farWorld) mesh(t testing.TB, vertices []geom.Vec3, indices []uint32) physecs.Collider {
	m, err := mesh.New(vertices, indices)
	require.NoError(t, err)
	return physecs.Mesh(f.meshes().Add(m))
}

// seen returns a place relative to the origin of the space.
func (f *farWorld) seen(at geom.DVec3) geom.Vec3 { return at.Sub(f.space().Origin()).Narrow() }

func (f *farWorld) put(at geom.DVec3, t geom.Transform, c physecs.Collider) ecs.Entity {
	t.Position = f.seen(at)
	e := f.things.NewWith(&t, &c)
	f.list = append(f.list, e)
	f.places[e] = at
	return e
}

func (f *farWorld) move(e ecs.Entity, to geom.DVec3) {
	f.places[e] = to
	t, _ := f.things.Get(e)
	t.Position = f.seen(to)
}

// rebase moves the origin, and changes the transforms of all entities accordingly.
func (f *farWorld) rebase(to geom.DVec3) {
	from := f.space().Origin()
	f.space().Rebase(to)
	f.view().Rebase(from, to)
	for e, at := range f.places {
		f.move(e, at)
	}
	physecs.Sync(&f.world)
}

// hover returns the entity under the centre of a pixel, found as for a user's cursor.
func (f *farWorld) hover(px, py int) physecs.Hover {
	p := ecs.GetResource[physecs.Pointer](&f.world)
	p.X, p.Y = f.view().Cursor(px, py)
	p.Inside = true
	f.systems.Update(&f.world)
	return *ecs.GetResource[physecs.Hover](&f.world)
}

// farScene fills a world with entities of every shape around a place. All numbers are multiples of
// 2⁻¹⁰ m, which double precision represents exactly, here and 100 km away.
func farScene(t testing.TB, f *farWorld, at geom.DVec3) {
	rng := testenv.Rand(5, 6)
	number := func(lo, hi float64) float32 { return float32(math.Round((lo+(hi-lo)*rng.Float64())*1024) / 1024) }
	vec := func(lo, hi float64) geom.Vec3 { return geom.V(number(lo, hi), number(lo, hi), number(lo, hi)) }
	kinds := []func() physecs.Collider{
		func() physecs.Collider { return physecs.AABB(vec(0.1, 0.5)) },
		func() physecs.Collider { return physecs.Box(vec(0.1, 0.5)) },
		func() physecs.Collider { return physecs.Sphere(number(0.2, 0.6)) },
		func() physecs.Collider { return physecs.Capsule(number(0, 0.5), number(0.1, 0.3)) },
	}
	torus, ball := f.mesh(t, first(mesh.Torus(0.4, 0.15, 14, 8)), second(mesh.Torus(0.4, 0.15, 14, 8))),
		f.mesh(t, first(mesh.Icosphere(0.4, 2)), second(mesh.Icosphere(0.4, 2)))
	pair := physecs.Compound(f.meshes().AddCompound(physics.NewCompound(
		physics.Child{Shape: geom.Sphere{Radius: 0.3}, Transform: geom.At(0.4, 0, 0)},
		physics.Child{Shape: geom.Box{HalfExtents: geom.V(0.3, 0.2, 0.2), Rotation: geom.QuatEuler(0.3, 0.2, 0.1)}},
	)))
	for _, c := range []physecs.Collider{torus, ball, pair} {
		kinds = append(kinds, func() physecs.Collider { return c })
	}
	for i := range 280 {
		tr := geom.Transform{Rotation: geom.Quat{X: number(-1, 1), Y: number(-1, 1), Z: number(-1, 1), W: number(-1, 1)}.Normalize()}
		if i%3 == 0 {
			tr.Scale = vec(0.5, 1.5)
			if i%2 == 0 {
				tr.Scale.X = -tr.Scale.X
			}
		}
		f.put(at.Add(vec(-5, 5).Wide()), tr, kinds[i%len(kinds)]())
	}
	f.put(at.Add(geom.DVec3{Y: -4}), geom.Transform{}, physecs.Plane(geom.V(0.125, 1, -0.0625), 0))
}

func first[A, B any](a A, _ B) A  { return a }
func second[A, B any](_ A, b B) B { return b }

// farViews are the cameras of farScene, relative to its middle.
func farViews() map[string]picking.View {
	size := picking.Size{Width: 320, Height: 180}
	views := map[string]picking.View{}
	for name, p := range map[string]picking.Projection{
		"perspective":     picking.Perspective(0.9, 0.1, 200),
		"reversed depth":  picking.Perspective(0.7, 0.1, math.Inf(1)).WithReversedDepth(),
		"off centre":      picking.PerspectiveOffCenter(-0.03, 0.09, -0.02, 0.05, 0.1, 200),
		"orthographic":    picking.Orthographic(9, 0.1, 200),
		"near plane cuts": picking.Perspective(1.1, 11, 200),
	} {
		v := picking.View{Camera: picking.Camera{Projection: p}, Viewport: picking.FullViewport(size, size)}
		v.LookAt(geom.V(4.25, 3.5, 12.75), geom.V(0.125, -0.25, 0), geom.V(0, 1, 0))
		views[name] = v
	}
	return views
}

// nearAndFar returns the same scene twice: at the zero of the world, and 100 km away. The second
// was built around an origin a kilometre aside, which was rebased into the scene afterwards. look
// puts a camera into both.
func nearAndFar(t testing.TB) (near, far *farWorld, look func(v picking.View)) {
	near = newFarWorld(geom.DVec3{})
	farScene(t, near, geom.DVec3{})
	aside := away.Add(geom.DVec3{X: 512.5, Y: -256, Z: 768.25})
	far = newFarWorld(aside)
	farScene(t, far, away)
	physecs.Sync(&near.world)
	physecs.Sync(&far.world)
	return near, far, func(v picking.View) {
		*near.view() = v
		far.rebase(aside)
		*far.view() = v
		far.view().Position = v.Position.Wide().Add(away.Sub(aside)).Narrow()
		far.rebase(away)
	}
}

// 100 km away, with the origin rebased there, every ray and every hit is the same to the last bit.
func TestFarIsNear(t *testing.T) {
	near, far, look := nearAndFar(t)
	plain := newFarWorld(geom.DVec3{}) // the same place without a rebase
	farScene(t, plain, away)
	plainSpace := physecs.Sync(&plain.world)
	nearSpace, farSpace := ecs.GetResource[physecs.Space](&near.world), ecs.GetResource[physecs.Space](&far.world)
	see := picking.PickFilter()
	filter := physecs.Filter{Start: see.Start, Cull: see.Cull}
	for name, v := range farViews() {
		look(v)
		require.Equal(t, v, *far.view())
		*plain.view() = v
		plain.view().Position = v.Position.Wide().Add(away).Narrow()
		hits, others, furthest := 0, 0, 0.0
		for py := range v.Framebuffer.Height {
			for px := range v.Framebuffer.Width {
				ray := near.view().PixelRay(px, py)
				require.Equal(t, ray, far.view().PixelRay(px, py))
				h, ok := nearSpace.CastRay(ray, filter)
				g, found := farSpace.CastRay(ray, filter)
				require.Equal(t, ok, found)
				require.Equal(t, h, g, "%s: pixel %d, %d", name, px, py)
				if ok {
					hits++
				}
				p, _ := plainSpace.CastRay(plain.view().PixelRay(px, py), filter)
				if p.Entity != h.Entity {
					others++
				} else if ok && h.Entity != near.list[len(near.list)-1] {
					furthest = math.Max(furthest, math.Abs(float64(p.T-h.T)))
				}
			}
		}
		t.Logf("%s: %d pixels hit; without a rebase %d have another entity, and T is off by up to %.1f mm on the same",
			name, hits, others, furthest*1000)
		testenv.Drawn(t, hits, 10_000)
		testenv.Drawn(t, others, 20)
		assert.Greater(t, furthest, 1e-3)
	}
	require.NoError(t, far.space().Validate())
}

// A collider 100 km away that is moved by a millimetre is hit a millimetre further away, within 0.1
// mm.
func TestMillimetres(t *testing.T) {
	const steps = 40
	// drift moves a collider away from the camera by a millimetre at a time, and returns the
	// largest difference between a step and the change of T.
	drift := func(f *farWorld, make func() physecs.Collider) (worst float64) {
		size := picking.Size{Width: 640, Height: 360}
		*f.view() = picking.View{Camera: picking.Camera{Projection: picking.Perspective(1, 0.1, 100)}, Viewport: picking.FullViewport(size, size)}
		eye := away.Add(geom.DVec3{X: 3.3, Y: 1.7, Z: 2.1})
		f.view().Position = f.seen(eye)
		start := eye.Add(geom.DVec3{X: 0.013, Y: -0.021, Z: -12.3456})
		e := f.put(start, geom.Transform{}, make())
		last := float32(0)
		for i := range steps {
			f.move(e, start.Add(geom.DVec3{Z: -0.001 * float64(i)}))
			h := f.hover(320, 180)
			require.Equal(t, e, h.Entity)
			if i > 0 {
				worst = math.Max(worst, math.Abs(float64(h.T-last)-0.001))
			}
			last = h.T
		}
		f.world.RemoveEntity(e)
		delete(f.places, e)
		return worst
	}
	far, plain := newFarWorld(away), newFarWorld(geom.DVec3{})
	for name, make := range map[string]func(f *farWorld) physecs.Collider{
		"AABB":    func(*farWorld) physecs.Collider { return physecs.AABB(geom.V(1, 1, 1)) },
		"box":     func(*farWorld) physecs.Collider { return physecs.Box(geom.V(1, 1, 1)) },
		"sphere":  func(*farWorld) physecs.Collider { return physecs.Sphere(1) },
		"capsule": func(*farWorld) physecs.Collider { return physecs.Capsule(0.5, 0.5) },
		"mesh": func(f *farWorld) physecs.Collider {
			return f.mesh(t, first(mesh.Box(geom.V(1, 1, 1))), second(mesh.Box(geom.V(1, 1, 1))))
		},
		"compound": func(f *farWorld) physecs.Collider {
			return physecs.Compound(f.meshes().AddCompound(physics.NewCompound(physics.Child{Shape: geom.Sphere{Radius: 1}})))
		},
	} {
		with := drift(far, func() physecs.Collider { return make(far) })
		without := drift(plain, func() physecs.Collider { return make(plain) })
		t.Logf("%s: a step of 1 mm is wrong by up to %.4f mm; without a rebase by up to %.2f mm", name, with*1000, without*1000)
		assert.Less(t, with, 0.0001, name)
		assert.Greater(t, without, 0.001, name)
	}
}

// TestJourney flies 100 km with a sphere beside the camera, past pillars, and picks in each place
// at two pixels, one inside and one outside of the sphere's edge, each at a twentieth of a pixel
// from it. The answers never change.
func TestJourney(t *testing.T) {
	const (
		radius = 0.4  // metres
		length = 1e5  // metres
		step   = 24.7 // metres
	)
	offset := geom.DVec3{X: 1.53, Y: -0.31, Z: -6.27} // of the sphere
	along := geom.DVec3{X: 0.8, Y: 0.02, Z: -0.6}
	size := picking.Size{Width: 800, Height: 600}
	view := picking.View{Camera: picking.Camera{Projection: picking.Perspective(1, 0.1, 500)}, Viewport: picking.FullViewport(size, size)}

	// The pixels, computed in double precision from where the camera is.
	var inside, outside [2]int
	leastIn, leastOut := math.Inf(1), math.Inf(1)
	metre := 300 / math.Tan(0.5) / offset.Len() // pixels
	for py := range size.Height {
		for px := range size.Width {
			dir := geom.DVec3{X: float64(px) + 0.5 - 400, Y: float64(py) + 0.5 - 300, Z: -300 / math.Tan(0.5)}.Normalize()
			beyond := (offset.AddMul(-offset.Dot(dir), dir).Len() - radius) * metre
			if beyond < -0.05 && -beyond < leastIn {
				leastIn, inside = -beyond, [2]int{px, py}
			}
			if beyond > 0.05 && beyond < leastOut {
				leastOut, outside = beyond, [2]int{px, py}
			}
		}
	}
	require.Less(t, math.Max(leastIn, leastOut), 0.07, "pixels")

	fly := func(rebasing bool) (flickers, rebases, places int, worst float64) {
		f := newFarWorld(geom.DVec3{})
		*f.view() = view
		ball := f.put(offset, geom.Transform{}, physecs.Sphere(radius))
		for d := 0.0; d < length; d += 80 {
			place := along.Mul(d).Add(geom.DVec3{X: 5, Z: -30})
			f.put(place, geom.Transform{}, physecs.Box(geom.V(1, 20, 1)))
		}
		want, pillars := math.NaN(), 0
		for d := 0.0; d <= length; d += step {
			eye := along.Mul(d)
			places++
			f.view().Position = f.seen(eye)
			if rebasing && f.view().Position.Len() > 1000 {
				f.rebase(geom.DVec3{X: math.Round(eye.X), Y: math.Round(eye.Y), Z: math.Round(eye.Z)})
				rebases++
				require.Less(t, f.view().Position.Wide().Sub(eye.Sub(f.space().Origin())).Len(), 1e-4, "the camera went along")
			}
			f.move(ball, eye.Add(offset))
			h := f.hover(inside[0], inside[1])
			if h.Entity != ball {
				flickers++
			} else {
				if math.IsNaN(want) {
					want = float64(h.T)
				}
				worst = math.Max(worst, math.Abs(float64(h.T)-want))
			}
			h = f.hover(outside[0], outside[1])
			if h.Entity == ball {
				flickers++
			} else if h.OK {
				pillars++
			}
		}
		testenv.Drawn(t, pillars, 100, "there is something else to be seen")
		require.NoError(t, f.space().Validate())
		return flickers, rebases, places, worst
	}

	flickers, rebases, places, worst := fly(true)
	t.Logf("with %d rebases: %d flickers in %d places, T off by up to %.2f mm", rebases, flickers, places, worst*1000)
	assert.Zero(t, flickers)
	assert.GreaterOrEqual(t, rebases, 95)
	assert.Less(t, worst, 1e-3)
	flickers, rebases, _, worst = fly(false)
	t.Logf("without: %d flickers, T off by up to %.2f mm", flickers, worst*1000)
	assert.Zero(t, rebases)
	testenv.Drawn(t, flickers, 100)
	assert.Greater(t, worst, 1e-3)
}

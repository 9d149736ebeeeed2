//go:build cgo

package systemtest

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render"
)

// What is seen is what is picked: docs/seen-is-picked.md.

// frameSize returns the size of the framebuffer in which pixels are compared: a small one, unless
// the environment variable HITSCAN_PIXELS is "full".
func frameSize() picking.Size {
	if os.Getenv("HITSCAN_PIXELS") == "full" {
		return picking.Size{Width: 1280, Height: 720}
	}
	return picking.Size{Width: 240, Height: 135}
}

// openWindow opens a window for the time of a test, or skips the test without a display. The
// context belongs to the calling goroutine.
func openWindow(t *testing.T, o render.Options) *render.Window {
	testenv.Display(t)
	runtime.LockOSThread()
	win, err := render.Open(o)
	require.NoError(t, err)
	t.Cleanup(win.Close)
	return win
}

// stage is a world under construction, and the place of the camera in it.
type stage struct {
	world       *ecs.World
	meshes      *physecs.Meshes
	add         generic.Map2[physecs.Transform, physecs.Collider]
	rng         *rand.Rand
	origin      geom.Vec3 // what follows, and all places of entities, count from here
	eye, target geom.Vec3
	near, far   float64
	height      float64 // metres from the lower to the upper edge, in a parallel projection
}

func newStage() *stage {
	s := &stage{rng: testenv.Rand(1, 2), near: 0.1, far: 200}
	s.use(physecs.NewSpace())
	return s
}

// use makes the world one without entities, with a space.
func (s *stage) use(space *physecs.Space) {
	world := ecs.NewWorld()
	ecs.AddResource(&world, space)
	physecs.Sync(&world) // adds the other resources
	s.world, s.meshes = &world, ecs.GetResource[physecs.Meshes](&world)
	s.add = generic.NewMap2[physecs.Transform, physecs.Collider](&world)
}

func (s *stage) put(t geom.Transform, c physecs.Collider) ecs.Entity {
	t.Position = t.Position.Add(s.origin)
	return s.add.NewWith(&t, &c)
}

// within returns a number between lo and hi.
func (s *stage) within(lo, hi float64) float32 { return float32(lo + (hi-lo)*s.rng.Float64()) }

func (s *stage) vec(lo, hi float64) geom.Vec3 {
	return geom.V(s.within(lo, hi), s.within(lo, hi), s.within(lo, hi))
}

func (s *stage) turn() geom.Quat {
	return geom.Quat{X: s.within(-1, 1), Y: s.within(-1, 1), Z: s.within(-1, 1), W: s.within(-1, 1)}.Normalize()
}

// scale returns factors that differ from axis to axis and mirror half of the time.
func (s *stage) scale() geom.Vec3 {
	v := s.vec(0.4, 1.6)
	if s.rng.IntN(2) == 0 {
		v.X = -v.X
	}
	return v
}

func (s *stage) bunny() physecs.MeshID { return s.meshes.Add(bunnyMesh()) }

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// compound returns one of every shape; each child is turned, so that a non-uniform scale shears it.
func (s *stage) compound() physecs.CompoundID {
	at := func(x, y, z float32) geom.Transform {
		return geom.Transform{Position: geom.V(x, y, z), Rotation: s.turn(), Scale: geom.V(1, 0.7, -1.2)}
	}
	return s.meshes.AddCompound(physics.NewCompound(
		physics.Child{Shape: geom.Box{HalfExtents: geom.V(0.4, 0.3, 0.3), Rotation: s.turn()}, Transform: at(0, 0, 0)},
		physics.Child{Shape: geom.Sphere{Radius: 0.35}, Transform: at(0.7, 0, 0)},
		physics.Child{Shape: geom.Capsule{A: geom.V(-0.3, 0, 0), B: geom.V(0.2, 0.3, 0.1), Radius: 0.2}, Transform: at(-0.6, 0.2, 0)},
		physics.Child{Shape: geom.Cone{A: geom.V(0.3, -0.2, 0), B: geom.V(0.2, 0.3, 0.2), RadiusA: 0.2, RadiusB: 0.05}, Transform: at(-0.6, -0.5, 0)},
		physics.Child{Shape: geom.TaperedCapsule{A: geom.V(0.3, -0.2, 0), B: geom.V(0.2, 0.3, 0.2), RadiusA: 0.2, RadiusB: 0.05}, Transform: at(0.6, -0.5, 0)},
		physics.Child{Shape: geom.AABBAround(geom.V(0.1, 0, 0), geom.V(0.3, 0.1, 0.4)), Transform: at(0, 0.6, 0)},
		physics.Child{Shape: must(mesh.New(mesh.Icosphere(0.3, 1))), Transform: at(0, -0.6, 0.3)},
		physics.Child{Shape: rock(0.3), Transform: at(0, -0.2, 0.8)},
	))
}

// rock returns a convex hull with faces of three and more corners.
func rock(size float32) *hull.Hull {
	points, _ := mesh.Icosphere(size, 1)
	slab, _ := mesh.Box(geom.V(0.9, 0.4, 0.4).Mul(size))
	return must(hull.New(append(points, slab...)))
}

// any puts n random shapes of every kind into a cube.
func (s *stage) any(n int, lo, hi float64) {
	bunny, compound := s.bunny(), s.compound()
	stone := s.meshes.AddHull(rock(0.5))
	torus := s.meshes.Add(must(mesh.New(mesh.Torus(0.4, 0.15, 12, 7))))
	for i := range n {
		tr := geom.Transform{Position: s.vec(lo, hi), Rotation: s.turn(), Scale: s.scale()}
		if i%3 == 0 {
			tr.Scale = geom.Vec3{}
		}
		var c physecs.Collider
		switch i % 12 {
		case 0:
			c = physecs.AABB(s.vec(0.1, 0.5))
		case 1:
			c = physecs.Box(s.vec(0.1, 0.5))
		case 2:
			c = physecs.Sphere(s.within(0.2, 0.6))
		case 3:
			c = physecs.Capsule(s.within(0, 0.6), s.within(0.1, 0.3))
		case 4:
			c = physecs.Mesh(bunny)
		case 5:
			c = physecs.Mesh(torus)
		case 6:
			c = physecs.Compound(compound)
		case 7:
			c = physecs.Box(s.vec(0.2, 0.6)) // a plate, a stick
			c.HalfExtents.Y = 0
			c.Center, c.Rotation = s.vec(-0.2, 0.2), s.turn()
		case 8:
			c = physecs.Hull(stone)
		case 9:
			c = physecs.Cylinder(s.within(0.05, 0.5), s.within(0.1, 0.4))
		case 10:
			c = physecs.Cone(s.within(0.2, 0.5), s.within(0, 0.4), s.within(0, 0.4))
		case 11:
			c = physecs.TaperedCapsule(s.within(0.1, 0.5), s.within(0.1, 0.4), s.within(0, 0.4))
		}
		s.put(tr, c)
	}
}

// stages are the worlds in which what is seen is compared with what is picked.
var stages = []struct {
	name  string
	build func(s *stage)
}{
	{"every shape", func(s *stage) {
		s.eye, s.target, s.height = geom.V(3, 4, 9), geom.V(0, 0.8, 0), 7
		s.put(geom.Transform{}, physecs.Plane(geom.V(0, 1, 0), 0))
		s.put(geom.Transform{Position: geom.V(-6, 0, -9), Rotation: geom.QuatAxisAngle(geom.V(0, 1, 0), 0.7)}, physecs.Plane(geom.V(0, 0.1, 2), 0))
		kinds := []physecs.Collider{
			physecs.AABB(geom.V(0.5, 0.6, 0.4)), physecs.Box(geom.V(0.5, 0.6, 0.4)), physecs.Sphere(0.6), physecs.Capsule(0.5, 0.3),
			physecs.Mesh(s.bunny()), physecs.Compound(s.compound()), physecs.Hull(s.meshes.AddHull(rock(0.6))),
			physecs.Cylinder(0.5, 0.4), physecs.Cone(0.5, 0.5, 0), physecs.Cone(0.4, 0.2, 0.5), physecs.TaperedCapsule(0.3, 0.4, 0.2),
		}
		for i, c := range kinds {
			x := float32(i)*1.6 - 4
			s.put(geom.At(x, 0.5, 0), c) // some stand in the floor
			s.put(geom.Transform{Position: geom.V(x+0.5, 1.2, -2), Rotation: s.turn(), Scale: geom.V(-1, 1.4, 0.6)}, c)
			s.put(geom.Transform{Position: geom.V(x-0.3, 2.5, -4), Rotation: s.turn(), Scale: geom.V(0.2, 1.5, 1)}, c)
		}
		// Neither is seen, nor hides anything.
		sensor := physecs.Sphere(1)
		sensor.Sensor = true
		s.put(geom.At(1, 1.5, 4), sensor)
		ghost := s.put(geom.At(0, 1.5, 4), physecs.Sphere(1))
		s.world.Add(ghost, ecs.ComponentID[physecs.Unpickable](s.world))
	}},
	{"crowd", func(s *stage) {
		s.eye, s.target, s.height = geom.V(4, 3, 13), geom.V(0, 0, 0), 9
		s.any(400, -5, 5)
	}},
	{"crowd far away", func(s *stage) { // far from the origin, where single precision is coarser
		s.eye, s.target, s.height, s.origin = geom.V(4, 3, 13), geom.V(0, 0, 0), 9, geom.V(300, 20, -400)
		s.any(200, -5, 5)
	}},
	{"in the crowd", func(s *stage) { // the near plane cuts it; the eye is inside of some shapes
		s.eye, s.target, s.near, s.height = geom.V(0.3, 0.2, 0.4), geom.V(-2, -0.4, -3), 0.8, 6
		s.any(500, -4, 4)
		s.put(geom.Transform{Position: s.eye}, physecs.Sphere(1.5))
		s.put(geom.Transform{Position: s.eye.Add(geom.V(-0.8, -0.4, -1.2)), Rotation: s.turn()}, physecs.Box(geom.V(0.8, 0.8, 0.8)))
		s.put(geom.Transform{Position: s.eye.Add(geom.V(0.3, 0.2, 0.1)), Rotation: s.turn()}, physecs.Hull(s.meshes.AddHull(rock(1.4))))
	}},
	{"bunny", func(s *stage) {
		s.eye, s.target, s.height = geom.V(-0.5, 0.8, 0.8), geom.V(0, 0.5, 0), 1.1
		s.put(geom.Transform{}, physecs.Mesh(s.bunny()))
	}},
	{"halls", func(s *stage) { // large triangles around the eye
		s.eye, s.target, s.near, s.height = geom.V(10, 2, 30), geom.V(0, 1, 0), 0.3, 60
		s.put(geom.At(0, 0, 0), physecs.Mesh(s.meshes.Add(must(mesh.New(mesh.Plane(200, 200, 2, 3))))))
		s.put(geom.Transform{Position: geom.V(3, 5, 2), Scale: geom.V(-1, 1, 1), Rotation: geom.QuatAxisAngle(geom.V(1, 3, 0), 0.3)},
			physecs.Mesh(s.meshes.Add(must(mesh.New(flipped(mesh.Box(geom.V(40, 6, 45))))))))
		for range 12 {
			p := s.vec(-30, 30)
			p.Y = 3
			s.put(geom.Transform{Position: p, Rotation: s.turn()}, physecs.Box(geom.V(0.3, 40, 0.3)))
			s.put(geom.Transform{Position: p.Add(geom.V(2, 0, 5)), Scale: geom.V(1, 30, 0.5), Rotation: s.turn()}, physecs.Sphere(1))
		}
	}},
	{"through the eye", func(s *stage) { // triangles of a kilometre that the near plane cuts
		s.eye, s.target, s.near, s.height = geom.V(0.5, 0.7, 1), geom.V(-5, 0, -6), 0.4, 10
		sheet := s.meshes.Add(must(mesh.New(mesh.Plane(1000, 800, 1, 1))))
		for range 6 {
			s.put(geom.Transform{Position: s.vec(-3, 3), Rotation: s.turn()}, physecs.Mesh(sheet))
		}
		for range 3 { // turned in their own space, so that no coordinate is round
			s.put(geom.Transform{}, physecs.Mesh(s.meshes.Add(must(mesh.New(s.turned(mesh.Plane(100, 80, 1, 1)))))))
			s.put(geom.Transform{}, physecs.Mesh(s.meshes.Add(must(mesh.New(s.turned(mesh.Box(geom.V(30, 0.2, 0.3))))))))
		}
		for range 6 {
			s.put(geom.Transform{Position: s.vec(-300, 300), Rotation: s.turn(), Scale: s.scale()}, physecs.Box(geom.V(200, 1, 1)))
			s.put(geom.Transform{Position: s.vec(-3, 3), Rotation: s.turn(), Scale: s.scale()}, physecs.Capsule(200, 0.1))
			s.put(geom.Transform{Position: s.vec(-3, 3), Rotation: s.turn(), Scale: geom.V(300, 0.2, 0.3)}, physecs.Sphere(1))
			s.put(geom.Transform{Position: s.vec(-3, 3), Rotation: s.turn()}, physecs.Plane(s.vec(-1, 1), s.within(-1, 1)))
		}
	}},
	{"terrain", func(s *stage) { // height fields from above and from within, with holes
		s.eye, s.target, s.near, s.height = geom.V(4, 3, 9), geom.V(0, 0, 0), 0.4, 12
		const side = 70
		heights := make([]float32, side*side)
		for i := range heights {
			x, z := float64(i%side), float64(i/side)
			heights[i] = float32(2*math.Sin(x/5)*math.Cos(z/7)) + s.within(-0.2, 0.2)
		}
		f := must(mesh.NewField(mesh.FieldOptions{
			Columns: side, Rows: side, CellX: 0.4, CellZ: 0.5, StartX: -14, StartZ: -17, Low: -4, High: 4,
		}, heights))
		for range 60 {
			if err := f.SetMaterials(s.rng.IntN(side-3), s.rng.IntN(side-2), 2, []uint8{mesh.Hole, mesh.Hole, 7, mesh.Hole}); err != nil {
				panic(err)
			}
		}
		land := s.meshes.Add(f.Mesh())
		s.put(geom.Transform{}, physecs.Mesh(land))
		s.put(geom.Transform{Position: geom.V(2, 6, -12), Rotation: s.turn(), Scale: geom.V(0.5, -1, 0.7)}, physecs.Mesh(land))
		s.any(60, -6, 6)
	}},
	{"in a plane", func(s *stage) { // a 2D game, seen from above its plane
		s.use(physecs.NewPlanarSpace())
		s.eye, s.target, s.height = geom.V(0.5, 0.3, 9), geom.V(0, 0, 0), 8
		kite := s.meshes.AddHull(must(hull.NewPolygon([]geom.Vec3{{X: -0.5}, {Y: -0.4}, {X: 0.6, Y: 0.1}, {Y: 0.3}})))
		level := s.meshes.AddCompound(physics.NewTiles(12, 8, 0.7, func(x, y int) bool { return s.rng.IntN(4) == 0 }))
		s.put(geom.At(-4, -3, 0), physecs.Compound(level))
		s.put(geom.Transform{}, physecs.Plane(geom.V(0.2, 1, 0), -3))
		for i := range 60 {
			c := []physecs.Collider{
				physecs.Hull(kite), physecs.Box(geom.V(s.within(0.1, 0.5), s.within(0.1, 0.5), 0)), physecs.AABB(geom.V(0.3, s.within(0.1, 0.5), 0)),
				physecs.Sphere(s.within(0.1, 0.5)), physecs.Capsule(s.within(0.1, 0.4), s.within(0.1, 0.3))}[i%5]
			tr := geom.At2D(s.within(-5, 5), s.within(-4, 4), float64(s.within(0, 6)))
			if i%3 == 0 {
				tr.Scale = geom.V(-1.3, 1.3, 1.3)
			}
			s.put(tr, c)
		}
	}},
	{"one on another", func(s *stage) { // equally far away over whole faces
		s.eye, s.target, s.height = geom.V(2, 2, 5), geom.V(0, 0, 0), 3
		s.put(geom.At(0, 0, 0), physecs.Box(geom.V(1, 0.5, 0.5)))
		s.put(geom.At(0.5, 0.25, 0), physecs.AABB(geom.V(1, 0.25, 0.5)))
		s.put(geom.At(-0.5, 0.3, 0), physecs.Mesh(s.meshes.Add(must(mesh.New(mesh.Box(geom.V(0.5, 0.8, 0.5)))))))
		s.put(geom.Transform{}, physecs.Plane(geom.V(0, 1, 0), 0.5))
	}},
}

// turned turns and moves a surface.
func (s *stage) turned(v []geom.Vec3, i []uint32) ([]geom.Vec3, []uint32) {
	q, by := s.turn(), s.vec(-3, 3)
	for k := range v {
		v[k] = q.Rotate(v[k]).Add(by)
	}
	return v, i
}

// flipped turns a surface inside out.
func flipped(v []geom.Vec3, i []uint32) ([]geom.Vec3, []uint32) {
	for k := 0; k < len(i); k += 3 {
		i[k+1], i[k+2] = i[k+2], i[k+1]
	}
	return v, i
}

// cameras are the views of a stage.
var cameras = []struct {
	name string
	view func(s *stage, size picking.Size) picking.View
}{
	{"perspective", func(s *stage, size picking.Size) picking.View {
		return s.view(picking.Perspective(0.9, s.near, s.far), whole(size))
	}},
	{"reversed depth", func(s *stage, size picking.Size) picking.View {
		return s.view(picking.Perspective(0.7, s.near, s.far).WithReversedDepth(), whole(size))
	}},
	{"no far plane", func(s *stage, size picking.Size) picking.View {
		return s.view(picking.Perspective(1.4, s.near, inf).WithReversedDepth(), whole(size))
	}},
	{"off centre", func(s *stage, size picking.Size) picking.View {
		n := s.near
		return s.view(picking.PerspectiveOffCenter(-0.3*n, 0.9*n, -0.2*n, 0.5*n, n, s.far), whole(size))
	}},
	{"part of a window", func(s *stage, size picking.Size) picking.View {
		return s.view(picking.Perspective(0.9, s.near, s.far), partOf(size))
	}},
	{"orthographic", func(s *stage, size picking.Size) picking.View {
		return s.view(picking.Orthographic(s.height, s.near, s.far), whole(size))
	}},
	{"orthographic, mirrored, off centre, part of a window", func(s *stage, size picking.Size) picking.View {
		h := s.height
		return s.view(picking.Ortho(0.9*h, -0.4*h, -0.5*h, 0.3*h, -1, s.far).WithReversedDepth(), partOf(size))
	}},
}

func (s *stage) view(p picking.Projection, v picking.Viewport) picking.View {
	view := picking.View{Camera: picking.Camera{Projection: p}, Viewport: v}
	view.LookAt(s.eye.Add(s.origin), s.target.Add(s.origin), geom.V(0, 1, 0))
	return view
}

func whole(size picking.Size) picking.Viewport { return picking.FullViewport(size, size) }

// partOf returns a viewport that fills a part of its window, in which a unit of the cursor is more
// than one pixel.
func partOf(size picking.Size) picking.Viewport {
	return picking.Viewport{
		X: size.Width / 5, Y: size.Height / 7, Width: size.Width * 5 / 8, Height: size.Height * 3 / 4,
		Window: picking.Size{Width: size.Width / 2, Height: size.Height * 2 / 3}, Framebuffer: size,
	}
}

// tally counts pixels.
type tally struct {
	pixels, seen, differ int
	verdicts             [numVerdicts]int
	shown                map[ecs.Entity]bool
	first                string // pixel that differs outside of the exceptions
}

func (c *tally) add(o tally) {
	c.pixels, c.seen, c.differ = c.pixels+o.pixels, c.seen+o.seen, c.differ+o.differ
	for i, n := range o.verdicts {
		c.verdicts[i] += n
	}
	if c.shown == nil {
		c.shown = map[ecs.Entity]bool{}
	}
	maps.Copy(c.shown, o.shown)
	if c.first == "" {
		c.first = o.first
	}
}

func (c *tally) String() string {
	return fmt.Sprintf("%d pixels, %d with something in them, %d entities; %d differ: %d at edges, %d ties, %d outside of both",
		c.pixels, c.seen, len(c.shown), c.differ, c.verdicts[edge], c.verdicts[tie], c.verdicts[outside])
}

// compare compares every pixel of an ID buffer with the entity that pick returns for it.
func compare(t *testing.T, w *ecs.World, v picking.View, ids *render.IDBuffer, pick func(px, py int) ecs.Entity) *tally {
	require.Equal(t, v.Framebuffer, ids.Size())
	truth := newTruth(t, w, v, ids.Cull)
	counts := make([]tally, runtime.GOMAXPROCS(0))
	var wait sync.WaitGroup
	for k := range counts {
		wait.Go(func() {
			c := &counts[k]
			c.shown = map[ecs.Entity]bool{}
			for py := k; py < v.Framebuffer.Height; py += len(counts) {
				for px := range v.Framebuffer.Width {
					c.count(truth, px, py, ids, pick(px, py))
				}
			}
		})
	}
	wait.Wait()
	sum := &tally{}
	for _, c := range counts {
		sum.add(c)
	}
	return sum
}

func (c *tally) count(truth *truth, px, py int, ids *render.IDBuffer, picked ecs.Entity) {
	c.pixels++
	seen, ok := ids.Entity(px, py)
	if ok {
		c.seen++
		c.shown[seen] = true
	}
	if picked == seen {
		return
	}
	c.differ++
	why := truth.judge(px, py, seen, picked)
	c.verdicts[why]++
	if why == outside && c.first == "" {
		pl := truth.at(px, py)
		c.first = fmt.Sprintf("pixel %d, %d: seen is %v at %g, picked is %v at %g, but it is %v",
			px, py, seen, pl.depth(seen), picked, pl.depth(picked), pl.seen(0, 0))
	}
}

// picker returns what a user's cursor picks at the centre of a pixel, or a shift in pixels beside
// it.
func picker(w *ecs.World, v picking.View, shift float64) func(px, py int) ecs.Entity {
	return pickerOf(w, v, picking.PickFilter().Cull, shift)
}

// pickerOf is picker with meshes and planes culled on a given side.
func pickerOf(w *ecs.World, v picking.View, cull geom.Cull, shift float64) func(px, py int) ecs.Entity {
	f := physecs.Filter{Start: picking.PickFilter().Start, Cull: cull, Without: ecs.All(ecs.ComponentID[physecs.Unpickable](w))}
	space := ecs.GetResource[physecs.Space](w)
	return func(px, py int) ecs.Entity {
		r, ok := v.Ray(v.Cursor(px, py))
		if shift != 0 && ok {
			r = v.RayAt(float64(px)+0.5+shift, float64(py)+0.5)
		}
		h, _ := space.CastRay(r, f)
		return h.Entity
	}
}

func TestSeenIsPicked(t *testing.T) {
	size := frameSize()
	var total tally
	for _, st := range stages {
		t.Run(st.name, func(t *testing.T) {
			openWindow(t, render.Options{Hidden: true, Width: 64, Height: 64})
			ids, err := render.NewIDBuffer()
			require.NoError(t, err)
			defer ids.Close()
			s := newStage()
			st.build(s)
			physecs.Sync(s.world)
			require.Empty(t, nowhere(s), "all of it is somewhere")
			var all tally
			for _, camera := range cameras {
				v := camera.view(s, size)
				require.NoError(t, ids.Draw(s.world, v))
				c := compare(t, s.world, v, ids, picker(s.world, v, 0))
				t.Logf("%s: %v", camera.name, c)
				assert.Zero(t, c.verdicts[outside], "%s: %s", camera.name, c.first)
				testenv.Drawn(t, c.seen, size.Width*size.Height/20, camera.name, ": pixels with something in them")
				all.add(*c)
			}
			if st.name != "bunny" {
				testenv.Drawn(t, len(all.shown), 2, "things that are seen")
			}
			total.add(all)
		})
	}
	t.Logf("in all %v", &total)
}

// nowhere returns the entities whose colliders no query finds.
func nowhere(s *stage) (list []ecs.Entity) {
	for e := range ecs.GetResource[physecs.Space](s.world).Nowhere() {
		list = append(list, e)
	}
	return list
}

// TestSeenIsPickedCanFail shows that the comparison fails if rays are off by a sixteenth of a
// pixel.
func TestSeenIsPickedCanFail(t *testing.T) {
	openWindow(t, render.Options{Hidden: true, Width: 64, Height: 64})
	ids, err := render.NewIDBuffer()
	require.NoError(t, err)
	defer ids.Close()
	s := newStage()
	stages[0].build(s)
	physecs.Sync(s.world)
	v := cameras[0].view(s, frameSize())
	require.NoError(t, ids.Draw(s.world, v))
	c := compare(t, s.world, v, ids, picker(s.world, v, 1./16))
	t.Log(c)
	assert.Greater(t, c.verdicts[outside], c.differ/2)
}

//go:build cgo

package systemtest

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/physics/meshio"
	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render"
)

// Random scenes: the entities and the camera of each are drawn from its seed. Each is one picture.
// A failure names the seed, and HITSCAN_SCENES=17 in the environment compares that scene alone;
// HITSCAN_SCENES=1-5000 compares more.

// randomScenes is the number of scenes by default.
const randomScenes = 240

// chance is a random scene under construction. It records the properties that it has drawn, which
// are counted over all scenes and printed if the scene fails.
type chance struct {
	*stage
	reach  float64      // metres from the middle of the scene to its rim
	base   geom.DVec3   // the origin of the space, in the world's coordinates
	lots   []string     // the properties that were drawn
	view   picking.View // its projection has known planes
	camera picking.View // the same view, as picking and the renderer get it
	cull   geom.Cull
}

func newChance(seed uint64, size picking.Size) *chance {
	c := &chance{stage: newStage()}
	c.rng = testenv.Rand(seed, 0)
	c.reach = math.Exp(float64(c.within(math.Log(0.3), math.Log(100))))
	c.cull = []geom.Cull{geom.CullBack, geom.CullBack, geom.CullNone, geom.CullNone, geom.CullFront}[c.rng.IntN(5)]
	c.lot(true, c.cull.String())
	if c.lot(c.one(3), "far") { // beyond the reach of single precision: the origin moves too
		c.base = geom.DVec3{X: c.wide(-1e6, 1e6), Y: c.wide(-1e4, 1e4), Z: c.wide(-1e6, 1e6)}
	}
	c.look(seed, size)
	for range 5 + c.rng.IntN(90) {
		c.thing()
	}
	c.settle()
	return c
}

// one returns true once in n times.
func (c *chance) one(n int) bool { return c.rng.IntN(n) == 0 }

// lot records a property if it was drawn, and returns whether it was.
func (c *chance) lot(drawn bool, name string) bool {
	if drawn && !slices.Contains(c.lots, name) {
		c.lots = append(c.lots, name)
	}
	return drawn
}

func (c *chance) wide(lo, hi float64) float64 { return lo + (hi-lo)*c.rng.Float64() }

// metres returns a length from lo to hi, in parts of the reach. Each order of magnitude is equally
// likely.
func (c *chance) metres(lo, hi float64) float32 {
	return float32(c.reach * math.Exp(c.wide(math.Log(lo), math.Log(hi))))
}

// sizes returns three lengths.
func (c *chance) sizes(lo, hi float64) geom.Vec3 {
	return geom.V(c.metres(lo, hi), c.metres(lo, hi), c.metres(lo, hi))
}

// look places the camera in or before the scene, with any roll. The kind of projection, and the
// options of a parallel one, take turns from seed to seed: drawn at random, some kinds would be too
// rare in a few hundred scenes to be there for certain.
func (c *chance) look(seed uint64, size picking.Size) {
	c.near = float64(c.metres(0.03, 0.3))
	c.far = c.near + c.reach*c.wide(1.5, 20)
	c.eye = c.vec(-1, 1).Normalize().Mul(c.metres(0.3, 3))
	c.target = c.vec(-0.5*c.reach, 0.5*c.reach)

	var p picking.Projection
	kind, n, far := seed%5, c.near, c.far
	turn := func(after, of uint64) bool { return seed/after%of == 0 }
	if c.lot(kind != 0 && c.one(4), "no far plane") {
		far = inf
	}
	switch kind {
	case 0:
		c.lot(true, "orthographic")
		near := n
		if c.lot(turn(5, 3), "behind the eye") {
			near = -c.reach
		}
		if h := c.reach * c.wide(0.2, 3); c.lot(turn(15, 2), "off centre, parallel") {
			left, bottom := c.wide(-h, h), c.wide(-h, h)
			right, top := left+c.wide(0.2, 1)*h, bottom+c.wide(0.2, 1)*h
			if c.lot(turn(30, 2), "mirrored picture") {
				left, right = right, left
			}
			p = picking.Ortho(left, right, bottom, top, near, far)
		} else {
			p = picking.Orthographic(h, near, far)
		}
	case 1, 2:
		c.lot(true, "off centre")
		// The view's axis may be outside of the picture.
		left, bottom := c.wide(-1, 0.5)*n, c.wide(-1, 0.5)*n
		right, top := left+c.wide(0.3, 2)*n, bottom+c.wide(0.3, 2)*n
		if c.lot(c.one(4), "mirrored picture") {
			bottom, top = top, bottom
		}
		p = picking.PerspectiveOffCenter(left, right, bottom, top, n, far)
	default:
		c.lot(true, "perspective")
		p = picking.Perspective(c.wide(0.2, 2.2), n, far)
	}
	switch c.rng.IntN(4) {
	case 0, 1:
		c.lot(true, "reversed depth")
		p = p.WithReversedDepth()
	case 2:
		p = p.WithDepthZeroToOne()
	}
	port := whole(size)
	if c.lot(c.one(3), "part of a window") {
		port = partOf(size)
	}
	c.view = picking.View{Camera: picking.Camera{Projection: p}, Viewport: port}
	c.stand()
	c.view.LookAt(c.eye.Add(c.origin), c.target.Add(c.origin), c.vec(-1, 1))
	c.camera = c.view
	if c.lot(c.one(4), "given as a matrix") {
		c.camera.Projection = picking.ProjectionOf(p.Matrix(port.Aspect()), p.Clip())
	}
}

// stand chooses the camera's distance from the origin of the coordinates: at most so far that
// rounding to single precision moves the start of a ray by half of 1/256 pixel on the near plane,
// in a picture of 1280 × 720.
func (c *chance) stand() {
	m, n := c.view.Projection.Matrix(16./9), 1.0
	if m[15] == 0 { // perspective: the rows count in distances of the near plane
		n = c.near
	}
	pixel := min(2*n/math.Abs(m[0])/1280, 2*n/math.Abs(m[5])/720)
	limit := pixel / 512 * (1 << 24) / math.Sqrt(3)
	if aside := c.lot(c.one(2), "aside"); aside || float64(c.eye.Len()) > limit {
		c.origin = c.vec(-1, 1).Normalize().Mul(float32(limit * c.wide(0.3, 1))).Sub(c.eye)
	}
}

// transform places an entity: usually anywhere, sometimes across the near plane or around the
// camera.
func (c *chance) transform() geom.Transform {
	t := geom.Transform{Position: c.vec(-c.reach, c.reach)}
	if c.lot(c.one(6), "across the near plane") {
		forward := c.view.Rotation.Rotate(geom.V(0, 0, -1))
		t.Position = c.eye.Add(forward.Mul(float32(c.near))).Add(c.vec(-0.3*c.near, 0.3*c.near))
	}
	if !c.one(5) {
		t.Rotation = c.turn()
	}
	switch c.rng.IntN(12) {
	case 0, 1, 2, 3:
	case 4, 5:
		s := c.within(0.3, 2)
		t.Scale = geom.V(s, s, s)
	case 6:
		c.lot(true, "extreme scale")
		t.Scale = c.sizes(0.003, 3).Mul(float32(1 / c.reach))
	default:
		c.lot(true, "non-uniform scale")
		t.Scale = c.vec(0.2, 2)
	}
	if c.lot(c.one(3), "negative scale") {
		s := t.Factors()
		t.Scale = geom.V(c.sign()*s.X, c.sign()*s.Y, c.sign()*s.Z)
	}
	return t
}

func (c *chance) sign() float32 { return float32(2*c.rng.IntN(2) - 1) }

// thing adds an entity to the world.
func (c *chance) thing() {
	t, small, large := c.transform(), 0.02, 0.4
	if c.lot(c.one(12), "large") {
		small, large = 0.5, 20
	}
	var s physecs.Collider
	switch c.rng.IntN(12) {
	case 0:
		s = physecs.AABB(c.sizes(small, large))
	case 1:
		s = physecs.Box(c.sizes(small, large))
	case 2:
		s = physecs.Box(c.sizes(small, large)) // a plate or stick, beside the origin of its entity
		s.HalfExtents.Y = 0
		s.Center, s.Rotation = c.vec(-0.2*c.reach, 0.2*c.reach), c.turn()
	case 3:
		s = physecs.Sphere(c.metres(small, large))
		s.Center = c.vec(-0.1*c.reach, 0.1*c.reach)
	case 4:
		s = physecs.Capsule(c.metres(small, large), c.metres(small, large/2))
		s.Rotation = c.turn()
	case 5:
		if !c.one(3) { // more planes would hide all other entities
			return
		}
		s = physecs.Plane(c.vec(-1, 1), 0)
	case 6:
		s = physecs.Hull(c.meshes.AddHull(c.stone(c.metres(small, large))))
	case 7:
		s = physecs.Mesh(c.meshes.Add(bunnyMesh()))
		t.Scale = t.Factors().Mul(c.metres(small, large))
	case 8:
		c.lot(true, "height field")
		s = physecs.Mesh(c.meshes.Add(c.field(c.metres(small, large))))
	case 9:
		c.lot(true, "mesh with holes")
		s = physecs.Mesh(c.meshes.Add(c.holed(c.surface(c.metres(small, large)))))
	case 10:
		s = physecs.Mesh(c.meshes.Add(must(mesh.New(c.surface(c.metres(small, large))))))
	case 11:
		s = physecs.Compound(c.meshes.AddCompound(c.several(small, large)))
	}
	if c.lot(c.one(25), "flattened") { // boxes become plates, and queries find no other shape
		v := t.Factors()
		v.Y = []float32{0, 0, float32(math.NaN()), float32(inf)}[c.rng.IntN(4)]
		t.Scale = v
	}
	s.Sensor = c.lot(c.one(15), "sensor")
	e := c.put(t, s)
	if c.lot(c.one(15), "unpickable") {
		c.world.Add(e, ecs.ComponentID[physecs.Unpickable](c.world))
	}
}

// surface returns a closed or an open surface.
func (c *chance) surface(size float32) ([]geom.Vec3, []uint32) {
	switch c.rng.IntN(5) {
	case 0:
		return mesh.Torus(size, size*c.within(0.1, 0.5), 5+c.rng.IntN(15), 3+c.rng.IntN(9))
	case 1:
		return mesh.Icosphere(size, c.rng.IntN(4))
	case 2:
		return mesh.Plane(size, size*c.within(0.3, 1), 1+c.rng.IntN(6), 1+c.rng.IntN(6))
	case 3:
		return mesh.Box(c.vec(0.1, 1).Mul(size))
	}
	vertices, indices := mesh.UVSphere(size, 4+c.rng.IntN(12), 3+c.rng.IntN(9))
	for i := range vertices { // crumpled
		vertices[i] = vertices[i].Add(c.vec(-0.2, 0.2).Mul(size))
	}
	return vertices, indices
}

// holed returns a surface that lacks some of its triangles.
func (c *chance) holed(vertices []geom.Vec3, indices []uint32) *mesh.Mesh {
	left := indices[:3:3]
	for i := 3; i < len(indices); i += 3 {
		if !c.one(3) {
			left = append(left, indices[i:i+3]...)
		}
	}
	return must(mesh.New(vertices, left))
}

// field returns a height field of hills or terraces about the origin, some cells of it holes.
func (c *chance) field(size float32) *mesh.Mesh {
	columns, rows := 2+c.rng.IntN(9), 2+c.rng.IntN(9)
	o := mesh.FieldOptions{Columns: columns, Rows: rows, CellX: size * c.within(0.1, 0.4), CellZ: size * c.within(0.1, 0.4), Low: -size, High: size}
	o.StartX, o.StartZ = -o.CellX*float32(columns-1)/2, -o.CellZ*float32(rows-1)/2
	heights := make([]float32, columns*rows)
	steps := c.rng.IntN(4)
	for i := range heights {
		heights[i] = size * c.within(-0.5, 0.5)
		if steps > 0 {
			heights[i] = size * float32(c.rng.IntN(steps)) / 3
		}
	}
	f := must(mesh.NewField(o, heights))
	for range c.rng.IntN(8) {
		if err := f.SetMaterials(c.rng.IntN(columns-1), c.rng.IntN(rows-1), 1, []uint8{mesh.Hole}); err != nil {
			panic(err)
		}
	}
	return f.Mesh()
}

// stone returns the convex hull of random points.
func (c *chance) stone(size float32) *hull.Hull {
	points := make([]geom.Vec3, 4+c.rng.IntN(30))
	for i := range points {
		points[i] = c.vec(-1, 1).Mul(size)
	}
	return must(hull.New(points))
}

// several returns a compound of turned children, which a non-uniform scale shears.
func (c *chance) several(small, large float64) *physics.Compound {
	var children []physics.Child
	for range 1 + c.rng.IntN(5) {
		child := physics.Child{Transform: geom.Transform{
			Position: c.vec(-large, large).Mul(float32(c.reach)), Rotation: c.turn(), Scale: c.scale()}}
		switch c.rng.IntN(6) {
		case 0:
			child.Shape = geom.Box{HalfExtents: c.sizes(small, large), Rotation: c.turn()}
		case 1:
			child.Shape = geom.Sphere{Radius: c.metres(small, large)}
		case 2:
			child.Shape = geom.Capsule{A: c.sizes(small, large), B: c.sizes(small, large).Neg(), Radius: c.metres(small, large)}
		case 3:
			child.Shape = geom.AABBAround(c.sizes(small, large), c.sizes(small, large))
		case 4:
			child.Shape = c.holed(c.surface(c.metres(small, large)))
		case 5:
			child.Shape = c.stone(c.metres(small, large))
		}
		children = append(children, child)
	}
	return physics.NewCompound(children...)
}

var bunnyMesh = sync.OnceValue(func() *mesh.Mesh {
	return must(must(meshio.ReadFile("../../examples/sandbox/assets/bunny.glb")).Mesh())
})

// settle syncs the world, and moves the origin into a scene that is far away.
func (c *chance) settle() {
	physecs.Sync(c.world)
	if c.base == (geom.DVec3{}) {
		return
	}
	var all []ecs.Entity
	filter := ecs.All(ecs.ComponentID[physecs.Transform](c.world))
	for query := c.world.Query(&filter); query.Next(); {
		all = append(all, query.Entity())
	}
	transform, position := ecs.ComponentID[physecs.Transform](c.world), ecs.ComponentID[physecs.WorldPosition](c.world)
	for _, e := range all {
		at := (*physecs.Transform)(c.world.Get(e, transform)).Position
		c.world.Add(e, position)
		*(*physecs.WorldPosition)(c.world.Get(e, position)) = physecs.WorldPosition(c.base.Add(at.Wide()))
	}
	physecs.Sync(c.world) // all coordinates are large, and coarse
	physecs.Rebase(c.world, c.base)
	physecs.Sync(c.world)
}

// kind returns the shape of an entity.
func (c *chance) kind(e ecs.Entity) physecs.Kind {
	return (*physecs.Collider)(c.world.Get(e, ecs.ComponentID[physecs.Collider](c.world))).Kind
}

// seeds returns the seeds of the scenes to compare.
func seeds(t *testing.T) (first, last uint64) {
	scenes := os.Getenv("HITSCAN_SCENES")
	if scenes == "" {
		return 1, randomScenes
	}
	from, to, several := strings.Cut(scenes, "-")
	if !several {
		to = from
	}
	first, err := strconv.ParseUint(from, 10, 64)
	require.NoError(t, err, "HITSCAN_SCENES")
	last, err = strconv.ParseUint(to, 10, 64)
	require.NoError(t, err, "HITSCAN_SCENES")
	require.LessOrEqual(t, first, last, "HITSCAN_SCENES")
	return first, last
}

func TestSeenIsPickedAtRandom(t *testing.T) {
	first, last := seeds(t)
	size := frameSize()
	if size.Width < 1000 {
		size = picking.Size{Width: 96, Height: 54}
	}
	openWindow(t, render.Options{Hidden: true, Width: 64, Height: 64})
	ids, err := render.NewIDBuffer()
	require.NoError(t, err)
	defer ids.Close()
	var total tally
	rich, things := 0, 0
	drawn := map[string]int{} // the number of scenes that have a property or show a shape
	for seed := first; seed <= last; seed++ {
		c := newChance(seed, size)
		ids.Cull = c.cull
		require.NoError(t, ids.Draw(c.world, c.camera))
		sum := compare(t, c.world, c.view, ids, pickerOf(c.world, c.camera, c.cull, 0))
		if !assert.Zero(t, sum.verdicts[outside], "seed %d: %s (%s)", seed, sum.first, strings.Join(c.lots, ", ")) || first == last {
			t.Logf("seed %d: %s; %v", seed, strings.Join(c.lots, ", "), sum)
		}
		kinds := map[physecs.Kind]bool{}
		for e := range sum.shown {
			kinds[c.kind(e)] = true
		}
		for kind := range kinds {
			drawn["shows a "+kind.String()]++
		}
		for _, lot := range c.lots {
			drawn[lot]++
		}
		if things += len(sum.shown); len(sum.shown) > 2 {
			rich++
		}
		sum.shown = nil // other entities have the same IDs in the next world
		total.add(*sum)
	}
	list := []string{}
	for what, n := range drawn {
		list = append(list, fmt.Sprintf("%s %d", what, n))
		if last-first+1 >= randomScenes {
			assert.Greater(t, n, randomScenes/20, "scenes of this kind: %s", what)
		}
	}
	slices.Sort(list)
	t.Logf("%d scenes show %d things, %d of them three or more; %d pixels, %d with something in them; %d differ: %d at edges, %d ties, %d outside of both\n%s",
		last-first+1, things, rich, total.pixels, total.seen, total.differ, total.verdicts[edge], total.verdicts[tie], total.verdicts[outside],
		strings.Join(list, "\n"))
	if last-first+1 >= randomScenes {
		assert.Len(t, drawn, 33, "nothing was left out")
		assert.Greater(t, rich, randomScenes*2/3)
	}
}

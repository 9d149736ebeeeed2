package physics_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

const moverTick = float32(1. / 60)

// stage is a space and one mover.
type stage struct {
	*physics.Space
	mover physics.Mover
	state physics.MoverState
	cache physics.MoverCache
	hits  []physics.MoverHit
}

func newStage(shapes ...physics.Shape) *stage {
	s := &stage{Space: physics.NewSpace()}
	for _, shape := range shapes {
		s.Add(physics.Collider{Shape: shape, Static: true})
	}
	return s
}

func (s *stage) at(x, y, z float32) *stage {
	s.state = physics.MoverState{Transform: geom.At(x, y, z)}
	return s
}

func (s *stage) up() geom.Vec3 {
	if s.mover.Up == (geom.Vec3{}) {
		return geom.V(0, 1, 0)
	}
	return s.mover.Up.Normalize()
}

// walk moves the mover by a wished velocity for some ticks. The mover falls where there is no
// ground.
func (s *stage) walk(wish geom.Vec3, ticks int) {
	for range ticks {
		s.tick(wish)
	}
}

// velocity returns the wished velocity on the ground, and that of a fall in the air.
func (s *stage) velocity(wish geom.Vec3) geom.Vec3 {
	if s.state.Ground == physics.OnGround {
		return wish
	}
	return s.state.Velocity.Add(s.up().Mul(-9.81 * moverTick))
}

func (s *stage) tick(wish geom.Vec3) {
	v := s.velocity(wish)
	s.hits = s.cache.Move(&s.mover, s.Space, &s.state, v, moverTick, physics.Filter{}, s.hits[:0])
}

func (s *stage) position() geom.Vec3 { return s.state.Transform.Position }

func slab(x0, y0, z0, x1, y1, z1 float32) geom.AABB {
	return geom.AABB{Min: geom.V(x0, y0, z0), Max: geom.V(x1, y1, z1)}
}

var ground = slab(-100, -1, -100, 100, 0, 100)

// ramp returns a box whose upper face rises along X from the origin with slope rise/run.
func ramp(rise, run float64) geom.Box {
	angle := math.Atan2(rise, run)
	q := geom.QuatAxisAngle(geom.V(0, 0, 1), angle)
	const half = 20
	return geom.Box{Center: q.Rotate(geom.V(half, -1, 0)), HalfExtents: geom.V(half, 1, 20), Rotation: q}
}

func sheet(t require.TestingT, n int, height func(x, z float32) float32) *mesh.Mesh {
	vertices, indices := mesh.Plane(20, 20, n, n)
	for i := range vertices {
		vertices[i].Y += height(vertices[i].X, vertices[i].Z)
	}
	m, err := mesh.New(vertices, indices)
	require.NoError(t, err)
	return m
}

// moverShapes are the shapes of the mover in every scene. All stand on their origin and have about
// the same size.
var moverShapes = map[string]physics.Shape{
	"default": nil,
	"capsule": geom.Capsule{A: geom.V(0, 0.4, 0), B: geom.V(0, 1.4, 0), Radius: 0.4},
	"sphere":  geom.Sphere{Center: geom.V(0, 0.5, 0), Radius: 0.5},
	"box":     geom.Box{Center: geom.V(0, 0.9, 0), HalfExtents: geom.V(0.3, 0.9, 0.3)},
	"AABB":    slab(-0.3, 0, -0.3, 0.3, 1.8, 0.3),
	"hull":    barrel(),
}

// barrel is an upright prism with eight sides.
func barrel() *hull.Hull {
	var points []geom.Vec3
	for i := range 8 {
		a := float64(i) * math.Pi / 4
		x, z := float32(0.35*math.Cos(a)), float32(0.35*math.Sin(a))
		points = append(points, geom.V(x, 0, z), geom.V(x, 1.8, z))
	}
	h, err := hull.New(points)
	if err != nil {
		panic(err)
	}
	return h
}

func TestMoverWalksEvenlyOnFlatGround(t *testing.T) {
	noise := func(x, z float32) float32 { return float32(math.Sin(float64(x*37+z*91))) * 3e-6 }
	grounds := map[string][]physics.Shape{
		"AABB":  {ground},
		"plane": {geom.Plane{Normal: geom.V(0, 1, 0)}},
		"mesh":  {sheet(t, 60, func(x, z float32) float32 { return 0 })},
		"noisy": {sheet(t, 60, noise)},
		"boxes": {slab(-20, -1, -20, 1, 0, 20), slab(1, -1, -20, 1.3, 0, 20), slab(1.3, -1, -20, 20, 0, 20)},
	}
	for name, shapes := range grounds {
		for kind, shape := range moverShapes {
			t.Run(name+"/"+kind, func(t *testing.T) {
				s := newStage(shapes...).at(-0.37, 0.02, 0.11)
				s.mover.Shape = shape
				s.walk(geom.Vec3{}, 2)
				start := s.position()
				for i := range 200 {
					s.tick(geom.V(3, 0, 1.7))
					require.Equal(t, physics.OnGround, s.state.Ground)
					require.Empty(t, s.hits, "tick %d", i)
					require.InDelta(t, 0.02, s.position().Y, settled)
					require.InDelta(t, start.X+3*float32(i+1)/60, s.position().X, 1e-4)
					require.InDelta(t, start.Z+1.7*float32(i+1)/60, s.position().Z, 1e-4)
				}
				assert.InDelta(t, 3, s.state.Velocity.X, 1e-4)
			})
		}
	}
}

func TestMoverSlopes(t *testing.T) {
	for _, c := range []struct {
		rise  float64
		walks bool
	}{{0.2, true}, {0.7, true}, {1.15, true}, {1.3, false}, {2, false}, {5, false}} {
		for kind, shape := range moverShapes {
			t.Run(fmt.Sprint(c.rise, "/", kind), func(t *testing.T) {
				s := newStage(ground, ramp(c.rise, 1)).at(-2, 0.02, 0)
				s.mover.Shape = shape
				s.walk(geom.V(3, 0, 0), 120)
				if c.walks {
					require.Equal(t, physics.OnGround, s.state.Ground)
					assert.InDelta(t, 4, s.position().X, 0.1)
					assert.InDelta(t, c.rise*float64(s.position().X), s.position().Y, 0.7)
					assert.InDelta(t, 3, s.state.Velocity.X, 1e-3)
					at := s.position()
					s.walk(geom.Vec3{}, 60)
					assert.Equal(t, at, s.position(), "rests on the slope")
					s.walk(geom.V(-3, 0, 0), 60)
					assert.Equal(t, physics.OnGround, s.state.Ground, "follows the slope down")
					assert.InDelta(t, at.X-3, s.position().X, 1e-2)
					s.at(4, float32(4*c.rise)+1, 0)
					s.hits = s.cache.Move(&s.mover, s.Space, &s.state, geom.V(0, -200, 0), moverTick, physics.Filter{}, s.hits[:0])
					assert.Equal(t, physics.OnGround, s.state.Ground)
					assert.InDelta(t, 4, s.position().X, 1e-6, "what is left of a fall does not slide down")
					return
				}
				assert.Less(t, s.position().Y, float32(0.1), "does not climb")
				at := s.position()
				for range 60 {
					s.tick(geom.V(3, 0, 0))
					require.Equal(t, at, s.position())
				}
				// A mover that starts above slides down.
				s.at(4, float32(4*c.rise+1), 0)
				s.walk(geom.V(3, 0, 0), 40)
				y := s.position().Y
				s.walk(geom.V(3, 0, 0), 20)
				assert.Less(t, s.position().Y, y)
			})
		}
	}
}

func stairs(height, depth float32, n int) (shapes []physics.Shape) {
	shapes = append(shapes, ground)
	for i := range n {
		x := float32(i) * depth
		shapes = append(shapes, slab(x, 0, -10, x+depth, height*float32(i+1), 10))
	}
	return append(shapes, slab(depth*float32(n), 0, -10, 50, height*float32(n), 10))
}

func meshOf(t require.TestingT, shapes []physics.Shape) *mesh.Mesh {
	var vertices []geom.Vec3
	var indices []uint32
	for _, shape := range shapes {
		b := shape.(geom.AABB)
		v, x := mesh.Box(b.HalfExtents())
		for _, i := range x {
			indices = append(indices, i+uint32(len(vertices)))
		}
		for _, p := range v {
			vertices = append(vertices, p.Add(b.Center()))
		}
	}
	m, err := mesh.New(vertices, indices)
	require.NoError(t, err)
	return m
}

func TestMoverStairs(t *testing.T) {
	testenv.NoRace(t)
	for _, c := range []struct {
		height, depth float32
		climbs        bool
	}{{0.1, 0.3, true}, {0.2, 0.3, true}, {0.3, 0.4, true}, {0.38, 0.5, true}, {0.45, 0.5, false}, {1, 1, false}} {
		for kind, shape := range moverShapes {
			for _, made := range []string{"boxes", "mesh"} {
				t.Run(fmt.Sprint(c.height, "x", c.depth, "/", kind, "/", made), func(t *testing.T) {
					shapes := stairs(c.height, c.depth, 8)
					if made == "mesh" {
						shapes = []physics.Shape{meshOf(t, shapes)}
					}
					s := newStage(shapes...).at(-1.5, 0.02, 0)
					s.mover.Shape = shape
					for range 160 {
						s.tick(geom.V(3, 0, 0))
						require.Equal(t, physics.OnGround, s.state.Ground)
					}
					if kind == "sphere" && !c.climbs && c.height < 0.5 {
						return // rolls over it
					}
					if !c.climbs {
						assert.Less(t, s.position().X, float32(0))
						assert.InDelta(t, 0.02, s.position().Y, 1e-3)
						return
					}
					assert.InDelta(t, c.height*8+0.02, s.position().Y, 5e-3)
					assert.InDelta(t, 6.5, s.position().X, 0.4, "steps cost no time")
					for range 200 {
						s.tick(geom.V(-3, 0, 0))
						require.Equal(t, physics.OnGround, s.state.Ground, "follows the stairs down")
					}
					assert.InDelta(t, 0.02, s.position().Y, 5e-3)
				})
			}
		}
	}
}

func TestMoverDoesNotStep(t *testing.T) {
	t.Run("onto a ledge less deep than StepDepth", func(t *testing.T) {
		s := newStage(ground, slab(1, 0, -5, 1.06, 0.3, 5), slab(1.06, 0, -5, 3, 5, 5)).at(0, 0.02, 0)
		s.walk(geom.V(3, 0, 0), 100)
		assert.InDelta(t, 0.02, s.position().Y, 1e-3)
	})
	t.Run("without StepHeight", func(t *testing.T) {
		s := newStage(ground, slab(1, 0, -5, 3, 0.3, 5)).at(0, 0.02, 0)
		s.mover.StepHeight = -1
		s.walk(geom.V(3, 0, 0), 100)
		assert.InDelta(t, 0.02, s.position().Y, 1e-3)
	})
	t.Run("where the ceiling is low", func(t *testing.T) {
		s := newStage(ground, slab(1, 0, -5, 3, 0.3, 5), slab(-3, 1.95, -5, 3, 2, 5)).at(0, 0.02, 0)
		s.walk(geom.V(3, 0, 0), 100)
		assert.InDelta(t, 0.02, s.position().Y, 1e-3)
	})
	t.Run("in the air", func(t *testing.T) {
		s := newStage(slab(1, 0, -5, 3, 0.3, 5)).at(0, 0.02, 0)
		for range 20 {
			s.cache.Move(&s.mover, s.Space, &s.state, geom.V(3, 0, 0), moverTick, physics.Filter{}, nil)
		}
		assert.Less(t, s.position().Y, float32(0.03))
	})
}

func TestMoverLedge(t *testing.T) {
	s := newStage(slab(-5, -1, -5, 5, 5, 5), slab(-50, -1, -50, 50, 0, 50)).at(0, 5.02, 0)
	s.walk(geom.V(4, 0, 0), 70)
	assert.Equal(t, physics.OnGround, s.state.Ground, "the edge holds it up")
	s.walk(geom.V(4, 0, 0), 20)
	assert.Equal(t, physics.InAir, s.state.Ground)
	assert.InDelta(t, 4, s.state.Velocity.X, 0.05, "keeps its velocity in the air")
	assert.Zero(t, s.state.GroundCollider)
	s.walk(geom.V(4, 0, 0), 90)
	assert.Equal(t, physics.OnGround, s.state.Ground)
	assert.InDelta(t, 0.02, s.position().Y, 1e-4)
	assert.Greater(t, s.position().X, float32(8))
}

func TestMoverCeiling(t *testing.T) {
	s := newStage(ground, slab(-5, 2.2, -5, 5, 3, 5)).at(0, 0.02, 0)
	s.walk(geom.Vec3{}, 1)
	s.hits = s.mover.Move(s.Space, &s.state, geom.V(1, 5, 0), moverTick, physics.Filter{}, nil)
	top := float32(0)
	for range 60 {
		s.tick(geom.Vec3{})
		top = max(top, s.position().Y)
	}
	assert.InDelta(t, 0.38, top, 1e-3)
	assert.Equal(t, physics.OnGround, s.state.Ground)

	// The ceiling slopes down until there is no space. It does not press the mover into the ground.
	t.Run("slanting", func(t *testing.T) {
		b := ramp(1, 2)
		b.Rotation, b.Center = b.Rotation.Inverse(), geom.V(b.Center.X, 4-b.Center.Y, 0)
		s := newStage(ground, b).at(0, 0.02, 0)
		s.walk(geom.V(3, 0, 0.5), 120)
		at := s.position()
		assert.InDelta(t, 0.02, at.Y, 1.5e-3)
		s.walk(geom.V(3, 0, 0.5), 60)
		assert.InDelta(t, at.X, s.position().X, 1e-4)
		assert.InDelta(t, at.Z+0.5, s.position().Z, 1e-3)
	})
}

// wall returns a tall box with a face through the origin. The normal of the face is −X, rotated
// about Y by an angle in degrees.
func wall(degrees float64, x, z float32) geom.Box {
	q := geom.QuatAxisAngle(geom.V(0, 1, 0), degrees*math.Pi/180)
	return geom.Box{Center: q.Rotate(geom.V(5, 0, 0)).Add(geom.V(x, 0, z)), HalfExtents: geom.V(5, 10, 30), Rotation: q}
}

func TestMoverRestsInCorners(t *testing.T) {
	testenv.Long(t)
	corners := map[string][]physics.Shape{
		"wall":              {ground, wall(0, 3, 0)},
		"right":             {ground, wall(45, 3, 0), wall(-45, 3, 0)},
		"acute":             {ground, wall(75, 3, 0), wall(-75, 3, 0)},
		"very acute":        {ground, wall(86, 3, 0), wall(-86, 3, 0)},
		"obtuse":            {ground, wall(10, 3, 0), wall(-10, 3, 0)},
		"uneven":            {ground, wall(65, 3, 0), wall(-20, 3, 0)},
		"slope and walls":   {ground, ramp(0.5, 1), wall(45, 3, 0), wall(-45, 3, 0)},
		"slope down":        {slab(-5, -3, -20, 0, 0, 20), ramp(-0.5, 1), wall(45, 3, 0), wall(-45, 3, 0)},
		"steep and wall":    {ground, ramp(2, 1), wall(45, 3, 0)},
		"between two boxes": {ground, slab(2, 0, 0.2, 3, 2, 3), slab(2, 0, -3, 3, 2, -0.2)},
	}
	for name, shapes := range corners {
		for kind, shape := range moverShapes {
			for _, wish := range []geom.Vec3{geom.V(5, 0, 0), geom.V(0.5, 0, 0), geom.V(5, 0, 0.4), geom.V(3, 0, -1)} {
				if wish.Z != 0 && !slices.Contains([]string{"right", "acute", "very acute", "slope and walls", "slope down"}, name) {
					continue // the mover slides along; see below
				}
				t.Run(fmt.Sprint(name, "/", kind, "/", wish), func(t *testing.T) {
					s := newStage(shapes...).at(1, 1.1, 0)
					s.mover.Shape = shape
					s.walk(wish, 500)
					at := s.position()
					far := float32(0)
					for range 300 {
						s.tick(wish)
						far = max(far, s.position().Distance(at))
					}
					assert.Zero(t, far, "at %v", at)
				})
			}
		}
	}
}

func TestMoverSlidesAlongWalls(t *testing.T) {
	for _, degrees := range []float64{0, 20, -30, 45, 60, 80} {
		for kind, shape := range moverShapes {
			t.Run(fmt.Sprint(degrees, "/", kind), func(t *testing.T) {
				s := newStage(ground, wall(degrees, 1, 0)).at(0, 0.02, 0)
				s.mover.Shape = shape
				wish := geom.V(3, 0, 1)
				s.walk(wish, 60)
				q := geom.QuatAxisAngle(geom.V(0, 1, 0), degrees*math.Pi/180)
				n := q.Rotate(geom.V(-1, 0, 0))
				along := wish.Sub(n.Mul(min(0, wish.Dot(n))))
				for range 100 {
					at := s.position()
					s.tick(wish)
					require.InDelta(t, 0, s.position().Sub(at).Distance(along.Mul(moverTick)), 2e-4)
					require.InDelta(t, 0.02, s.position().Y, 1.5e-3)
				}
			})
		}
	}
}

// However far a wall is on a way of 45 m, the mover stops before it and slides on along it: a long
// way is cast in parts.
func TestMoverMeetsWallsOnALongWay(t *testing.T) {
	const offset = 0.02
	for kind, reach := range map[string]float32{"default": 0.3, "sphere": 0.5, "box": 0.3} {
		for _, x := range []float32{1, 3.5, 4.5, 7, 19, 23, 33, 39} {
			s := newStage(slab(x, -50, -50, x+1, 50, 50)).at(0, 0, 0)
			s.mover.Shape = moverShapes[kind]
			s.hits = s.cache.Move(&s.mover, s.Space, &s.state, geom.V(40, 0, 20), 1, physics.Filter{}, s.hits[:0])
			require.InDelta(t, x-reach-offset, s.position().X, offset/8, "%s, a wall at %v", kind, x)
			require.InDelta(t, 20, s.position().Z, 1e-4, "%s, a wall at %v", kind, x)
		}
	}
}

func TestMoverInANarrowCorridor(t *testing.T) {
	s := newStage(ground, slab(-10, 0, 0.25, 10, 4, 2), slab(-10, 0, -2, 10, 4, -0.25)).at(0, 0.02, 0.1)
	s.walk(geom.Vec3{}, 20)
	at := s.position()
	assert.InDelta(t, 0, at.Z, 2e-2, "in the middle")
	assert.InDelta(t, 0.05, s.state.Depth, 2e-2)
	for range 100 {
		s.tick(geom.Vec3{})
		require.InDelta(t, 0, s.position().Distance(at), 1e-4)
	}
}

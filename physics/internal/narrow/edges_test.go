package narrow

import (
	"iter"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// surface is triangles with the bends at all their edges.
type surface struct {
	triangles []geom.Triangle
	shapes    []Shape
	edges     []Edges
}

func newSurface(triangles []geom.Triangle) *surface {
	s := &surface{triangles: triangles}
	type ends struct{ a, b geom.Vec3 }
	type side struct {
		triangle int
		beyond   geom.Vec3
	}
	sides := map[ends][]side{}
	for i, t := range triangles {
		s.shapes = append(s.shapes, Triangle(t))
		c := [3]geom.Vec3{t.A, t.B, t.C}
		for k := range c {
			a, b, beyond := c[k], c[(k+1)%3], c[(k+2)%3]
			sides[ends{a, b}] = append(sides[ends{a, b}], side{i, beyond})
			sides[ends{b, a}] = append(sides[ends{b, a}], side{i, beyond})
		}
	}
	for i, t := range triangles {
		c := [3]geom.Vec3{t.A, t.B, t.C}
		e := Edges{Open, Open, Open}
		for k := range e {
			for _, other := range sides[ends{c[k], c[(k+1)%3]}] {
				if other.triangle != i {
					e[k] = BendAt(t, k, other.beyond)
				}
			}
		}
		s.edges = append(s.edges, e)
	}
	return s
}

// terrain returns a grid of squares of one metre, each of two triangles, with heights by place.
func terrain(n int, height func(x, z int) float32, m geom.Affine) *surface {
	return newSurface(squares(n, func(x, z int) geom.Vec3 { return m.Point(geom.V(float32(x), height(x, z), float32(z))) }))
}

// squares returns n × n squares of two triangles each. It asks for each corner once, so that it may
// be a random one.
func squares(n int, corner func(x, z int) geom.Vec3) (t []geom.Triangle) {
	var corners []geom.Vec3
	for x := range n + 1 {
		for z := range n + 1 {
			corners = append(corners, corner(x, z))
		}
	}
	for x := range n {
		for z := range n {
			a, d := corners[x*(n+1)+z:], corners[(x+1)*(n+1)+z:]
			t = append(t, geom.Triangle{A: a[0], B: a[1], C: d[1]}, geom.Triangle{A: a[0], B: d[1], C: d[0]})
		}
	}
	return t
}

func (s *surface) collide(shape *Shape, margin float64) (all []Manifold) {
	var j Joiner
	for _, m := range s.join(&j, shape, margin, nil) {
		one := Manifold{Normal: m.Normal, N: m.N}
		for i, c := range m.Contacts() {
			one.Points[i] = c.ContactPoint
		}
		all = append(all, one)
	}
	return all
}

func TestBendAt(t *testing.T) {
	flat := geom.Triangle{A: geom.V(0, 0, 0), B: geom.V(0, 0, 1), C: geom.V(1, 0, 0)} // faces up
	for name, test := range map[string]struct {
		beyond geom.Vec3
		degree float64
	}{
		"flat":           {geom.V(-1, 0, 0.5), 0},
		"turns down 45°": {geom.V(-1, -1, 0.5), 45},
		"turns down 90°": {geom.V(0, -1, 0.5), 90},
		"turns up 90°":   {geom.V(0, 3, 0.5), -90},
		"turns up 45°":   {geom.V(-1, 1, 2), -45},
	} {
		t.Run(name, func(t *testing.T) {
			assert.InDelta(t, math.Tan(test.degree*math.Pi/360), float64(BendAt(flat, 0, test.beyond)), 1e-6)
		})
	}
	assert.Equal(t, Open, BendAt(flat, 0, geom.V(1, 0, 0)))
	// Triangles of 16 mm, 8 km from the origin, where rounding may turn them by 28°: turns of more
	// than 5° count even there.
	far := geom.Triangle{A: geom.V(0, 0, 8192), B: geom.V(0, 0, 8193), C: geom.V(16.0/1024, 0, 8192)}
	assert.Zero(t, BendAt(far, 0, geom.V(-32.0/1024, -2.0/1024, 8192.5)), "3.6°")
	assert.InDelta(t, math.Tan(math.Atan2(2, 16)/2), float64(BendAt(far, 0, geom.V(-16.0/1024, -2.0/1024, 8192.5))), 1e-6, "7.1°")
	assert.Zero(t, BendAt(flat, 0, geom.V(0, 0, 0.5)), "a degenerate neighbour")
}

// walkers yields a shape of each kind at a place, always in the same order, so that a test that
// draws numbers for each of them draws the same ones for a seed.
func walkers(at geom.Vec3, turn geom.Quat) iter.Seq2[string, Shape] {
	m := geom.Transform{Position: at, Rotation: turn, Scale: geom.V(0.7, 0.5, 0.9)}.Affine()
	up := turn.Rotate(geom.V(0, 0.6, 0))
	return func(yield func(string, Shape) bool) {
		_ = yield("sphere", Sphere(geom.Sphere{Center: at, Radius: 0.6})) &&
			yield("capsule", Capsule(geom.Capsule{A: at.Sub(up), B: at.Add(up), Radius: 0.3})) &&
			yield("aabb", AABB(geom.AABBAround(at, geom.V(0.8, 0.5, 0.6)))) &&
			yield("box", Box(geom.Box{Center: at, HalfExtents: geom.V(0.8, 0.5, 0.6), Rotation: turn})) &&
			yield("small box", Box(geom.Box{Center: at, HalfExtents: geom.V(0.1, 0.2, 0.1), Rotation: turn})) &&
			yield("hull", Hull(hulls[4], m)) &&
			yield("cylinder", Hull(hulls[7], m)) &&
			yield("ellipsoid", Ellipsoid(geom.Sphere{Radius: 1}, m)) &&
			yield("long", ScaledCapsule(geom.Capsule{A: geom.V(0, -1, 0), B: geom.V(0, 1, 0), Radius: 0.5}, m))
	}
}

// lower moves a shape so that its lowest point is at a height.
func lower(s *Shape, height float64) Shape {
	down := geom.DVec3{Y: -1}
	hint := 0
	p, _ := s.support(down, &hint)
	return s.Moved(geom.DVec3{Y: height - (p.Y - s.radius)})
}

// On a flat floor of triangles everything is pushed straight up, by as much as it is in the floor,
// wherever it stands.
func TestNoGhostsOnFlatGround(t *testing.T) {
	testenv.NoRace(t)
	floor := terrain(6, func(x, z int) float32 { return 0 }, geom.AffineIdentity())
	r := testenv.Rand(1, 2)
	ghosts := 0
	for range 400 {
		place := geom.V(2+2*r.Float32(), 0, 2+2*r.Float32())
		turn := geom.QuatEuler(r.Float64()*6, 0, 0)
		if r.IntN(2) == 0 {
			turn = randomTurn(r)
		}
		for name, s := range walkers(place, turn) {
			depth := []float64{0, 0.001, 0.05, 0.09}[r.IntN(4)]
			s = lower(&s, -depth)
			found, deepest := 0, math.Inf(-1)
			for _, m := range floor.collide(&s, 0.01) {
				found += m.N
				require.InDelta(t, 1, m.Normal.Y, placedOff, "%s in the floor by %g", name, depth)
				deepest = max(deepest, m.Points[m.Deepest()].Depth)
			}
			require.Positive(t, found, name)
			// Of contacts up to 2.5 m apart the first is as deep as the deepest within samePlace of
			// that.
			require.LessOrEqual(t, deepest, depth+2*placedOff, name)
			require.GreaterOrEqual(t, deepest, depth-2*placedOff-2.5*samePlace, name)
			for i := range floor.shapes {
				if m := Collide(&floor.shapes[i], &s, 0.01); m.N > 0 && m.Normal.Y < 0.99 {
					ghosts++
				}
			}
		}
	}
	testenv.Drawn(t, ghosts, 1000, "without the bends there are ghosts")
}

// What holds on a flat floor holds on one that is turned anyhow and seen from behind.
func TestNoGhostsOnTurnedGround(t *testing.T) {
	r, found := testenv.Rand(3, 4), 0
	for range 100 {
		m := geom.Transform{Rotation: randomTurn(r)}.Affine()
		floor := terrain(6, func(x, z int) float32 { return 0 }, m)
		up := m.Vector(geom.V(0, 1, 0)).Wide()
		for side := -1.0; side <= 1; side += 2 {
			at := m.Point(geom.V(2+2*r.Float32(), float32(side)*0.55, 2+2*r.Float32()))
			for name, s := range walkers(at, randomTurn(r)) {
				for _, m := range floor.collide(&s, 0.01) {
					found += m.N
					require.InDelta(t, side, m.Normal.Dot(up), placedOff, name)
				}
			}
		}
	}
	testenv.Drawn(t, found, 2000)
}

// Ridges, valleys and steps: what a sphere touches there follows from the nearest point of the
// whole surface.
func TestSphereOnTerrain(t *testing.T) {
	for name, height := range map[string]func(x, z int) float32{
		"ridge":  func(x, z int) float32 { return -0.5 * float32(max(x-3, 3-x)) },
		"valley": func(x, z int) float32 { return 0.5 * float32(max(x-3, 3-x)) },
		"hills":  func(x, z int) float32 { return float32(math.Sin(float64(x*7+z*13))) * 0.4 },
		"step":   func(x, z int) float32 { return float32(min(1, max(0, x-2))) },
	} {
		t.Run(name, func(t *testing.T) {
			r := testenv.Rand(5, 6)
			s := terrain(6, height, geom.AffineIdentity())
			for range 300 {
				ball := Sphere(geom.Sphere{Center: geom.V(1+4*r.Float32(), -1+3*r.Float32(), 1+4*r.Float32()), Radius: 0.7})
				nearest := Closest{Distance: math.Inf(1)}
				point := Sphere(geom.Sphere{Center: ball.p.Narrow()})
				for i := range s.shapes {
					if c := Distance(&s.shapes[i], &point, math.Inf(1)); c.Distance < nearest.Distance {
						nearest = c
					}
				}
				found := s.collide(&ball, 0)
				require.Equal(t, nearest.Distance < ball.radius, len(found) > 0)
				deepest := math.Inf(-1)
				var normal geom.DVec3
				for _, m := range found {
					if d := m.Points[m.Deepest()].Depth; d > deepest {
						deepest, normal = d, m.Normal
					}
				}
				if len(found) > 0 {
					require.InDelta(t, ball.radius-nearest.Distance, deepest, placedOff)
					require.InDelta(t, 1, normal.Dot(nearest.Normal), 1e-5)
				}
			}
		})
	}
}

// Things fall on hills and are always held: whatever reaches into the ground has a contact that
// pushes it up.
func TestNothingFallsThroughTerrain(t *testing.T) {
	testenv.Long(t)
	r := testenv.Rand(7, 8)
	hills := terrain(6, func(x, z int) float32 { return float32(math.Sin(float64(x*7+z*13))) * 0.4 }, geom.AffineIdentity())
	for range 200 {
		for name, s := range walkers(geom.V(2+2*r.Float32(), 3, 2+2*r.Float32()), randomTurn(r)) {
			// Down to the first touch, and a little further.
			for range 60 {
				d := math.Inf(1)
				for i := range hills.shapes {
					d = min(d, Distance(&hills.shapes[i], &s, math.Inf(1)).Distance)
				}
				s = s.Moved(geom.DVec3{Y: -d})
				if d < 1e-6 {
					break
				}
			}
			s = s.Moved(geom.DVec3{Y: -0.02})
			held := false
			for _, m := range hills.collide(&s, 0) {
				held = held || m.Normal.Y > 0 && m.Points[m.Deepest()].Depth > 0
			}
			require.True(t, held, "%s at %v", name, s.Center())
		}
	}
}

// A triangle of its own has no edges that are not open, and collides as any triangle does.
func TestOpenEdges(t *testing.T) {
	r := testenv.Rand(9, 9)
	for range 300 {
		tri, _ := randomShape(r, KindTriangle, 1, 0.5, 2)
		alone := &surface{triangles: make([]geom.Triangle, 1), shapes: []Shape{tri}, edges: []Edges{{Open, Open, Open}}}
		for name, s := range walkers(randomVec(r).Mul(0.5), randomTurn(r)) {
			m := Collide(&tri, &s, 0.01)
			if m.N > 0 && m.Normal.Dot(tri.u)*s.Center().Sub(tri.p).Dot(tri.u) >= 0 {
				all := alone.collide(&s, 0.01)
				require.Len(t, all, 1)
				require.Equal(t, m.Normal, all[0].Normal, name)
				// Of contacts up to 2.5 m apart the first is as deep as the deepest within
				// samePlace of that.
				deepest := m.Points[m.Deepest()].Depth
				require.LessOrEqual(t, all[0].Points[0].Depth, deepest+placedOff, name)
				require.GreaterOrEqual(t, all[0].Points[0].Depth, deepest-placedOff-2.5*samePlace, name)
			}
		}
	}
}

// The triangles on which a place lies are those by a formula, whatever their order.
func TestTrianglesAtAPlace(t *testing.T) {
	at := func(x, z float64) geom.DVec3 { return geom.DVec3{X: x, Z: z} }
	all := triangles{same: 1e-6}
	var legs []geom.DVec3 // where the right angle is, with the length of the legs as Y
	for k := range 10 {
		leg := geom.DVec3{X: float64(k * 7 % 10), Y: 1, Z: float64(k % 2)}
		if k == 4 {
			leg = geom.DVec3{X: 1, Y: 7}
		}
		legs = append(legs, leg)
		all.faces = append(all.faces, face{c: [3]geom.DVec3{at(leg.X, leg.Z), at(leg.X+leg.Y, leg.Z), at(leg.X, leg.Z+leg.Y)}})
	}
	for i := range 48 {
		for j := range 36 {
			x, z := float64(i)/4-1, float64(j)/4-1
			var want, got []int32
			for k, l := range legs {
				if x >= l.X && z >= l.Z && x-l.X+z-l.Z <= l.Y {
					want = append(want, int32(k))
				}
			}
			all.visitOn(at(x, z), func(k int32) bool { got = append(got, k); return false })
			require.ElementsMatch(t, want, got)
			require.Equal(t, len(want) > 0, all.visitOn(at(x, z), func(int32) bool { return true }))
		}
	}
}

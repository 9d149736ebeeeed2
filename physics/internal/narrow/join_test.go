package narrow

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
)

// join returns the manifolds of a shape with a surface, whose triangles are added in the order
// given, or in their own.
func (s *surface) join(j *Joiner, shape *Shape, margin float64, order []int) []MeshManifold {
	j.Reset(shape.Center(), 0)
	for k := range s.triangles {
		i := k
		if order != nil {
			i = order[k]
		}
		j.Collide(int32(i), &s.edges[i], &s.shapes[i], shape, margin)
	}
	return j.Join(nil)
}

// plain returns a floor of n × n squares, with corners moved within it and rounded at a place away
// from the origin. Which diagonals squares have, and which way round triangles go, is random.
func plain(r *rand.Rand, n int, irregular, away float32) *surface {
	corner := map[[2]int]geom.Vec3{}
	for x := range n + 1 {
		for z := range n + 1 {
			p := geom.V(float32(x), 0, float32(z))
			if x > 0 && x < n && z > 0 && z < n {
				p = p.Add(geom.V(irregular*(r.Float32()-0.5), 0, irregular*(r.Float32()-0.5)))
			}
			corner[[2]int{x, z}] = p
		}
	}
	turn := geom.QuatIdentity()
	if away > 0 {
		turn = geom.QuatEuler(0.3, 0.2, 0.1)
	}
	m := geom.Transform{Position: geom.V(away, -away, 2*away), Rotation: turn, Scale: geom.V(1, 1, 1)}.Affine()
	var t []geom.Triangle
	for x := range n {
		for z := range n {
			a, b, c, d := corner[[2]int{x, z}], corner[[2]int{x, z + 1}], corner[[2]int{x + 1, z + 1}], corner[[2]int{x + 1, z}]
			if r.IntN(2) == 0 {
				a, b, c, d = b, c, d, a
			}
			// Where a square has become an arrowhead, the diagonal outside of it would fold the
			// floor.
			if ac := c.Sub(a); ac.Cross(b.Sub(a)).Y*ac.Cross(d.Sub(a)).Y >= 0 {
				a, b, c, d = b, c, d, a
			}
			a, b, c, d = m.Point(a), m.Point(b), m.Point(c), m.Point(d)
			one, other := geom.Triangle{A: a, B: b, C: c}, geom.Triangle{A: a, B: c, C: d}
			if r.IntN(2) == 0 {
				one.A, one.B = one.B, one.A
			}
			t = append(t, one, other)
		}
	}
	return newSurface(t)
}

// tilt returns by how much, in radians, the rounding of vertices to single precision may turn a
// triangle: the ends of its least height are off by √3·2⁻²⁴ of the largest coordinate each.
func (s *surface) tilt() (most float64) {
	for i := range s.shapes {
		t := &s.shapes[i]
		long := max(t.e.Len(), t.f.Sub(t.e).Len(), t.f.Len())
		height := t.e.Cross(t.f).Len() / long
		most = max(most, 2*math.Sqrt(3)*0x1p-24*t.size/height)
	}
	return most
}

// A floor of triangles gives what one plane gives: one manifold, along the floor's normal, and of a
// box its four corners.
func TestJoinOnFloor(t *testing.T) {
	testenv.NoRace(t)
	for name, test := range map[string]struct {
		irregular, away float32
		// Of the normals, in radians, and of lengths, in metres: vertices are rounded to single
		// precision, 2⁻²⁴ of the distance from the origin, and triangles of a metre are turned by
		// that, times their shape.
		tilt, tolerance float64
	}{
		"grid":                {0, 0, 1e-9, placedOff},
		"irregular":           {0.8, 0, 1e-9, placedOff},
		"a kilometre away":    {0.5, 1000, 5e-3, 1e-3},
		"10 kilometres away":  {0.5, 10000, 2e-2, 1e-2},
		"grid, 100 m away":    {0, 100, 1e-4, 1e-4},
		"irregular, 1 m away": {0.8, 1, 1e-5, 1e-5},
	} {
		t.Run(name, func(t *testing.T) {
			r := testenv.Rand(1, 2)
			var j Joiner
			for range 12 {
				floor := plain(r, 6, test.irregular, test.away)
				turn := geom.QuatIdentity()
				if test.away > 0 {
					turn = geom.QuatEuler(0.3, 0.2, 0.1)
				}
				up := turn.Rotate(geom.V(0, 1, 0)).Wide().Normalize()
				place := geom.Transform{Position: geom.V(test.away, -test.away, 2*test.away), Rotation: turn, Scale: geom.V(1, 1, 1)}
				tilt := test.tilt
				if test.away > 0 {
					tilt = max(tilt, floor.tilt())
				}
				ground := HalfSpace(up, place.Position.Wide())
				for range 10 {
					depth := []float64{0.005, 0.02, 0.08}[r.IntN(3)]
					around := geom.QuatAxisAngle(geom.V(0, 1, 0), r.Float64()*6)
					at := geom.V(2+2*r.Float32(), 0, 2+2*r.Float32())
					for kind, s := range walkers(place.Affine().Point(at), turn.Mul(around)) {
						if kind == "aabb" && test.away > 0 {
							continue // stands on an edge
						}
						hint := 0
						low, _ := s.support(up.Neg(), &hint)
						s = s.Moved(up.Mul(-depth - (low.Sub(ground.p).Dot(up) - s.radius)))
						want := Collide(&ground, &s, 0)
						all := floor.join(&j, &s, 0, nil)
						require.Len(t, all, 1, kind)
						m := all[0]
						require.InDelta(t, 1, m.Normal.Dot(up), tilt*tilt+1e-12, kind)
						checkDeepest(t, &j, &m, kind, depth, test.tolerance)
						switch kind {
						case "box", "small box", "aabb":
							require.Equal(t, 4, m.N, kind)
							require.Equal(t, 4, want.N, kind)
							// A corner within depth·tilt of an edge may be over neither triangle,
							// if these are turned against each other: then the contact is beside
							// it.
							beside := 2 * tilt * depth
							if test.away == 0 {
								beside = 0
							}
							for _, w := range want.Contacts() {
								if math.Cos(2*tilt) < sameNormal {
									break // such triangles need not share a manifold
								}
								require.True(t, slices.ContainsFunc(m.Contacts(), func(c MeshContact) bool {
									off := c.PointB.Sub(w.PointB).Len()
									return off < 20*test.tolerance && math.Abs(c.Depth-w.Depth) < test.tolerance && (c.FeatureB == w.FeatureB || off < beside)
								}), "%s: %v has no %v at %v", kind, m.Contacts(), w, s.p)
							}
						case "sphere":
							require.Equal(t, 1, m.N, kind)
						case "ellipsoid":
							// Over an edge each triangle has its own lowest point, known as EPA
							// ends: R·tilt and √(2R·δ) from the ideal one, for the largest radius
							// of curvature R.
							const radius = 0.9 * 0.9 / 0.5
							for _, c := range m.Contacts()[1:] {
								require.Less(t, c.PointB.Sub(m.Points[0].PointB).Len(), 2*(radius*tilt+math.Sqrt(2*radius*depthGap*s.size)), kind)
							}
						}
						for _, c := range m.Contacts() {
							require.InDelta(t, 0, c.PointA.Sub(c.PointB).Sub(m.Normal.Mul(c.Depth)).Len(), 1e-9)
						}
					}
				}
			}
		})
	}
}

// checkDeepest checks the depth of the only manifold of a shape that a joiner found. Of a hull at
// random, whose lowest face or edge may be all but level, the contacts that are kept may be any
// that are as deep within j.same; all others have only one lowest place, or lowest corners of one
// depth.
func checkDeepest(t *testing.T, j *Joiner, m *MeshManifold, kind string, depth, tolerance float64) {
	least := depth - tolerance
	if kind == "hull" {
		least -= j.same
	}
	require.GreaterOrEqual(t, m.Points[0].Depth, least, kind)
	for _, c := range m.Contacts() {
		require.LessOrEqual(t, c.Depth, depth+tolerance, kind)
	}
}

// A hull that stands on a floor with a face turned by 3e-5 rad has its corners for contacts, and
// any of them may come first: their depths differ by less than the 10⁻⁴ of their extent up to which
// depths are the same.
func TestJoinAllButLevel(t *testing.T) {
	var corners []geom.Vec3
	for i := range 8 {
		x, z := float32(i&1), float32(i>>1&1)
		corners = append(corners, geom.V(3.2+x, float32(i>>2)-0.08-2.5e-5*(x+z), 3.2+z))
	}
	solid, err := hull.New(corners)
	require.NoError(t, err)
	s := Hull(solid, geom.AffineIdentity())
	floor := plain(rand.New(rand.NewPCG(1, 2)), 6, 0.8, 0)
	var j Joiner
	all := floor.join(&j, &s, 0, nil)
	require.Len(t, all, 1)
	require.Equal(t, 4, all[0].N)
	checkDeepest(t, &j, &all[0], "hull", 0.08005, placedOff)
	assert.Less(t, all[0].Points[0].Depth, 0.08005-1e-5, "a shallower one comes first")
}

// Along walls and creases, only the normals of faces come up where flat faces meet at an inner
// edge, and normals between them where what the two sides ask for is no less deep.
func TestJoinInCorners(t *testing.T) {
	testenv.Long(t)
	fold := func(angle float64) func(x, z int) float32 {
		return func(x, z int) float32 { return float32(math.Tan(angle) * math.Max(0, float64(x-3))) }
	}
	for name, test := range map[string]struct {
		surface *surface
		bend    float64 // where the edge is, along X
		normals []geom.DVec3
	}{
		"valley": {terrain(6, fold(0.5), geom.AffineIdentity()), 3, []geom.DVec3{{Y: 1}, {X: -math.Sin(0.5), Y: math.Cos(0.5)}}},
		"floor and wall": {func() *surface {
			floor := terrain(6, func(x, z int) float32 { return 0 }, geom.AffineIdentity())
			up := geom.Transform{Position: geom.V(6, 0, 0), Rotation: geom.QuatAxisAngle(geom.V(0, 0, 1), math.Pi/2), Scale: geom.V(1, 1, 1)}
			wall := terrain(6, func(x, z int) float32 { return 0 }, up.Affine())
			for i, t := range wall.triangles {
				for _, p := range []*geom.Vec3{&t.A, &t.B, &t.C} {
					p.X = 6 // not turned to the last bit
					p.Y = float32(math.Round(float64(p.Y)))
				}
				wall.triangles[i] = t
			}
			return newSurface(append(floor.triangles, wall.triangles...))
		}(), 6, []geom.DVec3{{Y: 1}, {X: -1}}},
	} {
		t.Run(name, func(t *testing.T) {
			r := testenv.Rand(3, 4)
			var j Joiner
			both, ghosts := 0, 0
			// Both are touched by about one shape in thirty, some of them in one place at a time.
			for n := 0; n < 700 || n < 7000 && both <= 200; n++ {
				at := geom.V(2.5+3*r.Float32(), 0.2+0.6*r.Float32(), 2+2*r.Float32())
				for kind, s := range walkers(at, geom.QuatAxisAngle(geom.V(0, 1, 0), r.Float64()*6)) {
					all := test.surface.join(&j, &s, 0, nil)
					for _, m := range all {
						// A positive combination of both normals, as of the depths.
						u, v := test.normals[0], test.normals[1]
						b := m.Normal.X / v.X
						a := m.Normal.Y - b*v.Y
						asked := a*s.Reach(u.Neg()) + b*(s.Reach(v.Neg())+v.X*test.bend)
						straight := math.Abs(m.Normal.Z) < 1e-6 && min(a, b) > 0 && m.Points[0].Depth < asked+1e-6
						for _, n := range test.normals {
							straight = straight || m.Normal.Dot(n) > 1-1e-6
						}
						above := s.Center().Y > 0 && s.Center().X < 6
						if c := s.Center(); name == "valley" && c.X > 3 {
							above = c.Y > math.Tan(0.5)*(c.X-3)
						}
						if !straight && above {
							ghosts++
							t.Logf("%s at %v: %v", kind, s.Center(), m.Normal)
						}
					}
					if len(all) == 2 {
						both++
					}
				}
			}
			assert.Zero(t, ghosts)
			testenv.Drawn(t, both, 200)
		})
	}
}

// Over a ridge the normals are those of the two faces or between them.
func TestJoinOnRidge(t *testing.T) {
	testenv.NoRace(t)
	ridge := terrain(6, func(x, z int) float32 { return -0.5 * float32(max(x-3, 3-x)) }, geom.AffineIdentity())
	r := testenv.Rand(5, 6)
	var j Joiner
	steepest, found := math.Cos(math.Atan(0.5)), 0
	for range 700 {
		at := geom.V(2.5+r.Float32(), 0.3+0.4*r.Float32(), 2+2*r.Float32())
		for kind, s := range walkers(at, randomTurn(r)) {
			if s.Center().Y < 0.3 {
				continue
			}
			for _, m := range ridge.join(&j, &s, 0, nil) {
				found++
				require.GreaterOrEqual(t, m.Normal.Y, steepest-1e-4, kind)
				require.InDelta(t, 0, m.Normal.Z, 1e-4, kind)
			}
		}
	}
	testenv.Drawn(t, found, 1000)
}

// Neighbours without whole edges in common don't know each other, and there is a triangle without
// area as well; what the floor holds is held once, and by the whole depth. Except that in one of
// 30,000 cases a hull also has contacts across the edge of a triangle whose neighbour shares a part
// of it only, which are less deep; they may be half a percent of one run.
func TestJoinOverTJunctions(t *testing.T) {
	v := geom.V
	floor := newSurface([]geom.Triangle{
		{A: v(0, 0, 0), B: v(0, 0, 4), C: v(4, 0, 4)}, {A: v(0, 0, 0), B: v(4, 0, 4), C: v(4, 0, 0)},
		{A: v(4, 0, 0), B: v(4, 0, 3), C: v(8, 0, 0)}, {A: v(4, 0, 3), B: v(4, 0, 4), C: v(8, 0, 4)}, {A: v(4, 0, 3), B: v(8, 0, 4), C: v(8, 0, 0)},
		{A: v(4, 0, 0), B: v(4, 0, 4), C: v(4, 0, 3)},
	})
	r := testenv.Rand(7, 8)
	var j Joiner
	alone, ghosts := 0, 0
	for range 500 {
		for kind, s := range walkers(v(3+2*r.Float32(), 0, 1+2*r.Float32()), geom.QuatAxisAngle(v(0, 1, 0), r.Float64()*6)) {
			depth := []float64{0.001, 0.02, 0.09}[r.IntN(3)]
			s = lower(&s, -depth)
			for i := range floor.shapes {
				if m := Collide(&floor.shapes[i], &s, 0); m.N > 0 && m.Normal.Y < 0.99 {
					alone++
				}
			}
			all := floor.join(&j, &s, 0, nil)
			require.NotEmpty(t, all)
			require.InDelta(t, 1, all[0].Normal.Y, 1e-9)
			checkDeepest(t, &j, &all[0], kind, depth, placedOff)
			for _, m := range all[1:] {
				ghosts++
				require.Less(t, m.Points[m.N-1].Depth, depth, "%s at %v: %v", kind, s.Center(), all)
			}
		}
	}
	assert.LessOrEqual(t, ghosts, 500*9/200)
	testenv.Drawn(t, alone, 100, "they were ghosts before they were joined")
}

// Whatever the order in which triangles come, the answer is the same to the last bit.
func TestJoinInAnyOrder(t *testing.T) {
	testenv.NoRace(t)
	r := testenv.Rand(9, 10)
	hills := terrain(6, func(x, z int) float32 { return float32(math.Sin(float64(x*7+z*13))) * 0.4 }, geom.AffineIdentity())
	hash := func(all []MeshManifold) (sum [32]byte) {
		h := sha256.New()
		for _, m := range all {
			require.NoError(t, binary.Write(h, binary.LittleEndian, m.Normal))
			require.NoError(t, binary.Write(h, binary.LittleEndian, m.Points[:m.N]))
		}
		h.Sum(sum[:0])
		return sum
	}
	var j Joiner
	most := 0
	for i := range 120 {
		s := []*surface{hills, plain(r, 6, 0.8, 0)}[i%2]
		for kind, w := range walkers(geom.V(2+2*r.Float32(), 0.3*r.Float32(), 2+2*r.Float32()), randomTurn(r)) {
			want := s.join(&j, &w, 0.01, nil)
			most = max(most, len(want))
			for range 3 {
				require.Equal(t, hash(want), hash(s.join(&j, &w, 0.01, r.Perm(len(s.triangles)))), kind)
			}
		}
	}
	testenv.Drawn(t, most, 3)
}

// A crate that slides keeps the triangle and the features of a corner while that is over one
// triangle.
func TestJoinKeepsFeatures(t *testing.T) {
	floor := plain(testenv.Rand(1, 1), 6, 0.8, 0)
	type id struct {
		a, b     Feature
		triangle int32
	}
	corner := func(s *Shape, k int) (geom.DVec3, Feature) { return s.boxVertex(uint16(k)), vertexKind | Feature(k) }
	var j Joiner
	last, stayed := map[Feature]id{}, 0
	for step := range 2000 {
		s := Box(geom.Box{Center: geom.V(2+float32(step)/1000, 0.48, 3), HalfExtents: geom.V(0.5, 0.5, 0.5), Rotation: geom.QuatAxisAngle(geom.V(0, 1, 0), 0.3)})
		all := floor.join(&j, &s, 0, nil)
		require.Len(t, all, 1)
		require.Equal(t, 4, all[0].N)
		now := map[Feature]id{}
		for _, c := range all[0].Contacts() {
			p, f := corner(&s, c.FeatureB.Index())
			require.Equal(t, f, c.FeatureB)
			require.InDelta(t, 0, c.PointB.Sub(p).Len(), 1e-9)
			tri := floor.shapes[c.Triangle]
			require.InDelta(t, 0, onTriangle(c.PointA, tri.p, tri.end(), tri.p.Add(tri.f)).Sub(c.PointA).Len(), placedOff, "on its triangle")
			now[f] = id{c.FeatureA, c.FeatureB, c.Triangle}
			if last[f] == now[f] {
				stayed++
			}
		}
		last = now
	}
	assert.Greater(t, stayed, 4*2000-60)
}

// Four contacts of many: none is deeper than what is kept, except by what doc.go calls the same.
// Nothing but rounding is lost if a shape has but one contact.
//
// The hills are at most 0.01 m high over a metre along x and along z, so their normals are within
// atan(√2/100) of upward, and no contact that another triangle holds off loses more than the cosine
// of twice that. The centre of a shape decides on which side of a triangle it is, so a shape counts
// only while its centre is above all of them.
func TestJoinKeepsTheDeepest(t *testing.T) {
	testenv.NoRace(t)
	const (
		// Of contacts within 2.5 m of each other and 5 m of the origin.
		same = samePlace*2.5 + sameCoordinate*5
		lean = 2 * math.Sqrt2 / 100
		// A cylinder has 20 corners around, of which the triangles get 8, at most 3 apart: they
		// leave out up to a segment of 54° of a circle of 0.9 m.
		segment = 0.9 * (1 - 0.8910)
	)
	r := testenv.Rand(11, 12)
	var j Joiner
	compared := 0
	for range 300 {
		seed := r.Int()
		hills := terrain(5, func(x, z int) float32 { return float32((x*31+z*57+seed)%101) * 1e-4 }, geom.AffineIdentity())
		turn := randomTurn(r)
		axis := turn.Rotate(geom.V(0, 1, 0)).Wide().Normalize()
		for kind, w := range walkers(geom.V(2+r.Float32(), 0.5*r.Float32(), 2+r.Float32()), turn) {
			if slices.ContainsFunc(hills.shapes, func(t Shape) bool { return w.Center().Sub(t.p).Dot(t.u) <= 0 }) {
				continue
			}
			deepest := math.Inf(-1)
			for _, m := range hills.collide(&w, 0) {
				if math.Abs(m.Normal.Y) > 0.9 {
					deepest = max(deepest, m.Points[m.Deepest()].Depth)
				}
			}
			all := hills.join(&j, &w, 0, nil)
			for _, m := range all {
				for _, c := range m.Contacts() {
					require.LessOrEqual(t, c.Depth, all[0].Points[0].Depth+same)
				}
			}
			if len(all) == 0 || math.IsInf(deepest, 0) {
				continue
			}
			compared++
			lost := same + (1-math.Cos(lean))*deepest
			if tilt := axis.Cross(all[0].Normal).Len() + lean; kind == "cylinder" && tilt < math.Sqrt2/2+2*lean {
				lost += segment * tilt // its end faces down, and the segment is below what is left
			}
			require.GreaterOrEqual(t, all[0].Points[0].Depth, deepest-lost, kind)
			require.LessOrEqual(t, all[0].Points[0].Depth, deepest+same, kind)
		}
	}
	testenv.Drawn(t, compared, 1000)
}

func TestJoinAllocatesNothing(t *testing.T) {
	floor := plain(testenv.Rand(1, 1), 6, 0.8, 0)
	s := Box(geom.Box{Center: geom.V(3, 0.45, 3), HalfExtents: geom.V(1, 0.5, 1), Rotation: geom.QuatAxisAngle(geom.V(0, 1, 0), 0.3)})
	var j Joiner
	dst := make([]MeshManifold, 0, MaxNormals)
	testenv.AllocatesNothing(t, 50, func() {
		j.Reset(s.Center(), 0)
		for i := range floor.shapes {
			j.Collide(int32(i), &floor.edges[i], &floor.shapes[i], &s, 0)
		}
		dst = j.Join(dst[:0])
	})
	require.Len(t, dst, 1)
	j.Reset(s.Center(), 0)
	assert.Empty(t, j.Join(nil))
}

// More normals than fit: the shallowest drop out.
func TestJoinTooManyNormals(t *testing.T) {
	ball := Sphere(geom.Sphere{Radius: 5})
	open := Edges{Open, Open, Open}
	var j Joiner
	j.Reset(ball.Center(), 0)
	for i := range 40 {
		angle := float64(i*7%40) * 0.15
		n := geom.DVec3{X: math.Sin(angle), Y: math.Cos(angle)}
		p, along := n.Mul(5-0.01*float64(i)), geom.DVec3{X: n.Y, Y: -n.X}
		at := func(x, z float64) geom.Vec3 { return p.AddMul(x, along).Add(geom.DVec3{Z: z}).Narrow() }
		tri := Triangle(geom.Triangle{A: at(0.1, 0.1), B: at(-0.1, 0.1), C: at(0, -0.2)})
		j.Collide(int32(i), &open, &tri, &ball, 0)
	}
	all := j.Join(nil)
	require.Len(t, all, MaxNormals)
	for i, m := range all {
		assert.EqualValues(t, 39-i, m.Points[0].Triangle)
	}
}

func FuzzJoin(f *testing.F) {
	f.Add(uint64(1), 0.5, 3.0, 0.4, 3.0, 0.3)
	f.Add(uint64(2), 0.0, 2.0, -0.4, 3.0, 0.3)
	f.Add(uint64(3), 1e6, 2.0, 0.1, 3.0, 0.0)
	f.Add(uint64(68), -2.9464285714285716, 0.25, -0.34285714285714286, 3.0, -742.0)
	f.Add(uint64(68), -17.67857142857143, 0.25, -0.34285714285714286, 3.0, -742.0)
	f.Fuzz(func(t *testing.T, seed uint64, rough, x, y, z, turn float64) {
		r := rand.New(rand.NewPCG(seed, 1))
		var heights [25]float32
		for i := range heights {
			heights[i] = float32(rough * (r.Float64() - 0.5))
		}
		s := terrain(4, func(x, z int) float32 { return heights[5*x+z] }, geom.AffineIdentity())
		if !(math.Abs(turn) < 1e6) {
			return
		}
		var j Joiner
		for kind, w := range walkers(geom.V(float32(x), float32(y), float32(z)), geom.QuatEuler(turn, turn*0.7, 0.1)) {
			touched := 0 // also in directions that no edge allows
			for i := range s.shapes {
				if m := Collide(&s.shapes[i], &w, 0.01); m.N > 0 {
					touched++
				}
			}
			all := s.join(&j, &w, 0.01, nil)
			require.LessOrEqual(t, len(all), min(MaxNormals, touched+1), "%s: those of triangles, and that of a bend", kind)
			// On higher slopes the spacing of single precision is more than the margin, and a gap
			// of millimetres is rounding.
			if math.Abs(rough) < 0.01*0x1p23 {
				require.Equal(t, touched > 0, len(all) > 0, kind)
			}
			for i, m := range all {
				require.True(t, m.N >= 1 && m.N <= 4)
				require.InDelta(t, 1, m.Normal.Len(), unitOff)
				for _, o := range all[:i] {
					// Only the way out of a bend may be along that of a side, which leads less far.
					if o.Normal.Dot(m.Normal) >= sameNormal {
						require.Less(t, m.Points[0].Depth, (1-leftDeep)*o.Points[0].Depth)
					}
				}
			}
		}
	})
}

func ExampleJoiner() {
	// A crate in the floor beside a wall, each of two triangles.
	v := geom.V
	floor, far, wall, top := geom.Triangle{A: v(0, 0, 0), B: v(0, 0, 4), C: v(4, 0, 4)}, geom.Triangle{A: v(0, 0, 0), B: v(4, 0, 4), C: v(4, 0, 0)},
		geom.Triangle{A: v(0, 0, 0), B: v(0, 4, 0), C: v(0, 0, 4)}, geom.Triangle{A: v(0, 4, 4), B: v(0, 0, 4), C: v(0, 4, 0)}
	edges := []Edges{
		{BendAt(floor, 0, wall.B), Open, BendAt(floor, 2, far.C)}, {BendAt(far, 0, floor.B), Open, Open},
		{Open, BendAt(wall, 1, top.A), BendAt(wall, 2, floor.C)}, {Open, BendAt(top, 1, wall.A), Open},
	}
	crate := AABB(geom.AABB{Min: v(-0.25, -0.125, 1), Max: v(0.75, 0.875, 2)})
	var j Joiner
	j.Reset(crate.Center(), 0)
	for i, t := range []geom.Triangle{floor, far, wall, top} {
		s := Triangle(t)
		j.Collide(int32(i), &edges[i], &s, &crate, 0)
	}
	for _, m := range j.Join(nil) {
		fmt.Println(m.Normal.Narrow(), m.N, "contacts, by", m.Points[0].Depth)
	}
	// Output:
	// (1, 0, 0) 4 contacts, by 0.25
	// (0, 1, 0) 4 contacts, by 0.125
}

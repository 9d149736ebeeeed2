package narrow

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// made returns a shape of a kind that reaches one up and one down from its middle, except for a
// triangle and a half-space, which have their middle on top; under an even scale.
func made(k Kind, t geom.Transform) (Shape, body) {
	m := t.Affine()
	s := t.Factors().X
	switch k {
	case KindSphere:
		return Sphere(geom.Sphere{Center: m.Origin, Radius: s}), body{points: []geom.DVec3{m.Origin.Wide()}, radius: float64(s)}
	case KindCapsule:
		c := geom.Capsule{A: m.Point(geom.V(0, -0.5, 0)), B: m.Point(geom.V(0, 0.5, 0)), Radius: s / 2}
		return Capsule(c), body{points: []geom.DVec3{c.A.Wide(), c.B.Wide()}, radius: float64(s) / 2}
	case KindAABB:
		b := geom.AABBAround(m.Origin, geom.V(s, s, s))
		return AABB(b), body{points: cornersOf(b.Min.Wide(), b.Max.Wide(), func(p geom.DVec3) geom.DVec3 { return p })}
	case KindBox:
		b := geom.Box{Center: m.Origin, HalfExtents: geom.V(s, s, s), Rotation: t.Rotation}
		x, y, z := b.Axes()
		h := b.HalfExtents.Wide()
		return Box(b), body{points: cornersOf(h.Neg(), h, func(p geom.DVec3) geom.DVec3 {
			return m.Origin.Wide().AddMul(p.X, x).AddMul(p.Y, y).AddMul(p.Z, z)
		})}
	case KindTriangle:
		t := geom.Triangle{A: m.Point(geom.V(-1, 0, -1)), B: m.Point(geom.V(0, 0, 1)), C: m.Point(geom.V(1, 0, -1))}
		return Triangle(t), body{points: []geom.DVec3{t.A.Wide(), t.B.Wide(), t.C.Wide()}}
	case KindParallelepiped:
		m.Z = m.Z.Add(m.X.Mul(0.5))
		lo, hi := geom.DVec3{X: -1, Y: -1, Z: -1}, geom.DVec3{X: 1, Y: 1, Z: 1}
		return ShearedBox(geom.Box{HalfExtents: geom.V(1, 1, 1)}, m), body{points: cornersOf(lo, hi, func(p geom.DVec3) geom.DVec3 { return mappedPoint(m, p) })}
	case KindHull:
		b := body{}
		for _, v := range hulls[0].Vertices() {
			b.points = append(b.points, mappedPoint(m, v.Wide()))
		}
		return Hull(hulls[0], m), b
	case KindRound:
		m.X, m.Z = m.X.Mul(2), m.Z.Mul(3)
		return Ellipsoid(geom.Sphere{Radius: 1}, m), body{points: []geom.DVec3{m.Origin.Wide()}, x: m.X.Wide(), y: m.Y.Wide(), z: m.Z.Wide()}
	}
	switch k {
	case kindCone: // a face above and below, as a box has
		return cone(1, 0.75, 1.25, m)
	case kindTapered:
		return tapered(-0.25, 0.5, 0.75, 0.5, m)
	}
	up := m.Vector(geom.V(0, 1, 0)).Wide().Normalize()
	return HalfSpace(up, m.Origin.Wide()), body{points: []geom.DVec3{m.Origin.Wide()}, plane: up}
}

func isFlat(k Kind) bool { return k == KindTriangle || k == KindHalfSpace }

func isPolytope(k Kind) bool {
	return k == kindCone || k == KindAABB || k == KindBox || k == KindTriangle || k == KindParallelepiped || k == KindHull
}

// TestEveryPair puts every pair of shapes into every situation.
func TestEveryPair(t *testing.T) {
	for i, ka := range allKinds[:len(allKinds)-1] {
		for _, kb := range allKinds[i:] {
			high := 2.0 // of the middle of the first over that of the second when they touch
			if isFlat(ka) {
				high--
			}
			if isFlat(kb) {
				high--
			}
			name := kindName(ka) + "-" + kindName(kb) + "/"
			above := func(gap float64, turn geom.Quat) (a, b Shape, ra, rb body) {
				a, ra = made(ka, geom.Transform{Position: geom.V(0, float32(high+gap), 0), Rotation: turn})
				b, rb = made(kb, geom.Transform{})
				return a, b, ra, rb
			}
			for situation, gap := range map[string]float64{"apart": 2, "touching": 0, "deep": -0.125} {
				if (isRound(ka) || isRound(kb)) && gap == 0 {
					gap = -1e-6 // no iteration can decide whether an ellipsoid touches exactly
				}
				t.Run(name+situation, func(t *testing.T) {
					a, b, _, _ := above(gap, geom.Quat{})
					if isFlat(ka) && isFlat(kb) && gap < 0 && kb == KindTriangle {
						return // one triangle under the other is apart again
					}
					assert.Equal(t, gap <= 0, Overlaps(&a, &b))
					c := Distance(&a, &b, 3)
					assert.InDelta(t, max(0, gap), c.Distance, 1e-12)
					if gap > 0 {
						assert.InDelta(t, -1, c.Normal.Y, 1e-12)
						return
					}
					p, ok := Penetrate(&a, &b)
					require.True(t, ok)
					assert.InDelta(t, -gap, p.Depth, 1e-7)
					m := Collide(&a, &b, 0)
					require.Positive(t, m.N)
					// Whose front and back are equally good.
					if !(isFlat(ka) && kb == KindTriangle) {
						assert.InDelta(t, -1, m.Normal.Y, 1e-6)
						assert.InDelta(t, -1, p.Normal.Y, 1e-6)
					}
					assert.InDelta(t, -gap, m.Points[m.Deepest()].Depth, 1e-7)
				})
			}
			t.Run(name+"parallel faces", func(t *testing.T) {
				a, b, ra, rb := above(-0.125, geom.Quat{})
				if ka == KindTriangle && kb == KindTriangle {
					a, b, ra, rb = above(0, geom.Quat{})
				}
				m := checkManifold(t, &a, &b, &ra, &rb, 0.01, 3)
				if isPolytope(ka) && (isPolytope(kb) || kb == KindHalfSpace) {
					want := 4
					if ka == KindTriangle || kb == KindTriangle {
						want = 3
					}
					assert.GreaterOrEqual(t, m.N, want)
					for _, c := range m.Contacts() {
						assert.InDelta(t, m.Points[0].Depth, c.Depth, 1e-6)
					}
				}
			})
			t.Run(name+"edge to edge", func(t *testing.T) {
				turn := geom.QuatAxisAngle(geom.V(0, 1, 0), 0.5).Mul(geom.QuatAxisAngle(geom.V(1, 0, 0), math.Pi/4))
				for _, gap := range []float64{0.6, 0.2} {
					a, b, ra, rb := above(gap, turn)
					checkPair(t, &a, &b, &ra, &rb)
				}
			})
			t.Run(name+"one in the other", func(t *testing.T) {
				for _, at := range []geom.Vec3{{}, {X: 0.1, Y: 0.2, Z: -0.1}} {
					a, ra := made(ka, geom.Transform{Position: at, Scale: geom.V(0.125, 0.125, 0.125)})
					b, rb := made(kb, geom.Transform{})
					checkPair(t, &a, &b, &ra, &rb)
					// And the large one of the first kind around the small one of the second.
					b, rb = made(kb, geom.Transform{Position: at, Scale: geom.V(0.125, 0.125, 0.125)})
					a, ra = made(ka, geom.Transform{})
					checkPair(t, &a, &b, &ra, &rb)
				}
			})
			t.Run(name+"same place", func(t *testing.T) {
				a, ra := made(ka, geom.Transform{})
				b, rb := made(kb, geom.Transform{})
				checkPair(t, &a, &b, &ra, &rb)
			})
			t.Run(name+"one is huge", func(t *testing.T) {
				a, ra := made(ka, geom.Transform{Position: geom.V(0, 1000, 0), Scale: geom.V(1000, 1000, 1000)})
				b, rb := made(kb, geom.Transform{Position: geom.V(3, 0, 7)})
				if isFlat(ka) {
					a, ra = made(ka, geom.Transform{Scale: geom.V(1000, 1000, 1000)})
				}
				checkPair(t, &a, &b, &ra, &rb)
			})
		}
	}
}

// checkPair compares with the reference, for a pair which may be apart or not.
func checkPair(t *testing.T, a, b *Shape, ra, rb *body) {
	t.Helper()
	size := max(a.size, b.size)
	want := largestGap(ra, rb)
	c := Distance(a, b, math.Inf(1))
	p, deep := Penetrate(a, b)
	got, n := c.Distance, c.Normal
	if deep {
		got, n = -p.Depth, p.Normal
	}
	// The direction proves that it is no less, and the reference, which finds no more than there
	// is, that it is no more.
	require.InDelta(t, got, gap(ra, rb, n), depthOff*size)
	require.GreaterOrEqual(t, got, want-wayOff*size)
	checkManifold(t, a, b, ra, rb, 0.01*size, size)
}

// Shapes without an extent collide as what is left of them.
func TestDegenerate(t *testing.T) {
	at := geom.V(0.3, 1.2, 0.1)
	id := geom.AffineIdentity()
	id.Origin = at
	point := body{points: []geom.DVec3{at.Wide()}}
	line := body{points: []geom.DVec3{at.Sub(geom.V(1, 0, 0)).Wide(), at.Add(geom.V(1, 0, 0)).Wide()}}
	flatBall := body{points: point.points, x: geom.DVec3{X: 1}, z: geom.DVec3{Z: 1}}
	for name, test := range map[string]struct {
		s Shape
		b body
	}{
		"sphere of radius 0":   {Sphere(geom.Sphere{Center: at}), point},
		"capsule of length 0":  {Capsule(geom.Capsule{A: at, B: at, Radius: 0.25}), body{points: point.points, radius: 0.25}},
		"capsule of radius 0":  {Capsule(geom.Capsule{A: line.points[0].Narrow(), B: line.points[1].Narrow()}), line},
		"box of no size":       {Box(geom.Box{Center: at}), point},
		"box that is a line":   {Box(geom.Box{Center: at, HalfExtents: geom.V(1, 0, 0)}), line},
		"aabb of no size":      {AABB(geom.AABB{Min: at, Max: at}), point},
		"triangle of no size":  {Triangle(geom.Triangle{A: at, B: at, C: at}), point},
		"triangle in a line":   {Triangle(geom.Triangle{A: line.points[0].Narrow(), B: at, C: line.points[1].Narrow()}), line},
		"flat ellipsoid":       {Ellipsoid(geom.Sphere{Radius: 1}, geom.Affine{X: geom.V(1, 0, 0), Z: geom.V(0, 0, 1), Origin: at}), flatBall},
		"ellipsoid of no size": {Ellipsoid(geom.Sphere{}, id), point},
	} {
		for _, k := range allKinds {
			for _, up := range []float32{0, 0.2, 0.5, 1.2, 1.25} {
				t.Run(name+"/"+kindName(k), func(t *testing.T) {
					s, b := made(k, geom.Transform{Position: geom.V(0, up, 0), Rotation: geom.QuatEuler(0.2, 0, 0.1)})
					require.False(t, test.s.IsEmpty())
					checkPair(t, &test.s, &s, &test.b, &b)
				})
			}
		}
	}
}

// turned returns a shape turned by a rotation about the origin and moved, in double precision.
func (s Shape) turned(x, y, z, by geom.DVec3) Shape {
	turn := func(v geom.DVec3) geom.DVec3 { return x.Mul(v.X).AddMul(v.Y, y).AddMul(v.Z, z) }
	s.p, s.e = turn(s.p), turn(s.e)
	if s.kind == KindTriangle {
		s.f = turn(s.f)
	}
	s.x, s.y, s.z = turn(s.x), turn(s.y), turn(s.z)
	s.u, s.v, s.w = turn(s.u), turn(s.v), turn(s.w)
	if s.kind == KindAABB {
		s.kind = KindBox
	}
	s.size *= 2
	return s.Moved(by)
}

// TestLineForATriangle asks how far a point is from triangles that are lines, whichever corners
// fall together.
func TestLineForATriangle(t *testing.T) {
	a, c := geom.V(-1, 1, 0), geom.V(0, 0, 0)
	mid := geom.V(-0.25, 0.25, 0)
	for _, p := range []geom.Vec3{a, c, mid} {
		for _, line := range []geom.Triangle{{A: a, B: a, C: c}, {A: a, B: c, C: c}, {A: a, B: c, C: a}, {A: a, B: mid, C: c}, {A: mid, B: c, C: a}} {
			x, y := Triangle(line), Sphere(geom.Sphere{Center: p})
			require.InDelta(t, 0, Distance(&x, &y, math.Inf(1)).Distance, 1e-12, "%v %v", line, p)
		}
	}
}

// A common turn and move change nothing but the place: distance and depth except for rounding,
// normals by 1e-5 where one way out is the shortest by more than rounding.
func TestRigidMotion(t *testing.T) {
	r := testenv.Rand(1, 1)
	same, all := 0, 0
	forPairs(t, 100, func(t *testing.T, a, b *Shape, ra, rb *body, size float64) {
		x, y, z := geom.Box{Rotation: randomTurn(r)}.Axes()
		by := randomVec(r).Wide().Mul(size)
		c, d := a.turned(x, y, z, by), b.turned(x, y, z, by)
		size *= 4
		before, after := Distance(a, b, math.Inf(1)), Distance(&c, &d, math.Inf(1))
		require.InDelta(t, before.Distance, after.Distance, promised*size)
		p, ok := Penetrate(a, b)
		q, moved := Penetrate(&c, &d)
		if !ok || !moved {
			require.InDelta(t, 0, p.Depth+q.Depth, unsure*size)
			return
		}
		if math.IsInf(p.Depth, 1) {
			require.True(t, math.IsInf(q.Depth, 1))
			return
		}
		require.InDelta(t, p.Depth, q.Depth, wayOff*size)
		all++
		n := x.Mul(p.Normal.X).AddMul(p.Normal.Y, y).AddMul(p.Normal.Z, z)
		if n.Dot(q.Normal) > 1-1e-5 {
			same++
		}
	})
	assert.Greater(t, float64(same), 0.98*float64(all), "the others have two shortest ways out")
}

// However wild the poses, nothing loops for long, and the bound on the steps is hardly ever
// reached.
func TestStepsAreBounded(t *testing.T) {
	most, sum, runs, unsure, expanded := 0, 0, 0, 0, 0
	forPairs(t, 200, func(t *testing.T, a, b *Shape, _, _ *body, size float64) {
		if b.kind == KindHalfSpace {
			return
		}
		g := searchOf(a, b)
		at := g.start(math.Inf(1), askDistance)
		most, sum, runs = max(most, g.steps), sum+g.steps, runs+1
		require.LessOrEqual(t, g.steps, maxSteps)
		if at == overlapping && a.kind != KindSphere && a.kind != KindCapsule {
			var p polytope
			_, sure := p.expand(&g, &minimum{})
			require.LessOrEqual(t, p.steps, maxPoints)
			expanded++
			if !sure && a.kind != KindRound && b.kind != KindRound {
				unsure++
			}
		}
	})
	t.Logf("%d searches of %.1f steps, %d at most; of %d expansions of polytopes %d ended early", runs, float64(sum)/float64(runs), most, expanded, unsure)
	assert.Less(t, most, maxSteps)
	assert.Less(t, float64(unsure), 0.01*float64(expanded))
}

// The distances and overlaps that other libraries' tests assert, of the shapes that are known here.
func TestVectors(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testenv.Data(t, "vectors"), "*.json"))
	require.NoError(t, err)
	type vec [3]float64
	type shape struct {
		Center, Min, Max, Half, A, B vec
		Quat                         [4]float64
		R                            float64
	}
	type answer struct {
		Dist, Dist2 *float64
		Overlap     *bool
		Side        string
	}
	type vectorCase struct {
		ID, Kind, Borderline string
		Disputed             bool
		Eps                  float64
		P, Q                 vec
		A, B, C              json.RawMessage
		T1, T2               *[3]vec
		Sphere, AABB, Box    *shape
		Plane                *struct {
			Normal vec
			D      float64
		}
		Expect, Ref answer
	}
	v := func(a vec) geom.Vec3 { return geom.V(float32(a[0]), float32(a[1]), float32(a[2])) }
	ball := func(s shape) Shape { return Sphere(geom.Sphere{Center: v(s.Center), Radius: float32(s.R)}) }
	aabb := func(s shape) Shape { return AABB(geom.AABB{Min: v(s.Min), Max: v(s.Max)}) }
	box := func(s shape) Shape {
		q := s.Quat
		return Box(geom.Box{Center: v(s.Center), HalfExtents: v(s.Half), Rotation: geom.Quat{X: float32(q[0]), Y: float32(q[1]), Z: float32(q[2]), W: float32(q[3])}})
	}
	tri := func(c [3]vec) Shape { return Triangle(geom.Triangle{A: v(c[0]), B: v(c[1]), C: v(c[2])}) }
	point := func(p vec) Shape { return Sphere(geom.Sphere{Center: v(p)}) }
	behind := func(n vec, d float64) Shape {
		v := geom.DVec3{X: n[0], Y: n[1], Z: n[2]}
		return HalfSpace(v, v.Mul(-d/v.Dot(v)))
	}
	decode := func(raw json.RawMessage, to any) { require.NoError(t, json.Unmarshal(raw, to)) }
	done := map[string]int{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		var all struct{ Cases []json.RawMessage }
		require.NoError(t, json.Unmarshal(data, &all))
		for _, raw := range all.Cases {
			var c vectorCase
			if json.Unmarshal(raw, &c) != nil || c.Disputed {
				continue
			}
			var a, b Shape
			var sa, sb shape
			var pa, pb, pc vec
			switch c.Kind {
			case "distance-point-point":
				a, b = point(c.P), point(c.Q)
			case "distance-point-segment":
				decode(c.A, &pa)
				decode(c.B, &pb)
				a, b = point(c.P), Capsule(geom.Capsule{A: v(pa), B: v(pb)})
			case "distance-point-aabb":
				a, b = point(c.P), aabb(*c.AABB)
			case "distance2-point-box":
				a, b = point(c.P), box(*c.Box)
			case "overlap-sphere-aabb":
				a, b = ball(*c.Sphere), aabb(*c.AABB)
			case "overlap-sphere-box":
				a, b = ball(*c.Sphere), box(*c.Box)
			case "overlap-sphere-sphere":
				decode(c.A, &sa)
				decode(c.B, &sb)
				a, b = ball(sa), ball(sb)
			case "overlap-aabb-aabb":
				decode(c.A, &sa)
				decode(c.B, &sb)
				a, b = aabb(sa), aabb(sb)
			case "overlap-triangle-aabb":
				decode(c.A, &pa)
				decode(c.B, &pb)
				decode(c.C, &pc)
				a, b = tri([3]vec{pa, pb, pc}), aabb(*c.AABB)
			case "overlap-triangle-triangle":
				a, b = tri(*c.T1), tri(*c.T2)
			case "distance-point-plane":
				a, b = point(c.P), behind(c.Plane.Normal, c.Plane.D)
			case "distance-sphere-plane":
				a, b = ball(*c.Sphere), behind(c.Plane.Normal, c.Plane.D)
			case "overlap-sphere-plane":
				a, b = ball(*c.Sphere), behind(c.Plane.Normal, c.Plane.D)
			case "overlap-aabb-plane":
				a, b = aabb(*c.AABB), behind(c.Plane.Normal, c.Plane.D)
			case "overlap-box-plane":
				a, b = box(*c.Box), behind(c.Plane.Normal, c.Plane.D)
			default:
				continue
			}
			done[c.Kind]++
			if c.Plane != nil {
				// A half-space is all that is behind the plane, so it is apart from what is in
				// front and overlaps all else.
				if c.Ref.Side != "" && c.Borderline == "" {
					assert.Equal(t, c.Ref.Side != "inside", Overlaps(&a, &b), c.ID)
				}
				if c.Ref.Dist != nil {
					d := Distance(&a, &b, math.Inf(1)).Distance
					if p, deep := Penetrate(&a, &b); deep {
						d = -p.Depth
					}
					assert.InDelta(t, *c.Ref.Dist, d, max(c.Eps, 1e-6)*max(1, math.Abs(*c.Ref.Dist)), c.ID)
				}
				continue
			}
			want := c.Expect
			if want.Dist == nil && want.Dist2 == nil && want.Overlap == nil {
				want = c.Ref
			}
			d := Distance(&a, &b, math.Inf(1)).Distance
			if want.Dist != nil {
				assert.InDelta(t, *want.Dist, d, max(c.Eps, 1e-6)*max(1, *want.Dist), c.ID)
			}
			if want.Dist2 != nil {
				assert.InDelta(t, *want.Dist2, d*d, max(c.Eps, 1e-6)*max(1, *want.Dist2), c.ID)
			}
			if want.Overlap != nil && c.Borderline == "" {
				assert.Equal(t, *want.Overlap, Overlaps(&a, &b), c.ID)
				assert.Equal(t, *want.Overlap, d == 0, c.ID)
			}
		}
	}
	t.Log(strings.TrimPrefix(fmt.Sprint(done), "map"))
	assert.Greater(t, len(done), 13)
}

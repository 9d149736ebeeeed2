package narrow

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
)

// checkManifold asserts all that is true of every manifold.
func checkManifold(t require.TestingT, a, b *Shape, ra, rb *body, margin, size float64) Manifold {
	m := Collide(a, b, margin)
	if a.kind == KindHalfSpace && b.kind == KindHalfSpace {
		require.Zero(t, m.N)
		return m
	}
	p, deep := Penetrate(a, b)
	d := Distance(a, b, margin)
	require.Equal(t, deep || d.Distance <= margin, m.N > 0)
	if m.N == 0 {
		require.Equal(t, Manifold{}, m)
		return m
	}
	require.InDelta(t, 1, m.Normal.Len(), unitOff)
	deepest := m.Points[m.Deepest()].Depth
	if deep {
		require.InDelta(t, p.Depth, deepest, (sameDepth+unsure)*size)
		require.Equal(t, p.Normal, m.Normal)
	} else {
		require.InDelta(t, -d.Distance, deepest, (sameDepth+unsure)*size)
	}
	require.InDelta(t, -deepest, gap(ra, rb, m.Normal), depthOff*size)
	for i, c := range m.Contacts() {
		require.GreaterOrEqual(t, c.Depth, -margin-sameDepth*size)
		require.InDelta(t, 0, c.PointA.Sub(c.PointB).AddMul(-c.Depth, m.Normal).Len(), summed*size)
		most := wayOff * size
		if c.FeatureA.IsEdge() && c.FeatureB.IsVertex() || c.FeatureA.IsVertex() && c.FeatureB.IsEdge() {
			most += asideOff(a, b, ra, rb, deepest)
		}
		require.LessOrEqual(t, ra.outside(c.PointA), most)
		require.LessOrEqual(t, rb.outside(c.PointB), most)
		for _, e := range m.Contacts()[:i] {
			require.False(t, c.FeatureA == e.FeatureA && c.FeatureB == e.FeatureB, "%v %v", c.FeatureA, c.FeatureB)
		}
	}
	return m
}

func TestManifolds(t *testing.T) {
	testenv.NoRace(t)
	counts := map[string][5]int{}
	forPairs(t, 200, func(t *testing.T, a, b *Shape, ra, rb *body, size float64) {
		m := checkManifold(t, a, b, ra, rb, 0.05*size, size)
		k := kindName(a.kind) + "-" + kindName(b.kind)
		c := counts[k]
		c[m.N]++
		counts[k] = c
	})
	for k, c := range counts {
		t.Log(k, c)
	}
}

// Boxes of walls lie beside and on each other, all but parallel. There the deepest contact is often
// where two edges cross whose axis is hardly better than that of a face.
func TestManifoldsOfWalls(t *testing.T) {
	testenv.NoRace(t)
	r := testenv.Rand(41, 42)
	box := func(at geom.Vec3, h geom.Vec3, turn geom.Quat) (Shape, body) {
		b := geom.Box{Center: at, HalfExtents: h, Rotation: turn}
		x, y, z := b.Axes()
		return Box(b), body{points: cornersOf(h.Wide().Neg(), h.Wide(), func(p geom.DVec3) geom.DVec3 {
			return at.Wide().AddMul(p.X, x).AddMul(p.Y, y).AddMul(p.Z, z)
		})}
	}
	apart, deep := 0, 0
	for range 6000 {
		little := func() float32 { return (r.Float32() - 0.5) * 0.02 }
		tilted := func() geom.Quat { return geom.QuatEuler(float64(little()), float64(little()), float64(little())) }
		at := geom.V(r.Float32(), r.Float32(), r.Float32()).Mul([]float32{1, 100, 1000}[r.IntN(3)])
		way := [3]float32{little(), little(), little()}
		way[r.IntN(3)] += 1
		if r.IntN(2) == 0 {
			way[r.IntN(3)] += 0.5
		}
		a, ra := box(at, geom.V(0.5, 0.5, 0.5), tilted())
		b, rb := box(at.Add(geom.V(way[0], way[1], way[2])), geom.V(0.5, 0.5, 0.5), tilted())
		size := max(a.size, b.size)
		var x boxAxes
		touch := x.find(&a, &b, 0.02)
		if touch && x.axis >= 6 && x.axis%4 == 2 {
			continue // edges along the same axis of both, closer to parallel than unitOff allows
		}
		checkManifold(t, &a, &b, &ra, &rb, 0.02, size)
		switch {
		case !touch || x.close == 0:
		case x.most > 0:
			apart++
		default:
			deep++
		}
	}
	testenv.Drawn(t, apart, 300)
	testenv.Drawn(t, deep, 300)
}

// The contacts of boxes along the axes of the world are those that clipping finds for the same
// faces, in any order. Places on a grid let faces, edges and corners lie over each other exactly.
func TestManifoldsOfAlignedBoxes(t *testing.T) {
	r := testenv.Rand(43, 44)
	places := func(m *Manifold) map[[2]Feature]ContactPoint {
		of := map[[2]Feature]ContactPoint{}
		for _, c := range m.Contacts() {
			of[[2]Feature{c.FeatureA, c.FeatureB}] = c
		}
		require.Len(t, of, m.N)
		return of
	}
	drawn := 0
	for range 3000 {
		grid := func(n int) geom.Vec3 {
			return geom.V(float32(r.IntN(n)), float32(r.IntN(n)), float32(r.IntN(n))).Mul(0.25)
		}
		box := func() Shape {
			at := grid(9).Add(geom.V(r.Float32(), r.Float32(), r.Float32()).Mul(float32(r.IntN(2))))
			return AABB(geom.AABBAround(at, grid(6)))
		}
		a, b := box(), box()
		if !before(&a, &b) {
			a, b = b, a
		}
		var x boxAxes
		var f, g Finder
		if !x.findAligned(&a, &b) || x.most > 0.1 || !f.aligned(&a, &b, &x) {
			continue
		}
		drawn++
		g.fill(&a, &b, &relation{n: x.n}, math.Inf(1))
		require.Equal(t, g.Normal, f.Normal)
		want := places(&g.Manifold)
		for k, c := range places(&f.Manifold) {
			w, ok := want[k]
			require.True(t, ok, "%v and %v are %v, want %v", a.Bounds(), b.Bounds(), k, want)
			near := 16 * 0x1p-53 * (a.size + b.size) // the roundings of a few sums of coordinates
			require.InDelta(t, w.Depth, c.Depth, near)
			require.InDelta(t, 0, w.PointA.Sub(c.PointA).Len()+w.PointB.Sub(c.PointB).Len(), 4*near)
		}
		require.Len(t, want, f.N)
	}
	testenv.Drawn(t, drawn, 300)
}

// A pair and the pair exchanged give the same answer to the last bit.
func TestSymmetry(t *testing.T) {
	testenv.NoRace(t)
	forPairs(t, 200, func(t *testing.T, a, b *Shape, _, _ *body, size float64) {
		m, n := Collide(a, b, 0.05*size), Collide(b, a, 0.05*size)
		n.flip()
		if n.N == 0 {
			n = Manifold{}
		}
		require.Equal(t, m, n)
		c, d := Distance(a, b, math.Inf(1)), Distance(b, a, math.Inf(1))
		d.PointA, d.PointB, d.Normal = d.PointB, d.PointA, d.Normal.Neg()
		require.Equal(t, c, d)
		p, ok1 := Penetrate(a, b)
		q, ok2 := Penetrate(b, a)
		require.Equal(t, ok1, ok2)
		if ok1 {
			q.PointA, q.PointB, q.Normal = q.PointB, q.PointA, q.Normal.Neg()
			require.Equal(t, p, q)
		}
		require.Equal(t, Overlaps(a, b), Overlaps(b, a))
	})
}

func TestNothing(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	one, id := geom.V(1, 1, 1), geom.AffineIdentity()
	ball := Sphere(geom.Sphere{Radius: 1e9})
	for name, s := range map[string]Shape{
		"zero":          {},
		"sphere":        Sphere(geom.Sphere{Radius: -1}),
		"sphere afar":   Sphere(geom.Sphere{Center: geom.V(inf, 0, 0), Radius: 1}),
		"capsule":       Capsule(geom.Capsule{A: geom.V(nan, 0, 0), Radius: 1}),
		"aabb":          AABB(geom.EmptyAABB()),
		"endless aabb":  AABB(geom.AABB{Min: geom.V(-inf, 0, 0)}),
		"box":           Box(geom.Box{HalfExtents: geom.V(1, -1, 1)}),
		"triangle":      Triangle(geom.Triangle{A: geom.V(0, nan, 0)}),
		"half-space":    HalfSpace(geom.DVec3{}, geom.DVec3{}),
		"half-space ∞":  HalfSpace(geom.DVec3{X: 1}, geom.DVec3{Y: math.Inf(1)}),
		"sheared, flat": ShearedBox(geom.Box{HalfExtents: one}, geom.Affine{X: geom.V(1, 0, 0), Y: geom.V(1, 0, 0), Z: geom.V(0, 0, 1)}),
		"sheared, NaN":  ShearedBox(geom.Box{HalfExtents: one}, geom.Affine{X: geom.V(nan, 0, 0), Y: geom.V(0, 1, 0), Z: geom.V(0, 0, 1)}),
		"sheared, half": ShearedBox(geom.Box{HalfExtents: geom.V(1, -1, 1)}, id),
		"hull, flat":    Hull(hulls[0], geom.Affine{}),
		"hull, empty":   Hull(new(hull.Hull), id),
		"ellipsoid":     Ellipsoid(geom.Sphere{Radius: 1}, geom.Affine{Origin: geom.V(nan, 0, 0)}),
		"ellipsoid −":   Ellipsoid(geom.Sphere{Radius: -1}, id),
		"capsule −":     ScaledCapsule(geom.Capsule{Radius: -1}, id),
	} {
		t.Run(name, func(t *testing.T) {
			if s.kind != kindCloud { // for casts alone
				assert.True(t, s.IsEmpty())
				assert.True(t, s.Bounds().IsEmpty())
			}
			assert.False(t, Overlaps(&s, &ball))
			assert.Equal(t, Closest{Distance: math.Inf(1)}, Distance(&ball, &s, math.Inf(1)))
			_, ok := Penetrate(&s, &ball)
			assert.False(t, ok)
			assert.Equal(t, Manifold{}, Collide(&ball, &s, 1))
		})
	}
}

// A map that turns and scales evenly makes no ellipsoid of a ball.
func TestRoundBecomesSphere(t *testing.T) {
	s := Ellipsoid(geom.Sphere{Center: geom.V(1, 0, 0), Radius: 2}, geom.Transform{Position: geom.V(0, 5, 0), Scale: geom.V(-3, 3, 3)}.Affine())
	assert.Equal(t, Sphere(geom.Sphere{Center: geom.V(-3, 5, 0), Radius: 6}), s)
	c := ScaledCapsule(geom.Capsule{B: geom.V(0, 1, 0), Radius: 2}, geom.AffineIdentity())
	assert.Equal(t, Capsule(geom.Capsule{B: geom.V(0, 1, 0), Radius: 2}), c)
	point := Capsule(geom.Capsule{Radius: 1})
	assert.Equal(t, KindSphere, point.kind)
}

func TestBounds(t *testing.T) {
	r := testenv.Rand(1, 2)
	for _, k := range allKinds[:len(allKinds)-1] {
		for range 100 {
			s, b := randomShape(r, k, 1, 3, 5)
			box := s.Bounds()
			for i, d := range []geom.DVec3{{X: 1}, {Y: 1}, {Z: 1}} {
				a := geom.Axis(i)
				require.InDelta(t, b.reach(d), float64(box.Max.Axis(a)), 1e-5)
				require.InDelta(t, -b.reach(d.Neg()), float64(box.Min.Axis(a)), 1e-5)
				require.GreaterOrEqual(t, float64(box.Max.Axis(a)), b.reach(d))
				require.LessOrEqual(t, float64(box.Min.Axis(a)), -b.reach(d.Neg()))
			}
		}
	}
	plane := HalfSpace(geom.DVec3{X: 1}, geom.DVec3{})
	assert.False(t, plane.Bounds().Max.IsFinite())
}

func TestAllocatesNothing(t *testing.T) {
	r := testenv.Rand(7, 8)
	for _, ka := range allKinds {
		for _, kb := range allKinds {
			mb := randomPose(r, 1, 0.3, 2)
			a, _ := randomShape(r, ka, 1, 0.3, 2)
			b, _ := randomShape(r, kb, 1, 0.3, 2)
			testenv.AllocatesNothing(t, 5, func() {
				h := Hull(hulls[0], mb)
				Collide(&a, &b, 0.1)
				Collide(&a, &h, 0.1)
				Distance(&a, &b, math.Inf(1))
				Penetrate(&a, &b)
				Overlaps(&a, &b)
			}, kindName(ka)+"-"+kindName(kb))
		}
	}
}

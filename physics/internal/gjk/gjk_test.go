package gjk

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
)

var identity = geom.AffineIdentity()

func scaled(x, y, z float32) geom.Affine {
	return geom.Transform{Scale: geom.V(x, y, z)}.Affine()
}

func moved(m geom.Affine, by geom.Vec3) geom.Affine {
	m.Origin = m.Origin.Add(by)
	return m
}

func TestDistance(t *testing.T) {
	unit := geom.V(1, 1, 1)
	sheared := geom.Affine{X: geom.V(1, 0, 0), Y: geom.V(1, 1, 0), Z: geom.V(0, 0, 1)}
	tests := []struct {
		name string
		a, b Support
		want float64
	}{
		{"points", Point(geom.V(1, 2, 3)), Point(geom.V(1, 5, 7)), 5},
		{"same point", Point(geom.V(1, 2, 3)), Point(geom.V(1, 2, 3)), 0},
		{"point and segment, beside", Point(geom.V(0, 3, 0)), Segment(geom.V(-1, 0, 0), geom.V(1, 0, 0)), 3},
		{"point and segment, beyond an end", Point(geom.V(5, 3, 0)), Segment(geom.V(-1, 0, 0), geom.V(1, 0, 0)), 5},
		{"crossing segments", Segment(geom.V(-1, 0, 0), geom.V(1, 0, 0)), Segment(geom.V(0, -1, 0), geom.V(0, 1, 0)), 0},
		{"skew segments", Segment(geom.V(-1, 0, 0), geom.V(1, 0, 0)), Segment(geom.V(0, -1, 2), geom.V(0, 1, 2)), 2},
		{"parallel segments", Segment(geom.V(-1, 0, 0), geom.V(1, 0, 0)), Segment(geom.V(-4, 1, 0), geom.V(4, 1, 0)), 1},
		{"point in a triangle", Point(geom.V(1, 1, 0)), Triangle(geom.V(0, 0, 0), geom.V(4, 0, 0), geom.V(0, 4, 0)), 0},
		{"point over a triangle", Point(geom.V(1, 1, 2)), Triangle(geom.V(0, 0, 0), geom.V(4, 0, 0), geom.V(0, 4, 0)), 2},
		{"flat triangle", Point(geom.V(1, 1, 0)), Triangle(geom.V(0, 0, 0), geom.V(1, 0, 0), geom.V(4, 0, 0)), 1},
		{"spheres", Sphere(geom.V(0, 0, 0), 1), Sphere(geom.V(5, 0, 0), 2), 2},
		{"spheres touch", Sphere(geom.V(0, 0, 0), 1), Sphere(geom.V(3, 0, 0), 2), 0},
		{"concentric spheres", Sphere(geom.V(0, 0, 0), 1), Sphere(geom.V(0, 0, 0), 2), 0},
		{"boxes, face to face", Box(unit, identity), Box(unit, moved(identity, geom.V(5, 0, 0))), 3},
		{"boxes, corner to corner", Box(unit, identity), Box(unit, moved(identity, geom.V(3, 3, 3))), math.Sqrt(3)},
		{"boxes touch in a face", Box(unit, identity), Box(unit, moved(identity, geom.V(2, 0.5, 0))), 0},
		{"boxes touch in an edge", Box(unit, identity), Box(unit, moved(identity, geom.V(2, 2, 0))), 0},
		{"boxes touch in a corner", Box(unit, identity), Box(unit, moved(identity, geom.V(2, 2, 2))), 0},
		{"box in a box", Box(unit, identity), Box(geom.V(9, 9, 9), moved(identity, geom.V(1, 1, 1))), 0},
		{"flat boxes cross", Box(geom.V(1, 1, 0), identity), Box(geom.V(0, 1, 1), identity), 0},
		{"aabb", AABB(geom.AABB{Min: geom.V(1, 2, 3), Max: geom.V(2, 3, 4)}), Point(geom.V(0, 0, 3)), math.Sqrt(5)},
		{"sheared box", Box(unit, sheared), Point(geom.V(3, 1, 0)), 1},
		{"ellipsoid, along its long axis", Ellipsoid(geom.V(0, 0, 0), 1, scaled(3, 1, 1)), Point(geom.V(5, 0, 0)), 2},
		{"ellipsoid, along its short axis", Ellipsoid(geom.V(0, 0, 0), 1, scaled(3, 1, 1)), Point(geom.V(0, 0, 5)), 4},
		{"point in an ellipsoid", Ellipsoid(geom.V(0, 0, 0), 1, scaled(3, 1, 1)), Point(geom.V(2, 0.5, 0)), 0},
		{"ellipsoids", Ellipsoid(geom.V(0, 0, 0), 1, scaled(3, 1, 1)), Ellipsoid(geom.V(8, 0, 0), 0.5, scaled(1, 4, 4)), 4.5},
		{"flat ellipsoid", Ellipsoid(geom.V(0, 0, 0), 1, scaled(3, 1, 0)), Point(geom.V(0, 0, 5)), 5},
		{"capsule", Capsule(geom.V(0, -1, 0), geom.V(0, 1, 0), 0.5, identity), Point(geom.V(0, 3, 0)), 1.5},
		{"capsules crossed", Capsule(geom.V(0, -1, 0), geom.V(0, 1, 0), 0.5, identity),
			Capsule(geom.V(-1, 0, 3), geom.V(1, 0, 3), 0.5, identity), 2},
		{"scaled capsule, at its side", Capsule(geom.V(0, -1, 0), geom.V(0, 1, 0), 0.5, scaled(4, 1, 1)), Point(geom.V(5, 0, 0)), 3},
		{"scaled capsule, at its end", Capsule(geom.V(0, -1, 0), geom.V(0, 1, 0), 0.5, scaled(4, 1, 1)), Point(geom.V(0, 3, 0)), 1.5},
		{"large coordinates", Box(unit, moved(identity, geom.V(1e6, 1e6, 0))), Box(unit, moved(identity, geom.V(1e6+4, 1e6, 0))), 2},
		{"small coordinates", Sphere(geom.V(0, 0, 0), 1e-4), Point(geom.V(0, 0, 3e-4)), 2e-4},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, pair := range [][2]Support{{test.a, test.b}, {test.b, test.a}} {
				d, pa, pb := Distance(pair[0], pair[1])
				assert.InDelta(t, test.want, d, 1e-6*test.want)
				assert.InDelta(t, d, pa.Sub(pb).Len(), 1e-12)
				assert.Equal(t, test.want == 0, d == 0, "0 means touching, and nothing else does")
				assert.Equal(t, test.want == 0, Overlaps(pair[0], pair[1]))
			}
		})
	}
}

func TestEmptyBodies(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	bad := geom.Affine{X: geom.V(nan, 0, 0)}
	far := geom.Affine{Origin: geom.V(inf, 0, 0)}
	tests := map[string]Support{
		"zero value":          {},
		"hull of nothing":     Hull(nil, 1),
		"hull with NaN":       Hull([]geom.DVec3{{}, {Y: 1}, {Z: math.NaN()}}, 0),
		"hull of margin −":    Hull([]geom.DVec3{{}}, -1),
		"empty hull":          Polyhedron(&hull.Hull{}, identity),
		"hull in a NaN map":   Polyhedron(corner, bad),
		"hull afar":           Polyhedron(corner, far),
		"NaN point":           Point(geom.V(nan, 0, 0)),
		"infinite triangle":   Triangle(geom.V(0, 0, 0), geom.V(inf, 0, 0), geom.V(0, 1, 0)),
		"negative radius":     Sphere(geom.V(0, 0, 0), -1),
		"NaN radius":          Sphere(geom.V(0, 0, 0), nan),
		"oriented box":        OrientedBox(geom.Box{HalfExtents: geom.V(1, 1, 1), Rotation: geom.Quat{X: nan}}),
		"negative half":       Box(geom.V(1, -1, 1), identity),
		"NaN half":            Box(geom.V(1, nan, 1), identity),
		"NaN map":             Box(geom.V(1, 1, 1), bad),
		"inverted AABB":       AABB(geom.EmptyAABB()),
		"infinite AABB":       AABB(geom.AABB{Max: geom.V(inf, 1, 1)}),
		"negative ellipsoid":  Ellipsoid(geom.V(0, 0, 0), -1, scaled(1, 2, 3)),
		"ellipsoid afar":      Ellipsoid(geom.V(0, 0, 0), 1, far),
		"capsule with NaN":    Capsule(geom.V(0, 0, 0), geom.V(0, nan, 0), 1, identity),
		"capsule of radius −": Capsule(geom.V(0, 0, 0), geom.V(0, 1, 0), -1, identity),
	}
	everywhere := Box(geom.V(1e9, 1e9, 1e9), identity)
	for name, s := range tests {
		t.Run(name, func(t *testing.T) {
			assert.True(t, s.IsEmpty())
			d, pa, pb := Distance(s, everywhere)
			assert.True(t, math.IsInf(d, 1))
			assert.True(t, math.IsNaN(pa.X) && math.IsNaN(pb.Z))
			assert.False(t, Overlaps(everywhere, s))
		})
	}
}

func mustHull(points []geom.Vec3) *hull.Hull {
	h, err := hull.New(points)
	if err != nil {
		panic(err)
	}
	return h
}

var corner = mustHull([]geom.Vec3{{X: 1}, {Y: 1}, {Z: 1}, {}})

// randomBody draws one of all kinds, with sizes around 1, places some spread apart and axes that differ up to aspect.
func randomBody(r *rand.Rand, spread, aspect float64) Support {
	f := func() float32 { return float32(r.NormFloat64()) }
	v := func() geom.Vec3 { return geom.V(f(), f(), f()) }
	e := func() float32 { return float32(math.Exp((r.Float64() - 0.5) * math.Log(aspect))) }
	at := v().Mul(float32(spread))
	m := geom.Transform{Position: at, Rotation: geom.Quat{X: f(), Y: f(), Z: f(), W: f()}, Scale: geom.V(e(), e(), e())}.Affine()
	if r.IntN(2) == 0 { // a shear
		m = geom.Transform{Scale: geom.V(e(), e(), e())}.Affine().Mul(m)
	}
	switch r.IntN(10) {
	case 0:
		return Point(at)
	case 1:
		return Segment(at, at.Add(v()))
	case 2:
		return Triangle(at, at.Add(v()), at.Add(v()))
	case 3:
		return Sphere(at, abs32(f()))
	case 4:
		return Box(v().Abs(), m)
	case 5:
		return Ellipsoid(v(), abs32(f()), m)
	case 6:
		return Capsule(v(), v(), abs32(f()), m)
	case 7:
		points := make([]geom.DVec3, 1+r.IntN(20))
		for i := range points {
			points[i] = at.Add(v()).Wide()
		}
		return Hull(points, math.Abs(r.NormFloat64())*float64(r.IntN(2)))
	case 8:
		points := make([]geom.Vec3, 6+r.IntN(100))
		for i := range points {
			points[i] = v().Normalize() // so that some hulls have more vertices than are looked at one by one
		}
		return Polyhedron(mustHull(points), m)
	}
	return AABB(geom.AABBAround(at, v().Abs()))
}

func abs32(x float32) float32 { return float32(math.Abs(float64(x))) }

// outside returns how far, at the least, p is outside the body: no more than 0 if it is inside as far as some hundred
// directions tell.
func outside(s *Support, p geom.DVec3, r *rand.Rand) float64 {
	most := math.Inf(-1)
	for range 100 {
		n := geom.DVec3{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}.Normalize()
		most = max(most, p.Dot(n)-s.Reach(n))
	}
	return most
}

// A box is the hull of its corners.
func TestHullOfABox(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		b := randomBody(r, 2, 10)
		for b.kind != box {
			b = randomBody(r, 2, 10)
		}
		var corners []geom.DVec3
		for i := range 8 {
			s := func(bit int) float64 { return float64(2*(i>>bit&1) - 1) }
			corners = append(corners, b.a.AddMul(s(0), b.x).AddMul(s(1), b.y).AddMul(s(2), b.z))
		}
		hull, other := Hull(corners, b.margin), randomBody(r, 2, 10)
		want, _, _ := Distance(b, other)
		got, _, _ := Distance(hull, other)
		require.InDelta(t, want, got, 1e-9)
		n := geom.DVec3{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}.Normalize()
		require.InDelta(t, b.Reach(n), hull.Reach(n), 1e-12)
	}
}

// A polyhedron is the hull of its vertices where they are in the world.
func TestPolyhedronIsTheHullOfItsVertices(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 300 {
		p := randomBody(r, 2, 10)
		for p.kind != polyhedron {
			p = randomBody(r, 2, 10)
		}
		var corners []geom.DVec3
		for _, v := range p.solid.Vertices() {
			corners = append(corners, p.b.AddMul(float64(v.X), p.x).AddMul(float64(v.Y), p.y).AddMul(float64(v.Z), p.z))
		}
		same, other := Hull(corners, 0), randomBody(r, 2, 10)
		want, _, _ := Distance(same, other)
		got, _, _ := Distance(p, other)
		require.InDelta(t, want, got, 1e-9)
		require.Equal(t, Overlaps(same, other), Overlaps(p, other))
		n := geom.DVec3{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}.Normalize()
		require.InDelta(t, same.Reach(n), p.Reach(n), 1e-12)
		require.GreaterOrEqual(t, extent(&p), extent(&same)*(1-1e-12))
	}
}

// An answer proves itself: points in the bodies that are d apart say that the distance is no more, and two parallel
// planes d apart, with a body behind each, that it is no less. This also bounds the steps, and is where the figures in
// the documentation come from.
func TestDistanceProvesItself(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	worst, most := 0.0, 0
	for _, spread := range []float64{0.1, 1, 10, 1000} {
		for _, aspect := range []float64{1, 10, 1000} {
			for range 2500 {
				a, b := randomBody(r, spread, aspect), randomBody(r, spread, aspect)
				d, pa, pb, steps := search(&a, &b, math.Inf(1))
				most = max(most, steps)
				size := max(extent(&a), extent(&b))
				require.LessOrEqual(t, outside(&a, pa, r), 1e-12*size)
				require.LessOrEqual(t, outside(&b, pb, r), 1e-12*size)
				require.Equal(t, d == 0, Overlaps(a, b))
				if d == 0 {
					require.Equal(t, pa, pb)
					continue
				}
				require.InDelta(t, d, pa.Sub(pb).Len(), 1e-12*size)
				n := pb.Sub(pa).Normalize()
				gap := -b.Reach(n.Neg()) - a.Reach(n)
				worst = max(worst, (d-gap)/size)
				back, _, _ := Distance(b, a)
				require.InDelta(t, d, back, 1e-7*size)
			}
		}
	}
	t.Logf("%d steps at the most; distances proved to %.1e of the largest coordinate", most, worst)
	assert.Less(t, worst, 1e-7)
	assert.Less(t, most, maxIterations, "the search ends by itself")
}

// The closed forms of geom are an oracle for all that they cover.
func TestDistanceAgreesWithFormulas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.Float32Range(-10, 10)
		v := func(name string) geom.Vec3 {
			return geom.V(f.Draw(t, name+".x"), f.Draw(t, name+".y"), f.Draw(t, name+".z"))
		}
		p, radius := v("p"), rapid.Float32Range(0, 5).Draw(t, "radius")
		rotation := geom.Quat{X: f.Draw(t, "qx"), Y: f.Draw(t, "qy"), Z: f.Draw(t, "qz"), W: f.Draw(t, "qw")}
		sphere := geom.Sphere{Center: v("a"), Radius: radius}
		capsule := geom.Capsule{A: v("a"), B: v("b"), Radius: radius}
		box := geom.Box{Center: v("c"), HalfExtents: v("half").Abs(), Rotation: rotation}
		aabb := geom.AABBAround(box.Center, box.HalfExtents)
		triangle := geom.Triangle{A: v("a"), B: v("b"), C: v("c")}
		for _, pair := range []struct {
			name string
			got  Support
			want float32
		}{
			{"sphere", Sphere(sphere.Center, radius), sphere.Distance(p)},
			{"capsule", Capsule(capsule.A, capsule.B, radius, identity), capsule.Distance(p)},
			{"box", OrientedBox(box), box.Distance(p)},
			{"box in a map", Box(box.HalfExtents, geom.Transform{Position: box.Center, Rotation: rotation}.Affine()), box.Distance(p)},
			{"aabb", AABB(aabb), aabb.Distance(p)},
			{"triangle", Triangle(triangle.A, triangle.B, triangle.C), triangle.Distance(p)},
			{"segment", Segment(triangle.A, triangle.B), geom.DistanceToSegment(triangle.A, triangle.B, p)},
		} {
			d, _, _ := Distance(Point(p), pair.got)
			assert.InDelta(t, float64(pair.want), d, 1e-5, pair.name) // single precision of the box's axes
		}
	})
}

// ellipsoidDistance finds the point of the ellipsoid with the half axes e nearest to p by bisecting for the multiplier at
// which the foot e²p/(t + e²) lies on the surface (Eberly 2013, "Distance from a Point to an Ellipsoid").
func ellipsoidDistance(e, p geom.DVec3) float64 {
	foot := func(t float64) geom.DVec3 {
		return geom.DVec3{X: e.X * e.X * p.X / (t + e.X*e.X), Y: e.Y * e.Y * p.Y / (t + e.Y*e.Y), Z: e.Z * e.Z * p.Z / (t + e.Z*e.Z)}
	}
	level := func(x geom.DVec3) float64 { return geom.DVec3{X: x.X / e.X, Y: x.Y / e.Y, Z: x.Z / e.Z}.Len() }
	if level(p) <= 1 {
		return 0
	}
	lo, hi := 0.0, p.Len()*max(e.X, e.Y, e.Z)
	for range 200 {
		if mid := (lo + hi) / 2; level(foot(mid)) > 1 {
			lo = mid
		} else {
			hi = mid
		}
	}
	return foot(hi).Sub(p).Len()
}

func TestEllipsoidDistance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, g := rapid.Float32Range(-20, 20), rapid.Float32Range(0.01, 10)
		p := geom.V(f.Draw(t, "x"), f.Draw(t, "y"), f.Draw(t, "z"))
		e := geom.V(g.Draw(t, "a"), g.Draw(t, "b"), g.Draw(t, "c"))
		want := ellipsoidDistance(e.Wide(), p.Wide())
		d, _, _ := Distance(Point(p), Ellipsoid(geom.Vec3{}, 1, scaled(e.X, e.Y, e.Z)))
		assert.InDelta(t, want, d, 1e-9)
	})
}

// What is furthest must be further than any other point of the body: here, a few hundred images of points of the unit
// shape, each made without the code under test.
func TestFurthest(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	n := func() float64 { return r.NormFloat64() }
	for range 300 {
		m := geom.Affine{X: geom.V(float32(n()), float32(n()), float32(n())), Y: geom.V(float32(n()), 0, float32(n())),
			Z: geom.V(0, float32(n()), float32(n())), Origin: geom.V(1, 2, 3)}
		a, b := geom.V(float32(n()), 0, 0), geom.V(0, float32(n()), float32(n()))
		box, capsule := Box(geom.V(1, 2, 3), m), Capsule(a, b, 2, m)
		dir := geom.DVec3{X: n(), Y: n(), Z: n()}.Normalize()
		top, cap := math.Inf(-1), math.Inf(-1)
		for i := range 8 {
			corner := geom.V(float32(i&1*2-1), float32(i&2*2-2), float32(i>>2*6-3))
			top = max(top, m.Point(corner).Wide().Dot(dir))
		}
		for range 2000 {
			u := geom.DVec3{X: n(), Y: n(), Z: n()}.Normalize().Mul(2).Narrow()
			cap = max(cap, m.Point(a.Add(u)).Wide().Dot(dir), m.Point(b.Add(u)).Wide().Dot(dir))
		}
		assert.InDelta(t, top, box.Reach(dir), 1e-5)
		assert.GreaterOrEqual(t, capsule.Reach(dir), cap-1e-5)
		assert.InDelta(t, cap, capsule.Reach(dir), 0.5, "and near the furthest of the samples")
	}
}

func TestDistanceAllocatesNothing(t *testing.T) {
	m := geom.Transform{Position: geom.V(5, 1, 0), Scale: geom.V(1, 2, 3)}.Affine()
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		a, b := Capsule(geom.V(0, -1, 0), geom.V(0, 1, 0), 1, m), Box(geom.V(1, 1, 1), identity)
		Distance(a, b)
		Distance(a, Polyhedron(corner, m))
		Overlaps(a, b)
	}))
}

// However wild the numbers, the search ends, and its answer is a distance.
func FuzzDistance(f *testing.F) {
	f.Add(float32(1), float32(2), float32(3), float32(0.5), float32(1), float32(1), float32(1), float32(0))
	f.Add(float32(1e30), float32(-1e30), float32(3e38), float32(1e-30), float32(0), float32(1e-40), float32(-1), float32(1))
	f.Add(float32(math.Inf(1)), float32(math.NaN()), float32(0), float32(-1), float32(0), float32(0), float32(0), float32(0))
	f.Fuzz(func(t *testing.T, a, b, c, d, e, g, h, i float32) {
		m := geom.Affine{X: geom.V(e, g, h), Y: geom.V(i, a, g), Z: geom.V(b, h, e), Origin: geom.V(c, d, a)}
		bodies := []Support{
			Point(geom.V(a, b, c)), Triangle(geom.V(a, c, b), geom.V(d, e, g), geom.V(h, i, a)), Sphere(geom.V(d, b, g), h),
			Box(geom.V(d, h, i), m), Ellipsoid(geom.V(a, i, c), g, m), Capsule(geom.V(b, e, a), geom.V(i, d, c), h, m),
			AABB(geom.AABB{Min: geom.V(a, b, c), Max: geom.V(g, h, i)}), Polyhedron(corner, m),
		}
		for _, x := range bodies {
			for _, y := range bodies {
				dist, pa, pb, steps := search(&x, &y, math.Inf(1))
				require.LessOrEqual(t, steps, maxIterations)
				require.Equal(t, x.IsEmpty() || y.IsEmpty(), math.IsInf(dist, 1))
				if math.IsInf(dist, 1) {
					continue
				}
				require.GreaterOrEqual(t, dist, 0.0)
				require.InDelta(t, dist, pa.Sub(pb).Len(), 1e-9*max(extent(&x), extent(&y)))
				require.Equal(t, dist == 0, Overlaps(x, y))
			}
		}
	})
}

func BenchmarkDistance(b *testing.B) {
	m := geom.Transform{Position: geom.V(5, 3, 1), Rotation: geom.QuatEuler(1, 2, 3), Scale: geom.V(1, 2, 3)}.Affine()
	point, box := Point(geom.V(0, 1, 0)), Box(geom.V(1, 1, 1), identity)
	for _, bench := range []struct {
		name string
		a, b Support
	}{
		{"point-box", point, Box(geom.V(1, 1, 1), m)},
		{"box-box", box, Box(geom.V(1, 1, 1), m)},
		{"point-ellipsoid", point, Ellipsoid(geom.V(0, 0, 0), 1, m)},
		{"box-ellipsoid", box, Ellipsoid(geom.V(0, 0, 0), 1, m)},
		{"box-capsule", box, Capsule(geom.V(0, -1, 0), geom.V(0, 1, 0), 1, m)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			for b.Loop() {
				Distance(bench.a, bench.b)
			}
		})
		b.Run(bench.name+"/overlaps", func(b *testing.B) {
			for b.Loop() {
				Overlaps(bench.a, bench.b)
			}
		})
	}
}

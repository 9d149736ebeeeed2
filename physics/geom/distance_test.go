package geom_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

var (
	nan32 = float32(math.NaN())
	inf32 = float32(math.Inf(1))
)

// pointShape is any shape.
type pointShape interface {
	ClosestPoint(geom.Vec3) geom.Vec3
	Contains(geom.Vec3) bool
	Distance(geom.Vec3) float32
	IsEmpty() bool
}

func TestDistanceToShapes(t *testing.T) {
	v := geom.V
	quarter := geom.QuatAxisAngle(v(0, 0, 1), math.Pi/2)
	box := geom.AABB{Min: v(-1, -2, -3), Max: v(1, 2, 3)}
	turned := geom.Box{Center: v(10, 0, 0), HalfExtents: v(1, 2, 3), Rotation: quarter}
	sphere := geom.Sphere{Center: v(1, 1, 1), Radius: 2}
	capsule := geom.Capsule{A: v(0, -1, 0), B: v(0, 1, 0), Radius: 0.5}
	triangle := geom.Triangle{A: v(0, 0, 0), B: v(4, 0, 0), C: v(0, 4, 0)}
	tests := []struct {
		name     string
		shape    pointShape
		p        geom.Vec3
		closest  geom.Vec3
		distance float32
	}{
		{"aabb: centre", box, v(0, 0, 0), v(0, 0, 0), 0},
		{"aabb: on a face", box, v(1, 0, 0), v(1, 0, 0), 0},
		{"aabb: on an edge", box, v(1, 2, 0), v(1, 2, 0), 0},
		{"aabb: on a corner", box, v(1, 2, 3), v(1, 2, 3), 0},
		{"aabb: before a face", box, v(4, 0, 1), v(1, 0, 1), 3},
		{"aabb: before an edge", box, v(4, 6, 1), v(1, 2, 1), 5},
		{"aabb: before a corner", box, v(-2, -4, -5), v(-1, -2, -3), 3},
		{"aabb: a point", geom.AABB{}, v(3, 4, 0), v(0, 0, 0), 5},
		{"aabb: flat", geom.Rect(0, 0, 2, 2), v(1, 1, -3), v(1, 1, 0), 3},
		{"aabb: infinite", geom.AABB{Min: v(-inf32, 0, -inf32), Max: v(inf32, inf32, inf32)}, v(7, -2, 7), v(7, 0, 7), 2},
		{"aabb: 1e6", geom.AABB{Min: v(1e6, 0, 0), Max: v(1e6+1, 1, 1)}, v(1e6-3, -4, 0), v(1e6, 0, 0), 5},
		{"box: centre", turned, v(10, 0, 0), v(10, 0, 0), 0},
		{"box: in the turned part", turned, v(12, 0, 0), v(12, 0, 0), 0},
		{"box: beside the turned part", turned, v(10, 2, 0), v(10, 1, 0), 1},
		{"box: before a corner", turned, v(14, 2, 5), v(12, 1, 3), 3},
		{"box: not turned", geom.Box{HalfExtents: v(1, 1, 1)}, v(1, 1, 3), v(1, 1, 1), 2},
		{"box: turned about no axis", geom.Box{HalfExtents: v(1, 1, 1), Rotation: geom.QuatEuler(1, 2, 3)}, v(0, 0, 0), v(0, 0, 0), 0},
		{"box: a point", geom.Box{}, v(0, 3, 4), v(0, 0, 0), 5},
		{"sphere: centre", sphere, v(1, 1, 1), v(1, 1, 1), 0},
		{"sphere: on the surface", sphere, v(3, 1, 1), v(3, 1, 1), 0},
		{"sphere: outside", sphere, v(1, 1, 6), v(1, 1, 3), 3},
		{"sphere: a point", geom.Sphere{Center: v(0, 1, 0)}, v(0, 3, 0), v(0, 1, 0), 2},
		{"sphere: 1e-4", geom.Sphere{Radius: 1e-4}, v(0, 3e-4, 0), v(0, 1e-4, 0), 2e-4},
		{"capsule: on the axis", capsule, v(0, 1, 0), v(0, 1, 0), 0},
		{"capsule: on the side", capsule, v(0.5, 1, 0), v(0.5, 1, 0), 0},
		{"capsule: beside", capsule, v(0, 0.25, 2), v(0, 0.25, 0.5), 1.5},
		{"capsule: beyond an end", capsule, v(3, 5, 0), v(0.3, 1.4, 0), 4.5},
		{"capsule: a sphere", geom.Capsule{Radius: 1}, v(0, 0, 3), v(0, 0, 1), 2},
		{"capsule: a segment", geom.Capsule{A: v(0, 0, 0), B: v(2, 0, 0)}, v(1, 1, 0), v(1, 0, 0), 1},
		{"plane: above", geom.Plane{Normal: v(0, 2, 0), D: 2}, v(3, 5, 4), v(3, 1, 4), 4},
		{"plane: behind", geom.Plane{Normal: v(3, 0, 4), D: 5}, v(0, 0, 0), v(0.6, 0, 0.8), 1},
		{"plane: on it", geom.Plane{Normal: v(0, 1, 0), D: 1}, v(9, 1, 9), v(9, 1, 9), 0},
		{"axis plane: behind", geom.ZPlane(3), v(1, 2, -1), v(1, 2, 3), 4},
		{"axis plane: on it", geom.YPlane(3), v(1, 3, -1), v(1, 3, -1), 0},
		{"triangle: over it", triangle, v(1, 1, 5), v(1, 1, 0), 5},
		{"triangle: in it", triangle, v(1, 1, 0), v(1, 1, 0), 0},
		{"triangle: on an edge", triangle, v(2, 2, 0), v(2, 2, 0), 0},
		{"triangle: at a corner", triangle, v(0, 4, 0), v(0, 4, 0), 0},
		{"triangle: beyond an edge", triangle, v(4, 4, 0), v(2, 2, 0), float32(math.Sqrt(8))},
		{"triangle: beyond a corner", triangle, v(-3, 0, -4), v(0, 0, 0), 5},
		{"triangle: a segment", geom.Triangle{A: v(0, 0, 0), B: v(1, 0, 0), C: v(4, 0, 0)}, v(3, 2, 0), v(3, 0, 0), 2},
		{"triangle: a point", geom.Triangle{A: v(1, 1, 1), B: v(1, 1, 1), C: v(1, 1, 1)}, v(1, 1, 3), v(1, 1, 1), 2},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := test.shape.ClosestPoint(test.p)
			assertVec(t, test.closest, got, 1e-6)
			assert.InDelta(t, test.distance, test.shape.Distance(test.p), 1e-6*float64(1+test.distance))
			assert.Equal(t, test.distance == 0, test.shape.Contains(test.p), "touching counts")
			assert.False(t, test.shape.IsEmpty())
			for _, p := range []geom.Vec3{{X: nan32}, {Y: inf32}, {Z: -inf32}} {
				assert.False(t, test.shape.Contains(p))
				assert.False(t, test.shape.ClosestPoint(p) == test.shape.ClosestPoint(p), "NaN")
				assert.Equal(t, inf32, test.shape.Distance(p))
			}
		})
	}
}

func assertVec(t assert.TestingT, want, got geom.Vec3, tolerance float64) {
	size := max(1, float64(want.Len()))
	assert.LessOrEqual(t, want.Wide().Sub(got.Wide()).Len(), tolerance*size, "want %v, got %v", want, got)
}

// emptyShapes holds shapes of each kind that are empty.
var emptyShapes = map[string]pointShape{
	"aabb: inverted":          geom.AABB{Min: geom.V(1, 0, 0), Max: geom.V(0, 1, 1)},
	"aabb: EmptyAABB":         geom.EmptyAABB(),
	"aabb: NaN":               geom.AABB{Max: geom.V(1, nan32, 1)},
	"box: negative":           geom.Box{HalfExtents: geom.V(1, -1, 1)},
	"box: NaN":                geom.Box{HalfExtents: geom.V(1, nan32, 1)},
	"box: infinite":           geom.Box{HalfExtents: geom.V(1, inf32, 1)},
	"box: lost":               geom.Box{Center: geom.V(nan32, 0, 0), HalfExtents: geom.V(1, 1, 1)},
	"sphere: negative":        geom.Sphere{Radius: -1},
	"sphere: NaN":             geom.Sphere{Radius: nan32},
	"sphere: lost":            geom.Sphere{Center: geom.V(inf32, 0, 0), Radius: 1},
	"capsule: negative":       geom.Capsule{B: geom.V(1, 0, 0), Radius: -1},
	"capsule: NaN":            geom.Capsule{B: geom.V(1, 0, 0), Radius: nan32},
	"capsule: lost":           geom.Capsule{B: geom.V(nan32, 0, 0), Radius: 1},
	"plane: no normal":        geom.Plane{D: 1},
	"plane: NaN":              geom.Plane{Normal: geom.V(0, 1, 0), D: nan32},
	"triangle: NaN":           geom.Triangle{B: geom.V(nan32, 0, 0)},
	"triangle: infinite":      geom.Triangle{B: geom.V(inf32, 0, 0)},
	"capsule: infinite":       geom.Capsule{Radius: inf32},
	"plane: infinite D":       geom.Plane{Normal: geom.V(0, 1, 0), D: -inf32},
	"plane: infinite normal":  geom.Plane{Normal: geom.V(0, inf32, 0), D: 1},
	"sphere: infinite radius": geom.Sphere{Radius: inf32},
}

func TestDistanceToEmptyShapes(t *testing.T) {
	for name, s := range emptyShapes {
		t.Run(name, func(t *testing.T) {
			require.True(t, s.IsEmpty())
			assert.False(t, s.Contains(geom.Vec3{}))
			c := s.ClosestPoint(geom.Vec3{})
			assert.True(t, c.X != c.X && c.Y != c.Y && c.Z != c.Z, "NaN, not %v", c)
			assert.Equal(t, inf32, s.Distance(geom.Vec3{}))
		})
	}
	assert.Equal(t, inf32, geom.YPlane(nan32).Distance(geom.Vec3{}))
	assert.False(t, geom.YPlane(inf32).Contains(geom.Vec3{}))
}

func TestSignedDistance(t *testing.T) {
	v := geom.V
	box := geom.AABB{Min: v(-1, -2, -3), Max: v(1, 2, 3)}
	tests := []struct {
		name  string
		shape interface{ SignedDistance(geom.Vec3) float32 }
		p     geom.Vec3
		want  float32
	}{
		{"aabb: centre", box, v(0, 0, 0), -1},
		{"aabb: near another face", box, v(0, 1.5, 0), -0.5},
		{"aabb: outside", box, v(4, 6, 0), 5},
		{"aabb: on an edge", box, v(1, 2, 0), 0},
		{"box: centre", geom.Box{HalfExtents: v(3, 2, 5), Rotation: geom.QuatEuler(1, 2, 3)}, v(0, 0, 0), -2},
		{"sphere: centre", geom.Sphere{Radius: 2}, v(0, 0, 0), -2},
		{"sphere: inside", geom.Sphere{Radius: 2}, v(0, 1.5, 0), -0.5},
		{"capsule: on the axis", geom.Capsule{B: v(4, 0, 0), Radius: 1}, v(4, 0, 0), -1},
		{"capsule: inside", geom.Capsule{B: v(4, 0, 0), Radius: 1}, v(2, 0.75, 0), -0.25},
		{"plane: front", geom.Plane{Normal: v(0, 2, 0), D: 2}, v(0, 4, 0), 3},
		{"plane: back", geom.Plane{Normal: v(0, 2, 0), D: 2}, v(0, -4, 0), -5},
		{"axis plane: back", geom.XPlane(2), v(-1, 0, 0), -3},
		{"empty aabb", geom.EmptyAABB(), v(0, 0, 0), inf32},
		{"empty box", geom.Box{HalfExtents: v(-1, 1, 1)}, v(0, 0, 0), inf32},
		{"empty sphere", geom.Sphere{Radius: -1}, v(0, 0, 0), inf32},
		{"empty capsule", geom.Capsule{Radius: -1}, v(0, 0, 0), inf32},
		{"no plane", geom.Plane{}, v(0, 0, 0), inf32},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.want, test.shape.SignedDistance(test.p))
		})
	}
}

// Inside a solid the signed distance is minus the radius of the largest sphere around the point
// that is in the solid. The point is rounded, by √3 roundings of its length, and the distance by
// one.
func TestSignedDistanceIsDepth(t *testing.T) {
	r := testenv.Rand(5, 6)
	for range 2000 {
		for _, s := range solidsOf(randomShapes(r)) {
			p := s.sample(r)
			depth := -s.SignedDistance(p)
			rounding := ulps(math.Sqrt(3), p.Wide().Len()) + ulps(1, math.Abs(float64(depth)))
			require.GreaterOrEqual(t, float64(depth), -rounding)
			assert.True(t, containsBall(s.solid, p.Wide(), max(-rounding, float64(depth)-rounding)), "%#v %v", s, p)
			assert.False(t, containsBall(s.solid, p.Wide(), float64(depth)+rounding), "%#v %v", s, p)
		}
	}
}

// containsBall reports whether every point no further than r from p is in the solid. If r is
// negative, it reports whether p is within −r of the solid.
func containsBall(s solid, p geom.DVec3, r float64) bool {
	var core geom.DVec3
	radius := 0.0
	switch s := s.(type) {
	case geom.AABB:
		lo, hi := p.Sub(s.Min.Wide()), s.Max.Wide().Sub(p)
		return min(lo.X, lo.Y, lo.Z, hi.X, hi.Y, hi.Z) >= r
	case geom.Box:
		x, y, z := s.Axes()
		d, h := p.Sub(s.Center.Wide()), s.HalfExtents.Wide()
		return min(h.X-math.Abs(x.Dot(d)), h.Y-math.Abs(y.Dot(d)), h.Z-math.Abs(z.Dot(d))) >= r
	case geom.Sphere:
		core, radius = s.Center.Wide(), float64(s.Radius)
	case geom.Capsule:
		a, e := s.A.Wide(), s.B.Wide().Sub(s.A.Wide())
		core, radius = a.AddMul(min(max(p.Sub(a).Dot(e)/e.Dot(e), 0), 1), e), float64(s.Radius)
	}
	return p.Sub(core).Len()+r <= radius
}

// The closest point c of a convex shape has a certificate: it is in the shape, and no point of the
// shape is further along p − c. The furthest of the shape's corners and centres shows it, without
// the code under test.
func TestClosestPointIsOptimal(t *testing.T) {
	r := testenv.Rand(7, 8)
	for range 5000 {
		p := randomVec(r).Mul(3)
		for _, s := range randomShapes(r) {
			c := s.ClosestPoint(p)
			// c is rounded, by √3 roundings of its length, and so are distances.
			moved := ulps(math.Sqrt(3), c.Wide().Len())
			require.LessOrEqual(t, float64(s.Distance(c)), moved+ulps(1, moved), "%#v: the point is in the shape", s)
			require.InDelta(t, s.Distance(p), p.Distance(c), moved+ulps(2, float64(p.Distance(c))), "%#v", s)
			d := p.Wide().Sub(c.Wide())
			l := d.Len()
			if l <= moved {
				continue // p is in the shape, or the direction is rounding alone
			}
			// The direction is off by the angle moved/l, at the distance of the furthest point.
			d = d.Normalize()
			require.LessOrEqual(t, s.furthest(d), c.Wide().Dot(d)+moved*(1+s.extent(c.Wide())/l), "%#v %v", s, p)
		}
	}
}

func TestDistanceToLines(t *testing.T) {
	v := geom.V
	a, b := v(0, 0, 0), v(2, 0, 0)
	tests := []struct {
		name              string
		a, b, p           geom.Vec3
		segment, line     geom.Vec3
		toSegment, toLine float32
	}{
		{"beside", a, b, v(1, 3, 0), v(1, 0, 0), v(1, 0, 0), 3, 3},
		{"before a", a, b, v(-3, 4, 0), v(0, 0, 0), v(-3, 0, 0), 5, 4},
		{"behind b", a, b, v(5, 0, 4), v(2, 0, 0), v(5, 0, 0), 5, 4},
		{"on it", a, b, v(2, 0, 0), v(2, 0, 0), v(2, 0, 0), 0, 0},
		{"no length", b, b, v(2, 5, 0), v(2, 0, 0), v(2, 0, 0), 5, 5},
		{"1e6", v(1e6, 0, 0), v(1e6, 1e6, 0), v(1e6+3, 5, 4), v(1e6, 5, 0), v(1e6, 5, 0), 5, 5},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.segment, geom.ClosestPointOnSegment(test.a, test.b, test.p))
			assert.Equal(t, test.line, geom.ClosestPointOnLine(test.a, test.b, test.p))
			assert.Equal(t, test.toSegment, geom.DistanceToSegment(test.a, test.b, test.p))
			assert.Equal(t, test.toLine, geom.DistanceToLine(test.a, test.b, test.p))
		})
	}
}

func TestClosestPointsSegments(t *testing.T) {
	v := geom.V
	tests := []struct {
		name       string
		a, b, c, d geom.Vec3
		onAB, onCD geom.Vec3
		oneOfMany  bool
	}{
		{"crossing", v(-1, 0, 0), v(1, 0, 0), v(0, -1, 0), v(0, 1, 0), v(0, 0, 0), v(0, 0, 0), false},
		{"skew", v(-1, 0, 0), v(1, 0, 0), v(0.5, -1, 2), v(0.5, 1, 2), v(0.5, 0, 0), v(0.5, 0, 2), false},
		{"end to end", v(0, 0, 0), v(1, 0, 0), v(2, 1, 0), v(3, 5, 0), v(1, 0, 0), v(2, 1, 0), false},
		{"end to side", v(0, 0, 0), v(4, 0, 0), v(1, 2, 0), v(1, 9, 0), v(1, 0, 0), v(1, 2, 0), false},
		{"on one line, apart", v(0, 0, 0), v(1, 0, 0), v(3, 0, 0), v(9, 0, 0), v(1, 0, 0), v(3, 0, 0), false},
		{"two points", v(0, 0, 0), v(0, 0, 0), v(3, 0, 0), v(3, 0, 0), v(0, 0, 0), v(3, 0, 0), false},
		{"point and segment", v(1, 1, 0), v(1, 1, 0), v(0, 0, 0), v(3, 0, 0), v(1, 1, 0), v(1, 0, 0), false},
		{"parallel", v(0, 0, 0), v(4, 0, 0), v(1, 1, 0), v(9, 1, 0), v(0, 0, 0), v(0, 1, 0), true},
		{"on one line, overlapping", v(0, 0, 0), v(4, 0, 0), v(1, 0, 0), v(9, 0, 0), v(0, 0, 0), v(0, 0, 0), true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p, q := geom.ClosestPointsSegments(test.a, test.b, test.c, test.d)
			assert.Equal(t, test.onAB.Distance(test.onCD), p.Distance(q))
			if !test.oneOfMany {
				assert.Equal(t, test.onAB, p)
				assert.Equal(t, test.onCD, q)
			}
		})
	}
}

// A grid of points on one segment is the reference, in double precision: none of them is closer to
// the other segment, and the closest is not much further away.
func TestClosestPointsSegmentsAgainstGrid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Multiples of a half make parallel, crossing and zero-length segments common.
		f := rapid.Map(rapid.IntRange(-4, 4), func(i int) float32 { return float32(i) / 2 })
		v := func(name string) geom.Vec3 { return geom.V(f.Draw(t, name), f.Draw(t, name), f.Draw(t, name)) }
		a, b, c, d := v("a"), v("b"), v("c"), v("d")
		p, q := geom.ClosestPointsSegments(a, b, c, d)
		// p and q have coordinates up to 2, each rounded once, and distances are below 7.
		moved := ulps(math.Sqrt(3), 2)
		assert.LessOrEqual(t, float64(geom.DistanceToSegment(a, b, p)), moved+ulps(1, moved))
		assert.LessOrEqual(t, float64(geom.DistanceToSegment(c, d, q)), moved+ulps(1, moved))
		toCD := func(p geom.DVec3) float64 {
			e := d.Wide().Sub(c.Wide())
			s := 0.0
			if e != (geom.DVec3{}) {
				s = min(max(p.Sub(c.Wide()).Dot(e)/e.Dot(e), 0), 1)
			}
			return c.Wide().AddMul(s, e).Sub(p).Len()
		}
		const steps = 50
		least := math.Inf(1)
		for i := range steps + 1 {
			least = min(least, toCD(a.Wide().AddMul(float64(i)/steps, b.Wide().Sub(a.Wide()))))
		}
		rounding := 2*moved + ulps(1, 7)
		assert.LessOrEqual(t, float64(p.Distance(q)), least+rounding)
		assert.GreaterOrEqual(t, float64(p.Distance(q)), least-float64(a.Distance(b))/steps-rounding)
	})
}

func TestClosestPointOnRay(t *testing.T) {
	v := geom.V
	ray := geom.Ray{Origin: v(1, 0, 0), Dir: v(2, 0, 0), MinT: 1, MaxT: 4} // from x = 3 to x = 9
	tests := []struct {
		name     string
		ray      geom.Ray
		p        geom.Vec3
		point    geom.Vec3
		t        float32
		distance float32
	}{
		{"beside", ray, v(5, 2, 0), v(5, 0, 0), 2, 2},
		{"before MinT", ray, v(0, 4, 0), v(3, 0, 0), 1, 5},
		{"behind MaxT", ray, v(12, 0, 4), v(9, 0, 0), 4, 5},
		{"behind the origin", geom.NewRay(v(0, 0, 0), v(0, 0, -3)), v(0, 3, 4), v(0, 0, 0), 0, 5},
		{"without a limit", geom.NewRay(v(0, 0, 0), v(0, 0, -3)), v(0, 1, -3000), v(0, 0, -3000), 1000, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.point, test.ray.ClosestPoint(test.p))
			assert.Equal(t, test.t, test.ray.ClosestT(test.p))
			assert.Equal(t, test.distance, test.ray.Distance(test.p))
			assert.Equal(t, inf32, test.ray.Distance(v(nan32, 0, 0)))
		})
	}
	for name, r := range map[string]geom.Ray{
		"zero": {}, "NaN": {Dir: v(nan32, 0, 1)}, "infinite": {Origin: v(inf32, 0, 0), Dir: v(1, 0, 0)},
		"empty range": {Dir: v(1, 0, 0), MinT: 2, MaxT: 1},
	} {
		t.Run(name, func(t *testing.T) {
			p, q := r.ClosestPointsSegment(v(0, 0, 0), v(1, 1, 1))
			assert.False(t, p == p || q == q || r.ClosestPoint(v(0, 0, 0)) == r.ClosestPoint(v(0, 0, 0)))
			assert.False(t, r.ClosestT(v(0, 0, 0)) == r.ClosestT(v(0, 0, 0)))
			assert.Equal(t, inf32, r.Distance(v(0, 0, 0)))
			assert.Equal(t, inf32, r.DistanceToSegment(v(0, 0, 0), v(1, 1, 1)))
		})
	}
}

func TestClosestPointsOfRayAndSegment(t *testing.T) {
	v := geom.V
	ray := geom.NewRay(v(0, 0, 0), v(1, 0, 0))
	tests := []struct {
		name     string
		a, b     geom.Vec3
		onRay    geom.Vec3
		onAB     geom.Vec3
		distance float32
	}{
		{"crossing", v(5, -1, 0), v(5, 1, 0), v(5, 0, 0), v(5, 0, 0), 0},
		{"skew", v(5, -1, 2), v(5, 1, 2), v(5, 0, 0), v(5, 0, 2), 2},
		{"behind", v(-3, 4, 0), v(-9, 4, 0), v(0, 0, 0), v(-3, 4, 0), 5},
		{"short of it", v(5, 2, 0), v(5, 9, 0), v(5, 0, 0), v(5, 2, 0), 2},
		{"a point", v(5, 2, 0), v(5, 2, 0), v(5, 0, 0), v(5, 2, 0), 2},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p, q := ray.ClosestPointsSegment(test.a, test.b)
			assert.Equal(t, test.onRay, p)
			assert.Equal(t, test.onAB, q)
			assert.Equal(t, test.distance, ray.DistanceToSegment(test.a, test.b))
		})
	}
	assert.EqualValues(t, 2, ray.DistanceToSegment(v(-5, 2, 0), v(5, 2, 0)), "parallel")
	assert.Equal(t, inf32, ray.DistanceToSegment(v(nan32, 0, 0), v(1, 1, 1)))
}

func TestBarycentric(t *testing.T) {
	v := geom.V
	triangle := geom.Triangle{A: v(0, 0, 0), B: v(4, 0, 0), C: v(0, 4, 0)}
	for _, test := range []struct {
		name string
		p    geom.Vec3
		u, v float32
	}{
		{"A", v(0, 0, 0), 0, 0}, {"B", v(4, 0, 0), 1, 0}, {"C", v(0, 4, 0), 0, 1},
		{"inside, above", v(1, 2, 7), 0.25, 0.5}, {"outside", v(-4, 8, 0), -1, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			u, v, ok := triangle.Barycentric(test.p)
			assert.True(t, ok)
			assert.Equal(t, test.u, u)
			assert.Equal(t, test.v, v)
		})
	}
	_, _, ok := geom.Triangle{A: v(0, 0, 0), B: v(1, 1, 1), C: v(2, 2, 2)}.Barycentric(v(0, 0, 0))
	assert.False(t, ok, "flat")
	_, _, ok = triangle.Barycentric(v(nan32, 0, 0))
	assert.False(t, ok, "NaN")
}

func TestDistanceAllocatesNothing(t *testing.T) {
	p := geom.V(3, 4, 5)
	ray := geom.NewRay(p, p)
	box, sphere := geom.Box{HalfExtents: p}, geom.Sphere{Radius: 9}
	capsule, triangle := geom.Capsule{B: p, Radius: 1}, geom.Triangle{B: p, C: geom.V(1, 0, 0)}
	plane, aabb := geom.Plane{Normal: p}, geom.AABB{Max: p}
	testenv.AllocatesNothing(t, 100, func() {
		aabb.ClosestPoint(p)
		box.ClosestPoint(p)
		sphere.ClosestPoint(p)
		capsule.ClosestPoint(p)
		triangle.ClosestPoint(p)
		plane.ClosestPoint(p)
		ray.ClosestPointsSegment(p, geom.Vec3{})
		geom.ClosestPointsSegments(p, geom.Vec3{}, geom.V(1, 0, 0), p)
		box.Contains(p)
	})
}

func BenchmarkClosestPoint(b *testing.B) {
	p, q := geom.V(3, 4, 5), geom.QuatEuler(1, 2, 3)
	for _, bench := range []struct {
		name  string
		shape pointShape
	}{
		{"aabb", geom.AABBAround(geom.Vec3{}, geom.V(1, 1, 1))},
		{"box", geom.Box{HalfExtents: geom.V(1, 1, 1), Rotation: q}},
		{"sphere", geom.Sphere{Radius: 1}},
		{"capsule", geom.Capsule{B: geom.V(1, 0, 0), Radius: 1}},
		{"triangle", geom.Triangle{B: geom.V(1, 0, 0), C: geom.V(0, 1, 0)}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			for b.Loop() {
				bench.shape.ClosestPoint(p)
			}
		})
	}
}

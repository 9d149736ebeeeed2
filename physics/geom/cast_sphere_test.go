package geom

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/internal/testenv"
)

// The numbers of these cases are so simple that the answers are exact, also when the scene is
// scaled or moved by powers of two. The triangle is the one with the corners (0, 0, 0), (4, 0, 0)
// and (0, 4, 0), seen from +Z.
func TestTriangleCastSphere(t *testing.T) {
	down, half := V(0, 0, -1), V(0, 0, -0.5)
	flat := Triangle{V(0, 0, 0), V(4, 0, 0), V(2, 0, 0)}
	dot := Triangle{V(1, 1, 1), V(1, 1, 1), V(1, 1, 1)}
	for _, c := range []struct {
		name   string
		tri    Triangle
		ray    Ray
		radius float32
		want   Hit
		ok     bool
	}{
		{"face", corner, NewRay(V(1, 2, 8), down), 2, Hit{T: 6, Point: V(1, 2, 0), Normal: V(0, 0, 1), U: 0.25, V: 0.5}, true},
		{"face, from behind", corner, NewRay(V(1, 2, -8), V(0, 0, 1)), 2,
			Hit{T: 6, Point: V(1, 2, 0), Normal: V(0, 0, -1), U: 0.25, V: 0.5, BackFace: true}, true},
		{"face, at a slant", corner, NewRay(V(1, 2, 8), V(0.125, -0.125, -1)), 2,
			Hit{T: 6, Point: V(1.75, 1.25, 0), Normal: V(0, 0, 1), U: 0.4375, V: 0.3125}, true},
		{"short direction", corner, NewRay(V(1, 2, 8), half), 2, Hit{T: 12, Point: V(1, 2, 0), Normal: V(0, 0, 1), U: 0.25, V: 0.5}, true},
		{"above an edge", corner, NewRay(V(1, 0, 8), down), 2, Hit{T: 6, Point: V(1, 0, 0), Normal: V(0, 0, 1), U: 0.25}, true},
		{"edge", corner, NewRay(V(1, -3, 8), down), 5, Hit{T: 4, Point: V(1, 0, 0), Normal: V(0, -0.6, 0.8), U: 0.25}, true},
		{"edge, along the face", corner, NewRay(V(1, -8, 3), V(0, 1, 0)), 5, Hit{T: 4, Point: V(1, 0, 0), Normal: V(0, -0.8, 0.6), U: 0.25}, true},
		{"edge, behind the face", corner, NewRay(V(1, -8, -3), V(0, 1, 0)), 5,
			Hit{T: 4, Point: V(1, 0, 0), Normal: V(0, -0.8, -0.6), U: 0.25, BackFace: true}, true},
		{"edge, in the plane", corner, NewRay(V(1, -8, 0), V(0, 1, 0)), 5, Hit{T: 3, Point: V(1, 0, 0), Normal: V(0, -1, 0), U: 0.25}, true},
		{"corner", corner, NewRay(V(-2, -2, 8), down), 3, Hit{T: 7, Normal: V(-2./3, -2./3, 1./3)}, true},
		{"corner, of B", corner, NewRay(V(16, 0, 0), V(-1, 0, 0)), 2, Hit{T: 10, Point: V(4, 0, 0), Normal: V(1, 0, 0), U: 1}, true},
		{"corner, of C", corner, NewRay(V(0, 16, 0), V(0, -1, 0)), 2, Hit{T: 10, Point: V(0, 4, 0), Normal: V(0, 1, 0), V: 1}, true},
		{"grazing a face", corner, NewRay(V(-8, 1, 2), V(1, 0, 0)), 2, Hit{T: 8, Point: V(0, 1, 0), Normal: V(0, 0, 1), V: 0.25}, true},
		{"grazing an edge", corner, NewRay(V(1, -2, 8), down), 2, Hit{T: 8, Point: V(1, 0, 0), Normal: V(0, -1, 0), U: 0.25}, true},
		{"grazing a corner", corner, NewRay(V(-3, -4, 8), down), 5, Hit{T: 8, Normal: V(-0.6, -0.8, 0)}, true},
		{"grazing a corner, along the plane", corner, NewRay(V(6, -8, 0), V(0, 1, 0)), 2, Hit{T: 8, Point: V(4, 0, 0), Normal: V(1, 0, 0), U: 1}, true},
		{"past a face", corner, NewRay(V(-8, 1, math.Nextafter32(2, 3)), V(1, 0, 0)), 2, Hit{}, false},
		{"past an edge", corner, NewRay(V(1, math.Nextafter32(-2, -3), 8), down), 2, Hit{}, false},
		{"past a corner", corner, NewRay(V(-3, math.Nextafter32(-4, -5), 8), down), 5, Hit{}, false},
		{"behind", corner, NewRay(V(1, 2, -8), down), 2, Hit{}, false},
		{"touching at the start, coming", corner, NewRay(V(1, 2, 2), down), 2, Hit{Point: V(1, 2, 0), Normal: V(0, 0, 1), U: 0.25, V: 0.5}, true},
		{"touching at the start, going", corner, NewRay(V(1, 2, 2), V(0, 0, 1)), 2,
			Hit{Point: V(1, 2, 0), Normal: V(0, 0, 1), U: 0.25, V: 0.5, BackFace: true, Inside: true}, true},
		{"overlapping at the start", corner, NewRay(V(1, 2, 1), down), 2,
			Hit{Point: V(1, 2, 0), Normal: V(0, 0, 1), U: 0.25, V: 0.5, Inside: true}, true},
		{"overlapping a corner at the start", corner, NewRay(V(-3, -4, 0), V(1, 0, 0)), 8, Hit{Normal: V(-0.6, -0.8, 0), Inside: true}, true},
		{"overlapping, along the face", corner, NewRay(V(1, 2, -1), V(1, 0, 0)), 2,
			Hit{Point: V(1, 2, 0), Normal: V(0, 0, -1), U: 0.25, V: 0.5, BackFace: true, Inside: true}, true},
		{"overlapping, from its middle down", corner, NewRay(V(1, 2, 0), down), 2,
			Hit{Point: V(1, 2, 0), Normal: V(0, 0, 1), U: 0.25, V: 0.5, Inside: true}, true},
		{"overlapping, from its middle up", corner, NewRay(V(1, 2, 0), V(0, 0, 1)), 2,
			Hit{Point: V(1, 2, 0), Normal: V(0, 0, -1), U: 0.25, V: 0.5, BackFace: true, Inside: true}, true},
		{"overlapping at MinT", corner, Ray{V(1, 2, 8), down, 7, 0}, 2, Hit{T: 7, Point: V(1, 2, 0), Normal: V(0, 0, 1), U: 0.25, V: 0.5, Inside: true}, true},
		{"touching at MinT", corner, Ray{V(1, 2, 8), down, 6, 0}, 2, Hit{T: 6, Point: V(1, 2, 0), Normal: V(0, 0, 1), U: 0.25, V: 0.5}, true},
		{"left behind at MinT", corner, Ray{V(1, 2, 8), down, math.Nextafter32(10, 11), 0}, 2, Hit{}, false},
		{"touching at MaxT", corner, Ray{V(1, 2, 8), down, 0, 6}, 2, Hit{T: 6, Point: V(1, 2, 0), Normal: V(0, 0, 1), U: 0.25, V: 0.5}, true},
		{"not yet at MaxT", corner, Ray{V(1, 2, 8), down, 0, math.Nextafter32(6, 5)}, 2, Hit{}, false},
		{"a segment", flat, NewRay(V(3, -3, 8), down), 5, Hit{T: 4, Point: V(3, 0, 0), Normal: V(0, -0.6, 0.8), U: 0.75}, true},
		{"a segment, along it", flat, NewRay(V(-8, 0, 0), V(1, 0, 0)), 5, Hit{T: 3, Normal: V(-1, 0, 0)}, true},
		{"a point", dot, NewRay(V(1, 4, 9), down), 5, Hit{T: 4, Point: V(1, 1, 1), Normal: V(0, 0.6, 0.8)}, true},
		{"past a point", dot, NewRay(V(1, 7, 9), down), 5, Hit{}, false},
		{"from the middle of a point", dot, NewRay(V(1, 1, 1), V(0, 4, 3)), 5, Hit{Point: V(1, 1, 1), Normal: V(0, -0.8, -0.6), Inside: true}, true},
		{"radius 0", corner, NewRay(V(1, 2, 8), down), 0, Hit{T: 8, Point: V(1, 2, 0), Normal: V(0, 0, 1), U: 0.25, V: 0.5}, true},
		{"radius 0, at an edge", corner, NewRay(V(1, 0, 8), down), 0, Hit{T: 8, Point: V(1, 0, 0), Normal: V(0, 0, 1), U: 0.25}, true},
		{"radius 0, at a corner", corner, NewRay(V(0, 0, 8), V(0, 0, -2)), 0, Hit{T: 4, Normal: V(0, 0, 1)}, true},
		{"radius 0, edge-on", corner, NewRay(V(-8, 1, 0), V(1, 0, 0)), 0, Hit{T: 8, Point: V(0, 1, 0), Normal: V(0, 0, 1), V: 0.25}, true},
		{"radius 0, a point", dot, NewRay(V(1, 1, 9), down), 0, Hit{T: 8, Point: V(1, 1, 1), Normal: V(0, 0, 1)}, true},
		{"radius 0, past", corner, NewRay(V(1, -1e-30, 8), down), 0, Hit{}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, k := range []float32{1, 0x1p-40, 0x1p-3, 0x1p60} {
				place := func(v Vec3) Vec3 { return v.Mul(k) }
				tri := Triangle{place(c.tri.A), place(c.tri.B), place(c.tri.C)}
				r := c.ray
				r.Origin, r.Dir = place(r.Origin), place(r.Dir)
				want := c.want
				want.Point = place(want.Point)
				for _, cull := range []Cull{CullNone, CullBack, CullFront} {
					h, ok := tri.CastSphere(r, c.radius*k, cull)
					if !c.ok || cull.Culls(want.BackFace) {
						require.False(t, ok, "scale %v, %v: %+v", k, cull, h)
						require.Zero(t, h)
						continue
					}
					require.True(t, ok, "scale %v, %v", k, cull)
					require.LessOrEqual(t, want.Normal.Sub(h.Normal).Len(), float32(1e-6), "normal %v, not %v", h.Normal, want.Normal)
					h.Normal = want.Normal
					require.Equal(t, want, h, "scale %v, %v", k, cull)
					checkHit(t, r, Hit{T: h.T, Point: h.Point, Normal: h.Normal, U: h.U, V: h.V})
				}
			}
		})
	}
}

func TestTriangleCastSphereOfNothing(t *testing.T) {
	r := NewRay(V(1, 2, 8), V(0, 0, -1))
	for _, radius := range []float32{-1, -1e-45, nan, inf, -inf} {
		_, ok := corner.CastSphere(r, radius, CullNone)
		assert.False(t, ok, "radius %v", radius)
	}
	for _, r := range spoiled(r) {
		_, ok := corner.CastSphere(r, 1, CullNone)
		assert.False(t, ok, "%v", r)
	}
	for _, x := range []float32{nan, inf, -inf} {
		for _, tri := range []Triangle{
			{V(x, 0, 0), corner.B, corner.C}, {corner.A, V(4, x, 0), corner.C}, {corner.A, corner.B, V(0, 4, x)}, {V(x, x, x), V(x, x, x), V(x, x, x)},
		} {
			_, ok := tri.CastSphere(r, 1, CullNone)
			assert.False(t, ok, "%v", tri)
		}
	}
	_, ok := corner.CastSphere(NewRay(V(1, 2, 8), V(0, 0, -1e-45)), 1, CullNone)
	assert.False(t, ok, "T beyond single precision")
}

// slowEntry is where the sphere first touches, by nothing but the distance of its centre from the
// triangle, which along a line falls and then rises: golden sections find the least, bisection
// where it becomes the radius. ok is false if it never does.
func slowEntry(tri Triangle, r Ray, radius, hi float64) (at, least float64) {
	distance := func(t float64) float64 { p := r.at(t); return tri.closest(p).Sub(p).Len() }
	lo := float64(r.MinT)
	start := lo
	a, b := lo, hi
	for range 200 {
		c, d := a+(b-a)*0.382, a+(b-a)*0.618
		if distance(c) <= distance(d) {
			b = d
		} else {
			a = c
		}
	}
	least = distance((a + b) / 2)
	if least = min(least, distance(start)); distance(start) <= radius {
		return start, least
	}
	a, b = start, (a+b)/2
	for range 100 {
		if c := (a + b) / 2; distance(c) > radius {
			a = c
		} else {
			b = c
		}
	}
	return b, least
}

func anySphereCast() *rapid.Generator[sphereCast] {
	return rapid.Custom(func(t *rapid.T) sphereCast {
		c := sphereCast{Triangle{point(8).Draw(t, "A"), point(8).Draw(t, "B"), point(8).Draw(t, "C")}, Ray{}, 0}
		c.radius = rapid.SampledFrom([]float32{0.001, 0.1, 0.25, 1, 3, 20}).Draw(t, "radius")
		c.ray = NewRay(point(30).Draw(t, "origin"), Vec3{})
		// Most rays pass some point of the triangle within twice the radius.
		u := rapid.Float64Range(0, 1).Draw(t, "u")
		v := rapid.Float64Range(0, 1-u).Draw(t, "v")
		a := c.tri.A.wide()
		target := a.AddMul(u, c.tri.B.wide().Sub(a)).AddMul(v, c.tri.C.wide().Sub(a)).Narrow()
		c.ray.Dir = target.Add(point(2*c.radius).Draw(t, "past")).Sub(c.ray.Origin).Mul(rapid.SampledFrom([]float32{1, 0.25, 0.01}).Draw(t, "length"))
		if c.ray.Dir == (Vec3{}) {
			c.ray.Dir = V(0, 1, 0)
		}
		c.ray.MinT = rapid.SampledFrom([]float32{0, 0, 0, 0.5, 1}).Draw(t, "MinT")
		return c
	})
}

type sphereCast struct {
	tri    Triangle
	ray    Ray
	radius float32
}

func TestTriangleCastSphereAgainstDistance(t *testing.T) {
	hits, starts, misses := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		c := anySphereCast().Draw(t, "cast")
		tri, r, radius := c.tri, c.ray, float64(c.radius)
		l := r.Dir.Wide().Len()
		at, least := slowEntry(tri, r, radius, float64(r.MinT)+200/l)
		const rounding = 1e-9
		h, ok := tri.CastSphere(r, c.radius, CullNone)
		if math.Abs(least-radius) > rounding {
			require.Equal(t, least < radius, ok, "it comes as near as %v, radius %v", least, radius)
		}
		if !ok {
			misses++
			return
		}
		checkHit(t, r, Hit{T: h.T, Point: h.Point, Normal: h.Normal, U: h.U, V: h.V})
		k := NewSphereCaster(r, c.radius)
		n := tri.cross()
		distance := func(t float64) float64 { p := r.at(t); return tri.closest(p).Sub(p).Len() }
		if h.Inside {
			starts++
			require.Equal(t, r.MinT, h.T)
			require.LessOrEqual(t, distance(float64(r.MinT)), radius+rounding)
		} else {
			hits++
			enter := k.span(&tri, n).enter
			require.InDelta(t, radius, distance(enter), rounding, "where it touches")
			for i := range 20 {
				before := float64(r.MinT) + (enter-float64(r.MinT))*float64(i)/20
				require.Greater(t, distance(before), radius-rounding, "before it touches")
			}
			// A ray that nearly grazes comes through the last billionth of the distance in any T.
			if deeper := distance(at + 1e-4/l); deeper < radius-1e-6 {
				require.InDelta(t, at, enter, 1e-3/l)
			}
			require.InDelta(t, enter, float64(h.T), 1e-7*enter)
		}
		// The point is the closest of the triangle, and the normal leads from there to the centre.
		center := r.at(float64(h.T))
		if !h.Inside {
			center = r.at(k.span(&tri, n).enter)
		}
		require.InDelta(t, distance(float64(h.T)), center.Sub(h.Point.Wide()).Len(), 1e-5)
		if d := center.Sub(h.Point.Wide()).Len(); d > 0.01 {
			near := h.Point.Wide().AddMul(d, h.Normal.Wide()).Sub(center).Len()
			require.LessOrEqual(t, near, 1e-5*(1+d), "the normal %v", h.Normal)
		}
		p := tri.A.Wide().AddMul(float64(h.U), tri.B.Wide().Sub(tri.A.Wide())).AddMul(float64(h.V), tri.C.Wide().Sub(tri.A.Wide()))
		require.LessOrEqual(t, p.Sub(h.Point.Wide()).Len(), 1e-5, "U and V")
		if !h.Inside {
			require.LessOrEqual(t, h.Normal.Wide().Dot(r.Dir.Wide()), 1e-5*l, "the normal faces the ray")
		}
	})
	if testing.Short() {
		return // too few to be sure of all
	}
	assert.Positive(t, hits)
	assert.Positive(t, starts)
	assert.Positive(t, misses)
}

// atLeast makes a number zero that would lose digits when it is scaled down.
func atLeast(x float32) float32 {
	if abs(x) < 1e-6 {
		return 0
	}
	return x
}

// The same cast, told in other ways: corners in another order, everything turned by a right angle,
// moved, scaled by a power of two (to the bit), and with a direction twice as long.
func TestTriangleCastSphereMoved(t *testing.T) {
	turns := rightTurns()
	rapid.Check(t, func(t *rapid.T) {
		c := anySphereCast().Draw(t, "cast")
		for _, v := range []*Vec3{&c.tri.A, &c.tri.B, &c.tri.C, &c.ray.Origin, &c.ray.Dir} {
			*v = V(atLeast(v.X), atLeast(v.Y), atLeast(v.Z))
		}
		if c.ray.Dir == (Vec3{}) {
			return
		}
		r := c.ray
		want, ok := c.tri.CastSphere(r, c.radius, CullNone)
		_, least := slowEntry(c.tri, r, float64(c.radius), float64(r.MinT)+200/r.Dir.Wide().Len())
		if math.Abs(least-float64(c.radius)) < 1e-4 {
			return // moving a grazing ray may make it miss, and changes T by much
		}
		like := func(h Hit, found bool, point func(Vec3) Vec3, what string) {
			require.Equal(t, ok, found, what)
			if !ok {
				return
			}
			require.InDelta(t, want.T, h.T, 2e-3/float64(r.Dir.Len()), what)
			require.LessOrEqual(t, point(want.Point).Sub(h.Point).Len(), float32(2e-3), what)
			require.Equal(t, want.Inside, h.Inside, what)
		}
		same := func(v Vec3) Vec3 { return v }
		h, found := Triangle{c.tri.B, c.tri.C, c.tri.A}.CastSphere(r, c.radius, CullNone)
		like(h, found, same, "corners turned")
		h, found = Triangle{c.tri.B, c.tri.A, c.tri.C}.CastSphere(r, c.radius, CullNone)
		like(h, found, same, "corners mirrored")

		q := rapid.SampledFrom(turns).Draw(t, "turn")
		by := V(float32(rapid.IntRange(-4, 4).Draw(t, "x")), 2, -3)
		turn := func(v Vec3) Vec3 { return q.Rotate(v).Add(by) }
		moved := Ray{turn(r.Origin), q.Rotate(r.Dir), r.MinT, r.MaxT}
		h, found = Triangle{turn(c.tri.A), turn(c.tri.B), turn(c.tri.C)}.CastSphere(moved, c.radius, CullNone)
		like(h, found, turn, "turned and moved")

		k := float32(math.Ldexp(1, rapid.IntRange(-60, 60).Draw(t, "scale")))
		scaled := Ray{r.Origin.Mul(k), r.Dir.Mul(k), r.MinT, r.MaxT}
		h, found = Triangle{c.tri.A.Mul(k), c.tri.B.Mul(k), c.tri.C.Mul(k)}.CastSphere(scaled, c.radius*k, CullNone)
		require.Equal(t, ok, found)
		h.Point = h.Point.Mul(1 / k)
		require.Equal(t, want, h, "scaled by %v", k)

		r.Dir, r.MinT = r.Dir.Mul(2), r.MinT/2
		h, found = c.tri.CastSphere(r, c.radius, CullNone)
		require.Equal(t, ok, found)
		h.T *= 2
		require.Equal(t, want, h, "twice as fast")
	})
}

// As the radius goes to zero, the cast of a sphere becomes the cast of a ray.
func TestTriangleCastSphereTowardsRay(t *testing.T) {
	hits := 0
	rapid.Check(t, func(t *rapid.T) {
		c := anySphereCast().Draw(t, "cast")
		at, u, v, det := mollerTrumbore(c.tri, c.ray)
		cosine := math.Abs(det) / (c.tri.cross().Len() * c.ray.Dir.Wide().Len())
		if !(cosine > 0.05) || c.tri.cross().Len() < 0.05 || math.Abs(at-float64(c.ray.MinT)) < 1e-3 {
			return
		}
		inner := min(u, v, 1-u-v)
		if math.Abs(inner) < 1e-3 {
			return
		}
		ray, ok := c.tri.CastRay(c.ray, CullNone)
		sphere, ok2 := c.tri.CastSphere(c.ray, 0, CullNone)
		require.Equal(t, ok, ok2)
		if !ok {
			return
		}
		hits++
		require.InEpsilon(t, at, sphere.T, 1e-6)
		require.LessOrEqual(t, ray.Normal.Sub(sphere.Normal).Len(), float32(1e-6))
		require.Equal(t, ray.BackFace, sphere.BackFace)
		require.False(t, sphere.Inside)
		require.InDelta(t, u, sphere.U, 1e-6)
		require.InDelta(t, v, sphere.V, 1e-6)
		for radius := float32(1e-4); radius > 1e-8; radius /= 8 {
			h, ok := c.tri.CastSphere(c.ray, radius, CullNone)
			require.True(t, ok)
			early := float64(radius) / cosine / c.ray.Dir.Wide().Len() // when it touches the plane
			require.LessOrEqual(t, float64(h.T), at*(1+1e-6))
			require.GreaterOrEqual(t, float64(h.T), max((at-early)*(1-1e-6), float64(c.ray.MinT)))
		}
	})
	assert.Positive(t, hits)
}

// A point hits every closed surface, also where it goes through an edge or a corner, and a small
// sphere too, wherever it is let fall: neither slips between the triangles.
func TestTriangleCastSphereFallsThroughNothing(t *testing.T) {
	for _, s := range []soup{ballSoup(2, Vec3{}, 1), ballSoup(1, V(100, -50, 30), 2), houseSoup(V(1000, 3, -2000), V(5, 9, 4), QuatAxisAngle(V(0, 1, 0), 0.3))} {
		var middle Vec3
		for _, tri := range s {
			middle = middle.Add(tri.A.Add(tri.B).Add(tri.C).Mul(1 / float32(3*len(s))))
		}
		for i, tri := range s {
			for _, target := range []Vec3{tri.A, tri.B, tri.A.Lerp(tri.B, 0.5), tri.B.Lerp(tri.C, 0.3), tri.C.Lerp(tri.A, 1./3)} {
				r := NewRay(middle, target.Sub(middle).Mul(4))
				for _, radius := range []float32{0, 1e-30, 1e-12, 1e-6, 1e-3, 0.3} {
					k := NewSphereCaster(r, radius)
					best := inf
					for _, other := range s {
						if h, ok := k.Cast(other, best, CullNone); ok {
							best = h.T
						}
					}
					require.Less(t, best, float32(0.26), "triangle %d, radius %v, %v", i, radius, r)
					if radius < 0.3 {
						require.Greater(t, best, float32(0.24))
					}
				}
			}
		}
	}
}

// A sphere that comes to a wall from so far away that its place is hardly known, and from so near
// that it has a hair's breadth to go.
func TestTriangleCastSphereFarAndNear(t *testing.T) {
	for _, distance := range []float32{1e-6, 1, 1e3, 1e6, 1e9} {
		r := NewRay(V(1, 1, 0.5+distance), V(0, 0, -1))
		h, ok := corner.CastSphere(r, 0.5, CullNone)
		require.True(t, ok)
		require.InDelta(t, r.Origin.Z-0.5, h.T, 1e-7*float64(distance))
		require.Equal(t, V(1, 1, 0), h.Point)
		require.Equal(t, V(0, 0, 1), h.Normal)
		require.False(t, h.Inside)
	}
	// Nearly along the face, and so slow to come down that only the edge stops it.
	slow := NewRay(V(-100, 1, 0.5), V(1, 0, -1e-20))
	h, ok := corner.CastSphere(slow, 0.5, CullNone)
	require.True(t, ok)
	require.InDelta(t, 100, h.T, 1e-4)
}

// touchesAt asserts that where a cast says the sphere begins to touch, it does.
func touchesAt(t *testing.T, tri Triangle, r Ray, radius float32, rounding float64) (found bool) {
	k := NewSphereCaster(r, radius)
	s := k.span(&tri, tri.cross())
	if !r.IsValid() || !(s.enter <= s.exit) {
		return false
	}
	center := r.at(s.enter)
	p, _, _ := tri.contact(center)
	require.InDelta(t, radius, center.Sub(p).Len(), rounding, "%v, %v, T %v", tri, r, s.enter)
	return true
}

// A sphere that rolls over a sloping face, to the bit: whether it touches is for rounding to say,
// but not where. The plane has the normal (2, 3, 6)/7, so that the height over it is exact.
func TestTriangleCastSphereRolling(t *testing.T) {
	rng := testenv.Rand(1, 2)
	inPlane := func() Vec3 {
		u, v := float32(rng.IntN(1<<21)-1<<20), float32(rng.IntN(1<<21)-1<<20)
		return V(3*u, 2*(v-u), -v)
	}
	found := 0
	for range 30000 {
		up := float32(rng.IntN(1<<16) + 1)
		tri := Triangle{inPlane(), inPlane(), inPlane()}
		if touchesAt(t, tri, NewRay(inPlane().Add(V(2, 3, 6).Mul(up)), inPlane()), 7*up, 0.01) {
			found++
		}
	}
	assert.Greater(t, found, 1000)
}

// A triangle far thinner than long, and a sphere whose centre comes right at it.
func TestTriangleCastSphereAtNeedle(t *testing.T) {
	rng := testenv.Rand(3, 4)
	one := func() float32 { return float32(rng.IntN(17)-8) / 4 }
	along := V(1, 2, 3)
	for range 20000 {
		off := V(one(), one(), one()).Mul(float32(math.Ldexp(1, -17-rng.IntN(64))))
		tri := Triangle{off, along.Mul(4), along.Mul(float32(rng.IntN(8) - 4))}
		dir := V(one(), one(), one())
		r := NewRay(along.Mul(float32(rng.IntN(17))/4).Sub(dir.Mul(8)), dir)
		touchesAt(t, tri, r, [3]float32{1, 0.1, 1e-3}[rng.IntN(3)], 1e-9)
	}
	// Its face has a normal, which a point that comes to it meets, though it may not be told from
	// rounding where the point is.
	thin := Triangle{V(1, 0, 5), V(0.125, 0.03125, 0.5), V(0, 0.03125, 0)}
	h, ok := thin.CastSphere(NewRay(Vec3{}, V(0.1245, 0.03125, 0.5)), 0, CullNone)
	require.True(t, ok)
	require.LessOrEqual(t, min(h.Normal.Distance(thin.Normal()), h.Normal.Distance(thin.Normal().Neg())), float32(1e-6))
}

// No cast changes what tMax is for: a hit at tMax counts and one beyond does not.
func TestSphereCasterLimit(t *testing.T) {
	k := NewSphereCaster(NewRay(V(1, 2, 8), V(0, 0, -1)), 2)
	_, ok := k.Cast(corner, 6, CullNone)
	assert.True(t, ok)
	_, ok = k.Cast(corner, math.Nextafter32(6, 5), CullNone)
	assert.False(t, ok)
	_, ok = k.Cast(corner, nan, CullNone)
	assert.False(t, ok)
	// T is rounded before it is compared, so that hits of equal T are.
	k.Reset(NewRay(V(1, 2, 8), V(0, 0, -3)), 2)
	h, ok := k.Cast(corner, 2, CullNone)
	assert.True(t, ok)
	assert.Equal(t, float32(2), h.T)
	k.Reset(NewRay(V(1, 2, 9), V(0, 0, -3)), 2)
	h, ok = k.Cast(corner, float32(7./3), CullNone)
	assert.True(t, ok)
	assert.Equal(t, float32(7./3), h.T)
}

func TestTriangleCastSphereAllocatesNothing(t *testing.T) {
	r, n := NewRay(V(1, 2, 8), V(0, 0, -1)), 0
	allocs := testing.AllocsPerRun(100, func() {
		for _, radius := range []float32{0, 1, 9} {
			if _, ok := corner.CastSphere(r, radius, CullNone); ok {
				n++
			}
		}
	})
	assert.Zero(t, allocs)
	assert.Equal(t, 303, n)
}

package geom

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// This file holds the brute-force reference of every ray test. It describes a shape by its signed
// distance, which along a line is a convex function of T, and finds the minimum and the two zeros
// beside it by search, not by a formula.

// implicit is a solid with its signed distance.
type implicit struct {
	shape solid
	// Negative inside; any convex function with the same sign will do.
	distance func(p DVec3) float64
	center   DVec3
	reach    float64 // no point of the shape is further from center
}

// lineSpan searches the span of the line o + t·d in the shape. lowest is the least distance on the
// line.
func (s implicit) lineSpan(o, d DVec3) (found span, lowest float64) {
	at := func(t float64) float64 { return s.distance(o.AddMul(t, d)) }
	mid := s.center.Sub(o).Dot(d) / d.Dot(d)
	lo, hi := mid-(s.reach+1)/d.Len(), mid+(s.reach+1)/d.Len()
	a, b := lo, hi
	for range 120 {
		m, n := a+(b-a)/3, b-(b-a)/3
		if at(m) < at(n) {
			b = n
		} else {
			a = m
		}
	}
	low := (a + b) / 2
	lowest = at(low)
	if lowest > 0 {
		return nowhere, lowest
	}
	zero := func(out, in float64) float64 {
		for range 100 {
			if m := (out + in) / 2; at(m) > 0 {
				out = m
			} else {
				in = m
			}
		}
		return out
	}
	return span{zero(lo, low), zero(hi, low)}, lowest
}

func sphereTwin(s Sphere) implicit {
	c, r := s.Center.Wide(), float64(s.Radius)
	return implicit{s, func(p DVec3) float64 { return p.Sub(c).Len() - r }, c, r}
}

func capsuleTwin(s Capsule) implicit {
	a, b, r := s.A.Wide(), s.B.Wide(), float64(s.Radius)
	return implicit{s, func(p DVec3) float64 {
		// The closest point is one of the ends, or between them.
		switch {
		case p.Sub(a).Dot(b.Sub(a)) <= 0:
			return p.Sub(a).Len() - r
		case p.Sub(b).Dot(a.Sub(b)) <= 0:
			return p.Sub(b).Len() - r
		}
		return p.Sub(a).Cross(b.Sub(a)).Len()/b.Sub(a).Len() - r
	}, a.Add(b).Mul(0.5), r + b.Sub(a).Len()}
}

func coneTwin(s Cone) implicit {
	a, e := s.A.Wide(), s.B.Wide().Sub(s.A.Wide())
	l := e.Len()
	u, ra, rb := e.Mul(1/l), float64(s.RadiusA), float64(s.RadiusB)
	return implicit{s, func(p DVec3) float64 {
		x := p.Sub(a).Dot(u)
		y := p.Sub(a).Cross(u).Len()
		// The planes of the caps, and the side's slope towards the surface.
		return max(-x, x-l, (y-ra-(rb-ra)*x/l)*l/math.Hypot(l, rb-ra))
	}, a.AddMul(0.5, e), l + ra + rb}
}

func taperedTwin(s TaperedCapsule) implicit {
	a, e := s.A.Wide(), s.B.Wide().Sub(s.A.Wide())
	ra, rb := float64(s.RadiusA), float64(s.RadiusB)
	return implicit{s, func(p DVec3) float64 {
		// The nearest of the balls between the ends: a convex function of their place.
		at := func(x float64) float64 { return p.Sub(a.AddMul(x, e)).Len() - ra - x*(rb-ra) }
		lo, hi := 0.0, 1.0
		for range 80 {
			if m, n := lo+(hi-lo)/3, hi-(hi-lo)/3; at(m) < at(n) {
				hi = n
			} else {
				lo = m
			}
		}
		return min(at(lo), at(0), at(1))
	}, a.AddMul(0.5, e), e.Len() + ra + rb}
}

func aabbTwin(s AABB) implicit {
	c, h := s.Min.Wide().Add(s.Max.Wide()).Mul(0.5), s.Max.Wide().Sub(s.Min.Wide()).Mul(0.5)
	return implicit{s, func(p DVec3) float64 {
		q := p.Sub(c)
		return max(math.Abs(q.X)-h.X, math.Abs(q.Y)-h.Y, math.Abs(q.Z)-h.Z)
	}, c, h.Len()}
}

func boxTwin(s Box) implicit {
	c, h := s.Center.Wide(), s.HalfExtents.Wide()
	// The rotation is the product q̄·p·q, and not the matrix that Box uses.
	q := s.Rotation
	n := math.Sqrt(float64(q.X)*float64(q.X) + float64(q.Y)*float64(q.Y) + float64(q.Z)*float64(q.Z) + float64(q.W)*float64(q.W))
	u, w := DVec3{-float64(q.X) / n, -float64(q.Y) / n, -float64(q.Z) / n}, float64(q.W)/n
	if n == 0 {
		u, w = DVec3{}, 1
	}
	return implicit{s, func(p DVec3) float64 {
		v := p.Sub(c)
		t := u.Cross(v).Mul(2)
		v = v.AddMul(w, t).Add(u.Cross(t))
		return max(math.Abs(v.X)-h.X, math.Abs(v.Y)-h.Y, math.Abs(v.Z)-h.Z)
	}, c, h.Len()}
}

// coordinate draws multiples of limit/8, so that rays meet edges, corners and tangents, and
// arbitrary numbers.
func coordinate(limit float32) *rapid.Generator[float32] {
	return rapid.OneOf(
		rapid.Map(rapid.IntRange(-8, 8), func(i int) float32 { return float32(i) * limit / 8 }),
		rapid.Float32Range(-limit, limit))
}

func point(limit float32) *rapid.Generator[Vec3] {
	return rapid.Custom(func(t *rapid.T) Vec3 {
		c := coordinate(limit)
		return V(c.Draw(t, "x"), c.Draw(t, "y"), c.Draw(t, "z"))
	})
}

func direction() *rapid.Generator[Vec3] {
	return point(4).Filter(func(v Vec3) bool { return v.Len() > 0.01 })
}

func rotation() *rapid.Generator[Quat] {
	return rapid.OneOf(rapid.SampledFrom(rightTurns()), rapid.Custom(func(t *rapid.T) Quat {
		return QuatAxisAngle(direction().Draw(t, "axis"), rapid.Float64Range(-7, 7).Draw(t, "angle"))
	}))
}

func anySolid() *rapid.Generator[implicit] {
	return rapid.Custom(func(t *rapid.T) implicit {
		size := rapid.Map(coordinate(4), abs)
		sizes := rapid.Map(point(4), Vec3.Abs)
		c := point(8).Draw(t, "centre")
		switch rapid.IntRange(0, 5).Draw(t, "kind") {
		case 0:
			return sphereTwin(Sphere{c, size.Draw(t, "radius")})
		case 1:
			return capsuleTwin(Capsule{c, point(8).Draw(t, "end"), size.Draw(t, "radius")})
		case 2:
			return aabbTwin(AABBAround(c, sizes.Draw(t, "half")))
		case 3:
			if cone := (Cone{c, point(8).Draw(t, "end"), size.Draw(t, "radius A"), size.Draw(t, "radius B")}); !cone.IsEmpty() {
				return coneTwin(cone)
			}
		case 4:
			return taperedTwin(TaperedCapsule{c, point(8).Draw(t, "end"), size.Draw(t, "radius A"), size.Draw(t, "radius B")})
		}
		return boxTwin(Box{c, sizes.Draw(t, "half"), rotation().Draw(t, "turn")})
	})
}

func anyRay() *rapid.Generator[Ray] {
	return rapid.Custom(func(t *rapid.T) Ray { return NewRay(point(16).Draw(t, "origin"), direction().Draw(t, "dir")) })
}

// aimedRay draws rays of which half pass the centre of a shape within half its size.
func aimedRay(s implicit) *rapid.Generator[Ray] {
	return rapid.Custom(func(t *rapid.T) Ray {
		r := anyRay().Draw(t, "ray")
		if rapid.Bool().Draw(t, "aimed") {
			target := s.center.Narrow().Add(point(float32(s.reach)).Draw(t, "target").Mul(0.5))
			if d := target.Sub(r.Origin); d.Len() > 0.01 {
				r.Dir = d
			}
		}
		return r
	})
}

// ulps returns the error of n roundings to single precision of numbers up to size: half a unit in
// the last place each. The second summand is the same for denormal numbers.
func ulps(n, size float64) float64 { return n*size*0x1p-24 + 0x1p-140 }

// blur bounds the distance of a hit's point from the surface, in metres: its three coordinates are
// rounded, and are below 16 for the shapes of anySolid.
var blur = ulps(math.Sqrt(3), 16)

// searched bounds the error of a T that lineSpan finds, and of one by formula, in double precision.
// Both are off by less than 1e-12 m in distance (numbers up to 64 m, some dozen roundings of 2⁻⁵³).
// If the line is 0.01 m deep in a shape of 40 m at most, the distance has a slope of at least
// 0.01/40 along it, so the error along the line is below 4e-9 m.
func searched(d Vec3) float64 { return 4e-9 / d.Wide().Len() }

func TestSolidsAgainstImplicit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anySolid().Draw(t, "solid")
		r := aimedRay(s).Draw(t, "ray")
		want, lowest := s.lineSpan(r.Origin.Wide(), r.Dir.Wide())
		enter, exit, ok := s.shape.Crossings(r)
		switch {
		case lowest > blur:
			require.False(t, ok, "the line misses by %g", lowest)
		case lowest < -blur:
			require.True(t, ok, "the line is in by %g", lowest)
		}
		if !ok {
			return
		}
		require.LessOrEqual(t, enter.T, exit.T)
		for _, h := range []Hit{enter, exit} {
			onSurface(t, s, r, h)
		}
		if lowest < -0.01 {
			require.InDelta(t, want.enter, enter.T, ulps(1, math.Abs(want.enter))+searched(r.Dir))
			require.InDelta(t, want.exit, exit.T, ulps(1, math.Abs(want.exit))+searched(r.Dir))
		}
	})
}

// onSurface asserts that a hit lies on the surface, and that its normal points where the distance
// grows.
func onSurface(t *rapid.T, s implicit, r Ray, h Hit) {
	p := h.Point.Wide()
	require.InDelta(t, 0, s.distance(p), blur, "%+v", h)
	requireFacing(t, h, r)
	out := h.Normal.Wide()
	if h.BackFace {
		out = out.Neg()
	}
	require.GreaterOrEqual(t, s.distance(p.AddMul(0.01, out)), -blur, "outside is where the normal points: %+v", h)
}

// requireFacing asserts that the normal of a hit is a unit vector that faces the ray. Its
// components are below 1, so each of the three is rounded by half a unit or less, and Len by one.
// Ray.facing accepts a normal that faces away by 1e-6.
func requireFacing(t require.TestingT, h Hit, r Ray) {
	require.InDelta(t, 1, h.Normal.Len(), ulps(2, 1))
	require.LessOrEqual(t, h.Normal.Wide().Dot(r.Dir.Wide()), (1e-6+ulps(1, 1))*r.Dir.Wide().Len(), "%+v", h)
}

// CastRay must select, of the crossings of the line, the one of the documented rule. The test
// applies the rule to the spans found by search.
func TestSolidsPickByRule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anySolid().Draw(t, "solid")
		r := aimedRay(s).Draw(t, "ray")
		want, lowest := s.lineSpan(r.Origin.Wide(), r.Dir.Wide())
		limit := rapid.Float32Range(0, 10)
		r.MinT, r.MaxT = limit.Draw(t, "MinT"), limit.Draw(t, "MaxT")
		if r.MaxT < r.MinT && r.MaxT != 0 {
			r.MinT, r.MaxT = r.MaxT, r.MinT
		}
		mode := rapid.SampledFrom(modes).Draw(t, "mode")
		lo32, hi32 := r.Range()
		lo, hi := float64(lo32), float64(hi32)
		for _, x := range []float64{want.enter, want.exit} {
			if math.Abs(x-lo) < 0.01 || math.Abs(x-hi) < 0.01 || math.Abs(lowest) < 0.01 {
				return // T may be on either side of the limit
			}
		}
		h, ok := s.shape.CastRay(r, mode)
		if ok {
			checkHit(t, r, h)
		}
		t0, hit, start := 0.0, false, false
		if lowest < 0 {
			starts := want.enter < lo && lo < want.exit
			switch {
			case lo < want.enter && want.enter < hi:
				t0, hit = want.enter, true
			case starts && mode == Solid:
				t0, hit, start = lo, true, true
			case starts && mode == Exit && want.exit < hi:
				t0, hit = want.exit, true
			}
		}
		require.Equal(t, hit, ok, "%v in %v", want, r)
		if ok {
			require.Equal(t, start, h.Inside)
			require.InDelta(t, t0, h.T, ulps(1, math.Abs(t0))+searched(r.Dir))
		}
	})
}

// The reversed ray meets the same surfaces in the opposite order, to the last bit; the length of
// Dir only scales T.
func TestSolidsReversedAndScaled(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anySolid().Draw(t, "solid")
		r := aimedRay(s).Draw(t, "ray")
		enter, exit, ok := s.shape.Crossings(r)

		back := NewRay(r.Origin, r.Dir.Neg())
		enter2, exit2, ok2 := s.shape.Crossings(back)
		require.Equal(t, ok, ok2)
		if ok {
			require.Equal(t, -exit.T+0, enter2.T)
			require.Equal(t, -enter.T+0, exit2.T)
			require.Equal(t, exit.Point, enter2.Point)
			require.Equal(t, enter.Point, exit2.Point)
		}

		k := rapid.SampledFrom([]float32{1. / (1 << 40), 0.5, 4, 1 << 40}).Draw(t, "scale")
		if r.Dir.Mul(k).Mul(1/k) != r.Dir {
			return // a component became denormal and lost digits
		}
		enter2, exit2, ok2 = s.shape.Crossings(NewRay(r.Origin, r.Dir.Mul(k)))
		require.Equal(t, ok, ok2)
		if ok && !tiny(enter2.T) && !tiny(exit2.T) {
			require.Equal(t, enter.T, enter2.T*k)
			require.Equal(t, exit.T, exit2.T*k)
			require.Equal(t, enter.Normal, enter2.Normal)
			require.Equal(t, exit.Normal, exit2.Normal)
		}
	})
}

// tiny reports whether a number is denormal, and has fewer digits, or zero.
func tiny(x float32) bool { return abs(x) < 1.2e-38 }

// Planes and triangles against formulas of another form.
func TestSurfacesAgainstTwins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Plane{point(4).Draw(t, "normal"), coordinate(8).Draw(t, "D")}
		a := Plane{rapid.SampledFrom([]Axis{X, Y, Z}).Draw(t, "axis").Unit(), coordinate(8).Draw(t, "offset")}
		tri := Triangle{point(8).Draw(t, "A"), point(8).Draw(t, "B"), point(8).Draw(t, "C")}
		r := anyRay().Draw(t, "ray")
		cull := rapid.SampledFrom([]Cull{CullNone, CullBack, CullFront}).Draw(t, "cull")
		for _, s := range []surface{p, a, tri} {
			h, ok := s.CastRay(r, cull)
			if ok {
				checkHit(t, r, h)
				require.False(t, cull.Culls(h.BackFace))
				requireFacing(t, h, r)
			}
			both, ok2 := s.CastRay(r, CullNone)
			require.Equal(t, ok2 && !cull.Culls(both.BackFace), ok, "culling only leaves out")
			if ok {
				require.Equal(t, both, h)
			}
			faster, ok2 := s.CastRay(NewRay(r.Origin, r.Dir.Mul(2)), cull)
			if ok2 && faster.T > 1e38 {
				continue // 2·T overflows single precision
			}
			require.Equal(t, ok, ok2)
			if ok && !tiny(faster.T) {
				require.Equal(t, h.T, 2*faster.T)
			}
		}
		planeTwin(t, p, r)
		planeTwin(t, a, r)
		triangleTwin(t, tri, r)
	})
}

// planeTwin compares with the sides of the plane on which the ray starts and on which it is at
// T = 1e6.
func planeTwin(t *rapid.T, p Plane, r Ray) {
	h, ok := p.CastRay(r, CullNone)
	if ok {
		// The three coordinates of the point are rounded. 1e-12 is for double precision: T is the
		// quotient of numbers up to 300, with some dozen roundings of 2⁻⁵³.
		off := p.Normal.Wide().Dot(h.Point.Wide()) - float64(p.D)
		n := p.Normal.Wide().Len()
		require.InDelta(t, 0, off/n, ulps(1, h.Point.Wide().Len())+1e-12*(1+1/n), "%v is off %v", h.Point, p)
	}
	side := func(at float64) float64 {
		return p.Normal.Wide().Dot(r.Origin.Wide().AddMul(at, r.Dir.Wide())) - float64(p.D)
	}
	// A hit at T = 1e6, where T is rounded by up to 0.04, has a rate below 300/1e6: there end is
	// below 2e-5.
	start, end := side(0), side(1e6)
	if math.Abs(start) > 1e-3 && math.Abs(end) > 1e-3 {
		require.Equal(t, start*end < 0, ok && h.T < 1e6, "from %g to %g", start, end)
		if ok {
			require.Equal(t, start < 0, h.BackFace)
		}
	}
}

// mollerTrumbore is the test of Möller and Trumbore (1997, "Fast, minimum storage ray–triangle
// intersection") in double precision.
func mollerTrumbore(tri Triangle, r Ray) (at, u, v, det float64) {
	a, d := tri.A.Wide(), r.Dir.Wide()
	e1, e2, s := tri.B.Wide().Sub(a), tri.C.Wide().Sub(a), r.Origin.Wide().Sub(a)
	p := d.Cross(e2)
	det = e1.Dot(p)
	q := s.Cross(e1)
	return e2.Dot(q) / det, s.Dot(p) / det, d.Dot(q) / det, det
}

// weightError bounds the error of the weights that TriangleCaster computes, and that of T.
//
// All corners are within m of the origin on every axis, and u = 2⁻²⁴ is a rounding. A sheared
// coordinate is below 2m, and six roundings of numbers up to m are in it: it is off by 6m·u. Each
// of the two products of an edge function is then off by 2·2m·6m·u + 4m²·u = 28m²·u, and the edge
// function, with the rounding of the difference, by 64m²·u. A weight is one edge function divided
// by the sum of the three, twice the sheared area: a weight between −1 and 2 is off by less than
// 400m²·u/area.
//
// T is the mean of three numbers up to m/|dir| with these weights. It is computed in double
// precision, and rounded once, unless the ray passes outside of an edge by less than single
// precision notices. Then it is computed in single precision: atEdge.
func weightError(tri Triangle, r Ray) (weight, at, atEdge float64) {
	d := r.Dir.Abs()
	longest := float64(max(d.X, d.Y, d.Z))
	m := 0.0
	for _, c := range [3]Vec3{tri.A, tri.B, tri.C} {
		p := c.Wide().Sub(r.Origin.Wide()).abs()
		m = max(m, p.X, p.Y, p.Z)
	}
	area := math.Abs(tri.cross().Dot(r.Dir.Wide())) / longest
	weight = ulps(400, m*m) / area
	return weight, 400 * 0x1p-53 * m * m / area * 3 * m / longest, weight * 3 * m / longest
}

// triangleTwin compares with Möller and Trumbore's test, unless rounding may decide.
func triangleTwin(t *rapid.T, tri Triangle, r Ray) {
	at, u, v, det := mollerTrumbore(tri, r)
	h, ok := tri.CastRay(r, CullNone)
	requireWeights(t, tri, r, [3]float64{1 - u - v, u, v}, at, det < 0, h, ok)
}

// requireWeights asserts that a cast returned what weights and T, computed in double precision,
// say. It asserts nothing where rounding may decide.
func requireWeights(t require.TestingT, tri Triangle, r Ray, w [3]float64, at float64, back bool, h Hit, ok bool) {
	edge, late, lateAtEdge := weightError(tri, r)
	if !(edge < 0.25) {
		return // too thin, or seen too nearly edge-on
	}
	inner := min(w[0], w[1], w[2])
	if inner <= edge {
		late = lateAtEdge
	}
	late += ulps(1, math.Abs(at))
	_, hi := r.Range()
	switch {
	case inner < -edge || at < -late || at > float64(hi)+late:
		require.False(t, ok, "%g %v", at, w)
	case inner > edge && at > late && at < float64(hi)-late:
		require.True(t, ok, "%g %v", at, w)
		require.InDelta(t, at, h.T, late)
		require.InDelta(t, w[1], h.U, edge)
		require.InDelta(t, w[2], h.V, edge)
		require.Equal(t, back, h.BackFace)
	}
}

// Casting from a point moved along the ray moves T by as much.
func TestSolidsShiftedOrigin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anySolid().Draw(t, "solid")
		r := aimedRay(s).Draw(t, "ray")
		_, lowest := s.lineSpan(r.Origin.Wide(), r.Dir.Wide())
		if lowest > -0.01 {
			return
		}
		by := rapid.Float32Range(-3, 3).Draw(t, "by")
		a, b, ok := s.shape.Crossings(r)
		start := r.At(by)
		a2, b2, ok2 := s.shape.Crossings(NewRay(start, r.Dir))
		require.True(t, ok && ok2)
		// The new origin is rounded, which moves the line sideways by that much. The line is at
		// least 0.009 m deep in a shape of 40 m at most, so that the surface has a slope of more
		// than 0.009/40 along it.
		moved := (ulps(math.Sqrt(3), start.Wide().Len())*40/0.009)/r.Dir.Wide().Len() + searched(r.Dir)
		for _, x := range [2][2]Hit{{a, a2}, {b, b2}} {
			rounded := ulps(1, math.Abs(float64(x[0].T))+math.Abs(float64(x[1].T)))
			require.InDelta(t, float64(x[0].T)-float64(by), float64(x[1].T), moved+rounded, fmt.Sprint(s.shape))
		}
	})
}

package geom

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The brute-force twin of every ray test: a shape is described anew by its signed distance, which
// along a line is a convex function of T. Its lowest point and the two zeros beside it are found by
// search, not by a formula.

type implicit struct {
	shape    solid
	distance func(p DVec3) float64 // negative inside; any function that grows to the outside will do
	center   DVec3
	reach    float64 // no point of the shape is further from center
}

// lineSpan searches the stretch of the line o + t·d in the shape. lowest is the least distance on
// the line.
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
		// The nearest of the segment's points, by the three cases.
		switch {
		case p.Sub(a).Dot(b.Sub(a)) <= 0:
			return p.Sub(a).Len() - r
		case p.Sub(b).Dot(a.Sub(b)) <= 0:
			return p.Sub(b).Len() - r
		}
		return p.Sub(a).Cross(b.Sub(a)).Len()/b.Sub(a).Len() - r
	}, a.Add(b).Mul(0.5), r + b.Sub(a).Len()}
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
	// The rotation by the sandwich product q̄·p·q, not by the matrix the box uses.
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

// coordinate draws numbers of which many coincide, so that rays meet edges, corners and tangents,
// and many do not.
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
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			return sphereTwin(Sphere{c, size.Draw(t, "radius")})
		case 1:
			return capsuleTwin(Capsule{c, point(8).Draw(t, "end"), size.Draw(t, "radius")})
		case 2:
			return aabbTwin(AABBAround(c, sizes.Draw(t, "half")))
		}
		return boxTwin(Box{c, sizes.Draw(t, "half"), rotation().Draw(t, "turn")})
	})
}

func anyRay() *rapid.Generator[Ray] {
	return rapid.Custom(func(t *rapid.T) Ray { return NewRay(point(16).Draw(t, "origin"), direction().Draw(t, "dir")) })
}

// aimedRay goes through a point near the middle of a shape, so that most rays hit.
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

const blur = 1e-5 // what single precision leaves of coordinates up to 30

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
			require.InDelta(t, want.enter, enter.T, blur*(1+math.Abs(want.enter))/float64(r.Dir.Len()))
			require.InDelta(t, want.exit, exit.T, blur*(1+math.Abs(want.exit))/float64(r.Dir.Len()))
		}
	})
}

// onSurface asserts that a hit lies on the surface, and that its normal points where the distance
// grows.
func onSurface(t *rapid.T, s implicit, r Ray, h Hit) {
	p := h.Point.Wide()
	require.InDelta(t, 0, s.distance(p), blur, "%+v", h)
	require.InDelta(t, 1, h.Normal.Len(), 1e-6)
	require.LessOrEqual(t, h.Normal.Wide().Dot(r.Dir.Wide()), 1e-5*float64(r.Dir.Len()), "%+v", h)
	out := h.Normal.Wide()
	if h.BackFace {
		out = out.Neg()
	}
	require.GreaterOrEqual(t, s.distance(p.AddMul(0.01, out)), -blur, "outside is where the normal points: %+v", h)
}

// CastRay must pick, of the crossings of the line, what the rule says: here the rule is written out
// a second time, over the spans that were searched for.
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
				return // too close to call
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
			require.InDelta(t, t0, h.T, blur*(1+math.Abs(t0))/min(1, float64(r.Dir.Len())))
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
			return // a component became too small for all its digits
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

// tiny tells that a number has fewer digits than others of its kind, or is zero.
func tiny(x float32) bool { return abs(x) < 1.2e-38 }

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
				require.LessOrEqual(t, h.Normal.Wide().Dot(r.Dir.Wide()), 1e-6*float64(r.Dir.Len()))
			}
			both, ok2 := s.CastRay(r, CullNone)
			require.Equal(t, ok2 && !cull.Culls(both.BackFace), ok, "culling only leaves out")
			if ok {
				require.Equal(t, both, h)
			}
			faster, ok2 := s.CastRay(NewRay(r.Origin, r.Dir.Mul(2)), cull)
			if ok2 && faster.T > 1e38 {
				continue // twice as much is beyond single precision
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

// planeTwin compares with the side of the plane on which the ray starts and where it is much later.
func planeTwin(t *rapid.T, p Plane, r Ray) {
	h, ok := p.CastRay(r, CullNone)
	if ok {
		off := p.Normal.Wide().Dot(h.Point.Wide()) - float64(p.D)
		n := p.Normal.Wide().Len()
		scale := 1 + h.Point.Wide().Len()
		require.InDelta(t, 0, off/n, 1e-6*scale, "%v is off %v", h.Point, p)
	}
	side := func(at float64) float64 {
		return p.Normal.Wide().Dot(r.Origin.Wide().AddMul(at, r.Dir.Wide())) - float64(p.D)
	}
	start, end := side(0), side(1e6)
	if math.Abs(start) > 1e-3 && math.Abs(end) > 1e-3 {
		require.Equal(t, start*end < 0, ok && h.T < 1e6, "from %g to %g", start, end)
		if ok {
			require.Equal(t, start < 0, h.BackFace)
		}
	}
}

// mollerTrumbore is the textbook's test in double precision (Möller and Trumbore 1997), which is
// right except near an edge.
func mollerTrumbore(tri Triangle, r Ray) (at, u, v, det float64) {
	a, d := tri.A.Wide(), r.Dir.Wide()
	e1, e2, s := tri.B.Wide().Sub(a), tri.C.Wide().Sub(a), r.Origin.Wide().Sub(a)
	p := d.Cross(e2)
	det = e1.Dot(p)
	q := s.Cross(e1)
	return e2.Dot(q) / det, s.Dot(p) / det, d.Dot(q) / det, det
}

func triangleTwin(t *rapid.T, tri Triangle, r Ray) {
	at, u, v, det := mollerTrumbore(tri, r)
	// How squarely the ray meets the triangle, as a fraction: near zero either method may err.
	if math.Abs(det) < 0.05*tri.cross().Len()*r.Dir.Wide().Len() || tri.cross().Len() < 0.05 {
		return
	}
	const edge = 1e-3
	inner := min(u, v, 1-u-v)
	h, ok := tri.CastRay(r, CullNone)
	switch {
	case inner < -edge || at < -edge:
		require.False(t, ok, "%g %g %g", at, u, v)
	case inner > edge && at > edge:
		require.True(t, ok, "%g %g %g", at, u, v)
		require.InEpsilon(t, at, h.T, 1e-2)
		require.InDelta(t, at, h.T, 1e-3*(1+at))
		require.InDelta(t, u, h.U, edge)
		require.InDelta(t, v, h.V, edge)
		require.Equal(t, det < 0, h.BackFace)
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
		a2, b2, ok2 := s.shape.Crossings(NewRay(r.At(by), r.Dir))
		require.True(t, ok && ok2)
		tolerance := 1e-3 / min(1, float64(r.Dir.Len()))
		require.InDelta(t, a.T-by, a2.T, tolerance, fmt.Sprint(s.shape))
		require.InDelta(t, b.T-by, b2.T, tolerance, fmt.Sprint(s.shape))
	})
}

package geom

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
)

//	_______
//
// |   B   |    y = 2     radius 5
// |   |   |
// |___A___|    y = −2
//
//	   B        y = 4     radius 3 at A, none at B
//	  / \
//	 /   \
//	/__A__\     y = 0
var (
	can    = Cylinder(V(0, -2, 0), V(0, 2, 0), 5)
	pyre   = Cone{V(0, 0, 0), V(0, 4, 0), 3, 0}
	bucket = Cone{V(0, 0, 0), V(0, 4, 0), 1, 4} // its side is at 3 to 4
)

func TestConeCastRay(t *testing.T) {
	thin := Cylinder(V(0, -2, 0), V(0, 2, 0), 0)
	slanted := Cylinder(V(-3, 0, -4), V(3, 0, 4), 5)
	coin := Cylinder(V(0, 0, 0), V(0, 0.25, 0), 4)
	runLines(t, []lineCase{
		{"cylinder, across", can, V(-12, 0, 0), V(1, 0, 0), 7, 17, V(-1, 0, 0), V(1, 0, 0)},
		{"cylinder, across, off the axis, 3-4-5", can, V(-12, 1, 3), V(1, 0, 0), 8, 16, V(-0.8, 0, 0.6), V(0.8, 0, 0.6)},
		{"cylinder, along the axis", can, V(0, 6, 0), V(0, -1, 0), 4, 8, V(0, 1, 0), V(0, -1, 0)},
		{"cylinder, beside the axis", can, V(3, 6, 0), V(0, -2, 0), 2, 4, V(0, 1, 0), V(0, -1, 0)},
		{"cylinder, tangent across", can, V(-4, 1, 5), V(1, 0, 0), 4, 4, V(0, 0, 1), V(0, 0, 1)},
		{"cylinder, along its side", can, V(5, -4, 0), V(0, 1, 0), 2, 6, V(0, -1, 0), V(0, 1, 0)},
		{"cylinder, in by a cap, out by the side", can, V(-1, 8, 0), V(1, -2, 0), 3, 5, V(0, 1, 0), V(0, -1, 0)},
		{"cylinder, in its cap", can, V(-12, 2, 3), V(1, 0, 0), 8, 16, V(-0.8, 0, 0.6), V(0.8, 0, 0.6)},
		{"slanted, along the axis", slanted, V(-12, 0, -16), V(3, 0, 4), 3, 5, V(-0.6, 0, -0.8), V(0.6, 0, 0.8)},
		{"slanted, from above", slanted, V(0, 10, 0), V(0, -1, 0), 5, 15, V(0, 1, 0), V(0, -1, 0)},
		{"coin, flat", coin, V(1, 2, 1), V(0, -1, 0), 1.75, 2, V(0, 1, 0), V(0, -1, 0)},
		{"coin, on edge", coin, V(-8, 0.125, 0), V(1, 0, 0), 4, 12, V(-1, 0, 0), V(1, 0, 0)},
		{"cone, along the axis", pyre, V(0, -4, 0), V(0, 1, 0), 4, 8, V(0, -1, 0), Vec3{}},
		{"cone, beside the axis", pyre, V(1.5, 8, 0), V(0, -1, 0), 6, 8, V(0.8, 0.6, 0), V(0, -1, 0)},
		{"cone, across", pyre, V(-8, 2, 0), V(1, 0, 0), 6.5, 9.5, V(-0.8, 0.6, 0), V(0.8, 0.6, 0)},
		{"cone, in its base", pyre, V(-8, 0, 0), V(1, 0, 0), 5, 11, V(-0.8, 0.6, 0), V(0.8, 0.6, 0)},
		{"cone, along its side", pyre, V(6, -4, 0), V(-0.75, 1, 0), 4, 8, V(0, -1, 0), Vec3{}},
		{"cone, parallel to its side", pyre, V(4.5, -4, 0), V(-0.75, 1, 0), 4, 7, V(0, -1, 0), V(-0.8, 0.6, 0)},
		{"cone, at the apex", pyre, V(-2, 4, 0), V(1, 0, 0), 2, 2, Vec3{}, Vec3{}},
		{"cone, steeply by the apex", pyre, V(-0.5, 6, 0), V(0.25, -1, 0), 2, 6, Vec3{}, V(0, -1, 0)},
		{"frustum, across", bucket, V(-8, 2, 0), V(1, 0, 0), 5.5, 10.5, V(-0.8, -0.6, 0), V(0.8, -0.6, 0)},
		{"frustum, from below", bucket, V(2.5, -4, 0), V(0, 1, 0), 6, 8, V(0.8, -0.6, 0), V(0, 1, 0)},
		{"frustum, along its side", bucket, V(-2, -4, 0), V(0.75, 1, 0), 4, 8, V(0, -1, 0), V(0, 1, 0)},
		{"zero radius, across", thin, V(-4, 1, 0), V(1, 0, 0), 4, 4, V(-1, 0, 0), V(1, 0, 0)},
		{"zero radius, along", thin, V(0, -4, 0), V(0, 1, 0), 2, 6, V(0, -1, 0), V(0, 1, 0)},
	})
}

func TestConeMisses(t *testing.T) {
	runMisses(t, []missCase{
		{"beside, across", can, V(-8, 0, 5.125), V(1, 0, 0)},
		{"beside, along", can, V(5.125, -4, 0), V(0, 1, 0)},
		{"over a cap", can, V(-8, 2.125, 0), V(1, 0, 0)},
		{"through the corner its box has", can, V(4.5, -8, 4.5), V(0, 1, 0)},
		{"over the apex", pyre, V(-8, 4.125, 0), V(1, 0, 0)},
		{"through the other nappe", pyre, V(-8, 6, 0), V(1, 0, 0)},
		{"beside the side", pyre, V(6.125, -4, 0), V(-0.75, 1, 0)},
		{"beside a steep side", pyre, V(-8, 3, 0.875), V(1, 0, 0)},
		{"no axis", Cylinder(V(0, 0, 0), V(0, 0, 0), 1), V(-4, 0, 0), V(1, 0, 0)},
		{"negative radius", Cone{V(0, -2, 0), V(0, 2, 0), 1, -1}, V(-4, 0, 0), V(1, 0, 0)},
		{"NaN radius", Cone{V(0, -2, 0), V(0, 2, 0), nan, 1}, V(-4, 0, 0), V(1, 0, 0)},
		{"infinite radius", Cone{V(0, -2, 0), V(0, 2, 0), 1, inf}, V(-4, 0, 0), V(1, 0, 0)},
		{"NaN end", Cone{V(0, -2, nan), V(0, 2, 0), 1, 1}, V(-4, 0, 0), V(1, 0, 0)},
		{"infinite end", Cone{V(0, -2, 0), V(0, inf, 0), 1, 1}, V(-4, 0, 0), V(1, 0, 0)},
	})
}

func TestTaperedCapsuleCastRay(t *testing.T) {
	// The side of the first leans by 3 to 4 and touches the balls where y is 3 and 6.75.
	pear := TaperedCapsule{V(0, 0, 0), V(0, 6.25, 0), 5, 1.25}
	same := TaperedCapsule{V(0, -8, 0), V(0, 8, 0), 5, 5}
	inner := TaperedCapsule{V(1, 2, 3), V(1, 3, 3), 5, 1}
	runLines(t, []lineCase{
		{"along the axis", pear, V(0, 10, 0), V(0, -1, 0), 2.5, 15, V(0, 1, 0), V(0, -1, 0)},
		{"through the large ball", pear, V(-8, -3, 0), V(1, 0, 0), 4, 12, V(-0.8, -0.6, 0), V(0.8, -0.6, 0)},
		{"where ball and side meet", pear, V(-8, 3, 0), V(1, 0, 0), 4, 12, V(-0.8, 0.6, 0), V(0.8, 0.6, 0)},
		{"across the side", pear, V(-8, 5, 0), V(1, 0, 0), 5.5, 10.5, V(-0.8, 0.6, 0), V(0.8, 0.6, 0)},
		{"beside the axis, 3-4-5", same, V(3, 20, 0), V(0, -1, 0), 8, 32, V(0.6, 0.8, 0), V(0.6, -0.8, 0)},
		{"a ball that contains the other", inner, V(-9, 5, 3), V(1, 0, 0), 6, 14, V(-0.8, 0.6, 0), V(0.8, 0.6, 0)},
	})
	runMisses(t, []missCase{
		{"over it", pear, V(-8, 7.625, 0), V(1, 0, 0)},
		{"beside the side, within its box", pear, V(-8, 5, 3), V(1, 0, 0)},
		{"negative radius", TaperedCapsule{V(0, -2, 0), V(0, 2, 0), 1, -1}, V(-4, 0, 0), V(1, 0, 0)},
		{"NaN radius", TaperedCapsule{V(0, -2, 0), V(0, 2, 0), nan, 1}, V(-4, 0, 0), V(1, 0, 0)},
		{"infinite end", TaperedCapsule{V(0, -2, 0), V(0, inf, 0), 1, 1}, V(-4, 0, 0), V(1, 0, 0)},
	})
}

// rat is an exact vector.
type rat [3]*big.Rat

func exactly(v Vec3) (r rat) {
	for i, x := range v.Array() {
		r[i] = new(big.Rat).SetFloat64(float64(x))
	}
	return r
}

func (a rat) addMul(t *big.Rat, b rat) (r rat) {
	for i := range r {
		r[i] = new(big.Rat).Mul(t, b[i])
		r[i].Add(r[i], a[i])
	}
	return r
}

func (a rat) dot(b rat) *big.Rat {
	sum := new(big.Rat)
	for i := range a {
		sum.Add(sum, new(big.Rat).Mul(a[i], b[i]))
	}
	return sum
}

// The spans of lines in cones have a certificate in exact arithmetic: both ends are in the cone
// grown by rounding, and not in the cone shrunk by it.
func TestConeSpanIsExact(t *testing.T) {
	r := testenv.Rand(31, 7)
	f := func(n float32) float32 { return float32(r.NormFloat64()) * n }
	minus, hits := big.NewRat(-1, 1), 0
	for range 300 {
		c := Cone{V(f(1), f(1), f(1)), V(f(1), f(1), f(1)), abs(f(1)), abs(f(1))}
		far := float32(math.Pow(10, 4*r.Float64()))
		switch r.IntN(4) {
		case 0:
			c.RadiusB = 0
		case 1:
			c.RadiusB = c.RadiusA
		}
		target := c.A.Add(c.B.Sub(c.A).Mul(r.Float32())).Add(V(f(0.4), f(0.4), f(0.4)))
		o := V(f(far), f(far), f(far))
		line := NewRay(o, target.Sub(o))
		switch r.IntN(6) {
		case 0: // along the axis, all but parallel to the sides of cylinders
			line.Dir = c.B.Sub(c.A)
			line.Origin = target
		case 1: // along a side
			b := across(c.B.Sub(c.A).Wide()).Mul(float64(c.RadiusA)).Narrow()
			line.Origin, line.Dir = c.A.Add(b), c.B.Sub(c.A).Add(b.Mul(c.RadiusB/max(c.RadiusA, 1e-9)-1))
		}
		a, d, start := exactly(c.A), exactly(line.Dir), exactly(line.Origin)
		way := exactly(c.B).addMul(minus, a)
		ee, k := way.dot(way), new(big.Rat).SetFloat64(float64(c.RadiusB)-float64(c.RadiusA))
		// within reports whether the point at x is in the cone grown by a distance, or shrunk.
		within := func(x, grown float64) bool {
			p := start.addMul(new(big.Rat).SetFloat64(x), d).addMul(minus, a)
			at, l := p.dot(way), c.B.wide().Sub(c.A.wide()).Len()
			beyond := new(big.Rat).SetFloat64(grown * l)
			if new(big.Rat).Add(at, beyond).Sign() < 0 || at.Cmp(new(big.Rat).Add(ee, beyond)) > 0 {
				return false
			}
			// |p×e|² = |p|²|e|² − (p·e)²
			away := new(big.Rat).Mul(p.dot(p), ee)
			away.Sub(away, new(big.Rat).Mul(at, at))
			radius := new(big.Rat).SetFloat64(float64(c.RadiusA))
			radius.Mul(radius, ee).Add(radius, new(big.Rat).Mul(k, at))
			slant := math.Hypot(l, float64(c.RadiusB)-float64(c.RadiusA)) / l
			radius.Add(radius, new(big.Rat).Mul(ee, new(big.Rat).SetFloat64(grown*slant)))
			return radius.Sign() >= 0 && away.Mul(away, ee).Cmp(radius.Mul(radius, radius)) <= 0
		}
		s, _, _ := c.span(line.Origin.wide(), line.Dir.wide())
		if !(s.enter <= s.exit) {
			// Nowhere: no point of the line within the cone is found near it.
			mid := c.A.Wide().Add(c.B.Wide()).Mul(0.5)
			at := mid.Sub(line.Origin.wide()).Dot(line.Dir.wide()) / line.Dir.wide().Dot(line.Dir.wide())
			reach := (c.B.Sub(c.A).wide().Len() + float64(c.RadiusA+c.RadiusB)) / line.Dir.wide().Len()
			for i := range 41 {
				require.False(t, within(at+reach*float64(i-20)/20, 0), "%#v %v", c, line)
			}
			continue
		}
		hits++
		// Both ends are on the surface, to some dozen roundings of the square of the coordinates
		// and lengths, over the radius there; within the root of the roundings of the apex, to that
		// root. The middle is inside.
		size := line.Origin.wide().Len() + c.A.wide().Len() + c.B.Sub(c.A).wide().Len() + float64(c.RadiusA+c.RadiusB)
		e, off := c.B.wide().Sub(c.A.wide()).Normalize(), 0.0
		for _, x := range []float64{s.enter, s.exit} {
			radius := line.at(x).Sub(c.A.wide()).Cross(e).Len()
			off = 64 * 0x1p-53 * size * size / max(radius, 8*0x1p-26*size)
			require.True(t, within(x, off), "%#v %v %v", c, line, s)
			require.False(t, within(x, -off), "%#v %v %v", c, line, s)
		}
		require.True(t, within((s.enter+s.exit)/2, off), "%#v %v %v", c, line, s)
	}
	testenv.Drawn(t, hits, 140)
}

// across returns a unit vector across v.
func across(v DVec3) DVec3 {
	n := v.Cross(DVec3{X: v.Y, Y: v.Z, Z: -v.X})
	return n.Normalize()
}

func TestConeBounds(t *testing.T) {
	assert.Equal(t, AABB{V(-5, -2, -5), V(5, 2, 5)}, can.Bounds().Grow(0).roundedIn())
	for _, c := range []Cone{can, pyre, bucket, {V(1, 2, 3), V(4, -2, 5), 2, 0.5}} {
		b := c.Bounds()
		e := c.B.Wide().Sub(c.A.Wide()).Normalize()
		x := across(e)
		y := e.Cross(x)
		for i := range 1000 {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / 1000)
			n := x.Mul(cos).AddMul(sin, y)
			for _, p := range []Vec3{c.A.Wide().AddMul(float64(c.RadiusA), n).Narrow(), c.B.Wide().AddMul(float64(c.RadiusB), n).Narrow()} {
				require.Zero(t, b.Grow(2e-7*p.Len()).Distance(p))
			}
		}
		// Each face touches the cone: 1000 points a rim are within 2π²/1000² of it.
		for _, n := range []DVec3{{X: 1}, {Y: 1}, {Z: 1}, {X: -1}, {Y: -1}, {Z: -1}} {
			side := n.Sub(e.Mul(e.Dot(n))).Len()
			want := max(c.A.Wide().Dot(n)+side*float64(c.RadiusA), c.B.Wide().Dot(n)+side*float64(c.RadiusB))
			got := max(b.Min.Wide().Dot(n), b.Max.Wide().Dot(n))
			require.InDelta(t, want, got, 1e-6)
		}
	}
}

// roundedIn undoes the rounding outward of a box with whole numbers.
func (b AABB) roundedIn() AABB {
	whole := func(v Vec3) Vec3 {
		r := func(x float32) float32 { return float32(math.Round(float64(x))) }
		return V(r(v.X), r(v.Y), r(v.Z))
	}
	return AABB{whole(b.Min), whole(b.Max)}
}

// The closest point of a convex shape has a certificate: it is in the shape, and no point of the
// shape is further along the way from it. Within, the signed distance is the least way to a plane
// that touches the shape.
func TestConeDistances(t *testing.T) {
	r := testenv.Rand(32, 7)
	f := func() float32 { return float32(r.NormFloat64()) }
	inside := 0
	for i := range 3000 {
		a, b, ra, rb := V(f(), f(), f()), V(f(), f(), f()), abs(f()), abs(f())
		e := b.Wide().Sub(a.Wide()).Normalize()
		type solid interface {
			ClosestPoint(Vec3) Vec3
			Contains(Vec3) bool
			Distance(Vec3) float32
			SignedDistance(Vec3) float32
		}
		var s solid = TaperedCapsule{a, b, ra, rb}
		reach := func(n DVec3) float64 {
			return max(a.Wide().Dot(n)+float64(ra), b.Wide().Dot(n)+float64(rb))
		}
		if i%2 == 0 {
			switch i / 2 % 4 {
			case 0:
				rb = 0
			case 1:
				rb = ra
			}
			s = Cone{a, b, ra, rb}
			reach = func(n DVec3) float64 {
				flat := n.Cross(e).Len()
				return max(a.Wide().Dot(n)+flat*float64(ra), b.Wide().Dot(n)+flat*float64(rb))
			}
		}
		p := a.Add(b.Sub(a).Mul(r.Float32())).Add(V(f(), f(), f()))
		c, d := s.ClosestPoint(p), float64(s.SignedDistance(p))
		require.Equal(t, s.Distance(p), max(0, float32(d)))
		size := a.Wide().Len() + b.Wide().Len() + float64(ra+rb) + p.Wide().Len()
		off := ulps(4, size)
		if require.Equal(t, d <= 0, s.Contains(p)); d <= 0 {
			inside++
			require.Equal(t, p, c)
			least := math.Inf(1)
			for range 300 {
				n := V(f(), f(), f()).Wide().Normalize()
				if i%2 == 0 && r.IntN(100) == 0 {
					n = e
				}
				least = min(least, reach(n)-p.Wide().Dot(n))
			}
			require.LessOrEqual(t, -d, least+off, "%#v %v", s, p)
			// So deep it is: a plane as near touches the shape. Its normal is in the plane of the
			// axis and the point.
			x := p.Wide().Sub(a.Wide())
			y := x.AddMul(-x.Dot(e), e).Normalize()
			way := func(angle float64) float64 {
				sin, cos := math.Sincos(angle)
				n := y.Mul(cos).AddMul(sin, e)
				return reach(n) - p.Wide().Dot(n)
			}
			const steps = 60
			least = math.Inf(1)
			for k := range steps {
				lo, hi := math.Pi*(float64(k)/steps-0.5), math.Pi*(float64(k+1)/steps-0.5)
				least = min(least, way(lo), way(hi))
				for range 60 {
					if m, n := lo+(hi-lo)/3, hi-(hi-lo)/3; way(m) < way(n) {
						hi = n
					} else {
						lo = m
					}
				}
				least = min(least, way(lo))
			}
			require.InDelta(t, -d, least, off, "%#v %v", s, p)
			continue
		}
		n := p.Wide().Sub(c.Wide())
		require.InDelta(t, d, n.Len(), off)
		require.LessOrEqual(t, float64(s.Distance(c)), off)
		if n.Len() > 100*off {
			n = n.Normalize()
			require.InDelta(t, reach(n), c.Wide().Dot(n), off*(1+size/d), "%#v %v", s, p)
		}
	}
	testenv.Drawn(t, inside, 300)
	for _, s := range []interface {
		SignedDistance(Vec3) float32
		Contains(Vec3) bool
		ClosestPoint(Vec3) Vec3
	}{Cone{RadiusA: 1}, TaperedCapsule{RadiusA: -1}} {
		assert.True(t, math.IsInf(float64(s.SignedDistance(Vec3{})), 1))
		assert.False(t, s.Contains(Vec3{}))
		assert.False(t, s.ClosestPoint(Vec3{}).IsFinite())
	}
}

// TestShortCones casts rays at cones whose discs nearly touch: where a ray misses the larger disc
// by a tenth, it misses the cone, however steep the side is.
func TestShortCones(t *testing.T) {
	for _, length := range []float32{1e-2, 1e-4, 1e-7, 1e-8, 1e-9, 1e-12, 1e-16, 1e-30} {
		for _, dir := range []Vec3{V(0, 0, -1), V(0.3, 0.1, -1), V(-2, 1, -1)} {
			c := Cone{RadiusA: 2, B: V(0, 0, -length), RadiusB: 1}
			for _, at := range []Vec3{V(1.9, 0, 0), V(0, -1.9, 0), V(1.14, 1.52, 0), V(2.2, 0, 0), V(0, -2.2, 0), V(1.32, 1.76, 0)} {
				r := NewRay(at.Sub(dir.Mul(7)), dir)
				h, ok := c.CastRay(r, Solid)
				assert.Equal(t, at.Len() < 2, ok, "length %v, dir %v, at %v", length, dir, at)
				if ok {
					assert.InDelta(t, 7, h.T, 1e-5)
					assert.Equal(t, V(0, 0, 1), h.Normal)
				}
			}
		}
	}
}

// A ray through a tapered capsule that ends in a point at A or at B, at a right angle to its axis.
// The side touches the ball: its angle with the axis has the sine 3/5.
func TestTaperedToAPoint(t *testing.T) {
	for _, c := range []TaperedCapsule{{V(0, 0, 0), V(0, 5, 0), 0, 3}, {V(0, 5, 0), V(0, 0, 0), 3, 0}} {
		h, _, ok := c.Crossings(NewRay(V(-9, 2, 0), V(1, 0, 0)))
		require.True(t, ok)
		assert.InDelta(t, 9-2*0.75, h.T, 1e-5)
		assert.InDelta(t, 0, h.Normal.Sub(V(-0.8, -0.6, 0)).Len(), 1e-5)
	}
}

// A tapered capsule one metre long has both of its ends.
func TestTaperedCapsuleOfLengthOne(t *testing.T) {
	c := TaperedCapsule{B: V(0, 1, 0), RadiusA: 0.5, RadiusB: 0.25}
	h, ok := c.CastRay(NewRay(V(0, 3, 0), V(0, -1, 0)), Solid)
	require.True(t, ok)
	assert.Equal(t, float32(1.75), h.T)
}

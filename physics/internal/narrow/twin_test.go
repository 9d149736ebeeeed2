package narrow

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// The manifold of two spheres is found without ordering them, and is the same to the bit.
func TestSpheresNeedNoOrder(t *testing.T) {
	r := testenv.Rand(1, 2)
	touch := 0
	for i := range 20000 {
		var a, b Simple
		set := func(s *Simple) {
			x := [4]float32{r.Float32() - 0.5, r.Float32() - 0.5, r.Float32() - 0.5, 0.3 * r.Float32()}
			if i%3 == 0 { // often with coordinates in common, and in touch, and points
				for k := range x {
					x[k] = float32(math.Round(float64(x[k]*4))) / 4
				}
			}
			s.SetSphere(geom.Sphere{Center: geom.V(x[0], x[1], x[2]), Radius: x[3]})
		}
		set(&a)
		set(&b)
		var m, n Manifold
		m.CollideSimple(&a, &b, 0.05)
		n.CollideSimple(&b, &a, 0.05)
		var ordered Manifold
		if compareSimple(&a, &b) <= 0 {
			ordered.simple(&a, &b, 0.05)
		} else {
			ordered.simple(&b, &a, 0.05)
			ordered.flip()
		}
		require.Equal(t, bitsOf(&ordered), bitsOf(&m))
		if ordered.flip(); a != b { // or they have no order
			require.Equal(t, bitsOf(&ordered), bitsOf(&n))
		}
		touch += m.N
	}
	testenv.Drawn(t, touch, 2000)
}

func bitsOf(m *Manifold) (b []uint64) {
	vec := func(v geom.DVec3) { b = append(b, math.Float64bits(v.X), math.Float64bits(v.Y), math.Float64bits(v.Z)) }
	for _, c := range m.Contacts() {
		vec(m.Normal)
		vec(c.PointA)
		vec(c.PointB)
		b = append(b, math.Float64bits(c.Depth), uint64(c.FeatureA), uint64(c.FeatureB))
	}
	return b
}

// An edge that is left out without a root would not have been the best axis.
func TestEdgesLeftOut(t *testing.T) {
	r := testenv.Rand(5, 6)
	left := 0
	for i := range 100000 {
		x := axes{most: 2*r.Float64() - 1.8, slack: 1e-7 * float64(i%2)}
		ll := math.Pow(10, 6*r.Float64()-3)
		g := (2*r.Float64() - 1) * math.Sqrt(ll)
		if i%3 == 0 { // next to the limit
			g = (x.most + x.slack) * math.Sqrt(ll) * (1 + 1e-8*(r.Float64()-0.5))
		}
		if !x.mayBeBy(g, ll) {
			left++
			require.LessOrEqual(t, g, 0.0)
			require.LessOrEqual(t, g/math.Sqrt(ll), x.most+x.slack)
		}
	}
	testenv.Drawn(t, left, 20000)
	assert.Less(t, left, 80000)
}

// CollideCapsules decides as Collide does of the same capsules, to the last bit, in either order.
func TestCollideCapsules(t *testing.T) {
	r := testenv.Rand(51, 52)
	decided := 0
	for range 5000 {
		draw := func() geom.Capsule {
			a := randomVec(r)
			return geom.Capsule{A: a, B: a.Add(randomVec(r)), Radius: r.Float32()}
		}
		c, d := draw(), draw()
		var got Manifold
		if !got.CollideCapsules(&c, &d, 0.1) {
			continue
		}
		a, b := Capsule(c), Capsule(d)
		want := Collide(&a, &b, 0.1)
		require.Equal(t, want.N, got.N)
		require.Equal(t, want.Normal, got.Normal)
		require.Equal(t, want.Contacts(), got.Contacts())
		if got.N > 0 {
			decided++
		}
	}
	testenv.Drawn(t, decided, 1000)
	x, y := geom.V(1, 0, 0), geom.V(0, 1, 0)
	for name, c := range map[string][2]geom.Capsule{
		"parallel": {{B: y, Radius: 1}, {A: x, B: x.Add(y), Radius: 1}},
		"crossing": {{A: x.Neg(), B: x, Radius: 1}, {A: y.Neg(), B: y, Radius: 1}},
		"empty":    {{B: y, Radius: -1}, {A: x, B: geom.V(1, 0, 1), Radius: 1}},
		"a sphere": {{A: x, B: x, Radius: 1}, {A: y.Neg(), B: y, Radius: 1}},
	} {
		var m Manifold
		require.False(t, m.CollideCapsules(&c[0], &c[1], 0.1), name)
	}
}

// CollideUpright finds the normal and the depth of CollideSimple, to the last bit, in either order.
func TestCollideUpright(t *testing.T) {
	r := testenv.Rand(53, 17)
	touching, beside := 0, 0
	for range 50_000 {
		number := func() float32 {
			if r.IntN(2) == 0 {
				return float32(r.IntN(5)-2) / 2 // so that many are at the same height, or in line
			}
			return 2*r.Float32() - 1
		}
		far := geom.V(0, 0, 0)
		if r.IntN(4) == 0 {
			far = geom.V(1000*number(), 1000*number(), 1000*number())
		}
		draw := func() geom.Capsule {
			a := geom.V(number(), number(), number()).Add(far)
			return geom.Capsule{A: a, B: geom.V(a.X, a.Y+number(), a.Z), Radius: max(number(), 0)}
		}
		c, d := draw(), draw()
		n, depth, touch, ok := CollideUpright(&c, &d)
		if !ok {
			continue
		}
		var want Manifold
		var a, b Simple
		a.SetCapsule(c)
		b.SetCapsule(d)
		want.CollideSimple(&a, &b, 0)
		require.Equal(t, want.N > 0, touch, "%v %v", c, d)
		if touch {
			touching++
			if want.N > 1 {
				beside++
			}
			require.Equal(t, want.Normal, n, "%v %v", c, d)
			require.Equal(t, want.Points[want.Deepest()].Depth, depth, "%v %v", c, d)
		}
	}
	testenv.Drawn(t, touching, 6000)
	testenv.Drawn(t, beside, 2500)
	turned := geom.Capsule{B: geom.V(0.1, 1, 0), Radius: 1}
	up := geom.Capsule{A: geom.V(0.5, 0, 0), B: geom.V(0.5, 1, 0), Radius: 1}
	for name, c := range map[string]geom.Capsule{
		"turned": turned, "a sphere": {Radius: 1}, "empty": {A: geom.V(0, 1, 0), Radius: -1}, "the same": up,
	} {
		_, _, _, ok := CollideUpright(&c, &up)
		require.False(t, ok, name)
	}
}

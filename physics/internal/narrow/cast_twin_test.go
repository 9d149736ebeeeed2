package narrow

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// maker makes one and the same castShape under any map, for this package and for
type maker struct {
	kind  string
	body  func(m geom.Affine) Shape
	other func(m geom.Affine) Shape
	rigid bool // only for maps that do not scale
}

// makers returns a castShape of each kind, of a size. A hull of corners, which narrow does not
// know, is a box here.
func makers(rng *rand.Rand, size float32) []maker {
	v := func() geom.Vec3 { return vec(rng).Mul(float64(size)).Narrow() }
	h := geom.V(size*(0.1+rng.Float32()), size*(0.1+rng.Float32()), size*(0.1+rng.Float32()))
	r := size * (0.1 + rng.Float32())
	a, b, c := v(), v(), v()
	var corners []geom.Vec3
	for i := range 8 {
		corners = append(corners, geom.V(h.X*float32(2*(i&1)-1), h.Y*float32(2*(i>>1&1)-1), h.Z*float32(2*(i>>2)-1)))
	}
	return []maker{
		{"sphere", func(m geom.Affine) Shape { return Sphere(geom.Sphere{Center: m.Point(a), Radius: r}) },
			func(m geom.Affine) Shape { return Sphere(geom.Sphere{Center: m.Point(a), Radius: r}) }, true},
		{"capsule", func(m geom.Affine) Shape { return Capsule(geom.Capsule{A: m.Point(a), B: m.Point(b), Radius: r}) },
			func(m geom.Affine) Shape {
				return Capsule(geom.Capsule{A: m.Point(a), B: m.Point(b), Radius: r})
			}, true},
		{"box", func(m geom.Affine) Shape { return ShearedBox(geom.Box{HalfExtents: h}, m) },
			func(m geom.Affine) Shape { return ShearedBox(geom.Box{HalfExtents: h}, m) }, false},
		{"triangle", func(m geom.Affine) Shape { return Triangle(geom.Triangle{A: m.Point(a), B: m.Point(b), C: m.Point(c)}) },
			func(m geom.Affine) Shape {
				return Triangle(geom.Triangle{A: m.Point(a), B: m.Point(b), C: m.Point(c)})
			}, false},
		{"hull", func(m geom.Affine) Shape { return Cloud(corners, m, 0) },
			func(m geom.Affine) Shape { return ShearedBox(geom.Box{HalfExtents: h}, m) }, false},
		{"stretched", func(m geom.Affine) Shape { return ScaledCapsule(geom.Capsule{A: a, B: b, Radius: r}, m) },
			func(m geom.Affine) Shape { return ScaledCapsule(geom.Capsule{A: a, B: b, Radius: r}, m) }, false},
	}
}

// grid rounds to eighths, which single precision adds up exactly.
func grid(v geom.DVec3) geom.Vec3 {
	return geom.V(float32(math.Round(v.X*8)/8), float32(math.Round(v.Y*8)/8), float32(math.Round(v.Z*8)/8))
}

func placedBy(rng *rand.Rand, k *maker, at geom.Vec3) geom.Affine {
	t := geom.Transform{Position: at, Rotation: geom.Quat{X: rng.Float32() - 0.5, Y: rng.Float32() - 0.5, Z: rng.Float32() - 0.5, W: rng.Float32() - 0.5}}
	if k.rigid {
		t.Rotation = geom.Quat{}
	} else {
		t.Scale = geom.V(0.3+rng.Float32(), -0.3-rng.Float32(), 0.5)
	}
	return t.Affine()
}

// The twin goes by small steps and asks narrow at each how far apart the bodies are. Steps and
// places are such that single precision holds them; only points that a map of its own takes along
// are rounded.
func TestCastAgainstSteps(t *testing.T) {
	rng := testenv.Rand(51, 52)
	const steps = 512
	hits, starts := 0, 0
	for round := range 24 {
		as, bs := makers(rng, 0.7), makers(rng, 0.7)
		for i := range as {
			for j := range bs {
				from := grid(vec(rng).Mul([]float64{3, 3, 0.5}[round%3]))
				ma, mb := placedBy(rng, &as[i], from), placedBy(rng, &bs[j], geom.Vec3{})
				motion := grid(vec(rng).Mul(0.5).Sub(from.Wide()).Mul(1.5))
				if motion == (geom.Vec3{}) {
					continue // no valid path
				}
				a, b := as[i].body(ma), bs[j].body(mb)
				still := bs[j].other(mb)
				distance := func(k int) float64 {
					m := ma
					m.Origin = m.Origin.Add(motion.Mul(float32(k) / steps))
					moved := as[i].other(m)
					return Distance(&moved, &still, math.Inf(1)).Distance
				}
				const rounding = 1e-6
				first, least := -1, math.Inf(1)
				for k := range steps + 1 {
					d := distance(k)
					if least = min(least, d); d <= 0 {
						first = k
						break
					}
				}
				hit, ok := Cast(&a, &b, &Path{Motion: motion.Wide(), Max: 1})
				name := as[i].kind + " and " + bs[j].kind
				switch {
				case first == 0:
					starts++
					require.True(t, ok, name)
					require.Zero(t, hit.T, name)
				case first > 0:
					hits++
					require.True(t, ok, name)
					slack := rounding / motion.Wide().Len()
					require.InDelta(t, 1, hit.Normal.Len(), 1e-9, name)
					require.LessOrEqual(t, hit.Normal.Dot(motion.Normalize().Wide()), 1e-3, name)
					if hit.Normal.Dot(motion.Normalize().Wide()) < -0.05 {
						require.InDelta(t, (float64(first)-0.5)/steps, hit.T, 0.5/steps+20*slack, name)
					}
				case ok: // between two steps
					require.LessOrEqual(t, least, motion.Wide().Len()/steps+rounding, name)
				}
			}
		}
	}
	testenv.Drawn(t, hits, 100)
	// On average 98 start so, over seven seeds, and a count's standard deviation is at most the
	// root of its mean, 10: six below it are 38.
	testenv.Drawn(t, starts, 38)
}

// To move a by +v against b is to move b by −v against a.
func TestCastIsSymmetric(t *testing.T) {
	rng := testenv.Rand(53, 54)
	hits := 0
	for i := range 20000 {
		ka, kb := castKinds[rng.IntN(len(castKinds))], castKinds[rng.IntN(len(castKinds))]
		start := vec(rng).Mul(4)
		a, b := castRandom(rng, ka, start.Narrow(), 1), castRandom(rng, kb, geom.Vec3{}, 1)
		p := Path{Motion: vec(rng).Mul(0.3).Sub(start), Max: 2}
		q := Path{Motion: p.Motion.Neg(), Max: 2}
		h, ok := Cast(&a.body, &b.body, &p)
		g, back := Cast(&b.body, &a.body, &q)
		if ok != back {
			_, least := leastDistance(&a, &b, &p)
			require.Less(t, least, curvedOff, "%d: %s and %s: only what grazes may differ", i, ka, kb)
			continue
		}
		if !ok {
			continue
		}
		hits++
		rate := -h.Normal.Dot(p.Motion)
		if h.Overlaps != g.Overlaps {
			require.Less(t, max(h.Depth, g.Depth), curvedOff)
			continue
		}
		off := distanceOff
		if a.body.kind == KindRound || b.body.kind == KindRound {
			off = 100 * curvedOff
		}
		require.InDelta(t, h.T, g.T, off/max(rate, 1e-3), "%d: %s and %s", i, ka, kb)
		require.InDelta(t, h.Depth, g.Depth, castDepthOff+curvedDepth*(a.size()+b.size()), "%d: %s and %s", i, ka, kb)
	}
	testenv.Drawn(t, hits, 10000)
}

// A rigid motion of all of it changes no T. Quarter turns and steps along a grid are exact.
func TestCastIsRigid(t *testing.T) {
	rng := testenv.Rand(55, 56)
	turns := []geom.Affine{
		{X: geom.V(0, 1, 0), Y: geom.V(0, 0, 1), Z: geom.V(1, 0, 0), Origin: geom.V(4, -8, 16)},
		{X: geom.V(0, -1, 0), Y: geom.V(1, 0, 0), Z: geom.V(0, 0, 1), Origin: geom.V(-64, 0.5, 0)},
		// a mirror
		{X: geom.V(-1, 0, 0), Y: geom.V(0, 1, 0), Z: geom.V(0, 0, 1), Origin: geom.V(0, 0, 8)},
	}
	hits := 0
	for range 60 {
		as, bs := makers(rng, 0.7), makers(rng, 0.7)
		for i := range as {
			for j := range bs {
				from := grid(vec(rng).Mul(3))
				ma, mb := placedBy(rng, &as[i], from), placedBy(rng, &bs[j], geom.Vec3{})
				p := Path{Motion: vec(rng).Mul(0.5).Sub(from.Wide()), Max: 2}
				a, b := as[i].body(ma), bs[j].body(mb)
				h, ok := Cast(&a, &b, &p)
				for _, m := range turns {
					// Points that were rounded before the map are rounded after it as well: some
					// parts in ten million.
					q := p
					q.Motion = v3(0, 0, 0).AddMul(p.Motion.X, m.X.Wide()).AddMul(p.Motion.Y, m.Y.Wide()).AddMul(p.Motion.Z, m.Z.Wide())
					a, b := as[i].body(m.Mul(ma)), bs[j].body(m.Mul(mb))
					g, back := Cast(&a, &b, &q)
					if ok && back && !h.Overlaps && h.Normal.Dot(p.Motion) < -0.1 {
						hits++
						assert.InDelta(t, h.T, g.T, 1e-4, "%s and %s", as[i].kind, bs[j].kind)
					}
				}
			}
		}
	}
	testenv.Drawn(t, hits, 1000)
}

// However far apart the sizes are, every search ends within its bound, by far, and what it says can
// be proved.
func TestCastOfAllSizes(t *testing.T) {
	rng := testenv.Rand(57, 58)
	n, most, hits := 30_000, map[bool]int{}, 0
	if testing.Short() {
		n = 5000
	}
	for i := range n {
		a, b, p := anySize(rng)
		curved := a.body.kind == KindRound || b.body.kind == KindRound
		c := newPair(&a.body, &b.body, &p)
		var m meeting
		if c.meet(&m) && !m.starts {
			most[curved] = max(most[curved], c.steps)
		}
		if hit, ok := Cast(&a.body, &b.body, &p); ok {
			hits++
			prove(t, rng, &a, &b, &p, &hit, precision(&a, &b, &p, &hit), a.kind+" and "+b.kind)
		}
		_ = i
	}
	t.Logf("%d hits, %d steps at most, %d where one is curved", hits, most[false], most[true])
	require.Less(t, most[false], maxWalk/2)
	require.Less(t, most[true], maxWalk)
	require.Greater(t, hits, n/3)
}

// Two slivers, of 3.5 km and of 2 mm, cross where the Minkowski difference is so thin that the
// weights in it are rounding: the witness points were 0.24 mm apart.
func TestCastOfSlivers(t *testing.T) {
	tri := func(a, e, f geom.Vec3) (s castShape) {
		s.body = Triangle(geom.Triangle{A: a, B: a.Add(e), C: a.Add(f)})
		s.corners = []geom.DVec3{a.Wide(), a.Add(e).Wide(), a.Add(f).Wide()}
		return s
	}
	a := tri(geom.V(-1279.2205, 1035.489, 200.08868), geom.V(-3012.092, 1599.6887, 666.3752), geom.V(-2960.259, 1571.9927, 654.95557))
	b := tri(geom.V(0.006829126, 0.0032871687, -0.00089932064), geom.V(-0.001578291, 0.00043516466, -0.0014547967), geom.V(-0.0013126964, 0.00036199135, -0.0012102754))
	hits := 0
	for dx := -50.0; dx <= 50; dx++ {
		p := Path{Motion: geom.DVec3{X: 1279.2274082672145 + dx*1e-5, Y: -1035.485666370993, Z: -200.08972212441682}, Max: 2}
		hit, ok := Cast(&a.body, &b.body, &p)
		if !ok || hit.Overlaps {
			continue
		}
		hits++
		require.InDelta(t, 0, hit.PointB.Sub(hit.PointA).Len(), precision(&a, &b, &p, &hit)/1000)
	}
	require.Greater(t, hits, 50)
}

// anySize returns two shapes of sizes from 0.001 to 10,000 and a path that leads about through
// both.
func anySize(rng *rand.Rand) (a, b castShape, p Path) {
	size := func() float32 { return float32(math.Pow(10, 7*rng.Float64()-3)) }
	sa, sb := size(), size()
	reach := float64(sa + sb)
	start := vec(rng).Normalize().Mul(reach * (0.5 + 2*rng.Float64()))
	at := vec(rng).Mul(float64(size())).Narrow()
	a = castRandom(rng, castKinds[rng.IntN(len(castKinds))], at.Add(start.Narrow()), sa)
	b = castRandom(rng, castKinds[rng.IntN(len(castKinds))], at, sb)
	p.Motion = b.corners[0].Add(vec(rng).Mul(0.2 * float64(sb))).Sub(a.corners[0])
	p.Max = 2
	p.Start = Start(rng.IntN(3))
	return a, b, p
}

func FuzzCast(f *testing.F) {
	f.Add(uint64(1), float32(1), float32(0), float32(0), float32(0.5), float32(1e-3), float32(1e4))
	f.Add(uint64(2), float32(0), float32(1e4), float32(-1e4), float32(0), float32(1e-3), float32(1e-3))
	f.Add(uint64(3), float32(math.NaN()), float32(math.Inf(1)), float32(0), float32(1e30), float32(1e-30), float32(3e38))
	f.Fuzz(func(t *testing.T, seed uint64, x, y, z, aside, sa, sb float32) {
		rng := rand.New(rand.NewPCG(seed, 1))
		sane := func(v float32) float32 { // within 1e-3 and 1e4
			return float32(math.Min(math.Max(math.Abs(float64(v)), 1e-3), 1e4))
		}
		at := geom.V(x, y, z)
		wild := !(max(at.Abs().X, at.Abs().Y, at.Abs().Z) <= 1e5) || !(aside >= -1e5 && aside <= 1e5)
		if !wild {
			sa, sb = sane(sa), sane(sb)
		}
		a := castRandom(rng, castKinds[rng.IntN(len(castKinds))], at, sa)
		b := castRandom(rng, castKinds[rng.IntN(len(castKinds))], geom.V(aside, 0, 0), sb)
		p := Path{Motion: geom.V(aside, aside, 0).Sub(at).Wide(), Max: 2, Start: Start(seed % 3)}
		hit, ok := Cast(&a.body, &b.body, &p)
		if !ok || wild {
			return // it must only end
		}
		prove(t, rng, &a, &b, &p, &hit, precision(&a, &b, &p, &hit), a.kind+" and "+b.kind)
	})
}

func TestCastAllocatesNothing(t *testing.T) {
	testenv.NoRace(t)
	points := []geom.Vec3{{X: 1}, {Y: 1}, {Z: 1}, {X: -1}}
	found := 0
	testenv.AllocatesNothing(t, 50, func() {
		m := geom.Transform{Position: geom.V(5, 0.25, 0), Rotation: geom.QuatAxisAngle(geom.V(0, 1, 0), 1), Scale: geom.V(1, 2, 1)}.Affine()
		for _, b := range [5]Shape{
			Sphere(geom.Sphere{Center: m.Origin, Radius: 1}), ShearedBox(geom.Box{HalfExtents: geom.V(1, 1, 1)}, m), Cloud(points, m, 0.5),
			ScaledCapsule(geom.Capsule{Radius: 1}, m), Triangle(geom.Triangle{A: m.Origin, B: m.Origin.Add(m.X), C: m.Origin.Add(m.Y)}),
		} {
			for _, a := range [3]Shape{
				Capsule(geom.Capsule{B: geom.V(0, 1, 0), Radius: 0.5}), AABB(geom.AABB{Max: geom.V(1, 1, 1)}), Cloud(points, m, 0),
			} {
				if _, ok := Cast(&a, &b, &Path{Motion: geom.DVec3{X: 1}, Max: 9}); ok {
					found++
				}
			}
		}
	})
	assert.Positive(t, found)
}

// No direction leads out of an overlap by less than the depth, and that of a hull is exact.
func TestCastDepth(t *testing.T) {
	rng := testenv.Rand(61, 62)
	overlaps := 0
	for i := range 4000 {
		ka, kb := castKinds[rng.IntN(len(castKinds))], castKinds[rng.IntN(len(castKinds))]
		a, b := castRandom(rng, ka, vec(rng).Mul(0.3).Narrow(), 1), castRandom(rng, kb, geom.Vec3{}, 1)
		hit, ok := Cast(&a.body, &b.body, &Path{Motion: vec(rng), Max: 1})
		if !ok || !hit.Overlaps {
			continue
		}
		overlaps++
		off := depthGap * hit.Depth
		if a.body.kind == KindRound || b.body.kind == KindRound {
			off = curvedDepth * (a.size() + b.size())
		}
		least := math.Inf(1)
		for range 300 {
			least = min(least, -castGap(&a, &b, geom.DVec3{}, vec(rng).Normalize()))
		}
		require.GreaterOrEqual(t, least, hit.Depth-off-castDepthOff, "%d: %s and %s", i, ka, kb)
	}
	testenv.Drawn(t, overlaps, 1000)
	for range 300 {
		ks := makers(rng, 0.5)
		box, hull := ks[2], ks[4] // the same
		ma, mb := placedBy(rng, &box, vec(rng).Mul(0.3).Narrow()), placedBy(rng, &box, geom.Vec3{})
		a, b := box.body(ma), box.body(mb)
		ha, hb := hull.body(ma), hull.body(mb)
		p := Path{Motion: vec(rng), Max: 1}
		want, ok := Cast(&a, &b, &p)
		got, gotOK := Cast(&ha, &hb, &p)
		require.Equal(t, ok, gotOK)
		require.InDelta(t, want.T, got.T, distanceOff)
		require.InDelta(t, want.Depth, got.Depth, castDepthOff)
	}
}

package narrow

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// coneAndOther draws a cone, a frustum or a cylinder beside another shape that is no sphere and no
// capsule, often with both of the same size and little deep in each other; in order.
func coneAndOther(i int) (a, b Shape, ra, rb body) {
	r := testenv.Rand(uint64(i), 71)
	kinds := []Kind{KindAABB, KindBox, KindTriangle, KindParallelepiped, KindHull, KindRound, kindCone, kindTapered}
	k, aspect := kinds[i%len(kinds)], []float64{1, 3, 30}[i/len(kinds)%3]
	size := math.Pow(10, r.Float64()*3-2)
	a, ra = randomShape(r, kindCone, size, 0, 1+(aspect-1)*float64(i%2))
	b, rb = randomShape(r, k, size*math.Pow(10, float64(i%5/2)/2), 0.3*size, aspect)
	if p, ok := Penetrate(&a, &b); ok && i%4 > 0 { // most of the way out
		by := p.Normal.Mul(-p.Depth * (1 - 0.2*r.Float64()))
		a = a.Moved(by)
		for j := range ra.points {
			ra.points[j] = ra.points[j].Add(by)
		}
	}
	if !before(&a, &b) {
		return b, a, rb, ra
	}
	return a, b, ra, rb
}

func minimumOf(g *search, limit float64) minimum {
	n := g.toward().Neg().Normalize()
	var p supportPoints
	p.find(g, n)
	var m minimum
	m.find(g, n, &p, limit)
	return m
}

// A minimum of the depth that is said to be the least is that of an expansion, and so is what an
// expansion from any other one finds. Within the angle around one no direction is shorter.
func TestMinimaOfTheDepth(t *testing.T) {
	testenv.NoRace(t)
	least, others, within, worst := 0, 0, 0, 0.0
	for i := range 12_000 {
		a, b, ra, rb := coneAndOther(i)
		size := max(a.size, b.size)
		g := searchOf(&a, &b)
		m := minimumOf(&g, math.Inf(1))
		h := searchOf(&a, &b)
		if m.dist >= 0 || a.kind < KindCapsule || h.start(0, askDepth) != overlapping {
			require.False(t, m.least && m.dist < 0 && a.kind >= KindCapsule, i)
			continue
		}
		require.InDelta(t, m.dist, gap(&ra, &rb, m.n), depthOff*size, i)
		require.InDelta(t, 0, m.at.w.AddMul(m.dist, m.n).Len(), summed*size, i)
		require.LessOrEqual(t, ra.outside(m.pa), wayOff*size, i)
		require.LessOrEqual(t, rb.outside(m.pb), wayOff*size, i)

		h2 := h
		want, sure := expand(&h)
		got, ok := m.relation, m.least
		if m.least {
			least++
		} else if others++; true {
			got, ok = expandFrom(&h2, &m)
		}
		if sure && ok {
			worst = max(worst, math.Abs(got.dist-want.dist)/size)
			require.InDelta(t, want.dist, got.dist, (wayOff+curvedGap)*size, i)
		}
		r := testenv.Rand(uint64(i), 72)
		for range 20 {
			angle := 2 * math.Atan(m.half) * math.Sqrt(r.Float64())
			if m.least {
				angle = math.Pi * r.Float64()
			}
			d := across(m.n)
			sin, cos := math.Sincos(2 * math.Pi * r.Float64())
			d = d.Mul(cos).AddMul(sin, m.n.Cross(d))
			sin, cos = math.Sincos(angle)
			n := m.n.Mul(cos).AddMul(sin, d)
			require.LessOrEqual(t, gap(&ra, &rb, n), m.dist+(depthOff+polished)*size, i)
			within++
		}
	}
	t.Logf("%d least, %d others, off by %.1e of the size", least, others, worst)
	testenv.Drawn(t, least, 3000)
	testenv.Drawn(t, others, 2000)
}

// The distance of cores that are apart is that of GJK, and a limit changes nothing but that more is
// not found.
func TestMinimaApart(t *testing.T) {
	apart := 0
	for i := range 6000 {
		a, b, _, _ := coneAndOther(i)
		a = a.Moved(a.Center().Sub(b.Center()).Normalize().Mul(0.3 * a.extent))
		g := searchOf(&a, &b)
		m := minimumOf(&g, math.Inf(1))
		if m.dist <= 0 || a.kind <= KindCapsule {
			continue
		}
		require.True(t, m.least, i)
		c := Distance(&a, &b, math.Inf(1))
		if !c.Inexact {
			require.InDelta(t, c.Distance, m.dist, apartOff(&a, &b, c.Distance), i)
		}
		g = searchOf(&a, &b)
		require.Equal(t, m, minimumOf(&g, 1.1*m.dist), i)
		g = searchOf(&a, &b)
		far := minimumOf(&g, 0.9*m.dist)
		require.Greater(t, far.dist, 0.9*m.dist, i)
		require.LessOrEqual(t, far.dist, m.dist+float64(summed*max(a.size, b.size)), i)
		require.InDelta(t, far.dist, g.gap(far.n), summed*max(a.size, b.size), i)
		apart++
	}
	testenv.Drawn(t, apart, 2000)
}

// Where a shape is in the middle of another one, a minimum is no proof.
func TestMinimaInTheMiddle(t *testing.T) {
	for name, b := range map[string]Shape{
		"box":      Box(geom.Box{HalfExtents: geom.V(1, 2, 3)}),
		"cylinder": Cone(geom.Cylinder(geom.V(0, -3, 0), geom.V(0, 3, 0), 1), geom.AffineIdentity()),
	} {
		a := Cone(geom.Cylinder(geom.V(0, -1, 0), geom.V(0, 1, 0), 0.5), geom.AffineIdentity())
		p, ok := Penetrate(&a, &b)
		require.True(t, ok, name)
		require.InDelta(t, 1.5, p.Depth, 1e-6, name)
	}
}

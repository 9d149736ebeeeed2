package narrow

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// within folds any number into the range of sizes that are promised to work, 1e-3 to 1e4 either
// way.
func within(x float32) float32 {
	a := float32(math.Abs(float64(x)))
	if !(a > 0) || math.IsInf(float64(a), 0) {
		return 1
	}
	_, e := math.Frexp(float64(a))
	a = float32(math.Ldexp(float64(a), -e)) * 2
	return float32(math.Copysign(float64(a)*math.Pow(10, float64((e%8+8)%8-3)), float64(x)))
}

// fuzzed returns a shape of each kind under a map, with its reference.
func fuzzed(k Kind, at geom.Transform) (Shape, body) {
	m := at.Affine()
	switch k {
	case kindCone:
		return cone(1, 1, 0.5, m)
	case kindTapered:
		return tapered(-1, 1, 1, 0.5, m)
	case KindRound:
		c := geom.Capsule{A: geom.V(0, -1, 0), B: geom.V(0, 1, 0), Radius: 1}
		b := body{points: []geom.DVec3{mappedPoint(m, c.A.Wide()), mappedPoint(m, c.B.Wide())}, x: m.X.Wide(), y: m.Y.Wide(), z: m.Z.Wide()}
		return ScaledCapsule(c, m), b
	}
	if k == KindHull {
		h := hulls[5]
		b := body{}
		for _, v := range h.Vertices() {
			b.points = append(b.points, mappedPoint(m, v.Wide()))
		}
		return Hull(h, m), b
	}
	if k == KindParallelepiped || k == KindTriangle || k == KindHalfSpace {
		return made(k, at)
	}
	at.Scale = geom.V(at.Scale.X, at.Scale.X, at.Scale.X).Abs()
	return made(k, at)
}

// checkAnything asserts what must be true of any two shapes whatever their numbers.
func checkAnything(t *testing.T, a, b *Shape) {
	m, n := Collide(a, b, 0.01), Collide(b, a, 0.01)
	require.LessOrEqual(t, m.N, maxContacts)
	if before(a, b) && before(b, a) {
		return // one shape twice
	}
	if n.N > 0 {
		n.flip()
	}
	require.Equal(t, m, n)
	d := Distance(a, b, math.Inf(1))
	require.False(t, math.IsNaN(d.Distance+d.PointA.X+d.PointB.Y+d.Normal.Z) && !math.IsInf(d.Distance, 1))
	// What a singular map makes flat is for casts alone: the package physics has it nowhere.
	none := func(s *Shape) bool { return s.IsEmpty() || s.kind == kindCloud }
	require.Equal(t, none(a) || none(b), math.IsInf(d.Distance, 1))
	for _, c := range m.Contacts() {
		require.False(t, math.IsNaN(c.Depth+c.PointA.X+c.PointA.Y+c.PointA.Z+c.PointB.X))
	}
}

// fuzzKinds keeps the numbers that inputs found before stand for.
var fuzzKinds = append(allKinds[:8:8], KindHalfSpace, kindCone, kindTapered)

// FuzzPairs: poses anywhere, sizes and places from 1e-3 to 1e4, even and uneven.
func FuzzPairs(f *testing.F) {
	f.Add(float32(1), float32(2), float32(3), float32(0.5), float32(1), float32(0.1), float32(0.2), float32(0.3), float32(1), uint8(0x34))
	f.Add(float32(0.001), float32(10000), float32(1), float32(1000), float32(0.01), float32(1), float32(0), float32(0), float32(0), uint8(0x66))
	f.Add(float32(-1), float32(1), float32(1), float32(1), float32(1), float32(0), float32(1), float32(0), float32(1), uint8(0x07))
	f.Fuzz(func(t *testing.T, x, y, z, s, u, qx, qy, qz, qw float32, kinds uint8) {
		ka, kb := fuzzKinds[int(kinds&15)%len(fuzzKinds)], fuzzKinds[int(kinds>>4)%len(fuzzKinds)]
		x, y, z, s, u = within(x), within(y), within(z), within(s), within(u)
		turn := geom.Quat{X: qx, Y: qy, Z: qz, W: qw}
		if !turn.IsFinite() {
			turn = geom.Quat{}
		}
		a, ra := fuzzed(ka, geom.Transform{Position: geom.V(x, y, z), Rotation: turn, Scale: geom.V(s, u, s)})
		b, rb := fuzzed(kb, geom.Transform{Rotation: turn.Inverse(), Scale: geom.V(u, s, u)})
		if a.IsEmpty() || b.IsEmpty() {
			return
		}
		checkAnything(t, &a, &b)
		size := max(a.size, b.size)
		d := Distance(&a, &b, math.Inf(1))
		p, deep := Penetrate(&a, &b)
		if ka == KindHalfSpace && kb == KindHalfSpace {
			return
		}
		if max(d.Distance, p.Depth) > unsure*size {
			require.Equal(t, deep, d.Distance == 0)
			require.Equal(t, deep, Overlaps(&a, &b))
		}
		dist, n := d.Distance, d.Normal
		if deep {
			dist, n = -p.Depth, p.Normal
		}
		slack := promisedFlat * size
		switch l, round := dist+ra.radius+rb.radius, isRound(ka) || isRound(kb); {
		case l > faint*size: // the distance of the cores, which are apart
			if off := apartOff(&a, &b, l); round || l <= slack {
				slack = off
			} else {
				slack = min(slack, off)
			}
		}
		if deep || dist > faint*size {
			require.InDelta(t, dist, gap(&ra, &rb, n), slack)
		}
		m := Collide(&a, &b, 0.01)
		if m.N > 0 {
			require.InDelta(t, -gap(&ra, &rb, m.Normal), m.Points[m.Deepest()].Depth, slack)
		}
	})
}

// FuzzAnything: any numbers at all. Nothing panics or loops, and no NaN comes out.
func FuzzAnything(f *testing.F) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	f.Add(float32(1), float32(2), float32(3), float32(0.5), float32(1), float32(1), uint8(0x34))
	f.Add(float32(1e30), float32(-1e30), float32(3e38), float32(1e-30), float32(0), float32(1e-40), uint8(0x77))
	f.Add(inf, nan, float32(0), float32(-1), float32(0), float32(0), uint8(0x16))
	f.Fuzz(func(t *testing.T, p, q, r, s, u, v float32, kinds uint8) {
		shape := func(k uint8, p, q, r, s, u, v float32) Shape {
			m := geom.Affine{X: geom.V(p, q, r), Y: geom.V(s, u, v), Z: geom.V(q, s, p), Origin: geom.V(v, r, u)}
			switch fuzzKinds[int(k)%len(fuzzKinds)] {
			case KindSphere:
				return Sphere(geom.Sphere{Center: m.X, Radius: s})
			case KindCapsule:
				return Capsule(geom.Capsule{A: m.X, B: m.Y, Radius: q})
			case KindAABB:
				return AABB(geom.AABB{Min: m.X, Max: m.Y})
			case KindBox:
				return Box(geom.Box{Center: m.X, HalfExtents: m.Y, Rotation: geom.Quat{X: p, Y: u, Z: r, W: v}})
			case KindTriangle:
				return Triangle(geom.Triangle{A: m.X, B: m.Y, C: m.Z})
			case KindParallelepiped:
				return ShearedBox(geom.Box{HalfExtents: m.Origin}, m)
			case KindHull:
				return Hull(hulls[3], m)
			case KindRound:
				return ScaledCapsule(geom.Capsule{A: m.Z, B: m.X, Radius: u}, m)
			case kindCone:
				return Cone(geom.Cone{A: m.Z, B: m.X, RadiusA: u, RadiusB: p}, m)
			case kindTapered:
				return TaperedCapsule(geom.TaperedCapsule{A: m.Z, B: m.X, RadiusA: u, RadiusB: p}, m)
			}
			return HalfSpace(m.X.Wide(), m.Y.Wide())
		}
		a, b := shape(kinds&15, p, q, r, s, u, v), shape(kinds>>4, u, r, v, p, s, q)
		checkAnything(t, &a, &b)
	})
}

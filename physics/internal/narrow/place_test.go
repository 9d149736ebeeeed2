package narrow

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// setShape makes s a shape of a kind by its setter, with numbers from r.
func setShape(s *Shape, k Kind, r *rand.Rand) {
	f := func() float32 { return r.Float32()*2 - 1 }
	m := geom.Transform{
		Position: geom.V(f(), f(), f()), Rotation: geom.Quat{X: f(), Y: f(), Z: f(), W: f()}, Scale: geom.V(f(), 0.5, 0.75),
	}.Affine()
	switch k {
	case KindNothing:
		s.SetNothing()
	case KindSphere:
		s.SetSphere(geom.Sphere{Center: m.Origin, Radius: 0.5})
	case KindCapsule:
		s.SetCapsule(geom.Capsule{A: m.Origin, B: m.Point(geom.V(0, 1, 0)), Radius: 0.25})
	case KindAABB:
		s.SetAABB(geom.AABBAround(m.Origin, geom.V(0.5, 0.75, 1)))
	case KindBox:
		s.SetBox(geom.Box{Center: m.Origin, HalfExtents: geom.V(0.5, 0.75, 1), Rotation: geom.Quat{X: f(), Y: f(), Z: f(), W: f()}})
	case KindTriangle:
		s.SetTriangle(geom.Triangle{A: m.Origin, B: m.Point(geom.V(1, 0, 0)), C: m.Point(geom.V(0, 0, f()))})
	case KindParallelepiped:
		m.X = m.X.Add(m.Y)
		s.SetShearedBox(geom.Box{HalfExtents: geom.V(0.5, 0.5, 0.5)}, m)
	case KindHull:
		s.SetHull(hulls[0], m)
	case KindRound:
		s.SetScaledCapsule(geom.Capsule{A: geom.V(0, 0.2, 0), B: geom.V(0, 0.8, 0), Radius: 0.5}, m)
	case kindCone:
		s.SetCone(geom.Cone{A: geom.V(0, 0.2, 0), B: geom.V(0, 0.8, 0), RadiusA: 0.5, RadiusB: 0.25}, m)
	case kindTapered:
		s.SetTaperedCapsule(geom.TaperedCapsule{A: geom.V(0, 0.2, 0), B: geom.V(0, 0.8, 0), RadiusA: 0.5, RadiusB: 0.25}, m)
	case KindHalfSpace:
		s.SetHalfSpace(m.X.Wide(), m.Origin.Wide())
	}
}

// What was in memory before shapes and manifolds are made there makes no difference.
func TestUsedMemory(t *testing.T) {
	nan := math.NaN()
	bad := geom.DVec3{X: nan, Y: nan, Z: nan}
	used := Shape{
		Simple: Simple{kind: KindHull, p: bad, e: bad, radius: nan, size: nan, extent: nan}, f: bad, flip: true, caps: true, hull: hulls[1],
		x: bad, y: bad, z: bad, u: bad, v: bad, w: bad, half: bad, volume: nan,
	}
	full := Finder{Manifold: Manifold{Normal: bad, N: maxContacts}}
	for i := range full.Points {
		full.Points[i] = ContactPoint{bad, bad, nan, faceKind, faceKind}
	}
	p := patch{n: maxCorners, face: 5, normal: bad, d: nan, align: 1}
	for i := range p.c {
		p.c[i] = corner{bad, 9, 9}
	}
	full.patchA, full.patchB = p, p
	for i := range full.spots {
		full.spots[i] = spot{bad, nan, faceKind, faceKind, 9}
	}
	full.spare = full.spots
	full.edges = edgePair{side{bad, bad, 9, 9, 9, true, 0}, side{bad, bad, 9, 9, 9, true, 0}, true, true}
	kinds := append([]Kind{KindNothing}, allKinds...)
	touched := 0
	for _, ka := range kinds {
		for _, kb := range kinds {
			for seed := range uint64(20) {
				var a, b Shape
				ua, ub := used, used
				r, again := testenv.Rand(seed, 1), testenv.Rand(seed, 1)
				setShape(&a, ka, r)
				setShape(&b, kb, r)
				setShape(&ua, ka, again)
				setShape(&ub, kb, again)
				require.Equal(t, a.kind, ua.kind)
				want, m := Collide(&a, &b, 0.1), full
				m.Collide(&ua, &ub, 0.1)
				require.Equal(t, want.Contacts(), m.Contacts(), "%v %v", ka, kb)
				if m.N > 0 {
					require.Equal(t, want.Normal, m.Normal)
					touched++
				}
				require.Equal(t, Distance(&a, &b, math.Inf(1)), Distance(&ua, &ub, math.Inf(1)))
				p, deep := Penetrate(&a, &b)
				m = full
				up, udeep := m.Penetrate(&ua, &ub)
				require.Equal(t, deep, udeep)
				require.Equal(t, p, up)
				require.Equal(t, before(&a, &b), before(&ua, &ub))
				if ka <= KindCapsule && kb <= KindCapsule {
					m = full
					m.CollideSimple(&ua.Simple, &ub.Simple, 0.1)
					require.Equal(t, want.Contacts(), m.Contacts())
				}
			}
		}
	}
	testenv.Drawn(t, touched, 600)
}

func TestCollideAllocatesNothingInPlace(t *testing.T) {
	var a, b Shape
	var m Finder
	r := testenv.Rand(1, 1)
	for _, ka := range allKinds {
		for _, kb := range allKinds {
			setShape(&a, ka, r)
			setShape(&b, kb, r)
			testenv.AllocatesNothing(t, 5, func() {
				m.Collide(&a, &b, 0.1)
			})
		}
	}
}

// TestExtentIsTheReachAlongTheAxes compares both to the bit, signs of zeros included, also of hulls
// that are turned by right angles about a corner at the origin.
func TestExtentIsTheReachAlongTheAxes(t *testing.T) {
	r := testenv.Rand(19, 2)
	bits := func(v geom.DVec3) [3]uint64 {
		return [3]uint64{math.Float64bits(v.X), math.Float64bits(v.Y), math.Float64bits(v.Z)}
	}
	for i := range 4000 {
		var s Shape
		if i%2 == 0 {
			setShape(&s, []Kind{KindHull, KindBox, KindCapsule, KindParallelepiped, KindRound}[i/2%5], r)
		} else {
			h := hulls[r.IntN(len(hulls))]
			q := geom.Quat{X: r.Float32() - 0.5, Y: r.Float32() - 0.5, Z: r.Float32() - 0.5, W: r.Float32()}
			if i%4 == 1 {
				q = []geom.Quat{{}, {X: 1, W: 1}, {Y: 1, W: -1}, {Z: 1}}[r.IntN(4)]
			}
			s.SetHull(h, geom.Transform{Position: h.Vertex(r.IntN(h.NumVertices())).Neg().Narrow(), Rotation: q}.Affine())
		}
		lo, hi := s.Extent()
		reach := func(x, y, z float64) float64 { return s.Reach(geom.DVec3{X: x, Y: y, Z: z}) }
		require.Equal(t, bits(geom.DVec3{X: reach(1, 0, 0), Y: reach(0, 1, 0), Z: reach(0, 0, 1)}), bits(hi))
		require.Equal(t, bits(geom.DVec3{X: -reach(-1, 0, 0), Y: -reach(0, -1, 0), Z: -reach(0, 0, -1)}), bits(lo))
	}
}

// TestKeptVerticesChangeNothing compares the contacts of hulls that keep their vertices with those
// of hulls that do not, to the bit, also once they are moved.
func TestKeptVerticesChangeNothing(t *testing.T) {
	r := testenv.Rand(19, 3)
	var memory []geom.DVec3
	kept := 0
	for range 2000 {
		var a, b Shape
		setShape(&a, KindTriangle, r)
		setShape(&b, KindHull, r)
		c := b
		memory = c.KeepVertices(memory)
		if by := (geom.DVec3{X: r.Float64() - 0.5, Z: r.Float64() - 0.5}); r.IntN(2) == 0 {
			b, c = b.Moved(by), c.Moved(by)
		}
		if c.points != nil {
			kept++
		}
		for i := range b.hull.NumVertices() {
			require.Equal(t, b.hullVertex(i), c.hullVertex(i))
		}
		var f, g Finder
		f.Collide(&a, &b, 0.1)
		g.Collide(&a, &c, 0.1)
		require.Equal(t, f.Manifold, g.Manifold)
		c.SetHull(b.hull, geom.Affine{X: geom.V(2, 0, 0), Y: geom.V(0, 2, 0), Z: geom.V(0, 0, 2)})
		require.Nil(t, c.points, "the vertices of another pose")
	}
	testenv.Drawn(t, kept, 1000)
}

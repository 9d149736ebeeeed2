package physics

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// at returns where the shape of a swing is at a time, by package math.
func (c *Swing) at(t float64) Placed {
	q := geom.QuatAxisAngle(c.Turn, c.Turn.Wide().Len()*t)
	p := Placed{c.Shape, c.Transform}
	p.Transform.Position = c.Pivot.Add(c.Motion.Mul(float32(t))).Add(q.Rotate(c.Transform.Position.Sub(c.Pivot)))
	p.Transform.Rotation = q
	if c.Transform.Rotation != (geom.Quat{}) {
		p.Transform.Rotation = q.Mul(c.Transform.Rotation)
	}
	return p
}

// requireSwingIsFirst proves a swing at a collider: nothing overlaps before the hit, at the hit the
// gap is no more than it may be, and without a hit nothing overlaps at all.
func requireSwingIsFirst(t require.TestingT, c *Swing, target Placed, hit ShapeHit, ok, planar bool, reach float32) {
	overlaps := func(p Placed) bool {
		if planar {
			d, deep := PenetratePlanar(target, p)
			return deep && d.Depth > 1e-5*reach
		}
		d, deep := Penetrate(target, p)
		return deep && d.Depth > 1e-5*reach
	}
	const samples = 150
	for i := range samples + 1 {
		s := float64(i) / samples
		if ok && s >= float64(hit.T) {
			break
		}
		require.False(t, overlaps(c.at(s)), "at %g, hit %v at %g", s, ok, hit.T)
	}
	if !ok {
		return
	}
	n, near := ClosestPoints(target, c.at(float64(hit.T)), 3e-5*reach)
	require.True(t, near, "no touch at %g", hit.T)
	require.InDelta(t, 1, hit.Normal.Len(), 1e-5)
	if !hit.Overlaps {
		require.LessOrEqual(t, n.Distance, 3e-5*reach)
		require.InDelta(t, 0, hit.Point.Distance(hit.PointOnShape), float64(3e-5*reach))
		v := c.Motion.Add(c.Turn.Cross(hit.PointOnShape.Sub(c.Pivot.Add(c.Motion.Mul(hit.T)))))
		require.Less(t, v.Dot(hit.Normal), float32(1e-3), "it moves away")
	}
}

func TestCastSwing(t *testing.T) {
	testenv.NoRace(t)
	r := testenv.Rand(1, 30)
	draw := &scene{Rand: r, unit: 1}
	vec := func(d float32) geom.Vec3 { return draw.vec(d) }
	hits, misses, overlapping := 0, 0, 0
	for i := range testenv.Count(t, "HITSCAN_POSES", 1500) {
		planar := i%4 == 3
		c := Swing{Transform: geom.Transform{Position: vec(1), Rotation: geom.QuatEuler(r.Float64()*6, r.Float64()*6, 0)},
			Turn: vec(1).Normalize().Mul(r.Float32() * 5), Motion: vec(2), Pivot: vec(1)}
		var s *Space
		target := Collider{Transform: geom.Transform{Position: vec(1).Normalize().Mul(0.8 + 1.7*r.Float32()), Rotation: geom.QuatEuler(r.Float64()*6, 0, r.Float64())}}
		if planar {
			s = NewPlanarSpace()
			for target.Shape == nil || i%8 == 3 != isCompound(target.Shape) {
				target.Shape = planarShape(r)
			}
			c.Shape = []Shape{flatCrate, flatKite, geom.Sphere{Radius: 0.3}, geom.Capsule{A: geom.V(-0.5, 0, 0), B: geom.V(0.5, 0, 0), Radius: 0.1}}[r.IntN(4)]
			c.Transform, target.Transform = c.Transform.Flat(), target.Transform.Flat()
			c.Turn, c.Motion.Z, c.Pivot.Z = geom.V(0, 0, 6*r.Float32()), 0, 0
		} else {
			s = NewSpace()
			target.Shape = draw.shape()
			h := vec(1).Abs()
			c.Shape = []Shape{
				geom.Box{HalfExtents: h}, geom.Sphere{Radius: h.X}, geom.Capsule{A: vec(1), B: vec(1), Radius: h.X / 2}, testHulls[r.IntN(len(testHulls))],
				geom.Cone{A: vec(1), B: vec(1), RadiusA: h.X, RadiusB: h.Y},
				NewCompound(Child{Shape: geom.Box{HalfExtents: geom.V(0.1, 1, 0.1)}}, Child{geom.Sphere{Radius: 0.3}, geom.At(0, 1, 0)}),
			}[r.IntN(6)]
		}
		s.Add(target)
		hit, ok := s.CastSwing(c, Filter{})
		require.False(t, hit.Inexact && !hit.Overlaps)
		requireSwingIsFirst(t, &c, Placed{target.Shape, target.Transform}, hit, ok, planar, 6)
		switch {
		case !ok:
			misses++
		case hit.Overlaps:
			overlapping++
		default:
			hits++
		}
	}
	t.Logf("%d hits, %d misses, %d overlaps", hits, misses, overlapping)
	testenv.Drawn(t, hits, 200)
	testenv.Drawn(t, misses, 100)
}

func isCompound(s Shape) bool { _, ok := s.(*Compound); return ok }

// Of many colliders the first is hit, whatever the others are.
func TestCastSwingAmongMany(t *testing.T) {
	testenv.NoRace(t)
	r := testenv.Rand(2, 30)
	draw := &scene{Rand: r, unit: 1}
	for range 60 {
		s := NewSpace()
		for range 40 {
			s.Add(Collider{Shape: draw.shape(), Transform: draw.transform(4)})
		}
		c := Swing{Shape: geom.Box{HalfExtents: geom.V(0.1, 1.5, 0.1)}, Pivot: geom.V(0, -1.5, 0), Turn: draw.vec(3), Motion: draw.vec(2), Start: StartIgnore}
		got, ok := s.CastSwing(c, Filter{})
		var want ShapeHit
		found := false
		for id, o := range s.All() {
			one := NewSpace()
			one.Add(o)
			if h, ok := one.CastSwing(c, Filter{}); ok {
				if h.Collider, h.User = id, o.User; !found || h.Compare(want) < 0 {
					want, found = h, true
				}
			}
		}
		require.Equal(t, found, ok)
		require.Equal(t, want, got)
	}
}

// Without a turn, it is a straight cast; and a blade that goes round hits where it must.
func TestCastSwingOfKnownWays(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 30))
	draw := &scene{Rand: r, unit: 1}
	same := 0
	for range 500 {
		s := NewSpace()
		s.Add(Collider{Shape: draw.shape(), Transform: draw.transform(3)})
		cast := ShapeCast{Shape: geom.Box{HalfExtents: geom.V(0.2, 0.3, 0.4)}, Transform: geom.Transform{Position: draw.vec(4)}, MaxT: 1}
		cast.Motion = cast.Transform.Position.Mul(-2).Add(draw.vec(1))
		want, ok := s.CastShape(cast, Filter{})
		got, found := s.CastSwing(Swing{Shape: cast.Shape, Transform: cast.Transform, Pivot: cast.Transform.Position, Motion: cast.Motion}, Filter{})
		if ok && want.T < 0.99 {
			require.True(t, found)
			require.InDelta(t, want.T, got.T, 1e-3)
			same++
		}
	}
	require.Greater(t, same, 50)

	// A blade of a metre turns from along X towards Y, by half a turn; a post stands at 90°.
	s := NewSpace()
	post := s.Add(Collider{Shape: geom.Sphere{Radius: 0.1}, Transform: geom.At(0, 0.8, 0)})
	blade := Swing{Shape: geom.Capsule{A: geom.V(0, 0, 0), B: geom.V(1, 0, 0), Radius: 0.05}, Turn: geom.V(0, 0, math.Pi)}
	hit, ok := s.CastSwing(blade, Filter{})
	require.True(t, ok)
	assert.Equal(t, post, hit.Collider)
	assert.InDelta(t, 0.5-math.Asin(0.15/0.8)/math.Pi, hit.T, 1e-4)
	assert.False(t, hit.Overlaps)
	blade.Turn = geom.V(0, 0, -math.Pi)
	_, ok = s.CastSwing(blade, Filter{})
	assert.False(t, ok, "the other way round")
	blade.Turn = geom.V(0, 0, -2*math.Pi)
	hit, ok = s.CastSwing(blade, Filter{})
	require.True(t, ok)
	assert.InDelta(t, 0.75-math.Asin(0.15/0.8)/2/math.Pi, hit.T, 1e-4)
	wall := NewSpace()
	wall.Add(Collider{Shape: geom.YPlane(0)})
	hit, ok = wall.CastSwing(Swing{Shape: geom.Sphere{Center: geom.V(0, 1, 0)}, Pivot: geom.V(0, 1, 0), Motion: geom.V(0, -1, 0)}, Filter{})
	require.True(t, ok, "a point at the end of its way")
	assert.Equal(t, float32(1), hit.T)
	for _, bad := range []Swing{{Shape: geom.Sphere{Radius: -1}}, {Shape: blade.Shape, Turn: geom.V(nan, 0, 0)}, {Shape: blade.Shape, Motion: geom.V(infinity, 0, 0)}} {
		_, ok = s.CastSwing(bad, Filter{})
		assert.False(t, ok)
	}
	for _, bad := range []Shape{nil, unitBox.Bounds(), testMeshes[0], NewCompound(Child{Shape: geom.Plane{Normal: geom.V(0, 1, 0)}})} {
		assert.Panics(t, func() { s.CastSwing(Swing{Shape: bad}, Filter{}) })
	}
	testenv.AllocatesNothing(t, 10, func() { s.CastSwing(blade, Filter{}) })
}

func TestSinCos(t *testing.T) {
	for x := 0.0; x < 20; x += 0.001 {
		sin, cos := sinCos(x)
		require.InDelta(t, math.Sin(x), sin, 1e-15*(1+x))
		require.InDelta(t, math.Cos(x), cos, 1e-15*(1+x))
	}
}

// However far away and however large what meets in a plane is, hits and contacts are finite: at
// 10¹⁸ m, all corners of a crate are in one place.
func TestPlanarFarAway(t *testing.T) {
	r := testenv.Rand(3, 30)
	sizes := []float32{1, 1e6, 1e10, 1e15, 1e18, 1e25, 1e37}
	hits, contacts := 0, 0
	for range 10000 {
		mine, other := sizes[r.IntN(len(sizes))], sizes[r.IntN(len(sizes))]
		vec := func(d float32) geom.Vec3 { return geom.V(d*(2*r.Float32()-1), d*(2*r.Float32()-1), 0) }
		shape := func(d float32) Shape {
			return []Shape{flatKite, flatCrate, geom.Sphere{Radius: d}, geom.Capsule{A: vec(d), B: vec(d), Radius: r.Float32()}, geom.Box{HalfExtents: vec(d).Abs()}}[r.IntN(5)]
		}
		target := Placed{shape(other), geom.At2D(0, 0, 7*r.Float64())}
		target.Transform.Position = vec(mine)
		if r.IntN(3) == 0 {
			target.Transform.Scale = geom.V(mine, other, 1)
		}
		c := Swing{Shape: shape(mine), Transform: geom.Transform{Position: vec(mine)}, Pivot: vec(other), Motion: vec(mine), Turn: geom.V(0, 0, 6*r.Float32())}
		s := NewPlanarSpace()
		s.Add(Collider{Shape: target.Shape, Transform: target.Transform})
		if h, ok := s.CastSwing(c, Filter{}); ok {
			hits++
			require.True(t, h.Point.IsFinite() && h.PointOnShape.IsFinite() && h.T-h.T+h.Depth-h.Depth == 0, "%v", h)
			require.InDelta(t, 1, h.Normal.Len(), 1e-3)
		}
		for _, m := range CollidePlanar(nil, target, Placed{c.Shape, c.Transform}, 0) {
			contacts++
			require.InDelta(t, 1, m.Normal.Len(), 1e-3)
			for _, p := range m.ContactPoints() {
				require.True(t, p.PointA.IsFinite() && p.PointB.IsFinite() && p.Depth-p.Depth == 0, "%v", m)
			}
		}
	}
	testenv.Drawn(t, hits, 1000)
	testenv.Drawn(t, contacts, 1000)
}

package physics_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/golden"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// goldenWorld holds each shape many times, translated, rotated, scaled uniformly, non-uniformly and
// by a mirror; some colliders are moved, replaced and removed again.
func goldenWorld(t *testing.T, n *golden.Numbers) *physics.Space {
	ball, err := mesh.New(mesh.Icosphere(1, 2))
	require.NoError(t, err)
	crate, err := mesh.New(mesh.Box(geom.V(1, 0.5, 0.25)))
	require.NoError(t, err)
	place := func(reach float32) geom.Transform {
		p := geom.Transform{Position: n.Vec(reach), Rotation: n.Quat()}
		switch n.Int(4) {
		case 0:
			p.Scale = geom.V(1, 1, 1).Mul(1.25 + n.Float(1))
		case 1:
			p.Scale = geom.V(1.25+n.Float(1), 1.25+n.Float(1), 1.25+n.Float(1))
		case 2:
			p.Scale = geom.V(-1.25+n.Float(1), 1.25+n.Float(1), 1.25+n.Float(1))
		}
		return p
	}
	single := func() physics.Shape {
		half := geom.V(0.75+n.Float(0.5), 0.75+n.Float(0.5), 0.75+n.Float(0.5))
		switch n.Int(8) {
		case 0:
			return geom.AABBAround(n.Vec(1), half)
		case 1:
			return geom.Box{Center: n.Vec(1), HalfExtents: half, Rotation: n.Quat()}
		case 2:
			return geom.Sphere{Center: n.Vec(1), Radius: half.X}
		case 3:
			return geom.Capsule{A: n.Vec(1), B: n.Vec(1), Radius: half.Y}
		case 4:
			return ball
		case 5:
			return geom.Cone{A: n.Vec(1), B: n.Vec(1), RadiusA: half.X, RadiusB: half.Y}
		case 6:
			return geom.TaperedCapsule{A: n.Vec(1), B: n.Vec(1), RadiusA: half.X, RadiusB: half.Y}
		}
		return crate
	}
	collider := func() physics.Collider {
		c := physics.Collider{Shape: single(), Transform: place(20), User: uint64(n.Int(1000)), Sensor: n.Int(10) == 0}
		switch n.Int(40) {
		case 0:
			c.Shape = geom.Plane{Normal: n.Vec(1), D: n.Float(10)}
		case 1, 2, 3, 4, 5:
			c.Shape = physics.NewCompound(
				physics.Child{Shape: single(), Transform: place(2)},
				physics.Child{Shape: single(), Transform: place(2)},
				physics.Child{Shape: single(), Transform: place(2)})
		}
		c.Layer = physics.Layers(1) << n.Int(4)
		return c
	}
	s := physics.NewSpace()
	var ids []physics.ColliderID
	for range 600 {
		ids = append(ids, s.Add(collider()))
	}
	for range 200 {
		s.SetTransform(ids[n.Int(len(ids))], place(20))
		s.Set(ids[n.Int(len(ids))], collider())
		s.Remove(ids[n.Int(len(ids))])
		ids = append(ids, s.Add(collider()))
	}
	require.NoError(t, s.Validate())
	return s
}

func goldenFilters() []physics.Filter {
	return []physics.Filter{
		{},
		{Sensors: true, Start: geom.Exit},
		{Start: geom.Ignore, Cull: geom.CullBack},
		{Mask: 0b0101, Cull: geom.CullFront},
		{Exclude: []physics.ColliderID{1, 2, 3}, Predicate: func(id physics.ColliderID) bool { return id%3 != 0 }},
	}
}

// The hashes of all answers of TestSameBits.
const (
	goldenClosest = 0x4a17b1c33bc93986
	goldenAny     = 0xf8a2987cef500785
	goldenAll     = 0xdcecd5092c377bcb
	goldenOverlap = 0x3df954cfe3bb9234
	goldenNearest = 0xb8da16c8d035d56b
)

// The answers of a space are the same to the bit on every architecture, and however its tree was
// built.
func TestSameBits(t *testing.T) {
	n := golden.Numbers(11)
	a := askAll(t, goldenWorld(t, &n), &n)
	a.closest.Check(t, "closest", goldenClosest)
	a.any.Check(t, "any", goldenAny)
	a.all.Check(t, "all", goldenAll)
	a.overlap.Check(t, "overlap", goldenOverlap)
	a.nearest.Check(t, "nearest", goldenNearest)
	assert.Greater(t, a.all.Found, 2*a.closest.Found)
}

// answers are the hashes of the answers of a space.
type answers struct{ closest, any, all, overlap, nearest *golden.Hash }

// askAll runs some thousand queries.
func askAll(t *testing.T, s *physics.Space, n *golden.Numbers) answers {
	closest, anyHit, all, overlap, nearest := golden.New(), golden.New(), golden.New(), golden.New(), golden.New()
	add := func(h *golden.Hash, hit physics.Hit, ok bool) {
		h.Hit(hit.Hit, ok)
		h.Uint(uint64(hit.Collider))
		h.Uint(uint64(uint32(hit.Child)))
		h.Uint(hit.User)
	}
	filters := goldenFilters()
	var hits []physics.Hit
	var ids []physics.ColliderID
	for i := range 3000 {
		f := filters[i%len(filters)]
		r := geom.NewRay(n.Vec(30), n.Vec(1))
		if i%7 == 0 {
			r.MinT, r.MaxT = n.Float(4)+4, n.Float(8)+16
		}
		hit, ok := s.CastRay(r, f)
		add(closest, hit, ok)
		anyHit.Bool(s.CastRayAny(r, f))
		hits = s.CastRayAll(hits[:0], r, f)
		for _, h := range hits {
			add(all, h, true)
		}
		k := 0
		for h := range s.Hits(r, f) {
			require.Equal(t, hits[k], h)
			k++
		}
		require.Len(t, hits, k)
		if i%3 != 0 {
			continue
		}
		p, half := n.Vec(20), n.Vec(2).Abs()
		ids = s.OverlapAABB(ids[:0], geom.AABBAround(p, half), f)
		ids = s.OverlapSphere(ids, geom.Sphere{Center: p, Radius: half.X}, f)
		ids = s.OverlapBox(ids, geom.Box{Center: p, HalfExtents: half, Rotation: n.Quat()}, f)
		ids = s.OverlapPoint(ids, p, f)
		for _, id := range ids {
			overlap.Uint(uint64(id))
		}
		overlap.Bool(len(ids) > 0)
		near, ok := s.Nearest(p, n.Float(2)+3, f)
		nearest.Bool(ok)
		nearest.Vec(near.PointA)
		nearest.Float(near.Distance)
		nearest.Uint(uint64(near.Collider))
		nearest.Uint(uint64(uint32(near.ChildA))<<32 | uint64(uint32(near.TriangleA)))
	}
	assert.Equal(t, closest.Found, anyHit.Found)
	for what, found := range map[string]int{"closest": closest.Found, "overlap": overlap.Found, "nearest": nearest.Found} {
		assert.Greater(t, found, 300, what)
	}
	return answers{closest, anyHit, all, overlap, nearest}
}

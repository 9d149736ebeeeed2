package physics

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
)

// shapeCast returns a cast through the scene: of any shape, scaled and rotated, some of them at
// rims where rounding decides.
func (s *scene) shapeCast() ShapeCast {
	c := ShapeCast{Transform: s.transform(9), Start: ShapeStartMode(s.IntN(3))}
	c.Transform.Position = c.Transform.Position.Add(s.center)
	h := s.vec(1).Abs().Mul(0.5)
	switch s.IntN(8) {
	case 0:
		c.Shape = geom.AABBAround(s.vec(0.5), h)
	case 1:
		c.Shape = geom.Box{HalfExtents: h, Rotation: s.transform(0).Rotation}
	case 2:
		c.Shape = geom.Capsule{A: s.vec(1), B: s.vec(1), Radius: h.X}
	case 3:
		c.Shape = geom.Sphere{}
	case 5:
		c.Shape = geom.Cone{A: s.vec(1), B: s.vec(1), RadiusA: h.X, RadiusB: h.Y}
	case 6:
		c.Shape = geom.TaperedCapsule{A: s.vec(1), B: s.vec(1), RadiusA: h.X, RadiusB: h.Y}
	case 4:
		c.Shape = testHulls[s.IntN(len(testHulls))]
		c.Transform.Scale = h.Max(geom.V(0.1, 0.1, 0.1).Mul(s.unit))
	default:
		c.Shape = geom.Sphere{Radius: h.X}
	}
	c.Motion = s.vec(8)
	switch s.IntN(8) {
	case 0:
		c.Motion = geom.V(0, 0, c.Motion.Z)
	case 1:
		c.Motion = geom.Vec3{}
	case 2, 3, 4:
		c.Motion = s.target().Sub(c.Transform.Position)
	}
	if s.IntN(3) == 0 {
		c.MinT = s.Float32()
	}
	if s.IntN(3) == 0 {
		c.MaxT = 2 * s.Float32()
	}
	return c
}

// castEach casts at every collider alone, without the tree.
func (s *Space) castEach(c ShapeCast, f Filter) (hits []ShapeHit) {
	var w sweep
	if !w.start(s, &c) {
		return nil
	}
	s.placed(func(r *record) {
		subshapes := r.subshapes()
		for i := range subshapes {
			p := &subshapes[i]
			for _, h := range p.CastBodyAll(nil, &w.body, &w.path, f.Cull) {
				hits = append(hits, w.hit(r, p, (*narrow.Impact)(&h)))
			}
		}
	})
	slices.SortFunc(hits, ShapeHit.Compare)
	return hits
}

// TestCastShapeAgainstTwin compares the hits found with the tree with those found without it.
func TestCastShapeAgainstTwin(t *testing.T) {
	testenv.Long(t)
	for _, tt := range []struct {
		name   string
		center geom.Vec3
		unit   float32
	}{
		{"near", geom.Vec3{}, 1},
		{"far", geom.V(20_000, 300, -7000), 1},
		{"small and far", geom.V(5000, 0, 0), 0.01},
		{"large", geom.Vec3{}, 1000},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newScene(120, tt.center, tt.unit)
			for range 3 {
				s.add(Collider{Shape: geom.Plane{Normal: s.vec(1)}, Transform: geom.Transform{Position: s.center.Add(s.vec(8))}})
			}
			s.add(Collider{Shape: NewCompound(Child{geom.Plane{Normal: s.vec(1)}, geom.Transform{}}, Child{unitSphere, geom.Transform{}})})
			found, overlaps := 0, 0
			for range 1500 {
				c, f := s.shapeCast(), Filter{Cull: geom.Cull(s.IntN(3))}
				want := s.space.castEach(c, f)
				require.Equal(t, want, s.space.CastShapeAll(nil, c, f), "%+v", c)
				first, ok := s.space.CastShape(c, f)
				require.Equal(t, len(want) > 0, ok)
				require.Equal(t, ok, s.space.CastShapeAny(c, f))
				if ok {
					require.Equal(t, want[0], first)
					found++
					if first.Overlaps {
						overlaps++
					}
				}
				for _, h := range want {
					// Each coordinate of a normal is rounded by 2⁻²⁵ or less, and a product of two
					// vectors as often as it has terms.
					require.InDelta(t, 1, h.Normal.Len(), 3*0x1p-24)
					if !h.Overlaps {
						require.LessOrEqual(t, h.Normal.Dot(c.Motion), 8*0x1p-24*c.Motion.Len())
					}
				}
			}
			testenv.Drawn(t, found, 400)
			testenv.Drawn(t, overlaps, 20)
		})
	}
}

// TestCastShapeAgainstOverlaps compares casts with overlap tests: a shape that moves has no point
// in common with a collider before it hits that collider, and none with any collider if it misses.
func TestCastShapeAgainstOverlaps(t *testing.T) {
	s := newScene(60, geom.Vec3{}, 1)
	singles := make([]*Space, len(s.ids))
	for i, id := range s.ids {
		singles[i] = NewSpace()
		singles[i].Add(s.twin[id])
	}
	hits := 0
	once := func(rt *rapid.T) {
		size := s.Float32()
		half := s.vec(0.5).Abs()
		turn := geom.QuatEuler(s.Float64()*6, s.Float64()*6, s.Float64()*6)
		c := ShapeCast{Transform: geom.Transform{Position: s.vec(9)}, MaxT: 1}
		c.Motion = s.target().Add(s.vec(1)).Sub(c.Transform.Position)
		kind := s.IntN(3)
		switch kind {
		case 0:
			c.Shape = geom.Sphere{Radius: size}
		case 1:
			c.Shape = geom.Box{HalfExtents: half, Rotation: turn}
		default:
			c.Shape = geom.AABBAround(geom.Vec3{}, half)
		}
		// touches tests for overlaps of the shape at a T, grown by a distance on all sides.
		touches := func(space *Space, at, grow float32) bool {
			p := c.Transform.Position.Add(c.Motion.Mul(at))
			h := half.Add(geom.V(grow, grow, grow)).Max(geom.Vec3{})
			switch kind {
			case 0:
				return len(space.OverlapSphere(nil, geom.Sphere{Center: p, Radius: max(0, size+grow)}, Filter{})) > 0
			case 1:
				return len(space.OverlapBox(nil, geom.Box{Center: p, HalfExtents: h, Rotation: turn}, Filter{})) > 0
			}
			return len(space.OverlapAABB(nil, geom.AABBAround(p, h), Filter{})) > 0
		}
		// The place at T is rounded three times, by √3·2⁻²⁰ m at up to 26 m from the origin, and so
		// are the boxes of the tests for overlaps.
		const e = 4 * 1.7320508 * 0x1p-20
		for i, space := range singles {
			h, ok := space.CastShape(c, Filter{})
			end := float32(1)
			if ok {
				hits++
				end = h.T
				if !touches(space, h.T, e) {
					rt.Fatalf("collider %d is not there at T = %v: %+v", i, h.T, c)
				}
			}
			if half.X < e || half.Y < e || half.Z < e || size < e {
				continue
			}
			for k := range 9 {
				at := end * float32(k) / 8
				if (!ok || at < h.T) && touches(space, at, -e) {
					rt.Fatalf("collider %d was passed at T = %v: %+v", i, at, c)
				}
			}
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		s.Rand = drawRand(rt)
		for range 20 {
			once(rt)
		}
	})
	testenv.Drawn(t, hits, 100)
}

// TestCastOfAPointIsCastOfARay casts spheres without a radius where rays go.
func TestCastOfAPointIsCastOfARay(t *testing.T) {
	s := newScene(200, geom.Vec3{}, 1)
	s.add(Collider{Shape: ground, Transform: geom.At(0, -3, 0)})
	hits, differ := 0, 0
	const rays = 3000
	for range rays {
		r := geom.Ray{Origin: s.vec(12), Dir: s.vec(1)}
		want, ok := s.space.CastRay(r, Filter{})
		got, found := s.space.CastShape(ShapeCast{Shape: geom.Sphere{}, Transform: geom.Transform{Position: r.Origin}, Motion: r.Dir}, Filter{})
		if !ok && !found {
			continue
		}
		hits++
		if ok != found || want.Collider != got.Collider { // at a rim
			differ++
			continue
		}
		require.Equal(t, want.Child, got.Child)
		require.Equal(t, want.Inside, got.Overlaps)
		// The frame of a shape is single precision: its surface is off by some 2⁻²² of the distance
		// for each of a rotation's three products, there and back. A ray at an angle moves along
		// itself by that over the sine of the angle; one that grazes a radius of curvature of up to
		// 4 m by no more than the half chord at that depth.
		speed := float64(r.Dir.Len())
		off := 6 * 0x1p-22 * (float64(r.Origin.Len()) + float64(want.T)*speed)
		sine := math.Abs(float64(r.Dir.Dot(want.Normal))) / speed
		along := min(off/sine, math.Sqrt(2*4*off)) + off
		require.InDelta(t, want.T, got.T, along/speed, "%v %+v %+v", r, want, got)
		if !want.Inside {
			require.InDelta(t, 0, want.Point.Distance(got.Point), along+off)
		}
	}
	testenv.Drawn(t, hits, 800)
	assert.LessOrEqual(t, differ, 3)
}

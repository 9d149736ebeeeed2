package physics

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Rays through two points of a solid's surface, which begin and end on either side of either, as
// in the tests of Jolt Physics (RayShapeTests.cpp), whose points of cylinders and tapered capsules
// are among these: forward and reversed, in place and moved, in every start mode.
func TestRaysThroughTwoPointsOfASolid(t *testing.T) {
	type line struct{ a, b geom.Vec3 }
	pairs := 0
	for name, c := range map[string]struct {
		shape Shape
		lines []line
	}{
		"cylinder": {geom.Cylinder(geom.V(0, -4, 0), geom.V(0, 4, 0), 2), []line{
			{geom.V(-2, 0, 0), geom.V(2, 0, 0)}, {geom.V(0, -4, 0), geom.V(0, 4, 0)}, {geom.V(0, 0, -2), geom.V(0, 0, 2)},
			{geom.V(1, 4, 0.5), geom.V(1.2, -2, -1.6)}, {geom.V(-1.2, 3, 1.6), geom.V(2, -3, 0)},
		}},
		"tapered capsule": {geom.TaperedCapsule{A: geom.V(0, 3, 0), B: geom.V(0, -3, 0), RadiusA: 4, RadiusB: 2}, []line{
			{geom.V(0, 7, 0), geom.V(0, -5, 0)}, {geom.V(-4, 3, 0), geom.V(4, 3, 0)}, {geom.V(0, 3, -4), geom.V(0, 3, 4)},
			{geom.V(2.4, 6.2, 0), geom.V(0, -5, 0)},
		}},
		"cone": {geom.Cone{A: geom.V(0, 0, 0), B: geom.V(0, 4, 0), RadiusA: 3}, []line{
			{geom.V(0, 0, 0), geom.V(0, 4, 0)}, {geom.V(-1.5, 2, 0), geom.V(1.5, 2, 0)}, {geom.V(1, 0, 1), geom.V(0, 2, -1.5)},
		}},
		"frustum": {geom.Cone{A: geom.V(0, 0, 0), B: geom.V(0, 4, 0), RadiusA: 1, RadiusB: 4}, []line{
			{geom.V(0, 0, 0), geom.V(0, 4, 0)}, {geom.V(-2.5, 2, 0), geom.V(2.5, 2, 0)}, {geom.V(3, 4, 1), geom.V(0, 2, -2.5)},
		}},
	} {
		for _, place := range []geom.Transform{{}, {Position: geom.V(2, 3, 4), Rotation: geom.QuatAxisAngle(geom.V(1, 0, 0), math.Pi/4)}} {
			s := NewSpace()
			s.Add(Collider{Shape: c.shape, Transform: place})
			// test casts from one share of the way between the points to another. Those of the
			// surface are enter and exit, NaN where the ray does not pass it.
			test := func(l line, from, to, enter, exit float32) {
				at := func(share float32) geom.Vec3 { return place.Point(l.a.Lerp(l.b, share)) }
				r := geom.Segment(at(from), at(to))
				share := func(x float32) float64 { return float64((x - from) / (to - from)) }
				inside := from > 0 && from < 1
				for mode, want := range map[geom.StartMode]float32{geom.Solid: enter, geom.Exit: enter, geom.Ignore: enter} {
					if inside {
						want = map[geom.StartMode]float32{geom.Solid: from, geom.Exit: exit, geom.Ignore: float32(math.NaN())}[mode]
					}
					hit, ok := s.CastRay(r, Filter{Start: mode})
					require.Equal(t, want == want, ok, "%s %v %v %v, %v", name, l, from, to, mode)
					require.Equal(t, ok, s.CastRayAny(r, Filter{Start: mode}))
					require.Equal(t, ok, len(s.CastRayAll(nil, r, Filter{Start: mode})) == 1)
					if ok {
						require.InDelta(t, share(want), hit.T, 2.5e-5, "%s %v %v %v, %v", name, l, from, to, mode)
						require.Equal(t, inside && mode == geom.Solid, hit.Inside)
						require.Equal(t, inside && mode == geom.Exit, hit.BackFace)
					}
				}
				// Beyond the ray's end its line is the same.
				crossings := s.Crossings(nil, geom.NewRay(r.Origin, r.Dir), Filter{})
				if from > 1 {
					require.Empty(t, crossings)
					return
				}
				require.Len(t, crossings, 1)
				require.InDelta(t, max(0, share(0)), crossings[0].Enter.T, 2.5e-5)
				require.InDelta(t, share(1), crossings[0].Exit.T, 2.5e-5)
			}
			none := float32(math.NaN())
			for _, l := range c.lines {
				pairs++
				for _, l := range []line{l, {l.b, l.a}} {
					test(l, -2, -0.1, none, none)
					test(l, -0.1, 0.1, 0, none)
					test(l, -0.1, 1.1, 0, 1)
					test(l, 0.9, 1.1, none, 1)
					test(l, 0.1, 0.9, none, none)
					test(l, 1.1, 3, none, none)
				}
			}
		}
	}
	assert.Equal(t, 30, pairs)
}

package narrow

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
)

func v3(x, y, z float64) geom.DVec3 { return geom.DVec3{X: x, Y: y, Z: z} }

// Pairs whose answers follow by hand. Each is cast with a moving and with b, the other
// way.
func TestCastPairs(t *testing.T) {
	unit := geom.V(1, 1, 1)
	eighth := geom.QuatAxisAngle(geom.V(0, 0, 1), math.Pi/4)
	ball := func(x, y, z, r float32) Shape { return Sphere(geom.Sphere{Center: geom.V(x, y, z), Radius: r}) }
	pill := func(a, b geom.Vec3, r float32) Shape { return Capsule(geom.Capsule{A: a, B: b, Radius: r}) }
	cube := func(x, y, z float32, q geom.Quat) Shape {
		return Box(geom.Box{Center: geom.V(x, y, z), HalfExtents: unit, Rotation: q})
	}
	aabb := func(x, y, z float32) Shape { return AABB(geom.AABBAround(geom.V(x, y, z), unit)) }
	floor := Triangle(geom.Triangle{A: geom.V(-9, 0, 9), B: geom.V(9, 0, 9), C: geom.V(0, 0, -9)})
	corners := []geom.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}} // an octahedron
	octahedron := func(x, y, z float32) Shape { return Cloud(corners, geom.At(x, y, z).Affine(), 0) }
	egg := func(x, y, z float32) Shape {
		return ScaledCapsule(geom.Capsule{Radius: 1}, geom.Transform{Position: geom.V(x, y, z), Scale: geom.V(3, 1, 2)}.Affine())
	}
	root2 := math.Sqrt2
	const miss = -1
	for _, c := range []struct {
		name   string
		a, b   Shape
		motion geom.DVec3
		at     float64    // T, or miss
		normal geom.DVec3 // zero: several are right
		point  geom.DVec3 // NaN: several are right
		depth  float64    // of an overlap at the start
	}{
		{"spheres", ball(0, 0, 0, 1), ball(5, 0, 0, 2), v3(1, 0, 0), 2, v3(-1, 0, 0), v3(3, 0, 0), 0},
		{"spheres, off centre", ball(0, 3, 0, 1), ball(10, 0, 0, 4), v3(2, 0, 0), 3, v3(-0.8, 0.6, 0), v3(6.8, 2.4, 0), 0},
		{"spheres graze", ball(0, 3, 0, 1), ball(5, 0, 0, 2), v3(1, 0, 0), 5, v3(0, 1, 0), v3(5, 2, 0), 0},
		{"spheres pass", ball(0, 3.001, 0, 1), ball(5, 0, 0, 2), v3(1, 0, 0), miss, v3(0, 0, 0), v3(0, 0, 0), 0},
		{"spheres part", ball(0, 0, 0, 1), ball(5, 0, 0, 2), v3(-1, 0, 0), miss, v3(0, 0, 0), v3(0, 0, 0), 0},
		{"spheres touch", ball(0, 0, 0, 1), ball(3, 0, 0, 2), v3(1, 0, 0), 0, v3(-1, 0, 0), v3(1, 0, 0), 0},
		{"spheres overlap", ball(0, 0, 0, 1), ball(2, 0, 0, 2), v3(1, 0, 0), 0, v3(-1, 0, 0), v3(1, 0, 0), 1},
		{"one centre", ball(1, 1, 1, 1), ball(1, 1, 1, 2), v3(0, 1, 0), 0, v3(0, -1, 0), v3(1, 2, 1), 3},
		{"point and sphere", ball(0, 0, 0, 0), ball(5, 0, 0, 2), v3(1, 0, 0), 3, v3(-1, 0, 0), v3(3, 0, 0), 0},
		{"points", ball(0, 0, 0, 0), ball(5, 0, 0, 0), v3(1, 0, 0), 5, v3(-1, 0, 0), v3(5, 0, 0), 0},
		{"sphere and capsule, side", ball(0, 0, 0, 1), pill(geom.V(5, -3, 0), geom.V(5, 3, 0), 2), v3(1, 0, 0), 2, v3(-1, 0, 0), v3(3, 0, 0), 0},
		{"sphere and capsule, cap", ball(5, 9, 0, 1), pill(geom.V(5, -3, 0), geom.V(5, 3, 0), 2), v3(0, -1, 0), 3, v3(0, 1, 0), v3(5, 5, 0), 0},
		{"sphere in capsule", ball(5, 0, 0, 1), pill(geom.V(5, -3, 0), geom.V(5, 3, 0), 2), v3(1, 0, 0), 0, v3(-1, 0, 0), v3(6, 0, 0), 3},
		{"capsules crossed", pill(geom.V(-2, 5, 0), geom.V(2, 5, 0), 0.5), pill(geom.V(0, 0, -2), geom.V(0, 0, 2), 1), v3(0, -1, 0), 3.5, v3(0, 1, 0), v3(0, 1, 0), 0},
		{"capsules end to end", pill(geom.V(0, 5, 0), geom.V(0, 9, 0), 0.5), pill(geom.V(0, -2, 0), geom.V(0, 2, 0), 0.5), v3(0, -1, 0), 2, v3(0, 1, 0), v3(0, 2.5, 0), 0},
		{"capsules side by side", pill(geom.V(5, -2, 0), geom.V(5, 2, 0), 0.5), pill(geom.V(0, -1, 0), geom.V(0, 1, 0), 0.5), v3(-2, 0, 0), 2, v3(1, 0, 0), v3(0.5, math.NaN(), 0), 0},
		{"capsules cross in one point", pill(geom.V(-1, 0, 0), geom.V(1, 0, 0), 0.5), pill(geom.V(0, -1, 0), geom.V(0, 1, 0), 0.5), v3(0, 0, 1), 0, v3(0, 0, -1), v3(0, 0, 0.5), 1},
		{"point in a capsule", pill(geom.V(-1, 0, 0), geom.V(1, 0, 0), 0.5), Triangle(geom.Triangle{}), v3(3, -4, 0), 0, v3(0, 1, 0), v3(0, -0.5, 0), 0.5},
		{"one line", pill(geom.V(-1, 0, 0), geom.V(1, 0, 0), 0.5), pill(geom.V(-2, 0, 0), geom.V(0, 0, 0), 0.5), v3(0, 1, 0), 0, v3(0, -1, 0), v3(math.NaN(), 0.5, 0), 1},
		{"sphere and box, face", ball(0, 5, 0, 1), cube(0, 0, 0, geom.Quat{}), v3(0, -1, 0), 3, v3(0, 1, 0), v3(0, 1, 0), 0},
		{"sphere and box, edge", ball(1.75, 5, 0, 1.25), cube(0, 0, 0, geom.Quat{}), v3(0, -1, 0), 3, v3(0.6, 0.8, 0), v3(1, 1, 0), 0},
		{"sphere and box, corner", ball(2, 5, 2, 1.5), cube(0, 0, 0, geom.Quat{}), v3(0, -1, 0), 4 - 0.5, v3(2./3, 1./3, 2./3), v3(1, 1, 1), 0},
		{"sphere and turned box", ball(0, 5, 0, 1), cube(0, 0, 0, eighth), v3(0, -1, 0), 4 - root2, v3(0, 1, 0), v3(0, root2, 0), 0},
		{"sphere in box", ball(0, 0.5, 0, 0.25), cube(0, 0, 0, geom.Quat{}), v3(0, -1, 0), 0, v3(0, 1, 0), v3(0, 0.25, 0), 0.75},
		{"sphere and triangle, face", ball(0, 5, 0, 1), floor, v3(0, -1, 0), 4, v3(0, 1, 0), v3(0, 0, 0), 0},
		{"sphere and triangle, edge", ball(0, 4, 9.75, 1.25), floor, v3(0, -1, 0), 3, v3(0, 0.8, 0.6), v3(0, 0, 9), 0},
		{"sphere in triangle", ball(0, 0.25, 0, 1), floor, v3(0, -1, 0), 0, v3(0, 1, 0), v3(0, -0.75, 0), 0.75},
		{"sphere on a line with two equal corners", ball(1, 0, 0, 1), Triangle(geom.Triangle{C: geom.V(4, 0, 0)}), v3(1, -1, 0), 0, v3(0, 1, 0), v3(1, -1, 0), 1},
		{"sphere on a needle", ball(0.5, 1, 1.5, 1e-3), Triangle(geom.Triangle{
			A: geom.V(2.6645353e-15, -5.3290705e-15, 6.217249e-15), B: geom.V(4, 8, 12), C: geom.V(1, 2, 3),
		}), v3(0.25, 0.5, 0.75), 0, v3(0, 0, 0), v3(math.NaN(), math.NaN(), math.NaN()), float64(float32(1e-3))},
		{"aabbs", aabb(0, 0, 0), aabb(5, 0.5, 0), v3(2, 0, 0), 1.5, v3(-1, 0, 0), v3(4, 0.25, 0), 0},
		{"aabbs, edge to edge", aabb(0, 0, 0), aabb(5, 5, 0), v3(1, 1, 0), 3, v3(0, 0, 0), v3(4, 4, 0), 0},
		{"aabbs slide", aabb(0, 2, 0), aabb(5, 0, 0), v3(1, 0, 0), 3, v3(-1, 0, 0), v3(4, 1, 0), 0},
		{"aabbs overlap", aabb(0, 0, 0), aabb(1.5, 0, 0), v3(1, 0, 0), 0, v3(-1, 0, 0), v3(1, math.NaN(), math.NaN()), 0.5},
		{"box in a box", aabb(0, 0.5, 0), cube(0, 0, 0, geom.Quat{}), v3(0, 0, 1), 0, v3(0, 1, 0), v3(math.NaN(), -0.5, math.NaN()), 1.5},
		{"boxes, edge on face", cube(0, 5, 0, eighth), cube(0, 0, 0, geom.Quat{}), v3(0, -1, 0), 4 - root2, v3(0, 1, 0), v3(0, 1, math.NaN()), 0},
		{"boxes, edge to edge", cube(0, 5, 0, eighth), Box(geom.Box{HalfExtents: unit, Rotation: geom.QuatAxisAngle(geom.V(1, 0, 0), math.Pi/4)}), v3(0, -1, 0), 5 - 2*root2, v3(0, 1, 0), v3(0, root2, 0), 0},
		{"box and capsule", cube(0, 5, 0, geom.Quat{}), pill(geom.V(-3, 0, 0), geom.V(3, 0, 0), 0.5), v3(0, -1, 0), 3.5, v3(0, 1, 0), v3(math.NaN(), 0.5, 0), 0},
		{"box and triangle, face on face", cube(0, 5, 0, geom.Quat{}), floor, v3(0, -1, 0), 4, v3(0, 1, 0), v3(math.NaN(), 0, math.NaN()), 0},
		{"box and triangle, edge to edge", cube(0, 5, 9, geom.QuatAxisAngle(geom.V(0, 0, 1), math.Pi/4)), floor, v3(0, -1, 0), 5 - root2, v3(0, 1, 0), v3(0, 0, math.NaN()), 0},
		{"hull, corner on face", octahedron(0, 5, 0), cube(0, 0, 0, geom.Quat{}), v3(0, -1, 0), 3, v3(0, 1, 0), v3(0, 1, 0), 0},
		{"hulls, corner to corner", octahedron(0, 5, 0), octahedron(0, 0, 0), v3(0, -1, 0), 3, v3(0, 0, 0), v3(0, 1, 0), 0},
		{"hull in a box", octahedron(0, 1.5, 0), cube(0, 0, 0, geom.Quat{}), v3(0, -1, 0), 0, v3(0, 1, 0), v3(0, 0.5, 0), 0.5},
		{"hulls overlap", octahedron(0, 0.5, 0), octahedron(0, 0, 0), v3(0, -1, 0), 0, v3(0, 0, 0), v3(math.NaN(), math.NaN(), math.NaN()), 1.5 / math.Sqrt(3)},
		{"ellipsoid on its flat side", egg(0, 5, 0), floor, v3(0, -1, 0), 4, v3(0, 1, 0), v3(0, 0, 0), 0},
		{"ellipsoids, tip to tip", egg(0, 0, 0), egg(8, 0, 0), v3(1, 0, 0), 2, v3(-1, 0, 0), v3(5, 0, 0), 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			eps := 1e-10
			if c.a.kind == KindRound || c.b.kind == KindRound {
				eps = 1e-6
			}
			for _, backward := range []bool{false, true} {
				p := Path{Motion: c.motion, Max: 100}
				hit, ok := Cast(&c.a, &c.b, &p)
				if backward {
					p.Motion = c.motion.Neg()
					if hit, ok = Cast(&c.b, &c.a, &p); ok {
						way := c.motion.Mul(hit.T)
						hit.PointA, hit.PointB = hit.PointB.Add(way), hit.PointA.Add(way)
						hit.Normal = hit.Normal.Neg()
					}
				}
				if c.at == miss {
					require.False(t, ok)
					continue
				}
				require.True(t, ok)
				assert.InDelta(t, c.at, hit.T, eps)
				assert.InDelta(t, c.depth, hit.Depth, eps)
				assert.Equal(t, c.depth > 0, hit.Overlaps)
				if c.normal != (geom.DVec3{}) {
					assert.InDelta(t, 0, hit.Normal.Sub(c.normal).Len(), 1000*eps, "normal %v", hit.Normal)
				}
				for i, x := range [3]float64{c.point.X - hit.PointA.X, c.point.Y - hit.PointA.Y, c.point.Z - hit.PointA.Z} {
					if x == x {
						assert.InDelta(t, 0, x, 1e4*eps, "%d of %v", i, hit.PointA)
					}
				}
				assert.InDelta(t, hit.Depth, hit.PointB.Sub(hit.PointA).Dot(hit.Normal), eps)
			}
		})
	}
}

// What the options make of bodies that overlap or touch where the path starts.
func TestCastStart(t *testing.T) {
	type answer struct {
		ok, overlaps bool
	}
	none, first, start := answer{}, answer{true, false}, answer{true, true}
	for _, c := range []struct {
		name string
		// of the middle of a body that reaches 1 down, over a top at 1
		height                           float32
		motion                           geom.DVec3
		report, ignore, ignoreSeparating answer
	}{
		{"deep, going in", 1.5, v3(0, -1, 0), start, none, start},
		{"deep, going out", 1.5, v3(0, 1, 0), start, none, none},
		{"deep, going along", 1.5, v3(1, 0, 0), start, none, none},
		{"touching, going in", 2, v3(0, -1, 0), first, first, first},
		{"touching, going in aslant", 2, v3(5, -0.5, 0), first, first, first},
		{"touching, going out", 2, v3(0, 1, 0), start, none, none},
		{"touching, going along", 2, v3(1, 0, 0), start, none, none},
		{"apart, going in", 3, v3(0, -1, 0), first, first, first},
		{"apart, going out", 3, v3(0, 1, 0), none, none, none},
		{"apart, going along", 3, v3(1, 0, 0), none, none, none},
	} {
		t.Run(c.name, func(t *testing.T) {
			at := geom.V(0.25, c.height, 0.125)
			turn := geom.QuatAxisAngle(geom.V(0, 1, 0), 0.3)
			round := geom.V(1, 1, 1)
			movers := map[string]Shape{
				"sphere":    Sphere(geom.Sphere{Center: at, Radius: 1}),
				"capsule":   Capsule(geom.Capsule{A: at, B: at.Add(geom.V(0, 3, 0)), Radius: 1}),
				"aabb":      AABB(geom.AABBAround(at, round)),
				"box":       Box(geom.Box{Center: at, HalfExtents: round, Rotation: turn}),
				"hull":      Cloud([]geom.Vec3{{Y: -1}, {X: 1, Y: 1}, {X: -1, Y: 1, Z: 1}, {X: -1, Y: 1, Z: -1}}, geom.Transform{Position: at}.Affine(), 0),
				"ellipsoid": ScaledCapsule(geom.Capsule{Radius: 1}, geom.Transform{Position: at, Scale: geom.V(2, 1, 2)}.Affine()),
			}
			targets := map[string]Shape{
				"aabb":     AABB(geom.AABB{Min: geom.V(-9, -9, -9), Max: geom.V(9, 1, 9)}),
				"box":      Box(geom.Box{Center: geom.V(0, -3, 0), HalfExtents: geom.V(9, 4, 9), Rotation: turn}),
				"triangle": Triangle(geom.Triangle{A: geom.V(-9, 1, 9), B: geom.V(9, 1, 9), C: geom.V(0, 1, -9)}),
				"sphere":   Sphere(geom.Sphere{Center: geom.V(0.25, -4, 0.125), Radius: 5}),
				"hull": Cloud([]geom.Vec3{{X: -9, Y: 1, Z: 9}, {X: 9, Y: 1, Z: 9}, {Y: 1, Z: -9}, {Y: -9}},
					geom.AffineIdentity(), 0),
			}
			for mover, a := range movers {
				for target, b := range targets {
					if c.motion.X != 0 && (target == "sphere" || mover == "sphere" && target == "triangle") {
						continue // what goes along a curve goes away from it
					}
					for mode, want := range map[Start]answer{Report: c.report, Ignore: c.ignore, IgnoreSeparating: c.ignoreSeparating} {
						p := Path{Motion: c.motion, Max: 0.75, Start: mode}
						if c.height == 3 {
							p.Max = 10
						}
						hit, ok := Cast(&a, &b, &p)
						assert.Equal(t, want, answer{ok, hit.Overlaps}, "%s at %s, %v: %+v", mover, target, mode, hit)
					}
				}
				for _, solid := range []bool{false, true} {
					for mode, want := range map[Start]answer{Report: c.report, Ignore: c.ignore, IgnoreSeparating: c.ignoreSeparating} {
						p := Path{Motion: c.motion, Max: 10, Start: mode}
						hit, ok := CastPlane(&a, Plane{Normal: v3(0, 1, 0), Point: v3(3, 1, 5), Solid: solid}, &p)
						assert.Equal(t, want, answer{ok, hit.Overlaps}, "%s at a plane, %v: %+v", mover, mode, hit)
					}
				}
			}
		})
	}
}

func TestCastPlane(t *testing.T) {
	up := v3(0, 1, 0)
	capsule := Capsule(geom.Capsule{A: geom.V(0, 5, 0), B: geom.V(4, 8, 0), Radius: 1})
	below := Box(geom.Box{Center: geom.V(0, -4, 0), HalfExtents: geom.V(1, 1, 1)})
	for _, c := range []struct {
		name   string
		body   Shape
		plane  Plane
		motion geom.DVec3
		ok     bool
		t      float64
		normal geom.DVec3
		depth  float64
	}{
		{"falls", capsule, Plane{up, v3(9, 1, 9), false}, v3(0, -2, 0), true, 1.5, up, 0},
		{"slides down", capsule, Plane{up, v3(9, 1, 9), true}, v3(7, -1, 0), true, 3, up, 0},
		{"rises", capsule, Plane{up, v3(9, 1, 9), false}, v3(0, 1, 0), false, 0, up, 0},
		{"through its back", below, Plane{up, v3(9, 1, 9), false}, v3(0, 1, 0), true, 4, v3(0, -1, 0), 0},
		{"behind what is solid", below, Plane{up, v3(9, 1, 9), true}, v3(0, -1, 0), true, 0, up, 6},
		{"in it", capsule, Plane{up, v3(0, 4.25, 0), false}, v3(0, -1, 0), true, 0, up, 0.25},
		{"in it, more behind than before", capsule, Plane{up, v3(0, 8.5, 0), false}, v3(0, -1, 0), true, 0, v3(0, -1, 0), 0.5},
		{"no plane", capsule, Plane{v3(0, 0, 0), v3(0, 0, 0), false}, v3(0, -1, 0), false, 0, up, 0},
		{"not unit", capsule, Plane{v3(0, 2, 0), v3(0, 0, 0), false}, v3(0, -1, 0), false, 0, up, 0},
		{"NaN", capsule, Plane{up, v3(0, math.NaN(), 0), false}, v3(0, -1, 0), false, 0, up, 0},
		{"no body", Shape{}, Plane{up, v3(0, 0, 0), false}, v3(0, -1, 0), false, 0, up, 0},
		{"no motion", capsule, Plane{up, v3(0, 0, 0), false}, v3(0, 0, 0), false, 0, up, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			hit, ok := CastPlane(&c.body, c.plane, &Path{Motion: c.motion, Max: 100})
			require.Equal(t, c.ok, ok)
			if !ok {
				return
			}
			assert.InDelta(t, c.t, hit.T, 1e-12)
			assert.InDelta(t, c.depth, hit.Depth, 1e-12)
			assert.Equal(t, c.depth > 0, hit.Overlaps)
			assert.Equal(t, c.normal, hit.Normal)
			assert.InDelta(t, 0, hit.PointB.Sub(c.plane.Point).Dot(c.plane.Normal), 1e-12, "on the plane")
			assert.InDelta(t, c.depth, hit.PointB.Sub(hit.PointA).Dot(hit.Normal), 1e-12)
		})
	}
}

func TestCastNothing(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	some := Sphere(geom.Sphere{Radius: 1})
	for name, b := range map[string]Shape{
		"zero":               {},
		"negative radius":    Sphere(geom.Sphere{Radius: -1}),
		"NaN":                Capsule(geom.Capsule{A: geom.V(nan, 0, 0), Radius: 1}),
		"infinite":           Sphere(geom.Sphere{Center: geom.V(0, inf, 0), Radius: 1}),
		"empty aabb":         AABB(geom.EmptyAABB()),
		"aabb without end":   AABB(geom.AABB{Min: geom.V(-inf, 0, 0), Max: geom.V(1, 1, 1)}),
		"negative box":       Box(geom.Box{HalfExtents: geom.V(1, -1, 1)}),
		"negative, sheared":  ShearedBox(geom.Box{HalfExtents: geom.V(1, -1, 1)}, geom.AffineIdentity()),
		"NaN map":            ShearedBox(geom.Box{HalfExtents: geom.V(1, 1, 1)}, geom.Affine{X: geom.V(nan, 0, 0)}),
		"NaN triangle":       Triangle(geom.Triangle{B: geom.V(0, nan, 0)}),
		"no points":          Cloud(nil, geom.AffineIdentity(), 1),
		"NaN point":          Cloud([]geom.Vec3{{}, {X: nan}}, geom.AffineIdentity(), 1),
		"negative hull":      Cloud([]geom.Vec3{{}}, geom.AffineIdentity(), -1),
		"negative ellipsoid": ScaledCapsule(geom.Capsule{Radius: -1}, geom.AffineIdentity()),
	} {
		assert.True(t, b.IsEmpty(), name)
		_, ok := Cast(&some, &b, &Path{Motion: v3(1, 0, 0), Max: 1})
		assert.False(t, ok, name)
		_, ok = Cast(&b, &some, &Path{Motion: v3(1, 0, 0), Max: 1})
		assert.False(t, ok, name)
	}
	for name, p := range map[string]Path{
		"no motion":    {Max: 1},
		"empty range":  {Motion: v3(1, 0, 0), Min: 2, Max: 1},
		"NaN range":    {Motion: v3(1, 0, 0), Max: math.NaN()},
		"NaN start":    {Motion: v3(1, 0, 0), Min: math.NaN(), Max: 1},
		"behind":       {Motion: v3(1, 0, 0), Min: -1, Max: 1},
		"NaN motion":   {Motion: v3(1, math.NaN(), 0), Max: 1},
		"endless":      {Motion: v3(1, math.Inf(1), 0), Max: 1},
		"starts at ∞":  {Motion: v3(1, 0, 0), Min: math.Inf(1), Max: math.Inf(1)},
		"hardly moves": {Motion: v3(1e-200, 0, 0), Max: 1},
	} {
		assert.False(t, p.IsValid(), name)
		_, ok := Cast(&some, &some, &p)
		assert.False(t, ok, name)
	}
}

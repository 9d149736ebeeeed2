package geom_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
)

// touching holds shapes that lie in x ≥ 0 and touch the plane x = 0 at the origin with a face, an
// edge or a corner. Each of them, mirrored, touches each of them.
var touching = map[string]volume{
	"aabb face":        geom.AABB{Min: geom.V(0, -1, -1), Max: geom.V(2, 1, 1)},
	"aabb corner":      geom.AABB{Min: geom.V(0, 0, 0), Max: geom.V(2, 1, 1)},
	"aabb flat":        geom.AABB{Min: geom.V(0, -1, -1), Max: geom.V(0, 1, 1)},
	"aabb point":       geom.AABB{},
	"aabb infinite":    geom.AABB{Min: geom.V(0, -inf32, -1), Max: geom.V(inf32, inf32, inf32)},
	"box face":         geom.Box{Center: geom.V(1, 0.5, 0), HalfExtents: geom.V(1, 1, 1)},
	"box edge":         geom.Box{Center: geom.V(5, 0, 0), HalfExtents: geom.V(3, 4, 1), Rotation: geom.Quat{Z: 1, W: 2}}, // 3-4-5
	"box flat":         geom.Box{Center: geom.V(5, 0, 0), HalfExtents: geom.V(5, 1, 0)},
	"box point":        geom.Box{},
	"sphere":           geom.Sphere{Center: geom.V(3, 0, 0), Radius: 3},
	"sphere point":     geom.Sphere{},
	"capsule side":     geom.Capsule{A: geom.V(0.5, -1, 0), B: geom.V(0.5, 3, 0), Radius: 0.5},
	"capsule end":      geom.Capsule{A: geom.V(2, 0, 0), B: geom.V(7, 5, 1), Radius: 2},
	"capsule segment":  geom.Capsule{A: geom.V(0, -1, 0), B: geom.V(0, 1, 0)},
	"plane":            geom.Plane{Normal: geom.V(-3, 0, 0)},
	"triangle corner":  geom.Triangle{A: geom.V(2, 1, 1), B: geom.V(0, 0, 0), C: geom.V(3, -1, 5)},
	"triangle edge":    geom.Triangle{A: geom.V(2, 1, 1), B: geom.V(0, 1, -1), C: geom.V(0, -1, 1)},
	"triangle face":    geom.Triangle{A: geom.V(0, -1, -1), B: geom.V(0, 2, 0), C: geom.V(0, -1, 2)},
	"triangle segment": geom.Triangle{A: geom.V(0, -1, -1), B: geom.V(0, 2, 2), C: geom.V(0, 2, 2)},
	"triangle point":   geom.Triangle{},
}

// moved returns the shape, mirrored in x if mirror is set, and then moved by dx along x.
func moved(s volume, mirror bool, dx float32) volume {
	sign := float32(1)
	if mirror {
		sign = -1
	}
	v := func(p geom.Vec3) geom.Vec3 { return geom.V(float32(p.X*sign)+dx, p.Y, p.Z) }
	switch s := s.(type) {
	case geom.AABB:
		a, b := v(s.Min), v(s.Max)
		return geom.AABB{Min: a.Min(b), Max: a.Max(b)}
	case geom.Box:
		q := s.Rotation
		s.Center, s.Rotation = v(s.Center), geom.Quat{X: q.X, Y: q.Y * sign, Z: q.Z * sign, W: q.W}
		return s
	case geom.Sphere:
		s.Center = v(s.Center)
		return s
	case geom.Capsule:
		s.A, s.B = v(s.A), v(s.B)
		return s
	case geom.Plane:
		s.Normal.X *= sign
		s.D += float32(s.Normal.X * dx)
		return s
	case geom.Triangle:
		return geom.Triangle{A: v(s.A), B: v(s.B), C: v(s.C)}
	}
	panic("no such shape")
}

func TestOverlapTouching(t *testing.T) {
	for nameA, a := range touching {
		for nameB, b := range touching {
			t.Run(nameA+" and "+nameB, func(t *testing.T) {
				mirrored := moved(b, true, 0)
				assert.True(t, overlaps(a, mirrored), "touching")
				assert.True(t, overlaps(mirrored, a), "touching, swapped")
				apart := moved(b, true, -1e-6)
				assert.False(t, overlaps(a, apart), "a micrometre apart")
				assert.False(t, overlaps(apart, a), "a micrometre apart, swapped")
			})
		}
	}
}

func TestOverlapInside(t *testing.T) {
	v := geom.V
	inner := map[string]volume{
		"aabb": geom.AABBAround(v(0, 0, 0), v(1, 1, 1)), "box": geom.Box{HalfExtents: v(1, 1, 1), Rotation: geom.QuatEuler(1, 2, 3)},
		"sphere": geom.Sphere{Radius: 1}, "capsule": geom.Capsule{A: v(0, -1, 0), B: v(0, 1, 0), Radius: 1},
		"triangle": geom.Triangle{A: v(-1, 0, 0), B: v(1, 0, 0), C: v(0, 1, 0)}, "plane": geom.Plane{Normal: v(1, 2, 3)},
	}
	outer := map[string]volume{
		"aabb": geom.AABBAround(v(0, 0, 0), v(9, 9, 9)), "box": geom.Box{HalfExtents: v(9, 9, 9), Rotation: geom.QuatEuler(3, 2, 1)},
		"sphere": geom.Sphere{Radius: 9}, "capsule": geom.Capsule{A: v(0, -9, 0), B: v(0, 9, 0), Radius: 9},
	}
	for nameA, a := range inner {
		for nameB, b := range outer {
			assert.True(t, overlaps(a, b), "%s in %s", nameA, nameB)
			assert.True(t, overlaps(b, a), "%s around %s", nameB, nameA)
		}
	}
	assert.False(t, geom.Triangle{A: v(-1, 0, 5), B: v(1, 0, 5), C: v(0, 1, 5)}.OverlapsPlane(geom.Plane{Normal: v(0, 0, 1)}))
	assert.True(t, geom.Plane{Normal: v(0, 0, 1), D: 5}.OverlapsPlane(geom.Plane{Normal: v(0, 0, -2), D: -10}), "the same plane")
	assert.True(t, geom.Plane{Normal: v(0, 0, 1), D: 5}.OverlapsPlane(geom.Plane{Normal: v(0, 1e-20, 1), D: -10}), "not parallel")
}

func TestOverlapEmpty(t *testing.T) {
	all := map[string]volume{
		"aabb": geom.AABB{Min: geom.V(-inf32, -inf32, -inf32), Max: geom.V(inf32, inf32, inf32)}, "plane": geom.Plane{Normal: geom.V(1, 0, 0)},
		"box": geom.Box{HalfExtents: geom.V(9, 9, 9)}, "sphere": geom.Sphere{Radius: 9}, "capsule": geom.Capsule{Radius: 9},
		"triangle": geom.Triangle{B: geom.V(1, 0, 0), C: geom.V(0, 1, 0)},
	}
	for name, e := range emptyShapes {
		empty := e.(volume)
		for other, s := range all {
			assert.False(t, overlaps(empty, s), "%s and %s", name, other)
			assert.False(t, overlaps(s, empty), "%s and %s", other, name)
		}
		assert.False(t, overlaps(empty, empty), name)
	}
}

// agree asserts that the overlap test agrees with the distance of the reference, unless that is
// positive and at most the reference's rounding error.
func agree(t require.TestingT, a, b volume, rounding float64) (overlap bool) {
	got := overlaps(a, b)
	require.Equal(t, got, overlaps(b, a), "symmetry: %#v and %#v", a, b)
	switch d := gap(a, b); {
	case d == 0:
		require.True(t, got, "%#v and %#v overlap", a, b)
	case d > rounding:
		require.False(t, got, "%#v and %#v are %g apart", a, b, d)
	}
	return got
}

func TestOverlapAgainstDistance(t *testing.T) {
	r := testenv.Rand(9, 10)
	counts := map[bool]int{}
	// Coordinates are below 16 m. A test adds up fewer than 100 m and allows slack, 8·2⁻⁵³ of that,
	// on an axis of length 1 to √3: 2e-13 m. The reference's distance is off by 1e-13 of 16 m at
	// most.
	const rounding = 2e-12
	for range 2000 {
		shapes, others := randomShapes(r), randomShapes(r)
		plane := geom.Plane{Normal: randomVec(r), D: 2 * float32(r.NormFloat64())}
		for _, a := range shapes {
			counts[agree(t, a.volume, plane, rounding)]++
			for _, b := range others {
				counts[agree(t, a.volume, moved(b.volume, false, 2), rounding)]++
			}
		}
	}
	testenv.Drawn(t, counts[true], 10000)
	testenv.Drawn(t, counts[false], 10000)
}

// gridShape draws shapes with small integer coordinates, so that many touch, are coplanar, are flat
// or are a point. Their distances are 0 or much more than 1e-9: the square of a distance between
// centres, corners and edges is a fraction with a denominator below 1e5, and radii are integers.
func gridShape(t *rapid.T, name string) volume {
	i := func(lo, hi int) float32 { return float32(rapid.IntRange(lo, hi).Draw(t, name)) }
	v := func() geom.Vec3 { return geom.V(i(-2, 2), i(-2, 2), i(-1, 1)) }
	half := func() geom.Vec3 { return geom.V(i(0, 2), i(0, 2), i(0, 1)) }
	switch i(0, 7) {
	case 0:
		return geom.AABBAround(v(), half())
	case 1:
		return geom.Box{Center: v(), HalfExtents: half(), Rotation: geom.Quat{X: i(-1, 1), Y: i(-1, 1), Z: i(-1, 1), W: i(-1, 1)}}
	case 2:
		return geom.Sphere{Center: v(), Radius: i(0, 2)}
	case 3:
		return geom.Capsule{A: v(), B: v(), Radius: i(0, 1)}
	case 4:
		n := v()
		if n == (geom.Vec3{}) {
			n.X = 1
		}
		return geom.Plane{Normal: n, D: i(-3, 3)}
	}
	return geom.Triangle{A: v(), B: v(), C: v()}
}

func TestOverlapOnGrid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		agree(t, gridShape(t, "a"), gridShape(t, "b"), 1e-9)
	})
}

// All pairs of triangles with corners in a plane grid of nine points and one point above it:
// crossing, touching, coplanar, degenerate. For distances see gridShape.
func TestTriangleOverlapsExhaustively(t *testing.T) {
	var corners []geom.Vec3
	for i := range 9 {
		corners = append(corners, geom.V(float32(i%3), float32(i/3), 0))
	}
	corners = append(corners, geom.V(1, 1, 1))
	var all []geom.Triangle
	for i, a := range corners {
		for j, b := range corners[:i+1] {
			for _, c := range corners[:j+1] {
				all = append(all, geom.Triangle{A: a, B: b, C: c})
			}
		}
	}
	overlapping := 0
	for i, a := range all {
		for _, b := range all[:i+1] {
			if agree(t, a, b, 1e-9) {
				overlapping++
			}
		}
	}
	t.Logf("%d of %d pairs overlap", overlapping, len(all)*(len(all)+1)/2)
}

// The cross product of edges that are almost parallel is rounding error alone. The test must
// separate two boxes rotated a little against each other, one over an edge of the other, at any
// angle.
func TestBoxesAlmostParallel(t *testing.T) {
	for _, angle := range []float64{0, 1e-12, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2} {
		for _, axis := range []geom.Vec3{geom.V(1, 0, 0), geom.V(0, 1, 0), geom.V(0, 0, 1), geom.V(1, 2, 3)} {
			for _, base := range []geom.Quat{{}, geom.QuatAxisAngle(geom.V(0, 0, 1), math.Pi/4), geom.QuatEuler(1, 2, 3)} {
				a := geom.Box{HalfExtents: geom.V(1, 2, 30), Rotation: base}
				b := geom.Box{HalfExtents: geom.V(3, 1, 20), Rotation: geom.QuatAxisAngle(axis, angle).Mul(base)}
				for _, dir := range []geom.Vec3{geom.V(1, 0, 0), geom.V(1, 1, 0), geom.V(0, 1, 0), geom.V(1, 2, 3)} {
					d := base.Rotate(dir).Wide().Normalize()
					// Find by bisection, with the reference, the distance along d at which b
					// separates. 1e-6 is ten roundings of b's centre.
					in, out := 0.0, 100.0
					for range 60 {
						mid := (in + out) / 2
						b.Center = d.Mul(mid).Narrow()
						if gap(a, b) == 0 {
							in = mid
						} else {
							out = mid
						}
					}
					b.Center = d.Mul(in * (1 - 1e-6)).Narrow()
					assert.True(t, a.OverlapsBox(b) && b.OverlapsBox(a), "%g: %v", angle, b)
					b.Center = d.Mul(out * (1 + 1e-6)).Narrow()
					assert.False(t, a.OverlapsBox(b) || b.OverlapsBox(a), "%g: %v", angle, b)
				}
			}
		}
	}
}

// Rotating the axes, x to y to z to x, mirroring two of them and moving by integers is exact for
// coordinates on the grid: the answer must be the same.
func TestOverlapIsInvariant(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := gridShape(t, "a"), gridShape(t, "b")
		want := overlaps(a, b)
		by := geom.V(float32(rapid.IntRange(-100, 100).Draw(t, "x")), 7, -1000)
		assert.Equal(t, want, overlaps(carried(a, by), carried(b, by)))
	})
}

// carried returns the shape rotated, mirrored in two axes and moved.
func carried(s volume, by geom.Vec3) volume {
	turn := func(v geom.Vec3) geom.Vec3 { return geom.V(v.Z, -v.X, -v.Y) }
	v := func(p geom.Vec3) geom.Vec3 { return turn(p).Add(by) }
	switch s := s.(type) {
	case geom.AABB:
		a, b := v(s.Min), v(s.Max)
		return geom.AABB{Min: a.Min(b), Max: a.Max(b)}
	case geom.Box:
		q := turn(geom.V(s.Rotation.X, s.Rotation.Y, s.Rotation.Z))
		return geom.Box{Center: v(s.Center), HalfExtents: turn(s.HalfExtents).Abs(), Rotation: geom.Quat{X: q.X, Y: q.Y, Z: q.Z, W: s.Rotation.W}}
	case geom.Sphere:
		return geom.Sphere{Center: v(s.Center), Radius: s.Radius}
	case geom.Capsule:
		return geom.Capsule{A: v(s.A), B: v(s.B), Radius: s.Radius}
	case geom.Plane:
		n := turn(s.Normal)
		return geom.Plane{Normal: n, D: s.D + n.Dot(by)}
	case geom.Triangle:
		return geom.Triangle{A: v(s.A), B: v(s.B), C: v(s.C)}
	}
	panic("no such shape")
}

// Segments that cross at a point with integer coordinates touch there, at any angle and length.
func TestCrossingSegmentsTouch(t *testing.T) {
	r := testenv.Rand(15, 16)
	whole := func(n int) float32 { return float32(r.IntN(2*n+1) - n) }
	for range 20000 {
		o := geom.V(whole(1000), whole(1000), whole(1000))
		d := geom.V(whole(100), whole(100), whole(100))
		e := d.Add(geom.V(whole(2), whole(2), whole(2)))
		a := geom.Capsule{A: o.Sub(d.Mul(float32(r.IntN(9)))), B: o.Add(d.Mul(float32(r.IntN(9))))}
		b := geom.Capsule{A: o.Sub(e.Mul(float32(r.IntN(9)))), B: o.Add(e.Mul(float32(r.IntN(9))))}
		require.True(t, a.OverlapsCapsule(b), "%v and %v", a, b)
		require.True(t, geom.Triangle{A: a.A, B: a.B, C: a.B}.OverlapsTriangle(geom.Triangle{A: b.A, B: b.B, C: b.A}))
		require.True(t, b.OverlapsTriangle(geom.Triangle{A: a.A, B: a.B}), "%v and %v", a, b)
	}
}

func TestOverlapAllocatesNothing(t *testing.T) {
	shapes := randomShapes(testenv.Rand(1, 1))
	aabb, box := shapes[0].volume.(geom.AABB), shapes[1].volume.(geom.Box)
	capsule, triangle := shapes[3].volume.(geom.Capsule), shapes[4].volume.(geom.Triangle)
	sphere, plane := shapes[2].volume.(geom.Sphere), geom.Plane{Normal: geom.V(1, 2, 3)}
	testenv.AllocatesNothing(t, 100, func() {
		aabb.OverlapsBox(box)
		aabb.OverlapsTriangle(triangle)
		box.OverlapsBox(box)
		box.OverlapsTriangle(triangle)
		box.OverlapsSphere(sphere)
		box.OverlapsCapsule(capsule)
		capsule.OverlapsCapsule(capsule)
		capsule.OverlapsTriangle(triangle)
		triangle.OverlapsTriangle(triangle)
		aabb.OverlapsPlane(plane)
		box.OverlapsPlane(plane)
	})
}

// For any numbers there is no panic, two shapes overlap in either order or in none, an empty shape
// overlaps nothing, a shape that is not empty overlaps itself, and a sphere around a point that a
// shape contains overlaps the shape.
func FuzzOverlap(f *testing.F) {
	f.Add(float32(0), float32(1), float32(2), float32(3), float32(0.5), float32(-1), float32(1e-20), float32(7))
	f.Add(float32(3e38), float32(-3e38), float32(1e-40), float32(1e20), float32(1e-20), float32(1), float32(0), float32(3e38))
	f.Add(nan32, inf32, -inf32, float32(0), float32(-1), float32(0), float32(0), float32(1))
	f.Fuzz(func(t *testing.T, a, b, c, d, e, g, h, i float32) {
		shapes := []volume{
			geom.AABB{Min: geom.V(a, b, c), Max: geom.V(d, e, g)},
			geom.Box{Center: geom.V(g, h, i), HalfExtents: geom.V(b, d, e), Rotation: geom.Quat{X: a, Y: b, Z: c, W: i}},
			geom.Sphere{Center: geom.V(e, c, a), Radius: h},
			geom.Capsule{A: geom.V(d, b, i), B: geom.V(a, e, c), Radius: g},
			geom.Plane{Normal: geom.V(b, g, d), D: a},
			geom.Triangle{A: geom.V(a, b, d), B: geom.V(c, e, i), C: geom.V(g, h, a)},
		}
		p := geom.V(i, c, g)
		for _, s := range shapes {
			for _, u := range shapes {
				got := overlaps(s, u)
				require.Equal(t, got, overlaps(u, s), "%#v and %#v", s, u)
				require.False(t, got && (s.IsEmpty() || u.IsEmpty()))
			}
			if s.IsEmpty() {
				continue
			}
			require.True(t, overlaps(s, s), "%#v", s)
			require.Equal(t, p.IsFinite(), s.ClosestPoint(p).IsFinite(), "%#v", s)
			if s.Contains(p) {
				// A surface contains points within a rounding of each coordinate; the second
				// summand is for denormal ones.
				q := p.Abs()
				radius := max(q.X, q.Y, q.Z)*0x1p-23 + 0x1p-147
				require.True(t, overlaps(s, geom.Sphere{Center: p, Radius: radius}), "%#v %v", s, p)
			}
		}
	})
}

func BenchmarkOverlap(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	names := []string{"aabb", "box", "sphere", "capsule", "triangle"}
	const n = 64
	var sets [n][]body
	for i := range sets {
		sets[i] = randomShapes(r)
	}
	for i, first := range names {
		for j, second := range names[:i+1] {
			b.Run(first+"-"+second, func(b *testing.B) {
				for k := 0; b.Loop(); k++ {
					overlaps(sets[k%n][i].volume, sets[k*7%n][j].volume)
				}
			})
			b.Run(first+"-"+second+"/narrow", func(b *testing.B) {
				for k := 0; b.Loop(); k++ {
					x, y := sets[k%n][i].shape(), sets[k*7%n][j].shape()
					narrow.Overlaps(&x, &y)
				}
			})
		}
	}
}

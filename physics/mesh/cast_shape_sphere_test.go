package mesh

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// The cast of a sphere: the shape whose answers can be checked by other means, by hand and by the
// distance of its centre from the mesh.

// castSphere casts a sphere at a mesh whose space is the world.
func castSphere(m *Mesh, r geom.Ray, radius float32, cull geom.Cull) (Impact, bool) {
	shape, path := sphereOn(r, radius)
	return m.CastConvex(&shape, &path, geom.AffineIdentity(), cull)
}

func sphereOn(r geom.Ray, radius float32) (Convex, Path) {
	low, high := r.Range()
	return ConvexSphere(geom.Sphere{Center: r.Origin, Radius: radius}), Path{Motion: r.Dir.Wide(), Min: float64(low), Max: float64(high)}
}

// The numbers of these cases are so simple that the answers are exact up to the search's tolerance,
// even when the scene is scaled by powers of two.
//
//	C (0, 4, 0)
//	│ ╲
//	│   ╲          seen from +Z
//	A ─── B (4, 0, 0)
func TestCastSphereAtTriangle(t *testing.T) {
	v := geom.V
	down, half := v(0, 0, -1), v(0, 0, -0.5)
	corner := geom.Triangle{A: v(0, 0, 0), B: v(4, 0, 0), C: v(0, 4, 0)}
	flat := geom.Triangle{A: v(0, 0, 0), B: v(4, 0, 0), C: v(2, 0, 0)}
	dot := geom.Triangle{A: v(1, 1, 1), B: v(1, 1, 1), C: v(1, 1, 1)}
	const miss = -1
	type answer struct {
		at             float32
		point, normal  geom.Vec3
		back, overlaps bool
	}
	face := answer{6, v(1, 2, 0), v(0, 0, 1), false, false}
	for _, c := range []struct {
		name   string
		tri    geom.Triangle
		ray    geom.Ray
		radius float32
		want   answer
	}{
		{"face", corner, geom.NewRay(v(1, 2, 8), down), 2, face},
		{"face, from behind", corner, geom.NewRay(v(1, 2, -8), v(0, 0, 1)), 2, answer{6, v(1, 2, 0), v(0, 0, -1), true, false}},
		{"face, at a slant", corner, geom.NewRay(v(1, 2, 8), v(0.125, -0.125, -1)), 2, answer{6, v(1.75, 1.25, 0), v(0, 0, 1), false, false}},
		{"half the motion", corner, geom.NewRay(v(1, 2, 8), half), 2, answer{12, v(1, 2, 0), v(0, 0, 1), false, false}},
		{"above an edge", corner, geom.NewRay(v(1, 0, 8), down), 2, answer{6, v(1, 0, 0), v(0, 0, 1), false, false}},
		{"edge", corner, geom.NewRay(v(1, -3, 8), down), 5, answer{4, v(1, 0, 0), v(0, -0.6, 0.8), false, false}},
		{"edge, along the face", corner, geom.NewRay(v(1, -8, 3), v(0, 1, 0)), 5, answer{4, v(1, 0, 0), v(0, -0.8, 0.6), false, false}},
		{"edge, behind the face", corner, geom.NewRay(v(1, -8, -3), v(0, 1, 0)), 5, answer{4, v(1, 0, 0), v(0, -0.8, -0.6), true, false}},
		{"edge, in the plane", corner, geom.NewRay(v(1, -8, 0), v(0, 1, 0)), 5, answer{3, v(1, 0, 0), v(0, -1, 0), false, false}},
		{"corner", corner, geom.NewRay(v(-2, -2, 8), down), 3, answer{7, v(0, 0, 0), v(-2./3, -2./3, 1./3), false, false}},
		{"corner, of B", corner, geom.NewRay(v(16, 0, 0), v(-1, 0, 0)), 2, answer{10, v(4, 0, 0), v(1, 0, 0), false, false}},
		{"corner, of C", corner, geom.NewRay(v(0, 16, 0), v(0, -1, 0)), 2, answer{10, v(0, 4, 0), v(0, 1, 0), false, false}},
		{"past a face", corner, geom.NewRay(v(-8, 1, math.Nextafter32(2, 3)), v(1, 0, 0)), 2, answer{at: miss}},
		{"past an edge", corner, geom.NewRay(v(1, math.Nextafter32(-2, -3), 8), down), 2, answer{at: miss}},
		{"past a corner", corner, geom.NewRay(v(-3, math.Nextafter32(-4, -5), 8), down), 5, answer{at: miss}},
		{"behind", corner, geom.NewRay(v(1, 2, -8), down), 2, answer{at: miss}},
		{"touching at the start, coming", corner, geom.NewRay(v(1, 2, 2), down), 2, answer{0, v(1, 2, 0), v(0, 0, 1), false, false}},
		{"touching at the start, going", corner, geom.NewRay(v(1, 2, 2), v(0, 0, 1)), 2, answer{0, v(1, 2, 0), v(0, 0, 1), true, true}},
		{"overlapping at the start", corner, geom.NewRay(v(1, 2, 1), down), 2, answer{0, v(1, 2, 0), v(0, 0, 1), false, true}},
		{"overlapping a corner at the start", corner, geom.NewRay(v(-3, -4, 0), v(1, 0, 0)), 8, answer{0, v(0, 0, 0), v(-0.6, -0.8, 0), false, true}},
		{"overlapping, along the face", corner, geom.NewRay(v(1, 2, -1), v(1, 0, 0)), 2, answer{0, v(1, 2, 0), v(0, 0, -1), true, true}},
		{"overlapping at Min", corner, geom.Ray{Origin: v(1, 2, 8), Dir: down, MinT: 7}, 2, answer{7, v(1, 2, 0), v(0, 0, 1), false, true}},
		{"touching at Min", corner, geom.Ray{Origin: v(1, 2, 8), Dir: down, MinT: 6}, 2, face},
		{"left behind at Min", corner, geom.Ray{Origin: v(1, 2, 8), Dir: down, MinT: math.Nextafter32(10, 11)}, 2, answer{at: miss}},
		{"touching at Max", corner, geom.Ray{Origin: v(1, 2, 8), Dir: down, MaxT: 6}, 2, face},
		{"not yet at Max", corner, geom.Ray{Origin: v(1, 2, 8), Dir: down, MaxT: math.Nextafter32(6, 5)}, 2, answer{at: miss}},
		{"a segment", flat, geom.NewRay(v(3, -3, 8), down), 5, answer{4, v(3, 0, 0), v(0, -0.6, 0.8), false, false}},
		{"a segment, along it", flat, geom.NewRay(v(-8, 0, 0), v(1, 0, 0)), 5, answer{3, v(0, 0, 0), v(-1, 0, 0), false, false}},
		{"a point", dot, geom.NewRay(v(1, 4, 9), down), 5, answer{4, v(1, 1, 1), v(0, 0.6, 0.8), false, false}},
		{"past a point", dot, geom.NewRay(v(1, 7, 9), down), 5, answer{at: miss}},
		{"radius 0", corner, geom.NewRay(v(1, 2, 8), down), 0, answer{8, v(1, 2, 0), v(0, 0, 1), false, false}},
		{"radius 0, at an edge", corner, geom.NewRay(v(1, 0, 8), down), 0, answer{8, v(1, 0, 0), v(0, 0, 1), false, false}},
		{"radius 0, at a corner", corner, geom.NewRay(v(0, 0, 8), v(0, 0, -2)), 0, answer{4, v(0, 0, 0), v(0, 0, 1), false, false}},
		{"radius 0, a point", dot, geom.NewRay(v(1, 1, 9), down), 0, answer{8, v(1, 1, 1), v(0, 0, 1), false, false}},
		{"radius 0, past", corner, geom.NewRay(v(1, -1e-3, 8), down), 0, answer{at: miss}},
		{"negative radius", corner, geom.NewRay(v(1, 2, 8), down), -1, answer{at: miss}},
		{"NaN radius", corner, geom.NewRay(v(1, 2, 8), down), float32(math.NaN()), answer{at: miss}},
		{"infinite radius", corner, geom.NewRay(v(1, 2, 8), down), inf32, answer{at: miss}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, k := range []float32{1, 0x1p-40, 0x1p-3, 0x1p60} {
				m := mustNew(t, []geom.Vec3{c.tri.A.Mul(k), c.tri.B.Mul(k), c.tri.C.Mul(k)}, []uint32{0, 1, 2})
				r := c.ray
				r.Origin, r.Dir = r.Origin.Mul(k), r.Dir.Mul(k)
				for _, cull := range culls {
					hit, ok := castSphere(m, r, c.radius*k, cull)
					if c.want.at == miss || cull.Culls(c.want.back) {
						require.False(t, ok, "scale %v, %v: %+v", k, cull, hit)
						require.Zero(t, hit)
						continue
					}
					require.True(t, ok, "scale %v, %v", k, cull)
					// The search ends within 2⁻⁴² of the sum of the sizes, which here is below 2⁵.
					const near = 0x1p-37
					require.InDelta(t, c.want.at, hit.T, 2*near)
					require.LessOrEqual(t, hit.Normal.Sub(c.want.normal.Wide()).Len(), 1e-7, "normal %v, rounded to float32 in the table", hit.Normal)
					on := c.want.point.Mul(k).Wide()
					if hit.Overlaps {
						require.InDelta(t, 0, hit.PointB.Sub(hit.PointA).Sub(hit.Normal.Mul(hit.Depth)).Len(), near*float64(k))
					}
					require.LessOrEqual(t, hit.PointB.Sub(on).Len(), 4*near*float64(k), "point %v", hit.PointB)
					require.Equal(t, c.want.back, hit.BackFace)
					require.Equal(t, c.want.overlaps, hit.Overlaps)
				}
			}
		})
	}
}

// The hit is where the distance of the mesh from the centre becomes the radius, by a query that has
// nothing in common with the cast.
func TestCastSphereAgainstClosestPoint(t *testing.T) {
	rng := testenv.Rand(21, 22)
	for _, s := range scenes()[1:9] {
		t.Run(s.name, func(t *testing.T) {
			m := mustNew(t, s.vertices, s.indices)
			half := m.Bounds().HalfExtents()
			reach := max(half.X, half.Y, half.Z)
			hits, starts, misses := 0, 0, 0
			for range 60 {
				r := geom.NewRay(around(rng, 3*reach), geom.Vec3{})
				r.Dir = around(rng, 1.2*reach).Sub(r.Origin).Normalize()
				radius := reach * (0.01 + 0.3*rng.Float32())
				at := func(at float64) geom.Vec3 { return r.Origin.Wide().AddMul(at, r.Dir.Wide()).Narrow() }
				distance := func(t64 float64) float64 {
					near, ok := m.ClosestPoint(at(t64), inf32)
					require.True(t, ok)
					return float64(near.Distance)
				}
				// ClosestPoint rounds the centre and the point to float32: their coordinates are
				// below 4·reach, so that each of the six is off by at most 2⁻²³ · 2 · reach, and
				// the distance by that of both points and its own rounding.
				rounding := 4 * 2 * 0x1p-23 * float64(reach)
				hit, ok := castSphere(m, r, radius, geom.CullNone)
				end := hit.T
				switch {
				case !ok:
					misses++
					end = 8 * float64(reach)
				case hit.Overlaps:
					starts++
					require.Zero(t, hit.T)
					require.LessOrEqual(t, distance(0), float64(radius)+rounding)
					continue
				default:
					hits++
					require.InDelta(t, radius, distance(hit.T), rounding)
					require.InDelta(t, radius, hit.PointB.Sub(at(hit.T).Wide()).Len(), rounding)
					center := hit.PointB.AddMul(float64(radius), hit.Normal)
					require.LessOrEqual(t, center.Sub(at(hit.T).Wide()).Len(), rounding)
				}
				for i := range 50 {
					require.Greater(t, distance(end*float64(i)/50), float64(radius)-rounding, "before %v", end)
				}
			}
			require.Positive(t, hits)
			require.Positive(t, starts+misses)
		})
	}
}

// A sphere of any size, also a point, that starts inside a closed surface hits it on any path, also
// through an edge or a corner: it slips between no two triangles.
func TestCastSphereSlipsThroughNothing(t *testing.T) {
	round := scene{}
	round.vertices, round.indices = Icosphere(2, 1)
	small, house := round, scene{}
	small.vertices = nil
	for _, v := range round.vertices {
		small.vertices = append(small.vertices, v.Mul(0.5).Add(geom.V(100, -50, 30)))
	}
	box, indices := Box(geom.V(5, 9, 4))
	turn := geom.Transform{Position: geom.V(1000, 3, -2000), Rotation: geom.QuatAxisAngle(geom.V(0, 1, 0), 0.3)}
	house.indices = indices
	for _, v := range box {
		house.vertices = append(house.vertices, turn.Point(v))
	}
	for k, s := range []scene{round, small, house} {
		m := mustNew(t, s.vertices, s.indices)
		middle := m.Bounds().Center()
		for i := range m.NumTriangles() {
			tri := m.Triangle(i)
			for _, target := range []geom.Vec3{tri.A, tri.B, tri.A.Lerp(tri.B, 0.5), tri.B.Lerp(tri.C, 0.3), tri.C.Lerp(tri.A, 1./3)} {
				r := geom.NewRay(middle, target.Sub(middle).Mul(4))
				for _, radius := range []float32{0, 1e-30, 1e-12, 1e-6, 1e-3, 0.3} {
					hit, ok := castSphere(m, r, radius, geom.CullNone)
					require.True(t, ok, "scene %d, triangle %d, radius %v, %v", k, i, radius, r)
					require.Less(t, hit.T, 0.26, "scene %d, triangle %d, radius %v, %v", k, i, radius, r)
					if radius < 0.3 {
						require.Greater(t, hit.T, 0.24)
					}
				}
			}
		}
	}
}

func TestCastSphereFromAfar(t *testing.T) {
	testenv.NoRace(t)
	m := mustNew(t, first(Icosphere(1, 4)), second(Icosphere(1, 4)))
	list := singles(t, m)
	for _, distance := range []float32{1e3, 1e6, 1e9, 1e18} {
		for _, axis := range []geom.Axis{geom.X, geom.Y, geom.Z} {
			r := geom.NewRay(axis.Unit().Mul(distance), axis.Unit().Mul(-2))
			shape, path := sphereOn(r, 0.25)
			all := requireConvex(t, m, list, &shape, &path, geom.AffineIdentity(), geom.CullNone)
			require.InDelta(t, (float64(distance)-1.25)/2, all[0].T, 1e-3+1e-7*float64(distance))
			// What is within 2⁻⁴² of the distance counts as touching. The sphere of the mesh is a
			// polyhedron, and up to 2 mm smaller.
			across := geom.Axis((axis + 1) % 3).Unit()
			past, into := r, r
			past.Origin = r.Origin.Add(across.Mul(1.25 + max(1e-4, 0x1p-41*distance)))
			_, ok := castSphere(m, past, 0.25, geom.CullNone)
			assert.False(t, ok, "it just goes by")
			into.Origin = r.Origin.Add(across.Mul(1.2451))
			_, ok = castSphere(m, into, 0.25, geom.CullNone)
			assert.True(t, ok)
		}
	}
	// From so near that it moves by a micrometre.
	wall := mustNew(t, []geom.Vec3{{}, {X: 4}, {Y: 4}}, []uint32{0, 1, 2})
	for _, distance := range []float32{1e-6, 1, 1e3, 1e6, 1e9} {
		r := geom.NewRay(geom.V(1, 1, 0.5+distance), geom.V(0, 0, -1))
		hit, ok := castSphere(wall, r, 0.5, geom.CullNone)
		require.True(t, ok)
		require.InDelta(t, r.Origin.Z-0.5, hit.T, 1e-7*float64(distance))
		require.Equal(t, geom.V(1, 1, 0), hit.PointB.Narrow())
		require.False(t, hit.Overlaps)
	}
	// Nearly along the face, so that the edge stops it before it sinks in.
	hit, ok := castSphere(wall, geom.NewRay(geom.V(-100, 1, 0.5), geom.V(1, 0, -1e-20)), 0.5, geom.CullNone)
	require.True(t, ok)
	require.InDelta(t, 100, hit.T, 1e-4)
}

// requireTouch asserts that the centre of a sphere is as far as the radius from the triangle at the
// T of a hit, or that the way out of an overlap is one and is no longer than the radius. tolerance
// is the distance up to which the search takes shapes for touching, and sink how much further the
// sphere may sink in.
func requireTouch(t *testing.T, tri geom.Triangle, r geom.Ray, radius float32, tolerance, sink float64) (found bool) {
	m := mustNew(t, []geom.Vec3{tri.A, tri.B, tri.C}, []uint32{0, 1, 2})
	hit, ok := castSphere(m, r, radius, geom.CullNone)
	if !ok {
		return false
	}
	center := r.Origin.Wide().AddMul(hit.T, r.Dir.Wide())
	if hit.Overlaps {
		// The normal is that of the core, a point, where that is within 2¹⁰ tolerances of the
		// triangle; along the normal the triangle extends by up to as much, and a needle by some of
		// its thicknesses.
		require.LessOrEqual(t, hit.Depth, float64(radius)+0x1p11*tolerance+4*sink, "%v, %v", tri, r)
		for _, p := range []geom.Vec3{tri.A, tri.B, tri.C} {
			require.GreaterOrEqual(t, center.AddMul(hit.Depth, hit.Normal).Sub(p.Wide()).Dot(hit.Normal), float64(radius)-tolerance, "%v, %v", tri, r)
		}
		return true
	}
	require.InDelta(t, radius, center.Sub(hit.PointB).Len(), sink+tolerance, "%v, %v, T %v", tri, r, hit.T)
	return true
}

// A sphere that rolls over a sloping face: whether it touches may depend on rounding, but not
// where. The plane has the normal (2, 3, 6)/7, so that the height over it is exact.
func TestCastSphereRolling(t *testing.T) {
	rng := testenv.Rand(1, 2)
	inPlane := func() geom.Vec3 {
		u, v := float32(rng.IntN(1<<21)-1<<20), float32(rng.IntN(1<<21)-1<<20)
		return geom.V(3*u, 2*(v-u), -v)
	}
	found := 0
	for range 10000 {
		up := float32(rng.IntN(1<<16) + 1)
		tri := geom.Triangle{A: inPlane(), B: inPlane(), C: inPlane()}
		r := geom.NewRay(inPlane().Add(geom.V(2, 3, 6).Mul(up)), inPlane())
		// The search takes for touching what is within 2⁻⁴² of the sum of the sizes, below 2²⁵ m.
		if requireTouch(t, tri, r, 7*up, 0x1p-42*0x1p25, 0) {
			found++
		}
	}
	testenv.Drawn(t, found, 300)
}

// A triangle far thinner than long, and a sphere whose centre moves right at it.
func TestCastSphereAtNeedle(t *testing.T) {
	rng := testenv.Rand(3, 4)
	one := func() float32 { return float32(rng.IntN(17)-8) / 4 }
	along := geom.V(1, 2, 3)
	for range 10000 {
		off := geom.V(one(), one(), one()).Mul(float32(math.Ldexp(1, -17-rng.IntN(64))))
		tri := geom.Triangle{A: off, B: along.Mul(4), C: along.Mul(float32(rng.IntN(8) - 4))}
		dir := geom.V(one(), one(), one())
		r := geom.NewRay(along.Mul(float32(rng.IntN(17))/4).Sub(dir.Mul(8)), dir)
		// Which side of a triangle so thin is nearer depends on rounding, so the sphere may sink in
		// by its thickness, beside the tolerance of the search, 2⁻⁴² of sizes below 2⁶ m.
		requireTouch(t, tri, r, [3]float32{1, 0.1, 1e-3}[rng.IntN(3)], 0x1p-36, float64(off.Len()))
	}
}

// Numbers of all sizes in one triangle and one cast: the small ones are below the rounding of the
// large ones, and the tree must still give what each triangle alone gives.
func TestCastSphereOfAllSizes(t *testing.T) {
	testenv.NoRace(t)
	rng := testenv.Rand(23, 24)
	for _, digits := range []float64{3, 10, 20, 37} {
		one := func() float32 { return float32((2*rng.Float64() - 1) * math.Pow(10, digits*(2*rng.Float64()-1))) }
		vector := func() geom.Vec3 { return geom.V(one(), one(), one()) }
		hits := 0
		for range 20 {
			var s scene
			for i := range 90 {
				s.indices, s.vertices = append(s.indices, uint32(i)), append(s.vertices, vector())
			}
			m := mustNew(t, s.vertices, s.indices)
			list := singles(t, m)
			for range 20 {
				r := geom.NewRay(vector(), vector())
				if tri := m.Triangle(rng.IntN(m.NumTriangles())); rng.IntN(2) == 0 {
					r.Dir = tri.A.Sub(r.Origin)
				}
				radius := one()
				shape, path := sphereOn(r, max(radius, -radius))
				if digits > 3 {
					// Which of several touches at one T is found first then depends on rounding.
					want := convexTwin(list, &shape, &path, geom.AffineIdentity(), geom.CullNone)
					require.Equal(t, want, m.CastConvexAll(nil, &shape, &path, geom.AffineIdentity(), geom.CullNone))
					hits += len(want)
					continue
				}
				hits += len(requireConvex(t, m, list, &shape, &path, geom.AffineIdentity(), geom.CullNone))
			}
		}
		require.Positive(t, hits)
	}
}

// Small whole numbers make spheres that touch faces, edges and corners exactly, several at once,
// and flat triangles.
func TestCastSphereOnLattice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := rapid.Map(rapid.IntRange(-4, 4), func(i int) float32 { return float32(i) })
		vector := rapid.Custom(func(t *rapid.T) geom.Vec3 {
			return geom.V(whole.Draw(t, "x"), whole.Draw(t, "y"), whole.Draw(t, "z"))
		})
		vertices := rapid.SliceOfN(vector, 3, 12).Draw(t, "vertices")
		indices := rapid.SliceOfN(rapid.Uint32Range(0, uint32(len(vertices)-1)), 3, 60).Draw(t, "indices")
		m := mustNew(t, vertices, indices[:len(indices)/3*3])
		r := geom.Ray{Origin: vector.Draw(t, "origin"), Dir: vector.Draw(t, "direction")}
		r.MinT = rapid.SampledFrom([]float32{0, 0, 0.5, 1}).Draw(t, "MinT")
		r.MaxT = rapid.SampledFrom([]float32{0, 0, 1, 2}).Draw(t, "MaxT")
		shape, path := sphereOn(r, rapid.SampledFrom([]float32{0, 1, 2, 5, 0.1}).Draw(t, "radius"))
		cull := rapid.SampledFrom(culls).Draw(t, "cull")
		requireConvex(t, m, singles(t, m), &shape, &path, geom.AffineIdentity(), cull)
	})
}

// A ball falls until it touches the edge of a step.
func ExampleMesh_CastConvex_sphere() {
	step, err := New(Box(geom.V(1, 1, 1)))
	if err != nil {
		fmt.Println(err)
		return
	}
	ball := ConvexSphere(geom.Sphere{Center: geom.V(1.75, 6, 0.5), Radius: 1.25})
	fall := Path{Motion: geom.DVec3{Y: -1}, Max: 10}
	if hit, ok := step.CastConvex(&ball, &fall, geom.AffineIdentity(), geom.CullBack); ok {
		fmt.Println("touches", hit.PointB, "after", hit.T, "m, pushed towards", hit.Normal.Narrow())
	}
	// Output: touches {1 1 0.5} after 4 m, pushed towards (0.6, 0.8, 0)
}

package mesh

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

func TestCastAgainstTwin(t *testing.T) {
	testenv.Long(t)
	eachScene(t, func(t *testing.T, s scene, m *Mesh, rng *rand.Rand) {
		var buffer []geom.Hit
		hits := 0
		for i, r := range rays(rng, m, 400) {
			cull := culls[i%3]
			want := castAllTwin(m, r, cull)
			buffer = requireCasts(t, m, r, cull, want, buffer)
			hits += len(want)
			if l := r.Dir.Len(); s.sound && 1e-25 < l && l < 1e25 { // beyond, T over- or underflows
				requireCasts(t, m, r, cull, castAllGeom(m, r, cull), buffer)
			}
		}
		if s.sound {
			testenv.Drawn(t, hits, 50, "the test should hit something")
		}
	})
}

// The range of a ray excludes what is outside it, and changes nothing else.
func TestCastRangeOnlyFilters(t *testing.T) {
	testenv.NoRace(t)
	eachScene(t, func(t *testing.T, s scene, m *Mesh, rng *rand.Rand) {
		for _, r := range rays(rng, m, 400) {
			r.MinT, r.MaxT = 0, 0
			want := m.CastRayAll(nil, r, geom.CullNone)
			if len(want) == 0 {
				continue
			}
			// From one of the hits to another, or just past them.
			r.MinT = want[rng.IntN(len(want))].T * float32(rng.IntN(2))
			r.MaxT = max(want[rng.IntN(len(want))].T, math.SmallestNonzeroFloat32)
			if rng.IntN(2) == 0 {
				r.MinT, r.MaxT = math.Nextafter32(r.MinT, inf32), math.Nextafter32(r.MaxT, 0)
			}
			if r.MaxT == 0 {
				continue
			}
			want = slices.DeleteFunc(want, func(h geom.Hit) bool { return h.T < r.MinT || h.T > r.MaxT })
			requireCasts(t, m, r, geom.CullNone, want, nil)
		}
	})
}

// Another order of the triangles gives another tree and other indices, but no other answer.
func TestCastIgnoresOrder(t *testing.T) {
	testenv.NoRace(t)
	eachScene(t, func(t *testing.T, s scene, m *Mesh, rng *rand.Rand) {
		order := rng.Perm(m.NumTriangles())
		var indices []uint32
		for _, i := range order {
			indices = append(indices, s.indices[3*i:3*i+3]...)
		}
		shuffled := mustNew(t, s.vertices, indices)
		require.Equal(t, m.Bounds(), shuffled.Bounds())
		for i, r := range rays(rng, m, 400) {
			cull := culls[i%3]
			want := m.CastRayAll(nil, r, cull)
			got := shuffled.CastRayAll(nil, r, cull)
			for i := range got {
				got[i].Triangle = int32(order[got[i].Triangle])
			}
			first, ok := shuffled.CastRay(r, cull)
			require.Equal(t, len(want) > 0, ok)
			if ok {
				require.Equalf(t, want[0].T, first.T, "ray %v", r)
				require.Equalf(t, want[0].Point, first.Point, "ray %v", r)
				if len(want) == 1 || want[0].T < want[1].T {
					first.Triangle = int32(order[first.Triangle])
					require.Equalf(t, want[0], first, "ray %v", r)
				}
			}
			sortHits(got)
			require.Truef(t, slices.EqualFunc(want, got, same), "ray %v\ngot  %v\nwant %v", r, got, want)
		}
	})
}

func TestCastPrefersLowestTriangle(t *testing.T) {
	m := mustNew(t, []geom.Vec3{{}, {X: 1}, {Y: 1}}, slices.Repeat([]uint32{0, 1, 2}, 1000))
	r := geom.NewRay(geom.V(0.25, 0.25, 1), geom.V(0, 0, -1))
	hit, ok := m.CastRay(r, geom.CullNone)
	require.True(t, ok)
	assert.EqualValues(t, 0, hit.Triangle)
	all := m.CastRayAll(nil, r, geom.CullNone)
	require.Len(t, all, 1000)
	for i, h := range all {
		assert.EqualValues(t, i, h.Triangle)
	}
	hit, ok = m.CastRayAfter(r, geom.CullNone, 1, 998)
	require.True(t, ok)
	assert.EqualValues(t, 999, hit.Triangle)
	_, ok = m.CastRayAfter(r, geom.CullNone, 1, 999)
	assert.False(t, ok)
	hit, ok = m.CastRayAfter(r, geom.CullNone, float32(math.NaN()), 5)
	require.True(t, ok)
	assert.EqualValues(t, 0, hit.Triangle)
	assert.Equal(t, []geom.Hit{all[0], all[0]}, m.CastRayAll(all[:1:1], r, geom.CullNone)[:2], "what was in dst stays")
}

func TestCastHit(t *testing.T) {
	m := mustNew(t, []geom.Vec3{{}, {X: 4}, {Y: 4}}, []uint32{0, 1, 2})
	down, up := geom.NewRay(geom.V(1, 2, 3), geom.V(0, 0, -2)), geom.NewRay(geom.V(1, 2, -3), geom.V(0, 0, 2))
	front := geom.Hit{T: 1.5, Point: geom.V(1, 2, 0), Normal: geom.V(0, 0, 1), U: 0.25, V: 0.5}
	back := geom.Hit{T: 1.5, Point: geom.V(1, 2, 0), Normal: geom.V(0, 0, -1), U: 0.25, V: 0.5, BackFace: true}
	with := func(r geom.Ray, tMin, tMax float32) geom.Ray { r.MinT, r.MaxT = tMin, tMax; return r }
	for _, c := range []struct {
		name string
		ray  geom.Ray
		cull geom.Cull
		want geom.Hit
		ok   bool
	}{
		{"front", down, geom.CullNone, front, true},
		{"front, back culled", down, geom.CullBack, front, true},
		{"front, front culled", down, geom.CullFront, geom.Hit{}, false},
		{"back", up, geom.CullNone, back, true},
		{"back, back culled", up, geom.CullBack, geom.Hit{}, false},
		{"back, front culled", up, geom.CullFront, back, true},
		{"range ends at the hit", with(down, 0, 1.5), geom.CullNone, front, true},
		{"range ends before", with(down, 0, 1.4999), geom.CullNone, geom.Hit{}, false},
		{"range starts at the hit", with(down, 1.5, 0), geom.CullNone, front, true},
		{"range starts behind", with(down, 1.5001, 0), geom.CullNone, geom.Hit{}, false},
		{"empty range", with(down, 2, 1), geom.CullNone, geom.Hit{}, false},
		{"behind the origin", geom.NewRay(geom.V(1, 2, 3), geom.V(0, 0, 2)), geom.CullNone, geom.Hit{}, false},
		{"past it", geom.NewRay(geom.V(3, 2, 3), geom.V(0, 0, -1)), geom.CullNone, geom.Hit{}, false},
		{"edge-on", geom.NewRay(geom.V(-1, 1, 0), geom.V(1, 0, 0)), geom.CullNone, geom.Hit{}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			hit, ok := m.CastRay(c.ray, c.cull)
			assert.Equal(t, c.ok, ok)
			assert.Equal(t, c.want, hit)
		})
	}
}

func TestCastMisses(t *testing.T) {
	nan, inf := float32(math.NaN()), inf32
	solid := mustNew(t, first(Box(geom.V(1, 1, 1))), second(Box(geom.V(1, 1, 1))))
	for name, r := range map[string]geom.Ray{
		"zero":            {},
		"zero direction":  {Origin: geom.V(0.5, 0.5, 0.5)},
		"NaN origin":      geom.NewRay(geom.V(nan, 0, 0), geom.V(1, 0, 0)),
		"NaN direction":   geom.NewRay(geom.V(0, 0, 0), geom.V(1, nan, 0)),
		"infinite origin": geom.NewRay(geom.V(-inf, 0, 0), geom.V(1, 0, 0)),
		"infinite dir":    geom.NewRay(geom.V(0, 0, 0), geom.V(inf, 0, 0)),
		"NaN MinT":        {Dir: geom.V(1, 0, 0), MinT: nan},
		"NaN MaxT":        {Dir: geom.V(1, 0, 0), MaxT: nan},
		"infinite MinT":   {Dir: geom.V(1, 0, 0), MinT: inf},
		"negative MaxT":   {Dir: geom.V(1, 0, 0), MaxT: -1},
	} {
		t.Run(name, func(t *testing.T) { requireCasts(t, solid, r, geom.CullNone, nil, nil) })
	}
	t.Run("zero mesh", func(t *testing.T) {
		requireCasts(t, &Mesh{}, geom.NewRay(geom.Vec3{}, geom.V(1, 0, 0)), geom.CullNone, nil, nil)
	})
}

// A ray that lies in a face of a box of the tree makes 0·∞ in a naive slab test. Each face and edge
// of a box, each direction along it, starting before it, at the corner and inside: the caps at both
// its ends are hit.
func TestCastInFacesAndAlongEdges(t *testing.T) {
	m := mustNew(t, first(Box(geom.V(1, 2, 3))), second(Box(geom.V(1, 2, 3))))
	half := [3]float32{1, 2, 3}
	for axis := geom.X; axis <= geom.Z; axis++ {
		u, v := (axis+1)%3, (axis+2)%3
		for i := range 9 { // −, middle, + along both other axes
			a, b := float32(i%3-1), float32(i/3-1)
			for _, sign := range []float32{-1, 1} {
				for _, start := range []float32{-2, -1, 0} {
					r := geom.Ray{Dir: axis.Unit().Mul(sign)}
					r.Origin = geom.Vec3{}.WithAxis(u, a*half[u]).WithAxis(v, b*half[v]).WithAxis(axis, sign*start*half[axis])
					hit, ok := m.CastRay(r, geom.CullNone)
					require.Truef(t, ok, "%v", r)
					want := half[axis] * max(-1-start, 0)
					if start == 0 {
						want = half[axis]
					}
					require.Equalf(t, want, hit.T, "%v", r)
					require.Equalf(t, r.Dir.Neg(), hit.Normal, "%v", r)
					requireCasts(t, m, r, geom.CullNone, castAllTwin(m, r, geom.CullNone), nil)
				}
			}
		}
	}
}

// No ray at a corner or an edge of a closed surface slips through, from outside or inside.
func TestCastIsWatertight(t *testing.T) {
	testenv.NoRace(t)
	rng := testenv.Rand(3, 4)
	bumpy := generated("bumpy sphere", true)(Icosphere(1, 4))
	for i, v := range bumpy.vertices {
		bumpy.vertices[i] = v.Mul(1 + 0.02*rng.Float32())
	}
	far := derived("far sphere", bumpy, false, func(v geom.Vec3) geom.Vec3 { return v.Add(geom.V(900, -70, 3000)) })
	for _, s := range []scene{
		generated("icosphere", true)(Icosphere(1, 4)),
		generated("uv sphere", true)(UVSphere(1, 64, 32)),
		generated("capsule", true)(Capsule(0.5, 1, 32, 8)),
		generated("box", true)(Box(geom.V(1, 2, 3))),
		bumpy, far,
	} {
		t.Run(s.name, func(t *testing.T) {
			m := mustNew(t, s.vertices, s.indices)
			c := m.Bounds().Center()
			for i := range m.NumTriangles() {
				tri := m.Triangle(i)
				for _, p := range []geom.Vec3{tri.A, tri.A.Lerp(tri.B, 0.5), tri.B.Lerp(tri.C, rng.Float32())} {
					inside := geom.NewRay(c.Add(around(rng, 0.5)), geom.Vec3{})
					inside.Dir = p.Sub(inside.Origin)
					hit, ok := m.CastRay(inside, geom.CullNone)
					require.Truef(t, ok, "%v slipped out", inside)
					require.Truef(t, hit.BackFace, "%v", inside)
					// The surface is star-shaped about its centre, so from outside p is what a ray
					// to the centre meets.
					outside := geom.Segment(p.Add(p.Sub(c).Mul(1+rng.Float32())), c)
					hit, ok = m.CastRay(outside, geom.CullNone)
					require.Truef(t, ok, "%v slipped in", outside)
					require.Falsef(t, hit.BackFace, "%v", outside)
					// The ray and the point are rounded about eight times; along the ray that is as
					// much more as the ray is slanted.
					sine := math.Abs(float64(hit.Normal.Dot(outside.Dir)) / float64(outside.Dir.Len()))
					require.InDelta(t, 0, hit.Point.Distance(p), 8*0x1p-24*float64(outside.Origin.Len()+p.Len())/sine)
				}
			}
		})
	}
}

func TestCastAllocatesNothing(t *testing.T) {
	m := mustNew(t, first(Torus(3, 1, 60, 30)), second(Torus(3, 1, 60, 30)))
	rays := rays(testenv.Rand(5, 6), m, 50)
	buffer := make([]geom.Hit, 0, 100)
	hits := 0
	testenv.AllocatesNothing(t, 10, func() {
		for _, r := range rays {
			if h, ok := m.CastRay(r, geom.CullNone); ok {
				hits++
				_, _ = m.CastRayAfter(r, geom.CullNone, h.T, h.Triangle)
			}
			m.CastRayAny(r, geom.CullBack)
			hits += len(m.CastRayAll(buffer, r, geom.CullNone))
		}
	})
	assert.Positive(t, hits)
}

func TestConcurrentQueries(t *testing.T) {
	m := mustNew(t, first(Icosphere(1, 3)), second(Icosphere(1, 3)))
	rays := rays(testenv.Rand(7, 8), m, 200)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for _, r := range rays {
				want := castAllTwin(m, r, geom.CullNone)
				all := m.CastRayAll(nil, r, geom.CullNone)
				assert.True(t, slices.EqualFunc(want, all, same))
				box := geom.AABBAround(r.Origin, geom.V(1, 1, 1))
				assert.Equal(t, m.OverlapsAABB(box), len(m.OverlapAABB(nil, box)) > 0)
				m.ClosestPoint(r.Origin, 1)
			}
		})
	}
	group.Wait()
}

func first[A, B any](a A, _ B) A  { return a }
func second[A, B any](_ A, b B) B { return b }

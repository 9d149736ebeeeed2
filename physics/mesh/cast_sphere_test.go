package mesh

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// castSphereTwin is CastSphereAll without the tree.
func castSphereTwin(m *Mesh, r geom.Ray, radius float32, cull geom.Cull) []geom.Hit {
	var hits []geom.Hit
	for i := range m.NumTriangles() {
		if h, ok := m.Triangle(i).CastSphere(r, radius, cull); ok {
			h.Triangle = int32(i)
			hits = append(hits, h)
		}
	}
	sortHits(hits)
	return hits
}

// requireSphereCasts compares every form of the cast of a sphere with the twin, to the bit.
func requireSphereCasts(t require.TestingT, m *Mesh, r geom.Ray, radius float32, cull geom.Cull, buffer []geom.Hit) []geom.Hit {
	want := castSphereTwin(m, r, radius, cull)
	all := m.CastSphereAll(buffer[:0], r, radius, cull)
	require.Truef(t, slices.EqualFunc(want, all, same), "ray %v, radius %v, %v\nall  %v\nwant %v", r, radius, cull, all, want)
	closest, ok := m.CastSphere(r, radius, cull)
	require.Equalf(t, len(want) > 0, ok, "closest of %v, radius %v, %v", r, radius, cull)
	if ok {
		require.Truef(t, same(want[0], closest), "ray %v, radius %v, %v\nclosest %v\nwant    %v", r, radius, cull, closest, want[0])
	} else {
		require.Zero(t, closest)
	}
	require.Equalf(t, ok, m.CastSphereAny(r, radius, cull), "any of %v, radius %v, %v", r, radius, cull)
	return all
}

func TestCastSphereAgainstTwin(t *testing.T) {
	eachScene(t, func(t *testing.T, s scene, m *Mesh, rng *rand.Rand) {
		half := m.Bounds().HalfExtents()
		reach := max(half.X, half.Y, half.Z)
		var all []geom.Hit
		hits, starts, equal := 0, 0, 0
		for i, r := range rays(rng, m, 120) {
			radius := [6]float32{0, reach * 0.001, reach * 0.01, reach * 0.1 * rng.Float32(), reach * rng.Float32(), 1e-3}[rng.IntN(6)]
			all = requireSphereCasts(t, m, r, radius, culls[i%3], all)
			hits += len(all)
			for j, h := range all {
				if h.Inside {
					starts++
				}
				if j > 0 && h.T == all[j-1].T {
					equal++
				}
			}
		}
		require.Positive(t, hits)
		require.Positive(t, starts)
		if s.name != "single" {
			require.Positive(t, equal, "hits at the same T")
		}
	})
}

// Numbers of all sizes in one triangle and one cast: what is small drowns in the rounding of what
// is large, and the tree must still give what a loop gives.
func TestCastSphereOfAllSizes(t *testing.T) {
	rng := testenv.Rand(23, 24)
	for _, digits := range []float64{3, 10, 20, 37} {
		one := func() float32 { return float32((2*rng.Float64() - 1) * math.Pow(10, digits*(2*rng.Float64()-1))) }
		vector := func() geom.Vec3 { return geom.V(one(), one(), one()) }
		hits := 0
		for range 60 {
			var s scene
			for i := range 90 {
				s.indices, s.vertices = append(s.indices, uint32(i)), append(s.vertices, vector())
			}
			m := mustNew(t, s.vertices, s.indices)
			for range 20 {
				r := geom.NewRay(vector(), vector())
				if tri := m.Triangle(rng.IntN(m.NumTriangles())); rng.IntN(2) == 0 {
					r.Dir = tri.A.Sub(r.Origin)
				}
				radius := one()
				hits += len(requireSphereCasts(t, m, r, max(radius, -radius), geom.CullNone, nil))
			}
		}
		require.Positive(t, hits)
	}
}

func TestCastSphereFromAfar(t *testing.T) {
	m := mustNew(t, first(Icosphere(1, 4)), second(Icosphere(1, 4)))
	for _, distance := range []float32{1e3, 1e6, 1e9, 1e18} {
		for _, axis := range []geom.Axis{geom.X, geom.Y, geom.Z} {
			r := geom.NewRay(axis.Unit().Mul(distance), axis.Unit().Mul(-2))
			hit, ok := m.CastSphere(r, 0.25, geom.CullBack)
			require.True(t, ok)
			require.InDelta(t, (float64(distance)-1.25)/2, hit.T, 1e-3+1e-7*float64(distance))
			requireSphereCasts(t, m, r, 0.25, geom.CullNone, nil)
			r.Origin = r.Origin.Add(geom.Axis((axis + 1) % 3).Unit().Mul(1.2501))
			assert.False(t, m.CastSphereAny(r, 0.25, geom.CullNone), "it just goes by")
			r.Origin = r.Origin.Sub(geom.Axis((axis + 1) % 3).Unit().Mul(0.005))
			assert.True(t, m.CastSphereAny(r, 0.25, geom.CullNone))
		}
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
				distance := func(at float32) float64 {
					near, ok := m.ClosestPoint(r.At(at), inf32)
					require.True(t, ok)
					return float64(near.Distance)
				}
				rounding := 1e-5 * float64(reach)
				hit, ok := m.CastSphere(r, radius, geom.CullNone)
				end := hit.T
				switch {
				case !ok:
					misses++
					end = 8 * reach
				case hit.Inside:
					starts++
					require.Zero(t, hit.T)
					require.LessOrEqual(t, distance(0), float64(radius)+rounding)
					near, _ := m.ClosestPoint(r.Origin, inf32)
					require.LessOrEqual(t, near.Distance, hit.Point.Distance(r.Origin))
					continue
				default:
					hits++
					require.InDelta(t, radius, distance(hit.T), rounding)
					require.InDelta(t, radius, hit.Point.Distance(r.At(hit.T)), rounding)
					center := hit.Point.Add(hit.Normal.Mul(radius))
					require.LessOrEqual(t, center.Distance(r.At(hit.T)), float32(rounding))
				}
				for i := range 50 {
					require.Greater(t, distance(end*float32(i)/50), float64(radius)-rounding, "before %v", end)
				}
			}
			require.Positive(t, hits)
			require.Positive(t, starts+misses)
		})
	}
}

func TestCastSphereEdgeCases(t *testing.T) {
	nan := float32(math.NaN())
	m := mustNew(t, first(Box(geom.V(1, 1, 1))), second(Box(geom.V(1, 1, 1))))
	down := geom.NewRay(geom.V(0.5, 5, 0.25), geom.V(0, -1, 0))
	within := geom.NewRay(geom.V(0, 0, 0), geom.V(0, -0.5, 0))
	for _, c := range []struct {
		name   string
		ray    geom.Ray
		radius float32
		cull   geom.Cull
		at     float32
		ok     bool
		inside bool
	}{
		{"face", down, 0.5, geom.CullBack, 3.5, true, false},
		{"face, from within", within, 0.5, geom.CullNone, 1, true, false},
		{"back faces are left out", within, 0.5, geom.CullBack, 0, false, false},
		{"front faces are left out", down, 0.25, geom.CullFront, 5.75, true, false},
		{"and a wall is grazed from within", down, 0.5, geom.CullFront, 4, true, false},
		{"an edge", geom.NewRay(geom.V(0, 5, 4), geom.V(0, -1, 0)), 5, geom.CullNone, 0, true, false},
		{"a corner, exactly grazed", geom.NewRay(geom.V(4, 9, 5), geom.V(0, -1, 0)), 5, geom.CullNone, 8, true, false},
		{"a corner, just missed", geom.NewRay(geom.V(4, 9, math.Nextafter32(5, 6)), geom.V(0, -1, 0)), 5, geom.CullNone, 0, false, false},
		{"overlapping at the start", down, 4.5, geom.CullNone, 0, true, true},
		{"large within", within, 2, geom.CullNone, 0, true, true},
		{"floating within", geom.Ray{Dir: geom.V(0, -0.5, 0), MaxT: 0.5}, 0.5, geom.CullNone, 0, false, false},
		{"radius 0", down, 0, geom.CullNone, 4, true, false},
		{"negative radius", down, -1, geom.CullNone, 0, false, false},
		{"NaN radius", down, nan, geom.CullNone, 0, false, false},
		{"infinite radius", down, inf32, geom.CullNone, 0, false, false},
		{"no direction", geom.Ray{Origin: geom.V(0, 1, 0)}, 1, geom.CullNone, 0, false, false},
		{"NaN", geom.NewRay(geom.V(0, nan, 0), geom.V(0, 1, 0)), 1, geom.CullNone, 0, false, false},
		{"infinite", geom.NewRay(geom.V(0, 9, 0), geom.V(0, -inf32, 0)), 1, geom.CullNone, 0, false, false},
		{"empty range", geom.Ray{Origin: geom.V(0, 9, 0), Dir: geom.V(0, -1, 0), MinT: 5, MaxT: 4}, 1, geom.CullNone, 0, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			hit, ok := m.CastSphere(c.ray, c.radius, c.cull)
			require.Equal(t, c.ok, ok)
			assert.Equal(t, c.at, hit.T)
			assert.Equal(t, c.inside, hit.Inside)
			requireSphereCasts(t, m, c.ray, c.radius, c.cull, nil)
		})
	}
	zero := &Mesh{}
	_, ok := zero.CastSphere(down, 1, geom.CullNone)
	assert.False(t, ok)
	assert.False(t, zero.CastSphereAny(down, 1, geom.CullNone))
	assert.Empty(t, zero.CastSphereAll(nil, down, 1, geom.CullNone))
}

// What was in the slice stays.
func TestCastSphereAllAppends(t *testing.T) {
	m := mustNew(t, first(Box(geom.V(1, 1, 1))), second(Box(geom.V(1, 1, 1))))
	marks := []geom.Hit{{T: 9, Triangle: 99}, {T: 1, Triangle: 98}}
	r := geom.NewRay(geom.V(0.5, 5, 0.25), geom.V(0, -1, 0))
	hits := m.CastSphereAll(slices.Clone(marks), r, 0.1, geom.CullNone)
	require.Equal(t, marks, hits[:2])
	require.Equal(t, m.CastSphereAll(nil, r, 0.1, geom.CullNone), hits[2:])
	require.Greater(t, len(hits), 2)
}

func TestCastSphereAllocatesNothing(t *testing.T) {
	m := mustNew(t, first(Icosphere(1, 3)), second(Icosphere(1, 3)))
	buffer := make([]geom.Hit, 0, m.NumTriangles())
	r := geom.NewRay(geom.V(3, 0.1, 0.2), geom.V(-1, 0, 0))
	found := 0
	assert.Zero(t, testing.AllocsPerRun(20, func() {
		if _, ok := m.CastSphere(r, 0.3, geom.CullNone); ok && m.CastSphereAny(r, 0.3, geom.CullNone) {
			found += len(m.CastSphereAll(buffer, r, 0.3, geom.CullNone))
		}
	}))
	assert.Positive(t, found)
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
		radius := rapid.SampledFrom([]float32{0, 1, 2, 5, 0.1}).Draw(t, "radius")
		cull := rapid.SampledFrom(culls).Draw(t, "cull")
		requireSphereCasts(t, m, r, radius, cull, nil)
	})
}

// FuzzCastSphere reads a ray, a radius and up to twenty triangles from its bytes, any bits at all.
func FuzzCastSphere(f *testing.F) {
	numbers := func(list ...float32) (b []byte) {
		for _, x := range list {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
		}
		return b
	}
	f.Add(numbers(0.2, 0.2, 3, 0, 0, -1, 0, 0, 0.5, 0, 0, 0, 1, 0, 0, 0, 1, 0))
	f.Add(numbers(0, 0, 1e20, 0, 1e-40, -1, 0, 0, 1e19, 0, 0, 0, 1e38, 0, -1e38, 0, 1e-38, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1))
	f.Add(numbers(-3e38, 0, 0, 3e38, 1, 0, 0, 9, 3e38, 3e38, 0, 0, 3e38, 1, 0, 3e38, 0, 1))
	f.Add(numbers(0, 0, 0, 1e-45, 0, 0, 0, 0, 0, 1e-45, 0, 0, 1e-45, 1e-45, 0, 1e-45, 0, 1e-45))
	f.Fuzz(func(t *testing.T, data []byte) {
		next := func() float32 {
			if len(data) < 4 {
				data = nil
				return 0
			}
			x := math.Float32frombits(binary.LittleEndian.Uint32(data))
			data = data[4:]
			return x
		}
		vector := func() geom.Vec3 { return geom.V(next(), next(), next()) }
		r := geom.Ray{Origin: vector(), Dir: vector(), MinT: next(), MaxT: next()}
		radius := next()
		var vertices []geom.Vec3
		var indices []uint32
		for len(data) > 0 && len(indices) < 60 {
			indices = append(indices, uint32(len(vertices)))
			vertices = append(vertices, vector())
		}
		m, err := New(vertices, indices[:len(indices)/3*3])
		if err != nil {
			return
		}
		for _, cull := range culls {
			requireSphereCasts(t, m, r, radius, cull, nil)
		}
	})
}

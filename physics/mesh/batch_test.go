package mesh

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// requireBatch compares a batch of rays with the same rays cast one by one, and returns the number
// of hits.
func requireBatch(t require.TestingT, m *Mesh, list []geom.Ray, cull geom.Cull) (found int) {
	before := geom.Hit{T: 42}
	hits := m.CastRays([]geom.Hit{before}, list, cull)
	require.Len(t, hits, len(list)+1)
	require.Equal(t, before, hits[0])
	blocked := m.CastRaysAny([]bool{true, false}, list, cull)
	require.Len(t, blocked, len(list)+2)
	require.Equal(t, []bool{true, false}, blocked[:2])
	hits, blocked = hits[1:], blocked[2:]
	for i, r := range list {
		want, ok := m.CastRay(r, cull)
		if ok {
			found++
		} else {
			want = geom.Hit{T: inf32, Triangle: -1}
		}
		if !same(want, hits[i]) || ok != blocked[i] {
			require.Failf(t, "not what the ray gives alone", "ray %d of %d: %v %v\nwant %v\ngot  %v %v", i, len(list), r, cull, want, hits[i], blocked[i])
		}
	}
	return found
}

// camera returns the rays of a camera that views a mesh, row by row.
func camera(m *Mesh, eye geom.Vec3, columns, rows int) (list []geom.Ray) {
	b := m.Bounds()
	c, h := b.Center(), b.HalfExtents()
	reach := max(h.X, h.Y, h.Z)
	for y := range rows {
		for x := range columns {
			across, up := float32(2*x+1-columns)/float32(columns), float32(2*y+1-rows)/float32(rows)
			target := c.Add(geom.V(across*reach, up*reach, (across-up)*reach))
			list = append(list, geom.NewRay(eye, target.Sub(eye)))
		}
	}
	return list
}

// grazing returns rays along the axes in one plane after another, which lie in faces and edges of
// meshes made of boxes.
func grazing(m *Mesh) (list []geom.Ray) {
	b := m.Bounds()
	h := b.HalfExtents()
	for axis := range 3 {
		dir := geom.Axis(axis).Unit()
		for i := range 64 {
			across := geom.V(float32(i%4-2)/2, float32(i/4%4-2)/2, float32(i/16-2)/2).MulVec(h).WithAxis(geom.Axis(axis), 0)
			at := b.Center().Add(across)
			list = append(list, geom.NewRay(at.Sub(dir.Mul(2*h.Len())), dir))
		}
	}
	return list
}

func invalid() []geom.Ray {
	nan, z := float32(math.NaN()), geom.V(0, 0, 1)
	return []geom.Ray{
		{}, {Dir: geom.V(nan, 0, 1)}, {Dir: geom.V(inf32, 0, 1)}, {Origin: geom.V(0, nan, 0), Dir: z}, {Origin: geom.V(0, -inf32, 0), Dir: z},
		{Dir: z, MinT: nan}, {Dir: z, MaxT: nan}, {Dir: z, MinT: inf32}, {Dir: z, MaxT: -1}, {Dir: z, MinT: 2, MaxT: 1},
	}
}

// The rays of a batch give what each gives alone: incoherent, from a camera, along axes, invalid,
// and all of these mixed.
func TestCastRaysGivesWhatEachRayGives(t *testing.T) {
	eachScene(t, func(t *testing.T, s scene, m *Mesh, rng *rand.Rand) {
		b := m.Bounds()
		eye := b.Center().Add(geom.V(1, 2, 3).Mul(max(b.HalfExtents().X, b.HalfExtents().Y, b.HalfExtents().Z)))
		incoherent, coherent, along := rays(rng, m, testenv.Fewer(400, 100)), camera(m, eye, 30, testenv.Fewer(12, 4)), grazing(m)
		var mixed []geom.Ray
		bad := invalid()
		for i, r := range slices.Concat(coherent, along) {
			switch rng.IntN(20) {
			case 0:
				mixed = append(mixed, bad[rng.IntN(len(bad))])
			case 1:
				mixed = append(mixed, incoherent[i%len(incoherent)])
			case 2:
				r.MinT = rng.Float32()
			case 3:
				r.MaxT = 2 * rng.Float32()
			}
			mixed = append(mixed, r)
		}
		for _, cull := range testenv.Fewer(culls, culls[:1]) {
			requireBatch(t, m, incoherent, cull)
			requireBatch(t, m, coherent, cull)
			requireBatch(t, m, along, cull)
			requireBatch(t, m, mixed, cull)
			assert.Zero(t, requireBatch(t, m, bad, cull))
		}
		for n := 0; n < 41; n += testenv.Fewer(1, 8) {
			requireBatch(t, m, mixed[:n], geom.CullNone)
			requireBatch(t, m, coherent[n:2*n], geom.CullNone)
		}
	})
}

// The same for any number of processors, and for numbers of rays around that of a chunk.
func TestCastRaysOnAnyNumberOfProcessors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	s := soup(testenv.Rand(1, 2), "", 3000, 3, 0.5)
	m := mustNew(t, s.vertices, s.indices)
	list := append(rays(testenv.Rand(3, 4), m, 3000), camera(m, geom.V(1, 2, 9), 64, 32)...)
	list[77].Dir = geom.Vec3{}
	for _, procs := range []int{1, 3, 8} {
		runtime.GOMAXPROCS(procs)
		for _, n := range []int{0, 1, batchSize - 1, batchSize, batchSize + 1, 2*batchSize + 7, len(list)} {
			found := requireBatch(t, m, list[:n], geom.CullBack)
			assert.True(t, n < len(list) || found > 1000 && found < n)
		}
	}
}

func TestCastRaysOfTheZeroMeshMiss(t *testing.T) {
	assert.Zero(t, requireBatch(t, &Mesh{}, camera(&Mesh{}, geom.V(1, 2, 3), 4, 4), geom.CullNone))
}

// Rays between coherent and incoherent.
func TestCastRaysOfAnySpread(t *testing.T) {
	s := soup(testenv.Rand(1, 2), "", 1000, 1, 0.2)
	m := mustNew(t, s.vertices, s.indices)
	torus := mustNew(t, first(Torus(1, 0.3, 60, 30)), second(Torus(1, 0.3, 60, 30)))
	rapid.Check(t, func(t *rapid.T) {
		vec := func(name string, reach float64) geom.Vec3 {
			one := rapid.Float32Range(-float32(reach), float32(reach))
			return geom.V(one.Draw(t, name), one.Draw(t, name), one.Draw(t, name))
		}
		origin, dir := vec("origin", 2), vec("dir", 1)
		apart := math.Pow(10, rapid.Float64Range(-8, 0).Draw(t, "apart"))
		limits := rapid.Bool().Draw(t, "limits")
		list := make([]geom.Ray, rapid.IntRange(0, 40).Draw(t, "rays"))
		for i := range list {
			list[i] = geom.NewRay(origin.Add(vec("from", apart)), dir.Add(vec("to", apart)))
			if limits {
				list[i].MinT, list[i].MaxT = rapid.Float32Range(-1, 3).Draw(t, "min"), rapid.Float32Range(-1, 6).Draw(t, "max")
			}
		}
		cull := rapid.SampledFrom(culls).Draw(t, "cull")
		requireBatch(t, m, list, cull)
		requireBatch(t, torus, list, cull)
	})
}

func TestCastRaysOfAFewAllocatesNothing(t *testing.T) {
	m := mustNew(t, first(Icosphere(1, 3)), second(Icosphere(1, 3)))
	list := append(rays(testenv.Rand(5, 6), m, batchSize/2), camera(m, geom.V(1, 2, 3), 16, batchSize/32)...)
	require.Len(t, list, batchSize)
	buffer, blocked := make([]geom.Hit, 0, batchSize), make([]bool, 0, batchSize)
	testenv.AllocatesNothing(t, 10, func() {
		m.CastRays(buffer, list, geom.CullNone)
		m.CastRaysAny(blocked, list, geom.CullNone)
	})
}

// More rays take more time and no more memory.
func TestCastRaysAllocatesByProcessorsAlone(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	m := mustNew(t, first(Icosphere(1, 3)), second(Icosphere(1, 3)))
	list := rays(testenv.Rand(5, 6), m, 20*batchSize)
	buffer := make([]geom.Hit, 0, len(list))
	allocs := func(n int) float64 {
		return testing.AllocsPerRun(20, func() { m.CastRays(buffer, list[:n], geom.CullNone) })
	}
	assert.LessOrEqual(t, allocs(len(list)), 10.0)
	runtime.GOMAXPROCS(1)
	testenv.AllocatesNothing(t, 20, func() { m.CastRays(buffer, list, geom.CullNone) })
}

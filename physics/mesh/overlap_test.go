package mesh

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// touching is the overlap queries without the tree.
func touching(m *Mesh, f func(geom.Triangle) bool) (list []int32) {
	for i := range m.NumTriangles() {
		if f(m.Triangle(i)) {
			list = append(list, int32(i))
		}
	}
	return list
}

// place returns a point near the surface of a mesh, or exactly at a corner, and a size.
func place(rng *rand.Rand, m *Mesh) (geom.Vec3, float32) {
	b := m.Bounds()
	h := b.HalfExtents()
	size := max(h.X, h.Y, h.Z) * float32(math.Pow(10, -3*rng.Float64()))
	indices := m.Indices()
	corner := m.vertices[indices[rng.IntN(len(indices))]]
	switch rng.IntN(4) {
	case 0:
		return corner, size
	case 1:
		// Touches from outside, up to rounding.
		return corner.Add(geom.Axis(rng.IntN(3)).Unit().Mul(size)), size
	}
	return b.Center().Add(around(rng, 1.2).MulVec(h)), size
}

func TestOverlapAgainstTwin(t *testing.T) {
	testenv.Long(t)
	eachScene(t, func(t *testing.T, s scene, m *Mesh, rng *rand.Rand) {
		found := 0
		for range 150 {
			p, size := place(rng, m)
			half := around(rng, size).Abs()
			box := geom.AABBAround(p, half)
			want := touching(m, box.OverlapsTriangle)
			require.Equalf(t, want, m.OverlapAABB(nil, box), "%v", box)
			require.Equal(t, len(want) > 0, m.OverlapsAABB(box))
			found += len(want)

			sphere := geom.Sphere{Center: p, Radius: size}
			want = touching(m, sphere.OverlapsTriangle)
			require.Equalf(t, want, m.OverlapSphere(nil, sphere), "%v", sphere)
			require.Equal(t, len(want) > 0, m.OverlapsSphere(sphere))
			found += len(want)

			turned := geom.Box{Center: p, HalfExtents: half, Rotation: geom.QuatAxisAngle(around(rng, 1), rng.Float64())}
			want = touching(m, turned.OverlapsTriangle)
			require.Equalf(t, want, m.OverlapBox(nil, turned), "%v", turned)
			require.Equal(t, len(want) > 0, m.OverlapsBox(turned))
			found += len(want)
		}
		testenv.Drawn(t, found, 20, "the test should find something")
	})
}

func TestOverlapAppends(t *testing.T) {
	m := mustNew(t, first(Box(geom.V(1, 1, 1))), second(Box(geom.V(1, 1, 1))))
	all := geom.AABBAround(geom.Vec3{}, geom.V(2, 2, 2))
	got := m.OverlapAABB([]int32{99}, all)
	assert.Equal(t, []int32{99, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, got)
	within := geom.AABBAround(geom.Vec3{}, geom.V(0.5, 0.5, 0.5))
	assert.Empty(t, m.OverlapAABB(nil, within), "nothing is inside a mesh")
	assert.False(t, m.OverlapsSphere(geom.Sphere{Radius: 0.99}))
	assert.True(t, m.OverlapsSphere(geom.Sphere{Radius: 1}), "touching counts")
}

func TestOverlapOfNothing(t *testing.T) {
	m := mustNew(t, first(Box(geom.V(1, 1, 1))), second(Box(geom.V(1, 1, 1))))
	nan := float32(math.NaN())
	for _, box := range []geom.AABB{geom.EmptyAABB(), {Min: geom.V(1, 0, 0), Max: geom.V(-1, 9, 9)}, {Min: geom.V(nan, -9, -9), Max: geom.V(9, 9, 9)}} {
		assert.Empty(t, m.OverlapAABB(nil, box))
		assert.False(t, m.OverlapsAABB(box))
		assert.True(t, m.VisitAABB(box, func(int) bool { return false }))
	}
	assert.False(t, m.OverlapsSphere(geom.Sphere{Radius: -1}))
	assert.False(t, m.OverlapsSphere(geom.Sphere{Center: geom.V(nan, 0, 0), Radius: 1}))
	assert.False(t, m.OverlapsBox(geom.Box{HalfExtents: geom.V(5, 5, -1)}))
	everything := geom.AABB{Min: geom.V(-inf32, -inf32, -inf32), Max: geom.V(inf32, inf32, inf32)}
	assert.Len(t, m.OverlapAABB(nil, everything), 12)
	zero := &Mesh{}
	assert.False(t, zero.OverlapsAABB(everything))
	assert.False(t, zero.OverlapsSphere(geom.Sphere{Radius: 9}))
	assert.False(t, zero.OverlapsBox(geom.Box{HalfExtents: geom.V(5, 5, 1)}))
}

func TestVisitAABB(t *testing.T) {
	testenv.Long(t)
	eachScene(t, func(t *testing.T, s scene, m *Mesh, rng *rand.Rand) {
		for range 100 {
			p, size := place(rng, m)
			box := geom.AABBAround(p, around(rng, size).Abs())
			want := touching(m, func(t geom.Triangle) bool { return t.Bounds().OverlapsAABB(box) })
			var got []int32
			require.True(t, m.VisitAABB(box, func(i int) bool { got = append(got, int32(i)); return true }))
			slices.Sort(got)
			require.True(t, slices.Equal(want, got), "%v: found %v, want %v", box, got, want)
			if len(want) > 1 {
				visits := 0
				require.False(t, m.VisitAABB(box, func(int) bool { visits++; return visits < 2 }))
				require.Equal(t, 2, visits)
			}
		}
	})
}

func TestOverlapAllocatesNothing(t *testing.T) {
	m := mustNew(t, first(Icosphere(1, 3)), second(Icosphere(1, 3)))
	buffer := make([]int32, 0, m.NumTriangles())
	visits := 0
	testenv.AllocatesNothing(t, 20, func() {
		box := geom.AABBAround(geom.V(1, 0, 0), geom.V(0.3, 0.3, 0.3))
		visits += len(m.OverlapAABB(buffer, box))
		visits += len(m.OverlapSphere(buffer, geom.Sphere{Center: box.Min, Radius: 1}))
		visits += len(m.OverlapBox(buffer, geom.Box{Center: box.Min, HalfExtents: box.HalfExtents()}))
		m.OverlapsAABB(box)
		m.VisitAABB(box, func(int) bool { visits++; return true })
		if _, ok := m.ClosestPoint(geom.V(2, 3, 4), inf32); ok {
			visits++
		}
	})
	assert.Positive(t, visits)
}

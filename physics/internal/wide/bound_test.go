package wide

import (
	"math"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// The generator has these offsets as constants.
func TestBoundLayoutIsTheGenerators(t *testing.T) {
	var b Bound
	for _, c := range []struct {
		name      string
		want, got uintptr
	}{
		{"boundCenter", 0, unsafe.Offsetof(b.Center)},
		{"boundMargin", 12, unsafe.Offsetof(b.Margin)},
		{"boundRadius", 16, unsafe.Offsetof(b.Radius)},
		{"boundShare", 20, unsafe.Offsetof(b.Share)},
		{"boundCounts", 24, unsafe.Offsetof(b.counts)},
		{"boundLead", 36, unsafe.Offsetof(b.Lead)},
		{"boundPlanes", 48, unsafe.Offsetof(b.planes)},
		{"boundPlane", 16, unsafe.Sizeof(b.planes[0])},
		{"boundPoints", 48 + 32*16, unsafe.Offsetof(b.points)},
		{"boundPoint", 12, unsafe.Sizeof(b.points[0][0])},
		{"boundAhead", 48 + 32*16 + 64*12, unsafe.Offsetof(b.points) + unsafe.Sizeof(b.points[0])},
	} {
		assert.Equal(t, c.want, c.got, c.name)
	}
}

// The assembly misses the triangles that the portable code does, for any numbers. What a bound of
// plain numbers misses is beyond one of the planes in double precision, and it misses all that is
// so by far.
func TestBoundMisses(t *testing.T) {
	r := testenv.Rand(3, 2)
	special := false
	number := func() float32 {
		if special && r.IntN(30) == 0 {
			return []float32{float32(math.Inf(1)), float32(math.NaN()), 0, 3e38, 1e-40}[r.IntN(5)]
		}
		return 2 * (r.Float32() - 0.5)
	}
	vec := func() geom.Vec3 { return geom.V(number(), number(), number()) }
	missed, kept := 0, 0
	for round := range 20000 {
		special = round%4 == 0
		var b Bound
		var e Eight
		b.Reset()
		b.Center, b.Margin, b.Share = vec(), 0.1*abs(number()), 0x1p-19
		var points [2][]geom.DVec3
		for list := range points {
			for range r.IntN(5) {
				p := vec()
				b.AddPoint(p, list == 1)
				points[list] = append(points[list], p.Wide())
			}
		}
		b.Radius = 4
		if r.IntN(2) == 0 {
			b.Lead = vec()
		}
		lead := b.Lead.Wide()
		for range r.IntN(4) {
			b.AddPlane(vec().Normalize(), number())
		}
		var all [8]geom.Triangle
		for i := range all {
			a := vec().Mul(4)
			all[i] = geom.Triangle{A: a, B: a.Add(vec()), C: a.Add(vec())}
			e.Set(i, &all[i])
		}
		mask := b.misses(&e.corners)
		if assembly && useSIMD {
			require.Equal(t, mask, missesSIMD(&e.corners, &b))
		}
		require.Equal(t, mask, b.Misses(&e))
		if special {
			continue
		}
		for i, tri := range all {
			center := b.Center.Wide()
			c := [3]geom.DVec3{tri.A.Wide().Sub(center), tri.B.Wide().Sub(center), tri.C.Wide().Sub(center)}
			beyond := math.Inf(-1)
			for _, p := range b.planes[:b.counts[0]] {
				n := p.n.Wide()
				beyond = max(beyond, min(n.Dot(c[0]), n.Dot(c[1]), n.Dot(c[2]))-float64(p.d))
			}
			if n := c[1].Sub(c[0]).Cross(c[2].Sub(c[0])).Normalize(); len(points[0]) > 0 {
				low, high := math.Inf(1), math.Inf(-1)
				for list := range points {
					for _, p := range points[list] {
						low, high = min(low, p.Dot(n)), max(high, p.Dot(n))
						if list == 0 {
							low, high = min(low, p.Add(lead).Dot(n)), max(high, p.Add(lead).Dot(n))
						}
					}
				}
				beyond = max(beyond, low-c[0].Dot(n)-float64(b.Margin), c[0].Dot(n)-high-float64(b.Margin))
			}
			if mask>>i&1 != 0 {
				missed++
				require.Positive(t, beyond)
			} else {
				kept++
				require.Less(t, beyond, 0.01)
			}
		}
	}
	testenv.Drawn(t, missed, 10000)
	testenv.Drawn(t, kept, 10000)
}

// A visit with a bound calls visit for the triangles of VisitAABB that it does not miss, whatever
// the leaves.
func TestVisitBound(t *testing.T) {
	r := testenv.Rand(4, 2)
	vec := func(by float32) geom.Vec3 { return geom.V(r.Float32()-0.5, r.Float32()-0.5, r.Float32()-0.5).Mul(by) }
	dropped, left := 0, 0
	for round := range 60 {
		var corners []geom.Vec3
		for range 10 + r.IntN(400) {
			corners = append(corners, vec(10))
		}
		var indices []uint32
		for range 1 + r.IntN(1500) {
			if round%2 == 0 { // none shares a vertex
				n, a := uint32(len(corners)), vec(10)
				corners = append(corners, a, a.Add(vec(1)), a.Add(vec(1)))
				indices = append(indices, n, n+1, n+2)
			} else {
				indices = append(indices, uint32(r.IntN(len(corners))), uint32(r.IntN(len(corners))), uint32(r.IntN(len(corners))))
			}
		}
		tree := Build(corners, indices, 1)
		for range 20 {
			var b Bound
			b.Share = 0x1p-19
			b.Center = vec(10)
			b.AddPlane(vec(1).Normalize(), r.Float32())
			box := geom.AABBAround(b.Center, vec(8).Abs())
			var want, all, got []int
			tree.VisitAABB(box, func(i int) bool {
				var e Eight
				e.Set(0, &geom.Triangle{A: corners[indices[3*i]], B: corners[indices[3*i+1]], C: corners[indices[3*i+2]]})
				if all = append(all, i); b.Misses(&e)&1 == 0 {
					want = append(want, i)
				}
				return true
			})
			few, asked := 1+r.IntN(8), 0
			tree.VisitBound(box, few, func() *Bound { asked++; return &b }, func(i int) { got = append(got, i) })
			if len(all) < few {
				want = all
				require.Zero(t, asked)
			} else {
				require.Equal(t, 1, asked)
				dropped += len(all) - len(want)
			}
			left += len(want)
			require.Equal(t, sorted(want), sorted(got))
			got = got[:0]
			tree.VisitBound(box, 1, func() *Bound { return nil }, func(i int) { got = append(got, i) })
			require.Equal(t, sorted(all), sorted(got))
		}
	}
	testenv.Drawn(t, dropped, 1000)
	testenv.Drawn(t, left, 1000)
}

func sorted(list []int) []int { return slices.Sorted(slices.Values(list)) }

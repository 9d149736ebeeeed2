package wide

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/measuring"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// withSIMD runs a test on the portable traversal and, where there is one, on the assembly.
func withSIMD(t *testing.T, f func(t *testing.T)) {
	can := useSIMD
	t.Cleanup(func() { useSIMD = can })
	for _, simd := range []bool{false, true} {
		t.Run(fmt.Sprintf("simd=%v", simd), func(t *testing.T) {
			testenv.SIMD(t, can || !simd)
			useSIMD = simd
			f(t)
		})
	}
}

// mapped is a surface at another position, size or shape.
func mapped(name string, s surface, f func(geom.Vec3) geom.Vec3) surface {
	m := surface{name: name, indices: s.indices}
	for _, v := range s.vertices {
		m.vertices = append(m.vertices, f(v))
	}
	return m
}

func shapes() []surface {
	return append(surfaces(),
		mapped("far grid", grid(20), func(v geom.Vec3) geom.Vec3 { return v.Add(geom.V(1e6, -3e5, 7e4)) }),
		mapped("flat grid", grid(20), func(v geom.Vec3) geom.Vec3 { v.Y = 0; return v }),
		mapped("thin soup", soup(300), func(v geom.Vec3) geom.Vec3 { return geom.V(v.X, v.X+float32(v.Y*1e-7), v.Z) }),
		mapped("vast soup", soup(300), func(v geom.Vec3) geom.Vec3 { return v.Mul(3e37) }),
		mapped("denormal soup", soup(300), func(v geom.Vec3) geom.Vec3 { return v.Mul(1e-40) }),
		surface{"needle", []geom.Vec3{{}, {X: 1}, {X: 0.5, Y: 1e-9}}, []uint32{0, 1, 2}},
	)
}

// aims returns random rays at a surface.
func aims(rng *rand.Rand, s *surface, n int) []geom.Ray {
	tree := Build(s.vertices, s.indices, 1)
	return measuring.Aim(rng, tree.Bounds(), func() geom.Vec3 { return s.vertices[s.indices[rng.IntN(len(s.indices))]] }, n)
}

// twin returns all hits in order, without a tree: the brute-force reference.
func (s *surface) twin(t *Tree, r geom.Ray, cull geom.Cull) (hits []Impact) {
	q, ok := t.Ray(r, cull)
	if !ok {
		return nil
	}
	low, high := q.Range()
	for i := range s.count() {
		if h, ok := q.Cast(r, cull, s.triangle(i), int32(i)); ok && low <= h.T && h.T <= high {
			hits = append(hits, h)
		}
	}
	sortImpacts(hits)
	return hits
}

func sortImpacts(hits []Impact) {
	slices.SortFunc(hits, func(g, h Impact) int {
		return cmp.Or(cmp.Compare(g.T, h.T), cmp.Compare(g.Triangle, h.Triangle))
	})
}

// impactOf returns the part of a hit that twin computes.
func impactOf(h geom.Hit) Impact { return Impact{h.T, h.U, h.V, h.Triangle, h.BackFace} }

func (t *Tree) impacts(r geom.Ray, cull geom.Cull) (list []Impact) {
	for _, h := range t.CastRayAll(nil, &r, cull) {
		list = append(list, impactOf(h))
	}
	sortImpacts(list)
	if t.HasDuplicates() {
		list = slices.CompactFunc(list, sameBits)
	}
	return list
}

// sameBits compares the bits of two hits, so that −0 is not 0.
func sameBits(g, h Impact) bool {
	return math.Float32bits(g.T) == math.Float32bits(h.T) && math.Float32bits(g.U) == math.Float32bits(h.U) &&
		math.Float32bits(g.V) == math.Float32bits(h.V) && g.Triangle == h.Triangle && g.BackFace == h.BackFace
}

// Each form of cast gives the bits of a loop over all triangles, portable and by assembly.
func TestCastsSameBits(t *testing.T) {
	testenv.NoRace(t)
	culls := []geom.Cull{geom.CullNone, geom.CullBack, geom.CullFront}
	for i, s := range shapes() {
		t.Run(s.name, func(t *testing.T) {
			tree := Build(s.vertices, s.indices, 0)
			n := 300
			if s.count() > 1000 {
				n = 60
			}
			list := aims(testenv.Rand(uint64(i), 3), &s, n)
			want := make([][]Impact, len(list))
			for i, r := range list {
				want[i] = s.twin(&tree, r, culls[i%3])
			}
			withSIMD(t, func(t *testing.T) {
				for i, r := range list {
					want, cull := want[i], culls[i%3]
					all := tree.impacts(r, cull)
					require.Truef(t, slices.EqualFunc(want, all, sameBits), "%v %v\nwant %v\nall  %v", r, cull, want, all)
					require.Equal(t, len(want) > 0, tree.CastRayAny(&r, cull), "%v %v", r, cull)
					var h geom.Hit
					ok := tree.CastRay(&h, &r, cull)
					require.Equal(t, len(want) > 0, ok, "%v %v", r, cull)
					require.Truef(t, !ok || sameBits(want[0], impactOf(h)), "%v %v\nwant %v\ngot  %v", r, cull, want, h)
					at, triangle := float32(-1), int32(-1)
					for k := 0; k <= min(len(want), 3); k++ {
						ok := tree.CastRayAfter(&h, &r, cull, at, triangle)
						require.Equal(t, k < len(want), ok, "%v %v after %v %v", r, cull, at, triangle)
						if !ok {
							break
						}
						require.Truef(t, sameBits(want[k], impactOf(h)), "%v %v\nwant %v\ngot  %v", r, cull, want[k], h)
						at, triangle = h.T, h.Triangle
					}
				}
			})
		})
	}
}

// Many rays, where a loop over all triangles would take too long: portable against assembly.
func TestWalksAgree(t *testing.T) {
	testenv.Long(t)
	testenv.SIMD(t, useSIMD)
	t.Cleanup(func() { useSIMD = true })
	for i, s := range []surface{grid(150), soup(20_000)} {
		t.Run(s.name, func(t *testing.T) {
			tree := Build(s.vertices, s.indices, 0)
			hits := 0
			for _, r := range aims(testenv.Rand(uint64(i), 4), &s, 30_000) {
				useSIMD = true
				var g, h geom.Hit
				ok := tree.CastRay(&h, &r, geom.CullNone)
				anyHit := tree.CastRayAny(&r, geom.CullNone)
				useSIMD = false
				also := tree.CastRay(&g, &r, geom.CullNone)
				require.Truef(t, ok == also && ok == anyHit && g == h, "%v\nportable %v %v\nsimd     %v %v %v", r, g, also, h, ok, anyHit)
				if ok {
					hits++
				}
			}
			testenv.Drawn(t, hits, 5_000)
		})
	}
}

func TestCastsAllocateNothing(t *testing.T) {
	s := soup(500)
	tree := Build(s.vertices, s.indices, 0)
	list := aims(testenv.Rand(5, 6), &s, 100)
	withSIMD(t, func(t *testing.T) {
		buffer := make([]geom.Hit, 0, 1000)
		testenv.AllocatesNothing(t, 5, func() {
			for _, r := range list {
				var h geom.Hit
				if tree.CastRay(&h, &r, geom.CullNone) {
					tree.CastRayAfter(&h, &r, geom.CullNone, h.T, h.Triangle)
				}
				tree.CastRayAny(&r, geom.CullNone)
				tree.CastRayAll(buffer, &r, geom.CullNone)
			}
		})
	})
}

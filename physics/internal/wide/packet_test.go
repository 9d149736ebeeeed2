package wide

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// bundles returns groups of coherent neighbours, each group around one of the rays: those are cast
// as packets.
func bundles(rng *rand.Rand, s *surface, list []geom.Ray) (out []geom.Ray) {
	tree := Build(s.vertices, s.indices, 1)
	h := tree.Bounds().HalfExtents()
	reach := max(h.X, h.Y, h.Z)
	near := func(v geom.Vec3, by float32) geom.Vec3 {
		return v.Add(geom.V(rng.Float32()-0.5, rng.Float32()-0.5, rng.Float32()-0.5).Mul(by))
	}
	for _, r := range list {
		spread := float32(math.Pow(10, -6*rng.Float64()))
		for range 1 + rng.IntN(20) {
			one := r
			switch rng.IntN(3) {
			case 0: // as from a camera
				one.Dir = near(r.Dir, spread*r.Dir.Len())
			case 1: // side by side
				one.Origin = near(r.Origin, spread*reach)
			case 2:
				one.Origin, one.Dir = near(r.Origin, spread*reach), near(r.Dir, spread*r.Dir.Len())
			}
			if rng.IntN(3) == 0 {
				one.MinT = rng.Float32()
			}
			if rng.IntN(3) == 0 {
				one.MaxT = 3 * rng.Float32()
			}
			out = append(out, one)
		}
	}
	return out
}

func odds() []geom.Ray {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	z := geom.V(0, 0, 1)
	return []geom.Ray{
		{},
		{Dir: geom.V(nan, 0, 1)},
		{Dir: geom.V(0, inf, 1)},
		{Dir: z, Origin: geom.V(0, nan, 0)},
		{Dir: z, Origin: geom.V(inf, 0, 0)},
		{Dir: z, MinT: nan},
		{Dir: z, MaxT: nan},
		{Dir: z, MinT: inf},
		{Dir: z, MinT: 2, MaxT: 1},
		{Dir: z, MaxT: -1},
		{Dir: z, Origin: geom.V(0, 0, -3), MaxT: inf},
		{Dir: z, Origin: geom.V(0, 0, -3), MinT: -1},
		{Dir: z.Mul(1e-38), Origin: geom.V(0, 0, -3)},
		{Dir: z.Mul(1e38), Origin: geom.V(0, 0, -3)},
		{Dir: z, Origin: geom.V(0, 0, -3e38)},
	}
}

// requireBatch compares a batch of rays with the same rays cast one by one.
func requireBatch(t *testing.T, tree *Tree, list []geom.Ray, cull geom.Cull) (found int) {
	const guard = 3
	hits := make([]geom.Hit, len(list)+guard)
	yes := make([]bool, len(list)+guard)
	mark := geom.Hit{T: 42, Triangle: 42}
	for i := range guard {
		hits[len(list)+i], yes[len(list)+i] = mark, i%2 == 0
	}
	tree.CastRays(hits[:len(list)], list, cull)
	tree.CastRaysAny(yes[:len(list)], list, cull)
	for i := range guard {
		require.Equal(t, mark, hits[len(list)+i], "after the last")
		require.Equal(t, i%2 == 0, yes[len(list)+i], "after the last")
	}
	inTurn, yesInTurn := castAsStream(tree, list, cull)
	for i := range list {
		var want geom.Hit
		ok := tree.CastRay(&want, &list[i], cull)
		if !ok {
			want = geom.Hit{T: inf32, Triangle: -1}
		} else {
			found++
		}
		// No assertion for each ray, as these take longer than the casts.
		if !sameHit(&want, &hits[i]) || ok != yes[i] {
			require.Failf(t, "not as alone", "ray %d of %d, %v %v\nwant %v\ngot  %v %v", i, len(list), list[i], cull, want, hits[i], yes[i])
		}
		if inTurn != nil && i%3 != 1 && (!sameHit(&want, &inTurn[i]) || ok != (yesInTurn[i] == 1)) {
			require.Failf(t, "not as alone", "ray %d of %d, %v %v\nwant    %v\nin turn %v %v", i, len(list), list[i], cull, want, inTurn[i], yesInTurn[i])
		}
	}
	return found
}

// castAsStream casts two of three rays as a stream, whatever they are; the others must stay
// unchanged. It returns nothing for trees that streams cannot traverse.
func castAsStream(tree *Tree, list []geom.Ray, cull geom.Cull) (hits []geom.Hit, yes []uint8) {
	if len(list) == 0 || !tree.usesPackets() {
		return nil, nil
	}
	other := geom.Hit{T: 42, Triangle: 42}
	hits, yes = make([]geom.Hit, len(list)), make([]uint8, len(list))
	for i := range list {
		hits[i].Triangle, yes[i] = pending, pendingAny
		if i%3 == 1 {
			hits[i], yes[i] = other, 42
		}
	}
	tree.castPending(hits, list, cull, true)
	tree.castPendingAny(yes, list, cull, true)
	for i := 1; i < len(list); i += 3 {
		if hits[i] != other || yes[i] != 42 {
			panic("a ray was cast that is not marked")
		}
	}
	return hits, yes
}

// sameHit compares all bits, −0 and 0 apart.
func sameHit(g, h *geom.Hit) bool {
	return *g == *h && sameBits(impactOf(*g), impactOf(*h)) && signs(g) == signs(h)
}

func signs(h *geom.Hit) (s [6]bool) {
	for i, x := range [6]float32{h.Point.X, h.Point.Y, h.Point.Z, h.Normal.X, h.Normal.Y, h.Normal.Z} {
		s[i] = math.Signbit(float64(x))
	}
	return s
}

// The rays of a batch give the bits that each gives alone: coherent neighbours, incoherent rays,
// and invalid ones in between.
func TestBatchAsAlone(t *testing.T) {
	testenv.Long(t)
	culls := []geom.Cull{geom.CullNone, geom.CullBack, geom.CullFront}
	for i, s := range shapes() {
		t.Run(s.name, func(t *testing.T) {
			tree := Build(s.vertices, s.indices, 0)
			rng := testenv.Rand(uint64(i), 11)
			pending := aims(rng, &s, 100)
			together := bundles(rng, &s, aims(rng, &s, 60))
			var mixed []geom.Ray
			odds := odds()
			for k, r := range together {
				if rng.IntN(15) == 0 {
					mixed = append(mixed, odds[rng.IntN(len(odds))])
				}
				if rng.IntN(15) == 0 {
					mixed = append(mixed, pending[k%len(pending)])
				}
				mixed = append(mixed, r)
			}
			withSIMD(t, func(t *testing.T) {
				for _, cull := range culls {
					requireBatch(t, &tree, pending, cull)
					requireBatch(t, &tree, together, cull)
					requireBatch(t, &tree, mixed, cull)
				}
				requireBatch(t, &tree, odds, geom.CullNone)
				for n := range 41 {
					requireBatch(t, &tree, mixed[:n], geom.CullNone)
					requireBatch(t, &tree, together[n:2*n], geom.CullNone)
				}
			})
		})
	}
}

// Coherent rays are cast as packets. Without packets all answers would still be right.
func TestNeighboursGoInPackets(t *testing.T) {
	testenv.SIMD(t, assembly && useSIMD)
	s := grid(100)
	tree := Build(s.vertices, s.indices, 0)
	require.True(t, tree.usesPackets())
	b := tree.Bounds()
	eye := b.Center().Add(geom.V(0.3, 3, 0.2).Mul(b.HalfExtents().Len()))
	list := make([]geom.Ray, packetSize)
	for i := range list {
		list[i] = geom.NewRay(eye, b.Center().Add(geom.V(float32(i)*1e-3, 0, 0)).Sub(eye))
	}
	turn, flip := facing(geom.CullNone)
	leaf := tree.leafWidth()
	hits, yes := make([]geom.Hit, packetSize), make([]uint8, packetSize)
	for n := range packetSize + 1 {
		if n < 4 {
			continue
		}
		assert.Equal(t, uint32(n), closestPacketSIMD(&tree, &list[0], &hits[0], n, turn, flip, leaf))
		assert.Equal(t, uint32(n), anyPacketSIMD(&tree, &list[0], &yes[0], n, turn, flip, leaf))
	}
	list[5].Dir = list[5].Dir.Neg()
	assert.Equal(t, uint32(5), closestPacketSIMD(&tree, &list[0], &hits[0], packetSize, turn, flip, leaf), "up to the ray of the other direction")
	list[2].Dir = geom.Vec3{}
	assert.Equal(t, uint32(packetAlone|2), closestPacketSIMD(&tree, &list[0], &hits[0], packetSize, turn, flip, leaf), "too few")
	assert.Equal(t, uint32(packetAlone|1), closestPacketSIMD(&tree, &list[2], &hits[2], packetSize-2, turn, flip, leaf), "invalid")
}

// A stream itself casts all rays but the unsupported.
func TestStreamsLeaveOnlyTheOdd(t *testing.T) {
	testenv.SIMD(t, assembly && useSIMD)
	s := soup(5000)
	tree := Build(s.vertices, s.indices, 0)
	list := aims(testenv.Rand(1, 13), &s, 3000)
	hits := make([]geom.Hit, len(list))
	for i := range hits {
		list[i].MinT, list[i].MaxT, list[i].Dir = 0, 0, list[i].Dir.Normalize()
		hits[i].Triangle = pending
	}
	turn, flip := facing(geom.CullNone)
	closestStreamSIMD(&tree, &list[0], &hits[0], len(list), turn, flip)
	left := 0
	for i := range hits {
		if hits[i].Triangle == pending {
			left++
		}
	}
	assert.Less(t, left, len(list)/10)
}

// Many rays, where a loop over all triangles would take too long.
func TestBatchAsAloneOnMany(t *testing.T) {
	testenv.NoRace(t)
	for i, s := range []surface{grid(150), soup(20_000)} {
		t.Run(s.name, func(t *testing.T) {
			tree := Build(s.vertices, s.indices, 0)
			rng := testenv.Rand(uint64(i), 12)
			found := requireBatch(t, &tree, aims(rng, &s, 4_000), geom.CullNone)
			found += requireBatch(t, &tree, bundles(rng, &s, aims(rng, &s, 400)), geom.CullNone)
			testenv.Drawn(t, found, 2_000)
		})
	}
}

func TestTogetherAllocatesNothing(t *testing.T) {
	s := soup(500)
	tree := Build(s.vertices, s.indices, 0)
	rng := testenv.Rand(5, 6)
	list := append(aims(rng, &s, 100), bundles(rng, &s, aims(rng, &s, 20))...)
	hits, yes := make([]geom.Hit, len(list)), make([]bool, len(list))
	withSIMD(t, func(t *testing.T) {
		testenv.AllocatesNothing(t, 5, func() {
			tree.CastRays(hits, list, geom.CullNone)
			tree.CastRaysAny(yes, list, geom.CullNone)
		})
	})
}

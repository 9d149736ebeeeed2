package broad

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// twin is the brute-force reference of a phase: the boxes in a map.
type twin map[uint32]geom.AABB

func drawVec(t *rapid.T, span float32) geom.Vec3 {
	f := rapid.Float32Range(-span, span)
	whole := rapid.Map(rapid.IntRange(-4, 4), func(i int) float32 { return float32(i) })
	zero := rapid.SampledFrom([]float32{0, float32(math.Copysign(0, -1))})
	c := rapid.OneOf(f, whole, zero) // whole numbers make boxes touch
	return geom.V(c.Draw(t, "x"), c.Draw(t, "y"), c.Draw(t, "z"))
}

func drawBox(t *rapid.T) geom.AABB {
	at, size := drawVec(t, 10), drawVec(t, 2).Abs()
	if rapid.IntRange(0, 30).Draw(t, "far") == 0 {
		at = at.Mul(1e29)
	}
	return geom.AABB{Min: at.Sub(size), Max: at.Add(size)}
}

func (w twin) sorted(keep func(geom.AABB) bool) []uint32 {
	numbers := []uint32{}
	for n, b := range w {
		if keep(b) {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	return numbers
}

// requireFinds requires that every query of the phase returns what a loop over the twin does.
func (w twin) requireFinds(t *rapid.T, p *Phase) {
	require.Equal(t, len(w), p.Len())
	for n, b := range w {
		box, ok := p.Box(n)
		require.True(t, ok)
		require.Equal(t, bitsOfBox(b), bitsOfBox(box))
	}
	sorted := func(found []uint32) []uint32 { slices.Sort(found); return found }
	// A superset, each box once.
	requireFound := func(found, want []uint32) {
		slices.Sort(found)
		require.Equal(t, len(found), len(slices.Compact(slices.Clone(found))), "found twice: %v", found)
		for _, n := range want {
			if _, ok := slices.BinarySearch(found, n); !ok {
				require.Fail(t, "lost", "%d", n)
			}
		}
	}

	box := drawBox(t)
	found := []uint32{}
	collect := func(n uint32) bool { found = append(found, n); return true }
	p.VisitAABB(box, collect)
	require.Equal(t, w.sorted(func(b geom.AABB) bool { return b.OverlapsAABB(box) }), sorted(found))

	found = found[:0]
	p.VisitWhere(func(b *geom.AABB) bool { return b.OverlapsAABB(box) }, collect)
	require.Equal(t, w.sorted(func(b geom.AABB) bool { return b.OverlapsAABB(box) }), sorted(found))

	found = found[:0]
	p.VisitNodes(func(bounds geom.AABB, level int, leaf bool) bool {
		if leaf {
			require.Greater(t, level, 0)
		}
		return true
	})

	r := geom.NewRay(drawVec(t, 12), drawVec(t, 1))
	r.MaxT = rapid.Float32Range(0, 20).Draw(t, "maxT")
	var f Front
	f.Start(p, r)
	for n, ok := f.Next(math.Inf(1)); ok; n, ok = f.Next(math.Inf(1)) {
		found = append(found, n)
	}
	requireFound(found, w.sorted(func(b geom.AABB) bool { _, hit := b.CastRay(r, geom.Solid); return hit }))

	at, near := drawVec(t, 12), rapid.Float64Range(0, 10).Draw(t, "near")
	found = found[:0]
	p.VisitNearest(at, near, nil, func(n uint32) float64 { found = append(found, n); return near })
	requireFound(found, w.sorted(func(b geom.AABB) bool { return float64(b.Distance(at)) <= near }))
}

func bitsOfBox(b geom.AABB) (bits [6]uint32) {
	for i, v := range []float32{b.Min.X, b.Min.Y, b.Min.Z, b.Max.X, b.Max.Y, b.Max.Z} {
		bits[i] = math.Float32bits(v)
	}
	return bits
}

func TestPhaseAgainstMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var p, snapshot Phase
		w, then := twin{}, twin{}      // of the snapshot
		next, kept := uint32(0), false // kept: the snapshot is what p was
		pick := func(t *rapid.T) (uint32, bool) {
			all := w.sorted(func(geom.AABB) bool { return true })
			if len(all) == 0 {
				return 0, false
			}
			return rapid.SampledFrom(all).Draw(t, "number"), true
		}
		set := func(t *rapid.T, n uint32, b geom.AABB) {
			w[n] = b
			p.Set(n, b, rapid.IntRange(0, 3).Draw(t, "still") == 0)
			require.True(t, p.stale)
		}
		t.Repeat(map[string]func(*rapid.T){
			"insert": func(t *rapid.T) {
				set(t, next, drawBox(t))
				next++
			},
			"insert many": func(t *rapid.T) {
				r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
				span := rapid.SampledFrom([]float32{0, 1, 30, 1e6}).Draw(t, "span")
				standing := rapid.Bool().Draw(t, "standing")
				for range rapid.SampledFrom([]int{9, 70, 700}).Draw(t, "many") {
					v := func() float32 { return (r.Float32() - 0.5) * span }
					w[next] = geom.AABBAround(geom.V(v(), v(), v()), geom.V(1, r.Float32(), 1))
					p.Set(next, w[next], standing)
					next++
				}
			},
			"set": func(t *rapid.T) {
				if n, ok := pick(t); ok {
					set(t, n, drawBox(t))
				}
			},
			"move all": func(t *rapid.T) {
				d := drawVec(t, 0.3)
				for _, n := range w.sorted(func(geom.AABB) bool { return true }) {
					b := geom.AABB{Min: w[n].Min.Add(d), Max: w[n].Max.Add(d)}
					w[n] = b
					p.Set(n, b, false)
					d = geom.V(d.Y, -d.Z, d.X)
				}
			},
			"remove": func(t *rapid.T) {
				for range rapid.IntRange(1, 10).Draw(t, "times") {
					if n, ok := pick(t); ok {
						p.Remove(n)
						delete(w, n)
						_, ok = p.Box(n)
						require.False(t, ok)
					}
				}
			},
			"clear": func(t *rapid.T) {
				if rapid.IntRange(0, 2).Draw(t, "really") > 0 {
					return
				}
				for _, n := range w.sorted(func(geom.AABB) bool { return true }) {
					p.Remove(n)
				}
				clear(w)
			},
			"restore": func(t *rapid.T) {
				if kept {
					p.Restore(&snapshot)
					w = maps.Clone(then)
					require.NoError(t, p.Validate())
					w.requireFinds(t, &p)
				}
			},
			"settle": func(t *rapid.T) {
				p.Settle(rapid.IntRange(1, 3).Draw(t, "workers"))
				require.False(t, p.stale)
				require.NoError(t, p.Validate())
				w.requireFinds(t, &p)
			},
			"snapshot": func(t *rapid.T) {
				p.Settle(1)
				snapshot.CopyFrom(&p)
				then, kept = maps.Clone(w), true
			},
			"change the snapshot": func(t *rapid.T) {
				if rapid.IntRange(0, 4).Draw(t, "really") > 0 {
					return
				}
				kept = false
				b := drawBox(t)
				then[next] = b
				snapshot.Set(next, b, false)
				next++
				if rapid.Bool().Draw(t, "settle") {
					snapshot.Settle(1)
				}
			},
			"look at the snapshot": func(t *rapid.T) {
				snapshot.Settle(1)
				require.NoError(t, snapshot.Validate())
				then.requireFinds(t, &snapshot)
			},
		})
	})
}

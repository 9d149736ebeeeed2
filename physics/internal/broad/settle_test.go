package broad

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// mover is a box that moves in a cube and turns back at its sides.
type mover struct {
	at, half, velocity geom.Vec3
	cube               float32
}

func (m *mover) box() geom.AABB { return geom.AABBAround(m.at, m.half) }

func (m *mover) tick() {
	move := func(at, v *float32) {
		*at += *v
		if *at < 0 && *v < 0 || *at > m.cube && *v > 0 {
			*v = -*v
		}
	}
	move(&m.at.X, &m.velocity.X)
	move(&m.at.Y, &m.velocity.Y)
	move(&m.at.Z, &m.velocity.Z)
}

// moversIn returns n movers of the density and speed of the measuring world, which has 100,000 in a
// cube of 200 m.
func moversIn(n int) []mover {
	r := testenv.Rand(1, 2)
	cube := float32(200 * math.Cbrt(float64(n)/100_000))
	list := make([]mover, n)
	vec := func(lo, hi float32) geom.Vec3 {
		f := func() float32 { return lo + (hi-lo)*r.Float32() }
		return geom.V(f(), f(), f())
	}
	for i := range list {
		list[i] = mover{vec(0, cube), vec(0.25, 1), vec(-0.1, 0.1), cube}
	}
	return list
}

func setAll(p *Phase, list []mover) {
	for i := range list {
		p.Set(uint32(i), list[i].box(), false)
	}
}

func randomRays(n int, cube float32) []geom.Ray {
	r := testenv.Rand(3, 4)
	rays := make([]geom.Ray, n)
	for i := range rays {
		v := func() float32 { return cube * r.Float32() }
		rays[i] = geom.NewRay(geom.V(v(), v(), v()), geom.V(r.Float32()-0.5, r.Float32()-0.5, r.Float32()-0.5))
	}
	return rays
}

func TestTreesDoNotDependOnWorkers(t *testing.T) {
	list := moversIn(testenv.Fewer(30_000, 10_000))
	phases := make([]Phase, 3)
	for tick := range testenv.Fewer(40, 24) {
		for w := range phases {
			p := &phases[w]
			for i := range list {
				p.Set(uint32(i), list[i].box(), i%3 == 0)
			}
			if tick == 20 {
				for i := range len(list) / 6 {
					p.Remove(uint32(i * 5))
				}
			}
			p.Settle([]int{1, 2, 5}[w])
			require.NoError(t, p.Validate())
		}
		for w := range phases[1:] {
			require.Equal(t, phases[0].at, phases[w+1].at)
			for half := range phases[0].trees {
				a, b := &phases[0].trees[half], &phases[w+1].trees[half]
				require.Equal(t, a.root, b.root)
				require.True(t, slicesEqual(a.nodes, b.nodes), "tick %d, tree %d", tick, half)
			}
		}
		for i := range list {
			list[i].tick()
		}
	}
}

func slicesEqual(a, b []node) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// TestTreeStaysGood moves boxes for 10,000 ticks: rays may open a fifth more nodes than in a fresh
// tree, on average.
func TestTreeStaysGood(t *testing.T) {
	testenv.Long(t)
	testenv.NoRace(t)
	for name, moved := range map[string]int{"all move": 1, "a tenth moves": 10, "one in a hundred moves": 100} {
		t.Run(name, func(t *testing.T) {
			list := moversIn(3000)
			rays := randomRays(1000, list[0].cube)
			var p Phase
			setAll(&p, list)
			p.Settle(1)
			was, fresh := 0, 0
			for tick := 1; tick <= 10_000; tick++ {
				for i := 0; i < len(list); i += moved {
					list[i].tick()
					p.Set(uint32(i), list[i].box(), false)
				}
				p.Settle(1)
				if tick%500 == 0 {
					require.NoError(t, p.Validate())
					var f Phase
					setAll(&f, list)
					f.Settle(1)
					was += opened(&p, rays)
					fresh += opened(&f, rays)
					require.Less(t, float64(opened(&p, rays)), 1.25*float64(opened(&f, rays)), "tick %d", tick)
				}
			}
			assert.Less(t, float64(was), 1.2*float64(fresh))
			t.Logf("%.3f of a fresh tree", float64(was)/float64(fresh))
		})
	}
}

// TestChurn grows and shrinks a tree, by few boxes and by many at a time.
func TestChurn(t *testing.T) {
	testenv.NoRace(t)
	r := testenv.Rand(5, 6)
	list := moversIn(6000)
	var p Phase
	in := map[uint32]bool{}
	settle := func() {
		p.Settle(1)
		require.NoError(t, p.Validate())
		require.Equal(t, len(in), p.Len())
	}
	for _, to := range []int{6000, 10, 3000, 2000, 5000, 0, 700, 3} {
		step := 1 + abs(to-len(in))/40
		for len(in) != to {
			for range step {
				n := uint32(r.IntN(len(list)))
				switch {
				case len(in) < to && !in[n]:
					p.Set(n, list[n].box(), false)
					in[n] = true
				case len(in) > to && in[n]:
					p.Remove(n)
					delete(in, n)
				}
				if len(in) == to {
					break
				}
			}
			settle()
		}
		found := 0
		p.VisitAABB(geom.AABBAround(geom.Vec3{}, geom.V(1e6, 1e6, 1e6)), func(uint32) bool { found++; return true })
		require.Equal(t, to, found)
	}
	assert.LessOrEqual(t, int(p.trees[moving].nodes[p.trees[moving].root].level), 1, "three boxes are left")
}

func abs(v int) int { return max(v, -v) }

// TestOddWorlds builds and changes trees of boxes that no cut separates well.
func TestOddWorlds(t *testing.T) {
	testenv.Long(t)
	testenv.NoRace(t)
	r := testenv.Rand(7, 8)
	unit := geom.V(1, 1, 1)
	point := func(scale float32) geom.Vec3 { return geom.V(r.Float32(), r.Float32(), r.Float32()).Mul(scale) }
	around := geom.AABBAround
	negativeZero := float32(math.Copysign(0, -1))
	for name, box := range map[string]func(i int) geom.AABB{
		"at one place":     func(int) geom.AABB { return around(geom.V(3, 4, 5), unit) },
		"one point":        func(int) geom.AABB { return around(geom.V(3, 4, 5), geom.Vec3{}) },
		"in a line":        func(i int) geom.AABB { return around(geom.V(float32(i), 0, 0), unit) },
		"in a plane":       func(i int) geom.AABB { return around(geom.V(float32(i%60), 0, float32(i/60)), unit) },
		"in a diagonal":    func(i int) geom.AABB { return around(geom.V(float32(i), float32(i), float32(i)), unit) },
		"in two heaps":     func(i int) geom.AABB { return around(point(1).Add(geom.V(float32(i%2)*1e6, 0, 0)), unit) },
		"in ever smaller":  func(i int) geom.AABB { return around(point(float32(math.Ldexp(1, -i%120))), geom.Vec3{}) },
		"in ever larger":   func(i int) geom.AABB { return around(point(float32(math.Ldexp(1, i%120))), unit) },
		"far apart":        func(i int) geom.AABB { return around(point(1e30), unit.Mul(1e20)) },
		"one far away":     func(i int) geom.AABB { return around(point(10).Add(geom.V(float32(i/3999)*1e30, 0, 0)), unit) },
		"at the very ends": func(i int) geom.AABB { return around(point(1).Mul(math.MaxFloat32), geom.Vec3{}) },
		"as large as all":  func(i int) geom.AABB { return around(geom.Vec3{}, unit.Mul(math.MaxFloat32)) },
		"giants and dwarfs": func(i int) geom.AABB {
			return around(point(100), unit.Mul(float32(1+100*(i%10/9))))
		},
		"two zeros": func(i int) geom.AABB {
			return geom.AABB{Min: geom.V(0, negativeZero, float32(i%3-2)), Max: geom.V(negativeZero, 0, float32(i%5))}
		},
		"denormal": func(i int) geom.AABB { return around(point(1e-40), unit.Mul(1e-44)) },
	} {
		t.Run(name, func(t *testing.T) {
			const n = 4000
			var p Phase
			boxes := make([]geom.AABB, n) // as a loop finds them
			check := func() {
				t.Helper()
				p.Settle(2)
				require.NoError(t, p.Validate())
				require.Equal(t, len(boxes), p.Len())
				for range 20 {
					q := box(r.IntN(n))
					var found, want []uint32
					p.VisitAABB(q, func(k uint32) bool { found = append(found, k); return true })
					slices.Sort(found)
					for k := range boxes {
						if boxes[k].OverlapsAABB(q) {
							want = append(want, uint32(k))
						}
					}
					require.True(t, slices.Equal(want, found), "%v: found %v, want %v", q, found, want)
				}
			}
			set := func(k int) {
				boxes[k] = box(k)
				p.Set(uint32(k), boxes[k], false)
			}
			for i := range n {
				set(i)
			}
			check()
			for range 20 { // a few at a time, which are inserted
				for range 20 {
					set(r.IntN(n))
				}
				check()
			}
			for i := range n { // all
				boxes[i] = box(r.IntN(n))
				p.Set(uint32(i), boxes[i], false)
			}
			check()
			for i := n / 8; i < n; i++ {
				p.Remove(uint32(i))
			}
			boxes = boxes[:n/8]
			check()
		})
	}
}

// TestGiantsDoNotSpoilTheRest puts a few boxes of the size of the world among many: a small query
// may open few nodes more than without them, besides those of the giants.
func TestGiantsDoNotSpoilTheRest(t *testing.T) {
	list := moversIn(20_000)
	var without, with Phase
	setAll(&without, list)
	for i := range 64 {
		list[i*300].half = geom.V(60, 60, 60)
	}
	setAll(&with, list)
	rays := make([]geom.Ray, 2000)
	for i := range rays {
		rays[i] = geom.Segment(list[i].at, list[i].at.Add(geom.V(0, 1, 0)))
	}
	count := func(p *Phase) (sum float64) {
		p.Settle(1)
		for i := range rays {
			sum += float64(openedByBox(p, list[i+1].box()))
		}
		return sum / float64(len(rays))
	}
	a, b := count(&without), count(&with)
	assert.Less(t, b, a+16, "eight nodes hold the giants") // 63 if they are not kept apart
}

func openedByBox(p *Phase, box geom.AABB) (count int) {
	p.VisitWhere(func(b *geom.AABB) bool {
		if b.OverlapsAABB(box) {
			count++
			return true
		}
		return false
	}, func(uint32) bool { count--; return true })
	return count
}

func TestNothingIsAllocated(t *testing.T) {
	for _, workers := range []int{1, 2} {
		t.Run(fmt.Sprint(workers, " workers"), func(t *testing.T) {
			list := moversIn(20_000)
			var p, snapshot Phase
			tick := func() {
				for i := range list {
					list[i].tick()
					p.Set(uint32(i), list[i].box(), i%2 == 0)
				}
				p.Remove(7)
				p.Settle(workers)
				p.Set(7, list[7].box(), false)
				p.Settle(workers)
				snapshot.CopyFrom(&p)
			}
			for range 60 { // enough to build the trees twice
				tick()
			}
			testenv.AllocatesNothing(t, 60, tick)
		})
	}
	t.Run("visits", func(t *testing.T) {
		list := moversIn(2000)
		var p Phase
		setAll(&p, list)
		p.Settle(1)
		var f Front
		sum := uint32(0)
		testenv.AllocatesNothing(t, 100, func() {
			box := geom.AABBAround(list[3].at, geom.V(10, 10, 10))
			p.VisitAABB(box, func(n uint32) bool { sum += n; return true })
			p.VisitNearest(list[4].at, 10, nil, func(n uint32) float64 { sum += n; return 10 })
			p.VisitWhere(func(b *geom.AABB) bool { return b.OverlapsAABB(box) }, func(n uint32) bool { sum += n; return true })
			f.Start(&p, geom.NewRay(list[5].at, geom.V(1, 1, 1)))
			for n, ok := f.Next(100); ok; n, ok = f.Next(100) {
				sum += n
			}
			f.Stop()
		})
		assert.NotZero(t, sum)
	})
}

func TestWhatStandsStillIsLeftAlone(t *testing.T) {
	list := moversIn(5000)
	var p Phase
	for i := range list {
		p.Set(uint32(i), list[i].box(), i%2 == 0)
	}
	p.Settle(1)
	before := p.trees[still].version
	for range 30 {
		for i := range list {
			if list[i].tick(); i%2 != 0 {
				p.Set(uint32(i), list[i].box(), false)
			}
		}
		p.Settle(1)
	}
	for _, stamp := range p.trees[still].stamps {
		assert.LessOrEqual(t, stamp, before)
	}
	require.NoError(t, p.Validate())
}

func TestCopyTakesWhatChanged(t *testing.T) {
	list := moversIn(20_000)
	var p, c Phase
	setAll(&p, list)
	p.Settle(1)
	c.CopyFrom(&p)
	require.NoError(t, c.Validate())

	recent := func() (ranges int) { // of nodes that the last copy copied
		for _, stamp := range c.trees[moving].stamps {
			if stamp == c.version-1 {
				ranges++
			}
		}
		return ranges
	}
	all := recent()
	testenv.Drawn(t, all, 40)
	c.CopyFrom(&p)
	assert.Zero(t, recent())
	p.Set(5, list[6].box(), false)
	p.Settle(1)
	c.CopyFrom(&p)
	assert.Less(t, recent(), 12, "a path to the root, or two")
	require.NoError(t, c.Validate())
	// Subtrees that lose boxes on one side are rebuilt, and free nodes of the other.
	tree := &p.trees[moving]
	for i := range tree.nodes {
		if tree.nodes[i].level != 2 {
			continue
		}
		for _, up := range tree.nodes[i].child[:4] {
			if up == 0 {
				continue
			}
			for _, leaf := range tree.nodes[up.node()].child {
				if leaf == 0 {
					continue
				}
				for _, box := range tree.nodes[leaf.node()].child[:5] {
					if box != 0 {
						p.Remove(box.number())
					}
				}
			}
		}
		p.Settle(1)
		c.CopyFrom(&p)
		require.NoError(t, c.Validate())
	}

	other := Phase{}
	setAll(&other, list[:1000])
	other.Settle(1)
	p = Phase{} // a new phase at the same address, with the same versions
	setAll(&p, list[:500])
	p.Settle(1)
	c.CopyFrom(&p)
	require.NoError(t, c.Validate())
	assert.Equal(t, 500, c.Len())
	c.CopyFrom(&other)
	require.NoError(t, c.Validate())
	assert.Equal(t, 1000, c.Len())
}

func TestMisuse(t *testing.T) {
	box := geom.AABBAround(geom.Vec3{}, geom.V(1, 1, 1))
	var p, q Phase
	assert.PanicsWithValue(t, "broad: Phase.Set: number too large", func() { p.Set(maxNumbers, box, false) })
	assert.PanicsWithValue(t, "broad: Phase.Remove: no such number", func() { p.Remove(0) })
	p.Set(3, box, true)
	assert.PanicsWithValue(t, "broad: Phase.Remove: no such number", func() { p.Remove(2) })
	assert.PanicsWithValue(t, "broad: Phase.CopyFrom: not settled", func() { q.CopyFrom(&p) })
	assert.Error(t, p.Validate())
	p.Settle(1)
	assert.NoError(t, p.Validate())
	_, ok := p.Box(2)
	assert.False(t, ok)
	_, ok = p.Box(9)
	assert.False(t, ok)
}

func TestValidateFindsDamage(t *testing.T) {
	leaf := func(p *Phase) *node { return &p.trees[moving].nodes[p.at[0].node()] }
	root := func(p *Phase) *node { return &p.trees[moving].nodes[p.trees[moving].root] }
	for name, damage := range map[string]func(*Phase){
		"box":           func(p *Phase) { n := root(p); n.box[1][0]++ },
		"box of number": func(p *Phase) { n := leaf(p); n.box[1][p.at[0].slot()] = inf32 },
		"empty slot":    func(p *Phase) { n := root(p); n.box[0][7] = 0 },
		"count":         func(p *Phase) { leaf(p).count++ },
		"boxes":         func(p *Phase) { p.trees[moving].count++ },
		"all boxes":     func(p *Phase) { p.count++ },
		"parent":        func(p *Phase) { leaf(p).parent = 0 },
		"slot":          func(p *Phase) { leaf(p).slot ^= 1 },
		"level":         func(p *Phase) { leaf(p).level = 1 },
		"root":          func(p *Phase) { root(p).parent = 1 },
		"fat AABB":      func(p *Phase) { leaf(p).fat = geom.AABB{} },
		"place":         func(p *Phase) { p.at[0] = p.at[1] },
		"no place":      func(p *Phase) { p.at[0] = 0 },
		"a place more":  func(p *Phase) { p.at = append(p.at, p.at[0]) },
		"dirty":         func(p *Phase) { p.trees[moving].dirty[0].add(1) },
		"free":          func(p *Phase) { p.trees[moving].free = p.trees[moving].root },
		"lost":          func(p *Phase) { p.trees[moving].alloc(0) },
		"stamps":        func(p *Phase) { p.trees[moving].stamps = nil },
		"thin":          func(p *Phase) { p.trees[moving].thin = []int32{1} },
	} {
		t.Run(name, func(t *testing.T) {
			var p Phase
			setAll(&p, moversIn(100))
			p.Settle(1)
			require.NoError(t, p.Validate())
			damage(&p)
			assert.Error(t, p.Validate())
		})
	}
}

// The Go code and the assembly find the bits that a loop over all children finds, with −0 less than
// 0.
func TestUnionIsTheTwin(t *testing.T) {
	rng := testenv.Rand(9, 10)
	zero := float32(math.Copysign(0, -1))
	coordinate := func() float32 {
		switch rng.IntN(6) {
		case 0:
			return zero
		case 1:
			return 0
		case 2:
			return 1e-45 * float32(rng.IntN(5)-2)
		case 3:
			return float32(math.MaxFloat32) * float32(rng.IntN(3)-1)
		default:
			return rng.Float32() - 0.5
		}
	}
	before := func(a, b float32) bool {
		return a < b || a == b && math.Signbit(float64(a)) && !math.Signbit(float64(b))
	}
	bits := func(b geom.AABB) (list [6]uint32) {
		for i, v := range []geom.Vec3{b.Min, b.Max} {
			for j, x := range v.Array() {
				list[3*i+j] = math.Float32bits(x)
			}
		}
		return list
	}
	for k := range 20_000 {
		n := &alignedNodes(1)[0]
		*n = emptyNode
		want := [6]float32{inf32, -inf32, inf32, -inf32, inf32, -inf32}
		for slot := range width {
			if k == 0 || rng.IntN(4) == 0 {
				continue
			}
			for row := range 6 {
				x := coordinate()
				n.box[row][slot] = x
				if row%2 == 0 && before(x, want[row]) || row%2 == 1 && before(want[row], x) {
					want[row] = x
				}
			}
		}
		all := bits(geom.AABB{Min: geom.V(want[0], want[2], want[4]), Max: geom.V(want[1], want[3], want[5])})
		require.Equal(t, all, bits(n.unionGo()), "%v", n.box)
		require.Equal(t, all, bits(n.union()), "%v", n.box)
	}
}

package wide

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// detached is a surface whose triangles share no vertex, although many vertices coincide.
func detached(s surface) surface {
	p := surface{name: s.name + " pending"}
	for i, index := range s.indices {
		p.vertices = append(p.vertices, s.vertices[index])
		p.indices = append(p.indices, uint32(i))
	}
	return p
}

// shaken is a surface with each vertex moved by up to size; about one in four stays where it is.
func shaken(rng *rand.Rand, s surface, size float32) surface {
	return mapped(s.name, s, func(v geom.Vec3) geom.Vec3 {
		if rng.IntN(4) == 0 {
			return v
		}
		return v.Add(geom.V(rng.Float32()-0.5, rng.Float32()-0.5, rng.Float32()-0.5).Mul(size))
	})
}

// A refitted tree is valid and answers like a new one, whether coincident vertices stay together or
// separate.
func TestRefitAnswersLikeANewTree(t *testing.T) {
	testenv.Long(t)
	list := shapes()
	for _, s := range []surface{grid(1), grid(12), grid(60), soup(300), heap(20)} {
		list = append(list, detached(s))
	}
	for i, s := range list {
		for _, q := range qualities {
			t.Run(fmt.Sprint(s.name, q), func(t *testing.T) {
				rng := testenv.Rand(uint64(i), 8)
				var two [2]Tree
				now := build(t, &s, Options{Quality: q})
				for step := range 3 {
					moved := shaken(rng, s, 0.5)
					next := &two[step%2]
					before, units := *now, slices.Clone(now.units)
					now.Refit(next, moved.vertices, &moved)
					require.NoError(t, next.Validate(moved.count(), moved.triangle))
					require.Equal(t, before, *now, "the old tree stays as it is")
					require.Equal(t, units, now.units)
					fresh := build(t, &moved, Options{})
					require.Equal(t, fresh.Bounds(), next.Bounds())
					for _, r := range aims(rng, &moved, 60) {
						want, got := fresh.impacts(r, geom.CullNone), next.impacts(r, geom.CullNone)
						require.Truef(t, slices.EqualFunc(want, got, sameBits), "%v\nwant %v\ngot  %v", r, want, got)
					}
					now = next
				}
			})
		}
	}
}

// countLeaves returns the number of leaves of each kind.
func countLeaves(t *Tree) (packed, loose int) {
	var walk func(r ref)
	walk = func(r ref) {
		switch r.kind() {
		case kindPacked:
			packed++
		case kindLoose:
			loose++
		default:
			for _, child := range t.node(r).child {
				if child != 0 {
					walk(child)
				}
			}
		}
	}
	walk(t.root)
	return packed, loose
}

// Leaves whose vertices separate become loose where they must, and stay so; what need not change
// keeps its memory.
func TestLeavesComeApart(t *testing.T) {
	s := detached(grid(40))
	tree := build(t, &s, Options{})
	packed, loose := countLeaves(tree)
	testenv.Drawn(t, packed, 100)

	var same, other, back Tree
	tree.Refit(&same, s.vertices, &s)
	assert.Equal(t, *tree, same, "nothing has moved")

	moved := shaken(testenv.Rand(1, 9), s, 0.1)
	tree.Refit(&other, moved.vertices, &moved)
	require.NoError(t, other.Validate(moved.count(), moved.triangle))
	stillPacked, nowLoose := countLeaves(&other)
	assert.Equal(t, packed+loose, stillPacked+nowLoose)
	assert.Greater(t, nowLoose, packed/2)

	other.Refit(&back, s.vertices, &s)
	require.NoError(t, back.Validate(s.count(), s.triangle))
	_, afterwards := countLeaves(&back)
	assert.Equal(t, nowLoose, afterwards)

	// Pairs of triangles without shared vertices have six at most, so that the leaf stays packed.
	pair := detached(grid(1))
	tree = build(t, &pair, Options{})
	require.Equal(t, 4, tree.packed(tree.root).vertices())
	moved = mapped("", pair, func(v geom.Vec3) geom.Vec3 { return v })
	moved.vertices[3].Y += 2
	tree.Refit(&other, moved.vertices, &moved)
	require.NoError(t, other.Validate(moved.count(), moved.triangle))
	assert.Equal(t, 5, other.packed(other.root).vertices())
}

func TestRefitAllocatesNothing(t *testing.T) {
	for _, s := range []surface{grid(40), detached(grid(40)), soup(300)} {
		t.Run(s.name, func(t *testing.T) {
			moved := shaken(testenv.Rand(1, 9), s, 0.1)
			tree := build(t, &s, Options{})
			var two [2]Tree
			tree.Refit(&two[0], moved.vertices, &moved)
			two[0].Refit(&two[1], s.vertices, &s)
			testenv.AllocatesNothing(t, 5, func() {
				two[1].Refit(&two[0], moved.vertices, &moved)
				two[0].Refit(&two[1], s.vertices, &s)
			})
			testenv.AllocatesNothing(t, 5, func() { tree.Cost() })
		})
	}
}

func TestRefitOfNothing(t *testing.T) {
	s := grid(3)
	dst := *build(t, &s, Options{})
	(&Tree{}).Refit(&dst, nil, nil)
	assert.Equal(t, Tree{}, dst)
}

// costTwin is the cost by the areas in float64.
func costTwin(tree *Tree) (cost float64) {
	costs := map[ref]float64{kindNode: nodeCost, kindPacked: packedCost, kindLoose: looseCost}
	var walk func(r ref, box geom.AABB)
	walk = func(r ref, box geom.AABB) {
		cost += costs[r&3] * halfArea(box) / halfArea(tree.Bounds())
		if r.isLeaf() {
			return
		}
		for i, child := range tree.node(r).child {
			if child != 0 {
				walk(child, tree.node(r).bounds(i))
			}
		}
	}
	walk(tree.root, tree.bounds)
	return cost
}

func TestCost(t *testing.T) {
	for _, s := range []surface{grid(60), grid(2), mapped("vast", grid(20), func(v geom.Vec3) geom.Vec3 { return v.Mul(3e36) })} {
		tree := build(t, &s, Options{})
		b := tree.Bounds()
		if b.Max.X < 1e9 {
			// The cost is a sum of positive areas, and each is a sum of three products of
			// differences of float32: at most eight roundings of 2⁻²⁴, and the allowance of 10⁻⁹ of
			// the longest edge.
			assert.InEpsilon(t, costTwin(tree), tree.Cost(), 1e-6)
		}
		assert.Greater(t, tree.Cost(), packedCost)
	}
	one, many := soup(1), soup(5000)
	assert.Equal(t, packedCost, build(t, &one, Options{}).Cost())
	assert.Zero(t, (&Tree{}).Cost())
	point := heap(3)
	point.indices[3] = 0
	assert.Greater(t, build(t, &point, Options{}).Cost(), 0.0, "a mesh without any size has a cost")

	// Triangles that move through each other enlarge the boxes of a refitted tree, and not those of
	// a new one.
	rng := testenv.Rand(1, 3)
	moved := mapped("", many, func(v geom.Vec3) geom.Vec3 { return v })
	for i := 0; i < len(moved.vertices); i += 3 {
		by := geom.V(10*rng.Float32()-5, 10*rng.Float32()-5, 10*rng.Float32()-5)
		for j := range 3 {
			moved.vertices[i+j] = moved.vertices[i+j].Add(by)
		}
	}
	var refitted Tree
	build(t, &many, Options{}).Refit(&refitted, moved.vertices, &moved)
	assert.Greater(t, refitted.Cost(), 2*build(t, &moved, Options{}).Cost())
}

// reordered returns the parts of a tree with its units in any order that Load accepts: nodes and
// leaves anywhere behind the node above them.
func reordered(rng *rand.Rand, t *Tree) Parts {
	p := Parts{Bounds: t.bounds, IDs: slices.Clone(t.ids), Units: NewUnits(len(t.units))}
	o := Tree{units: p.Units}
	type pending struct {
		old, parent ref
		slot        int
	}
	open, at := []pending{{old: t.root}}, 0
	for len(open) > 0 {
		i := rng.IntN(len(open))
		c := open[i]
		open = slices.Delete(open, i, i+1)
		size := sizeOf(c.old)
		copy(p.Units[at:], t.units[c.old.unit():c.old.unit()+size])
		now := newRef(at, c.old.kind())
		if at == 0 {
			p.Root = uint32(now)
		} else {
			o.node(c.parent).child[c.slot] = now
		}
		at += size
		if now.isLeaf() {
			continue
		}
		for slot, child := range &t.node(c.old).child {
			if child != 0 {
				open = append(open, pending{child, now, slot})
			}
		}
	}
	return p
}

// requireVisits compares the visits of a tree with all triangles of its surface: each is visited
// once.
func requireVisits(t require.TestingT, tree *Tree, s *surface, rng *rand.Rand) {
	for range 20 {
		at := s.vertices[rng.IntN(len(s.vertices))]
		box := geom.AABBAround(at, geom.V(rng.Float32(), rng.Float32(), rng.Float32()).Mul(4))
		visits, nearest := make([]int, s.count()), make([]int, s.count())
		tree.VisitAABB(box, func(i int) bool { visits[i]++; return true })
		tree.VisitNearest(math.Inf(1), func(geom.AABB) float64 { return 0 }, func(i int) float64 { nearest[i]++; return math.Inf(1) })
		for i, n := range visits {
			if nearest[i] != 1 || n > 1 || n == 0 && box.OverlapsTriangle(s.triangle(i)) {
				require.Failf(t, "visits", "triangle %d: %d times in %v, %d times of all", i, n, box, nearest[i])
			}
		}
	}
}

// A tree whose units are in any order is valid and answers as before, and so do its refits.
func TestTreesInAnyOrder(t *testing.T) {
	testenv.NoRace(t)
	for _, q := range qualities {
		s := beams(20)
		built := build(t, &s, Options{Quality: q})
		rng := testenv.Rand(4, 8)
		for range 5 {
			now, err := Load(reordered(rng, built), s.count())
			require.NoError(t, err)
			require.NotEqual(t, built.units, now.units)
			moved := s
			for range 3 {
				require.NoError(t, now.Validate(moved.count(), moved.triangle))
				requireVisits(t, &now, &moved, rng)
				moved = shaken(rng, moved, 0.5)
				var next Tree
				now.Refit(&next, moved.vertices, &moved)
				now = next
			}
		}
	}
}

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

// copied returns a deep copy of the parts of a tree.
func copied(t *Tree) Parts {
	p := t.Parts()
	p.IDs = slices.Clone(p.IDs)
	units := NewUnits(len(p.Units))
	copy(units, p.Units)
	p.Units = units
	return p
}

// mixed has nodes and both kinds of leaves.
func mixed() surface {
	s, loose := grid(20), soup(300)
	s.name = "mixed"
	for _, i := range loose.indices {
		s.indices = append(s.indices, uint32(len(s.vertices))+i)
	}
	s.vertices = append(s.vertices, loose.vertices...)
	return s
}

func TestLoadGivesTheSameTree(t *testing.T) {
	for _, s := range append(shapes(), mixed()) {
		t.Run(s.name, func(t *testing.T) {
			tree := Build(s.vertices, s.indices, 0)
			loaded, err := Load(copied(&tree), s.count())
			require.NoError(t, err)
			require.Equal(t, tree, loaded)
			require.NoError(t, loaded.Validate(s.count(), s.triangle))
		})
	}
}

// refs returns the refs of all nodes and leaves of a tree.
func (t *Tree) refs() []ref {
	list := []ref{t.root}
	for i := 0; i < len(list); i++ {
		if list[i].isLeaf() {
			continue
		}
		for _, child := range &t.node(list[i]).child {
			if child != 0 {
				list = append(list, child)
			}
		}
	}
	return list
}

// Each check of Load has damage that only it detects.
func TestLoadRefuses(t *testing.T) {
	s := mixed()
	built := Build(s.vertices, s.indices, 0)
	find := func(t *Tree, kind ref) ref {
		list := t.refs()
		return list[slices.IndexFunc(list, func(r ref) bool { return r.kind() == kind })]
	}
	full := func(t *Tree, wanted bool) *node { // a node with a child in each slot, or one without
		list := t.refs()
		return t.node(list[slices.IndexFunc(list, func(r ref) bool {
			return !r.isLeaf() && (t.node(r).child[width-1] != 0) == wanted
		})])
	}
	adopt := func(t *Tree, r ref) { // gives a node one child more
		n := full(t, false)
		i := slices.Index(n.child[:], 0)
		n.child[i] = r
		n.setBounds(i, t.bounds)
	}
	leaf := func(t *Tree) *packed { return t.packed(find(t, kindPacked)) }
	loose := func(t *Tree) *loose { return t.loose(find(t, kindLoose)) }
	nan := float32(math.NaN())
	for _, c := range []struct {
		name   string
		damage func(*Parts, *Tree)
		want   string
	}{
		{"nothing", func(p *Parts, _ *Tree) { p.Units, p.IDs = nil, nil }, "0 units and 0 places"},
		{"no units", func(p *Parts, _ *Tree) { p.Units = nil }, "0 units"},
		{"no places", func(p *Parts, _ *Tree) { p.IDs = nil }, "0 places"},
		{"bounds NaN", func(p *Parts, _ *Tree) { p.Bounds.Max.Y = nan }, "bounds"},
		{"bounds infinite", func(p *Parts, _ *Tree) { p.Bounds.Max.Y = inf32 }, "bounds"},
		{"bounds empty", func(p *Parts, _ *Tree) { p.Bounds.Max.Y = p.Bounds.Min.Y - 1 }, "bounds"},
		{"triangle out of range", func(p *Parts, _ *Tree) { p.IDs[7] = int32(s.count()) }, "triangle 1100 of 1100 at place 7"},
		{"triangle negative", func(p *Parts, _ *Tree) { p.IDs[7] = -1 }, "triangle 4294967295 of"},
		{"root elsewhere", func(p *Parts, _ *Tree) { p.Root = 4 << 3 }, "root 0x20"},
		{"root of no kind", func(p *Parts, _ *Tree) { p.Root = 2 }, "root 0x2"},
		{"root a leaf", func(p *Parts, _ *Tree) { p.Root = kindPacked }, "leaf 0x1: "},
		{"idle unit at the end", func(p *Parts, _ *Tree) { p.Units = append(p.Units, Unit{}) }, "is not reached"},
		{"too short", func(p *Parts, _ *Tree) { p.Units = p.Units[:len(p.Units)-1] }, "out of range"},
		{"much too short", func(p *Parts, _ *Tree) { p.Units = p.Units[:1] }, "out of range"},
		{"idle leaf", func(_ *Parts, t *Tree) {
			n := full(t, true)
			n.child[7] = 0
			n.setBounds(7, nowhere)
		}, "is not reached"},
		{"child twice", func(_ *Parts, t *Tree) { n := full(t, true); n.child[1] = n.child[0] }, "is reached twice"},
		{"child of two", func(_ *Parts, t *Tree) { adopt(t, slices.Max(t.refs())) }, "is reached twice"},
		{"child within another", func(_ *Parts, t *Tree) { adopt(t, slices.Max(t.refs())+1<<3) }, "is reached twice"},
		{"child before", func(_ *Parts, t *Tree) {
			list := t.refs()
			r := list[slices.IndexFunc(list, func(r ref) bool { return r != 0 && !r.isLeaf() })]
			t.node(r).child[0] = r
		}, "stands before"},
		{"child behind the end", func(_ *Parts, t *Tree) { t.node(0).child[0] = newRef(len(t.units), kindNode) }, "out of range"},
		{"child far behind the end", func(_ *Parts, t *Tree) { t.node(0).child[0] = newRef(1<<29-1, kindLoose) }, "out of range"},
		{"child reaches over the end", func(_ *Parts, t *Tree) { adopt(t, newRef(len(t.units)-1, kindLoose)) }, "is reached twice"},
		{"child of no kind", func(_ *Parts, t *Tree) { t.node(0).child[0] |= 2; t.node(0).child[0] &^= 1 }, "is of no kind"},
		{"gap", func(_ *Parts, t *Tree) { n := full(t, true); n.child[3] = 0; n.setBounds(3, nowhere) }, "after an empty slot"},
		{"empty slot that is met", func(_ *Parts, t *Tree) { full(t, false).box[1][7] = inf32 }, "empty slot 7"},
		{"empty slot NaN", func(_ *Parts, t *Tree) { full(t, false).box[2][7] = nan }, "empty slot 7"},
		{"one child", func(_ *Parts, t *Tree) {
			n := t.node(0)
			for i := 1; i < width; i++ {
				n.child[i] = 0
				n.setBounds(i, nowhere)
			}
		}, "has 1 children"},
		{"box NaN", func(_ *Parts, t *Tree) { t.node(0).box[3][1] = nan }, "bounds"},
		{"box infinite", func(_ *Parts, t *Tree) { t.node(0).box[2][1] = -inf32 }, "bounds"},
		{"box turned around", func(_ *Parts, t *Tree) { n := t.node(0); n.box[0][1], n.box[1][1] = n.box[1][1], n.box[0][1] }, "bounds"},
		{"box nowhere", func(_ *Parts, t *Tree) { t.node(0).setBounds(1, nowhere) }, "bounds"},
		{"no triangle", func(_ *Parts, t *Tree) { leaf(t).lanes &= 0xf00 }, "lanes"},
		{"nine triangles", func(_ *Parts, t *Tree) { l := leaf(t); l.leafInfo = newLeafInfo(int(l.first), 9, l.vertices()) }, "lanes"},
		{"another lane", func(_ *Parts, t *Tree) { leaf(t).lanes ^= 0x80 }, "lanes"},
		{"more above the count", func(_ *Parts, t *Tree) { leaf(t).lanes |= 1 << 16 }, "lanes"},
		{"no vertices", func(_ *Parts, t *Tree) { leaf(t).lanes &^= 0xf00 }, "lanes"},
		{"nine vertices", func(_ *Parts, t *Tree) { leaf(t).lanes = leaf(t).lanes&^0xf00 | 9<<8 }, "lanes"},
		{"vertices of a loose leaf", func(_ *Parts, t *Tree) { loose(t).lanes |= 3 << 8 }, "lanes"},
		{"places out of range", func(_ *Parts, t *Tree) { leaf(t).first = uint32(len(t.ids)) }, "up to place"},
		{"places beyond 32 bits", func(_ *Parts, t *Tree) { loose(t).first = math.MaxUint32 }, "up to place"},
		{"corner out of range", func(_ *Parts, t *Tree) { leaf(t).corner[2][7] = uint8(leaf(t).vertices()) }, "corners"},
		{"corner far out of range", func(_ *Parts, t *Tree) { leaf(t).corner[1][0] = 0xff }, "corners"},
		{"vertex NaN", func(_ *Parts, t *Tree) { leaf(t).vertex[1][7] = nan }, "not finite"},
		{"vertex infinite", func(_ *Parts, t *Tree) { leaf(t).vertex[2][0] = -inf32 }, "not finite"},
		{"corner NaN", func(_ *Parts, t *Tree) { loose(t).corner[2][2][7] = -nan }, "not finite"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := copied(&built)
			c.damage(&p, &Tree{units: p.Units, ids: p.IDs, root: ref(p.Root)})
			_, err := Load(p, s.count())
			assert.ErrorContains(t, err, c.want)
		})
	}
}

// A chain of nodes that needs more stack than a traversal has is rejected, and one that needs just
// as much is traversed.
func TestLoadAsksForTheStack(t *testing.T) {
	// Each node has seven leaves and another node below them; the last one has the requested number
	// of leaves.
	chain := func(nodes, lastLeaves int) Parts {
		p := Parts{Bounds: geom.AABB{Max: geom.V(1, 1, 0)}}
		var leaf packed
		leaf.vertex[0][1], leaf.vertex[1][2] = 1, 1
		for i := range width {
			leaf.corner[1][i], leaf.corner[2][i] = 1, 2
		}
		for i := range nodes {
			leaves := width - 1
			if i == nodes-1 {
				leaves = lastLeaves
			}
			at := len(p.Units)
			p.Units = append(p.Units, make([]Unit, nodeUnits+leaves*packedUnits)...)
			tree := Tree{units: p.Units}
			n := tree.node(newRef(at, kindNode))
			for k := range width {
				n.setBounds(k, nowhere)
				if k < leaves {
					n.child[k] = newRef(at+nodeUnits+k*packedUnits, kindPacked)
					leaf.leafInfo = newLeafInfo(len(p.IDs), 1, 3)
					*tree.packed(n.child[k]) = leaf
					p.IDs = append(p.IDs, int32(len(p.IDs)))
				} else if k == width-1 && i < nodes-1 {
					n.child[k] = newRef(len(p.Units), kindNode)
				}
				if n.child[k] != 0 {
					n.setBounds(k, p.Bounds)
				}
			}
		}
		units := NewUnits(len(p.Units))
		copy(units, p.Units)
		p.Units = units
		if bigEndian {
			tree := Tree{units: units}
			tree.turnCorners(0)
		}
		return p
	}
	tree, err := Load(chain(37, 3), 36*7+3)
	require.NoError(t, err)
	require.Equal(t, stackSize-1, tree.need)
	withSIMD(t, func(t *testing.T) {
		r := geom.NewRay(geom.V(0.25, 0.25, 1), geom.V(0, 0, -1))
		hits := tree.CastRayAll(nil, &r, geom.CullNone)
		require.Len(t, hits, 36*7+3)
		require.True(t, tree.CastRayAny(&r, geom.CullNone))
	})
	visited := 0
	tree.VisitAABB(tree.Bounds(), func(int) bool { visited++; return true })
	require.Equal(t, 36*7+3, visited)

	_, err = Load(chain(37, 4), 36*7+4)
	require.ErrorContains(t, err, "256 entries on the stack of a walk, at most 255")
	_, err = Load(chain(1000, 8), 999*7+8)
	require.ErrorContains(t, err, "on the stack")
}

// exercise runs all queries of a tree. For any tree they must end and stay within the tree.
func exercise(t *Tree, rays []geom.Ray) {
	var hit geom.Hit
	var hits []geom.Hit
	for i := range rays {
		r, cull := &rays[i], geom.Cull(i%3)
		t.CastRay(&hit, r, cull)
		t.CastRayAny(r, cull)
		hits = t.CastRayAll(hits[:0], r, cull)
		t.CastRayAfter(&hit, r, cull, hit.T, hit.Triangle)
		box := geom.AABBAround(r.Origin, r.Dir)
		t.VisitAABB(box, func(int) bool { return true })
		t.VisitNearest(math.Inf(1), func(b geom.AABB) float64 {
			return float64(r.Origin.Distance(r.Origin.Max(b.Min).Min(b.Max)))
		}, func(int) float64 { return math.Inf(1) })
	}
	t.Nodes(func(Node) bool { return true })
}

// below is the check of the corners of packed leaves.
func TestBelow(t *testing.T) {
	for lane := range width {
		for limit := 1; limit <= width; limit++ {
			for x := range 256 {
				b := [width]uint8{}
				for i := range b {
					b[i] = uint8(limit - 1)
				}
				b[lane] = uint8(x)
				require.Equal(t, x < limit, below(b, limit), "%v %d", b, limit)
			}
		}
	}
}

func TestTurnCorners(t *testing.T) {
	var p packed
	for i := range 3 * width {
		p.corner[i/width][i%width] = uint8(i)
	}
	p.vertex[2][7], p.first = 5, 6
	q := p
	q.turnCorners()
	assert.Equal(t, [3][width]uint8{{3, 2, 1, 0, 7, 6, 5, 4}, {11, 10, 9, 8, 15, 14, 13, 12}, {19, 18, 17, 16, 23, 22, 21, 20}}, q.corner)
	assert.Equal(t, p.vertex, q.vertex)
	assert.Equal(t, p.leafInfo, q.leafInfo)
	q.turnCorners()
	assert.Equal(t, p, q)
}

// damaged returns parts with some words changed.
func damaged(rng *rand.Rand, p Parts) Parts {
	words := func() *uint32 { return &p.Units[rng.IntN(len(p.Units))][rng.IntN(len(Unit{}))] }
	for range 1 + rng.IntN(3) {
		w := words()
		switch rng.IntN(5) {
		case 0:
			*w ^= 1 << rng.IntN(32)
		case 1:
			*w = rng.Uint32()
		case 2:
			*w = *words()
		case 3: // a ref
			*w = uint32(rng.IntN(len(p.Units)+8))<<3 | uint32(rng.IntN(5))
		case 4:
			p.IDs[rng.IntN(len(p.IDs))] += int32(rng.IntN(3) - 1)
		}
	}
	return p
}

// A triangle in several leaves is found by the node above each; a leaf that is the whole tree has
// none.
func TestLoadRefusesDoublesInOneLeaf(t *testing.T) {
	s := grid(1)
	built := Build(s.vertices, s.indices, 0)
	require.True(t, built.root.isLeaf())
	p := copied(&built)
	p.IDs = append(p.IDs, p.IDs[0])
	_, err := Load(p, s.count())
	assert.ErrorContains(t, err, "3 places for 2 triangles in one leaf")
}

// adopted returns the parts of a tree with more leaves that are copies of one. All of them have the
// same places, other than those of the leaf that was copied.
func adopted(t *Tree, copies int) Parts {
	p := copied(t)
	o := Tree{units: p.Units, ids: p.IDs, root: ref(p.Root)}
	refs := o.refs()
	parent := refs[slices.IndexFunc(refs, func(r ref) bool {
		return !r.isLeaf() && o.node(r).child[0].isLeaf() && o.node(r).child[width-copies] == 0
	})]
	leaf, box := o.node(parent).child[0], o.node(parent).bounds(0)
	info, places := *o.info(leaf), uint32(len(p.IDs))
	p.IDs = append(p.IDs, p.IDs[info.first:int(info.first)+info.count()]...)
	end, size := len(p.Units), sizeOf(leaf)
	o.units = NewUnits(end + copies*size)
	copy(o.units, p.Units)
	p.Units = o.units
	for range copies {
		at := newRef(end, leaf.kind())
		end += copy(o.units[end:], o.units[leaf.unit():leaf.unit()+size])
		o.info(at).first = places
		n := o.node(parent)
		slot := slices.Index(n.child[:], 0)
		n.child[slot], n.child[0] = n.child[0], at // so that a walk gets to the copies first
		n.setBounds(slot, n.bounds(0))
		n.setBounds(0, box)
	}
	return p
}

// A triangle may be in several leaves, each with a place of its own. Leaves that share places are
// refused: a visit decides by the place which of them reports a triangle, and none would.
func TestValidateRefusesSharedPlaces(t *testing.T) {
	for _, q := range qualities {
		s := beams(20)
		built := build(t, &s, Options{Quality: q})
		for copies := 1; copies <= 3; copies++ {
			tree, err := Load(adopted(built, copies), s.count())
			require.NoError(t, err)
			if err := tree.Validate(s.count(), s.triangle); copies > 1 {
				require.ErrorContains(t, err, fmt.Sprintf("place %d is in two leaves", len(built.ids)))
				continue
			}
			require.NoError(t, err)
			requireVisits(t, &tree, &s, testenv.Rand(4, 9))
		}
	}
}

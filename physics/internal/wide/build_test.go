package wide

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// surface is a mesh from which trees are built.
type surface struct {
	name     string
	vertices []geom.Vec3
	indices  []uint32
}

func (s *surface) triangle(i int) geom.Triangle {
	c := s.indices[3*i : 3*i+3]
	return geom.Triangle{A: s.vertices[c[0]], B: s.vertices[c[1]], C: s.vertices[c[2]]}
}

func (s *surface) Corners(i int) (a, b, c uint32) {
	return s.indices[3*i], s.indices[3*i+1], s.indices[3*i+2]
}

func (s *surface) count() int { return len(s.indices) / 3 }

// grid is a bumpy sheet of 2·n² triangles over shared vertices.
func grid(n int) surface {
	s := surface{name: "grid"}
	rng := testenv.Rand(1, uint64(n))
	for y := range n + 1 {
		for x := range n + 1 {
			s.vertices = append(s.vertices, geom.V(float32(x), rng.Float32(), float32(y)))
		}
	}
	for y := range n {
		for x := range n {
			a := uint32(y*(n+1) + x)
			b := a + uint32(n) + 1
			s.indices = append(s.indices, a, b, a+1, a+1, b, b+1)
		}
	}
	return s
}

// soup has n triangles that share no vertices.
func soup(n int) surface {
	s := surface{name: "soup"}
	rng := testenv.Rand(2, uint64(n))
	at := func(size float32) geom.Vec3 {
		return geom.V(size*(rng.Float32()-0.5), size*(rng.Float32()-0.5), size*(rng.Float32()-0.5))
	}
	for range n {
		c := at(10)
		for range 3 {
			s.indices = append(s.indices, uint32(len(s.vertices)))
			s.vertices = append(s.vertices, c.Add(at(1)))
		}
	}
	return s
}

// heap has n triangles at one point, and one beside it.
func heap(n int) surface {
	s := surface{"heap", []geom.Vec3{{X: 1}, {X: 5}}, make([]uint32, 3*n)}
	s.indices[n/3*3] = 1
	return s
}

func surfaces() []surface {
	return []surface{grid(1), grid(60), soup(1), soup(2), soup(9), soup(5000), heap(9), heap(20_000)}
}

func TestBuildIsValid(t *testing.T) {
	for _, s := range surfaces() {
		t.Run(s.name, func(t *testing.T) {
			tree := Build(s.vertices, s.indices, 0)
			require.NoError(t, tree.Validate(s.count(), s.triangle))
		})
	}
	empty := Build(nil, nil, 0)
	assert.True(t, empty.IsEmpty())
	assert.NoError(t, empty.Validate(0, nil))
}

func TestBuildIsTheSameOnAnyNumberOfGoroutines(t *testing.T) {
	for _, s := range surfaces() {
		t.Run(s.name, func(t *testing.T) {
			one := Build(s.vertices, s.indices, 1)
			for _, threads := range []int{0, 2, 8} {
				require.Equal(t, one, Build(s.vertices, s.indices, threads))
			}
		})
	}
}

// If the heuristic would need more stack than a traversal has, halving replaces it.
func TestHalvingNeedsLittleStack(t *testing.T) {
	for _, s := range surfaces() {
		t.Run(s.name, func(t *testing.T) {
			b := &builder{
				vertices: s.vertices, indices: s.indices, weld: weld(s.vertices, nil),
				prims: make([]prim, s.count()), nodes: make([]binary, 2*s.count()),
			}
			tree := b.tree()
			require.NoError(t, tree.Validate(s.count(), s.triangle))
			assert.LessOrEqual(t, tree.need, 7*levelsFor(s.count())+1)
			assert.Less(t, 7*levelsFor(MaxTriangles)+1, stackSize)
		})
	}
}

// Triangles over shared vertices take less memory than those of a soup.
func TestBytes(t *testing.T) {
	shared, single := grid(100), soup(20_000)
	for _, c := range []struct {
		s    surface
		most int
	}{{shared, 42}, {single, 80}} {
		tree := Build(c.s.vertices, c.s.indices, 0)
		bytes := tree.Bytes() / tree.NumTriangles()
		t.Logf("%s: %d bytes a triangle", c.s.name, bytes)
		assert.LessOrEqual(t, bytes, c.most)
		assert.Less(t, 4, bytes)
	}
}

func TestWeld(t *testing.T) {
	zero := math.Float32frombits(1 << 31)
	got := weld([]geom.Vec3{{X: 1}, {Y: 1}, {X: 1}, {}, {X: zero}, {Y: 1}}, nil)
	assert.Equal(t, []uint32{0, 1, 0, 3, 4, 1}, got, "−0 is not 0: the mesh keeps its bits")
}

func TestKeysOrderLikeNumbers(t *testing.T) {
	list := []float32{-math.MaxFloat32, -1, -math.SmallestNonzeroFloat32, math.Float32frombits(1 << 31), 0, math.SmallestNonzeroFloat32, 1, math.MaxFloat32}
	for i, x := range list {
		assert.Equal(t, math.Float32bits(x), math.Float32bits(unkey(keyOf(x))))
		if i > 0 {
			assert.Less(t, keyOf(list[i-1]), keyOf(x))
		}
	}
}

func TestValidateNotices(t *testing.T) {
	s := grid(30)
	inner := func(t *Tree) *node { return t.node(t.root) }
	// leafOf returns the first packed leaf of a node that has one.
	leafOf := func(t *Tree) (*node, int) {
		for r := t.root; ; {
			n, next := t.node(r), ref(0)
			for i, c := range &n.child {
				if c.kind() == kindPacked {
					return n, i
				}
				if c != 0 && !c.isLeaf() {
					next = c
				}
			}
			r = next
		}
	}
	leaf := func(t *Tree) *packed {
		n, i := leafOf(t)
		return t.packed(n.child[i])
	}
	for _, c := range []struct {
		name   string
		damage func(*Tree)
		want   string
	}{
		{"bounds of all", func(t *Tree) { t.bounds.Max.X++ }, "of the root, should be"},
		{"bounds of a child", func(t *Tree) { inner(t).box[2][1] -= 0.25 }, "of child 1 of node 0x0, should be"},
		{"bounds of a leaf", func(t *Tree) { n, i := leafOf(t); n.box[1][i] += 0.25 }, "should be"},
		{"triangle twice", func(t *Tree) { t.ids[5] = t.ids[6] }, "should be"},
		{"triangle out of range", func(t *Tree) { t.ids[5] = -1 }, "triangle out of range"},
		{"vertex moved", func(t *Tree) { leaf(t).vertex[1][1] += 0.5 }, "should be"},
		{"other corner", func(t *Tree) { l := leaf(t); l.corner[0][0] = l.corner[1][0] }, "should be"},
		{"corner out of range", func(t *Tree) { leaf(t).corner[0][7] = 8 }, "corner 8 of"},
		{"loop", func(t *Tree) { inner(t).child[1] = inner(t).child[0] }, "is reached twice"},
		{"no such node", func(t *Tree) { inner(t).child[0] = 1 << 25 }, "unit 4194304 out of range"},
		{"no such kind", func(t *Tree) { inner(t).child[0] |= 2 }, "is of no kind"},
		{"no such triangles", func(t *Tree) { leaf(t).first = uint32(len(t.ids)) }, "up to triangle"},
		{"lanes", func(t *Tree) { leaf(t).lanes ^= 1 }, "lanes"},
		{"too few triangles", func(t *Tree) { t.ids = t.ids[1:] }, "1799 triangles in the tree, 1800 in the mesh"},
		{"idle unit", func(t *Tree) { t.units = append(t.units, unit{}) }, "is not reached"},
		{"gap", func(t *Tree) { inner(t).child[0] = 0 }, "empty slot"},
		{"too little stack", func(t *Tree) { t.need-- }, "entries on the stack"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := Build(s.vertices, s.indices, 0)
			require.NoError(t, tree.Validate(s.count(), s.triangle))
			c.damage(&tree)
			assert.ErrorContains(t, tree.Validate(s.count(), s.triangle), c.want)
		})
	}
}

package mesh

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"math/bits"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// The tree is binary and lies in two flat slices without pointers. A node holds the boxes of its two children, so that one
// look at 64 bytes decides about both; a leaf is a stretch of the triangles, which are copied in the order of the tree.
//
// Three walks know this layout: rayWalk, Mesh.VisitAABB and Mesh.VisitNearest. Each query is a loop over what one of them
// hands out.

const (
	// leafSize is the most triangles a leaf holds. More make the tree smaller and the leaves slower.
	leafSize = 4
	// maxDepth is the most nodes on the way from the root to a leaf; the stack of a walk holds one entry more. The surface-area
	// heuristic reaches about 20 on scans and buildings; where it wants more than maxDepth the builder halves instead.
	maxDepth = 63
)

type tree struct {
	bounds geom.AABB
	root   ref
	nodes  []node
	tris   []triangle
}

// node is an inner node: for each of two children its box as low x, high x, low y, high y, low z, high z, and what it is.
type node struct {
	box   [2][6]float32
	child [2]ref
	_     [2]uint32 // fills a cache line
}

// triangle is a triangle of a leaf and its index in the mesh.
type triangle struct {
	a, b, c geom.Vec3
	index   int32
}

func (t *triangle) bounds() geom.AABB {
	return geom.AABB{Min: t.a.Min(t.b).Min(t.c), Max: t.a.Max(t.b).Max(t.c)}
}

// ref is the number of a node or, with the top bit set, a leaf: its number of triangles less one in three bits, and the
// place of its first triangle in 28.
type ref uint32

const leafBit ref = 1 << 31

func leafRef(first, count int) ref { return leafBit | ref(count-1)<<28 | ref(first) }

func (r ref) isLeaf() bool { return r&leafBit != 0 }

// leaf returns the triangles of a leaf.
func (t *tree) leaf(r ref) []triangle {
	first := int(r & (MaxTriangles - 1))
	return t.tris[first : first+int(r>>28&7)+1]
}

func (n *node) bounds(side int) geom.AABB {
	b := &n.box[side]
	return geom.AABB{Min: geom.Vec3{X: b[0], Y: b[2], Z: b[4]}, Max: geom.Vec3{X: b[1], Y: b[3], Z: b[5]}}
}

func (n *node) setBounds(side int, b geom.AABB) {
	n.box[side] = *boxOf(b)
}

func boxOf(b geom.AABB) *[6]float32 {
	return &[6]float32{b.Min.X, b.Max.X, b.Min.Y, b.Max.Y, b.Min.Z, b.Max.Z}
}

// Node is a box of the tree, for drawing and for statistics.
type Node struct {
	Bounds    geom.AABB // around all triangles below, in the mesh's space
	Level     int       // 0 for the root
	Leaf      bool      // holds triangles, not nodes
	Triangles int       // in a leaf; 0 in others
}

// Nodes returns all boxes of the tree, each before those within it. How they lie is free to change between releases.
func (m *Mesh) Nodes() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		if t := &m.tree; len(t.tris) > 0 {
			t.eachNode(t.root, t.bounds, 0, yield)
		}
	}
}

func (t *tree) eachNode(r ref, box geom.AABB, level int, yield func(Node) bool) bool {
	if r.isLeaf() {
		return yield(Node{box, level, true, len(t.leaf(r))})
	}
	if !yield(Node{box, level, false, 0}) {
		return false
	}
	n := &t.nodes[r]
	return t.eachNode(n.child[0], n.bounds(0), level+1, yield) &&
		t.eachNode(n.child[1], n.bounds(1), level+1, yield)
}

// Validate returns an error if the tree is not what queries rely on: each triangle is in one leaf, unchanged; each box is
// the smallest around what is below; no way down is longer than a walk can remember. A mesh that [New] returned is always
// valid; this is for tests.
func (m *Mesh) Validate() error {
	t := &m.tree
	if len(t.tris) != m.NumTriangles() {
		return fmt.Errorf("mesh: Validate: %d triangles in the tree, %d in the mesh", len(t.tris), m.NumTriangles())
	}
	if len(t.tris) == 0 {
		return nil
	}
	v := validator{m: m, seen: make([]bool, len(t.tris)), visited: make([]bool, len(t.nodes))}
	box, err := v.subtree(t.root, 0)
	if err == nil && box != t.bounds {
		err = fmt.Errorf("bounds %v of the root, should be %v", t.bounds, box)
	}
	for i, seen := range v.seen {
		if err == nil && !seen {
			err = fmt.Errorf("triangle %d is in no leaf", i)
		}
	}
	for i, visited := range v.visited {
		if err == nil && !visited {
			err = fmt.Errorf("node %d is not reached", i)
		}
	}
	if err != nil {
		return fmt.Errorf("mesh: Validate: %w", err)
	}
	return nil
}

type validator struct {
	m       *Mesh
	seen    []bool
	visited []bool
}

// subtree returns the smallest box around everything below r.
func (v *validator) subtree(r ref, depth int) (geom.AABB, error) {
	if r.isLeaf() {
		return v.leaf(r)
	}
	t := &v.m.tree
	switch {
	case depth >= maxDepth:
		return geom.AABB{}, errors.New("the tree is too deep")
	case int(r) >= len(t.nodes):
		return geom.AABB{}, fmt.Errorf("node %d out of range", r)
	case v.visited[r]:
		return geom.AABB{}, fmt.Errorf("node %d is reached twice", r)
	}
	v.visited[r] = true
	n, all := &t.nodes[r], geom.EmptyAABB()
	for side := range 2 {
		box, err := v.subtree(n.child[side], depth+1)
		if err != nil {
			return box, err
		}
		if n.bounds(side) != box {
			return box, fmt.Errorf("bounds %v of child %d of node %d, should be %v", n.bounds(side), side, r, box)
		}
		all = all.Union(box)
	}
	return all, nil
}

func (v *validator) leaf(r ref) (geom.AABB, error) {
	t := &v.m.tree
	if last := int(r&(MaxTriangles-1)) + int(r>>28&7); last >= len(t.tris) {
		return geom.AABB{}, fmt.Errorf("leaf up to triangle %d of %d", last, len(t.tris))
	}
	all := geom.EmptyAABB()
	for i := range t.leaf(r) {
		tri := &t.leaf(r)[i]
		if v.seen[tri.index] {
			return all, fmt.Errorf("triangle %d is in two leaves", tri.index)
		}
		v.seen[tri.index] = true
		if want := v.m.Triangle(int(tri.index)); (geom.Triangle{A: tri.a, B: tri.b, C: tri.c}) != want {
			return all, fmt.Errorf("triangle %d is %v, should be %v", tri.index, *tri, want)
		}
		all = all.Union(tri.bounds())
	}
	return all, nil
}

// levelsFor returns how many levels of nodes hold n triangles if each node halves them.
func levelsFor(n int) int {
	return bits.Len(uint(max(n-1, 0) / leafSize))
}

var inf32 = float32(math.Inf(1))

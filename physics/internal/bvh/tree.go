package bvh

import (
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Tree is a binary tree of boxes, changed one leaf at a time. Where a new leaf goes and which nodes change places is
// decided by the surface-area heuristic: the smaller the boxes of the inner nodes are in sum, the fewer of them a query
// enters (Catto 2019, "Dynamic Bounding Volume Hierarchies").
//
// The zero Tree is empty and ready. Visits may run at once on many goroutines while nobody changes the tree.
type Tree struct {
	nodes []node // flat, linked by index; place 0 is never used, so that 0 means none
	root  int32
	free  int32 // first of the unused nodes, which are linked by parent
	count int
}

type node struct {
	box    geom.AABB
	parent int32
	left   int32 // 0 in a leaf
	right  int32 // in a leaf, its value
	height int32 // 0 in a leaf, −1 in a node that is not used
}

func (n *node) isLeaf() bool { return n.left == 0 }

// margin is how much larger than its bounds the box of a moving leaf is made on each side, as a fraction of their longest
// extent. Within its box a leaf moves for nothing; but larger boxes are visited more often.
const margin = 0.1

// Clone returns a copy.
func (t *Tree) Clone() Tree {
	c := *t
	c.nodes = append([]node(nil), t.nodes...)
	return c
}

// Len returns the number of leaves.
func (t *Tree) Len() int { return t.count }

// Leaf returns the box of a leaf, which contains the bounds it was given, and its value.
func (t *Tree) Leaf(leaf int32) (box geom.AABB, value uint32) {
	n := &t.nodes[leaf]
	return n.box, uint32(n.right)
}

// Insert adds a leaf and returns its number, which stays the same until it is removed. The bounds must be finite and not
// empty. A leaf that is still gets no margin.
func (t *Tree) Insert(bounds geom.AABB, value uint32, still bool) int32 {
	leaf := t.take()
	t.nodes[leaf] = node{box: fatten(bounds, still), right: int32(value)}
	t.link(leaf)
	t.count++
	return leaf
}

// Remove takes a leaf out.
func (t *Tree) Remove(leaf int32) {
	t.unlink(leaf)
	t.give(leaf)
	t.count--
}

// Move changes the bounds of a leaf.
func (t *Tree) Move(leaf int32, bounds geom.AABB, still bool) {
	want := fatten(bounds, still)
	box := &t.nodes[leaf].box
	if contains(box, &bounds) && area(box) <= 2*area(&want) { // not if it has shrunk much
		return
	}
	t.unlink(leaf)
	t.nodes[leaf].box = want
	t.link(leaf)
}

func fatten(b geom.AABB, still bool) geom.AABB {
	if still {
		return b
	}
	d := b.Max.Sub(b.Min)
	fat := b.Grow(float32(max(d.X, d.Y, d.Z) * margin))
	if !fat.Min.IsFinite() || !fat.Max.IsFinite() {
		return b
	}
	return fat
}

func (t *Tree) take() int32 {
	if len(t.nodes) == 0 {
		t.nodes = append(t.nodes, node{height: -1})
	}
	if i := t.free; i != 0 {
		t.free = t.nodes[i].parent
		return i
	}
	t.nodes = append(t.nodes, node{})
	return int32(len(t.nodes) - 1)
}

func (t *Tree) give(i int32) {
	t.nodes[i] = node{parent: t.free, height: -1}
	t.free = i
}

// link puts a leaf beside the best sibling and mends the way up.
func (t *Tree) link(leaf int32) {
	if t.root == 0 {
		t.root = leaf
		t.nodes[leaf].parent = 0
		return
	}
	sibling := t.sibling(&t.nodes[leaf].box)
	branch := t.take() // may move t.nodes
	above := t.nodes[sibling].parent
	t.nodes[branch] = node{parent: above, left: sibling, right: leaf}
	t.replaceChild(above, sibling, branch)
	t.nodes[sibling].parent, t.nodes[leaf].parent = branch, branch
	t.mend(branch)
}

// unlink takes a leaf, and the branch above it, out of the tree.
func (t *Tree) unlink(leaf int32) {
	branch := t.nodes[leaf].parent
	if branch == 0 {
		t.root = 0
		return
	}
	sibling := t.nodes[branch].left
	if sibling == leaf {
		sibling = t.nodes[branch].right
	}
	above := t.nodes[branch].parent
	t.replaceChild(above, branch, sibling)
	t.nodes[sibling].parent = above
	t.give(branch)
	t.mend(above)
}

// replaceChild makes new the child of parent that old was; of no parent, it makes it the root.
func (t *Tree) replaceChild(parent, old, new int32) {
	switch p := &t.nodes[parent]; {
	case parent == 0:
		t.root = new
	case p.left == old:
		p.left = new
	default:
		p.right = new
	}
}

// sibling walks from the root to the node beside which a box costs least: at each node it either stops or goes on
// into the child that promises less. What a new branch costs is its own area and what all above it grow.
func (t *Tree) sibling(box *geom.AABB) int32 {
	i := t.root
	for !t.nodes[i].isLeaf() {
		n := &t.nodes[i]
		whole := unionArea(&n.box, box)
		inherited := whole - area(&n.box)
		into := func(child int32) float64 {
			c := &t.nodes[child]
			cost := inherited + unionArea(&c.box, box)
			if !c.isLeaf() {
				cost -= area(&c.box)
			}
			return cost
		}
		left, right := into(n.left), into(n.right)
		if whole < left && whole < right {
			break
		}
		if left <= right {
			i = n.left
		} else {
			i = n.right
		}
	}
	return i
}

// mend makes boxes and heights right from a node up to the root, and rotates on the way.
func (t *Tree) mend(i int32) {
	for i != 0 {
		t.refit(i)
		t.rotate(i)
		i = t.nodes[i].parent
	}
}

func (t *Tree) refit(i int32) {
	n := &t.nodes[i]
	l, r := &t.nodes[n.left], &t.nodes[n.right]
	n.box = union(&l.box, &r.box)
	n.height = 1 + max(l.height, r.height)
}

// rotate exchanges one child of a node with a child of the other, if that makes the box of the other smaller; it does the
// best of the four exchanges. The node's own box stays what it is.
func (t *Tree) rotate(i int32) {
	n := &t.nodes[i]
	var best float64
	var up, down int32 // the grandchild that goes up, the child that goes down
	try := func(inner, outer int32) {
		c := &t.nodes[inner]
		if c.isLeaf() {
			return
		}
		now, o := area(&c.box), &t.nodes[outer].box
		if gain := now - unionArea(o, &t.nodes[c.right].box); gain > best {
			best, up, down = gain, c.left, outer
		}
		if gain := now - unionArea(o, &t.nodes[c.left].box); gain > best {
			best, up, down = gain, c.right, outer
		}
	}
	try(n.left, n.right)
	try(n.right, n.left)
	if up == 0 {
		return
	}
	inner := t.nodes[up].parent
	t.replaceChild(inner, up, down)
	t.replaceChild(i, down, up)
	t.nodes[up].parent, t.nodes[down].parent = i, inner
	t.refit(inner)
	t.refit(i)
}

// area is half of the surface of a box, in double precision so that no box of finite numbers overflows.
func area(b *geom.AABB) float64 {
	return halfSurface(b.Min, b.Max)
}

func unionArea(a, b *geom.AABB) float64 {
	return halfSurface(a.Min.Min(b.Min), a.Max.Max(b.Max))
}

func halfSurface(lo, hi geom.Vec3) float64 {
	x, y, z := float64(hi.X)-float64(lo.X), float64(hi.Y)-float64(lo.Y), float64(hi.Z)-float64(lo.Z)
	return float64(x*y) + float64(y*z) + float64(z*x)
}

func union(a, b *geom.AABB) geom.AABB {
	return geom.AABB{Min: a.Min.Min(b.Min), Max: a.Max.Max(b.Max)}
}

func contains(a, b *geom.AABB) bool {
	return a.Min.X <= b.Min.X && a.Min.Y <= b.Min.Y && a.Min.Z <= b.Min.Z &&
		a.Max.X >= b.Max.X && a.Max.Y >= b.Max.Y && a.Max.Z >= b.Max.Z
}

func touch(a, b *geom.AABB) bool {
	return a.Min.X <= b.Max.X && a.Min.Y <= b.Max.Y && a.Min.Z <= b.Max.Z &&
		a.Max.X >= b.Min.X && a.Max.Y >= b.Min.Y && a.Max.Z >= b.Min.Z
}

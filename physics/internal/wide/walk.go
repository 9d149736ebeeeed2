package wide

import (
	"math"
)

// The portable walk: the specification of the assembly. It hands out leaves in which something is hit, the nearer ones first
// where that is cheap to know.

// walk is the state of a query of a ray. The assembly knows its layout and that of blocks.
type walk struct {
	Ray
	tree  *Tree
	found found
}

// found is the closest hit, where the assembly looks for it alone.
type found struct {
	t           int32 // bits
	eb, ec, det float32
	triangle    int32
	leaf        ref
	lane        uint32
}

// blocks is a walk that hands out one leaf after another. Its stack is the caller's, so that it is no longer than the tree needs.
type blocks struct {
	walk
	count int
	block block
	simd  bool
}

// waiting is a child that was put off for a nearer one: above, the bits of the T from which the ray crosses it; below, what it
// is. As numbers, they order like the T.
type waiting int64

func newWaiting(from int32, r ref) waiting { return waiting(from)<<32 | waiting(r) }

func (w waiting) from() int32 { return int32(w >> 32) }
func (w waiting) ref() ref    { return ref(uint32(w)) }

// block is a leaf with hits in the wanted range: for each lane in lanes the bits of its T, twice the areas that the ray spans
// with the edges opposite the second and the third corner, and the determinant, twice the area of the whole.
type block struct {
	t           [width]int32
	eb, ec, det [width]float32
	leaf        ref
	lanes       uint32
}

// bottom is what lies under everything on a stack.
const bottom waiting = -1

// start begins a walk on a ray that is prepared. The same stack goes to next.
func (w *blocks) start(stack []waiting) {
	stack[0], stack[1] = bottom, newWaiting(0, w.tree.root)
	w.count = 2
	w.simd = w.canSIMD()
}

// next finds the next block with hits from low to high; false after the last. The caller may lower high in between.
func (w *blocks) next(stack []waiting) bool {
	if w.simd {
		return nextAVX2(w, &stack[0])
	}
	for w.count > 1 {
		w.count--
		top := stack[w.count]
		if top.from() > w.high {
			continue
		}
		r := top.ref()
		if !r.isLeaf() {
			w.open(w.tree.node(r), stack)
			continue
		}
		w.block.leaf, w.block.lanes = r, 0
		if r&3 == kindPacked {
			w.packed(w.tree.packed(r))
		} else {
			w.loose(w.tree.loose(r))
		}
		if w.block.lanes != 0 {
			return true
		}
	}
	return false
}

// open puts the children of a node that the ray crosses on the stack, the nearest on top.
func (w *blocks) open(n *node, stack []waiting) {
	sx, sy, sz := w.side[0]/row%6, w.side[1]/row%6, w.side[2]/row%6
	nearX, nearY, nearZ := &n.box[sx], &n.box[sy], &n.box[sz]
	farX, farY, farZ := &n.box[(sx^1)%6], &n.box[(sy^1)%6], &n.box[(sz^1)%6]
	ix, iy, iz := w.inverse[0], w.inverse[1], w.inverse[2]
	ox, oy, oz := w.near[0], w.near[1], w.near[2]
	px, py, pz := w.far[0], w.far[1], w.far[2]
	low, high := w.low, w.high
	first := w.count
	count := first
	for i := range width {
		r := n.child[i]
		if r == 0 {
			break
		}
		from := max(low, bitsOf((ox-nearX[i])*ix), bitsOf((oy-nearY[i])*iy), bitsOf((oz-nearZ[i])*iz))
		to := min(high, bitsOf((px-farX[i])*ix), bitsOf((py-farY[i])*iy), bitsOf((pz-farZ[i])*iz))
		if from > to {
			continue
		}
		one := newWaiting(from, r)
		j := count
		for ; j > first && stack[j-1] < one; j-- {
			stack[j] = stack[j-1]
		}
		stack[j] = one
		count++
	}
	w.count = count
}

// point is a corner in the space in which the ray runs along z through the origin; z itself is only moved.
type point struct{ x, y, z float32 }

func (w *blocks) packed(l *packed) {
	xs, ys, zs := &l.vertex[w.axis[0]/row%3], &l.vertex[w.axis[1]/row%3], &l.vertex[w.axis[2]/row%3]
	ox, oy, oz, sx, sy := w.origin[0], w.origin[1], w.origin[2], w.sx, w.sy
	var points [width]point
	for i := range l.vertices() & (2*width - 1) {
		if i >= width {
			break
		}
		z := zs[i] - oz
		points[i] = point{xs[i] - ox - float32(sx*z), ys[i] - oy - float32(sy*z), z}
	}
	for lane := range l.count() {
		lane &= width - 1
		p, q, r := &points[l.corner[0][lane]&7], &points[l.corner[1][lane]&7], &points[l.corner[2][lane]&7]
		ea := float32(r.x*q.y) - float32(r.y*q.x)
		eb := float32(p.x*r.y) - float32(p.y*r.x)
		ec := float32(q.x*p.y) - float32(q.y*p.x)
		if (ea < 0 || eb < 0 || ec < 0) && (ea > 0 || eb > 0 || ec > 0) {
			continue
		}
		w.hit(lane, ea, eb, ec, p.z, q.z, r.z)
	}
}

func (w *blocks) loose(l *loose) {
	x, y, z := w.axis[0]/row%3, w.axis[1]/row%3, w.axis[2]/row%3
	shear := func(corner, lane int) point {
		c := &l.corner[corner]
		pz := c[z][lane] - w.origin[2]
		return point{c[x][lane] - w.origin[0] - float32(w.sx*pz), c[y][lane] - w.origin[1] - float32(w.sy*pz), pz}
	}
	for lane := range l.count() {
		lane &= width - 1
		p, q, r := shear(0, lane), shear(1, lane), shear(2, lane)
		ea := float32(r.x*q.y) - float32(r.y*q.x)
		eb := float32(p.x*r.y) - float32(p.y*r.x)
		ec := float32(q.x*p.y) - float32(q.y*p.x)
		if (ea < 0 || eb < 0 || ec < 0) && (ea > 0 || eb > 0 || ec > 0) {
			continue
		}
		w.hit(lane, ea, eb, ec, p.z, q.z, r.z)
	}
}

// hit notes the hit in a lane whose edges the ray passes all on one side, if its T is wanted.
func (w *blocks) hit(lane int, ea, eb, ec, az, bz, cz float32) {
	det := ea + eb + ec
	positive := uint32(0)
	if det > 0 {
		positive = 0xff
	}
	if det == 0 || positive&w.turn^w.flip == 0 {
		return
	}
	t := (float32(ea*az) + float32(eb*bz) + float32(ec*cz)) / det / w.dz
	// A T that overflows names no point.
	if !(t >= 0 && t <= math.MaxFloat32) {
		return
	}
	b := &w.block
	tri := w.tree.triangle(b.leaf, lane)
	at, ok := w.settle(tri.A, tri.B, tri.C, bitsOf(t+0)) // + 0 turns −0 into 0
	if !ok || at < w.low || at > w.high {
		return
	}
	lane &= width - 1
	b.t[lane], b.eb[lane], b.ec[lane], b.det[lane] = at, eb, ec, det
	b.lanes |= 1 << lane
}

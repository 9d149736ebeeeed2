package wide

import "github.com/hitscan-go/hitscan/physics/geom"

// The portable walk: the specification of the assembly. It hands out leaves in which something is hit, the nearer ones first
// where that is cheap to know.

// walk is the state of a query of a ray. Its stack is the caller's, so that it is no longer than the tree needs. The assembly
// knows its layout down to block.
type walk struct {
	Ray
	tree  *Tree
	count int
	block block

	simd   bool
	ray    geom.Ray
	wx, wy float64 // the shear, in double precision
}

// found is a hit as walks compare it.
type found struct {
	t        int32 // bits
	u, v     float32
	triangle int32
	leaf     ref
	lane     uint8
	back     bool
}

// waiting is a child that was put off for a nearer one: above, the bits of the T from which the ray crosses it; below, what it
// is. As numbers, they order like the T.
type waiting int64

func newWaiting(from int32, r ref) waiting { return waiting(from)<<32 | waiting(r) }

func (w waiting) from() int32 { return int32(w >> 32) }
func (w waiting) ref() ref    { return ref(uint32(w)) }

// block is a leaf in which something may be hit, and for each lane in lanes the interval, as bits of T, in which the ray is in
// the triangle's own box.
type block struct {
	from, to [width]int32
	leaf     ref
	lanes    uint32
}

// bottom is what lies under everything on a stack.
const bottom waiting = -1

// start begins a walk on a ray that is prepared. The same stack goes to next.
func (w *walk) start(stack []waiting) {
	stack[0], stack[1] = bottom, newWaiting(0, w.tree.root)
	w.count = 2
}

// next finds the next block that may have hits from low to high; false after the last. The caller may lower high in between.
func (w *walk) next(stack []waiting) bool {
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
func (w *walk) open(n *node, stack []waiting) {
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

func (w *walk) packed(l *packed) {
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
		w.note(lane, ea+eb+ec)
	}
}

func (w *walk) loose(l *loose) {
	for lane := range l.count() {
		lane &= width - 1
		var points [3]point
		for c := range points {
			at := &l.corner[c]
			points[c] = w.shear(geom.Vec3{X: at[0][lane], Y: at[1][lane], Z: at[2][lane]})
		}
		p, q, r := &points[0], &points[1], &points[2]
		ea := float32(r.x*q.y) - float32(r.y*q.x)
		eb := float32(p.x*r.y) - float32(p.y*r.x)
		ec := float32(q.x*p.y) - float32(q.y*p.x)
		if (ea < 0 || eb < 0 || ec < 0) && (ea > 0 || eb > 0 || ec > 0) {
			continue
		}
		w.note(lane, ea+eb+ec)
	}
}

func (w *walk) shear(v geom.Vec3) point {
	a := [4]float32{v.X, v.Y, v.Z}
	z := a[w.axis[2]/row&3] - w.origin[2]
	return point{
		a[w.axis[0]/row&3] - w.origin[0] - float32(w.sx*z),
		a[w.axis[1]/row&3] - w.origin[1] - float32(w.sy*z),
		z,
	}
}

// note notes a lane whose edges the ray passes all on one side, if the triangle is turned as wanted and its box is met in
// the range.
func (w *walk) note(lane int, det float32) {
	positive := uint32(0)
	if det > 0 {
		positive = 0xff
	}
	if det == 0 || det-det != 0 || positive&w.turn^w.flip == 0 {
		return
	}
	b := &w.block
	tri := w.tree.triangle(b.leaf, lane)
	from, to := w.own(tri.A, tri.B, tri.C)
	if from > to || to < w.low || from > w.high {
		return
	}
	lane &= width - 1
	b.from[lane], b.to[lane] = from, to
	b.lanes |= 1 << lane
}

// take finds the hit in a lane of the block at hand; false if it is none in the range after all.
func (w *walk) take(f *found, lane int) bool {
	b := &w.block
	lane &= width - 1
	tri := w.tree.triangle(b.leaf, lane)
	t, u, v, back := w.meet(&tri)
	at := min(max(bitsOf(t), b.from[lane]), b.to[lane])
	if at < w.low || at > w.high {
		return false
	}
	f.t, f.u, f.v, f.back = at, u, v, back
	f.leaf, f.lane = b.leaf, uint8(lane)
	f.triangle = w.tree.ids[int(w.tree.info(b.leaf).first)+lane]
	return true
}

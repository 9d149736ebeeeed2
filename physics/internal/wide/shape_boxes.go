package wide

import (
	"math"
	"unsafe"
)

// The traversal of the nodes that a moving shape may touch, in float32 and eight boxes at a time:
// that of a ray through boxes that are grown by the extent of the shape to each side. The boxes are
// widened by so much more than the triangle's own box that rounding loses none. This Go code is the
// specification of the assembly.

// shapeWiden is the widening of the boxes of nodes: as a fraction of the coordinates, for their
// rounding, and as a fraction of the largest distance, for that of the T, which the assembly
// computes with three roundings, and of the T of hits. It covers the rounding of the point at which
// a triangle of several leaves is touched, which is searched in all of them: 2⁻²⁰.
const shapeWiden = 0x1p-19

// maxPlanes is the largest number of planes of a traversal: one ahead of the shape, one by the best
// hit, four beside.
const maxPlanes = 6

// shapeBoxes is the state of the traversal. The assembly depends on its layout up to the stack.
type shapeBoxes struct {
	near, far, inverse [3]float32 // as of Ray
	low, high          int32
	side               [3]uint32
	leaf               ref   // found last
	planes             int32 // number in use
	units              *unit
	count              int
	plane              [maxPlanes]shapePlane
	ball               shapeBall
	stack              [stackSize + 8]stackEntry // entries above the top may be written
	root               ref
	fixed              int32 // number of planes that do not depend on the limit
	// All: every box counts as crossed, as the inverse or a distance overflows.
	simd, all bool
}

// shapePlane excludes the boxes beyond it: those whose corner with the least v·p is beyond.
type shapePlane struct {
	v      [3]float32
	at     [3]uint32 // the offset in node.box of the side with the least v·p, index times row
	beyond float32
}

// prepare prepares the traversal of a tree for a path of finite numbers, and pushes the root.
func (w *shapeBoxes) prepare(t *Tree, p *ShapePath) {
	x, y, z := extent(p.Origin.X, p.Low.X, p.High.X), extent(p.Origin.Y, p.Low.Y, p.High.Y), extent(p.Origin.Z, p.Low.Z, p.High.Z)
	// No coordinate of the tree is further than reach from the start of the path, or from the
	// extent of the shape around that.
	reach := max(
		x+math.Abs(float64(t.center.X))+float64(t.half.X),
		y+math.Abs(float64(t.center.Y))+float64(t.half.Y),
		z+math.Abs(float64(t.center.Z))+float64(t.half.Z))
	long := max(math.Abs(p.Dir.X), math.Abs(p.Dir.Y), math.Abs(p.Dir.Z))
	travel := reach
	if way := float64(2 * long * p.Max); way < reach { // false for NaN, which is 0·∞
		travel = way
	}
	travel = float64(travel*shapeWiden) + 0x1p-120
	least := long * 1e-9 // as of Ray
	w.all = least < leastInverted || reach > 1e37 || reach > 1e37*long || p.Min > 1e37
	w.slab(0, p.Origin.X, p.Dir.X, p.Low.X, p.High.X, p.Pad.X+float64(x*shapeWiden)+travel, least)
	w.slab(1, p.Origin.Y, p.Dir.Y, p.Low.Y, p.High.Y, p.Pad.Y+float64(y*shapeWiden)+travel, least)
	w.slab(2, p.Origin.Z, p.Dir.Z, p.Low.Z, p.High.Z, p.Pad.Z+float64(z*shapeWiden)+travel, least)
	// One float32 outward, as the range is in float64.
	w.low = max(bitsOf(float32(min(p.Min, math.MaxFloat32))+0)-1, 0)
	w.high = min(bitsOf(float32(min(p.Max, math.MaxFloat32))+0)+1, infBits-1)
	w.units, w.root = &t.units[0], t.root
	w.simd = assembly && useSIMD && !w.all
	w.ball.radius = 0
	if !w.all && p.BallRadius > 0 {
		w.ball.prepare(t, p)
	}
	w.stack[0], w.stack[1], w.count = bottom, newStackEntry(0, t.root), 2
}

func extent(o, low, high float64) float64 { return math.Abs(o) + max(math.Abs(low), math.Abs(high)) }

// slab prepares the two sides of boxes that are perpendicular to an axis.
func (w *shapeBoxes) slab(axis int, o, d, low, high, pad, least float64) {
	near, far := float32(o+high+pad)+0, float32(o+low-pad)+0
	inverse := float32(-1 / max(math.Abs(d), least))
	side := row * uint32(2*axis)
	if math.Signbit(d) {
		near, far, inverse = far, near, -inverse
		side += row
	}
	w.near[axis], w.far[axis], w.inverse[axis], w.side[axis] = near, far, inverse, side
}

// put adds a plane, unless its numbers are near the limits of float32: planes only save work.
func (w *shapeBoxes) put(f *front) {
	if !(f.beyond < 1e37) || !(f.size < 1e37 && f.size > 1e-30) {
		return
	}
	q := &w.plane[w.planes%maxPlanes]
	x, y, z := float32(f.v.X), float32(f.v.Y), float32(f.v.Z)
	q.v[0], q.v[1], q.v[2] = x, y, z
	q.at[0], q.at[1], q.at[2] = row*(math.Float32bits(x)>>31), row*(2+(math.Float32bits(y)>>31)), row*(4+(math.Float32bits(z)>>31))
	q.beyond = float32(f.beyond + float64(f.size*planeWiden))
	w.planes++
}

// next finds the next leaf that the shape may touch within its range; false after the last.
func (w *shapeBoxes) next() bool {
	if w.simd {
		shapeSIMD(w)
		return w.leaf != ^ref(0)
	}
	for {
		w.count--
		top := w.stack[w.count]
		if top.from() > w.high {
			continue
		}
		if w.leaf = top.ref(); w.leaf.isLeaf() {
			return top != bottom
		}
		n := (*node)(unsafe.Add(unsafe.Pointer(w.units), uintptr(w.leaf)*8))
		var c crossing
		var crossed int
		if w.all {
			for _, child := range n.child {
				if child != 0 {
					c[crossed] = newStackEntry(0, child)
					crossed++
				}
			}
		} else {
			crossed = w.cross(n, &c)
		}
		c.push(w.stack[:], w.count, crossed)
		w.count += crossed
	}
}

// cross is Ray.cross with planes. It is written for readability, as it seldom runs on amd64.
func (w *shapeBoxes) cross(n *node, c *crossing) (count int) {
	for i, child := range n.child {
		from, to := w.low, w.high
		for axis := range 3 {
			near, far := n.side(w.side[axis])[i], n.side(w.side[axis] ^ row)[i]
			from = max(from, bitsOf((w.near[axis]-near)*w.inverse[axis]))
			to = min(to, bitsOf((w.far[axis]-far)*w.inverse[axis]))
		}
		if from > to {
			continue
		}
		if w.ball.radius > 0 {
			met := w.ball.meets(n, i)
			if met > w.high {
				continue
			}
			from = max(from, met)
		}
		beyond := false
		for k := range w.planes {
			q := &w.plane[k%maxPlanes]
			x, y, z := n.side(q.at[0])[i], n.side(q.at[1])[i], n.side(q.at[2])[i]
			beyond = beyond || float32(q.v[0]*x)+float32(q.v[1]*y)+float32(q.v[2]*z) > q.beyond
		}
		if !beyond {
			c[count&(width-1)] = newStackEntry(from, child)
			count++
		}
	}
	return count
}

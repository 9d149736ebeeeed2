package broad

import (
	"math"
	"unsafe"
)

// crossing holds the children of a node that a ray crosses; the rest is undefined.
type crossing [width]waiting

// cross stores the children of a node that a ray crosses between low and high, in the order of
// their slots, and returns their number. The ray must not have all set.
//
// There is no branch: whether a child is crossed is unpredictable, and a misprediction costs as
// much as two children. It is a separate function so that the compiler adds no branch either.
// Minima of floats and of their bits are interchangeable: both order the same way where none is
// negative, and a negative one makes the ray miss in either case.
//
//go:noinline
func (q *ray) cross(n *node, low, high int32, c *crossing) int {
	sx, sy, sz := q.side[0], q.side[1], q.side[2]
	x, y, z := n.side(sx), n.side(sy), n.side(sz)
	ix, iy, iz := q.inverse[0], q.inverse[1], q.inverse[2]
	ox, oy, oz := q.near[0], q.near[1], q.near[2]
	var from [width]int32
	from[0] = max(low, asInt((ox-x[0])*ix), asInt((oy-y[0])*iy), asInt((oz-z[0])*iz))
	from[1] = max(low, asInt((ox-x[1])*ix), asInt((oy-y[1])*iy), asInt((oz-z[1])*iz))
	from[2] = max(low, asInt((ox-x[2])*ix), asInt((oy-y[2])*iy), asInt((oz-z[2])*iz))
	from[3] = max(low, asInt((ox-x[3])*ix), asInt((oy-y[3])*iy), asInt((oz-z[3])*iz))
	from[4] = max(low, asInt((ox-x[4])*ix), asInt((oy-y[4])*iy), asInt((oz-z[4])*iz))
	from[5] = max(low, asInt((ox-x[5])*ix), asInt((oy-y[5])*iy), asInt((oz-z[5])*iz))
	from[6] = max(low, asInt((ox-x[6])*ix), asInt((oy-y[6])*iy), asInt((oz-z[6])*iz))
	from[7] = max(low, asInt((ox-x[7])*ix), asInt((oy-y[7])*iy), asInt((oz-z[7])*iz))

	x, y, z = n.side(sx^row), n.side(sy^row), n.side(sz^row)
	ox, oy, oz = q.far[0], q.far[1], q.far[2]
	count := 0
	count = c.add(count, n.child[0], from[0], min(high, asInt((ox-x[0])*ix), asInt(min((oy-y[0])*iy, (oz-z[0])*iz))))
	count = c.add(count, n.child[1], from[1], min(high, asInt((ox-x[1])*ix), asInt(min((oy-y[1])*iy, (oz-z[1])*iz))))
	count = c.add(count, n.child[2], from[2], min(high, asInt((ox-x[2])*ix), asInt(min((oy-y[2])*iy, (oz-z[2])*iz))))
	count = c.add(count, n.child[3], from[3], min(high, asInt((ox-x[3])*ix), asInt(min((oy-y[3])*iy, (oz-z[3])*iz))))
	count = c.add(count, n.child[4], from[4], min(high, asInt((ox-x[4])*ix), asInt(min((oy-y[4])*iy, (oz-z[4])*iz))))
	count = c.add(count, n.child[5], from[5], min(high, asInt((ox-x[5])*ix), asInt(min((oy-y[5])*iy, (oz-z[5])*iz))))
	count = c.add(count, n.child[6], from[6], min(high, asInt((ox-x[6])*ix), asInt(min((oy-y[6])*iy, (oz-z[6])*iz))))
	count = c.add(count, n.child[7], from[7], min(high, asInt((ox-x[7])*ix), asInt(min((oy-y[7])*iy, (oz-z[7])*iz))))
	return count
}

// add stores a child at count, and returns count + 1 if it is crossed, otherwise count.
func (c *crossing) add(count int, r ref, from, to int32) int {
	c[count&(width-1)] = newWaiting(from, r)
	if from <= to {
		count++
	}
	return count
}

// all stores every child, for a ray with all set.
func (c *crossing) all(n *node, low int32) int {
	count := 0
	for _, r := range n.child {
		if r != 0 {
			c[count&(width-1)] = newWaiting(low, r)
			count++
		}
	}
	return count
}

// pushAny pushes the n children that are crossed onto a stack of count entries, in any order and
// without the T of entry; the first comes on top. It returns n.
func (c *crossing) pushAny(stack []waiting, count, n int) int {
	for i := 1; i < n; i++ {
		stack[count] = newWaiting(0, c[i&(width-1)].ref())
		count++
	}
	if n > 0 {
		stack[count] = newWaiting(0, c[0].ref())
	}
	return n
}

// row is the length in bytes of a row of node.box.
const row = 4 * width

// side returns one side of all boxes, by its byte offset, a multiple of row.
func (n *node) side(at uint32) *[width]float32 {
	return (*[width]float32)(unsafe.Add(unsafe.Pointer(n), uintptr(at)))
}

func asInt(x float32) int32 { return int32(math.Float32bits(x)) }

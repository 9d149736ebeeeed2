package wide

import (
	"math"
	"unsafe"
)

// crossing holds the children of a node that a ray crosses; entries behind those are meaningless.
type crossing [width]stackEntry

// cross finds the children of a node that a ray crosses from low to high, in slot order, and
// returns their number. The ray must not have all set.
//
// There is no branch: whether a child is crossed is unpredictable, and a misprediction costs as
// much as two children. cross is a function of its own because the compiler emits a branch where
// the address of a load depends on a comparison. Each side is Ray.interval; the minimum may as well
// be taken of the floats, as they order like the integers where none is negative, and a negative
// one makes the ray miss either way. On amd64 this mixture takes the fewest instructions.
//
//go:noinline
func (q *Ray) cross(n *node, low, high int32, c *crossing) int {
	sx, sy, sz := q.side[0], q.side[1], q.side[2]
	x, y, z := n.side(sx), n.side(sy), n.side(sz)
	ix, iy, iz := q.inverse[0], q.inverse[1], q.inverse[2]
	ox, oy, oz := q.near[0], q.near[1], q.near[2]
	var from [width]int32
	from[0] = max(low, int32(math.Float32bits((ox-x[0])*ix)), int32(math.Float32bits((oy-y[0])*iy)), int32(math.Float32bits((oz-z[0])*iz)))
	from[1] = max(low, int32(math.Float32bits((ox-x[1])*ix)), int32(math.Float32bits((oy-y[1])*iy)), int32(math.Float32bits((oz-z[1])*iz)))
	from[2] = max(low, int32(math.Float32bits((ox-x[2])*ix)), int32(math.Float32bits((oy-y[2])*iy)), int32(math.Float32bits((oz-z[2])*iz)))
	from[3] = max(low, int32(math.Float32bits((ox-x[3])*ix)), int32(math.Float32bits((oy-y[3])*iy)), int32(math.Float32bits((oz-z[3])*iz)))
	from[4] = max(low, int32(math.Float32bits((ox-x[4])*ix)), int32(math.Float32bits((oy-y[4])*iy)), int32(math.Float32bits((oz-z[4])*iz)))
	from[5] = max(low, int32(math.Float32bits((ox-x[5])*ix)), int32(math.Float32bits((oy-y[5])*iy)), int32(math.Float32bits((oz-z[5])*iz)))
	from[6] = max(low, int32(math.Float32bits((ox-x[6])*ix)), int32(math.Float32bits((oy-y[6])*iy)), int32(math.Float32bits((oz-z[6])*iz)))
	from[7] = max(low, int32(math.Float32bits((ox-x[7])*ix)), int32(math.Float32bits((oy-y[7])*iy)), int32(math.Float32bits((oz-z[7])*iz)))

	x, y, z = n.side(sx^row), n.side(sy^row), n.side(sz^row)
	ox, oy, oz = q.far[0], q.far[1], q.far[2]
	count := 0
	count = c.add(count, n.child[0], from[0], min(high, int32(math.Float32bits((ox-x[0])*ix)), int32(math.Float32bits(min((oy-y[0])*iy, (oz-z[0])*iz)))))
	count = c.add(count, n.child[1], from[1], min(high, int32(math.Float32bits((ox-x[1])*ix)), int32(math.Float32bits(min((oy-y[1])*iy, (oz-z[1])*iz)))))
	count = c.add(count, n.child[2], from[2], min(high, int32(math.Float32bits((ox-x[2])*ix)), int32(math.Float32bits(min((oy-y[2])*iy, (oz-z[2])*iz)))))
	count = c.add(count, n.child[3], from[3], min(high, int32(math.Float32bits((ox-x[3])*ix)), int32(math.Float32bits(min((oy-y[3])*iy, (oz-z[3])*iz)))))
	count = c.add(count, n.child[4], from[4], min(high, int32(math.Float32bits((ox-x[4])*ix)), int32(math.Float32bits(min((oy-y[4])*iy, (oz-z[4])*iz)))))
	count = c.add(count, n.child[5], from[5], min(high, int32(math.Float32bits((ox-x[5])*ix)), int32(math.Float32bits(min((oy-y[5])*iy, (oz-z[5])*iz)))))
	count = c.add(count, n.child[6], from[6], min(high, int32(math.Float32bits((ox-x[6])*ix)), int32(math.Float32bits(min((oy-y[6])*iy, (oz-z[6])*iz)))))
	count = c.add(count, n.child[7], from[7], min(high, int32(math.Float32bits((ox-x[7])*ix)), int32(math.Float32bits(min((oy-y[7])*iy, (oz-z[7])*iz)))))
	return count
}

// add writes a child behind those that are crossed, and counts it if it is crossed itself.
func (c *crossing) add(count int, r ref, from, to int32) int {
	c[count&(width-1)] = stackEntry(uint32(from))<<32 | stackEntry(r)
	if from <= to {
		count++
	}
	return count
}

// side returns one side of all boxes; at is its byte offset, the index times row.
func (n *node) side(at uint32) *[width]float32 {
	return (*[width]float32)(unsafe.Add(unsafe.Pointer(n), uintptr(at)))
}

package wide

import (
	"math/bits"
	"unsafe"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Ray casts at a grid. Hits are those of the triangle test of trees, and boxes of blocks are
// crossed as those of nodes are, so no hit is lost: see ray.go. All parts of a block are tested at
// once, and visited row by row in the direction of the ray: it enters them in that order.

// gridCast is the state of a cast at a grid.
type gridCast struct {
	Ray
	grid     *Grid
	ray      geom.Ray
	down     [2]int            // 1 if the ray runs downward along x, then along z
	turned   uint32            // parts and leaves are visited in the order of their number xor this
	corner   [3][width]float32 // of a cell, in lanes 0 to 3: of column and row 00, 10, 01, 11
	after    found             // hits before or at this one do not count
	best     found
	ok       bool
	any      bool       // the first hit found will do
	list     []geom.Hit // of all hits, if collects is set
	collects bool
	work     Work
}

// init prepares a cast; false if the ray can hit nothing.
func (w *gridCast) init(g *Grid, r *geom.Ray, cull geom.Cull) bool {
	w.grid, w.ray = g, *r
	w.after.t, w.after.triangle = -1, -1
	if !w.prepare(&g.frame, r, cull) {
		return false
	}
	for axis := range 2 {
		w.down[axis] = int(w.side[2*axis] / row & 1)
	}
	w.turned = uint32(3*w.down[0] + 28*w.down[1])
	return true
}

// test tests the two triangles of a cell that is no hole.
func (w *gridCast) test(x, z int32, q *quad) {
	w.corner[0] = [width]float32{q.x0, q.x1, q.x0, q.x1}
	w.corner[1] = [width]float32{q.h00, q.h10, q.h01, q.h11}
	w.corner[2] = [width]float32{q.z0, q.z0, q.z1, q.z1}
	w.work.Leaves++
	w.work.Triangles += 2
	v := &w.corner[0]
	k := corners{unsafe.Pointer(&v[0]), unsafe.Pointer(&v[2]), unsafe.Pointer(&v[3])}
	id := (z*w.grid.columns + x) << 1
	w.meetOne(k, id)
	k.b, k.c = k.c, unsafe.Pointer(&v[1])
	w.meetOne(k, id|1)
}

func (w *gridCast) meetOne(k corners, id int32) {
	if w.any {
		w.ok = w.ok || w.meet(nil, &w.ray, k, w.high)
		return
	}
	var f found
	if !w.meet(&f, &w.ray, k, w.high) {
		return
	}
	if f.triangle = id; !w.after.before(&f) {
		return
	}
	if w.collects {
		w.list = append(w.list, geom.Hit{})
		w.fill(&w.list[len(w.list)-1], &f)
	} else if !w.ok || f.before(&w.best) {
		w.best, w.ok, w.high = f, true, f.t
	}
}

func (w *gridCast) fill(hit *geom.Hit, f *found) {
	t := w.grid.Triangle(int(f.triangle))
	f.fill(hit, &w.ray, &t)
}

// maxLevels is more than the levels of the deepest grid: 2²⁶ cells in a row have 13.
const maxLevels = 16

// run tests the triangles of all cells that the ray crosses, up to the first hit.
func (w *gridCast) run() {
	g := w.grid
	type block struct {
		x, z int32
		left uint32 // parts or leaves to be visited
	}
	var blocks [maxLevels]block
	top := g.top()
	level := top
	b := &blocks[level%maxLevels]
	b.left = w.enter(level, 0, 0)
	for {
		for b.left == 0 {
			if level++; level > top {
				return
			}
			b = &blocks[level%maxLevels]
		}
		i := bits.TrailingZeros32(b.left)
		b.left &= b.left - 1
		if level == 2 {
			i := int32(uint32(i) ^ w.turned)
			if w.leaf(b.x<<2+i&3, b.z<<3+i>>2); w.any && w.ok {
				return
			}
			continue
		}
		part := int32(uint32(i) ^ w.turned&15)
		x, z := b.x<<blockStep+part&3, b.z<<blockStep+part>>2
		if level--; w.ok { // which may have lowered the range
			if box := g.box(level, x, z, g.span(level, x, z)); !w.crosses(&box) {
				level++
				continue
			}
		}
		b = &blocks[level%maxLevels]
		b.x, b.z, b.left = x, z, w.enter(level, x, z)
	}
}

// enter returns the set of the parts or the leaves of a block that the ray crosses, each by when it
// is visited: that xor turned is the part.
func (w *gridCast) enter(level int, x, z int32) (set uint32) {
	w.work.Nodes++
	l := &w.grid.layers[level-1]
	if level == 2 {
		p := w.grid.leavesOf(x, z)
		return w.crossed(p.low[:], p.high[:], leafAt, l.xs[4*x:], l.zs[8*z:], 8)
	}
	p := w.grid.partsOf(level, x, z)
	return w.crossed(p.low[:], p.high[:], partAt, l.xs[4*x:], l.zs[4*z:], 4)
}

// crossed returns which parts of a block, in rows of four, the ray crosses within its range, as
// Ray.interval has it. The block begins at the first of the lines.
func (w *gridCast) crossed(low, high []float32, place func(x, z int32) int32, xs, zs []float32, rows int) (set uint32) {
	near, far := low, high
	if w.side[1]&row != 0 {
		near, far = far, near
	}
	fromX, toX := w.gaps(0, xs, 4)
	fromZ, toZ := w.gaps(1, zs, rows)
	for i := range 4 * rows {
		part := i ^ int(w.turned)&(4*rows-1)
		x, z := part&3, part>>2&7
		k := place(int32(x), int32(z))
		from := max(w.low, fromX[x], fromZ[z], bitsOf((w.near[1]-near[k])*w.inverse[1]))
		to := min(w.high, toX[x], toZ[z], bitsOf((w.far[1]-far[k])*w.inverse[1]))
		if w.all && low[k] <= high[k] || !w.all && from <= to {
			set |= 1 << i
		}
	}
	return set
}

// gaps returns the T at which the ray enters and leaves the gaps between lines, of which the first
// n count, along x or z.
func (w *gridCast) gaps(axis int, lines []float32, n int) (from, to [8]int32) {
	down := w.down[axis] & 1
	near, far, inverse := w.near[2*axis], w.far[2*axis], w.inverse[2*axis]
	for i := range n {
		from[i&7] = bitsOf((near - lines[i+down]) * inverse)
		to[i&7] = bitsOf((far - lines[i+1-down]) * inverse)
	}
	return from, to
}

// leaf tests the triangles of the cells of a leaf that the ray crosses.
func (w *gridCast) leaf(x, z int32) {
	g := w.grid
	l := &g.layers[0]
	x, z = x*leafColumns, z*leafRows
	fromX, toX := w.gaps(0, l.xs[x:], leafColumns)
	fromZ, toZ := w.gaps(1, l.zs[z:], leafRows)
	for i := range int32(leafColumns * leafRows) {
		i ^= int32(w.turned) & 7
		c, r := i&3, i>>2
		if x+c >= g.columns || z+r >= g.rows || max(w.low, fromX[c], fromZ[r]) > min(w.high, toX[c], toZ[r]) && !w.all {
			continue
		}
		if q, ok := g.quad(x+c, z+r); ok {
			if w.test(x+c, z+r, &q); w.any && w.ok {
				return
			}
		}
	}
}

// crosses reports whether the ray crosses a box within its range.
func (w *gridCast) crosses(b *geom.AABB) bool {
	if w.Ray.all {
		return true
	}
	lo, hi := b.Min, b.Max
	if w.side[0]&row != 0 {
		lo.X, hi.X = hi.X, lo.X
	}
	if w.side[1]&row != 0 {
		lo.Y, hi.Y = hi.Y, lo.Y
	}
	if w.side[2]&row != 0 {
		lo.Z, hi.Z = hi.Z, lo.Z
	}
	from, to := w.interval(lo.X, hi.X, lo.Y, hi.Y, lo.Z, hi.Z, w.low, w.high)
	return from <= to
}

// CastRay does what [Tree.CastRay] does.
func (g *Grid) CastRay(hit *geom.Hit, r *geom.Ray, cull geom.Cull) bool {
	if assembly && useSIMD {
		if code := closestGridSIMD(g, r, hit, -1, -1, cull); code < unsupported {
			return code != 0
		}
	}
	return g.portable(hit, r, cull, -1, -1)
}

// CastRayAfter does what [Tree.CastRayAfter] does.
func (g *Grid) CastRayAfter(hit *geom.Hit, r *geom.Ray, cull geom.Cull, at float32, triangle int32) bool {
	if assembly && useSIMD {
		if code := closestGridSIMD(g, r, hit, at, triangle, cull); code < unsupported {
			return code != 0
		}
	}
	return g.portable(hit, r, cull, at, triangle)
}

func (g *Grid) portable(hit *geom.Hit, r *geom.Ray, cull geom.Cull, at float32, triangle int32) bool {
	var w gridCast
	return w.cast(g, hit, r, cull, at, triangle)
}

// cast finds the first hit of a ray after the given T and triangle.
func (w *gridCast) cast(g *Grid, hit *geom.Hit, r *geom.Ray, cull geom.Cull, at float32, triangle int32) bool {
	if !w.init(g, r, cull) {
		return false
	}
	w.after.triangle = w.startAt(at, triangle)
	w.after.t = w.low
	if w.run(); w.ok {
		w.fill(hit, &w.best)
	}
	return w.ok
}

// CastRayAny does what [Tree.CastRayAny] does.
func (g *Grid) CastRayAny(r *geom.Ray, cull geom.Cull) bool {
	if assembly && useSIMD {
		if code := anyGridSIMD(g, r, cull); code < unsupported {
			return code != 0
		}
	}
	return g.portableAny(r, cull)
}

func (g *Grid) portableAny(r *geom.Ray, cull geom.Cull) bool {
	w := gridCast{any: true}
	if w.init(g, r, cull) {
		w.run()
	}
	return w.ok
}

// CastRayAll does what [Tree.CastRayAll] does.
func (g *Grid) CastRayAll(dst []geom.Hit, r *geom.Ray, cull geom.Cull) []geom.Hit {
	if assembly && useSIMD {
		start, code := len(dst), uint32(1)
		hit := geom.Hit{T: -1, Triangle: -1}
		for code == 1 {
			if code = closestGridSIMD(g, r, &hit, hit.T, int32(hit.Triangle), cull); code == 1 {
				dst = append(dst, hit)
			}
		}
		if code < unsupported {
			return dst
		}
		dst = dst[:start]
	}
	w := gridCast{list: dst, collects: true}
	if w.init(g, r, cull) {
		w.run()
	}
	return w.list
}

// CastRayWork is CastRay by the portable traversal, and counts its work.
func (g *Grid) CastRayWork(hit *geom.Hit, r *geom.Ray, cull geom.Cull) (Work, bool) {
	var w gridCast
	ok := w.cast(g, hit, r, cull, -1, -1)
	return w.work, ok
}

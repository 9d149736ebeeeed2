package wide

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Ray casts at a grid. Hits are those of the triangle test of trees, and boxes of blocks are
// crossed as those of nodes are, so no hit is lost: see ray.go. The 16 parts of a block are tested
// at once, and visited row by row in the direction of the ray: it enters them in that order.

// gridRay is a ray prepared for one grid. The assembly depends on its layout.
type gridRay struct {
	Ray
	// The lines of the grid that are the near and the far sides of four parts along x, then along
	// z, counted in parts.
	sides       [4][4]int32
	start, cell [2]float64 // of the lines
	last        [2]int32   // line
	// The byte offset in parts of the near sides along y.
	nearY uint64
}

// gridCast is the state of a cast at a grid.
type gridCast struct {
	gridRay
	grid     *Grid
	ray      geom.Ray
	turned   uint32            // the parts are visited in the order of their number xor this
	cells    parts             // of a block of cells
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
		sign := int32(w.side[2*axis] / row & 1) // 1 if the ray runs downward
		for i := range int32(4) {
			w.sides[2*axis][i], w.sides[2*axis+1][i] = i+sign, i+1-sign
		}
		w.turned |= uint32(3*sign) << (2 * axis)
	}
	w.start, w.cell = [2]float64{float64(g.StartX), float64(g.StartZ)}, [2]float64{float64(g.CellX), float64(g.CellZ)}
	w.last = [2]int32{g.columns, g.rows}
	w.nearY = uint64(w.side[1]/row&1) * uint64(unsafe.Offsetof(parts{}.high))
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
		left uint32 // parts to be visited
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
		part := int32(uint32(bits.TrailingZeros32(b.left)) ^ w.turned)
		b.left &= b.left - 1
		x, z := b.x<<blockStep+part&3, b.z<<blockStep+part>>2
		if level == 1 {
			if x >= g.columns || z >= g.rows {
				continue
			}
			if q, ok := g.quad(x, z); ok {
				if w.test(x, z, &q); w.any && w.ok {
					return
				}
			}
			continue
		}
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

// enter returns the set of the parts of a block that the ray crosses, each by when it is visited:
// that xor turned is the part.
func (w *gridCast) enter(level int, x, z int32) uint32 {
	g := w.grid
	w.work.Nodes++
	p := &w.cells
	if level == 1 {
		g.cellSpans(p, x, z)
	} else {
		p = g.partsOf(level, x, z)
	}
	s := blockStep * (level - 1)
	var set uint32
	if assembly && useSIMD && !w.all {
		set = gridPartsSIMD(&w.gridRay, p, x<<blockStep<<s, z<<blockStep<<s, s)
	} else {
		set = w.crossParts(p, x<<blockStep<<s, z<<blockStep<<s, s)
	}
	if w.turned&3 != 0 { // columns are visited in descending order
		set = set>>1&0x5555 | set&0x5555<<1
		set = set>>2&0x3333 | set&0x3333<<2
	}
	if w.turned > 3 {
		set = set>>4&0x0f0f | set&0x0f0f<<4
		set = set>>8 | set&0xff<<8
	}
	return set
}

// crossParts returns the set of the parts of a block that the ray crosses within its range, as
// Ray.interval has it. The block begins at the given lines, and its parts have 1<<s cells a side.
func (w *gridRay) crossParts(p *parts, x, z int32, s int) (set uint32) {
	if w.all {
		for i, low := range p.low {
			if low <= p.high[i] {
				set |= 1 << i
			}
		}
		return set
	}
	var ends [4][4]int32
	for k := range ends {
		axis, origin, from := k>>1, &w.near, x
		if k&1 != 0 {
			origin = &w.far
		}
		if axis != 0 {
			from = z
		}
		o, inverse := origin[2*axis], w.inverse[2*axis]
		for i := range 4 {
			line := min(from+w.sides[k][i]<<s, w.last[axis])
			at := float32(w.start[axis] + float64(float64(line)*w.cell[axis]))
			ends[k][i] = bitsOf((o - at) * inverse)
		}
	}
	near, far := &p.low, &p.high
	if w.nearY != 0 {
		near, far = far, near
	}
	for i := range near {
		from := max(w.low, ends[0][i&3], ends[2][i>>2&3], bitsOf((w.near[1]-near[i])*w.inverse[1]))
		to := min(w.high, ends[1][i&3], ends[3][i>>2&3], bitsOf((w.far[1]-far[i])*w.inverse[1]))
		if from <= to {
			set |= 1 << i
		}
	}
	return set
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

// A row of codes is loaded as eight of which five are used.
const codesLoaded, codesUsed = 8, 5

// cellSpans computes the spans of the cells of a block of 4 by 4. Those of codes are wider than
// their own, by more than float32 rounds. Beyond the grid they are arbitrary.
func (g *Grid) cellSpans(p *parts, x, z int32) {
	of := g.pages[z>>4*g.across+x>>4]
	from := z&15<<blockStep*pageSide + x&15<<blockStep
	if of.codes == nil {
		joinCorners(of.heights[from:], &p.low, &p.high)
		return
	}
	codes := of.codes[from:]
	if _ = codes[4*pageSide+codesLoaded-1]; assembly && useSIMD {
		gridCodesSIMD(p, &codes[0], g.codeStep, g.lowest, g.highest)
		return
	}
	var low, high [16]uint16
	joinCorners(codes, &low, &high)
	for i := range low {
		p.low[i] = float32(float32(low[i])*g.codeStep) + g.lowest
		p.high[i] = float32(float32(high[i])*g.codeStep) + g.highest
	}
}

// joinCorners computes the least and the greatest of the corners of 4 by 4 cells.
func joinCorners[T uint16 | float32](v []T, low, high *[16]T) {
	for r := range codesUsed {
		line := v[r*pageSide:][:codesUsed]
		for k := range 4 {
			l, h := min(line[k], line[k+1]), max(line[k], line[k+1])
			if r > 0 {
				i := 4*(r-1) + k
				low[i], high[i] = min(low[i], l), max(high[i], h)
			}
			if r < 4 {
				low[4*r+k], high[4*r+k] = l, h
			}
		}
	}
}

// CastRay does what [Tree.CastRay] does.
func (g *Grid) CastRay(hit *geom.Hit, r *geom.Ray, cull geom.Cull) bool {
	var w gridCast
	if w.init(g, r, cull) {
		w.run()
	}
	if w.ok {
		w.fill(hit, &w.best)
	}
	return w.ok
}

// CastRayAny does what [Tree.CastRayAny] does.
func (g *Grid) CastRayAny(r *geom.Ray, cull geom.Cull) bool {
	w := gridCast{any: true}
	if w.init(g, r, cull) {
		w.run()
	}
	return w.ok
}

// CastRayAfter does what [Tree.CastRayAfter] does.
func (g *Grid) CastRayAfter(hit *geom.Hit, r *geom.Ray, cull geom.Cull, at float32, triangle int32) bool {
	var w gridCast
	if !w.init(g, r, cull) {
		return false
	}
	if at >= math.Float32frombits(uint32(w.low)) {
		w.low = bitsOf(at + 0)
		w.after.t, w.after.triangle = w.low, triangle
	}
	w.run()
	if w.ok {
		w.fill(hit, &w.best)
	}
	return w.ok
}

// CastRayAll does what [Tree.CastRayAll] does.
func (g *Grid) CastRayAll(dst []geom.Hit, r *geom.Ray, cull geom.Cull) []geom.Hit {
	w := gridCast{list: dst, collects: true}
	if w.init(g, r, cull) {
		w.run()
	}
	return w.list
}

// CastRayWork does what [Tree.CastRayWork] does.
func (g *Grid) CastRayWork(hit *geom.Hit, r *geom.Ray, cull geom.Cull) (Work, bool) {
	var w gridCast
	if w.init(g, r, cull) {
		w.run()
	}
	if w.ok {
		w.fill(hit, &w.best)
	}
	return w.work, w.ok
}

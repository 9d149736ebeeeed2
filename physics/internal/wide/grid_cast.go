package wide

import (
	"math"
	"unsafe"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Ray casts at a grid. Hits are those of the triangle test of trees, and boxes of blocks are
// crossed as those of nodes are, so no hit is lost: see ray.go. The closest hit and the question of
// any are answered by a walk from block to block first, which knows where the ray goes on (after
// Tevs, Ihrke and Seidel 2008, "Maximum mipmaps for fast, accurate, and scalable dynamic height
// field rendering"): grid_walk.go.

// gridCast is the state of a cast at a grid.
type gridCast struct {
	Ray
	grid     *Grid
	ray      geom.Ray
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
	return w.prepare(&g.frame, r, cull)
}

// cell tests the two triangles of a cell that is no hole.
func (w *gridCast) cell(x, z int32, q *quad) {
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

// exact tests the triangles of all blocks that the ray crosses.
func (w *gridCast) exact(level int, x, z int32) {
	g := w.grid
	if level == 0 {
		if q, ok := g.quad(x, z); ok {
			w.cell(x, z, &q)
		}
		return
	}
	w.work.Nodes++
	across, behind := g.blocks(level - 1)
	x0, x1, dx := towards(x<<blockStep, min((x+1)<<blockStep, across), w.side[0])
	z0, z1, dz := towards(z<<blockStep, min((z+1)<<blockStep, behind), w.side[2])
	for i := z0; i != z1; i += dz {
		for k := x0; k != x1; k += dx {
			if s := g.span(level-1, k, i); !s.isEmpty() {
				b := g.box(level-1, k, i, s)
				if w.crosses(&b) {
					if w.exact(level-1, k, i); w.any && w.ok {
						return
					}
				}
			}
		}
	}
}

// towards returns the numbers from low to high, without high, as the ray meets them.
func towards(low, high int32, side uint32) (from, to, step int32) {
	if side&row != 0 {
		return high - 1, low - 1, -1
	}
	return low, high, 1
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
	var w gridCast
	if !w.init(g, r, cull) {
		return false
	}
	if !w.walk() {
		w.exact(g.top(), 0, 0)
	}
	if w.ok {
		w.fill(hit, &w.best)
	}
	return w.ok
}

// CastRayAny does what [Tree.CastRayAny] does.
func (g *Grid) CastRayAny(r *geom.Ray, cull geom.Cull) bool {
	w := gridCast{any: true}
	if !w.init(g, r, cull) {
		return false
	}
	if !w.walk() {
		w.exact(g.top(), 0, 0)
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
	w.exact(g.top(), 0, 0)
	if w.ok {
		w.fill(hit, &w.best)
	}
	return w.ok
}

// CastRayAll does what [Tree.CastRayAll] does.
func (g *Grid) CastRayAll(dst []geom.Hit, r *geom.Ray, cull geom.Cull) []geom.Hit {
	w := gridCast{list: dst, collects: true}
	if w.init(g, r, cull) {
		w.exact(g.top(), 0, 0)
	}
	return w.list
}

// CastRayWork does what [Tree.CastRayWork] does, without the walk.
func (g *Grid) CastRayWork(hit *geom.Hit, r *geom.Ray, cull geom.Cull) (Work, bool) {
	var w gridCast
	if !w.init(g, r, cull) {
		return Work{}, false
	}
	w.exact(g.top(), 0, 0)
	if w.ok {
		w.fill(hit, &w.best)
	}
	return w.work, w.ok
}

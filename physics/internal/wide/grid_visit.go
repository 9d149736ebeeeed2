package wide

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Visits of the triangles of a grid: those in a box, the nearest ones, and those on the path of a
// shape.

// among returns the first and the last cell along an axis that touch the range from low to high;
// first > last if there are none.
func among(lines []float32, start, per float64, low, high float32) (first, last int32) {
	n := len(lines) - 1
	if !(low <= lines[n] && high >= lines[0]) {
		return 1, 0
	}
	// The estimate is off by rounding.
	i := cellAt(float64(low), start, per, n)
	for i > 0 && lines[i] >= low {
		i--
	}
	for lines[i+1] < low {
		i++
	}
	k := cellAt(float64(high), start, per, n)
	for k < n-1 && lines[k+1] <= high {
		k++
	}
	for lines[k] > high {
		k--
	}
	return int32(i), int32(k)
}

// cellAt returns about the cell of a coordinate, of n.
func cellAt(x, start, per float64, n int) int {
	at := (x - start) * per
	if !(at > 0) {
		return 0
	}
	return int(min(at, float64(n-1)))
}

// gridRange is the cells of a visit of a box, the ends included.
type gridRange struct {
	x0, x1, z0, z1 int32
	low, high      float32
	visit          func(triangle int) bool
}

// VisitAABB does what [Tree.VisitAABB] does.
func (g *Grid) VisitAABB(box geom.AABB, visit func(triangle int) bool) bool {
	if g.frame.IsEmpty() || box.IsEmpty() || !touch(&box, &g.frame.bounds) {
		return true
	}
	r := gridRange{low: box.Min.Y, high: box.Max.Y, visit: visit}
	r.x0, r.x1 = among(g.xs, float64(g.StartX), g.perX, box.Min.X, box.Max.X)
	r.z0, r.z1 = among(g.zs, float64(g.StartZ), g.perZ, box.Min.Z, box.Max.Z)
	if r.x0 > r.x1 || r.z0 > r.z1 {
		return true
	}
	// The level at which the range is a few blocks.
	level, s := 0, uint(0)
	for level < g.top() && max(r.x1>>s-r.x0>>s, r.z1>>s-r.z0>>s) > 3 {
		level, s = level+1, s+blockStep
	}
	for z := r.z0 >> s; z <= r.z1>>s; z++ {
		for x := r.x0 >> s; x <= r.x1>>s; x++ {
			if !g.visitBlock(&r, level, x, z) {
				return false
			}
		}
	}
	return true
}

func (g *Grid) visitBlock(r *gridRange, level int, x, z int32) bool {
	if level == 0 {
		q, ok := g.quad(x, z)
		if !ok {
			return true
		}
		i := 2 * (int(z)*g.Columns + int(x))
		low, high := min(q.h00, q.h11), max(q.h00, q.h11)
		if min(low, q.h01) <= r.high && max(high, q.h01) >= r.low && !r.visit(i) {
			return false
		}
		return !(min(low, q.h10) <= r.high && max(high, q.h10) >= r.low) || r.visit(i+1)
	}
	if s := g.span(level, x, z); !(s.low <= r.high && s.high >= r.low) {
		return true
	}
	s := uint(blockStep * (level - 1))
	for i := max(z<<blockStep, r.z0>>s); i <= min(z<<blockStep+1<<blockStep-1, r.z1>>s); i++ {
		for k := max(x<<blockStep, r.x0>>s); k <= min(x<<blockStep+1<<blockStep-1, r.x1>>s); k++ {
			if !g.visitBlock(r, level-1, k, i) {
				return false
			}
		}
	}
	return true
}

// gridRef names a block by its number in its level.
func gridRef(level int, at int32) ref { return ref(at)<<4 | ref(level) }

func (g *Grid) block(r ref) (level int, x, z int32) {
	level = int(r & 15)
	across, _ := g.blocks(level)
	at := int32(r >> 4)
	return level, at % across, at / across
}

// gridStack suffices for the deepest grid: 13 levels of which 3 more blocks wait if it is long, or
// 7 of which 15 do.
const gridStack = 128

// VisitNearest does what [Tree.VisitNearest] does.
func (g *Grid) VisitNearest(limit float64, bound func(box geom.AABB) float64, visit func(triangle int) float64) {
	if g.frame.IsEmpty() {
		return
	}
	type far struct {
		bound float64
		ref   ref
	}
	var stack [gridStack]far
	stack[0] = far{bound(g.frame.bounds), g.frame.root}
	for count := 1; count > 0; {
		count--
		top := stack[count]
		if !(top.bound <= limit) {
			continue
		}
		level, x, z := g.block(top.ref)
		if level == 0 {
			visit(2 * (int(z)*g.Columns + int(x)))
			limit = visit(2*(int(z)*g.Columns+int(x)) + 1)
			continue
		}
		across, behind := g.blocks(level - 1)
		bottom := count
		for i := z << blockStep; i < min((z+1)<<blockStep, behind); i++ {
			for k := x << blockStep; k < min((x+1)<<blockStep, across); k++ {
				s := g.span(level-1, k, i)
				if s.isEmpty() {
					continue
				}
				one := far{bound(g.box(level-1, k, i, s)), gridRef(level-1, i*across+k)}
				if !(one.bound <= limit) {
					continue
				}
				j := count
				for ; j > bottom && stack[j-1].bound < one.bound; j-- {
					stack[j] = stack[j-1]
				}
				stack[j] = one
				count++
			}
		}
	}
}

// StartGrid is [ShapeWalk.Start] for a grid.
func (w *ShapeWalk) StartGrid(g *Grid, p *ShapePath) bool {
	w.grid = g
	return w.start(&g.frame, p)
}

// nextCell finds the next cell that the shape may touch within its range; false after the last.
func (w *ShapeWalk) nextCell() bool {
	g := w.grid
	for {
		w.count--
		top := w.stack[w.count]
		if top == bottom {
			return false
		}
		if top.from() > w.high {
			continue
		}
		level, x, z := g.block(top.ref())
		if level == 0 {
			w.leaf = top.ref()
			return true
		}
		across, behind := g.blocks(level - 1)
		from := w.count
		for i := z << blockStep; i < min((z+1)<<blockStep, behind); i++ {
			for k := x << blockStep; k < min((x+1)<<blockStep, across); k++ {
				s := g.span(level-1, k, i)
				if s.isEmpty() {
					continue
				}
				b := g.box(level-1, k, i, s)
				t, ok := w.meets(&b)
				if !ok {
					continue
				}
				one := newStackEntry(t, gridRef(level-1, i*across+k))
				j := w.count
				for ; j > from && w.stack[j-1] < one; j-- {
					w.stack[j] = w.stack[j-1]
				}
				w.stack[j] = one
				w.count++
			}
		}
	}
}

// meets returns the T from which on the shape may touch a box, as cross does for eight.
func (w *shapeBoxes) meets(b *geom.AABB) (from int32, ok bool) {
	if w.all {
		return 0, true
	}
	sides := [6]float32{b.Min.X, b.Max.X, b.Min.Y, b.Max.Y, b.Min.Z, b.Max.Z}
	from, to := w.low, w.high
	for axis := range 3 {
		near, far := sides[w.side[axis]/row%6], sides[(w.side[axis]^row)/row%6]
		from = max(from, bitsOf((w.near[axis]-near)*w.inverse[axis]))
		to = min(to, bitsOf((w.far[axis]-far)*w.inverse[axis]))
	}
	if from > to {
		return 0, false
	}
	for k := range w.planes {
		q := &w.plane[k%maxPlanes]
		x, y, z := sides[q.at[0]/row%6], sides[q.at[1]/row%6], sides[q.at[2]/row%6]
		if float32(q.v[0]*x)+float32(q.v[1]*y)+float32(q.v[2]*z) > q.beyond {
			return 0, false
		}
	}
	return from, true
}

// Cost returns the expected number of node visits of a ray by the surface-area heuristic.
func (g *Grid) Cost() float64 {
	area := func(b geom.AABB) float64 {
		e := b.Max.Wide().Sub(b.Min.Wide())
		return float64(e.X*e.Y) + float64(e.Y*e.Z) + float64(e.Z*e.X)
	}
	if g.frame.IsEmpty() {
		return 0
	}
	sum, all := 0.0, area(g.frame.bounds)
	g.Nodes(func(n Node) bool {
		if !n.Leaf {
			sum += area(n.Bounds)
		}
		return true
	})
	if c := sum / all; c <= math.MaxFloat64 {
		return c
	}
	return 1
}

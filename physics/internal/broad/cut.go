package broad

import "github.com/hitscan-go/hitscan/physics/geom"

// point is a box as the builder arranges it: a quarter of the sum of its corners, so that nothing
// overflows, and where the box is found.
type point struct {
	center [3]float32
	source uint32
}

const (
	// pendingSource marks a source as one of the boxes that wait, and not a slot of a node.
	pendingSource = 1 << 31
	// largeSource marks the source of a box that is much larger than most.
	largeSource = 1 << 30
)

// pointOf makes a point of a box, and marks those that are larger than others.
func pointOf(b *geom.AABB, source uint32, large float32) point {
	if b.Max.X-b.Min.X > large || b.Max.Y-b.Min.Y > large || b.Max.Z-b.Min.Z > large {
		source |= largeSource
	}
	return point{[3]float32{
		float32(b.Min.X*0.25) + float32(b.Max.X*0.25),
		float32(b.Min.Y*0.25) + float32(b.Max.Y*0.25),
		float32(b.Min.Z*0.25) + float32(b.Max.Z*0.25),
	}, source}
}

// spanOf returns the least and the greatest of the coordinates on each axis.
func spanOf(points []point) (lo, hi [3]float32) {
	x0, y0, z0 := inf32, inf32, inf32
	x1, y1, z1 := -inf32, -inf32, -inf32
	for i := range points { // min and max would cost more here, where a new one is rare
		c := &points[i].center
		if c[0] < x0 {
			x0 = c[0]
		}
		if c[0] > x1 {
			x1 = c[0]
		}
		if c[1] < y0 {
			y0 = c[1]
		}
		if c[1] > y1 {
			y1 = c[1]
		}
		if c[2] < z0 {
			z0 = c[2]
		}
		if c[2] > z1 {
			z1 = c[2]
		}
	}
	return [3]float32{x0, y0, z0}, [3]float32{x1, y1, z1}
}

// spread parts the points from one to another into blocks. There were so many cuts before the one
// that made this part, and so many since the cut in front of it.
func (p *Phase) spread(from, to int, useGrid bool, cut, cuts int32) {
	b := &p.builder
	n := to - from
	switch {
	case n == 0:
	case n <= blockSize:
		b.blocks = append(b.blocks, block{from: int32(from), to: int32(to), cut: cut})
	case useGrid && n >= gridLeast:
		p.spreadByGrid(from, to, cut, cuts)
	default:
		blocks := (n + blockSize - 1) / blockSize
		mid := from + n*(blocks/2)/blocks
		cutPoints(b.points[from:to], mid-from)
		p.spread(from, mid, true, cut, cuts+1)
		p.spread(mid, to, true, cuts, cuts+1)
	}
}

// cutPoints puts the mid points that are lowest along the longest side first.
func cutPoints(points []point, mid int) {
	lo, hi := spanOf(points)
	axis := 0
	for a := 1; a < 3; a++ {
		if hi[a]-lo[a] > hi[axis]-lo[axis] {
			axis = a
		}
	}
	for len(points) > 1 {
		x, y, z := points[0].center[axis], points[len(points)/2].center[axis], points[len(points)-1].center[axis]
		pivot := max(min(x, y), min(max(x, y), z))
		i, j := 0, len(points)-1
		for i <= j { // those before i are not above the pivot, those after j not below
			for points[i].center[axis] < pivot {
				i++
			}
			for points[j].center[axis] > pivot {
				j--
			}
			if i <= j {
				points[i], points[j] = points[j], points[i]
				i++
				j--
			}
		}
		switch {
		case mid <= j:
			points = points[:j+1]
		case mid >= i:
			points, mid = points[i:], mid-i
		default:
			return
		}
	}
}

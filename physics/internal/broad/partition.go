package broad

import "github.com/hitscan-go/hitscan/physics/geom"

// point is the centre of a box in a build, halved so that no sum overflows, and the source of the
// box: its slot, as node·8 + slot, or its index among the pending boxes.
type point struct {
	center [3]float32
	source uint32
}

const (
	// pendingSource marks the source of a pending box.
	pendingSource = 1 << 31
	// largeSource marks the source of a large box.
	largeSource = 1 << 30
)

// pointOf makes a point of a box, and marks it if a side is longer than large.
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

// spanOf returns the least and the greatest coordinates along each axis.
func spanOf(points []point) (lo, hi [3]float32) {
	x0, y0, z0 := inf32, inf32, inf32
	x1, y1, z1 := -inf32, -inf32, -inf32
	for i := range points { // branches are faster here than min and max: nearly all are predicted
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

// partition divides the points in [from, to) into blocks. cut is the depth of the cut at from, and
// cuts the number of cuts that led to this range: the deeper the cut between two blocks, the nearer
// they are in the tree.
func (p *Phase) partition(from, to int, useGrid bool, cut, cuts int32) {
	b := &p.builder
	n := to - from
	switch {
	case n == 0:
	case n <= blockSize:
		b.blocks = append(b.blocks, block{from: int32(from), to: int32(to), cut: cut})
	case useGrid && n >= gridLeast:
		p.partitionByGrid(from, to, cut, cuts)
	default:
		blocks := (n + blockSize - 1) / blockSize
		mid := from + n*(blocks/2)/blocks
		cutPoints(b.points[from:to], mid-from)
		p.partition(from, mid, true, cut, cuts+1)
		p.partition(mid, to, true, cuts, cuts+1)
	}
}

// cutPoints moves the mid points that are lowest along the longest side of their extent to the
// front, by quickselect (Hoare 1961) with the median of three as pivot.
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
		for i <= j { // points before i are not above the pivot, points after j not below
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

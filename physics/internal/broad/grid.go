package broad

import "math/bits"

// Many boxes are divided into blocks without sorting. A grid counts the centres in each cell.
// Ranges of cells are cut in two at the median, and again, until at most a block is left in each.
// Then every box is moved once, to the others of its range. A summed-volume table (Crow 1984) gives
// the number of centres in any range of cells. A cell with too many gets a grid of its own, or is
// cut by cutPoints.

// block is a range of the points that becomes one node of level 2 with its subtree.
type block struct {
	from, to             int32
	firstLeaf, firstFork int32 // its nodes of level 0 and 1
	cut                  int32 // depth of the cut between it and the block before
}

// grid is a grid over the centres of some boxes.
type grid struct {
	lo, scale [3]float32
	bits      [3]uint
	cells     []uint32 // the number of points in each cell, later the index of its range
	sums      []uint32 // summed-volume table: the points in cells below on every axis
	ranges    []cellRange
	parts     []gridPart
}

// gridPart is the result of one part of the points.
type gridPart struct {
	lo, hi [3]float32
	counts []uint32 // in each cell
	next   []uint32 // where the next point of this part in each range goes
}

// cellRange is a box of cells, with the number of points in it.
type cellRange struct {
	lo, hi    [3]uint16
	count     uint32
	cut, cuts int32 // see partition
}

// partitionByGrid is partition by a grid.
func (p *Phase) partitionByGrid(from, to int, cut, cuts int32) {
	b := &p.builder
	n := to - from
	workers := b.workers
	if n < sharedPoints {
		workers = 1
	}
	g := b.takeGrid()
	b.grid, b.from, b.to, b.parts = g, from, to, workers
	for len(g.parts) < workers {
		g.parts = append(g.parts, gridPart{})
	}
	b.cellOf = sized(b.cellOf, len(b.points))
	p.loop.Run(p, workers, workers, 1, (*Phase).spanPart)
	g.lay(n, workers)
	p.loop.Run(p, workers, workers, 1, (*Phase).countPart)
	g.collect(workers)
	g.sum()
	all := cellRange{count: uint32(n), cut: cut, cuts: cuts}
	for a := range all.hi {
		all.hi[a] = 1 << g.bits[a]
	}
	g.cut(all)
	g.place(workers)
	p.loop.Run(p, workers, workers, 1, (*Phase).movePart)
	if n == len(b.points) {
		b.points, b.other = b.other, b.points
	} else {
		copy(b.points[from:to], b.other[from:to])
	}
	for k := range g.ranges {
		s := &g.ranges[k]
		end := from + int(s.count)
		p.partition(from, end, int(s.count) <= n/2, s.cut, s.cuts)
		from = end
	}
	b.grids = append(b.grids, g)
}

// spanPart, countPart and movePart do one part of the points: their extent, the counts of cells,
// and the move into ranges.
func (p *Phase) spanPart(_, part, _ int) {
	b := &p.builder
	s := &b.grid.parts[part]
	from, to := partOf(b.to-b.from, part, b.parts)
	s.lo, s.hi = spanOf(b.points[b.from+from : b.from+to])
}

func (p *Phase) countPart(_, part, _ int) {
	b, g := &p.builder, p.builder.grid
	from, to := partOf(b.to-b.from, part, b.parts)
	points := b.points[b.from+from : b.from+to]
	counts := g.parts[part].counts
	clear(counts)
	cellOf := b.cellOf[b.from+from : b.from+to]
	for i := range points {
		c := g.cell(&points[i])
		cellOf[i] = uint16(c)
		counts[c]++
	}
}

func (p *Phase) movePart(_, part, _ int) {
	b, g := &p.builder, p.builder.grid
	from, to := partOf(b.to-b.from, part, b.parts)
	points, other := b.points[b.from+from:b.from+to], b.other[b.from:b.to]
	cellOf, next := b.cellOf[b.from+from:b.from+to], g.parts[part].next
	for i := range points {
		at := &next[g.cells[cellOf[i]]]
		other[*at] = points[i]
		*at++
	}
}

func (b *builder) takeGrid() *grid {
	if n := len(b.grids); n > 0 {
		g := b.grids[n-1]
		b.grids = b.grids[:n-1]
		return g
	}
	return new(grid)
}

// lay makes an empty grid for n points, with cells as nearly cubes as halving allows.
func (g *grid) lay(n, workers int) {
	lo, hi := g.parts[0].lo, g.parts[0].hi
	for w := 1; w < workers; w++ {
		for a := range lo {
			lo[a], hi[a] = min(lo[a], g.parts[w].lo[a]), max(hi[a], g.parts[w].hi[a])
		}
	}
	cell := [3]float32{hi[0] - lo[0], hi[1] - lo[1], hi[2] - lo[2]}
	g.lo, g.bits = lo, [3]uint{}
	for range max(0, min(gridBits, bits.Len(uint(n))-perCellBits)) {
		axis := 0
		for a := 1; a < 3; a++ {
			if cell[a] > cell[axis] {
				axis = a
			}
		}
		cell[axis] *= 0.5
		g.bits[axis]++
	}
	for a := range cell {
		g.scale[a] = 1 / cell[a]
		if !(g.scale[a] < 1e38) {
			g.scale[a] = 0
		}
	}
	cells := 1 << (g.bits[0] + g.bits[1] + g.bits[2])
	g.cells = sized(g.cells, cells)
	for w := range workers {
		g.parts[w].counts = sized(g.parts[w].counts, cells)
	}
	g.ranges = g.ranges[:0]
}

// collect adds up the counts of all parts.
func (g *grid) collect(workers int) {
	copy(g.cells, g.parts[0].counts)
	for w := 1; w < workers; w++ {
		for i, n := range g.parts[w].counts {
			g.cells[i] += n
		}
	}
}

// place computes where each part moves its points of each range: behind those of the parts before
// it, so that the order of points does not depend on the number of parts.
func (g *grid) place(workers int) {
	for k := range g.ranges {
		g.name(&g.ranges[k], uint32(k))
	}
	for w := range workers {
		s := &g.parts[w]
		s.next = sized(s.next, len(g.ranges))
		clear(s.next)
		for i, n := range s.counts {
			s.next[g.cells[i]] += n
		}
	}
	at := uint32(0)
	for k := range g.ranges {
		for w := range workers {
			next := &g.parts[w].next[k]
			at, *next = at+*next, at
		}
	}
}

// cell returns the cell that a point is in.
func (g *grid) cell(p *point) uint32 {
	x := min(uint32((p.center[0]-g.lo[0])*g.scale[0]), 1<<g.bits[0]-1)
	y := min(uint32((p.center[1]-g.lo[1])*g.scale[1]), 1<<g.bits[1]-1)
	z := min(uint32((p.center[2]-g.lo[2])*g.scale[2]), 1<<g.bits[2]-1)
	return (z<<g.bits[1]|y)<<g.bits[0] | x
}

// sum computes the summed-volume table.
func (g *grid) sum() {
	nx, ny, nz := 1<<g.bits[0], 1<<g.bits[1], 1<<g.bits[2]
	row, slab := nx+1, (nx+1)*(ny+1)
	g.sums = sized(g.sums, slab*(nz+1))
	clear(g.sums[:slab])
	for z := range nz {
		clear(g.sums[(z+1)*slab:][:row])
		for y := range ny {
			out := g.sums[(z+1)*slab+(y+1)*row:][:row]
			above := g.sums[(z+1)*slab+y*row:][:row]
			before := g.sums[z*slab+(y+1)*row:][:row]
			both := g.sums[z*slab+y*row:][:row]
			cells := g.cells[(z*ny+y)*nx:][:nx]
			sum := uint32(0)
			out[0] = 0
			for x, c := range cells {
				sum += c
				out[x+1] = sum + above[x+1] + before[x+1] - both[x+1]
			}
		}
	}
}

// count returns the number of points in a range of cells.
func (g *grid) count(lo, hi [3]uint16) uint32 {
	row := 1<<g.bits[0] + 1
	slab := row * (1<<g.bits[1] + 1)
	at := func(x, y, z uint16) uint32 { return g.sums[int(z)*slab+int(y)*row+int(x)] }
	return at(hi[0], hi[1], hi[2]) - at(lo[0], hi[1], hi[2]) - at(hi[0], lo[1], hi[2]) - at(hi[0], hi[1], lo[2]) +
		at(lo[0], lo[1], hi[2]) + at(lo[0], hi[1], lo[2]) + at(hi[0], lo[1], lo[2]) - at(lo[0], lo[1], lo[2])
}

// cut cuts a range at the median along its longest side, until it has at most blockSize points or
// is one cell.
func (g *grid) cut(s cellRange) {
	for s.count > blockSize {
		g.trim(&s)
		axis, longest := -1, float32(-1)
		for a := range s.lo {
			cells := s.hi[a] - s.lo[a]
			if cells < 2 {
				continue
			}
			if length := float32(cells) / g.scale[a]; length > longest {
				axis, longest = a, length
			}
		}
		if axis < 0 {
			break
		}
		first := s
		lo, hi := s.lo[axis]+1, s.hi[axis]-1
		for lo < hi {
			mid := (lo + hi) / 2
			first.hi[axis] = mid
			if g.count(first.lo, first.hi) < s.count/2 {
				lo = mid + 1
			} else {
				hi = mid
			}
		}
		first.hi[axis] = lo
		first.count = g.count(first.lo, first.hi)
		if lo-1 > s.lo[axis] {
			less := first
			less.hi[axis] = lo - 1
			if less.count = g.count(less.lo, less.hi); s.count-less.count < first.count {
				first = less
			}
		}
		s.lo[axis] = first.hi[axis]
		s.count -= first.count
		first.cuts++
		s.cut = s.cuts
		s.cuts++
		g.cut(first)
	}
	if s.count > 0 {
		g.ranges = append(g.ranges, s)
	}
}

// trim removes empty layers of cells at the sides of a range.
func (g *grid) trim(s *cellRange) {
	for a := range s.lo {
		for s.hi[a]-s.lo[a] > 1 {
			lo, hi := s.lo, s.hi
			lo[a] = hi[a] - 1
			if g.count(lo, hi) > 0 {
				break
			}
			s.hi[a]--
		}
		for s.hi[a]-s.lo[a] > 1 {
			lo, hi := s.lo, s.hi
			hi[a] = lo[a] + 1
			if g.count(lo, hi) > 0 {
				break
			}
			s.lo[a]++
		}
	}
}

// name writes the index of a range into its cells.
func (g *grid) name(s *cellRange, k uint32) {
	for z := s.lo[2]; z < s.hi[2]; z++ {
		for y := s.lo[1]; y < s.hi[1]; y++ {
			row := (int(z)<<g.bits[1] | int(y)) << g.bits[0]
			cells := g.cells[row+int(s.lo[0]) : row+int(s.hi[0])]
			for i := range cells {
				cells[i] = k
			}
		}
	}
}

package wide

import (
	"fmt"
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// A grid is a height field: rows of heights over a rectangle, with two triangles in each cell of
// four. Heights lie in pages of 64 by 64 cells, which copies of a grid share until one of them is
// written.

const (
	pageShift = 6
	pageCells = 1 << pageShift
	pageSide  = pageCells + 1 // the heights at the far edges are stored in the next page too
	// blockStep is the base-2 logarithm of the blocks along the side of the next larger one.
	blockStep = 2
	smallest  = pageCells >> blockStep // blocks of 4 along the side of a page
	pageLevel = pageShift / blockStep  // the level of the blocks that are pages
)

// Hole is the material of a cell without triangles.
const Hole = 255

// page is 64 by 64 cells. The assembly depends on its layout.
type page struct {
	// The leaves of its blocks of 16 cells a side in rows, and its own parts. They begin at a cache
	// line, as Go allocates structs of this size.
	small   [smallest * smallest >> (2 * blockStep)]leafSpans
	large   parts
	codes   []uint16  // rows of heights in steps
	heights []float32 // or in metres
	cells   []uint8   // the material of each cell; nil if all are 0
}

// layer is the blocks of one level, or the leaves. The assembly depends on its layout.
type layer struct {
	// The lines between their parts, leaves or cells along x and z. Beyond the grid the last line
	// repeats.
	xs, zs []float32
	across int32
	blocks []parts // in rows, above pages; see partsOf
}

// Grid is a height field. Column c and row r of its heights are at x = StartX + c·CellX and z =
// StartZ + r·CellZ, rounded once. The assembly depends on the layout up to across.
type Grid struct {
	frame          Tree // has the bounds alone
	pages          []*page
	layers         []layer // of level 1 and up
	low, step      float64 // of codes, in metres
	columns, rows  int32
	across, behind int32 // pages along x and z

	GridLayout
	xs, zs     []float32
	perX, perZ float64 // cells a metre
	holes      bool    // there may be some
}

// GridLayout is what a grid is made by. Cells are counted along x and z. Heights take two bytes,
// from Low to High, if Low < High, and else four.
type GridLayout struct {
	Columns, Rows  int
	StartX, StartZ float32
	CellX, CellZ   float32
	Low, High      float32
}

// Codes is the greatest code of a height of two bytes, which stands for High.
const Codes = math.MaxUint16

// NewGrid returns a grid without holes of which all heights are 0, or Low.
func NewGrid(l GridLayout) (*Grid, error) {
	finite := func(x float32) bool { return x-x == 0 }
	switch {
	case l.Columns < 1 || l.Rows < 1 || l.Columns > MaxTriangles/2/l.Rows:
		return nil, fmt.Errorf("%d by %d cells: there must be 1 to %d", l.Columns, l.Rows, MaxTriangles/2)
	case !finite(l.StartX) || !finite(l.StartZ):
		return nil, fmt.Errorf("the corner (%v, %v) is not finite", l.StartX, l.StartZ)
	case !(l.CellX > 0) || !(l.CellZ > 0) || !finite(l.CellX) || !finite(l.CellZ):
		return nil, fmt.Errorf("cells of %v by %v metres", l.CellX, l.CellZ)
	case !finite(l.Low) || !finite(l.High) || l.Low > l.High:
		return nil, fmt.Errorf("heights from %v to %v", l.Low, l.High)
	}
	g := &Grid{GridLayout: l, columns: int32(l.Columns), rows: int32(l.Rows)}
	g.low, g.step = float64(l.Low), (float64(l.High)-float64(l.Low))/Codes
	g.perX, g.perZ = 1/float64(l.CellX), 1/float64(l.CellZ)
	var ok bool
	if g.xs, ok = lines(l.StartX, l.CellX, l.Columns); ok {
		g.zs, ok = lines(l.StartZ, l.CellZ, l.Rows)
	}
	if !ok {
		return nil, fmt.Errorf("cells of %v by %v metres at (%v, %v) are smaller than float32 resolves", l.CellX, l.CellZ, l.StartX, l.StartZ)
	}
	g.across, g.behind = (g.columns-1)>>pageShift+1, (g.rows-1)>>pageShift+1
	g.pages = make([]*page, g.across*g.behind)
	for level, across, behind := 1, g.columns, g.rows; ; level++ {
		spacing := 1 << (blockStep * (level - 1))
		across, behind = (across-1)>>blockStep+1, (behind-1)>>blockStep+1
		l := layer{xs: every(spacing, g.xs, across<<blockStep), zs: every(spacing, g.zs, behind<<blockStep), across: across}
		if level == 2 {
			l.zs = every(leafRows, g.zs, behind<<blockStep*2)
		}
		if level > pageLevel {
			l.blocks = slices.Repeat([]parts{noParts}, int(across*behind))
		}
		g.layers = append(g.layers, l)
		if level > pageLevel && spacing >= max(g.Columns, g.Rows) {
			break
		}
	}
	g.frame.ids, g.frame.units = make([]int32, 1), make([]unit, 1)
	g.frame.root = gridRef(g.top(), 0)
	for i := range g.pages {
		p := &page{large: noParts}
		for k := range p.small {
			p.small[k] = noLeaves
		}
		if l.Low < l.High {
			p.codes = make([]uint16, pageSide*pageSide)
		} else {
			p.heights = make([]float32, pageSide*pageSide)
		}
		g.pages[i] = p
	}
	return g, nil
}

// lines returns the coordinates of the heights along an axis, and whether they increase.
func lines(start, cell float32, n int) ([]float32, bool) {
	list := make([]float32, n+1)
	for i := range list {
		list[i] = float32(float64(start) + float64(float64(i)*float64(cell)))
		if i > 0 && !(list[i] > list[i-1]) || list[i]-list[i] != 0 {
			return nil, false
		}
	}
	return list, true
}

// every returns every n-th of the lines, which are the sides of some parts in a row.
func every(n int, lines []float32, parts int32) []float32 {
	list := make([]float32, parts+1)
	for i := range list {
		list[i] = lines[min(i*n, len(lines)-1)]
	}
	return list
}

// Share returns a copy of the grid that shares its pages. Neither may be written after that, except
// in pages that were copied by [Grid.Own].
func (g *Grid) Share() *Grid {
	c := *g
	c.pages = append([]*page(nil), g.pages...)
	c.layers = append([]layer(nil), g.layers...)
	for i := range c.layers {
		c.layers[i].blocks = append([]parts(nil), g.layers[i].blocks...)
	}
	return &c
}

// Own replaces a page by a copy.
func (g *Grid) Own(at int) {
	p := *g.pages[at]
	p.codes, p.heights, p.cells = append([]uint16(nil), p.codes...), append([]float32(nil), p.heights...), append([]uint8(nil), p.cells...)
	g.pages[at] = &p
}

// NumPages returns the number of pages.
func (g *Grid) NumPages() int { return len(g.pages) }

// PagesOf calls visit with the pages that hold a height of a region, and the part of the region in
// each. The ends of the region are not in it.
func (g *Grid) PagesOf(column, row, endColumn, endRow int, visit func(page, column, row, endColumn, endRow int)) {
	// The first page with a column c is (c−1)>>pageShift.
	for pz := max(row-1, 0) >> pageShift; pz < int(g.behind) && pz<<pageShift < endRow; pz++ {
		for px := max(column-1, 0) >> pageShift; px < int(g.across) && px<<pageShift < endColumn; px++ {
			x, z := px<<pageShift, pz<<pageShift
			visit(pz*int(g.across)+px, max(column, x), max(row, z), min(endColumn, x+pageSide), min(endRow, z+pageSide))
		}
	}
}

// SetRow writes heights of one row in a page that the grid owns: codes or metres, as the layout
// has it. See [Grid.PagesOf].
func (g *Grid) SetRow(at, column, row int, codes []uint16, heights []float32) {
	p := g.pages[at]
	x, z := column-at%int(g.across)<<pageShift, row-at/int(g.across)<<pageShift
	if p.codes != nil {
		copy(p.codes[z*pageSide+x:], codes)
	} else {
		copy(p.heights[z*pageSide+x:], heights)
	}
}

// SetMaterial writes the material of a cell in a page that the grid owns, of [Grid.PageOf].
func (g *Grid) SetMaterial(column, row int, material uint8) {
	p := g.pages[g.PageOf(column, row)]
	if p.cells == nil {
		if material == 0 {
			return
		}
		p.cells = make([]uint8, pageCells*pageCells)
	}
	p.cells[row%pageCells*pageCells+column%pageCells] = material
	g.holes = g.holes || material == Hole
}

// PageOf returns the page of a cell.
func (g *Grid) PageOf(column, row int) int {
	return row>>pageShift*int(g.across) + column>>pageShift
}

// Material returns the material of a cell.
func (g *Grid) Material(column, row int) uint8 {
	p := g.pages[g.PageOf(column, row)]
	if p.cells == nil {
		return 0
	}
	return p.cells[row%pageCells*pageCells+column%pageCells]
}

// Height returns a height in metres.
func (g *Grid) Height(column, row int) float32 {
	px, pz := min(int32(column)>>pageShift, g.across-1), min(int32(row)>>pageShift, g.behind-1)
	p := g.pages[pz*g.across+px]
	return g.height(p, (int32(row)-pz<<pageShift)*pageSide+int32(column)-px<<pageShift)
}

func (g *Grid) height(p *page, i int32) float32 {
	if p.codes != nil {
		return g.decode(p.codes[i])
	}
	return p.heights[i]
}

func (g *Grid) decode(code uint16) float32 {
	return float32(g.low + float64(float64(code)*g.step))
}

// Code returns the code of the height nearest to h, which must be from Low to High.
func (g *Grid) Code(h float32) uint16 {
	return uint16(math.RoundToEven((float64(h) - g.low) / g.step))
}

// Vertex returns a height as a point.
func (g *Grid) Vertex(column, row int) geom.Vec3 {
	return geom.Vec3{X: g.xs[column], Y: g.Height(column, row), Z: g.zs[row]}
}

// quad is the four corners of a cell: h01 is that of the first column and the second row.
type quad struct{ x0, x1, z0, z1, h00, h10, h01, h11 float32 }

// quad returns the corners of a cell; false of a hole.
func (g *Grid) quad(column, row int32) (q quad, ok bool) {
	p := g.pages[row>>pageShift*g.across+column>>pageShift]
	x, z := column&(pageCells-1), row&(pageCells-1)
	if p.cells != nil && p.cells[z<<pageShift+x] == Hole {
		return q, false
	}
	i := z*pageSide + x
	q.x0, q.x1, q.z0, q.z1 = g.xs[column], g.xs[column+1], g.zs[row], g.zs[row+1]
	if p.codes != nil {
		a, b := p.codes[i:i+2:i+2], p.codes[i+pageSide:i+pageSide+2:i+pageSide+2]
		low := g.low
		q.h00, q.h10 = float32(low+float64(float64(a[0])*g.step)), float32(low+float64(float64(a[1])*g.step))
		q.h01, q.h11 = float32(low+float64(float64(b[0])*g.step)), float32(low+float64(float64(b[1])*g.step))
		return q, true
	}
	a, b := p.heights[i:i+2:i+2], p.heights[i+pageSide:i+pageSide+2:i+pageSide+2]
	q.h00, q.h10, q.h01, q.h11 = a[0], a[1], b[0], b[1]
	return q, true
}

func (q *quad) span() heightSpan {
	return heightSpan{min(q.h00, q.h10, q.h01, q.h11), max(q.h00, q.h10, q.h01, q.h11)}
}

// triangle returns one of the two triangles of a cell.
func (q *quad) triangle(second bool) geom.Triangle {
	a, c := geom.Vec3{X: q.x0, Y: q.h00, Z: q.z0}, geom.Vec3{X: q.x1, Y: q.h11, Z: q.z1}
	if second {
		return geom.Triangle{A: a, B: c, C: geom.Vec3{X: q.x1, Y: q.h10, Z: q.z0}}
	}
	return geom.Triangle{A: a, B: geom.Vec3{X: q.x0, Y: q.h01, Z: q.z1}, C: c}
}

// NumTriangles returns the number of triangles, of which each cell has two, holes as well.
func (g *Grid) NumTriangles() int { return 2 * g.Columns * g.Rows }

// Triangle returns a triangle. That of a hole is a point.
func (g *Grid) Triangle(i int) geom.Triangle {
	column, row := g.Cell(i)
	q, ok := g.quad(int32(column), int32(row))
	if !ok {
		a := g.Vertex(column, row)
		return geom.Triangle{A: a, B: a, C: a}
	}
	return q.triangle(i&1 != 0)
}

// Cell returns the cell of a triangle.
func (g *Grid) Cell(triangle int) (column, row int) {
	cell := uint32(triangle) >> 1
	r := cell / uint32(g.columns)
	return int(cell - r*uint32(g.columns)), int(r)
}

// Vertices returns all heights as points, row by row.
func (g *Grid) Vertices() []geom.Vec3 {
	list := make([]geom.Vec3, 0, len(g.xs)*len(g.zs))
	for r := range g.zs {
		for c := range g.xs {
			list = append(list, g.Vertex(c, r))
		}
	}
	return list
}

// Indices returns the indices of all triangles; those in a hole have three times the same.
func (g *Grid) Indices() []uint32 {
	list := make([]uint32, 0, 3*g.NumTriangles())
	for r := range g.Rows {
		for c := range g.Columns {
			a := uint32(r*(g.Columns+1) + c)
			b := a + uint32(g.Columns) + 1
			if g.Material(c, r) == Hole {
				list = append(list, a, a, a, a, a, a)
			} else {
				list = append(list, a, b, b+1, a, b+1, a+1)
			}
		}
	}
	return list
}

// Stored returns a height as it is stored: a code, if short, or metres.
func (g *Grid) Stored(column, row int) (code uint16, height float32, short bool) {
	px, pz := min(int32(column)>>pageShift, g.across-1), min(int32(row)>>pageShift, g.behind-1)
	p := g.pages[pz*g.across+px]
	i := (int32(row)-pz<<pageShift)*pageSide + int32(column) - px<<pageShift
	if p.codes != nil {
		return p.codes[i], 0, true
	}
	return 0, p.heights[i], false
}

// MaterialPages returns the number of pages with a material that is not 0.
func (g *Grid) MaterialPages() (n int) {
	for _, p := range g.pages {
		if p.cells != nil {
			n++
		}
	}
	return n
}

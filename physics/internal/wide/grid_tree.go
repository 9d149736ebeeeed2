package wide

import (
	"fmt"
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// The tree of a height field is implied: blocks of 16 by 16 cells, 64 by 64 and so on, and leaves
// of 4 by 2 cells, of which only the least and the greatest height are stored.

// heightSpan is the least and the greatest height in a block, and low > high if it has no triangle.
type heightSpan struct{ low, high float32 }

var noSpan = heightSpan{inf32, -inf32}

func (s heightSpan) isEmpty() bool { return s.low > s.high }

func (s heightSpan) join(t heightSpan) heightSpan {
	return heightSpan{min(s.low, t.low), max(s.high, t.high)}
}

// parts is the spans of the 16 parts of a block: rows 0, 2, 1 and 3 of four each. Those beyond the
// grid are empty. The assembly depends on its layout.
type parts struct{ low, high [16]float32 }

// leafSpans is the spans of the 32 leaves of a block of 16 by 16 cells: rows 0 and 4, 1 and 5, 2
// and 6, and 3 and 7 of four each. The assembly depends on its layout.
type leafSpans struct{ low, high [32]float32 }

// leafColumns and leafRows are the cells of a leaf along x and z.
const leafColumns, leafRows = 4, 2

// leafAt returns which leaf of its block a leaf is, by its column and row.
func leafAt(x, z int32) int32 { return z&3<<3 | z&4 | x&3 }

var noParts, noLeaves = func() (p parts, l leafSpans) {
	for i := range l.low {
		p.low[i/2], p.high[i/2] = noSpan.low, noSpan.high
		l.low[i], l.high[i] = noSpan.low, noSpan.high
	}
	return p, l
}()

// Refresh computes the spans of the blocks with a cell of a region, which does not include its
// ends, and the bounds.
func (g *Grid) Refresh(column, row, endColumn, endRow int) {
	x0, z0, x1, z1 := int32(column), int32(row), int32(endColumn-1), int32(endRow-1)
	for z := z0 / leafRows; z <= z1/leafRows; z++ {
		for x := x0 / leafColumns; x <= x1/leafColumns; x++ {
			m := g.measureLeaf(x, z)
			p, i := g.leavesOf(x>>2, z>>3), leafAt(x, z)
			p.low[i], p.high[i] = m.low, m.high
		}
	}
	for level := 2; level <= g.top(); level++ {
		s := uint(blockStep * level)
		for z := z0 >> s; z <= z1>>s; z++ {
			for x := x0 >> s; x <= x1>>s; x++ {
				m := g.measure(level, x, z)
				p, i := g.partsOf(level+1, x>>blockStep, z>>blockStep), partAt(x, z)
				p.low[i], p.high[i] = m.low, m.high
			}
		}
	}
	g.setFrame()
}

// measure returns the span of a block of more than 4 cells a side from its parts.
func (g *Grid) measure(level int, x, z int32) heightSpan {
	s := noSpan
	across, behind := g.blocks(level - 1)
	for i := z << blockStep; i < min((z+1)<<blockStep, behind); i++ {
		for k := x << blockStep; k < min((x+1)<<blockStep, across); k++ {
			s = s.join(g.span(level-1, k, i))
		}
	}
	return s
}

// measureLeaf returns the span of a leaf from its cells. Without holes, heights are in the order of
// their codes.
func (g *Grid) measureLeaf(x, z int32) heightSpan {
	x, z = x*leafColumns, z*leafRows
	endX, endZ := min(x+leafColumns, g.columns), min(z+leafRows, g.rows)
	p := g.pages[z>>pageShift*g.across+x>>pageShift]
	s := noSpan
	if p.cells != nil {
		for r := z; r < endZ; r++ {
			for c := x; c < endX; c++ {
				s = s.join(g.span(0, c, r))
			}
		}
		return s
	}
	low, high := uint16(math.MaxUint16), uint16(0)
	for r := z; r <= endZ; r++ {
		from := (r-z&^(pageCells-1))*pageSide + x&(pageCells-1)
		if p.codes != nil {
			for _, c := range p.codes[from : from+endX-x+1] {
				low, high = min(low, c), max(high, c)
			}
			continue
		}
		for _, h := range p.heights[from : from+endX-x+1] {
			s = s.join(heightSpan{h, h})
		}
	}
	if p.codes != nil {
		return heightSpan{g.decode(low), g.decode(high)}
	}
	return s
}

// top returns the level of the one block that has all cells. Those of level 0 are cells.
func (g *Grid) top() int { return len(g.layers) - 1 }

// blocks returns the number of blocks of a level along x and z.
func (g *Grid) blocks(level int) (across, behind int32) {
	s := uint(blockStep * level)
	return (g.columns-1)>>s + 1, (g.rows-1)>>s + 1
}

// span returns the span of a block.
func (g *Grid) span(level int, x, z int32) heightSpan {
	if level == 0 {
		q, ok := g.quad(x, z)
		if !ok {
			return noSpan
		}
		return q.span()
	}
	if level == 1 {
		p, i, k := g.leavesOf(x>>2, z>>2), leafAt(x, 2*z), leafAt(x, 2*z+1)
		return heightSpan{p.low[i], p.high[i]}.join(heightSpan{p.low[k], p.high[k]})
	}
	p, i := g.partsOf(level+1, x>>blockStep, z>>blockStep), partAt(x, z)
	return heightSpan{p.low[i], p.high[i]}
}

// partAt returns which part of the next larger block a block is.
func partAt(x, z int32) int32 { return z&1<<3 | z&2<<1 | x&3 }

// leavesOf returns the spans of the leaves of a block of level 2.
func (g *Grid) leavesOf(x, z int32) *leafSpans {
	return &g.pages[z>>2*g.across+x>>2].small[z&3<<2|x&3]
}

// partsOf returns the spans of the parts of a block of level 3 or more. The level may be one above
// the top.
func (g *Grid) partsOf(level int, x, z int32) *parts {
	if level == pageLevel {
		return &g.pages[z*g.across+x].large
	}
	l := &g.layers[level-1]
	return &l.blocks[z*l.across+x]
}

// box returns the bounds of a block that has triangles.
func (g *Grid) box(level int, x, z int32, s heightSpan) geom.AABB {
	shift := uint(blockStep * level)
	return geom.AABB{
		Min: geom.Vec3{X: g.xs[x<<shift], Y: s.low, Z: g.zs[z<<shift]},
		Max: geom.Vec3{X: g.xs[min((x+1)<<shift, g.columns)], Y: s.high, Z: g.zs[min((z+1)<<shift, g.rows)]},
	}
}

// setFrame computes the bounds of all triangles.
func (g *Grid) setFrame() {
	s := g.span(g.top(), 0, 0)
	if s.isEmpty() {
		g.frame.ids = nil
		return
	}
	g.frame.ids = make([]int32, 1)
	b := geom.EmptyAABB()
	if !g.holes {
		b = g.box(g.top(), 0, 0, s)
	} else {
		for _, c := range [4][2]int32{{0, 0}, {g.columns - 1, 0}, {0, g.rows - 1}, {g.columns - 1, g.rows - 1}} {
			g.widen(&b, 0, c[0], c[1])
		}
		g.widen(&b, g.top(), 0, 0)
	}
	g.frame.setBounds(geom.AABB{Min: geom.Vec3{X: b.Min.X, Y: s.low, Z: b.Min.Z}, Max: geom.Vec3{X: b.Max.X, Y: s.high, Z: b.Max.Z}})
}

// widen widens a box to the cells of a block along x and z.
func (g *Grid) widen(b *geom.AABB, level int, x, z int32) {
	s := g.span(level, x, z)
	if s.isEmpty() {
		return
	}
	box := g.box(level, x, z, s)
	if b.Min.X <= box.Min.X && b.Max.X >= box.Max.X && b.Min.Z <= box.Min.Z && b.Max.Z >= box.Max.Z {
		return
	}
	if level == 0 {
		b.Min, b.Max = b.Min.Min(box.Min), b.Max.Max(box.Max)
		return
	}
	across, behind := g.blocks(level - 1)
	for i := z << blockStep; i < min((z+1)<<blockStep, behind); i++ {
		for k := x << blockStep; k < min((x+1)<<blockStep, across); k++ {
			g.widen(b, level-1, k, i)
		}
	}
}

// Bounds returns the smallest box around all triangles; empty if there are none.
func (g *Grid) Bounds() geom.AABB { return g.frame.Bounds() }

// Nodes calls yield with all blocks, each before its parts, until yield returns false.
func (g *Grid) Nodes(yield func(Node) bool) { g.eachNode(g.top(), 0, 0, yield) }

func (g *Grid) eachNode(level int, x, z int32, yield func(Node) bool) bool {
	s := g.span(level, x, z)
	if s.isEmpty() {
		return true
	}
	n := Node{Bounds: g.box(level, x, z, s), Level: g.top() - level, Leaf: level == 0}
	if level == 0 {
		n.Triangles = 2
	}
	if !yield(n) {
		return false
	}
	if level > 0 {
		across, behind := g.blocks(level - 1)
		for i := z << blockStep; i < min((z+1)<<blockStep, behind); i++ {
			for k := x << blockStep; k < min((x+1)<<blockStep, across); k++ {
				if !g.eachNode(level-1, k, i, yield) {
					return false
				}
			}
		}
	}
	return true
}

// Validate returns an error if a span is not that of the heights, or a height is not finite.
func (g *Grid) Validate() error {
	same := func(s, want heightSpan) bool { return s == want || s.isEmpty() && want.isEmpty() }
	for z := range (g.rows-1)/leafRows + 1 {
		for x := range (g.columns-1)/leafColumns + 1 {
			p, i := g.leavesOf(x>>2, z>>3), leafAt(x, z)
			if s, want := (heightSpan{p.low[i], p.high[i]}), g.measureLeaf(x, z); !same(s, want) {
				return fmt.Errorf("leaf %d, %d: heights %v, should be %v", x, z, s, want)
			}
		}
	}
	for level := 2; level <= g.top(); level++ {
		across, behind := g.blocks(level)
		for z := range behind {
			for x := range across {
				if s, want := g.span(level, x, z), g.measure(level, x, z); !same(s, want) {
					return fmt.Errorf("block %d, %d of level %d: heights %v, should be %v", x, z, level, s, want)
				}
			}
		}
	}
	if s := g.span(g.top(), 0, 0); !s.isEmpty() && !(s.high-s.low <= math.MaxFloat32 || s.low >= -math.MaxFloat32 && s.high <= math.MaxFloat32) {
		return fmt.Errorf("heights %v", s)
	}
	return nil
}

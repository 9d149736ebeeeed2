package physics

import (
	"fmt"
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// NewTiles returns a grid of square tiles for a planar space, as one shape without inner edges:
// what slides over tiles side by side does not catch on an edge between two. Tile (x, y), of
// columns and rows, covers the square from (x, y)·size to (x+1, y+1)·size, in metres, if solid
// returns true.
//
// Tiles of a row whose upper and lower sides are alike are one child of the [Compound], counted
// from the lowest row, and there from the left. A collision takes time in proportion to the
// children: a large level is several shapes. An edge between two shapes is one that things may
// catch on, and casts see the children as boxes. What is deeper in tiles than half a tile may not
// be pushed out.
//
// Panics if a number of tiles is negative, size is not positive, a corner is infinite, or solid is
// nil though there are tiles.
func NewTiles(columns, rows int, size float32, solid func(x, y int) bool) *Compound {
	if columns < 0 || rows < 0 || !(size > 0) || math.IsInf(float64(float32(max(columns, rows))*size), 0) {
		panic(fmt.Sprintf("physics: NewTiles: %d columns, %d rows, size %g m", columns, rows, size))
	}
	if solid == nil && columns > 0 && rows > 0 {
		panic("physics: NewTiles: solid is nil")
	}
	is := func(x, y int) uint8 {
		if x >= 0 && x < columns && y >= 0 && y < rows && solid(x, y) {
			return 1
		}
		return 0
	}
	around := func(x, y int) uint8 { return is(x, y-1) | is(x, y+1)<<2 }
	corner := func(x, y int) geom.Vec3 { return geom.V(float32(x), float32(y), 0).Mul(size) }
	var children []Child
	var hidden []uint8
	for y := range rows {
		for x := 0; x < columns; x++ {
			if is(x, y) == 0 {
				continue
			}
			from, sides := x, around(x, y)
			for is(x+1, y) != 0 && around(x+1, y) == sides {
				x++
			}
			low, high := corner(from, y), corner(x+1, y+1)
			children = append(children, Child{Shape: geom.Box{Center: low.Add(high).Mul(0.5), HalfExtents: high.Sub(low).Mul(0.5)}})
			hidden = append(hidden, sides|is(x+1, y)<<1|is(from-1, y)<<3)
		}
	}
	c := NewCompound(children...)
	c.hidden = hidden
	return c
}

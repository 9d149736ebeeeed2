package mesh

import (
	"fmt"
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Generators of common shapes: closed surfaces, except [Plane], whose triangles run
// counter-clockwise seen from outside and share their vertices, so that averaged normals are
// smooth. The results are valid for [New]. All shapes are centred at the origin; an axis of
// rotation is Y. A size of zero flattens the shape, a negative one turns it inside out; New rejects
// one that is not finite.

// Box returns the box that reaches halfExtents, in metres, to both sides of the origin: 8 vertices
// and 12 triangles.
func Box(halfExtents geom.Vec3) (vertices []geom.Vec3, indices []uint32) {
	// Corner i is on the high side in x, y and z if bit 0, 1 and 2 of i is set.
	for i := range 8 {
		v := halfExtents
		if i&1 == 0 {
			v.X = -v.X
		}
		if i&2 == 0 {
			v.Y = -v.Y
		}
		if i&4 == 0 {
			v.Z = -v.Z
		}
		vertices = append(vertices, v)
	}
	for _, f := range [6][4]uint32{{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}} {
		indices = append(indices, f[0], f[1], f[2], f[0], f[2], f[3])
	}
	return vertices, indices
}

// Plane returns the rectangle at y = 0 that reaches halfX and halfZ metres to both sides, divided
// into columns along x and rows along z. Its front is above. Panics if columns or rows is less than
// 1.
func Plane(halfX, halfZ float32, columns, rows int) (vertices []geom.Vec3, indices []uint32) {
	atLeast("Plane", "columns", columns, 1)
	atLeast("Plane", "rows", rows, 1)
	along := func(half float32, i, n int) float32 { return float32(float64(half) * (2*float64(i)/float64(n) - 1)) }
	for row := range rows + 1 {
		for column := range columns + 1 {
			vertices = append(vertices, geom.Vec3{X: along(halfX, column, columns), Z: along(halfZ, row, rows)})
		}
	}
	for row := range rows {
		for column := range columns {
			a := uint32(row*(columns+1) + column)
			b := a + uint32(columns+1)
			indices = append(indices, a, b, b+1, a, b+1, a+1)
		}
	}
	return vertices, indices
}

// UVSphere returns a sphere of a radius in metres, with rings from pole to pole, each divided into
// segments around the Y axis. It has 2·segments·(rings − 1) triangles. Panics if segments is less
// than 3 or rings less than 2.
func UVSphere(radius float32, segments, rings int) (vertices []geom.Vec3, indices []uint32) {
	atLeast("UVSphere", "segments", segments, 3)
	atLeast("UVSphere", "rings", rings, 2)
	var profile []point
	for i := 1; i < rings; i++ {
		profile = append(profile, onCircle(radius, float64(i)/float64(2*rings)-0.25))
	}
	return lathe(point{0, -float64(radius)}, profile, point{0, float64(radius)}, segments)
}

// Capsule returns a capsule along the Y axis: the points no further than radius from the segment
// that reaches halfHeight up and down, so that its total height is 2·(halfHeight + radius), in
// metres. Each hemisphere has the given number of rings, divided into segments around the axis.
// Panics if segments is less than 3 or rings less than 1.
func Capsule(halfHeight, radius float32, segments, rings int) (vertices []geom.Vec3, indices []uint32) {
	atLeast("Capsule", "segments", segments, 3)
	atLeast("Capsule", "rings", rings, 1)
	h := float64(halfHeight)
	var profile []point
	for i := 1; i <= rings; i++ {
		p := onCircle(radius, float64(i)/float64(4*rings)-0.25)
		profile = append(profile, point{p.r, p.y - h})
	}
	for i := range rings {
		p := onCircle(radius, float64(i)/float64(4*rings))
		profile = append(profile, point{p.r, p.y + h})
	}
	return lathe(point{0, -h - float64(radius)}, profile, point{0, h + float64(radius)}, segments)
}

// Torus returns a ring around the Y axis: a tube of radius tube whose centre line is radius away
// from the axis, in metres. It has segments around the axis and sides around the tube,
// 2·segments·sides triangles. Panics if segments or sides is less than 3.
func Torus(radius, tube float32, segments, sides int) (vertices []geom.Vec3, indices []uint32) {
	atLeast("Torus", "segments", segments, 3)
	atLeast("Torus", "sides", sides, 3)
	for i := range sides {
		p := onCircle(tube, float64(i)/float64(sides))
		vertices = appendRing(vertices, point{float64(radius) + p.r, p.y}, segments)
	}
	for i := range sides {
		indices = appendBand(indices, uint32(i*segments), uint32((i+1)%sides*segments), segments)
	}
	return vertices, indices
}

// Icosphere returns a sphere of nearly equal triangles: an icosahedron whose triangles are divided
// into four, level times. It has 20·4^level triangles. Panics if level is negative or more than 10.
func Icosphere(radius float32, level int) (vertices []geom.Vec3, indices []uint32) {
	if level < 0 || level > 10 {
		panic(fmt.Sprintf("mesh: Icosphere: level %d: must be 0 to 10", level))
	}
	// Three golden rectangles, each at right angles to the other two.
	g := float64(1+math.Sqrt(5)) / 2
	directions := []geom.DVec3{
		{X: -1, Y: g}, {X: 1, Y: g}, {X: -1, Y: -g}, {X: 1, Y: -g},
		{Y: -1, Z: g}, {Y: 1, Z: g}, {Y: -1, Z: -g}, {Y: 1, Z: -g},
		{X: g, Z: -1}, {X: g, Z: 1}, {X: -g, Z: -1}, {X: -g, Z: 1},
	}
	for i, d := range directions {
		directions[i] = d.Normalize()
	}
	indices = []uint32{
		0, 11, 5, 0, 5, 1, 0, 1, 7, 0, 7, 10, 0, 10, 11,
		1, 5, 9, 5, 11, 4, 11, 10, 2, 10, 7, 6, 7, 1, 8,
		3, 9, 4, 3, 4, 2, 3, 2, 6, 3, 6, 8, 3, 8, 9,
		4, 9, 5, 2, 4, 11, 6, 2, 10, 8, 6, 7, 9, 8, 1,
	}
	for range level {
		middles := make(map[[2]uint32]uint32, len(indices)/2)
		middle := func(a, b uint32) uint32 {
			edge := [2]uint32{min(a, b), max(a, b)}
			i, ok := middles[edge]
			if !ok {
				i = uint32(len(directions))
				middles[edge] = i
				directions = append(directions, directions[edge[0]].Add(directions[edge[1]]).Normalize())
			}
			return i
		}
		finer := make([]uint32, 0, 4*len(indices))
		for i := 0; i < len(indices); i += 3 {
			a, b, c := indices[i], indices[i+1], indices[i+2]
			ab, bc, ca := middle(a, b), middle(b, c), middle(c, a)
			finer = append(finer, a, ab, ca, b, bc, ab, c, ca, bc, ab, bc, ca)
		}
		indices = finer
	}
	for _, d := range directions {
		vertices = append(vertices, d.Mul(float64(radius)).Narrow())
	}
	return vertices, indices
}

// point is a point of a profile that is rotated around the Y axis: its distance from the axis and
// its height.
type point struct{ r, y float64 }

// onCircle returns the point of the circle around the origin at an angle in turns, from the outside
// upward.
func onCircle(radius float32, turns float64) point {
	sin, cos := math.Sincos(2 * math.Pi * turns)
	return point{float64(radius) * cos, float64(radius) * sin}
}

// lathe rotates a profile around the Y axis, from the bottom up, and closes it with a vertex at
// each end.
func lathe(bottom point, profile []point, top point, segments int) (vertices []geom.Vec3, indices []uint32) {
	for _, p := range profile {
		vertices = appendRing(vertices, p, segments)
	}
	for i := range len(profile) - 1 {
		indices = appendBand(indices, uint32(i*segments), uint32((i+1)*segments), segments)
	}
	last, low := uint32((len(profile)-1)*segments), uint32(len(vertices))
	vertices = append(vertices, geom.Vec3{Y: float32(bottom.y)}, geom.Vec3{Y: float32(top.y)})
	for i := range segments {
		a, b := uint32(i), uint32((i+1)%segments)
		indices = append(indices, low, a, b, low+1, last+b, last+a)
	}
	return vertices, indices
}

func appendRing(vertices []geom.Vec3, p point, segments int) []geom.Vec3 {
	for i := range segments {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(segments))
		vertices = append(vertices, geom.DVec3{X: p.r * cos, Y: p.y, Z: p.r * sin}.Narrow())
	}
	return vertices
}

// appendBand joins two rings by two triangles per segment; lower and upper are the first vertices
// of the rings.
func appendBand(indices []uint32, lower, upper uint32, segments int) []uint32 {
	for i := range uint32(segments) {
		next := (i + 1) % uint32(segments)
		indices = append(indices, lower+i, upper+i, upper+next, lower+i, upper+next, lower+next)
	}
	return indices
}

func atLeast(function, what string, n, least int) {
	if n < least {
		panic(fmt.Sprintf("mesh: %s: %d %s: at least %d", function, n, what, least))
	}
}

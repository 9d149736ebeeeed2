package render

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Vertex formats for the two families of shapes.
//
// A sphere or a capsule is the set of points within a radius of a segment along Y; a sphere's
// segment has no length. One list of vertices serves all of them: each vertex is a direction,
// multiplied by the radius, and the sign of an end, multiplied by the half extents. Vertices of
// boxes have the signs of their corner and no direction. A scene of different boxes and spheres
// takes a few draw calls.

// vertex is the vertex format of the shaders, 44 bytes.
type vertex struct {
	offset geom.Vec3 // times the instance's radius
	normal geom.Vec3 // unit
	corner [4]int8   // −1, 0 or 1, times the instance's half extents; the fourth is not used
	paint
}

// placed returns the position of a vertex of a box, a sphere or a capsule in local space.
func (v vertex) placed(half geom.Vec3, radius float32) geom.Vec3 {
	corner := geom.V(float32(v.corner[0]), float32(v.corner[1]), float32(v.corner[2]))
	return v.offset.Mul(radius).Add(half.MulVec(corner))
}

// geometry is an indexed triangle list, counter-clockwise seen from outside.
type geometry struct {
	vertices []vertex
	indices  []uint32
}

// boxForm returns the surface of a box: four vertices a face, with the face's normal.
func boxForm() geometry {
	var g geometry
	for axis := range 3 {
		for _, side := range [...]int8{-1, 1} {
			first := uint32(len(g.vertices))
			for _, c := range [...][2]int8{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
				// The other two axes in cyclic order; on the negative side one is negated, to keep
				// the orientation.
				corner := [4]int8{}
				corner[axis], corner[(axis+1)%3], corner[(axis+2)%3] = side, c[0]*side, c[1]
				normal := [3]float32{}
				normal[axis] = float32(side)
				g.vertices = append(g.vertices, vertex{normal: geom.V(normal[0], normal[1], normal[2]), corner: corner})
			}
			g.indices = append(g.indices, first, first+1, first+2, first, first+2, first+3)
		}
	}
	return g
}

// capsuleForm returns the surface of capsules and spheres, with segments per quarter circle: a
// sphere with two copies of its equator, one for each end. The wall of a capsule lies between them.
func capsuleForm(segments int) geometry {
	cols := 4 * segments
	var g geometry
	add := func(n geom.Vec3, up int8) {
		g.vertices = append(g.vertices, vertex{offset: n, normal: n, corner: [4]int8{0, up, 0, 0}})
	}
	ring := func(row int, up int8) {
		sinRow, cosRow := quarter(row, segments) // from the pole
		for col := range cols {
			sin, cos := quarter(col%segments, segments)
			for range col / segments { // rotated by quadrants, so that they agree to the last bit
				sin, cos = cos, -sin
			}
			add(geom.V(cos*sinRow, cosRow*float32(up), sin*sinRow), up)
		}
	}
	add(geom.V(0, 1, 0), 1)
	for row := 1; row <= segments; row++ {
		ring(row, 1)
	}
	for row := segments; row >= 1; row-- {
		ring(row, -1)
	}
	add(geom.V(0, -1, 0), -1)

	rows, last := 2*segments, uint32(len(g.vertices)-1)
	at := func(row, col int) uint32 { return uint32(1 + row*cols + col%cols) }
	for col := range cols {
		g.indices = append(g.indices, 0, at(0, col+1), at(0, col))
		for row := range rows - 1 {
			a, b, c, d := at(row, col), at(row, col+1), at(row+1, col+1), at(row+1, col)
			g.indices = append(g.indices, a, b, c, a, c, d)
		}
		g.indices = append(g.indices, last, at(rows-1, col), at(rows-1, col+1))
	}
	return g
}

// quarter returns sine and cosine of i/n of a right angle, exact at both ends.
func quarter(i, n int) (sin, cos float32) {
	switch i {
	case 0:
		return 0, 1
	case n:
		return 1, 0
	}
	s, c := math.Sincos(float64(i) / float64(n) * math.Pi / 2)
	return float32(s), float32(c)
}

// creaseCosine is the cosine of the angle between two faces above which their common edge is drawn
// sharp: 35°. A larger angle makes cubes look inflated, a smaller one shows the faces of coarse
// meshes.
const creaseCosine = 0.819

// meshGeometry returns the triangles of a mesh. normals and paints have one for each vertex, or are
// nil; missing normals are computed, smoothed where faces meet at less than the crease angle.
func meshGeometry(vertices []geom.Vec3, normals []geom.Vec3, paints []paint, indices []uint32) geometry {
	around := newStars(vertices, indices)
	g := geometry{indices: make([]uint32, 0, len(indices))}
	type key struct {
		index  uint32
		normal geom.Vec3
	}
	seen := make(map[key]uint32, len(vertices))
	for i, index := range indices {
		var n geom.Vec3
		if normals != nil {
			n = normals[index].Normalize()
		}
		if n == (geom.Vec3{}) {
			n = around.normal(i, creaseCosine)
		}
		k := key{index, n}
		at, ok := seen[k]
		if !ok {
			at = uint32(len(g.vertices))
			seen[k] = at
			v := vertex{offset: vertices[index], normal: n}
			if paints != nil {
				v.paint = paints[index]
			}
			g.vertices = append(g.vertices, v)
		}
		g.indices = append(g.indices, at)
	}
	return g
}

// stars are the vertex stars of a mesh: the triangles around each place.
type stars struct {
	faces  []geom.Vec3 // unit normal of each triangle; zero if it has no area
	angles []float32   // of each corner of each triangle, radians
	place  []int32     // of each corner
	star   [][]int32   // the corners at each place
}

func newStars(vertices []geom.Vec3, indices []uint32) *stars {
	s := &stars{
		faces:  make([]geom.Vec3, len(indices)/3),
		angles: make([]float32, len(indices)),
	}
	var stands []uint32
	s.place, stands = placesOf(indices, func(index uint32) geom.Vec3 { return vertices[index] })
	s.star = make([][]int32, len(stands))
	for i, at := range s.place {
		s.star[at] = append(s.star[at], int32(i))
	}
	for tri := range s.faces {
		a, b, c := vertices[indices[3*tri]], vertices[indices[3*tri+1]], vertices[indices[3*tri+2]]
		s.faces[tri] = geom.Vec3(b.Wide().Sub(a.Wide()).Cross(c.Wide().Sub(a.Wide())).Normalize().Narrow())
		s.angles[3*tri] = angle(a, b, c)
		s.angles[3*tri+1] = angle(b, c, a)
		s.angles[3*tri+2] = angle(c, a, b)
	}
	return s
}

// angle returns the angle of a triangle at a, in radians; 0 for a degenerate triangle.
func angle(a, b, c geom.Vec3) float32 {
	u, v := b.Wide().Sub(a.Wide()), c.Wide().Sub(a.Wide())
	return float32(math.Atan2(u.Cross(v).Len(), u.Dot(v)))
}

// normal returns the smoothed normal of a corner: the mean of the faces around its place that meet
// its own face at less than the crease angle, weighted by their angles there (Thürmer and Wüthrich
// 1998). For a degenerate triangle it is the mean of all faces there.
func (s *stars) normal(corner int, crease float32) geom.Vec3 {
	own := s.faces[corner/3]
	if own == (geom.Vec3{}) {
		crease = -1
	}
	var sum geom.Vec3
	for _, c := range s.star[s.place[corner]] {
		if f := s.faces[c/3]; f.Dot(own) >= crease {
			sum = sum.Add(f.Mul(s.angles[c]))
		}
	}
	if n := sum.Normalize(); n != (geom.Vec3{}) {
		return n
	}
	return own
}

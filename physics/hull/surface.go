package hull

import (
	"cmp"
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// surface merges the triangles of a hull to faces.
type surface struct {
	p         []geom.DVec3
	triangles []triangle
	tolerance float64 // of a triangle's corners from its face's plane; 0: exactly coplanar
	weld      float64 // the distance below which two points are merged
	face      []int32 // of each triangle
	faces     int
}

// group merges triangles to faces: beginning with the largest triangle, each face takes in the
// neighbours that lie in its plane. Slivers, whose own plane is unreliable, come last and so join a
// neighbouring face.
func (s *surface) group() {
	order := make([]int32, len(s.triangles))
	area := make([]float64, len(s.triangles))
	s.face = make([]int32, len(s.triangles))
	for i := range s.triangles {
		order[i], area[i], s.face[i] = int32(i), s.triangles[i].normal.Len(), -1
	}
	slices.SortFunc(order, func(i, j int32) int { return cmp.Or(cmp.Compare(area[j], area[i]), cmp.Compare(i, j)) })
	var queue []int32
	for _, seed := range order {
		if s.face[seed] >= 0 {
			continue
		}
		s.face[seed] = int32(s.faces)
		queue = append(queue[:0], seed)
		for len(queue) > 0 {
			f := queue[0]
			queue = queue[1:]
			for _, beyond := range s.triangles[f].across {
				if s.face[beyond] < 0 && s.coplanar(seed, beyond) {
					s.face[beyond] = int32(s.faces)
					queue = append(queue, beyond)
				}
			}
		}
		s.faces++
	}
}

// coplanar reports whether a triangle lies in the plane of a larger one.
func (s *surface) coplanar(large, small int32) bool {
	a, b := &s.triangles[large], &s.triangles[small]
	if s.tolerance == 0 {
		for _, v := range b.v {
			if orient(s.p[a.v[0]], s.p[a.v[1]], s.p[a.v[2]], s.p[v]) != 0 {
				return false
			}
		}
		return true
	}
	n := unit(a.normal)
	for _, v := range b.v {
		if math.Abs(s.p[v].Sub(s.p[a.v[0]]).Dot(n)) > s.tolerance {
			return false
		}
	}
	// At a sharp edge a small triangle of the other side is close to the plane too, but its normal
	// differs.
	return n.Dot(unit(b.normal)) > 0.5 || s.isSliver(b)
}

// isSliver reports whether a triangle is so thin that rounding of its corners determines its plane.
func (s *surface) isSliver(t *triangle) bool {
	longest := 0.0
	for k := range t.v {
		longest = max(longest, s.p[t.v[(k+1)%3]].Sub(s.p[t.v[k]]).Len())
	}
	return t.normal.Len() <= s.tolerance*longest
}

// vertices returns the points that are vertices of the hull, in ascending order. The others are in
// no triangle, inside a face, or on the edge between two faces.
func (s *surface) vertices() []int32 {
	around := s.around()
	var keep []int32
	// A dropped point keeps its neighbours on the same edge, which were compared with it.
	dropped := make([]bool, len(s.p))
	for i := range s.p {
		v := int32(i)
		if len(around[v]) == 0 {
			continue
		}
		ends, faces := s.ends(around[v], v)
		if faces < 2 || s.doubles(around[v], v, dropped) {
			dropped[v] = true
			continue
		}
		if faces == 2 && len(ends) == 2 && !dropped[ends[0]] && !dropped[ends[1]] && s.between(ends[0], ends[1], v) {
			dropped[v] = true
			continue
		}
		keep = append(keep, v)
	}
	return keep
}

// doubles reports whether a point has a neighbour at the same position that is not dropped.
func (s *surface) doubles(triangles []int32, v int32, dropped []bool) bool {
	for _, f := range triangles {
		for _, w := range s.triangles[f].v {
			if w < v && !dropped[w] && s.p[w].Sub(s.p[v]).Len() <= s.weld {
				return true
			}
		}
	}
	return false
}

// around returns, for each point, the triangles that have it as a corner.
func (s *surface) around() [][]int32 {
	around := make([][]int32, len(s.p))
	for f := range s.triangles {
		for _, v := range s.triangles[f].v {
			around[v] = append(around[v], int32(f))
		}
	}
	return around
}

// ends returns the other ends of the edges between faces that start at v, and the number of faces
// around it.
func (s *surface) ends(triangles []int32, v int32) (ends []int32, faces int) {
	var seen []int32
	for _, f := range triangles {
		t := &s.triangles[f]
		k := slices.Index(t.v[:], v)
		if s.face[t.across[k]] != s.face[f] {
			ends = append(ends, t.v[(k+1)%3])
		}
		if !slices.Contains(seen, s.face[f]) {
			seen = append(seen, s.face[f])
		}
	}
	return ends, len(seen)
}

// between reports whether v is on the segment from a to b.
func (s *surface) between(a, b, v int32) bool {
	along, to := s.p[b].Sub(s.p[a]), s.p[v].Sub(s.p[a])
	off := to.Cross(along).Len()
	return off <= s.tolerance*along.Len() && to.Dot(along) > 0 && to.Dot(along) < along.Dot(along)
}

// hull returns the hull of the faces, whose vertices are all points. If the faces do not form a
// closed surface the hull is not valid.
func (s *surface) hull(vertices []geom.Vec3, tolerance float64) *Hull {
	h := &Hull{vertices: vertices, wide: s.p, tolerance: tolerance, bounds: geom.EmptyAABB()}
	for _, v := range vertices {
		h.bounds = h.bounds.Extend(v)
	}
	for _, triangles := range s.around() {
		h.adjacentStart = append(h.adjacentStart, uint32(len(h.adjacent)))
		v := int32(len(h.adjacentStart) - 1)
		for _, f := range triangles {
			t := &s.triangles[f]
			h.adjacent = append(h.adjacent, uint16(t.v[(slices.Index(t.v[:], v)+1)%3]))
		}
	}
	h.adjacentStart = append(h.adjacentStart, uint32(len(h.adjacent)))
	s.outline(h)
	h.collect()
	h.divide()
	h.fit()
	h.weigh()
	return h
}

// outline writes the corners and edges of all faces.
func (s *surface) outline(h *Hull) {
	// For each face, the edges of its triangles that border on other faces, from corner to corner.
	next := make([]map[int32]int32, s.faces)
	first := make([]int32, s.faces)
	for f := range s.triangles {
		t := &s.triangles[f]
		for k, beyond := range t.across {
			face := s.face[f]
			if s.face[beyond] == face {
				continue
			}
			if next[face] == nil {
				next[face], first[face] = map[int32]int32{}, t.v[k]
			}
			next[face][t.v[k]] = t.v[(k+1)%3]
			first[face] = min(first[face], t.v[k])
		}
	}
	type ends struct{ a, b int32 }
	known := map[ends]uint16{}
	for face, from := range next {
		h.faceStart = append(h.faceStart, uint32(len(h.faceVertices)))
		for v, n := first[face], 0; n < len(from); n++ {
			w := from[v]
			h.faceVertices = append(h.faceVertices, uint16(v))
			if e, ok := known[ends{w, v}]; ok {
				h.edges[e].Right = uint16(face)
				h.faceEdges = append(h.faceEdges, e)
			} else {
				known[ends{v, w}] = uint16(len(h.edges))
				h.faceEdges = append(h.faceEdges, uint16(len(h.edges)))
				h.edges = append(h.edges, Edge{A: uint16(v), B: uint16(w), Left: uint16(face), Right: uint16(face)})
			}
			if v = w; v == first[face] {
				break // with a second loop the hull is not valid
			}
		}
	}
	h.faceStart = append(h.faceStart, uint32(len(h.faceVertices)))
}

// collect lists the faces and edges around each vertex.
func (h *Hull) collect() {
	h.aroundStart = make([]uint32, len(h.vertices)+1)
	for _, v := range h.faceVertices {
		h.aroundStart[v+1]++
	}
	for i := range h.vertices {
		h.aroundStart[i+1] += h.aroundStart[i]
	}
	h.faceAround, h.edgeAround = make([]uint16, len(h.faceVertices)), make([]uint16, len(h.faceVertices))
	at := append([]uint32(nil), h.aroundStart...)
	for f := range len(h.faceStart) - 1 {
		for i := h.faceStart[f]; i < h.faceStart[f+1]; i++ {
			// Each face adds the edge that leaves the vertex along it.
			v := h.faceVertices[i]
			h.faceAround[at[v]], h.edgeAround[at[v]] = uint16(f), h.faceEdges[i]
			at[v]++
		}
	}
}

// divide writes the vertices that may be furthest in the directions of each octant: those than
// which no other vertex is as far along all three axes.
func (h *Hull) divide() {
	if len(h.wide) > maxDivided {
		return
	}
	for o := range 8 {
		h.octantStart[o] = uint16(len(h.octants))
		along := func(v geom.DVec3) [3]float64 {
			c := [3]float64{v.X, v.Y, v.Z}
			for axis := range c {
				if o>>axis&1 != 0 {
					c[axis] = -c[axis]
				}
			}
			return c
		}
		for i, v := range h.wide {
			c := along(v)
			if !slices.ContainsFunc(h.wide, func(w geom.DVec3) bool {
				d := along(w)
				return d[0] >= c[0] && d[1] >= c[1] && d[2] >= c[2] && d != c
			}) {
				h.octants = append(h.octants, uint16(i))
			}
		}
	}
	h.octantStart[8] = uint16(len(h.octants))
}

// fit computes the planes of the faces: normals by Newell's method (Sutherland, Sproull and
// Schumacker 1974, "A characterization of ten hidden-surface algorithms"), which weighs all corners
// equally. The plane is moved outward until no vertex is outside.
func (h *Hull) fit() {
	h.planes = make([]plane, len(h.faceStart)-1)
	hint := 0
	for f := range h.planes {
		corners := h.Face(f)
		if len(corners) < 3 {
			continue // validate rejects the hull
		}
		o := h.wide[corners[0]]
		var n geom.DVec3
		for i := 2; i < len(corners); i++ {
			n = n.Add(h.wide[corners[i-1]].Sub(o).Cross(h.wide[corners[i]].Sub(o)))
		}
		n = unit(n)
		hint = h.climb(n, int(corners[0]))
		h.planes[f] = plane{n, h.wide[hint].Dot(n)}
	}
}

// weigh computes volume and centre of mass, from tetrahedra between one vertex and all triangles of
// all faces. It also finds the inner sphere and the bluntness.
func (h *Hull) weigh() {
	o := h.wide[0]
	var sum geom.DVec3
	for f := range h.planes {
		corners := h.Face(f)
		if len(corners) < 3 {
			continue
		}
		a := h.wide[corners[0]].Sub(o)
		for i := 2; i < len(corners); i++ {
			b, c := h.wide[corners[i-1]].Sub(o), h.wide[corners[i]].Sub(o)
			v := a.Dot(b.Cross(c)) / 6
			h.volume += v
			sum = sum.AddMul(v/4, a.Add(b).Add(c))
		}
	}
	h.center = o.AddMul(1/h.volume, sum)
	h.inner = math.Inf(1)
	for i := range h.planes {
		h.inner = min(h.inner, h.planes[i].d-h.planes[i].normal.Dot(h.center))
	}
	h.inner = max(0, h.inner)
	h.blunt = 1
	for _, e := range h.edges {
		cos := h.planes[e.Left].normal.Dot(h.planes[e.Right].normal)
		h.blunt = min(h.blunt, math.Sqrt(max(0, (1+cos)/2)))
	}
}

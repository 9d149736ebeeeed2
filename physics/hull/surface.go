package hull

import (
	"cmp"
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// surface is the triangles of a hull on their way to faces.
type surface struct {
	p         []geom.DVec3
	facets    []facet
	tolerance float64 // how far a triangle's corners may be from a face's plane; 0 asks for exactly none
	weld      float64 // how near two points are one
	face      []int32 // of each triangle
	faces     int
}

// group joins triangles to faces: from the largest triangle on, each takes in the triangles around
// that lie in its plane. Slivers, whose own plane means little, come last and so join a face beside
// them.
func (s *surface) group() {
	order := make([]int32, len(s.facets))
	area := make([]float64, len(s.facets))
	s.face = make([]int32, len(s.facets))
	for i := range s.facets {
		order[i], area[i], s.face[i] = int32(i), s.facets[i].normal.Len(), -1
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
			for _, beyond := range s.facets[f].across {
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
	a, b := &s.facets[large], &s.facets[small]
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
	// At a sharp edge a small triangle of the other side is near the plane too, but faces
	// elsewhere.
	return n.Dot(unit(b.normal)) > 0.5 || s.isSliver(b)
}

// isSliver reports whether a triangle is so thin that its plane is not told by its corners.
func (s *surface) isSliver(t *facet) bool {
	longest := 0.0
	for k := range t.v {
		longest = max(longest, s.p[t.v[(k+1)%3]].Sub(s.p[t.v[k]]).Len())
	}
	return t.normal.Len() <= s.tolerance*longest
}

// vertices returns the points that are vertices of the hull, in ascending order. The others are in
// no triangle, within a face, or on the edge between two.
func (s *surface) vertices() []int32 {
	around := s.around()
	var keep []int32
	dropped := make([]bool, len(s.p)) // and so not the neighbours on the same edge, which were measured against it
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

// doubles reports whether a point is joined to one that stays and is in the same place.
func (s *surface) doubles(triangles []int32, v int32, dropped []bool) bool {
	for _, f := range triangles {
		for _, w := range s.facets[f].v {
			if w < v && !dropped[w] && s.p[w].Sub(s.p[v]).Len() <= s.weld {
				return true
			}
		}
	}
	return false
}

// around returns, for each point, the triangles that have it for a corner.
func (s *surface) around() [][]int32 {
	around := make([][]int32, len(s.p))
	for f := range s.facets {
		for _, v := range s.facets[f].v {
			around[v] = append(around[v], int32(f))
		}
	}
	return around
}

// ends returns where the edges between faces lead that start at v, and the number of faces around
// it.
func (s *surface) ends(triangles []int32, v int32) (ends []int32, faces int) {
	var seen []int32
	for _, f := range triangles {
		t := &s.facets[f]
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

// hull makes the hull of faces whose vertices are all points. Faces that do not fit together make a
// hull that is not valid.
func (s *surface) hull(vertices []geom.Vec3, tolerance float64) *Hull {
	h := &Hull{vertices: vertices, wide: s.p, tolerance: tolerance, bounds: geom.EmptyAABB()}
	for _, v := range vertices {
		h.bounds = h.bounds.Extend(v)
	}
	for _, triangles := range s.around() {
		h.ringStart = append(h.ringStart, uint32(len(h.ring)))
		v := int32(len(h.ringStart) - 1)
		for _, f := range triangles {
			t := &s.facets[f]
			h.ring = append(h.ring, uint16(t.v[(slices.Index(t.v[:], v)+1)%3]))
		}
	}
	h.ringStart = append(h.ringStart, uint32(len(h.ring)))
	s.outline(h)
	h.collect()
	h.fit()
	h.weigh()
	return h
}

// outline writes the corners and edges of all faces.
func (s *surface) outline(h *Hull) {
	// For each face the sides of its triangles that border on other faces, from corner to corner.
	next := make([]map[int32]int32, s.faces)
	first := make([]int32, s.faces)
	for f := range s.facets {
		t := &s.facets[f]
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
		h.starts = append(h.starts, uint32(len(h.corners)))
		for v, n := first[face], 0; n < len(from); n++ {
			w := from[v]
			h.corners = append(h.corners, uint16(v))
			if e, ok := known[ends{w, v}]; ok {
				h.edges[e].Right = uint16(face)
				h.sides = append(h.sides, e)
			} else {
				known[ends{v, w}] = uint16(len(h.edges))
				h.sides = append(h.sides, uint16(len(h.edges)))
				h.edges = append(h.edges, Edge{A: uint16(v), B: uint16(w), Left: uint16(face), Right: uint16(face)})
			}
			if v = w; v == first[face] {
				break // a second loop, if there is one, makes the hull not valid
			}
		}
	}
	h.starts = append(h.starts, uint32(len(h.corners)))
}

// collect lists the faces and edges around each vertex.
func (h *Hull) collect() {
	h.fanStart = make([]uint32, len(h.vertices)+1)
	for _, v := range h.corners {
		h.fanStart[v+1]++
	}
	for i := range h.vertices {
		h.fanStart[i+1] += h.fanStart[i]
	}
	h.fan, h.spokes = make([]uint16, len(h.corners)), make([]uint16, len(h.corners))
	at := append([]uint32(nil), h.fanStart...)
	for f := range len(h.starts) - 1 {
		for i := h.starts[f]; i < h.starts[f+1]; i++ {
			// Each face brings the edge that leaves the vertex along it.
			v := h.corners[i]
			h.fan[at[v]], h.spokes[at[v]] = uint16(f), h.sides[i]
			at[v]++
		}
	}
}

// fit finds the planes of the faces: normals by Newell's method (Sutherland, Sproull and Schumacker
// 1974), which weighs all corners alike, and moved out until no vertex is beyond.
func (h *Hull) fit() {
	h.planes = make([]plane, len(h.starts)-1)
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

// weigh finds volume and centre of mass, as of tetrahedra from one vertex to all triangles of all
// faces.
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
}

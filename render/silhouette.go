package render

import (
	"cmp"
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Silhouette edges: the boundary of an item's silhouette in the image lies on edges between a front
// and a back face, on edges of a single triangle, and where the near or the far plane cuts through
// a triangle. An outline is the area within its width of these edges, outside the silhouette. This
// is exact for any mesh, however sharp, thin or hollow, since it uses no vertex normals. Extra
// edges inside the silhouette do no harm, so doubtful ones are included.

// silhouette holds the parts of an item's silhouette that do not depend on the view.
type silhouette struct {
	form     []vertex    // of a rounded box, from which the vertices are made; nil for a mesh
	vertices []geom.Vec3 // in the item's local space, like the rest
	indices  []uint32
	planes   []trianglePlane // of the triangles
	edges    []meshEdge

	// Scratch memory.
	sides []int8 // side from which each triangle is seen: 1 front, −1 back, 0 edge-on
	// ends has a number for each vertex: 0 if no line ends there, the number of the line in dirs
	// from 1 on if one does, −1 if more do.
	ends []int32
	dirs []geom.DVec3 // of lines, away from their end
}

// trianglePlane is the plane normal·p = d of a triangle. The normal of a degenerate triangle is
// zero.
type trianglePlane struct {
	normal geom.Vec3
	d      float32
}

// meshEdge joins the vertices a and b. Of several vertices at one place always the same one is
// used.
type meshEdge struct {
	a, b uint32
	// left and right are the triangles of the edge. right is −1 unless exactly two triangles with
	// the same orientation share it.
	left, right int32
}

// newMeshSilhouette returns the silhouette of a mesh.
func newMeshSilhouette(vertices []geom.Vec3, indices []uint32) *silhouette {
	m := &silhouette{vertices: vertices, indices: indices}
	m.join(placesOf(indices, func(index uint32) geom.Vec3 { return vertices[index] }))
	m.fitPlanes()
	return m
}

// newRoundedSilhouette returns the silhouette of rounded boxes; fit gives it the size of each.
func newRoundedSilhouette(g geometry) *silhouette {
	type place struct {
		offset geom.Vec3
		corner [4]int8
	}
	m := &silhouette{form: g.vertices, indices: g.indices, vertices: make([]geom.Vec3, len(g.vertices))}
	m.join(placesOf(g.indices, func(index uint32) place { return place{g.vertices[index].offset, g.vertices[index].corner} }))
	return m
}

// fit sets the size of a rounded box.
func (m *silhouette) fit(half geom.Vec3, radius float32) {
	for i, v := range m.form {
		m.vertices[i] = v.placed(half, radius)
	}
	m.fitPlanes()
}

func (m *silhouette) fitPlanes() {
	m.planes = slices.Grow(m.planes[:0], len(m.indices)/3)
	for i := 0; i < len(m.indices); i += 3 {
		a := m.vertices[m.indices[i]].Wide()
		b, c := m.vertices[m.indices[i+1]].Wide(), m.vertices[m.indices[i+2]].Wide()
		n := b.Sub(a).Cross(c.Sub(a)).Normalize()
		m.planes = append(m.planes, trianglePlane{n.Narrow(), float32(n.Dot(a))})
	}
}

// placesOf numbers the distinct places of triangle corners, and returns for each place the vertex
// that represents it. Files list a vertex several times, once for each normal or texture
// coordinate.
func placesOf[K comparable](indices []uint32, at func(index uint32) K) (places []int32, stands []uint32) {
	// A closed mesh has half as many vertices as triangles.
	known := make(map[K]int32, len(indices)/5)
	places = make([]int32, len(indices))
	for i, index := range indices {
		k := at(index)
		place, ok := known[k]
		if !ok {
			place = int32(len(stands))
			known[k] = place
			stands = append(stands, index)
		}
		places[i] = place
	}
	return places, stands
}

// join finds the edges of the triangles from the places of their corners.
func (m *silhouette) join(places []int32, stands []uint32) {
	m.ends = make([]int32, len(m.vertices))
	// The sides of all triangles, sorted by their lower place.
	type side struct {
		high   int32 // the other place
		corner int32 // the corner at which the triangle's side begins, counter-clockwise
	}
	each := func(f func(low int32, s side)) {
		for i := 0; i < len(places); i += 3 {
			a, b, c := places[i], places[i+1], places[i+2]
			if a == b || b == c || c == a {
				continue // a degenerate triangle: its two neighbours share the edge
			}
			f(min(a, b), side{max(a, b), int32(i)})
			f(min(b, c), side{max(b, c), int32(i + 1)})
			f(min(c, a), side{max(c, a), int32(i + 2)})
		}
	}
	ends := make([]int32, len(stands))
	each(func(low int32, _ side) { ends[low]++ })
	sum := int32(0)
	for i, n := range ends {
		ends[i] = sum
		sum += n
	}
	sides := make([]side, sum)
	each(func(low int32, s side) {
		sides[ends[low]] = s
		ends[low]++
	})
	m.edges = make([]meshEdge, 0, len(sides)/2+1)
	start := int32(0)
	for low, end := range ends {
		at := sides[start:end]
		start = end
		slices.SortFunc(at, func(s, t side) int { return cmp.Or(cmp.Compare(s.high, t.high), cmp.Compare(s.corner, t.corner)) })
		for len(at) > 0 {
			n, s := 1, at[0]
			for n < len(at) && at[n].high == s.high {
				n++
			}
			e := meshEdge{a: stands[low], b: stands[s.high], left: s.corner / 3, right: -1}
			if n == 2 && places[at[1].corner] != places[s.corner] {
				e.right = at[1].corner / 3
			}
			m.edges = append(m.edges, e)
			at = at[n:]
		}
	}
}

// clipPoint is a point in OpenGL's clip space.
type clipPoint struct {
	geom.DVec3
	w float64
}

func (p clipPoint) towards(q clipPoint, t float64) clipPoint {
	return clipPoint{p.AddMul(t, q.Sub(p.DVec3)), p.w + float64(t*(q.w-p.w))}
}

// clipPlane is a linear function on clip space that is positive on the visible side.
type clipPlane clipPoint

func (c clipPlane) at(p clipPoint) float64 { return c.Dot(p.DVec3) + float64(c.w*p.w) }

// before returns the plane in the space that a matrix maps to clip space.
func (c clipPlane) before(m geom.Mat4) clipPlane {
	column := func(i int) float64 {
		return c.at(clipPoint{geom.DVec3{X: m[4*i], Y: m[4*i+1], Z: m[4*i+2]}, m[4*i+3]})
	}
	return clipPlane{geom.DVec3{X: column(0), Y: column(1), Z: column(2)}, column(3)}
}

// silhouetteView is a view of a silhouette.
type silhouetteView struct {
	clip geom.Mat4  // local space to clip space
	eye  geom.DVec3 // position of the camera in local space or, if eyeW is 0, the direction to it
	eyeW float64    // 1 or 0
	// limits are the planes between which lines are drawn: near, far and the four sides.
	limits [6]clipPlane
	cut    [2]bool // whether the near and the far plane may cut the item
	// pull is the change of depth in clip space, times w, that moves a point towards the camera.
	pull float64
}

func (v *silhouetteView) place(p geom.Vec3) clipPoint {
	q, w := v.clip.Apply(p.Wide(), 1)
	return clipPoint{q, w}
}

// draw strokes the silhouette edges of a view.
func (m *silhouette) draw(stroke *stroker, v *silhouetteView) {
	m.sides = m.sides[:0]
	for _, p := range m.planes {
		side := int8(cmp.Compare(p.normal.Wide().Dot(v.eye), float64(float64(p.d)*v.eyeW)))
		if p.normal == (geom.Vec3{}) {
			side = -1 // any side does: the lines around it enclose no area
		}
		m.sides = append(m.sides, side)
	}
	clear(m.ends)
	m.dirs = m.dirs[:0]
	for _, e := range m.edges {
		if e.right >= 0 && m.sides[e.left] == m.sides[e.right] && m.sides[e.left] != 0 {
			continue
		}
		a, b := v.place(m.vertices[e.a]), v.place(m.vertices[e.b])
		from, to, ok := v.part(a, b)
		if !ok {
			continue
		}
		p, q := v.spot(stroke, a.towards(b, from)), v.spot(stroke, a.towards(b, to))
		dir := stroke.line(p, q)
		m.end(stroke, e.a, p, dir, from > 0)
		m.end(stroke, e.b, q, dir.Neg(), to < 1)
	}
	for i, cut := range v.cut {
		if cut {
			m.drawCut(stroke, v, v.limits[i])
		}
	}
}

// end draws the end of a line at p, which is at a vertex unless the line was clipped there. Two
// lines that meet need one joint. If more meet, the joint of any two is enough: what is nearer to
// the vertex than to any of the lines is in all joints. A line that meets no other ends inside the
// silhouette.
func (m *silhouette) end(stroke *stroker, vertex uint32, p, dir geom.DVec3, cutOff bool) {
	at := &m.ends[vertex]
	switch {
	case cutOff:
		stroke.cap(p, dir)
	case *at == 0:
		m.dirs = append(m.dirs, dir)
		*at = int32(len(m.dirs))
	case *at > 0:
		stroke.joint(p, m.dirs[*at-1], dir)
		*at = -1
	}
}

// drawCut strokes the intersection of a plane with the triangles.
func (m *silhouette) drawCut(stroke *stroker, v *silhouetteView, plane clipPlane) {
	own := plane.before(v.clip)
	for i := 0; i < len(m.indices); i += 3 {
		var d [3]float64
		for k, index := range m.indices[i : i+3] {
			d[k] = own.at(clipPoint{m.vertices[index].Wide(), 1})
		}
		if inside := d[0] < 0; inside == (d[1] < 0) && inside == (d[2] < 0) || m.planes[i/3].normal == (geom.Vec3{}) {
			continue
		}
		var ends [2]clipPoint
		n := 0
		for k := range 3 {
			if l := (k + 1) % 3; d[k] < 0 != (d[l] < 0) {
				a, b := v.place(m.vertices[m.indices[i+k]]), v.place(m.vertices[m.indices[i+l]])
				ends[n] = a.towards(b, d[k]/(d[k]-d[l]))
				n++
			}
		}
		if from, to, ok := v.part(ends[0], ends[1]); ok {
			p, q := v.spot(stroke, ends[0].towards(ends[1], from)), v.spot(stroke, ends[0].towards(ends[1], to))
			dir := stroke.line(p, q)
			stroke.cap(p, dir)
			stroke.cap(q, dir.Neg())
		}
	}
}

// part returns the part of a line within the limits, as parameters from a to b. ok is false if
// there is none.
func (v *silhouetteView) part(a, b clipPoint) (from, to float64, ok bool) {
	to = 1
	for _, l := range v.limits {
		// Points outside by up to 10⁻⁹ of w count as inside: a point clipped at a plane must not be
		// rejected by that plane again.
		da, db := l.at(a)+float64(1e-9*math.Abs(a.w)), l.at(b)+float64(1e-9*math.Abs(b.w))
		switch {
		case da < 0 && db < 0:
			return 0, 0, false
		case da < 0:
			from = math.Max(from, da/(da-db))
		case db < 0:
			to = math.Min(to, da/(da-db))
		}
	}
	return from, to, from <= to
}

// spot returns the place of a point in the stroker's coordinates.
func (v *silhouetteView) spot(stroke *stroker, p clipPoint) geom.DVec3 {
	return geom.DVec3{X: p.X / p.w * stroke.halfWidth, Y: p.Y / p.w * stroke.halfHeight, Z: (p.Z + v.pull) / p.w}
}

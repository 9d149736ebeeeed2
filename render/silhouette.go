package render

import (
	"cmp"
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Where the silhouette of a solid ends in the picture. That is along edges with one triangle seen
// from its front and one from its back, along edges of one triangle alone, and where the near or
// the far plane cuts through a triangle. An outline is all that lies within its width of these
// lines, outside the silhouette: exactly so for any mesh, however sharp, thin or hollow, since no
// normals are asked. Lines too many do no harm, and so all edges in doubt are taken.

// rim is what is known of a solid before it is seen from anywhere.
type silhouette struct {
	form     []vertex    // of a rounded box, from which vertices are made; nil for a mesh
	vertices []geom.Vec3 // in the solid's own space, like the rest
	indices  []uint32
	planes   []trianglePlane // of the triangles
	edges    []meshEdge

	// Scratch.
	sides []int8       // from which side triangles are seen: 1 front, −1 back, 0 edge on
	ends  []int32      // at each vertex: 0 or, if one line ends there, its number in dirs from 1 on; −1 if more do
	dirs  []geom.DVec3 // of lines, away from their end
}

// trianglePlane is the plane normal·p = d through a triangle; the normal of one without area is zero.
type trianglePlane struct {
	normal geom.Vec3
	d      float32
}

// meshEdge joins the vertices a and b. At each place it is always the same vertex that stands for
// all.
type meshEdge struct {
	a, b        uint32
	left, right int32 // triangles; right is −1 if there are not two that agree which side of them is the front
}

// newMeshSilhouette returns the rim of a mesh.
func newMeshSilhouette(vertices []geom.Vec3, indices []uint32) *silhouette {
	m := &silhouette{vertices: vertices, indices: indices}
	m.join(placesOf(indices, func(index uint32) geom.Vec3 { return vertices[index] }))
	m.fitPlanes()
	return m
}

// newRoundedSilhouette returns the rim of rounded boxes, which has to be fitted to each.
func newRoundedSilhouette(g geometry) *silhouette {
	type place struct {
		offset geom.Vec3
		corner [4]int8
	}
	m := &silhouette{form: g.vertices, indices: g.indices, vertices: make([]geom.Vec3, len(g.vertices))}
	m.join(placesOf(g.indices, func(index uint32) place { return place{g.vertices[index].offset, g.vertices[index].corner} }))
	return m
}

// fit gives the rim of a rounded box its extents.
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

// placesOf numbers the places at which the corners of triangles are, and returns for each place the
// vertex that stands for it. Vertices at the same place are one, whatever their number: files list
// them several times, once for each normal or texture coordinate.
func placesOf[K comparable](indices []uint32, at func(index uint32) K) (places []int32, stands []uint32) {
	known := make(map[K]int32, len(indices)/5) // closed meshes have half as many vertices as triangles
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

// join finds the edges of triangles, given where their corners are.
func (m *silhouette) join(places []int32, stands []uint32) {
	m.ends = make([]int32, len(m.vertices))
	// The sides of all triangles, those at each place together: a side is at the lower of its two
	// places.
	type side struct {
		high   int32 // the other place
		corner int32 // the one from which the triangle runs along the side, counter-clockwise
	}
	each := func(f func(low int32, s side)) {
		for i := 0; i < len(places); i += 3 {
			a, b, c := places[i], places[i+1], places[i+2]
			if a == b || b == c || c == a {
				continue // its neighbours are each other's
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

// clipPoint is a place in OpenGL's clip space.
type clipPoint struct {
	geom.DVec3
	w float64
}

func (p clipPoint) towards(q clipPoint, t float64) clipPoint {
	return clipPoint{p.AddMul(t, q.Sub(p.DVec3)), p.w + float64(t*(q.w-p.w))}
}

// clipPlane is a linear function of clip space that is positive where something can be seen.
type clipPlane clipPoint

func (c clipPlane) at(p clipPoint) float64 { return c.Dot(p.DVec3) + float64(c.w*p.w) }

// before returns the plane in the space that a matrix takes to clip space.
func (c clipPlane) before(m geom.Mat4) clipPlane {
	column := func(i int) float64 {
		return c.at(clipPoint{geom.DVec3{X: m[4*i], Y: m[4*i+1], Z: m[4*i+2]}, m[4*i+3]})
	}
	return clipPlane{geom.DVec3{X: column(0), Y: column(1), Z: column(2)}, column(3)}
}

// silhouetteView is how a rim is seen.
type silhouetteView struct {
	clip   geom.Mat4    // the rim's own space to clip space
	eye    geom.DVec3   // in that own space; or, if eyeW is 0, the direction towards it
	eyeW   float64      // 1 or 0
	limits [6]clipPlane // between which a line is of interest: near, far and the four sides
	cut    [2]bool      // whether the near and the far plane may cut the solid
	pull   float64      // of the depth in clip space, by which a place is moved towards the eye, times its w
}

func (v *silhouetteView) place(p geom.Vec3) clipPoint {
	q, w := v.clip.Apply(p.Wide(), 1)
	return clipPoint{q, w}
}

// draw draws a rim as it is seen.
func (m *silhouette) draw(stroke *stroker, v *silhouetteView) {
	m.sides = m.sides[:0]
	for _, p := range m.planes {
		side := int8(cmp.Compare(p.normal.Wide().Dot(v.eye), float64(float64(p.d)*v.eyeW)))
		if p.normal == (geom.Vec3{}) {
			side = -1 // either would do: whichever way round a line goes about it, it is as good as nothing
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

// end rounds off a line at p, which is at a vertex if it is not cut off before. Two lines that meet
// need no more than the joint between them, and if more meet, the joint of any two: what lies
// nearer to their common end than to any of them is in all the joints. A line that meets no other
// ends within the silhouette.
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

// drawCut draws where a plane cuts through triangles.
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

// part returns which part of a line is within the limits; ok is false if none is.
func (v *silhouetteView) part(a, b clipPoint) (from, to float64, ok bool) {
	to = 1
	for _, l := range v.limits {
		// A billionth outside is inside: what was cut at a plane must not be lost to that plane
		// again.
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

// spot returns where a place is in the picture, for a stroke.
func (v *silhouetteView) spot(stroke *stroker, p clipPoint) geom.DVec3 {
	return geom.DVec3{X: p.X / p.w * stroke.halfWidth, Y: p.Y / p.w * stroke.halfHeight, Z: (p.Z + v.pull) / p.w}
}

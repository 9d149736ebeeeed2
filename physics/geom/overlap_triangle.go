package geom

// OverlapsTriangle reports whether the two triangles have a point in common: they cross, touch, or
// are coplanar and overlap. A degenerate triangle counts as the segment or the point that it is.
// False if either is empty.
//
// The method is separating axes, with all six corners projected on each axis. For triangles that
// are not parallel the two normals and the nine cross products of edges suffice. Coplanar triangles
// need the perpendiculars of the edges in their plane; segments on parallel lines, which have no
// common normal, the perpendicular between the lines; segments on one line, the axes of their
// bounds.
func (t Triangle) OverlapsTriangle(u Triangle) bool {
	if !t.Bounds().OverlapsAABB(u.Bounds()) {
		return false
	}
	// Coordinates relative to a corner: the differences are exact wherever they are exact in single
	// precision.
	o := t.A.wide()
	p := [3]DVec3{{}, t.B.wide().Sub(o), t.C.wide().Sub(o)}
	q := [3]DVec3{u.A.wide().Sub(o), u.B.wide().Sub(o), u.C.wide().Sub(o)}
	e := [6]DVec3{
		p[1].Sub(p[0]), p[2].Sub(p[1]), p[0].Sub(p[2]),
		q[1].Sub(q[0]), q[2].Sub(q[1]), q[0].Sub(q[2]),
	}
	var size float64
	for i := range 3 {
		size = max(size, sum(p[i].abs()), sum(q[i].abs()))
	}
	apart := func(axis DVec3) bool {
		p0, p1, p2 := axis.Dot(p[0]), axis.Dot(p[1]), axis.Dot(p[2])
		q0, q1, q2 := axis.Dot(q[0]), axis.Dot(q[1]), axis.Dot(q[2])
		gap := max(min(q0, q1, q2)-max(p0, p1, p2), min(p0, p1, p2)-max(q0, q1, q2))
		return gap > float64(slack*size*sum(axis.abs()))
	}
	var plane DVec3 // the longest cross product: the normal of the common plane, if there is one
	cross := func(a, b DVec3) bool {
		n := a.Cross(b)
		if n.Dot(n) > plane.Dot(plane) {
			plane = n
		}
		return apart(n)
	}
	if cross(e[0], e[1]) || cross(e[3], e[4]) {
		return false
	}
	for _, a := range e[:3] {
		for _, b := range e[3:] {
			if cross(a, b) {
				return false
			}
		}
	}
	if plane != (DVec3{}) {
		for _, a := range e {
			if apart(plane.Cross(a)) {
				return false
			}
		}
		return true
	}
	var along DVec3
	for _, a := range e {
		if a.Dot(a) > along.Dot(along) {
			along = a
		}
	}
	return !apart(along.Cross(q[0]).Cross(along))
}

package rigid

import (
	"math"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// A floor of several static colliders, as tiles or the pieces of a track, has edges at its seams
// that nothing can hit from above. But contacts are found for each collider alone, and ahead of the
// impact: what comes to a seam gets one with the edge in front of it, which leans against its way,
// and is braked and thrown up. Within a mesh the neighbours of a triangle tell such edges; here the
// other contacts of the body do.
//
// A contact holds a convex body above the plane through its point. A collider below that plane, or
// the triangle of a mesh, cannot stop the body as long as the contact is there. So a contact with
// its edge is left out of the step. One with a face is not, which catches what tips over.

const (
	// seamStep is how far in metres what is below a plane may rise above it. Greater: balls sink
	// into small steps before they climb them. Smaller: tiles have to be placed more exactly.
	seamStep = 1e-3
	// seamLean is the least sine of the angle between the normals, in radians: what leans by less
	// does not matter, and may be the same plane.
	seamLean = 1e-3
	// seamWall is the cosine of the angle from which on a face is no floor: that at the side of a
	// tile, which a box meets edge to edge.
	seamWall = 0.5
)

// hideSeams finds the constraints with edges at seams, which get no lanes.
func (d *Dynamics) hideSeams() {
	d.seams = append(d.seams[:0], make([]int32, len(d.bodies))...)
	found := false
	for i := range d.jobs {
		j := &d.jobs[i]
		if j.kept.a != 0 && j.kept.b != 0 {
			continue
		}
		last := &d.seams[j.kept.a|j.kept.b]
		if *last > 0 {
			o, f := &d.jobs[*last-1], j.manifold
			j.seams = o.seams || o.contact != j.contact || f.ChildA >= 0 || f.ChildB >= 0
			found = found || j.seams
		}
		j.before, *last = *last, int32(i)+1
	}
	for i := 0; found && i < len(d.jobs); i++ {
		j := &d.jobs[i]
		if j.kept.a != 0 && j.kept.b != 0 {
			continue
		}
		last := d.seams[j.kept.a|j.kept.b]
		if !d.jobs[last-1].seams {
			continue // it touches one collider
		}
		for k := last; k > 0 && !j.hidden; k = d.jobs[k-1].before {
			if o := &d.jobs[k-1]; o != j && !o.hidden && d.hides(o, j) {
				o.hides, j.hidden, j.n, j.slides = true, true, 0, false
			}
		}
	}
}

// groundSide is what a manifold of a body with a static collider has of each.
type groundSide struct {
	*physics.Manifold
	isA          bool // the static collider is A
	ground, body physics.ColliderID
	part, child  int32     // of the body and of the ground
	normal       geom.Vec3 // out of the ground
}

func (j *job) groundSide() groundSide {
	f := j.manifold
	if j.kept.a == 0 {
		return groundSide{f, true, j.contact.A, j.contact.B, f.ChildB, f.ChildA, f.Normal}
	}
	return groundSide{f, false, j.contact.B, j.contact.A, f.ChildA, f.ChildB, f.Normal.Neg()}
}

// at returns the place, the feature and the triangle of the ground at a contact point.
func (g *groundSide) at(k int) (geom.Vec3, physics.Feature, int32) {
	if p := &g.Points[k]; g.isA {
		return p.PointA, p.FeatureA, p.TriangleA
	} else {
		return p.PointB, p.FeatureB, p.TriangleB
	}
}

// arm returns the place of the body at a contact point.
func (g *groundSide) arm(k int) geom.Vec3 {
	if g.isA {
		return g.Points[k].PointB
	}
	return g.Points[k].PointA
}

// hold appends the places of the body at its contacts with the plane of a normal through a point,
// which may be with several tiles.
func (d *Dynamics) hold(to []geom.Vec3, f *groundSide, last int32, base geom.Vec3) []geom.Vec3 {
	for i := last; i > 0; i = d.jobs[i-1].before {
		j := &d.jobs[i-1]
		h := j.groundSide()
		if j.hidden || h.part != f.part || h.normal.Dot(f.normal) < 0 || !isParallel(h.normal, f.normal) {
			continue
		}
		for k := range h.ContactPoints() {
			p, _, _ := h.at(k)
			if up := f.normal.Dot(p.Sub(base)); -seamStep <= up && up <= seamStep {
				to = append(to, h.arm(k))
			}
		}
	}
	return to
}

// isBetween reports whether a place is between points, or within a length from them: seen against a
// direction, along the way from their middle.
func isBetween(p geom.Vec3, points []geom.Vec3, up geom.Vec3, within float32) bool {
	var middle geom.Vec3
	for _, q := range points {
		middle = middle.Add(q.Mul(1 / float32(len(points))))
	}
	way := p.Sub(middle)
	way = way.Sub(up.Mul(up.Dot(way)))
	far, most := way.Len(), float32(math.Inf(-1))
	for _, q := range points {
		most = max(most, way.Dot(q.Sub(middle)))
	}
	return float32(far*far) <= most+float32(within*far)
}

// hides reports whether the constraint of a body with the ground keeps it above all that another
// one is with an edge of.
func (d *Dynamics) hides(over, under *job) bool {
	f, g := over.groundSide(), under.groundSide()
	cos := f.normal.Dot(g.normal)
	if f.body != g.body || f.part != g.part || cos > 0 && isParallel(f.normal, g.normal) {
		return false
	}
	base, _, _ := f.at(0)
	top := float32(seamStep)
	for k := range f.ContactPoints() {
		p, _, _ := f.at(k)
		top = max(top, f.normal.Dot(p.Sub(base))+seamStep)
	}
	for k := range g.ContactPoints() {
		if p, _, _ := g.at(k); f.normal.Dot(p.Sub(base)) > top {
			return false
		}
	}
	// What turns about a point of it may come below the plane elsewhere, except a ball.
	if body, _ := d.space.Collider(g.body); !isSphere(body.Shape) {
		id := over.kept.a | over.kept.b
		d.arms = d.hold(d.arms[:0], &f, d.seams[id], base)
		for k := range g.ContactPoints() {
			if !isBetween(g.arm(k), d.arms, f.normal, d.bodies[id].core/coreShare) {
				return false
			}
		}
	}
	height, isFace := d.height(&g, base, f.normal)
	return height <= top && !(isFace && cos > seamWall)
}

func isSphere(s physics.Shape) bool {
	_, ok := s.(geom.Sphere)
	return ok
}

// isParallel reports whether two unit vectors are, either way.
func isParallel(n, m geom.Vec3) bool { return n.Cross(m).LenSq() < seamLean*seamLean }

// height returns how far along a direction from a point the ground of a manifold reaches, or, of a
// mesh, the triangles of its points, and whether it is touched at a face.
func (d *Dynamics) height(g *groundSide, from, up geom.Vec3) (most float32, isFace bool) {
	c, _ := d.space.Collider(g.ground)
	if s, ok := c.Shape.(*physics.Compound); ok {
		child := s.Child(int(g.child))
		c.Shape, c.Transform = child.Shape, c.Transform.Mul(child.Transform)
	}
	if m, ok := c.Shape.(*mesh.Mesh); ok {
		to := c.Transform.Affine()
		most = float32(math.Inf(-1))
		for k := range g.ContactPoints() {
			_, _, i := g.at(k)
			t := m.Triangle(int(i))
			t.A, t.B, t.C = to.Point(t.A), to.Point(t.B), to.Point(t.C)
			isFace = isFace || isParallel(g.normal, t.Normal())
			most = max(most, up.Dot(t.A.Sub(from)), up.Dot(t.B.Sub(from)), up.Dot(t.C.Sub(from)))
		}
		return most, isFace
	}
	body, _ := d.space.Collider(g.body)
	switch body.Shape.(type) {
	case geom.Sphere, geom.Capsule, geom.TaperedCapsule, geom.Cone:
		// An edge of the ground may have the feature of the face.
	default:
		for k := range g.ContactPoints() {
			_, feature, _ := g.at(k)
			isFace = isFace || feature.IsFace()
		}
	}
	var s narrow.Shape
	if _, ok := c.Shape.(geom.Plane); ok || !placed.SetBody(&s, c.Shape, &c.Transform) {
		return float32(math.Inf(1)), isFace
	}
	w := up.Wide()
	return float32(s.Reach(w) - w.Dot(from.Wide())), isFace
}

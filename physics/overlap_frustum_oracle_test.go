package physics

import (
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// This file holds what the frustum queries are held against: the half-spaces of a frustum beside
// those of a shape, and the point of all of them that is nearest to another, found by trying every
// face, edge and corner there might be.

// viewFrustum returns what an eye sees that is placed by t and looks along its own −Z: the tangents
// are those of the angles to the left, right, bottom and top. far may be infinite.
func viewFrustum(t geom.Transform, tangents [4]float64, near, far float64) geom.Frustum {
	return placeFrustum(t, geom.Frustum{
		{Normal: geom.DVec3{X: 1, Z: -tangents[0]}}, {Normal: geom.DVec3{X: -1, Z: -tangents[1]}},
		{Normal: geom.DVec3{Y: 1, Z: -tangents[2]}}, {Normal: geom.DVec3{Y: -1, Z: -tangents[3]}},
		{Normal: geom.DVec3{Z: -1}, D: near}, {Normal: geom.DVec3{Z: 1}, D: -far},
	})
}

// boxFrustum returns the box from lo to hi, placed by t.
func boxFrustum(t geom.Transform, lo, hi geom.DVec3) geom.Frustum {
	return placeFrustum(t, geom.Frustum{
		{Normal: geom.DVec3{X: 1}, D: lo.X}, {Normal: geom.DVec3{X: -1}, D: -hi.X},
		{Normal: geom.DVec3{Y: 1}, D: lo.Y}, {Normal: geom.DVec3{Y: -1}, D: -hi.Y},
		{Normal: geom.DVec3{Z: 1}, D: lo.Z}, {Normal: geom.DVec3{Z: -1}, D: -hi.Z},
	})
}

func placeFrustum(t geom.Transform, f geom.Frustum) geom.Frustum {
	x, y, z := t.Rotation.Rotate(geom.V(1, 0, 0)).Wide(), t.Rotation.Rotate(geom.V(0, 1, 0)).Wide(), t.Rotation.Rotate(geom.V(0, 0, 1)).Wide()
	for i, h := range f {
		n := x.Mul(h.Normal.X).AddMul(h.Normal.Y, y).AddMul(h.Normal.Z, z)
		f[i] = geom.HalfSpace{Normal: n.Normalize(), D: h.D/h.Normal.Len() + n.Normalize().Dot(t.Position.Wide())}
	}
	return f
}

// movedOut returns the half-spaces moved outward by e.
func movedOut(f geom.Frustum, e float64) geom.Frustum {
	for i := range f {
		f[i].D -= e
	}
	return f
}

// nearestOfAll returns how far a point is from what half-spaces have in common, or any distance up
// to enough at which they have a point, and false if they have nothing. If the nearest point is not
// the point itself, it is the nearest of a face, of an edge or of a corner, so one of those where
// one, two or three of the planes meet.
func nearestOfAll(all []geom.HalfSpace, from geom.DVec3, enough float64) (distance float64, ok bool) {
	distance = math.Inf(1)
	// Planes meet to 1e-10 of the coordinates. Where two are nearly parallel, they meet so far away
	// that this share of the point's own coordinates would let it be outside of other half-spaces.
	slack := 1 + max(math.Abs(from.X), math.Abs(from.Y), math.Abs(from.Z))
	for _, h := range all {
		if d := math.Abs(h.D); d <= math.MaxFloat64 {
			slack = max(slack, d)
		}
	}
	slack *= 1e-10
	try := func(planes ...geom.HalfSpace) (found bool) {
		if p, ok := project(from, planes); ok {
			if d := p.Sub(from).Len(); d < distance {
				if !slices.ContainsFunc(all, func(h geom.HalfSpace) bool { return h.Normal.Dot(p)-h.D < -slack }) {
					distance = d
				}
			}
		}
		return distance <= enough
	}
	if try() {
		return distance, true
	}
	for i := range all {
		if try(all[i]) {
			return distance, true
		}
		for j := range i {
			if try(all[i], all[j]) {
				return distance, true
			}
			for k := range j {
				if try(all[i], all[j], all[k]) {
					return distance, true
				}
			}
		}
	}
	return distance, !math.IsInf(distance, 1)
}

// project returns the point nearest to another that is on all of up to three planes, solved once
// and refined twice.
func project(from geom.DVec3, planes []geom.HalfSpace) (p geom.DVec3, ok bool) {
	p, ok = from, true
	for i := 0; i < 3 && ok; i++ {
		p, ok = solve(p, planes)
	}
	return p, ok
}

// solve returns from + Σ λᵢ·nᵢ, where the λ are such that it is on all planes.
func solve(from geom.DVec3, planes []geom.HalfSpace) (p geom.DVec3, ok bool) {
	n := len(planes)
	var m [3][4]float64
	for i := range n {
		for j := range n {
			m[i][j] = planes[i].Normal.Dot(planes[j].Normal)
		}
		if m[i][3] = planes[i].D - planes[i].Normal.Dot(from); math.IsInf(m[i][3], 0) {
			return p, false
		}
	}
	p = from
	for col := range n {
		pivot := col
		for row := col; row < n; row++ {
			if math.Abs(m[row][col]) > math.Abs(m[pivot][col]) {
				pivot = row
			}
		}
		m[col], m[pivot] = m[pivot], m[col]
		if math.Abs(m[col][col]) < 1e-12 {
			return p, false
		}
		for row := range n {
			if f := m[row][col] / m[col][col]; row != col {
				for k := range m[row] {
					m[row][k] -= f * m[col][k]
				}
			}
		}
	}
	for i := range n {
		p = p.AddMul(m[i][3]/m[i][i], planes[i].Normal)
	}
	return p, true
}

// frustumBody is a part of a collider in double precision: the half-spaces it is made of, or, if
// round, the image under o, x, y and z of the balls whose centers go from a to b and whose radii
// from atA to atB. Of a cone these are discs across the way, and it lies between the pyramids of
// faces and of outer.
type frustumBody struct {
	faces, outer []geom.HalfSpace
	corners      []geom.DVec3
	round        bool
	o, x, y, z   geom.DVec3
	a, b         geom.DVec3
	atA, atB     float64
	plane        bool
}

func bodiesOf(c Collider) (all []frustumBody) {
	for _, p := range partsOf(c) {
		shape, _, local, ok := p.world()
		if !ok {
			continue
		}
		to := geom.AffineIdentity()
		if local {
			to = p.to
		}
		o, x, y, z := to.Origin.Wide(), to.X.Wide(), to.Y.Wide(), to.Z.Wide()
		at := func(v geom.DVec3) geom.DVec3 { return o.AddMul(v.X, x).AddMul(v.Y, y).AddMul(v.Z, z) }
		round := func(a, b geom.Vec3, atA, atB float32) frustumBody {
			r := max(float64(atA), float64(atB), 1e-6)
			return frustumBody{
				round: true, o: o, x: x.Mul(r), y: y.Mul(r), z: z.Mul(r), a: a.Wide().Mul(1 / r), b: b.Wide().Mul(1 / r),
				atA: float64(atA) / r, atB: float64(atB) / r,
			}
		}
		switch shape := shape.(type) {
		case geom.AABB:
			h := shape.Max.Wide().Sub(shape.Min.Wide()).Mul(0.5)
			all = append(all, blockOf(shape.Min.Wide().Add(h), geom.DVec3{X: 1}, geom.DVec3{Y: 1}, geom.DVec3{Z: 1}, h))
		case geom.Box:
			u, v, w := shape.Axes()
			turn := func(d geom.DVec3) geom.DVec3 { return at(d).Sub(o) }
			all = append(all, blockOf(at(shape.Center.Wide()), turn(u), turn(v), turn(w), shape.HalfExtents.Wide()))
		case geom.Sphere:
			all = append(all, round(shape.Center, shape.Center, shape.Radius, shape.Radius))
		case geom.Capsule:
			all = append(all, round(shape.A, shape.B, shape.Radius, shape.Radius))
		case geom.TaperedCapsule:
			all = append(all, round(shape.A, shape.B, shape.RadiusA, shape.RadiusB))
		case geom.Cone:
			body := round(shape.A, shape.B, shape.RadiusA, shape.RadiusB)
			body.faces, body.outer = body.pyramid(math.Cos(math.Pi/pyramidSides)), body.pyramid(1)
			all = append(all, body)
		case geom.Plane:
			normal, point := p.surface(shape)
			all = append(all, frustumBody{plane: true, faces: twoSides(normal, point)})
		case *hull.Hull:
			all = append(all, polyhedronOf(shape, at, x, y, z))
		case *mesh.Mesh:
			for _, t := range p.triangles(shape) {
				a, b, c := t.A.Wide(), t.B.Wide(), t.C.Wide()
				n := b.Sub(a).Cross(c.Sub(a)).Normalize()
				if n == (geom.DVec3{}) { // too small for the precision at its position
					n = geom.DVec3{X: 1}
				}
				body := frustumBody{corners: []geom.DVec3{a, b, c}, faces: twoSides(n, a)}
				for _, e := range [3][2]geom.DVec3{{a, b}, {b, c}, {c, a}} {
					// The edges of a triangle that is a line bound it across the line only.
					along := e[1].Sub(e[0]).Normalize()
					least, greatest := math.Inf(1), math.Inf(-1)
					for _, p := range body.corners {
						least, greatest = min(least, along.Dot(p)), max(greatest, along.Dot(p))
					}
					body.faces = append(body.faces, geom.HalfSpace{Normal: along, D: least}, geom.HalfSpace{Normal: along.Neg(), D: -greatest})
					in := n.Cross(along).Normalize()
					if in == (geom.DVec3{}) {
						body.faces = append(body.faces, blockOf(a, geom.DVec3{X: 1}, geom.DVec3{Y: 1}, geom.DVec3{Z: 1}, geom.DVec3{}).faces...)
						continue
					}
					body.faces = append(body.faces, geom.HalfSpace{Normal: in, D: in.Dot(e[0])})
				}
				all = append(all, body)
			}
		}
	}
	return all
}

const pyramidSides = 16

// pyramid returns the half-spaces of a frustum of a pyramid along a cone's axis, whose sides are as
// far from the axis as the cone's, times a factor.
func (b *frustumBody) pyramid(factor float64) (all []geom.HalfSpace) {
	axis := b.b.Sub(b.a)
	up := axis.Normalize()
	u := up.Cross(geom.DVec3{X: 0.3, Y: -0.5, Z: 0.8}).Normalize()
	w := up.Cross(u)
	add := func(outward, at geom.DVec3) {
		n := b.y.Cross(b.z).Mul(outward.X).AddMul(outward.Y, b.z.Cross(b.x)).AddMul(outward.Z, b.x.Cross(b.y)).Mul(-b.x.Cross(b.y).Dot(b.z)).Normalize()
		p := b.o.AddMul(at.X, b.x).AddMul(at.Y, b.y).AddMul(at.Z, b.z)
		all = append(all, geom.HalfSpace{Normal: n, D: n.Dot(p)})
	}
	add(up.Neg(), b.a)
	add(up, b.b)
	for i := range pyramidSides {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / pyramidSides)
		side := u.Mul(cos).AddMul(sin, w)
		if axis.Len() < 1e-6 { // a disc: its slope would be parallel to its ends
			add(side, b.a.AddMul(factor*max(b.atA, b.atB), side))
			continue
		}
		add(side.Mul(axis.Len()).AddMul(factor*(b.atA-b.atB), up), b.a.AddMul(factor*b.atA, side))
	}
	return all
}

func twoSides(n, p geom.DVec3) []geom.HalfSpace {
	return []geom.HalfSpace{{Normal: n, D: n.Dot(p)}, {Normal: n.Neg(), D: -n.Dot(p)}}
}

// blockOf returns the points center + i·x + j·y + k·z with i, j and k within half.
func blockOf(center, x, y, z, half geom.DVec3) (b frustumBody) {
	for i := range 8 {
		s := func(bit int, h float64) float64 { return h * float64(2*(i>>bit&1)-1) }
		b.corners = append(b.corners, center.AddMul(s(0, half.X), x).AddMul(s(1, half.Y), y).AddMul(s(2, half.Z), z))
	}
	for _, n := range []geom.DVec3{y.Cross(z).Normalize(), z.Cross(x).Normalize(), x.Cross(y).Normalize()} {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, c := range b.corners {
			lo, hi = min(lo, n.Dot(c)), max(hi, n.Dot(c))
		}
		b.faces = append(b.faces, geom.HalfSpace{Normal: n, D: lo}, geom.HalfSpace{Normal: n.Neg(), D: -hi})
	}
	return b
}

// polyhedronOf returns the image of a hull under at, of which x, y and z are the columns.
func polyhedronOf(h *hull.Hull, at func(geom.DVec3) geom.DVec3, x, y, z geom.DVec3) (b frustumBody) {
	for i := range h.NumVertices() {
		b.corners = append(b.corners, at(h.Vertex(i)))
	}
	for i := range h.NumFaces() {
		n, _ := h.Plane(i)
		n = y.Cross(z).Mul(n.X).AddMul(n.Y, z.Cross(x)).AddMul(n.Z, x.Cross(y)).Mul(-x.Cross(y).Dot(z)).Normalize() // inward
		low := math.Inf(1)
		for _, c := range b.corners {
			low = min(low, n.Dot(c))
		}
		b.faces = append(b.faces, geom.HalfSpace{Normal: n, D: low})
	}
	return b
}

// overlaps reports whether a body has a point in a frustum: of a cone one of the outer pyramid, or
// of the inner one.
func (b *frustumBody) overlaps(f *geom.Frustum, outer bool) bool {
	// Of most bodies with corners one is in the frustum, or all are outside of one half-space.
	if b.corners != nil {
		in := func(c geom.DVec3, h geom.HalfSpace) bool { return h.Normal.Dot(c) >= h.D }
		for _, h := range f {
			if !slices.ContainsFunc(b.corners, func(c geom.DVec3) bool { return in(c, h) }) {
				return false
			}
		}
		for _, c := range b.corners {
			if !slices.ContainsFunc(f[:], func(h geom.HalfSpace) bool { return !in(c, h) }) {
				return true
			}
		}
	}
	if b.faces != nil {
		faces := b.faces
		if outer && b.outer != nil {
			faces = b.outer
		}
		_, ok := nearestOfAll(append(f[:len(f):len(f)], faces...), faces[0].Normal.Mul(faces[0].D), math.MaxFloat64)
		return ok
	}
	// The frustum in the space in which the body is made of balls.
	var own []geom.HalfSpace
	for _, h := range f {
		n := geom.DVec3{X: h.Normal.Dot(b.x), Y: h.Normal.Dot(b.y), Z: h.Normal.Dot(b.z)}
		own = append(own, geom.HalfSpace{Normal: n.Normalize(), D: (h.D - h.Normal.Dot(b.o)) / n.Len()})
	}
	distance := func(s float64) float64 {
		r := b.atA + s*(b.atB-b.atA)
		d, _ := nearestOfAll(own, b.a.AddMul(s, b.b.Sub(b.a)), r)
		return d - r
	}
	if distance(0) <= 0 || distance(1) <= 0 {
		return true
	}
	if b.a == b.b {
		return false
	}
	lo, hi := 0.0, 1.0
	for range 40 { // the distance of a convex body is a convex function along a line
		third := (hi - lo) / 3
		d, e := distance(lo+third), distance(hi-third)
		if min(d, e) <= 0 {
			return true
		}
		if d <= e {
			hi -= third
		} else {
			lo += third
		}
	}
	return distance(lo) <= 0
}

// inside reports whether all of a body is in a frustum.
func (b *frustumBody) inside(f *geom.Frustum) bool {
	for _, h := range f {
		low := math.Inf(1)
		for _, c := range b.corners {
			low = min(low, h.Normal.Dot(c))
		}
		if b.round {
			n := geom.DVec3{X: h.Normal.Dot(b.x), Y: h.Normal.Dot(b.y), Z: h.Normal.Dot(b.z)}
			across := n
			if b.faces != nil {
				up := b.b.Sub(b.a).Normalize()
				across = n.AddMul(-n.Dot(up), up)
			}
			low = h.Normal.Dot(b.o) + min(n.Dot(b.a)-b.atA*across.Len(), n.Dot(b.b)-b.atB*across.Len())
		}
		if b.plane || low < h.D {
			return false
		}
	}
	return true
}

// frustumTwin returns whether a collider touches a frustum and whether it is contained. Cones
// that hardly touch it do if outer is set.
func frustumTwin(c Collider, f *geom.Frustum, outer bool) (overlaps, inside bool) {
	all := bodiesOf(c)
	inside = len(all) > 0
	for i := range all {
		overlaps = overlaps || all[i].overlaps(f, outer)
		inside = inside && all[i].inside(f)
	}
	return overlaps, inside
}

//go:build cgo

package systemtest

import (
	"math"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/require"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/picking"
)

// The reference: the entity that is seen at any place of the picture, computed in double precision
// from the components, by plain equations that share no code with the queries or the shaders. It is
// slow, and used only where those two disagree. All points are relative to the camera's position.

// map3 is an affine map in double precision.
type map3 struct{ x, y, z, o geom.DVec3 }

func (m map3) vector(v geom.DVec3) geom.DVec3 {
	return m.x.Mul(v.X).Add(m.y.Mul(v.Y)).Add(m.z.Mul(v.Z))
}

func (m map3) point(p geom.DVec3) geom.DVec3 { return m.vector(p).Add(m.o) }

func (m map3) after(n map3) map3 {
	return map3{m.vector(n.x), m.vector(n.y), m.vector(n.z), m.point(n.o)}
}

func (m map3) det() float64 { return m.x.Dot(m.y.Cross(m.z)) }

// back applies the inverse to a vector, by Cramer's rule.
func (m map3) back(v geom.DVec3) geom.DVec3 {
	d := m.det()
	return geom.DVec3{X: v.Dot(m.y.Cross(m.z)) / d, Y: v.Dot(m.z.Cross(m.x)) / d, Z: v.Dot(m.x.Cross(m.y)) / d}
}

// placed returns the map of a transform.
func placed(t geom.Transform) map3 {
	x, y, z := turned(t.Rotation)
	s := t.Factors().Wide()
	return map3{x.Mul(s.X), y.Mul(s.Y), z.Mul(s.Z), t.Position.Wide()}
}

// turned returns the axes that a quaternion turns X, Y and Z to.
func turned(q geom.Quat) (x, y, z geom.DVec3) {
	u, w := geom.DVec3{X: float64(q.X), Y: float64(q.Y), Z: float64(q.Z)}, float64(q.W)
	n := u.Dot(u) + w*w
	rotate := func(v geom.DVec3) geom.DVec3 {
		if n == 0 {
			return v
		}
		return v.Add(u.Cross(u.Cross(v).Add(v.Mul(w))).Mul(2 / n))
	}
	return rotate(geom.DVec3{X: 1}), rotate(geom.DVec3{Y: 1}), rotate(geom.DVec3{Z: 1})
}

func turns(q geom.Quat) bool { return q.X != 0 || q.Y != 0 || q.Z != 0 }

// part is one shape of an entity.
type part struct {
	entity ecs.Entity
	to     map3            // from the shape's space to the world, relative to the camera
	half   geom.DVec3      // of a box, and along Y of a capsule
	radius float64         // of a sphere or capsule
	normal geom.DVec3      // of a plane
	d      float64         // of a plane
	tris   [][3]geom.DVec3 // of a mesh, relative to the camera, counter-clockwise from outside
	faces  [][]geom.DVec3  // of a hull, in its space, counter-clockwise from outside
	kind   physecs.Kind
}

// truth is a world and a view in double precision.
type truth struct {
	view      picking.View
	rows      geom.Mat4 // the projection
	near, far float64
	x, y, z   geom.DVec3 // the camera's axes
	parts     []part
	cull      geom.Cull // of meshes and planes
}

func newTruth(t *testing.T, w *ecs.World, v picking.View, cull geom.Cull) *truth {
	o := &truth{view: v, rows: v.Projection.Matrix(v.Aspect()), cull: cull}
	var ok bool
	o.near, o.far, ok = v.Projection.Planes()
	require.True(t, ok)
	o.x, o.y, o.z = turned(v.Rotation)

	meshes := ecs.GetResource[physecs.Meshes](w)
	unpickable := ecs.ComponentID[physecs.Unpickable](w)
	lost := map[ecs.Entity]bool{}
	for e := range ecs.GetResource[physecs.Space](w).Nowhere() {
		lost[e] = true
	}
	filter := ecs.All(ecs.ComponentID[physecs.Transform](w), ecs.ComponentID[physecs.Collider](w))
	query := w.Query(&filter)
	for query.Next() {
		c := (*physecs.Collider)(query.Get(ecs.ComponentID[physecs.Collider](w)))
		if c.Sensor || query.Has(unpickable) || lost[query.Entity()] {
			continue
		}
		tr := *(*physecs.Transform)(query.Get(ecs.ComponentID[physecs.Transform](w)))
		place, scale := placed(tr), tr.Factors().Wide()
		place.o = place.o.Sub(v.Position.Wide())
		p := part{entity: query.Entity(), kind: c.Kind}
		local := placed(geom.Transform{Position: c.Center, Rotation: c.Rotation})
		p.half, p.radius = c.HalfExtents.Wide(), float64(c.Radius)
		switch c.Kind {
		case physecs.KindAABB:
			o.addAABB(p, geom.AABBAround(c.Center, c.HalfExtents), place.o, scale)
		case physecs.KindBox, physecs.KindSphere, physecs.KindCapsule, physecs.KindCylinder, physecs.KindCone, physecs.KindTaperedCapsule:
			if c.Kind == physecs.KindCylinder {
				p.kind, p.half.X = physecs.KindCone, p.radius
			}
			if c.Kind == physecs.KindBox && !turns(c.Rotation) { // the scale may be zero
				p.half = geom.DVec3{X: p.half.X * math.Abs(scale.X), Y: p.half.Y * math.Abs(scale.Y), Z: p.half.Z * math.Abs(scale.Z)}
				at := place.point(c.Center.Wide())
				place = placed(geom.Transform{Rotation: tr.Rotation})
				place.o, local.o = at, geom.DVec3{}
			}
			p.to = place.after(local)
			o.parts = append(o.parts, p)
		case physecs.KindPlane:
			o.addPlane(p, geom.Plane{Normal: c.Normal, D: c.D}, place)
		case physecs.KindMesh:
			m, ok := meshes.Mesh(c.Mesh)
			require.True(t, ok)
			o.addMesh(p, m, place)
		case physecs.KindHull:
			h, ok := meshes.Hull(c.Hull)
			require.True(t, ok)
			o.addHull(p, h, place)
		case physecs.KindCompound:
			m, ok := meshes.Compound(c.Compound)
			require.True(t, ok)
			for i := range m.NumChildren() {
				o.addChild(t, p, m.Child(i), place, scale)
			}
		}
	}
	return o
}

func (o *truth) addChild(t *testing.T, p part, c physics.Child, parent map3, scale geom.DVec3) {
	place := parent.after(placed(c.Transform))
	s := c.Transform.Factors().Wide()
	scale = geom.DVec3{X: scale.X * s.X, Y: scale.Y * s.Y, Z: scale.Z * s.Z}
	switch shape := c.Shape.(type) {
	case geom.AABB:
		o.addAABB(p, shape, place.o, scale)
	case geom.Box:
		p.kind, p.half = physecs.KindBox, shape.HalfExtents.Wide()
		p.to = place.after(placed(geom.Transform{Position: shape.Center, Rotation: shape.Rotation}))
		o.parts = append(o.parts, p)
	case geom.Sphere:
		p.kind, p.radius = physecs.KindSphere, float64(shape.Radius)
		p.to = place.after(placed(geom.Transform{Position: shape.Center}))
		o.parts = append(o.parts, p)
	case geom.Cone, geom.TaperedCapsule:
		cone, ok := shape.(geom.Cone)
		if p.kind = physecs.KindCone; !ok {
			p.kind, cone = physecs.KindTaperedCapsule, geom.Cone(shape.(geom.TaperedCapsule))
		}
		axis := cone.B.Wide().Sub(cone.A.Wide())
		y := axis.Normalize()
		x := y.Cross(geom.DVec3{X: 0.3, Y: -0.5, Z: 0.8}).Normalize()
		p.radius, p.half = float64(cone.RadiusA), geom.DVec3{X: float64(cone.RadiusB), Y: axis.Len() / 2}
		p.to = place.after(map3{x, y, x.Cross(y), cone.A.Wide().Add(cone.B.Wide()).Mul(0.5)})
		o.parts = append(o.parts, p)
	case geom.Capsule:
		// Any rotation to its axis: the capsule is symmetric about it.
		axis := shape.B.Wide().Sub(shape.A.Wide())
		y := axis.Normalize()
		x := y.Cross(geom.DVec3{X: 0.3, Y: -0.5, Z: 0.8}).Normalize()
		p.kind, p.radius, p.half = physecs.KindCapsule, float64(shape.Radius), geom.DVec3{Y: axis.Len() / 2}
		p.to = place.after(map3{x, y, x.Cross(y), shape.A.Wide().Add(shape.B.Wide()).Mul(0.5)})
		o.parts = append(o.parts, p)
	case geom.Plane:
		o.addPlane(p, shape, place)
	case *hull.Hull:
		o.addHull(p, shape, place)
	case *mesh.Mesh:
		o.addMesh(p, shape, place)
	default:
		require.Failf(t, "unknown shape", "%T", shape)
	}
}

func (o *truth) addAABB(p part, b geom.AABB, at, scale geom.DVec3) {
	lo, hi := b.Min.Wide(), b.Max.Wide()
	c, h := lo.Add(hi).Mul(0.5), hi.Sub(lo).Mul(0.5)
	p.kind = physecs.KindBox
	p.half = geom.DVec3{X: h.X * math.Abs(scale.X), Y: h.Y * math.Abs(scale.Y), Z: h.Z * math.Abs(scale.Z)}
	p.to = map3{geom.DVec3{X: 1}, geom.DVec3{Y: 1}, geom.DVec3{Z: 1},
		at.Add(geom.DVec3{X: c.X * scale.X, Y: c.Y * scale.Y, Z: c.Z * scale.Z})}
	o.parts = append(o.parts, p)
}

func (o *truth) addPlane(p part, plane geom.Plane, place map3) {
	p.kind, p.to, p.normal, p.d = physecs.KindPlane, place, plane.Normal.Wide(), float64(plane.D)
	o.parts = append(o.parts, p)
}

func (o *truth) addMesh(p part, m *mesh.Mesh, place map3) {
	p.kind, p.to = physecs.KindMesh, place
	for i := range m.NumTriangles() {
		if m.Material(i) == mesh.Hole {
			continue
		}
		c := m.Triangle(i)
		tri := [3]geom.DVec3{place.point(c.A.Wide()), place.point(c.B.Wide()), place.point(c.C.Wide())}
		if place.det() < 0 { // a mirror reverses the winding, but not the outside
			tri[1], tri[2] = tri[2], tri[1]
		}
		p.tris = append(p.tris, tri)
	}
	o.parts = append(o.parts, p)
}

// addHull adds a hull by the corners of its faces. The edges of its faces, like those of a box,
// matter at its silhouette only.
func (o *truth) addHull(p part, h *hull.Hull, place map3) {
	p.kind, p.to = physecs.KindHull, place
	for i := range h.NumFaces() {
		var face []geom.DVec3
		for _, v := range h.Face(i) {
			face = append(face, h.Vertices()[v].Wide())
		}
		p.faces = append(p.faces, face)
	}
	o.parts = append(o.parts, p)
}

// place is a pixel, and the parts near it.
type place struct {
	o     *truth
	x, y  float64 // of its centre, in the framebuffer
	parts []near
}

type near struct {
	*part
	tris []int
}

// at returns a pixel with the parts that may be seen within a pixel's width of its centre.
func (o *truth) at(px, py int) place {
	pl := place{o: o, x: float64(px) + 0.5, y: float64(py) + 0.5}
	l, side, up := o.line(pl.x, pl.y), o.line(pl.x+1, pl.y), o.line(pl.x, pl.y+1)
	spread := func(m line) (from, dir float64) { return m.from.Sub(l.from).Len(), m.dir.Sub(l.dir).Len() }
	fx, dx := spread(side)
	fy, dy := spread(up)
	from, dir := math.Max(fx, fy), math.Max(dx, dy)
	for i := range o.parts {
		n := near{part: &o.parts[i]}
		for k, tri := range n.part.tris {
			c := tri[0].Add(tri[1]).Add(tri[2]).Mul(1. / 3)
			r := math.Max(c.Sub(tri[0]).Len(), math.Max(c.Sub(tri[1]).Len(), c.Sub(tri[2]).Len()))
			t := c.Sub(l.from).Dot(l.dir) / l.dir.Dot(l.dir)
			if l.from.Add(l.dir.Mul(t)).Sub(c).Len() <= 1.01*r+from+dir*(math.Abs(t)+r) {
				n.tris = append(n.tris, k)
			}
		}
		if n.kind != physecs.KindMesh || len(n.tris) > 0 {
			pl.parts = append(pl.parts, n)
		}
	}
	return pl
}

// seen returns the entity at an offset from the centre, the zero entity if there is none.
func (pl *place) seen(dx, dy float64) ecs.Entity {
	l := pl.o.line(pl.x+dx, pl.y+dy)
	best, e := math.Inf(1), ecs.Entity{}
	for i := range pl.parts {
		if t, ok := pl.o.meet(pl.parts[i].part, pl.parts[i].tris, l); ok && t < best {
			best, e = t, pl.parts[i].entity
		}
	}
	return e
}

// depth returns the distance of an entity at the centre, +Inf if it is not seen there.
func (pl *place) depth(e ecs.Entity) float64 {
	l := pl.o.line(pl.x, pl.y)
	best := math.Inf(1)
	for i := range pl.parts {
		if t, ok := pl.o.meet(pl.parts[i].part, pl.parts[i].tris, l); ok && pl.parts[i].entity == e {
			best = math.Min(best, t)
		}
	}
	return best
}

// verdict is the reason why two answers for a pixel may differ.
type verdict int

const (
	outside verdict = iota // no reason: an error
	edge                   // the pixel's centre is within 1/256 pixel of a projected edge
	tie                    // two surfaces, or one and the near or far plane, are equally far away
	numVerdicts
)

const (
	edgeWidth = 1. / 256 // pixels: the grid to which graphics cards round the corners of triangles
	tieWidth  = 1e-6     // of the distance: about eight steps of single precision
)

// judge returns why the answers a and b for a pixel may differ.
//
// It is an edge if each is seen at some place no further than 1/256 pixel from the centre. Sixteen
// directions are tried; a part so thin that it lies between them is found by the distance to its
// edges.
func (o *truth) judge(px, py int, a, b ecs.Entity) verdict {
	pl := o.at(px, py)
	da, db, first := pl.depth(a), pl.depth(b), pl.depth(pl.seen(0, 0))
	width := tieWidth*da + pl.rounding(a) + pl.rounding(b)
	if !math.IsInf(math.Max(da, db), 1) && math.Abs(da-db) <= width && math.Abs(da-first) <= width {
		return tie
	}
	var isA, isB bool
	look := func(from *truth, dx, dy float64) {
		e := (&place{from, pl.x, pl.y, pl.parts}).seen(dx, dy)
		isA, isB = isA || e == a, isB || e == b
	}
	// The near and the far plane cut surfaces, so a surface may tie with them too.
	for _, by := range [...]float64{1 - tieWidth, 1 + tieWidth} {
		moved := *o
		moved.near, moved.far = o.near*by, o.far*by
		look(&moved, 0, 0)
	}
	if isA && isB {
		return tie
	}
	isA, isB = false, false
	look(o, 0, 0)
	for _, r := range [...]float64{edgeWidth, edgeWidth / 2} {
		for i := range 16 {
			sin, cos := math.Sincos(float64(i) * math.Pi / 8)
			look(o, r*cos, r*sin)
		}
	}
	if isA && isB {
		return edge
	}
	for i := range pl.parts {
		if n := &pl.parts[i]; (n.entity == a || n.entity == b) && pl.edgeWithin(n, edgeWidth) {
			return edge
		}
	}
	return outside
}

// rounding returns by how much the triangles of an entity may be off that are seen near the centre:
// their corners, relative to the camera, are rounded to single precision.
func (pl *place) rounding(e ecs.Entity) (off float64) {
	for i := range pl.parts {
		n := &pl.parts[i]
		if n.entity != e {
			continue
		}
		for _, k := range n.tris {
			for _, c := range n.part.tris[k] {
				off = max(off, 0x1p-24*c.Len())
			}
		}
	}
	return off
}

// edgeWithin reports whether an edge of a box, a hull or a triangle is within a distance in pixels
// from the centre.
func (pl *place) edgeWithin(n *near, pixels float64) bool {
	found := false
	segment := func(p, q geom.DVec3) { found = found || pl.distance(p, q) <= pixels }
	switch n.kind {
	case physecs.KindMesh:
		for _, i := range n.tris {
			tri := n.part.tris[i]
			segment(tri[0], tri[1])
			segment(tri[1], tri[2])
			segment(tri[2], tri[0])
		}
	case physecs.KindHull:
		for _, face := range n.faces {
			for i := range face {
				segment(n.to.point(face[i]), n.to.point(face[(i+1)%len(face)]))
			}
		}
	case physecs.KindBox:
		corner := func(i int) geom.DVec3 {
			s := func(bit int) float64 { return float64(i>>bit&1)*2 - 1 }
			return n.to.point(geom.DVec3{X: s(0) * n.half.X, Y: s(1) * n.half.Y, Z: s(2) * n.half.Z})
		}
		for i := range 8 {
			for bit := range 3 {
				if i>>bit&1 == 0 {
					segment(corner(i), corner(i|1<<bit))
				}
			}
		}
	}
	return found
}

// distance returns the distance in pixels from the centre to the projection of an edge, +Inf if the
// edge is not between the near and far plane.
func (pl *place) distance(p, q geom.DVec3) float64 {
	o := pl.o
	depth := func(p geom.DVec3) float64 { return -o.z.Dot(p) }
	for _, limit := range [...][2]float64{{1, o.near}, {-1, -o.far}} {
		a, b := limit[0]*depth(p)-limit[1], limit[0]*depth(q)-limit[1]
		if math.IsInf(limit[1], 0) {
			continue
		}
		switch cut := p.Add(q.Sub(p).Mul(a / (a - b))); {
		case a < 0 && b < 0:
			return math.Inf(1)
		case a < 0:
			p = cut
		case b < 0:
			q = cut
		}
	}
	x0, y0 := o.project(p)
	x1, y1 := o.project(q)
	dx, dy, mx, my := x1-x0, y1-y0, pl.x-x0, pl.y-y0
	along := 0.0
	if l := dx*dx + dy*dy; l > 0 {
		along = math.Max(0, math.Min(1, (mx*dx+my*dy)/l))
	}
	return math.Hypot(mx-along*dx, my-along*dy)
}

// project returns where a point is seen, in the framebuffer.
func (o *truth) project(p geom.DVec3) (x, y float64) {
	c := geom.DVec3{X: o.x.Dot(p), Y: o.y.Dot(p), Z: o.z.Dot(p)}
	row := func(i int) float64 { m := &o.rows; return m[i]*c.X + m[4+i]*c.Y + m[8+i]*c.Z + m[12+i] }
	v, w := o.view, row(3)
	return float64(v.X) + (row(0)/w+1)/2*float64(v.Width), float64(v.Y) + (row(1)/w+1)/2*float64(v.Height)
}

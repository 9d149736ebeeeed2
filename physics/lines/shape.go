package lines

import (
	"image/color"
	"math"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

const (
	// planeReach is half the side, in metres, of the square that stands for a plane.
	planeReach = 10
	// maxTriangles is the greatest number of triangles whose edges are drawn of a mesh; with more
	// its box is drawn. At 20,000 the list takes 2 MB.
	maxTriangles = 20_000
)

// Shape draws a shape of a collider, placed by a transform in the world, as lines on its surface.
// Of a plane it draws a square of 20 m around the point that is nearest to the origin of its own
// space, with an arrow along the normal; of a mesh of more than 20,000 triangles its box. What is
// empty or not finite is not drawn. Panics if s is no shape of a collider.
func (l *List) Shape(s physics.Shape, t geom.Transform, c color.NRGBA) {
	l.shape(s, t.Affine(), t.Factors(), c, false)
}

// Outline draws a shape of those that a planar space takes: what the plane Z = 0 cuts out of it.
func (l *List) Outline(s physics.Shape, t geom.Transform, c color.NRGBA) {
	t = t.Flat()
	l.shape(s, t.Affine(), t.Factors(), c, true)
}

// Space draws all colliders of a space in a colour: of a planar space, the outlines in its plane.
func (l *List) Space(s *physics.Space, c color.NRGBA) {
	draw := l.Shape
	if s.IsPlanar() {
		draw = l.Outline
	}
	for _, of := range s.All() {
		draw(of.Shape, of.Transform, c)
	}
}

// shape draws a shape under the map m, whose scales are by. Only an AABB needs them, as it does not
// turn. flat draws the outline in the plane Z = 0.
func (l *List) shape(s physics.Shape, m geom.Affine, by geom.Vec3, c color.NRGBA, flat bool) {
	if s == nil || !m.IsFinite() {
		return
	}
	switch s := s.(type) {
	case geom.AABB:
		if s.IsEmpty() {
			return
		}
		m = geom.Affine{X: geom.V(by.X, 0, 0), Y: geom.V(0, by.Y, 0), Z: geom.V(0, 0, by.Z), Origin: m.Origin}
		l.box(geom.Box{Center: s.Center(), HalfExtents: s.HalfExtents()}, m, c, flat)
	case geom.Box:
		l.box(s, m, c, flat)
	case geom.Sphere:
		l.capsule(geom.TaperedCapsule{A: s.Center, B: s.Center, RadiusA: s.Radius, RadiusB: s.Radius}, m, c, flat)
	case geom.Capsule:
		l.capsule(geom.TaperedCapsule{A: s.A, B: s.B, RadiusA: s.Radius, RadiusB: s.Radius}, m, c, flat)
	case geom.TaperedCapsule:
		l.capsule(s, m, c, flat)
	case geom.Cone:
		l.cone(s, m, c)
	case geom.Plane:
		l.plane(s, m, c, flat)
	case *hull.Hull:
		l.hull(s, m, c, flat)
	case *mesh.Mesh:
		l.mesh(s, m, c)
	case *physics.Compound:
		for i := range s.NumChildren() {
			child := s.Child(i)
			l.shape(child.Shape, m.Mul(child.Transform.Affine()), by.MulVec(child.Transform.Factors()), c, flat)
		}
	default:
		panic("lines: Shape: not a shape of a collider")
	}
}

func (l *List) box(b geom.Box, m geom.Affine, c color.NRGBA, flat bool) {
	if b.IsEmpty() {
		return
	}
	m = m.Mul(geom.Transform{Position: b.Center, Rotation: b.Rotation}.Affine())
	if !flat {
		l.Edges(m, b.HalfExtents, c)
		return
	}
	h := b.HalfExtents
	l.loop(m, c, geom.V(-h.X, -h.Y, 0), geom.V(h.X, -h.Y, 0), geom.V(h.X, h.Y, 0), geom.V(-h.X, h.Y, 0))
}

// loop draws the images of the sides of a polygon.
func (l *List) loop(m geom.Affine, c color.NRGBA, corners ...geom.Vec3) {
	for i, p := range corners {
		l.Segment(m.Point(p), m.Point(corners[(i+1)%len(corners)]), c)
	}
}

// capsule draws spheres and capsules of any radii: the circles at which the caps end, the sides,
// and the caps' profiles, in two planes through the axis or, flat, in one.
func (l *List) capsule(s geom.TaperedCapsule, m geom.Affine, c color.NRGBA, flat bool) {
	if s.IsEmpty() {
		return
	}
	if s.RadiusA == 0 && s.RadiusB == 0 { // as the children of a chain
		l.Segment(m.Point(s.A), m.Point(s.B), c)
		return
	}
	dir := s.B.Sub(s.A)
	length := dir.Len()
	if length <= max(s.RadiusA-s.RadiusB, s.RadiusB-s.RadiusA) { // one ball, or one in the other
		center, r := s.A, max(s.RadiusA, s.RadiusB)
		if s.RadiusB > s.RadiusA {
			center = s.B
		}
		for _, axes := range [...][2]geom.Vec3{{{X: r}, {Y: r}}, {{Y: r}, {Z: r}}, {{Z: r}, {X: r}}} {
			l.arc(m, center, axes[0], axes[1], 0, 2*math.Pi, c)
			if flat {
				return
			}
		}
		return
	}
	dir = dir.Mul(1 / length)
	// The sides touch both balls where the normal has this part along dir.
	along := (s.RadiusA - s.RadiusB) / length
	across := float32(math.Sqrt(max(0, 1-float64(float64(along)*float64(along)))))
	x, z := around(dir)
	planes := []geom.Vec3{x, z}
	if flat {
		planes = []geom.Vec3{geom.V(0, 0, 1).Cross(dir)}
	}
	for _, u := range planes {
		end := math.Acos(float64(along))
		l.arc(m, s.A, dir.Mul(-s.RadiusA), u.Mul(s.RadiusA), end-math.Pi, math.Pi-end, c)
		l.arc(m, s.B, dir.Mul(s.RadiusB), u.Mul(s.RadiusB), -end, end, c)
	}
	ring := func(center geom.Vec3, r float32) (geom.Vec3, float32) {
		return center.Add(dir.Mul(r * along)), r * across
	}
	l.sides(ring, s, m, planes, c)
}

func (l *List) cone(s geom.Cone, m geom.Affine, c color.NRGBA) {
	if s.IsEmpty() {
		return
	}
	x, z := around(s.B.Sub(s.A).Normalize())
	ring := func(center geom.Vec3, r float32) (geom.Vec3, float32) { return center, r }
	l.sides(ring, geom.TaperedCapsule(s), m, []geom.Vec3{x, z}, c)
}

// sides draws lines between the rings at both ends, in planes through the axis, and the rings if
// there are two planes.
func (l *List) sides(ring func(geom.Vec3, float32) (geom.Vec3, float32), s geom.TaperedCapsule, m geom.Affine, planes []geom.Vec3, c color.NRGBA) {
	a, ra := ring(s.A, s.RadiusA)
	b, rb := ring(s.B, s.RadiusB)
	for _, u := range planes {
		for _, side := range [...]geom.Vec3{u, u.Neg()} {
			l.Segment(m.Point(a.Add(side.Mul(ra))), m.Point(b.Add(side.Mul(rb))), c)
		}
	}
	if len(planes) == 2 {
		l.arc(m, a, planes[0].Mul(ra), planes[1].Mul(ra), 0, 2*math.Pi, c)
		l.arc(m, b, planes[0].Mul(rb), planes[1].Mul(rb), 0, 2*math.Pi, c)
	}
}

func (l *List) plane(s geom.Plane, m geom.Affine, c color.NRGBA, flat bool) {
	back, ok := m.Inverse()
	if s.IsEmpty() || !ok {
		return
	}
	at := m.Point(s.ClosestPoint(geom.Vec3{}))
	normal := back.Normal(s.Normal)
	l.Arrow(at, at.Add(normal), c)
	x, z := around(normal)
	x, z = x.Mul(planeReach), z.Mul(planeReach)
	if flat {
		x = geom.V(0, 0, 1).Cross(normal).Mul(planeReach)
		l.Segment(at.Sub(x), at.Add(x), c)
		return
	}
	l.loop(geom.Affine{X: x, Z: z, Origin: at}, c, geom.V(-1, 0, -1), geom.V(1, 0, -1), geom.V(1, 0, 1), geom.V(-1, 0, 1))
}

func (l *List) hull(s *hull.Hull, m geom.Affine, c color.NRGBA, flat bool) {
	if s == nil || s.IsEmpty() {
		return
	}
	if flat {
		corners := s.Corners()
		for i, p := range corners {
			q := corners[(i+1)%len(corners)]
			p.Z, q.Z = 0, 0 // and not at the prism's end
			l.Segment(m.Point(p), m.Point(q), c)
		}
		return
	}
	vertices := s.Vertices()
	for _, e := range s.Edges() {
		l.Segment(m.Point(vertices[e.A]), m.Point(vertices[e.B]), c)
	}
}

func (l *List) mesh(s *mesh.Mesh, m geom.Affine, c color.NRGBA) {
	if s == nil || s.NumTriangles() == 0 {
		return
	}
	if s.NumTriangles() > maxTriangles {
		b := s.Bounds()
		l.box(geom.Box{Center: b.Center(), HalfExtents: b.HalfExtents()}, m, c, false)
		return
	}
	for i := range s.NumTriangles() {
		t := s.Triangle(i)
		l.loop(m, c, t.A, t.B, t.C)
	}
}

package physics

import (
	"math"
	"math/rand/v2"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// Contacts with meshes are judged here by certificates that share no code with the narrow phase:
// support functions and distances of the shapes as formulas, and membership of points in triangles.

// judged is a convex shape with what its contacts are judged by.
type judged struct {
	placed Placed
	solid  Placed       // of a mesh, the convex solid that it bounds
	points []geom.DVec3 // their convex hull, grown by radius, is the shape
	radius float64
	faces  []judgedFace // outward planes of a shape without a radius
	size   float64
	round  judgedRound // of a cone, tapered or scaled capsule, in its own space; else nil
}

// judgedRound is the local form of what has neither corners nor one radius.
type judgedRound interface{ SignedDistance(p geom.Vec3) float32 }

type judgedFace struct {
	n geom.DVec3
	d float64
}

// reach returns the support function along n.
func (s *judged) reach(n geom.DVec3) float64 {
	if s.round != nil {
		m := s.placed.Transform.Affine()
		local := geom.DVec3{X: m.X.Wide().Dot(n), Y: m.Y.Wide().Dot(n), Z: m.Z.Wide().Dot(n)}
		return m.Origin.Wide().Dot(n) + reachOf(s.round, local)
	}
	most := math.Inf(-1)
	for _, p := range s.points {
		most = max(most, p.Dot(n))
	}
	return most + s.radius
}

// off returns by how much a point is off the surface, or less: the largest distance outward of a
// face's plane, or the distance of the core from where it should be.
func (s *judged) off(c *ContactPoint) float64 {
	p := c.PointB.Wide()
	if m, ok := s.placed.Shape.(*mesh.Mesh); ok {
		t, to := m.Triangle(int(c.TriangleB)), s.placed.Transform.Affine()
		return offTriangle(p, geom.Triangle{A: to.Point(t.A), B: to.Point(t.B), C: to.Point(t.C)})
	}
	if s.round != nil { // off by no more than in its own space, times its scale
		t := s.placed.Transform
		inverse, _ := t.Affine().Inverse()
		return math.Abs(float64(s.round.SignedDistance(inverse.Point(c.PointB)) * max(t.Scale.X, t.Scale.Y, t.Scale.Z)))
	}
	if s.radius > 0 {
		return math.Abs(offSegment(p, s.points[0], s.points[len(s.points)-1]) - s.radius)
	}
	most := math.Inf(-1)
	for _, f := range s.faces {
		most = max(most, f.n.Dot(p)-f.d)
	}
	return math.Abs(most)
}

// reachOf is the support function of a shape in its own space.
func reachOf(s any, n geom.DVec3) float64 {
	ends := func(a, b geom.Vec3, ra, rb float32, out float64) float64 {
		return max(a.Wide().Dot(n)+float64(ra)*out, b.Wide().Dot(n)+float64(rb)*out)
	}
	switch s := s.(type) {
	case geom.Capsule:
		return ends(s.A, s.B, s.Radius, s.Radius, n.Len())
	case geom.TaperedCapsule:
		return ends(s.A, s.B, s.RadiusA, s.RadiusB, n.Len())
	case geom.Cone:
		return ends(s.A, s.B, s.RadiusA, s.RadiusB, n.Cross(s.B.Wide().Sub(s.A.Wide()).Normalize()).Len())
	}
	panic("no round shape")
}

// judge places a shape. corners are those of a polytope, with the planes of its faces through three
// of them each; a sphere or capsule has its core.
func judge(s Shape, at geom.Transform) *judged {
	j := &judged{placed: Placed{s, at}, solid: Placed{s, at}, size: 1}
	if m, ok := s.(*mesh.Mesh); ok {
		s = mustHull(m.Vertices())
		j.solid.Shape = s
	}
	m := at.Affine()
	world := func(p geom.Vec3) geom.DVec3 {
		q := p.Wide()
		return m.Origin.Wide().AddMul(q.X, m.X.Wide()).AddMul(q.Y, m.Y.Wide()).AddMul(q.Z, m.Z.Wide())
	}
	switch s := s.(type) {
	case geom.Sphere:
		j.points, j.radius = []geom.DVec3{world(s.Center)}, float64(s.Radius)*m.X.Wide().Len()
	case geom.Capsule:
		j.points, j.radius = []geom.DVec3{world(s.A), world(s.B)}, float64(s.Radius)*m.X.Wide().Len()
		if at.Scale.X != at.Scale.Y || at.Scale.Y != at.Scale.Z {
			j.round = s
		}
	case geom.Cone:
		j.points, j.round = []geom.DVec3{world(s.A), world(s.B)}, s
	case geom.TaperedCapsule:
		j.points, j.round = []geom.DVec3{world(s.A), world(s.B)}, s
	case geom.Box:
		turn := geom.Transform{Rotation: s.Rotation}.Affine()
		for i := range 8 {
			h := geom.V(float32(i&1*2-1), float32(i&2-1), float32(i>>2*2-1)).MulVec(s.HalfExtents)
			j.points = append(j.points, world(s.Center.Add(turn.Vector(h))))
		}
		for axis := range 3 {
			i := 1 << axis
			u, v := j.points[1<<((axis+1)%3)].Sub(j.points[0]), j.points[1<<((axis+2)%3)].Sub(j.points[0])
			n := u.Cross(v).Normalize()
			if n == (geom.DVec3{}) { // flat along an axis across it
				continue
			}
			if n.Dot(j.points[i].Sub(j.points[0])) < 0 {
				n = n.Neg()
			}
			j.faces = append(j.faces, judgedFace{n, n.Dot(j.points[7])}, judgedFace{n.Neg(), -n.Dot(j.points[0])})
		}
	case interface {
		Vertices() []geom.Vec3
		NumFaces() int
		Face(int) []uint16
	}:
		middle := geom.DVec3{}
		for _, v := range s.Vertices() {
			j.points = append(j.points, world(v))
			middle = middle.Add(world(v))
		}
		middle = middle.Mul(1 / float64(len(j.points)))
		for i := range s.NumFaces() {
			n := geom.DVec3{} // Newell's
			f := s.Face(i)
			for k := range f {
				n = n.Add(j.points[f[k]].Cross(j.points[f[(k+1)%len(f)]]))
			}
			n = n.Normalize()
			if n.Dot(j.points[f[0]].Sub(middle)) < 0 {
				n = n.Neg()
			}
			j.faces = append(j.faces, judgedFace{n, n.Dot(j.points[f[0]])})
		}
	}
	for _, p := range j.points {
		j.size = max(j.size, math.Abs(p.X), math.Abs(p.Y), math.Abs(p.Z))
	}
	return j
}

// offTriangle returns the distance of a point from a triangle.
func offTriangle(p geom.DVec3, t geom.Triangle) float64 {
	c := [3]geom.DVec3{t.A.Wide(), t.B.Wide(), t.C.Wide()}
	n := c[1].Sub(c[0]).Cross(c[2].Sub(c[0])).Normalize()
	inside, least := true, math.Inf(1)
	for i := range c {
		a, b := c[i], c[(i+1)%3]
		inside = inside && n.Cross(b.Sub(a)).Dot(p.Sub(a)) >= 0
		least = min(least, offSegment(p, a, b))
	}
	if inside {
		return math.Abs(p.Sub(c[0]).Dot(n))
	}
	return least
}

// offSegment returns the distance of a point from a segment, or from its only point.
func offSegment(p, a, b geom.DVec3) float64 {
	t, d := 0.0, b.Sub(a)
	if l := d.Dot(d); l > 0 {
		t = max(0, min(1, p.Sub(a).Dot(d)/l))
	}
	return p.Sub(a.AddMul(t, d)).Len()
}

func hullTriangles(n int, face func(int) []uint16) (indices []uint32) {
	for i := range n {
		f := face(i)
		for k := 2; k < len(f); k++ {
			indices = append(indices, uint32(f[0]), uint32(f[k-1]), uint32(f[k]))
		}
	}
	return indices
}

var (
	meshOfBox  = mustMesh(mesh.Box(geom.V(0.5, 0.4, 0.3)))
	meshOfBall = mustMesh(mesh.Icosphere(0.5, 1))
	// The corner of a cube: the middle of its bounds is outside of it.
	meshOfTip = mustMesh([]geom.Vec3{{}, {X: 0.7}, {Y: 0.7}, {Z: 0.7}}, []uint32{0, 2, 1, 0, 3, 2, 0, 1, 3, 1, 2, 3})
)

var judgedKinds = map[string]func(r *rand.Rand) Shape{
	"box": func(*rand.Rand) Shape {
		return geom.Box{HalfExtents: geom.V(0.5, 0.5, 0.5), Rotation: geom.QuatIdentity()}
	},
	"plank": func(*rand.Rand) Shape {
		return geom.Box{HalfExtents: geom.V(0.5, 0.1, 0.25), Rotation: geom.QuatIdentity()}
	},
	"flat": func(*rand.Rand) Shape {
		return geom.Box{HalfExtents: geom.V(0.5, 0, 0.3), Rotation: geom.QuatIdentity()}
	},
	"sphere":  func(*rand.Rand) Shape { return geom.Sphere{Radius: 0.4} },
	"capsule": func(*rand.Rand) Shape { return geom.Capsule{A: geom.V(0, -0.4, 0), B: geom.V(0, 0.4, 0), Radius: 0.2} },
	"hull":    func(r *rand.Rand) Shape { return testHulls[r.IntN(len(testHulls))] },
	"sheared": func(r *rand.Rand) Shape {
		return geom.Box{HalfExtents: geom.V(0.5, 0.4, 0.3), Rotation: geom.QuatEuler(r.Float64()*6, r.Float64()*6, 0)}
	},
	"mesh of a box":  func(*rand.Rand) Shape { return meshOfBox },
	"mesh of a ball": func(*rand.Rand) Shape { return meshOfBall },
}

// judgedRounds are kinds that are not among judgedKinds: their points are not their corners.
var judgedRounds = map[string]Shape{
	"cylinder":        geom.Cylinder(geom.V(0, -0.4, 0), geom.V(0, 0.4, 0), 0.3),
	"cone":            geom.Cone{A: geom.V(0, -0.4, 0), B: geom.V(0, 0.4, 0), RadiusA: 0.4},
	"frustum":         geom.Cone{A: geom.V(0, -0.3, 0), B: geom.V(0, 0.3, 0), RadiusA: 0.35, RadiusB: 0.45},
	"coin":            geom.Cylinder(geom.V(0, -0.02, 0), geom.V(0, 0.02, 0), 0.4),
	"tapered capsule": geom.TaperedCapsule{A: geom.V(0, -0.4, 0), B: geom.V(0, 0.4, 0), RadiusA: 0.15, RadiusB: 0.3},
	"scaled capsule":  geom.Capsule{A: geom.V(0, -0.4, 0), B: geom.V(0, 0.4, 0), Radius: 0.25},
	"scaled frustum":  geom.Cone{A: geom.V(0, -0.3, 0), B: geom.V(0, 0.3, 0), RadiusA: 0.35, RadiusB: 0.45},
}

func judgedShape(r *rand.Rand, kind string) Shape {
	if s, ok := judgedRounds[kind]; ok {
		return s
	}
	if kind == "mesh of a tip" {
		return meshOfTip
	}
	return judgedKinds[kind](r)
}

func judgedScale(kind string) geom.Vec3 {
	switch kind {
	case "sheared", "scaled capsule", "scaled frustum":
		return geom.V(1.2, 0.6, 0.9)
	case "hull":
		return geom.V(0.5, 0.5, 0.5)
	}
	return geom.V(1, 1, 1)
}

// randomTurn returns a rotation, all alike likely.
func randomTurn(r *rand.Rand) geom.Quat {
	return geom.Quat{X: float32(r.NormFloat64()), Y: float32(r.NormFloat64()), Z: float32(r.NormFloat64()), W: float32(r.NormFloat64())}.Normalize()
}

// between returns a point between others.
func between(r *rand.Rand, points []geom.DVec3) (p geom.DVec3) {
	sum := 0.0
	for _, q := range points {
		w := r.ExpFloat64()
		p, sum = p.AddMul(w, q), sum+w
	}
	return p.Mul(1 / sum)
}

// corners returns those of a face.
func (s *judged) corners(f judgedFace) (on []geom.DVec3) {
	for _, p := range s.points {
		if math.Abs(f.n.Dot(p)-f.d) < 1e-6 {
			on = append(on, p)
		}
	}
	return on
}

// depthIn returns how deep a shape is in a solid, negative if they are apart, and the way out.
func (s *judged) depthIn(solid *judged) (d float64, n geom.DVec3) {
	if p, ok := Penetrate(solid.solid, s.solid); ok {
		return float64(p.Depth), p.Normal.Wide()
	}
	c, _ := ClosestPoints(solid.solid, s.solid, 10)
	return -float64(c.Distance), c.Normal.Wide()
}

// poseAt places a shape at random, as deep in a solid as wanted; a negative depth is a gap.
func poseAt(r *rand.Rand, kind string, solid *judged, feature string, depth float64) (*judged, bool) {
	s := judgedShape(r, kind)
	gauss := func() geom.DVec3 { return geom.DVec3{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()} }
	turn := randomTurn(r)
	// A place on a feature: a corner, on an edge of a face, or in a face.
	f := solid.faces[r.IntN(len(solid.faces))]
	on := solid.corners(f)
	place := on[r.IntN(len(on))]
	if feature != "corner" && feature != "tip" {
		place = between(r, on)
	}
	if feature == "edge" { // towards the nearest other corner of the face
		from, to := on[r.IntN(len(on))], geom.DVec3{}
		best := math.Inf(1)
		for _, q := range on {
			if d := q.Sub(from).Len(); d > 1e-6 && d < best {
				best, to = d, q
			}
		}
		place = from.AddMul(r.Float64(), to.Sub(from))
	}
	if feature == "tip" { // a point of a face of the shape, at a corner
		n := geom.DVec3{}
		for _, g := range solid.faces {
			if math.Abs(g.n.Dot(place)-g.d) < 1e-6 {
				n = n.AddMul(r.ExpFloat64(), g.n)
			}
		}
		n = n.Normalize()
		j := judge(s, geom.Transform{Scale: judgedScale(kind)})
		if len(j.faces) > 0 {
			g := j.faces[r.IntN(len(j.faces))]
			p := between(r, j.corners(g))
			axis, angle := g.n.Cross(n.Neg()), math.Acos(max(-1, min(1, -g.n.Dot(n))))
			turn := geom.QuatAxisAngle(n.Narrow(), 6*r.Float64()).Mul(geom.QuatAxisAngle(axis.Normalize().Narrow(), angle))
			at := place.Sub(turn.Rotate(p.Narrow()).Wide()).AddMul(-depth, n)
			j = judge(s, geom.Transform{Position: at.Narrow(), Rotation: turn, Scale: judgedScale(kind)})
			d, n := j.depthIn(solid)
			return j, n != geom.DVec3{} && math.Abs(d-depth) < 2e-5
		}
	}
	out := gauss().Normalize()
	if out.Dot(place) < 0 {
		out = out.Neg()
	}
	middle := gauss().Mul(0.1)
	at := place.AddMul(0.5, out).Add(middle)
	var j *judged
	for range 40 {
		j = judge(s, geom.Transform{Position: at.Narrow(), Rotation: turn, Scale: judgedScale(kind)})
		d, n := j.depthIn(solid)
		if math.Abs(d-depth) < 2e-5 {
			return j, true
		}
		at = at.AddMul(d-depth, n)
	}
	return j, false
}

package physics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
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

// solidMesh is a convex solid as a mesh and as a convex shape.
type solidMesh struct {
	name string
	mesh *mesh.Mesh
	same *judged
}

// gridBox returns the box of half extents 1 with each face in n×n squares.
func gridBox(n int) *mesh.Mesh {
	var vertices []geom.Vec3
	var indices []uint32
	at := func(axis, side, i, k int) geom.Vec3 {
		u, v := float32(2*i)/float32(n)-1, float32(2*k)/float32(n)-1
		if side == 0 {
			u, v = v, u
		}
		c := [3]float32{}
		c[axis], c[(axis+1)%3], c[(axis+2)%3] = float32(2*side-1), u, v
		return geom.V(c[0], c[1], c[2])
	}
	for axis := range 3 {
		for side := range 2 {
			for i := range n {
				for k := range n {
					b := uint32(len(vertices))
					vertices = append(vertices, at(axis, side, i, k), at(axis, side, i+1, k), at(axis, side, i+1, k+1), at(axis, side, i, k+1))
					indices = append(indices, b, b+1, b+2, b, b+2, b+3)
				}
			}
		}
	}
	return mustMesh(vertices, indices)
}

func solidMeshes() []solidMesh {
	box := judge(geom.Box{HalfExtents: geom.V(1, 1, 1), Rotation: geom.QuatIdentity()}, geom.Transform{})
	oct := testHulls[0]
	ball, faces := mesh.Icosphere(1, 1)
	return []solidMesh{
		{"box", mustMesh(mesh.Box(geom.V(1, 1, 1))), box},
		{"box of 96 triangles", gridBox(4), box},
		{"octahedron", mustMesh(oct.Vertices(), hullTriangles(oct.NumFaces(), oct.Face)), judge(oct, geom.Transform{})},
		{"ball of 80 triangles", mustMesh(ball, faces), judge(mustHull(ball), geom.Transform{})},
		{"open quad", mustMesh(mesh.Plane(1, 1, 1, 1)), judge(geom.Box{HalfExtents: geom.V(1, 0, 1), Rotation: geom.QuatIdentity()}, geom.Transform{})},
		{"open grid", mustMesh(mesh.Plane(1, 1, 5, 4)), judge(geom.Box{HalfExtents: geom.V(1, 0, 1), Rotation: geom.QuatIdentity()}, geom.Transform{})},
	}
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

// poseAt places a shape at random, as deep in a solid as wanted; a negative depth is a gap.
func poseAt(r *rand.Rand, kind string, solid *judged, feature string, depth float64) (*judged, bool) {
	s := judgedShape(r, kind)
	gauss := func() geom.DVec3 { return geom.DVec3{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()} }
	turn := geom.Quat{X: float32(r.NormFloat64()), Y: float32(r.NormFloat64()), Z: float32(r.NormFloat64()), W: float32(r.NormFloat64())}.Normalize()
	// A place on a feature: a corner, on an edge of a face, or in a face.
	f := solid.faces[r.IntN(len(solid.faces))]
	var on []geom.DVec3
	for _, p := range solid.points {
		if math.Abs(f.n.Dot(p)-f.d) < 1e-6 {
			on = append(on, p)
		}
	}
	place := on[r.IntN(len(on))]
	if feature != "corner" && feature != "tip" {
		sum := 0.0
		p := geom.DVec3{}
		for _, q := range on {
			w := r.ExpFloat64()
			p, sum = p.AddMul(w, q), sum+w
		}
		place = p.Mul(1 / sum)
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
			p, sum := geom.DVec3{}, 0.0
			for _, q := range j.points {
				if math.Abs(g.n.Dot(q)-g.d) < 1e-6 {
					w := r.ExpFloat64()
					p, sum = p.AddMul(w, q), sum+w
				}
			}
			axis, angle := g.n.Cross(n.Neg()), math.Acos(max(-1, min(1, -g.n.Dot(n))))
			turn := geom.QuatAxisAngle(n.Narrow(), 6*r.Float64()).Mul(geom.QuatAxisAngle(axis.Normalize().Narrow(), angle))
			at := place.Sub(turn.Rotate(p.Mul(1/sum).Narrow()).Wide()).AddMul(-depth, n)
			j = judge(s, geom.Transform{Position: at.Narrow(), Rotation: turn, Scale: judgedScale(kind)})
			d, ok := 0.0, false
			if p, touch := Penetrate(solid.solid, j.solid); touch {
				d, ok = float64(p.Depth), true
			} else if c, near := ClosestPoints(solid.solid, j.solid, 10); near {
				d, ok = -float64(c.Distance), true
			}
			return j, ok && math.Abs(d-depth) < 2e-5
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
		d, n := 0.0, geom.DVec3{}
		if p, ok := Penetrate(solid.solid, j.solid); ok {
			d, n = float64(p.Depth), p.Normal.Wide()
		} else if c, ok := ClosestPoints(solid.solid, j.solid, 10); ok {
			d, n = -float64(c.Distance), c.Normal.Wide()
		}
		if math.Abs(d-depth) < 2e-5 {
			return j, true
		}
		at = at.AddMul(d-depth, n)
	}
	return j, false
}

// fault returns what is wrong with the contacts of a solid's mesh with a shape that is as deep in
// the solid as given, or "".
func (m *solidMesh) fault(s *judged, depth float64, margin float32) string {
	all := Collide(nil, Placed{Shape: m.mesh}, s.placed, margin)
	tolerance := 1e-4 * max(m.same.size, s.size)
	deepest := math.Inf(-1)
	for i := range all {
		x := &all[i]
		n, d := x.Normal.Wide(), float64(x.Depth())
		deepest = max(deepest, d)
		// A way out by the depth: the plane across it parts the two.
		if rest := m.same.reach(n) + s.reach(n.Neg()) - d; rest > max(1e-3, 0.01*math.Abs(d)) {
			return fmt.Sprintf("no way out: %v by %.4f leaves %.4f, true depth %.4f", x.Normal, d, rest, depth)
		}
		if d > depth+max(1e-3, 0.01*math.Abs(depth)) {
			return fmt.Sprintf("too deep: %v by %.4f, true depth %.4f", x.Normal, d, depth)
		}
		for _, c := range x.ContactPoints() {
			if off := offTriangle(c.PointA.Wide(), m.mesh.Triangle(int(c.TriangleA))); off > tolerance {
				return fmt.Sprintf("PointA off by %.5f of %v, normal %v", off, c, x.Normal)
			}
			if off := s.off(&c); off > tolerance {
				return fmt.Sprintf("PointB off by %.5f of %v, normal %v", off, c, x.Normal)
			}
			if off := c.PointA.Wide().Sub(c.PointB.Wide()).AddMul(-float64(c.Depth), n).Len(); off > 1e-6*max(m.same.size, s.size) {
				return fmt.Sprintf("PointA − PointB is off by %.6f of the depth along the normal", off)
			}
		}
	}
	if touches := depth > 0 || -depth < float64(margin); touches && deepest < depth-max(1e-3, 0.01*math.Abs(depth)) {
		return fmt.Sprintf("only %.4f deep instead of %.4f, %d manifolds", deepest, depth, len(all))
	}
	return ""
}

// tries returns how many poses a class has: few, unless HITSCAN_POSES says more.
func tries(few int) int {
	if n, err := strconv.Atoi(os.Getenv("HITSCAN_POSES")); err == nil {
		return n
	}
	return few
}

// Every shape at the corners, edges and faces of a closed mesh has the contacts that it has with
// the solid, however it is turned.
func TestContactsWithSolidMeshes(t *testing.T) {
	testenv.NoRace(t)
	n := tries(12)
	for _, m := range solidMeshes() {
		for _, kind := range []string{"box", "plank", "flat", "sphere", "capsule", "hull", "sheared", "mesh of a box", "mesh of a ball", "mesh of a tip"} {
			for _, feature := range []string{"tip", "corner", "edge", "face"} {
				for _, depth := range []float64{0.001, -0.01, 0.03} {
					if strings.HasPrefix(m.name, "open") && (feature == "tip" && kind == "flat" || kind == "mesh of a tip") {
						continue // two flat shapes; a tip that may be near the far side
					}
					if depth > 0.01 && (kind == "flat" || kind == "hull" || strings.HasPrefix(kind, "mesh")) {
						continue // thinner than deep, or of triangles, which are
					}
					t.Run(fmt.Sprintf("%s/%s/%s/%g", m.name, kind, feature, depth), func(t *testing.T) {
						r := testenv.Rand(uint64(len(kind))+uint64(len(feature)), 5)
						wrong, first := 0, ""
						done := 0
						for i := range n {
							s, ok := poseAt(r, kind, m.same, feature, depth)
							if !ok {
								continue
							}
							done++
							// An open mesh has no inside: it may be near the far side of a mesh,
							// and to that side.
							margin := float32(0.02)
							if depth > 0 && (i%2 == 0 || strings.HasPrefix(kind, "mesh") && strings.HasPrefix(m.name, "open")) {
								margin = 0
							}
							if f := m.fault(s, depth, margin); f != "" {
								if wrong++; first == "" {
									first = fmt.Sprintf("%s: %T %v", f, s.placed.Shape, s.placed.Transform)
								}
							}
						}
						testenv.Drawn(t, done, n/2, "poses")
						if wrong > 0 {
							t.Errorf("%d of %d wrong; the first: %s", wrong, done, first)
						}
					})
				}
			}
		}
	}
}

// Poses of which one in ten thousand is like these.
func TestKeptPosesOnSolidMeshes(t *testing.T) {
	meshes := solidMeshes()
	for name, tt := range map[string]struct {
		solid int
		kind  string
		at    geom.Transform
		depth float64
	}{
		"leaves over an edge of triangles that it does not touch": {3, "flat", geom.Transform{
			Position: geom.V(-0.23776339, 1.0396391, 0.300875),
			Rotation: geom.Quat{X: -0.6246566, Y: 0.053316716, Z: 0.76728904, W: 0.1350147},
		}, 0.001},
		"lands on a face by a corner that is near its edge": {3, "plank", geom.Transform{
			Position: geom.V(-0.35453436, 1.3362988, -0.40513954),
			Rotation: geom.Quat{X: 0.5542776, Y: -0.757472, Z: 0.30246055, W: -0.16592197},
		}, 0.03},
		"leaves over a corner of a rim without the triangle beside it": {5, "flat", geom.Transform{
			Position: geom.V(-1.0632536, -0.16793722, -1.276817),
			Rotation: geom.Quat{X: 0.23955056, Y: 0.01976931, Z: -0.025791647, W: -0.9703399},
		}, 0.001},
		"is over one face of a corner, and behind another": {0, "flat", geom.Transform{
			Position: geom.V(-1.1141387, 0.8535722, 1.2412008),
			Rotation: geom.Quat{X: -0.33352637, Y: 0.19922157, Z: 0.6236082, W: 0.67836845},
		}, 0.001},
		"crosses a triangle of the ball at a rim": {4, "mesh of a ball", geom.Transform{
			Position: geom.V(1.0810462, 0.4717299, 0.9667989),
			Rotation: geom.Quat{X: -0.17125712, Y: 0.28131998, Z: -0.5608041, W: -0.7596241},
		}, 0.001},
	} {
		for _, margin := range []float32{0, 0.02} {
			s := judge(judgedKinds[tt.kind](nil), tt.at)
			// As above: an open mesh is near the far side.
			if margin == 0 || tt.solid == 0 || tt.solid == 3 {
				assert.Empty(t, meshes[tt.solid].fault(s, tt.depth, margin), "%s, margin %v", name, margin)
			}
		}
	}
}

// In the corner of a room, a mesh seen from its inside, a shape is held by each wall that it
// reaches into, by two or three at once where one of its tips is past as many, and by nothing else.
func TestContactsInARoom(t *testing.T) {
	testenv.NoRace(t)
	const margin = 0.02
	for _, room := range []*mesh.Mesh{mustMesh(mesh.Box(geom.V(1, 1, 1))), mustMesh(mesh.Box(geom.V(-1, 1, 1))), gridBox(5)} {
		for kind := range judgedKinds {
			r := testenv.Rand(7, uint64(len(kind)))
			wrong, held := 0, 0
			for range tries(100) {
				s := judgedKinds[kind](r)
				turn := geom.Quat{X: float32(r.NormFloat64()), Y: float32(r.NormFloat64()), Z: float32(r.NormFloat64()), W: float32(r.NormFloat64())}.Normalize()
				scale := judgedScale(kind).Mul(0.7)
				j := judge(s, geom.Transform{Rotation: turn, Scale: scale})
				// Up to the walls of a corner, by up to 5 mm, or away from them.
				var at geom.Vec3
				var depths [3]float64
				for axis := range 3 {
					n := geom.Axis(axis).Unit().Wide()
					depths[axis] = 0.005 - 0.05*r.Float64()*float64(r.IntN(3))
					at = at.WithAxis(geom.Axis(axis), float32(1-j.reach(n)+depths[axis]))
				}
				j = judge(s, geom.Transform{Position: at, Rotation: turn, Scale: scale})
				if max(at.X, at.Y, at.Z) > 1 {
					continue // a flat shape, mostly beyond the wall
				}
				all := Collide(nil, Placed{Shape: room}, j.placed, margin)
				ok := true
				for axis := range 3 {
					n, found := geom.Axis(axis).Unit().Neg(), math.Inf(-1)
					for i := range all {
						if all[i].Normal.Dot(n) > 1-1e-6 {
							found = float64(all[i].Depth())
						}
					}
					// Where its furthest point is over the wall, and not beyond another one. Else
					// what is over the wall has contacts.
					over, nearest := false, math.Inf(-1)
					for _, p := range j.points {
						q := [3]float64{p.X, p.Y, p.Z}
						furthest := q[axis]+j.radius > j.reach(geom.Axis(axis).Unit().Wide())-1e-6
						if max(q[(axis+1)%3], q[(axis+2)%3]) < 1-1e-6 {
							over, nearest = over || furthest, max(nearest, q[axis]+j.radius-1)
						}
					}
					switch d := depths[axis]; {
					case !over:
						ok = ok && (nearest < -margin+1e-5 || found > nearest-1e-4)
					case d > -margin+1e-5:
						held++
						ok = ok && math.Abs(found-d) < 1e-4
					case d < -margin-1e-5:
						ok = ok && math.IsInf(found, -1)
					}
				}
				for i := range all {
					n := all[i].Normal.Neg()
					// How far past the walls.
					tip := all[i].Points[0].PointB.Sub(geom.V(1, 1, 1)).Max(geom.Vec3{})
					ok = ok && (max(n.X, n.Y, n.Z) > 1-1e-6 || tip.Sub(n.Mul(all[i].Depth())).Len() < 1e-5)
					for _, c := range all[i].ContactPoints() {
						ok = ok && offTriangle(c.PointA.Wide(), room.Triangle(int(c.TriangleA))) < 1e-4 && j.off(&c) < 1e-4
					}
				}
				if !ok {
					if wrong++; wrong == 1 {
						t.Logf("%s: depths %v, found %v", kind, depths, all)
					}
				}
			}
			assert.Zero(t, wrong, kind)
			assert.Positive(t, held)
		}
	}
}

// A plate is behind three walls of a room by one corner each. Moved past one wall, it is clear of
// the triangle of another that it crossed, and in the next one.
func TestEachWallHoldsAPlate(t *testing.T) {
	at := geom.Transform{Position: geom.V(0.8023697, 0.65118426, 0.6835116), Scale: geom.V(0.7, 0.7, 0.7),
		Rotation: geom.Quat{X: -0.047282398, Y: 0.30429867, Z: -0.52680373, W: 0.7922402}}
	all := Collide(nil, Placed{Shape: gridBox(5)}, Placed{judgedKinds["flat"](nil), at}, 0.02)
	require.Len(t, all, 3)
	for i := range all {
		assert.InDelta(t, -1, min(all[i].Normal.X, all[i].Normal.Y, all[i].Normal.Z), 1e-6)
		assert.InDelta(t, 0.005, all[i].Depth(), 1e-6)
	}
}

// A corner of a plate is past two walls of a room. Over one of them the plate is less deep than it
// is past it, or not at all, and the contact is on the plate.
func TestPlatePastTwoWalls(t *testing.T) {
	for _, at := range []geom.Transform{
		{Position: geom.V(0.7409724, 0.5831795, 0.89182746), Rotation: geom.Quat{X: -0.5299635, Y: -0.6959974, Z: 0.38371518, W: 0.2957854}},
		{Position: geom.V(0.68890995, 0.75975925, 0.683375), Rotation: geom.Quat{X: 0.297812, Y: -0.802822, Z: 0.2050341, W: -0.47407365}},
	} {
		at.Scale = geom.V(0.7, 0.7, 0.7)
		plate := judge(judgedKinds["flat"](nil), at)
		all := Collide(nil, Placed{Shape: gridBox(5)}, plate.placed, 0.02)
		require.GreaterOrEqual(t, len(all), 2)
		for i := range all {
			for _, c := range all[i].ContactPoints() {
				assert.Less(t, plate.off(&c), 1e-6)
			}
		}
	}
}

// A sheared box over a corner of a ball of triangles, of which one there does not touch it.
func TestOverACornerOfWhichATriangleIsApart(t *testing.T) {
	ball := solidMeshes()[3]
	p := Placed{
		geom.Box{HalfExtents: geom.V(0.5, 0.4, 0.3), Rotation: geom.Quat{X: -0.41054094, Y: 0.19930656, Z: -0.8849771, W: -0.09245833}},
		geom.Transform{Position: geom.V(0.87221754, 0.935416, 0.34413576), Scale: geom.V(1.2, 0.6, 0.9),
			Rotation: geom.Quat{X: -0.16599804, Y: 0.5269196, Z: -0.82772785, W: -0.09832084}},
	}
	assert.Empty(t, ball.fault(judge(p.Shape, p.Transform), 0.03, 0))
}

// A compound has with a mesh the contacts of its children, each alone.
func TestCompoundOnMesh(t *testing.T) {
	r := testenv.Rand(8, 8)
	bar := geom.Box{HalfExtents: geom.V(0.6, 0.1, 0.1), Rotation: geom.QuatIdentity()}
	ball := geom.Sphere{Center: geom.V(0.6, 0, 0), Radius: 0.2}
	both := NewCompound(Child{Shape: bar}, Child{Shape: ball})
	solid := solidMeshes()[0]
	touched := 0
	for range tries(300) {
		s, ok := poseAt(r, "box", solid.same, "corner", 0.001)
		if !ok {
			continue
		}
		tr := s.placed.Transform
		var want []Manifold
		for i, c := range []Shape{bar, ball} {
			for _, m := range Collide(nil, Placed{Shape: solid.mesh}, Placed{c, tr}, 0.02) {
				m.ChildB = int32(i)
				want = append(want, m)
			}
		}
		got := Collide(nil, Placed{Shape: solid.mesh}, Placed{both, tr}, 0.02)
		require.Len(t, got, len(want))
		for i := range got {
			touched++
			require.Equal(t, want[i].ChildB, got[i].ChildB)
			require.InDelta(t, want[i].Depth(), got[i].Depth(), 1e-5)
			require.InDelta(t, 1, want[i].Normal.Dot(got[i].Normal), 1e-5)
		}
	}
	assert.Positive(t, touched)
}

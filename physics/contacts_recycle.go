package physics

import (
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// Contact recycling, after Box3D (erincatto/box3d, src/physics_world.c, b3CollideTask): while two
// colliders have hardly moved against each other since their manifolds were found, the contact
// points are moved with the colliders and only the depths are computed.
//
// Box3D recycles up to 5 cm and 10°, for a solver that corrects itself. Here it is up to a
// millimetre, of any point of the smaller collider as seen from the other, because contacts are
// answers too. That bounds the errors. A depth is that of the same two features: between planes it
// is exact up to the product of the displacement and the angle, some micrometres. Where other
// features have come nearest since, it is wrong by no more than twice the displacement. Errors do
// not add up, as each recycling starts from what was found.

const (
	// DefaultRecycleDistance is the default of [ContactTracker.RecycleDistance], in metres.
	DefaultRecycleDistance = 0.001
	// recycleShare bounds the distance as a fraction of the radius of the smaller collider, for
	// those smaller than half a metre, and so the angle: 1/512 radian, 0.11°.
	recycleShare = 1.0 / 512
)

// pose is position and rotation of a collider.
type pose struct {
	position geom.Vec3
	rotation geom.Quat
}

// poseOf returns the pose of a collider in the coordinates of the present origin. A collider whose
// shape does not rotate has no rotation.
func (s *Space) poseOf(i int) (p pose) {
	d := &s.details[i]
	p.position, p.rotation = d.transform.Position, d.transform.Rotation
	if d.since != s.present() {
		p.position = s.transform(i).Position
	}
	if s.records[i].single[0].Kind == placed.KindAABB {
		p.rotation = geom.Quat{}
	}
	return p
}

// motion is the rigid motion of a collider from one pose to another: the point p moves by
// shift + E·p, where E is the matrix of a rotation less the identity.
type motion struct {
	moves   bool // else all of it stays
	turns   bool // else E is zero
	shift   geom.DVec3
	x, y, z geom.DVec3 // the rows of E
}

// set computes the motion from one pose to another.
func (m *motion) set(p, q *pose) {
	from := p.position.Wide()
	m.shift = q.position.Wide().Sub(from)
	m.turns = p.rotation != q.rotation
	if m.moves = m.turns || p.position != q.position; !m.turns {
		return
	}
	ax, ay, az, aw := wideQuat(q.rotation)
	bx, by, bz, bw := wideQuat(p.rotation)
	x := float64(ax*bw) - float64(aw*bx) - float64(ay*bz) + float64(az*by)
	y := float64(ay*bw) - float64(aw*by) - float64(az*bx) + float64(ax*bz)
	z := float64(az*bw) - float64(aw*bz) - float64(ax*by) + float64(ay*bx)
	w := float64(aw*bw) + float64(ax*bx) + float64(ay*by) + float64(az*bz)
	// Divided by their squares, the quaternions need not be unit.
	l := 2 / (float64(x*x) + float64(y*y) + float64(z*z) + float64(w*w))
	xx, yy, zz := float64(x*x*l), float64(y*y*l), float64(z*z*l)
	xy, xz, yz := float64(x*y*l), float64(x*z*l), float64(y*z*l)
	wx, wy, wz := float64(w*x*l), float64(w*y*l), float64(w*z*l)
	m.x = geom.DVec3{X: -yy - zz, Y: xy - wz, Z: xz + wy}
	m.y = geom.DVec3{X: xy + wz, Y: -xx - zz, Z: yz - wx}
	m.z = geom.DVec3{X: xz - wy, Y: yz + wx, Z: -xx - yy}
	m.shift = m.shift.Sub(m.turned(from))
}

// wideQuat returns the components of a rotation. Zero is none.
func wideQuat(q geom.Quat) (x, y, z, w float64) {
	if q == (geom.Quat{}) {
		return 0, 0, 0, 1
	}
	return float64(q.X), float64(q.Y), float64(q.Z), float64(q.W)
}

// turned returns by how much a vector changes.
func (m *motion) turned(v geom.DVec3) geom.DVec3 {
	return geom.DVec3{
		X: float64(m.x.X*v.X) + float64(m.x.Y*v.Y) + float64(m.x.Z*v.Z),
		Y: float64(m.y.X*v.X) + float64(m.y.Y*v.Y) + float64(m.y.Z*v.Z),
		Z: float64(m.z.X*v.X) + float64(m.z.Y*v.Y) + float64(m.z.Z*v.Z),
	}
}

// of returns by how much a point moves.
func (m *motion) of(p geom.DVec3) geom.DVec3 {
	if !m.turns {
		return m.shift
	}
	return m.shift.Add(m.turned(p))
}

// displaces returns a bound on how far any point within a radius of a point moves, in metres, as
// seen from what moves by o; NaN if a rotation is not finite. The difference of two rotations by an
// angle θ has the singular values 2·sin(θ/2), twice, and 0: it moves points at distance 1 by up to
// the root of half the sum of its squares.
func (m *motion) displaces(o *motion, at geom.DVec3, radius float64) float64 {
	d := m.of(at).Sub(o.of(at)).Len()
	if m.turns || o.turns {
		x, y, z := m.x.Sub(o.x), m.y.Sub(o.y), m.z.Sub(o.z)
		d += float64(math.Sqrt(0.5*(x.Dot(x)+y.Dot(y)+z.Dot(z))) * radius)
	}
	return d
}

// relativeMotion is the motion of two colliders since they were compared.
type relativeMotion struct {
	a, b motion
	// far is a bound on how far any point of the smaller one moved as seen from the other; or NaN.
	far    float64
	radius float64 // of the smaller one
}

func (m *relativeMotion) set(t *pairTable, f *finding, a, b *record) {
	i, j := a.id.index(), b.id.index()
	m.a.set(&f.poses[0], &t.proxies[i].pose)
	m.b.set(&f.poses[1], &t.proxies[j].pose)
	if m.a.turns && a.bends() || m.b.turns && b.bends() {
		m.far = math.NaN()
		return
	}
	r, s := t.radiusSq(i, a), t.radiusSq(j, b)
	if m.radius = math.Sqrt(min(r, s)); r < s {
		m.far = m.a.displaces(&m.b, t.pivotAt(i, a, &f.poses[0]), m.radius)
	} else {
		m.far = m.b.displaces(&m.a, t.pivotAt(j, b, &f.poses[1]), m.radius)
	}
}

// isFar reports whether two colliders have certainly moved further against each other since they
// were compared than a distance, in metres. It takes a fraction of the time of set. The position of
// each, as seen from the other, moves by the difference of the two shifts, except for what the
// rotation of the other by an angle θ moves it: 2·sin(θ/2) times the distance of the positions, or
// less. The quaternions q and r before and after are at half that angle, so sin(θ/2) is |q − r|/|q|
// at most. The factor is 2 plus 5 %, for |q| and for rounding.
func (f *finding) isFar(p, q *pose, distance float64) bool {
	a, b := &f.poses[0], &f.poses[1]
	from := a.position.Wide().Sub(b.position.Wide())
	shift := p.position.Wide().Sub(q.position.Wide()).Sub(from)
	turnA, okA := turnSq(&a.rotation, &p.rotation)
	turnB, okB := turnSq(&b.rotation, &q.rotation)
	return okA && okB && shift.Len() > distance+float64(2.1*math.Sqrt(max(turnA, turnB)*from.Dot(from)))
}

// turnSq returns the square of the difference of two quaternions, and whether the length of the
// first is at least 0.98. It also is true if both are zero, which is no rotation.
func turnSq(q, r *geom.Quat) (sq float64, ok bool) {
	x, y, z, w := float64(q.X), float64(q.Y), float64(q.Z), float64(q.W)
	l := float64(x*x) + float64(y*y) + float64(z*z) + float64(w*w)
	x, y, z, w = x-float64(r.X), y-float64(r.Y), z-float64(r.Z), w-float64(r.W)
	sq = float64(x*x) + float64(y*y) + float64(z*z) + float64(w*w)
	return sq, l >= 0.98*0.98 || l == 0 && sq == 0
}

// bends reports whether a collider that turns does not do so as a whole: a compound with an AABB.
func (r *record) bends() bool {
	return r.group != nil && slices.ContainsFunc(r.group.subshapes, func(p placed.Subshape) bool { return p.Kind == placed.KindAABB })
}

// pivot returns the point of a collider that its motion is measured at: its position or, where that
// is out of its bounds, their middle. A log that lies 50 m from its position and rolls by a degree
// has not moved by a metre.
func pivot(b *geom.AABB, p *pose) geom.Vec3 {
	if b.Contains(p.position) {
		return p.position
	}
	if middle := b.Center(); middle.IsFinite() {
		return middle
	}
	return p.position
}

// pivotAt returns where the pivot was at another pose. The bounds are those of now.
func pivotAt(b *geom.AABB, now, then *pose) geom.DVec3 {
	at := pivot(b, now)
	if at == now.position {
		return then.position.Wide()
	}
	var back motion
	back.set(now, then)
	return at.Wide().Add(back.of(at.Wide()))
}

// radiusSq returns the square of the radius around the pivot of a collider in which all of it is.
func (r *record) radiusSq(p *pose) float64 { return radiusSq(r.bounds(), pivot(r.bounds(), p)) }

func radiusSq(b *geom.AABB, pivot geom.Vec3) float64 {
	at := pivot.Wide()
	lo, hi := at.Sub(b.Min.Wide()), b.Max.Wide().Sub(at)
	far := geom.DVec3{X: max(lo.X, hi.X), Y: max(lo.Y, hi.Y), Z: max(lo.Z, hi.Z)}
	return far.Dot(far)
}

// clearance returns how far two colliders that do not touch may move against each other, in metres,
// before they can, less what the distance of shapes and the placement of their points are exact to.
func clearance(a, b *record, margin float32) float64 {
	var c Closest
	limit := margin + 2*fatReach
	if closest(&c, a.subshapes(), b.subshapes(), limit) {
		limit = c.Distance
	}
	return certain(float64(limit), a, b, margin)
}

// certain returns how far two colliders at a distance may move before they are within a margin.
func certain(distance float64, a, b *record, margin float32) float64 {
	return distance - float64(margin) - float64(1e-3*distance) - float64(4*(a.slack+b.slack))
}

// clearanceNear is clearance for a mesh and a box, by the planes between the box and the triangles
// that are kept. It takes a tenth of the time, and is shorter where two edges are nearest to each
// other. It returns false if the triangles are not kept.
func (w *scratch) clearanceNear(a, b *record, margin float32) (gap float64, ok bool) {
	p, q := &a.single[0], &b.single[0]
	if p.Kind != placed.KindMesh {
		p, q = q, p
	}
	if w.kept == nil || q.Kind != placed.KindBox {
		return 0, false
	}
	limit := margin + 2*fatReach
	for !placed.KeepsNear(w.kept, p, q, limit) {
		if limit = margin + float32((limit-margin)/2); limit < margin+fatReach/4 {
			return 0, false
		}
	}
	w.places, _, _ = placed.PlacesNear(w.places[:0], w.kept, p, q, &w.y, limit)
	q.SetPart(&w.y, placed.Whole)
	least := float64(limit)
	for _, place := range w.places {
		t := p.Local.Placed(w.kept.Triangle(place))
		least = min(least, w.y.Clear(&t))
	}
	return certain(least, a, b, margin), true
}

// isWorthKeeping reports whether it takes longer to compare two colliders than to find how far they
// have moved. It does not with spheres and capsules, and with two boxes of a planar space.
func isWorthKeeping(a, b *record) bool {
	p, q := &a.single[0], &b.single[0]
	return !(p.Kind == placed.KindSphere && q.IsConvex() || q.Kind == placed.KindSphere && p.IsConvex() || p.IsSimple() && q.IsSimple() || p.IsFlatBox() && q.IsFlatBox())
}

// recycle moves the manifolds found with the colliders. It reports false if a manifold has no point
// left.
func (x *tracked) recycle(mem *arenaPart, f *finding, m *relativeMotion, margin float32) bool {
	found := f.manifolds.list()
	mem.room(len(found))
	from := len(mem.manifolds)
	to := from + len(found)
	now := mem.manifolds[from:to:to]
	for i := range now {
		if now[i].follow(&found[i], m, margin); now[i].N == 0 {
			return false
		}
	}
	mem.manifolds = mem.manifolds[:to]
	x.Manifolds, x.copied = now, true
	return true
}

// follow sets a manifold to one that was found, moved with A and B. Its normal turns with the
// collider that has the face. Points of a depth of at least −margin stay.
func (n *Manifold) follow(f *Manifold, m *relativeMotion, margin float32) {
	normals := [2]geom.DVec3{f.Normal.Wide()}
	normals[1] = normals[0]
	if by := f.faced(m); by.turns {
		normals[1] = normals[1].Add(by.turned(normals[0]))
	}
	n.Normal, n.N, n.ChildA, n.ChildB = normals[1].Narrow(), f.N, f.ChildA, f.ChildB
	var stay uint32
	if useSIMD {
		stay = followSIMD(n, f, m, &normals, -margin)
	} else {
		stay = n.followPoints(f, m, &normals, -margin)
	}
	if all := uint32(1)<<f.N - 1; stay&all != all {
		n.N = 0
		for i := range f.N {
			if stay>>i&1 != 0 {
				n.Points[n.N] = n.Points[i]
				n.N++
			}
		}
	}
	clear(n.Points[n.N:])
}

// followPoints sets the points of a manifold to those of one that was found, moved with A and B.
// A point with a feature that is a face slides on it. The normals are those before and after. It
// returns a bit for each point that is as deep as the least depth.
func (n *Manifold) followPoints(f *Manifold, m *relativeMotion, normals *[2]geom.DVec3, least float32) (stay uint32) {
	for i := range f.ContactPoints() {
		c, to := &f.Points[i], &n.Points[i]
		p, q := c.PointA.Wide(), c.PointB.Wide()
		gap := p.Sub(q)
		if m.a.moves {
			p = p.Add(m.a.of(p))
		}
		if m.b.moves {
			q = q.Add(m.b.of(q))
		}
		across := p.Sub(q)
		beyond := across.Dot(normals[1])
		depth := float32(float64(c.Depth) + (beyond - gap.Dot(normals[0])))
		if !(depth < least) {
			stay |= 1 << i
		}
		aside := across.AddMul(-beyond, normals[1])
		switch {
		case c.FeatureA.IsFace():
			p = p.Sub(aside)
		case c.FeatureB.IsFace():
			q = q.Add(aside)
		default:
			p, q = p.AddMul(-0.5, aside), q.AddMul(0.5, aside)
		}
		*to = *c
		to.PointA, to.PointB, to.Depth = p.Narrow(), q.Narrow(), depth
	}
	return stay
}

// faced returns the motion of the collider whose face is in contact; that of A if both have one, or
// neither.
func (n *Manifold) faced(m *relativeMotion) *motion {
	for i := range n.N {
		if n.Points[i].FeatureA.IsFace() {
			return &m.a
		}
	}
	for i := range n.N {
		if n.Points[i].FeatureB.IsFace() {
			return &m.b
		}
	}
	return &m.a
}

package physics

import (
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// How far two colliders have moved against each other since they were compared.

// pose is position and rotation of a collider.
type pose struct {
	position geom.Vec3
	rotation geom.Quat
}

// setPose sets p to the pose of a collider in the coordinates of the present origin. A collider
// whose shape does not rotate has no rotation.
func (s *Space) setPose(p *pose, i int) {
	d := &s.details[i]
	p.position, p.rotation = d.transform.Position, d.transform.Rotation
	if d.since != s.present() {
		p.position = s.transform(i).Position
	}
	if s.records[i].single[0].Kind == placed.KindAABB {
		p.rotation = geom.Quat{}
	}
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
	far := geom.DVec3{X: larger(lo.X, hi.X), Y: larger(lo.Y, hi.Y), Z: larger(lo.Z, hi.Z)}
	return far.Dot(far)
}

// larger returns the larger magnitude of two numbers. The bits of magnitudes are in their order,
// and to compare them takes a fraction of the time of max.
func larger(x, y float64) float64 {
	const sign = 1 << 63
	return math.Float64frombits(max(math.Float64bits(x)&^sign, math.Float64bits(y)&^sign))
}

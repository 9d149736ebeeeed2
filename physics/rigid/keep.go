package rigid

import (
	"math"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Manifolds are kept while the bodies hardly move against each other, after the contact recycling
// of Box3D (erincatto/box3d, src/physics_world.c, b3CollideTask). The normal and the arms, at which
// impulses act on the bodies, stay as they were when the manifold was kept, and the gaps follow the
// anchors: the two points, one fixed to each body, that were one point then. There are two reasons:
//
//   - The features of faces that lie flush change with the least motion, and with them the points.
//     Impulses that start again from zero are too weak.
//   - A stack that leans by a little is pushed back upright. With arms that follow the bodies, the
//     load of the upper boxes acts beside the middle of the lower ones, and a soft tower of more
//     than some 15 boxes buckles.
//
// Box3D skips the search for contacts meanwhile. Here the manifold of the tracker is known, and
// limits the error of the gaps.
const (
	// keptDistance is how far in metres the anchors of a point may part. Twice as much can hold
	// what leans over an edge; at a tenth, towers of 30 boxes fall.
	keptDistance = 0.02
	// keptShare bounds this distance as a share of the reach of the smaller body, so that what is
	// small does not float on a manifold of long ago.
	keptShare = 1.0 / 16
	// keptError is by how much less deep the deepest point of the tracker may be, as a share of the
	// distance, and keptMiss is by how much deeper, as for a point that was not kept: it is not
	// pushed out. A crate leans onto a corner that lies in the ground by so much.
	keptError = 0.25
	keptMiss  = 1.0 / 16
	// keptTurn is the angle in radians by which a body may turn, and the normal may be wrong.
	keptTurn = 1.0 / 32
)

// frame is a position and a rotation that arms are measured in: of a body, its centre of mass; of
// static colliders, that of the collider.
type frame struct {
	at    geom.Vec3
	q     geom.Quat
	reach float32 // of the body; +Inf of a static collider
}

// frame returns the frame of a collider.
func (d *Dynamics) frame(body int32, id physics.ColliderID) frame {
	if body == 0 {
		t, _ := d.space.Transform(id)
		return frame{t.Position, t.Rotation.Normalize(), float32(math.Inf(1))}
	}
	b := &d.bodies[body]
	return frame{b.center, d.motions[body].q, b.reach}
}

// frameOf returns the frame of a collider at the start of the step.
func (d *Dynamics) frameOf(body int32, id physics.ColliderID) frame {
	if f := d.frames[body]; f.reach > 0 {
		return f
	}
	return d.frame(body, id)
}

// keeps sets the points of a constraint whose bodies have hardly moved since its manifold was kept.
// It reports false if they have moved more, or if that manifold differs from the present one.
func (d *Dynamics) keeps(c *start, m *memory, f *physics.Manifold, a, b *frame) bool {
	if d.space.IsPlanar() && isFlat(a.q) && isFlat(b.q) && isFlat(m.qA) && isFlat(m.qB) {
		return d.keepsFlat(c, m, f, a, b)
	}
	if m.childA != f.ChildA || m.childB != f.ChildB || f.Normal.Dot(m.normal) < 1-keptTurn*keptTurn/2 {
		return false
	}
	reach, most := keptWay(a, b)
	var p parting
	var near uint32
	if useSIMD {
		near = partSIMD(&p, m, a, b, reach*reach, most*most)
	} else {
		near = p.set(m, a, b, reach*reach, most*most)
	}
	if all := uint32(1)<<m.n - 1; near&all != all {
		return false
	}
	fixedA, fixedB := d.inertias[c.a].mass == 0, d.inertias[c.b].mass == 0
	deepest := float32(math.Inf(-1))
	for i := range m.points[:m.n] {
		q, to := &m.points[i], &c.points[i]
		*to = startPoint{q.impulse, q.armA, q.armB, p.gap[i]}
		deepest = max(deepest, -p.gap[i])
		// Impulses do not turn what is not dynamic, and its velocity there has to be the present
		// one.
		if fixedA {
			to.armA = q.armA.Add(p.a.of(q.armA))
		}
		if fixedB {
			to.armB = q.armB.Add(p.b.of(q.armB))
		}
	}
	err := deepest - f.Depth()
	return err <= float32(keptError*most) && -err <= float32(keptMiss*most)
}

// keepsNow is keeps at the start of the step.
func (d *Dynamics) keepsNow(c *start, m *memory, f *physics.Manifold, t *physics.Contact) bool {
	a, b := d.frameOf(c.a, t.A), d.frameOf(c.b, t.B)
	return d.keeps(c, m, f, &a, &b)
}

// parting is how the anchors of a manifold have parted since it was kept.
type parting struct {
	a, b way // by which the two bodies have turned
	_    float32
	gap  [physics.MaxContactPoints]float32
}

// set computes it. It returns a bit for each point whose anchors have parted by no more than a
// distance, of which the square is given. It returns none if a body has turned too far by itself,
// or moves what is within the reach, squared too, by more than that distance against the other.
// Bits and gaps beyond the points mean nothing.
func (p *parting) set(m *memory, a, b *frame, reachSq, mostSq float32) (near uint32) {
	ta, tb := turnTo(a.q, m.qA), turnTo(b.q, m.qB)
	va, vb := rotationVector(ta), rotationVector(tb)
	if va.LenSq() > keptTurn*keptTurn || vb.LenSq() > keptTurn*keptTurn || float32(vb.Sub(va).LenSq()*reachSq) > mostSq {
		return 0
	}
	// The two arms to what was one point differ by as much for all of them. So what turns A parts
	// all anchors by the same shift, beside what the two turn the arm of B by.
	p.a.set(&ta)
	p.b.set(&tb)
	apart := b.at.Sub(a.at)
	shift := p.a.of(m.points[0].armB.Sub(m.points[0].armA))
	x, y, z := p.b.x.Sub(p.a.x), p.b.y.Sub(p.a.y), p.b.z.Sub(p.a.z)
	for i := range m.points[:m.n] {
		q := &m.points[i]
		turned := shift.Add(x.Mul(q.armB.X)).Add(y.Mul(q.armB.Y)).Add(z.Mul(q.armB.Z))
		off := apart.Add(q.armB.Sub(q.armA)).Add(turned)
		if off.LenSq() <= mostSq { // else also if it is not a number
			near |= 1 << i
		}
		p.gap[i] = q.gap + off.Dot(m.normal)
	}
	return near
}

// keptWay returns the reach of the smaller body, and how far the anchors of a point may part.
func keptWay(a, b *frame) (reach, most float32) {
	reach = lesser(a.reach, b.reach)
	return reach, min(keptDistance, keptShare*reach)
}

// turnTo returns the rotation to q from another, in single precision: the error is some 1e-7 rad,
// and no rotation is exact.
func turnTo(q, from geom.Quat) geom.Quat {
	return geom.Quat{
		X: float32(q.X*from.W) - float32(q.W*from.X) + (float32(q.Z*from.Y) - float32(q.Y*from.Z)),
		Y: float32(q.Y*from.W) - float32(q.W*from.Y) + (float32(q.X*from.Z) - float32(q.Z*from.X)),
		Z: float32(q.Z*from.W) - float32(q.W*from.Z) + (float32(q.Y*from.X) - float32(q.X*from.Y)),
		W: float32(q.W*from.W) + float32(q.X*from.X) + float32(q.Y*from.Y) + float32(q.Z*from.Z),
	}
}

// way is by how much a rotation changes vectors: its matrix less the identity, by columns. The
// rounding errors are in proportion to the angle.
type way struct{ x, y, z geom.Vec3 }

func (w *way) set(q *geom.Quat) {
	x, y, z := 2*q.X, 2*q.Y, 2*q.Z
	xx, yy, zz := float32(q.X*x), float32(q.Y*y), float32(q.Z*z)
	xy, xz, yz := float32(q.X*y), float32(q.X*z), float32(q.Y*z)
	wx, wy, wz := float32(q.W*x), float32(q.W*y), float32(q.W*z)
	w.x.X, w.x.Y, w.x.Z = -yy-zz, xy+wz, xz-wy
	w.y.X, w.y.Y, w.y.Z = xy-wz, -xx-zz, yz+wx
	w.z.X, w.z.Y, w.z.Z = xz+wy, yz-wx, -xx-yy
}

func (w *way) of(v geom.Vec3) geom.Vec3 { return w.x.Mul(v.X).Add(w.y.Mul(v.Y)).Add(w.z.Mul(v.Z)) }

// keep stores the manifold of a constraint as it was at the start of the step.
func (d *Dynamics) keep(j *job, x *contact, m *memory) {
	t := j.contact
	f := j.manifold
	a, b := d.frameOf(x.a, t.A), d.frameOf(x.b, t.B)
	m.childA, m.childB, m.n, m.normal = f.ChildA, f.ChildB, f.N, f.Normal
	m.qA, m.qB = a.q, b.q
	for k := range f.ContactPoints() {
		q := &f.Points[k]
		at := q.PointA.Add(q.PointB).Mul(0.5)
		m.points[k] = pointMemory{
			featureA: q.FeatureA, featureB: q.FeatureB, triangleA: q.TriangleA, triangleB: q.TriangleB,
			armA: at.Sub(a.at), armB: at.Sub(b.at), gap: -q.Depth,
		}
	}
}

// match finds the impulses of a manifold's points: those of the same features, else the nearest
// ones of the manifold of the same number. It returns the memory that shares most features.
func (d *Dynamics) match(c *start, x *contact, number int32, f *physics.Manifold) *memory {
	var old, last *memory
	if number < x.held {
		if last = d.memory(x, number); last.childA != f.ChildA || last.childB != f.ChildB {
			last = nil
		}
	}
	var missed, used uint // sets of points: of the manifold, and of last
	for i := range f.ContactPoints() {
		m, k := d.recall(x, f, &f.Points[i])
		if m == nil {
			missed |= 1 << i
			continue
		}
		c.points[i].impulse = m.points[k].impulse
		if m == last {
			used |= 1 << k
		}
		if old == nil || m.n > old.n {
			old = m
		}
	}
	if last == nil {
		return old
	}
	for i := 0; missed>>i != 0; i++ {
		if missed>>i&1 == 0 {
			continue
		}
		nearest, least := -1, float32(math.Inf(1))
		for k := range last.points[:last.n] {
			if s := last.points[k].armB.Sub(c.points[i].armB).LenSq(); used>>k&1 == 0 && s < least {
				nearest, least = k, s
			}
		}
		if nearest >= 0 {
			used |= 1 << nearest
			c.points[i].impulse = last.points[nearest].impulse
		}
	}
	if old == nil {
		return last
	}
	return old
}

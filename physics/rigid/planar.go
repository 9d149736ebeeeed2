package rigid

import (
	"math"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// In a planar space bodies turn about Z alone. What a step does most is written here without the
// terms that are 0 then. All other terms, and their order, are those of the general methods, so
// the results are the same: TestFlatTwins.

// isFlat reports whether a rotation is one about Z.
func isFlat(q geom.Quat) bool { return q.X == 0 && q.Y == 0 }

// weighFlat is weigh of a body that turns about Z. It returns false if this one may not.
func (d *Dynamics) weighFlat(i int32) bool {
	b := &d.bodies[i]
	if !b.moves || b.set.Locked&(TurnX|TurnY|TurnZ) != TurnX|TurnY || !isFlat(d.motions[i].q) || !isFlat(b.axes) {
		return false
	}
	inverse := b.inverse.Z
	if b.least > 0 {
		inverse = min(inverse, 1/b.least)
	}
	d.inertias[i] = inertia{mass: b.invMass, zz: inverse}
	return true
}

// moveFlat is motion.move by a turn about Z.
func (m *motion) moveFlat(h float32) {
	m.moved.X += float32(m.v.X * h)
	m.moved.Y += float32(m.v.Y * h)
	turn := float32(m.w.Z * h)
	if turn == 0 {
		return
	}
	m.turned.Z += turn
	v := float32(turn * 0.5)
	v = float32(v * (1 + float32(float32(v*v)*(1.0/3))))
	z, w := m.q.Z+float32(v*m.q.W), m.q.W-float32(v*m.q.Z)
	k := 1 / float32(math.Sqrt(float64(float32(z*z)+float32(w*w))))
	// X and Y are 0, of the sign that the general method gives them.
	m.q = geom.Quat{
		X: m.q.X + float32(0*m.q.W) + float32(0*m.q.Z) - float32(v*m.q.Y),
		Y: m.q.Y + float32(0*m.q.W) + float32(v*m.q.X) - float32(0*m.q.Z),
		Z: float32(z * k), W: float32(w * k),
	}
}

// lockFlat is body.lock of what a planar space locks.
func (m *motion) lockFlat() { m.v.Z, m.w.X, m.w.Y = 0, 0, 0 }

// flatWay is a turn about Z: its angle, and what way has of it.
type flatWay struct{ angle, cos, sin float32 }

// set makes it the turn to a rotation from another.
func (w *flatWay) set(q, from geom.Quat) {
	t := geom.Quat{
		Z: float32(q.Z*from.W) - float32(q.W*from.Z),
		W: float32(q.W*from.W) + float32(q.Z*from.Z),
	}
	z := 2 * t.Z
	w.cos, w.sin = -float32(t.Z*z), float32(t.W*z)
	w.angle = rotationVector(t).Z
}

func (w *flatWay) of(v geom.Vec3) geom.Vec3 {
	return geom.Vec3{X: float32(w.cos*v.X) - float32(w.sin*v.Y), Y: float32(w.sin*v.X) + float32(w.cos*v.Y)}
}

// keepsFlat is keeps of bodies that turn about Z.
func (d *Dynamics) keepsFlat(c *start, m *memory, f *physics.Manifold, a, b *frame) bool {
	if m.childA != f.ChildA || m.childB != f.ChildB || f.Normal.Dot(m.normal) < 1-keptTurn*keptTurn/2 {
		return false
	}
	reach, most := d.keptWay(c)
	var wayA, wayB flatWay
	wayA.set(a.q, m.qA)
	wayB.set(b.q, m.qB)
	turn := wayB.angle - wayA.angle
	if float32(wayA.angle*wayA.angle) > keptTurn*keptTurn || float32(wayB.angle*wayB.angle) > keptTurn*keptTurn ||
		float32(float32(turn*turn)*float32(reach*reach)) > float32(most*most) {
		return false
	}
	apart := b.at.Sub(a.at)
	shift := wayA.of(m.points[0].armB.Sub(m.points[0].armA))
	way := flatWay{cos: wayB.cos - wayA.cos, sin: wayB.sin - wayA.sin}
	fixedA, fixedB := d.inertias[c.a].mass == 0, d.inertias[c.b].mass == 0
	deepest := float32(math.Inf(-1))
	for i := range m.points[:m.n] {
		p := &m.points[i]
		turned := geom.Vec3{
			X: shift.X + float32(way.cos*p.armB.X) - float32(way.sin*p.armB.Y),
			Y: shift.Y + float32(way.sin*p.armB.X) + float32(way.cos*p.armB.Y),
		}
		off := apart.Add(p.armB.Sub(p.armA)).Add(turned)
		if !(off.LenSq() <= float32(most*most)) {
			return false
		}
		gap := p.gap + off.Dot(m.normal)
		c.gap[i] = gap
		deepest = greater(deepest, -gap)
		c.armA[i], c.armB[i] = p.armA, p.armB
		if fixedA {
			c.armA[i] = p.armA.Add(wayA.of(p.armA))
		}
		if fixedB {
			c.armB[i] = p.armB.Add(wayB.of(p.armB))
		}
	}
	err := deepest - f.Depth()
	return err <= float32(keptError*most) && -err <= float32(keptMiss*most)
}

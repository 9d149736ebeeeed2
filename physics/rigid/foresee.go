package rigid

import (
	"math"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

const (
	// leastSlide is how far a ball moves across the normal before it touches, as a share of its
	// radius, so that it matters. Less turns the normal by less than 0.1°.
	leastSlide = 0.002
	// leastGap is the gap, as a share of the radius, at which a ball touches.
	leastGap = 0.001
	// maxAdvances is how often a ball advances at most. Two balls need four.
	maxAdvances = 8
)

// round is a ball or a capsule in the world.
type round struct {
	center geom.Vec3
	radius float32
	ball   bool
}

// roundOf returns the ball or the capsule that a collider is.
func roundOf(c *physics.Collider) (r round, ok bool) {
	switch s := c.Shape.(type) {
	case geom.Sphere:
		r = round{s.Center, s.Radius, true}
	case geom.Capsule:
		r = round{s.A.Add(s.B).Mul(0.5), s.Radius, false}
	default:
		return r, false
	}
	f := c.Transform.Factors().Abs()
	r.center, r.radius = c.Transform.Point(r.center), float32(f.X*r.radius)
	return r, f.X == f.Y && f.Y == f.Z
}

// side is what the constraint of a contact has of one of the two.
type side struct {
	body     int32
	center   geom.Vec3  // of the body
	arm      *geom.Vec3 // from there to the point
	collider physics.Collider
}

// foresee turns the contact of a ball or a capsule that does not touch yet to where it will touch
// in this step, if it moves on as it does, by conservative advancement (Mirtich 1996,
// "Impulse-based dynamic simulation of rigid body systems"). With the normal of the start of the
// step, a ball of 3 cm that hits another one at 2 m/s throws it up to 24° off the line of their
// centres. What flies past has the normal of where it is closest. Relaxation at the end of the step
// looks a substep ahead. A capsule is taken not to turn on its way: see isForeseen.
func (d *Dynamics) foresee(s *start, t *physics.Contact, centerA, centerB geom.Vec3, capsules bool) {
	p, n := &s.points[0], s.normal
	if capsules && !d.mayMeet(s) {
		return
	}
	other, moving := side{s.a, centerA, &p.armA, physics.Collider{}}, side{s.b, centerB, &p.armB, physics.Collider{}}
	other.collider, _ = d.space.Collider(t.A)
	moving.collider, _ = d.space.Collider(t.B)
	ball, ok := roundOf(&moving.collider)
	flipped := false
	if before, found := roundOf(&other.collider); found && (!ok || before.ball && !ball.ball) {
		other, moving, n = moving, other, n.Neg()
		ball, ok, flipped = before, true, true
	}
	if !ok {
		return
	}
	m, o := &d.motions[moving.body], &d.motions[other.body]
	arm := ball.center.Sub(moving.center)
	if !ball.ball {
		arm = *moving.arm
	}
	way := m.v.Add(m.w.Cross(arm)).Sub(o.v).Sub(o.w.Cross(*other.arm)).Mul(d.Settings.Step + d.h)
	gap, time := p.gap, float32(0)
	// The closest points are found for a ball half as large at its centre, which does not touch. A
	// smaller scale, unlike another shape, allocates nothing. A capsule stops before it touches.
	place := &moving.collider.Transform
	at, shrunk, left := place.Position, float32(0), float32(ball.radius*leastGap/2)
	if ball.ball {
		at, shrunk, left = at.Add(ball.center.Sub(at).Mul(0.5)), float32(ball.radius/2), 0
		place.Scale = place.Factors().Mul(0.5)
	}
	var touched, touching geom.Vec3
	for range maxAdvances {
		speed := -way.Dot(n)
		if !(gap > leastGap*ball.radius && float32(speed*(1-time)) > gap) {
			break
		}
		if time == 0 && way.Add(n.Mul(speed)).Len()*gap < leastSlide*ball.radius*speed {
			return
		}
		next := time + (gap-left)/speed
		place.Position = at.Add(way.Mul(next))
		c, ok := physics.ClosestPoints(physics.Placed{Shape: other.collider.Shape, Transform: other.collider.Transform},
			physics.Placed{Shape: moving.collider.Shape, Transform: *place}, float32(math.Inf(1)))
		if !ok || c.Distance == 0 {
			break
		}
		n, touched, touching, gap, time = c.Normal, c.PointA, c.PointB, c.Distance-shrunk, next
	}
	if time == 0 {
		return
	}
	p.gap = gap + float32(time*max(0, -way.Dot(n)))
	half := n.Mul(p.gap / 2) // as both arms of other contacts, they reach halfway
	*other.arm = touched.Add(half).Sub(other.center)
	if ball.ball {
		touching = ball.center.Sub(n.Mul(ball.radius))
	} else {
		touching = touching.Sub(way.Mul(time))
	}
	*moving.arm = touching.Sub(half).Sub(moving.center)
	if s.normal = n; flipped {
		s.normal = n.Neg()
	}
}

// mayMeet reports false if the first points of two bodies do not come together in this step and a
// substep more. Of most capsules that are near something no collider has to be read then. The
// tolerance is beyond all rounding, so that it changes no bit.
func (d *Dynamics) mayMeet(s *start) bool {
	p, a, b := &s.points[0], &d.motions[s.a], &d.motions[s.b]
	turnA, turnB := a.w.Cross(p.armA), b.w.Cross(p.armB)
	speed := s.normal.Dot(a.v.Add(turnA).Sub(b.v).Sub(turnB))
	sum := a.v.LenSq() + b.v.LenSq() + turnA.LenSq() + turnB.LenSq()
	apart := p.gap/(d.Settings.Step+d.h) - speed
	return !(apart > 0 && float32(apart*apart) > 1e-10*sum)
}

// isForeseen reports whether foresee is for a contact. Of capsules, those that joints turn are left
// out.
func (d *Dynamics) isForeseen(x *contact) bool {
	if x.rounds == 2 {
		return true
	}
	return x.rounds == 1 && d.bodies[x.a].joints|d.bodies[x.b].joints == 0
}

// roundness returns 2 for a ball, 1 for a capsule, and 0 for all else.
func (d *Dynamics) roundness(id physics.ColliderID) uint8 {
	c, _ := d.space.Collider(id)
	r, ok := roundOf(&c)
	switch {
	case !ok:
		return 0
	case r.ball:
		return 2
	}
	return 1
}

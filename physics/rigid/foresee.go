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

// ballOf returns the sphere of a collider in the world, if it is one.
func ballOf(c *physics.Collider) (s geom.Sphere, ok bool) {
	if s, ok = c.Shape.(geom.Sphere); !ok {
		return s, false
	}
	f := c.Transform.Factors().Abs()
	return geom.Sphere{Center: c.Transform.Point(s.Center), Radius: f.X * s.Radius}, f.X == f.Y && f.Y == f.Z
}

// side is what the constraint of a contact has of one of the two.
type side struct {
	body     int32
	center   geom.Vec3  // of the body
	arm      *geom.Vec3 // from there to the point
	collider physics.Collider
}

// foresee turns the contact of a ball that does not touch yet to where it will touch in this step,
// if it moves on as it does, by conservative advancement (Mirtich 1996, "Impulse-based dynamic
// simulation of rigid body systems"). With the normal of the start of the step, a ball of 3 cm that
// hits another one at 2 m/s throws it up to 24° off the line of their centres. What flies past has
// the normal of where it is closest. Relaxation at the end of the step looks a substep ahead.
func (d *Dynamics) foresee(s *start, t *physics.Contact, centerA, centerB geom.Vec3) {
	p, n := &s.points[0], s.normal
	other, moving := side{s.a, centerA, &p.armA, physics.Collider{}}, side{s.b, centerB, &p.armB, physics.Collider{}}
	other.collider, _ = d.space.Collider(t.A)
	moving.collider, _ = d.space.Collider(t.B)
	ball, ok := ballOf(&moving.collider)
	flipped := !ok
	if flipped {
		other, moving, n = moving, other, n.Neg()
		if ball, ok = ballOf(&moving.collider); !ok {
			return
		}
	}
	m, o := &d.motions[moving.body], &d.motions[other.body]
	way := m.v.Add(m.w.Cross(ball.Center.Sub(moving.center))).Sub(o.v).Sub(o.w.Cross(*other.arm)).Mul(d.Settings.Step + d.h)
	gap, time := p.gap, float32(0)
	// The closest points are found for a ball half as large at its centre, which does not touch. A
	// smaller scale, unlike another shape, allocates nothing.
	place := &moving.collider.Transform
	at := place.Position.Add(ball.Center.Sub(place.Position).Mul(0.5))
	place.Scale = place.Factors().Mul(0.5)
	var touched geom.Vec3
	for range maxAdvances {
		speed := -way.Dot(n)
		if !(gap > leastGap*ball.Radius && float32(speed*(1-time)) > gap) {
			break
		}
		if time == 0 && way.Add(n.Mul(speed)).Len()*gap < leastSlide*ball.Radius*speed {
			return
		}
		next := time + gap/speed
		place.Position = at.Add(way.Mul(next))
		c, ok := physics.ClosestPoints(physics.Placed{Shape: other.collider.Shape, Transform: other.collider.Transform},
			physics.Placed{Shape: moving.collider.Shape, Transform: *place}, float32(math.Inf(1)))
		if !ok || c.Distance == 0 {
			break
		}
		n, touched, gap, time = c.Normal, c.PointA, c.Distance-float32(ball.Radius/2), next
	}
	if time == 0 {
		return
	}
	p.gap = gap + float32(time*max(0, -way.Dot(n)))
	half := n.Mul(p.gap / 2) // as both arms of other contacts, they reach halfway
	*other.arm = touched.Add(half).Sub(other.center)
	*moving.arm = ball.Center.Sub(n.Mul(ball.Radius)).Sub(half).Sub(moving.center)
	if s.normal = n; flipped {
		s.normal = n.Neg()
	}
}

func (d *Dynamics) isBall(id physics.ColliderID) bool {
	c, _ := d.space.Collider(id)
	_, ok := ballOf(&c)
	return ok
}

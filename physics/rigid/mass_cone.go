package rigid

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// revolved is the mass properties of a solid of revolution: the integrals along its axis of the
// square of the radius, of that times x and times x², and of the radius to the fourth.
type revolved struct{ one, x, xx, rr float64 }

// addFrustum adds the frustum of a cone whose radius goes from a to b over a length l from x on.
func (m *revolved) addFrustum(x, l, a, b float64) {
	aa, ab, bb := float64(a*a), float64(a*b), float64(b*b)
	m.add(x, 1, &revolved{
		one: float64(l * (aa + ab + bb) / 3),
		x:   float64(l * l * (aa + float64(2*ab) + float64(3*bb)) / 12),
		xx:  float64(l * l * l * (aa + float64(3*ab) + float64(6*bb)) / 30),
		rr:  float64(l * (float64(aa*aa) + float64(aa*ab) + float64(aa*bb) + float64(ab*bb) + float64(bb*bb)) / 5),
	})
}

// addCap adds the part of a ball of radius r around x that ends at the height h over x, towards
// side, which is 1 or −1, and holds the opposite pole.
func (m *revolved) addCap(x, r, h, side float64) {
	rr, rrr, hhh := float64(r*r), float64(r*r*r), float64(h*h*h)
	five := float64(hhh*h*h) + float64(rrr*rr)
	m.add(x, side, &revolved{
		one: float64(rr*(h+r)) - float64((hhh+rrr)/3),
		x:   float64(rr*(float64(h*h)-rr)/2) - float64((float64(hhh*h)-float64(rrr*r))/4),
		xx:  float64(rr*(hhh+rrr)/3) - float64(five/5),
		rr:  float64(rr*rr*(h+r)) - float64(2*rr*(hhh+rrr)/3) + float64(five/5),
	})
}

// add adds what lies at x, mirrored if side is −1.
func (m *revolved) add(x, side float64, n *revolved) {
	m.one += n.one
	m.x += float64(side*n.x) + float64(x*n.one)
	m.xx += n.xx + float64(2*x*side*n.x) + float64(x*x*n.one)
	m.rr += n.rr
}

// massProperties returns the mass properties of the solid, of which x is 0 at a place and grows
// along the unit vector u.
func (m *revolved) massProperties(at, u geom.DVec3) massProperties {
	if m.one == 0 {
		return massProperties{center: at}
	}
	middle := m.x / m.one
	along := float64(math.Pi * (m.xx - float64(middle*m.x)))
	across := float64(math.Pi / 4 * m.rr)
	r := massProperties{mass: float64(math.Pi * m.one), center: at.AddMul(middle, u)}
	r.second = secondMoments{xx: across, yy: across, zz: across}
	r.second.addOuter(along-across, u)
	return r
}

// coneMass returns the mass properties of a cone, a frustum or a cylinder.
func coneMass(c geom.Cone) massProperties {
	e := c.B.Wide().Sub(c.A.Wide())
	var m revolved
	m.addFrustum(0, e.Len(), float64(c.RadiusA), float64(c.RadiusB))
	return m.massProperties(c.A.Wide(), e.Normalize())
}

// taperedMass returns the mass properties of a tapered capsule: two parts of balls, and a frustum
// between the circles at which it touches them.
func taperedMass(c geom.TaperedCapsule) massProperties {
	a, b, ra, rb := c.A.Wide(), c.B.Wide(), float64(c.RadiusA), float64(c.RadiusB)
	e := b.Sub(a)
	l, k := e.Len(), ra-rb
	switch {
	case l <= math.Abs(k) && k >= 0:
		return capsuleMass(a, a, ra)
	case l <= math.Abs(k):
		return capsuleMass(b, b, rb)
	}
	sin, cos := k/l, math.Sqrt(float64((l-k)*(l+k)))/l
	ha, hb := float64(ra*sin), float64(rb*sin)
	var m revolved
	m.addCap(0, ra, ha, 1)
	m.addFrustum(ha, l+hb-ha, float64(ra*cos), float64(rb*cos))
	m.addCap(l, rb, -hb, -1)
	return m.massProperties(a, e.Mul(1/l))
}

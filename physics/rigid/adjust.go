package rigid

import (
	"math"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Adjustment is how the solver is to act on a manifold in this step. [Dynamics.Adjust] may change
// all but Contact and Manifold.
type Adjustment struct {
	// Contact and Manifold are what touches, and must not be changed.
	Contact  *physics.Contact
	Manifold *physics.Manifold
	// Friction, Restitution, RollingResistance and SpinningResistance are those of the materials,
	// combined: see [Material].
	Friction, Restitution, RollingResistance, SpinningResistance float32
	// Off makes the solver leave the manifold alone.
	Off bool
}

// adjust calls Adjust for all constraints.
func (d *Dynamics) adjust() {
	if d.Adjust == nil {
		return
	}
	for i := range d.jobs {
		c := &d.constraints[d.jobs[i].at]
		t := c.contact
		a := Adjustment{t, &t.Manifolds[c.k], c.friction, c.restitution, c.rolling, c.spinning, false}
		d.Adjust(&a)
		c.mixture = mixture{valid(a.Friction), valid(a.Restitution), valid(a.RollingResistance), valid(a.SpinningResistance)}
		c.bounces, c.rolls = c.restitution > 0, c.rolling > 0
		if a.Off {
			d.pass(t)
			c.n, c.tangential, c.twist = 0, [2]float32{}, 0
			c.points = [physics.MaxContactPoints]point{}
		}
		if !c.rolls {
			c.roll = geom.Vec3{}
		} else if c.rollMass == 0 {
			c.weighRoll(&d.inertias[c.a], &d.inertias[c.b])
		}
	}
}

// valid returns a number that is at least 0; 0 for NaN and infinity.
func valid(x float32) float32 {
	if !(x >= 0 && x <= math.MaxFloat32) {
		return 0
	}
	return x
}

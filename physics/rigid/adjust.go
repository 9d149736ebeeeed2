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
	// Off makes the solver leave the manifold alone. What is fast may reach a surface before it has
	// a manifold, and is then held up there for a step. To let it pass at once use layers.
	Off bool
}

// adjust calls Adjust for all constraints.
func (d *Dynamics) adjust() {
	if d.Adjust == nil {
		return
	}
	for i := range d.jobs {
		j := &d.jobs[i]
		if j.hidden {
			continue
		}
		o, l := d.lane(j)
		t := j.contact
		a := Adjustment{t, &t.Manifolds[j.k], o.friction[l], o.restitution[l], o.rolling[l], o.spinning[l], false}
		d.Adjust(&a)
		o.mix(l, mixture{valid(a.Friction), valid(a.Restitution), valid(a.RollingResistance), valid(a.SpinningResistance)})
		if a.Off {
			d.pass(t)
			j.n, o.tangential[0][l], o.tangential[1][l], o.twist[l] = 0, 0, 0, 0
			for k := range o.points {
				p := &o.points[k]
				p.impulse[l], p.mass[l] = 0, 0
			}
		}
		if o.rolling[l] == 0 {
			o.roll.set(l, geom.Vec3{})
			o.rollMass[l] = 0
		} else if o.rollMass[l] == 0 {
			o.weighRoll(l, &d.inertias[o.a[l]], &d.inertias[o.b[l]])
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

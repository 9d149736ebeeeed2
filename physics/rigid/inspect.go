package rigid

import (
	"time"

	"github.com/hitscan-go/hitscan/physics"
)

// Times is how long the parts of a step took, for a display of costs.
type Times struct {
	Contacts time.Duration // finding which colliders touch, and where
	Solve    time.Duration // contact constraints, and the motion of the bodies
	Rest     time.Duration // fast bodies, sleep, moving the colliders, events
}

// Impulse returns the impulse along the normal of a manifold at one of its points, in N·s: that of
// the last substep, so that the force is Impulse·Substeps/Step. The contact is one of
// [Dynamics.Contacts]; 0 if the solver does not act on it.
func (d *Dynamics) Impulse(t *physics.Contact, m *physics.Manifold, p *physics.ContactPoint) float32 {
	d.writeBack()
	if t.Slot >= d.contacts.n {
		return 0
	}
	if kept, k := d.recall(d.contacts.at(t.Slot), m, p); kept != nil {
		return kept.points[k].impulse
	}
	return 0
}

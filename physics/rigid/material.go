package rigid

import (
	"fmt"
	"math"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Combine is the rule by which the values of two materials become that of a contact. Of two
// different rules the later one in this list applies.
type CombineRule uint8

const (
	GeometricMean CombineRule = iota // √(a·b)
	Average                          // (a + b)/2
	Minimum                          // the lower
	Product                          // a·b
	Maximum                          // the greater
)

// Material is how a surface acts on what touches it.
type Material struct {
	// Friction is the coefficient of friction: a box slides on a slope whose tangent is greater.
	Friction float32
	// Restitution is the share of the speed of an impact with which bodies part: 0 none, 1 all.
	Restitution float32
	// RollingResistance and SpinningResistance brake rolling, and turning about the normal: the
	// torque is at most so many metres times the normal force. A ball on a plane, which touches at
	// a point, has no other resistance to either.
	RollingResistance, SpinningResistance float32
	// SurfaceVelocity is the velocity in m/s at which the surface moves what lies on it, as a
	// conveyor belt does, in the collider's own axes.
	SurfaceVelocity geom.Vec3
	// CombineFriction is the rule for Friction, and CombineRestitution for Restitution. The greater
	// resistance counts.
	CombineFriction, CombineRestitution CombineRule
}

// DefaultMaterial returns the material of colliders that have none: friction 0.6, no restitution.
// The rule for restitution is [Maximum], so that a ball bounces off any ground.
func DefaultMaterial() Material {
	return Material{Friction: 0.6, CombineRestitution: Maximum}
}

// SetMaterial sets the material of a collider, of a body or not. Contacts have it from the next
// step on. It returns an error if the collider is not in the space or a number in m is negative,
// NaN or infinite.
func (d *Dynamics) SetMaterial(id physics.ColliderID, m Material) error {
	if _, ok := d.space.Collider(id); !ok {
		return fmt.Errorf("rigid: Dynamics.SetMaterial: %v is not in the space", id)
	}
	for _, x := range []float32{m.Friction, m.Restitution, m.RollingResistance, m.SpinningResistance} {
		if !(x >= 0 && x <= maxFloat) {
			return fmt.Errorf("rigid: Dynamics.SetMaterial: %+v: want numbers of at least 0", m)
		}
	}
	if !m.SurfaceVelocity.IsFinite() || m.CombineFriction > Maximum || m.CombineRestitution > Maximum {
		return fmt.Errorf("rigid: Dynamics.SetMaterial: %+v: a number is out of range", m)
	}
	o := d.own(id)
	o.made, o.material = true, m
	d.unbound = true
	return nil
}

// Material returns the material of a collider.
func (d *Dynamics) Material(id physics.ColliderID) Material {
	if o := d.owner(id); o.made {
		return o.material
	}
	return DefaultMaterial()
}

// combine combines two values by the later of two rules.
func combine(a, b float32, by, or CombineRule) float32 {
	switch max(by, or) {
	case Average:
		return (a + b) / 2
	case Minimum:
		return min(a, b)
	case Product:
		return a * b
	case Maximum:
		return max(a, b)
	}
	return float32(math.Sqrt(float64(a) * float64(b)))
}

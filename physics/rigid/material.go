package rigid

import (
	"fmt"
	"math"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// CombineRule is the rule by which the values of two materials become that of a contact. Of two
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
	// Above 1 they part faster than they met, as from the bumper of a pinball machine. Balls in a
	// row that touch, as in Newton's cradle, part together, and half of the energy is lost; at gaps
	// of 3 cm the last one gets all, at up to 6 m/s.
	Restitution float32
	// RollingResistance and SpinningResistance brake rolling, and turning about the normal: the
	// torque is at most so many metres times the normal force. A ball on a plane, which touches at
	// a point, has no other resistance to either.
	RollingResistance, SpinningResistance float32
	// SurfaceVelocity is the velocity in m/s at which the surface moves what lies on it, as a
	// conveyor belt does, in the collider's own axes, which its rotation turns and its scale does
	// not mirror. It acts on bodies by friction. A mover that stands there is carried by
	// [physics.MoverState].SurfaceVelocity.
	SurfaceVelocity geom.Vec3
	// OneWay, unless zero, makes the surface solid from one side alone: a body whose contact begins
	// on the side that the vector points to, in the same axes, is stopped, and any other passes
	// until it has left. One that is no more than [Settings].Margin below the surface, as what
	// slides from tile to tile, counts as above. The contacts of both are reported. It acts on
	// bodies: a [physics.Mover] has a OneWay of its own, and projectiles and queries hit all sides.
	OneWay geom.Vec3
	// CombineFriction is the rule for Friction, and CombineRestitution for Restitution. The greater
	// resistance counts.
	CombineFriction, CombineRestitution CombineRule
}

// DefaultMaterial returns the material of colliders that have none: friction 0.6, no restitution.
// The rule for restitution is [Maximum], so that a ball bounces off any ground.
func DefaultMaterial() Material {
	return Material{Friction: 0.6, CombineRestitution: Maximum}
}

// SetMaterial sets the material of a collider, of a body or not, and wakes what touches it.
// Contacts have it from the next step on. It returns an error if the collider is not in the space
// or a number in m is negative, NaN or infinite.
func (d *Dynamics) SetMaterial(id physics.ColliderID, m Material) error {
	if _, ok := d.space.Collider(id); !ok {
		return fmt.Errorf("rigid: Dynamics.SetMaterial: %v is not in the space", id)
	}
	if err := m.check(); err != nil {
		return fmt.Errorf("rigid: Dynamics.SetMaterial: %w", err)
	}
	o := d.own(id)
	o.made, o.material = true, m
	d.unbound = true
	d.wakeTouching(id)
	return nil
}

// SetTriangleMaterials gives each triangle of a mesh collider a material of its own: number i has
// materials[of[i]], and those beyond the list that of [Dynamics.SetMaterial]. A contact has the
// material of its deepest point. The slices must not be changed afterwards; nil takes the materials
// back. It returns an error if the collider is not in the space, a number in a material is
// negative, NaN or infinite, or an index is too high. Only the material of the collider itself
// can be OneWay.
func (d *Dynamics) SetTriangleMaterials(id physics.ColliderID, materials []Material, of []uint8) error {
	if _, ok := d.space.Collider(id); !ok {
		return fmt.Errorf("rigid: Dynamics.SetTriangleMaterials: %v is not in the space", id)
	}
	for i := range materials {
		if err := materials[i].check(); err != nil {
			return fmt.Errorf("rigid: Dynamics.SetTriangleMaterials: material %d: %w", i, err)
		}
	}
	for i, k := range of {
		if int(k) >= len(materials) {
			return fmt.Errorf("rigid: Dynamics.SetTriangleMaterials: triangle %d has material %d of %d", i, k, len(materials))
		}
	}
	d.own(id).triangles = &triangleMaterials{materials, of}
	d.unbound = true
	d.wakeTouching(id)
	return nil
}

// wakeTouching wakes the bodies that touched a collider at the last step, and its own.
func (d *Dynamics) wakeTouching(id physics.ColliderID) {
	for _, t := range d.tracker.All {
		if (t.A == id || t.B == id) && d.contacts.at(t.Slot).solid {
			d.wakeSleeping(d.owner(t.A).body)
			d.wakeSleeping(d.owner(t.B).body)
		}
	}
}

type triangleMaterials struct {
	materials []Material
	of        []uint8 // by triangle
}

// check returns an error if a number in m is not allowed.
func (m *Material) check() error {
	for _, x := range []struct {
		name string
		x    float32
	}{{"Friction", m.Friction}, {"Restitution", m.Restitution}, {"RollingResistance", m.RollingResistance}, {"SpinningResistance", m.SpinningResistance}} {
		if !(x.x >= 0 && x.x <= math.MaxFloat32) {
			return fmt.Errorf("%s is %g", x.name, x.x)
		}
	}
	switch {
	case !m.SurfaceVelocity.IsFinite():
		return fmt.Errorf("SurfaceVelocity is %v", m.SurfaceVelocity)
	case !m.OneWay.IsFinite():
		return fmt.Errorf("OneWay is %v", m.OneWay)
	case m.CombineFriction > Maximum || m.CombineRestitution > Maximum:
		return fmt.Errorf("CombineFriction is %d and CombineRestitution %d", m.CombineFriction, m.CombineRestitution)
	}
	return nil
}

// Material returns the material of a collider.
func (d *Dynamics) Material(id physics.ColliderID) Material {
	if o := d.owner(id); o.made {
		return o.material
	}
	return DefaultMaterial()
}

// materialOf returns the material of a collider at a triangle.
func (d *Dynamics) materialOf(id physics.ColliderID, triangle int32) Material {
	if o := d.owner(id); o.triangles != nil && triangle >= 0 && int(triangle) < len(o.triangles.of) {
		return o.triangles.materials[o.triangles.of[triangle]]
	}
	return d.Material(id)
}

// mixture is what the materials of two colliders are in a contact.
type mixture struct{ friction, restitution, rolling, spinning float32 }

func mix(p, q *Material) mixture {
	return mixture{
		friction:    combine(p.Friction, q.Friction, p.CombineFriction, q.CombineFriction),
		restitution: combine(p.Restitution, q.Restitution, p.CombineRestitution, q.CombineRestitution),
		rolling:     max(p.RollingResistance, q.RollingResistance),
		spinning:    max(p.SpinningResistance, q.SpinningResistance),
	}
}

// mixAt is mix for the materials at the deepest point of a manifold.
func (d *Dynamics) mixAt(t *physics.Contact, f *physics.Manifold) mixture {
	deepest := &f.Points[0]
	for i := range f.ContactPoints() {
		if f.Points[i].Depth > deepest.Depth {
			deepest = &f.Points[i]
		}
	}
	p, q := d.materialOf(t.A, deepest.TriangleA), d.materialOf(t.B, deepest.TriangleB)
	return mix(&p, &q)
}

// SurfaceVelocity returns the velocity at which the surface of a collider moves what lies on it, in
// world axes: that of a triangle's material if it has one, or −1. It is what a mover that stands
// there has as its [physics.MoverState].SurfaceVelocity.
func (d *Dynamics) SurfaceVelocity(id physics.ColliderID, triangle int32) geom.Vec3 {
	v := d.materialOf(id, triangle).SurfaceVelocity
	if v == (geom.Vec3{}) {
		return v
	}
	return d.turned(v, id)
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

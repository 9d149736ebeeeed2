package rigid

import (
	"fmt"
	"math"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// Mass is how the mass of a body is distributed. Its frame is that of a collider's Transform
// without the scale: the origin is at Position, the axes are rotated by Rotation, and lengths are
// metres in the world.
type Mass struct {
	Mass    float32   // kg
	Center  geom.Vec3 // the centre of mass, metres
	Inertia geom.Vec3 // the principal moments of inertia, about the centre, kg·m²
	Axes    geom.Quat // rotates the principal axes to the axes of the frame
}

// MassOf returns the mass of a solid shape of uniform density, in kg/m³, as scale places it: the
// factors of a [geom.Transform], where (0, 0, 0) means (1, 1, 1). The scale may be non-uniform and
// negative.
//
// Where children of a [*physics.Compound] overlap, the mass counts once for each child. Children
// without volume weigh nothing. A [geom.AABB] does not rotate in a collider; its inertia is that of
// a box.
//
// The error names the cause: a surface (plane or mesh), an empty shape, a number that is NaN or
// infinite, no volume, a density that is not positive, or a mass or moment out of the range of
// float32.
func MassOf(s physics.Shape, scale geom.Vec3, density float32) (Mass, error) {
	m, err := massOf(s, scale, density, false)
	if err != nil {
		return Mass{}, fmt.Errorf("rigid: MassOf: %w", err)
	}
	return m, nil
}

// massOf is MassOf; in a planar space, of what a shape cuts out of the plane, one metre thick.
func massOf(s physics.Shape, scale geom.Vec3, density float32, planar bool) (Mass, error) {
	if !(density > 0 && density <= math.MaxFloat32) {
		return Mass{}, fmt.Errorf("density %g kg/m³: want a positive, finite one", density)
	}
	if !scale.IsFinite() {
		return Mass{}, fmt.Errorf("scale %v is not finite", scale)
	}
	var whole massProperties
	var f placed.Frame
	f.Set(&geom.Transform{Scale: scale})
	if c, ok := s.(*physics.Compound); ok && c != nil {
		var child placed.Frame
		for i := range c.NumChildren() {
			part := c.Child(i)
			if planar {
				part.Transform = part.Transform.Flat()
			}
			child.SetChild(&f, &part.Transform)
			m, err := massPropertiesOf(part.Shape, &child, planar)
			if err != nil {
				return Mass{}, fmt.Errorf("child %d: %w", i, err)
			}
			whole.add(&m)
		}
	} else {
		m, err := massPropertiesOf(s, &f, planar)
		if err != nil {
			return Mass{}, err
		}
		whole = m
	}
	if !(whole.mass > 0) {
		return Mass{}, fmt.Errorf("a %T without volume at scale %v", s, geom.Transform{Scale: scale}.Factors())
	}
	whole.scale(float64(density))
	m := whole.narrow()
	for _, x := range [...]float32{m.Mass, m.Inertia.X, m.Inertia.Y, m.Inertia.Z} {
		if !(x >= leastMass && x <= math.MaxFloat32) {
			return Mass{}, fmt.Errorf("%g kg with moments of inertia %v kg·m²: out of the range of float32", m.Mass, m.Inertia)
		}
	}
	return m, nil
}

// leastMass is the least mass in kg, and the least moment of inertia in kg·m²: the least normal
// float32, whose reciprocal is finite.
const leastMass = 0x1p-126

// At returns the mass in a frame in which its own frame has a position and a rotation, as a
// collider has on its body.
func (m Mass) At(position geom.Vec3, rotation geom.Quat) Mass {
	m.Center = geom.Transform{Position: position, Rotation: rotation}.Point(m.Center)
	m.Axes = rotation.Mul(m.Axes)
	return m
}

// WithMass returns the distribution of m for another mass in kg: the centre is the same, and the
// moments are in proportion. Panics if the mass of m is not positive.
func (m Mass) WithMass(kg float32) Mass {
	if !(m.Mass > 0) {
		panic(fmt.Sprintf("rigid: Mass.WithMass: a distribution of %g kg", m.Mass))
	}
	m.Inertia = m.Inertia.Wide().Mul(float64(kg) / float64(m.Mass)).Narrow()
	m.Mass = kg
	return m
}

// Combine returns the mass of several parts in the same frame; see [Mass.At]. The zero Mass is the
// mass of no parts.
func Combine(parts ...Mass) Mass {
	var whole massProperties
	for _, p := range parts {
		m := p.wide()
		whole.add(&m)
	}
	if !(whole.mass > 0) {
		return Mass{}
	}
	return whole.narrow()
}

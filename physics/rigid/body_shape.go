package rigid

import (
	"fmt"
	"math"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// check returns an error if a number in b is not allowed.
func (b *Body) check() error {
	for _, v := range []struct {
		name string
		v    geom.Vec3
	}{{"Velocity", b.Velocity}, {"AngularVelocity", b.AngularVelocity}} {
		if !v.v.IsFinite() {
			return fmt.Errorf("%s is %v", v.name, v.v)
		}
	}
	for _, v := range []struct {
		name  string
		v     float32
		least float32
	}{
		{"Density", b.Density, 0}, {"GravityScale", b.GravityScale, -math.MaxFloat32}, {"LinearDamping", b.LinearDamping, 0},
		{"AngularDamping", b.AngularDamping, 0}, {"MaxSpeed", b.MaxSpeed, 0}, {"MaxSpin", b.MaxSpin, 0},
	} {
		if !(v.v >= v.least && v.v <= math.MaxFloat32) {
			return fmt.Errorf("%s is %g", v.name, v.v)
		}
	}
	if b.Kind > Kinematic {
		return fmt.Errorf("Kind is %d", b.Kind)
	}
	return nil
}

// shape sets what follows from what a body is added with and from its colliders: mass, centre and
// parts.
func (x *body) shape(b Body, ids []physics.ColliderID, colliders []physics.Collider, planar bool) error {
	if planar {
		b.Locked |= Planar
		b.Mass.Center.Z = 0
	}
	x.form = &form{set: b}
	x.moves = b.Kind == Dynamic
	first := colliders[0].Transform
	frame := geom.Transform{Position: first.Position, Rotation: first.Rotation.Normalize()}
	back := frame.Rotation.Inverse()
	x.parts = make([]part, len(ids))
	masses := make([]Mass, 0, len(ids))
	for k, c := range colliders {
		local := geom.Transform{Scale: c.Transform.Scale}
		if k > 0 {
			local.Position = back.Rotate(c.Transform.Position.Sub(frame.Position))
			local.Rotation = back.Mul(c.Transform.Rotation)
		}
		x.parts[k] = part{ids[k], local}
		if _, ok := c.Shape.(geom.AABB); ok {
			x.set.Locked |= TurnX | TurnY | TurnZ // it never rotates
		}
		if !x.moves || c.Sensor {
			continue
		}
		density := b.Density
		if density == 0 {
			density = DefaultDensity
		}
		m, err := massOf(c.Shape, c.Transform.Scale, density, planar)
		if err != nil {
			return fmt.Errorf("%v: rigid: MassOf: %w", ids[k], err)
		}
		masses = append(masses, m.At(local.Position, local.Rotation))
	}
	m, err := x.mass(masses)
	if err != nil {
		return err
	}
	x.local = m.Center
	x.center = frame.Point(m.Center)
	x.axes = m.Axes
	if x.moves {
		x.inverse = geom.V(1/m.Inertia.X, 1/m.Inertia.Y, 1/m.Inertia.Z)
		x.invMass = 1 / m.Mass
		least, most := min(m.Inertia.X, m.Inertia.Y, m.Inertia.Z), max(m.Inertia.X, m.Inertia.Y, m.Inertia.Z)
		_, exponent := math.Frexp(float64(most))
		x.principal = m.Inertia.Wide().Mul(math.Ldexp(1, -exponent)).Narrow()
		x.spins = !planar && most > float32(least*(1+1e-5))
	}
	for k := range x.parts {
		x.parts[k].local.Position = x.parts[k].local.Position.Sub(m.Center)
	}
	if x.moves {
		bounds := geom.EmptyAABB()
		for k, c := range colliders {
			bounds = bounds.Union(x.parts[k].local.Affine().Bounds(c.Shape.Bounds()))
		}
		x.half = bounds.Min.Abs().Max(bounds.Max.Abs())
		x.core = coreOf(&m, bounds, planar)
	}
	for k, c := range colliders {
		far := farthest(c.Shape.Bounds(), c.Transform.Factors(), x.parts[k].local)
		x.reach = max(x.reach, far)
	}
	r, round := roundOf(&colliders[0])
	x.round = round && len(ids) == 1
	x.ball = x.round && r.ball
	if x.moves && len(ids) == 1 {
		x.clear = roomOf(colliders[0].Shape, x.parts[0].local, x.core, x.reach)
	}
	return nil
}

// farthest returns how far any point of a box, scaled and placed, is from the origin, at most.
func farthest(b geom.AABB, scale geom.Vec3, at geom.Transform) float32 {
	far := b.Min.Abs().Max(b.Max.Abs()).MulVec(scale.Abs())
	return at.Position.Len() + far.Len()
}

// check returns an error if a number in a given mass is not allowed.
func (m *Mass) check() error {
	i := m.Inertia
	if !(m.Mass >= 0 && m.Mass <= math.MaxFloat32) {
		return fmt.Errorf("Mass is %g kg", m.Mass)
	}
	if !m.Center.IsFinite() || !m.Axes.IsFinite() || !i.IsFinite() ||
		i != (geom.Vec3{}) && !(i.X > 0 && i.Y > 0 && i.Z > 0) {
		return fmt.Errorf("Mass is %+v", *m)
	}
	return nil
}

// mass returns the mass of a body: what is given, and the rest of its shapes.
func (x *body) mass(masses []Mass) (Mass, error) {
	given := x.set.Mass
	if err := given.check(); err != nil {
		return Mass{}, err
	}
	if !x.moves {
		return Mass{Center: given.Center}, nil
	}
	if given.Mass > 0 && given.Inertia != (geom.Vec3{}) {
		given.Axes = given.Axes.Normalize()
		return given, nil
	}
	if len(masses) == 0 {
		return Mass{}, fmt.Errorf("all colliders are sensors, and no Mass with an Inertia is given")
	}
	m := Combine(masses...)
	if given.Mass > 0 {
		m = m.WithMass(given.Mass)
	}
	if given.Center != (geom.Vec3{}) {
		m.Center = given.Center
	}
	return m, nil
}

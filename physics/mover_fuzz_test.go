package physics_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// FuzzMover moves any mover by any velocity among some solids. Move never panics, the position
// stays finite, and invalid input does not move the mover.
func FuzzMover(f *testing.F) {
	f.Add(float32(0), float32(1), float32(0), float32(3), float32(0), float32(1), float32(0.4), float32(0.02), float32(1./60), uint8(0))
	f.Add(float32(0.9), float32(0.5), float32(0), float32(1e6), float32(-1e9), float32(0), float32(1e3), float32(1), float32(1), uint8(3))
	f.Add(float32(1e4), float32(1e-3), float32(0), float32(-40), float32(5), float32(1), float32(1e-3), float32(1e-6), float32(0.1), uint8(2))
	f.Fuzz(func(t *testing.T, x, y, z, vx, vy, vz, size, offset, dt float32, kind uint8) {
		s := physics.NewSpace()
		s.Add(physics.Collider{Shape: ground, Static: true})
		s.Add(physics.Collider{Shape: ramp(0.5, 1), Static: kind&8 != 0})
		s.Add(physics.Collider{Shape: geom.Sphere{Radius: 1}, Transform: geom.Transform{Position: geom.V(-3, 1, 0), Scale: geom.V(1, 2, 1)}})
		s.Add(physics.Collider{Shape: geom.Plane{Normal: geom.V(0, 0, 1), D: -8}})
		s.Add(physics.Collider{Shape: meshOf(t, []physics.Shape{slab(-2, 0, -2, 0, 0.3, 2)}), Transform: geom.Transform{Position: geom.V(0, 0, 3), Scale: geom.V(1, size, 1)}})
		m := physics.Mover{Offset: offset, StepHeight: size, MaxSlope: vy, Up: geom.V(vz, 1, 0)}
		switch kind % 4 {
		case 1:
			m.Shape = geom.Sphere{Radius: size}
		case 2:
			m.Shape = geom.Box{HalfExtents: geom.V(size, 1, size), Rotation: geom.Quat{X: vx, W: 1}}
		case 3:
			m.Shape = geom.AABBAround(geom.Vec3{}, geom.V(size, size, 0.3))
		}
		st := physics.MoverState{Transform: geom.At(x, y, z)}
		var hits []physics.MoverHit
		for range 6 {
			before := st
			v := geom.V(vx, vy, vz)
			hits = m.Move(s, &st, v, dt, physics.Filter{}, hits[:0])
			if !before.Transform.IsFinite() || !v.IsFinite() {
				require.Equal(t, math.Float32bits(before.Transform.Position.X), math.Float32bits(st.Transform.Position.X))
				continue
			}
			require.True(t, st.Transform.IsFinite() || !(largestOf(v.Mul(dt)) < 1e30), "%+v", st)
			require.LessOrEqual(t, len(hits), 64)
		}
	})
}

func largestOf(v geom.Vec3) float32 {
	a := v.Abs()
	return max(a.X, a.Y, a.Z)
}

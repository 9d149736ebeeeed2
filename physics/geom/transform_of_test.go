package geom

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The matrix of what is returned is the matrix given, for any rotation, scale and mirror.
func TestTransformOfIsTheInverseOfAffine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.Float32Range(-1, 1)
		factor := rapid.SampledFrom([]float32{-1e4, -2, -1, -1e-3, 1e-3, 0.5, 1, 1, 3, 1e4})
		in := Transform{
			Position: V(part.Draw(t, "x"), part.Draw(t, "y"), part.Draw(t, "z")),
			Rotation: Quat{part.Draw(t, "qx"), part.Draw(t, "qy"), part.Draw(t, "qz"), part.Draw(t, "qw")}.Normalize(),
			Scale:    V(factor.Draw(t, "sx"), factor.Draw(t, "sy"), factor.Draw(t, "sz")),
		}
		m := in.Affine()
		out, ok := TransformOf(m)
		require.True(t, ok)
		require.Equal(t, in.Position, out.Position)
		back := out.Affine()
		for _, axis := range [...][2]Vec3{{m.X, back.X}, {m.Y, back.Y}, {m.Z, back.Z}} {
			require.LessOrEqual(t, axis[0].Distance(axis[1]), 1e-6*axis[0].Len())
		}
		negative := 0
		for _, s := range [...]float32{out.Scale.X, out.Scale.Y, out.Scale.Z} {
			if s < 0 {
				negative++
			}
		}
		mirrors := 0
		if m.Det() < 0 {
			mirrors = 1
		}
		require.Equal(t, mirrors, negative)
	})
}

func TestTransformOfMirrorsTheAxisThatTurnsLeast(t *testing.T) {
	for _, s := range []Vec3{{-2, 3, 4}, {2, -3, 4}, {2, 3, -4}} {
		got, ok := TransformOf(Transform{Scale: s}.Affine())
		require.True(t, ok)
		assert.Equal(t, Transform{Scale: s, Rotation: QuatIdentity()}, got)
	}
}

func TestTransformOfRefuses(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	whole := AffineIdentity()
	for name, change := range map[string]func(*Affine){
		"a shear":                 func(m *Affine) { m.X.Y = 2e-5 },
		"a flat axis":             func(m *Affine) { m.Y = Vec3{} },
		"two equal axes":          func(m *Affine) { m.Y = m.X },
		"a point":                 func(m *Affine) { *m = Affine{} },
		"an axis NaN":             func(m *Affine) { m.Z.X = nan },
		"an axis infinite":        func(m *Affine) { m.Z.Z = inf },
		"an origin infinite":      func(m *Affine) { m.Origin.X = -inf },
		"an origin NaN":           func(m *Affine) { m.Origin.X = nan },
		"a length beyond float32": func(m *Affine) { m.X, m.Y = V(3e38, 3e38, 0), V(-1, 1, 0) },
	} {
		m := whole
		change(&m)
		got, ok := TransformOf(m)
		assert.False(t, ok, name)
		assert.Equal(t, Transform{}, got, name)
	}
	sheared := whole
	sheared.X.Y = 5e-6 // as rounding makes it
	_, ok := TransformOf(sheared)
	assert.True(t, ok)
	short := Transform{Scale: V(math.SmallestNonzeroFloat32, 1, 1)}
	got, ok := TransformOf(short.Affine())
	assert.True(t, ok)
	assert.Equal(t, short.Scale, got.Scale)
}

func TestMat4Of(t *testing.T) {
	type engine32 [16]float32
	type engine64 [16]float64
	m := Transform{Position: V(1, 2, 3), Rotation: QuatAxisAngle(V(0, 0, 1), math.Pi/2), Scale: V(2, 3, 4)}.Affine()
	assert.Equal(t, m.Mat4(), Mat4Of(engine32(m.Mat4().Float32())))
	assert.Equal(t, m.Mat4(), Mat4Of(engine64(m.Mat4())))
	back, ok := m.Mat4().Affine()
	assert.True(t, ok)
	assert.Equal(t, m, back)
	for name, element := range map[string]struct {
		at int
		x  float64
	}{
		"perspective": {11, -1}, "w": {15, 2}, "NaN": {5, math.NaN()}, "infinite": {12, math.Inf(1)}, "beyond float32": {0, 1e39}, "w NaN": {15, math.NaN()},
	} {
		bad := m.Mat4()
		bad[element.at] = element.x
		got, ok := bad.Affine()
		assert.False(t, ok, name)
		assert.Equal(t, Affine{}, got, name)
	}
}

func TestAngle2D(t *testing.T) {
	for i := -40; i <= 40; i++ {
		angle := 0.3 * float64(i)
		want := math.Remainder(angle, 2*math.Pi)
		at := At2D(3, 4, angle)
		assert.InDelta(t, want, at.Angle2D(), 3e-7)
		q := at.Rotation
		at.Rotation = Quat{-q.X, -q.Y, -q.Z, -q.W}
		assert.InDelta(t, want, at.Angle2D(), 3e-7, "the same rotation")
		at.Rotation = Quat{2 * q.X, 2 * q.Y, 2 * q.Z, 2 * q.W}
		assert.InDelta(t, want, at.Angle2D(), 3e-7, "not unit")
	}
	assert.InDelta(t, math.Pi, math.Abs(At2D(0, 0, math.Pi).Angle2D()), 3e-7)
	assert.Zero(t, Transform{}.Angle2D())
	assert.Zero(t, Transform{Rotation: QuatAxisAngle(V(1, 0, 0), math.Pi)}.Angle2D(), "as of Flat")
	tilted := Transform{Rotation: QuatEuler(0.4, 0.3, 0.2)}
	assert.InDelta(t, tilted.Flat().Angle2D(), tilted.Angle2D(), 1e-7)
	assert.True(t, math.IsNaN(Transform{Rotation: Quat{Z: float32(math.NaN())}}.Angle2D()))
}

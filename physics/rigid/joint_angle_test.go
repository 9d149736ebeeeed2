package rigid

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// The angles agree with package math in all quadrants and at the borders of the reduction.
func TestAngles(t *testing.T) {
	r := testenv.Rand(15, 4)
	for _, x := range []float64{0, 1, -1, 0.41421356, 1e-30, 3} {
		for _, y := range []float64{0, 1, -1, 0.41421356, 1e-30, 3} {
			require.InDelta(t, math.Atan2(y, x), atan2(y, x), 1e-8, "%g %g", y, x)
		}
	}
	for range 10000 {
		x, y := r.NormFloat64(), r.NormFloat64()
		require.InDelta(t, math.Atan2(y, x), atan2(y, x), 1e-8)
		angle := (r.Float32() - 0.5) * math.Pi
		s, c := sincos(angle)
		require.InDelta(t, math.Sin(float64(angle)), s, 6e-8+1e-9)
		require.InDelta(t, math.Cos(float64(angle)), c, 6e-8+1e-9)
	}
}

// A rotation that is composed of a twist and a swing is taken apart again.
func TestTwistAndSwing(t *testing.T) {
	r := testenv.Rand(15, 5)
	for range 1000 {
		twist, swing := (r.Float64()*2-1)*3, r.Float64()*3
		angle := r.Float64() * 2 * math.Pi
		q := geom.QuatAxisAngle(geom.V(0, float32(math.Cos(angle)), float32(math.Sin(angle))), swing).
			Mul(geom.QuatAxisAngle(geom.V(1, 0, 0), twist))
		// Of a swing near π, the twist is the angle of a short vector, of the length cos swing/2.
		require.InDelta(t, twist, twistOf(q), 4e-7/math.Cos(swing/2))
		require.InDelta(t, swing, swingOf(q), 1e-6)
	}
}

// The inverse of a matrix times the matrix is the identity; that of one with an axis without
// motion is the identity across it.
func TestMatrixInverse(t *testing.T) {
	r := testenv.Rand(15, 6)
	for range 1000 {
		var k inertia
		k.xx, k.yy, k.zz = 0.5, 0.5, 0.5
		for range 3 { // the sum of a few dyads
			v := geom.V(r.Float32()*2-1, r.Float32()*2-1, r.Float32()*2-1)
			k.xx, k.yy, k.zz = k.xx+v.X*v.X, k.yy+v.Y*v.Y, k.zz+v.Z*v.Z
			k.xy, k.xz, k.yz = k.xy+v.X*v.Y, k.xz+v.X*v.Z, k.yz+v.Y*v.Z
		}
		identity := matrix{1, 0, 0, 0, 1, 0, 0, 0, 1}
		m := widened(&k)
		inverse, swept := m.inverse(0), m.sweep(0)
		for i := range inverse {
			require.InDelta(t, swept[i], inverse[i], 1e-11)
		}
		for i, x := range m.mul(&inverse) {
			require.InDelta(t, identity[i], x, 1e-12)
		}
		n := geom.V(r.Float32()*2-1, r.Float32()*2-1, r.Float32()*2-1).Normalize()
		b := block{flat: true, free: n, impulse: geom.V(1, 2, 3)}
		b.invert(&k)
		require.InDelta(t, 0, b.impulse.Dot(n), 1e-6)
		require.InDelta(t, 0, b.inverse.apply(n).Len(), 1e-5)
		v := n.Cross(geom.V(0.3, 0.5, 0.7))
		back := b.inverse.apply(v)
		again := k.apply(back)
		require.InDelta(t, 0, again.Sub(n.Mul(n.Dot(again))).Sub(v).Len(), 1e-5)
	}
}

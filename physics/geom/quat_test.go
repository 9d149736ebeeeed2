package geom

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestQuatAxisAngle(t *testing.T) {
	for _, c := range []struct {
		name     string
		axis     Vec3
		angle    float64
		in, want Vec3
	}{
		{"x to y about z", V(0, 0, 1), math.Pi / 2, V(1, 0, 0), V(0, 1, 0)},
		{"y to z about x", V(1, 0, 0), math.Pi / 2, V(0, 1, 0), V(0, 0, 1)},
		{"z to x about y", V(0, 1, 0), math.Pi / 2, V(0, 0, 1), V(1, 0, 0)},
		{"half a turn", V(0, 1, 0), math.Pi, V(1, 2, 3), V(-1, 2, -3)},
		{"a long axis", V(0, 0, 9), -math.Pi / 2, V(1, 0, 0), V(0, -1, 0)},
		{"no axis", V(0, 0, 0), 1, V(1, 2, 3), V(1, 2, 3)},
		{"NaN axis", V(0, nan, 0), 1, V(1, 2, 3), V(1, 2, 3)},
	} {
		// Right angles are exact.
		assert.Equal(t, c.want, QuatAxisAngle(c.axis, c.angle).Rotate(c.in), c.name)
	}
}

func TestQuatRightTurnsAreExact(t *testing.T) {
	seen := map[Vec3]bool{}
	for _, q := range rightTurns() {
		seen[q.Rotate(V(1, 2, 4))] = true
	}
	assert.Len(t, seen, 24)
	for v := range seen {
		assert.Equal(t, V(1, 2, 4).LenSq(), v.LenSq())
		assert.Equal(t, float32(7), v.Abs().Dot(V(1, 1, 1)))
	}
	// A rotation by far less than the resolution of single precision at 1 is not lost.
	tiny := QuatAxisAngle(V(0, 0, 1), 1e-12)
	assert.InEpsilon(t, 1e-12, tiny.Rotate(V(1, 0, 0)).Y, 1e-6)
}

func TestQuatZeroAndBroken(t *testing.T) {
	v := V(1, 2, 3)
	for _, q := range []Quat{{}, {X: nan}, {W: inf}, QuatIdentity(), {W: -2}} {
		assert.Equal(t, v, q.Rotate(v), "%v", q)
	}
	assert.Equal(t, QuatIdentity(), Quat{}.Normalize())
	assert.Equal(t, QuatIdentity(), Quat{}.Inverse())
	assert.Equal(t, Quat{0.6, 0, 0, 0.8}, Quat{3, 0, 0, 4}.Normalize())
	assert.False(t, Quat{Z: nan}.IsFinite())
	assert.False(t, Quat{W: -inf}.IsFinite())
	assert.True(t, Quat{1, 2, 3, 4}.IsFinite())
}

func TestQuatProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Rotate rounds its result: √3 roundings of its length, or one a component. Mul and Inverse
		// round four components below 1, by half a unit each: a rotation of 2 roundings.
		p, q := rotation().Draw(t, "p"), rotation().Draw(t, "q")
		a, b := point(8).Draw(t, "a"), point(8).Draw(t, "b")
		la, lb := a.Wide().Len(), b.Wide().Len()
		near3(t, q.Rotate(p.Rotate(a)), q.Mul(p).Rotate(a), ulps(2+math.Sqrt(3)+1+1, la))
		near3(t, a, q.Inverse().Rotate(q.Rotate(a)), ulps(2+math.Sqrt(3)+1, la))
		// A dot product has three roundings, on both sides, and its arguments √3 each.
		require.InDelta(t, a.Dot(b), q.Rotate(a).Dot(q.Rotate(b)), ulps(6+2*math.Sqrt(3), la*lb))
		// A component of a cross product has two, and so 2√3 its length.
		near3(t, q.Rotate(a.Cross(b)), q.Rotate(a).Cross(q.Rotate(b)), ulps(2*math.Sqrt(3)+1+2*math.Sqrt(3)+2, la*lb))
		// The same rotation, with four components rounded.
		near3(t, q.Rotate(a), Quat{q.X * 7, q.Y * 7, q.Z * 7, q.W * 7}.Rotate(a), ulps(2*2+1+1, la))
	})
}

func TestQuatLook(t *testing.T) {
	up := V(0, 1, 0)
	assert.Equal(t, QuatIdentity(), QuatLook(V(0, 0, -1), up))
	for _, dir := range []Vec3{V(1, 0, 0), V(0, 0, 5), V(1, 2, 3), V(0, 1, 0), V(0, -1, 0), V(1e-20, -1, 0)} {
		q := QuatLook(dir, up)
		near(t, dir.Normalize(), q.Rotate(V(0, 0, -1)), 1e-6, "the view")
		assert.GreaterOrEqual(t, q.Rotate(up).Dot(up), float32(-1e-6), "upright")
		assert.InDelta(t, 0, q.Rotate(V(1, 0, 0)).Dot(up), 1e-6, "level, looking along %v", dir)
	}
	for _, dir := range []Vec3{{}, {nan, 0, 0}, {inf, 0, 0}} {
		assert.Equal(t, QuatIdentity(), QuatLook(dir, up))
	}
	for _, dir := range []Vec3{V(1, 0, 0), V(1, 2, 3), V(-3, 1, 2), V(2, -3, 1)} {
		for _, up := range []Vec3{{}, dir, dir.Mul(-0.3)} {
			q := QuatLook(dir, up)
			near(t, dir.Normalize(), q.Rotate(V(0, 0, -1)), 1e-6, "no way is up")
			assert.InDelta(t, 1, q.X*q.X+q.Y*q.Y+q.Z*q.Z+q.W*q.W, 1e-6)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		dir, up := direction().Draw(t, "dir"), direction().Draw(t, "up")
		// The four components of q are below 1 and rounded by half a unit each: a rotation of 2
		// roundings. Components of unit vectors are rounded by half a unit, or √3/2 their length,
		// and a dot product has three roundings.
		q := QuatLook(dir, up)
		near3(t, dir.Normalize(), q.Rotate(V(0, 0, -1)), ulps(2+0.5+0.5, 1))
		if dir.Normalize().Cross(up.Normalize()).Len() > 1e-3 {
			require.InDelta(t, 0, q.Rotate(V(1, 0, 0)).Dot(up.Normalize()), ulps(2+math.Sqrt(3)+3, 1))
			require.GreaterOrEqual(t, q.Rotate(V(0, 1, 0)).Dot(up.Normalize()), float32(0), "it is 1e-3 or more")
		}
	})
}

func TestQuatBetween(t *testing.T) {
	y := V(0, 1, 0)
	assert.Equal(t, QuatIdentity(), QuatBetween(y, y.Mul(3)))
	for _, bad := range []Vec3{{}, {nan, 0, 0}, {inf, 0, 0}} {
		assert.Equal(t, QuatIdentity(), QuatBetween(y, bad))
		assert.Equal(t, QuatIdentity(), QuatBetween(bad, y))
	}
	rapid.Check(t, func(t *rapid.T) {
		from, to := direction().Draw(t, "from"), direction().Draw(t, "to")
		for _, to := range []Vec3{to, from, from.Neg(), from.Neg().Add(to.Mul(1e-7))} {
			checkQuatBetween(t, from, to)
		}
	})
	opposite := V(-0.3828125, 0, -1.5) // except for 1e-8: half of the angle has a cosine of 5e-9
	checkQuatBetween(t, opposite, opposite.Neg().Add(V(-1, 0.0078125, -2.984375).Mul(1e-7)))
}

func checkQuatBetween(t require.TestingT, from, to Vec3) {
	q, a, b := QuatBetween(from, to), from.Normalize(), to.Normalize()
	near3(t, b, q.Rotate(a), ulps(2+0.5+0.5+1, 1))
	require.InDelta(t, math.Acos(max(-1, min(1, a.wide().Dot(b.wide())))), 2*math.Acos(min(1, float64(q.W))), 1e-3, "none is less")
}

func TestQuatEuler(t *testing.T) {
	near(t, V(-1, 0, 0), QuatEuler(math.Pi/2, 0, 0).Rotate(V(0, 0, -1)), 1e-6, "yaw turns to the left")
	near(t, V(0, 1, 0), QuatEuler(0, math.Pi/2, 0).Rotate(V(0, 0, -1)), 1e-6, "pitch looks up")
	near(t, V(0, 1, 0), QuatEuler(0, 0, math.Pi/2).Rotate(V(1, 0, 0)), 1e-6, "roll")
	q := QuatEuler(0.5, 0.25, 0)
	assert.InDelta(t, 0, q.Rotate(V(1, 0, 0)).Y, 1e-7, "a camera without roll is level")
}

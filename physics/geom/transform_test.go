package geom

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestTransformZeroIsIdentity(t *testing.T) {
	assert.Equal(t, V(1, 2, 3), Transform{}.Point(V(1, 2, 3)))
	assert.Equal(t, AffineIdentity(), Transform{}.Affine())
	assert.Equal(t, V(1, 1, 1), Transform{}.Factors())
	assert.Equal(t, V(2, 0, 0), Transform{Scale: V(2, 0, 0)}.Factors())
	assert.Equal(t, V(6, 8, 10), At(5, 6, 7).Point(V(1, 2, 3)))
}

func TestAt2DRotatesLikeRayAtAngle(t *testing.T) {
	assert.Equal(t, At(3, 4, 0).Affine(), At2D(3, 4, 0).Affine())
	for _, angle := range []float64{0, 0.3, math.Pi / 2, -2, 100} {
		tr, r := At2D(3, 4, angle), RayAtAngle(V(3, 4, 0), angle)
		near(t, r.At(2), tr.Point(V(2, 0, 0)), 1e-6, "along its X axis")
		assert.Zero(t, tr.Point(V(2, 1, 0)).Z, "it stays in the plane")
	}
}

func TestTransformScalesRotatesTranslates(t *testing.T) {
	tr := Transform{V(10, 0, 0), QuatAxisAngle(V(0, 0, 1), math.Pi/2), V(2, 3, 1)}
	assert.Equal(t, V(10-3, 2, 1), tr.Point(V(1, 1, 1)))
	assert.Equal(t, 6., tr.Affine().Det())
	tr.Scale.X = -2
	assert.Equal(t, -6., tr.Affine().Det(), "it mirrors")
}

func TestTransformIsFinite(t *testing.T) {
	assert.True(t, Transform{}.IsFinite())
	for _, tr := range []Transform{{Position: V(nan, 0, 0)}, {Scale: V(1, inf, 1)}, {Rotation: Quat{W: nan}}} {
		assert.False(t, tr.IsFinite())
	}
	assert.False(t, Affine{X: V(nan, 0, 0)}.IsFinite())
	assert.False(t, Affine{Origin: V(0, inf, 0)}.IsFinite())
}

func anyTransform() *rapid.Generator[Transform] {
	return rapid.Custom(func(t *rapid.T) Transform {
		s := rapid.Float32Range(0.25, 4)
		sign := rapid.SampledFrom([]float32{-1, 1})
		return Transform{
			point(100).Draw(t, "position"), rotation().Draw(t, "rotation"),
			V(s.Draw(t, "sx")*sign.Draw(t, "x"), s.Draw(t, "sy")*sign.Draw(t, "y"), s.Draw(t, "sz")*sign.Draw(t, "z")),
		}
	})
}

// gain bounds the length of the image of a unit vector.
func (m Affine) gain() float64 { return m.X.Wide().Len() + m.Y.Wide().Len() + m.Z.Wide().Len() }

// size bounds the coordinates of the image of a point, and of the summands.
func (m Affine) size(p Vec3) float64 { return m.gain()*p.Wide().Len() + m.Origin.Wide().Len() }

// A map rounds its result once: one rounding a component, √3 its length.
// A turn goes the shorter way, with unit rotations, and both ends are exact.
func TestTransformLerp(t *testing.T) {
	from := Transform{Rotation: QuatAxisAngle(V(0, 1, 0), 0.1), Scale: V(2, 2, 2)}
	to := Transform{Position: V(2, 0, 0), Rotation: QuatAxisAngle(V(0, 1, 0), 0.3)}
	flipped := to
	q := to.Rotation
	flipped.Rotation = Quat{-q.X, -q.Y, -q.Z, -q.W}
	for _, to := range []Transform{to, flipped} {
		got := from.Lerp(to, 0.5)
		assert.Equal(t, V(1, 0, 0), got.Position)
		assert.Equal(t, V(1.5, 1.5, 1.5), got.Scale)
		turned := got.Rotation.Rotate(V(1, 0, 0))
		// Halfway the two ways of interpolating agree, up to rounding of a few 2⁻²⁴.
		assert.InDelta(t, math.Cos(0.2), turned.X, 4*0x1p-23)
		assert.InDelta(t, -math.Sin(0.2), turned.Z, 4*0x1p-23)
		for share, want := range map[float32]Transform{0: from, -1: from, nan: from, 1: to, 7: to} {
			assert.Equal(t, want, from.Lerp(to, share))
		}
	}
	same := Transform{Position: V(0.1, 0.2, 0.3), Scale: V(0.3, 0.7, 1.1)}
	assert.Equal(t, same, same.Lerp(same, 0.3), "what does not change keeps its bits")
	assert.Equal(t, Quat{}, same.Lerp(Transform{}, 0.3).Rotation)
}

func TestAffineProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyTransform().Draw(t, "a").Affine(), anyTransform().Draw(t, "b").Affine()
		p, q := point(8).Draw(t, "p"), point(8).Draw(t, "q")
		// Left, b's result, enlarged by a, and a's; right, the four vectors of a.Mul(b), and its
		// result.
		near3(t, a.Point(b.Point(p)), a.Mul(b).Point(p), ulps(4*math.Sqrt(3), a.gain()*b.size(p)+a.Origin.Wide().Len()))
		// Left, two results and their difference, right, the difference enlarged by a, and the
		// result.
		near3(t, a.Point(p).Sub(a.Point(q)), a.Vector(p.Sub(q)), ulps(2+math.Sqrt(3)+1, a.size(p)+a.size(q)))
		// The rounding of each column, √3, relative to the least distance of the column from the
		// plane of the others: the scales are from 1/4 to 4.
		require.InEpsilon(t, a.Det()*b.Det(), a.Mul(b).Det(), ulps(3*math.Sqrt(3)*16+1, 1))

		// No axis is scaled by less than 1/4, so that errors grow by 4 at most.
		inv, ok := a.Inverse()
		require.True(t, ok)
		near3(t, p, inv.Point(a.Point(p)), ulps(4*math.Sqrt(3)+2, a.size(p)))
		near3(t, p, inv.Vector(a.Vector(p)), ulps(4*math.Sqrt(3)+2, a.gain()*p.Wide().Len()))

		// T is the same on a ray that was mapped back: its origin, its direction and the point
		// there are rounded, and then both points here.
		r := anyRay().Draw(t, "ray")
		local := inv.Ray(r)
		there := local.Origin.Wide().Len() + 1.5*local.Dir.Wide().Len()
		near3(t, r.At(1.5), a.Point(local.At(1.5)), ulps(2*math.Sqrt(3)+2, a.gain()*there+a.Origin.Wide().Len()))
		require.Equal(t, [2]float32{r.MinT, r.MaxT}, [2]float32{local.MinT, local.MaxT})

		// A normal stays perpendicular to a tangent, and on its side. The tangent is off by 2√3
		// roundings of a cross product, √3 of n, and these are enlarged by 4; its image is 4 times
		// as long, with √3 roundings, √3/2 of m and 3 of the dot product.
		n := direction().Draw(t, "n").Normalize()
		other := direction().Draw(t, "other")
		tangent := n.Cross(other)
		m := inv.Normal(n)
		require.InDelta(t, 1, m.Len(), ulps(2, 1))
		require.InDelta(t, 0, m.Dot(a.Vector(tangent)), ulps(4*(3*math.Sqrt(3)+1.5*math.Sqrt(3)+3), other.Wide().Len()))
		require.Positive(t, m.Dot(a.Vector(n)), "1/4 or more")
	})
}

func TestAffineInverseOfSingular(t *testing.T) {
	for name, m := range map[string]Affine{
		"flat":     Transform{Scale: V(1, 0, 1)}.Affine(),
		"a point":  {},
		"NaN":      {X: V(nan, 0, 0), Y: V(0, 1, 0), Z: V(0, 0, 1)},
		"infinite": {X: V(inf, 0, 0), Y: V(0, 1, 0), Z: V(0, 0, 1)},
	} {
		_, ok := m.Inverse()
		assert.False(t, ok, name)
	}
	inv, ok := Transform{Scale: V(1e-10, 1e-10, 1e-10)}.Affine().Inverse()
	require.True(t, ok, "small is not flat")
	assert.InEpsilon(t, 1, inv.Point(V(1e-10, 0, 0)).X, 1e-6)
}

// A few kilometres from the origin, subtracting the origin before multiplying makes the difference
// between an error of micrometres and of millimetres.
func TestInverseAffineFarFromTheOrigin(t *testing.T) {
	m := Transform{V(4e6, 0, 4e6), QuatAxisAngle(V(0, 1, 0), 1), Vec3{}}.Affine()
	inv, ok := m.Inverse()
	require.True(t, ok)
	got := inv.Point(m.Origin.Add(V(1, 0.5, -0.5)))
	want := QuatAxisAngle(V(0, 1, 0), -1).Rotate(V(1, 0.5, -0.5))
	near(t, want, got, 1e-6, "local point")
}

func TestAffineBounds(t *testing.T) {
	assert.Equal(t, AABB{V(9, 18, 26), V(11, 22, 34)}, Affine{V(1, 0, 0), V(0, 1, 0), V(0, 0, 1), V(10, 20, 30)}.Bounds(brick))
	assert.True(t, AffineIdentity().Bounds(EmptyAABB()).IsEmpty())
	half := AABB{V(-inf, -inf, -inf), V(inf, 0, inf)}
	assert.Equal(t, everywhere(), Transform{Rotation: QuatAxisAngle(V(1, 0, 0), 1)}.Affine().Bounds(half), "an unbounded box")
	rapid.Check(t, func(t *rapid.T) {
		m := anyTransform().Draw(t, "m").Affine()
		b := AABBAround(point(8).Draw(t, "centre"), point(4).Draw(t, "half").Abs())
		around := EmptyAABB() // the eight corners, one by one
		for i := range 8 {
			c := b.Min
			for bit, a := range []Axis{X, Y, Z} {
				if i>>bit&1 == 1 {
					c = c.WithAxis(a, b.Max.Axis(a))
				}
			}
			around = around.Extend(m.Point(c))
		}
		// The same sums, rounded outward: by at most one unit.
		got := m.Bounds(b)
		near3(t, around.Min, got.Min, ulps(2, around.Min.Wide().Len()))
		near3(t, around.Max, got.Max, ulps(2, around.Max.Wide().Len()))
		require.Equal(t, got, got.Union(around), "it contains every corner")
	})
}

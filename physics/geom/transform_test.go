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
	assert.Equal(t, V(2, 1, 1), Transform{Scale: V(2, 0, float32(math.Copysign(0, -1)))}.Factors())
	half := At(5, 6, 7)
	half.Scale.X = 2
	assert.Equal(t, V(7, 8, 10), half.Point(V(1, 2, 3)), "a scale set along one axis")
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

func TestTransformMul(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyTransform().Draw(t, "a"), anyTransform().Draw(t, "b")
		p := point(8).Draw(t, "p")
		k := a.Factors().Abs()
		switch rapid.IntRange(0, 2).Draw(t, "shear") {
		case 0: // a uniform scale, which may mirror
			a.Scale = V(k.X, -k.X, k.X)
		case 1: // an unturned child
			b.Rotation = Quat{}
		case 2: // the position is that of the product
			p = Vec3{}
		}
		got, product := a.Mul(b), a.Affine().Mul(b.Affine())
		// A product of quaternions rounds 8 times in norm, which turns by 16 roundings; positions,
		// scales, a product of matrices and two images round by less.
		near3(t, product.Point(p), got.Point(p), ulps(32, a.Affine().gain()*b.Affine().size(p)+a.Position.Wide().Len()))
		require.Equal(t, a.Factors().MulVec(b.Factors()), got.Factors())

		require.Equal(t, a, a.Mul(Transform{}))
		require.Equal(t, b.Affine(), Transform{}.Mul(b).Affine())
		by := b.Scale
		require.Equal(t, a.Mul(Transform{Scale: by}), a.Scaled(by))
	})
	assert.Equal(t, Transform{}, Transform{}.Mul(Transform{}))
	assert.Equal(t, V(2, 3, 1), Transform{Scale: V(2, 0, 0)}.Scaled(V(0, 3, 0)).Scale, "0 is 1")
	tiny := Transform{Scale: V(1e-30, 1e-30, 1e-30)}
	assert.Equal(t, V(1e-45, 1e-45, 1e-45), tiny.Mul(tiny).Scale, "not 0, which is 1")
}

func TestTransformInverse(t *testing.T) {
	inverts := func(t require.TestingT, a, inverse Transform, p Vec3) {
		there := a.Point(p)
		back := inverse.Point(there).wide().Sub(p.wide()).Len()
		// The image rounds by √3, enlarged by the inverse; that turns by 16 roundings, as a product
		// does, and the rest rounds by less.
		within := inverse.Affine().gain()*ulps(2, a.Affine().size(p)) + ulps(32*math.Sqrt(3), inverse.Affine().size(there))
		require.LessOrEqual(t, back, within, "%v %v", a, inverse)
	}
	turns := rightTurns()
	rapid.Check(t, func(t *rapid.T) {
		a, p := anyTransform().Draw(t, "a"), point(8).Draw(t, "p")
		k := a.Factors()
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			a.Scale = V(k.X, -k.X, k.X)
		case 1:
			a.Rotation = rapid.SampledFrom(turns).Draw(t, "right angle")
		case 2:
			a.Rotation = QuatAxisAngle(V(0, 1, 0), rapid.Float64Range(-4, 4).Draw(t, "yaw"))
			a.Scale.Z = -a.Scale.X
		case 3: // most shear
		}
		inverse, ok := a.Inverse()
		// The matrix of a Transform has orthogonal columns. Those of the inverse matrix are so up
		// to roundings of the single precision of its parts, relative to the least scale of 1/4
		// and the greatest of 4.
		m, _ := a.Affine().Inverse()
		x, y, z := m.Vector(V(1, 0, 0)).wide(), m.Vector(V(0, 1, 0)).wide(), m.Vector(V(0, 0, 1)).wide()
		shear := max(math.Abs(x.Dot(y)), math.Abs(y.Dot(z)), math.Abs(z.Dot(x)))
		require.True(t, ok || shear > 0)
		if ok {
			require.LessOrEqual(t, shear, ulps(256, 16))
			inverts(t, a, inverse, p)
		}
	})
	for _, c := range []struct {
		name string
		t    Transform
		ok   bool
	}{
		{"identity", Transform{}, true},
		{"place", At(1, 2, 3), true},
		{"unrotated", Transform{Position: V(1, 2, 3), Scale: V(2, -3, 4)}, true},
		{"a scale along one axis", Transform{Scale: V(0, 3, 0), Rotation: QuatAxisAngle(V(0, 1, 0), 1)}, true},
		{"round about its axis", Transform{Position: V(1, 2, 3), Scale: V(2, 5, 2), Rotation: QuatAxisAngle(V(0, 1, 0), 1)}, true},
		{"a right angle", Transform{Position: V(1, 2, 3), Scale: V(2, 5, -7), Rotation: QuatAxisAngle(V(1, 0, 0), math.Pi/2)}, true},
		{"sheared", Transform{Scale: V(2, 5, 3), Rotation: QuatAxisAngle(V(0, 1, 0), 1)}, false},
		{"NaN", Transform{Position: V(nan, 0, 0)}, false},
		{"too small", Transform{Scale: V(1e-45, 1, 1)}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			inverse, ok := c.t.Inverse()
			require.Equal(t, c.ok, ok)
			if ok {
				inverts(t, c.t, inverse, V(1, -2, 3))
			} else {
				assert.Zero(t, inverse)
			}
		})
	}
}

func TestTransformLerp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyTransform().Draw(t, "a"), anyTransform().Draw(t, "b")
		share := rapid.Float32Range(0, 1).Draw(t, "share")
		for _, s := range []float32{0, -1, nan} {
			require.Equal(t, a, a.Lerp(b, s))
		}
		for _, s := range []float32{1, 2, inf} {
			require.Equal(t, b, a.Lerp(b, s))
		}
		m, h := a.Lerp(b, share), float64(share)
		// Rounded once, after a few roundings in double precision.
		mix := func(x, y Vec3) Vec3 { return x.wide().Mul(1 - h).Add(y.wide().Mul(h)).Narrow() }
		near3(t, mix(a.Position, b.Position), m.Position, ulps(2, 200))
		near3(t, mix(a.Scale, b.Scale), m.Scale, ulps(2, 4))
	})
	// About one axis, and from no rotation, which is no number of a quaternion.
	for _, degrees := range []float64{30, 90, -90} {
		limit := map[float64]float64{30: 0.034, 90: 0.92, -90: 0.92}[degrees]
		to := Transform{Rotation: QuatAxisAngle(V(0, 1, 0), degrees*math.Pi/180)}
		q := to.Rotation
		for _, to := range []Transform{to, {Rotation: Quat{-q.X, -q.Y, -q.Z, -q.W}}} {
			for i := range 101 {
				x := Transform{}.Lerp(to, float32(i)/100).Rotation.Rotate(V(1, 0, 0))
				assert.Zero(t, x.Y)
				angle := math.Atan2(float64(-x.Z), float64(x.X)) * 180 / math.Pi
				assert.InDelta(t, degrees*float64(i)/100, angle, limit, "%v of %v°", i, degrees)
			}
		}
	}
	assert.Equal(t, V(1.5, 1, 1), Transform{}.Lerp(Transform{Scale: V(2, 0, 0)}, 0.5).Factors(), "0 is 1")
	assert.Equal(t, At(2, 0, 0), At(1, 0, 0).Lerp(At(3, 0, 0), 0.5), "no rotation and no scale stay so")
}

func TestAffineInverseOfSingular(t *testing.T) {
	for name, m := range map[string]Affine{
		"flat":     Affine{X: V(1, 0, 0), Z: V(0, 0, 1)},
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

// Flat keeps what is in the plane to the bit, and removes the rest.
func TestTransformFlat(t *testing.T) {
	flat := At2D(3, -4, 0.7)
	assert.Equal(t, flat, flat.Flat())
	assert.Equal(t, Transform{}, Transform{}.Flat())
	tilted := flat
	tilted.Position.Z = -5
	tilted.Rotation = tilted.Rotation.Mul(QuatAxisAngle(V(1, 0, 0), 0.4))
	f := tilted.Flat()
	assert.Equal(t, uint32(0), math.Float32bits(f.Position.Z))
	assert.InDelta(t, flat.Rotation.Z, f.Rotation.Z, 1e-6)
	assert.Equal(t, QuatIdentity(), Transform{Rotation: Quat{X: 1}}.Flat().Rotation)
	assert.Equal(t, V(2, 3, 2), Transform{Scale: V(2, 3, 1)}.Flat().Scale)
	assert.Equal(t, V(2, 0, 2), Transform{Scale: V(2, 0, 0)}.Flat().Scale)
	nan := float32(math.NaN())
	assert.False(t, At(0, 0, nan).Flat().IsFinite())
	assert.False(t, Transform{Rotation: Quat{X: nan, W: 1}}.Flat().IsFinite())
}

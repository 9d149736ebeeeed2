package picking

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/physics/geom"
)

var clipRanges = []ClipRange{ClipMinusOneToOne, ClipZeroToOne, ClipOneToZero}

// drawProjection draws a projection of any kind except an explicit one.
func drawProjection(t *rapid.T) Projection {
	near := math.Exp(rapid.Float64Range(math.Log(0.01), math.Log(10)).Draw(t, "near"))
	far := near * (1 + math.Exp(rapid.Float64Range(-2, 12).Draw(t, "far")))
	left := rapid.Float64Range(-3, 3).Draw(t, "left")
	right := left + rapid.SampledFrom([]float64{-0.7, 0.3, 1, 5}).Draw(t, "width")
	bottom := rapid.Float64Range(-3, 3).Draw(t, "bottom")
	top := bottom + rapid.SampledFrom([]float64{-0.3, 0.6, 1, 3}).Draw(t, "height")
	var p Projection
	switch rapid.SampledFrom([]string{"perspective", "infinite", "off-centre", "orthographic", "ortho"}).Draw(t, "kind") {
	case "perspective":
		p = Perspective(rapid.Float64Range(0.02, 3).Draw(t, "fovY"), near, far)
	case "infinite":
		p = Perspective(rapid.Float64Range(0.02, 3).Draw(t, "fovY"), near, math.Inf(1))
	case "off-centre":
		p = PerspectiveOffCenter(near*left, near*right, near*bottom, near*top, near, far)
	case "orthographic":
		p = Orthographic(rapid.Float64Range(0.1, 100).Draw(t, "height"), near-5, far)
	case "ortho":
		p = Ortho(left, right, bottom, top, near-5, far)
	}
	return p.withClip(rapid.SampledFrom(clipRanges).Draw(t, "clip"))
}

func TestProjectionMatrixSendsTheCornersOfWhatIsSeenToTheCornersOfClipSpace(t *testing.T) {
	const aspect = 1.5
	half := math.Tan(0.4)
	inf := math.Inf(1)
	type corners struct{ left, right, bottom, top float64 }
	tests := []struct {
		name        string
		projection  Projection
		near, far   float64
		perspective bool
		at          corners // on the near plane
	}{
		{"perspective", Perspective(0.8, 0.1, 500), 0.1, 500, true, corners{-0.15 * half, 0.15 * half, -0.1 * half, 0.1 * half}},
		{"perspective, no far plane", Perspective(0.8, 0.1, inf), 0.1, inf, true, corners{-0.15 * half, 0.15 * half, -0.1 * half, 0.1 * half}},
		{"off-centre", PerspectiveOffCenter(-1, 3, 0.5, 2, 2, 9), 2, 9, true, corners{-1, 3, 0.5, 2}},
		{"off-centre, mirrored", PerspectiveOffCenter(3, -1, 2, 0.5, 2, inf), 2, inf, true, corners{3, -1, 2, 0.5}},
		{"orthographic", Orthographic(10, 0, 100), 0, 100, false, corners{-7.5, 7.5, -5, 5}},
		{"orthographic from behind the camera", Orthographic(10, -50, 100), -50, 100, false, corners{-7.5, 7.5, -5, 5}},
		{"ortho", Ortho(10, 30, -7, -3, -1, 1), -1, 1, false, corners{10, 30, -7, -3}},
		{"ortho, mirrored", Ortho(0, 640, 480, 0, -1, 1), -1, 1, false, corners{0, 640, 480, 0}},
	}
	for _, tt := range tests {
		for _, clip := range clipRanges {
			t.Run(tt.name+" "+clip.String(), func(t *testing.T) {
				p := tt.projection.withClip(clip)
				assert.Equal(t, clip, p.Clip())
				near, far, ok := p.Planes()
				assert.True(t, ok)
				assert.Equal(t, tt.near, near)
				assert.Equal(t, tt.far, far)

				m := p.Matrix(aspect)
				zNear, zFar := clip.limits()
				for _, plane := range []struct{ distance, z float64 }{{tt.near, zNear}, {tt.far, zFar}} {
					distance, tolerance := plane.distance, 1e-12
					if math.IsInf(distance, 1) {
						distance, tolerance = 1e12, 1e-11
					}
					grow := 1.0
					if tt.perspective {
						grow = distance / tt.near
					}
					for _, x := range []float64{-1, 1} {
						for _, y := range []float64{-1, 1} {
							at := geom.DVec3{X: tt.at.left * grow, Y: tt.at.bottom * grow, Z: -distance}
							if x > 0 {
								at.X = tt.at.right * grow
							}
							if y > 0 {
								at.Y = tt.at.top * grow
							}
							c, w := m.Apply(at, 1)
							require.Positive(t, w)
							assert.InDelta(t, x, c.X/w, tolerance, "x")
							assert.InDelta(t, y, c.Y/w, tolerance, "y")
							assert.InDelta(t, plane.z, c.Z/w, tolerance, "z")
						}
					}
				}
			})
		}
	}
}

func TestProjectionReversedDepthNamesTheRange(t *testing.T) {
	p := Perspective(1, 0.1, 100)
	assert.Equal(t, ClipMinusOneToOne, p.Clip())
	assert.Equal(t, ClipOneToZero, p.WithReversedDepth().Clip())
	assert.Equal(t, ClipZeroToOne, p.WithDepthZeroToOne().Clip())
	assert.Equal(t, p.WithReversedDepth(), p.WithDepthZeroToOne().WithReversedDepth(), "the last one counts")
}

// A matrix made elsewhere can be given another range of depths; the result is the matrix that the
// formula for that range gives.
func TestProjectionOfTakesAnotherRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProjection(t)
		to := rapid.SampledFrom(clipRanges).Draw(t, "to")
		got := ProjectionOf(p.Matrix(1.3), p.Clip()).withClip(to)
		require.Equal(t, to, got.Clip())
		want := p.withClip(to).Matrix(1.3)
		for i, x := range got.Matrix(7) {
			// The formulas round three times, the conversion a + b·x with |a| ≤ 1 and ½ ≤ |b| ≤ 2
			// twice more, each time by 2⁻⁵³ of at most 2·(1 + |element|).
			require.InDelta(t, want[i], x, 20*0x1p-53*(1+math.Abs(want[i])), "element %d", i)
		}
	})
}

// The formulas for a pixel's ray agree with the inverse of the matrix.
func TestProjectionLineIsTheInverseOfItsMatrix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProjection(t)
		aspect := rapid.Float64Range(0.2, 4).Draw(t, "aspect")
		x := rapid.Float64Range(-1, 1).Draw(t, "x")
		y := rapid.Float64Range(-1, 1).Draw(t, "y")
		from, dir, length, ok := p.line(x, y, aspect)
		require.True(t, ok)
		from2, dir2, length2, ok := lineOf(p.Matrix(aspect), p.clip, x, y)
		require.True(t, ok)
		// The inverse of the matrix and a product with it round each number about 16 times, by
		// 2⁻⁵³. The difference of the far and the near point magnifies that by (far + near) / (far
		// − near), and the inverse of the far point's w by far / near. In a parallel projection the
		// point on the near plane is a difference of numbers as large as far.
		const rounding = 16 * 0x1p-53
		spread, ratio, size := 1.0, 1.0, from.Len()
		if !math.IsInf(p.far, 1) {
			spread = (math.Abs(p.far) + math.Abs(p.near)) / (p.far - p.near)
		}
		if p.kind == perspective {
			ratio = p.far / p.near
		} else {
			size += math.Abs(p.far) + math.Abs(p.near)
		}
		require.Less(t, from.Sub(from2).Len(), rounding*spread*size, "%v against %v", from, from2)
		require.Less(t, dir.Sub(dir2).Len(), rounding*spread, "%v against %v", dir, dir2)
		require.InDelta(t, 1, dir.Len(), 4*0x1p-53)
		if math.IsInf(length, 1) {
			require.Equal(t, length, length2)
		} else {
			require.InEpsilon(t, length, length2, rounding*(spread+ratio))
		}
	})
}

func TestProjectionLineOfAnInvalidMatrix(t *testing.T) {
	good := Perspective(1, 0.1, 100).Matrix(1)
	tests := []struct {
		name string
		m    geom.Mat4
	}{
		{"zero", geom.Mat4{}},
		{"NaN", geom.Mat4{0: math.NaN(), 5: 1, 10: 1, 15: 1}},
		{"no inverse", geom.Mat4{0: 1, 5: 1, 10: 1}},
		{"near plane behind the camera", geom.Mat4{0: 1, 5: 1, 10: good[10], 11: 1, 14: good[14]}},
		{"far plane behind the camera", geom.Mat4{0: 1, 5: 1, 10: -0.5, 11: -1, 14: -0.2}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, _, _, ok := ProjectionOf(tt.m, ClipMinusOneToOne).line(0, 0, 1)
			assert.False(t, ok)
		})
	}
}

func TestInvalidProjectionHasAZeroMatrix(t *testing.T) {
	zero := geom.Mat4{}
	assert.Equal(t, zero, Projection{}.Matrix(1))
	for _, aspect := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		assert.Equal(t, zero, Perspective(1, 0.1, 1).Matrix(aspect), "aspect %g", aspect)
		assert.Equal(t, zero, Orthographic(1, 0, 1).Matrix(aspect), "aspect %g", aspect)
		assert.NotEqual(t, zero, Ortho(0, 1, 0, 1, 0, 1).Matrix(aspect), "aspect %g", aspect)
	}
	_, _, ok := Projection{}.Planes()
	assert.False(t, ok)
	_, _, ok = ProjectionOf(geom.Mat4Identity(), ClipZeroToOne).Planes()
	assert.False(t, ok)
}

func TestProjectionPanicsOnInvalidNumbers(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	tests := []struct {
		name, message string
		make          func()
	}{
		{"fov 0", "picking: Perspective: fovY 0 radians is not between 0 and π", func() { Perspective(0, 1, 2) }},
		{"fov π", "", func() { Perspective(math.Pi, 1, 2) }},
		{"fov NaN", "", func() { Perspective(nan, 1, 2) }},
		{"near 0", "picking: Perspective: near 0 is not positive and finite", func() { Perspective(1, 0, 2) }},
		{"near infinite", "", func() { Perspective(1, inf, inf) }},
		{"far before near", "picking: Perspective: far 1 is not beyond near 2", func() { Perspective(1, 2, 1) }},
		{"far NaN", "", func() { Perspective(1, 2, nan) }},
		{"flat rectangle", "picking: PerspectiveOffCenter: flat rectangle, x 1…1, y 0…1", func() { PerspectiveOffCenter(1, 1, 0, 1, 1, 2) }},
		{"infinite rectangle", "", func() { PerspectiveOffCenter(1, inf, 0, 1, 1, 2) }},
		{"off-centre near", "", func() { PerspectiveOffCenter(0, 1, 0, 1, -1, 2) }},
		{"height 0", "picking: Orthographic: height 0 is not positive and finite", func() { Orthographic(0, 1, 2) }},
		{"height infinite", "", func() { Orthographic(inf, 1, 2) }},
		{"orthographic far infinite", "picking: Orthographic: +Inf is not finite", func() { Orthographic(1, 1, inf) }},
		{"ortho far at near", "picking: Ortho: far 1 is not beyond near 1", func() { Ortho(0, 1, 0, 1, 1, 1) }},
		{"ortho NaN", "", func() { Ortho(nan, 1, 0, 1, 1, 2) }},
		{"clip range", "picking: ProjectionOf: unknown clip range 3", func() { ProjectionOf(geom.Mat4Identity(), 3) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.message == "" {
				assert.Panics(t, tt.make)
			} else {
				assert.PanicsWithValue(t, tt.message, tt.make)
			}
		})
	}
}

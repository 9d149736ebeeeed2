package render

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

func projections() map[string]picking.Projection {
	return map[string]picking.Projection{
		"perspective":  picking.Perspective(0.9, 0.1, 100),
		"infinite":     picking.Perspective(0.9, 0.1, math.Inf(1)),
		"reversed":     picking.Perspective(0.9, 0.1, 100).WithReversedDepth(),
		"zero to one":  picking.Perspective(0.9, 0.1, 100).WithDepthZeroToOne(),
		"off-centre":   picking.PerspectiveOffCenter(-0.02, 0.09, -0.01, 0.05, 0.1, 100),
		"orthographic": picking.Orthographic(6, -5, 100),
		"ortho":        picking.Ortho(-1, 5, -2, 3, 1, 20).WithReversedDepth(),
		"explicit":     picking.ProjectionOf(picking.Perspective(0.9, 0.1, 100).Matrix(1.5), picking.ClipMinusOneToOne),
	}
}

// The rays of the ID buffer are those of package picking.
func TestPencilIsPickingsRay(t *testing.T) {
	for name, p := range projections() {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				v := viewFrom(geom.V(rapid.Float32Range(-9, 9).Draw(t, "x"), 3, 5), geom.V(0, rapid.Float32Range(-2, 2).Draw(t, "y"), 0),
					p, wide(300, 200))
				f, ok := newFrame(v)
				require.True(t, ok)
				px, py := rapid.IntRange(0, 299).Draw(t, "px"), rapid.IntRange(0, 199).Draw(t, "py")
				ray := v.PixelRay(px, py)
				x, y := (float64(px)+0.5)/150-1, (float64(py)+0.5)/100-1
				from := f.rays.from.AddMul(x, f.rays.fromX).AddMul(y, f.rays.fromY).Add(f.camera)
				dir := f.rays.dir.AddMul(x, f.rays.dirX).AddMul(y, f.rays.dirY)
				// picking rounds each number of the ray to single precision, by up to 2⁻²⁴ of
				// itself. The rounding of double precision is less than a 10⁻⁴ of that, also in the
				// inverse of a matrix whose planes are as 1 to 1000.
				const rounding = 0x1p-24 * (1 + 1e-4)
				assert.InDelta(t, 0, dir.Normalize().Sub(ray.Dir.Wide()).Len(), rounding)
				start := from.AddMul(f.rays.near, dir)
				assert.InDelta(t, 0, start.Sub(ray.Origin.Wide()).Len(), rounding*start.Len())
				if ray.MaxT > 0 {
					end := from.AddMul(f.rays.far, dir)
					assert.InDelta(t, float64(ray.MaxT), end.Sub(start).Len(), rounding*float64(ray.MaxT))
				} else {
					assert.True(t, math.IsInf(f.rays.far, 1))
				}
			})
		})
	}
}

func TestFrameClipIsOpenGLs(t *testing.T) {
	for name, p := range projections() {
		near, far, ok := p.Planes()
		if !ok {
			continue
		}
		t.Run(name, func(t *testing.T) {
			m := openGL(p.Matrix(1.5), p.Clip())
			depth := func(d float64) float64 {
				v, w := m.Apply(geom.DVec3{Z: -d}, 1)
				return v.Z / w
			}
			assert.InDelta(t, -1, depth(near), 1e-9)
			if !math.IsInf(far, 1) {
				assert.InDelta(t, 1, depth(far), 1e-9)
			} else {
				assert.InDelta(t, 1, depth(1e12), 1e-9)
			}
		})
	}
}

func TestFrameOfNothing(t *testing.T) {
	for name, v := range map[string]picking.View{
		"zero view":       {},
		"no projection":   viewFrom(geom.V(0, 0, 1), geom.Vec3{}, picking.Projection{}, square(10)),
		"minimised":       viewFrom(geom.V(0, 0, 1), geom.Vec3{}, picking.Perspective(1, 1, 2), picking.Viewport{}),
		"singular matrix": viewFrom(geom.V(0, 0, 1), geom.Vec3{}, picking.ProjectionOf(geom.Mat4{0: 1}, 0), square(10)),
	} {
		_, ok := newFrame(v)
		assert.False(t, ok, name)
	}
}

func TestFrameMirrored(t *testing.T) {
	f, _ := newFrame(viewFrom(geom.V(0, 0, 1), geom.Vec3{}, picking.PerspectiveOffCenter(1, -1, -1, 1, 1, 9), square(10)))
	assert.True(t, f.mirrored)
	f, _ = newFrame(viewFrom(geom.V(0, 0, 1), geom.Vec3{}, picking.Ortho(-1, 1, 1, -1, 1, 9), square(10)))
	assert.True(t, f.mirrored)
	f, _ = newFrame(viewFrom(geom.V(0, 0, 1), geom.Vec3{}, picking.Ortho(1, -1, 1, -1, 1, 9), square(10)))
	assert.False(t, f.mirrored, "turned by half a circle")
}

func TestPixelsPull(t *testing.T) {
	// 100 pixels for 2 m at a distance of 1 m: a pixel is 2 cm per metre.
	f, ok := newFrame(viewFrom(geom.V(0, 0, 5), geom.Vec3{}, picking.Perspective(math.Pi/2, 0.1, 9), wide(300, 100)))
	require.True(t, ok)
	assert.InDelta(t, 0.02, float64(f.pixelsPull(1, 1)), 1e-6)
	f, _ = newFrame(viewFrom(geom.V(0, 0, 5), geom.Vec3{}, picking.Orthographic(4, 0.1, 9), wide(300, 100)))
	assert.InDelta(t, 0.12, float64(f.pixelsPull(3, 1)), 1e-6)
}

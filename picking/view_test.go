package picking

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

func drawVec(t *rapid.T, reach float32, label string) geom.Vec3 {
	c := rapid.Float32Range(-reach, reach)
	return geom.V(c.Draw(t, label+" x"), c.Draw(t, label+" y"), c.Draw(t, label+" z"))
}

func drawView(t *rapid.T) View {
	angle := rapid.Float64Range(-4, 4)
	v := View{
		Camera: Camera{
			Position:   drawVec(t, rapid.SampledFrom([]float32{0, 1, 100, 10000}).Draw(t, "reach"), "position"),
			Rotation:   geom.QuatEuler(angle.Draw(t, "yaw"), angle.Draw(t, "pitch"), angle.Draw(t, "roll")),
			Projection: drawProjection(t),
		},
		Viewport: drawViewport(t),
	}
	if rapid.IntRange(0, 3).Draw(t, "explicit") == 0 {
		v.Projection = ProjectionOf(v.Projection.Matrix(v.Aspect()), v.Projection.Clip())
	}
	return v
}

func drawPlace(t *rapid.T, v View) (x, y float64) {
	return rapid.Float64Range(0, float64(v.Window.Width)).Draw(t, "cursor x"),
		rapid.Float64Range(0, float64(v.Window.Height)).Draw(t, "cursor y")
}

// Project is the inverse of Unproject, up to the rounding of double precision, which a view of a
// camera far from the origin, or far narrower than it is deep, magnifies; see roundTripOff.
func TestViewProjectIsTheInverseOfUnproject(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := drawView(t)
		x, y := drawPlace(t, v)
		depth := rapid.Float64Range(0.001, 0.999).Draw(t, "depth")
		p, ok := v.unproject(x, y, depth)
		require.True(t, ok)
		gotX, gotY, gotDepth, ok := v.project(p)
		require.True(t, ok)
		offX, offY, offDepth := roundTripOff(t, v, x, y, depth, p)
		require.InDelta(t, x, gotX, offX, "x")
		require.InDelta(t, y, gotY, offY, "y")
		require.InDelta(t, depth, gotDepth, offDepth, "depth")
	})
}

// roundTripOff returns how far a place in the window and a depth may be from what Project makes of
// the point p that Unproject makes of them, in window pixels and in the depth buffer's unit. Each
// number is the result of about 16 roundings of 2⁻⁵³ in each step:
//   - the inverse N of the projection's matrix M is off by |N|·|M|·|N| of that, element by element,
//     and its product with a place by |N| times the place;
//   - the map into the world and back is off by the rounding of positions there;
//   - the product with M adds what |M| makes of all that, and its quotients by w add the error of
//     w.
func roundTripOff(t *rapid.T, v View, x, y, depth float64, p geom.DVec3) (offX, offY, offDepth float64) {
	const rounding = 16 * 0x1p-53
	m := v.Projection.Matrix(v.Aspect())
	inv, ok := m.Inverse()
	require.True(t, ok)
	clipX, clipY := v.toClip(v.toFramebuffer(x, y))
	clip := geom.DVec3{X: clipX, Y: clipY, Z: v.Projection.clip.clip(depth)}
	_, w := inv.Apply(clip, 1)
	all := func(v geom.DVec3) geom.DVec3 {
		return geom.DVec3{X: math.Abs(v.X), Y: math.Abs(v.Y), Z: math.Abs(v.Z)}
	}
	for i := range m {
		m[i], inv[i] = math.Abs(m[i]), math.Abs(inv[i])
	}
	at, atW := inv.Apply(all(clip), 1)
	back, backW := inv.Apply(m.Apply(at, atW))
	moved := (p.Len() + v.Position.Wide().Len() + v.local(p).Len()) * math.Abs(w)
	off, offW := m.Apply(at.Add(back).Add(geom.DVec3{X: moved, Y: moved, Z: moved}).Mul(rounding), (atW+backW)*rounding)
	off = off.AddMul(offW, all(clip))

	// From the image, −1 to 1, to the window and to the depth buffer, and their own rounding.
	x0, y0 := v.toWindow(v.fromClip(0, 0))
	x1, y1 := v.toWindow(v.fromClip(1, 1))
	size := float64(v.Window.Width + v.Window.Height)
	return off.X*math.Abs(x1-x0) + rounding*size, off.Y*math.Abs(y1-y0) + rounding*size, off.Z + rounding
}

// In single precision a point is rounded, and the picture of the rounding is all that may be lost.
func TestViewRoundTripInSinglePrecision(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := drawView(t)
		x, y := drawPlace(t, v)
		depth := rapid.Float64Range(0.001, 0.999).Draw(t, "depth")
		wide, ok := v.unproject(x, y, depth)
		require.True(t, ok)
		p, ok := v.Unproject(x, y, depth)
		require.True(t, ok)
		require.Equal(t, wide.Narrow(), p)
		gotX, gotY, gotDepth, ok := v.Project(p)
		wantX, wantY, wantDepth, wantOK := v.project(p.Wide())
		require.Equal(t, wantOK, ok)
		require.Equal(t, [3]float64{wantX, wantY, wantDepth}, [3]float64{gotX, gotY, gotDepth})
	})
}

// Every point of a pixel's ray is seen at the pixel's centre, from the near plane at T = 0 to the
// far plane at MaxT.
func TestViewRayIsSeenInItsPixel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := drawView(t)
		px := rapid.IntRange(v.X, v.X+v.Width-1).Draw(t, "px")
		py := rapid.IntRange(v.Y, v.Y+v.Height-1).Draw(t, "py")
		cx, cy := v.Cursor(px, py)
		r, ok := v.Ray(cx, cy)
		require.True(t, ok)
		require.Equal(t, v.PixelRay(px, py), r)
		require.True(t, r.IsValid())
		require.InDelta(t, 1, r.Dir.Len(), 3*0x1p-24) // each coordinate is rounded by 2⁻²⁵ or less

		near, far := v.Projection.clip.limits()
		x, y := v.toClip(float64(px)+0.5, float64(py)+0.5)
		_, _, length, ok := v.Projection.line(x, y, v.Aspect())
		require.True(t, ok)
		require.Equal(t, math.IsInf(length, 1), r.MaxT == 0)
		at := func(fraction float64) geom.DVec3 {
			d := r.Origin.Wide()
			if r.MaxT == 0 {
				return d.AddMul(fraction*1e3, r.Dir.Wide())
			}
			return d.AddMul(fraction*float64(r.MaxT), r.Dir.Wide())
		}
		for _, fraction := range []float64{0, 0.1, 0.5, 1} {
			p := at(fraction)
			// Rounding to single precision moves the origin of a ray and a point on it by up to
			// 2⁻²⁴ of their coordinates on each axis, and of the distance by the direction: in all
			// by less than 16·2⁻²⁴ = 10⁻⁶ of these lengths. perMetre is the change of the image by
			// that.
			c := v.local(p)
			error := 1e-6 * (1 + p.Len() + v.Position.Wide().Len() + c.Len())
			m := v.Projection.Matrix(v.Aspect())
			clip, w := m.Apply(c, 1)
			if w <= 1e3*error { // nearer to the camera than single precision resolves
				continue
			}
			perMetre := (math.Abs(m[0]) + math.Abs(m[5]) + math.Abs(m[8]) + math.Abs(m[9]) + 1 + math.Abs(clip.X/w) + math.Abs(clip.Y/w)) / math.Abs(w)
			require.InDelta(t, x, clip.X/w, 2*error*perMetre)
			require.InDelta(t, y, clip.Y/w, 2*error*perMetre)
			if z := clip.Z / w; fraction == 0 {
				require.InDelta(t, near, z, 2*error*(math.Abs(m[10])+1)/math.Abs(w)*(1+math.Abs(m[14])))
			} else if fraction == 1 && r.MaxT != 0 {
				require.InDelta(t, far, z, 2*error*(math.Abs(m[10])+1)/math.Abs(w)*(1+math.Abs(m[14])))
			}
		}
	})
}

func TestViewRay(t *testing.T) {
	window := Size{200, 100}
	at := func(p Projection) View {
		return View{Camera{Position: geom.V(1, 2, 3), Projection: p}, FullViewport(window, window)}
	}
	// The centre of pixel (150, 75) in the image, −1 to 1.
	const x, y = 0.505, 0.51
	slant := math.Sqrt(1 + 4*x*x + y*y) // 90° high, twice as wide
	tests := []struct {
		name   string
		view   View
		origin geom.Vec3
		dir    geom.Vec3
		maxT   float64
	}{
		{"perspective", at(Perspective(math.Pi/2, 2, 10)), geom.V(1+4*x, 2+2*y, 1),
			geom.DVec3{X: 2 * x, Y: y, Z: -1}.Normalize().Narrow(), 8 * slant},
		{"perspective, no far plane", at(Perspective(math.Pi/2, 2, math.Inf(1)).WithReversedDepth()), geom.V(1+4*x, 2+2*y, 1),
			geom.DVec3{X: 2 * x, Y: y, Z: -1}.Normalize().Narrow(), 0},
		{"a matrix without a far plane", at(ProjectionOf(Perspective(math.Pi/2, 2, math.Inf(1)).Matrix(2), ClipMinusOneToOne)), geom.V(1+4*x, 2+2*y, 1),
			geom.DVec3{X: 2 * x, Y: y, Z: -1}.Normalize().Narrow(), 0},
		{"off-centre", at(PerspectiveOffCenter(0, 4, 0, 2, 1, 3)), geom.V(1+2+2*x, 2+1+y, 2),
			geom.DVec3{X: 2 + 2*x, Y: 1 + y, Z: -1}.Normalize().Narrow(), 2 * geom.DVec3{X: 2 + 2*x, Y: 1 + y, Z: -1}.Len()},
		{"orthographic", at(Orthographic(10, 1, 5)), geom.V(1+10*x, 2+5*y, 2), geom.V(0, 0, -1), 4},
		{"orthographic from behind the camera", at(Orthographic(10, -7, 5)), geom.V(1+10*x, 2+5*y, 10), geom.V(0, 0, -1), 12},
		{"ortho", at(Ortho(0, 200, 100, 0, -1, 1)), geom.V(1+150.5, 2+24.5, 4), geom.V(0, 0, -1), 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, ok := tt.view.Ray(150.9, 24.1)
			require.True(t, ok)
			assert.Less(t, r.Origin.Distance(tt.origin), float32(2e-5), "%v", r.Origin)
			assert.Less(t, r.Dir.Distance(tt.dir), float32(2e-7), "%v", r.Dir)
			assert.InDelta(t, tt.maxT, r.MaxT, 1e-5)
			assert.Zero(t, r.MinT)
		})
	}
}

func TestViewWithoutAPictureHasNoRay(t *testing.T) {
	good := View{Camera{Projection: Perspective(1, 0.1, 100)}, FullViewport(Size{100, 100}, Size{100, 100})}
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	tests := []struct {
		name   string
		change func(*View)
		cx     float64
	}{
		{"no projection", func(v *View) { v.Projection = Projection{} }, 50},
		{"zero matrix", func(v *View) { v.Projection = ProjectionOf(geom.Mat4{}, ClipZeroToOne) }, 50},
		{"minimised", func(v *View) { v.Viewport = FullViewport(Size{100, 100}, Size{}) }, 50},
		{"empty viewport", func(v *View) { v.Height = 0 }, 50},
		{"position NaN", func(v *View) { v.Position.Y = nan }, 50},
		{"position infinite", func(v *View) { v.Position.X = inf }, 50},
		{"cursor outside", func(*View) {}, 100},
		{"cursor NaN", func(*View) {}, math.NaN()},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := good
			tt.change(&v)
			r, ok := v.Ray(tt.cx, 50)
			assert.False(t, ok)
			assert.Equal(t, geom.Ray{}, r)
		})
	}
	_, ok := good.Ray(50, 50)
	assert.True(t, ok)
	assert.Equal(t, geom.Ray{}, good.RayAt(math.NaN(), 3))
	assert.Equal(t, geom.Ray{}, View{}.RayAt(0, 0))
}

func TestViewRayThatIsShorterThanAFloatStillEnds(t *testing.T) {
	v := View{Camera{Projection: Orthographic(1, 0, 1e-60)}, FullViewport(Size{1, 1}, Size{1, 1})}
	r, ok := v.Ray(0, 0)
	require.True(t, ok)
	assert.Positive(t, r.MaxT)
}

func TestViewProject(t *testing.T) {
	v := View{
		Camera{Projection: Perspective(math.Pi/2, 1, 100)},
		// The right half of a framebuffer of twice the window's size.
		Viewport{X: 200, Width: 200, Height: 200, Window: Size{200, 100}, Framebuffer: Size{400, 200}},
	}
	tests := []struct {
		name        string
		view        View
		p           geom.Vec3
		x, y, depth float64
		ok          bool
	}{
		{"middle, near plane", v, geom.V(0, 0, -1), 150, 50, 0, true},
		{"middle, far plane", v, geom.V(0, 0, -100), 150, 50, 1, true},
		{"upper right corner", v, geom.V(10, 10, -10), 200, 0, 0.909090909, true},
		{"beside the viewport", v, geom.V(-30, 0, -10), 0, 50, 0.909090909, true},
		{"beyond the far plane", v, geom.V(0, 0, -200), 150, 50, 1.005050505, true},
		{"behind the camera, mirrored", v, geom.V(5, 5, 10), 125, 75, 1.111111111, false},
		{"in the camera plane", v, geom.V(5, 5, 0), 0, 0, 0, false},
		{"NaN", v, geom.V(float32(math.NaN()), 0, -1), 0, 0, 0, false},
		{"no picture", View{}, geom.V(0, 0, -1), 0, 0, 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x, y, depth, ok := tt.view.Project(tt.p)
			assert.Equal(t, tt.ok, ok)
			assert.InDelta(t, tt.x, x, 1e-9)
			assert.InDelta(t, tt.y, y, 1e-9)
			assert.InDelta(t, tt.depth, depth, 1e-9)
			if depth == 0 && !ok {
				return
			}
			p, ok := tt.view.Unproject(x, y, depth)
			assert.Equal(t, tt.ok, ok)
			assert.Less(t, p.Distance(tt.p), 1e-4*p.Len(), "%v", p)
		})
	}
	t.Run("reversed depth", func(t *testing.T) {
		v.Projection = Perspective(1, 0.5, math.Inf(1)).WithReversedDepth()
		_, _, depth, ok := v.Project(geom.V(0, 0, -0.5))
		assert.True(t, ok)
		assert.Equal(t, 1.0, depth)
		_, _, depth, ok = v.Project(geom.V(0, 0, -50))
		assert.True(t, ok)
		assert.InDelta(t, 0.01, depth, 1e-15)
		_, ok = v.Unproject(150, 50, 0)
		assert.False(t, ok, "infinitely far")
	})
}

func TestViewQueriesAllocateNothing(t *testing.T) {
	v := View{Camera{Projection: Perspective(1, 0.1, 100)}, FullViewport(Size{100, 100}, Size{100, 100})}
	explicit := v
	explicit.Projection = ProjectionOf(v.Projection.Matrix(1), ClipMinusOneToOne)
	f := v.Frustum()
	for name, run := range map[string]func(){
		"Ray":               func() { v.Ray(50, 50) },
		"Ray of a matrix":   func() { explicit.Ray(50, 50) },
		"Project":           func() { v.Project(geom.V(0, 0, -5)) },
		"Unproject":         func() { v.Unproject(10, 10, 0.5) },
		"Frustum":           func() { v.Frustum() },
		"OverlapsAABBExact": func() { f.OverlapsAABBExact(geom.AABBAround(geom.V(0, 0, -5), geom.V(9, 9, 9))) },
	} {
		testenv.AllocatesNothing(t, 100, run, name)
	}
}

func TestCameraLookAt(t *testing.T) {
	tests := []struct {
		name        string
		eye, target geom.Vec3
		up          geom.Vec3
	}{
		{"level", geom.V(1, 2, 3), geom.V(5, 2, -3), geom.V(0, 1, 0)},
		{"downward", geom.V(0, 5, 0), geom.V(1, 0, 1), geom.V(0, 1, 0)},
		{"straight down, up parallel", geom.V(0, 5, 0), geom.V(0, 0, 0), geom.V(0, 1, 0)},
		{"another up", geom.V(0, 5, 0), geom.V(0, 0, 0), geom.V(0, 0, -1)},
		{"the same point", geom.V(4, 4, 4), geom.V(4, 4, 4), geom.V(0, 1, 0)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := Camera{Projection: Perspective(1, 0.1, 100)}
			c.LookAt(tt.eye, tt.target, tt.up)
			v := View{c, FullViewport(Size{200, 100}, Size{200, 100})}
			assert.Equal(t, tt.eye, c.Position)
			if tt.eye == tt.target {
				assert.Equal(t, geom.QuatIdentity(), c.Rotation)
				return
			}
			x, y, _, ok := v.Project(tt.target)
			assert.True(t, ok)
			assert.InDelta(t, 100, x, 1e-4)
			assert.InDelta(t, 50, y, 1e-4)
			if d := tt.target.Sub(tt.eye).Normalize(); math.Abs(float64(d.Dot(tt.up))) < 0.99 {
				ux, uy, _, _ := v.Project(tt.target.Add(tt.up.Mul(0.1)))
				assert.InDelta(t, 100, ux, 1e-4, "up is not to the side")
				assert.Less(t, uy, y, "up is up")
			}
		})
	}
}

// The view matrix maps the camera's position to zero and keeps lengths, in double precision.
func TestCameraViewIsRigid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawView(t).Camera
		p := drawVec(t, 1e4, "p").Wide()
		got, w := c.View().Apply(p, 1)
		require.Equal(t, 1.0, w)
		// Coordinates below 20 km are rounded by 2·10⁻¹² m; each result sums twelve such products.
		const tolerance = 5e-11 // m
		require.Less(t, got.Sub(c.local(p)).Len(), tolerance)
		require.InDelta(t, p.Sub(c.Position.Wide()).Len(), got.Len(), tolerance)
		require.Less(t, c.world(c.local(p)).Sub(p).Len(), tolerance)
	})
}

func FuzzViewRay(f *testing.F) {
	f.Add(float32(1), float32(2), float32(3), float32(0), float32(1), float32(0), float32(0), 1.0, 0.1, 100.0, 10.0, 20.0, uint8(0))
	f.Add(float32(1e38), float32(-1e38), float32(3), float32(1e30), float32(1), float32(0), float32(0), 3.14, 1e-300, 1e300, 10.0, 20.0, uint8(1))
	f.Add(float32(1), float32(2), float32(3), float32(0), float32(0), float32(0), float32(0), 1.0, 1e-45, math.Inf(1), 10.0, 20.0, uint8(6))
	f.Add(float32(1), float32(2), float32(3), float32(0), float32(0), float32(0), float32(0), 1.0, 1.0, 2.0, math.NaN(), 0.0, uint8(2))
	f.Fuzz(func(t *testing.T, px, py, pz, qx, qy, qz, qw float32, size, near, far, cx, cy float64, kind uint8) {
		v := View{
			Camera{Position: geom.V(px, py, pz), Rotation: geom.Quat{X: qx, Y: qy, Z: qz, W: qw}},
			FullViewport(Size{640, 480}, Size{800, 600}),
		}
		clip := clipRanges[int(kind/4)%3]
		func() {
			defer func() { _ = recover() }() // invalid numbers panic; there is no projection then
			switch kind % 4 {
			case 0:
				v.Projection = Perspective(size, near, far).withClip(clip)
			case 1:
				v.Projection = Orthographic(size, near, far).withClip(clip)
			case 2:
				v.Projection = PerspectiveOffCenter(-size, size*2, size, 0.5, near, far).withClip(clip)
			case 3:
				v.Projection = ProjectionOf(geom.Mat4{0: size, 5: size, 8: cx, 10: near, 11: -1, 14: far, 15: cy}, clip)
			}
		}()
		r, ok := v.Ray(cx, cy)
		assert.Equal(t, ok, r.IsValid())
		if !ok {
			assert.Equal(t, geom.Ray{}, r)
			return
		}
		assert.InDelta(t, 1, r.Dir.Len(), 3*0x1p-24) // each coordinate is rounded by 2⁻²⁵ or less
		assert.GreaterOrEqual(t, r.MaxT, float32(0))
		x, y, depth, _ := v.Project(r.Origin)
		assert.True(t, isFinite(x) && isFinite(y) && isFinite(depth))
	})
}

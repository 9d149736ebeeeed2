package picking

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/physics/geom"
)

func TestFrustumIsConservativeForALargeBoxNearAnEdge(t *testing.T) {
	// The frustum is 90° wide. The box is beyond the corner of far and right plane: it reaches left
	// of the right plane, and in front of the far plane, but not both in one point.
	f := FrustumOf(Perspective(math.Pi/2, 1, 100).Matrix(1), ClipMinusOneToOne)
	b := geom.AABB{Min: geom.V(101, -1, -200), Max: geom.V(300, 1, 0)}
	assert.Equal(t, geom.Intersecting, f.ClassifyAABB(b))
	assert.False(t, f.OverlapsAABBExact(b))
	b.Min.X = 99
	assert.True(t, f.OverlapsAABBExact(b))
}

func TestFrustumThatContainsNothing(t *testing.T) {
	nan := math.NaN()
	for name, f := range map[string]geom.Frustum{
		"zero matrix":    FrustumOf(geom.Mat4{}, ClipMinusOneToOne),
		"NaN matrix":     FrustumOf(geom.Mat4{0: nan, 5: nan, 10: nan, 11: -1, 14: nan}, ClipZeroToOne),
		"empty viewport": View{Camera: Camera{Projection: Ortho(-1, 1, -1, 1, -1, 1)}}.Frustum(),
		"no projection":  View{Viewport: FullViewport(Size{1, 1}, Size{1, 1})}.Frustum(),
	} {
		t.Run(name, func(t *testing.T) {
			assert.False(t, f.ContainsPoint(geom.Vec3{}))
			assert.False(t, f.OverlapsSphere(geom.Sphere{Radius: 1e9}))
			assert.False(t, f.OverlapsAABB(geom.AABBAround(geom.Vec3{}, geom.V(1e9, 1e9, 1e9))))
			assert.False(t, f.OverlapsAABBExact(geom.AABBAround(geom.Vec3{}, geom.V(1e9, 1e9, 1e9))))
			_, ok := f.Corners()
			assert.False(t, ok)
		})
	}
}

func TestFrustumWithoutAFarPlane(t *testing.T) {
	for _, clip := range clipRanges {
		t.Run(clip.String(), func(t *testing.T) {
			c := Camera{Projection: Perspective(math.Pi/2, 1, math.Inf(1)).withClip(clip)}
			c.LookAt(geom.V(3, 4, 5), geom.V(100, 50, -20), geom.V(0, 1, 0))
			v := View{c, FullViewport(Size{100, 100}, Size{100, 100})}
			f := v.Frustum()
			far := c.Position.Add(geom.V(97, 46, -25).Mul(1e9))
			assert.True(t, f.ContainsPoint(far))
			assert.Equal(t, geom.Contained, f.ClassifySphere(geom.Sphere{Center: far, Radius: 1e6}))
			assert.True(t, f.OverlapsAABBExact(geom.AABBAround(far, geom.V(1e6, 1e6, 1e6))))
			assert.False(t, f.OverlapsSphere(geom.Sphere{Center: far.Neg(), Radius: 1e6}))
			assert.True(t, f.OverlapsAABBExact(geom.AABBAround(geom.Vec3{}, far.Abs())), "around the camera")
			_, ok := f.Corners()
			assert.False(t, ok)
		})
	}
}

// The frustum contains exactly the points that the matrix maps into the clip volume, and that
// Project maps into the window.
//
// A frustum's tolerance is 10⁻¹² of the sum of a point's coordinates and a plane's distance, which
// is less than three times their lengths. Rounding is much less. Points nearer to the surface than
// that are not compared.
func TestFrustumContainsWhatIsSeen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := drawView(t)
		f := v.Frustum()
		x := rapid.Float64Range(-1.5, 1.5).Draw(t, "x")
		y := rapid.Float64Range(-1.5, 1.5).Draw(t, "y")
		depth := rapid.Float64Range(-0.5, 1.5).Draw(t, "depth")
		cx, cy := v.toWindow(v.fromClip(x, y))
		p, ok := v.Unproject(cx, cy, depth)
		if !ok {
			return
		}
		gotX, gotY, gotDepth, _ := v.Project(p)
		gotX, gotY = v.toClip(v.toFramebuffer(gotX, gotY))
		out := max(math.Abs(gotX)-1, math.Abs(gotY)-1, gotDepth-1, -gotDepth)
		off := imageOff(v, p.Wide(), 3e-12)
		switch {
		case out > off:
			require.False(t, f.ContainsPoint(p))
		case out < -off:
			require.True(t, f.ContainsPoint(p))
		}
	})
}

// imageOff returns by how much the image of a point, −1 to 1, is off if the lengths that its
// position in the camera's space is summed from are off by a share of themselves. The matrix makes
// an error of the image of that, and the quotients by w one of w.
func imageOff(v View, p geom.DVec3, share float64) float64 {
	m := v.Projection.Matrix(v.Aspect())
	c := v.local(p)
	clip, w := m.Apply(c, 1)
	for i := range m {
		m[i] = math.Abs(m[i])
	}
	length := p.Len() + v.Position.Wide().Len() + c.Len()
	off, offW := m.Apply(geom.DVec3{X: length, Y: length, Z: length}, 1)
	largest := max(1, math.Abs(clip.X/w), math.Abs(clip.Y/w), math.Abs(clip.Z/w))
	return share * (max(off.X, off.Y, off.Z) + offW*(1+largest)) / math.Abs(w)
}

// A corner is the common point of three planes. Each is off by about 16 roundings of 2⁻⁵³ in each
// of three steps: into the camera's space, through the matrix, and to a unit normal. Cramer's rule
// divides that by the determinant of the normals.
func TestFrustumCornersAreTheCornersOfThePicture(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := drawView(t)
		f := v.Frustum()
		corners, ok := f.Corners()
		near, far := v.Projection.clip.limits()
		if !ok {
			return
		}
		m := v.Camera.Matrix(v.Aspect())
		for i, p := range corners {
			c, w := m.Apply(p, 1)
			want := geom.DVec3{X: []float64{-1, 1, 1, -1}[i%4], Y: []float64{-1, -1, 1, 1}[i%4], Z: []float64{near, far}[i/4]}
			a, b, n := f[0+(i%4+1)%4/2].Normal, f[2+i%4/2].Normal, f[4+i/4].Normal
			det := math.Abs(a.Dot(b.Cross(n)))
			require.Less(t, c.Mul(1/w).Sub(want).Len(), imageOff(v, p, 3*16*0x1p-53/det), "corner %d: %v", i, c.Mul(1/w))
		}
	})
}

// The plane tests never return Outside for a solid with a point inside, nor Contained for one with
// a point outside. The exact test agrees with the separating axis test.
func TestFrustumTestsAgainstBruteForce(t *testing.T) {
	var exactOnly, separated, overlapping int
	rapid.Check(t, func(t *rapid.T) {
		v := drawView(t)
		v.Position = drawVec(t, 5, "eye")
		f := v.Frustum()
		half := rapid.Float32Range(0, 20)
		b := geom.AABBAround(drawVec(t, 30, "centre"), geom.V(half.Draw(t, "hx"), half.Draw(t, "hy"), half.Draw(t, "hz")))
		s := geom.Sphere{Center: b.Center(), Radius: b.HalfExtents().X}
		boxClass, sphereClass, exact := f.ClassifyAABB(b), f.ClassifySphere(s), f.OverlapsAABBExact(b)
		if exact {
			require.NotEqual(t, geom.Outside, boxClass)
		}
		part := rapid.Float32Range(-1, 1)
		for range 8 {
			h := b.HalfExtents()
			d := geom.V(part.Draw(t, "px"), part.Draw(t, "py"), part.Draw(t, "pz"))
			// In the box in spite of rounding.
			p := b.Center().Add(d.MulVec(h)).Max(b.Min).Min(b.Max)
			if f.ContainsPoint(p) {
				require.True(t, exact, "box has %v", p)
			} else {
				require.NotEqual(t, geom.Contained, boxClass, "box has %v", p)
			}
			if p = s.Center.Add(d.Mul(s.Radius)); p.Wide().Sub(s.Center.Wide()).Len() <= float64(s.Radius) {
				if f.ContainsPoint(p) {
					require.NotEqual(t, geom.Outside, sphereClass, "sphere has %v", p)
				} else {
					require.NotEqual(t, geom.Contained, sphereClass, "sphere has %v", p)
				}
			}
		}
		gap, ok := separation(&f, b)
		// A frustum's tolerance is 10⁻¹² of three such lengths, and the rounding of its corners is
		// less.
		off := 3e-12 * b.Max.Wide().Len()
		for _, c := range first(f.Corners()) {
			off = max(off, 3e-12*c.Len())
		}
		switch {
		case !ok:
		case gap > off:
			separated++
			require.False(t, exact, "gap %g", gap)
			if boxClass != geom.Outside {
				exactOnly++
			}
		case gap < -off:
			overlapping++
			require.True(t, exact, "gap %g", gap)
		}
	})
	if testing.Short() {
		return // too few cases to contain some of each kind
	}
	assert.Positive(t, separated)
	assert.Positive(t, overlapping)
	assert.Positive(t, exactOnly, "cases where the plane test errs")
}

func first[A, B any](a A, _ B) A { return a }

// separation returns the largest gap between a box and a closed frustum over the axes that can
// separate two convex polyhedra: face normals, and cross products of edges (Gottschalk, Lin and
// Manocha, 1996).
func separation(f *geom.Frustum, b geom.AABB) (gap float64, ok bool) {
	c, ok := f.Corners()
	if !ok {
		return 0, false
	}
	boxAxes := []geom.DVec3{{X: 1}, {Y: 1}, {Z: 1}}
	candidates := append([]geom.DVec3{}, boxAxes...)
	for _, h := range f {
		candidates = append(candidates, h.Normal)
	}
	for i := range 4 {
		for _, edge := range []geom.DVec3{c[(i+1)%4].Sub(c[i]), c[4+i].Sub(c[i])} {
			for _, a := range boxAxes {
				candidates = append(candidates, edge.Normalize().Cross(a))
			}
		}
	}
	lo, hi := b.Min.Wide(), b.Max.Wide()
	gap = math.Inf(-1)
	for _, axis := range candidates {
		if axis.Len() < 1e-9 {
			continue
		}
		axis = axis.Normalize()
		fLo, fHi := math.Inf(1), math.Inf(-1)
		for _, p := range c {
			fLo, fHi = min(fLo, axis.Dot(p)), max(fHi, axis.Dot(p))
		}
		middle := axis.Dot(lo.Add(hi).Mul(0.5))
		half := hi.Sub(lo).Mul(0.5)
		r := math.Abs(axis.X)*half.X + math.Abs(axis.Y)*half.Y + math.Abs(axis.Z)*half.Z
		gap = max(gap, fLo-(middle+r), middle-r-fHi)
	}
	return gap, true
}

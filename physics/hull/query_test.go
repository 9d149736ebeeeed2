package hull

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// The hull of a box's corners answers as the box does.
func TestAsBox(t *testing.T) {
	r := testenv.Rand(1, 2)
	f := func() float32 { return float32(r.NormFloat64()) }
	for range 300 {
		box := geom.Box{HalfExtents: geom.V(f(), f(), f()).Abs(), Center: geom.V(f(), f(), f())}
		if r.IntN(2) == 0 {
			box.Rotation = geom.Quat{X: f(), Y: f(), Z: f(), W: f()}
		}
		place := geom.Transform{Position: box.Center, Rotation: box.Rotation}.Affine()
		h, err := New(boxPoints(box.HalfExtents.X, box.HalfExtents.Y, box.HalfExtents.Z, place))
		require.NoError(t, err)
		for range 20 {
			p := geom.V(f(), f(), f()).Mul(2)
			if box.SignedDistance(p) < -1e-5 || box.SignedDistance(p) > 1e-5 {
				assert.Equal(t, box.Contains(p), h.Contains(p))
			}
			assert.InDelta(t, box.Distance(p), h.Distance(p), 1e-5)
			assert.InDelta(t, 0, box.ClosestPoint(p).Distance(h.ClosestPoint(p)), 1e-4)
			ray := geom.Ray{Origin: p, Dir: box.Center.Sub(p).Add(geom.V(f(), f(), f()).Mul(0.3)), MinT: max(0, f()/4), MaxT: max(0, 1+f())}
			for _, mode := range []geom.StartMode{geom.Solid, geom.Exit, geom.Ignore} {
				want, ok := box.CastRay(ray, mode)
				got, found := h.CastRay(ray, mode)
				if ok != found { // only where single precision is the difference
					edge := geom.Ray{Origin: ray.Origin, Dir: ray.Dir}
					in, out, meets := box.Crossings(edge)
					near := !meets || out.T-in.T < 1e-4
					lo, hi := ray.Range()
					for _, x := range []float32{in.T, out.T} {
						near = near || math.Abs(float64(x-lo)) < 1e-4 || math.Abs(float64(x-hi)) < 1e-4
					}
					require.True(t, near, "%v %v %v", box, ray, mode)
					continue
				}
				if ok {
					assert.InDelta(t, want.T, got.T, 2e-4)
					assert.Equal(t, want.BackFace, got.BackFace)
					assert.Equal(t, want.Inside, got.Inside)
					assert.Equal(t, want.Triangle, got.Triangle)
					assert.InDelta(t, 0, want.Point.Distance(got.Point), 1e-3)
					assert.LessOrEqual(t, got.Normal.Dot(ray.Dir), float32(1e-6))
				}
			}
		}
	}
}

// A cube whose faces lie on numbers that are held exactly decides touching exactly.
func TestCastRayTouches(t *testing.T) {
	cube, err := New(boxPoints(1, 1, 1, identity))
	require.NoError(t, err)
	for _, test := range []struct {
		name        string
		origin, dir geom.Vec3
		mode        geom.StartMode
		hit         bool
		t           float32
	}{
		{"in a face", geom.V(-3, 1, 0), geom.V(1, 0, 0), geom.Solid, true, 2},
		{"along an edge", geom.V(-3, 1, 1), geom.V(1, 0, 0), geom.Solid, true, 2},
		{"through a corner", geom.V(2, 2, 2), geom.V(-1, -1, -1), geom.Solid, true, 1},
		{"past a corner", geom.V(2, 0, 1), geom.V(-1, 1, 0), geom.Solid, true, 1},
		{"just above", geom.V(-3, math.Nextafter32(1, 2), 0), geom.V(1, 0, 0), geom.Solid, false, 0},
		{"away", geom.V(2, 0, 0), geom.V(1, 0, 0), geom.Solid, false, 0},
		{"from within, solid", geom.V(0, 0, 0), geom.V(1, 0, 0), geom.Solid, true, 0},
		{"from within, exit", geom.V(0, 0, 0), geom.V(2, 0, 0), geom.Exit, true, 0.5},
		{"from within, ignore", geom.V(0, 0, 0), geom.V(2, 0, 0), geom.Ignore, false, 0},
		{"on the surface, going in", geom.V(-1, 0, 0), geom.V(2, 0, 0), geom.Ignore, true, 0},
		{"on the surface, going out", geom.V(1, 0, 0), geom.V(2, 0, 0), geom.Exit, true, 0},
		{"zero", geom.V(0, 0, 0), geom.V(0, 0, 0), geom.Solid, false, 0},
		{"NaN", geom.V(0, float32(math.NaN()), 0), geom.V(1, 0, 0), geom.Solid, false, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := geom.NewRay(test.origin, test.dir)
			h, ok := cube.CastRay(r, test.mode)
			box, found := geom.AABB{Min: geom.V(-1, -1, -1), Max: geom.V(1, 1, 1)}.CastRay(r, test.mode)
			require.Equal(t, test.hit, ok)
			require.Equal(t, found, ok)
			assert.Equal(t, test.t, h.T)
			assert.Equal(t, box.T, h.T)
		})
	}
}

// The closest point of a hull is in it, and no nearer one is: all of the hull is behind the plane
// through it.
func TestClosestPointProvesItself(t *testing.T) {
	r := testenv.Rand(3, 4)
	for _, points := range [][]geom.Vec3{onSphere(100, 1), prism(17, 1, 0.1, turned), grid(3), {{}, {X: 1}, {Y: 1}, {Z: 1}}} {
		h, err := New(points)
		require.NoError(t, err)
		for range 1000 {
			p := h.CenterOfMass().Add(geom.V(float32(r.NormFloat64()), float32(r.NormFloat64()), float32(r.NormFloat64())).Mul(2))
			q := h.closest(p.Wide())
			if h.Contains(p) {
				require.Equal(t, p.Wide(), q)
				continue
			}
			for f := range h.NumFaces() {
				n, d := h.Plane(f)
				require.LessOrEqual(t, n.Dot(q), d+1e-5)
			}
			away := p.Wide().Sub(q)
			if l := away.Len(); l > 1e-3 {
				away = away.Mul(1 / l)
				require.LessOrEqual(t, h.Vertex(h.Support(away, 0)).Dot(away), q.Dot(away)+1e-5)
			}
		}
	}
}

func TestQueriesAllocateNothing(t *testing.T) {
	h, err := New(onSphere(200, 1))
	require.NoError(t, err)
	ray := geom.NewRay(geom.V(3, 0.1, 0.2), geom.V(-1, 0, 0))
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		h.CastRay(ray, geom.Solid)
		h.ClosestPoint(geom.V(2, 3, 4))
		h.Contains(geom.V(0, 0, 0))
		h.Support(geom.DVec3{X: 1}, 3)
	}))
}

func BenchmarkCastRay(b *testing.B) {
	h, err := New(prism(12, 1, 1, turned))
	require.NoError(b, err)
	ray := geom.Segment(geom.V(9, 1, 2), turned.Origin)
	for b.Loop() {
		h.CastRay(ray, geom.Solid)
	}
}

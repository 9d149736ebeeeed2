package hull

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// The hull of a box's corners is between two boxes that differ from it by the rounding of the
// corners: a smaller one in the hull and a larger one around it. Distances are between theirs, and
// where a line enters and leaves, too.
func TestAsBox(t *testing.T) {
	r := testenv.Rand(1, 2)
	f := func() float32 { return float32(r.NormFloat64()) }
	decided := 0
	for range 300 {
		box := geom.Box{HalfExtents: geom.V(f(), f(), f()).Abs(), Center: geom.V(f(), f(), f())}
		if r.IntN(2) == 0 {
			box.Rotation = geom.Quat{X: f(), Y: f(), Z: f(), W: f()}
		}
		place := geom.Transform{Position: box.Center, Rotation: box.Rotation}.Affine()
		h, err := New(boxPoints(box.HalfExtents.X, box.HalfExtents.Y, box.HalfExtents.Z, place))
		require.NoError(t, err)
		// Affine rounds its axes and the corners, and a corner may be the tolerance off a face's
		// plane.
		off := float32(4 * h.tolerance)
		larger, smaller := box, box
		larger.HalfExtents, smaller.HalfExtents = box.HalfExtents.Add(geom.V(off, off, off)), box.HalfExtents.Sub(geom.V(off, off, off))
		for range 20 {
			p := geom.V(f(), f(), f()).Mul(2)
			assert.True(t, larger.Contains(p) || !h.Contains(p))
			assert.True(t, h.Contains(p) || !smaller.Contains(p))
			d, rounding := h.Distance(p), h.Distance(p)*0x1p-23
			assert.True(t, larger.Distance(p) <= d+rounding && d <= smaller.Distance(p)+rounding)
			s := h.SignedDistance(p)
			near := max(s, -s) * 0x1p-23
			assert.True(t, larger.SignedDistance(p) <= s+near && s <= smaller.SignedDistance(p)+near)
			assert.Equal(t, h.Contains(p), s <= 0)
			c := h.ClosestPoint(p)
			assert.True(t, larger.Contains(c), "the closest point is in the hull")
			assert.InDelta(t, d, p.Distance(c), float64(rounding+c.Len()*0x1p-23))

			ray := geom.Ray{Origin: p, Dir: box.Center.Sub(p).Add(geom.V(f(), f(), f()).Mul(0.3)), MinT: max(0, f()/4), MaxT: max(0, 1+f())}
			lo, hi := ray.Range()
			in, out, meets := larger.Crossings(ray)
			in2, out2, surely := smaller.Crossings(ray)
			// The line is on one side of the limits, in both boxes.
			same := func(x, y float32) bool { return (x < lo) == (y < lo) && (x > hi) == (y > hi) }
			for _, mode := range []geom.StartMode{geom.Solid, geom.Exit, geom.Ignore} {
				got, found := h.CastRay(ray, mode)
				if !meets {
					assert.False(t, found)
					decided++
					continue
				}
				if !surely || !same(in.T, in2.T) || !same(out.T, out2.T) {
					continue
				}
				decided++
				want, ok := box.CastRay(ray, mode)
				require.Equal(t, ok, found, "%v %v %v", box, ray, mode)
				if !ok {
					continue
				}
				assert.Equal(t, want.BackFace, got.BackFace)
				assert.Equal(t, want.Inside, got.Inside)
				assert.Equal(t, want.Triangle, got.Triangle)
				switch {
				case got.Inside:
					assert.Equal(t, lo, got.T)
				case got.BackFace:
					assert.True(t, out2.T <= got.T && got.T <= out.T, "%v ≤ %v ≤ %v", out2.T, got.T, out.T)
				default:
					assert.True(t, in.T <= got.T && got.T <= in2.T, "%v ≤ %v ≤ %v", in.T, got.T, in2.T)
				}
				assert.LessOrEqual(t, ray.At(got.T).Distance(got.Point), (got.Point.Len()+got.T*ray.Dir.Len())*0x1p-23)
				// Three components below 1 are rounded, by half a unit.
				assert.LessOrEqual(t, got.Normal.Wide().Dot(ray.Dir.Wide()), ray.Dir.Wide().Len()*0x1p-24)
			}
		}
	}
	testenv.Drawn(t, decided, 17900, "of 18,000 casts")
}

// Touching is decided exactly for a cube whose planes are exact in single precision.
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

// The closest point q of a hull has a certificate: it is in the hull, and all of the hull is behind
// the plane through q across p − q. A vertex may be the tolerance off the plane of its face.
func TestClosestPointIsOptimal(t *testing.T) {
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
				require.LessOrEqual(t, n.Dot(q), d+4*h.tolerance)
			}
			away := p.Wide().Sub(q)
			if l := away.Len(); l > 1e-3 {
				away = away.Mul(1 / l)
				require.LessOrEqual(t, h.Vertex(h.Support(away, 0)).Dot(away), q.Dot(away)+4*h.tolerance)
			}
		}
	}
}

func TestQueriesAllocateNothing(t *testing.T) {
	h, err := New(onSphere(200, 1))
	require.NoError(t, err)
	ray := geom.NewRay(geom.V(3, 0.1, 0.2), geom.V(-1, 0, 0))
	testenv.AllocatesNothing(t, 100, func() {
		h.CastRay(ray, geom.Solid)
		h.ClosestPoint(geom.V(2, 3, 4))
		h.Contains(geom.V(0, 0, 0))
		h.Support(geom.DVec3{X: 1}, 3)
	})
}

func BenchmarkCastRay(b *testing.B) {
	h, err := New(prism(12, 1, 1, turned))
	require.NoError(b, err)
	ray := geom.Segment(geom.V(9, 1, 2), turned.Origin)
	for b.Loop() {
		h.CastRay(ray, geom.Solid)
	}
}

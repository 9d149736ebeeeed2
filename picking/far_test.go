package picking

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Accuracy of rays far from the origin: a frame of spheres is picked pixel by pixel, once by rays
// in double precision relative to the camera, once by the rays of a View.

const farWidth, farHeight = 1280, 720

// farScene is a camera among spheres, all moved by a vector from the origin.
type farScene struct {
	view View
	// Centres relative to the camera; the radius is 0.8 m and grows with the index.
	balls []geom.DVec3
}

func newFarScene(at geom.Vec3) farScene {
	s := farScene{view: View{
		Camera{Projection: Perspective(math.Pi/3, 0.1, 1000)},
		FullViewport(Size{farWidth, farHeight}, Size{farWidth, farHeight}),
	}}
	s.view.LookAt(at.Add(geom.V(0.3, 3.25, 10.75)), at.Add(geom.V(0, 1, 0)), geom.V(0, 1, 0))
	for i := range 12 {
		f := float64(i)
		center := geom.DVec3{X: 6 * math.Sin(2.1*f), Y: 2 * math.Cos(3.3*f), Z: 4 - 3*f}.Add(at.Wide())
		s.balls = append(s.balls, center.Sub(s.view.Position.Wide()))
	}
	return s
}

// pick returns the first sphere that a ray relative to the camera hits, and −1 if there is none.
func (s *farScene) pick(origin, dir geom.DVec3) int {
	best, ball := math.Inf(1), -1
	for i, center := range s.balls {
		radius := 0.8 + 0.1*float64(i)
		m := origin.Sub(center)
		a, b, c := dir.Dot(dir), m.Dot(dir), m.Dot(m)-radius*radius
		if disc := b*b - a*c; disc >= 0 {
			if t := (-b - math.Sqrt(disc)) / a; t >= 0 && t < best {
				best, ball = t, i
			}
		}
	}
	return ball
}

// reference returns the ray through a place of the framebuffer, relative to the camera.
func (s *farScene) reference(x, y float64) (origin, dir geom.DVec3) {
	x, y = s.view.toClip(x, y)
	from, dir, _, _ := s.view.Projection.line(x, y, s.view.Aspect())
	return turn(s.view.Rotation, from), turn(s.view.Rotation, dir)
}

// isEdge reports whether another sphere is seen within a distance in pixels of a place.
func (s *farScene) isEdge(x, y, pixels float64) bool {
	middle := s.pick(s.reference(x, y))
	for i := range 16 {
		sin, cos := math.Sincos(float64(i) * math.Pi / 8)
		if s.pick(s.reference(x+pixels*cos, y+pixels*sin)) != middle {
			return true
		}
	}
	return false
}

func TestRaysFarFromTheOrigin(t *testing.T) {
	testenv.NoRace(t)
	tests := []struct {
		name string
		at   geom.Vec3
		// No ray may give another sphere farther than this from an edge, in pixels.
		edge   float64
		limit  int // pixels that may differ
		single int // least number of pixels that differ in single precision throughout
	}{
		{"at the origin", geom.V(0, 0, 0), 1. / 256, 3, 0},
		{"100 m away", geom.V(-60, 5, 80), 1. / 256, 10, 0},
		{"10 km away", geom.V(10000, 0, 9980), 0.15, 40, 1000},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newFarScene(tt.at)
			eye := s.view.Position.Wide()
			single := newSinglePrecision(s.view)
			var differ, singleDiffer, seen int
			for py := range farHeight {
				for px := range farWidth {
					want := s.pick(s.reference(float64(px)+0.5, float64(py)+0.5))
					if want >= 0 {
						seen++
					}
					r := s.view.PixelRay(px, py)
					if s.pick(r.Origin.Wide().Sub(eye), r.Dir.Wide()) != want {
						differ++
						require.True(t, s.isEdge(float64(px)+0.5, float64(py)+0.5, tt.edge), "pixel %d, %d", px, py)
					}
					r = single.ray(px, py)
					if s.pick(r.Origin.Wide().Sub(eye), r.Dir.Wide()) != want {
						singleDiffer++
					}
				}
			}
			t.Logf("%d of %d pixels differ, in single precision %d; %d show a sphere",
				differ, farWidth*farHeight, singleDiffer, seen)
			assert.Greater(t, seen, 50000, "the spheres cover a part of the picture")
			assert.LessOrEqual(t, differ, tt.limit)
			assert.GreaterOrEqual(t, singleDiffer, tt.single)
		})
	}
}

// The reference rays are compared with 200-bit arithmetic at some pixels.
func TestReferenceRayAgainstBigFloats(t *testing.T) {
	s := newFarScene(geom.V(10000, 0, 9980))
	type number = *big.Float
	num := func(x float64) number { return new(big.Float).SetPrec(200).SetFloat64(x) }
	mul := func(a, b number) number { return num(0).Mul(a, b) }
	add := func(a, b number) number { return num(0).Add(a, b) }
	div := func(a, b number) number { return num(0).Quo(a, b) }
	q := s.view.Rotation
	x, y, z, w := num(float64(q.X)), num(float64(q.Y)), num(float64(q.Z)), num(float64(q.W))
	norm := add(add(mul(x, x), mul(y, y)), add(mul(z, z), mul(w, w)))
	rotated := func(v [3]number) (r [3]number) {
		// The rotation of v is v + 2·u×(u×v + w·v), with u and w of the unit quaternion.
		u := [3]number{x, y, z}
		cross := func(a, b [3]number) (c [3]number) {
			for i := range c {
				j, k := (i+1)%3, (i+2)%3
				c[i] = add(mul(a[j], b[k]), mul(num(-1), mul(a[k], b[j])))
			}
			return c
		}
		inner := cross(u, v)
		for i := range inner {
			inner[i] = add(inner[i], mul(w, v[i]))
		}
		outer := cross(u, inner)
		for i := range r {
			r[i] = add(v[i], div(mul(num(2), outer[i]), norm))
		}
		return r
	}
	p := s.view.Projection
	for py := 7; py < farHeight; py += 90 {
		for px := 11; px < farWidth; px += 160 {
			u := add(div(num(float64(2*px+1)), num(farWidth)), num(-1))
			v := add(div(num(float64(2*py+1)), num(farHeight)), num(-1))
			aspect := div(num(farWidth), num(farHeight))
			want := rotated([3]number{mul(u, mul(num(p.top), aspect)), mul(v, num(p.top)), num(-p.near)})
			origin, dir := s.reference(float64(px)+0.5, float64(py)+0.5)
			length := math.Sqrt(origin.Dot(origin))
			for i, got := range []float64{origin.X, origin.Y, origin.Z} {
				f, _ := want[i].Float64()
				require.InDelta(t, f, got, 1e-15*length)
			}
			require.Less(t, origin.Mul(1/length).Sub(dir).Len(), 1e-15)
		}
	}
}

// singlePrecision unprojects in single precision throughout, as programs with float32 matrices do.
// It is what this package must not do, and shows that the scene exposes the difference.
type singlePrecision struct {
	inverse [16]float32
	view    View
}

func newSinglePrecision(v View) singlePrecision {
	round := func(m geom.Mat4) geom.Mat4 {
		for i, x := range m.Float32() {
			m[i] = float64(x)
		}
		return m
	}
	m := round(round(v.Projection.Matrix(v.Aspect())).Mul(round(v.Camera.View())))
	inverse, _ := m.Inverse()
	return singlePrecision{inverse.Float32(), v}
}

func (s singlePrecision) ray(px, py int) geom.Ray {
	at := func(z float32) geom.Vec3 {
		x, y := float32(2*px+1)/farWidth-1, float32(2*py+1)/farHeight-1
		var p [4]float32
		for i := range p {
			p[i] = float32(s.inverse[i]*x) + float32(s.inverse[4+i]*y) + float32(s.inverse[8+i]*z) + s.inverse[12+i]
		}
		return geom.V(p[0]/p[3], p[1]/p[3], p[2]/p[3])
	}
	near := at(-1)
	return geom.NewRay(near, at(1).Sub(near).Normalize())
}

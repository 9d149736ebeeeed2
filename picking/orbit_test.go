package picking

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/physics/geom"
)

var orbitViewport = FullViewport(Size{800, 600}, Size{1600, 1200})

func drawOrbit(t *rapid.T) Orbit {
	o := Orbit{
		Target:   drawVec(t, 50, "target"),
		Yaw:      rapid.Float64Range(-math.Pi, math.Pi).Draw(t, "yaw"),
		Pitch:    rapid.Float64Range(-math.Pi/2, math.Pi/2).Draw(t, "pitch"),
		Distance: rapid.Float64Range(0.5, 200).Draw(t, "distance"),
	}
	switch rapid.IntRange(0, 3).Draw(t, "kind") {
	case 0:
		o.Projection = Perspective(1, 0.1, 1000)
	case 1:
		o.Projection = Orthographic(20, 0.1, 1000)
	case 2:
		o.Projection = PerspectiveOffCenter(-0.1, 0.3, -0.05, 0.25, 0.2, math.Inf(1)).WithReversedDepth()
	case 3:
		o.Projection = ProjectionOf(Perspective(0.7, 0.1, 1000).Matrix(4./3), ClipMinusOneToOne)
	}
	return o
}

// pointUnder returns the point of the world at the target's depth under a place of the window.
func pointUnder(o Orbit, cx, cy float64) geom.DVec3 {
	p, _ := o.atTarget(orbitViewport, cx, cy)
	return o.Camera().world(p)
}

func TestOrbitCamera(t *testing.T) {
	tests := []struct {
		name       string
		yaw, pitch float64
		want       geom.Vec3 // from the target
	}{
		{"front", 0, 0, geom.V(0, 0, 10)},
		{"right", math.Pi / 2, 0, geom.V(10, 0, 0)},
		{"above", 0, math.Pi / 2, geom.V(0, 10, 0)},
		{"below", 0, -math.Pi / 2, geom.V(0, -10, 0)},
		{"half up", 0, math.Pi / 4, geom.V(0, 7.0710678, 7.0710678)},
		{"beyond straight above is straight above", 0, 2, geom.V(0, 10, 0)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			target := geom.V(1, 2, 3)
			o := Orbit{Target: target, Yaw: tt.yaw, Pitch: tt.pitch, Distance: 10, Projection: Perspective(1, 0.1, 100)}
			c := o.Camera()
			assert.Less(t, c.Position.Distance(target.Add(tt.want)), float32(1e-5), "%v", c.Position)
			x, y, _, ok := View{c, orbitViewport}.Project(target)
			assert.True(t, ok)
			assert.InDelta(t, 400, x, 1e-3)
			assert.InDelta(t, 300, y, 1e-3)
		})
	}
}

// However far the orbit turns, the image is never upside down and never rolls, and each step moves
// it by a step. The camera's quaternion is in single precision: each component is off by a few
// 2⁻²⁴, and a coordinate of an axis by up to 16·2⁻²⁴ = 10⁻⁶.
func TestOrbitNeverFlips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := drawOrbit(t)
		for range 30 {
			yaw := rapid.Float64Range(-0.2, 0.2).Draw(t, "yaw")
			pitch := rapid.Float64Range(-0.5, 0.5).Draw(t, "pitch")
			x0, y0, z0 := axes(o.Camera().Rotation)
			o.Turn(yaw, pitch)
			require.LessOrEqual(t, math.Abs(o.Pitch), math.Pi/2)
			require.LessOrEqual(t, math.Abs(o.Yaw), math.Pi)
			x, y, z := axes(o.Camera().Rotation)
			require.InDelta(t, 0, x.Y, 1e-6, "rolled")
			require.GreaterOrEqual(t, y.Y, -1e-6, "upside down")
			step := math.Abs(yaw) + math.Abs(pitch) + 1e-6
			for _, d := range []geom.DVec3{x.Sub(x0), y.Sub(y0), z.Sub(z0)} {
				require.LessOrEqual(t, d.Len(), step)
			}
		}
	})
}

// orbitRounding bounds the error of a movement that keeps a point under the cursor, in metres:
// target and camera position are rounded to single precision, by 2⁻²⁴ of their distance to the
// origin, before and after the movement.
func orbitRounding(orbits ...Orbit) (m float64) {
	for _, o := range orbits {
		m += 0x1p-24 * (o.Target.Wide().Len() + o.Camera().Position.Wide().Len())
	}
	return m
}

func TestOrbitPanKeepsThePointUnderTheCursor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := drawOrbit(t)
		x := rapid.Float64Range(0, 800)
		y := rapid.Float64Range(0, 600)
		fromX, fromY := x.Draw(t, "from x"), y.Draw(t, "from y")
		toX, toY := x.Draw(t, "to x"), y.Draw(t, "to y")
		was, before, distance := o, pointUnder(o, fromX, fromY), o.Distance
		o.Pan(orbitViewport, fromX, fromY, toX, toY)
		require.Less(t, pointUnder(o, toX, toY).Sub(before).Len(), orbitRounding(was, o))
		require.Equal(t, distance, o.Distance)
	})
}

func TestOrbitZoomToKeepsThePointUnderTheCursor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := drawOrbit(t)
		o.MinDistance, o.MaxDistance = 0.5, 300
		x := rapid.Float64Range(0, 800).Draw(t, "x")
		y := rapid.Float64Range(0, 600).Draw(t, "y")
		for range 5 {
			was, before := o, pointUnder(o, x, y)
			o.ZoomTo(orbitViewport, x, y, rapid.Float64Range(0.3, 3).Draw(t, "factor"))
			require.Less(t, pointUnder(o, x, y).Sub(before).Len(), orbitRounding(was, o))
			require.GreaterOrEqual(t, o.Distance, 0.5)
			require.LessOrEqual(t, o.Distance, 300.0)
		}
	})
}

func TestOrbitZoom(t *testing.T) {
	o := Orbit{Distance: 10, MinDistance: 2, MaxDistance: 50, Projection: Orthographic(8, 0, 100)}
	height := func() float64 { return o.Projection.top - o.Projection.bottom }
	o.Zoom(0.5)
	assert.Equal(t, 5.0, o.Distance)
	assert.Equal(t, 4.0, height())
	o.Zoom(0.1)
	assert.Equal(t, 2.0, o.Distance, "stops at the smallest distance")
	assert.Equal(t, 1.6, height(), "and the picture with it")
	o.Zoom(1e9)
	assert.Equal(t, 50.0, o.Distance, "stops at the greatest")
	assert.InDelta(t, 40, height(), 1e-12)
	for _, factor := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		o.Zoom(factor)
		assert.Equal(t, 50.0, o.Distance, "factor %g", factor)
	}

	o = Orbit{Distance: 1, Projection: Perspective(1, 0.1, 10)}
	for range 1000 {
		o.Zoom(0.5)
	}
	assert.Equal(t, DefaultMinDistance, o.Distance)
	for range 1000 {
		o.Zoom(2)
	}
	assert.Equal(t, DefaultMaxDistance, o.Distance)
}

// Zooming far in and out again restores the rectangle of the projection.
func TestOrbitZoomOrthographicReturns(t *testing.T) {
	o := Orbit{Distance: 10, Projection: Orthographic(8, 0, 100)}
	for range 200 {
		o.Zoom(0.9)
	}
	for range 200 {
		o.Zoom(1 / 0.9)
	}
	assert.Equal(t, DefaultMinDistance < o.Distance, true)
	assert.InEpsilon(t, 0.8, (o.Projection.top-o.Projection.bottom)/o.Distance, 1e-9)
}

func TestOrbitFrame(t *testing.T) {
	box := geom.AABBAround(geom.V(10, 20, 30), geom.V(3, 1, 2))
	for name, p := range map[string]Projection{
		"perspective": Perspective(0.8, 0.1, 1000), "orthographic": Orthographic(1, 0.1, 1000),
	} {
		for _, v := range []Viewport{FullViewport(Size{400, 100}, Size{400, 100}), FullViewport(Size{100, 300}, Size{100, 300})} {
			o := Orbit{Yaw: 0.7, Pitch: 0.4, Distance: 5, Projection: p}
			o.Frame(box, v.Aspect())
			assert.Equal(t, box.Center(), o.Target, name)
			f := View{o.Camera(), v}.Frustum()
			assert.Equal(t, geom.Contained, f.ClassifySphere(geom.Sphere{Center: box.Center(), Radius: 0.999 * box.HalfExtents().Len()}), name)
			assert.Equal(t, geom.Intersecting, f.ClassifySphere(geom.Sphere{Center: box.Center(), Radius: 1.001 * box.HalfExtents().Len()}), name)
		}
	}
	o := Orbit{Distance: 5, Projection: Perspective(1, 0.1, 10)}
	before := o
	o.Frame(geom.EmptyAABB(), 1)
	o.Frame(box, 0)
	o.Frame(geom.AABB{Max: geom.V(float32(math.Inf(1)), 1, 1)}, 1)
	assert.Equal(t, before, o)
}

func TestOrbitWithoutAPictureStaysWhereItIs(t *testing.T) {
	o := Orbit{Distance: 5, Projection: Perspective(1, 0.1, 10)}
	before := o
	o.Pan(Viewport{}, 0, 0, 100, 100)
	o.Pan(orbitViewport, math.NaN(), 0, 100, 100)
	o.Turn(math.NaN(), 0)
	o.Turn(0, math.Inf(1))
	assert.Equal(t, before, o)
	o.Projection = Projection{}
	o.Pan(orbitViewport, 0, 0, 100, 100)
	assert.Equal(t, before.Target, o.Target)
}

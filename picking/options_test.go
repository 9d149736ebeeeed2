package picking

import (
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// options are all settings of this package with numbers that are not checked when they are made.
type options struct {
	Gizmo   Gizmo
	Axis    AxisDrag
	Plane   PlaneDrag
	Ring    RingDrag
	Marquee Marquee
	Pointer Pointer[int]
	Orbit   Orbit
	Input   Input
}

// An option that is NaN, infinite, negative or 0 does not panic, and moves nothing to a place that
// is not finite. A pointer or a camera at such a place hovers nothing.
func TestOptionsThatAreNotFinite(t *testing.T) {
	var paths []string
	testenv.VisitNumbers(reflect.ValueOf(options{}), func(path string, _ reflect.Value) { paths = append(paths, path) })
	require.Greater(t, len(paths), 18)
	v := gizmoView()
	at := geom.Transform{Position: geom.V(0.3, 0.1, 0)}
	for _, path := range append(paths, "none") {
		for _, bad := range []float64{math.Inf(1), math.Inf(-1), math.NaN(), -1, 0} {
			o := options{Orbit: Orbit{Distance: 5, Projection: v.Projection}, Input: Input{X: 400, Y: 300, Inside: true}}
			testenv.VisitNumbers(reflect.ValueOf(&o).Elem(), func(p string, x reflect.Value) {
				if p == path {
					x.SetFloat(bad)
				}
			})
			moved := 0
			from, to := over(t, v, at.Position), over(t, v, geom.V(0.5, 0.4, 0.1))
			for mode := range GizmoScale + 1 {
				o.Gizmo.Mode = mode
				for _, x := range [...]float64{0, 0.45, 0.7, 1} {
					r := from
					if f, ok := o.Gizmo.frameOf(v, at); ok {
						r = over(t, v, f.origin.AddMul(x*f.size, f.axes[0]).Narrow())
					}
					o.Gizmo.Hover(v, at, r)
					if !o.Gizmo.Begin(v, at, r) {
						continue
					}
					got := o.Gizmo.Drag(to)
					assert.True(t, got.IsFinite(), "%s = %v: gizmo %v: %v", path, bad, mode, got)
					for _, l := range o.Gizmo.Lines(nil, v, at) {
						assert.True(t, l.A.IsFinite() && l.B.IsFinite(), "%s = %v: %v", path, bad, l)
					}
					o.Gizmo.End()
					moved++
				}
			}
			require.True(t, o.Axis.Begin(from, at.Position, geom.V(1, 0, 0)))
			require.True(t, o.Plane.Begin(from, at.Position, geom.V(1, 0, 0), geom.V(0, 0, 1)))
			require.True(t, o.Ring.Begin(to, at.Position, geom.V(0, 1, 0), 1))
			for _, m := range []geom.Vec3{o.Axis.Drag(to), o.Plane.Drag(to), {X: float32(o.Ring.Drag(from))}} {
				assert.True(t, m.IsFinite(), "%s = %v: %v", path, bad, m)
			}

			o.Marquee.Begin(10, 10)
			o.Marquee.Move(200, 100)
			var region Region
			o.Marquee.Region(&region, v)
			o.Marquee.End()
			for frame := range 6 {
				in := o.Input
				in.X, in.Time = in.X+float64(frame), time.Duration(frame)*time.Millisecond
				if frame == 1 || frame == 2 {
					in.Down = ButtonSet(Left)
				}
				o.Marquee.Update(in)
				ray, ok := v.Ray(in.X, in.Y)
				assert.Equal(t, ok, ray.IsValid(), "%s = %v", path, bad)
				o.Pointer.UpdatePicks(in, []Pick[int]{{Target: 1}})
			}
			for _, p := range o.Marquee.Outline(nil) {
				assert.True(t, isFinite(p.X) && isFinite(p.Y), "%s = %v: %v", path, bad, p)
			}

			o.Orbit.Turn(0.1, 0.1)
			o.Orbit.Pan(v.Viewport, 10, 10, 30, 30)
			o.Orbit.ZoomTo(v.Viewport, 10, 10, 0.9)
			ray, ok := View{o.Orbit.Camera(), v.Viewport}.Ray(10, 10)
			assert.Equal(t, ok, ray.IsValid(), "%s = %v: %v", path, bad, ray)
			o.Orbit.Frame(geom.AABBAround(geom.Vec3{}, geom.V(1, 1, 1)), 1)
			assert.True(t, path != "none" || moved > 6 && ok, "it moves")
		}
	}
}

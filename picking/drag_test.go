package picking

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// to returns the ray from one point to another.
func to(from, at geom.Vec3) geom.Ray { return geom.NewRay(from, at.Sub(from)) }

func requireNear(t require.TestingT, want, got geom.Vec3, within float64, what ...any) {
	require.LessOrEqual(t, want.Wide().Sub(got.Wide()).Len(), within, "%v is not %v %v", got, want, what)
}

var (
	eyeUp   = geom.V(0, 10, 20)
	unitX   = geom.V(1, 0, 0)
	unitY   = geom.V(0, 1, 0)
	unitZ   = geom.V(0, 0, 1)
	badRays = []geom.Ray{{}, geom.NewRay(geom.V(float32(math.NaN()), 0, 0), unitX), geom.NewRay(geom.Vec3{}, geom.V(float32(math.Inf(1)), 0, 0))}
)

func TestPlaneDrag(t *testing.T) {
	at := geom.V(1, 0, 2)
	for _, tt := range []struct {
		name     string
		snap     Snap
		from, to geom.Vec3 // places under the pointer
		want     geom.Vec3
	}{
		{"no move", Snap{}, geom.V(1.3, 0, 2.2), geom.V(1.3, 0, 2.2), geom.Vec3{}},
		{"the grab is kept", Snap{}, geom.V(1.3, 0, 2.2), geom.V(4.3, 0, -3.8), geom.V(3, 0, -6)},
		{"in steps from the start", Snap{Step: 2}, geom.V(1, 0, 2), geom.V(3.9, 0, 2.9), geom.V(2, 0, 0)},
		{"in steps of a grid", Snap{Step: 2, Grid: true}, geom.V(1, 0, 2), geom.V(3.9, 0, 2.9), geom.V(3, 0, 0)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := PlaneDrag{Snap: tt.snap}
			require.True(t, d.Begin(to(eyeUp, tt.from), at, unitX, unitZ))
			got := d.Drag(to(eyeUp, tt.to))
			requireNear(t, tt.want, got, 1e-5)
			assert.Zero(t, got.Y)
			for _, r := range badRays {
				assert.Equal(t, got, d.Drag(r), "an invalid ray changes nothing")
			}
			assert.Equal(t, geom.Vec3{}, d.Drag(to(eyeUp, tt.from)), "there and back")
		})
	}
	for name, r := range map[string]geom.Ray{
		"parallel":     geom.NewRay(eyeUp, unitX),
		"pointing up":  geom.NewRay(eyeUp, geom.V(0, 1, -1)),
		"far away":     geom.NewRay(eyeUp, geom.V(0, -0.001, -1)),
		"no direction": {},
	} {
		t.Run("no grab: "+name, func(t *testing.T) {
			var d PlaneDrag
			assert.False(t, d.Begin(r, at, unitX, unitZ))
			assert.Equal(t, geom.Vec3{}, d.Drag(to(eyeUp, at)))
		})
	}
	var d PlaneDrag
	assert.False(t, d.Begin(to(eyeUp, at), at, unitX, unitX), "no plane")
	assert.False(t, d.Begin(to(eyeUp, at), geom.V(float32(math.NaN()), 0, 0), unitX, unitZ))
}

// As the pointer moves up to the horizon and past it, the object moves away to the limit of the
// drag and stays there, seen from below as from above.
func TestPlaneDragAtTheHorizon(t *testing.T) {
	for name, height := range map[string]float32{"from above": 10, "from below": -10} {
		t.Run(name, func(t *testing.T) {
			from := geom.V(0, height, 20)
			var d PlaneDrag
			require.True(t, d.Begin(to(from, geom.Vec3{}), geom.Vec3{}, unitX, unitZ))
			reach := dragReach * math.Sqrt(500)
			last := 0.0
			for i := range 20000 {
				pitch := -0.46 + float64(i)*1e-4 // radians above the horizon
				dir := geom.V(0, float32(math.Sin(pitch)), -float32(math.Cos(pitch)))
				if height < 0 {
					dir.Y = -dir.Y
				}
				z := -float64(d.Drag(geom.NewRay(from, dir)).Z)
				require.GreaterOrEqual(t, z, last-1e-2)
				require.LessOrEqual(t, z, reach)
				if pitch > -0.004 {
					require.InDelta(t, reach-20, z, 1)
				}
				last = z
			}
			assert.InDelta(t, last, -d.Drag(geom.NewRay(from, geom.V(0, height, 0))).Z, 1e-3, "a ray straight away from it changes nothing")
		})
	}
}

func TestAxisDrag(t *testing.T) {
	at := geom.V(1, 2, 3)
	for _, tt := range []struct {
		name     string
		snap     Snap
		axis     geom.Vec3
		from, to geom.Vec3
		want     float64
	}{
		{"no move", Snap{}, unitX, geom.V(1.4, 2, 3), geom.V(1.4, 2, 3), 0},
		{"along X", Snap{}, unitX, geom.V(1.4, 2, 3), geom.V(6.4, 2, 3), 5},
		{"along −X", Snap{}, unitX.Neg(), geom.V(1.4, 2, 3), geom.V(6.4, 2, 3), -5},
		{"an axis of any length", Snap{}, unitY.Mul(7), geom.V(1, 2, 3), geom.V(1, 4, 3), 2},
		{"in steps", Snap{Step: 0.5}, unitX, geom.V(1.4, 2, 3), geom.V(6.1, 2, 3), 4.5},
		{"in steps of a grid", Snap{Step: 2, Grid: true}, unitX, geom.V(1.4, 2, 3), geom.V(6.1, 2, 3), 5},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := AxisDrag{Snap: tt.snap}
			require.True(t, d.Begin(to(eyeUp, tt.from), at, tt.axis))
			require.InDelta(t, tt.want, d.Distance(to(eyeUp, tt.to)), 1e-5)
			requireNear(t, tt.axis.Normalize().Mul(float32(tt.want)), d.Drag(to(eyeUp, tt.to)), 1e-5)
			for _, r := range badRays {
				require.InDelta(t, tt.want, d.Distance(r), 1e-5)
			}
			assert.Zero(t, d.Distance(to(eyeUp, tt.from)), "there and back")
		})
	}
	var d AxisDrag
	assert.False(t, d.Begin(geom.NewRay(eyeUp, unitX), at, unitX), "parallel")
	assert.False(t, d.Begin(geom.NewRay(eyeUp, geom.V(0, 0, 1)), at, unitX), "behind")
	assert.False(t, d.Begin(to(eyeUp, at), at, geom.Vec3{}), "no axis")
	assert.Zero(t, d.Distance(to(eyeUp, at)))
}

// Along an axis that leads away from the camera, the pointer moves past the vanishing point of the
// axis.
func TestAxisDragPastTheVanishingPoint(t *testing.T) {
	var d AxisDrag
	require.True(t, d.Begin(to(eyeUp, geom.Vec3{}), geom.Vec3{}, unitZ.Neg()))
	// The drag ends dragReach times the eye's distance beyond the eye's foot on the axis, which is
	// 20 m behind where the drag began.
	end := dragReach*math.Sqrt(500) - 20
	last := 0.0
	for i := range 20000 {
		pitch := -0.4636 + float64(i)*1e-4
		r := geom.NewRay(eyeUp, geom.V(0, float32(math.Sin(pitch)), -float32(math.Cos(pitch))))
		s := d.Distance(r)
		require.GreaterOrEqual(t, s, last-1e-2)
		require.LessOrEqual(t, s, end+1e-9)
		last = s
		if pitch > 1.5 {
			break
		}
	}
	assert.InDelta(t, end, last, 1e-9)
}

func TestRingDrag(t *testing.T) {
	around := func(angle float64) geom.Vec3 {
		return geom.V(float32(3*math.Cos(angle)), float32(3*math.Sin(angle)), 0)
	}
	front := geom.V(1, 2, 20)
	for _, tt := range []struct {
		name   string
		snap   Snap
		angles []float64
		want   float64
	}{
		{"no turn", Snap{}, []float64{0.3, 0.3}, 0},
		{"a little", Snap{}, []float64{0.3, 0.8}, 0.5},
		{"backward", Snap{}, []float64{0.3, -0.8}, -1.1},
		{"over the seam", Snap{}, []float64{3, 3.3}, 0.3},
		{"twice around", Snap{}, []float64{0, 2, 4, 6, 8, 10, 12, 4 * math.Pi}, 4 * math.Pi},
		{"around and back", Snap{}, []float64{0, 2, 4, 6, 8, 6, 4, 2, 1}, 1},
		{"in steps", Snap{Step: math.Pi / 12}, []float64{0.3, 0.3 + 0.4}, math.Pi / 6},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := RingDrag{Snap: tt.snap}
			require.True(t, d.Begin(to(front, around(tt.angles[0])), geom.Vec3{}, unitZ, 3))
			got := 0.0
			for _, a := range tt.angles[1:] {
				got = d.Drag(to(front, around(a)))
			}
			assert.InDelta(t, tt.want, got, 1e-5)
			assert.InDelta(t, tt.want, d.Drag(geom.Ray{}), 1e-5)
			d.Begin(to(front, around(tt.angles[0])), geom.Vec3{}, unitZ.Neg(), 3)
			for _, a := range tt.angles[1:] {
				got = d.Drag(to(front, around(a)))
			}
			assert.InDelta(t, -tt.want, got, 1e-5, "about the other way")
		})
	}
	t.Run("seen from the edge it rolls", func(t *testing.T) {
		side := geom.V(20, 0, 0.5) // right of the ring, which appears as a vertical line
		var d RingDrag
		require.True(t, d.Begin(to(side, geom.V(3, 0, 0)), geom.Vec3{}, unitZ, 3))
		// Upward at the front is counter-clockwise about Z, seen from +X with Z to the left.
		got := d.Drag(geom.NewRay(side, geom.V(-20, 3, -0.5)))
		assert.InDelta(t, 1, got, 0.01, "3 metres along a radius of 3")
		assert.Zero(t, d.Drag(to(side, geom.V(3, 0, 0))))
		assert.Less(t, d.Drag(geom.NewRay(side, geom.V(-20, -3, -0.5))), -0.9)
	})
	var d RingDrag
	assert.False(t, d.Begin(to(front, geom.Vec3{}), geom.Vec3{}, geom.Vec3{}, 3), "no axis")
	assert.False(t, d.Begin(to(front, around(1)), geom.Vec3{}, unitZ, 0), "no ring")
	assert.False(t, d.Begin(geom.NewRay(geom.V(0, 0, 20), unitZ.Neg()), geom.Vec3{}, unitZ, 3), "its very center")
	assert.Zero(t, d.Drag(to(front, around(2))))
}

func TestSurfaceDrag(t *testing.T) {
	s := physics.NewSpace()
	s.Add(physics.Collider{Shape: geom.Plane{Normal: unitY}})
	// A table, 2 m high.
	s.Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(2, 1, 2)}, Transform: geom.At(5, 1, 0)})
	vase := s.Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(0.2, 0.5, 0.2)}, Transform: geom.At(0, 0.5, 0)})
	f := PickFilter()
	f.Exclude = []physics.ColliderID{vase}

	var d SurfaceDrag
	grab := to(eyeUp, geom.V(0.1, 0.7, 0.2))
	require.True(t, d.Begin(s, grab, f))
	move, normal, ok := d.Drag(s, grab, f)
	assert.True(t, ok)
	assert.Equal(t, geom.Vec3{}, move, "no jump")
	assert.Equal(t, unitY, normal)

	move, _, ok = d.Drag(s, to(eyeUp, geom.V(4.5, 2, 0.5)), f)
	assert.True(t, ok)
	assert.InDelta(t, 2, move.Y, 1e-5, "onto the table")
	_, normal, _ = d.Drag(s, to(eyeUp, geom.V(4.5, 1, 2)), f)
	assert.Equal(t, unitZ, normal, "the side of the table")
	last, _, _ := d.Drag(s, to(eyeUp, geom.V(-3, 0, 1)), f)
	assert.InDelta(t, 0, last.Y, 1e-5, "on the floor again")
	move, _, ok = d.Drag(s, geom.NewRay(eyeUp, unitY), f)
	assert.False(t, ok, "the sky")
	assert.Equal(t, last, move)
	assert.False(t, d.Begin(s, geom.NewRay(eyeUp, unitY), f))
	move, _, ok = d.Drag(s, grab, f)
	assert.False(t, ok)
	assert.Equal(t, geom.Vec3{}, move)
}

// The grabbed point stays under the pointer; the ray of the grab gives no movement at all; and for
// all rays the results are finite and within the limit.
func TestDragsFollowThePointer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := drawVec(t, 5, "at")
		from := drawVec(t, 30, "eye")
		u := drawVec(t, 1, "u").Wide().Normalize()
		v := u.Cross(drawVec(t, 1, "v").Wide()).Normalize()
		if v == (geom.DVec3{}) {
			return
		}
		grabbed := at.Add(u.Mul(rapid.Float64Range(-2, 2).Draw(t, "a")).Narrow()).Add(v.Mul(rapid.Float64Range(-2, 2).Draw(t, "b")).Narrow())
		first := to(from, grabbed)
		height := math.Abs(u.Cross(v).Dot(from.Sub(at).Wide()))
		distance := from.Sub(at).Wide().Len()

		plane, axis, ring := PlaneDrag{}, AxisDrag{}, RingDrag{}
		p := plane.Begin(first, at, u.Narrow(), v.Narrow())
		a := axis.Begin(first, at, u.Narrow())
		r := ring.Begin(first, at, u.Cross(v).Narrow(), 2)
		if height > 0.1 {
			require.True(t, p)
		}
		if height > 3 {
			require.True(t, a, "the ray is far from parallel to the axis")
			require.True(t, r || grabbed.Distance(at) < 1e-5, "at its center a ring has no angle")
		}
		target := grabbed.Add(u.Mul(rapid.Float64Range(-3, 3).Draw(t, "x")).Narrow()).Add(v.Mul(rapid.Float64Range(-3, 3).Draw(t, "y")).Narrow())
		if move := plane.Drag(to(from, target)); p && height > 3 {
			// The direction of both rays is rounded by 2⁻²⁴ on each axis: at a distance of d by
			// 2·2⁻²⁴·d, and in the plane by the inverse of height / d more. The coordinates of the
			// points and of the movement are rounded too.
			d := distance + 15
			requireNear(t, target, grabbed.Add(move), 8*0x1p-24*d*(1+d/height))
		}
		if a && height > 3 {
			// The point of the axis nearest to the ray has moved by the result of the drag.
			// Distances below 10⁴ m in double precision are rounded by 10⁻¹² m.
			s := axis.Distance(to(from, target))
			on := at.Wide().AddMul(axis.grab+s, u)
			ray, _ := dragRayOf(to(from, target))
			best := lineDistance(ray, on)
			for _, e := range []float64{-0.01, 0.01} {
				require.LessOrEqual(t, best, lineDistance(ray, on.AddMul(e, u))+1e-11)
			}
		}
		for range 6 {
			any := geom.NewRay(drawVec(t, 40, "from"), drawVec(t, 1, "dir"))
			for _, x := range []float64{plane.Drag(any).Wide().Len(), math.Abs(axis.Distance(any))} {
				// Both ends of the movement are within dragReach times the distance of a foot that
				// is within distance + 80 m of the object.
				require.Less(t, x, 4*dragReach*(distance+80))
			}
			require.False(t, math.IsNaN(ring.Drag(any)))
		}
		require.Equal(t, geom.Vec3{}, plane.Drag(first))
		require.Zero(t, axis.Distance(first))
		if r {
			// Perhaps whole turns further on: a sum of up to seven turns rounds each to 2⁻⁴⁸.
			require.InDelta(t, 0, math.Remainder(ring.Drag(first), 2*math.Pi), 1e-13)
		}
	})
}

func lineDistance(r dragRay, p geom.DVec3) float64 {
	d := p.Sub(r.from)
	return d.AddMul(-d.Dot(r.dir), r.dir).Len()
}

func TestSnap(t *testing.T) {
	for _, tt := range []struct {
		snap             Snap
		from, move, want float64
	}{
		{Snap{}, 1, 0.3, 0.3}, {Snap{Step: -1}, 1, 0.3, 0.3}, {Snap{Step: math.NaN()}, 1, 0.3, 0.3}, {Snap{Step: math.Inf(1)}, 1, 0.3, 0.3},
		{Snap{Step: 0.25}, 0.1, 0.3, 0.25}, {Snap{Step: 0.25}, 0.1, -0.4, -0.5},
		{Snap{Step: 0.25, Grid: true}, 0.1, 0.3, 0.4}, {Snap{Step: 0.25, Grid: true}, 0.1, -0.3, -0.35},
	} {
		assert.InDelta(t, tt.want, tt.snap.to(tt.from, tt.move), 1e-12, "%v", tt)
	}
}

func TestDragsAllocateNothing(t *testing.T) {
	first, next := to(eyeUp, geom.V(1, 0, 0)), to(eyeUp, geom.V(2, 0, 1))
	testenv.AllocatesNothing(t, 50, func() {
		var p PlaneDrag
		var a AxisDrag
		var r RingDrag
		p.Begin(first, geom.Vec3{}, unitX, unitZ)
		a.Begin(first, geom.Vec3{}, unitX)
		r.Begin(first, geom.Vec3{}, unitY, 1)
		p.Drag(next)
		a.Drag(next)
		r.Drag(next)
	})
}

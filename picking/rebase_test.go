package picking

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/physics/geom"
)

func drawOrigin(t *rapid.T, name string) geom.DVec3 {
	r := rapid.Float64Range(-1e5, 1e5)
	return geom.DVec3{X: r.Draw(t, name+" x"), Y: r.Draw(t, name+" y"), Z: r.Draw(t, name+" z")}
}

func TestRebase(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from, by := drawOrigin(t, "from"), drawVec(t, 1000, "by").Wide()
		to := from.Add(by)
		v := View{Camera: Camera{Position: drawVec(t, 1000, "position"), Projection: Perspective(1, 0.1, 100)}, Viewport: orbitViewport}
		o := drawOrbit(t)
		wasCamera, wasOrbit := v, o
		v.Rebase(from, to)
		o.Rebase(from, to)
		// Their absolute positions are unchanged up to one rounding: below 2,048 m by at most 2⁻¹⁴
		// m on each axis, by 1.1·10⁻⁴ m in all.
		for _, p := range []struct{ before, after geom.Vec3 }{{wasCamera.Position, v.Position}, {wasOrbit.Target, o.Target}} {
			assert.Less(t, p.after.Wide().Add(to).Sub(p.before.Wide().Add(from)).Len(), 1.1e-4)
		}
		// Nothing else changes, so the rays differ by that and by the rounding of their own
		// origins, before and after: three times as much.
		r, was := v.PixelRay(700, 500), wasCamera.PixelRay(700, 500)
		assert.Equal(t, was.Dir, r.Dir)
		assert.Equal(t, was.MaxT, r.MaxT)
		assert.Less(t, r.Origin.Wide().Add(to).Sub(was.Origin.Wide().Add(from)).Len(), 3.3e-4)
		o.Target = wasOrbit.Target
		assert.Equal(t, wasOrbit, o)
		v.Position = wasCamera.Position
		assert.Equal(t, wasCamera, v)
	})
}

func TestRebaseFarAway(t *testing.T) {
	// Two distant origins with a small difference: the difference is exact.
	from, to := geom.DVec3{X: 1e8, Y: -3e7, Z: 5e9}, geom.DVec3{X: 1e8 + 0.5, Y: -3e7 - 2, Z: 5e9 + 0.25}
	c, o := Camera{Position: geom.V(1, 2, 3)}, Orbit{Target: geom.V(1, 2, 3)}
	c.Rebase(from, to)
	o.Rebase(from, to)
	assert.Equal(t, geom.V(0.5, 4, 2.75), c.Position)
	assert.Equal(t, c.Position, o.Target)
	c.Rebase(to, from)
	assert.Equal(t, geom.V(1, 2, 3), c.Position)
}

func TestRebaseToNowhere(t *testing.T) {
	for _, bad := range []geom.DVec3{{X: math.NaN()}, {Y: math.Inf(1)}, {Z: math.Inf(-1)}} {
		var c Camera
		var o Orbit
		assert.PanicsWithValue(t, "picking: Camera.Rebase: an origin is NaN or infinite", func() { c.Rebase(bad, geom.DVec3{}) })
		assert.PanicsWithValue(t, "picking: Camera.Rebase: an origin is NaN or infinite", func() { c.Rebase(bad, bad) })
		assert.PanicsWithValue(t, "picking: Orbit.Rebase: an origin is NaN or infinite", func() { o.Rebase(geom.DVec3{}, bad) })
		assert.Equal(t, Camera{}, c)
		assert.Equal(t, Orbit{}, o)
	}
}

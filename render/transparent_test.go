package render

import (
	"testing"

	"github.com/stretchr/testify/assert"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// What is behind a transparent item is visible through it, in any order of creation, and the item
// casts no shadow.
func TestTransparent(t *testing.T) {
	r := newTestRenderer(t)
	r.Style.KeyLight = geom.V(-1, 1, 0)
	v := viewFrom(geom.V(0, 6, 8), geom.Vec3{}, projection, wide(320, 200))
	pixel := func(p geom.Vec3) (x, y int) {
		px, py, _, ok := v.Project(p)
		assert.True(t, ok)
		return int(px), int(py)
	}
	ground := func() *world {
		w := newWorld()
		w.put(geom.Transform{}, physecs.Plane(geom.V(0, 1, 0), 0), Paint(0xC9CED3))
		return w
	}
	red, blue := Material{Color: WithAlpha(RGB(0xC04040), 0.5)}, Material{Color: WithAlpha(RGB(0x4040C0), 0.5)}
	near, far := geom.At(0, 1.8, 1), geom.At(0, 0.8, -1)
	x, y := pixel(near.Position)
	shadowX, shadowY := pixel(geom.V(1.8, 0, 1))
	for name, shape := range map[string]physecs.Collider{
		"box": physecs.Box(geom.V(0.7, 0.5, 0.4)), "sphere": physecs.Sphere(0.6), "capsule": physecs.Capsule(0.4, 0.4),
	} {
		w := ground()
		floor := r.mustDraw(t, w, v)
		w.put(near, shape, red)
		seen := r.mustDraw(t, w, v)
		save(t, r, "glass "+name)
		before, after := floor.NRGBAAt(x, y), seen.NRGBAAt(x, y)
		assert.Less(t, after.B, before.B-40, "%s: %v over %v", name, after, before)
		assert.Equal(t, uint8(255), after.A)
		assert.Equal(t, floor.NRGBAAt(shadowX, shadowY), seen.NRGBAAt(shadowX, shadowY), "%s: no shadow", name)
		opaque := ground()
		opaque.put(near, shape, Paint(0xC04040))
		solid := r.mustDraw(t, opaque, v)
		assert.Less(t, light(solid.NRGBAAt(shadowX, shadowY)), light(floor.NRGBAAt(shadowX, shadowY))-60)
		assert.Greater(t, after.B, solid.NRGBAAt(x, y).B+15, "%s: the floor is visible through it", name)

		w.put(far, shape, blue)
		other := ground()
		other.put(far, shape, blue)
		other.put(near, shape, red)
		assert.Equal(t, r.mustDraw(t, other, v).Pix, r.mustDraw(t, w, v).Pix, "%s: the farther first", name)
	}
}

package main

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render"
)

// In windows of any size from 640 × 400, all panels are within the window, beside one another, and
// leave most of it free.
func TestPanelsFit(t *testing.T) {
	for _, scene := range []string{"", swarmScene, arenaScene, carScene} {
		a := &app{
			world: ecs.NewWorld(), config: config{things: 100}, library: library{}, renderer: &render.Renderer{}, overlays: defaultOverlays(),
			spots: map[string]render.Rect{},
		}
		a.transforms = generic.NewMap[physecs.Transform](&a.world)
		require.NoError(t, a.fill(scene))
		for _, size := range []picking.Size{
			{Width: 640, Height: 400}, {Width: 720, Height: 450}, {Width: 640, Height: 900}, {Width: 720, Height: 560},
			{Width: 960, Height: 600}, {Width: 1280, Height: 720}, {Width: 1920, Height: 1080},
		} {
			for _, help := range []bool{false, true} {
				name := fmt.Sprintf("%q in %v, help %v", scene, size, help)
				*a.view() = physecs.View{Camera: a.scene.home.Camera(), Viewport: picking.FullViewport(size, size)}
				*ecs.GetResource[physecs.Pointer](&a.world) = physecs.Pointer{Input: picking.Input{X: float64(size.Width) / 2, Y: float64(size.Height) / 2, Inside: true}}
				if scene != arenaScene {
					a.tick(steadyTick)
				}
				a.overlays.help, a.overlays.explain = help, false
				clear(a.spots)
				a.renderer.HUD.Resize(size)
				a.drawPanels()

				panels := map[string]render.Rect{}
				area := float32(0)
				for _, p := range []string{"card", "switches", "tools", "costs", "keys", "history"} {
					if r, ok := a.spots["panel:"+p]; ok {
						panels[p] = r
						area += r.Width * r.Height
					}
				}
				assert.Contains(t, panels, "switches", name)
				assert.Equal(t, scene != arenaScene, panels["tools"].Width > 0, name)
				assert.Equal(t, scene == carScene && (!help || size.Height > 400), panels["history"].Width > 0, name)
				if !help {
					assert.Contains(t, panels, "card", name)
					assert.Equal(t, scene != "", panels["costs"].Width > 0, name)
					assert.Less(t, area, 0.5*float32(size.Width*size.Height), name)
				}
				for one, r := range panels {
					assert.True(t, r.X >= 0 && r.Y >= 0 && r.X+r.Width <= float32(size.Width) && r.Y+r.Height <= float32(size.Height), "%s: %s %v", name, one, r)
					for other, q := range maps.All(panels) {
						apart := r.X+r.Width <= q.X || q.X+q.Width <= r.X || r.Y+r.Height <= q.Y || q.Y+q.Height <= r.Y
						assert.True(t, one == other || apart, "%s: %s %v over %s %v", name, one, r, other, q)
					}
				}
			}
		}
	}
}

// The card shows the time of a pick, and the number of colliders, while something is picked.
func TestPickIsToldWhileThereIsOne(t *testing.T) {
	h := newSimulatedPointer(t)
	h.a.scene.addUp()
	h.move(480, 300)
	c := &h.a.costs
	assert.Positive(t, c.pick.shown)
	assert.Positive(t, c.again.shown)
	h.in.Inside = false
	h.step()
	assert.Zero(t, c.pick.shown)
	assert.Zero(t, c.again.shown)
	assert.Equal(t, len(h.a.scene.all)+1, h.a.scene.count.colliders)
	sum := 0
	for _, name := range []string{"bunny", "dragon", "ring"} {
		sum += h.a.scene.meshOf(h.entity(name)).NumTriangles()
	}
	assert.Equal(t, sum, h.a.scene.count.triangles)
}

// A plane that is hit behind something else has no box, and is marked where it is hit.
func TestExplainedPlane(t *testing.T) {
	h := newSimulatedPointer(t)
	h.a.overlays.toggle('X')
	at, ok := h.a.seen(h.entity("ball"))
	require.True(t, ok)
	h.move(at[0], at[1])
	x := &h.a.explanation
	text := ""
	for _, l := range x.lines() {
		text += l.text + "\n"
	}
	assert.Contains(t, text, "1 hit, but farther: a ring\n")
	draw := func() int {
		var l render.Lines
		x.draw(&l, h.a)
		return l.Len()
	}
	all := draw()
	for i := range x.is.Colliders {
		if c := &x.is.Colliders[i]; c.Verdict == physics.VerdictFarther {
			require.Equal(t, h.a.scene.ground, x.is.Entities[i])
			c.Verdict = physics.VerdictUnasked
		}
	}
	assert.Greater(t, all, draw()+10, "a circle and a point")
}

// The value of a drag is shown beside its handle, and not over it.
func TestLabelIsBesideTheHandle(t *testing.T) {
	for _, mode := range []picking.GizmoMode{picking.GizmoMove, picking.GizmoTurn, picking.GizmoScale} {
		h := newSimulatedPointer(t)
		h.click("crate")
		g := &h.a.gizmo
		g.Gizmo.Mode = mode
		h.step()
		var l render.Lines
		g.draw(&l, h.a)
		spot, ok := h.a.spots["handle:X"]
		require.True(t, ok)
		h.move(float64(spot.X), float64(spot.Y))
		h.press(picking.Left)
		h.move(float64(spot.X)+20, float64(spot.Y)-14)
		require.True(t, g.Gizmo.Active())
		at, ok := g.beside(h.a, render.DefaultTheme().TextSize, "1.000  0.000  0.000 m")
		require.True(t, ok)
		for _, line := range g.Gizmo.Lines(nil, *h.a.view(), h.place("crate")) {
			for k := range 11 {
				p := line.A.Lerp(line.B, float32(k)/10)
				if x, y, _, ok := h.a.view().Project(p); ok && line.Lit {
					assert.False(t, at.Contains(x, y), "%v: the handle at %g %g is under %v", mode, x, y, at)
				}
			}
		}
		assert.False(t, at.Contains(h.in.X, h.in.Y))
	}
}

func TestCity(t *testing.T) {
	a := &app{world: ecs.NewWorld(), renderer: &render.Renderer{}}
	a.transforms = generic.NewMap[physecs.Transform](&a.world)
	require.NoError(t, a.fill(cityScene))
	assert.Equal(t, citySize, a.scene.count.colliders)
	assert.Equal(t, 10*2*alongKnot*aroundKnot, a.scene.count.triangles)
	space := physecs.Sync(&a.world)
	assert.Zero(t, space.Stats().Nowhere)
	for _, e := range a.scene.all {
		b, ok := space.Bounds(e)
		require.True(t, ok)
		require.Greater(t, b.Min.Y, float32(-0.5))
	}
	size := picking.Size{Width: 1280, Height: 720}
	*a.view() = physecs.View{Camera: a.scene.home.Camera(), Viewport: picking.FullViewport(size, size)}
	for _, e := range a.scene.all[:10] {
		require.True(t, strings.HasPrefix(a.scene.names[e], "knot"))
		m := a.scene.meshOf(e)
		require.Equal(t, 2*alongKnot*aroundKnot, m.NumTriangles())
		// The tube is closed, and its outside outside: a ray from far enters as often as it leaves,
		// and enters first.
		b, _ := space.Bounds(e)
		to := b.Center().Add(geom.V(0.3, 0.4, 0))
		ray := geom.NewRay(to.Add(geom.V(0, 0, 20)), geom.V(0, 0, -1))
		in, out := 0, 0
		for i, hit := range space.CastRayAll(nil, ray, physecs.Filter{}) {
			if hit.Entity != e {
				continue
			}
			if hit.BackFace {
				out++
			} else {
				in++
			}
			assert.False(t, i == 0 && hit.BackFace)
		}
		assert.Equal(t, in, out, a.scene.names[e])
		_, seen := a.seen(e)
		assert.True(t, seen, a.scene.names[e])
	}
}

package picking

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hitscan-go/hitscan/internal/golden"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// The hashes of all results of TestSameBits.
const (
	goldenRays    = 0xbb7133c573e0ca25
	goldenProject = 0x3a905a910cf41a2e
	goldenSeen    = 0xe726d957cf054864
)

// Rays, projected points and frustum tests have the same bits on every architecture. The
// projections are made from a rectangle on the near plane, because Perspective uses a tangent,
// whose last bit may differ.
func TestSameBits(t *testing.T) {
	n := golden.Numbers(13)
	rays, project, seen := golden.New(), golden.New(), golden.New()
	window, framebuffer := Size{1001, 601}, Size{1502, 902}
	for i := range 500 {
		var p Projection
		switch i % 5 {
		case 0:
			p = PerspectiveOffCenter(-0.125, 0.125, -0.075, 0.075, 0.1875, 1000)
		case 1:
			p = PerspectiveOffCenter(-0.03, 0.01, -0.02, 0.015, 0.03, math.Inf(1)).WithReversedDepth()
		case 2:
			p = Orthographic(12, -5, 300)
		case 3:
			p = Ortho(-7, 3, -1, 4, 1, 90).WithDepthZeroToOne()
		case 4:
			m := PerspectiveOffCenter(-1, 1, -0.5, 0.75, 1, 500).Matrix(1)
			p = ProjectionOf(m, ClipMinusOneToOne)
		}
		c := Camera{Projection: p}
		eye := n.Vec(50)
		if i%3 == 0 {
			eye = eye.Add(geom.V(10_000, 100, -10_000))
		}
		c.LookAt(eye, eye.Add(n.Vec(10)), n.Vec(1))
		v := View{c, FullViewport(window, framebuffer)}
		if i%2 == 0 {
			v.Viewport = Viewport{X: 100, Y: 50, Width: 800, Height: 700, Window: window, Framebuffer: framebuffer}
		}
		frustum := v.Frustum()
		for range 20 {
			cx, cy := float64(n.Float(500))+500.5, float64(n.Float(300))+300.5
			r, ok := v.Ray(cx, cy)
			rays.Bool(ok)
			rays.Vec(r.Origin, r.Dir)
			rays.Float(r.MinT, r.MaxT)
			at, box := eye.Add(n.Vec(40)), n.Vec(3).Abs()
			x, y, depth, ok := v.Project(at)
			project.Bool(ok)
			project.Double(x, y, depth)
			back, ok := v.Unproject(cx, cy, float64(n.Float(0.5))+0.5)
			project.Bool(ok)
			project.Vec(back)
			seen.Uint(uint64(frustum.ClassifyAABB(geom.AABBAround(at, box))))
			seen.Uint(uint64(frustum.ClassifySphere(geom.Sphere{Center: at, Radius: box.X})))
			seen.Bool(frustum.OverlapsAABBExact(geom.AABBAround(at, box)))
		}
	}
	rays.Check(t, "rays", goldenRays)
	project.Check(t, "project", goldenProject)
	seen.Check(t, "seen", goldenSeen)
	assert.Greater(t, rays.Found, 5000)
	assert.Greater(t, project.Found, 10_000)
	assert.Greater(t, seen.Found, 500)
}

package render

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/render/internal/gl"
)

// Planes are drawn as far as they are seen before they fade into the sky, with a grid that is fixed
// to the world.

// planeSeen returns the unit normal of a plane and the foot of the perpendicular from the camera,
// relative to the camera.
func (r *Renderer) planeSeen(f *frame, i int) (normal, foot geom.DVec3, ok bool) {
	it := &r.scene.items[i]
	m := f.place(it.model)
	n := it.plane.Normal.Wide()
	x, y, z := column(m, 0), column(m, 1), column(m, 2)
	w := y.Cross(z).Mul(n.X).AddMul(n.Y, z.Cross(x)).AddMul(n.Z, x.Cross(y))
	normal = w.Mul(math.Copysign(1, determinant(m))).Normalize()
	at, _ := m.Apply(n.Mul(float64(it.plane.D)/n.Dot(n)), 1)
	return normal, normal.Mul(normal.Dot(at)), normal != geom.DVec3{}
}

func (r *Renderer) drawPlanes(f *frame) {
	if len(r.planes) == 0 {
		return
	}
	p := r.programs.plane
	p.use()
	r.setLight(p, f)
	p.setMatrix("uClip", f.clip.Float32())
	l := linear(r.Style.GridLine)
	p.setFloat("uLine", l[:]...)
	p.setFloat("uSpacing", r.Style.GridSpacing)
	reach := r.haze(f) * 4 // exp2(−4²) of the colour is left there
	p.setFloat("uReach", reach)
	gl.Enable(gl.BLEND)
	r.square.bind()
	for _, i := range r.planes {
		n, foot, ok := r.planeSeen(f, i)
		if !ok {
			continue
		}
		e := f.eye()
		eye := geom.V(e[0], e[1], e[2]).Wide()
		if e[3] == 1 && eye.Dot(n) <= 0 || e[3] == 0 && eye.Sub(foot).Dot(n) <= 0 {
			continue // seen from its back, which is not picked either
		}
		it := &r.scene.items[i]
		c := linear(it.material.Color)
		c[3] = it.material.Gloss
		p.setFloat("uColor", c[:]...)
		u, v := planeAxes(n)
		// The phase of the grid counts from the origin of absolute coordinates; only the remainder
		// goes to the shader, in single precision.
		at := f.camera.Add(f.origin).Add(foot)
		cell := 10 * float64(r.Style.GridSpacing)
		p.setFloat("uPhase", phase(at.Dot(u), cell), phase(at.Dot(v), cell))
		setVec(p, "uNormal", n.Narrow())
		setVec(p, "uCenter", foot.Narrow())
		setVec(p, "uU", u.Narrow())
		setVec(p, "uV", v.Narrow())
		gl.DrawArrays(gl.TRIANGLE_STRIP, 0, 4)
	}
	gl.Disable(gl.BLEND)
}

// phase returns x modulo ten cells, in cells; period is the length of ten cells.
func phase(x, period float64) float32 {
	if !(period > 0) {
		return 0
	}
	return float32((x/period - math.Floor(x/period)) * 10)
}

// planeAxes returns two perpendicular unit vectors in a plane, parallel to world axes where
// possible.
func planeAxes(n geom.DVec3) (u, v geom.DVec3) {
	a := geom.DVec3{X: 1}
	if math.Abs(n.X) > 0.9 {
		a = geom.DVec3{Z: 1}
	}
	v = a.Cross(n).Normalize()
	return n.Cross(v), v
}

// haze returns the distance in metres at which a plane has half faded into the sky. It grows with
// the camera's height, so that the ground is visible below the camera.
func (r *Renderer) haze(f *frame) float32 {
	fade := float64(r.Style.GridFade)
	for _, i := range r.planes {
		if _, foot, ok := r.planeSeen(f, i); ok {
			fade = math.Max(fade, 4*foot.Len())
		}
	}
	if f.rays.parallel {
		x, y := f.rays.spread()
		fade = math.Max(fade, 2/math.Min(x, y))
	}
	return float32(fade)
}

package render

import (
	"cmp"
	"slices"

	"github.com/go-gl/gl/v3.3-core/gl"
)

// Things that are seen through, such as zones. They are drawn after all that is opaque, the
// farthest first by their middles, which is right for things that are not in each other. They cast
// no shadow.

// drawTransparent draws what is seen through: of each thing the sides that are turned away, and then
// those that are turned to the eye.
func (r *Renderer) drawTransparent(f *frame) {
	if len(r.transparent) == 0 {
		return
	}
	away := func(b batch) float64 { return r.scene.items[b.first].center.Len() }
	slices.SortStableFunc(r.transparent, func(a, b batch) int { return cmp.Compare(away(b), away(a)) })
	p := r.programs.lit
	p.use()
	r.setLight(p, f)
	gl.Enable(gl.BLEND)
	gl.Enable(gl.CULL_FACE)
	gl.DepthMask(false)
	// How opaque a thing is goes by the constant of the blending, as an instance has no room for
	// it.
	gl.BlendFuncSeparate(gl.CONSTANT_ALPHA, gl.ONE_MINUS_CONSTANT_ALPHA, gl.ZERO, gl.ONE)
	for _, b := range r.transparent {
		gl.BlendColor(0, 0, 0, float32(r.scene.items[b.first].material.Color.A)/255)
		frontFace(b.mirrored != f.mirrored)
		for _, side := range [...]uint32{gl.FRONT, gl.BACK} {
			gl.CullFace(side)
			b.mesh.draw(r.instances, b.first, b.n)
		}
	}
	gl.FrontFace(gl.CCW)
	gl.BlendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA)
	gl.DepthMask(true)
	gl.Disable(gl.CULL_FACE)
	gl.Disable(gl.BLEND)
}

package render

import (
	"cmp"
	"slices"

	"github.com/hitscan-go/hitscan/render/internal/gl"
)

// Transparent items, such as zones, are drawn after all opaque ones, sorted by the distance of
// their centres, the farthest first. That order is right for items that do not overlap. They cast
// no shadow.

// drawTransparent draws the transparent items: of each first the back faces, then the front faces.
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
	// The opacity is the constant of the blending, since an instance has no field for it.
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

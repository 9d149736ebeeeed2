package render

import (
	"image/color"

	"github.com/go-gl/gl/v3.3-core/gl"
	"github.com/mlange-42/arche/ecs"

	physecs "github.com/hitscan-go/hitscan/ecs"
)

// drawOutlines outlines what is selected and what is hovered; what is both keeps the colour of the selection. Things that
// are selected together have one outline around them all where they touch in the picture. Planes have none: they have no end.
func (r *Renderer) drawOutlines(w *ecs.World, f *frame, scale float64) {
	if r.Style.OutlineWidth <= 0 {
		return
	}
	selection, hover := resource[physecs.Selection](w), resource[physecs.Hover](w)
	var selected, hovered []int
	for i := range r.scene.items {
		switch it := &r.scene.items[i]; {
		case it.kind == itemPlane:
		case selection.Contains(it.entity):
			selected = append(selected, i)
		case hover.OK && hover.Entity == it.entity:
			hovered = append(hovered, i)
		}
	}
	r.drawOutline(f, selected, r.Style.SelectedOutline, scale)
	r.drawOutline(f, hovered, r.Style.HoverOutline, scale)
}

// drawOutline draws one line around all that is seen of some items together, as a hull in the stencil. First their
// silhouette is marked, wherever it is. Then they are drawn blown up by the width of the outline, outside the marks: where
// they are in front, in full colour, and after that what is left, dimmed. Each sample is coloured once.
//
// An inverted hull has its front faces culled so that the inside stays free. Here the marks do that, and both sides are
// drawn: the nearer one tells better what lies in front of the rim.
func (r *Renderer) drawOutline(f *frame, items []int, c color.NRGBA, scale float64) {
	if len(items) == 0 || c.A == 0 {
		return
	}
	p := r.programs.outline
	p.use()
	v := f.viewport
	p.setMatrix("uClip", f.clip.Float32())
	e := f.eye()
	p.setFloat("uEye", e[:]...)
	p.setFloat("uPixel", 2/float32(v.Width), 2/float32(v.Height))
	p.setFloat("uPull", f.pixelsPull(outlinePull*float64(r.Style.OutlineWidth), scale))
	draw := func(width, alpha float32) {
		p.setFloat("uWidth", width)
		k := plain(c)
		k[3] *= alpha
		p.setFloat("uColor", k[:]...)
		for _, i := range items {
			it := &r.scene.items[i]
			s := r.solids.round[it.level] // boxes too, for their corners
			if it.kind == itemMesh {
				s = r.solids.of(it)
			}
			s.draw(r.instances, i, 1)
		}
	}
	width := r.Style.OutlineWidth * float32(scale)
	gl.ClearStencil(0)
	gl.Clear(gl.STENCIL_BUFFER_BIT)
	gl.Enable(gl.STENCIL_TEST)
	gl.DepthMask(false)

	gl.Disable(gl.DEPTH_TEST)
	gl.ColorMask(false, false, false, false)
	gl.StencilFunc(gl.ALWAYS, 1, 0xff)
	gl.StencilOp(gl.KEEP, gl.KEEP, gl.REPLACE)
	draw(0, 1)

	gl.ColorMask(true, true, true, true)
	gl.StencilFunc(gl.EQUAL, 0, 0xff)
	gl.StencilOp(gl.KEEP, gl.KEEP, gl.INCR)
	gl.Enable(gl.BLEND)
	gl.Enable(gl.DEPTH_TEST)
	draw(width, 1)

	gl.Disable(gl.DEPTH_TEST)
	draw(width, r.Style.HiddenOutline)

	gl.Enable(gl.DEPTH_TEST)
	gl.Disable(gl.BLEND)
	gl.Disable(gl.STENCIL_TEST)
	gl.DepthMask(true)
}

// outlinePull is by how many times its width an outline is moved towards the eye before it is compared with what lies in
// front. The floor comes towards the eye by the width over the tangent of the angle at which it is seen: this is enough
// down to 8°. More would show outlines through thin walls.
const outlinePull = 7

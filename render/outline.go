package render

import (
	"image/color"
	"math"
	"unsafe"

	"github.com/mlange-42/arche/ecs"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/render/internal/gl"
)

// maxOutlineWidth is the widest outline in window pixels. The number of triangles of its corners
// grows with the width.
const maxOutlineWidth = 100

// drawOutlines outlines the selected and the hovered entities; one that is both has the colour of
// the selection. Selected entities that touch in the image have one common outline. Planes have
// none: they are unbounded.
func (r *Renderer) drawOutlines(w *ecs.World, f *frame, scale float64) {
	if !(r.Style.OutlineWidth > 0) {
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

// drawOutline draws one outline around the union of some items. First their silhouette is marked in
// the stencil buffer, hidden parts too. Then the strokes along the silhouette edges are drawn
// outside the marks: visible parts in full colour, then hidden parts dimmed. Each sample is
// coloured once.
func (r *Renderer) drawOutline(f *frame, items []int, c color.NRGBA, scale float64) {
	if len(items) == 0 || c.A == 0 {
		return
	}
	gl.ClearStencil(0)
	gl.Clear(gl.STENCIL_BUFFER_BIT)
	gl.Enable(gl.STENCIL_TEST)
	gl.DepthMask(false)
	gl.Disable(gl.DEPTH_TEST)
	gl.ColorMask(false, false, false, false)
	gl.StencilFunc(gl.ALWAYS, 1, 0xff)
	gl.StencilOp(gl.KEEP, gl.KEEP, gl.REPLACE)
	r.programs.mark.use()
	for _, i := range items {
		r.meshes.of(&r.scene.items[i]).draw(r.instances, i, 1)
	}

	width := math.Min(float64(r.Style.OutlineWidth), maxOutlineWidth) * scale
	stroke := &r.stroker
	stroke.radius = width
	stroke.halfWidth, stroke.halfHeight = float64(f.viewport.Width)/2, float64(f.viewport.Height)/2
	stroke.corners = stroke.corners[:0]
	for _, i := range items {
		it := &r.scene.items[i]
		if v, ok := f.silhouetteView(it, width); ok {
			r.meshes.silhouette(it).draw(stroke, &v)
		}
	}
	p := r.programs.outline
	p.use()
	r.strokes.bind()
	fill(r.strokeData, stroke.corners, gl.STREAM_DRAW)
	r.strokes.attributes(strokeAttributes, unsafe.Sizeof(geom.Vec3{}), 0, 0)
	draw := func(alpha float32) {
		k := plain(c)
		p.setFloat("uColor", k[0], k[1], k[2], k[3]*alpha)
		gl.DrawArrays(gl.TRIANGLES, 0, int32(len(stroke.corners)))
	}
	gl.ColorMask(true, true, true, true)
	gl.StencilFunc(gl.EQUAL, 0, 0xff)
	gl.StencilOp(gl.KEEP, gl.KEEP, gl.INCR)
	gl.Enable(gl.BLEND)
	// Strokes moved in front of the near plane stay in the image.
	gl.Enable(gl.DEPTH_CLAMP)
	gl.Enable(gl.DEPTH_TEST)
	draw(1)

	gl.Disable(gl.DEPTH_TEST)
	draw(r.Style.HiddenOutline)

	gl.Enable(gl.DEPTH_TEST)
	gl.Disable(gl.DEPTH_CLAMP)
	gl.Disable(gl.BLEND)
	gl.Disable(gl.STENCIL_TEST)
	gl.DepthMask(true)
}

var strokeAttributes = []attribute{{0, 3, gl.FLOAT, false, 0}}

// silhouetteView returns the view of an item's silhouette, for an outline of a width in framebuffer
// pixels. ok is false if the item has no image.
func (f *frame) silhouetteView(it *item, width float64) (v silhouetteView, ok bool) {
	m := f.place(it.model)
	inverse, ok := m.Inverse()
	if !ok {
		return v, false
	}
	v.clip = f.clip.Mul(m)
	rays := f.rays.into(inverse)
	pull := float64(f.pixelsPull(outlinePull, width))
	if f.rays.parallel {
		v.eye = rays.dir.Neg()
		towards, _ := f.clip.Apply(f.rays.dir.Normalize().Neg(), 0)
		v.pull = pull * towards.Z
	} else {
		v.eye, v.eyeW = rays.from, 1
		// A point moved by a fraction of the way to the camera loses that fraction of its w, and of
		// the difference of its z to the camera's.
		eye, _ := f.clip.Apply(f.rays.from, 1)
		pull = math.Min(pull, 0.9)
		v.pull = eye.Z * pull / (1 - pull)
	}
	// To the sides, lines are clipped so far outside the viewport that neither their width nor
	// their clipped ends are visible.
	x, y := 1+2*(width+2)/float64(f.viewport.Width), 1+2*(width+2)/float64(f.viewport.Height)
	v.limits = [6]clipPlane{
		{geom.DVec3{Z: 1}, 1}, {geom.DVec3{Z: -1}, 1},
		{geom.DVec3{X: 1}, x}, {geom.DVec3{X: -1}, x}, {geom.DVec3{Y: 1}, y}, {geom.DVec3{Y: -1}, y},
	}
	center, radius := it.bounds()
	for i := range v.cut {
		l := v.limits[i].before(f.clip)
		v.cut[i] = math.Abs(l.at(clipPoint{center.Sub(f.camera), 1})) <= radius*l.Len()*(1+1e-9)
	}
	return v, true
}

// outlinePull is how far an outline is moved towards the camera before the depth test, as a
// multiple of its width. The ground comes nearer to the camera by the width over the tangent of the
// angle at which it is seen: 7 is enough down to 8°. A larger value shows outlines through thin
// walls.
const outlinePull = 7

package render

import (
	"unsafe"

	"github.com/hitscan-go/hitscan/physics/lines"
	"github.com/hitscan-go/hitscan/render/internal/gl"
)

// Lines collects debug lines for one frame. [Renderer.Draw] draws and empties it. Parts behind an
// object are drawn dimmed.
type Lines = lines.List

// Level is the box of a tree's node and its depth, for [Lines].
type Level = lines.Level

// line is a segment as the shader reads it.
type line = lines.Segment

var lineAttributes = []attribute{
	{0, 3, gl.FLOAT, false, unsafe.Offsetof(line{}.A)},
	{1, 3, gl.FLOAT, false, unsafe.Offsetof(line{}.B)},
	{2, 4, gl.UNSIGNED_BYTE, true, unsafe.Offsetof(line{}.Color)},
	{3, 2, gl.FLOAT, false, unsafe.Offsetof(line{}.Width)},
}

// linePull is how far lines are moved towards the eye before the depth test, in window pixels, so
// that the surface they lie on does not hide half of them.
const linePull = 2.5

// drawLines draws all lines in two calls: first the hidden parts, dimmed, then the visible parts.
func (r *Renderer) drawLines(f *frame, scale float64, of *Lines) {
	list := of.Segments()
	if len(list) == 0 {
		return
	}
	p := r.programs.line
	p.use()
	p.setMatrix("uClip", f.clip.Float32())
	setVec(p, "uCamera", f.camera.Narrow())
	e := f.eye()
	p.setFloat("uEye", e[:]...)
	p.setFloat("uHalf", float32(f.viewport.Width)/2, float32(f.viewport.Height)/2)
	p.setFloat("uScale", float32(scale))
	p.setFloat("uPull", f.pixelsPull(linePull, scale))
	r.lineQuads.bind()
	fill(r.lineData, list, gl.STREAM_DRAW)
	r.lineQuads.attributes(lineAttributes, unsafe.Sizeof(line{}), 0, 1)
	gl.Enable(gl.BLEND)
	gl.DepthMask(false)
	for _, pass := range []struct {
		compare uint32
		hidden  float32
	}{{gl.GREATER, 1}, {gl.LEQUAL, 0}} {
		gl.DepthFunc(pass.compare)
		p.setFloat("uHidden", pass.hidden)
		gl.DrawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, int32(len(list)))
	}
	gl.DepthFunc(gl.LEQUAL)
	gl.DepthMask(true)
	gl.Disable(gl.BLEND)
}

package render

import (
	"image/color"
	"math"
	"unsafe"

	"golang.org/x/image/math/fixed"

	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render/internal/gl"
)

// hudDrawer draws the shapes of a HUD in order, in one draw call.
type hudDrawer struct {
	program *program
	array   *vertexArray
	data    *buffer
	texture *texture
	atlas   *atlas
	quads   []quad
}

// quad is a rectangle, a glyph or a triangle in the format of the shader. A triangle has its
// corners in rect and glyph.
type quad struct {
	rect   [4]float32
	glyph  [4]float32
	fill   color.NRGBA
	border color.NRGBA
	corner [3]float32
	turn   [2]float32
}

var quadAttributes = []attribute{
	{0, 4, gl.FLOAT, false, unsafe.Offsetof(quad{}.rect)},
	{1, 4, gl.FLOAT, false, unsafe.Offsetof(quad{}.glyph)},
	{2, 4, gl.UNSIGNED_BYTE, true, unsafe.Offsetof(quad{}.fill)},
	{3, 4, gl.UNSIGNED_BYTE, true, unsafe.Offsetof(quad{}.border)},
	{4, 3, gl.FLOAT, false, unsafe.Offsetof(quad{}.corner)},
	{5, 2, gl.FLOAT, false, unsafe.Offsetof(quad{}.turn)},
}

func (h *hudDrawer) open() (err error) {
	if h.program, err = newProgram("hud.vert", "hud.frag"); err != nil {
		return err
	}
	h.array, h.data, h.texture = newVertexArray(), newBuffer(gl.ARRAY_BUFFER), newTexture()
	h.atlas = newAtlas()
	h.texture.bind(0)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST)
	gl.PixelStorei(gl.UNPACK_ALIGNMENT, 1)
	gl.TexImage(gl.TEXTURE_2D, gl.R8, atlasSize, atlasSize, gl.RED, gl.UNSIGNED_BYTE, nil)
	return nil
}

func (h *hudDrawer) close() {
	h.program.close()
	h.array.close()
	h.data.close()
	h.texture.close()
}

// draw draws shapes into the bound framebuffer. scale is framebuffer pixels per window pixel.
func (h *hudDrawer) draw(shapes []shape, size picking.Size, scale float32) {
	if len(shapes) == 0 {
		return
	}
	if h.quads = h.atlas.quads(h.quads[:0], shapes, scale); len(h.quads) == 0 {
		return
	}
	h.texture.bind(0)
	if h.atlas.changed {
		gl.PixelStorei(gl.UNPACK_ALIGNMENT, 1)
		gl.TexSubImage(gl.TEXTURE_2D, atlasSize, atlasSize, gl.RED, gl.UNSIGNED_BYTE, h.atlas.picture.Pix)
		h.atlas.changed = false
	}
	h.program.use()
	h.program.setInt("uAtlas", 0)
	h.program.setFloat("uSize", float32(size.Width), float32(size.Height))
	h.array.bind()
	fill(h.data, h.quads, gl.STREAM_DRAW)
	h.array.attributes(quadAttributes, unsafe.Sizeof(quad{}), 0, 1)
	gl.Disable(gl.DEPTH_TEST)
	gl.Enable(gl.BLEND)
	gl.DrawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, int32(len(h.quads)))
	gl.Disable(gl.BLEND)
	gl.Enable(gl.DEPTH_TEST)
}

// quads appends the quads of the shapes. If the atlas is full, it is emptied, which drops glyphs of
// unused sizes, and filled again. Glyphs that still do not fit are left out.
func (a *atlas) quads(dst []quad, shapes []shape, scale float32) []quad {
	first := len(dst)
	for try := 0; ; try++ {
		full := false
		dst = dst[:first]
		for i := range shapes {
			s := &shapes[i]
			if s.text == "" {
				dst = append(dst, s.quad(scale))
				continue
			}
			var ok bool
			dst, ok = a.text(dst, s, scale)
			full = full || !ok
		}
		if !full || try > 0 {
			return dst
		}
		a.reset()
	}
}

// quad returns a rectangle, with sharp edges on whole pixels unless it is turned, or a triangle.
func (s *shape) quad(scale float32) quad {
	if s.radius < 0 {
		a, b, c := s.triangle[0], s.triangle[1], s.triangle[2]
		return quad{
			rect:  [4]float32{a[0] * scale, a[1] * scale, b[0] * scale, b[1] * scale},
			glyph: [4]float32{c[0] * scale, c[1] * scale, c[0] * scale, c[1] * scale},
			fill:  s.fill, corner: [3]float32{-1},
		}
	}
	edge := max(scale, 1)
	if s.edge > 0 {
		edge = s.edge * scale
	}
	if s.turn != [2]float32{} {
		return quad{
			rect: [4]float32{s.rect.X * scale, s.rect.Y * scale, s.rect.Width * scale, s.rect.Height * scale},
			fill: s.fill, border: s.border, corner: [3]float32{s.radius * scale, s.soft * scale, edge}, turn: s.turn,
		}
	}
	x0, y0 := round(s.rect.X*scale), round(s.rect.Y*scale)
	x1, y1 := round((s.rect.X+s.rect.Width)*scale), round((s.rect.Y+s.rect.Height)*scale)
	return quad{
		rect: [4]float32{x0, y0, x1 - x0, y1 - y0}, fill: s.fill, border: s.border,
		corner: [3]float32{s.radius * scale, s.soft * scale, edge},
	}
}

// text appends the glyphs of a line. ok is false if one does not fit into the atlas.
func (a *atlas) text(dst []quad, s *shape, scale float32) (_ []quad, ok bool) {
	ok = true
	size := s.style.size()
	key := faceKey{s.style.Font, fixed.Int26_6(size*scale*64 + 0.5)}
	x0 := s.rect.X * scale
	baseline := round((s.rect.Y + (lineHeight(size)-size*1.17)/2 + ascent(size)) * scale)
	a.run(key, s.text, func(r rune, x float32) {
		left := math.Floor(float64(x0+x)*4+0.5) / 4
		whole := math.Floor(left)
		g, fits := a.glyph(glyphKey{key, r, uint8((left - whole) * 4)})
		if !fits {
			ok = false
			return
		}
		if g.at.Empty() {
			return
		}
		w, h := float32(g.at.Dx()), float32(g.at.Dy())
		dst = append(dst, quad{
			rect:  [4]float32{float32(whole) + float32(g.left), baseline + float32(g.top), w, h},
			glyph: [4]float32{float32(g.at.Min.X), float32(g.at.Min.Y), w, h},
			fill:  s.style.Color,
		})
	})
	return dst, ok
}

func round(x float32) float32 { return float32(math.Floor(float64(x) + 0.5)) }

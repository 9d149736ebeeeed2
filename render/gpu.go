package render

import (
	"fmt"
	"unsafe"

	"github.com/go-gl/gl/v3.3-core/gl"

	"github.com/hitscan-go/hitscan/picking"
)

// Thin owners of OpenGL's objects: each is made by a function here, freed by its close, and
// counted, so that a test can tell when something is left behind.

// live is the number of objects that have been made and not freed.
var live int

// buffer is a vertex or index buffer that is filled anew or grows.
type buffer struct {
	id     uint32
	target uint32
	size   int // bytes that it has room for
}

func newBuffer(target uint32) *buffer {
	b := &buffer{target: target}
	gl.GenBuffers(1, &b.id)
	live++
	return b
}

// fill replaces the contents. The old store is left to the frames that still read it.
func fill[T any](b *buffer, data []T, usage uint32) {
	gl.BindBuffer(b.target, b.id)
	var zero T
	size := len(data) * int(unsafe.Sizeof(zero))
	if size == 0 {
		return
	}
	if size > b.size || usage == gl.STATIC_DRAW {
		b.size = size
		gl.BufferData(b.target, size, unsafe.Pointer(&data[0]), usage)
		return
	}
	gl.BufferData(b.target, b.size, nil, usage)
	gl.BufferSubData(b.target, 0, size, unsafe.Pointer(&data[0]))
}

func (b *buffer) close() {
	if b != nil && b.id != 0 {
		gl.DeleteBuffers(1, &b.id)
		b.id = 0
		live--
	}
}

// vertexArray is what a shader reads its attributes through.
type vertexArray struct{ id uint32 }

func newVertexArray() *vertexArray {
	v := &vertexArray{}
	gl.GenVertexArrays(1, &v.id)
	live++
	return v
}

func (v *vertexArray) bind() { gl.BindVertexArray(v.id) }

func (v *vertexArray) close() {
	if v != nil && v.id != 0 {
		gl.DeleteVertexArrays(1, &v.id)
		v.id = 0
		live--
	}
}

// attribute is one input of a vertex shader within an array of structs.
type attribute struct {
	location   uint32
	components int32
	kind       uint32 // gl.FLOAT, gl.BYTE, gl.UNSIGNED_BYTE; bytes arrive as they are, unless normalized
	normalized bool
	offset     uintptr
}

// attributes points shader inputs into the bound array buffer, from the byte base on. divisor 1
// takes the next struct for each instance instead of each vertex.
func attributes(list []attribute, stride, base uintptr, divisor uint32) {
	for _, a := range list {
		gl.EnableVertexAttribArray(a.location)
		gl.VertexAttribPointerWithOffset(a.location, a.components, a.kind, a.normalized, int32(stride), base+a.offset)
		gl.VertexAttribDivisor(a.location, divisor)
	}
}

// texture is a two-dimensional texture.
type texture struct{ id uint32 }

func newTexture() *texture {
	t := &texture{}
	gl.GenTextures(1, &t.id)
	live++
	return t
}

// bind makes the texture that of a unit.
func (t *texture) bind(unit uint32) {
	gl.ActiveTexture(gl.TEXTURE0 + unit)
	gl.BindTexture(gl.TEXTURE_2D, t.id)
}

func (t *texture) close() {
	if t != nil && t.id != 0 {
		gl.DeleteTextures(1, &t.id)
		t.id = 0
		live--
	}
}

// target is a framebuffer of our own: a colour and a depth buffer of one size.
type target struct {
	id      uint32
	buffers []uint32
	size    picking.Size
	samples int32
}

// attachment is one buffer of a target.
type attachment struct{ point, format uint32 }

// resize gives the target a size and a number of samples, 0 for a plain one. It does nothing if it
// has them.
func (t *target) resize(size picking.Size, samples int32, attachments ...attachment) error {
	if t.id != 0 && t.size == size && t.samples == samples {
		return nil
	}
	t.close()
	gl.GenFramebuffers(1, &t.id)
	live++
	gl.BindFramebuffer(gl.FRAMEBUFFER, t.id)
	t.buffers = make([]uint32, len(attachments))
	gl.GenRenderbuffers(int32(len(attachments)), &t.buffers[0])
	live += len(attachments)
	for i, a := range attachments {
		gl.BindRenderbuffer(gl.RENDERBUFFER, t.buffers[i])
		gl.RenderbufferStorageMultisample(gl.RENDERBUFFER, samples, a.format, int32(size.Width), int32(size.Height))
		gl.FramebufferRenderbuffer(gl.FRAMEBUFFER, a.point, gl.RENDERBUFFER, t.buffers[i])
	}
	if err := framebufferError(size); err != nil {
		t.close() // the next call is to try again, and not to take it for made
		forgetErrors()
		return err
	}
	t.size, t.samples = size, samples
	return nil
}

// forgetErrors empties OpenGL's list of errors, so that those of the game's own drawing are not
// reported as ours.
func forgetErrors() {
	for range 8 { // without a context the list never ends
		if gl.GetError() == gl.NO_ERROR {
			return
		}
	}
}

func framebufferError(size picking.Size) error {
	if status := gl.CheckFramebufferStatus(gl.FRAMEBUFFER); status != gl.FRAMEBUFFER_COMPLETE {
		return fmt.Errorf("render: the driver makes no framebuffer of %d×%d (status %#x)", size.Width, size.Height, status)
	}
	return nil
}

func (t *target) bind() { gl.BindFramebuffer(gl.FRAMEBUFFER, t.id) }

func (t *target) close() {
	if t.id == 0 {
		return
	}
	gl.DeleteFramebuffers(1, &t.id)
	gl.DeleteRenderbuffers(int32(len(t.buffers)), &t.buffers[0])
	live -= 1 + len(t.buffers)
	*t = target{}
}

// shadowMap is a square depth texture that shaders compare with.
type shadowMap struct {
	id      uint32
	texture *texture
	size    int32
}

func newShadowMap(size int32) (*shadowMap, error) {
	s := &shadowMap{texture: newTexture(), size: size}
	s.texture.bind(0)
	gl.TexImage2D(gl.TEXTURE_2D, 0, gl.DEPTH_COMPONENT24, size, size, 0, gl.DEPTH_COMPONENT, gl.UNSIGNED_INT, nil)
	for name, value := range map[uint32]int32{
		gl.TEXTURE_MIN_FILTER:   gl.LINEAR,
		gl.TEXTURE_MAG_FILTER:   gl.LINEAR,
		gl.TEXTURE_WRAP_S:       gl.CLAMP_TO_BORDER,
		gl.TEXTURE_WRAP_T:       gl.CLAMP_TO_BORDER,
		gl.TEXTURE_COMPARE_MODE: gl.COMPARE_REF_TO_TEXTURE,
		gl.TEXTURE_COMPARE_FUNC: gl.LEQUAL,
	} {
		gl.TexParameteri(gl.TEXTURE_2D, name, value)
	}
	border := [4]float32{1, 1, 1, 1} // what lies outside the map is lit
	gl.TexParameterfv(gl.TEXTURE_2D, gl.TEXTURE_BORDER_COLOR, &border[0])
	gl.GenFramebuffers(1, &s.id)
	live++
	gl.BindFramebuffer(gl.FRAMEBUFFER, s.id)
	gl.FramebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, s.texture.id, 0)
	gl.DrawBuffer(gl.NONE)
	gl.ReadBuffer(gl.NONE)
	if err := framebufferError(picking.Size{Width: int(size), Height: int(size)}); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *shadowMap) close() {
	if s != nil && s.id != 0 {
		s.texture.close()
		gl.DeleteFramebuffers(1, &s.id)
		s.id = 0
		live--
	}
}

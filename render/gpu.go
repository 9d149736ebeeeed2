package render

import (
	"fmt"
	"unsafe"

	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render/internal/gl"
)

// Thin owners of OpenGL objects. Each is made by a function in this file, freed by its close, and
// counted, so that a test finds leaks.

// live is the number of objects that have been made and not freed.
var live int

// generate makes an OpenGL object with one of the Gen functions.
func generate(gen func() uint32) uint32 {
	live++
	return gen()
}

// release frees an OpenGL object with one of the Delete functions, unless it is freed already.
func release(del func(id uint32), id *uint32) {
	if *id != 0 {
		del(*id)
		*id = 0
		live--
	}
}

// buffer is a vertex or index buffer that grows as needed.
type buffer struct {
	id     uint32
	target uint32
	size   int // capacity in bytes
}

func newBuffer(target uint32) *buffer {
	return &buffer{id: generate(gl.GenBuffer), target: target}
}

// fill replaces the contents. Frames in flight keep the old storage.
func fill[T any](b *buffer, data []T, usage uint32) {
	gl.BindBuffer(b.target, b.id)
	bytes := bytesOf(data)
	if len(bytes) == 0 {
		return
	}
	if len(bytes) > b.size || usage == gl.STATIC_DRAW {
		b.size = len(bytes)
		gl.BufferData(b.target, bytes, usage)
		return
	}
	gl.BufferSize(b.target, b.size, usage)
	gl.BufferSubData(b.target, 0, bytes)
}

// bytesOf returns the memory of a slice.
func bytesOf[T any](data []T) []byte {
	var zero T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(data))), len(data)*int(unsafe.Sizeof(zero)))
}

func (b *buffer) close() {
	if b != nil {
		release(gl.DeleteBuffer, &b.id)
	}
}

// vertexArray is an OpenGL vertex array object.
type vertexArray struct {
	id      uint32
	enabled uint32 // the attributes that are, by location
}

func newVertexArray() *vertexArray {
	return &vertexArray{id: generate(gl.GenVertexArray)}
}

func (v *vertexArray) bind() { gl.BindVertexArray(v.id) }

func (v *vertexArray) close() {
	if v != nil {
		release(gl.DeleteVertexArray, &v.id)
	}
}

// attribute is one input of a vertex shader in an array of structs.
type attribute struct {
	location   uint32
	components int32
	// gl.FLOAT, gl.BYTE, gl.UNSIGNED_BYTE or gl.UNSIGNED_SHORT. Integers are not scaled, unless
	// normalized.
	kind       uint32
	normalized bool
	offset     uintptr
}

// attributes maps shader inputs to the bound array buffer, from the byte base on; v is bound. With
// divisor 1 each struct is for one instance instead of one vertex; the divisor of an input stays as
// it was at first.
func (v *vertexArray) attributes(list []attribute, stride, base uintptr, divisor uint32) {
	for _, a := range list {
		if v.enabled>>a.location&1 == 0 {
			v.enabled |= 1 << a.location
			gl.EnableVertexAttribArray(a.location)
			gl.VertexAttribDivisor(a.location, divisor)
		}
		gl.VertexAttribPointer(a.location, a.components, a.kind, a.normalized, int32(stride), base+a.offset)
	}
}

// texture is a two-dimensional texture.
type texture struct{ id uint32 }

func newTexture() *texture {
	return &texture{generate(gl.GenTexture)}
}

// bind binds the texture to a texture unit.
func (t *texture) bind(unit uint32) {
	gl.ActiveTexture(gl.TEXTURE0 + unit)
	gl.BindTexture(gl.TEXTURE_2D, t.id)
}

func (t *texture) close() {
	if t != nil {
		release(gl.DeleteTexture, &t.id)
	}
}

// target is an off-screen framebuffer with renderbuffers of one size.
type target struct {
	id      uint32
	buffers []uint32
	size    picking.Size
	samples int32
}

// attachment is one renderbuffer of a target.
type attachment struct{ point, format uint32 }

// resize sets the size in pixels and the number of samples, 0 for no multisampling. It does nothing
// if they have not changed.
func (t *target) resize(size picking.Size, samples int32, attachments ...attachment) error {
	if t.id != 0 && t.size == size && t.samples == samples {
		return nil
	}
	t.close()
	t.id = generate(gl.GenFramebuffer)
	gl.BindFramebuffer(gl.FRAMEBUFFER, t.id)
	for _, a := range attachments {
		b := generate(gl.GenRenderbuffer)
		t.buffers = append(t.buffers, b)
		gl.BindRenderbuffer(gl.RENDERBUFFER, b)
		gl.RenderbufferStorage(gl.RENDERBUFFER, samples, a.format, int32(size.Width), int32(size.Height))
		gl.FramebufferRenderbuffer(gl.FRAMEBUFFER, a.point, gl.RENDERBUFFER, b)
	}
	if err := framebufferError(size); err != nil {
		t.close() // so that the next call tries again
		forgetErrors()
		return err
	}
	t.size, t.samples = size, samples
	return nil
}

// forgetErrors empties OpenGL's error queue, so that errors of the game's own drawing are not
// reported as ours.
func forgetErrors() {
	for range 8 { // without a context the queue is never empty
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
	release(gl.DeleteFramebuffer, &t.id)
	for i := range t.buffers {
		release(gl.DeleteRenderbuffer, &t.buffers[i])
	}
	*t = target{}
}

// shadowMap is a square depth texture for comparisons in shaders.
type shadowMap struct {
	id      uint32
	texture *texture
	size    int32
}

func newShadowMap(size int32) (*shadowMap, error) {
	s := &shadowMap{texture: newTexture(), size: size}
	s.texture.bind(0)
	gl.TexImage(gl.TEXTURE_2D, gl.DEPTH_COMPONENT24, size, size, gl.DEPTH_COMPONENT, gl.UNSIGNED_INT, nil)
	for name, value := range map[uint32]int32{
		gl.TEXTURE_MIN_FILTER:   gl.LINEAR,
		gl.TEXTURE_MAG_FILTER:   gl.LINEAR,
		gl.TEXTURE_COMPARE_MODE: gl.COMPARE_REF_TO_TEXTURE,
		gl.TEXTURE_COMPARE_FUNC: gl.LEQUAL,
	} {
		gl.TexParameteri(gl.TEXTURE_2D, name, value)
	}
	gl.BorderOne(gl.TEXTURE_2D) // outside the map everything is lit
	s.id = generate(gl.GenFramebuffer)
	gl.BindFramebuffer(gl.FRAMEBUFFER, s.id)
	gl.FramebufferTexture(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, s.texture.id)
	gl.NoColor()
	if err := framebufferError(picking.Size{Width: int(size), Height: int(size)}); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *shadowMap) close() {
	if s != nil {
		s.texture.close()
		release(gl.DeleteFramebuffer, &s.id)
	}
}

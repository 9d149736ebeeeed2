//go:build !js

package gl

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/go-gl/gl/v3.3-core/gl"
)

// Header is the first line of every shader.
const Header = "#version 330 core"

// Init loads the functions of OpenGL. It returns an error unless a context is current on this
// thread; without one, the functions are nil pointers in C.
func Init() error {
	if err := gl.Init(); err != nil {
		return fmt.Errorf("OpenGL 3.3: %w", err)
	}
	if gl.GetString(gl.VERSION) == nil {
		return errors.New("no OpenGL context is current")
	}
	return nil
}

func one(f func(n int32, ids *uint32)) (id uint32) { f(1, &id); return id }

func GenBuffer() uint32       { return one(gl.GenBuffers) }
func GenFramebuffer() uint32  { return one(gl.GenFramebuffers) }
func GenRenderbuffer() uint32 { return one(gl.GenRenderbuffers) }
func GenTexture() uint32      { return one(gl.GenTextures) }
func GenVertexArray() uint32  { return one(gl.GenVertexArrays) }

func DeleteBuffer(id uint32)       { gl.DeleteBuffers(1, &id) }
func DeleteFramebuffer(id uint32)  { gl.DeleteFramebuffers(1, &id) }
func DeleteRenderbuffer(id uint32) { gl.DeleteRenderbuffers(1, &id) }
func DeleteTexture(id uint32)      { gl.DeleteTextures(1, &id) }
func DeleteVertexArray(id uint32)  { gl.DeleteVertexArrays(1, &id) }
func DeleteProgram(id uint32)      { gl.DeleteProgram(id) }
func DeleteShader(id uint32)       { gl.DeleteShader(id) }

func ActiveTexture(unit uint32)             { gl.ActiveTexture(unit) }
func BindBuffer(target, id uint32)          { gl.BindBuffer(target, id) }
func BindFramebuffer(target, id uint32)     { gl.BindFramebuffer(target, id) }
func BindRenderbuffer(target, id uint32)    { gl.BindRenderbuffer(target, id) }
func BindTexture(target, id uint32)         { gl.BindTexture(target, id) }
func BindVertexArray(id uint32)             { gl.BindVertexArray(id) }
func BlendColor(r, g, b, a float32)         { gl.BlendColor(r, g, b, a) }
func BlendEquation(mode uint32)             { gl.BlendEquation(mode) }
func BlendFuncSeparate(s, d, sa, da uint32) { gl.BlendFuncSeparate(s, d, sa, da) }
func CheckFramebufferStatus(t uint32) uint32 {
	return gl.CheckFramebufferStatus(t)
}
func Clear(mask uint32)                  { gl.Clear(mask) }
func ClearColor(r, g, b, a float32)      { gl.ClearColor(r, g, b, a) }
func ClearDepth(d float64)               { gl.ClearDepth(d) }
func ClearStencil(s int32)               { gl.ClearStencil(s) }
func ColorMask(r, g, b, a bool)          { gl.ColorMask(r, g, b, a) }
func CullFace(side uint32)               { gl.CullFace(side) }
func DepthFunc(f uint32)                 { gl.DepthFunc(f) }
func DepthMask(on bool)                  { gl.DepthMask(on) }
func Disable(what uint32)                { gl.Disable(what) }
func Enable(what uint32)                 { gl.Enable(what) }
func EnableVertexAttribArray(i uint32)   { gl.EnableVertexAttribArray(i) }
func Finish()                            { gl.Finish() }
func FrontFace(mode uint32)              { gl.FrontFace(mode) }
func GenerateMipmap(target uint32)       { gl.GenerateMipmap(target) }
func GetError() uint32                   { return gl.GetError() }
func PixelStorei(name uint32, v int32)   { gl.PixelStorei(name, v) }
func PolygonOffset(factor, unit float32) { gl.PolygonOffset(factor, unit) }
func Scissor(x, y, w, h int32)           { gl.Scissor(x, y, w, h) }
func StencilFunc(f uint32, ref int32, mask uint32) {
	gl.StencilFunc(f, ref, mask)
}
func StencilMask(mask uint32)                  { gl.StencilMask(mask) }
func StencilOp(a, b, c uint32)                 { gl.StencilOp(a, b, c) }
func TexParameteri(t, name uint32, v int32)    { gl.TexParameteri(t, name, v) }
func UseProgram(id uint32)                     { gl.UseProgram(id) }
func VertexAttribDivisor(i, d uint32)          { gl.VertexAttribDivisor(i, d) }
func Viewport(x, y, w, h int32)                { gl.Viewport(x, y, w, h) }
func DrawArrays(mode uint32, first, n int32)   { gl.DrawArrays(mode, first, n) }
func Uniform1i(at int32, v int32)              { gl.Uniform1i(at, v) }
func Uniform1ui(at int32, v uint32)            { gl.Uniform1ui(at, v) }
func Uniform1f(at int32, x float32)            { gl.Uniform1f(at, x) }
func Uniform2f(at int32, x, y float32)         { gl.Uniform2f(at, x, y) }
func Uniform3f(at int32, x, y, z float32)      { gl.Uniform3f(at, x, y, z) }
func Uniform4f(at int32, x, y, z, w float32)   { gl.Uniform4f(at, x, y, z, w) }
func UniformMatrix(at int32, m *[16]float32)   { gl.UniformMatrix4fv(at, 1, false, &m[0]) }
func UniformLocation(p uint32, n string) int32 { return gl.GetUniformLocation(p, gl.Str(n+"\x00")) }

// PolygonFill sets that polygons are filled: WebGL2 has nothing else.
func PolygonFill() { gl.PolygonMode(gl.FRONT_AND_BACK, gl.FILL) }

// NoColor sets that the bound framebuffer has no colours.
func NoColor() {
	gl.DrawBuffer(gl.NONE)
	gl.ReadBuffer(gl.NONE)
}

// BorderOne sets that the bound texture is 1 outside.
func BorderOne(target uint32) {
	gl.TexParameteri(target, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_BORDER)
	gl.TexParameteri(target, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_BORDER)
	border := [4]float32{1, 1, 1, 1}
	gl.TexParameterfv(target, gl.TEXTURE_BORDER_COLOR, &border[0])
}

func GetInteger(name uint32) (v int32) {
	gl.GetIntegerv(name, &v)
	return v
}

// BlitColor copies the colours of the bound read framebuffer to the bound draw framebuffer.
func BlitColor(w, h, toW, toH int32, filter uint32) {
	gl.BlitFramebuffer(0, 0, w, h, 0, 0, toW, toH, gl.COLOR_BUFFER_BIT, filter)
}

func pointer(data []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(data)) }

// BufferData gives the bound buffer contents, BufferSize a size.
func BufferData(target uint32, data []byte, usage uint32) {
	gl.BufferData(target, len(data), pointer(data), usage)
}
func BufferSize(target uint32, size int, usage uint32) { gl.BufferData(target, size, nil, usage) }
func BufferSubData(target uint32, offset int, data []byte) {
	gl.BufferSubData(target, offset, len(data), pointer(data))
}

func ClearUint(v uint32) {
	all := [4]uint32{v, v, v, v}
	gl.ClearBufferuiv(gl.COLOR, 0, &all[0])
}
func ClearDepthTo(v float32) { gl.ClearBufferfv(gl.DEPTH, 0, &v) }

func DrawArraysInstanced(mode uint32, first, n, instances int32) {
	gl.DrawArraysInstanced(mode, first, n, instances)
}
func DrawElements(mode uint32, n int32, offset int) {
	gl.DrawElementsWithOffset(mode, n, gl.UNSIGNED_INT, uintptr(offset))
}
func DrawElementsInstanced(mode uint32, n int32, offset int, instances int32) {
	//lint:ignore SA1019 this function has no overload
	gl.DrawElementsInstanced(mode, n, gl.UNSIGNED_INT, gl.PtrOffset(offset), instances)
}
func VertexAttribPointer(i uint32, n int32, kind uint32, normalized bool, stride int32, offset uintptr) {
	gl.VertexAttribPointerWithOffset(i, n, kind, normalized, stride, offset)
}

func FramebufferRenderbuffer(target, at, rtarget, id uint32) {
	gl.FramebufferRenderbuffer(target, at, rtarget, id)
}
func FramebufferTexture(target, at, ttarget, id uint32) {
	gl.FramebufferTexture2D(target, at, ttarget, id, 0)
}
func RenderbufferStorage(target uint32, samples int32, format uint32, w, h int32) {
	gl.RenderbufferStorageMultisample(target, samples, format, w, h)
}

// TexImage gives the bound texture its pixels; nil for a size alone.
func TexImage(target uint32, internal int32, w, h int32, format, kind uint32, pix []byte) {
	gl.TexImage2D(target, 0, internal, w, h, 0, format, kind, pointer(pix))
}
func TexSubImage(target uint32, w, h int32, format, kind uint32, pix []byte) {
	gl.TexSubImage2D(target, 0, 0, 0, w, h, format, kind, pointer(pix))
}
func ReadPixels(w, h int32, format, kind uint32, pix []byte) {
	gl.ReadPixels(0, 0, w, h, format, kind, pointer(pix))
}

// CompileShader returns a shader, or the driver's log.
func CompileShader(kind uint32, text string) (id uint32, log string, ok bool) {
	id = gl.CreateShader(kind)
	c, free := gl.Strs(text)
	defer free()
	length := int32(len(text))
	gl.ShaderSource(id, 1, c, &length)
	gl.CompileShader(id)
	var status int32
	if gl.GetShaderiv(id, gl.COMPILE_STATUS, &status); status == 0 {
		log = infoLog(id, gl.GetShaderiv, gl.GetShaderInfoLog)
		gl.DeleteShader(id)
		return 0, log, false
	}
	return id, "", true
}

// LinkProgram returns a program of shaders, or the driver's log.
func LinkProgram(shaders ...uint32) (id uint32, log string, ok bool) {
	id = gl.CreateProgram()
	for _, s := range shaders {
		gl.AttachShader(id, s)
	}
	gl.LinkProgram(id)
	for _, s := range shaders {
		gl.DetachShader(id, s)
	}
	var status int32
	if gl.GetProgramiv(id, gl.LINK_STATUS, &status); status == 0 {
		log = infoLog(id, gl.GetProgramiv, gl.GetProgramInfoLog)
		gl.DeleteProgram(id)
		return 0, log, false
	}
	return id, "", true
}

func infoLog(id uint32, length func(uint32, uint32, *int32), read func(uint32, int32, *int32, *uint8)) string {
	var n int32
	length(id, gl.INFO_LOG_LENGTH, &n)
	if n <= 0 {
		return ""
	}
	log := make([]byte, n)
	read(id, n, &n, &log[0])
	return string(log[:n])
}

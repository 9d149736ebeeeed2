//go:build js

package gl

import (
	"errors"
	"syscall/js"
)

// Header is the first lines of every shader.
const Header = "#version 300 es\n" +
	"precision highp float; precision highp int; precision highp sampler2D; precision highp sampler2DShadow;"

var (
	context js.Value            // of a canvas
	methods map[string]js.Value // of the context, bound to it
	// objects are those of WebGL by the numbers that OpenGL would give them; 0 is null.
	objects    []js.Value
	unused     []uint32
	clamps     bool     // depths can be clamped
	scratch    js.Value // a Uint8Array for data on their way
	scratchLen int
)

// Use makes the context of a canvas and makes it current.
func Use(canvas js.Value) error {
	context = canvas.Call("getContext", "webgl2", map[string]any{
		"alpha": false, "antialias": false, "depth": false, "stencil": false, "powerPreference": "high-performance",
	})
	if context.IsNull() {
		return errors.New("the browser has no WebGL2: switch hardware acceleration on, or use another browser")
	}
	methods, objects, unused = map[string]js.Value{}, []js.Value{js.Null()}, nil
	clamps = !context.Call("getExtension", "EXT_depth_clamp").IsNull()
	scratchLen = 0
	return nil
}

// Release gives up the context.
func Release() { context, methods, objects, scratch, scratchLen = js.Value{}, nil, nil, js.Value{}, 0 }

// Init returns an error unless a context is current.
func Init() error {
	if context.IsUndefined() {
		return errors.New("no WebGL2 context is current")
	}
	return nil
}

// call calls a method of the context. One that is bound to it is called in half the time.
func call(method string, args ...any) js.Value {
	f, ok := methods[method]
	if !ok {
		f = context.Get(method).Call("bind", context)
		methods[method] = f
	}
	return f.Invoke(args...)
}

func create(method string, args ...any) uint32 {
	v := call(method, args...)
	if n := len(unused); n > 0 {
		id := unused[n-1]
		unused = unused[:n-1]
		objects[id] = v
		return id
	}
	objects = append(objects, v)
	return uint32(len(objects) - 1)
}

func destroy(method string, id uint32) {
	call(method, objects[id])
	objects[id] = js.Null()
	unused = append(unused, id)
}

func GenBuffer() uint32       { return create("createBuffer") }
func GenFramebuffer() uint32  { return create("createFramebuffer") }
func GenRenderbuffer() uint32 { return create("createRenderbuffer") }
func GenTexture() uint32      { return create("createTexture") }
func GenVertexArray() uint32  { return create("createVertexArray") }

func DeleteBuffer(id uint32)       { destroy("deleteBuffer", id) }
func DeleteFramebuffer(id uint32)  { destroy("deleteFramebuffer", id) }
func DeleteRenderbuffer(id uint32) { destroy("deleteRenderbuffer", id) }
func DeleteTexture(id uint32)      { destroy("deleteTexture", id) }
func DeleteVertexArray(id uint32)  { destroy("deleteVertexArray", id) }
func DeleteProgram(id uint32)      { destroy("deleteProgram", id) }
func DeleteShader(id uint32)       { destroy("deleteShader", id) }

func ActiveTexture(unit uint32)              { call("activeTexture", unit) }
func BindBuffer(target, id uint32)           { call("bindBuffer", target, objects[id]) }
func BindFramebuffer(target, id uint32)      { call("bindFramebuffer", target, objects[id]) }
func BindRenderbuffer(target, id uint32)     { call("bindRenderbuffer", target, objects[id]) }
func BindTexture(target, id uint32)          { call("bindTexture", target, objects[id]) }
func BindVertexArray(id uint32)              { call("bindVertexArray", objects[id]) }
func BlendColor(r, g, b, a float32)          { call("blendColor", r, g, b, a) }
func BlendEquation(mode uint32)              { call("blendEquation", mode) }
func BlendFuncSeparate(s, d, sa, da uint32)  { call("blendFuncSeparate", s, d, sa, da) }
func CheckFramebufferStatus(t uint32) uint32 { return uint32(call("checkFramebufferStatus", t).Int()) }
func Clear(mask uint32)                      { call("clear", mask) }
func ClearColor(r, g, b, a float32)          { call("clearColor", r, g, b, a) }
func ClearDepth(d float64)                   { call("clearDepth", d) }
func ClearStencil(s int32)                   { call("clearStencil", s) }
func ColorMask(r, g, b, a bool)              { call("colorMask", r, g, b, a) }
func CullFace(side uint32)                   { call("cullFace", side) }
func DepthFunc(f uint32)                     { call("depthFunc", f) }
func DepthMask(on bool)                      { call("depthMask", on) }
func EnableVertexAttribArray(i uint32)       { call("enableVertexAttribArray", i) }
func Finish()                                { call("finish") }
func FrontFace(mode uint32)                  { call("frontFace", mode) }
func GenerateMipmap(target uint32)           { call("generateMipmap", target) }
func PixelStorei(name uint32, v int32)       { call("pixelStorei", name, v) }
func PolygonFill()                           {}
func PolygonOffset(factor, unit float32)     { call("polygonOffset", factor, unit) }
func Scissor(x, y, w, h int32)               { call("scissor", x, y, w, h) }
func StencilFunc(f uint32, ref int32, mask uint32) {
	call("stencilFunc", f, ref, mask)
}
func StencilMask(mask uint32)                { call("stencilMask", mask) }
func StencilOp(a, b, c uint32)               { call("stencilOp", a, b, c) }
func TexParameteri(t, name uint32, v int32)  { call("texParameteri", t, name, v) }
func UseProgram(id uint32)                   { call("useProgram", objects[id]) }
func VertexAttribDivisor(i, d uint32)        { call("vertexAttribDivisor", i, d) }
func Viewport(x, y, w, h int32)              { call("viewport", x, y, w, h) }
func DrawArrays(mode uint32, first, n int32) { call("drawArrays", mode, first, n) }

// Enable and Disable do nothing about states that WebGL2 does not have.
func Enable(what uint32) {
	if has(what) {
		call("enable", what)
	}
}
func Disable(what uint32) {
	if has(what) {
		call("disable", what)
	}
}

func has(state uint32) bool {
	switch state {
	case FRAMEBUFFER_SRGB, PRIMITIVE_RESTART:
		return false
	case DEPTH_CLAMP:
		return clamps
	}
	return true
}

// GetError returns an error if the context is lost. WebGL's own getError waits for the graphics
// card, twice a frame.
func GetError() uint32 {
	if call("isContextLost").Bool() {
		return 0x9242 // CONTEXT_LOST_WEBGL
	}
	return NO_ERROR
}

// A location of a uniform is its place in objects, or −1.
func UniformLocation(p uint32, name string) int32 {
	if l := call("getUniformLocation", objects[p], name); !l.IsNull() {
		objects = append(objects, l)
		return int32(len(objects) - 1)
	}
	return -1
}

func uniform(method string, at int32, args ...any) {
	if at >= 0 {
		call(method, append([]any{objects[at]}, args...)...)
	}
}

func Uniform1i(at int32, v int32)            { uniform("uniform1i", at, v) }
func Uniform1ui(at int32, v uint32)          { uniform("uniform1ui", at, v) }
func Uniform1f(at int32, x float32)          { uniform("uniform1f", at, x) }
func Uniform2f(at int32, x, y float32)       { uniform("uniform2f", at, x, y) }
func Uniform3f(at int32, x, y, z float32)    { uniform("uniform3f", at, x, y, z) }
func Uniform4f(at int32, x, y, z, w float32) { uniform("uniform4f", at, x, y, z, w) }
func UniformMatrix(at int32, m *[16]float32) {
	list := make([]any, 16)
	for i, x := range m {
		list[i] = x
	}
	uniform("uniformMatrix4fv", at, false, list)
}

func NoColor() {
	call("drawBuffers", []any{0})
	call("readBuffer", 0)
}

// BorderOne clamps to the edge: the shader tests what is outside.
func BorderOne(target uint32) {
	TexParameteri(target, TEXTURE_WRAP_S, CLAMP_TO_EDGE)
	TexParameteri(target, TEXTURE_WRAP_T, CLAMP_TO_EDGE)
}

func GetInteger(name uint32) int32 { return int32(call("getParameter", name).Int()) }

func BlitColor(w, h, toW, toH int32, filter uint32) {
	call("blitFramebuffer", 0, 0, w, h, 0, 0, toW, toH, COLOR_BUFFER_BIT, filter)
}

// reserve makes scratch at least n bytes long.
func reserve(n int) {
	if n > scratchLen {
		scratchLen = max(n, 2*scratchLen, 1<<16) &^ 3
		if scratchLen < n {
			scratchLen += 4
		}
		scratch = js.Global().Get("Uint8Array").New(scratchLen)
	}
}

func lend(data []byte) js.Value {
	reserve(len(data))
	js.CopyBytesToJS(scratch, data)
	return scratch
}

func BufferData(target uint32, data []byte, usage uint32) {
	call("bufferData", target, lend(data), usage, 0, len(data))
}
func BufferSize(target uint32, size int, usage uint32) { call("bufferData", target, size, usage) }
func BufferSubData(target uint32, offset int, data []byte) {
	call("bufferSubData", target, offset, lend(data), 0, len(data))
}

func ClearUint(v uint32)     { call("clearBufferuiv", 0x1800, 0, []any{v, v, v, v}) }
func ClearDepthTo(v float32) { call("clearBufferfv", 0x1801, 0, []any{v}) }

func DrawArraysInstanced(mode uint32, first, n, instances int32) {
	call("drawArraysInstanced", mode, first, n, instances)
}
func DrawElements(mode uint32, n int32, offset int) {
	call("drawElements", mode, n, UNSIGNED_INT, offset)
}
func DrawElementsInstanced(mode uint32, n int32, offset int, instances int32) {
	call("drawElementsInstanced", mode, n, UNSIGNED_INT, offset, instances)
}
func VertexAttribPointer(i uint32, n int32, kind uint32, normalized bool, stride int32, offset uintptr) {
	call("vertexAttribPointer", i, n, kind, normalized, stride, int(offset))
}

func FramebufferRenderbuffer(target, at, rtarget, id uint32) {
	call("framebufferRenderbuffer", target, at, rtarget, objects[id])
}
func FramebufferTexture(target, at, ttarget, id uint32) {
	call("framebufferTexture2D", target, at, ttarget, objects[id], 0)
}
func RenderbufferStorage(target uint32, samples int32, format uint32, w, h int32) {
	call("renderbufferStorageMultisample", target, samples, format, w, h)
}

func TexImage(target uint32, internal int32, w, h int32, format, kind uint32, pix []byte) {
	if pix == nil {
		call("texImage2D", target, 0, internal, w, h, 0, format, kind, nil)
		return
	}
	call("texImage2D", target, 0, internal, w, h, 0, format, kind, lend(pix), 0)
}
func TexSubImage(target uint32, w, h int32, format, kind uint32, pix []byte) {
	call("texSubImage2D", target, 0, 0, 0, w, h, format, kind, lend(pix), 0)
}
func ReadPixels(w, h int32, format, kind uint32, pix []byte) {
	reserve(len(pix))
	to := scratch
	if kind == UNSIGNED_INT {
		to = js.Global().Get("Uint32Array").New(scratch.Get("buffer"))
	}
	call("readPixels", 0, 0, w, h, format, kind, to)
	js.CopyBytesToGo(pix, scratch)
}

func CompileShader(kind uint32, text string) (id uint32, log string, ok bool) {
	id = create("createShader", kind)
	call("shaderSource", objects[id], text)
	call("compileShader", objects[id])
	if !call("getShaderParameter", objects[id], 0x8b81).Bool() {
		log = call("getShaderInfoLog", objects[id]).String()
		DeleteShader(id)
		return 0, log, false
	}
	return id, "", true
}

func LinkProgram(shaders ...uint32) (id uint32, log string, ok bool) {
	id = create("createProgram")
	for _, s := range shaders {
		call("attachShader", objects[id], objects[s])
	}
	call("linkProgram", objects[id])
	if !call("getProgramParameter", objects[id], 0x8b82).Bool() {
		log = call("getProgramInfoLog", objects[id]).String()
		DeleteProgram(id)
		return 0, log, false
	}
	return id, "", true
}

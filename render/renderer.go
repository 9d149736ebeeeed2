package render

import (
	"fmt"
	"math"

	"github.com/mlange-42/arche/ecs"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/physics/meshio"
	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render/internal/gl"
)

// Renderer draws a world into its own framebuffer, which [Window.Present] shows and
// [Renderer.Image] reads. It belongs to the OpenGL context that was current when it was made. Use
// it on the main goroutine.
type Renderer struct {
	Style Style // colours, lights, outlines
	Lines Lines // debug lines of the next frame, world
	HUD   HUD   // panels and text of the next frame, over the image

	// PaintView, if not nil, is called for each view that is drawn, and adds lines to that view
	// alone, such as handles, whose size depends on the view.
	PaintView func(l *Lines, v picking.View)

	viewLines   Lines // of PaintView
	scene       scene
	meshes      gpuMeshes
	instances   *buffer
	list        []instance
	batches     []batch
	planes      []int   // indices of items
	transparent []batch // one instance each
	picture     target
	resolved    target
	shadows     shadowCaster
	programs    struct{ lit, small, shadow, sky, plane, mark, outline, line *program }
	screen      *vertexArray // no attributes, for the sky
	square      *vertexArray // corners of a plane
	corners     *buffer
	lineQuads   *vertexArray
	lineData    *buffer
	strokes     *vertexArray
	strokeData  *buffer
	stroker     stroker
	hud         hudDrawer
	samples     int32 // the largest number that the driver supports
	stats       Stats
}

// Stats are counts of the last [Renderer.Draw].
type Stats struct {
	Items     int // shapes drawn, in all views; a compound has several
	Batches   int // draw calls for them
	Triangles int
	Lines     int
	Samples   int // per pixel, for antialiasing
}

// Stats returns the counts of the last [Renderer.Draw].
func (r *Renderer) Stats() Stats { return r.stats }

// NewRenderer makes a renderer in the current context, with the [DefaultStyle]. It returns an error
// if no context is current, as before [Open]; with file and line of the shader, if the driver
// rejects a shader; or if it cannot make a framebuffer.
func NewRenderer() (r *Renderer, err error) {
	if err := checkContext("NewRenderer"); err != nil {
		return nil, err
	}
	r = &Renderer{Style: DefaultStyle()}
	defer func() {
		if err != nil {
			r.Close()
			r = nil
		}
	}()
	for _, p := range []struct {
		to    **program
		files []string
	}{
		{&r.programs.lit, []string{"lit.vert", "lit.frag"}},
		{&r.programs.small, []string{"small.vert", "small.frag"}},
		{&r.programs.shadow, []string{"shadow.vert", "depth.frag"}},
		{&r.programs.sky, []string{"sky.vert", "sky.frag"}},
		{&r.programs.plane, []string{"plane.vert", "plane.frag"}},
		{&r.programs.mark, []string{"mark.vert", "depth.frag"}},
		{&r.programs.outline, []string{"outline.vert", "flat.frag"}},
		{&r.programs.line, []string{"line.vert", "line.frag"}},
	} {
		if *p.to, err = newProgram(p.files...); err != nil {
			return r, err
		}
	}
	r.samples = gl.GetInteger(gl.MAX_SAMPLES)
	r.instances = newBuffer(gl.ARRAY_BUFFER)
	r.meshes.open()
	r.screen = newVertexArray()
	r.square, r.corners = newVertexArray(), newBuffer(gl.ARRAY_BUFFER)
	r.square.bind()
	fill(r.corners, []float32{-1, -1, 1, -1, -1, 1, 1, 1}, gl.STATIC_DRAW)
	r.square.attributes([]attribute{{0, 2, gl.FLOAT, false, 0}}, 8, 0, 0)
	r.lineQuads, r.lineData = newVertexArray(), newBuffer(gl.ARRAY_BUFFER)
	r.strokes, r.strokeData = newVertexArray(), newBuffer(gl.ARRAY_BUFFER)
	if err = r.shadows.open(); err != nil {
		return r, err
	}
	err = r.hud.open()
	return r, err
}

// checkContext returns an error unless a context is current on this thread.
func checkContext(caller string) error {
	if err := gl.Init(); err != nil {
		return fmt.Errorf("render: %s: %w; call Open first, on this goroutine", caller, err)
	}
	return nil
}

// Close frees the renderer's objects on the graphics card. Its context has to be current. A second
// Close does nothing.
func (r *Renderer) Close() {
	p := &r.programs
	for _, p := range []*program{p.lit, p.small, p.shadow, p.sky, p.plane, p.mark, p.outline, p.line} {
		p.close()
	}
	r.meshes.close()
	r.screen.close()
	r.square.close()
	r.lineQuads.close()
	r.strokes.close()
	for _, b := range []*buffer{r.instances, r.corners, r.lineData, r.strokeData} {
		b.close()
	}
	r.picture.close()
	r.resolved.close()
	r.shadows.close()
	r.hud.close()
}

// Upload sends a mesh to the graphics card as the parts it was made of, with their own normals,
// colours and textures, and keeps it there until Close. The colour of an item's [Material] is
// multiplied by those of the vertices, of the part's material and of its texture, which has holes
// where alpha is below the material's cutoff, or below a half if it blends. Without Upload a mesh
// is sent when it is first drawn, in one colour, with normals that are smoothed where faces meet at
// less than 35°.
//
// The error names textures that cannot be drawn: their parts are drawn without. Rays, outlines,
// shadows and the [IDBuffer] know no holes; see [meshio.Part.UVAt].
func (r *Renderer) Upload(m *mesh.Mesh, parts ...meshio.Part) error {
	s, err := r.meshes.upload(parts)
	key := triangleSource{mesh: m}
	r.meshes.bySource[key].close()
	r.meshes.bySource[key] = s
	if err != nil {
		return fmt.Errorf("render: Renderer.Upload: %w", err)
	}
	return nil
}

// Draw draws a world as seen by a view: entities with a Transform, a [Material] and a Collider or a
// [Visual], outlines around those in physecs.Hover and physecs.Selection, then Lines and HUD, which
// it empties. The image has the size of the view's framebuffer; outside the viewport it has the
// colour Style.SkyBottom. If the viewport is empty, as while the window is minimised, nothing is
// drawn, but Lines and HUD are emptied.
//
// Everything is drawn relative to the camera. Patterns fixed to the ground, such as the grids of
// planes, are placed by the origin of physecs.Space: rebasing the space and the camera does not
// change the image.
//
// It returns an error if the driver cannot make a framebuffer of that size or reports an OpenGL
// error. Panics if the world is locked at the first call.
func (r *Renderer) Draw(w *ecs.World, v picking.View) error { return r.DrawViews(w, v) }

// DrawViews draws a world as seen by several views of one framebuffer, such as those of
// physecs.Views: each into its viewport, over those before it. Lines are drawn in all of them,
// except those of PaintView, and the HUD once over all. Errors and edge cases are those of
// [Renderer.Draw]. Panics if the views differ in their framebuffer or window.
func (r *Renderer) DrawViews(w *ecs.World, views ...picking.View) error {
	if w == nil {
		panic("render: Renderer.DrawViews: the world is nil")
	}
	if r.programs.lit == nil {
		panic("render: Renderer.DrawViews: the renderer was not made by NewRenderer")
	}
	defer r.Lines.Clear()
	defer r.HUD.end()
	if len(views) == 0 {
		return nil
	}
	window, size := views[0].Window, views[0].Framebuffer
	for _, v := range views {
		if v.Window != window || v.Framebuffer != size {
			panic("render: Renderer.DrawViews: the views differ in framebuffer or window")
		}
	}
	r.HUD.Resize(window)
	shapes := r.HUD.begin()
	if size.Width <= 0 || size.Height <= 0 {
		return nil
	}
	if err := r.resize(size); err != nil {
		return err
	}
	forgetErrors()
	r.stats = Stats{Samples: int(max(r.picture.samples, 1)), Lines: r.Lines.Len()}
	scale := 1.0
	if window.Height > 0 {
		scale = float64(size.Height) / float64(window.Height)
	}
	r.picture.bind()
	resetState()
	gl.Viewport(0, 0, int32(size.Width), int32(size.Height))
	bottom := plain(r.Style.SkyBottom)
	gl.ClearColor(bottom[0], bottom[1], bottom[2], 1)
	gl.ClearDepth(1)
	gl.Clear(gl.COLOR_BUFFER_BIT)
	for _, v := range views {
		r.drawView(w, v, scale, len(views) > 1)
	}
	gl.BindFramebuffer(gl.READ_FRAMEBUFFER, r.picture.id)
	gl.BindFramebuffer(gl.DRAW_FRAMEBUFFER, r.resolved.id)
	gl.BlitColor(int32(size.Width), int32(size.Height), int32(size.Width), int32(size.Height), gl.NEAREST)
	r.resolved.bind()
	gl.Viewport(0, 0, int32(size.Width), int32(size.Height))
	r.hud.draw(shapes, size, float32(scale))
	r.meshes.sweep()
	if code := gl.GetError(); code != gl.NO_ERROR {
		return fmt.Errorf("render: Renderer.Draw: OpenGL error %#x", code)
	}
	return nil
}

// drawView draws a world into the viewport of one view. scale is framebuffer pixels per window
// pixel; several is set if there are other views.
func (r *Renderer) drawView(w *ecs.World, v picking.View, scale float64, several bool) {
	f, ok := newFrame(v)
	if !ok {
		return
	}
	if s, has := w.Resources().Get(ecs.ResourceID[physecs.Space](w)).(*physecs.Space); has {
		f.origin = s.Physics().Origin()
	}
	r.gather(w, &f)
	r.shadows.draw(r, &f)
	if several {
		// Mesa's software renderer reads shadow maps in the vertex shader without waiting for them,
		// if they have been bound earlier in the frame. Without gl.Finish some pixels of small
		// items are lit by an unfinished map.
		gl.Finish()
	}
	r.picture.bind()
	resetState()
	gl.Viewport(int32(v.X), int32(v.Y), int32(v.Width), int32(v.Height))
	gl.Scissor(int32(v.X), int32(v.Y), int32(v.Width), int32(v.Height))
	gl.Enable(gl.SCISSOR_TEST)
	gl.Clear(gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT)
	r.drawSky(&f)
	r.drawOpaque(&f)
	r.drawPlanes(&f)
	r.drawTransparent(&f)
	r.drawOutlines(w, &f, scale)
	r.drawLines(&f, scale, &r.Lines)
	if r.PaintView != nil {
		r.viewLines.Clear()
		r.PaintView(&r.viewLines, v)
		r.stats.Lines += r.viewLines.Len()
		r.drawLines(&f, scale, &r.viewLines)
	}
	gl.Disable(gl.SCISSOR_TEST)
}

func (r *Renderer) resize(size picking.Size) error {
	samples := min(int32(r.Style.Samples), r.samples)
	if samples <= 1 {
		samples = 0
	}
	if err := r.picture.resize(size, samples,
		attachment{gl.COLOR_ATTACHMENT0, gl.RGBA8}, attachment{gl.DEPTH_STENCIL_ATTACHMENT, gl.DEPTH24_STENCIL8}); err != nil {
		return err
	}
	return r.resolved.resize(size, 0, attachment{gl.COLOR_ATTACHMENT0, gl.RGBA8})
}

// resetState sets the OpenGL state that every pass expects, whatever the game's own drawing has
// set.
func resetState() {
	for _, c := range []uint32{gl.SCISSOR_TEST, gl.STENCIL_TEST, gl.BLEND, gl.CULL_FACE, gl.DEPTH_CLAMP, gl.POLYGON_OFFSET_FILL,
		gl.FRAMEBUFFER_SRGB, gl.PRIMITIVE_RESTART, gl.SAMPLE_ALPHA_TO_COVERAGE} {
		gl.Disable(c)
	}
	gl.Enable(gl.DEPTH_TEST)
	gl.DepthFunc(gl.LEQUAL)
	gl.DepthMask(true)
	gl.ColorMask(true, true, true, true)
	gl.StencilMask(0xff)
	gl.CullFace(gl.BACK)
	gl.FrontFace(gl.CCW)
	gl.BlendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA)
	gl.BlendEquation(gl.FUNC_ADD)
	gl.PolygonFill()
}

// gather lists the items to draw and sends their instances to the graphics card.
func (r *Renderer) gather(w *ecs.World, f *frame) {
	r.scene.colliders = r.Style.Colliders
	r.scene.collect(w, true)
	r.cull(f)
	r.scene.sort()
	r.list, r.batches, r.planes, r.transparent = r.list[:0], r.batches[:0], r.planes[:0], r.transparent[:0]
	for i := range r.scene.items {
		it := &r.scene.items[i]
		r.list = append(r.list, f.instanceOf(it)) // planes too, so that instance i is item i
		if it.kind == itemPlane {
			r.planes = append(r.planes, i)
			continue
		}
		s := r.meshes.of(it)
		r.stats.Triangles += int(s.count / 3)
		if it.isTransparent() {
			r.transparent = append(r.transparent, batch{mesh: s, first: i, n: 1, mirrored: it.mirrored})
			continue
		}
		last := len(r.batches) - 1
		if last < 0 || r.batches[last].mesh != s || r.batches[last].mirrored != it.mirrored ||
			r.batches[last].small != it.small || r.batches[last].first+r.batches[last].n != i {
			r.batches = append(r.batches, batch{
				mesh: s, first: i, mirrored: it.mirrored, small: it.small,
				closed: it.kind == itemRounded || it.source.mesh == nil, round: isRound(it) == 1,
			})
			last++
		}
		r.batches[last].n++
		r.batches[last].radius = math.Max(r.batches[last].radius, it.size)
	}
	fill(r.instances, r.list, gl.STREAM_DRAW)
	r.stats.Items += len(r.list)
	r.stats.Batches += len(r.batches) + len(r.transparent)
}

// cull drops items that are outside the view and too far away to cast a visible shadow, and chooses
// the level of detail of the others.
func (r *Renderer) cull(f *frame) {
	planes := picking.FrustumOf(f.clip, picking.ClipMinusOneToOne)
	reach := float64(r.Style.ShadowRange)
	kept := r.scene.items[:0]
	for i := range r.scene.items {
		it := &r.scene.items[i]
		center, radius := it.bounds()
		center = center.Sub(f.camera)
		if it.kind != itemPlane && center.Len()-radius > reach &&
			!planes.OverlapsSphere(geom.Sphere{Center: center.Narrow(), Radius: float32(radius * (1 + 1e-6))}) {
			continue
		}
		it.center, it.reach = center, radius
		if it.kind != itemPlane {
			it.detail(f)
		}
		kept = append(kept, *it)
	}
	r.scene.items = kept
}

// detail chooses an item's level of detail.
func (it *item) detail(f *frame) {
	pixels := f.metre / math.Max(it.center.Len()-it.reach, 0) // framebuffer pixels per metre
	if f.rays.parallel {
		pixels = f.metre
	}
	it.small = it.reach*pixels <= smallRadius && !(it.kind == itemTriangles && it.source.count() > smallTriangles)
	if it.kind == itemRounded && it.radius > 0 {
		scale := math.Max(column(it.model, 0).Len(), math.Max(column(it.model, 1).Len(), column(it.model, 2).Len()))
		it.size = float64(it.radius) * scale
		it.level = levelOf(it.size * pixels)
	}
}

// Items within a circle of smallRadius framebuffer pixels and with at most smallTriangles triangles
// are lit per vertex. Per pixel, lighting takes twenty samples of the shadow maps, and a triangle
// of one or two pixels costs as much as the 2×2 block around it. On larger items the difference
// would be visible.
const (
	smallRadius    = 10
	smallTriangles = 300
)

// drawBatches draws the small items, or all others, with the program in use. mirrored is set if the
// view mirrors the image.
func (r *Renderer) drawBatches(small, mirrored bool) {
	gl.Enable(gl.CULL_FACE)
	for _, b := range r.batches {
		if b.small == small {
			frontFace(b.mirrored != mirrored)
			b.mesh.draw(r.instances, b.first, b.n)
		}
	}
	gl.FrontFace(gl.CCW)
	gl.Disable(gl.CULL_FACE)
}

func frontFace(mirrored bool) {
	if mirrored {
		gl.FrontFace(gl.CW)
	} else {
		gl.FrontFace(gl.CCW)
	}
}

func (r *Renderer) drawSky(f *frame) {
	p := r.programs.sky
	p.use()
	setVec(p, "uDir", f.rays.dir.Narrow())
	setVec(p, "uDirX", f.rays.dirX.Narrow())
	setVec(p, "uDirY", f.rays.dirY.Narrow())
	setColor(p, "uTop", plain(r.Style.SkyTop))
	setColor(p, "uHorizon", plain(r.Style.SkyHorizon))
	setColor(p, "uBottom", plain(r.Style.SkyBottom))
	gl.DepthMask(false)
	gl.Disable(gl.DEPTH_TEST)
	r.screen.bind()
	gl.DrawArrays(gl.TRIANGLES, 0, 3)
	gl.Enable(gl.DEPTH_TEST)
	gl.DepthMask(true)
}

func setVec(p *program, name string, v geom.Vec3)    { p.setFloat(name, v.X, v.Y, v.Z) }
func setColor(p *program, name string, c [4]float32) { p.setFloat(name, c[0], c[1], c[2]) }

// setLight sets the uniforms of shaders/light.glsl.
func (r *Renderer) setLight(p *program, f *frame) {
	s := &r.Style
	r.meshes.white.bind(paintUnit)
	p.setInt("uPaint", paintUnit)
	setVec(p, "uKeyDir", r.shadows.keyDir(s))
	setColor(p, "uKeyColor", scaled(linear(s.KeyColor), s.KeyStrength))
	setColor(p, "uSkyLight", scaled(linear(s.SkyLight), s.AmbientLight))
	setColor(p, "uGroundLight", scaled(linear(s.GroundLight), s.AmbientLight))
	e := f.eye()
	p.setFloat("uEye", e[:]...)
	h := plain(s.SkyHorizon)
	p.setFloat("uHaze", h[0], h[1], h[2], r.haze(f))
	fog := float32(0)
	if s.Fog > 0 && !f.rays.parallel {
		fog = 1 / s.Fog
	}
	p.setFloat("uFog", fog)
	r.shadows.set(p)
}

func scaled(c [4]float32, by float32) [4]float32 {
	return [4]float32{c[0] * by, c[1] * by, c[2] * by, 1}
}

func (r *Renderer) drawOpaque(f *frame) {
	for _, small := range [...]bool{false, true} {
		p := r.programs.lit
		if small {
			p = r.programs.small
		}
		p.use()
		r.setLight(p, f)
		r.drawBatches(small, f.mirrored)
	}
}

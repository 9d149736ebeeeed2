package render

import (
	"fmt"
	"math"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render/internal/gl"
)

// IDBuffer is an image with the entity seen at each pixel. The graphics card draws it; it shares
// nothing with ray queries except the colliders, so each can be tested against the other. Both
// agree on every pixel whose centre is farther than 1/256 pixel from a projected edge, unless two
// surfaces are at the same distance.
//
// It contains what can be picked: every entity with a Transform and a Collider, with or without a
// [Material], except sensors, Unpickable entities, entities whose physecs.Pickable makes the
// pointer ignore them, and solids seen from inside. Meshes and hulls are drawn as triangles; planes
// and the other solids are intersected with the ray of each pixel. It belongs to the context that
// was current when it was made.
type IDBuffer struct {
	// Cull is the side of meshes and planes that is not drawn. [NewIDBuffer] sets it to the back,
	// as picking.PickFilter does. With another value the image agrees with rays of that Cull.
	Cull geom.Cull

	scene     scene
	target    target
	shape     *program
	triangles *program
	corners   *buffer
	indices   *buffer
	box       *vertexArray
	meshes    map[triangleSource]*idMesh
	entities  []ecs.Entity // by the number in the buffer − 1
	pixels    []uint32
	frame     int
}

// idMesh is a mesh or a hull on the graphics card: for each corner of a triangle all three.
type idMesh struct {
	array   *vertexArray
	corners *buffer
	count   int32
	used    int
}

// NewIDBuffer makes an ID buffer in the current context. It returns an error if the driver rejects
// a shader.
func NewIDBuffer() (b *IDBuffer, err error) {
	if err := checkContext("NewIDBuffer"); err != nil {
		return nil, err
	}
	b = &IDBuffer{Cull: picking.PickFilter().Cull, meshes: map[triangleSource]*idMesh{}}
	defer func() {
		if err != nil {
			b.Close()
			b = nil
		}
	}()
	if b.shape, err = newProgram("id_shape.vert", "id_shape.frag"); err != nil {
		return b, err
	}
	if b.triangles, err = newProgram("id_mesh.vert", "id_mesh.frag"); err != nil {
		return b, err
	}
	b.box, b.corners = newVertexArray(), newBuffer(gl.ARRAY_BUFFER)
	b.box.bind()
	var corners []geom.Vec3
	for i := range 8 {
		corners = append(corners, geom.V(float32(i&1*2-1), float32(i&2-1), float32(i&4/2-1)))
	}
	// The last three are a triangle that covers the viewport: see id_shape.vert.
	corners = append(corners, geom.V(-1, -1, 0), geom.V(1, -1, 0), geom.V(-1, 1, 0))
	fill(b.corners, corners, gl.STATIC_DRAW)
	b.box.attributes([]attribute{{0, 3, gl.FLOAT, false, 0}}, 12, 0, 0)
	b.indices = newBuffer(gl.ELEMENT_ARRAY_BUFFER)
	fill(b.indices, []uint32{ // counter-clockwise seen from outside
		0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5,
		0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3,
		0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6,
	}, gl.STATIC_DRAW)
	return b, nil
}

// Close frees the buffer's objects on the graphics card. Its context has to be current. A second
// Close does nothing.
func (b *IDBuffer) Close() {
	b.shape.close()
	b.triangles.close()
	b.box.close()
	b.corners.close()
	b.indices.close()
	b.target.close()
	for m, g := range b.meshes {
		g.close()
		delete(b.meshes, m)
	}
}

func (g *idMesh) close() {
	g.array.close()
	g.corners.close()
}

// Draw draws the world as seen by a view and reads the pixels back. The image has the size of the
// view's framebuffer and is empty outside its viewport. It uses the components as they are now; no
// Sync is needed. It returns an error if the driver cannot make a framebuffer of that size or
// reports an OpenGL error. Panics if the world is locked at the first call.
func (b *IDBuffer) Draw(w *ecs.World, v picking.View) error {
	b.pixels, b.entities = b.pixels[:0], b.entities[:0]
	size := v.Framebuffer
	if size.Width <= 0 || size.Height <= 0 {
		b.target.close()
		return nil
	}
	if err := b.target.resize(size, 0,
		attachment{gl.COLOR_ATTACHMENT0, gl.R32UI}, attachment{gl.DEPTH_ATTACHMENT, gl.DEPTH_COMPONENT32F}); err != nil {
		return err
	}
	forgetErrors()
	b.target.bind()
	resetState()
	gl.DepthFunc(gl.LESS)
	gl.ClearUint(0)
	gl.ClearDepthTo(1)
	if f, ok := newFrame(v); ok {
		gl.Viewport(int32(v.X), int32(v.Y), int32(v.Width), int32(v.Height))
		gl.Scissor(int32(v.X), int32(v.Y), int32(v.Width), int32(v.Height))
		gl.Enable(gl.SCISSOR_TEST)
		gl.Enable(gl.CULL_FACE)
		b.drawAll(w, &f)
		resetState()
	}
	b.frame++
	for m, g := range b.meshes {
		if b.frame-g.used > keepFrames {
			g.close()
			delete(b.meshes, m)
		}
	}
	if n := size.Width * size.Height; cap(b.pixels) < n {
		b.pixels = make([]uint32, n)
	} else {
		b.pixels = b.pixels[:n]
	}
	gl.PixelStorei(gl.PACK_ALIGNMENT, 4)
	gl.ReadPixels(int32(size.Width), int32(size.Height), gl.RED_INTEGER, gl.UNSIGNED_INT, bytesOf(b.pixels))
	if code := gl.GetError(); code != gl.NO_ERROR {
		return fmt.Errorf("render: IDBuffer.Draw: OpenGL error %#x", code)
	}
	return nil
}

// Size returns the size of the image, in framebuffer pixels.
func (b *IDBuffer) Size() picking.Size { return b.target.size }

// Entity returns the entity at a framebuffer pixel, py counted from the bottom as in
// picking.Viewport. It returns false if there is none, or the pixel is outside the image.
func (b *IDBuffer) Entity(px, py int) (ecs.Entity, bool) {
	size := b.target.size
	if px < 0 || py < 0 || px >= size.Width || py >= size.Height || len(b.pixels) == 0 {
		return ecs.Entity{}, false
	}
	n := b.pixels[py*size.Width+px]
	if n == 0 {
		return ecs.Entity{}, false
	}
	return b.entities[n-1], true
}

// drawAll draws every pickable item.
func (b *IDBuffer) drawAll(w *ecs.World, f *frame) {
	b.scene.collect(w, false)
	for i := range b.scene.items {
		it := &b.scene.items[i]
		if !it.pickable {
			continue
		}
		if n := len(b.entities); n == 0 || b.entities[n-1] != it.entity {
			b.entities = append(b.entities, it.entity)
		}
		if it.kind == itemTriangles && !it.source.isTaper() {
			b.drawMesh(it, f)
		} else {
			b.drawShape(it, f)
		}
	}
}

// start uses a program with the pixels' rays in the item's local space. It returns false if the
// model has no inverse.
func (b *IDBuffer) start(p *program, it *item, f *frame) bool {
	m := f.place(it.model)
	inverse, ok := m.Inverse()
	if !ok {
		return false
	}
	p.use()
	rays := f.rays.into(inverse)
	setVec(p, "uFrom", rays.from.Narrow())
	setVec(p, "uFromX", rays.fromX.Narrow())
	setVec(p, "uFromY", rays.fromY.Narrow())
	setVec(p, "uDir", rays.dir.Narrow())
	setVec(p, "uDirX", rays.dirX.Narrow())
	setVec(p, "uDirY", rays.dirY.Narrow())
	p.setFloat("uRange", float32(rays.near), float32(math.Min(rays.far, 1e37)))
	v := f.viewport
	p.setFloat("uViewport", float32(v.X), float32(v.Y), 2/float32(v.Width), 2/float32(v.Height))
	// A floating-point depth buffer has the same relative resolution at all distances if it stores
	// the distance itself. It stores values from 0 to 1; scaling by a power of two is exact.
	depth, parallel := float32(math.Ldexp(1, -64)), float32(0)
	if rays.parallel {
		depth, parallel = 1, 1
	}
	p.setFloat("uParallel", parallel)
	p.setFloat("uDepth", depth)
	p.setUint("uID", uint32(len(b.entities)))
	p.setMatrix("uClip", f.clip.Mul(m).Float32())
	return true
}

func (b *IDBuffer) drawShape(it *item, f *frame) {
	p := b.shape
	if !b.start(p, it, f) {
		return
	}
	b.box.bind()
	if it.kind == itemPlane {
		p.setInt("uKind", 3)
		n := it.plane.Normal
		p.setFloat("uPlane", n.X, n.Y, n.Z, it.plane.D)
		p.setFloat("uCulled", asFloat(b.Cull.Culls(true))-asFloat(b.Cull.Culls(false)))
		p.setFloat("uWhole", 1)
		gl.Disable(gl.CULL_FACE)
		gl.DrawArrays(gl.TRIANGLES, 8, 3)
		gl.Enable(gl.CULL_FACE)
		return
	}
	kind := int32(2)
	switch {
	case it.source.isTaper():
		kind = 4
	case it.radius == 0:
		kind = 0
	case it.half == geom.Vec3{}:
		kind = 1
	}
	p.setInt("uKind", kind)
	setVec(p, "uHalf", it.half)
	p.setFloat("uRadius", it.radius)
	reach := it.half.Add(geom.V(it.radius, it.radius, it.radius))
	if s := &it.source.taper; kind == 4 {
		low, high, bottom, top := s.frustum()
		p.setFloat("uEnds", low, high, bottom, top)
		p.setFloat("uBalls", s.half, s.bottom, s.top, asFloat(s.balls))
		box := s.bounds()
		reach = box.Max.Max(box.Min.Neg())
	}
	p.setFloat("uWhole", 0)
	// The box is a little larger than the shape, so that rounding on the graphics card cuts nothing
	// off, and so that flat shapes have one. Its far side is drawn, which covers the shape also
	// with the camera inside the box.
	setVec(p, "uReach", reach.Mul(1.01).Add(geom.V(1, 1, 1).Mul(0.01*max(reach.X, reach.Y, reach.Z))))
	frontFace(it.mirrored != f.mirrored)
	gl.CullFace(gl.FRONT)
	gl.DrawElements(gl.TRIANGLES, 36, 0)
	gl.CullFace(gl.BACK)
}

// asFloat returns 1 for true and 0 for false.
func asFloat(b bool) float32 { return float32(asInt(b)) }

func (b *IDBuffer) drawMesh(it *item, f *frame) {
	if !b.start(b.triangles, it, f) {
		return
	}
	g, ok := b.meshes[it.source]
	if !ok {
		g = newIDMesh(it.source)
		b.meshes[it.source] = g
	}
	g.used = b.frame
	g.array.bind()
	frontFace(it.mirrored != f.mirrored)
	if it.source.mesh != nil { // a hull is a solid and has no back
		switch b.Cull {
		case geom.CullNone:
			gl.Disable(gl.CULL_FACE)
		case geom.CullFront:
			gl.CullFace(gl.FRONT)
		}
	}
	gl.DrawArrays(gl.TRIANGLES, 0, g.count)
	gl.Enable(gl.CULL_FACE)
	gl.CullFace(gl.BACK)
}

func newIDMesh(f triangleSource) *idMesh {
	vertices, indices := f.triangles()
	g := &idMesh{array: newVertexArray(), corners: newBuffer(gl.ARRAY_BUFFER), count: int32(len(indices))}
	corners := make([]geom.Triangle, len(indices))
	for i := range corners {
		k := i - i%3
		corners[i] = geom.Triangle{A: vertices[indices[k]], B: vertices[indices[k+1]], C: vertices[indices[k+2]]}
	}
	g.array.bind()
	fill(g.corners, corners, gl.STATIC_DRAW)
	g.array.attributes([]attribute{{0, 3, gl.FLOAT, false, 0}, {1, 3, gl.FLOAT, false, 12}, {2, 3, gl.FLOAT, false, 24}}, 36, 0, 0)
	return g
}

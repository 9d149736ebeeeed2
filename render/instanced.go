package render

import (
	"image"
	"image/color"
	"math"
	"unsafe"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/render/internal/gl"
)

// Instanced drawing: geometry is sent to the graphics card once, and one instance per item and
// frame. Items with the same geometry are one draw call.

// gpuMesh is a geometry on the graphics card.
type gpuMesh struct {
	array      *vertexArray
	vertices   *buffer
	indices    *buffer
	count      int32
	runs       []textured  // nil: all of it is white
	used       int         // the frame in which it was drawn last
	silhouette *silhouette // made when the item is first outlined
}

var vertexAttributes = []attribute{
	{0, 3, gl.FLOAT, false, unsafe.Offsetof(vertex{}.offset)},
	{1, 3, gl.FLOAT, false, unsafe.Offsetof(vertex{}.normal)},
	{2, 3, gl.BYTE, false, unsafe.Offsetof(vertex{}.corner)},
	{3, 3, gl.UNSIGNED_SHORT, true, unsafe.Offsetof(vertex{}.paint) + unsafe.Offsetof(paint{}.fade)},
	{14, 2, gl.FLOAT, false, unsafe.Offsetof(vertex{}.paint) + unsafe.Offsetof(paint{}.uv)},
}

// instance is an item in the format of the shaders: see shaders/instance.glsl.
type instance struct {
	clip          [16]float32
	x, y, z, from geom.Vec3
	color         [4]float32
	half          geom.Vec3
	radius        float32
}

var instanceAttributes = []attribute{
	{4, 4, gl.FLOAT, false, unsafe.Offsetof(instance{}.clip)},
	{5, 4, gl.FLOAT, false, unsafe.Offsetof(instance{}.clip) + 16},
	{6, 4, gl.FLOAT, false, unsafe.Offsetof(instance{}.clip) + 32},
	{7, 4, gl.FLOAT, false, unsafe.Offsetof(instance{}.clip) + 48},
	{8, 3, gl.FLOAT, false, unsafe.Offsetof(instance{}.x)},
	{9, 3, gl.FLOAT, false, unsafe.Offsetof(instance{}.y)},
	{10, 3, gl.FLOAT, false, unsafe.Offsetof(instance{}.z)},
	{11, 3, gl.FLOAT, false, unsafe.Offsetof(instance{}.from)},
	{12, 4, gl.FLOAT, false, unsafe.Offsetof(instance{}.color)},
	{13, 4, gl.FLOAT, false, unsafe.Offsetof(instance{}.half)},
}

const (
	vertexBytes   = unsafe.Sizeof(vertex{})
	instanceBytes = unsafe.Sizeof(instance{})
)

func newGPUMesh(g geometry) *gpuMesh {
	s := &gpuMesh{array: newVertexArray(), vertices: newBuffer(gl.ARRAY_BUFFER), count: int32(len(g.indices))}
	s.array.bind()
	fill(s.vertices, g.vertices, gl.STATIC_DRAW)
	s.array.attributes(vertexAttributes, vertexBytes, 0, 0)
	s.indices = newBuffer(gl.ELEMENT_ARRAY_BUFFER)
	fill(s.indices, g.indices, gl.STATIC_DRAW)
	return s
}

// draw draws count instances of the bound array buffer, starting at first.
func (s *gpuMesh) draw(instances *buffer, first, count int) {
	s.array.bind()
	gl.BindBuffer(gl.ARRAY_BUFFER, instances.id)
	s.array.attributes(instanceAttributes, instanceBytes, uintptr(first)*instanceBytes, 1)
	if s.runs == nil {
		gl.DrawElementsInstanced(gl.TRIANGLES, s.count, 0, int32(count))
	}
	for _, run := range s.runs {
		run.texture.bind(paintUnit)
		gl.DrawElementsInstanced(gl.TRIANGLES, int32(run.count), 4*run.first, int32(count))
	}
}

func (s *gpuMesh) close() {
	if s != nil {
		s.array.close()
		s.vertices.close()
		s.indices.close()
	}
}

// instanceOf returns an item in the format of the shaders.
func (f *frame) instanceOf(it *item) instance {
	m := f.place(it.model)
	c := linear(it.material.Color)
	c[3] = min(max(it.material.Gloss, 0), 1)
	in := instance{
		clip: f.clip.Mul(m).Float32(),
		x:    column(m, 0).Narrow(), y: column(m, 1).Narrow(), z: column(m, 2).Narrow(), from: column(m, 3).Narrow(),
		color: c, half: it.half, radius: it.radius,
	}
	if it.kind == itemTriangles {
		in.radius, in.half = 1, geom.Vec3{}
	}
	return in
}

// batch is a run of instances with one geometry.
type batch struct {
	mesh     *gpuMesh
	first, n int
	mirrored bool
	small    bool
	closed   bool // seen from outside only
	round    bool
	radius   float64 // of the largest item, if round; metres
}

// gpuMeshes holds the geometries on the graphics card.
type gpuMeshes struct {
	sharp    *gpuMesh                   // boxes
	round    [len(roundLevels)]*gpuMesh // spheres and capsules
	bySource map[triangleSource]*gpuMesh
	white    *texture
	textures map[textureKey]*texture // of uploaded parts, until close
	frame    int
}

// roundLevels are the levels of detail of round shapes: the number of segments in a quarter circle,
// and the largest radius in framebuffer pixels for which it is used. The outline of the polygon is
// then at most half a pixel inside the circle. Picking uses the exact sphere: see IDBuffer.
var roundLevels = [...]struct {
	segments int
	radius   float64
}{{1, 1.15}, {2, 3.6}, {3, 7.7}, {4, 13}, {8, 52}, {16, 207}, {32, math.Inf(1)}}

// levelOf returns the level of detail for a radius in framebuffer pixels.
func levelOf(pixels float64) uint8 {
	for i, l := range roundLevels {
		if pixels <= l.radius {
			return uint8(i)
		}
	}
	return uint8(len(roundLevels) - 1) // NaN
}

// coarse returns a geometry for a batch in an image with pixels of a given size in metres: that of
// the batch, or a coarser one that is accurate enough.
func (s *gpuMeshes) coarse(b *batch, pixel float64) *gpuMesh {
	if !b.round {
		return b.mesh
	}
	c := s.round[levelOf(b.radius/pixel)]
	if c.count < b.mesh.count {
		return c
	}
	return b.mesh
}

// form returns the geometry of a box, a sphere or a capsule.
func (it *item) form() geometry {
	if it.radius > 0 {
		return capsuleForm(roundLevels[it.level].segments)
	}
	return boxForm()
}

// keepFrames is the number of frames after which a mesh or hull that is no longer drawn is freed.
const keepFrames = 600

func (s *gpuMeshes) open() {
	s.sharp = newGPUMesh(boxForm())
	for i, l := range roundLevels {
		s.round[i] = newGPUMesh(capsuleForm(l.segments))
	}
	s.bySource, s.textures = map[triangleSource]*gpuMesh{}, map[textureKey]*texture{}
	white := image.NewNRGBA(image.Rect(0, 0, 1, 1))
	white.Set(0, 0, color.White)
	s.white = newPaint(white)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST) // which is faster
}

// of returns the geometry of an item, and sends it to the graphics card if it is not there.
func (s *gpuMeshes) of(it *item) *gpuMesh {
	switch {
	case it.kind == itemTriangles:
		g, ok := s.bySource[it.source]
		if !ok {
			g = newGPUMesh(it.source.geometry())
			s.bySource[it.source] = g
		}
		g.used = s.frame
		return g
	case it.radius > 0:
		return s.round[it.level]
	}
	return s.sharp
}

// silhouette returns the silhouette of an item, valid until the next call.
func (s *gpuMeshes) silhouette(it *item) *silhouette {
	g := s.of(it)
	if it.kind == itemTriangles {
		if g.silhouette == nil {
			g.silhouette = newMeshSilhouette(it.source.triangles())
		}
		return g.silhouette
	}
	if g.silhouette == nil {
		g.silhouette = newRoundedSilhouette(it.form())
	}
	g.silhouette.fit(it.half, it.radius)
	return g.silhouette
}

// sweep frees meshes and hulls that have not been drawn for keepFrames.
func (s *gpuMeshes) sweep() {
	s.frame++
	for m, g := range s.bySource {
		if s.frame-g.used > keepFrames {
			g.close()
			delete(s.bySource, m)
		}
	}
}

func (s *gpuMeshes) close() {
	s.sharp.close()
	for _, r := range s.round {
		r.close()
	}
	for _, g := range s.bySource {
		g.close()
	}
	clear(s.bySource)
	s.white.close()
	for _, t := range s.textures {
		t.close()
	}
	clear(s.textures)
}

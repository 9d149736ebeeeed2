package render

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/render/internal/gl"
)

// shadowCaster draws the scene as seen by two lights: the key light, and the sky straight above.
// The sky's map gives the openness of a place (ambient occlusion), the soft darkness under objects.
type shadowCaster struct {
	key, above       *shadowMap
	keyMap, aboveMap geom.Mat4
	texel            float32
	on               bool
}

// texelsOff is how many texels the shadow of a round item may be off for each half pixel that its
// outline may be off in the image. The edge of a shadow is blurred over more than that.
const texelsOff = 2

const (
	keyMapSize   = 2048 // texels; twice as many cost four times as much for little gain
	aboveMapSize = 256  // texels; coarse on purpose: large texels blur the steps of the few samples
)

func (s *shadowCaster) open() (err error) {
	if s.key, err = newShadowMap(keyMapSize); err != nil {
		return err
	}
	s.above, err = newShadowMap(aboveMapSize)
	return err
}

func (s *shadowCaster) close() {
	s.key.close()
	s.above.close()
}

func (s *shadowCaster) keyDir(style *Style) geom.Vec3 {
	if d := style.KeyLight.Normalize(); d != (geom.Vec3{}) {
		return d
	}
	return geom.V(0, 1, 0)
}

// draw draws both maps.
func (s *shadowCaster) draw(r *Renderer, f *frame) {
	s.on = false
	if !r.Style.Shadows || len(r.batches) == 0 {
		return
	}
	center, radius, ok := r.casters(f)
	if !ok {
		return
	}
	s.on = true
	s.keyMap = lightMap(s.keyDir(&r.Style).Wide(), center, radius, f.camera.Add(f.origin), keyMapSize)
	s.aboveMap = lightMap(geom.DVec3{Y: 1}, center, radius, f.camera.Add(f.origin), aboveMapSize)
	s.texel = float32(2 * radius / keyMapSize)

	p := r.programs.shadow
	p.use()
	resetState()
	// Casters in front of the map's near plane still cast a shadow.
	gl.Enable(gl.DEPTH_CLAMP)
	gl.Enable(gl.POLYGON_OFFSET_FILL)
	gl.PolygonOffset(1.5, 2)
	for _, m := range []struct {
		to     *shadowMap
		matrix geom.Mat4
	}{{s.key, s.keyMap}, {s.above, s.aboveMap}} {
		gl.BindFramebuffer(gl.FRAMEBUFFER, m.to.id)
		gl.Viewport(0, 0, m.to.size, m.to.size)
		gl.ClearDepth(1)
		gl.Clear(gl.DEPTH_BUFFER_BIT)
		p.setMatrix("uLight", m.matrix.Float32())
		for i := range r.batches {
			b := &r.batches[i]
			if b.closed { // open meshes cast shadows with both sides
				gl.Enable(gl.CULL_FACE)
				frontFace(b.mirrored != (determinant(m.matrix) > 0))
			} else {
				gl.Disable(gl.CULL_FACE)
			}
			r.meshes.coarse(b, 2*texelsOff*radius/float64(m.to.size)).draw(r.instances, b.first, b.n)
		}
	}
	gl.Disable(gl.CULL_FACE)
	gl.FrontFace(gl.CCW)
	gl.Disable(gl.DEPTH_CLAMP)
	gl.Disable(gl.POLYGON_OFFSET_FILL)
}

// casters returns a sphere, relative to the camera, around everything that may cast a visible
// shadow: items within the style's range or, seen from afar, not much farther away than the
// nearest. Its radius is rounded up to steps, so that shadows do not flicker while objects move.
func (r *Renderer) casters(f *frame) (center geom.DVec3, radius float64, ok bool) {
	nearest := math.Inf(1)
	for i := range r.scene.items {
		if it := &r.scene.items[i]; !math.IsInf(it.reach, 1) {
			nearest = math.Min(nearest, it.center.Len()-it.reach)
		}
	}
	limit := math.Max(float64(r.Style.ShadowRange), 2*nearest)
	box := geom.EmptyAABB()
	for i := range r.scene.items {
		it := &r.scene.items[i]
		if it.reach > 2*limit || it.center.Len()-it.reach > limit {
			continue
		}
		v, d := it.center.Narrow(), float32(it.reach)
		box = box.Union(geom.AABB{Min: v.Sub(geom.V(d, d, d)), Max: v.Add(geom.V(d, d, d))})
	}
	if box.IsEmpty() {
		return center, 0, false
	}
	radius = box.HalfExtents().Wide().Len()*1.02 + 1
	radius = math.Exp2(math.Ceil(math.Log2(radius)*4) / 4)
	return box.Center().Wide(), radius, true
}

// lightMap returns the matrix from the world, relative to the camera, to the clip space of a
// directional light around a sphere. The centre is rounded to whole texels in the world, so that
// shadows do not flicker while the camera moves.
func lightMap(dir, center geom.DVec3, radius float64, camera geom.DVec3, size int) geom.Mat4 {
	u, v := planeAxes(dir)
	texel := 2 * radius / float64(size)
	snap := func(axis geom.DVec3) float64 {
		at := center.Add(camera).Dot(axis)
		return center.Dot(axis) + math.Round(at/texel)*texel - at
	}
	cu, cv, cd := snap(u), snap(v), center.Dot(dir)
	k := 1 / radius
	return geom.Mat4{
		u.X * k, v.X * k, -dir.X * k, 0,
		u.Y * k, v.Y * k, -dir.Y * k, 0,
		u.Z * k, v.Z * k, -dir.Z * k, 0,
		-cu * k, -cv * k, cd * k, 1,
	}
}

// set sets the uniforms of the shadow maps.
func (s *shadowCaster) set(p *program) {
	on := float32(0)
	if s.on {
		on = 1
	}
	p.setFloat("uShadows", on)
	// Maps −1…1 to 0…1.
	half := geom.Mat4{0: 0.5, 5: 0.5, 10: 0.5, 12: 0.5, 13: 0.5, 14: 0.5, 15: 1}
	p.setMatrix("uKeyMap", half.Mul(s.keyMap).Float32())
	p.setMatrix("uAboveMap", half.Mul(s.aboveMap).Float32())
	p.setFloat("uTexel", s.texel)
	s.key.texture.bind(0)
	s.above.texture.bind(1)
	p.setInt("uKeyShadow", 0)
	p.setInt("uAboveShadow", 1)
}

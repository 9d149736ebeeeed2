package picking

import (
	"fmt"
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// ClipRange names the range of depths between the near and the far plane behind the division by w,
// which differs from one graphics API to the next. A projection and whoever reads its matrix must
// mean the same range.
type ClipRange uint8

const (
	// ClipMinusOneToOne is OpenGL's own: −1 on the near plane, 1 on the far plane.
	ClipMinusOneToOne ClipRange = iota
	// ClipZeroToOne is that of Direct3D, Vulkan, Metal and WebGPU, and of OpenGL after
	// glClipControl: 0 near, 1 far.
	ClipZeroToOne
	// ClipOneToZero is reversed depth: 1 near, 0 far. Floating-point depths are then about as fine
	// far away as they are near (Reed, 2015, "Depth precision visualized").
	ClipOneToZero
)

// String returns the range as "-1..1", "0..1" or "1..0".
func (c ClipRange) String() string {
	switch c {
	case ClipMinusOneToOne:
		return "-1..1"
	case ClipZeroToOne:
		return "0..1"
	case ClipOneToZero:
		return "1..0"
	}
	return fmt.Sprintf("clip range %d", uint8(c))
}

// limits returns the depths of the near and of the far plane after the division by w.
func (c ClipRange) limits() (near, far float64) {
	switch c {
	case ClipZeroToOne:
		return 0, 1
	case ClipOneToZero:
		return 1, 0
	}
	return -1, 1
}

// depth turns a depth after the division by w into one of the depth buffer, and clip turns it back.
// OpenGL's default glDepthRange is taken for granted.
func (c ClipRange) depth(z float64) float64 {
	if c == ClipMinusOneToOne {
		return float64(z*0.5) + 0.5
	}
	return z
}

func (c ClipRange) clip(depth float64) float64 {
	if c == ClipMinusOneToOne {
		return float64(depth*2) - 1
	}
	return depth
}

type projectionKind uint8

const (
	noProjection projectionKind = iota
	perspective
	orthographic
	explicit // a matrix that somebody else made
)

// Projection is how a camera flattens what is before it: the shape of the space that it sees and
// the range of the depths.
//
// It is a plain value that can be compared and stored. The zero Projection shows nothing: its
// matrix is zero and no ray goes through it.
type Projection struct {
	kind      projectionKind
	clip      ClipRange
	symmetric bool // width follows the viewport's aspect; left and right are not used

	// The rectangle that is seen: on the near plane in perspective, everywhere if orthographic;
	// metres, camera's space.
	left, right, bottom, top float64
	near, far                float64 // distances along the line of sight

	matrix geom.Mat4 // only if explicit
}

// Perspective returns the projection of an eye: fovY is the vertical angle of view in radians, near
// and far are the distances of the clipping planes in metres. The width follows the aspect of the
// viewport. far may be +Inf.
//
// Panics if fovY is not between 0 and π, near is not positive and finite, or far is not beyond
// near.
func Perspective(fovY, near, far float64) Projection {
	if !(fovY > 0 && fovY < math.Pi) {
		panic(fmt.Sprintf("picking: Perspective: fovY %g radians is not between 0 and π", fovY))
	}
	checkNear("Perspective", near)
	checkFar("Perspective", near, far)
	top := near * math.Tan(fovY/2)
	return Projection{kind: perspective, symmetric: true, bottom: -top, top: top, near: near, far: far}
}

// PerspectiveOffCenter returns the projection of an eye through a given rectangle on the near
// plane, as glFrustum does: a tile of a larger picture, one eye of a headset, a window seen aslant.
// The aspect of the viewport is not looked at. far may be +Inf; left beyond right, or bottom above
// top, mirrors the picture.
//
// Panics if a number is NaN or infinite (but far), the rectangle is flat, near is not positive, or
// far is not beyond near.
func PerspectiveOffCenter(left, right, bottom, top, near, far float64) Projection {
	checkRectangle("PerspectiveOffCenter", left, right, bottom, top)
	checkNear("PerspectiveOffCenter", near)
	checkFar("PerspectiveOffCenter", near, far)
	return Projection{kind: perspective, left: left, right: right, bottom: bottom, top: top, near: near, far: far}
}

// Orthographic returns the parallel projection that shows height metres from the lower to the upper
// edge; the width follows the aspect of the viewport. near and far are distances in metres; near
// may be negative, and then things behind the camera's position are seen too, as 2D games like it.
//
// Panics if height is not positive and finite, or near and far are not finite with far beyond near.
func Orthographic(height, near, far float64) Projection {
	if !(height > 0) || math.IsInf(height, 0) {
		panic(fmt.Sprintf("picking: Orthographic: height %g is not positive and finite", height))
	}
	checkFinite("Orthographic", near, far)
	checkFar("Orthographic", near, far)
	return Projection{kind: orthographic, symmetric: true, bottom: -height / 2, top: height / 2, near: near, far: far}
}

// Ortho returns the parallel projection of a given rectangle, as glOrtho does. The aspect of the
// viewport is not looked at; left beyond right, or bottom above top, mirrors the picture.
//
// Panics if a number is NaN or infinite, the rectangle is flat, or far is not beyond near.
func Ortho(left, right, bottom, top, near, far float64) Projection {
	checkRectangle("Ortho", left, right, bottom, top)
	checkFinite("Ortho", near, far)
	checkFar("Ortho", near, far)
	return Projection{kind: orthographic, left: left, right: right, bottom: bottom, top: top, near: near, far: far}
}

// ProjectionOf returns the projection with a matrix that was made elsewhere, for depths in the
// given range. The matrix may hold the view as well, under a [Camera] that stands at the origin
// unturned. It may have an infinite far plane. A matrix without an inverse shows nothing.
//
// Panics if the range is none of the three constants.
func ProjectionOf(m geom.Mat4, clip ClipRange) Projection {
	if clip > ClipOneToZero {
		panic("picking: ProjectionOf: unknown " + clip.String())
	}
	return Projection{kind: explicit, clip: clip, matrix: m}
}

func checkFinite(where string, numbers ...float64) {
	for _, x := range numbers {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			panic(fmt.Sprintf("picking: %s: %g is not finite", where, x))
		}
	}
}

func checkRectangle(where string, left, right, bottom, top float64) {
	checkFinite(where, left, right, bottom, top)
	if left == right || bottom == top {
		panic(fmt.Sprintf("picking: %s: flat rectangle, x %g…%g, y %g…%g", where, left, right, bottom, top))
	}
}

func checkNear(where string, near float64) {
	if !(near > 0) || math.IsInf(near, 0) {
		panic(fmt.Sprintf("picking: %s: near %g is not positive and finite", where, near))
	}
}

func checkFar(where string, near, far float64) {
	if !(far > near) {
		panic(fmt.Sprintf("picking: %s: far %g is not beyond near %g", where, far, near))
	}
}

// WithReversedDepth returns the projection with depth 1 on the near plane and 0 on the far plane:
// see [ClipOneToZero].
func (p Projection) WithReversedDepth() Projection { return p.withClip(ClipOneToZero) }

// WithDepthZeroToOne returns the projection with depth 0 on the near plane and 1 on the far plane:
// see [ClipZeroToOne].
func (p Projection) WithDepthZeroToOne() Projection { return p.withClip(ClipZeroToOne) }

func (p Projection) withClip(clip ClipRange) Projection {
	if p.kind == explicit {
		// The new depth is a + b·old; a stands before w, which is the last row.
		oldNear, oldFar := p.clip.limits()
		newNear, newFar := clip.limits()
		b := (newFar - newNear) / (oldFar - oldNear)
		a := newNear - float64(b*oldNear)
		for i := 2; i < 16; i += 4 {
			p.matrix[i] = float64(b*p.matrix[i]) + float64(a*p.matrix[i+1])
		}
	}
	p.clip = clip
	return p
}

// Clip returns the range of depths for which the projection's matrix is made.
func (p Projection) Clip() ClipRange { return p.clip }

// Planes returns the distances of the near and the far plane, in metres along the line of sight;
// far may be +Inf. For a projection from [ProjectionOf], and for the zero Projection, ok is false.
func (p Projection) Planes() (near, far float64, ok bool) {
	return p.near, p.far, p.kind == perspective || p.kind == orthographic
}

// scaled returns the projection with a rectangle f times as large.
func (p Projection) scaled(f float64) Projection {
	p.left, p.right, p.bottom, p.top = p.left*f, p.right*f, p.bottom*f, p.top*f
	return p
}

// rectangle returns what is seen as its centre and its half extents, which may be negative if
// mirrored.
func (p Projection) rectangle(aspect float64) (x, y, halfX, halfY float64) {
	if p.symmetric {
		return 0, 0, p.top * aspect, p.top
	}
	halfX, halfY = float64((p.right-p.left)/2), float64((p.top-p.bottom)/2)
	return p.left + halfX, p.bottom + halfY, halfX, halfY
}

// Matrix returns the matrix from the camera's space (looking along −Z, Y up) to clip space, for a
// viewport aspect times as wide as it is high. It is zero if the projection is, or if an aspect is
// needed and is not positive and finite.
func (p Projection) Matrix(aspect float64) geom.Mat4 {
	if p.kind == explicit {
		return p.matrix
	}
	if p.kind == noProjection || p.symmetric && (!(aspect > 0) || math.IsInf(aspect, 0)) {
		return geom.Mat4{}
	}
	x, y, halfX, halfY := p.rectangle(aspect)
	z, w := p.depthRow()
	if p.kind == perspective {
		return geom.Mat4{
			0: p.near / halfX, 5: p.near / halfY, 8: x / halfX, 9: y / halfY, 10: z, 11: -1, 14: w,
		}
	}
	return geom.Mat4{0: 1 / halfX, 5: 1 / halfY, 10: z, 12: -x / halfX, 13: -y / halfY, 14: w, 15: 1}
}

// depthRow returns the third row of the matrix: what the depth takes from z and from 1. Each range
// has its own formulas, because to derive one from another would lose digits where near is small
// against far.
func (p Projection) depthRow() (z, w float64) {
	n, f := p.near, p.far
	if p.kind == orthographic {
		near, far := p.clip.limits()
		z = (near - far) / (f - n) // near − far, because z is negative before the camera
		return z, near + float64(z*n)
	}
	if math.IsInf(f, 1) {
		switch p.clip {
		case ClipZeroToOne:
			return -1, -n
		case ClipOneToZero:
			return 0, n
		}
		return -1, -2 * n
	}
	d := f - n
	switch p.clip {
	case ClipZeroToOne:
		return -f / d, -n * (f / d)
	case ClipOneToZero:
		return n / d, n * (f / d)
	}
	return -(f + n) / d, -2 * n * (f / d)
}

// line returns the line of sight through a place of the picture, −1 to 1 to the right and upward,
// in the camera's space: the point on the near plane, the unit direction, and the distance from
// there to the far plane, which may be +Inf.
//
// It needs no inverse and does not go by way of the far plane, which may be infinitely far.
func (p Projection) line(x, y, aspect float64) (from, dir geom.DVec3, length float64, ok bool) {
	switch p.kind {
	case perspective, orthographic:
		cx, cy, hx, hy := p.rectangle(aspect)
		from = geom.DVec3{X: cx + float64(x*hx), Y: cy + float64(y*hy), Z: -p.near}
		if p.kind == orthographic {
			return from, geom.DVec3{Z: -1}, p.far - p.near, true
		}
		l := from.Len()
		return from, from.Mul(1 / l), l * ((p.far - p.near) / p.near), true
	case explicit:
		return lineOf(p.matrix, p.clip, x, y)
	}
	return from, dir, 0, false
}

// lineOf does what line does for any matrix. The points of the line are a + z·b in homogeneous
// coordinates. If the far plane is infinitely far, its point has w = 0 and is itself the direction.
func lineOf(m geom.Mat4, clip ClipRange, x, y float64) (from, dir geom.DVec3, length float64, ok bool) {
	inv, ok := m.Inverse()
	if !ok {
		return from, dir, 0, false
	}
	zNear, zFar := clip.limits()
	near, wNear := inv.Apply(geom.DVec3{X: x, Y: y, Z: zNear}, 1)
	far, wFar := inv.Apply(geom.DVec3{X: x, Y: y, Z: zFar}, 1)
	if !(wNear > 0) { // the near plane has to lie before the eye
		return from, dir, 0, false
	}
	from = near.Mul(1 / wNear)
	// far/wFar − near/wNear, times wFar·wNear, which is positive or, at infinity, zero.
	dir = far.Mul(wNear).AddMul(-wFar, near)
	length = math.Inf(1)
	if wFar > infinitelyFar*wNear {
		length = dir.Len() / (wFar * wNear)
	} else if wFar < -infinitelyFar*wNear {
		return from, dir, 0, false // the planes lie on two sides of the eye
	}
	return from, dir.Normalize(), length, true
}

// infinitelyFar is the ratio of near to far from which on a far plane counts as infinitely far. Two
// planes further apart cannot be told from that: their matrix differs from the infinite one by less
// than a few roundings.
const infinitelyFar = 1e-13

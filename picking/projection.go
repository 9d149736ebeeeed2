package picking

import (
	"fmt"
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// ClipRange is the range of depths from the near to the far plane after the division by w. It
// depends on the graphics API. A projection and the renderer that uses its matrix must agree on the
// range.
type ClipRange uint8

const (
	// ClipMinusOneToOne is OpenGL's default: −1 on the near plane, 1 on the far plane.
	ClipMinusOneToOne ClipRange = iota
	// ClipZeroToOne is the range of Direct3D, Vulkan, Metal and WebGPU, and of OpenGL after
	// glClipControl: 0 on the near plane, 1 on the far plane.
	ClipZeroToOne
	// ClipOneToZero is reversed depth: 1 on the near plane, 0 on the far plane. Floating-point
	// depths then have about the same relative resolution at all distances (Reed, 2015, "Depth
	// precision visualized").
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

// depth maps a depth after the division by w to a value of the depth buffer, under OpenGL's default
// glDepthRange. clip is its inverse.
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
	explicit // a matrix made elsewhere
)

// Projection is a camera's projection: the shape of its view frustum and the range of its depths.
//
// It is a plain value that can be compared and stored. The zero Projection shows nothing: its
// matrix is zero and it has no rays.
type Projection struct {
	kind      projectionKind
	clip      ClipRange
	symmetric bool // the width follows the viewport's aspect; left and right are not used

	// The visible rectangle in camera space, metres: on the near plane in perspective, at any
	// distance if orthographic.
	left, right, bottom, top float64
	near, far                float64 // distances along the view direction, metres

	matrix geom.Mat4 // only if explicit
}

// Perspective returns a perspective projection: fovY is the vertical angle of view in radians, near
// and far are the distances of the clipping planes in metres. far may be +Inf. The width follows
// the viewport's aspect.
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

// PerspectiveOffCenter returns the perspective projection through a rectangle on the near plane, as
// glFrustum does: for a tile of a larger image, one eye of a headset, or an oblique window. Lengths
// are in metres. The viewport's aspect is not used. far may be +Inf. If left is greater than right,
// or bottom than top, the image is mirrored.
//
// Panics if a number other than far is NaN or infinite, the rectangle is flat, near is not
// positive, or far is not beyond near.
func PerspectiveOffCenter(left, right, bottom, top, near, far float64) Projection {
	checkRectangle("PerspectiveOffCenter", left, right, bottom, top)
	checkNear("PerspectiveOffCenter", near)
	checkFar("PerspectiveOffCenter", near, far)
	return Projection{kind: perspective, left: left, right: right, bottom: bottom, top: top, near: near, far: far}
}

// Orthographic returns a parallel projection that is height metres high; the width follows the
// viewport's aspect. near and far are distances in metres. near may be negative: objects behind the
// camera's position are then visible, as in 2D games.
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

// Ortho returns the parallel projection of a rectangle in metres, as glOrtho does. The viewport's
// aspect is not used. If left is greater than right, or bottom than top, the image is mirrored.
//
// Panics if a number is NaN or infinite, the rectangle is flat, or far is not beyond near.
func Ortho(left, right, bottom, top, near, far float64) Projection {
	checkRectangle("Ortho", left, right, bottom, top)
	checkFinite("Ortho", near, far)
	checkFar("Ortho", near, far)
	return Projection{kind: orthographic, left: left, right: right, bottom: bottom, top: top, near: near, far: far}
}

// ProjectionOf returns the projection with a given matrix, for depths in the given range. The
// matrix may include the view, under a [Camera] at the origin without rotation. Its far plane may
// be at infinity. A matrix without an inverse shows nothing.
//
// Panics if clip is none of the three constants.
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
		// The new depth is a·w + b·old, where w is the last row.
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

// Clip returns the range of depths of the projection's matrix.
func (p Projection) Clip() ClipRange { return p.clip }

// Planes returns the distances of the near and the far plane, in metres along the view direction.
// far may be +Inf. ok is false for a projection from [ProjectionOf] and for the zero Projection.
func (p Projection) Planes() (near, far float64, ok bool) {
	return p.near, p.far, p.kind == perspective || p.kind == orthographic
}

// scaled returns the projection with its rectangle multiplied by f.
func (p Projection) scaled(f float64) Projection {
	p.left, p.right, p.bottom, p.top = p.left*f, p.right*f, p.bottom*f, p.top*f
	return p
}

// rectangle returns the centre and the half extents of the visible rectangle. The half extents are
// negative if the image is mirrored.
func (p Projection) rectangle(aspect float64) (x, y, halfX, halfY float64) {
	if p.symmetric {
		return 0, 0, p.top * aspect, p.top
	}
	halfX, halfY = float64((p.right-p.left)/2), float64((p.top-p.bottom)/2)
	return p.left + halfX, p.bottom + halfY, halfX, halfY
}

// Matrix returns the matrix from camera space (looking along −Z, Y up) to clip space, for a
// viewport of the given aspect (width / height). It is zero for the zero Projection, and for an
// aspect that is used and not positive and finite.
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

// depthRow returns the coefficients of z and 1 in the third row of the matrix. Each range has its
// own formulas: deriving one from another loses digits where near is small against far.
func (p Projection) depthRow() (z, w float64) {
	n, f := p.near, p.far
	if p.kind == orthographic {
		near, far := p.clip.limits()
		z = (near - far) / (f - n) // near − far, because z is negative in front of the camera
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

// line returns the ray through a place of the image (−1 to 1, Y upward) in camera space: the point
// on the near plane, the unit direction, and the distance from there to the far plane, which may be
// +Inf.
//
// It uses no inverse matrix and not the far plane's point, which may be at infinity.
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

// lineOf is line for an arbitrary matrix. The points of the ray are a + z·b in homogeneous
// coordinates. If the far plane is at infinity, its point has w = 0 and is itself the direction.
func lineOf(m geom.Mat4, clip ClipRange, x, y float64) (from, dir geom.DVec3, length float64, ok bool) {
	inv, ok := m.Inverse()
	if !ok {
		return from, dir, 0, false
	}
	zNear, zFar := clip.limits()
	near, wNear := inv.Apply(geom.DVec3{X: x, Y: y, Z: zNear}, 1)
	far, wFar := inv.Apply(geom.DVec3{X: x, Y: y, Z: zFar}, 1)
	if !(wNear > 0) { // the near plane has to lie in front of the camera
		return from, dir, 0, false
	}
	from = near.Mul(1 / wNear)
	// dir is far/wFar − near/wNear, times wFar·wNear, which is positive or, at infinity, zero.
	dir = far.Mul(wNear).AddMul(-wFar, near)
	length = math.Inf(1)
	if least := max(infinitelyFar*wNear, 8*rounding(&m, &inv, far, wFar)); wFar > least {
		length = dir.Len() / (wFar * wNear)
	} else if wFar < -least {
		return from, dir, 0, false // the clipping planes are on opposite sides of the camera
	}
	return from, dir.Normalize(), length, true
}

// infinitelyFar is the ratio near / far below which the far plane counts as infinitely far: the
// matrix then differs from that of an infinite far plane by a few roundings only.
const infinitelyFar = 1e-13

// rounding returns how far the fourth coordinate of a point p, w that an inverse has made may be
// off since the numbers of the matrix are rounded. The wider the picture is for its height, the
// further it is.
func rounding(m, inv *geom.Mat4, p geom.DVec3, w float64) (off float64) {
	for row := range 4 {
		of := math.Abs(m[row]*p.X) + math.Abs(m[4+row]*p.Y) + math.Abs(m[8+row]*p.Z) + math.Abs(m[12+row]*w)
		off += float64(math.Abs(inv[4*row+3]) * of)
	}
	return 0x1p-53 * off
}

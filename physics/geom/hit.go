package geom

import "github.com/hitscan-go/hitscan/internal/enum"

// Hit is where a ray meets a surface.
type Hit struct {
	// T is the ray parameter: Point is Origin + T·Dir. It is a distance only if Dir is a unit
	// vector.
	T float32
	// Point is the position of the hit, in the space of the ray: Origin + T·Dir in double
	// precision. Tests of all shapes except triangles compute it from T before T is rounded, so
	// that a far hit is closer to its surface than [Ray.At] of T.
	Point Vec3
	// Normal is the unit geometric normal of the surface, in the space of the ray, turned to face
	// the ray: its dot product with the ray's Dir is not positive, except by rounding. BackFace is
	// set if it was turned.
	Normal Vec3
	// U and V are the barycentric weights of the second and the third corner if a triangle was hit;
	// the first corner has 1 − U − V. They are 0 for every other shape.
	U, V float32
	// Triangle is the index of the triangle of a mesh, and −1 for every other shape.
	Triangle int32
	// BackFace is set if the surface was hit from its back: a triangle from the side from which its
	// corners run clockwise, a plane from the side its normal points away from, a solid from
	// inside.
	BackFace bool
	// Inside is set if the ray starts in a solid and the mode is [Solid]: T is the start of the
	// range and Normal is −Dir, made unit.
	Inside bool
}

// StartMode is the result of a cast at a solid shape that contains the start of the ray. A start on
// the surface counts as inside only if the ray leaves the shape there.
type StartMode uint8

const (
	// Solid reports a hit at the start: T is the start of the range, Normal is −Dir made unit, and
	// Inside is set. Collision uses this.
	Solid StartMode = iota
	// Exit reports the far surface, where the ray leaves the shape. Normal faces the ray, so it
	// points inward.
	Exit
	// Ignore reports nothing: only surfaces entered from outside are hit. Picking uses this.
	Ignore
)

// String returns the name of the constant.
func (m StartMode) String() string { return enum.Name(m, "Solid", "Exit", "Ignore") }

// Cull selects the sides from which a triangle, a mesh or a plane is hit. The front of a triangle
// is the side from which its corners run counter-clockwise; the front of a plane is the side its
// normal points to.
type Cull uint8

const (
	// CullNone hits both sides. Collision uses this.
	CullNone Cull = iota
	// CullBack hits only front faces. Picking uses this, because renderers draw only front faces.
	CullBack
	// CullFront hits only back faces.
	CullFront
)

// String returns the name of the constant.
func (c Cull) String() string { return enum.Name(c, "CullNone", "CullBack", "CullFront") }

// Culls reports whether c leaves out a hit from the back of a surface, or from its front if
// backFace is false.
func (c Cull) Culls(backFace bool) bool {
	return c == CullBack && backFace || c == CullFront && !backFace
}

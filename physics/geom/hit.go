package geom

// Hit is where a ray meets a surface.
type Hit struct {
	// T is the ray parameter: Point is Origin + T·Dir. It is a distance only if Dir is a unit
	// vector.
	T float32
	// Point is the place of the hit, in the space of the ray: Origin + T·Dir in double precision.
	// Where the test is in double precision too, as all but those of triangles are, T is rounded
	// only after it, so that a far hit is nearer to its surface than [Ray.At] of T.
	Point Vec3
	// Normal is the unit geometric normal of the surface, in the space of the ray, turned to face
	// the ray: its scalar product with the ray's Dir is never positive but by rounding. BackFace
	// tells if it had to be turned.
	Normal Vec3
	// U and V are the weights of the second and the third corner where a triangle was hit; the
	// first has 1 − U − V.
	U, V float32
	// Triangle is the index of the triangle of a mesh, and −1 for every other shape.
	Triangle int32
	// BackFace is set if the surface was struck from its back: a triangle from the side from which
	// its corners go clockwise, a plane from below, a solid from within.
	BackFace bool
	// Inside is set if the ray starts in a solid and the mode is [Solid]: T is the start of the
	// range and Normal is −Dir, made unit.
	Inside bool
}

// StartMode is what a cast makes of a solid shape that contains the start of the ray. A start on
// the surface is no start inside, unless the ray leaves the shape there.
type StartMode uint8

const (
	// Solid reports a hit at once: T is the start of the range, Normal is −Dir and Inside is set.
	// Collision wants this.
	Solid StartMode = iota
	// Exit reports the far surface, where the ray leaves the shape. Normal faces the ray, so it
	// points inward.
	Exit
	// Ignore reports nothing: only surfaces entered from outside are hit. Picking wants this.
	Ignore
)

// String returns the name of the constant.
func (m StartMode) String() string {
	return nameOf(uint8(m), "Solid", "Exit", "Ignore")
}

// Cull tells from which sides a triangle, a mesh or a plane is hit. The front of a triangle is the
// side from which its corners go counter-clockwise; the front of a plane is the side its normal
// points to.
type Cull uint8

const (
	// CullNone hits both sides. Collision wants this.
	CullNone Cull = iota
	// CullBack hits only front faces. Picking wants this, as renderers draw only front faces.
	CullBack
	// CullFront hits only back faces.
	CullFront
)

// String returns the name of the constant.
func (c Cull) String() string {
	return nameOf(uint8(c), "CullNone", "CullBack", "CullFront")
}

// Culls reports whether a surface is left out that is struck from its back or, if backFace is
// false, from its front.
func (c Cull) Culls(backFace bool) bool {
	return c == CullBack && backFace || c == CullFront && !backFace
}

func nameOf(i uint8, names ...string) string {
	if int(i) < len(names) {
		return names[i]
	}
	return "unknown"
}

package geom

// Face names one of the six faces of an [AABB].
type Face uint8

// The six faces of an AABB.
const (
	MinX Face = iota
	MaxX
	MinY
	MaxY
	MinZ
	MaxZ
)

// Axis returns the axis the face is perpendicular to.
func (f Face) Axis() Axis { return Axis(f / 2) }

// Normal returns the unit normal that points out of the box. Panics if f is none of the six.
func (f Face) Normal() Vec3 {
	n := f.Axis().Unit()
	if f%2 == 0 {
		return n.Neg()
	}
	return n
}

// String returns the name of the constant.
func (f Face) String() string {
	return nameOf(uint8(f), "MinX", "MaxX", "MinY", "MaxY", "MinZ", "MaxZ")
}

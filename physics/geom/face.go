package geom

import "github.com/hitscan-go/hitscan/internal/enum"

// Face is one of the six faces of an [AABB].
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

// Axis returns the axis to which the face is perpendicular.
func (f Face) Axis() Axis { return Axis(f / 2) }

// Normal returns the unit normal that points out of the box. Panics if f is none of the six faces.
func (f Face) Normal() Vec3 {
	n := f.Axis().Unit()
	if f%2 == 0 {
		return n.Neg()
	}
	return n
}

// String returns the name of the constant, "unknown" for any other value.
func (f Face) String() string { return enum.Name(f, "MinX", "MaxX", "MinY", "MaxY", "MinZ", "MaxZ") }

package wide

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// box is an AABB in the form in which it grows fastest: integers that order like the coordinates,
// the upper ones complemented, so that growing is six integer minima.
type box [6]int32

// keyOf returns an integer that orders like x.
func keyOf(x float32) int32 {
	b := int32(math.Float32bits(x))
	return b ^ int32(uint32(b>>31)>>1)
}

func unkey(k int32) float32 { return math.Float32frombits(uint32(k ^ int32(uint32(k>>31)>>1))) }

// infiniteKey is the key of +Inf.
const infiniteKey = 0x7f800000

// emptyBox reaches from +Inf to −Inf.
var emptyBox = box{infiniteKey, infiniteKey, infiniteKey, infiniteKey, infiniteKey, infiniteKey}

func boxOf(b geom.AABB) box {
	return box{keyOf(b.Min.X), keyOf(b.Min.Y), keyOf(b.Min.Z), ^keyOf(b.Max.X), ^keyOf(b.Max.Y), ^keyOf(b.Max.Z)}
}

func (b *box) aabb() geom.AABB {
	return geom.AABB{
		Min: geom.Vec3{X: unkey(b[0]), Y: unkey(b[1]), Z: unkey(b[2])},
		Max: geom.Vec3{X: unkey(^b[3]), Y: unkey(^b[4]), Z: unkey(^b[5])},
	}
}

func (b *box) grow(c *box) {
	b[0], b[1], b[2] = min(b[0], c[0]), min(b[1], c[1]), min(b[2], c[2])
	b[3], b[4], b[5] = min(b[3], c[3]), min(b[4], c[4]), min(b[5], c[5])
}

// prim is what the builder sorts, as long as a vector register: a triangle's box and its index.
type prim struct {
	box   box
	index int32
	_     int32
}

// center returns half of the middle of the box along an axis: the distance of two whole ones could
// overflow.
func (p *prim) center(axis int) float32 {
	return float32(unkey(p.box[axis])*0.25) + float32(unkey(^p.box[axis+3])*0.25)
}

func unionOf(prims []prim) box {
	all := emptyBox
	for i := range prims {
		all.grow(&prims[i].box)
	}
	return all
}

// span is the range of centres: the lowest along each axis, and four elements further the negated
// highest.
type span [8]float32

var emptySpan = span{inf32, inf32, inf32, inf32, inf32, inf32, inf32, inf32}

func (s *span) add(p *prim) {
	for axis := range 3 {
		s.reach(axis, p.center(axis))
	}
}

func (s *span) reach(axis int, c float32) {
	if c < s[axis] {
		s[axis] = c
	}
	if -c < s[axis+4] {
		s[axis+4] = -c
	}
}

func (s *span) length(axis int) float32 { return -s[axis+4] - s[axis] }

func spanOf(prims []prim) span {
	s := emptySpan
	for i := range prims {
		s.add(&prims[i])
	}
	return s
}

// measure computes areas of boxes. Lengths are scaled by a power of two, which is exact, so that
// the longest edge of a mesh is about 1: no area of a mesh of 1e30 m overflows, and none of one of
// 1e-30 m vanishes. A small multiple of the edges and a constant are added, so that boxes flattened
// to a line or a point still differ.
type measure struct {
	scale, edge, point float32
}

func newMeasure(all *box) measure {
	b := all.aabb()
	longest := max(float64(b.Max.X)-float64(b.Min.X), float64(b.Max.Y)-float64(b.Min.Y), float64(b.Max.Z)-float64(b.Min.Z))
	_, exp := math.Frexp(longest)
	return measure{float32(math.Ldexp(1, min(max(-exp, -126), 126))), 1e-9, 1e-18}
}

// area is half the surface area of a box; infinite for an empty one.
func (m *measure) area(b *box) float32 {
	x := float32(unkey(^b[3])*m.scale) - float32(unkey(b[0])*m.scale)
	y := float32(unkey(^b[4])*m.scale) - float32(unkey(b[1])*m.scale)
	z := float32(unkey(^b[5])*m.scale) - float32(unkey(b[2])*m.scale)
	return m.faces(x, y, z)
}

// areaOf is area of a geom.AABB.
func (m *measure) areaOf(b geom.AABB) float32 {
	return m.faces(
		float32(b.Max.X*m.scale)-float32(b.Min.X*m.scale),
		float32(b.Max.Y*m.scale)-float32(b.Min.Y*m.scale),
		float32(b.Max.Z*m.scale)-float32(b.Min.Z*m.scale))
}

func (m *measure) faces(x, y, z float32) float32 {
	return float32(x*(y+m.edge)) + float32(y*(z+m.edge)) + float32(z*(x+m.edge)) + m.point
}

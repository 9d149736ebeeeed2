package physics

import (
	"fmt"
	"math/bits"

	"github.com/hitscan-go/hitscan/internal/wire"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// sharedShape identifies a shape that colliders share, by its content.
type sharedShape struct {
	kind  uint8
	count uint64
	print uint64
}

// The shapes that are written as numbers.
const (
	aabbShape = iota
	boxShape
	sphereShape
	capsuleShape
	planeShape
	coneShape
	taperedShape
)

// setShape sets the numbers of a shape; false if it is shared.
func (c *colliderState) setShape(s Shape) bool {
	set := func(kind int32, numbers ...float32) bool {
		c.shape = kind
		copy(c.numbers[:], numbers)
		return true
	}
	switch s := s.(type) {
	case geom.AABB:
		return set(aabbShape, s.Min.X, s.Min.Y, s.Min.Z, s.Max.X, s.Max.Y, s.Max.Z)
	case geom.Box:
		p, h, q := s.Center, s.HalfExtents, s.Rotation
		return set(boxShape, p.X, p.Y, p.Z, h.X, h.Y, h.Z, q.X, q.Y, q.Z, q.W)
	case geom.Sphere:
		return set(sphereShape, s.Center.X, s.Center.Y, s.Center.Z, s.Radius)
	case geom.Capsule:
		return set(capsuleShape, s.A.X, s.A.Y, s.A.Z, s.B.X, s.B.Y, s.B.Z, s.Radius)
	case geom.Cone:
		return set(coneShape, s.A.X, s.A.Y, s.A.Z, s.B.X, s.B.Y, s.B.Z, s.RadiusA, s.RadiusB)
	case geom.TaperedCapsule:
		return set(taperedShape, s.A.X, s.A.Y, s.A.Z, s.B.X, s.B.Y, s.B.Z, s.RadiusA, s.RadiusB)
	case geom.Plane:
		return set(planeShape, s.Normal.X, s.Normal.Y, s.Normal.Z, s.D)
	}
	return false
}

// ownShape returns a shape that is not shared; nil if there is none of its kind.
func (c *colliderState) ownShape() Shape {
	n := &c.numbers
	p, q := geom.V(n[0], n[1], n[2]), geom.V(n[3], n[4], n[5])
	switch c.shape {
	case aabbShape:
		return geom.AABB{Min: p, Max: q}
	case boxShape:
		return geom.Box{Center: p, HalfExtents: q, Rotation: geom.Quat{X: n[6], Y: n[7], Z: n[8], W: n[9]}}
	case sphereShape:
		return geom.Sphere{Center: p, Radius: n[3]}
	case capsuleShape:
		return geom.Capsule{A: p, B: q, Radius: n[6]}
	case coneShape:
		return geom.Cone{A: p, B: q, RadiusA: n[6], RadiusB: n[7]}
	case taperedShape:
		return geom.TaperedCapsule{A: p, B: q, RadiusA: n[6], RadiusB: n[7]}
	case planeShape:
		return geom.Plane{Normal: p, D: n[3]}
	}
	return nil
}

// shareShape returns what identifies a hull, mesh or compound.
func shareShape(s Shape) sharedShape {
	var h contentHash
	switch s := s.(type) {
	case *hull.Hull:
		h.vectors(s.Vertices())
		for i := range s.NumFaces() {
			for _, v := range s.Face(i) {
				h.add(uint64(v))
			}
		}
		return sharedShape{0, uint64(s.NumVertices()), h.sum}
	case *mesh.Mesh:
		h.vectors(s.Vertices())
		for _, v := range s.Indices() {
			h.add(uint64(v))
		}
		return sharedShape{1, uint64(s.NumTriangles()), h.sum}
	}
	c := s.(*Compound)
	for i := range c.children {
		child := colliderState{transform: c.children[i].Transform}
		if !child.setShape(c.children[i].Shape) {
			f := shareShape(c.children[i].Shape)
			h.add(uint64(f.kind))
			h.add(f.print)
		}
		for _, b := range colliderLayout.Append(nil, &child) {
			h.add(uint64(b))
		}
	}
	for _, sides := range c.hidden {
		h.add(uint64(sides))
	}
	return sharedShape{2, uint64(len(c.children)), h.sum}
}

// contentHash is a hash of numbers that does not depend on the machine.
type contentHash struct{ sum uint64 }

func (h *contentHash) add(x uint64) {
	const golden = 0x9e3779b97f4a7c15
	high, low := bits.Mul64(h.sum^x^golden, golden)
	h.sum = bits.RotateLeft64(h.sum, 23) + high ^ low
}

func (h *contentHash) vectors(list []geom.Vec3) {
	layout := wire.LayoutOf[geom.Vec3]()
	var b []byte
	for i := range list {
		b = layout.Append(b[:0], &list[i])
		for k := 0; k < len(b); k += 4 {
			h.add(uint64(b[k]) | uint64(b[k+1])<<8 | uint64(b[k+2])<<16 | uint64(b[k+3])<<24)
		}
	}
}

// String returns the kind and size in words.
func (s sharedShape) String() string {
	switch s.kind {
	case 0:
		return fmt.Sprintf("hull of %d vertices", s.count)
	case 1:
		return fmt.Sprintf("mesh of %d triangles", s.count)
	}
	return fmt.Sprintf("compound of %d children", s.count)
}

package meshio

import (
	"fmt"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// This file holds what lies on the triangles of a part, and how it is found at a hit of a ray.

// UV is a position in a texture: (0, 0) is the upper left corner of the image, (1, 1) the lower
// right. Outside of 0…1 a texture repeats, unless its sampler says otherwise.
type UV struct{ U, V float32 }

func (t UV) isDamaged() bool { return t.U-t.U != 0 || t.V-t.V != 0 }

// Color is linear light, not clamped. It multiplies the colour of the material.
type Color struct{ R, G, B, A float32 }

func (c Color) isDamaged() bool { return c.R-c.R != 0 || c.G-c.G != 0 || c.B-c.B != 0 || c.A-c.A != 0 }

// Bounds returns the box around the triangles; an empty one if there are none. Vertices that no
// triangle uses are outside.
//
// Panics if an index is out of range.
func (p *Part) Bounds() geom.AABB {
	b := geom.EmptyAABB()
	for _, v := range p.Indices {
		if uint64(v) >= uint64(len(p.Vertices)) {
			panic(fmt.Sprintf("meshio: Part.Bounds: index %d out of range (%d vertices)", v, len(p.Vertices)))
		}
		b = b.Extend(p.Vertices[v])
	}
	return b
}

// Mesh returns the part as a mesh, by the rules of [Model.Mesh]. Triangle i of the mesh is triangle
// i of the part.
func (p *Part) Mesh() (*mesh.Mesh, error) { return (&Model{Parts: []Part{*p}}).Mesh() }

// PartOf returns the part that holds a triangle of [Model.Mesh], and the index of the triangle in
// it. It returns nil if there is no such triangle: a hit of another shape than a mesh has −1. It
// takes time in proportion to the number of parts.
func (m *Model) PartOf(triangle int32) (p *Part, local int32) {
	if triangle < 0 {
		return nil, 0
	}
	rest := int(triangle)
	for i := range m.Parts {
		n := len(m.Parts[i].Indices) / 3
		if rest < n {
			return &m.Parts[i], int32(rest)
		}
		rest -= n
	}
	return nil, 0
}

// UVAt returns the texture coordinate of a point of a triangle of the part: u and v are the
// barycentric weights of its second and its third corner, as in [geom.Hit]. ok is false if p is
// nil, has no texture coordinates or has no such triangle.
//
//	part, triangle := model.PartOf(hit.Triangle)
//	uv, ok := part.UVAt(triangle, hit.U, hit.V)
func (p *Part) UVAt(triangle int32, u, v float32) (uv UV, ok bool) {
	if p == nil {
		return UV{}, false
	}
	a, b, c, ok := cornersAt(p, p.UVs, triangle)
	return UV{between(a.U, b.U, c.U, u, v), between(a.V, b.V, c.V, u, v)}, ok
}

// ColorAt is [Part.UVAt] for the colours of the vertices.
func (p *Part) ColorAt(triangle int32, u, v float32) (color Color, ok bool) {
	if p == nil {
		return Color{}, false
	}
	a, b, c, ok := cornersAt(p, p.Colors, triangle)
	return Color{
		between(a.R, b.R, c.R, u, v), between(a.G, b.G, c.G, u, v), between(a.B, b.B, c.B, u, v), between(a.A, b.A, c.A, u, v),
	}, ok
}

// cornersAt returns what the three corners of a triangle have in a list by vertices.
func cornersAt[T any](p *Part, list []T, triangle int32) (a, b, c T, ok bool) {
	if triangle < 0 || int(triangle) >= len(p.Indices)/3 {
		return a, b, c, false
	}
	at := p.Indices[3*int(triangle):]
	if uint64(max(at[0], at[1], at[2])) >= uint64(len(list)) {
		return a, b, c, false
	}
	return list[at[0]], list[at[1]], list[at[2]], true
}

// between weights the values of three corners. It is written so that no build fuses it.
func between(a, b, c, u, v float32) float32 { return a + float32(u*(b-a)) + float32(v*(c-a)) }

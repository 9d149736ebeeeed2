package main

import (
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// builder collects the triangles of a mesh. Corners at the same place become one vertex, so that
// neighbouring triangles share it and movers do not stumble over the edges between them.
type builder struct {
	vertices []geom.Vec3
	indices  []uint32
	at       map[geom.Vec3]uint32
}

func (b *builder) vertex(p geom.Vec3) uint32 {
	i, ok := b.at[p]
	if !ok {
		if b.at == nil {
			b.at = map[geom.Vec3]uint32{}
		}
		i = uint32(len(b.vertices))
		b.at[p] = i
		b.vertices = append(b.vertices, p)
	}
	return i
}

// quad adds a flat quadrilateral; its corners are counter-clockwise seen from its front. Two
// neighbouring corners may be equal.
func (b *builder) quad(p0, p1, p2, p3 geom.Vec3) {
	i, j, k, l := b.vertex(p0), b.vertex(p1), b.vertex(p2), b.vertex(p3)
	if i != j && j != k {
		b.indices = append(b.indices, i, j, k)
	}
	if k != l && l != i {
		b.indices = append(b.indices, i, k, l)
	}
}

// room adds the walls and the ceiling of a room, with their fronts inside.
func (b *builder) room(r geom.AABB) {
	lo, hi := r.Min, r.Max
	p := geom.V
	b.quad(p(lo.X, lo.Y, lo.Z), p(lo.X, hi.Y, lo.Z), p(lo.X, hi.Y, hi.Z), p(lo.X, lo.Y, hi.Z))
	b.quad(p(hi.X, lo.Y, hi.Z), p(hi.X, hi.Y, hi.Z), p(hi.X, hi.Y, lo.Z), p(hi.X, lo.Y, lo.Z))
	b.quad(p(hi.X, lo.Y, lo.Z), p(hi.X, hi.Y, lo.Z), p(lo.X, hi.Y, lo.Z), p(lo.X, lo.Y, lo.Z))
	b.quad(p(lo.X, lo.Y, hi.Z), p(lo.X, hi.Y, hi.Z), p(hi.X, hi.Y, hi.Z), p(hi.X, lo.Y, hi.Z))
	b.quad(p(lo.X, hi.Y, lo.Z), p(hi.X, hi.Y, lo.Z), p(hi.X, hi.Y, hi.Z), p(lo.X, hi.Y, hi.Z))
}

// profile is an outline seen along the Z axis, from left to right.
type profile []struct{ x, y float32 }

// extrude adds a prism that stands on the floor at a place: the profile, extended to both sides
// along the Z axis.
func (b *builder) extrude(at geom.Vec3, p profile, half float32) {
	for i := range p[1:] {
		left, right := p[i], p[i+1]
		corner := func(x, y, z float32) geom.Vec3 { return at.Add(geom.V(x, y, z)) }
		b.quad(corner(left.x, left.y, half), corner(right.x, right.y, half), corner(right.x, right.y, -half), corner(left.x, left.y, -half))
		if left.x < right.x { // the walls below
			b.quad(corner(left.x, 0, half), corner(right.x, 0, half), corner(right.x, right.y, half), corner(left.x, left.y, half))
			b.quad(corner(right.x, 0, -half), corner(left.x, 0, -half), corner(left.x, left.y, -half), corner(right.x, right.y, -half))
		}
	}
}

func (b *builder) mesh() (*mesh.Mesh, error) { return mesh.New(b.vertices, b.indices) }

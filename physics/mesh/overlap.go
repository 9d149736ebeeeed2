package mesh

import (
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
	"github.com/hitscan-go/hitscan/physics/internal/wide"
)

// OverlapAABB appends to dst, in ascending order, the triangles that touch a box, and returns the
// extended slice.
func (m *Mesh) OverlapAABB(dst []int32, box geom.AABB) []int32 {
	shape := narrow.AABB(box)
	return m.overlap(dst, &shape, box, box.OverlapsTriangle)
}

// OverlapSphere appends to dst, in ascending order, the triangles that touch a solid sphere, and
// returns the extended slice.
func (m *Mesh) OverlapSphere(dst []int32, s geom.Sphere) []int32 {
	shape := narrow.Sphere(s)
	return m.overlap(dst, &shape, s.Bounds(), s.OverlapsTriangle)
}

// OverlapBox appends to dst, in ascending order, the triangles that touch an oriented box, and
// returns the extended slice.
func (m *Mesh) OverlapBox(dst []int32, box geom.Box) []int32 {
	shape := narrow.Box(box)
	return m.overlap(dst, &shape, box.Bounds(), box.OverlapsTriangle)
}

// OverlapsAABB reports whether any triangle touches a box. A box inside a closed mesh that touches
// no triangle does not overlap it.
func (m *Mesh) OverlapsAABB(box geom.AABB) bool {
	shape := narrow.AABB(box)
	return m.overlaps(&shape, box, box.OverlapsTriangle)
}

// OverlapsSphere reports whether any triangle touches a solid sphere. A sphere inside a closed mesh
// that touches no triangle does not overlap it.
func (m *Mesh) OverlapsSphere(s geom.Sphere) bool {
	shape := narrow.Sphere(s)
	return m.overlaps(&shape, s.Bounds(), s.OverlapsTriangle)
}

// OverlapsBox reports whether any triangle touches an oriented box. A box inside a closed mesh that
// touches no triangle does not overlap it.
func (m *Mesh) OverlapsBox(box geom.Box) bool {
	shape := narrow.Box(box)
	return m.overlaps(&shape, box.Bounds(), box.OverlapsTriangle)
}

// overlap appends to dst, in ascending order, the triangles that a test finds to touch a shape.
func (m *Mesh) overlap(dst []int32, s *narrow.Shape, bounds geom.AABB, touches func(t geom.Triangle) bool) []int32 {
	old := len(dst)
	m.visitShape(s, bounds, func(i int) bool {
		if touches(m.Triangle(i)) {
			dst = append(dst, int32(i))
		}
		return true
	})
	slices.Sort(dst[old:])
	return dst
}

// overlaps reports whether a test finds any triangle to touch a shape.
func (m *Mesh) overlaps(s *narrow.Shape, bounds geom.AABB, touches func(t geom.Triangle) bool) bool {
	return !m.visitShape(s, bounds, func(i int) bool { return !touches(m.Triangle(i)) })
}

// visitShape visits the triangles that a shape in the mesh's space may touch.
func (m *Mesh) visitShape(s *narrow.Shape, bounds geom.AABB, visit func(triangle int) bool) bool {
	return m.VisitBody(m.around(bounds), func(b *wide.Body) bool {
		ok := s.Body(b)
		b.X, b.Y, b.Z, b.Origin = geom.DVec3{X: 1}, geom.DVec3{Y: 1}, geom.DVec3{Z: 1}, b.Origin.Neg()
		return ok
	}, visit)
}

// VisitAABB calls visit once for each triangle whose bounds touch box, in no particular order,
// until visit returns false. It returns false if visit did. An empty box touches nothing. In a mesh
// of [High] quality it may omit triangles that do not touch the box although their bounds do.
//
// It is the broad phase for a shape that the package has no test for: pass the shape's bounds, and
// test the triangles visited.
func (m *Mesh) VisitAABB(box geom.AABB, visit func(triangle int) bool) bool {
	if m.grid != nil {
		return m.grid.VisitAABB(box, visit)
	}
	return m.tree.VisitAABB(box, visit)
}

// VisitBody is [Mesh.VisitAABB] without most triangles that a body does not touch, once some have
// been visited: it then calls body, which sets the body or returns false. Package physics tests
// overlaps by it: a body is made inside of this module only.
func (m *Mesh) VisitBody(box geom.AABB, body func(b *wide.Body) bool, visit func(triangle int) bool) bool {
	if m.grid != nil {
		return m.grid.VisitAABB(box, visit)
	}
	return m.tree.VisitBody(box, body, visit)
}

// VisitBound is [Mesh.VisitAABB] without the triangles that a bound misses. It calls bound once, if
// at least few triangles touch the box, 16 at most; a bound that is nil misses none. Package
// physics finds contacts by it: a bound is made inside of this module only.
func (m *Mesh) VisitBound(box geom.AABB, few int, bound func() *wide.Bound, visit func(triangle int)) {
	if m.grid == nil && !m.tree.HasDuplicates() {
		m.tree.VisitBound(box, few, bound, visit)
		return
	}
	var e [2]wide.Eight
	var list [16]int
	var b *wide.Bound
	n, asked := 0, false
	flush := func() {
		if !asked && n >= few {
			b, asked = bound(), true
		}
		missed := uint32(0)
		if b != nil {
			missed = b.Misses(&e[0]) | b.Misses(&e[1])<<8
		}
		for i, triangle := range list[:n] {
			if missed>>i&1 == 0 {
				visit(triangle)
			}
		}
		n = 0
	}
	m.VisitAABB(box, func(i int) bool {
		t := m.Triangle(i)
		e[n/8].Set(n%8, &t)
		list[n] = i
		if n++; n == len(list) {
			flush()
		}
		return true
	})
	flush()
}

// around enlarges the bounds of a shape by more than the rounding that geom's overlap tests
// tolerate, which is proportional to all coordinates involved: what those tests call touching must
// not depend on the tree.
func (m *Mesh) around(b geom.AABB) geom.AABB {
	mine := m.Bounds()
	v := b.Min.Abs().Max(b.Max.Abs()).Max(mine.Min.Abs()).Max(mine.Max.Abs())
	return b.Grow(float32(max(v.X, v.Y, v.Z) * 0x1p-45))
}

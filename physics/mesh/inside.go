package mesh

import (
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Closed meshes as solids.

// IsClosed reports whether the triangles enclose a volume: at every edge as many run along it one
// way as the other, by the positions of its ends. A mesh with a hole, with a triangle wound the
// wrong way or with a T-junction is not closed, nor is that of a [Field]. The first call
// takes about as long as that of [Mesh.EdgeConvexity], and [Mesh.Refit] has it done again.
func (m *Mesh) IsClosed() bool {
	closed := m.edges.closed.Load()
	if closed == nil {
		closed = new(m.findClosed())
		m.edges.closed.Store(closed)
	}
	return *closed
}

func (m *Mesh) findClosed() bool {
	if m.grid != nil {
		return false
	}
	w := weld(m.vertices)
	var up, down []uint64 // the ends of edges, the lower first, by the way that a triangle runs
	for i := range m.NumTriangles() {
		a, b, c := m.indices.Corners(i)
		for _, e := range [3][2]uint32{{w[a], w[b]}, {w[b], w[c]}, {w[c], w[a]}} {
			switch {
			case e[0] < e[1]:
				up = append(up, uint64(e[0])<<32|uint64(e[1]))
			case e[0] > e[1]:
				down = append(down, uint64(e[1])<<32|uint64(e[0]))
			}
		}
	}
	slices.Sort(up)
	slices.Sort(down)
	return slices.Equal(up, down)
}

// SignedDistance returns the distance of p from the surface of a closed mesh, in the mesh's space:
// negative inside. Outside is where the fronts of the triangles are; the surface must not cross
// itself. ok is false if the mesh is not closed, or p is NaN or infinite. It allocates nothing once
// [Mesh.IsClosed] is known.
//
// The sign is that of the side from which a ray from p strikes the first triangle. The ray is aimed
// at the middle of the nearest triangle, and at others until it strikes one far from its edges and
// not along it, so that the side is beyond doubt.
func (m *Mesh) SignedDistance(p geom.Vec3) (distance float32, ok bool) {
	near, ok := m.ClosestPoint(p, float32(math.Inf(1)))
	if !ok || !m.IsClosed() {
		return 0, false
	}
	if near.Distance > 0 && m.isInside(p, near) {
		return -near.Distance, true
	}
	return near.Distance, true
}

// Contains reports whether p is in a closed mesh, surface included; false if the mesh is not closed
// or p is NaN or infinite. See [Mesh.SignedDistance].
func (m *Mesh) Contains(p geom.Vec3) bool {
	if !m.Bounds().Contains(p) {
		return false
	}
	d, ok := m.SignedDistance(p)
	return ok && d <= 0
}

// aims is how many triangles isInside aims at.
const aims = 64

func (m *Mesh) isInside(p geom.Vec3, near Closest) bool {
	n := m.NumTriangles()
	for k := range aims {
		// The nearest first, then some from all over the mesh.
		t := m.Triangle((int(near.Triangle) + k*n/aims) % n)
		r := geom.NewRay(p, t.A.Add(t.B).Add(t.C).Mul(1.0/3).Sub(p))
		h, ok := m.CastRay(r, geom.CullNone)
		if !ok {
			continue
		}
		const inner = 1e-4 // of a triangle; rounding moves a hit by some 1e-7
		if slant := -h.Normal.Dot(r.Dir.Normalize()); min(h.U, h.V, 1-h.U-h.V) > inner && slant > inner {
			return h.BackFace
		}
	}
	t := m.Triangle(int(near.Triangle))
	return p.Sub(near.Point).Dot(t.Normal()) < 0
}

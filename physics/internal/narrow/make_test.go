package narrow

import (
	"cmp"
	"slices"
)

// Collide returns the contacts that [Finder.Collide] finds, and zeros beyond them.
func Collide(a, b *Shape, margin float64) Manifold {
	var f Finder
	f.Collide(a, b, margin)
	clear(f.Points[f.N:])
	return f.Manifold
}

// Contacts returns the contacts. The slice is part of the manifold.
func (m *MeshManifold) Contacts() []MeshContact { return m.Points[:m.N] }

// deepest returns the greatest depth, which the first contact has except for 1e-4 of the extent.
func (m *MeshManifold) deepest() float64 {
	return slices.MaxFunc(m.Contacts(), func(a, b MeshContact) int { return cmp.Compare(a.Depth, b.Depth) }).Depth
}

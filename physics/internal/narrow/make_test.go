package narrow

// Collide returns the contacts that [Finder.Collide] finds, and zeros beyond them.
func Collide(a, b *Shape, margin float64) Manifold {
	var f Finder
	f.Collide(a, b, margin)
	clear(f.Points[f.N:])
	return f.Manifold
}

// Contacts returns the contacts. The slice is part of the manifold.
func (m *MeshManifold) Contacts() []MeshContact { return m.Points[:m.N] }

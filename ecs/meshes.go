package physecs

import (
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// MeshID is the number of a mesh of the [Meshes] resource, for a [Collider]. 0 is none.
type MeshID uint32

// CompoundID is the number of a compound of the [Meshes] resource, for a [Collider]. 0 is none.
type CompoundID uint32

// HullID is the number of a hull of the [Meshes] resource, for a [Collider]. 0 is none. It has 16
// bits: a larger one would make every Collider longer.
type HullID uint16

// Meshes is the resource that holds the meshes, compounds and hulls which colliders refer to by
// number, since a component must hold no pointer. The zero Meshes is empty and ready to use. It
// must not be changed while another goroutine reads it.
type Meshes struct {
	meshes    registry[MeshID, *mesh.Mesh]
	compounds registry[CompoundID, *physics.Compound]
	hulls     registry[HullID, *hull.Hull]
	version   uint64 // counts changes: Sync looks shapes up again after one
}

// Add stores a mesh and returns its new ID: the one after the highest that was ever used. Panics if
// the mesh is nil.
func (m *Meshes) Add(shape *mesh.Mesh) MeshID {
	if shape == nil {
		panic("physecs: Meshes.Add: nil mesh")
	}
	id := m.meshes.last + 1
	m.Set(id, shape)
	return id
}

// Set stores a mesh under a given ID, in place of the one that was there: to restore a saved world,
// or to swap in an edited mesh. Colliders with the ID change at the next [Sync]. Panics if the mesh
// is nil or the ID is 0.
func (m *Meshes) Set(id MeshID, shape *mesh.Mesh) {
	if shape == nil || id == 0 {
		panic("physecs: Meshes.Set: nil mesh or id 0")
	}
	m.meshes.set(id, shape)
	m.version++
}

// Mesh returns the mesh of an ID, and false if there is none.
func (m *Meshes) Mesh(id MeshID) (*mesh.Mesh, bool) {
	v, ok := m.meshes.values[id]
	return v, ok
}

// AddCompound stores a compound and returns its new ID. Panics if it is nil. See [Meshes.Add].
func (m *Meshes) AddCompound(shape *physics.Compound) CompoundID {
	if shape == nil {
		panic("physecs: Meshes.AddCompound: nil compound")
	}
	id := m.compounds.last + 1
	m.SetCompound(id, shape)
	return id
}

// SetCompound stores a compound under a given ID, in place of the one that was there. Panics if it
// is nil or the ID is 0. See [Meshes.Set].
func (m *Meshes) SetCompound(id CompoundID, shape *physics.Compound) {
	if shape == nil || id == 0 {
		panic("physecs: Meshes.SetCompound: nil compound or id 0")
	}
	m.compounds.set(id, shape)
	m.version++
}

// Compound returns the compound of an ID, and false if there is none.
func (m *Meshes) Compound(id CompoundID) (*physics.Compound, bool) {
	v, ok := m.compounds.values[id]
	return v, ok
}

// AddHull stores a hull and returns its new ID: the one after the highest that was ever used or,
// once all 65,535 were, the lowest without a hull. Panics if the hull is nil, or all IDs have one.
// See [Meshes.Add].
func (m *Meshes) AddHull(shape *hull.Hull) HullID {
	if shape == nil {
		panic("physecs: Meshes.AddHull: nil hull")
	}
	id := m.hulls.last + 1
	if id == 0 {
		if id = m.hulls.vacant(); id == 0 {
			panic("physecs: Meshes.AddHull: all IDs hold a hull")
		}
	}
	m.SetHull(id, shape)
	return id
}

// SetHull stores a hull under a given ID, in place of the one that was there. Panics if it is nil
// or the ID is 0. See [Meshes.Set].
func (m *Meshes) SetHull(id HullID, shape *hull.Hull) {
	if shape == nil || id == 0 {
		panic("physecs: Meshes.SetHull: nil hull or id 0")
	}
	m.hulls.set(id, shape)
	m.version++
}

// Hull returns the hull of an ID, and false if there is none.
func (m *Meshes) Hull(id HullID) (*hull.Hull, bool) {
	v, ok := m.hulls.values[id]
	return v, ok
}

// Remove removes a mesh and reports whether there was one. Colliders with its ID are nowhere from
// the next [Sync] on.
func (m *Meshes) Remove(id MeshID) bool {
	_, ok := m.meshes.values[id]
	delete(m.meshes.values, id)
	m.version++
	return ok
}

// RemoveCompound removes a compound and reports whether there was one. See [Meshes.Remove].
func (m *Meshes) RemoveCompound(id CompoundID) bool {
	_, ok := m.compounds.values[id]
	delete(m.compounds.values, id)
	m.version++
	return ok
}

// RemoveHull removes a hull and reports whether there was one. See [Meshes.Remove].
func (m *Meshes) RemoveHull(id HullID) bool {
	_, ok := m.hulls.values[id]
	delete(m.hulls.values, id)
	m.version++
	return ok
}

// registry holds values by number. It is a map, since the caller may choose any number.
type registry[K ~uint16 | ~uint32, V any] struct {
	values map[K]V
	last   K
}

// vacant returns the lowest number except 0 that has no value, and 0 if all have one.
func (s *registry[K, V]) vacant() K {
	for id := K(1); id != 0; id++ {
		if _, ok := s.values[id]; !ok {
			return id
		}
	}
	return 0
}

func (s *registry[K, V]) set(id K, v V) {
	if s.values == nil {
		s.values = map[K]V{}
	}
	s.values[id] = v
	s.last = max(s.last, id)
}

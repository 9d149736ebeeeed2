package physecs

import (
	"maps"
	"slices"

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
	meshes    registry[MeshID, mesh.Mesh]
	compounds registry[CompoundID, physics.Compound]
	hulls     registry[HullID, hull.Hull]
	version   uint64 // counts changes: Sync looks shapes up again after one
}

// Add stores a mesh and returns its new ID: the one after the highest that was ever used or, once
// all were, the lowest without a mesh. Panics if the mesh is nil, or all IDs have one.
func (m *Meshes) Add(shape *mesh.Mesh) MeshID { return add(m, &m.meshes, "Add", shape, "mesh") }

// Set stores a mesh under a given ID, in place of the one that was there: to restore a saved world,
// or to swap in an edited mesh, as [mesh.Field.Mesh] returns. Colliders with the ID change at the
// next [Sync]. Panics if the mesh is nil or the ID is 0.
func (m *Meshes) Set(id MeshID, shape *mesh.Mesh) { set(m, &m.meshes, id, "Set", shape, "mesh") }

// Mesh returns the mesh of an ID, and false if there is none.
func (m *Meshes) Mesh(id MeshID) (*mesh.Mesh, bool) {
	v, ok := m.meshes.values[id]
	return v, ok
}

// Remove removes a mesh and reports whether there was one. Colliders with its ID are nowhere from
// the next [Sync] on.
func (m *Meshes) Remove(id MeshID) bool { return remove(m, &m.meshes, id) }

// AddCompound stores a compound and returns its new ID. Panics if it is nil. See [Meshes.Add].
func (m *Meshes) AddCompound(shape *physics.Compound) CompoundID {
	return add(m, &m.compounds, "AddCompound", shape, "compound")
}

// SetCompound stores a compound under a given ID, in place of the one that was there. Panics if it
// is nil or the ID is 0. See [Meshes.Set].
func (m *Meshes) SetCompound(id CompoundID, shape *physics.Compound) {
	set(m, &m.compounds, id, "SetCompound", shape, "compound")
}

// Compound returns the compound of an ID, and false if there is none.
func (m *Meshes) Compound(id CompoundID) (*physics.Compound, bool) {
	v, ok := m.compounds.values[id]
	return v, ok
}

// RemoveCompound removes a compound and reports whether there was one. See [Meshes.Remove].
func (m *Meshes) RemoveCompound(id CompoundID) bool { return remove(m, &m.compounds, id) }

// AddHull stores a hull and returns its new ID, of which there are 65,535. Panics if the hull is
// nil, or all IDs have one. See [Meshes.Add].
func (m *Meshes) AddHull(shape *hull.Hull) HullID {
	return add(m, &m.hulls, "AddHull", shape, "hull")
}

// SetHull stores a hull under a given ID, in place of the one that was there. Panics if it is nil
// or the ID is 0. See [Meshes.Set].
func (m *Meshes) SetHull(id HullID, shape *hull.Hull) {
	set(m, &m.hulls, id, "SetHull", shape, "hull")
}

// Hull returns the hull of an ID, and false if there is none.
func (m *Meshes) Hull(id HullID) (*hull.Hull, bool) {
	v, ok := m.hulls.values[id]
	return v, ok
}

// RemoveHull removes a hull and reports whether there was one. See [Meshes.Remove].
func (m *Meshes) RemoveHull(id HullID) bool { return remove(m, &m.hulls, id) }

// shapes returns all shapes, each kind by rising ID.
func (m *Meshes) shapes() (list []physics.Shape) {
	list = appendShapes(list, &m.meshes)
	list = appendShapes(list, &m.compounds)
	return appendShapes(list, &m.hulls)
}

func appendShapes[K ~uint16 | ~uint32, V any](list []physics.Shape, r *registry[K, V]) []physics.Shape {
	for _, id := range slices.Sorted(maps.Keys(r.values)) {
		list = append(list, any(r.values[id]).(physics.Shape))
	}
	return list
}

// registry holds values by number. It is a map, since the caller may choose any number.
type registry[K ~uint16 | ~uint32, V any] struct {
	values map[K]*V
	last   K
}

func add[K ~uint16 | ~uint32, V any](m *Meshes, r *registry[K, V], caller string, v *V, kind string) K {
	if v == nil {
		panic("physecs: Meshes." + caller + ": nil " + kind)
	}
	id := r.last + 1
	// Once the highest ID was used: the lowest that is free.
	for ; id == 0 || r.last+1 == 0 && r.values[id] != nil; id++ {
		if len(r.values) == int(^K(0)) {
			panic("physecs: Meshes." + caller + ": all IDs have a " + kind)
		}
	}
	set(m, r, id, caller, v, kind)
	return id
}

func set[K ~uint16 | ~uint32, V any](m *Meshes, r *registry[K, V], id K, caller string, v *V, kind string) {
	if v == nil || id == 0 {
		panic("physecs: Meshes." + caller + ": nil " + kind + " or id 0")
	}
	if r.values == nil {
		r.values = map[K]*V{}
	}
	r.values[id] = v
	r.last = max(r.last, id)
	m.version++
}

func remove[K ~uint16 | ~uint32, V any](m *Meshes, r *registry[K, V], id K) bool {
	_, ok := r.values[id]
	delete(r.values, id)
	m.version++
	return ok
}

package physecs

import (
	"iter"
	"time"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics"
)

// Space is the resource that holds a copy of every entity with a [Transform] and a [Collider], in a
// bounding volume hierarchy. [Sync] brings it up to date and returns it; its queries are those of
// [Queries].
type Space struct {
	Queries
	filter  ecs.Mask // Transform and Collider
	meshes  *Meshes
	version uint64 // of meshes

	// rows has last frame's components in the order in which the query gave them, so that the next
	// walk compares side by side. index finds the row of an entity by its ID: row + 1, 0 for none.
	// An ID has one row at most, whatever its generation.
	rows  []row
	index []int32
	forms forms
	stats Stats

	transformed ecs.Mask // Transform
	positioned  ecs.Mask // Transform and WorldPosition
	following   ecs.Mask // Transform, Parent and LocalTransform
	family      family
	anchors     []anchor // by entity ID
}

// ids are the numbers of the components in one world.
type ids struct {
	transform, collider, static, unpickable, parent, local, position ecs.ID
	projectile, pickable, movable, mover, moverState                 ecs.ID
}

// row is what was last copied of one entity. It fills a line of the cache.
type row struct {
	entity    ecs.Entity
	id        physics.ColliderID // 0 while the shape is unknown
	transform Transform
	form      int32 // place of the Collider among the forms; 0 in a row that has just been made
	static    bool
	tame      bool // the form's
	fault     Fault
}

// NewSpace returns an empty space. [Sync] adds one to a world that has none.
func NewSpace() *Space {
	return &Space{Queries: Queries{physics: physics.NewSpace(), scratches: new(scratchPool)}, forms: newForms()}
}

// Len returns the number of entities with a Transform and a Collider at the last [Sync], nowhere or
// not.
func (s *Space) Len() int { return len(s.rows) }

// rowOfEntity returns the row of an entity, nil if it has none.
func (s *Space) rowOfEntity(e ecs.Entity) *row {
	if i := s.find(e.ID()); i >= 0 && s.rows[i].entity == e {
		return &s.rows[i]
	}
	return nil
}

// find returns the position of the row of an entity's ID, −1 if there is none.
func (s *Space) find(id uint32) int {
	if int(id) >= len(s.index) {
		return -1
	}
	return int(s.index[id]) - 1
}

// Stats is what the last [Sync] did and found.
type Stats struct {
	Colliders int // entities with a Transform and a Collider
	Nowhere   int // those of them that no query can find; see Space.Nowhere
	Added     int // entities that were not there before
	Removed   int // entities that have gone, or have lost their Transform or Collider
	Moved     int // entities of which only the Transform had changed
	Changed   int // entities copied anew because of another shape, layer, sensor flag or the like, or a change in Meshes
	Children  int // entities that follow a parent
	Orphans   int // entities that would, but have none; see Space.Orphans

	Elapsed time.Duration // how long it took
}

// Stats returns what the last [Sync] did and found.
func (s *Space) Stats() Stats { return s.stats }

// Fault says why a collider is nowhere, known but found by no query; or why an entity with a
// [Parent] follows nobody.
type Fault uint8

// The faults of a collider, and of an entity with a Parent.
const (
	FaultNone            Fault = iota // the collider can be found, the entity follows its parent
	FaultNoShape                      // its Kind is KindNone or unknown
	FaultUnknownMesh                  // Meshes has no mesh of its MeshID
	FaultUnknownCompound              // Meshes has no compound of its CompoundID
	FaultUnknownHull                  // Meshes has no hull of its HullID
	FaultBadNumbers                   // its shape or Transform is empty, NaN or infinite, or becomes so when put together
	FaultParentGone                   // its Parent has died, or never lived
	FaultParentBare                   // its Parent has no Transform
	FaultParentCycle                  // it is its own ancestor
)

// String returns the fault in words.
func (f Fault) String() string {
	switch f {
	case FaultNone:
		return "none"
	case FaultNoShape:
		return "no shape"
	case FaultUnknownMesh:
		return "unknown mesh"
	case FaultUnknownCompound:
		return "unknown compound"
	case FaultUnknownHull:
		return "unknown hull"
	case FaultBadNumbers:
		return "shape or transform empty or not finite"
	case FaultParentGone:
		return "parent gone"
	case FaultParentBare:
		return "parent without transform"
	case FaultParentCycle:
		return "its own ancestor"
	}
	return "unknown"
}

// Nowhere returns the entities whose collider no query can find, as of the last [Sync], and why. It
// walks all entities, so ask Stats().Nowhere first. The order is that of the world's own queries.
func (s *Space) Nowhere() iter.Seq2[ecs.Entity, Fault] {
	return func(yield func(ecs.Entity, Fault) bool) {
		for i := range s.rows {
			if r := &s.rows[i]; r.fault != FaultNone && !yield(r.entity, r.fault) {
				return
			}
		}
	}
}

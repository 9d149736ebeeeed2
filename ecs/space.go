package physecs

import (
	"cmp"
	"iter"
	"time"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/internal/enum"
	"github.com/hitscan-go/hitscan/physics"
)

// Space is the resource that holds a copy of every entity with a [Transform] and a [Collider], in a
// bounding volume hierarchy. [Sync] brings it up to date and returns it. Its queries are those of
// [Queries].
type Space struct {
	Queries
	filter  rowFilter
	meshes  *Meshes
	version uint64 // of meshes

	// rows has the components of the last sync in the order of the world's query, so that the next
	// sync compares the two side by side. index has the row of an entity by its ID: row + 1, 0 for
	// none. An ID has at most one row, whatever its generation.
	rows   []row
	index  []int32
	shapes shapeCache
	stats  Stats

	fresh  []int32   // rows whose collider the present sync has to add
	gone   []goneRow // whose colliders it has to remove
	bodies *Dynamics // nil until a DynamicsSystem runs

	transformed componentFilter
	positioned  componentFilter
	bodied      componentFilter
	surfaced    componentFilter
	hierarchy   hierarchy
	updated     []updatedSystem
	syncs, turn int      // number of Syncs, and of updates of systems
	round       int      // rises when a system updates for the second time since it last rose
	pointed     bool     // some pointer has been inside the window
	anchors     []anchor // by entity ID
}

// ids are the components of one world.
type ids struct {
	transform  key[Transform]
	collider   key[Collider]
	static     key[Static]
	unpickable key[Unpickable]
	parent     key[Parent]
	local      key[LocalTransform]
	position   key[WorldPosition]
	mover      key[Mover]
	moverState key[MoverState]
	projectile key[Projectile]
	pickable   key[Pickable]
	movable    key[Movable]
	body       key[Body]
	velocity   key[Velocity]
	material   key[Material]
	joint      key[Joint]
	draggable  key[Draggable]
}

// row is what was last copied of one entity: 64 bytes, one cache line.
type row struct {
	entity    ecs.Entity
	id        physics.ColliderID // 0 while the shape is unknown
	transform Transform
	shape     int32 // the entry of the Collider in the shape cache; 0 in a new row
	static    bool
	bounded   bool // as the entry of the shape cache
	fault     Fault
	role      role
}

// role is what a collider is for the bodies of [Dynamics].
type role uint8

const (
	ground    role = iota
	wholeBody      // it is of an entity with a Body
	bodyPart       // it is of a descendant of such an entity, and part of its body
)

// goneRow is a collider to be removed, and its entity.
type goneRow struct {
	entity ecs.Entity
	id     physics.ColliderID
}

// NewSpace returns an empty space. [Sync] adds one to a world that has none.
func NewSpace() *Space {
	return spaceOver(physics.NewSpace())
}

func spaceOver(s *physics.Space) *Space {
	return &Space{Queries: Queries{physics: s, scratches: new(scratchPool)}, shapes: newShapeCache(s)}
}

// NewPlanarSpace returns an empty space for a 2D game: see [physics.NewPlanarSpace]. Add it to the
// world before the first [Sync] and before Initialize of any system, which adds a space:
//
//	ecs.AddResource(&world, physecs.NewPlanarSpace())
//
// Systems that write the Transform of an entity, such as those of bodies and movers, write Z = 0. A
// collider that a planar space does not take, such as a mesh, is nowhere: see [Space.Nowhere].
func NewPlanarSpace() *Space { return spaceOver(physics.NewPlanarSpace()) }

// Len returns the number of entities with a Transform and a Collider at the last [Sync], including
// those that are nowhere.
func (s *Space) Len() int { return len(s.rows) }

// layerOf returns the layers of an entity's collider at the last [Sync], 0 if it has none.
func (s *Space) layerOf(e ecs.Entity) physics.Layers {
	if r := s.rowOfEntity(e); r != nil {
		return s.layerOfRow(r)
	}
	return 0
}

func (s *Space) layerOfRow(r *row) physics.Layers {
	return cmp.Or(s.shapes.colliders[r.shape].Layer, physics.DefaultLayer)
}

// rowOfEntity returns the row of an entity, nil if it has none.
func (s *Space) rowOfEntity(e ecs.Entity) *row {
	if i := s.find(e.ID()); i >= 0 && s.rows[i].entity == e {
		return &s.rows[i]
	}
	return nil
}

// find returns the index of the row of an entity's ID, −1 if there is none.
func (s *Space) find(id uint32) int {
	if int(id) >= len(s.index) {
		return -1
	}
	return int(s.index[id]) - 1
}

// Stats counts what the last [Sync] found and did.
type Stats struct {
	Colliders int // entities with a Transform and a Collider
	Nowhere   int // of them: entities that no query can find; see Space.Nowhere
	Added     int // entities that are new
	Removed   int // entities that died, or lost their Transform or Collider
	Moved     int // entities whose Transform alone changed
	Changed   int // entities with another shape, layer, flag or mesh
	Children  int // entities that follow a parent
	Orphans   int // entities whose Parent they cannot follow; see Space.Orphans

	Elapsed time.Duration // duration of the sync
}

// Stats returns the counts of the last [Sync].
func (s *Space) Stats() Stats { return s.stats }

// Fault is the reason why a collider is nowhere (in the space, but found by no query), or why an
// entity does not follow its [Parent].
type Fault uint8

// The faults of a collider, and of an entity with a Parent.
const (
	FaultNone            Fault = iota // the collider can be found; the entity follows its parent
	FaultNoShape                      // its Kind is KindNone or unknown
	FaultUnknownMesh                  // Meshes has no mesh of its MeshID
	FaultUnknownCompound              // Meshes has no compound of its CompoundID
	FaultUnknownHull                  // Meshes has no hull of its HullID
	// Shape or Transform is empty, NaN or infinite, alone or together.
	FaultBadNumbers
	FaultParentGone  // its Parent is dead, or was never alive
	FaultParentBare  // its Parent has no Transform
	FaultParentCycle // it is its own ancestor
	// The space is planar, and the shape has no outline in its plane: see [physics.NewPlanarSpace].
	FaultNotPlanar
)

// String returns the fault in words.
func (f Fault) String() string {
	return enum.Name(f, "none", "no shape", "unknown mesh", "unknown compound", "unknown hull",
		"shape or transform empty or not finite", "parent gone", "parent without transform", "its own ancestor",
		"no shape of a planar space, or not in its plane")
}

// Nowhere returns the entities whose collider no query can find, with the reason, as of the last
// [Sync]. It visits all entities: check first that Stats().Nowhere is not 0. The order is that of
// the world's queries.
func (s *Space) Nowhere() iter.Seq2[ecs.Entity, Fault] {
	return func(yield func(ecs.Entity, Fault) bool) {
		for i := range s.rows {
			if r := &s.rows[i]; r.fault != FaultNone && !yield(r.entity, r.fault) {
				return
			}
		}
	}
}

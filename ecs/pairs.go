package physecs

import (
	"cmp"
	"slices"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics"
)

// Pair is two entities whose bounds touch, the one with the lower entity ID first.
type Pair struct{ A, B ecs.Entity }

// Compare returns −1, 0 or 1 as p comes before, with or after o in the order of all pairs: by the
// ID of A, then by that of B. Of entities with the same ID the older generation comes first.
func (p Pair) Compare(o Pair) int {
	if c := compareEntities(p.A, o.A); c != 0 {
		return c
	}
	return compareEntities(p.B, o.B)
}

func compareEntities(a, b ecs.Entity) int {
	if a.ID() != b.ID() {
		return cmp.Compare(a.ID(), b.ID())
	}
	return cmp.Compare(a.Generation(), b.Generation())
}

// Pairs is the resource that holds the pairs of entities whose bounds touch: the broad phase of a
// collision test. [PairSystem] writes it. For which entities can pair see [physics.Space.Pairs]:
// their layers and masks must agree, and two entities with [Static] never pair. All slices are
// sorted by [Pair.Compare] and valid until the next update.
type Pairs struct {
	// All has all pairs of entities that were alive at the last update.
	All []Pair
	// Began has those of All that were not in the All before.
	Began []Pair
	// Ended has those of the All before that are not in All. The ID of an entity that died may
	// belong to another one by now.
	Ended []Pair

	tracker physics.PairTracker
	before  []Pair
	keys    []uint64 // entity IDs of pairs: words sort faster than pairs
}

// PairSystem finds the entities whose bounds touch, and those that began or ceased to since its
// last update, and writes them to [Pairs]. Run it after [SyncSystem].
type PairSystem struct{}

// Initialize adds [Space], [Meshes] and [Pairs] unless the world has them, and registers the
// components. Panics in a locked world.
func (s *PairSystem) Initialize(w *ecs.World) {
	initialize(w)
	resourceOf[Pairs](w)
}

// Update writes [Pairs]. It allocates nothing once the buffers have grown to the number of pairs.
func (s *PairSystem) Update(w *ecs.World) {
	space, p := initialize(w), resourceOf[Pairs](w)
	space.updates(s, "PairSystem", 0, nil)
	p.tracker.Update(space.physics)
	p.keys = p.keys[:0]
	for _, pair := range p.tracker.All {
		a, b := space.owner(pair.A), space.owner(pair.B)
		if space.has(a) && space.has(b) { // else gone since the last sync, or no entity's collider
			p.keys = append(p.keys, uint64(min(a.ID(), b.ID()))<<32|uint64(max(a.ID(), b.ID())))
		}
	}
	slices.Sort(p.keys)
	p.All, p.before = p.before[:0], p.All
	for _, k := range p.keys {
		p.All = append(p.All, Pair{space.rows[space.find(uint32(k>>32))].entity, space.rows[space.find(uint32(k))].entity})
	}
	p.compare()
}

// Finalize does nothing. The resource stays, to be read.
func (s *PairSystem) Finalize(*ecs.World) {}

// compare makes Began and Ended.
func (p *Pairs) compare() {
	p.Began, p.Ended = p.Began[:0], p.Ended[:0]
	now, before := p.All, p.before
	for len(now) > 0 && len(before) > 0 {
		switch now[0].Compare(before[0]) {
		case -1:
			p.Began, now = append(p.Began, now[0]), now[1:]
		case 1:
			p.Ended, before = append(p.Ended, before[0]), before[1:]
		default:
			now, before = now[1:], before[1:]
		}
	}
	p.Began, p.Ended = append(p.Began, now...), append(p.Ended, before...)
}

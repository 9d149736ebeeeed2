package physecs

import (
	"slices"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics"
)

// eye is what a query looks with: the space beneath, and whose its colliders are.
type eye struct {
	physics *physics.Space
	owners  []ecs.Entity // by place of the collider; the zero entity where it is not one of ours
	shared  bool         // a snapshot has the same owners, so that they must be copied before they change
	world   *ecs.World   // nil in a snapshot, which knows nothing of what happened since
	ids     ids
	lists   *listPool
}

// owner returns the entity of a collider, the zero entity if it is not one of ours. The low half of
// a ColliderID is the place of the collider in its space.
func (v *eye) owner(id physics.ColliderID) ecs.Entity {
	if i := uint32(id); int(i) < len(v.owners) {
		return v.owners[i]
	}
	return ecs.Entity{}
}

// own makes a collider that of an entity.
func (v *eye) own(id physics.ColliderID, e ecs.Entity) {
	if v.shared {
		v.owners, v.shared = slices.Clone(v.owners), false
	}
	i := int(uint32(id))
	if i >= len(v.owners) {
		v.owners = append(v.owners, make([]ecs.Entity, i+1-len(v.owners))...)
	}
	v.owners[i] = e
}

// sight is what one query sees. Its method sees, bound where the query is made, stays on the stack.
//
// A query asks the space beneath without a predicate where it can, and looks then whether what it
// found may be seen. What may not is rare, since only things that have gone since the last sync are
// known to that space and hidden by a plain filter; the query then asks again.
type sight struct {
	*eye
	filter *Filter
}

func (v sight) sees(id physics.ColliderID) bool { return v.seesEntity(v.owner(id)) }

func (v sight) seesEntity(e ecs.Entity) bool {
	if !v.has(e) {
		return false
	}
	f := v.filter
	if w := v.world; w != nil && (!f.With.IsZero() || !f.Without.IsZero()) {
		if mask := w.Mask(e); !mask.Contains(&f.With) || mask.ContainsAny(&f.Without) {
			return false
		}
	}
	return !slices.Contains(f.Exclude, e) && (f.Predicate == nil || f.Predicate(e))
}

// has reports whether an entity that was there at the last sync is there still, with a Collider and
// a Transform.
func (v *eye) has(e ecs.Entity) bool {
	w := v.world
	return !e.IsZero() && (w == nil || alive(w, e) && w.HasUnchecked(e, v.ids.collider) && w.HasUnchecked(e, v.ids.transform))
}

// alive reports whether an entity is alive. World.Alive panics for an entity with a higher ID than
// any since a World.Reset, which someone who kept it over the reset may well ask about; and takes
// for alive what is called as the next entity of a free ID will be, which has no components yet to
// look at.
func alive(w *ecs.World, e ecs.Entity) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	if w.Alive(e) {
		w.HasUnchecked(e, ecs.ID{}) // panics if the ID is free
		return true
	}
	return false
}

package physics

import "github.com/hitscan-go/hitscan/physics/geom"

// Filter says which colliders a query sees, and how. The zero Filter sees every collider that is no
// sensor, from both sides of its surface, and takes a ray that starts in a solid as a hit at once.
//
// A collider is seen if all of Layer, Mask, Sensors, Exclude and Predicate let it through.
type Filter struct {
	// OwnLayer is the set of layers the query itself is on: it sees the colliders whose Mask has
	// one of them. 0 means all.
	OwnLayer Layers
	// Mask is the set of layers the query looks at: it sees the colliders that are on one of them.
	// 0 means all.
	Mask Layers
	// Sensors makes the query see sensors too.
	Sensors bool
	// Exclude lists colliders that are not seen, such as the one that shoots. It is searched from
	// end to end for each candidate, so keep it short; Predicate serves for more. Stale IDs do no
	// harm.
	Exclude []ColliderID
	// Predicate, unless nil, has the last word: false leaves the collider out. It is asked only of
	// colliders that all else lets through and the query touches, though not of all of them and in
	// no certain order. It may ask the same space anything, and must not change it.
	Predicate func(id ColliderID) bool
	// Start is what becomes of a ray that starts in a solid. Only rays heed it.
	Start geom.StartMode
	// Cull is the side from which meshes and planes are not hit. Only rays and shapes that are cast
	// heed it.
	Cull geom.Cull
}

// sees reports whether everything but the predicate lets the collider through.
func (f *Filter) sees(r *record) bool {
	if r.sensor && !f.Sensors ||
		f.Mask != 0 && f.Mask&r.layer == 0 ||
		f.OwnLayer != 0 && f.OwnLayer&r.mask == 0 {
		return false
	}
	for _, id := range f.Exclude {
		if id == r.id {
			return false
		}
	}
	return true
}

// accepts asks the predicate.
func (f *Filter) accepts(id ColliderID) bool { return f.Predicate == nil || f.Predicate(id) }

package physics

import "github.com/hitscan-go/hitscan/physics/geom"

// Filter decides which colliders a query finds, and how. The zero Filter lets every collider
// through that is no sensor, hits surfaces from both sides, and makes a ray that starts in a solid
// a hit at once.
//
// A query finds a collider only if OwnLayer, Mask, Sensors, Exclude and Predicate all let it
// through.
type Filter struct {
	// OwnLayer is the set of layers of the query itself: it finds colliders whose Mask has one of
	// them. 0 means all.
	OwnLayer Layers
	// Mask is the set of layers that the query searches: it finds colliders that are on one of
	// them. 0 means all.
	Mask Layers
	// Sensors makes the query find sensors too.
	Sensors bool
	// Exclude lists colliders that are not found, such as the one that shoots. It is searched
	// linearly for each candidate, so keep it short, or use Predicate. Stale IDs do no harm.
	Exclude []ColliderID
	// Predicate, unless nil, decides last: false excludes the collider. It is called only with
	// colliders that everything else lets through and that the query touches, or for Nearest and
	// NearestK may come near, though not with all of them, and in no particular order. It may query
	// the same space, and must not change it.
	Predicate func(id ColliderID) bool
	// HitPredicate, unless nil, is called with hits of rays on colliders that all of the above lets
	// through: false lets the ray go on behind the hit, as through a hole in a leaf whose texture
	// is transparent there. A mesh has a hit for each triangle that the ray crosses, and any other
	// shape one: a ray that goes on behind that passes all of the shape. It is not called with all
	// hits, and in no particular order; it may do what Predicate may. Only rays use it.
	HitPredicate func(h Hit) bool
	// Start decides about a ray that starts in a solid. Only queries with rays use it.
	Start geom.StartMode
	// Cull is the side from which meshes and planes are not hit. Only queries with rays and with
	// moving shapes use it.
	Cull geom.Cull
}

// sees reports whether everything except the predicate lets the collider through.
func (f *Filter) sees(r *record) bool {
	if r.sensor && !f.Sensors || !f.seesLayers(r) {
		return false
	}
	for _, id := range f.Exclude {
		if id == r.id {
			return false
		}
	}
	return true
}

// seesLayers reports whether Mask and OwnLayer let the collider through.
func (f *Filter) seesLayers(r *record) bool {
	return (f.Mask == 0 || f.Mask&r.layer != 0) && (f.OwnLayer == 0 || f.OwnLayer&r.mask != 0)
}

// accepts calls the predicate.
func (f *Filter) accepts(id ColliderID) bool { return f.Predicate == nil || f.Predicate(id) }

package physics

import (
	"cmp"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Hit is a point at which a ray hits a collider, in world space.
type Hit struct {
	geom.Hit
	// Collider is the collider that was hit.
	Collider ColliderID
	// Child is the number of the child that was hit of a [Compound]; −1 of any other shape.
	Child int32
	// User is the collider's own value: see [Collider].
	User uint64
}

// Compare returns −1, 0 or 1 as h comes before, with or after o in the order of all hits: by T,
// then by collider, then by child, then by triangle. Of hits at the same T every query prefers the
// first in this order.
func (h Hit) Compare(o Hit) int { return compareHits(&h, &o) }

func compareHits(h, o *Hit) int {
	if h.T != o.T { // mostly
		return cmp.Compare(h.T, o.T)
	}
	return cmp.Or(cmp.Compare(h.Collider, o.Collider), cmp.Compare(h.Child, o.Child), cmp.Compare(h.Triangle, o.Triangle))
}

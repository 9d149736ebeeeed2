package physics

import "github.com/hitscan-go/hitscan/physics/geom"

// Hit is where a ray meets a collider, in world space.
type Hit struct {
	geom.Hit
	// Collider is what was hit.
	Collider ColliderID
	// Child is the number of the child that was hit of a [Compound], and −1 for every other shape.
	Child int32
	// User is the collider's own.
	User uint64
}

// Compare returns −1, 0 or 1 as h comes before, with or after o in the order of all hits: by T,
// then by collider, then by child, then by triangle. Of hits at the same T every query prefers the
// first in this order.
func (h Hit) Compare(o Hit) int { return compareHits(&h, &o) }

func compareHits(h, o *Hit) int {
	switch {
	case h.T != o.T:
		return order(h.T < o.T)
	case h.Collider != o.Collider:
		return order(h.Collider < o.Collider)
	case h.Child != o.Child:
		return order(h.Child < o.Child)
	case h.Triangle != o.Triangle:
		return order(h.Triangle < o.Triangle)
	}
	return 0
}

func order(less bool) int {
	if less {
		return -1
	}
	return 1
}

// Nearest is the point of a collider that is closest to a point asked about, in world space.
type Nearest struct {
	// Collider is what is closest.
	Collider ColliderID
	// Child is the number of the closest child of a [Compound], and −1 for every other shape.
	Child int32
	// Triangle is the index of the closest triangle of a mesh, and −1 for every other shape.
	Triangle int32
	// User is the collider's own.
	User uint64
	// Point is the closest point: on the surface, or the point asked about itself if that lies in a
	// solid.
	Point geom.Vec3
	// Distance is how far away Point is, in metres; 0 in a solid.
	Distance float32
}

// before orders by distance, then by collider, child and triangle.
func (n *Nearest) before(o *Nearest) bool {
	switch {
	case n.Distance != o.Distance:
		return n.Distance < o.Distance
	case n.Collider != o.Collider:
		return n.Collider < o.Collider
	case n.Child != o.Child:
		return n.Child < o.Child
	}
	return n.Triangle < o.Triangle
}

package narrow

import (
	"cmp"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// before reports whether a comes before b in the order of a pair: by kind, and then by the numbers.
// So a pair and the pair exchanged are computed in the same way, and the answer is flipped for one
// of them. Two shapes that are the same to the last bit have no order, and their answers may change
// when they are exchanged.
func before(a, b *Shape) bool {
	if a.kind != b.kind {
		return a.kind < b.kind
	}
	return compare(a, b) <= 0
}

// inOrder returns two shapes in the order of a pair, and whether that exchanges them.
func inOrder(a, b *Shape) (first, second *Shape, exchanged bool) {
	if before(a, b) {
		return a, b, false
	}
	return b, a, true
}

// compare orders two shapes of the same kind by the fields that the kind uses.
func compare(a, b *Shape) int {
	if c := compareVec(a.p, b.p); c != 0 {
		return c
	}
	switch a.kind {
	case KindSphere, KindCapsule:
		return compareSimple(&a.Simple, &b.Simple)
	case KindAABB:
		return compareVec(a.half, b.half)
	case KindTriangle:
		return cmp.Or(compareVec(a.e, b.e), compareVec(a.f, b.f), compareVec(a.u, b.u))
	case KindHalfSpace:
		return compareVec(a.u, b.u)
	}
	var c int
	if a.kind == KindRound {
		c = compareVec(a.e, b.e)
	}
	c = cmp.Or(c, compareVec(a.x, b.x), compareVec(a.y, b.y), compareVec(a.z, b.z))
	if c != 0 {
		return c
	}
	if a.kind == KindRound && a.caps != b.caps {
		return cmp.Compare(oneIf(a.caps), oneIf(b.caps))
	}
	if a.kind != KindHull {
		return compareVec(a.half, b.half)
	}
	if a.hull == b.hull {
		return 0
	}
	// Two hulls at the same place.
	if c := cmp.Compare(a.hull.NumVertices(), b.hull.NumVertices()); c != 0 {
		return c
	}
	for i := range a.hull.NumVertices() {
		if c := compareVec(a.hull.Vertex(i), b.hull.Vertex(i)); c != 0 {
			return c
		}
	}
	return 0
}

func compareSimple(a, b *Simple) int {
	if c := compareVec(a.p, b.p); c != 0 {
		return c
	}
	if a.kind == KindCapsule {
		if c := compareVec(a.e, b.e); c != 0 {
			return c
		}
	}
	return cmp.Compare(a.radius, b.radius)
}

func compareVec(a, b geom.DVec3) int {
	switch {
	case a.X != b.X:
		return cmp.Compare(a.X, b.X)
	case a.Y != b.Y:
		return cmp.Compare(a.Y, b.Y)
	}
	return cmp.Compare(a.Z, b.Z)
}

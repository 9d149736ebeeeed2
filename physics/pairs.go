package physics

import (
	"cmp"
	"slices"
)

// Pair is two colliders whose bounds touch, the lower ID first.
type Pair struct{ A, B ColliderID }

// Compare returns −1, 0 or 1 as p comes before, with or after o in the order of all pairs: by A, then by B.
func (p Pair) Compare(o Pair) int {
	if c := cmp.Compare(p.A, o.A); c != 0 {
		return c
	}
	return cmp.Compare(p.B, o.B)
}

// Pairs appends to dst every two colliders that may touch, each pair once, in the order of [Pair.Compare], and returns the
// longer slice. Two colliders pair if their [Space.Bounds] touch, if each is on a layer of the other's Mask, and if not
// both are Static. Sensors pair like all others. A collider with a plane in it, which has no finite bounds, pairs with
// those whose bounds one of its planes or other shapes touches, and with no other of its kind.
//
// It is the broad phase of a collision test: what shapes do within their bounds is still to be found out. [PairTracker]
// tells which pairs are new.
func (s *Space) Pairs(dst []Pair) []Pair {
	start := len(dst)
	for i := range s.records {
		r := &s.records[i]
		if r.where == nowhere {
			continue
		}
		visit := func(j uint32) bool {
			o := &s.records[j]
			if (o.where == inPlanes || j > uint32(i)) && r.pairs(o) {
				dst = append(dst, pairOf(r.id, o.id))
			}
			return true
		}
		if r.where == inTree {
			s.tree.VisitAABB(*r.bounds(), visit)
			for _, j := range s.planes {
				visit(uint32(j))
			}
		}
	}
	slices.SortFunc(dst[start:], Pair.Compare)
	return dst
}

func (r *record) pairs(o *record) bool {
	if r.static && o.static || r.mask&o.layer == 0 || o.mask&r.layer == 0 {
		return false
	}
	if o.where == inPlanes {
		v := aabbVolume(*r.bounds())
		return o.overlaps(&v)
	}
	return r.bounds().OverlapsAABB(*o.bounds())
}

func pairOf(a, b ColliderID) Pair { return Pair{min(a, b), max(a, b)} }

// PairTracker tells from one tick to the next which pairs began and which ended. The zero PairTracker has seen none. All
// its slices are sorted, and valid until the next Update.
type PairTracker struct {
	// Pairs is all pairs at the last Update.
	Pairs []Pair
	// Began is those of them that were none at the Update before.
	Began []Pair
	// Ended is those that were pairs at the Update before and are none now, also because a collider was removed.
	Ended []Pair

	before []Pair
}

// Update asks a space for its pairs and compares them with those before. It allocates nothing once its slices have grown.
func (p *PairTracker) Update(s *Space) {
	p.Pairs, p.before = s.Pairs(p.before[:0]), p.Pairs
	p.Began, p.Ended = p.Began[:0], p.Ended[:0]
	now, before := p.Pairs, p.before
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

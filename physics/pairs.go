package physics

import (
	"cmp"
	"runtime"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// Pair is two colliders whose bounds touch, the lower ID first.
type Pair struct{ A, B ColliderID }

// Compare returns −1, 0 or 1 as p comes before, with or after o in the order of all pairs: by A,
// then by B.
func (p Pair) Compare(o Pair) int {
	if c := cmp.Compare(p.A, o.A); c != 0 {
		return c
	}
	return cmp.Compare(p.B, o.B)
}

// Pairs appends to dst every two colliders that may touch, each pair once, in the order of
// [Pair.Compare], and returns the longer slice. Two colliders pair if their [Space.Bounds] touch,
// if each is on a layer of the other's Mask, and if not both are Static. Sensors pair like all
// others. A plane, or a compound with one, has no finite bounds: it pairs with colliders whose
// bounds it touches, and with no other collider without finite bounds.
//
// Pairs is the broad phase of a collision test: whether the shapes within the bounds touch is not
// yet decided. See [PairTracker] for the pairs that are new.
func (s *Space) Pairs(dst []Pair) []Pair {
	s.settle()
	start := len(dst)
	w := takeScratch()
	w.boxPairs = s.boxes.Pairs(w.boxPairs[:0], runtime.GOMAXPROCS(0))
	for _, c := range w.boxPairs {
		a, b := &s.records[c.A], &s.records[c.B]
		// The fat AABBs are larger than the bounds.
		if a.meets(b) && a.bounds().OverlapsAABB(*b.bounds()) {
			dst = append(dst, pairOf(a.id, b.id))
		}
	}
	for _, i := range s.planes {
		dst = s.pairsWith(dst, &s.records[i])
	}
	w.sortPairs(dst[start:])
	w.give()
	return dst
}

// pairsWith appends the pairs of a collider without finite bounds.
func (s *Space) pairsWith(dst []Pair, r *record) []Pair {
	s.boxes.VisitWhere(
		func(box *geom.AABB) bool {
			v := placed.AABBVolume(*box)
			return r.overlaps(&v)
		},
		func(i uint32) bool {
			o := &s.records[i]
			v := placed.AABBVolume(*o.bounds())
			if r.meets(o) && r.overlaps(&v) {
				dst = append(dst, pairOf(r.id, o.id))
			}
			return true
		})
	return dst
}

// meets reports whether layers, masks and Static let two colliders pair.
func (r *record) meets(o *record) bool {
	return !(r.static && o.static) && r.mask&o.layer != 0 && o.mask&r.layer != 0
}

func pairOf(a, b ColliderID) Pair { return Pair{min(a, b), max(a, b)} }

// sortPairs sorts pairs.
func (w *scratch) sortPairs(pairs []Pair) {
	// As long as no record was used twice all IDs are of the same generation, and a pair fits in a
	// word, which is sorted in half the time.
	w.keys = w.keys[:0]
	for _, p := range pairs {
		if p.A.generation() != 1 || p.B.generation() != 1 {
			slices.SortFunc(pairs, Pair.Compare)
			return
		}
		w.keys = append(w.keys, uint64(p.A.index())<<32|uint64(p.B.index()))
	}
	slices.Sort(w.keys)
	for i, k := range w.keys {
		pairs[i] = Pair{newID(int(k>>32), 1), newID(int(uint32(k)), 1)}
	}
}

// PairTracker finds from one tick to the next which pairs began and which ended. The zero
// PairTracker starts without pairs. All its slices are sorted, and valid until the next Update.
type PairTracker struct {
	// All holds all pairs at the last Update.
	All []Pair
	// Began holds those of them that were no pairs at the Update before.
	Began []Pair
	// Ended holds the pairs at the Update before that are no longer pairs, also because a collider
	// was removed.
	Ended []Pair

	before []Pair
}

// Update compares the pairs of a space with those of the Update before. It allocates nothing once
// its slices have grown.
func (p *PairTracker) Update(s *Space) {
	p.All, p.before = s.Pairs(p.before[:0]), p.All
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

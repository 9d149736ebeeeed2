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
	s.visitPlanes(func(i uint32) bool {
		dst = s.pairsWith(dst, &s.records[i])
		return true
	})
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

// sortPairs sorts pairs in the order of [Pair.Compare]. As long as no record was used twice, all
// IDs are of the same generation, and a pair fits in a word, which is sorted in half the time.
func (w *scratch) sortPairs(pairs []Pair) {
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
	// Ended holds the pairs at the Update before that are no longer pairs, or because a collider
	// was removed.
	Ended []Pair

	table    pairTable
	touching []bool // by slot of the table
}

// Update compares the pairs of a space with those of the Update before. It tests only pairs of
// which a collider has changed, and searches only for colliders that have left their fat AABB. It
// allocates nothing once its memory has grown.
//
// The space may be a snapshot of the one before, or the other way round. Any other space ends all
// pairs.
func (p *PairTracker) Update(s *Space) {
	p.Began, p.Ended = p.Began[:0], p.Ended[:0]
	t := &p.table
	if !t.update(s, 0, AllLayers) {
		p.Ended = append(p.Ended, p.All...)
		p.All = p.All[:0]
		clear(p.touching)
	}
	if n := len(t.slots); n > len(p.touching) {
		p.touching = append(p.touching, make([]bool, n-len(p.touching))...)
	}
	ended := len(p.Ended)
	for _, slot := range t.queue {
		over := t.isOver(s, slot)
		if !over && t.isStill(slot) {
			continue
		}
		k, was := t.slots[slot].Pair, p.touching[slot]
		now := !over && s.boundsTouch(k)
		p.touching[slot] = now
		switch {
		case now && !was:
			p.Began = append(p.Began, k)
		case was && !now:
			p.Ended = append(p.Ended, k)
		}
		if over {
			t.end(slot)
		}
	}
	w := takeScratch()
	w.sortPairs(p.Began)
	w.sortPairs(p.Ended[ended:])
	w.give()
	p.All = without(p.All, p.Ended[ended:], Pair.Compare)
	p.All = with(p.All, p.Began, Pair.Compare)
}

// without removes elements from a sorted list that holds them, in its order.
func without[T comparable](list, which []T, compare func(a, b T) int) []T {
	if len(which) == 0 {
		return list
	}
	to, _ := slices.BinarySearchFunc(list, which[0], compare)
	for _, x := range list[to:] {
		if len(which) > 0 && x == which[0] {
			which = which[1:]
			continue
		}
		list[to] = x
		to++
	}
	clear(list[to:])
	return list[:to]
}

// with adds elements, in order, to a sorted list. It begins at the end, so that each element moves
// once.
func with[T any](list, which []T, compare func(a, b T) int) []T {
	rest, to := len(list), len(list)+len(which)
	list = slices.Grow(list, len(which))[:to]
	for i := len(which) - 1; i >= 0; i-- {
		at, _ := slices.BinarySearchFunc(list[:rest], which[i], compare)
		to -= copy(list[to-(rest-at):to], list[at:rest])
		rest = at
		to--
		list[to] = which[i]
	}
	return list
}

// boundsTouch reports whether two colliders that can pair do.
func (s *Space) boundsTouch(k Pair) bool {
	a, b := &s.records[k.A.index()], &s.records[k.B.index()]
	if a.where == inPlanes {
		a, b = b, a
	}
	if b.where == inPlanes {
		v := placed.AABBVolume(*a.bounds())
		return b.overlaps(&v)
	}
	return a.bounds().OverlapsAABB(*b.bounds())
}

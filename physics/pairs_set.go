package physics

import "github.com/hitscan-go/hitscan/physics/internal/broad"

// pairSet is a hash set of the pairs in a table, with open addressing and linear probing (Knuth,
// The Art of Computer Programming, volume 3, 6.4, algorithms L and R).
type pairSet struct {
	entries []pairEntry // a power of two
	count   int
}

// pairEntry is a pair by the indices of its colliders and its slot.
type pairEntry struct {
	key  uint64
	mark uint32
	slot int32 // 1 more than the slot; 0: none
}

// mark returns the generations of the two colliders; 0 if they do not fit. With it, most searches
// need not read the slot, which is not in the cache.
func (p Pair) mark() uint32 {
	if a, b := p.A.generation(), p.B.generation(); a|b < 1<<16 {
		return a<<16 | b
	}
	return 0
}

// key returns the indices of the two colliders. Pairs of other generations may have the same.
func (p Pair) key() uint64 { return uint64(uint32(p.A))<<32 | uint64(uint32(p.B)) }

// home returns the entry at which the search for a key begins (Fibonacci hashing; Knuth, 6.4).
func (h *pairSet) home(key uint64) int {
	const golden = 0x9e3779b97f4a7c15
	key ^= key >> 32 * golden
	return int(key*golden>>32) & (len(h.entries) - 1)
}

func (h *pairSet) clear() {
	clear(h.entries)
	h.count = 0
}

// slot returns the slot of a pair, −1 if it is not in the set.
func (h *pairSet) slot(slots []pairSlot, p Pair) int32 {
	if h.count == 0 {
		return -1
	}
	key, mark := p.key(), p.mark()
	for i := h.home(key); ; i = (i + 1) & (len(h.entries) - 1) {
		switch e := h.entries[i]; {
		case e.slot == 0:
			return -1
		case e.key == key && e.mark == mark && (mark != 0 || slots[e.slot-1].Pair == p):
			return e.slot - 1
		}
	}
}

// hint prefetches what a search for a pair reads first.
func (h *pairSet) hint(p Pair) {
	if h.count > 0 {
		broad.HintAll(&h.entries[h.home(p.key())])
	}
}

// add adds a pair that is not in the set.
func (h *pairSet) add(slots []pairSlot, slot int32) {
	if 2*(h.count+1) > len(h.entries) {
		old := h.entries
		h.entries = make([]pairEntry, max(64, 2*len(old)))
		for _, e := range old {
			if e.slot != 0 {
				h.put(e)
			}
		}
	}
	h.count++
	h.put(pairEntry{slots[slot].key(), slots[slot].mark(), slot + 1})
}

func (h *pairSet) put(e pairEntry) {
	i := h.home(e.key)
	for h.entries[i].slot != 0 {
		i = (i + 1) & (len(h.entries) - 1)
	}
	h.entries[i] = e
}

// remove removes a pair that is in the set, and moves back the entries behind it that would no
// longer be found.
func (h *pairSet) remove(slots []pairSlot, slot int32) {
	mask := len(h.entries) - 1
	i := h.home(slots[slot].key())
	for h.entries[i].slot != slot+1 {
		i = (i + 1) & mask
	}
	h.count--
	for j := (i + 1) & mask; h.entries[j].slot != 0; j = (j + 1) & mask {
		if (j-h.home(h.entries[j].key))&mask >= (j-i)&mask {
			h.entries[i], i = h.entries[j], j
		}
	}
	h.entries[i] = pairEntry{}
}

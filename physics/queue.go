package physics

import "github.com/hitscan-go/hitscan/physics/internal/placed"

// pending is a hit that is found and not yet returned. The next hit with the same subshape is
// searched for only when this one has been returned.
type pending struct {
	Hit
	record   *record
	subshape *placed.Subshape
}

// queue is a binary heap of hits, with the first hit on top.
type queue []pending

func (q *queue) push(p pending) {
	*q = append(*q, p)
	h, at := *q, len(*q)-1
	for at > 0 {
		parent := (at - 1) / 2
		if compareHits(&h[parent].Hit, &p.Hit) <= 0 {
			break
		}
		h[at] = h[parent]
		at = parent
	}
	h[at] = p
}

func (q *queue) pop() pending {
	h := *q
	top, last := h[0], h[len(h)-1]
	h[len(h)-1] = pending{}
	h = h[:len(h)-1]
	*q = h
	at := 0
	for {
		child := 2*at + 1
		if child >= len(h) {
			break
		}
		if child+1 < len(h) && compareHits(&h[child+1].Hit, &h[child].Hit) < 0 {
			child++
		}
		if compareHits(&last.Hit, &h[child].Hit) <= 0 {
			break
		}
		h[at] = h[child]
		at = child
	}
	if len(h) > 0 {
		h[at] = last
	}
	return top
}

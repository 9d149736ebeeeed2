package physics

import (
	"iter"
	"math"
	"sync"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/broad"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// Hits returns the hits of a ray one at a time from front to back: the same hits in the same order
// as [Space.CastRayAll], but each only looked for when it is asked for. Stopping early costs
// nothing, so it serves to go on through what turns out not to count: glass, foliage, a wall that a
// bullet penetrates.
//
// The space may be changed if the loop then ends. Panics if it goes on in a space that was changed.
func (s *Space) Hits(r geom.Ray, f Filter) iter.Seq[Hit] {
	return func(yield func(Hit) bool) { s.hits(r, f, yield) }
}

func (s *Space) hits(r geom.Ray, f Filter, yield func(Hit) bool) {
	if !r.IsValid() {
		return
	}
	s.settle()
	w := takeScratch()
	for _, i := range s.planes {
		w.meet(&s.records[i], r, &f)
	}
	w.front.Start(&s.boxes, r)
	version := s.version
	for {
		// Hits are safe to hand out once the tree has nothing left that begins before them.
		limit := math.Inf(1)
		if len(w.queue) > 0 {
			limit = float64(w.queue[0].T)
		}
		if i, ok := w.front.Next(limit); ok {
			w.meet(&s.records[i], r, &f)
			continue
		}
		if len(w.queue) == 0 {
			break
		}
		next := w.pop()
		if !yield(next.Hit) {
			break
		}
		if s.version != version {
			panic("physics: Space.Hits: the space was changed and the loop went on")
		}
		if h, ok := next.record.castPieceAfter(next.piece, r, &f, next.Hit.Hit); ok {
			next.Hit.Hit = h
			w.push(next)
		}
	}
	w.give()
}

// scratch is the memory of a query that needs more than a few words. It is kept for the next.
type scratch struct {
	front   broad.Front
	queue   []pending // a heap, first hit on top
	hits    []geom.Hit
	impacts []mesh.Impact
	couples []broad.Couple
	keys    []uint64

	a, b      figure
	facets    []facets
	near      []uint32
	manifolds []Manifold
	x, y      narrow.Shape // a facet of each
	finder    narrow.Finder
	joiner    narrow.Joiner
	joined    []narrow.MeshManifold
}

// pending is a hit that is known and not handed out. The next with the same piece is looked for
// once it has been.
type pending struct {
	Hit
	record *record
	piece  *piece
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

func takeScratch() *scratch { return scratches.Get().(*scratch) }

func (w *scratch) give() {
	w.front.Stop()
	clear(w.queue) // pointers into a space would keep it alive
	w.queue, w.hits = w.queue[:0], w.hits[:0]
	scratches.Put(w)
}

// meet puts the first hit with each piece of a collider into the queue.
func (w *scratch) meet(rec *record, r geom.Ray, f *Filter) {
	if !f.sees(rec) {
		return
	}
	accepted := false
	pieces := rec.pieces()
	for i := range pieces {
		p := &pieces[i]
		var h geom.Hit
		if !rec.castPiece(&h, p, &r, f) {
			continue
		}
		if !accepted {
			if accepted = f.accepts(rec.id); !accepted {
				return
			}
		}
		w.push(pending{rec.hit(h, p), rec, p})
	}
}

func (w *scratch) push(p pending) {
	w.queue = append(w.queue, p)
	q, at := w.queue, len(w.queue)-1
	for at > 0 {
		parent := (at - 1) / 2
		if compareHits(&q[parent].Hit, &p.Hit) <= 0 {
			break
		}
		q[at] = q[parent]
		at = parent
	}
	q[at] = p
}

func (w *scratch) pop() pending {
	q := w.queue
	top, last := q[0], q[len(q)-1]
	q[len(q)-1] = pending{}
	q = q[:len(q)-1]
	w.queue = q
	at := 0
	for {
		child := 2*at + 1
		if child >= len(q) {
			break
		}
		if child+1 < len(q) && compareHits(&q[child+1].Hit, &q[child].Hit) < 0 {
			child++
		}
		if compareHits(&last.Hit, &q[child].Hit) <= 0 {
			break
		}
		q[at] = q[child]
		at = child
	}
	if len(q) > 0 {
		q[at] = last
	}
	return top
}

package broad

// A copy is kept up to date by versions: each change of a phase has one, and each stretch of nodes
// and of places knows in which it changed last. A copy that was made in some version takes over
// what has a later one.

// origin is what a phase was copied from.
type origin struct {
	id      uint64 // 0: nothing
	version uint64 // all changes before this one have been copied
}

// CopyFrom makes p hold what q holds, in memory of its own. Both must be settled. If p was copied
// from q before and has not been changed since, only what q changed meanwhile is copied.
func (p *Phase) CopyFrom(q *Phase) {
	if q.stale {
		panic("broad: Phase.CopyFrom: not settled")
	}
	if p == q {
		return
	}
	since := uint64(0)
	if p.copied.id == q.id && !p.stale {
		since = p.copied.version
	}
	p.change()
	for half := range p.trees {
		p.trees[half].version = p.version
		p.trees[half].copyFrom(&q.trees[half], since)
		p.pending[half] = p.pending[half][:0]
	}
	if cap(p.at) < len(q.at) {
		since = 0
	}
	p.at = sized(p.at, len(q.at))
	p.stamps = grown(p.stamps, len(q.stamps))
	for i, stamp := range q.stamps {
		if from := i * numbersPerStamp; stamp >= since && from < len(q.at) {
			copy(p.at[from:], q.at[from:min(from+numbersPerStamp, len(q.at))])
			p.stamps[i] = p.version
		}
	}
	p.count = q.count
	p.copied = origin{q.id, q.version}
	p.version++
	p.stale = false
}

// grown returns a slice with at least n values, those of s and zeros.
func grown[T any](s []T, n int) []T {
	if n <= len(s) {
		return s
	}
	return append(s, make([]T, n-len(s))...)
}

func (t *tree) copyFrom(q *tree, since uint64) {
	for l := range t.dirty {
		t.dirty[l].clear()
	}
	if cap(t.nodes) < len(q.nodes) {
		t.nodes = alignedNodes(len(q.nodes) + len(q.nodes)/8)
		since = 0
	}
	t.nodes = t.nodes[:len(q.nodes)]
	t.reserve(len(q.nodes))
	for i := 0; i*64 < len(q.nodes); i++ {
		if q.stamps[i] >= since {
			copy(t.nodes[i*64:], q.nodes[i*64:min(i*64+64, len(q.nodes))])
			t.stamps[i] = t.version
		}
	}
	t.root, t.count, t.free, t.built, t.changes = q.root, q.count, q.free, q.built, q.changes
	t.fill, t.fresh = q.fill, q.fresh
	t.left, t.loose, t.thin = t.left[:0], t.loose[:0], t.thin[:0]
	t.tired = append(t.tired[:0], q.tired...)
}

package broad

// Copies are incremental, by versions: each change of a phase has a version, and each range of
// nodes and places is stamped with the version of its last change. A second copy takes over only
// the ranges with later stamps than the first.

// origin is the phase from which another was copied.
type origin struct {
	id      uint64 // 0: none
	version uint64 // all changes before this one have been copied
}

// CopyFrom makes p a copy of q, in memory of its own. Panics unless q is settled. If p was copied
// from q before and has not changed since, it copies only what has changed in q meanwhile.
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
	p.take(q, q, since)
	p.copied = origin{q.id, q.version}
}

// Restore makes p what it was when q was copied from it, or from a copy of it. It copies only what
// has changed in p since q was copied from p or restored last. q must not have changed since it was
// copied.
func (p *Phase) Restore(q *Phase) {
	since := uint64(0)
	if q.copied.id == p.id {
		since = q.copied.version
	}
	p.take(q, p, since)
	p.copied, q.copied = origin{}, origin{p.id, p.version}
}

// take copies q, except what has not changed in one of the two phases since a version.
func (p *Phase) take(q, changed *Phase, since uint64) {
	p.change()
	for half := range p.trees {
		p.trees[half].version = p.version
		p.trees[half].take(&q.trees[half], &changed.trees[half], since)
		p.pending[half] = p.pending[half][:0]
	}
	if cap(p.at) < len(q.at) {
		since = 0
	}
	p.at = sized(p.at, len(q.at))
	p.stamps = grown(p.stamps, len(q.stamps))
	for i := 0; i*numbersPerStamp < len(q.at); i++ {
		if from := i * numbersPerStamp; changed.stamps[i] >= since {
			copy(p.at[from:], q.at[from:min(from+numbersPerStamp, len(q.at))])
			p.stamps[i] = p.version
		}
	}
	p.count = q.count
	p.settled()
}

// grown returns s, extended with zeros to n values if it is shorter.
func grown[T any](s []T, n int) []T {
	if n <= len(s) {
		return s
	}
	return append(s, make([]T, n-len(s))...)
}

func (t *tree) take(q, changed *tree, since uint64) {
	for l := range t.dirty {
		for w, nodes := range t.dirty[l].words {
			if nodes != 0 {
				t.stamps[w] = t.version // Settle would have done so
			}
		}
		t.dirty[l].clear()
	}
	if cap(t.nodes) < len(q.nodes) {
		t.nodes = alignedNodes(len(q.nodes) + len(q.nodes)/8)
		since = 0
	}
	t.nodes = t.nodes[:len(q.nodes)]
	t.reserve(len(q.nodes))
	for i := 0; i*64 < len(q.nodes); i++ {
		if changed.stamps[i] >= since {
			copy(t.nodes[i*64:], q.nodes[i*64:min(i*64+64, len(q.nodes))])
			t.stamps[i] = t.version
		}
	}
	t.root, t.count, t.free, t.built, t.changes = q.root, q.count, q.free, q.built, q.changes
	t.fill, t.fresh = q.fill, q.fresh
	t.strayed, t.loose, t.thin = t.strayed[:0], t.loose[:0], t.thin[:0]
	t.due = append(t.due[:0], q.due...)
}

package physics

// Nearly all contacts of a 2D game are those of two boxes that touched at the update before too.
// They are checked here without what other pairs need.

// stayFlat is check of a contact of two boxes of a planar space that still touch. It reports false,
// and has changed nothing, if check has to decide.
func (c *checks) stayFlat(w *scratch, x *tracked, k *pairSlot, mem *arenaPart) bool {
	t := c.table
	i, j := k.A.index(), k.B.index()
	p, q := &t.flats[i], &t.flats[j]
	if !p.IsSet() || !q.IsSet() || x.found != 0 || c.excludes != nil {
		return false
	}
	a, b := &c.space.records[i], &c.space.records[j]
	margin, near := t.margin, false
	if t.isFast(i) || t.isFast(j) {
		margin, near = t.pairMargin(i, j, a, b, &w.closing)
	} else {
		near = isNear(a, b, margin)
	}
	if !near || x.Sensor || a.sensor || b.sensor {
		return false
	}
	if _, ok := w.finder.CollideFlat(p, q, float64(margin)); !ok || w.finder.N == 0 {
		return false
	}
	mem.room(1)
	from := len(mem.manifolds)
	m := appendManifold(mem.manifolds, &w.finder.Manifold, &a.single[0], &b.single[0])
	if margin > t.margin && len(t.approaching(m[from:], i, j, a, b)) == 0 {
		return false
	}
	mem.manifolds, x.Manifolds = m, m[from:len(m):len(m)]
	x.UserA, x.UserB, x.Still, x.settled, x.copied = a.user, b.user, false, false, true
	return true
}

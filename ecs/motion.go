package physecs

import (
	"github.com/mlange-42/arche/ecs"
)

// motion shows entities that systems other than [DynamicsSystem] move between their places before
// and after a step. Like that system it gives the rows of the space what it writes, so that [Sync]
// leaves the colliders where they are.
type motion struct {
	space  *Space
	filter motionFilter
	rows   roster[motionRow]
	turn   int // of begin
}

// motionRow is where an entity is before and after the last step, and what its Transform was set
// to.
type motionRow struct {
	before, now, shown Transform
	turn               int
}

// restore puts the entities back where the last step left them, except those that the game has
// moved since.
func (m *motion) restore(w *ecs.World, space *Space) {
	if m.space != space {
		*m = motion{space: space, filter: newMotionFilter(w, &space.ids)}
	}
	if m.write(w, func(r *motionRow) Transform { return r.now }) {
		space.transforms(w)
	}
}

// begin notes where the entities are before the last step of an update. What the game writes at the
// beginning of the step has happened before.
func (m *motion) begin(w *ecs.World) {
	m.turn++
	m.visit(w, func(r *motionRow, t *Transform) { r.before, r.turn = *t, m.turn })
}

// end notes where they are after it.
func (m *motion) end(w *ecs.World) {
	m.visit(w, func(r *motionRow, t *Transform) {
		if r.turn != m.turn { // it came during the step
			r.before = *t
		}
		r.now, r.shown = *t, *t
	})
}

// visit calls a function for all entities that systems move.
func (m *motion) visit(w *ecs.World, f func(r *motionRow, t *Transform)) {
	m.rows.begin()
	m.filter.visit(w, &m.space.ids, func(e ecs.Entity, t *Transform) { f(m.rows.visit(e), t) })
	m.rows.end()
}

// show writes the Transforms at a share of the way from before the step to after it, except those
// that the game has written since.
func (m *motion) show(w *ecs.World, share float32) {
	if m.space == nil {
		return
	}
	wrote := m.write(w, func(r *motionRow) Transform {
		if share >= 1 {
			return r.now
		}
		return r.before.Lerp(r.now, share)
	})
	if !wrote || m.space.stats.Children == 0 {
		return
	}
	m.space.transforms(w)
	for i := range m.space.hierarchy.children {
		e := m.space.hierarchy.children[i].entity
		if row := m.space.rowOfEntity(e); row != nil {
			row.transform = *m.space.ids.transform.of(w, e)
		}
	}
}

// write writes the Transforms that are as they were written last, and reports whether any changed.
func (m *motion) write(w *ecs.World, place func(r *motionRow) Transform) (wrote bool) {
	for i := range m.rows.rows {
		e, r := m.rows.entities[i], &m.rows.rows[i]
		if !alive(w, e) {
			continue
		}
		t, at := m.space.ids.transform.of(w, e), place(r)
		if t == nil || sameTransform(&at, &r.shown) || !sameTransform(t, &r.shown) {
			continue
		}
		*t, r.shown, wrote = at, at, true
		if row := m.space.rowOfEntity(e); row != nil {
			row.transform = at
		}
	}
	return wrote
}

package physecs

import "github.com/mlange-42/arche/ecs"

// roster holds a row for each entity of a query, in the order of the query, so that the next pass
// compares the two side by side. It notices all that happens to a world, as [Sync] does.
type roster[R any] struct {
	entities []ecs.Entity
	rows     []R
	index    []int32 // by entity ID: row + 1
	gone     []R     // rows of entities that the last pass did not find
	n        int     // rows visited by this pass
}

// begin begins a pass.
func (r *roster[R]) begin() { r.n, r.gone = 0, r.gone[:0] }

// visit returns the row of the next entity of the query: a zero row if it had none.
func (r *roster[R]) visit(e ecs.Entity) *R {
	if r.n == len(r.rows) || r.entities[r.n] != e {
		r.place(r.n, e)
	}
	r.n++
	return &r.rows[r.n-1]
}

// place makes row i that of e, and swaps it with the present row i.
func (r *roster[R]) place(i int, e ecs.Entity) {
	id := int(e.ID())
	if id >= len(r.index) {
		r.index = append(r.index, make([]int32, id+1-len(r.index))...)
	}
	j := int(r.index[id]) - 1
	if j < 0 {
		j = len(r.rows)
		r.entities, r.rows = append(r.entities, e), append(r.rows, *new(R))
	} else if r.entities[j] != e { // the ID was recycled
		r.gone = append(r.gone, r.rows[j])
		r.entities[j], r.rows[j] = e, *new(R)
	}
	r.entities[i], r.entities[j] = r.entities[j], r.entities[i]
	r.rows[i], r.rows[j] = r.rows[j], r.rows[i]
	r.index[r.entities[j].ID()] = int32(j + 1)
	r.index[id] = int32(i + 1)
}

// end ends a pass. The rows of entities that it did not visit are in gone.
func (r *roster[R]) end() {
	for i := r.n; i < len(r.rows); i++ {
		r.gone = append(r.gone, r.rows[i])
		r.index[r.entities[i].ID()] = 0
	}
	clear(r.rows[r.n:])
	r.entities, r.rows = r.entities[:r.n], r.rows[:r.n]
}

// find returns the row of an entity, nil if it has none.
func (r *roster[R]) find(e ecs.Entity) *R {
	if id := int(e.ID()); id < len(r.index) {
		if i := r.index[id] - 1; i >= 0 && r.entities[i] == e {
			return &r.rows[i]
		}
	}
	return nil
}

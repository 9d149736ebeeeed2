package physecs

import "github.com/mlange-42/arche/ecs"

// ComponentState is a copy of all components of a type, for a game that saves and restores its own
// beside those of [Dynamics.Save]:
//
//	dynamics.Save(w, &state.bodies)
//	state.health.Save(w) // a ComponentState[Health]
//
// The zero ComponentState is empty.
type ComponentState[T any] struct {
	entities []ecs.Entity
	values   []T
	filter   componentFilter
}

// Save copies the components of all entities that have one. It replaces what s held, and allocates
// nothing once the memory has grown. Panics in a locked world in which the type is not registered.
func (s *ComponentState[T]) Save(w *ecs.World) {
	id := ecs.ComponentID[T](w)
	s.entities, s.values = s.entities[:0], s.values[:0]
	query := s.filter.query(w, id)
	for query.Next() {
		s.entities = append(s.entities, query.Entity())
		s.values = append(s.values, *(*T)(query.Get(id)))
	}
}

// Restore writes the components to the entities of that time that are alive and have one. It adds
// and removes none.
func (s *ComponentState[T]) Restore(w *ecs.World) {
	id := ecs.ComponentID[T](w)
	for i, e := range s.entities {
		if alive(w, e) && hasUnchecked(w, e, id) {
			*(*T)(componentOf(w, e, id)) = s.values[i]
		}
	}
}

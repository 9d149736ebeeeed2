package physecs

import (
	"fmt"
	"slices"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Explanation says how [Queries.CastRay] comes to its answer: the nodes of the tree that the ray
// entered, and the verdict on every collider. It holds plain values, to be printed or drawn.
//
// The verdict on an entity that has gone since the last [Sync], or has lost its Collider or
// Transform, is [physics.VerdictNowhere] if the ray would hit its collider.
type Explanation struct {
	physics.Explanation
	// Entities are the entities of Colliders, in the same order; zero for colliders that the game
	// itself has added to the physics space.
	Entities []ecs.Entity
	// Hit is the answer of CastRay, if OK is set.
	Hit Hit
}

// The fields of [Filter] that the physics space does not have. With [physics.FieldExclude] and
// [physics.FieldPredicate] they are tested once the ray hits an entity, in the order With, Without,
// Exclude, Predicate.
const (
	FieldWith    physics.FilterField = "With"
	FieldWithout physics.FilterField = "Without"
)

// Explain casts a ray as [Queries.CastRay] does and says how it came to the answer. It takes time
// and memory in proportion to the number of colliders: it is for finding out why an entity cannot
// be hit. For what the pointer does with a ray see [ExplainPick].
func (q *Queries) Explain(r geom.Ray, f Filter) Explanation {
	v := q.query(&f, "Explain")
	return v.explainBy(r, v.rejects)
}

// explainBy explains a cast by a function that returns the field that leaves an entity out.
func (v query) explainBy(r geom.Ray, rejects func(ecs.Entity) (physics.FilterField, bool)) Explanation {
	// The field that left out a collider; "" if its entity has gone.
	why := map[physics.ColliderID]physics.FilterField{}
	f := v.onRays()
	f.Predicate = func(id physics.ColliderID) bool {
		field, ok := rejects(v.owner(id))
		if !ok {
			why[id] = field
		}
		return ok
	}
	x := v.physics.Explain(r, f)
	e := Explanation{Explanation: x, Entities: make([]ecs.Entity, len(x.Colliders))}
	if x.OK {
		e.Hit = v.hitOf(&x.Hit)
	}
	for i := range e.Colliders {
		c := &e.Colliders[i]
		e.Entities[i] = v.owner(c.Collider)
		if c.RejectedBy == physics.FieldPredicate {
			if c.RejectedBy = why[c.Collider]; c.RejectedBy == "" {
				c.Verdict = physics.VerdictNowhere
			}
		}
	}
	return e
}

// rejects is seesEntity, and returns the field that leaves an entity out.
func (v query) rejects(e ecs.Entity) (field physics.FilterField, ok bool) {
	if !v.has(e) {
		return "", false
	}
	f := v.filter
	if w := v.world; w != nil {
		switch {
		case !f.With.IsZero() && !hasAll(w, e, &f.With):
			return FieldWith, false
		case hasAny(w, e, &f.Without):
			return FieldWithout, false
		}
	}
	switch {
	case slices.Contains(f.Exclude, e):
		return physics.FieldExclude, false
	case f.Predicate != nil && !f.Predicate(e):
		return physics.FieldPredicate, false
	}
	return "", true
}

// String returns the explanation as text, as [physics.Explanation.Text] does, with the IDs of
// entities.
func (e Explanation) String() string {
	return e.Text(func(i int) string { return fmt.Sprintf("entity %d", e.Entities[i].ID()) })
}

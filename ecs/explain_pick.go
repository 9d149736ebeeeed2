package physecs

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/internal/enum"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

// This file explains what the pointer hovers: an Explanation, with Pickable.

// PickExplanation says how a ray of the pointer comes to what it hovers.
//
// Its Explanation is of the ray that goes on until an entity lets nothing through. A verdict is
// that of the pointer, and Hit the first entity that it sees, which may be a cover. Besides the
// fields of [Queries.Explain], [FieldUnpickable] and [FieldPickable] reject entities, and
// [physics.FieldSensors] those sensors whose Pickable has no Sensor.
type PickExplanation struct {
	Explanation
	// Fates says what the pointer does with each of Colliders, in the same order.
	Fates []PickFate
	// Picks is what is hovered, front to back, and Cover the cover that hides the rest, if one
	// does: what [RaycastSystem] writes to [Hover] for this ray and filter.
	Picks []Pick
	Cover Pick
	// Backdrop is set if the entity in front is a Backdrop: a RaycastSystem with a Margin picks
	// another entity near the ray, if there is one.
	Backdrop bool
}

// The fields by which the pointer does not see an entity. They are tested after [FieldWith],
// FieldWithout and FieldExclude, then [physics.FieldSensors], then FieldPredicate.
const (
	FieldUnpickable physics.FilterField = "Unpickable" // it has the component
	FieldPickable   physics.FilterField = "Pickable"   // its Pickable has PickIgnore
)

// fieldThrough is the field of an entity that lets the ray through.
const fieldThrough physics.FilterField = "through"

// PickFate says what the pointer does with an entity.
type PickFate uint8

// The fates of an entity.
const (
	// The ray does not reach or hit it, or it is rejected: see its verdict.
	FateUnmet   PickFate = iota
	FateHovered          // hovered, and hides what is behind
	FateThrough          // hovered, and lets the ray through: PickThrough, or dragged
	FateCover            // not hovered, and hides what is behind
	FateHidden           // behind one that lets nothing through
)

// String returns the fate in words.
func (f PickFate) String() string {
	return enum.Name(f, "unmet", "hovered", "hovered, and lets through", "a cover, and not hovered", "hidden")
}

// ExplainPick says what a ray of the pointer hovers, as [RaycastSystem] finds it with f for its
// Filter, and why not another entity: which the pointer does not see, which let it through and
// which hide the rest. With the Ray of [Hover] it explains that Hover, without the picks of
// [Backend] and Margin.
//
// It takes time and memory in proportion to the number of colliders. Panics if the world has no
// [Space].
func ExplainPick(w *ecs.World, r geom.Ray, f Filter) PickExplanation {
	s := spaceOf(w, "ExplainPick")
	pointers := findResource[Pointers](w)
	if pointers == nil {
		pointers = &Pointers{}
	}
	x := pickExplainer{picker: viewPicker{space: s, pointers: pointers}, filter: f}
	see := picking.PickFilter()
	f.Start, f.Cull, f.Sensors, f.Predicate = see.Start, see.Cull, true, nil
	x.seen = query{&x.picker.space.Queries, &f}
	e := PickExplanation{Explanation: x.seen.explainBy(r, x.rejects)}
	x.letThrough(&e.Explanation)
	x.setFates(&e)
	return e
}

// pickExplainer picks as a viewPicker does, and records why.
type pickExplainer struct {
	picker viewPicker
	filter Filter // the caller's
	seen   query  // without conditions of the pointer
}

// rejects returns the field that leaves an entity out, or fieldThrough.
func (x *pickExplainer) rejects(e ecs.Entity) (field physics.FilterField, ok bool) {
	if field, ok = x.seen.rejects(e); !ok {
		return field, false
	}
	s, w := x.picker.space, x.seen.world
	p := s.pickable(e)
	switch {
	case s.ids.unpickable.on(w, e):
		return FieldUnpickable, false
	case p.Mode == PickIgnore:
		return FieldPickable, false
	case !s.pointerSees(e, x.filter.Sensors):
		return physics.FieldSensors, false
	case x.filter.Predicate != nil && !x.filter.Predicate(e):
		return physics.FieldPredicate, false
	case x.picker.letsThrough(p.Mode, e):
		return fieldThrough, false
	}
	return "", true
}

// letThrough turns the entities that let the ray through into hits, and finds the closest hit
// again.
func (x *pickExplainer) letThrough(e *Explanation) {
	through := map[physics.ColliderID]*physics.ExplainedCollider{}
	for i := range e.Colliders {
		if c := &e.Colliders[i]; c.RejectedBy == fieldThrough {
			c.RejectedBy = physics.FieldHitPredicate // unless it has a hit
			through[c.Collider] = c
		}
	}
	if len(through) == 0 {
		return
	}
	found := map[physics.ColliderID]bool{}
	f := x.seen.onRays()
	f.Predicate = func(id physics.ColliderID) bool { return through[id] != nil }
	for h := range x.seen.physics.Hits(e.Ray, f) {
		if !found[h.Collider] { // else another triangle
			c := through[h.Collider]
			c.Verdict, c.RejectedBy, c.Hit, found[h.Collider] = physics.VerdictFarther, "", h, true
		}
		if len(found) == len(through) {
			break
		}
	}
	places := x.hit(e)
	if len(places) == 0 {
		return
	}
	best := places[0]
	for i := range e.Colliders {
		if c := &e.Colliders[i]; c.Verdict == physics.VerdictClosest {
			c.Verdict = physics.VerdictFarther
		}
	}
	c := &e.Colliders[best]
	c.Verdict = physics.VerdictClosest
	e.Explanation.Hit, e.OK = c.Hit, true
	e.Hit = Hit{c.Hit, e.Entities[best]}
}

// hit returns the indices of the colliders that are hit, front to back.
func (x *pickExplainer) hit(e *Explanation) (places []int) {
	for i := range e.Colliders {
		if v := e.Colliders[i].Verdict; v == physics.VerdictClosest || v == physics.VerdictFarther {
			places = append(places, i)
		}
	}
	slices.SortFunc(places, func(a, b int) int {
		h, o := &e.Colliders[a].Hit, &e.Colliders[b].Hit
		return cmp.Or(cmp.Compare(h.T, o.T), cmp.Compare(h.Collider, o.Collider))
	})
	return places
}

// setFates sets Fates, Picks and Cover of an explanation.
func (x *pickExplainer) setFates(e *PickExplanation) {
	e.Fates = make([]PickFate, len(e.Colliders))
	e.Backdrop = e.OK && x.picker.space.pickable(e.Hit.Entity).Backdrop
	ended := false
	for _, i := range x.hit(&e.Explanation) {
		if ended {
			e.Fates[i] = FateHidden
			continue
		}
		h := Hit{e.Colliders[i].Hit, e.Entities[i]}
		p := x.picker.pickOf(&h)
		ended = !p.Through
		switch {
		case p.Cover:
			e.Fates[i], e.Cover = FateCover, p
			continue
		case p.Through:
			e.Fates[i] = FateThrough
		default:
			e.Fates[i] = FateHovered
		}
		e.Picks = append(e.Picks, p)
	}
}

// String returns the explanation as text, as that of [Explanation] is, and then a line for each
// entity that the ray meets, front to back, until one hides the rest.
func (e PickExplanation) String() string {
	var b strings.Builder
	b.WriteString(e.Explanation.String())
	if len(e.Picks) == 0 && !e.Cover.Cover {
		b.WriteString("the pointer meets nothing\n")
	}
	line := func(p *Pick) {
		i := slices.Index(e.Entities, p.Target)
		fmt.Fprintf(&b, "the pointer meets entity %d: %v\n", p.Target.ID(), e.Fates[i])
	}
	for i := range e.Picks {
		line(&e.Picks[i])
	}
	if e.Cover.Cover {
		line(&e.Cover)
	}
	if e.Backdrop {
		b.WriteString("what is in front is a backdrop, and gives way to what the pointer just misses\n")
	}
	return b.String()
}

package physecs

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

// Why the pointer hovers what it hovers: an Explanation that knows of Pickable.

// PickExplanation says how a ray of the pointer comes to what it hovers.
//
// The Explanation in it is of the ray that goes on until something lets nothing through. Its
// verdicts tell what the pointer takes notice of, and its Hit what of that is met first, which may
// be a cover. Besides those of [Explain] the fields that reject an entity are [FieldUnpickable] and
// [FieldPickable], and [physics.FieldSensors] is of those that want to be no more than sensors.
type PickExplanation struct {
	Explanation
	// Fates says what the pointer does with each of Colliders, in the same order.
	Fates []PickFate
	// Picks is what is hovered, in front first, and Cover what hides the rest if that is a cover:
	// what [RaycastSystem] writes to [Hover] with this ray and filter.
	Picks []Pick
	Cover Pick
	// Backdrop is set if what is in front is a Backdrop: a RaycastSystem with a Margin takes
	// something else that is near the ray, if there is such.
	Backdrop bool
}

// The reasons for which the pointer takes no notice of an entity, asked after those of [FieldWith],
// FieldWithout and FieldExclude and, with [physics.FieldSensors] as the last of them, before
// FieldPredicate.
const (
	FieldUnpickable physics.FilterField = "Unpickable" // it has the component
	FieldPickable   physics.FilterField = "Pickable"   // its Pickable has PickIgnore
)

// fieldThrough is why something does not end the ray.
const fieldThrough physics.FilterField = "through"

// PickFate says what the pointer does with an entity.
type PickFate uint8

// What becomes of an entity and a pointer.
const (
	FateUnmet   PickFate = iota // the ray does not come to it, or misses it, or it is rejected: its verdict says
	FateHovered                 // it is hovered, and hides what is behind
	FateThrough                 // it is hovered, and what is behind is too: by PickThrough, or because it is being dragged
	FateCover                   // it is not hovered, and hides what is behind
	FateHidden                  // it is behind one that lets nothing through
)

// String returns the fate in words.
func (f PickFate) String() string {
	names := [...]string{"unmet", "hovered", "hovered, and lets through", "a cover, and not hovered", "hidden"}
	if int(f) < len(names) {
		return names[f]
	}
	return "unknown"
}

// ExplainPick says what a ray of the pointer hovers, as [RaycastSystem] finds it with f for its
// Filter, and why not something else: what the pointer takes no notice of, what lets it through and
// what hides the rest. With the Ray of [Hover] it explains that, as far as the View has found it:
// [Backend] and Margin are not asked.
//
// It takes time and memory in proportion to the space. Panics if the world has no [Space].
func ExplainPick(w *ecs.World, r geom.Ray, f Filter) PickExplanation {
	s := spaceOf(w, "ExplainPick")
	held, ok := w.Resources().Get(ecs.ResourceID[Pointers](w)).(*Pointers)
	if !ok {
		held = &Pointers{}
	}
	x := pickExplainer{lens: lens{space: s, held: held}, filter: f}
	see := picking.PickFilter()
	f.Start, f.Cull, f.Sensors, f.Predicate = see.Start, see.Cull, true, nil
	x.seen = query{&x.lens.space.Queries, &f}
	e := PickExplanation{Explanation: x.seen.explainBy(r, x.rejects)}
	x.letThrough(&e.Explanation)
	x.tell(&e)
	return e
}

// pickExplainer looks as a lens does, and remembers why.
type pickExplainer struct {
	lens   lens
	filter Filter // as it was given
	seen   query  // without what is asked of each entity
}

// rejects returns the field that leaves an entity out, or fieldThrough: the ray goes on then.
func (x *pickExplainer) rejects(e ecs.Entity) (field physics.FilterField, ok bool) {
	if field, ok = x.seen.rejects(e); !ok {
		return field, false
	}
	s, w := x.lens.space, x.seen.world
	p := s.pickable(e)
	switch {
	case w.HasUnchecked(e, s.ids.unpickable):
		return FieldUnpickable, false
	case p.Mode == PickIgnore:
		return FieldPickable, false
	case !s.notices(e, x.filter.Sensors):
		return physics.FieldSensors, false
	case x.filter.Predicate != nil && !x.filter.Predicate(e):
		return physics.FieldPredicate, false
	case x.lens.lets(p.Mode, e):
		return fieldThrough, false
	}
	return "", true
}

// letThrough makes those that the ray went through hits, and finds out anew which is the closest.
func (x *pickExplainer) letThrough(e *Explanation) {
	through := map[physics.ColliderID]*physics.ExplainedCollider{}
	for i := range e.Colliders {
		if c := &e.Colliders[i]; c.RejectedBy == fieldThrough {
			c.Verdict, c.RejectedBy = physics.VerdictFarther, ""
			through[c.Collider] = c
		}
	}
	if len(through) == 0 {
		return
	}
	found := map[physics.ColliderID]bool{}
	for h := range x.seen.physics.Hits(e.Ray, x.seen.filter.physics(func(id physics.ColliderID) bool { return through[id] != nil })) {
		if !found[h.Collider] { // else another triangle
			through[h.Collider].Hit, found[h.Collider] = h, true
		}
		if len(found) == len(through) {
			break
		}
	}
	best := x.hit(e)[0]
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

// hit returns which colliders are hit, front to back.
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

// tell tells the fates.
func (x *pickExplainer) tell(e *PickExplanation) {
	e.Fates = make([]PickFate, len(e.Colliders))
	e.Backdrop = e.OK && x.lens.space.pickable(e.Hit.Entity).Backdrop
	ended := false
	for _, i := range x.hit(&e.Explanation) {
		if ended {
			e.Fates[i] = FateHidden
			continue
		}
		h := Hit{e.Colliders[i].Hit, e.Entities[i]}
		p := x.lens.pickOf(&h)
		ended = !p.Through
		switch {
		case p.Backdrop:
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
	if len(e.Picks) == 0 && !e.Cover.Backdrop {
		b.WriteString("the pointer meets nothing\n")
	}
	line := func(p *Pick) {
		i := slices.Index(e.Entities, p.Target)
		fmt.Fprintf(&b, "the pointer meets entity %d: %v\n", p.Target.ID(), e.Fates[i])
	}
	for i := range e.Picks {
		line(&e.Picks[i])
	}
	if e.Cover.Backdrop {
		line(&e.Cover)
	}
	if e.Backdrop {
		b.WriteString("what is in front is a backdrop, and gives way to what the pointer just misses\n")
	}
	return b.String()
}

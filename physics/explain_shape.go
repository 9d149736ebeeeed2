package physics

import (
	"fmt"
	"strings"
)

// ShapeExplanation is the record of how [Space.CastShape] comes to its answer: the verdict on every
// collider, and whether the search for its hit converged.
type ShapeExplanation struct {
	Cast ShapeCast
	// Colliders are all colliders of the space, each once, in order.
	Colliders []ExplainedShapeHit
	// Hit is what CastShape returns, and OK whether it hits.
	Hit ShapeHit
	OK  bool
}

// ExplainedShapeHit is a collider with the verdict on it: [VerdictUnasked] if the cast is invalid,
// [VerdictNowhere], [VerdictRejected], [VerdictMissed], [VerdictFarther] or [VerdictClosest].
type ExplainedShapeHit struct {
	Collider ColliderID
	Verdict  Verdict
	// RejectedBy is the first field of the filter that excludes the collider, if Verdict is
	// [VerdictRejected].
	RejectedBy FilterField
	// Hit is the first hit with the collider, if Verdict is [VerdictClosest] or [VerdictFarther].
	// Its Inexact is set if the search did not converge.
	Hit ShapeHit
}

// ExplainShape casts a shape as [Space.CastShape] does and returns how it came to the answer. It is
// for finding out why a collider is not hit; its time and memory are proportional to the size of
// the space, as it casts at every collider. Panics as CastShape does.
func (s *Space) ExplainShape(cast ShapeCast, f Filter) ShapeExplanation {
	s.settle()
	e := ShapeExplanation{Cast: cast}
	var w sweep
	valid := w.start(s, &cast)
	best := -1
	for i := range s.records {
		r := &s.records[i]
		if !r.alive {
			continue
		}
		c := ExplainedShapeHit{Collider: r.id}
		field := f.rejects(r)
		switch {
		case r.where == nowhere:
			c.Verdict = VerdictNowhere
		case !valid:
		case field != "":
			c.Verdict, c.RejectedBy = VerdictRejected, field
		case !w.castBefore(r, &Filter{Sensors: true, Cull: f.Cull}, &c.Hit, false):
			c.Verdict = VerdictMissed
		case !f.accepts(r.id):
			c.Verdict, c.RejectedBy, c.Hit = VerdictRejected, FieldPredicate, ShapeHit{}
		default:
			c.Verdict = VerdictFarther
			if best < 0 || compareShapeHits(&c.Hit, &e.Hit) < 0 {
				best, e.Hit, e.OK = len(e.Colliders), c.Hit, true
			}
		}
		e.Colliders = append(e.Colliders, c)
	}
	if e.OK {
		e.Colliders[best].Verdict = VerdictClosest
	}
	return e
}

// String returns the explanation as text: a line for each collider that was not excluded.
func (e ShapeExplanation) String() string {
	var b strings.Builder
	for i := range e.Colliders {
		c := &e.Colliders[i]
		switch c.Verdict {
		case VerdictUnasked, VerdictNowhere:
			continue
		case VerdictRejected:
			fmt.Fprintf(&b, "%v: %v by %s\n", c.Collider, c.Verdict, c.RejectedBy)
			continue
		case VerdictMissed:
			fmt.Fprintf(&b, "%v: %v\n", c.Collider, c.Verdict)
			continue
		}
		fmt.Fprintf(&b, "%v: %v at T %g, %v", c.Collider, c.Verdict, c.Hit.T, c.Hit.Point)
		if c.Hit.Inexact {
			b.WriteString(", not converged")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

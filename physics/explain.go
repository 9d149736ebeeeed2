package physics

import (
	"fmt"
	"strings"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/broad"
)

// Why a ray hits what it hits, and not something else: a slow twin of Space.CastRay that goes the
// same way and remembers it.

// Explanation says how [Space.CastRay] comes to its answer: which boxes of the tree the ray was let
// into and which it left out, and what became of every collider. It is made of plain values, to be
// printed or drawn.
type Explanation struct {
	Ray geom.Ray
	// Nodes are the boxes of the tree that the ray came to, parents before their children. Of a
	// node that was left out, those within are not listed. There are none if the ray is invalid.
	Nodes []ExplainedNode
	// Colliders are all colliders of the space, each once: first those that were asked, in the
	// order in which the ray came to them, planes at the front; then the others.
	Colliders []ExplainedCollider
	// Hit is what CastRay returns, and OK whether it hits.
	Hit Hit
	OK  bool
}

// ExplainedNode is a box around several colliders, as of [Space.Nodes], and what a ray made of it:
// [VerdictVisited], [VerdictBoxMissed] or [VerdictBoxBehind].
type ExplainedNode struct {
	Bounds  geom.AABB // in world space
	Level   int       // 0 at the root
	Parent  int       // which of the nodes it is in; −1 at a root, of which there are up to two, for what is static and what moves
	Verdict Verdict
	Enter   float32 // T at which the ray comes to the box, or before; 0 if it misses it
}

// ExplainedCollider is what became of a collider.
type ExplainedCollider struct {
	Collider ColliderID
	Bounds   geom.AABB // where a ray looks for it, in world space: infinite for a plane, empty if it is nowhere
	Node     int       // which of the nodes it is in, or was left out with; −1 if in none, as a plane
	Verdict  Verdict
	// RejectedBy is the first field of the filter that leaves the collider out, if Verdict is
	// [VerdictRejected].
	RejectedBy FilterField
	// Hit is where the ray meets the collider first, with [VerdictClosest] and [VerdictFarther].
	Hit Hit
}

// Verdict is what became of a node or of a collider.
type Verdict uint8

const (
	// VerdictUnasked is of a collider that is in a node that was left out. With an invalid ray, it
	// is all of them.
	VerdictUnasked Verdict = iota
	// VerdictNowhere is of a collider that no query finds: see [Space.IsNowhere].
	VerdictNowhere
	// VerdictBoxMissed is of what lies in a box that the ray passes by, or ends before.
	VerdictBoxMissed
	// VerdictBoxBehind is of what lies in a box that begins further away than a hit that was found
	// before.
	VerdictBoxBehind
	// VerdictVisited is of a node that the ray was let into.
	VerdictVisited
	// VerdictRejected is of a collider that the filter leaves out: see
	// [ExplainedCollider].RejectedBy.
	VerdictRejected
	// VerdictMissed is of a collider of which the box is crossed, but not the shape.
	VerdictMissed
	// VerdictFarther is of a collider that is hit, but not first.
	VerdictFarther
	// VerdictClosest is of the collider that is hit first.
	VerdictClosest
)

// String returns the verdict in words.
func (v Verdict) String() string {
	names := [...]string{"unasked", "nowhere", "box missed", "box behind what was hit", "visited", "rejected", "missed",
		"hit, but farther", "closest"}
	if int(v) < len(names) {
		return names[v]
	}
	return "unknown"
}

// FilterField is the name of a field of [Filter].
type FilterField string

// The fields by which a ray rejects a collider, in the order in which they are asked. A solid is
// rejected by Inside if the ray begins in it and would hit it with [geom.Solid], and a surface by
// Cull if the ray would hit it from the other side.
const (
	FieldSensors   FilterField = "Sensors"
	FieldMask      FilterField = "Mask"
	FieldOwnLayer  FilterField = "OwnLayer"
	FieldExclude   FilterField = "Exclude"
	FieldStart     FilterField = "Start"
	FieldCull      FilterField = "Cull"
	FieldPredicate FilterField = "Predicate"
)

// Explain casts a ray as [Space.CastRay] does and says how it came to the answer. It takes time and
// memory in proportion to the space: it is there for whoever wonders why a thing cannot be hit. The
// predicate is asked once of each collider that the ray hits, on its whole length, and that is
// visited.
func (s *Space) Explain(r geom.Ray, f Filter) Explanation {
	s.settle()
	e := Explanation{Ray: r}
	best := -1
	ask := func(i uint32) (better bool) {
		c := ExplainedCollider{Collider: s.records[i].id, Bounds: *s.records[i].bounds(), Node: -1}
		s.records[i].explain(&c, r, &f)
		if better = c.Verdict == VerdictFarther && (best < 0 || compareHits(&c.Hit, &e.Hit) < 0); better {
			best, e.Hit, e.OK = len(e.Colliders), c.Hit, true
		}
		e.Colliders = append(e.Colliders, c)
		return better
	}
	if !r.IsValid() {
		e.rest(s)
		return e
	}
	short := r
	_, tMax := r.Range()
	for _, i := range s.planes {
		if ask(uint32(i)) {
			shorten(&short, e.Hit.T, tMax)
		}
	}
	asked := map[uint32]int{} // which of the colliders a number is
	steps := s.boxes.Explain(short, tMax, func(i uint32) float32 {
		asked[i] = len(e.Colliders)
		if ask(i) {
			return e.Hit.T
		}
		return tMax
	})
	e.tell(s, steps, asked)
	if best >= 0 {
		e.Colliders[best].Verdict = VerdictClosest
	}
	e.rest(s)
	return e
}

// tell adds the nodes, and the colliders that were not asked because of their boxes.
func (e *Explanation) tell(s *Space, steps []broad.Step, asked map[uint32]int) {
	nodes := make([]int, len(steps)) // which of the nodes a step is
	for k := range steps {
		p := &steps[k]
		parent := -1
		if p.Parent >= 0 {
			parent = nodes[p.Parent]
		}
		verdict := [...]Verdict{
			broad.Entered: VerdictVisited, broad.Passed: VerdictBoxMissed, broad.Behind: VerdictBoxBehind, broad.Unasked: VerdictUnasked,
		}[p.Fate]
		switch {
		case p.Number < 0:
			nodes[k] = len(e.Nodes)
			e.Nodes = append(e.Nodes, ExplainedNode{Bounds: p.Bounds, Level: p.Level, Parent: parent, Verdict: verdict, Enter: p.Enter})
		case p.Fate == broad.Entered:
			c := &e.Colliders[asked[uint32(p.Number)]]
			c.Bounds, c.Node = p.Bounds, parent
		default:
			e.Colliders = append(e.Colliders, ExplainedCollider{
				Collider: s.records[p.Number].id, Bounds: p.Bounds, Node: parent, Verdict: verdict,
			})
		}
	}
}

// rest adds the colliders that are not yet in it: those that are nowhere, and all if the ray is
// invalid.
func (e *Explanation) rest(s *Space) {
	for i := range s.records {
		switch r := &s.records[i]; {
		case !r.alive:
		case r.where == nowhere:
			e.Colliders = append(e.Colliders,
				ExplainedCollider{Collider: r.id, Bounds: geom.EmptyAABB(), Node: -1, Verdict: VerdictNowhere})
		case !e.Ray.IsValid():
			e.Colliders = append(e.Colliders, ExplainedCollider{Collider: r.id, Bounds: *r.bounds(), Node: -1})
		}
	}
}

// explain finds the verdict on a collider, not knowing of any other.
func (r *record) explain(c *ExplainedCollider, ray geom.Ray, f *Filter) {
	if field := f.rejects(r); field != "" {
		c.Verdict, c.RejectedBy = VerdictRejected, field
		return
	}
	h, ok := r.first(ray, f)
	if !ok {
		c.Verdict, c.RejectedBy = r.passed(ray, f)
		return
	}
	if !f.accepts(r.id) {
		c.Verdict, c.RejectedBy = VerdictRejected, FieldPredicate
		return
	}
	c.Verdict, c.Hit = VerdictFarther, h
}

// passed tells whether a ray that misses a collider does so for what the filter says of insides and
// sides.
func (r *record) passed(ray geom.Ray, f *Filter) (Verdict, FilterField) {
	if f.Start != geom.Solid {
		if _, ok := r.first(ray, &Filter{Start: geom.Solid, Cull: f.Cull}); ok {
			return VerdictRejected, FieldStart
		}
	}
	if f.Cull != geom.CullNone {
		if _, ok := r.first(ray, &Filter{Start: f.Start}); ok {
			return VerdictRejected, FieldCull
		}
	}
	return VerdictMissed, ""
}

// first casts a ray at a collider, whatever the filter says of it.
func (r *record) first(ray geom.Ray, f *Filter) (best Hit, found bool) {
	for i := range r.subshapes() {
		p := &r.subshapes()[i]
		var h geom.Hit
		if !r.castSubshape(&h, p, &ray, f) {
			continue
		}
		if hit := r.hit(h, p); !found || compareHits(&hit, &best) < 0 {
			best, found = hit, true
		}
	}
	return best, found
}

// rejects returns the first field but the predicate that does not let the collider through, as sees
// asks them.
func (f *Filter) rejects(r *record) FilterField {
	switch {
	case r.sensor && !f.Sensors:
		return FieldSensors
	case f.Mask != 0 && f.Mask&r.layer == 0:
		return FieldMask
	case f.OwnLayer != 0 && f.OwnLayer&r.mask == 0:
		return FieldOwnLayer
	case !f.sees(r):
		return FieldExclude
	}
	return ""
}

// String returns [Explanation.Text] with the colliders named as their IDs are.
func (e Explanation) String() string {
	return e.Text(func(i int) string { return e.Colliders[i].Collider.String() })
}

// Text returns the explanation as text: what the ray hits, how many nodes and colliders had each
// verdict, and a line for each collider that was asked. name is what a collider is called, by its
// place in Colliders.
func (e *Explanation) Text(name func(i int) string) string {
	var b, asked strings.Builder
	hit := "nothing"
	nodes, colliders := map[Verdict]int{}, map[Verdict]int{}
	for i := range e.Nodes {
		nodes[e.Nodes[i].Verdict]++
	}
	for i := range e.Colliders {
		c := &e.Colliders[i]
		colliders[c.Verdict]++
		if c.Asked() {
			fmt.Fprintf(&asked, "%s: %v\n", name(i), c)
		}
		if c.Verdict == VerdictClosest {
			hit = fmt.Sprintf("%s at T %g, %v", name(i), c.Hit.T, c.Hit.Point)
		}
	}
	fmt.Fprintf(&b, "ray %v\n", e.Ray)
	if !e.Ray.IsValid() {
		b.WriteString("invalid: it is zero, NaN or infinite, or its range is empty\n")
	}
	fmt.Fprintf(&b, "hits %s\n%s%s%s", hit, tallied("nodes", nodes), tallied("colliders", colliders), asked.String())
	return b.String()
}

func tallied(what string, n map[Verdict]int) string {
	var list []string
	for v := VerdictUnasked; v <= VerdictClosest; v++ {
		if n[v] > 0 {
			list = append(list, fmt.Sprintf("%d %v", n[v], v))
		}
	}
	if len(list) == 0 {
		list = []string{"none"}
	}
	return fmt.Sprintf("%s: %s\n", what, strings.Join(list, ", "))
}

// Asked reports whether the ray came to the collider itself, and not only to its box or a box
// around that.
func (c *ExplainedCollider) Asked() bool { return c.Verdict >= VerdictRejected }

// String returns the verdict, with what belongs to it.
func (c *ExplainedCollider) String() string {
	switch c.Verdict {
	case VerdictRejected:
		return "rejected by " + string(c.RejectedBy)
	case VerdictFarther, VerdictClosest:
		return fmt.Sprintf("%v, at T %g", c.Verdict, c.Hit.T)
	}
	return c.Verdict.String()
}

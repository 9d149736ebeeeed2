package physics

import (
	"fmt"
	"strings"

	"github.com/hitscan-go/hitscan/internal/enum"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/broad"
)

// Why a ray hits what it hits, and not something else: a slow version of Space.CastRay that takes
// the same path through the tree and records it.

// Explanation is the record of how [Space.CastRay] comes to its answer: which boxes of the tree the
// ray entered and which it skipped, and the verdict on every collider. It holds plain values, to be
// printed or drawn.
type Explanation struct {
	Ray geom.Ray
	// Nodes are the boxes of the tree that the ray was tested against, parents before their
	// children. The nodes within a skipped node are not listed. There are none if the ray is
	// invalid.
	Nodes []ExplainedNode
	// Colliders are all colliders of the space, each once: first those that were tested, in the
	// order of the tests, planes at the front; then the others.
	Colliders []ExplainedCollider
	// Hit is what CastRay returns, and OK whether it hits.
	Hit Hit
	OK  bool
}

// ExplainedNode is a box around several colliders, as of [Space.Nodes], with the verdict on it:
// [VerdictVisited], [VerdictBoxMissed] or [VerdictBoxBehind].
type ExplainedNode struct {
	Bounds geom.AABB // in world space
	Level  int       // 0 at the root
	// Parent is the index of the node around it; −1 at a root, of which there are up to two: of the
	// static colliders, and of the others.
	Parent  int
	Verdict Verdict
	Enter   float32 // lower bound of the T at which the ray enters the box; 0 if it misses the box
}

// ExplainedCollider is a collider with the verdict on it.
type ExplainedCollider struct {
	Collider ColliderID
	// Bounds is the box in which rays search for it, in world space: infinite for a plane, empty if
	// it is nowhere.
	Bounds  geom.AABB
	Node    int // index of the node around it; −1 if there is none, as for a plane
	Verdict Verdict
	// RejectedBy is the first field of the filter that excludes the collider, if Verdict is
	// [VerdictRejected].
	RejectedBy FilterField
	// Hit is the first hit with the collider, if Verdict is [VerdictClosest] or [VerdictFarther].
	Hit Hit
}

// Verdict is the outcome for a node or a collider.
type Verdict uint8

const (
	// VerdictUnasked is the verdict on a collider in a skipped node and, if the ray is invalid, on
	// all colliders.
	VerdictUnasked Verdict = iota
	// VerdictNowhere is the verdict on a collider that no query finds: see [Space.IsNowhere].
	VerdictNowhere
	// VerdictBoxMissed is the verdict on a box that the ray misses, or ends before, and on a
	// collider in such a box of its own.
	VerdictBoxMissed
	// VerdictBoxBehind is the verdict on a box that begins beyond a hit found before, and on a
	// collider in such a box.
	VerdictBoxBehind
	// VerdictVisited is the verdict on a node that the ray enters.
	VerdictVisited
	// VerdictRejected is the verdict on a collider that the filter excludes: see
	// [ExplainedCollider].RejectedBy.
	VerdictRejected
	// VerdictMissed is the verdict on a collider whose box is hit, but not its shape.
	VerdictMissed
	// VerdictFarther is the verdict on a collider that is hit, but not first.
	VerdictFarther
	// VerdictClosest is the verdict on the collider that is hit first.
	VerdictClosest
)

// String returns the verdict in words.
func (v Verdict) String() string {
	return enum.Name(v, "unasked", "nowhere", "box missed", "box behind what was hit", "visited", "rejected", "missed", "hit, but farther", "closest")
}

// FilterField is the name of a field of [Filter].
type FilterField string

// The fields that exclude a collider from a ray, in the order in which they are tested. Start
// excludes a solid if the ray begins in it and would hit it with [geom.Solid], and Cull a surface
// if the ray would hit it without culling.
const (
	FieldSensors   FilterField = "Sensors"
	FieldMask      FilterField = "Mask"
	FieldOwnLayer  FilterField = "OwnLayer"
	FieldExclude   FilterField = "Exclude"
	FieldStart     FilterField = "Start"
	FieldCull      FilterField = "Cull"
	FieldPredicate FilterField = "Predicate"
	// FieldHitPredicate excludes a collider if it lets the ray through at each of its hits.
	FieldHitPredicate FilterField = "HitPredicate"
)

// Explain casts a ray as [Space.CastRay] does and returns how it came to the answer. It is for
// finding out why a collider is not hit; its time and memory are proportional to the size of the
// space. The predicate is called once with each visited collider that the ray hits anywhere on its
// whole length, and HitPredicate with its hits until it accepts one.
func (s *Space) Explain(r geom.Ray, f Filter) Explanation {
	s.settle()
	e := Explanation{Ray: r}
	best := -1
	test := func(i uint32) (better bool) {
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
	s.visitPlanes(func(i uint32) bool {
		if test(i) {
			shorten(&short, e.Hit.T, tMax)
		}
		return true
	})
	tested := map[uint32]int{} // index in Colliders by number
	steps := s.boxes.Explain(short, tMax, func(i uint32) float32 {
		tested[i] = len(e.Colliders)
		if test(i) {
			return e.Hit.T
		}
		return tMax
	})
	e.add(s, steps, tested)
	if best >= 0 {
		e.Colliders[best].Verdict = VerdictClosest
	}
	e.rest(s)
	return e
}

// add adds the nodes, and the colliders that were not tested because of their boxes.
func (e *Explanation) add(s *Space, steps []broad.Step, tested map[uint32]int) {
	nodes := make([]int, len(steps)) // index in Nodes by step
	for k := range steps {
		p := &steps[k]
		parent := -1
		if p.Parent >= 0 {
			parent = nodes[p.Parent]
		}
		verdict := [...]Verdict{
			broad.Entered: VerdictVisited, broad.Passed: VerdictBoxMissed, broad.Behind: VerdictBoxBehind, broad.Skipped: VerdictUnasked,
		}[p.Fate]
		switch {
		case p.Number < 0:
			nodes[k] = len(e.Nodes)
			e.Nodes = append(e.Nodes, ExplainedNode{Bounds: p.Bounds, Level: p.Level, Parent: parent, Verdict: verdict, Enter: p.Enter})
		case p.Fate == broad.Entered:
			c := &e.Colliders[tested[uint32(p.Number)]]
			c.Bounds, c.Node = p.Bounds, parent
		default:
			e.Colliders = append(e.Colliders, ExplainedCollider{
				Collider: s.records[p.Number].id, Bounds: p.Bounds, Node: parent, Verdict: verdict,
			})
		}
	}
}

// rest adds the remaining colliders: those that are nowhere, and all of them if the ray is invalid.
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

// explain finds the verdict on a collider, whatever other colliders there are.
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
	if f.HitPredicate != nil {
		all := Filter{Sensors: true, Start: f.Start, Cull: f.Cull, HitPredicate: f.HitPredicate}
		if !r.castBefore(&ray, &all, &h, false) {
			c.Verdict, c.RejectedBy = VerdictRejected, FieldHitPredicate
			return
		}
	}
	c.Verdict, c.Hit = VerdictFarther, h
}

// passed returns the verdict on a collider that a ray misses: whether Start or Cull of the filter
// is the reason.
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

// first casts a ray at a collider, whether or not the filter lets it through.
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

// rejects returns the first field, except the predicate, that excludes the collider, in the order
// of sees.
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

// String returns [Explanation.Text] with colliders named by their IDs.
func (e Explanation) String() string {
	return e.Text(func(i int) string { return e.Colliders[i].Collider.String() })
}

// Text returns the explanation as text: what the ray hits, the number of nodes and colliders with
// each verdict, and a line for each collider that was tested. name returns the name of a collider
// by its index in Colliders.
func (e *Explanation) Text(name func(i int) string) string {
	var b, tested strings.Builder
	hit := "nothing"
	nodes, colliders := map[Verdict]int{}, map[Verdict]int{}
	for i := range e.Nodes {
		nodes[e.Nodes[i].Verdict]++
	}
	for i := range e.Colliders {
		c := &e.Colliders[i]
		colliders[c.Verdict]++
		if c.Asked() {
			fmt.Fprintf(&tested, "%s: %v\n", name(i), c)
		}
		if c.Verdict == VerdictClosest {
			hit = fmt.Sprintf("%s at T %g, %v", name(i), c.Hit.T, c.Hit.Point)
		}
	}
	fmt.Fprintf(&b, "ray %v\n", e.Ray)
	if !e.Ray.IsValid() {
		b.WriteString("invalid: it is zero, NaN or infinite, or its range is empty\n")
	}
	fmt.Fprintf(&b, "hits %s\n%s%s%s", hit, tallied("nodes", nodes), tallied("colliders", colliders), tested.String())
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

// Asked reports whether the ray was tested against the collider itself, and not only against its
// box or a box around that.
func (c *ExplainedCollider) Asked() bool { return c.Verdict >= VerdictRejected }

// String returns the verdict with its reason or its T.
func (c *ExplainedCollider) String() string {
	switch c.Verdict {
	case VerdictRejected:
		return "rejected by " + string(c.RejectedBy)
	case VerdictFarther, VerdictClosest:
		return fmt.Sprintf("%v, at T %g", c.Verdict, c.Hit.T)
	}
	return c.Verdict.String()
}

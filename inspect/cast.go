package inspect

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// The answer to "/cast".

// cast is a ray with a filter, and the collider about which the page asks why the ray does not hit
// it.
type cast struct {
	ray     geom.Ray
	filter  physics.Filter
	exclude []string // names of colliders
	why     string   // the name of one, or none
}

// explanation is a [physics.Explanation] for the page.
type explanation struct {
	Text   string
	OK     bool
	Point  [3]float32 // of the hit
	Normal [3]float32
	Boxes  []box  // of nodes, of colliders that were tested, and of the one in question
	Why    string // why that is not hit
}

func (c *cast) explain(s *physics.Space) *explanation {
	filter, about := c.filter, physics.ColliderID(0)
	if len(c.exclude) > 0 || c.why != "" {
		for id := range s.All() {
			name := nameOf(id)
			if slices.Contains(c.exclude, name) {
				filter.Exclude = append(filter.Exclude, id)
			}
			if name == c.why {
				about = id
			}
		}
	}
	e := s.Explain(c.ray, filter)
	x := &explanation{Text: e.String(), OK: e.OK, Boxes: []box{}}
	if e.OK {
		x.Point, x.Normal = e.Hit.Point.Array(), e.Hit.Normal.Array()
	}
	for _, n := range e.Nodes {
		if b, ok := boxOf("", n.Bounds, n.Verdict.String()); ok {
			x.Boxes = append(x.Boxes, b)
		}
	}
	for k := range e.Colliders {
		t := &e.Colliders[k]
		if !t.Asked() && t.Collider != about {
			continue
		}
		if b, ok := boxOf(nameOf(t.Collider), t.Bounds, t.Verdict.String()); ok {
			x.Boxes = append(x.Boxes, b)
		}
	}
	switch {
	case about != 0:
		x.Why = whyNot(s, c.ray, filter, about)
	case c.why != "":
		x.Why = "no collider is " + c.why
	}
	return x
}

// whyNot returns what becomes of a collider, as if there were no other in its way, and what is. If
// the filter rejects it, the same follows without the fields that do, one after the other.
func whyNot(s *physics.Space, r geom.Ray, f physics.Filter, about physics.ColliderID) string {
	for text := ""; ; {
		alone := f
		alone.Predicate = func(id physics.ColliderID) bool { return id == about }
		e := s.Explain(r, alone)
		k := slices.IndexFunc(e.Colliders, func(x physics.ExplainedCollider) bool { return x.Collider == about })
		x := &e.Colliders[k] // an explanation has each collider of the space
		switch x.Verdict {
		case physics.VerdictRejected:
			text += fmt.Sprintf("%v is rejected by %s", about, x.RejectedBy)
			if !leaveOut(&f, x.RejectedBy) {
				return text
			}
			text += fmt.Sprintf("; without that %s, ", x.RejectedBy)
			continue
		case physics.VerdictNowhere:
			return fmt.Sprintf("%v is nowhere: no query finds it", about)
		case physics.VerdictMissed:
			return text + fmt.Sprintf("%v is missed, and its box is hit", about)
		case physics.VerdictClosest:
			if hit, _ := s.CastRay(r, f); hit.Collider != about {
				return text + fmt.Sprintf("%v is hit at T %g, behind %v at T %g", about, x.Hit.T, hit.Collider, hit.T)
			}
			return text + fmt.Sprintf("%v is what the ray hits, at T %g", about, x.Hit.T)
		}
		return text + fmt.Sprintf("%v is missed, and so is its box", about)
	}
}

// leaveOut clears a field that rejects a collider; false if it is none of those that a request can
// set.
func leaveOut(f *physics.Filter, field physics.FilterField) bool {
	switch field {
	case physics.FieldSensors:
		f.Sensors = true
	case physics.FieldMask:
		f.Mask = 0
	case physics.FieldOwnLayer:
		f.OwnLayer = 0
	case physics.FieldExclude:
		f.Exclude = nil
	case physics.FieldStart:
		f.Start = geom.Solid
	case physics.FieldCull:
		f.Cull = geom.CullNone
	default:
		return false
	}
	return true
}

// fields reads the fields of a request, and keeps the first error.
type fields struct {
	url.Values
	err error
}

func (q *fields) fail(name string, err error) {
	if err != nil && q.err == nil {
		q.err = fmt.Errorf("inspect: %s: %w", name, err)
	}
}

func (q *fields) vec(name string) geom.Vec3 {
	parts := strings.Split(q.Get(name), ",")
	if len(parts) != 3 {
		q.fail(name, errors.New("not three numbers"))
		return geom.Vec3{}
	}
	var at [3]float32
	for k := range at {
		at[k] = q.float(name, parts[k])
	}
	return geom.VecOf(at)
}

func (q *fields) float(name, text string) float32 {
	x, err := strconv.ParseFloat(text, 32)
	q.fail(name, err)
	return float32(x)
}

func (q *fields) layers(name string) physics.Layers {
	if q.Get(name) == "" {
		return 0
	}
	n, err := strconv.ParseUint(q.Get(name), 0, 32)
	q.fail(name, err)
	return physics.Layers(n)
}

// choice returns the index of the field's value in a list; 0 if it is not set.
func (q *fields) choice(name string, list ...string) int {
	k := slices.Index(list, q.Get(name))
	if k < 0 && q.Get(name) != "" {
		q.fail(name, fmt.Errorf("%q is none of %v", q.Get(name), list))
	}
	return max(k, 0)
}

// maxExclude is the greatest number of colliders that a request excludes: each costs a comparison
// for each candidate.
const maxExclude = 100

// castOf reads a ray and a filter.
func castOf(values url.Values) (*cast, error) {
	q := &fields{Values: values}
	c := &cast{ray: geom.NewRay(q.vec("from"), q.vec("dir"))}
	if far := q.Get("maxt"); far != "" {
		c.ray.MaxT = q.float("maxt", far)
	}
	c.filter = physics.Filter{
		Mask: q.layers("mask"), OwnLayer: q.layers("ownlayer"), Sensors: q.Get("sensors") != "",
		Start: geom.StartMode(q.choice("start", "solid", "exit", "ignore")),
		Cull:  geom.Cull(q.choice("cull", "none", "back", "front")),
	}
	if list := q.Get("exclude"); list != "" {
		if c.exclude = strings.Split(list, ","); len(c.exclude) > maxExclude {
			q.fail("exclude", fmt.Errorf("more than %d colliders", maxExclude))
		}
	}
	c.why = q.Get("why")
	if q.err == nil && !c.ray.IsValid() {
		q.err = errors.New("inspect: the ray is zero, NaN or infinite, or ends before it begins")
	}
	return c, q.err
}

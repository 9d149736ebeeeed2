package physics

import (
	"sync"
	"unsafe"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/broad"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// The candidates of a query are the colliders that it may find: first those without finite bounds,
// which are outside of the tree, then those whose boxes in the tree it reaches. All of them have
// still to be tested against the filter and by their shapes.

// visitPlanes visits the colliders without finite bounds until visit returns false, and reports
// whether it never did.
func (s *Space) visitPlanes(visit func(i uint32) bool) bool {
	for _, i := range s.planes {
		if !visit(uint32(i)) {
			return false
		}
	}
	return true
}

// visitAABB visits the candidates of a box until visit returns false.
func (s *Space) visitAABB(b geom.AABB, visit func(i uint32) bool) {
	s.settle()
	if s.visitPlanes(visit) {
		s.boxes.VisitAABB(b, visit)
	}
}

// visitHalf visits the candidates of a box that are static, or those that are not, until visit
// returns false.
func (s *Space) visitHalf(b geom.AABB, static bool, visit func(i uint32) bool) {
	s.settle()
	if s.visitPlanes(func(i uint32) bool { return s.records[i].static != static || visit(i) }) {
		s.boxes.VisitHalf(b, static, visit)
	}
}

// visitWhere visits the candidates in boxes for which enter returns true until visit returns false.
func (s *Space) visitWhere(enter func(box *geom.AABB) bool, visit func(i uint32) bool) {
	s.settle()
	if s.visitPlanes(visit) {
		s.boxes.VisitWhere(enter, visit)
	}
}

// visitNearest visits the candidates that are no further from a point than a limit, the near ones
// first: those that enter lets through, or, where it is nil, the layers of a filter. visit returns
// the limit for the rest.
func (s *Space) visitNearest(p geom.Vec3, limit float64, f *Filter, enter func(i uint32) bool, visit func(i uint32) float64) {
	s.settle()
	s.visitPlanes(func(i uint32) bool {
		limit = visit(i)
		return true
	})
	if enter == nil && (f.Mask != 0 || f.OwnLayer != 0) {
		enter = func(i uint32) bool { return f.seesLayers(&s.records[i]) }
	}
	s.boxes.VisitNearest(p, limit, enter, visit)
}

// visitNear visits the candidates within a margin of an instance until visit returns false.
func (s *Space) visitNear(g *instance, margin float32, visit func(i uint32) bool) {
	if g.bounds.Min.IsFinite() && g.bounds.Max.IsFinite() {
		s.visitAABB(g.bounds.Grow(margin+placed.Slack(&g.bounds)), visit)
		return
	}
	s.visitWhere(func(b *geom.AABB) bool { return isWithin(g.subshapes, b, margin+placed.Slack(b)) }, visit)
}

// isWithin reports whether a plane, or the bounds of any other subshape, are within a distance of a
// box, in metres.
func isWithin(subshapes []placed.Subshape, b *geom.AABB, distance float32) bool {
	for i := range subshapes {
		if subshapes[i].DistanceTo(b) <= float64(distance) {
			return true
		}
	}
	return false
}

// candidates returns the candidates of a ray or of a moving shape one at a time. It is used again,
// as it is large, and holds no reference to the space once its walk is stopped.
type candidates struct {
	walk    broad.Walk
	walking bool   // through the tree
	ahead   uint32 // a candidate that is prefetched already
	delayed
}

// delayed is a walk through the tree that has not begun, since candidates outside of the tree come
// first and may shorten it.
type delayed struct {
	plane  int // index in Space.planes of the next candidate
	ray    geom.Ray
	path   broad.Sweep
	isPath bool
	any    bool
}

var candidatePool = sync.Pool{New: func() any { return new(candidates) }}

// onRay returns the candidates of a ray. If any hit serves, any is set, and they come in an order
// that finds some hit soon.
func (s *Space) onRay(r *geom.Ray, any bool) *candidates {
	s.settle()
	c := candidatePool.Get().(*candidates)
	if c.walking = len(s.planes) == 0; c.walking {
		c.walk.StartRay(&s.boxes, r, any)
	} else {
		c.delayed = delayed{ray: *r, any: any}
	}
	return c
}

// onPath returns the candidates of a moving shape. See [Space.onRay].
func (s *Space) onPath(path *broad.Sweep, any bool) *candidates {
	s.settle()
	c := candidatePool.Get().(*candidates)
	if c.walking = len(s.planes) == 0; c.walking {
		c.walk.StartSweep(&s.boxes, path, any)
	} else {
		c.delayed = delayed{path: *path, isPath: true, any: any}
	}
	return c
}

// next returns the next candidate, or nil. s is the space whose candidates they are.
func (c *candidates) next(s *Space) *record {
	if !c.walking {
		if i := c.plane; i < len(s.planes) {
			c.plane++
			return &s.records[s.planes[i]]
		}
		c.start(s)
	}
	i, ok := c.walk.Next()
	if !ok {
		return nil
	}
	if i != c.ahead {
		s.prefetch(i)
	}
	if n, ok := c.walk.Ahead(lookahead); ok {
		s.prefetch(n)
		c.ahead = n
	}
	return &s.records[i]
}

// lookahead is the number of nodes that a walk opens, in search of the candidate after the one that
// is returned, while the records of both come from memory. Fewer: the processor waits for these.
// More: nodes are opened that a hit would have excluded.
const lookahead = 4

// prefetch prefetches what a ray reads of a candidate that it misses.
func (s *Space) prefetch(i uint32) {
	broad.Hint(unsafe.Pointer(&s.records[i]))
	s.locals.prefetch(i)
}

// start begins the walk through the tree.
func (c *candidates) start(s *Space) {
	c.walking = true
	if c.isPath {
		c.walk.StartSweep(&s.boxes, &c.path, c.any)
	} else {
		c.walk.StartRay(&s.boxes, &c.ray, c.any)
	}
}

// end excludes candidates beyond T = t.
func (c *candidates) end(t float32) {
	if c.walking {
		c.walk.SetEnd(t)
	} else {
		c.shortenDelayed(t)
	}
}

func (c *candidates) shortenDelayed(t float32) {
	if c.isPath {
		c.path.MaxT = min(c.path.MaxT, t)
		return
	}
	_, tMax := c.ray.Range()
	shorten(&c.ray, t, tMax)
}

// shorten ends a ray at a hit, or at its own end tMax if that comes first.
func shorten(r *geom.Ray, t, tMax float32) { r.MaxT = min(placed.JustBeyond(t), tMax) }

// give returns c to the pool.
func (c *candidates) give() {
	c.walk.Stop()
	candidatePool.Put(c)
}

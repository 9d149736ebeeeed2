package physics

import (
	"math"
	"slices"
	"sync"
	"unsafe"

	"github.com/hitscan-go/hitscan/internal/par"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/broad"
)

// CastRays casts many rays, on all processors, and appends the closest hit of each to dst in the
// order of the rays; it returns the longer slice. A ray that hits nothing gives a [Hit] without
// Collider, with T = +Inf, Child −1 and Triangle −1. Each hit is that of [Space.CastRay] to the
// bit, whatever the number of processors. CastRays allocates nothing if dst has the capacity.
//
// The predicates of the filter are called from several goroutines at once; if one panics, CastRays
// panics with the same value.
func (s *Space) CastRays(dst []Hit, rays []geom.Ray, f Filter) []Hit {
	dst, hits := lengthened(dst, len(rays))
	rayBatches.run(s, rays, f, nil, hits, nil)
	return dst
}

// CastRaysAny casts many rays, on all processors, and appends to dst for each in the order of the
// rays whether it hits anything, as [Space.CastRayAny] does; it returns the longer slice. With
// [geom.Segment] it decides which of many lines of sight are blocked. CastRaysAny allocates nothing
// if dst has the capacity. The predicates of the filter are called from several goroutines at once.
func (s *Space) CastRaysAny(dst []bool, rays []geom.Ray, f Filter) []bool {
	dst, any := lengthened(dst, len(rays))
	rayBatches.run(s, rays, f, nil, nil, any)
	return dst
}

// lengthened returns dst with n more elements, and these alone.
func lengthened[T any](dst []T, n int) (all, added []T) {
	old := len(dst)
	dst = slices.Grow(dst, n)[:old+n]
	return dst, dst[old:]
}

// missed is the result of a ray that hits nothing.
var missed = Hit{Hit: geom.Hit{T: float32(math.Inf(1)), Triangle: -1}, Child: -1}

// batch is the rays, or the casts of shapes, of one call, which several workers do.
type batch[Cast, Found any] struct {
	space  *Space
	filter Filter
	// filters are those of the casts, instead of filter, if they are not nil.
	filters []Filter
	casts   []Cast
	hits    []Found // results; nil where any holds them
	any     []bool
	loop    par.Loop[*batch[Cast, Found]]
}

// batches does batches of one kind, in memory that is used again.
type batches[Cast, Found any] struct {
	size int // how many casts a worker claims at a time
	pool sync.Pool
	// some does the casts from start to end.
	some func(b *batch[Cast, Found], worker, start, end int)
}

// run does all casts and keeps the batch, unless a Predicate panics.
func (a *batches[Cast, Found]) run(s *Space, casts []Cast, f Filter, filters []Filter, hits []Found, any []bool) {
	b, ok := a.pool.Get().(*batch[Cast, Found])
	if !ok {
		b = new(batch[Cast, Found])
	}
	s.settle()
	b.space, b.filter, b.filters, b.casts, b.hits, b.any = s, f, filters, casts, hits, any
	b.loop.Run(b, par.Workers(len(casts), a.size), len(casts), a.size, a.some)
	b.space, b.filter, b.filters, b.casts, b.hits, b.any = nil, Filter{}, nil, nil, nil, nil
	a.pool.Put(b)
}

type rayBatch = batch[geom.Ray, Hit]

// rayBatches claims enough rays at a time that claiming them costs nothing beside casting them
// (about 10 µs), and few enough that all workers end at nearly the same time.
var rayBatches = batches[geom.Ray, Hit]{size: 64, some: castSomeRays}

func castSomeRays(b *rayBatch, _, start, end int) {
	t := allTurns.Get().(*turns)
	if len(b.space.records) > 0 {
		t.walks.Records(unsafe.Pointer(&b.space.records[0]), unsafe.Sizeof(record{}))
	}
	t.cast(b, start, end)
	// Unless a Predicate panics: the unfinished walks are then left to the garbage collector.
	t.give()
}

// turns casts several rays of a batch in turns: while one waits for a cache miss, the others go on.
type turns struct {
	walks broad.Walks
	lanes [broad.Lanes]lane
}

// lane is the state of one of these rays.
type lane struct {
	ray   geom.Ray // shorter with every hit
	tMax  float32
	i     int // in the batch
	found bool
}

var allTurns = sync.Pool{New: func() any { return new(turns) }}

func (t *turns) give() {
	t.walks.Stop()
	allTurns.Put(t)
}

// cast casts the rays from start to end.
func (t *turns) cast(b *rayBatch, start, end int) {
	under := 0
	for under < len(t.lanes) && t.start(b, under, &start, end) {
		under++
	}
	// A candidate, and whose it is: while what places its mesh comes from memory, the walks go on.
	held, lane := uint32(0), -1
	for under > 0 {
		n, number, ok := t.walks.Next()
		if ok {
			b.space.locals.prefetch(number)
		}
		if lane >= 0 {
			t.meet(b, lane, held)
			lane = -1
		}
		if ok {
			held, lane = number, n
		} else if !t.start(b, n, &start, end) {
			under--
		}
	}
}

// meet casts the ray of a lane at a candidate.
func (t *turns) meet(b *rayBatch, n int, number uint32) {
	l, r := &t.lanes[n], &b.space.records[number]
	if b.any != nil {
		if !b.any[l.i] && r.castAny(&l.ray, &b.filter) {
			b.any[l.i] = true
			t.walks.SetEnd(n, -1)
		}
		return
	}
	best := &b.hits[l.i]
	if r.castBefore(&l.ray, &b.filter, best, l.found) {
		l.found = true
		shorten(&l.ray, best.T, l.tMax)
		t.walks.SetEnd(n, best.T)
	}
}

// start starts the next ray that needs a walk through the tree in a lane; false if there is none.
func (t *turns) start(b *rayBatch, n int, next *int, end int) bool {
	l := &t.lanes[n]
	for *next < end {
		l.i = *next
		l.ray = b.casts[l.i]
		*next++
		if l.begin(b) && t.walks.Start(n, &b.space.boxes, l.ray) {
			return true
		}
	}
	return false
}

// begin casts a ray at the colliders outside of the tree, and reports whether the tree is still to
// be searched.
func (l *lane) begin(b *rayBatch) bool {
	s := b.space
	l.found = false
	_, l.tMax = l.ray.Range()
	valid := l.ray.IsValid()
	if b.any != nil {
		b.any[l.i] = valid && !s.visitPlanes(func(i uint32) bool { return !s.records[i].castAny(&l.ray, &b.filter) })
		return valid && !b.any[l.i]
	}
	best := &b.hits[l.i]
	*best = missed
	return valid && s.visitPlanes(func(i uint32) bool {
		if s.records[i].castBefore(&l.ray, &b.filter, best, l.found) {
			l.found = true
			shorten(&l.ray, best.T, l.tMax)
		}
		return true
	})
}

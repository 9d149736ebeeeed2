package physics

import (
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// CastRays casts many rays, on all processors, and appends the closest hit of each to dst in the order of the rays; it
// returns the longer slice. A ray that hits nothing gives a [Hit] without Collider, with T = +Inf, Child −1 and Triangle −1.
// Each hit is that of [Space.CastRay], bit by bit, whatever the number of processors. It allocates nothing if dst has room.
//
// A Predicate of the filter is asked from several goroutines at once.
func (s *Space) CastRays(dst []Hit, rays []geom.Ray, f Filter) []Hit {
	old := len(dst)
	dst = slices.Grow(dst, len(rays))[:old+len(rays)]
	b := takeBatch(s, rays, f)
	b.hits = dst[old:]
	b.cast()
	return dst
}

// CastRaysAny casts many rays, on all processors, and appends to dst for each in the order of the rays whether it hits
// anything, as [Space.CastRayAny] does; it returns the longer slice. It answers which of many lines of sight are blocked:
// see [geom.Segment]. It allocates nothing if dst has room. A Predicate of the filter is asked from several goroutines at
// once.
func (s *Space) CastRaysAny(dst []bool, rays []geom.Ray, f Filter) []bool {
	old := len(dst)
	dst = slices.Grow(dst, len(rays))[:old+len(rays)]
	b := takeBatch(s, rays, f)
	b.any = dst[old:]
	b.cast()
	return dst
}

// missed is what a batch holds for a ray that hits nothing.
var missed = Hit{Hit: geom.Hit{T: float32(math.Inf(1)), Triangle: -1}, Child: -1}

// batch is rays that several goroutines cast, each taking some more when it is done with those before.
type batch struct {
	space  *Space
	filter Filter
	rays   []geom.Ray
	hits   []Hit  // of the rays, if closest hits are wanted
	any    []bool // of the rays, if not
	taken  atomic.Int64
	group  sync.WaitGroup
	work   func() // what each goroutine does, made once: a go statement with it allocates nothing
}

// batchSize is how many rays a goroutine takes at a time: enough that taking them costs nothing beside casting them, and few
// enough that all goroutines end at nearly the same time.
const batchSize = 64

var batches = sync.Pool{New: func() any {
	b := new(batch)
	b.work = func() {
		b.some()
		b.group.Done()
	}
	return b
}}

func takeBatch(s *Space, rays []geom.Ray, f Filter) *batch {
	b := batches.Get().(*batch)
	b.space, b.filter, b.rays = s, f, rays
	b.taken.Store(0)
	return b
}

// cast casts all rays and gives the batch back.
func (b *batch) cast() {
	more := min(runtime.GOMAXPROCS(0), (len(b.rays)+batchSize-1)/batchSize) - 1
	b.group.Add(max(more, 0))
	for range more {
		go b.work()
	}
	b.some()
	b.group.Wait()
	b.space, b.filter, b.rays, b.hits, b.any = nil, Filter{}, nil, nil, nil
	batches.Put(b)
}

// some casts rays until all are taken.
func (b *batch) some() {
	n := len(b.rays)
	for {
		end := int(b.taken.Add(batchSize))
		start := end - batchSize
		if start >= n {
			return
		}
		end = min(end, n)
		if b.any != nil {
			for i := start; i < end; i++ {
				b.any[i] = b.space.CastRayAny(b.rays[i], b.filter)
			}
			continue
		}
		for i := start; i < end; i++ {
			var ok bool
			if b.hits[i], ok = b.space.CastRay(b.rays[i], b.filter); !ok {
				b.hits[i] = missed
			}
		}
	}
}

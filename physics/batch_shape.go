package physics

import (
	"math"
	"slices"
	"sync"

	"github.com/hitscan-go/hitscan/internal/par"
)

// CastShapes casts many shapes, on all processors, and appends the first hit of each to dst in the
// order of the casts; it returns the longer slice. A cast that hits nothing gives a [ShapeHit]
// without Collider, with T = +Inf, Child −1 and Triangle −1. Each hit is that of [Space.CastShape]
// to the bit, whatever the number of processors. CastShapes allocates nothing if dst has the
// capacity.
//
// A Predicate of the filter is called from several goroutines at once. Panics as [Space.CastShape]
// does.
func (s *Space) CastShapes(dst []ShapeHit, casts []ShapeCast, f Filter) []ShapeHit {
	old := len(dst)
	dst = slices.Grow(dst, len(casts))[:old+len(casts)]
	b := takeShapeBatch(s, casts, f)
	b.hits = dst[old:]
	b.cast()
	return dst
}

// CastShapesAny casts many shapes, on all processors, and appends to dst for each in the order of
// the casts whether it hits anything, as [Space.CastShapeAny] does; it returns the longer slice. It
// allocates nothing if dst has the capacity. A Predicate of the filter is called from several
// goroutines at once. Panics as [Space.CastShape] does.
func (s *Space) CastShapesAny(dst []bool, casts []ShapeCast, f Filter) []bool {
	old := len(dst)
	dst = slices.Grow(dst, len(casts))[:old+len(casts)]
	b := takeShapeBatch(s, casts, f)
	b.any = dst[old:]
	b.cast()
	return dst
}

// shapeMissed is the result of a shape that hits nothing.
var shapeMissed = ShapeHit{T: float32(math.Inf(1)), Child: -1, Triangle: -1}

// shapeBatch is the casts of one call, which several workers do. Unlike the rays of a batch they
// take no turns: a cast of a shape computes for longer than it waits for memory.
type shapeBatch struct {
	space  *Space
	filter Filter
	casts  []ShapeCast
	hits   []ShapeHit // results of CastShapes; nil of CastShapesAny
	any    []bool     // results of CastShapesAny
	loop   par.Loop[*shapeBatch]
}

// shapeBatchSize is how many casts a worker claims at a time; see batchSize. A cast of a shape
// takes several times as long.
const shapeBatchSize = 16

var shapeBatches = sync.Pool{New: func() any { return new(shapeBatch) }}

func takeShapeBatch(s *Space, casts []ShapeCast, f Filter) *shapeBatch {
	b := shapeBatches.Get().(*shapeBatch)
	s.settle()
	b.space, b.filter, b.casts = s, f, casts
	return b
}

// cast casts all shapes and puts the batch back into the pool, unless a Predicate panics.
func (b *shapeBatch) cast() {
	b.loop.Run(b, par.Workers(len(b.casts), shapeBatchSize), len(b.casts), shapeBatchSize, (*shapeBatch).some)
	b.space, b.filter, b.casts, b.hits, b.any = nil, Filter{}, nil, nil, nil
	shapeBatches.Put(b)
}

// some casts the shapes from start to end.
func (b *shapeBatch) some(_, start, end int) {
	for i := start; i < end; i++ {
		if b.any != nil {
			b.any[i] = b.space.CastShapeAny(b.casts[i], b.filter)
			continue
		}
		b.hits[i] = shapeMissed
		if h, ok := b.space.CastShape(b.casts[i], b.filter); ok {
			b.hits[i] = h
		}
	}
}

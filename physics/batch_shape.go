package physics

import "math"

// CastShapes casts many shapes, on all processors, and appends the first hit of each to dst in the
// order of the casts; it returns the longer slice. A cast that hits nothing gives a [ShapeHit]
// without Collider, with T = +Inf, Child −1 and Triangle −1. Each hit is that of [Space.CastShape]
// to the bit, whatever the number of processors. CastShapes allocates nothing if dst has the
// capacity.
//
// A Predicate of the filter is called from several goroutines at once. Panics as [Space.CastShape]
// does.
func (s *Space) CastShapes(dst []ShapeHit, casts []ShapeCast, f Filter) []ShapeHit {
	dst, hits := lengthened(dst, len(casts))
	shapeBatches.run(s, casts, f, nil, hits, nil)
	return dst
}

// CastShapesEach is [Space.CastShapes] with a filter for each cast, so that each character of a
// crowd can leave out itself. Panics if there are not as many filters as casts.
func (s *Space) CastShapesEach(dst []ShapeHit, casts []ShapeCast, filters []Filter) []ShapeHit {
	if len(filters) != len(casts) {
		panic("physics: Space.CastShapesEach: not as many filters as casts")
	}
	dst, hits := lengthened(dst, len(casts))
	shapeBatches.run(s, casts, Filter{}, filters, hits, nil)
	return dst
}

// CastShapesAny casts many shapes, on all processors, and appends to dst for each in the order of
// the casts whether it hits anything, as [Space.CastShapeAny] does; it returns the longer slice. It
// allocates nothing if dst has the capacity. A Predicate of the filter is called from several
// goroutines at once. Panics as [Space.CastShape] does.
func (s *Space) CastShapesAny(dst []bool, casts []ShapeCast, f Filter) []bool {
	dst, any := lengthened(dst, len(casts))
	shapeBatches.run(s, casts, f, nil, nil, any)
	return dst
}

// shapeMissed is the result of a shape that hits nothing.
var shapeMissed = ShapeHit{T: float32(math.Inf(1)), Child: -1, Triangle: -1}

// shapeBatches claims fewer casts at a time than rayBatches: each takes several times as long.
var shapeBatches = batches[ShapeCast, ShapeHit]{size: 16, some: castSomeShapes}

// castSomeShapes, unlike castSomeRays, does one cast after the other: a cast of a shape computes
// for longer than it waits for memory.
func castSomeShapes(b *batch[ShapeCast, ShapeHit], _, start, end int) {
	for i := start; i < end; i++ {
		f := b.filter
		if b.filters != nil {
			f = b.filters[i]
		}
		if b.any != nil {
			b.any[i] = b.space.CastShapeAny(b.casts[i], f)
			continue
		}
		b.hits[i] = shapeMissed
		if h, ok := b.space.CastShape(b.casts[i], f); ok {
			b.hits[i] = h
		}
	}
}

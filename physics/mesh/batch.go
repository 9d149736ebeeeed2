package mesh

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Many rays at once go to all processors in pieces, so that one with long rays holds up none. What
// a ray hits does not depend on which of them casts it, nor on the rays beside it.

// batchSize is how many rays are taken at a time: enough that taking them costs nothing, few enough
// that the last piece is soon done, and that a goroutine, which can't be interrupted on the way,
// doesn't keep the garbage collector waiting.
const batchSize = 512

// CastRays casts many rays, on all processors, and appends the closest hit of each to dst in the
// order of the rays; it returns the longer slice. A ray that misses gives a [geom.Hit] with T =
// +Inf and Triangle −1. Each hit is that of [Mesh.CastRay], bit by bit, whatever the rays beside it
// and the number of processors.
//
// On a processor with AVX2 it is faster than a loop over CastRay. Rays that go nearly the same way
// from nearly the same place gain most if they are neighbours in the slice, eight or more in a row,
// as are those of a camera by rows; they are cast together (after Wald, Slusallek, Benthin and
// Wagner 2001). The others take turns while they wait for memory.
//
// Up to 512 rays are cast on the caller's goroutine, and all are if GOMAXPROCS is 1; that allocates
// nothing if dst has room. More take as many goroutines as there are processors, which costs a few
// small allocations whatever the number of rays.
func (m *Mesh) CastRays(dst []geom.Hit, rays []geom.Ray, cull geom.Cull) []geom.Hit {
	old := len(dst)
	dst = slices.Grow(dst, len(rays))[:old+len(rays)]
	if hits := dst[old:]; len(rays) <= batchSize || runtime.GOMAXPROCS(0) == 1 {
		for start := 0; start < len(rays); start += batchSize {
			end := min(start+batchSize, len(rays))
			m.tree.CastRays(hits[start:end], rays[start:end], cull)
		}
	} else {
		inPieces(len(rays), func(start, end int) { m.tree.CastRays(hits[start:end], rays[start:end], cull) })
	}
	return dst
}

// CastRaysAny casts many rays, on all processors, and appends to dst for each in the order of the
// rays whether it hits anything, as [Mesh.CastRayAny] does; it returns the longer slice. It answers
// which of many lines of sight are blocked: see [geom.Segment]. What [Mesh.CastRays] says of rays
// that are neighbours, of goroutines and of memory holds here too.
func (m *Mesh) CastRaysAny(dst []bool, rays []geom.Ray, cull geom.Cull) []bool {
	old := len(dst)
	dst = slices.Grow(dst, len(rays))[:old+len(rays)]
	if hits := dst[old:]; len(rays) <= batchSize || runtime.GOMAXPROCS(0) == 1 {
		for start := 0; start < len(rays); start += batchSize {
			end := min(start+batchSize, len(rays))
			m.tree.CastRaysAny(hits[start:end], rays[start:end], cull)
		}
	} else {
		inPieces(len(rays), func(start, end int) { m.tree.CastRaysAny(hits[start:end], rays[start:end], cull) })
	}
	return dst
}

// inPieces does the work on the rays from 0 to n in pieces, on all processors.
func inPieces(n int, piece func(start, end int)) {
	var taken atomic.Int64
	work := func() {
		for {
			end := int(taken.Add(batchSize))
			start := end - batchSize
			if start >= n {
				return
			}
			piece(start, min(end, n))
		}
	}
	var group sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), (n+batchSize-1)/batchSize) - 1 {
		group.Go(work)
	}
	work()
	group.Wait()
}

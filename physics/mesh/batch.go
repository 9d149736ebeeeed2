package mesh

import (
	"slices"
	"sync"

	"github.com/hitscan-go/hitscan/internal/par"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// batchSize is how many rays a worker claims at a time: enough that claiming them costs nothing, few
// enough that the last chunk is soon done, and that a call of the assembly, which can't be
// interrupted, doesn't keep the garbage collector waiting.
const batchSize = 512

// batch is the rays of one call. The hit of a ray depends neither on the worker that casts it nor on
// the rays beside it.
type batch struct {
	mesh *Mesh
	rays []geom.Ray
	cull geom.Cull
	hits []geom.Hit // of the rays, if closest hits are wanted
	any  []bool     // of the rays, if not
	loop par.Loop[*batch]
}

var batches = sync.Pool{New: func() any { return new(batch) }}

// cast casts all rays and puts the batch back into the pool.
func (b *batch) cast() {
	b.loop.Run(b, par.Workers(len(b.rays), batchSize), len(b.rays), batchSize, (*batch).some)
	b.mesh, b.rays, b.hits, b.any = nil, nil, nil, nil
	batches.Put(b)
}

// some casts the rays from start to end.
func (b *batch) some(_, start, end int) {
	if b.any != nil {
		b.mesh.tree.CastRaysAny(b.any[start:end], b.rays[start:end], b.cull)
	} else {
		b.mesh.tree.CastRays(b.hits[start:end], b.rays[start:end], b.cull)
	}
}

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
// Up to 512 rays are cast on the caller's goroutine, and all are if GOMAXPROCS is 1. It allocates
// nothing if dst has room.
func (m *Mesh) CastRays(dst []geom.Hit, rays []geom.Ray, cull geom.Cull) []geom.Hit {
	old := len(dst)
	dst = slices.Grow(dst, len(rays))[:old+len(rays)]
	b := batches.Get().(*batch)
	b.mesh, b.rays, b.cull, b.hits = m, rays, cull, dst[old:]
	b.cast()
	return dst
}

// CastRaysAny casts many rays, on all processors, and appends to dst for each in the order of the
// rays whether it hits anything, as [Mesh.CastRayAny] does; it returns the longer slice. It answers
// which of many lines of sight are blocked: see [geom.Segment]. What [Mesh.CastRays] says of rays
// that are neighbours, of goroutines and of memory holds here too.
func (m *Mesh) CastRaysAny(dst []bool, rays []geom.Ray, cull geom.Cull) []bool {
	old := len(dst)
	dst = slices.Grow(dst, len(rays))[:old+len(rays)]
	b := batches.Get().(*batch)
	b.mesh, b.rays, b.cull, b.any = m, rays, cull, dst[old:]
	b.cast()
	return dst
}

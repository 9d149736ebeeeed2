package mesh

import (
	"slices"
	"sync"

	"github.com/hitscan-go/hitscan/internal/par"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// batchSize is how many rays a worker claims at a time: enough that claiming them costs nothing,
// few enough that the last chunk is soon done, and that a call of the assembly, which can't be
// interrupted, doesn't keep the garbage collector waiting.
const batchSize = 512

// batch is the rays of one call. The hit of a ray depends neither on the worker that casts it nor
// on the rays beside it.
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
	switch {
	case b.mesh.grid != nil:
		b.someOfField(start, end)
	case b.any != nil:
		b.mesh.tree.CastRaysAny(b.any[start:end], b.rays[start:end], b.cull)
	default:
		b.mesh.tree.CastRays(b.hits[start:end], b.rays[start:end], b.cull)
	}
}

func (b *batch) someOfField(start, end int) {
	for i := start; i < end; i++ {
		if b.any != nil {
			b.any[i] = b.mesh.grid.CastRayAny(&b.rays[i], b.cull)
		} else if !b.mesh.grid.CastRay(&b.hits[i], &b.rays[i], b.cull) {
			b.hits[i] = geom.Hit{T: inf32, Triangle: -1}
		}
	}
}

// CastRays casts many rays, on all processors, and appends the closest hit of each to dst in the
// order of the rays; it returns the extended slice. A miss is a [geom.Hit] with T = +Inf and
// Triangle −1. Each hit is that of [Mesh.CastRay], bit by bit, whatever the other rays and the
// number of processors.
//
// With AVX2 it is faster than a loop over CastRay. Coherent rays, with similar origins and
// directions, gain most if eight or more are consecutive in the slice, as the rays of a camera by
// rows are: they are cast as a packet (after Wald, Slusallek, Benthin and Wagner 2001). Others take
// turns, so that none waits for memory or for a mispredicted branch.
//
// Up to 512 rays are cast on the caller's goroutine; with GOMAXPROCS 1, all are. It allocates
// nothing if dst has the capacity.
func (m *Mesh) CastRays(dst []geom.Hit, rays []geom.Ray, cull geom.Cull) []geom.Hit {
	old := len(dst)
	dst = slices.Grow(dst, len(rays))[:old+len(rays)]
	b := batches.Get().(*batch)
	b.mesh, b.rays, b.cull, b.hits = m, rays, cull, dst[old:]
	b.cast()
	return dst
}

// CastRaysAny casts many rays, on all processors, and appends to dst for each, in the order of the
// rays, whether it hits anything, as [Mesh.CastRayAny] does; it returns the extended slice. It
// decides which of many lines of sight are blocked: see [geom.Segment]. Coherence, goroutines and
// memory are as for [Mesh.CastRays].
func (m *Mesh) CastRaysAny(dst []bool, rays []geom.Ray, cull geom.Cull) []bool {
	old := len(dst)
	dst = slices.Grow(dst, len(rays))[:old+len(rays)]
	b := batches.Get().(*batch)
	b.mesh, b.rays, b.cull, b.any = m, rays, cull, dst[old:]
	b.cast()
	return dst
}

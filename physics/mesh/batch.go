package mesh

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Many rays at once go to all processors in pieces, so that one with long rays holds up none. What a ray hits does not depend on
// which of them casts it.

// batchSize is how many rays are taken at a time: enough that taking them costs nothing, few enough that the last piece is
// soon done.
const batchSize = 256

// CastRays casts many rays, on all processors, and appends the closest hit of each to dst in the order of the rays; it returns
// the longer slice. A ray that misses gives a [geom.Hit] with T = +Inf and Triangle −1. Each hit is that of [Mesh.CastRay], bit
// by bit. Fewer than a few hundred rays are cast on the caller's goroutine.
func (m *Mesh) CastRays(dst []geom.Hit, rays []geom.Ray, cull geom.Cull) []geom.Hit {
	old := len(dst)
	dst = slices.Grow(dst, len(rays))[:old+len(rays)]
	m.castRays(dst[old:], rays, cull)
	return dst
}

func (m *Mesh) castRays(hits []geom.Hit, rays []geom.Ray, cull geom.Cull) {
	pieces := (len(rays) + batchSize - 1) / batchSize
	workers := min(runtime.GOMAXPROCS(0), pieces)
	if workers <= 1 {
		m.castPiece(hits, rays, cull)
		return
	}
	m.castPieces(hits, rays, cull, workers)
}

func (m *Mesh) castPieces(hits []geom.Hit, rays []geom.Ray, cull geom.Cull, workers int) {
	var taken atomic.Int64
	work := func() {
		for {
			end := int(taken.Add(batchSize))
			start := end - batchSize
			if start >= len(rays) {
				return
			}
			end = min(end, len(rays))
			m.castPiece(hits[start:end], rays[start:end], cull)
		}
	}
	var group sync.WaitGroup
	for range workers - 1 {
		group.Go(work)
	}
	work()
	group.Wait()
}

func (m *Mesh) castPiece(hits []geom.Hit, rays []geom.Ray, cull geom.Cull) {
	m.tree.CastRays(hits, rays, cull)
}

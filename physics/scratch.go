package physics

import (
	"sync"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/broad"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
	"github.com/hitscan-go/hitscan/physics/internal/wide"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// scratch is the working memory of a query that needs more than a few words. It is used again, so
// that queries allocate nothing.
type scratch struct {
	front    broad.Front
	queue    queue
	hits     []geom.Hit
	entries  []Hit // of Crossings
	impacts  []mesh.Impact
	boxPairs []broad.Pair
	keys     []uint64

	a, b      instance
	parts     []placed.Parts
	spare     []placed.Parts  // of sortParts
	kept      *mesh.Near      // what is kept of the mesh with which something is compared, or nil
	places    []int32         // in kept, of parts
	triangles []geom.Triangle // the same
	near      []uint32
	way       wayAhead
	ahead     geom.AABB  // the bounds of the way
	bound     wide.Bound // of what is compared with a mesh
	manifolds []Manifold
	x, y      narrow.Shape // a convex part of each of two subshapes
	vertices  []geom.DVec3 // of y, if it keeps them
	finder    narrow.Finder
	closing   narrow.Closing // of a pair that is ahead of itself
	gap       float64        // of two boxes in a plane without contacts: see narrow.CollideFlat
	clear     float64        // of a shape and a mesh without contacts: see placed.ClearNear
	sunk      []sunkSegment  // of a collision with a chain
	flats     flatChecks
	joiner    narrow.Joiner
	joined    []narrow.MeshManifold
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

func takeScratch() *scratch { return scratches.Get().(*scratch) }

func (w *scratch) give() {
	w.front.Stop()
	w.kept, w.finder.Closing, w.way = nil, nil, wayAhead{}
	clear(w.flats.A[:])
	clear(w.flats.B[:])
	clear(w.queue) // its pointers would keep a space alive
	w.queue, w.hits = w.queue[:0], w.hits[:0]
	scratches.Put(w)
}

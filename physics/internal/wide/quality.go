package wide

import (
	"context"
	"runtime"

	"github.com/hitscan-go/hitscan/internal/par"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Quality is how much work goes into a tree, and so how fast rays traverse it.
type Quality uint8

// The qualities: build.go has the heuristic of medium trees, morton.go and spatial.go those of the
// others.
const (
	Medium Quality = iota
	Fast
	High
)

// Options are the options of [BuildWith].
type Options struct {
	Quality Quality
	Threads int // the largest number of working goroutines; 0: GOMAXPROCS
	// Progress, if not nil, is called by one goroutine at a time. The fraction never decreases and
	// ends at 1.
	Progress func(fraction float64)
}

// BuildWith is [Build] with options. The error is that of the context, if that ended first.
func BuildWith(ctx context.Context, vertices []geom.Vec3, indices []uint32, o Options) (Tree, error) {
	if err := ctx.Err(); err != nil {
		return Tree{}, err
	}
	n := len(indices) / 3
	w := newWatch(ctx, n, o.Progress)
	if n == 0 {
		w.end()
		return Tree{}, nil
	}
	if o.Threads <= 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	b := &builder{vertices: vertices, indices: indices, depth: heuristicDepth, watch: w}
	b.fork = par.NewFork(o.Threads)
	b.weld = weld(vertices, w)
	var t Tree
	switch o.Quality {
	case Fast:
		t = b.fastTree()
	case High:
		t = b.spatialTree()
	default:
		t = b.tree()
	}
	if t.need >= stackSize || t.duplicates.tooMany() {
		// Halving alone is at most 28 levels deep, with at most seven stack entries for each.
		b.depth = 0
		t = b.tree()
	}
	if w != nil && w.stopped.Load() {
		return Tree{}, ctx.Err()
	}
	w.end()
	return t, nil
}

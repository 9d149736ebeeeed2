package wide

import (
	"context"
	"runtime"

	"github.com/hitscan-go/hitscan/internal/par"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Quality says how much work goes into a tree, and so how fast rays go through it.
type Quality uint8

// The qualities: build.go has the heuristic of medium trees, fast.go and spatial.go tell of the
// others.
const (
	Medium Quality = iota
	Fast
	High
)

// Options say how a tree is built.
type Options struct {
	Quality  Quality
	Threads  int                    // the most goroutines at work; 0: as many as the runtime has processors
	Progress func(fraction float64) // if not nil, called by one goroutine at a time, with what never falls and ends at 1
}

// BuildWith is [Build] as the options say. The error is that of the context, if that ended first.
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
	if t.need >= stackSize {
		// Halving alone goes 28 levels down at most, with no more than seven waiting at each.
		b.depth = 0
		t = b.tree()
	}
	if w != nil && w.stopped.Load() {
		return Tree{}, ctx.Err()
	}
	w.end()
	return t, nil
}

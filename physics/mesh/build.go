package mesh

import (
	"context"
	"fmt"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/wide"
)

// Quality is how much work [Build] puts into the tree of a mesh, and so how fast queries are.
type Quality uint8

// The qualities. How they compare depends on the mesh and on the rays; BenchmarkQuality measures
// it. Answers are the same, with one exception of High.
const (
	// Medium is the quality of [New]: the surface-area heuristic over binned triangles (Wald 2007).
	Medium Quality = iota

	// Fast is for meshes that change so much that [Mesh.Refit] is no option: triangles are sorted
	// along a Morton curve (Lauterbach et al. 2009). Building takes half of the time of Medium.
	// Rays reach 0.85 to 1.0 of the speed of Medium on scanned meshes, and 0.7 to 0.8 in a game's
	// arena.
	Fast

	// High is for static meshes with triangles of very different sizes, or with long thin ones that
	// are not aligned to the axes: triangles are split spatially, and each part goes into its own
	// leaf (Stich, Friedrich and Dietrich 2009). Rays were 1.7 to 1.9 times as fast as with Medium
	// for two thousand girders through a terrain, 1.0 to 1.1 times in an arena, and no faster on
	// scanned meshes. Building takes four to fifteen times as long, and the tree up to twice the
	// memory, 1.5 times in the arena. A refit loses most of the gain.
	//
	// The exception: if a triangle, seen along the ray, is thinner than float32 resolves, the T of
	// a hit on it is unreliable, and a mesh of High quality may omit the hit if the ray has limits
	// or hits something else.
	High
)

// String returns the name of the quality in lower case.
func (q Quality) String() string {
	switch q {
	case Medium:
		return "medium"
	case Fast:
		return "fast"
	case High:
		return "high"
	}
	return fmt.Sprintf("Quality(%d)", uint8(q))
}

// BuildOptions are the options of [Build]. The zero value builds as [New] does.
type BuildOptions struct {
	Quality Quality
	// Threads is the largest number of goroutines that work at the same time; 0: GOMAXPROCS. The
	// mesh is the same for any number.
	Threads int
	// Progress, if not nil, is called about two hundred times in a long build with the fraction of
	// the work done: from 0 to 1, never decreasing, and 1 at the end of a build that was not
	// cancelled. Calls come from one goroutine at a time, not always the same, and the build waits
	// for them.
	Progress func(fraction float64)
}

// Build is [New] with a choice of quality, for builds that take long enough to be monitored or
// cancelled: a third of a second for a million triangles on one processor.
//
// If the context ends first, the error wraps that of [context.Context.Err], and no goroutine is
// left behind; every goroutine checks after about a thousand triangles. Other errors are those of
// New. Panics if the context is nil, if Threads is negative or if the quality is none of the
// constants.
func Build(ctx context.Context, vertices []geom.Vec3, indices []uint32, o BuildOptions) (*Mesh, error) {
	switch {
	case ctx == nil:
		panic("mesh: Build: no context")
	case o.Threads < 0:
		panic(fmt.Sprintf("mesh: Build: Threads is %d", o.Threads))
	case o.Quality > High:
		panic(fmt.Sprintf("mesh: Build: no quality %v", o.Quality))
	}
	if err := check(vertices, indices); err != nil {
		return nil, fmt.Errorf("mesh: Build: %w", err)
	}
	m := &Mesh{
		vertices: append([]geom.Vec3(nil), vertices...),
		indices:  pack(indices),
	}
	var err error
	m.tree, err = wide.BuildWith(ctx, m.vertices, indices, wide.Options{
		Quality:  wide.Quality(o.Quality),
		Threads:  o.Threads,
		Progress: o.Progress,
	})
	if err != nil {
		return nil, fmt.Errorf("mesh: Build: %w", err)
	}
	return m, nil
}

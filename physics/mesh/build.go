package mesh

import (
	"context"
	"fmt"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/wide"
)

// Quality says how much work [Build] puts into the tree of a mesh, and so how fast queries are.
type Quality uint8

// The qualities. How they compare depends on the mesh and on the rays; BenchmarkQuality measures
// it. Answers are the same, but for one exception of High.
const (
	// Medium is what [New] gives: the surface-area heuristic over binned triangles (Wald 2007).
	Medium Quality = iota

	// Fast is for meshes that change so much that [Mesh.Refit] won't do: triangles are sorted along
	// a Morton curve (Lauterbach et al. 2009). Building takes half of the time of Medium. Rays
	// reach 0.85 to 1.0 of its speed on scans and 0.7 to 0.8 in a game's arena.
	Fast

	// High is for meshes that stay, of triangles of very different sizes or long thin ones that lie
	// askew: these are cut in space, and each part goes where it belongs (Stich, Friedrich and
	// Dietrich 2009). Two thousand girders through a terrain gave 1.7 to 1.9 times the speed of
	// Medium, an arena 1.0 to 1.1, scans nothing. Building takes four to fifteen times as long, and
	// the tree up to twice the memory, 1.5 times in the arena. After a refit little is left of the
	// gain.
	//
	// The exception: where a triangle, seen along the ray, is thinner than single precision can
	// tell, the T of a hit on it says little, and a mesh of High quality may leave the hit out if
	// the ray has limits or hits something else.
	High
)

// String returns the name of a quality in lower case.
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

// BuildOptions say how [Build] works. The zero value does what [New] does.
type BuildOptions struct {
	Quality Quality
	// Threads is the most goroutines that work at the same time; 0: as many as the runtime has
	// processors. The mesh is the same on any number.
	Threads int
	// Progress, if not nil, is called now and then, about two hundred times in a long build, with
	// how much of the work is done: from 0 to 1, never less than the time before, and with 1 at the
	// end of a build that was not cancelled. One goroutine at a time calls it, though not always
	// the same, and the build waits for it.
	Progress func(fraction float64)
}

// Build is [New] with a choice of quality, for builds that take long enough to be watched or
// cancelled: a third of a second for a million triangles on one processor.
//
// If the context ends first, the error wraps what [context.Context.Err] says, and no goroutine is
// left behind; every goroutine looks after some thousand triangles. Other errors are those of New.
// Panics if the context is nil, if Threads is negative or if there is no such quality.
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

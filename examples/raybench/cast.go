package main

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hitscan-go/hitscan/examples/raybench/internal/rayfile"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// castClosest and castAny answer each ray by one call; a batch of rays would be one more such function.

func castClosest(m *mesh.Mesh, rays []geom.Ray, hits []rayfile.Hit) {
	for i := range rays {
		if h, ok := m.CastRay(rays[i], geom.CullNone); ok {
			hits[i] = rayfile.Hit{T: h.T, Triangle: uint32(h.Triangle)}
		} else {
			hits[i] = rayfile.Hit{Triangle: rayfile.Miss}
		}
	}
}

func castAny(m *mesh.Mesh, rays []geom.Ray, hits []rayfile.Hit) {
	for i := range rays {
		if m.CastRayAny(rays[i], geom.CullNone) {
			hits[i] = rayfile.Hit{}
		} else {
			hits[i] = rayfile.Hit{Triangle: rayfile.Miss}
		}
	}
}

var modes = map[string]func(m *mesh.Mesh, rays []geom.Ray, hits []rayfile.Hit){"closest": castClosest, "any": castAny}

// chunk is how many rays a goroutine takes at a time: few enough that all end together, and enough that taking them,
// and writing to neighbouring records, costs nothing to speak of.
const chunk = 1024

// castAll answers all rays in order, by so many goroutines.
func castAll(m *mesh.Mesh, rays []geom.Ray, hits []rayfile.Hit, mode string, threads int) {
	cast := modes[mode]
	if threads == 1 {
		cast(m, rays, hits)
		return
	}
	var next atomic.Int64
	var done sync.WaitGroup
	for range threads {
		done.Go(func() {
			for {
				end := int(next.Add(chunk))
				if end-chunk >= len(rays) {
					return
				}
				from, to := end-chunk, min(end, len(rays))
				cast(m, rays[from:to], hits[from:to])
			}
		})
	}
	done.Wait()
}

// measureRuns does the work once to warm up and then so many times. It returns the median time of a run and, in percent
// of that, by how much the slowest is slower than the fastest. Time is that of the CPU if one thread works, so that
// what else the machine does counts less, where the system tells it.
func measureRuns(runs, threads int, work func()) (median time.Duration, spread float64) {
	now := cpuTime
	if threads > 1 {
		now = wallTime
	}
	work()
	took := make([]time.Duration, runs)
	for i := range took {
		start := now()
		work()
		took[i] = now() - start
	}
	slices.Sort(took)
	median = took[runs/2]
	return median, 100 * float64(took[runs-1]-took[0]) / float64(median)
}

var begin = time.Now()

func wallTime() time.Duration { return time.Since(begin) }

// measureBuild builds the mesh anew five times. It returns the last, the median time, and how many bytes it keeps:
// vertices, indices and tree.
func measureBuild(m *mesh.Mesh, threads int) (built *mesh.Mesh, median time.Duration, bytes uint64) {
	var err error
	before := heap()
	median, _ = measureRuns(5, threads, func() {
		if built, err = mesh.New(m.Vertices(), m.Indices()); err != nil {
			panic(err) // m was made of the same
		}
	})
	bytes = heap() - before
	runtime.KeepAlive(m)
	return built, median, bytes
}

// heap returns how many bytes are in use. What a pool keeps is given up only by the second collection.
func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return s.HeapAlloc
}

package main

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/hitscan-go/hitscan/examples/raybench/internal/rayfile"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

func castClosest(m *mesh.Mesh, rays []geom.Ray, hits []rayfile.Hit) {
	var h geom.Hit
	for i := range rays {
		if m.CastRayInto(&h, &rays[i], geom.CullNone) {
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

// caster returns a function that casts all rays in order, in the way that the options select.
func caster(m *mesh.Mesh, rays []geom.Ray, hits []rayfile.Hit, o options) func() {
	switch {
	case o.batch > 0 && o.mode == "any":
		return batchesAny(m, rays, hits, o.batch)
	case o.batch > 0:
		return batchesClosest(m, rays, hits, o.batch)
	}
	cast := modes[o.mode]
	return func() {
		inChunks(len(rays), o.threads, func(from, to int) { cast(m, rays[from:to], hits[from:to]) })
	}
}

// batchesClosest casts the rays in batches. It reuses the memory for the answers, as a game would.
// The mesh chooses the number of goroutines.
func batchesClosest(m *mesh.Mesh, rays []geom.Ray, hits []rayfile.Hit, size int) func() {
	size = min(size, len(rays))
	answers := make([]geom.Hit, 0, size)
	return func() {
		at := 0
		for batch := range slices.Chunk(rays, size) {
			answers = m.CastRays(answers[:0], batch, geom.CullNone)
			for i := range answers {
				h := rayfile.Hit{Triangle: rayfile.Miss}
				if a := &answers[i]; a.Triangle >= 0 {
					h = rayfile.Hit{T: a.T, Triangle: uint32(a.Triangle)}
				}
				hits[at+i] = h
			}
			at += len(batch)
		}
	}
}

// batchesAny is batchesClosest for any hit.
func batchesAny(m *mesh.Mesh, rays []geom.Ray, hits []rayfile.Hit, size int) func() {
	size = min(size, len(rays))
	answers := make([]bool, 0, size)
	return func() {
		at := 0
		for batch := range slices.Chunk(rays, size) {
			answers = m.CastRaysAny(answers[:0], batch, geom.CullNone)
			for i, hit := range answers {
				hits[at+i] = rayfile.Hit{Triangle: rayfile.Miss}
				if hit {
					hits[at+i].Triangle = 0
				}
			}
			at += len(batch)
		}
	}
}

// chunk is the number of rays that a goroutine claims at a time: few enough that all end together,
// and enough that claiming, and writing to shared cache lines, costs little.
const chunk = 1024

// inChunks runs work over [0, n) in chunks on the given number of goroutines.
func inChunks(n, threads int, work func(from, to int)) {
	if threads == 1 {
		work(0, n)
		return
	}
	var next atomic.Int64
	var done sync.WaitGroup
	for range threads {
		done.Go(func() {
			for {
				end := int(next.Add(chunk))
				if end-chunk >= n {
					return
				}
				work(end-chunk, min(end, n))
			}
		})
	}
	done.Wait()
}

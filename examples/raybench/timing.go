package main

import (
	"bytes"
	"context"
	"runtime"
	"slices"
	"time"

	"github.com/hitscan-go/hitscan/internal/cputime"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// measureRuns runs the work once to warm up and then the given number of times. It returns the
// median time of a run and, in percent of it, the range from the fastest to the slowest.
func measureRuns(runs, threads int, work func()) (median time.Duration, spread float64) {
	now := cputime.Of(threads)
	work()
	took := make([]time.Duration, runs)
	for i := range took {
		start := now()
		work()
		took[i] = now() - start
	}
	median = middleTime(took)
	return median, 100 * float64(slices.Max(took)-slices.Min(took)) / float64(median)
}

// middleTime returns the median.
func middleTime(took []time.Duration) time.Duration {
	return slices.Sorted(slices.Values(took))[len(took)/2]
}

func milliseconds(d time.Duration) float64 { return d.Seconds() * 1e3 }

// qualities are the words for them.
var qualities = map[string]mesh.Quality{"fast": mesh.Fast, "medium": mesh.Medium, "high": mesh.High}

// measureBuild builds the mesh repeatedly. It returns the last one, the median time, and the bytes
// it keeps: vertices, indices and tree.
func measureBuild(m *mesh.Mesh, o options) (built *mesh.Mesh, median time.Duration, bytes uint64) {
	var err error
	// These are made on each call, which is no part of building.
	vertices, indices := m.Vertices(), m.Indices()
	options := mesh.BuildOptions{Quality: qualities[o.quality], Threads: o.threads}
	before := heap()
	median, _ = measureRuns(o.builds, o.threads, func() {
		if built, err = mesh.Build(context.Background(), vertices, indices, options); err != nil {
			panic(err) // m was made of the same
		}
	})
	bytes = heap() - before
	runtime.KeepAlive(m)
	runtime.KeepAlive(indices)
	return built, median, bytes
}

// loads is the number of loads that are measured. A load is so short that a garbage collection
// shows.
const loads = 15

// measureLoad returns the median time to read the mesh back from memory.
func measureLoad(m *mesh.Mesh, o options) time.Duration {
	var saved bytes.Buffer
	if _, err := m.WriteTo(&saved); err != nil {
		panic(err) // memory takes all
	}
	median, _ := measureRuns(loads, o.threads, func() {
		if _, err := mesh.Read(bytes.NewReader(saved.Bytes())); err != nil {
			panic(err) // it was written just now
		}
	})
	return median
}

// heap returns the bytes in use. A pool's memory is freed only by the second collection.
func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return s.HeapAlloc
}

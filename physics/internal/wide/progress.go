package wide

import (
	"context"
	"sync"
	"sync/atomic"
)

// watch cancels a build when its context ends, and reports its progress. A nil watch does neither
// and costs nothing.
type watch struct {
	done    <-chan struct{}
	stopped atomic.Bool
	work    atomic.Int64 // done so far, in triangles times share
	total   int64

	mutex  sync.Mutex
	report func(fraction float64)
	last   float64 // the last fraction reported
}

const (
	// watchSize is the number of triangles processed between two checks, about half a millisecond
	// of work.
	watchSize = 1024
	// reports is the approximate number of progress reports of a build.
	reports = 200
)

// The weights of the phases of a build in its progress, per triangle.
const (
	readShare  = 1
	splitShare = 6
	writeShare = 1
)

func newWatch(ctx context.Context, triangles int, report func(float64)) *watch {
	if ctx.Done() == nil && report == nil {
		return nil
	}
	return &watch{done: ctx.Done(), report: report, total: int64(triangles) * (readShare + splitShare + writeShare)}
}

// stop reports whether the build is cancelled.
func (w *watch) stop() bool {
	if w == nil {
		return false
	}
	select {
	case <-w.done:
		w.stopped.Store(true)
	default:
	}
	return w.stopped.Load()
}

// tick is stop for loops over triangles: i counts them.
func (w *watch) tick(i int) bool { return w != nil && i&(watchSize-1) == 0 && w.stop() }

// did adds finished work.
func (w *watch) did(triangles, share int) {
	if w == nil {
		return
	}
	work := w.work.Add(int64(triangles) * int64(share))
	if w.report == nil {
		return
	}
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.stop() {
		return
	}
	// A tree that is built twice, as the first was too deep, reports nothing more.
	if at := float64(work) / float64(w.total); at < 1 && at >= w.last+1.0/reports {
		w.last = at
		w.call(at)
	}
}

// call reports progress. If the function panics, the goroutines of the build stop.
func (w *watch) call(fraction float64) {
	returned := false
	defer func() {
		if !returned {
			w.stopped.Store(true)
		}
	}()
	w.report(fraction)
	returned = true
}

// below counts the triangles of the sides of a split that are too small for another check, and
// reports whether to stop.
func (w *watch) below(left, right int) bool {
	if w == nil || left+right < watchSize {
		return false
	}
	if w.stop() {
		return true
	}
	for _, n := range [2]int{left, right} {
		if n < watchSize {
			w.did(n, splitShare)
		}
	}
	return false
}

// end reports that the build is done.
func (w *watch) end() {
	if w != nil && w.report != nil {
		w.report(1)
	}
}

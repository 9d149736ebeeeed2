package wide

import (
	"context"
	"sync"
	"sync/atomic"
)

// watch tells a build when to stop, and whoever waits for it how far it is. A nil watch does
// neither and costs nothing.
type watch struct {
	done    <-chan struct{}
	stopped atomic.Bool
	work    atomic.Int64 // that is done, in triangles
	total   int64

	mutex  sync.Mutex
	report func(fraction float64)
	last   float64 // that was reported
}

const (
	// watchSize is how many triangles are worked on between two looks at the watch, about half a
	// millisecond.
	watchSize = 1024
	// reports is about how often progress is reported.
	reports = 200
)

// What the parts of a build count in progress: a triangle counts once to be read, more to be put in
// its place, once to be written.
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

// stop reports whether the build is to be given up.
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

// did adds to the work that is done.
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
	// A tree that is built twice, as the first was too deep, has no more to say.
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

// below counts the triangles of both sides of a split that are too few to be looked at again, and
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

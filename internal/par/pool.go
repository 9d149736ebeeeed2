package par

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// spinTime is how long a worker without chunks spins before its goroutine ends, and a caller before
// it sleeps. Loops that follow one another within this time, as those of a solver do, start on all
// workers in less than a microsecond. To start a goroutine takes several, or tens of them if its
// processor sleeps. Longer: more processor time is spent after the last loop.
const spinTime = 50 * time.Microsecond

// pool is the workers of one loop at a time. The caller of the loop is the first; the others are
// goroutines that live while loops follow one another, so that an idle pool is memory alone.
//
// Each worker has a contiguous part of the chunks. So it gets the same numbers, which are in its
// cache, in all loops of the same length. A worker at the end of its part claims chunks of the
// others. The caller waits for claimed chunks only, never for a worker to start.
type pool struct {
	workers []worker
	// stage counts the loops, in the upper half, and holds the number of workers of this loop. The
	// fields below it are read by whoever has claimed a chunk, which shows that they are of the
	// same loop.
	stage  atomic.Uint64
	loop   runner
	used   int // workers
	chunks int

	left   atomic.Int64 // the number of chunks that have not ended
	failed atomic.Pointer[failure]
	asleep atomic.Bool // the caller, until something is sent to wake
	wake   chan struct{}
}

// runner is a Loop of any type.
type runner interface{ run(worker, chunk int) }

// worker is on cache lines of its own.
type worker struct {
	chunks atomic.Uint64 // the number of the loop, and below it that of the chunks left in the part
	alive  atomic.Bool   // whether its goroutine will see the next stage
	index  int
	pool   *pool
	start  func() // live, made once: a go statement with it allocates nothing
	_      [88]byte
}

// pools holds the idle pools. The one used last, whose workers may still spin, is taken first.
var pools struct {
	sync.Mutex
	idle []*pool
}

// takePool returns a pool with at least so many workers.
func takePool(workers int) *pool {
	pools.Lock()
	defer pools.Unlock()
	for n := len(pools.idle); n > 0; n-- {
		p := pools.idle[n-1]
		pools.idle = pools.idle[:n-1]
		if len(p.workers) >= workers { // else there were fewer processors
			return p
		}
	}
	p := &pool{workers: make([]worker, max(workers, runtime.GOMAXPROCS(0))), wake: make(chan struct{}, 1)}
	for i := range p.workers {
		w := &p.workers[i]
		w.index, w.pool, w.start = i, p, w.live
	}
	return p
}

// give makes a pool idle.
func (p *pool) give() {
	p.loop = nil
	pools.Lock()
	defer pools.Unlock()
	pools.idle = append(pools.idle, p)
}

// run runs all chunks of a loop.
func (p *pool) run(loop runner, workers, chunks int) {
	p.loop, p.used, p.chunks = loop, workers, chunks
	p.failed.Store(nil)
	p.left.Store(int64(chunks))
	number := uint64(uint32(p.stage.Load()>>32 + 1))
	for i := range workers {
		p.workers[i].chunks.Store(number<<32 | uint64(p.end(i)-p.end(i-1)))
	}
	p.stage.Store(number<<32 | uint64(workers))
	for i := range p.workers[1:workers] {
		if w := &p.workers[1+i]; w.alive.CompareAndSwap(false, true) {
			go w.start()
		}
	}
	defer p.wait() // even if a chunk of the caller panics
	p.workers[0].work(number, workers)
	p.wait()
	if f := p.failed.Load(); f != nil {
		f.raise()
	}
}

// end returns the end of the part of a worker.
func (p *pool) end(worker int) int { return p.chunks * (worker + 1) / p.used }

// wait waits until all chunks have ended.
func (p *pool) wait() {
	unfinished := func() bool { return p.left.Load() > 0 }
	for spin(unfinished) {
		p.asleep.Store(true)
		if unfinished() || !p.asleep.CompareAndSwap(true, false) {
			<-p.wake
		}
	}
}

// spin calls a function until it returns false, or for spinTime. It reports whether it still
// returned true.
func spin(waits func() bool) bool {
	for start := (time.Time{}); ; {
		for range 64 {
			if !waits() {
				return false
			}
		}
		if start.IsZero() {
			start = time.Now()
		} else if time.Since(start) > spinTime {
			return true
		}
	}
}

// live is the goroutine of a worker.
func (w *worker) live() {
	p := w.pool
	// The stage is read once for each decision: the next loop may have fewer workers.
	seen, stage := uint64(0), uint64(0)
	waits := func() bool {
		stage = p.stage.Load()
		return stage == seen || w.index >= int(uint32(stage))
	}
	for {
		if spin(waits) {
			w.alive.Store(false)
			if waits() || !w.alive.CompareAndSwap(false, true) {
				return
			}
		}
		seen = stage
		w.work(seen>>32, int(uint32(seen)))
	}
}

// work claims chunks of the loop of a number and runs them, until none is left or any panics.
func (w *worker) work(number uint64, workers int) {
	p := w.pool
	claimed, done := int64(0), false
	defer func() {
		if !done {
			if w.index > 0 { // a panic of the caller goes on
				f := &failure{recover()}
				if f.panicked == nil {
					w.alive.Store(false)
				}
				p.failed.CompareAndSwap(nil, f)
			}
			for i := range workers {
				claimed += int64(uint32(p.workers[i].chunks.Swap(number << 32)))
			}
		}
		if claimed > 0 && p.left.Add(-claimed) == 0 && p.asleep.CompareAndSwap(true, false) {
			p.wake <- struct{}{}
		}
	}()
	for i := range workers {
		of := &p.workers[(w.index+i)%workers]
		for {
			c := of.chunks.Load()
			if c>>32 != number || uint32(c) == 0 {
				break
			}
			if of.chunks.CompareAndSwap(c, c-1) {
				claimed++
				p.loop.run(w.index, p.end(of.index)-int(uint32(c)))
			}
		}
	}
	done = true
}

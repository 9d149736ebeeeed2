// Package par runs work on several goroutines: a [Loop] over the numbers from 0 to n, claimed in
// chunks, and a [Fork] of a recursive computation in two. It is at the root of the module since
// packages on both sides of physics/internal use it.
//
// Both wait for all their goroutines. If one of them panics, the calling goroutine panics with the
// same value then, where the caller can recover; a panic that leaves a goroutine would end the
// process. If several panic, one value is raised. The stack printed with it is the caller's; with
// GOMAXPROCS=1 it is that of the cause. After a panic a Loop claims no more chunks; both sides of a
// Fork run to their end.
package par

import "runtime"

// Loop runs a function over chunks of [0, n) on several goroutines. It is kept and used again, by
// one goroutine at a time: then Run allocates nothing. The zero Loop is ready; it must not be
// copied after use. T is what the function needs; Run passes it on and keeps no reference to it.
type Loop[T any] struct {
	state T
	body  func(state T, worker, from, to int)
	n     int
	chunk int
}

// Workers returns how many workers a loop over n numbers can use: one for each chunk, at least one,
// and no more than the runtime has processors.
func Workers(n, chunk int) int {
	if n <= chunk {
		return 1
	}
	return min(runtime.GOMAXPROCS(0), (n+chunk-1)/chunk)
}

// Run calls body for chunks of [0, n), each once and with from < to, and returns when all calls
// have ended. Every chunk but the last has the given length, and from is a multiple of it. Up to so
// many workers, of which one is the calling goroutine, claim chunks: each those of a contiguous
// part of its own in rising order, then those left of the parts of others. With one worker Run is a
// loop without goroutines.
//
// Calls with the same worker, which is below workers, come one after the other, so it is an index
// of scratch memory. Which worker gets which chunk depends on timing: results must not. They don't
// if what a call writes depends on its chunk alone, or if what workers gather is put in order
// later.
//
// The body must not be made by each call of Run, as a function literal with captured variables or a
// method value is, or Run allocates: a method expression, as in loop.Run(t, …, (*T).some), is not.
// The body may run other loops.
func (l *Loop[T]) Run(state T, workers, n, chunk int, body func(state T, worker, from, to int)) {
	if workers = min(workers, (n+chunk-1)/chunk); workers <= 1 {
		for from := 0; from < n; from += chunk {
			body(state, 0, from, min(from+chunk, n))
		}
		return
	}
	l.state, l.body, l.n, l.chunk = state, body, n, chunk
	p := takePool(workers)
	defer l.finish(p)
	p.run(l, workers, (n+chunk-1)/chunk)
}

// finish drops the references.
func (l *Loop[T]) finish(p *pool) {
	p.give()
	var none T
	l.state, l.body = none, nil
}

func (l *Loop[T]) run(worker, chunk int) {
	from := chunk * l.chunk
	l.body(l.state, worker, from, min(from+l.chunk, l.n))
}

// failure is how a goroutine ended before its work was done.
type failure struct {
	panicked any // nil: by runtime.Goexit, as t.FailNow of a test does
}

// raise ends the caller in the same way.
func (f *failure) raise() {
	if f.panicked == nil {
		runtime.Goexit()
	}
	panic(f.panicked)
}

package par

import "sync"

// Fork bounds the goroutines of a recursive computation that splits in two, like the build of a
// tree. A copy shares the bound; the zero Fork has no goroutine to give.
type Fork struct{ busy chan struct{} }

// NewFork returns a Fork for so many workers, of which one is the goroutine that begins.
func NewFork(workers int) Fork { return Fork{make(chan struct{}, workers-1)} }

// Workers returns what NewFork was given.
func (f Fork) Workers() int { return cap(f.busy) + 1 }

// TryBoth calls a and b at once, a on a goroutine of its own, and returns true when both have
// ended. If no goroutine is free it calls neither and returns false. It allocates: call it for
// large parts.
func (f Fork) TryBoth(a, b func()) bool {
	select {
	case f.busy <- struct{}{}:
	default:
		return false
	}
	var running sync.WaitGroup
	var failed *failure
	running.Add(1)
	defer running.Wait() // even if b panics
	go func() {
		done := false
		defer func() {
			if !done {
				failed = &failure{recover()}
			}
			<-f.busy
			running.Done()
		}()
		a()
		done = true
	}()
	b()
	running.Wait()
	if failed != nil {
		failed.raise()
	}
	return true
}

package physics

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// share is work on a list that several goroutines do, each taking some more when it is done with
// those before. It is kept and used again, so that sharing allocates nothing.
type share struct {
	some  func() // takes and does what is left; it is set once
	work  func() // what each other goroutine does, made once: a go statement with it allocates nothing
	taken atomic.Int64
	group sync.WaitGroup
	// failed is what one of the goroutines panicked with: the caller's does so when all are done.
	failed atomic.Pointer[any]
	length int
}

// doing makes a share ready for what some does.
func (s *share) doing(some func()) {
	s.some = some
	s.work = func() {
		s.guarded()
		s.group.Done()
	}
}

// take returns the next part of the list, of a size at the most; start is not less than end when
// all is taken.
func (s *share) take(size int) (start, end int) {
	end = int(s.taken.Add(int64(size)))
	return end - size, min(end, s.length)
}

// all has a list of a length worked on, in parts of a size, and waits. It returns what a goroutine
// panicked with, for the caller to panic with once it has put things away; nil if none did.
func (s *share) all(length, size int) *any {
	s.length = length
	s.taken.Store(0)
	more := min(runtime.GOMAXPROCS(0), (length+size-1)/size) - 1
	s.group.Add(max(more, 0))
	for range more {
		go s.work()
	}
	s.guarded()
	s.group.Wait()
	return s.failed.Swap(nil)
}

// guarded does some, and keeps a panic. A Predicate may, and in a goroutine that nobody waits for
// it would end the process.
func (s *share) guarded() {
	defer func() {
		if why := recover(); why != nil {
			failed := why // which alone is on the heap
			s.failed.Store(&failed)
			s.taken.Store(int64(s.length))
		}
	}()
	s.some()
}

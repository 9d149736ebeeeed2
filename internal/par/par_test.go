package par

import (
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sums is a state with memory for each worker.
type sums struct {
	seen  []atomic.Int32 // how often each number came
	busy  []atomic.Bool  // of each worker
	chunk int
	fail  func(from int)
}

func (s *sums) some(worker, from, to int) {
	if s.busy[worker].Swap(true) {
		panic("two calls with one worker at once")
	}
	defer s.busy[worker].Store(false)
	if from%s.chunk != 0 || to-from != min(s.chunk, len(s.seen)-from) {
		panic("not a chunk")
	}
	for i := from; i < to; i++ {
		s.seen[i].Add(1)
	}
	if s.fail != nil {
		s.fail(from)
	}
}

func newSums(n, chunk, workers int) *sums {
	return &sums{seen: make([]atomic.Int32, n), busy: make([]atomic.Bool, workers), chunk: chunk}
}

// TestLoopRunsEachChunkOnce uses one loop again and again, with lengths about multiples of chunks.
func TestLoopRunsEachChunkOnce(t *testing.T) {
	var l Loop[*sums]
	for _, workers := range []int{1, 2, 3, 8} {
		for _, chunk := range []int{1, 3, 64} {
			for _, n := range []int{0, 1, 2, 63, 64, 65, 1000} {
				s := newSums(n, chunk, workers)
				l.Run(s, workers, n, chunk, (*sums).some)
				for i := range s.seen {
					require.EqualValues(t, 1, s.seen[i].Load(), "%d of %d in chunks of %d on %d workers", i, n, chunk, workers)
				}
				require.Nil(t, l.state, "Run keeps a reference to the state")
			}
		}
	}
}

// TestWorkersStayBelowTheirNumber runs loops with many and with two workers in turns, so that
// workers which are late for one loop wake in the next, where they have no place.
func TestWorkersStayBelowTheirNumber(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	var l Loop[*sums]
	for i := range testenv.Fewer(300_000, 30_000) {
		workers := 2 + i%2*6
		s := newSums(workers, 1, workers)
		l.Run(s, workers, workers, 1, (*sums).some)
	}
}

func TestWorkers(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	for _, c := range []struct{ n, chunk, want int }{{0, 8, 1}, {1, 8, 1}, {8, 8, 1}, {9, 8, 2}, {24, 8, 3}, {25, 8, 4}, {1000, 8, 4}} {
		assert.Equal(t, c.want, Workers(c.n, c.chunk), "%d in chunks of %d", c.n, c.chunk)
	}
}

// TestLoopPanicsInTheCaller makes calls panic on each worker: the caller gets the value of one of
// them, all calls have ended by then, most chunks were never begun, and the loop can be used again.
func TestLoopPanicsInTheCaller(t *testing.T) {
	const n = 1 << 20
	var l Loop[*sums]
	for _, workers := range []int{1, 2, 4} {
		for _, failAt := range []int{0, 1, 500} {
			s := newSums(n, 1, workers)
			s.fail = func(from int) {
				if from >= failAt {
					panic(&failAt)
				}
			}
			assert.PanicsWithValue(t, &failAt, func() { l.Run(s, workers, n, 1, (*sums).some) })
			for w := range s.busy {
				assert.False(t, s.busy[w].Load(), "a call is under way")
			}
			done := 0
			for i := range s.seen {
				done += int(s.seen[i].Load())
			}
			assert.LessOrEqual(t, done, failAt+workers, "chunks begun after the panic")
			assert.Nil(t, l.state)

			s = newSums(100, 1, workers)
			l.Run(s, workers, 100, 1, (*sums).some)
			for i := range s.seen {
				assert.EqualValues(t, 1, s.seen[i].Load())
			}
		}
	}
}

// linger lets other goroutines run, so that one that does not wait for this one shows.
func linger() {
	for range 1000 {
		runtime.Gosched()
	}
}

// TestLoopWaitsForOthersAfterAPanic holds one worker up while another panics.
func TestLoopWaitsForOthersAfterAPanic(t *testing.T) {
	var l Loop[*atomic.Bool]
	for range 20 {
		var ended atomic.Bool
		both := make(chan struct{}, 1)
		assert.PanicsWithValue(t, "first", func() {
			l.Run(&ended, 2, 2, 1, func(ended *atomic.Bool, _, from, _ int) {
				if from == 0 {
					<-both
					panic("first")
				}
				both <- struct{}{}
				linger()
				ended.Store(true)
			})
		})
		assert.True(t, ended.Load())
	}
}

// TestLoopExits ends the caller's goroutine where one of the others ends by Goexit, as it does if a
// test fails there.
func TestLoopExits(t *testing.T) {
	for _, exits := range []int{0, 1} {
		var l Loop[int]
		done, returned := make(chan struct{}), false
		go func() {
			defer close(done)
			both := make(chan struct{}, 2)
			l.Run(exits, 2, 2, 1, func(exits, _, from, _ int) {
				both <- struct{}{}
				for len(both) < 2 {
					runtime.Gosched()
				}
				if from == exits {
					runtime.Goexit()
				}
			})
			returned = true
		}()
		<-done
		assert.False(t, returned)
	}
}

// TestLoopsNest runs loops in the body of a loop.
func TestLoopsNest(t *testing.T) {
	var l Loop[*atomic.Int64]
	var total atomic.Int64
	l.Run(&total, 3, 100, 7, func(total *atomic.Int64, _, from, to int) {
		var inner Loop[*atomic.Int64]
		inner.Run(total, 3, to-from, 2, func(total *atomic.Int64, _, from, to int) { total.Add(int64(to - from)) })
	})
	assert.EqualValues(t, 100, total.Load())
}

func TestLoopAllocatesNothing(t *testing.T) {
	var l Loop[*sums]
	s := newSums(1000, 10, 4)
	testenv.AllocatesNothing(t, 100, func() { l.Run(s, 4, 1000, 10, (*sums).some) })
}

func sumBelow(f Fork, n int) (sum int) {
	if n < 2 {
		return n
	}
	var l, r int
	if !f.TryBoth(func() { l = sumBelow(f, n/2) }, func() { r = sumBelow(f, n-n/2) }) {
		l, r = sumBelow(f, n/2), sumBelow(f, n-n/2)
	}
	return l + r
}

func TestForkDoesBothOrNeither(t *testing.T) {
	assert.Equal(t, 1000, sumBelow(Fork{}, 1000))
	for workers := 1; workers < 5; workers++ {
		f := NewFork(workers)
		assert.Equal(t, workers, f.Workers())
		assert.Equal(t, 1000, sumBelow(f, 1000))
		assert.Empty(t, f.busy)
	}
}

// TestForkPanicsInTheCaller lets either side panic, or both, while the other is under way.
func TestForkPanicsInTheCaller(t *testing.T) {
	f := NewFork(2)
	for _, c := range []struct {
		a, b bool
		want string
	}{{true, false, "a"}, {false, true, "b"}, {true, true, "b"}} {
		var ended atomic.Int32
		side := func(fails bool, name string) func() {
			return func() {
				linger()
				ended.Add(1)
				if fails {
					panic(name)
				}
			}
		}
		assert.PanicsWithValue(t, c.want, func() { f.TryBoth(side(c.a, "a"), side(c.b, "b")) })
		assert.EqualValues(t, 2, ended.Load())
		assert.Empty(t, f.busy, "a goroutine was not given back")
	}
}

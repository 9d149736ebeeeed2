package broad

import "sync"

// crew does a job on several goroutines. It allocates only when it is larger than ever before.
type crew struct {
	*hands
}

type hands struct {
	run   []func() // what the goroutines call, made once: a new function value each time would be allocated
	phase *Phase
	job   func(p *Phase, worker int)
	wait  sync.WaitGroup
}

// do calls job with each worker below n, at once, and returns when all are done.
func (c *crew) do(n int, p *Phase, job func(p *Phase, worker int)) {
	if n == 1 {
		job(p, 0)
		return
	}
	if c.hands == nil {
		c.hands = new(hands)
	}
	h := c.hands
	for w := len(h.run); w < n; w++ {
		h.run = append(h.run, func() {
			h.job(h.phase, w)
			h.wait.Done()
		})
	}
	h.phase, h.job = p, job
	h.wait.Add(n - 1)
	for w := 1; w < n; w++ {
		go h.run[w]()
	}
	job(p, 0)
	h.wait.Wait()
	h.phase, h.job = nil, nil
}

// share returns the part of n things that is a worker's.
func share(n, worker, workers int) (from, to int) {
	return n * worker / workers, n * (worker + 1) / workers
}

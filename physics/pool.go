package physics

import "sync"

// pool keeps values that are used again. Unlike a sync.Pool it never drops one, and the one given
// last is taken first.
type pool[T any] struct {
	mutex sync.Mutex
	free  []*T
}

// take returns a free value, or a new one.
func (p *pool[T]) take() *T {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	n := len(p.free)
	if n == 0 {
		return new(T)
	}
	v := p.free[n-1]
	p.free[n-1] = nil
	p.free = p.free[:n-1]
	return v
}

func (p *pool[T]) give(v *T) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.free = append(p.free, v)
}

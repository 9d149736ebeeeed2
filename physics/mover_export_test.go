package physics

import "github.com/hitscan-go/hitscan/physics/geom"

// MaxAdvance is the upper bound of the number that MoveCounting returns.
const MaxAdvance = maxAdvance

// MoveCounting is Mover.Move and also returns the largest number of distance queries that one cast
// made for one obstacle.
func (m *Mover) MoveCounting(s *Space, st *MoverState, velocity geom.Vec3, dt float32, f Filter, hits []MoverHit) ([]MoverHit, int) {
	w := new(walker)
	w.static = &w.own
	return w.move(m, s, st, velocity, dt, &f, hits), w.steps
}

// Borrowed returns how many of the caches use shared lists.
func Borrowed(caches []MoverCache) (n int) {
	for i := range caches {
		if caches[i].around.borrowed {
			n++
		}
	}
	return n
}

// Keeps reports whether a cache keeps a move, which then is not computed.
func (c *MoverCache) Keeps(m *Mover, s *Space, st MoverState, velocity geom.Vec3, dt float32, f Filter) bool {
	return c.rests(m, s, &st, velocity, dt, &f)
}

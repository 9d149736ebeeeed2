package main

import (
	"math/rand/v2"

	"github.com/hitscan-go/hitscan/physics/geom"
)

const (
	players = 2
	rate    = 60 // ticks a second
	window  = 12 // ticks that a peer may be ahead of what the server has confirmed
	nothing = -1
)

// input is what a peer does in a tick.
type input struct {
	throttle, steer, walkX, walkZ float32 // −1 to 1
	jump, throw, fire             bool
	muzzle, aim                   geom.Vec3 // of the shot; aim is a direction
	seen                          view
}

// view is the moment that the shooter saw: between a tick and the next.
type view struct {
	tick  int64
	share float32
}

// lasting returns what a peer probably goes on doing in the next tick.
func (in input) lasting() input {
	return input{throttle: in.throttle, steer: in.steer, walkX: in.walkX, walkZ: in.walkZ}
}

// shot is what a shot has hit: the number of an entity, or nothing.
type shot struct {
	target int
	point  geom.Vec3
}

// step is all that decides a tick. The server's steps are what happens.
type step struct {
	inputs [players]input
	shots  [players]shot
}

var quiet = step{shots: [players]shot{{target: nothing}, {target: nothing}}}

// A player plays at random: it keeps on for a while, and shoots now and then at something on its
// screen.
type player struct {
	chance *rand.Rand
	now    input
	until  int64
}

func (p *player) think(tick int64) input {
	if tick >= p.until {
		side := func() float32 { return float32(p.chance.IntN(3) - 1) }
		p.now = input{throttle: side(), steer: side(), walkX: side(), walkZ: side()}
		p.until = tick + 20 + p.chance.Int64N(40)
	}
	in := p.now
	in.jump, in.throw, in.fire = p.chance.IntN(50) == 0, p.chance.IntN(90) == 0, p.chance.IntN(12) == 0
	return in
}

// miss returns by how much a player misses what it aims at, in metres.
func (p *player) miss() geom.Vec3 {
	off := func() float32 { return (float32(p.chance.Float32()) - 0.5) * 0.9 }
	return geom.V(off(), off(), off())
}

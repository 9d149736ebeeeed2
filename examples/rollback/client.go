package main

import (
	"math/rand/v2"
	"time"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// client is a peer. It is ahead of the server, so that its inputs arrive in time.
type client struct {
	network   *network
	who       int
	game      *game
	player    player
	joins     int64 // the frame at which it asks for the world; 0: it has it
	joined    int64 // the tick of that world
	confirmed int64 // the last tick that the server has confirmed and the game had
	received  log
	ticks     [window + 1]predicted
	margin    int64 // wanted, in ticks
	debt      int64 // ticks to be made up for, or left out
	patience  int64 // frames until the margin is looked at again
	stats
}

// predicted is a tick as the peer has simulated it, and the state after it. The peer keeps the last
// tick that was confirmed and those ahead of it.
type predicted struct {
	own   input
	shown shot // what the own shot hit on the screen
	step  step
	hash  uint64
	saved saved
}

// stats is what is counted.
type stats struct {
	equal, unequal                int // hashes of confirmed ticks
	mispredicted, again           int // ticks
	most                          int // ticks simulated again at once
	stalled                       int // frames without a tick, at the end of the window
	shots, hits, misjudged        int // that the server has got in time
	tick, save, restore, rollback times
}

func newClient(o options, n *network, who int) *client {
	c := &client{network: n, who: who, game: newGame(o), margin: 2 + int64(n.jitter)}
	c.player.chance = rand.New(rand.NewPCG(o.seed, uint64(who)+2))
	c.game.save(&c.at(0).saved)
	return c
}

func (c *client) at(tick int64) *predicted { return &c.ticks[tick%int64(len(c.ticks))] }

// join asks the server for the world until it has it.
func (c *client) join() error {
	if c.network.frame < c.joins {
		return nil
	}
	for _, p := range c.network.receive(c.who) {
		if in, ok := p.any.(world); ok && c.joins > 0 {
			if err := c.game.load(&in); err != nil {
				return err
			}
			c.joins, c.joined, c.confirmed = 0, in.tick, in.tick
			c.received.dropped = in.tick
			c.game.save(&c.at(in.tick).saved)
		}
	}
	c.network.send(serverAddress, hello{c.who})
	return nil
}

// update is a frame of the peer.
func (c *client) update(last int64) error {
	if c.joins > 0 {
		return c.join()
	}
	c.receive()
	c.confirm()
	n := int64(1)
	switch {
	case c.debt > 0:
		n, c.debt = 2, c.debt-1
	case c.debt < 0:
		n, c.debt = 0, c.debt+1
	}
	for ; n > 0 && c.game.tick < last; n-- {
		if c.game.tick-c.confirmed >= window {
			c.stalled++
			break
		}
		tick := c.game.tick + 1
		p := c.at(tick)
		p.own = c.act(tick)
		p.shown, _ = c.game.decide(c.who, &p.own)
		c.simulate(tick)
	}
	list := inputs{who: c.who, from: max(c.confirmed, c.game.tick-window) + 1, acked: c.received.last()}
	for tick := list.from; tick <= c.game.tick; tick++ {
		list.list = append(list.list, c.at(tick).own)
	}
	c.network.send(serverAddress, list)
	return nil
}

// receive takes the ticks that come next from packets, and sets the clock by how early the server
// has had the inputs.
func (c *client) receive() {
	for _, p := range c.network.receive(c.who) {
		in, ok := p.any.(confirmations)
		if !ok {
			continue // the world once more
		}
		for i, x := range in.list {
			if in.from+int64(i) == c.received.last()+1 {
				c.received.list = append(c.received.list, x)
			}
		}
		if c.patience--; c.patience <= 0 {
			c.debt, c.patience = c.margin-in.margin, 30
		}
	}
}

// confirm compares the ticks that have come with what was predicted, and simulates again from the
// first that differs.
func (c *client) confirm() {
	end := min(c.received.last(), c.game.tick)
	for tick := c.confirmed + 1; tick <= end; tick++ {
		if c.at(tick).step == c.received.at(tick).step {
			continue
		}
		c.mispredicted++
		start, now := time.Now(), c.game.tick
		c.game.restore(&c.at(tick - 1).saved)
		c.restore.add(time.Since(start))
		for again := tick; again <= now; again++ {
			c.simulate(again)
		}
		c.rollback.add(time.Since(start))
		c.again += int(now - tick + 1)
		c.most = max(c.most, int(now-tick+1))
		break // the other ticks that have come were simulated again as they happened
	}
	for ; c.confirmed < end; c.confirmed++ {
		c.compare(c.at(c.confirmed+1), c.received.at(c.confirmed+1))
	}
	c.received.drop(c.confirmed - 1) // the last one is what the other peer is doing
}

// compare compares a tick with the server's: its hash, and the shot with what the screen showed.
func (c *client) compare(p *predicted, s *confirmation) {
	if p.hash == s.hash {
		c.equal++
	} else {
		c.unequal++
	}
	if s.inputs[c.who].fire {
		c.shots++
		if p.shown.target != nothing {
			c.hits++
		}
		if p.shown != s.shots[c.who] {
			c.misjudged++
		}
	}
}

// simulate simulates the next tick: as the server has confirmed it, or else by a guess.
func (c *client) simulate(tick int64) {
	p := c.at(tick)
	if n := c.received.last(); tick <= n {
		p.step = c.received.at(tick).step
	} else {
		p.step = quiet
		if n > c.received.dropped {
			for i := range p.step.inputs {
				p.step.inputs[i] = c.received.at(n).inputs[i].lasting()
			}
		}
		p.step.inputs[c.who] = p.own
		p.step.shots[c.who] = p.shown
	}
	start := time.Now()
	c.game.step(&p.step)
	stepped := time.Now()
	c.game.save(&p.saved)
	c.tick.add(stepped.Sub(start))
	c.save.add(time.Since(stepped))
	p.hash = c.game.hash()
}

// act returns what the player does in a tick. It shoots at what its screen shows: others as they
// were between two ticks that the server has confirmed.
func (c *client) act(tick int64) input {
	in := c.player.think(tick)
	g := c.game
	in.seen = view{c.confirmed - 2, float32(c.player.chance.IntN(10)) / 10}
	in.muzzle = g.places.Get(g.walkers[c.who]).Position.Add(geom.V(0, 0.6, 0))
	target := g.things[c.player.chance.IntN(len(g.things))]
	if c.player.chance.IntN(2) == 0 {
		target = g.walkers[1-c.who]
	}
	past, err := g.history.Between(in.seen.tick, in.seen.tick+1, in.seen.share)
	if in.fire = in.fire && err == nil; err == nil {
		box, _ := past.Bounds(target)
		in.aim = box.Center().Add(c.player.miss()).Sub(in.muzzle)
		past.Release()
	}
	if !in.fire {
		in.muzzle, in.aim, in.seen = geom.Vec3{}, geom.Vec3{}, view{}
	}
	return in
}

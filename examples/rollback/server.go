package main

import (
	"slices"
	"time"
)

// server decides what happens.
type server struct {
	network *network
	game    *game
	inputs  [players]map[int64]input // that have arrived for ticks to come
	newest  [players]int64           // tick of the newest input
	last    [players]input
	acked   [players]int64 // tick that the peer has
	log     log
	late    [players]int  // ticks whose input was not there in time
	joined  [players]bool // a peer has asked for the world, or has sent inputs
	refused int           // shots at a moment that the history does not hold
	times   times
}

// inputs is a packet of a peer: the inputs of all ticks from one on that the server may lack, and
// the last tick that the peer has from the server.
type inputs struct {
	who   int
	from  int64
	list  []input
	acked int64
}

// confirmations is a packet of the server: all ticks from one on that the peer may lack, and by how
// many ticks its newest input was early.
type confirmations struct {
	from   int64
	list   []confirmation
	margin int64
}

// hello is a packet of a peer that joins late: it asks for the world.
type hello struct{ who int }

const serverAddress = players

func newServer(o options, n *network) *server {
	s := &server{network: n, game: newGame(o)}
	for i := range s.inputs {
		s.inputs[i] = map[int64]input{}
	}
	return s
}

// update is a frame of the server: a tick, until the last, and a packet to each peer.
func (s *server) update(last int64) {
	for _, p := range s.network.receive(serverAddress) {
		if in, ok := p.any.(hello); ok {
			if !s.joined[in.who] {
				s.joined[in.who], s.acked[in.who] = true, s.game.tick
			}
			s.network.send(in.who, s.game.bytes())
			continue
		}
		in := p.any.(inputs)
		s.joined[in.who] = true
		s.acked[in.who] = max(s.acked[in.who], in.acked)
		for i, x := range in.list {
			tick := in.from + int64(i)
			if tick > s.game.tick {
				s.inputs[in.who][tick] = x
			}
			s.newest[in.who] = max(s.newest[in.who], tick)
		}
	}
	if s.game.tick < last {
		s.tick()
	}
	for i := range players {
		if !s.joined[i] {
			continue
		}
		const most = 40 // that fit into a packet
		s.network.send(i, confirmations{s.acked[i] + 1, s.log.from(s.acked[i]+1, most), s.newest[i] - s.game.tick})
	}
	if s.joined == [players]bool{true, true} {
		s.log.drop(slices.Min(s.acked[:]))
	}
}

// tick simulates a tick, with the inputs that are there. A peer whose input is late goes on doing
// what it did.
func (s *server) tick() {
	tick := s.game.tick + 1
	var now step
	for i := range players {
		in, ok := s.inputs[i][tick]
		if !ok {
			in = s.last[i].lasting()
			s.late[i]++
		}
		delete(s.inputs[i], tick)
		var err error
		if now.shots[i], err = s.game.decide(i, &in); err != nil {
			s.refused++
		}
		s.last[i], now.inputs[i] = in, in
	}
	start := time.Now()
	s.game.step(&now)
	s.times.add(time.Since(start))
	s.log.list = append(s.log.list, confirmation{now, s.game.hash()})
}

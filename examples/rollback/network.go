package main

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

// network carries packets. A frame is a sixtieth of a second, in which everybody looks once for
// packets that have arrived.
type network struct {
	chance                *rand.Rand
	latency, jitter, loss float64 // the first two in frames
	frame                 int64
	queue                 []packet
	sent, lost            int
}

// packet is on its way. A packet holds no memory that its sender changes later.
type packet struct {
	to  int
	due float64 // the frame
	any
}

func newNetwork(o options) network {
	const perMillisecond = rate / 1000.0
	return network{
		chance: rand.New(rand.NewPCG(o.seed, 1)), latency: o.latency * perMillisecond, jitter: o.jitter * perMillisecond, loss: o.loss,
	}
}

func (n *network) send(to int, body any) {
	due, lost := float64(n.frame)+n.latency+float64(n.jitter*n.chance.Float64()), n.chance.Float64() < n.loss
	if n.sent++; lost {
		n.lost++
		return
	}
	n.queue = append(n.queue, packet{to, due, body})
}

// receive returns what has arrived, in the order of arrival.
func (n *network) receive(to int) (arrived []packet) {
	n.queue = slices.DeleteFunc(n.queue, func(p packet) bool {
		here := p.to == to && p.due <= float64(n.frame)
		if here {
			arrived = append(arrived, p)
		}
		return here
	})
	slices.SortStableFunc(arrived, func(a, b packet) int { return cmp.Compare(a.due, b.due) })
	return arrived
}

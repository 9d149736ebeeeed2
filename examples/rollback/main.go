// Rollback is a game of two peers and a server without a window, over a network that is slow and
// loses packets, all in one process. It is an example to copy from.
//
//	go run -C examples/rollback .                         20 seconds of the game, at 60 ticks a
//	                                                      second, as fast as they go
//	go run -C examples/rollback . -latency 80 -loss 0.2   a worse network
//
// Each peer drives a car, walks, throws balls and shoots, among bodies, ragdolls and other
// characters. A peer does not wait for the server: it simulates each tick at once, with its own
// input and a guess of the other's. The server's inputs of a tick arrive later. If they differ from
// the guess, the peer restores the last tick that was right, and simulates up to 12 ticks again. A
// shot is decided by the server on the space as the shooter saw it.
//
// It ends with an error unless each tick that the server has confirmed has the same hash on both
// peers, and each shot hits the same entity as on the shooter's screen. All but the times is the
// same on every machine, for the same flags.
//
// The flags:
//
//	-ticks N       ticks of the game
//	-seed N        seed of the network and of what the peers do
//	-join N        tick at which the second peer joins: the server sends it the whole world
//	-latency MS    time of a packet from a peer to the server, or back, in milliseconds
//	-jitter MS     up to so much more
//	-loss P        share of the packets that are lost, from 0 to 1
//	-bodies N      boxes and balls in the world
//	-ragdolls N    ragdolls in the world
//	-round N       ticks of a round, after which everything is as at first; 0: one without end
//	-every N       print the hash and the memory in use every N ticks
//
// # Where to look
//
//	network.go   packets that come late, in another order, or never
//	input.go     what a peer does in a tick, and what the server makes of it
//	world.go     the entities, a tick of the game, its hash, and how it is saved and restored
//	figure.go    cars and ragdolls
//	log.go       the ticks that were confirmed
//	client.go    a peer: predict, compare, restore, simulate again
//	server.go    the server: collect inputs, decide shots, confirm
//	report.go    what is printed
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "rollback:", err)
		os.Exit(1)
	}
}

type options struct {
	ticks, join, bodies, ragdolls int
	round, every                  int
	seed                          uint64
	latency, jitter, loss         float64
}

func parse(args []string, stderr io.Writer) (o options, err error) {
	f := flag.NewFlagSet("rollback", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.IntVar(&o.ticks, "ticks", 1200, "how `many` ticks")
	f.IntVar(&o.join, "join", 120, "`tick` at which the second peer joins")
	f.IntVar(&o.bodies, "bodies", 200, "how `many` boxes and balls")
	f.IntVar(&o.ragdolls, "ragdolls", 4, "how `many` ragdolls")
	f.IntVar(&o.round, "round", 0, "`ticks` of a round, after which everything is as at first; 0: one without end")
	f.IntVar(&o.every, "every", 0, "print hash and memory every so `many` ticks")
	f.Uint64Var(&o.seed, "seed", 1, "the `number` that all chance comes from")
	f.Float64Var(&o.latency, "latency", 40, "`milliseconds` from a peer to the server")
	f.Float64Var(&o.jitter, "jitter", 15, "up to so many `milliseconds` more")
	f.Float64Var(&o.loss, "loss", 0.05, "`share` of packets that are lost")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	switch {
	case f.NArg() > 0:
		return o, fmt.Errorf("what is %q? All arguments are flags; -help lists them", f.Arg(0))
	case o.ticks < 1 || o.join < 0 || o.bodies < 0 || o.ragdolls < 0 || o.round < 0 || o.every < 0:
		return o, errors.New("want at least 1 for -ticks, and 0 for -join, -bodies, -ragdolls, -round and -every")
	case !(o.latency >= 0 && o.latency <= 1000 && o.jitter >= 0 && o.jitter <= 1000):
		return o, errors.New("want -latency and -jitter from 0 to 1000 ms")
	case !(o.loss >= 0 && o.loss <= 0.9):
		return o, errors.New("want -loss from 0 to 0.9")
	}
	return o, nil
}

func run(args []string, stdout, stderr io.Writer) error {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	m := newMatch(o)
	if err := m.play(stdout); err != nil {
		return err
	}
	return m.report(stdout)
}

// match is a server and its peers.
type match struct {
	options
	network network
	server  *server
	clients [players]*client
}

func newMatch(o options) *match {
	m := &match{options: o, network: newNetwork(o)}
	m.server = newServer(o, &m.network)
	for i := range m.clients {
		m.clients[i] = newClient(o, &m.network, i)
	}
	m.clients[players-1].joins = int64(o.join)
	return m
}

// play plays until both peers have the last tick from the server, and prints the checks.
func (m *match) play(stdout io.Writer) error {
	last := int64(m.ticks)
	for done := false; !done; m.network.frame++ {
		if m.network.frame > 100*last+10_000 {
			return errors.New("the network is too bad to finish")
		}
		before := m.server.game.tick
		m.server.update(last)
		done = true
		for _, c := range m.clients {
			if err := c.update(last); err != nil {
				return err
			}
			done = done && c.confirmed == last
		}
		if now := m.server.game.tick; m.every > 0 && now > before && now%int64(m.every) == 0 {
			if err := m.check(stdout); err != nil {
				return err
			}
		}
	}
	return nil
}

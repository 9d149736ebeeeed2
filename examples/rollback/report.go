package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
)

// report prints what has happened, and returns an error if the peers and the server disagree.
func (m *match) report(w io.Writer) error {
	g := m.server.game
	fmt.Fprintf(w, "a server and %d peers: %d bodies, of them %d in %d ragdolls, %d cars, %d movers; GOMAXPROCS %d\n",
		players, g.bodies.Stats().Bodies, m.ragdolls*len(bones), m.ragdolls, players, len(g.walkers), runtime.GOMAXPROCS(0))
	n := &m.network
	fmt.Fprintf(w, "%g to %g ms to the server, as much back; %d of %d packets lost\n", m.latency, m.latency+m.jitter, n.lost, n.sent)
	fmt.Fprintf(w, "server: %d ticks, %v; %d shots refused\n", m.ticks, milliseconds(m.server.times), m.server.refused)
	var wrong error
	want := g.bodies.Rigid().AppendState(nil)
	for i, c := range m.clients {
		fmt.Fprintf(w, "peer %d: %d of %d confirmed ticks have the server's hash; %d inputs late\n", i+1, c.equal, c.equal+c.unequal, m.server.late[i])
		if c.joined > 0 {
			fmt.Fprintf(w, "  joined with the world as of tick %d\n", c.joined)
		}
		fmt.Fprintf(w, "  %d mispredictions, %d ticks simulated again, at most %d at once; %d frames without a tick\n",
			c.mispredicted, c.again, c.most, c.stalled)
		fmt.Fprintf(w, "  tick %v; save %v\n", milliseconds(c.tick), milliseconds(c.save))
		fmt.Fprintf(w, "  restore %v; with all ticks again %v\n", milliseconds(c.restore), milliseconds(c.rollback))
		fmt.Fprintf(w, "  %d shots, %d hits on the screen, %d decided differently by the server\n", c.shots, c.hits, c.misjudged)
		switch {
		case c.unequal > 0:
			wrong = errDisagree
		case c.misjudged > 0:
			wrong = errors.New("a shot was decided differently from what the shooter saw")
		case c.equal+int(c.joined) != m.ticks:
			wrong = errors.New("a peer has not had all ticks")
		case !bytes.Equal(want, c.game.bodies.Rigid().AppendState(nil)):
			wrong = errors.New("the states after the last tick differ")
		}
	}
	fmt.Fprintf(w, "after tick %d the hash is %016x, and the state of the bodies %d bytes\n", g.tick, g.hash(), len(want))
	return wrong
}

// check prints the hash of the last tick and the memory in use. It returns an error if a peer and
// the server disagree.
func (m *match) check(w io.Writer) error {
	for _, c := range m.clients {
		if c.unequal > 0 {
			return errDisagree
		}
	}
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	g := m.server.game
	_, err := fmt.Fprintf(w, "tick %d hash %016x live %d\n", g.tick, g.hash(), memory.HeapAlloc)
	return err
}

var errDisagree = errors.New("a peer and the server disagree about a confirmed tick")

// milliseconds returns the median and the greatest of durations.
func milliseconds(list times) string {
	if len(list) == 0 {
		return "none"
	}
	slices.Sort(list)
	return fmt.Sprintf("%.2f ms (most %.2f)", list[len(list)/2].Seconds()*1e3, list[len(list)-1].Seconds()*1e3)
}

package main

import (
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/hitscan-go/hitscan/inspect"
)

// What the inspector shows of the game: see package inspect. A request gets a snapshot, so that the
// game pays for one copy in a tick in which somebody looks, and for nothing else.

// newInspector returns an inspector that looks back for ten seconds. With control a page pauses the
// game, steps it, and takes it back by as much: while a page is open, the game is saved ten times a
// second, which takes about as long as a tick, and has a hundred states of half a kilobyte a bot.
func newInspector(g *game, control bool) *inspect.Inspector {
	i := &inspect.Inspector{Past: 100, Every: g.ticks(100)}
	if control {
		states := make([]state, inspect.Slots)
		i.Control = &inspect.Control{
			Save:    func(slot int) { g.save(&states[slot]) },
			Restore: func(slot int) { g.restore(&states[slot]) },
		}
	}
	i.More = func(l *inspect.Look) {
		for k := range g.contacts.All {
			l.Contact(g.contacts.All[k].Manifolds)
		}
		for e, ray := range g.seen.WorldRays() {
			hit, ok := g.seen.Ray(e)
			l.Ray(ray, hit.T, ok)
		}
		l.Times(g.sim.Times())
	}
	return i
}

// serve answers the requests of browsers on an address until stop is called.
func serve(address string, i *inspect.Inspector) (at string, stop func(), err error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return "", nil, fmt.Errorf("-inspect: %w", err)
	}
	mux := http.NewServeMux()
	mux.Handle("/debug/hitscan/", http.StripPrefix("/debug/hitscan", i))
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go server.Serve(listener) // until it is closed
	return fmt.Sprintf("http://%s/debug/hitscan/", listener.Addr()), func() { server.Close() }, nil
}

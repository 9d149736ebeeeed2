package main

import (
	"fmt"
	"io"
	"runtime"
	"time"

	physecs "github.com/hitscan-go/hitscan/ecs"
)

// kind is the kind of a contact: what touches what.
type kind int

const (
	bodies kind = iota // two bots
	walls              // a bot and the level
	points             // a bot and a capture point
	kinds
)

func kindOf(c *physecs.Contact) kind {
	switch {
	case c.Sensor:
		return points
	case c.UserA == userLevel || c.UserB == userLevel:
		return walls
	}
	return bodies
}

// counts counts events since the start of the game.
type counts struct {
	began, ended                            [kinds]int
	shots, hits, deaths, respawns, captures int
}

// report prints the counts, costs and allocations once every second of the game.
type report struct {
	game   *game
	out    io.Writer
	before counts
	ticks  int
	memory runtime.MemStats
	allocs uint64
}

func newReport(g *game, out io.Writer) *report {
	s := g.space.Stats()
	fmt.Fprintf(out, "%d colliders in a hall of %.0f m by %.0f m with %d capture points, %d ticks a second, GOMAXPROCS %d\n",
		s.Colliders, 2*g.hall.reach, 2*g.hall.reach, len(g.hall.zones), g.rate, runtime.GOMAXPROCS(0))
	r := &report{game: g, out: out}
	r.start()
	return r
}

// start begins a new second.
func (r *report) start() {
	r.before, r.ticks = r.game.count, 0
	for i := range r.game.costs {
		c := &r.game.costs[i]
		c.sum, c.worst = 0, 0
	}
	r.game.whole.sum, r.game.whole.worst = 0, 0
	runtime.ReadMemStats(&r.memory)
	r.allocs = r.memory.Mallocs
}

// tick must be called after each tick.
func (r *report) tick() {
	if r.ticks++; r.ticks == r.game.rate {
		r.print()
		r.start()
	}
}

// print prints what has happened since start.
func (r *report) print() {
	runtime.ReadMemStats(&r.memory)
	g, b := r.game, &r.before
	c := &g.count
	fmt.Fprintf(r.out, "tick %d: %d shots, %d hits, %d deaths, %d respawns, %d captures; %.1f allocations a tick\n",
		g.now, c.shots-b.shots, c.hits-b.hits, c.deaths-b.deaths, c.respawns-b.respawns, c.captures-b.captures,
		float64(r.memory.Mallocs-r.allocs)/float64(r.ticks))
	fmt.Fprint(r.out, "  began/ended")
	for k, name := range [kinds]string{"bot with bot", "bot with level", "bot in capture point"} {
		fmt.Fprintf(r.out, "  %s +%d -%d", name, c.began[k]-b.began[k], c.ended[k]-b.ended[k])
	}
	fmt.Fprintln(r.out)
	r.row("  ms a tick", func(c *cost) string { return c.name })
	r.row("  mean", func(c *cost) string { return milliseconds(c.sum / time.Duration(r.ticks)) })
	r.row("  worst", func(c *cost) string { return milliseconds(c.worst) })
}

// row prints a value of each part of the ticks.
func (r *report) row(title string, cell func(*cost) string) {
	fmt.Fprintf(r.out, "%-11s", title)
	for i := range r.game.costs {
		fmt.Fprintf(r.out, " %10s", cell(&r.game.costs[i]))
	}
	fmt.Fprintf(r.out, " %10s\n", cell(&r.game.whole))
}

func milliseconds(d time.Duration) string { return fmt.Sprintf("%.2f", d.Seconds()*1e3) }

// check prints the hash and the memory in use, which a game that runs for hours must not lose.
func (r *report) check() {
	runtime.GC()
	runtime.ReadMemStats(&r.memory)
	fmt.Fprintf(r.out, "tick %d hash %016x live %d\n", r.game.now, r.game.hash(), r.memory.HeapAlloc)
}

// end prints the unfinished second, and the hash.
func (r *report) end() {
	if r.ticks > 0 {
		r.print()
	}
	fmt.Fprintf(r.out, "after %d ticks the hash is %016x\n", r.game.now, r.game.hash())
}

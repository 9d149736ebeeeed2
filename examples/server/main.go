// Server is a game server without a window: thousands of bots walk through a hall, fight and
// capture points, at a fixed tick. It is an example to copy from.
//
//	CGO_ENABLED=0 go run -C examples/server .                    5,000 bots, 30 ticks a second, for
//	                                                             10 seconds
//	go run -C examples/server . -time 0                          until it is interrupted
//	go run -C examples/server . -ticks 600 -movers 500 -seed 7   600 ticks as fast as possible
//	go run -C examples/server . -time 0 -inspect localhost:6060  until it is interrupted, while
//	                                                             browsers look at it
//
// Once every second of the game it prints what has happened since, the cost of each part of a tick
// in milliseconds (mean and maximum), and the allocations of a tick. At the end it prints a hash of
// the whole state: with the same -seed, -movers, -rate and number of ticks it is the same on every
// machine and with any GOMAXPROCS, as lockstep networking and replays need.
//
// The flags:
//
//	-movers N    number of bots; the hall grows with them
//	-ticks N     run N ticks as fast as possible, and end; 0 runs in real time
//	-time D      how long to run in real time, such as 90s; 0 until interrupted
//	-rate N      ticks a second
//	-seed N      seed of the random numbers
//	-every N     print the hash and the memory in use every N ticks
//	-inspect A   show the game to browsers on this machine, at an address such as localhost:6060
//	-control     let them pause it, step it and take it back, too
//
// # Where to look
//
// The order of a tick is in game.go: start there.
//
//	game.go      the world, its systems, and the order in which they run
//	hall.go      the level: a mesh made by code, crates, boulders, capture points
//	shape.go     how the mesh is built
//	bot.go       the bot: its component, how it spawns and dies
//	chance.go    numbers that are the same on every machine
//	think.go     where bots go, what they look at and when they fire
//	combat.go    bullets, hits and deaths
//	zone.go      capture points, which count the bots that enter and leave
//	clock.go     ticks of a fixed length on any machine
//	report.go    what is printed
//	hash.go      the hash
//	state.go     copies of the game, to go back to
//	inspect.go   what a browser sees of the game
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "server:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	g, err := newGame(o)
	if err != nil {
		return err
	}
	r := newReport(g, stdout)
	tick := func() {
		g.tick()
		r.tick()
		if o.every > 0 && g.now%o.every == 0 {
			r.check()
		}
	}
	if o.ticks > 0 {
		for g.now < o.ticks && ctx.Err() == nil {
			tick()
		}
	} else if lost, err := inRealTime(ctx, o, g, tick, stdout); err != nil {
		return err
	} else if lost > 0 {
		fmt.Fprintf(stdout, "%d ticks were left out, since the machine was late\n", lost)
	}
	r.end()
	return nil
}

// inRealTime makes ticks in real time, and shows them to browsers if the options ask for it. It
// returns the number of ticks dropped.
func inRealTime(ctx context.Context, o options, g *game, tick func(), stdout io.Writer) (lost int, err error) {
	if o.inspect != "" {
		i, whole := newInspector(g, o.control), tick
		at, stop, err := serve(o.inspect, i)
		if err != nil {
			return 0, err
		}
		defer stop()
		fmt.Fprintln(stdout, "the inspector is at", at)
		tick = func() {
			if i.Runs() {
				whole()
			}
			i.Frame(g.space.Physics())
		}
	}
	return realTime(ctx, o.rate, o.time, tick), nil
}

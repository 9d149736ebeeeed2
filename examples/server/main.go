// Server is a game server without a window: thousands of bots walk through a hall, fight and
// capture points, at a fixed tick. It is meant to be copied from.
//
//	CGO_ENABLED=0 go run ./examples/server                    5,000 bots, 30 ticks a second, for 10 seconds
//	go run ./examples/server -time 0                          until it is interrupted
//	go run ./examples/server -ticks 600 -movers 500 -seed 7   600 ticks as fast as it can
//
// Once every second of the game it prints what has happened since the last time, what each part of
// a tick costs, in milliseconds, on average and at most, and how many allocations a tick makes. At
// the end it prints a hash of all that there is: from the same -seed, -movers, -rate and number of
// ticks it is the same on every machine and with any GOMAXPROCS. That is what lockstep and replays
// are made of.
//
// The flags:
//
//	-movers N    so many bots; the hall grows with them
//	-ticks N     run N ticks as fast as they go, and end; 0 runs in real time
//	-time D      how long to run in real time, such as 90s; 0 until interrupted
//	-rate N      ticks a second
//	-seed N      another number is another game
//
// # Where to look
//
// The order of a tick is in game.go: start there.
//
//	game.go      the world, its systems, and the order in which they run
//	hall.go      the level: a mesh made by code, crates, boulders, capture points
//	shape.go     how the mesh is made
//	bot.go       what a bot is, and how it comes into the world and leaves it
//	chance.go    numbers that are the same on every machine
//	think.go     where bots go, whom they look at and when they fire
//	combat.go    bullets, hits and deaths
//	zone.go      capture points, which count who enters and leaves
//	clock.go     ticks of a fixed length, whatever the machine does
//	report.go    what is printed
//	hash.go      the hash
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
	}
	if o.ticks > 0 {
		for g.now < o.ticks && ctx.Err() == nil {
			tick()
		}
	} else if lost := realTime(ctx, o.rate, o.time, tick); lost > 0 {
		fmt.Fprintf(stdout, "%d ticks were left out, since the machine was late\n", lost)
	}
	r.end()
	return nil
}

package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"time"
)

type options struct {
	movers, ticks, rate, every int
	seed                       uint64
	time                       time.Duration
	inspect                    string
	control                    bool
}

func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	f := flag.NewFlagSet("server", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.IntVar(&o.movers, "movers", 5000, "how `many` bots")
	f.IntVar(&o.ticks, "ticks", 0, "run so `many` ticks as fast as they go; 0 runs in real time")
	f.DurationVar(&o.time, "time", 10*time.Second, "how `long` to run in real time; 0 until interrupted")
	f.IntVar(&o.rate, "rate", 30, "`ticks` a second")
	f.Uint64Var(&o.seed, "seed", 1, "the `number` that all chance comes from")
	f.IntVar(&o.every, "every", 0, "print hash and memory every so `many` ticks")
	f.StringVar(&o.inspect, "inspect", "", "show the game to browsers on this machine, at this `address`")
	f.BoolVar(&o.control, "control", false, "let browsers pause the game, step it and take it back")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	switch {
	case f.NArg() > 0:
		return o, fmt.Errorf("what is %q? All arguments are flags; -help lists them", f.Arg(0))
	case o.movers < 1 || o.movers > maxMovers:
		return o, fmt.Errorf("-movers %d: want from 1 to %d", o.movers, maxMovers)
	case o.ticks < 0:
		return o, fmt.Errorf("-ticks %d: want at least 1, or 0 for real time", o.ticks)
	case o.every < 0:
		return o, fmt.Errorf("-every %d: want at least 1, or 0 for never", o.every)
	case o.time < 0:
		return o, fmt.Errorf("-time %v: want more than 0, or 0 for no end", o.time)
	case o.inspect != "" && o.ticks > 0:
		return o, fmt.Errorf("-inspect %s: only in real time, without -ticks", o.inspect)
	case o.control && o.inspect == "":
		return o, errors.New("-control: nothing is inspected; want -inspect")
	case o.rate < 10 || o.rate > 1000:
		return o, fmt.Errorf("-rate %d: want from 10 to 1000 ticks a second", o.rate)
	}
	return o, nil
}

// maxMovers limits the hall to some 2 km from wall to wall, since single precision is coarse far
// from the origin.
const maxMovers = 1_000_000

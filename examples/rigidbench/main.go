// Rigidbench measures the time of a step of rigid bodies.
//
//	go run -C examples/rigidbench . -scene pyramid       5,050 boxes, a wall 100 wide at its foot
//	go run -C examples/rigidbench . -scene crates        10,000 boxes that fall onto a terrain
//	go run -C examples/rigidbench . -scene tumbler       1,000 mixed shapes in a box that turns
//	go run -C examples/rigidbench . -scene joint_grid    10,000 balls in a net hung from its edge
//	go run -C examples/rigidbench . -scene FILE.json.gz  the scene of a file
//
// Scenes convex_pile, junkyard, large_world, rain, trees25, trees50, trees100 and washer are those
// of Box3D's benchmark program: see box3d.go.
//
// It prints lines of a name, a value and its unit. Times are CPU times of one thread, or wall-clock
// times of several. The hash is that of the poses (FNV-1a), which -poses FILE writes as x y z qx qy
// qz qw of each body in float32, and -times FILE the milliseconds of each step in float64: then
// another program can judge how the bodies lie. Scripts rigid_peers.sh and
// box3d_scenes.sh run other engines beside it.
package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

	"github.com/hitscan-go/hitscan/internal/cputime"
)

type options struct {
	scene, poses, times, profile string
	steps, threads, count, every int
	sleep                        bool
	unpacked                     int64
}

func main() {
	err := run(os.Args[1:], os.Stdout, os.Stderr)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "rigidbench:", err)
		os.Exit(1)
	}
}

func run(args []string, stdout, stderr io.Writer) (err error) {
	var o options
	f := flag.NewFlagSet("rigidbench", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&o.scene, "scene", "pyramid", "`scene`: "+strings.Join(names(), ", ")+", or a .json or .json.gz file")
	f.IntVar(&o.count, "count", 0, "how `many` bodies, of a pyramid at its foot, and of Box3D's scenes along an edge (default as the files have it)")
	f.IntVar(&o.steps, "steps", 0, "how `many` steps (default the scene's)")
	f.IntVar(&o.threads, "threads", 1, "how many `cores` compute")
	f.IntVar(&o.every, "every", 0, "print hash and memory every so `many` steps")
	f.Int64Var(&o.unpacked, "unpacked", 0, "how many `bytes` a compressed scene may have (default four times those of its file and a megabyte)")
	f.BoolVar(&o.sleep, "sleep", false, "let bodies sleep")
	f.StringVar(&o.poses, "poses", "", "`file` to write the last poses to")
	f.StringVar(&o.times, "times", "", "`file` to write the time of each step to")
	f.StringVar(&o.profile, "cpuprofile", "", "`file` to write a CPU profile of the steps to")
	if err := f.Parse(args); err != nil {
		return err
	}
	file := strings.HasSuffix(o.scene, ".json") || strings.HasSuffix(o.scene, ".json.gz")
	switch {
	case f.NArg() > 0:
		return fmt.Errorf("what is %q? All arguments are flags; -help lists them", f.Arg(0))
	case o.steps < 0 || o.count < 0 || o.every < 0:
		return fmt.Errorf("-steps %d -count %d -every %d: want at least 1, or 0 for the scene's", o.steps, o.count, o.every)
	case file && o.count > 0:
		return fmt.Errorf("-count %d: a file has all of its bodies", o.count)
	case o.unpacked < 0:
		return fmt.Errorf("-unpacked %d: want at least 1, or 0 for the default", o.unpacked)
	case o.threads < 1:
		return fmt.Errorf("-threads %d: want at least 1", o.threads)
	}
	var s *scene
	if file {
		s, err = readScene(o.scene, o.unpacked)
	} else {
		s, err = makeScene(o.scene, o.count)
	}
	if err != nil {
		return err
	}
	w, err := s.world(o.sleep)
	if err != nil {
		return err
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(o.threads))
	if o.profile != "" {
		file, err := os.Create(o.profile)
		if err != nil {
			return err
		}
		if err := pprof.StartCPUProfile(file); err != nil {
			return err
		}
		defer func() {
			pprof.StopCPUProfile()
			err = errors.Join(err, file.Close())
		}()
	}
	times := measure(stdout, w, or(o.steps, s.steps), o.threads, o.every)
	poses := w.poses()
	fmt.Fprintf(stdout, "hash %016x of_poses\n", hash(poses))
	if o.poses != "" {
		err = os.WriteFile(o.poses, poses, 0o666)
	}
	if o.times != "" {
		var all bytes.Buffer
		binary.Write(&all, binary.LittleEndian, times)
		err = errors.Join(err, os.WriteFile(o.times, all.Bytes(), 0o666))
	}
	return err
}

func hash(poses []byte) uint64 {
	h := fnv.New64a()
	h.Write(poses)
	return h.Sum64()
}

// measure prints what steps take, and returns the milliseconds of each. Every so many steps it
// prints the hash and the memory in use.
func measure(stdout io.Writer, w *world, steps, threads, every int) []float64 {
	now := cputime.Of(threads)
	took := make([]float64, steps)
	var before, after runtime.MemStats
	for i := range took {
		if i == steps/2 { // memory has grown by then
			runtime.ReadMemStats(&before)
		}
		start := now()
		if w.before != nil {
			w.before(i)
		}
		w.dynamics.Step()
		took[i] = float64(now()-start) / float64(time.Millisecond)
		if every > 0 && (i+1)%every == 0 {
			var memory runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&memory)
			live := memory.HeapAlloc - uint64(8*steps) // without the times
			fmt.Fprintf(stdout, "tick %d hash %016x live %d\n", i+1, hash(w.poses()), live)
		}
	}
	runtime.ReadMemStats(&after)
	line := func(name string, value float64, unit string) { fmt.Fprintf(stdout, "%s %.4g %s\n", name, value, unit) }
	median := func(x []float64) float64 { return slices.Sorted(slices.Values(x))[(len(x)-1)/2] }
	line("step_ms_median", median(took), "ms")
	sum := 0.0
	for _, t := range took[1:] {
		sum += t
	}
	line("step_ms_mean_after_first", sum/float64(max(1, steps-1)), "ms")
	line("step_ms_p99", slices.Sorted(slices.Values(took))[(steps-1)*99/100], "ms")
	line("step_ms_median_of_last_100", median(took[max(0, steps-100):]), "ms")
	count := func(name string, n int, unit string) { fmt.Fprintf(stdout, "%s %d %s\n", name, n, unit) }
	count("steps", steps, "steps")
	count("bodies", len(w.bodies), "dynamic")
	count("awake", w.awake(), "dynamic")
	pairs, points := 0, 0
	for _, c := range w.dynamics.Contacts() {
		pairs++
		for _, m := range c.Manifolds {
			points += int(m.N)
		}
	}
	count("pairs", pairs, "touching")
	count("contacts", points, "points")
	line("allocations", float64(after.Mallocs-before.Mallocs)/float64(steps-steps/2), "per_step")
	return took
}

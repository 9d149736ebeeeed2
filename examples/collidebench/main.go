// Collidebench measures the time to find the contacts of two shapes, to cast shapes at a mesh, and
// to move characters.
//
//	go run .                            in this folder: pairs of shapes
//	go run . -mesh bunny.obj            casts of shapes at a mesh: OBJ, STL, glTF or GLB
//	go run . -mesh level.obj -movers 10000    and characters that walk on it
//	go run . -save out                  writes out/poses.txt, out/ball.obj and out/field.txt
//	go run . -mesh bunny.obj -save out        writes out/casts.txt
//
// It prints lines of a name and values with their units. The saved files hold the inputs, so that
// other programs can measure the same: scripts/peers/bullet.cpp does so with Bullet, and prints the
// same lines. Times are CPU times on one core, the median of -runs N after one run to warm up.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/hitscan-go/hitscan/internal/cputime"
)

type options struct {
	mesh, save   string
	runs, movers int
}

func main() {
	err := run(os.Args[1:], os.Stdout, os.Stderr)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "collidebench:", err)
		os.Exit(1)
	}
}

func run(args []string, stdout, stderr io.Writer) error {
	var o options
	f := flag.NewFlagSet("collidebench", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&o.mesh, "mesh", "", "`file` of a mesh to cast shapes at (default: pairs of shapes)")
	f.StringVar(&o.save, "save", "", "`folder` to write what would be measured to; measures nothing")
	f.IntVar(&o.movers, "movers", 0, "how `many` characters walk about on the mesh, of which 32 units are a metre (default none)")
	f.IntVar(&o.runs, "runs", 7, "how `often` everything is measured, after once to warm up")
	if err := f.Parse(args); err != nil {
		return err
	}
	switch {
	case f.NArg() > 0:
		return fmt.Errorf("what is %q? All arguments are flags; -help lists them", f.Arg(0))
	case o.movers < 0 || o.movers > 0 && o.mesh == "":
		return fmt.Errorf("-movers %d: want at least 1, and -mesh with what they walk on", o.movers)
	case o.runs < 1:
		return fmt.Errorf("-runs %d: want at least 1", o.runs)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if o.mesh == "" {
		all := makePoses()
		if o.save != "" {
			return errors.Join(save(o.save, "poses.txt", func(w io.Writer) error { return savePoses(w, all) }), save(o.save, "ball.obj", saveBall), save(o.save, "field.txt", saveField))
		}
		measurePairs(stdout, all, o)
		return nil
	}
	m, err := readMesh(o.mesh)
	if err != nil {
		return err
	}
	if wide := m.Bounds().Max.Sub(m.Bounds().Min).Len(); !(wide > 0 && wide < math.MaxFloat32) {
		return fmt.Errorf("%s: no casts can be made for a mesh with an extent of zero or beyond single precision", o.mesh)
	}
	ways := makeCasts(m.Bounds())
	if o.save != "" {
		return save(o.save, "casts.txt", func(w io.Writer) error { return saveCasts(w, ways) })
	}
	measureCasts(stdout, m, ways, o)
	if o.movers > 0 {
		return measureMovers(stdout, m, o.movers)
	}
	return nil
}

// save writes a file into a folder, which it creates if it is missing.
func save(dir, name string, write func(io.Writer) error) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	file, err := os.Create(filepath.Join(dir, name))
	if err != nil {
		return err
	}
	return errors.Join(write(file), file.Close())
}

// shortest is the least time that is measured: the clock counts whole microseconds, and reading it
// takes one.
const shortest = time.Millisecond

// measure runs the work once to warm up, measures it runs times, and returns the median time in
// nanoseconds. Short work is repeated within a measurement.
func measure(runs int, work func()) float64 {
	times := 1
	for start := cputime.Now(); ; times++ {
		if work(); cputime.Now()-start >= shortest {
			break
		}
	}
	took := make([]float64, runs)
	for i := range took {
		start := cputime.Now()
		for range times {
			work()
		}
		took[i] = float64(cputime.Now()-start) / float64(times)
	}
	slices.Sort(took)
	return took[runs/2]
}

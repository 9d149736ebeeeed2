package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

type options struct {
	mesh, rays, mode, quality, check, out, save string
	world, instances                            string
	batch, threads, runs, builds, ticks         int
	portable                                    bool
}

func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	f := flag.NewFlagSet("raybench", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&o.mesh, "mesh", "", "`file` of the mesh: .obj, .stl, .gltf, .glb or, in ASCII, .ply (default a torus of 65,536 triangles)")
	f.StringVar(&o.rays, "rays", "", "`file` of rays (default primary, random and ao rays made for the mesh)")
	f.StringVar(&o.mode, "mode", "closest", "`closest` hit, or any")
	f.IntVar(&o.batch, "batch", 0, "how `many` rays are given to the mesh at a time (default one a call)")
	f.IntVar(&o.threads, "threads", 1, "how many `cores` cast and build")
	f.StringVar(&o.quality, "quality", "medium", "the tree's: `fast`, medium or high")
	f.BoolVar(&o.portable, "portable", false, "use no instructions for vectors: starts itself again with "+portableVariable+"=1")
	f.IntVar(&o.runs, "runs", 7, "how `often` all rays are cast, after once to warm up")
	f.IntVar(&o.builds, "builds", 5, "how `often` the mesh is built, after once to warm up")
	f.StringVar(&o.save, "save", "", "`folder` to write the made rays to, and the mesh if it is no OBJ; casts none")
	f.StringVar(&o.out, "out", "", "`file` to write the answers to")
	f.StringVar(&o.world, "world", "", "`file` of bodies in a space, or how many to make")
	f.IntVar(&o.ticks, "ticks", 0, "how `many` more ticks a world moves before its tree is compared with a fresh one")
	f.StringVar(&o.instances, "instances", "", "`file` of instances of the mesh in a space")
	f.StringVar(&o.check, "check", "", "`file` of the true answers (default FILE.hits beside FILE.rays, if there is one)")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	_, known := qualities[o.quality]
	switch {
	case f.NArg() > 0:
		return o, fmt.Errorf("what is %q? All arguments are flags; -help lists them", f.Arg(0))
	case modes[o.mode] == nil:
		return o, fmt.Errorf("-mode %s: want closest or any", o.mode)
	case !known:
		return o, fmt.Errorf("-quality %s: want fast, medium or high", o.quality)
	case o.batch < 0:
		return o, fmt.Errorf("-batch %d: want at least 1, or 0 for one ray a call", o.batch)
	case o.threads < 1:
		return o, fmt.Errorf("-threads %d: want at least 1", o.threads)
	case o.runs < 1 || o.builds < 1:
		return o, fmt.Errorf("-runs %d -builds %d: want at least 1 each", o.runs, o.builds)
	case o.rays != "" && o.save != "":
		return o, errors.New("-save is for rays that are made, and -rays names some that are there")
	case o.rays == "" && (o.out != "" || o.check != ""):
		return o, errors.New("-out and -check are for the rays of a file: name it with -rays")
	}
	given := map[string]bool{}
	f.Visit(func(g *flag.Flag) { given[g.Name] = true })
	made := false // by the number of bodies: what lies beside the rays is true of another world
	switch {
	case o.world != "" || o.instances != "":
		if err := checkWorldFlags(&o, given); err != nil {
			return o, err
		}
		_, err := strconv.Atoi(o.world)
		made = err == nil
	case given["world"] || given["instances"]:
		return o, errors.New("-world and -instances want the name of a file")
	case given["ticks"]:
		return o, errors.New("-ticks is for a world: name it with -world")
	}
	if o.check == "" && o.rays != "" && !made {
		beside := strings.TrimSuffix(o.rays, filepath.Ext(o.rays)) + ".hits"
		if _, err := os.Stat(beside); err == nil {
			o.check = beside
		}
	}
	for _, in := range []string{o.mesh, o.rays, o.check} {
		if o.out != "" && sameFile(o.out, in) {
			return o, fmt.Errorf("-out %s: is read too, and would be lost", o.out)
		}
	}
	return o, nil
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// maxWorld limits the number of bodies to the memory of a large machine.
const maxWorld = 10_000_000

// checkWorldFlags returns an error for flags that do not go with a world.
func checkWorldFlags(o *options, given map[string]bool) error {
	if o.world != "" && o.instances != "" {
		return errors.New("-world and -instances are two worlds: name one")
	}
	name, allowed := "-world", []string{"world", "rays", "check", "runs", "threads", "portable", "ticks"}
	if o.instances != "" {
		name, allowed = "-instances", []string{"instances", "mesh", "rays", "check", "runs", "threads", "portable"}
	}
	for _, flag := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains(allowed, flag) {
			return fmt.Errorf("-%s has no meaning with %s", flag, name)
		}
	}
	n, noNumber := strconv.Atoi(o.world)
	made := o.world != "" && noNumber == nil
	switch {
	case made && (n < 1 || n > maxWorld):
		return fmt.Errorf("-world %s: want a file, or from 1 to %d bodies", o.world, maxWorld)
	case !made && o.rays == "":
		return fmt.Errorf("%s: name the rays with -rays", name)
	case given["ticks"] && o.ticks < 1:
		return fmt.Errorf("-ticks %d: want at least 1", o.ticks)
	}
	if !given["runs"] {
		o.runs = worldRuns
	}
	return nil
}

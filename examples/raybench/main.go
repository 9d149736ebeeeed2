// Raybench measures the rays a second at a mesh or a world, and checks the answers.
//
//	go run -C examples/raybench .
//	        a torus, with rays made for it
//	go run -C examples/raybench . -mesh statue.glb
//	        an OBJ, STL, glTF or GLB file, or a PLY in ASCII
//	go run -C examples/raybench . -mesh bunny.obj -rays ao.rays -mode any -threads 2 -out my.hits
//	go run -C examples/raybench . -mesh statue.glb -save out
//	        only makes the rays, and saves them
//	go run -C examples/raybench . -world 100000 -threads 2
//	        a physics.Space of 100,000 boxes and spheres
//
// It prints lines of a name, a value and, where there is one, a unit: those of embree_bench, with
// which scripts/bench.sh compares them, and load_ms, the time to read the built mesh back from
// memory. Without -rays it makes three sets: primary (a pinhole camera's, row by row), random (from
// all around into the bounds) and ao (short, from the surface); before each it prints a line "set"
// with the name.
//
// The flags:
//
//	-mesh FILE      the mesh; without it, a torus of 65,536 triangles
//	-rays FILE      the rays; without it, three sets made for the mesh
//	-mode MODE      closest, by mesh.CastRay, or any, by mesh.CastRayAny
//	-batch N        N rays a call, by mesh.CastRays or mesh.CastRaysAny, instead of one; the last
//	                call has what is left
//	-threads N      number of cores; the mesh distributes a batch over them
//	-quality WORD   fast, medium or high, as in mesh.Build
//	-portable       the traversal in Go alone, without vector instructions, as on processors that
//	                lack them
//	-runs N         casts all rays N times, after once to warm up, and prints the median
//	-builds N       builds the mesh N times, after once to warm up, and prints the median
//	-out FILE       writes the answers
//	-check FILE     compares the answers with the true ones
//	-save DIR       writes the rays that it makes to NAME_primary.rays and so on, and the mesh,
//	                unless it is an OBJ, to NAME.obj, for other programs; and ends
//
// A batch is timed until the answers are in the same records as those of single rays. The time is
// that of the CPU for one thread, and that of the clock for more. A .rays file has eight
// little-endian float32 a ray, origin, direction, MinT and MaxT; a .hits file, which -out writes, a
// float32 T and a uint32 triangle, 0xffffffff for a miss. If the true answers lie beside the rays,
// in a file of the same name that ends in .hits, or if -check names them, the lines lost, invented
// and, in mode closest, other_triangle and worst_t_relative say how the answers compare, and the
// program fails if a hit is lost, invented or off by more than 3e-5 of T.
//
// With -world or -instances it measures a physics.Space instead of a mesh:
//
//	-world FILE     boxes and spheres, from a .wld file; they also move for 60 ticks
//	-world N        a world of N boxes and spheres, and without -rays also rays
//	-instances FILE instances of the mesh that -mesh names, from an .ins file; they also
//	                move, a step up and down again
//	-ticks N        moves boxes and spheres for N more ticks, and compares their space with a fresh
//	                one
//
// Of the other flags, these take -rays, -check, -runs (5 unless given), -threads and -portable. The
// lines are those of embree_world and some more:
//
//	closest_mrays_per_s      Space.CastRay, one ray a call; with more threads, from as many
//	                         goroutines
//	any_mrays_per_s          Space.CastRayAny, likewise
//	castrays_mrays_per_s     Space.CastRays with all rays in one call, and castraysany_mrays_per_s,
//	                         Space.CastRaysAny
//	update_ms                the time to move all, set their transforms and update the space, so
//	                         that nothing is left
//	                         for the first query; the median of the ticks, and worst_tick_ms, the
//	                         longest
//	pairs_ms                 Space.Pairs after each tick, and pairs_at_tick_60, how many there are
//	                         at the last
//	bytes_per_collider       what the space keeps after those ticks, beside the mesh
//	snapshot_ms              Space.Snapshot and, a tick later, Release; snapshot_update_ms is that
//	                         tick's update
//	sync_idle_ms             physecs.Sync of an Arche world that holds the same as entities, when
//	                         none has moved
//	sync_moved_ms            the same when all have, and sync_update_ms, what Space.Update after it
//	                         takes; sync_ecs_ms is
//	                         the time of both beyond that of Space.SetTransform and Update
//	lived_ticks              the ticks of -ticks, between walls, so that the density stays the same;
//	                         lived_update_ms and lived_worst_tick_ms are as above
//	lived_mrays_per_s        Space.CastRay after those ticks, and fresh_mrays_per_s at a space that
//	                         has just been filled
//	                         with the same; lived_cost is how many times as long a ray takes at the
//	                         former
//
// All ways of casting must give the same answers, and so must a snapshot and the space as it was,
// the synced space and the other, the old space and the fresh one; otherwise the program fails. The
// first answers are compared with the true ones, which may end before the rays do; where several
// are at the same T they may name another, which the line other_collider counts. Of the rays at
// instances one in 10,000 may differ, at a silhouette, since the space keeps a rotation as a
// quaternion and not as the matrix in the file. Package worldfile documents the files.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"

	"github.com/hitscan-go/hitscan/examples/raybench/internal/rayfile"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

func main() {
	err := run(os.Args[1:], os.Stdout, os.Stderr)
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	var again *exec.ExitError
	if errors.As(err, &again) && again.ExitCode() > 0 {
		os.Exit(again.ExitCode()) // it has said why
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "raybench:", err)
		os.Exit(1)
	}
}

func run(args []string, stdout, stderr io.Writer) error {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	if o.portable && !isPortable() {
		return runPortable(args, stdout, stderr)
	}
	// One thread includes the builder and the garbage collector.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(o.threads))
	if o.world != "" || o.instances != "" {
		return runWorld(o, stdout)
	}

	input, err := readMesh(o.mesh)
	if err != nil {
		return err
	}
	var sets []set
	if o.rays == "" {
		sets, err = makeSets(input)
	} else {
		sets = make([]set, 1)
		sets[0].rays, err = rayfile.ReadRays(o.rays)
	}
	if err != nil {
		return err
	}
	if o.save != "" {
		return save(o.save, o.mesh, input, sets)
	}
	var truth []rayfile.Hit
	if o.check != "" {
		if truth, err = rayfile.ReadHits(o.check, len(sets[0].rays), input.NumTriangles()); err != nil {
			return err
		}
	}

	m, took, bytes := measureBuild(input, o)
	triangles := m.NumTriangles()
	fmt.Fprintf(stdout, "triangles %d\nbuild_ms %.3f ms\nbytes_per_triangle %.1f B\nload_ms %.3f ms\n",
		triangles, took.Seconds()*1e3, float64(bytes)/float64(triangles), measureLoad(m, o).Seconds()*1e3)
	for _, s := range sets {
		if s.name != "" {
			fmt.Fprintf(stdout, "set %s\n", s.name)
		}
		hits := measure(stdout, m, s, o)
		if o.out != "" {
			if err := rayfile.WriteHits(o.out, hits); err != nil {
				return err
			}
		}
		if truth != nil {
			if err := check(stdout, hits, truth, o); err != nil {
				return err
			}
		}
	}
	return nil
}

// measure casts the rays of a set, prints the measurements, and returns the answers.
func measure(stdout io.Writer, m *mesh.Mesh, s set, o options) []rayfile.Hit {
	hits := make([]rayfile.Hit, len(s.rays))
	median, spread := measureRuns(o.runs, o.threads, caster(m, s.rays, hits, o))
	count, sum := 0, 0.0
	for _, h := range hits {
		if h.Triangle != rayfile.Miss {
			count++
			sum += float64(h.T)
		}
	}
	fmt.Fprintf(stdout, "rays %d\nhits %d\nsum_t %.6f\n", len(hits), count, sum)
	fmt.Fprintf(stdout, "mrays_per_s %.4f Mrays/s\nspread_percent %.1f %%\n", float64(len(hits))/median.Seconds()*1e-6, spread)
	return hits
}

const tolerance = 3e-5 // of T: the triangle test is in single precision

// check compares answers with the true ones, prints the comparison, and returns an error if too
// many differ.
func check(stdout io.Writer, hits, truth []rayfile.Hit, o options) error {
	exact := o.mode == "closest"
	a := rayfile.Compare(hits, truth, exact)
	fmt.Fprintf(stdout, "lost %d\ninvented %d\n", a.Lost, a.Invented)
	if exact {
		fmt.Fprintf(stdout, "other_triangle %d\nworst_t_relative %.3g\n", a.Others, a.WorstT)
	}
	if a.Lost > 0 || a.Invented > 0 || a.WorstT > tolerance {
		return fmt.Errorf("%s: the answers differ: %d lost, %d invented, T off by up to %.3g (%.3g is allowed)",
			o.check, a.Lost, a.Invented, a.WorstT, tolerance)
	}
	return nil
}

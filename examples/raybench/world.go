package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"github.com/hitscan-go/hitscan/examples/raybench/internal/rayfile"
	"github.com/hitscan-go/hitscan/examples/raybench/internal/worldfile"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

const (
	worldRuns   = 5  // of casting all rays, unless -runs is given
	worldTicks  = 60 // that bodies move for
	worldPlaces = 11 // how often all instances are placed anew, after once to warm up
)

// world is a space of many colliders, and what they are made of: bodies, or instances of a mesh.
type world struct {
	space  *physics.Space
	ids    []physics.ColliderID
	bodies []worldfile.Body

	mesh       *mesh.Mesh
	transforms []geom.Transform
}

// runWorld measures the space that the options name, in the order and the words of embree_world.
func runWorld(o options, stdout io.Writer) error {
	w, rays, err := readWorld(o)
	if err != nil {
		return err
	}
	var truth []worldfile.Answer
	if o.check != "" {
		triangles := 0
		if w.mesh != nil {
			triangles = w.mesh.NumTriangles()
		}
		if truth, err = worldfile.ReadAnswers(o.check, len(rays), w.len(), triangles); err != nil {
			return err
		}
	}
	what := "colliders"
	if w.mesh != nil {
		what = "instances"
	}
	before := heap()
	w.fill()
	fmt.Fprintf(stdout, "%s %d\nbytes_per_collider %.1f B\n", what, w.len(), float64(heap()-before)/float64(w.len()))
	if w.mesh != nil {
		median, _ := measureRuns(worldPlaces, 1, w.placeAll)
		fmt.Fprintf(stdout, "update_ms %.3f ms\n", median.Seconds()*1e3)
	}
	answers, differ := w.measureCasts(stdout, rays, o.runs)
	if w.mesh == nil {
		fmt.Fprintf(stdout, "update_ms %.3f ms\n", w.measureTicks().Seconds()*1e3)
	}
	if differ != nil {
		return differ
	}
	if truth == nil {
		return nil
	}
	return w.check(stdout, answers, truth, o.check)
}

// readWorld returns the world that the options name, still to be filled, and the rays.
func readWorld(o options) (*world, []geom.Ray, error) {
	w := &world{}
	var rays []geom.Ray
	var err error
	if o.rays != "" {
		if rays, err = rayfile.ReadRays(o.rays); err != nil {
			return nil, nil, err
		}
	}
	if o.instances != "" {
		if w.transforms, err = worldfile.ReadInstances(o.instances); err != nil {
			return nil, nil, err
		}
		w.mesh, err = readMesh(o.mesh)
		return w, rays, err
	}
	n, noNumber := strconv.Atoi(o.world)
	if noNumber != nil {
		w.bodies, err = worldfile.ReadBodies(o.world)
		return w, rays, err
	}
	bodies, made := makeWorld(n)
	w.bodies = bodies
	if rays == nil {
		rays = made
	}
	return w, rays, nil
}

// makeWorld returns n bodies and columns·rows rays among them. There are as many bodies a volume as 100,000 in a cube of
// 200 m: half of them boxes and half spheres, with half extents of 0.25 to 1 m, and up to 0.1 m a tick fast, any way. The
// rays go any way too, for 100 m. The same n always gets the same.
func makeWorld(n int) ([]worldfile.Body, []geom.Ray) {
	rng := rand.New(rand.NewPCG(5, 6))
	side := float32(max(1, math.Round(200*math.Cbrt(float64(n)/100_000)))) // in whole metres, the same on all machines
	anywhere := func() geom.Vec3 { return geom.V(rng.Float32(), rng.Float32(), rng.Float32()).Mul(side) }
	half := func() float32 { return float32(0.75*rng.Float32()) + 0.25 }
	bodies := make([]worldfile.Body, n)
	for i := range bodies {
		b := worldfile.Body{Sphere: rng.IntN(2) == 1, Center: anywhere(), HalfExtents: geom.V(half(), half(), half())}
		if r := b.HalfExtents.X; b.Sphere {
			b.HalfExtents = geom.V(r, r, r)
		}
		b.Velocity = unit(rng).Mul(0.1 * rng.Float32())
		bodies[i] = b
	}
	rays := make([]geom.Ray, columns*rows)
	for i := range rays {
		rays[i] = geom.Ray{Origin: anywhere(), Dir: unit(rng), MaxT: 100}
	}
	return bodies, rays
}

func (w *world) len() int { return len(w.bodies) + len(w.transforms) }

// fill makes the space. The number of a collider in the file is its User.
func (w *world) fill() {
	w.space = physics.NewSpace()
	w.ids = make([]physics.ColliderID, w.len())
	for i, b := range w.bodies {
		var shape physics.Shape = geom.AABBAround(geom.Vec3{}, b.HalfExtents)
		if b.Sphere {
			shape = geom.Sphere{Radius: b.HalfExtents.X}
		}
		w.ids[i] = w.space.Add(physics.Collider{Shape: shape, Transform: geom.Transform{Position: b.Center}, User: uint64(i)})
	}
	for i, t := range w.transforms {
		w.ids[i] = w.space.Add(physics.Collider{Shape: w.mesh, Transform: t, User: uint64(i)})
	}
}

// tick moves all bodies by their velocities.
func (w *world) tick() {
	for i := range w.bodies {
		b := &w.bodies[i]
		b.Center = b.Center.Add(b.Velocity)
		w.space.SetTransform(w.ids[i], geom.Transform{Position: b.Center})
	}
	w.settle()
}

// placeAll tells the space the transforms of all instances again.
func (w *world) placeAll() {
	for i, t := range w.transforms {
		w.space.SetTransform(w.ids[i], t)
	}
	w.settle()
}

// settle asks the space something, so that an update counts whatever the first query after it has to do.
func (w *world) settle() {
	w.space.CastRayAny(geom.Ray{Dir: geom.V(0, 1, 0), MaxT: 1}, physics.Filter{})
}

// measureTicks returns the median time of a tick.
func (w *world) measureTicks() time.Duration {
	took := make([]time.Duration, worldTicks)
	for i := range took {
		start := cpuTime()
		w.tick()
		took[i] = cpuTime() - start
	}
	slices.Sort(took)
	return took[worldTicks/2]
}

// castClosest answers all rays, one a call.
func (w *world) castClosest(rays []geom.Ray, answers []worldfile.Answer) {
	for i := range rays {
		answers[i] = worldfile.Answer{Collider: worldfile.Miss, Triangle: -1}
		if h, ok := w.space.CastRay(rays[i], physics.Filter{}); ok {
			answers[i] = worldfile.Answer{T: h.T, Collider: int32(h.User), Triangle: h.Triangle}
		}
	}
}

// castAny asks of all rays, one a call, whether they hit.
func (w *world) castAny(rays []geom.Ray, answers []bool) {
	for i := range rays {
		answers[i] = w.space.CastRayAny(rays[i], physics.Filter{})
	}
}

// measureCasts casts the rays in both ways, prints what there is to say, and returns what is closest. It is an error if
// the two ways don't agree on which rays hit.
func (w *world) measureCasts(stdout io.Writer, rays []geom.Ray, runs int) ([]worldfile.Answer, error) {
	answers, any := make([]worldfile.Answer, len(rays)), make([]bool, len(rays))
	closestTime, _ := measureRuns(runs, 1, func() { w.castClosest(rays, answers) })
	anyTime, _ := measureRuns(runs, 1, func() { w.castAny(rays, any) })
	hits, sum, differ := 0, 0.0, 0
	for i, a := range answers {
		if a.Collider != worldfile.Miss {
			hits++
			sum += float64(a.T)
		}
		if any[i] != (a.Collider != worldfile.Miss) {
			differ++
		}
	}
	fmt.Fprintf(stdout, "rays %d\nhits %d\nsum_t %.6f\n", len(rays), hits, sum)
	rate := func(took time.Duration) float64 { return float64(len(rays)) / took.Seconds() * 1e-6 }
	fmt.Fprintf(stdout, "closest_mrays_per_s %.4f Mrays/s\nany_mrays_per_s %.4f Mrays/s\n", rate(closestTime), rate(anyTime))
	if differ > 0 {
		return nil, fmt.Errorf("CastRay and CastRayAny differ on whether %d of the rays hit", differ)
	}
	return answers, nil
}

// rims is one part of the rays at instances that may go astray. A [geom.Transform] holds a turn as a quaternion in single
// precision and so differs from the matrix in the file by about 1e-7 of the mesh: a ray that passes a rim by less than
// that hits what is behind it, or the other way round.
const rims = 10_000

// check compares the first answers with the true ones, prints the comparison, and returns an error if it is bad.
func (w *world) check(stdout io.Writer, answers, truth []worldfile.Answer, name string) error {
	lost, invented, others, off, worst := 0, 0, 0, 0, 0.0
	for i, want := range truth {
		got := answers[i]
		switch {
		case got.Collider == worldfile.Miss && want.Collider == worldfile.Miss:
		case got.Collider == worldfile.Miss:
			lost++
		case want.Collider == worldfile.Miss:
			invented++
		default:
			if got.Collider != want.Collider || got.Triangle != want.Triangle {
				others++
			}
			if got.T == want.T { // where both are 0 the quotient would be NaN
				continue
			}
			wrong := math.Abs(float64(got.T)-float64(want.T)) / float64(want.T)
			worst = max(worst, wrong)
			if wrong > tolerance {
				off++
			}
		}
	}
	fmt.Fprintf(stdout, "lost %d\ninvented %d\nother_collider %d\nworst_t_relative %.3g\n", lost, invented, others, worst)
	allowed := 0
	if w.mesh != nil {
		allowed = len(truth) / rims
	}
	if lost+invented+off > allowed {
		return fmt.Errorf("%s: the answers differ: %d lost, %d invented, %d with T off by more than %.3g (%d are allowed)",
			name, lost, invented, off, tolerance, allowed)
	}
	return nil
}

// maxWorld bounds the number of bodies that are made, to what a large machine has the memory for.
const maxWorld = 10_000_000

// checkWorldFlags says what is wrong with the flags given, if one of them names a world.
func checkWorldFlags(o *options, given map[string]bool) error {
	if o.world != "" && o.instances != "" {
		return errors.New("-world and -instances are two worlds: name one")
	}
	name, allowed := "-world", []string{"world", "rays", "check", "runs", "portable"}
	if o.instances != "" {
		name, allowed = "-instances", []string{"instances", "mesh", "rays", "check", "runs", "portable"}
	}
	for flag := range given {
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
	}
	if !given["runs"] {
		o.runs = worldRuns
	}
	return nil
}

package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/hitscan-go/hitscan/examples/raybench/internal/rayfile"
	"github.com/hitscan-go/hitscan/examples/raybench/internal/worldfile"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

const (
	worldRuns   = 5  // of casting all rays, unless -runs is given
	worldTicks  = 60 // that bodies move for
	worldPlaces = 12 // how often all instances are moved; even, so that they end where they began
)

// world is a space of many colliders, and its source: bodies, or instances of a mesh.
type world struct {
	space   *physics.Space
	ids     []physics.ColliderID
	bodies  []worldfile.Body
	threads int

	mesh   *mesh.Mesh
	placed []geom.Transform // of the instances, as the file has them
	aside  bool             // whether they are a step away from there

	walls geom.AABB // around the bodies' first centres
	shut  bool      // whether bodies turn round at the walls
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
	fmt.Fprintf(stdout, "%s %d\n", what, w.len())
	w.ids = make([]physics.ColliderID, w.len())
	before := heap()
	w.fill()
	filled := heap() - before
	if w.mesh != nil {
		w.measureTicks(worldPlaces, false).print(stdout, filled)
	}
	answers, err := w.measureCasts(stdout, rays, o.runs)
	if err != nil {
		return err
	}
	if w.mesh == nil {
		w.measureTicks(worldTicks, true).print(stdout, filled)
	}
	if err := w.measureSnapshots(stdout, rays); err != nil {
		return err
	}
	if err := w.measureSync(stdout, rays); err != nil {
		return err
	}
	if o.ticks > 0 {
		if err := w.measureLife(stdout, rays, o); err != nil {
			return err
		}
	}
	if truth == nil {
		return nil
	}
	return w.check(stdout, answers, truth, o.check)
}

// readWorld returns the world that the options name, still to be filled, and the rays.
func readWorld(o options) (*world, []geom.Ray, error) {
	w := &world{threads: max(1, o.threads)}
	var rays []geom.Ray
	var err error
	if o.rays != "" {
		if rays, err = rayfile.ReadRays(o.rays); err != nil {
			return nil, nil, err
		}
	}
	if o.instances != "" {
		if w.placed, err = worldfile.ReadInstances(o.instances); err != nil {
			return nil, nil, err
		}
		w.mesh, err = readMesh(o.mesh)
		return w, rays, err
	}
	if n, noNumber := strconv.Atoi(o.world); noNumber == nil {
		bodies, made := makeWorld(n)
		w.bodies = bodies
		if rays == nil {
			rays = made
		}
	} else if w.bodies, err = worldfile.ReadBodies(o.world); err != nil {
		return nil, nil, err
	}
	w.walls = geom.EmptyAABB()
	for _, b := range w.bodies {
		w.walls = w.walls.Extend(b.Center)
	}
	return w, rays, nil
}

func (w *world) len() int { return len(w.bodies) + len(w.placed) }

// fill creates and updates the space. The number of a collider in the file is its User.
func (w *world) fill() {
	w.space = physics.NewSpace()
	for i := range w.ids {
		w.ids[i] = w.space.Add(physics.Collider{Shape: w.shape(i), Transform: w.transform(i), User: uint64(i)})
	}
	w.settle()
}

// again returns the same world with a space of its own.
func (w *world) again() *world {
	c := *w
	c.bodies, c.ids = slices.Clone(w.bodies), make([]physics.ColliderID, w.len())
	c.fill()
	return &c
}

func (w *world) shape(i int) physics.Shape {
	switch {
	case w.mesh != nil:
		return w.mesh
	case w.bodies[i].Sphere:
		return geom.Sphere{Radius: w.bodies[i].HalfExtents.X}
	}
	return geom.AABBAround(geom.Vec3{}, w.bodies[i].HalfExtents)
}

// step is the motion of an instance in a tick, in metres.
const step = 0.1

// transform returns the current transform of a collider.
func (w *world) transform(i int) geom.Transform {
	if w.mesh == nil {
		return geom.Transform{Position: w.bodies[i].Center}
	}
	t := w.placed[i]
	if w.aside {
		t.Position.Y += step
	}
	return t
}

// move advances everything by a tick, without the space. Bodies move by their velocities; instances
// move up by a step and, in the next tick, down again.
func (w *world) move() {
	w.aside = !w.aside
	for i := range w.bodies {
		b := &w.bodies[i]
		b.Center = b.Center.Add(b.Velocity)
		if w.shut {
			b.Velocity.X = inward(b.Center.X, b.Velocity.X, w.walls.Min.X, w.walls.Max.X)
			b.Velocity.Y = inward(b.Center.Y, b.Velocity.Y, w.walls.Min.Y, w.walls.Max.Y)
			b.Velocity.Z = inward(b.Center.Z, b.Velocity.Z, w.walls.Min.Z, w.walls.Max.Z)
		}
	}
}

// inward reverses the velocity of a body that is beyond a wall and moves outward.
func inward(at, velocity, low, high float32) float32 {
	if at < low && velocity < 0 || at > high && velocity > 0 {
		return -velocity
	}
	return velocity
}

// apply sets all transforms of the space and updates it.
func (w *world) apply() {
	for i, id := range w.ids {
		w.space.SetTransform(id, w.transform(i))
	}
	w.settle()
}

// tick is the space's part of a tick of a game.
func (w *world) tick() {
	w.move()
	w.apply()
}

func (w *world) settle() { settle(w.space) }

// settle updates a space and casts a ray, so that the work of the first query after changes is
// included.
func settle(s *physics.Space) {
	s.Update()
	s.CastRayAny(geom.Ray{Dir: geom.V(0, 1, 0), MaxT: 1}, physics.Filter{})
}

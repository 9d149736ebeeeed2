package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/mlange-42/arche/ecs"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/examples/raybench/internal/worldfile"
	"github.com/hitscan-go/hitscan/internal/cputime"
	"github.com/hitscan-go/hitscan/physics/geom"
)

const (
	idleSyncs  = 21
	movedSyncs = 20 // even, as worldPlaces is
)

// mirror is an Arche world of the same bodies or instances, an entity each.
type mirror struct {
	world     ecs.World
	entities  []ecs.Entity
	transform ecs.ID
}

func (w *world) mirror() *mirror {
	t := &mirror{world: ecs.NewWorld(), entities: make([]ecs.Entity, w.len())}
	t.transform = ecs.ComponentID[physecs.Transform](&t.world)
	collider := ecs.ComponentID[physecs.Collider](&t.world)
	var name physecs.MeshID
	if w.mesh != nil {
		meshes := &physecs.Meshes{}
		name = meshes.Add(w.mesh)
		ecs.AddResource(&t.world, meshes)
	}
	for i := range t.entities {
		t.entities[i] = t.world.NewEntity(t.transform, collider)
		c := (*physecs.Collider)(t.world.Get(t.entities[i], collider))
		switch {
		case w.mesh != nil:
			*c = physecs.Mesh(name)
		case w.bodies[i].Sphere:
			*c = physecs.Sphere(w.bodies[i].HalfExtents.X)
		default:
			*c = physecs.AABB(w.bodies[i].HalfExtents)
		}
		c.User = uint64(i)
	}
	t.follow(w)
	return t
}

// follow copies the transforms of the bodies to all entities.
func (t *mirror) follow(w *world) {
	for i, e := range t.entities {
		*(*physecs.Transform)(t.world.Get(e, t.transform)) = w.transform(i)
	}
}

// measureSync measures physecs.Sync when no entity has moved and when all have. Its time beyond the
// space's own work is found by moving both spaces in turn. It is an error if the two spaces give
// different answers.
func (w *world) measureSync(stdout io.Writer, rays []geom.Ray) error {
	t := w.mirror()
	space := physecs.Sync(&t.world).Physics()
	settle(space)
	idle, _ := measureRuns(idleSyncs, w.threads, func() { physecs.Sync(&t.world) })
	now := cputime.Of(w.threads)
	var sync, update, beyond []time.Duration
	for range movedSyncs {
		w.move()
		t.follow(w)
		start := now()
		physecs.Sync(&t.world)
		synced := now()
		settle(space)
		settled := now()
		w.apply()
		told := now()
		sync = append(sync, synced-start)
		update = append(update, settled-synced)
		beyond = append(beyond, settled-start-(told-settled))
	}
	fmt.Fprintf(stdout, "sync_idle_ms %.3f ms\nsync_moved_ms %.3f ms\nsync_update_ms %.3f ms\nsync_ecs_ms %.3f ms\n",
		milliseconds(idle), milliseconds(middleTime(sync)), milliseconds(middleTime(update)), milliseconds(middleTime(beyond)))

	rays = rays[:min(asked, len(rays))]
	want, got := make([]worldfile.Answer, len(rays)), make([]worldfile.Answer, len(rays))
	w.castClosest(rays, want)
	synced := *w
	synced.space = space
	synced.castClosest(rays, got)
	if !slices.Equal(want, got) {
		return errors.New("the synced space and the space set directly give different answers")
	}
	return nil
}

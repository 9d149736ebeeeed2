package physecs

import (
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Only entities with a collider that is somewhere have bounds. That of the first collider is not
// those of entities without one.
func TestBoundsOfEntities(t *testing.T) {
	world := ecs.NewWorld()
	var sync SyncSystem
	sync.Initialize(&world)
	without := world.NewEntity(ecs.ComponentID[Transform](&world))
	e := world.NewEntity(ecs.ComponentID[Transform](&world), ecs.ComponentID[Collider](&world))
	*(*Transform)(world.Get(e, ecs.ComponentID[Transform](&world))) = geom.At(0, 1, 0)
	*(*Collider)(world.Get(e, ecs.ComponentID[Collider](&world))) = Sphere(0.5)
	sync.Update(&world)
	q := ecs.GetResource[Space](&world)
	b, ok := q.Bounds(e)
	assert.True(t, ok)
	assert.True(t, b.Contains(geom.V(0, 1, 0)))
	for _, other := range []ecs.Entity{without, {}} {
		b, ok = q.Bounds(other)
		assert.False(t, ok)
		assert.Zero(t, b)
	}
}

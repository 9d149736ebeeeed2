package physecs

import (
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// A ray goes on behind hits that the predicate of hits lets through, in every query with rays.
func TestHitPredicate(t *testing.T) {
	g := newGame()
	e := g.row(5)
	space := Sync(g.World)
	f := Filter{HitPredicate: func(h Hit) bool { return h.Entity == e[2] || h.Entity == e[4] }}
	for name, q := range map[string]*Queries{"Space": &space.Queries, "Snapshot": &space.Snapshot().Queries} {
		hit, ok := q.CastRay(forward, f)
		assert.True(t, ok, name)
		assert.Equal(t, e[2], hit.Entity, name)
		assert.Equal(t, hit, q.CastRays(nil, []geom.Ray{forward}, f)[0], name)
		assert.Equal(t, hit, q.Explain(forward, f).Hit, name)
		assert.Len(t, q.CastRayAll(nil, forward, f), 2, name)
		assert.Len(t, q.Crossings(nil, forward, f), 2, name)
		var stepped []ecs.Entity
		for h := range q.Hits(forward, f) {
			stepped = append(stepped, h.Entity)
		}
		assert.Equal(t, []ecs.Entity{e[2], e[4]}, stepped, name)
		none := Filter{HitPredicate: func(Hit) bool { return false }}
		assert.False(t, q.CastRayAny(forward, none), name)
		assert.Equal(t, []bool{false}, q.CastRaysAny(nil, []geom.Ray{forward}, none), name)
		assert.Equal(t, physics.FieldHitPredicate, q.Explain(forward, none).Colliders[0].RejectedBy, name)
	}
	x := ExplainPick(g.World, forward, f)
	assert.Equal(t, e[2], x.Hit.Entity)
}

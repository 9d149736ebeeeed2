package physecs

import (
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// falling is a crate that moves as forward does, along the rows of the tests.
var falling = physics.ShapeCast{Shape: geom.Box{HalfExtents: geom.V(0.5, 0.5, 0.5)}, Motion: geom.V(0, 0, -2)}

// filterCase is a filter and which entities of a row it lets through.
type filterCase struct {
	name string
	f    Filter
	want []int
}

// filteredRow adds a row of four: 1, whose User is 7, and 2 are of the team, and 3 is a sensor.
func (g *game) filteredRow() ([]ecs.Entity, []filterCase) {
	e := g.row(4)
	g.Add(e[1], g.team)
	g.Add(e[2], g.team)
	g.colliders.Get(e[1]).User = 7
	g.colliders.Get(e[3]).Sensor = true
	return e, []filterCase{
		{"zero", Filter{}, []int{0, 1, 2}},
		{"sensors", Filter{Sensors: true}, []int{0, 1, 2, 3}},
		{"with", Filter{With: ecs.All(g.team)}, []int{1, 2}},
		{"without", Filter{Without: ecs.All(g.team)}, []int{0}},
		{"exclude", Filter{Exclude: e[:1]}, []int{1, 2}},
		{"predicate", Filter{Predicate: func(f ecs.Entity) bool { return f == e[2] }}, []int{2}},
		{"nothing looked at", Filter{Mask: 2}, nil},
	}
}

func TestCastShapeOfEntities(t *testing.T) {
	g := newGame()
	e, filters := g.filteredRow()
	Sync(g.World)
	snapshot := Sync(g.World).Snapshot()
	defer snapshot.Release()
	for _, tt := range filters {
		t.Run(tt.name, func(t *testing.T) {
			all := g.space().CastShapeAll([]ShapeHit{{ShapeHit: physics.ShapeHit{User: 9}}}, falling, tt.f)
			require.Len(t, all, 1+len(tt.want))
			assert.EqualValues(t, 9, all[0].User)
			for i, h := range all[1:] {
				assert.Equal(t, e[tt.want[i]], h.Entity)
				assert.InDelta(t, 5*(float32(tt.want[i])+1)-0.75, h.T, 1e-6)
				assert.Equal(t, geom.V(0, 0, 1), h.Normal)
				assert.InDelta(t, 0, h.Point.Distance(h.PointOnShape), 1e-5)
			}
			first, ok := g.space().CastShape(falling, tt.f)
			require.Equal(t, len(tt.want) > 0, ok)
			assert.Equal(t, ok, g.space().CastShapeAny(falling, tt.f))
			if ok {
				assert.Equal(t, all[1], first)
			}
			if tt.f.With.IsZero() && tt.f.Without.IsZero() {
				assert.Equal(t, all[1:], snapshot.CastShapeAll([]ShapeHit{}, falling, tt.f))
				then, ok := snapshot.CastShape(falling, tt.f)
				assert.Equal(t, first, then)
				assert.Equal(t, ok, snapshot.CastShapeAny(falling, tt.f))
			}
		})
	}

	h, _ := g.space().CastShape(falling, Filter{Exclude: e[:1]})
	assert.EqualValues(t, 7, h.User)
	within := falling
	within.Transform = geom.At(0, 0, -11)
	h, ok := g.space().CastShape(within, Filter{})
	assert.True(t, ok && h.Overlaps && h.Entity == e[0])
	assert.InDelta(t, 0.5, h.Depth, 1e-6)
	within.Start = physics.StartIgnore
	h, _ = g.space().CastShape(within, Filter{})
	assert.Equal(t, e[1], h.Entity)

	// Entities that have gone since the last Sync are never reported.
	g.RemoveEntity(e[0])
	h, ok = g.space().CastShape(falling, Filter{})
	assert.True(t, ok)
	assert.Equal(t, e[1], h.Entity)
}

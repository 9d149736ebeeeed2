package physecs

import (
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

func (e *Explanation) of(t require.TestingT, who ecs.Entity) physics.ExplainedCollider {
	for i, other := range e.Entities {
		if other == who {
			return e.Colliders[i]
		}
	}
	require.FailNow(t, "not explained")
	return physics.ExplainedCollider{}
}

func TestExplainNamesTheFilterField(t *testing.T) {
	const a, b physics.Layers = 2, 4
	for _, tt := range []struct {
		name   string
		change func(g *game, e ecs.Entity, f *Filter)
		want   physics.Verdict
		field  physics.FilterField
	}{
		{"nothing", func(*game, ecs.Entity, *Filter) {}, physics.VerdictClosest, ""},
		{"with", func(g *game, e ecs.Entity, f *Filter) { f.With = ecs.All(g.team) }, physics.VerdictRejected, FieldWith},
		{"without", func(g *game, e ecs.Entity, f *Filter) { g.Add(e, g.ghost); f.Without = ecs.All(g.ghost) }, physics.VerdictRejected, FieldWithout},
		{"with and without", func(g *game, e ecs.Entity, f *Filter) {
			g.Add(e, g.ghost)
			f.With, f.Without = ecs.All(g.team), ecs.All(g.ghost)
		}, physics.VerdictRejected, FieldWith},
		{"has what it must", func(g *game, e ecs.Entity, f *Filter) {
			g.Add(e, g.team)
			f.With, f.Without = ecs.All(g.team), ecs.All(g.ghost)
		}, physics.VerdictClosest, ""},
		{"excluded", func(g *game, e ecs.Entity, f *Filter) { f.Exclude = []ecs.Entity{e} }, physics.VerdictRejected, physics.FieldExclude},
		{"predicate", func(g *game, e ecs.Entity, f *Filter) { f.Predicate = func(o ecs.Entity) bool { return o != e } }, physics.VerdictRejected, physics.FieldPredicate},
		{"layer", func(g *game, e ecs.Entity, f *Filter) { g.colliders.Get(e).Mask = a; f.OwnLayer = b }, physics.VerdictRejected, physics.FieldOwnLayer},
		{"mask", func(g *game, e ecs.Entity, f *Filter) { g.colliders.Get(e).Layer = a; f.Mask = b }, physics.VerdictRejected, physics.FieldMask},
		{"sensor", func(g *game, e ecs.Entity, f *Filter) { g.colliders.Get(e).Sensor = true }, physics.VerdictRejected, physics.FieldSensors},
		{"within", func(g *game, e ecs.Entity, f *Filter) {
			g.transforms.Get(e).Position.Z = 0
			f.Start = geom.Ignore
		}, physics.VerdictRejected, physics.FieldStart},
		{"back of a plane", func(g *game, e ecs.Entity, f *Filter) {
			*g.colliders.Get(e) = Plane(geom.V(0, 0, -1), 0)
			f.Cull = geom.CullBack
		}, physics.VerdictRejected, physics.FieldCull},
		{"missed", func(g *game, e ecs.Entity, f *Filter) { g.transforms.Get(e).Position = geom.V(0.9, 0.9, -5) }, physics.VerdictMissed, ""},
		{"beside", func(g *game, e ecs.Entity, f *Filter) { g.transforms.Get(e).Position.X = 5 }, physics.VerdictBoxMissed, ""},
		{"nowhere", func(g *game, e ecs.Entity, f *Filter) { g.colliders.Get(e).Radius = -1 }, physics.VerdictNowhere, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := newGame()
			e, f := g.row(3), Filter{}
			tt.change(g, e[0], &f)
			Sync(g.World)
			x := g.space().Explain(forward, f)
			c := x.of(t, e[0])
			assert.Equal(t, tt.want, c.Verdict)
			assert.Equal(t, tt.field, c.RejectedBy)
			want, ok := g.space().CastRay(forward, f)
			assert.Equal(t, ok, x.OK)
			assert.Equal(t, want, x.Hit)
		})
	}
}

func TestExplainOfWhatHasGone(t *testing.T) {
	g := newGame()
	e := g.row(3)
	Sync(g.World)
	g.RemoveEntity(e[0])
	g.Remove(e[1], g.collider)
	x := g.space().Explain(forward, Filter{Predicate: func(o ecs.Entity) bool { return o == e[2] }})
	assert.Equal(t, physics.VerdictNowhere, x.of(t, e[0]).Verdict)
	assert.Equal(t, physics.VerdictNowhere, x.of(t, e[1]).Verdict)
	assert.Equal(t, physics.VerdictClosest, x.of(t, e[2]).Verdict)
	assert.Equal(t, e[2], x.Hit.Entity)
}

func TestExplainOfAColliderOfTheGame(t *testing.T) {
	g := newGame()
	e := g.row(1)
	own := Sync(g.World).Physics().Add(physics.Collider{Shape: geom.Sphere{Radius: 1}})
	x := g.space().Explain(forward, Filter{})
	assert.Equal(t, e[0], x.Hit.Entity)
	assert.Equal(t, own, x.of(t, ecs.Entity{}).Collider)
	assert.Equal(t, physics.VerdictNowhere, x.of(t, ecs.Entity{}).Verdict)
}

func TestExplainAgreesWithCastRay(t *testing.T) {
	g := newGame()
	rng := testenv.Rand(1, 2)
	at := func() geom.Vec3 { return geom.V(rng.Float32()-0.5, rng.Float32()-0.5, rng.Float32()-0.5).Mul(30) }
	var all []ecs.Entity
	for i := range 300 {
		c := Sphere(1)
		if i%2 == 0 {
			c = Box(geom.V(1, 2, 0.5))
		}
		c.Layer, c.Sensor = 1<<rng.IntN(2), rng.IntN(5) == 0
		e := g.add(geom.Transform{Position: at(), Rotation: geom.QuatEuler(1, rng.Float64(), 2)}, c)
		if all = append(all, e); rng.IntN(3) == 0 {
			g.Add(e, g.team)
		}
		if rng.IntN(3) == 0 {
			g.Add(e, g.ghost)
		}
	}
	Sync(g.World)
	for i, e := range all {
		if i%20 == 0 {
			g.RemoveEntity(e)
		}
	}
	fields := map[physics.FilterField]int{}
	for i := range 300 {
		f := Filter{Mask: physics.Layers(rng.IntN(3)), Sensors: i%2 == 0, Exclude: all[i%100 : i%100+30]}
		switch i % 3 {
		case 1:
			f.With = ecs.All(g.team)
		case 2:
			f.Without = ecs.All(g.ghost)
			f.Predicate = func(e ecs.Entity) bool { return e.ID()%3 > 0 }
		}
		r := geom.Segment(at().Mul(2), at())
		x := g.space().Explain(r, f)
		want, ok := g.space().CastRay(r, f)
		require.Equal(t, ok, x.OK)
		require.Equal(t, want, x.Hit)
		require.Len(t, x.Entities, len(all))
		seen := map[ecs.Entity]bool{}
		for k, e := range x.Entities {
			require.False(t, seen[e])
			seen[e] = true
			c := x.Colliders[k]
			fields[c.RejectedBy]++
			require.Equal(t, c.Verdict == physics.VerdictClosest, ok && e == want.Entity)
			if c.Verdict == physics.VerdictFarther || c.Verdict == physics.VerdictClosest {
				require.True(t, query{&g.space().Queries, &f}.seesEntity(e))
			}
		}
		if f.With.IsZero() && f.Without.IsZero() {
			snapshot := ecs.GetResource[Space](g.World).Snapshot()
			was, ok := snapshot.CastRay(r, f)
			past := snapshot.Explain(r, f)
			require.Equal(t, ok, past.OK)
			require.Equal(t, was, past.Hit)
			snapshot.Release()
		}
	}
	assert.Len(t, fields, 7, "%v", fields)
}

package physecs

import (
	"errors"
	"fmt"
	"maps"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// bodyWorld is a world in which bodies fall.
type bodyWorld struct {
	*game
	system                   DynamicsSystem
	floor                    ecs.Entity // of newFloorWorld
	body, velocity, material ecs.ID
	bodies                   generic.Map[Body]
	velocities               generic.Map[Velocity]
	materials                generic.Map[Material]
	crates                   generic.Map3[Transform, Collider, Body]
}

func newBodyWorld() *bodyWorld { return bodyWorldOf(newGame()) }

func bodyWorldOf(g *game) *bodyWorld {
	p := &bodyWorld{
		game: g,
		body: ecs.ComponentID[Body](g.World), velocity: ecs.ComponentID[Velocity](g.World), material: ecs.ComponentID[Material](g.World),
		bodies: generic.NewMap[Body](g.World), velocities: generic.NewMap[Velocity](g.World), materials: generic.NewMap[Material](g.World),
		crates: generic.NewMap3[Transform, Collider, Body](g.World),
	}
	p.system.Initialize(g.World)
	return p
}

// newFloorWorld is a bodyWorld with a floor at height 0.
func newFloorWorld() *bodyWorld {
	p := newBodyWorld()
	p.floor = p.add(geom.At(0, -1, 0), Box(geom.V(50, 1, 50)))
	return p
}

func (p *bodyWorld) crate(t Transform, b Body) ecs.Entity {
	return p.crates.NewWith(&t, new(Box(geom.V(0.5, 0.5, 0.5))), &b)
}

func (p *bodyWorld) dynamics() *Dynamics { return ecs.GetResource[Dynamics](p.World) }

func (p *bodyWorld) run(ticks int) {
	for range ticks {
		p.system.Update(p.World)
	}
}

func (p *bodyWorld) faults() map[ecs.Entity]error { return maps.Collect(p.dynamics().Faults()) }

// owner is the brute-force twin of findParts: the entity of the body that a collider is part of.
func (p *bodyWorld) owner(e ecs.Entity) ecs.Entity {
	seen := map[ecs.Entity]bool{}
	for first := true; !e.IsZero() && !seen[e]; first = false {
		seen[e] = true
		if p.Has(e, p.body) && p.Has(e, p.transform) {
			return e
		}
		if _, fault := p.placed(e); fault != FaultNone && first {
			return ecs.Entity{}
		}
		e, _ = p.parentOf(e)
	}
	return ecs.Entity{}
}

// check checks that bodies are those of the entities, after an update and no changes.
func (p *bodyWorld) check(t require.TestingT) {
	d, faults, n := p.dynamics(), p.faults(), 0
	var all []ecs.Entity
	query := p.Query(ecs.All(p.transform))
	for query.Next() {
		all = append(all, query.Entity())
	}
	for _, e := range all {
		if !p.Has(e, p.body) {
			continue
		}
		id, ok := d.Body(e)
		if !ok {
			require.Error(t, faults[e], "%v has neither body nor fault", e)
			continue
		}
		n++
		back, ok := d.Entity(id)
		require.True(t, ok)
		require.Equal(t, e, back)
		if at, _ := d.Transform(e); faults[e] == nil && !p.bodies.Get(e).Driven {
			is := p.transforms.Get(e)
			// A WorldPosition rounds to 2⁻⁵³ of it, which is at most 1e6 m here.
			require.InDelta(t, 0, at.Position.Sub(is.Position).Len(), 1e-9)
			if q := is.Rotation; q != (geom.Quat{}) {
				require.Equal(t, at.Rotation, q)
			}
		}
		if p.Has(e, p.velocity) {
			v, w, _ := d.Rigid().Velocity(id)
			require.Equal(t, Velocity{v, w}, *p.velocities.Get(e))
		}
	}
	require.Equal(t, n, d.Rigid().Len(), "bodies")
	for _, e := range all {
		if !p.Has(e, p.collider) {
			continue
		}
		if id, ok := p.space().Collider(e); ok && !p.space().physics.IsNowhere(id) {
			owner, want := p.owner(e), rigid.BodyID(0)
			if errors.Is(faults[owner], errLost) {
				continue // its parts are found when it is brought back
			}
			if !owner.IsZero() {
				want, _ = d.Body(owner)
			}
			require.Equal(t, want, d.Rigid().BodyOf(id), "%v is part of %v", e, owner)
		}
	}
	before := p.poses()
	Sync(p.World)
	after := p.poses()
	for _, e := range all {
		if id, ok := d.Body(e); ok && p.isBehind(e) {
			require.True(t, d.IsAwake(e))
			before[id], after[id] = before[id][2:], after[id][2:]
		}
	}
	// As text, in which NaN equals NaN.
	require.Equal(t, fmt.Sprint(before), fmt.Sprint(after), "Sync takes what the system wrote for teleports")
	if len(p.space().hierarchy.children) == 0 {
		require.Zero(t, p.space().Stats().Moved)
	}
}

// isBehind reports whether a driven body has a parent that the last step has moved, after a Sync,
// which has given the body the velocity to follow it.
func (p *bodyWorld) isBehind(e ecs.Entity) bool {
	if !p.Has(e, p.body) || !p.Has(e, p.parent) || !p.bodies.Get(e).Driven {
		return false
	}
	at, ok := p.dynamics().Transform(e)
	is := p.transforms.Get(e)
	return ok && (at.Position != is.Position || at.Rotation != is.Rotation)
}

// poses returns all that Sync could change of the bodies and their colliders: first the velocity
// and whether it is awake.
func (p *bodyWorld) poses() map[rigid.BodyID][]any {
	all := map[rigid.BodyID][]any{}
	for id, b := range p.dynamics().Rigid().All() {
		at, _ := p.dynamics().Rigid().Transform(id)
		pose := []any{b, p.dynamics().Rigid().IsAwake(id), at}
		for _, c := range p.dynamics().Rigid().Colliders(id) {
			collider, _ := p.space().physics.Collider(c)
			pose = append(pose, collider.Transform)
		}
		all[id] = pose
	}
	return all
}

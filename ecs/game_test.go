package physecs

import (
	"cmp"
	"slices"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// Team and Ghost are components of the game.
type Team struct{ Number int32 }

// Ghost is a tag.
type Ghost struct{}

// game is a world with the operations of the tests.
type game struct {
	*ecs.World
	transform, collider, static, unpickable, team, ghost ecs.ID
	parent, local, position                              ecs.ID
	things                                               generic.Map2[Transform, Collider]
	transforms                                           generic.Map[Transform]
	colliders                                            generic.Map[Collider]
	parents                                              generic.Map[Parent]
	locals                                               generic.Map[LocalTransform]
	positions                                            generic.Map[WorldPosition]
}

func newGame() *game {
	w := ecs.NewWorld()
	return &game{
		World:      &w,
		transform:  ecs.ComponentID[Transform](&w),
		collider:   ecs.ComponentID[Collider](&w),
		static:     ecs.ComponentID[Static](&w),
		unpickable: ecs.ComponentID[Unpickable](&w),
		team:       ecs.ComponentID[Team](&w),
		ghost:      ecs.ComponentID[Ghost](&w),
		things:     generic.NewMap2[Transform, Collider](&w),
		transforms: generic.NewMap[Transform](&w),
		colliders:  generic.NewMap[Collider](&w),
		parent:     ecs.ComponentID[Parent](&w),
		local:      ecs.ComponentID[LocalTransform](&w),
		position:   ecs.ComponentID[WorldPosition](&w),
		parents:    generic.NewMap[Parent](&w),
		locals:     generic.NewMap[LocalTransform](&w),
		positions:  generic.NewMap[WorldPosition](&w),
	}
}

// space returns the world's Space as the last Sync left it, or adds one.
func (g *game) space() *Space { return initialize(g.World) }

func (g *game) add(t Transform, c Collider) ecs.Entity { return g.things.NewWith(&t, &c) }

// give sets a component of an entity, which gets it if it has none.
func give[T any](w *ecs.World, e ecs.Entity, value T) ecs.Entity {
	id := ecs.ComponentID[T](w)
	if !hasUnchecked(w, e, id) {
		addComponents(w, e, id)
	}
	*(*T)(componentOf(w, e, id)) = value
	return e
}

// adopt makes a child follow a parent.
func (g *game) adopt(child, parent ecs.Entity, local LocalTransform) ecs.Entity {
	return give(g.World, give(g.World, child, Parent{parent}), local)
}

// at places an entity in the large world.
func (g *game) at(e ecs.Entity, p WorldPosition) ecs.Entity { return give(g.World, e, p) }

// parentOf returns the entity that an entity follows, the zero entity if there is none, and the
// fault of an orphan.
func (g *game) parentOf(e ecs.Entity) (ecs.Entity, Fault) {
	if !g.Has(e, g.transform) || !g.Has(e, g.parent) || !g.Has(e, g.local) {
		return ecs.Entity{}, FaultNone
	}
	p := g.parents.Get(e).Entity
	switch {
	case p.IsZero():
		return ecs.Entity{}, FaultNone
	case !alive(g.World, p):
		return ecs.Entity{}, FaultParentGone
	case !g.Has(p, g.transform):
		return ecs.Entity{}, FaultParentBare
	}
	return p, FaultNone
}

// placed is the brute-force twin of hierarchy: the Transform that an entity must have, by
// recursion, and the fault of an orphan.
func (g *game) placed(e ecs.Entity) (Transform, Fault) {
	own := *g.transforms.Get(e)
	if g.Has(e, g.position) {
		own.Position = geom.DVec3(*g.positions.Get(e)).Sub(g.space().Origin()).Narrow()
	}
	p, fault := g.parentOf(e)
	if p.IsZero() {
		return own, fault
	}
	seen := map[ecs.Entity]bool{}
	for x := p; !x.IsZero() && !seen[x]; x, _ = g.parentOf(x) {
		if seen[x] = true; x == e {
			return own, FaultParentCycle
		}
	}
	parent, _ := g.placed(p)
	m := parent.Affine()
	return g.locals.Get(e).in(&parent, &m), FaultNone
}

// checkPlaces compares every Transform with its twin.
func (g *game) checkPlaces(t require.TestingT) {
	space := ecs.GetResource[Space](g.World)
	orphans, children := map[ecs.Entity]Fault{}, 0
	filter := ecs.All(g.transform)
	query := g.Query(&filter)
	for query.Next() {
		e := query.Entity()
		want, fault := g.placed(e)
		if fault != FaultNone {
			orphans[e] = fault
		} else if p, _ := g.parentOf(e); !p.IsZero() {
			children++
		}
		require.True(t, sameTransform(&want, g.transforms.Get(e)), "entity %v is at %v, not %v", e, *g.transforms.Get(e), want)
	}
	listed := map[ecs.Entity]Fault{}
	for e, fault := range space.Orphans() {
		listed[e] = fault
	}
	assert.Equal(t, orphans, listed)
	assert.Equal(t, len(orphans), space.Stats().Orphans)
	assert.Equal(t, children, space.Stats().Children)
}

// row adds n spheres of radius 1 along −Z, at 10, 20, … metres.
func (g *game) row(n int) []ecs.Entity {
	var all []ecs.Entity
	for i := range n {
		all = append(all, g.add(geom.At(0, 0, -10*float32(i+1)), Sphere(1)))
	}
	return all
}

// sync syncs and returns the counts.
func (g *game) sync() Stats { return did(Sync(g.World)) }

func did(s *Space) Stats {
	stats := s.Stats()
	stats.Elapsed = 0
	return stats
}

// forward is the ray from the origin along −Z.
var forward = geom.NewRay(geom.Vec3{}, geom.V(0, 0, -1))

func (g *game) hit(t require.TestingT) ecs.Entity {
	if h, ok := t.(interface{ Helper() }); ok {
		h.Helper()
	}
	hit, ok := g.space().CastRay(forward, Filter{})
	assert.Equal(t, ok, !hit.Entity.IsZero())
	return hit.Entity
}

// found is the part of a hit on which two spaces with other collider IDs agree.
type found struct {
	geom.Hit
	entity ecs.Entity
	child  int32
}

func sortFound(all []found) []found {
	slices.SortFunc(all, func(a, b found) int {
		return cmp.Or(cmp.Compare(a.T, b.T), cmp.Compare(a.entity.ID(), b.entity.ID()),
			cmp.Compare(a.child, b.child), cmp.Compare(a.Triangle, b.Triangle))
	})
	return all
}

var probes = []geom.Ray{
	forward,
	geom.NewRay(geom.V(50, 0.3, -5), geom.V(-1, 0, 0)),
	geom.NewRay(geom.V(0.2, 50, -9.7), geom.V(0, -1, 0)),
	geom.NewRay(geom.V(-20, -20, 10), geom.V(1, 1, -1)),
	geom.NewRay(geom.V(3, -2, 0.1), geom.V(0.1, 0.2, -1)),
}

// check compares the Space, after a sync, with a new one made from the world.
func (g *game) check(t require.TestingT) {
	g.checkPlaces(t)
	space := ecs.GetResource[Space](g.World)
	meshes := ecs.GetResource[Meshes](g.World)
	fresh := physics.NewSpace()
	entities := map[physics.ColliderID]ecs.Entity{}
	faults := map[ecs.Entity]Fault{}
	filter := ecs.All(g.transform, g.collider)
	n := 0
	query := g.Query(&filter)
	for query.Next() {
		n++
		e := query.Entity()
		tr, c := (*Transform)(query.Get(g.transform)), (*Collider)(query.Get(g.collider))
		id, ok := space.Collider(e)
		shape, fault := c.shape(meshes)
		assert.Equal(t, fault == FaultNone, ok, "entity %v has a collider", e)
		if fault != FaultNone {
			faults[e] = fault
			continue
		}
		wantID := fresh.Add(physics.Collider{
			Shape: shape, Transform: *tr, Layer: c.Layer, Mask: c.Mask, Sensor: c.Sensor, User: c.User,
			Static: query.Has(g.static),
		})
		entities[wantID] = e
		if fresh.IsNowhere(wantID) {
			faults[e] = FaultBadNumbers
		} else {
			got, _ := space.physics.Collider(id)
			want, _ := fresh.Collider(wantID)
			assert.Equal(t, want, got)
			back, ok := space.Entity(id)
			assert.True(t, ok)
			assert.Equal(t, e, back)
		}
	}
	assert.Equal(t, n, space.Len())
	assert.Equal(t, n, space.Stats().Colliders)
	assert.Equal(t, fresh.Len(), space.physics.Len())
	nowhere := map[ecs.Entity]Fault{}
	for e, fault := range space.Nowhere() {
		nowhere[e] = fault
	}
	assert.Equal(t, faults, nowhere)
	assert.Equal(t, len(faults), space.Stats().Nowhere)
	require.NoError(t, space.physics.Validate())

	rows := 0
	for id, i := range space.index {
		if i != 0 {
			rows++
			assert.EqualValues(t, id, space.rows[i-1].entity.ID())
		}
	}
	assert.Equal(t, len(space.rows), rows)
	refs := 0
	for _, f := range space.shapes.entries {
		refs += int(f.refs)
	}
	assert.Equal(t, len(space.rows), refs)

	for _, ray := range probes {
		var got, want []found
		for _, h := range g.space().CastRayAll(nil, ray, Filter{Sensors: true}) {
			got = append(got, found{h.Hit.Hit, h.Entity, h.Child})
			assert.Equal(t, g.colliders.Get(h.Entity).User, h.User)
		}
		for _, h := range fresh.CastRayAll(nil, ray, physics.Filter{Sensors: true}) {
			want = append(want, found{h.Hit, entities[h.Collider], h.Child})
		}
		require.Equal(t, sortFound(want), sortFound(got), "%v", ray)
	}
}

// tetrahedron returns a small mesh.
func tetrahedron(t require.TestingT) *mesh.Mesh {
	m, err := mesh.New([]geom.Vec3{{}, {X: 1}, {Y: 1}, {Z: 1}}, []uint32{0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3})
	require.NoError(t, err)
	return m
}

// wedge returns a small hull, of which tetrahedron is the surface.
func wedge(t require.TestingT) *hull.Hull {
	h, err := hull.New([]geom.Vec3{{}, {X: 1}, {Y: 1}, {Z: 1}})
	require.NoError(t, err)
	return h
}

// crate returns the hull of a box, 2 metres wide.
func crate(t require.TestingT) *hull.Hull {
	var corners []geom.Vec3
	for i := range 8 {
		corners = append(corners, geom.V(float32(i&1*2-1), float32(i&2-1), float32(i>>2*2-1)))
	}
	h, err := hull.New(corners)
	require.NoError(t, err)
	return h
}

// quad returns a mesh of two triangles that face +Z, 4 metres wide.
func quad(t require.TestingT) *mesh.Mesh {
	m, err := mesh.New([]geom.Vec3{{X: -2, Y: -2}, {X: 2, Y: -2}, {X: 2, Y: 2}, {X: -2, Y: 2}}, []uint32{0, 1, 2, 0, 2, 3})
	require.NoError(t, err)
	return m
}

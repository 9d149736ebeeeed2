package physics

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// model is the reference of a space. It puts each collider, in its present state, alone into a new
// space, so no tree, no history and no neighbour affects the answers. The model has its own
// implementation of the filter and of the order of answers.
type model struct {
	colliders map[ColliderID]*modelCollider
	origin    geom.DVec3
	planar    bool
}

// modelCollider is a collider of the model. It is immutable, so copies of the model share it.
type modelCollider struct {
	Collider
	given, since geom.DVec3 // the position given by the caller, and the origin at that time
	alone        *Space
	bounds       geom.AABB
}

// clone returns a copy of the model.
func (m *model) clone() model { return model{maps.Clone(m.colliders), m.origin, m.planar} }

// put adds or replaces a collider.
func (m *model) put(id ColliderID, c Collider) {
	if m.planar {
		c.Transform = c.Transform.Flat()
	}
	m.hold(id, modelCollider{Collider: c, given: c.Transform.Position.Wide(), since: m.origin})
}

func (m *model) hold(id ColliderID, t modelCollider) {
	t.alone = newSpaceOf(m.planar)
	t.bounds, _ = t.alone.Bounds(t.alone.Add(t.Collider))
	m.colliders[id] = &t
}

// rebase gives all colliders their transforms relative to another origin.
func (m *model) rebase(origin geom.DVec3) {
	if m.planar {
		origin.Z = m.origin.Z
	}
	for id, t := range m.colliders {
		moved := *t
		moved.Transform.Position = geom.Vec3{
			X: float32(t.given.X + (t.since.X - origin.X)),
			Y: float32(t.given.Y + (t.since.Y - origin.Y)),
			Z: float32(t.given.Z + (t.since.Z - origin.Z)),
		}
		m.hold(id, moved)
	}
	m.origin = origin
}

// ids returns the colliders in ascending order, so that a run can be repeated.
func (m *model) ids() []ColliderID { return slices.Sorted(maps.Keys(m.colliders)) }

func (m *model) sees(id ColliderID, f Filter) bool {
	t := m.colliders[id]
	on := func(l, none Layers) Layers {
		if l == 0 {
			return none
		}
		return l
	}
	return (f.Sensors || !t.Sensor) &&
		on(f.Mask, AllLayers)&on(t.Layer, DefaultLayer) != 0 &&
		on(f.OwnLayer, AllLayers)&on(t.Mask, AllLayers) != 0 &&
		!slices.Contains(f.Exclude, id) &&
		(f.Predicate == nil || f.Predicate(id))
}

// plain returns a filter that lets every collider through, with Start and Cull of f.
func plain(f Filter) Filter { return Filter{Sensors: true, Start: f.Start, Cull: f.Cull} }

func (m *model) castAll(r geom.Ray, f Filter) []Hit {
	hits := []Hit{}
	for id, t := range m.colliders {
		if !m.sees(id, f) {
			continue
		}
		from := len(hits)
		hits = t.alone.CastRayAll(hits, r, plain(f))
		for i := from; i < len(hits); i++ {
			hits[i].Collider = id
		}
	}
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(a.T, b.T), cmp.Compare(a.Collider, b.Collider),
			cmp.Compare(a.Child, b.Child), cmp.Compare(a.Triangle, b.Triangle))
	})
	return hits
}

// overlap returns the colliders that a query finds when each is alone in a space.
func (m *model) overlap(f Filter, query func(alone *Space, f Filter) []ColliderID) []ColliderID {
	ids := []ColliderID{}
	for id, t := range m.colliders {
		if m.sees(id, f) && len(query(t.alone, Filter{Sensors: true})) > 0 {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// nearest returns all colliders within a distance, nearest first.
func (m *model) nearest(p geom.Vec3, maxDistance float32, f Filter) []Nearest {
	all := []Nearest{}
	for id, t := range m.colliders {
		if !m.sees(id, f) {
			continue
		}
		if n, ok := t.alone.Nearest(p, maxDistance, Filter{Sensors: true}); ok {
			n.Collider = id
			all = append(all, n)
		}
	}
	slices.SortFunc(all, func(a, b Nearest) int {
		return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.Collider, b.Collider))
	})
	return all
}

// pairs tests every two colliders.
func (m *model) pairs() []Pair {
	pairs := []Pair{}
	ids := m.ids()
	things := make([]*modelCollider, len(ids))
	for i, id := range ids {
		things[i] = m.colliders[id]
	}
	for i, a := range things {
		for j := i + 1; j < len(things); j++ {
			if a.pairs(things[j]) {
				pairs = append(pairs, Pair{ids[i], ids[j]})
			}
		}
	}
	return pairs
}

func (a *modelCollider) pairs(b *modelCollider) bool {
	meets := func(a, b *modelCollider) bool {
		return a.Mask == 0 || b.Layer == 0 && a.Mask&DefaultLayer != 0 || a.Mask&b.Layer != 0
	}
	switch {
	case a.Static && b.Static || !meets(a, b) || !meets(b, a) || a.bounds.IsEmpty() || b.bounds.IsEmpty():
		return false
	case endless(a.bounds) && endless(b.bounds):
		return false
	case endless(a.bounds):
		return len(a.alone.OverlapAABB(nil, b.bounds, Filter{Sensors: true})) > 0
	case endless(b.bounds):
		return len(b.alone.OverlapAABB(nil, a.bounds, Filter{Sensors: true})) > 0
	}
	return a.bounds.Min.X <= b.bounds.Max.X && b.bounds.Min.X <= a.bounds.Max.X &&
		a.bounds.Min.Y <= b.bounds.Max.Y && b.bounds.Min.Y <= a.bounds.Max.Y &&
		a.bounds.Min.Z <= b.bounds.Max.Z && b.bounds.Min.Z <= a.bounds.Max.Z
}

func endless(b geom.AABB) bool { return math.IsInf(float64(b.Max.X), 1) && !b.IsEmpty() }

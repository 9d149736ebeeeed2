package physics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// life is a space under random changes with its reference model, and snapshots of the space, each
// with the model at the time of the snapshot.
type life struct {
	space *Space
	model
	span      float32 // half the width of the region of the colliders, in metres
	odds      int     // one in so many colliders is a plane, nowhere or otherwise of an odd kind
	stale     []ColliderID
	snapshots []snapshot
	tracker   PairTracker
	touching  []Pair // at the last update of the tracker
	found     int    // answers that were not empty
}

type snapshot struct {
	space *Space
	model
	stale []ColliderID
}

func newLife(span float32, odds int, planar bool) *life {
	return &life{space: newSpaceOf(planar), model: model{colliders: map[ColliderID]*modelCollider{}, planar: planar}, span: span, odds: odds}
}

func newSpaceOf(planar bool) *Space {
	if planar {
		return NewPlanarSpace()
	}
	return NewSpace()
}

// position returns a point near zero, often with integer coordinates, so that colliders touch.
func (l *life) position(r *rand.Rand) geom.Vec3 {
	f := func() float32 { return (r.Float32()*2 - 1) * l.span }
	p := geom.V(f(), f(), f())
	if r.IntN(3) == 0 {
		p = geom.V(float32(int(p.X)), float32(int(p.Y)), float32(int(p.Z)))
	}
	return p
}

// collider returns a collider of any kind. A few have empty bounds and a few have infinite bounds.
func (l *life) collider(r *rand.Rand) Collider {
	c := (&scene{Rand: r, unit: 1}).collider()
	if l.planar {
		c.Shape = planarShape(r)
	}
	c.Transform.Position = l.position(r)
	c.Static, c.Sensor = r.IntN(2) == 0, r.IntN(8) == 0
	if r.IntN(2) == 0 {
		c.Layer, c.Mask = Layers(r.IntN(4)), Layers(r.IntN(4))
	}
	if r.IntN(3) == 0 { // so that faces have integer coordinates
		c.Shape, c.Transform.Rotation, c.Transform.Scale = unitBox, geom.Quat{}, geom.Vec3{}
	}
	plane := geom.Plane{Normal: geom.V(r.Float32()-0.5, r.Float32()-0.5, 0.25), D: r.Float32()}
	if l.planar {
		plane.Normal.Z = 0
	}
	if r.IntN(l.odds) > 0 {
		return c
	}
	switch r.IntN(8) {
	case 0, 1:
		c.Transform.Position.Y = nan
	case 2:
		c.Transform.Scale = geom.V(1, 0, 1)
	case 3:
		c.Shape = geom.Sphere{Radius: -1}
	case 4:
		c.Shape = plane
	case 5:
		c.Shape = NewCompound(Child{Shape: plane}, Child{unitSphere, geom.At(1, 2, 3)}, Child{Shape: geom.EmptyAABB()})
	case 6:
		c.Shape = NewCompound()
	}
	return c
}

// some returns up to n colliders, any of them.
func (l *life) some(r *rand.Rand, n int) []ColliderID {
	ids := l.ids()
	r.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	return ids[:min(n, len(ids))]
}

func (l *life) add(t require.TestingT, r *rand.Rand, n int) {
	for range n {
		c := l.collider(r)
		id := l.space.Add(c)
		require.Nil(t, l.colliders[id])
		require.False(t, slices.Contains(l.stale, id), "ID %v was used before", id)
		l.put(id, c)
	}
}

func (l *life) set(t require.TestingT, r *rand.Rand, n int) {
	for _, id := range l.some(r, n) {
		c := l.collider(r)
		require.True(t, l.space.Set(id, c))
		l.put(id, c)
	}
}

// move moves up to n colliders. If nearby is set, it moves each by up to 0.1 m along each axis.
// Otherwise it gives each a random transform, or a NaN position to one in 40.
func (l *life) move(t require.TestingT, r *rand.Rand, n int, nearby bool) {
	var ids []ColliderID
	var transforms []geom.Transform
	for _, id := range l.some(r, n) {
		c := l.colliders[id].Collider
		switch {
		case nearby:
			step := geom.V(r.Float32()-0.5, r.Float32()-0.5, r.Float32()-0.5).Mul(0.2)
			c.Transform.Position = c.Transform.Position.Add(step)
		case r.IntN(40) == 0:
			c.Transform.Position.X = nan
		default:
			c.Transform = (&scene{Rand: r, unit: 1}).transform(1)
			c.Transform.Position = l.position(r)
		}
		if n%2 == 0 {
			require.True(t, l.space.SetTransform(id, c.Transform))
		} else {
			ids, transforms = append(ids, id), append(transforms, c.Transform)
			if r.IntN(20) == 0 { // the last counts
				ids, transforms = append(ids, id), append(transforms, transforms[r.IntN(len(transforms))])
				c.Transform = transforms[len(transforms)-1]
			}
		}
		l.put(id, c)
	}
	found := len(ids)
	if len(l.stale) > 0 {
		ids, transforms = append(ids, l.stale[0]), append(transforms, geom.Transform{})
	}
	require.Equal(t, found, l.space.SetTransforms(ids, transforms))
}

func (l *life) remove(t require.TestingT, r *rand.Rand, n int) {
	for _, id := range l.some(r, n) {
		require.True(t, l.space.Remove(id))
		delete(l.colliders, id)
		l.stale = append(l.stale, id)
	}
}

func (l *life) clear() {
	l.space.Clear()
	l.stale = append(l.stale, l.ids()...)
	clear(l.colliders)
}

func (l *life) rebaseTo(r *rand.Rand) {
	origins := []geom.DVec3{{}, {X: 1, Y: -2, Z: 3}, {X: 0.1, Y: 0.7}, {X: 1e5, Z: -3e4 + 0.123}, {X: math.Pi, Y: 1e-7}, {Y: 1e7}}
	origin := origins[r.IntN(len(origins))]
	l.space.Rebase(origin)
	l.rebase(origin)
}

func (l *life) snap(r *rand.Rand) {
	from := snapshot{l.space, l.model, l.stale}
	if i := r.IntN(4); i < len(l.snapshots) {
		from = l.snapshots[i] // a snapshot of a snapshot
	}
	l.snapshots = append(l.snapshots, snapshot{from.space.Snapshot(), from.clone(), slices.Clone(from.stale)})
}

// restore restores any snapshot, also one of a state that a restore has undone.
func (l *life) restore(r *rand.Rand) {
	if n := len(l.snapshots); n > 0 {
		from := l.snapshots[r.IntN(n)]
		l.space.Restore(from.space)
		l.model, l.stale = from.clone(), slices.Clone(from.stale)
	}
}

// release releases a snapshot or, with the same probability, only drops it.
func (l *life) release(r *rand.Rand) {
	if n := len(l.snapshots); n > 0 {
		i := r.IntN(n)
		if r.IntN(2) == 0 {
			l.snapshots[i].space.Release()
		}
		l.snapshots = slices.Delete(l.snapshots, i, i+1)
	}
}

// track compares the pairs, and which of them began and ended, with the model.
func (l *life) track(t require.TestingT) {
	now := l.pairs()
	require.Equal(t, now, l.space.Pairs([]Pair{}), "pairs")
	l.tracker.Update(l.space)
	without := func(a, b []Pair) []Pair {
		return slices.DeleteFunc(append([]Pair{}, a...), func(p Pair) bool {
			_, has := slices.BinarySearchFunc(b, p, Pair.Compare)
			return has
		})
	}
	require.Equal(t, now, append([]Pair{}, l.tracker.All...))
	require.Equal(t, without(now, l.touching), append([]Pair{}, l.tracker.Began...), "began")
	require.Equal(t, without(l.touching, now), append([]Pair{}, l.tracker.Ended...), "ended")
	l.touching = now
	l.found += len(now)
}

// check queries the space and one of its snapshots.
func (l *life) check(t require.TestingT, r *rand.Rand) {
	require.NoError(t, l.space.Validate())
	if testenv.Race && r.IntN(4) > 0 {
		return // the race detector takes ten times as long and is for the concurrent tests
	}
	l.found += l.ask(t, l.space, r)
	for _, id := range l.stale[max(0, len(l.stale)-5):] {
		_, ok := l.space.Collider(id)
		require.False(t, ok)
		_, ok = l.space.Bounds(id)
		require.False(t, ok)
		require.True(t, l.space.IsNowhere(id))
		require.False(t, l.space.Remove(id))
		require.False(t, l.space.SetTransform(id, geom.Transform{}))
	}
	if n := len(l.snapshots); n > 0 {
		kept := l.snapshots[r.IntN(n)]
		kept.ask(t, kept.space, r)
		require.NoError(t, kept.space.Validate())
		if len(kept.colliders) < 200 {
			require.Equal(t, kept.pairs(), kept.space.Pairs([]Pair{}), "pairs of a snapshot")
		}
	}
}

// ask runs one query of each kind and returns the number of answers.
func (m *model) ask(t require.TestingT, s *Space, r *rand.Rand) (found int) {
	ids := m.ids()
	require.Equal(t, len(ids), s.Len())
	require.Equal(t, m.origin, s.Origin())
	m.askOfEach(t, s, r, ids)

	// Around a collider, or at any place.
	at, f := geom.V(r.Float32()*9, r.Float32()*9, r.Float32()*9), m.filter(r, ids)
	target := func() geom.Vec3 {
		if len(ids) == 0 || r.IntN(8) == 0 {
			return at
		}
		b := m.colliders[ids[r.IntN(len(ids))]].bounds
		if b.IsEmpty() || endless(b) {
			return at
		}
		part := func(lo, hi float32) float32 {
			return [4]float32{lo, hi, (lo + hi) / 2, lo + (hi-lo)*r.Float32()}[r.IntN(4)]
		}
		return geom.V(part(b.Min.X, b.Max.X), part(b.Min.Y, b.Max.Y), part(b.Min.Z, b.Max.Z))
	}
	step := func() geom.Vec3 { return geom.V(r.Float32()-0.5, r.Float32()-0.5, r.Float32()-0.5).Mul(20) }

	rays := make([]geom.Ray, 5)
	for i := range rays {
		p := target()
		switch o := p.Add(step()); i {
		case 0:
			rays[i] = geom.NewRay(o, p.Sub(o))
		case 1:
			rays[i] = geom.Segment(o, p)
		case 2:
			axis := geom.Axis(r.IntN(3))
			rays[i] = geom.NewRay(p.WithAxis(axis, p.Axis(axis)-15), axis.Unit())
		case 3:
			rays[i] = geom.Ray{Origin: p, Dir: step(), MinT: 0.01, MaxT: 2}
		}
	}
	found += m.askCasts(t, s, rays, f)

	box := geom.Box{Center: target(), HalfExtents: step().Abs().Mul(0.2), Rotation: geom.QuatEuler(r.Float64(), r.Float64(), 0)}
	ball := geom.Sphere{Center: target(), Radius: r.Float32() * 3}
	p := target()
	frustum := viewFrustum(geom.Transform{Position: target(), Rotation: box.Rotation}, [4]float64{0.6, 0.6, 0.4, 0.4}, 0.1, 20)
	for name, query := range map[string]func(s *Space, f Filter) []ColliderID{
		"box":            func(s *Space, f Filter) []ColliderID { return s.OverlapBox(nil, box, f) },
		"AABB":           func(s *Space, f Filter) []ColliderID { return s.OverlapAABB(nil, box.Bounds(), f) },
		"sphere":         func(s *Space, f Filter) []ColliderID { return s.OverlapSphere(nil, ball, f) },
		"point":          func(s *Space, f Filter) []ColliderID { return s.OverlapPoint(nil, p, f) },
		"frustum":        func(s *Space, f Filter) []ColliderID { return s.OverlapFrustum(nil, &frustum, f) },
		"inside frustum": func(s *Space, f Filter) []ColliderID { return s.ContainedInFrustum(nil, &frustum, f) },
	} {
		want := m.overlap(f, query)
		require.Equal(t, want, append([]ColliderID{}, query(s, f)...), "%s: %v, %v, %v, %v", name, box, ball, p, frustum)
		found += len(want)
	}

	p = target().Add(step())
	maxDistance := []float32{0, 1, 6, infinity}[r.IntN(4)]
	all := m.nearest(p, maxDistance, f)
	near, ok := s.Nearest(p, maxDistance, f)
	require.Equal(t, len(all) > 0, ok, "nearest to %v within %v", p, maxDistance)
	if ok {
		require.Equal(t, all[0], near, "nearest to %v within %v", p, maxDistance)
	}
	k := []int{1, 2, 7, len(all), len(all) + 1}[r.IntN(5)]
	require.Equal(t, all[:min(k, len(all))], s.NearestK([]Nearest{}, p, k, maxDistance, f), "%d nearest to %v within %v", k, p, maxDistance)
	return found + len(all)
}

func (m *model) filter(r *rand.Rand, ids []ColliderID) (f Filter) {
	f.Start, f.Cull = geom.StartMode(r.IntN(3)), geom.Cull(r.IntN(3))
	if r.IntN(2) == 0 {
		return f
	}
	f.OwnLayer, f.Mask, f.Sensors = Layers(r.IntN(4)), Layers(r.IntN(4)), r.IntN(2) == 0
	for range r.IntN(3) {
		if len(ids) > 0 {
			f.Exclude = append(f.Exclude, ids[r.IntN(len(ids))])
		}
	}
	if r.IntN(3) == 0 {
		f.Predicate = func(id ColliderID) bool { return id%3 != 0 }
	}
	return f
}

// askOfEach compares the data of some colliders.
func (m *model) askOfEach(t require.TestingT, s *Space, r *rand.Rand, ids []ColliderID) {
	n := 0
	for id, c := range s.All() {
		if one := m.colliders[id]; one == nil || one.User != c.User {
			require.Fail(t, "All yields a collider that differs from the model", "%v, %v", id, c)
		}
		n++
	}
	require.Equal(t, len(ids), n)
	for range min(len(ids), 10) {
		id := ids[r.IntN(len(ids))]
		want := m.colliders[id]
		c, ok := s.Collider(id)
		require.True(t, ok)
		require.Equal(t, fmt.Sprint(want.Collider), fmt.Sprint(c)) // as text, NaN equals NaN
		at, ok := s.Transform(id)
		require.True(t, ok)
		require.Equal(t, fmt.Sprint(c.Transform), fmt.Sprint(at))
		b, ok := s.Bounds(id)
		require.True(t, ok)
		require.Equal(t, want.bounds, b)
		require.Equal(t, want.bounds.IsEmpty(), s.IsNowhere(id))
	}
}

// askCasts runs every query with a ray.
func (m *model) askCasts(t require.TestingT, s *Space, rays []geom.Ray, f Filter) (found int) {
	hits, anys := s.CastRays([]Hit{}, rays, f), s.CastRaysAny([]bool{}, rays, f)
	require.Len(t, hits, len(rays))
	require.Len(t, anys, len(rays))
	for i, r := range rays {
		want := m.castAll(r, f)
		found += len(want)
		require.Equal(t, want, s.CastRayAll([]Hit{}, r, f), "all %v", r)
		require.Equal(t, len(want) > 0, s.CastRayAny(r, f), "any %v", r)
		require.Equal(t, len(want) > 0, anys[i], "any of many %v", r)
		hit, ok := s.CastRay(r, f)
		require.Equal(t, len(want) > 0, ok, "closest %v", r)
		if !ok {
			require.Equal(t, Hit{Hit: geom.Hit{T: infinity, Triangle: -1}, Child: -1}, hits[i], "%v", r)
			continue
		}
		require.Equal(t, want[0], hit, "closest %v", r)
		require.Equal(t, want[0], hits[i], "closest of many %v", r)
		got := []Hit{}
		for h := range s.Hits(r, f) {
			if got = append(got, h); i == 1 {
				break
			}
		}
		require.Equal(t, want[:len(got)], got, "one by one %v", r)
		require.True(t, i == 1 || len(got) == len(want))
	}
	return found
}

// happen makes one random change.
func (l *life) happen(t require.TestingT, what string, r *rand.Rand, many int) {
	switch what {
	case "add":
		l.add(t, r, 1+r.IntN(3))
	case "add many":
		l.add(t, r, many)
	case "set":
		l.set(t, r, 1)
	case "set many":
		l.set(t, r, many/2)
	case "move a little":
		l.move(t, r, 2+r.IntN(2), true)
	case "move":
		l.move(t, r, 2+r.IntN(2), false)
	case "move many a little":
		l.move(t, r, many+r.IntN(2), true)
	case "move many":
		l.move(t, r, many+r.IntN(2), false)
	case "remove":
		l.remove(t, r, 1)
	case "remove many":
		l.remove(t, r, many/2)
	case "clear":
		if r.IntN(4) == 0 {
			l.clear()
		}
	case "rebase":
		l.rebaseTo(r)
	case "update":
		l.space.Update()
	case "snapshot":
		l.snap(r)
	case "release":
		l.release(r)
	case "restore":
		l.restore(r)
	case "track":
		l.track(t)
	default:
		require.Fail(t, what)
	}
}

var events = []string{
	"add", "add many", "set", "set many", "move a little", "move", "move many a little", "move many", "remove", "remove many",
	"clear", "rebase", "update", "snapshot", "release", "restore", "track",
}

// TestLife makes random changes. After each change it compares all queries of the space and of a
// snapshot with the model.
func TestLife(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := newLife(rapid.SampledFrom([]float32{4, 8, 16}).Draw(t, "span"), 8, rapid.IntRange(0, 3).Draw(t, "kind") == 3)
		many := rapid.IntRange(5, 60).Draw(t, "many")
		actions := map[string]func(*rapid.T){"": func(t *rapid.T) { l.check(t, drawRand(t)) }}
		for _, what := range events {
			actions[what] = func(t *rapid.T) { l.happen(t, what, drawRand(t), many) }
		}
		t.Repeat(actions)
	})
}

func drawRand(t *rapid.T) *rand.Rand { return rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)) }

// TestLifeOfThousands is TestLife with enough colliders for the parallel paths of the tree.
func TestLifeOfThousands(t *testing.T) {
	many, steps := 700, 45
	if testenv.Race || testing.Short() {
		many, steps = 150, 40
	}
	for seed := range uint64(2) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := testenv.Rand(seed, 2)
			// A plane pairs with most of the others: of many planes there would be half a million
			// pairs.
			l := newLife(float32(3*math.Cbrt(float64(many))), 100, false)
			l.add(t, r, 2*many)
			for range steps {
				what := events[r.IntN(len(events))]
				if what == "clear" && r.IntN(3) > 0 || what == "add many" && len(l.colliders) > 3*many {
					what = "move many a little"
				}
				l.happen(t, what, r, many)
				l.check(t, r)
			}
			l.track(t)
			assert.Greater(t, l.found, 2*steps)
		})
	}
}

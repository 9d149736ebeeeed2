package physics

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// recycler compares a tracker that recycles contacts with the contacts found by brute force.
type recycler struct {
	tracker  ContactTracker
	log      map[contactKey]bool // touches that have begun and not ended, by the events alone
	history  []moment            // one per update
	recycled int
	spared   int // pairs that were not compared, since they could not touch yet
}

// moment holds the contacts and the transforms at one update.
type moment struct {
	contacts map[Pair]Contact
	places   map[ColliderID]geom.Transform
}

func newRecycler() *recycler {
	r := &recycler{log: map[contactKey]bool{}, history: make([]moment, 1)}
	r.tracker.table.patient = true // so that pairs are searched one by one
	return r
}

// update updates the tracker. Its contacts must be those found by brute force, bit for bit, except
// the contacts that it recycles.
func (r *recycler) update(t require.TestingT, s *Space, margin float32, truth []Contact) {
	r.tracker.Update(s)
	r.tracker.table.requireValid(t, s)
	now := moment{map[Pair]Contact{}, map[ColliderID]geom.Transform{}}
	for _, x := range truth {
		now.contacts[x.Pair()] = x
	}
	for id, c := range s.All() {
		now.places[id] = c.Transform
	}
	r.history = append(r.history, now)
	own := map[Pair]Contact{}
	for _, x := range r.tracker.kept(r.tracker.All) {
		own[x.Pair()] = x
		slot := r.tracker.table.slots[r.tracker.table.set.slot(r.tracker.table.slots, x.Pair())].contact - 1
		c := r.tracker.checks.contact(slot)
		if c.copied && c.found > 0 {
			r.recycled++
			r.requireRecycled(t, s, margin, &x, slot)
			continue
		}
		want, ok := now.contacts[x.Pair()]
		require.True(t, ok, "%v does not touch", x.Pair())
		want.since = x.since
		require.Equal(t, want, x)
	}
	for _, x := range truth {
		require.Contains(t, own, x.Pair())
	}
	for slot := range r.tracker.table.slots {
		k := &r.tracker.table.slots[slot]
		if k.A != 0 && k.contact == 0 && r.tracker.table.pathOf(k) > k.sum && r.tracker.table.isStillApart(k) {
			r.spared++
		}
	}
	r.requireLog(t)
}

// requireLog replays the events.
func (r *recycler) requireLog(t require.TestingT) {
	for i := range r.tracker.Ended {
		k := r.tracker.Ended[i].key()
		require.True(t, r.log[k], "%v ends and did not begin", k)
		delete(r.log, k)
	}
	for i := range r.tracker.Began {
		k := r.tracker.Began[i].key()
		require.False(t, r.log[k], "%v begins again", k)
		r.log[k] = true
	}
	require.Len(t, r.log, len(r.tracker.All))
	for i := range r.tracker.All {
		require.True(t, r.log[r.tracker.All[i].key()])
	}
}

// requireRecycled compares a recycled contact with the contact found last, moved with the
// colliders.
func (r *recycler) requireRecycled(t require.TestingT, s *Space, margin float32, x *Contact, slot int32) {
	found := r.history[r.tracker.checks.contact(slot).found]
	base, ok := found.contacts[x.Pair()]
	require.True(t, ok, "recycled without an earlier contact")
	require.False(t, x.Sensor)
	require.Equal(t, base.Manifolds, append([]Manifold(nil), r.tracker.checks.contact(slot).finding.manifolds.list()...), "the recycled manifolds are those found last")
	a, b := carried{found.places[x.A], r.now().places[x.A], false}, carried{found.places[x.B], r.now().places[x.B], false}
	p, _ := s.Collider(x.A)
	q, _ := s.Collider(x.B)
	_, a.upright = p.Shape.(geom.AABB)
	_, b.upright = q.Shape.(geom.AABB)

	// A point that moves with a collider is rounded to float32 in itself and in the positions and
	// rotations of both colliders, then and now. A rotation has four numbers, each of which turns
	// by twice its error. That is 1 + 2·2·(1 + 2) roundings, and as many for the other point.
	const rounding = 26 * 0x1p-24
	size := float32(0) // the furthest coordinate of all of these, in metres
	for _, p := range [...]geom.Vec3{a.was.Position, a.is.Position, b.was.Position, b.is.Position} {
		size = max(size, p.Len())
	}
	for _, id := range [2]ColliderID{x.A, x.B} {
		if bounds, _ := s.Bounds(id); !endless(bounds) {
			size = max(size, bounds.Min.Len(), bounds.Max.Len())
		}
	}
	slack := rounding * float64(size)

	// The corners of the bounds of one collider have moved no further than allowed in the frame of
	// the other.
	limit := float64(DefaultRecycleDistance)
	far := min(a.motion(s, x.A, &b), b.motion(s, x.B, &a))
	require.LessOrEqual(t, far, limit+slack)
	require.Len(t, x.Manifolds, len(base.Manifolds))
	for i := range x.Manifolds {
		m, n := &x.Manifolds[i], &base.Manifolds[i]
		require.InDelta(t, 1, m.Normal.Len(), rounding)
		require.Equal(t, [2]int32{n.ChildA, n.ChildB}, [2]int32{m.ChildA, m.ChildB})
		// The normal is rotated with one of the two colliders.
		turned := min(m.Normal.Distance(a.turn(n.Normal)), m.Normal.Distance(b.turn(n.Normal)))
		require.LessOrEqual(t, turned, float32(rounding))
		k := 0
		for _, was := range n.ContactPoints() {
			pa, pb := a.point(was.PointA), b.point(was.PointB)
			depth := pa.Sub(pb).Dot(m.Normal.Wide()) - was.PointA.Wide().Sub(was.PointB.Wide()).Dot(n.Normal.Wide()) + float64(was.Depth)
			if k == int(m.N) || !m.Points[k].SamePlace(&was) {
				require.LessOrEqual(t, depth, float64(-margin)+slack, "a point within the margin stays")
				continue
			}
			is := m.Points[k]
			k++
			require.InDelta(t, depth, float64(is.Depth), slack)
			require.GreaterOrEqual(t, is.Depth, -margin)
			require.LessOrEqual(t, is.PointA.Wide().Sub(pa).Len(), far+slack)
			require.LessOrEqual(t, is.PointB.Wide().Sub(pb).Len(), far+slack)
			across := is.PointA.Sub(is.PointB).Sub(m.Normal.Mul(is.Depth))
			require.LessOrEqual(t, across.Len(), float32(slack), "PointA − PointB is Depth times Normal")
			off := func(at geom.Vec3, s Shape, place geom.Transform) float64 {
				c, _ := ClosestPoints(Placed{Shape: geom.Sphere{Center: at}}, Placed{s, place}, infinity)
				return float64(c.Distance)
			}
			require.LessOrEqual(t, off(is.PointA, p.Shape, a.is), off(was.PointA, p.Shape, a.was)+far+slack)
			require.LessOrEqual(t, off(is.PointB, q.Shape, b.is), off(was.PointB, q.Shape, b.was)+far+slack)
		}
		require.Equal(t, int(m.N), k)
	}
	// The colliders touch or nearly touch.
	_, near := ClosestPoints(Placed{p.Shape, p.Transform}, Placed{q.Shape, q.Transform}, margin+2*DefaultRecycleDistance)
	require.True(t, near)
}

func (r *recycler) now() *moment { return &r.history[len(r.history)-1] }

// carried is a collider that was at one transform and is at another now.
type carried struct {
	was, is geom.Transform
	upright bool // it does not rotate
}

// point returns the present world position of a point of the collider, given its former one.
func (c *carried) point(p geom.Vec3) geom.DVec3 {
	d := p.Wide().Sub(c.was.Position.Wide())
	return c.is.Position.Wide().Add(d).Add(c.turn(d.Narrow()).Wide().Sub(d.Narrow().Wide()))
}

func (c *carried) turn(v geom.Vec3) geom.Vec3 {
	if c.upright {
		return v
	}
	return c.is.Rotation.Rotate(c.was.Rotation.Inverse().Rotate(v))
}

// back returns the inverse motion.
func (c *carried) back() *carried { return &carried{c.is, c.was, c.upright} }

// motion returns the largest distance, in metres, that corners of the bounds have moved in the
// frame of another collider.
func (c *carried) motion(s *Space, id ColliderID, o *carried) (far float64) {
	b, _ := s.Bounds(id)
	if b.Max.X-b.Min.X > 1e6 {
		return 1e9
	}
	for i := range 8 {
		p := b.Min
		if i&1 > 0 {
			p.X = b.Max.X
		}
		if i&2 > 0 {
			p.Y = b.Max.Y
		}
		if i&4 > 0 {
			p.Z = b.Max.Z
		}
		was := c.back().point(p).Narrow()
		far = max(far, o.point(was).Sub(p.Wide()).Len())
	}
	return far
}

// The contacts of colliders that rest, creep, roll and rotate against each other are recycled as
// documented, and not otherwise.
func TestRecycledContacts(t *testing.T) {
	r := testenv.Rand(11, 12)
	shapes := []Shape{
		unitBox, unitAABB, testHulls[0], testHulls[3], geom.Capsule{A: geom.V(-1, 0, 0), B: geom.V(1, 0, 0), Radius: 0.5}, unitSphere,
		NewCompound(Child{unitBox, geom.At(-1, 0, 0)}, Child{unitSphere, geom.At(1, 0, 0)}), NewCompound(Child{Shape: unitAABB}),
		testMeshes[0], geom.Box{HalfExtents: geom.V(0.02, 0.02, 0.02)},
	}
	grounds := []Shape{ground, geom.AABB{Min: geom.V(-9, -1, -9), Max: geom.V(9, 0, 9)}, terrain(4), unitBox, testHulls[1]}
	recycled, spared := 0, 0
	for _, floor := range grounds {
		for _, shape := range shapes {
			s, w := NewSpace(), newRecycler()
			margin := []float32{0, 0.005, 0.02}[r.IntN(3)]
			w.tracker.Margin = margin
			for i := range 3 {
				s.Add(Collider{Shape: floor, Transform: geom.At(float32(-i), float32(-3*i), float32(-i))})
			}
			id := s.Add(Collider{Shape: shape})
			// The collider falls onto the ground and creeps there.
			at := geom.Transform{Position: geom.V(0.5, 4, 0.5), Rotation: geom.QuatEuler(r.Float64(), r.Float64(), r.Float64())}
			for fall := float32(2); fall > 1e-3; fall /= 2 {
				lower := at
				lower.Position.Y -= fall
				s.SetTransform(id, lower)
				if touches := len(contactTwin(s, 0, nil)) > 0; !touches {
					at = lower
				}
			}
			at.Position.Y -= []float32{-0.01, 0.002, 0.004}[r.IntN(3)]
			before := map[contactKey]Contact{}
			for tick := range 30 {
				step := []float32{1e-5, 2e-4, 2e-3}[tick/10]
				random := func() float32 { return (r.Float32() - 0.5) * step }
				at.Position = at.Position.Add(geom.V(random(), random()-0.2*step, random()))
				at.Rotation = geom.QuatAxisAngle(geom.V(random(), random(), random()), float64(step)).Mul(at.Rotation)
				s.SetTransform(id, at)
				if tick%10 > 7 { // all rotate about the origin, as on a turntable
					turn := geom.QuatAxisAngle(geom.V(0, 1, 0), 0.3)
					for id, c := range s.All() {
						s.SetTransform(id, geom.Transform{Position: turn.Rotate(c.Transform.Position), Rotation: turn.Mul(c.Transform.Rotation)})
					}
					c, _ := s.Collider(id)
					at = c.Transform
				}
				truth := contactTwin(s, margin, before)
				w.update(t, s, margin, truth)
			}
			recycled += w.recycled
			spared += w.spared
		}
	}
	testenv.Drawn(t, recycled, 150)
	testenv.Drawn(t, spared, 20)
}

// With recycling off, contacts of a collider that has moved by any bit are computed again.
func TestRecyclingIsOff(t *testing.T) {
	s := NewSpace()
	s.Add(Collider{Shape: geom.AABB{Min: geom.V(-9, -1, -9), Max: geom.V(9, 0, 9)}})
	id := s.Add(Collider{Shape: unitBox, Transform: geom.At(0, 1, 0)})
	for _, tt := range []struct {
		distance float32
		recycles bool
	}{{0, true}, {0.001, true}, {-1, false}, {nan, false}, {1e-9, false}} {
		tracker := ContactTracker{RecycleDistance: tt.distance, Margin: 0.01}
		for i := range 2 {
			s.SetTransform(id, geom.At(0, 1, 1e-4*float32(i)))
			tracker.Update(s)
			require.Len(t, tracker.All, 1)
		}
		assert.Equal(t, tt.recycles, tracker.checks.contact(0).copied, "distance %v", tt.distance)
	}
}

// The bound on a rotation follows from the angle, for either sign of the quaternions.
func TestMotionIsThatOfTheCorners(t *testing.T) {
	r := testenv.Rand(5, 5)
	any := func() float32 { return r.Float32() - 0.5 }
	for range 1000 {
		from := pose{geom.V(any(), any(), any()), geom.Quat{X: any(), Y: any(), Z: any(), W: any()}.Normalize()}
		small := geom.QuatAxisAngle(geom.V(any(), any(), any()), float64(any()))
		to := pose{geom.V(any(), any(), any()), small.Mul(from.rotation)}
		if r.IntN(2) == 0 {
			to.rotation = geom.Quat{X: -to.rotation.X, Y: -to.rotation.Y, Z: -to.rotation.Z, W: -to.rotation.W}
		}
		var m, still motion
		m.set(&from, &to)
		still.set(&from, &from)
		c := carried{was: geom.Transform{Position: from.position, Rotation: from.rotation}, is: geom.Transform{Position: to.position, Rotation: to.rotation}}
		for range 8 {
			p := from.position.Add(geom.V(any(), any(), any()).Normalize())
			moved := c.point(p).Sub(p.Wide())
			assert.InDelta(t, 0, m.of(p.Wide()).Sub(moved).Len(), 1e-6)
			assert.LessOrEqual(t, moved.Len(), m.displaces(&still, from.position.Wide(), 1)+1e-6)
		}
	}
}

// A finding is far only if the position of either collider, as seen from the other, has moved
// further than the distance.
func TestIsFar(t *testing.T) {
	r := testenv.Rand(51, 52)
	vec := func(size float32) geom.Vec3 {
		return geom.V(r.Float32()-0.5, r.Float32()-0.5, r.Float32()-0.5).Mul(size)
	}
	quat := func() geom.Quat {
		if r.IntN(5) == 0 {
			return geom.Quat{}
		}
		return geom.QuatEuler(6*r.Float64(), 6*r.Float64(), 6*r.Float64())
	}
	far, near := 0, 0
	for range 20_000 {
		distance := []float64{1e-4, 1e-3, 1e-2}[r.IntN(3)]
		step := float32(distance) * []float32{0, 0.5, 2, 10}[r.IntN(4)]
		var f finding
		var now [2]pose
		for i := range f.poses {
			f.poses[i] = pose{vec(3), quat()}
			now[i] = pose{f.poses[i].position.Add(vec(step)), f.poses[i].rotation}
			switch q := &now[i].rotation; r.IntN(6) {
			case 0:
				*q = quat()
			case 1:
				*q = geom.Quat{X: -q.X, Y: -q.Y, Z: -q.Z, W: -q.W}
			case 2:
				*q = geom.Quat{X: 3 * q.X, Y: 3 * q.Y, Z: 3 * q.Z, W: 3 * q.W}
			case 3, 4:
				*q = geom.QuatAxisAngle(vec(1), r.Float64()*float64(step)).Mul(*q)
			}
		}
		if !f.isFar(&now[0], &now[1], distance) {
			near++
			continue
		}
		far++
		var a, b motion
		a.set(&f.poses[0], &now[0])
		b.set(&f.poses[1], &now[1])
		for i := range f.poses {
			at := f.poses[i].position.Wide()
			require.Greater(t, a.of(at).Sub(b.of(at)).Len(), distance)
		}
	}
	testenv.Drawn(t, far, 500)
	testenv.Drawn(t, near, 2000)
}

package rigid

import (
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// Continuous collision: a contact begins at the margin, which grows with the speed up to
// Settings.MaxMargin, so a body that moves further in a step may be behind a wall before it has
// one. The core of such a body, a sphere around the centre of mass and well within the shape, is
// cast along the way of the centre; where it hits, the body is stopped, and the next step finds the
// contact. Until then only parts that are not the core can be in the wall. The rotation is not
// stopped: it does not move the centre.
//
// Whether a body is fast is decided by its speed before the step and by its displacement in it, as
// far as that is not the one that its contacts were found for: what hits a wall has little of the
// latter. A body whose core may be at a wall is fast too, since contacts are soft.
//
// A core is too small to touch what the body rests on or leans against. Box2D decides by the same
// idea which bodies to stop.
//
// Most of what is fast need not be cast. A ball around the centre is within the shape. It is apart
// from all that the shape does not touch at the start of the step, and no deeper in the rest than
// the contact. So the core, which is smaller, touches nothing within a way of the difference.

// coreShare is the radius of the core as a share of half of the least thickness.
const coreShare = 0.25

// coreOf returns the radius of a body's core. Of a box, twice the sum of the squares of the
// distances from the middle plane is the mass times two thirds of the square of half the thickness;
// of other shapes that is a fair estimate, whatever the rotation.
func coreOf(m *Mass, bounds geom.AABB, planar bool) float32 {
	half := bounds.Max.Sub(bounds.Min).Mul(0.5)
	if planar {
		half.Z = 0.5 // as thick as its mass
	}
	thick := min(half.X, half.Y, half.Z)
	i := m.Inertia
	for _, across := range [...]float32{i.X + i.Y - i.Z, i.Y + i.Z - i.X, i.Z + i.X - i.Y} {
		if square := 1.5 * across / m.Mass; square > 0 {
			thick = min(thick, float32(math.Sqrt(float64(square))))
		}
	}
	return coreShare * thick
}

// roomOf returns how far the centre of a body may move before its core touches what the shape, of
// which no point is further than reach from the centre, was apart from; 0 if that is unknown. What
// the tracker recycles may be deeper than it says, by twice its distance.
func roomOf(s physics.Shape, at geom.Transform, core, reach float32) float32 {
	f := at.Factors()
	p := at.Rotation.Inverse().Rotate(at.Position.Neg())
	p = geom.Vec3{X: p.X / f.X, Y: p.Y / f.Y, Z: p.Z / f.Z}
	var inner float32
	if s, ok := s.(interface{ SignedDistance(geom.Vec3) float32 }); ok {
		inner = -s.SignedDistance(p)
	}
	f = f.Abs()
	return max(0, float32(inner*min(f.X, f.Y, f.Z))-core-float32(2*min(physics.DefaultRecycleDistance, reach/512)))
}

// foresees reports whether the contacts of a body were found with a margin by its displacement in
// this step, as it is without an impact: the one that is known. It does not for bodies so thin that
// they may turn through a wall about the contact that was found, nor for those of several
// colliders.
func (d *Dynamics) foresees(b *body, known, way geom.Vec3) bool {
	most := min(d.Settings.MaxMargin-d.Settings.Margin, 2*b.core)
	return most > 0 && known == way && len(b.parts) == 1 && b.local.LenSq() <= float32(b.core*b.core)/16 && way.LenSq() <= float32(most*most)
}

// strays reports whether a body has moved so far from the way that its contacts were found for that
// it may have missed one.
func (d *Dynamics) strays(b *body, way, moved geom.Vec3) bool {
	if !d.isFast(b, moved) {
		return false
	}
	s := way.LenSq()
	if s == 0 {
		return true
	}
	return d.isFast(b, moved.Sub(way.Mul(min(max(moved.Dot(way)/s, 0), 1))))
}

// isFast reports whether a body may miss a contact that moves so far in a step.
func (d *Dynamics) isFast(b *body, moved geom.Vec3) bool {
	far := max(d.Settings.Margin, b.core)
	return moved.LenSq() > float32(far*far)
}

// deep returns how deep a dynamic body is in another one that is not, at a manifold; 0 of others.
func (d *Dynamics) deep(c *contact, m *physics.Manifold) float32 {
	if d.bodies[c.a].moves && d.bodies[c.b].moves {
		return 0
	}
	return max(0, m.Depth())
}

// press bounds the ways on which bodies hit nothing by how deep they are in what is not dynamic. A
// mesh is a surface, in which nothing is deep. The bodies whose core may touch something are fast.
func (d *Dynamics) press() {
	for i := range d.jobs {
		j := &d.jobs[i]
		if j.deep == 0 {
			continue
		}
		i := j.kept.a
		if !d.bodies[i].moves {
			i = j.kept.b
		}
		b, p := &d.bodies[i], &d.passages[i]
		b.fast = b.fast || j.deep > b.core
		p.room = max(0, min(p.room, b.clear-j.deep))
		if f := j.manifold; f.Points[0].TriangleA >= 0 || f.Points[0].TriangleB >= 0 {
			p.room = 0
		}
	}
}

// stopper is what a worker stops bodies with. The function is made once, so that a step allocates
// nothing.
type stopper struct {
	d       *Dynamics
	body    int32     // the one that is stopped now
	way     geom.Vec3 // its displacement
	stops   func(physics.ColliderID) bool
	passed  []physics.ColliderID // whose one-way surfaces it met from behind in this step
	own     []physics.ColliderID // those of the body
	bullets bool                 // whether there were any in this step
	near    []physics.ColliderID // what is not dynamic in a region
	walls   []geom.AABB          // their bounds
	region  geom.AABB            // around the bodies that were looked at last
	credit  int                  // see isClear
	stays   func(physics.ColliderID) bool
}

func (d *Dynamics) newStopper() *stopper {
	s := &stopper{d: d}
	s.stops = s.isStop
	s.stays = func(id physics.ColliderID) bool {
		s.credit -= lookCost
		return !d.bodies[d.owner(id).body].moves
	}
	return s
}

// isStop reports whether a collider stops the core of the body.
func (s *stopper) isStop(id physics.ColliderID) bool {
	o := s.d.owner(id)
	if s.d.bodies[o.body].moves || slices.Contains(s.passed, id) || s.d.isExempt(s.body, o.body) {
		return false
	}
	return !o.made || o.material.OneWay == (geom.Vec3{}) || s.d.turned(o.material.OneWay, id).Dot(s.way) < 0
}

// stop shortens the displacement of a fast body to where its core hits what is not dynamic. A
// one-way surface that it passes, or hits from behind, is none of that.
func (s *stopper) stop(i int32) {
	b, m := &s.d.bodies[i], &s.d.motions[i]
	s.body, s.way, s.passed = i, m.moved, s.d.appendPassed(s.passed[:0], i)
	for {
		h, ok := s.castCore(b, m.moved, s.stops)
		switch o := s.d.owner(h.Collider); {
		case !ok:
			return
		case !s.d.isBehind(o.material.OneWay, h.Collider, h.Normal):
			m.moved = m.moved.Mul(h.T)
			return
		}
		s.passed = append(s.passed, h.Collider)
	}
}

const (
	// regionShare is by how much a region exceeds the way of the first body that needs it, in radii
	// of that. Greater: more bodies share it, and more colliders are in it.
	regionShare = 4
	// lookCost is about the time for one collider in a region, savedCast that of a cast, and
	// mostCredit how much of it may be spent on regions that no others share. After that only one
	// of as many fast bodies as its region would have cost takes one.
	lookCost, savedCast, mostCredit = 16, 64, 1 << 12
)

// isClear is true only if the core of a body meets nothing on its way: the bounds of what is not
// dynamic are elsewhere. They are searched for in a region around, which the limbs of a figure that
// falls share. Single bodies, and those in a dense heap, are cast in less time, so searches have to
// earn what they cost.
func (s *stopper) isClear(b *body, way geom.Vec3) bool {
	searches := !s.region.Contains(b.center)
	if searches && s.credit < 0 {
		s.credit++
		return false
	}
	from, to := geom.AABBAround(b.center, geom.Vec3{}), geom.AABBAround(b.center.Add(way), geom.Vec3{})
	box := from.Union(to)
	box = box.Grow(float32(2*b.core) + placed.Slack(&box))
	if searches {
		s.region, s.walls = box.Grow(float32(regionShare*b.reach)), s.walls[:0]
		s.near = s.d.space.OverlapAABB(s.near[:0], s.region, physics.Filter{Predicate: s.stays})
		for _, id := range s.near {
			wall, _ := s.d.space.Bounds(id)
			s.walls = append(s.walls, wall.Grow(placed.Slack(&wall)))
		}
	} else if !s.region.Contains(box.Min) || !s.region.Contains(box.Max) {
		return false
	}
	s.credit = min(s.credit+savedCast, mostCredit)
	return !slices.ContainsFunc(s.walls, box.OverlapsAABB)
}

// appendPassed appends the colliders that the solver leaves alone with a body in this step.
func (d *Dynamics) appendPassed(dst []physics.ColliderID, i int32) []physics.ColliderID {
	last := d.passages[i].passes
	if last == 0 {
		return dst
	}
	dst = append(dst, last)
	for _, slot := range d.passing {
		switch c, t := d.contacts.at(slot), d.tracker.Contact(slot); i {
		case c.a:
			dst = append(dst, t.B)
		case c.b:
			dst = append(dst, t.A)
		}
	}
	return dst
}

// stopFast locks axes, and stops the bodies that are fast.
func (d *Dynamics) stopFast(worker, from, to int) {
	s := d.stoppers[worker]
	s.region = geom.EmptyAABB()
	for _, i := range d.awake[from:to] {
		b, m, p := &d.bodies[i], &d.motions[i], &d.passages[i]
		if b.set.Locked != 0 {
			b.lock(m)
		}
		if b.moves && b.awake && (b.fast || d.strays(b, p.way, m.moved)) {
			if d.cautious || !(m.moved.LenSq() <= float32(p.room*p.room)) && !s.isClear(b, m.moved) {
				s.stop(i)
			}
			b.fast = b.set.Bullet
			s.bullets = s.bullets || b.fast
		}
	}
}

// stopBullets stops fast bullets at moving bodies too.
func (d *Dynamics) stopBullets() {
	any := false
	for _, s := range d.stoppers {
		any = any || s.bullets
		s.bullets = false
	}
	if !any {
		return
	}
	farthest := float32(0)
	for _, i := range d.awake {
		if d.bodies[i].moves && d.bodies[i].awake {
			farthest = max(farthest, d.motions[i].moved.LenSq())
		}
	}
	farthest = float32(math.Sqrt(float64(farthest)))
	for _, i := range d.awake {
		if b := &d.bodies[i]; b.set.Bullet && b.awake && b.fast {
			d.stopBullet(i, farthest)
			b.fast = false
		}
	}
}

// stopBullet shortens the displacement of a fast bullet to where its core hits a dynamic body. Both
// move: the bullet is put to where the core touches the other body at the end of its own way.
func (d *Dynamics) stopBullet(i int32, farthest float32) {
	b, m := &d.bodies[i], &d.motions[i]
	f, ok := d.filter(b)
	if !ok {
		return
	}
	first := float32(1)
	moved := m.moved
	way := geom.AABBAround(b.center, geom.Vec3{})
	way = way.Union(geom.AABBAround(b.center.Add(moved), geom.Vec3{})).Grow(b.core + farthest)
	d.near = d.space.OverlapAABB(d.near[:0], way, f)
	for _, id := range d.near {
		other := d.owner(id).body
		if other == i || !d.bodies[other].moves || d.isExempt(i, other) {
			continue
		}
		carried := d.motions[other].moved
		d.target = id
		if h, ok := d.stoppers[0].castCore(b, moved.Sub(carried), d.isTarget); ok && h.T < first {
			first = h.T
			m.moved = carried.Add(moved.Sub(carried).Mul(h.T))
		}
	}
	if first < 1 {
		d.stoppers[0].stop(i)
	}
}

// pass notes that the two colliders of a contact pass through each other in this step.
func (d *Dynamics) pass(t *physics.Contact) {
	if i := d.owner(t.A).body; d.bodies[i].awake {
		d.passages[i].passes = t.B
	}
	if i := d.owner(t.B).body; d.bodies[i].awake {
		d.passages[i].passes = t.A
	}
}

// castCore casts the core of a body. What it overlaps from the start stops it only if it moves
// further in. The body's own colliders are excluded: the predicate is called after the cast at
// each, which is slow with those that the core lies in.
func (s *stopper) castCore(b *body, way geom.Vec3, of func(physics.ColliderID) bool) (physics.ShapeHit, bool) {
	s.own = s.own[:0]
	for i := range b.parts {
		s.own = append(s.own, b.parts[i].collider)
	}
	f, ok := s.d.filter(b)
	if !ok {
		return physics.ShapeHit{}, false
	}
	f.Predicate, f.Exclude = of, s.own
	return s.d.space.CastShape(physics.ShapeCast{
		Shape: geom.Sphere{Radius: b.core}, Transform: geom.Transform{Position: b.center}, Motion: way, MaxT: 1,
		Start: physics.StartIgnoreSeparating,
	}, f)
}

// filter returns the filter that finds what a body collides with: what its first collider does that
// is no sensor; false if all are.
func (d *Dynamics) filter(b *body) (physics.Filter, bool) {
	for i := range b.parts {
		if c, ok := d.space.Collider(b.parts[i].collider); ok && !c.Sensor {
			return filterOf(&c), true
		}
	}
	return physics.Filter{}, false
}

// filterOf returns the filter that finds what a collider collides with.
func filterOf(c *physics.Collider) physics.Filter {
	f := physics.Filter{OwnLayer: c.Layer, Mask: c.Mask}
	if f.OwnLayer == 0 {
		f.OwnLayer = physics.DefaultLayer
	}
	return f
}

// ahead returns how a collider will move in this step, unless something stops it: see
// [physics.ContactTracker.Motion].
func (d *Dynamics) ahead(id physics.ColliderID) (shift, turn geom.Vec3) {
	i := d.owner(id).body
	m := &d.motions[i]
	b := &d.bodies[i]
	shift, turn = m.v.Mul(d.Settings.Step), m.w.Mul(d.Settings.Step)
	if i != 0 {
		d.passages[i].way = shift
	}
	if b.local != (geom.Vec3{}) || len(b.parts) > 1 {
		t, _ := d.space.Transform(id)
		shift = shift.Add(turn.Cross(t.Position.Sub(b.center)))
	}
	return shift, turn
}

// mostAhead is how far, in metres, a ball, a capsule or a part of a body may be ahead of a contact,
// whatever Settings.MaxMargin is. The core stops the centre of mass alone. Parts that get through a
// mesh meanwhile are pushed out on that side, against the others: the impulses of both grow to a
// hundred times what the body weighs, and as it turns about them it gains several times its energy.
// Of a ball, and of a capsule without joints, the impact is found exactly: see foresee.
const mostAhead = 1

// farAhead returns how far ahead a collider is looked: see [physics.ContactTracker.AheadOf].
func (d *Dynamics) farAhead(id physics.ColliderID) float32 {
	i := d.owner(id).body
	b, m := &d.bodies[i], &d.motions[i]
	margin, turn := d.Settings.MaxMargin/d.Settings.Step, float32(float32(m.w.LenSq()*b.reach)*b.reach)
	if 2*(m.v.LenSq()+turn) <= float32(margin*margin) || len(b.parts) < 2 && !b.ball && !(b.round && b.joints == 0) {
		return 0 // most bodies
	}
	return min(mostAhead, d.Settings.Step*(m.v.Len()+float32(math.Sqrt(float64(turn)))))
}

package physecs

import (
	"cmp"
	"slices"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/internal/wire"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// moverWorker is the scratch memory of one worker.
type moverWorker struct {
	system *MoverSystem
	hits   []physics.MoverHit
	found  []MoverHit
	sensed []physics.ShapeHit
	passed []MoverPass
	job    *moverJob
	own    [1]physics.ColliderID         // of its entity
	sees   func(physics.ColliderID) bool // seesCollider
	// plain is a collider whose entity is there and, like all its ancestors, no mover: mostly the
	// ground, which is in the way of most.
	plain physics.ColliderID
}

// move moves one mover.
func (c *moverWorker) move(j *moverJob) {
	s, m := c.system, j.mover
	row := s.space.rowOfEntity(j.entity)
	if row == nil || row.fault != FaultNone {
		return
	}
	switch s.space.shapes.colliders[row.shape].Kind {
	case KindAABB, KindBox, KindSphere, KindCapsule, KindCylinder, KindCone, KindTaperedCapsule, KindHull:
	default:
		return
	}
	c.job, c.own[0] = j, row.id
	f := physics.Filter{
		OwnLayer: cmp.Or(m.OwnLayer, s.Filter.OwnLayer, s.space.layerOfRow(row)), Mask: cmp.Or(m.Mask, s.Filter.Mask),
		Exclude: c.own[:], Predicate: c.sees,
	}
	k, shape := s.caches[j.entity.ID()], s.space.shapes.entries[row.shape].shape
	surface := s.surface(j.state)
	if k.isSame(j, shape, s.gravity(), surface, s.space.physics.Origin()) && k.Rests(s.space.physics, &f) && !s.Filter.Sensors {
		j.moved = true
		return
	}
	k.rests, k.transform, k.mover, k.state = false, *j.transform, *m, *j.state
	how := physics.Mover{
		Shape: shape,
		Up:    m.Up, Offset: m.Offset, StepHeight: m.StepHeight, StepDepth: m.StepDepth,
		SnapDistance: m.SnapDistance, MaxSlope: m.MaxSlope, OneWay: m.OneWay, Unmoved: m.Unmoved || m.Flies,
	}
	dt := j.dt
	st := j.state.physics(*j.transform, s.space.physics.Origin())
	st.SurfaceVelocity = surface
	if m.Flies {
		st.Ground = physics.InAir
	}
	velocity, jumps := s.velocity(m, j.state, &st, dt)
	moves := velocity.Add(st.GroundVelocity)
	st.Depth = -1 // Move writes it, unless it changes nothing
	c.hits = k.Move(&how, s.space.physics, &st, velocity, dt, f, c.hits[:0])
	if j.moved = st.Depth >= 0; !j.moved {
		return
	}
	if s.Filter.Sensors {
		c.pass(j, &how, &st, f)
	}
	before := j.transform.Position
	*j.transform = st.Transform
	if p := j.position; p != nil {
		*p = WorldPosition(geom.DVec3(*p).Add(st.Transform.Position.Wide().Sub(before.Wide())))
	}
	c.writeState(j.state, &st)
	j.state.keepTime(jumps, dt)
	k.rests = sameTransform(&k.transform, j.transform) && wire.SameBits(&k.mover, m) && wire.SameBits(&k.state, j.state) && k.Rests(s.space.physics, &f)
	k.dt, k.gravity, k.surface, k.shape = dt, s.gravity(), surface, shape
	for i := range c.hits {
		h := &c.hits[i]
		c.found = append(c.found, MoverHit{*h, j.entity, s.space.owner(h.Collider), moves, dt})
	}
}

// pass appends the sensors that a mover has touched on its way from one hit to the next.
func (c *moverWorker) pass(j *moverJob, how *physics.Mover, st *physics.MoverState, f physics.Filter) {
	s, first := c.system.space, len(c.passed)
	cast := physics.ShapeCast{Shape: how.Shape, Transform: *j.transform, MaxT: 1}
	for i := range len(c.hits) + 1 {
		to := st.Transform.Position
		if i < len(c.hits) {
			to = c.hits[i].Position
		}
		cast.Motion = to.Sub(cast.Transform.Position)
		c.sensed = s.physics.CastShapeSensors(c.sensed[:0], cast, f)
		for _, h := range c.sensed {
			e := s.owner(h.Collider)
			if slices.ContainsFunc(c.passed[first:], func(p MoverPass) bool { return p.Entity == e }) {
				continue
			}
			at := cast.Transform.Position.Add(cast.Motion.Mul(h.T))
			c.passed = append(c.passed, MoverPass{j.entity, e, h.User, at, i == 0 && h.Overlaps})
		}
		cast.Transform.Position = to
	}
}

// seesCollider reports whether a collider is in the way of the current mover. The conditions apply
// to the entity and to all its ancestors.
func (c *moverWorker) seesCollider(id physics.ColliderID) bool {
	s := c.system.space
	if id == c.plain && !c.system.asks {
		return true
	}
	e := s.owner(id)
	sees, plain := s.has(e), true
	if sees && c.system.asks {
		sees = query{&s.Queries, &c.system.Filter}.seesEntity(e)
	}
	if sees {
		s.visitAncestors(e, func(a ecs.Entity) bool {
			if s.ids.mover.on(s.world, a) {
				sees, plain = a != c.job.entity && c.job.mover.MeetsMovers && !c.waitsFor(a), false
			}
			return sees
		})
	}
	if sees && plain {
		c.plain = id
	}
	return sees
}

// waitsFor reports whether the current mover does not see another one in this move, since both are
// in one place. There is no way out of each other but the same for both, on which neither comes
// free: only the one with the greater ID goes.
func (c *moverWorker) waitsFor(e ecs.Entity) bool {
	s := c.system.space
	me, other := s.rowOfEntity(c.job.entity), s.rowOfEntity(e)
	if me == nil || other == nil || e.ID() < c.job.entity.ID() {
		return false
	}
	way := other.transform.Position.Sub(me.transform.Position)
	if way.Cross(c.job.mover.up()) != (geom.Vec3{}) {
		return false
	}
	bounds, ok := s.Bounds(e)
	size := bounds.Max.Sub(bounds.Min)
	m := s.ids.mover.of(s.world, e)
	return ok && way.Len() < min(size.X, size.Y)/2 && m.MeetsMovers && !m.Disabled
}

// writeState writes the state of a mover from that of physics.
func (c *moverWorker) writeState(to *MoverState, st *physics.MoverState) {
	space := c.system.space
	*to = MoverState{
		Velocity: st.Velocity, GroundPoint: st.GroundPoint, GroundNormal: st.GroundNormal, GroundVelocity: st.GroundVelocity,
		GroundUser: st.GroundUser, GroundChild: st.GroundChild, GroundTriangle: st.GroundTriangle, Depth: st.Depth, Ground: st.Ground,
		collider: st.GroundCollider, at: st.GroundTransform, origin: space.physics.Origin(),
		JumpSpeed: to.JumpSpeed, JumpTime: to.JumpTime, AirTime: to.AirTime, Jumped: to.Jumped,
	}
	if st.Ground != physics.InAir {
		to.GroundEntity = space.owner(st.GroundCollider)
	}
}

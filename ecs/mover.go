package physecs

import (
	"cmp"
	"slices"
	"time"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/internal/par"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Mover is the component of an entity that walks: it collides with things and slides along them,
// climbs steps and slopes, and rides on platforms. [MoverSystem] moves the entities that have it
// beside a [Transform], a [MoverState] and a [Collider], which is their shape and must be a
// capsule, sphere, box, AABB or hull. Of every number but Velocity and Jump, 0 means the default,
// that of [physics.Mover]. What a mover carries, which has it for its [Parent] or for a parent's
// parent, is never in its way.
type Mover struct {
	// Velocity is the wanted velocity, in metres a second: on the ground relative to that, and its
	// part along Up counts for nothing.
	Velocity geom.Vec3
	// Jump is the speed, in metres a second, with which the mover leaves the ground at the next
	// update if it stands on any. The update sets it to 0 then; in the air it waits until the mover
	// lands.
	Jump float32
	// AirControl is how fast Velocity takes effect in the air, in metres a second each second: 0
	// not at all.
	AirControl float32
	// Up is the direction that is upward to it, of any length; 0 means the Y axis. It does not turn
	// [MoverSystem].Gravity.
	Up geom.Vec3
	// Offset, StepHeight, StepDepth, SnapDistance and MaxSlope are those of [physics.Mover].
	Offset, StepHeight, StepDepth, SnapDistance, MaxSlope float32
	// OwnLayer is the set of layers the mover is on when it asks what is in its way, and Mask those
	// that it looks at; 0 means all.
	OwnLayer, Mask physics.Layers
	// Flies makes a mover that does not fall, walk or ride: it goes where Velocity says, and
	// slides.
	Flies bool
	// Unmoved keeps it from being carried along by what it stands on.
	Unmoved bool
	// MeetsMovers makes other entities with a Mover stand in its way, and what they carry, where
	// they were at the last [Sync].
	MeetsMovers bool
}

// MoverState is the component that says what an entity with a [Mover] has come to; [MoverSystem]
// writes it. The zero MoverState is that of one which has just been made. A game that puts a mover
// elsewhere sets it so, too, so that it does not begin there with the velocity that it had and on
// the ground; what it stood on carries it no further in any case.
type MoverState struct {
	// Velocity is what is left of the velocity, in metres a second, after all that stood in its
	// way. On the ground it is relative to that and horizontal. A game may set it in the air, as
	// for a blow; one that is to lift a mover off the ground sets Ground to [physics.InAir]
	// besides.
	Velocity geom.Vec3
	// GroundPoint is where it stands, in world space, GroundNormal is the unit normal there, and
	// GroundVelocity how fast the ground moves there, in metres a second.
	GroundPoint, GroundNormal, GroundVelocity geom.Vec3
	// GroundEntity is what it stands on, GroundUser that entity's own word, and GroundChild and
	// GroundTriangle the part of it, −1 if it has none.
	GroundEntity                ecs.Entity
	GroundUser                  uint64
	GroundChild, GroundTriangle int32
	// Depth is how deep it is still in something, in metres, because there is no room for it. A
	// game that makes the Collider of a mover taller, as to stand up, asks [OverlapShape] of the
	// taller shape before, without the mover itself.
	Depth float32
	// Ground says whether it stands. In the air all that is about the ground is zero.
	Ground physics.GroundState

	collider physics.ColliderID // of GroundEntity
	at       Transform          // of that, when the mover came to stand there
	origin   geom.DVec3         // at that time
}

// MoverHit is something that stood in the way of an entity with a [Mover]; all in world space.
type MoverHit struct {
	Mover    ecs.Entity
	Entity   ecs.Entity // what stood in its way
	Child    int32      // index of the part of a compound; −1 for every other shape
	Triangle int32      // of a mesh; −1 for every other shape
	User     uint64     // of the Collider
	Point    geom.Vec3  // on the Entity
	Normal   geom.Vec3  // unit, from the Entity to the Mover
	Motion   geom.Vec3  // what was left of the mover's motion in this update, in metres, before it was turned aside
	Position geom.Vec3  // of the Mover
}

// MoverHits is the resource that holds what stood in the way of movers in the last update of a
// [MoverSystem].
type MoverHits struct {
	// List is sorted by the ID of Mover, and for each in the order in which it was met. It is valid
	// until the next update.
	List []MoverHit
	// Movers is how many were moved, and Elapsed how long that took.
	Movers  int
	Elapsed time.Duration
}

// DefaultGravity is what a [MoverSystem] takes for zero, in metres a second squared.
var DefaultGravity = geom.Vec3{Y: -9.81}

// MoverSystem moves all entities with a [Mover], on all processors, and writes their [Transform],
// their [WorldPosition] if they have one, and their [MoverState], and what stood in their way to
// [MoverHits]. They see the world as it was at the last [Sync], so let it run after [SyncSystem],
// and after a [SeparateSystem], which may push them a little into a slope; the next Sync copies
// where they have come to. Their order and the number of processors change nothing.
//
// An entity that follows a [Parent] can't be moved so. One that came after the last Sync, or whose
// collider is nowhere or of another shape, stays where it is.
type MoverSystem struct {
	// DT is the length of an update in seconds; 0 means [DefaultDT].
	DT float32
	// Gravity is the acceleration of all that falls, in metres a second squared, whatever their Up;
	// 0 means [DefaultGravity].
	Gravity geom.Vec3
	// Filter says what is in the way of movers, besides what each says itself; the Layer and Mask
	// of one that has such go before those here. Sensors never are, and Inside and Cull are not
	// heeded. A Predicate is asked from several goroutines at once, of all that is near a mover;
	// the zero Filter costs nothing.
	Filter Filter

	moving  ecs.Mask // what an entity has that is moved
	asks    bool     // Filter, of each entity
	jobs    []moverJob
	caches  []*physics.MoverCache // by entity ID
	workers []*moverWorker
	loop    par.Loop[*MoverSystem]
	space   *Space
}

// moverJob is one entity to move. The pointers are into Arche's columns, and live for one update.
type moverJob struct {
	entity    ecs.Entity
	transform *Transform
	mover     *Mover
	state     *MoverState
	position  *WorldPosition
}

// moverWorker is the scratch memory of one worker.
type moverWorker struct {
	system *MoverSystem
	hits   []physics.MoverHit
	found  []MoverHit
	job    *moverJob
	sees   func(physics.ColliderID) bool // seesCollider
}

// Initialize adds [Space], [Meshes] and [MoverHits] unless the world has them, and registers the
// components. Panics in a locked world.
func (s *MoverSystem) Initialize(w *ecs.World) {
	initialize(w)
	resourceOf(w, zero[MoverHits])
}

// Update moves the movers. It allocates nothing once there is room for as many as there are, each
// of which has a [physics.MoverCache]. Panics if a Predicate does; what has been moved until then
// stays moved.
func (s *MoverSystem) Update(w *ecs.World) {
	start := time.Now()
	space, hits := initialize(w), resourceOf(w, zero[MoverHits])
	s.space, s.asks = space, !s.Filter.isPlain()
	defer s.forget()
	s.collect(w)
	hits.List = hits.List[:0]
	hits.List = s.moveAll(hits.List)
	slices.SortStableFunc(hits.List, func(a, b MoverHit) int { return cmp.Compare(a.Mover.ID(), b.Mover.ID()) })
	hits.Movers = len(s.jobs)
	hits.Elapsed = time.Since(start)
}

// forget drops what is valid for one update.
func (s *MoverSystem) forget() {
	clear(s.jobs)
	s.jobs = s.jobs[:0]
	for _, c := range s.workers {
		c.found, c.job = c.found[:0], nil
	}
}

// Finalize forgets what movers remember of their surroundings. The resource stays, to be read.
func (s *MoverSystem) Finalize(*ecs.World) { s.caches, s.workers, s.space = nil, nil, nil }

// collect finds the movers.
func (s *MoverSystem) collect(w *ecs.World) {
	ids := &s.space.ids
	s.moving = ecs.All(ids.transform, ids.collider, ids.mover, ids.moverState)
	query := w.Query(&s.moving)
	for query.Next() {
		j := moverJob{
			entity:    query.Entity(),
			transform: (*Transform)(query.Get(ids.transform)),
			mover:     (*Mover)(query.Get(ids.mover)),
			state:     (*MoverState)(query.Get(ids.moverState)),
		}
		if query.Has(ids.position) {
			j.position = (*WorldPosition)(query.Get(ids.position))
		}
		s.jobs = append(s.jobs, j)
		id := int(j.entity.ID())
		if id >= len(s.caches) {
			s.caches = append(s.caches, make([]*physics.MoverCache, id+1-len(s.caches))...)
		}
		if s.caches[id] == nil {
			s.caches[id] = new(physics.MoverCache)
		}
	}
}

// moverBatch is how many movers a worker claims at once.
const moverBatch = 32

// moveAll moves all movers, and appends what stood in their way to dst.
func (s *MoverSystem) moveAll(dst []MoverHit) []MoverHit {
	n := par.Workers(len(s.jobs), moverBatch)
	for len(s.workers) < n {
		c := &moverWorker{system: s}
		c.sees = c.seesCollider
		s.workers = append(s.workers, c)
	}
	s.loop.Run(s, n, len(s.jobs), moverBatch, (*MoverSystem).moveSome)
	for _, c := range s.workers {
		dst = append(dst, c.found...)
	}
	return dst
}

// moveSome moves the movers from start to end.
func (s *MoverSystem) moveSome(worker, start, end int) {
	c := s.workers[worker]
	for i := start; i < end; i++ {
		c.move(&s.jobs[i])
	}
}

// move moves one.
func (c *moverWorker) move(j *moverJob) {
	s, m := c.system, j.mover
	row := s.space.rowOfEntity(j.entity)
	if row == nil || row.fault != FaultNone {
		return
	}
	switch s.space.forms.colliders[row.form].Kind {
	case KindAABB, KindBox, KindSphere, KindCapsule, KindHull:
	default:
		return
	}
	how := physics.Mover{
		Shape: s.space.forms.entries[row.form].shape,
		Up:    m.Up, Offset: m.Offset, StepHeight: m.StepHeight, StepDepth: m.StepDepth,
		SnapDistance: m.SnapDistance, MaxSlope: m.MaxSlope, Unmoved: m.Unmoved || m.Flies,
	}
	dt := s.DT
	if dt == 0 {
		dt = DefaultDT
	}
	c.job = j
	st := j.state.physics(*j.transform, s.space.physics.Origin())
	if m.Flies {
		st.Ground = physics.InAir
	}
	f := physics.Filter{OwnLayer: cmp.Or(m.OwnLayer, s.Filter.OwnLayer), Mask: cmp.Or(m.Mask, s.Filter.Mask), Predicate: c.sees}
	c.hits = s.caches[j.entity.ID()].Move(&how, s.space.physics, &st, s.velocity(m, &st, dt), dt, f, c.hits[:0])
	before := j.transform.Position
	*j.transform = st.Transform
	if p := j.position; p != nil {
		*p = WorldPosition(geom.DVec3(*p).Add(st.Transform.Position.Wide().Sub(before.Wide())))
	}
	c.tell(j.state, &st)
	for i := range c.hits {
		h := &c.hits[i]
		c.found = append(c.found, MoverHit{
			Mover: j.entity, Entity: s.space.owner(h.Collider), Child: h.Child, Triangle: h.Triangle, User: h.User,
			Point: h.Point, Normal: h.Normal, Motion: h.Motion, Position: h.Position,
		})
	}
}

// velocity returns with what velocity a mover sets out.
func (s *MoverSystem) velocity(m *Mover, st *physics.MoverState, dt float32) geom.Vec3 {
	if m.Flies {
		return m.Velocity
	}
	up := m.Up
	if up == (geom.Vec3{}) {
		up = geom.Vec3{Y: 1}
	}
	up = up.Normalize()
	level := func(v geom.Vec3) geom.Vec3 { return v.Sub(up.Mul(v.Dot(up))) }
	if st.Ground == physics.OnGround {
		v := level(m.Velocity)
		if m.Jump > 0 {
			v, m.Jump = v.Add(up.Mul(m.Jump)), 0
		}
		return v
	}
	g := s.Gravity
	if g == (geom.Vec3{}) {
		g = DefaultGravity
	}
	v := st.Velocity
	if m.AirControl > 0 {
		if lack := level(m.Velocity.Sub(v)); lack.Len() > m.AirControl*dt {
			v = v.Add(lack.Mul(m.AirControl * dt / lack.Len()))
		} else {
			v = v.Add(lack)
		}
	}
	return v.Add(g.Mul(dt))
}

// seesCollider reports whether a collider is in the way of the mover that is being moved. What an
// entity carries, by Parent, goes by whoever carries it.
func (c *moverWorker) seesCollider(id physics.ColliderID) bool {
	s := c.system.space
	e := s.owner(id)
	sees := s.has(e)
	if sees && c.system.asks {
		sees = query{&s.Queries, &c.system.Filter}.seesEntity(e)
	}
	if sees {
		s.lineage(e, func(a ecs.Entity) bool {
			sees = a != c.job.entity && (c.job.mover.MeetsMovers || !s.world.HasUnchecked(a, s.ids.mover))
			return sees
		})
	}
	return sees
}

// tell writes the state.
func (c *moverWorker) tell(to *MoverState, st *physics.MoverState) {
	space := c.system.space
	*to = MoverState{
		Velocity: st.Velocity, GroundPoint: st.GroundPoint, GroundNormal: st.GroundNormal, GroundVelocity: st.GroundVelocity,
		GroundUser: st.GroundUser, GroundChild: st.GroundChild, GroundTriangle: st.GroundTriangle, Depth: st.Depth, Ground: st.Ground,
		collider: st.GroundCollider, at: st.GroundTransform, origin: space.physics.Origin(),
	}
	if st.Ground != physics.InAir {
		to.GroundEntity = space.owner(st.GroundCollider)
	}
}

// physics returns the state as the space beneath knows it, with the origin that it has now.
func (m *MoverState) physics(t Transform, origin geom.DVec3) physics.MoverState {
	st := physics.MoverState{
		Transform: t, Velocity: m.Velocity, Ground: m.Ground, GroundPoint: m.GroundPoint, GroundNormal: m.GroundNormal,
		GroundVelocity: m.GroundVelocity, GroundCollider: m.collider, GroundChild: m.GroundChild, GroundTriangle: m.GroundTriangle,
		GroundUser: m.GroundUser, GroundTransform: m.at, Depth: m.Depth,
	}
	if m.origin != origin {
		st.Shift(m.origin.Sub(origin))
		st.Transform = t
	}
	return st
}

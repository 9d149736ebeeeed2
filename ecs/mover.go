package physecs

import (
	"cmp"
	"slices"
	"time"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/internal/par"
	"github.com/hitscan-go/hitscan/internal/wire"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Mover is the component of a character: it collides with colliders and slides along them, climbs
// steps and slopes, and rides on platforms. [MoverSystem] moves the entities that also have a
// [Transform], a [MoverState] and a [Collider], which must be convex and no plane.
// 0 in any number except Velocity and Jump means the default, that of [physics.Mover]. The
// descendants of a mover, by [Parent], are never in its way.
type Mover struct {
	// Velocity is the desired velocity, in metres per second: on the ground relative to the ground,
	// and without its part along Up.
	Velocity geom.Vec3
	// Jump asks for a jump, at a speed in metres per second. The next update sets it to 0. The
	// mover leaves the ground if it stands, or stood no longer than CoyoteTime ago and has not
	// jumped since. Otherwise it jumps when it lands, if that is within JumpBuffer.
	Jump float32
	// JumpBuffer is how long a jump waits for the ground, and CoyoteTime how long after it the
	// mover can still jump, in seconds. 0 means [DefaultJumpBuffer] and [DefaultCoyoteTime], and a
	// negative value that it must stand.
	JumpBuffer, CoyoteTime float32
	// AirControl is the acceleration towards Velocity in the air, in metres per second squared: 0
	// means none.
	AirControl float32
	// Up is the upward direction, of any length; 0 means the Y axis. It does not change
	// [MoverSystem].Gravity.
	Up geom.Vec3
	// Offset, StepHeight, StepDepth, SnapDistance and MaxSlope are those of [physics.Mover].
	Offset, StepHeight, StepDepth, SnapDistance, MaxSlope float32
	// Strength is the greatest force, in newtons, with which the mover pushes a [Body] in its way:
	// up to its own speed. 0 means [DefaultStrength], and a negative value none.
	Strength float32
	// Mass is the mass of the mover in kilograms, by whose weight it presses on the [Body] that it
	// stands on. 0 means [DefaultMass], and a negative value that it does not press. What gives way
	// faster than 1 m/s is not pressed, so that a light body is not thrown.
	Mass float32
	// OwnLayer is the set of layers of the mover in its queries; 0 means the Layer of its Collider.
	// Mask is the set of layers that it collides with; 0 means all.
	OwnLayer, Mask physics.Layers
	// OneWay is the layers of platforms that are solid from above alone: see [physics.Mover].
	OneWay physics.Layers
	// Flies makes a mover that does not fall, walk or ride: it moves by Velocity, and slides.
	Flies bool
	// Unmoved keeps the mover from being carried by the ground or its surface.
	Unmoved bool
	// Disabled keeps the mover where it is, at no cost. Afterwards the ground carries it from where
	// that is then.
	Disabled bool
	// Every, if above 1, makes the mover move only at one of so many updates, for the time since
	// its last move, at a fraction of the cost: for movers far away. Those of different entity IDs
	// take turns.
	Every uint8
	// MeetsMovers makes other entities with a Mover, and their descendants, stand in its way, where
	// they were at the last [Sync]. Of two that begin in one place, that of the greater ID goes.
	MeetsMovers bool
}

// MoverState is the component that holds the state of an entity with a [Mover]; [MoverSystem]
// writes it. The zero MoverState is that of a new mover. Set it when you teleport a mover, which
// otherwise keeps its velocity and the ground; the old ground carries it no further in either case.
type MoverState struct {
	// Velocity is the velocity left, in metres per second, after all collisions. On the ground it
	// is relative to the ground and horizontal. A game may set it in the air, for a blow; to lift a
	// mover off the ground set Ground to [physics.InAir] too.
	Velocity geom.Vec3
	// GroundPoint is the point that it stands on, in world space, GroundNormal the unit normal
	// there, and GroundVelocity the velocity at which the ground carried it there in the last move,
	// in metres per second: that of a platform, of a [Material].SurfaceVelocity, or both.
	GroundPoint, GroundNormal, GroundVelocity geom.Vec3
	// GroundEntity is the entity that it stands on and GroundUser its User; GroundChild and
	// GroundTriangle are the child and triangle, −1 if there is none.
	GroundEntity                ecs.Entity
	GroundUser                  uint64
	GroundChild, GroundTriangle int32
	// Depth is the penetration depth that is left, in metres, if there is too little space. Before
	// making the Collider of a mover taller, as to stand up, test the taller shape with
	// [Queries.OverlapShape], excluding the mover itself.
	Depth float32
	// JumpSpeed is the speed of a jump that waits for the ground, in metres per second, and
	// JumpTime how long it still does, in seconds.
	JumpSpeed, JumpTime float32
	// AirTime is the time, in seconds, since the mover stood; 0 while it stands.
	AirTime float32
	// Jumped is set if it has been in the air since a jump.
	Jumped bool
	// Ground says whether the mover stands. In the air all fields about the ground are zero.
	Ground physics.GroundState

	waited   uint8              // updates since the last move, by Every
	collider physics.ColliderID // of GroundEntity
	at       Transform          // the Transform of GroundEntity, when it became the ground
	origin   geom.DVec3         // the origin at that time
}

// MoverHit is a collision of an entity with a [Mover], in world space: what [physics.MoverHit] has
// of the collider in its way, and the entities.
type MoverHit struct {
	physics.MoverHit
	Mover  ecs.Entity
	Entity ecs.Entity // the one in its way

	velocity geom.Vec3 // of the mover before the move
	seconds  float32   // of the move
}

// MoverHits is the resource that holds the hits of movers in the last update of a [MoverSystem].
type MoverHits struct {
	// List is sorted by the ID of Mover, and for each mover in the order of the hits. It is valid
	// until the next update.
	List []MoverHit
	// Passed has the sensors that movers touched in the update, if MoverSystem.Filter.Sensors is
	// set, in the order of List. It is valid until the next update.
	Passed []MoverPass
	// Movers is the number of movers that were moved, which is all except those that are Disabled,
	// wait for their turn by Every, or cannot be moved, as where a number is NaN. Elapsed is the
	// time it took.
	Movers  int
	Elapsed time.Duration
}

// MoverPass is a sensor that a mover touched in an update, however fast it is.
type MoverPass struct {
	Mover, Entity ecs.Entity
	User          uint64    // the sensor's
	Position      geom.Vec3 // of the mover at the first touch, in world space
	Overlaps      bool      // the mover was in the sensor at the start of the update
}

// Defaults of [Mover], in seconds: six updates at 60 Hz.
const (
	DefaultJumpBuffer = 0.1
	DefaultCoyoteTime = 0.1
)

// DefaultGravity is the default Gravity of a [MoverSystem], in metres per second squared.
var DefaultGravity = geom.Vec3{Y: -9.81}

// DefaultStrength is the default Strength of a [Mover], in newtons: it slides a crate of 80 kg over
// a floor of friction 0.6.
const DefaultStrength = 500

// DefaultMass is the default Mass of a [Mover], in kilograms.
const DefaultMass = 80

// pressSpeed is the speed, in m/s, up to which a mover presses down what it stands on. Greater: it
// throws light bodies. Smaller: it is too light on them.
const pressSpeed = 1

// MoverSystem moves all entities with a [Mover], on all processors. It writes their [Transform],
// their [WorldPosition] if they have one, and their [MoverState], and their hits to [MoverHits].
// Movers collide with the world of the last [Sync]: run it after [SyncSystem], and after a
// [SeparateSystem], which may push movers a little into a slope. The next Sync copies their new
// positions. A [Body] in the way gets an impulse, by the mover's Strength, and one that it stands
// on by its Mass, which keeps it awake; to bodies the collider of a mover is ground that moves. A
// [Material].SurfaceVelocity carries a mover that stands on it, if a [DynamicsSystem] runs. The
// results depend neither on the order of movers nor on the number of processors.
//
// An entity that follows a [Parent] cannot be a mover. One that came after the last Sync, or whose
// collider is nowhere or has another shape, stays where it is.
type MoverSystem struct {
	// DT is the length of an update in seconds; 0 means [DefaultDT].
	DT float32
	// Gravity is the acceleration of falling movers, in metres per second squared, whatever their
	// Up; 0 means [DefaultGravity].
	Gravity geom.Vec3
	// Filter limits what is in the way of all movers; a mover's OwnLayer and Mask, unless 0,
	// replace those here. Sensors never are in the way; with Filter.Sensors each that a mover
	// touches on its way is in [MoverHits].Passed. Start and Cull have no effect. A Predicate is
	// called from several goroutines at once, for all colliders near a mover; the zero Filter costs
	// nothing.
	Filter Filter
	// Tick is the number of updates so far, by which movers with Every take turns. A game that goes
	// back in time sets it.
	Tick uint64

	moving  componentFilter
	asks    bool // Filter has conditions on entities
	jobs    []moverJob
	caches  []*moverCache // by entity ID
	workers []*moverWorker
	loop    par.Loop[*MoverSystem]
	space   *Space
}

// moverJob is one entity to move. The pointers into Arche's columns are valid for one update.
type moverJob struct {
	entity    ecs.Entity
	transform *Transform
	mover     *Mover
	state     *MoverState
	position  *WorldPosition
	dt        float32 // by which it moves
	moved     bool
}

// moverCache is what the system keeps of an entity: the obstacles around it, and the components
// after the last update, which changed none of them if rests is set.
type moverCache struct {
	physics.MoverCache
	rests     bool
	dt        float32
	gravity   geom.Vec3
	surface   geom.Vec3
	shape     physics.Shape
	transform Transform
	mover     Mover
	state     MoverState
}

// isSame reports whether an update begins as the last one did, which changed nothing.
func (k *moverCache) isSame(j *moverJob, shape physics.Shape, gravity, surface geom.Vec3, origin geom.DVec3) bool {
	return k.rests && k.dt == j.dt && wire.SameBits(&k.gravity, &gravity) && wire.SameBits(&k.surface, &surface) && k.state.origin == origin && sameTransform(&k.transform, j.transform) &&
		wire.SameBits(&k.mover, j.mover) && wire.SameBits(&k.state, j.state) && wire.SameBits(&k.shape, &shape)
}

// Initialize adds [Space], [Meshes] and [MoverHits] unless the world has them, and registers the
// components. Panics in a locked world.
func (s *MoverSystem) Initialize(w *ecs.World) {
	initialize(w)
	resourceOf[MoverHits](w)
}

// Update moves the movers. It allocates nothing once the buffers have grown to the number of
// movers, each of which has a [physics.MoverCache]. Panics if a Predicate does; movers moved until
// then stay moved.
func (s *MoverSystem) Update(w *ecs.World) {
	start := time.Now()
	space, hits := initialize(w), resourceOf[MoverHits](w)
	space.updates(s, "MoverSystem", s.dt(), &s.Filter)
	s.space, s.asks = space, !s.Filter.isPlain()
	defer s.forget()
	s.collect(w)
	s.Tick++
	hits.List, hits.Passed = hits.List[:0], hits.Passed[:0]
	s.moveAll(hits)
	slices.SortStableFunc(hits.List, func(a, b MoverHit) int { return cmp.Compare(a.Mover.ID(), b.Mover.ID()) })
	slices.SortStableFunc(hits.Passed, func(a, b MoverPass) int { return cmp.Compare(a.Mover.ID(), b.Mover.ID()) })
	if d := space.bodies; d != nil {
		for i := range hits.List {
			s.push(d, &hits.List[i])
		}
		slices.SortFunc(s.jobs, func(a, b moverJob) int { return cmp.Compare(a.entity.ID(), b.entity.ID()) })
		for i := range s.jobs {
			s.press(d, &s.jobs[i])
		}
	}
	hits.Movers = 0
	for i := range s.jobs {
		if s.jobs[i].moved {
			hits.Movers++
		}
	}
	hits.Elapsed = time.Since(start)
}

// forget drops what is valid for one update.
func (s *MoverSystem) forget() {
	clear(s.jobs)
	s.jobs = s.jobs[:0]
	for _, c := range s.workers {
		c.found, c.passed, c.job = c.found[:0], c.passed[:0], nil
	}
}

// Finalize clears the caches of all movers. The resource stays.
func (s *MoverSystem) Finalize(*ecs.World) { s.caches, s.workers, s.space = nil, nil, nil }

// collect finds the movers.
func (s *MoverSystem) collect(w *ecs.World) {
	ids := &s.space.ids
	query := s.moving.query(w, ids.transform.id, ids.collider.id, ids.mover.id, ids.moverState.id)
	for query.Next() {
		j := moverJob{
			entity:    query.Entity(),
			transform: ids.transform.at(&query),
			mover:     ids.mover.at(&query),
			state:     ids.moverState.at(&query),
		}
		if j.mover.Disabled {
			j.state.collider = 0 // what moves away meanwhile does not take it along afterwards
			j.state.waited = 0
			continue
		}
		if (s.Tick+uint64(j.entity.ID()))%uint64(max(j.mover.Every, 1)) != 0 {
			j.state.waited = max(j.state.waited, j.state.waited+1) // it stays at 255
			continue
		}
		j.dt, j.state.waited = s.dt()*float32(int(j.state.waited)+1), 0
		j.position = ids.position.maybe(&query)
		s.jobs = append(s.jobs, j)
		id := int(j.entity.ID())
		if id >= len(s.caches) {
			s.caches = append(s.caches, make([]*moverCache, id+1-len(s.caches))...)
		}
		if s.caches[id] == nil {
			s.caches[id] = new(moverCache)
		}
	}
}

// moverBatch is how many movers a worker claims at once.
const moverBatch = 32

// moveAll moves all movers, and appends their hits.
func (s *MoverSystem) moveAll(hits *MoverHits) {
	n := par.Workers(len(s.jobs), moverBatch)
	for len(s.workers) < n {
		c := &moverWorker{system: s}
		c.sees = c.seesCollider
		s.workers = append(s.workers, c)
	}
	for _, c := range s.workers {
		c.plain = 0
	}
	s.loop.Run(s, n, len(s.jobs), moverBatch, (*MoverSystem).moveSome)
	for _, c := range s.workers {
		hits.List, hits.Passed = append(hits.List, c.found...), append(hits.Passed, c.passed...)
	}
}

// moveSome moves the movers from start to end.
func (s *MoverSystem) moveSome(worker, start, end int) {
	c := s.workers[worker]
	for i := start; i < end; i++ {
		c.move(&s.jobs[i])
	}
}

// keepTime keeps the times of a mover after a move of dt seconds.
func (m *MoverState) keepTime(jumps bool, dt float32) {
	if m.JumpTime > dt/2 {
		m.JumpTime -= dt
	} else {
		m.JumpSpeed, m.JumpTime = 0, 0
	}
	if m.Ground == physics.OnGround {
		m.AirTime, m.Jumped = 0, false
	} else {
		m.AirTime, m.Jumped = m.AirTime+dt, m.Jumped || jumps
	}
}

// dt returns the length of an update.
func (s *MoverSystem) dt() float32 { return cmp.Or(s.DT, DefaultDT) }

// push pushes the body that a mover has hit.
func (s *MoverSystem) push(d *Dynamics, h *MoverHit) {
	id, ok := d.Body(h.Entity)
	if !ok {
		return
	}
	m := s.space.ids.mover.of(s.space.world, h.Mover)
	to := h.Normal.Neg()
	v, mass, _ := d.rigid.AtPoint(id, h.Point, to)
	if lack := h.velocity.Sub(v).Dot(to); lack > 0 && m.Strength >= 0 {
		d.rigid.ApplyImpulseAt(id, to.Mul(min(lack*mass, cmp.Or(m.Strength, DefaultStrength)*h.seconds)), h.Point)
	}
}

// press presses a mover's weight on the body that it stands on.
func (s *MoverSystem) press(d *Dynamics, j *moverJob) {
	mass := cmp.Or(j.mover.Mass, DefaultMass)
	if !j.moved || j.state.Ground == physics.InAir || !(mass > 0) {
		return
	}
	id, ok := d.Body(j.state.GroundEntity)
	if !ok {
		return
	}
	weight := s.gravity().Mul(mass * j.dt)
	size := weight.Len()
	if size == 0 {
		return
	}
	down := weight.Mul(1 / size)
	v, most, _ := d.rigid.AtPoint(id, j.state.GroundPoint, down)
	if lack := pressSpeed - v.Dot(down); lack > 0 {
		d.rigid.ApplyImpulseAt(id, down.Mul(min(size, lack*most)), j.state.GroundPoint)
	}
}

// surface returns the velocity at which the surface of the ground moves a mover.
func (s *MoverSystem) surface(st *MoverState) geom.Vec3 {
	if d := s.space.bodies; d != nil && st.collider != 0 {
		return d.rigid.SurfaceVelocity(st.collider, st.GroundTriangle)
	}
	return geom.Vec3{}
}

// gravity returns the acceleration of falling movers.
func (s *MoverSystem) gravity() geom.Vec3 { return cmp.Or(s.Gravity, DefaultGravity) }

// orDefault returns the default for a setting of 0, and 0 for a negative one.
func orDefault(x, unset float32) float32 { return max(cmp.Or(x, unset), 0) }

// up returns the direction that is up for a mover.
func (m *Mover) up() geom.Vec3 { return cmp.Or(m.Up, geom.Vec3{Y: 1}) }

// velocity returns the velocity of a mover before the move, and whether it jumps.
func (s *MoverSystem) velocity(m *Mover, state *MoverState, st *physics.MoverState, dt float32) (v geom.Vec3, jumps bool) {
	if m.Flies {
		return m.Velocity, false
	}
	up := m.up().Normalize()
	level := func(v geom.Vec3) geom.Vec3 { return v.Sub(up.Mul(v.Dot(up))) }
	if m.Jump > 0 {
		state.JumpSpeed, state.JumpTime = m.Jump, orDefault(m.JumpBuffer, DefaultJumpBuffer)
	}
	m.Jump = 0
	stands := st.Ground == physics.OnGround
	// Half an update more, so that the rounding of AirTime does not decide.
	late := !stands && !state.Jumped && state.AirTime <= orDefault(m.CoyoteTime, DefaultCoyoteTime)+float32(dt/2)
	jumps = state.JumpSpeed > 0 && (stands || late)
	if v = level(m.Velocity); !stands {
		v = st.Velocity
		if lack := level(m.Velocity.Sub(v)); m.AirControl > 0 && lack.Len() > m.AirControl*dt {
			v = v.Add(lack.Mul(m.AirControl * dt / lack.Len()))
		} else if m.AirControl > 0 {
			v = v.Add(lack)
		}
	}
	switch {
	case jumps:
		v = level(v).Add(up.Mul(state.JumpSpeed))
		state.JumpSpeed, state.JumpTime = 0, 0
	case !stands:
		v = v.Add(s.gravity().Mul(dt))
	}
	return v, jumps
}

// physics returns the state for package physics, at the present origin.
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

package physecs

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/rigid"
	"github.com/hitscan-go/hitscan/picking"
)

// Problem is something in a world that does nothing, or something else than was most likely meant.
type Problem struct {
	Entity    ecs.Entity // zero: the problem is of the world or a system
	Component string     // or system
	Text      string
}

// String returns the problem in words.
func (p Problem) String() string {
	if p.Entity.IsZero() {
		return p.Component + ": " + p.Text
	}
	return fmt.Sprintf("entity %d: %s: %s", p.Entity.ID(), p.Component, p.Text)
}

// Check returns what in a world will do nothing or something else than was most likely meant: a
// Mover without a MoverState, a collider that is nowhere, a physics.Collider among the components,
// a component whose system never runs, systems in the wrong order. Each problem is correct use
// somewhere, so Check is for the author of a game and not for its logic. Call it after a tick: it
// uses the faults of the last [Sync] and the updates since.
//
// The problems of systems and of the world come first, then those of entities by ID. It visits
// every entity several times, and allocates by the number of problems. It changes nothing, and may
// be called in a locked world.
func Check(w *ecs.World) []Problem {
	c := checker{w: w, space: findResource[Space](w), ids: map[reflect.Type]ecs.ID{}}
	for _, id := range ecs.ComponentIDs(w) {
		if info, ok := ecs.ComponentInfo(w, id); ok {
			c.ids[info.Type] = id
		}
	}
	if c.space == nil {
		c.add(ecs.Entity{}, "Space", "the world has none: nothing has called Sync")
	} else {
		c.faults()
		c.systems()
	}
	c.companions()
	c.values()
	slices.SortStableFunc(c.found, func(a, b Problem) int { return cmp.Compare(a.Entity.ID(), b.Entity.ID()) })
	return c.found
}

// checker collects problems. Components that are not registered have no ID in ids: looking them up
// otherwise would register them, which a locked world forbids.
type checker struct {
	w     *ecs.World
	space *Space
	ids   map[reflect.Type]ecs.ID
	found []Problem
}

func (c *checker) add(e ecs.Entity, component, format string, args ...any) {
	c.found = append(c.found, Problem{e, component, fmt.Sprintf(format, args...)})
}

// visit calls a function for all entities with a component.
func visit[T any](c *checker, f func(e ecs.Entity, v *T)) {
	id, ok := c.ids[reflect.TypeFor[T]()]
	if !ok {
		return
	}
	query := queryOf(c.w, id)
	for query.Next() {
		f(query.Entity(), (*T)(query.Get(id)))
	}
}

// lookup returns a component of an entity, nil if it has none.
func lookup[T any](c *checker, e ecs.Entity) *T {
	if id, ok := c.ids[reflect.TypeFor[T]()]; ok && hasUnchecked(c.w, e, id) {
		return (*T)(componentOf(c.w, e, id))
	}
	return nil
}

// faults adds what [Sync] and [DynamicsSystem] have found.
func (c *checker) faults() {
	for e, f := range c.space.Nowhere() {
		if alive(c.w, e) {
			c.add(e, "Collider", "no query finds it: %v", f)
		}
	}
	for e, f := range c.space.Orphans() {
		if alive(c.w, e) {
			c.add(e, "Parent", "it does not follow: %v", f)
		}
	}
	if d := c.space.bodies; d != nil {
		for _, x := range [...]struct {
			field  string
			value  float32
			effect string
		}{
			{"MaxSpeed", d.rigid.Settings.MaxSpeed, "no body moves"},
			{"MaxSpin", d.rigid.Settings.MaxSpin, "no body turns"},
			{"ContactHertz", d.rigid.Settings.ContactHertz, "bodies sink into each other"},
			{"PushSpeed", d.rigid.Settings.PushSpeed, "bodies that overlap stay so"},
			{"JointHertz", d.rigid.Settings.JointHertz, "limits that are exceeded stay so"},
		} {
			if x.value == 0 {
				c.add(ecs.Entity{}, "DynamicsSystem", "Settings.%s is 0, and %s: begin with rigid.DefaultSettings", x.field, x.effect)
			}
		}
		for id, b := range d.rigid.All() {
			most := d.rigid.Settings.MaxSpeed
			if e, ok := d.Entity(id); ok && b.MaxSpeed == 0 && most > 0 && b.Velocity.Len() > 0.999*most && alive(c.w, e) {
				c.add(e, "Body", "it goes no faster than DynamicsSystem.Settings.MaxSpeed, %g m/s", most)
			}
		}
		for e, err := range d.Faults() {
			if alive(c.w, e) {
				c.add(e, "DynamicsSystem", "%v", err) // of a Body, Joint or Material
			}
		}
	}
}

// companions adds components that lack another one, or the system that reads them.
func (c *checker) companions() {
	var (
		transform  = reflect.TypeFor[Transform]()
		collider   = reflect.TypeFor[Collider]()
		moverState = reflect.TypeFor[MoverState]()
		local      = reflect.TypeFor[LocalTransform]()
		parent     = reflect.TypeFor[Parent]()
		body       = reflect.TypeFor[Body]()
	)
	for _, r := range []struct {
		of     reflect.Type
		needs  []reflect.Type
		text   string
		system string
	}{
		{reflect.TypeFor[Mover](), []reflect.Type{transform, collider, moverState}, "it does not move", "MoverSystem"},
		{reflect.TypeFor[Projectile](), []reflect.Type{transform}, "it does not fly", "ProjectileSystem"},
		{reflect.TypeFor[RayCaster](), []reflect.Type{transform}, "it casts nothing", "CasterSystem"},
		{reflect.TypeFor[ShapeCaster](), []reflect.Type{transform}, "it casts nothing", "CasterSystem"},
		{reflect.TypeFor[Movable](), []reflect.Type{transform, collider}, "it is not pushed", "SeparateSystem"},
		{body, []reflect.Type{transform}, "it does not fall", "DynamicsSystem"},
		{reflect.TypeFor[Joint](), nil, "", "DynamicsSystem"},
		{reflect.TypeFor[Draggable](), nil, "", "DragSystem"},
		{reflect.TypeFor[Velocity](), []reflect.Type{body}, "nothing reads it", ""},
		{reflect.TypeFor[Material](), []reflect.Type{collider}, "nothing reads it", ""},
		{collider, []reflect.Type{transform}, "no query finds it", ""},
		{reflect.TypeFor[Static](), []reflect.Type{collider}, "nothing reads it", ""},
		{reflect.TypeFor[Pickable](), []reflect.Type{collider}, "nothing reads it", ""},
		{reflect.TypeFor[WorldPosition](), []reflect.Type{transform}, "nothing reads it", ""},
		{local, []reflect.Type{transform, parent}, "it follows nothing", ""},
		{parent, []reflect.Type{transform, local}, "events bubble to it, and the entity does not follow it", ""},
	} {
		id, ok := c.ids[r.of]
		if !ok {
			continue
		}
		n := 0
		query := queryOf(c.w, id)
		for query.Next() {
			n++
			for _, need := range r.needs {
				if with, ok := c.ids[need]; !ok || !query.Has(with) {
					c.add(query.Entity(), r.of.Name(), "no %s: %s", nameOf(need), r.text)
				}
			}
		}
		if n > 0 && r.system != "" && c.space != nil && !c.space.hasUpdated(r.system) {
			c.add(ecs.Entity{}, r.system, "%d entities have a %s, and no %s updates", n, r.of.Name(), r.system)
		}
	}
	for _, t := range []reflect.Type{reflect.TypeFor[physics.Collider](), reflect.TypeFor[physics.Mover](), reflect.TypeFor[physics.Projectile]()} {
		if id, ok := c.ids[t]; ok {
			query := queryOf(c.w, id)
			for query.Next() {
				c.add(query.Entity(), t.String(), "no component that any system reads: use physecs.%s", t.Name())
			}
		}
	}
}

// nameOf returns the name of a component, as this package calls it.
func nameOf(t reflect.Type) string {
	if t == reflect.TypeFor[Transform]() {
		return "Transform"
	}
	return t.Name()
}

// values adds components with values that stop them, or are most likely not meant.
func (c *checker) values() {
	c.terrain()
	c.masks()
	visit(c, c.mover)
	visit(c, c.projectile)
	visit(c, c.body)
	visit(c, c.jointOf)
	visit(c, c.rayCaster)
	visit(c, c.shapeCaster)
}

func (c *checker) mover(e ecs.Entity, m *Mover) {
	for _, x := range [...]struct {
		field string
		ok    bool
	}{
		{"Velocity", m.Velocity.IsFinite()}, {"Up", m.Up.IsFinite()}, {"Jump", isFinite(m.Jump)}, {"JumpBuffer", isFinite(m.JumpBuffer)}, {"CoyoteTime", isFinite(m.CoyoteTime)}, {"AirControl", isFinite(m.AirControl)},
		{"Offset", isFinite(m.Offset)}, {"StepHeight", isFinite(m.StepHeight)}, {"StepDepth", isFinite(m.StepDepth)},
		{"SnapDistance", isFinite(m.SnapDistance)}, {"MaxSlope", isFinite(m.MaxSlope)}, {"Strength", m.Strength == m.Strength}, {"Mass", m.Mass == m.Mass},
	} {
		if !x.ok {
			c.add(e, "Mover", "%s is not finite", x.field)
		}
	}
	if k := lookup[Collider](c, e); k != nil && (k.Kind == KindPlane || k.Kind == KindMesh || k.Kind == KindCompound) {
		c.add(e, "Mover", "it does not move: a %v cannot, only a convex shape", k.Kind)
	}
	c.follows(e, "Mover")
}

func (c *checker) projectile(e ecs.Entity, p *Projectile) {
	if !p.Velocity.IsFinite() || !p.Acceleration.IsFinite() || !isFinite(p.Radius) || !isFinite(p.Restitution) || !isFinite(p.Friction) ||
		!isFinite(p.RestSpeed) || !isFinite(p.Life) {
		c.add(e, "Projectile", "it does not fly: its numbers are not finite")
	} else if p.Radius < 0 {
		c.add(e, "Projectile", "it does not fly: Radius is %g", p.Radius)
	}
	if !(p.Mass >= 0) {
		c.add(e, "Projectile", "it pushes nothing: Mass is %g", p.Mass)
	}
	if t := lookup[Transform](c, e); t != nil && !t.Position.IsFinite() {
		c.add(e, "Projectile", "it does not fly: its position is not finite")
	}
	c.follows(e, "Projectile")
}

func (c *checker) body(e ecs.Entity, b *Body) {
	if b.Kind == rigid.Kinematic {
		return
	}
	if b.Driven {
		c.add(e, "Body", "Driven does nothing: the Kind is not rigid.Kinematic")
	}
	for _, other := range []reflect.Type{reflect.TypeFor[Mover](), reflect.TypeFor[Projectile](), reflect.TypeFor[Movable]()} {
		if id, ok := c.ids[other]; ok && hasUnchecked(c.w, e, id) {
			c.add(e, other.Name(), "the entity has a dynamic Body too, which DynamicsSystem moves")
		}
	}
}

func (c *checker) jointOf(e ecs.Entity, j *Joint) {
	c.joint(e, j)
	if c.space == nil || c.space.bodies == nil {
		return
	}
	d := c.space.bodies
	if id, ok := d.Joint(e); ok {
		j, _ := d.rigid.Joint(id)
		driven := d.isDriven(j.A) || d.isDriven(j.B) // for a while, as those of a Ragdoll
		if !j.Disabled && !driven && d.rigid.Mass(j.A) == 0 && d.rigid.Mass(j.B) == 0 {
			c.add(e, "Joint", "it moves nothing: neither A nor B is a dynamic Body")
		}
	}
}

func (c *checker) rayCaster(e ecs.Entity, r *RayCaster) {
	if !r.Disabled && r.Target.IsZero() && !r.Ray.IsValid() {
		c.add(e, "RayCaster", "its ray is not valid, and misses: %v", r.Ray)
	}
}

func (c *checker) shapeCaster(e ecs.Entity, s *ShapeCaster) {
	switch k := s.Shape.Kind; {
	case s.Disabled:
	case k == KindNone, k == KindPlane, k == KindMesh, k == KindCompound:
		c.add(e, "ShapeCaster", "it hits nothing: Shape is %v, and only a convex shape is cast", k)
	case c.space != nil && c.space.meshes != nil:
		if shape, _ := s.Shape.shape(c.space.meshes); shape != nil && c.space.physics.CheckShape(shape) != nil {
			c.add(e, "ShapeCaster", "it hits nothing: Shape is %v, and %v", k, FaultNotPlanar)
		}
	}
}

// A mesh of so many triangles and so many metres is taken for terrain or a building.
const (
	manyTriangles = 1000
	terrainSize   = 20
)

// terrain adds large meshes that are not Static, though nothing moves them.
func (c *checker) terrain() {
	meshes := findResource[Meshes](c.w)
	if meshes == nil || c.space == nil {
		return
	}
	var moved []ecs.ID
	for _, t := range []reflect.Type{reflect.TypeFor[Static](), reflect.TypeFor[Body](), reflect.TypeFor[Parent]()} {
		if id, ok := c.ids[t]; ok {
			moved = append(moved, id)
		}
	}
	visit(c, func(e ecs.Entity, k *Collider) {
		if k.Kind != KindMesh || k.Sensor || slices.ContainsFunc(moved, func(id ecs.ID) bool { return hasUnchecked(c.w, e, id) }) {
			return
		}
		b, _ := c.space.Bounds(e)
		if m, ok := meshes.Mesh(k.Mesh); ok && m.NumTriangles() >= manyTriangles && b.Max.Sub(b.Min).Len() >= terrainSize {
			c.add(e, "Collider", "a mesh of %d triangles without Static: if it seldom moves, Static makes each tick cheaper", m.NumTriangles())
		}
	})
}

// masks adds what looks at layers that no collider is on.
func (c *checker) masks() {
	var layers, ofSensors physics.Layers
	visit(c, func(_ ecs.Entity, k *Collider) {
		if on := cmp.Or(k.Layer, physics.DefaultLayer); k.Sensor {
			ofSensors |= on
		} else {
			layers |= on
		}
	})
	check := func(e ecs.Entity, component string, mask physics.Layers, sensors bool) {
		switch {
		case mask == 0 || mask&layers != 0 || sensors && mask&ofSensors != 0:
		case mask&ofSensors != 0:
			c.add(e, component, "only sensors are on the layers of its Mask, and it does not see Sensors: it hits nothing")
		default:
			c.add(e, component, "no collider is on a layer of its Mask: it hits nothing")
		}
	}
	visit(c, func(e ecs.Entity, m *Mover) { check(e, "Mover", m.Mask, c.seesSensors("MoverSystem")) })
	visit(c, func(e ecs.Entity, p *Projectile) { check(e, "Projectile", p.Mask, c.seesSensors("ProjectileSystem")) })
	visit(c, func(e ecs.Entity, r *RayCaster) { check(e, "RayCaster", r.Mask, r.Sensors) })
	visit(c, func(e ecs.Entity, s *ShapeCaster) { check(e, "ShapeCaster", s.Mask, s.Sensors) })
	c.bodyMasks()
	if c.space == nil {
		return
	}
	for i := range c.space.updated {
		if u := &c.space.updated[i]; u.filter != nil && c.space.isPresent(u) {
			check(ecs.Entity{}, u.name, u.filter.Mask, u.filter.Sensors)
		}
	}
}

// bodyMasks adds dynamic bodies that collide with no other collider: each must be on a layer of the
// other's Mask.
func (c *checker) bodyMasks() {
	type layers struct{ on, mask physics.Layers }
	of := func(k *Collider) layers {
		return layers{cmp.Or(k.Layer, physics.DefaultLayer), cmp.Or(k.Mask, physics.AllLayers)}
	}
	solid := map[layers]int{}
	visit(c, func(_ ecs.Entity, k *Collider) {
		if !k.Sensor {
			solid[of(k)]++
		}
	})
	visit(c, func(e ecs.Entity, b *Body) {
		k := lookup[Collider](c, e)
		if b.Kind == rigid.Kinematic || k == nil || k.Sensor || k.Mask == 0 && k.Layer == 0 {
			return
		}
		own, others := of(k), 0
		for o, n := range solid {
			if o == own {
				n-- // itself
			}
			if own.on&o.mask != 0 && own.mask&o.on != 0 {
				others += n
			}
		}
		if others == 0 {
			c.add(e, "Collider", "the body collides with no other collider: each must be on a layer of the other's Mask")
		}
	})
}

// seesSensors reports whether the Filter of a system that updates has Sensors.
func (c *checker) seesSensors(system string) bool {
	return c.space != nil && slices.ContainsFunc(c.space.updated, func(u updatedSystem) bool {
		return u.name == system && u.filter != nil && u.filter.Sensors
	})
}

// follows adds an entity whose Transform a system moves and a Parent moves back.
func (c *checker) follows(e ecs.Entity, component string) {
	if p := lookup[Parent](c, e); p != nil && !p.Entity.IsZero() && lookup[LocalTransform](c, e) != nil {
		c.add(e, component, "it follows its Parent: the next Sync moves it back")
	}
}

func isFinite(x float32) bool { return x-x == 0 }

// updatedSystem is a system that has updated with a space.
type updatedSystem struct {
	system  any // pointer
	name    string
	dt      float32 // of an update, in seconds; 0: it has none
	filter  *Filter // nil: it has none
	syncs   int     // of the space, at its last update
	round   int     // of the space, the same
	turn    int     // order of updates
	without int     // updates since the last Sync
	updates int
}

// updates notes that a system updates.
func (s *Space) updates(system any, name string, dt float32, f *Filter) {
	i := slices.IndexFunc(s.updated, func(u updatedSystem) bool { return u.system == system })
	if i < 0 {
		i = len(s.updated)
		s.updated = append(s.updated, updatedSystem{system: system, name: name, syncs: -1})
	}
	u := &s.updated[i]
	if u.syncs != s.syncs {
		u.without = 0
	}
	if u.round == s.round {
		s.round++
	}
	s.turn++
	u.dt, u.filter, u.syncs, u.round, u.turn = dt, f, s.syncs, s.round, s.turn
	u.without++
	u.updates++
}

// isPresent reports whether a system still updates: since its last update no other system has
// updated three times. Syncs are not counted, since a tick may have any number of them.
func (s *Space) isPresent(u *updatedSystem) bool { return u.round >= s.round-2 }

// hasUpdated reports whether a system of a name still updates. A [Simulation] that does counts for
// those of its steps, even while it is paused, and in frames without a step.
func (s *Space) hasUpdated(name string) bool {
	return slices.ContainsFunc(s.updated, func(u updatedSystem) bool {
		simulation, ok := u.system.(*Simulation)
		return s.isPresent(&u) && (u.name == name || ok && simulation.has(name))
	})
}

// maxWithoutSync is how many updates of a system without a Sync between them are taken to be meant.
const maxWithoutSync = 2

// systems adds what is wrong with the systems that update.
func (c *checker) systems() {
	s := c.space
	var zero ecs.Entity
	for i := range s.updated {
		u := &s.updated[i]
		if !s.isPresent(u) {
			continue
		}
		if !(u.dt >= 0 && u.dt <= math.MaxFloat32) {
			field := "DT"
			if u.name == "Simulation" {
				field = "Step"
			}
			c.add(zero, u.name, "%s is %v", field, u.dt)
		}
		if s, ok := u.system.(*Simulation); ok && !(s.DT >= 0) && !s.Paused {
			c.add(zero, u.name, "DT is %v: it makes no steps", s.DT)
		}
		switch s := u.system.(type) {
		case *ContactSystem:
			if s.Margin != s.Margin || s.RecycleDistance != s.RecycleDistance {
				c.add(zero, u.name, "Margin is %v and RecycleDistance %v", s.Margin, s.RecycleDistance)
			}
		case *RebaseSystem:
			if s.Position == nil && !alive(c.w, s.Target) {
				c.add(zero, u.name, "Target is dead: nothing is rebased")
			}
			if !(s.Distance >= 0) {
				c.add(zero, u.name, "Distance is %v: it rebases at every update, or never", s.Distance)
			}
		}
		if u.without > maxWithoutSync {
			c.add(zero, u.name, "it has updated %d times since the last Sync: it sees the world as it was then", u.without)
		}
		if f := u.filter; f != nil && !f.With.IsZero() && f.Without.ContainsAny(&f.With) {
			c.add(zero, u.name, "nothing passes its Filter: With and Without name the same component")
		}
		for j := range s.updated[:i] {
			o := &s.updated[j]
			switch {
			case !s.isPresent(o):
			case o.name == u.name:
				c.add(zero, u.name, "two of them update: they write the same components and resources")
			case u.dt > 0 && o.dt > 0 && u.dt != o.dt:
				c.add(zero, u.name, "DT is %v s, and that of %s %v s", u.dt, o.name, o.dt)
			}
		}
	}
	for _, order := range [][2]string{{"SeparateSystem", "MoverSystem"}, {"RaycastSystem", "PickSystem"}, {"PickSystem", "DragSystem"}} {
		first := slices.IndexFunc(s.updated, func(u updatedSystem) bool { return u.name == order[0] })
		second := slices.IndexFunc(s.updated, func(u updatedSystem) bool { return u.name == order[1] })
		if first >= 0 && second >= 0 && s.updated[first].syncs == s.updated[second].syncs && s.updated[first].turn > s.updated[second].turn {
			c.add(zero, order[1], "it updates before %s, and belongs after it", order[0])
		}
	}
	for i := range s.updated {
		if u := &s.updated[i]; u.name == "RaycastSystem" && s.isPresent(u) {
			views := findResource[Views](c.w)
			if views == nil || len(views.List) == 0 {
				if what := blind(findResource[View](c.w)); what != "" {
					c.add(zero, "View", "%s: the pointer hovers nothing", what)
				}
			} else if !s.hasUpdated("ViewSystem") { // View is zero between its views
				c.add(zero, "Views", "%d views, and no ViewSystem updates: the pointer sees View alone", len(views.List))
			}
			if !s.pointed && u.updates > inputPatience {
				c.add(zero, "Pointer", "Input.Inside was false in all %d updates: the pointer hovers nothing", u.updates)
			}
		}
	}
}

// blind returns why a view has no rays, and "" if it has.
func blind(v *View) string {
	switch {
	case v == nil || reflect.ValueOf(*v).IsZero():
		return "it was never set"
	case v.Viewport.IsEmpty():
		return "its Viewport is empty"
	case v.Projection == picking.Projection{}:
		return "its Projection was never set"
	}
	if !v.PixelRay(v.X, v.Y).IsValid() {
		return "a number of its camera is NaN or infinite"
	}
	return ""
}

// inputPatience is after how many updates, two seconds, a pointer is missed.
const inputPatience = 120

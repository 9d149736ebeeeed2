package rigid

import (
	"fmt"
	"iter"
	"slices"

	"github.com/hitscan-go/hitscan/internal/par"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/brief"
)

// Dynamics moves bodies in a [physics.Space]. Its calls must not run at the same time as each other
// or as queries of the space; between steps, queries see the bodies where the last step left them.
//
// Move a body's colliders by [Dynamics.SetTransform] alone. A collider that is removed from the
// space is removed from its body at the next step in which the body is awake, and with the last one
// goes the body. The removal wakes a body that rests on something. When [physics.Space.Set] has
// given a collider another shape, call Set of its body, whose mass follows from that.
type Dynamics struct {
	// Settings may be changed between steps.
	Settings Settings
	// Adjust, unless nil, is called in each step for each manifold that the solver is to act on, in
	// the order of pairs, and may change how. It must not call the Dynamics or change the space.
	Adjust func(*Adjustment)
	// Hits, Slept, Woken, Outside, Lost and Broken are the events of the last step. They are valid
	// until the next.
	Hits         []Hit    // in the order of pairs of colliders
	Slept, Woken []BodyID // in the order of bodies
	// Outside is the bodies, in their order, of which the step moved the centre of mass out of
	// [Settings.Bounds]: once each time. What the game puts outside, as by [Dynamics.SetTransform],
	// or by another box, is not listed.
	Outside []BodyID
	// Lost is the bodies that the step gave up, since a number in their state had become NaN or
	// infinite. They have no velocity and their colliders are nowhere: see
	// [physics.Space.IsNowhere]. [Dynamics.SetTransform] brings them back.
	Lost []BodyID
	// Broken is the joints that broke in the last step, in the order of joints.
	Broken []BrokenJoint
	// Times is how long the last step took.
	Times Times

	space   *physics.Space
	tracker physics.ContactTracker
	saved
	changes  changes
	version  uint64 // see changes
	inertias []inertia
	awake    []int32 // in rising order
	shifts   uint64  // counts bodies that awake, sleep, come and go
	listed   uint64  // shifts when awake was made
	pruned   uint64  // what Removed of the space was when bodies were pruned
	active   []int32 // slots of the contacts that the solver acts on, in the order of pairs
	ended    []uint8 // by slot, 1 while regroup takes it out of active
	loose    []int32 // those of them whose constraints are not persistent
	passing  []int32 // the same of those that pass through each other
	grouped  uint64  // shifts when they were made
	counts   []int32 // see group and list
	joining
	persistent persistent

	drives   []drives // of awake bodies
	substep  substep
	frames   []frame   // by body, of those that are awake, in the step
	passages []passage // by body; way and passes are zero between steps
	jointed  []int32   // numbers of awake bodies with joints
	jobs     []job
	seams    []int32              // by body: see hideSeams
	arms     []geom.Vec3          // scratch of hides
	moving   []physics.ColliderID // and where to, at the end of the step; 0: none
	places   []geom.Transform
	octets   []octet              // by color
	impacts  []impact             // of this step
	landings []landing            // of this step
	sunk     []int32              // numbers of sunk manifolds, by body: see spread
	starts   []start              // by lane of the octets of jobs
	sliding  []int32              // jobs on surfaces that move
	driven   bool                 // a kinematic body is awake
	cautious bool                 // in tests: all that is fast is cast
	forgets  bool                 // in tests: no constraint is persistent
	colors   [maxColors + 2]int32 // the first octet of each
	heavy    [maxColors + 1]int32 // the first octet of each with a heavy contact: see heavyLoad
	islands  []int32              // by body, the parent in a union–find forest
	loop     par.Loop[*stage]
	stage    stage
	h        float32     // seconds of a substep
	softness [3]softness // of contacts, of stiff ones, and of those with the ground
	stepping bool

	// See continuous.go. The functions are made once, so that a step allocates nothing.
	near     []physics.ColliderID
	target   physics.ColliderID
	motionOf func(physics.ColliderID) (shift, turn geom.Vec3)
	stoppers []*stopper // by worker
	isTarget func(physics.ColliderID) bool

	// Whether there is or was a body of several colliders, which have no contacts with each other.
	compound  bool
	ofOneBody func(a, b physics.ColliderID) bool
	aheadOf   func(physics.ColliderID) float32
}

// owner is the body that a collider is a part of, and its material.
type owner struct {
	collider  physics.ColliderID
	body      int32
	made      bool // of a material; else it has the default
	material  Material
	triangles *triangleMaterials // nil: they have the material of the collider
}

// New returns a Dynamics for a space, without bodies.
func New(space *physics.Space) *Dynamics {
	if space == nil {
		panic("rigid: New: nil space")
	}
	d := &Dynamics{
		Settings: DefaultSettings(), space: space, inertias: make([]inertia, 1), version: 1,
		joining: joining{ungrouped: true},
		saved:   saved{bodies: []body{{form: &noForm}}, motions: make([]motion, 1), origin: space.Origin()},
	}
	d.touchBody(0)
	d.motionOf, d.aheadOf = d.ahead, d.farAhead
	d.isTarget = func(id physics.ColliderID) bool { return id == d.target }
	d.ofOneBody = func(a, b physics.ColliderID) bool {
		i := d.owner(a).body
		return i != 0 && i == d.owner(b).body
	}
	if space.IsPlanar() {
		brief.Defer(&d.tracker)
	}
	return d
}

// Space returns the space of the bodies.
func (d *Dynamics) Space() *physics.Space { return d.space }

// Len returns the number of bodies, awake and asleep.
func (d *Dynamics) Len() int { return d.count }

// Awake returns the number of bodies that are awake.
func (d *Dynamics) Awake() int {
	d.listAwake()
	return len(d.awake)
}

// Add makes a body of colliders of the space. Its transform is that of the first collider, and the
// others keep their places relative to it. Their scales stay as they are.
//
// It returns an error, and adds nothing, if there is no collider, one is not in the space or part
// of another body, a number in b is NaN, infinite or out of range, or a shape of a dynamic body has
// no mass: see [MassOf].
func (d *Dynamics) Add(b Body, colliders ...physics.ColliderID) (BodyID, error) {
	if err := b.check(); err != nil {
		return 0, fmt.Errorf("rigid: Dynamics.Add: %w", err)
	}
	d.rebase()
	placed, err := d.placed(0, colliders)
	if err != nil {
		return 0, fmt.Errorf("rigid: Dynamics.Add: %w", err)
	}
	var x body
	if err := x.shape(b, colliders, placed, d.space.IsPlanar()); err != nil {
		return 0, fmt.Errorf("rigid: Dynamics.Add: %w", err)
	}
	i := int32(len(d.bodies))
	if n := len(d.free); n > 0 {
		i, d.free = d.free[n-1], d.free[:n-1]
		x.id = d.bodies[i].id + 1<<32
	} else {
		x.id = BodyID(1)<<32 | BodyID(i)
		d.bodies, d.motions, d.inertias = append(d.bodies, body{form: &noForm}), append(d.motions, motion{}), append(d.inertias, inertia{})
	}
	d.count++
	d.compound = d.compound || len(colliders) > 1
	x.alive = true
	x.awake = true
	d.shifts++
	d.touchBody(i)
	d.bodies[i] = x
	d.motions[i] = motion{v: b.Velocity, w: b.AngularVelocity, q: placed[0].Transform.Rotation.Normalize()}
	d.bodies[i].lock(&d.motions[i]) // as setVelocity does
	for _, id := range colliders {
		d.own(id).body = i
	}
	d.unbound = true
	return x.id, nil
}

// placed returns the colliders of a body that is to be made of them, or an error if one can't be
// part of it. They may be part of a body already, if it is the one of that index.
func (d *Dynamics) placed(of int32, ids []physics.ColliderID) ([]physics.Collider, error) {
	if len(ids) == 0 {
		return nil, fmt.Errorf("no collider")
	}
	placed := make([]physics.Collider, len(ids))
	for i, id := range ids {
		c, ok := d.space.Collider(id)
		owner := d.owner(id).body
		switch {
		case !ok:
			return nil, fmt.Errorf("%v is not in the space", id)
		case slices.Contains(ids[:i], id):
			return nil, fmt.Errorf("%v is given twice", id)
		case owner != 0 && owner != of:
			return nil, fmt.Errorf("%v is part of %v", id, d.bodies[owner].id)
		case d.space.IsNowhere(id):
			return nil, fmt.Errorf("%v is nowhere: its shape is empty, or a number in it is NaN or infinite", id)
		}
		placed[i] = c
	}
	return placed, nil
}

// Remove removes a body. Its colliders stay in the space, as static ones. It reports false if there
// is no such body.
func (d *Dynamics) Remove(id BodyID) bool {
	i := d.find(id)
	if i == 0 {
		return false
	}
	d.wake(i) // with what touches it
	b := &d.bodies[i]
	for b.joints != 0 {
		d.RemoveJoint(d.joints[(b.joints-1)/2].id)
	}
	for _, p := range b.parts {
		d.disown(p.collider, i)
	}
	*b = body{form: &noForm, id: b.id}
	d.motions[i], d.inertias[i] = motion{}, inertia{}
	d.count--
	if uint32(b.id>>32) != 1<<32-1 { // else its next ID would be one given out before
		d.free = append(d.free, i)
	}
	d.unbound = true
	d.shifts++
	return true
}

// touchBody notes that a body changes.
func (d *Dynamics) touchBody(i int32) { d.changes.touch(&d.changes.bodies, i, d.version) }

// find returns the index of a body; 0 if there is none.
func (d *Dynamics) find(id BodyID) int32 {
	d.rebase()
	if i := id.index(); i > 0 && i < len(d.bodies) && d.bodies[i].alive && d.bodies[i].id == id {
		return int32(i)
	}
	return 0
}

// owner returns what is known of a collider, which is not to be changed: see own.
func (d *Dynamics) owner(id physics.ColliderID) *owner {
	// An ID in a damaged state may have any index.
	if i := id.Index(); 0 <= i && i < int(d.owners.n) {
		if o := d.owners.at(int32(i)); o.collider == id {
			return o
		}
	}
	return &noOwner
}

var noOwner owner

// own returns the entry of a collider.
func (d *Dynamics) own(id physics.ColliderID) *owner {
	i := int32(id.Index())
	d.owners.reserve(i + 1)
	o := d.owners.touch(i)
	if o.collider != id {
		*o = owner{collider: id}
	}
	return o
}

// disown makes a collider one that is not part of a body any more. It may have left the space, and
// another have its index.
func (d *Dynamics) disown(id physics.ColliderID, i int32) {
	if d.owner(id).body == i {
		d.own(id).body = 0
	}
}

// BodyOf returns the body that a collider is part of; 0 if there is none.
func (d *Dynamics) BodyOf(id physics.ColliderID) BodyID { return d.bodies[d.owner(id).body].id }

// Body returns what a body was added or set with, with its present velocity; false if there is no
// such body.
func (d *Dynamics) Body(id BodyID) (Body, bool) {
	i := d.find(id)
	if i == 0 {
		return Body{}, false
	}
	b := d.bodies[i].set
	b.Velocity, b.AngularVelocity = d.motions[i].v, d.motions[i].w
	return b, true
}

// Set replaces what a body was added with, including its velocity, and wakes it. Forces of this
// step stay, and so does a [Dynamics.MoveTo] unless the velocity is another. It returns an error
// under the same conditions as [Dynamics.Add], or if there is no such body.
func (d *Dynamics) Set(id BodyID, b Body) error {
	i := d.find(id)
	if i == 0 {
		return fmt.Errorf("rigid: Dynamics.Set: there is no %v", id)
	}
	if err := b.check(); err != nil {
		return fmt.Errorf("rigid: Dynamics.Set: %v: %w", id, err)
	}
	if d.prune(i); !d.bodies[i].alive {
		return fmt.Errorf("rigid: Dynamics.Set: the colliders of %v have left the space", id)
	}
	if err := d.reshape(i, b, d.Colliders(id)); err != nil {
		return fmt.Errorf("rigid: Dynamics.Set: %v: %w", id, err)
	}
	d.setVelocity(i, b.Velocity, b.AngularVelocity)
	return nil
}

// Reshape makes a body one of other colliders, where they are now, and wakes it. It keeps its ID,
// the velocity of each of its points, its joints at their places in the world and, unless a Mass is
// given, its density: what is left of a body that turns flies off along its way. Colliders that it
// no longer has stay in the space, as static ones. It returns an error under the same conditions as
// [Dynamics.Add], or if there is no such body; then the body stays as it was.
func (d *Dynamics) Reshape(id BodyID, colliders ...physics.ColliderID) error {
	i := d.find(id)
	if i == 0 {
		return fmt.Errorf("rigid: Dynamics.Reshape: there is no %v", id)
	}
	if _, err := d.placed(i, colliders); err != nil {
		return fmt.Errorf("rigid: Dynamics.Reshape: %w", err)
	}
	old, was, center := d.bodies[i].parts, d.transform(i, 0), d.bodies[i].center
	if err := d.reshape(i, d.bodies[i].set, colliders); err != nil {
		return fmt.Errorf("rigid: Dynamics.Reshape: %v: %w", id, err)
	}
	d.recenter(i, center)
	for _, p := range old {
		d.disown(p.collider, i)
	}
	for _, c := range colliders {
		d.own(c).body = i
	}
	d.unbound = true
	if old[0].collider != colliders[0] {
		d.reframe(i, was)
	}
	return nil
}

// reshape makes a body one of other colliders, where they are now, or with other properties, and
// wakes it.
func (d *Dynamics) reshape(i int32, b Body, ids []physics.ColliderID) error {
	placed := make([]physics.Collider, len(ids))
	for k := range ids {
		placed[k], _ = d.space.Collider(ids[k])
	}
	var x body
	if err := x.shape(b, ids, placed, d.space.IsPlanar()); err != nil {
		return err
	}
	d.wake(i)
	old := &d.bodies[i]
	x.id, x.alive, x.awake, x.colors, x.joints = old.id, true, true, old.colors, old.joints
	x.order, x.target = old.order, old.target && b.Kind == Kinematic
	d.wakeJoined(i)
	d.ungrouped = d.ungrouped || x.joints != 0
	d.compound = d.compound || len(ids) > 1
	if x.moves != old.moves {
		d.unbound = true
		for _, t := range d.tracker.All {
			if c := d.contacts.at(t.Slot); c.a == i || c.b == i {
				d.release(t.Slot)
				d.unpaint(d.contacts.touch(t.Slot), 0)
			}
		}
		x.colors = 0
	}
	*old = x
	d.motions[i].q = placed[0].Transform.Rotation.Normalize()
	return nil
}

// recenter gives the centre of mass of a body, which was elsewhere in it, the velocity that the
// body has there.
func (d *Dynamics) recenter(i int32, was geom.Vec3) {
	b, m := &d.bodies[i], &d.motions[i]
	m.v = m.v.Add(m.w.Cross(b.center.Sub(was)))
	b.lock(m)
}

// prune removes the colliders that are no longer in the space from a body, and the body if none is
// left.
func (d *Dynamics) prune(i int32) {
	b := &d.bodies[i]
	isLost := func(p part) bool {
		_, ok := d.space.Transform(p.collider)
		return !ok
	}
	if !slices.ContainsFunc(b.parts, isLost) {
		return
	}
	var ids []physics.ColliderID
	for _, p := range b.parts {
		if isLost(p) {
			d.disown(p.collider, i)
		} else {
			ids = append(ids, p.collider)
		}
	}
	first, was, center := b.parts[0].collider, d.transform(i, 0), b.center
	if len(ids) == 0 || d.reshape(i, b.set, ids) != nil {
		d.Remove(b.id)
		return
	}
	d.recenter(i, center)
	if ids[0] != first {
		d.reframe(i, was)
	}
}

// Transform returns the transform of a body's first collider; false if there is no such body.
func (d *Dynamics) Transform(id BodyID) (geom.Transform, bool) {
	i := d.find(id)
	if i == 0 {
		return geom.Transform{}, false
	}
	return d.transform(i, 0), true
}

// transform returns the transform of a part of a body.
func (d *Dynamics) transform(i int32, k int) (t geom.Transform) {
	d.setTransform(&t, i, k, new(bodyAxes))
	return t
}

// bodyAxes is the rotation of a body as a matrix, for all its parts.
type bodyAxes struct {
	x, y, z geom.DVec3
	isSet   bool
}

// setTransform is transform. It sets the matrix, unless it has been for another part.
func (d *Dynamics) setTransform(t *geom.Transform, i int32, k int, a *bodyAxes) {
	b, q := &d.bodies[i], d.motions[i].q
	*t = b.parts[k].local
	if t.Position != (geom.Vec3{}) {
		if !a.isSet {
			a.x, a.y, a.z = geom.Box{Rotation: q}.Axes()
			a.isSet = true
		}
		p := t.Position.Wide()
		t.Position = a.x.Mul(p.X).AddMul(p.Y, a.y).AddMul(p.Z, a.z).Narrow()
	}
	t.Position = b.center.Add(t.Position)
	if t.Rotation != (geom.Quat{}) {
		t.Rotation = q.Mul(t.Rotation)
	} else {
		t.Rotation = q
	}
}

// SetTransform moves a body at once, by the transform of its first collider, and wakes it and what
// it touched. Its velocity stays, except that of a [Dynamics.MoveTo], which ends; the Scale of t is
// ignored. It reports false if there is no such body or t holds NaN or infinity. See MoveTo for
// what should push others.
func (d *Dynamics) SetTransform(id BodyID, t geom.Transform) bool {
	i := d.find(id)
	if i == 0 || !t.IsFinite() {
		return false
	}
	if d.space.IsPlanar() {
		t = t.Flat()
	}
	d.wake(i)
	d.wakeJoined(i)
	d.ungrouped = d.ungrouped || !d.bodies[i].center.IsFinite()
	if b := &d.bodies[i]; b.target {
		b.target, d.motions[i].v, d.motions[i].w = false, geom.Vec3{}, geom.Vec3{}
	}
	d.put(i, t)
	return true
}

// put places a body and its colliders.
func (d *Dynamics) put(i int32, t geom.Transform) {
	b, m := &d.bodies[i], &d.motions[i]
	m.q = t.Rotation.Normalize()
	b.center = t.Position.Add(m.q.Rotate(b.local))
	for k := range b.parts {
		d.space.SetTransform(b.parts[k].collider, d.transform(i, k))
	}
}

// All returns every body with its ID, in the order of bodies. No body must be added or removed
// during the iteration.
func (d *Dynamics) All() iter.Seq2[BodyID, Body] {
	return func(yield func(BodyID, Body) bool) {
		for i := range d.bodies {
			if b := &d.bodies[i]; b.alive {
				if body, _ := d.Body(b.id); !yield(b.id, body) {
					return
				}
			}
		}
	}
}

// Colliders returns the colliders of a body, the first of which has its transform; nil if there is
// no such body.
func (d *Dynamics) Colliders(id BodyID) []physics.ColliderID {
	i := d.find(id)
	if i == 0 {
		return nil
	}
	ids := make([]physics.ColliderID, 0, len(d.bodies[i].parts))
	for _, p := range d.bodies[i].parts {
		ids = append(ids, p.collider)
	}
	return ids
}

// Contacts returns the contacts that the last step began with, in the order of pairs, valid until
// the next step. It includes those with sensors and of sleeping bodies, and none between colliders
// of one body. See [Dynamics.Began].
func (d *Dynamics) Contacts() []*physics.Contact {
	brief.Complete(&d.tracker)
	return d.tracker.All
}

// Began returns the contacts that began at the last step: see [physics.ContactTracker].
func (d *Dynamics) Began() []*physics.Contact { return d.tracker.Began }

// Ended returns the contacts that ended at the last step, as they were before.
func (d *Dynamics) Ended() []*physics.Contact { return d.tracker.Ended }

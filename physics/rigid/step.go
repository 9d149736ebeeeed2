package rigid

import (
	"math"
	"runtime"
	"slices"
	"time"

	"github.com/hitscan-go/hitscan/internal/par"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Step advances all bodies by [Settings.Step]. It allocates nothing once its memory has grown.
//
// The contacts are those where the bodies are at the start. At the end their colliders are where
// they have moved to.
//
// Panics if Step or Substeps of the settings is not positive, and, with the name of the field, if
// another setting is not allowed: nothing has changed then. Panics if an earlier step panicked
// halfway, as in a callback.
func (d *Dynamics) Step() {
	s := &d.Settings
	s.check()
	d.mustBeWhole("Step")
	d.stepping = true
	start := time.Now()
	d.Hits, d.Slept, d.Woken, d.Lost = d.Hits[:0], d.Slept[:0], d.Woken[:0], d.Lost[:0]
	d.Broken, d.Outside = d.Broken[:0], d.Outside[:0]
	d.persist()
	d.h = s.Step / float32(s.Substeps)
	rate := float32(s.Substeps) / s.Step
	hertz := min(s.ContactHertz, rate/6)
	for i, factor := range [...]float32{1, stiffness, groundStiffness} {
		d.softness[i] = soft(factor*hertz, s.ContactDamping, d.h)
	}
	d.jointSoftness = soft(min(s.JointHertz, rate/4), s.JointDamping, d.h)

	for len(d.stoppers) < runtime.GOMAXPROCS(0) {
		d.stoppers = append(d.stoppers, d.newStopper())
	}
	d.contacts.spare.Trim()
	d.memories.spare.Trim()
	d.owners.spare.Trim()
	d.rebase()
	d.passages = slices.Grow(d.passages[:0], len(d.bodies))[:len(d.bodies)]
	d.meet()
	met := time.Now()
	d.listAwake()
	n := len(d.awake)
	d.jointed, d.driven = d.jointed[:0], false
	for k, i := range d.awake {
		d.touchBody(i)
		d.driven = d.driven || !d.bodies[i].moves
		if d.bodies[i].joints != 0 && len(d.live) > 0 {
			d.jointed = append(d.jointed, int32(k))
		}
	}
	d.loadJoints()
	octets := (n + lanes - 1) / lanes
	d.drives = slices.Grow(d.drives[:0], octets)[:octets]
	d.substep = substep{d.h, s.MaxSpeed, s.MaxSpin}
	d.each(0, n, bodyChunk, (*Dynamics).begin)
	d.refreshAll()
	d.list()
	d.hideSeams()
	d.arrange()
	d.each(0, len(d.jobs), jobChunk, (*Dynamics).collect)
	d.spread()
	d.eachFrom(d.colors[:overflow+1], (*Dynamics).prepare)
	d.slide()
	d.adjust()
	d.listImpacts()
	d.prepareJoints()
	for i := range s.Substeps {
		d.each(0, octets, bodyChunk/lanes, (*Dynamics).integrateVelocities)
		if i == 0 {
			d.eachColor((*Dynamics).warmStart)
		}
		d.besideContacts((*Dynamics).solveJoints)
		d.eachColor((*Dynamics).solve)
		d.each(0, octets, bodyChunk/lanes, (*Dynamics).integratePositions)
		d.besideContacts((*Dynamics).relaxJoints)
		d.eachColor((*Dynamics).relax)
		for range heavySweeps {
			d.eachFrom(d.heavy[:], (*Dynamics).relax)
		}
		d.noteImpacts()
	}
	d.eachColor((*Dynamics).restitute)
	d.brakeImpacts()
	d.eachFrom(d.colors[:overflow+1], (*Dynamics).settle)
	d.each(0, len(d.jobs), jobChunk, (*Dynamics).store)
	d.each(0, len(d.live), assemblyChunk, (*Dynamics).storeJoints)
	solved := time.Now()
	d.rest()
	d.breakJoints()
	d.report()
	d.finish()
	d.Woken, d.woken = append(d.Woken, d.woken...), d.woken[:0]
	slices.SortFunc(d.Woken, func(a, b BodyID) int { return a.index() - b.index() })
	d.stepping = false
	d.Times = Times{met.Sub(start), solved.Sub(met), time.Since(solved)}
}

// The numbers of bodies, constraints and octets that a worker claims at a time.
const (
	bodyChunk    = 256
	contactChunk = 128
	jobChunk     = 128
	octetChunk   = 8
)

// stage is a part of a step that runs on several goroutines.
type stage struct {
	d    *Dynamics
	from int
	do   func(d *Dynamics, worker, from, to int)
}

// each calls a method for chunks of a range. What it does for one element must not depend on the
// others.
func (d *Dynamics) each(from, to, chunk int, do func(d *Dynamics, worker, from, to int)) {
	n := to - from
	if n == 0 {
		return
	}
	if workers := par.Workers(n, 4*chunk); workers > 1 {
		d.stage = stage{d, from, do}
		d.loop.Run(&d.stage, workers, n, chunk, (*stage).run)
		d.stage = stage{}
		return
	}
	do(d, 0, from, to)
}

func (s *stage) run(worker, from, to int) { s.do(s.d, worker, s.from+from, s.from+to) }

// eachColor calls a method for the octets of each color, one color after the other.
func (d *Dynamics) eachColor(do func(d *Dynamics, worker, from, to int)) {
	for c := range d.colors[:overflow+1] {
		if c < overflow {
			from, to := d.persistent.octetsOf(c)
			d.each(from, to, octetChunk, do)
		}
		d.eachOf(c, d.colors[c], do)
	}
}

// eachFrom is eachColor without persistent constraints, from an octet of each color on.
func (d *Dynamics) eachFrom(first []int32, do func(d *Dynamics, worker, from, to int)) {
	for c, from := range first {
		d.eachOf(c, from, do)
	}
}

// eachOf is eachFrom of one color.
func (d *Dynamics) eachOf(c int, first int32, do func(d *Dynamics, worker, from, to int)) {
	switch from, to := int(first), int(d.colors[c+1]); {
	case from == to:
	case c < overflow:
		d.each(from, to, octetChunk, do)
	default:
		do(d, 0, from, to)
	}
}

// listAwake makes the list of awake bodies if it has changed.
func (d *Dynamics) listAwake() {
	if d.listed == d.shifts {
		return
	}
	d.listed = d.shifts
	d.awake = d.awake[:0]
	d.frames = slices.Grow(d.frames[:0], len(d.bodies))[:len(d.bodies)]
	clear(d.frames)
	for i := range d.bodies {
		if d.bodies[i].awake {
			d.awake = append(d.awake, int32(i))
		}
	}
}

// begin prepares bodies for the step.
func (d *Dynamics) begin(_, from, to int) {
	for k, i := range d.awake[from:to] {
		m := &d.motions[i]
		m.moved, m.turned = geom.Vec3{}, geom.Vec3{}
		b := &d.bodies[i]
		p := &d.passages[i]
		p.room = b.clear
		// In place, as a copy of what was just written in parts has to wait.
		f := &d.frames[i]
		f.at, f.q, f.reach = b.center, m.q, b.reach
		if way := m.v.Mul(d.Settings.Step); !d.foresees(b, p.way, way) {
			p.way = geom.Vec3{}
			b.fast = b.moves && (b.fast || d.isFast(b, way))
		}
		d.weigh(i)
		g, l := &d.drives[(from+k)/lanes], (from+k)%lanes
		if l == 0 { // a range begins with an octet
			g.clear()
		}
		d.drive(g, l, i)
	}
}

// finish moves the bodies and their colliders to where the step has brought them.
func (d *Dynamics) finish() {
	// All that is fast is stopped first, since a cast refits the tree if a collider has moved.
	d.press()
	d.each(0, len(d.awake), bodyChunk, (*Dynamics).stopFast)
	d.stopBullets()
	n := len(d.awake)
	d.moving, d.places = slices.Grow(d.moving[:0], n)[:n], slices.Grow(d.places[:0], n)[:n]
	d.each(0, n, bodyChunk, (*Dynamics).advance)
	for k, i := range d.awake {
		if d.moving[k] == 0 {
			d.place(i)
		}
	}
	d.orders = d.orders[:0]
	d.space.SetTransforms(d.moving, d.places)
	if n := d.space.Removed(); n != d.pruned {
		d.pruned = n
		for i := range d.bodies {
			d.prune(int32(i))
		}
	}
}

// advance is place of bodies with one collider that have moved on their own account, and are
// neither lost nor at the bounds of the world. What it lists is in the order of awake bodies, with
// 0 for one that place has to move.
func (d *Dynamics) advance(_, from, to int) {
	box := d.Settings.Bounds
	for k, i := range d.awake[from:to] {
		b, m := &d.bodies[i], &d.motions[i]
		d.moving[from+k] = 0
		if !b.awake || b.target || len(b.parts) != 1 || m.moved == (geom.Vec3{}) && m.turned == (geom.Vec3{}) {
			continue
		}
		center := b.center.Add(m.moved)
		if !center.IsFinite() || !m.q.IsFinite() || !m.v.IsFinite() || !m.w.IsFinite() || box != (geom.AABB{}) && !box.Contains(center) {
			continue
		}
		d.passages[i].way, d.passages[i].passes = geom.Vec3{}, 0
		b.order, b.center = 0, center
		d.moving[from+k] = b.parts[0].collider
		d.setTransform(&d.places[from+k], i, 0, new(bodyAxes))
	}
}

// place moves a body to where the step has brought it, and lists its colliders. Of a body that has
// not moved it lists none.
func (d *Dynamics) place(i int32) {
	b, m := &d.bodies[i], &d.motions[i]
	d.passages[i].way, d.passages[i].passes = geom.Vec3{}, 0
	before, order := b.center, d.orderOf(b)
	b.order = 0
	switch {
	case !b.awake:
		m.q = d.frames[i].q // it stays where its contacts were found, or else they would wake it
	case b.target:
		b.target = false
		d.put(i, order.goal)
		m.v, m.w = geom.Vec3{}, geom.Vec3{}
	case m.moved != (geom.Vec3{}) || m.turned != (geom.Vec3{}):
		b.center = b.center.Add(m.moved)
		if !b.center.IsFinite() || !m.q.IsFinite() || !m.v.IsFinite() || !m.w.IsFinite() {
			d.lose(i)
			return
		}
		var turn bodyAxes
		for k := range b.parts {
			d.moving, d.places = append(d.moving, b.parts[k].collider), append(d.places, geom.Transform{})
			d.setTransform(&d.places[len(d.places)-1], i, k, &turn)
		}
	}
	if box := &d.Settings.Bounds; *box != (geom.AABB{}) && box.Contains(before) && !box.Contains(b.center) {
		d.Outside = append(d.Outside, b.id)
	}
}

// lose makes a body nowhere.
func (d *Dynamics) lose(i int32) {
	b := &d.bodies[i]
	d.Lost = append(d.Lost, b.id)
	b.awake = false
	d.shifts++
	d.ungrouped = d.ungrouped || b.joints != 0
	d.motions[i] = motion{q: geom.QuatIdentity()}
	nan := float32(math.NaN())
	b.center = geom.V(nan, nan, nan)
	for _, p := range b.parts {
		d.space.SetTransform(p.collider, geom.Transform{Position: b.center, Scale: p.local.Scale})
	}
}

// Hit is an impact: two colliders met at a speed of at least [Settings.HitSpeed]. It is reported
// once, in the step that first acts on it, which may leave a part of the impulse to the next one.
// Where colliders press on each other already, they do not meet.
type Hit struct {
	A, B physics.ColliderID
	// Point is where they met, and Normal the unit vector from A to B, in world space.
	Point, Normal geom.Vec3
	Speed         float32 // at which they approached each other, in m/s
	// Impulse is what ends the approach at this point alone and makes the bounce, in N·s.
	Impulse float32
}

// report lists the impacts, at the fastest point of each contact.
func (d *Dynamics) report() {
	for i := range d.jobs {
		if j := &d.jobs[i]; j.hits {
			o, l := d.lane(j)
			d.reportOne(o, l, j.contact, j.memory, j.pressed)
		}
	}
	if !d.reportPersistent() {
		return
	}
	slices.SortStableFunc(d.Hits, func(a, b Hit) int {
		return physics.Pair{A: a.A, B: a.B}.Compare(physics.Pair{A: b.A, B: b.B})
	})
}

// reportOne lists the impact of a constraint, of which some points had an impulse before.
func (d *Dynamics) reportOne(o *octet, l int, t *physics.Contact, m *memory, pressed uint8) {
	worst, at := -d.Settings.HitSpeed, -1
	for k := range o.points[:m.n] {
		if s := o.points[k].speed[l]; s <= worst && o.points[k].most[l] > 0 && pressed>>k&1 == 0 {
			worst, at = s, k
		}
	}
	if at < 0 {
		return
	}
	// The impulse of a substep or a step may be a part, which leaves the bodies a distance
	// apart, or more, which moves apart what overlaps.
	q, n := &o.points[at], o.normal.at(l)
	ma, mb := &d.motions[o.a[l]], &d.motions[o.b[l]]
	leaves := n.Dot(mb.v.Sub(ma.v)) + q.armB.at(l).Dot(mb.w) - q.armA.at(l).Dot(ma.w)
	h := Hit{t.A, t.B, d.frameOf(o.b[l], t.B).at.Add(m.points[at].armB), n, -worst, q.mass[l] * (max(leaves, 0) - worst)}
	if n := len(d.Hits); n > 0 && d.Hits[n-1].A == h.A && d.Hits[n-1].B == h.B {
		if h.Speed > d.Hits[n-1].Speed {
			d.Hits[n-1] = h
		}
		return
	}
	d.Hits = append(d.Hits, h)
}

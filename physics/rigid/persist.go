package rigid

import (
	"math"
	"math/bits"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/brief"
	"github.com/hitscan-go/hitscan/physics/internal/broad"
)

// In a planar space most constraints of a pile are those of the step before: of two dynamic bodies,
// with the manifold that was kept. They are persistent: each keeps its lane, with all that follows
// from the manifold, and a step adds what follows from where the bodies are. All others are made by
// way of a job, and become persistent after a step in which their manifold was kept. The results
// are the same either way: constraints of one color share no dynamic body, so that it does not
// matter in which octets they are.
//
// The memory of a persistent constraint has the manifold. It gets the impulses, which are in the
// lane, when the constraint ceases to be persistent or when they are read: see writeBack.

// persistent is the persistent constraints. Their octets are the first ones, by color.
type persistent struct {
	octets  int32                // how many there are
	from    [maxColors + 1]int32 // the first octet of each color
	used    [maxColors]int32     // lanes of each color that are in use, or were
	free    [maxColors][]int32   // those that were
	n       int                  // constraints
	missed  int                  // of the last step, which found no lane
	lanes   []int32              // by slot of the contact, 1 + 8·octet + lane
	seats   []seat               // by lane
	anchors []anchors            // by octet
	hits    []uint8              // of this step, by octet: octetHead.hits
	lost    [][]lostLane         // of this step, by worker
	h       float32              // seconds of a substep of the step that the impulses are of
	written bool                 // the memories have the impulses

	reweighs atomic.Bool // a body has another mass than at the last step
}

// seat is whose lane one is.
type seat struct {
	contact *physics.Contact // nil: of none
	slot    int32
	memory  int32 // its index
}

// anchors is the manifolds of an octet when they were kept, as memory has them.
type anchors struct {
	armAX, armAY, armBX, armBY, gap [2]row
	qAZ, qAW, qBZ, qBW              row
	most                            row          // see flatParting
	x, y, depth                     row          // of the present manifold
	stiff                           [lanes]int32 // −1, or 0
	pressed                         [2]uint32    // sets of lanes: see job
	used                            uint32       // set of lanes
	_                               [20]byte
}

// lostLane is what is left of a constraint that ceases to be persistent.
type lostLane struct {
	at int32 // the lane
	remains
}

// remains is what memory keeps of a constraint, apart from its manifold.
type remains struct {
	impulses     [2]float32
	friction     geom.Vec3
	heavy, stiff bool
}

// remainsOf returns what is left of a persistent constraint.
func (d *Dynamics) remainsOf(at int32) remains {
	o, l, p := &d.octets[at/lanes], int(at%lanes), &d.persistent
	r := remains{impulses: [2]float32{o.points[0].impulse[l], o.points[1].impulse[l]}, friction: o.frictionOf(l)}
	r.heavy, r.stiff = o.isHeavy(l, p.h), p.anchors[at/lanes].stiff[l] != 0
	return r
}

// isHeavy reports whether a persistent constraint has become heavy in a step of such substeps.
func (o *octet) isHeavy(l int, h float32) bool {
	load := o.points[0].impulse[l] + o.points[1].impulse[l]
	return exceeds(load*(o.invMassA[l]+o.invMassB[l]), heavyLoad*h, false)
}

// frictionOf returns the impulse of friction of a lane.
func (o *octet) frictionOf(l int) geom.Vec3 {
	return o.tangent[0].at(l).Mul(o.tangential[0][l]).Add(o.tangent[1].at(l).Mul(o.tangential[1][l]))
}

// has reports whether a contact has a lane of its own from step to step.
func (p *persistent) has(slot int32) bool { return int(slot) < len(p.lanes) && p.lanes[slot] > 0 }

// refresh prepares persistent constraints for the step, and lists those that are so no more.
func (d *Dynamics) refresh(worker, from, to int) {
	p, hitSpeed := &d.persistent, min(d.Settings.HitSpeed, impactSpeed)
	limit := float32(stiffLoad * d.h)
	briefs, update := brief.Of(&d.tracker)
	reweighs := p.reweighs.Load()
	for i := from; i < to; i++ {
		a := &p.anchors[i]
		if i+1 < to {
			broad.HintAll(&p.anchors[i+1])
			next := &d.octets[i+1]
			broad.HintAll(&next.octetHead)
			broad.HintAll(&next.points[0])
			broad.HintAll(&next.points[1])
		}
		if p.hits[i] = 0; a.used == 0 {
			continue
		}
		o := &d.octets[i]
		seats := p.seats[i*lanes : (i+1)*lanes]
		for l := range seats {
			x := &seats[l]
			if x.contact == nil {
				continue
			}
			depth := float32(math.Inf(-1)) // not kept
			if m := &briefs[x.slot]; m.Update == update {
				a.x[l&7], a.y[l&7], depth = m.X, m.Y, m.Depth
			} else if f := x.contact.Manifolds; len(f) == 1 && f[0].ChildA < 0 && f[0].ChildB < 0 {
				a.x[l&7], a.y[l&7], depth = f[0].Normal.X, f[0].Normal.Y, f[0].Depth()
			}
			if depth > sunkGap/2 { // spread needs a job of what may be sunk
				depth = float32(math.Inf(-1))
			}
			a.depth[l&7] = depth
		}
		kept := partFlatSIMD(o, a, &d.frames[0], heavyLoad*p.h)
		for left := a.used &^ kept; left != 0; left &= left - 1 {
			at := int32(i*lanes + bits.TrailingZeros32(left))
			p.lost[worker] = append(p.lost[worker], lostLane{at, d.remainsOf(at)})
		}
		if reweighs {
			for l := range lanes {
				o.invMassA[l], o.invMassB[l] = d.inertias[o.a[l]].mass, d.inertias[o.b[l]].mass
			}
		}
		refreshSIMD(o, a, &d.softness[0], limit, limit*keptLoad)
		weighSIMD(o, 1, &d.motions[0], &d.inertias[0], hitSpeed)
		p.hits[i] = uint8(o.hits)
	}
}

// refreshAll makes the persistent constraints ready for the step, and lists the contacts of all
// others.
func (d *Dynamics) refreshAll() {
	p := &d.persistent
	if p.written = p.n == 0; p.octets > 0 && (d.Adjust != nil || !useSIMD) {
		d.dissolve()
	}
	for _, i := range d.awake {
		if d.inertias[i].mass == 0 && d.bodies[i].moves {
			d.releaseOf(i) // the arms of what nothing pushes are the present ones
		}
	}
	if p.n == 0 {
		d.loose = append(d.loose[:0], d.active...)
		return
	}
	for len(p.lost) < runtime.GOMAXPROCS(0) {
		p.lost = append(p.lost, nil)
	}
	d.each(0, int(p.octets), octetChunk, (*Dynamics).refresh)
	p.reweighs.Store(false)
	for i := range p.lost {
		for k := range p.lost[i] {
			x := &p.lost[i][k]
			d.write(x.at, &x.remains)
			d.leave(x.at)
		}
		p.lost[i] = p.lost[i][:0]
	}
	p.h = d.h
	d.loose = d.loose[:0]
	for _, slot := range d.active {
		if !p.has(slot) {
			d.loose = append(d.loose, slot)
		}
	}
}

// write writes what is left of a persistent constraint to its memory.
func (d *Dynamics) write(at int32, r *remains) {
	m := d.memories.touch(d.persistent.seats[at].memory)
	for k := range m.points[:m.n] {
		m.points[k].impulse = r.impulses[k&1]
	}
	m.heavy, m.stiff, m.friction, m.rolling = r.heavy, r.stiff, r.friction, geom.Vec3{}
}

// writeBack writes what is left of all persistent constraints to their memories.
func (d *Dynamics) writeBack() {
	p := &d.persistent
	if p.written {
		return
	}
	p.written = true
	for at := range p.seats {
		if p.seats[at].contact != nil {
			d.writeLane(int32(at))
		}
	}
}

func (d *Dynamics) writeLane(at int32) {
	r := d.remainsOf(at)
	d.write(at, &r)
}

// release ends that a contact is persistent, if it is.
func (d *Dynamics) release(slot int32) {
	if p := &d.persistent; p.has(slot) {
		at := p.lanes[slot] - 1
		d.writeLane(at)
		d.leave(at)
	}
}

// releaseOf ends that contacts of a body are persistent.
func (d *Dynamics) releaseOf(i int32) {
	for at := range d.persistent.seats {
		if x := &d.persistent.seats[at]; x.contact != nil && (d.contacts.at(x.slot).a == i || d.contacts.at(x.slot).b == i) {
			d.release(x.slot)
		}
	}
}

// dissolve ends that any contact is persistent.
func (d *Dynamics) dissolve() {
	d.writeBack()
	d.persistent.clear()
}

// clear empties all lanes. Their octets are those of jobs until some are persistent again.
func (p *persistent) clear() {
	clear(p.lanes)
	p.seats, p.octets, p.n, p.written = p.seats[:0], 0, 0, true
}

// leave empties a lane.
func (d *Dynamics) leave(at int32) {
	p := &d.persistent
	o, l := &d.octets[at/lanes], at%lanes
	color := d.memories.at(p.seats[at].memory).color
	p.free[color] = append(p.free[color], at)
	p.lanes[p.seats[at].slot] = 0
	p.seats[at], p.n = seat{}, p.n-1
	p.anchors[at/lanes].empty(l)
	p.hits[at/lanes] &^= 1 << l
	o.empty(l)
}

// octetsOf returns the range of the octets of a color that may have constraints.
func (p *persistent) octetsOf(color int) (from, to int) {
	if p.octets == 0 {
		return 0, 0
	}
	return int(p.from[color]), int(p.from[color] + (p.used[color]+lanes-1)/lanes)
}

// canPersist reports whether the constraint of a job of the last step may be persistent. What is
// kept of it may be elsewhere by now.
func (d *Dynamics) canPersist(j *job) bool {
	if !j.keeps || j.slides || j.color == overflow || staticColors>>j.color&1 != 0 {
		return false
	}
	c := d.contacts.at(j.contact.Slot)
	if c.colored != 1 || c.held != 1 {
		return false
	}
	m, a, b := d.memory(c, 0), &d.bodies[c.a], &d.bodies[c.b]
	ok := a.moves && b.moves && a.awake && b.awake && c.solid && !c.layered && !c.slides && c.rounds == 0 &&
		!m.heavy && 0 < m.n && m.n <= 2 && m.childA < 0 && m.childB < 0 && c.mixture.rolling == 0 &&
		m.rolling == geom.Vec3{} && m.normal.Z == 0 && isFlat(m.qA) && isFlat(m.qB) && !d.persistent.has(j.contact.Slot)
	for k := range m.points[:max(0, min(m.n, 2))] {
		ok = ok && m.points[k].armA.Z == 0 && m.points[k].armB.Z == 0
	}
	return ok
}

// persist makes constraints of the step before persistent. That is before anything of it changes,
// but after it all has been used.
func (d *Dynamics) persist() {
	p := &d.persistent
	if d.forgets || !useSIMD || !d.space.IsPlanar() || d.Adjust != nil {
		return
	}
	if lanes := len(p.seats); p.n > 0 && (p.missed > leastPersistent+p.n/16 || p.n < lanes/4) {
		d.dissolve() // and those of the next step are
		return
	}
	p.missed, p.h = 0, d.h
	if p.n == 0 && !d.layPersistent() {
		return
	}
	for i := range d.jobs {
		if j := &d.jobs[i]; d.canPersist(j) {
			d.enroll(j)
		}
	}
}

// leastPersistent is the number of constraints from which on some are persistent. Fewer: octets for
// nearly nothing. It is also how many may find no lane before the lanes are laid out again.
const leastPersistent = lanes

// moreColors is of how many colors beyond the highest one there is room for a few constraints, as
// those that begin while others last get higher colors. Fewer: 3 % of a pile finds no lane.
const moreColors = 4

// layPersistent makes room for the constraints that can be persistent, and a quarter more.
func (d *Dynamics) layPersistent() bool {
	p := &d.persistent
	var counts [maxColors]int32
	n := int32(0)
	for i := range d.jobs {
		if j := &d.jobs[i]; d.canPersist(j) {
			counts[j.color]++
			n++
		}
	}
	if n < leastPersistent {
		return false
	}
	at, top := int32(0), 0
	for c, count := range counts {
		p.from[c], p.used[c], p.free[c] = at, 0, p.free[c][:0]
		if count > 0 {
			top = c
		}
		if c <= top+moreColors && staticColors>>c&1 == 0 {
			at += (count+count/4)/lanes + 2 + n/2048
		}
	}
	p.octets, p.from[maxColors] = at, at
	d.roomForOctets(int(at))
	clear(d.octets)
	p.hits = slices.Grow(p.hits[:0], int(at))[:at]
	clear(p.hits)
	p.anchors = slices.Grow(p.anchors[:0], int(at))[:at]
	clear(p.anchors)
	p.seats = slices.Grow(p.seats[:0], int(at*lanes))[:at*lanes]
	clear(p.seats)
	return true
}

// take returns an empty lane of a color; a negative number if there is none.
func (p *persistent) take(color int32) int32 {
	if n := len(p.free[color]); n > 0 {
		at := p.free[color][n-1]
		p.free[color] = p.free[color][:n-1]
		return at
	}
	at := p.from[color]*lanes + p.used[color]
	if at == p.from[color+1]*lanes {
		return -1
	}
	p.used[color]++
	return at
}

// enroll gives the constraint of a job a lane of its own, if there is one.
func (d *Dynamics) enroll(j *job) {
	p, c := &d.persistent, d.contacts.at(j.contact.Slot)
	m := d.memory(c, 0)
	at := p.take(j.color)
	if at < 0 {
		p.missed++
		return
	}
	slot := j.contact.Slot
	if n := int(slot) + 1; n > len(p.lanes) {
		p.lanes = append(p.lanes, make([]int32, n-len(p.lanes))...)
	}
	p.lanes[slot], p.n, p.written = 1+at, p.n+1, false
	p.seats[at] = seat{j.contact, slot, c.first - 1}
	o, a, l := &d.octets[at/lanes], &p.anchors[at/lanes], int(at%lanes)
	a.set(l, m)
	for k := range a.gap {
		o.points[k].impulse[l] = 0
		if k < int(m.n) {
			o.points[k].impulse[l] = m.points[k].impulse
		}
	}
	o.a[l], o.b[l], o.n, o.used, o.flat, o.brakes = c.a, c.b, 2, lanes, true, true
	o.invMassA[l], o.invMassB[l] = d.inertias[c.a].mass, d.inertias[c.b].mass
	o.count[l] = float32(m.n)
	o.normal.set(l, m.normal)
	o.mix(l, c.mixture)
	// The sum of these is exactly the impulse of friction.
	o.tangent[0].set(l, m.friction)
	o.tangent[1].set(l, geom.Vec3{}) // that of an empty lane is NaN
	o.tangential[0][l], o.tangential[1][l] = 1, float32(math.Copysign(0, -1))
}

// empty makes a lane of a persistent constraint one without.
func (o *octet) empty(l int32) {
	l &= 7
	o.a[l], o.b[l] = 0, 0
	o.vast &^= 1 << l
	zero := geom.Vec3{}
	for _, r := range [...]*rows{&o.normal, &o.tangent[0], &o.tangent[1], &o.armA, &o.armB, &o.roll} {
		r.set(int(l), zero)
	}
	for _, r := range [...]*row{
		&o.invMassA, &o.invMassB, &o.bias, &o.share, &o.back, &o.count, &o.m00, &o.m01, &o.m11, &o.tangential[0], &o.tangential[1],
		&o.twistMass, &o.twist, &o.friction, &o.restitution, &o.rolling, &o.spinning, &o.rollMass,
	} {
		r[l] = 0
	}
	for k := range o.points[:2] {
		p := &o.points[k]
		for _, r := range [...]*rows{&p.armA, &p.armB, &p.turnA, &p.turnB} {
			r.set(int(l), zero)
		}
		p.gap[l], p.mass[l], p.impulse[l], p.most[l], p.lever[l], p.speed[l] = 0, 0, 0, 0, 0, 0
	}
}

// set writes what memory has of a manifold to an empty lane.
func (a *anchors) set(l int, m *memory) {
	a.used |= 1 << l
	if m.stiff {
		a.stiff[l] = -1
	}
	a.qAZ[l], a.qAW[l], a.qBZ[l], a.qBW[l] = m.qA.Z, m.qA.W, m.qB.Z, m.qB.W
	for k := range m.points[:m.n] {
		q := &m.points[k]
		a.armAX[k][l], a.armAY[k][l], a.armBX[k][l], a.armBY[k][l], a.gap[k][l] = q.armA.X, q.armA.Y, q.armB.X, q.armB.Y, q.gap
	}
}

// empty is octet.empty.
func (a *anchors) empty(l int32) {
	l &= 7
	a.used &^= 1 << l
	a.stiff[l] = 0
	for k := range a.gap {
		a.armAX[k][l], a.armAY[k][l], a.armBX[k][l], a.armBY[k][l], a.gap[k][l] = 0, 0, 0, 0, 0
	}
	a.qAZ[l], a.qAW[l], a.qBZ[l], a.qBW[l] = 0, 0, 0, 0
}

// reportPersistent lists the impacts of persistent constraints. It reports whether there are any.
func (d *Dynamics) reportPersistent() (found bool) {
	p := &d.persistent
	for i := range p.octets {
		for left := p.hits[i]; left != 0; left &= left - 1 {
			l := bits.TrailingZeros8(left)
			x, a := &p.seats[int(i)*lanes+l], &p.anchors[i]
			d.reportOne(&d.octets[i], l, x.contact, d.memories.at(x.memory), uint8(a.pressed[0]>>l&1|a.pressed[1]>>l&1<<1))
			found = true
		}
	}
	return found
}

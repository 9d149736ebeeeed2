package rigid

import (
	"math"
	"math/bits"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// assembly is joints that are connected by dynamic bodies. No two assemblies share one, so they are
// solved at the same time, each by one goroutine, joint by joint.
type assembly struct {
	from, to int32 // of Dynamics.chain
	direct   int32 // the first so many are solved at once: see joint_direct.go
	columns  int32 // the first of Dynamics.columns
	blocks   int32 // how many of them
	softness float64
	singles  int32 // those before are solved in octets: see isLight
	first    int32 // of Dynamics.constraints, for the others
}

// member is a joint of an assembly.
type member struct {
	joint, a, b int32
	column      int32 // of one solved at once: the first of its assembly's
	color, at   int32 // of one in an octet: the color, and 8·octet + lane
	rowless     bool  // see jointOctet
	turns       bool  // it is in an octet of motors
	breaks      bool  // it has a threshold
}

// joining is what a Dynamics needs of joints besides the joints: all follows from these.
type joining struct {
	ungrouped   bool // joints or bodies have changed since the assemblies were found
	assemblies  []assembly
	live        []int32 // assemblies that are awake
	tight       []int32 // of these, those with joints that are not solved in octets
	chain       []member
	constraints []jointConstraint
	// The octets are made in each step, by color: those of a color from one number on.
	jointOctets   []jointOctet
	jointColors   [maxJointColors + 1]int32
	motorOctets   []motorOctet // as jointOctets
	motorColors   [maxJointColors + 1]int32
	jointInertias []inertia // by body, as they are turned in each substep
	columns       []column
	entries       []entry
	values        []matrix // of entries
	inChain       []int32  // by joint, 1 + its place in its assembly
	seen          []bool   // by body
	taken         []uint32 // by body, the colors of its joints in octets
	roots         []int32  // by body, of the trees of points
	queue         []int32
	carried       []int32 // by body, 1 + the constraint that it may be the support of: see support

	jointSoftness softness
	jointPasses   [2]jointPass // to solve, and to relax
}

// maxFill is how many blocks below the diagonal a joint of an assembly may have in the mean, of
// points alone; one with rotations as well has four blocks for each. What has more, such as a net,
// is solved joint by joint.
const maxFill = 8

// assemble finds the assemblies. They depend on the joints and bodies alone.
func (d *Dynamics) assemble() {
	d.ungrouped = false
	d.assemblies, d.chain, d.entries, d.columns = d.assemblies[:0], d.chain[:0], d.entries[:0], d.columns[:0]
	held := int32(0)
	d.inChain = slices.Grow(d.inChain[:0], len(d.joints))[:len(d.joints)]
	clear(d.inChain)
	d.seen = slices.Grow(d.seen[:0], len(d.bodies))[:len(d.bodies)]
	clear(d.seen)
	d.taken = slices.Grow(d.taken[:0], len(d.bodies))[:len(d.bodies)]
	clear(d.taken)
	d.roots = d.roots[:0]
	for i := range d.bodies {
		d.roots = append(d.roots, int32(i))
	}
	for i := range d.joints {
		if d.inChain[i] != 0 {
			continue
		}
		if !d.connects(int32(i)) {
			d.idle(int32(i))
			continue
		}
		d.queue = append(d.queue[:0], int32(i))
		d.inChain[i] = 1
		for k := 0; k < len(d.queue); k++ {
			for _, body := range d.joints[d.queue[k]].bodies {
				if d.seen[body] || !d.bodies[body].moves {
					continue
				}
				d.seen[body] = true
				d.jointsOf(body, func(j, _ int32) bool {
					if d.inChain[j] == 0 && d.connects(j) {
						d.inChain[j] = 1
						d.queue = append(d.queue, j)
					}
					return true
				})
			}
		}
		g := d.addAssembly()
		g.first = held
		held += g.to - g.singles
	}
	d.constraints = emptied(d.constraints, int(held))[:held]
	d.values = slices.Grow(d.values[:0], len(d.entries))[:len(d.entries)]
}

// acts reports whether a joint does more than to keep its bodies from colliding.
func (j *Joint) acts() bool {
	return !j.Disabled && (j.Kind != MotorJoint || j.MaxForce > 0 || j.MaxTorque > 0)
}

// grouping returns what of a joint decides how its assembly is solved, besides its kind and Hertz.
func (j *Joint) grouping() [5]bool {
	return [5]bool{j.acts(), j.inLanes(), j.turns(), j.rubs(), j.rowless()}
}

// connects reports whether a joint acts on a dynamic body. It does not if a body is lost.
func (d *Dynamics) connects(i int32) bool {
	j := &d.joints[i]
	if !j.alive || !j.set.acts() {
		return false
	}
	a, b := &d.bodies[j.bodies[0]], &d.bodies[j.bodies[1]]
	return (a.moves || b.moves) && a.center.IsFinite() && b.center.IsFinite()
}

// idle drops what a joint did before it stopped to act.
func (d *Dynamics) idle(i int32) {
	x := &d.joints[i]
	if now := (joint{id: x.id, alive: x.alive, set: x.set, bodies: x.bodies, next: x.next}); *x != now {
		d.touchJoint(i)
		*x = now
	}
}

// holdsPoint reports whether a joint is one that is solved with others.
func (j *Joint) holdsPoint() bool { return j.Kind <= HingeJoint && j.Hertz == 0 }

// addAssembly adds the joints of the queue, those found last first. In this order the joints of a
// tree have no fill: all that are left beside a joint when its turn comes share the body on the way
// to the root.
func (d *Dynamics) addAssembly() *assembly {
	g := assembly{from: int32(len(d.chain)), columns: int32(len(d.columns))}
	slices.Reverse(d.queue)
	welded := false
	for _, direct := range [...]bool{true, false} {
		for _, j := range d.queue {
			if d.joints[j].set.holdsPoint() == direct {
				x := &d.joints[j]
				d.chain = append(d.chain, member{joint: j, a: x.bodies[0], b: x.bodies[1], rowless: x.set.rowless()})
				d.inChain[j] = int32(len(d.chain)) - g.from
				if direct {
					g.direct++
					welded = welded || x.set.Kind == FixedJoint
					if d.closesLoop(d.joints[j].bodies) {
						g.softness = loopSoftness
					}
				}
			}
		}
	}
	g.to = int32(len(d.chain))
	filled := (g.direct > 1 || welded) && d.fill(&g)
	if g.singles = g.from; d.isLight(&g, filled) {
		g.singles = g.to
	}
	if g.singles > g.from || !filled {
		g.direct = 0
	}
	d.assemblies = append(d.assemblies, g)
	return &d.assemblies[len(d.assemblies)-1]
}

// maxJointColors is how many joints in octets a body may have.
const maxJointColors = 32

// An assembly that can be solved at once is solved in octets all the same, joint by joint, if it
// has at most lightJoints joints, all with friction, no body has more than lightRatio times the
// mass of another, and no joint a longer lever than lightLever: see body.lever. It converges fast
// enough, as the figures of a game do, whose levers are some 10, and takes a tenth of the time.
// What has more joints, ropes, and what is welded, even one body alone, would swing ever further;
// at long levers limits give way, and throw the bodies as they bring them back. Soft motors that
// turn its bodies are solved in octets of their own, before these.
//
// Connected joints in octets give up lightSoftness of the impulses of their points in a substep,
// and remove the share lightBias of their error: what comes apart under a load is in proportion to
// the first over the second. With less softness or more bias, chains of eight with a heavy end
// swing ever further; with more or less, an arm under a heap of figures comes apart further.
const (
	lightJoints   = 14
	lightRatio    = 25
	lightLever    = 50
	lightSoftness = 0.075
	lightBias     = 0.4
)

// isLight reports whether an assembly can be solved in octets, and gives its joints their colors.
func (d *Dynamics) isLight(g *assembly, filled bool) bool {
	if !filled && g.direct < g.to-g.from {
		return false
	}
	chain, motors := d.chain[g.from:g.from+g.direct], d.chain[g.from+g.direct:g.to]
	least, most, lever := float32(math.MaxFloat32), float32(0), float32(0)
	for i := range chain {
		c := &chain[i]
		x := &d.joints[c.joint]
		if !x.set.inLanes() || filled && (!x.set.rubs() || !d.isLone(c.joint)) || d.isRedundant(&x.set, x.bodies) || !d.color(c) {
			return false
		}
		for side, body := range x.bodies {
			if b := &d.bodies[body]; b.moves {
				lever = max(lever, b.lever([...]geom.Vec3{x.set.FrameA.Position, x.set.FrameB.Position}[side]))
				least, most = min(least, b.invMass), max(most, b.invMass)
			}
		}
	}
	for i := range motors {
		c := &motors[i]
		x := &d.joints[c.joint]
		if !x.set.turns() || d.isRedundant(&x.set, x.bodies) || !d.color(c) {
			return false
		}
		c.turns = true
	}
	return !filled || len(chain) <= lightJoints && most <= lightRatio*least && lever <= lightLever
}

// color gives a joint in an octet a color that no other one of its bodies has. It reports false if
// all are taken.
func (d *Dynamics) color(c *member) bool {
	taken := uint32(0)
	for _, body := range [2]int32{c.a, c.b} {
		if d.bodies[body].moves {
			taken |= d.taken[body]
		}
	}
	c.color = int32(bits.TrailingZeros32(^taken))
	if c.color == maxJointColors {
		return false
	}
	for _, body := range [2]int32{c.a, c.b} {
		if d.bodies[body].moves {
			d.taken[body] |= 1 << c.color
		}
	}
	return true
}

// lever returns how many times as fast an impulse at a point of a body moves it there as one at the
// centre, in the sum of the three directions.
func (b *body) lever(at geom.Vec3) float32 {
	x, y, z := axes(b.axes)
	r := at.Sub(b.local)
	p, q, s := x.Dot(r), y.Dot(r), z.Dot(r)
	pp, qq, ss := float32(p*p), float32(q*q), float32(s*s)
	i := b.inverse
	return (float32(i.X*(qq+ss)) + float32(i.Y*(pp+ss)) + float32(i.Z*(pp+qq))) / b.invMass
}

// isLone reports whether a joint is no hinge, or one between dynamic bodies that have no other
// hinge, as the knee of a figure. In octets hinges in a row, and one at the ground, lean out of
// their plane ever further: arms of two links turn at 50 rad/s about other axes than their hinges'.
func (d *Dynamics) isLone(i int32) bool {
	x := &d.joints[i]
	lone := true
	if x.set.Kind == HingeJoint {
		for _, body := range x.bodies {
			lone = lone && d.bodies[body].moves
			d.jointsOf(body, func(j, _ int32) bool {
				lone = lone && (j == i || d.joints[j].set.Kind != HingeJoint || !d.connects(j))
				return lone
			})
		}
	}
	return lone
}

// isRedundant reports whether rows of a joint in an octet may act about one axis, since a body does
// not turn about others. Solved one by one, they would work against each other. The axis of a hinge
// of a planar space is the one that is left.
func (d *Dynamics) isRedundant(j *Joint, bodies [2]int32) bool {
	if j.Kind == BallJoint || j.Kind == HingeJoint && d.space.IsPlanar() {
		return false
	}
	return (d.bodies[bodies[0]].set.Locked|d.bodies[bodies[1]].set.Locked)&(TurnX|TurnY|TurnZ) != 0
}

// closesLoop reports whether two bodies are connected by the joints before, and connects them. All
// that is not dynamic is one body.
func (d *Dynamics) closesLoop(bodies [2]int32) bool {
	var roots [2]int32
	for k, i := range bodies {
		if !d.bodies[i].moves {
			i = 0
		}
		for ; d.roots[i] != i; i = d.roots[i] {
			d.roots[i] = d.roots[d.roots[i]]
		}
		roots[k] = i
	}
	d.roots[max(roots[0], roots[1])] = min(roots[0], roots[1])
	return roots[0] == roots[1]
}

// fill finds the blocks of L of an assembly: of a column, those of the matrix and those of the
// columns of which it is the first entry. It reports false if they are too many.
func (d *Dynamics) fill(g *assembly) bool {
	start := len(d.entries)
	for k := range g.direct {
		m := &d.chain[g.from+k]
		m.column = int32(len(d.columns)) - g.columns
		d.columns = append(d.columns, column{joint: k})
		if d.joints[m.joint].set.Kind.hasTurns() {
			d.columns = append(d.columns, column{joint: k, turns: true})
		}
	}
	g.blocks = int32(len(d.columns)) - g.columns
	most := maxFill * int(g.blocks) * int(g.blocks) / int(g.direct)
	for k := range g.blocks {
		from := len(d.entries)
		add := func(row int32) {
			if row > k && !slices.Contains(d.entries[from:], entry{row, k}) {
				d.entries = append(d.entries, entry{row, k})
			}
		}
		m := &d.chain[g.from+d.columns[g.columns+k].joint]
		for _, body := range [2]int32{m.a, m.b} {
			if d.bodies[body].moves {
				d.jointsOf(body, func(j, _ int32) bool {
					if at := d.inChain[j] - 1; d.connects(j) && at < g.direct {
						other := &d.chain[g.from+at]
						add(other.column)
						if d.joints[j].set.Kind.hasTurns() {
							add(other.column + 1)
						}
					}
					return len(d.entries)-start <= most
				})
			}
		}
		for c := d.columns[g.columns+k].child; c != 0; {
			x := &d.columns[g.columns+c-1]
			for e := x.from; e < x.to; e++ {
				add(d.entries[e].row)
			}
			c = x.sibling
		}
		if len(d.entries)-start > most {
			d.entries, d.columns = d.entries[:start], d.columns[:g.columns]
			return false
		}
		slices.SortFunc(d.entries[from:], func(a, b entry) int { return int(a.row - b.row) })
		col := &d.columns[g.columns+k]
		if col.from, col.to = int32(from), int32(len(d.entries)); col.from < col.to {
			first := &d.columns[g.columns+d.entries[from].row]
			col.sibling, first.child = first.child, 1+k
		}
	}
	return true
}

// stirJoints lists the assemblies that are awake, after waking those that are awake in part.
func (d *Dynamics) stirJoints() {
	if d.ungrouped {
		d.assemble()
	}
	d.live, d.tight = d.live[:0], d.tight[:0]
	for k := range d.assemblies {
		g := &d.assemblies[k]
		chain := d.chain[g.from:g.to]
		stirs := false
		for i := range chain {
			if stirs = d.stirs(chain[i].a) || d.stirs(chain[i].b); stirs {
				break
			}
		}
		if !stirs {
			continue
		}
		d.live = append(d.live, int32(k))
		if g.singles < g.to {
			d.tight = append(d.tight, int32(k))
		}
		for i := range chain {
			d.touchJoint(chain[i].joint)
			d.wakeSleeping(chain[i].a)
			d.wakeSleeping(chain[i].b)
		}
	}
}

// stableLoad is the greatest share of its moments of inertia that h²·F·r may be of a body, h being
// a substep and F the force of a joint at the arm r. A taut chain swings like a string, the faster
// the lighter its links are, and the solver is unstable beyond some share of 4. Smaller: light
// links turn more slowly under a load.
const stableLoad = 1

// loadJoints raises the least moments of inertia of bodies under a load, so that they are stable:
// it is the diagonal part of the geometric stiffness (Andrews, Teichmann and Kry 2017, "Geometric
// stiffness for real-time constrained multibody dynamics"). What is in balance stays so.
func (d *Dynamics) loadJoints() {
	for _, k := range d.live {
		g := &d.assemblies[k]
		chain := d.chain[g.from:g.to]
		for i := range chain {
			d.bodies[chain[i].a].least, d.bodies[chain[i].b].least = 0, 0
		}
		for i := range chain {
			x := &d.joints[chain[i].joint]
			force := float32(x.force.Len() * float32(d.h*d.h) / stableLoad)
			for side, arm := range x.arms {
				if b := &d.bodies[x.bodies[side]]; b.moves {
					b.least += float32(force * arm)
				}
			}
		}
	}
}

// wakeJoined wakes what joints connect with a body.
func (d *Dynamics) wakeJoined(i int32) {
	d.jointsOf(i, func(_, other int32) bool {
		d.wakeSleeping(other)
		return true
	})
}

// isExempt reports whether a joint keeps two bodies from colliding.
func (d *Dynamics) isExempt(a, b int32) bool {
	exempt := false
	if a != 0 && b != 0 {
		d.jointsOf(a, func(j, other int32) bool {
			set := &d.joints[j].set
			exempt = other == b && !set.Collide && !set.Disabled
			return !exempt
		})
	}
	return exempt
}

package rigid

import (
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// A step prepares, solves and stores the joints of awake assemblies: see joint_group.go.

// constraintsOf returns those of an assembly.
func (d *Dynamics) constraintsOf(g *assembly) []jointConstraint {
	return d.constraints[g.first : g.first+g.to-g.singles]
}

// columnsOf returns those of an assembly.
func (d *Dynamics) columnsOf(g *assembly) []column {
	return d.columns[g.columns : g.columns+g.blocks]
}

// The stages of a step, for assemblies that are awake.

// assemblyChunk is the number of assemblies that a worker claims at a time.
const assemblyChunk = 8

// prepareJoints gives the joints of light assemblies lanes by color, and makes the constraints of
// all.
func (d *Dynamics) prepareJoints() {
	const rowless, rowed, motor, kinds = 0, 1, 2, 3
	var counts, next [maxJointColors][kinds]int32
	eachLight := func(f func(c *member)) {
		for _, k := range d.live {
			g := &d.assemblies[k]
			for i := g.from; i < g.singles; i++ {
				f(&d.chain[i])
			}
		}
	}
	kind := func(c *member) int {
		switch {
		case c.turns:
			return motor
		case c.rowless:
			return rowless
		}
		return rowed
	}
	eachLight(func(c *member) { counts[c.color][kind(c)]++ })
	joints, motors := int32(0), int32(0)
	for color := range counts {
		d.jointColors[color], d.motorColors[color] = joints, motors
		for k, count := range counts[color] {
			n := &joints
			if k == motor {
				n = &motors
			}
			next[color][k] = *n * lanes
			*n += (count + lanes - 1) / lanes
		}
	}
	d.jointColors[maxJointColors], d.motorColors[maxJointColors] = joints, motors
	d.jointOctets = emptied(d.jointOctets, int(joints))[:joints]
	d.motorOctets = emptied(d.motorOctets, int(motors))[:motors]
	clear(d.jointOctets)
	clear(d.motorOctets)
	eachLight(func(c *member) {
		place := &next[c.color][kind(c)]
		c.at = *place
		*place++
		if c.turns {
			d.motorOctets[c.at/lanes].used++
			return
		}
		o := &d.jointOctets[c.at/lanes]
		o.used++
		if c.rowless {
			o.rowless = 1
		}
	})
	d.motions[0].q = geom.QuatIdentity()
	if len(d.jointed) > 0 {
		d.jointInertias = append(d.jointInertias[:0], d.inertias...)
	}
	stale := float32(staleTurn / d.h)
	d.jointPasses[0] = jointPass{d.jointSoftness, directBias / d.h, 1, 1 / d.h, 0, float32(stale * stale), d.h / 2}
	d.jointPasses[1] = jointPass{rigidly, 0, 0, 1 / d.h, 1, 0, 0}
	d.each(0, len(d.live), assemblyChunk, func(d *Dynamics, _, from, to int) {
		for _, k := range d.live[from:to] {
			g := &d.assemblies[k]
			for i := g.from; i < g.singles; i++ {
				if c := &d.chain[i]; c.turns {
					d.fillMotor(c)
				} else {
					d.fillJoint(g, c)
				}
			}
			constraints := d.constraintsOf(g)
			for i := range constraints {
				d.prepareJoint(&constraints[i], &d.chain[int(g.singles)+i], i < int(g.direct))
			}
		}
	})
	d.findSupports()
}

// eachJoint calls a method for the assemblies that are no octets, and another for the octets of
// each color, one color after the other.
func (d *Dynamics) eachJoint(tight, octets func(d *Dynamics, worker, from, to int)) {
	d.each(0, len(d.tight), assemblyChunk, tight)
	for c := range maxJointColors {
		d.each(int(d.jointColors[c]), int(d.jointColors[c+1]), octetChunk, octets)
	}
}

func (d *Dynamics) warmJoints() {
	d.eachMotor((*Dynamics).aimMotors)
	d.eachJoint(func(d *Dynamics, _, from, to int) {
		for _, k := range d.tight[from:to] {
			constraints := d.constraintsOf(&d.assemblies[k])
			for i := range constraints {
				d.aim(&constraints[i])
				d.warmJoint(&constraints[i])
			}
		}
	}, (*Dynamics).aimOctets)
}

func (d *Dynamics) solveJoints() {
	d.warmJoints()
	d.eachMotor((*Dynamics).solveMotors)
	d.eachJoint(func(d *Dynamics, _, from, to int) {
		for _, k := range d.tight[from:to] {
			d.solveAssembly(&d.assemblies[k], false)
		}
	}, func(d *Dynamics, _, from, to int) { d.solveOctets(from, to, &d.jointPasses[0]) })
}

// leastTurn is the angle in radians by which a body turns in a step before joints take its inertia
// as it is turned. Greater: long bodies that spin gain energy, however many substeps there are.
const leastTurn = 0.02

// turnInertias turns the inertias that joints take with their bodies.
func (d *Dynamics) turnInertias(_, from, to int) {
	for _, k := range d.jointed[from:to] {
		if i := d.awake[k]; d.motions[i].turned.LenSq() > leastTurn*leastTurn {
			d.jointInertias[i] = d.inertiaOf(i)
		}
	}
}

func (d *Dynamics) relaxJoints() {
	d.each(0, len(d.jointed), bodyChunk, (*Dynamics).turnInertias)
	d.eachJoint(func(d *Dynamics, _, from, to int) {
		for _, k := range d.tight[from:to] {
			g := &d.assemblies[k]
			constraints := d.constraintsOf(g)
			for i := range constraints {
				if constraints[i].relaxing() {
					d.aim(&constraints[i])
				}
			}
			d.solveAssembly(g, true)
			for i := range constraints {
				constraints[i].feel()
				d.limitPair(&constraints[i])
			}
		}
	}, func(d *Dynamics, _, from, to int) { d.solveOctets(from, to, &d.jointPasses[1]) })
}

func (d *Dynamics) aimOctets(_, from, to int) {
	pass := &d.jointPasses[0]
	if useSIMD {
		aimJointsSIMD(&d.jointOctets[from], to-from, &d.motions[0], &d.jointInertias[0], pass)
		return
	}
	for i := from; i < to; i++ {
		o := &d.jointOctets[i]
		for l := range int(o.used) {
			a, b := o.a[l], o.b[l]
			o.aim(l, &d.motions[a], &d.motions[b], &d.jointInertias[a], &d.jointInertias[b], pass)
		}
	}
}

func (d *Dynamics) solveOctets(from, to int, pass *jointPass) {
	if useSIMD {
		solveJointsSIMD(&d.jointOctets[from], to-from, &d.motions[0], &d.jointInertias[0], pass)
		return
	}
	for i := from; i < to; i++ {
		o := &d.jointOctets[i]
		for l := range int(o.used) {
			a, b := o.a[l], o.b[l]
			o.solve(l, &d.motions[a], &d.motions[b], &d.jointInertias[a], &d.jointInertias[b], pass)
		}
	}
}

// solveAssembly solves what is solved at once, then what each joint has beside that, and the first
// again, which the second has changed. Limits are last, and change nothing of the first.
func (d *Dynamics) solveAssembly(g *assembly, relax bool) {
	if g.direct > 0 {
		d.factor(g)
		d.solveDirect(g, relax)
	}
	constraints, changed := d.constraintsOf(g), false
	for i := range constraints {
		if c := &constraints[i]; c.isSingle() && (!relax || c.relaxing()) {
			d.solveJoint(c, relax)
			changed = true
		}
	}
	if g.direct > 0 && changed {
		d.solveDirect(g, relax)
	}
	for i := range g.direct {
		d.solveLimits(g, i, relax)
	}
}

func (d *Dynamics) storeJoints(_, from, to int) {
	for _, k := range d.live[from:to] {
		g := &d.assemblies[k]
		for i := g.from; i < g.singles; i++ {
			if c := &d.chain[i]; c.turns {
				d.storeMotor(c)
			} else {
				d.storeInLane(c)
			}
		}
		constraints := d.constraintsOf(g)
		for i := range constraints {
			d.storeJoint(&constraints[i])
		}
	}
}

// breakJoints disables the joints that felt more than they can bear.
func (d *Dynamics) breakJoints() {
	for _, k := range d.live {
		g := &d.assemblies[k]
		for i := g.from; i < g.to; i++ {
			if !d.chain[i].breaks {
				continue
			}
			x := &d.joints[d.chain[i].joint]
			force, torque := x.force.Len(), x.torque.Len()
			if x.set.BreakForce > 0 && !(force <= x.set.BreakForce) || x.set.BreakTorque > 0 && !(torque <= x.set.BreakTorque) {
				d.Broken = append(d.Broken, BrokenJoint{x.id, force, torque})
			}
		}
	}
	slices.SortFunc(d.Broken, func(a, b BrokenJoint) int { return a.ID.index() - b.ID.index() })
	for _, b := range d.Broken {
		d.joints[b.ID.index()].set.Disabled = true
		d.rejoint(int32(b.ID.index()))
	}
}

package rigid

import "github.com/hitscan-go/hitscan/physics/geom"

// Joints that hold two points together are solved all at once if they form trees or nearly so, and
// are too many or of too unequal bodies for octets (see isLight), with what keeps the bodies of
// hinges and fixed joints from turning: A·x = b, where A has a block of 3×3 for each two columns
// whose joints share a dynamic body. A ball joint has a column, that of its points; the others have
// one of the rotations as well. A is factored as L·D·Lᵀ in an order in which a tree gets no other
// blocks than those of A, leaves first (Baraff 1996, "Linear-time dynamics using Lagrange
// multipliers"), so that the time is proportional to the number of joints. Joint by joint, a chain
// of 100 links would need some 10⁴ sweeps, a heavy weight at its end as many times more as it is
// heavier, and a beam of boxes that are welded end to end would hang like a rope.

const (
	// directBias is the share of its error that a joint solved directly removes in a substep.
	directBias = 0.2
	// loopSoftness is the share of each block that is added to the diagonal of an assembly with a
	// loop, such as a rope between two walls, whose joints may contradict each other. Smaller:
	// their forces grow without bounds. Greater: a bridge stretches under a heavy load.
	loopSoftness = 0.005
)

// matrix is one of 3×3, by rows.
type matrix [9]float64

func widened(k *inertia) matrix {
	return matrix{
		float64(k.xx), float64(k.xy), float64(k.xz),
		float64(k.xy), float64(k.yy), float64(k.yz),
		float64(k.xz), float64(k.yz), float64(k.zz),
	}
}

func (m *matrix) narrow() inertia {
	return inertia{
		xx: float32(m[0]), yy: float32(m[4]), zz: float32(m[8]), xy: float32(m[1]), xz: float32(m[2]), yz: float32(m[5]),
	}
}

// flatten makes a symmetric matrix one that has an axis as an eigenvector, of a given value.
func (m *matrix) flatten(axis geom.Vec3, value float64) {
	n := [3]float64{float64(axis.X), float64(axis.Y), float64(axis.Z)}
	// P·m·P with P = 1 − nnᵀ is m − nuᵀ − unᵀ with u = m·n − n·(nᵀ·m·n)/2.
	var u [3]float64
	s := 0.0
	for i := range 3 {
		u[i] = float64(m[3*i]*n[0]) + float64(m[3*i+1]*n[1]) + float64(m[3*i+2]*n[2])
		s += float64(u[i] * n[i])
	}
	for i := range 3 {
		u[i] -= float64(n[i] * s / 2)
	}
	for i := range 3 {
		for k := range 3 {
			m[3*i+k] -= float64(n[i]*u[k]) + float64(u[i]*n[k]) - float64(value*n[i]*n[k])
		}
	}
}

// flatPivot is the share of the trace of a joint's own block below which a pivot counts as zero:
// what rounding leaves of an axis without motion, such as those that a body of a 2D game does not
// turn about, or of a joint that another makes redundant.
const flatPivot = 1e-6

// flatColumn is flatPivot for the columns of joints that are solved at once. What the rest of a
// tree leaves of the block of a light body is as small as its mass beside theirs. Greater: such a
// body comes loose.
const flatColumn = 1e-11

// flatRow is the share of the trace of the inverse inertias of two bodies up to which what a row
// about an axis would turn counts as rounding: where the axis is at right angles to the only one
// that bodies of a 2D game turn about, the row's impulses would be without bounds. Greater: joints
// of thin rods do not hold.
const flatRow = 1e-8

// wellShare is the least share of the product of its diagonal that the determinant of a positive
// definite matrix has if its inverse by cofactors loses no more than some digits.
const wellShare = 1e-3

// inverse returns the inverse of a symmetric matrix: by cofactors, or by sweeps of the diagonal,
// the greatest pivot first, if it is nearly singular. Pivots up to a small one are left out: their
// rows and columns of the inverse are 0.
func (m *matrix) inverse(small float64) matrix {
	xx, xy, xz := float64(m[4]*m[8])-float64(m[5]*m[5]), float64(m[2]*m[5])-float64(m[1]*m[8]), float64(m[1]*m[5])-float64(m[2]*m[4])
	det := float64(m[0]*xx) + float64(m[1]*xy) + float64(m[2]*xz)
	if min(m[0], m[4], m[8]) > small && det > wellShare*m[0]*m[4]*m[8] {
		k := 1 / det
		xx, xy, xz = float64(xx*k), float64(xy*k), float64(xz*k)
		yz := float64((float64(m[1]*m[2]) - float64(m[0]*m[5])) * k)
		return matrix{
			xx, xy, xz,
			xy, float64((float64(m[0]*m[8]) - float64(m[2]*m[2])) * k), yz,
			xz, yz, float64((float64(m[0]*m[4]) - float64(m[1]*m[1])) * k),
		}
	}
	return m.sweep(small)
}

// inverseAcross returns the inverse of a symmetric matrix in the two dimensions across an axis. The
// value is one of the size of the others.
func (m matrix) inverseAcross(axis geom.Vec3, value, small float64) matrix {
	m.flatten(axis, value)
	m = m.inverse(small)
	m.flatten(axis, 0)
	return m
}

func (m *matrix) trace() float64 { return m[0] + m[4] + m[8] }

// sweep is the second way of inverse.
func (m *matrix) sweep(small float64) matrix {
	a := *m
	var done [3]bool
	for range 3 {
		p := -1
		for i := range 3 {
			if !done[i] && a[4*i] > small && (p < 0 || a[4*i] > a[4*p]) {
				p = i
			}
		}
		if p < 0 {
			break
		}
		done[p] = true
		d := 1 / a[4*p]
		row := [3]float64{a[3*p], a[3*p+1], a[3*p+2]}
		for i := range 3 {
			for k := range 3 {
				if i != p && k != p {
					a[3*i+k] -= float64(a[3*i+p] * row[k] * d)
				}
			}
		}
		for k := range 3 {
			if k != p {
				a[3*p+k] = float64(row[k] * d)
				a[3*k+p] = a[3*p+k]
			}
		}
		a[4*p] = -d
	}
	// Sweeps leave the negative inverse in what was swept.
	for i := range 3 {
		for k := range 3 {
			if a[3*i+k] = -a[3*i+k]; !done[i] || !done[k] {
				a[3*i+k] = 0
			}
		}
	}
	return a
}

// times returns m·v.
func (m *matrix) times(v geom.DVec3) geom.DVec3 {
	return geom.DVec3{
		X: float64(m[0]*v.X) + float64(m[1]*v.Y) + float64(m[2]*v.Z),
		Y: float64(m[3]*v.X) + float64(m[4]*v.Y) + float64(m[5]*v.Z),
		Z: float64(m[6]*v.X) + float64(m[7]*v.Y) + float64(m[8]*v.Z),
	}
}

// transposedTimes returns mᵀ·v.
func (m *matrix) transposedTimes(v geom.DVec3) geom.DVec3 {
	return geom.DVec3{
		X: float64(m[0]*v.X) + float64(m[3]*v.Y) + float64(m[6]*v.Z),
		Y: float64(m[1]*v.X) + float64(m[4]*v.Y) + float64(m[7]*v.Z),
		Z: float64(m[2]*v.X) + float64(m[5]*v.Y) + float64(m[8]*v.Z),
	}
}

// mul returns m·n.
func (m *matrix) mul(n *matrix) (r matrix) {
	for i := 0; i < 9; i += 3 {
		for k := range 3 {
			r[i+k] = float64(m[i]*n[k]) + float64(m[i+1]*n[3+k]) + float64(m[i+2]*n[6+k])
		}
	}
	return r
}

// subMulTransposed subtracts a·bᵀ.
func (m *matrix) subMulTransposed(a, b *matrix) {
	for i := 0; i < 9; i += 3 {
		for k := range 3 {
			m[i+k] -= float64(a[i]*b[3*k]) + float64(a[i+1]*b[3*k+1]) + float64(a[i+2]*b[3*k+2])
		}
	}
}

// addShared adds what a unit impulse of one column does, by a body, to the velocity that another
// prevents, with a sign: 1/m − [r]·i·[s] between points at the arms r and s of the body. Of columns
// of rotations, which turn it, 1 takes the place of [r] or [s].
//
// In single precision the blocks would not fit each other: a light body between heavy ones, at a
// long arm, would be thrown.
func (m *matrix) addShared(sign float64, rTurns, sTurns bool, r, s geom.Vec3, i *inertia) {
	moments := [3]geom.DVec3{{X: 1}, {Y: 1}, {Z: 1}}
	if s := s.Wide(); !sTurns {
		moments = [3]geom.DVec3{{Y: s.Z, Z: -s.Y}, {X: -s.Z, Z: s.X}, {X: s.Y, Y: -s.X}}
	}
	inverse := widened(i)
	for k := range moments {
		v := inverse.times(moments[k])
		if !rTurns {
			v = v.Cross(r.Wide())
		}
		m[k] += float64(sign * v.X)
		m[3+k] += float64(sign * v.Y)
		m[6+k] += float64(sign * v.Z)
		if !rTurns && !sTurns {
			m[4*k] += float64(sign * float64(i.mass))
		}
	}
}

// entry is a block of L below the diagonal. Columns are those of an assembly, by their place in it.
type entry struct{ row, column int32 }

// column is a column of L: its block of D⁻¹, its entries, and its part of b and x.
type column struct {
	joint          int32  // of the assembly, by its place in it
	turns          bool   // it is the rotations of the joint, not the points
	from, to       int32  // of Dynamics.entries
	child, sibling int32  // 1 + columns: of which this is the first entry, and another of the same
	own            matrix // block of A
	inverse        matrix
	small          float64 // see matrix.inverse
	value          geom.DVec3
}

// hasTurns reports whether a joint that is solved at once has a column of rotations.
func (k JointKind) hasTurns() bool { return k != BallJoint }

// turnsAtOnce reports whether the rotations of a constraint are solved with those of others.
func (c *jointConstraint) turnsAtOnce() bool { return c.direct && c.kind.hasTurns() }

// isSingle reports whether a constraint has something that is not solved with others.
func (c *jointConstraint) isSingle() bool {
	return !c.direct || c.used != 0 || c.turn.on && !c.kind.hasTurns()
}

// shared returns the block of A of two columns.
func (d *Dynamics) shared(row, col *column, chain []jointConstraint) (m matrix) {
	o, c := &chain[row.joint], &chain[col.joint]
	for _, s := range [...]struct {
		sign float64
		x, y int32
		r, s geom.Vec3
	}{{1, o.a, c.a, o.armA, c.armA}, {1, o.b, c.b, o.armB, c.armB}, {-1, o.a, c.b, o.armA, c.armB}, {-1, o.b, c.a, o.armB, c.armA}} {
		if s.x == s.y {
			m.addShared(s.sign, row.turns, col.turns, s.r, s.s, &d.jointInertias[s.x])
		}
	}
	return m
}

// factor computes L and D of an assembly.
func (d *Dynamics) factor(g *assembly) {
	chain, columns := d.constraintsOf(g), d.columnsOf(g)
	for k := range columns {
		col := &columns[k]
		m := d.shared(col, col, chain)
		col.own, col.small = m, flatColumn*m.trace()
		for i := range m {
			m[i] += float64(g.softness * m[i])
		}
		col.inverse = m
		for e := col.from; e < col.to; e++ {
			d.values[e] = d.shared(&columns[d.entries[e].row], col, chain)
		}
	}
	for k := range columns {
		col := &columns[k]
		if t := &chain[col.joint].turn; col.turns && t.flat {
			col.inverse = col.inverse.inverseAcross(t.free, col.own.trace(), col.small)
		} else {
			col.inverse = col.inverse.inverse(col.small)
		}
		for e := col.from; e < col.to; e++ {
			j := &columns[d.entries[e].row]
			scaled := d.values[e].mul(&col.inverse)
			j.inverse.subMulTransposed(&scaled, &d.values[e])
			at := j.from
			for f := e + 1; f < col.to; f++ {
				for d.entries[at].row != d.entries[f].row {
					at++
				}
				// Row f of column j: L is lower, so the roles of e and f are the other way round.
				other := d.values[f].mul(&col.inverse)
				d.values[at].subMulTransposed(&other, &d.values[e])
			}
		}
	}
}

// solveDirect solves the columns of an assembly, by the factors.
func (d *Dynamics) solveDirect(g *assembly, relax bool) {
	chain, columns := d.constraintsOf(g), d.columnsOf(g)
	for k := range columns {
		col := &columns[k]
		c := &chain[col.joint]
		p := d.pairOf(c)
		b, v := &c.point, geom.Vec3{}
		if col.turns {
			b, v = &c.turn, d.missedTurn(c, &p, relax)
		} else {
			v = d.missed(c, &p, relax)
		}
		col.value = v.Neg().Wide()
		if g.softness > 0 && !relax {
			col.value = col.value.AddMul(-g.softness, col.own.times(b.impulse.Wide()))
		}
	}
	d.substitute(g)
	d.applyColumns(g, 1)
}

// substitute replaces b by x in the columns of an assembly, and returns b·x.
func (d *Dynamics) substitute(g *assembly) (product float64) {
	columns := d.columnsOf(g)
	for k := range columns {
		col := &columns[k]
		z := col.inverse.times(col.value)
		product += col.value.Dot(z)
		for e := col.from; e < col.to; e++ {
			o := &columns[d.entries[e].row]
			o.value = o.value.Sub(d.values[e].times(z))
		}
	}
	for k := len(columns) - 1; k >= 0; k-- {
		col := &columns[k]
		for e := col.from; e < col.to; e++ {
			col.value = col.value.Sub(d.values[e].transposedTimes(columns[d.entries[e].row].value))
		}
		col.value = col.inverse.times(col.value)
	}
	return product
}

// applyColumns applies impulses: x of an assembly, times a factor.
func (d *Dynamics) applyColumns(g *assembly, factor float64) {
	chain, columns := d.constraintsOf(g), d.columnsOf(g)
	for k := range columns {
		col := &columns[k]
		c := &chain[col.joint]
		p := d.pairOf(c)
		if change := col.value.Mul(factor).Narrow(); col.turns {
			c.turn.impulse = c.turn.impulse.Add(change)
			d.applyTurn(c, &p, change)
		} else {
			c.point.impulse = c.point.impulse.Add(change)
			d.applyPoint(c, &p, change)
		}
		d.setPair(c, &p)
	}
}

// solveLimits solves the limits of a joint that is solved with others. An impulse of a limit comes
// with those of all columns that keep these satisfied, and its effective mass is the one that it
// has with them. With that of its own joint alone, the columns would take away most of what it
// gives to heavy bodies beyond the next joint: the limit would be exceeded by half a radian, and
// relaxation would leave the velocity that brings it back.
func (d *Dynamics) solveLimits(g *assembly, at int32, relax bool) {
	c := &d.constraintsOf(g)[at]
	soft, rate := c.soft, 1/d.h
	if relax {
		soft = rigidly
	}
	for k := rowCone; k <= rowUpper; k++ {
		axis := c.axis(k)
		if c.used>>k&1 == 0 || axis.mass == 0 {
			continue
		}
		gap, sign := c.gap(k, &d.joints[c.joint].set)
		p := d.pairOf(c)
		v, old := float32(sign*axis.speed(&p)), float32(sign*c.rows[k])
		if old == 0 && axis.stop(0, v, gap, rate, &soft, true) == 0 {
			continue // as with any mass
		}
		axis.mass = d.weighLimit(g, at, axis.n)
		now := float32(sign * axis.stop(old, v, gap, rate, &soft, true))
		change := now - c.rows[k]
		c.rows[k] = now
		d.applyTurn(c, &p, axis.n.Mul(change))
		d.setPair(c, &p)
		d.applyColumns(g, float64(change))
	}
}

// weighLimit returns the effective mass of a joint of an assembly about an axis, and computes the
// impulses x of the columns that go with one of 1 N·m·s.
func (d *Dynamics) weighLimit(g *assembly, at int32, axis geom.Vec3) float32 {
	chain, columns, n := d.constraintsOf(g), d.columnsOf(g), axis.Wide()
	row := column{joint: at, turns: true}
	for k := range columns {
		m := d.shared(&columns[k], &row, chain)
		columns[k].value = m.times(n).Neg()
	}
	m := d.shared(&row, &row, chain)
	k := n.Dot(m.times(n)) - d.substitute(g)
	return reciprocalAbove(float32(k), float32(flatRow*m.trace()))
}

package rigid

import "github.com/hitscan-go/hitscan/physics/geom"

// Joints that hold two points together are solved all at once if they form trees or nearly so, and
// are too many or of too unequal bodies for octets (see isLight):
// A·x = b, where A has a block of 3×3 for each two joints that share a dynamic body. It is factored
// as L·D·Lᵀ in an order in which a tree gets no other blocks than those of A, leaves first (Baraff
// 1996, "Linear-time dynamics using Lagrange multipliers"), so that the time is proportional to the
// number of joints. Joint by joint, a chain of 100 links would need some 10⁴ sweeps, and a heavy
// weight at its end as many times more as it is heavier.

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

// addShared adds what an impulse at the arm s of a body does at its arm r: sign·(1/m − [r]·i·[s]).
func (m *matrix) addShared(sign float64, r, s geom.Vec3, i *inertia) {
	for k, w := range [3]geom.Vec3{
		i.apply(geom.Vec3{Y: s.Z, Z: -s.Y}), i.apply(geom.Vec3{X: -s.Z, Z: s.X}), i.apply(geom.Vec3{X: s.Y, Y: -s.X}),
	} {
		v := w.Cross(r)
		m[k] += float64(sign * float64(v.X))
		m[3+k] += float64(sign * float64(v.Y))
		m[6+k] += float64(sign * float64(v.Z))
		m[4*k] += float64(sign * float64(i.mass))
	}
}

// entry is a block of L below the diagonal. Columns are joints of an assembly, by their place in
// it.
type entry struct{ row, column int32 }

// column is a column of L: its block of D⁻¹, its entries, and its part of b and x.
type column struct {
	from, to       int32  // of Dynamics.entries
	child, sibling int32  // 1 + columns: of which this is the first entry, and another of the same
	own            matrix // block of A
	inverse        matrix
	small          float64 // see matrix.inverse
	value          geom.DVec3
}

// factor computes L and D of an assembly.
func (d *Dynamics) factor(g *assembly) {
	chain := d.constraintsOf(g)[:g.direct]
	columns := d.columns[g.columns : g.columns+g.direct]
	for k := range columns {
		c := &chain[k]
		m := matrix{}
		m.addShared(1, c.armA, c.armA, &d.inertias[c.a])
		m.addShared(1, c.armB, c.armB, &d.inertias[c.b])
		columns[k].own, columns[k].small = m, flatPivot*(m[0]+m[4]+m[8])
		for i := range m {
			m[i] += float64(g.softness * m[i])
		}
		columns[k].inverse = m
		for e := columns[k].from; e < columns[k].to; e++ {
			d.values[e] = matrix{}
			o := &chain[d.entries[e].row]
			for _, s := range [...]struct {
				sign float64
				x, y int32
				r, s geom.Vec3
			}{{1, o.a, c.a, o.armA, c.armA}, {1, o.b, c.b, o.armB, c.armB}, {-1, o.a, c.b, o.armA, c.armB}, {-1, o.b, c.a, o.armB, c.armA}} {
				if s.x == s.y && d.inertias[s.x].mass > 0 {
					d.values[e].addShared(s.sign, s.r, s.s, &d.inertias[s.x])
				}
			}
		}
	}
	for k := range columns {
		col := &columns[k]
		col.inverse = col.inverse.inverse(col.small)
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

// solveDirect solves the points of an assembly, by the factors.
func (d *Dynamics) solveDirect(g *assembly, relax bool) {
	chain := d.constraintsOf(g)[:g.direct]
	columns := d.columns[g.columns : g.columns+g.direct]
	for k := range columns {
		c := &chain[k]
		p := d.pairOf(c)
		v := c.pointSpeed(&p)
		if !relax {
			bias := c.point.error.Mul(directBias / d.h)
			limit(&bias, jointSpeed, 0)
			v = v.Add(bias)
		}
		columns[k].value = v.Neg().Wide()
		if g.softness > 0 && !relax {
			columns[k].value = columns[k].value.AddMul(-g.softness, columns[k].own.times(c.point.impulse.Wide()))
		}
	}
	for k := range columns {
		col := &columns[k]
		z := col.inverse.times(col.value)
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
	for k := range columns {
		c := &chain[k]
		p := d.pairOf(c)
		change := columns[k].value.Narrow()
		c.point.impulse = c.point.impulse.Add(change)
		d.applyPoint(c, &p, change)
		d.setPair(c, &p)
	}
}

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The loops over the triangles of a leaf; the mode selects where to continue after a candidate.
const (
	byPacked = iota // each triangle tests all rays
	byLoose
	byRay // each ray tests all triangles
)

// leaf is the current leaf: its address, and in it the index of a triangle and the addresses of its
// three corners.
type leaf struct {
	place, i reg.GPVirtual
	corners  [3]reg.GPVirtual
	mask     reg.GPVirtual // the rays that pass through the triangle
}

func (p *packet) leaves() {
	l := leaf{place: GP64(), i: GP64(), mask: GP32()}
	for c := range l.corners {
		l.corners[c] = GP64()
	}
	rays := GP64() // in byRay: the ray
	some := GP32() // and a mask of its triangles

	Label("leaf")
	n, kind := GP32(), GP32()
	POPCNTL(p.slot(slotLanes), n)
	MOVL(p.slot(slotLeaf), l.place.As32())
	MOVL(l.place.As32(), kind)
	SHLQ(U8(3), l.place)
	ADDQ(p.base, l.place)
	TESTL(U32(2), kind)
	JNZ(LabelRef("loose"))

	XORL(some, some)
	XORL(rays.As32(), rays.As32())
	p.note(&l, packedSkew+packedFirst)
	CMPL(n, U8(fewRays))
	JLE(LabelRef("fewPacked"))
	MOVL(U32(byPacked), p.slot(slotMode))
	p.shearPacked(&l)
	XORL(l.i.As32(), l.i.As32())
	Label("packedTriangle")
	p.pointPacked(&l)
	var places [3]reg.GPVirtual
	for c := range places {
		places[c] = GP64()
		MOVQ(l.corners[c], places[c])
		SUBQ(l.place, places[c])
		SHLQ(U8(4), places[c]) // from 4 bytes to 64
	}
	p.pass(&l, func(c int) (x, y Mem) {
		m := indexed(p.st, places[c], 1, slot*slotVertex-16*packedSkew)
		return m, m.Offset(slot)
	}, "packedNext")
	JMP(LabelRef("candidate"))
	Label("packedNext")
	p.following(&l, packedSkew+packedLanes, "packedTriangle")

	Label("loose")
	XORL(some, some)
	XORL(rays.As32(), rays.As32())
	p.note(&l, looseSkew+looseFirst)
	CMPL(n, U8(fewRays))
	JLE(LabelRef("fewLoose"))
	MOVL(U32(byLoose), p.slot(slotMode))
	XORL(l.i.As32(), l.i.As32())
	Label("looseTriangle")
	p.pointLoose(&l)
	p.shearLoose(&l)
	p.pass(&l, func(c int) (x, y Mem) { return p.slot(slotVertex + 2*c), p.slot(slotVertex + 2*c + 1) }, "looseNext")
	JMP(LabelRef("candidate"))
	Label("looseNext")
	p.following(&l, looseSkew+looseLanes, "looseTriangle")

	for _, loose := range []bool{false, true} {
		name := "Packed"
		if loose {
			name = "Loose"
		}
		Label("few" + name)
		TZCNTL(p.slot(slotLanes), rays.As32())
		p.testTriangles(&l, rays, some, loose)
		JZ(LabelRef("fewDone"))
		JMP(LabelRef("fewTriangle"))
	}
	Label("fewTriangle")
	TZCNTL(some, l.i.As32())
	BLSRL(some, some)
	for _, s := range [][2]int{{slotFewB, slotNewB}, {slotFewC, slotNewC}, {slotFewDet, slotNewDet}} {
		VMOVUPS(spread(p.word(s[0], l.i)), p.slot(s[1]))
	}
	XORL(l.mask, l.mask)
	BTSL(rays.As32(), l.mask)
	MOVL(U32(byRay), p.slot(slotMode))
	TESTL(U32(2), p.slot(slotLeaf))
	JNZ(LabelRef("fewPoint"))
	p.pointPacked(&l)
	JMP(LabelRef("candidate"))
	Label("fewPoint")
	p.pointLoose(&l)

	Label("candidate")
	p.candidate(&l)
	Label("done")
	mode := GP32()
	MOVL(p.slot(slotMode), mode)
	CMPL(mode, U8(byLoose))
	JLT(LabelRef("packedNext"))
	JEQ(LabelRef("looseNext"))
	TESTL(some, some)
	JNZ(LabelRef("fewTriangle"))
	Label("fewDone")
	left := GP32()
	MOVL(p.slot(slotLanes), left)
	BLSRL(left, left)
	MOVL(left, p.slot(slotLanes))
	JZ(LabelRef("ready"))
	TESTL(U32(2), p.slot(slotLeaf))
	JNZ(LabelRef("fewLoose"))
	JMP(LabelRef("fewPacked"))
}

func (p *packet) note(l *leaf, first int) {
	t := GP32()
	MOVL(at(l.place, first), t)
	MOVL(t, p.slot(slotFirst))
	ids := Load(Param("t"), GP64())
	MOVQ(at(ids, treeIDs), ids)
	PREFETCHT0(indexed(ids, t.As64(), 4, 0))
}

// following continues with the next triangle, or after the last one with the traversal.
func (p *packet) following(l *leaf, lanes int, loop string) {
	n := GP32()
	MOVL(at(l.place, lanes), n)
	SHRL(U8(12), n)
	INCL(l.i.As32())
	CMPL(l.i.As32(), n)
	JLT(LabelRef(loop))
	JMP(LabelRef("ready"))
}

// pointPacked and pointLoose compute the addresses of the x of the corners of a triangle; y and z
// follow 32 and 64 bytes later.
func (p *packet) pointPacked(l *leaf) {
	for c, place := range l.corners {
		MOVBLZX(indexed(l.place, l.i, 1, packedSkew+packedCorner+8*c), place.As32())
		LEAQ(indexed(l.place, place, 4, packedSkew), place)
	}
}

func (p *packet) pointLoose(l *leaf) {
	for c, place := range l.corners {
		LEAQ(indexed(l.place, l.i, 4, looseSkew+96*c), place)
	}
}

// axes loads the offsets of the three axes in a row.
func (p *packet) axes() (a [3]reg.GPVirtual) {
	for i := range a {
		a[i] = GP64()
		MOVL(p.slot(slotAxis).Offset(4*i), a[i].As32())
	}
	return a
}

// sheared transforms a point v to the space of each ray, which has the origin o and the shear s.
func sheared(v, o [3]reg.VecVirtual, s [2]reg.VecVirtual) {
	VSUBPS(o[2], v[2], v[2])
	t := YMM()
	for i := range 2 {
		VSUBPS(o[i], v[i], v[i])
		VMULPS(v[2], s[i], t)
		VSUBPS(t, v[i], v[i])
	}
}

func (p *packet) space() (o [3]reg.VecVirtual, s [2]reg.VecVirtual) {
	for i := range o {
		o[i] = p.load(slotOrigin + i)
	}
	for i := range s {
		s[i] = p.load(slotShear + i)
	}
	return o, s
}

func (p *packet) shearPacked(l *leaf) {
	axes := p.axes()
	for _, a := range axes {
		ADDQ(l.place, a)
	}
	o, s := p.space()
	to, n := GP64(), GP32()
	LEAQ(p.slot(slotVertex), to)
	MOVL(at(l.place, packedSkew+packedLanes), n)
	SHRL(U8(8), n)
	ANDL(U8(15), n)
	Label("vertex")
	var v [3]reg.VecVirtual
	for i := range v {
		v[i] = spread(at(axes[i], packedSkew))
		ADDQ(U8(4), axes[i])
	}
	sheared(v, o, s)
	VMOVUPS(v[0], at(to, 0))
	VMOVUPS(v[1], at(to, slot))
	ADDQ(U8(2*slot), to)
	DECL(n)
	JNZ(LabelRef("vertex"))
}

func (p *packet) shearLoose(l *leaf) {
	axes := p.axes()
	o, s := p.space()
	for c, place := range l.corners {
		var v [3]reg.VecVirtual
		for i := range v {
			v[i] = spread(indexed(place, axes[i], 1, 0))
		}
		sheared(v, o, s)
		VMOVUPS(v[0], p.slot(slotVertex+2*c))
		VMOVUPS(v[1], p.slot(slotVertex+2*c+1))
	}
}

// edges returns the three edge functions of sheared corners.
func edges(x, y [3]reg.VecVirtual, mul, sub func(...Op)) (e [3]reg.VecVirtual) {
	for i := range e {
		// The edge opposite corner i, from corner i+2 to corner i+1.
		j, k := (i+2)%3, (i+1)%3
		t := YMM()
		e[i] = YMM()
		mul(y[k], x[j], e[i])
		mul(x[k], y[j], t)
		sub(t, e[i], e[i])
	}
	return e
}

// outside returns the lanes in which some edge function is negative and some is positive.
func outside(e [3]reg.VecVirtual) reg.VecVirtual {
	none, t, zero := YMM(), YMM(), YMM()
	VXORPS(zero, zero, zero)
	VMINPS(e[0], e[1], none)
	VMAXPS(e[0], e[1], t)
	VMINPS(e[2], none, none)
	VMAXPS(e[2], t, t)
	VCMPPS(less, zero, none, none)
	VCMPPS(less, t, zero, t)
	VANDPS(t, none, none)
	return none
}

// facing removes from a mask the lanes without a determinant, and those that are culled.
func (p *packet) facing(e [3]reg.VecVirtual, mask reg.GPVirtual) (det reg.VecVirtual) {
	t, zero, some := YMM(), YMM(), GP32()
	det = YMM()
	VXORPS(zero, zero, zero)
	VADDPS(e[1], e[0], det)
	VADDPS(e[2], det, det)
	VMULPS(zero, det, t) // NaN if the determinant overflows
	VCMPPS(different, det, t, t)
	VMOVMSKPS(t, some)
	ANDL(some, mask)
	VCMPPS(less, det, zero, t)
	VMOVMSKPS(t, some)
	ANDL(parameter("turn"), some)
	XORL(p.slot(slotFlip), some)
	ANDL(some, mask)
	return det
}

// pass finds the rays that pass through a triangle, among those that cross the leaf's box.
func (p *packet) pass(l *leaf, corner func(c int) (x, y Mem), none string) {
	var x, y [3]reg.VecVirtual
	for c := range x {
		x[c], y[c] = YMM(), YMM()
		mx, my := corner(c)
		VMOVUPS(mx, x[c])
		VMOVUPS(my, y[c])
	}
	e := edges(x, y, VMULPS, VSUBPS)
	out := outside(e)
	VMOVMSKPS(out, l.mask)
	ANDNL(p.slot(slotLanes), l.mask, l.mask)
	JZ(LabelRef(none))
	det := p.facing(e, l.mask)
	JZ(LabelRef(none))
	VMOVUPS(e[1], p.slot(slotNewB))
	VMOVUPS(e[2], p.slot(slotNewC))
	VMOVUPS(det, p.slot(slotNewDet))
}

// testTriangles finds the triangles of a leaf that one ray passes through, all at once.
func (p *packet) testTriangles(l *leaf, ray, mask reg.GPVirtual, loose bool) {
	axes := p.axes()
	var o [3]reg.VecVirtual
	var s [2]reg.VecVirtual
	for i := range o {
		o[i] = spread(p.word(slotOrigin+i, ray))
	}
	for i := range s {
		s[i] = spread(p.word(slotShear+i, ray))
	}
	skew, lanes := packedSkew, packedLanes
	if loose {
		skew, lanes = looseSkew, looseLanes
	}
	row := func(offset int) (v [3]reg.VecVirtual) {
		for i := range v {
			v[i] = YMM()
			VMOVUPS(indexed(l.place, axes[i], 1, skew+offset), v[i])
		}
		sheared(v, o, s)
		return v
	}
	var x, y [3]reg.VecVirtual
	if loose {
		for c := range 3 {
			v := row(96 * c)
			x[c], y[c] = v[0], v[1]
		}
	} else {
		v := row(0)
		for c := range 3 {
			index := YMM()
			x[c], y[c] = YMM(), YMM()
			VPMOVZXBD(at(l.place, skew+packedCorner+8*c), index)
			VPERMPS(v[0], index, x[c])
			VPERMPS(v[1], index, y[c])
		}
	}
	e := edges(x, y, VMULPS, VSUBPS)
	out := outside(e)
	t := GP32()
	VMOVMSKPS(out, mask)
	MOVBLZX(at(l.place, skew+lanes), t)
	ANDNL(t, mask, mask)
	JZ(LabelRef("fewDone"))
	det := p.facing(e, mask)
	VMOVUPS(e[1], p.slot(slotFewB))
	VMOVUPS(e[2], p.slot(slotFewC))
	VMOVUPS(det, p.slot(slotFewDet))
}

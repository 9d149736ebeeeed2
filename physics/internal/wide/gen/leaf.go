package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Comparisons of floats. The result for NaN does not matter for the first two: its lane is masked
// out later.
var (
	equal     = U8(0)
	less      = U8(1)
	different = U8(12) // false for NaN
)

// leaf tests up to eight triangles. Its arithmetic is that of Ray.packed, Ray.loose and Ray.meet,
// operation by operation.
func (m *machine) leaf(loose bool) {
	skew, first, lanes := packedSkew, packedFirst, packedLanes
	if loose {
		skew, first, lanes = looseSkew, looseFirst, looseLanes
	}
	l := m.place
	var axes [3]reg.Register
	for i := range axes {
		a := GP64()
		MOVL(m.state(axis+4*i), a.As32())
		axes[i] = a
	}
	s := m.shearing()
	var index [3]reg.VecVirtual // packed: the lanes of the corners
	var x, y, z [3]reg.VecVirtual
	if loose {
		for c := range 3 {
			x[c], y[c], z[c] = s.of(func(i int) Mem { return indexed(l, axes[i], 1, skew+96*c) })
		}
	} else {
		vx, vy, vz := s.of(func(i int) Mem { return indexed(l, axes[i], 1, skew) })
		for c := range 3 {
			index[c], x[c], y[c], z[c] = YMM(), YMM(), YMM(), vz
			VPMOVZXBD(at(l, skew+packedCorner+8*c), index[c])
			VPERMPS(vx, index[c], x[c])
			VPERMPS(vy, index[c], y[c])
		}
	}
	e := edges(x, y, VMULPS, VSUBPS)
	none, det, t, zero := outside(e), determinant(e), YMM(), YMM()
	VXORPS(zero, zero, zero)
	VMULPS(zero, det, t) // NaN if the determinant overflows
	VCMPPS(different, det, t, t)
	VANDNPS(t, none, none)
	mask, some := GP32(), GP32()
	VMOVMSKPS(none, mask)
	MOVBLZX(at(l, skew+lanes), some)
	ANDL(some, mask)
	JZ(LabelRef("ready"))

	VCMPPS(less, det, zero, t)
	VMOVMSKPS(t, some)
	ANDL(m.state(turn), some)
	XORL(m.state(flip), some)
	ANDL(some, mask)
	JZ(LabelRef("ready"))

	if m.kind != next {
		VMOVUPS(det, m.det)
		if m.kind == closest {
			VMOVUPS(e[1], m.edgeB)
			VMOVUPS(e[2], m.edgeC)
		}
		m.lanes(loose, skew, first, mask, axes)
		return
	}
	w := walk()
	MOVL(m.ref.(reg.GPVirtual).As32(), at(w, blockLeaf))
	MOVL(mask, at(w, blockLanes))
	stack := Load(Param("stack"), GP64())
	SUBQ(stack, m.sp)
	SHRQ(U8(3), m.sp)
	MOVQ(m.sp, at(w, count))
	VZEROUPPER()
	yes := GP8()
	MOVB(U8(1), yes)
	Store(yes, ReturnIndex(0))
	RET()
}

// shearing is what transforms coordinates to the space of the ray, in all lanes.
type shearing struct {
	origin [3]reg.VecVirtual
	by     [2]reg.VecVirtual
}

func (m *machine) shearing() (s shearing) {
	for i := range s.origin {
		s.origin[i] = YMM()
		VBROADCASTSS(m.state(origin+4*i), s.origin[i])
	}
	for i := range s.by {
		s.by[i] = YMM()
		VBROADCASTSS(m.state(shear+4*i), s.by[i])
	}
	return s
}

// of loads coordinates by get and transforms them.
func (s *shearing) of(get func(i int) Mem) (x, y, z reg.VecVirtual) {
	x, y, z = YMM(), YMM(), YMM()
	VMOVUPS(get(2), z)
	VSUBPS(s.origin[2], z, z)
	for i, v := range []reg.VecVirtual{x, y} {
		t := YMM()
		VMOVUPS(get(i), v)
		VSUBPS(s.origin[i], v, v)
		VMULPS(z, s.by[i], t)
		VSUBPS(t, v, v)
	}
	return
}

// determinant returns the sum of the edge functions of triangles.
func determinant(e [3]reg.VecVirtual) reg.VecVirtual {
	det := YMM()
	VADDPS(e[1], e[0], det)
	VADDPS(e[2], det, det)
	return det
}

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The AVX2 twins of the box tests of visit.go in package wide: which of eight boxes touch a box,
// and which of eight triangles' bounds do.

const (
	atMost  = 2  // predicates of float comparisons, false for NaN
	atLeast = 13 // likewise
)

func makeVisit() {
	routine := func(name, doc, signature string, bounds func(p reg.Register, axis int) (low, high Op)) {
		TEXT(name, NOSPLIT, signature)
		Doc(doc)
		Pragma("noescape")
		p, box := Load(Param("p"), GP64()), Load(Param("b"), GP64())
		var all reg.VecVirtual
		for axis := range 3 {
			low, high := bounds(p, axis)
			from, to := YMM(), YMM()
			VBROADCASTSS(at(box, 8*axis), from)
			VBROADCASTSS(at(box, 8*axis+4), to)
			VCMPPS(U8(atMost), high, from, from)
			VCMPPS(U8(atLeast), low, to, to)
			VANDPS(from, to, to)
			if axis == 0 {
				all = to
			} else {
				VANDPS(to, all, all)
			}
		}
		mask := GP32()
		VMOVMSKPS(all, mask)
		VZEROUPPER()
		Store(mask, ReturnIndex(0))
		RET()
	}
	routine("nodeTouchSIMD", "nodeTouchSIMD is node.touch.", "func(p, b *byte) uint32",
		func(p reg.Register, axis int) (low, high Op) { return at(p, 64*axis), at(p, 64*axis+32) })
	// of returns the bounds of eight triangles; corner loads one corner of each.
	of := func(corner func(c int) reg.VecVirtual) (low, high Op) {
		l, h := corner(0), YMM()
		VMOVAPS(l, h)
		for c := 1; c < 3; c++ {
			v := corner(c)
			VMINPS(v, l, l)
			VMAXPS(v, h, h)
		}
		return l, h
	}
	var lanes [3]reg.VecVirtual
	routine("packedTouchSIMD", "packedTouchSIMD is packed.touch.", "func(p, b *byte) uint32",
		func(p reg.Register, axis int) (low, high Op) {
			if axis == 0 {
				for c := range lanes {
					lanes[c] = YMM()
					VPMOVZXBD(at(p, packedCorner+8*c), lanes[c])
				}
			}
			return of(func(c int) reg.VecVirtual {
				v := YMM()
				VPERMPS(at(p, 32*axis), lanes[c], v)
				return v
			})
		})
	routine("looseTouchSIMD", "looseTouchSIMD is loose.touch.", "func(p, b *byte) uint32",
		func(p reg.Register, axis int) (low, high Op) {
			return of(func(c int) reg.VecVirtual {
				v := YMM()
				VMOVUPS(at(p, 96*c+32*axis), v)
				return v
			})
		})
	makeBound()
	makeUnpack()
}

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// span is a range of bytes of an octet or a point.
type span struct{ from, to int }

// ahead prefetches some parts of the next octet, and its bodies. The octets of a large pile exceed
// a second-level cache, and the processor does not follow the gaps between the parts. The indices
// of the bodies must be there by then: they are prefetched one octet earlier.
func (s *solver) ahead(size int, inert bool, parts []span) {
	prefetch(s.o, size, parts)
	CMPQ(s.left, U8(1))
	JEQ(LabelRef("last"))
	PREFETCHT0(at(s.o, 2*size))
	motions, inertias := Load(Param("motions"), GP64()), reg.Register(nil)
	if inert {
		inertias = Load(Param("inertias"), GP64())
	}
	// A loop, since these lines in full would be a tenth of the assembly.
	body, bodies, i := GP64(), GP64(), GP64()
	LEAQ(at(s.o, size), body)
	MOVQ(U32(16), bodies)
	Label("body")
	MOVL(at(body, 0), i.As32())
	SHLQ(U8(inertiaBytes), i)
	PREFETCHT0(indexed(motions, i, 2, 0))
	if inert {
		PREFETCHT0(indexed(inertias, i, 1, 0))
	}
	ADDQ(U8(4), body)
	DECQ(bodies)
	JNZ(LabelRef("body"))
	Label("last")
}

// prefetch prefetches the cache lines of some parts of what is some bytes further.
func prefetch(p reg.Register, bytes int, parts []span) {
	const line = 64
	for _, s := range parts {
		for i := s.from &^ (line - 1); i < s.to; i += line {
			PREFETCHT0(at(p, bytes+i))
		}
	}
}

// turn transposes four vectors of four numbers in each half of the registers.
func turn4(r [4]reg.VecVirtual) (c [4]reg.VecVirtual) {
	var t [4]reg.VecVirtual
	for i := range t {
		t[i], c[i] = YMM(), YMM()
	}
	VUNPCKLPS(r[1], r[0], t[0])
	VUNPCKHPS(r[1], r[0], t[1])
	VUNPCKLPS(r[3], r[2], t[2])
	VUNPCKHPS(r[3], r[2], t[3])
	VUNPCKLPD(t[2], t[0], c[0])
	VUNPCKHPD(t[2], t[0], c[1])
	VUNPCKLPD(t[3], t[1], c[2])
	VUNPCKHPD(t[3], t[1], c[3])
	return c
}

// quad is four numbers of an element of a list, from an offset on, that become rows of the frame.
type quad struct {
	from, col int
	last      bool // only the fourth is needed
}

// gatherColumns writes some numbers of each of eight elements of a list as rows to the frame.
func gatherColumns(base, index, to reg.Register, shift int, quads ...quad) {
	r := make([][4]reg.VecVirtual, len(quads))
	for l := range 4 {
		i, k := GP64(), GP64()
		MOVL(at(index, 4*l), i.As32())
		MOVL(at(index, 4*l+16), k.As32())
		SHLQ(U8(shift), i)
		SHLQ(U8(shift), k)
		for n, q := range quads {
			r[n][l] = YMM()
			VBROADCASTF128(indexed(base, i, 1, q.from), r[n][l])
			VINSERTF128(U8(1), indexed(base, k, 1, q.from), r[n][l], r[n][l])
		}
	}
	for n, q := range quads {
		if q.last {
			t, u := YMM(), YMM()
			VUNPCKHPS(r[n][1], r[n][0], t)
			VUNPCKHPS(r[n][3], r[n][2], u)
			VUNPCKHPD(u, t, t)
			VMOVUPS(t, at(to, q.col+3*row))
			continue
		}
		for k, c := range turn4(r[n]) {
			VMOVUPS(c, at(to, q.col+row*k))
		}
	}
}

// gather writes the columns of both sides' bodies to the frame.
func (s *solver) gather(moved, inert bool) {
	motions, inertias := Load(Param("motions"), GP64()), reg.Register(nil)
	if inert {
		inertias = Load(Param("inertias"), GP64())
	}
	index, to, sides := GP64(), GP64(), GP64()
	MOVQ(s.o, index)
	MOVQ(s.f, to)
	MOVQ(U32(2), sides)
	Label("gather")
	quads := []quad{{from: 0, col: colV}, {from: 16, col: colV + 4*row}}
	if moved {
		quads = append(quads, quad{from: 32, col: colV + 8*row, last: s.flat})
	}
	gatherColumns(motions, index, to, motionBytes, quads...)
	if inert {
		quads := []quad{{from: 0, col: colInertia, last: s.flat}}
		if !s.flat {
			quads = append(quads, quad{from: 16, col: colInertia + 4*row})
		}
		gatherColumns(inertias, index, to, inertiaBytes, quads...)
	}
	ADDQ(U8(octetB), index)
	ADDQ(U32(sideSize), to)
	DECQ(sides)
	JNZ(LabelRef("gather"))
}

// scatter writes the velocities in the frame to the dynamic bodies.
func (s *solver) scatter() {
	motions := Load(Param("motions"), GP64())
	index, from, mass, sides := GP64(), GP64(), GP64(), GP64()
	MOVQ(s.o, index)
	MOVQ(s.f, from)
	LEAQ(at(s.o, octetInvMassA), mass)
	MOVQ(U32(2), sides)
	Label("scatter")
	moves, mask := YMM(), GP32()
	VXORPS(moves, moves, moves)
	VCMPPS(less, at(mass, 0), moves, moves)
	VMOVMSKPS(moves, mask)
	TESTL(mask, mask)
	JZ(LabelRef("still"))
	var r [4]reg.VecVirtual
	for k := range r {
		r[k] = YMM()
		VMOVUPS(at(from, colV+row*k), r[k])
	}
	low := turn4(r)
	y, z, high := YMM(), YMM(), [2]reg.VecVirtual{YMM(), YMM()}
	VMOVUPS(at(from, colW+row), y)
	VMOVUPS(at(from, colW+2*row), z)
	VUNPCKLPS(z, y, high[0])
	VUNPCKHPS(z, y, high[1])
	for half := range 2 {
		for l := range 4 {
			i, h := GP64(), high[l/2].AsX()
			next := LabelRef("fixed" + string(rune('0'+4*half+l)))
			BTL(U8(4*half+l), mask)
			JCC(next)
			MOVL(at(index, 4*(4*half+l)), i.As32())
			SHLQ(U8(motionBytes), i)
			ADDQ(motions, i)
			VMOVUPS(low[l].AsX(), at(i, 0))
			if l%2 == 0 {
				VMOVLPS(h, at(i, 16))
			} else {
				VMOVHPS(h, at(i, 16))
			}
			Label(string(next))
		}
		if half == 0 {
			for _, v := range append(low[:], high[:]...) {
				VEXTRACTF128(U8(1), v, v.AsX())
			}
		}
	}
	Label("still")
	ADDQ(U8(octetB), index)
	ADDQ(U32(sideSize), from)
	ADDQ(U8(row), mass)
	DECQ(sides)
	JNZ(LabelRef("scatter"))
}

// col is the place of a column in the frame.
func (s *solver) col(side, offset int) Mem { return at(s.f, sideSize*side+offset) }

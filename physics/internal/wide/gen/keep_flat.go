package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The AVX2 twin of flatParting.set of package rigid, for the first two points of eight manifolds.

// Offsets in rigid.flatLanes and rigid.frame; a test in package rigid compares them with those of
// the compiler.
const (
	flatMemories, flatFramesA, flatFramesB = 0, 64, 128
	flatGaps, flatMost, flatNear           = 192, 256, 288

	frameY, frameReach = 16, 28
	memoryQB           = 244
)

// makeKeepFlat is given what makes constants, and some of those that makeKeep has.
func makeKeepFlat(all func(name string, x float64) Mem, series []Mem, limit, negative Mem) {
	distance, share := all("keptDistance", 0.02), all("keptShare", 1.0/16)
	TEXT("partFlatSIMD", 0, "func(p *byte)")
	Doc("partFlatSIMD is flatParting.set of eight manifolds with two points each.")
	Pragma("noescape")
	frame := AllocLocal(12 * row)
	place := func(i int) Mem { return frame.Offset(row * i) }
	reachSq, mostSq, apartX, apartY, cosA, sinA, cosB, sinB, angleA := place(0), place(1), place(2), place(3), place(4), place(5), place(6), place(7), place(8)
	turned, far := place(9), place(10)
	p := Load(Param("p"), GP64())
	// rows returns four numbers of what eight pointers point to.
	rows := func(pointers, from int) [4]reg.VecVirtual {
		var r [4]reg.VecVirtual
		for l := range r {
			x := GP64()
			r[l] = YMM()
			MOVQ(at(p, pointers+8*l), x)
			VBROADCASTF128(at(x, from), r[l])
			MOVQ(at(p, pointers+8*(l+4)), x)
			VINSERTF128(U8(1), at(x, from), r[l], r[l])
		}
		return turn4(r)
	}
	op := func(do func(...Op), y Op, x reg.VecVirtual) reg.VecVirtual {
		to := YMM()
		do(y, x, to)
		return to
	}
	times := func(x reg.VecVirtual, y Op) reg.VecVirtual { return op(VMULPS, y, x) }
	plus := func(x reg.VecVirtual, y Op) reg.VecVirtual { return op(VADDPS, y, x) }
	minus := func(x reg.VecVirtual, y Op) reg.VecVirtual { return op(VSUBPS, y, x) }
	put := func(x reg.VecVirtual, to Mem) { VMOVUPS(x, to) }
	get := func(from Mem) reg.VecVirtual { return loadRow(from) }
	const greater = 14

	Comment("How far apart the bodies are, and their reach.")
	{
		a, b := rows(flatFramesA, frameAt), rows(flatFramesB, frameAt)
		put(minus(b[0], a[0]), apartX)
		put(minus(b[1], a[1]), apartY)
		put(op(VORPS, b[3], a[3]), turned) // X of their rotations
	}
	for side, q := range [2]int{memoryQA, memoryQB} {
		Comment([2]string{"The turn of A since.", "The turn of B since."}[side])
		now := rows([2]int{flatFramesA, flatFramesB}[side], frameY)
		if side == 0 {
			put(now[3], reachSq)
		} else {
			reach := get(reachSq)
			VMINPS(now[3], reach, reach)
			put(times(reach, reach), reachSq)
			VMULPS(share, reach, reach)
			VMINPS(distance, reach, reach)
			put(reach, at(p, flatMost))
			put(times(reach, reach), mostSq)
		}
		was := rows(flatMemories, q)
		z := minus(times(now[1], was[3]), times(now[2], was[2]))
		w := plus(times(now[2], was[3]), times(now[1], was[2]))
		VORPS(now[0], was[0], was[0])
		VORPS(was[1], was[0], was[0])
		VORPS(turned, was[0], was[0])
		put(was[0], turned)
		twice := plus(z, z)
		put(op(VXORPS, negative, times(z, twice)), [2]Mem{cosA, cosB}[side])
		put(times(w, twice), [2]Mem{sinA, sinB}[side])
		none := zero()
		VCMPPS(less, none, w, w)
		VANDPS(negative, w, w)
		VXORPS(w, z, z)
		s := times(z, z)
		k := times(s, series[0])
		for _, c := range series[1:] {
			VADDPS(c, k, k)
			if c != series[len(series)-1] {
				VMULPS(s, k, k)
			}
		}
		angle := times(z, plus(k, k))
		beyond := times(angle, angle)
		VCMPPS(U8(greater), limit, beyond, beyond)
		if side == 0 {
			put(angle, angleA)
			put(beyond, far)
			continue
		}
		turn := minus(angle, angleA)
		turn = times(times(turn, turn), reachSq)
		VCMPPS(U8(greater), mostSq, turn, turn)
		VORPS(turn, beyond, beyond)
		VORPS(far, beyond, beyond)
		put(beyond, far)
	}
	Comment("Those that are flat, and not far.")
	{
		flat := get(turned)
		VPSLLD(U8(1), flat, flat)
		VPCMPEQD(zero(), flat, flat)
		beyond := get(far)
		VANDNPS(flat, beyond, beyond)
		put(beyond, far)
	}
	Comment("The points.")
	cos, sin := minus(get(cosB), cosA), minus(get(sinB), sinA)
	shiftX, shiftY := place(4), place(5) // where cosA and sinA were
	normal := rows(flatMemories, memoryNormal)
	nx, ny := place(6), place(7) // where cosB and sinB were
	put(normal[0], nx)
	put(normal[1], ny)
	near := GP32()
	for k := range 2 {
		from := memoryPoints + anchorSize*k
		// The arms end and begin within a vector.
		first, rest := rows(flatMemories, from+anchorArmA), rows(flatMemories, from+anchorArmB+4)
		ax, ay, bx, by, gap := first[0], first[1], first[3], rest[0], rest[2]
		VSUBPS(ax, bx, ax)
		VSUBPS(ay, by, ay)
		if k == 0 {
			x := minus(times(ax, cosA), times(ay, sinA))
			y := plus(times(ax, sinA), times(ay, cosA))
			put(x, shiftX)
			put(y, shiftY)
		}
		VADDPS(apartX, ax, ax)
		VADDPS(apartY, ay, ay)
		tx := plus(times(cos, bx), shiftX)
		VSUBPS(times(sin, by), tx, tx)
		ty := plus(times(sin, bx), shiftY)
		VADDPS(times(cos, by), ty, ty)
		VADDPS(tx, ax, ax)
		VADDPS(ty, ay, ay)
		square := plus(times(ax, ax), times(ay, ay))
		VCMPPS(notAbove, mostSq, square, square)
		VANDPS(far, square, square)
		VMULPS(nx, ax, ax)
		VMULPS(ny, ay, ay)
		VADDPS(ay, ax, ax)
		VADDPS(ax, gap, gap)
		put(gap, at(p, flatGaps+row*k))
		VMOVMSKPS(square, near)
		MOVL(near, at(p, flatNear+4*k))
	}
	VZEROUPPER()
	RET()
}

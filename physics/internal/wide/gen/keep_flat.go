package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// What package rigid does in a step with an octet of persistent constraints, before it is weighed.
// The general way, with a job for each, is the specification.

// Offsets in rigid.anchors and rigid.frame; a test in package rigid compares them with those of the
// compiler.
const (
	anchorsAX, anchorsAY, anchorsBX, anchorsBY, anchorsGap = 0, 64, 128, 192, 256
	anchorsQA, anchorsQB, anchorsMost, anchorsNormal       = 320, 384, 448, 480
	anchorsDepth, anchorsStiff, anchorsPressed             = 544, 576, 608

	frameY, frameReach = 16, 28
)

// makeKeepFlat is given what makes constants, and some of those that makeKeep has.
func makeKeepFlat(all func(name string, x float64) Mem, series []Mem, limit, negative Mem) {
	distance, share := all("keptDistance", 0.02), all("keptShare", 1.0/16)
	tooShallow, tooDeep, cosine, one := all("keptError", 0.25), all("keptMiss", 1.0/16), all("keptCosine", 1-1.0/2048), all("single", 1)
	TEXT("partFlatSIMD", 0, "func(o, a, frames *byte, heavy float32) uint32")
	Doc("partFlatSIMD is flatParting.set and flatParting.keeps of eight constraints. It returns the set of",
		"those that are kept and not heavy.")
	Pragma("noescape")
	frame := AllocLocal(12 * row)
	place := func(i int) Mem { return frame.Offset(row * i) }
	reachSq, mostSq, apartX, apartY, cosA, sinA, cosB, sinB, angleA := place(0), place(1), place(2), place(3), place(4), place(5), place(6), place(7), place(8)
	turned, far := place(9), place(10)
	o, p, frames := Load(Param("o"), GP64()), Load(Param("a"), GP64()), Load(Param("frames"), GP64())
	// rows returns four numbers of the frames of eight bodies.
	rows := func(bodies, from int) [4]reg.VecVirtual {
		var r [4]reg.VecVirtual
		for l := range r {
			x := GP64()
			r[l] = YMM()
			framesOf := func(l int) Mem {
				MOVL(at(o, bodies+4*l), x.As32())
				SHLQ(U8(5), x)
				ADDQ(frames, x)
				return at(x, from)
			}
			VBROADCASTF128(framesOf(l), r[l])
			VINSERTF128(U8(1), framesOf(l+4), r[l], r[l])
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
		a, b := rows(octetA, frameAt), rows(octetB, frameAt)
		put(minus(b[0], a[0]), apartX)
		put(minus(b[1], a[1]), apartY)
		put(op(VORPS, b[3], a[3]), turned) // X of their rotations
	}
	for side, q := range [2]int{anchorsQA, anchorsQB} {
		Comment([2]string{"The turn of A since.", "The turn of B since."}[side])
		now := rows([2]int{octetA, octetB}[side], frameY)
		if side == 0 {
			put(now[3], reachSq)
		} else {
			reach := get(reachSq)
			VMINPS(now[3], reach, reach)
			put(times(reach, reach), reachSq)
			VMULPS(share, reach, reach)
			VMINPS(distance, reach, reach)
			put(reach, at(p, anchorsMost))
			put(times(reach, reach), mostSq)
		}
		VORPS(turned, now[0], now[0])
		put(now[0], turned)
		wasZ, wasW := get(at(p, q)), get(at(p, q+row))
		z := minus(times(now[1], wasW), times(now[2], wasZ))
		w := plus(times(now[2], wasW), times(now[1], wasZ))
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
	nx, ny := at(o, octetNormal), at(o, octetNormal+row)
	near := [2]Mem{place(0), place(8)} // where reachSq and angleA were
	for k := range 2 {
		of := func(from int) reg.VecVirtual { return get(at(p, from+row*k)) }
		bx, by, gap := of(anchorsBX), of(anchorsBY), of(anchorsGap)
		ax, ay := minus(bx, at(p, anchorsAX+row*k)), minus(by, at(p, anchorsAY+row*k))
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
		put(gap, at(o, octetPoints+pointSize*k+pointGap))
		put(square, near[k])
	}
	Comment("The manifolds that differ little from the present ones.")
	gap := func(k int) reg.VecVirtual { return get(at(o, octetPoints+pointSize*k+pointGap)) }
	two := get(one)
	VCMPPS(less, at(o, octetCount), two, two)
	deepest := op(VXORPS, negative, gap(0))
	{
		both := op(VMAXPS, op(VXORPS, negative, gap(1)), deepest)
		VBLENDVPS(two, both, deepest, deepest)
	}
	kept := YMM()
	VPCMPEQD(kept, kept, kept)
	VANDNPS(kept, two, kept) // one point
	VORPS(near[1], kept, kept)
	VANDPS(near[0], kept, kept)
	most := get(at(p, anchorsMost))
	wrong := minus(deepest, at(p, anchorsDepth))
	other := op(VXORPS, negative, wrong)
	VCMPPS(notAbove, times(most, tooShallow), wrong, wrong)
	VCMPPS(notAbove, times(most, tooDeep), other, other)
	VANDPS(wrong, kept, kept)
	VANDPS(other, kept, kept)
	none := zero()
	VCMPPS(less, most, none, none) // a body that sleeps has no reach
	VANDPS(none, kept, kept)
	cos = plus(times(get(nx), at(p, anchorsNormal)), times(get(ny), at(p, anchorsNormal+row)))
	VCMPPS(less, cosine, cos, cos)
	VANDNPS(kept, cos, kept)
	impulse := func(k int) Mem { return at(o, octetPoints+pointSize*k+pointImpulse) }
	load := times(plus(get(impulse(0)), impulse(1)), plus(get(at(o, octetInvMassA)), at(o, octetInvMassB)))
	heavy := YMM()
	VBROADCASTSS(parameter("heavy"), heavy)
	VCMPPS(U8(greater), heavy, load, load)
	VANDNPS(kept, load, kept)
	set := GP32()
	VMOVMSKPS(kept, set)
	VZEROUPPER()
	Store(set, ReturnIndex(0))
	RET()
	makeRefresh(one)
}

func makeRefresh(one Mem) {
	TEXT("refreshSIMD", NOSPLIT, "func(o, a, s *byte, limit, kept float32)")
	Doc("refreshSIMD writes what weighSIMD begins with to an octet of persistent constraints.")
	Pragma("noescape")
	o, a, s := Load(Param("o"), GP64()), Load(Param("a"), GP64()), Load(Param("s"), GP64())
	point := func(k, of int) Mem { return at(o, octetPoints+pointSize*k+of) }
	none := zero()
	mass := loadRow(at(o, octetInvMassA))
	VADDPS(at(o, octetInvMassB), mass, mass)
	most := zero()
	for k := range 2 {
		for i, from := range [...]int{anchorsAX, anchorsAY, anchorsBX, anchorsBY} {
			x := loadRow(at(a, from+row*k))
			VMOVUPS(x, point(k, [...]int{pointArmA, pointArmA + row, pointArmB, pointArmB + row}[i]))
		}
		for _, of := range [...]int{pointArmA + 2*row, pointArmB + 2*row, pointMost} {
			VMOVUPS(none, point(k, of))
		}
		is, set := YMM(), GP32()
		VMAXPS(point(k, pointImpulse), most, most)
		VCMPPS(less, point(k, pointImpulse), none, is)
		VMOVMSKPS(is, set)
		MOVL(set, at(a, anchorsPressed+4*k))
	}
	Comment("A point that a constraint does not have has no gap.")
	two := loadRow(one)
	VCMPPS(less, at(o, octetCount), two, two)
	VANDPS(point(1, pointGap), two, two)
	VMOVUPS(two, point(1, pointGap))
	Comment("The impulse of friction.")
	for i := range 3 {
		x, y := loadRow(at(o, octetTangent+row*i)), loadRow(at(o, octetTangent+row*(i+3)))
		VMULPS(at(o, octetTangential), x, x)
		VMULPS(at(o, octetTangential+row), y, y)
		VADDPS(y, x, x)
		VMOVUPS(x, at(o, octetTangent+row*i))
	}
	Comment("The softness by the load.")
	limit, kept, stiff := YMM(), YMM(), loadRow(at(a, anchorsStiff))
	VBROADCASTSS(parameter("limit"), limit)
	VBROADCASTSS(parameter("kept"), kept)
	VBLENDVPS(stiff, kept, limit, limit)
	VMULPS(mass, most, most)
	VCMPPS(less, most, limit, stiff)
	VMOVUPS(stiff, at(a, anchorsStiff))
	for _, p := range [][2]int{{softBias, octetBias}, {softMass, octetShare}, {softImpulse, octetBack}} {
		x, y := YMM(), YMM()
		VBROADCASTSS(at(s, p[0]), x)
		VBROADCASTSS(at(s, softSize+p[0]), y)
		VBLENDVPS(stiff, y, x, x)
		VMOVUPS(x, at(o, p[1]))
	}
	VZEROUPPER()
	RET()
}

package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The AVX2 twin of Joiner.measure and Joiner.edge in package narrow, for a box and four triangles,
// operation by operation. A lane is a triangle.

// Offsets in narrow.fourFaces; a test in package narrow compares them with those of the compiler.
// fourRow is the size of four numbers.
const (
	fourRow = 32

	fourCorner, fourNormal             = 0, 9 * fourRow
	fourSize, fourVolume               = 12 * fourRow, 13 * fourRow
	fourHeight, fourDepth              = 14 * fourRow, 15 * fourRow
	fourLow, fourOut, fourLong, fourIn = 16 * fourRow, 19 * fourRow, 28 * fourRow, 31 * fourRow

	triangleBytes = 36
)

// triples is the three components of four vectors, in lanes.
type triples [3]reg.VecVirtual

func measureTriangles() {
	thin := fourLanes("thin", math.Float64bits(0x1p-21))
	noSignSingle := fourLanes("noSignSingle", 0x7fffffff_7fffffff)
	sign := fourLanes("sign", 1<<63)

	TEXT("facesSIMD", NOSPLIT, "func(f, t, s *byte, margin float64) uint32")
	Doc("facesSIMD measures four triangles from a box.")
	Pragma("noescape")
	f, t, s := Load(Param("f"), GP64()), Load(Param("t"), GP64()), Load(Param("s"), GP64())
	spread := func(m Mem) reg.VecVirtual {
		v := YMM()
		VBROADCASTSD(m, v)
		return v
	}
	load := func(offset int) (v triples) {
		for i := range v {
			v[i] = YMM()
			VMOVUPD(at(f, offset+fourRow*i), v[i])
		}
		return v
	}
	store := func(v triples, offset int) {
		for i := range v {
			VMOVUPD(v[i], at(f, offset+fourRow*i))
		}
	}
	sub := func(v, w triples) (d triples) {
		for i := range d {
			d[i] = YMM()
			VSUBPD(w[i], v[i], d[i])
		}
		return d
	}
	product := func(v, w Op) reg.VecVirtual {
		p := YMM()
		VMULPD(w, v, p)
		return p
	}
	dot := func(v, w triples) reg.VecVirtual {
		sum := product(v[0], w[0])
		for i := range 2 {
			VADDPD(product(v[i+1], w[i+1]), sum, sum)
		}
		return sum
	}
	cross := func(v, w triples) (n triples) {
		for i := range n {
			j, k := (i+1)%3, (i+2)%3
			n[i] = product(v[j], w[k])
			VSUBPD(product(v[k], w[j]), n[i], n[i])
		}
		return n
	}
	mask, bits := GP32(), GP32()
	XORL(mask, mask)
	note := func(v reg.VecVirtual, shift int) {
		VMOVMSKPD(v, bits)
		if shift > 0 {
			SHLL(U8(shift), bits)
		}
		ORL(bits, mask)
	}

	Comment("The corners, and the largest magnitude of their coordinates.")
	size := XMM()
	corner := 0
	take := func(single reg.VecVirtual) {
		wide, magnitude := YMM(), XMM()
		VCVTPS2PD(single, wide)
		VMOVUPD(wide, at(f, fourCorner+fourRow*corner))
		VPAND(noSignSingle, single, magnitude)
		if corner == 0 {
			VMOVDQA(magnitude, size)
		} else {
			VPMAXUD(magnitude, size, size)
		}
		corner++
	}
	for _, offset := range []int{0, 16} {
		var r, q [4]reg.VecVirtual
		for i := range r {
			r[i], q[i] = XMM(), XMM()
			VMOVUPS(at(t, triangleBytes*i+offset), r[i])
		}
		for i := range 2 {
			VUNPCKLPS(r[2*i+1], r[2*i], q[2*i])
			VUNPCKHPS(r[2*i+1], r[2*i], q[2*i+1])
		}
		for i := range 2 {
			low, high := XMM(), XMM()
			VMOVLHPS(q[2+i], q[i], low)
			take(low)
			VMOVHLPS(q[i], q[2+i], high)
			take(high)
		}
	}
	last := XMM()
	VMOVSS(at(t, 32), last)
	for i := range 3 {
		VINSERTPS(U8(16*(i+1)), at(t, triangleBytes*(i+1)+32), last, last)
	}
	take(last)
	sizes := YMM()
	VCVTPS2PD(size, sizes)
	VMOVUPD(sizes, at(f, fourSize))

	Comment("Along the axes of the box.")
	var from [3]triples
	for c := range from {
		from[c] = load(fourCorner + 3*fourRow*c)
	}
	for i := range 3 {
		p := spread(at(s, shapeP+8*i))
		for c := range from {
			VSUBPD(p, from[c][i], from[c][i])
		}
	}
	gap := YMM()
	for axis := range 3 {
		var sum triples
		for i := range 3 {
			a := spread(at(s, shapeX+24*axis+8*i))
			for c := range sum {
				if i == 0 {
					sum[c] = product(a, from[c][i])
				} else {
					VADDPD(product(a, from[c][i]), sum[c], sum[c])
				}
			}
		}
		least := YMM()
		VMINPD(sum[1], sum[0], least)
		VMAXPD(sum[1], sum[0], sum[0])
		VMINPD(sum[2], least, least)
		VMAXPD(sum[2], sum[0], sum[0])
		VXORPD(sign, sum[0], sum[0])
		VMAXPD(sum[0], least, least)
		VSUBPD(spread(at(s, shapeHalf+8*axis)), least, least)
		if axis == 0 {
			VMOVAPD(least, gap)
		} else {
			VMAXPD(least, gap, gap)
		}
	}
	VCMPPD(U8(30), spread(parameter("margin")), gap, gap) // greater
	VSUBPD(sizes, sizes, sizes)
	VCMPPD(U8(7), sizes, sizes, sizes) // ordered: finite
	VANDPD(sizes, gap, gap)
	note(gap, 0)

	Comment("The normal.")
	a := load(fourCorner)
	ab, ac := sub(load(fourCorner+3*fourRow), a), sub(load(fourCorner+6*fourRow), a)
	n := cross(ab, ac)
	longest := dot(ab, ab)
	VMAXPD(dot(ac, ac), longest, longest)
	bc := sub(ac, ab)
	VMAXPD(dot(bc, bc), longest, longest)
	l, least, finite := dot(n, n), YMM(), YMM()
	VMOVUPD(at(f, fourSize), least)
	VMULPD(thin, least, least)
	VMULPD(least, least, least)
	VMULPD(longest, least, least)
	VCMPPD(U8(30), least, l, least)
	VSUBPD(l, l, finite)
	VCMPPD(U8(7), finite, finite, finite)
	VANDPD(finite, least, least)
	note(least, 4)
	VSQRTPD(l, l)
	VMOVUPD(l, at(f, fourVolume))
	for i := range n {
		VDIVPD(l, n[i], n[i])
	}
	store(n, fourNormal)

	Comment("The support point against it.")
	var middle, d triples
	for i := range middle {
		middle[i] = spread(at(s, shapeP+8*i))
	}
	h, back := dot(sub(middle, load(fourCorner)), n), YMM()
	VMOVUPD(h, at(f, fourHeight))
	VXORPD(back, back, back)
	VCMPPD(U8(17), back, h, back) // less
	note(back, 12)
	VANDNPD(sign, back, back)
	for i := range d {
		d[i] = YMM()
		VXORPD(back, n[i], d[i])
	}
	low := middle
	var at3 triples
	for axis := range 3 {
		at3[axis] = product(spread(at(s, shapeX+24*axis)), d[0])
		for i := range 2 {
			VADDPD(product(spread(at(s, shapeX+24*axis+8*(i+1))), d[i+1]), at3[axis], at3[axis])
		}
		note(at3[axis], 16+4*axis)
		VANDPD(sign, at3[axis], at3[axis])
		VORPD(spread(at(s, shapeHalf+8*axis)), at3[axis], at3[axis])
	}
	for i := range low {
		sum := product(spread(at(s, shapeX+8*i)), at3[0])
		for axis := range 2 {
			VADDPD(product(spread(at(s, shapeX+24*(axis+1)+8*i)), at3[axis+1]), sum, sum)
		}
		VADDPD(sum, low[i], low[i])
	}
	store(low, fourLow)
	above := sub(load(fourCorner), low)
	for i := range d {
		VXORPD(sign, d[i], d[i])
	}
	depth, limit := dot(above, d), spread(parameter("margin"))
	VMOVUPD(depth, at(f, fourDepth))
	VXORPD(sign, limit, limit)
	VCMPPD(U8(17), limit, depth, depth)
	note(depth, 8)

	Comment("The edges.")
	for edge := range 3 {
		begin := load(fourCorner + 3*fourRow*edge)
		along := sub(load(fourCorner+3*fourRow*((edge+1)%3)), begin)
		long := dot(along, along)
		VSQRTPD(long, long)
		VMOVUPD(long, at(f, fourLong+fourRow*edge))
		out := cross(along, load(fourNormal))
		store(out, fourOut+3*fourRow*edge)
		in := dot(out, sub(load(fourLow), begin))
		VXORPD(sign, in, in)
		VMOVUPD(in, at(f, fourIn+fourRow*edge))
	}
	VZEROUPPER()
	Store(mask, ReturnIndex(0))
	RET()
}

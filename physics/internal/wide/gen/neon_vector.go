package main

import (
	"fmt"
	"strings"

	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The vector instructions. Operands are in Go's order, the destination last: of two, d is a op m.

// lanewise are the instructions that have a counterpart for each half, with the name of its macro.
var lanewise = map[string]string{
	"VADDPS": "FADD4", "VSUBPS": "FSUB4", "VMULPS": "FMUL4", "VDIVPS": "FDIV4",
	"VADDPD": "FADD2", "VSUBPD": "FSUB2", "VMULPD": "FMUL2", "VDIVPD": "FDIV2",
	"VPADDD": "ADD4", "VPSUBD": "SUB4",
	"VPMAXSD": "SMAX4", "VPMINSD": "SMIN4", "VPMAXUD": "UMAX4", "VPMINUD": "UMIN4", "VPMAXUW": "UMAX8", "VPMINUW": "UMIN8",
	"VANDPS": "AND16", "VANDPD": "AND16", "VPAND": "AND16",
	"VORPS": "ORR16", "VORPD": "ORR16", "VPOR": "ORR16",
	"VXORPS": "EOR16", "VXORPD": "EOR16", "VPXOR": "EOR16",
	"VPCMPGTD": "CMGT4", "VPCMPEQD": "CMEQ4", "VPCMPEQB": "CMEQ16",
	"VUNPCKLPS": "ZIPL4", "VUNPCKHPS": "ZIPH4", "VPUNPCKLDQ": "ZIPL4", "VPUNPCKHDQ": "ZIPH4",
	"VUNPCKLPD": "ZIPL2", "VUNPCKHPD": "ZIPH2", "VPUNPCKLQDQ": "ZIPL2", "VMOVLHPS": "ZIPL2",
}

// unary are the same of one operand.
var unary = map[string]string{"VSQRTPS": "FSQRT4", "VSQRTPD": "FSQRT2", "VCVTDQ2PS": "SCVTF4", "VCVTTPS2DQ": "FCVTZS4"}

// scalars are those of the lowest lane.
var scalars = map[string]string{
	"VADDSS": "FADDS", "VSUBSS": "FSUBS", "VMULSS": "FMULS", "VDIVSS": "FDIVS",
	"VADDSD": "FADDD", "VSUBSD": "FSUBD", "VMULSD": "FMULD", "VDIVSD": "FDIVD",
}

// lanesOf is the letter of Go's assembler and the macros' number of the lanes of an instruction.
func lanesOf(opcode string) (letter string, lanes int) {
	if strings.HasSuffix(opcode, "D") && !strings.HasPrefix(opcode, "VP") {
		return "D", 2
	}
	return "S", 4
}

func isVector(o Op) bool {
	r, ok := o.(reg.Register)
	return ok && r.Kind() == reg.KindVector
}

// vector translates a vector instruction.
func (n *neon) vector(i *ir.Instruction) {
	o := i.Operands
	last := len(o) - 1
	letter, lanes := lanesOf(i.Opcode)
	if name, ok := lanewise[i.Opcode]; ok {
		n.lanewise(name, o[0], o[1], o[2])
		return
	}
	if name, ok := unary[i.Opcode]; ok {
		whole := wide(o[1])
		m := n.in(o[0], whole)
		d, done := n.result(o[1], whole, m)
		n.each(whole, func(h int) { n.op(name, m+h, d+h) })
		done()
		return
	}
	if name, ok := scalars[i.Opcode]; ok {
		m := n.scalar(o[0], letter)
		a := n.in(o[1], false)
		d, done := n.result(o[2], false, a)
		n.do("%s F%d, F%d, F%d", name, m, a, d)
		done()
		return
	}
	switch i.Opcode {
	case "VZEROUPPER":
	case "VANDNPS", "VANDNPD", "VPANDN": // not a, and m
		masks := n.isMask(o[0]) && n.isMask(o[1])
		n.lanewise("BIC16", o[1], o[0], o[2])
		n.masks[index(o[2].(reg.Register))] = masks
	case "VSQRTSD":
		m := n.scalar(o[0], letter)
		d, done := n.result(o[2], false)
		n.do("FSQRTD F%d, F%d", m, d)
		done()
	case "VMAXSS":
		m, a := n.scalar(o[0], "S"), n.in(o[1], false)
		d, done := n.result(o[2], false)
		t := n.free(1)
		n.op("FCMGT4", m, a, t)
		n.pick(t, m, a, d)
		done()
	case "VMAXPS", "VMAXPD":
		n.choose(o[0], o[1], o[2], fmt.Sprint("FCMGT", lanes), false)
	case "VMINPS", "VMINPD":
		n.choose(o[0], o[1], o[2], fmt.Sprint("FCMGT", lanes), true)
	case "VCMPPS", "VCMPPD", "VCMPSS":
		n.compare(o[0].(U8), o[1], o[2], o[3], lanes)
	case "VBLENDVPS", "VBLENDVPD":
		n.blend(o[0], o[1], o[2], o[3], fmt.Sprint("NEGATIVE", lanes))
	case "VMOVUPS", "VMOVAPS", "VMOVUPD", "VMOVAPD", "VMOVDQU", "VMOVDQA":
		n.copy(o[0], o[1])
	case "VMOVSS", "VMOVD", "VMOVSD", "VMOVQ":
		n.copyLowest(i.Opcode, o)
	case "VMOVLPS", "VMOVHPS", "VMOVHPD":
		n.copyHalf(strings.HasPrefix(i.Opcode, "VMOVH"), o)
	case "VMOVHLPS": // the upper halves
		n.lanewise("ZIPH2", o[1], o[0], o[2])
	case "VBROADCASTSS", "VPBROADCASTD":
		n.broadcast("S", o[0], o[1])
	case "VBROADCASTSD", "VPBROADCASTQ":
		n.broadcast("D", o[0], o[1])
	case "VBROADCASTF128":
		d, done := n.result(o[1], true)
		n.do("FMOVQ %s, F%d", n.memory(o[0]), d)
		if next, ok := n.nodes[n.at+1].(*ir.Instruction); !ok || next.Opcode != "VINSERTF128" || next.Operands[2] != o[1] || next.Operands[3] != o[1] {
			n.move(d, d+1)
		}
		done()
	case "VINSERTF128", "VINSERTI128":
		n.insertHalf(int(o[0].(U8)), o[1], o[2], o[3])
	case "VEXTRACTF128", "VEXTRACTI128":
		v := n.in(o[1], true) + int(o[0].(U8))
		if m, ok := o[2].(Mem); ok {
			n.do("FMOVQ F%d, %s", v, n.memory(m))
			return
		}
		d, done := n.result(o[2], false)
		n.move(v, d)
		done()
	case "VMOVMSKPS", "VMOVMSKPD":
		n.signs(o[0], o[1], lanes)
	case "VPSRLD", "VPSLLD", "VPSRAD":
		whole := wide(o[last])
		m := n.in(o[1], whole)
		by, ok := o[0].(U8)
		if !ok { // to the left, by a register's lowest lane
			t := n.free(1)
			n.do("VDUP V%d.S[0], V%d.S4", n.in(o[0], false), t)
			d, done := n.result(o[2], whole, m)
			n.each(whole, func(h int) { n.op("USHL4", t, m+h, d+h) })
			done()
			return
		}
		d, done := n.result(o[2], whole, m)
		n.each(whole, func(h int) {
			switch {
			case i.Opcode == "VPSRLD":
				n.do("VUSHR $%d, V%d.S4, V%d.S4", by, m+h, d+h)
			case i.Opcode == "VPSLLD":
				n.do("VSHL $%d, V%d.S4, V%d.S4", by, m+h, d+h)
			case by == 31:
				n.op("NEGATIVE4", m+h, d+h)
			default:
				panic(i.Opcode)
			}
		})
		done()
	case "VCVTPS2PD":
		m := n.in(o[0], false)
		d, done := n.result(o[1], true)
		if wide(o[1]) {
			n.op("FCVTLH", m, d+1)
		}
		n.op("FCVTLL", m, d)
		done()
	case "VCVTPD2PSY":
		m := n.in(o[0], true)
		d, done := n.result(o[1], false)
		n.op("FCVTNL", m, d)
		n.op("FCVTNH", m+1, d)
		done()
	case "VCVTSD2SS":
		m := n.in(o[0], false)
		d, done := n.result(o[2], false)
		n.do("FCVTDS F%d, F%d", m, d)
		done()
	case "VPSHUFD", "VPERMILPS":
		if by, ok := n.permutation(o[0], wide(o[2])); ok {
			n.permute(by, o[1], o[2])
			return
		}
		index, m := n.in(o[0], false), n.in(o[1], false)
		d, done := n.result(o[2], false)
		t := n.lanesToBytes(index, 1)
		n.do("VTBL V%d.B16, [V%d.B16], V%d.B16", t, m, d)
		done()
	case "VSHUFPS":
		by := int(o[0].(U8))
		m, a := n.in(o[1], false), n.in(o[2], false)
		d, done := n.result(o[3], false)
		t := n.free(1)
		for l, v := range []int{a, a, m, m} {
			n.do("VMOV V%d.S[%d], V%d.S[%d]", v, by>>(2*l)&3, t, l)
		}
		n.move(t, d)
		done()
	case "VEXTRACTPS", "VPEXTRD":
		r := scratch
		if _, ok := o[2].(Mem); !ok {
			r = n.written(o[2])
		}
		n.do("VMOV V%d.S[%d], %s", n.in(o[1], false), o[0], r)
		if m, ok := o[2].(Mem); ok {
			n.do("MOVW %s, %s", r, n.memory(m))
		}
	case "VPINSRD":
		d, done := n.result(o[3], false)
		n.move(n.in(o[2], false), d)
		n.do("VMOV %s, V%d.S[%d]", n.value(o[1], 4), d, o[0])
		done()
	case "VINSERTPS":
		n.insertLane(int(o[0].(U8)), o[1], o[2], o[3])
	case "VPBLENDD":
		n.choice(int(o[0].(U8)), o[1], o[2], o[3])
	case "VMOVSHDUP":
		n.permute([2]int{0xf5, 0xf5}, o[0], o[1])
	case "VPERMPS", "VPERMD": // by indices below 8
		n.lookup(o[1], o[0], o[2])
	case "VPMOVZXBD", "VPMOVZXWD":
		whole, bytes := wide(o[1]), i.Opcode == "VPMOVZXBD"
		m := 0
		if mem, ok := o[0].(Mem); ok && (bytes || !whole) { // no more than there are
			m = n.free(1)
			n.do("FMOVD %s, F%d", n.memory(mem), m)
		} else {
			m = n.in(o[0], false)
		}
		d, done := n.result(o[1], whole)
		if bytes {
			t := n.free(1)
			n.op("UXTL8", m, t)
			m = t
		}
		if whole {
			n.op("UXTLH4", m, d+1)
		}
		n.op("UXTLL4", m, d)
		done()
	case "VPACKSSDW", "VPACKSSWB": // of lanes that are all ones or zero, which need no saturation
		n.lanewise(map[string]string{"VPACKSSDW": "UZPL8", "VPACKSSWB": "UZPL16"}[i.Opcode], o[0], o[1], o[2])
	case "VPSHUFB": // by indices below 16
		whole := wide(o[2])
		by, m := n.in(o[0], whole), n.in(o[1], whole)
		d, done := n.result(o[2], whole, m)
		n.each(whole, func(h int) { n.do("VTBL V%d.B16, [V%d.B16], V%d.B16", by+h, m+h, d+h) })
		done()
	case "VPMOVMSKB":
		n.signsOfBytes(o[0], o[1])
	case "VPERM2F128": // only as an exchange of the halves
		if o[0] != U8(1) || o[1] != o[2] {
			panic(i.Opcode)
		}
		m := n.in(o[1], true)
		d, done := n.result(o[3], true)
		t := n.free(1)
		n.move(m, t)
		n.move(m+1, d)
		n.move(t, d+1)
		done()
	case "VPMOVSXDQ":
		m := n.in(o[0], false)
		d, done := n.result(o[1], true)
		n.op("SXTLH2", m, d+1)
		n.op("SXTLL2", m, d)
		done()
	case "VPTEST": // of a register with itself
		m := n.in(o[0], true)
		t := n.free(1)
		n.op("ORR16", m+1, m, t)
		n.op("UMAXV4", t, t)
		n.do("FMOVS F%d, %s", t, scratch)
		n.do("TSTW %s, %s", scratch, scratch)
		n.flags = ofIntegers
	case "VPGATHERDD":
		n.gather(o[0], o[1].(Mem), o[2])
	case "VCVTDQ2PD":
		m := n.in(o[0], false)
		d, done := n.result(o[1], true)
		n.op("SXTLH2", m, d+1)
		n.op("SXTLL2", m, d)
		n.each(true, func(h int) { n.op("SCVTF2", d+h, d+h) })
		done()
	case "VPSRLDQ": // zeros from above
		m := n.in(o[1], false)
		d, done := n.result(o[2], false)
		t := n.free(1)
		n.do("VMOVI $0, V%d.B16", t)
		n.do("VEXT $%d, V%d.B16, V%d.B16, V%d.B16", o[0], t, m, d)
		done()
	case "VPERMPD", "VPERMQ":
		n.permuteWide(int(o[0].(U8)), o[1], o[2])
	case "VUCOMISS", "VUCOMISD":
		n.flags = ofFloats
		n.do("FCMP%s F%d, F%d", letter, n.scalar(o[0], letter), n.in(o[1], false))
	default:
		panic(fmt.Sprintf("no translation of %s %v", i.Opcode, o))
	}
}

func (n *neon) lanewise(name string, m, a, d Op) {
	whole := wide(d)
	masks := n.isMask(m) && n.isMask(a)
	x, constant := n.bits(m)
	vd, done := 0, func() {}
	switch {
	case name == "EOR16" && m == a:
		vd, done = n.result(d, whole)
		n.each(whole, func(h int) { n.do("VMOVI $0, V%d.B16", vd+h) })
		masks = true
	case name == "EOR16" && constant && x == 1<<31:
		va := n.in(a, whole)
		vd, done = n.result(d, whole, va)
		n.each(whole, func(h int) { n.op("FNEG4", va+h, vd+h) })
	default:
		vm, va := n.in(m, whole), n.in(a, whole)
		vd, done = n.result(d, whole, va, vm)
		n.each(whole, func(h int) { n.op(name, vm+h, va+h, vd+h) })
	}
	done()
	switch name {
	case "AND16", "ORR16", "EOR16":
		n.masks[index(d.(reg.Register))] = masks
	case "CMGT4", "CMEQ4":
		n.masks[index(d.(reg.Register))] = true
	}
}

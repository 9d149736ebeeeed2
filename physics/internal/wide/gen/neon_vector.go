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
	"VPMAXSD": "SMAX4", "VPMINSD": "SMIN4", "VPMAXUD": "UMAX4", "VPMAXUW": "UMAX8", "VPMINUW": "UMIN8",
	"VANDPS": "AND16", "VANDPD": "AND16", "VPAND": "AND16",
	"VORPS": "ORR16", "VORPD": "ORR16", "VPOR": "ORR16",
	"VXORPS": "EOR16", "VXORPD": "EOR16", "VPXOR": "EOR16",
	"VPCMPGTD": "CMGT4", "VPCMPEQD": "CMEQ4",
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
		if by, ok := o[0].(U8); ok {
			n.permute(int(by), o[1], o[2])
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
	case "VMOVSHDUP":
		n.permute(0xf5, o[0], o[1])
	case "VPERMPS", "VPERMD":
		n.lookup(o[1], o[0], o[2])
	case "VPMOVZXBD", "VPMOVZXWD":
		bytes := i.Opcode == "VPMOVZXBD"
		m := 0
		if mem, ok := o[0].(Mem); ok && bytes { // no more than there are
			m = n.free(1)
			n.do("FMOVD %s, F%d", n.memory(mem), m)
		} else {
			m = n.in(o[0], false)
		}
		d, done := n.result(o[1], true)
		if bytes {
			t := n.free(1)
			n.op("UXTL8", m, t)
			m = t
		}
		n.op("UXTLH4", m, d+1)
		n.op("UXTLL4", m, d)
		done()
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
	case "VPERMPD":
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

// choose writes a maximum or a minimum, which is m if the operands are equal or one is NaN.
func (n *neon) choose(m, a, d Op, compare string, least bool) {
	whole := wide(d)
	vm, va := n.in(m, whole), n.in(a, whole)
	vd, done := n.result(d, whole, va, vm)
	mask := -1
	if vd == vm || vd == va {
		mask = n.free(1)
	}
	n.each(whole, func(h int) {
		t := mask
		if t < 0 {
			t = vd + h
		}
		if least {
			n.op(compare, va+h, vm+h, t)
		} else {
			n.op(compare, vm+h, va+h, t)
		}
		n.pick(t, vm+h, va+h, vd+h)
	})
	done()
}

// pick sets d to a where a mask is set, and to m elsewhere. The mask may be d.
func (n *neon) pick(mask, m, a, d int) {
	switch d {
	case mask:
		n.op("BSL16", m, a, d)
	case m:
		n.op("BIT16", mask, a, d)
	case a:
		n.op("BIF16", mask, m, d)
	default:
		n.move(m, d)
		n.op("BIT16", mask, a, d)
	}
}

// blend picks m where a number of the mask is negative, or else a.
func (n *neon) blend(mask, m, a, d Op, negative string) {
	whole, known := wide(d), n.isMask(mask)
	vk, vm, va := n.in(mask, whole), n.in(m, whole), n.in(a, whole)
	vd, done := n.result(d, whole, va, vm)
	t := -1
	if !known && (vd == vm || vd == va) {
		t = n.free(1)
	}
	n.each(whole, func(h int) {
		k := vk + h
		if !known {
			if k = t; k < 0 {
				k = vd + h
			}
			n.op(negative, vk+h, k)
		}
		n.pick(k, va+h, vm+h, vd+h)
	})
	done()
}

// compare writes the comparison of a and m, false for NaN.
func (n *neon) compare(by U8, m, a, d Op, lanes int) {
	whole := wide(d)
	vm, va := n.in(m, whole), n.in(a, whole)
	vd, done := n.result(d, whole, va, vm)
	name := func(s string) string { return fmt.Sprint(s, lanes) }
	n.each(whole, func(h int) {
		m, a, d := vm+h, va+h, vd+h
		switch by {
		case 0:
			n.op(name("FCMEQ"), m, a, d)
		case 0x07: // of a vector with itself: no NaN
			if m != a {
				panic(by)
			}
			n.op(name("FCMEQ"), m, a, d)
		case 0x01, 0x11:
			n.op(name("FCMGT"), a, m, d)
		case 0x02, 0x12:
			n.op(name("FCMGE"), a, m, d)
		case 0x0d, 0x1d:
			n.op(name("FCMGE"), m, a, d)
		case 0x0e, 0x1e:
			n.op(name("FCMGT"), m, a, d)
		case 0x0c:
			t := n.free(1)
			n.op(name("FCMGT"), m, a, t)
			n.op(name("FCMGT"), a, m, d)
			n.op("ORR16", t, d, d)
		default:
			panic(by)
		}
	})
	done()
	n.masks[index(d.(reg.Register))] = true
}

// copy is a move of whole operands.
func (n *neon) copy(from, to Op) {
	if m, ok := to.(Mem); ok {
		v := n.in(from, wide(from))
		if wide(from) {
			n.do("FSTPQ (F%d, F%d), %s", v, v+1, n.two(m))
		} else {
			n.do("FMOVQ F%d, %s", v, n.memory(m))
		}
		return
	}
	whole, masks := wide(to), n.isMask(from)
	v, done := n.result(to, whole)
	if m, ok := from.(Mem); ok {
		n.load(m, v, whole)
	} else {
		f := n.in(from, whole)
		n.each(whole, func(h int) { n.move(f+h, v+h) })
	}
	done()
	n.masks[index(to.(reg.Register))] = masks
}

// copyLowest moves the lowest lane, of which the others are zero then.
func (n *neon) copyLowest(opcode string, o []Op) {
	if len(o) != 2 {
		panic(opcode)
	}
	move := "FMOVS"
	if opcode == "VMOVSD" || opcode == "VMOVQ" {
		move = "FMOVD"
	}
	switch {
	case !isVector(o[0]):
		d, done := n.result(o[1], false)
		if _, ok := o[0].(Mem); ok {
			n.do("%s %s, F%d", move, n.memory(o[0]), d)
		} else {
			n.do("%s %s, F%d", move, general(o[0]), d)
		}
		done()
	case isVector(o[1]):
		m := n.in(o[0], false)
		d, done := n.result(o[1], false)
		n.do("%s F%d, F%d", move, m, d)
		done()
	default:
		m := n.in(o[0], false)
		if _, ok := o[1].(Mem); ok {
			n.do("%s F%d, %s", move, m, n.memory(o[1]))
		} else {
			n.do("%s F%d, %s", move, m, n.written(o[1]))
		}
	}
}

// copyHalf moves one half of an X register to memory, or from there beside the other half of a.
func (n *neon) copyHalf(upper bool, o []Op) {
	if len(o) == 2 {
		v := n.in(o[0], false)
		if upper {
			n.do("VST1 V%d.D[1], (%s)", v, n.pointer(o[1]))
		} else {
			n.do("FMOVD F%d, %s", v, n.memory(o[1]))
		}
		return
	}
	a := n.in(o[1], false)
	d, done := n.result(o[2], false)
	n.move(a, d)
	n.do("VLD1 (%s), V%d.D[%d]", n.pointer(o[0]), d, btoi(upper))
	done()
}

// scalar returns the register with the lowest lane of an operand.
func (n *neon) scalar(o Op, letter string) int {
	if _, ok := o.(Mem); !ok {
		return n.in(o, false)
	}
	v := n.free(1)
	n.do("FMOV%s %s, F%d", letter, n.memory(o), v)
	return v
}

func (n *neon) broadcast(letter string, m, d Op) {
	v, done := n.result(d, wide(d))
	from := v
	if isVector(m) {
		from = n.in(m, false)
	} else {
		n.do("FMOV%s %s, F%d", letter, n.memory(m), v)
	}
	arrangement := map[string]string{"S": "S4", "D": "D2"}[letter]
	for h := btoi(wide(d)); h >= 0; h-- {
		n.do("VDUP V%d.%s[0], V%d.%s", from, letter, v+h, arrangement)
	}
	done()
}

// insertHalf replaces one half of a.
func (n *neon) insertHalf(half int, m, a, d Op) {
	v, done := n.result(d, true)
	other := n.in(a, true) + 1 - half
	place := func() {
		if mem, ok := m.(Mem); ok {
			n.load(mem, v+half, false)
		} else {
			n.move(n.in(m, false), v+half)
		}
	}
	if half == 1 { // the registers' first halves are what may be overwritten
		place()
		n.move(other, v)
	} else {
		n.move(other, v+1)
		place()
	}
	done()
}

// signs sets a bit for each lane that is negative.
func (n *neon) signs(m, d Op, lanes int) {
	whole, known := wide(m), n.isMask(m)
	v := n.in(m, whole)
	t := n.free(1)
	weights := n.sum(address{base: "weights<>"})
	narrow := map[bool]string{true: "UZPL8", false: "UZPL4"}[lanes == 4]
	halves := [2]int{v, v + btoi(whole)}
	if !known {
		n.each(whole, func(h int) {
			halves[h] = n.free(1)
			n.op(fmt.Sprint("NEGATIVE", lanes), v+h, halves[h])
		})
		if !whole {
			halves[1] = halves[0]
		}
	}
	n.op(narrow, halves[1], halves[0], t)
	w := n.free(1)
	n.do("FMOVQ (%s), F%d", weights, w)
	if lanes == 2 { // into 16 bits too
		n.op("UZPL8", t, t, t)
	}
	n.op("AND16", w, t, t)
	if !whole || lanes == 2 { // the upper half is a repetition
		n.do("FMOVD F%d, F%d", t, t)
	}
	n.op("ADDV8", t, t)
	r := n.written(d)
	n.do("FMOVS F%d, %s", t, r)
	if !whole && lanes == 2 {
		n.do("ANDW $3, %s, %s", r, r)
	}
}

// permute sets each lane to one of m.
func (n *neon) permute(by int, m, d Op) {
	whole := wide(d)
	vm := n.in(m, whole)
	vd, done := n.result(d, whole)
	t := n.free(1)
	n.each(whole, func(h int) {
		switch m, d := vm+h, vd+h; by {
		case 0x00, 0x55, 0xaa, 0xff:
			n.do("VDUP V%d.S[%d], V%d.S4", m, by&3, d)
		case 0x39, 0x4e, 0x93: // rotations
			n.do("VEXT $%d, V%d.B16, V%d.B16, V%d.B16", 4*(by&3), m, m, d)
		default:
			n.move(m, t)
			for l := range 4 {
				if from := by >> (2 * l) & 3; from != l {
					n.do("VMOV V%d.S[%d], V%d.S[%d]", m, from, t, l)
				}
			}
			n.move(t, d)
		}
	})
	done()
}

// insertLane replaces a lane of a, and zeroes some.
func (n *neon) insertLane(by int, m, a, d Op) {
	from := by >> 6
	vm := 0
	if _, ok := m.(Mem); ok {
		from = 0
	}
	vm = n.scalar(m, "S")
	va := n.in(a, false)
	vd, done := n.result(d, false)
	if vd == vm && vd != va {
		t := n.free(1)
		n.move(vm, t)
		vm = t
	}
	n.move(va, vd)
	n.do("VMOV V%d.S[%d], V%d.S[%d]", vm, from, vd, by>>4&3)
	for l := range 4 {
		if by>>l&1 == 1 {
			n.do("VMOV ZR, V%d.S[%d]", vd, l)
		}
	}
	done()
}

// lookup sets each lane to the one of m that has its index.
func (n *neon) lookup(index, m, d Op) {
	to := n.lanesToBytes(n.in(index, true), 2)
	vm := n.in(m, true)
	vd, done := n.result(d, true)
	n.op("TBLPAIR", to, vm, to)
	n.op("TBLPAIR", to+1, vm, vd+1)
	n.move(to, vd)
	done()
}

// lanesToBytes returns registers with the indices of the bytes of lanes.
func (n *neon) lanesToBytes(index, registers int) int {
	to, t := n.free(registers), n.free(2)
	n.do("FLDPQ (%s), (F%d, F%d)", n.sum(address{base: "bytesOfLanes<>"}), t, t+1)
	for h := range registers {
		n.op("MUL4", t, index+h, to+h)
		n.op("ADD4", t+1, to+h, to+h)
	}
	n.temp = t
	return to
}

// gather loads the lanes for which a mask is set.
func (n *neon) gather(mask Op, m Mem, d Op) {
	vk, vi := n.in(mask, true), n.in(m.Index, true)
	vd, done := n.result(d, true)
	base := general(m.Base)
	for l := range 8 {
		h, l := l/4, l%4
		n.do("VMOV V%d.S[%d], %s", vk+h, l, scratch)
		n.do("TBZ $31, %s, 4(PC)", scratch)
		n.do("VMOV V%d.S[%d], %s", vi+h, l, scratch)
		n.do("MOVWU (%s)(%s<<%d), %s", base, scratch, shift(m.Scale), scratch)
		n.do("VMOV %s, V%d.S[%d]", scratch, vd+h, l)
	}
	done()
}

// permuteWide sets each of four lanes to one of m.
func (n *neon) permuteWide(by int, m, d Op) {
	vm := n.in(m, true)
	vd, done := n.result(d, true)
	to := vd
	if vd == vm {
		to = n.free(2)
	}
	for h := range 2 {
		i, k := by>>(4*h)&3, by>>(4*h+2)&3
		a, b := vm+i/2, vm+k/2
		switch {
		case i%2 == 0 && k%2 == 0:
			n.op("ZIPL2", b, a, to+h)
		case i%2 == 1 && k%2 == 1:
			n.op("ZIPH2", b, a, to+h)
		case i%2 == 1:
			n.do("VEXT $8, V%d.B16, V%d.B16, V%d.B16", b, a, to+h)
		default:
			n.move(a, to+h)
			if a != b {
				n.do("VMOV V%d.D[1], V%d.D[1]", b, to+h)
			}
		}
	}
	if to != vd {
		n.move(to, vd)
		n.move(to+1, vd+1)
	}
	done()
}

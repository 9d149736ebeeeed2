package main

import . "github.com/mmcloughlin/avo/operand"

// What exchanges lanes.

// permutation returns the lanes, two bits each and by half, that an operand or a constant in memory
// chooses.
func (n *neon) permutation(o Op, whole bool) (by [2]int, ok bool) {
	if all, ok := o.(U8); ok {
		return [2]int{int(all), int(all)}, true
	}
	m, ok := o.(Mem)
	g := n.globals[m.Symbol.String()]
	if !ok || g == nil || m.Index != nil {
		return by, false
	}
	for _, d := range g.Data {
		lane := (d.Offset - m.Disp) / 4
		if x, ok := d.Value.(U32); ok && d.Offset >= m.Disp && lane < 4*(1+btoi(whole)) {
			by[lane/4] |= int(x) << (2 * (lane % 4))
		}
	}
	return by, true
}

// permute sets each lane to one of m.
func (n *neon) permute(lanes [2]int, m, d Op) {
	whole := wide(d)
	vm := n.in(m, whole)
	vd, done := n.result(d, whole)
	t := n.free(1)
	n.each(whole, func(h int) {
		switch m, d, by := vm+h, vd+h, lanes[h]; by {
		case 0x00, 0x55, 0xaa, 0xff:
			n.do("VDUP V%d.S[%d], V%d.S4", m, by&3, d)
		case 0x39, 0x4e, 0x93: // rotations
			n.do("VEXT $%d, V%d.B16, V%d.B16, V%d.B16", 4*(by&3), m, m, d)
		case 0xb1: // neighbours exchanged
			n.do("VREV64 V%d.S4, V%d.S4", m, d)
		case 0x1b: // backwards
			n.do("VREV64 V%d.S4, V%d.S4", m, d)
			n.do("VEXT $8, V%d.B16, V%d.B16, V%d.B16", d, d, d)
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

// choice sets the lanes in a set to those of m, and others to those of a.
func (n *neon) choice(lanes int, m, a, d Op) {
	vm, va := n.in(m, true), n.in(a, true)
	vd, done := n.result(d, true)
	if vd == vm && vd != va {
		lanes, vm, va = ^lanes, va, vm
	}
	n.each(true, func(h int) {
		n.move(va+h, vd+h)
		switch by := lanes >> (4 * h) & 15; by {
		case 0:
		case 15:
			n.move(vm+h, vd+h)
		default:
			for l := range 4 {
				if by>>l&1 == 1 {
					n.do("VMOV V%d.S[%d], V%d.S[%d]", vm+h, l, vd+h, l)
				}
			}
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

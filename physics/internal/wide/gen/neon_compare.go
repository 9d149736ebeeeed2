package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Comparisons, and what chooses by them.

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

// signsOfBytes sets a bit for each byte that is negative.
func (n *neon) signsOfBytes(m, d Op) {
	whole := wide(m)
	v := n.in(m, whole)
	t := v
	if v < firstTemp {
		t = n.free(2)
	}
	w := n.free(1)
	n.do("FMOVQ (%s), F%d", n.sum(address{base: "weightsOfBytes<>"}), w)
	n.each(whole, func(h int) {
		n.op("NEGATIVE16", v+h, t+h)
		n.op("AND16", w, t+h, t+h)
	})
	for _, other := range []int{t + btoi(whole), t, t} { // sums of two, four and eight
		n.do("VADDP V%d.B16, V%d.B16, V%d.B16", other, t, t)
	}
	r := n.written(d)
	n.do("FMOVS F%d, %s", t, r)
	if !whole {
		n.do("ANDW $0xffff, %s, %s", r, r)
	}
}

package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Moves between registers and memory.

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

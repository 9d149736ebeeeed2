package main

import (
	"fmt"
	"math"
	"slices"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A line is a routine without branches: values of eight lanes, or of four in double precision, in
// the order in which they are computed. Equal values are one. It needs no thought of registers:
// what is used last makes room (Belady 1966, "A study of replacement algorithms for a
// virtual-storage computer"), and what is in memory is an operand where it may be.

// value is the number of a value of a line.
type value int

type code uint8

const (
	codeLoad code = iota
	codeAdd
	codeSub
	codeMul
	codeDiv
	codeMin
	codeMax
	codeLess // a mask
	codeAnd
	codeOr
	codeXor
	codeSqrt
	codeBlend // by the mask, of the first argument, between the second and the third
	codeStore
)

// instructions are those of two operands and a result.
var instructions = map[code]func(...Op){
	codeAdd: VADDPS, codeSub: VSUBPS, codeMul: VMULPS, codeDiv: VDIVPS, codeMin: VMINPS, codeMax: VMAXPS,
	codeAnd: VANDPS, codeOr: VORPS, codeXor: VXORPS,
}

// wideInstructions are the same in double precision.
var wideInstructions = map[code]func(...Op){
	codeAdd: VADDPD, codeSub: VSUBPD, codeMul: VMULPD, codeDiv: VDIVPD, codeMin: VMINPD, codeMax: VMAXPD,
	codeAnd: VANDPD, codeOr: VORPD, codeXor: VXORPD,
}

// step is an operation on values. Missing arguments are −1.
type step struct {
	code code
	args [3]value
	mem  Mem
}

// lineRegisters is the number of vector registers that lines have.
var lineRegisters = 16

type line struct {
	steps     []step
	known     map[step]value
	constants map[uint32]Mem
	wide      map[uint64]Mem // the constants of a line in double precision; nil of others
}

func (p *line) do(c code, mem Mem, args ...value) value {
	s := step{c, [3]value{-1, -1, -1}, mem}
	copy(s.args[:], args)
	if v, ok := p.known[s]; ok && c != codeStore {
		return v
	}
	v := value(len(p.steps))
	p.steps = append(p.steps, s)
	p.known[s] = v
	return v
}

// load returns a row in memory. It must not have been stored to before.
func (p *line) load(m Mem) value { return p.do(codeLoad, m) }

func (p *line) store(m Mem, v value) { p.do(codeStore, m, v) }

func (p *line) bits(x uint32) value {
	m, ok := p.constants[x]
	if !ok {
		m = GLOBL(fmt.Sprintf("all%08x", x), 8|16) // RODATA|NOPTR
		for i := range 8 {
			DATA(4*i, U32(x))
		}
		p.constants[x] = m
	}
	return p.load(m)
}

func (p *line) number(x float32) value { return p.bits(math.Float32bits(x)) }

// double is number in double precision.
func (p *line) double(x float64) value {
	u := math.Float64bits(x)
	m, ok := p.wide[u]
	if !ok {
		m = fourLanes(fmt.Sprintf("all%016x", u), u)
		p.wide[u] = m
	}
	return p.load(m)
}

func (p *line) add(a, b value) value            { return p.do(codeAdd, Mem{}, a, b) }
func (p *line) sub(a, b value) value            { return p.do(codeSub, Mem{}, a, b) }
func (p *line) mul(a, b value) value            { return p.do(codeMul, Mem{}, a, b) }
func (p *line) div(a, b value) value            { return p.do(codeDiv, Mem{}, a, b) }
func (p *line) lesser(a, b value) value         { return p.do(codeMin, Mem{}, a, b) }
func (p *line) greater(a, b value) value        { return p.do(codeMax, Mem{}, a, b) }
func (p *line) less(a, b value) value           { return p.do(codeLess, Mem{}, a, b) }
func (p *line) and(a, b value) value            { return p.do(codeAnd, Mem{}, a, b) }
func (p *line) or(a, b value) value             { return p.do(codeOr, Mem{}, a, b) }
func (p *line) xor(a, b value) value            { return p.do(codeXor, Mem{}, a, b) }
func (p *line) sqrt(a value) value              { return p.do(codeSqrt, Mem{}, a) }
func (p *line) blend(mask, no, yes value) value { return p.do(codeBlend, Mem{}, mask, no, yes) }
func (p *line) neg(a value) value               { return p.xor(a, p.bits(1<<31)) }

// place is where a value is.
type place struct {
	reg  int // −1: none
	mem  Mem
	kept bool  // mem holds it
	uses []int // the steps that need it and are still to come
}

// write emits the line. Rows for what finds no register are in memory from spill on; it returns
// their number.
func (p *line) write(spill Mem) (rows int) {
	places := make([]place, len(p.steps))
	for i, s := range slices.Backward(p.steps) { // what is of no use needs nothing
		places[i].reg = -1
		for _, a := range s.args {
			if a >= 0 && (s.code == codeStore || len(places[i].uses) > 0) {
				places[a].uses = append([]int{i}, places[a].uses...)
			}
		}
	}
	stored := map[Mem]int{} // the step that changes memory
	for i, s := range p.steps {
		if s.code == codeStore {
			stored[s.mem] = i
		}
	}
	holds := make([]value, lineRegisters) // by register, 1 + the value
	var free, freed []int                 // rows; the latter from the next step on
	at := func(row int) Mem { return spill.Offset(32 * row) }
	row := map[value]int{}
	registers := [...]reg.VecPhysical{
		reg.Y0, reg.Y1, reg.Y2, reg.Y3, reg.Y4, reg.Y5, reg.Y6, reg.Y7, reg.Y8, reg.Y9, reg.Y10, reg.Y11, reg.Y12, reg.Y13, reg.Y14, reg.Y15,
	}
	// take returns a register that none of some values is in.
	take := func(locked ...value) int {
		best, latest := -1, -1
		for r, held := range holds {
			if held == 0 {
				return r
			}
			v := held - 1
			if slices.Contains(locked, v) {
				continue
			}
			// What is in memory costs nothing to drop.
			next := 2 * places[v].uses[0]
			if places[v].kept {
				next++
			}
			if next > latest {
				best, latest = r, next
			}
		}
		v := holds[best] - 1
		w := &places[v]
		if !w.kept {
			k := rows
			if n := len(free); n > 0 {
				k, free = free[n-1], free[:n-1]
			} else {
				rows++
			}
			row[v] = k
			w.mem, w.kept = at(k), true
			VMOVUPS(registers[best], w.mem)
		}
		w.reg, holds[best] = -1, 0
		return best
	}
	hold := func(v value, r int) { places[v].reg, holds[r] = r, v+1 }
	in := func(v value, locked ...value) reg.VecPhysical {
		if w := &places[v]; w.reg < 0 {
			r := take(locked...)
			VMOVUPS(w.mem, registers[r])
			hold(v, r)
		}
		return registers[places[v].reg]
	}
	operand := func(v value) Op {
		if w := &places[v]; w.reg < 0 {
			return w.mem
		}
		return registers[places[v].reg]
	}
	for i, s := range p.steps {
		v := value(i)
		if s.code != codeStore && len(places[i].uses) == 0 {
			continue
		}
		if s.code == codeLoad {
			w := &places[i]
			w.mem, w.kept = s.mem, true
			if at, ok := stored[s.mem]; ok && w.uses[len(w.uses)-1] > at {
				in(v)
				w.kept = false
			}
			continue
		}
		free, freed = append(free, freed...), freed[:0]
		x, y, z := s.args[0], s.args[1], s.args[2]
		switch s.code {
		case codeAdd, codeMul, codeAnd, codeOr, codeXor: // in any order
			if places[x].reg < 0 && places[y].reg >= 0 {
				x, y = y, x
			}
		}
		// The operand that may be in memory is y, or z of a blend. Of a store there is none.
		var a, m reg.VecPhysical
		if s.code != codeSqrt {
			a = in(x, x, y, z)
		}
		if s.code == codeBlend {
			m, a = a, in(y, x, y, z)
		}
		// What is used for the last time gives its register to the result.
		done := []value{}
		for _, u := range s.args {
			if u >= 0 && !slices.Contains(done, u) {
				done = append(done, u)
			}
		}
		var op Op
		switch {
		case s.code == codeSqrt:
			op = operand(x)
		case s.code == codeBlend:
			op = operand(z)
		case y >= 0:
			op = operand(y)
		}
		for _, u := range done {
			w := &places[u]
			for len(w.uses) > 0 && w.uses[0] == i {
				w.uses = w.uses[1:]
			}
			if len(w.uses) == 0 {
				if w.reg >= 0 {
					holds[w.reg], w.reg = 0, -1
				}
				if k, ok := row[u]; ok {
					freed = append(freed, k)
				}
			}
		}
		if s.code == codeStore {
			VMOVUPS(a, s.mem)
			continue
		}
		r := take(done...)
		to := registers[r]
		hold(v, r)
		switch {
		case s.code == codeLess && p.wide != nil:
			VCMPPD(less, op, a, to)
		case s.code == codeLess:
			VCMPPS(less, op, a, to)
		case s.code == codeSqrt:
			VSQRTPS(op, to)
		case s.code == codeBlend && p.wide != nil:
			VBLENDVPD(m, op, a, to)
		case s.code == codeBlend:
			VBLENDVPS(m, op, a, to)
		case p.wide != nil:
			wideInstructions[s.code](op, a, to)
		default:
			instructions[s.code](op, a, to)
		}
	}
	return rows
}

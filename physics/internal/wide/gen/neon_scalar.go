package main

import (
	"fmt"
	"strings"

	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The instructions for numbers in general registers, and the branches.

// arithmetic are those of a source and a destination, and whether a form of them sets flags.
var arithmetic = map[string]struct {
	name string
	sets bool
}{
	"ADD": {"ADD", true}, "SUB": {"SUB", true}, "AND": {"AND", true}, "OR": {"ORR", false}, "XOR": {"EOR", false},
	"SHL": {"LSL", false}, "SHR": {"LSR", false}, "SAR": {"ASR", false}, "IMUL": {"MUL", false},
}

// conditions are those after a comparison of integers, by the ends of x86's names.
var conditions = map[string]string{
	"E": "EQ", "EQ": "EQ", "Z": "EQ", "NE": "NE", "NZ": "NE", "LT": "LT", "L": "LT", "GT": "GT", "G": "GT", "LE": "LE", "GE": "GE",
	"HI": "HI", "A": "HI", "AE": "HS", "CC": "HS", "B": "LO", "CS": "LO", "BE": "LS", "LS": "LS", "S": "MI", "NS": "PL",
}

// floatConditions are those after a comparison of floats, in which NaN is equal and less.
var floatConditions = map[string]string{"HI": "GT", "A": "GT", "AE": "GE", "CC": "GE", "B": "LT", "CS": "LT", "BE": "LE"}

// sized splits an instruction's name, and returns the suffix that its counterpart has.
func sized(opcode string) (name, suffix string) {
	last := len(opcode) - 1
	switch name = opcode[:last]; opcode[last] {
	case 'Q':
		return name, ""
	case 'L', 'B':
		return name, "W"
	}
	return opcode, ""
}

// flagless are instructions whose flags the translation does not set.
var flagless = map[string]bool{"TZCNT": true, "POPCNT": true, "BTS": true, "SBB": true}

// usesFlags reports whether the flags of an instruction are read before the next are set.
func (n *neon) usesFlags() bool {
	for _, node := range n.nodes[n.at+1:] {
		i, ok := node.(*ir.Instruction)
		if !ok {
			continue
		}
		name, _ := sized(i.Opcode)
		switch {
		case i.IsConditional, strings.HasPrefix(name, "SET"), strings.HasPrefix(name, "CMOV"), name == "SBB":
			return true
		case name == "CMP", name == "TEST", name == "BT", name == "BTS", name == "INC", name == "DEC", name == "NEG", name == "BLSR", name == "ANDN",
			name == "TZCNT", name == "POPCNT", strings.HasPrefix(name, "VUCOMIS"), name == "VPTEST", i.IsBranch, i.IsTerminal:
			return false
		}
		if _, ok := arithmetic[name]; ok {
			return false
		}
	}
	return false
}

// number is a constant as an operand of the assembler.
func number(o Op) (string, bool) {
	switch o.(type) {
	case U8, U16, U32, U64, I8, I16, I32, I64:
		return fmt.Sprintf("$%d", o), true
	}
	return "", false
}

// value returns the register with an operand of some bytes, zero-extended.
func (n *neon) value(o Op, bytes uint) string {
	if r, ok := o.(reg.Register); ok {
		return general(r)
	}
	if x, ok := number(o); ok {
		n.do("MOVD %s, %s", x, scratch)
	} else {
		n.do("%s %s, %s", map[uint]string{1: "MOVBU", 2: "MOVHU", 4: "MOVWU", 8: "MOVD"}[bytes], n.memory(o), scratch)
	}
	return scratch
}

func bytesOf(opcode string) uint {
	return map[byte]uint{'B': 1, 'W': 2, 'L': 4, 'Q': 8}[opcode[len(opcode)-1]]
}

// put writes a register to an operand of some bytes.
func (n *neon) put(r string, o Op, bytes uint) {
	if _, ok := o.(Mem); ok {
		n.do("%s %s, %s", map[uint]string{1: "MOVB", 2: "MOVH", 4: "MOVW", 8: "MOVD"}[bytes], r, n.memory(o))
	} else {
		n.do("%s %s, %s", map[uint]string{1: "MOVBU", 4: "MOVWU", 8: "MOVD"}[bytes], r, n.written(o))
	}
}

// instruction translates an instruction.
func (n *neon) instruction(i *ir.Instruction) {
	o := i.Operands
	if i.Opcode[0] == 'V' || i.Opcode == "MOVQ" && (isVector(o[0]) || isVector(o[1])) {
		n.vector(i)
		return
	}
	if i.IsBranch {
		n.branch(i.Opcode, o[0].Asm())
		return
	}
	name, suffix := sized(i.Opcode)
	bytes := bytesOf(i.Opcode)
	if a, ok := arithmetic[name]; ok {
		n.arithmetic(a.name, a.sets, suffix, o[0], o[1], bytes)
		return
	}
	if flagless[name] && n.usesFlags() {
		panic(i.Opcode + " has no flags here")
	}
	switch {
	case i.Opcode == "RET":
		n.do("RET")
	case i.Opcode == "PREFETCHT0":
		m := n.memory(o[0])
		if o[0].(Mem).Disp%8 != 0 { // the instruction counts in units of 8 bytes
			m = "(" + n.pointer(o[0]) + ")"
		}
		n.do("PRFM %s, PLDL1KEEP", m)
	case name == "MOV" || i.Opcode == "MOVW":
		n.put1(o[0], o[1], bytes)
	case i.Opcode == "MOVBLZX" || i.Opcode == "MOVBQZX":
		n.put(n.value(o[0], 1), o[1], 8)
	case i.Opcode == "MOVLQSX":
		if _, ok := o[0].(Mem); ok {
			n.do("MOVW %s, %s", n.memory(o[0]), n.written(o[1]))
		} else {
			n.do("MOVW %s, %s", general(o[0]), n.written(o[1]))
		}
	case name == "LEA":
		n.lea(o[0].(Mem), o[1], suffix)
	case name == "INC":
		n.arithmetic("ADD", true, suffix, U8(1), o[0], bytes)
	case name == "DEC":
		n.arithmetic("SUB", true, suffix, U8(1), o[0], bytes)
	case name == "NEG":
		n.flags = ofIntegers
		neg := "NEG"
		if n.usesFlags() {
			neg = "NEGS"
		}
		n.do("%s%s %s, %s", neg, suffix, general(o[0]), n.written(o[0]))
	case name == "SBB" && o[0] == o[1]: // all ones if the first of two was less
		n.do("CSETM%s %s, %s", suffix, n.condition("B"), n.written(o[0]))
	case name == "ANDN":
		n.flags = ofIntegers
		bic := "BIC"
		if n.usesFlags() {
			bic = "BICS"
		}
		n.do("%s%s %s, %s, %s", bic, suffix, general(o[1]), n.value(o[0], bytes), n.written(o[2]))
	case name == "IMUL3" && !n.usesFlags():
		x, _ := number(o[0])
		n.do("MOVD %s, %s", x, scratch)
		n.do("MUL%s %s, %s, %s", suffix, scratch, general(o[1]), n.written(o[2]))
	case name == "ROL" && o[0] == reg.CL && !n.usesFlags():
		n.do("NEG %s, %s", general(o[0]), scratch)
		n.do("ROR%s %s, %s, %s", suffix, scratch, general(o[1]), n.written(o[1]))
	case name == "NOT":
		n.do("MVN%s %s, %s", suffix, general(o[0]), n.written(o[0]))
	case name == "CMP":
		n.flags = ofIntegers
		a := n.value(o[0], bytes)
		b, ok := number(o[1])
		if !ok {
			if _, ok := o[1].(Mem); ok && a == scratch {
				n.do("MOVD %s, %s", a, scratch2)
				a = scratch2
			}
			b = n.value(o[1], bytes)
		}
		n.do("CMP%s %s, %s", suffix, b, a)
	case name == "TEST":
		n.flags = ofIntegers
		a, ok := number(o[0])
		if !ok {
			a = n.value(o[0], bytes)
		}
		n.do("TST%s %s, %s", suffix, a, n.value(o[1], bytes))
	case name == "TZCNT":
		from, r := n.value(o[0], bytes), n.written(o[1])
		n.do("RBIT%s %s, %s", suffix, from, r)
		n.do("CLZ%s %s, %s", suffix, r, r)
	case name == "BLSR":
		n.flags = ofIntegers
		n.do("SUB%s $1, %s, %s", suffix, general(o[0]), scratch)
		and := "AND"
		if n.usesFlags() {
			and = "ANDS"
		}
		n.do("%s%s %s, %s, %s", and, suffix, scratch, general(o[0]), n.written(o[1]))
	case name == "POPCNT":
		v := n.free(1)
		n.do("FMOVD %s, F%d", n.value(o[0], bytes), v)
		n.do("VCNT V%d.B8, V%d.B8", v, v)
		n.do("VUADDLV V%d.B8, V%d", v, v)
		n.do("FMOVS F%d, %s", v, n.written(o[1]))
	case name == "BT":
		n.flags = ofBit
		next, ok := n.nodes[n.at+1].(*ir.Instruction)
		if !ok || next.Opcode != "JCC" && next.Opcode != "JCS" {
			panic("a bit must be branched on")
		}
		n.do("%s $%d, %s, %s", map[string]string{"JCC": "TBZ", "JCS": "TBNZ"}[next.Opcode], o[0], general(o[1]), next.Operands[0].Asm())
	case name == "BTS":
		if bit, ok := o[0].(U8); ok {
			n.do("ORR%s $%d, %s, %s", suffix, 1<<bit, general(o[1]), n.written(o[1]))
			return
		}
		n.do("MOVD $1, %s", scratch)
		n.do("LSL%s %s, %s, %s", suffix, general(o[0]), scratch, scratch)
		n.do("ORR%s %s, %s, %s", suffix, scratch, general(o[1]), n.written(o[1]))
	case strings.HasPrefix(i.Opcode, "SET"):
		n.do("CSETW %s, %s", n.condition(i.Opcode[3:]), n.written(o[0]))
	case strings.HasPrefix(name, "CMOV"):
		if suffix == "" {
			n.do("CSEL %s, %s, %s, %s", n.condition(i.Opcode[5:]), n.value(o[0], bytes), general(o[1]), n.written(o[1]))
		} else {
			n.do("CSELW %s, %s, %s, %s", n.condition(i.Opcode[5:]), n.value(o[0], bytes), general(o[1]), n.written(o[1]))
		}
	default:
		panic(fmt.Sprintf("no translation of %s %v", i.Opcode, o))
	}
}

// put1 is a move.
func (n *neon) put1(from, to Op, bytes uint) {
	if _, ok := to.(Mem); ok {
		n.put(n.value(from, bytes), to, bytes)
		return
	}
	r := n.written(to)
	if x, ok := number(from); ok {
		if i, ok := from.(I32); ok && bytes == 4 {
			x = fmt.Sprintf("$%d", uint32(i))
		}
		n.do("MOVD %s, %s", x, r)
	} else if _, ok := from.(Mem); ok {
		n.do("%s %s, %s", map[uint]string{1: "MOVBU", 2: "MOVHU", 4: "MOVWU", 8: "MOVD"}[bytes], n.memory(from), r)
	} else {
		n.put(general(from), to, bytes)
	}
}

// arithmetic writes d = d op m.
func (n *neon) arithmetic(name string, sets bool, suffix string, m, d Op, bytes uint) {
	n.flags = ofIntegers
	flags := n.usesFlags()
	if flags && sets {
		name += "S"
	}
	x, ok := number(m)
	if !ok {
		x = n.value(m, bytes)
	}
	if x == "$-1" && name == "EOR" {
		x = "$" + map[string]string{"": "0xffffffffffffffff", "W": "0xffffffff"}[suffix]
	} else if strings.HasPrefix(x, "$-") {
		name, x = map[string]string{"ADD": "SUB", "SUB": "ADD", "AND": "AND"}[name], map[bool]string{true: x, false: "$" + x[2:]}[name == "AND"]
	}
	r := ""
	if _, ok := d.(Mem); ok {
		if r = scratch; x == scratch {
			panic("two operands in memory")
		}
		n.value(d, bytes)
	} else {
		r = n.written(d)
	}
	n.do("%s%s %s, %s, %s", name, suffix, x, r, r)
	if _, ok := d.(Mem); ok {
		n.put(r, d, bytes)
	}
	if flags && !sets {
		n.do("TST%s %s, %s", suffix, r, r)
	}
}

// lea computes an address, or a sum.
func (n *neon) lea(m Mem, d Op, suffix string) {
	r, offset := n.base(Mem{Symbol: m.Symbol, Base: m.Base, Disp: m.Disp})
	to := ""
	if m.Index == nil {
		to = n.written(d)
	} else {
		by := general(m.Index)
		if m.Scale > 1 {
			by = fmt.Sprintf("%s<<%d", by, shift(m.Scale))
		}
		to = n.written(d)
		n.do("ADD%s %s, %s, %s", suffix, by, r, to)
		if r = to; offset == 0 {
			return
		}
	}
	switch {
	case offset < 0:
		n.do("SUB%s $%d, %s, %s", suffix, -offset, r, to)
	case offset > 0:
		n.do("ADD%s $%d, %s, %s", suffix, offset, r, to)
	case suffix == "W":
		n.do("MOVWU %s, %s", r, to)
	default:
		n.do("MOVD %s, %s", r, to)
	}
}

// condition is that of an instruction, by the end of its name.
func (n *neon) condition(name string) string {
	c, ok := conditions[name]
	if n.flags == ofFloats {
		c, ok = floatConditions[name]
	}
	if !ok || n.flags == ofBit {
		panic("no condition " + name)
	}
	return c
}

func (n *neon) branch(opcode, label string) {
	name := opcode[1:]
	switch {
	case n.flags == ofBit && (name == "CC" || name == "CS"): // written with the bit
		n.flags = ofIntegers
	case opcode == "JMP":
		n.do("JMP %s", label)
	case n.flags == ofFloats && conditions[name] == "EQ":
		n.do("BEQ %s", label)
		n.do("BVS %s", label)
	case n.flags == ofFloats && conditions[name] == "NE":
		n.do("BVS %s", "2(PC)")
		n.do("BNE %s", label)
	default:
		n.do("B%s %s", n.condition(name), label)
	}
}

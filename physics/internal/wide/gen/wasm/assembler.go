package main

import (
	"encoding/binary"
	"math"
)

// A small assembler for WebAssembly (W3C core specification 2.0, chapter 5). What gives a value is
// an expression; statements are methods of a function, in which labels name blocks. The engine that
// compiles the module checks the types.

// expr is code that leaves one value on the stack.
type expr interface{ code() []byte }

type code []byte

func (c code) code() []byte { return c }

// local is the index of a local variable.
type local uint64

func (l local) code() []byte { return binary.AppendUvarint([]byte{0x20}, uint64(l)) }

// job is the imported constant of the module: the address of what the caller and the kernel share.
var job = code{0x23, 0}

const (
	i32  = 0x7f
	f32  = 0x7d
	f64  = 0x7c
	i64  = 0x7e
	v128 = 0x7b
)

// function collects the instructions of a function without parameters that returns an i32.
type function struct {
	locals []byte // their types
	body   []byte
	depth  label
}

// label is the depth of the block that it names.
type label int

func (f *function) emit(parts ...[]byte) {
	for _, p := range parts {
		f.body = append(f.body, p...)
	}
}

func (f *function) local(kind byte) local {
	f.locals = append(f.locals, kind)
	return local(len(f.locals) - 1)
}

func (f *function) set(l local, e expr) {
	f.emit(e.code(), binary.AppendUvarint([]byte{0x21}, uint64(l)))
}

// let makes a variable and sets it.
func (f *function) let(kind byte, e expr) local {
	l := f.local(kind)
	f.set(l, e)
	return l
}

func (f *function) nest(opcode byte, body func(l label)) {
	const empty = 0x40 // the type of a block without a value
	f.emit([]byte{opcode, empty})
	f.depth++
	body(f.depth)
	f.depth--
	f.emit([]byte{0x0b})
}

// block runs its body once; a branch to its label leaves it.
func (f *function) block(body func(end label)) { f.nest(0x02, body) }

// loop runs its body once; a branch to its label starts it again.
func (f *function) loop(body func(again label)) { f.nest(0x03, body) }

func (f *function) when(condition expr, then func()) {
	f.emit(condition.code())
	f.nest(0x04, func(label) { then() })
}

func (f *function) either(condition expr, then, otherwise func()) {
	f.when(condition, func() {
		then()
		f.emit([]byte{0x05})
		otherwise()
	})
}

func (f *function) br(l label) { f.emit(binary.AppendUvarint([]byte{0x0c}, uint64(f.depth-l))) }

func (f *function) brIf(l label, condition expr) {
	f.emit(condition.code(), binary.AppendUvarint([]byte{0x0d}, uint64(f.depth-l)))
}

func (f *function) store(s access, address expr, offset int, value expr) {
	f.emit(address.code(), value.code(), s.at(offset))
}

// module returns the module: it imports a memory and the address of the job, both by the name go,
// and exports the function as cast.
func (f *function) module() []byte {
	const memory, constant, function = 2, 3, 0
	m := []byte("\x00asm\x01\x00\x00\x00")
	section := func(id byte, content ...byte) {
		m = binary.AppendUvarint(append(m, id), uint64(len(content)))
		m = append(m, content...)
	}
	name := func(s string) []byte { return append([]byte{byte(len(s))}, s...) }
	section(1, 1, 0x60, 0, 1, i32)
	imports := append([]byte{2}, name("go")...)
	imports = append(append(imports, name("mem")...), memory, 0, 0)
	imports = append(append(imports, name("go")...), name("job")...)
	section(2, append(imports, constant, i32, 0)...)
	section(3, 1, 0)
	section(7, append(append([]byte{1}, name("cast")...), function, 0)...)

	var runs []byte
	count := 0
	for i := 0; i < len(f.locals); count++ {
		j := i
		for j < len(f.locals) && f.locals[j] == f.locals[i] {
			j++
		}
		runs = append(binary.AppendUvarint(runs, uint64(j-i)), f.locals[i])
		i = j
	}
	whole := append(binary.AppendUvarint(nil, uint64(count)), runs...)
	whole = append(append(whole, f.body...), 0x0b)
	section(10, append(binary.AppendUvarint([]byte{1}, uint64(len(whole))), whole...)...)
	return m
}

// op is an instruction by its opcode, applied to operands.
type op []byte

func (o op) of(operands ...expr) expr {
	var c code
	for _, e := range operands {
		c = append(c, e.code()...)
	}
	return append(c, o...)
}

// vector is a vector instruction by its number.
func vector(number uint64) op { return binary.AppendUvarint([]byte{0xfd}, number) }

// lane adds the immediate lane to an instruction.
func (o op) lane(i byte) op { return append(o[:len(o):len(o)], i) }

// access is a load or store, with the alignment that is only a hint, as a power of two.
type access struct {
	op    op
	align byte
}

func (a access) at(offset int) op {
	return binary.AppendUvarint(append(a.op[:len(a.op):len(a.op)], a.align), uint64(offset))
}

func (a access) of(address expr, offset int) expr { return a.at(offset).of(address) }

// ofLane loads into one lane of a vector.
func (a access) ofLane(i byte, address expr, offset int, v expr) expr {
	return a.at(offset).lane(i).of(address, v)
}

func signed(opcode byte, x int64) code {
	c := code{opcode}
	for {
		low := byte(x & 0x7f)
		if x >>= 7; x == 0 && low&0x40 == 0 || x == -1 && low&0x40 != 0 {
			return append(c, low)
		}
		c = append(c, low|0x80)
	}
}

func i32Const(x int32) expr { return signed(0x41, int64(x)) }
func i64Const(x int64) expr { return signed(0x42, x) }

func f32Const(x float32) expr {
	return code(binary.LittleEndian.AppendUint32([]byte{0x43}, math.Float32bits(x)))
}

func f64Const(x float64) expr {
	return code(binary.LittleEndian.AppendUint64([]byte{0x44}, math.Float64bits(x)))
}

func v128Const(b [16]byte) expr { return append(code(vector(12)), b[:]...) }

// shuffle takes the lanes of four bytes each from a vector.
func shuffle(v expr, lanes ...byte) expr {
	o := vector(13)
	for _, l := range lanes {
		o = append(o, 4*l, 4*l+1, 4*l+2, 4*l+3)
	}
	return o.of(v, v)
}

package main

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// WebAssembly code packs badly as it is. Operands of all kinds alternate, the label of one loop has
// another number at each depth, and each call stores an address that no other call stores. split
// sorts the operands into a stream for each kind, counts labels from the outermost block, and
// replaces addresses by differences. gzip makes a third less of that, and page/load.js puts it
// together again in about 0.1 s.
//
// The file begins with 16 integers of 32 bits, little-endian: the number of functions, the lengths
// of the streams 1 to 12, those of the module before its first function and after its last one, and
// that of the whole module. Then come the table operands, both ends of the module, and the streams.

// The streams.
const (
	opcodes   = 1 + iota // with types of blocks, and alignments
	sizes                // of functions, and their local variables
	variables            // numbers of local and global ones
	offsets              // of loads and stores
	longs                // constants of 64 bits
	ints                 // constants of 32 bits
	calls
	tables // of labels: differences
	labels // counted from the outermost block
	floats
	returns // addresses at which to go on after a call: differences
	jumps   // numbers of blocks at which to go on: differences
	numStreams
)

// fourBytes stands in operands for four bytes of the stream floats. All other operands are LEB128.
const fourBytes = 15

const (
	opBlock, opIf, opEnd    = 0x02, 0x04, 0x0B
	opBr, opBrIf, opTable   = 0x0C, 0x0D, 0x0E
	opIntConst, opLongConst = 0x41, 0x42

	// Opcodes of the packed file alone, for constants that are differences.
	opReturn, opJump = 0xFE, 0xFF
)

// operands has the streams of one or two operands for each opcode, four bits each. The first zero
// after memory.fill and both after memory.copy count as opcodes, and so would any operand of an
// opcode that Go's compiler does not write.
var operands = func() (table [256]byte) {
	for _, row := range [][3]byte{
		{opBlock, opIf, opcodes},
		{opBr, opBrIf, labels},
		{0x10, 0x10, calls},
		{0x11, 0x11, calls | calls<<4}, // call_indirect
		{0x20, 0x24, variables},
		{0x28, 0x3E, opcodes | offsets<<4},
		{0x3F, 0x40, opcodes}, // memory.size, memory.grow
		{opIntConst, opIntConst, ints},
		{opLongConst, opLongConst, longs},
		{0x43, 0x43, fourBytes},
		{0x44, 0x44, fourBytes | fourBytes<<4},
		{0xFC, 0xFC, opcodes}, // saturating conversions, memory.copy
	} {
		for op := int(row[0]); op <= int(row[1]); op++ {
			table[op] = row[2]
		}
	}
	return table
}()

// splitter sorts code into streams.
type splitter struct {
	reader
	streams [numStreams][]byte
}

// split returns a module in streams. whole in page/load.js is its inverse.
func split(module []byte) ([]byte, error) {
	_, begin, end := section(module, codeSection)
	if end == 0 || end > len(module) {
		return nil, errModule
	}
	s := splitter{reader: reader{data: module[:end], at: begin}}
	count := int(s.unsigned())
	begin = s.at
	for f := range count {
		s.function(f)
	}
	if s.failed || s.at != end {
		return nil, errModule
	}
	file := binary.LittleEndian.AppendUint32(nil, uint32(count))
	for _, stream := range s.streams[1:] {
		file = binary.LittleEndian.AppendUint32(file, uint32(len(stream)))
	}
	for _, n := range []int{begin, len(module) - end, len(module)} {
		file = binary.LittleEndian.AppendUint32(file, uint32(n))
	}
	return slices.Concat(file, operands[:], module[:begin], module[end:], slices.Concat(s.streams[1:]...)), nil
}

func (s *splitter) put(stream byte, data ...byte) {
	s.streams[stream] = append(s.streams[stream], data...)
}

// function sorts the function with this number, of those that have code.
func (s *splitter) function(number int) {
	size := s.leb()
	s.put(sizes, size...)
	body := reader{data: size}
	end := s.at + int(body.unsigned())
	groups := s.leb()
	s.put(sizes, groups...)
	body = reader{data: groups}
	for range 2 * body.unsigned() { // how many variables, and of what type
		s.put(sizes, s.leb()...)
	}
	depth, block := uint64(0), int64(0)
	address := firstAddress(number)
	for s.at < end && !s.failed {
		op := s.byte()
		switch rest := s.data[s.at:end]; {
		case op == opLongConst && s.constant(rest, opReturn, returns, &address, storeLong):
			continue
		case op == opIntConst && s.constant(rest, opJump, jumps, &block, setBlock):
			continue
		}
		s.put(opcodes, op)
		switch {
		case op >= opBlock && op <= opIf:
			depth++
		case op == opEnd:
			depth--
		case op == opTable:
			s.table()
		}
		for kinds := operands[op]; kinds != 0; kinds >>= 4 {
			switch kind := kinds & 15; kind {
			case fourBytes:
				s.put(floats, s.bytes(4)...)
			case labels:
				s.streams[labels] = binary.AppendUvarint(s.streams[labels], depth-s.unsigned())
			default:
				s.put(kind, s.leb()...)
			}
		}
	}
	s.failed = s.failed || s.at != end
}

// firstAddress returns the address of a function's first block. Go's linker counts the functions
// that have code from 0x1000.
func firstAddress(number int) int64 { return int64(0x1000+number) << 16 }

// What follows the constants that are differences: i64.store without offset for the address to
// which a call returns, and local.set 0 for the block at which to go on.
var (
	storeLong = []byte{0x37, 3, 0}
	setBlock  = []byte{0x21, 0}
)

// constant replaces a constant by its difference from the last one, if it is such and near enough.
func (s *splitter) constant(rest []byte, op, stream byte, last *int64, next []byte) bool {
	r := reader{data: rest}
	v := r.signed()
	// Other encodings of the same number would not come back.
	if d := v - *last; d < -1<<16 || d > 1<<16 || !bytes.HasPrefix(rest[r.at:], next) || len(appendSigned(nil, v)) != r.at {
		return false
	}
	s.put(opcodes, op)
	s.streams[stream] = appendSigned(s.streams[stream], v-*last)
	*last = v
	s.at += r.at
	return true
}

// table sorts the labels of br_table.
func (s *splitter) table() {
	n := s.leb()
	s.put(tables, n...)
	count := reader{data: n}
	last := int64(-1)
	for range count.unsigned() + 1 {
		label := int64(s.unsigned())
		s.streams[tables] = appendSigned(s.streams[tables], label-last)
		last = label
		if s.failed {
			return
		}
	}
}

package main

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// WebAssembly code packs badly as it is. Operands of all kinds alternate, the label of one loop has
// another number at each depth, and each call stores an address that no other call stores. split
// sorts the operands into streams, counts labels from the outermost block, and replaces addresses
// by differences. gzip makes a third less of that, and page/load.js puts it together again in about
// 0.1 s.
//
// The file begins with integers of 32 bits, little-endian: the number of functions, the lengths of
// the module before its first function and after its last one, that of the whole module, and those
// of the streams. Then come the table operands, both ends of the module, and the streams.

// The kinds of streams. Each kind has 256, of which most are empty: what an operand is depends on
// what is done with it, so that variables and constants go by the opcode that follows, calls and
// alignments by their own, and offsets also by whether the address is a variable. All else is in
// the first stream.
const (
	opcodes = 1 + iota // with types of blocks, and alignments
	sizes              // of functions, and their local variables
	gets               // variables: local.get
	offsets            // of loads and stores
	longs              // constants of 64 bits
	ints               // constants of 32 bits
	calls              // and alignments
	tables             // of labels: differences
	labels             // counted from the outermost block
	floats
	returns // addresses at which to go on after a call: differences
	jumps   // numbers of blocks at which to go on: differences
	sets    // variables: local.set
	others  // variables: local.tee, global.get, global.set

	numStreams = 15 << 8
)

// fourBytes stands in operands for four bytes of the stream floats. All other operands are LEB128.
const fourBytes = 15

const (
	opBlock, opIf, opEnd    = 0x02, 0x04, 0x0B
	opBr, opBrIf, opTable   = 0x0C, 0x0D, 0x0E
	opGet                   = 0x20 // local.get
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
		{opGet, opGet, gets},
		{0x21, 0x21, sets},
		{0x22, 0x24, others},
		{0x28, 0x3E, calls | offsets<<4},
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
	streams    [numStreams][]byte
	op, before byte   // the last two opcodes
	waiting    int    // a kind that goes by the next opcode, or 0
	operand    []byte // of that kind
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
	if s.failed || s.at != end || s.waiting != 0 {
		return nil, errModule
	}
	var file []byte
	for _, n := range []int{count, begin, len(module) - end, len(module)} {
		file = binary.LittleEndian.AppendUint32(file, uint32(n))
	}
	for _, stream := range s.streams {
		file = binary.LittleEndian.AppendUint32(file, uint32(len(stream)))
	}
	return slices.Concat(file, operands[:], module[:begin], module[end:], slices.Concat(s.streams[:]...)), nil
}

// put appends to the first stream of a kind.
func (s *splitter) put(kind int, data ...byte) {
	s.streams[kind<<8] = append(s.streams[kind<<8], data...)
}

// opcode appends an opcode, and before it the operand that waits for it.
func (s *splitter) opcode(op byte) {
	stream := &s.streams[s.waiting<<8|int(op)]
	*stream = append(*stream, s.operand...)
	s.waiting, s.operand = 0, nil
	s.before, s.op = s.op, op
	s.put(opcodes, op)
}

// plain appends an operand as it is.
func (s *splitter) plain(kind int, data []byte) {
	switch kind {
	case gets, sets, others, longs, ints:
		s.waiting, s.operand = kind, data
	case offsets:
		stream := kind<<8 | int(s.op)
		if s.before == opGet {
			stream |= 128
		}
		s.streams[stream] = append(s.streams[stream], data...)
	case calls:
		s.streams[kind<<8|int(s.op)] = append(s.streams[kind<<8|int(s.op)], data...)
	default:
		s.put(kind, data...)
	}
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
		s.opcode(op)
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
				s.put(labels, binary.AppendUvarint(nil, depth-s.unsigned())...)
			default:
				s.plain(int(kind), s.leb())
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
func (s *splitter) constant(rest []byte, op byte, kind int, last *int64, next []byte) bool {
	r := reader{data: rest}
	v := r.signed()
	// Other encodings of the same number would not come back.
	if d := v - *last; d < -1<<16 || d > 1<<16 || !bytes.HasPrefix(rest[r.at:], next) || len(appendSigned(nil, v)) != r.at {
		return false
	}
	s.opcode(op)
	s.put(kind, appendSigned(nil, v-*last)...)
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
		s.put(tables, appendSigned(nil, label-last)...)
		last = label
		if s.failed {
			return
		}
	}
}

package main

import (
	"bytes"
	"encoding/binary"
	"maps"
	"slices"
	"strings"
)

// A Go program carries tables of its functions (runtime/symtab.go): for each place in the code the
// line, the calls that were inlined there, the pointers on the stack. The collector and growing
// stacks take only the last; the others serve traces, profiles and preemption by signals, which a
// page does not have. They are a fifth of a packed program, and no flag of the linker leaves them
// out. strip fills them with zeros. Of names it keeps those that the runtime reads to work: a trace
// of a panic still says what went wrong, and not where.

// The numbers of what strip keeps for each function (internal/abi/symtab.go).
var (
	// PCDATA_StackMapIndex, PanicBounds
	keptPlaces = []int{1, 4}
	// FUNCDATA_ArgsPointerMaps, LocalsPointerMaps, StackObjects, OpenCodedDeferInfo
	keptTables = []int{0, 1, 2, 4}
)

// pcHeader is how the tables begin, with 1 for the alignment of code and 8 for the size of a
// pointer.
var pcHeader = []byte{0xF1, 0xFF, 0xFF, 0xFF, 0, 0, 1, 8}

const (
	noTable = 0xFFFFFFFF // an offset of a table by number

	// The offsets of fields in runtime._func.
	funcName      = 4  // an offset too: 0 is no name
	funcPlaces    = 16 // offsets of pcsp, which stays, pcfile and pcln
	funcNumPlaces = 28
	funcFiles     = 32
	funcStartLine = 36
	funcID        = 40
	funcNumTables = 43
	funcSize      = 44

	wrapperID = 23 // of methods by pointer of types that have them by value
)

// strip returns the module without those tables.
func strip(module []byte) ([]byte, error) {
	size, begin, end := section(module, dataSection)
	if end == 0 || end > len(module) {
		return nil, errModule
	}
	memory, err := readMemory(module[begin:end])
	if err != nil {
		return nil, err
	}
	if err := memory.stripFunctions(); err != nil {
		return nil, err
	}
	memory.stripFonts()
	data := memory.segments()
	return slices.Concat(module[:size], binary.AppendUvarint(nil, uint64(len(data))), data, module[end:]), nil
}

// image is the memory with which a program begins, from address 0.
type image []byte

// readMemory returns what a data section says.
func readMemory(data []byte) (image, error) {
	r := reader{data: data}
	var m image
	for range r.unsigned() {
		r.bytes(2) // memory 0, i32.const
		at := int(r.signed())
		r.byte() // end
		segment := r.bytes(int(r.unsigned()))
		if r.failed || at < 0 || at > 1<<30 {
			return nil, errModule
		}
		if end := at + len(segment); end > len(m) {
			m = append(m, make([]byte, end-len(m))...)
		}
		copy(m[at:], segment)
	}
	return m, nil
}

// segments returns the data section of a memory, without runs of zeros.
func (m image) segments() []byte {
	run := make([]byte, 32) // as long as to be worth another segment
	padded := append(m[:len(m):len(m)], run...)
	var data []byte
	n := 0
	for at := 0; at < len(m); {
		if m[at] == 0 {
			at++
			continue
		}
		end := at + bytes.Index(padded[at:], run)
		data = appendSigned(append(data, 0, opIntConst), int64(at))
		data = binary.AppendUvarint(append(data, opEnd), uint64(end-at))
		data = append(data, m[at:end]...)
		at, n = end, n+1
	}
	return append(binary.AppendUvarint(nil, uint64(n)), data...)
}

func (m image) u32(at int) int       { return int(binary.LittleEndian.Uint32(m[at:])) }
func (m image) u64(at int) int       { return int(binary.LittleEndian.Uint64(m[at:])) }
func (m image) set(at int, v uint32) { binary.LittleEndian.PutUint32(m[at:], v) }

// moduleData returns where the header of the tables is, and the runtime's moduledata. That begins
// with the addresses of the header and of the names of functions. Both are -1 in other programs.
func (m image) moduleData() (header, data int) {
	if header = bytes.Index(m, pcHeader); header < 0 {
		return -1, -1
	}
	begins, _ := binary.Append(nil, binary.LittleEndian, []int64{int64(header), int64(header + m.u64(header+32))})
	return header, bytes.Index(m, begins)
}

// stripFunctions fills those tables in the memory with zeros.
func (m image) stripFunctions() (err error) {
	defer func() {
		if recover() != nil {
			err = errModule
		}
	}()
	header, data := m.moduleData()
	if data < 0 {
		return errModule
	}
	places, functions, tables := m.u64(data+8*10), m.u64(data+8*13), m.u64(data+8*40)

	usedPlaces, usedTables := map[int]bool{}, map[int]bool{}
	use := func(used map[int]bool, at int, kept bool, none uint32) {
		if offset := m.u32(at); uint32(offset) != none {
			used[offset] = used[offset] || kept
		}
		if !kept {
			m.set(at, none)
		}
	}
	names := m[m.u64(data+8*1):][:m.u64(data+8*2)]
	kept := map[int][]byte{}
	for i := range m.u64(header + 8) {
		f := functions + m.u32(functions+8*i+4)
		at := m.u32(f + funcName)
		name := names[at:][:bytes.IndexByte(names[at:], 0)]
		if isRead(string(name), int(m[f+funcID])) {
			kept[at] = bytes.Clone(name)
		} else {
			m.set(f+funcName, 0)
		}
		m.set(f+funcFiles, 0)
		m.set(f+funcStartLine, 0)
		use(usedPlaces, f+funcPlaces, true, 0)
		use(usedPlaces, f+funcPlaces+4, false, 0)
		use(usedPlaces, f+funcPlaces+8, false, 0)
		at = f + funcSize
		for n := range m.u32(f + funcNumPlaces) {
			use(usedPlaces, at, slices.Contains(keptPlaces, n), 0)
			at += 4
		}
		for n := range int(m[f+funcNumTables]) {
			use(usedTables, at, slices.Contains(keptTables, n), noTable)
			at += 4
		}
	}
	clear(names)
	for at, name := range kept {
		copy(names[at:], name)
	}
	files, end := m.u64(data+8*4), m.u64(data+8*7)+m.u64(data+8*8)
	clear(m[files:end])
	clearUnused(m[places:], usedPlaces)
	clearUnused(m[tables:], usedTables)
	return nil
}

// isRead reports whether the runtime reads the name of a function: it counts goroutines that run
// its own functions apart, finds pointers in the arguments of calls by reflection, and panics where
// a wrapper has no receiver (runtime: isSystemGoroutine, getStackMap, panicwrap).
func isRead(name string, id int) bool {
	return strings.HasPrefix(name, "runtime.") || name == "reflect.makeFuncStub" || name == "reflect.methodValueCall" ||
		id == wrapperID && strings.Contains(name, "(*")
}

// clearUnused clears the tables that are not used. Each ends where the next one begins. The last
// one stays, as something else follows.
func clearUnused(data []byte, used map[int]bool) {
	offsets := slices.Sorted(maps.Keys(used))
	for i, offset := range offsets[:len(offsets)-1] {
		if !used[offset] {
			clear(data[offset:offsets[i+1]])
		}
	}
}

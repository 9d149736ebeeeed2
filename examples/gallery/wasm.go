package main

import (
	"encoding/binary"
	"errors"
)

// What strip and split know of the format of WebAssembly modules: sections with a number and a
// length, and integers as LEB128, seven bits a byte (WebAssembly Core Specification 2.0, 5.2 and
// 5.5).

const (
	wasmHeader = "\x00asm\x01\x00\x00\x00"

	codeSection = 10
	dataSection = 11
)

var errModule = errors.New("the module is not as Go 1.26 writes it")

// section returns where the size of the only section with this number stands, and where its content
// begins and ends, zeros without one.
func section(module []byte, id byte) (size, begin, end int) {
	for r := (reader{data: module, at: len(wasmHeader)}); r.at < len(module); {
		found := r.byte()
		at := r.at
		n := int(r.unsigned())
		if found == id {
			return at, r.at, r.at + n
		}
		r.bytes(n)
	}
	return 0, 0, 0
}

// reader reads bytes and numbers one after the other. Beyond the end it returns zeros, and failed
// is set.
type reader struct {
	data   []byte
	at     int
	failed bool
}

func (r *reader) bytes(n int) []byte {
	if uint(n) > uint(len(r.data)-r.at) {
		r.failed, r.at = true, len(r.data)
		return nil
	}
	r.at += n
	return r.data[r.at-n : r.at : r.at]
}

func (r *reader) byte() byte {
	if b := r.bytes(1); b != nil {
		return b[0]
	}
	return 0
}

// leb returns the bytes of an integer.
func (r *reader) leb() []byte {
	begin := r.at
	for r.byte() > 127 {
	}
	return r.data[begin:r.at:r.at]
}

func (r *reader) unsigned() uint64 {
	v, _ := binary.Uvarint(r.leb())
	return v
}

func (r *reader) signed() (v int64) {
	shift, last := 0, byte(0)
	for _, last = range r.leb() {
		v |= int64(last&127) << shift
		shift += 7
	}
	if last&64 != 0 {
		v |= -1 << shift
	}
	return v
}

// appendSigned appends a signed integer in as few bytes as it takes.
func appendSigned(to []byte, v int64) []byte {
	for v < -64 || v > 63 {
		to, v = append(to, byte(v)|128), v>>7
	}
	return append(to, byte(v)&127)
}

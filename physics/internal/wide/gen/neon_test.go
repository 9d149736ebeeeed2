package main

import (
	"encoding/binary"
	"testing"

	"golang.org/x/arch/arm64/arm64asm"
)

// The encodings of the generated assembly are those of the instructions that the macros are for.
func TestEncodings(t *testing.T) {
	for _, m := range neonMacros {
		word := m.encoding | 2<<5 | 3
		if m.operands == 3 {
			word |= 1 << 16
		}
		inst, err := arm64asm.Decode(binary.LittleEndian.AppendUint32(nil, word))
		if got := arm64asm.GNUSyntax(inst); err != nil || got != m.syntax {
			t.Errorf("%s is %q, %v", m.name, got, err)
		}
	}
}

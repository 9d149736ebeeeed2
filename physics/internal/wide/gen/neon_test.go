package main

import (
	"encoding/binary"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/arch/arm64/arm64asm"
)

// The encodings of the generated assembly are those of the instructions that the macros are for.
func TestEncodingsOfMacros(t *testing.T) {
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

// The encodings of neon_arm64.h are those of the instructions that its macros are named for. Here m
// is register 1, n is 2 and d is 3.
func TestEncodings(t *testing.T) {
	want := map[string]string{
		"FSUB4":   "fsub v3.4s, v2.4s, v1.4s",
		"FMUL4":   "fmul v3.4s, v2.4s, v1.4s",
		"FMIN4":   "fmin v3.4s, v2.4s, v1.4s",
		"FMAX4":   "fmax v3.4s, v2.4s, v1.4s",
		"FMUL4X":  "fmul v3.4s, v2.4s, v1.s[0]",
		"FMUL4Y":  "fmul v3.4s, v2.4s, v1.s[1]",
		"FMUL4Z":  "fmul v3.4s, v2.4s, v1.s[2]",
		"SMAX4":   "smax v3.4s, v2.4s, v1.4s",
		"SMIN4":   "smin v3.4s, v2.4s, v1.4s",
		"CMGE4":   "cmge v3.4s, v2.4s, v1.4s",
		"FCMLTZ4": "fcmlt v3.4s, v2.4s, #0",
		"FCMGTZ4": "fcmgt v3.4s, v2.4s, #0",
		"AND4":    "and v3.16b, v2.16b, v1.16b",
	}
	header, err := os.ReadFile("../neon_arm64.h")
	if err != nil {
		t.Fatal(err)
	}
	macros := regexp.MustCompile(`(?m)^#define (\w+)\((m, )?n, d\) WORD \$\((0x\w+)( \| \(m\)<<16)? \| \(n\)<<5 \| \(d\)\)$`).FindAllStringSubmatch(string(header), -1)
	if defined := strings.Count(string(header), "#define"); len(macros) != defined || len(macros) != len(want) {
		t.Fatalf("%d of %d macros read, %d are known", len(macros), defined, len(want))
	}
	for _, macro := range macros {
		word, err := strconv.ParseUint(macro[3], 0, 32)
		if err != nil {
			t.Fatal(err)
		}
		if word |= 2<<5 | 3; macro[4] != "" {
			word |= 1 << 16
		}
		inst, err := arm64asm.Decode(binary.LittleEndian.AppendUint32(nil, uint32(word)))
		if got := arm64asm.GNUSyntax(inst); err != nil || got != want[macro[1]] {
			t.Errorf("%s is %q, %v", macro[1], got, err)
		}
	}
}

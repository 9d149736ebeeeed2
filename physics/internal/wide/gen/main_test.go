package main

import (
	"bytes"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// generated is a file, from the folder above, and the flags with which its generator writes it.
type generated struct {
	name string
	args []string
}

// assembly is what the generators write for amd64.
var assembly = []generated{
	{"walk_amd64.s", nil},
	{"build_amd64.s", []string{"-build"}},
	{"packet_amd64.s", []string{"-packets"}},
	{"visit_amd64.s", []string{"-visit"}},
	{"shape_amd64.s", []string{"-shape"}},
	{"grid_amd64.s", []string{"-grid"}},
	{"../broad/simd_amd64.s", []string{"-world"}},
	{"../../rigid/simd_amd64.s", []string{"-solver"}},
	{"../../rigid/joint_amd64.s", []string{"-joints"}},
	{"../narrow/simd_amd64.s", []string{"-boxes"}},
	{"../../simd_amd64.s", []string{"-contacts"}},
}

// neonAssembly is the same for arm64.
var neonAssembly = []generated{
	{"walk_arm64.s", nil},
	{"build_arm64.s", []string{"-build"}},
	{"packet_arm64.s", []string{"-packets"}},
	{"visit_arm64.s", []string{"-visit"}},
	{"shape_arm64.s", []string{"-shape"}},
	{"../broad/simd_arm64.s", []string{"-world"}},
	{"../narrow/simd_arm64.s", []string{"-boxes"}},
	{"../../rigid/simd_arm64.s", []string{"-solver"}},
	{"../../rigid/joint_arm64.s", []string{"-joints"}},
	{"../../simd_arm64.s", []string{"-contacts"}},
}

// wasmModules is the same for WebAssembly.
var wasmModules = []generated{{"kernel.wasm", nil}, {"../../rigid/kernel.wasm", []string{"-solver"}}}

// The committed assembly and the modules for WebAssembly are what the generators write.
func TestCommitted(t *testing.T) {
	for _, c := range slices.Concat(assembly, neonAssembly, wasmModules) {
		t.Run(c.name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), filepath.Base(c.name))
			want, err := os.ReadFile("../" + c.name)
			if err != nil {
				t.Fatal(err)
			}
			program, flag := ".", "-out"
			if strings.HasSuffix(out, "_arm64.s") {
				flag = "-neon"
			}
			if strings.HasSuffix(out, ".wasm") {
				program = "./wasm"
			}
			run := exec.Command("go", append(append([]string{"run", program}, c.args...), flag, out)...)
			if msg, err := run.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, msg)
			}
			got, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			if program == "." { // the first line holds the command, and so the name of the file
				_, want, _ = bytes.Cut(want, []byte("\n"))
				_, got, _ = bytes.Cut(got, []byte("\n"))
			}
			if !bytes.Equal(want, got) {
				t.Errorf("%s is not what gen writes: run go generate in physics/internal/wide, broad, narrow and physics/rigid", c.name)
			}
		})
	}
}

// A processor with AVX2 alone executes all of it. The assembler encodes registers above Y15 as
// AVX-512 without a warning; that encoding begins with 0x62.
func TestNoAVX512(t *testing.T) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	include := filepath.Join(strings.TrimSpace(string(root)), "pkg", "include")
	instruction := regexp.MustCompile(`(?m)^\t0x([0-9a-f]+) .*\((.*)\)\t(.*)$`)
	row := regexp.MustCompile(`(?m)^\t0x[0-9a-f]+((?: [0-9a-f]{2})+)  `)
	for _, c := range assembly {
		listing, err := exec.Command("go", "tool", "asm", "-p", "gen", "-I", include, "-S", "-o", os.DevNull, "../"+c.name).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, listing)
		}
		routines := strings.Split(string(listing), " STEXT ")[1:]
		if len(routines) == 0 {
			t.Errorf("%s: no routine", c.name)
		}
		for _, routine := range routines {
			var code []byte
			for _, m := range row.FindAllStringSubmatch(routine, -1) {
				b, err := hex.DecodeString(strings.ReplaceAll(m[1], " ", ""))
				if err != nil {
					t.Fatal(err)
				}
				code = append(code, b...)
			}
			for _, m := range instruction.FindAllStringSubmatch(routine, -1) {
				at, err := strconv.ParseInt(m[1], 16, 64)
				if err != nil {
					t.Fatal(err)
				}
				if int(at) < len(code) && code[at] == 0x62 {
					t.Errorf("%s is AVX-512: %s", m[2], m[3])
				}
			}
			if len(code) == 0 {
				t.Errorf("%s: a routine without code", c.name)
			}
		}
	}
}

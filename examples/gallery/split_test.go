package main

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/hitscan-go/hitscan/internal/testenv"
)

// whole puts modules together again, by the function of page/load.js.
func whole(t *testing.T, files ...[]byte) (modules [][]byte) {
	t.Helper()
	testenv.Program(t, "node")
	folder := t.TempDir()
	args := []string{"-e", `
const fs = require('fs');
const whole = new Function(fs.readFileSync(process.argv[1], 'utf8') + '; return whole')();
for (const file of process.argv.slice(2)) fs.writeFileSync(file, whole(new Uint8Array(fs.readFileSync(file)).slice()));`,
		"page/load.js"}
	for i, file := range files {
		args = append(args, filepath.Join(folder, string(rune('a'+i))))
		if err := os.WriteFile(args[len(args)-1], file, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("node", args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range args[3:] {
		module, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		modules = append(modules, module)
	}
	return modules
}

func TestSplitProgramComesBack(t *testing.T) {
	module := built(t)
	file, err := split(module)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(whole(t, file)[0], module) {
		t.Error("another module comes back")
	}
}

// Instructions in any order, with constants and labels of all sizes.
func TestSplitInstructionsComeBack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var modules, files [][]byte
	for range 20 {
		module := randomModule(r)
		file, err := split(module)
		if err != nil {
			t.Fatal(err)
		}
		modules, files = append(modules, module), append(files, file)
	}
	for i, got := range whole(t, files...) {
		if !bytes.Equal(got, modules[i]) {
			t.Errorf("another module comes back than number %d", i)
		}
	}
}

func TestSplitRefusesDamage(t *testing.T) {
	module := randomModule(rand.New(rand.NewPCG(3, 4)))
	for _, damaged := range [][]byte{nil, module[:len(wasmHeader)], module[:len(module)-4]} {
		if _, err := split(damaged); err == nil {
			t.Errorf("no error for %d bytes of %d", len(damaged), len(module))
		}
	}
}

// randomModule returns a module with functions of random instructions, and a section after them.
func randomModule(r *rand.Rand) []byte {
	number := func() uint64 { return r.Uint64N(1 << r.IntN(32)) }
	const functions = 20
	code := binary.AppendUvarint(nil, functions)
	for f := range functions {
		body := []byte{1, 3, 0x7F} // three integers
		depth := uint64(0)
		for range 200 {
			op := byte([]int{0x02, 0x04, 0x0B, 0x0C, 0x0E, 0x10, 0x11, 0x1A, 0x20, 0x28, 0x37, 0x3F, 0x41, 0x42, 0x43, 0x44, 0x6A, 0xFC}[r.IntN(18)])
			if op == opEnd && depth == 0 {
				continue
			}
			body = append(body, op)
			switch op {
			case opBlock, opIf:
				body = append(body, 0x40)
				depth++
			case opEnd:
				depth--
			case opBr:
				body = binary.AppendUvarint(body, r.Uint64N(depth+1))
			case opTable:
				n := r.IntN(300)
				body = binary.AppendUvarint(body, uint64(n))
				for range n + 1 {
					body = binary.AppendUvarint(body, r.Uint64N(depth+1))
				}
			case opIntConst:
				body = appendSigned(body, int64(int32(number())))
				if r.IntN(2) == 0 {
					body = append(body, setBlock...)
				}
			case opLongConst:
				v := int64(number()) << r.IntN(32)
				if r.IntN(2) == 0 {
					v = firstAddress(f) + r.Int64N(1<<17) - 1<<16
				}
				body = append(appendSigned(body, v), storeLong...)
			case 0x43, 0x44:
				body = binary.LittleEndian.AppendUint32(body, r.Uint32())
				if op == 0x44 {
					body = binary.LittleEndian.AppendUint32(body, r.Uint32())
				}
			case 0xFC:
				body = append(body, 10, 0, 0)
			case 0x11, 0x28, 0x37:
				body = binary.AppendUvarint(binary.AppendUvarint(body, number()), number())
			case 0x10, 0x20, 0x3F:
				body = binary.AppendUvarint(body, number())
			}
		}
		body = append(body, opEnd)
		code = append(binary.AppendUvarint(code, uint64(len(body))), body...)
	}
	module := binary.AppendUvarint([]byte(wasmHeader+"\x0A"), uint64(len(code)))
	return append(append(module, code...), dataSection, 1, 0)
}

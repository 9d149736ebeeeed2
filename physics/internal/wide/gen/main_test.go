package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The committed assembly and the module for WebAssembly are what the generators write.
func TestCommitted(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
	}{
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
		{"kernel.wasm", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), filepath.Base(c.name))
			want, err := os.ReadFile("../" + c.name)
			if err != nil {
				t.Fatal(err)
			}
			program := "."
			if strings.HasSuffix(out, ".wasm") {
				program = "./wasm"
			}
			run := exec.Command("go", append(append([]string{"run", program}, c.args...), "-out", out)...)
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

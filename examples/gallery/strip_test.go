package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"github.com/hitscan-go/hitscan/internal/testenv"
)

// built returns testdata/program for WebAssembly.
func built(t *testing.T) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), "program.wasm")
	if err := compile(file, "testdata/program", "."); err != nil {
		t.Fatal(err)
	}
	module, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return module
}

func TestStrippedProgramRunsAsBefore(t *testing.T) {
	testenv.Program(t, "node")
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	runner := filepath.Join(strings.TrimSpace(string(goroot)), "lib/wasm/wasm_exec_node.js")
	run := func(module []byte) string {
		file := filepath.Join(t.TempDir(), "program.wasm")
		if err := os.WriteFile(file, module, 0o644); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("node", runner, file).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
	module := built(t)
	stripped, err := strip(module)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := run(stripped), run(module); got != want {
		t.Errorf("printed %q, and %q before", got, want)
	}
	if got, want := len(packed(stripped)), len(packed(module)); got > want*9/10 {
		t.Errorf("%d bytes of %d are left", got, want)
	}
}

// Without the table findfunctab the runtime would find each function by trying all.
func TestStripLeavesWhatFollowsTheTables(t *testing.T) {
	module := built(t)
	_, begin, end := section(module, dataSection)
	memory, err := readMemory(module[begin:end])
	if err != nil {
		t.Fatal(err)
	}
	_, data := memory.moduleData()
	rest := memory[memory.u64(data+8*19):]
	want := bytes.Clone(rest)
	if err := memory.stripFunctions(); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(rest, want) {
		t.Error("it is changed")
	}
}

func TestStripRefusesWhatItDoesNotKnow(t *testing.T) {
	module := built(t)
	if _, err := strip(bytes.Replace(module, pcHeader, make([]byte, len(pcHeader)), 1)); err == nil {
		t.Error("no error for tables of another version")
	}
	if _, err := strip(module[:len(module)/2]); err == nil {
		t.Error("no error for half a module")
	}
}

func TestStrippedFontsDrawTheSame(t *testing.T) {
	for _, data := range [][]byte{goregular.TTF, gomedium.TTF, gobold.TTF, gomono.TTF} {
		stripped := bytes.Clone(data)
		stripFont(stripped)
		if bytes.Equal(stripped, data) {
			t.Error("nothing is stripped")
		}
		faces := [2]font.Face{}
		for i, data := range [][]byte{data, stripped} {
			f, err := opentype.Parse(data)
			if err != nil {
				t.Fatal(err)
			}
			if faces[i], err = opentype.NewFace(f, &opentype.FaceOptions{Size: 15, DPI: 72, Hinting: font.HintingNone}); err != nil {
				t.Fatal(err)
			}
		}
		for r := rune(' '); r < 0x3000; r++ {
			if !isShown(r) {
				continue
			}
			glyph := func(face font.Face) any {
				bounds, mask, at, advance, ok := face.Glyph(fixed.Point26_6{X: 16}, r)
				var pixels []byte
				for y := range bounds.Dy() {
					for x := range bounds.Dx() {
						_, _, _, a := mask.At(at.X+x, at.Y+y).RGBA()
						pixels = append(pixels, byte(a>>8))
					}
				}
				return [...]any{bounds, at, advance, ok, face.Kern('A', r), string(pixels)}
			}
			if got, want := glyph(faces[1]), glyph(faces[0]); got != want {
				t.Fatalf("%q: %v, and %v before", r, got, want)
			}
		}
	}
}

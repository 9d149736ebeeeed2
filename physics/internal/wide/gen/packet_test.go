package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// So is the assembly for many rays.
func TestPacketsCommitted(t *testing.T) {
	out := filepath.Join(t.TempDir(), "packet_amd64.s")
	want, err := os.ReadFile("../packet_amd64.s")
	if err != nil {
		t.Fatal(err)
	}
	run := exec.Command("go", "run", ".", "-packets", "-out", out)
	if msg, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, msg)
	}
	got, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	_, want, _ = bytes.Cut(want, []byte("\n"))
	_, got, _ = bytes.Cut(got, []byte("\n"))
	if !bytes.Equal(want, got) {
		t.Error("packet_amd64.s is not what gen writes: run go generate in physics/internal/wide")
	}
}

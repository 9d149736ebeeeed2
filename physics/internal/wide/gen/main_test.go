package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The committed assembly is what the generator writes.
func TestCommitted(t *testing.T) {
	out := filepath.Join(t.TempDir(), "walk_amd64.s")
	want, err := os.ReadFile("../walk_amd64.s")
	if err != nil {
		t.Fatal(err)
	}
	run := exec.Command("go", "run", ".", "-out", out)
	if msg, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, msg)
	}
	got, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	// The first line holds the command, and so the name of the file.
	_, want, _ = bytes.Cut(want, []byte("\n"))
	_, got, _ = bytes.Cut(got, []byte("\n"))
	if !bytes.Equal(want, got) {
		t.Error("walk_amd64.s is not what gen writes: run go generate in physics/internal/wide")
	}
}

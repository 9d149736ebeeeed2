package main

import (
	"bytes"
	"syscall/js"

	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/physics/meshio"
)

// built returns the mesh of the only part of a model with the tree that the page has loaded, or nil
// without one. A browser has just begun to compile the program, and builds trees at a fraction of
// its later speed.
func built(name string, p *meshio.Part) *mesh.Mesh {
	files := js.Global().Get("hitscanFiles")
	if files.IsUndefined() || files.Get(name+".mesh").IsUndefined() {
		return nil
	}
	data := files.Get(name + ".mesh")
	file := make([]byte, data.Length())
	js.CopyBytesToGo(file, data)
	m, err := mesh.Read(bytes.NewReader(file))
	if err != nil || m.NumTriangles() != len(p.Indices)/3 {
		return nil // of another version
	}
	return m
}

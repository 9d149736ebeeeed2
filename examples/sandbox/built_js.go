package main

import (
	"bytes"
	"io"
	"syscall/js"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/physics/meshio"
)

// built returns the only part of a model from the file that the page has loaded, a mesh with its
// tree and three bytes for each vertex, its normal; false without one. A browser has just begun to
// compile the program, and decodes models and builds trees at a fraction of its later speed.
func built(name string) (loaded, bool) {
	files := js.Global().Get("hitscanFiles")
	if files.IsUndefined() || files.Get(name+".mesh").IsUndefined() {
		return loaded{}, false
	}
	data := files.Get(name + ".mesh")
	file := make([]byte, data.Length())
	js.CopyBytesToGo(file, data)
	r := bytes.NewReader(file)
	m, err := mesh.Read(r)
	if err != nil {
		return loaded{}, false // of another version
	}
	p := meshio.Part{Name: name, Vertices: m.Vertices(), Indices: m.Indices()}
	codes := make([]byte, 3*len(p.Vertices))
	if _, err := io.ReadFull(r, codes); err != nil {
		return loaded{}, false
	}
	for i := range p.Vertices {
		n := geom.V(float32(int8(codes[3*i])), float32(int8(codes[3*i+1])), float32(int8(codes[3*i+2])))
		p.Normals = append(p.Normals, n.Normalize())
	}
	return loaded{p, m}, true
}

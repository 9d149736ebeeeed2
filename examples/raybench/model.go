package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/hitscan-go/hitscan/examples/raybench/internal/ply"
	"github.com/hitscan-go/hitscan/examples/raybench/internal/rayfile"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/physics/meshio"
)

// readMesh returns the mesh in a file, or a torus of 65,536 triangles if there is no name.
func readMesh(name string) (*mesh.Mesh, error) {
	if name == "" {
		return mesh.New(mesh.Torus(1, 0.4, 256, 128))
	}
	var m *mesh.Mesh
	var err error
	if strings.EqualFold(filepath.Ext(name), ".ply") {
		vertices, indices, readErr := ply.ReadFile(name)
		if readErr != nil {
			return nil, readErr
		}
		m, err = mesh.New(vertices, indices)
	} else {
		model, readErr := meshio.ReadFile(name)
		if readErr != nil {
			return nil, readErr
		}
		m, err = model.Mesh()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return m, nil
}

// save writes sets of rays into a folder, as NAME_primary.rays and so on, after the name of the
// mesh's file. If that is no OBJ, it also writes the mesh as one, NAME.obj, with the same order of
// triangles, which other programs can read.
func save(dir, meshName string, m *mesh.Mesh, sets []set) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	kind := filepath.Ext(meshName)
	stem := filepath.Join(dir, strings.TrimSuffix(filepath.Base(meshName), kind))
	if meshName == "" {
		stem = filepath.Join(dir, "made")
	}
	for _, s := range sets {
		if err := rayfile.WriteRays(stem+"_"+s.name+".rays", s.rays); err != nil {
			return err
		}
	}
	if strings.EqualFold(kind, ".obj") {
		return nil
	}
	return writeOBJ(stem+".obj", m)
}

func writeOBJ(name string, m *mesh.Mesh) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(file)
	for _, v := range m.Vertices() {
		fmt.Fprintln(w, "v", v.X, v.Y, v.Z) // in as many digits as give the same number back
	}
	indices := m.Indices()
	for i := 0; i < len(indices); i += 3 {
		fmt.Fprintln(w, "f", indices[i]+1, indices[i+1]+1, indices[i+2]+1)
	}
	if err := w.Flush(); err != nil { // the first error of all that were written
		file.Close()
		return err
	}
	return file.Close()
}

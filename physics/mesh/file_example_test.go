package mesh_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// A mesh that is built once and read from then on.
func ExampleReadFile() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "torus.mesh")

	load := func() (*mesh.Mesh, error) {
		m, err := mesh.ReadFile(name)
		switch {
		case err == nil:
			fmt.Println("read")
			return m, nil
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, mesh.ErrVersion), errors.Is(err, mesh.ErrDamaged):
			fmt.Println("built")
		default:
			return nil, err
		}
		if m, err = mesh.New(mesh.Torus(3, 1, 64, 32)); err != nil {
			return nil, err
		}
		return m, m.WriteFile(name)
	}
	for range 2 {
		m, err := load()
		if err != nil {
			fmt.Println(err)
			return
		}
		hit, _ := m.CastRay(geom.NewRay(geom.V(3, 5, 0), geom.V(0, -1, 0)), geom.CullNone)
		fmt.Println(m.NumTriangles(), "triangles, hit after", hit.T, "m")
	}
	// Output:
	// built
	// 4096 triangles, hit after 4 m
	// read
	// 4096 triangles, hit after 4 m
}

func ExampleRead() {
	m, err := mesh.New(mesh.Box(geom.V(1, 1, 1)))
	if err != nil {
		fmt.Println(err)
		return
	}
	var file bytes.Buffer
	if _, err := m.WriteTo(&file); err != nil {
		fmt.Println(err)
		return
	}
	data := file.Bytes()
	data[len(data)-1] ^= 1
	_, err = mesh.Read(bytes.NewReader(data))
	fmt.Println("damaged:", errors.Is(err, mesh.ErrDamaged))
	_, err = mesh.Read(bytes.NewReader(data[:100]))
	fmt.Println(err)
	// Output:
	// damaged: true
	// mesh: Read: damaged mesh file: vertices, byte 0: unexpected EOF
}

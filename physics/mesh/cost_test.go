package mesh_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// BenchmarkFileCost is what files of meshes and fields cost, with a Validate: see docs/files.md.
func BenchmarkFileCost(b *testing.B) {
	of := func(m *mesh.Mesh, err error) ([]byte, int) {
		require.NoError(b, err)
		var file bytes.Buffer
		_, err = m.WriteTo(&file)
		require.NoError(b, err)
		return file.Bytes(), 0
	}
	for name, file := range map[string]func(n int) ([]byte, int){
		"strip": func(n int) ([]byte, int) {
			vertices, indices := []geom.Vec3{{}, {Y: 1}}, []uint32(nil)
			for i := range uint32(100 * n) {
				vertices = append(vertices, geom.V(float32(i), float32(i%7), 1))
				indices = append(indices, i, i+1, i+2)
			}
			return of(mesh.New(vertices, indices))
		},
		"one triangle": func(n int) ([]byte, int) {
			var indices []uint32
			for range 100 * n {
				indices = append(indices, 0, 1, 2)
			}
			return of(mesh.New([]geom.Vec3{{}, {X: 1}, {Y: 1}}, indices))
		},
		"field": func(n int) ([]byte, int) {
			side := 32 + 8*n
			f, err := mesh.NewFieldOfCodes(mesh.FieldOptions{Columns: side, Rows: side, CellX: 1, CellZ: 1, High: 1}, make([]uint16, side*side))
			require.NoError(b, err)
			return of(f.Mesh(), nil)
		},
	} {
		b.Run(name, func(b *testing.B) {
			testenv.FileCost(b, file, func(data []byte) {
				if m, err := mesh.Read(bytes.NewReader(data)); err == nil {
					_ = m.Validate()
				}
			})
		})
	}
}

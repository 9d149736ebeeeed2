package mesh_test

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/mesh"
)

// BenchmarkFile compares reading a built mesh with building it.
func BenchmarkFile(b *testing.B) {
	for _, c := range []struct {
		name string
		mesh func(testing.TB) *mesh.Mesh
	}{
		{"torus", torus},
		{"bunny", func(t testing.TB) *mesh.Mesh { return sharedMesh(t, "bunny") }},
		{"arena1", func(t testing.TB) *mesh.Mesh { return sharedMesh(t, "arena1") }},
	} {
		b.Run(c.name, func(b *testing.B) {
			m := c.mesh(b)
			var buffer bytes.Buffer
			_, err := m.WriteTo(&buffer)
			require.NoError(b, err)
			name := filepath.Join(b.TempDir(), "a.mesh")
			require.NoError(b, m.WriteFile(name))
			size := int64(buffer.Len())
			b.Run("build", func(b *testing.B) {
				for b.Loop() {
					_, _ = mesh.New(m.Vertices(), m.Indices())
				}
				b.ReportMetric(float64(size)/float64(m.NumTriangles()), "B/triangle")
			})
			for _, way := range []struct {
				name string
				run  func() error
			}{
				{"Read", func() error { _, err := mesh.Read(bytes.NewReader(buffer.Bytes())); return err }},
				{"ReadFile", func() error { _, err := mesh.ReadFile(name); return err }},
				{"WriteTo", func() error { _, err := m.WriteTo(new(countingWriter)); return err }},
				{"WriteFile", func() error { return m.WriteFile(name) }},
			} {
				b.Run(way.name, func(b *testing.B) {
					b.SetBytes(size)
					for b.Loop() {
						if err := way.run(); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		})
	}
}

// countingWriter only counts.
type countingWriter int64

func (w *countingWriter) Write(b []byte) (int, error) {
	*w += countingWriter(len(b))
	return len(b), nil
}

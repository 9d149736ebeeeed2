package meshio_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/meshio"
)

// hills is a grid of n × n squares with waves.
func hills(n int) meshio.Part {
	p := meshio.Part{Name: "hills"}
	for z := range n + 1 {
		for x := range n + 1 {
			y := math.Sin(float64(x)*0.3) * math.Cos(float64(z)*0.2)
			p.Vertices = append(p.Vertices, geom.V(float32(x), float32(y), float32(z)))
		}
	}
	row := uint32(n + 1)
	for z := range uint32(n) {
		for x := range uint32(n) {
			a := z*row + x
			p.Indices = append(p.Indices, a, a+row, a+1, a+1, a+row, a+row+1)
		}
	}
	return p
}

func benchmarkDecode(b *testing.B, data []byte, decode func([]byte) (*meshio.Model, error)) {
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	triangles := 0
	for b.Loop() {
		model, err := decode(data)
		if err != nil {
			b.Fatal(err)
		}
		triangles = model.NumTriangles()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*triangles), "ns/triangle")
}

func BenchmarkDecode(b *testing.B) {
	p := hills(200)
	stl := func(data []byte) (*meshio.Model, error) { return meshio.DecodeSTL(bytes.NewReader(data)) }
	b.Run("OBJ", func(b *testing.B) {
		benchmarkDecode(b, []byte(objText(p)), func(data []byte) (*meshio.Model, error) { return meshio.DecodeOBJ(bytes.NewReader(data)) })
	})
	b.Run("STL text", func(b *testing.B) { benchmarkDecode(b, []byte(stlText(p)), stl) })
	b.Run("STL binary", func(b *testing.B) { benchmarkDecode(b, stlBinary("", p), stl) })
	b.Run("GLB", func(b *testing.B) {
		benchmarkDecode(b, glb(b, document(p)), func(data []byte) (*meshio.Model, error) { return meshio.DecodeGLTF(bytes.NewReader(data), nil) })
	})
}

func BenchmarkSmooth(b *testing.B) {
	p := hills(16)
	b.Run("edges", func(b *testing.B) {
		for b.Loop() {
			p.Smooth(0.5)
		}
	})
	b.Run("brute force", func(b *testing.B) {
		for b.Loop() {
			smoothBrute(p, 0.5)
		}
	})
}

// A convex polygon, and one with every second corner moved inward, which needs ear clipping.
func BenchmarkPolygon(b *testing.B) {
	for name, dent := range map[string]float64{"fan": 0, "ears": 0.2} {
		b.Run(name, func(b *testing.B) {
			var corners []geom.Vec3
			for i := range 200 {
				a, r := 2*math.Pi*float64(i)/200, 1-dent*float64(i%2)
				corners = append(corners, geom.V(float32(r*math.Cos(a)), float32(r*math.Sin(a)), 0))
			}
			text := polygonOBJ(corners)
			for b.Loop() {
				if _, err := meshio.DecodeOBJ(strings.NewReader(text)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

package main

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"math/rand/v2"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/physics/meshio"
)

// casts is the number of casts of each shape and size.
const casts = 2000

// cast is the path of a shape that is cast at a mesh. Sizes are fractions of the diagonal of the
// mesh's bounds: the radius of a sphere or capsule, half the edge of a cube, and the circumradius
// of a dodecahedron.
type cast struct {
	shape        string
	size         float32
	from, motion geom.Vec3
}

var castShapes = []string{"sphere", "capsule", "box", "hull"}

var castSizes = []float32{0.002, 0.02}

// makeCasts returns paths from around a mesh through its bounds to the other side, the same in each
// call.
func makeCasts(bounds geom.AABB) []cast {
	r := rand.New(rand.NewPCG(3, 4))
	unit := func() geom.Vec3 {
		for {
			v := geom.V(r.Float32()*2-1, r.Float32()*2-1, r.Float32()*2-1)
			if l := v.Len(); l > 0.1 && l < 1 {
				return v.Mul(1 / l)
			}
		}
	}
	diagonal := bounds.HalfExtents().Len() * 2
	var all []cast
	for _, shape := range castShapes {
		for _, size := range castSizes {
			for range casts {
				h := bounds.HalfExtents()
				to := bounds.Center().Add(geom.V((r.Float32()*2-1)*h.X, (r.Float32()*2-1)*h.Y, (r.Float32()*2-1)*h.Z))
				dir := unit()
				all = append(all, cast{shape, size * diagonal, to.Sub(dir.Mul(diagonal)), dir.Mul(2 * diagonal)})
			}
		}
	}
	return all
}

// newShape returns the shape that is cast.
func (c *cast) newShape() physics.Shape {
	switch c.shape {
	case "sphere":
		return geom.Sphere{Radius: c.size}
	case "capsule":
		return geom.Capsule{A: geom.V(0, -c.size, 0), B: geom.V(0, c.size, 0), Radius: c.size}
	case "box":
		return geom.Box{HalfExtents: geom.V(c.size, c.size, c.size)}
	default:
		return dodecahedron(float64(c.size))
	}
}

// saveCasts writes a line for each cast: the shape, its size, its start and its motion.
func saveCasts(w io.Writer, all []cast) error {
	out := bufio.NewWriter(w)
	for i := range all {
		c := &all[i]
		fmt.Fprintln(out, c.shape, c.size, c.from.X, c.from.Y, c.from.Z, c.motion.X, c.motion.Y, c.motion.Z)
	}
	return out.Flush()
}

// measureCasts prints the time of Space.CastShape at a mesh, and the fraction of casts that hit.
func measureCasts(w io.Writer, m *mesh.Mesh, all []cast, o options) {
	space := physics.NewSpace()
	space.Add(physics.Collider{Shape: m, Static: true})
	shapeCasts := make([]physics.ShapeCast, casts)
	diagonal := m.Bounds().HalfExtents().Len() * 2
	for from := 0; from < len(all); from += casts {
		shape := all[from].newShape() // the same for all that are measured together
		for i, c := range all[from : from+casts] {
			shapeCasts[i] = physics.ShapeCast{Shape: shape, Transform: geom.Transform{Position: c.from}, Motion: c.motion, MaxT: 1}
		}
		hits, sum := 0, 0.0
		took := measure(o.runs, func() {
			hits, sum = 0, 0
			for _, c := range shapeCasts {
				if h, ok := space.CastShape(c, physics.Filter{}); ok {
					hits++
					sum += float64(h.T)
				}
			}
		})
		name := fmt.Sprintf("cast-%s-%g", all[from].shape, math.Round(float64(all[from].size/diagonal)*1e4)/1e4)
		fmt.Fprintf(w, "%s %.3f us %.4f hit %.5f mean_t\n", name, took/1e3/casts, float64(hits)/casts, sum/float64(max(1, hits)))
		fmt.Fprintf(w, "touching-%s %.4f\n", name, float64(hits)/casts)
	}
}

func readMesh(name string) (*mesh.Mesh, error) {
	model, err := meshio.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return model.Mesh()
}

//go:build js

// Rays casts rays at the bunny for the page rays.html, which times three-mesh-bvh on the same rays.
package main

import (
	"bytes"
	"math"
	"math/rand/v2"
	"syscall/js"
	"time"
	"unsafe"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// side is the number of rays along a side of the picture; each set has as many as the picture.
const side = 128

// batch is the number of rays in a call of CastRays.
const batch = 4096

func main() {
	var bunny *mesh.Mesh
	sets := map[string][]geom.Ray{}
	js.Global().Set("hitscan", map[string]any{
		// load takes the bytes of a mesh file, and returns its corners and its indices.
		"load": js.FuncOf(func(_ js.Value, args []js.Value) any {
			data := make([]byte, args[0].Length())
			js.CopyBytesToGo(data, args[0])
			m, err := mesh.Read(bytes.NewReader(data))
			if err != nil {
				panic(err)
			}
			bunny = m
			sets["primary"] = primary(m)
			sets["random"] = random(m)
			sets["ao"] = occlusion(m, sets["primary"])
			return []any{floats(m.Vertices()), floats(m.Indices())}
		}),
		// rays returns a set: for each ray its origin, its direction and the largest T, 0 for none.
		"rays": js.FuncOf(func(_ js.Value, args []js.Value) any {
			var list []float32
			for _, r := range sets[args[0].String()] {
				list = append(list, r.Origin.X, r.Origin.Y, r.Origin.Z, r.Dir.X, r.Dir.Y, r.Dir.Z, r.MaxT)
			}
			return floats(list)
		}),
		// answers returns T of each ray of a set, and +Inf for a miss.
		"answers": js.FuncOf(func(_ js.Value, args []js.Value) any {
			var list []float32
			for _, h := range bunny.CastRays(nil, sets[args[0].String()], geom.CullNone) {
				list = append(list, h.T)
			}
			return floats(list)
		}),
		// rate casts a set for some milliseconds, in batches or one ray a call, and returns the
		// millions of rays a second.
		"rate": js.FuncOf(func(_ js.Value, args []js.Value) any {
			rays, batches, limit := sets[args[0].String()], args[1].Bool(), args[2].Float()
			hits, n, start := make([]geom.Hit, 0, batch), 0, time.Now()
			for {
				if batches {
					for i := 0; i < len(rays); i += batch {
						hits = bunny.CastRays(hits[:0], rays[i:i+batch], geom.CullNone)
					}
				} else {
					for _, r := range rays {
						bunny.CastRay(r, geom.CullNone)
					}
				}
				n += len(rays)
				if t := time.Since(start).Seconds(); 1000*t >= limit {
					return float64(n) / t / 1e6
				}
			}
		}),
	})
	js.Global().Call("begin")
	select {}
}

// floats returns numbers of four bytes as a Uint8Array.
func floats[T any](list []T) js.Value {
	var zero T
	data := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(list))), len(list)*int(unsafe.Sizeof(zero)))
	a := js.Global().Get("Uint8Array").New(len(data))
	js.CopyBytesToJS(a, data)
	return a
}

// primary returns the rays of a picture of the mesh, by rows from the top.
func primary(m *mesh.Mesh) (rays []geom.Ray) {
	b := m.Bounds()
	eye := b.Center().Add(geom.V(-1.1, 0.5, 1.3))
	ahead := b.Center().Sub(eye).Normalize()
	right := ahead.Cross(geom.V(0, 1, 0)).Normalize()
	up := right.Cross(ahead)
	for y := range side {
		for x := range side {
			at := func(i int) float32 { return (float32(i)+0.5)/side*2 - 1 }
			dir := ahead.Add(right.Mul(0.42 * at(x))).Add(up.Mul(-0.42 * at(y)))
			rays = append(rays, geom.Ray{Origin: eye, Dir: dir.Normalize()})
		}
	}
	return rays
}

// random returns rays between random places on the sphere around the mesh.
func random(m *mesh.Mesh) (rays []geom.Ray) {
	r := rand.New(rand.NewPCG(1, 2))
	b := m.Bounds()
	for range side * side {
		from, to := onSphere(r), onSphere(r)
		radius := b.HalfExtents().Len()
		rays = append(rays, geom.Ray{Origin: b.Center().Add(from.Mul(radius)), Dir: to.Sub(from).Normalize()})
	}
	return rays
}

// occlusion returns short rays from what the primary rays hit, around its normal.
func occlusion(m *mesh.Mesh, from []geom.Ray) (rays []geom.Ray) {
	r := rand.New(rand.NewPCG(3, 4))
	for len(rays) < side*side {
		for _, ray := range from {
			hit, ok := m.CastRay(ray, geom.CullNone)
			if !ok || len(rays) == side*side {
				continue
			}
			t := m.Triangle(int(hit.Triangle))
			n := t.B.Sub(t.A).Cross(t.C.Sub(t.A)).Normalize()
			if n.Dot(ray.Dir) > 0 {
				n = n.Neg()
			}
			rays = append(rays, geom.Ray{
				Origin: ray.At(hit.T).Add(n.Mul(1e-3)), Dir: n.Add(onSphere(r).Mul(0.999)).Normalize(), MaxT: 0.3,
			})
		}
	}
	return rays
}

func onSphere(r *rand.Rand) geom.Vec3 {
	z, a := 2*r.Float64()-1, 2*math.Pi*r.Float64()
	s := math.Sqrt(1 - z*z)
	return geom.V(float32(s*math.Cos(a)), float32(s*math.Sin(a)), float32(z))
}

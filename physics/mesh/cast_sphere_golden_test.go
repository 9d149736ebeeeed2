package mesh_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hitscan-go/hitscan/internal/golden"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// All bits of the casts of spheres are the same on every architecture, as in TestSameBits.
func TestCastsSameBits(t *testing.T) {
	for _, c := range []struct {
		surface
		want uint64
	}{
		{bunny(t), 0xee0ad35ae3b9d903},
		{city(), 0x48abbc81fae6aa42},
		{slivers(), 0x931aaa54d63c4de4},
		{crossing(), 0x91d1c8ecb9a39fc7},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := c.mesh(t)
			half := m.Bounds().HalfExtents()
			reach := max(half.X, half.Y, half.Z)
			n, h := golden.Numbers(3), golden.New()
			var hits []geom.Hit
			for i, r := range goldenRays(m, 1500) {
				x := n.Float(1)
				radius := float32(float32(x*x) * reach / 16)
				h.Hit(m.CastSphere(r, radius, culls[i%3]))
				h.Bool(m.CastSphereAny(r, radius, culls[i%3]))
				if i%20 == 0 {
					hits = m.CastSphereAll(hits[:0], r, radius, culls[i%3])
					for _, hit := range hits {
						h.Hit(hit, true)
					}
				}
			}
			h.Check(t, "casts", c.want)
			assert.Greater(t, h.Found, 1000)
		})
	}
}

// A ball falls until it touches the edge of a step. Its centre is then at the ray's T.
func ExampleMesh_CastSphere() {
	step, err := mesh.New(mesh.Box(geom.V(1, 1, 1)))
	if err != nil {
		fmt.Println(err)
		return
	}
	fall := geom.NewRay(geom.V(1.75, 6, 0.5), geom.V(0, -1, 0))
	if hit, ok := step.CastSphere(fall, 1.25, geom.CullBack); ok {
		fmt.Println("touches", hit.Point, "after", hit.T, "m, pushed towards", hit.Normal)
		fmt.Println("centre at", fall.At(hit.T))
	}
	// Output:
	// touches (1, 1, 0.5) after 4 m, pushed towards (0.6, 0.8, 0)
	// centre at (1.75, 2, 0.5)
}

// Every operation is one cast at the bunny of the assets, of 3,674 triangles and 1 m high. From
// outside, most hit.
func BenchmarkCastSphere(b *testing.B) {
	m := bunny(b).mesh(b)
	n := golden.Numbers(5)
	list := make([]geom.Ray, 1<<12)
	for i := range list {
		from := n.Vec(1).Normalize().Mul(3)
		list[i] = geom.NewRay(from, geom.V(0, 0.5, 0).Add(n.Vec(0.5)).Sub(from).Normalize())
	}
	b.Run("ray", func(b *testing.B) {
		benchRays(b, list, func(r geom.Ray) { m.CastRay(r, geom.CullNone) })
	})
	for _, radius := range []float32{0, 0.001, 0.01, 0.1, 0.5} {
		b.Run(fmt.Sprintf("radius %v", radius), func(b *testing.B) {
			benchRays(b, list, func(r geom.Ray) { m.CastSphere(r, radius, geom.CullNone) })
		})
	}
	b.Run("radius 0.1, any", func(b *testing.B) {
		benchRays(b, list, func(r geom.Ray) { m.CastSphereAny(r, 0.1, geom.CullNone) })
	})
	var buffer []geom.Hit
	b.Run("radius 0.1, all", func(b *testing.B) {
		benchRays(b, list, func(r geom.Ray) { buffer = m.CastSphereAll(buffer[:0], r, 0.1, geom.CullNone) })
	})
	b.Run("radius 0.1, brute force", func(b *testing.B) {
		benchRays(b, list, func(r geom.Ray) {
			k := geom.NewSphereCaster(r, 0.1)
			_, best := r.Range()
			for i := range m.NumTriangles() {
				if h, ok := k.Cast(m.Triangle(i), best, geom.CullNone); ok {
					best = h.T
				}
			}
		})
	})
}

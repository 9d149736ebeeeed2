package mesh_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hitscan-go/hitscan/internal/golden"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// All bits of the casts of convex shapes are the same on every architecture, as in TestSameBits.
func TestConvexSameBits(t *testing.T) {
	for _, c := range []struct {
		surface
		want uint64
	}{
		{bunny(t), 0x83afef17fec4b7a4},
		{city(), 0x9bb4d5ea29dddde7},
		{slivers(), 0xf5694405d92e97d},
		{crossing(), 0xe2bb9e7455f46330},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := c.mesh(t)
			half := m.Bounds().HalfExtents()
			reach := max(half.X, half.Y, half.Z)
			n, h := golden.Numbers(11), golden.New()
			points := make([]geom.Vec3, 10)
			add := func(hit mesh.Impact, ok bool) {
				h.Bool(ok)
				h.Bool(hit.Overlaps)
				h.Uint(uint64(uint32(hit.Triangle)))
				h.Double(hit.T, hit.Depth)
				for _, v := range [3]geom.DVec3{hit.PointA, hit.PointB, hit.Normal} {
					h.Double(v.X, v.Y, v.Z)
				}
			}
			var all []mesh.Impact
			for i, r := range goldenRays(m, 600) {
				x := n.Float(1)
				size := float32(float32(x*x) * reach / 16)
				to := geom.AffineIdentity()
				if i%2 == 0 {
					to = geom.Affine{X: n.Vec(2), Y: n.Vec(2), Z: n.Vec(2), Origin: n.Vec(reach)}
				}
				low, high := r.Range()
				p := mesh.Path{Motion: to.Vector(r.Dir).Wide(), Min: float64(low), Max: math.Min(float64(high), 1e6)}
				at := to.Point(r.Origin)
				var shape mesh.Convex
				switch i % 5 {
				case 0:
					shape = mesh.ConvexSphere(geom.Sphere{Center: at, Radius: size})
				case 1:
					shape = mesh.ConvexCapsule(geom.Capsule{A: at, B: at.Add(n.Vec(size)), Radius: size})
				case 2, 3:
					shape = mesh.ConvexBox(geom.Box{Center: at, HalfExtents: n.Vec(size).Abs(), Rotation: n.Quat()})
				default:
					for j := range points {
						points[j] = n.Vec(size)
					}
					shape = mesh.ConvexHull(points, geom.Affine{X: n.Vec(1), Y: n.Vec(1), Z: n.Vec(1), Origin: at}, 0)
				}
				add(m.CastConvex(&shape, &p, to, culls[i%3]))
				h.Bool(m.CastConvexAny(&shape, &p, to, culls[i%3]))
				if i%20 == 0 {
					all = m.CastConvexAll(all[:0], &shape, &p, to, culls[i%3])
					for _, hit := range all {
						add(hit, true)
					}
				}
			}
			h.Check(t, "casts", c.want)
			assert.Greater(t, h.Found, 200)
		})
	}
}

// A crate slides down a chute onto a step, which is a cube scaled to twice its width.
func ExampleMesh_CastConvex() {
	cube, err := mesh.New(mesh.Box(geom.V(1, 1, 1)))
	if err != nil {
		fmt.Println(err)
		return
	}
	wide := geom.Transform{Scale: geom.V(2, 1, 1)}.Affine()
	crate := mesh.ConvexBox(geom.Box{Center: geom.V(0.5, 5.5, 0), HalfExtents: geom.V(0.5, 0.5, 0.5)})
	path := mesh.Path{Motion: geom.DVec3{X: 1, Y: -8}, Max: 1}
	if hit, ok := cube.CastConvex(&crate, &path, wide, geom.CullNone); ok {
		fmt.Println("lands after", hit.T, "of its way, pushed towards", hit.Normal.Narrow())
	}
	// Output: lands after 0.5 of its way, pushed towards (0, 1, 0)
}

package mesh_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hitscan-go/hitscan/internal/golden"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// neighbours returns rays in groups of one to twenty, coherent or not.
func neighbours(m *mesh.Mesh, count int) []geom.Ray {
	n := golden.Numbers(count)
	half := m.Bounds().HalfExtents()
	reach := max(half.X, half.Y, half.Z)
	var rays []geom.Ray
	for _, r := range goldenRays(m, count) {
		spread := 1 / float32(int(1)<<n.Int(20))
		for range 1 + n.Int(20) {
			one := r
			one.Origin = r.Origin.Add(n.Vec(float32(spread * reach)))
			one.Dir = r.Dir.Add(n.Vec(spread))
			rays = append(rays, one)
		}
	}
	return rays
}

// All bits of the hits of a batch are the same on every machine, whether its rays were cast as
// packets, as a stream or one by one.
func TestBatchSameBits(t *testing.T) {
	sphere := surface{name: "sphere"}
	sphere.add(mesh.Icosphere(2, 3))
	for _, c := range []struct {
		surface
		want uint64
	}{
		{sphere, 0xa52323d992d5bc58},
		{bunny(t), 0xd50604c0f7a9545d},
		{ring(48, 24), 0xd81f69420c85c282},
		{city(), 0xd6eff36237782608},
		{slivers(), 0x334e238397175a63},
		{crossing(), 0x87570b571c9bbeff},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := c.mesh(t)
			rays := neighbours(m, 500)
			hash := golden.New()
			for _, cull := range culls {
				hits := m.CastRays(nil, rays, cull)
				blocked := m.CastRaysAny(nil, rays, cull)
				for i, h := range hits {
					hash.Hit(h, h.Triangle >= 0)
					hash.Bool(blocked[i])
				}
			}
			hash.Check(t, "hits", c.want)
			assert.Greater(t, hash.Found, 3000, "most rays should hit")
		})
	}
}

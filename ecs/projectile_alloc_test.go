//go:build !race

package physecs

import (
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"

	"github.com/hitscan-go/hitscan/physics/geom"
)

func TestProjectileSystemAllocatesNothing(t *testing.T) {
	r := newShootingRange()
	excluded := r.add(geom.At(2, 2, 2), Sphere(1))
	r.add(geom.At(0, -20, 0), Plane(geom.V(0, 1, 0), 0))
	for i := range 200 {
		c := Sphere(1)
		c.Sensor = i%4 == 0
		r.add(geom.At(float32(i%10*3), float32(i/10%5*3), float32(i/50*3)), c)
	}
	r.system.Filter = Filter{Sensors: true, Exclude: []ecs.Entity{excluded}}
	r.volley(500, geom.AABB{Max: geom.V(30, 15, 12)})
	most := 0
	for range 200 { // until the buffers have the size for all hits
		most = max(most, len(r.tick()))
	}
	assert.Positive(t, most)
	assertNoAllocs(t, func() { r.tick() })
}

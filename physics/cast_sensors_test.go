package physics

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// The sensors on a path are the first hits of all, collider by collider.
func TestCastShapeSensorsIsAllThatAreSensors(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	near := func(size float32) geom.Vec3 {
		return geom.V(rng.Float32()-0.5, rng.Float32()-0.5, rng.Float32()-0.5).Mul(2 * size)
	}
	shapes := []Shape{unitSphere, unitBox, unitAABB, testMeshes[0], testHulls[0], NewCompound(Child{Shape: unitSphere}, Child{unitBox, geom.At(1, 0, 0)})}
	found, overlaps := 0, 0
	for range 300 {
		s := NewSpace()
		for i := range 12 {
			s.Add(Collider{Shape: shapes[i%len(shapes)], Transform: geom.Transform{Position: near(6), Rotation: geom.QuatEuler(rng.Float64(), 1, 2)}, Sensor: i%3 > 0})
		}
		c := ShapeCast{Shape: unitSphere, Transform: geom.Transform{Position: near(6)}, Motion: near(9), MaxT: 1}
		f := Filter{Exclude: []ColliderID{2}}
		var want []ShapeHit
		all := f
		all.Sensors = true
		for _, h := range s.CastShapeAll(nil, c, all) {
			collider, _ := s.Collider(h.Collider)
			if collider.Sensor && !slices.ContainsFunc(want, func(w ShapeHit) bool { return w.Collider == h.Collider }) {
				want = append(want, h)
			}
		}
		got := s.CastShapeSensors(nil, c, f)
		require.Equal(t, want, got)
		found += len(got)
		if len(got) > 0 && got[0].Overlaps {
			overlaps++
		}
	}
	testenv.Drawn(t, found, 100)
	testenv.Drawn(t, overlaps, 30)
}

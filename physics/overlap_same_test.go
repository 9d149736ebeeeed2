package physics

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// requireSameOverlaps asserts that a query with a volume finds the same colliders as one with the
// same shape, and returns their number.
func requireSameOverlaps(t *testing.T, s *Space, at geom.Vec3, half geom.Vec3, turn geom.Quat) int {
	t.Helper()
	there := geom.Transform{Position: at}
	ball := geom.Sphere{Center: at, Radius: half.X}
	inBall := s.OverlapSphere(nil, ball, Filter{})
	require.Equal(t, s.OverlapShape(nil, Placed{geom.Sphere{Radius: half.X}, there}, Filter{}), inBall, "%v", ball)
	crate := geom.AABBAround(at, half)
	inCrate := s.OverlapAABB(nil, crate, Filter{})
	require.Equal(t, s.OverlapShape(nil, Placed{Shape: crate}, Filter{}), inCrate, "%v", crate)
	box := geom.Box{Center: at, HalfExtents: half, Rotation: turn}
	inBox := s.OverlapBox(nil, box, Filter{})
	there.Rotation = turn
	require.Equal(t, s.OverlapShape(nil, Placed{geom.Box{HalfExtents: half}, there}, Filter{}), inBox, "%v", box)
	require.Equal(t, s.OverlapShape(nil, Placed{geom.Sphere{}, geom.Transform{Position: at}}, Filter{}), s.OverlapPoint(nil, at, Filter{}), "%v", at)
	return len(inBall) + len(inCrate) + len(inBox)
}

// A volume and a shape of the same form touch the same colliders.
func TestOverlapsOfVolumesAndShapesAreTheSame(t *testing.T) {
	testenv.NoRace(t)
	for _, far := range []float32{0, 1000} {
		for _, unit := range []float32{0.01, 1, 100} {
			t.Run(fmt.Sprintf("%g at %g", unit, far), func(t *testing.T) {
				s := newScene(300, geom.V(far, -far, far/2), unit)
				s.space.Add(Collider{Shape: geom.Plane{Normal: geom.V(1, 2, 3), D: 1}})
				for i := range 60 {
					c := s.collider()
					c.Shape = testHulls[i%len(testHulls)]
					s.add(c)
				}
				kinds := map[placed.Kind]int{}
				for i := range s.space.records {
					for _, p := range s.space.records[i].subshapes() {
						kinds[p.Kind]++
					}
				}
				found := 0
				for range 150 {
					at := s.center.Add(s.vec(6))
					found += requireSameOverlaps(t, s.space, at, s.vec(1).Abs(), s.transform(0).Rotation)
				}
				assert.Greater(t, found, 150)
				for k := placed.KindAABB; k < placed.KindCompound; k++ {
					if k != placed.KindSegment { // of planar spaces alone
						assert.Positive(t, kinds[k], "kind %d", k)
					}
				}
			})
		}
	}
}

// The same holds where they only just touch.
func TestTouchesOfVolumesAndShapesAreTheSame(t *testing.T) {
	testenv.NoRace(t)
	turns := []geom.Quat{{}, {X: 1, W: 1}, {Y: 1, W: -1}, {X: 1, Y: 1}, {X: 1, Y: 1, Z: 1, W: 1}}
	for name, shape := range map[string]Shape{
		"AABB": unitAABB, "box": unitBox, "turned box": geom.Box{HalfExtents: geom.V(1, 0.5, 1), Rotation: turns[4]}, "sphere": unitSphere,
		"capsule": geom.Capsule{A: geom.V(0, -1, 0), B: geom.V(0, 1, 0), Radius: 1}, "hull": testHulls[0], "crate": boxHull, "mesh": testMeshes[0],
		"plane": ground,
	} {
		t.Run(name, func(t *testing.T) {
			for _, turn := range turns {
				for _, scale := range []geom.Vec3{{X: 1, Y: 1, Z: 1}, {X: -1, Y: 1, Z: 1}, {X: 1, Y: 2, Z: 1}, {X: 0.5, Y: 2, Z: 1}} {
					s := NewSpace()
					s.Add(Collider{Shape: shape, Transform: geom.Transform{Rotation: turn, Scale: scale}})
					for i := range 17 * 9 {
						at := geom.V(float32(i%17-8)/2, float32(i/17-4)/2, float32(i%5-2)/2)
						requireSameOverlaps(t, s, at, geom.V(1, 0.5, 1), turns[i%len(turns)])
					}
				}
			}
		})
	}
}

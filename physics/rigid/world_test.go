package rigid_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/golden"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// A pyramid whose world has its origin 100 km from home has the same bits.
func TestSameBitsFarFromHome(t *testing.T) {
	hash := func(origin geom.DVec3) uint64 {
		s := newScene(t)
		s.Space().Rebase(origin)
		require.True(t, s.Space().SetTransform(s.ground, geom.At(0, -1, 0)))
		for i := range 8 {
			for k := range 8 - i {
				s.add(rigid.Body{}, box(0.5), geom.At(float32(k)+0.5*float32(i), 0.5+float32(i), 0))
			}
		}
		h := golden.New()
		for range 240 {
			s.Step()
			addState(h, s.Dynamics)
		}
		return h.Sum()
	}
	require.Equal(t, hash(geom.DVec3{}), hash(geom.DVec3{X: 1e5, Y: 300, Z: -7e4}))
}

// Steps, Save and Restore of a pile that moves, rests and sleeps allocate nothing once the memory
// has grown.
func TestStepAllocatesNothing(t *testing.T) {
	s := newScene(t)
	n := golden.Numbers(6)
	for range 60 {
		s.add(rigid.Body{}, box(0.25), geom.Transform{Position: n.Vec(1).Add(geom.V(0, 3, 0)), Rotation: n.Quat()})
	}
	var start, state rigid.State
	life := func() {
		for k := range 300 {
			s.Step()
			if k%10 == 0 {
				s.Save(&state)
			}
			if k%50 == 0 {
				s.Restore(&state)
			}
		}
	}
	s.Save(&start)
	life()
	require.Zero(t, s.Awake())
	testenv.AllocatesNothing(t, 3, func() {
		s.Restore(&start)
		life()
	})
}

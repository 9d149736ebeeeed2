package rigid

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// The list of the frames of what is awake has those of the bodies, whatever moved, slept, woke,
// came or went since it was made, and none of what sleeps or is static.
func TestFramesOfWhatIsAwake(t *testing.T) {
	s := physics.NewSpace()
	ground := s.Add(physics.Collider{Shape: geom.Plane{Normal: geom.V(0, 1, 0)}, Static: true})
	d := New(s)
	var ids []BodyID
	add := func(b Body, y float32) {
		c := s.Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(0.5, 0.5, 0.5)}, Transform: geom.At(float32(2*len(ids)), y, 0)})
		id, err := d.Add(b, c)
		require.NoError(t, err)
		ids = append(ids, id)
	}
	for i := range 12 {
		add(Body{Kind: Kind(i % 2), NoSleep: i%3 == 0, AngularVelocity: geom.V(0, float32(i), 0)}, float32(i%4))
	}
	listed, left := 0, 0
	for step := range 240 {
		switch step {
		case 100:
			add(Body{}, 9)
		case 150:
			require.True(t, d.Remove(ids[3]))
		case 200:
			require.True(t, d.Wake(ids[4]))
		}
		d.Step()
		d.listAwake()
		d.drives = make([]drives, len(d.awake)/lanes+1)
		d.begin(0, 0, len(d.awake))
		for i := range d.bodies {
			if i == 0 || !d.bodies[i].awake {
				require.Zero(t, d.frames[i])
				left++
				continue
			}
			require.Equal(t, d.frame(int32(i), ground), d.frameOf(int32(i), ground))
			require.Equal(t, d.bodies[i].center, d.frames[i].at)
			listed++
		}
	}
	require.Greater(t, listed, 1000)
	require.Greater(t, left, 300)
}

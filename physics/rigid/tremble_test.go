package rigid

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hitscan-go/hitscan/internal/golden"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// A body trembles if it is at most eight times as fast as sleep allows and no further from where it
// last moved than at half the speed of sleep in the time of rest, at any of its points. One that
// took two times of rest to get further drifts.
func TestTrembling(t *testing.T) {
	space := physics.NewSpace()
	d := New(space)
	id, err := d.Add(Body{}, space.Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(1, 1, 1)}}))
	assert.NoError(t, err)
	i := d.find(id)
	b, m := &d.bodies[i], &d.motions[i]
	speed := d.Settings.SleepSpeed
	far := float32(speed * d.Settings.SleepTime / 2)
	turn := far / b.reach      // by which the farthest point moves as far
	spin := speed / math.Sqrt2 // with which the edges move as fast
	for _, c := range []struct {
		name string
		v, w geom.Vec3
		at   geom.Vec3
		by   float32 // angle turned, in radians
		want bool
	}{
		{"at rest", geom.Vec3{}, geom.Vec3{}, geom.Vec3{}, 0, true},
		{"as fast as it may", geom.V(7.99*speed, 0, 0), geom.Vec3{}, geom.Vec3{}, 0, true},
		{"too fast", geom.V(8.01*speed, 0, 0), geom.Vec3{}, geom.Vec3{}, 0, false},
		{"spins as fast as it may", geom.Vec3{}, geom.V(0, 7.99*spin, 0), geom.Vec3{}, 0, true},
		{"spins too fast", geom.Vec3{}, geom.V(0, 8.01*spin, 0), geom.Vec3{}, 0, false},
		{"as far as it may", geom.Vec3{}, geom.Vec3{}, geom.V(0, 0, 0.99*far), 0, true},
		{"too far", geom.Vec3{}, geom.Vec3{}, geom.V(0, 0, 1.01*far), 0, false},
		{"turned as far as it may", geom.Vec3{}, geom.Vec3{}, geom.Vec3{}, 0.99 * turn, true},
		{"turned too far", geom.Vec3{}, geom.Vec3{}, geom.Vec3{}, 1.01 * turn, false},
	} {
		b.restAt, b.restQ = geom.Vec3{}, geom.QuatIdentity()
		m.v, m.w, b.center, m.q = c.v, c.w, c.at, geom.QuatAxisAngle(geom.V(0, 1, 0), float64(c.by))
		assert.Equal(t, c.want, d.trembles(b, m), c.name)
	}
	for _, c := range []struct {
		name  string
		still float32 // in times of rest
		speed float32 // in speeds of sleep
		want  bool
	}{
		{"long enough in its place", 2.01, 7.99, true},
		{"not long enough", 1.99, 7.99, false},
		{"pushed away", 2.01, 8.01, false},
	} {
		b.still, m.v = c.still*d.Settings.SleepTime, geom.V(c.speed*speed, 0, 0)
		b.restAt, b.center = geom.Vec3{}, geom.V(1.01*far, 0, 0)
		d.awake = append(d.awake[:0], i)
		d.rest()
		want := float32(0)
		if c.want {
			want = d.Settings.SleepTime + d.Settings.Step
		}
		assert.Equal(t, want, b.still, c.name)
		assert.Equal(t, b.center, b.restAt, c.name)
		assert.Equal(t, !c.want, b.awake, c.name)
		d.wake(i)
	}
	b.moves = false
	assert.False(t, d.trembles(b, m), "a kinematic body")
}

// A log that rolls is as fast as its bark, and one that swings as its ends; whichever way it lies,
// no corner is faster than that.
func TestSpeedOfALog(t *testing.T) {
	space := physics.NewSpace()
	d := New(space)
	half := geom.V(20, 0.5, 0.25)
	id, err := d.Add(Body{}, space.Add(physics.Collider{Shape: geom.Box{HalfExtents: half}}))
	assert.NoError(t, err)
	i := d.find(id)
	b, m := &d.bodies[i], &d.motions[i]
	speed := d.Settings.SleepSpeed
	n := golden.Numbers(5)
	for range 1000 {
		m.q = n.Quat()
		rolls := speed / geom.V(0, 0.5, 0.25).Len()
		m.w = m.q.Rotate(geom.V(0.99*rolls, 0, 0))
		assert.True(t, d.isSlow(b, m))
		m.w = m.q.Rotate(geom.V(1.01*rolls, 0, 0))
		assert.False(t, d.isSlow(b, m))
		m.w = m.q.Rotate(geom.V(0, 1.01*speed/half.Len(), 0))
		assert.Equal(t, 1.01*geom.V(20, 0, 0.25).Len() <= half.Len(), d.isSlow(b, m))
		m.w = n.Vec(rolls)
		fastest := float32(0)
		for k := range 8 {
			sign := func(axis int) float32 { return float32(k>>axis&1)*2 - 1 }
			corner := m.q.Rotate(geom.V(sign(0)*half.X, sign(1)*half.Y, sign(2)*half.Z))
			fastest = max(fastest, m.w.Cross(corner).Len())
		}
		if d.isSlow(b, m) {
			assert.LessOrEqual(t, fastest, speed*1.0001)
		}
	}
}

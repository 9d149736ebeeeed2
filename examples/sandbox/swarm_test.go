package main

import (
	"math"
	"testing"
	"time"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

// flying returns an app with the swarm and without a window.
func flying(t *testing.T) *app {
	a := &app{world: ecs.NewWorld(), config: config{steady: true}}
	require.NoError(t, a.fill(swarmScene))
	size := picking.Size{Width: 1280, Height: 800}
	*a.view() = physecs.View{Camera: a.scene.home.Camera(), Viewport: picking.FullViewport(size, size)}
	return a
}

func TestSwarm(t *testing.T) {
	a := flying(t)
	s := a.scene.swarm
	a.tick(steadyTick)
	space := physecs.Sync(&a.world)
	assert.Zero(t, space.Stats().Nowhere)
	assert.Equal(t, swarmSize+1, space.Len(), "and the ground")
	require.Len(t, a.scene.all, swarmSize)
	kinds, names := map[physecs.Kind]int{}, map[string]bool{}
	for _, e := range a.scene.all {
		kinds[a.scene.collider(e).Kind]++
		names[a.scene.names[e]] = true
	}
	assert.Len(t, names, swarmSize, "each has a name of its own")
	for _, k := range []physecs.Kind{physecs.KindBox, physecs.KindSphere, physecs.KindCapsule, physecs.KindMesh} {
		assert.Greater(t, kinds[k], 1000, "%v", k)
	}

	// For any length of a tick, nothing leaves the volume, and everything keeps moving.
	bounced := 0
	for i, dt := range []float64{steadyTick, steadyTick, longestTick, longestTick, 0.001, longestTick, steadyTick} {
		before := map[ecs.Entity]geom.Vec3{}
		for _, e := range a.scene.all {
			before[e] = s.places.Get(e).Position
		}
		for range 4 {
			a.tick(dt)
		}
		for _, e := range a.scene.all {
			at, f := s.places.Get(e).Position, s.flight.Get(e)
			require.True(t, swarmVolume.Grow(1e-4-f.reach).Contains(at), "%s at %v in step %d", a.scene.names[e], at, i)
			require.NotEqual(t, before[e], at)
			require.Less(t, f.velocity.Len(), float32(40))
			if !swarmVolume.Grow(-0.01 - f.reach).Contains(at) {
				bounced++
			}
		}
		assert.Equal(t, swarmSize, physecs.Sync(&a.world).Stats().Colliders-1)
	}
	assert.Positive(t, bounced, "some are at a wall")
}

func TestBounce(t *testing.T) {
	lo, hi := swarmVolume.Min, swarmVolume.Max
	f := flight{velocity: geom.V(-3, 2, 1), reach: 0.5}
	p := geom.V(lo.X, hi.Y, 0)
	f.bounce(&p)
	assert.Equal(t, geom.V(lo.X+0.5, hi.Y-0.5, 0), p)
	assert.Equal(t, geom.V(3, -2, 1), f.velocity)
	f.bounce(&p)
	assert.Equal(t, geom.V(3, -2, 1), f.velocity, "on its way back it is left alone")
}

// Overlaps are counted from the pairs that begin and end; the reference tests all bounds against
// each other.
func TestTouches(t *testing.T) {
	a := flying(t)
	s := a.scene.swarm
	for range 12 {
		a.tick(steadyTick)
	}
	space := physecs.Sync(&a.world)
	rng := testenv.Rand(1, 1)
	touching := 0
	for range 150 {
		e := a.scene.all[rng.IntN(swarmSize)]
		bounds, ok := space.Bounds(e)
		require.True(t, ok)
		want := int32(0)
		for _, o := range a.scene.all {
			if b, _ := space.Bounds(o); o != e && b.OverlapsAABB(bounds) {
				want++
			}
		}
		f := s.flight.Get(e)
		require.Equal(t, want, f.touches, a.scene.names[e])
		if want > 0 {
			touching++
		}
	}
	testenv.Drawn(t, touching, 10)
	assert.Less(t, touching, 120)
	assert.NotEmpty(t, s.pairs.Began)
	assert.NotEmpty(t, s.pairs.Ended)

	var f flight
	f.glow = 1
	assert.Equal(t, touchColor, f.color(), "a thing that touches has the colour that says so")
	f.glow = 0
	assert.Equal(t, schools[0].colors[0], f.color())
}

func TestStill(t *testing.T) {
	a := flying(t)
	a.tick(steadyTick)
	e := a.scene.all[17]
	before := *a.scene.swarm.places.Get(e)
	a.still = true
	a.tick(steadyTick)
	assert.Equal(t, before, *a.scene.swarm.places.Get(e))
	assert.Empty(t, a.scene.swarm.pairs.Began)
	a.still = false
	a.tick(steadyTick)
	assert.NotEqual(t, before, *a.scene.swarm.places.Get(e))
}

// The trail of a selected entity ends at its position, and disappears with the selection.
func TestTrails(t *testing.T) {
	a := flying(t)
	s := a.scene.swarm
	e := a.scene.all[1]
	selection := ecs.GetResource[physecs.Selection](&a.world)
	selection.Set(e, a.scene.ground)
	a.tick(steadyTick)
	require.Len(t, s.trails[e], 1, "a tick does it")
	for range trailLength + 10 {
		s.fly(steadyTick)
		s.follow(selection)
	}
	require.Len(t, s.trails, 1, "the ground has none")
	trail := s.trails[e]
	require.Len(t, trail, trailLength)
	assert.Equal(t, s.places.Get(e).Position, trail[trailLength-1])
	for i := 1; i < trailLength; i++ {
		step := trail[i].Distance(trail[i-1])
		assert.True(t, step > 0 && step < 0.5, "step %d: %v", i, step)
	}
	selection.Clear()
	a.tick(steadyTick)
	assert.Empty(t, s.trails)
}

func TestSpread(t *testing.T) {
	type place struct{ x, y float64 }
	var last []place
	for i := range 500 {
		x, y := spread(i)
		require.True(t, x >= 0 && x < 1 && y >= 0 && y < 1)
		for _, p := range last {
			dx, dy := math.Remainder(p.x-x, 1), math.Remainder(p.y-y, 1)
			require.Greater(t, math.Hypot(dx, dy), 0.5/math.Sqrt(20), "%d", i)
		}
		if last = append(last, place{x, y}); len(last) > 20 {
			last = last[1:]
		}
	}
}

func TestCosts(t *testing.T) {
	c := costs{touching: 1234, began: 5, ended: 60}
	c.sync.shown, c.pick.shown = 1500*time.Microsecond, 12345*time.Nanosecond
	title, lines := c.lines(10_000)
	assert.Equal(t, "10,000 colliders", title)
	text := ""
	for _, l := range lines {
		text += l.key + ":" + l.text
		for _, n := range l.numbers {
			text += n
		}
		text += l.unit + " "
	}
	assert.Equal(t, "move:– sync:1.50ms pick:12.35µs pairs:– tick:– frame:– touching:1,234 began:5 ended:60 ", text)
}

// BenchmarkTick is a tick of the swarm: the motion of ten thousand things, the sync, a pick and all
// pairs.
func BenchmarkTick(b *testing.B) {
	a := &app{world: ecs.NewWorld(), config: config{steady: true}}
	if err := a.fill(swarmScene); err != nil {
		b.Fatal(err)
	}
	size := picking.Size{Width: 1280, Height: 800}
	*a.view() = physecs.View{Camera: a.scene.home.Camera(), Viewport: picking.FullViewport(size, size)}
	pointer := ecs.GetResource[physecs.Pointer](&a.world)
	pointer.Input = picking.Input{X: 640, Y: 420, Inside: true}
	var sync, pairs, pick time.Duration
	for b.Loop() {
		a.tick(steadyTick)
		c := &a.costs
		last := func(m *meter) time.Duration { return m.last[(m.count-1)%len(m.last)] }
		sync, pairs, pick = sync+last(&c.sync), pairs+last(&c.pairs), pick+last(&c.pick)
	}
	per := func(d time.Duration, unit time.Duration) float64 { return float64(d) / float64(unit) / float64(b.N) }
	b.ReportMetric(per(sync, time.Millisecond), "sync-ms")
	b.ReportMetric(per(pairs, time.Millisecond), "pairs-ms")
	b.ReportMetric(per(pick, time.Microsecond), "pick-µs")
}

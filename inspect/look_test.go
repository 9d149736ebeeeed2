package inspect

import (
	"math"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/lines"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// look returns the answer to "/frame" of what more adds to a look at a space.
func look(t *testing.T, s *physics.Space, more func(l *Look)) *frame {
	var f *frame
	i := &Inspector{More: more}
	ready := make(chan struct{})
	go func() {
		defer close(ready)
		assert.NoError(t, i.at(t.Context(), 0, func(l *Look) { f = frameOf(l) }))
	}()
	for {
		i.Frame(s)
		select {
		case <-ready:
			return f
		default:
		}
	}
}

// A ball falls beside a box that has come to rest: the box is asleep, with the contact points of a
// box on a plane, which are its lower corners.
func TestLookAtBodies(t *testing.T) {
	s := physics.NewSpace()
	d := rigid.New(s)
	s.Add(physics.Collider{Shape: geom.YPlane(0), Static: true})
	add := func(shape physics.Shape, at geom.Transform) physics.ColliderID {
		id := s.Add(physics.Collider{Shape: shape, Transform: at})
		_, err := d.Add(rigid.Body{}, id)
		require.NoError(t, err)
		return id
	}
	crate := add(geom.Box{HalfExtents: geom.V(1, 0.5, 2)}, geom.At(3, 0.5, 0))
	for n := 0; d.Awake() > 0; n++ {
		require.Less(t, n, 300)
		d.Step()
	}
	ball := add(geom.Sphere{Radius: 1}, geom.At(-5, 50, 0))
	d.Step()
	f := look(t, s, func(l *Look) { l.Dynamics(d) })
	assert.Equal(t, 2, f.Bodies)
	assert.Equal(t, 1, f.Asleep)
	is := map[string]string{}
	for _, b := range f.Boxes {
		is[b.ID] = b.Is
	}
	assert.Equal(t, map[string]string{nameOf(crate): "asleep", nameOf(ball): ""}, is)
	require.Len(t, f.Contacts, 4)
	corners := map[[2]float64]bool{}
	for _, c := range f.Contacts {
		assert.InDelta(t, 0, c.At[1], 0.02)
		assert.InDelta(t, 1, math.Abs(float64(c.Normal[1])), 1e-5)
		assert.InDelta(t, 0, c.Depth, 0.02)
		corners[[2]float64{math.Round(float64(c.At[0])), math.Round(float64(c.At[2]))}] = true
	}
	assert.Equal(t, map[[2]float64]bool{{2, -2}: true, {2, 2}: true, {4, -2}: true, {4, 2}: true}, corners)

	other := rigid.New(physics.NewSpace())
	f = look(t, s, func(l *Look) { l.Dynamics(other) })
	assert.Zero(t, f.Asleep, "of the bodies of another space nothing is known")
}

func TestLookAtRaysAndTimes(t *testing.T) {
	inf := float32(math.Inf(1))
	s := newSpace()
	f := look(t, s, func(l *Look) {
		ray := geom.NewRay(geom.V(-2, 0, 0), geom.V(2, 0, 0))
		hit, ok := s.CastRay(ray, physics.Filter{})
		l.Ray(ray, hit.T, ok)
		l.Ray(geom.Segment(geom.V(1, 2, 3), geom.V(4, 5, 6)), 0, false)
		l.Ray(geom.NewRay(geom.V(0, 1, 0), geom.V(0, 4, 0)), 0, false)
		l.Ray(geom.NewRay(geom.V(0, 1, 0), geom.V(0, 0, 0)), 0, false)
		l.Ray(geom.NewRay(geom.V(0, 1, 0), geom.V(1, 0, 0)), inf, true)
		l.Contact([]physics.Manifold{{Normal: geom.V(inf, 0, 0), N: 1}})
		l.Time("think", 1500*time.Nanosecond)
		l.Times(func(yield func(string, time.Duration) bool) { _ = yield("Mover", time.Millisecond) && yield("Sync", 0) })
	})
	assert.Equal(t, []castRay{
		{[3]float32{-2, 0, 0}, [3]float32{-1, 0, 0}, true},
		{[3]float32{1, 2, 3}, [3]float32{4, 5, 6}, false},
		{[3]float32{0, 1, 0}, [3]float32{0, 1001, 0}, false},
	}, f.Rays, "without what is zero or ends nowhere")
	assert.Empty(t, f.Contacts)
	assert.Equal(t, []systemTime{{"think", 1.5}, {"Mover", 1000}, {"Sync", 0}}, f.Times)
}

// A look is bounded whatever the game adds to it, and its memory serves the next one.
func TestLookIsBounded(t *testing.T) {
	s := newSpace()
	f := look(t, s, func(l *Look) {
		for range maxMarks + 7 {
			l.Ray(geom.Segment(geom.V(1, 2, 3), geom.V(4, 5, 6)), 0, false)
		}
		l.Contact(make([]physics.Manifold, 3)) // without points
	})
	assert.Len(t, f.Rays, maxMarks)
	assert.Equal(t, 7, f.Left)
	assert.Empty(t, f.Contacts)

	ray := geom.NewRay(geom.V(1, 2, 3), geom.V(1, 0, 0))
	l := &Look{live: s}
	add := func() {
		for range 100 {
			l.Ray(ray, 2, true)
		}
		l.reset()
	}
	add()
	testenv.AllocatesNothing(t, 10, add)
}

// However many requests wait, the game makes one look for all of them.
func TestOneLookForAll(t *testing.T) {
	looks := 0
	i, s := &Inspector{Wait: time.Minute, More: func(*Look) { looks++ }}, newSpace()
	const n = 20
	seen := make(chan *physics.Space, n)
	for range n {
		go func() { assert.NoError(t, i.at(t.Context(), 0, func(l *Look) { seen <- l.space })) }()
	}
	waiting := func() bool {
		i.mutex.Lock()
		defer i.mutex.Unlock()
		return i.next != nil && i.next.readers == n
	}
	for !waiting() {
		runtime.Gosched()
	}
	i.Frame(s)
	first := <-seen
	for range n - 1 {
		assert.Same(t, first, <-seen)
	}
	i.Frame(s)
	assert.Equal(t, 1, looks)
}

// A panic of the game's own function goes through Frame, and leaves no request waiting.
func TestPanicOfMore(t *testing.T) {
	i, s := &Inspector{Wait: time.Minute}, newSpace()
	i.More = func(*Look) { panic("oops") }
	failed := make(chan error)
	go func() { failed <- i.at(t.Context(), 0, func(*Look) {}) }()
	for !i.wanted.Load() {
		runtime.Gosched()
	}
	assert.PanicsWithValue(t, "oops", func() { i.Frame(s) })
	assert.ErrorIs(t, <-failed, errNoTick)
	i.More = nil
	assert.Len(t, look(t, s, nil).Boxes, 4)
}

// Each shape is listed once, and the lines of a collider are where package lines draws them. What
// does not turn as a whole has its box, and so has what exceeds the lines of an answer.
func TestShapes(t *testing.T) {
	solid := geom.Capsule{A: geom.V(-1, 0, 0), B: geom.V(1, 0, 0), Radius: 0.5}
	upright := geom.AABBAround(geom.Vec3{}, geom.V(1, 2, 3))
	turned := geom.Transform{Position: geom.V(3, 2, 1), Rotation: geom.QuatEuler(0.5, 0.4, 0.3), Scale: geom.V(1, 2, 1)}
	for _, s := range []*physics.Space{physics.NewSpace(), physics.NewPlanarSpace()} {
		if s.IsPlanar() {
			turned = geom.At2D(3, 2, 0.5)
		}
		for _, shape := range []physics.Shape{solid, solid, upright, physics.NewCompound(physics.Child{Shape: upright})} {
			s.Add(physics.Collider{Shape: shape, Transform: turned})
		}
		f := frameOf(&Look{space: s.Snapshot()})
		require.Len(t, f.Shapes, 1)
		require.Len(t, f.Boxes, 4)
		for i, want := range []int{1, 1, 0, 0} {
			assert.Equal(t, want, f.Boxes[i].Shape, "%d", i)
		}
		var want lines.List
		draw := want.Shape
		if s.IsPlanar() {
			draw = want.Outline
		}
		draw(solid, turned, lines.RGB(0))
		require.Len(t, f.Shapes[0], 6*want.Len())
		at := f.Boxes[0].At
		for i, l := range want.Segments() {
			from := f.Shapes[0][6*i:]
			for k, axis := range l.A.Array() {
				got := at[k]*from[0] + at[k+3]*from[1] + at[k+6]*from[2] + at[k+9]
				require.InDelta(t, axis, got, 1e-5)
			}
		}
	}

	many := physics.NewSpace()
	for i := range maxLines {
		many.Add(physics.Collider{Shape: geom.Sphere{Radius: 1 + float32(i)/maxLines}})
	}
	f := frameOf(&Look{space: many.Snapshot()})
	sum := 0
	for _, s := range f.Shapes {
		sum += len(s) / 6
	}
	assert.InDelta(t, maxLines, sum, maxLines/100)
	assert.Zero(t, f.Boxes[maxLines-1].Shape)
	assert.Len(t, f.Boxes, maxLines)
}

package lines

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hitscan-go/hitscan/physics/geom"
)

func TestLinesCount(t *testing.T) {
	c := RGB(0xffffff)
	for name, k := range map[string]struct {
		draw func(l *List)
		want int
	}{
		"segment":      {func(l *List) { l.Segment(geom.Vec3{}, geom.V(1, 0, 0), c) }, 1},
		"point":        {func(l *List) { l.Point(geom.Vec3{}, 3, c) }, 1},
		"cross":        {func(l *List) { l.Cross(geom.Vec3{}, 1, c) }, 3},
		"arrow":        {func(l *List) { l.Arrow(geom.Vec3{}, geom.V(0, 2, 0), c) }, 5},
		"no arrow":     {func(l *List) { l.Arrow(geom.Vec3{}, geom.Vec3{}, c) }, 1},
		"box":          {func(l *List) { l.AABB(geom.AABBAround(geom.Vec3{}, geom.V(1, 2, 3)), c) }, 12},
		"empty box":    {func(l *List) { l.AABB(geom.EmptyAABB(), c) }, 0},
		"endless box":  {func(l *List) { l.AABB(geom.Plane{Normal: geom.V(0, 1, 0)}.Bounds(), c) }, 0},
		"ray":          {func(l *List) { l.Ray(geom.NewRay(geom.Vec3{}, geom.V(0, 0, 1)), 5, c) }, 6},
		"no ray":       {func(l *List) { l.Ray(geom.Ray{}, 5, c) }, 0},
		"NaN":          {func(l *List) { l.Segment(geom.Vec3{X: float32(math.NaN())}, geom.Vec3{}, c) }, 0},
		"infinite":     {func(l *List) { l.Segment(geom.Vec3{}, geom.Vec3{X: float32(math.Inf(1))}, c) }, 0},
		"triangle":     {func(l *List) { l.Triangle(geom.Triangle{B: geom.V(1, 0, 0), C: geom.V(0, 1, 0)}, c) }, 3},
		"sphere":       {func(l *List) { l.Sphere(geom.Sphere{Radius: 1}, c) }, 144},
		"axes":         {func(l *List) { l.Axes(geom.Transform{}, 1) }, 15},
		"hit":          {func(l *List) { l.Hit(geom.Hit{Normal: geom.V(0, 1, 0)}, 1, c, c) }, 6},
		"levels to 1":  {func(l *List) { l.Levels(someLevels, geom.AffineIdentity(), 1) }, 24},
		"levels to 99": {func(l *List) { l.Levels(someLevels, geom.AffineIdentity(), 99) }, 36},
	} {
		var l List
		k.draw(&l)
		assert.Equal(t, k.want, l.Len(), name)
		assert.Zero(t, l.Width, name)
		l.Clear()
		assert.Zero(t, l.Len())
	}
}

func someLevels(yield func(Level) bool) {
	for i := range 3 {
		if !yield(Level{geom.AABBAround(geom.V(float32(i), 0, 0), geom.V(1, 1, 1)), i}) {
			return
		}
	}
}

func TestLinesRayEnds(t *testing.T) {
	end := func(r geom.Ray, length float32) geom.Vec3 {
		var l List
		l.Ray(r, length, RGB(0))
		return l.list[1].B
	}
	x := geom.V(2, 0, 0) // not unit
	assert.Equal(t, geom.V(5, 0, 0), end(geom.Ray{Dir: x}, 5), "no limit: metres, not multiples of Dir")
	assert.Equal(t, geom.V(3, 0, 0), end(geom.Ray{Dir: x, MaxT: 1.5}, 5), "its own limit")
	assert.Equal(t, geom.V(7, 0, 0), end(geom.Ray{Dir: x, MinT: 1}, 5), "from the start of the range")
	assert.Equal(t, geom.V(5, 0, 0), end(geom.Ray{Dir: x, MaxT: float32(math.Inf(1))}, 5))
}

func TestLinesEdgesOfBox(t *testing.T) {
	var l List
	h := geom.V(1, 2, 3)
	turn := geom.QuatEuler(0.4, 0.2, 0.1)
	l.Box(geom.Box{Center: geom.V(5, 0, 0), HalfExtents: h, Rotation: turn}, RGB(0))
	lengths := map[float32]int{}
	for _, s := range l.list {
		lengths[float32(math.Round(float64(s.A.Distance(s.B))))]++
		back := turn.Inverse().Rotate(s.A.Sub(geom.V(5, 0, 0))).Abs()
		assert.InDelta(t, 0, float64(back.Distance(h)), 1e-5)
	}
	assert.Equal(t, map[float32]int{2: 4, 4: 4, 6: 4}, lengths)
}

func TestColors(t *testing.T) {
	assert.Equal(t, RGB(0x4C8DFF), ramp(0))
	assert.Equal(t, RGB(0xE8507A), ramp(1))
	assert.Equal(t, ramp(1), ramp(7))
	assert.Equal(t, ramp(0), ramp(-7))
	assert.Equal(t, uint8(128), WithAlpha(RGB(0), 0.5).A)
	assert.Greater(t, levelColor(0, 5).A, levelColor(5, 5).A)
	assert.Equal(t, levelColor(3, 0), levelColor(0, 0), "one level only")
}

func TestLinesOnTop(t *testing.T) {
	var l List
	l.Segment(geom.Vec3{}, geom.V(1, 0, 0), RGB(0))
	l.OnTop = true
	l.Cross(geom.Vec3{}, 1, RGB(0))
	l.OnTop = false
	l.Point(geom.Vec3{}, 3, RGB(0))
	var dimmed []float32
	for _, line := range l.list {
		dimmed = append(dimmed, line.Hidden)
	}
	assert.Equal(t, []float32{hidden, 1, 1, 1, hidden}, dimmed)
}

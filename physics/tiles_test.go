package physics

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// drawn returns the tiles that are # in a picture, whose last line is the lowest row.
func drawn(size float32, picture ...string) *Compound {
	return NewTiles(len(picture[0]), len(picture), size, func(x, y int) bool { return picture[len(picture)-1-y][x] == '#' })
}

func TestNewTiles(t *testing.T) {
	c := drawn(0.5,
		"..#...",
		"######",
		"##..##")
	assert.Equal(t, geom.AABB{Max: geom.V(3, 1.5, 0)}, c.Bounds())
	// The lowest row has two children, the middle one four, and the top row one.
	assert.Equal(t, 7, c.NumChildren())
	assert.Equal(t, []uint8{4, 4, 1 | 2, 2 | 4 | 8, 2 | 8, 1 | 8, 1}, c.hidden)
	assert.Equal(t, geom.EmptyAABB(), NewTiles(0, 0, 1, nil).Bounds())
	assert.Panics(t, func() { NewTiles(1, 1, 0, nil) })
	assert.Panics(t, func() { NewTiles(-1, 1, 1, nil) })
	assert.Panics(t, func() { NewTiles(1, 1, float32(math.NaN()), nil) })
	assert.Panics(t, func() { NewTiles(10, 1, 1e38, nil) })
	assert.PanicsWithValue(t, "physics: NewTiles: solid is nil", func() { NewTiles(1, 1, 1, nil) })
}

// Wherever a shape is pushed a little into a floor of tiles, all its contacts are with the floor's
// top, as they are with the same floor of one box; even if the floor is mirrored and turned.
func TestTilesHaveNoInnerEdges(t *testing.T) {
	floor := drawn(1,
		"##########",
		"#.#.##..##",
		".#.#..####")
	one := geom.Box{Center: geom.V(5, 2.5, 0), HalfExtents: geom.V(5, 0.5, 0)}
	r := rand.New(rand.NewPCG(16, 7))
	shapes := []Shape{flatCrate, geom.Sphere{Radius: 0.4}, geom.Capsule{A: geom.V(-0.6, 0, 0), B: geom.V(0.6, 0, 0), Radius: 0.2},
		flatPolygon(t, geom.V(-0.6, 0, 0), geom.V(0.6, 0, 0), geom.V(0, 0.8, 0))}
	lowest := []float32{0.75, 0.4, 0.2, 0}
	placings := []geom.Transform{{}, {Scale: geom.V(-1, 1, 1)}, geom.At2D(3, 2, 0.5), {Scale: geom.V(2, -1.5, 1)}, {Scale: geom.V(-1, -1, 1), Position: geom.V(1, 2, 0)}}
	for i := range 5000 {
		place := placings[i%len(placings)]
		k := r.IntN(len(shapes))
		x, depth := 1+8*r.Float32(), 0.05*r.Float32()
		if r.IntN(3) == 0 {
			x = float32(2 + r.IntN(7)) // on an edge between two tiles
		}
		tilt := 0.1 * (r.Float64() - 0.5)
		at := place.Mul(geom.At2D(x, 3+lowest[k]-depth, 0))
		at.Rotation, at.Scale = geom.QuatAxisAngle(geom.V(0, 0, 1), tilt).Mul(at.Rotation), geom.Vec3{}
		if place.Scale.Y < 0 {
			at.Rotation = geom.QuatAxisAngle(geom.V(0, 0, 1), math.Pi+tilt)
		}
		want := CollidePlanar(nil, Placed{one, place}, Placed{shapes[k], at}, 0)
		got := CollidePlanar(nil, Placed{floor, place}, Placed{shapes[k], at}, 0)
		if len(want) == 0 {
			require.Empty(t, got)
			continue
		}
		require.NotEmpty(t, got)
		deepest := got[0].Depth()
		for _, m := range got {
			require.InDelta(t, 0, m.Normal.Sub(want[0].Normal).Len(), 1e-5, "%v %v", place, at)
			deepest = max(deepest, m.Depth())
		}
		require.InDelta(t, want[0].Depth(), deepest, 1e-5)
	}
}

// What is put into a level at random is pushed out of it by a few calls, unless it is deep within.
func TestTilesPushOut(t *testing.T) {
	level := drawn(1,
		"##########",
		"#........#",
		"#..##....#",
		"#..#.....#",
		"#......###",
		"##########")
	r := rand.New(rand.NewPCG(16, 8))
	for range 300 {
		s := NewPlanarSpace()
		s.Add(Collider{Shape: level, Static: true})
		m := []Movable{{Collider: s.Add(Collider{Shape: geom.Box{HalfExtents: geom.V(0.3, 0.3, 0)}})}}
		at := geom.At2D(1+8*r.Float32(), 1+4*r.Float32(), 7*r.Float64())
		if p := at.Position; level.inside(p) {
			continue
		}
		s.SetTransform(m[0].Collider, at)
		var p Separator
		for range 20 {
			p.Separate(s, m)
			at.Position = at.Position.Add(m[0].Push)
			s.SetTransform(m[0].Collider, at)
		}
		for _, n := range s.CollideShape(nil, Placed{geom.Box{HalfExtents: geom.V(0.3, 0.3, 0)}, at}, 0, Filter{Exclude: []ColliderID{m[0].Collider}}) {
			require.Less(t, n.Depth(), float32(0.002), "%v", at)
		}
	}
}

// inside reports whether a point is in a child, which is a box that is not turned.
func (c *Compound) inside(p geom.Vec3) bool {
	for _, child := range c.children {
		b := child.Shape.(geom.Box)
		d := p.Sub(b.Center).Abs()
		if d.X <= b.HalfExtents.X && d.Y <= b.HalfExtents.Y {
			return true
		}
	}
	return false
}

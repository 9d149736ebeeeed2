package geom

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
)

// rightTurns returns the 24 rotations that take a cube to itself.
func rightTurns() []Quat {
	var turns []Quat
	for _, up := range []Quat{
		{}, QuatAxisAngle(V(1, 0, 0), math.Pi/2), QuatAxisAngle(V(1, 0, 0), math.Pi), QuatAxisAngle(V(1, 0, 0), -math.Pi/2),
		QuatAxisAngle(V(0, 0, 1), math.Pi/2), QuatAxisAngle(V(0, 0, 1), -math.Pi/2),
	} {
		for quarter := range 4 {
			turns = append(turns, QuatAxisAngle(V(0, 1, 0), float64(quarter)*math.Pi/2).Mul(up))
		}
	}
	return turns
}

// Every line through an AABB, with box and line rotated together by all 24 right angles: the
// answers are still exact.
func TestBoxCastRay(t *testing.T) {
	testenv.NoRace(t)
	for _, turn := range rightTurns() {
		t.Run(fmt.Sprint(turn), func(t *testing.T) {
			box := Box{HalfExtents: V(1, 2, 4), Rotation: turn}
			for i, c := range boxLines {
				if i == 3 {
					continue // its exit is no binary fraction
				}
				c.shape = box
				c.origin, c.dir = turn.Rotate(c.origin), turn.Rotate(c.dir)
				c.in, c.out = turn.Rotate(c.in), turn.Rotate(c.out)
				runLines(t, []lineCase{c})
			}
		})
	}
}

func TestBoxFlat(t *testing.T) {
	quarter := QuatAxisAngle(V(0, 1, 0), math.Pi/2) // x becomes −z
	wall := Box{HalfExtents: V(0, 2, 2), Rotation: quarter}
	stick := Box{HalfExtents: V(2, 0, 0), Rotation: quarter}
	dot := Box{Center: V(1, 1, 1), Rotation: quarter}
	runLines(t, []lineCase{
		{"a wall, from the front", wall, V(1, 1, 3), V(0, 0, -1), 3, 3, V(0, 0, 1), V(0, 0, -1)},
		{"a wall, in its plane", wall, V(1, -4, 0), V(0, 1, 0), 2, 6, V(0, -1, 0), V(0, 1, 0)},
		{"a wall, along its edge", wall, V(2, -4, 0), V(0, 1, 0), 2, 6, V(0, -1, 0), V(0, 1, 0)},
		{"a stick, across", stick, V(0, -4, 1), V(0, 1, 0), 4, 4, V(0, -1, 0), V(0, 1, 0)},
		{"a stick, along", stick, V(0, 0, -4), V(0, 0, 1), 2, 6, V(0, 0, -1), V(0, 0, 1)},
		{"a dot", dot, V(-1, -3, 5), V(1, 2, -2), 2, 2, Vec3{}, Vec3{}},
	})
}

func TestBoxMisses(t *testing.T) {
	runMisses(t, []missCase{
		{"parallel, beside", Box{HalfExtents: V(1, 2, 4)}, V(-3, 2.125, 0), V(1, 0, 0)},
		{"inverted on x", Box{HalfExtents: V(-1, 1, 1)}, V(-3, 0, 0), V(1, 0, 0)},
		{"inverted on z", Box{HalfExtents: V(1, 1, -1)}, V(-3, 0, 0), V(1, 0, 0)},
		{"NaN half extent", Box{HalfExtents: V(1, nan, 1)}, V(-3, 0, 0), V(1, 0, 0)},
		{"infinite half extent", Box{HalfExtents: V(1, inf, 1)}, V(-3, 0, 0), V(1, 0, 0)},
		{"NaN centre", Box{Center: V(0, nan, 0), HalfExtents: V(1, 1, 1)}, V(-3, 0, 0), V(1, 0, 0)},
		{"NaN rotation", Box{HalfExtents: V(1, 1, 1), Rotation: Quat{W: nan}}, V(-3, 0, 0), V(1, 0, 0)},
	})
}

// Rotated by 45° about Y, an edge faces the ray.
//
//	        /\
//	O->    /  \     edges at ±√2
//	       \  /
//	        \/
func TestBoxTurned(t *testing.T) {
	box := Box{V(0, 0, 0), V(1, 1, 1), QuatAxisAngle(V(0, 1, 0), math.Pi/4)}
	enter, exit, ok := box.Crossings(NewRay(V(-4, 0.5, 0.5), V(1, 0, 0)))
	require.True(t, ok)
	assert.InDelta(t, 4-math.Sqrt2+0.5, enter.T, 1e-6)
	assert.InDelta(t, 4+math.Sqrt2-0.5, exit.T, 1e-6)
	r := float32(math.Sqrt2 / 2)
	near(t, V(-r, 0, r), enter.Normal, 1e-6, "enter")
	near(t, V(-r, 0, -r), exit.Normal, 1e-6, "exit")
	// The top face is exact under every yaw.
	for i := range 360 {
		box.Rotation = QuatAxisAngle(V(0, 1, 0), float64(i)*math.Pi/180)
		_, ok = box.CastRay(NewRay(V(-4, 1, 0), V(1, 0, 0)), Ignore)
		assert.True(t, ok, "in the top face, yaw %d°", i)
		_, ok = box.CastRay(NewRay(V(-4, math.Nextafter32(1, 2), 0), V(1, 0, 0)), Ignore)
		assert.False(t, ok, "above the top face, yaw %d°", i)
	}
	// A quaternion that is not unit is the same rotation.
	box.Rotation = Quat{0, 3, 0, 3}
	h, ok := box.CastRay(NewRay(V(-4, 0, 0), V(1, 0, 0)), Solid)
	require.True(t, ok)
	assert.Equal(t, float32(3), h.T)
}

func TestBoxBounds(t *testing.T) {
	h := V(1, 2, 4)
	assert.Equal(t, brick, Box{HalfExtents: h}.Bounds())
	assert.Equal(t, AABB{V(-4, -2, -1), V(4, 2, 1)}, Box{HalfExtents: h, Rotation: QuatAxisAngle(V(0, 1, 0), math.Pi/2)}.Bounds())
	b := Box{Center: V(10, 0, 0), HalfExtents: V(1, 1, 1), Rotation: QuatAxisAngle(V(0, 1, 0), math.Pi/4)}.Bounds()
	assert.InDelta(t, 10+math.Sqrt2, b.Max.X, 1e-5)
	assert.GreaterOrEqual(t, float64(b.Max.X), 10+math.Sqrt2-1e-12)
	for _, box := range []Box{
		{HalfExtents: V(-1, 1, 1)}, {HalfExtents: V(1, 1, nan)}, {Center: V(inf, 0, 0)}, {Rotation: Quat{X: nan}},
	} {
		assert.True(t, box.IsEmpty())
		assert.True(t, box.Bounds().IsEmpty())
	}
}

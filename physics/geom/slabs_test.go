package geom

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// boxLines are lines through the box from (−1, −2, −4) to (1, 2, 4). An oriented box must pass them
// too.
var boxLines = []lineCase{
	{"along x", brick, V(-3, 0, 0), V(1, 0, 0), 2, 4, V(-1, 0, 0), V(1, 0, 0)},
	{"along y", brick, V(0, 5, 1), V(0, -1, 0), 3, 7, V(0, 1, 0), V(0, -1, 0)},
	{"along z", brick, V(0, 0, -8), V(0, 0, 2), 2, 6, V(0, 0, -1), V(0, 0, 1)},
	{"slanted, in by x, out by y", brick, V(-2, -2, 0), V(1, 1.5, 0), 1, 4 - 4./3, V(-1, 0, 0), V(0, 1, 0)},
	{"slanted, in by z, out by x", brick, V(-2, 0, -6), V(1, 0, 1), 2, 3, V(0, 0, -1), V(1, 0, 0)},
	{"in by an edge, out by a face", brick, V(-2, -3, 0), V(1, 1, 0), 1, 3, Vec3{}, V(1, 0, 0)},
	{"in by a corner, out by the opposite one", brick, V(-2, -4, -8), V(1, 2, 4), 1, 3, Vec3{}, Vec3{}},
	{"touching an edge", brick, V(-1, 4, 0), V(1, -1, 0), 2, 2, Vec3{}, Vec3{}},
	{"touching a corner", brick, V(-1, 4, 4), V(1, -1, 0), 2, 2, Vec3{}, Vec3{}},
	{"touching a corner, slanted thrice", brick, V(0, 3, 2), V(1, -1, 2), 1, 1, Vec3{}, Vec3{}},
	{"in the face y = 2, along x", brick, V(-3, 2, 0), V(1, 0, 0), 2, 4, V(-1, 0, 0), V(1, 0, 0)},
	{"in the face y = 2, slanted", brick, V(-3, 2, -1), V(1, 0, 1), 2, 4, V(-1, 0, 0), V(1, 0, 0)},
	{"along the edge y = 2, z = 4", brick, V(-3, 2, 4), V(1, 0, 0), 2, 4, V(-1, 0, 0), V(1, 0, 0)},
}

var brick = AABB{V(-1, -2, -4), V(1, 2, 4)}

func TestAABBCastRay(t *testing.T) {
	// The quotient 4/3 is no binary fraction, so this one line is compared only without scaling.
	exact := append([]lineCase{}, boxLines[:3]...)
	exact = append(exact, boxLines[4:]...)
	runLines(t, exact)
	enter, exit, ok := brick.Crossings(NewRay(boxLines[3].origin, boxLines[3].dir))
	require.True(t, ok)
	assert.Equal(t, float32(1), enter.T)
	assert.Equal(t, float32(8./3), exit.T)
	assert.Equal(t, V(0, -1, 0), exit.Normal)
}

func TestAABBFlat(t *testing.T) {
	wall := AABB{V(0, -2, -2), V(0, 2, 2)}
	stick := AABB{V(-2, 0, 0), V(2, 0, 0)}
	dot := AABB{V(1, 1, 1), V(1, 1, 1)}
	runLines(t, []lineCase{
		{"a wall, from the front", wall, V(-3, 1, 1), V(1, 0, 0), 3, 3, V(-1, 0, 0), V(1, 0, 0)},
		{"a wall, slanted", wall, V(-3, 0, 0), V(2, 1, 0), 1.5, 1.5, V(-1, 0, 0), V(1, 0, 0)},
		{"a wall, in its plane", wall, V(0, -4, 1), V(0, 1, 0), 2, 6, V(0, -1, 0), V(0, 1, 0)},
		{"a wall, along its edge", wall, V(0, -4, 2), V(0, 1, 0), 2, 6, V(0, -1, 0), V(0, 1, 0)},
		{"a wall, touching its corner in its plane", wall, V(0, 4, 0), V(0, -1, 1), 2, 2, Vec3{}, Vec3{}},
		{"a stick, across", stick, V(1, -4, 0), V(0, 1, 0), 4, 4, V(0, -1, 0), V(0, 1, 0)},
		{"a stick, along", stick, V(-4, 0, 0), V(1, 0, 0), 2, 6, V(-1, 0, 0), V(1, 0, 0)},
		{"a stick, at its end", stick, V(0, -2, -2), V(1, 1, 1), 2, 2, Vec3{}, Vec3{}},
		{"a dot", dot, V(-1, -3, 5), V(1, 2, -2), 2, 2, Vec3{}, Vec3{}},
		{"a dot, along x", dot, V(-1, 1, 1), V(1, 0, 0), 2, 2, V(-1, 0, 0), V(1, 0, 0)},
	})
}

func TestAABBMisses(t *testing.T) {
	beside := math.Nextafter32(2, 3)
	runMisses(t, []missCase{
		{"parallel, beside", brick, V(-3, 2.125, 0), V(1, 0, 0)},
		{"past a corner", brick, V(-1, 4.125, 0), V(1, -1, 0)},
		{"inverted on x", AABB{V(1, -1, -1), V(-1, 1, 1)}, V(-3, 0, 0), V(1, 0, 0)},
		{"inverted on y", AABB{V(-1, 1, -1), V(1, -1, 1)}, V(-3, 0, 0), V(1, 0, 0)},
		{"inverted on z, along z", AABB{V(-1, -1, 1), V(1, 1, -1)}, V(0, 0, -3), V(0, 0, 1)},
		{"all inverted", EmptyAABB(), V(-3, 0, 0), V(1, 0, 0)},
		{"NaN in Min", AABB{V(nan, -1, -1), V(1, 1, 1)}, V(-3, 0, 0), V(1, 0, 0)},
		{"NaN in Max", AABB{V(-1, -1, -1), V(1, 1, nan)}, V(-3, 0, 0), V(1, 0, 0)},
		{"beside a dot", AABB{V(1, 1, 1), V(1, 1, 1)}, V(-1, 1.125, 1), V(1, 0, 0)},
	})
	_, ok := brick.CastRay(NewRay(V(-3, beside, 0), V(1, 0, 0)), Solid)
	assert.False(t, ok, "the smallest step beside a face")
}

// The usual slab formula yields 0·∞ = NaN for rays in a face. The test casts rays in each of the 6
// faces and along each of the 12 edges, in both directions, from outside, from inside and from the
// end, at a box around the origin and at boxes far from it.
func TestAABBFacesAndEdges(t *testing.T) {
	for _, box := range []AABB{
		{V(-1, -1, -1), V(1, 1, 1)}, {V(0, 0, 0), V(2, 4, 8)}, {V(1e6, 2e6, -3e6), V(1e6+8, 2e6+8, -3e6+8)}, {V(1e-4, 2e-4, 3e-4), V(2e-4, 4e-4, 6e-4)},
	} {
		for _, along := range []Axis{X, Y, Z} {
			second, third := (along+1)%3, (along+2)%3
			for _, a := range fractions(box, second) {
				for _, b := range fractions(box, third) {
					if a.inside && b.inside {
						continue // not on the surface
					}
					for _, sign := range []float32{1, -1} {
						origin := Vec3{}.WithAxis(second, a.at).WithAxis(third, b.at)
						name := fmt.Sprintf("%v along %v·%g, %v=%g %v=%g", box, along, sign, second, a.at, third, b.at)
						lo, hi := box.Min.Axis(along), box.Max.Axis(along)
						if sign < 0 {
							lo, hi = hi, lo
						}
						dir := along.Unit().Mul(sign)
						wide := func(x float32) float64 { return float64(x) * float64(sign) }
						from := lo - sign
						h, ok := box.CastRay(NewRay(origin.WithAxis(along, from), dir), Ignore)
						require.True(t, ok, name)
						require.Equal(t, float32(wide(lo)-wide(from)), h.T, name)
						require.Equal(t, dir.Neg(), h.Normal, name)
						mid := (lo + hi) / 2
						h, ok = box.CastRay(NewRay(origin.WithAxis(along, mid), dir), Exit)
						require.True(t, ok, name)
						require.Equal(t, float32(wide(hi)-wide(mid)), h.T, name)
						h, ok = box.CastRay(NewRay(origin.WithAxis(along, mid), dir), Solid)
						require.True(t, ok && h.Inside && h.T == 0, name)
						_, ok = box.CastRay(NewRay(origin.WithAxis(along, hi), dir), Solid)
						require.True(t, ok, name)
						_, ok = box.CastRay(NewRay(origin.WithAxis(along, hi+sign), dir), Solid)
						require.False(t, ok, name)

						// One unit in the last place off the face is a miss.
						if !a.inside {
							off := origin.WithAxis(second, math.Nextafter32(a.at, a.beyond)).WithAxis(along, from)
							_, ok = box.CastRay(NewRay(off, dir), Solid)
							require.False(t, ok, name)
						}
					}
				}
			}
		}
	}
}

type fraction struct {
	at, beyond float32
	inside     bool
}

func fractions(b AABB, a Axis) []fraction {
	lo, hi := b.Min.Axis(a), b.Max.Axis(a)
	return []fraction{{lo, -inf, false}, {(lo + hi) / 2, 0, true}, {hi, inf, false}}
}

// A box may be unbounded: a half-space, a wall, all of space. An infinite side is never hit.
func TestAABBInfinite(t *testing.T) {
	half := AABB{V(-inf, -inf, -inf), V(inf, 0, inf)}
	h, ok := half.CastRay(NewRay(V(5, 3, 5), V(1, -1, 0)), Ignore)
	require.True(t, ok)
	assert.Equal(t, Hit{T: 3, Point: V(8, 0, 5), Normal: V(0, 1, 0), Triangle: -1}, h)
	_, ok = half.CastRay(NewRay(V(5, -3, 5), V(1, -1, 0)), Exit)
	assert.False(t, ok, "no way out")
	h, ok = half.CastRay(NewRay(V(5, -3, 5), V(1, 1, 0)), Exit)
	require.True(t, ok)
	assert.Equal(t, Hit{T: 3, Point: V(8, 0, 5), Normal: V(0, -1, 0), BackFace: true, Triangle: -1}, h)
	all := AABB{V(-inf, -inf, -inf), V(inf, inf, inf)}
	for _, mode := range modes {
		_, ok = all.CastRay(Ray{V(1, 2, 3), V(0, 0, 1), 2, 0}, mode)
		assert.Equal(t, mode == Solid, ok, mode)
	}
	_, _, ok = all.Crossings(NewRay(V(1, 2, 3), V(0, 0, 1)))
	assert.False(t, ok)
	_, _, ok = half.Crossings(NewRay(V(5, 3, 5), V(1, -1, 0)))
	assert.False(t, ok, "it never leaves")
	s := all.Slabs(NewRay(V(1, 2, 3), V(0, 0, 1)))
	assert.True(t, s.Hit)
	assert.True(t, math.IsInf(s.TNear, -1) && math.IsInf(s.TFar, 1))
}

// The worked example: a rectangle and a ray in the plane.
//
//	y 7  O
//	       `-.
//	  6      :`+-----------------+
//	  5      : |`-.              |
//	           |    `-.          |
//	  2        +--------`-.------+     xNear 2.44  xFar 10.99
//	           3            `-.  10    yNear 1.74  yFar  8.72
func TestSlabsWorkedExample(t *testing.T) {
	rect := Rect(3, 2, 7, 4)
	ray := RayAtAngle(V(1, 7, 0), -35*math.Pi/180)

	s := rect.Slabs(ray)
	assert.InDelta(t, 2.44, s.Near[X], 0.005)
	assert.InDelta(t, 10.99, s.Far[X], 0.005)
	assert.InDelta(t, 1.74, s.Near[Y], 0.005)
	assert.InDelta(t, 8.72, s.Far[Y], 0.005)
	assert.Equal(t, [3]bool{Z: true}, s.Parallel)
	assert.True(t, math.IsInf(s.Near[Z], -1) && math.IsInf(s.Far[Z], 1), "the ray lies in the plane")
	assert.True(t, s.Hit)
	assert.Equal(t, s.Near[X], s.TNear)
	assert.Equal(t, s.Far[Y], s.TFar)
	assert.Equal(t, MinX, s.EnterFace)
	assert.Equal(t, MinY, s.ExitFace)

	h, ok := rect.CastRay(ray, Solid)
	require.True(t, ok)
	assert.InDelta(t, 2.44, h.T, 0.005)
	assert.Equal(t, float32(3), h.Point.X)
	assert.InDelta(t, 5.60, h.Point.Y, 0.005)
	assert.Equal(t, V(-1, 0, 0), h.Normal)
	assert.Equal(t, s.EnterPoint, h.Point)

	enter, exit, ok := rect.Crossings(ray)
	require.True(t, ok)
	assert.Equal(t, h, enter)
	assert.InDelta(t, 8.72, exit.T, 0.005)
	assert.Equal(t, float32(2), exit.Point.Y)
	assert.Equal(t, s.ExitPoint, exit.Point)
	assert.Equal(t, V(0, 1, 0), exit.Normal, "it faces the ray")
}

func TestSlabs(t *testing.T) {
	for _, c := range []struct {
		name              string
		origin, dir       Vec3
		near, far         [3]float64
		nearAxis, farAxis Axis
		enter, exit       Face
		hit               bool
	}{
		{"along x", V(-3, 0, 0), V(1, 0, 0), [3]float64{2, -infinity, -infinity}, [3]float64{4, infinity, infinity}, X, X, MinX, MaxX, true},
		{"against y", V(0, 3, 0), V(0, -1, 0), [3]float64{-infinity, 1, -infinity}, [3]float64{infinity, 5, infinity}, Y, Y, MaxY, MinY, true},
		{"parallel and beside", V(-3, 9, 0), V(1, 0, 0), [3]float64{2, infinity, -infinity}, [3]float64{4, -infinity, infinity}, Y, Y, MaxY, MinY, false},
		{"all three", V(-2, -4, -6), V(1, 1, 1), [3]float64{1, 2, 2}, [3]float64{3, 6, 10}, Y, X, MinY, MaxX, true},
		{"behind the origin", V(3, 0, 0), V(1, 0, 0), [3]float64{-4, -infinity, -infinity}, [3]float64{-2, infinity, infinity}, X, X, MinX, MaxX, true},
		{"past", V(-2, 9, 0), V(1, -1, 0), [3]float64{1, 7, -infinity}, [3]float64{3, 11, infinity}, Y, X, MaxY, MaxX, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := brick.Slabs(Ray{Origin: c.origin, Dir: c.dir, MinT: 5, MaxT: 4})
			assert.Equal(t, c.near, s.Near)
			assert.Equal(t, c.far, s.Far)
			assert.Equal(t, c.hit, s.Hit)
			assert.Equal(t, max(c.near[0], c.near[1], c.near[2]), s.TNear)
			assert.Equal(t, min(c.far[0], c.far[1], c.far[2]), s.TFar)
			assert.Equal(t, c.nearAxis, s.NearAxis)
			assert.Equal(t, c.farAxis, s.FarAxis)
			if c.hit {
				assert.Equal(t, c.enter, s.EnterFace)
				assert.Equal(t, c.exit, s.ExitFace)
				assert.Equal(t, c.nearAxis, s.EnterFace.Axis())
			}
			for i := range s.Parallel {
				assert.Equal(t, c.dir.Axis(Axis(i)) == 0, s.Parallel[i])
			}
		})
	}
	for _, s := range []Slabs{
		EmptyAABB().Slabs(NewRay(Vec3{}, V(1, 0, 0))), brick.Slabs(Ray{}), brick.Slabs(NewRay(V(nan, 0, 0), V(1, 0, 0))),
	} {
		assert.False(t, s.Hit)
		assert.Greater(t, s.TNear, s.TFar)
		assert.Greater(t, s.Near[X], s.Far[X])
	}
}

func TestFace(t *testing.T) {
	for _, c := range []struct {
		face   Face
		axis   Axis
		normal Vec3
		name   string
	}{
		{MinX, X, V(-1, 0, 0), "MinX"}, {MaxX, X, V(1, 0, 0), "MaxX"},
		{MinY, Y, V(0, -1, 0), "MinY"}, {MaxY, Y, V(0, 1, 0), "MaxY"},
		{MinZ, Z, V(0, 0, -1), "MinZ"}, {MaxZ, Z, V(0, 0, 1), "MaxZ"},
	} {
		assert.Equal(t, c.axis, c.face.Axis())
		assert.Equal(t, c.normal, c.face.Normal())
		assert.Equal(t, c.name, c.face.String())
	}
	assert.Equal(t, "unknown", Face(6).String())
	assert.Panics(t, func() { Face(6).Normal() })
}

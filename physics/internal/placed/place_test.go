package placed

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// PlaceSimple places as Place does, to the bit, or does nothing.
func TestPlaceSimple(t *testing.T) {
	r := testenv.Rand(8, 1)
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	number := func() float32 {
		if r.IntN(30) == 0 {
			return []float32{0, -1, inf, nan, 1e38, 3e38, 1e-40, -0.5}[r.IntN(8)]
		}
		return r.Float32()*4 + 0.1
	}
	vec := func() geom.Vec3 { return geom.V(number(), number(), number()) }
	quat := func() geom.Quat {
		switch r.IntN(4) {
		case 0:
			return geom.Quat{}
		case 1:
			return geom.Quat{W: number()}
		}
		return geom.Quat{X: number(), Y: number() - 2, Z: number(), W: number()}
	}
	simple := 0
	for range 20_000 {
		shapes := []any{
			geom.Box{HalfExtents: vec(), Rotation: geom.Quat{W: number()}}, geom.Box{HalfExtents: vec()},
			geom.Box{HalfExtents: vec(), Rotation: quat()}, geom.Sphere{Center: vec(), Radius: number()}, geom.AABB{Min: vec().Neg(), Max: vec()},
			geom.Capsule{A: vec(), B: vec().Neg(), Radius: number()},
		}
		at := geom.Transform{Position: vec(), Rotation: quat()}
		switch r.IntN(3) {
		case 0:
			at.Scale = vec()
		case 1:
			at.Scale = geom.V(1, 1, 1).Mul(number())
		}
		s := shapes[r.IntN(len(shapes))]
		var a, b Subshape
		var f Frame
		f.Set(&at)
		if a.PlaceSimple(s, &at) {
			simple++
			require.True(t, b.Place(s, &f), "%v at %v", s, at)
			require.Equal(t, b, a, "%v at %v", s, at)
		} else {
			require.Equal(t, Subshape{}, a)
		}
	}
	testenv.Drawn(t, simple, 2000)
}

// TestMovedFrame compares a frame that is moved from transform to transform with those of each.
func TestMovedFrame(t *testing.T) {
	r := testenv.Rand(8, 3)
	nan := float32(math.NaN())
	var f Frame
	at := geom.Transform{}
	for range 4000 {
		number := func() float32 { return r.Float32()*4 - 2 }
		switch r.IntN(6) {
		case 0:
			at.Rotation = geom.Quat{X: number(), Y: number(), Z: number(), W: number()}
		case 1:
			at.Scale = geom.V(number(), number(), number())
		case 2:
			at.Rotation, at.Scale = geom.Quat{}, geom.Vec3{}
		case 3:
			at.Rotation.X = []float32{0, nan, number()}[r.IntN(3)]
		}
		at.Position = geom.V(number(), number(), number())
		var want Frame
		want.Set(&at)
		f.Move(&at)
		if at.Rotation == at.Rotation { // no NaN
			require.Equal(t, want, f)
		} else {
			require.Equal(t, want.affine, f.affine)
		}
	}
}

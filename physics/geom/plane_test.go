package geom

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPlaneCastRay(t *testing.T) {
	runPoints(t, -1, []pointCase{
		{"the ground", Plane{V(0, 1, 0), 2}, V(1, 5, 1), V(0, -1, 0), 3, V(0, 1, 0), 0, 0},
		{"the ground, slanted", Plane{V(0, 1, 0), 2}, V(1, 5, 1), V(2, -1, 1), 3, V(0, 1, 0), 0, 0},
		{"a normal that is not unit", Plane{V(0, 8, 0), 16}, V(1, 5, 1), V(0, -1, 0), 3, V(0, 1, 0), 0, 0},
		{"no axis, 3-4-5", Plane{V(3, 0, 4), 25}, V(6, 0, 8), V(-3, 7, -4), 1, V(0.6, 0, 0.8), 0, 0},
		{"x", XPlane(1), V(4, 0, 0), V(-1, 2, 0), 3, V(1, 0, 0), 0, 0},
		{"y", YPlane(-1), V(1, 5, 1), V(0, -2, 1), 3, V(0, 1, 0), 0, 0},
		{"z", ZPlane(2), V(0, 0, 10), V(1, 1, -4), 2, V(0, 0, 1), 0, 0},
		{"the sky, facing down", Plane{V(0, -1, 0), -8}, V(0, 0, 0), V(0, 1, 0), 8, V(0, -1, 0), 0, 0},
	})
}

// A ray in the plane is in it at once; it counts as the front.
func TestPlaneRayInPlane(t *testing.T) {
	for _, p := range []surface{Plane{V(0, 1, 0), 2}, Plane{V(0, -4, 0), -8}, YPlane(2)} {
		r := Ray{V(1, 2, 3), V(1, 0, 1), 4, 5}
		for _, cull := range []Cull{CullNone, CullBack} {
			h, ok := p.CastRay(r, cull)
			require.True(t, ok)
			assert.Equal(t, float32(4), h.T)
			assert.Equal(t, V(5, 2, 7), h.Point)
			assert.False(t, h.BackFace)
			assert.Zero(t, h.Normal.Dot(r.Dir))
			assert.InDelta(t, 1, h.Normal.Len(), 1e-7)
		}
		_, ok := p.CastRay(r, CullFront)
		assert.False(t, ok)
		r.Origin.Y = 2.0000002
		_, ok = p.CastRay(r, CullNone)
		assert.False(t, ok, "parallel and a hair above")
	}
}

func TestPlaneMisses(t *testing.T) {
	down := NewRay(V(0, 5, 0), V(0, -1, 0))
	for _, p := range []surface{
		Plane{}, Plane{D: 1}, Plane{V(0, nan, 0), 0}, Plane{V(0, inf, 0), 0}, Plane{V(0, 1, 0), nan}, Plane{V(0, 1, 0), inf},
		YPlane(nan), YPlane(inf), YPlane(-inf), YPlane(6),
	} {
		_, ok := p.CastRay(down, CullNone)
		assert.False(t, ok, "%v", p)
	}
	// The crossing lies further than a float32 reaches.
	_, ok := YPlane(0).CastRay(NewRay(V(0, 1e30, 0), V(1, -1e-30, 0)), CullNone)
	assert.False(t, ok)
}

func TestPlaneThrough(t *testing.T) {
	assert.Equal(t, Plane{V(1, 2, 3), 14}, PlaneThrough(V(1, 2, 3), V(1, 2, 3)))
}

func TestPlaneBounds(t *testing.T) {
	b := Plane{V(0, 1, 0), 2}.Bounds()
	assert.Equal(t, AABB{V(-inf, -inf, -inf), V(inf, inf, inf)}, b)
	assert.True(t, Plane{}.Bounds().IsEmpty())
	assert.True(t, Plane{}.IsEmpty())
	assert.True(t, XPlane(nan).Bounds().IsEmpty())
}

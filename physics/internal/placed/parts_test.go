package placed_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// TestPartsNearMissNoTriangle compares the triangles found near a shape with the distances of all:
// each within the margin must be there, whatever the transforms.
func TestPartsNearMissNoTriangle(t *testing.T) {
	r := testenv.Rand(7, 1)
	v := func(size float32) geom.Vec3 {
		return geom.V(r.Float32()-0.5, r.Float32()-0.5, r.Float32()-0.5).Mul(2 * size)
	}
	ball, err := mesh.New(mesh.Icosphere(1, 1))
	require.NoError(t, err)
	rock, err := hull.New([]geom.Vec3{v(1), v(1), v(1), v(1), v(1), v(1), v(1), v(1)})
	require.NoError(t, err)
	shapes := []any{
		geom.Sphere{Radius: 0.4}, geom.Capsule{A: v(0.5), B: v(0.5), Radius: 0.2}, geom.Box{HalfExtents: geom.V(0.1, 0.3, 0.6)},
		geom.AABB{Min: geom.V(-0.2, -0.3, -0.5), Max: geom.V(0.3, 0.3, 0.4)}, rock, ball,
	}
	// place places a shape with its own scale, mirrored at times.
	place := func(s any, at geom.Vec3) *placed.Subshape {
		scale := geom.V(1, 1, 1)
		if r.IntN(2) == 0 {
			scale = geom.V(0.5+r.Float32(), 0.5+r.Float32(), -0.5-r.Float32())
		}
		tr := geom.Transform{Position: at, Rotation: geom.QuatAxisAngle(v(1), r.Float64()*6), Scale: scale}
		if r.IntN(4) == 0 {
			tr.Rotation = geom.Quat{}
		}
		var f placed.Frame
		f.Set(&tr)
		p := new(placed.Subshape)
		require.True(t, p.Place(s, &f))
		return p
	}
	near, found := 0, 0
	for range testenv.Count(t, "HITSCAN_PARTS", 200) {
		at := v([]float32{0, 10, 10_000}[r.IntN(3)])
		a, b := place(ball, at), place(shapes[r.IntN(len(shapes))], at.Add(v(1.5)))
		margin := r.Float32() * 0.1
		if r.IntN(2) == 0 {
			a, b = b, a
		}
		parts := placed.PartsNear(nil, a, b, margin)
		found += len(parts)
		var x, y narrow.Shape
		for i := range numParts(a) {
			for j := range numParts(b) {
				k := placed.PartsOf(part(a, i), part(b, j))
				k.Shapes(&x, &y, a, b)
				if narrow.Distance(&x, &y, float64(margin)).Distance <= float64(margin) {
					near++
					require.True(t, slices.Contains(parts, k), "%v of %+v and %+v, margin %v", k, a, b, margin)
				}
			}
		}
	}
	t.Logf("%d found of which %d are near", found, near)
	require.NotZero(t, near)
	require.Less(t, found, 4*near)
}

// numParts returns the number of convex parts of a subshape, and part the number of one of them.
func numParts(p *placed.Subshape) int {
	if p.Kind == placed.KindMesh {
		return p.Local.Mesh.NumTriangles()
	}
	return 1
}

func part(p *placed.Subshape, i int) int32 {
	if p.Kind == placed.KindMesh {
		return int32(i)
	}
	return placed.Whole
}

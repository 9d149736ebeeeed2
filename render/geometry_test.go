package render

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// volume returns the volume of a closed surface, positive if it is counter-clockwise seen from
// outside.
func (g geometry) volume(half geom.Vec3, radius float32) float64 {
	var sum float64
	for i := 0; i < len(g.indices); i += 3 {
		a := g.vertices[g.indices[i]].placed(half, radius).Wide()
		b := g.vertices[g.indices[i+1]].placed(half, radius).Wide()
		c := g.vertices[g.indices[i+2]].placed(half, radius).Wide()
		sum += a.Dot(b.Cross(c)) / 6
	}
	return sum
}

func TestCapsuleFormIsClosed(t *testing.T) {
	for _, segments := range []int{1, 2, 5, 16} {
		g := capsuleForm(segments)
		assert.Len(t, g.vertices, 2+8*segments*segments)
		assert.Len(t, g.indices, 3*16*segments*segments)
		edges := map[[2]uint32]int{}
		for i := 0; i < len(g.indices); i += 3 {
			for k := range 3 {
				edges[[2]uint32{g.indices[i+k], g.indices[i+(k+1)%3]}]++
			}
		}
		for e := range edges {
			assert.Equal(t, 1, edges[[2]uint32{e[1], e[0]}], "edge %v of %d segments", e, segments)
		}
		for _, v := range g.vertices {
			require.InDelta(t, 1, float64(v.normal.Len()), 1e-6)
		}
	}
}

func TestFormVolumes(t *testing.T) {
	h := geom.V(0.5, 0.25, 2)
	assert.InDelta(t, 8*0.5*0.25*2, boxForm().volume(h, 0), 1e-6, "box")
	round := capsuleForm(16)
	assert.InEpsilon(t, 4.0/3*math.Pi*8, round.volume(geom.Vec3{}, 2), 0.005, "sphere")
	assert.InEpsilon(t, 4.0/3*math.Pi+math.Pi*3, round.volume(geom.V(0, 1.5, 0), 1), 0.005, "capsule")
}

// A hull is drawn with flat faces, and its triangles are its surface.
func TestHullGeometry(t *testing.T) {
	h, err := hull.New(append(first(mesh.Icosphere(1, 2)), first(mesh.Box(geom.V(0.9, 0.9, 0.1)))...))
	require.NoError(t, err)
	f := triangleSource{hull: h}
	g := f.geometry()
	assert.Len(t, g.indices, 3*f.count())
	assert.InDelta(t, h.Volume(), g.volume(geom.Vec3{}, 1), 1e-6)
	for i := 0; i < len(g.indices); i += 3 {
		a, b, c := g.vertices[g.indices[i]], g.vertices[g.indices[i+1]], g.vertices[g.indices[i+2]]
		n := b.offset.Sub(a.offset).Cross(c.offset.Sub(a.offset)).Normalize()
		for _, v := range []vertex{a, b, c} {
			require.InDelta(t, 1, v.normal.Dot(n), 1e-4)
			require.Equal(t, a.normal, v.normal, "flat")
		}
	}
	vertices, indices := f.triangles()
	assert.Equal(t, len(g.indices), len(indices))
	for i, index := range indices {
		require.Equal(t, g.vertices[g.indices[i]].offset, vertices[index])
	}
	assert.Equal(t, h.Bounds(), f.bounds())
}

// From every direction the outline of a sphere is within the error of roundLevels of the circle,
// and from some direction it is near that error: otherwise fewer triangles would do.
func TestRoundLevels(t *testing.T) {
	rng := testenv.Rand(1, 2)
	for i, l := range roundLevels {
		assert.Equal(t, uint8(i), levelOf(l.radius))
		if math.IsInf(l.radius, 1) {
			break
		}
		assert.Equal(t, uint8(i+1), levelOf(math.Nextafter(l.radius, math.Inf(1))))
		g := capsuleForm(l.segments)
		worst := 0.0
		for range 4000 / l.segments {
			from := geom.DVec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}.Normalize()
			u, v := planeAxes(from)
			// The silhouette of a convex shape lies on one side of each supporting line. The
			// supporting line nearest to the centre goes through two corners.
			for k := range 8 * l.segments {
				sin, cos := math.Sincos(math.Pi / 4 * (float64(k) + rng.Float64()) / float64(l.segments))
				reach := 0.0
				for _, p := range g.vertices {
					reach = max(reach, p.offset.Wide().Dot(u)*cos+p.offset.Wide().Dot(v)*sin)
				}
				worst = max(worst, (1-reach)*l.radius)
			}
		}
		t.Logf("%d segments up to %g pixels: %.2f pixels off at most", l.segments, l.radius, worst)
		assert.LessOrEqual(t, worst, 0.5)
		assert.Greater(t, worst, 0.4)
	}
	assert.Equal(t, uint8(len(roundLevels)-1), levelOf(math.NaN()))
}

// A box is flat-shaded: each of its faces has one normal.
func TestBoxFormFacesAreFlat(t *testing.T) {
	g := boxForm()
	h := geom.V(1, 2, 3)
	faces := map[geom.Vec3]float64{}
	for i := 0; i < len(g.indices); i += 3 {
		a, b, c := g.vertices[g.indices[i]], g.vertices[g.indices[i+1]], g.vertices[g.indices[i+2]]
		n := b.placed(h, 0).Sub(a.placed(h, 0)).Cross(c.placed(h, 0).Sub(a.placed(h, 0)))
		assert.Equal(t, a.normal, b.normal)
		assert.Equal(t, a.normal, c.normal)
		assert.InDelta(t, 1, float64(n.Normalize().Dot(a.normal)), 1e-6)
		faces[a.normal] += float64(n.Len()) / 2
	}
	assert.Equal(t, map[geom.Vec3]float64{
		{X: 1}: 24, {X: -1}: 24, {Y: 1}: 12, {Y: -1}: 12, {Z: 1}: 8, {Z: -1}: 8,
	}, faces)
}

func TestMeshNormals(t *testing.T) {
	t.Run("a cube has sharp edges", func(t *testing.T) {
		vertices, indices := mesh.Box(geom.V(1, 2, 3))
		g := meshGeometry(vertices, nil, nil, indices)
		assert.Len(t, g.vertices, 24, "three for each of eight corners")
		for i := 0; i < len(g.indices); i += 3 {
			a, b, c := g.vertices[g.indices[i]], g.vertices[g.indices[i+1]], g.vertices[g.indices[i+2]]
			n := b.offset.Sub(a.offset).Cross(c.offset.Sub(a.offset)).Normalize()
			for _, v := range []vertex{a, b, c} {
				assert.InDelta(t, 1, float64(v.normal.Dot(n)), 1e-6)
			}
		}
	})
	t.Run("a globe is smooth", func(t *testing.T) {
		vertices, indices := mesh.Icosphere(2, 3)
		g := meshGeometry(vertices, nil, nil, indices)
		assert.Len(t, g.vertices, len(vertices))
		for _, v := range g.vertices {
			assert.InDelta(t, 1, float64(v.normal.Dot(v.offset.Normalize())), 1e-3)
		}
	})
	t.Run("vertices listed twice are one place", func(t *testing.T) {
		vertices, indices := mesh.Icosphere(2, 2)
		var soup []geom.Vec3
		var order []uint32
		for i, index := range indices {
			soup, order = append(soup, vertices[index]), append(order, uint32(i))
		}
		for _, v := range meshGeometry(soup, nil, nil, order).vertices {
			assert.InDelta(t, 1, float64(v.normal.Dot(v.offset.Normalize())), 5e-3)
		}
	})
	t.Run("given normals are kept, bad ones made", func(t *testing.T) {
		vertices := []geom.Vec3{{}, {X: 1}, {Y: 1}}
		normals := []geom.Vec3{{X: 2}, {}, {Z: float32(math.NaN())}}
		g := meshGeometry(vertices, normals, nil, []uint32{0, 1, 2})
		assert.Equal(t, geom.V(1, 0, 0), g.vertices[0].normal)
		assert.Equal(t, geom.V(0, 0, 1), g.vertices[1].normal)
		assert.Equal(t, geom.V(0, 0, 1), g.vertices[2].normal)
	})
	t.Run("triangles without area", func(t *testing.T) {
		g := meshGeometry([]geom.Vec3{{}, {X: 1}, {X: 2}}, nil, nil, []uint32{0, 1, 2, 0, 0, 0})
		for _, v := range g.vertices {
			assert.True(t, v.normal.IsFinite())
		}
	})
	t.Run("both sides of a sheet", func(t *testing.T) {
		g := meshGeometry([]geom.Vec3{{}, {X: 1}, {Y: 1}}, nil, nil, []uint32{0, 1, 2, 0, 2, 1})
		assert.Len(t, g.vertices, 6)
		for _, v := range g.vertices {
			assert.InDelta(t, 1, math.Abs(float64(v.normal.Z)), 1e-6)
		}
	})
}

func FuzzMeshGeometry(f *testing.F) {
	f.Add([]byte{0, 1, 2, 2, 1, 0})
	f.Add([]byte{3, 3, 3, 0, 5, 6, 7, 1, 2})
	vertices, _ := mesh.Box(geom.V(1, 1, 1))
	f.Fuzz(func(t *testing.T, data []byte) {
		var indices []uint32
		for _, b := range data[:len(data)/3*3] {
			indices = append(indices, uint32(b)%uint32(len(vertices)))
		}
		g := meshGeometry(vertices, nil, nil, indices)
		require.Len(t, g.indices, len(indices))
		for i, at := range g.indices {
			v := g.vertices[at]
			require.Equal(t, vertices[indices[i]], v.offset)
			require.True(t, v.normal.IsFinite())
		}
	})
}

package render

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// placed returns where a vertex of a rounded box is.
func (v vertex) placed(half geom.Vec3, radius float32) geom.Vec3 {
	return v.offset.Mul(radius).Add(half.MulVec(geom.V(float32(v.corner[0]), float32(v.corner[1]), float32(v.corner[2]))))
}

// volume returns the volume that a closed surface encloses, positive if it is counter-clockwise from outside.
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

func TestRoundedBoxIsClosed(t *testing.T) {
	for _, segments := range []int{1, 2, 5, 16} {
		g := roundedBox(segments)
		edges := map[[2]uint32]int{}
		for i := 0; i < len(g.indices); i += 3 {
			for k := range 3 {
				edges[[2]uint32{g.indices[i+k], g.indices[i+(k+1)%3]}]++
			}
		}
		// The poles are fans of vertices at one place, which need not share edges; everything else does.
		cols := uint32(4 * (segments + 1))
		pole := func(i uint32) bool { return i < cols || i >= uint32(len(g.vertices))-cols }
		for e := range edges {
			if pole(e[0]) && pole(e[1]) {
				continue
			}
			assert.Equal(t, 1, edges[[2]uint32{e[1], e[0]}], "edge %v of %d segments", e, segments)
		}
		for _, v := range g.vertices {
			require.InDelta(t, 1, float64(v.normal.Len()), 1e-6)
		}
	}
}

func TestRoundedBoxVolume(t *testing.T) {
	h := geom.V(0.5, 0.25, 2)
	assert.InDelta(t, 8*0.5*0.25*2, roundedBox(1).volume(h, 0), 1e-6, "box")
	round := roundedBox(16)
	assert.InEpsilon(t, 4.0/3*math.Pi*8, round.volume(geom.Vec3{}, 2), 0.005, "sphere")
	assert.InEpsilon(t, 4.0/3*math.Pi+math.Pi*3, round.volume(geom.V(0, 1.5, 0), 1), 0.005, "capsule")
	assert.InDelta(t, 2, round.volume(h, 0), 1e-6, "the hull of a box is the box")
}

// A box is lit as one: each of its faces has one normal.
func TestRoundedBoxFacesAreFlat(t *testing.T) {
	g := roundedBox(1)
	h := geom.V(1, 2, 3)
	faces := map[geom.Vec3]float64{}
	for i := 0; i < len(g.indices); i += 3 {
		a, b, c := g.vertices[g.indices[i]], g.vertices[g.indices[i+1]], g.vertices[g.indices[i+2]]
		n := b.placed(h, 0).Sub(a.placed(h, 0)).Cross(c.placed(h, 0).Sub(a.placed(h, 0)))
		if n.Len() == 0 {
			continue
		}
		assert.Equal(t, a.normal, b.normal)
		assert.Equal(t, a.normal, c.normal)
		assert.InDelta(t, 1, float64(n.Normalize().Dot(a.normal)), 1e-6)
		faces[a.normal] += float64(n.Len()) / 2
	}
	assert.Equal(t, map[geom.Vec3]float64{
		{X: 1}: 24, {X: -1}: 24, {Y: 1}: 12, {Y: -1}: 12, {Z: 1}: 8, {Z: -1}: 8,
	}, faces)
}

// reach returns how far a hull goes in direction q of the picture beyond the shape, when each vertex is moved by one along its
// normal as it is seen. Seen is what is left of a vector along the line of sight v.
func reach(g geometry, half geom.Vec3, radius float32, q, v geom.Vec3) float64 {
	hull, shape := math.Inf(-1), math.Inf(-1)
	for _, x := range g.vertices {
		p := x.placed(half, radius)
		d := x.hull.Sub(v.Mul(x.hull.Dot(v)))
		d = d.Normalize().Mul(x.hull.Len())
		shape = math.Max(shape, float64(p.Dot(q)))
		hull = math.Max(hull, float64(p.Add(d).Dot(q)))
	}
	return hull - shape
}

// The outline of boxes, spheres and capsules is everywhere equally wide, from whichever side it is seen.
func TestHullIsEvenlyWide(t *testing.T) {
	g := roundedBox(16)
	rapid.Check(t, func(t *rapid.T) {
		unit := rapid.Custom(func(t *rapid.T) geom.Vec3 {
			q := geom.QuatEuler(rapid.Float64Range(-4, 4).Draw(t, "yaw"), rapid.Float64Range(-2, 2).Draw(t, "pitch"), 0)
			return q.Rotate(geom.V(0, 0, 1))
		})
		v := unit.Draw(t, "sight")
		q, _ := around(v)
		q = geom.QuatAxisAngle(v, rapid.Float64Range(0, 7).Draw(t, "turn")).Rotate(q)
		half := geom.V(rapid.Float32Range(0, 3).Draw(t, "x"), rapid.Float32Range(0, 3).Draw(t, "y"), rapid.Float32Range(0, 3).Draw(t, "z"))
		radius := rapid.SampledFrom([]float32{0, 0, 0.5, 2}).Draw(t, "radius")
		assert.InDelta(t, 1, reach(g, half, radius, q, v), 0.02)
	})
}

// That of a mesh has one normal a corner, which cannot be right from all sides.
func TestHullOfMeshCube(t *testing.T) {
	vertices, indices := mesh.Box(geom.V(1, 1, 1))
	g := meshGeometry(vertices, nil, indices)
	assert.InDelta(t, 0.93, reach(g, geom.Vec3{}, 1, geom.V(1, 0, 0), geom.V(0, 0, 1)), 0.01, "face on")
	corner := geom.V(1, 1, 1).Normalize()
	assert.InDelta(t, 1.14, reach(g, geom.Vec3{}, 1, geom.V(0, 1, -1).Normalize(), corner), 0.01, "from a corner")
}

func TestMeshNormals(t *testing.T) {
	t.Run("a cube has sharp edges", func(t *testing.T) {
		vertices, indices := mesh.Box(geom.V(1, 2, 3))
		g := meshGeometry(vertices, nil, indices)
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
		g := meshGeometry(vertices, nil, indices)
		assert.Len(t, g.vertices, len(vertices))
		for _, v := range g.vertices {
			assert.InDelta(t, 1, float64(v.normal.Dot(v.offset.Normalize())), 1e-3)
			assert.InDelta(t, 1, float64(v.hull.Normalize().Dot(v.offset.Normalize())), 1e-3)
		}
	})
	t.Run("vertices listed twice are one place", func(t *testing.T) {
		vertices, indices := mesh.Icosphere(2, 2)
		var soup []geom.Vec3
		var order []uint32
		for i, index := range indices {
			soup, order = append(soup, vertices[index]), append(order, uint32(i))
		}
		hulls := map[geom.Vec3]geom.Vec3{}
		for _, v := range meshGeometry(soup, nil, order).vertices {
			if h, ok := hulls[v.offset]; ok {
				assert.Equal(t, h, v.hull, "a crack in the hull at %v", v.offset)
			}
			hulls[v.offset] = v.hull
			assert.InDelta(t, 1, float64(v.normal.Dot(v.offset.Normalize())), 5e-3)
		}
	})
	t.Run("given normals are kept, bad ones made", func(t *testing.T) {
		vertices := []geom.Vec3{{}, {X: 1}, {Y: 1}}
		normals := []geom.Vec3{{X: 2}, {}, {Z: float32(math.NaN())}}
		g := meshGeometry(vertices, normals, []uint32{0, 1, 2})
		assert.Equal(t, geom.V(1, 0, 0), g.vertices[0].normal)
		assert.Equal(t, geom.V(0, 0, 1), g.vertices[1].normal)
		assert.Equal(t, geom.V(0, 0, 1), g.vertices[2].normal)
	})
	t.Run("triangles without area", func(t *testing.T) {
		g := meshGeometry([]geom.Vec3{{}, {X: 1}, {X: 2}}, nil, []uint32{0, 1, 2, 0, 0, 0})
		for _, v := range g.vertices {
			assert.True(t, v.normal.IsFinite())
			assert.True(t, v.hull.IsFinite())
		}
	})
	t.Run("both sides of a sheet", func(t *testing.T) {
		g := meshGeometry([]geom.Vec3{{}, {X: 1}, {Y: 1}}, nil, []uint32{0, 1, 2, 0, 2, 1})
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
		g := meshGeometry(vertices, nil, indices)
		require.Len(t, g.indices, len(indices))
		for i, at := range g.indices {
			v := g.vertices[at]
			require.Equal(t, vertices[indices[i]], v.offset)
			require.True(t, v.normal.IsFinite() && v.hull.IsFinite())
		}
	})
}

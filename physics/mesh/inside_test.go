package mesh_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// winding returns how often a surface encloses a point: the solid angle of all triangles, as a
// share of the whole sphere (Van Oosterom and Strackee 1983, "The solid angle of a plane
// triangle").
func winding(m *mesh.Mesh, p geom.Vec3) float64 {
	sum, o := 0.0, p.Wide()
	for i := range m.NumTriangles() {
		t := m.Triangle(i)
		a, b, c := t.A.Wide().Sub(o), t.B.Wide().Sub(o), t.C.Wide().Sub(o)
		la, lb, lc := a.Len(), b.Len(), c.Len()
		sum += math.Atan2(a.Dot(b.Cross(c)), la*lb*lc+a.Dot(b)*lc+b.Dot(c)*la+c.Dot(a)*lb)
	}
	return sum / (2 * math.Pi)
}

// TestSignedDistance compares the sign with winding numbers, everywhere in the bounds and close to
// faces, edges and corners, and the distance with the closest point.
func TestSignedDistance(t *testing.T) {
	testenv.NoRace(t)
	for _, s := range closedSurfaces(t) {
		t.Run(s.name, func(t *testing.T) {
			m := s.mesh(t)
			require.True(t, m.IsClosed())
			r := testenv.Rand(12, uint64(m.NumTriangles()))
			within := func(b geom.AABB) geom.Vec3 {
				return b.Min.Add(b.Max.Sub(b.Min).MulVec(geom.V(r.Float32(), r.Float32(), r.Float32())))
			}
			tries, inside := min(300, 8_000_000/m.NumTriangles()), 0
			for i := range tries {
				p := within(m.Bounds())
				if i%2 == 0 {
					b := m.Triangle(r.IntN(m.NumTriangles())).Bounds()
					p = within(b.Grow(b.HalfExtents().Len()))
				}
				w := winding(m, p)
				if math.Abs(w-math.Round(w)) > 0.01 {
					continue // on the surface, within rounding
				}
				d, ok := m.SignedDistance(p)
				require.True(t, ok)
				c, _ := m.ClosestPoint(p, float32(math.Inf(1)))
				assert.Equal(t, c.Distance, float32(math.Abs(float64(d))))
				assert.Equal(t, w > 0.5, d < 0, "%v: winding number %v, signed distance %v", p, w, d)
				assert.Equal(t, d <= 0, m.Contains(p))
				if d < 0 {
					inside++
				}
			}
			testenv.Drawn(t, inside, tries/20)
		})
	}
}

func TestIsClosed(t *testing.T) {
	vertices, indices := mesh.Box(geom.V(1, 1, 1))
	closed := func(indices []uint32) bool {
		m, err := mesh.New(vertices, indices)
		require.NoError(t, err)
		_, ok := m.SignedDistance(geom.V(0.1, 0.2, 0.3))
		require.Equal(t, m.IsClosed(), ok)
		require.Equal(t, ok, m.Contains(geom.V(0.1, 0.2, 0.3)))
		return ok
	}
	assert.True(t, closed(indices))
	assert.False(t, closed(indices[3:]), "a hole")
	turned := append([]uint32{indices[1], indices[0], indices[2]}, indices[3:]...)
	assert.False(t, closed(turned), "a triangle wound the wrong way")
	assert.True(t, closed(append([]uint32{0, 0, 1}, indices...)), "a degenerate triangle")

	m, err := mesh.New(vertices, indices)
	require.NoError(t, err)
	assert.True(t, m.IsClosed())
	for _, p := range []geom.Vec3{geom.V(float32(math.NaN()), 0, 0), geom.V(0, float32(math.Inf(1)), 0)} {
		_, ok := m.SignedDistance(p)
		assert.False(t, ok)
		assert.False(t, m.Contains(p))
	}
	for p, want := range map[geom.Vec3]float32{geom.V(0, 0, 0): -1, geom.V(0.75, 0, 0): -0.25, geom.V(1, 0.5, 0): 0, geom.V(1, 1, 1): 0, geom.V(3, 0, 0): 2, geom.V(4, 5, 1): 5} {
		d, ok := m.SignedDistance(p)
		assert.True(t, ok)
		assert.Equal(t, want, d, "%v", p)
		assert.Equal(t, want <= 0, m.Contains(p), "%v", p)
	}
	var loose []geom.Vec3 // each triangle with corners of its own
	var all []uint32
	for i, v := range indices {
		loose, all = append(loose, vertices[v]), append(all, uint32(i))
	}
	m, err = mesh.New(loose, all)
	require.NoError(t, err)
	require.True(t, m.IsClosed())
	loose[0] = geom.V(2, 2, 2)
	torn := new(mesh.Mesh)
	require.NoError(t, m.Refit(torn, loose))
	assert.False(t, torn.IsClosed())
	field, err := mesh.NewField(mesh.FieldOptions{Columns: 3, Rows: 3, CellX: 1, CellZ: 1}, make([]float32, 9))
	require.NoError(t, err)
	assert.False(t, field.Mesh().IsClosed())
	assert.False(t, field.Mesh().Contains(geom.V(1, 0, 1)))
	testenv.AllocatesNothing(t, 10, func() { m.SignedDistance(geom.V(0.3, 0.2, 0.1)) })
}

package meshio_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/meshio"
)

func TestSmoothCube(t *testing.T) {
	t.Run("sharp", func(t *testing.T) {
		sharp := cube.Smooth(0.5)
		require.Equal(t, "cube", sharp.Name)
		require.Equal(t, trianglesOf(cube), trianglesOf(sharp))
		require.Len(t, sharp.Vertices, 24, "each of 8 corners once for each of its 3 faces")
		for k, i := range sharp.Indices {
			a, b, c := cubeIndices[k/3*3], cubeIndices[k/3*3+1], cubeIndices[k/3*3+2]
			face := area2(cubeVertices[a], cubeVertices[b], cubeVertices[c]).Normalize().Narrow()
			require.Equal(t, face, sharp.Normals[i])
		}
	})
	t.Run("round", func(t *testing.T) {
		round := cube.Smooth(math.Pi)
		require.Equal(t, trianglesOf(cube), trianglesOf(round))
		require.Len(t, round.Vertices, 8)
		for i, v := range round.Vertices {
			// The faces' diagonals do not show: angles, not triangles, are counted.
			require.Less(t, round.Normals[i].Distance(v.Normalize()), float32(1e-6))
		}
	})
	t.Run("the crease decides at a right angle", func(t *testing.T) {
		assert.Len(t, cube.Smooth(math.Pi/2-0.01).Vertices, 24)
		assert.Len(t, cube.Smooth(math.Pi/2+0.01).Vertices, 8)
		assert.Len(t, cube.Smooth(0).Vertices, 24, "but in a plane there is no crease")
	})
}

func TestSmoothOddities(t *testing.T) {
	t.Run("a degenerate triangle has a zero normal", func(t *testing.T) {
		p := meshio.Part{Vertices: squareVertices, Indices: []uint32{0, 1, 1}}.Smooth(1)
		assert.Equal(t, []geom.Vec3{{}, {}, {}}, p.Normals)
		assert.Equal(t, trianglesOf(meshio.Part{Vertices: squareVertices, Indices: []uint32{0, 1, 1}}), trianglesOf(p))
	})
	t.Run("vertices at one position count as one", func(t *testing.T) {
		soup := meshio.Part{Vertices: trianglesOf(cube)}
		for i := range soup.Vertices {
			soup.Indices = append(soup.Indices, uint32(i))
		}
		assert.Equal(t, cube.Smooth(math.Pi).Vertices, soup.Smooth(math.Pi).Vertices)
	})
	t.Run("triangles back to back are not joined", func(t *testing.T) {
		p := meshio.Part{Vertices: squareVertices, Indices: []uint32{0, 1, 2, 0, 2, 1}}.Smooth(0.5)
		assert.Equal(t, []geom.Vec3{{Z: 1}, {Z: 1}, {Z: 1}, {Z: -1}, {Z: -1}, {Z: -1}}, p.Normals)
	})
	t.Run("nor such as face opposite ways in one plane", func(t *testing.T) {
		p := meshio.Part{Vertices: squareVertices, Indices: []uint32{0, 1, 2, 0, 3, 2}}.Smooth(math.Pi)
		assert.Len(t, p.Vertices, 6)
	})
	t.Run("an index out of range panics", func(t *testing.T) {
		assert.PanicsWithValue(t, "meshio: Part.Smooth: index 4 out of range (4 vertices)", func() {
			meshio.Part{Vertices: squareVertices, Indices: []uint32{0, 1, 4}}.Smooth(1)
		})
	})
	t.Run("the part is not changed", func(t *testing.T) {
		p := meshio.Part{Vertices: append([]geom.Vec3(nil), cubeVertices...), Indices: append([]uint32(nil), cubeIndices...)}
		p.Smooth(1)
		assert.Equal(t, meshio.Part{Vertices: cubeVertices, Indices: cubeIndices}, p)
	})
}

// smoothBrute is the brute-force reference of Smooth: from each corner it walks to all corners that
// share its normal.
func smoothBrute(p meshio.Part, crease float64) []geom.Vec3 {
	t := trianglesOf(p)
	face := func(k int) geom.DVec3 { return area2(t[k/3*3], t[k/3*3+1], t[k/3*3+2]).Normalize() }
	next := func(k int) int { return k/3*3 + (k+1)%3 }
	angle := func(a, b geom.DVec3) float64 { return math.Atan2(a.Cross(b).Len(), a.Dot(b)) }
	// partner returns the corner at which the edge that starts at corner k starts in the other
	// triangle, if the edge is smooth.
	partner := func(k int) (int, bool) {
		found, uses := -1, 0
		for j := range t {
			forth := t[j] == t[k] && t[next(j)] == t[next(k)]
			back := t[j] == t[next(k)] && t[next(j)] == t[k]
			if forth || back {
				uses++
			}
			if back && j != k {
				found = j
			}
		}
		if uses != 2 || found < 0 || face(k) == (geom.DVec3{}) || face(found) == (geom.DVec3{}) {
			return 0, false
		}
		return found, angle(face(k), face(found)) <= crease
	}
	normals := make([]geom.Vec3, len(t))
	for k := range t {
		member := map[int]bool{k: true}
		for queue := []int{k}; len(queue) > 0; {
			c := queue[0]
			queue = queue[1:]
			before := next(next(c))
			var near []int
			if j, ok := partner(c); ok {
				near = append(near, next(j))
			}
			if j, ok := partner(before); ok {
				near = append(near, j)
			}
			for _, j := range near {
				if !member[j] {
					member[j] = true
					queue = append(queue, j)
				}
			}
		}
		var sum geom.DVec3
		for j := range t {
			if member[j] {
				a, b := t[next(j)].Wide().Sub(t[j].Wide()), t[next(next(j))].Wide().Sub(t[j].Wide())
				sum = sum.AddMul(angle(a, b), face(j))
			}
		}
		normals[k] = sum.Normalize().Narrow()
	}
	return normals
}

func TestSmoothAgainstBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		small := rapid.Custom(func(t *rapid.T) geom.Vec3 {
			c := rapid.IntRange(-1, 1)
			return geom.V(float32(c.Draw(t, "x")), float32(c.Draw(t, "y")), float32(c.Draw(t, "z")))
		})
		vertices := rapid.SliceOfN(small, 3, 8).Draw(t, "vertices")
		n := 3 * rapid.IntRange(1, 8).Draw(t, "triangles")
		indices := rapid.SliceOfN(rapid.Uint32Range(0, uint32(len(vertices)-1)), n, n).Draw(t, "indices")
		// Creases between the angles that such triangles can have.
		crease := rapid.SampledFrom([]float32{0.2, 1, 1.8, 2.5, 3.14159274}).Draw(t, "crease")
		p := meshio.Part{Vertices: vertices, Indices: indices}
		smooth := p.Smooth(crease)
		require.Equal(t, trianglesOf(p), trianglesOf(smooth))
		want := smoothBrute(p, float64(crease))
		for k, i := range smooth.Indices {
			require.Equal(t, want[k], smooth.Normals[i], "corner %d", k) // sums of the same order
		}
	})
}

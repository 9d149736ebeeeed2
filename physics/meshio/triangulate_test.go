package meshio_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/meshio"
)

// polygonOBJ returns an OBJ with one face around all corners.
func polygonOBJ(corners []geom.Vec3) string {
	var b strings.Builder
	for _, c := range corners {
		fmt.Fprintf(&b, "v %v %v %v\n", c.X, c.Y, c.Z)
	}
	b.WriteString("f")
	for i := range corners {
		fmt.Fprintf(&b, " %d", i+1)
	}
	return b.String()
}

func decodePolygon(t require.TestingT, corners []geom.Vec3) []geom.Vec3 {
	model, err := meshio.DecodeOBJ(strings.NewReader(polygonOBJ(corners)))
	require.NoError(t, err)
	checkModel(t, model)
	return trianglesOf(model.Parts...)
}

func area2(a, b, c geom.Vec3) geom.DVec3 {
	return b.Wide().Sub(a.Wide()).Cross(c.Wide().Sub(a.Wide()))
}

// requireCut asserts that triangles are a triangulation of the polygon: their number, that each has
// the polygon's orientation and an area, less by no more than rounding, and that the areas add up
// to that of the polygon. Then no triangle is outside of it.
func requireCut(t require.TestingT, corners, triangles []geom.Vec3, rounding float64) {
	require.Len(t, triangles, 3*(len(corners)-2))
	var normal geom.DVec3
	var size float64
	for i := 2; i < len(corners); i++ {
		fan := area2(corners[0], corners[i-1], corners[i])
		normal, size = normal.Add(fan), size+fan.Len()
	}
	area := normal.Len()
	normal = normal.Normalize()
	var sum float64
	for i := 0; i < len(triangles); i += 3 {
		a := area2(triangles[i], triangles[i+1], triangles[i+2]).Dot(normal)
		require.Greater(t, a, -rounding, "triangle %v", triangles[i:i+3])
		sum += a
	}
	// The sum of the vectors of area depends on the boundary alone, so that rounding in double
	// precision is the difference: eight roundings of each summand, and those of the sums.
	require.InDelta(t, area, sum, float64(16+2*len(corners))*0x1p-53*(size+sum))
}

// flat returns the polygon of the given x, y pairs in the plane z = 0.
func flat(xy ...float32) []geom.Vec3 {
	var list []geom.Vec3
	for i := 0; i < len(xy); i += 2 {
		list = append(list, geom.V(xy[i], xy[i+1], 0))
	}
	return list
}

func TestPolygons(t *testing.T) {
	var spiral []geom.Vec3
	for i := range 40 { // forward along one bank, back along the other
		a, r := float64(i)*0.4, 1+float64(i)*0.2
		spiral = append(spiral, geom.V(float32(r*math.Cos(a)), float32(r*math.Sin(a)), 0))
	}
	for i := 39; i >= 0; i-- {
		a, r := float64(i)*0.4, 1.5+float64(i)*0.2
		spiral = append(spiral, geom.V(float32(r*math.Cos(a)), float32(r*math.Sin(a)), 0))
	}
	tests := []struct {
		name    string
		corners []geom.Vec3
	}{
		{"square", flat(0, 0, 1, 0, 1, 1, 0, 1)},
		{"arrowhead", flat(0, 0, 2, 1, 0, 2, 1, 1)},
		{"arrowhead, concave first", flat(1, 1, 0, 0, 2, 1, 0, 2)},
		{"arrowhead, concave second", flat(0, 2, 1, 1, 0, 0, 2, 1)},
		{"L", flat(0, 0, 2, 0, 2, 1, 1, 1, 1, 2, 0, 2)},
		{"comb", flat(0, 0, 7, 0, 7, 5, 6, 5, 6, 1, 5, 1, 5, 5, 4, 5, 4, 1, 3, 1, 3, 5, 2, 5, 2, 1, 1, 1, 1, 5, 0, 5)},
		{"corners in a line", flat(0, 0, 1, 0, 2, 0, 2, 1, 2, 2, 1, 2, 0, 2, 0, 1)},
		{"a square with a hole and a bridge", flat(0, 0, 3, 0, 3, 3, 0, 3, 0, 0, 1, 1, 1, 2, 2, 2, 2, 1, 1, 1)},
		{"spiral", spiral},
	}
	planes := map[string]func(p geom.Vec3) geom.Vec3{
		"XY":          func(p geom.Vec3) geom.Vec3 { return p },
		"YX":          func(p geom.Vec3) geom.Vec3 { return geom.V(p.Y, p.X, 0) },
		"XZ":          func(p geom.Vec3) geom.Vec3 { return geom.V(p.X, 5, p.Y) },
		"ZX":          func(p geom.Vec3) geom.Vec3 { return geom.V(p.Y, 5, p.X) },
		"YZ":          func(p geom.Vec3) geom.Vec3 { return geom.V(-7, p.X, p.Y) },
		"ZY":          func(p geom.Vec3) geom.Vec3 { return geom.V(-7, p.Y, p.X) },
		"slanted":     func(p geom.Vec3) geom.Vec3 { return geom.V(p.X, p.X+p.Y, p.Y-2*p.X) },
		"far off":     func(p geom.Vec3) geom.Vec3 { return geom.V(p.X+4096, p.Y-8192, 1e6) },
		"tiny":        func(p geom.Vec3) geom.Vec3 { return p.Mul(1.0 / (1 << 40)) },
		"upside down": func(p geom.Vec3) geom.Vec3 { return geom.V(p.X, -p.Y, -p.X) },
	}
	for _, test := range tests {
		for plane, turn := range planes {
			t.Run(test.name+" in "+plane, func(t *testing.T) {
				corners := make([]geom.Vec3, len(test.corners))
				for i, c := range test.corners {
					corners[i] = turn(c)
				}
				requireCut(t, corners, decodePolygon(t, corners), 0)
			})
		}
	}
}

// A convex polygon becomes a fan, in which triangles have the same order as with other readers.
func TestConvexPolygonsBecomeFans(t *testing.T) {
	c := flat(1, 0, 3, 0, 4, 2, 2, 4, 0, 2)
	assert.Equal(t, []geom.Vec3{c[0], c[1], c[2], c[0], c[2], c[3], c[0], c[3], c[4]}, decodePolygon(t, c))
}

// Star-shaped polygons in any plane.
func TestStarShapedPolygons(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 40).Draw(t, "corners")
		axis := geom.V(
			rapid.Float32Range(-1, 1).Draw(t, "x"), rapid.Float32Range(-1, 1).Draw(t, "y"), rapid.Float32Range(-1, 1).Draw(t, "z"))
		turn := geom.Quat{X: axis.X, Y: axis.Y, Z: axis.Z, W: 1}
		var corners []geom.Vec3
		for i := range n {
			r := rapid.Float32Range(0.1, 1).Draw(t, "radius")
			a := 2 * math.Pi * float64(i) / float64(n)
			corners = append(corners, turn.Rotate(geom.V(r*float32(math.Cos(a)), r*float32(math.Sin(a)), 0)))
		}
		// Corners that were on a line are off it by the rounding of their coordinates, 2⁻²⁵ each,
		// of sides below 2: twice the area is off by less than 2⁻²¹.
		requireCut(t, corners, decodePolygon(t, corners), 0x1p-21)
	})
}

// A polygon without area or with crossing edges has no triangulation, but becomes n − 2 triangles.
func TestDegeneratePolygons(t *testing.T) {
	tests := []struct {
		name    string
		corners []geom.Vec3
	}{
		{"all in one point", flat(1, 1, 1, 1, 1, 1, 1, 1, 1, 1)},
		{"all in a line", flat(0, 0, 1, 0, 2, 0, 3, 0, 1.5, 0)},
		{"bow tie", flat(0, 0, 2, 1, 2, 0, 0, 1)},
		{"bow tie of unequal wings", flat(0, 0, 2, 2, 2, 0, 0, 1)},
		{"pentagram", flat(0, 1, 0.6, -0.8, -1, 0.3, 1, 0.3, -0.6, -0.8)},
		{"there and back", flat(0, 0, 1, 0, 1, 1, 1, 0, 0, 0, 0, 1)},
		{"not in a plane", []geom.Vec3{{}, {X: 1}, {X: 1, Y: 1, Z: 1}, {Y: 1}, {X: 0.4, Y: 0.5, Z: -1}}},
		{"huge", flat(-3e38, -3e38, 3e38, -3e38, 0, 0, -3e38, 3e38)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			assert.Len(t, decodePolygon(t, test.corners), 3*(len(test.corners)-2))
		})
	}
}

func TestPolygonLimits(t *testing.T) {
	testenv.NoRace(t)
	ring := func(n int, dent float64) []geom.Vec3 {
		var corners []geom.Vec3
		for i := range n {
			a, r := 2*math.Pi*float64(i)/float64(n), 1e6*(1+dent*float64(i%2))
			corners = append(corners, geom.V(float32(r*math.Cos(a)), float32(r*math.Sin(a)), 0))
		}
		return corners
	}
	t.Run("a convex one may have any number of corners", func(t *testing.T) {
		corners := ring(5000, 0)
		requireCut(t, corners, decodePolygon(t, corners), 0)
	})
	t.Run("a concave one up to 4,096", func(t *testing.T) {
		corners := ring(4096, 0.1)
		requireCut(t, corners, decodePolygon(t, corners), 0)
	})
	t.Run("and no more, where each ear has to be looked for among all", func(t *testing.T) {
		_, err := meshio.DecodeOBJ(strings.NewReader(polygonOBJ(ring(20000, 0.1))))
		require.ErrorContains(t, err, "meshio: line 20001: concave faces up to this one, of 20000 corners, take more than ")
		require.ErrorContains(t, err, " steps to divide, the limit of meshio.Limits")
	})
	t.Run("unless the caller allows it", func(t *testing.T) {
		corners := ring(6000, 0.1)
		text := polygonOBJ(corners)
		_, err := meshio.Limits{Steps: 1_000_000}.DecodeOBJ(strings.NewReader(text))
		require.ErrorContains(t, err, "take more than 1000000 steps to divide, the limit of meshio.Limits")
		_, err = meshio.Limits{Steps: 1 << 40}.DecodeOBJ(strings.NewReader(text))
		require.NoError(t, err)
		require.PanicsWithValue(t, "meshio: Limits: -1 Steps", func() { _, _ = meshio.Limits{Steps: -1}.DecodeOBJ(strings.NewReader(text)) })
	})
	t.Run("and the faces of a file count together", func(t *testing.T) {
		text := polygonOBJ(ring(2000, 0.1))
		face := text[strings.LastIndex(text[:len(text)-1], "\n"):]
		_, err := meshio.DecodeOBJ(strings.NewReader(text + strings.Repeat(face, 300)))
		require.ErrorContains(t, err, "the limit of meshio.Limits")
	})
}

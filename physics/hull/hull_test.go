package hull

import (
	"bufio"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// boxPoints returns the images of the corners of a box with half extents x, y and z.
func boxPoints(x, y, z float32, m geom.Affine) (p []geom.Vec3) {
	for i := range 8 {
		p = append(p, m.Point(geom.V(x*float32(i&1*2-1), y*float32(i&2-1), z*float32(i>>1&2-1))))
	}
	return p
}

// prism returns the corners of an upright prism with n sides.
func prism(n int, radius, height float64, m geom.Affine) (p []geom.Vec3) {
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		for _, y := range [2]float64{-height / 2, height / 2} {
			p = append(p, m.Point(geom.V(float32(radius*cos), float32(y), float32(radius*sin))))
		}
	}
	return p
}

// onSphere returns points distributed uniformly over a sphere (Vogel 1979, "A better way to
// construct the sunflower head").
func onSphere(n int, radius float64) (p []geom.Vec3) {
	for i := range n {
		y := 1 - (2*float64(i)+1)/float64(n)
		r := math.Sqrt(1 - y*y)
		sin, cos := math.Sincos(float64(i) * math.Pi * (3 - math.Sqrt(5)))
		p = append(p, geom.V(float32(radius*r*cos), float32(radius*y), float32(radius*r*sin)))
	}
	return p
}

func grid(n int) (p []geom.Vec3) {
	for i := range n * n * n {
		p = append(p, geom.V(float32(i%n), float32(i/n%n), float32(i/n/n)))
	}
	return p
}

// transformed returns the points transformed.
func transformed(by geom.Affine, points []geom.Vec3) (to []geom.Vec3) {
	for _, p := range points {
		to = append(to, by.Point(p))
	}
	return to
}

var identity = geom.AffineIdentity()

var turned = geom.Transform{Position: geom.V(3, -2, 7), Rotation: geom.QuatEuler(1, 2, 3)}.Affine()

func TestNew(t *testing.T) {
	for _, test := range []struct {
		name                   string
		points                 []geom.Vec3
		vertices, edges, faces int
		volume                 float64
	}{
		{"tetrahedron", []geom.Vec3{{}, {X: 1}, {Y: 1}, {Z: 1}}, 4, 6, 4, 1. / 6},
		{"tetrahedron inside out", []geom.Vec3{{}, {Y: 1}, {X: 1}, {Z: 1}}, 4, 6, 4, 1. / 6},
		{"at distances of exactly 1", []geom.Vec3{{X: -0.5}, {X: 0.5}, {Y: 0.5}, {Y: 0.25, Z: 0.5}}, 4, 6, 4, 1. / 24},
		{"1 high", []geom.Vec3{{X: -2}, {X: 2}, {Y: 1}, {Y: 0.25, Z: 1}}, 4, 6, 4, 2. / 3},
		{"a corner that is nearly, but not quite, in the plane of three", []geom.Vec3{
			{X: -1, Y: -1, Z: -1}, {X: 1, Y: -1, Z: -1}, {X: 1, Y: 1, Z: -1}, {X: -1, Y: 1, Z: -1},
			{X: -1, Y: -1}, {X: 1, Y: -1}, {X: 1, Y: 1, Z: 4.4 * 0x1p-24}, {X: -1, Y: 1}}, 8, 13, 7, 4},
		{"a corner in the plane of three", []geom.Vec3{
			{X: -1, Y: -1, Z: -1}, {X: 1, Y: -1, Z: -1}, {X: 1, Y: 1, Z: -1}, {X: -1, Y: 1, Z: -1},
			{X: -1, Y: -1}, {X: 1, Y: -1}, {X: 1, Y: 1, Z: 3.6 * 0x1p-24}, {X: -1, Y: 1}}, 8, 12, 6, 4},
		{"cube", boxPoints(1, 1, 1, identity), 8, 12, 6, 8},
		{"cube twice", append(boxPoints(1, 1, 1, identity), boxPoints(1, 1, 1, identity)...), 8, 12, 6, 8},
		{"turned box", boxPoints(1, 2, 3, turned), 8, 12, 6, 48},
		{"flat turned box", boxPoints(1, 2e-3, 3, turned), 8, 12, 6, 48e-3},
		{"long box", boxPoints(1e3, 1e-2, 1e-2, identity), 8, 12, 6, 0.8},
		{"grid", grid(5), 8, 12, 6, 64},
		{"turned grid", transformed(turned, grid(5)), 8, 12, 6, 64},
		{"box afar", boxPoints(1, 1, 1, geom.Affine{X: identity.X, Y: identity.Y, Z: identity.Z, Origin: geom.V(1e4, 0, -1e4)}), 8, 12, 6, 8},
		{"octahedron", []geom.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}}, 6, 12, 8, 4. / 3},
		{"needle with a tip as thin as rounding", []geom.Vec3{
			{X: 1, Y: 1e-05, Z: 6.1035156e-05}, {X: 1, Y: 3.8146973e-06, Z: 6.1035156e-05}, {X: 0.5, Y: 3.8146973e-06, Z: 6.1035156e-05},
			{X: -0.78125, Y: 1.1920929e-07, Z: 2.3841858e-07}, {X: -0.78515625, Y: 2.3841858e-07, Z: 2.3841858e-07}}, 5, 9, 6, 3.22e-11},
		{"pyramid", []geom.Vec3{{X: -1, Z: -1}, {X: 1, Z: -1}, {X: 1, Z: 1}, {X: -1, Z: 1}, {Y: 3}, {Y: 1}}, 5, 8, 5, 4},
		{"prism", prism(6, 1, 2, identity), 12, 18, 8, 3 * math.Sqrt(3)},
		{"turned prism of 40", prism(40, 1, 2, turned), 80, 120, 42, 40 * math.Sin(2*math.Pi/40)},
		{"ball", onSphere(1000, 1), 1000, 2994, 1996, 4. / 3 * math.Pi},
		{"tiny", boxPoints(1e-20, 1e-20, 1e-20, identity), 8, 12, 6, 8e-60},
		{"denormal", boxPoints(1e-43, 1e-43, 1e-43, identity), 8, 12, 6, 8 * math.Pow(float64(float32(1e-43)), 3)},
		{"huge", boxPoints(1e38, 1e38, 1e38, identity), 8, 12, 6, 8e114},
	} {
		t.Run(test.name, func(t *testing.T) {
			h, err := New(test.points)
			require.NoError(t, err)
			require.NoError(t, h.validate())
			assert.Equal(t, [3]int{test.vertices, test.edges, test.faces}, [3]int{h.NumVertices(), h.NumEdges(), h.NumFaces()})
			assert.InEpsilon(t, test.volume, h.Volume(), 0.02)
			checkAround(t, h, test.points)
		})
	}
}

// checkAround asserts that all points are in the hull, within four times its tolerance as in
// validate, and that its vertices are among them.
func checkAround(t require.TestingT, h *Hull, points []geom.Vec3) {
	known := map[geom.Vec3]bool{}
	for _, p := range points {
		known[p] = true
		most := math.Inf(-1) // outside of any face
		for f := range h.NumFaces() {
			n, d := h.Plane(f)
			most = max(most, n.Dot(p.Wide())-d)
		}
		require.LessOrEqual(t, most, 4*h.tolerance)
		require.True(t, h.Bounds().Grow(float32(4*h.tolerance)).Contains(p))
	}
	for _, v := range h.Vertices() {
		require.True(t, known[v])
	}
}

func TestNewErrors(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(-1))
	for name, test := range map[string]struct {
		points []geom.Vec3
		says   string
		flat   bool
	}{
		"none":           {nil, "hull: New: 0 points: a hull takes four: no volume", true},
		"three":          {make([]geom.Vec3, 3), "hull: New: 3 points: a hull takes four: no volume", true},
		"one place":      {make([]geom.Vec3, 9), "hull: New: 9 points, all within 0 of one point: no volume", true},
		"a line":         {[]geom.Vec3{{}, {X: 1}, {X: 2}, {X: 3}}, "hull: New: 4 points, all within 0 of one line: no volume", true},
		"a square":       {boxPoints(1, 1, 0, identity), "hull: New: 8 points, all within 0 of one plane: no volume", true},
		"NaN":            {[]geom.Vec3{{}, {X: 1}, {X: nan}, {X: 3}}, "hull: New: point 2: (NaN, 0, 0) is not finite", false},
		"infinity":       {[]geom.Vec3{{}, {X: 1}, {Z: 1}, {Z: inf}}, "hull: New: point 3: (0, 0, -Inf) is not finite", false},
		"too many":       {onSphere(MaxVertices+1, 1000), "hull: New: 16385 vertices: at most 16384 can be held", false},
		"a turned plate": {boxPoints(1, 1, 0, turned), "of one plane: no volume", true},
		"thin as dust":   {boxPoints(1000, 1000, 1e-5, identity), "of one plane: no volume", true},
	} {
		t.Run(name, func(t *testing.T) {
			h, err := New(test.points)
			require.ErrorContains(t, err, test.says)
			assert.Nil(t, h)
			if test.flat {
				require.ErrorIs(t, err, ErrFlat)
			}
		})
	}
}

func TestEmptyHull(t *testing.T) {
	var h Hull
	assert.True(t, h.IsEmpty())
	require.NoError(t, h.validate())
	assert.True(t, h.Bounds().IsEmpty())
	assert.False(t, h.Contains(geom.V(0, 0, 0)))
	assert.False(t, h.ClosestPoint(geom.V(0, 0, 0)).IsFinite())
	assert.Equal(t, float32(math.Inf(1)), h.Distance(geom.V(0, 0, 0)))
	assert.Equal(t, float32(math.Inf(1)), h.SignedDistance(geom.V(0, 0, 0)))
	_, ok := h.CastRay(geom.NewRay(geom.V(0, 0, 0), geom.V(1, 0, 0)), geom.Solid)
	assert.False(t, ok)
}

// Around a vertex there are as many faces as edges, each of them once.
func TestAround(t *testing.T) {
	h, err := New(prism(20, 1, 2, turned))
	require.NoError(t, err)
	for i := range h.NumVertices() {
		assert.Len(t, h.FacesAround(i), 3)
		seen := map[uint16]bool{}
		for _, e := range h.EdgesAround(i) {
			edge := h.Edges()[e]
			assert.Contains(t, []uint16{edge.A, edge.B}, uint16(i))
			seen[e] = true
		}
		assert.Len(t, seen, 3)
		for _, f := range h.FacesAround(i) {
			assert.Contains(t, h.Face(int(f)), uint16(i))
		}
	}
}

// A scanned mesh of tens of thousands of vertices.
func TestHullOfMesh(t *testing.T) {
	testenv.NoRace(t)
	m, err := meshFile(testenv.Data(t, "meshes/bunny.obj"))
	require.NoError(t, err)
	h, err := New(m)
	require.NoError(t, err)
	require.NoError(t, h.validate())
	checkAround(t, h, m)
	assert.Greater(t, h.NumVertices(), 500)
	t.Logf("%d points: %d vertices, %d faces", len(m), h.NumVertices(), h.NumFaces())
}

// meshFile reads the vertices of an OBJ file.
func meshFile(name string) (points []geom.Vec3, err error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var v geom.Vec3
		if n, _ := fmt.Sscanf(lines.Text(), "v %g %g %g", &v.X, &v.Y, &v.Z); n == 3 {
			points = append(points, v)
		}
	}
	return points, nil
}

// validate finds damage of every kind.
func TestValidateFindsDamage(t *testing.T) {
	for name, damage := range map[string]func(h *Hull){
		"edge lost":      func(h *Hull) { h.edges = h.edges[1:] },
		"edge elsewhere": func(h *Hull) { h.edges[3].A ^= 1 },
		"corners change": func(h *Hull) { h.faceVertices[0], h.faceVertices[1] = h.faceVertices[1], h.faceVertices[0] },
		"plane inside":   func(h *Hull) { h.planes[2].d -= 0.1 },
		"plane outside":  func(h *Hull) { h.planes[2].d += 0.1 },
		"plane turned":   func(h *Hull) { h.planes[2].normal = h.planes[2].normal.Neg() },
		"normal long":    func(h *Hull) { h.planes[2].normal = h.planes[2].normal.Mul(1.01) },
		"vertex moved":   func(h *Hull) { h.wide[4].X *= 0.9 },
		"inside out":     func(h *Hull) { h.volume = -h.volume },
		"wrong fan": func(h *Hull) {
			h.faceAround[0], h.faceAround[len(h.faceAround)-1] = 5, 5
			h.faceAround[1], h.faceAround[2] = 5, 4
		},
		"wrong spoke":   func(h *Hull) { h.edgeAround[0] = h.edgeAround[len(h.edgeAround)-1] },
		"lonely vertex": func(h *Hull) { h.adjacentStart[1] = h.adjacentStart[0] },
	} {
		t.Run(name, func(t *testing.T) {
			h, err := New(boxPoints(1, 2, 3, turned))
			require.NoError(t, err)
			damage(h)
			require.Error(t, h.validate())
		})
	}
}

func drawPoints(t *rapid.T) []geom.Vec3 {
	unit := rapid.Float32Range(-1, 1)
	var point *rapid.Generator[geom.Vec3]
	switch rapid.IntRange(0, 3).Draw(t, "kind") {
	case 0: // anywhere
		point = rapid.Custom(func(t *rapid.T) geom.Vec3 { return geom.V(unit.Draw(t, "x"), unit.Draw(t, "y"), unit.Draw(t, "z")) })
	case 1: // on a small grid, so that many lie in one plane and on one line
		step := rapid.IntRange(-2, 2)
		point = rapid.Custom(func(t *rapid.T) geom.Vec3 {
			return geom.V(float32(step.Draw(t, "x")), float32(step.Draw(t, "y")), float32(step.Draw(t, "z")))
		})
	case 2: // on the faces of a rotated box, within rounding
		point = rapid.Custom(func(t *rapid.T) geom.Vec3 {
			p := geom.V(unit.Draw(t, "x"), unit.Draw(t, "y"), unit.Draw(t, "z"))
			axis := geom.Axis(rapid.IntRange(0, 2).Draw(t, "axis"))
			return turned.Point(p.WithAxis(axis, float32(rapid.IntRange(0, 1).Draw(t, "side")*2-1)))
		})
	default: // almost in a plane
		thin := rapid.Float32Range(-1e-5, 1e-5)
		point = rapid.Custom(func(t *rapid.T) geom.Vec3 { return geom.V(unit.Draw(t, "x"), thin.Draw(t, "y"), unit.Draw(t, "z")) })
	}
	return rapid.SliceOfN(point, 4, 60).Draw(t, "points")
}

// For any points, the hull is valid and contains all of them, and the hull of its vertices is the
// same. The furthest vertex is as far as the furthest point, except for points that were merged
// within the tolerance.
func TestHullProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		points := drawPoints(t)
		h, err := New(points)
		if err != nil {
			require.ErrorIs(t, err, ErrFlat)
			return
		}
		require.NoError(t, h.validate())
		checkAround(t, h, points)
		again, err := New(h.Vertices())
		require.NoError(t, err)
		require.Equal(t, h, again)
		for range 5 {
			r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
			d := geom.DVec3{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}
			far := math.Inf(-1)
			for _, p := range points {
				far = max(far, p.Wide().Dot(d))
			}
			for _, i := range []int{h.Support(d, 0), h.climb(d, r.IntN(h.NumVertices()))} {
				require.InDelta(t, far, h.Vertex(i).Dot(d), 4*h.tolerance*d.Len())
			}
		}
	})
}

// The order of the points does not matter: the faces are the same, under other indices.
func TestOrderDoesNotMatter(t *testing.T) {
	r := testenv.Rand(1, 2)
	for range 50 {
		points := append(transformed(turned, grid(4)), onSphere(30, 4)...)
		h, err := New(points)
		require.NoError(t, err)
		r.Shuffle(len(points), func(i, j int) { points[i], points[j] = points[j], points[i] })
		g, err := New(points)
		require.NoError(t, err)
		assert.ElementsMatch(t, h.Vertices(), g.Vertices())
		assert.Equal(t, h.NumFaces(), g.NumFaces())
		assert.InEpsilon(t, h.Volume(), g.Volume(), 1e-6)
		assert.InDelta(t, 0, h.CenterOfMass().Distance(g.CenterOfMass()), 1e-6)
	}
}

func TestCenterOfMass(t *testing.T) {
	h, err := New([]geom.Vec3{{X: 1, Y: 1, Z: 1}, {X: 5, Y: 1, Z: 1}, {X: 1, Y: 9, Z: 1}, {X: 1, Y: 1, Z: 3}})
	require.NoError(t, err)
	assert.InDelta(t, 0, h.CenterOfMass().Distance(geom.V(2, 3, 1.5)), 1e-6)
	h, err = New(boxPoints(1, 2, 3, turned))
	require.NoError(t, err)
	assert.InDelta(t, 0, h.CenterOfMass().Distance(turned.Origin), 1e-6)
}

// orient and exactDet against the sign of a determinant of small integers.
func TestOrient(t *testing.T) {
	r := testenv.Rand(5, 6)
	zeros := 0
	for range 20000 {
		var v [4]geom.DVec3
		var n [4][3]int64
		for i := range v {
			for k := range 3 {
				n[i][k] = r.Int64N(5)
			}
			v[i] = geom.DVec3{X: float64(n[i][0]), Y: float64(n[i][1]), Z: float64(n[i][2])}
		}
		minus := func(i, j, k int) int64 { return n[i][k] - n[j][k] }
		det := int64(0)
		for k := range 3 {
			l, m := (k+1)%3, (k+2)%3
			det += minus(3, 0, k) * (minus(1, 0, l)*minus(2, 0, m) - minus(1, 0, m)*minus(2, 0, l))
		}
		want := 0
		if det != 0 {
			want = int(det / max(det, -det))
		} else {
			zeros++
		}
		require.Equal(t, want, orient(v[0], v[1], v[2], v[3]))
		require.Equal(t, -want, exactDet(v[0], v[1], v[2], v[3]).Sign())
	}
	testenv.Drawn(t, zeros, 1000)
	// One bit off the plane x + y + z = 3, far from the origin: rounding in double precision
	// exceeds the determinant.
	inPlane := func(x, y int64) geom.DVec3 { return geom.DVec3{X: float64(x), Y: float64(y), Z: float64(3 - x - y)} }
	far := func() int64 { return r.Int64N(1<<24) - 1<<23 }
	for range 100 {
		a, b, c, x := inPlane(far(), far()), inPlane(far(), far()), inPlane(far(), far()), far()
		for _, off := range []float64{-0x1p-149, 0, 0x1p-149} {
			p, further := inPlane(x, 0), inPlane(x, 0)
			p.Y, further.Y = off, off*0x1p149
			require.Equal(t, orient(a, b, c, further), orient(a, b, c, p))
		}
	}
}

func FuzzNew(f *testing.F) {
	f.Add([]byte("0123456789abcdefghijklmnopqrstuvwxyz0123456789"), float32(1))
	f.Add(make([]byte, 100), float32(1e30))
	f.Fuzz(func(t *testing.T, data []byte, scale float32) {
		var points []geom.Vec3
		for ; len(data) >= 3 && len(points) < 64; data = data[3:] {
			points = append(points, geom.V(float32(int8(data[0]))*scale, float32(int8(data[1]))*scale, float32(int8(data[2])/16)*scale))
		}
		h, err := New(points)
		if err != nil {
			require.ErrorContains(t, err, "hull: New: ")
			return
		}
		require.NoError(t, h.validate())
		checkAround(t, h, points)
	})
}

func BenchmarkNew(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	cloud := make([]geom.Vec3, 10000)
	for i := range cloud {
		cloud[i] = geom.V(float32(r.NormFloat64()), float32(r.NormFloat64()), float32(r.NormFloat64()))
	}
	for name, points := range map[string][]geom.Vec3{"bunny": nil, "cube": boxPoints(1, 1, 1, turned), "ball256": onSphere(256, 1), "cloud10000": cloud, "grid1000": grid(10)} {
		b.Run(name, func(b *testing.B) {
			if name == "bunny" {
				var err error
				points, err = meshFile(testenv.Data(b, "meshes/bunny.obj"))
				require.NoError(b, err)
			}
			for b.Loop() {
				if _, err := New(points); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkSupport shows the number of vertices from which hill climbing is faster, for unrelated
// directions.
func BenchmarkSupport(b *testing.B) {
	dirs := onSphere(100, 1)
	for _, n := range []int{8, 16, 32, 64, 256, 1024} {
		h, err := New(onSphere(n, 1))
		require.NoError(b, err)
		for name, hint := range map[string]bool{"from 0": false, "from the last": true} {
			b.Run(fmt.Sprintf("%d/%s", n, name), func(b *testing.B) {
				i, last := 0, 0
				for b.Loop() {
					i = (i + 1) % len(dirs)
					v := h.climb(dirs[i].Wide(), last)
					if hint {
						last = v
					}
				}
			})
		}
		b.Run(fmt.Sprintf("%d/Support", n), func(b *testing.B) {
			i := 0
			for b.Loop() {
				i = (i + 1) % len(dirs)
				h.Support(dirs[i].Wide(), 0)
			}
		})
	}
}

// TestBluntness compares it with that of a box and a regular tetrahedron, whose faces meet at 90°
// and at 70.5°.
func TestBluntness(t *testing.T) {
	var box, tetrahedron []geom.Vec3
	for i := range 8 {
		p := geom.V(float32(i&1), float32(i>>1&1), float32(i>>2))
		if box = append(box, p); (i^i>>1^i>>2)&1 == 0 {
			tetrahedron = append(tetrahedron, p)
		}
	}
	for want, points := range map[float64][]geom.Vec3{math.Sqrt2 / 2: box, math.Sqrt(1. / 3): tetrahedron} {
		h, err := New(points)
		require.NoError(t, err)
		require.InDelta(t, want, h.Bluntness(), 1e-12)
	}
	require.Zero(t, new(Hull).Bluntness())
}

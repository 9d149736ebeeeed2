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

// Silhouette edges and strokes, without a graphics card. outline_exact_test.go tests the images.

func TestSilhouetteEdges(t *testing.T) {
	sphere, box := of(mesh.Icosphere(1, 2)), of(mesh.Box(geom.V(1, 1, 1)))
	a, b, c, d := geom.V(0, 0, 0), geom.V(1, 0, 0), geom.V(0, 1, 0), geom.V(0, 0, 1)
	for name, x := range map[string]struct {
		body
		edges, open int // edges, and those without two triangles of the same orientation
	}{
		"box":                         {box, 18, 0},
		"box, triangles apart":        {apart(box), 18, 0},
		"sphere":                      {sphere, 480, 0},
		"sphere, triangles apart":     {apart(sphere), 480, 0},
		"two in one place":            {join(box, box), 18, 18},
		"triangle":                    {of([]geom.Vec3{a, b, c}, []uint32{0, 1, 2}), 3, 3},
		"two":                         {of([]geom.Vec3{a, b, c, d}, []uint32{0, 1, 2, 1, 0, 3}), 5, 4},
		"two that disagree":           {of([]geom.Vec3{a, b, c, d}, []uint32{0, 1, 2, 0, 1, 3}), 5, 5},
		"three at one edge":           {of([]geom.Vec3{a, b, c, d, d.Neg()}, []uint32{0, 1, 2, 1, 0, 3, 0, 1, 4}), 7, 7},
		"−0 and 0 are one place":      {of([]geom.Vec3{a, b, c, d, a.Neg()}, []uint32{0, 1, 2, 1, 4, 3}), 5, 4},
		"between neighbours, a point": {of([]geom.Vec3{a, b, c, d}, []uint32{0, 1, 2, 0, 1, 1, 1, 0, 3}), 5, 4},
	} {
		alone := 0
		m := newMeshSilhouette(x.vertices, x.indices)
		for _, e := range m.edges {
			if e.right < 0 {
				alone++
			}
		}
		assert.Equal(t, x.edges, len(m.edges), name)
		assert.Equal(t, x.open, alone, name)
	}
	for _, l := range roundLevels {
		for _, e := range newRoundedSilhouette(capsuleForm(l.segments)).edges {
			require.GreaterOrEqual(t, e.right, int32(0), "%d segments: closed", l.segments)
		}
	}
	edges := newRoundedSilhouette(boxForm()).edges
	assert.Len(t, edges, 18)
	for _, e := range edges {
		require.GreaterOrEqual(t, e.right, int32(0), "box: closed")
	}
}

// seen returns a view of a mesh at the origin, in an image of 800 × 800 pixels, and a stroker for
// its silhouette.
func seen(t testing.TB, b body, eye geom.Vec3) (*silhouetteView, *stroker) {
	t.Helper()
	m, err := mesh.New(b.vertices, b.indices)
	require.NoError(t, err)
	f, ok := newFrame(viewFrom(eye, geom.Vec3{}, projection, square(800)))
	require.True(t, ok)
	const radius = 3
	v, ok := f.silhouetteView(&item{kind: itemTriangles, source: triangleSource{mesh: m}, model: geom.Mat4Identity()}, radius)
	require.True(t, ok)
	return &v, &stroker{halfWidth: 400, halfHeight: 400, radius: radius}
}

// Inside the silhouette hardly any line is drawn, so the cost of an outline grows with its length.
func TestSilhouetteIsThin(t *testing.T) {
	s := of(mesh.Icosphere(1, 5))
	v, stroke := seen(t, s, geom.V(3, 4, 12)) // from 13 m
	m := newMeshSilhouette(s.vertices, s.indices)
	m.draw(stroke, v)
	assert.Less(t, len(stroke.corners)/3, len(m.edges)/20)
	circle := 400 / math.Tan(0.35) * math.Tan(math.Asin(1.0/13))
	for _, c := range stroke.corners {
		require.InDelta(t, circle, math.Hypot(float64(c.X), float64(c.Y))*400, stroke.radius+1)
	}
	first := len(stroke.corners)
	m.draw(stroke, v)
	assert.Equal(t, stroke.corners[:first], stroke.corners[first:], "nothing is left from the first time")
}

// The strokes of two lines that meet cover exactly the places within their radius of the lines.
func TestStroker(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := func(what string, most float64) float64 { return rapid.Float64Range(-most, most).Draw(t, what) }
		spot := func(what string, reach float64) geom.DVec3 {
			return geom.DVec3{X: number(what, reach), Y: number(what, reach)}
		}
		a, b, c := spot("a", 10), spot("b", 10), spot("c", 10)
		stroke := stroker{halfWidth: 1, halfHeight: 1, radius: rapid.Float64Range(0.5, 12).Draw(t, "radius")}
		u, v := stroke.line(b, a), stroke.line(b, c)
		stroke.joint(b, u, v)
		stroke.cap(a, u.Neg())
		stroke.cap(c, v.Neg())
		for range 30 {
			p := spot("p", 25)
			q := point2{p.X, p.Y}
			d := min(q.distanceToSegment(point2{a.X, a.Y}, point2{b.X, b.Y}), q.distanceToSegment(point2{c.X, c.Y}, point2{b.X, b.Y}))
			got := math.Inf(1)
			for i := 0; i < len(stroke.corners); i += 3 {
				var corners []point2
				for _, c := range stroke.corners[i : i+3] {
					corners = append(corners, point2{float64(c.X), float64(c.Y)})
				}
				got = min(got, q.distanceToPolygon(corners))
			}
			// Corners below 32 pixels are rounded to single precision, by 2⁻²⁰ pixels on each axis.
			const rounding = 2 * 0x1p-20
			if d < stroke.radius-maxSagitta-rounding {
				require.Less(t, got, rounding, "%v is %g from the lines", p, d)
			}
			if d > stroke.radius+rounding {
				require.Positive(t, got, "%v is %g from the lines", p, d)
			}
		}
	})
}

func FuzzSilhouette(f *testing.F) {
	f.Add([]byte{0, 1, 2, 2, 1, 0, 3, 4, 5})
	f.Add([]byte{3, 3, 3, 0, 5, 6, 7, 1, 2})
	vertices, _ := mesh.Box(geom.V(1, 1, 1))
	f.Fuzz(func(t *testing.T, data []byte) {
		b := body{vertices: vertices}
		for _, i := range data[:len(data)/3*3] {
			b.indices = append(b.indices, uint32(i)%uint32(len(vertices)))
		}
		if len(b.indices) == 0 {
			return
		}
		m := newMeshSilhouette(b.vertices, b.indices)
		for _, e := range m.edges {
			for _, triangle := range []int32{e.left, e.right} {
				if triangle < 0 {
					continue
				}
				corners := m.indices[3*triangle : 3*triangle+3]
				require.Contains(t, corners, e.a)
				require.Contains(t, corners, e.b)
			}
		}
		v, stroke := seen(t, b, geom.V(0, 0, 1)) // in the face of some
		m.draw(stroke, v)
		for _, c := range stroke.corners {
			require.True(t, c.IsFinite())
		}
	})
}

// BenchmarkSilhouette compares finding the silhouette edges with drawing every edge, the
// brute-force reference.
func BenchmarkSilhouette(b *testing.B)      { benchmarkSilhouette(b, false) }
func BenchmarkSilhouetteBrute(b *testing.B) { benchmarkSilhouette(b, true) }

func benchmarkSilhouette(b *testing.B, brute bool) {
	s := model(b, "dragon")
	v, stroke := seen(b, s, geom.V(-1, 1, 3))
	m := newMeshSilhouette(s.vertices, s.indices)
	if brute {
		for i := range m.edges {
			m.edges[i].right = -1
		}
	}
	for b.Loop() {
		stroke.corners = stroke.corners[:0]
		m.draw(stroke, v)
	}
	b.ReportMetric(float64(len(stroke.corners)/3), "triangles")
}

// The work when a mesh is outlined for the first time.
func BenchmarkNewSilhouette(b *testing.B) {
	s := model(b, "dragon")
	for b.Loop() {
		newMeshSilhouette(s.vertices, s.indices)
	}
}

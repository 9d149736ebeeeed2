package mesh

import (
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

const (
	open = math.MaxFloat32
	// Between two stored bends; the hundredth covers the rounding of the reference.
	step = 1.01 / 32767
)

// even returns a bend in the scale in which bends are stored.
func even(b float64) float64 { return b / (1 + math.Abs(b)) }

// bendTwin computes the bend at an edge from the angles of all triangles around the edge: the
// brute-force reference, which the result must match within the tolerance.
func bendTwin(all []geom.Triangle, i, edge int) float64 {
	corners := func(t geom.Triangle) [3]geom.Vec3 { return [3]geom.Vec3{t.A, t.B, t.C} }
	c := corners(all[i])
	a, b, apex := c[edge], c[(edge+1)%3], c[(edge+2)%3]
	axis := b.Wide().Sub(a.Wide()).Normalize()
	across := func(p geom.Vec3) geom.DVec3 {
		d := p.Wide().Sub(a.Wide())
		return d.AddMul(-d.Dot(axis), axis)
	}
	flat := across(apex).Normalize()
	up := axis.Cross(flat)
	front, back := math.Inf(1), math.Inf(1) // angles to the next triangle, seen from either side
	for _, t := range all {
		o := corners(t)
		for k := range o {
			p, q, r := o[k], o[(k+1)%3], o[(k+2)%3]
			if (p == a && q == b || p == b && q == a) && r != apex && r != a && r != b {
				d := across(r)
				turn := math.Atan2(d.Dot(up), d.Dot(flat)) // 0: onto itself, ±π: flat
				if turn < 0 {
					turn += 2 * math.Pi
				}
				front, back = min(front, turn), min(back, 2*math.Pi-turn)
			}
		}
	}
	switch {
	case math.IsInf(front, 1):
		return open
	case front > math.Pi:
		return math.Tan((front - math.Pi) / 2)
	case back > math.Pi:
		return -math.Tan((back - math.Pi) / 2)
	}
	return 0
}

func requireBends(t require.TestingT, m *Mesh) {
	all := make([]geom.Triangle, m.NumTriangles())
	for i := range all {
		all[i] = m.Triangle(i)
	}
	for i := range all {
		got := m.EdgeConvexity(i)
		for k := range got {
			want := bendTwin(all, i, k)
			require.InDelta(t, even(want), even(float64(got[k])), step, "triangle %d %v edge %d", i, all[i], k)
			require.Equal(t, want == open, got[k] == open, "triangle %d edge %d", i, k)
			require.Equal(t, want == open, m.AdjacentVertices(i)[k] < 0, "triangle %d edge %d", i, k)
		}
	}
}

// split returns the same triangles with corners that share no index.
func split(vertices []geom.Vec3, indices []uint32) ([]geom.Vec3, []uint32) {
	var v []geom.Vec3
	var x []uint32
	for _, i := range indices {
		x = append(x, uint32(len(v)))
		v = append(v, vertices[i])
	}
	return v, x
}

func TestBends(t *testing.T) {
	for name, test := range map[string]func() ([]geom.Vec3, []uint32){
		"box":       func() ([]geom.Vec3, []uint32) { return Box(geom.V(1, 2, 3)) },
		"icosphere": func() ([]geom.Vec3, []uint32) { return Icosphere(1, 2) },
		"uv sphere": func() ([]geom.Vec3, []uint32) { return UVSphere(1, 12, 8) },
		"torus":     func() ([]geom.Vec3, []uint32) { return Torus(3, 1, 20, 10) },
		"capsule":   func() ([]geom.Vec3, []uint32) { return Capsule(1, 0.5, 12, 6) },
	} {
		t.Run(name, func(t *testing.T) {
			joined, apart := mustNew(t, first(test()), second(test())), mustNew(t, first(split(test())), second(split(test())))
			apart.AdjacentVertices(0) // from which its bends are computed then
			requireBends(t, joined)
			requireBends(t, apart)
			for i := range joined.NumTriangles() {
				require.Equal(t, joined.EdgeConvexity(i), apart.EdgeConvexity(i), "indices don't matter")
			}
		})
	}
}

// A small number of positions makes every case: several triangles at an edge, duplicates, flipped
// ones, folds.
func TestBendsOfTangles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		coordinate := rapid.Custom(func(t *rapid.T) float32 { return float32(rapid.IntRange(-1, 1).Draw(t, "c")) })
		n := rapid.IntRange(3, 8).Draw(t, "vertices")
		v := make([]geom.Vec3, n)
		for i := range v {
			v[i] = geom.V(coordinate.Draw(t, "x"), coordinate.Draw(t, "y"), coordinate.Draw(t, "z"))
		}
		var x []uint32
		for range rapid.IntRange(1, 12).Draw(t, "triangles") {
			var c [3]uint32
			for k := range c {
				c[k] = uint32(rapid.IntRange(0, n-1).Draw(t, "corner"))
			}
			// Degenerate triangles have a test of their own, as have those that lie on each other,
			// and edges with a vertex in their middle.
			if a := v[c[1]].Sub(v[c[0]]).Cross(v[c[2]].Sub(v[c[0]])); a != (geom.Vec3{}) && !isHalved(v, c) {
				x = append(x, c[:]...)
			}
		}
		if len(x) == 0 {
			return // no triangle, so no mesh
		}
		m, err := New(v, x)
		require.NoError(t, err)
		folded := false
		for i := range m.NumTriangles() {
			folded = folded || hasFold(m, i)
		}
		if !folded {
			requireBends(t, m)
		}
	})
}

// isHalved reports whether a vertex lies in the middle of an edge.
func isHalved(v []geom.Vec3, corners [3]uint32) bool {
	for k, c := range corners {
		if slices.Contains(v, v[c].Add(v[corners[(k+1)%3]]).Mul(0.5)) {
			return true
		}
	}
	return false
}

// hasFold reports whether another triangle, no duplicate, lies flat on a triangle, with a common
// edge.
func hasFold(m *Mesh, i int) bool {
	a := m.Triangle(i)
	for j := range m.NumTriangles() {
		b := m.Triangle(j)
		shared, other := 0, geom.Vec3{}
		for _, p := range [3]geom.Vec3{b.A, b.B, b.C} {
			if p == a.A || p == a.B || p == a.C {
				shared++
			} else {
				other = p
			}
		}
		n := a.B.Sub(a.A).Cross(a.C.Sub(a.A))
		if shared == 2 && other.Sub(a.A).Dot(n) == 0 {
			for _, e := range [3][3]geom.Vec3{{a.A, a.B, a.C}, {a.B, a.C, a.A}, {a.C, a.A, a.B}} {
				if has(b, e[0]) && has(b, e[1]) && e[1].Sub(e[0]).Cross(n).Dot(other.Sub(e[0])) < 0 {
					return true
				}
			}
		}
	}
	return false
}

func has(t geom.Triangle, p geom.Vec3) bool { return t.A == p || t.B == p || t.C == p }

func TestBendsAtOddEdges(t *testing.T) {
	testenv.NoRace(t)
	v := []geom.Vec3{
		// Faces up; the edge is from 0 to 1.
		0: geom.V(0, 0, 0), 1: geom.V(0, 0, 1), 2: geom.V(1, 0, 0),
		3: geom.V(-1, 0, 0), 4: geom.V(0, 1, 0), 5: geom.V(0, -1, 0),
		6: geom.V(0, 0, 0.5), 7: geom.V(0.5, 0, 0), 8: geom.V(-1, 1, 0), 9: geom.V(0, 0, 0),
		10: geom.V(-1, -1, 0), 11: geom.V(0, float32(math.Copysign(0, -1)), 1),
	}
	tan := func(degrees float64) float64 { return math.Tan(degrees * math.Pi / 360) }
	for name, test := range map[string]struct {
		others []uint32
		want   float64
		across int32
	}{
		"nothing":                    {nil, open, -1},
		"flat":                       {[]uint32{0, 1, 3}, 0, 3},
		"flat, wound rightly":        {[]uint32{1, 0, 3}, 0, 3},
		"down":                       {[]uint32{1, 0, 5}, 1, 5},
		"up":                         {[]uint32{1, 0, 4}, -1, 4},
		"split indices":              {[]uint32{1, 9, 4}, -1, 4},
		"-0 is 0":                    {[]uint32{11, 9, 4}, -1, 4},
		"a copy":                     {[]uint32{0, 1, 2}, open, -1},
		"a copy turned":              {[]uint32{0, 2, 1}, open, -1},
		"a copy and down":            {[]uint32{0, 2, 1, 1, 0, 5}, 1, 5},
		"down and up":                {[]uint32{1, 0, 5, 1, 0, 4}, 0, 0},
		"down twice":                 {[]uint32{1, 0, 5, 1, 0, 10}, tan(45), 10},
		"up twice":                   {[]uint32{1, 0, 4, 1, 0, 8}, -tan(45), 8},
		"a wall on a floor":          {[]uint32{1, 0, 3, 1, 0, 4}, 0, 3},
		"folded":                     {[]uint32{1, 0, 7}, open, 7},
		"folded and up":              {[]uint32{1, 0, 7, 1, 0, 4}, -1, 4},
		"T-junction":                 {[]uint32{0, 6, 3, 6, 1, 3}, 0, 3},
		"T-junction, filled":         {[]uint32{0, 6, 3, 6, 1, 3, 0, 1, 6}, 0, 0},
		"a point of a triangle":      {[]uint32{0, 1, 1}, open, -1},
		"one without area, and down": {[]uint32{0, 1, 6, 1, 0, 5}, 1, 5},
	} {
		t.Run(name, func(t *testing.T) {
			m := mustNew(t, v, append([]uint32{0, 1, 2}, test.others...))
			assert.InDelta(t, even(test.want), even(float64(m.EdgeConvexity(0)[0])), step)
			assert.Equal(t, test.across, m.AdjacentVertices(0)[0])
			assert.Equal(t, float32(open), m.EdgeConvexity(0)[1])
			for i := range m.NumTriangles() {
				m.EdgeConvexity(i)
				m.AdjacentVertices(i)
			}
		})
	}
	// Many on one edge are flat, and are not compared with each other.
	var many []geom.Vec3
	var x []uint32
	many = append(many, geom.V(0, 0, 0), geom.V(0, 0, 1))
	for i := range uint32(200_000) {
		r := float64(i) / 1e5
		many = append(many, geom.V(float32(math.Cos(r)), float32(math.Sin(r)), 0))
		x = append(x, 0, 1, i+2)
	}
	assert.Equal(t, [3]float32{0, open, open}, mustNew(t, many, x).EdgeConvexity(7))
	for i := range x {
		x[i] %= 3
	}
	assert.Equal(t, [3]float32{open, open, open}, mustNew(t, many, x).EdgeConvexity(7))
}

// A floor a kilometre away, or a hundred, is flat, although its vertices are rounded.
func TestBendsOfFarFloor(t *testing.T) {
	for _, far := range []float32{1, 1e3, 1e5} {
		r := testenv.Rand(1, 2)
		turn := geom.QuatEuler(0.3, 0.2, 0.1)
		vertices, indices := Plane(20, 20, 20, 20)
		for i, v := range vertices {
			v.X += 0.3 * r.Float32()
			v.Z += 0.3 * r.Float32()
			vertices[i] = turn.Rotate(v).Add(geom.V(far, 2*far, 3*far))
		}
		m := mustNew(t, vertices, indices)
		flat := 0
		for i := range m.NumTriangles() {
			for _, b := range m.EdgeConvexity(i) {
				if b != open {
					require.Zero(t, b, "at %g m", far)
					flat++
				}
			}
		}
		testenv.Drawn(t, flat, 2000)
	}
	// A turn of a tenth of a degree is a bend.
	v := []geom.Vec3{{X: 1}, {Z: 1}, {X: -1}, {Z: -1, Y: 0.0017}}
	b := mustNew(t, v, []uint32{0, 2, 1, 0, 3, 2}).EdgeConvexity(0)[0]
	// Bends near 0 are stored in steps of 2⁻¹⁵.
	assert.InDelta(t, -0.0017/2, b, 0x1p-15)
}

// The adjacent vertices are the same under any map, and the bends computed with them are those of
// the mapped mesh.
func TestAcrossUnderMaps(t *testing.T) {
	r := testenv.Rand(3, 4)
	for range 20 {
		vertices, indices := split(Icosphere(1, 2))
		m := mustNew(t, vertices, indices)
		to := geom.Transform{Rotation: geom.QuatEuler(r.Float64(), r.Float64(), r.Float64()), Scale: geom.V(1+r.Float32(), -1-r.Float32(), 3)}.Affine()
		mapped := make([]geom.Vec3, len(vertices))
		for i, v := range vertices {
			mapped[i] = to.Point(v)
		}
		other := mustNew(t, mapped, indices)
		for i := range m.NumTriangles() {
			require.Equal(t, m.AdjacentVertices(i), other.AdjacentVertices(i))
		}
	}
}

func TestBendsFollowARefit(t *testing.T) {
	vertices, indices := Icosphere(1, 2)
	m, refitted := mustNew(t, vertices, indices), new(Mesh)
	for i := range 3 {
		for k := range vertices {
			vertices[k] = vertices[k].MulVec(geom.V(1, 1+0.5*float32(i), 1))
		}
		require.NoError(t, m.Refit(refitted, vertices))
		requireBends(t, refitted)
	}
}

func TestBendsFromManyGoroutines(t *testing.T) {
	m := mustNew(t, first(Torus(3, 1, 60, 40)), second(Torus(3, 1, 60, 40)))
	want := mustNew(t, m.Vertices(), m.Indices())
	var all sync.WaitGroup
	for k := range 8 {
		all.Go(func() {
			for i := range m.NumTriangles() {
				j := (i*7 + k*911) % m.NumTriangles()
				assert.Equal(t, want.EdgeConvexity(j), m.EdgeConvexity(j))
				assert.Equal(t, want.AdjacentVertices(j), m.AdjacentVertices(j))
			}
		})
	}
	all.Wait()
}

func TestBendsMisuse(t *testing.T) {
	m := mustNew(t, first(Box(geom.V(1, 1, 1))), second(Box(geom.V(1, 1, 1))))
	assert.PanicsWithValue(t, "mesh: Mesh.EdgeConvexity: no triangle 12 of 12", func() { m.EdgeConvexity(12) })
	assert.PanicsWithValue(t, "mesh: Mesh.AdjacentVertices: no triangle -1 of 12", func() { m.AdjacentVertices(-1) })
	m.EdgeConvexity(0)
	testenv.AllocatesNothing(t, 10, func() { m.EdgeConvexity(3) })
}

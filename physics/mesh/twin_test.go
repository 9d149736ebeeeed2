package mesh

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/measuring"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// The brute-force references, which test every triangle, and the scenes and rays of the tests.

// castAllTwin is CastRayAll without the tree.
func castAllTwin(m *Mesh, r geom.Ray, cull geom.Cull) []geom.Hit {
	var hits []geom.Hit
	q, ok := m.tree.Ray(r, cull)
	if !ok {
		return nil
	}
	low, high := q.Range()
	for i := range m.NumTriangles() {
		if h, ok := q.Cast(r, cull, m.Triangle(i), int32(i)); ok && low <= h.T && h.T <= high {
			hit := m.Triangle(i).Hit(r, h.T, h.U, h.V, h.BackFace)
			hit.Triangle = int32(i)
			hits = append(hits, hit)
		}
	}
	sortHits(hits)
	return hits
}

// castAllGeom uses geom alone, without boxes.
func castAllGeom(m *Mesh, r geom.Ray, cull geom.Cull) []geom.Hit {
	var hits []geom.Hit
	for i := range m.NumTriangles() {
		if h, ok := m.Triangle(i).CastRay(r, cull); ok {
			h.Triangle = int32(i)
			hits = append(hits, h)
		}
	}
	sortHits(hits)
	return hits
}

func sortHits(hits []geom.Hit) {
	slices.SortFunc(hits, func(g, h geom.Hit) int {
		return cmp.Or(cmp.Compare(g.T, h.T), cmp.Compare(g.Triangle, h.Triangle))
	})
}

// same compares bits: −0 is not 0 here.
func same(g, h geom.Hit) bool {
	bits := func(v geom.Vec3) [3]uint32 {
		return [3]uint32{math.Float32bits(v.X), math.Float32bits(v.Y), math.Float32bits(v.Z)}
	}
	return math.Float32bits(g.T) == math.Float32bits(h.T) && bits(g.Point) == bits(h.Point) && bits(g.Normal) == bits(h.Normal) &&
		math.Float32bits(g.U) == math.Float32bits(h.U) && math.Float32bits(g.V) == math.Float32bits(h.V) &&
		g.Triangle == h.Triangle && g.BackFace == h.BackFace && g.Inside == h.Inside
}

// requireCasts compares every form of ray cast with the expected hits.
func requireCasts(t require.TestingT, m *Mesh, r geom.Ray, cull geom.Cull, want []geom.Hit, buffer []geom.Hit) []geom.Hit {
	all := m.CastRayAll(buffer[:0], r, cull)
	require.Truef(t, slices.EqualFunc(want, all, same), "ray %v %v\nall  %v\nwant %v", r, cull, all, want)
	closest, ok := m.CastRay(r, cull)
	require.Equalf(t, len(want) > 0, ok, "closest of %v %v", r, cull)
	if ok {
		require.Truef(t, same(want[0], closest), "ray %v %v\nclosest %v\nwant    %v", r, cull, closest, want[0])
	}
	require.Equalf(t, ok, m.CastRayAny(r, cull), "any of %v %v", r, cull)
	at, triangle := float32(math.Inf(-1)), int32(-1)
	for i := 0; i <= len(want); i++ {
		next, ok := m.CastRayAfter(r, cull, at, triangle)
		require.Equalf(t, i < len(want), ok, "after %v %v of %v %v", at, triangle, r, cull)
		if ok {
			require.Truef(t, same(want[i], next), "ray %v %v\nnext %v\nwant %v", r, cull, next, want[i])
			at, triangle = next.T, next.Triangle
		}
	}
	return all
}

func mustNew(t require.TestingT, vertices []geom.Vec3, indices []uint32) *Mesh {
	m, err := New(vertices, indices)
	require.NoError(t, err)
	require.NoError(t, m.Validate())
	return m
}

// scene is a test mesh. sound means that no triangle, seen from the origin of a test ray, is
// thinner than float32 resolves, so that no hit is clamped to a box and geom's answer is the
// mesh's.
type scene struct {
	name     string
	vertices []geom.Vec3
	indices  []uint32
	sound    bool
}

func scenes() []scene {
	rng := testenv.Rand(1, 2)
	list := []scene{
		generated("single", true)([]geom.Vec3{{}, {X: 1}, {Y: 1}}, []uint32{0, 1, 2}),
		generated("box", true)(Box(geom.V(1, 2, 3))),
		generated("icosphere", true)(Icosphere(2, 3)),
		generated("uv sphere", true)(UVSphere(2, 24, 12)),
		generated("torus", true)(Torus(3, 1, 40, 12)),
		generated("plane", true)(Plane(4, 4, 20, 20)),
		soup(rng, "soup", 700, 1, 0.3),
		soup(rng, "large triangles", 100, 1, 2),
		soup(rng, "dust", 2000, 1, 0.01),
		generated("tall box", false)(Box(geom.V(1e-3, 1e3, 1e-3))),
	}
	base := list[6]
	list = append(list, derived("huge", base, true, func(v geom.Vec3) geom.Vec3 { return v.Mul(1e11) }))
	list = append(list, derived("small", base, true, func(v geom.Vec3) geom.Vec3 { return v.Mul(1e-10) }))
	list = append(list, derived("far", base, false, func(v geom.Vec3) geom.Vec3 { return v.Add(geom.V(1e6, -1e6, 1e6)) }))
	list = append(list, derived("vast", base, false, func(v geom.Vec3) geom.Vec3 { return v.Mul(1e38) }))
	list = append(list, derived("denormal", base, false, func(v geom.Vec3) geom.Vec3 { return v.Mul(1e-40) }))
	list = append(list, derived("flat", base, false, func(v geom.Vec3) geom.Vec3 { v.Z = 0.5; return v }))
	list = append(list, derived("thin", base, false, func(v geom.Vec3) geom.Vec3 { return geom.V(v.X, v.X+v.Y*1e-7, v.Z) }))
	list = append(list, derived("line", base, false, func(v geom.Vec3) geom.Vec3 { return geom.V(v.X, v.X, v.X) }))
	list = append(list, derived("point", base, false, func(geom.Vec3) geom.Vec3 { return geom.V(0.25, 0.5, 0.75) }))
	list = append(list, needles(rng), copies(rng, list[2]), spiral())
	return list
}

func generated(name string, sound bool) func([]geom.Vec3, []uint32) scene {
	return func(v []geom.Vec3, i []uint32) scene { return scene{name, v, i, sound} }
}

func derived(name string, s scene, sound bool, f func(geom.Vec3) geom.Vec3) scene {
	d := scene{name: name, indices: s.indices, sound: sound}
	for _, v := range s.vertices {
		d.vertices = append(d.vertices, f(v))
	}
	return d
}

func around(rng *rand.Rand, reach float32) geom.Vec3 {
	one := func() float32 { return (2*rng.Float32() - 1) * reach }
	return geom.V(one(), one(), one())
}

func soup(rng *rand.Rand, name string, n int, reach, size float32) scene {
	s := scene{name: name, sound: true}
	for range n {
		c := around(rng, reach)
		for range 3 {
			s.indices = append(s.indices, uint32(len(s.vertices)))
			s.vertices = append(s.vertices, c.Add(around(rng, size)))
		}
	}
	return s
}

// needles are long triangles, thinner than float32 resolves.
func needles(rng *rand.Rand) scene {
	s := scene{name: "needles"}
	for range 300 {
		a, b := around(rng, 1), around(rng, 1)
		s.indices = append(s.indices, uint32(len(s.vertices)), uint32(len(s.vertices)+1), uint32(len(s.vertices)+2))
		s.vertices = append(s.vertices, a, b, a.Lerp(b, rng.Float32()).Add(around(rng, 1e-7)))
	}
	return s
}

// copies has each triangle three times, in random order.
func copies(rng *rand.Rand, s scene) scene {
	c := scene{name: "copies", vertices: s.vertices, sound: s.sound}
	order := rng.Perm(len(s.indices))
	for _, i := range order {
		c.indices = append(c.indices, s.indices[i/3*3:i/3*3+3]...)
	}
	return c
}

// spiral has triangles of ever smaller sizes and distances, for which the surface-area heuristic
// builds the deepest trees.
func spiral() scene {
	s := scene{name: "spiral"}
	for i := range 250 {
		f := float32(math.Ldexp(1, i-130))
		s.indices = append(s.indices, uint32(3*i), uint32(3*i+1), uint32(3*i+2))
		s.vertices = append(s.vertices, geom.V(f, 0, 0), geom.V(f, f, 0), geom.V(f, 0, f))
	}
	return s
}

// rays returns random rays at a mesh.
func rays(rng *rand.Rand, m *Mesh, n int) []geom.Ray {
	indices := m.Indices()
	return measuring.Aim(rng, m.Bounds(), func() geom.Vec3 { return m.vertices[indices[rng.IntN(len(indices))]] }, n)
}

var culls = []geom.Cull{geom.CullNone, geom.CullBack, geom.CullFront}

// eachScene runs a test for each scene by name.
func eachScene(t *testing.T, f func(t *testing.T, s scene, m *Mesh, rng *rand.Rand)) {
	for i, s := range scenes() {
		t.Run(s.name, func(t *testing.T) {
			f(t, s, mustNew(t, s.vertices, s.indices), testenv.Rand(uint64(i), 7))
		})
	}
}

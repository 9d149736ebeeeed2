package mesh

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
)

// singles returns a mesh of each triangle of a mesh: their trees exclude nothing.
func singles(t require.TestingT, m *Mesh) []*Mesh {
	list := make([]*Mesh, m.NumTriangles())
	for i := range list {
		f := m.Triangle(i)
		one, err := New([]geom.Vec3{f.A, f.B, f.C}, []uint32{0, 1, 2})
		require.NoError(t, err)
		list[i] = one
	}
	return list
}

// convexTwin is CastConvexAll without the tree and the first test of triangles: the brute-force
// reference.
func convexTwin(list []*Mesh, s *Convex, p *Path, to geom.Affine, cull geom.Cull) []Impact {
	var hits []Impact
	var c shapeCast
	for i, one := range list {
		if !c.init(one, s, p, &to, cull) {
			continue
		}
		c.path.Body, c.path.BallRadius = nil, 0
		for found := c.walk.Start(&one.tree, &c.path) && c.walk.Aim(); found && c.walk.Next(); {
			if at, ok := c.cast(&c.walk.Triangle, c.walk.From, inf32); ok {
				hits = append(hits, c.impact(at, int32(i)))
			}
		}
	}
	slices.SortStableFunc(hits, func(a, b Impact) int { return cmp.Compare(float32(a.T), float32(b.T)) })
	return hits
}

// requireConvex compares every form of the cast of a shape with the reference, to the bit.
func requireConvex(t require.TestingT, m *Mesh, list []*Mesh, s *Convex, p *Path, to geom.Affine, cull geom.Cull) []Impact {
	want := convexTwin(list, s, p, to, cull)
	all := m.CastConvexAll(nil, s, p, to, cull)
	require.Equal(t, want, all)
	closest, ok := m.CastConvex(s, p, to, cull)
	require.Equal(t, len(want) > 0, ok)
	require.Equal(t, ok, m.CastConvexAny(s, p, to, cull))
	if ok {
		require.Equal(t, want[0], closest)
	}
	return all
}

// convexes returns a shape of each kind around a position.
func convexes(rng *rand.Rand, at geom.Vec3, size float32) []Convex {
	turn := geom.Quat{X: rng.Float32() - 0.5, Y: rng.Float32() - 0.5, Z: rng.Float32() - 0.5, W: rng.Float32() - 0.5}
	cloud := make([]geom.Vec3, 12)
	for i := range cloud {
		cloud[i] = around(rng, size)
	}
	return []Convex{
		ConvexSphere(geom.Sphere{Center: at, Radius: size}),
		ConvexSphere(geom.Sphere{Center: at}),
		ConvexCapsule(geom.Capsule{A: at, B: at.Add(around(rng, size)), Radius: size / 2}),
		ConvexBox(geom.Box{Center: at, HalfExtents: geom.V(size, size/2, size/3), Rotation: turn}),
		Convex(narrow.AABB(geom.AABBAround(at, geom.V(size, size/2, size)))),
		ConvexHull(cloud, geom.Transform{Position: at, Rotation: turn}.Affine(), 0),
		Convex(narrow.ScaledCapsule(geom.Capsule{Radius: size}, geom.Transform{Position: at, Rotation: turn, Scale: geom.V(1, 2, 0.5)}.Affine())),
	}
}

// maps are transforms of a mesh to the world.
func maps(rng *rand.Rand) []geom.Affine {
	turn := geom.Quat{X: rng.Float32() - 0.5, Y: rng.Float32() - 0.5, Z: rng.Float32() - 0.5, W: rng.Float32() - 0.5}
	sheared := geom.Transform{Rotation: turn, Scale: geom.V(1, 2, 0.25)}.Affine()
	sheared.Y = sheared.Y.Add(sheared.X)
	return []geom.Affine{
		geom.AffineIdentity(),
		geom.Transform{Position: geom.V(100, -30, 5), Rotation: turn, Scale: geom.V(2, 2, 2)}.Affine(),
		geom.Transform{Rotation: turn, Scale: geom.V(-3, 0.5, 1)}.Affine(),
		sheared,
	}
}

func TestCastConvexAgainstTwin(t *testing.T) {
	testenv.Long(t)
	allStarts, allEqual := 0, 0
	eachScene(t, func(t *testing.T, s scene, m *Mesh, rng *rand.Rand) {
		list := singles(t, m)
		high := mustBuild(t, s.vertices, s.indices, BuildOptions{Quality: High})
		half := m.Bounds().HalfExtents()
		reach := max(half.X, half.Y, half.Z)
		hits, starts, equal := 0, 0, 0
		n := max(8, min(60, 10000/m.NumTriangles()))
		places := maps(rng)
		for i, r := range rays(rng, m, n) {
			size := reach * [4]float32{0.001, 0.02, 0.1, 0.5}[rng.IntN(4)]
			to := places[i%len(places)]
			low, high64 := r.Range()
			p := Path{Motion: to.Vector(r.Dir).Wide(), Min: float64(low), Max: float64(high64), Start: []StartMode{StartReport, StartIgnore, StartIgnoreSeparating}[rng.IntN(3)]}
			for _, shape := range convexes(rng, to.Point(r.Origin), size) {
				all := requireConvex(t, m, list, &shape, &p, to, culls[i%3])
				if s.sound { // of the others, package wide tests what may be left out
					require.Equal(t, all, high.CastConvexAll(nil, &shape, &p, to, culls[i%3]))
				}
				hits += len(all)
				for j, h := range all {
					if h.Overlaps {
						starts++
					}
					if j > 0 && float32(h.T) == float32(all[j-1].T) {
						equal++
					}
				}
			}
		}
		if reach > 0 {
			testenv.Drawn(t, hits, 0, "hits")
		}
		allStarts += starts
		allEqual += equal
	})
	testenv.Drawn(t, allStarts, 1000, "overlaps at the start")
	testenv.Drawn(t, allEqual, 1000, "hits at the same T")
}

// In an untransformed mesh, a shape hits what narrow returns for each triangle. Only T may be
// later, by rounding: it is clamped to the widened box of the triangle.
func TestCastConvexAgainstTriangles(t *testing.T) {
	testenv.NoRace(t)
	rng := testenv.Rand(31, 32)
	for _, s := range scenes()[1:9] {
		t.Run(s.name, func(t *testing.T) {
			m := mustNew(t, s.vertices, s.indices)
			half := m.Bounds().HalfExtents()
			reach := max(half.X, half.Y, half.Z)
			hits := 0
			for range 20 {
				from := around(rng, 3*reach)
				p := Path{Motion: around(rng, reach).Sub(from).Wide(), Max: 2}
				for i, shape := range convexes(rng, from, reach*(0.01+0.3*rng.Float32())) {
					want := math.Inf(1)
					for j := range m.NumTriangles() {
						b := narrow.Triangle(m.Triangle(j))
						if h, ok := narrow.Cast((*narrow.Shape)(&shape), &b, &narrow.Path{Motion: p.Motion, Max: p.Max}); ok {
							want = min(want, h.T)
						}
					}
					hit, ok := m.CastConvex(&shape, &p, geom.AffineIdentity(), geom.CullNone)
					require.Equal(t, want <= p.Max, ok)
					if ok {
						hits++
						// Of hits whose T is equal in float32, the mesh returns the lowest
						// triangle: 2⁻²³ of T. It also clamps T to the entry into the widened box
						// of the triangle: the search stops within 2⁻³⁴ of the sizes before the
						// touch, divided by the speed of approach.
						speed := math.Abs(hit.Normal.Dot(p.Motion))
						require.InDelta(t, want, hit.T, 0x1p-23*want+0x1p-34*16*float64(reach)/speed, "shape %d", i)
					}
				}
			}
			require.Positive(t, hits)
		})
	}
}

func TestCastConvexEdgeCases(t *testing.T) {
	m := mustNew(t, first(Box(geom.V(1, 1, 1))), second(Box(geom.V(1, 1, 1))))
	down := geom.DVec3{Y: -1}
	identity, mirror := geom.AffineIdentity(), geom.Transform{Scale: geom.V(-1, 1, 1)}.Affine()
	wide := geom.Transform{Scale: geom.V(1, 3, 1)}.Affine()
	flat := geom.Affine{X: geom.V(1, 0, 0), Z: geom.V(0, 0, 1)}
	nan := math.NaN()
	box := func(x, y, z float32) Convex {
		return ConvexBox(geom.Box{Center: geom.V(x, y, z), HalfExtents: geom.V(0.5, 0.5, 0.5)})
	}
	capsule := ConvexCapsule(geom.Capsule{A: geom.V(0.5, 4, 0), B: geom.V(0.5, 6, 0), Radius: 0.5})
	for _, c := range []struct {
		name     string
		shape    Convex
		path     Path
		to       geom.Affine
		cull     geom.Cull
		at       float64
		ok       bool
		overlaps bool
	}{
		{"box onto a face", box(0, 4, 0), Path{Motion: down, Max: 9}, identity, geom.CullNone, 2.5, true, false},
		{"not so far", box(0, 4, 0), Path{Motion: down, Max: 2.25}, identity, geom.CullNone, 0, false, false},
		{"just so far", box(0, 4, 0), Path{Motion: down, Max: 2.5}, identity, geom.CullNone, 2.5, true, false},
		{"from later on", box(0, 4, 0), Path{Motion: down, Min: 2.5, Max: 9}, identity, geom.CullNone, 2.5, true, false},
		{"T counts multiples", box(0, 4, 0), Path{Motion: geom.DVec3{Y: -10}, Max: 9}, identity, geom.CullNone, 0.25, true, false},
		{"without end", box(0, 4, 0), Path{Motion: down, Max: math.Inf(1)}, identity, geom.CullNone, 2.5, true, false},
		{"along a face", box(0, 1.5, 3), Path{Motion: geom.DVec3{Z: -1}, Max: 9}, identity, geom.CullNone, 1.5, true, false},
		{"past", box(0, 1.75, 3), Path{Motion: geom.DVec3{Z: -1}, Max: 9}, identity, geom.CullNone, 0, false, false},
		{"onto a mirrored mesh", box(0, 4, 0), Path{Motion: down, Max: 9}, mirror, geom.CullBack, 2.5, true, false},
		{"and not its back", box(0, 4, 0), Path{Motion: down, Max: 9}, mirror, geom.CullFront, 4.5, true, false},
		{"onto a stretched mesh", box(0, 4, 0), Path{Motion: down, Max: 9}, wide, geom.CullNone, 0.5, true, false},
		{"capsule", capsule, Path{Motion: down, Max: 9}, identity, geom.CullBack, 2.5, true, false},
		{"capsule onto a stretched mesh", capsule, Path{Motion: down, Max: 9}, wide, geom.CullBack, 0.5, true, false},
		{"from within", box(0, 0, 0), Path{Motion: down, Max: 9}, identity, geom.CullNone, 0.5, true, false},
		{"from within, backs left out", box(0, 0, 0), Path{Motion: down, Max: 9}, identity, geom.CullBack, 0, false, false},
		{"overlapping", box(0, 1, 0), Path{Motion: down, Max: 9}, identity, geom.CullNone, 0, true, true},
		{"overlapping, ignored", box(0, 1, 0), Path{Motion: down, Max: 9, Start: StartIgnore}, identity, geom.CullBack, 0, false, false},
		{"touching, left", box(0, 1.5, 0), Path{Motion: geom.DVec3{Y: 1}, Max: 9, Start: StartIgnoreSeparating}, identity, geom.CullNone, 0, false, false},
		{"touching, slid along", box(0, 1.5, 0), Path{Motion: geom.DVec3{X: 1}, Max: 9, Start: StartIgnoreSeparating}, identity, geom.CullBack, 0, false, false},
		{"touching, slid along to the edge of a wall", box(0, 1.5, 0), Path{Motion: geom.DVec3{X: 1}, Max: 9, Start: StartIgnoreSeparating}, identity, geom.CullFront, 0.5, true, false},
		{"touching, pressed", box(0, 1.5, 0), Path{Motion: down, Max: 9, Start: StartIgnore}, identity, geom.CullNone, 0, true, false},
		{"empty", Convex{}, Path{Motion: down, Max: 9}, identity, geom.CullNone, 0, false, false},
		{"no motion", box(0, 1, 0), Path{Max: 9}, identity, geom.CullNone, 0, false, false},
		{"NaN", box(0, 4, 0), Path{Motion: geom.DVec3{Y: nan}, Max: 9}, identity, geom.CullNone, 0, false, false},
		{"NaN range", box(0, 4, 0), Path{Motion: down, Max: nan}, identity, geom.CullNone, 0, false, false},
		{"infinite", box(0, 4, 0), Path{Motion: geom.DVec3{Y: math.Inf(-1)}, Max: 9}, identity, geom.CullNone, 0, false, false},
		{"flattened mesh", box(0, 4, 0), Path{Motion: down, Max: 9}, flat, geom.CullNone, 0, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			hit, ok := m.CastConvex(&c.shape, &c.path, c.to, c.cull)
			require.Equal(t, c.ok, ok)
			// The search ends within 2⁻⁴² of the sum of the sizes, below 2⁵ m, at speeds of 1 m and
			// more.
			assert.InDelta(t, c.at, hit.T, 1e-11)
			assert.Equal(t, c.overlaps, hit.Overlaps)
			if ok && !c.overlaps {
				assert.InDelta(t, 1, hit.Normal.Len(), 1e-12)
				assert.InDelta(t, 0, hit.PointA.Sub(hit.PointB).Len(), 1e-11)
			}
			requireConvex(t, m, singles(t, m), &c.shape, &c.path, c.to, c.cull)
		})
	}
	zero := &Mesh{}
	shape, path := box(0, 4, 0), Path{Motion: down, Max: 9}
	_, ok := zero.CastConvex(&shape, &path, identity, geom.CullNone)
	assert.False(t, ok)
	assert.False(t, zero.CastConvexAny(&shape, &path, identity, geom.CullNone))
	marks := []Impact{{T: 9, Triangle: 99}}
	assert.Equal(t, marks, zero.CastConvexAll(slices.Clone(marks), &shape, &path, identity, geom.CullNone))
	assert.Equal(t, marks, m.CastConvexAll(slices.Clone(marks), &shape, &path, identity, geom.CullNone)[:1])
}

// FuzzCastConvex reads a shape, a map and up to ten triangles from arbitrary bits: no form of the
// cast may differ from its result for each triangle alone.
func FuzzCastConvex(f *testing.F) {
	f.Add([]byte{0}, float32(1), float32(0), float32(3), float32(0), float32(0.5))
	f.Add([]byte{3, 200, 9, 1, 40, 77, 0, 0, 255, 31, 8, 2, 99, 64, 128, 5, 17, 19}, float32(1e-3), float32(1e4), float32(2), float32(-1), float32(0.1))
	f.Fuzz(func(t *testing.T, data []byte, a, b, c, d, size float32) {
		seed := uint64(len(data))
		for _, x := range data {
			seed = seed*31 + uint64(x)
		}
		rng := rand.New(rand.NewPCG(seed, 1))
		var vertices []geom.Vec3
		var indices []uint32
		for i := range 3 * (1 + len(data)%10) {
			v := around(rng, 1)
			if i < len(data) {
				v = v.Add(geom.V(float32(data[i]>>4), float32(data[i]&15), float32(i%4)).Mul(0.25))
			}
			vertices, indices = append(vertices, v.Mul(1+c*c)), append(indices, uint32(i))
		}
		m, err := New(vertices, indices)
		if err != nil {
			return
		}
		to := geom.Affine{X: geom.V(a, b, 0), Y: geom.V(0, c, d), Z: geom.V(d, 0, a), Origin: geom.V(b, c, d)}
		list := singles(t, m)
		for _, shape := range convexes(rng, geom.V(a, b, c), size) {
			for _, motion := range []geom.Vec3{geom.V(b, c, d), geom.V(-a, -b, -c), around(rng, size)} {
				p := Path{Motion: motion.Wide(), Max: 4}
				requireConvex(t, m, list, &shape, &p, to, culls[seed%3])
			}
		}
	})
}

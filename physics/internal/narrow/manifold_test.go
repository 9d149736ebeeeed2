package narrow

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
)

func TestContacts(t *testing.T) {
	floor := AABB(geom.AABB{Min: geom.V(-5, -1, -5), Max: geom.V(5, 0, 5)})
	ground := HalfSpace(geom.DVec3{Y: 1}, geom.DVec3{})
	slope := ShearedBox(geom.Box{HalfExtents: geom.V(1, 1, 1)}, geom.Affine{X: geom.V(5, 0, 0), Y: geom.V(1, 1, 0), Z: geom.V(0, 0, 5), Origin: geom.V(0, -1, 0)})
	slab := Hull(hulls[0], geom.Affine{X: geom.V(5, 0, 0), Y: geom.V(0, 1, 0), Z: geom.V(0, 0, 5), Origin: geom.V(0, -1, 0)})
	mirror := Hull(hulls[0], geom.Affine{X: geom.V(-5, 0, 0), Y: geom.V(0, 1, 0), Z: geom.V(0, 0, 5), Origin: geom.V(0, -1, 0)})
	big := Triangle(geom.Triangle{A: geom.V(-9, 0, -9), B: geom.V(0, 0, 9), C: geom.V(9, 0, -9)})
	turn := geom.QuatAxisAngle(geom.V(0, 1, 0), 0.4)
	for name, test := range map[string]struct {
		s    Shape
		want int
	}{
		"sphere":             {Sphere(geom.Sphere{Center: geom.V(0, 0.9, 0), Radius: 1}), 1},
		"ellipsoid":          {Ellipsoid(geom.Sphere{Radius: 1}, geom.Transform{Position: geom.V(0, 0.9, 0), Scale: geom.V(2, 1, 1)}.Affine()), 1},
		"capsule, upright":   {Capsule(geom.Capsule{A: geom.V(0, 0.9, 0), B: geom.V(0, 3, 0), Radius: 1}), 1},
		"capsule, lying":     {Capsule(geom.Capsule{A: geom.V(-1, 0.9, 0), B: geom.V(1, 0.9, 0.3), Radius: 1}), 2},
		"capsule, long":      {ScaledCapsule(geom.Capsule{A: geom.V(-1, 0, 0), B: geom.V(1, 0, 0), Radius: 1}, geom.Transform{Position: geom.V(0, 0.4, 0), Scale: geom.V(1, 0.5, 1)}.Affine()), 2},
		"box":                {Box(geom.Box{Center: geom.V(0, 0.9, 0), HalfExtents: geom.V(1, 1, 1), Rotation: turn}), 4},
		"box on its edge":    {Box(geom.Box{Center: geom.V(0, 1.4, 0), HalfExtents: geom.V(1, 1, 1), Rotation: geom.QuatAxisAngle(geom.V(0, 0, 1), math.Pi/4)}), 2},
		"box on its corner":  {Hull(hulls[0], geom.Transform{Position: geom.V(0, 1.7, 0), Rotation: geom.QuatAxisAngle(geom.V(1, 0, -1), math.Atan(math.Sqrt2))}.Affine()), 1},
		"aabb":               {AABB(geom.AABB{Min: geom.V(0, -0.1, 0), Max: geom.V(1, 1, 1)}), 4},
		"triangle":           {Triangle(geom.Triangle{A: geom.V(0, -0.05, 0), B: geom.V(0, -0.05, 1), C: geom.V(1, -0.05, 0)}), 3},
		"cylinder":           {Hull(hulls[7], geom.Transform{Position: geom.V(0, 0.9, 0), Rotation: turn}.Affine()), 4},
		"cylinder, mirrored": {Hull(hulls[7], geom.Transform{Position: geom.V(0, 0.9, 0), Scale: geom.V(-1, 1, 1)}.Affine()), 4},
	} {
		for on, b := range map[string]*Shape{"floor": &floor, "ground": &ground, "slope": &slope, "slab": &slab, "mirrored slab": &mirror, "triangle": &big} {
			t.Run(name+" on "+on, func(t *testing.T) {
				s := test.s
				if name == "triangle" && on == "triangle" {
					s = s.Moved(geom.DVec3{Y: 0.05})
				}
				m := Collide(b, &s, 0.01)
				require.Equal(t, test.want, m.N)
				if name == "triangle" && on == "triangle" {
					assert.InDelta(t, 1, math.Abs(m.Normal.Y), 1e-6) // either side is as good
				} else {
					assert.InDelta(t, 1, m.Normal.Y, 1e-6)
				}
				for _, c := range m.Contacts() {
					assert.InDelta(t, 0, c.PointA.Y, 1e-6, "on the floor")
					assert.InDelta(t, -c.Depth, c.PointB.Y, 1e-6)
					assert.Positive(t, c.Depth+0.02)
				}
			})
		}
	}
	a := Capsule(geom.Capsule{A: geom.V(-1, 0, 0), B: geom.V(1, 0, 0), Radius: 0.5})
	b := Capsule(geom.Capsule{A: geom.V(0, 0.9, 0), B: geom.V(3, 0.9, 0), Radius: 0.5})
	m := Collide(&a, &b, 0)
	require.Equal(t, 2, m.N, "capsules side by side")
	assert.InDelta(t, 0, m.Points[0].PointA.X, 1e-12)
	assert.InDelta(t, 1, m.Points[1].PointA.X, 1e-12)
	b = Capsule(geom.Capsule{A: geom.V(0, 0.9, -1), B: geom.V(0, 0.9, 1), Radius: 0.5})
	require.Equal(t, 1, Collide(&a, &b, 0).N, "capsules across")
	// Edges side by side: a beam beside the edge of the floor.
	beam := Capsule(geom.Capsule{A: geom.V(5.3, 0.3, -1), B: geom.V(5.3, 0.3, 1), Radius: 0.5})
	require.Equal(t, 2, Collide(&floor, &beam, 0).N)
}

// As long as a crate slides within a floor its contacts keep their features; past an edge those on
// the edge change.
func TestFeaturesStay(t *testing.T) {
	floor := Box(geom.Box{HalfExtents: geom.V(5, 1, 5)})
	names := func(x, turn float64) map[[2]Feature]bool {
		crate := Box(geom.Box{Center: geom.V(float32(x), 1.49, 0.1), HalfExtents: geom.V(0.5, 0.5, 0.5), Rotation: geom.QuatAxisAngle(geom.V(0, 1, 0), turn)})
		m := Collide(&floor, &crate, 0.01)
		require.Equal(t, 4, m.N)
		set := map[[2]Feature]bool{}
		for _, c := range m.Contacts() {
			set[[2]Feature{c.FeatureA, c.FeatureB}] = true
		}
		return set
	}
	first := names(0, 0.1)
	for x := 0.0; x < 4; x += 0.01 {
		require.Equal(t, first, names(x, 0.1+x/10))
	}
	kept := 0
	for f := range names(5, 0.1) {
		if first[f] {
			kept++
		}
	}
	assert.Equal(t, 2, kept, "two corners are still on the floor")
}

func TestFeature(t *testing.T) {
	for f, s := range map[Feature]string{vertexKind | 3: "vertex 3", edgeKind | 11: "edge 11", faceKind: "face 0"} {
		assert.Equal(t, s, f.String())
		assert.Equal(t, s[0] == 'v', f.IsVertex())
		assert.Equal(t, s[0] == 'e', f.IsEdge())
		assert.Equal(t, s[0] == 'f', f.IsFace())
	}
	assert.Equal(t, 11, (edgeKind | 11).Index())
	// A ball beside a box touches the face, the edge or the corner that is nearest.
	box := Box(geom.Box{HalfExtents: geom.V(1, 1, 1)})
	for where, want := range map[geom.Vec3]Feature{
		{X: 1.5}: faceKind | 1, {X: -1.5, Y: 0.5}: faceKind, {Z: 1.5}: faceKind | 5,
		{X: 1.2, Y: 1.2}: edgeKind | 11, {X: 1.2, Y: 1.2, Z: 1.2}: vertexKind | 7, {X: -1.2, Y: 1.2, Z: 1.2}: vertexKind | 6,
	} {
		ball := Sphere(geom.Sphere{Center: where, Radius: 1})
		m := Collide(&box, &ball, 0)
		require.Equal(t, 1, m.N)
		assert.Equal(t, want, m.Points[0].FeatureA, "%v", where)
		if want.IsEdge() {
			e := boxEdges[want.Index()]
			assert.Equal(t, [2]uint16{3, 7}, [2]uint16{e.from, e.to})
		}
	}
}

// The numbers of a box's parts fit together, and so do those of a hull that is a box.
func TestBoxTables(t *testing.T) {
	box := Box(geom.Box{HalfExtents: geom.V(1, 2, 3)})
	for f, corners := range boxFaces {
		n, d := box.face(f)
		for k, v := range corners {
			assert.InDelta(t, d, n.Dot(box.boxVertex(v)), 1e-12)
			w := corners[(k+1)%4]
			e := boxEdges[boxSides[f][k]]
			assert.Equal(t, [2]uint16{min(v, w), max(v, w)}, [2]uint16{e.from, e.to})
			assert.Contains(t, e.faces, f)
			x := corners[(k+2)%4]
			turn := box.boxVertex(w).Sub(box.boxVertex(v)).Cross(box.boxVertex(x).Sub(box.boxVertex(w)))
			assert.Positive(t, turn.Dot(n), "counter-clockwise")
		}
	}
	for _, s := range []Shape{box, Hull(hulls[4], geom.AffineIdentity()), Hull(hulls[4], geom.Transform{Scale: geom.V(-1, 2, 3)}.Affine()),
		ShearedBox(geom.Box{HalfExtents: geom.V(1, 2, 3)}, geom.Transform{Scale: geom.V(1, -2, 3)}.Affine()), Triangle(geom.Triangle{B: geom.V(1, 0, 0), C: geom.V(0, 1, 0)})} {
		for i := range s.numArcs() {
			a := s.arc(i)
			assert.Positive(t, a.a.Cross(a.b).Dot(a.e), "%s: an edge runs along the product of its normals", kindName(s.kind))
			assert.InDelta(t, 0, a.a.Dot(a.e), 1e-6)
			assert.InDelta(t, 0, a.b.Dot(a.e), 1e-6)
		}
	}
}

// Four of many: the deepest is kept, and of the area that any four span with it at least three
// quarters.
func TestReduce(t *testing.T) {
	r := testenv.Rand(1, 2)
	up := geom.DVec3{Y: 1}
	// of the convex hull of four points: the largest of the ways around
	area := func(s []spot) (a float64) {
		for _, o := range [][4]int{{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 1, 3, 2}} {
			a = max(a, math.Abs(up.Dot(s[o[2]].p.Sub(s[o[0]].p).Cross(s[o[3]].p.Sub(s[o[1]].p))))/2)
		}
		return a
	}
	for range 2000 {
		n := 5 + r.IntN(8)
		spots := make([]spot, n)
		for i := range spots {
			sin, cos := math.Sincos(2 * math.Pi * (float64(i) + 0.5*r.Float64()) / float64(n))
			spots[i] = spot{p: geom.DVec3{X: 3 * cos, Z: sin}, depth: r.Float64(), edge: int32(i)}
		}
		deepest := 0
		for i := range spots {
			if spots[i].depth > spots[deepest].depth {
				deepest = i
			}
		}
		best := 0.0
		for i := range n {
			for j := range i {
				for k := range j {
					best = max(best, area([]spot{spots[deepest], spots[i], spots[j], spots[k]}))
				}
			}
		}
		kept := append([]spot(nil), spots...)
		kept = kept[:reduce(kept, up)]
		require.Len(t, kept, 4)
		found := false
		for i, s := range kept {
			found = found || s == spots[deepest]
			require.True(t, i == 0 || s.edge > kept[i-1].edge, "in order")
		}
		require.True(t, found)
		require.Greater(t, area(kept), 0.75*best)
	}
	few := []spot{{depth: 1}, {depth: 2}}
	assert.Equal(t, 2, reduce(few, up))
	same := make([]spot, 9)
	assert.Equal(t, 4, reduce(same, up), "of spots in one place any four")
}

// Axes and expansion find the same depth, by ways that have nothing in common.
func TestAxesAgreeWithExpansion(t *testing.T) {
	r := testenv.Rand(3, 4)
	compared := 0
	for range 2000 {
		a, _ := randomShape(r, []Kind{KindBox, KindTriangle, KindParallelepiped, KindHull}[r.IntN(4)], 1, 0.3, 5)
		b, _ := randomShape(r, KindHull, 1, 0.3, 5)
		g := searchOf(&a, &b)
		if g.start(math.Inf(1), askDistance) == apart {
			continue
		}
		e, sure := expand(&g)
		require.True(t, sure)
		s := separate(&a, &b)
		require.InDelta(t, e.dist, s.dist, wayOff*max(a.size, b.size))
		compared++
	}
	testenv.Drawn(t, compared, 1000)
}

// The same bits everywhere: a hash over answers of all pairs, whose input takes no more than sums
// and products.
func TestSameBits(t *testing.T) {
	h := sha256.New()
	put := func(x ...float64) {
		for _, x := range x {
			_ = binary.Write(h, binary.LittleEndian, math.Float64bits(x))
		}
	}
	r := rand.New(rand.NewPCG(5, 6))
	f := func() float32 { return float32(r.IntN(2001)-1000) / 1000 }
	points := make([]geom.Vec3, 30)
	for i := range points {
		points[i] = geom.V(f(), f(), f())
	}
	solid, err := hull.New(points)
	require.NoError(t, err)
	for range 30 {
		for _, ka := range allKinds {
			for _, kb := range allKinds {
				a, b := goldenShape(ka, f, solid), goldenShape(kb, f, solid)
				m := Collide(&a, &b, 0.1)
				put(float64(m.N), m.Normal.X, m.Normal.Y, m.Normal.Z)
				for _, c := range m.Contacts() {
					put(c.PointA.X, c.PointA.Y, c.PointA.Z, c.PointB.X, c.PointB.Y, c.PointB.Z, c.Depth, float64(c.FeatureA), float64(c.FeatureB))
				}
				d := Distance(&a, &b, math.Inf(1))
				put(d.Distance, d.PointA.X, d.PointA.Y, d.PointA.Z, d.PointB.X, d.PointB.Y, d.PointB.Z)
			}
		}
	}
	assert.Equal(t, "02c3a4f7e5db9d6c", hex.EncodeToString(h.Sum(nil))[:16])
}

func goldenShape(k Kind, f func() float32, solid *hull.Hull) Shape {
	m := geom.Transform{Position: geom.V(f(), f(), f()), Rotation: geom.Quat{X: f(), Y: f(), Z: f(), W: f()}, Scale: geom.V(1, 0.5, 0.75)}.Affine()
	switch k {
	case KindSphere:
		return Sphere(geom.Sphere{Center: m.Origin, Radius: 0.5})
	case KindCapsule:
		return Capsule(geom.Capsule{A: m.Origin, B: m.Point(geom.V(0, 1, 0)), Radius: 0.25})
	case KindAABB:
		return AABB(geom.AABBAround(m.Origin, geom.V(0.5, 0.75, 1)))
	case KindBox:
		return Box(geom.Box{Center: m.Origin, HalfExtents: geom.V(0.5, 0.75, 1), Rotation: geom.Quat{X: f(), Y: f(), Z: f(), W: f()}})
	case KindTriangle:
		return Triangle(geom.Triangle{A: m.Origin, B: m.Point(geom.V(1, 0, 0)), C: m.Point(geom.V(0, 0, 1))})
	case KindParallelepiped:
		m.X = m.X.Add(m.Y)
		return ShearedBox(geom.Box{HalfExtents: geom.V(0.5, 0.5, 0.5)}, m)
	case KindHull:
		return Hull(solid, m)
	case KindRound:
		return ScaledCapsule(geom.Capsule{A: geom.V(0, 0.2, 0), B: geom.V(0, 0.8, 0), Radius: 0.5}, m)
	case kindCone:
		return Cone(geom.Cone{A: geom.V(0, 0.2, 0), B: geom.V(0, 0.8, 0), RadiusA: 0.5, RadiusB: f()*0.25 + 0.25}, m)
	case kindTapered:
		return TaperedCapsule(geom.TaperedCapsule{A: geom.V(0, 0.2, 0), B: geom.V(0, 0.8, 0), RadiusA: 0.5, RadiusB: f()*0.25 + 0.25}, m)
	}
	return HalfSpace(m.X.Wide(), m.Origin.Wide())
}

// TestUprightOverASide stands a capsule over the side of a box, except for a rounding: what is cut
// off there is no longer than it was.
func TestUprightOverASide(t *testing.T) {
	floor := Box(geom.Box{Center: geom.V(-0.5, 0, 0), HalfExtents: geom.V(0.5, 1, 1)})
	for _, y := range []float32{2, 2.0001, 2.0005} {
		stand := geom.Transform{Position: geom.V(0, y, 0), Scale: geom.V(0.5, 1, 0.5)}
		c := ScaledCapsule(geom.Capsule{A: geom.V(0, -0.5, 0), B: geom.V(0, 0.5, 0), Radius: 0.5}, stand.Affine())
		m := Collide(&floor, &c, 0.001)
		require.Positive(t, m.N)
		for _, c := range m.Contacts() {
			assert.InDelta(t, 2-y, c.Depth, 1e-6)
		}
	}
}

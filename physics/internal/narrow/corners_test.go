package narrow

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// The corners of a polytope touch what the reference says of it.
func TestCorners(t *testing.T) {
	testenv.NoRace(t)
	r := testenv.Rand(11, 12)
	for _, k := range allKinds {
		t.Run(kindName(k), func(t *testing.T) {
			met := map[bool]int{}
			// Of triangles, which touch least often, 13 % do, so 30 of them take about 240 draws.
			for n := 0; n < 300 || n < 3000 && min(met[true], met[false]) <= 30; n++ {
				x, rc := randomShape(r, []Kind{KindAABB, KindTriangle, KindHull}[n%3], 1, 1, 3)
				rc.radius = r.Float64() * float64(n%2)
				c := CornersOf(rc.points, rc.radius)
				s, rs := randomShape(r, k, 1, 2, 3)
				want := largestGap(&rc, &rs)
				if d := Distance(&x, &s, math.Inf(1)); d.Distance > 0 {
					// A gap in any direction proves them apart.
					want = max(want, gap(&rc, &rs, d.Normal))
				}
				if math.Abs(want) < 1e-6 {
					continue
				}
				met[want <= 0]++
				require.Equal(t, want <= 0, c.Overlaps(&s), "pair %d", n)
			}
			testenv.Drawn(t, met[true], 30)
			testenv.Drawn(t, met[false], 30)
		})
	}
}

func TestNoCorners(t *testing.T) {
	everywhere := AABB(geom.AABBAround(geom.Vec3{}, geom.V(1e9, 1e9, 1e9)))
	plane, none := HalfSpace(geom.DVec3{Y: 1}, geom.DVec3{}), Shape{}
	for name, c := range map[string]Corners{
		"zero":         {},
		"no points":    CornersOf(nil, 1),
		"NaN":          CornersOf([]geom.DVec3{{}, {Y: 1}, {Z: math.NaN()}}, 0),
		"endless":      CornersOf([]geom.DVec3{{}, {Y: math.Inf(-1)}, {Z: 1}}, 0),
		"margin −":     CornersOf([]geom.DVec3{{}}, -1),
		"margin NaN":   CornersOf([]geom.DVec3{{}}, math.NaN()),
		"margin, ends": CornersOf([]geom.DVec3{{}}, math.Inf(1)),
	} {
		t.Run(name, func(t *testing.T) {
			assert.False(t, c.Overlaps(&everywhere))
			assert.False(t, c.Overlaps(&plane))
		})
	}
	c := CornersOf([]geom.DVec3{{Y: 1}, {X: 1, Y: 1}}, 0)
	assert.True(t, c.Overlaps(&everywhere))
	assert.False(t, c.Overlaps(&plane))
	assert.False(t, c.Overlaps(&none))
	testenv.AllocatesNothing(t, 10, func() {
		var p [3]geom.DVec3
		c := CornersOf(p[:], 1)
		c.Overlaps(&everywhere)
	})
}

func TestReach(t *testing.T) {
	r := testenv.Rand(13, 14)
	for _, k := range allKinds[:len(allKinds)-1] {
		for range 100 {
			s, b := randomShape(r, k, 1, 3, 5)
			d := randomVec(r).Wide().Normalize()
			require.InDelta(t, b.reach(d), s.Reach(d), summed*s.size, kindName(k))
		}
	}
}

// A box under no map at all is the box that it is, though flat it may be.
func TestShearedBoxIsABox(t *testing.T) {
	r := testenv.Rand(15, 16)
	for n := range 2000 {
		half := randomVec(r).Abs()
		switch n % 4 {
		case 1:
			half = half.WithAxis(geom.Axis(n%3), 0)
		case 2:
			half = geom.Vec3{}.WithAxis(geom.Axis(n%3), half.X)
		case 3:
			half = geom.Vec3{}
		}
		b := geom.Box{Center: randomVec(r), HalfExtents: half, Rotation: randomTurn(r)}
		x, y := ShearedBox(b, geom.AffineIdentity()), Box(b)
		require.False(t, x.IsEmpty())
		k := allKinds[r.IntN(len(allKinds))]
		o, _ := randomShape(r, k, 1, 1, 3)
		size := max(x.size, o.size)
		want, got := Distance(&y, &o, math.Inf(1)), Distance(&x, &o, math.Inf(1))
		require.InDelta(t, want.Distance, got.Distance, promised*size, "%d %s", n, kindName(k))
		require.Equal(t, got.Distance == 0, Overlaps(&x, &o), "%d %s", n, kindName(k))
		p, deep := Penetrate(&x, &o)
		require.Equal(t, got.Distance == 0, deep, "%d %s", n, kindName(k))
		q, _ := Penetrate(&y, &o)
		if deep && q.Depth > wayOff*size {
			require.InDelta(t, q.Depth, p.Depth, wayOff*size, "%d %s", n, kindName(k))
		}
		m := Collide(&x, &o, 0.1)
		for _, c := range m.Contacts() {
			sum := c.Depth + c.PointA.X + c.PointA.Y + c.PointA.Z + c.PointB.X
			require.Zero(t, sum-sum, "%d %s", n, kindName(k))
		}
	}
}

// ellipsoidDistance finds the point of the ellipsoid with the half axes e nearest to p by bisecting
// for the multiplier at which the foot e²p/(t + e²) lies on the surface (Eberly 2013, "Distance
// from a Point to an Ellipsoid").
func ellipsoidDistance(e, p geom.DVec3) float64 {
	foot := func(t float64) geom.DVec3 {
		return geom.DVec3{X: e.X * e.X * p.X / (t + e.X*e.X), Y: e.Y * e.Y * p.Y / (t + e.Y*e.Y), Z: e.Z * e.Z * p.Z / (t + e.Z*e.Z)}
	}
	level := func(x geom.DVec3) float64 { return geom.DVec3{X: x.X / e.X, Y: x.Y / e.Y, Z: x.Z / e.Z}.Len() }
	if level(p) <= 1 {
		return 0
	}
	lo, hi := 0.0, p.Len()*max(e.X, e.Y, e.Z)
	for range 200 {
		if mid := (lo + hi) / 2; level(foot(mid)) > 1 {
			lo = mid
		} else {
			hi = mid
		}
	}
	return foot(hi).Sub(p).Len()
}

func TestEllipsoidDistance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, g := rapid.Float32Range(-20, 20), rapid.Float32Range(0.01, 10)
		p := geom.V(f.Draw(t, "x"), f.Draw(t, "y"), f.Draw(t, "z"))
		e := geom.V(g.Draw(t, "a"), g.Draw(t, "b"), g.Draw(t, "c"))
		point, egg := Sphere(geom.Sphere{Center: p}), Ellipsoid(geom.Sphere{Radius: 1}, geom.Transform{Scale: e}.Affine())
		d := Distance(&point, &egg, math.Inf(1)).Distance
		assert.InDelta(t, ellipsoidDistance(e.Wide(), p.Wide()), d, stalledOff*point.size+stalledOff*egg.size)
		assert.Equal(t, d == 0, Overlaps(&point, &egg))
	})
}

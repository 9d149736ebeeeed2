package physics

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
)

func TestNewChain(t *testing.T) {
	c := NewChain([]geom.Vec3{{X: 3, Z: 5}, {X: 1, Y: 1}, {X: -2}}, false)
	assert.Equal(t, 2, c.NumChildren())
	assert.Equal(t, geom.AABB{Min: geom.V(-2, 0, 0), Max: geom.V(3, 1, 0)}, c.Bounds())
	assert.Equal(t, geom.Capsule{A: geom.V(1, 1, 0), B: geom.V(-2, 0, 0)}, c.Child(1).Shape)
	assert.Equal(t, 3, NewChain([]geom.Vec3{{}, {X: 1}, {Y: 1}}, true).NumChildren())
	nan := float32(math.NaN())
	for _, bad := range [][]geom.Vec3{nil, {{}}, {{}, {}}, {{}, {X: nan}}, {{}, {X: 1}, {X: 1}}, {{}, {X: 1, Z: 3}, {X: 1}}} {
		assert.Panics(t, func() { NewChain(bad, false) })
	}
	assert.Panics(t, func() { NewChain([]geom.Vec3{{}, {X: 1}}, true) })
	assert.PanicsWithValue(t, "physics: NewChain: the last point is the first, (0, 0, 0)", func() { NewChain([]geom.Vec3{{}, {X: 1}, {}}, true) })
}

// ring returns the corners of a convex polygon, counter-clockwise.
func ring(r *rand.Rand, corners int) []geom.Vec3 {
	var points []geom.Vec3
	turn := 7 * r.Float64()
	for i := range corners {
		s, c := math.Sincos(turn + 2*math.Pi*(float64(i)+0.6*r.Float64())/float64(corners))
		points = append(points, geom.V(float32(3*c), float32(2*s), 0))
	}
	return points
}

// Every ray from within a ring to the outside hits it, also one through a joint, where the segments
// say; and the side that it hits is the one that it comes from.
func TestRaysAtChains(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 20))
	at := func(d float32) geom.Vec3 { return geom.V(d*(2*r.Float32()-1), d*(2*r.Float32()-1), 0) }
	for range 300 {
		points := ring(r, 3+r.IntN(9))
		s := NewPlanarSpace()
		s.Add(Collider{Shape: NewChain(points, true)})
		for range 20 {
			joint := points[r.IntN(len(points))]
			from := geom.Vec3{}
			for _, p := range points {
				from = from.Add(p.Mul(1 / float32(len(points)+1)))
			}
			ray := geom.NewRay(from, joint.Sub(from))
			hit, ok := s.CastRay(ray, Filter{})
			require.True(t, ok, "a ray at a joint passes")
			require.InDelta(t, 1, hit.T, 1e-6)
			require.True(t, hit.BackFace)
			require.False(t, s.CastRayAny(ray, Filter{Cull: geom.CullBack}))

			ray = geom.NewRay(at(4), at(1))
			want := float32(math.Inf(1))
			for i, a := range points {
				e, o := points[(i+1)%len(points)].Wide().Sub(a.Wide()), a.Wide().Sub(ray.Origin.Wide())
				d := ray.Dir.Wide()
				over := d.Cross(e).Z
				if u := o.Cross(d).Z / over; u >= 0 && u <= 1 && o.Cross(e).Z/over >= 0 {
					want = min(want, float32(o.Cross(e).Z/over))
				}
			}
			hit, ok = s.CastRay(ray, Filter{})
			require.Equal(t, !math.IsInf(float64(want), 1), ok)
			if ok {
				require.InEpsilon(t, want, hit.T, 1e-5)
				require.Less(t, hit.Normal.Dot(ray.Dir), float32(0))
				n := len(s.CastRayAll(nil, ray, Filter{Cull: geom.CullBack}))
				require.Equal(t, !hit.BackFace, n == 1, "a convex ring has one front to hit")
			}
		}
	}
	s := NewPlanarSpace()
	s.Add(Collider{Shape: NewChain([]geom.Vec3{{X: 2}, {}}, false)})
	down := geom.NewRay(geom.V(1, 1, 0), geom.V(0, -1, 0))
	crossings := s.Crossings(nil, down, Filter{})
	require.Len(t, crossings, 1)
	assert.Zero(t, crossings[0].Thickness())
	for _, ray := range []geom.Ray{geom.NewRay(geom.V(-1, 0, 0), geom.V(1, 0, 0)), geom.NewRay(geom.V(1, 1, 1), geom.V(0, -1, 0)), geom.NewRay(geom.V(1, 0, 1), geom.V(0, 0, -1)), geom.NewRay(geom.V(1, 1, 0), geom.Vec3{})} {
		assert.False(t, s.CastRayAny(ray, Filter{}), "%v", ray)
	}
	testenv.AllocatesNothing(t, 10, func() { s.CastRay(down, Filter{}) })
}

// What is pushed a little into a chain around a convex solid has the contacts that it has with the
// solid, even if the chain is mirrored, turned and scaled; what has its middle within has none.
func TestChainIsTheSurfaceOfASolid(t *testing.T) {
	testenv.NoRace(t)
	r := rand.New(rand.NewPCG(16, 21))
	placings := []geom.Transform{{}, {Scale: geom.V(-1, 1, 1)}, geom.At2D(3, 2, 0.5), {Scale: geom.V(2, -1.5, 1)}, {Scale: geom.V(-1, -1, 1), Position: geom.V(1, 2, 0)}}
	shapes := []Shape{flatCrate, geom.Sphere{Radius: 0.4}, geom.Capsule{A: geom.V(-0.6, 0, 0), B: geom.V(0.6, 0, 0), Radius: 0.2}, flatKite}
	touched := 0
	var solid, chain Placed
	for i := range 12000 {
		if i%10 == 0 {
			points, place := ring(r, 3+r.IntN(9)), placings[i/10%len(placings)]
			solid, chain = Placed{flatPolygon(t, points...), place}, Placed{NewChain(points, true), place}
		}
		shape := shapes[r.IntN(len(shapes))]
		at := geom.At2D(9*(r.Float32()-0.5), 8*(r.Float32()-0.5), 7*r.Float64())
		want := CollidePlanar(nil, solid, Placed{shape, at}, 0)
		got := CollidePlanar(nil, chain, Placed{shape, at}, 0)
		if len(want) == 0 {
			require.Empty(t, got)
			continue
		}
		if want[0].Depth() > 0.1 {
			continue // the side that is the nearest may be another
		}
		touched++
		require.NotEmpty(t, got, "%v at %v", shape, at)
		// A segment further along may be met too, in its own direction.
		best := got[0]
		for _, m := range got {
			if m.Normal.Dot(want[0].Normal) > best.Normal.Dot(want[0].Normal) {
				best = m
			}
		}
		require.InDelta(t, want[0].Depth(), best.Depth(), 1e-4, "%v at %v", shape, at)
		require.InDelta(t, 0, best.Normal.Sub(want[0].Normal).Len(), 0.01, "%v at %v", shape, at)
	}
	require.Greater(t, touched, 200)
}

// Whatever lies in a floor of many segments, or hangs over its end, meets its front alone.
func TestChainsHaveNoInnerCorners(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 22))
	var points []geom.Vec3
	for x := float32(10); x > -10; x -= 0.1 + 2*r.Float32() {
		points = append(points, geom.V(x, 0, 0))
	}
	floor := Placed{Shape: NewChain(points, false)}
	half := Placed{Shape: geom.Plane{Normal: geom.V(0, 1, 0)}}
	shapes := []Shape{flatCrate, geom.Sphere{Radius: 0.4}, geom.Capsule{A: geom.V(-0.6, 0, 0), B: geom.V(0.6, 0, 0), Radius: 0.2}, flatKite}
	for range 5000 {
		shape := shapes[r.IntN(len(shapes))]
		at := geom.At2D(16*(r.Float32()-0.5), 1.2*r.Float32(), 7*r.Float64())
		want := CollidePlanar(nil, half, Placed{shape, at}, 0)
		got := CollidePlanar(nil, floor, Placed{shape, at}, 0)
		if len(want) == 0 || at.Position.Y < 0.2 {
			continue
		}
		require.NotEmpty(t, got)
		deepest := float32(0)
		for _, m := range got {
			require.InDelta(t, 1, m.Normal.Y, 1e-5)
			deepest = max(deepest, m.Depth())
		}
		require.InDelta(t, want[0].Depth(), deepest, 1e-5, "%v at %v", shape, at)
		at.Position.Y *= -1
		require.Empty(t, CollidePlanar(nil, floor, Placed{geom.Sphere{Radius: 0.4}, at}, 0), "from behind")
	}
}

// What lies on the edge of a ledge, its middle beyond the edge, is pushed up, and not off the
// ledge, whether it leans inward or outward.
func TestLedgesPushUp(t *testing.T) {
	ledge := NewChain([]geom.Vec3{{X: 2}, {}, {Y: -1}}, false)
	r := rand.New(rand.NewPCG(16, 24))
	for range 500 {
		shape, low := Shape(flatCrate), 0.75
		if r.IntN(2) == 0 {
			shape, low = geom.Box{HalfExtents: geom.V(0.6, 0.1, 0)}, 0.1
		}
		lean := 0.01 * (r.Float64() - 0.5)
		at := geom.At2D(0.3*r.Float32()-0.4, float32(low)-0.006-0.004*r.Float32(), lean)
		for _, mirror := range []float32{1, -1} {
			place := geom.Transform{Scale: geom.V(mirror, 1, 1)}
			at := geom.At2D(mirror*at.Position.X, at.Position.Y, float64(mirror)*lean)
			got := CollidePlanar(nil, Placed{ledge, place}, Placed{shape, at}, 0)
			require.NotEmpty(t, got)
			for _, m := range got {
				require.InDelta(t, 1, m.Normal.Y, 1e-4, "%v at %v", shape, at)
				require.Less(t, m.Depth(), float32(0.02))
			}
		}
	}
}

// Contacts with a chain that turns down at every joint are on it: a corner beyond a joint is over
// the next segment, and no deeper in this one than what is over it.
func TestPointsOnChains(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 25))
	shapes := []Shape{flatCrate, flatKite, flatPolygon(t, geom.V(-0.6, 0, 0), geom.V(0.6, 0, 0), geom.V(0, 0.8, 0))}
	found := 0
	for range 400 {
		points := ring(r, 3+r.IntN(20))
		chain := Placed{Shape: NewChain(points, true)}
		for range 60 {
			shape := shapes[r.IntN(len(shapes))]
			at := geom.At2D(9*(r.Float32()-0.5), 8*(r.Float32()-0.5), 7*r.Float64())
			for _, m := range CollidePlanar(nil, chain, Placed{shape, at}, 0) {
				if m.Depth() > 0.03 {
					continue
				}
				found++
				for _, c := range m.ContactPoints() {
					off := math.Inf(1)
					for i, p := range points {
						off = min(off, offSegment(c.PointA.Wide(), p.Wide(), points[(i+1)%len(points)].Wide()))
					}
					require.Less(t, off, 1e-5, "%v at %v: %v", shape, at, m)
				}
			}
		}
	}
	require.Greater(t, found, 100)
}

// Contacts in the bends of a concave chain, and in those of tiles, are on its surface too: what of
// a shape is beside a side is deep in the next one.
func TestPointsInBends(t *testing.T) {
	testenv.NoRace(t)
	r := rand.New(rand.NewPCG(16, 32))
	shapes := []Shape{flatCrate, flatKite, geom.Capsule{A: geom.V(-0.6, 0, 0), B: geom.V(0.6, 0, 0), Radius: 0.02}}
	found := 0
	for i := range 400 {
		var points []geom.Vec3
		var ground Placed
		if i%2 == 0 {
			for x := float32(8); x > -8; x -= 0.5 + 2*r.Float32() {
				points = append(points, geom.V(x, 3*r.Float32(), 0))
			}
			ground.Shape = NewChain(points, false)
		} else {
			var heights [16]int
			at := 3
			points = append(points, geom.V(-8, 0, 0))
			for x := range heights {
				points = append(points, geom.V(float32(x-8), float32(at), 0))
				at = min(7, max(1, at+r.IntN(3)-1))
				heights[x] = at
				points = append(points, geom.V(float32(x-8), float32(at), 0))
			}
			points = append(points, geom.V(8, float32(at), 0), geom.V(8, 0, 0))
			ground = Placed{NewTiles(16, 8, 1, func(x, y int) bool { return y < heights[x] }), geom.At(-8, 0, 0)}
		}
		for range 100 {
			p := points[1+r.IntN(len(points)-3)]
			at := geom.At2D(p.X+r.Float32()-0.5, p.Y+0.8*r.Float32(), 7*r.Float64())
			shape := Placed{shapes[r.IntN(len(shapes))], at}
			for _, m := range CollidePlanar(nil, ground, shape, 0) {
				if m.Depth() > 0.05 {
					continue
				}
				for _, c := range m.ContactPoints() {
					found++
					off := math.Inf(1)
					for i := range points[1:] {
						off = min(off, offSegment(c.PointA.Wide(), points[i].Wide(), points[i+1].Wide()))
					}
					require.Less(t, off, 1e-5, "%v of %v on %v", c, shape, points)
				}
			}
		}
	}
	require.Greater(t, found, 1000)
}

// A disc over hills and valleys is as deep in their chain as the nearest point of it says, towards
// that point, and a joint has one manifold.
func TestDiscsOnChains(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 23))
	corners := 0
	for range 200 {
		var points []geom.Vec3
		for x := float32(6); x > -6; x -= 0.1 + r.Float32() {
			points = append(points, geom.V(x, r.Float32(), 0))
		}
		chain := Placed{Shape: NewChain(points, false)}
		for range 30 {
			disc := geom.Sphere{Center: geom.V(8*(r.Float32()-0.5), 0.2+1.5*r.Float32(), 0), Radius: 0.05 + 0.5*r.Float32()}
			nearest, above := float32(math.Inf(1)), false
			var at geom.Vec3
			for i := range points[1:] {
				a, b := points[i], points[i+1]
				p := (geom.Capsule{A: a, B: b}).ClosestPoint(disc.Center)
				if d := p.Distance(disc.Center); d < nearest {
					nearest, at = d, p
				}
				if b.X <= disc.Center.X && disc.Center.X <= a.X {
					u := (disc.Center.X - b.X) / (a.X - b.X)
					above = disc.Center.Y > b.Y+(a.Y-b.Y)*u
				}
			}
			if !above || nearest < 1e-3 {
				continue
			}
			got := CollidePlanar(nil, chain, Placed{Shape: disc}, 0)
			if nearest > disc.Radius+1e-5 {
				require.Empty(t, got)
			}
			if nearest > disc.Radius-1e-5 {
				continue
			}
			require.NotEmpty(t, got)
			deepest, shared := got[0], 0
			for _, m := range got {
				if m.Depth() > deepest.Depth() {
					deepest = m
				}
				for _, p := range points {
					if m.Points[0].PointA.Distance(p) < 1e-6 && p == at {
						shared++
					}
				}
			}
			require.InDelta(t, disc.Radius-nearest, deepest.Depth(), 1e-5)
			require.InDelta(t, 0, deepest.Normal.Sub(disc.Center.Sub(at).Normalize()).Len(), 1e-3)
			require.LessOrEqual(t, shared, 1)
			corners += shared
		}
	}
	require.Greater(t, corners, 100)
}

// A mover walks over hills of a chain, and stays above them.
func TestMoverOnChain(t *testing.T) {
	var points []geom.Vec3
	for x := float32(30); x >= -5; x -= 0.5 {
		points = append(points, geom.V(x, float32(0.5*math.Sin(float64(x)/2)), 0))
	}
	s := NewPlanarSpace()
	s.Add(Collider{Shape: NewChain(points, false), Static: true})
	st := MoverState{Transform: geom.At(0, 1.5, 0)}
	m := Mover{Shape: geom.Capsule{A: geom.V(0, -0.5, 0), B: geom.V(0, 0.5, 0), Radius: 0.4}}
	for i := range 400 {
		m.Move(s, &st, geom.V(3, -3, 0), 1.0/60, Filter{}, nil)
		require.Zero(t, st.Transform.Position.Z)
		n, ok := s.NearestToShape(Placed{m.Shape, st.Transform}, 1, Filter{})
		require.True(t, ok)
		require.Greater(t, n.Distance, float32(0))
		require.True(t, n.Distance < 0.1 || i < 30, "%d: %g", i, n.Distance)
	}
	assert.InDelta(t, 20, st.Transform.Position.X, 3)
}

// gapOfRod returns how far a rectangle is from a segment, −1 if its sides cross it.
func gapOfRod(corners [4]geom.DVec3, a, b geom.DVec3) float64 {
	gap := math.Inf(1)
	for k, c := range corners {
		d := corners[(k+1)%4]
		beside := func(p, a, b geom.DVec3) float64 { return b.Sub(a).Cross(p.Sub(a)).Z }
		if beside(a, c, d)*beside(b, c, d) <= 0 && beside(c, a, b)*beside(d, a, b) <= 0 {
			return -1
		}
		gap = min(gap, offSegment(a, c, d), offSegment(b, c, d), offSegment(c, a, b), offSegment(d, a, b))
	}
	return gap
}

// A thin rod over the corners of hills and ledges, whose core is apart from them, is as near as the
// least distance of all pairs of sides says, along a line between points at that distance.
func TestRodsOnChains(t *testing.T) {
	r := testenv.Rand(16, 33)
	drawn, deep := 0, 0
	for range 2000 {
		points := []geom.Vec3{{X: 4}, {}, {X: 2*r.Float32() - 1, Y: -4}}
		if r.IntN(2) == 0 {
			points = points[:0]
			for x := float32(4); x > -4; x -= 0.3 + r.Float32() {
				points = append(points, geom.V(x, r.Float32(), 0))
			}
		}
		chain := Placed{Shape: NewChain(points, false)}
		for range 40 {
			p := points[1+r.IntN(len(points)-2)]
			long, thin := 0.3+r.Float32(), 0.002+0.04*r.Float32()
			at := geom.At2D(p.X+2*long*(r.Float32()-0.5), p.Y+long*(r.Float32()-0.2), 7*r.Float64())
			x, y := at.Rotation.Rotate(geom.V(long, 0, 0)).Wide(), at.Rotation.Rotate(geom.V(0, thin, 0)).Wide()
			rod, radius := Placed{geom.Capsule{A: geom.V(-long, 0, 0), B: geom.V(long, 0, 0), Radius: thin}, at}, float64(thin)
			if r.IntN(2) == 0 {
				rod.Shape, radius = geom.Box{HalfExtents: geom.V(long, thin, 0)}, 0
			} else {
				y = geom.DVec3{}
			}
			m := at.Position.Wide()
			corners := [4]geom.DVec3{m.Sub(x).Sub(y), m.Add(x).Sub(y), m.Add(x).Add(y), m.Sub(x).Add(y)}
			gap, up := math.Inf(1), math.Inf(1)
			nearest := 0
			for i := range points[1:] {
				a, b := points[i].Wide(), points[i+1].Wide()
				if d := offSegment(m, a, b); d < up {
					up, nearest = d, i
				}
				gap = min(gap, gapOfRod(corners, a, b))
			}
			const margin = 0.03
			// The middle is in front of the nearest segments, and no end is beyond the hills.
			front := len(points) == 3 || max(math.Abs(m.Sub(x).X), math.Abs(m.Add(x).X)) < 2.5
			for i := max(0, nearest-1); i <= min(nearest+1, len(points)-2); i++ {
				a, b := points[i].Wide(), points[i+1].Wide()
				front = front && b.Sub(a).Cross(m.Sub(a)).Z < 0
			}
			if !front || gap < 1e-4 || gap > radius+margin-1e-4 {
				continue
			}
			drawn++
			if gap < radius {
				deep++
			}
			got := CollidePlanar(nil, chain, rod, margin)
			require.NotEmpty(t, got, "%v on %v", rod, points)
			best := got[0]
			for _, g := range got {
				if g.Depth() > best.Depth() {
					best = g
				}
			}
			require.InDelta(t, radius-gap, best.Depth(), 1e-5, "%v on %v", rod, points)
			c := slices.MaxFunc(best.ContactPoints(), func(a, b ContactPoint) int { return cmp.Compare(a.Depth, b.Depth) })
			off, apart := math.Inf(1), math.Inf(1)
			for i := range points[1:] {
				off = min(off, offSegment(c.PointA.Wide(), points[i].Wide(), points[i+1].Wide()))
			}
			for k := range corners {
				apart = min(apart, offSegment(c.PointA.Wide().AddMul(gap, best.Normal.Wide()), corners[k], corners[(k+1)%4]))
			}
			require.Less(t, max(off, apart), 1e-5, "%v on %v", rod, points)
		}
	}
	testenv.Drawn(t, drawn, 1000)
	testenv.Drawn(t, deep, 200)
}

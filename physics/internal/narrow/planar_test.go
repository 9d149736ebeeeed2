package narrow

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
)

// flatShape is a shape in the plane, and the points of its core, in the world.
type flatShape struct {
	Shape
	core []vec2
}

// randomFlat draws a shape in the plane whose middle is within a distance of the origin.
func randomFlat(r *rand.Rand, within float64) flatShape {
	at := func(d float64) geom.Vec3 { return geom.V(float32(r.Float64()*2*d-d), float32(r.Float64()*2*d-d), 0) }
	var f flatShape
	add := func(p geom.DVec3) { f.core = append(f.core, inPlane(p)) }
	tr := geom.At2D(at(within).X, at(within).Y, r.Float64()*7)
	if r.IntN(4) == 0 {
		tr.Rotation = geom.Quat{}
	}
	m := tr.Affine()
	switch r.IntN(5) {
	case 0:
		f.SetSphere(geom.Sphere{Center: tr.Position, Radius: r.Float32()})
		add(f.p)
	case 1:
		f.SetCapsule(geom.Capsule{A: tr.Position, B: tr.Position.Add(at(1)), Radius: r.Float32()})
		add(f.p)
		add(f.p.Add(f.e))
	case 2:
		h := geom.V(r.Float32(), r.Float32(), float32(r.IntN(2)))
		f.SetBox(geom.Box{Center: tr.Position, HalfExtents: h, Rotation: tr.Rotation})
		for _, s := range [4][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
			add(f.p.AddMul(s[0]*float64(h.X), f.x).AddMul(s[1]*float64(h.Y), f.y))
		}
	case 3:
		b := geom.EmptyAABB()
		for range 2 {
			p := tr.Position.Add(at(1))
			b.Min, b.Max = b.Min.Min(p), b.Max.Max(p)
		}
		f.SetAABB(b)
		for _, p := range []geom.Vec3{b.Min, {X: b.Max.X, Y: b.Min.Y}, b.Max, {X: b.Min.X, Y: b.Max.Y}} {
			add(p.Wide())
		}
	default:
		var points []geom.Vec3
		for range 3 + r.IntN(6) {
			points = append(points, at(1))
		}
		h, err := hull.NewPolygon(points)
		if err != nil {
			return randomFlat(r, within)
		}
		f.SetHull(h, m)
		for _, p := range h.Corners() {
			add(geom.DVec3{}.Add(f.p).Add(f.image(p.Wide().Sub(f.f))))
		}
	}
	f.SetPlanar(true)
	return f
}

// distanceTo returns the distance of a point from a shape's core, which is 0 within it.
func (f *flatShape) distanceTo(p vec2) float64 {
	n := len(f.core)
	best, inside := math.Inf(1), n > 2
	for i, v := range f.core {
		d := f.core[(i+1)%n].sub(v)
		w := p.sub(v)
		inside = inside && d.cross(w) >= 0
		t := 0.0
		if l := d.dot(d); l > 0 {
			t = clamp(w.dot(d) / l)
		}
		best = min(best, w.sub(d.mul(t)).len())
	}
	if inside {
		return 0
	}
	return best
}

// along returns the gap of two shapes along a direction, with their radii.
func along(a, b *flatShape, n vec2) float64 {
	most, least := math.Inf(-1), math.Inf(1)
	for _, p := range a.core {
		most = max(most, p.dot(n))
	}
	for _, p := range b.core {
		least = min(least, p.dot(n))
	}
	return least - most - a.radius - b.radius
}

// The relation of two shapes is proved by what needs no algorithm: along no direction is the gap
// larger, along the one returned it is as large, and the witness points belong to the shapes.
func TestPlanarRelation(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 1))
	touching, apart := 0, 0
	for range 4000 {
		a, b := randomFlat(r, 1), randomFlat(r, 1)
		c := Distance(&a.Shape, &b.Shape, math.Inf(1))
		p, ok := Penetrate(&a.Shape, &b.Shape)
		require.Equal(t, ok, Overlaps(&a.Shape, &b.Shape))
		n, dist, pa, pb := c.Normal, c.Distance, c.PointA, c.PointB
		if ok {
			touching++
			require.LessOrEqual(t, c.Distance, 1e-12)
			require.LessOrEqual(t, a.distanceTo(inPlane(c.PointA)), a.radius+1e-6)
			require.LessOrEqual(t, b.distanceTo(inPlane(c.PointB)), b.radius+1e-6)
			n, dist, pa, pb = p.Normal, -p.Depth, p.PointA, p.PointB
		} else {
			apart++
		}
		require.Zero(t, n.Z)
		require.Zero(t, pa.Z)
		require.Zero(t, pb.Z)
		require.InDelta(t, 1, n.Len(), 1e-12)
		require.InDelta(t, dist, along(&a, &b, inPlane(n)), 2e-6)
		require.InDelta(t, 0, pb.Sub(pa).AddMul(-dist, n).Len(), 1e-9)
		require.LessOrEqual(t, a.distanceTo(inPlane(pa)), a.radius+1e-5)
		require.LessOrEqual(t, b.distanceTo(inPlane(pb)), b.radius+1e-5)
		least := math.Inf(-1)
		for i := range 360 {
			sin, cos := math.Sincos(float64(i) * math.Pi / 180)
			least = max(least, along(&a, &b, vec2{cos, sin}))
		}
		require.LessOrEqual(t, least, dist+2e-6, "a shorter way out, or a longer distance")
		q, _ := Penetrate(&b.Shape, &a.Shape)
		require.Equal(t, Penetration{p.Depth, p.Normal.Neg(), p.PointB, p.PointA, false}, q)
	}
	require.Greater(t, min(touching, apart), 1000)
}

// Contacts share the normal of the relation, the deepest is as deep, there are two at most, their
// points are in the shapes, and on the surface of each as seen along the normal.
func TestPlanarContacts(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 2))
	two := 0
	for range 4000 {
		a, b := randomFlat(r, 1), randomFlat(r, 1)
		margin := 0.2 * r.Float64()
		var f, g Finder
		f.Collide(&a.Shape, &b.Shape, margin)
		p, ok := Penetrate(&a.Shape, &b.Shape)
		dist := -p.Depth
		if !ok {
			dist = Distance(&a.Shape, &b.Shape, math.Inf(1)).Distance
		}
		if f.N == 0 {
			require.Greater(t, dist, margin-1e-9)
			continue
		}
		require.LessOrEqual(t, dist, margin+1e-6)
		require.LessOrEqual(t, f.N, 2)
		require.Zero(t, f.Normal.Z)
		require.InDelta(t, -dist, f.Points[f.Deepest()].Depth, 1e-6)
		for i, c := range f.Contacts() {
			require.LessOrEqual(t, -c.Depth, margin)
			require.InDelta(t, 0, c.PointA.Sub(c.PointB).AddMul(-c.Depth, f.Normal).Len(), 1e-9)
			require.LessOrEqual(t, a.distanceTo(inPlane(c.PointA)), a.radius+1e-5)
			require.LessOrEqual(t, b.distanceTo(inPlane(c.PointB)), b.radius+1e-5)
			for k := range i {
				require.NotEqual(t, [2]Feature{c.FeatureA, c.FeatureB}, [2]Feature{f.Points[k].FeatureA, f.Points[k].FeatureB})
			}
		}
		if f.N == 2 {
			two++
		}
		g.Collide(&b.Shape, &a.Shape, margin)
		g.flip()
		require.Equal(t, f.Contacts(), g.Contacts())
	}
	require.Greater(t, two, 200)
}

// A box without height or width is a segment, and one without either is a point.
func TestThinPlanarBoxes(t *testing.T) {
	tr := geom.At2D(3, 2, 0.3)
	for _, half := range []geom.Vec3{geom.V(0.5, 0, 1), geom.V(0, 0.5, 1), geom.V(0, 0, 1)} {
		var box, segment, ball Shape
		box.SetBox(geom.Box{Center: tr.Position, HalfExtents: half, Rotation: tr.Rotation})
		end := tr.Rotation.Rotate(geom.V(half.X, half.Y, 0))
		segment.SetCapsule(geom.Capsule{A: tr.Position.Sub(end), B: tr.Position.Add(end)})
		for i := range 8 {
			sin, cos := math.Sincos(float64(i) * math.Pi / 4)
			ball.SetSphere(geom.Sphere{Center: tr.Position.Add(geom.V(float32(2*cos), float32(sin), 0)), Radius: 0.125})
			for _, s := range []*Shape{&box, &segment, &ball} {
				s.SetPlanar(true)
			}
			want, got := Distance(&segment, &ball, math.Inf(1)), Distance(&box, &ball, math.Inf(1))
			// The ends of the capsule are rounded to single precision.
			require.InDelta(t, want.Distance, got.Distance, 1e-6)
			require.InDelta(t, 0, want.PointA.Sub(got.PointA).Len(), 1e-6)
		}
	}
}

// Memory that held a box with hidden sides serves any other shape.
func TestHiddenSidesEnd(t *testing.T) {
	var x, y Shape
	flat := func(s *Shape, min, max float32) {
		s.SetAABB(geom.AABB{Min: geom.V(-1, min, 0), Max: geom.V(1, max, 0)})
		s.SetPlanar(true)
	}
	flat(&x, -1, 0)
	x.SetHidden(0b1111)
	flat(&y, -0.1, 1)
	require.Zero(t, Collide(&x, &y, 0).N)
	x.SetHalfSpace(geom.DVec3{Y: 1}, geom.DVec3{})
	require.Equal(t, 2, Collide(&x, &y, 0).N)
}

// A segment without neighbours has contacts in front of it, those straight in front included.
func TestSegmentFacesItsFront(t *testing.T) {
	for _, turn := range []float64{0, 0.7, 2, 4} {
		sin, cos := math.Sincos(turn)
		c := covered{hidden: oneSided, front: vec2{sin, cos}, along: vec2{-cos, sin}}
		for degree := range 360 {
			if degree%180 == 90 {
				continue
			}
			x, y := math.Sincos(turn + float64(float64(degree)*math.Pi/180))
			require.Equal(t, degree < 90 || degree > 270, c.faces(&outline{}, vec2{x, y}), "%d°", degree)
		}
	}
}

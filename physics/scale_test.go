package physics

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

var placements = []struct {
	name string
	t    geom.Transform
}{
	{"as it is", geom.Transform{}},
	{"moved", geom.At(3, -2, 5)},
	{"turned", geom.Transform{Rotation: geom.QuatEuler(0.4, 1.1, -0.3)}},
	{"larger", geom.Transform{Scale: geom.V(2.5, 2.5, 2.5), Rotation: geom.QuatEuler(1, 2, 3)}},
	{"mirrored", geom.Transform{Scale: geom.V(-1, 1, 1), Rotation: geom.QuatEuler(1, 2, 3)}},
	{"mirrored thrice", geom.Transform{Scale: geom.V(-2, -2, -2), Position: geom.V(1, 2, 3)}},
	{"uneven", geom.Transform{Scale: geom.V(3, 0.5, 1)}},
	{"uneven and turned", geom.Transform{
		Scale: geom.V(0.4, 2, 1.5), Rotation: geom.QuatEuler(0.7, -0.2, 2), Position: geom.V(4, 0, 1)}},
	{"uneven and mirrored", geom.Transform{Scale: geom.V(0.5, -2, 1), Rotation: geom.QuatEuler(-1, 0.6, 0.1)}},
}

// triangulated pairs solids with meshes of the same form.
var triangulated = []struct {
	name      string
	solid     Shape
	mesh      *mesh.Mesh
	tolerance float32 // how far the mesh is from the solid
}{
	{"sphere", unitSphere, mustMesh(mesh.Icosphere(1, 4)), 0.004},
	{"box", geom.Box{HalfExtents: geom.V(1, 0.5, 0.7)}, mustMesh(mesh.Box(geom.V(1, 0.5, 0.7))), 1e-5},
	{"capsule", geom.Capsule{A: geom.V(0, -0.5, 0), B: geom.V(0, 0.5, 0), Radius: 0.5},
		mustMesh(mesh.Capsule(0.5, 0.5, 64, 16)), 0.002},
	{"hull", mustHull(ballPoints(2)), mustMesh(mesh.Icosphere(1, 2)), 1e-5},
	{"hull of few", testHulls[0], testMeshes[0], 1e-5},
}

// around reports whether no point of inner is outside outer, and inner has a point.
func around(outer, inner geom.AABB) bool { return !inner.IsEmpty() && outer.Union(inner) == outer }

// inParents calls f with a transform alone, and with compounds that hold the shape in another
// placement.
func inParents(f func(name string, place func(Shape) Collider)) {
	for _, p := range placements {
		f(p.name, func(s Shape) Collider { return Collider{Shape: s, Transform: p.t} })
		for _, child := range placements[6:] {
			f(child.name+" in "+p.name, func(s Shape) Collider {
				return Collider{Shape: NewCompound(Child{s, child.t}), Transform: p.t}
			})
		}
	}
}

// TestPlacedSolidsAgainstTriangles compares every solid with the mesh of the same form, under the
// same transforms.
func TestPlacedSolidsAgainstTriangles(t *testing.T) {
	testenv.Long(t)
	for _, tt := range triangulated {
		inParents(func(name string, place func(Shape) Collider) {
			t.Run(tt.name+" "+name, func(t *testing.T) {
				rnd := testenv.Rand(3, 4)
				vec := func(r float32) geom.Vec3 {
					f := func() float32 { return (rnd.Float32()*2 - 1) * r }
					return geom.V(f(), f(), f())
				}
				solid, surface := NewSpace(), NewSpace()
				id := solid.Add(place(tt.solid))
				surface.Add(place(tt.mesh))
				require.False(t, solid.IsNowhere(id))
				bounds, _ := solid.Bounds(id)
				tight := surfaceBounds(surface)
				size := bounds.HalfExtents().Len()
				to := partsOf(place(tt.solid))[0].to
				// Solids reach 0.5 m or more on each axis, so the transform magnifies by up to
				// size/0.5. Rays come from 3·size away, and each of 16 steps rounds what is on the
				// way there.
				eps := tt.tolerance*size*2 + 16*0x1p-24*(bounds.Center().Len()+4*size)
				rounding := 16 * 0x1p-24 * float64(bounds.Center().Len()+4*size)

				// The bounds are right, and for all but boxes that are sheared they are tight.
				assert.True(t, around(bounds.Grow(eps), tight), "%v around %v", bounds, tight)
				assert.True(t, around(tight.Grow(eps), bounds), "%v around %v", bounds, tight)

				hits := 0
				for range 25 {
					target := bounds.Center().Add(vec(0.8).MulVec(bounds.HalfExtents()))
					r := geom.Segment(bounds.Center().Add(vec(1).Normalize().Mul(3*size)), target)
					r.MaxT = 0
					a, okA := solid.CastRay(r, Filter{})
					b, okB := surface.CastRay(r, Filter{})
					if okA != okB || okA && a.Point.Distance(b.Point) > 10*eps {
						// They may differ by so much where the ray makes an angle of less than 1/10
						// with the surface, or at a rim: a ray that passes a little nearer to the
						// middle, or further from it, hits elsewhere or nothing.
						assert.True(t, grazes(surface, r, bounds.Center(), eps*4), "%v: %v %v", r, okA, okB)
						continue
					}
					if !okA {
						continue
					}
					hits++
					assert.LessOrEqual(t, a.Normal.Dot(r.Dir), float32(0))
					assert.InDelta(t, 1, a.Normal.Len(), 3*0x1p-24)
					assert.Less(t, float64(a.Point.Distance(r.At(a.T))), rounding)
					assert.False(t, a.BackFace)
					assert.False(t, b.BackFace, "the front of a mesh is its front in a mirror")
					// In the frame of the sphere, facets reach 2.6° from their middle, by which
					// normals differ; and 0.6° is the sagitta of 0.001 along a ray at an angle of
					// 1/10.
					local := func(n geom.Vec3) geom.Vec3 { return geom.V(to.X.Dot(n), to.Y.Dot(n), to.Z.Dot(n)).Normalize() }
					inverse, _ := to.Inverse()
					if tt.name == "sphere" && local(b.Normal).Dot(inverse.Vector(r.Dir).Normalize()) < -0.1 {
						assert.Greater(t, float64(local(a.Normal).Dot(local(b.Normal))), math.Cos(3.2*math.Pi/180), "%v: %v %v", r, a, b)
					}

					p := bounds.Center().Add(vec(1).Normalize().Mul((1.8 + rnd.Float32()) * size))
					na, _ := solid.Nearest(p, infinity, Filter{})
					nb, _ := surface.Nearest(p, infinity, Filter{})
					assert.InDelta(t, nb.Distance, na.Distance, float64(eps))
					ball := geom.Sphere{Center: p, Radius: na.Distance + eps}
					assert.Len(t, solid.OverlapSphere(nil, ball, Filter{}), 1)
					assert.Len(t, surface.OverlapSphere(nil, ball, Filter{}), 1)
					ball.Radius = na.Distance - eps
					assert.Empty(t, solid.OverlapSphere(nil, ball, Filter{}))
					assert.Empty(t, surface.OverlapSphere(nil, ball, Filter{}))

					// A volume that touches the surface touches the solid; one that is within
					// touches the solid alone.
					box := geom.Box{Center: p, HalfExtents: vec(size).Abs(), Rotation: geom.QuatEuler(float64(p.X), 1, 2)}
					if len(surface.OverlapBox(nil, box, Filter{})) > 0 {
						box.HalfExtents = box.HalfExtents.Add(geom.V(eps, eps, eps))
						assert.Len(t, solid.OverlapBox(nil, box, Filter{}), 1)
					}
					if b := box.Bounds(); len(surface.OverlapAABB(nil, b, Filter{})) > 0 {
						assert.Len(t, solid.OverlapAABB(nil, b.Grow(eps), Filter{}), 1)
					}
				}
				testenv.Drawn(t, hits, 3)
				middle := bounds.Center()
				assert.Len(t, solid.OverlapPoint(nil, middle, Filter{}), 1)
				assert.Empty(t, surface.OverlapPoint(nil, middle, Filter{}))
				n, ok := solid.Nearest(middle, 0, Filter{})
				assert.True(t, ok)
				assert.Equal(t, middle, n.PointA)
				assert.Zero(t, n.Distance)
			})
		})
	}
}

// surfaceBounds returns the smallest box around the world triangles of the one mesh in a space.
func surfaceBounds(s *Space) geom.AABB {
	b := geom.EmptyAABB()
	for _, c := range s.All() {
		for _, p := range partsOf(c) {
			for _, t := range p.triangles(p.shape.(*mesh.Mesh)) {
				b = b.Union(t.Bounds())
			}
		}
	}
	return b
}

// grazes reports whether a ray passes the surface so closely that moving it towards the middle, or
// away, makes a difference.
func grazes(s *Space, r geom.Ray, middle geom.Vec3, d float32) bool {
	in := middle.Sub(r.ClosestPoint(middle)).Normalize().Mul(d)
	near, far := r, r
	near.Origin, far.Origin = r.Origin.Add(in), r.Origin.Sub(in)
	a, okA := s.CastRay(near, Filter{})
	b, okB := s.CastRay(far, Filter{})
	return okA != okB || okA && a.Point.Distance(b.Point) > 4*d
}

// TestStrongShear casts at a mesh and a solid with a shear so strong that a ray from afar hits what
// it misses in the world, because the inverse magnifies its rounding error. Such hits do not count;
// otherwise the tree would decide about them.
func TestStrongShear(t *testing.T) {
	testenv.NoRace(t)
	turned := geom.Transform{Rotation: geom.QuatEuler(0.5, 0.6, 0.7)}
	for name, shape := range map[string]Shape{"mesh": boxMesh, "sphere": unitSphere, "box": unitBox, "hull": boxHull} {
		t.Run(name, func(t *testing.T) {
			rnd := testenv.Rand(7, 8)
			s, w := NewSpace(), twin{}
			c := Collider{Shape: NewCompound(Child{shape, turned}), Static: true,
				Transform: geom.Transform{Scale: geom.V(1, 0.001, 1), Rotation: geom.QuatEuler(0.1, 0.2, 0.3)}}
			id := s.Add(c)
			w[id] = c
			bounds, _ := s.Bounds(id)
			hits, astray := 0, 0
			for range 3000 {
				f := func() float32 { return rnd.Float32()*2 - 1 }
				from := geom.V(f(), f(), f()).Normalize().Mul(1e4)
				target := geom.V(f(), f(), f()).MulVec(bounds.HalfExtents()).Mul(1.1)
				r := geom.NewRay(from, target.Sub(from).Normalize())
				hits += requireSameCasts(t, s, w, r, Filter{})
				rec := s.lookup(id)
				var h geom.Hit
				if p := &rec.group.subshapes[0]; p.CastRay(&h, &r, geom.Solid, geom.CullNone) && !rec.counts(p, &r, &h) {
					astray++
				}
			}
			testenv.Drawn(t, hits, 100)
			testenv.Drawn(t, astray, 10)
		})
	}
}

// TestEllipsoid compares a non-uniformly scaled sphere with the formula of the ellipsoid.
func TestEllipsoid(t *testing.T) {
	s := NewSpace()
	semi := geom.V(3, 0.5, 1.25)
	s.Add(Collider{Shape: unitSphere, Transform: geom.Transform{Position: geom.V(1, 2, 3), Scale: semi}})
	rnd := testenv.Rand(5, 6)
	hits := 0
	for range 1000 {
		f := func() float64 { return rnd.Float64()*8 - 4 }
		o, d := geom.DVec3{X: f(), Y: f(), Z: 10}.Narrow(), geom.DVec3{X: f() / 10, Y: f() / 10, Z: -1}.Narrow()
		r := geom.NewRay(o.Add(geom.V(1, 2, 3)), d)
		// |(o + t·d)/semi|² = 1
		p := geom.DVec3{X: float64(o.X) / 3, Y: float64(o.Y) / 0.5, Z: float64(o.Z) / 1.25}
		q := geom.DVec3{X: float64(d.X) / 3, Y: float64(d.Y) / 0.5, Z: float64(d.Z) / 1.25}
		a, b, c := q.Dot(q), p.Dot(q), p.Dot(p)-1
		disc := b*b - a*c
		if math.Abs(disc) < 1e-3 {
			continue
		}
		hit, ok := s.CastRay(r, Filter{})
		require.Equal(t, disc > 0, ok)
		if !ok {
			continue
		}
		hits++
		want := (-b - math.Sqrt(disc)) / a
		// Where the sphere has the radius 1, the ray is off by about 8 roundings, and T by that
		// over the cosine of the ray's angle to the normal. Normals of the sphere are off by both,
		// and those of the ellipsoid by up to 3/0.5 times that.
		off := 8 * 0x1p-24 * (p.Len() + math.Abs(want)*q.Len())
		cosine := math.Sqrt(disc / a)
		offT := off/cosine/q.Len() + 0x1p-23*(math.Abs(want)+2/q.Len())
		tilt := 6*(off+offT*q.Len()) + 0x1p-22
		require.InDelta(t, want, hit.T, offT)
		on := o.Wide().AddMul(want, d.Wide())
		gradient := geom.DVec3{X: on.X / 9, Y: on.Y / 0.25, Z: on.Z / (1.25 * 1.25)}.Normalize()
		require.Greater(t, gradient.Dot(hit.Normal.Wide()), 1-tilt*tilt/2-0x1p-23)

		far, ok := s.CastRay(r, Filter{Start: geom.Exit})
		require.True(t, ok)
		require.Equal(t, hit, far, "a ray that starts outside is not concerned")
		within := r
		within.MinT = float32(want) + 0.01*float32(math.Sqrt(disc)/a)
		far, ok = s.CastRay(within, Filter{Start: geom.Exit})
		require.True(t, ok)
		require.True(t, far.BackFace)
		require.InDelta(t, (-b+math.Sqrt(disc))/a, far.T, offT)
		solid, ok := s.CastRay(within, Filter{})
		require.True(t, ok)
		require.Equal(t, within.MinT, solid.T)
		require.True(t, solid.Inside)
		require.Equal(t, within.At(within.MinT), solid.Point)
		require.InDelta(t, -1, solid.Normal.Dot(r.Dir.Normalize()), 4*0x1p-24)
	}
	testenv.Drawn(t, hits, 50)
}

// TestFlatBoxes scales boxes by the least number along one axis: they are then rectangles, and can
// still be hit.
func TestFlatBoxes(t *testing.T) {
	for _, tt := range []struct {
		name string
		c    Collider
	}{
		{"AABB", Collider{Shape: unitAABB, Transform: geom.Transform{Scale: geom.V(1, 1e-45, 1)}}},
		{"box", Collider{Shape: unitBox, Transform: geom.Transform{Scale: geom.V(1, 1e-45, 1)}}},
		{"turned box", Collider{Shape: unitBox, Transform: geom.Transform{
			Scale: geom.V(1, 1e-45, 1), Rotation: geom.QuatAxisAngle(geom.V(0, 1, 0), 1)}}},
		{"in a compound", Collider{Shape: NewCompound(Child{unitBox, geom.Transform{Scale: geom.V(2, 1e-45, 2)}})}},
		{"flat compound", Collider{Shape: NewCompound(Child{Shape: unitBox}), Transform: geom.Transform{Scale: geom.V(2, 1e-45, 2)}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := NewSpace()
			id := s.Add(tt.c)
			require.False(t, s.IsNowhere(id))
			hit, ok := s.CastRay(down(0.5, 0.25), Filter{})
			require.True(t, ok)
			assert.Equal(t, float32(10), hit.T)
			assert.InDelta(t, 1, hit.Normal.Y, 1e-6)
			assert.False(t, s.CastRayAny(down(5, 0), Filter{}))
			assert.Len(t, s.OverlapPoint(nil, geom.V(0.5, 0, 0.5), Filter{}), 1)
		})
	}
}

// TestMirrorKeepsOutsideOutside culls the back faces of a mesh from outside and from within, with
// and without a mirroring scale.
func TestMirrorKeepsOutsideOutside(t *testing.T) {
	ball := mustMesh(mesh.Icosphere(1, 2))
	for _, p := range placements {
		t.Run(p.name, func(t *testing.T) {
			s := NewSpace()
			id := s.Add(Collider{Shape: ball, Transform: p.t})
			b, _ := s.Bounds(id)
			outside := geom.Segment(b.Max.Add(geom.V(1, 1, 1)), b.Center())
			hit, ok := s.CastRay(outside, Filter{Cull: geom.CullBack})
			require.True(t, ok)
			assert.False(t, hit.BackFace)
			assert.LessOrEqual(t, hit.Normal.Dot(outside.Dir), float32(0))
			_, ok = s.CastRay(outside, Filter{Cull: geom.CullFront})
			assert.False(t, ok)

			within := geom.NewRay(b.Center(), geom.V(0.3, 1, 0.2))
			assert.False(t, s.CastRayAny(within, Filter{Cull: geom.CullBack}))
			hit, ok = s.CastRay(within, Filter{Cull: geom.CullFront})
			require.True(t, ok)
			assert.True(t, hit.BackFace)
			assert.LessOrEqual(t, hit.Normal.Dot(within.Dir), float32(0))
		})
	}
}

// TestPlacedPlanes compares planes with the points they go through.
func TestPlacedPlanes(t *testing.T) {
	local := geom.PlaneThrough(geom.V(0, 1, 0), geom.V(1, 2, -2))
	inParents(func(name string, place func(Shape) Collider) {
		t.Run(name, func(t *testing.T) {
			s := NewSpace()
			id := s.Add(place(local))
			c, _ := s.Collider(id)
			m := partsOf(c)[0].to
			a, b, d := m.Point(geom.V(0, 1, 0)), m.Point(geom.V(2, 0, 0)), m.Point(geom.V(0, 0, -1))
			front := m.Point(geom.V(1, 3, -2)) // (0, 1, 0) and one normal up
			want := b.Sub(a).Cross(d.Sub(a)).Normalize()
			if want.Dot(front.Sub(a)) < 0 {
				want = want.Neg()
			}
			r := geom.Segment(front, a.Lerp(b, 0.3).Lerp(d, 0.2))
			r.MaxT = 0 // rounding may put the end just short of the plane
			hit, ok := s.CastRay(r, Filter{})
			require.True(t, ok)
			assert.InDelta(t, 1, hit.T, 1e-5)
			assert.False(t, hit.BackFace)
			assert.Greater(t, hit.Normal.Dot(want), float32(1-1e-5))
			back := geom.NewRay(a.Sub(front.Sub(a)), front.Sub(a))
			hit, ok = s.CastRay(back, Filter{})
			require.True(t, ok)
			assert.True(t, hit.BackFace)
			assert.False(t, s.CastRayAny(back, Filter{Cull: geom.CullBack}))

			distance := front.Sub(a).Dot(want)
			n, ok := s.Nearest(front, infinity, Filter{})
			require.True(t, ok)
			assert.InDelta(t, distance, n.Distance, 1e-4)
			assert.Len(t, s.OverlapSphere(nil, geom.Sphere{Center: front, Radius: distance * 1.001}, Filter{}), 1)
			assert.Empty(t, s.OverlapSphere(nil, geom.Sphere{Center: front, Radius: distance * 0.999}, Filter{}))
		})
	})
}

package physics

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// A box that leans a little on a floor of triangles stands on its four corners, and a capsule that
// lies on one on both its ends, as on a solid floor.
func TestLeaningOnMeshFloor(t *testing.T) {
	const margin = 0.02
	vertices, indices := mesh.Plane(4, 4, 4, 4)
	coarse := mustMesh(vertices, indices)
	vertices, indices = mesh.Plane(4, 4, 37, 41)
	fine := mustMesh(vertices, indices)
	r := testenv.Rand(1, 7)
	lost, n := 0, tries(500)
	for range n {
		angle := math.Pow(10, -2+1.5*r.Float64()) * math.Pi / 180 // 0.01° to 0.3°
		lean := 2 * math.Pi * r.Float64()
		axis := geom.V(float32(math.Cos(lean)), 0, float32(math.Sin(lean)))
		turn := geom.QuatAxisAngle(axis, angle).Mul(geom.QuatAxisAngle(geom.V(0, 1, 0), 2*math.Pi*r.Float64()))
		at := geom.V(4*r.Float32()-2, 0, 4*r.Float32()-2)
		for _, s := range []Shape{
			geom.Box{HalfExtents: geom.V(0.5, 0.5, 0.5), Rotation: geom.QuatIdentity()},
			geom.Box{HalfExtents: geom.V(1, 0.1, 0.3), Rotation: geom.QuatIdentity()},
			geom.Capsule{A: geom.V(-0.8, 0, 0), B: geom.V(0.8, 0, 0), Radius: 0.3},
		} {
			tr := geom.Transform{Position: at, Rotation: turn, Scale: geom.V(1, 1, 1)}
			j := judge(s, tr)
			tr.Position.Y += float32(j.reach(geom.DVec3{Y: -1})) - 0.001
			j = judge(s, tr)
			// The lowest points: the corners of the lower face, or the ends.
			var want []geom.DVec3
			for _, p := range j.points {
				if p.Y-j.radius < margin/2 {
					want = append(want, p.AddMul(-j.radius, geom.DVec3{Y: 1}))
				}
			}
			for _, floor := range []*mesh.Mesh{coarse, fine} {
				all := Collide(nil, Placed{Shape: floor}, j.placed, margin)
				require.Len(t, all, 1)
				require.InDelta(t, 1, all[0].Normal.Y, 1e-6)
				missing := len(want)
				for _, p := range want {
					for _, c := range all[0].ContactPoints() {
						if c.PointB.Wide().Sub(p).Len() < 1e-3 {
							missing--
							assert.InDelta(t, -p.Y, c.Depth, 1e-4)
							break
						}
					}
				}
				if missing > 0 {
					lost++
					if lost == 1 {
						t.Logf("%T %v: %v, want %v", s, tr, all[0], want)
					}
				}
			}
		}
	}
	assert.Zero(t, lost, "of %d", 6*n)
}

// hasNormal reports whether the surface has the normal of a manifold at one of its contacts.
//
// The shape, moved along the normal by the depth, touches the surface where nothing rises above the
// plane across the normal. Contacts less deep than that by up to 10⁻⁴ of the extent of all count as
// equally deep, and one of them may stand for it, which is as much below that plane. The extent is
// no more than twice the way from the first contact to the furthest one: 0.3 mm for a crate. What
// leans over an edge of a floor by 10⁻³ rises by half a millimetre on a triangle half a metre wide.
//
// In a valley one slope rises where the other one holds the shape. So it is enough if an edge has
// the normal in its middle and is as near as a contact is to its surface, 10⁻⁴ of the size: a
// limiting normal (Mordukhovich 1976).
func hasNormal(m *mesh.Mesh, x *Manifold, size float64) bool {
	all := x.ContactPoints()
	far := 0.0
	for i := range all {
		far = max(far, all[i].PointB.Wide().Sub(all[0].PointB.Wide()).Len())
	}
	return slices.ContainsFunc(all, func(c ContactPoint) bool {
		if inNormalCone(m, c.PointA, x.Normal, 2e-4*far) {
			return true
		}
		for i := range m.NumTriangles() {
			tri := m.Triangle(i)
			if offTriangle(c.PointA.Wide(), tri) > 1e-4*size {
				continue
			}
			for k, p := range [3]geom.Vec3{tri.A, tri.B, tri.C} {
				q := [3]geom.Vec3{tri.B, tri.C, tri.A}[k]
				if offSegment(c.PointA.Wide(), p.Wide(), q.Wide()) <= 1e-4*size && inNormalCone(m, p.Lerp(q, 0.5), x.Normal, 0) {
					return true
				}
			}
		}
		return false
	})
}

// inNormalCone reports whether a direction is normal to a surface at a point of it: no triangle at
// the point rises above the plane across the direction, apart from rounding and a slack.
func inNormalCone(m *mesh.Mesh, at, n geom.Vec3, slack float64) bool {
	// Each of nine coordinates of up to 6 m, and the sum of three products, is rounded.
	const rounding = 12 * 6 * 0x1p-24
	on := false
	for i := range m.NumTriangles() {
		tri := m.Triangle(i)
		if offTriangle(at.Wide(), tri) > rounding {
			continue
		}
		on = true
		for _, p := range [3]geom.Vec3{tri.A, tri.B, tri.C} {
			if n.Wide().Dot(p.Wide().Sub(at.Wide())) > rounding+slack {
				return false
			}
		}
	}
	return on
}

// What slides over a floor of triangles, flat or gently curved, and out over its rim meets no
// normal that opposes its motion more than the triangles under it do, except a normal of the rim.
func TestNoGhostsOnMeshFloors(t *testing.T) {
	testenv.NoRace(t)
	const n, half = 16, 4
	floor := func(height func(x, z float64) float64) *mesh.Mesh {
		r := testenv.Rand(3, 3)
		var vertices []geom.Vec3
		var indices []uint32
		for i := range n + 1 {
			for k := range n + 1 {
				x, z := 2*half*float64(i)/n-half, 2*half*float64(k)/n-half
				if i > 0 && i < n && k > 0 && k < n {
					x, z = x+0.15*r.Float64(), z+0.15*r.Float64()
				}
				vertices = append(vertices, geom.V(float32(x), float32(height(x, z)), float32(z)))
			}
		}
		for i := range uint32(n) {
			for k := range uint32(n) {
				a, b, c, d := i*(n+1)+k, i*(n+1)+k+1, (i+1)*(n+1)+k+1, (i+1)*(n+1)+k
				if r.IntN(2) == 0 {
					a, b, c, d = b, c, d, a
				}
				indices = append(indices, a, b, c, a, c, d)
			}
		}
		return mustMesh(vertices, indices)
	}
	for name, m := range map[string]*mesh.Mesh{
		"flat":  floor(func(x, z float64) float64 { return 0 }),
		"dome":  floor(func(x, z float64) float64 { return -0.04 * (x*x + z*z) }),
		"bowl":  floor(func(x, z float64) float64 { return 0.04 * (x*x + z*z) }),
		"waves": floor(func(x, z float64) float64 { return 0.05 * math.Sin(1.3*x) * math.Cos(1.1*z) }),
	} {
		t.Run(name, func(t *testing.T) {
			r := testenv.Rand(5, 3)
			ghosts, found := 0, 0
			for range tries(120) {
				at := geom.V(2*half*r.Float32()-half, 0, 2*half*r.Float32()-half)
				turn := geom.QuatEuler(2*math.Pi*r.Float64(), 0.05*r.NormFloat64(), 0.05*r.NormFloat64())
				if r.IntN(2) == 0 {
					turn = geom.QuatAxisAngle(geom.V(0, 1, 0), 2*math.Pi*r.Float64())
				}
				for _, s := range []Shape{
					geom.Box{HalfExtents: geom.V(0.5, 0.5, 0.5), Rotation: geom.QuatIdentity()}, geom.Box{HalfExtents: geom.V(0.1, 0.2, 0.1), Rotation: geom.QuatIdentity()},
					geom.Capsule{A: geom.V(0, -0.4, 0), B: geom.V(0, 0.4, 0), Radius: 0.2}, geom.Capsule{A: geom.V(-0.6, 0, 0), B: geom.V(0.6, 0, 0), Radius: 0.2}, testHulls[3],
				} {
					lo, hi := float32(-2), float32(4)
					place := func(y float32) Placed {
						return Placed{s, geom.Transform{Position: at.WithAxis(1, y), Rotation: turn, Scale: geom.V(1, 1, 1)}}
					}
					for range 24 { // down to where it only touches
						if mid := (lo + hi) / 2; Overlaps(Placed{Shape: m}, place(mid)) || mid < 0 {
							lo = mid
						} else {
							hi = mid
						}
					}
					p := place(hi - 0.003)
					v := geom.V(r.Float32()-0.5, 0, r.Float32()-0.5).Normalize()
					if v.Dot(at) < 0 {
						v = v.Neg() // outward
					}
					around := judge(s, p.Transform)
					allowed := func() (most float64) {
						for i := range m.NumTriangles() {
							tri := m.Triangle(i)
							u := tri.B.Sub(tri.A).Cross(tri.C.Sub(tri.A)).Normalize()
							b := tri.Bounds()
							near := true
							for axis := range 3 {
								d := geom.Axis(axis).Unit().Wide()
								near = near && -around.reach(d.Neg()) <= d.Dot(b.Max.Wide())+0.02 && around.reach(d) >= d.Dot(b.Min.Wide())-0.02
							}
							if near {
								most = max(most, -float64(u.Dot(v)))
							}
						}
						return most
					}
					for _, c := range Collide(nil, Placed{Shape: m}, p, 0.01) {
						found++
						if opposes := -float64(c.Normal.Dot(v)) - 1e-3; opposes > 0 && opposes > allowed() && !hasNormal(m, &c, around.size) {
							if ghosts++; ghosts == 1 {
								t.Logf("%T %v moving along %v, allowed %.4f: %v", s, p.Transform, v, allowed(), c)
							}
						}
					}
				}
			}
			assert.Zero(t, ghosts, "of %d", found)
			assert.Positive(t, found)
		})
	}
}

// Poses of which one in 50,000 is like these, near corners of rims: the contact that is kept is a
// little less deep than the corner, and in a valley neither slope's contact is beyond the other.
func TestNoGhostsAtKeptPoses(t *testing.T) {
	for name, tt := range map[string]struct {
		corners  []geom.Vec3 // of triangles
		half, at geom.Vec3
		turn     geom.Quat
	}{
		"beside the corner of a flat floor": {
			[]geom.Vec3{{X: -4, Z: -4}, {X: -4, Z: -3.5}, {X: -3.3563068, Z: -3.495662}, {X: -4, Z: -4}, {X: -3.3563068, Z: -3.495662}, {X: -3.5, Z: -4}},
			geom.V(0.1, 0.2, 0.1), geom.V(-3.9436812, 0.19752075, -3.9159293), geom.Quat{X: -0.0030992872, Y: 0.84031826, Z: 0.0007166194, W: 0.54208404},
		},
		"beside a corner of a rim": {
			[]geom.Vec3{
				{X: -2.495298, Y: -0.0035305233, Z: 3.589877}, {X: -2.5, Y: -0.001662596, Z: 4}, {X: -2, Y: 0.007921526, Z: 4},
				{X: -2.495298, Y: -0.0035305233, Z: 3.589877}, {X: -2, Y: 0.007921526, Z: 4}, {X: -1.8501221, Y: 0.021771098, Z: 3.6427789},
				{X: -1.8501221, Y: 0.021771098, Z: 3.6427789}, {X: -2, Y: 0.007921526, Z: 4}, {X: -1.5, Y: 0.014274993, Z: 4},
			},
			geom.V(0.5, 0.5, 0.5), geom.V(-2.4207501, 0.50775325, 3.9224343), geom.Quat{X: 0.028071908, Y: 0.64292395, Z: 0.032224152, W: 0.7647368},
		},
		"in a valley of a rim": {
			[]geom.Vec3{
				{X: -4, Y: 1.13, Z: -3.5}, {X: -3.401279, Y: 0.94812614, Z: -3.4834545}, {X: -3.5, Y: 1.13, Z: -4},
				{X: -4, Y: 1.13, Z: -3.5}, {X: -3.5, Y: 1.13, Z: -4}, {X: -4, Y: 1.28, Z: -4},
				{X: -3.401279, Y: 0.94812614, Z: -3.4834545}, {X: -3, Y: 1, Z: -4}, {X: -3.5, Y: 1.13, Z: -4},
			},
			geom.V(0.5, 0.5, 0.5), geom.V(-3.0230145, 1.643923, -3.8973088), geom.Quat{X: -0.017125225, Y: 0.9856367, Z: 0.012496865, W: 0.1675435},
		},
	} {
		var indices []uint32
		for i := range tt.corners {
			indices = append(indices, uint32(i))
		}
		m := mustMesh(tt.corners, indices)
		box := judge(geom.Box{HalfExtents: tt.half, Rotation: geom.QuatIdentity()}, geom.Transform{Position: tt.at, Rotation: tt.turn})
		all := Collide(nil, Placed{Shape: m}, box.placed, 0.01)
		require.NotEmpty(t, all, name)
		for i := range all {
			assert.True(t, hasNormal(m, &all[i], box.size), "%s: %v", name, all[i])
			assert.InDelta(t, 0.003, all[i].Depth(), 2e-4, name)
		}
	}
}

// Triangles whose normals agree within 1° share a manifold, and its points are on the triangles all
// the same, however deep they are.
func TestPointsOnBentFloor(t *testing.T) {
	const rounding = 1e-6 // of points at 2 m in single precision, eight units
	r := testenv.Rand(6, 6)
	for range tries(200) {
		bend := float32(math.Tan(0.9 * r.Float64() * math.Pi / 180))
		floor := mustMesh([]geom.Vec3{{X: -2, Z: -2}, {X: -2, Z: 2}, {Z: 2}, {Z: -2}, {X: 2, Y: -2 * bend, Z: 2}, {X: 2, Y: -2 * bend, Z: -2}}, []uint32{0, 1, 2, 0, 2, 3, 3, 2, 4, 3, 4, 5})
		crate := judge(geom.Box{HalfExtents: geom.V(0.5, 0.5, 0.5), Rotation: geom.QuatIdentity()},
			geom.Transform{Position: geom.V(r.Float32()-0.5, 0.3, r.Float32()-0.5), Rotation: geom.QuatAxisAngle(geom.V(0, 1, 0), 6*r.Float64()), Scale: geom.V(1, 1, 1)})
		all := Collide(nil, Placed{Shape: floor}, crate.placed, 0)
		require.Len(t, all, 1)
		for _, c := range all[0].ContactPoints() {
			require.Less(t, offTriangle(c.PointA.Wide(), floor.Triangle(int(c.TriangleA))), rounding)
			require.Less(t, crate.off(&c), rounding)
		}
	}
}

// A map of three axes of one length, at right angles to one another, is uniform: any two that
// differ, or that are oblique, are enough for another.
func TestUniformSurfaces(t *testing.T) {
	turn := geom.Transform{Rotation: geom.QuatEuler(0.3, 1.1, -0.4), Scale: geom.V(-2, -2, -2)}.Affine()
	for name, tt := range map[string]struct {
		x, y, z geom.Vec3
		want    bool
	}{
		"turned, mirrored":       {turn.X, turn.Y, turn.Z, true},
		"X is longer":            {geom.V(2, 0, 0), geom.V(0, 1, 0), geom.V(0, 0, 1), false},
		"Y is longer":            {geom.V(1, 0, 0), geom.V(0, 2, 0), geom.V(0, 0, 1), false},
		"Z is longer":            {geom.V(1, 0, 0), geom.V(0, 1, 0), geom.V(0, 0, 2), false},
		"oblique between X, Y":   {geom.V(1, 0, 0), geom.V(0.6, 0.8, 0), geom.V(0, 0, 1), false},
		"oblique between Y, Z":   {geom.V(1, 0, 0), geom.V(0, 1, 0), geom.V(0, 0.6, 0.8), false},
		"oblique between Z, X":   {geom.V(0.8, 0, -0.6), geom.V(0, 1, 0), geom.V(0, 0, 1), false},
		"by more than rounding":  {geom.V(1.0001, 0, 0), geom.V(0, 1, 0), geom.V(0, 0, 1), false},
		"by no more than that":   {geom.V(1.000001, 0, 0), geom.V(0, 1, 0), geom.V(0, 0, 1), true},
		"a thousandth in length": {geom.V(0.001, 0, 0), geom.V(0, 0.001, 0), geom.V(0, 0, 0.001), true},
	} {
		t.Run(name, func(t *testing.T) {
			s := surfaceOf(&placed.Local{To: geom.Affine{X: tt.x, Y: tt.y, Z: tt.z}})
			assert.Equal(t, tt.want, s.uniform)
			assert.Equal(t, tt.x == turn.X, s.mirrored)
		})
	}
}

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

// hills returns a mesh over the square from −half to half whose height is a function, and its
// height as the triangles have it.
func hills(n int, half float64, height func(x, z float64) float64) (*mesh.Mesh, func(x, z float64) float64) {
	step := 2 * half / float64(n)
	var vertices []geom.Vec3
	var indices []uint32
	for i := range n + 1 {
		for k := range n + 1 {
			x, z := float64(i)*step-half, float64(k)*step-half
			vertices = append(vertices, geom.V(float32(x), float32(height(x, z)), float32(z)))
		}
	}
	at := func(i, k int) uint32 { return uint32(i*(n+1) + k) }
	for i := range n {
		for k := range n {
			indices = append(indices, at(i, k), at(i, k+1), at(i+1, k), at(i+1, k), at(i, k+1), at(i+1, k+1))
		}
	}
	return mustMesh(vertices, indices), func(x, z float64) float64 {
		u, v := (x+half)/step, (z+half)/step
		i, k := int(u), int(v)
		u, v = u-float64(i), v-float64(k)
		y := func(i, k int) float64 { return float64(vertices[at(i, k)].Y) }
		if u+v <= 1 {
			return y(i, k) + u*(y(i+1, k)-y(i, k)) + v*(y(i, k+1)-y(i, k))
		}
		return y(i+1, k+1) + (1-u)*(y(i, k+1)-y(i+1, k+1)) + (1-v)*(y(i+1, k)-y(i+1, k+1))
	}
}

// No contact with a hilly mesh is deeper than a lift straight up takes, which leads out of all, or
// on rubble by more than the 1 mm that depths may be off where a peak stands among valleys. A shape
// that is pushed along its deepest contact, again and again, leaves the ground to the upper side:
// points of its edges and ends are compared with the height of the ground.
func TestPushedOutOfHills(t *testing.T) {
	testenv.NoRace(t)
	const (
		ends     = 1e-5   // the depth at which pushing ends
		rounding = 2.5e-6 // of points, normals and depths at 4 m in single precision, ten units
		// Each triangle that the shortest way leaves in the shape has the least way out of its own
		// edges and corners, which may be longer than a lift that leads past these.
		longer = 1e-3
	)
	r := testenv.Rand(9, 13)
	for _, scene := range []struct {
		name   string
		slack  float32
		height func(x, z float64) float64
	}{
		{"waves", rounding, func(x, z float64) float64 { return 0.1 * math.Sin(x) * math.Cos(0.7*z) }},
		{"ripple", rounding, func(x, z float64) float64 { return 0.02 * math.Sin(5*x+2*z) }},
		{"roofs", rounding, func(x, z float64) float64 { return 0.15 * math.Abs(math.Mod(x+20, 2)-1) }},
		{"rubble", longer, func(x, z float64) float64 { return 0.1 * r.Float64() }},
	} {
		t.Run(scene.name, func(t *testing.T) {
			m, ground := hills(24, 6, scene.height)
			pushed := 0
			for range tries(150) {
				kinds := []string{"box", "plank", "capsule", "hull", "sphere"}
				kind := kinds[r.IntN(len(kinds))]
				turn := geom.QuatEuler(6*r.Float64(), 0.3*r.NormFloat64(), 0.3*r.NormFloat64())
				at := geom.V(4*r.Float32()-2, 0, 4*r.Float32()-2)
				s := judgedKinds[kind](r)
				// The least height of a sample of the shape's surface over the ground.
				over := func(at geom.Vec3) float64 {
					j := judge(s, geom.Transform{Position: at, Rotation: turn, Scale: judgedScale(kind)})
					least := math.Inf(1)
					for _, p := range j.points {
						for _, q := range j.points {
							for k := range 9 {
								c := p.AddMul(float64(k)/8, q.Sub(p))
								if j.radius == 0 {
									least = min(least, c.Y-ground(c.X, c.Z))
									continue
								}
								for x := -4; x <= 4; x++ {
									for z := -4; z <= 4; z++ {
										d := geom.DVec3{X: float64(x) * j.radius / 4, Z: float64(z) * j.radius / 4}
										if h := j.radius*j.radius - d.Dot(d); h >= 0 {
											d = c.Add(d)
											least = min(least, c.Y-math.Sqrt(h)-ground(d.X, d.Z))
										}
									}
								}
							}
						}
					}
					return least
				}
				at.Y -= float32(over(at) + 0.04*r.Float64())
				from := at
				place := func(at geom.Vec3) Placed {
					return Placed{s, geom.Transform{Position: at, Rotation: turn, Scale: judgedScale(kind)}}
				}
				lift, high := float32(0), float32(0.5)
				for range 20 {
					if mid := (lift + high) / 2; Overlaps(Placed{Shape: m}, place(at.Add(geom.V(0, mid, 0)))) {
						lift = mid
					} else {
						high = mid
					}
				}
				pushes := 0
				for ; pushes < 100; pushes++ {
					all := Collide(nil, Placed{Shape: m}, place(at), 0)
					if len(all) == 0 || all[0].Depth() < ends {
						break
					}
					if pushes == 0 {
						pushed++
						for i := range all {
							assert.LessOrEqual(t, all[i].Depth(), high+scene.slack, "%s %v %v", kind, at, turn)
						}
					}
					at = at.Add(all[0].Normal.Mul(all[0].Depth()))
				}
				assert.Less(t, pushes, 100)
				assert.Greater(t, over(at), -float64(pushes+1)*rounding-ends, "%s %v %v to %v", kind, from, turn, at)
			}
			testenv.Drawn(t, pushed, 30, "poses")
		})
	}
}

// The tip of a hull is under a triangle that the hull touches nowhere. The way out is that
// triangle's normal, although a shorter one frees the hull of those that it touches.
func TestTipUnderNextTriangle(t *testing.T) {
	m, ground := hills(24, 6, func(x, z float64) float64 { return 0.1 * math.Sin(x) * math.Cos(0.7*z) })
	at := geom.Transform{Position: geom.V(1.0372119, 0.19629553, -0.83726096), Scale: geom.V(0.5, 0.5, 0.5),
		Rotation: geom.Quat{X: -0.09369667, Y: 0.09701334, Z: -0.14937352, W: 0.9795391}}
	tip := math.Inf(1)
	for _, p := range judge(testHulls[1], at).points {
		tip = min(tip, p.Y-ground(p.X, p.Z))
	}
	all := Collide(nil, Placed{Shape: m}, Placed{testHulls[1], at}, 0)
	require.NotEmpty(t, all)
	assert.InEpsilon(t, -tip, all[0].Depth(), 0.01) // no triangle there is steeper than 4°
}

// A box that hangs over the rim of a bowl and sinks by 2 mm into a corner of it has no contact with
// the triangles beside, 3 cm below it.
func TestOverTheRimOfABowl(t *testing.T) {
	bowl := mustMesh([]geom.Vec3{
		{X: -1.3881378, Y: 0.53720415, Z: -3.3916333}, {X: -0.9442252, Y: 0.5220811, Z: -3.487186}, {X: -1, Y: 0.68, Z: -4}, {X: -1.5, Y: 0.73, Z: -4},
		{X: -0.40196553, Y: 0.49580166, Z: -3.497637}, {X: -0.5, Y: 0.65, Z: -4}, {X: 0.029191377, Y: 0.4793847, Z: -3.4617574}, {Y: 0.64, Z: -4},
		{X: 0.56875086, Y: 0.4683003, Z: -3.374023}, {X: 0.5, Y: 0.65, Z: -4},
	}, []uint32{0, 1, 2, 0, 2, 3, 2, 1, 4, 2, 4, 5, 4, 6, 7, 4, 7, 5, 7, 6, 8, 7, 8, 9})
	box := Placed{geom.Box{HalfExtents: geom.V(0.5, 0.5, 0.5), Rotation: geom.QuatIdentity()}, geom.Transform{
		Position: geom.V(-0.50736237, 1.1778316, -3.849731), Rotation: geom.Quat{Y: 0.9999951, W: -0.0031341184}, Scale: geom.V(1, 1, 1)}}
	for _, c := range Collide(nil, Placed{Shape: bowl}, box, 0.01) {
		assert.Less(t, c.Depth(), float32(0.003), "%v", c)
	}
}

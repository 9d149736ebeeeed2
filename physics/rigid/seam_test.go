package rigid_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// seamScene is a scene without the ground.
func seamScene(t *testing.T) *scene { return &scene{rigid.New(physics.NewSpace()), t, 0} }

// floors are ways to make a floor at height 0, from x = −3 to 13, of tiles of half a metre.
var floors = map[string]func(s *scene, place geom.Transform){
	"meshes": func(s *scene, place geom.Transform) {
		m, err := mesh.New(mesh.Plane(0.25, 1, 1, 1))
		require.NoError(s.t, err)
		s.tiles(m, place)
	},
	"boxes": func(s *scene, place geom.Transform) {
		s.tiles(geom.AABB{Min: geom.V(-0.25, -0.2, -1), Max: geom.V(0.25, 0, 1)}, place)
	},
	"closed meshes": func(s *scene, place geom.Transform) {
		v, tri := mesh.Box(geom.V(0.25, 0.1, 1))
		for i := range v {
			v[i].Y -= 0.1
		}
		m, err := mesh.New(v, tri)
		require.NoError(s.t, err)
		s.tiles(m, place)
	},
	"a compound": func(s *scene, place geom.Transform) {
		var children []physics.Child
		for x := float32(-3); x < 13; x += 0.5 {
			children = append(children, physics.Child{Shape: geom.Box{HalfExtents: geom.V(0.25, 0.1, 1)}, Transform: geom.At(x+0.25, -0.1, 0)})
		}
		s.Space().Add(physics.Collider{Shape: physics.NewCompound(children...), Transform: place, Static: true})
	},
}

func (s *scene) tiles(shape physics.Shape, place geom.Transform) {
	for x := float32(-3); x < 13; x += 0.5 {
		s.Space().Add(physics.Collider{Shape: shape, Transform: place.Mul(geom.At(x+0.25, 0, 0)), Static: true})
	}
}

// What rolls or slides over the seams of a floor goes on as on one plane: at the same height, in
// the same direction and as fast. On a floor that leans, too.
func TestSeams(t *testing.T) {
	testenv.NoRace(t)
	const r = 0.1
	shapes := map[string]physics.Shape{
		"ball": geom.Sphere{Radius: r}, "box": box(r), "capsule": geom.Capsule{A: geom.V(0, 0, -0.1), B: geom.V(0, 0, 0.1), Radius: r},
		"cylinder": geom.Cylinder(geom.V(0, 0, -0.2), geom.V(0, 0, 0.2), r),
	}
	for floor, make := range floors {
		for name, shape := range shapes {
			for _, speed := range []float32{0.5, 3, 10} {
				for _, rolls := range []bool{false, true} {
					for _, turn := range []float64{0, 0.4} {
						if rolls && name == "box" {
							continue
						}
						what := fmt.Sprintf("%s of %s at %v m/s, rolls: %v, turned by %v", name, floor, speed, rolls, turn)
						s := seamScene(t)
						make(s, geom.Transform{Position: geom.V(3, 2, 1), Rotation: geom.QuatAxisAngle(geom.V(0, 1, 0), turn)})
						friction := float32(0)
						if rolls {
							friction = 0.7
						}
						for id := range s.Space().All() {
							require.NoError(t, s.SetMaterial(id, rigid.Material{Friction: friction}))
						}
						b := rigid.Body{Velocity: geom.V(speed, 0, 0)}
						if rolls {
							b.AngularVelocity.Z = -speed / r
						}
						id := s.add(b, shape, geom.At(2.3, 2+r, 1.1))
						require.NoError(t, s.SetMaterial(s.Colliders(id)[0], rigid.Material{Friction: friction}))
						lowest, highest := float32(9), float32(0)
						for range min(int(60*2.4/speed), 240) {
							s.Step()
							y := s.position(id).Y - 2
							lowest, highest = min(lowest, y), max(highest, y)
						}
						v, _, _ := s.Velocity(id)
						assert.InDelta(t, r, lowest, 1e-3, what)
						assert.InDelta(t, r, highest, 1e-3, what)
						assert.InDelta(t, speed, v.X, 0.005*float64(speed), what)
						assert.InDelta(t, 0, v.Z, 0.005*float64(speed), what)
					}
				}
			}
		}
	}
}

// A seam hides nothing that is above the floor or beyond its edge: a wall, its foot alone, a step,
// a gap, and what is lower.
func TestSeamsHideNoWalls(t *testing.T) {
	floor := func(s *scene, from, to, height float32) {
		m, err := mesh.New(mesh.Plane((to-from)/2, 2, 1, 1))
		require.NoError(t, err)
		s.Space().Add(physics.Collider{Shape: m, Transform: geom.At((from+to)/2, height, 0), Static: true})
	}
	var frustum []geom.Vec3 // wider at its foot
	for _, x := range []float32{-1, 1} {
		for _, z := range []float32{-1, 1} {
			frustum = append(frustum, geom.V(0.3*x, -0.2, 0.3*z), geom.V(0.1*x, 0.2, 0.1*z))
		}
	}
	foot, err := hull.New(frustum)
	require.NoError(t, err)
	for name, c := range map[string]struct {
		shape physics.Shape
		half  float32
	}{"ball": {geom.Sphere{Radius: 0.2}, 0.2}, "box": {box(0.2), 0.2}, "frustum": {foot, 0.3}} {
		for _, wall := range []string{"box", "mesh", "step"} {
			s := seamScene(t)
			floor(s, -2, 1, 0)
			switch wall {
			case "box":
				s.Space().Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(0.1, 1, 2)}, Transform: geom.At(1.1, 1, 0), Static: true})
			case "mesh":
				m, err := mesh.New([]geom.Vec3{{X: 1, Z: -2}, {X: 1, Z: 2}, {X: 1, Y: 2, Z: 2}, {X: 1, Y: 2, Z: -2}}, []uint32{0, 1, 2, 0, 2, 3})
				require.NoError(t, err)
				s.Space().Add(physics.Collider{Shape: m, Static: true})
			case "step":
				s.Space().Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(1, 0.5, 2)}, Transform: geom.At(2, -0.5+0.05, 0), Static: true})
				if name == "ball" {
					continue // rolls up
				}
			}
			speed := float32(3)
			if wall == "step" {
				speed = 0.5 // faster, it turns over
			}
			id := s.add(rigid.Body{Velocity: geom.V(speed, 0, 0)}, c.shape, geom.At(0.4, 0.2, 0))
			require.NoError(t, s.SetMaterial(s.Colliders(id)[0], rigid.Material{}))
			for range 120 {
				s.Step()
				require.Less(t, s.position(id).X, 1-c.half+0.06, "%s at a %s", name, wall)
			}
		}
	}

	s := seamScene(t) // a gap of a millimetre, and one of a fifth of the ball
	floor(s, -2, 0, 0)
	floor(s, 0.001, 1, 0)
	floor(s, 1.04, 4, 0)
	ball := s.add(rigid.Body{}, geom.Sphere{Radius: 0.2}, geom.At(0.0005, 0.2, 0))
	wide := s.add(rigid.Body{}, geom.Sphere{Radius: 0.2}, geom.At(1.02, 0.2, 0))
	s.steps(120)
	assert.InDelta(t, 0.2, s.position(ball).Y, 2e-3)
	assert.InDelta(t, math.Sqrt(0.2*0.2-0.02*0.02), float64(s.position(wide).Y), 2e-3)

	s = seamScene(t) // off the end, onto a lower floor
	floor(s, -2, 0, 0)
	floor(s, 0, 8, -0.5)
	crate := s.add(rigid.Body{Velocity: geom.V(2, 0, 0)}, box(0.2), geom.At(-0.5, 0.2, 0))
	require.NoError(t, s.SetMaterial(s.Colliders(crate)[0], rigid.Material{}))
	lowest := float32(9)
	for range 240 {
		s.Step()
		lowest = min(lowest, s.position(crate).Y)
	}
	assert.InDelta(t, -0.3, lowest, 0.02)
	assert.InDelta(t, -0.3, s.position(crate).Y, 2e-3)
}

// What is long and slides over tiles at an angle is on several of them, and no corner throws it.
func TestPlanksOverTiles(t *testing.T) {
	m, err := mesh.New(mesh.Plane(0.5, 0.5, 1, 1))
	require.NoError(t, err)
	for name, tile := range map[string]physics.Shape{"box": geom.AABB{Min: geom.V(-0.5, -1, -0.5), Max: geom.V(0.5, 0, 0.5)}, "mesh": m} {
		for y, shape := range map[float32]physics.Shape{
			0.1:  geom.Box{HalfExtents: geom.V(1, 0.1, 0.15)},
			0.05: geom.Box{HalfExtents: geom.V(1.6, 0.05, 0.2)},
			0.12: geom.Capsule{A: geom.V(-0.9, 0, 0), B: geom.V(0.9, 0, 0), Radius: 0.12},
			0.15: geom.Cylinder(geom.V(-0.7, 0, 0), geom.V(0.7, 0, 0), 0.15),
		} {
			for _, friction := range []float32{0, 0.5} {
				for _, speed := range []float64{3, 5, 7, 10} {
					for yaw := 10.0; yaw <= 80; yaw += 10 {
						for _, aside := range []float64{0, 0.4} {
							s := seamScene(t)
							for i := range 14 * 8 {
								s.Space().Add(physics.Collider{Shape: tile, Transform: geom.At(float32(i%14), 0, float32(i/14)-4), Static: true})
							}
							for id := range s.Space().All() {
								require.NoError(t, s.SetMaterial(id, rigid.Material{Friction: friction}))
							}
							at := geom.Transform{Position: geom.V(1, y, 0), Rotation: geom.QuatAxisAngle(geom.V(0, 1, 0), yaw*math.Pi/180)}
							v := geom.V(float32(speed*math.Cos(aside)), 0, float32(-speed*math.Sin(aside)/4))
							id := s.add(rigid.Body{Velocity: v}, shape, at)
							require.NoError(t, s.SetMaterial(s.Colliders(id)[0], rigid.Material{Friction: friction}))
							for range 90 {
								s.Step()
								if s.position(id).X > 11 {
									break
								}
								require.InDelta(t, y, s.position(id).Y, 1e-3, "that of %v over %ss at %v m/s, yaw %v, aside %v, friction %v", y, name, speed, yaw, aside, friction)
							}
							if after, _, _ := s.Velocity(id); friction == 0 {
								require.InDelta(t, 0, after.Sub(v).Len(), 0.005*speed, "that of %v over %ss at %v m/s, yaw %v, aside %v", y, name, speed, yaw, aside)
							}
						}
					}
				}
			}
		}
	}
}

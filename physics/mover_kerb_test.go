package physics_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// Kerbs with an inclined front: from just above the steepest slope that a mover walks on, through
// vertical, to overhanging.

// profile is a convex outline in X and Y, counter-clockwise, which is extruded along Z.
type profile []geom.Vec3

// kerb returns the outline of a step. Its front is inclined by an angle in degrees, above 90° for
// an overhang. The front begins at the origin, or the nose of an overhang is above the origin.
func kerb(height, depth float32, degrees float64) profile {
	run := float32(float64(height) / math.Tan(degrees*math.Pi/180))
	foot, nose := max(0, -run), max(0, run)
	return profile{geom.V(foot, 0, 0), geom.V(nose+depth, 0, 0), geom.V(nose+depth, height, 0), geom.V(nose, height, 0)}
}

func (p profile) moved(x, y float32) profile {
	q := slices.Clone(p)
	for i := range q {
		q[i] = q[i].Add(geom.V(x, y, 0))
	}
	return q
}

const drawn = 30 // half the length of the extrusion, in metres

func (p profile) hull() *hull.Hull {
	var points []geom.Vec3
	for _, v := range p {
		points = append(points, v.WithAxis(geom.Z, -drawn), v.WithAxis(geom.Z, drawn))
	}
	h, err := hull.New(points)
	if err != nil {
		panic(err)
	}
	return h
}

// meshOfProfiles returns a mesh of the surfaces of some extruded outlines.
func meshOfProfiles(t require.TestingT, profiles ...profile) *mesh.Mesh {
	var vertices []geom.Vec3
	var indices []uint32
	for _, p := range profiles {
		first, n := uint32(len(vertices)), uint32(len(p))
		for _, v := range p {
			vertices = append(vertices, v.WithAxis(geom.Z, -drawn), v.WithAxis(geom.Z, drawn))
		}
		for i := range n {
			a, b := first+2*i, first+2*((i+1)%n)
			indices = append(indices, a, b, a+1, b, b+1, a+1)
			if i >= 2 {
				c, d := first, first+2*(i-1)
				indices = append(indices, c, a, d, c+1, d+1, a+1)
			}
		}
	}
	m, err := mesh.New(vertices, indices)
	require.NoError(t, err)
	return m
}

var kerbGround = profile{geom.V(-30, -1, 0), geom.V(60, -1, 0), geom.V(60, 0, 0), geom.V(-30, 0, 0)}

// kerbStage returns a stage of outlines on the ground, as hulls or as one mesh, with a mover that
// stands at x.
func kerbStage(t require.TestingT, made string, shape physics.Shape, x float32, profiles ...profile) *stage {
	profiles = append([]profile{kerbGround}, profiles...)
	var s *stage
	if made == "mesh" {
		s = newStage(meshOfProfiles(t, profiles...))
	} else {
		s = newStage()
		for _, p := range profiles {
			s.Add(physics.Collider{Shape: p.hull(), Static: true})
		}
	}
	s.at(x, 0.02, 0)
	s.mover.Shape = shape
	s.walk(geom.Vec3{}, 2)
	require.Equal(t, physics.OnGround, s.state.Ground)
	return s
}

// move moves the mover by a wished velocity for a tick of dt seconds.
func (s *stage) move(wish geom.Vec3, dt float32) {
	v := wish
	if s.state.Ground != physics.OnGround {
		v = s.state.Velocity.Add(s.up().Mul(-9.81 * dt))
	}
	s.hits = s.cache.Move(&s.mover, s.Space, &s.state, v, dt, physics.Filter{}, s.hits[:0])
}

// approach is how a mover approaches a kerb: the speed in m/s, the rate of ticks in Hz and the
// angle to the normal of the kerb in degrees.
type approach struct {
	speed   float32
	rate    int
	oblique float64
}

func (a approach) String() string {
	return fmt.Sprint(a.speed, " m/s, ", a.rate, " Hz, ", a.oblique, "° off")
}

func (a approach) dt() float32 { return 1 / float32(a.rate) }

func (a approach) wish() geom.Vec3 {
	angle := a.oblique * math.Pi / 180
	return geom.V(a.speed*float32(math.Cos(angle)), 0, a.speed*float32(math.Sin(angle)))
}

// ticks returns the number of ticks for a distance along X in metres.
func (a approach) ticks(metres float32) int { return int(metres / a.wish().X * float32(a.rate)) }

func approaches() (all []approach) {
	for _, speed := range []float32{0.5, 1.5, 6} {
		for _, rate := range []int{30, 60, 240} {
			for _, oblique := range []float64{0, 30, -60} {
				all = append(all, approach{speed, rate, oblique})
			}
		}
	}
	return all
}

// each calls f with approaches for a row of a table. If HITSCAN_LONG=1 is set in the environment,
// it calls f with all approaches. Otherwise it calls f for one row in three, with one approach that
// changes from row to row.
func each(row int, f func(a approach)) {
	all := approaches()
	if testenv.Minutes() {
		for _, a := range all {
			f(a)
		}
	} else if row%3 == 0 {
		f(all[row/3*5%len(all)])
	}
}

func TestMoverWalksOverKerbs(t *testing.T) {
	testenv.NoRace(t)
	row := 0
	for kind, shape := range sortedShapes() {
		for _, made := range []string{"hulls", "mesh"} {
			for _, height := range []float32{0.05, 0.1, 0.2, 0.3, 0.4} {
				for _, degrees := range []float64{51, 60, 75, 85, 90, 100, 115} {
					row++
					each(row, func(a approach) {
						t.Run(fmt.Sprintf("%s/%s/%g m, %g°/%v", kind, made, height, degrees, a), func(t *testing.T) {
							walkOver(t, kerbStage(t, made, shape, -0.8, kerb(height, 9, degrees)), height, a)
						})
					})
				}
			}
		}
	}
}

// strayed bounds, in metres, how far rounding takes a mover off its way in i + 1 ticks: positions
// are below 16 m, and each tick rounds them by 2⁻²¹ m on each of two axes. So does the way asked
// for.
func strayed(i int) float64 { return float64(i+4) * 0x1p-20 }

// walkOver walks onto a kerb and back, and requires that the kerb neither slows nor deflects the
// mover.
func walkOver(t *testing.T, s *stage, height float32, a approach) {
	start := s.position()
	wish := a.wish()
	low := s.position().Y
	for i := range a.ticks(2.4) {
		s.move(wish, a.dt())
		p := s.position()
		require.Equal(t, physics.OnGround, s.state.Ground, "tick %d at %v", i, p)
		require.Empty(t, s.hits, "tick %d at %v", i, p)
		require.GreaterOrEqual(t, p.Y, low-settled, "only up, tick %d", i)
		require.InDelta(t, 0, p.Sub(start).WithAxis(geom.Y, 0).Distance(wish.Mul(float32(i+1)*a.dt())), strayed(i), "slowed or deflected, tick %d", i)
		low = p.Y
	}
	require.InDelta(t, height+0.02, s.position().Y, settled)
	start = s.position()
	for i := range a.ticks(2.4) {
		s.move(wish.Neg(), a.dt())
		p := s.position()
		require.Equal(t, physics.OnGround, s.state.Ground, "down, tick %d at %v", i, p)
		require.Empty(t, s.hits, "down, tick %d at %v", i, p)
		require.LessOrEqual(t, p.Y, low+settled, "only down, tick %d", i)
		require.InDelta(t, 0, start.Sub(p).WithAxis(geom.Y, 0).Distance(wish.Mul(float32(i+1)*a.dt())), strayed(i), "slowed or deflected on the way down, tick %d", i)
		low = p.Y
	}
	require.InDelta(t, 0.02, s.position().Y, settled)
}

// sortedShapes yields moverShapes in a fixed order.
func sortedShapes() func(yield func(string, physics.Shape) bool) {
	return func(yield func(string, physics.Shape) bool) {
		for _, kind := range []string{"default", "capsule", "sphere", "box", "AABB", "hull"} {
			if !yield(kind, moverShapes[kind]) {
				return
			}
		}
	}
}

// A mover does not climb an obstacle that is too high, nor the foot of a wall, which is no step.
// Its position there does not oscillate.
func TestMoverDoesNotClimb(t *testing.T) {
	testenv.NoRace(t)
	type scene struct {
		name     string
		profiles []profile
	}
	var scenes []scene
	for _, degrees := range []float64{51, 55, 60, 75, 85, 90, 100} {
		for _, height := range []float32{0.45, 0.6, 1, 3} {
			scenes = append(scenes, scene{fmt.Sprintf("%g m, %g°", height, degrees), []profile{kerb(height, 9, degrees)}})
		}
	}
	for _, degrees := range []float64{51, 60, 75} {
		for _, height := range []float32{0.1, 0.25, 0.38, 0.7} {
			for _, ledge := range []float32{0, 0.05} {
				foot := kerb(height, ledge, degrees)
				scenes = append(scenes, scene{fmt.Sprintf("wall with a foot of %g m, %g° and a ledge of %g m", height, degrees, ledge),
					[]profile{kerb(height, ledge+1, degrees), kerb(3, 9, 90).moved(foot[1].X, 0)}})
			}
		}
	}
	row := 0
	for kind, shape := range sortedShapes() {
		for _, made := range []string{"hulls", "mesh"} {
			for _, c := range scenes {
				row++
				each(row, func(a approach) {
					t.Run(fmt.Sprintf("%s/%s/%s/%v", kind, made, c.name, a), func(t *testing.T) {
						s := kerbStage(t, made, shape, -0.7, c.profiles...)
						wish := a.wish()
						for i := range a.ticks(1.2) {
							s.move(wish, a.dt())
							require.Equal(t, physics.OnGround, s.state.Ground, "tick %d", i)
							require.Less(t, s.position().Y, float32(0.03), "tick %d", i)
						}
						for range 60 { // slides along at a constant speed
							before := s.position()
							s.move(wish, a.dt())
							require.InDelta(t, 0, s.position().Sub(before).Distance(geom.V(0, 0, wish.Z*a.dt())), 1e-4)
						}
					})
				})
			}
		}
	}
}

// A mover also walks over kerbs that have a back or are not flat on top.
func TestMoverWalksOverLowThings(t *testing.T) {
	testenv.NoRace(t)
	vertices, indices := mesh.Icosphere(0.5, 2)
	for i := range vertices {
		vertices[i] = vertices[i].Add(geom.V(0.7, -0.15, 0.1))
	}
	stone, err := mesh.New(vertices, indices)
	require.NoError(t, err)
	things := map[string][]physics.Shape{
		"ridge":           {profile{geom.V(0, 0, 0), geom.V(0.3, 0, 0), geom.V(0.15, 0.26, 0)}.hull()},
		"ridge of a mesh": {meshOfProfiles(t, profile{geom.V(0, 0, 0), geom.V(0.3, 0, 0), geom.V(0.15, 0.26, 0)})},
		"threshold":       {profile{geom.V(0, 0, 0), geom.V(0.4, 0, 0), geom.V(0.35, 0.15, 0), geom.V(0.05, 0.15, 0)}.hull()},
		"round kerb":      {profile{geom.V(0, 0, 0), geom.V(1.2, 0, 0), geom.V(1.2, 0.38, 0), geom.V(0.2, 0.38, 0), geom.V(0.1, 0.28, 0), geom.V(0.03, 0.15, 0)}.hull()},
		"stone":           {stone},
		"ball":            {geom.Sphere{Center: geom.V(0.7, -0.15, 0.1), Radius: 0.5}},
		"beam":            {geom.Capsule{A: geom.V(0.6, 0.05, -5), B: geom.V(0.6, 0.05, 5), Radius: 0.3}},
		"a slope on top":  {kerb(0.2, 0.2, 70).hull(), profile{geom.V(0.2, 0, 0), geom.V(2.2, 0, 0), geom.V(2.2, 1.2, 0), geom.V(0.2, 0.19, 0)}.hull()},
	}
	for name, shapes := range things {
		for kind, shape := range moverShapes {
			for _, a := range []approach{{1.5, 240, 0}, {1.5, 60, 0}, {6, 30, 0}} {
				t.Run(fmt.Sprintf("%s/%s/%v", name, kind, a), func(t *testing.T) {
					s := kerbStage(t, "hulls", shape, -0.8)
					for _, thing := range shapes {
						s.Add(physics.Collider{Shape: thing, Static: true})
					}
					for i := range a.ticks(2.8) {
						s.move(a.wish(), a.dt())
						require.Equal(t, physics.OnGround, s.state.Ground, "tick %d at %v", i, s.position())
						require.Empty(t, s.hits, "tick %d at %v", i, s.position())
					}
					require.InDelta(t, 2, s.position().X, 0.06)
				})
			}
		}
	}
}

// A mover that walks along a wall beside stairs, and into the wall, climbs the stairs.
func TestMoverClimbsBesideAWall(t *testing.T) {
	for kind, shape := range moverShapes {
		for _, degrees := range []float64{60, 90, 100} {
			t.Run(fmt.Sprintf("%s/%g°", kind, degrees), func(t *testing.T) {
				s := kerbStage(t, "hulls", shape, -0.8)
				x := float32(0)
				for i := range 4 {
					s.Add(physics.Collider{Shape: kerb(0.2, 9, degrees).moved(x, 0.2*float32(i)).hull(), Static: true})
					x += 0.4
				}
				s.Add(physics.Collider{Shape: slab(-9, 0, 0.6, 9, 5, 1), Static: true})
				for i := range 120 {
					s.move(geom.V(2, 0, 1.5), moverTick)
					require.Equal(t, physics.OnGround, s.state.Ground, "tick %d at %v", i, s.position())
					if i > 30 {
						require.NotEmpty(t, s.hits, "the wall is in hits, tick %d", i)
					}
				}
				require.InDelta(t, 0.82, s.position().Y, settled)
				require.InDelta(t, 3.2, s.position().X, 0.06, "the steps cost no time")
			})
		}
	}
}

// A mover without velocity slides off the front of a step. A walking mover does not.
func TestMoverSlidesOffTheFrontOfAKerb(t *testing.T) {
	for kind, shape := range moverShapes {
		t.Run(kind, func(t *testing.T) {
			s := kerbStage(t, "hulls", shape, -0.8, kerb(0.4, 9, 55))
			for s.position().Y < 0.15 {
				s.move(geom.V(1.5, 0, 0), moverTick)
				require.Less(t, s.position().X, float32(0.2))
			}
			s.move(geom.Vec3{}, moverTick)
			require.Equal(t, physics.OnSteepGround, s.state.Ground)
			for range 60 {
				s.move(geom.Vec3{}, moverTick)
			}
			require.Equal(t, physics.OnGround, s.state.Ground)
			require.InDelta(t, 0.02, s.position().Y, settled)
			at := s.position()
			for range 60 {
				s.move(geom.Vec3{}, moverTick)
				require.Equal(t, at, s.position())
			}
		})
	}
}

// A mover that is lower than an overhanging nose is not stuck below it.
func TestMoverUnderANose(t *testing.T) {
	testenv.NoRace(t)
	for _, radius := range []float32{0.21, 0.25, 0.3, 0.4} {
		for _, degrees := range []float64{90, 100, 120} {
			for _, made := range []string{"hulls", "mesh"} {
				for _, a := range []approach{{1.5, 240, 0}, {1.5, 60, 60}, {6, 30, 30}} {
					t.Run(fmt.Sprintf("%g m, %g°/%s/%v", radius, degrees, made, a), func(t *testing.T) {
						ball := geom.Sphere{Center: geom.V(0, radius, 0), Radius: radius}
						walkOver(t, kerbStage(t, made, ball, -0.8, kerb(0.4, 9, degrees)), 0.4, a)
					})
				}
			}
		}
	}
}

// A mover does not climb a rough slope no part of which is flat enough to walk on.
func TestMoverDoesNotClimbRoughSlopes(t *testing.T) {
	testenv.NoRace(t)
	for _, degrees := range []float64{56, 62, 75} {
		tan := float32(math.Tan(degrees * math.Pi / 180))
		slope := sheet(t, 50, func(x, z float32) float32 {
			bump := 0.02 * float32(math.Sin(float64(x*7+z*13))) * float32(math.Cos(float64(z*5-x*3)))
			return max(0, x*tan) + min(1, max(0, x))*bump
		})
		for i := range slope.NumTriangles() {
			v := slope.Triangle(i)
			n := v.B.Sub(v.A).Cross(v.C.Sub(v.A)).Normalize()
			require.False(t, n.Y < 0.99 && n.Y > 0.64, "steep or flat")
		}
		for kind, shape := range moverShapes {
			for _, a := range []approach{{1.5, 240, 0}, {3, 60, 40}, {6, 30, -20}} {
				t.Run(fmt.Sprintf("%g°/%s/%v", degrees, kind, a), func(t *testing.T) {
					s := newStage(slope).at(-1, 0.02, 0)
					s.mover.Shape = shape
					for i := range a.ticks(6) {
						s.move(a.wish(), a.dt())
						require.Less(t, s.position().Y, float32(0.05), "tick %d at %v", i, s.position())
						require.Equal(t, physics.OnGround, s.state.Ground)
					}
				})
			}
		}
	}
}

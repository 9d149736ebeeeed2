package physics_test

import (
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// Kerbs, of which the front leans: from just steeper than what is walked on, through upright, to overhanging.

// profile is a convex outline across X and Y, counter-clockwise, which is drawn out along Z.
type profile []geom.Vec3

// kerb is a step with a front that rises from the origin, or whose overhanging nose is there, at an angle in degrees.
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

const drawn = 30 // metres to both sides

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

// meshOfProfiles is the surfaces of some outlines.
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

// kerbStage is a stage of outlines on the ground, as hulls or as one mesh, with a mover that has come to stand at x.
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

// move moves with a wish for a tick that lasts so long.
func (s *stage) move(wish geom.Vec3, dt float32) {
	v := wish
	if s.state.Ground != physics.OnGround {
		v = s.state.Velocity.Add(s.up().Mul(-9.81 * dt))
	}
	s.hits = s.cache.Move(&s.mover, s.Space, &s.state, v, dt, physics.Filter{}, s.hits[:0])
}

// approach is how a mover comes to a kerb: so fast, so often moved, and so many degrees off the straight.
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

// ticks is how many it takes for so many metres straight on.
func (a approach) ticks(metres float32) int { return int(metres / a.wish().X * float32(a.rate)) }

func approaches() (all []approach) {
	for _, speed := range []float32{0.4, 1.5, 6} {
		for _, rate := range []int{30, 60, 144, 240} {
			for _, oblique := range []float64{0, 30, -60} {
				all = append(all, approach{speed, rate, oblique})
			}
		}
	}
	return all
}

// some calls with each of n numbers where HITSCAN_LONG=1 is in the environment, else with one in so many, in turn with all remainders.
func some(n, in int, f func(i int)) {
	if os.Getenv("HITSCAN_LONG") != "" {
		in = 1
	}
	for i := 0; i < n; i += in {
		f(i)
	}
}

func TestMoverWalksOverKerbs(t *testing.T) {
	all := approaches()
	n := 0
	for kind, shape := range sortedShapes() {
		for _, made := range []string{"hulls", "mesh"} {
			for _, height := range []float32{0.05, 0.1, 0.2, 0.3, 0.4} {
				for _, degrees := range []float64{51, 60, 75, 85, 90, 100, 115} {
					n += 5
					some(len(all), 7, func(i int) {
						a := all[(i+n)%len(all)]
						t.Run(fmt.Sprintf("%s/%s/%g m, %g°/%v", kind, made, height, degrees, a), func(t *testing.T) {
							walkOver(t, kerbStage(t, made, shape, -0.8, kerb(height, 9, degrees)), height, a)
						})
					})
				}
			}
		}
	}
}

// walkOver walks onto a kerb and back, and requires that nothing slows the mover down or turns it aside.
func walkOver(t *testing.T, s *stage, height float32, a approach) {
	start := s.position()
	wish := a.wish()
	low := s.position().Y
	for i := range a.ticks(2.4) {
		s.move(wish, a.dt())
		p := s.position()
		require.Equal(t, physics.OnGround, s.state.Ground, "tick %d at %v", i, p)
		require.Empty(t, s.hits, "tick %d at %v", i, p)
		require.GreaterOrEqual(t, p.Y, low-2e-3, "only up, tick %d", i)
		require.InDelta(t, 0, p.Sub(start).WithAxis(geom.Y, 0).Distance(wish.Mul(float32(i+1)*a.dt())), 0.05, "on its way, tick %d", i)
		low = p.Y
	}
	require.InDelta(t, height+0.02, s.position().Y, 3e-3)
	start = s.position()
	for i := range a.ticks(2.4) {
		s.move(wish.Neg(), a.dt())
		p := s.position()
		require.Equal(t, physics.OnGround, s.state.Ground, "down, tick %d at %v", i, p)
		require.Empty(t, s.hits, "down, tick %d at %v", i, p)
		require.LessOrEqual(t, p.Y, low+2e-3, "only down, tick %d", i)
		require.InDelta(t, 0, start.Sub(p).WithAxis(geom.Y, 0).Distance(wish.Mul(float32(i+1)*a.dt())), 0.05, "on its way down, tick %d", i)
		low = p.Y
	}
	require.InDelta(t, 0.02, s.position().Y, 3e-3)
}

// sortedShapes yields moverShapes in an order that does not change.
func sortedShapes() func(yield func(string, physics.Shape) bool) {
	return func(yield func(string, physics.Shape) bool) {
		for _, kind := range []string{"default", "capsule", "sphere", "box", "AABB", "hull"} {
			if !yield(kind, moverShapes[kind]) {
				return
			}
		}
	}
}

// What is too high, and what is no step but the foot of a wall, is not climbed, and nothing trembles at it.
func TestMoverDoesNotClimb(t *testing.T) {
	all := approaches()
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
	n := 0
	for kind, shape := range sortedShapes() {
		for _, made := range []string{"hulls", "mesh"} {
			for _, c := range scenes {
				n += 5
				some(len(all), 7, func(i int) {
					a := all[(i+n)%len(all)]
					t.Run(fmt.Sprintf("%s/%s/%s/%v", kind, made, c.name, a), func(t *testing.T) {
						s := kerbStage(t, made, shape, -0.7, c.profiles...)
						wish := a.wish()
						for i := range a.ticks(1.2) {
							s.move(wish, a.dt())
							require.Equal(t, physics.OnGround, s.state.Ground, "tick %d", i)
							require.Less(t, s.position().Y, float32(0.03), "tick %d", i)
						}
						for range 60 { // slides along as evenly as it walks
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

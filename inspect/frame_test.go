package inspect

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// randomShapes returns shapes of all kinds, some of them very large, small, flat or empty.
func randomShapes(t *testing.T, r *rand.Rand) []physics.Shape {
	size := func() float32 {
		switch r.IntN(12) {
		case 0:
			return float32(math.Ldexp(r.Float64(), r.IntN(250)-125))
		case 1:
			return 0
		case 2:
			return math.MaxFloat32
		}
		return 0.1 + 3*r.Float32()
	}
	at := func() geom.Vec3 { return geom.V(size(), -size(), size()) }
	m, err := mesh.New(mesh.Icosphere(1, 1))
	require.NoError(t, err)
	h, err := hull.New([]geom.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}})
	require.NoError(t, err)
	return []physics.Shape{
		geom.Sphere{Center: at(), Radius: size()}, geom.Box{Center: at(), HalfExtents: geom.V(size(), size(), size())},
		geom.AABBAround(at(), geom.V(size(), size(), size())), geom.Capsule{A: at(), B: at(), Radius: size()},
		geom.Plane{Normal: geom.V(r.Float32(), 1, r.Float32()), D: size()}, geom.Plane{Normal: at(), D: size()},
		geom.Cylinder(at(), at(), size()), geom.TaperedCapsule{A: at(), B: at(), RadiusA: size(), RadiusB: size()},
		m, h, physics.NewCompound(physics.Child{Shape: geom.Sphere{Radius: 1 + r.Float32()}, Transform: geom.At(1, 2, 3)}),
	}
}

// Whatever is in a space, the answer is JSON, and each collider is in it once, where the space has
// it: its box is its bounds, its lines are in them and fill them, and a ray against the normal of a
// plane hits its point.
func TestFrameAgainstTheSpace(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(60) {
		r := testenv.Rand(seed, 71)
		s := physics.NewSpace()
		for _, shape := range append(randomShapes(t, r), randomShapes(t, r)...) {
			x := geom.Transform{Position: geom.V(r.Float32()*20, r.Float32()*20, r.Float32()*20), Rotation: geom.QuatEuler(r.Float64(), r.Float64(), r.Float64())}
			switch r.IntN(8) {
			case 0:
				x.Scale = geom.V(-1, 2, 0.5)
			case 1:
				x.Position.X = float32(math.Ldexp(1, r.IntN(128)))
			case 2:
				x.Scale = geom.V(1e-30, 1e30, 1)
			case 3:
				x.Scale = geom.V(1e-30, 1e-30, 1e-30)
			case 4:
				x.Position.Y = float32(math.NaN())
			}
			if why := s.CheckShape(shape); why != nil {
				continue
			}
			id := s.Add(physics.Collider{Shape: shape, Transform: x, Static: r.IntN(3) == 0, Sensor: r.IntN(3) == 0})
			if r.IntN(9) == 0 {
				s.Remove(id)
			}
		}
		i, f := &Inspector{}, frame{}
		w := httptest.NewRecorder()
		done := make(chan struct{})
		go func() {
			defer close(done)
			q := httptest.NewRequest("GET", "/frame", nil)
			q.RemoteAddr, q.Host = "127.0.0.1:1", "localhost"
			i.ServeHTTP(w, q)
		}()
		for waits := true; waits; {
			i.Frame(s)
			select {
			case <-done:
				waits = false
			default:
			}
		}
		require.Equal(t, 200, w.Code, "%d: %s", seed, w.Body)
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &f))
		require.Equal(t, s.Len(), f.Colliders)
		boxes, planes := map[string]box{}, map[string]plane{}
		for _, b := range f.Boxes {
			boxes[b.ID] = b
		}
		for _, p := range f.Planes {
			planes[p.ID] = p
		}
		require.Len(t, boxes, len(f.Boxes))
		require.Len(t, planes, len(f.Planes))
		for id, c := range s.All() {
			name, is := nameOf(id), ""
			if c.Static {
				is = "static"
			}
			if c.Sensor {
				is = "sensor"
			}
			what := fmt.Sprintf("%d: %T %+v at %v", seed, c.Shape, c.Shape, c.Transform)
			bounds, _ := s.Bounds(id)
			b, isBox := boxes[name]
			p, isPlane := planes[name]
			require.False(t, isBox && isPlane, what)
			switch {
			case isBox:
				seen["box"]++
				require.Equal(t, is, b.Is, what)
				require.Equal(t, bounds, geom.AABB{Min: geom.VecOf(b.Min), Max: geom.VecOf(b.Max)}, what)
				if b.Shape == 0 || c.Transform.Scale.X == 1e-30 {
					continue // its lines overflow before they are scaled, and are left out
				}
				seen["lines"]++
				covered := geom.EmptyAABB()
				list := f.Shapes[b.Shape-1]
				for k := 0; k < len(list); k += 3 {
					var q [3]float32
					for axis := range q {
						q[axis] = float32(float64(b.At[axis])*float64(list[k]) + float64(b.At[axis+3])*float64(list[k+1]) +
							float64(b.At[axis+6])*float64(list[k+2]) + float64(b.At[axis+9]))
					}
					covered = covered.Extend(geom.VecOf(q))
				}
				// Two great circles of a ball reach at least 0.707 of its radius in each direction.
				far := 1e-5*max(bounds.Min.Len(), bounds.Max.Len()) + 1e-30
				side := bounds.Max.Sub(bounds.Min)
				require.True(t, covered == geom.EmptyAABB() || bounds.Grow(far) == bounds.Grow(far).Union(covered), "%s: %v in %v", what, covered, bounds)
				got := covered.Max.Sub(covered.Min)
				for axis := range 3 {
					require.GreaterOrEqual(t, got.Array()[axis]+2*far, 0.7*side.Array()[axis], what)
				}
			case isPlane:
				seen["plane"]++
				n := geom.VecOf(p.Normal)
				hit, ok := s.CastRay(geom.NewRay(geom.VecOf(p.Point).Add(n), n.Neg()), physics.Filter{Sensors: true, Predicate: func(x physics.ColliderID) bool { return x == id }})
				if geom.VecOf(p.Point).Len() < 1e4 {
					require.True(t, ok, what)
					require.InDelta(t, 1, hit.T, 1e-2, what)
				}
			default:
				seen["nowhere"]++
				require.True(t, bounds.IsEmpty() || !bounds.Min.IsFinite() || !bounds.Max.IsFinite(), what)
			}
		}
	}
	for _, kind := range []string{"box", "lines", "plane", "nowhere"} {
		require.Greater(t, seen[kind], 40, "%v", seen)
	}
}

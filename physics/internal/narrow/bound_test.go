package narrow

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/golden"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/internal/wide"
)

// boundCases are shapes with bounds.
func boundCases(t *testing.T) map[string]func(at geom.Transform) Shape {
	log, err := hull.New([]geom.Vec3{{X: 1, Y: 3}, {X: -1, Y: 3}, {Y: 3, Z: 1}, {X: 1, Y: -5}, {X: -1, Y: -5}, {Y: -5, Z: -1}})
	require.NoError(t, err)
	n := golden.Numbers(73)
	var points []geom.Vec3
	for range 200 {
		points = append(points, n.Vec(1).Normalize())
	}
	ball, err := hull.New(points)
	require.NoError(t, err)
	require.Greater(t, ball.NumVertices(), wide.MaxBoundPoints)
	return map[string]func(at geom.Transform) Shape{
		"log":  func(at geom.Transform) Shape { return Hull(log, at.Affine()) },
		"ball": func(at geom.Transform) Shape { return Hull(ball, at.Affine()) },
		"box": func(at geom.Transform) Shape {
			return Box(geom.Box{Center: at.Position, HalfExtents: geom.V(1, 3, 0), Rotation: at.Rotation})
		},
		"aabb": func(at geom.Transform) Shape { return AABB(geom.AABBAround(at.Position, geom.V(1, 3, 0.5))) },
	}
}

// boundMap draws a map of a mesh: none, one of all directions alike, or any.
func boundMap(n *golden.Numbers, kind int) geom.Affine {
	at := geom.Transform{Position: n.Vec(30), Rotation: geom.QuatAxisAngle(n.Vec(1), float64(n.Float(3))), Scale: geom.V(-1.5, 1.5, 1.5)}
	switch kind % 3 {
	case 0:
		at = geom.Transform{}
	case 1:
		at.Scale = geom.V(1+n.Float(0.5), -2+n.Float(0.5), 0.5+n.Float(0.3))
	}
	return at.Affine()
}

// missed reports whether a bound misses a triangle of the mesh, and returns it in the world.
func missed(b *wide.Bound, m geom.Affine, local geom.Triangle) (geom.Triangle, bool) {
	var e wide.Eight
	e.Set(3, &local)
	return geom.Triangle{A: m.Point(local.A), B: m.Point(local.B), C: m.Point(local.C)}, b.Misses(&e)>>3&1 != 0
}

// What a bound misses is further away than the margin, and of what is far from a shape it misses
// most.
func TestBoundMissesOnlyWhatIsFar(t *testing.T) {
	n := golden.Numbers(71)
	const margin = 0.1
	for name, shape := range boundCases(t) {
		t.Run(name, func(t *testing.T) {
			far, found := 0, 0
			for i := range 3000 {
				scale := 1 + n.Float(0.9)
				at := geom.Transform{Position: n.Vec(100), Rotation: geom.QuatAxisAngle(n.Vec(1), float64(n.Float(3))), Scale: geom.V(scale, scale, -scale)}
				if name == "box" || name == "aabb" {
					at.Scale = geom.V(1, 1, 1)
				}
				s, m := shape(at), boundMap(&n, i)
				var b wide.Bound
				require.True(t, s.SetBound(&b, &m, margin, nil))
				back, ok := m.Inverse()
				require.True(t, ok)
				corner := back.Point(at.Position.Add(n.Vec(8)))
				tri, misses := missed(&b, m, geom.Triangle{A: corner, B: corner.Add(n.Vec(2)), C: corner.Add(n.Vec(2))})
				var o Shape
				o.SetTriangle(tri)
				d := Distance(&o, &s, math.Inf(1)).Distance
				if misses {
					require.Greater(t, d, float64(margin))
				}
				if d > 1 {
					far++
					found += one(misses)
				}
			}
			require.Greater(t, found, far/2)
		})
	}
	var b wide.Bound
	at := geom.At(1, 2, 3).Affine()
	s := Sphere(geom.Sphere{Radius: 1})
	require.False(t, s.SetBound(&b, &at, margin, nil))
	s = Box(geom.Box{HalfExtents: geom.V(1, 1, 1)})
	require.True(t, s.SetBound(&b, &at, margin, nil))
	require.False(t, s.SetBound(&b, &geom.Affine{X: geom.V(1, 0, 0)}, margin, nil), "a map without an inverse")
}

// Nowhere on its way a hull comes within the margin of a triangle that its bound misses, nor where
// its pivot takes it, and the bound does not miss all.
func TestBoundOfAWayMissesOnlyWhatIsFar(t *testing.T) {
	n := golden.Numbers(72)
	log := boundCases(t)["log"]
	const margin = 0.1
	avoided, near := 0, 0
	for round := range 1000 {
		at := geom.Transform{Position: n.Vec(100), Rotation: geom.QuatAxisAngle(n.Vec(1), float64(n.Float(3)))}
		s, m := log(at), boundMap(&n, round)
		shift := n.Vec(2).Wide()
		w := Way{About: at.Position.Wide(), Shift: shift, Turn: n.Vec(0.3).Wide(), Pivot: shift}
		var b wide.Bound
		require.True(t, s.SetBound(&b, &m, margin, &w))
		back, ok := m.Inverse()
		require.True(t, ok)
		corner := back.Point(at.Position.Add(n.Vec(8)))
		tri, avoids := missed(&b, m, geom.Triangle{A: corner, B: corner.Add(n.Vec(4)), C: corner.Add(n.Vec(4))})
		var o, moved Shape
		o.SetTriangle(tri)
		for k := range 5 {
			part := float64(k) / 4
			points := make([]geom.Vec3, 0, 8)
			for i := range s.hull.NumVertices() {
				v := s.p.Add(s.hullVertex(i))
				points = append(points, v.AddMul(part, shift.Add(w.Turn.Cross(v.Sub(w.About)))).Narrow())
			}
			then, err := hull.New(points)
			require.NoError(t, err)
			moved.SetHull(then, geom.Transform{}.Affine())
			d := Distance(&o, &moved, math.Inf(1)).Distance
			if avoids {
				require.Greater(t, d, float64(margin))
			} else if d < margin {
				near++
			}
		}
		if avoids {
			avoided++
			along := s.Moved(shift)
			require.Greater(t, Distance(&o, &along, math.Inf(1)).Distance, float64(margin))
		}
	}
	require.Greater(t, avoided, 200)
	require.Greater(t, near, 100)
}

package narrow

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// benchShape returns a shape of about the size of a metre, at a place, that lies a little askew.
func benchShape(k Kind, at geom.Vec3) Shape {
	turn := geom.QuatEuler(0.3, 0.2, 0.1)
	m := geom.Transform{Position: at, Rotation: turn, Scale: geom.V(0.5, 0.4, 0.6)}.Affine()
	switch k {
	case KindSphere:
		return Sphere(geom.Sphere{Center: at, Radius: 0.5})
	case KindCapsule:
		up := turn.Rotate(geom.V(0, 0.4, 0))
		return Capsule(geom.Capsule{A: at.Sub(up), B: at.Add(up), Radius: 0.3})
	case KindAABB:
		return AABB(geom.AABBAround(at, geom.V(0.5, 0.4, 0.6)))
	case KindBox:
		return Box(geom.Box{Center: at, HalfExtents: geom.V(0.5, 0.4, 0.6), Rotation: turn})
	case KindTriangle:
		return Triangle(geom.Triangle{A: m.Point(geom.V(-1, 0, -1)), B: m.Point(geom.V(0, 0, 1)), C: m.Point(geom.V(1, 0, -1))})
	case KindParallelepiped:
		m.X = m.X.Add(m.Y.Mul(0.3))
		return ShearedBox(geom.Box{HalfExtents: geom.V(1, 1, 1)}, m)
	case KindHull:
		return Hull(hulls[3], m)
	case KindRound:
		return ScaledCapsule(geom.Capsule{A: geom.V(0, -0.3, 0), B: geom.V(0, 0.3, 0), Radius: 0.7}, m)
	case kindCone:
		return Cone(geom.Cone{A: geom.V(0, -1, 0), B: geom.V(0, 1, 0), RadiusA: 1, RadiusB: 0.5}, m)
	case kindTapered:
		return TaperedCapsule(geom.TaperedCapsule{A: geom.V(0, -0.3, 0), B: geom.V(0, 0.5, 0), RadiusA: 0.7, RadiusB: 0.5}, m)
	}
	return HalfSpace(turn.Rotate(geom.V(0, 1, 0)).Wide(), at.Wide())
}

// BenchmarkPairs measures every pair of shapes: a metre apart, which the limit of 1 cm ends early;
// 5 mm apart; and 5 cm deep.
func BenchmarkPairs(b *testing.B) {
	for i, ka := range allKinds {
		for _, kb := range allKinds[i:] {
			for _, place := range []struct {
				name string
				gap  float64
			}{{"apart", 1}, {"near", 0.005}, {"deep", -0.05}} {
				x, y := benchShape(ka, geom.V(0.02, 1, 0.03)), benchShape(kb, geom.V(0, 0, 0))
				if ka == KindHalfSpace || kb == KindTriangle && ka == KindTriangle && place.gap < 0 {
					continue // the one has no depth, the others no thickness
				}
				// Move the first along y until the gap has the given size.
				for range 60 {
					d := Distance(&x, &y, math.Inf(1)).Distance
					if p, deep := Penetrate(&x, &y); deep {
						d = -p.Depth
					}
					x = x.Moved(geom.DVec3{Y: (place.gap - d) / 2})
				}
				name := kindName(ka) + "-" + kindName(kb) + "/" + place.name
				b.Run(name+"/Collide", func(b *testing.B) {
					for b.Loop() {
						Collide(&x, &y, 0.01)
					}
					require.Equal(b, place.gap < 0.01, Collide(&x, &y, 0.01).N > 0)
				})
				b.Run(name+"/Overlaps", func(b *testing.B) {
					for b.Loop() {
						Overlaps(&x, &y)
					}
				})
			}
		}
	}
}

// BenchmarkDepth sets the separating axes beside the expanding polytope, for two hulls of so many
// vertices that overlap by a twentieth and by half.
func BenchmarkDepth(b *testing.B) {
	for _, n := range []int{0, 3, 4, 5} {
		for name, y := range map[string]float32{"shallow": 1.5, "deep": 0.8} {
			x, z := Hull(hulls[n], geom.AffineIdentity()), Hull(hulls[n], geom.Transform{Position: geom.V(0.1, y, 0.05), Rotation: geom.QuatEuler(1, 2, 3)}.Affine())
			g := searchOf(&x, &z)
			require.Equal(b, overlapping, g.start(0, askDistance))
			b.Run(fmt.Sprintf("%d/%s/axes", hulls[n].NumVertices(), name), func(b *testing.B) {
				for b.Loop() {
					separate(&x, &z)
				}
			})
			b.Run(fmt.Sprintf("%d/%s/expand", hulls[n].NumVertices(), name), func(b *testing.B) {
				for b.Loop() {
					h := g
					expand(&h)
				}
			})
		}
	}
}

// BenchmarkEdges is a capsule on two triangles of a floor, one under it and one beside, whose edge
// it must not trip over.
func BenchmarkEdges(b *testing.B) {
	left := geom.Triangle{A: geom.V(0, 0, 0), B: geom.V(0, 0, 1), C: geom.V(1, 0, 0)}
	right := geom.Triangle{A: geom.V(1, 0, 0), B: geom.V(0, 0, 1), C: geom.V(1, 0, 1)}
	under, beside := Triangle(left), Triangle(right)
	e, f := Edges{0, BendAt(left, 1, right.C), 0}, Edges{BendAt(right, 0, left.A), 0, 0}
	capsule := Capsule(geom.Capsule{A: geom.V(0.4, 0.29, 0.4), B: geom.V(0.4, 1.3, 0.4), Radius: 0.3})
	box := Box(geom.Box{Center: geom.V(0.4, 0.49, 0.4), HalfExtents: geom.V(0.3, 0.5, 0.3), Rotation: geom.QuatAxisAngle(geom.V(0, 1, 0), 0.3)})
	for name, s := range map[string]*Shape{"capsule": &capsule, "box": &box} {
		b.Run(name, func(b *testing.B) {
			var j Joiner
			var dst []MeshManifold
			for b.Loop() {
				j.Reset(s.Center(), 0)
				j.Collide(0, &e, &under, s, 0.02)
				j.Collide(1, &f, &beside, s, 0.02)
				dst = j.Join(dst[:0])
			}
		})
	}
}

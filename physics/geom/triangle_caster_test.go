package geom

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/internal/testenv"
)

// soup is a closed surface of triangles that share their corners exactly.
type soup []Triangle

// ballSoup returns an icosphere: an icosahedron whose faces are split in four, level times, and
// projected onto a sphere.
func ballSoup(level int, center Vec3, radius float64) soup {
	g := (1 + math.Sqrt(5)) / 2
	v := []DVec3{
		{-1, g, 0}, {1, g, 0}, {-1, -g, 0}, {1, -g, 0}, {0, -1, g}, {0, 1, g},
		{0, -1, -g}, {0, 1, -g}, {g, 0, -1}, {g, 0, 1}, {-g, 0, -1}, {-g, 0, 1},
	}
	faces := [][3]DVec3{}
	for _, f := range [][3]int{
		{0, 11, 5}, {0, 5, 1}, {0, 1, 7}, {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
		{3, 9, 4}, {3, 4, 2}, {3, 2, 6}, {3, 6, 8}, {3, 8, 9}, {4, 9, 5}, {2, 4, 11}, {6, 2, 10}, {8, 6, 7}, {9, 8, 1},
	} {
		faces = append(faces, [3]DVec3{v[f[0]].Normalize(), v[f[1]].Normalize(), v[f[2]].Normalize()})
	}
	for range level {
		var split [][3]DVec3
		for _, f := range faces {
			ab, bc, ca := f[0].Add(f[1]).Normalize(), f[1].Add(f[2]).Normalize(), f[2].Add(f[0]).Normalize()
			split = append(split, [3]DVec3{f[0], ab, ca}, [3]DVec3{ab, f[1], bc}, [3]DVec3{ca, bc, f[2]}, [3]DVec3{ab, bc, ca})
		}
		faces = split
	}
	at := func(p DVec3) Vec3 { return center.Wide().AddMul(radius, p).Narrow() }
	var s soup
	for _, f := range faces {
		s = append(s, Triangle{at(f[0]), at(f[1]), at(f[2])})
	}
	return s
}

// houseSoup returns the twelve triangles of an oriented box.
func houseSoup(center, half Vec3, turn Quat) soup {
	var v [8]Vec3
	for i := range v {
		s := V(float32(i&1)*2-1, float32(i>>1&1)*2-1, float32(i>>2&1)*2-1)
		v[i] = center.Add(turn.Rotate(half.MulVec(s)))
	}
	var s soup
	for _, q := range [][4]int{{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}} {
		s = append(s, Triangle{v[q[0]], v[q[1]], v[q[2]]}, Triangle{v[q[0]], v[q[2]], v[q[3]]})
	}
	return s
}

// kernel prepares a test of one ray against many triangles.
type kernel func(r Ray) func(tri Triangle) (backFace, ok bool)

func woop(r Ray) func(tri Triangle) (backFace, ok bool) {
	k := NewTriangleCaster(r)
	return func(tri Triangle) (backFace, ok bool) {
		_, _, _, backFace, ok = k.Cast(tri.A, tri.B, tri.C, inf, CullNone)
		return backFace, ok
	}
}

// leaky is Möller and Trumbore's test in single precision, which is not watertight. It shows that
// the rays of these tests find gaps.
func leaky(r Ray) func(tri Triangle) (backFace, ok bool) {
	return func(tri Triangle) (backFace, ok bool) {
		e1, e2, s := tri.B.Sub(tri.A), tri.C.Sub(tri.A), r.Origin.Sub(tri.A)
		p, q := r.Dir.Cross(e2), s.Cross(e1)
		det := e1.Dot(p)
		if det == 0 {
			return false, false
		}
		u, v, t := s.Dot(p)/det, r.Dir.Dot(q)/det, e2.Dot(q)/det
		return det < 0, u >= 0 && v >= 0 && u+v <= 1 && t >= 0
	}
}

func (s soup) struck(r Ray, k kernel) (front, back int) {
	test := k(r)
	for _, tri := range s {
		if b, ok := test(tri); ok && b {
			back++
		} else if ok {
			front++
		}
	}
	return front, back
}

// leaks casts rays from inside and outside a convex soup at its corners and at points of its edges,
// and counts those that pass between triangles: from inside they hit nothing, from outside they hit
// only the front or only the back.
func (s soup) leaks(rng *rand.Rand, inside, outside []Vec3, k kernel) (rays, leaks int) {
	for _, tri := range s {
		f := rng.Float32()
		for _, target := range []Vec3{tri.A, tri.A.Lerp(tri.B, 0.5), tri.A.Lerp(tri.B, f), tri.B.Lerp(tri.C, f), tri.C.Lerp(tri.A, 1./3)} {
			for _, o := range inside {
				rays++
				if front, back := s.struck(NewRay(o, target.Sub(o)), k); back == 0 || front != 0 {
					leaks++
				}
			}
			for _, o := range outside {
				rays++
				if front, back := s.struck(NewRay(o, target.Sub(o)), k); (front == 0) != (back == 0) {
					leaks++
				}
			}
		}
	}
	return rays, leaks
}

func TestTriangleWatertightBall(t *testing.T) {
	testenv.NoRace(t)
	leakyLeaks := 0
	for _, c := range []struct {
		center Vec3
		radius float64
	}{
		{Vec3{}, 1}, {V(3, -5, 7), 2}, {Vec3{}, 1e-4}, {Vec3{}, 1e6}, {V(1e6, -1e6, 1e6), 1000},
	} {
		t.Run(fmt.Sprintf("centre %v radius %g", c.center, c.radius), func(t *testing.T) {
			rng := testenv.Rand(1, 2)
			s := ballSoup(2, c.center, c.radius)
			at := func(x, y, z float64) Vec3 { return c.center.Wide().AddMul(c.radius, DVec3{x, y, z}).Narrow() }
			inside := []Vec3{c.center, at(0.3, -0.2, 0.1), at(0.5, 0.5, 0)}
			outside := []Vec3{at(3, 0, 0), at(-2, 5, 1), at(0.1, -0.2, -30)}
			rays, leaks := s.leaks(rng, inside, outside, woop)
			assert.Zero(t, leaks, "of %d rays", rays)
			_, n := s.leaks(rng, inside[1:], outside[1:2], leaky)
			leakyLeaks += n
		})
	}
	assert.NotZero(t, leakyLeaks, "these rays do leak through a test that is not watertight")
	t.Logf("Möller–Trumbore leaked %d rays", leakyLeaks)
}

// A city of long thin walls, right angles and rotated houses: edge functions are zero, or almost.
func TestTriangleWatertightCity(t *testing.T) {
	rng := testenv.Rand(3, 4)
	rays, leaks := 0, 0
	for i := range 2000 {
		center := V(rng.Float32()*200-100, rng.Float32()*10, rng.Float32()*200-100)
		half := V(0.1+rng.Float32()*20, 0.1+rng.Float32()*50, 0.1+rng.Float32())
		var turn Quat
		if i%3 != 0 {
			turn = QuatAxisAngle(V(0, 1, float32(i%2)), rng.Float64()*7)
		}
		s := houseSoup(center, half, turn)
		in := center.Add(turn.Rotate(half.MulVec(V(rng.Float32()-0.5, rng.Float32()-0.5, rng.Float32()-0.5))))
		out := center.Add(turn.Rotate(half.MulVec(V(1.5, 1+rng.Float32(), -2-rng.Float32()))))
		street := center.Add(V(300*rng.Float32()-150, 400, 300))
		n, l := s.leaks(rng, []Vec3{center, in}, []Vec3{out, street}, woop)
		rays, leaks = rays+n, leaks+l
	}
	assert.Zero(t, leaks, "of %d rays", rays)
}

// Every ray from inside a tetrahedron hits it, from behind at all faces, also through its edges.
//
// The tetrahedron must be so thick that single precision has the right sign of the area that a ray
// sees of a face. That is an area of det/4 divided by the ray's way to the face, which is below m
// along its main axis, and must exceed the error 240·m²·2⁻²⁴ (see weightError).
func TestTriangleNoWayOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := point(8)
		a, b, c, d := p.Draw(t, "a"), p.Draw(t, "b"), p.Draw(t, "c"), p.Draw(t, "d")
		origin := a.Add(b).Add(c).Add(d).Mul(0.25)
		m := 0.0
		for _, p := range [4]Vec3{a, b, c, d} {
			q := p.Sub(origin).Abs().Wide()
			m = max(m, q.X, q.Y, q.Z)
		}
		if math.Abs(b.Sub(a).Wide().Cross(c.Sub(a).Wide()).Dot(d.Sub(a).Wide())) <= ulps(4*240, m*m*m) {
			return
		}
		s := soup{{a, b, c}, {a, d, b}, {b, d, c}, {c, d, a}}
		f := rapid.Float32Range(0, 1).Draw(t, "f")
		for _, target := range []Vec3{a, b, c, d, a.Lerp(b, f), b.Lerp(c, f), c.Lerp(d, f), a.Lerp(d, 0.5)} {
			front, back := s.struck(NewRay(origin, target.Sub(origin)), woop)
			require.NotZero(t, front+back, "%v", target)
			require.True(t, front == 0 || back == 0, "all faces have the same orientation")
		}
		for _, dir := range []Vec3{V(1, 0, 0), V(0, -1, 0), V(0, 0, 1), direction().Draw(t, "dir")} {
			front, back := s.struck(NewRay(origin, dir), woop)
			require.NotZero(t, front+back, "%v", dir)
		}
	})
}

// A rotation of the corners rotates the weights and changes nothing else.
func TestTriangleCasterCornerOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := point(8).Draw(t, "a"), point(8).Draw(t, "b"), point(8).Draw(t, "c")
		r := anyRay().Draw(t, "ray")
		k := NewTriangleCaster(r)
		_, u, v, back, ok := k.Cast(a, b, c, inf, CullNone)
		_, u2, v2, back2, ok2 := k.Cast(b, c, a, inf, CullNone)
		_, _, _, back3, ok3 := k.Cast(a, c, b, inf, CullNone)
		if ok {
			require.True(t, u >= 0 && v >= 0 && u <= 1 && v <= 1, "%g %g", u, v)
		}
		if area := math.Abs(Triangle{a, b, c}.cross().Dot(r.Dir.Wide())) / r.Dir.Wide().Len(); ok && ok2 && area > 1e-30 {
			// The edge functions have the same bits. Of the same sign, their sum in another order
			// has two roundings, and a quotient one more. Denormal ones have fewer digits.
			require.Equal(t, back, back2)
			require.InDelta(t, u, 1-u2-v2, ulps(8, 1))
			require.InDelta(t, v, u2, ulps(6, 1))
		}
		if ok && ok3 {
			require.NotEqual(t, back, back3)
		}
	})
}

// A hit at tMax counts.
func TestTriangleCasterTMax(t *testing.T) {
	k := NewTriangleCaster(Ray{V(1, 1, 3), V(0, 0, -1), 2, 0})
	at, _, _, _, ok := k.Cast(corner.A, corner.B, corner.C, 3, CullNone)
	assert.True(t, ok)
	assert.Equal(t, float32(3), at)
	_, _, _, _, ok = k.Cast(corner.A, corner.B, corner.C, math.Nextafter32(3, 0), CullNone)
	assert.False(t, ok)
	k = NewTriangleCaster(Ray{V(1, 1, 3), V(0, 0, -1), 3.5, 0})
	_, _, _, _, ok = k.Cast(corner.A, corner.B, corner.C, inf, CullNone)
	assert.False(t, ok)
}

// For a ray that starts close to a triangle of a kilometre, the error of T is relative to T and not
// to the distance of the corners.
func TestTriangleCasterCloseToLarge(t *testing.T) {
	rng := testenv.Rand(3, 4)
	in := func(reach float64) DVec3 {
		return DVec3{rng.Float64()*2 - 1, rng.Float64()*2 - 1, rng.Float64()*2 - 1}.Mul(reach)
	}
	hits := 0
	for range 2000 {
		tri := Triangle{in(1000).Narrow(), in(1000).Narrow(), in(1000).Narrow()}
		n := tri.cross()
		middle := tri.A.wide().Add(tri.B.wide()).Add(tri.C.wide()).Mul(1. / 3)
		r := Ray{Origin: middle.Add(in(1)).Narrow(), Dir: in(1).Narrow()}
		h, ok := tri.CastRay(r, CullNone)
		if !ok || n.Len() < 1e5 {
			continue
		}
		hits++
		want := n.Dot(tri.A.wide().Sub(r.Origin.wide())) / n.Dot(r.Dir.wide())
		require.InDelta(t, want, h.T, ulps(1, math.Abs(want))+1e-9/r.Dir.Wide().Len(), "%v, %v", tri, r)
	}
	testenv.Drawn(t, hits, 500)
}

package wide

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// A visit with a body finds each triangle that touches the box once, and all of them that have a
// point of the body; it leaves out most that have none.
func TestVisitBody(t *testing.T) {
	withSIMD(t, func(t *testing.T) {
		visited, touched, all := 0, 0, 0
		for i, s := range shapes() {
			rng := testenv.Rand(uint64(i), 19)
			tree := Build(s.vertices, s.indices, 0)
			bounds := tree.Bounds()
			reach := bounds.HalfExtents().Wide().Len()
			vec := func() geom.DVec3 {
				return geom.DVec3{X: rng.Float64() - 0.5, Y: rng.Float64() - 0.5, Z: rng.Float64() - 0.5}
			}
			for range 100 {
				at := s.triangle(rng.IntN(len(s.indices) / 3)).A.Wide()
				radius := reach * math.Pow(10, -2*rng.Float64())
				at = at.Add(vec().Normalize().Mul(radius * 2 * rng.Float64()))
				end := vec().Mul(radius * float64(rng.IntN(3)))
				box := geom.EmptyAABB()
				for _, p := range [2]geom.DVec3{at.Add(end), at.Sub(end)} {
					box = box.Union(geom.AABBAround(p.Narrow(), geom.V(1, 1, 1).Mul(float32(1.001*radius))))
				}
				asked := 0
				body := func(b *Body) bool {
					asked++
					*b = Body{
						X: geom.DVec3{X: 1}, Y: geom.DVec3{Y: 1}, Z: geom.DVec3{Z: 1}, Origin: at.Neg(),
						Half: [3]geom.DVec3{end}, Radius: radius, Size: radius + end.Len(), Points: b.Points[:0],
					}
					return rng.IntN(5) > 0
				}
				got := map[int]bool{}
				require.True(t, tree.VisitBody(box, body, func(i int) bool {
					require.False(t, got[i], "twice")
					got[i] = true
					return true
				}))
				require.LessOrEqual(t, asked, 1)
				visited += len(got)
				tree.VisitAABB(box, func(i int) bool {
					all++
					one := s.triangle(i)
					for _, p := range [4]geom.DVec3{one.A.Wide(), one.B.Wide(), one.C.Wide(), one.A.Add(one.B).Add(one.C).Mul(1. / 3).Wide()} {
						off := p.Sub(at)
						if l := end.Dot(end); l > 0 {
							off = off.AddMul(-min(max(off.Dot(end)/l, -1), 1), end)
						}
						if off.Len() <= radius {
							touched++
							require.True(t, got[i], "lost")
							break
						}
					}
					delete(got, i)
					return true
				})
				require.Empty(t, got, "beyond the box")
				count := 0
				stopped := !tree.VisitBody(box, body, func(int) bool { count++; return count < 3 })
				require.Equal(t, count == 3, stopped)
			}
		}
		require.Greater(t, touched, 1000)
		if assembly && useSIMD {
			require.Less(t, visited-touched, (all-touched)/2)
		} else {
			require.Equal(t, all, visited)
		}
	})
}

// A body that touches a triangle exactly visits it: at a corner, on an edge or inside, far from the
// origin of the tree or the world, through maps that scale, shear, flatten and mirror, in boxes of
// nodes without thickness, and where triangles are in several leaves.
func TestVisitBodyTouchesExactly(t *testing.T) {
	withSIMD(t, func(t *testing.T) {
		dropped, several := 0, 0
		for i, s := range append(shapes(), mixed()) {
			if s.count() > 1000 {
				continue // each visit would visit many
			}
			rng := testenv.Rand(uint64(i), 23)
			for _, q := range []Quality{Medium, High} {
				tree := build(t, &s, Options{Quality: q})
				if tree.HasDuplicates() {
					several++
				}
				for range 300 {
					dropped += visitTouching(t, rng, tree, &s)
				}
			}
		}
		testenv.Drawn(t, several, 2)
		if assembly && useSIMD {
			testenv.Drawn(t, dropped, 10_000)
		}
	})
}

// visitTouching visits the triangles of a tree by a random body that touches a random one, in a box
// around all, and returns how many are left out.
func visitTouching(t *testing.T, rng *rand.Rand, tree *Tree, s *surface) (dropped int) {
	number := func() float64 { return 2*rng.Float64() - 1 }
	vec := func() geom.DVec3 { return geom.DVec3{X: number(), Y: number(), Z: number()} }
	b := Body{X: geom.DVec3{X: 1}, Y: geom.DVec3{Y: 1}, Z: geom.DVec3{Z: 1}}
	if rng.IntN(3) > 0 {
		b.X, b.Y, b.Z = vec(), vec(), vec()
	}
	if rng.IntN(3) == 0 {
		b.Y = b.X.AddMul(1e-3, b.Y) // nearly flat
	}
	if rng.IntN(3) == 0 {
		b.X, b.Z = b.X.Mul(math.Pow(10, 3*number())), b.Z.Mul(math.Pow(10, 3*number()))
	}
	world := vec().Mul(math.Pow(10, 6*number())) // origin of the tree
	to := func(p geom.DVec3) geom.DVec3 {
		return b.X.Mul(p.X).Add(b.Y.Mul(p.Y)).Add(b.Z.Mul(p.Z)).Add(world)
	}
	wanted := rng.IntN(s.count())
	one := s.triangle(wanted)
	q, p, o := to(one.A.Wide()), to(one.B.Wide()), to(one.C.Wide())
	size := q.Sub(to(tree.center.Wide())).Len() + p.Sub(q).Len()
	n := p.Sub(q).Cross(o.Sub(q)).Normalize() // from the triangle to the body
	switch rng.IntN(3) {
	case 0:
		n = n.Neg()
	case 1:
		n = vec().Normalize()
	}
	kind := rng.IntN(4)
	reach := size * math.Pow(10, 3*number()-1)
	if kind != 3 {
		b.Radius = reach * float64(rng.IntN(2))
	}
	touch := n.Mul(-b.Radius) // the point of the body furthest against n
	for k := range b.Half[:kind] {
		b.Half[k] = vec().Mul(reach)
		touch = touch.AddMul(-math.Copysign(1, b.Half[k].Dot(n)), b.Half[k])
		b.Size += b.Half[k].Len()
	}
	if kind == 0 {
		for range rng.IntN(9) {
			b.Points = append(b.Points, vec().Mul(reach))
		}
	}
	if len(b.Points) > 0 {
		least := slices.MinFunc(b.Points, func(a, c geom.DVec3) int { return cmp.Compare(a.Dot(n), c.Dot(n)) })
		touch, b.Size = touch.Add(least), b.Size+float64(2*reach)
	}
	b.Size += b.Radius
	switch at := q; rng.IntN(3) { // a corner, on an edge, within
	case 1:
		q = at.AddMul(rng.Float64(), p.Sub(at))
	case 2:
		u, v := 0.5*rng.Float64(), 0.5*rng.Float64()
		q = at.AddMul(u, p.Sub(at)).AddMul(v, o.Sub(at))
	}
	b.Origin = world.Sub(q.Sub(touch)) // relative to the center
	got := map[int]bool{}
	tree.VisitBody(tree.Bounds(), func(made *Body) bool {
		*made = b
		return true
	}, func(i int) bool {
		require.False(t, got[i], "twice")
		got[i] = true
		return true
	})
	require.True(t, got[wanted], "lost %d by %+v", wanted, b)
	return s.count() - len(got)
}

package wide

import (
	"math"
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

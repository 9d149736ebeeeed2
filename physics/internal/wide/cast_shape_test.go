package wide

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// shapePaths returns paths of boxes through a tree: along rays, with planes ahead and beside them.
func shapePaths(rng *rand.Rand, s *surface, n int) (list []ShapePath) {
	tree := Build(s.vertices, s.indices, 1)
	h := tree.Bounds().HalfExtents()
	reach := float64(max(h.X, h.Y, h.Z))
	for _, r := range aims(rng, s, n) {
		if !r.IsValid() {
			continue
		}
		size := reach * [4]float64{0, 0.001, 0.03, 0.5}[rng.IntN(4)]
		p := ShapePath{Origin: r.Origin.Wide(), Dir: r.Dir.Wide()}
		p.Low = geom.DVec3{X: -size * rng.Float64(), Y: -size, Z: -size * rng.Float64()}
		p.High = geom.DVec3{X: size, Y: size * rng.Float64(), Z: size * rng.Float64()}
		low, high := r.Range()
		p.Min, p.Max = float64(low), float64(high)
		if rng.IntN(2) == 0 { // the ball around the box
			p.Ball = p.Origin.Add(p.Low.Add(p.High).Mul(0.5))
			p.BallRadius = 0.5 * p.High.Sub(p.Low).Len()
		}
		if dd := p.Dir.Dot(p.Dir); dd > 0 && rng.IntN(2) == 0 {
			v := p.Dir.Mul(1 / dd)
			p.Ahead = Front{V: v, At: v.Dot(p.Origin) + float64(2*size*v.Len()), Size: reach * v.Len()}
			side := geom.DVec3{X: -p.Dir.Y, Y: p.Dir.X}
			if p.HasBeside = rng.IntN(2) == 0; p.HasBeside {
				at, wide := side.Dot(p.Origin), float64(2*size*side.Len())
				p.Beside = [4]Front{{V: side, At: at + wide}, {V: side.Neg(), At: wide - at}, {V: v.Neg(), At: math.Inf(1)}, {}}
			}
		}
		list = append(list, p)
	}
	return list
}

// touchesBall reports whether the ball of a path meets the triangle's corners or middle, which it
// does if it meets the triangle in many cases.
func (p *ShapePath) touchesBall(t *geom.Triangle) bool {
	a, b, c := t.A.Wide(), t.B.Wide(), t.C.Wide()
	for _, q := range [4]geom.DVec3{a, b, c, a.Add(b).Add(c).Mul(1. / 3)} {
		off := q.Sub(p.Ball)
		at := min(max(off.Dot(p.Dir)/p.Dir.Dot(p.Dir), p.Min), p.Max)
		if off.AddMul(-at, p.Dir).Len() <= p.BallRadius {
			return true
		}
	}
	return false
}

// A traversal finds every triangle that its own box, the planes and the ball do not exclude,
// whatever the shape of the tree; and the assembly finds the same ones in the same order, whatever
// limits are set meanwhile.
func TestShapeWalkFindsWhatIsLeft(t *testing.T) {
	testenv.Long(t)
	can := useSIMD
	t.Cleanup(func() { useSIMD = can })
	for i, s := range shapes() {
		t.Run(s.name, func(t *testing.T) {
			rng := testenv.Rand(uint64(i), 9)
			tree := Build(s.vertices, s.indices, 0)
			found := 0
			for k, p := range shapePaths(rng, &s, 300) {
				limits := k%4 == 3
				var twins [2][]int32
				var w ShapeWalk
				for simd := range twins {
					useSIMD = can && simd == 1
					if !w.Start(&tree, &p) || !w.Aim() {
						continue
					}
					for w.Next() {
						if twins[simd] = append(twins[simd], w.ID); limits {
							w.SetLimit(float32(w.From * (2 - 0.1*float64(len(twins[simd])))))
						}
					}
				}
				require.Equal(t, twins[0], twins[1], "%+v", p)
				if limits {
					continue
				}
				if !w.Start(&tree, &p) { // then no leaf is near
					require.Empty(t, twins[0])
				}
				require.True(t, w.Aim())
				got := make([]bool, len(s.indices)/3)
				for _, id := range twins[0] {
					got[id] = true
				}
				for id := range got {
					one := s.triangle(id)
					if from, to := w.own(&one); from <= to && !w.leaves(&one) && (p.BallRadius == 0 || p.touchesBall(&one)) {
						if found++; !got[id] {
							t.Fatalf("lost: %d of %+v", id, p)
						}
					}
				}
			}
			assert.Positive(t, found)
		})
	}
}

// A path that misses the boxes of all nodes by 0.4 m finds no leaf, however long it is.
func TestShapeWalkPassesBy(t *testing.T) {
	var vertices []geom.Vec3
	var indices []uint32
	for i := range 3 * 4 * width { // so many that the root is no leaf
		vertices, indices = append(vertices, geom.V(float32(i), 0, float32(i%3))), append(indices, uint32(i))
	}
	tree := Build(vertices, indices, 0)
	for _, y := range []float64{-0.5, 0.5, 0} {
		for _, far := range []float64{4, 1e4, math.Inf(1)} {
			p := ShapePath{Dir: geom.DVec3{X: 1}, Max: far}
			p.Low, p.High = geom.DVec3{X: -0.1, Y: y - 0.1, Z: -0.1}, geom.DVec3{X: 0.1, Y: y + 0.1, Z: 0.1}
			var w ShapeWalk
			assert.Equal(t, y == 0, w.Start(&tree, &p), "%g, %g", y, far)
		}
	}
}

package wide

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// The box tests give the results of a loop over triangles and boxes, portable and by assembly.
func TestTouch(t *testing.T) {
	r := testenv.Rand(1, 2)
	number := func() float32 {
		if r.IntN(20) == 0 {
			return []float32{float32(math.Inf(1)), float32(math.Inf(-1)), 0, float32(math.Copysign(0, -1)), math.MaxFloat32}[r.IntN(5)]
		}
		return float32(r.IntN(9) - 4)
	}
	within := func(q *query, b geom.AABB) bool {
		box := geom.AABB{Min: geom.V(q[0], q[2], q[4]), Max: geom.V(q[1], q[3], q[5])}
		return touch(&box, &b)
	}
	touched := 0
	for range 20000 {
		var q query
		for i := 0; i < len(q); i += 2 {
			a, b := number(), number()
			q[i], q[i+1] = min(a, b), max(a, b)
		}
		var (
			n       node
			p       packed
			l       loose
			a, b, c uint32
		)
		for i := range width {
			x, y, z := geom.V(number(), number(), number()), geom.V(number(), number(), number()), geom.V(number(), number(), number())
			n.setBounds(i, geom.AABB{Min: x.Min(y), Max: x.Max(y)})
			for k, v := range [3]geom.Vec3{x, y, z} {
				l.corner[k][0][i], l.corner[k][1][i], l.corner[k][2][i] = v.X, v.Y, v.Z
				p.corner[k][i] = uint8(r.IntN(width))
			}
			p.vertex[0][i], p.vertex[1][i], p.vertex[2][i] = x.X, x.Y, x.Z
		}
		for i := range width {
			if within(&q, n.bounds(i)) {
				a |= 1 << i
			}
			if within(&q, boundsOf(geom.Triangle{A: p.at(p.corner[0][i]), B: p.at(p.corner[1][i]), C: p.at(p.corner[2][i])})) {
				b |= 1 << i
			}
			k := &l.corner
			at := func(c int) geom.Vec3 { return geom.V(k[c][0][i], k[c][1][i], k[c][2][i]) }
			if within(&q, boundsOf(geom.Triangle{A: at(0), B: at(1), C: at(2)})) {
				c |= 1 << i
			}
		}
		require.Equal(t, [3]uint32{a, b, c}, [3]uint32{n.touch(&q), p.touch(&q), l.touch(&q)})
		require.Equal(t, c, (&Eight{l}).Touch(&geom.AABB{Min: geom.V(q[0], q[2], q[4]), Max: geom.V(q[1], q[3], q[5])}))
		if assembly && useSIMD {
			require.Equal(t, [3]uint32{a, b, c}, [3]uint32{nodeTouchSIMD(&n, &q), packedTouchSIMD(&p, &q), looseTouchSIMD(&l, &q)})
		}
		if a != 0 && b != 0 && c != 0 {
			touched++
		}
	}
	testenv.Drawn(t, touched, 1000)
}

package wide

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// pile is a stack of triangles, one above the other: a ray through all of them crosses all children
// of all nodes.
func pile(n int) surface {
	s := surface{name: "pile"}
	for i := range n {
		z := float32(i)
		s.vertices = append(s.vertices, geom.V(0, 0, z), geom.V(1, 0, z), geom.V(0, 1, z))
		s.indices = append(s.indices, uint32(3*i), uint32(3*i+1), uint32(3*i+2))
	}
	return s
}

// crossed counts what is below r and is crossed from low to high, without a traversal.
func (t *Tree) crossed(q *Ray, r ref, high int32) (w Work) {
	if r.isLeaf() {
		return Work{Leaves: 1, Triangles: t.info(r).count()}
	}
	w.Nodes = 1
	n := t.node(r)
	for i, child := range n.child {
		if child == 0 {
			break
		}
		near := [3]float32{n.box[q.side[0]/row][i], n.box[q.side[1]/row][i], n.box[q.side[2]/row][i]}
		far := [3]float32{n.box[q.side[0]/row^1][i], n.box[q.side[1]/row^1][i], n.box[q.side[2]/row^1][i]}
		if from, to := q.interval(near[0], far[0], near[1], far[1], near[2], far[2], q.low, high); from <= to {
			below := t.crossed(q, child, high)
			w = Work{w.Nodes + below.Nodes, w.Leaves + below.Leaves, w.Triangles + below.Triangles}
		}
	}
	return w
}

// A cast opens every node that the ray enters up to the hit, as it must, and others only before it
// finds the hit. Given the T of the hit as a limit, it opens no others.
func TestWorkIsWhatIsCrossed(t *testing.T) {
	testenv.NoRace(t)
	for i, s := range append(shapes(), pile(3000)) {
		t.Run(s.name, func(t *testing.T) {
			tree := Build(s.vertices, s.indices, 0)
			for _, r := range aims(testenv.Rand(uint64(i), 8), &s, 300) {
				var q Ray
				if !q.prepare(&tree, &r, geom.CullNone) || q.all {
					continue
				}
				var h geom.Hit
				work, ok := tree.CastRayWork(&h, &r, geom.CullNone)
				most := tree.crossed(&q, tree.root, q.high)
				if !ok {
					require.Equal(t, most, work, "%v", r)
					continue
				}
				least := tree.crossed(&q, tree.root, bitsOf(h.T))
				require.LessOrEqual(t, least.Nodes, work.Nodes, "%v", r)
				require.LessOrEqual(t, least.Leaves, work.Leaves, "%v", r)
				require.LessOrEqual(t, work.Nodes, most.Nodes, "%v", r)
				require.LessOrEqual(t, work.Leaves, most.Leaves, "%v", r)
				if h.T == 0 {
					continue // as MaxT, no limit
				}
				r.MaxT = h.T
				work, _ = tree.CastRayWork(&h, &r, geom.CullNone)
				require.Equal(t, least, work, "%v", r)
			}
		})
	}
}

// The portable casts give up before their short stack overflows, and the general traversal replaces
// them.
func TestQuickWalksGiveUp(t *testing.T) {
	testenv.NoRace(t)
	can := useSIMD
	t.Cleanup(func() { useSIMD = can })
	useSIMD = false
	s := pile(50_000)
	tree := Build(s.vertices, s.indices, 0)
	for _, c := range []struct {
		name string
		ray  geom.Ray
		want outcome
	}{
		{"through all", geom.NewRay(geom.V(0.25, 0.25, -1), geom.V(0, 0, 1)), tooDeep},
		{"along one", geom.NewRay(geom.V(0.25, -0.5, 7), geom.V(0, 1, 0)), missed},
		{"through a few", geom.Ray{Origin: geom.V(0.25, 0.25, 9.5), Dir: geom.V(0, 0, 1), MaxT: 1}, struck},
	} {
		t.Run(c.name, func(t *testing.T) {
			var q Ray
			require.True(t, q.prepare(&tree, &c.ray, geom.CullNone))
			var f found
			var stack [portableStack]stackEntry
			assert.Equal(t, c.want, q.closest(&f, &tree, &c.ray, &stack, -1))
			assert.Equal(t, c.want, q.any(&tree, &c.ray, &stack))
			var h geom.Hit
			want := s.twin(&tree, c.ray, geom.CullNone)
			require.Equal(t, c.want != missed, len(want) > 0)
			require.Equal(t, len(want) > 0, tree.CastRay(&h, &c.ray, geom.CullNone))
			require.Equal(t, len(want) > 0, tree.CastRayAny(&c.ray, geom.CullNone))
			if len(want) > 0 {
				assert.Equal(t, want[0], impactOf(h))
			}
		})
	}
}

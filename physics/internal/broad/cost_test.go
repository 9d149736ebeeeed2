package broad

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// opened returns the number of nodes opened by casting rays at the boxes, nearest child first: the
// cost of a tree, independent of the machine.
func opened(p *Phase, rays []geom.Ray) int {
	count := 0
	for _, r := range rays {
		for half := range p.trees {
			if t := &p.trees[half]; t.root != 0 {
				box := t.nodes[t.root].union()
				var q query
				if q.prepare(r, &box) {
					t.open(t.root, &q, &count)
				}
			}
		}
	}
	return count
}

func (t *tree) open(i int32, q *query, count *int) {
	*count++
	n := &t.nodes[i]
	var enters [width]float64
	mask := q.meet(n, &enters)
	for s := range enters {
		if mask>>s&1 == 0 {
			enters[s] = math.Inf(1)
		}
	}
	for range width {
		s := 0
		for k := range enters {
			if enters[k] < enters[s] {
				s = k
			}
		}
		if enters[s] > q.tMax || math.IsInf(enters[s], 1) {
			return
		}
		if c := n.child[s]; c.isBox() {
			q.tMax = enters[s]
		} else {
			t.open(c.node(), q, count)
		}
		enters[s] = math.Inf(1)
	}
}

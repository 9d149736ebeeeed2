package broad

import "github.com/hitscan-go/hitscan/physics/geom"

// Start begins a walk through all boxes of a phase; false if the ray can hit nothing, as it is not valid or there is no box.
// What stands still comes first: where that is most of a world, it ends most rays.
func (w *Walk) Start(p *Phase, r geom.Ray) bool {
	return w.start(&p.trees[1], &p.trees[0], &p.bounds, &r)
}

func (t *tree) levels() int { return int(t.nodes[t.root].level) + 1 }

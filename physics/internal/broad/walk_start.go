package broad

import "github.com/hitscan-go/hitscan/physics/geom"

// Start begins a walk through all boxes of a phase; false if the ray can hit nothing, as it is not valid or there is no box.
// What stands still comes first: where that is most of a world, it ends most rays.
func (w *Walk) Start(p *Phase, r geom.Ray) bool {
	bounds := p.bounds()
	return w.start(&p.trees[still], &p.trees[moving], &bounds, &r)
}

func (t *tree) levels() int { return int(t.nodes[t.root].level) + 1 }

// Stop lets go of the phase.
func (w *Walk) Stop() { w.stop() }

// bounds returns the box around all boxes of a settled phase.
func (p *Phase) bounds() geom.AABB {
	bounds := nowhere
	for half := range p.trees {
		if t := &p.trees[half]; t.root != 0 {
			box := t.nodes[t.root].union()
			bounds = union(&bounds, &box)
		}
	}
	return bounds
}

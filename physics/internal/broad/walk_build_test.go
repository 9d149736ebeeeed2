package broad

import "github.com/hitscan-go/hitscan/physics/geom"

// walkPhase makes a phase of boxes, of which every so-manieth stands still; none if it is 0.
func walkPhase(boxes []geom.AABB, every int) *Phase {
	var p Phase
	for i, b := range boxes {
		p.Set(uint32(i), b, every > 0 && i%every == 0)
	}
	p.Settle(1)
	return &p
}

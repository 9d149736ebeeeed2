package broad

import "github.com/hitscan-go/hitscan/physics/geom"

type Couple struct{ A, B uint32 }

func (p *Phase) Pairs(dst []Couple, workers int) []Couple {
	for i := range p.at {
		box, ok := p.Box(uint32(i))
		if !ok {
			continue
		}
		st := p.at[i].half() == still
		p.VisitAABB(box, func(n uint32) bool {
			os := p.at[n].half() == still
			if n > uint32(i) && !(st && os) {
				dst = append(dst, Couple{uint32(i), n})
			}
			return true
		})
	}
	return dst
}

var _ geom.AABB

package wide

import "github.com/hitscan-go/hitscan/physics/geom"

// Many rays at once. Neighbours in a slice that go the same way, as those of a camera do, walk down the tree together, eight at a
// time. Each finds what it finds alone, bit by bit.

// packetSize is how many rays a packet has at most.
const packetSize = 8

// What the assembly returns beside a number of rays.
const (
	packetCount = 0xff
	packetAlone = 0x100 // they go different ways, and are to be cast one by one
	packetLate  = 0x200 // the same, which was found out only on the way
)

// pace tells whether packets are worth trying. Rays that go different ways soon let most of them be cast without the question.
type pace struct {
	skip, next int
}

const leastSkip, mostSkip = 8, 256

// failed returns how many rays to cast one by one.
func (p *pace) late() {
	p.next = min(max(2*p.next, leastSkip), mostSkip)
	p.skip = p.next
}

// CastRays finds the first hit of each ray. A miss has T = +Inf and triangle −1.
func (t *Tree) CastRays(hits []geom.Hit, rays []geom.Ray, cull geom.Cull) {
	var p pace
	turn, flip := facing(cull)
	packets := useAVX2 && !t.IsEmpty() && !t.root.isLeaf()
	for i := 0; i < len(rays); {
		n := 1
		if p.skip == 0 && packets {
			code := closestPacketAVX2(t, &rays[i], &hits[i], min(len(rays)-i, packetSize), turn, flip)
			n = int(code & packetCount)
			if code == uint32(n) {
				i += n
				p.next = 0
				continue
			}
			if code&packetLate != 0 {
				p.late()
			}
		} else if p.skip > 0 {
			n = min(p.skip, len(rays)-i)
			p.skip -= n
		}
		for range n {
			if !t.CastRay(&hits[i], &rays[i], cull) {
				hits[i] = geom.Hit{T: inf32, Triangle: -1}
			}
			i++
		}
	}
}

// CastRaysAny reports for each ray whether it hits anything.
func (t *Tree) CastRaysAny(hits []bool, rays []geom.Ray, cull geom.Cull) {
	for i := range rays {
		hits[i] = t.CastRayAny(&rays[i], cull)
	}
}

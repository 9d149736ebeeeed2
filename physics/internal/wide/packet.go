package wide

import (
	"unsafe"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Many rays at once, of which each finds what it finds alone, bit by bit. Neighbours in a slice that go the same way, as those of a
// camera do, walk down the tree together, eight at a time: a packet. All others take turns, so that one does its steps while
// others wait for memory: a stream.

// packetSize is how many rays a packet has at most.
const packetSize = 8

// What a packet returns beside a number of rays.
const (
	packetCount = 0xff
	packetAlone = 0x100 // they go different ways, and are to be cast one by one
	packetLate  = 0x200 // the same, which was found out only on the way
)

// What marks a ray that is still to be cast: as the triangle of a hit, or in place of a bool.
const (
	apart    = -2
	apartAny = 2
)

// pace tells how many rays to let pass before a packet is tried again. Where rays go different ways that is soon rarely.
type pace struct {
	pass int
}

const mostPass = 512

// goesTogether reports whether packets and streams are for this tree: there must be a node, and their stacks are small.
func (t *Tree) goesTogether() bool {
	return useAVX2 && !t.IsEmpty() && !t.root.isLeaf() && t.need < smallStack
}

// CastRays finds the first hit of each ray. A miss has T = +Inf and triangle −1.
func (t *Tree) CastRays(hits []geom.Hit, rays []geom.Ray, cull geom.Cull) {
	if len(rays) == 0 || !t.goesTogether() {
		for i := range rays {
			t.castInto(&hits[i], &rays[i], cull)
		}
		return
	}
	turn, flip := facing(cull)
	left := 0
	pass := 0
	for i := 0; i < len(rays); {
		code := closestPacketAVX2(t, &rays[i], &hits[i], min(len(rays)-i, packetSize), turn, flip)
		n := int(code & packetCount)
		if code <= packetCount {
			pass = 0
			i += n
			continue
		}
		pass = min(2*pass+n, mostPass)
		for end := min(i+pass, len(rays)); i < end; i++ {
			hits[i].Triangle = apart
			left++
		}
	}
	if left == 0 {
		return
	}
	closestStreamAVX2(t, &rays[0], &hits[0], len(rays), turn, flip)
	for i := range hits {
		if hits[i].Triangle == apart {
			t.castInto(&hits[i], &rays[i], cull)
		}
	}
}

func (t *Tree) castInto(hit *geom.Hit, r *geom.Ray, cull geom.Cull) {
	if !t.CastRay(hit, r, cull) {
		*hit = geom.Hit{T: inf32, Triangle: -1}
	}
}

// CastRaysAny reports for each ray whether it hits anything.
func (t *Tree) CastRaysAny(hits []bool, rays []geom.Ray, cull geom.Cull) {
	if len(rays) == 0 || !t.goesTogether() {
		for i := range rays {
			hits[i] = t.CastRayAny(&rays[i], cull)
		}
		return
	}
	turn, flip := facing(cull)
	answers := unsafe.Slice((*uint8)(unsafe.Pointer(&hits[0])), len(hits))
	left := 0
	pass := 0
	for i := 0; i < len(rays); {
		code := anyPacketAVX2(t, &rays[i], &answers[i], min(len(rays)-i, packetSize), turn, flip)
		n := int(code & packetCount)
		if code <= packetCount {
			pass = 0
			i += n
			continue
		}
		pass = min(2*pass+n, mostPass)
		for end := min(i+pass, len(rays)); i < end; i++ {
			answers[i] = apartAny
			left++
		}
	}
	if left == 0 {
		return
	}
	anyStreamAVX2(t, &rays[0], &answers[0], len(rays), turn, flip)
	for i := range answers {
		if answers[i] == apartAny {
			hits[i] = t.CastRayAny(&rays[i], cull)
		}
	}
}

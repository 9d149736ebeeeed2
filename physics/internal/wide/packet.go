package wide

import (
	"math"
	"runtime"
	"unsafe"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Many rays at once; each finds what it finds alone, bit by bit. Coherent neighbours in a slice,
// such as the rays of a camera, traverse the tree together, eight at a time: a packet (after Wald,
// Slusallek, Benthin and Wagner 2001). Others take turns, so that none waits for memory or for what
// the one before crosses: a stream. Which rays are cast how follows from the rays and never affects
// the hits. Only the assembly has packets and streams; the portable traversal is their
// specification too.

// packetSize is the largest number of rays in a packet.
const packetSize = 8

// The result of a packet: a number of rays in the lowest byte, and one of these flags.
const (
	packetCount = 0xff
	packetAlone = 0x100 // the rays are not coherent, and must be cast one by one
	packetLate  = 0x200 // the same, found out during the traversal
)

// The marks of rays that are still to be cast: as the triangle of a hit, or in place of a bool.
const (
	pending    = -2
	pendingAny = 2
)

// mostPass is the largest number of rays that are skipped before a packet is tried again. It starts
// at one and doubles, so that incoherent rays lose little time.
const mostPass = 512

// streamRays is the number of rays from which on a stream pays off. On arm64 it takes 1.1 to 1.3
// times the instructions that rays take without, and was not timed: there, only trees that exceed
// the cache, of streamBytes bytes, are traversed by streams.
const (
	streamRays  = 4
	streamBytes = 8 << 20
)

// smallStack is the number of entries of the stack of a packet or of a ray in a stream. It is also
// in gen.
const smallStack = 96

// usesPackets reports whether packets and streams can traverse this tree: the root must be a node,
// and their stacks are small.
func (t *Tree) usesPackets() bool {
	return assembly && useSIMD && !t.IsEmpty() && !t.root.isLeaf() && t.need < smallStack
}

// usesStream reports whether so many rays should be cast as a stream.
func (t *Tree) usesStream(rays int) bool {
	return rays >= streamRays && (runtime.GOARCH == "amd64" || t.Bytes() >= streamBytes)
}

// trianglesInLeaf is the average number of triangles in a leaf.
const trianglesInLeaf = 5

// leafWidth returns the approximate width of a leaf, in metres: as if the leaves covered the
// bounds.
func (t *Tree) leafWidth() float32 {
	h := t.half
	x, y, z := float64(h.X), float64(h.Y), float64(h.Z)
	area := float64(x*y) + float64(y*z) + float64(z*x)
	return float32(math.Sqrt(8 * area * trianglesInLeaf / float64(len(t.ids))))
}

// CastRays finds the first hit of each ray. A miss has T = +Inf and triangle −1.
func (t *Tree) CastRays(hits []geom.Hit, rays []geom.Ray, cull geom.Cull) {
	if len(rays) == 0 || !t.usesPackets() {
		for i := closestBatch(t, hits, rays, cull); i < len(rays); i++ {
			t.castInto(&hits[i], &rays[i], cull)
		}
		return
	}
	turn, flip := facing(cull)
	leaf := t.leafWidth()
	if left := castPackets(len(rays), func(i, n int) uint32 {
		return closestPacketSIMD(t, &rays[i], &hits[i], n, turn, flip, leaf)
	}, func(i int) { hits[i].Triangle = pending }); left > 0 {
		t.castPending(hits, rays, cull, t.usesStream(left))
	}
}

// castPackets casts rays in packets as far as they are coherent, and marks the others. It returns
// the number of those.
func castPackets(rays int, packet func(i, n int) uint32, mark func(i int)) (left int) {
	pass := 0
	for i := 0; i < rays; {
		code := packet(i, min(rays-i, packetSize))
		n := int(code & packetCount)
		if code <= packetCount {
			pass = 0
			i += n
			continue
		}
		pass = min(2*pass+n, mostPass)
		end := min(i+pass, rays)
		left += end - i
		for ; i < end; i++ {
			mark(i)
		}
	}
	return left
}

// castPending casts the marked rays, as a stream or one by one. A stream leaves the marks of rays
// for the portable traversal.
func (t *Tree) castPending(hits []geom.Hit, rays []geom.Ray, cull geom.Cull, stream bool) {
	if stream {
		turn, flip := facing(cull)
		closestStreamSIMD(t, &rays[0], &hits[0], len(rays), turn, flip)
	}
	for i := range hits {
		if hits[i].Triangle == pending {
			t.castInto(&hits[i], &rays[i], cull)
		}
	}
}

func (t *Tree) castInto(hit *geom.Hit, r *geom.Ray, cull geom.Cull) {
	if !t.CastRay(hit, r, cull) {
		*hit = noHit
	}
}

// noHit stands for a miss in a batch.
var noHit = geom.Hit{T: inf32, Triangle: -1}

// CastRaysAny reports for each ray whether it hits anything.
func (t *Tree) CastRaysAny(hits []bool, rays []geom.Ray, cull geom.Cull) {
	if len(rays) == 0 || !t.usesPackets() {
		for i := anyBatch(t, hits, rays, cull); i < len(rays); i++ {
			hits[i] = t.CastRayAny(&rays[i], cull)
		}
		return
	}
	turn, flip := facing(cull)
	leaf := t.leafWidth()
	// A bool is one byte, and is 0 or 1 again at the end.
	answers := unsafe.Slice((*uint8)(unsafe.Pointer(&hits[0])), len(hits))
	if left := castPackets(len(rays), func(i, n int) uint32 {
		return anyPacketSIMD(t, &rays[i], &answers[i], n, turn, flip, leaf)
	}, func(i int) { answers[i] = pendingAny }); left > 0 {
		t.castPendingAny(answers, rays, cull, t.usesStream(left))
	}
}

// castPendingAny is castPending for casts for any hit.
func (t *Tree) castPendingAny(answers []uint8, rays []geom.Ray, cull geom.Cull, stream bool) {
	if stream {
		turn, flip := facing(cull)
		anyStreamSIMD(t, &rays[0], &answers[0], len(rays), turn, flip)
	}
	for i := range answers {
		if answers[i] == pendingAny {
			answers[i] = 0
			if t.CastRayAny(&rays[i], cull) {
				answers[i] = 1
			}
		}
	}
}

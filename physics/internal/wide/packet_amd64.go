//go:build !noasm

package wide

import "github.com/hitscan-go/hitscan/physics/geom"

//go:generate go run -C gen . -packets -out ../packet_amd64.s

// closestPacketAVX2 finds the first hits of up to eight rays, which lie one behind the other as the
// hits do, and writes them and the misses. Turn and flip are for rays that go upward along their
// axis. It returns for how many rays it did so, or with packetAlone or packetLate for how many it
// did not. Leaf is about how wide leaves are; bundles of rays much wider stay alone. The root must
// be a node.
//
//go:noescape
func closestPacketAVX2(t *Tree, r *geom.Ray, hits *geom.Hit, n int, turn, flip uint32, leaf float32) uint32

// anyPacketAVX2 reports in the same way whether rays hit anything, as 0 or 1.
//
//go:noescape
func anyPacketAVX2(t *Tree, r *geom.Ray, hits *uint8, n int, turn, flip uint32, leaf float32) uint32

// closestStreamAVX2 finds the first hits of those of n rays whose hits are marked, and writes them
// and the misses. What is out of the ordinary stays marked.
//
//go:noescape
func closestStreamAVX2(t *Tree, r *geom.Ray, hits *geom.Hit, n int, turn, flip uint32)

// anyStreamAVX2 reports in the same way whether rays hit anything, as 0 or 1.
//
//go:noescape
func anyStreamAVX2(t *Tree, r *geom.Ray, hits *uint8, n int, turn, flip uint32)

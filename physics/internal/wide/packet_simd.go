//go:build (amd64 || arm64) && !noasm

package wide

import "github.com/hitscan-go/hitscan/physics/geom"

//go:generate go run -C gen . -packets -out ../packet_amd64.s
//go:generate go run -C gen . -packets -neon ../packet_arm64.s

// closestPacketSIMD finds the first hits of up to eight consecutive rays, and writes hits and
// misses. turn and flip are for rays that go upward along their axis. It returns the number of rays
// done, or with packetAlone or packetLate the number not done. leaf is the approximate width of a
// leaf: bundles of rays much wider are not cast as a packet. The root must be a node.
//
//go:noescape
func closestPacketSIMD(t *Tree, r *geom.Ray, hits *geom.Hit, n int, turn, flip uint32, leaf float32) uint32

// anyPacketSIMD reports in the same way whether rays hit anything, as 0 or 1.
//
//go:noescape
func anyPacketSIMD(t *Tree, r *geom.Ray, hits *uint8, n int, turn, flip uint32, leaf float32) uint32

// closestStreamSIMD finds the first hits of those of n rays whose hits are marked, and writes hits
// and misses. Rays for the portable traversal stay marked.
//
//go:noescape
func closestStreamSIMD(t *Tree, r *geom.Ray, hits *geom.Hit, n int, turn, flip uint32)

// anyStreamSIMD reports in the same way whether rays hit anything, as 0 or 1.
//
//go:noescape
func anyStreamSIMD(t *Tree, r *geom.Ray, hits *uint8, n int, turn, flip uint32)

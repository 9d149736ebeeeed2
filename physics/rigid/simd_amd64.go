//go:build !noasm

package rigid

import "github.com/hitscan-go/hitscan/physics/internal/wide"

// The AVX2 routines, for n octets one after the other. Their generator is in package wide, as a
// module of its own.

//go:generate go run -C ../internal/wide/gen . -solver -out ../../../rigid/simd_amd64.s

// useAVX2 is a variable because the tests set it.
var useAVX2 = wide.AVX2()

// weighAVX2 is octet.weigh.
//
//go:noescape
func weighAVX2(o *octet, n int, motions *motion, inertias *inertia, hitSpeed float32)

// warmStartAVX2 is octet.warmStart.
//
//go:noescape
func warmStartAVX2(o *octet, n int, motions *motion, inertias *inertia)

// solveAVX2 is octet.solve.
//
//go:noescape
func solveAVX2(o *octet, n int, motions *motion, pushSpeed, rate float32)

// relaxAVX2 is octet.relax.
//
//go:noescape
func relaxAVX2(o *octet, n int, motions *motion, inertias *inertia, rate float32)

// solveFlatAVX2 is octet.solve in a planar space.
//
//go:noescape
func solveFlatAVX2(o *octet, n int, motions *motion, pushSpeed, rate float32)

// relaxFlatAVX2 is octet.relax in a planar space.
//
//go:noescape
func relaxFlatAVX2(o *octet, n int, motions *motion, inertias *inertia, rate float32)

// partAVX2 is parting.set.
//
//go:noescape
func partAVX2(p *parting, m *memory, a, b *frame, reachSq, mostSq float32) uint32

//go:generate go run -C ../internal/wide/gen . -joints -out ../../../rigid/joint_amd64.s

// aimJointsAVX2 is jointOctet.aim.
//
//go:noescape
func aimJointsAVX2(o *jointOctet, n int, motions *motion, inertias *inertia, pass *jointPass)

// solveJointsAVX2 is jointOctet.solve.
//
//go:noescape
func solveJointsAVX2(o *jointOctet, n int, motions *motion, inertias *inertia, pass *jointPass)

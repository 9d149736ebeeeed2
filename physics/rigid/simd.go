//go:build (amd64 || arm64) && !noasm

package rigid

import "github.com/hitscan-go/hitscan/physics/internal/wide"

// The AVX2 and NEON routines, for n octets one after the other. Their generator is in package wide,
// as a module of its own.

//go:generate go run -C ../internal/wide/gen . -solver -out ../../../rigid/simd_amd64.s
//go:generate go run -C ../internal/wide/gen . -solver -neon ../../../rigid/simd_arm64.s

// useSIMD is a variable because the tests set it.
var useSIMD = wide.SIMD()

// fillSIMD is octet.fill of eight constraints, with room for some points. It returns sets of lanes:
// of those that brake, that roll from bit 8 on, and that bounce from bit 16 on.
//
//go:noescape
func fillSIMD(o *octet, c *start, s *softness, points int) uint32

// weighSIMD is octet.weigh.
//
//go:noescape
func weighSIMD(o *octet, n int, motions *motion, inertias *inertia, hitSpeed float32)

// warmStartSIMD is octet.warmStart.
//
//go:noescape
func warmStartSIMD(o *octet, n int, motions *motion, inertias *inertia)

// solveSIMD is octet.solve.
//
//go:noescape
func solveSIMD(o *octet, n int, motions *motion, pushSpeed, rate float32)

// relaxSIMD is octet.relax.
//
//go:noescape
func relaxSIMD(o *octet, n int, motions *motion, inertias *inertia, rate float32)

// solveFlatSIMD is octet.solve in a planar space.
//
//go:noescape
func solveFlatSIMD(o *octet, n int, motions *motion, pushSpeed, rate float32)

// relaxFlatSIMD is octet.relax in a planar space.
//
//go:noescape
func relaxFlatSIMD(o *octet, n int, motions *motion, inertias *inertia, rate float32)

// partSIMD is parting.set.
//
//go:noescape
func partSIMD(p *parting, m *memory, a, b *frame, reachSq, mostSq float32) uint32

// accelerateSIMD is Dynamics.accelerate of the simple bodies of n octets.
//
//go:noescape
func accelerateSIMD(o *drives, n int, motions *motion, pass *substep)

// moveSIMD is Dynamics.move of the same.
//
//go:noescape
func moveSIMD(o *drives, n int, motions *motion, pass *substep)

// partFlatSIMD is flatParting.set and flatParting.keeps of an octet of persistent constraints. It
// returns the set of those whose manifold is kept, bodies are awake, and load is not heavy.
//
//go:noescape
func partFlatSIMD(o *octet, a *anchors, frames *frame, heavy float32) uint32

// refreshSIMD writes what weighSIMD begins with to an octet of persistent constraints. They are
// stiff from one load on, and stay it from another one on.
//
//go:noescape
func refreshSIMD(o *octet, a *anchors, s *softness, limit, kept float32)

//go:generate go run -C ../internal/wide/gen . -joints -out ../../../rigid/joint_amd64.s
//go:generate go run -C ../internal/wide/gen . -joints -neon ../../../rigid/joint_arm64.s

// aimJointsSIMD is jointOctet.aim.
//
//go:noescape
func aimJointsSIMD(o *jointOctet, n int, motions *motion, inertias *inertia, pass *jointPass)

// solveJointsSIMD is jointOctet.solve.
//
//go:noescape
func solveJointsSIMD(o *jointOctet, n int, motions *motion, inertias *inertia, pass *jointPass)

// aimMotorsSIMD is motorOctet.aim.
//
//go:noescape
func aimMotorsSIMD(o *motorOctet, n int, motions *motion, inertias *inertia, pass *jointPass)

// solveMotorsSIMD is motorOctet.solve.
//
//go:noescape
func solveMotorsSIMD(o *motorOctet, n int, motions *motion, inertias *inertia, pass *jointPass)

//go:build (amd64 || arm64) && !noasm

package rigid

import (
	"fmt"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
)

// The generator has these offsets as numbers.
func TestLayoutOfJointsIsTheAssemblys(t *testing.T) {
	var (
		o jointOctet
		p jointPass
		m motion
	)
	for _, c := range []layoutNumber{
		{"octetA", 0, unsafe.Offsetof(o.a)},
		{"octetB", 32, unsafe.Offsetof(o.b)},
		{"jointRowless", 68, unsafe.Offsetof(o.rowless)},
		{"jointApart", 96, unsafe.Offsetof(o.apart)},
		{"octetInvMassA", 192, unsafe.Offsetof(o.invMassA)},
		{"octetInvMassB", 224, unsafe.Offsetof(o.invMassB)},
		{"jointLocalA", 256, unsafe.Offsetof(o.localA)},
		{"jointLocalB", 352, unsafe.Offsetof(o.localB)},
		{"jointFrameA", 768, unsafe.Offsetof(o.frameA)},
		{"jointFrameB", 896, unsafe.Offsetof(o.frameB)},
		{"jointLower", 1024, unsafe.Offsetof(o.lower)},
		{"jointUpper", 1088, unsafe.Offsetof(o.upper)},
		{"jointCone", 1152, unsafe.Offsetof(o.cone)},
		{"jointOn", 1216, unsafe.Offsetof(o.on)},
		{"jointYield", 448, unsafe.Offsetof(o.yield)},
		{"jointFriction", 1312, unsafe.Offsetof(o.friction)},
		{"jointSocket", 1344, unsafe.Offsetof(o.socket)},
		{"jointLocked", 1376, unsafe.Offsetof(o.locked)},
		{"jointWelded", 1408, unsafe.Offsetof(o.welded)},
		{"jointImpulse", 480, unsafe.Offsetof(o.impulse)},
		{"jointTurns", 1440, unsafe.Offsetof(o.turns)},
		{"jointError", 576, unsafe.Offsetof(o.error)},
		{"jointAxes", 1536, unsafe.Offsetof(o.axes)},
		{"jointLowerGap", 1824, unsafe.Offsetof(o.lowerGap)},
		{"jointGaps", 1856, unsafe.Offsetof(o.gaps)},
		{"jointForce", 672, unsafe.Offsetof(o.force)},
		{"jointTorque", 1952, unsafe.Offsetof(o.torque)},
		{"jointOctetSize", 2048, unsafe.Sizeof(o)},
		{"passSoftBias", 0, unsafe.Offsetof(p.rows.bias)},
		{"passSoftMass", 4, unsafe.Offsetof(p.rows.mass)},
		{"passSoftBack", 8, unsafe.Offsetof(p.rows.impulse)},
		{"passBias", 12, unsafe.Offsetof(p.bias)},
		{"passYield", 16, unsafe.Offsetof(p.yield)},
		{"passRate", 20, unsafe.Offsetof(p.rate)},
		{"passFelt", 24, unsafe.Offsetof(p.felt)},
		{"passStale", 28, unsafe.Offsetof(p.stale)}, {"passHalf", 32, unsafe.Offsetof(p.half)},
		{"passNumbers", 9 * 4, unsafe.Sizeof(p)},
		{"motionTurn", 48, unsafe.Offsetof(m.q)},
		{"the greatest speed", 20, jointSpeed},
		{"jointThrowShare", 1, 9 * throwShare},
		{"the factor of bend", 10, 2 / directBias},
		{"the bias of soft points", 2, lightBias / directBias},
	} {
		assert.Equal(t, c.want, c.got, c.name)
	}
}

// Each routine computes the bits of the method, for ordinary and for extreme numbers.
func TestLanesOfJointsAreTheTwins(t *testing.T) {
	testenv.NoRace(t)
	testenv.SIMD(t, useSIMD)
	for _, name := range []string{"aim", "solve"} {
		for _, wild := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/wild=%t", name, wild), func(t *testing.T) {
				r := testenv.Rand(15, 4)
				const n, fixed = 3, 5
				changed := 0
				for range testenv.Count(t, "HITSCAN_LANES", 300) {
					bodies := 2*lanes*n + fixed
					octets, motions, inertias := make([]jointOctet, n), make([]motion, bodies), make([]inertia, bodies)
					passes := make([]jointPass, 1)
					for _, numbers := range [][]float32{floats(motions), floats(inertias[fixed:]), floats(octets), floats(passes)} {
						for i := range numbers {
							numbers[i] = number(r, wild)
						}
					}
					order := r.Perm(bodies - fixed)
					for k := range octets {
						o := &octets[k]
						o.used, o.rowless = int32(1+r.IntN(lanes)), int32(r.IntN(2))
						for l := range lanes {
							o.a[l], o.b[l] = int32(order[0]+fixed), int32(order[1]+fixed)
							if order = order[2:]; r.IntN(4) == 0 {
								o.a[l] = int32(r.IntN(fixed)) // static or kinematic
							}
							o.invMassA[l], o.invMassB[l] = inertias[o.a[l]].mass, inertias[o.b[l]].mass
							o.friction[l], o.socket[l] = r.Float32(), r.Float32()
							o.locked[l], o.welded[l] = float32(r.IntN(2)), float32(r.IntN(2))
							if l >= int(o.used) {
								o.a[l], o.b[l], o.invMassA[l], o.invMassB[l] = 0, 0, 0, 0
							}
						}
					}
					before := append(words(octets), words(motions)...)
					twins, moved := slices.Clone(octets), slices.Clone(motions)
					method := (*jointOctet).aim
					if name == "aim" {
						aimJointsSIMD(&octets[0], n, &motions[0], &inertias[0], &passes[0])
					} else {
						method = (*jointOctet).solve
						solveJointsSIMD(&octets[0], n, &motions[0], &inertias[0], &passes[0])
					}
					for i := range twins {
						o := &twins[i]
						for l := range int(o.used) {
							a, b := o.a[l], o.b[l]
							method(o, l, &moved[a], &moved[b], &inertias[a], &inertias[b], &passes[0])
						}
						// What is left in an empty lane is of no use.
						for l := int(o.used); l < lanes; l++ {
							for _, x := range []*jointOctet{o, &octets[i]} {
								rows := unsafe.Slice((*row)(unsafe.Pointer(&x.apart)), (unsafe.Sizeof(*x)-unsafe.Offsetof(x.apart))/unsafe.Sizeof(row{}))
								for k := range rows {
									rows[k][l] = 0
								}
							}
						}
					}
					require.Equal(t, words(moved), words(motions))
					require.Equal(t, words(twins), words(octets))
					if !slices.Equal(before, append(words(octets), words(motions)...)) {
						changed++
					}
				}
				require.Positive(t, changed)
			})
		}
	}
}

// The generator has these offsets too.
func TestLayoutOfMotorsIsTheAssemblys(t *testing.T) {
	var o motorOctet
	for _, c := range []layoutNumber{
		{"octetA", 0, unsafe.Offsetof(o.a)},
		{"octetB", 32, unsafe.Offsetof(o.b)},
		{"motorError", 96, unsafe.Offsetof(o.error)},
		{"octetInvMassA", 192, unsafe.Offsetof(o.invMassA)},
		{"octetInvMassB", 224, unsafe.Offsetof(o.invMassB)},
		{"motorFrameA", 256, unsafe.Offsetof(o.frameA)},
		{"motorFrameB", 384, unsafe.Offsetof(o.frameB)},
		{"motorBias", 512, unsafe.Offsetof(o.bias)},
		{"motorShare", 544, unsafe.Offsetof(o.share)},
		{"motorBack", 576, unsafe.Offsetof(o.back)},
		{"motorMost", 608, unsafe.Offsetof(o.most)},
		{"motorImpulse", 640, unsafe.Offsetof(o.impulse)},
		{"motorTorque", 736, unsafe.Offsetof(o.torque)},
		{"motorInverse", 832, unsafe.Offsetof(o.inverse)},
		{"motorOctetSize", 1024, unsafe.Sizeof(o)},
	} {
		assert.Equal(t, c.want, c.got, c.name)
	}
}

// Both routines compute the bits of the methods.
func TestLanesOfMotorsAreTheTwins(t *testing.T) {
	testenv.SIMD(t, useSIMD)
	r := testenv.Rand(15, 35)
	const n, fixed = 2, 5
	changed := 0
	for i := range 3000 {
		wild := i%3 == 0
		bodies := 2*lanes*n + fixed
		octets, motions, inertias := make([]motorOctet, n), make([]motion, bodies), make([]inertia, bodies)
		pass := jointPass{stale: float32(20 * r.Float64())}
		for _, numbers := range [][]float32{floats(motions), floats(inertias[fixed:]), floats(octets)} {
			for i := range numbers {
				numbers[i] = number(r, wild)
			}
		}
		order := r.Perm(bodies - fixed)
		for k := range octets {
			o := &octets[k]
			o.used = int32(1 + r.IntN(lanes))
			for l := range lanes {
				o.a[l], o.b[l] = int32(order[0]+fixed), int32(order[1]+fixed)
				if order = order[2:]; r.IntN(4) == 0 {
					o.a[l] = int32(r.IntN(fixed)) // static or kinematic
				}
				o.invMassA[l], o.invMassB[l] = inertias[o.a[l]].mass, inertias[o.b[l]].mass
				o.most[l] = float32(3 * r.Float64())
				if l >= int(o.used) {
					o.a[l], o.b[l], o.invMassA[l], o.invMassB[l] = 0, 0, 0, 0
				}
			}
		}
		twins, moved := slices.Clone(octets), slices.Clone(motions)
		before := words(motions)
		for _, aims := range []bool{true, false} {
			if aims {
				aimMotorsSIMD(&octets[0], n, &motions[0], &inertias[0], &pass)
			} else {
				solveMotorsSIMD(&octets[0], n, &motions[0], &inertias[0], &pass)
			}
			for i := range twins {
				o := &twins[i]
				for l := range int(o.used) {
					a, b := o.a[l], o.b[l]
					if aims {
						o.aim(l, &moved[a], &moved[b], &inertias[a], &inertias[b], &pass)
					} else {
						o.solve(l, &moved[a], &moved[b], &inertias[a], &inertias[b])
					}
				}
				for l := int(o.used); l < lanes; l++ { // what is left in an empty lane is of no use
					for _, x := range []*motorOctet{o, &octets[i]} {
						rows := unsafe.Slice((*row)(unsafe.Pointer(&x.error)), (unsafe.Sizeof(*x)-unsafe.Offsetof(x.error))/unsafe.Sizeof(row{}))
						for k := range rows {
							rows[k][l] = 0
						}
					}
				}
			}
			require.Equal(t, words(moved), words(motions))
			require.Equal(t, words(twins), words(octets))
		}
		if !slices.Equal(before, words(motions)) {
			changed++
		}
	}
	assert.Greater(t, changed, 2000)
}

//go:build (amd64 || arm64) && !noasm

package rigid

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// layoutNumber is an offset or a size that the generator of the assembly has as a number.
type layoutNumber struct {
	name      string
	want, got uintptr
}

// The generator has these offsets as numbers.
func TestLayoutIsTheAssemblys(t *testing.T) {
	var (
		o octet
		p points
		m motion
		i inertia
	)
	for _, c := range []layoutNumber{
		{"octetA", 0, unsafe.Offsetof(o.a)},
		{"octetB", 32, unsafe.Offsetof(o.b)},
		{"octetN", 64, unsafe.Offsetof(o.n)},
		{"octetBrakes", 72, unsafe.Offsetof(o.brakes)},
		{"octetRolls", 73, unsafe.Offsetof(o.rolls)},
		{"octetHits", 76, unsafe.Offsetof(o.hits)},
		{"octetVast", 80, unsafe.Offsetof(o.vast)},
		{"octetNormal", 96, unsafe.Offsetof(o.normal)},
		{"octetInvMassA", 192, unsafe.Offsetof(o.invMassA)},
		{"octetInvMassB", 224, unsafe.Offsetof(o.invMassB)},
		{"octetBias", 256, unsafe.Offsetof(o.bias)},
		{"octetShare", 288, unsafe.Offsetof(o.share)},
		{"octetBack", 320, unsafe.Offsetof(o.back)},
		{"octetCount", 352, unsafe.Offsetof(o.count)},
		{"octetTangent", 384, unsafe.Offsetof(o.tangent)},
		{"octetArmA", 576, unsafe.Offsetof(o.armA)},
		{"octetArmB", 672, unsafe.Offsetof(o.armB)},
		{"octetSlide", 768, unsafe.Offsetof(o.slide)},
		{"octetM00", 832, unsafe.Offsetof(o.m00)},
		{"octetM01", 864, unsafe.Offsetof(o.m01)},
		{"octetM11", 896, unsafe.Offsetof(o.m11)},
		{"octetTangential", 928, unsafe.Offsetof(o.tangential)},
		{"octetTwistMass", 992, unsafe.Offsetof(o.twistMass)},
		{"octetTwist", 1024, unsafe.Offsetof(o.twist)},
		{"octetFriction", 1056, unsafe.Offsetof(o.friction)},
		{"octetRolling", 1120, unsafe.Offsetof(o.rolling)},
		{"octetSpinning", 1152, unsafe.Offsetof(o.spinning)},
		{"octetRoll", 1184, unsafe.Offsetof(o.roll)},
		{"octetRollMass", 1280, unsafe.Offsetof(o.rollMass)},
		{"octetPoints", 1312, unsafe.Offsetof(o.points)},
		{"octetSize", 3648, unsafe.Sizeof(o)},
		{"pointArmA", 0, unsafe.Offsetof(p.armA)},
		{"pointArmB", 96, unsafe.Offsetof(p.armB)},
		{"pointTurnA", 192, unsafe.Offsetof(p.turnA)},
		{"pointTurnB", 288, unsafe.Offsetof(p.turnB)},
		{"pointGap", 384, unsafe.Offsetof(p.gap)},
		{"pointMass", 416, unsafe.Offsetof(p.mass)},
		{"pointImpulse", 448, unsafe.Offsetof(p.impulse)},
		{"pointMost", 480, unsafe.Offsetof(p.most)},
		{"pointLever", 512, unsafe.Offsetof(p.lever)},
		{"pointSpeed", 544, unsafe.Offsetof(p.speed)},
		{"pointSize", 576, unsafe.Sizeof(p)},
		{"colV", 0, unsafe.Offsetof(m.v)},
		{"colW", 12, unsafe.Offsetof(m.w)},
		{"colMoved", 24, unsafe.Offsetof(m.moved)},
		{"colTurned", 36, unsafe.Offsetof(m.turned)},
		{"motionBytes", 1 << 6, unsafe.Sizeof(m)},
		{"colInertia", 0, unsafe.Offsetof(i.mass)},
		{"the matrix", 4, unsafe.Offsetof(i.xx)},
		{"inertiaBytes", 1 << 5, unsafe.Sizeof(i)},
	} {
		assert.Equal(t, c.want, c.got, c.name)
	}
}

// The generator has these too.
func TestLayoutOfStartIsTheAssemblys(t *testing.T) {
	var (
		c start
		q startPoint
		s softness
		p points
	)
	for _, c := range []layoutNumber{
		{"startBodies", 0, unsafe.Offsetof(c.a)},
		{"start.b", 4, unsafe.Offsetof(c.b)},
		{"start.n", 8, unsafe.Offsetof(c.n)},
		{"start.stiff", 12, unsafe.Offsetof(c.stiff)},
		{"startNormal", 16, unsafe.Offsetof(c.normal)},
		{"startMixture", 32, unsafe.Offsetof(c.mixture)},
		{"startFriction", 48, unsafe.Offsetof(c.friction)},
		{"startRolling", 64, unsafe.Offsetof(c.rolling)},
		{"startPoints", 80, unsafe.Offsetof(c.points)},
		{"startSize", 208, unsafe.Sizeof(c)},
		{"startPoint.impulse", 0, unsafe.Offsetof(q.impulse)},
		{"startPoint.armA", 4, unsafe.Offsetof(q.armA)},
		{"startPoint.armB", 16, unsafe.Offsetof(q.armB)},
		{"startPoint.gap", 28, unsafe.Offsetof(q.gap)},
		{"startPointSize", 32, unsafe.Sizeof(q)},
		{"softBias", 0, unsafe.Offsetof(s.bias)},
		{"softMass", 4, unsafe.Offsetof(s.mass)},
		{"softImpulse", 8, unsafe.Offsetof(s.impulse)},
		{"softSize", 12, unsafe.Sizeof(s)},
		{"pointMost", 480, unsafe.Offsetof(p.most)},
	} {
		assert.Equal(t, c.want, c.got, c.name)
	}
}

// The generator has these too.
func TestLayoutOfKeptIsTheAssemblys(t *testing.T) {
	var (
		m memory
		a pointMemory
		f frame
		p parting
		n anchors
	)
	for _, c := range []layoutNumber{
		{"memoryPoints", 24, unsafe.Offsetof(m.points)},
		{"memoryNormal", 216, unsafe.Offsetof(m.normal)},
		{"memoryQA", 228, unsafe.Offsetof(m.qA)},
		{"anchorArmA", 20, unsafe.Offsetof(a.armA)},
		{"anchorArmB", 32, unsafe.Offsetof(a.armB)},
		{"pointMemory.gap", 44, unsafe.Offsetof(a.gap)},
		{"anchorSize", 48, unsafe.Sizeof(a)},
		{"frameAt", 0, unsafe.Offsetof(f.at)},
		{"frameQ", 12, unsafe.Offsetof(f.q)},
		{"parting.a", 0, unsafe.Offsetof(p.a)},
		{"partingB", 36, unsafe.Offsetof(p.b)},
		{"partingColumn", 12, unsafe.Offsetof(p.a.y)},
		{"partingGap", 76, unsafe.Offsetof(p.gap)},
		{"frameY", 16, unsafe.Offsetof(f.q) + unsafe.Offsetof(f.q.Y)},
		{"frameReach", 28, unsafe.Offsetof(f.reach)},
		{"frame", 32, unsafe.Sizeof(f)},
		{"anchorsAX", 0, unsafe.Offsetof(n.armAX)},
		{"anchorsAY", 64, unsafe.Offsetof(n.armAY)},
		{"anchorsBX", 128, unsafe.Offsetof(n.armBX)},
		{"anchorsBY", 192, unsafe.Offsetof(n.armBY)},
		{"anchorsGap", 256, unsafe.Offsetof(n.gap)},
		{"anchorsQA", 320, unsafe.Offsetof(n.qAZ)},
		{"anchors.qAW", 352, unsafe.Offsetof(n.qAW)},
		{"anchorsQB", 384, unsafe.Offsetof(n.qBZ)},
		{"anchors.qBW", 416, unsafe.Offsetof(n.qBW)},
		{"anchorsMost", 448, unsafe.Offsetof(n.most)},
		{"anchorsNormal", 480, unsafe.Offsetof(n.x)},
		{"anchors.y", 512, unsafe.Offsetof(n.y)},
		{"anchorsDepth", 544, unsafe.Offsetof(n.depth)},
		{"anchorsStiff", 576, unsafe.Offsetof(n.stiff)},
		{"anchorsPressed", 608, unsafe.Offsetof(n.pressed)},
	} {
		assert.Equal(t, c.want, c.got, c.name)
	}
	assert.Equal(t, 1.0/32, keptTurn)
	assert.Equal(t, 0.02, keptDistance)
	assert.Equal(t, 1.0/16, keptShare)
}

func TestPartIsTheAssemblys(t *testing.T) {
	testenv.SIMD(t, useSIMD)
	r := testenv.Rand(15, 31)
	var near, far, both int
	for range 40_000 {
		wild := r.IntN(8) == 0
		var m memory
		a, b := frame{reach: 1}, frame{reach: 1}
		numbers := floats([]memory{m})
		for i := range numbers {
			numbers[i] = number(r, wild)
		}
		m = *(*memory)(unsafe.Pointer(&numbers[0]))
		m.n = r.Int32N(physics.MaxContactPoints + 1)
		m.qA, m.qB = m.qA.Normalize(), m.qB.Normalize()
		for i := range m.points {
			p := &m.points[i]
			p.armB = p.armA.Add(m.points[0].armB.Sub(m.points[0].armA)) // as of two rigid bodies
		}
		little := float32(math.Exp2(-10*r.Float64()) / 8)
		for i, f := range []*frame{&a, &b} {
			turn := geom.Quat{X: number(r, wild) * little, Y: number(r, wild) * little, Z: number(r, wild) * little, W: 1}
			f.q = turn.Normalize().Mul([2]geom.Quat{m.qA, m.qB}[i])
			if r.IntN(4) == 0 {
				f.q = geom.Quat{X: -f.q.X, Y: -f.q.Y, Z: -f.q.Z, W: -f.q.W}
			}
		}
		b.at = a.at.Sub(m.points[0].armB).Add(m.points[0].armA).Add(geom.V(number(r, wild), number(r, wild), number(r, wild)).Mul(little))
		reachSq, mostSq := float32(r.Float64()), float32(0.1*r.Float64())
		var want, got parting
		all := uint32(1)<<m.n - 1
		is, was := partSIMD(&got, &m, &a, &b, reachSq, mostSq)&all, want.set(&m, &a, &b, reachSq, mostSq)
		require.Equal(t, was, is)
		switch was {
		case all:
			near++
		case 0:
			far++
			continue
		default:
			both++
		}
		for _, w := range []struct{ want, got []float32 }{
			{floats([]way{want.a, want.b}), floats([]way{got.a, got.b})}, {want.gap[:m.n], got.gap[:m.n]},
		} {
			for i := range w.want {
				if w.want[i] == w.want[i] || w.got[i] == w.got[i] {
					require.Equal(t, math.Float32bits(w.want[i]), math.Float32bits(w.got[i]))
				}
			}
		}
	}
	assert.Greater(t, min(near, far), 10_000)
	assert.Greater(t, both, 200)
}

// Eight manifolds at once have the bits of one, whether or not they are kept.
func TestPartFlatIsTheAssemblys(t *testing.T) {
	testenv.SIMD(t, useSIMD)
	r := testenv.Rand(15, 35)
	turn := func(most float64) geom.Quat { return geom.At2D(0, 0, most*(2*r.Float64()-1)).Rotation }
	var near, far, solid int
	for range 10_000 {
		var memories [lanes]memory
		var frames [2 * lanes]frame
		var is anchors
		var o octet
		for l := range lanes {
			m, a, b := &memories[l], &frames[l], &frames[lanes+l]
			vec := func(most float32) geom.Vec3 { return geom.V(most*number(r, false), most*number(r, false), 0) }
			little := [...]float64{0, 1e-4, 1e-2, 0.1}[r.IntN(4)]
			m.n, m.normal, m.qA, m.qB = 1+r.Int32N(2), turn(7).Rotate(geom.V(1, 0, 0)), turn(7), turn(7)
			a.q, b.q, a.reach, b.reach = turn(little).Mul(m.qA), turn(little).Mul(m.qB), r.Float32(), r.Float32()
			a.at = vec(1)
			b.at = a.at.Add(vec(1))
			for k := range m.points {
				armA := vec(1)
				m.points[k].armA, m.points[k].armB = armA, armA.Add(a.at).Sub(b.at)
				m.points[k].gap = number(r, false)
			}
			b.at = b.at.Add(vec(float32(little)))
			switch r.IntN(16) {
			case 0:
				b.q.X = 1e-3
			case 1:
				m.qA = geom.Quat{Z: -m.qA.Z, W: -m.qA.W}
			case 2:
				a.at.X = float32(math.NaN())
			}
			o.a[l], o.b[l] = int32(l), int32(lanes+l)
			o.normal.set(l, m.normal)
			is.set(l, m)
			o.count[l] = float32(m.n)
			var p flatParting
			p.set(m, a, b)
			is.x[l], is.y[l], is.depth[l] = m.normal.X, m.normal.Y, -p.gap[0]
			if m.n > 1 {
				is.depth[l] = max(is.depth[l], -p.gap[1])
			}
		}
		kept := partFlatSIMD(&o, &is, &frames[0], 1)
		for l := range lanes {
			m, a, b := &memories[l], &frames[l], &frames[lanes+l]
			var want flatParting
			wants := isFlat(a.q) && isFlat(b.q) && want.set(m, a, b)
			got := kept>>l&1 != 0
			require.Equal(t, wants, got)
			if !wants {
				if far++; !isFlat(b.q) {
					solid++
				}
				continue
			}
			near++
			require.Equal(t, math.Float32bits(want.most), math.Float32bits(is.most[l]))
			for k := range m.n {
				require.Equal(t, math.Float32bits(want.gap[k]), math.Float32bits(o.points[k].gap[l]))
			}
		}
	}
	assert.Greater(t, min(near, far, 10*solid), 10_000)
}

// The routine that fills an octet gives it the bits of fill, lane by lane, and those that weigh
// leaves as they are.
func TestFillIsTheTwin(t *testing.T) {
	testenv.SIMD(t, useSIMD)
	r := testenv.Rand(15, 33)
	soft := [...]softness{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}
	flags := map[[3]bool]bool{}
	for range 3000 {
		var starts [lanes]start
		used, most := 1+r.IntN(lanes), int32(0)
		braking, rolling, bouncing := r.IntN(2) > 0, r.IntN(3) == 0, r.IntN(3) == 0
		for l := range starts[:used] {
			c := &starts[l]
			numbers := floats(starts[l : l+1])
			for i := range numbers {
				numbers[i] = number(r, true)
			}
			c.a, c.b, c.n, c.stiff = r.Int32N(99), 1+r.Int32N(99), 1+r.Int32N(physics.MaxContactPoints), r.Int32N(3)
			if r.IntN(3) == 0 || !braking {
				c.friction, c.rolling, c.mixture = geom.Vec3{}, geom.Vec3{X: float32(math.Copysign(0, -1))}, mixture{}
			}
			if !rolling {
				c.mixture.rolling = 0
			}
			if !bouncing {
				c.mixture.restitution = -1
			}
			clear(c.points[c.n:])
			most = max(most, c.n)
		}
		var want octet
		for l := range starts[:used] {
			want.fill(l, &starts[l], &soft[starts[l].stiff])
		}
		for k := range want.points[most:] {
			want.points[int(most)+k] = points{}
		}
		var got octet
		for _, x := range [][]float32{floats(got.a[:]), floats(got.b[:]), floats(unsafe.Slice(&got.octetHead, 1))[unsafe.Offsetof(got.normal)/4:], floats(got.points[:])} {
			for i := range x {
				x[i] = number(r, true)
			}
		}
		require.True(t, got.fillAll(starts[:], &soft[0], most))
		// weighSIMD writes these.
		got.hits, got.vast, got.invMassA, got.invMassB, got.tangent[1], got.armA, got.armB = 0, 0, row{}, row{}, rows{}, rows{}, rows{}
		got.m00, got.m01, got.m11, got.tangential, got.twistMass, got.twist, got.rollMass = row{}, row{}, row{}, [2]row{}, row{}, row{}, row{}
		for k := range got.points {
			p := &got.points[k]
			p.turnA, p.turnB, p.mass, p.lever, p.speed = rows{}, rows{}, row{}, row{}, row{}
			if k >= int(most) {
				*p = points{}
			}
		}
		got.flat = false
		require.Equal(t, words([]octet{want}), words([]octet{got}))
		flags[[3]bool{want.brakes, want.rolls, want.bounces}] = true
	}
	require.Len(t, flags, 5)
	var none [lanes]start
	none[0].b, none[1].b, none[1].n = 1, 2, 1
	require.False(t, new(octet).fillAll(none[:], &soft[0], 1), "a lane without points")
}

// laneRoutines are the routines for octets, and the methods for a lane.
var laneRoutines = map[string]struct {
	simd func(c *lanesCase)
	lane laneMethod
}{
	"weigh": {
		func(c *lanesCase) { weighSIMD(&c.octets[0], len(c.octets), &c.motions[0], &c.inertias[0], 0.5) },
		func(o *octet, l int, a, b *motion, ia, ib *inertia) { o.weigh(l, a, b, ia, ib, 0.5) },
	},
	"warmStart": {
		func(c *lanesCase) { warmStartSIMD(&c.octets[0], len(c.octets), &c.motions[0], &c.inertias[0]) },
		func(o *octet, l int, a, b *motion, ia, ib *inertia) { o.warmStart(l, a, b, ia, ib) },
	},
	"solve": {
		func(c *lanesCase) { solveSIMD(&c.octets[0], len(c.octets), &c.motions[0], 3, 240) },
		func(o *octet, l int, a, b *motion, ia, ib *inertia) { o.solve(l, a, b, 3, 240) },
	},
	"relax": {
		func(c *lanesCase) { relaxSIMD(&c.octets[0], len(c.octets), &c.motions[0], &c.inertias[0], 240) },
		func(o *octet, l int, a, b *motion, ia, ib *inertia) { o.relax(l, a, b, ia, ib, 240) },
	},
	"solveFlat": {
		func(c *lanesCase) { solveFlatSIMD(&c.octets[0], len(c.octets), &c.motions[0], 3, 240) },
		func(o *octet, l int, a, b *motion, ia, ib *inertia) { o.solve(l, a, b, 3, 240) },
	},
	"relaxFlat": {
		func(c *lanesCase) { relaxFlatSIMD(&c.octets[0], len(c.octets), &c.motions[0], &c.inertias[0], 240) },
		func(o *octet, l int, a, b *motion, ia, ib *inertia) { o.relax(l, a, b, ia, ib, 240) },
	},
}

// Each routine computes the bits of the method, for ordinary and for extreme numbers.
func TestLanesAreTheTwins(t *testing.T) {
	testenv.NoRace(t)
	testenv.SIMD(t, useSIMD)
	for name, routine := range laneRoutines {
		for _, wild := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/wild=%t", name, wild), func(t *testing.T) {
				sameLanes(t, wild, strings.HasSuffix(name, "Flat"), routine.simd, routine.lane)
			})
		}
	}
}

// An operation is one octet of eight contacts with four points each, by the routine or, where
// HITSCAN_PORTABLE is set, by the method.
func BenchmarkLanes(b *testing.B) {
	for name, routine := range laneRoutines {
		b.Run(name, func(b *testing.B) {
			c := newLanesCase(testenv.Rand(15, 2), false)
			c.octets = c.octets[:1]
			o := &c.octets[0]
			o.n, o.used, o.brakes, o.rolls, o.flat = 4, lanes, true, false, strings.HasSuffix(name, "Flat")
			for b.Loop() {
				if useSIMD {
					routine.simd(c)
				} else {
					c.twin(routine.lane)
				}
			}
		})
	}
}

//go:build (amd64 || arm64) && !noasm

package rigid

import (
	"math"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// The generator has these offsets as numbers.
func TestLayoutOfDrivesIsTheAssemblys(t *testing.T) {
	var (
		g drives
		s substep
		m motion
	)
	for _, c := range []layoutNumber{
		{"drives.bodies", 0, unsafe.Offsetof(g.bodies)},
		{"driveSimple", 32, unsafe.Offsetof(g.simple)},
		{"driveGyrates", 64, unsafe.Offsetof(g.gyrates)},
		{"driveAnySimple", 96, unsafe.Offsetof(g.anySimple)},
		{"driveAnyOther", 100, unsafe.Offsetof(g.anyOther)},
		{"driveChange", 128, unsafe.Offsetof(g.change)},
		{"driveV", 224, unsafe.Offsetof(g.v)},
		{"driveW", 320, unsafe.Offsetof(g.w)},
		{"drivePrincipal", 416, unsafe.Offsetof(g.principal)},
		{"driveAxes", 512, unsafe.Offsetof(g.axes)},
		{"driveLocked", 640, unsafe.Offsetof(g.locked)},
		{"driveSize", 672, unsafe.Sizeof(g)},
		{"substepH", 0, unsafe.Offsetof(s.h)},
		{"substepSpeed", 4, unsafe.Offsetof(s.maxSpeed)},
		{"substepSpin", 8, unsafe.Offsetof(s.maxSpin)},
		{"motionTurn", 48, unsafe.Offsetof(m.q)},
	} {
		assert.Equal(t, c.want, c.got, c.name)
	}
}

// The routines that begin a substep and move bodies give the simple ones the bits of the methods
// for one body, and leave the others alone.
func TestBodiesInLanesAreTheTwin(t *testing.T) {
	testenv.SIMD(t, useSIMD)
	r := testenv.Rand(15, 34)
	const octets = 3
	changed, spun, slow, flat := 0, 0, 0, 0
	for range 1000 {
		wild := r.IntN(4) == 0
		planar := r.IntN(3) == 0
		d := New(physics.NewSpace())
		if planar {
			d = New(physics.NewPlanarSpace())
		}
		d.bodies, d.motions = make([]body, 1+lanes*octets), make([]motion, 1+lanes*octets)
		d.inertias = make([]inertia, len(d.bodies))
		numbers := floats(d.motions[1:])
		for i := range numbers {
			numbers[i] = number(r, wild)
		}
		order := r.Perm(len(d.bodies) - 1)
		d.drives = make([]drives, octets)
		numbers = floats(d.drives) // what an earlier step has left
		for i := range numbers {
			numbers[i] = number(r, wild)
		}
		d.Settings.MaxSpeed, d.Settings.MaxSpin = float32(3*r.Float64()), float32(3*r.Float64())
		d.h = float32(r.Float64() / 10)
		d.substep = substep{d.h, d.Settings.MaxSpeed, d.Settings.MaxSpin}
		kinds := 1 + r.IntN(3)
		for k := range d.drives {
			g := &d.drives[k]
			g.clear()
			for l := range lanes {
				i := int32(1 + order[k*lanes+l])
				b, m := &d.bodies[i], &d.motions[i]
				m.q = m.q.Normalize()
				f := form{axes: geom.Quat{X: number(r, false), Y: number(r, false), W: 1}.Normalize()}
				f.principal = geom.V(float32(r.Float64()), float32(r.Float64()), float32(r.Float64()))
				b.form, b.moves, b.spins = &f, true, r.IntN(kinds) > 0
				if planar && r.IntN(4) > 0 {
					f.set.Locked, b.spins = Planar, false
					if r.IntN(4) > 0 {
						m.q = geom.Quat{Z: m.q.Z, W: m.q.W}.Normalize()
					}
				}
				if kinds == 3 && r.IntN(3) == 0 {
					f.set.LinearDamping = 0.5
					slow++
				}
				if r.IntN(4) == 0 {
					m.w = geom.Vec3{}
				}
				if k == octets-1 && l > 3 && kinds > 1 {
					continue // the last lanes may have no bodies
				}
				d.drive(g, l, i)
				flat += int(g.locked[l] & 1)
				if r.IntN(2) == 0 {
					g.v.set(l, geom.V(number(r, wild), number(r, wild), number(r, wild)))
					g.w.set(l, geom.V(number(r, wild), number(r, wild), number(r, wild)))
				}
			}
		}
		before, was := append([]motion{}, d.motions...), append([]drives{}, d.drives...)
		step := func(simd bool) ([]motion, []drives) {
			copy(d.motions, before)
			copy(d.drives, was)
			defer func(is bool) { useSIMD = is }(useSIMD)
			useSIMD = simd
			for range 2 {
				d.integrateVelocities(0, 0, octets)
				d.integratePositions(0, 0, octets)
			}
			return append([]motion{}, d.motions...), append([]drives{}, d.drives...)
		}
		want, wantDrives := step(false)
		got, gotDrives := step(true)
		compare := func(want, got []float32, of string) {
			for i, x := range want {
				if math.Float32bits(x) != math.Float32bits(got[i]) && (x == x || got[i] == got[i]) {
					require.Failf(t, "other bits", "%s %d: %v, not %v", of, i, got[i], x)
				}
			}
		}
		compare(floats(want), floats(got), "motions")
		for k := range was {
			g, o := &wantDrives[k], &gotDrives[k]
			for l := range lanes {
				if g.all>>l&1 == 0 {
					continue
				}
				for _, c := range [][2]geom.Vec3{{g.v.at(l), o.v.at(l)}, {g.w.at(l), o.w.at(l)}} {
					compare(floats([]geom.Vec3{c[0]}), floats([]geom.Vec3{c[1]}), "drives")
				}
				if g.gyrates[l] != 0 && g.w.at(l) != was[k].w.at(l) {
					spun++
				}
			}
		}
		for i := range want {
			if want[i] != before[i] {
				changed++
			}
		}
	}
	assert.Greater(t, changed, 12_000)
	assert.Greater(t, spun, 2500)
	assert.Greater(t, slow, 700)
	assert.Greater(t, flat, 2000)
}

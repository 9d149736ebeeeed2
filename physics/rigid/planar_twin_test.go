package rigid

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// What a planar space leaves out is 0: the methods for it and the general ones agree to the bit.
func TestFlatTwins(t *testing.T) {
	testenv.NoRace(t)
	r := rand.New(rand.NewPCG(16, 4))
	number := func(most float32) float32 { return (2*r.Float32() - 1) * most }
	vec := func(most float32) geom.Vec3 { return geom.V(number(most), number(most), 0) }
	turn := func(most float64) geom.Quat { return geom.At2D(0, 0, most*(2*r.Float64()-1)).Rotation }
	kept, lost, turned := 0, 0, 0
	for range 20_000 {
		flat, solid := New(physics.NewPlanarSpace()), New(physics.NewSpace())
		for _, d := range []*Dynamics{flat, solid} {
			d.bodies, d.motions, d.inertias = make([]body, 3), make([]motion, 3), make([]inertia, 3)
			d.bodies[0].form = &noForm
		}
		for i := range 2 {
			f := &form{set: Body{Locked: Planar | MoveX*Axes(r.IntN(2))}, axes: turn(7), reach: r.Float32(), inverse: geom.V(r.Float32(), r.Float32(), r.Float32())}
			b := body{form: f, moves: r.IntN(4) > 0, invMass: r.Float32(), least: r.Float32() * float32(r.IntN(2))}
			m := motion{v: vec(3), w: geom.Vec3{Z: number(9)}, moved: vec(1), turned: geom.Vec3{Z: number(1)}, q: turn(7)}
			for _, d := range []*Dynamics{flat, solid} {
				d.bodies[i+1], d.motions[i+1] = b, m
				d.weigh(int32(i + 1))
			}
			require.True(t, flat.inertias[i+1] == solid.inertias[i+1], "%v %v", flat.inertias[i+1], solid.inertias[i+1])
		}
		m := memory{n: 2, normal: geom.V(0, 1, 0), qA: turn(7), qB: turn(7)}
		at := [2]geom.Vec3{vec(1), vec(1)}
		little := [...]float64{0, 1e-4, 1e-2, 0.1}[r.IntN(4)]
		a := frame{at[0].Add(vec(float32(little))), turn(little).Mul(m.qA), r.Float32()}
		b := frame{at[1].Add(vec(float32(little))), turn(little).Mul(m.qB), r.Float32()}
		f := physics.Manifold{Normal: geom.At2D(0, 0, little*r.Float64()).Rotation.Rotate(m.normal), N: 2}
		for i := range 2 {
			p := vec(1)
			m.points[i] = pointMemory{armA: p.Sub(at[0]), armB: p.Sub(at[1]), gap: number(0.01)}
			f.Points[i].Depth = -m.points[i].gap
		}
		x, y := start{a: int32(r.IntN(3)), b: 1}, start{}
		if x.a == 1 {
			x.b = 2
		}
		y = x
		is, was := flat.keeps(&x, &m, &f, &a, &b), solid.keeps(&y, &m, &f, &a, &b)
		require.Equal(t, was, is)
		switch {
		case !is:
			lost++
			continue
		case little > 0:
			turned++
		}
		kept++
		require.True(t, x == y, "%v %v", x, y)
	}
	require.Greater(t, min(kept, lost, turned), 2000)
}

package narrow

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// TestKeptAxes compares the contacts of hulls that wander by what is kept of their axes with those
// found from nothing, to the bit: in small steps, after which a list is filled, then in a large
// one, to where it may serve no more; with changes of scale, of hulls of some metres and of sixty.
func TestKeptAxes(t *testing.T) {
	testenv.NoRace(t)
	r := testenv.Rand(35, 36)
	var kept, fresh Finder
	short := 0 // comparisons that a list answered
	for range 500 {
		kept.Hulls = new(HullAxes)
		h, o := hulls[r.IntN(len(hulls))], hulls[r.IntN(len(hulls))]
		step := []float32{0.0005, 0.003, 0.02, 0.1}[r.IntN(4)]
		size := []float32{1, 30}[r.IntN(2)]
		scale, turn, other := 0.2+r.Float32(), randomTurn(r), randomTurn(r)
		mirrored := float32(1)
		if r.IntN(20) == 0 {
			mirrored = -1 // is not pruned
		}
		shapes := func(at geom.Vec3) (a, b Shape) {
			return Hull(h, geom.Transform{Position: geom.V(3, -2, 1), Rotation: other, Scale: geom.V(size, size, size)}.Affine()),
				Hull(o, geom.Transform{Position: at.Mul(size).Add(geom.V(3, -2, 1)), Rotation: turn, Scale: geom.V(scale, scale, mirrored*scale).Mul(size)}.Affine())
		}
		way := randomVec(r).Normalize()
		lo, hi := float32(0), float32(10)
		for range 20 {
			a, b := shapes(way.Mul((lo + hi) / 2))
			if p, ok := Penetrate(&a, &b); ok && p.Depth > 0.05*r.Float64() {
				lo = (lo + hi) / 2
			} else {
				hi = (lo + hi) / 2
			}
		}
		at := way.Mul(lo)
		drift := randomVec(r).Mul(0.3 * step)
		narrows := r.IntN(2) == 0 // to lists that miss what is best after a large step
		for i := range 100 {
			if narrows && kept.Hulls.reach > 0.01 {
				kept.Hulls.reach = 0.01
			}
			if i%50 == 49 {
				scale *= 1.1
			}
			a, b := shapes(at)
			kept.Collide(&a, &b, 0.01)
			fresh.Collide(&a, &b, 0.01)
			require.Equal(t, fresh.N, kept.N)
			if fresh.N > 0 {
				require.Equal(t, fresh.Normal, kept.Normal)
				require.Equal(t, fresh.Contacts(), kept.Contacts())
				if kept.Hulls.uses > 0 {
					short++
				}
			}
			far, angle := step, step
			if i%4 == 3 {
				far, angle = 0.05*r.Float32(), 0.1*r.Float32()
				if r.IntN(2) == 0 {
					far = step // it turns in its place
				}
			}
			was := at
			at = at.Add(randomVec(r).Mul(far)).Add(drift)
			if at.Len() > lo && i%4 != 3 {
				at = was // it stays in touch
			}
			turn = geom.QuatAxisAngle(randomVec(r), float64(angle)).Mul(turn)
			other = geom.QuatAxisAngle(randomVec(r), float64(step)).Mul(other)
		}
	}
	testenv.Drawn(t, short, 3000)
}

// TestKeptAxesFarAway moves one cube along another until the axis that is best is one that was too
// bad for the list, while the best of the list is still better than the least of it.
func TestKeptAxesFarAway(t *testing.T) {
	var f Finder
	f.Hulls = new(HullAxes)
	collide := func(x, y float32) {
		a := Hull(hulls[0], geom.Transform{}.Affine())
		b := Hull(hulls[0], geom.Transform{Position: geom.V(x, y, 0.1)}.Affine())
		f.Collide(&a, &b, 0.01)
		require.Positive(t, f.N)
	}
	collide(1.95, 1.7)
	f.Hulls.reach = 0.2
	collide(1.95, 1.7)
	require.True(t, f.Hulls.filled)
	require.Equal(t, geom.DVec3{X: 1}, f.Normal)
	collide(1.82, 1.9)
	require.Equal(t, geom.DVec3{Y: 1}, f.Normal)
}

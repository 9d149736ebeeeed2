//go:build (amd64 || arm64) && !noasm

package narrow

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// The generator has these offsets as numbers.
func TestLayoutOfFlatPairsIsTheAssemblys(t *testing.T) {
	var (
		p FlatPairs
		q flatPoints
		f FlatBox
	)
	for name, c := range map[string][2]uintptr{
		"pairsA": {0, unsafe.Offsetof(p.A)}, "pairsB": {64, unsafe.Offsetof(p.B)}, "pairsMargin": {128, unsafe.Offsetof(p.Margin)},
		"pairsNormal": {192, unsafe.Offsetof(p.normal)}, "pairsPoints": {256, unsafe.Offsetof(p.points)},
		"pairsPointSize": {224, unsafe.Sizeof(q)}, "depth": {128, unsafe.Offsetof(q.depth)}, "pairsFeatures": {160, unsafe.Offsetof(q.features)},
		"pairsFound": {704, unsafe.Offsetof(p.found)}, "pairsTwo": {712, unsafe.Offsetof(p.two)}, "pairsSwap": {720, unsafe.Offsetof(p.swapped)},
		"FlatBox": {64, unsafe.Sizeof(f)},
	} {
		assert.Equal(t, c[0], c[1], name)
	}
}

// CollideFlats has the bits of CollideFlat, in single precision.
func TestCollideFlatsIsTheTwin(t *testing.T) {
	testenv.SIMD(t, useSIMD)
	r := rand.New(rand.NewPCG(16, 5))
	pick := func(n ...float32) float32 { return n[r.IntN(len(n))] }
	var touching, singles, refused int
	for range 20_000 {
		var p FlatPairs
		var boxes [2][8]FlatBox
		margins := [2]float64{0, 0.02}
		for l := range p.A {
			p.A[l], p.B[l], p.Margin[l] = &boxes[0][l], &boxes[1][l], margins[r.IntN(2)]
			near := geom.V(pick(0, 1, 1e4), pick(0, -7), 0)
			for side := range boxes {
				b := geom.Box{HalfExtents: geom.V(pick(0.5, 0.5, 1, r.Float32()), pick(0.5, 1, r.Float32()), 0)}
				switch r.IntN(4) {
				case 0: // on a grid
					b.Center = near.Add(geom.V(pick(-1, -0.5, 0, 0.5, 1), pick(-1, -0.5, 0, 0.5, 1), 0))
					b.Rotation = geom.At2D(0, 0, float64(r.IntN(4))*math.Pi/2).Rotation
				case 1: // nearly
					b.Center = near.Add(geom.V(pick(-1, 0, 1)+pick(0, 1e-7, -1e-4)*r.Float32(), pick(-1, 1)+pick(1e-7, 1e-3)*r.Float32(), 0))
					b.Rotation = geom.At2D(0, 0, float64(pick(0, 1e-7, 1e-3)*r.Float32())).Rotation
				default:
					b.Center = near.Add(geom.V(3*r.Float32()-1.5, 3*r.Float32()-1.5, 0))
					b.Rotation = geom.At2D(0, 0, r.Float64()*7).Rotation
				}
				boxes[side][l].Set(b.Center, b.HalfExtents, b.Rotation)
			}
		}
		all := p.CollideFlats()
		q := FlatPairs{A: p.A, B: p.B, Margin: p.Margin}
		for l := range p.A {
			if q.collide(l); !p.A[l].IsSet() || !p.B[l].IsSet() {
				continue
			}
			is := (q.found[0] | q.found[1]<<4) >> l & 1
			require.Equal(t, is, all>>l&1)
			if is == 0 {
				refused++
				continue
			}
			touching++
			if q.N(l) == 1 {
				singles++
			}
			require.Equal(t, q.N(l), p.N(l))
			requireSameBits(t, numbers(q.Normal(l)), numbers(p.Normal(l)))
			for k := range q.N(l) {
				ax, ay, bx, by, depth, fa, fb := p.Point(l, k)
				cx, cy, dx, dy, want, ga, gb := q.Point(l, k)
				requireSameBits(t, numbers(cx, cy, dx, dy, want), numbers(ax, ay, bx, by, depth))
				require.Equal(t, [2]Feature{ga, gb}, [2]Feature{fa, fb})
			}
		}
	}
	require.Greater(t, touching, 50_000)
	require.Greater(t, min(singles, refused), 10_000)
}

func numbers(x ...float32) []float32 { return x }

func requireSameBits(t *testing.T, want, is []float32) {
	t.Helper()
	for i := range want {
		require.Equal(t, math.Float32bits(want[i]), math.Float32bits(is[i]))
	}
}

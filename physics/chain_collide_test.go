package physics

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// A rod that pierces the corners of a hill, a ledge or a polygon is led out of all segments at
// once, by the shortest way: moved along it, it is apart from each, and of 500 directions and all
// normals none is shorter. A depth may be off by what single precision rounds off the far ends.
func TestRodsThroughCorners(t *testing.T) {
	testenv.NoRace(t)
	r := testenv.Rand(16, 34)
	drawn, several := 0, 0
	for n := range 600 {
		points, far := []geom.Vec3{{X: 40}, {}, {X: 20*r.Float32() - 10, Y: -40}}, 40.0
		switch n % 3 {
		case 1: // a hill, whose ends are out of reach
			points, far = []geom.Vec3{geom.V(20, -100, 0)}, 100
			for x := float32(3); x > -3; x -= 0.3 + r.Float32() {
				points = append(points, geom.V(x, -0.3*x*x, 0))
			}
			points = append(points, geom.V(-20, -100, 0))
		case 2:
			points, far = points[:0], 2
			for a := r.Float64(); a < 6.2; a += 0.2 + 2*r.Float64() {
				points = append(points, geom.V(float32(1.5*math.Cos(a)), float32(math.Sin(a)), 0))
			}
			if len(points) < 4 {
				continue
			}
		}
		loop := n%3 == 2
		chain := Placed{Shape: NewChain(points, loop)}
		if r.IntN(3) == 0 {
			chain.Transform.Scale = geom.V(-1, 1, 1)
			slices.Reverse(points)
			for i := range points {
				points[i].X = -points[i].X
			}
		}
		ends := slices.Clone(points)
		if loop {
			ends = append(ends, points[0])
		}
		front := func(i int) float64 {
			e := ends[i+1].Wide().Sub(ends[i].Wide())
			return math.Atan2(-e.X, e.Y)
		}
		lo, hi := 0.0, 2*math.Pi
		if !loop {
			if lo, hi = front(0), front(len(ends)-2); hi < lo {
				hi += 2 * math.Pi
			}
		}
		angles := make([]float64, 501, 530)
		for i := range angles {
			angles[i] = lo + (hi-lo)*float64(i)/500
		}
		turned := func(a float64) float64 { return lo + math.Mod(a-lo+4*math.Pi, 2*math.Pi) }
		for i := range ends[1:] {
			angles = append(angles, turned(front(i)))
		}
		off := 2e-6 + 2e-7*far
		for range 60 {
			p := points[r.IntN(len(points))]
			if !loop {
				p = points[1+r.IntN(len(points)-2)]
			}
			long, thin := 0.3+r.Float32(), 0.002+0.04*r.Float32()
			at := geom.At2D(p.X+2*long*(r.Float32()-0.5), p.Y+2*long*(r.Float32()-0.5), 7*r.Float64())
			x, y := at.Rotation.Rotate(geom.V(long, 0, 0)).Wide(), at.Rotation.Rotate(geom.V(0, thin, 0)).Wide()
			if r.IntN(4) == 0 { // a side is at the corner, to rounding
				side := y.Mul(1 / y.Len())
				at.Position = at.Position.Sub(side.Mul(at.Position.Sub(p).Wide().Dot(side) + y.Len() + 4e-5*(r.Float64()-0.5)).Narrow())
			}
			m := at.Position.Wide()
			rod, radius := Placed{geom.Capsule{A: geom.V(-long, 0, 0), B: geom.V(long, 0, 0), Radius: thin}, at}, float64(thin)
			if r.IntN(2) == 0 {
				rod.Shape, radius = geom.Box{HalfExtents: geom.V(long, thin, 0)}, 0
			} else {
				y = geom.DVec3{}
			}
			corners := [4]geom.DVec3{m.Sub(x).Sub(y), m.Add(x).Sub(y), m.Add(x).Add(y), m.Sub(x).Add(y)}
			before, pierced := false, 0
			for i, b := range ends[1:] {
				before = before || b.Sub(ends[i]).Wide().Cross(m.Sub(ends[i].Wide())).Z < -1e-4
				if gapOfRod(corners, ends[i].Wide(), b.Wide()) < 0 {
					pierced++
				}
			}
			if !before || pierced == 0 {
				continue
			}
			least := math.Inf(1)
			angles := angles
			for k := range 4 {
				angles = append(angles, turned(math.Atan2(x.Y, x.X)+float64(k)*math.Pi/2))
			}
			for _, a := range angles {
				if a > hi {
					continue
				}
				sin, cos := math.Sincos(a)
				d := geom.DVec3{X: cos, Y: sin}
				most, low := math.Inf(-1), math.Inf(1)
				for _, p := range points {
					most = max(most, p.Wide().Dot(d))
				}
				for _, c := range corners {
					low = min(low, c.Dot(d))
				}
				least = min(least, most-low+radius)
			}
			drawn++
			if pierced > 1 {
				several++
			}
			got := CollidePlanar(nil, chain, rod, 0)
			if r.IntN(2) == 0 {
				got = CollidePlanar(got[:0], rod, chain, 0)
				for i := range got {
					got[i].flip()
				}
			}
			if len(got) == 0 {
				require.Less(t, least, 1e-6, "%v on %v", rod, points)
				continue
			}
			best := slices.MaxFunc(got, func(a, b Manifold) int { return cmp.Compare(a.Depth(), b.Depth()) })
			require.Less(t, float64(best.Depth()), least+off, "%v on %v", rod, points)
			for k := range corners {
				corners[k] = corners[k].AddMul(float64(best.Depth())+1e-5, best.Normal.Wide())
			}
			gap := math.Inf(1)
			for i, b := range ends[1:] {
				gap = min(gap, gapOfRod(corners, ends[i].Wide(), b.Wide()))
			}
			require.InDelta(t, radius, gap, 3e-5, "%v on %v", rod, points)
			c := slices.MaxFunc(best.ContactPoints(), func(a, b ContactPoint) int { return cmp.Compare(a.Depth, b.Depth) })
			beside := math.Inf(1)
			for i, b := range ends[1:] {
				beside = min(beside, offSegment(c.PointA.Wide(), ends[i].Wide(), b.Wide()))
			}
			require.Less(t, beside, 1e-5, "%v on %v", rod, points)
			b := c.PointB.Wide().AddMul(float64(best.Depth()), best.Normal.Wide())
			gap = math.Inf(1)
			for k, c := range corners {
				gap = min(gap, offSegment(b, c, corners[(k+1)%4]))
			}
			require.InDelta(t, radius, gap, 3e-5, "%v on %v", rod, points)
		}
	}
	testenv.Drawn(t, drawn, 3000)
	testenv.Drawn(t, several, 1000)
}

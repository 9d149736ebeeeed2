package wide

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// The assembly leaves the triangles that the portable code does, for any numbers. A triangle
// through a point of the body on its path is never dropped, and one far beyond the reach of the
// body along its own plane or the motion always is.
func TestSweepKeepsWhatIsTouched(t *testing.T) {
	r := testenv.Rand(5, 2)
	number := func() float64 { return 2 * (r.Float64() - 0.5) }
	vec := func() geom.DVec3 { return geom.DVec3{X: number(), Y: number(), Z: number()} }
	kept, dropped := 0, 0
	for round := range 20000 {
		far := math.Pow(10, 3*number())
		b := Body{X: vec(), Y: vec(), Z: vec(), Origin: vec().Mul(far), Motion: vec().Mul(far), Normal: vec()}
		kind := r.IntN(4)
		if kind != 1 {
			b.Radius = far * r.Float64() * r.Float64()
		}
		for i := range kind {
			b.Half[i] = vec().Mul(0.3 * far)
			b.Size += b.Half[i].Len()
		}
		if kind == 0 && round%2 == 0 {
			for range r.IntN(MaxBodyPoints + 1) {
				b.Points = append(b.Points, vec().Mul(0.5*far))
			}
			b.Size += far
		}
		b.Size += b.Radius
		if round%3 == 0 {
			b.Beside[0] = b.Motion.Cross(vec())
			b.Beside[1] = b.Motion.Cross(b.Beside[0])
		}
		fast := 1.0
		if round%7 == 0 { // so that axes are short or long
			fast = math.Pow(10, 35*number())
			b.Normal, b.Beside[0], b.Beside[1] = b.Normal.Mul(fast), b.Beside[0].Mul(1/fast), b.Beside[1].Mul(fast)
		}
		b.Motion = b.Motion.Mul(fast)
		p := ShapePath{Body: &b, Min: r.Float64() / fast, Max: (1 + r.Float64()) / fast}
		if round%5 == 0 {
			p.Max = math.Inf(1)
		}
		det := b.X.Dot(b.Y.Cross(b.Z))
		if math.Abs(det) < 0.05 {
			continue
		}
		// A place of the world in the mesh.
		local := func(q geom.DVec3) geom.DVec3 {
			q = q.Sub(b.Origin)
			return geom.DVec3{X: q.Dot(b.Y.Cross(b.Z)) / det, Y: q.Dot(b.Z.Cross(b.X)) / det, Z: q.Dot(b.X.Cross(b.Y)) / det}
		}
		var s sweep
		s.start(&p, geom.DVec3{X: 200 * far, Y: 200 * far, Z: 200 * far})
		require.NotNil(t, s.body)
		limit := p.Min + float64(r.Float64()*(min(p.Max, 3/fast)-p.Min))
		s.end(float32(limit))
		limit = min(limit, float64(float32(limit)))
		var e Eight
		var touched [width]bool
		for i := range touched {
			at := p.Min + float64(r.Float64()*(limit-p.Min))
			q := b.Motion.Mul(at)
			if len(b.Points) > 0 {
				q = q.AddMul(0.5, b.Points[0]).AddMul(0.5, b.Points[r.IntN(len(b.Points))])
			}
			for _, h := range b.Half {
				q = q.AddMul([3]float64{-1, 1, number()}[r.IntN(3)], h)
			}
			q = q.AddMul(b.Radius, vec().Normalize())
			if touched[i] = i%2 == 0; !touched[i] {
				q = vec().Mul(40 * far)
			}
			// Corners around q, of which it is a mean; of some triangles it is a corner.
			size := far * math.Pow(10, 3*number()-2)
			u, v := vec().Mul(size), vec().Mul(size)
			c := [3]geom.DVec3{q.Add(u), q.Add(v), q.Sub(u).Sub(v)}
			if r.IntN(3) == 0 {
				c = [3]geom.DVec3{q, q.Add(v), q.Add(u)}
			}
			tri := geom.Triangle{A: local(c[0]).Narrow(), B: local(c[1]).Narrow(), C: local(c[2]).Narrow()}
			e.Set(i, &tri)
		}
		mask := r.Uint32() & (1<<width - 1)
		near := s.near(&e.corners, mask)
		if assembly && useSIMD {
			require.Equal(t, near, nearSIMD(&e.corners, &s, mask))
		}
		for i, is := range touched {
			switch {
			case mask>>i&1 == 0:
				require.Zero(t, near>>i&1)
			case is:
				kept++
				require.NotZero(t, near>>i&1, "%d of %d: %+v", i, round, b)
			case near>>i&1 == 0:
				dropped++
			}
		}
		if assembly && useSIMD { // for any numbers
			for range 3 {
				e.corners.corner[r.IntN(3)][r.IntN(3)][r.IntN(width)] = []float32{inf32, -inf32, float32(math.NaN()), 3e38, 1e-40, 0}[r.IntN(6)]
			}
			require.Equal(t, s.near(&e.corners, mask), nearSIMD(&e.corners, &s, mask))
		}
	}
	testenv.Drawn(t, kept, 10000)
	testenv.Drawn(t, dropped, 10000)
}

// What is beyond the body along an axis is dropped: its own normal, an edge's or corner's nearest
// point, or one of the axes given.
func TestSweepDrops(t *testing.T) {
	one := func(v ...float64) geom.DVec3 { return geom.DVec3{X: v[0], Y: v[1], Z: v[2]} }
	b := Body{X: one(1, 0, 0), Y: one(0, 1, 0), Z: one(0, 0, 1), Motion: one(8, 0, 0), Radius: 1, Size: 1}
	for _, c := range []struct {
		name  string
		tri   [3]geom.Vec3
		limit float32
		near  bool
	}{
		{"ahead", [3]geom.Vec3{{X: 9.1, Y: -1}, {X: 9.1, Y: 1}, {X: 9.1, Z: 1}}, 1, false},
		{"touched at the end", [3]geom.Vec3{{X: 9, Y: -1}, {X: 9, Y: 1}, {X: 9, Z: 1}}, 1, true},
		{"ahead of a limit", [3]geom.Vec3{{X: 9, Y: -1}, {X: 9, Y: 1}, {X: 9, Z: 1}}, 0.9, false},
		{"below", [3]geom.Vec3{{X: -9, Z: -1.1}, {X: 20, Z: -1.1}, {X: 3, Y: 1, Z: -1.1}}, 1, false},
		{"grazed", [3]geom.Vec3{{X: -9, Z: -1}, {X: 20, Z: -1}, {X: 3, Y: 1, Z: -1}}, 1, true},
		{"an edge, from a corner of the bounds", [3]geom.Vec3{{X: 8.8, Y: 0.8, Z: -9}, {X: 8.8, Y: 0.8, Z: 9}, {X: 9, Y: 1, Z: 9}}, 1, false},
		{"a point", [3]geom.Vec3{{X: 8.8, Y: 0.8}, {X: 8.8, Y: 0.8}, {X: 8.8, Y: 0.8}}, 1, false},
		{"a point on the way", [3]geom.Vec3{{X: 8.5, Y: 0.8}, {X: 8.5, Y: 0.8}, {X: 8.5, Y: 0.8}}, 1, true},
	} {
		var s sweep
		s.start(&ShapePath{Body: &b, Max: 1}, one(20, 20, 20))
		s.end(c.limit)
		var e Eight
		e.Set(0, &geom.Triangle{A: c.tri[0], B: c.tri[1], C: c.tri[2]})
		require.Equal(t, c.near, s.near(&e.corners, 1) != 0, c.name)
	}
}

// Of small triangles, the soonest is the one that a ball reaches first. A capsule reaches it later
// by at most the length of its core: the estimate is by the point that passes nearest.
func TestSweepSoonest(t *testing.T) {
	r := testenv.Rand(5, 3)
	vec := func() geom.DVec3 { return geom.DVec3{X: r.Float64() - 0.5, Y: r.Float64() - 0.5, Z: r.Float64() - 0.5} }
	for round := range 2000 {
		b := Body{X: geom.DVec3{X: 1}, Y: geom.DVec3{Y: 1}, Z: geom.DVec3{Z: 1}, Motion: vec().Normalize(), Radius: 1, Size: 1}
		if round%2 == 0 {
			b.Half[0], b.Size = vec(), 2
		}
		var s sweep
		s.start(&ShapePath{Body: &b, Max: 20}, geom.DVec3{X: 20, Y: 20, Z: 20})
		var e Eight
		var when [width]float64
		for i := range width {
			at := vec().Add(b.Motion.Mul(10 + 3*r.Float64()))
			e.Set(i, &geom.Triangle{A: at.AddMul(-0.001, vec()).Narrow(), B: at.AddMul(0.001, vec()).Narrow(), C: at.Narrow()})
			when[i] = math.Inf(1)
			for k := range 201 { // balls along the capsule
				p := at.AddMul(float64(k)*0.01-1, b.Half[0])
				along := p.Dot(b.Motion)
				if p = p.AddMul(-along, b.Motion); p.Len() < 1 {
					when[i] = min(when[i], along-math.Sqrt(1-p.Dot(p)))
				}
			}
		}
		s.leaf = &e.corners
		mask := r.Uint32()&(1<<width-1) | 1<<r.IntN(width)
		soonest := s.soonest(mask)
		require.NotZero(t, mask>>soonest&1)
		for i, at := range when {
			require.True(t, mask>>i&1 == 0 || when[soonest] < at+0.01+2*b.Half[0].Len(), "%v, %d of %b", when, soonest, mask)
		}
	}
}

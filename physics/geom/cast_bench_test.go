package geom

import (
	"hash/fnv"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A query allocates nothing, whatever it hits.
func TestCastsAllocateNothing(t *testing.T) {
	r := NewRay(V(-5, 0.1, 0.2), V(1, 0.01, 0.02))
	inside := NewRay(V(0.1, 0, 0), V(1, 0.5, 0.25))
	box := Box{HalfExtents: V(1, 1, 1), Rotation: QuatAxisAngle(V(1, 2, 3), 1)}
	n := 0
	count := func(h Hit, ok bool) {
		if ok {
			n++
		}
	}
	allocs := testing.AllocsPerRun(100, func() {
		for _, mode := range modes {
			count(Sphere{Radius: 1}.CastRay(r, mode))
			count(brick.CastRay(r, mode))
			count(box.CastRay(r, mode))
			count(upright.CastRay(inside, mode))
		}
		count(XPlane(1).CastRay(r, CullNone))
		count(Plane{V(1, 1, 1), 0}.CastRay(r, CullNone))
		count(Triangle{V(1, -1, -1), V(1, 3, -1), V(1, -1, 3)}.CastRay(r, CullNone))
		enter, _, ok := upright.Crossings(r)
		count(enter, ok)
		count(Hit{}, brick.Slabs(r).Hit)
	})
	assert.Zero(t, allocs)
	assert.Equal(t, (9+2+5)*101, n, "all of them hit, except a start inside that is ignored")
}

// goldenHits is the hash of 300,000 casts. It must come out on every architecture and at every
// optimisation level: a fused multiply-add anywhere would change it. When a formula is changed on
// purpose, take the new number from the failure.
const goldenHits = 0xa8a1cf3a192e423

func TestCastsSameBits(t *testing.T) {
	h := fnv.New64a()
	put := func(hit Hit, ok bool) {
		if !ok {
			h.Write([]byte{0})
			return
		}
		for _, x := range []float32{hit.T, hit.Point.X, hit.Point.Y, hit.Point.Z, hit.Normal.X, hit.Normal.Y, hit.Normal.Z, hit.U, hit.V} {
			b := math.Float32bits(x)
			h.Write([]byte{byte(b), byte(b >> 8), byte(b >> 16), byte(b >> 24)})
		}
	}
	state := uint64(1)
	// Knuth's MMIX generator: its numbers do not depend on a library's version.
	next := func() float32 {
		state = state*6364136223846793005 + 1442695040888963407
		return float32(int32(state>>32)) / (1 << 28)
	}
	vec := func() Vec3 { return V(next(), next(), next()) }
	for range 20000 {
		r := NewRay(vec(), vec())
		c, size := vec(), vec().Abs()
		q := Quat{next(), next(), next(), next()}
		for _, mode := range modes {
			put(Sphere{c, size.X}.CastRay(r, mode))
			put(AABBAround(c, size).CastRay(r, mode))
			put(Box{c, size, q}.CastRay(r, mode))
			put(Capsule{c, size, size.Y / 4}.CastRay(r, mode))
		}
		put(Plane{c, size.X}.CastRay(r, CullNone))
		put(ZPlane(c.X).CastRay(r, CullNone))
		put(Triangle{c, vec(), vec()}.CastRay(r, CullNone))
	}
	assert.Equal(t, uint64(goldenHits), h.Sum64(), "%#x", h.Sum64())
}

// The benchmarks cast a fan of rays, of which about two thirds hit, also at the brute-force
// reference of each solid.

var (
	sinkHit Hit
	sinkOK  bool
)

func fan() []Ray {
	rays := make([]Ray, 256)
	for i := range rays {
		a := float64(i) * 0.61803398875
		o := V(float32(8*math.Cos(7*a)), float32(8*math.Sin(7*a)), float32(3*math.Sin(a)))
		target := V(float32(math.Sin(3*a))*1.4, float32(math.Sin(5*a))*1.4, float32(math.Cos(2*a))*1.4)
		rays[i] = NewRay(o, target.Sub(o).Normalize())
	}
	return rays
}

func benchSolid(b *testing.B, s implicit, cast func(r Ray) (Hit, bool)) {
	rays := fan()
	b.Run("exact", func(b *testing.B) {
		i := 0
		for b.Loop() {
			sinkHit, sinkOK = cast(rays[i&255])
			i++
		}
	})
	b.Run("brute force", func(b *testing.B) {
		i := 0
		for b.Loop() {
			r := rays[i&255]
			sp, _ := s.lineSpan(r.Origin.Wide(), r.Dir.Wide())
			sinkOK = sp.enter <= sp.exit
			i++
		}
	})
}

func BenchmarkSphereCastRay(b *testing.B) {
	s := Sphere{Radius: 1}
	benchSolid(b, sphereTwin(s), func(r Ray) (Hit, bool) { return s.CastRay(r, Solid) })
}

func BenchmarkAABBCastRay(b *testing.B) {
	s := AABB{V(-1, -1, -1), V(1, 1, 1)}
	benchSolid(b, aabbTwin(s), func(r Ray) (Hit, bool) { return s.CastRay(r, Solid) })
}

func BenchmarkBoxCastRay(b *testing.B) {
	s := Box{HalfExtents: V(1, 1, 1), Rotation: QuatAxisAngle(V(1, 2, 3), 1)}
	benchSolid(b, boxTwin(s), func(r Ray) (Hit, bool) { return s.CastRay(r, Solid) })
}

func BenchmarkCapsuleCastRay(b *testing.B) {
	s := Capsule{V(0, -0.5, 0), V(0, 0.5, 0), 0.75}
	benchSolid(b, capsuleTwin(s), func(r Ray) (Hit, bool) { return s.CastRay(r, Solid) })
}

func BenchmarkPlaneCastRay(b *testing.B) {
	rays, p := fan(), Plane{V(1, 2, 3), 1}
	i := 0
	for b.Loop() {
		sinkHit, sinkOK = p.CastRay(rays[i&255], CullNone)
		i++
	}
}

func BenchmarkTriangleCastRay(b *testing.B) {
	rays, tri := fan(), Triangle{V(-2, -1, 0), V(2, -1, 0), V(0, 2, 0)}
	b.Run("exact", func(b *testing.B) {
		i := 0
		for b.Loop() {
			sinkHit, sinkOK = tri.CastRay(rays[i&255], CullNone)
			i++
		}
	})
	b.Run("brute force", func(b *testing.B) {
		i := 0
		for b.Loop() {
			t, u, v, _ := mollerTrumbore(tri, rays[i&255])
			sinkOK = t >= 0 && u >= 0 && v >= 0 && u+v <= 1
			i++
		}
	})
}

func BenchmarkTriangleCaster(b *testing.B) {
	s := ballSoup(2, Vec3{}, 1)
	rays := fan()
	i := 0
	for b.Loop() {
		k := NewTriangleCaster(rays[i&255])
		for j := range s {
			_, _, _, _, sinkOK = k.Cast(s[j].A, s[j].B, s[j].C, inf, CullNone)
		}
		i++
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(s)), "ns/triangle")
}

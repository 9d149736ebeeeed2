package systemtest

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/jakecoffman/cp/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
)

// flatShape is a shape for both libraries, and the corners of its core in the world.
type flatShape struct {
	placed physics.Placed
	peer   *cp.Shape
	core   []cp.Vector
	radius float64
}

func randomFlat(t *testing.T, r *rand.Rand) (f flatShape) {
	spread := func(d float32) geom.Vec3 { return geom.V(d*(2*r.Float32()-1), d*(2*r.Float32()-1), 0) }
	at := spread(1)
	f.placed.Transform = geom.At2D(at.X, at.Y, 7*r.Float64())
	m := f.placed.Transform.Affine()
	body := cp.NewKinematicBody()
	radius := 0.05 + r.Float32()
	add := func(p geom.Vec3) {
		p = m.Point(p)
		f.core = append(f.core, cp.Vector{X: float64(p.X), Y: float64(p.Y)})
	}
	switch r.IntN(4) {
	case 0:
		f.placed.Shape, f.radius = geom.Sphere{Radius: radius}, float64(radius)
		add(geom.Vec3{})
		f.peer = cp.NewCircle(body, f.radius, f.core[0])
	case 1:
		c := geom.Capsule{A: spread(1), B: spread(1), Radius: radius}
		f.placed.Shape, f.radius = c, float64(radius)
		add(c.A)
		add(c.B)
		f.peer = cp.NewSegment(body, f.core[0], f.core[1], f.radius)
	case 2:
		h := geom.V(0.05+r.Float32(), 0.05+r.Float32(), 0)
		f.placed.Shape = geom.Box{HalfExtents: h}
		for _, s := range [4]geom.Vec3{{X: -1, Y: -1}, {X: 1, Y: -1}, {X: 1, Y: 1}, {X: -1, Y: 1}} {
			add(s.MulVec(h))
		}
		f.peer = cp.NewPolyShapeRaw(body, 4, f.core, 0)
	default:
		points := make([]geom.Vec3, 3+r.IntN(6))
		for i := range points {
			points[i] = spread(1)
		}
		h, err := hull.NewPolygon(points)
		require.NoError(t, err)
		f.placed.Shape = h
		for _, p := range h.Corners() {
			add(geom.V(p.X, p.Y, 0))
		}
		f.peer = cp.NewPolyShapeRaw(body, len(f.core), f.core, 0)
	}
	f.peer.CacheBB()
	return f
}

// gap returns by how much two shapes are apart along a unit vector; what is negative is a depth. It
// bounds the distance from below and the depth from above, whatever found the vector.
func gap(a, b *flatShape, n cp.Vector) float64 {
	most, least := math.Inf(-1), math.Inf(1)
	for _, p := range a.core {
		most = max(most, p.Dot(n))
	}
	for _, p := range b.core {
		least = min(least, p.Dot(n))
	}
	return least - most - a.radius - b.radius
}

// Of 10,000 random pairs Chipmunk touches the same, and finds no shorter way out: along its normal
// no pair is less deep, by the certificate of gap, than along ours.
func TestPlanarPairsBesideChipmunk(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 16))
	touching, sameNormal, samePoints := 0, 0, 0
	for range 10_000 {
		a, b := randomFlat(t, r), randomFlat(t, r)
		set := cp.ShapesCollide(a.peer, b.peer)
		p, ok := physics.PenetratePlanar(a.placed, b.placed)
		m := physics.CollidePlanar(nil, a.placed, b.placed, 0)
		require.Equal(t, ok, len(m) == 1)
		if ok != (set.Count > 0) {
			depth := float64(p.Depth)
			if !ok {
				c, _ := physics.ClosestPoints(a.placed, b.placed, 10)
				depth = float64(c.Distance)
			}
			require.Less(t, depth, 1e-4, "Chipmunk disagrees: %v and %v", a.placed, b.placed)
			continue
		}
		if !ok {
			continue
		}
		touching++
		n := cp.Vector{X: float64(p.Normal.X), Y: float64(p.Normal.Y)}
		ours, theirs := -gap(&a, &b, n), -gap(&a, &b, set.Normal)
		require.InDelta(t, ours, p.Depth, 1e-5)
		require.LessOrEqual(t, ours, theirs+1e-5, "Chipmunk found a shorter way out")
		if n.Dot(set.Normal) > 0.9999 {
			sameNormal++
			if int(m[0].N) == set.Count {
				samePoints++
			}
		}
	}
	t.Logf("%d of 10,000 touch; Chipmunk has the same normal in %d, and as many points in %d of these", touching, sameNormal, samePoints)
	assert.Greater(t, touching, 5000)
	assert.Greater(t, sameNormal, touching*95/100)
}

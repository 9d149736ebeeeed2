package physics_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/golden"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// The hashes of all answers of TestSameBitsOfHulls.
const (
	goldenHullClosest = 0x58ead215db5b2bfd
	goldenHullAny     = 0x749cd477aa62244
	goldenHullAll     = 0x9b8bf8f6022f31d7
	goldenHullOverlap = 0x3edbef0522d468c7
	goldenHullNearest = 0xec02ae4d6e0198e0
	goldenHullSweep   = 0xaaf5a9a28f04f693
)

// The answers of a space of hulls, and of casts of hulls, are the same to the bit on every
// architecture.
func TestSameBitsOfHulls(t *testing.T) {
	n := golden.Numbers(23)
	ball, _ := mesh.Icosphere(1, 2)
	var hulls []*hull.Hull
	for range 8 {
		points := make([]geom.Vec3, 5+n.Int(40))
		for i := range points {
			points[i] = n.Vec(1)
		}
		h, err := hull.New(points)
		require.NoError(t, err)
		hulls = append(hulls, h)
	}
	large, err := hull.New(ball)
	require.NoError(t, err)
	hulls = append(hulls, large)
	place := func(reach float32) geom.Transform {
		p := geom.Transform{Position: n.Vec(reach), Rotation: n.Quat()}
		if n.Int(2) == 0 {
			p.Scale = geom.V(-1.25+n.Float(1), 1.25+n.Float(1), 1.25+n.Float(1))
		}
		return p
	}
	s := physics.NewSpace()
	for range 600 {
		c := physics.Collider{Shape: hulls[n.Int(len(hulls))], Transform: place(20)}
		if n.Int(4) == 0 {
			c.Shape = physics.NewCompound(physics.Child{Shape: c.Shape, Transform: place(1)}, physics.Child{Shape: large, Transform: place(1)})
		}
		s.Add(c)
	}
	a := askAll(t, s, &n)
	a.closest.Check(t, "closest", goldenHullClosest)
	a.any.Check(t, "any", goldenHullAny)
	a.all.Check(t, "all", goldenHullAll)
	a.overlap.Check(t, "overlap", goldenHullOverlap)
	a.nearest.Check(t, "nearest", goldenHullNearest)

	sweep := golden.New()
	var hits []physics.ShapeHit
	for range 300 {
		hits = s.CastShapeAll(hits[:0], physics.ShapeCast{Shape: hulls[n.Int(len(hulls))], Transform: place(25), Motion: n.Vec(8), MaxT: 2}, physics.Filter{})
		for _, h := range hits {
			sweep.Bool(true)
			sweep.Float(h.T)
			sweep.Vec(h.Point)
			sweep.Vec(h.Normal)
			sweep.Float(h.Depth)
			sweep.Uint(uint64(h.Collider))
		}
		sweep.Bool(false)
	}
	sweep.Check(t, "sweep", goldenHullSweep)
	assert.Greater(t, sweep.Found, 300)
}

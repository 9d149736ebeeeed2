package narrow_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hitscan-go/hitscan/internal/golden"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
)

// All bits of all answers are the same on every architecture.
func TestCastsSameBits(t *testing.T) {
	n, h := golden.Numbers(7), golden.New()
	body := func(kind int, at geom.Vec3) narrow.Shape {
		m := geom.Affine{X: n.Vec(1), Y: n.Vec(1), Z: n.Vec(1), Origin: at}
		size := n.Vec(0.5).Abs()
		switch kind {
		case 0:
			return narrow.Sphere(geom.Sphere{Center: at, Radius: size.X})
		case 1:
			return narrow.Capsule(geom.Capsule{A: at, B: at.Add(m.X), Radius: size.X})
		case 2:
			return narrow.AABB(geom.AABBAround(at, size))
		case 3:
			return narrow.Box(geom.Box{Center: at, HalfExtents: size, Rotation: n.Quat()})
		case 4:
			return narrow.ShearedBox(geom.Box{HalfExtents: size}, m)
		case 5:
			return narrow.Triangle(geom.Triangle{A: at, B: at.Add(m.X), C: at.Add(m.Y)})
		case 6:
			return narrow.ScaledCapsule(geom.Capsule{B: m.Y, Radius: size.X}, m)
		case 9:
			return narrow.Cone(geom.Cone{B: m.Y, RadiusA: size.X, RadiusB: size.Y}, m)
		case 10:
			return narrow.TaperedCapsule(geom.TaperedCapsule{B: m.Y, RadiusA: size.X, RadiusB: size.Y}, m)
		}
		list := make([]geom.Vec3, 12)
		for i := range list {
			list[i] = n.Vec(1)
		}
		return narrow.Cloud(list, m, float32(kind-7)*size.X)
	}
	const kinds = 11
	overlaps := 0
	for i := range kinds * kinds * 60 {
		at := n.Vec(3)
		a, b := body(i%kinds, at), body(i/kinds%kinds, geom.Vec3{})
		to := n.Vec(0.7)
		p := narrow.Path{Motion: to.Sub(at).Wide(), Max: 2, Start: narrow.Start(n.Int(3))}
		hits := [2]narrow.Impact{}
		ok := [2]bool{}
		hits[0], ok[0] = narrow.Cast(&a, &b, &p)
		plane := narrow.Plane{Normal: at.Wide().Normalize(), Point: to.Wide(), Solid: i%2 == 0}
		hits[1], ok[1] = narrow.CastPlane(&a, plane, &p)
		for j, hit := range hits {
			h.Bool(ok[j])
			h.Bool(hit.Overlaps)
			h.Double(hit.T, hit.Depth)
			for _, v := range [3]geom.DVec3{hit.PointA, hit.PointB, hit.Normal} {
				h.Double(v.X, v.Y, v.Z)
			}
			if hit.Overlaps {
				overlaps++
			}
		}
	}
	h.Check(t, "casts of pairs", 0x6f2160eb1d5ea2cd)
	assert.Greater(t, h.Found, 3000)
	assert.Greater(t, overlaps, 100)
}

// A capsule falls onto the edge of a box. Its T is a part of its motion.
func ExampleCast() {
	capsule := narrow.Capsule(geom.Capsule{A: geom.V(1.75, 6, 0), B: geom.V(1.75, 8, 0), Radius: 1.25})
	box := narrow.Box(geom.Box{HalfExtents: geom.V(1, 1, 3)})
	if hit, ok := narrow.Cast(&capsule, &box, &narrow.Path{Motion: geom.DVec3{Y: -8}, Max: 1}); ok {
		fmt.Println("T", hit.T, "at", hit.PointB.Narrow().WithAxis(geom.Z, 0), "pushed towards", hit.Normal.Narrow())
	}
	// Output: T 0.5 at (1, 1, 0) pushed towards (0.6, 0.8, 0)
}

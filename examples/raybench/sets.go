package main

import (
	"errors"
	"math"
	"math/rand/v2"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// The three kinds of rays that a tree meets in practice: coherent rays, as from a camera;
// incoherent rays; and short rays that mostly miss, as between close objects. The same mesh always
// gets the same rays.

const columns, rows = 512, 256 // of the picture that the primary rays make

type set struct {
	name string
	rays []geom.Ray
}

// makeSets returns columns·rows rays of each kind. A mesh without extent is an error, and so is one
// that no primary ray hits, since rays of the third kind start at those hits.
func makeSets(m *mesh.Mesh) ([]set, error) {
	b := m.Bounds()
	radius := b.HalfExtents().Len() // of the sphere around the bounds
	if !(radius > 0 && radius < math.MaxFloat32/8) {
		return nil, errors.New("no rays can be made for a mesh with an extent of zero or beyond single precision")
	}
	primary := makePrimary(b.Center(), radius)
	ao := makeAO(m, primary, radius)
	if len(ao) == 0 {
		return nil, errors.New("no ray from the camera hits the mesh, so that short rays have no place to start from")
	}
	return []set{{"primary", primary}, {"random", makeRandom(b, radius)}, {"ao", ao}}, nil
}

// makePrimary returns the rays of a pinhole camera, row by row from the top, through the centres of
// the pixels.
func makePrimary(center geom.Vec3, radius float32) []geom.Ray {
	// Of the picture at distance 1: the sphere fills most of it.
	const halfWidth, halfHeight = 0.6, 0.3
	back := geom.V(0.6, 0.5, 1).Normalize()
	eye := center.Add(back.Mul(2 * radius))
	right := geom.V(0, 1, 0).Cross(back).Normalize()
	up := back.Cross(right)
	rays := make([]geom.Ray, 0, columns*rows)
	for y := range rows {
		for x := range columns {
			across := right.Mul(halfWidth * (float32(2*x+1) - columns) / columns)
			upward := up.Mul(halfHeight * (rows - float32(2*y+1)) / rows)
			rays = append(rays, geom.NewRay(eye, across.Add(upward).Sub(back).Normalize()))
		}
	}
	return rays
}

// makeRandom returns rays from all around the mesh to anywhere within its bounds.
func makeRandom(b geom.AABB, radius float32) []geom.Ray {
	rng := rand.New(rand.NewPCG(1, 2))
	rays := make([]geom.Ray, 0, columns*rows)
	for len(rays) < columns*rows {
		from := b.Center().Add(unit(rng).Mul(2 * radius))
		in := b.HalfExtents().MulVec(geom.V(signed(rng), signed(rng), signed(rng)))
		rays = append(rays, geom.NewRay(from, b.Center().Add(in).Sub(from).Normalize()))
	}
	return rays
}

// makeAO returns rays from where the primary ones hit, a fifth of that sphere's radius long, spread
// around the normal by the cosine of the angle to it, as for ambient occlusion. They start just off
// the surface.
func makeAO(m *mesh.Mesh, primary []geom.Ray, radius float32) []geom.Ray {
	var hits []geom.Hit
	for _, r := range primary {
		if h, ok := m.CastRay(r, geom.CullNone); ok {
			hits = append(hits, h)
		}
	}
	if len(hits) == 0 {
		return nil
	}
	rng := rand.New(rand.NewPCG(3, 4))
	rays := make([]geom.Ray, columns*rows)
	for i := range rays {
		// Several from one place, in the picture's order.
		h := hits[int64(i)*int64(len(hits))/int64(len(rays))]
		from := h.Point.Add(h.Normal.Mul(radius * 1e-4))
		// A point of the unit sphere that touches the surface from outside: a cosine distribution.
		dir := h.Normal.Add(unit(rng))
		for dir.LenSq() < 1e-6 {
			dir = h.Normal.Add(unit(rng))
		}
		rays[i] = geom.Ray{Origin: from, Dir: dir.Normalize(), MaxT: radius / 5}
	}
	return rays
}

// unit returns a uniformly distributed direction: a normalised point of the unit ball, except its
// middle. It uses no sine, whose last bit differs between machines.
func unit(rng *rand.Rand) geom.Vec3 {
	for {
		v := geom.V(signed(rng), signed(rng), signed(rng))
		if l := v.LenSq(); 1e-2 < l && l <= 1 {
			return v.Normalize()
		}
	}
}

// signed returns a number from −1 to 1.
func signed(rng *rand.Rand) float32 { return float32(2*rng.Float32()) - 1 }

package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/mlange-42/arche/ecs"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render"
)

// The large scene: houses, sheds and trees around a square with ten statues, each a mesh of its
// own. The card shows the time of a pick.

// cityScene is the name of the scene of newCity.
const cityScene = "city"

const (
	citySize    = 100_000 // colliders, with the ground
	cell        = 4       // metres: what stands in the city has a square of this size
	squareCells = 13      // from the middle to where the houses begin
	streetEvery = 8       // cells

	// The triangles of a statue: 70,000.
	alongKnot  = 700
	aroundKnot = 50
)

// newCity fills a world with a city.
func newCity(w *ecs.World) (*scene, error) {
	s := newScene(w)
	s.size, s.mark = 40, 1.5
	s.home = picking.Orbit{
		Target: geom.V(0, 4, 0), Yaw: -0.5, Pitch: 0.3, Distance: 105, MinDistance: 3, MaxDistance: 260,
		// Entities farther than some streets are neither drawn nor picked.
		Projection: picking.Perspective(fieldOfView, 0.3, 320),
	}
	s.addGround(0, render.Material{Color: render.RGB(0xC3C6C9), Gloss: 0.15})
	for i, k := range [...][2]int{{2, 3}, {3, 2}, {2, 5}, {5, 2}, {3, 4}, {4, 3}, {3, 5}, {5, 3}, {2, 7}, {4, 5}} {
		m, err := mesh.New(knot(k[0], k[1]))
		if err != nil {
			return nil, err
		}
		at := geom.Transform{
			Position: geom.V(float32(i%5-2)*18, 6, float32(i/5)*44-22), Rotation: geom.QuatEuler(float64(i), 0, 0), Scale: geom.V(1.8, 1.8, 1.8),
		}
		s.add(fmt.Sprintf("knot-%d-%d", k[0], k[1]), at, physecs.Mesh(s.meshes().Add(m)), glossy(calm[i%len(calm)], 0.6))
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for ring := squareCells; len(s.all)+1 < citySize; ring++ {
		for i := range 8 * ring {
			x, z := onRing(ring, i)
			if x%streetEvery != 0 && z%streetEvery != 0 && len(s.all)+1 < citySize {
				s.build(rng, geom.V(float32(x)*cell, 0, float32(z)*cell))
			}
		}
	}
	return s, nil
}

// onRing returns the ith of the 8·ring cells of a square around the middle.
func onRing(ring, i int) (x, z int) {
	along := i%(2*ring) - ring
	switch i / (2 * ring) {
	case 0:
		return along, -ring
	case 1:
		return ring, along
	case 2:
		return -along, ring
	}
	return -ring, -along
}

// build creates the buildings of a cell.
func (s *scene) build(rng *rand.Rand, at geom.Vec3) {
	between := func(a, b float32) float32 { return a + (b-a)*rng.Float32() }
	stands := func(height float32) geom.Transform {
		return geom.Transform{Position: at.Add(geom.V(0, height, 0)), Rotation: geom.QuatAxisAngle(geom.V(0, 1, 0), 6*rng.Float64())}
	}
	n := len(s.all)
	switch kind := rng.IntN(20); {
	case kind < 10:
		half := geom.V(between(1.2, 1.8), between(1, 4.5), between(1.2, 1.8))
		s.add(fmt.Sprintf("house-%d", n), geom.Transform{Position: at.Add(geom.V(0, half.Y, 0))}, physecs.AABB(half),
			glossy([...]uint32{0xD9CDBD, 0xC9B8A6, 0xB9BEC4, 0xCBA58F}[n%4], 0.2))
	case kind < 13:
		half := geom.V(between(0.5, 1), between(0.4, 0.8), between(0.5, 1))
		s.add(fmt.Sprintf("shed-%d", n), stands(half.Y), physecs.Box(half), glossy(0x9A7F68, 0.2))
	case kind < 17:
		half, radius := between(0.6, 1.6), between(0.5, 1)
		s.add(fmt.Sprintf("tree-%d", n), stands(half+radius), physecs.Capsule(half, radius), glossy(0x7FA078, 0.2))
	default:
		radius := between(0.5, 1.1)
		s.add(fmt.Sprintf("bush-%d", n), stands(radius*0.8), physecs.Sphere(radius), glossy(0x93B083, 0.2))
	}
}

// knot returns a tube along the torus knot that goes p times around the axis and q times around the
// core, about 3 m to each side.
func knot(p, q int) (vertices []geom.Vec3, indices []uint32) {
	const radius = 0.32
	at := func(i int) geom.DVec3 {
		sinP, cosP := math.Sincos(2 * math.Pi * float64(p*i) / alongKnot)
		sinQ, cosQ := math.Sincos(2 * math.Pi * float64(q*i) / alongKnot)
		r := 2 + float64(cosQ)
		return geom.DVec3{X: r * cosP, Y: r * sinP, Z: sinQ}
	}
	for i := range alongKnot {
		here := at(i)
		along := at(i + 1).Sub(at(i - 1)).Normalize()
		// Outward from the core of the torus, which no part of the knot runs along.
		sin, cos := math.Sincos(2 * math.Pi * float64(p*i) / alongKnot)
		out := here.Sub(geom.DVec3{X: 2 * cos, Y: 2 * sin})
		out = out.AddMul(-out.Dot(along), along).Normalize()
		side := along.Cross(out)
		for j := range aroundKnot {
			sin, cos := math.Sincos(2 * math.Pi * float64(j) / aroundKnot)
			vertices = append(vertices, here.AddMul(radius*cos, out).AddMul(radius*sin, side).Narrow())
			a, b := uint32(i*aroundKnot+j), uint32(i*aroundKnot+(j+1)%aroundKnot)
			c, d := (a+aroundKnot)%(alongKnot*aroundKnot), (b+aroundKnot)%(alongKnot*aroundKnot)
			indices = append(indices, a, d, c, a, b, d)
		}
	}
	return vertices, indices
}

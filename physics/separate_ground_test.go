package physics

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// What isGround leaves out pushes nothing: none of its contacts is level enough to count, wherever
// the body is pushed.
func TestSeparatorLeavesOutGround(t *testing.T) {
	testenv.NoRace(t)
	r := testenv.Rand(17, 3)
	number := func(most float32) float32 { return most * (2*r.Float32() - 1) }
	w := takeScratch()
	defer w.give()
	ground, cells, touching := 0, 0, 0
	for range tries(60) {
		const n = 16 // cells of 0.5 m
		vertices, indices := mesh.Plane(n/4, n/4, n, n)
		steep := 0.6 * r.Float32()
		for i := range vertices {
			vertices[i].Y = number(0.5 * steep)
		}
		m, err := mesh.New(vertices, indices)
		require.NoError(t, err)
		at := geom.Transform{Rotation: geom.QuatAxisAngle(geom.V(1, 0, 1), float64(number(0.4))), Scale: geom.V(1, 1+number(0.5), 1)}
		if r.IntN(2) == 0 {
			at.Scale = geom.V(1, -1, 1)
		}
		s := NewSpace()
		o := s.lookup(s.Add(Collider{Shape: m, Transform: at}))
		p := Separator{Up: geom.V(number(0.2), 1, number(0.2))}
		p.set()
		for range 200 {
			size := 0.1 + 0.5*r.Float32()
			shape := []Shape{
				geom.Sphere{Radius: size}, geom.Capsule{A: geom.V(0, -size, 0), B: geom.V(0, size, 0), Radius: size / 2},
				geom.Box{HalfExtents: geom.V(size, size/2, size/3)}, geom.Cylinder(geom.V(0, -size, 0), geom.V(0, size, 0), size/2),
			}[r.IntN(4)]
			body := Placed{shape, geom.Transform{
				Position: at.Point(geom.V(number(n/4+0.6), number(0.3+size), number(n/4+0.6))), Rotation: geom.QuatAxisAngle(geom.V(number(1), number(1), number(1)), float64(number(math.Pi))),
			}}
			b := s.lookup(s.Add(Collider{Shape: shape, Transform: body.Transform}))
			reach := b.reach()
			own := reach + placed.Slack(b.bounds())
			// A cell is a box around all places of some bodies.
			var cell [1]placed.Subshape
			require.True(t, cell[0].PlaceSimple(b.bounds().Grow(own).Union(b.bounds().Grow(r.Float32())), &geom.Transform{}))
			inCell := p.isGround(w, cell[:], o, 0)
			if inCell {
				cells++
			}
			if inCell || p.isGround(w, b.subshapes(), o, own) {
				ground++
				for range 5 {
					pushed := body
					pushed.Transform.Position = body.Transform.Position.Add(geom.V(number(1), number(1), number(1)).Normalize().Mul(reach * r.Float32()))
					var g instance
					require.True(t, g.place(&pushed, "test", false))
					w.manifolds = w.collide(w.manifolds[:0], g.subshapes, o.subshapes(), 0)
					for i := range w.manifolds {
						touching++
						normal, _, ok := p.direction(w.manifolds[i].Normal, w.manifolds[i].Depth())
						assert.False(t, ok, "%v on a mesh at %v, up %v: pushed along %v", pushed, at, p.up, normal)
					}
				}
			}
			s.Remove(b.id)
			o = s.lookup(o.id)
		}
	}
	testenv.Drawn(t, ground, 1000)
	testenv.Drawn(t, cells, 500)
	testenv.Drawn(t, touching, 1000)
}

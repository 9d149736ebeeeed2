package main

import "github.com/hitscan-go/hitscan/physics/geom"

// A game that is to be the same on every machine has to be careful with floating-point numbers:
//
//   - Compilers for some processors make one operation of a product and a sum, which rounds once
//     and not twice. A conversion around the product forbids it: float32(a*b) + c.
//   - Square roots are the same everywhere, sine and cosine are not. Directions here are made of
//     differences, and turns of quaternions.
//   - Maps are ranged over in another order each time. What is decided here goes through slices, or
//     queries, which have an order.

// between returns a number from lo to hi.
func (g *game) between(lo, hi float32) float32 { return lo + float32(g.chance.Float32()*(hi-lo)) }

// around returns a way of up to reach along the X and the Z axis, to either side.
func (g *game) around(reach float32) geom.Vec3 {
	return geom.V(g.between(-reach, reach), 0, g.between(-reach, reach))
}

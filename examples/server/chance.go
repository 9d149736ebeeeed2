package main

import "github.com/hitscan-go/hitscan/physics/geom"

// A game with the same results on every machine has three rules for floating-point numbers:
//
//   - Compilers for some processors fuse a product and a sum into one operation, which rounds once
//     instead of twice. A conversion of the product prevents it: float32(a*b) + c.
//   - Square roots are the same everywhere, sine and cosine are not. Directions here are
//     differences, and rotations are quaternions.
//   - The order of a range over a map changes. All decisions here go through slices or queries,
//     which have an order.

// between returns a number from lo to hi.
func (g *game) between(lo, hi float32) float32 { return lo + float32(g.chance.Float32()*(hi-lo)) }

// around returns a random horizontal offset, of up to reach along each of the X and Z axes.
func (g *game) around(reach float32) geom.Vec3 {
	return geom.V(g.between(-reach, reach), 0, g.between(-reach, reach))
}

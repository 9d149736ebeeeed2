package measuring

import (
	"math"
	"math/rand/v2"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Aim returns random rays at what lies in a box: from around it and from inside, many of them
// through its corners and between two, along axes and in coordinate planes, with directions of any
// length, and ranges that begin or end at a corner.
func Aim(rng *rand.Rand, box geom.AABB, corner func() geom.Vec3, n int) (list []geom.Ray) {
	c, h := box.Center(), box.HalfExtents()
	reach := max(h.X, h.Y, h.Z)
	random := func() geom.Vec3 { return geom.V(2*rng.Float32()-1, 2*rng.Float32()-1, 2*rng.Float32()-1) }
	for range n {
		p := c.Add(random().MulVec(h))
		switch rng.IntN(3) {
		case 0:
			p = corner()
		case 1:
			p = corner().Lerp(corner(), 0.5)
		}
		r := geom.Ray{Origin: c.Add(random().Mul(3 * reach))}
		switch rng.IntN(7) {
		case 0:
			r.Dir = geom.Axis(rng.IntN(3)).Unit().Mul(float32(1 - 2*rng.IntN(2)))
			r.Origin = p.Sub(r.Dir.Mul(2 * reach))
		case 1:
			r.Origin, r.Dir = p, random()
		case 2:
			r.Dir = random().WithAxis(geom.Axis(rng.IntN(3)), 0)
			r.Origin = p.Sub(r.Dir.Mul(3 * reach))
		case 3: // a segment between corners
			r = geom.Segment(corner(), p)
		case 4:
			r.Origin, r.Dir = p, geom.Axis(rng.IntN(3)).Unit().Mul(float32(math.Copysign(0, -1))).Add(random())
			r.Dir = r.Dir.WithAxis(geom.Axis(rng.IntN(3)), float32(math.Copysign(0, -1)))
		default:
			r.Dir = p.Sub(r.Origin)
		}
		switch rng.IntN(7) {
		case 0:
			r.Dir = r.Dir.Mul(float32(math.Pow(10, 80*rng.Float64()-40)))
		case 1:
			r.MinT = rng.Float32()
		case 2:
			r.MaxT = 2 * rng.Float32()
		case 3:
			r.MaxT = float32(math.Inf(1))
		case 4:
			axis := geom.Axis(rng.IntN(3))
			if t := (corner().Axis(axis) - r.Origin.Axis(axis)) / r.Dir.Axis(axis); t > 0 {
				r.MaxT = t
				if rng.IntN(2) == 0 {
					r.MinT, r.MaxT = t, 0
				}
			}
		}
		list = append(list, r)
	}
	return list
}

package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// A cone has several directions in which the way out of an edge or a corner is the least nearby: a
// corner at the rim is as near to the flat end as to the side. The least of all, which the edge or
// the corner alone has, may be a direction that the surface does not have there.

// tryCone tries the ways out along the normals of a cone's flat ends, the least of those along its
// side, and the least of those over each convex edge of a triangle.
func (j *Joiner) tryCone(p *part, w *way, s *Shape, convex *[3]bool) {
	j.try(p, w, s.u)
	j.try(p, w, s.u.Neg())
	j.tryLeast(p, w, float64(len(eighths)+1), func(t float64) geom.DVec3 { return s.sideNormal(t).Neg() })
	q := &j.of[0].faces[p.a]
	for i := range q.c {
		if convex[i] {
			from := q.u.Mul(float64(q.side))
			mid := from.AddMul(math.Abs(float64(q.edges[i])), q.over(i).out).Normalize()
			to := mid.Mul(2 * mid.Dot(from)).Sub(from)
			j.tryLeast(p, w, 2, func(t float64) geom.DVec3 {
				if t < 1 {
					return between(from, mid, t)
				}
				return between(mid, to, t-1)
			})
		}
	}
}

// between returns the unit vector along the point at a share of the way between two vectors.
func between(a, b geom.DVec3, share float64) geom.DVec3 {
	return a.Mul(1-share).AddMul(share, b).Normalize()
}

// sideNormal returns the outward normal of a cone's side at an angle in eighths of a circle, about.
func (s *Shape) sideNormal(t float64) geom.DVec3 {
	i := int(t)
	share := t - float64(i)
	a, b := eighths[i%len(eighths)], eighths[(i+1)%len(eighths)]
	at := between(geom.DVec3{X: a[0], Z: a[1]}, geom.DVec3{X: b[0], Z: b[1]}, share)
	out := s.x.Mul(at.X).AddMul(at.Z, s.z)
	n := s.e.AddMul(s.half.Y-s.half.X, out).Cross(s.z.Mul(at.X).AddMul(-at.Z, s.x)).Normalize()
	if n.Dot(out) < 0 {
		return n.Neg()
	}
	return n
}

// tryLeast tries each direction at which the depth is less than on both sides of it, of those that
// a function returns from 0 to a number: by golden sections (Kiefer 1953).
func (j *Joiner) tryLeast(p *part, w *way, to float64, n func(float64) geom.DVec3) {
	depth := func(t float64) float64 {
		n := n(t)
		return j.over(p, n, j.against(n))
	}
	step := float64(to / coneSamples)
	last, this := depth(0), depth(step)
	for i := range coneSamples - 1 {
		lo := float64(float64(i) * step)
		hi := lo + step + step
		next := depth(hi)
		if this <= last && this <= next {
			a, b := hi-(hi-lo)/math.Phi, lo+(hi-lo)/math.Phi
			da, db := depth(a), depth(b)
			for range coneSections {
				if da < db {
					hi, b, db = b, a, da
					a = hi - (hi-lo)/math.Phi
					da = depth(a)
				} else {
					lo, a, da = a, b, db
					b = lo + (hi-lo)/math.Phi
					db = depth(b)
				}
			}
			j.try(p, w, n((lo+hi)/2))
		}
		last, this = this, next
	}
}

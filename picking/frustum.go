package picking

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// FrustumOf returns the view frustum of a matrix from a space, mostly the world, to clip space with
// depths in the given range (Gribb and Hartmann, 2001). The frustum is in that space. If the far
// plane is at infinity, its half-space contains everything. A zero matrix, or one with NaN, gives a
// frustum that contains nothing.
func FrustumOf(m geom.Mat4, clip ClipRange) geom.Frustum {
	// The frustum is −w ≤ x ≤ w, −w ≤ y ≤ w, and z between the limits of the range times w.
	near, far := clip.limits()
	s := 1.0
	if near > far {
		s = -1
	}
	return geom.Frustum{
		halfSpace(m, 0, 1, 1), halfSpace(m, 0, -1, 1),
		halfSpace(m, 1, 1, 1), halfSpace(m, 1, -1, 1),
		halfSpace(m, 2, s, -s*near), halfSpace(m, 2, -s, s*far),
	}
}

// halfSpace returns the half-space of the points p with a·(row·p) + b·(last·p) ≥ 0, where row and
// last are rows of the matrix. If the plane is at infinity, the half-space is everything or
// nothing.
func halfSpace(m geom.Mat4, row int, a, b float64) geom.HalfSpace {
	r := geom.DVec3{X: m[row], Y: m[row+4], Z: m[row+8]}.Mul(a)
	w := geom.DVec3{X: m[3], Y: m[7], Z: m[11]}.Mul(b)
	n := r.Add(w)
	d := float64(a*m[row+12]) + float64(b*m[15])
	l := n.Len()
	if l <= infinitelyFar*(r.Len()+w.Len()) {
		if d > 0 {
			return geom.HalfSpace{D: math.Inf(-1)}
		}
		return geom.HalfSpace{D: math.Inf(1)}
	}
	return geom.HalfSpace{Normal: n.Mul(1 / l), D: -d / l}
}

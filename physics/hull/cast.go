package hull

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// CastRay returns where the ray, in the hull's own space, hits the hull. A ray that lies in a face,
// runs along an edge or touches a corner hits, within rounding in double precision. See
// [geom.StartMode] for a ray that starts inside. At an edge or a corner, the normal is that of the
// first of the faces that meet there.
//
// The method is clipping the line by the planes of all faces (Cyrus and Beck 1978, "Generalized
// two- and three-dimensional clipping").
func (h *Hull) CastRay(r geom.Ray, mode geom.StartMode) (geom.Hit, bool) {
	if h.IsEmpty() || !r.IsValid() {
		return geom.Hit{}, false
	}
	o, d := r.Origin.Wide(), r.Dir.Wide()
	enter, exit := math.Inf(-1), math.Inf(1)
	near, far := 0, 0
	for i := range h.planes {
		p := &h.planes[i]
		rate, gap := p.normal.Dot(d), p.d-p.normal.Dot(o)
		switch {
		case rate < 0:
			if t := gap / rate; t > enter {
				enter, near = t, i
			}
		case rate > 0:
			if t := gap / rate; t < exit {
				exit, far = t, i
			}
		case gap < 0:
			return geom.Hit{}, false
		}
		if enter > exit {
			return geom.Hit{}, false
		}
	}
	tMin, tMax := r.Range()
	from := float64(tMin)
	// The upper limit applies to the T that is returned, as for all solids.
	switch {
	case enter >= from:
		return hit(r, enter, h.planes[near].normal, float32(enter) <= tMax)
	case exit < from || mode == geom.Ignore:
		return geom.Hit{}, false
	case mode == geom.Exit:
		found, ok := hit(r, exit, h.planes[far].normal.Neg(), float32(exit) <= tMax)
		found.BackFace = ok
		return found, ok
	}
	found, ok := hit(r, from, d.Neg().Normalize(), true)
	found.Inside = ok
	return found, ok
}

// hit returns the hit at t. It is no hit if ok is false, or if single precision cannot represent T
// or Point.
func hit(r geom.Ray, t float64, normal geom.DVec3, ok bool) (geom.Hit, bool) {
	t += 0 // turns −0 into 0
	n := geom.DVec3{X: normal.X + 0, Y: normal.Y + 0, Z: normal.Z + 0}
	found := geom.Hit{T: float32(t), Point: r.Origin.Wide().AddMul(t, r.Dir.Wide()).Narrow(), Normal: n.Narrow(), Triangle: -1}
	if !ok || math.IsInf(float64(found.T), 0) || !found.Point.IsFinite() {
		return geom.Hit{}, false
	}
	return found, true
}

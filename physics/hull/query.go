package hull

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// few is up to how many vertices looking at each of them is faster than walking from neighbour to
// neighbour.
const few = 32

// Support returns the vertex that lies furthest along dir, which need not be unit. With more than a
// few vertices it walks from the vertex hint to ever further neighbours, so that a hint near the
// answer saves most of the way; any hint gives a right answer, but of vertices equally far it may
// be another one. Panics if the hull is empty, or there is no vertex hint.
func (h *Hull) Support(dir geom.DVec3, hint int) int {
	if len(h.wide) <= few {
		best, most := 0, h.wide[0].Dot(dir)
		for i := 1; i < len(h.wide); i++ {
			if d := h.wide[i].Dot(dir); d > most {
				best, most = i, d
			}
		}
		return best
	}
	return h.climb(dir, hint)
}

// climb goes from vertex to neighbour for as long as one is further. On a convex solid no other
// vertex is further then.
func (h *Hull) climb(dir geom.DVec3, from int) int {
	most := h.wide[from].Dot(dir)
	for {
		best := from
		for _, i := range h.neighbors(from) {
			if d := h.wide[i].Dot(dir); d > most {
				best, most = int(i), d
			}
		}
		if best == from {
			return from
		}
		from = best
	}
}

// Contains reports whether p, in the hull's own space, is in the hull, faces included.
func (h *Hull) Contains(p geom.Vec3) bool {
	w := p.Wide()
	for i := range h.planes {
		if h.planes[i].normal.Dot(w) > h.planes[i].d {
			return false
		}
	}
	return p.IsFinite() && !h.IsEmpty()
}

// Distance returns the distance of p from the hull, in the units of the hull's own space: 0 inside,
// +Inf if the hull is empty or p is NaN or infinite.
func (h *Hull) Distance(p geom.Vec3) float32 {
	if h.IsEmpty() || !p.IsFinite() {
		return float32(math.Inf(1))
	}
	return float32(h.closest(p.Wide()).Sub(p.Wide()).Len())
}

// ClosestPoint returns the point of the hull nearest to p, which is p itself inside. NaN in all
// components if the hull is empty or p is NaN or infinite.
func (h *Hull) ClosestPoint(p geom.Vec3) geom.Vec3 {
	if h.IsEmpty() || !p.IsFinite() {
		nan := float32(math.NaN())
		return geom.Vec3{X: nan, Y: nan, Z: nan}
	}
	return h.closest(p.Wide()).Narrow()
}

// closest finds the nearest point among all faces that have p in front.
func (h *Hull) closest(p geom.DVec3) geom.DVec3 {
	best, least := p, math.Inf(1)
	for f := range h.planes {
		n := h.planes[f].normal
		gap := n.Dot(p) - h.planes[f].d
		if gap <= 0 {
			continue
		}
		corners := h.Face(f)
		over := true // p is over the face: its foot is within all sides
		for i, v := range corners {
			a, b := h.wide[v], h.wide[corners[(i+1)%len(corners)]]
			along, to := b.Sub(a), p.Sub(a)
			if along.Cross(to).Dot(n) >= 0 {
				continue
			}
			over = false
			q := a.AddMul(max(0, min(to.Dot(along)/along.Dot(along), 1)), along)
			if d := q.Sub(p); d.Dot(d) < least {
				best, least = q, d.Dot(d)
			}
		}
		if over {
			return p.AddMul(-gap, n)
		}
	}
	return best
}

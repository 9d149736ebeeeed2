package hull

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// maxDivided is the number of vertices up to which [Hull.Support] compares those of an octant,
// which takes less time than hill climbing: see BenchmarkSupport.
const maxDivided = 128

// Support is the support function: it returns the vertex furthest along dir, which need not be
// unit. With many vertices it climbs from the vertex hint to neighbours that are further, so that a
// hint near the answer makes it fast. The answer is correct for any hint, but which of several
// equally far vertices it is depends on the hint. Panics if the hull is empty, or there is no
// vertex hint.
func (h *Hull) Support(dir geom.DVec3, hint int) int {
	if len(h.wide) > maxDivided {
		return h.climb(dir, hint)
	}
	// A vertex that another one exceeds along all axes of the octant is no further, even rounded:
	// products and sums are monotonic.
	o := math.Float64bits(dir.X)>>63 | math.Float64bits(dir.Y)>>63<<1 | math.Float64bits(dir.Z)>>63<<2
	list := h.octants[h.octantStart[o]:h.octantStart[o+1]]
	best, most := list[0], h.wide[list[0]].Dot(dir)
	for _, i := range list[1:] {
		if d := h.wide[i].Dot(dir); d > most {
			best, most = i, d
		}
	}
	return int(best)
}

// climb goes from vertex to neighbour as long as one is further along dir. On a convex solid a
// vertex without such a neighbour is the furthest of all.
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

// Contains reports whether p, in the hull's own space, is in the hull, faces included; false if p
// is NaN or infinite.
func (h *Hull) Contains(p geom.Vec3) bool {
	w := p.Wide()
	for i := range h.planes {
		if h.planes[i].normal.Dot(w) > h.planes[i].d {
			return false
		}
	}
	return p.IsFinite() && !h.IsEmpty()
}

// Distance returns the distance of p, in the hull's own space, from the hull, in metres: 0 inside,
// +Inf if the hull is empty or p is NaN or infinite.
func (h *Hull) Distance(p geom.Vec3) float32 {
	if h.IsEmpty() || !p.IsFinite() {
		return float32(math.Inf(1))
	}
	return float32(h.closest(p.Wide()).Sub(p.Wide()).Len())
}

// SignedDistance returns the distance of p, in the hull's own space, from the hull's surface, in
// metres: negative inside, where it is that of the nearest face. +Inf if the hull is empty or p is
// NaN or infinite.
func (h *Hull) SignedDistance(p geom.Vec3) float32 {
	if !h.Contains(p) {
		return h.Distance(p)
	}
	least := math.Inf(-1)
	for i := range h.planes {
		least = max(least, h.planes[i].normal.Dot(p.Wide())-h.planes[i].d)
	}
	return float32(least)
}

// ClosestPoint returns the point of the hull closest to p, in the hull's own space: p itself if p
// is inside. NaN in all components if the hull is empty or p is NaN or infinite.
func (h *Hull) ClosestPoint(p geom.Vec3) geom.Vec3 {
	if h.IsEmpty() || !p.IsFinite() {
		nan := float32(math.NaN())
		return geom.Vec3{X: nan, Y: nan, Z: nan}
	}
	return h.closest(p.Wide()).Narrow()
}

// closest returns the closest point of the faces that have p in front.
func (h *Hull) closest(p geom.DVec3) geom.DVec3 {
	best, least := p, math.Inf(1)
	for f := range h.planes {
		n := h.planes[f].normal
		gap := n.Dot(p) - h.planes[f].d
		if gap <= 0 {
			continue
		}
		corners := h.Face(f)
		over := true // the foot of the perpendicular from p is inside all edges
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

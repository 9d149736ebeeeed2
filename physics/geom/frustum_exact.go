package geom

import "math"

// Corners returns the eight corners of the frustum: four on the near plane, then four on the far
// plane, each from the lower left one counter-clockwise as the camera sees them. ok is false if a
// corner does not exist, because the far plane is infinitely far or the half-spaces are not closed.
func (f *Frustum) Corners() (corners [8]DVec3, ok bool) {
	for i := range corners {
		if corners[i], _, ok = f.corner(i); !ok {
			return [8]DVec3{}, false
		}
	}
	return corners, true
}

// Bounds returns a box around the frustum, rounded outward by a millionth. It is the unbounded box
// unless the frustum has eight well-defined corners: the far plane must be finite, and no three
// planes that meet may be nearly parallel (a field of view of more than 176°). It is empty if one
// of the half-spaces is.
func (f *Frustum) Bounds() AABB {
	b := EmptyAABB()
	for _, h := range f {
		if !(h.D < math.Inf(1)) {
			return b
		}
	}
	for i := range 8 {
		c, det, ok := f.corner(i)
		// If all eight points at which three planes meet are in the frustum, the frustum has no
		// other corners: every edge from one of them leads to another.
		if !ok || math.Abs(det) < 1e-3 || f.classify(c, DVec3{}, 0) != Contained {
			return everywhere()
		}
		s := float64(1e-6 * c.Len())
		b = b.Union(AABB{c.Sub(DVec3{s, s, s}).down(), c.Add(DVec3{s, s, s}).up()})
	}
	return b
}

// corner returns the common point of three of the planes and the determinant of their normals.
func (f *Frustum) corner(i int) (p DVec3, det float64, ok bool) {
	at := [8][3]int{{0, 2, 4}, {1, 2, 4}, {1, 3, 4}, {0, 3, 4}, {0, 2, 5}, {1, 2, 5}, {1, 3, 5}, {0, 3, 5}}[i]
	a, b, c := f[at[0]], f[at[1]], f[at[2]]
	// Cramer's rule.
	bc, ca, ab := b.Normal.Cross(c.Normal), c.Normal.Cross(a.Normal), a.Normal.Cross(b.Normal)
	det = a.Normal.Dot(bc)
	p = bc.Mul(a.D).AddMul(b.D, ca).AddMul(c.D, ab).Mul(1 / det)
	sum := p.X + p.Y + p.Z
	return p, det, sum-sum == 0
}

// OverlapsAABBExact reports whether a box and the frustum have a point in common, touching
// included. It is several times slower than [Frustum.OverlapsAABB], but exact for large boxes near
// an edge of the frustum too. The frustum may be unbounded.
//
// Either a face of the box reaches into the frustum, which clipping the face by the six planes
// shows (Sutherland and Hodgman 1974, "Reentrant polygon clipping"), or the whole frustum is in the
// box.
func (f *Frustum) OverlapsAABBExact(b AABB) bool {
	switch f.ClassifyAABB(b) {
	case Outside:
		return false
	case Contained:
		return true
	}
	lo, hi := b.Min.wide(), b.Max.wide()
	corner := func(i int) DVec3 {
		p := lo
		if i&1 != 0 {
			p.X = hi.X
		}
		if i&2 != 0 {
			p.Y = hi.Y
		}
		if i&4 != 0 {
			p.Z = hi.Z
		}
		return p
	}
	for _, face := range [6][4]int{{0, 2, 6, 4}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 3, 7, 6}, {0, 1, 3, 2}, {4, 5, 7, 6}} {
		poly := polygon{n: 4}
		for i, c := range face {
			poly.p[i] = corner(c)
		}
		for i := 0; i < len(f) && poly.n > 0; i++ {
			poly.cut(&f[i])
		}
		if poly.n > 0 {
			return true
		}
	}
	// No face of the box reaches into the frustum. Then all of the frustum is in the box or all of
	// it is outside, so one of its points decides.
	corners, ok := f.Corners()
	if !ok {
		return false // an unbounded frustum is in no box
	}
	p := corners[0]
	return p.X >= lo.X && p.X <= hi.X && p.Y >= lo.Y && p.Y <= hi.Y && p.Z >= lo.Z && p.Z <= hi.Z
}

// polygon is a face during clipping. Each of the six planes adds at most one corner to a convex
// face of four.
type polygon struct {
	p [10]DVec3
	n int
}

// cut clips the polygon by the half-space.
func (g *polygon) cut(h *HalfSpace) {
	if math.IsInf(h.D, -1) {
		return
	}
	var out polygon
	prev := g.p[g.n-1]
	prevD := h.within(prev)
	for i := 0; i < g.n; i++ {
		p := g.p[i]
		d := h.within(p)
		if (d >= 0) != (prevD >= 0) && out.n < len(out.p) {
			out.p[out.n] = prev.AddMul(prevD/(prevD-d), p.Sub(prev))
			out.n++
		}
		if d >= 0 && out.n < len(out.p) {
			out.p[out.n] = p
			out.n++
		}
		prev, prevD = p, d
	}
	*g = out
}

// within returns the signed distance of a point from the plane plus the tolerance, positive in the
// half-space.
func (h *HalfSpace) within(p DVec3) float64 {
	d, rounding := h.reach(p)
	return d + rounding
}

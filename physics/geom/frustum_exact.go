package geom

import "math"

// Corners returns the eight corners of the frustum: the near ones, then the far ones, each from the
// lower left one counter-clockwise as the camera sees them. ok is false if there are none, because
// the far plane is infinitely far or the half-spaces do not close.
func (f *Frustum) Corners() (corners [8]DVec3, ok bool) {
	for i := range corners {
		if corners[i], _, ok = f.corner(i); !ok {
			return [8]DVec3{}, false
		}
	}
	return corners, true
}

// Bounds returns a box around the frustum, rounded outward by a millionth. It is infinite on all
// sides where the half-spaces don't make a frustum with eight corners, because the far plane is
// infinitely far, they are any half-spaces, or three that meet are too much alike to say where (a
// field of view of more than 176°). It is empty if one of them contains nothing.
func (f *Frustum) Bounds() AABB {
	b := EmptyAABB()
	for _, h := range f {
		if !(h.D < math.Inf(1)) {
			return b
		}
	}
	for i := range 8 {
		c, det, ok := f.corner(i)
		// Where all eight points at which three planes meet are in the frustum they are all of its
		// corners: every edge from one of them leads to another.
		if !ok || math.Abs(det) < 1e-3 || f.classify(c, DVec3{}, 0) != Contained {
			return everywhere()
		}
		s := float64(1e-6 * c.Len())
		b = b.Union(AABB{c.Sub(DVec3{s, s, s}).down(), c.Add(DVec3{s, s, s}).up()})
	}
	return b
}

// corner returns the point that three of the planes have in common, and the volume that their
// normals span.
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
// included. It takes some times as long as [Frustum.OverlapsAABB] and is not fooled by large boxes
// near an edge. The frustum may be open to infinity.
//
// Either some face of the box reaches into the frustum, which is found by cutting the face off at
// the six planes (Sutherland and Hodgman, 1974), or the whole frustum is in the box.
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
	// No face reaches in: the frustum is in the box, or away from it, with all that it has. One
	// point of it tells.
	corners, ok := f.Corners()
	if !ok {
		return false // what is open to infinity is in no box
	}
	p := corners[0]
	return p.X >= lo.X && p.X <= hi.X && p.Y >= lo.Y && p.Y <= hi.Y && p.Z >= lo.Z && p.Z <= hi.Z
}

// polygon is a face while it is being cut off. Each of six planes adds one corner to a convex face
// at most.
type polygon struct {
	p [10]DVec3
	n int
}

// cut leaves of the polygon what is in the half-space.
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

// within returns the distance of a point within the half-space, rounding forgiven.
func (h *HalfSpace) within(p DVec3) float64 {
	d, rounding := h.reach(p)
	return d + rounding
}

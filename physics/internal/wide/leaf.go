package wide

import "unsafe"

// The first test of a ray with the triangles of a leaf. Nearly all triangles that the ray misses
// are rejected by the signs of their edge functions; hit.go decides about the rest.

// lanes returns a bit mask of the lanes of a leaf in which the ray may pass through the triangle:
// all in which it does, and those in which a product of two edge functions vanishes.
func (q *Ray) lanes(t *Tree, r ref) uint32 {
	if r.kind() == kindPacked {
		return q.packed(t.packed(r))
	}
	return q.loose(t.loose(r))
}

func (q *Ray) packed(l *packed) (lanes uint32) {
	v := unsafe.Pointer(&l.vertex)
	xs, ys, zs := rowOf(v, q.axis[0]), rowOf(v, q.axis[1]), rowOf(v, q.axis[2])
	ox, oy, oz, sx, sy := q.origin[0], q.origin[1], q.origin[2], q.sx, q.sy
	var x, y [width]float32
	for i := range min(l.vertices(), width) {
		z := zs[i] - oz
		x[i], y[i] = xs[i]-ox-float32(sx*z), ys[i]-oy-float32(sy*z)
	}
	for lane := range l.count() {
		lane &= width - 1
		p, q, r := l.corner[0][lane]&(width-1), l.corner[1][lane]&(width-1), l.corner[2][lane]&(width-1)
		if passedBy(x[p], y[p], x[q], y[q], x[r], y[r]) {
			continue
		}
		lanes |= 1 << lane
	}
	return lanes
}

func (q *Ray) loose(l *loose) (lanes uint32) {
	ox, oy, oz, sx, sy := q.origin[0], q.origin[1], q.origin[2], q.sx, q.sy
	a, b, c := unsafe.Pointer(&l.corner[0]), unsafe.Pointer(&l.corner[1]), unsafe.Pointer(&l.corner[2])
	for lane := range l.count() {
		lane &= width - 1
		z := rowOf(a, q.axis[2])[lane] - oz
		ax, ay := rowOf(a, q.axis[0])[lane]-ox-float32(sx*z), rowOf(a, q.axis[1])[lane]-oy-float32(sy*z)
		z = rowOf(b, q.axis[2])[lane] - oz
		bx, by := rowOf(b, q.axis[0])[lane]-ox-float32(sx*z), rowOf(b, q.axis[1])[lane]-oy-float32(sy*z)
		z = rowOf(c, q.axis[2])[lane] - oz
		cx, cy := rowOf(c, q.axis[0])[lane]-ox-float32(sx*z), rowOf(c, q.axis[1])[lane]-oy-float32(sy*z)
		if passedBy(ax, ay, bx, by, cx, cy) {
			continue
		}
		lanes |= 1 << lane
	}
	return lanes
}

// passedBy reports whether the ray passes two edges of a sheared triangle on different sides. A
// product is negative only if its edge functions differ in sign. Where a product vanishes, or only
// the first and the last edge differ, meet decides.
func passedBy(ax, ay, bx, by, cx, cy float32) bool {
	ea := float32(cx*by) - float32(cy*bx)
	eb := float32(ax*cy) - float32(ay*cx)
	ec := float32(bx*ay) - float32(by*ax)
	return min(ea*eb, eb*ec) < 0
}

// rowOf returns the coordinates of eight points along an axis, given as axis index times row.
func rowOf(v unsafe.Pointer, axis uint32) *[width]float32 {
	return (*[width]float32)(unsafe.Add(v, uintptr(axis)))
}

// corners points to the x of the corners of a triangle in a leaf. y lies one row behind, z two.
type corners struct{ a, b, c unsafe.Pointer }

func (t *Tree) corners(r ref, lane int) corners {
	lane &= width - 1
	if r.kind() == kindLoose {
		c := &t.loose(r).corner
		return corners{unsafe.Pointer(&c[0][0][lane]), unsafe.Pointer(&c[1][0][lane]), unsafe.Pointer(&c[2][0][lane])}
	}
	l := t.packed(r)
	v := &l.vertex[0]
	return corners{
		unsafe.Pointer(&v[l.corner[0][lane]&(width-1)]),
		unsafe.Pointer(&v[l.corner[1][lane]&(width-1)]),
		unsafe.Pointer(&v[l.corner[2][lane]&(width-1)]),
	}
}

// along returns a coordinate of a corner, by its axis index times row.
func along(p unsafe.Pointer, axis uint32) float32 { return *(*float32)(unsafe.Add(p, uintptr(axis))) }

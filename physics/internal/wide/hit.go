package wide

import (
	"math"
	"unsafe"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// The exact hit of a ray and a triangle, and its point and normal: what geom computes, to the bit,
// in fewer steps and with fewer branches.

// meet finds where the ray meets a triangle, as geom.TriangleCaster does, clamped to the triangle's
// own box; false if it misses from the ray's low to high, or if the triangle is culled. It sets T,
// the weights of the second and the third corner, and the side; with a nil f it only reports.
func (q *Ray) meet(f *found, ray *geom.Ray, k corners, high int32) bool {
	first, second, last := q.axis[0], q.axis[1], q.axis[2]
	ox, oy, oz, sx, sy := q.origin[0], q.origin[1], q.origin[2], q.sx, q.sy
	ax, ay, az := along(k.a, first), along(k.a, second), along(k.a, last)
	bx, by, bz := along(k.b, first), along(k.b, second), along(k.b, last)
	cx, cy, cz := along(k.c, first), along(k.c, second), along(k.c, last)
	a, b, c := point{z: az - oz}, point{z: bz - oz}, point{z: cz - oz}
	a.x, a.y = ax-ox-float32(sx*a.z), ay-oy-float32(sy*a.z)
	b.x, b.y = bx-ox-float32(sx*b.z), by-oy-float32(sy*b.z)
	c.x, c.y = cx-ox-float32(sx*c.z), cy-oy-float32(sy*c.z)
	ea := float32(c.x*b.y) - float32(c.y*b.x)
	eb := float32(a.x*c.y) - float32(a.y*c.x)
	ec := float32(b.x*a.y) - float32(b.y*a.x)
	det := ea + eb + ec
	// If edges are passed on both sides, one of them is not on the determinant's side.
	negative := math.Float32bits(det) >> 31
	side := math.Float32frombits(one32 | negative<<31)
	if det == 0 || det-det != 0 || min(float32(ea*side), float32(eb*side), float32(ec*side)) < 0 {
		return false
	}
	if (negative-1)&q.turn^q.flip == 0 {
		return false
	}
	from, to := q.within(k)
	if from > to || to < q.low || from > high {
		return false
	}
	if f == nil && from >= q.low && to <= high {
		return true
	}

	dir := (*[3]float32)(unsafe.Pointer(&ray.Dir))
	dz := float64(q.dz)
	wx, wy := float64(dir[first/row%3])/dz, float64(dir[second/row%3])/dz
	wa := shearWide(ax, ay, az, ox, oy, oz, wx, wy)
	wb := shearWide(bx, by, bz, ox, oy, oz, wx, wy)
	wc := shearWide(cx, cy, cz, ox, oy, oz, wx, wy)
	turn := float64(side)
	da := float64((float64(wc.x*wb.y) - float64(wc.y*wb.x)) * turn)
	db := float64((float64(wa.x*wc.y) - float64(wa.y*wc.x)) * turn)
	dc := float64((float64(wb.x*wa.y) - float64(wb.y*wa.x)) * turn)
	sum := da + db + dc
	t := float32((float64(da*wa.z) + float64(db*wb.z) + float64(dc*wc.z)) / float64(sum*dz))
	if !(da >= 0 && db >= 0 && dc >= 0 && sum > 0) {
		t = (float32(ea*a.z) + float32(eb*b.z) + float32(ec*c.z)) / det / q.dz
	}
	at := min(max(bitsOf(t+0), from), to)
	if at < q.low || at > high {
		return false
	}
	if f != nil {
		f.t, f.u, f.v, f.back = at, eb/det+0, ec/det+0, (det > 0) != (q.dz > 0)
	}
	return true
}

const one32 = 0x3f800000 // the bits of 1

// point is a corner in the space in which the ray runs along z through the origin; z itself is only
// translated.
type point struct{ x, y, z float32 }

type widePoint struct{ x, y, z float64 }

func shearWide(x, y, z, ox, oy, oz float32, wx, wy float64) widePoint {
	d := float64(z) - float64(oz)
	return widePoint{float64(x) - float64(ox) - float64(wx*d), float64(y) - float64(oy) - float64(wy*d), d}
}

// within is own, without a branch.
func (q *Ray) within(k corners) (from, to int32) {
	nearX, farX := q.sides(k, 0)
	nearY, farY := q.sides(k, 1)
	nearZ, farZ := q.sides(k, 2)
	return q.interval(nearX, farX, nearY, farY, nearZ, farZ, math.MinInt32, infBits)
}

// sides returns the near and the far side of a triangle's own box along an axis: the least and the
// greatest coordinate if the ray goes upward, so that its inverse is negative, and the other way
// round if it does not.
func (q *Ray) sides(k corners, axis int) (near, far float32) {
	up := math.Float32frombits(one32 | ^math.Float32bits(q.inverse[axis])&(1<<31))
	down := -up
	a, b, c := along(k.a, uint32(row*axis)), along(k.b, uint32(row*axis)), along(k.c, uint32(row*axis))
	near = float32(min(float32(a*up), float32(b*up), float32(c*up)) * up)
	far = float32(min(float32(a*down), float32(b*down), float32(c*down)) * down)
	return near, far
}

// fill writes the geom.Hit of a found hit.
func (t *Tree) fill(hit *geom.Hit, r *geom.Ray, f *found) {
	tri := t.triangle(f.leaf, int(f.lane))
	f.fill(hit, r, &tri)
}

func (f *found) fill(hit *geom.Hit, r *geom.Ray, tri *geom.Triangle) {
	at := math.Float32frombits(uint32(f.t))

	ax, ay, az := float64(tri.A.X), float64(tri.A.Y), float64(tri.A.Z)
	bx, by, bz := float64(tri.B.X)-ax, float64(tri.B.Y)-ay, float64(tri.B.Z)-az
	cx, cy, cz := float64(tri.C.X)-ax, float64(tri.C.Y)-ay, float64(tri.C.Z)-az
	nx := float64(by*cz) - float64(bz*cy)
	ny := float64(bz*cx) - float64(bx*cz)
	nz := float64(bx*cy) - float64(by*cx)
	l := float64(nx*nx) + float64(ny*ny) + float64(nz*nz)
	if !(1e-200 < l && l < 1e200) {
		// The normal is zero, or rounding may have bent it; geom handles that case. All others,
		// once flipped, face against the ray as far as float64 resolves, which is less than geom
		// tolerates.
		*hit = tri.Hit(*r, at, f.u, f.v, f.back)
		hit.Triangle = f.triangle
		return
	}
	dx, dy, dz := float64(r.Dir.X), float64(r.Dir.Y), float64(r.Dir.Z)
	// Flipped without a branch, as the side is unpredictable.
	away := 0 - (float64(nx*dx) + float64(ny*dy) + float64(nz*dz))
	s := math.Float64frombits(math.Float64bits(1/math.Sqrt(l)) ^ math.Float64bits(away)&(1<<63))
	nx, ny, nz = float64(nx*s), float64(ny*s), float64(nz*s)
	wide := float64(at)
	hit.T, hit.U, hit.V = at, f.u, f.v
	hit.Point.X = float32(float64(r.Origin.X) + float64(wide*dx))
	hit.Point.Y = float32(float64(r.Origin.Y) + float64(wide*dy))
	hit.Point.Z = float32(float64(r.Origin.Z) + float64(wide*dz))
	hit.Normal.X, hit.Normal.Y, hit.Normal.Z = float32(nx+0), float32(ny+0), float32(nz+0)
	hit.Triangle, hit.BackFace, hit.Inside = f.triangle, f.back, false
}

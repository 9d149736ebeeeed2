package wide

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// What a hit is beyond the triangle and whether there is one. It is what geom makes of it, to the bit, in fewer steps.

// meet returns where the ray meets a triangle that it hits, and what the second and the third corner weigh, as
// geom.TriangleCaster does.
func (w *walk) meet(tri *geom.Triangle) (t, u, v float32, back bool) {
	p, q, r := w.shear(tri.A), w.shear(tri.B), w.shear(tri.C)
	ea := float32(r.x*q.y) - float32(r.y*q.x)
	eb := float32(p.x*r.y) - float32(p.y*r.x)
	ec := float32(q.x*p.y) - float32(q.y*p.x)
	det := ea + eb + ec
	t, ok := w.distance(tri, det > 0)
	if !ok {
		t = (float32(ea*p.z) + float32(eb*q.z) + float32(ec*r.z)) / det / w.dz
	}
	return t + 0, eb/det + 0, ec/det + 0, (det > 0) != (w.dz > 0)
}

// distance returns T in double precision; positive is the sign of the determinant. ok is false where the ray passes just outside.
func (w *walk) distance(tri *geom.Triangle, positive bool) (t float32, ok bool) {
	p, q, r := w.shearWide(tri.A), w.shearWide(tri.B), w.shearWide(tri.C)
	ea := float64(r.x*q.y) - float64(r.y*q.x)
	eb := float64(p.x*r.y) - float64(p.y*r.x)
	ec := float64(q.x*p.y) - float64(q.y*p.x)
	if !positive {
		ea, eb, ec = -ea, -eb, -ec
	}
	det := ea + eb + ec
	t = float32((float64(ea*p.z) + float64(eb*q.z) + float64(ec*r.z)) / float64(det*float64(w.dz)))
	return t, ea >= 0 && eb >= 0 && ec >= 0 && det > 0
}

type widePoint struct{ x, y, z float64 }

func (w *walk) shearWide(v geom.Vec3) widePoint {
	a := [4]float32{v.X, v.Y, v.Z}
	z := float64(a[w.axis[2]/row&3]) - float64(w.origin[2])
	return widePoint{
		float64(a[w.axis[0]/row&3]) - float64(w.origin[0]) - float64(w.wx*z),
		float64(a[w.axis[1]/row&3]) - float64(w.origin[1]) - float64(w.wy*z),
		z,
	}
}

// fill makes a hit of what was found.
func (w *walk) fill(hit *geom.Hit, f *found) {
	r := &w.ray
	tri := w.tree.triangle(f.leaf, int(f.lane))
	t := math.Float32frombits(uint32(f.t))

	ax, ay, az := float64(tri.A.X), float64(tri.A.Y), float64(tri.A.Z)
	bx, by, bz := float64(tri.B.X)-ax, float64(tri.B.Y)-ay, float64(tri.B.Z)-az
	cx, cy, cz := float64(tri.C.X)-ax, float64(tri.C.Y)-ay, float64(tri.C.Z)-az
	nx := float64(by*cz) - float64(bz*cy)
	ny := float64(bz*cx) - float64(bx*cz)
	nz := float64(bx*cy) - float64(by*cx)
	l := float64(nx*nx) + float64(ny*ny) + float64(nz*nz)
	if !(1e-200 < l && l < 1e200) {
		// The normal has no direction, or rounding may have bent it; geom says what comes of it. All others, once turned, go against
		// the ray as far as double precision can tell, which is less than geom lets pass.
		*hit = tri.Hit(*r, t, f.u, f.v, f.back)
		hit.Triangle = f.triangle
		return
	}
	dx, dy, dz := float64(r.Dir.X), float64(r.Dir.Y), float64(r.Dir.Z)
	// Turned around without a branch, as no one can foretell the side.
	away := 0 - (float64(nx*dx) + float64(ny*dy) + float64(nz*dz))
	s := math.Float64frombits(math.Float64bits(1/math.Sqrt(l)) ^ math.Float64bits(away)&(1<<63))
	nx, ny, nz = float64(nx*s), float64(ny*s), float64(nz*s)
	at := float64(t)
	hit.T, hit.U, hit.V = t, f.u, f.v
	hit.Point.X = float32(float64(r.Origin.X) + float64(at*dx))
	hit.Point.Y = float32(float64(r.Origin.Y) + float64(at*dy))
	hit.Point.Z = float32(float64(r.Origin.Z) + float64(at*dz))
	hit.Normal.X, hit.Normal.Y, hit.Normal.Z = float32(nx+0), float32(ny+0), float32(nz+0)
	hit.Triangle, hit.BackFace, hit.Inside = f.triangle, f.back, false
}

package wide

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// fill makes of a found hit what geom makes of it, to the bit, but in one stretch.
func (w *walk) fill(hit *geom.Hit, r *geom.Ray, f *found) {
	var ax, ay, az, bx, by, bz, cx, cy, cz float64
	lane := f.lane & (width - 1)
	if f.leaf&3 == kindPacked {
		p := w.tree.packed(f.leaf)
		i, j, k := p.corner[0][lane]&7, p.corner[1][lane]&7, p.corner[2][lane]&7
		x, y, z := &p.vertex[0], &p.vertex[1], &p.vertex[2]
		ax, ay, az = float64(x[i]), float64(y[i]), float64(z[i])
		bx, by, bz = float64(x[j])-ax, float64(y[j])-ay, float64(z[j])-az
		cx, cy, cz = float64(x[k])-ax, float64(y[k])-ay, float64(z[k])-az
	} else {
		l := &w.tree.loose(f.leaf).corner
		ax, ay, az = float64(l[0][0][lane]), float64(l[0][1][lane]), float64(l[0][2][lane])
		bx, by, bz = float64(l[1][0][lane])-ax, float64(l[1][1][lane])-ay, float64(l[1][2][lane])-az
		cx, cy, cz = float64(l[2][0][lane])-ax, float64(l[2][1][lane])-ay, float64(l[2][2][lane])-az
	}
	nx := float64(by*cz) - float64(bz*cy)
	ny := float64(bz*cx) - float64(bx*cz)
	nz := float64(bx*cy) - float64(by*cx)
	dx, dy, dz := float64(r.Dir.X), float64(r.Dir.Y), float64(r.Dir.Z)
	l := float64(nx*nx) + float64(ny*ny) + float64(nz*nz)
	// Turned around without a branch, as no one can foretell the side.
	away := 0 - (float64(nx*dx) + float64(ny*dy) + float64(nz*dz))
	s := math.Float64frombits(math.Float64bits(1/math.Sqrt(l)) ^ math.Float64bits(away)&(1<<63))
	nx, ny, nz = float64(nx*s), float64(ny*s), float64(nz*s)
	// Where the normal is no more than noise geom says what comes of it.
	t, u, v := math.Float32frombits(uint32(f.t)), f.eb/f.det+0, f.ec/f.det+0 // + 0 turns −0 into 0
	back := (f.det > 0) != (w.dz > 0)
	if !(1e-200 < l && l < 1e200) {
		// The normal has no direction, or rounding may have bent it; geom says what comes of it. All others, once turned, go against
		// the ray as far as double precision can tell, which is less than geom lets pass.
		*hit = w.tree.triangle(f.leaf, int(f.lane)).Hit(*r, t, u, v, back)
		hit.Triangle = f.triangle
		return
	}
	at := float64(t)
	hit.T, hit.U, hit.V = t, u, v
	hit.Point.X = float32(float64(r.Origin.X) + float64(at*dx))
	hit.Point.Y = float32(float64(r.Origin.Y) + float64(at*dy))
	hit.Point.Z = float32(float64(r.Origin.Z) + float64(at*dz))
	hit.Normal.X, hit.Normal.Y, hit.Normal.Z = float32(nx+0), float32(ny+0), float32(nz+0)
	hit.Triangle, hit.BackFace, hit.Inside = f.triangle, back, false
}

package picking

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// View is a camera with the viewport that it fills: all it takes to go from the cursor to a ray,
// and from a point in the world to its place in the window. It is a plain value; its methods
// allocate nothing and may be called from many goroutines.
type View struct {
	Camera
	Viewport
}

// Ray returns the ray through the centre of the pixel under the cursor, in the world, from the near
// plane to the far plane. Dir is a unit vector: T is the distance in metres from the near plane,
// and MaxT is the distance to the far plane, 0 if that is infinitely far.
//
// It goes through the centre and not through the cursor, because that is where a renderer looks for
// what fills a pixel. ok is false, and the ray zero, if the cursor is not over the viewport, the
// viewport is empty, or the camera has no projection, or holds a NaN or an infinity.
func (v View) Ray(cx, cy float64) (r geom.Ray, ok bool) {
	px, py, ok := v.Pixel(cx, cy)
	if !ok {
		return geom.Ray{}, false
	}
	r = v.PixelRay(px, py)
	return r, r != geom.Ray{}
}

// PixelRay returns the ray of [View.Ray] for a framebuffer pixel, py counted from the bottom. The
// pixel may lie outside the viewport. The ray is zero, and a miss, if there is none.
func (v View) PixelRay(px, py int) geom.Ray { return v.RayAt(float64(px)+0.5, float64(py)+0.5) }

// RayAt returns the ray of [View.Ray] for any place in the framebuffer: x and y are in pixels from
// its lower left corner, and pixel centres are at halves. The place may lie outside the viewport.
// The ray is zero, and a miss, if there is none.
func (v View) RayAt(x, y float64) geom.Ray {
	if v.Width <= 0 || v.Height <= 0 {
		return geom.Ray{}
	}
	x, y = v.toClip(x, y)
	from, dir, length, ok := v.Projection.line(x, y, v.Aspect())
	if !ok {
		return geom.Ray{}
	}
	r := geom.Ray{Origin: v.world(from).Narrow(), Dir: turn(v.Rotation, dir).Narrow()}
	if length <= math.MaxFloat32 {
		r.MaxT = max(float32(length), math.SmallestNonzeroFloat32) // 0 would mean no limit
	}
	if !r.IsValid() || math.IsNaN(length) { // a NaN length would pass for no limit
		return geom.Ray{}
	}
	return r
}

// Project returns where a point of the world is seen: x and y in the window, as the cursor is
// counted, and the depth as the depth buffer has it, between 0 and 1 from the near to the far
// plane, or from 1 to 0 if reversed.
//
// ok is true for every point before the eye, also beside the viewport and beyond the planes. Behind
// the eye it is false, and x and y are those of the picture upside down, which still tell the side
// on which the point is. Where there is no answer at all (empty viewport, no projection, a point in
// the plane of the eye, NaN) all are zero.
func (v View) Project(p geom.Vec3) (x, y, depth float64, ok bool) { return v.project(p.Wide()) }

func (v View) project(p geom.DVec3) (x, y, depth float64, ok bool) {
	if v.IsEmpty() {
		return 0, 0, 0, false
	}
	c, w := v.Projection.Matrix(v.Aspect()).Apply(v.local(p), 1)
	x, y = v.toWindow(v.fromClip(c.X/w, c.Y/w))
	depth = v.Projection.clip.depth(c.Z / w)
	if !isFinite(x) || !isFinite(y) || !isFinite(depth) {
		return 0, 0, 0, false
	}
	return x, y, depth, w > 0
}

// Unproject returns the point of the world that [View.Project] sends to (x, y) in the window, at a
// depth as the depth buffer has it. The cursor is taken as it is and not moved to the pixel's
// centre.
//
// ok is false if there is no such point before the eye. For one behind it, the point is returned
// all the same; otherwise it is zero.
func (v View) Unproject(x, y, depth float64) (p geom.Vec3, ok bool) {
	wide, ok := v.unproject(x, y, depth)
	if p = wide.Narrow(); !p.IsFinite() {
		return geom.Vec3{}, false
	}
	return p, ok
}

func (v View) unproject(x, y, depth float64) (p geom.DVec3, ok bool) {
	if v.IsEmpty() {
		return p, false
	}
	inv, ok := v.Projection.Matrix(v.Aspect()).Inverse()
	if !ok {
		return p, false
	}
	x, y = v.toClip(v.toFramebuffer(x, y))
	h, w := inv.Apply(geom.DVec3{X: x, Y: y, Z: v.Projection.clip.clip(depth)}, 1)
	return v.world(h.Mul(1 / w)), w > 0
}

// Frustum returns the space that the camera sees, in the world. With an empty viewport it sees
// nothing.
func (v View) Frustum() geom.Frustum {
	if v.Width <= 0 || v.Height <= 0 {
		return FrustumOf(geom.Mat4{}, v.Projection.clip)
	}
	return FrustumOf(v.Camera.Matrix(v.Aspect()), v.Projection.clip)
}

func isFinite(x float64) bool { return x-x == 0 }

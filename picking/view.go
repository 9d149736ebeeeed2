package picking

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// View is a camera and the viewport it fills: it turns a cursor into a ray, and a point of the
// world into a place in the window. It is a plain value. Its methods allocate nothing and may be
// called from many goroutines.
type View struct {
	Camera
	Viewport
}

// Ray returns the ray in the world through the centre of the pixel under the cursor, from the near
// plane to the far plane. cx and cy are window pixels, Y downward. Dir is a unit vector: T is the
// distance in metres from the near plane. MaxT is the distance to the far plane, or 0, no limit, if
// that is at infinity.
//
// The ray goes through the pixel's centre and not through the cursor, because a renderer samples
// the scene at pixel centres. ok is false and the ray zero if the cursor is not over the viewport,
// the viewport is empty, or the camera has no projection or contains NaN or an infinity.
func (v View) Ray(cx, cy float64) (r geom.Ray, ok bool) {
	px, py, ok := v.Pixel(cx, cy)
	if !ok {
		return geom.Ray{}, false
	}
	r = v.PixelRay(px, py)
	return r, r != geom.Ray{}
}

// PixelRay returns the ray of [View.Ray] for a framebuffer pixel, py counted from the bottom. The
// pixel may lie outside the viewport. Without a ray (empty viewport, no projection, NaN) it returns
// the zero ray, a miss.
func (v View) PixelRay(px, py int) geom.Ray { return v.RayAt(float64(px)+0.5, float64(py)+0.5) }

// RayAt returns the ray of [View.Ray] for a place in the framebuffer: x and y are framebuffer
// pixels from its lower left corner, and pixel centres are at halves. The place may lie outside the
// viewport. Without a ray it returns the zero ray, a miss.
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
		r.MaxT = max(float32(length), math.SmallestNonzeroFloat32) // 0 means no limit
	}
	if !r.IsValid() || math.IsNaN(length) { // a NaN length has become MaxT 0, no limit
		return geom.Ray{}
	}
	return r
}

// Project returns where a point of the world is seen: x and y in window pixels from the upper left
// corner, Y downward, and the depth in the depth buffer: 0 at the near plane to 1 at the far plane,
// or 1 to 0 with reversed depth.
//
// ok is true for every point in front of the camera, also beside the viewport and beyond the
// clipping planes. Behind the camera ok is false, and x and y are mirrored through the image
// centre, so a caller can still find the side on which the point lies. All results are zero if
// there is none: an empty viewport, no projection, a point in the camera plane (w = 0), NaN.
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

// Unproject returns the point of the world that [View.Project] maps to (x, y) and depth. x and y
// are window pixels, not rounded to a pixel's centre; depth is that of the depth buffer.
//
// ok is false if the point is not in front of the camera. A point behind the camera is still
// returned; without any point (empty viewport, singular matrix) p is zero.
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

// Frustum returns the view frustum in the world. With an empty viewport it contains nothing.
func (v View) Frustum() geom.Frustum {
	if v.Width <= 0 || v.Height <= 0 {
		return FrustumOf(geom.Mat4{}, v.Projection.clip)
	}
	return FrustumOf(v.Camera.Matrix(v.Aspect()), v.Projection.clip)
}

func isFinite(x float64) bool { return x-x == 0 }

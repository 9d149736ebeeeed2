package picking

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Orbit is a camera that circles a target, as in editors and viewers: turn, pan, zoom. It only
// computes; the caller maps buttons and wheel to its methods.
type Orbit struct {
	Target geom.Vec3 // metres, world
	// Yaw is the angle about Y in radians. At 0 the camera is on the target's +Z side, at π/2 on
	// its +X side.
	Yaw float64
	// Pitch is the angle above the target's horizon in radians, −π/2 (straight below) to π/2
	// (straight above).
	Pitch    float64
	Distance float64 // from the camera to the target, metres

	// Bounds of the distance when zooming, in metres. 0 means [DefaultMinDistance] and
	// [DefaultMaxDistance].
	MinDistance, MaxDistance float64

	Projection Projection // if orthographic, zooming scales it
}

// Default bounds of an [Orbit]'s distance. Beyond either, the rounding of single precision becomes
// visible.
const (
	DefaultMinDistance = 1e-3 // metres
	DefaultMaxDistance = 1e6  // metres
)

// Camera returns the camera of the orbit. A pitch or a distance out of bounds is clamped.
func (o Orbit) Camera() Camera {
	// Yaw and pitch without an up vector have no singular direction in which the camera flips.
	c := Camera{Rotation: geom.QuatEuler(o.Yaw, -clampPitch(o.Pitch), 0), Projection: o.Projection}
	_, _, back := axes(c.Rotation)
	c.Position = o.Target.Wide().AddMul(o.clampDistance(o.Distance), back).Narrow()
	return c
}

// Rebase changes the target's position to the coordinates of a new origin, as [Camera.Rebase] does
// for a camera: from and to are the old and the new origin in absolute coordinates, in metres.
// Panics if an origin is NaN or infinite.
func (o *Orbit) Rebase(from, to geom.DVec3) { o.Target = rebase("Orbit", o.Target, from, to) }

// Turn moves the camera about the target by angles in radians. Pitch stops straight above and
// straight below the target. NaN or an infinity has no effect.
func (o *Orbit) Turn(yaw, pitch float64) {
	if !isFinite(yaw) || !isFinite(pitch) {
		return
	}
	o.Yaw = math.Remainder(o.Yaw+yaw, 2*math.Pi)
	o.Pitch = clampPitch(o.Pitch + pitch)
}

// Pan moves camera and target parallel to the image plane, so that the point at the target's depth
// under one place of the window moves to another. Places are in window pixels. It does nothing if
// the viewport is empty or the projection has no ray there.
func (o *Orbit) Pan(v Viewport, fromX, fromY, toX, toY float64) {
	from, ok := o.atTarget(v, fromX, fromY)
	to, ok2 := o.atTarget(v, toX, toY)
	if ok && ok2 {
		o.shift(from.Sub(to))
	}
}

// Zoom multiplies the distance to the target by factor, within the bounds: below 1 the camera moves
// closer. A factor that is not positive and finite has no effect.
func (o *Orbit) Zoom(factor float64) {
	if !(factor > 0) || math.IsInf(factor, 1) {
		return
	}
	before := o.clampDistance(o.Distance)
	o.Distance = o.clampDistance(before * factor)
	if o.Projection.kind == orthographic {
		// In a parallel projection the distance does not change the image; its rectangle does.
		o.Projection = o.Projection.scaled(o.Distance / before)
	}
}

// ZoomTo zooms as [Orbit.Zoom] does and then pans, so that the point at the target's depth under
// the cursor (window pixels) stays there.
func (o *Orbit) ZoomTo(v Viewport, cx, cy, factor float64) {
	from, ok := o.atTarget(v, cx, cy)
	o.Zoom(factor)
	to, ok2 := o.atTarget(v, cx, cy)
	if ok && ok2 {
		o.shift(from.Sub(to))
	}
}

// Frame moves the target to the centre of a box (world, metres) and the distance, within the
// bounds, to where the box's bounding sphere just fits into the image. An orthographic projection
// is scaled to fit. It does nothing if the box is empty or infinite, aspect is not positive, or the
// projection is off-centre or from [ProjectionOf].
func (o *Orbit) Frame(b geom.AABB, aspect float64) {
	radius := float64(b.HalfExtents().Len())
	if b.IsEmpty() || !isFinite(radius) || !(aspect > 0) || !o.Projection.symmetric {
		return
	}
	_, _, halfX, halfY := o.Projection.rectangle(aspect)
	half := math.Min(halfX, halfY)
	o.Target = b.Center()
	if o.Projection.kind == perspective {
		o.Distance = o.clampDistance(radius / math.Sin(math.Atan2(half, o.Projection.near)))
		return
	}
	// The distance does not change the image, but the near plane must not cut into the box.
	o.Distance = o.clampDistance(o.Projection.near + 2*radius)
	if radius > 0 {
		o.Projection = o.Projection.scaled(radius / half)
	}
}

// atTarget returns the point at the target's depth under a place of the window (window pixels), in
// camera space.
func (o *Orbit) atTarget(v Viewport, cx, cy float64) (geom.DVec3, bool) {
	if v.IsEmpty() {
		return geom.DVec3{}, false
	}
	x, y := v.toClip(v.toFramebuffer(cx, cy))
	from, dir, _, ok := o.Projection.line(x, y, v.Aspect())
	depth := o.clampDistance(o.Distance)
	p := from.AddMul((-depth-from.Z)/dir.Z, dir)
	return p, ok && isFinite(p.X) && isFinite(p.Y)
}

// shift moves the target by a vector in camera space, parallel to the image plane.
func (o *Orbit) shift(d geom.DVec3) {
	x, y, _ := axes(o.Camera().Rotation)
	o.Target = o.Target.Wide().AddMul(d.X, x).AddMul(d.Y, y).Narrow()
}

func clampPitch(pitch float64) float64 { return min(max(pitch, -math.Pi/2), math.Pi/2) }

func (o *Orbit) clampDistance(d float64) float64 {
	lo, hi := o.MinDistance, o.MaxDistance
	if lo <= 0 {
		lo = DefaultMinDistance
	}
	if hi <= 0 {
		hi = DefaultMaxDistance
	}
	return min(max(d, lo), hi)
}

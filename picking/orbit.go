package picking

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Orbit is a camera that circles a target, as in editors and viewers: drag to turn, drag to move,
// roll the wheel to come closer. It is pure arithmetic; what drag and wheel mean is up to the
// caller.
type Orbit struct {
	Target   geom.Vec3 // metres, world
	Yaw      float64   // radians about Y; 0: the camera stands on the target's +Z side, π/2: on its +X side
	Pitch    float64   // radians above the target's horizon, −π/2 to π/2: straight from below to straight from above
	Distance float64   // metres from the camera to the target

	// Zooming stops at these distances in metres; 0 means [DefaultMinDistance] and
	// [DefaultMaxDistance].
	MinDistance, MaxDistance float64

	Projection Projection // an orthographic one is scaled along when zooming
}

// The bounds of zooming where an [Orbit] says nothing: so near that single precision shows, and so
// far that it does.
const (
	DefaultMinDistance = 1e-3 // metres
	DefaultMaxDistance = 1e6  // metres
)

// Camera returns the camera where the orbit has it. A pitch or a distance beyond its bounds is
// taken as the bound.
func (o Orbit) Camera() Camera {
	// Two angles and no upward vector: there is no direction in which this one turns over.
	c := Camera{Rotation: geom.QuatEuler(o.Yaw, -clampPitch(o.Pitch), 0), Projection: o.Projection}
	_, _, back := axes(c.Rotation)
	c.Position = o.Target.Wide().AddMul(o.clampDistance(o.Distance), back).Narrow()
	return c
}

// Rebase gives the target the position it has as seen from another origin of the coordinates, as
// [Camera.Rebase] does for a camera: the zero lies at from before and at to after. Everything else
// stays. Panics if an origin is NaN or infinite.
func (o *Orbit) Rebase(from, to geom.DVec3) { o.Target = rebase("Orbit", o.Target, from, to) }

// Turn moves the camera about the target by angles in radians. Pitch stops straight above and
// straight below. A NaN or an infinity does nothing.
func (o *Orbit) Turn(yaw, pitch float64) {
	if !isFinite(yaw) || !isFinite(pitch) {
		return
	}
	o.Yaw = math.Remainder(o.Yaw+yaw, 2*math.Pi)
	o.Pitch = clampPitch(o.Pitch + pitch)
}

// Pan moves camera and target sideways, so that what is at the target's depth under one place of
// the window comes to be under another. It does nothing if there is no picture.
func (o *Orbit) Pan(v Viewport, fromX, fromY, toX, toY float64) {
	from, ok := o.atTarget(v, fromX, fromY)
	to, ok2 := o.atTarget(v, toX, toY)
	if ok && ok2 {
		o.shift(from.Sub(to))
	}
}

// Zoom multiplies the distance to the target by factor, within the bounds: below 1 it comes closer.
// A factor that is not positive and finite does nothing.
func (o *Orbit) Zoom(factor float64) {
	if !(factor > 0) || math.IsInf(factor, 1) {
		return
	}
	before := o.clampDistance(o.Distance)
	o.Distance = o.clampDistance(before * factor)
	if o.Projection.kind == orthographic {
		// Parallel lines look the same from any distance: what changes is how much of them is seen.
		o.Projection = o.Projection.scaled(o.Distance / before)
	}
}

// ZoomTo zooms as [Orbit.Zoom] does and then pans, so that what is at the target's depth under the
// cursor stays there.
func (o *Orbit) ZoomTo(v Viewport, cx, cy, factor float64) {
	from, ok := o.atTarget(v, cx, cy)
	o.Zoom(factor)
	to, ok2 := o.atTarget(v, cx, cy)
	if ok && ok2 {
		o.shift(from.Sub(to))
	}
}

// Frame turns the orbit's target to the middle of a box and its distance, within the bounds, to
// where the sphere around the box just fits into the picture. An orthographic projection is scaled
// to fit. Nothing happens if the box is empty or infinite, or the projection is off-centre or not
// of this package.
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
	// The distance does not show, but the near plane would if it cut into the box.
	o.Distance = o.clampDistance(o.Projection.near + 2*radius)
	if radius > 0 {
		o.Projection = o.Projection.scaled(radius / half)
	}
}

// atTarget returns the point under a place of the window at the target's depth, in the camera's
// space.
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

// shift moves the target by a vector of the camera's space, along the plane of the picture.
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

package picking

import (
	"math"

	"github.com/hitscan-go/hitscan/internal/enum"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// GizmoMode is what a [Gizmo] does to its object.
type GizmoMode uint8

const (
	// GizmoMove moves: arrows along the axes, squares between two of them, and a square in the
	// middle, which moves parallel to the image plane.
	GizmoMove GizmoMode = iota
	// GizmoTurn turns: a ring about each axis, and a larger one about the view direction, whose
	// handle is [HandleCenter].
	GizmoTurn
	// GizmoScale scales: with the handles of GizmoMove. The middle scales all axes by the same
	// factor: moving right and up enlarges.
	GizmoScale
)

// String returns the name of the constant without its prefix.
func (m GizmoMode) String() string { return enum.Name(m, "Move", "Turn", "Scale") }

// GizmoHandle is a part of a [Gizmo] that can be grabbed.
type GizmoHandle uint8

const (
	// NoHandle means no handle.
	NoHandle GizmoHandle = iota
	// HandleX is the arrow along the X axis, or the ring about it. HandleY and HandleZ are those of
	// the other axes.
	HandleX
	HandleY
	HandleZ
	// HandleYZ is the square between the Y and the Z axis. HandleZX and HandleXY are the other two.
	HandleYZ
	HandleZX
	HandleXY
	// HandleCenter is the square in the middle, or the ring about the view direction.
	HandleCenter
)

// String returns the name of the constant without its prefix, "None" for NoHandle.
func (h GizmoHandle) String() string {
	return enum.Name(h, "None", "X", "Y", "Z", "YZ", "ZX", "XY", "Center")
}

// axis returns the axis of an arrow or ring, 0 to 2; of a square, the axis perpendicular to it.
func (h GizmoHandle) isAxis() bool  { return h >= HandleX && h <= HandleZ }
func (h GizmoHandle) isPlane() bool { return h >= HandleYZ && h <= HandleXY }
func (h GizmoHandle) axis() int     { return (int(h) - 1) % 3 }

// Defaults of a [Gizmo], in window pixels.
const (
	DefaultGizmoSize   = 90
	DefaultGizmoMargin = 6
)

// Gizmo moves, turns and scales an object with handles that have the same size on screen at any
// distance. It only computes; [Gizmo.Lines] returns the lines to draw. Each frame call Hover with
// the pointer's ray or, while the button that began a drag is down, Drag. The zero Gizmo moves
// along the axes of the world.
//
// All transforms are in world space, also those of an object with a parent. Apply the results of
// Drag and Cancel to an entity with physecs.SetTransform or, if it has no parent, by writing its
// Transform.
type Gizmo struct {
	Mode GizmoMode
	// Local uses the object's axes instead of the world's. Scaling always uses the object's.
	Local bool
	// Size is the length of the arrows and the radius of the rings, in window pixels. 0 means
	// [DefaultGizmoSize].
	Size float64
	// Margin is how far beside a thin handle the pointer still grabs it, in window pixels. 0 means
	// [DefaultGizmoMargin].
	Margin float64

	// The snaps may be changed at any time, for example while a key is down.
	MoveSnap  Snap // metres along each axis
	TurnSnap  Snap // radians; Grid has no effect
	ScaleSnap Snap // steps of the factor, from 1; Grid has no effect

	hover, active GizmoHandle
	mode          GizmoMode      // at the start of the drag
	start         geom.Transform // of the object at the start of the drag
	frame         gizmoFrame     // at the start of the drag
	axis          AxisDrag
	plane         PlaneDrag
	ring          RingDrag
	factors       [3]float64 // factors of the axes in the drag
}

// gizmoFrame is a gizmo's position, orientation and size in the world.
type gizmoFrame struct {
	view      View
	origin    geom.DVec3
	axes      [3]geom.DVec3 // unit
	away      geom.DVec3    // view direction to the gizmo, unit
	right, up geom.DVec3    // in the image plane, unit
	normal    geom.DVec3    // of the image plane, unit; away from the camera if it is mirrored
	size      float64       // metres
	stretch   [3]float64    // factors of the handles along each axis
}

// frameOf returns the frame of a gizmo at a transform. ok is false if the gizmo is not visible.
func (g *Gizmo) frameOf(v View, t geom.Transform) (f gizmoFrame, ok bool) {
	if v.IsEmpty() || !t.IsFinite() {
		return f, false
	}
	f.view, f.origin = v, t.Position.Wide()
	f.axes = [3]geom.DVec3{{X: 1}, {Y: 1}, {Z: 1}}
	if g.Local || g.Mode == GizmoScale {
		f.axes[0], f.axes[1], f.axes[2] = axes(t.Rotation)
	}
	m := v.Camera.Matrix(v.Aspect())
	p, w := m.Apply(f.origin, 1)
	if !(w > 0) {
		return f, false
	}
	toOrigin := v.RayAt(v.fromClip(p.X/w, p.Y/w))
	f.away = toOrigin.Dir.Wide().Normalize()
	// x and y are the derivatives of the image coordinates by a movement in the image plane, in
	// which w is constant.
	across := geom.DVec3{X: m[3], Y: m[7], Z: m[11]}.Normalize()
	x, y := geom.DVec3{X: m[0], Y: m[4], Z: m[8]}, geom.DVec3{X: m[1], Y: m[5], Z: m[9]}
	y = y.AddMul(-y.Dot(across), across)
	f.up = y.Normalize()
	x = x.AddMul(-x.Dot(across), across)
	f.right = x.AddMul(-x.Dot(f.up), f.up).Normalize()
	f.normal = f.right.Cross(f.up)
	perMetre := y.Len() / w * float64(v.Height) / 2 * float64(v.Window.Height) / float64(v.Framebuffer.Height)
	size := g.Size
	if size == 0 {
		size = DefaultGizmoSize
	}
	f.size, f.stretch = size/perMetre, unstretched
	return f, f.away != geom.DVec3{} && f.right != geom.DVec3{} && f.size > 0 && isFinite(f.size)
}

var unstretched = [3]float64{1, 1, 1}

func (g *Gizmo) margin() float64 {
	if g.Margin == 0 {
		return DefaultGizmoMargin
	}
	return g.Margin
}

// Hover finds the handle under a pointer's ray, as [Gizmo.Begin] does, stores it for [Gizmo.Handle]
// and returns it. During a drag it returns the dragged handle.
func (g *Gizmo) Hover(v View, t geom.Transform, r geom.Ray) GizmoHandle {
	if g.active == NoHandle {
		g.hover = g.at(v, t, r)
	}
	return g.Handle()
}

// Handle returns the handle that is dragged, or else the one hovered last.
func (g *Gizmo) Handle() GizmoHandle {
	if g.active != NoHandle {
		return g.active
	}
	return g.hover
}

// Active reports whether a drag is in progress.
func (g *Gizmo) Active() bool { return g.active != NoHandle }

// Begin starts a drag of an object with a transform (world) by the handle under a ray, as when a
// button goes down. It returns false if there is no handle.
//
// The square in the middle comes first; then the arrow or ring nearest on screen within the margin,
// and of two within a pixel the one in front; then a square. Arrows that point nearly at the camera
// and squares seen nearly edge-on are hidden and cannot be grabbed.
func (g *Gizmo) Begin(v View, t geom.Transform, r geom.Ray) bool {
	g.hover, g.active = g.at(v, t, r), NoHandle
	f, ok := g.frameOf(v, t)
	if !ok || g.hover == NoHandle {
		return false
	}
	g.start, g.frame, g.mode, g.factors = t, f, g.Mode, unstretched
	h, at := g.hover, t.Position
	g.axis, g.plane, g.ring = AxisDrag{}, PlaneDrag{}, RingDrag{}
	switch {
	case g.Mode == GizmoTurn:
		ok = g.ring.Begin(r, at, g.turnAxis(h), float32(f.size))
	case h.isAxis():
		ok = g.axis.Begin(r, at, f.axes[h.axis()].Narrow())
	case h.isPlane():
		a, b := f.others(h)
		ok = g.plane.Begin(r, at, a.Narrow(), b.Narrow())
	default:
		ok = g.plane.Begin(r, at, f.right.Narrow(), f.up.Narrow())
	}
	if ok {
		g.active = h
	}
	return ok
}

// others returns the two axes perpendicular to that of a handle.
func (f *gizmoFrame) others(h GizmoHandle) (a, b geom.DVec3) {
	return f.axes[(h.axis()+1)%3], f.axes[(h.axis()+2)%3]
}

func (g *Gizmo) turnAxis(h GizmoHandle) geom.Vec3 {
	if h.isAxis() {
		return g.frame.axes[h.axis()].Narrow()
	}
	return g.frame.normal.Narrow()
}

// Drag returns the object's new transform (world). With the ray of Begin it is exactly the start
// transform, except after whole turns of a ring. Without a drag it is the zero Transform.
func (g *Gizmo) Drag(r geom.Ray) geom.Transform {
	t := g.start
	if g.active == NoHandle {
		return geom.Transform{}
	}
	switch g.mode {
	case GizmoTurn:
		g.ring.Snap = g.TurnSnap
		if angle := g.ring.Drag(r); angle != 0 {
			t.Rotation = geom.QuatAxisAngle(g.turnAxis(g.active), angle).Mul(t.Rotation.Normalize())
		}
	case GizmoScale:
		by := g.scale(r)
		if g.factors = [3]float64{by.X, by.Y, by.Z}; g.factors != unstretched {
			t.Scale = t.Factors().MulVec(by.Narrow())
		}
	default:
		t.Position = t.Position.Add(g.move(r))
	}
	return t
}

// move returns the movement of the object since Begin.
func (g *Gizmo) move(r geom.Ray) geom.Vec3 {
	g.axis.Snap, g.plane.Snap = g.MoveSnap, g.MoveSnap
	if g.active.isAxis() {
		return g.axis.Drag(r)
	}
	if g.active == HandleCenter {
		g.plane.Snap.Grid = false // the image plane has no grid
	}
	return g.plane.Drag(r)
}

// leastScale is the smallest factor of a drag: it keeps an object from being flattened or mirrored.
const leastScale = 0.01

// scale returns the factors of the drag along the object's axes.
func (g *Gizmo) scale(r geom.Ray) geom.DVec3 {
	f, h := &g.frame, g.active
	by := 0.0
	switch {
	case h.isAxis():
		by = ratio(g.axis.Distance(r), g.axis.grab, f.size)
	case h.isPlane():
		a, b := f.others(h)
		both := a.Add(b)
		by = ratio(g.plane.Drag(r).Wide().Dot(both), g.plane.grab.Sub(f.origin).Dot(both), f.size)
	default:
		by = g.plane.Drag(r).Wide().Dot(f.right.Add(f.up)) / f.size
	}
	factor := max(1+g.ScaleSnap.to(0, by), leastScale)
	all := [3]float64{factor, factor, factor}
	for i := range all {
		if h.isAxis() && i != h.axis() || h.isPlane() && i == h.axis() {
			all[i] = 1
		}
	}
	return geom.DVec3{X: all[0], Y: all[1], Z: all[2]}
}

// ratio returns a movement relative to the distance of the grab from the middle, or to the handle's
// length where the grab is too near the middle.
func ratio(move, grab, size float64) float64 {
	if grab < 0.05*size {
		grab = size
	}
	return move / grab
}

// End ends a drag, as when the button goes up.
func (g *Gizmo) End() { g.active = NoHandle }

// Cancel ends a drag and returns the transform that the object had before it, to restore. ok is
// false if there was no drag.
func (g *Gizmo) Cancel() (t geom.Transform, ok bool) {
	if g.active == NoHandle {
		return t, false
	}
	g.active = NoHandle
	return g.start, true
}

// isShown reports whether a handle is visible and can be grabbed from this direction.
func (g *Gizmo) isShown(f *gizmoFrame, h GizmoHandle) bool {
	if g.Mode == GizmoTurn {
		return h.isAxis() || h == HandleCenter
	}
	along := 0.0
	if h != HandleCenter {
		along = math.Abs(f.axes[h.axis()].Dot(f.away))
	}
	return h.isAxis() && along < 0.98 || h.isPlane() && along > 0.2 || h == HandleCenter
}

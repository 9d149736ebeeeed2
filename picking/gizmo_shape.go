package picking

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Places of the handles, as fractions of a gizmo's size.
const (
	arrowFrom    = 0.2
	squareFrom   = 0.3
	squareTo     = 0.55
	middleHalf   = 0.09
	outerRing    = 1.2
	ringSegments = 64
)

// GizmoLine is a line of a [Gizmo], to be drawn over everything else.
type GizmoLine struct {
	A, B   geom.Vec3 // world
	Handle GizmoHandle
	Lit    bool // its handle is hovered or dragged
}

// Lines appends the lines of the gizmo of an object with a transform (world) to dst and returns the
// extended slice: arrows with a head, or with a small cross for scaling, squares and rings as
// closed polylines. While a drag scales the object, the handles along the scaled axes scale too, so
// that the grabbed handle stays under the pointer. It appends nothing if the gizmo is not visible.
func (g *Gizmo) Lines(dst []GizmoLine, v View, t geom.Transform) []GizmoLine {
	f, ok := g.frameOf(v, t)
	if !ok {
		return dst
	}
	if g.active != NoHandle && g.mode == GizmoScale {
		f.stretch = g.factors
	}
	for h := HandleX; h <= HandleCenter; h++ {
		if !g.isShown(&f, h) {
			continue
		}
		lit := h == g.Handle()
		g.trace(&f, h, func(a, b geom.DVec3) {
			dst = append(dst, GizmoLine{a.Narrow(), b.Narrow(), h, lit})
		})
		if g.Mode != GizmoTurn && h.isAxis() {
			dst = g.head(dst, &f, h, lit)
		}
	}
	return dst
}

// head appends the tip of an arrow.
func (g *Gizmo) head(dst []GizmoLine, f *gizmoFrame, h GizmoHandle, lit bool) []GizmoLine {
	a, b := f.others(h)
	tip := f.origin.AddMul(f.size*f.stretch[h.axis()], f.axes[h.axis()])
	for _, side := range [4]geom.DVec3{a, b, a.Neg(), b.Neg()} {
		from := tip.AddMul(0.05*f.size, side)
		if g.Mode == GizmoMove {
			from = from.AddMul(-0.15*f.size, f.axes[h.axis()])
		}
		dst = append(dst, GizmoLine{tip.Narrow(), from.Narrow(), h, lit})
	}
	return dst
}

// trace calls line for each line of a handle. The lines of a square and of the middle are its
// outline.
func (g *Gizmo) trace(f *gizmoFrame, h GizmoHandle, line func(a, b geom.DVec3)) {
	switch {
	case g.Mode == GizmoTurn:
		a, b, radius := f.right, f.up, outerRing*f.size
		if h.isAxis() {
			a, b = f.others(h)
			radius = f.size
		}
		last := f.origin.AddMul(radius, a)
		for i := 1; i <= ringSegments; i++ {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / ringSegments)
			next := f.origin.AddMul(radius*cos, a).AddMul(radius*sin, b)
			line(last, next)
			last = next
		}
	case h.isAxis():
		axis, by := f.axes[h.axis()], f.stretch[h.axis()]
		line(f.origin.AddMul(arrowFrom*f.size*min(by, 1), axis), f.origin.AddMul(f.size*by, axis))
	default:
		corners := g.square(f, h)
		for i := range corners {
			line(corners[i], corners[(i+1)%4])
		}
	}
}

// square returns the corners of a square handle, or of the middle.
func (g *Gizmo) square(f *gizmoFrame, h GizmoHandle) [4]geom.DVec3 {
	a, b, lo, hi := f.right, f.up, -middleHalf*f.size, middleHalf*f.size
	switch {
	case h.isPlane():
		a, b = f.others(h)
		a, b = a.Mul(f.stretch[(h.axis()+1)%3]), b.Mul(f.stretch[(h.axis()+2)%3])
		lo, hi = squareFrom*f.size, squareTo*f.size
	case g.active == HandleCenter:
		a, b = a.Mul(f.stretch[0]), b.Mul(f.stretch[0]) // all factors are equal
	}
	at := func(x, y float64) geom.DVec3 { return f.origin.AddMul(x, a).AddMul(y, b) }
	return [4]geom.DVec3{at(lo, lo), at(hi, lo), at(hi, hi), at(lo, hi)}
}

// at returns the handle under a ray, by the rules in the docs of Begin.
func (g *Gizmo) at(v View, t geom.Transform, r geom.Ray) GizmoHandle {
	f, ok := g.frameOf(v, t)
	ray, valid := dragRayOf(r)
	if !ok || !valid {
		return NoHandle
	}
	// All handles are at about the same distance as the gizmo itself.
	x, y, _, ok := v.project(ray.from.AddMul(f.origin.Sub(ray.from).Len(), ray.dir))
	if !ok {
		return NoHandle
	}
	cursor := Point{x, y}
	best, nearest, depth := NoHandle, g.margin(), math.Inf(1)
	for h := HandleX; h <= HandleCenter; h++ {
		if !g.isShown(&f, h) || h.isPlane() || h == HandleCenter && g.Mode != GizmoTurn {
			continue
		}
		g.trace(&f, h, func(a, b geom.DVec3) {
			d, at, ok := f.beside(cursor, a, b)
			const alike = 1 // pixel: nearer than this, the one in front wins
			if ok && d <= g.margin() && (d < nearest-alike || d < nearest+alike && at < depth) {
				best, nearest, depth = h, d, at
			}
		})
	}
	if g.Mode == GizmoTurn {
		return best
	}
	if g.covers(&f, HandleCenter, cursor) {
		return HandleCenter
	}
	if best != NoHandle {
		return best
	}
	for h := HandleYZ; h <= HandleXY; h++ {
		a, b := f.others(h)
		if at := a.Add(b).Dot(f.away); g.isShown(&f, h) && at < depth && g.covers(&f, h, cursor) {
			best, depth = h, at
		}
	}
	return best
}

// beside returns how far a cursor is from the image of a line, in window pixels, and how far the
// line is behind the gizmo's origin there, in metres.
func (f *gizmoFrame) beside(c Point, a, b geom.DVec3) (distance, depth float64, ok bool) {
	ax, ay, _, okA := f.view.project(a)
	bx, by, _, okB := f.view.project(b)
	if !okA || !okB {
		return 0, 0, false
	}
	dx, dy := bx-ax, by-ay
	s := 0.0
	if sq := float64(dx*dx) + float64(dy*dy); sq > 0 {
		s = min(max((float64((c.X-ax)*dx)+float64((c.Y-ay)*dy))/sq, 0), 1)
	}
	return c.distance(Point{ax + float64(s*dx), ay + float64(s*dy)}), a.AddMul(s, b.Sub(a)).Sub(f.origin).Dot(f.away), true
}

// covers reports whether a cursor is within the image of a square handle.
func (g *Gizmo) covers(f *gizmoFrame, h GizmoHandle, c Point) bool {
	corners := g.square(f, h)
	positive, negative := false, false
	var p [4]Point
	for i, q := range corners {
		x, y, _, ok := f.view.project(q)
		if !ok {
			return false
		}
		p[i] = Point{x, y}
	}
	for i := range p {
		a, b := p[i], p[(i+1)%4]
		side := float64((b.X-a.X)*(c.Y-a.Y)) - float64((c.X-a.X)*(b.Y-a.Y))
		positive, negative = positive || side > 0, negative || side < 0
	}
	return positive != negative
}

package wide

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// The cast of a convex shape: the way of a point of it is cast at boxes that are grown by how far
// the shape reaches from that point along the axes, to each side as far as it does. Along the
// motion, which is along none of the axes, and across it, boxes and shape are compared as well: a
// large round shape touches what lies ahead much later than its bounds do, and goes past more. What
// is in a leaf is for the caller to say.
//
// What a shape hits counts only where its point is in the grown box of the triangle itself, and no
// earlier; the boxes of nodes are widened by more (shape_boxes.go). So the interval of T in a box
// holds those of the triangles within whatever the caller's numbers are, and neither the order of
// the walk nor the shape of the tree shows in an answer.

// shapeOwn is how much the box of a triangle is widened, in parts of the numbers. The map from the
// world, in which shapes and triangles meet, to the tree's space costs digits.
const shapeOwn = 0x1p-36

// ShapePath is the way of a convex shape in a tree's space: its origin is at Origin + T·Dir for Min
// ≤ T ≤ Max, and it reaches from Low to High around that. Pad is what rounding may get wrong of
// these, for each axis.
type ShapePath struct {
	Origin, Dir, Low, High, Pad geom.DVec3
	Min, Max                    float64
	// Ahead is the shape's front across its motion. Plane is another one, which what is called for
	// hits may change: as a rule to the plane by which the nearest of them touches. Of a surface
	// that curves away from it, that leaves little to look at.
	Ahead, Plane Front
	// Beside are planes that the shape goes along: a point p is never touched if V·p is more than
	// At. They are of use only where it goes far, and are looked at if HasBeside is set.
	Beside    [4]Front
	HasBeside bool
}

// Front is a plane that goes before a shape: no point p is touched before the T that is V·p − At. A
// zero V says nothing. Size is that of the numbers that At is the sum of.
type Front struct {
	V        geom.DVec3
	At, Size float64
}

// ShapeWalk finds the triangles that a shape may touch on its way, those in nearer leaves first. It
// is large, and made to be kept and used again.
type ShapeWalk struct {
	shapeBoxes
	// Triangle, ID and From are what [ShapeWalk.Next] found: a triangle, its number and a T before
	// which it is not touched.
	Triangle geom.Triangle
	From     float64
	ID       int32

	lane  int // of the leaf at hand, that comes next
	lanes int
	limit float32
	tree  *Tree
	path  *ShapePath
	// For each axis: the origins from which the near and the far side of a triangle's box are
	// counted, 1/Dir, and whether the upper side is the near one.
	nearOwn, farOwn, inverseOwn [3]float64
	sideOwn                     [3]int
	lowOwn, highOwn             float64
	size                        geom.DVec3 // no coordinate in the tree is larger
	ahead, plane                front
	beside                      [4]front
}

// Start begins a walk; false if the shape can hit nothing, which is mostly so of short ways: no
// leaf is near. The planes of the path are not looked at, and need not be known, before Aim. The
// path is kept until Stop, and may be changed as it says.
func (w *ShapeWalk) Start(t *Tree, p *ShapePath) bool {
	sum := total(p.Origin) + total(p.Dir) + total(p.Low) + total(p.High) + total(p.Pad) + p.Min
	if t.IsEmpty() || !(sum <= math.MaxFloat64) || !(p.Min >= 0 && p.Min <= p.Max) {
		return false
	}
	w.tree, w.path, w.limit = t, p, inf32
	w.planes = 0
	w.prepare(t, p)
	if !w.next() {
		return false
	}
	w.lane, w.lanes = 0, t.info(w.leaf).count()
	return true
}

// Aim makes the walk ready to look at triangles; false if the shape can hit nothing.
func (w *ShapeWalk) Aim() bool {
	p, bounds := w.path, &w.tree.bounds
	if !(total(p.Ahead.V)+math.Abs(p.Ahead.At)+p.Ahead.Size <= math.MaxFloat64) {
		return false
	}
	w.slab(0, p.Origin.X, p.Dir.X, p.Low.X, p.High.X, p.Pad.X)
	w.slab(1, p.Origin.Y, p.Dir.Y, p.Low.Y, p.High.Y, p.Pad.Y)
	w.slab(2, p.Origin.Z, p.Dir.Z, p.Low.Z, p.High.Z, p.Pad.Z)
	w.lowOwn, w.highOwn = p.Min+0, p.Max+0
	w.size = bounds.Min.Abs().Max(bounds.Max.Abs()).Wide()
	if p.HasBeside {
		for i := range p.Beside {
			w.beside[i] = w.front(&p.Beside[i], 0)
			w.put(&w.beside[i])
		}
	}
	w.fixed = w.planes
	w.fronts()
	return true
}

// Stop lets go of the tree and of the path.
func (w *ShapeWalk) Stop() { w.tree, w.path, w.units = nil, nil, nil }

// SetLimit says that triangles are no longer wanted that are touched after a T only. It also asks
// the path for its Plane again.
func (w *ShapeWalk) SetLimit(t float32) {
	w.limit = t
	w.high = min(w.high, bitsOf(max(t, 0)))
	w.fronts()
}

// fronts looks at the planes that depend on the limit.
func (w *ShapeWalk) fronts() {
	w.ahead, w.plane, w.planes = w.front(&w.path.Ahead, w.limit), front{}, w.fixed
	w.put(&w.ahead)
	if w.path.Plane.V != (geom.DVec3{}) {
		w.plane = w.front(&w.path.Plane, w.limit)
		w.put(&w.plane)
	}
}

// Next, after Aim, finds the next triangle; false after the last. One that is in several leaves may
// be found as many times.
func (w *ShapeWalk) Next() bool {
	for {
		for w.lane < w.lanes {
			w.Triangle = w.tree.triangle(w.leaf, w.lane)
			w.lane++
			from, to := w.own(&w.Triangle)
			if !(from <= to) || float32(from) > w.limit || w.leaves(&w.Triangle) {
				continue
			}
			w.From, w.ID = from, w.tree.ids[int(w.tree.info(w.leaf).first)+w.lane-1]
			return true
		}
		if !w.next() {
			return false
		}
		w.lane, w.lanes = 0, w.tree.info(w.leaf).count()
	}
}

// leaves reports whether a triangle is beyond one of the planes.
func (w *ShapeWalk) leaves(t *geom.Triangle) bool {
	return w.ahead.leavesTriangle(t) || w.plane.leavesTriangle(t) ||
		w.path.HasBeside && (w.beside[0].leavesTriangle(t) || w.beside[1].leavesTriangle(t) ||
			w.beside[2].leavesTriangle(t) || w.beside[3].leavesTriangle(t))
}

func total(v geom.DVec3) float64 { return math.Abs(v.X) + math.Abs(v.Y) + math.Abs(v.Z) }

// slab prepares the two sides of the boxes of triangles that are perpendicular to an axis. A box
// that reaches from lo to hi is touched while lo − high ≤ o + T·d ≤ hi − low.
func (w *ShapeWalk) slab(axis int, o, d, low, high, pad float64) {
	const least = 1e-55
	pad += float64((math.Abs(o)+max(math.Abs(low), math.Abs(high)))*shapeOwn) + least
	near, far := o+high, o+low // where the lower and the upper side of a box are counted from
	w.sideOwn[axis] = 0
	if math.Signbit(d) {
		w.sideOwn[axis] = 1
		near, far, pad = far, near, -pad
	}
	w.nearOwn[axis], w.farOwn[axis] = near+pad, far-pad
	if math.Abs(d) < 1e-300 {
		// Whatever is outside of the slab is met far beyond every range, and whatever is inside is
		// never left.
		d = math.Copysign(1e-300, d)
	}
	w.inverseOwn[axis] = 1 / d
}

// planeWiden is how far beyond a front, in parts of the numbers, things must be to be left out. It
// is generous, as a hit that grazes is known by few digits and must not be found or lost by the
// order of the walk.
const planeWiden = 0x1p-20

// front is a Front with the V·p beyond which nothing is touched before a T.
type front struct {
	v            geom.DVec3
	beyond, room float64
}

func (w *ShapeWalk) front(f *Front, limit float32) front {
	v := f.V
	after := float64(math.Nextafter32(limit, inf32)) // as what is nearer may be as near in single precision
	room := f.Size + float64(math.Abs(v.X)*w.size.X) + float64(math.Abs(v.Y)*w.size.Y) + float64(math.Abs(v.Z)*w.size.Z)
	return front{v, f.At + after + float64(room*planeWiden), room}
}

func (f *front) leavesTriangle(t *geom.Triangle) bool {
	return min(f.v.Dot(t.A.Wide()), f.v.Dot(t.B.Wide()), f.v.Dot(t.C.Wide())) > f.beyond
}

// own returns from which T to which the shape can touch a triangle by the box of that; not so if
// from > to.
func (w *ShapeWalk) own(t *geom.Triangle) (from, to float64) {
	near, far := t.A.Min(t.B).Min(t.C), t.A.Max(t.B).Max(t.C)
	if w.sideOwn[0] != 0 {
		near.X, far.X = far.X, near.X
	}
	if w.sideOwn[1] != 0 {
		near.Y, far.Y = far.Y, near.Y
	}
	if w.sideOwn[2] != 0 {
		near.Z, far.Z = far.Z, near.Z
	}
	from = max((float64(near.X)-w.nearOwn[0])*w.inverseOwn[0], (float64(near.Y)-w.nearOwn[1])*w.inverseOwn[1], (float64(near.Z)-w.nearOwn[2])*w.inverseOwn[2])
	to = min((float64(far.X)-w.farOwn[0])*w.inverseOwn[0], (float64(far.Y)-w.farOwn[1])*w.inverseOwn[1], (float64(far.Z)-w.farOwn[2])*w.inverseOwn[2])
	from, to = float64(from*(1-shapeOwn)), float64(to*(1+shapeOwn))
	return max(from, w.lowOwn), min(to, w.highOwn)
}

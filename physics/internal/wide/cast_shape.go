package wide

import (
	"math"
	"math/bits"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// The cast of a convex shape: the path of its origin is cast as a ray at boxes that are grown by
// the shape's extent along each axis, to each side. Planes across the motion and beside it exclude
// more: a large round shape touches triangles ahead much later than its bounds do, and passes more
// of them. The caller tests the triangles of a leaf.
//
// A hit counts only where the origin is in the grown box of the triangle itself, and no earlier;
// the boxes of nodes are widened by more (shape_boxes.go). So the interval of T in a box holds
// those of its triangles whatever the caller computes, and neither the order of traversal nor the
// shape of the tree shows in an answer.

// shapeOwn is the widening of a triangle's box, as a fraction of the coordinates. The map from the
// world, in which shapes and triangles are tested, to the tree's space loses digits.
const shapeOwn = 0x1p-36

// ShapePath is the path of a convex shape in a tree's space: its origin is at Origin + T·Dir for
// Min ≤ T ≤ Max, and its extent around that is from Low to High. Pad is a bound of the rounding
// error of all these, by axis.
type ShapePath struct {
	Origin, Dir, Low, High, Pad geom.DVec3
	Min, Max                    float64
	// Ahead is the supporting plane of the shape ahead, across its motion. Plane is a second one,
	// which the caller may change after hits: usually to the contact plane of the nearest one. It
	// excludes most of a surface that curves away from it.
	Ahead, Plane Front
	// Beside are planes along the path: the shape touches no point p with V·p > At. They help only
	// on long paths, and are tested if HasBeside is set.
	Beside    [4]Front
	HasBeside bool
	// Ball is the center at T = 0 of a ball around the shape, in the tree's space, and BallRadius
	// its radius, or 0.
	Ball       geom.DVec3
	BallRadius float64
	Body       *Body // nil if triangles are not tested with it
}

// Front is a plane that moves with the shape: it touches no point p before T = V·p − At. A zero V
// excludes nothing. Size is the magnitude of the numbers whose sum is At, and of those that the
// caller's test may round.
type Front struct {
	V        geom.DVec3
	At, Size float64
}

// ShapeWalk finds the triangles that a shape may touch on its path, those in nearer leaves first.
// It is large, and meant to be reused.
type ShapeWalk struct {
	shapeBoxes
	// Triangle, ID and From are the results of [ShapeWalk.Next]: a triangle, its index and a lower
	// bound of the T of a touch.
	Triangle geom.Triangle
	From     float64
	ID       int32
	// Sorts: of a leaf, the triangle that a ball or capsule probably touches first is found first.
	// It pays where a limit is set after each touch. Aim resets it.
	Sorts bool

	left  uint32 // lanes of the current leaf
	fresh bool   // these were not tested with the sweep up to the limit
	sweep sweep
	limit float32
	tree  *Tree
	grid  *Grid // if the triangles are those of a grid
	path  *ShapePath
	// For each axis: the origins from which the near and the far side of a triangle's box are
	// counted, 1/Dir, and whether the upper side is the near one.
	nearOwn, farOwn, inverseOwn [3]float64
	sideOwn                     [3]int
	lowOwn, highOwn             float64
	size                        geom.DVec3 // the largest coordinates in the tree
	ahead, plane                front
	beside                      [4]front
}

// Start begins a traversal; false if the shape can hit nothing, which is common for short paths: no
// leaf is near. The planes of the path are first used by Aim. The path is kept until Stop, and may
// be changed as documented there.
func (w *ShapeWalk) Start(t *Tree, p *ShapePath) bool {
	w.grid = nil
	return w.start(t, p)
}

func (w *ShapeWalk) start(t *Tree, p *ShapePath) bool {
	sum := total(p.Origin) + total(p.Dir) + total(p.Low) + total(p.High) + total(p.Pad) + p.Min
	if t.IsEmpty() || !(sum <= math.MaxFloat64) || !(p.Min >= 0 && p.Min <= p.Max) {
		return false
	}
	w.tree, w.path, w.limit = t, p, inf32
	w.planes = 0
	w.prepare(t, p)
	return w.nextLeaf()
}

// nextLeaf finds the next leaf that the shape may touch within its range; false after the last.
func (w *ShapeWalk) nextLeaf() bool {
	if w.grid != nil {
		w.left = 1<<2 - 1
		return w.nextCell()
	}
	if !w.next() {
		return false
	}
	w.left, w.fresh, w.sweep.leaf = w.tree.info(w.leaf).lanes&(1<<width-1), true, nil
	return true
}

// Aim prepares the test of triangles; false if the shape can hit nothing.
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
	// Boxes and hulls that are small beside the leaves meet so few triangles that it does not pay.
	w.sweep.body, w.Sorts = nil, false
	if b := p.Body; assembly && useSIMD && w.grid == nil && b != nil && (w.ball.radius > 0 || b.isRound()) {
		w.sweep.start(p, w.size)
	}
	return true
}

// Stop drops the references to the tree and the path.
func (w *ShapeWalk) Stop() {
	w.tree, w.grid, w.path, w.units, w.sweep.body, w.sweep.leaf = nil, nil, nil, nil, nil, nil
}

// SetLimit excludes triangles that the shape touches only after a T. It also reads the Plane of the
// path and the Normal of the body again.
func (w *ShapeWalk) SetLimit(t float32) {
	w.limit = t
	w.high = min(w.high, bitsOf(max(t, 0)))
	w.fronts()
	w.sweep.end(t)
	w.fresh = true
}

// fronts prepares the planes that depend on the limit.
func (w *ShapeWalk) fronts() {
	w.ahead, w.plane, w.planes = w.front(&w.path.Ahead, w.limit), front{}, w.fixed
	w.put(&w.ahead)
	if w.path.Plane.V != (geom.DVec3{}) {
		w.plane = w.front(&w.path.Plane, w.limit)
		w.put(&w.plane)
	}
}

// Next, after Aim, finds the next triangle; false after the last. A triangle in several leaves may
// be found more than once.
func (w *ShapeWalk) Next() bool {
	for {
		for w.left != 0 {
			if w.fresh && w.sweep.body != nil {
				if w.sweep.leaf == nil {
					w.sweep.setLeaf(w.tree, w.leaf)
				}
				w.fresh, w.left = false, nearSIMD(w.sweep.leaf, &w.sweep, w.left)
				continue
			}
			lane := bits.TrailingZeros32(w.left)
			if w.Sorts && w.left&(w.left-1) != 0 && w.sweep.body != nil && w.sweep.body.isRound() {
				lane = w.sweep.soonest(w.left)
			}
			w.left &^= 1 << lane
			if w.grid != nil {
				w.ID = int32(w.leaf>>4)<<1 | int32(lane)
				w.Triangle = w.grid.Triangle(int(w.ID))
			} else {
				w.Triangle = w.tree.triangle(w.leaf, lane)
				w.ID = w.tree.ids[int(w.tree.info(w.leaf).first)+lane]
			}
			from, to := w.own(&w.Triangle)
			if !(from <= to) || float32(from) > w.limit || w.leaves(&w.Triangle) {
				continue
			}
			w.From = from
			return true
		}
		if !w.nextLeaf() {
			return false
		}
	}
}

// leaves reports whether a triangle is beyond one of the planes.
func (w *ShapeWalk) leaves(t *geom.Triangle) bool {
	return w.ahead.leavesTriangle(t) || w.plane.leavesTriangle(t) ||
		w.path.HasBeside && (w.beside[0].leavesTriangle(t) || w.beside[1].leavesTriangle(t) ||
			w.beside[2].leavesTriangle(t) || w.beside[3].leavesTriangle(t))
}

func total(v geom.DVec3) float64 { return math.Abs(v.X) + math.Abs(v.Y) + math.Abs(v.Z) }

// slab prepares the two sides of the boxes of triangles perpendicular to an axis. A box from lo to
// hi is touched while lo − high ≤ o + T·d ≤ hi − low.
func (w *ShapeWalk) slab(axis int, o, d, low, high, pad float64) {
	const least = 1e-55
	pad += float64((math.Abs(o)+max(math.Abs(low), math.Abs(high)))*shapeOwn) + least
	near, far := o+high, o+low // the origins for the lower and the upper side of a box
	w.sideOwn[axis] = 0
	if math.Signbit(d) {
		w.sideOwn[axis] = 1
		near, far, pad = far, near, -pad
	}
	w.nearOwn[axis], w.farOwn[axis] = near+pad, far-pad
	if math.Abs(d) < 1e-300 {
		// A triangle outside of the slab is met far beyond every range, and one inside is never
		// left.
		d = math.Copysign(1e-300, d)
	}
	w.inverseOwn[axis] = 1 / d
}

// planeWiden is the margin, as a fraction of the numbers, by which boxes and triangles must be
// beyond a plane to be excluded. It is generous, as the T of a grazing hit has few digits, and such
// a hit must not be found or lost by the order of traversal.
const planeWiden = 0x1p-20

// front is a Front with the V·p beyond which the shape touches no point up to the limit.
type front struct {
	v            geom.DVec3
	beyond, size float64
}

func (w *ShapeWalk) front(f *Front, limit float32) front {
	v := f.V
	after := float64(math.Nextafter32(limit, inf32)) // a larger T may be equal in float32
	size := f.Size + float64(math.Abs(v.X)*w.size.X) + float64(math.Abs(v.Y)*w.size.Y) + float64(math.Abs(v.Z)*w.size.Z)
	return front{v, f.At + after + float64(size*planeWiden), size}
}

func (f *front) leavesTriangle(t *geom.Triangle) bool {
	return min(f.v.Dot(t.A.Wide()), f.v.Dot(t.B.Wide()), f.v.Dot(t.C.Wide())) > f.beyond
}

// own returns the range of T in which the shape can touch a triangle by its box; empty, from > to,
// if it cannot.
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

package wide

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// The cast of a convex shape: the way of a point of it is cast at boxes that are grown by how far the shape reaches from
// that point along the axes, to each side as far as it does. Along the motion, which is along none of the axes, and across it,
// boxes and shape are compared as well: a large round shape touches what lies ahead much later than its bounds do, and goes
// past more. What is in a leaf is for the caller to say. The order of the walk is that of spheres (cast_sphere.go), whose boxes are grown to all sides alike.
//
// What a shape hits counts only where its point is in the grown box of the triangle itself, and no earlier; the boxes of
// nodes are widened by more. So the interval of T in a box holds those of the triangles within whatever the caller's numbers
// are, and neither the order of the walk nor the shape of the tree shows in an answer.

const (
	// shapeOwn is how much the box of a triangle is widened, in parts of the numbers, and shapeWiden that of a node. The map from
	// the world, in which shapes and triangles meet, to the tree's space costs digits.
	shapeOwn   = 0x1p-36
	shapeWiden = 0x1p-30
	// shapeCut is the same where triangles are cut: the point at which one is touched is in one of its leaves only as far as
	// that point is known.
	shapeCut = 0x1p-20
)

// ShapePath is the way of a convex shape in a tree's space: its origin is at Origin + T·Dir for Min ≤ T ≤ Max, and it reaches
// from Low to High around that. Pad is what rounding may get wrong of these, for each axis.
type ShapePath struct {
	Origin, Dir, Low, High, Pad geom.DVec3
	Min, Max                    float64
	// Ahead is the shape's front across its motion. Plane is another one, which what is called for hits may change: as a rule
	// to the plane by which the nearest of them touches. Of a surface that curves away from it, that leaves little to look at.
	Ahead, Plane Front
	// Beside are planes that the shape goes along: a point p is never touched if V·p is more than At. They are of use only
	// where it goes far, and are looked at if HasBeside is set.
	Beside    [4]Front
	HasBeside bool
}

// Front is a plane that goes before a shape: no point p is touched before the T that is V·p − At. A zero V says nothing. Size is
// that of the numbers that At is the sum of.
type Front struct {
	V        geom.DVec3
	At, Size float64
}

// shapeWalk is the state of the cast of a shape.
type shapeWalk struct {
	tree *Tree
	// As in sphereWalk; of a node's box, and of a triangle's.
	near, far, nearOwn, farOwn, inverse [3]float64
	side                                [3]int
	widen                               float64
	low, high                           int64
	size                                geom.DVec3 // no coordinate in the tree is larger
	beside                              [4]front
}

// init makes a walk ready; false if the shape can hit nothing.
func (w *shapeWalk) init(t *Tree, p *ShapePath) bool {
	sum := total(p.Origin) + total(p.Dir) + total(p.Low) + total(p.High) + total(p.Pad) + total(p.Ahead.V) + math.Abs(p.Ahead.At) + p.Ahead.Size + p.Min
	if t.IsEmpty() || !(sum <= math.MaxFloat64) || !(p.Min >= 0 && p.Min <= p.Max) {
		return false
	}
	w.tree, w.widen = t, shapeWiden
	if t.doubles != nil {
		w.widen = shapeCut
	}
	w.slab(0, p.Origin.X, p.Dir.X, p.Low.X, p.High.X, p.Pad.X)
	w.slab(1, p.Origin.Y, p.Dir.Y, p.Low.Y, p.High.Y, p.Pad.Y)
	w.slab(2, p.Origin.Z, p.Dir.Z, p.Low.Z, p.High.Z, p.Pad.Z)
	w.low, w.high = doubleBits(p.Min+0), doubleBits(p.Max+0)
	w.size = t.bounds.Min.Abs().Max(t.bounds.Max.Abs()).Wide()
	if p.HasBeside {
		for i := range p.Beside {
			w.beside[i] = w.front(&p.Beside[i], 0)
		}
	}
	return true
}

func total(v geom.DVec3) float64 { return math.Abs(v.X) + math.Abs(v.Y) + math.Abs(v.Z) }

// slab prepares the two sides of boxes that are perpendicular to an axis. A box that reaches from lo to hi is touched while
// lo − high ≤ o + T·d ≤ hi − low.
func (w *shapeWalk) slab(axis int, o, d, low, high, pad float64) {
	const least = 1e-55
	size := math.Abs(o) + max(math.Abs(low), math.Abs(high))
	own := pad + float64(size*shapeOwn) + least
	node := pad + float64(size*w.widen) + least
	near, far := o+high, o+low // where the lower and the upper side of a box are counted from
	w.side[axis] = 2 * axis
	if math.Signbit(d) {
		w.side[axis]++
		near, far, own, node = far, near, -own, -node
	}
	w.near[axis], w.far[axis] = near+node, far-node
	w.nearOwn[axis], w.farOwn[axis] = near+own, far-own
	if math.Abs(d) < 1e-300 {
		// Whatever is outside of the slab is met far beyond every range, and whatever is inside is never left.
		d = math.Copysign(1e-300, d)
	}
	w.inverse[axis] = 1 / d
}

// open puts the children of a node that may be touched up to a T on the stack, the nearest on top. As in sphereWalk.open, the
// bits of numbers that are not negative order like these, and a negative one loses against low or makes the interval empty.
func (w *shapeWalk) open(p *ShapePath, n *node, stack []grown, count int, limit float32) int {
	sx, sy, sz := w.side[0]%6, w.side[1]%6, w.side[2]%6
	nearX, nearY, nearZ := &n.box[sx], &n.box[sy], &n.box[sz]
	farX, farY, farZ := &n.box[sx^1], &n.box[sy^1], &n.box[sz^1]
	ix, iy, iz := w.inverse[0], w.inverse[1], w.inverse[2]
	ox, oy, oz := w.near[0], w.near[1], w.near[2]
	px, py, pz := w.far[0], w.far[1], w.far[2]
	low, high := w.low, w.high
	ahead, plane := w.front(&p.Ahead, limit), w.front(&p.Plane, limit)
	first := count
	for i, r := range &n.child {
		if r == 0 {
			break
		}
		from := max(doubleBits((float64(nearX[i])-ox)*ix), doubleBits((float64(nearY[i])-oy)*iy), doubleBits((float64(nearZ[i])-oz)*iz))
		to := min(doubleBits((float64(farX[i])-px)*ix), doubleBits((float64(farY[i])-py)*iy), doubleBits((float64(farZ[i])-pz)*iz))
		from = max(low, doubleBits(math.Float64frombits(uint64(from))*(1-w.widen)))
		to = min(high, doubleBits(math.Float64frombits(uint64(to))*(1+w.widen)))
		if from > to {
			continue
		}
		one := grown{float32(math.Float64frombits(uint64(from))), r}
		if one.from > limit {
			continue
		}
		if ahead.leaves(n, i) || plane.leaves(n, i) || p.HasBeside && (w.beside[0].leaves(n, i) || w.beside[1].leaves(n, i) ||
			w.beside[2].leaves(n, i) || w.beside[3].leaves(n, i)) {
			continue
		}
		j := count
		for ; j > first && stack[j-1].from < one.from; j-- {
			stack[j] = stack[j-1]
		}
		stack[j] = one
		count++
	}
	return count
}

// planeWiden is how far beyond a front, in parts of the numbers, things must be to be left out. It is generous, as a hit that
// grazes is known by few digits and must not be found or lost by the order of the walk.
const planeWiden = 0x1p-20

// front is a Front with the V·p beyond which nothing is touched before a T. It leaves out boxes by their corners nearest to it.
type front struct {
	v      geom.DVec3
	x      [3]int // place in node.box of the side that lies least along v
	beyond float64
}

func (w *shapeWalk) front(f *Front, limit float32) front {
	v := f.V
	after := float64(math.Nextafter32(limit, inf32)) // as what is nearer may be as near in single precision
	room := f.Size + float64(math.Abs(v.X)*w.size.X) + float64(math.Abs(v.Y)*w.size.Y) + float64(math.Abs(v.Z)*w.size.Z)
	return front{v, [3]int{signed(v.X), 2 + signed(v.Y), 4 + signed(v.Z)}, f.At + after + float64(room*planeWiden)}
}

func (f *front) leaves(n *node, child int) bool {
	x, y, z := n.box[f.x[0]%6][child], n.box[f.x[1]%6][child], n.box[f.x[2]%6][child]
	return float64(f.v.X*float64(x))+float64(f.v.Y*float64(y))+float64(f.v.Z*float64(z)) > f.beyond
}

func (f *front) leavesTriangle(t *geom.Triangle) bool {
	return min(f.v.Dot(t.A.Wide()), f.v.Dot(t.B.Wide()), f.v.Dot(t.C.Wide())) > f.beyond
}

// signed returns 1 for a negative number and 0 for all else.
func signed(x float64) int { return int(math.Float64bits(x) >> 63) }

// own returns from which T to which the shape can touch a triangle by the box of that; not so if from > to.
func (w *shapeWalk) own(t *geom.Triangle) (from, to float64) {
	near, far := t.A.Min(t.B).Min(t.C), t.A.Max(t.B).Max(t.C)
	if w.side[0]&1 != 0 {
		near.X, far.X = far.X, near.X
	}
	if w.side[1]&1 != 0 {
		near.Y, far.Y = far.Y, near.Y
	}
	if w.side[2]&1 != 0 {
		near.Z, far.Z = far.Z, near.Z
	}
	from = max((float64(near.X)-w.nearOwn[0])*w.inverse[0], (float64(near.Y)-w.nearOwn[1])*w.inverse[1], (float64(near.Z)-w.nearOwn[2])*w.inverse[2])
	to = min((float64(far.X)-w.farOwn[0])*w.inverse[0], (float64(far.Y)-w.farOwn[1])*w.inverse[1], (float64(far.Z)-w.farOwn[2])*w.inverse[2])
	from, to = float64(from*(1-shapeOwn)), float64(to*(1+shapeOwn))
	return max(from, math.Float64frombits(uint64(w.low))), min(to, math.Float64frombits(uint64(w.high)))
}

// CastShape calls visit for triangles that a shape may touch on its way, those in nearer leaves first, and with the T before
// which it does not touch this one. visit returns the T up to which more are wanted, none if negative. A triangle that is in
// several leaves may be visited as many times.
func (t *Tree) CastShape(p *ShapePath, visit func(triangle geom.Triangle, id int32, from float64, limit float32) float32) {
	var w shapeWalk
	if !w.init(t, p) {
		return
	}
	limit := inf32
	var stack [stackSize]grown
	stack[0] = grown{0, t.root}
	for count := 1; count > 0; {
		count--
		top := stack[count]
		if top.from > limit {
			continue
		}
		if !top.ref.isLeaf() {
			count = w.open(p, t.node(top.ref), stack[:], count, limit)
			continue
		}
		info := t.info(top.ref)
		ahead, plane := w.front(&p.Ahead, limit), w.front(&p.Plane, limit)
		for lane := range info.count() {
			triangle := t.triangle(top.ref, lane)
			from, to := w.own(&triangle)
			if !(from <= to) || float32(from) > limit || ahead.leavesTriangle(&triangle) || plane.leavesTriangle(&triangle) ||
				p.HasBeside && (w.beside[0].leavesTriangle(&triangle) || w.beside[1].leavesTriangle(&triangle) ||
					w.beside[2].leavesTriangle(&triangle) || w.beside[3].leavesTriangle(&triangle)) {
				continue
			}
			before := limit
			if limit = visit(triangle, t.ids[int(info.first)+lane], from, limit); limit < 0 {
				return
			}
			if limit != before {
				ahead, plane = w.front(&p.Ahead, limit), w.front(&p.Plane, limit)
			}
		}
	}
}

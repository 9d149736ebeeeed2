package wide

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// The cast of a sphere: the way of its centre is cast at boxes that are grown by the radius, and
// what is in a leaf is for geom.SphereCaster to say. That promises that no triangle is hit before
// the ray enters its grown bounds, to the fourteenth digit. The boxes here are widened by a good
// deal more, and the interval of T in a box holds those of the boxes within, as for rays (ray.go);
// so no hit is lost, and neither the order of the walk nor the shape of the tree shows in an
// answer.

// sphereWiden is the widening of boxes and intervals, in parts of the numbers: geom's is 1/256 of
// it.
const sphereWiden = 0x1p-40

// cutWiden is the same where triangles are cut. The hit of a whole triangle then need not be in the
// interval of each of the leaves that it is in, but its point is in one of them but for rounding,
// and for the faces of triangles as thin as a hair beside the sphere, which geom leaves out: 2⁻³⁵
// radii.
const cutWiden = 0x1p-28

// sphereWalk is the state of the cast of a sphere.
type sphereWalk struct {
	geom.SphereCaster
	tree *Tree
	cull geom.Cull
	// Along each axis the near side of a box is taken from one origin and the far side from
	// another, apart by twice the radius and more; the differences are multiplied by 1/direction,
	// which is finite and not zero.
	near, far, inverse [3]float64
	widen              float64
	side               [3]int // place in node.box of the side that is near; the far one is next to it
	low, high          int64  // the bits of the range of T that is wanted, in double precision
}

// grown is a child that was put off for a nearer one, and the T from which the ray crosses its
// grown box.
type grown struct {
	from float32
	ref  ref
}

// init makes a walk ready; false if the sphere can hit nothing.
func (w *sphereWalk) init(t *Tree, r *geom.Ray, radius float32, cull geom.Cull) bool {
	if t.IsEmpty() || !r.IsValid() || !(radius >= 0 && radius <= math.MaxFloat32) {
		return false
	}
	w.Reset(*r, radius)
	w.tree, w.cull, w.widen = t, cull, sphereWiden
	if t.doubles != nil {
		w.widen = cutWiden
	}
	w.slab(0, r.Origin.X, r.Dir.X, radius)
	w.slab(1, r.Origin.Y, r.Dir.Y, radius)
	w.slab(2, r.Origin.Z, r.Dir.Z, radius)
	low, high := r.Range()
	w.low, w.high = doubleBits(float64(low)), doubleBits(float64(high))
	return true
}

// slab prepares the two sides of boxes that are perpendicular to an axis.
func (w *sphereWalk) slab(axis int, origin, dir, radius float32) {
	o, d, r := float64(origin), float64(dir), float64(radius)
	// Smaller than any number in single precision and so never all of a sum, which then is not
	// zero.
	const least = 1e-55
	pad := r + float64((math.Abs(o)+r)*w.widen) + least
	w.side[axis] = 2 * axis
	switch {
	case d < 0:
		pad = -pad
		w.side[axis]++
	case d == 0:
		// Whatever is outside of the slab is met far beyond every range, and whatever is inside is
		// never left.
		d = 1e-300
	}
	w.near[axis], w.far[axis], w.inverse[axis] = o+pad, o-pad, 1/d
}

// open puts the children of a node that are crossed up to a T on the stack, the nearest on top. As
// in walk.open, the bits of numbers that are not negative order like these, and a negative one
// loses against low or makes the interval empty.
func (w *sphereWalk) open(n *node, stack []grown, count int, limit float32) int {
	sx, sy, sz := w.side[0]%6, w.side[1]%6, w.side[2]%6
	nearX, nearY, nearZ := &n.box[sx], &n.box[sy], &n.box[sz]
	farX, farY, farZ := &n.box[sx^1], &n.box[sy^1], &n.box[sz^1]
	ix, iy, iz := w.inverse[0], w.inverse[1], w.inverse[2]
	ox, oy, oz := w.near[0], w.near[1], w.near[2]
	px, py, pz := w.far[0], w.far[1], w.far[2]
	low, high := w.low, w.high
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
		j := count
		for ; j > first && stack[j-1].from < one.from; j-- {
			stack[j] = stack[j-1]
		}
		stack[j] = one
		count++
	}
	return count
}

func doubleBits(x float64) int64 { return int64(math.Float64bits(x)) }

// CastSphere finds the first hit of a sphere, of a radius, whose centre moves along a ray, in the
// order of T and then of triangles.
func (t *Tree) CastSphere(hit *geom.Hit, r *geom.Ray, radius float32, cull geom.Cull) (ok bool) {
	var w sphereWalk
	if !w.init(t, r, radius, cull) {
		return false
	}
	w.walk(func(h geom.Hit) float32 {
		if !ok || h.T < hit.T || h.T == hit.T && h.Triangle < hit.Triangle {
			*hit, ok = h, true
		}
		return hit.T
	})
	return ok
}

// CastSphereAny reports whether a sphere hits any triangle.
func (t *Tree) CastSphereAny(r *geom.Ray, radius float32, cull geom.Cull) (ok bool) {
	var w sphereWalk
	if w.init(t, r, radius, cull) {
		w.walk(func(geom.Hit) float32 {
			ok = true
			return -1
		})
	}
	return ok
}

// CastSphereAll appends the first hit of a sphere with each triangle, in no particular order, and
// may name one as many times as there are leaves that the triangle is in.
func (t *Tree) CastSphereAll(dst []geom.Hit, r *geom.Ray, radius float32, cull geom.Cull) []geom.Hit {
	var w sphereWalk
	if w.init(t, r, radius, cull) {
		w.walk(func(h geom.Hit) float32 {
			dst = append(dst, h)
			return inf32
		})
	}
	return dst
}

// walk calls visit for the hits, those in nearer leaves first; visit returns the T up to which more
// are wanted, none if negative.
func (w *sphereWalk) walk(visit func(geom.Hit) float32) {
	limit := inf32
	var stack [stackSize]grown
	stack[0] = grown{0, w.tree.root}
	for count := 1; count > 0; {
		count--
		top := stack[count]
		if top.from > limit {
			continue
		}
		if !top.ref.isLeaf() {
			count = w.open(w.tree.node(top.ref), stack[:], count, limit)
			continue
		}
		info := w.tree.info(top.ref)
		for lane := range info.count() {
			h, ok := w.Cast(w.tree.triangle(top.ref, lane), limit, w.cull)
			if !ok {
				continue
			}
			h.Triangle = w.tree.ids[int(info.first)+lane]
			if limit = visit(h); limit < 0 {
				return
			}
		}
	}
}

package bvh

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// stackSize is how many nodes a descent can put off. A tree of a million leaves is some thirty levels high; one that is
// made to be higher than this is finished by recursion, so that the stack can neither overflow nor allocate.
const stackSize = 64

// relativePad is how far outside its box a leaf may still be hit, as a fraction of how far the ray reaches: exact
// tests take the ray into the space of the shape in single precision, which rounds by 6e-8 there. It also makes up
// for T rounded to single precision, so that of leaves at one T none is pruned by another.
const relativePad = 1e-6

// query is a ray prepared for testing boxes. All is in double precision.
type query struct {
	near, far  geom.DVec3 // the origin, moved by the pad so that boxes are met sooner, and left later
	inv        geom.DVec3 // 1/Dir; +Inf along an axis the ray does not move on
	tMin, tMax float64
}

// prepare reports false if no box of the tree can be hit.
func (t *Tree) prepare(r geom.Ray) (query, bool) {
	if t.root == 0 || !r.IsValid() {
		return query{}, false
	}
	tMin, tMax := r.Range()
	o, d := r.Origin.Wide(), r.Dir.Wide()
	q := query{tMin: float64(tMin), tMax: min(float64(tMax), math.MaxFloat64)}
	box := &t.nodes[t.root].box
	reach := max(
		math.Abs(float64(box.Min.X)-o.X), math.Abs(float64(box.Max.X)-o.X),
		math.Abs(float64(box.Min.Y)-o.Y), math.Abs(float64(box.Max.Y)-o.Y),
		math.Abs(float64(box.Min.Z)-o.Z), math.Abs(float64(box.Max.Z)-o.Z))
	pad := float64(min(reach, q.tMax*d.Len()) * relativePad)
	axis := func(o, d float64) (near, far, inv float64) {
		if d < 0 {
			return o - pad, o + pad, 1 / d
		}
		return o + pad, o - pad, 1 / math.Abs(d) // −0 goes nowhere too
	}
	q.near.X, q.far.X, q.inv.X = axis(o.X, d.X)
	q.near.Y, q.far.Y, q.inv.Y = axis(o.Y, d.Y)
	q.near.Z, q.far.Z, q.inv.Z = axis(o.Z, d.Z)
	return q, true
}

// enter returns where the ray enters a box, and false if it misses it. A box that touches the ray is entered.
//
// 0·∞ on a ray that lies in a face is NaN. Comparisons with it are false and so leave that face out, which errs on the
// side of entering.
func (q *query) enter(b *geom.AABB) (t float64, ok bool) {
	t, exit := q.tMin, q.tMax
	t, exit = clip(t, exit, b.Min.X, b.Max.X, q.near.X, q.far.X, q.inv.X)
	t, exit = clip(t, exit, b.Min.Y, b.Max.Y, q.near.Y, q.far.Y, q.inv.Y)
	t, exit = clip(t, exit, b.Min.Z, b.Max.Z, q.near.Z, q.far.Z, q.inv.Z)
	return t, t <= exit
}

func clip(enter, exit float64, lo, hi float32, near, far, inv float64) (float64, float64) {
	if inv < 0 {
		lo, hi = hi, lo
	}
	if t := (float64(lo) - near) * inv; t > enter {
		enter = t
	}
	if t := (float64(hi) - far) * inv; t < exit {
		exit = t
	}
	return enter, exit
}

// VisitRay calls visit with the value of each leaf whose box the ray touches, roughly from front to back. What visit
// returns is the new end of the ray: leaves that begin behind it are left out from then on. A negative number ends the
// visit.
func (t *Tree) VisitRay(r geom.Ray, visit func(value uint32) (tMax float64)) {
	q, ok := t.prepare(r)
	if !ok {
		return
	}
	if _, ok := q.enter(&t.nodes[t.root].box); ok {
		t.castFrom(t.root, &q, visit)
	}
}

func (t *Tree) castFrom(i int32, q *query, visit func(value uint32) (tMax float64)) (goOn bool) {
	var stack [stackSize]struct {
		enter float64
		node  int32
	}
	n := 0
	for {
		node := &t.nodes[i]
		if node.isLeaf() {
			if q.tMax = visit(uint32(node.right)); q.tMax < 0 {
				return false
			}
		} else {
			near, far := node.left, node.right
			tNear, hitNear := q.enter(&t.nodes[near].box)
			tFar, hitFar := q.enter(&t.nodes[far].box)
			if hitNear && hitFar {
				if tFar < tNear {
					near, far, tFar = far, near, tNear
				}
				if n < len(stack) {
					stack[n].enter, stack[n].node = tFar, far
					n++
				} else if !t.castFrom(near, q, visit) {
					return false
				} else {
					near = far
				}
				i = near
				continue
			}
			if hitNear {
				i = near
				continue
			}
			if hitFar {
				i = far
				continue
			}
		}
		for {
			if n == 0 {
				return true
			}
			n--
			if stack[n].enter <= q.tMax {
				break
			}
		}
		i = stack[n].node
	}
}

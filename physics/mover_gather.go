package physics

import (
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// The obstacles around a mover: the triangles and other convex shapes that it may touch in one
// move, gathered once. Static ones are gathered from a larger box than one move needs, so that a
// cache can keep them for the next moves.

// The box from which static colliders are gathered. A larger one serves more moves, and makes each
// move test more obstacles. Lengths are in sizes of the mover, 0.3 m for a human.
const (
	beside    = 0.5     // added to all sides: 0.15 m
	moreMoves = 16      // added ahead: the way of as many moves
	farAhead  = 20. / 3 // and no more than that: 2 m
)

// prepare gathers the obstacles that a move by a motion, after the mover is carried along, is
// likely to need.
func (w *walker) prepare(motion, carried geom.DVec3) {
	w.heading = motion.Add(carried)
	if w.static.space != w.space || w.static.still != w.space.still {
		w.static.forget()
		w.static.space, w.static.still = w.space, w.space.still
	}
	w.moving.forget()
	for i := range w.static.owners {
		o := &w.static.owners[i]
		r := &w.space.records[o.record]
		o.seen, o.oneWay = w.filter.sees(r) && w.filter.accepts(r.id), r.layer&w.oneWay != 0
	}
	// It may move as far as the motion to any side, by a step up, and by a drop down.
	reach := min(motion.Len(), w.longest()) + carried.Len()
	box := w.swept(geom.DVec3{})
	box = box.Grow(float32(reach))
	rise, drop := w.up.Mul(w.stepHeight).Narrow(), w.up.Mul(-w.snapDistance).Narrow()
	box.Min = box.Min.Min(box.Min.Add(rise)).Min(box.Min.Add(drop))
	box.Max = box.Max.Max(box.Max.Add(rise)).Max(box.Max.Add(drop))
	w.gather(&box)
	if way := w.heading.Len(); way < w.longest() {
		first := w.swept(w.heading).Grow(float32(way / 4))
		w.gather(&first)
		w.static.near(&first)
		w.moving.near(&first)
	}
}

// gather makes the surroundings hold a box. It invalidates the obstacles of contacts found before.
func (w *walker) gather(box *geom.AABB) {
	w.reached = w.reached.Union(*box)
	if !w.static.holds(box) {
		w.gatherStatic(w.static, w.further(box))
	}
	if !w.moving.holds(box) {
		w.gatherHalf(&w.moving, *box, false)
	}
}

// further returns a box grown to all sides and ahead.
func (w *walker) further(box *geom.AABB) geom.AABB {
	b := box.Grow(float32(beside * w.size))
	way := w.heading.Mul(moreMoves)
	if l, far := way.Len(), farAhead*w.size; l > far {
		way = way.Mul(far / l)
	}
	v := way.Narrow()
	return geom.AABB{Min: b.Min.Min(b.Min.Add(v)), Max: b.Max.Max(b.Max.Add(v))}
}

func (w *walker) gatherHalf(a *surroundings, box geom.AABB, static bool) {
	a.clear()
	a.box, a.around, a.full = box, geom.EmptyAABB(), false
	w.space.visitHalf(box, static, func(i uint32) bool {
		w.gatherRecord(a, int32(i), &w.space.records[i])
		return !a.full
	})
}

// gatherRecord adds the parts of a collider that touch the box. A static collider is added even if
// the filter leaves it out, since the filter of a later move may not.
func (w *walker) gatherRecord(a *surroundings, i int32, r *record) {
	if r.sensor {
		return
	}
	seen := w.filter.sees(r) && w.filter.accepts(r.id)
	if !r.static {
		if !seen {
			return
		}
		w.gatheredMoving = true
	}
	n := int32(len(a.owners))
	if !a.mayGrow(len(a.owners), cap(a.owners)) {
		return
	}
	a.owners = append(a.owners, owner{i, r.id, seen, r.layer&w.oneWay != 0})
	subshapes := r.subshapes()
	for k := 0; k < len(subshapes) && !a.full; k++ {
		w.gatherSubshape(a, &subshapes[k], n, int32(k))
	}
}

func (w *walker) gatherSubshape(a *surroundings, p *placed.Subshape, owner, k int32) {
	switch p.Kind {
	case placed.KindNowhere:
	case placed.KindPlane:
		if !a.mayGrow(len(a.points), cap(a.points)) {
			return
		}
		o := obstacle{owner: owner, child: p.Child, at: int32(len(a.points)), solid: -1, plane: true}
		o.face.Normal = p.Local.Normal
		a.points = append(a.points, p.Local.Point)
		a.add(o, p.Bounds)
	case placed.KindMesh:
		box := p.BoundsIn(a.box)
		p.Local.Mesh.VisitAABB(box, func(i int) bool {
			t := p.Local.Triangle(i)
			if b := t.Bounds(); touches(&b, &a.box) {
				a.add(obstacle{face: narrow.NewFace(t), owner: owner, child: p.Child, at: int32(i), solid: -1}, b)
			}
			return !a.full
		})
	default:
		// A little larger, since the shape is made of rounded numbers.
		b := p.Bounds.Grow(float32(placed.RelativeSlack * p.Extent()))
		if !touches(&b, &a.box) {
			return
		}
		n := len(a.solids)
		if !a.mayGrow(n, cap(a.solids)) {
			return
		}
		a.solids = append(a.solids, narrow.Shape{})
		p.SetPart(&a.solids[n], placed.Whole)
		a.add(obstacle{owner: owner, child: p.Child, at: k, solid: int32(n)}, b)
	}
}

// gatherStatic gathers static obstacles, in lists that are large enough.
func (w *walker) gatherStatic(a *surroundings, box geom.AABB) {
	w.gatherHalf(a, box, true)
	switch {
	case a.full:
		a.borrow()
		w.gatherHalf(a, box, true)
	case a.borrowed:
		a.giveBack()
	}
}

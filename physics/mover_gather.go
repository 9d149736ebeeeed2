package physics

import (
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// What is around a mover: the triangles and solids that it may touch in one move, gathered once.
// What is static is gathered from a larger box than is needed, so that it serves for the next moves
// too if there is a cache to keep it in.

// Static colliders are gathered from somewhat further to all sides than a move needs, and from
// further ahead: as far as so many such moves lead, but no further than some. More serves more
// moves, and makes each look at more. Lengths are in sizes of the mover; for one as large as most
// they are 0.15 m and 2 m.
const (
	beside    = 0.5
	moreMoves = 16
	farAhead  = 20. / 3
)

// look gathers what a move by a motion, after being carried along, is likely to need.
func (w *walker) look(motion, carried geom.DVec3) {
	w.heading = motion.Add(carried)
	if w.static.space != w.space || w.static.still != w.space.still {
		w.static.forget()
		w.static.space, w.static.still = w.space, w.space.still
	}
	w.moving.forget()
	for i := range w.static.owners {
		o := &w.static.owners[i]
		r := &w.space.records[o.record]
		o.seen = w.filter.sees(r) && w.filter.accepts(r.id)
	}
	// It may go as far as the motion to any side, and the height of a step up and that of a drop
	// down.
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

// gather sees to it that all is known that touches a box. Contacts found before must not be asked
// for their obstacles afterwards.
func (w *walker) gather(box *geom.AABB) {
	if !w.static.holds(box) {
		w.gatherStatic(w.static, w.further(box))
	}
	if !w.moving.holds(box) {
		w.gatherHalf(&w.moving, *box, false)
	}
}

// further returns a box with what is beside and ahead of it.
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
	s := w.space
	s.settle()
	for _, i := range s.planes {
		if r := &s.records[i]; r.static == static {
			w.gatherRecord(a, i, r)
		}
	}
	s.boxes.VisitHalf(box, static, func(i uint32) bool {
		w.gatherRecord(a, int32(i), &s.records[i])
		return !a.full
	})
}

// gatherRecord takes what of a collider touches the box. What the filter does not see is taken too
// if it is static, since another move's filter may.
func (w *walker) gatherRecord(a *surroundings, i int32, r *record) {
	if r.sensor {
		return
	}
	seen := w.filter.sees(r) && w.filter.accepts(r.id)
	if !seen && !r.static {
		return
	}
	n := int32(len(a.owners))
	if !a.hasRoom(len(a.owners), cap(a.owners)) {
		return
	}
	a.owners = append(a.owners, owner{i, r.id, seen})
	subshapes := r.subshapes()
	for k := 0; k < len(subshapes) && !a.full; k++ {
		w.gatherPiece(a, &subshapes[k], n, int32(k))
	}
}

func (w *walker) gatherPiece(a *surroundings, p *placed.Subshape, owner, k int32) {
	switch p.Kind {
	case placed.KindNowhere:
	case placed.KindPlane:
		if !a.hasRoom(len(a.points), cap(a.points)) {
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
		// By a hair larger, as what it is made of is rounded.
		b := p.Bounds.Grow(float32(placed.RelativeSlack * p.Extent()))
		if !touches(&b, &a.box) {
			return
		}
		n := len(a.solids)
		if !a.hasRoom(n, cap(a.solids)) {
			return
		}
		a.solids = append(a.solids, narrow.Shape{})
		p.SetPart(&a.solids[n], placed.Whole)
		a.add(obstacle{owner: owner, child: p.Child, at: k, solid: int32(n)}, b)
	}
}

// gatherStatic gathers what is static, in lists that are large enough.
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

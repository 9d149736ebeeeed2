package physecs

import (
	"iter"
	"slices"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Parent is the component that names the entity which an entity with a [LocalTransform] follows.
// The zero Parent is none: the entity stays where its [Transform] is and is no orphan, so that a
// thing can be let go of in a locked world.
//
// To put a child to a place in the world, or to give a thing another parent without moving it, see
// [SetTransform] and [LocalOf].
//
// A Parent does not keep its entity alive, nor remove the child with it; see [Space.Orphans].
type Parent struct{ Entity ecs.Entity }

// LocalTransform is the component that places an entity in the space of its [Parent]. Of an entity
// that has both, [Sync] and [TransformSystem] write the [Transform], and what else is written there
// is lost, unless by [SetTransform]; of one that has only one of the two they do not. The zero
// LocalTransform is the place of the parent.
//
// The parent's scale, turn and move apply to the child's position, rotations are composed and
// scales multiplied, as most engines do. That is exact but for one case: a child that is turned in
// a parent of uneven scale would be sheared, which a Transform cannot hold, so it keeps its right
// angles. A child of a physics.Compound can be sheared.
type LocalTransform geom.Transform

// in returns where something stands in the world that stands at l in a parent, which as a matrix is
// m.
func (l *LocalTransform) in(parent *Transform, m *geom.Affine) Transform {
	t := Transform{Position: m.Point(l.Position), Rotation: parent.Rotation}
	s := parent.Factors()
	if q := l.Rotation; q.X != 0 || q.Y != 0 || q.Z != 0 {
		t.Rotation = parent.Rotation.Mul(mirrored(q, s))
	}
	if parent.Scale == (geom.Vec3{}) && l.Scale == (geom.Vec3{}) {
		return t
	}
	t.Scale = s.MulVec(geom.Transform(*l).Factors())
	if t.Scale == (geom.Vec3{}) { // which would mean 1: a point that is no zero
		t.Scale.X = 1e-45
	}
	return t
}

// mirrored returns D·q·D, where D are the mirrors in the scale of a parent. That is rotation·D·|s|, and D·q = (D·q·D)·D. The axis
// of a rotation is a pseudovector: D takes it to det(D)·D·axis and leaves the angle.
func mirrored(q geom.Quat, s geom.Vec3) geom.Quat {
	x, y, z := sign(s.X), sign(s.Y), sign(s.Z)
	return geom.Quat{X: q.X * y * z, Y: q.Y * z * x, Z: q.Z * x * y, W: q.W}
}

func sign(x float32) float32 {
	if x < 0 {
		return -1
	}
	return 1
}

// family is all entities that follow another.
type family struct {
	children []child // in the order of the query
	columns  []column
	links    []link
	order    []int32 // of the children: parents first
	roots    []root
	index    []int32 // by entity ID: child + 1, or −1 − root, or 0
	orphans  int
	free     int // children without a parent that are no orphans
}

// child is what was last seen of an entity with a Parent and a LocalTransform.
type child struct {
	entity, parent ecs.Entity
	local          LocalTransform
	transform      Transform // as it was left
}

// link is what a pass knows of a child. It is small, and apart, since of a child at rest a pass
// reads no more.
type link struct {
	up    int32 // the parent: a child, or a root as −1 − its place
	fault Fault
	dirty bool // not as it was left
	moved bool // in this pass
	mark  mark
}

// mark is how far sort has come with a child.
type mark uint8

const (
	unknown mark = iota
	climbing
	known
)

// column is where a child's components are in this pass. It must not be used in another.
type column struct {
	transform *Transform
	local     *LocalTransform
}

// root is a parent that follows nobody.
type root struct {
	entity    ecs.Entity
	transform Transform // as it was last seen
	at        *Transform
	fault     Fault
	moved     bool
}

// noRoot is the parent of those that have none, the first root.
const noRoot = -1

// update writes the Transform of all children. Where neither child nor parent has changed it writes
// nothing.
func (f *family) update(w *ecs.World, ids *ids, filter *ecs.Mask) {
	again := f.walk(w, ids, filter)
	if again {
		f.sort()
	}
	for i := range f.roots {
		f.roots[i].look(w, ids)
	}
	f.orphans, f.free = 0, 0
	var m geom.Affine // of the parent before, which mostly is that of the next
	last := int32(noRoot)
	for _, i := range f.order {
		l := &f.links[i]
		var parent *Transform
		moved := again || l.dirty
		switch {
		case l.fault == FaultParentCycle:
		case l.up < 0:
			r := &f.roots[-1-l.up]
			l.fault, parent = r.fault, r.at
			moved = moved || r.moved
		default:
			parent = f.columns[l.up].transform
			moved = moved || f.links[l.up].moved
		}
		if l.fault != FaultNone {
			f.orphans++
		} else if parent == nil {
			f.free++
		}
		l.moved = false
		if !moved {
			continue
		}
		c, at := &f.children[i], &f.columns[i]
		c.local = *at.local
		if parent != nil {
			if last != l.up {
				m, last = parent.Affine(), l.up
			}
			if t := c.local.in(parent, &m); !sameTransform(&t, at.transform) {
				*at.transform = t
			}
		}
		if again || !sameTransform(at.transform, &c.transform) {
			l.moved, c.transform = true, *at.transform
		}
	}
}

// walk looks where the children's components are and which have changed. It reports whether there
// are other children than before, or they have other parents.
func (f *family) walk(w *ecs.World, ids *ids, filter *ecs.Mask) (again bool) {
	n := 0
	query := w.Query(filter)
	for query.Next() {
		e, parent := query.Entity(), (*Parent)(query.Get(ids.parent)).Entity
		if n == len(f.children) {
			f.children, f.columns, f.links = append(f.children, child{}), append(f.columns, column{}), append(f.links, link{})
		}
		c := &f.children[n]
		if c.entity != e || c.parent != parent {
			c.entity, c.parent = e, parent
			again = true
		}
		t, local := (*Transform)(query.Get(ids.transform)), (*LocalTransform)(query.Get(ids.local))
		f.columns[n] = column{t, local}
		f.links[n].dirty = !sameTransform(t, &c.transform) || !sameTransform((*Transform)(local), (*Transform)(&c.local))
		n++
	}
	again = again || n != len(f.children)
	clear(f.columns[n:])
	f.children, f.columns, f.links = f.children[:n], f.columns[:n], f.links[:n]
	return again
}

// sort finds each child's parent and an order in which parents come first, and those that are their
// own ancestors.
func (f *family) sort() {
	clear(f.index)
	f.roots, f.order = append(f.roots[:0], root{}), f.order[:0]
	for i := range f.children {
		*f.place(f.children[i].entity) = int32(i + 1)
	}
	for i := range f.children {
		f.links[i] = link{up: f.up(f.children[i].parent)}
	}
	for i := range f.children {
		// The way up to what is known already goes into the order from its end.
		at, start := int32(i), len(f.order)
		for at >= 0 && f.links[at].mark == unknown {
			f.links[at].mark = climbing
			f.order = append(f.order, at)
			at = f.links[at].up
		}
		way := f.order[start:]
		if at >= 0 && f.links[at].mark == climbing {
			for _, j := range way[slices.Index(way, at):] {
				f.links[j].fault = FaultParentCycle
			}
		}
		for _, j := range way {
			f.links[j].mark = known
		}
		slices.Reverse(way)
	}
}

// up returns the parent e of a child: a child, or a root as −1 − its place.
func (f *family) up(e ecs.Entity) int32 {
	if e.IsZero() {
		return noRoot
	}
	place := f.place(e)
	switch i := *place; {
	case i > 0 && f.children[i-1].entity == e:
		return i - 1
	case i < 0 && f.roots[-1-i].entity == e:
		return i
	}
	f.roots = append(f.roots, root{entity: e})
	up := -int32(len(f.roots))
	if *place == 0 { // else one of the two is dead
		*place = up
	}
	return up
}

// place returns the place of an entity in the index.
func (f *family) place(e ecs.Entity) *int32 {
	id := int(e.ID())
	if id >= len(f.index) {
		f.index = append(f.index, make([]int32, id+1-len(f.index))...)
	}
	return &f.index[id]
}

// look finds out where a root stands.
func (r *root) look(w *ecs.World, ids *ids) {
	if r.entity.IsZero() {
		return
	}
	was := r.fault
	r.at, r.fault, r.moved = nil, FaultNone, false
	if !alive(w, r.entity) {
		r.fault = FaultParentGone
	} else if r.at = (*Transform)(w.Get(r.entity, ids.transform)); r.at == nil {
		r.fault = FaultParentBare
	} else if was != FaultNone || !sameTransform(r.at, &r.transform) {
		r.moved, r.transform = true, *r.at
	}
}

// Orphans returns the entities that have a Parent, a LocalTransform and a Transform and nobody to
// follow, as of the last [Sync], and why: their parent is gone or has no Transform, or they are
// their own ancestors. They keep the Transform they have, and their own children follow them. It
// walks all children, so ask Stats().Orphans first. The order is that of the world's own queries.
func (s *Space) Orphans() iter.Seq2[ecs.Entity, Fault] {
	return func(yield func(ecs.Entity, Fault) bool) {
		for i := range s.family.children {
			if f := s.family.links[i].fault; f != FaultNone && !yield(s.family.children[i].entity, f) {
				return
			}
		}
	}
}

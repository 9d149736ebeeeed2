package physecs

import (
	"iter"
	"slices"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Parent is the component that names the entity which an entity with a [LocalTransform] follows.
// With the zero Parent the entity keeps its [Transform] and is no orphan, so that an entity can be
// let go of in a locked world.
//
// To place a child in world space, or to give an entity another parent without moving it, see
// [SetTransform] and [LocalOf].
//
// A Parent neither keeps its entity alive nor removes the child with it; see [Space.Orphans].
type Parent struct{ Entity ecs.Entity }

// LocalTransform is the component that places an entity in the space of its [Parent]. Of an entity
// that has both, [Sync] and [TransformSystem] write the [Transform] and overwrite changes to it,
// except those by [SetTransform]. Of an entity that has only one of the two they do not. The zero
// LocalTransform is the place of the parent.
//
// The Transform of the child is [geom.Transform.Mul] of the parent's and this one: a child rotated
// in a parent of non-uniform scale is not sheared. A child of a physics.Compound can be.
type LocalTransform geom.Transform

// in returns parent.Mul(l), with the matrix m of the parent computed once for all its children.
func (l *LocalTransform) in(parent *Transform, m *geom.Affine) Transform {
	t := Transform{Position: m.Point(l.Position), Rotation: parent.Rotation, Scale: parent.Scale}.Scaled(l.Scale)
	if q := l.Rotation; q.X != 0 || q.Y != 0 || q.Z != 0 {
		t.Rotation = parent.Rotation.Mul(q.Mirrored(parent.Scale))
	}
	return t
}

// hierarchy holds all entities that follow another.
type hierarchy struct {
	filter   childFilter
	children []child // in the order of the query
	columns  []column
	links    []link
	order    []int32 // of the children: parents first
	roots    []root
	index    []int32 // by entity ID: child + 1, or −1 − root, or 0
	orphans  int
	free     int  // children with the zero Parent, which are no orphans
	changed  bool // a child, its parent or a LocalTransform, since Dynamics last looked
}

// child is the last copy of an entity with a Parent and a LocalTransform.
type child struct {
	entity, parent ecs.Entity
	local          LocalTransform
	transform      Transform // as the last pass left it
}

// link is the state of a child in a pass. It is small and in a slice of its own: of a child at rest
// a pass reads nothing else.
type link struct {
	up    int32 // the parent: a child, or a root as −1 − its index
	fault Fault
	dirty bool // changed since the last pass
	moved bool // by this pass
	mark  mark
}

// mark is the state of a child in sort, a depth-first search.
type mark uint8

const (
	unknown mark = iota
	climbing
	known
)

// column points at a child's components, for one pass: Arche moves them when entities come and go.
type column struct {
	transform *Transform
	local     *LocalTransform
}

// root is a parent that follows no other entity.
type root struct {
	entity    ecs.Entity
	transform Transform // as of the last pass
	at        *Transform
	fault     Fault
	moved     bool
}

// noRoot is the parent of children with the zero Parent, the first root.
const noRoot = -1

// update writes the Transform of all children, except where neither the child nor its parent has
// changed.
func (f *hierarchy) update(w *ecs.World, ids *ids) {
	again := f.walk(w, ids)
	if again {
		f.sort()
	}
	for i := range f.roots {
		f.roots[i].refresh(w, ids)
	}
	f.orphans, f.free = 0, 0
	var m geom.Affine // of the last parent, which mostly is also that of the next child
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

// walk finds the components of all children and which have changed. It reports whether there are
// other children than before, or they have other parents.
func (f *hierarchy) walk(w *ecs.World, ids *ids) (again bool) {
	n := 0
	query := f.filter.query(w, ids)
	for query.Next() {
		e, parent := query.Entity(), ids.childParent(&query).Entity
		if n == len(f.children) {
			f.children, f.columns, f.links = append(f.children, child{}), append(f.columns, column{}), append(f.links, link{})
		}
		c := &f.children[n]
		if c.entity != e || c.parent != parent {
			c.entity, c.parent = e, parent
			again = true
		}
		t, local := ids.childTransform(&query), ids.childLocal(&query)
		f.columns[n] = column{t, local}
		dirty := !sameTransform(t, &c.transform) || !sameTransform((*Transform)(local), (*Transform)(&c.local))
		f.links[n].dirty, f.changed = dirty, f.changed || dirty
		n++
	}
	again = again || n != len(f.children)
	f.changed = f.changed || again
	clear(f.columns[n:])
	f.children, f.columns, f.links = f.children[:n], f.columns[:n], f.links[:n]
	return again
}

// sort finds the parent of each child, an order in which parents come before children, and cycles.
func (f *hierarchy) sort() {
	clear(f.index)
	f.roots, f.order = append(f.roots[:0], root{}), f.order[:0]
	for i := range f.children {
		*f.place(f.children[i].entity) = int32(i + 1)
	}
	for i := range f.children {
		f.links[i] = link{up: f.up(f.children[i].parent)}
	}
	for i := range f.children {
		// The path up to a child that is in the order already is appended in reverse.
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

// up returns the parent e of a child: a child, or a root as −1 − its index.
func (f *hierarchy) up(e ecs.Entity) int32 {
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
	if *place == 0 { // else a dead entity has the same ID
		*place = up
	}
	return up
}

// place returns the index entry of an entity.
func (f *hierarchy) place(e ecs.Entity) *int32 {
	id := int(e.ID())
	if id >= len(f.index) {
		f.index = append(f.index, make([]int32, id+1-len(f.index))...)
	}
	return &f.index[id]
}

// refresh looks up the Transform of a root.
func (r *root) refresh(w *ecs.World, ids *ids) {
	if r.entity.IsZero() {
		return
	}
	was := r.fault
	r.at, r.fault, r.moved = nil, FaultNone, false
	if !alive(w, r.entity) {
		r.fault = FaultParentGone
	} else if r.at = ids.transform.of(w, r.entity); r.at == nil {
		r.fault = FaultParentBare
	} else if was != FaultNone || !sameTransform(r.at, &r.transform) {
		r.moved, r.transform = true, *r.at
	}
}

// Orphans returns the entities that have a Parent, a LocalTransform and a Transform and cannot
// follow their parent, with the reason, as of the last [Sync]: the parent is dead or has no
// Transform, or the entity is its own ancestor. They keep the Transform they have, and their own
// children follow them. It visits all children: check first that Stats().Orphans is not 0. The
// order is that of the world's queries.
func (s *Space) Orphans() iter.Seq2[ecs.Entity, Fault] {
	return func(yield func(ecs.Entity, Fault) bool) {
		for i := range s.hierarchy.children {
			if f := s.hierarchy.links[i].fault; f != FaultNone && !yield(s.hierarchy.children[i].entity, f) {
				return
			}
		}
	}
}

// visitAncestors visits an entity that is alive, its parent and so on, as long as visit returns
// true. In a cycle of parents it visits each entity at least once and ends.
func (s *Space) visitAncestors(e ecs.Entity, visit func(ecs.Entity) bool) {
	slow := e // advances at half the speed, and is met by e in a cycle (Floyd)
	for n := 1; visit(e); n++ {
		if e = s.liveParent(e); e.IsZero() || e == slow {
			return
		}
		if n%2 == 0 {
			slow = s.liveParent(slow)
		}
	}
}

// isWithin reports whether an entity that is alive is another, or one of its descendants.
func (s *Space) isWithin(e, other ecs.Entity) (found bool) {
	s.visitAncestors(e, func(a ecs.Entity) bool { found = a == other; return !found })
	return found
}

// topAncestor returns the ancestor of an entity that has no parent. Where the ancestors form a
// cycle it is the lowest entity of the cycle.
func (s *Space) topAncestor(e ecs.Entity) ecs.Entity {
	last := e
	s.visitAncestors(e, func(a ecs.Entity) bool { last = a; return true })
	if s.liveParent(last).IsZero() {
		return last
	}
	lowest := last // in the cycle, of which the entities that lead to it are no part
	for a := s.liveParent(last); a != last; a = s.liveParent(a) {
		if compareEntities(a, lowest) < 0 {
			lowest = a
		}
	}
	return lowest
}

// parent returns the entity that another, which is alive, follows by its Parent, and false if it
// has none. The parent may be dead.
func (s *Space) parent(e ecs.Entity) (ecs.Entity, bool) {
	p := s.ids.parent.of(s.world, e)
	if p == nil || p.Entity.IsZero() {
		return ecs.Entity{}, false
	}
	return p.Entity, true
}

// liveParent returns the parent of an entity that is alive, zero if there is none that is alive.
func (s *Space) liveParent(e ecs.Entity) ecs.Entity {
	if p, ok := s.parent(e); ok && alive(s.world, p) {
		return p
	}
	return ecs.Entity{}
}

// parentTransform returns the Transform of the parent that an entity follows, nil if it follows
// none.
func (s *Space) parentTransform(e ecs.Entity) *Transform {
	if !s.ids.local.on(s.world, e) {
		return nil
	}
	p := s.liveParent(e)
	if p.IsZero() {
		return nil
	}
	return s.ids.transform.of(s.world, p)
}

package physics

import (
	"fmt"
	"iter"
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/bvh"
)

// Space holds colliders and answers questions about them: what a ray hits, what a volume touches, what is nearest.
//
// A query sees every change made before it. Any number of goroutines may ask at once as long as none changes the space:
// all the work of keeping it in order is done by Add, Set, SetTransform, Remove and Clear. Queries allocate nothing but
// what they append to a slice that is too short.
//
// A collider is nowhere, kept but found by no query, while its shape is empty, its transform holds a NaN or an infinity,
// or the two together give no finite shape; see [Space.IsNowhere].
type Space struct {
	records []record // by ColliderID.index
	free    []int32  // records not in use
	count   int
	tree    bvh.Tree
	planes  []int32 // records without finite bounds: planes, compounds with one; they are asked one by one
	version uint64  // counts changes, to find out those made during an iteration
	origin  geom.DVec3
	frozen  bool // a snapshot
}

// record is what a space knows of a collider.
type record struct {
	collider Collider
	id       ColliderID // generation of the record's next use while it is free; then alive is false
	alive    bool
	given    geom.DVec3 // position as it was given, when the origin was at since
	since    geom.DVec3
	where    where
	at       int32  // leaf of the tree, or place in planes
	layer    Layers // with the zero values resolved
	mask     Layers
	bounds   geom.AABB
	slack    float32 // how far outside bounds the rounding of a query may still find the collider, metres
	single   [1]piece
	children []piece // of a compound, those that are somewhere
}

type where uint8

const (
	nowhere where = iota
	inTree
	inPlanes
)

// relativeSlack is how much single precision may get wrong in placing a shape or in taking a query into its space, as a
// fraction of the coordinates. 1e-7 would do if nothing were sheared; more makes queries look at more candidates.
const relativeSlack = 1e-6

func (r *record) pieces() []piece {
	if r.children != nil {
		return r.children
	}
	return r.single[:]
}

// Update does now, on all processors, what changes have left to be done, so that the next query need not. A game that calls
// it once a tick, after its changes, decides when that time is spent; one that does not gets the same answers.
func (s *Space) Update() {}

// NewSpace returns a space without colliders.
func NewSpace() *Space { return &Space{} }

// Len returns the number of colliders, those that are nowhere included.
func (s *Space) Len() int { return s.count }

// Add puts a collider into the space and returns its ID. Panics if the shape is nil, or none of those that [Shape]
// lists.
func (s *Space) Add(c Collider) ColliderID {
	if why := refused(c.Shape); why != "" {
		panic("physics: Space.Add: " + why)
	}
	s.changing("Add")
	var i int
	if n := len(s.free); n > 0 {
		i = int(s.free[n-1])
		s.free = s.free[:n-1]
	} else {
		i = len(s.records)
		if i > math.MaxInt32 {
			panic("physics: Space.Add: too many colliders")
		}
		s.records = append(s.records, record{id: newID(i, 1)})
	}
	s.count++
	r := &s.records[i]
	r.alive = true
	s.set(i, c)
	return r.id
}

// Set replaces all of a collider, its shape too, and keeps its ID. It reports false if there is no such collider.
// Panics if the shape is nil, or none of those that [Shape] lists.
//
// See also [Space.SetTransform], which is faster.
func (s *Space) Set(id ColliderID, c Collider) bool {
	if why := refused(c.Shape); why != "" {
		panic("physics: Space.Set: " + why)
	}
	if s.lookup(id) == nil {
		return false
	}
	s.changing("Set")
	s.set(id.index(), c)
	return true
}

func (s *Space) set(i int, c Collider) {
	r := &s.records[i]
	r.collider = c
	r.given, r.since = c.Transform.Position.Wide(), s.origin
	r.layer, r.mask = c.Layer, c.Mask
	if r.layer == 0 {
		r.layer = DefaultLayer
	}
	if r.mask == 0 {
		r.mask = AllLayers
	}
	r.children, r.single[0] = nil, piece{local: r.single[0].local}
	if compound, ok := c.Shape.(*Compound); ok {
		r.children = make([]piece, 0, len(compound.children))
	}
	s.place(i)
}

// SetTransform moves a collider. It reports false if there is no such collider.
func (s *Space) SetTransform(id ColliderID, t geom.Transform) bool {
	r := s.lookup(id)
	if r == nil {
		return false
	}
	s.changing("SetTransform")
	r.collider.Transform = t
	r.given, r.since = t.Position.Wide(), s.origin
	s.place(id.index())
	return true
}

// Remove takes a collider out of the space. It reports false if there is no such collider.
func (s *Space) Remove(id ColliderID) bool {
	if s.lookup(id) == nil {
		return false
	}
	s.changing("Remove")
	s.remove(id.index())
	return true
}

func (s *Space) remove(i int) {
	s.unlink(i)
	r := &s.records[i]
	generation := r.id.generation() + 1
	*r = record{id: newID(i, generation)}
	s.count--
	if generation != 0 { // after four billion uses the place is given up rather than an ID given out twice
		s.free = append(s.free, int32(i))
	}
}

// Clear removes every collider. IDs from before stay stale for ever.
func (s *Space) Clear() {
	s.changing("Clear")
	for i := range s.records {
		if s.records[i].alive {
			s.remove(i)
		}
	}
}

// Collider returns a collider as it was given, with its present transform; false if there is no such collider.
func (s *Space) Collider(id ColliderID) (Collider, bool) {
	r := s.lookup(id)
	if r == nil {
		return Collider{}, false
	}
	return r.collider, true
}

// Bounds returns a box around a collider in world space, which is not always the smallest: around a turned mesh it is
// the box around the mesh's turned box. It is infinite for a plane and empty where the collider is nowhere; false if
// there is no such collider.
func (s *Space) Bounds(id ColliderID) (geom.AABB, bool) {
	r := s.lookup(id)
	if r == nil {
		return geom.AABB{}, false
	}
	return r.bounds, true
}

// IsNowhere reports whether a collider is kept but can be found by no query: its shape is empty (a negative radius), or
// a number in shape or transform, or made of them, is NaN or infinite, or there is no way back from what the transform
// makes of it. The last is so for a scale of zero on one axis, but not of boxes that are not sheared, which are flat
// then; and for a shear that leaves less than a ten thousandth of a cube's volume. A compound is nowhere if all its
// children are. It reports true if there is no such collider.
func (s *Space) IsNowhere(id ColliderID) bool {
	r := s.lookup(id)
	return r == nil || r.where == nowhere
}

// All returns every collider with its ID, in no certain order. The space must not be changed meanwhile.
func (s *Space) All() iter.Seq2[ColliderID, Collider] {
	return func(yield func(ColliderID, Collider) bool) {
		for i := range s.records {
			if r := &s.records[i]; r.alive && !yield(r.id, r.collider) {
				return
			}
		}
	}
}

// Node is a box of the tree over the colliders of a space, for drawing.
type Node struct {
	Bounds geom.AABB // in world space
	Level  int       // 0 at the root
	Leaf   bool      // holds a single collider; its box is larger than the collider, so that small moves cost nothing
}

// Nodes returns the boxes of the tree from the root downward, parents before children. Planes are not in the tree. The
// space must not be changed meanwhile.
func (s *Space) Nodes() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		s.tree.VisitNodes(func(bounds geom.AABB, level int, leaf bool) bool {
			return yield(Node{Bounds: bounds, Level: level, Leaf: leaf})
		})
	}
}

// lookup returns nil if there is no such collider.
func (s *Space) lookup(id ColliderID) *record {
	if i := id.index(); i < len(s.records) {
		if r := &s.records[i]; r.alive && r.id == id {
			return r
		}
	}
	return nil
}

// place makes the pieces of a collider anew and moves it to where they are.
func (s *Space) place(i int) {
	r := &s.records[i]
	f := frameOf(r.collider.Transform)
	r.bounds = geom.EmptyAABB()
	if compound, ok := r.collider.Shape.(*Compound); ok {
		r.placeChildren(compound, &f)
	} else {
		p := &r.single[0]
		p.child = -1
		if p.place(r.collider.Shape, f) {
			r.bounds = p.bounds
		}
	}
	far := max(largest(r.bounds.Min), largest(r.bounds.Max), largest(r.collider.Transform.Position))
	r.slack = float32(far * relativeSlack)
	switch box := r.bounds.Grow(r.slack); {
	case r.bounds.IsEmpty():
		s.unlink(i)
	case finite(largest(box.Min)) && finite(largest(box.Max)):
		if r.where == inTree {
			s.tree.Move(r.at, box, r.collider.Static)
			return
		}
		s.unlink(i)
		r.where, r.at = inTree, s.tree.Insert(box, uint32(i), r.collider.Static)
	case r.where != inPlanes:
		s.unlink(i)
		r.where, r.at = inPlanes, int32(len(s.planes))
		s.planes = append(s.planes, int32(i))
	}
}

// placeChildren keeps those children of a compound that are somewhere.
func (r *record) placeChildren(c *Compound, f *frame) {
	r.children = r.children[:0]
	for i := range c.children {
		n := len(r.children)
		r.children = r.children[:n+1] // may hold a local to use again
		p := &r.children[n]
		p.child = int32(i)
		if !p.place(c.children[i].Shape, f.child(c.children[i].Transform)) {
			r.children = r.children[:n]
			continue
		}
		r.bounds = r.bounds.Union(p.bounds)
	}
}

// unlink makes a collider nowhere.
func (s *Space) unlink(i int) {
	r := &s.records[i]
	switch r.where {
	case inTree:
		s.tree.Remove(r.at)
	case inPlanes:
		last := len(s.planes) - 1
		moved := s.planes[last]
		s.planes[r.at] = moved
		s.records[moved].at = r.at
		s.planes = s.planes[:last]
	}
	r.where = nowhere
}

func largest(v geom.Vec3) float32 {
	v = v.Abs()
	return max(v.X, v.Y, v.Z)
}

// Validate walks the space and its tree and returns what is out of order, or nil. It is for tests: it takes time in
// proportion to the space.
func (s *Space) Validate() error {
	if err := s.tree.Validate(); err != nil {
		return fmt.Errorf("physics: Space.Validate: %w", err)
	}
	alive, inT, inP := 0, 0, 0
	for i := range s.records {
		r := &s.records[i]
		if r.id.index() != i {
			return fmt.Errorf("physics: Space.Validate: record %d calls itself %v", i, r.id)
		}
		if !r.alive {
			if r.where != nowhere {
				return fmt.Errorf("physics: Space.Validate: removed %v can be found", r.id)
			}
			continue
		}
		alive++
		switch r.where {
		case inTree:
			inT++
			box, value := s.tree.Leaf(r.at)
			if value != uint32(i) || box.Union(r.bounds) != box {
				return fmt.Errorf("physics: Space.Validate: %v is not in its leaf", r.id)
			}
		case inPlanes:
			inP++
			if int(r.at) >= len(s.planes) || s.planes[r.at] != int32(i) {
				return fmt.Errorf("physics: Space.Validate: %v is not in its place among the planes", r.id)
			}
		}
	}
	if alive != s.count || inT != s.tree.Len() || inP != len(s.planes) {
		return fmt.Errorf("physics: Space.Validate: counts %d, %d, %d are kept as %d, %d, %d",
			alive, inT, inP, s.count, s.tree.Len(), len(s.planes))
	}
	return nil
}

package physics

import (
	"fmt"
	"iter"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/broad"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// Space holds colliders and answers queries about them: what a ray hits, what a volume touches,
// what is nearest.
//
// A query sees every change made before it. Any number of goroutines may query at once while none
// changes the space. A change leaves some work to [Space.Update], or else to the next query.
// Queries allocate only where they append to a slice that is too short.
//
// A collider is nowhere, that is kept in the space but found by no query, while its shape is empty,
// its transform holds a NaN or an infinity, or the two together give no finite shape. See
// [Space.IsNowhere].
type Space struct {
	records []record // by ColliderID.index
	details []detail // of the same index
	locals  locals
	free    int32      // 1 + the record freed last, of those not in use; 0: none
	last    ColliderID // the greatest that was given out
	count   int
	removed uint64       // see Removed; it never goes back
	boxes   broad.Phase  // of the colliders with finite bounds
	planes  []int32      // the other colliders: planes, and compounds with one
	origins []geom.DVec3 // that a detail may refer to; the last is the present one
	spare   pool[Space]  // released snapshots
	placing *placing
	planar  bool // see NewPlanarSpace
	changes

	stale    atomic.Bool // the boxes have to be settled
	settling sync.Mutex
	base     *Space       // that a snapshot was taken of; nil if the space is none
	root     *Space       // base of the first snapshot in a chain of them
	users    atomic.Int32 // of a snapshot: it is released by the last of them
	blend    *blend       // of a space between two ticks; nil of all others
}

// NewSpace returns a space without colliders. For a 2D game, see [NewPlanarSpace].
func NewSpace() *Space { return &Space{} }

// Update finishes the work that changes have left, on all processors, so that the next query does
// not have to. A game that calls it once a tick, after its changes, decides when that time is
// spent; without it the answers are the same.
func (s *Space) Update() { s.settle() }

// settle brings the tree up to date. Any number of goroutines may call it at once.
func (s *Space) settle() {
	if s.stale.Load() {
		s.settleBoxes()
	}
}

func (s *Space) settleBoxes() {
	s.settling.Lock()
	defer s.settling.Unlock()
	if s.stale.Load() {
		s.boxes.Settle(runtime.GOMAXPROCS(0))
		s.stale.Store(false)
	}
}

// Len returns the number of colliders, including those that are nowhere.
func (s *Space) Len() int { return s.count }

// Add adds a collider to the space and returns its ID. Panics if the shape is nil or not one of
// those that [Shape] lists.
func (s *Space) Add(c Collider) ColliderID {
	requireShape(c.Shape, "Space.Add", s.planar)
	s.changing("Add")
	id := s.nextID()
	i := id.index()
	if i == len(s.records) {
		if i > math.MaxInt32 {
			panic("physics: Space.Add: too many colliders")
		}
		s.records = append(s.records, record{})
		s.details = append(s.details, detail{})
		s.each = append(s.each, 0)
	} else {
		s.free = s.records[i].at
	}
	s.count++
	s.last = id
	r := &s.records[i]
	r.id, r.alive = id, true
	s.set(i, &c)
	return id
}

// nextID returns the ID of the next collider, which is greater than all before: so contacts and
// equal hits go by the order in which colliders were added, whatever was removed between. Where all
// free records would need a generation beyond 2³² they are abandoned.
func (s *Space) nextID() ColliderID {
	generation := max(s.last.generation(), 1)
	if s.free != 0 {
		i := int(s.free - 1)
		if i > s.last.index() {
			return newID(i, generation)
		}
		if generation+1 != 0 {
			return newID(i, generation+1)
		}
		s.free = 0
	}
	return newID(len(s.records), generation)
}

// Set replaces a collider, including its shape, and keeps its ID. It reports false if there is no
// such collider. Panics if the shape is nil or not one of those that [Shape] lists.
//
// See also [Space.SetTransform], which is faster, and [Space.SetTransforms].
func (s *Space) Set(id ColliderID, c Collider) bool {
	requireShape(c.Shape, "Space.Set", s.planar)
	if s.lookup(id) == nil {
		return false
	}
	s.changing("Set")
	s.touch(id.index()) // while it is static, if it was
	s.set(id.index(), &c)
	return true
}

func (s *Space) set(i int, c *Collider) {
	t := c.Transform
	s.lay(&t)
	s.setRecord(i, c)
	s.details[i] = detail{
		shape: c.Shape, transform: t, since: s.present(),
		noLayer: c.Layer == 0, noMask: c.Mask == 0, reset: s.version,
	}
	s.place(i, &t)
}

// setRecord sets all of a record except what place sets.
func (s *Space) setRecord(i int, c *Collider) {
	r := &s.records[i]
	r.set(c, s.planar)
	if _, ok := c.Shape.(*mesh.Mesh); ok {
		r.single[0].Local = s.locals.of(i)
	}
}

// SetTransform moves a collider. It reports false if there is no such collider.
func (s *Space) SetTransform(id ColliderID, t geom.Transform) bool {
	if s.lookup(id) == nil {
		return false
	}
	s.changing("SetTransform")
	i := id.index()
	s.lay(&t)
	s.give(i, &t)
	s.place(i, &t)
	return true
}

// give notes the transform that a collider is given.
func (s *Space) give(i int, t *geom.Transform) {
	d := &s.details[i]
	if t.Scale != d.transform.Scale {
		d.reset = s.version
	}
	d.transform, d.since = *t, s.present()
}

// Remove removes a collider from the space. It reports false if there is no such collider.
func (s *Space) Remove(id ColliderID) bool {
	if s.lookup(id) == nil {
		return false
	}
	s.changing("Remove")
	s.remove(id.index())
	return true
}

func (s *Space) remove(i int) {
	s.removed++
	s.unlink(i)
	s.touch(i)
	r := &s.records[i]
	generation := r.id.generation() + 1
	local := r.single[0].Local
	local.Forget()
	*r = record{id: newID(i, generation)}
	r.single[0].Local = local
	s.details[i] = detail{}
	s.count--
	if generation != 0 {
		r.at, s.free = s.free, int32(i+1)
	}
}

// Removed returns a number that becomes greater when a collider is removed, also by [Space.Restore]
// or [Space.LoadState]: what refers to colliders looks only then whether they are still there.
func (s *Space) Removed() uint64 { return s.removed }

// Clear removes every collider. Their IDs are never given out again.
func (s *Space) Clear() {
	s.changing("Clear")
	for i := range s.records {
		if s.records[i].alive {
			s.remove(i)
		}
	}
}

// changing panics if the space is a snapshot. Every function that changes a space calls it first.
func (s *Space) changing(call string) {
	if s.base != nil {
		panic("physics: Space." + call + ": a snapshot can't be changed")
	}
	s.change()
}

// touch notes that a collider changes.
func (s *Space) touch(i int) { s.changes.touch(i, s.records[i].static) }

// place places the subshapes of a collider and moves it to the right place in the tree, or outside
// of it.
func (s *Space) place(i int, t *geom.Transform) {
	s.touch(i)
	s.records[i].place(s.details[i].shape, t, new(placed.Frame))
	s.link(i)
}

// link moves a collider that was placed to the right place in the tree, or outside of it.
func (s *Space) link(i int) {
	r := &s.records[i]
	box := r.loose()
	switch {
	case r.bounds().IsEmpty():
		s.unlink(i)
	case isBounded(box):
		if r.where == inPlanes {
			s.unlink(i)
		}
		r.where = inBoxes
		s.boxes.Set(uint32(i), box, r.static)
		s.unsettle()
	case r.where != inPlanes:
		s.unlink(i)
		r.where, r.at = inPlanes, int32(len(s.planes))
		s.planes = append(s.planes, int32(i))
	}
}

// isBounded reports whether a box belongs into the tree.
func isBounded(b geom.AABB) bool {
	return !b.IsEmpty() && placed.Finite(placed.Largest(b.Min)) && placed.Finite(placed.Largest(b.Max))
}

// unsettle notes that the boxes have changed. Loading first is cheaper than storing each time.
func (s *Space) unsettle() {
	if !s.stale.Load() {
		s.stale.Store(true)
	}
}

// unlink makes a collider nowhere.
func (s *Space) unlink(i int) {
	r := &s.records[i]
	switch r.where {
	case inBoxes:
		s.boxes.Remove(uint32(i))
		s.unsettle()
	case inPlanes:
		last := len(s.planes) - 1
		moved := s.planes[last]
		s.planes[r.at] = moved
		s.records[moved].at = r.at
		s.pages.touch(int(moved), s.version) // the collider has not changed, its record has
		s.planes = s.planes[:last]
	}
	r.where = nowhere
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

// Collider returns a collider as it was added, with its present transform; false if there is no
// such collider.
func (s *Space) Collider(id ColliderID) (Collider, bool) {
	if s.lookup(id) == nil {
		return Collider{}, false
	}
	return s.collider(id.index()), true
}

// Transform returns the present transform of a collider; false if there is no such collider. It
// saves the time in which [Space.Collider] copies the rest.
func (s *Space) Transform(id ColliderID) (geom.Transform, bool) {
	if s.lookup(id) == nil {
		return geom.Transform{}, false
	}
	return s.transform(id.index()), true
}

func (s *Space) collider(i int) Collider {
	r, d := &s.records[i], &s.details[i]
	c := Collider{Shape: d.shape, Transform: s.transform(i), Layer: r.layer, Mask: r.mask, Sensor: r.sensor, Static: r.static, User: r.user}
	if d.noLayer {
		c.Layer = 0
	}
	if d.noMask {
		c.Mask = 0
	}
	return c
}

// transform returns the transform of a collider in the coordinates of the present origin.
func (s *Space) transform(i int) geom.Transform {
	d := &s.details[i]
	t := d.transform
	if d.since != s.present() {
		t.Position = t.Position.Wide().Add(s.origins[d.since].Sub(s.Origin())).Narrow()
	}
	return t
}

// Origin returns the position in the world at large, in metres, of the zero of the space's
// coordinates. It is zero until [Space.Rebase].
func (s *Space) Origin() geom.DVec3 {
	if len(s.origins) == 0 {
		return geom.DVec3{}
	}
	return s.origins[s.present()]
}

// present returns the index of the present origin.
func (s *Space) present() int32 { return int32(max(len(s.origins)-1, 0)) }

// Bounds returns a box around a collider in world space, which is not always the smallest: around a
// rotated mesh it is that of [mesh.Mesh.BoundsUnder]. It is infinite for a plane and empty where
// the collider is nowhere; false if there is no such collider.
func (s *Space) Bounds(id ColliderID) (geom.AABB, bool) {
	r := s.lookup(id)
	if r == nil {
		return geom.AABB{}, false
	}
	return *r.bounds(), true
}

// IsNowhere reports whether a collider is kept in the space but found by no query. That is so if
// its shape is empty (a negative radius), if a number in its shape or transform, or computed from
// them, is NaN or infinite, or if the transform has no inverse. It has none with a scale of zero on
// an axis, or with a shear that leaves less than 1/10,000 of a cube's volume; a box without shear
// needs none, and may be flat. A compound is nowhere if all its children are. IsNowhere reports
// true if there is no such collider.
func (s *Space) IsNowhere(id ColliderID) bool {
	r := s.lookup(id)
	return r == nil || r.where == nowhere
}

// All returns every collider with its ID, in no particular order. The space must not be changed
// during the iteration.
func (s *Space) All() iter.Seq2[ColliderID, Collider] {
	return func(yield func(ColliderID, Collider) bool) {
		for i := range s.records {
			if r := &s.records[i]; r.alive && !yield(r.id, s.collider(i)) {
				return
			}
		}
	}
}

// Node is a box of the tree over the colliders of a space, for drawing.
type Node struct {
	Bounds geom.AABB // in world space
	Level  int       // 0 at the root
	// Leaf is set if Bounds is the fat AABB of a single collider, larger than it so that small
	// moves cost nothing.
	Leaf bool
}

// Nodes returns the boxes of the tree from the root downward, parents before children. Planes are
// not in the tree. The space must not be changed during the iteration.
func (s *Space) Nodes() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		s.settle()
		s.boxes.VisitNodes(func(bounds geom.AABB, level int, leaf bool) bool {
			return yield(Node{Bounds: bounds, Level: level, Leaf: leaf})
		})
	}
}

// Validate checks the invariants of the space and its tree and returns the first violation, or nil.
// It is for tests: its time is proportional to the size of the space.
func (s *Space) Validate() error {
	s.settle()
	if err := s.boxes.Validate(); err != nil {
		return fmt.Errorf("physics: Space.Validate: %w", err)
	}
	alive, inB, inP := 0, 0, 0
	for i := range s.records {
		r := &s.records[i]
		if r.id.index() != i {
			return fmt.Errorf("physics: Space.Validate: record %d has the ID of %v", i, r.id)
		}
		if !r.alive {
			if r.where != nowhere {
				return fmt.Errorf("physics: Space.Validate: removed %v can be found", r.id)
			}
			continue
		}
		alive++
		switch r.where {
		case inBoxes:
			inB++
			if box, ok := s.boxes.Box(uint32(i)); !ok || box.Union(*r.bounds()) != box {
				return fmt.Errorf("physics: Space.Validate: %v is outside of its leaf", r.id)
			}
		case inPlanes:
			inP++
			if int(r.at) >= len(s.planes) || s.planes[r.at] != int32(i) {
				return fmt.Errorf("physics: Space.Validate: %v is not at its index of the planes", r.id)
			}
		}
	}
	if alive != s.count || inB != s.boxes.Len() || inP != len(s.planes) {
		return fmt.Errorf("physics: Space.Validate: there are %d, %d, %d colliders, boxes and planes, but the counts are %d, %d, %d",
			alive, inB, inP, s.count, s.boxes.Len(), len(s.planes))
	}
	return nil
}

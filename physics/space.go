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
)

// Space holds colliders and answers questions about them: what a ray hits, what a volume touches,
// what is nearest.
//
// A query sees every change made before it. Any number of goroutines may ask at once as long as
// none changes the space. Changes leave some work to [Space.Update], or else to the first query
// after them. Queries allocate nothing but what they append to a slice that is too short.
//
// A collider is nowhere, kept but found by no query, while its shape is empty, its transform holds
// a NaN or an infinity, or the two together give no finite shape; see [Space.IsNowhere].
type Space struct {
	records []record // by ColliderID.index
	details []detail // beside them
	free    []int32  // records not in use
	count   int
	boxes   broad.Phase  // of those with finite bounds
	planes  []int32      // records without finite bounds: planes, compounds with one; they are asked one by one
	version uint64       // counts changes
	still   uint64       // version at which a static collider changed last
	pages   []uint64     // version at which one of so many records changed last
	origins []geom.DVec3 // that a detail may name; the last is the present one
	spare   spare

	stale    atomic.Bool // boxes must be settled
	settling sync.Mutex
	base     *Space // that a snapshot was taken of; nil if it is none
	root     *Space // and that the first of its bases is, which is no snapshot
}

// Update does now, on all processors, what changes have left to be done, so that the next query
// need not. A game that calls it once a tick, after its changes, decides when that time is spent;
// one that does not gets the same answers.
func (s *Space) Update() { s.settle() }

// settle sees to it that queries may look at the boxes. Any number of goroutines may call it at
// once.
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

// NewSpace returns a space without colliders.
func NewSpace() *Space { return &Space{} }

// Len returns the number of colliders, those that are nowhere included.
func (s *Space) Len() int { return s.count }

// Add puts a collider into the space and returns its ID. Panics if the shape is nil, or none of
// those that [Shape] lists.
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
		s.details = append(s.details, detail{})
	}
	s.count++
	r := &s.records[i]
	r.alive = true
	s.set(i, &c)
	return r.id
}

// Set replaces all of a collider, its shape too, and keeps its ID. It reports false if there is no
// such collider. Panics if the shape is nil, or none of those that [Shape] lists.
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
	s.touch(id.index()) // as what it was
	s.set(id.index(), &c)
	return true
}

func (s *Space) set(i int, c *Collider) {
	r := &s.records[i]
	r.set(c)
	s.details[i] = detail{shape: c.Shape, transform: c.Transform, since: s.present(), noLayer: c.Layer == 0, noMask: c.Mask == 0}
	s.place(i, &c.Transform)
}

// SetTransform moves a collider. It reports false if there is no such collider.
func (s *Space) SetTransform(id ColliderID, t geom.Transform) bool {
	if s.lookup(id) == nil {
		return false
	}
	s.changing("SetTransform")
	i := id.index()
	d := &s.details[i]
	d.transform, d.since = t, s.present()
	s.place(i, &t)
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
	s.touch(i)
	r := &s.records[i]
	generation := r.id.generation() + 1
	*r = record{id: newID(i, generation)}
	s.details[i] = detail{changed: s.version}
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

// Collider returns a collider as it was given, with its present transform; false if there is no
// such collider.
func (s *Space) Collider(id ColliderID) (Collider, bool) {
	if s.lookup(id) == nil {
		return Collider{}, false
	}
	return s.collider(id.index()), true
}

// Bounds returns a box around a collider in world space, which is not always the smallest: around a
// turned mesh it is the box around the mesh's turned box. It is infinite for a plane and empty
// where the collider is nowhere; false if there is no such collider.
func (s *Space) Bounds(id ColliderID) (geom.AABB, bool) {
	r := s.lookup(id)
	if r == nil {
		return geom.AABB{}, false
	}
	return *r.bounds(), true
}

// IsNowhere reports whether a collider is kept but can be found by no query: its shape is empty (a
// negative radius), or a number in shape or transform, or made of them, is NaN or infinite, or
// there is no way back from what the transform makes of it. The last is so for a scale of zero on
// one axis, but not of boxes that are not sheared, which are flat then; and for a shear that leaves
// less than a ten thousandth of a cube's volume. A compound is nowhere if all its children are. It
// reports true if there is no such collider.
func (s *Space) IsNowhere(id ColliderID) bool {
	r := s.lookup(id)
	return r == nil || r.where == nowhere
}

// All returns every collider with its ID, in no certain order. The space must not be changed
// meanwhile.
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
	Leaf   bool      // holds a single collider; its box is larger than the collider, so that small moves cost nothing
}

// Nodes returns the boxes of the tree from the root downward, parents before children. Planes are
// not in the tree. The space must not be changed meanwhile.
func (s *Space) Nodes() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		s.settle()
		s.boxes.VisitNodes(func(bounds geom.AABB, level int, leaf bool) bool {
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
func (s *Space) place(i int, t *geom.Transform) {
	s.touch(i)
	r := &s.records[i]
	box := r.place(s.details[i].shape, t)
	switch {
	case r.bounds().IsEmpty():
		s.unlink(i)
	case finite(largest(box.Min)) && finite(largest(box.Max)):
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

// unsettle notes that the boxes have changed. Asking first is cheaper than storing each time.
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
		s.planes = s.planes[:last]
	}
	r.where = nowhere
}

// largest returns the largest magnitude in v; NaN, or +Inf, if one is.
func largest(v geom.Vec3) float32 {
	// The bits of numbers that are not negative order like the numbers, and those of NaN last.
	return math.Float32frombits(max(magnitude(v.X), magnitude(v.Y), magnitude(v.Z)))
}

func magnitude(x float32) uint32 { return math.Float32bits(x) &^ (1 << 31) }

// Validate walks the space and its tree and returns what is out of order, or nil. It is for tests:
// it takes time in proportion to the space.
func (s *Space) Validate() error {
	s.settle()
	if err := s.boxes.Validate(); err != nil {
		return fmt.Errorf("physics: Space.Validate: %w", err)
	}
	alive, inB, inP := 0, 0, 0
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
		case inBoxes:
			inB++
			if box, ok := s.boxes.Box(uint32(i)); !ok || box.Union(*r.bounds()) != box {
				return fmt.Errorf("physics: Space.Validate: %v is not in its leaf", r.id)
			}
		case inPlanes:
			inP++
			if int(r.at) >= len(s.planes) || s.planes[r.at] != int32(i) {
				return fmt.Errorf("physics: Space.Validate: %v is not in its place among the planes", r.id)
			}
		}
	}
	if alive != s.count || inB != s.boxes.Len() || inP != len(s.planes) {
		return fmt.Errorf("physics: Space.Validate: counts %d, %d, %d are kept as %d, %d, %d",
			alive, inB, inP, s.count, s.boxes.Len(), len(s.planes))
	}
	return nil
}

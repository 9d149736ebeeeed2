package physics

import (
	"cmp"
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// Movable is a collider that a [Separator] may push.
type Movable struct {
	Collider ColliderID
	// Weight divides pushes: of two movables that overlap, one of twice the weight moves half as
	// far as the other. 0 means 1. A movable with a weight of +Inf, NaN or less than 0 is an
	// obstacle and is not pushed.
	Weight float32
	// MaxPush is the longest push of one call, in metres; 0 leaves the limit to the Separator. A
	// movable with a negative one or NaN is an obstacle and is not pushed.
	MaxPush float32
	// Push is the result: the way to move the collider, in metres, in world space.
	Push geom.Vec3
}

// bodies is the movables that may be pushed, in the order of IDs.
type bodies struct {
	all      []body
	order    []bodyKey
	numbers  []int32 // by record: 1 + the number of the body, or 0
	farthest float32 // the largest limit
}

// body is a movable that may be pushed.
type body struct {
	// What the relaxation reads and writes, within two cache lines.
	push        geom.DVec3
	correction  geom.DVec3 // sum over its overlaps
	corrections int        // number of these
	lightness   float64    // 1 / weight
	limit       float64    // of a push

	id              ColliderID
	record, movable int32
	moved           bool // since its contacts were computed
	planar          bool
	shape           Shape
	start           geom.Transform

	placed    geom.Vec3 // the push that instance was made for
	instance  instance
	subshapes []placed.Subshape // at its pushed place: at first the record's own
	bounds    *geom.AABB
}

type bodyKey struct {
	id      ColliderID
	movable int32
}

// gather makes the bodies of movables, and sets the Push of all to zero.
func (b *bodies) gather(s *Space, movables []Movable) {
	b.order = b.order[:0]
	for i := range movables {
		m := &movables[i]
		m.Push = geom.Vec3{}
		b.order = append(b.order, bodyKey{m.Collider, int32(i)})
	}
	slices.SortFunc(b.order, func(x, y bodyKey) int {
		return cmp.Or(cmp.Compare(x.id, y.id), cmp.Compare(x.movable, y.movable))
	})
	if n := len(s.records); n > len(b.numbers) {
		b.numbers = append(b.numbers, make([]int32, n-len(b.numbers))...)
	}
	b.all, b.farthest = b.all[:0], 0
	for i, k := range b.order {
		if i > 0 && k.id == b.order[i-1].id {
			continue
		}
		r := s.lookup(k.id)
		if r == nil || r.where != inBoxes || r.sensor {
			continue
		}
		m := &movables[k.movable]
		limit, weight := r.reach(), m.Weight
		if m.MaxPush != 0 {
			limit = min(limit, m.MaxPush) // NaN if either is
		}
		if weight == 0 {
			weight = 1
		}
		if !(limit > 0 && weight > 0) || math.IsInf(float64(weight), 1) {
			continue
		}
		n := len(b.all)
		if n == cap(b.all) {
			b.all = append(b.all, body{})
		}
		b.all = b.all[:n+1] // reuses the memory of the former body
		record := k.id.index()
		b.all[n] = body{
			id: k.id, record: int32(record), movable: k.movable, lightness: 1 / float64(weight), limit: float64(limit),
			planar: s.planar, shape: s.details[record].shape, start: s.transform(record),
			instance: b.all[n].instance, subshapes: r.subshapes(), bounds: r.bounds(),
		}
		b.numbers[record] = int32(n + 1)
		b.farthest = max(b.farthest, limit)
	}
}

// reach returns the least half extent of the bounds of any subshape; 0 for a plane or a mesh, which
// is not pushed.
func (r *record) reach() float32 {
	least := float32(math.Inf(1))
	subshapes := r.subshapes()
	for i := range subshapes {
		p := &subshapes[i]
		if p.Kind == placed.KindPlane || p.Kind == placed.KindMesh {
			return 0
		}
		h := p.Bounds.HalfExtents()
		if least = min(least, h.X, h.Y); !p.Planar {
			least = min(least, h.Z)
		}
	}
	return least
}

// of returns the body of a record, −1 if it has none.
func (b *bodies) of(record int) int32 { return b.numbers[record] - 1 }

// release drops all references to the space.
func (b *bodies) release() {
	for i := range b.all {
		x := &b.all[i]
		b.numbers[x.record] = 0
		x.shape, x.subshapes, x.bounds = nil, nil, nil
	}
}

// confine keeps the push within its limit.
func (b *body) confine() {
	if b.push == (geom.DVec3{}) {
		return
	}
	if l := b.push.Len(); l > b.limit {
		b.push = b.push.Mul(b.limit / l)
	}
}

// follow moves the body by its push.
func (b *body) follow() {
	push := b.push.Narrow()
	if push == b.placed {
		return
	}
	t := b.start
	t.Position = t.Position.Add(push)
	b.placed, b.moved = push, true
	if !b.instance.placeIn(&Placed{b.shape, t}, "Separator.Separate", b.planar) {
		b.push = geom.DVec3{} // the position overflowed float32: the body stays where it was
		return
	}
	b.subshapes, b.bounds = b.instance.subshapes, &b.instance.bounds
}

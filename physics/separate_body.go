package physics

import (
	"cmp"
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/broad"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
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

// bodies holds the movables that may be pushed, in the order of IDs, as a structure of arrays: a
// phase reads one field of many bodies, and that field stays in the cache.
type bodies struct {
	all       []body
	instances []instance // of the bodies that were pushed, unless simple
	push      []geom.DVec3
	next      []geom.DVec3 // of the relaxation that is computed
	weights   []weight
	cores     []core
	bounds    []geom.AABB // after the push for which contacts were last computed
	moved     []bool      // since contacts were last computed
	blocked   []bool      // an obstacle overlaps it
	involved  []bool      // something overlaps it, or did
	island    []int32     // itself in the first of an island, else one before it
	order     []bodyKey
	numbers   []int32 // by record: 1 + the number of the body, or 0
	farthest  float32 // the largest limit
	limits    float64 // the sum of all
	simple    bool    // all have a core
	planar    bool
}

// core is a sphere or a capsule at its pushed place; KindNowhere of another shape.
type core struct {
	shape geom.Capsule // of a sphere, A is the centre
	kind  placed.Kind
}

// weight limits the pushes of a body.
type weight struct {
	lightness float64 // 1 / Weight
	limit     float64 // metres
}

// body is a movable that may be pushed.
type body struct {
	id              ColliderID
	record, movable int32
	shape           Shape
	start           geom.Transform
	placed          geom.Vec3 // the push for which core and bounds are
	placement       placement
}

// placement is the state of the instance of a body after a push.
type placement uint8

const (
	unmoved  placement = iota // it was never pushed: the subshapes are those of its record
	outdated                  // the instance is not placed
	current
)

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
	b.cores, b.simple, b.planar = b.cores[:0], !s.planar, s.planar
	b.all, b.weights, b.bounds, b.farthest, b.limits = b.all[:0], b.weights[:0], b.bounds[:0], 0, 0
	for i, k := range b.order {
		if i > 0 && k.id == b.order[i-1].id {
			continue
		}
		r := s.lookup(k.id)
		if r == nil || r.where != inBoxes || r.sensor {
			continue
		}
		m := &movables[k.movable]
		limit, heavy := r.reach(), m.Weight
		if m.MaxPush != 0 {
			limit = min(limit, m.MaxPush) // NaN if either is
		}
		if heavy == 0 {
			heavy = 1
		}
		if !(limit > 0 && heavy > 0) || math.IsInf(float64(heavy), 1) {
			continue
		}
		record := k.id.index()
		b.all = append(b.all, body{
			id: k.id, record: int32(record), movable: k.movable, shape: s.details[record].shape, start: s.transform(record),
		})
		b.cores = append(b.cores, core{})
		if r.group != nil || !b.cores[len(b.all)-1].set(&r.single[0]) {
			b.simple = false
		}
		b.weights = append(b.weights, weight{1 / float64(heavy), float64(limit)})
		b.bounds = append(b.bounds, *r.bounds())
		b.numbers[record] = int32(len(b.all))
		b.farthest = max(b.farthest, limit)
		b.limits += float64(limit)
	}
	n := len(b.all)
	b.push, b.next = zeros(b.push, n), zeros(b.next, n)
	b.island = zeros(b.island, n)
	b.moved, b.blocked, b.involved = zeros(b.moved, n), zeros(b.blocked, n), zeros(b.involved, n)
	if len(b.instances) < n {
		b.instances = append(b.instances, make([]instance, n-len(b.instances))...)
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

// ofPair returns the body of a pair of records, the first if both are bodies, and the other record;
// −1 if neither is a body.
func (b *bodies) ofPair(k broad.Pair) (body int32, other uint32) {
	i, j := b.of(int(k.A)), b.of(int(k.B))
	if i < 0 || j >= 0 && j < i {
		return j, k.A
	}
	return i, k.B
}

// between returns the push of a body relative to that of the other of a pair.
func (b *bodies) between(x *nearPair) geom.DVec3 { return b.push[x.body].Sub(b.push[x.other]) }

// release drops all references to the space.
func (b *bodies) release() {
	for i := range b.all {
		x := &b.all[i]
		b.numbers[x.record] = 0
		x.shape = nil
	}
}

// limitPush keeps a push within its limit.
func (w *weight) limitPush(push *geom.DVec3) {
	if push.Dot(*push) < float64(w.limit*w.limit)*(1-1e-9) {
		return // without the root
	}
	if l := push.Len(); l > w.limit {
		*push = push.Mul(w.limit / l)
	}
}

// set takes a sphere or a capsule, and reports whether the subshape is one.
func (c *core) set(p *placed.Subshape) bool {
	switch c.kind = p.Kind; p.Kind {
	case placed.KindSphere:
		b := p.Sphere()
		c.shape.A, c.shape.Radius = b.Center, b.Radius
	case placed.KindCapsule:
		c.shape = p.Capsule()
	default:
		c.kind = placed.KindNowhere
	}
	return c.kind != placed.KindNowhere
}

// follow moves the shape of a body by its push.
func (b *bodies) follow(i int32) {
	x, to := &b.all[i], b.push[i].Narrow()
	if b.moved[i] = to != x.placed; !b.moved[i] {
		return
	}
	x.placed = to
	if !b.simple {
		if b.place(i) {
			b.bounds[i], x.placement = b.instances[i].bounds, current
		} else {
			b.push[i] = geom.DVec3{} // the position overflowed float32: the body stays where it was
		}
		return
	}
	var p placed.Subshape
	if t := x.pushed(); !p.PlaceSimple(x.shape, &t) && !p.PlaceAt(x.shape, &t) {
		b.push[i] = geom.DVec3{}
		return
	}
	b.cores[i].set(&p)
	b.bounds[i], x.placement = p.Bounds, outdated
}

// pushed returns where the body is after its push.
func (x *body) pushed() geom.Transform {
	t := x.start
	t.Position = t.Position.Add(x.placed)
	return t
}

// place places the instance of a body.
func (b *bodies) place(i int32) bool {
	x := &b.all[i]
	return b.instances[i].place(&Placed{x.shape, x.pushed()}, "Separator.Separate", b.planar)
}

// subshapes returns the subshapes of a body after its push. Where all bodies are simple, only one
// goroutine may call it for the same body.
func (b *bodies) subshapes(s *Space, i int32) []placed.Subshape {
	switch x := &b.all[i]; x.placement {
	case unmoved:
		return s.records[x.record].subshapes()
	case outdated:
		b.place(i)
		x.placement = current
	}
	return b.instances[i].subshapes
}

// collideSimple returns the normal and the depth of the contact of two bodies, as [scratch.collide]
// finds them; ok is false if they do not touch. simple is false if it does not apply.
func (b *bodies) collideSimple(k *nearPair) (normal geom.Vec3, depth float32, ok, simple bool) {
	x, y := &b.cores[k.body], &b.cores[k.other]
	if !b.simple {
		return normal, 0, false, false
	}
	isCapsules := x.kind == placed.KindCapsule && y.kind == placed.KindCapsule
	if isCapsules {
		if n, far, touch, done := narrow.CollideUpright(&x.shape, &y.shape); done {
			return n.Narrow(), float32(far), touch, true
		}
	}
	var m narrow.Manifold
	if !isCapsules || !m.CollideCapsules(&x.shape, &y.shape, 0) {
		var v, w narrow.Simple
		x.simple(&v)
		y.simple(&w)
		m.CollideSimple(&v, &w, 0)
	}
	if m.N == 0 {
		return normal, 0, false, true
	}
	return m.Normal.Narrow(), float32(m.Points[m.Deepest()].Depth), true, true
}

func (c *core) simple(s *narrow.Simple) {
	if c.kind == placed.KindSphere {
		s.SetSphere(geom.Sphere{Center: c.shape.A, Radius: c.shape.Radius})
	} else {
		s.SetCapsule(c.shape)
	}
}

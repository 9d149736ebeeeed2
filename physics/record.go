package physics

import (
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// record is the hot part of a collider, which queries read: 128 bytes, two cache lines. Records are
// side by side, so most candidates of a query cost one cache miss. The first line holds what most
// queries need of a candidate: the fields that a filter tests, and a box or the pointer to a mesh.
type record struct {
	layer  Layers // never 0: the default is filled in
	mask   Layers
	where  where
	alive  bool
	sensor bool
	static bool
	slack  float32            // in metres: how far rounding may displace a hit out of bounds
	id     ColliderID         // of a free record: the next ID that it will have
	single [1]placed.Subshape // the shape; of a compound, its bounds alone
	user   uint64
	group  *group // of a compound
	at     int32  // index in Space.planes; of a free record, 1 + the next free one
}

// detail is the cold part of a collider, which no query reads: what it was added with.
type detail struct {
	shape     Shape
	transform geom.Transform // as given, when the origin was origins[since]
	since     int32
	noLayer   bool // Collider.Layer was 0
	noMask    bool
	reset     uint64 // version of the space at the last change other than of position and rotation
}

type where uint8

const (
	nowhere where = iota
	inBoxes
	inPlanes
	unknown // of a proxy: its collider has changed
)

// subshapes returns the shapes to test: one, or the children of a compound that are not nowhere.
func (r *record) subshapes() []placed.Subshape {
	if r.single[0].Kind == placed.KindCompound {
		return r.group.subshapes
	}
	return r.single[:]
}

// bounds returns the box around all subshapes, which is empty if the collider is nowhere.
func (r *record) bounds() *geom.AABB { return &r.single[0].Bounds }

// set copies all of a collider except shape and transform, and allocates what place needs.
func (r *record) set(c *Collider, planar bool) {
	r.user, r.layer, r.mask, r.sensor, r.static = c.User, c.Layer, c.Mask, c.Sensor, c.Static
	if r.layer == 0 {
		r.layer = DefaultLayer
	}
	if r.mask == 0 {
		r.mask = AllLayers
	}
	p := &r.single[0]
	p.Local.Forget()
	p.Child, p.Planar, p.Hidden, r.group = -1, planar, 0, nil
	if _, ok := c.Shape.(*Compound); ok {
		p.Kind = placed.KindCompound
		r.group = new(group)
	}
}

// loose returns the box in which queries search for the collider.
func (r *record) loose() geom.AABB { return r.bounds().Grow(r.slack) }

// place places the subshapes.
func (r *record) place(s Shape, t *geom.Transform, f *placed.Frame) {
	bounds := r.bounds()
	if p := &r.single[0]; r.group != nil {
		r.placeGroup(s.(*Compound), t)
	} else if !p.PlaceSimple(s, t) {
		if f.Move(t); !p.Place(s, f) {
			*bounds = geom.EmptyAABB()
		}
	}
	r.slack = placed.SlackAt(bounds, t.Position)
}

func (r *record) placeGroup(c *Compound, t *geom.Transform) {
	var f placed.Frame
	f.Set(t)
	r.group.place(c, &f, r.bounds(), r.single[0].Planar)
}

// copyFrom makes r a copy of o that shares no memory with it that is ever written to.
func (r *record) copyFrom(o *record) {
	own, g := r.single[0].Local, r.group
	*r = *o
	r.single[0].Local = own.CopyFrom(o.single[0].Local)
	if o.group != nil {
		if g == nil {
			g = new(group)
		}
		r.group = g
		g.copyFrom(o.group)
	}
}

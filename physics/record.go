package physics

import "github.com/hitscan-go/hitscan/physics/geom"

// record is what queries want to know of a collider: two lines of the cache, one record beside the
// other, so that a candidate costs no more than that. What they don't want to know is in its
// detail. The first line is all that most candidates cost: what a filter looks at, and a box or the
// way to a mesh.
type record struct {
	layer  Layers // with the zero values resolved
	mask   Layers
	where  where
	alive  bool
	sensor bool
	static bool
	slack  float32    // how far outside bounds the rounding of a query may still find the collider, metres
	id     ColliderID // generation of the record's next use while it is free; then alive is false
	single [1]piece   // the collider itself; of a compound, its bounds
	user   uint64
	group  *group // of a compound
	at     int32  // place in planes
}

// detail is the rest of what a collider was given as.
type detail struct {
	shape     Shape
	transform geom.Transform // as given, when the origin was origins[since]
	since     int32
	noLayer   bool // the zero values of the collider
	noMask    bool
	changed   uint64 // the version of the space that made it what it is
}

// group holds the pieces of a compound that are somewhere.
type group struct{ pieces []piece }

type where uint8

const (
	nowhere where = iota
	inBoxes
	inPlanes
)

// relativeSlack is how much single precision may get wrong in placing a shape or in taking a query
// into its space, as a fraction of the coordinates. 1e-7 would do if nothing were sheared; more
// makes queries look at more candidates.
const relativeSlack = 1e-6

func (r *record) pieces() []piece {
	if r.single[0].kind == kindCompound {
		return r.group.pieces
	}
	return r.single[:]
}

// bounds returns the box around all pieces, empty if the collider is nowhere.
func (r *record) bounds() *geom.AABB { return &r.single[0].bounds }

// set takes over all of a collider but shape and transform, and makes room for what place needs.
func (r *record) set(c *Collider) {
	r.user, r.layer, r.mask, r.sensor, r.static = c.User, c.Layer, c.Mask, c.Sensor, c.Static
	if r.layer == 0 {
		r.layer = DefaultLayer
	}
	if r.mask == 0 {
		r.mask = AllLayers
	}
	p := &r.single[0]
	if p.local != nil {
		// Or the old ones would be kept.
		p.local.mesh, p.local.hull = nil, nil
	}
	p.child, r.group = -1, nil
	if compound, ok := c.Shape.(*Compound); ok {
		p.kind = kindCompound
		r.group = &group{make([]piece, 0, len(compound.children))}
	}
}

// place makes the pieces anew, and returns the box in which a query looks for the collider.
func (r *record) place(s Shape, t *geom.Transform) geom.AABB {
	bounds := r.bounds()
	if r.group != nil || !r.single[0].placeUnturned(s, t) {
		r.placeIn(s, t)
	}
	far := max(largest(bounds.Min), largest(bounds.Max), largest(t.Position))
	r.slack = float32(far * relativeSlack)
	return bounds.Grow(r.slack)
}

func (r *record) placeIn(s Shape, t *geom.Transform) {
	var f frame
	f.set(t)
	if r.group != nil {
		r.group.place(s.(*Compound), &f, r.bounds())
	} else if !r.single[0].place(s, &f) {
		*r.bounds() = geom.EmptyAABB()
	}
}

// place keeps those children of a compound that are somewhere.
func (g *group) place(c *Compound, f *frame, bounds *geom.AABB) {
	*bounds = geom.EmptyAABB()
	g.pieces = g.pieces[:0]
	var child frame
	for i := range c.children {
		n := len(g.pieces)
		g.pieces = g.pieces[:n+1] // may hold a local to use again
		p := &g.pieces[n]
		p.child = int32(i)
		child.setChild(f, &c.children[i].Transform)
		if !p.place(c.children[i].Shape, &child) {
			g.pieces = g.pieces[:n]
			continue
		}
		*bounds = bounds.Union(p.bounds)
	}
}

// copyFrom makes r what o is, and shares no memory with it that either may write to.
func (r *record) copyFrom(o *record) {
	mine, g := r.single[0].local, r.group
	*r = *o
	r.single[0].local = copyLocal(mine, o.single[0].local)
	if o.group == nil {
		return
	}
	if g == nil {
		g = new(group)
	}
	r.group = g
	old := g.pieces[:cap(g.pieces)]
	g.pieces = g.pieces[:0]
	for i := range o.group.pieces {
		p := o.group.pieces[i]
		var own *local
		if i < len(old) {
			own = old[i].local
		}
		p.local = copyLocal(own, p.local)
		g.pieces = append(g.pieces, p)
	}
}

// copyLocal copies what from points to, to where to points if it does to anything.
func copyLocal(to, from *local) *local {
	if from == nil {
		return nil
	}
	if to == nil {
		to = new(local)
	}
	own := to.planar
	*to = *from
	if from.planar != nil {
		if own == nil {
			own = new(planar)
		}
		*own = *from.planar
		to.planar = own
	}
	return to
}

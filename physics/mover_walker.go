package physics

import (
	"cmp"
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// walker is the state of a mover during a move, in double precision and world space.
type walker struct {
	space  *Space
	filter Filter

	// The shape, as it is when the mover is at the origin of the world.
	round   bool         // a core from p to q with a radius; otherwise shape
	p, q    geom.DVec3   // the same point of a sphere
	radius  float64      // 0 of a shape
	size    float64      // the unit of lengths: the radius, or half the least side of the bounds
	shape   narrow.Shape // empty until it is needed, if it can be made of capsule
	capsule geom.Capsule
	low     geom.DVec3 // bounds
	high    geom.DVec3
	placing placed.Subshape

	up                                  geom.DVec3 // unit
	offset, slop, ulp                   float64
	stepHeight, stepDepth, snapDistance float64
	leastUp                             float64 // of a normal that can be stood on, along up

	at       geom.DVec3 // where the mover is
	began    geom.DVec3 // where the move began
	oneWay   Layers     // see Mover.OneWay
	stoodOn  ColliderID // before the move; 0 in the air
	firm     bool       // what it stood on has not moved since
	heading  geom.DVec3 // the motion of the move, and that of the ground
	skip     ColliderID // not in the way while the mover is carried along with it
	ground   support
	planes   []geom.DVec3 // normals of obstacles met in the air
	floors   []geom.DVec3 // normals of the ground
	walls    []geom.DVec3 // normals of obstacles that block a walker
	contacts []contact
	hits     []MoverHit
	flat     geom.DVec3 // the horizontal motion of a walker

	static *surroundings // own, or that of a cache
	own    surroundings
	moving surroundings

	reached        geom.AABB // all boxes gathered by the move
	gatheredMoving bool      // it gathered colliders that move
	done           bool      // it has changed the state

	steps int // the most steps of one cast at one obstacle
}

// contact is a gap to one of the obstacles.
type contact struct {
	narrow.Gap
	in *surroundings
	i  int32
}

// obstacle returns the obstacle of the contact.
func (c *contact) obstacle() *obstacle { return &c.in.list[c.i] }

// order compares obstacles by collider, child and triangle.
func (c *contact) order(d *contact) int {
	a, b := c.obstacle(), d.obstacle()
	return cmp.Or(
		cmp.Compare(c.in.owners[a.owner].id, d.in.owners[b.owner].id),
		cmp.Compare(a.child, b.child),
		cmp.Compare(a.at, b.at))
}

// isSeen reports whether an obstacle is one: the filter selects it, and it is no platform that the
// mover passes.
func (w *walker) isSeen(a *surroundings, i int32) bool {
	o := &a.owners[a.boxes[i].owner]
	return o.seen && o.id != w.skip && (!o.oneWay || w.isAbove(a, i, o.id))
}

// isAbove reports whether the mover was above an obstacle at the start of the move. What it stands
// on may have moved into it. A platform that it passes, and leaves by its own motion, is none: it
// would be lifted by up to twice the offset in the middle of a jump.
func (w *walker) isAbove(a *surroundings, i int32, id ColliderID) bool {
	deepest := w.offset
	if id == w.stoodOn {
		deepest = w.size
	}
	var g narrow.Gap
	if !w.gap(&g, a, i, w.began, math.Inf(1)) {
		return true
	}
	rises := w.stoodOn == 0 && w.heading.Dot(w.up) > 0
	leaves := rises && g.Distance < w.offset && g.Distance+w.heading.Dot(g.Normal) >= w.offset
	return g.Normal.Dot(w.up) >= w.leastUp && g.Distance >= -deepest && !leaves
}

// support is the ground that a mover stands on.
type support struct {
	state           GroundState
	point, normal   geom.DVec3
	record          int32
	child, triangle int32
}

// longest returns the longest way that is gathered at once: 4 m for a human.
func (w *walker) longest() float64 { return w.size * 40 / 3 }

// swept returns the box around the shape on a way, grown by the offset.
func (w *walker) swept(way geom.DVec3) geom.AABB {
	lo, hi := w.at.Add(w.low), w.at.Add(w.high)
	g := w.offset + 2*w.slop
	return geom.AABB{
		Min: geom.Vec3{X: float32(lo.X + min(0, way.X) - g), Y: float32(lo.Y + min(0, way.Y) - g), Z: float32(lo.Z + min(0, way.Z) - g)},
		Max: geom.Vec3{X: float32(hi.X + max(0, way.X) + g), Y: float32(hi.Y + max(0, way.Y) + g), Z: float32(hi.Z + max(0, way.Z) + g)},
	}
}

func touches(a, b *geom.AABB) bool {
	return a.Min.X <= b.Max.X && b.Min.X <= a.Max.X &&
		a.Min.Y <= b.Max.Y && b.Min.Y <= a.Max.Y &&
		a.Min.Z <= b.Max.Z && b.Min.Z <= a.Max.Z
}

// isNegligible reports whether a way is no longer than the rounding of single precision.
func (w *walker) isNegligible(v geom.DVec3) bool { return v.Len() <= w.ulp }

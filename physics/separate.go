package physics

import (
	"github.com/hitscan-go/hitscan/internal/par"
	"github.com/hitscan-go/hitscan/physics/geom"
)

const (
	// DefaultIterations is how often a [Separator] computes contacts.
	DefaultIterations = 4
	// DefaultSlop is the depth of overlaps, in metres, up to which a [Separator] pushes nothing.
	DefaultSlop = 0.001
)

// Separator pushes overlapping movables apart, and out of obstacles. It is made for a crowd of
// kinematic colliders, after each has moved by itself. It computes the pushes; the caller moves the
// colliders.
//
// All other colliders in the space are obstacles, Static or not. They have priority: however hard
// others push, no movable gets deeper into an obstacle than it was, or than Slop if that is more,
// nor past it. Sensors neither push nor are pushed, and layers and masks count as in [Space.Pairs].
// Planes and meshes, and compounds with one, are never pushed.
//
// One call pushes a movable by no more than the least half extent of its subshapes. A dense crowd
// takes several ticks. Movables at rest within Slop keep their positions to the last bit.
//
// The result does not depend on the order of the movables. It is found by Jacobi relaxation: each
// overlap corrects both movables by half of its depth, by weight, and each movable is pushed by
// about the mean of its corrections (Müller et al. 2007; Macklin et al. 2014).
//
// The zero Separator is ready for use, and must not be copied after that. It keeps its memory, so
// that a call allocates nothing once that has grown.
type Separator struct {
	// Iterations is how often contacts are computed; a dense crowd takes more. 0 means
	// [DefaultIterations]. It ends earlier if nothing is left to do.
	Iterations int
	// Slop is the depth, in metres, up to which overlaps are left alone; deeper ones are pushed to
	// half of it. 0, a negative value or NaN means [DefaultSlop].
	Slop float32
	// Up, unless zero, is the normal of the plane in which movables are pushed, of any length: for
	// a crowd that walks on the ground. Then an obstacle touched from above or below, within 45°,
	// is ground: it neither pushes nor blocks, and a movable that is pushed uphill gets into it,
	// until its own next move puts it on the ground again. A movable above another is pushed aside.
	Up geom.Vec3
	// Ignores, unless nil, reports whether an obstacle does not block a movable, for instance
	// because the movable carries it. It is called for obstacles that are near, never for two
	// movables, and must not change the space.
	Ignores func(movable, other ColliderID) bool

	flat bool
	up   geom.DVec3
	slop float64

	bodies      bodies
	nearby      []nearby       // by chunk of bodies
	around      byBody[uint32] // records near each body, if a walk through the tree has found them
	constraints byBody[bodyConstraint]
	grounds     grounds
	islands     byBody[int32] // the bodies of each island, by its first
	small       []int32       // the islands of fewer than largeIsland bodies
	large       []int32
	loop        par.Loop[*Separator]

	// Of the present call.
	space    *Space
	movables []Movable
	joined   bool         // around is set
	looked   bool         // contacts have been computed
	island   []int32      // the bodies of a large island
	from, to []geom.DVec3 // their pushes before and after a relaxation
}

// bodyChunk is how many bodies a worker claims at a time. Fewer: claims take longer than what is
// claimed. More: workers wait for each other, and small crowds use one.
const bodyChunk = 64

// Separate computes the push of each movable and writes it to its Push: zero if it stays, is not in
// the space, is nowhere or may not be pushed. Of two movables with the same collider, the first is
// used. It does not change the space. It uses all processors; the result does not depend on their
// number.
func (p *Separator) Separate(s *Space, movables []Movable) {
	p.set()
	s.settle()
	p.space, p.movables, p.looked = s, movables, false
	p.bodies.gather(s, movables)
	defer p.bodies.release() // even if Ignores panics
	p.joinTree()
	p.run((*Separator).findNear)
	p.dropIgnored()
	p.findGround()
	iterations := p.Iterations
	if iterations <= 0 {
		iterations = DefaultIterations
	}
	for range iterations {
		p.run((*Separator).update)
		p.looked = true
		if !p.isViolated() {
			break
		}
		p.listConstraints()
		p.listIslands()
		p.relaxIslands()
	}
	p.run((*Separator).finish)
	p.space, p.movables = nil, nil
}

// run runs a function over the chunks of bodies.
func (p *Separator) run(some func(p *Separator, worker, from, to int)) {
	n := len(p.bodies.all)
	for len(p.nearby) < (n+bodyChunk-1)/bodyChunk {
		p.nearby = append(p.nearby, nearby{})
	}
	p.loop.Run(p, par.Workers(n, bodyChunk), n, bodyChunk, some)
}

// chunks returns what is near the bodies.
func (p *Separator) chunks() []nearby {
	return p.nearby[:(len(p.bodies.all)+bodyChunk-1)/bodyChunk]
}

// set computes the settings with their defaults.
func (p *Separator) set() {
	if p.slop = float64(p.Slop); !(p.slop > 0) {
		p.slop = DefaultSlop
	}
	p.up = p.Up.Wide().Normalize()
	p.flat = p.Up.IsFinite() && p.up != geom.DVec3{}
}

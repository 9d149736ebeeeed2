package physics

import (
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// Contact recycling, after Box3D (erincatto/box3d, src/physics_world.c, b3CollideTask): while two
// colliders have hardly moved against each other since their manifolds were found, the contact
// points are moved with the colliders and only the depths are computed.
//
// Box3D recycles up to 5 cm and 10°, for a solver that corrects itself. Here it is up to a
// millimetre, of any point of the smaller collider as seen from the other, because contacts are
// answers too. That bounds the errors. A depth is that of the same two features: between planes it
// is exact up to the product of the displacement and the angle, some micrometres. Where other
// features have come nearest since, it is wrong by no more than twice the displacement. Errors do
// not add up, as each recycling starts from what was found.

const (
	// DefaultRecycleDistance is the default of [ContactTracker.RecycleDistance], in metres.
	DefaultRecycleDistance = 0.001
	// recycleShare bounds the distance as a fraction of the radius of the smaller collider, for
	// those smaller than half a metre, and so the angle: 1/512 radian, 0.11°.
	recycleShare = 1.0 / 512
)

// isWorthKeeping reports whether it takes longer to compare two colliders than to find how far they
// have moved. It does not with spheres and capsules, and with two boxes of a planar space.
func isWorthKeeping(a, b *record) bool {
	p, q := &a.single[0], &b.single[0]
	return !(p.Kind == placed.KindSphere && q.IsConvex() || q.Kind == placed.KindSphere && p.IsConvex() || p.IsSimple() && q.IsSimple() || p.IsFlatBox() && q.IsFlatBox())
}

// recycle moves the manifolds found with the colliders. It reports false if a manifold has no point
// left.
func (x *tracked) recycle(mem *arenaPart, f *finding, m *relativeMotion, margin float32) bool {
	found := f.manifolds.list()
	mem.room(len(found))
	from := len(mem.manifolds)
	to := from + len(found)
	now := mem.manifolds[from:to:to]
	for i := range now {
		if now[i].follow(&found[i], m, margin); now[i].N == 0 {
			return false
		}
	}
	mem.manifolds = mem.manifolds[:to]
	x.Manifolds, x.copied = now, true
	return true
}

// follow sets a manifold to one that was found, moved with A and B. Its normal turns with the
// collider that has the face. Points of a depth of at least −margin stay.
func (n *Manifold) follow(f *Manifold, m *relativeMotion, margin float32) {
	normals := [2]geom.DVec3{f.Normal.Wide()}
	normals[1] = normals[0]
	if by := f.faced(m); by.turns {
		normals[1] = normals[1].Add(by.turned(normals[0]))
	}
	n.Normal, n.N, n.ChildA, n.ChildB = normals[1].Narrow(), f.N, f.ChildA, f.ChildB
	var stay uint32
	if useSIMD {
		stay = followSIMD(n, f, m, &normals, -margin)
	} else {
		stay = n.followPoints(f, m, &normals, -margin)
	}
	if all := uint32(1)<<f.N - 1; stay&all != all {
		n.N = 0
		for i := range f.N {
			if stay>>i&1 != 0 {
				n.Points[n.N] = n.Points[i]
				n.N++
			}
		}
	}
	clear(n.Points[n.N:])
}

// followPoints sets the points of a manifold to those of one that was found, moved with A and B.
// A point with a feature that is a face slides on it. The normals are those before and after. It
// returns a bit for each point that is as deep as the least depth.
func (n *Manifold) followPoints(f *Manifold, m *relativeMotion, normals *[2]geom.DVec3, least float32) (stay uint32) {
	for i := range f.ContactPoints() {
		c, to := &f.Points[i], &n.Points[i]
		p, q := c.PointA.Wide(), c.PointB.Wide()
		gap := p.Sub(q)
		if m.a.moves {
			p = p.Add(m.a.of(p))
		}
		if m.b.moves {
			q = q.Add(m.b.of(q))
		}
		across := p.Sub(q)
		beyond := across.Dot(normals[1])
		depth := float32(float64(c.Depth) + (beyond - gap.Dot(normals[0])))
		if !(depth < least) {
			stay |= 1 << i
		}
		aside := across.AddMul(-beyond, normals[1])
		switch {
		case c.FeatureA.IsFace():
			p = p.Sub(aside)
		case c.FeatureB.IsFace():
			q = q.Add(aside)
		default:
			p, q = p.AddMul(-0.5, aside), q.AddMul(0.5, aside)
		}
		*to = *c
		to.PointA, to.PointB, to.Depth = p.Narrow(), q.Narrow(), depth
	}
	return stay
}

// faced returns the motion of the collider whose face is in contact; that of A if both have one, or
// neither.
func (n *Manifold) faced(m *relativeMotion) *motion {
	for i := range n.N {
		if n.Points[i].FeatureA.IsFace() {
			return &m.a
		}
	}
	for i := range n.N {
		if n.Points[i].FeatureB.IsFace() {
			return &m.b
		}
	}
	return &m.a
}

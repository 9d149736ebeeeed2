package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Bend is the turn of a surface of triangles at an edge of one of them, seen from its front: it
// turns down (positive), goes on flat (0), or turns up (negative). It is the tangent of half the
// angle by which it turns. [Open] is an edge beyond which there is nothing.
//
// A rotation, a translation and a uniform scale of a mesh change no bend. A non-uniform scale
// changes them, and a mirror changes the sign of all.
type Bend float32

// BendAt returns the Bend at an edge of a triangle, from corner edge to the next, where the other
// triangle there has its third corner at beyond. Which way round that one goes does not matter.
//
// It is 0 where the rounding of the corners to single precision may have made it, up to a turn of
// 5°: on a floor a kilometre from the origin triangles of a metre turn by 0.01°. It is 0 also if
// one of the two is degenerate. No other bend is too small to count, as a normal leans no further
// over an edge than the surface turns.
func BendAt(t geom.Triangle, edge int, beyond geom.Vec3) Bend {
	c := [3]geom.DVec3{t.A.Wide(), t.B.Wide(), t.C.Wide()}
	a, along := c[edge], c[(edge+1)%3].Sub(c[edge])
	n := c[1].Sub(c[0]).Cross(c[2].Sub(c[0]))
	out, to := along.Cross(n), beyond.Wide().Sub(a)
	// The height of this triangle over the edge, and the place of the other one's corner.
	length, area := along.Len(), n.Len()
	high := area / length
	x, y := to.Dot(out)/(length*area), -to.Dot(n)/area
	l := math.Sqrt(float64(x*x) + float64(y*y))
	if !(l > 0) || !(high > 0) {
		return 0
	}
	if l+x <= foldedBack*math.Abs(y) || l+x == 0 {
		if y < 0 {
			return -Open // folded back
		}
		return Open
	}
	b := y / (l + x)
	size := max(big(c[0]), big(c[1]), big(c[2]), big(beyond.Wide()))
	if math.Abs(b) <= min(float64(roundedBend*size)*(1/high+1/l), roundingCap) {
		return 0
	}
	return Bend(b)
}

// Edges holds the bends at the edges of a triangle of a mesh: from its first corner to its second,
// and on around.
type Edges [3]Bend

// forced is the direction and the depth of the contacts that a triangle would have alone, if its
// edges forced another direction; the depth is −Inf if they did not.
type forced struct {
	normal geom.DVec3
	depth  float64
	to     geom.DVec3 // the direction they forced
	lean   lean
}

// collide finds the contacts of a triangle of a mesh with a shape, from the triangle to the shape.
// They are those of [Finder.Collide], except along directions that the surface around the triangle
// does not have. It also returns what its edges forced, and whether the triangle is touched at all.
//
// A triangle alone pushes away what touches its edge in any direction. Where another triangle goes
// on behind that edge, most of these are wrong: a crate that slides over a flat floor of triangles
// would trip over every edge between two. So a normal may lean over an edge only as far as the
// surface turns down there, to where the normal of the other triangle points; it may not lean at
// all where the surface is flat or turns up. Where it would, contacts are found again, along the
// nearest direction that may be, or else along the triangle's normal; and if along these the shape
// does not touch this triangle, it touches another one. Bullet's internal edge utility does the
// like.
//
// The centre of a shape decides on which side of the triangle it is. A triangle so thin that its
// normal is rounding collides as if it were alone.
func (e *Edges) collide(f *Finder, t, s *Shape, margin float64) (was forced, touched bool) {
	free := forced{depth: math.Inf(-1)}
	f.N = 0
	a, b := t, s
	exchanged := !before(t, s)
	if exchanged {
		a, b = s, t
	}
	var r relation
	if !relate(&r, a, b, margin, askContacts) {
		return free, false
	}
	alone, least := forced{normal: r.n, depth: -r.dist}, r.least
	if least { // only the contacts show whether and where they touch
		if f.related(a, b, &r, margin); f.N == 0 {
			return free, false
		}
		alone = forced{normal: f.Normal, depth: f.Points[f.Deepest()].Depth}
	}
	if exchanged {
		alone.normal = alone.normal.Neg()
	}
	if t.kind == KindTriangle && s.kind != KindHalfSpace && !t.IsThin() {
		up := t.u
		if s.Center().Sub(t.p).Dot(up) < 0 {
			up = up.Neg()
		}
		if alone.to, alone.lean = e.lean(t, up, alone.normal); alone.lean > straight {
			if f.along(t, s, alone.to, margin); f.N == 0 && alone.to != up {
				f.along(t, s, up, margin)
			}
			return alone, true
		}
	}
	if !least {
		f.related(a, b, &r, margin)
	}
	if exchanged {
		f.flip()
	}
	return free, true
}

// along finds the contacts of a triangle and a shape along a given direction. There are none unless
// the shape's support point against that direction is over the triangle.
func (f *Finder) along(t, s *Shape, n geom.DVec3, margin float64) {
	f.Normal, f.N, f.edges.found = n, 0, false
	pt, ps := &f.patchA, &f.patchB
	t.patch(n, pt)
	s.patch(n.Neg(), ps)
	switch {
	case pt.align >= faceOn:
		f.onFace(pt, ps, margin, touching*t.size, false)
	case ps.align >= faceOn:
		f.onFace(ps, pt, margin, touching*s.size, true)
	default:
		f.onEdges(t, s, margin)
	}
	if f.N == 0 {
		f.Normal = geom.DVec3{}
	}
}

// lean is how a direction leans over the edges of a triangle.
type lean uint8

const (
	straight   lean = iota // no further than they allow
	overEdge               // too far, over one of them
	overCorner             // too far, over two of them at once
)

// lean returns the direction nearest to n that the surface has at the triangle, on the side of up,
// and how n leans. It returns n if that is straight. At the support corner along n, n is a sum of
// the normal and the directions outward of the two edges there; over each edge it may lean as far
// as that edge allows.
func (e *Edges) lean(t *Shape, up, n geom.DVec3) (geom.DVec3, lean) {
	high := n.Dot(up)
	flat := n.AddMul(-high, up)
	if flat.Dot(flat) < upright && high > 0 {
		return n, straight
	}
	c := t.triangle()
	k := 0
	for i := range c {
		if flat.Dot(c[i].Sub(c[k])) > 0 {
			k = i
		}
	}
	changed := high < -leaning
	high = max(high, 0)
	best, over := up.Mul(high), straight
	// the edges that leave the corner and lead to it
	along := [2]geom.DVec3{c[(k+1)%3].Sub(c[k]), c[k].Sub(c[(k+2)%3])}
	for i, edge := range [2]int{k, (k + 2) % 3} {
		out := along[i].Cross(t.u).Normalize()
		other := along[1-i]
		way := out.Dot(other)
		if !(math.Abs(way) > 0) {
			continue
		}
		x := max(0, flat.Dot(other)/way)
		if x > leaning {
			over++
		}
		bend := float64(e[edge])
		if bend == float64(Open) {
			best = best.AddMul(x, out)
			continue
		}
		if up != t.u {
			bend = -bend
		}
		if bend <= 0 {
			changed = changed || x > leaning
			continue
		}
		// The other triangle's normal, in steps up and out.
		cos, sin := (1-float64(bend*bend))/(1+float64(bend*bend)), 2*bend/(1+float64(bend*bend))
		if float64(x*cos) > float64(high*sin)+leaning {
			changed = true
			if x = float64(high*sin) / cos; high == 0 {
				best = best.AddMul(cos, up)
				x = sin
			}
		}
		best = best.AddMul(x, out)
	}
	if !changed {
		return n, straight
	}
	over = max(over, overEdge)
	if l := best.Len(); l > noDirection {
		return best.Mul(1 / l), over
	}
	return up, over
}

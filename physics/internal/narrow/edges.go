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
// 5°: on a floor a kilometre from the origin triangles of a metre turn by 0.01°. It is also 0 if
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

// stand is the region of a triangle through which a direction leads out of it (its Voronoi region):
// that of the face, an edge or a corner; and whether the surface has the direction in its normal
// cone there.
type stand uint8

const (
	wrong    stand = iota // over an edge, further than the surface bends
	overFace              // along the normal, to either side
	overEdge              // within what the surface bends at an edge
	overRim               // over an open edge
	overCorner
)

// stand returns where a unit vector leaves a triangle with the corners c and the normal u, and the
// number of the edge or corner.
//
// A triangle alone pushes away what touches its edge, in any direction. Where the surface goes on
// in another triangle beyond that edge, most of these directions are wrong: a crate that slides
// over a flat floor of triangles would stumble over every inner edge. The normal cone of the
// surface there has only the directions between the normals of both triangles, on the side from
// which they turn away. Beyond these the other triangle rises above the plane across the direction,
// and is touched itself. Bullet's internal edge utility does the same. What a corner allows depends
// on all triangles around it: see Joiner.isSummit.
func (e *Edges) stand(c *[3]geom.DVec3, u, n geom.DVec3) (stand, int) {
	high := n.Dot(u)
	if flat := n.AddMul(-high, u); flat.Dot(flat) <= leaning*leaning {
		return overFace, 0
	}
	k := 0
	for i := range c {
		if n.Dot(c[i].Sub(c[k])) > 0 {
			k = i
		}
	}
	for _, i := range [2]int{k, (k + 2) % 3} {
		along := c[(i+1)%3].Sub(c[i])
		l := along.Len()
		if math.Abs(along.Dot(n)) > float64(leaning*l) {
			continue
		}
		switch {
		case e.isOpen(i):
			return overRim, i
		case e.allows(i, c, u, n, leaning):
			return overEdge, i
		}
		return wrong, i
	}
	return overCorner, k
}

// isOpen reports whether there is nothing beyond an edge, or a triangle folded back on this one.
func (e *Edges) isOpen(i int) bool { return math.Abs(float64(e[i])) == float64(Open) }

// isSteep reports whether the surface turns by more than steepEdge at an edge.
func (e *Edges) isSteep() bool {
	for i, b := range e {
		if math.Abs(float64(b)) > steepEdge && !e.isOpen(i) {
			return true
		}
	}
	return false
}

// HasRim reports whether there is nothing beyond any of the edges: see isOpen.
func (e *Edges) HasRim() bool { return e.isOpen(0) || e.isOpen(1) || e.isOpen(2) }

// turn returns the cosine and the sine of the angle by which the surface turns down at an edge.
func (e *Edges) turn(i int) (cos, sin float64) {
	b := float64(e[i])
	s := 1 + float64(b*b)
	return (1 - float64(b*b)) / s, 2 * b / s
}

// allows reports whether the triangle beyond an edge does not rise above the plane across a
// direction by more than a slack, the sine of an angle.
func (e *Edges) allows(i int, c *[3]geom.DVec3, u, n geom.DVec3, slack float64) bool {
	cos, sin := e.turn(i)
	out := c[(i+1)%3].Sub(c[i]).Cross(u)
	return float64(cos*out.Dot(n)) <= float64((float64(sin*n.Dot(u))+slack)*out.Len())
}

package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// maxOutline is how many corners the outline of a shape may have. More takes more memory to clear.
const maxOutline = 16

// vec2 is a vector in the plane, in metres.
type vec2 struct{ x, y float64 }

func (v vec2) add(w vec2) vec2             { return vec2{v.x + w.x, v.y + w.y} }
func (v vec2) sub(w vec2) vec2             { return vec2{v.x - w.x, v.y - w.y} }
func (v vec2) mul(f float64) vec2          { return vec2{float64(v.x * f), float64(v.y * f)} }
func (v vec2) dot(w vec2) float64          { return float64(v.x*w.x) + float64(v.y*w.y) }
func (v vec2) cross(w vec2) float64        { return float64(v.x*w.y) - float64(v.y*w.x) }
func (v vec2) len() float64                { return math.Sqrt(v.dot(v)) }
func (v vec2) out(o geom.DVec3) geom.DVec3 { return geom.DVec3{X: o.X + v.x, Y: o.Y + v.y} }

func inPlane(v geom.DVec3) vec2 { return vec2{v.X, v.Y} }

// outline is what the plane z = 0 cuts out of a shape: the points within a radius of a point, a
// segment or a convex polygon. Corners are counter-clockwise, and side i leads from corner i to the
// next. A segment has two sides, one for each direction.
type outline struct {
	p, n   [maxOutline]vec2 // corners, and the unit outward normals of the sides
	num    int
	radius float64
}

// set makes it the outline of a shape, relative to a point. It returns false if the shape has none:
// if it is curved in another way, or is a half-space or a triangle.
func (o *outline) set(s *Shape, from geom.DVec3) bool {
	at := inPlane(s.p.Sub(from))
	o.radius = s.radius
	switch s.kind {
	case KindSphere:
		o.p[0], o.num = at, 1
	case KindCapsule:
		o.p[0], o.p[1], o.num = at, at.add(inPlane(s.e)), 2
		o.close()
	case KindAABB, KindBox:
		x, y := inPlane(s.x), inPlane(s.y)
		o.corners(at, x.mul(s.half.X), y.mul(s.half.Y))
		if o.num == 4 {
			o.n = [maxOutline]vec2{y.mul(-1), x, y, x.mul(-1)}
		} else {
			o.close()
		}
	case KindParallelepiped:
		x, y := inPlane(s.x), inPlane(s.y)
		if x.cross(y) < 0 {
			x, y = y, x
		}
		o.corners(at, x, y)
		o.close()
	case KindHull:
		return o.prism(s, at, s.hull.Vertices())
	case kindCloud:
		return o.prism(s, at, s.cloud)
	default:
		return false
	}
	return true
}

// corners makes it a parallelogram with half axes, or the segment or point that it is.
func (o *outline) corners(at, x, y vec2) {
	noX, noY := x == vec2{}, y == vec2{}
	switch {
	case noX && noY:
		o.p[0], o.num = at, 1
	case noX:
		o.p[0], o.p[1], o.num = at.sub(y), at.add(y), 2
	case noY:
		o.p[0], o.p[1], o.num = at.sub(x), at.add(x), 2
	default:
		o.p[0], o.p[1], o.p[2], o.p[3] = at.sub(x).sub(y), at.add(x).sub(y), at.add(x).add(y), at.sub(x).add(y)
		o.num = 4
	}
}

// prism makes it the outline of the hull of points whose second half is the first, counter-
// clockwise, at another z: see hull.NewPolygon.
func (o *outline) prism(s *Shape, at vec2, points []geom.Vec3) bool {
	n := len(points) / 2
	if n < 3 || n > maxOutline || len(points)%2 != 0 {
		return false
	}
	x, y := inPlane(s.x), inPlane(s.y)
	mirrored := x.cross(y) < 0
	for i := range n {
		v, w := points[i], points[n+i]
		if v.X != w.X || v.Y != w.Y {
			return false
		}
		k := i
		if mirrored {
			k = n - 1 - i
		}
		o.p[k] = at.add(x.mul(float64(v.X) - s.f.X)).add(y.mul(float64(v.Y) - s.f.Y))
	}
	o.num = n
	o.close()
	return true
}

// close finds the normals of the sides. Of corners that rounding has left in one place, as far away
// it does, it keeps one.
func (o *outline) close() {
	n := 0
	for i := range o.num {
		d := o.p[o.after(i)].sub(o.p[i])
		if d == (vec2{}) {
			continue
		}
		l := 1 / d.len()
		o.p[n], o.n[n] = o.p[i], vec2{d.y, -d.x}.mul(l)
		n++
	}
	o.num = max(n, 1)
}

func (o *outline) after(i int) int {
	if i++; i < o.num {
		return i
	}
	return 0
}

func (o *outline) before(i int) int {
	if i > 0 {
		return i - 1
	}
	return o.num - 1
}

// middle returns the mean of the corners.
func (o *outline) middle() (m vec2) {
	for i := range o.num {
		m = m.add(o.p[i])
	}
	return m.mul(1 / float64(o.num))
}

// furthest returns the corner that is furthest along a direction, the first of equals, and how far.
func (o *outline) furthest(d vec2) (corner int, most float64) {
	most = math.Inf(-1)
	for i := range o.num {
		if h := o.p[i].dot(d); h > most {
			corner, most = i, h
		}
	}
	return corner, most
}

// parting returns the side beyond which another outline is furthest, and its distance from the line
// along that side, without the radii. It is −Inf for a point, which has no sides.
func (o *outline) parting(q *outline) (side int, gap float64) {
	gap = math.Inf(-1)
	if o.num < 2 {
		return 0, gap
	}
	for i := range o.num {
		if h := o.beyond(i, q); h > gap {
			side, gap = i, h
		}
	}
	return side, gap
}

// beyond returns how far another outline is beyond the line along a side, without the radii.
func (o *outline) beyond(side int, q *outline) float64 {
	n := o.n[side]
	least := math.Inf(1)
	for k := range q.num {
		least = min(least, q.p[k].dot(n))
	}
	return least - o.p[side].dot(n)
}

// sideTowards returns the side of those at a corner that faces a direction best.
func (o *outline) sideTowards(corner int, d vec2) int {
	if k := o.before(corner); o.n[k].dot(d) > o.n[corner].dot(d) {
		return k
	}
	return corner
}

// over returns the point of the outline that is nearest to a corner of those that are over a side
// of another one, which faces it: the side begins at a point, leads along a unit vector, and has a
// length. The corner is over the line before or after the side. It returns false if nothing is over
// the side.
func (o *outline) over(corner int, from, along vec2, length float64) (vec2, bool) {
	at, next := o.p[corner], o.before
	u := at.sub(from).dot(along)
	if u > length {
		next, from, along = o.after, from.add(along.mul(length)), along.mul(-1)
		u = length - u
	}
	for range o.num {
		corner = next(corner)
		p := o.p[corner]
		v := p.sub(from).dot(along)
		if v >= 0 {
			return at.add(p.sub(at).mul(u / (u - v))), true
		} else if v <= u {
			break
		}
		at, u = p, v
	}
	return at, false
}

// holds reports whether a point is in a polygon, or beside it by a bias at most.
func (o *outline) holds(at vec2, bias float64) bool {
	for i := range o.num {
		if o.n[i].dot(at.sub(o.p[i])) > bias {
			return false
		}
	}
	return o.num > 2
}

// thickness returns how far it is from a point of the corners' hull to the surface along a unit
// vector that leads out of a side. Over a capsule that leans this is more than the radius, up to
// where the vector leads to the round end.
func (o *outline) thickness(at, n vec2) float64 {
	if o.num != 2 || o.radius == 0 {
		return o.radius
	}
	end, along := o.p[1], vec2{-o.n[0].y, o.n[0].x}
	sin := along.dot(n)
	if sin < 0 {
		end, along, sin = o.p[0], along.mul(-1), -sin
	}
	d, cos := max(0, end.sub(at).dot(along)), math.Abs(o.n[0].dot(n))
	if float64(o.radius*sin) <= float64(d*cos) {
		return o.radius / cos
	}
	high := float64(d * cos)
	return float64(d*sin) + math.Sqrt(float64(o.radius*o.radius)-float64(high*high))
}

// corner and side return the features of an outline: vertices and faces, so that contacts slide on
// sides as they do on the faces of a solid; the side of a segment is an edge, as of a capsule.
func (o *outline) corner(i int) Feature { return vertexKind | Feature(i) }

func (o *outline) side(i int) Feature {
	if o.num == 2 {
		return edgeKind
	}
	return faceKind | Feature(i)
}

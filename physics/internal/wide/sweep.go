package wide

import (
	"math"
	"math/bits"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// The first test of a moving shape with the triangles of a leaf, eight at a time: by separating
// axes, in the world and in float32. It leaves out only triangles that the shape certainly does not
// touch on its path, and so changes no answer.

// Body is the shape that moves along a [ShapePath], in the world: the convex hull of its points, or
// its center alone if there are none, grown by half axes to both sides and by a radius.
type Body struct {
	// X, Y and Z are the columns of the map from the tree's space to the world, and Origin is its
	// origin relative to the center of the body at T = 0.
	X, Y, Z, Origin geom.DVec3
	Motion          geom.DVec3
	Half            [3]geom.DVec3
	Radius          float64
	Size            float64      // no part of the body is further from its center
	Points          []geom.DVec3 // relative to the center
	// Normal and Beside are further axes that may separate triangles from the body, or zero: along
	// the motion, and across it in both directions. Normal may be changed as ShapePath.Plane.
	Normal geom.DVec3
	Beside [2]geom.DVec3
}

// isRound reports whether it is a sphere or a capsule.
func (b *Body) isRound() bool { return len(b.Points) == 0 && b.Half[1] == geom.DVec3{} }

const (
	// MaxBodyPoints is the largest number of points of a [Body].
	MaxBodyPoints = 64
	// maxSweepAxes: the motion, the normal, four beside, and six of a box.
	maxSweepAxes = 12
	// sweepWiden is the margin, as a fraction of the coordinates and sizes, by which a triangle
	// must be beyond the body: some ten times what float32 rounds off.
	sweepWiden = 0x1p-18
	// sweepLeast is the same for products so small that they lose digits: without it, a short axis
	// has no length.
	sweepLeast = 1e-36
	// sweepScale bounds the coordinates and sizes, in metres, and their inverses: products of four
	// of them are within float32.
	sweepScale = 0x1p24
)

// sweep is a Body up to a T. The assembly depends on its layout up to the points.
type sweep struct {
	x, y, z, origin geom.Vec3 // origin is relative to the center at the end
	lead            geom.Vec3 // the way back from the end to the start
	radius, off     float32
	counts          [3]uint32 // of half axes, points and axes
	half            [3]geom.Vec3
	axis            [maxSweepAxes]sweepAxis
	point           [MaxBodyPoints]geom.Vec3

	still     [maxSweepAxes]float32 // the reach of the body where the path ends
	body      *Body                 // nil if it is not used
	min, max  float64               // T of the start, and of where the body is beyond the tree
	leaf      *loose                // the current one, if it is known
	unpacked  loose
	estimated bool           // touches is set for the leaf
	touches   [width]float32 // of the triangles of the leaf: see order
}

// sweepAxis is a vector with the reach of the body along it, on its whole path.
type sweepAxis struct {
	v     geom.Vec3
	reach float32
}

// start prepares the test of triangles whose coordinates have at most these magnitudes.
func (s *sweep) start(p *ShapePath, size geom.DVec3) {
	b := p.Body
	if s.body = nil; len(b.Points) > MaxBodyPoints {
		return
	}
	speed := b.Motion.Len()
	far := b.Origin.Len() + float64(p.Min*speed) + b.Size +
		float64(b.X.Len()*size.X) + float64(b.Y.Len()*size.Y) + float64(b.Z.Len()*size.Z)
	s.min, s.max = p.Min, min(p.Max, p.Min+float64(2*far)/speed)
	far += float64((s.max - s.min) * speed)
	if !(far > 1/sweepScale && far < sweepScale) {
		return
	}
	s.x, s.y, s.z, s.body = b.X.Narrow(), b.Y.Narrow(), b.Z.Narrow(), b
	s.radius, s.off, s.counts = float32(b.Radius), float32(far*sweepWiden), [3]uint32{0, uint32(len(b.Points)), 0}
	for i, v := range b.Points {
		s.point[i] = v.Narrow()
	}
	for i, v := range b.Half {
		if s.half[i] = v.Narrow(); v != (geom.DVec3{}) {
			s.counts[0] = uint32(i) + 1
		}
	}
	s.add(geom.DVec3{}) // in place of the normal
	s.add(b.Motion)
	for _, v := range [5]geom.DVec3{b.Beside[0], b.Beside[1], b.Half[0], b.Half[1], b.Half[2]} {
		if v != (geom.DVec3{}) {
			s.add(v)
			s.add(v.Neg())
		}
	}
	s.end(inf32)
}

func (s *sweep) add(v geom.DVec3) {
	i := s.counts[2]
	s.axis[i].v = v.Narrow()
	s.still[i], s.counts[2] = s.reach(s.axis[i].v), i+1
}

// end sets the limit of T, and reads the normal of the body.
func (s *sweep) end(limit float32) {
	if s.body == nil {
		return
	}
	// A larger T may be equal in float32.
	t := max(min(float64(math.Nextafter32(limit, inf32)), s.max), s.min)
	s.origin = s.body.Origin.AddMul(-t, s.body.Motion).Narrow()
	s.lead = s.body.Motion.Mul(s.min - t).Narrow()
	s.axis[0].v = s.body.Normal.Narrow()
	s.still[0] = s.reach(s.axis[0].v)
	for i := range s.axis[:s.counts[2]] {
		a := &s.axis[i]
		a.reach = s.still[i] + higher(a.v.Dot(s.lead), 0)
	}
}

// setLeaf sets the leaf whose triangles are tested.
func (s *sweep) setLeaf(t *Tree, r ref) {
	s.estimated = false
	if s.leaf = &s.unpacked; r.kind() == kindLoose {
		s.leaf = t.loose(r)
	} else {
		unpackSIMD(t.packed(r), s.leaf)
	}
}

// soonest returns the lane of a mask, which is not zero, whose triangle the body probably touches
// first. The limit that follows from it leaves out most others.
func (s *sweep) soonest(mask uint32) (lane int) {
	if !s.estimated {
		s.estimated = true
		s.order(mask)
	}
	least := inf32
	lane = bits.TrailingZeros32(mask)
	for ; mask != 0; mask &= mask - 1 {
		if i := bits.TrailingZeros32(mask) & (width - 1); s.touches[i] < least {
			lane, least = i, s.touches[i]
		}
	}
	return lane
}

// order estimates for the lanes of a mask where a ball or a capsule touches the middle of the
// triangle, in metres along the motion.
func (s *sweep) order(mask uint32) {
	d := s.lead.Mul(0 - 1/float32(math.Sqrt(float64(s.lead.Dot(s.lead)))))
	h, rr := s.half[0], float32(s.radius*s.radius)
	ahead := h.Dot(d)
	across := h.Sub(d.Mul(ahead))
	share := 1 / (across.Dot(across) + sweepLeast)
	isCapsule := s.counts[0] == 1
	for ; mask != 0; mask &= mask - 1 {
		i := bits.TrailingZeros32(mask) & (width - 1)
		v := &s.leaf.corner
		x := (v[0][0][i] + v[1][0][i] + v[2][0][i]) * (1. / 3)
		y := (v[0][1][i] + v[1][1][i] + v[2][1][i]) * (1. / 3)
		z := (v[0][2][i] + v[1][2][i] + v[2][2][i]) * (1. / 3)
		c := s.x.Mul(x).Add(s.y.Mul(y)).Add(s.z.Mul(z)).Add(s.origin)
		along := c.Dot(d)
		c = c.Sub(d.Mul(along))
		if isCapsule {
			t := lower(higher(c.Dot(across)*share, -1), 1)
			along -= float32(t * ahead)
			c = c.Sub(across.Mul(t))
		}
		s.touches[i] = along - float32(math.Sqrt(float64(higher(rr-c.Dot(c), 0))))
	}
}

// near returns the lanes of a mask whose triangles the body may touch on its path. It is the
// specification of the assembly.
func (s *sweep) near(l *loose, mask uint32) (near uint32) {
	for i := range width {
		if mask>>i&1 == 0 {
			continue
		}
		var c [3]geom.Vec3 // the corners, from the center at the end
		for k := range c {
			v := &l.corner[k]
			x, y, z := v[0][i], v[1][i], v[2][i]
			c[k] = geom.Vec3{
				X: float32(x*s.x.X) + float32(y*s.y.X) + float32(z*s.z.X) + s.origin.X,
				Y: float32(x*s.x.Y) + float32(y*s.y.Y) + float32(z*s.z.Y) + s.origin.Y,
				Z: float32(x*s.x.Z) + float32(y*s.y.Z) + float32(z*s.z.Z) + s.origin.Z,
			}
		}
		beyond := false
		for j := range s.axis[:s.counts[2]] {
			a := &s.axis[j]
			beyond = beyond || leastAlong(&c, a.v) > a.reach
		}
		n := c[1].Sub(c[0]).Cross(c[2].Sub(c[0]))
		if n.Dot(c[0]) < 0 {
			n = n.Neg()
		}
		if !beyond && !s.parts(&c, n) && !s.parts(&c, s.between(&c)) {
			near |= 1 << i
		}
	}
	return near
}

func leastAlong(c *[3]geom.Vec3, v geom.Vec3) float32 {
	return lower(v.Dot(c[2]), lower(v.Dot(c[1]), v.Dot(c[0])))
}

// parts reports whether a triangle is beyond the body along v, wherever that is on its path.
func (s *sweep) parts(c *[3]geom.Vec3, v geom.Vec3) bool {
	return leastAlong(c, v) > s.reach(v)+higher(v.Dot(s.lead), 0)
}

// reach returns how far the body reaches along v where its path ends, and what may be off.
func (s *sweep) reach(v geom.Vec3) float32 {
	far := float32(sum(v)*s.off) + sweepLeast
	far += float32(float32(math.Sqrt(float64(v.Dot(v)+sweepLeast))) * s.radius)
	for i := range s.half[:s.counts[0]] {
		far += abs(v.Dot(s.half[i]))
	}
	if s.counts[1] > 0 {
		most := -inf32
		for i := range s.point[:s.counts[1]] {
			most = higher(v.Dot(s.point[i]), most)
		}
		far += most
	}
	return far
}

// between returns the way to a triangle from a point of the body where the path ends: from the
// center, or of a capsule from a point nearer to the triangle. Any vector would do as an axis;
// where the nearest point is within the triangle, its normal is better.
func (s *sweep) between(c *[3]geom.Vec3) geom.Vec3 {
	q := toEdges(c, geom.Vec3{})
	if s.counts[0] != 1 {
		return q
	}
	h := s.half[0]
	return toEdges(c, h.Mul(lower(higher(q.Dot(h)/h.Dot(h), -1), 1)))
}

// toEdges returns the way from a point to the nearest one on the edges of a triangle.
func toEdges(c *[3]geom.Vec3, p geom.Vec3) (way geom.Vec3) {
	least := inf32
	for k := range c {
		a, e := c[k].Sub(p), c[(k+1)%3].Sub(c[k])
		t := lower(higher((0-a.Dot(e))/e.Dot(e), 0), 1)
		q := geom.Vec3{X: float32(e.X*t) + a.X, Y: float32(e.Y*t) + a.Y, Z: float32(e.Z*t) + a.Z}
		if d := q.Dot(q); d < least {
			way, least = q, d
		}
	}
	return way
}

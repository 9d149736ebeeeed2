package wide

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// shapeBall is a ball around a moving shape, in the space of the tree. Boxes are excluded by the
// balls around them, and are met no earlier: for a shape that is much larger than they are, and
// round, that is far more exact than its bounds.
type shapeBall struct {
	center, dir geom.Vec3 // center is where the ball is at T = at, dir is unit
	radius      float32   // 0: no ball is tested
	pad         float32   // by which it is met earlier, for rounding
	inverse, at float32   // inverse is 1 over the speed
}

const (
	// shapeFar is how much smaller the scene is, of the distance of the start, where rounding of
	// double precision counts: then no ball is tested.
	shapeFar = 0x1p-28
	// ballWiden is the margin, as a fraction of squared distances, for their rounding.
	ballWiden = 0x1p-19
	// ballSize is how large a ball is that is tested, in sizes of a leaf if leaves were spread over
	// a square: for smaller ones the test costs more than it saves.
	ballSize = 4
)

// prepare sets the ball of a path, if it is worth it.
func (q *shapeBall) prepare(t *Tree, p *ShapePath) {
	half, middle, speed := total(t.half.Wide()), t.center.Wide(), p.Dir.Len()
	if !(p.BallRadius*math.Sqrt(float64(len(t.ids))) > ballSize*half) {
		return
	}
	// From where it is nearest to the tree, as numbers are smallest there.
	at := min(max(middle.Sub(p.Ball).Dot(p.Dir)/float64(speed*speed), p.Min), p.Max)
	center := p.Ball.AddMul(at, p.Dir)
	size := total(center.Sub(middle)) + half + total(center) + p.BallRadius
	if !(size < 1e9 && size > 1e-9 && speed < 1e30 && speed > 1e-30 && total(p.Ball)*shapeFar < size) {
		return
	}
	q.center, q.dir = center.Narrow(), p.Dir.Mul(1/speed).Narrow()
	q.pad = float32(size * shapeWiden)
	q.radius = float32(p.BallRadius) + q.pad
	q.inverse, q.at = float32(1/speed), float32(at-float64(at*shapeWiden))
}

// meets returns a lower bound of the T at which the ball meets that around box i of a node, as
// bits; the highest number if it does not.
func (q *shapeBall) meets(n *node, i int) int32 {
	var size, dd, along float32
	for axis, center := range [3]float32{q.center.X, q.center.Y, q.center.Z} {
		low, high := n.box[2*axis][i], n.box[2*axis+1][i]
		d := float32((high+low)*0.5) - center
		size += float32((high - low) * (high - low))
		dd += float32(d * d)
		along += float32(d * [3]float32{q.dir.X, q.dir.Y, q.dir.Z}[axis])
	}
	s := float32(float32(math.Sqrt(float64(size)))*0.5) + q.radius
	ss := float32(s * s)
	disc := ss - dd + float32(along*along) + float32((ss+dd)*ballWiden)
	if !(disc >= 0) {
		return math.MaxInt32
	}
	return bitsOf(float32((along-float32(math.Sqrt(float64(disc)))-q.pad)*q.inverse) + q.at)
}

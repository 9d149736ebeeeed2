package rigid

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Angles of joints are computed here, since the last bit of the functions of package math depends
// on the architecture.

// atan2 returns the angle of the point (x, y) with an error below 1e-8 rad: the series of the
// arcus tangent up to tan π/8, to which the octants are reduced.
func atan2(y, x float64) float64 {
	ax, ay := math.Abs(x), math.Abs(y)
	low, high := min(ax, ay), max(ax, ay)
	if high == 0 {
		return 0
	}
	t, base := low/high, 0.0
	if t > 0.41421356 {
		t, base = (t-1)/(t+1), math.Pi/4
	}
	s, sum := float64(t*t), 0.0
	for k := 19; k >= 1; k -= 2 {
		sum = 1/float64(k) - float64(s*sum)
	}
	angle := base + float64(t*sum)
	if ay > ax {
		angle = math.Pi/2 - angle
	}
	if x < 0 {
		angle = math.Pi - angle
	}
	return math.Copysign(angle, y)
}

// sincos returns the sine and the cosine of an angle within ±π/2, with an error below 1e-9, by
// their series.
func sincos(angle float32) (sin, cos float32) {
	x := float64(angle)
	xx := -float64(x * x)
	s, c := 0.0, 0.0
	for _, k := range [...][2]float64{
		{1.0 / 6227020800, 1.0 / 87178291200}, {1.0 / 39916800, 1.0 / 479001600}, {1.0 / 362880, 1.0 / 3628800},
		{1.0 / 5040, 1.0 / 40320}, {1.0 / 120, 1.0 / 720}, {1.0 / 6, 1.0 / 24}, {1, 1.0 / 2},
	} {
		s, c = k[0]+float64(xx*s), k[1]+float64(xx*c)
	}
	return float32(x * s), float32(1 + float64(xx*c))
}

// twistOf returns the angle about the X axis of a rotation, from −π to π: that of its twist, the
// last of two rotations of which the first is about an axis across X.
func twistOf(q geom.Quat) float32 {
	x, w := float64(q.X), float64(q.W)
	if w < 0 {
		x, w = -x, -w
	}
	return float32(2 * atan2(x, w))
}

// angle returns the angle that the rows of a hinge or ball act on, from its twist. A whole number
// of turns is added that brings it within π of the middle between the limits, or of the target of a
// spring without limits. Without that a hinge with limits from 0 to π that gives way a little at π
// would be taken to be below 0, and turn on.
func (j *Joint) angle(twist float32) float32 {
	middle := 0.0
	switch {
	case j.Limited:
		middle = (float64(j.Lower) + float64(j.Upper)) / 2
	case j.Kind == HingeJoint && j.SpringHertz > 0:
		middle = float64(j.Target)
	}
	const turn = 2 * math.Pi
	return float32(float64(twist) + float64(turn*math.Round((middle-float64(twist))/turn)))
}

// swingOf returns the angle between the X axis and the rotated X axis, from 0 to π.
func swingOf(q geom.Quat) float32 {
	x, y, z, w := float64(q.X), float64(q.Y), float64(q.Z), float64(q.W)
	return float32(2 * atan2(math.Sqrt(float64(y*y)+float64(z*z)), math.Sqrt(float64(x*x)+float64(w*w))))
}

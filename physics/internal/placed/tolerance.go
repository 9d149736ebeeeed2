package placed

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// The tolerances of single precision, and how numbers are compared with them.

// RelativeSlack bounds the rounding error of single precision where a shape is placed in the world
// or a query is taken into a shape's space, as a fraction of the coordinates. 1e-7 would be enough
// without shear. With a larger slack queries test more candidates; with a smaller one they miss
// shapes.
const RelativeSlack = 1e-6

// relativeTouch is about what single precision can resolve, as a fraction of the coordinates. A
// frustum touches what is nearer than that, and volumes search bounds that much further out.
const relativeTouch = 2e-7

// Slack returns the distance in metres by which rounding may displace what has a box as its bounds.
func Slack(b *geom.AABB) float32 { return SlackAt(b, geom.Vec3{}) }

// SlackAt is Slack of what is placed at a position.
func SlackAt(b *geom.AABB, at geom.Vec3) float32 {
	far := max(magnitudes(b.Min), magnitudes(b.Max), magnitudes(at))
	return float32(RelativeSlack * math.Float32frombits(far)) // rounded before a sum
}

// Touching returns the distance in metres below which something touches a box.
func Touching(b geom.AABB) float32 {
	return float32(relativeTouch * max(Largest(b.Min), Largest(b.Max)))
}

// Finite reports whether x is neither NaN nor infinite.
func Finite(x float32) bool { return x-x == 0 }

// Largest returns the largest magnitude in v; NaN, or +Inf, if one is.
func Largest(v geom.Vec3) float32 { return math.Float32frombits(magnitudes(v)) }

// magnitudes returns the bits of Largest. Those of numbers that are not negative are in the order
// of the numbers, and those of NaN come last. To compare them takes a fraction of the time of max.
func magnitudes(v geom.Vec3) uint32 { return max(magnitude(v.X), magnitude(v.Y), magnitude(v.Z)) }

func magnitude(x float32) uint32 { return math.Float32bits(x) &^ (1 << 31) }

// JustBeyond returns the next larger number: an end for a query that excludes all that is further
// than t, and nothing whose own distance is rounded to t.
func JustBeyond(t float32) float32 { return math.Nextafter32(t, float32(math.Inf(1))) }

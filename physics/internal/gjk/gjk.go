package gjk

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

const (
	// maxIterations bounds the work on any input. Boxes, points and triangles end within a dozen steps, ellipsoids mostly
	// within twenty; the most ever seen is 87, for axes as 100 to 1. Fewer would cost accuracy there, more only time.
	maxIterations = 128
	// relativeGap ends the search: the distance is known to this fraction of itself. On a curved body the nearest points
	// are known no better than to its square root, so more would save steps and cost the points their last digits.
	relativeGap = 1e-13
	// touching is how near bodies are taken for touching, as a fraction of their largest coordinate: some fifty times what
	// double precision rounds off one sum, and a millionth of what single precision does.
	touching = 1e-14
)

// Distance returns how far apart two bodies are, and for each of them its point nearest to the other.
//
// Bodies that touch or overlap have distance 0, and both points are then one and the same point that belongs to both.
// If either body is empty the distance is +Inf and the points are NaN.
func Distance(a, b Support) (distance float64, pa, pb geom.DVec3) {
	distance, pa, pb, _ = search(&a, &b, math.Inf(1))
	return distance, pa, pb
}

// Overlaps reports whether two bodies have a point in common; touching counts, empty bodies have none. It says what
// Distance says and is faster where the bodies are apart, because it stops at the first plane between them.
func Overlaps(a, b Support) bool {
	d, _, _, _ := search(&a, &b, 0)
	return d == 0
}

// search is Gilbert, Johnson and Keerthi's walk over the difference of the bodies, a − b: it holds a simplex of at most
// four of its points, replaces it by the face nearest to the origin, and adds the point furthest towards the origin
// from there, until that brings nothing. It stops earlier once the bodies are known to be further apart than limit. The
// last result counts the steps.
func search(a, b *Support, limit float64) (distance float64, pa, pb geom.DVec3, steps int) {
	if a.kind == empty || b.kind == empty {
		nan := math.NaN()
		none := geom.DVec3{X: nan, Y: nan, Z: nan}
		return math.Inf(1), none, none, 0
	}
	margin := a.margin + b.margin
	var s simplex
	s.start(a.a, b.a)
	best := s.point.Dot(s.point)
	zero := float64(touching * max(extent(a), extent(b)))
	for steps < maxIterations && best > max(zero*zero, float64(margin*margin)) && s.n < 4 {
		steps++
		v := s.point
		fa, fb := a.furthest(v.Neg()), b.furthest(v)
		w := fa.Sub(fb)
		// v is a point of a − b, so |v| is no less than the distance; the plane through w across v has all of a − b
		// behind it, so v·w/|v| is no more. What is between the two is all there is to win.
		near := v.Dot(w)
		if best-near <= relativeGap*best || s.has(w) {
			break
		}
		if near > 0 {
			if lower := near / math.Sqrt(best); lower-margin > limit+zero {
				break
			}
		}
		if !s.add(w, fa, fb) {
			break // rounding: no face is nearer than what is held
		}
		best = s.point.Dot(s.point)
	}
	pa, pb = s.witnesses()
	distance = math.Sqrt(best)
	if distance <= zero {
		return 0, pa, pa, steps
	}
	n := pb.Sub(pa).Mul(1 / distance) // from a to b
	if d := distance - margin; d > zero {
		return d, pa.AddMul(a.margin, n), pb.AddMul(-b.margin, n), steps
	}
	// The balls around pa and pb share a stretch of the segment between them; take its middle.
	from, to := max(0, distance-b.margin), min(a.margin, distance)
	p := pa.AddMul((from+to)/2, n)
	return 0, p, p, steps
}

// extent returns a bound for the coordinates of the body's points.
func extent(s *Support) float64 {
	if s.kind == polyhedron {
		b := s.solid.Bounds()
		far := b.Min.Abs().Max(b.Max.Abs()).Wide()
		return big(s.b) + float64(big(s.x)*far.X) + float64(big(s.y)*far.Y) + float64(big(s.z)*far.Z)
	}
	e := max(big(s.a), big(s.b), big(s.c))
	for _, p := range s.more {
		e = max(e, big(p))
	}
	return e + big(s.x) + big(s.y) + big(s.z) + s.margin
}

func big(v geom.DVec3) float64 { return max(math.Abs(v.X), math.Abs(v.Y), math.Abs(v.Z)) }

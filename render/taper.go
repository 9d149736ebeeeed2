package render

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// taper is a cone or a tapered capsule along Y: the convex hull of two discs, or of two balls, at
// −half and half. It is lit as triangles. The ID buffer intersects it with the ray of each pixel.
type taper struct {
	half, bottom, top float32 // metres; the radii at both ends
	balls             bool
}

// setTaper makes it a cone, or a tapered capsule if balls is set, with the ends and radii in local
// space.
func (it *item) setTaper(c geom.Cone, balls bool) {
	a, b := c.A.Wide(), c.B.Wide()
	half := float32(b.Sub(a).Len() / 2)
	center := a.Add(b).Mul(0.5)
	switch bottom, top := c.RadiusA, c.RadiusB; {
	case balls && bottom == top:
		it.radius, it.half = bottom, geom.Vec3{Y: half}
	case balls && max(bottom-top, top-bottom) >= 2*half: // one ball contains the other
		if it.radius, center = bottom, a; top > bottom {
			it.radius, center = top, b
		}
	default:
		it.kind, it.source.taper = itemTriangles, taper{half, bottom, top, balls}
	}
	it.model = it.model.Mul(standing(center, b.Sub(a)))
}

// bounds returns the bounding box.
func (s *taper) bounds() geom.AABB {
	r := max(s.bottom, s.top)
	b := geom.AABB{Min: geom.V(-r, -s.half, -r), Max: geom.V(r, s.half, r)}
	if s.balls {
		b.Min.Y, b.Max.Y = min(-s.half-s.bottom, s.half-s.top), max(s.half+s.top, s.bottom-s.half)
	}
	return b
}

// frustum returns the heights and the radii of the ends of the frustum between the balls of a
// tapered capsule, or the cone itself.
func (s *taper) frustum() (low, high, bottom, top float32) {
	if !s.balls {
		return -s.half, s.half, s.bottom, s.top
	}
	// The side touches the balls where its normal is theirs.
	sin, cos := s.side()
	return float32(float64(s.bottom)*sin) - s.half, float32(float64(s.top)*sin) + s.half,
		float32(float64(s.bottom) * cos), float32(float64(s.top) * cos)
}

// side returns sine and cosine of the angle between the normals of the side of a tapered capsule
// and the plane across its axis.
func (s *taper) side() (sin, cos float64) {
	sin = (float64(s.bottom) - float64(s.top)) / (2 * float64(s.half))
	return sin, math.Sqrt((1 - sin) * (1 + sin))
}

// taperSegments is the number of segments in a quarter circle: as of a round shape with a radius of
// up to 207 pixels.
const taperSegments = 16

// triangles returns vertices and three indices for each triangle, counter-clockwise seen from
// outside: the profile from the lower pole to the upper one, turned about Y.
func (s *taper) triangles() (vertices []geom.Vec3, indices []uint32) {
	var profile [][2]float32 // radius and height
	if s.balls {
		sin, _ := s.side()
		at := math.Asin(sin)
		for i := 1; i <= 2*taperSegments; i++ {
			sin, cos := math.Sincos(-math.Pi/2 + (at+math.Pi/2)*float64(i)/(2*taperSegments))
			profile = append(profile, [2]float32{s.bottom * float32(cos), s.bottom*float32(sin) - s.half})
		}
		for i := range 2 * taperSegments {
			sin, cos := math.Sincos(at + (math.Pi/2-at)*float64(i)/(2*taperSegments))
			profile = append(profile, [2]float32{s.top * float32(cos), s.top*float32(sin) + s.half})
		}
	} else {
		profile = [][2]float32{{s.bottom, -s.half}, {s.top, s.half}}
	}
	const cols = 4 * taperSegments
	for _, p := range profile {
		for col := range cols {
			sin, cos := quarter(col%taperSegments, taperSegments)
			for range col / taperSegments {
				sin, cos = cos, -sin
			}
			vertices = append(vertices, geom.V(cos*p[0], p[1], sin*p[0]))
		}
	}
	low, high := uint32(len(vertices)), uint32(len(vertices)+1)
	b := s.bounds()
	vertices = append(vertices, geom.V(0, b.Min.Y, 0), geom.V(0, b.Max.Y, 0))
	at := func(row, col int) uint32 { return uint32(row*cols + col%cols) }
	for col := range cols {
		indices = append(indices, low, at(0, col), at(0, col+1))
		for row := range len(profile) - 1 {
			a, b, c, d := at(row, col), at(row, col+1), at(row+1, col+1), at(row+1, col)
			indices = append(indices, a, c, b, a, d, c)
		}
		indices = append(indices, high, at(len(profile)-1, col+1), at(len(profile)-1, col))
	}
	return vertices, indices
}

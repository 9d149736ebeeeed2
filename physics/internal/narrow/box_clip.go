package narrow

import (
	"math"
	"math/bits"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// boxClip is a face of a box, a parallelogram, that is clipped by a face of another, a rectangle
// around the origin with its sides along x and y. z is the depth below the rectangle.
//
// Each side of the parallelogram is clipped by all four sides of the rectangle at once (Cyrus and
// Beck 1978), as they are independent of each other in the lanes of a register. What is left has
// corners of three kinds: where a side begins, which is a corner of the parallelogram or a crossing
// of two sides; where a side leaves the rectangle; and the corners of the rectangle within the
// parallelogram. Corners and sides of both go counter-clockwise, from the corner that is least
// along both directions.
type boxClip struct {
	mid, e, g geom.DVec3 // the middle of the parallelogram, and half its sides
	x, y      float64    // half the sides of the rectangle
	margin    float64

	// The corners that are left: where the sides begin, where they leave, and those of the
	// rectangle.
	at [3][12]float64
	// By corner, the side of the rectangle on which it is: −x, x, −y or y; noRim on none, and for
	// those of the rectangle itself one of the numbers after that.
	rims [12]int64
}

const noRim = 4

// clip computes the corners that are left, and returns a bit for each that there is with a depth of
// at least −margin.
func (c *boxClip) clip() (left uint32) {
	var p [4]geom.DVec3
	for q := range p {
		p[q] = c.mid.AddMul(cornerSigns[q][0], c.e).AddMul(cornerSigns[q][1], c.g)
	}
	for q := range p {
		a, b := p[q], p[(q+1)%4]
		from, to := -1.0, 2.0
		rimFrom, rimTo := int64(noRim), int64(noRim)
		dead := false
		for rim, f := range [4][2]float64{{-a.X - c.x, -b.X - c.x}, {a.X - c.x, b.X - c.x}, {-a.Y - c.y, -b.Y - c.y}, {a.Y - c.y, b.Y - c.y}} {
			t := f[0] / (f[0] - f[1])
			switch out, outAtEnd := f[0] > 0, f[1] > 0; {
			case out && outAtEnd:
				dead = true
			case out && t > from:
				from, rimFrom = t, int64(rim)
			case outAtEnd && t < to:
				to, rimTo = t, int64(rim)
			}
		}
		begin, end := a.AddMul(max(from, 0), b.Sub(a)), a.AddMul(to, b.Sub(a))
		c.set(q, begin, rimFrom)
		c.set(4+q, end, rimTo)
		if dead || !(from <= to) {
			continue
		}
		if begin.Z >= -c.margin {
			left |= 1 << q
		}
		if to < 2 && end.Z >= -c.margin {
			left |= 16 << q
		}
	}
	det := float64(c.e.X*c.g.Y) - float64(c.e.Y*c.g.X)
	for q, sign := range cornerSigns {
		o := geom.DVec3{X: float64(sign[0] * c.x), Y: float64(sign[1] * c.y)}
		x, y := o.X-c.mid.X, o.Y-c.mid.Y
		// It is at mid + (u·e + v·g)/det.
		u, v := float64(x*c.g.Y)-float64(y*c.g.X), float64(c.e.X*y)-float64(c.e.Y*x)
		o.Z = c.mid.Z + (float64(u*c.e.Z)+float64(v*c.g.Z))/det
		c.set(8+q, o, int64(noRim+1+q))
		if math.Abs(u) < math.Abs(det) && math.Abs(v) < math.Abs(det) && o.Z >= -c.margin {
			left |= 256 << q
		}
	}
	return left
}

// run is clip on this processor.
func (c *boxClip) run() uint32 {
	if useSIMD {
		return clipSIMD(c)
	}
	return c.clip()
}

// reduce keeps four corners, as the reduce of spots does.
func (c *boxClip) reduce(left uint32) uint32 {
	x, y, depth := &c.at[0], &c.at[1], &c.at[2]
	first, most := 0, math.Inf(-1)
	for rest := left; rest != 0; rest &= rest - 1 {
		if i := bits.TrailingZeros32(rest); depth[i] > most {
			first, most = i, depth[i]
		}
	}
	others := left &^ (1 << first)
	second := 0
	most = -1
	for rest := others; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros32(rest)
		dx, dy := x[i]-x[first], y[i]-y[first]
		if d := float64(dx*dx) + float64(dy*dy); d > most {
			second, most = i, d
		}
	}
	area := func(i, j, k int) float64 {
		return float64((x[j]-x[i])*(y[k]-y[i])) - float64((y[j]-y[i])*(x[k]-x[i]))
	}
	others &^= 1 << second
	third := 0
	most = -1
	for rest := others; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros32(rest)
		if a := math.Abs(area(first, second, i)); a > most {
			third, most = i, a
		}
	}
	others &^= 1 << third
	if area(first, second, third) < 0 {
		second, third = third, second
	}
	fourth := 0
	most = math.Inf(-1)
	for rest := others; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros32(rest)
		if a := max(-area(first, second, i), -area(second, third, i), -area(third, first, i)); a > most {
			fourth, most = i, a
		}
	}
	return 1<<first | 1<<second | 1<<third | 1<<fourth
}

func (c *boxClip) set(i int, p geom.DVec3, rim int64) {
	c.at[0][i], c.at[1][i], c.at[2][i], c.rims[i] = p.X, p.Y, p.Z, rim
}

// cornerSigns holds the signs of a face's corners along the two axes after that of the face.
var cornerSigns = [4][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}

// boxFeatures holds the features of each face of a box: incident by corner of boxClip, its
// vertices, sides and the face; reference by boxClip.rims.
var boxFeatures = func() (features [6]struct{ incident, reference [12]Feature }) {
	for face := range features {
		f := &features[face]
		i := face / 2
		j, k := next[i], next[i+1]
		for q, sign := range cornerSigns {
			v := (face&1)<<i | int(oneIf(sign[0] > 0))<<j | int(oneIf(sign[1] > 0))<<k
			along := [2]int{j, k}[q%2]
			f.incident[q] = vertexKind | Feature(v)
			f.incident[4+q] = edgeKind | Feature(boxEdgeAt(v, along))
			f.incident[8+q] = faceKind | Feature(face)
			// The side that begins there is −y, x, y and −x.
			f.reference[[4]int{2, 1, 3, 0}[q]] = f.incident[4+q]
			f.reference[noRim+1+q] = f.incident[q]
		}
		f.reference[noRim] = faceKind | Feature(face)
	}
	return features
}()

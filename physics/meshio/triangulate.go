package meshio

import "github.com/hitscan-go/hitscan/physics/geom"

// triangulator triangulates polygons. It keeps its scratch memory for the next polygon. The time of
// ear clipping is quadratic in the number of corners for typical shapes and cubic for malicious
// ones, so its steps are counted: the outline of a glyph with 4,096 corners takes some 10 ms.
type triangulator struct {
	points     []point2
	prev, next []int32
	triangles  [][3]int32
	steps      int64 // corners that were compared with an ear
}

type point2 struct{ x, y float64 }

// turn returns twice the signed area of the triangle a, b, c: positive if it runs
// counter-clockwise.
func turn(a, b, c point2) float64 {
	return float64((b.x-a.x)*(c.y-a.y)) - float64((b.y-a.y)*(c.x-a.x))
}

// cut returns the n − 2 triangles of a polygon of n ≥ 3 corners, as indices of corners, in the
// polygon's orientation. They are valid until the next call. A convex polygon becomes a fan around
// its first corner. A polygon that is concave, or has three collinear corners, is triangulated by
// ear clipping (Meisters 1975, "Polygons have ears"), so that the triangles stay inside it and,
// where possible, none is degenerate. For a self-intersecting polygon the triangles are
// unspecified. It returns the number of steps, and stops soon after it is greater than the limit.
//
// Corners that are not exactly coplanar are projected along an axis close to the polygon's mean
// normal.
func (t *triangulator) cut(corners []geom.Vec3, limit int64) (triangles [][3]int32, steps int64) {
	n := len(corners)
	t.triangles, t.steps = emptied(t.triangles, n), 0
	if n > 3 && !t.flatten(corners) {
		t.clipEars(limit)
		return t.triangles, t.steps
	}
	for i := 2; i < n; i++ {
		t.triangles = append(t.triangles, [3]int32{0, int32(i - 1), int32(i)})
	}
	return t.triangles, 0
}

// flatten sets t.points to the projected corners, counter-clockwise, and reports whether a fan is a
// triangulation: every corner turns left, or the polygon has no area.
func (t *triangulator) flatten(corners []geom.Vec3) (fan bool) {
	// The mean normal by Newell's method (Sutherland, Sproull and Schumacker 1974), relative to the
	// first corner, which keeps the digits of a polygon far from the origin.
	n := len(corners)
	origin := corners[0].Wide()
	var normal geom.DVec3
	for i := 2; i < n; i++ {
		normal = normal.Add(corners[i-1].Wide().Sub(origin).Cross(corners[i].Wide().Sub(origin)))
	}
	abs := func(x float64) float64 { return max(x, -x) }
	x, y, z := abs(normal.X), abs(normal.Y), abs(normal.Z)
	if !(x > 0 || y > 0 || z > 0) {
		return true
	}
	// Dropping the axis closest to the normal is a shear: it preserves insides and orientations.
	t.points = emptied(t.points, n)
	for _, c := range corners {
		d := c.Wide().Sub(origin)
		p, positive := point2{d.X, d.Y}, normal.Z > 0
		if x >= y && x >= z {
			p, positive = point2{d.Y, d.Z}, normal.X > 0
		} else if y >= z {
			p, positive = point2{d.Z, d.X}, normal.Y > 0
		}
		if !positive {
			p.x, p.y = p.y, p.x
		}
		t.points = append(t.points, p)
	}
	for i := range n {
		if !(turn(t.points[i], t.points[(i+1)%n], t.points[(i+2)%n]) > 0) {
			return false
		}
	}
	return true
}

func (t *triangulator) clipEars(limit int64) {
	n := len(t.points)
	t.prev, t.next = emptied(t.prev, n), emptied(t.next, n)
	for i := range n {
		t.prev = append(t.prev, int32((i+n-1)%n))
		t.next = append(t.next, int32((i+1)%n))
	}
	at, tried := int32(0), 0
	for left := n; left > 2 && t.steps <= limit; {
		// After a round without an ear, which is possible only for a polygon that intersects itself
		// or has no area, any corner is cut off.
		if tried < left && !t.isEar(at) {
			at = t.next[at]
			tried, t.steps = tried+1, t.steps+1
			continue
		}
		before, after := t.prev[at], t.next[at]
		t.triangles = append(t.triangles, [3]int32{before, at, after})
		t.next[before], t.prev[after] = after, before
		at, tried = t.next[after], 0 // skipping one corner avoids a fan of slivers
		left--
	}
}

// isEar reports whether the corner turns left and no other corner is in the triangle that would be
// cut off. Corners at exactly the position of a corner of the triangle do not count: an outline
// with a hole contains a bridge in both directions.
func (t *triangulator) isEar(at int32) bool {
	i, k := t.prev[at], t.next[at]
	a, b, c := t.points[i], t.points[at], t.points[k]
	if !(turn(a, b, c) > 0) {
		return false
	}
	for j := t.next[k]; j != i; j = t.next[j] {
		t.steps++
		p := t.points[j]
		if p != a && p != b && p != c && turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0 {
			return false
		}
	}
	return true
}

// emptied returns an empty list with room for n elements: the memory of another one if it has that.
func emptied[T any](list []T, n int) []T {
	if cap(list) < n {
		return make([]T, 0, n)
	}
	return list[:0]
}

package wide

import "github.com/hitscan-go/hitscan/physics/geom"

// Eight holds up to eight triangles.
type Eight struct{ corners loose }

// Set sets the triangle in a lane.
func (e *Eight) Set(lane int, t *geom.Triangle) {
	for i, v := range [3]geom.Vec3{t.A, t.B, t.C} {
		c := &e.corners.corner[i]
		c[0][lane], c[1][lane], c[2][lane] = v.X, v.Y, v.Z
	}
}

// Triangle returns the triangle in a lane.
func (e *Eight) Triangle(lane int) (t geom.Triangle) {
	lane &= width - 1
	a, b, c := &e.corners.corner[0], &e.corners.corner[1], &e.corners.corner[2]
	t.A = geom.Vec3{X: a[0][lane], Y: a[1][lane], Z: a[2][lane]}
	t.B = geom.Vec3{X: b[0][lane], Y: b[1][lane], Z: b[2][lane]}
	t.C = geom.Vec3{X: c[0][lane], Y: c[1][lane], Z: c[2][lane]}
	return t
}

// Touch returns a bit mask of the lanes whose triangles' bounds touch a box.
func (e *Eight) Touch(box *geom.AABB) uint32 {
	q := query{box.Min.X, box.Max.X, box.Min.Y, box.Max.Y, box.Min.Z, box.Max.Z}
	if assembly && useSIMD {
		return looseTouchSIMD(&e.corners, &q)
	}
	return e.corners.touch(&q)
}

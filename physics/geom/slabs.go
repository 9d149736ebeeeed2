package geom

import "math"

// A box is the intersection of three slabs, each the space between two parallel faces. A line is in
// the box while it is in all three slabs: from the last of the three entries to the first of the
// three exits (Kay and Kajiya 1986, "Ray tracing complex scenes").
//
//	            yFar  xFar
//	 xNear yNear  |    |
//	---|====|=====|----|---->  T        in the box from yNear to yFar
//
// A line parallel to a slab has no crossings with it, and the usual formula yields 0·∞ = NaN for a
// line that lies in a face. For such a slab the code only tests whether the slab contains the line.
// All divisions are true divisions in double precision: rounding is monotonic, so the quotients are
// ordered as the exact ones, and a line through an edge or a corner is not missed.

// Slabs explains, axis by axis, where a ray's line meets an [AABB]: the numbers by which
// [AABB.CastRay] decides, for a display or a test. T runs along the whole line; the ray's range is
// ignored.
type Slabs struct {
	// Near and Far hold, for each [Axis], the T at which the line enters and leaves the slab. For a
	// line parallel to the slab they are −Inf and +Inf if the line lies in it, and +Inf and −Inf,
	// the empty interval, if it does not.
	Near, Far [3]float64
	// Parallel is set for each axis that is perpendicular to the line.
	Parallel [3]bool
	// TNear is the largest of Near, and TFar the smallest of Far.
	TNear, TFar float64
	// NearAxis and FarAxis are the axes of TNear and TFar; of equals the first axis.
	NearAxis, FarAxis Axis
	// EnterFace and ExitFace are the faces through which the line enters and leaves the box,
	// EnterPoint and ExitPoint the points where it does. They are valid only if Hit is set and
	// TNear and TFar are finite.
	EnterFace, ExitFace   Face
	EnterPoint, ExitPoint Vec3
	// Hit is set if the line meets the box: TNear ≤ TFar.
	Hit bool
}

// Slabs explains where the ray's line meets the box; the ray's range is ignored. For an empty box,
// or a ray that is zero, NaN or infinite, all three intervals are empty.
func (b AABB) Slabs(r Ray) Slabs {
	s := Slabs{TNear: math.Inf(1), TFar: math.Inf(-1)}
	if b.IsEmpty() || !r.isLine() {
		for axis := range s.Near {
			s.Near[axis], s.Far[axis] = math.Inf(1), math.Inf(-1)
		}
		return s
	}
	for _, a := range [...]Axis{X, Y, Z} {
		o, d := float64(r.Origin.Axis(a)), float64(r.Dir.Axis(a))
		one := slab(o, d, float64(b.Min.Axis(a)), float64(b.Max.Axis(a)))
		s.Near[a], s.Far[a], s.Parallel[a] = one.enter, one.exit, d == 0
	}
	sp, near, far := b.span(r)
	s.TNear, s.TFar, s.NearAxis, s.FarAxis = sp.enter, sp.exit, near, far
	s.EnterFace, s.ExitFace = faceStruck(near, r.Dir, true), faceStruck(far, r.Dir, false)
	s.Hit = sp.enter <= sp.exit
	if s.Hit {
		s.EnterPoint, s.ExitPoint = r.at(s.TNear).Narrow(), r.at(s.TFar).Narrow()
	}
	return s
}

// CastRay returns where the ray hits the box. A ray that lies in a face, runs along an edge or
// touches a corner hits. See [StartMode] for a ray that starts inside. At an edge or a corner, the
// normal is that of the face perpendicular to the first of the axes that meet there.
//
// An infinite side of the box is never hit.
func (b AABB) CastRay(r Ray, mode StartMode) (Hit, bool) {
	if !r.IsValid() {
		return Hit{}, false
	}
	sp, near, far := b.span(r)
	t, at, ok := sp.resolve(r, mode)
	if !ok {
		return Hit{}, false
	}
	axis, outward := near, float64(-1)
	if at == leaving {
		axis, outward = far, 1
	}
	return r.hit(t, at, along(axis, r.Dir.wide(), outward))
}

// Crossings returns where the ray's line enters and leaves the box. The ray's range is ignored, so
// T may be negative. Both normals face the ray; exit has BackFace set. ok is also false if the line
// never enters or never leaves because the box is unbounded there.
func (b AABB) Crossings(r Ray) (enter, exit Hit, ok bool) {
	sp, near, far := b.span(r)
	if !r.isLine() || !(sp.enter <= sp.exit) {
		return Hit{}, Hit{}, false
	}
	d := r.Dir.wide()
	return r.crossings(sp, along(near, d, -1), along(far, d, 1))
}

// span returns where the line is in the box and the axes of the faces by which it enters and
// leaves.
func (b AABB) span(r Ray) (s span, near, far Axis) {
	if b.IsEmpty() {
		return nowhere, X, X
	}
	return slabSpan(r.Origin.wide(), r.Dir.wide(), b.Min.wide(), b.Max.wide())
}

// slabSpan intersects the line with the three slabs between lo and hi; of equal crossings the first
// axis counts.
func slabSpan(o, d, lo, hi DVec3) (s span, near, far Axis) {
	s = slab(o.X, d.X, lo.X, hi.X)
	y := slab(o.Y, d.Y, lo.Y, hi.Y)
	if y.enter > s.enter {
		s.enter, near = y.enter, Y
	}
	if y.exit < s.exit {
		s.exit, far = y.exit, Y
	}
	z := slab(o.Z, d.Z, lo.Z, hi.Z)
	if z.enter > s.enter {
		s.enter, near = z.enter, Z
	}
	if z.exit < s.exit {
		s.exit, far = z.exit, Z
	}
	return s, near, far
}

// slab returns where the line is between lo and hi along one axis. lo and hi may be infinite: o and
// d are finite, and there is a division only if d ≠ 0.
func slab(o, d, lo, hi float64) span {
	switch {
	case d > 0:
		return span{(lo - o) / d, (hi - o) / d}
	case d < 0:
		return span{(hi - o) / d, (lo - o) / d}
	case lo <= o && o <= hi:
		return span{math.Inf(-1), math.Inf(1)}
	}
	return nowhere
}

// along returns the unit vector along an axis with the sign of d's component there, times a factor.
func along(a Axis, d DVec3, factor float64) DVec3 {
	switch a {
	case X:
		return DVec3{X: math.Copysign(factor, factor*d.X)}
	case Y:
		return DVec3{Y: math.Copysign(factor, factor*d.Y)}
	}
	return DVec3{Z: math.Copysign(factor, factor*d.Z)}
}

// faceStruck returns the face perpendicular to an axis through which a line enters, or leaves if
// enters is false.
func faceStruck(a Axis, dir Vec3, enters bool) Face {
	if (dir.Axis(a) > 0) == enters {
		return Face(2 * a) // the lower face
	}
	return Face(2*a + 1)
}

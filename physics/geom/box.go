package geom

import "math"

// Box is a solid oriented box: the points no further than HalfExtents from Center along the box's
// own axes, faces included.
//
// If a half extent is 0 the box is flat and can still be hit. If one is negative, or any number is
// NaN or infinite, the box is empty. A zero Rotation is no rotation.
type Box struct {
	Center, HalfExtents Vec3 // metres
	Rotation            Quat
}

// IsEmpty reports whether the box contains no point.
func (b Box) IsEmpty() bool { return b.isEmpty() }

// isEmpty is IsEmpty without a copy of the box, which takes longer than the test.
func (b *Box) isEmpty() bool {
	h := b.HalfExtents
	return !(h.X >= 0 && h.Y >= 0 && h.Z >= 0 && h.IsFinite() && b.Center.IsFinite() && b.Rotation.IsFinite())
}

// Bounds returns the smallest axis-aligned box around the box, rounded outward; [EmptyAABB] if the
// box is empty.
func (b Box) Bounds() AABB {
	if b.isEmpty() {
		return EmptyAABB()
	}
	var h DVec3
	if q := &b.Rotation; q.X == 0 && q.Y == 0 {
		h = b.flatReach()
	} else {
		h = b.reach()
	}
	c := b.Center.wide()
	return AABB{c.Sub(h).down(), c.Add(h).up()}
}

// reach returns how far the box reaches from its center along each axis of the world.
func (b *Box) reach() DVec3 {
	x, y, z := b.Rotation.columns()
	return x.abs().Mul(float64(b.HalfExtents.X)).
		AddMul(float64(b.HalfExtents.Y), y.abs()).
		AddMul(float64(b.HalfExtents.Z), z.abs())
}

// flatReach is reach of a box that is turned about Z alone.
func (b *Box) flatReach() DVec3 {
	z, w := float64(b.Rotation.Z), float64(b.Rotation.W)
	l := math.Sqrt(float64(z*z) + float64(w*w))
	if !(l > 0) || math.IsInf(l, 1) { // as unit does
		z, w, l = 0, 1, 1
	}
	z, w = z/l, w/l
	cos, sin := math.Abs(1-2*float64(z*z)), math.Abs(2*float64(w*z))
	const little = 1e-15 // as in snap
	if sin < little {
		cos, sin = 1, 0
	} else if cos < little {
		cos, sin = 0, 1
	}
	x, y := float64(b.HalfExtents.X), float64(b.HalfExtents.Y)
	return DVec3{float64(cos*x) + float64(sin*y), float64(sin*x) + float64(cos*y), float64(b.HalfExtents.Z)}
}

// CastRay returns where the ray hits the box. A ray that lies in a face, runs along an edge or
// touches a corner hits. See [StartMode] for a ray that starts inside. At an edge or a corner, the
// normal is that of the face perpendicular to the first of the box's axes that meet there.
//
// Touching is decided exactly for every face whose normal lies along a coordinate axis after the
// rotation: for all faces after rotations by right angles, for top and bottom after any yaw. The
// position of other faces cannot be represented exactly in single precision.
func (b Box) CastRay(r Ray, mode StartMode) (Hit, bool) {
	if !r.IsValid() || b.IsEmpty() {
		return Hit{}, false
	}
	f := b.frame()
	o, d := f.local(r.Origin.wide()), f.turnBack(r.Dir.wide())
	sp, near, far := slabSpan(o, d, f.half.Neg(), f.half)
	t, at, ok := sp.resolve(r, mode)
	if !ok {
		return Hit{}, false
	}
	if at == leaving {
		return r.hit(t, at, f.turn(along(far, d, 1)))
	}
	return r.hit(t, at, f.turn(along(near, d, -1)))
}

// Crossings returns where the ray's line enters and leaves the box. The ray's range is ignored, so
// T may be negative. Both normals face the ray; exit has BackFace set.
func (b Box) Crossings(r Ray) (enter, exit Hit, ok bool) {
	if !r.isLine() || b.IsEmpty() {
		return Hit{}, Hit{}, false
	}
	f := b.frame()
	o, d := f.local(r.Origin.wide()), f.turnBack(r.Dir.wide())
	sp, near, far := slabSpan(o, d, f.half.Neg(), f.half)
	if !(sp.enter <= sp.exit) {
		return Hit{}, Hit{}, false
	}
	return r.crossings(sp, f.turn(along(near, d, -1)), f.turn(along(far, d, 1)))
}

// turn maps a direction from the box's axes to the world's; turnBack is its inverse.
func (f *boxFrame) turn(v DVec3) DVec3 { return f.x.Mul(v.X).AddMul(v.Y, f.y).AddMul(v.Z, f.z) }

func (f *boxFrame) turnBack(v DVec3) DVec3 { return DVec3{f.x.Dot(v), f.y.Dot(v), f.z.Dot(v)} }

package geom

// Box is a solid box that may be turned: the points that are no further than HalfExtents from
// Center along its own axes.
//
// It is flat where a half extent is 0, and can still be hit. Where one is negative, or any number
// is NaN or infinite, it is empty. A zero Rotation does not turn it.
type Box struct {
	Center, HalfExtents Vec3 // metres
	Rotation            Quat
}

// IsEmpty reports whether the box contains no point.
func (b Box) IsEmpty() bool {
	h := b.HalfExtents
	return !(h.X >= 0 && h.Y >= 0 && h.Z >= 0 && h.IsFinite() && b.Center.IsFinite() && b.Rotation.IsFinite())
}

// Bounds returns the smallest axis-aligned box around the box, rounded outward.
func (b Box) Bounds() AABB {
	if b.IsEmpty() {
		return EmptyAABB()
	}
	x, y, z := b.Rotation.columns()
	h := x.abs().Mul(float64(b.HalfExtents.X)).
		AddMul(float64(b.HalfExtents.Y), y.abs()).
		AddMul(float64(b.HalfExtents.Z), z.abs())
	c := b.Center.wide()
	return AABB{c.Sub(h).down(), c.Add(h).up()}
}

// CastRay returns where the ray hits the box; a ray that lies in a face, runs along an edge or
// touches a corner does. The mode says what becomes of a ray that starts inside. Through an edge or
// a corner, the normal is that of the face perpendicular to the first of the box's axes concerned.
//
// Touching is decided exactly for every face whose normal the rotation leaves along a coordinate
// axis: all of them after turns by right angles, top and bottom after any yaw. Other faces do not
// lie on numbers that single precision holds.
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

// Crossings returns where the ray's line enters and leaves the box. The range is ignored, so T may
// be negative. enter.Normal and exit.Normal both face the ray; exit has BackFace set.
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

// turn takes a direction from the box's axes to the world's, and turnBack the other way.
func (f *boxFrame) turn(v DVec3) DVec3 { return f.x.Mul(v.X).AddMul(v.Y, f.y).AddMul(v.Z, f.z) }

func (f *boxFrame) turnBack(v DVec3) DVec3 { return DVec3{f.x.Dot(v), f.y.Dot(v), f.z.Dot(v)} }

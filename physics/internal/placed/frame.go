package placed

import "github.com/hitscan-go/hitscan/physics/geom"

// Frame is the placement of a shape in the world: the affine map and, while the chain of transforms
// has no shear, the same map as a rotation and a scale. A rotated child of a non-uniformly scaled
// compound is sheared, which only the map can express.
type Frame struct {
	affine   geom.Affine
	rotation geom.Quat
	scale    geom.Vec3 // along the shape's own axes, unless sheared
	sheared  bool
}

// Set makes f the frame of t in the world.
func (f *Frame) Set(t *geom.Transform) {
	f.affine, f.rotation, f.scale, f.sheared = t.Affine(), t.Rotation, t.Factors(), false
}

// Move is Set of the zero Frame, or of one that Set or Move has made. It takes a fraction of the
// time if t differs from the transform before in its position alone.
func (f *Frame) Move(t *geom.Transform) {
	if t.Rotation != f.rotation || t.Factors() != f.scale {
		f.Set(t)
	}
	f.affine.Origin = t.Position
}

// SetChild makes f the frame of a child that t places in parent.
func (f *Frame) SetChild(parent *Frame, t *geom.Transform) {
	f.affine, f.scale = parent.affine.Mul(t.Affine()), parent.scale.MulVec(t.Factors())
	f.sheared = parent.sheared || !parent.keepsAngles(t.Rotation)
	f.rotation = parent.turn(t.Rotation)
}

// Sides returns the sides of a box, as in [Subshape].Hidden, that those given are once the frame
// has mirrored it.
func (f *Frame) Sides(s uint8) uint8 {
	if f.scale.X < 0 {
		s = s&5 | s<<2&8 | s>>2&2
	}
	if f.scale.Y < 0 {
		s = s&10 | s<<2&4 | s>>2&1
	}
	return s
}

func (f *Frame) isFinite() bool {
	return f.affine.IsFinite() && f.scale.IsFinite() && f.rotation.IsFinite()
}

// isUniform reports whether the frame scales by the same factor along all axes, though it may
// mirror some of them.
func (f *Frame) isUniform() bool {
	s := f.scale.Abs()
	return !f.sheared && s.X == s.Y && s.Y == s.Z
}

// keepsAngles reports whether a shape that q rotates in the frame is not sheared in the world.
func (f *Frame) keepsAngles(q geom.Quat) bool {
	return !f.sheared && (IsIdentity(q) || f.isUniform())
}

// turn returns the rotation in the world of a shape that q rotates in the frame. The result has no
// meaning unless the frame keeps its angles.
func (f *Frame) turn(q geom.Quat) geom.Quat {
	if IsIdentity(q) {
		return f.rotation
	}
	return f.rotation.Mul(q.Mirrored(f.scale))
}

// IsIdentity reports whether q rotates by nothing, as the zero Quat does too.
func IsIdentity(q geom.Quat) bool { return q.X == 0 && q.Y == 0 && q.Z == 0 }

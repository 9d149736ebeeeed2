package physics

import "github.com/hitscan-go/hitscan/physics/geom"

// frame is where a shape stands in the world: the whole map, and beside it the same as a turn and a
// scale for as long as the chain of transforms is one. It is not where something turned sits in a
// compound that is scaled unevenly; that is a shear, which only the map can hold.
type frame struct {
	affine   geom.Affine
	rotation geom.Quat
	scale    geom.Vec3 // along the shape's own axes, but where sheared
	sheared  bool
}

// set makes f the frame of t in the world.
func (f *frame) set(t *geom.Transform) {
	f.affine, f.rotation, f.scale, f.sheared = t.Affine(), t.Rotation, t.Factors(), false
}

// setChild makes f the frame of what stands at t in parent.
func (f *frame) setChild(parent *frame, t *geom.Transform) {
	f.affine, f.scale = parent.affine.Mul(t.Affine()), parent.scale.MulVec(t.Factors())
	f.sheared = parent.sheared || !parent.keepsAngles(t.Rotation)
	f.rotation = parent.turn(t.Rotation)
}

// even reports whether the frame scales alike along all axes, though it may mirror some of them.
func (f *frame) even() bool {
	s := f.scale.Abs()
	return !f.sheared && s.X == s.Y && s.Y == s.Z
}

// keepsAngles reports whether something turned by q in the frame is still a turned and scaled thing
// in the world.
func (f *frame) keepsAngles(q geom.Quat) bool { return !f.sheared && (turnsNothing(q) || f.even()) }

// turn returns the rotation in the world of something that is turned by q in the frame. It means
// nothing unless the frame keeps its angles.
func (f *frame) turn(q geom.Quat) geom.Quat {
	if turnsNothing(q) {
		return f.rotation
	}
	// With mirrors D the frame is rotation·D·|s| and D·q = (D·q·D)·D. The axis of a rotation is a pseudovector: D takes
	// it to det(D)·D·axis and leaves the angle.
	x, y, z := sign(f.scale.X), sign(f.scale.Y), sign(f.scale.Z)
	return f.rotation.Mul(geom.Quat{X: q.X * y * z, Y: q.Y * z * x, Z: q.Z * x * y, W: q.W})
}

func turnsNothing(q geom.Quat) bool { return q.X == 0 && q.Y == 0 && q.Z == 0 }

func sign(x float32) float32 {
	if x < 0 {
		return -1
	}
	return 1
}

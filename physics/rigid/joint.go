package rigid

import (
	"fmt"
	"iter"
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// JointID names a joint of one [Dynamics]. The zero JointID is none. An ID is never given out
// twice.
type JointID uint64

// String returns the index of the joint and how often the index was used, as "joint 12.1".
func (id JointID) String() string {
	if id == 0 {
		return "no joint"
	}
	return fmt.Sprintf("joint %d.%d", id.index(), uint32(id>>32))
}

func (id JointID) index() int { return int(uint32(id)) }

// JointKind is how a joint connects two bodies.
type JointKind uint8

const (
	// FixedJoint keeps frame B on frame A.
	FixedJoint JointKind = iota
	// BallJoint keeps the origins together. Cone limits the angle between the X axes, and Lower and
	// Upper the twist about them, in radians, which has no limit where that angle is near half a
	// turn.
	BallJoint
	// HingeJoint keeps the origins and the X axes together. Lower, Upper, Spring and Motor act on
	// the angle by which B is turned about the X axis, in radians: within π of the middle between
	// the limits, or without limits of the spring's Target, or of 0. Limits are within ±π: for 0 to
	// 3π/2, turn FrameA by the middle and set ±3π/4.
	HingeJoint
	// SliderJoint keeps the axes parallel, and B's origin on A's X axis. Lower, Upper, Spring and
	// Motor act on its distance along it, in metres.
	SliderJoint
	// DistanceJoint keeps the origins at a distance: a rod of the length Target; if Limited, a rope
	// of the length Upper, and no shorter than Lower; with a SpringHertz, a spring of the length
	// Target.
	DistanceJoint
	// WheelJoint is for a car A and its wheel B. B's origin stays on A's Y axis, along which the
	// spring of the suspension acts, and Lower and Upper, in metres. B's X axis, the axle, stays
	// parallel to A's, turned by Steering about A's Y axis. Motor drives the wheel about its axle,
	// and Brake stops it.
	WheelJoint
	// MotorJoint pulls frame B to frame A with at most MaxForce and MaxTorque.
	MotorJoint
)

// String returns the name of the kind, such as "ball joint".
func (k JointKind) String() string {
	if int(k) >= len(kindNames) {
		return fmt.Sprintf("JointKind(%d)", uint8(k))
	}
	return kindNames[k] + " joint"
}

var kindNames = [...]string{"fixed", "ball", "hinge", "slider", "distance", "wheel", "motor"}

// Joint connects two bodies, or a body with the world. Which fields count depends on the Kind.
//
// The solver sees two frames, one fixed to each body. [Dynamics.JointAt] computes them for a place
// in the world.
type Joint struct {
	Kind JointKind
	// A and B are the bodies; 0: the world. At least one must be a body, and they must differ.
	A, B BodyID
	// FrameA is in the frame of A, that of the first collider without its scale, and FrameB in that
	// of B; of the world, in the coordinates of the space. Scale is ignored.
	FrameA, FrameB geom.Transform

	// Hertz makes the joint a damped spring in all motions that it prevents, and Damping is its
	// damping ratio. 0: as stiff as [Settings.JointHertz] and the accuracy of the solver allow.
	// Like SpringHertz it is limited to a quarter of the substeps per second, 60 Hz by default,
	// beyond which the spring would shake.
	Hertz, Damping float32

	// Lower and Upper count if Limited is set: see the kinds.
	Limited      bool
	Lower, Upper float32
	// Cone is the greatest angle of a ball joint between the X axes, in radians; 0: any.
	Cone float32

	// SpringHertz is the frequency of the spring along or about the joint's axis, and SpringDamping
	// its damping ratio; 0: no spring. It is that of the two bodies against each other: the
	// stiffness is (2π·SpringHertz)² times their effective mass, 1/(1/mA + 1/mB) along an axis
	// through both centres, or mB if A is the world. A suspension of 2 Hz between a car of
	// 1000 kg and a wheel of 20 kg is as soft as the wheel is light, and sinks to its limit. To
	// sink by s metres under W newtons takes √(W/(s·m))/2π hertz with that mass m, here 7.3 Hz for
	// 6 cm. At Target, in metres or radians, it is at rest. The implicit
	// method damps on its own account, by a ratio of about π·SpringHertz·Step/Substeps: 0.013 at
	// 1 Hz by default.
	SpringHertz, SpringDamping float32
	Target                     float32

	// MotorSpeed is the speed along or about the joint's axis that the motor brings B to, seen from
	// A, in m/s or rad/s, with at most MotorForce, in N or N·m; MotorForce 0: no motor. It stops at
	// the limits.
	MotorSpeed, MotorForce float32
	// Brake is the torque in N·m that stops a wheel.
	Brake float32
	// Steering is the angle in radians by which a wheel is turned about A's Y axis, within ±π/2.
	Steering float32
	// MaxForce in N and MaxTorque in N·m are those of a MotorJoint.
	MaxForce, MaxTorque float32

	// BreakForce in N and BreakTorque in N·m disable the joint when it feels more; 0: any.
	BreakForce, BreakTorque float32

	// Collide lets the two bodies collide with each other.
	Collide bool
	// Disabled makes the joint do nothing.
	Disabled bool
	// User is the game's own value.
	User uint64
}

// JointState is what a joint did in the last step.
type JointState struct {
	// Force is what it applied to B at B's origin, and Torque, in N and N·m, the mean of the step.
	// A felt the opposite.
	Force, Torque geom.Vec3
	// Value is the angle of a hinge, the twist of a ball, the translation of a slider or the
	// suspension of a wheel, and the length of a distance joint.
	Value float32
	// Swing is the angle between the X axes of a ball joint, in radians.
	Swing float32
	// Error is how far the origins are from where a stiff joint would keep them, in metres.
	Error float32
}

// BrokenJoint is a joint that felt more than it can bear. It is disabled.
type BrokenJoint struct {
	ID            JointID
	Force, Torque float32 // in N and N·m
}

// joint is a joint of a Dynamics. Index 0 is none.
type joint struct {
	id     JointID
	alive  bool
	set    Joint
	bodies [2]int32
	next   [2]int32 // links in the lists of the bodies: see jointLink
	linear geom.Vec3
	turn   geom.Vec3 // impulses of the last substep, as linear
	rows   [maxRows]float32
	arms   [2]float32 // at which the bodies feel the force, in metres
	force  geom.Vec3  // N
	torque geom.Vec3  // N·m
}

// A body's joints are a list. Its links are 1 + 2·joint, plus 1 of the joint's body B; 0 ends it.

// jointsOf calls f for the joints of a body, those added last first, until f returns false.
func (d *Dynamics) jointsOf(body int32, f func(j int32, other int32) bool) {
	for link := d.bodies[body].joints; link != 0; {
		j, side := (link-1)/2, (link-1)%2
		link = d.joints[j].next[side]
		if !f(j, d.joints[j].bodies[1-side]) {
			return
		}
	}
}

// JointAt returns a joint of two bodies at a point in world space, with the bodies where they are
// now. Its axis, the X axis of both frames, is a direction in world space. See
// [JointFrame]. The frame of a body that does not exist is that of the world.
//
// A rod, a rope or a spring has two points: take FrameB of the joint at the other one.
//
//	j := d.JointAt(rigid.DistanceJoint, a, b, from, axis)
//	j.FrameB = d.JointAt(rigid.DistanceJoint, a, b, to, axis).FrameB
//	j.Target = to.Sub(from).Len()
func (d *Dynamics) JointAt(kind JointKind, a, b BodyID, at, axis geom.Vec3) Joint {
	frame := JointFrame(at, axis)
	return Joint{Kind: kind, A: a, B: b, FrameA: d.within(a, frame), FrameB: d.within(b, frame)}
}

// JointFrame returns a frame at a point whose X axis has a direction, and whose Y axis is as close
// to the world's Y axis as possible. A direction that is zero, NaN or infinite counts as −Z.
func JointFrame(at, axis geom.Vec3) geom.Transform {
	return geom.Transform{Position: at, Rotation: geom.QuatLook(axis, geom.Vec3{Y: 1}).Mul(quarterTurn)}
}

// quarterTurn turns the X axis to −Z, the one that geom.QuatLook turns.
var quarterTurn = geom.Quat{Y: float32(math.Sqrt2 / 2), W: float32(math.Sqrt2 / 2)}

// within returns a transform of the world in the frame of a body.
func (d *Dynamics) within(id BodyID, t geom.Transform) geom.Transform {
	i := d.find(id)
	if i == 0 {
		return t
	}
	own := d.transform(i, 0)
	back := own.Rotation.Inverse()
	return geom.Transform{Position: back.Rotate(t.Position.Sub(own.Position)), Rotation: back.Mul(t.Rotation)}
}

// AddJoint connects two bodies, and wakes them. The joint keeps them as its frames are, not as they
// are now: where these differ, the bodies are pulled together.
//
// It returns an error, and adds nothing, if a body does not exist, neither is a body, both are the
// same, or a number is NaN, infinite or out of range. In a planar space the X axes of hinges,
// wheels and balls with Lower and Upper must be along Z, those of sliders and balls with a Cone in
// the plane, and no wheel is steered; Z of the frames' positions is of no account.
func (d *Dynamics) AddJoint(j Joint) (JointID, error) {
	if err := d.checkJoint(&j); err != nil {
		return 0, fmt.Errorf("rigid: Dynamics.AddJoint: %w", err)
	}
	i := int32(len(d.joints))
	x := joint{alive: true, set: j}
	if n := len(d.freeJoints); n > 0 {
		i, d.freeJoints = d.freeJoints[n-1], d.freeJoints[:n-1]
		x.id = d.joints[i].id + 1<<32
	} else {
		i = max(i, 1)
		x.id = JointID(1)<<32 | JointID(i)
		for len(d.joints) <= int(i) {
			d.joints = append(d.joints, joint{})
		}
	}
	d.joints[i] = x
	d.jointCount++
	d.link(i)
	return x.id, nil
}

// link puts a joint into the lists of its bodies.
func (d *Dynamics) link(i int32) {
	x := &d.joints[i]
	x.bodies = [2]int32{d.find(x.set.A), d.find(x.set.B)}
	for side, body := range x.bodies {
		x.next[side] = 0
		if body != 0 {
			b := &d.bodies[body]
			x.next[side], b.joints = b.joints, 1+2*i+int32(side)
		}
	}
	d.rejoint(i)
}

// unlink takes a joint out of the lists of its bodies.
func (d *Dynamics) unlink(i int32) {
	d.rejoint(i)
	x := &d.joints[i]
	for side, body := range x.bodies {
		if body == 0 {
			continue
		}
		at := &d.bodies[body].joints
		for *at != 1+2*i+int32(side) {
			link := *at - 1
			d.touchJoint(link / 2)
			at = &d.joints[link/2].next[link%2]
		}
		*at = x.next[side]
	}
}

// rejoint wakes the bodies of a joint, and notes that it was added, changed or is to be removed.
func (d *Dynamics) rejoint(i int32) {
	d.touchJoint(i)
	for _, body := range d.joints[i].bodies {
		if body != 0 {
			d.touchBody(body)
			d.bodies[body].least = 0
			if d.bodies[body].moves {
				d.wake(body)
			}
		}
	}
	d.unbound, d.ungrouped = true, true
}

// reframe keeps the joints and the goal of a body where they are when its first collider, to which
// their frames belong, has become another. The old one was at a transform.
func (d *Dynamics) reframe(i int32, was geom.Transform) {
	now := d.transform(i, 0)
	back := now.Rotation.Inverse()
	if b := &d.bodies[i]; b.target {
		goal := &d.orderTo(b).goal
		turn := goal.Rotation.Mul(was.Rotation.Inverse())
		*goal = geom.Transform{Position: goal.Position.Add(turn.Rotate(now.Position.Sub(was.Position))), Rotation: turn.Mul(now.Rotation)}
	}
	d.jointsOf(i, func(j, _ int32) bool {
		x := &d.joints[j]
		f := &x.set.FrameA
		if x.bodies[1] == i {
			f = &x.set.FrameB
		}
		f.Position = back.Rotate(was.Position.Add(was.Rotation.Rotate(f.Position)).Sub(now.Position))
		f.Rotation = back.Mul(was.Rotation).Mul(f.Rotation)
		d.touchJoint(j)
		return true
	})
}

func (d *Dynamics) touchJoint(i int32) { d.changes.touch(&d.changes.joints, i, d.version) }

// findJoint returns the index of a joint; 0 if there is none.
func (d *Dynamics) findJoint(id JointID) int32 {
	d.rebase()
	if i := id.index(); i > 0 && i < len(d.joints) && d.joints[i].alive && d.joints[i].id == id {
		return int32(i)
	}
	return 0
}

// RemoveJoint removes a joint, and wakes its bodies. It reports false if there is no such joint.
// Joints of a body that is removed are removed with it.
func (d *Dynamics) RemoveJoint(id JointID) bool {
	i := d.findJoint(id)
	if i == 0 {
		return false
	}
	d.unlink(i)
	d.joints[i] = joint{id: id}
	d.jointCount--
	if uint32(id>>32) != 1<<32-1 {
		d.freeJoints = append(d.freeJoints, i)
	}
	return true
}

// Joint returns what a joint was added or set with; false if there is no such joint.
func (d *Dynamics) Joint(id JointID) (Joint, bool) {
	i := d.findJoint(id)
	if i == 0 {
		return Joint{}, false
	}
	return d.joints[i].set, true
}

// SetJoint replaces what a joint was added with, and wakes its bodies if anything differs. It
// returns an error under the same conditions as [Dynamics.AddJoint], or if there is no such joint.
func (d *Dynamics) SetJoint(id JointID, j Joint) error {
	i := d.findJoint(id)
	if i == 0 {
		return fmt.Errorf("rigid: Dynamics.SetJoint: there is no %v", id)
	}
	if err := d.checkJoint(&j); err != nil {
		return fmt.Errorf("rigid: Dynamics.SetJoint: %v: %w", id, err)
	}
	x := &d.joints[i]
	old := x.set
	if old == j {
		return nil
	}
	if old.A != j.A || old.B != j.B || old.Kind != j.Kind || old.Disabled != j.Disabled || old.Collide != j.Collide ||
		(old.Hertz > 0) != (j.Hertz > 0) {
		d.unlink(i)
		*x = joint{id: id, alive: true, set: j}
		d.link(i)
		return nil
	}
	d.ungrouped = d.ungrouped || old.grouping() != j.grouping() ||
		old.FrameA.Position != j.FrameA.Position || old.FrameB.Position != j.FrameB.Position
	x.set = j
	d.touchJoint(i)
	for _, body := range x.bodies {
		if d.bodies[body].moves {
			d.wake(body)
		}
	}
	return nil
}

// Joints returns every joint with its ID, in the order of joints. No joint must be added or removed
// during the iteration.
func (d *Dynamics) Joints() iter.Seq2[JointID, Joint] {
	return func(yield func(JointID, Joint) bool) {
		d.rebase()
		for i := range d.joints {
			if j := &d.joints[i]; j.alive && !yield(j.id, j.set) {
				return
			}
		}
	}
}

// AppendJointsOf appends the joints of a body, those added last first.
func (d *Dynamics) AppendJointsOf(dst []JointID, id BodyID) []JointID {
	if i := d.find(id); i != 0 {
		d.jointsOf(i, func(j, _ int32) bool {
			dst = append(dst, d.joints[j].id)
			return true
		})
	}
	return dst
}

// NumJoints returns the number of joints.
func (d *Dynamics) NumJoints() int { return d.jointCount }

// JointFrames returns the frames of a joint in world space, where the bodies are now; false if
// there is no such joint.
func (d *Dynamics) JointFrames(id JointID) (a, b geom.Transform, ok bool) {
	i := d.findJoint(id)
	if i == 0 {
		return a, b, false
	}
	x := &d.joints[i]
	frames := [2]geom.Transform{x.set.FrameA, x.set.FrameB}
	for side, body := range x.bodies {
		f := &frames[side]
		f.Scale = geom.Vec3{}
		if body == 0 {
			continue
		}
		own := d.transform(body, 0)
		f.Position = own.Position.Add(own.Rotation.Rotate(f.Position))
		f.Rotation = own.Rotation.Mul(f.Rotation)
	}
	return frames[0], frames[1], true
}

// JointState returns what a joint did in the last step; false if there is no such joint.
func (d *Dynamics) JointState(id JointID) (JointState, bool) {
	i := d.findJoint(id)
	if i == 0 {
		return JointState{}, false
	}
	x := &d.joints[i]
	s := JointState{Force: x.force, Torque: x.torque}
	a, b, _ := d.JointFrames(id)
	apart := b.Position.Sub(a.Position)
	along := apart
	q := a.Rotation.Inverse().Mul(b.Rotation)
	switch x.set.Kind {
	case BallJoint:
		s.Value, s.Swing = x.set.angle(twistOf(q)), swingOf(q)
		along = geom.Vec3{}
	case HingeJoint:
		s.Value = x.set.angle(twistOf(q))
		along = geom.Vec3{}
	case SliderJoint:
		axis := a.Rotation.Rotate(geom.Vec3{X: 1})
		s.Value = apart.Dot(axis)
		along = axis.Mul(s.Value)
	case WheelJoint:
		axis := a.Rotation.Rotate(geom.Vec3{Y: 1})
		s.Value = apart.Dot(axis)
		along = axis.Mul(s.Value)
	case DistanceJoint:
		s.Value = apart.Len()
		switch {
		case x.set.Limited:
			s.Error = max(s.Value-x.set.Upper, x.set.Lower-s.Value, 0)
		case x.set.SpringHertz == 0:
			s.Error = float32(math.Abs(float64(s.Value - x.set.Target)))
		}
		return s, true
	default:
		along = geom.Vec3{}
	}
	s.Error = apart.Sub(along).Len()
	return s, true
}

// checkJoint returns an error if a joint is not allowed. It lays the origins of its frames into the
// plane of a planar space, in which the bodies are.
func (d *Dynamics) checkJoint(j *Joint) error {
	for _, v := range []struct {
		name string
		id   BodyID
	}{{"A", j.A}, {"B", j.B}} {
		if v.id != 0 && d.find(v.id) == 0 {
			return fmt.Errorf("%s: there is no %v", v.name, v.id)
		}
	}
	if err := j.check(); err != nil || !d.space.IsPlanar() {
		return err
	}
	j.FrameA.Position.Z, j.FrameB.Position.Z = 0, 0
	return j.checkPlanar()
}

// check returns an error if a joint is not allowed, whatever bodies there are.
func (j *Joint) check() error {
	if j.Kind > MotorJoint {
		return fmt.Errorf("%s is %d", "Kind", j.Kind)
	}
	if j.A == j.B {
		return fmt.Errorf("%s and B are both %v", "A", j.A)
	}
	for _, v := range []struct {
		name string
		t    geom.Transform // a pointer would move j to the heap
	}{{"FrameA", j.FrameA}, {"FrameB", j.FrameB}} {
		if !v.t.Position.IsFinite() || !v.t.Rotation.IsFinite() {
			return fmt.Errorf("%s is %+v", v.name, v.t)
		}
	}
	const most = math.MaxFloat32
	for _, v := range []struct {
		name        string
		v           float32
		least, most float32
	}{
		{"Hertz", j.Hertz, 0, most}, {"Damping", j.Damping, 0, most},
		{"Lower", j.Lower, -most, most}, {"Upper", j.Upper, -most, most}, {"Cone", j.Cone, 0, math.Pi},
		{"SpringHertz", j.SpringHertz, 0, most}, {"SpringDamping", j.SpringDamping, 0, most}, {"Target", j.Target, -most, most},
		{"MotorSpeed", j.MotorSpeed, -most, most}, {"MotorForce", j.MotorForce, 0, most},
		{"Brake", j.Brake, 0, most}, {"Steering", j.Steering, -math.Pi / 2, math.Pi / 2},
		{"MaxForce", j.MaxForce, 0, most}, {"MaxTorque", j.MaxTorque, 0, most},
		{"BreakForce", j.BreakForce, 0, most}, {"BreakTorque", j.BreakTorque, 0, most},
	} {
		if !(v.v >= v.least && v.v <= v.most) {
			return fmt.Errorf("%s is %g", v.name, v.v)
		}
	}
	switch {
	case !j.Limited:
	case j.Lower > j.Upper:
		return fmt.Errorf("%s is %g, above Upper, %g", "Lower", j.Lower, j.Upper)
	case j.Kind == DistanceJoint && j.Lower < 0:
		return fmt.Errorf("%s is %g, and a length", "Lower", j.Lower)
	case (j.Kind == HingeJoint || j.Kind == BallJoint) && (j.Lower < -math.Pi || j.Upper > math.Pi):
		return fmt.Errorf("%s is %g and Upper %g, beyond ±π", "Lower", j.Lower, j.Upper)
	}
	if j.Kind == DistanceJoint && j.Target < 0 {
		return fmt.Errorf("%s is %g, and a length", "Target", j.Target)
	}
	return nil
}

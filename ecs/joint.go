package physecs

import (
	"fmt"
	"slices"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/internal/wire"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// Joint is the component that connects the bodies of two entities, as a door is connected with its
// car or a gate with the world. It may be on one of the two, or on a third entity. The joint lasts
// as long as the component, and while both entities have a body.
//
//	dynamics.JointAt(w, rigid.HingeJoint, car, door, geom.V(0, 1, 0), geom.V(0, 1, 0))
//	dynamics.JointAt(w, rigid.HingeJoint, ecs.Entity{}, gate, geom.V(0, 1, 0), geom.V(0, 1, 0))
//
// The fields of [rigid.Joint] say what it is; [Dynamics.JointAt] fills in the frames. FrameA and
// FrameB are in the frames of A and B without their scales. A change of any field takes effect in
// the next update: a game drives a motor by its MotorSpeed. A joint without a body is one of
// [Dynamics.Faults].
type Joint struct {
	// A and B are the entities; the zero Entity: the world. Each has a [Body], or is a descendant
	// whose collider is part of one. An entity without one, such as a wall, is not joined: use the
	// world instead.
	A, B ecs.Entity
	// Joint holds the other fields; its own A and B are ignored.
	rigid.Joint
}

// BrokenJoint is a joint that felt more than its BreakForce or BreakTorque. It does nothing until
// its component is changed, by which it is mended, or removed: a game that goes on to write its
// motor removes it, or sets its Disabled.
type BrokenJoint struct {
	Entity        ecs.Entity // with the Joint
	Force, Torque float32    // in N and N·m
}

// jointRow is what was last copied of an entity with a Joint.
type jointRow struct {
	joint Joint
	id    rigid.JointID // 0 if there is none
	sides [2]jointSide
	err   error
	known bool
	// broken is set from when it broke until its component changes.
	broken bool
}

// jointSide is what a joint is fixed to: a frame in that of a body, zero of the world.
type jointSide struct {
	body  rigid.BodyID
	frame Transform
}

// jointOwner is the entity of a joint.
type jointOwner struct {
	id     rigid.JointID
	entity ecs.Entity
}

// JointAt returns a joint of two entities at a point in world space, as their Transforms are now.
// Its axis is a direction in world space: see [rigid.Dynamics.JointAt]. Panics if an entity is dead
// or has no [Transform], unless it is the zero Entity, which is the world.
func (d *Dynamics) JointAt(w *ecs.World, kind rigid.JointKind, a, b ecs.Entity, at, axis geom.Vec3) Joint {
	var j Joint
	j.A, j.B, j.Kind = a, b, kind
	frame := rigid.JointFrame(at, axis)
	for _, side := range [...]struct {
		e  ecs.Entity
		to *geom.Transform
	}{{a, &j.FrameA}, {b, &j.FrameB}} {
		*side.to = frame
		if !side.e.IsZero() {
			t := keyOf[Transform](w).checked(w, side.e, "Dynamics.JointAt")
			if t == nil {
				panic(fmt.Sprintf("physecs: Dynamics.JointAt: entity %d has no Transform", side.e.ID()))
			}
			*side.to = within(&Transform{Position: t.Position, Rotation: t.Rotation}, &frame)
		}
	}
	return j
}

// within returns a transform in a frame without scale.
func within(frame, t *Transform) Transform {
	back := frame.Rotation.Inverse()
	return Transform{Position: back.Rotate(t.Position.Sub(frame.Position)), Rotation: back.Mul(t.Rotation)}
}

// Joint returns the joint of an entity with a [Joint]; false if there is none. See
// [Dynamics.Rigid].
func (d *Dynamics) Joint(e ecs.Entity) (rigid.JointID, bool) {
	if j := d.joints.find(e); j != nil && j.id != 0 {
		return j.id, true
	}
	return 0, false
}

// JointState returns what the joint of an entity did in the last step; false if it has none.
func (d *Dynamics) JointState(e ecs.Entity) (rigid.JointState, bool) {
	id, ok := d.Joint(e)
	if !ok {
		return rigid.JointState{}, false
	}
	return d.rigid.JointState(id)
}

// compareJoints compares all entities with a Joint with the rows of the last update, and makes the
// joints that have changed, in the order of entities.
func (d *Dynamics) compareJoints(w *ecs.World) {
	m := &d.makes
	m.joints = m.joints[:0]
	d.joints.begin()
	query := m.linked.query(w, d.space.ids.joint.id)
	for query.Next() {
		e := query.Entity()
		row, j := d.joints.visit(e), d.space.ids.joint.at(&query)
		sides := [2]jointSide{d.side(j.A, j.FrameA), d.side(j.B, j.FrameB)}
		same := *j == row.joint || wire.SameBits(j, &row.joint)
		if row.known && (row.sides == sides || wire.SameBits(&row.sides, &sides)) && same {
			continue
		}
		row.known, row.joint, row.sides, row.broken = true, *j, sides, row.broken && same
		m.joints = append(m.joints, e)
	}
	d.joints.end()
	slices.SortFunc(d.joints.gone, func(a, b jointRow) int { return int(uint32(a.id)) - int(uint32(b.id)) })
	for i := range d.joints.gone {
		d.rigid.RemoveJoint(d.joints.gone[i].id)
	}
	slices.SortFunc(m.joints, compareEntities)
	for _, e := range m.joints {
		row := d.joints.find(e)
		row.err = d.makeJoint(e, row)
	}
}

// makeJoint makes the joint of an entity, and returns why it can't.
func (d *Dynamics) makeJoint(e ecs.Entity, row *jointRow) (err error) {
	j := row.joint.Joint
	j.Disabled = j.Disabled || row.broken
	ids, frames := [...]*rigid.BodyID{&j.A, &j.B}, [...]*Transform{&j.FrameA, &j.FrameB}
	for i, side := range [...]ecs.Entity{row.joint.A, row.joint.B} {
		*ids[i] = row.sides[i].body
		if side.IsZero() {
			continue
		}
		if *frames[i] = row.sides[i].frame; *ids[i] == 0 {
			d.rigid.RemoveJoint(row.id)
			row.id = 0
			if name := 'A' + rune(i); !alive(d.space.world, side) {
				return fmt.Errorf("physecs: Joint.%c: entity %d is dead", name, side.ID())
			} else {
				return fmt.Errorf("physecs: Joint.%c: entity %d has no Body: the world is the zero Entity", name, side.ID())
			}
		}
	}
	if _, ok := d.rigid.Joint(row.id); ok { // else its body was made again
		err = d.rigid.SetJoint(row.id, j)
	} else if row.id, err = d.rigid.AddJoint(j); err == nil {
		d.jointOwners = setAt(d.jointOwners, int(uint32(row.id)), jointOwner{row.id, e})
	}
	if err != nil {
		d.rigid.RemoveJoint(row.id)
		row.id = 0
		return fmt.Errorf("physecs: %w", err)
	}
	return nil
}

// side returns the frame of a joint in that of the body of an entity; zero if it has none.
func (d *Dynamics) side(e ecs.Entity, frame Transform) jointSide {
	if e.IsZero() {
		return jointSide{}
	}
	frame.Scale = geom.Vec3{}
	if p := d.parts.find(e); p != nil {
		frame = placed(&Transform{Position: p.local.Position, Rotation: p.local.Rotation}, &frame)
		e = p.owner
	}
	b := d.bodies.find(e)
	if b == nil || b.id == 0 {
		return jointSide{}
	}
	if b.local.Position != (geom.Vec3{}) || b.local.Rotation != (geom.Quat{}) {
		frame = within(&b.local, &frame)
	}
	return jointSide{b.id, frame}
}

// noteBroken notes the joints that broke in a step.
func (d *Dynamics) noteBroken() {
	for _, b := range d.rigid.Broken {
		if i := int(uint32(b.ID)); i < len(d.jointOwners) && d.jointOwners[i].id == b.ID {
			e := d.jointOwners[i].entity
			d.joints.find(e).broken = true
			d.Broken = append(d.Broken, BrokenJoint{e, b.Force, b.Torque})
		}
	}
}

// rebaseJoints moves the frames of joints in the world, in the components and in the rows.
func (d *Dynamics) rebaseJoints(w *ecs.World, shift geom.DVec3) {
	d.visitJoints(w, func(row, j *Joint) {
		for _, j := range [...]*Joint{row, j} {
			if j.A.IsZero() {
				j.FrameA.Position = j.FrameA.Position.Wide().Add(shift).Narrow()
			}
			if j.B.IsZero() {
				j.FrameB.Position = j.FrameB.Position.Wide().Add(shift).Narrow()
			}
		}
	})
}

// restoreJoints gives the components the frames in the world that the rows have, since Rebase moves
// them.
func (d *Dynamics) restoreJoints(w *ecs.World) {
	d.visitJoints(w, func(row, j *Joint) {
		if row.A.IsZero() {
			j.FrameA.Position = row.FrameA.Position
		}
		if row.B.IsZero() {
			j.FrameB.Position = row.FrameB.Position
		}
	})
}

// visitJoints visits the components with their copies.
func (d *Dynamics) visitJoints(w *ecs.World, visit func(row, j *Joint)) {
	for i, e := range d.joints.entities {
		if alive(w, e) {
			if j := d.space.ids.joint.of(w, e); j != nil {
				visit(&d.joints.rows[i].joint, j)
			}
		}
	}
}

package main

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// world is a scene in motion.
type world struct {
	dynamics *rigid.Dynamics
	bodies   []rigid.BodyID // in the order of the scene
	before   func(step int) // unless nil, what comes before each step
	// layer and mask are those of the next colliders of a stage.
	layer, mask physics.Layers
}

// alone is the layer of what collides with nothing on it.
const alone physics.Layers = 1 << 31

// turning is the speed of the tumbler about Z, in rad/s: 30 degrees a second.
const turning = 0.5235988

// world returns the scene with friction 0.6, without restitution and damping.
func (s *scene) world(sleep bool) (*world, error) {
	space := physics.NewSpace()
	w := &world{dynamics: rigid.New(space)}
	if !sleep {
		w.dynamics.Settings.SleepSpeed = 0
	}
	if s.build != nil {
		return w, s.build(w)
	}
	if err := s.ground(w.dynamics); err != nil {
		return nil, err
	}
	var solid *hull.Hull
	if len(s.hull) > 0 {
		var err error
		if solid, err = hull.New(s.hull); err != nil {
			return nil, err
		}
	}
	for i := range s.bodies {
		b := &s.bodies[i]
		var shape physics.Shape
		switch b.kind {
		case box:
			shape = geom.Box{HalfExtents: b.half}
		case ball:
			shape = geom.Sphere{Radius: b.half.X}
		case capsule:
			shape = geom.Capsule{A: geom.V(0, -b.half.Y, 0), B: geom.V(0, b.half.Y, 0), Radius: b.half.X}
		case prism:
			shape = solid
		}
		c := physics.Collider{Shape: shape, Transform: geom.Transform{Position: b.position, Rotation: b.rotation}}
		if b.lone {
			c.Layer, c.Mask = alone, ^alone
		}
		set := rigid.Body{Density: s.density}
		if b.fixed {
			set.Kind = rigid.Kinematic
		}
		body, err := w.dynamics.Add(set, space.Add(c))
		if err != nil {
			return nil, fmt.Errorf("body %d: %w", i, err)
		}
		w.bodies = append(w.bodies, body)
	}
	for i := range s.joints {
		if _, err := w.dynamics.AddJoint(s.joint(w, &s.joints[i])); err != nil {
			return nil, fmt.Errorf("joint %d: %w", i, err)
		}
	}
	return w, nil
}

// joint returns a joint of the world. The bodies are where its angles are 0.
func (s *scene) joint(w *world, j *jointOf) rigid.Joint {
	a := &s.bodies[j.a]
	x := w.dynamics.JointAt(rigid.BallJoint, w.bodies[j.a], w.bodies[j.b],
		a.position.Add(a.rotation.Rotate(j.inA)), a.rotation.Rotate(j.axis))
	x.FrameB.Position = j.inB
	x.Limited, x.Lower, x.Upper = j.low != 0 || j.high != 0 || j.cone != 0, j.low, j.high
	if j.hinge {
		x.Kind = rigid.HingeJoint
	} else {
		x.Cone = j.cone
	}
	return x
}

// ground adds what does not fall.
func (s *scene) ground(d *rigid.Dynamics) error {
	space := d.Space()
	switch {
	case len(s.verts) > 0:
		m, err := mesh.New(s.verts, s.idx)
		if err != nil {
			return err
		}
		space.Add(physics.Collider{Shape: m, Static: true})
	case len(s.walls) > 0:
		// A body is where its first collider is; the hub, which nothing pairs with, is in the
		// middle.
		parts := []physics.ColliderID{space.Add(physics.Collider{Shape: geom.Sphere{}, Layer: alone, Mask: alone})}
		for _, w := range s.walls {
			parts = append(parts, space.Add(physics.Collider{
				Shape: geom.Box{HalfExtents: w.HalfExtents()}, Transform: geom.Transform{Position: w.Center()},
			}))
		}
		_, err := d.Add(rigid.Body{Kind: rigid.Kinematic, AngularVelocity: geom.V(0, 0, turning)}, parts...)
		return err
	case s.bodies[0].lone: // it hangs in the air
	default:
		space.Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(400, 1, 400)}, Transform: geom.At(0, -1, 0), Static: true})
	}
	return nil
}

// awake returns how many bodies of the scene are awake.
func (w *world) awake() int {
	n := w.dynamics.Awake()
	return n - (w.dynamics.Len() - len(w.bodies)) // the tumbler does not sleep
}

// poses returns position and rotation of all bodies of the scene.
func (w *world) poses() []byte {
	var all bytes.Buffer
	for _, id := range w.bodies {
		t, _ := w.dynamics.Transform(id)
		binary.Write(&all, binary.LittleEndian, []geom.Vec3{t.Position})
		binary.Write(&all, binary.LittleEndian, []geom.Quat{t.Rotation})
	}
	return all.Bytes()
}

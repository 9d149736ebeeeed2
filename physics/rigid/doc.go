// Package rigid moves the colliders of a [physics.Space] as rigid bodies: they fall, bounce, slide,
// stack, topple and go to sleep.
//
// A [Dynamics] belongs to one space. A body is made of one or more colliders of the space;
// colliders without a body are static ground.
//
//	space := physics.NewSpace()
//	space.Add(physics.Collider{Shape: geom.YPlane(0)})
//	crate := space.Add(physics.Collider{
//		Shape: geom.Box{HalfExtents: geom.V(0.5, 0.5, 0.5)}, Transform: geom.At(0, 3, 0),
//	})
//	world := rigid.New(space)
//	body, err := world.Add(rigid.Body{}, crate)
//	for range 60 {
//		world.Step()
//	}
//
// # Conventions
//
//   - Units: metres, kilograms, seconds, radians, newtons. All vectors are in world axes and all
//     points in the coordinates of the space, unless a comment says local.
//   - The velocity of a body is that of its centre of mass.
//   - Step advances by [Settings.Step], which should not vary. Contacts are found once a step; the
//     solver runs [Settings.Substeps] times.
//   - Bodies are in the order in which they were added. The same calls in the same order give the
//     same bits on every machine, on any number of processors.
//   - Solid shapes move: boxes, AABBs, spheres, capsules, cones, hulls and compounds of them.
//     Meshes and planes are surfaces without a volume, hence static.
//
// # Going back in time
//
// [Dynamics.Save] copies what has changed since the last Save, and [Dynamics.Restore] makes
// everything as it was, in the same process. [Dynamics.AppendState] writes the same to bytes, for a
// file or another machine, and [Dynamics.LoadState] reads them. Steps that follow give the same
// bits as the first time. Functions, such as [Dynamics.Adjust], are not part of a state.
//
// # Joints
//
// A [Joint] connects two bodies, or a body with the world: a door on its hinge, a rope, a wheel
// with its suspension. [Dynamics.JointAt] makes one where the bodies are, and [Dynamics.AddJoint]
// adds it. Bodies that it connects do not collide with each other, unless it says so, and sleep
// together. [Dynamics.JointState] has what it does, and [Dynamics.Broken] those that broke.
//
// # Method
//
// The solver is the soft step of Box2D 3 and Box3D (Catto 2023, "Solver2D"): substeps instead of
// iterations (Macklin and others 2019, "Small steps in physics simulation"), soft contact
// constraints, and a relaxation of each substep that removes the velocity which the softness added.
// Manifolds are kept while bodies hardly move against each other, as in Box3D, or else high stacks
// buckle. Contacts that share no body have the same colour and are solved at the same time. Bodies
// that touch are an island, which sleeps as a whole. The points that joints hold together are
// solved at once for each tree of joints, in a time proportional to their number (Baraff 1996,
// "Linear-time dynamics using Lagrange multipliers"), limits, springs and motors one by one.
//
// A floor may be made of tiles and a track of pieces: edges of static colliders that are level with
// others, to 1 mm, stop nothing that is above these.
//
// Bodies without joints that meet at 0.1 m/s or faster get the friction of the whole impact at the
// end of the step: what stops them along the surface, up to the friction coefficient times its
// normal impulse (Coulomb's law of impact). They get its rolling resistance likewise.
package rigid

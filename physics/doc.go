// Package physics answers queries about the objects in a world: what a ray hits, what a moving
// shape hits, what a volume touches, what is nearest, which objects touch and how deep. It also
// moves characters and projectiles through the world.
//
// A [Space] holds colliders. A [Collider] is a shape (an axis-aligned box, a rotated box, a sphere,
// a capsule, a cylinder, a cone, a tapered capsule, a plane, a convex hull, a mesh, or a [Compound]
// of these) with a transform, and the properties that the [Filter] of a query tests: layers, a
// sensor flag, the caller's own value. It is named by a [ColliderID].
//
//	space := physics.NewSpace()
//	box := geom.Box{HalfExtents: geom.V(1, 1, 1)}
//	crate := space.Add(physics.Collider{Shape: box, Transform: geom.At(0, 1, 0)})
//	hit, ok := space.CastRay(geom.NewRay(geom.V(0, 1, 10), geom.V(0, 0, -1)), physics.Filter{})
//
// # Conventions
//
//   - Axes and units: right-handed, Y up, metres, radians, float32. Counter-clockwise triangles are
//     front faces.
//   - Ray: Dir need not be unit; T counts multiples of Dir; MaxT 0 means no limit; [geom.Segment]
//     gives T in 0…1.
//   - A zero, NaN or infinite ray is a miss, never a panic and never a hit.
//   - Origin inside a solid: [Filter.Start] decides, in the same way for every shape: a hit at once
//     ([geom.Solid], the default: T = MinT, Normal = −Dir, Inside set), the far surface
//     ([geom.Exit]), or no hit ([geom.Ignore]).
//   - Normal: unit, geometric, world space, facing the ray; BackFace is set if the back was hit.
//   - Shape cast: the same for a shape that moves along Motion and does not rotate, except that
//     [ShapeCast.Start] decides about overlaps at the start, where Normal is the direction of the
//     shortest way out.
//   - Back faces of meshes and planes are hit like front faces unless [Filter.Cull] is set.
//   - Surfaces are closed: touching counts, for rays in a face, along an edge and through a corner,
//     and for volumes.
//   - Closest of equals: the lowest (T, collider, child, triangle), whatever the history of the
//     space.
//   - All hits are sorted in that same order.
//   - Scale: any, even non-uniform or negative. T stays the world ray's T, normals transform by
//     the inverse transpose, a non-uniformly scaled sphere is an ellipsoid. The front of a mirrored
//     mesh stays its front.
//   - AABB and Box: an AABB collider follows its transform's position and scale and never rotates;
//     a Box rotates.
//   - Solids and surfaces: boxes, spheres, capsules, cones and hulls are solid; planes and meshes
//     are surfaces with nothing inside, for rays and for volumes.
//   - Freshness: a query sees every change made before it.
//   - Errors: a programmer's mistake panics with "physics: Func: what"; a stale [ColliderID] gives
//     ok == false. A collider that is empty, NaN or infinite is kept but nowhere: see
//     [Space.IsNowhere].
//   - Zero: an option of 0 is the default that its comment names. Where it names none, 0 is the
//     number itself, as of a velocity or a coefficient of friction. Where a comment allows a
//     negative number, that turns the option off.
//   - +Inf: an infinite limit, such as MaxT or the distance of [Space.Nearest], is no limit. An
//     infinite place or size is nowhere: it finds nothing and nothing finds it. A mover or a
//     projectile with an infinite velocity or setting does not move. NaN is nowhere, and as a limit
//     finds nothing.
//   - 2D: a rectangle is an AABB ([geom.Rect]), or a flat Box if it rotates ([geom.At2D]), and the
//     ray lies in its plane ([geom.RayAtAngle]). In a planar space ([NewPlanarSpace]) contacts,
//     pushes, casts, movers, projectiles and bodies stay in that plane.
//
// Each of these is tested, most in conventions_test.go.
//
// # Limits
//
//   - A mesh holds up to 2²⁷ triangles.
//   - Coordinates are float32: 0.1 mm at a kilometre from the origin, 1 mm at ten. In larger worlds
//     [Space.Rebase] moves the origin to the camera.
//   - Nothing here has mass. Bodies that fall and stack are in package physics/rigid.
//   - A mesh is a surface: a shape deeper in it than the shape is thick may be pushed out to either
//     side, and of two meshes an open one may have contacts with the far side of the other.
//   - Contacts of two flat shapes in one plane have no depth in that plane, except in a planar
//     space, which takes circles, capsules, boxes, half-planes and convex polygons.
//
// # Concurrency
//
// Queries allocate nothing beyond what they append, and any number of goroutines may query a space
// at once while none changes it. [Space.Snapshot] makes a copy that goroutines may query while the
// game changes the space, and [Space.CastRays] casts thousands of rays on all processors.
// [Space.Restore] goes back to a snapshot, and a [History] holds those of the last ticks, so that a
// server can decide a shot on the space as the shooter saw it.
//
// # Collisions
//
// [Overlaps], [ClosestPoints], [Penetrate] and [Collide] relate two shapes that are [Placed];
// [Space.OverlapShape], [Space.NearestToShape] and [Space.CollideShape] relate a shape to the
// colliders. A [Manifold] holds up to four contact points that share a normal, and each
// [ContactPoint] can be found again in the next tick. A [ContactTracker] finds which colliders
// touch, and which contacts began and ended. It keeps what it found: a pair that has hardly moved
// since costs a tenth of a microsecond.
//
// A [Mover] is a character that slides along obstacles, climbs steps and slopes and stands on the
// ground; a [Projectile] flies, bounces and comes to rest; a [Separator] pushes a crowd apart. They
// have no mass and no forces.
//
// # Many moving colliders
//
// Move colliders with [Space.SetTransform] and call [Space.Update] once a tick: a hundred thousand
// take some milliseconds. Colliders that are [Collider.Static] cost nothing while others move.
// [Space.Pairs] finds those whose bounds touch, and [PairTracker] which of the pairs are new. In
// worlds of many kilometres, [Space.Rebase] moves the origin of the coordinates to where the game
// is.
package physics

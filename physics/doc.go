// Package physics answers questions about the things in a world: what a ray hits, what a moving
// shape meets, what a volume touches, what is nearest, who touches whom and how deep; and it moves
// characters and projectiles through it.
//
// A [Space] holds colliders. A [Collider] is a shape (an axis-aligned box, a turned box, a sphere,
// a capsule, a plane, a convex hull, a mesh, or a [Compound] of these) with a transform, and what a
// query's [Filter] looks at: layers, a sensor flag, a value of the caller's own. It is named by a
// [ColliderID].
//
//	space := physics.NewSpace()
//	crate := space.Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(1, 1, 1)}, Transform: geom.At(0, 1, 0)})
//	hit, ok := space.CastRay(geom.NewRay(geom.V(0, 1, 10), geom.V(0, 0, -1)), physics.Filter{})
//
// # Conventions
//
//   - Axes and units: right-handed, Y up, metres, radians, float32. Counter-clockwise triangles are
//     front faces.
//   - Ray: Dir need not be unit; T counts multiples of Dir; MaxT 0 means no limit; [geom.Segment]
//     gives T in 0…1.
//   - A zero, NaN or infinite ray is a miss, never a panic and never a hit.
//   - Origin inside a solid: [Filter.Start] says what becomes of it, alike for every shape: a hit
//     at once ([geom.Solid], the default: T = MinT, Normal = −Dir, Inside set), the far surface
//     ([geom.Exit]), or nothing ([geom.Ignore]).
//   - Normal: unit, geometric, world space, facing the ray; BackFace says which side was struck.
//   - Shape cast: the same of a shape that moves along Motion and does not turn, but
//     [ShapeCast.Start] says what becomes of one that overlaps something at the start, and Normal
//     is the way out of that.
//   - Back faces of meshes and planes are hit like front faces unless [Filter.Cull] says otherwise.
//   - Surfaces are closed: touching counts, for rays in a face, along an edge and through a corner,
//     and for volumes.
//   - Closest of equals: the lowest (T, collider, child, triangle), however the space came to be
//     what it is.
//   - All hits are sorted by that same order.
//   - Scale: any, uneven and negative too. T stays the world ray's T, normals go by the inverse
//     transpose, an unevenly scaled sphere is an ellipsoid. The front of a mesh stays its front in
//     a mirror.
//   - AABB and Box: an AABB collider follows its transform's position and scale and never turns; a
//     Box turns.
//   - Solids and surfaces: boxes, spheres, capsules and hulls are solid; planes and meshes are
//     surfaces with nothing inside, to rays and to volumes alike.
//   - Freshness: a query sees every change made before it.
//   - Errors: programmer's mistakes panic with "physics: Func: what"; a stale [ColliderID] gives ok
//     == false. What is empty, NaN or infinite is kept but nowhere: see [Space.IsNowhere].
//
// Queries allocate nothing beyond what they append, and any number of goroutines may query a space
// at once while none changes it. [Space.Snapshot] makes a copy that goroutines may query while the
// game changes the space, and [Space.CastRays] casts thousands of rays on all processors.
//
// # Collisions
//
// [Overlaps], [ClosestPoints], [Penetrate] and [Collide] tell how two shapes stand, wherever they
// are [Placed]; [Space.OverlapShape], [Space.NearestToShape] and [Space.CollideShape] do so of a
// shape and the colliders. A [Manifold] holds up to four contacts that share a normal, and each
// [ContactPoint] can be known again in the next tick. A [ContactTracker] tells which colliders
// touch, began to and ceased to.
//
// A [Mover] is a character that slides along what it meets, climbs steps and slopes and stands on
// the ground; a [Projectile] flies, bounces and comes to rest; a [Separator] pushes a crowd apart.
// They have no mass and know nothing of forces.
//
// # Many that move
//
// Move colliders with [Space.SetTransform] and call [Space.Update] once a tick: a hundred thousand
// take some milliseconds. Colliders that are [Collider.Static] cost nothing while others move.
// [Space.Pairs] finds those whose bounds touch, and [PairTracker] which of the pairs are new. In
// worlds of many kilometres, [Space.Rebase] moves the zero of the coordinates to where the game is.
package physics

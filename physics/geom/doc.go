// Package geom holds geometric values and exact tests between them: vectors, rotations and
// transforms; [Ray] and [Hit]; planes, boxes, spheres, capsules, cones, triangles and frusta.
//
// All types are plain values that can be copied, compared and kept in an ECS component. Nothing
// allocates. Methods compute in double precision and round once, so that touching, which counts as
// a hit, is decided by the numbers given and not by rounding on the way. Only rays at a [Triangle]
// are decided in single precision, by a method that lets no ray pass between two triangles that
// share an edge.
//
// # Conventions
//
// Axes are right-handed with Y up; lengths are metres and angles radians. Surfaces are closed: a
// ray that lies in a face, runs along an edge or goes through a corner hits. A ray that is zero,
// NaN or infinite misses. See [Ray] for the meaning of T, [StartMode] for rays that start inside a
// shape and [Cull] for the two sides of a surface.
package geom

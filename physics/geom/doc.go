// Package geom holds the values of geometry and their exact tests: vectors, rotations and
// transforms; [Ray] and [Hit]; planes, boxes, spheres, capsules and triangles.
//
// Everything here is a plain value that can be copied, compared and kept in an ECS component.
// Nothing allocates unless it appends to a slice that is too short. Methods compute in double
// precision and round once, so that touching, which counts as a hit, is decided by the numbers
// given; [Triangle] alone decides in single precision whether it is hit, by a method that lets no
// ray slip between two triangles that share an edge.
//
// # Conventions
//
// Axes are right-handed with Y up; lengths are metres and angles radians. Surfaces are closed: a
// ray that lies in a face, runs along an edge or goes through a corner hits. A ray that is zero,
// NaN or infinite misses. See [Ray] for what T counts, [StartMode] for rays that start in a shape
// and [Cull] for the two sides of a surface.
package geom

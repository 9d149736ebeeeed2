// Package hitscan is the root of a module for games on the Arche entity component system: casting
// rays and shapes at the world, picking with the mouse, collision and rigid bodies. It has no code
// of its own; import the packages that a program needs:
//
//   - [github.com/hitscan-go/hitscan/ecs], package physecs: components, resources and systems for a
//     world of Arche. Most games need this one only.
//   - [github.com/hitscan-go/hitscan/physics]: the space of colliders without an ECS: ray and shape
//     queries, contacts, movers, projectiles.
//   - [github.com/hitscan-go/hitscan/physics/rigid]: bodies that fall, stack and sleep in a space.
//   - [github.com/hitscan-go/hitscan/physics/geom]: vectors, rotations, rays, shapes and their
//     exact tests.
//   - [github.com/hitscan-go/hitscan/physics/mesh]: triangle meshes with their bounding volume
//     hierarchy.
//   - [github.com/hitscan-go/hitscan/physics/meshio]: meshes from OBJ, STL and glTF files.
//   - [github.com/hitscan-go/hitscan/physics/hull]: convex hulls of points.
//   - [github.com/hitscan-go/hitscan/picking]: cameras, viewports, pointer events, marquee
//     selection and gizmos.
//   - [github.com/hitscan-go/hitscan/render]: an OpenGL window that draws the world. Only this
//     package uses cgo.
//
// The conventions (axes, units, front faces, closest of equals) are in the documentation of package
// physics; the README has a first program.
package hitscan

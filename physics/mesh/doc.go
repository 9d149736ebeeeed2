// Package mesh holds immutable triangle meshes and answers what a ray hits, what a volume touches
// and which point is closest, through a tree of bounding boxes.
//
// A [Mesh] is a surface: nothing is inside it, whether it is closed or not. Its triangles are seen
// from both sides unless a [geom.Cull] says otherwise; their front is the side from which the
// corners go counter-clockwise. Everything is in the mesh's own space.
//
// Of hits at the same T the one with the lowest triangle index counts, so answers depend neither on
// the order in which the tree was built nor on the order in which it is walked: they are those of a
// loop over all triangles, bit by bit. No ray slips between two triangles that share an edge or a
// corner.
//
// [New] makes a mesh. [Build] makes one of a [Quality], faster to build or faster to query, and can
// be watched and cancelled. [Mesh.Refit] makes one over vertices that have moved, and [Mesh.Cost]
// says when to build anew instead. [Mesh.WriteFile] keeps a mesh with its tree in a file, and
// [ReadFile] brings it back many times faster than it was built.
//
// Rays have no width; [Mesh.CastConvex] moves a sphere, a capsule, a box or a convex hull along a
// path and returns where it first touches.
//
// Queries allocate nothing beyond what they append to the caller's slice. A Mesh never changes, so
// any number of goroutines may query it at once. [Mesh.CastRayWork] counts what a cast took, and
// [Mesh.Nodes] shows the tree.
//
// Contacts need to know the surface around a triangle: [Mesh.Bends] tells how it bends over each
// edge, and [Mesh.Across] which vertex lies beyond.
//
// [Box], [UVSphere], [Icosphere], [Capsule], [Torus] and [Plane] make the vertices and indices of
// common shapes.
package mesh

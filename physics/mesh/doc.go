// Package mesh holds immutable triangle meshes and answers ray casts, shape casts, overlaps and
// closest points through a bounding volume hierarchy (BVH).
//
// A [Mesh] is a surface: it has no inside, closed or not. Triangles are hit from both sides unless
// a [geom.Cull] excludes one; the front is the side from which the corners run counter-clockwise.
// All coordinates are in the mesh's own space.
//
// Of hits at the same T, the lowest triangle index wins. Answers therefore depend neither on how
// the tree was built nor on the order of traversal: they are those of a loop over all triangles,
// bit by bit. No ray slips between two triangles that share an edge or a corner.
//
// [New] builds a mesh. [Build] builds one of a chosen [Quality], faster to build or faster to
// query, and reports progress and can be cancelled. [Mesh.Refit] updates the tree for moved
// vertices, and [Mesh.Cost] shows when to rebuild instead. [Mesh.WriteFile] writes a mesh with its
// tree to a file, and [ReadFile] loads it many times faster than it was built.
//
// Rays have no width; [Mesh.CastConvex] moves a sphere, a capsule, a box or a convex hull along a
// path and returns the first touch.
//
// Queries allocate nothing beyond what they append to the caller's slice. A Mesh never changes, so
// any number of goroutines may query it at once. [Mesh.CastRayWork] counts the nodes and triangles
// that a cast visits, and [Mesh.Nodes] lists the boxes of the tree.
//
// A [Field] is a terrain: rows of heights with holes, in a 27th of the memory. It is edited in
// place, a region at a time, and [Field.Mesh] returns its surface as a Mesh.
//
// Contact generation needs the surface around a triangle: [Mesh.EdgeConvexity] returns the
// convexity of its edges, and [Mesh.AdjacentVertices] the vertices beyond them.
//
// [Box], [UVSphere], [Icosphere], [Capsule], [Torus] and [Plane] generate the vertices and indices
// of common shapes.
package mesh
